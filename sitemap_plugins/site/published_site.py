"""The site that is checked: what is published, and what several rules need to know about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.findings.grouping import Hit
from sitemap_plugins.model import Entry, Markup
from sitemap_plugins.pages.canonical import canonical_elsewhere
from sitemap_plugins.pages.crawl_rules import CrawlRules, Served
from sitemap_plugins.pages.omit import reason_in_markup
from sitemap_plugins.published.addresses import URLStyle, meant, write_url
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.site_url import NamedURL
from sitemap_plugins.published.sitemap_files import SitemapFile, SitemapLine, find_sitemaps, sitemap_lines
from sitemap_plugins.published.sitemaps import is_of_media
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.site.expecting import Expected, Verdict
from sitemap_plugins.values.urls import file_path, normalize_url, path_in, root_of
from sitemap_plugins.versions.version import Version, Versions

_MAY_BE_LISTED: Final = frozenset({"generated", "search-page"})


class ListedURL(msgspec.Struct, frozen=True):
    """One entry of a sitemap: where it is, and the file that a server sends for it, if there is one."""

    sitemap: str
    entry: Entry
    line: int
    column: int
    file: str | None

    @property
    def loc(self) -> str:
        """The URL as listed, in its normal form."""
        return normalize_url(self.entry.loc)

    def hit(self, rule: str, cause: str, *, found: str = "", expected: str = "") -> Hit:
        """A hit of a rule at this entry."""
        return Hit(
            rule=rule,
            cause=cause,
            url=self.entry.loc,
            file=self.sitemap,
            line=self.line,
            column=self.column,
            found=found,
            expected=expected,
        )


class PublishedSite(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A published tree, with the versions below its root, and what a build of the same pages would do.

    ``served`` are the answers by URL if the tree has what a server sent, which is not the whole site; ``built`` are
    then the sitemaps that it should send, if they are known. Those of the tree are read when they are asked for.
    ``asked`` is how many listed URLs the server was asked for, and ``not_asked`` are the others beyond a limit.
    """

    tree: Tree
    versions: Versions
    expected: Expected
    served: Mapping[str, Served] | None = None
    built: Sequence[SitemapFile] | None = None
    asked: int = 0
    not_asked: frozenset[str] = frozenset()

    @property
    def base(self) -> NamedURL | None:
        """The URL of the root, None if it is unknown."""
        return self.expected.base

    @property
    def crawl_rules(self) -> CrawlRules:
        """The rules of robots.txt and the host files, as far as crawlers and servers read these."""
        return self.expected.crawl_rules

    @cached_property
    def pages(self) -> Mapping[str, HTMLFile]:
        """All HTML files, hidden ones included."""
        return {page.path: page for page in self.tree.heads(with_hidden=True)}

    @cached_property
    def robots_lines(self) -> Sequence[SitemapLine]:
        """The ``Sitemap:`` lines of robots.txt."""
        return sitemap_lines(self.tree.robots)

    @cached_property
    def sitemaps(self) -> Mapping[str, SitemapFile]:
        """All sitemaps, announced or not, in the order of their paths."""
        return find_sitemaps(self.tree, self.base_url or None, self.robots_lines)

    @cached_property
    def other_roots(self) -> tuple[str, ...]:
        """The other URLs of the root, by the ``Sitemap`` lines for sitemaps that are in this folder (SM-XS-01)."""
        roots = (
            line.url[: -len(path)]
            for line in self.robots_lines
            for path in self.sitemaps
            if "://" in line.url and line.url.endswith(f"/{path}") and not line.url.startswith(self.base_url)
        )
        return tuple(dict.fromkeys(roots))

    @cached_property
    def listed(self) -> Sequence[ListedURL]:
        """The entries of the announced sitemaps."""
        return [*listed_urls(self)]

    @cached_property
    def linked(self) -> Sequence[ListedURL]:
        """The links to pages of this site in the announced feeds that a server sent, once each."""
        feeds = self.announced_sitemaps if self.served is not None else ()
        links = {link.loc: ListedURL(feed.path, *link, self.file_at(link.loc)) for feed in feeds for link in feed.links}
        return [each for loc, each in links.items() if self.below(loc) is not None]

    @cached_property
    def version_folders(self) -> AbstractSet[str]:
        """The folders of versions and their aliases, except the root."""
        return self.versions.folders - {""}

    @property
    def base_url(self) -> str:
        """The URL of the root; empty if it is unknown."""
        return self.base.url if self.base else ""

    def below(self, url: str) -> str | None:
        """The decoded path of a URL below the root; None if it is elsewhere."""
        return file_path(self.base_url, url) if self.base else None

    def file_at(self, url: str) -> str | None:
        """The file that is `meant` by a URL; None if there is none below the base URL, or a server got a query."""
        path = None if self.served is not None and "?" in url.partition("#")[0] else self.below(url)
        return None if path is None else self.file_of(path)

    def file_of(self, path: str) -> str | None:
        """The file that is `meant` by a decoded path below the root, in its own folder; None if there is none."""
        found = meant(path, self.tree.is_file)
        folder, _, name = (found or "").rpartition("/")
        return path_in(self.tree.real_folder(folder) or "", name) if found else None

    def markup_of(self, file: str | None) -> Markup | None:
        """The markup of a page by its file; None if there is no such page, or it was not read."""
        page = self.pages.get(file or "")
        return page.markup if page else None

    def blocking_line(self, url: str) -> tuple[str, int]:
        """The line of robots.txt that blocks a URL for search engines, and its number; empty and 0 if none does."""
        line = self.crawl_rules.disallow_line(url, "Googlebot") or ""
        return line, line_number(self.tree.robots, line) if line else 0

    def verdict_at(self, url: str, file: str | None) -> Verdict | None:
        """Why a build would leave out the page that a URL leads to; None if it would not.

        If that is through a link to a folder, as with an alias of mike, the URL is not the one that a build of the root
        would give the page. Its canonical link is judged by the URL all the same. A finished site may list search pages
        and what a tool generates, unless such a page itself says otherwise, so that comes first. What a server sent
        decides alone if it is not kept as a page.
        """
        if answer := (self.served or {}).get(url):
            if hidden := self.crawl_rules.noindex(url):
                return Verdict("noindex", hidden)
            if answer.markup:
                own = reason_in_markup(answer.markup, url)
                return Verdict(*own) if own else None
        verdict, markup = self.expected.verdicts.get(file or ""), self.markup_of(file)
        if verdict and verdict.key in _MAY_BE_LISTED and markup:
            own = reason_in_markup(markup, url)
            return Verdict(*own) if own else verdict
        if not markup or (verdict and verdict.key != "canonical"):
            return verdict
        if meant(self.below(url) or "", self.tree.is_file) == file or self.file_at(url) != file:
            return verdict
        elsewhere = canonical_elsewhere(markup, url, lambda other: self.file_at(other) not in {None, file})
        return Verdict("canonical", elsewhere) if elsewhere else None

    def version_of(self, path: str) -> str:
        """The folder of the version that a path is in; empty if it is in none."""
        if not self.version_folders:
            return ""
        ends = (end for end, char in enumerate(path) if char == "/")
        return next((path[:end] for end in ends if path[:end] in self.version_folders), "")

    @property
    def announced_sitemaps(self) -> Iterator[SitemapFile]:
        """The sitemaps that search engines know, in the order of their paths."""
        return (each for each in self.sitemaps.values() if each.announced_by)

    @property
    def is_at_root(self) -> bool:
        """Whether the site is published at the root of its host, where robots.txt and the host files count."""
        return bool(self.base_url) and self.base_url == root_of(self.base_url)

    @property
    def announced(self) -> Sequence[SitemapFile]:
        """The announced sitemaps that list pages."""
        return [each for each in self.announced_sitemaps if each.kind in {"urlset", "text"}]

    def readable_pages(self) -> Iterator[tuple[str, str, Markup]]:
        """The path, URL and markup of all pages with a head, except those that only redirect, and error pages."""
        for page in self.pages.values():
            verdict = self.expected.verdicts.get(page.path)
            is_error_page = verdict is not None and verdict.key == "error-page"
            if page.markup and not page.is_fragment and not page.markup.refresh and not is_error_page:
                yield page.path, self.loc_of(page.path), page.markup

    def loc_of(self, path: str) -> str:
        """The URL of a page: the one that a build would list, or else that of its file."""
        return self.expected.locs.get(path) or write_url(path, self.base_url, URLStyle())

    def version_at(self, folder: str) -> Version | None:
        """The version in a folder, which may be an alias."""
        for version in self.versions.versions:
            if folder in {version.folder, version.real_folder, *(alias.folder for alias in version.aliases)}:
                return version
        return None


