"""What the options alone cannot say."""

from dataclasses import replace

from sitemap_plugins import DROP


def adjust(entry, page):
    """The releases are read most in the month they come out; a page of the old station is not worth a visit."""
    if "station" in page.front_matter:
        return DROP
    if page.name == "releases.rst":
        return replace(entry, changefreq="monthly")
    return None
