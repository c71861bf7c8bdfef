"""The rules that a sitemap breaks by itself or together with the other sitemaps, whatever the pages of the site say.

What the reader of sitemaps reports as a `Problem` becomes a `Hit`; the other rules look at the files as a whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.findings.grouping import SITE, VERSIONS, Hit
from sitemap_plugins.formats.problems import Problem
from sitemap_plugins.formats.sitemap_checking import Child
from sitemap_plugins.published.sitemap_files import SitemapFile
from sitemap_plugins.values.dates import format_lastmod, moment_of
from sitemap_plugins.values.urls import preview_at, root_of

# Their causes do not depend on the file: the same code or host is wrong everywhere.
_EVERYWHERE: Final = frozenset(("language-code", "rare-language-code", "preview-host"))
_MANY: Final = 10  # pages that hardly all matter more than others
_DEFAULT: Final = 0.5  # of pages without a priority
# The generator does not know the URL of the site.
_RELATIVE: Final = {"invalid-url": "not absolute", "alternate-link": "href"}


def check_files(site: CheckedSite) -> Iterator[Hit]:
    """The hits of all rules of this module."""
    for rule in (problems, compressed_copies, indexes, scope, priorities, media_files):
        yield from rule(site)


def problems(site: CheckedSite) -> Iterator[Hit]:
    """What the reader reports, and the XML files that it cannot read."""
    for sitemap in site.sitemaps.values():
        if sitemap.kind == "unusable" and not sitemap.announced_by and not site.version_of(sitemap.path):
            continue  # it may be something else, whatever its name is
        for problem in sitemap.problems:
            if problem.kind == "preview-host" and site.base and preview_at(site.base.url):
                continue  # the whole site is a preview
            cause = problem.cause if problem.kind in _EVERYWHERE else _cause_in(site, sitemap, problem)
            yield Hit(
                rule=problem.kind,
                cause=cause,
                url=problem.url,
                file=sitemap.path,
                line=problem.line,
                column=problem.column,
                found=_sentence(problem),
                expected=problem.expected,
                more=problem.more,
            )


def _cause_in(site: CheckedSite, sitemap: SitemapFile, problem: Problem) -> str:
    if _RELATIVE.get(problem.kind) == problem.cause:
        return SITE
    where = VERSIONS if site.version_of(sitemap.path) else sitemap.path
    return f"{where}: {problem.cause}" if problem.cause else where


def _sentence(problem: Problem) -> str:
    """What is wrong, beginning with the text in the file unless that is the URL or the sentence is about the file."""
    is_about_url = problem.text == problem.url or not problem.text
    return problem.why if is_about_url else f"{problem.text} {problem.why}"


def compressed_copies(site: CheckedSite) -> Iterator[Hit]:
    """Compressed copies that differ from the sitemap beside them, and pairs of which both are announced (SM-GZ-01)."""
    listed = dict(_announcements(site))
    for sitemap in site.sitemaps.values():
        packed = sitemap.packed
        if packed is None or packed.path == sitemap.path:
            continue
        if packed.error or not packed.is_same:
            found = packed.error or f"differs from {sitemap.path}"
            yield Hit(rule="gzip-differs", cause=packed.path, file=packed.path, found=found)
        if sitemap.path in listed and packed.path in listed:
            by, line = listed[packed.path]
            yield Hit(rule="announced-twice", cause=sitemap.path, file=by, line=line, found=packed.path)


def _announcements(site: CheckedSite) -> Iterator[tuple[str, tuple[str, int]]]:
    """The paths below the base URL that robots.txt and indexes announce, each with the file and line that does."""
    for line in site.robots_lines:
        if (path := site.below(line.url)) is not None:
            yield path, ("robots.txt", line.line)
    for sitemap in site.announced_sitemaps:
        for child in sitemap.children:
            if (path := site.below(child.loc)) is not None:
                yield path, (sitemap.path, child.line)


def indexes(site: CheckedSite) -> Iterator[Hit]:
    """Sitemaps in an index that have no file, are indexes themselves, or are outside its folder (SM-IDX-02 to 06)."""
    for index in site.announced_sitemaps:
        for child in index.children:
            yield from _child(site, index, child)


def _child(site: CheckedSite, index: SitemapFile, child: Child) -> Iterator[Hit]:
    path = site.below(child.loc)

    def hit(rule: str, *, found: str = "", expected: str = "") -> Hit:
        return Hit(
            rule=rule,
            cause=index.path,
            url=child.loc,
            file=index.path,
            line=child.line,
            column=child.column,
            found=found,
            expected=expected,
        )

    if site.base is None:
        return
    if path is None:
        root = root_of(site.base.url)
        if not child.loc.startswith(root) and child.loc.startswith(("http://", "https://")):
            yield hit("index-elsewhere", found=f"not below {root}")
        return
    if index.folder and not path.startswith(f"{index.folder}/"):
        yield hit("index-elsewhere", found=f"not below {index.folder}/")
    if not site.tree.is_file(path):
        return
    target = site.sitemaps.get(path) or site.sitemaps.get(path.removesuffix(".gz"))
    if target is None:
        return
    if target.kind == "index":
        yield hit("nested-index", found=path)
    newest = max((moment_of(each.entry.lastmod) for each in target.entries if each.entry.lastmod), default=None)
    if child.lastmod and newest and newest.date() > moment_of(child.lastmod).date():
        yield hit(
            "index-date",
            found=format_lastmod(child.lastmod, "date"),
            expected=f"{newest:%Y-%m-%d}",
        )


def scope(site: CheckedSite) -> Iterator[Hit]:
    """URLs outside the folder of their sitemap (SM-LOC-05); a sitemap that robots.txt announces may list all URLs."""
    if site.base is None:
        return
    by_robots = {site.below(line.url) for line in site.robots_lines}
    for sitemap in site.announced_sitemaps:
        if not sitemap.folder or sitemap.path in by_robots:
            continue
        for entry, line, column in sitemap.entries:
            path = site.below(entry.loc)
            if path is not None and not f"{path}/".startswith(f"{sitemap.folder}/"):
                yield Hit(
                    rule="outside-folder",
                    cause=sitemap.path,
                    url=entry.loc,
                    file=sitemap.path,
                    line=line,
                    column=column,
                    found=f"not below {sitemap.folder}/",
                )


def priorities(site: CheckedSite) -> Iterator[Hit]:
    """Sitemaps that give all pages the same priority, above that of pages without one (SM-PRI-02)."""
    for sitemap in site.announced_sitemaps:
        given = {each.entry.priority for each in sitemap.entries}
        if len(sitemap.entries) >= _MANY and len(given) == 1 and (priority := given.pop()) and priority > _DEFAULT:
            found = f"all {len(sitemap.entries):,} pages have the priority {priority}"
            yield Hit(rule="one-priority", cause=SITE, file=sitemap.path, found=found)


def media_files(site: CheckedSite) -> Iterator[Hit]:
    """Images and videos of this site that have no file; a URL with a query may be made by a server."""
    for sitemap in site.announced_sitemaps:
        for entry, line, column in sitemap.entries:
            urls = [image.loc for image in entry.images]
            urls += [url for video in entry.videos for url in (video.thumbnail_loc, video.content_loc) if url]
            for url in urls:
                path = None if "?" in url else site.below(url)
                if path and site.file_of(path) is None:
                    yield Hit(
                        rule="missing-media",
                        cause=sitemap.path,
                        url=entry.loc,
                        file=sitemap.path,
                        line=line,
                        column=column,
                        found=url,
                    )
