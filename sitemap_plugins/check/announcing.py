"""The rules on what announces sitemaps: robots.txt, indexes and the names that crawlers know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from urllib.parse import urljoin, urlsplit

from sitemap_plugins.check.site import CheckedSite, line_number
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.formats.paths import ROBOTS
from sitemap_plugins.formats.robots import MOST_READ, RobotsTxt
from sitemap_plugins.values.languages import is_language
from sitemap_plugins.versions import read_name

_MANY: Final = 10  # pages of a site that needs a sitemap


def check_announcing(site: CheckedSite) -> Iterator[Hit]:
    """The hits of the rules on the base URL and on sitemaps as files (SM-XML-10, SM-IDX-06, RB-02 to 04, RB-15)."""
    if site.base is None:
        found = "neither CNAME, nor robots.txt, nor the canonical links of most pages have it"
        no_sitemap = "" if site.sitemaps else "; there is no sitemap either"
        yield Hit(rule="no-base-url", cause=SITE, found=found + no_sitemap)
        return
    is_large = len(site.pages) >= _MANY
    if is_large and not site.sitemaps and not site.robots_lines and not _is_version(site.base.url):
        yield Hit(rule="no-sitemap", cause=SITE, url=site.base_url, found=f"{len(site.pages):,} pages, no sitemap")
    yield from _missing(site)
    if site.is_at_root and site.tree.robots is not None:
        yield from _robots(site, RobotsTxt(site.tree.robots))
    for sitemap in site.sitemaps.values():
        is_list = sitemap.kind in {"urlset", "index"}
        if is_list and not sitemap.announced_by and not site.version_of(sitemap.path):
            yield Hit(rule="unannounced", cause=SITE, file=sitemap.path)


def _is_version(url: str) -> bool:
    """Whether this is the URL of a version below a language, as on Read the Docs, which lists those at the root."""
    *_, language, version = ["", "", *urlsplit(url).path.strip("/").split("/")]
    return is_language(language, only_known=True) and bool(read_name(version))


def _missing(site: CheckedSite) -> Iterator[Hit]:
    """The URLs below the root, in robots.txt and indexes, at which there is no file."""
    for line in site.robots_lines if site.is_at_root else ():
        if "://" not in line.url:
            expected = urljoin(site.base_url, line.url)
            yield Hit(
                rule="relative-sitemap",
                cause=SITE,
                file=ROBOTS,
                line=line.line,
                found=f"Sitemap: {line.url}",
                expected=f"Sitemap: {expected}",
            )
        elif _is_missing(site, line.url):
            yield Hit(rule="missing-sitemap", cause=ROBOTS, url=line.url, file=ROBOTS, line=line.line)
    for sitemap in site.sitemaps.values():
        for child in sitemap.children:
            if _is_missing(site, child.loc):
                yield Hit(
                    rule="missing-sitemap",
                    cause=sitemap.path,
                    url=child.loc,
                    file=sitemap.path,
                    line=child.line,
                    column=child.column,
                )


def _is_missing(site: CheckedSite, url: str) -> bool:
    path = site.below(url)
    is_known = path is not None and (site.tree.is_file(path) or site.file_at(url) is not None)
    return path is not None and not is_known and not site.crawl_rules.redirected(url)


def _robots(site: CheckedSite, robots: RobotsTxt) -> Iterator[Hit]:
    """The hits on a robots.txt that counts."""
    yield from _robots_as_file(site.tree.robots or b"")
    known = [each for each in site.announced_sitemaps if each.announced_by == each.path]
    urls = [f"{site.base_url}{each.path}" for each in known]
    if known and not site.robots_lines:
        yield Hit(rule="robots-without-sitemap", cause=SITE, file=ROBOTS, url=urls[0], expected=f"Sitemap: {urls[0]}")
    if robots.disallows_all:
        return
    for sitemap in site.announced_sitemaps:
        url = f"{site.base_url}{sitemap.path}"
        if robots.disallows(url):
            line = robots.disallow_line(url, "Googlebot") or ""
            number = line_number(site.tree.robots, line)
            yield Hit(rule="robots-blocks-sitemap", cause=line, file=ROBOTS, line=number, url=url)


def _robots_as_file(content: bytes) -> Iterator[Hit]:
    """The hits on the bytes of a robots.txt (RB-02, RB-03)."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield Hit(rule="robots-encoding", cause=SITE, file=ROBOTS, line=line, found="it is not UTF-8")
    if len(content) > MOST_READ:
        line = content.count(b"\n", 0, MOST_READ) + 1
        found = f"crawlers read up to here, {MOST_READ:,} of {len(content):,} bytes"
        yield Hit(rule="robots-size", cause=SITE, file=ROBOTS, line=line, found=found)