def listed_urls(site: PublishedSite, *, announced: bool = True) -> Iterator[ListedURL]:
    """The entries of the announced sitemaps, or of the others.

    Media sitemaps and text copies are left out, because they repeat those of others.
    """
    sitemaps = [each for each in site.sitemaps.values() if bool(each.announced_by) == announced]
    lists = [{each.entry.loc for each in sitemap.entries} for sitemap in sitemaps if sitemap.kind == "urlset"]
    for sitemap in sitemaps:
        entries = [each.entry for each in sitemap.entries]
        is_copy = sitemap.kind == "text" and {each.loc for each in entries} in lists
        if is_copy or is_of_media(sitemap.path.removesuffix(".gz"), entries):
            continue
        for entry, line, column in sitemap.entries:
            yield ListedURL(sitemap.path, entry, line, column, site.file_at(entry.loc))


def change_of(found: str, expected: str) -> str:
    """What distinguishes two base URLs, as short as possible: ``http→https``, two hosts, or both of them."""
    there, here = urlsplit(found), urlsplit(expected)
    if (there.netloc, there.path) == (here.netloc, here.path):
        return f"{there.scheme}→{here.scheme}"
    if (there.scheme, there.path) == (here.scheme, here.path):
        return f"{there.netloc}→{here.netloc}"
    return f"{found}→{expected}"


def line_number(content: bytes | None, text: str) -> int:
    """The number of the first line of a file that begins with these words; 0 if there is none."""
    words = text.split()
    lines = (line.split() for line in (content or b"").decode("utf-8-sig", errors="replace").splitlines())
    return next((number for number, line in enumerate(lines, 1) if line[: len(words)] == words), 0)
