"""The rules on pages that are there twice: listed twice, listed in two forms, or competing with another version."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from sitemap_plugins.check.findings import SITE, VERSIONS, Hit
from sitemap_plugins.check.site import CheckedSite, ListedURL, listed_urls
from sitemap_plugins.pages import refused_by_markup
from sitemap_plugins.values.text import count_of
from sitemap_plugins.versions import choose_kept

# Pages that tools generate in each version; readers do not search for them.
_GENERATED: Final = (
    "search.html", "search/index.html", "genindex.html", "genindex/index.html", "py-modindex.html",
    "py-modindex/index.html", "modindex.html",
)  # fmt: skip


def check_twice(site: CheckedSite) -> Iterator[Hit]:
    """The pages that the announced sitemaps list more than once (SM-LOC-08, SM-LOC-09)."""
    first: dict[str, ListedURL] = {}
    by_file: dict[str, ListedURL] = {}
    for each in filter(_has_url, site.listed):
        known = first.setdefault(each.loc, each)
        if known is not each:
            yield each.hit("listed-twice", each.sitemap, found=f"also in {known.sitemap}, line {known.line}")
        elif each.file:
            other = by_file.setdefault(each.file, each)
            if other is not each:
                found = f"also listed as {other.loc}, in {other.sitemap}, line {other.line}"
                yield each.hit("listed-in-two-forms", each.sitemap, found=found)
    # Several sitemaps that nothing announces are those of versions, or copies of each other.
    once: dict[tuple[str, str], ListedURL] = {}
    for each in filter(_has_url, listed_urls(site.state, announced=False)):
        known = once.setdefault((each.sitemap, each.loc), each)
        if known is not each:
            cause = VERSIONS if site.state.version_of(each.sitemap) else each.sitemap
            yield each.hit("listed-twice", cause, found=f"also in {known.sitemap}, line {known.line}")


def _has_url(listed: ListedURL) -> bool:
    """Whether an entry has the URL of a page. Builds without a base URL write the same word everywhere."""
    return listed.loc.startswith(("http://", "https://"))


def check_versions(site: CheckedSite) -> Iterator[Hit]:
    """The folders of versions whose pages compete with those of the version to show (VER-01), one hit for each."""
    if not site.base_url or len(site.versions.versions) < 2:
        return
    pages: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for page, markup in site.readable_pages():
        folder = site.state.version_of(page.path)
        rest = page.path[len(folder) + 1 :]
        if not folder or rest in _GENERATED or rest.startswith(("_modules/", "_sources/", "_static/")):
            continue
        loc = site.loc_of(page.path)
        is_closed = refused_by_markup(markup, loc) or site.crawl_rules.disallowed(loc) or site.crawl_rules.noindex(loc)
        if not is_closed:
            pages[folder][rest] = loc
    for kept in choose_kept(site.versions).kept:
        others = [version for version in site.versions.in_language(kept.version.language) if version != kept.version]
        folders = {each.folder for each in others} | {alias.folder for each in others for alias in each.aliases}
        for folder in sorted(folders):
            shared = sorted(pages[folder].keys() & pages[kept.folder].keys())
            if shared:
                found = f"{count_of(len(shared), 'page')} may be indexed beside the same in {kept.folder}/"
                yield Hit(
                    rule="competing-versions",
                    cause=SITE,
                    url=pages[folder][shared[0]],
                    file=f"{folder}/{shared[0]}",
                    found=found,
                    expected=pages[kept.folder][shared[0]],
                )
