"""The rules on the files that crawlers read: sitemaps as files, llms.txt, and what announces sitemaps.

What the reader of sitemaps reports as a `Problem` becomes a `Hit`; the other rules look at the files as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from typing import Final
from urllib.parse import urlsplit

from msgspec import structs

from sitemap_plugins.check.hits import blocking_line, change_of, hit_at
from sitemap_plugins.check.serving import leads_nowhere, may_be_answered
from sitemap_plugins.findings.grouping import SITE, VERSIONS, Hit
from sitemap_plugins.formats.paths import LLMS, ROBOTS
from sitemap_plugins.formats.problems import Located, Problem
from sitemap_plugins.formats.robots import MOST_READ, RobotsTxt
from sitemap_plugins.published.sitemaps import SitemapFile, find_by_end
from sitemap_plugins.reading import LLMS_TXT
from sitemap_plugins.site.published_site import ListedURL, PublishedSite
from sitemap_plugins.values.dates import format_lastmod, moment_of
from sitemap_plugins.values.languages import code_of
from sitemap_plugins.values.urls import absolute_url, is_unreachable, quote_path, root_of, usable_url
from sitemap_plugins.values.version_names import read_name

# Their causes do not depend on the file: the same code or host is wrong everywhere.
_EVERYWHERE: Final = frozenset(("language-code", "rare-language-code", "preview-host"))
_MANY: Final = 10  # pages: such a site needs a sitemap, and they hardly all matter more than others
_DEFAULT: Final = 0.5  # of pages without a priority
# The generator does not know the URL of the site.
_RELATIVE: Final = {"invalid-url": "not absolute", "alternate-link": "href"}
_LINK: Final = r"\]\(\s*<?([^()\s<>]{1,2048})"


def check_files(site: PublishedSite) -> Iterator[Hit]:
    """The hits of all rules of this module."""
    for rule in (problems, compressed_copies, indexes, scope, priorities, media_files):
        yield from rule(site)


def problems(site: PublishedSite) -> Iterator[Hit]:
    """What the reader reports, and the XML files that it cannot read."""
    for sitemap in site.sitemaps.values():
        if sitemap.kind == "unusable" and not sitemap.announced_by and not site.version_of(sitemap.path):
            continue  # it may be something else, whatever its name is
        for problem in sitemap.problems:
            if problem.kind == "preview-host" and site.base and is_unreachable(site.base.url):
                continue  # the whole site is a preview
            if (
                problem.kind == "double-encoding"
                and "%" in (path := site.below(problem.text) or "")
                and site.file_of(path)
            ):
                continue  # the name of the file has a percent sign
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


def _cause_in(site: PublishedSite, sitemap: SitemapFile, problem: Problem) -> str:
    if _RELATIVE.get(problem.kind) == problem.cause:
        return SITE
    where = VERSIONS if site.version_of(sitemap.path) else sitemap.path
    return f"{where}: {problem.cause}" if problem.cause else where


def _sentence(problem: Problem) -> str:
    """What is wrong, beginning with the text in the file unless that is the URL or the sentence is about the file."""
    is_about_url = problem.text == problem.url or not problem.text
    return problem.why if is_about_url else f"{problem.text} {problem.why}"


def compressed_copies(site: PublishedSite) -> Iterator[Hit]:
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


def _announcements(site: PublishedSite) -> Iterator[tuple[str, tuple[str, int]]]:
    """The paths below the base URL that robots.txt and indexes announce, each with the file and line that does."""
    for line in site.robots_lines:
        if (path := site.below(line.url)) is not None:
            yield path, (ROBOTS, line.line)
    for sitemap in site.announced_sitemaps:
        for child in sitemap.children:
            if (path := site.below(child.loc)) is not None:
                yield path, (sitemap.path, child.line)


def indexes(site: PublishedSite) -> Iterator[Hit]:
    """Sitemaps in an index that have no file, are indexes themselves, or are outside its folder (SM-IDX-02 to 06)."""
    for index in site.announced_sitemaps:
        for child in index.children:
            yield from _child(site, index, child)


def _child(site: PublishedSite, index: SitemapFile, child: Located) -> Iterator[Hit]:
    path = site.below(child.loc)
    hit = partial(Hit, cause=index.path, url=child.loc, file=index.path, line=child.line, column=child.column)
    if site.base is None:
        return
    if path is None:
        root = root_of(site.base.url)
        if not child.loc.startswith(root) and child.loc.startswith(("http://", "https://")):
            yield hit(rule="index-elsewhere", found=f"not below {root}")
        return
    if index.folder and not path.startswith(f"{index.folder}/"):
        yield hit(rule="index-elsewhere", found=f"not below {index.folder}/")
    target = site.sitemaps.get(path) or site.sitemaps.get(path.removesuffix(".gz"))
    if target is None:
        return
    if target.kind == "index":
        yield hit(rule="nested-index", found=path)
    newest = max((moment_of(each.entry.lastmod) for each in target.entries if each.entry.lastmod), default=None)
    if child.entry.lastmod and newest and newest.date() > moment_of(child.entry.lastmod).date():
        yield hit(rule="index-date", found=format_lastmod(child.entry.lastmod, "date"), expected=f"{newest:%Y-%m-%d}")


def scope(site: PublishedSite) -> Iterator[Hit]:
    """URLs outside the folder of their sitemap (SM-LOC-05); a sitemap that robots.txt announces may list all URLs."""
    if site.base is None:
        return
    by_robots = {site.below(line.url) for line in site.robots_lines}
    for sitemap in site.announced_sitemaps:
        if not sitemap.folder or sitemap.path in by_robots:
            continue
        for each in sitemap.entries:
            path = site.below(each.entry.loc)
            if path is not None and not f"{path}/".startswith(f"{sitemap.folder}/"):
                listed = ListedURL(sitemap.path, *each, None)
                yield hit_at(listed, "outside-folder", sitemap.path, found=f"not below {sitemap.folder}/")


def priorities(site: PublishedSite) -> Iterator[Hit]:
    """Sitemaps that give all pages the same priority, above that of pages without one (SM-PRI-02)."""
    for sitemap in site.announced_sitemaps:
        given = {each.entry.priority for each in sitemap.entries}
        if len(sitemap.entries) >= _MANY and len(given) == 1 and (priority := given.pop()) and priority > _DEFAULT:
            found = f"all {len(sitemap.entries):,} pages have the priority {priority}"
            yield Hit(rule="one-priority", cause=SITE, file=sitemap.path, found=found)


def media_files(site: PublishedSite) -> Iterator[Hit]:
    """Images and videos of this site that have no file; a URL with a query may be made by a server."""
    for sitemap in site.announced_sitemaps:
        for each in sitemap.entries:
            urls = [image.loc for image in each.entry.images]
            urls += [url for video in each.entry.videos for url in (video.thumbnail_loc, video.content_loc) if url]
            for url in urls:
                path = None if "?" in url else site.below(url)
                if path and site.file_of(path) is None:
                    yield hit_at(ListedURL(sitemap.path, *each, None), "missing-media", sitemap.path, found=url)


def check_announcing(site: PublishedSite) -> Iterator[Hit]:
    """The hits of the rules on the base URL and on sitemaps as files (SM-XML-10, SM-IDX-06, RB-02 to 04, RB-15)."""
    if site.base is None:
        found = "it is not in the canonical links of pages, in the URLs of sitemap.xml, in robots.txt, or in CNAME"
        no_sitemap = "" if site.sitemaps else "; there is no sitemap either"
        yield Hit(rule="no-base-url", cause=SITE, found=found + no_sitemap)
        return
    for path in site.replaced[:1]:  # the others are copies of it
        yield Hit(rule="not-replaced", cause=SITE, file=path, found=f"{site.generator} wrote it")
    number = len(site.pages) - sum(map(site.is_in_preview, site.pages))
    if number >= _MANY and not site.sitemaps and not site.robots_lines and not _is_version(site.base.url):
        yield Hit(rule="no-sitemap", cause=SITE, url=site.base_url, found=f"{number:,} pages, no sitemap")
    yield from _missing(site)
    if site.is_at_root and site.tree.robots is not None:
        yield from _robots(site, RobotsTxt(site.tree.robots))
    yield from _unannounced(site)


def _unannounced(site: PublishedSite) -> Iterator[Hit]:
    """The sitemaps that nothing announces, except those whose pages are all in announced ones."""
    listed = {each.file for each in site.listed if each.file}
    for sitemap in site.sitemaps.values():
        is_list = sitemap.kind in {"urlset", "index"}
        if is_list and not sitemap.announced_by and not site.version_of(sitemap.path):
            parts = [site.sitemaps.get(site.below(child.loc) or "") for child in sitemap.children] or [sitemap]
            if not all(part and (part.announced_by or _adds_nothing(site, part, listed)) for part in parts):
                yield Hit(rule="unannounced", cause=SITE, file=sitemap.path)


def _adds_nothing(site: PublishedSite, sitemap: SitemapFile, listed: Collection[str]) -> bool:
    """Whether a sitemap has only pages at these paths, or that a build would leave out, and nothing about media."""
    entries = [each.entry for each in sitemap.entries]
    files = ((entry.loc, site.file_at(entry.loc)) for entry in entries)
    has_media = any(entry.images or entry.videos or entry.news for entry in entries)
    return bool(entries) and not has_media and all(file in listed or site.verdict_at(loc, file) for loc, file in files)


def _is_version(url: str) -> bool:
    """Whether this is the URL of a version below a language, as on Read the Docs, which lists those at the root."""
    *_, language, version = ["", "", *urlsplit(url).path.strip("/").split("/")]
    return bool(code_of(language, only_known=True)) and bool(read_name(version))


def _missing(site: PublishedSite) -> Iterator[Hit]:
    """The URLs below the root, in robots.txt and indexes, at which there is no file."""
    together = Counter(line.line for line in site.robots_lines)
    for line in site.robots_lines if site.is_at_root else ():
        hit = Hit(rule="relative-sitemap", cause=SITE, file=ROBOTS, line=line.line, found=f"Sitemap: {line.url}")
        if together[line.line] > 1:
            yield structs.replace(hit, found=f"{together[line.line]} URLs", expected=f"Sitemap: {line.url}")
        if is_unreachable(line.url) and not is_unreachable(site.base_url):
            yield structs.replace(hit, rule="preview-host", cause=urlsplit(line.url).netloc)
        elif "://" not in line.url or not usable_url(line.url):
            url = absolute_url(site.base_url, line.url)
            yield structs.replace(hit, expected=f"Sitemap: {url}" if url else "")
        elif _is_missing(site, line.url):
            rule = "sitemap-elsewhere" if _is_of_other_site(site, line.url) else "missing-sitemap"
            yield Hit(rule=rule, cause=ROBOTS, url=line.url, file=ROBOTS, line=line.line)
        elif sitemap := _announced_elsewhere(site, line.url):
            url = site.base_url + quote_path(sitemap.path)
            change = change_of(root_of(line.url), root_of(url))
            found = structs.replace(hit, rule="announced-elsewhere", cause=change)
            yield structs.replace(found, expected=f"Sitemap: {url}")
    for sitemap in site.sitemaps.values():
        for child in sitemap.children:
            if _is_missing(site, child.loc):
                place = Hit(rule="missing-sitemap", cause=sitemap.path, file=sitemap.path, url=child.loc)
                yield structs.replace(place, line=child.line, column=child.column)


def _is_missing(site: PublishedSite, url: str) -> bool:
    """Whether a URL below the root has neither a file nor a redirect. A server that was asked must have said so."""
    if site.below(url) is None or site.file_at(url) is not None or site.crawl_rules.redirected(url):
        return False
    return site.served is None or not may_be_answered(site, url)


def _announced_elsewhere(site: PublishedSite, url: str) -> SitemapFile | None:
    """The sitemap of this site that a valid URL on another host, or with another scheme, names; None if there is none.

    A language may have a host of its own, with pages and a sitemap in this tree.
    """
    root, entries = root_of(url), (each for sitemap in site.sitemaps.values() for each in sitemap.entries)
    if root == root_of(site.base_url) or any(each.loc.startswith(root) for each in entries):
        return None
    sitemap = site.sitemaps.get(find_by_end(site.tree, url) or "")
    listed = [site.below(each.loc) is not None for each in (*sitemap.entries, *sitemap.children)] if sitemap else []
    return sitemap if sum(listed) * 2 > len(listed) else None


def _is_of_other_site(site: PublishedSite, url: str) -> bool:
    """Whether a sitemap is in a folder that this tree lacks: the URL of another site, unless it is this one's, too."""
    folder, _, name = (site.below(url) or "").rpartition("/")
    own = site.sitemaps.get(name)
    return site.tree.real_folder(folder) is None and (own is None or own.announced_by == ROBOTS)


