"""Announce sitemaps in robots.txt, if it has an effect, and feeds in heads; say what engines ignore in sitemaps."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.robots import MOST_READ, NotUTF8Error, RobotsTxt, is_served, merge_robots, read_announced
from sitemap_plugins.model import Arrangement, Entry, FeedLink, Note, OutputFile, Site
from sitemap_plugins.options.settings import Engine, Settings
from sitemap_plugins.values.text import join_words, one_line, plural
from sitemap_plugins.values.urls import is_unreachable, root_of

# The folders in which MkDocs, Sphinx and their themes have styles and scripts.
_ASSETS: Final = ("_static/", "assets/", "css/", "js/")
# Google, "Build and submit a sitemap"; Bing Webmaster Blog of July 2025; Yandex Webmaster, "Using the Sitemap file";
# Baidu's conditions for submissions.
_PASSED_OVER: Final[Mapping[Engine, tuple[str, ...]]] = {
    "google": ("changefreq", "priority"),
    "bing": ("changefreq", "priority"),
    "yandex": ("videos", "feeds"),
    "baidu": ("indexes", "feeds"),
}


def announce(
    site: Site, announced: Sequence[str], settings: Settings, robots: RobotsTxt | None, removed: Collection[str] = ()
) -> tuple[list[OutputFile], list[Note]]:
    """Return the robots.txt that announces the sitemaps, if it has to change (RB-01), and notes.

    ``robots`` is the existing file, or None. ``removed`` are the URLs of sitemaps that the build removes.
    """
    if site.policy.is_local:
        return [], []
    urls = announced if settings.robots else ()
    why = _why_unannounced(site, urls, robots) if urls else None
    if why and why.kind != "robots-below-root":
        return [], [why]
    has_effect = is_served(site)
    existing = robots.content if robots else None
    gone = [url for url in dict.fromkeys(read_announced(existing or b"")) if settings.robots and url in removed]
    try:
        # The block of an earlier build, when the site was at the root of its host, goes.
        merged = merge_robots(existing, urls, gone) if has_effect else merge_robots(existing, ())
    except NotUTF8Error:
        message = "robots.txt is not UTF-8, so crawlers cannot read it; it was left alone: save it as UTF-8"
        return [], [why or Note(kind="robots-encoding", message=message)] if urls else []
    files = [OutputFile(path=ROBOTS, content=merged, is_shared=True)] if merged != existing else []
    if not has_effect:
        return files, [why] if why else []
    notes = [*_blocked(site, announced, robots)] if robots and not robots.disallows_all else []
    if gone:
        message = f"robots.txt no longer announces {join_words(gone)}, because the sitemap of the generator was removed"
        notes.append(Note(kind="taken-over", message=message))
    if unreachable := [url for url in read_announced(existing or b"") if is_unreachable(url)]:
        message = f"robots.txt announces {unreachable[0]}, which search engines cannot reach: remove that line"
        notes.append(Note(kind="robots-unreachable", message=message))
    if urls and merged and len(merged) > MOST_READ:
        message = (
            f"robots.txt has {len(merged):,} bytes, but Google reads only the first {MOST_READ:,}: shorten it, "
            "so that the sitemap at its end is found"
        )
        notes.append(Note(kind="robots-size", message=message))
    return files, notes


def _why_unannounced(site: Site, urls: Sequence[str], robots: RobotsTxt | None) -> Note | None:
    """A note on why these sitemaps cannot be announced in robots.txt, or None."""
    if site.policy.canonical_version:
        message = (
            f"the canonical links of this version lead to {site.policy.canonical_version}: its own sitemap is not "
            "announced"
        )
        return Note(kind="other-version", message=message)
    if site.policy.preview:
        message = f"this is a preview on {site.policy.preview}: the sitemap is not announced"
        return Note(kind="preview", message=message)
    if robots is None and site.robots_owner:
        message = (
            f"{site.robots_owner} writes robots.txt itself, so none was created; "
            "at the root of the host it serves the sitemap.xml of the default version"
        )
        return Note(kind="robots-of-host", message=message)
    if not is_served(site):
        lines = ", ".join(f"Sitemap: {url}" for url in urls)
        how = site.announce_by or f"announce the sitemap in {root_of(site.base_url)}robots.txt: {lines}"
        message = f"robots.txt has no effect below {urlsplit(site.base_url).path}; {how}"
        return Note(kind="robots-below-root", message=message)
    if robots is not None and robots.disallows_all:
        message = "robots.txt blocks crawlers from the whole site (Disallow: /), so it was left alone"
        return Note(kind="robots-disallow-all", message=message)
    return None


def cross_submit_notes(site: Site, cross_submitted: Mapping[str, Sequence[str]], settings: Settings) -> Iterator[Note]:
    """Notes on the lines that the robots.txt of other hosts needs, which the build cannot read (SM-XS-01).

    A preview has no such notes.
    """
    for host in dict.fromkeys(settings.cross_submit) if site.policy.is_announced else ():
        if urls := cross_submitted.get(host):
            lines = " and ".join(f"Sitemap: {url}" for url in urls)
            message = (
                f"{host}robots.txt needs the {plural(len(urls), 'line')}: {lines}; otherwise search engines ignore its "
                f"pages in a sitemap on another host"
            )
            yield Note(kind="cross-submit", message=message)
        else:
            message = f"cross_submit: no page has a URL on {host} other than the site's own; remove or correct it"
            yield Note(kind="unmatched", message=message)


def _blocked(site: Site, announced: Sequence[str], robots: RobotsTxt) -> Iterator[Note]:
    """Notes on files that robots.txt blocks but crawlers need: the sitemap (RB-15), styles and scripts (RB-16)."""
    for url in filter(robots.disallows, announced):
        yield Note(kind="robots-blocks-sitemap", message=f"robots.txt keeps crawlers from {url}: allow it there")
    if folders := [folder for folder in _ASSETS if robots.disallows(f"{site.base_url}{folder}a.css")]:
        message = f"robots.txt keeps crawlers from {join_words(folders)}, so they cannot render the pages"
        yield Note(kind="robots-blocks-assets", message=message)


def engine_notes(entries: Sequence[Entry], arrangement: Arrangement, settings: Settings) -> Iterator[Note]:
    """A note for each search engine that ignores parts of these sitemaps."""
    there = {
        "changefreq": any(entry.changefreq is not None for entry in entries),
        "priority": any(entry.priority is not None for entry in entries),
        "videos": any(entry.videos for entry in entries),
        "feeds": bool(settings.feeds),
        "indexes": bool(arrangement.indexes),
    }
    for engine in dict.fromkeys(settings.engines):
        if found := [name for name in _PASSED_OVER[engine] if there[name]]:
            cure = "; the sitemaps themselves are announced" if "indexes" in found and settings.robots else ""
            yield Note(kind="engine", message=f"{engine.capitalize()} ignores {join_words(found)}{cure}")


def feed_links(site: Site, files: Iterable[OutputFile], settings: Settings) -> list[FeedLink]:
    """The links for the heads of pages to the feeds among these files, if the option ``head_links`` of feeds is set."""
    feeds, title = settings.feeds, feed_title(site, settings)
    written = {file.path for file in files if file.content is not None} if feeds.head_links else ()
    named = ((feeds.rss, "application/rss+xml"), (feeds.atom, "application/atom+xml"))
    return [
        FeedLink(media_type=media_type, title=title, href=site.base_url + path)
        for path, media_type in named
        if path and path in written
    ]


def feed_title(site: Site, settings: Settings) -> str:
    """The title of the feeds: the author's own, else the name of the site, else its URL."""
    return settings.feeds.title or one_line(site.name) or site.base_url