def _robots(site: PublishedSite, robots: RobotsTxt) -> Iterator[Hit]:
    """The hits on a robots.txt that counts."""
    yield from _robots_as_file(site.tree.robots or b"")
    known = next((each for each in site.announced_sitemaps if each.announced_by == each.path), None)
    if known and not site.robots_lines:
        url = site.base_url + quote_path(known.path)
        yield Hit(rule="robots-without-sitemap", cause=SITE, file=ROBOTS, url=url, expected=f"Sitemap: {url}")
    if robots.disallows_all:
        return
    for sitemap in site.announced_sitemaps:
        url = site.base_url + quote_path(sitemap.path)
        if robots.disallows(url):
            line, number = blocking_line(site, url)
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


def check_llms(site: PublishedSite) -> Iterator[Hit]:
    """The dead links in ``llms.txt`` at the root of the site. Links to other sites are not followed."""
    content = site.tree.try_to_read(LLMS, LLMS_TXT) or b""
    for number, line in enumerate(content.decode("utf-8-sig", errors="replace").split("\n"), 1):
        for found in re.finditer(_LINK, line):
            url = absolute_url(f"{site.base_url}{LLMS}", found[1])
            if url and leads_nowhere(site, url):
                yield Hit(rule="dead-llms-link", cause=SITE, url=url, file=LLMS, line=number, column=found.start(1) + 1)
