"""Explains one page of a site: what lists it, or why nothing should, and everything that decides about it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from sitemap_plugins.check.hits import blocking_line, line_number
from sitemap_plugins.findings.grouping import Finding
from sitemap_plugins.formats.paths import HEADERS, REDIRECTS, ROBOTS
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.model import Markup
from sitemap_plugins.record.site_record import PageRecord, Record
from sitemap_plugins.site.published_site import ListedURL, PublishedSite, Verdict
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import closest
from sitemap_plugins.values.urls import absolute_url, normalize_url, page_key, quote_path, root_of, usable_url
from sitemap_plugins.versions.kept import choose_kept
from sitemap_plugins.versions.version import Version

_SCHEMES: Final = ("http://", "https://")


class UnknownPageError(ExplainedError):
    """There is no such page. The message says so, and may suggest another one."""


class AskedPage(msgspec.Struct, frozen=True):
    """The page in question: its URL, empty if unknown, and the file that a server sends for it, if there is one."""

    url: str
    file: str | None


class CrawlLine(msgspec.Struct, frozen=True):
    """A line of robots.txt or of a host file that keeps crawlers away."""

    file: Annotated[str, Meta(description="`robots.txt`, `_headers` or `_redirects`.")]
    line: Annotated[int | None, Meta(description="The line, from 1.")]
    text: Annotated[str, Meta(description="What it says.")]


class PageAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one page.

    ``verdict`` is why a build would leave it out, None if it would not, or if the URL of the site is unknown.
    ``canonical`` is the absolute URL of its canonical link, ``refresh`` that of a redirect in its
    head, ``blocking`` are the lines against it. ``kept`` is the version that search engines should show in the language
    of its ``version``. ``rules`` are the rules that ``check`` finds broken.
    """

    url: str
    file: str | None
    places: tuple[ListedURL, ...]
    verdict: Verdict | None
    robots: tuple[str, ...] = ()
    canonical: str | None = None
    refresh: str | None = None
    blocking: tuple[CrawlLine, ...] = ()
    version: Version | None = None
    kept: Version | None = None
    source: str | None = None
    record: PageRecord | None = None
    rules: tuple[str, ...] = ()


def find_page(site: PublishedSite, asked: str, folder: str, record: Record | None = None) -> AskedPage:
    """The page for a URL, a path below the site's URL, a file of the site, or a source of the project.

    Paths of files are relative to ``folder``. ``record`` is that of the build, which knows more sources. Raises
    `UnknownPageError`.
    """
    if asked.lower().startswith(_SCHEMES):
        asked = normalize_url(asked)
        file = site.file_at(asked)
        if file is None and not any(_places(site, AskedPage(asked, None))):
            if site.below(asked) is not None:
                raise UnknownPageError(f"{asked} is not on this site: there is no such file, and no sitemap lists it")
            where = f", which is published at {site.base.url}" if site.base else "; its URL is unknown: set --base-url"
            raise UnknownPageError(f"{asked} is not on this site{where}")
        return AskedPage(asked, file)
    path = os.path.abspath(os.path.join(folder, asked))
    inside = os.path.relpath(path, site.tree.root).replace(os.sep, "/")
    source = os.path.realpath(path)
    by_source = (page for page, each in site.sources.items() if os.path.realpath(each) == source)
    candidates = (
        inside if site.tree.is_file(inside) else None,
        next(by_source, None),
        site.file_of(asked.lstrip("/")),
        # As in the address bar of a browser: with the path of the site.
        site.file_at(root_of(site.base_url) + asked[1:]) if site.base_url and asked.startswith("/") else None,
    )
    if file := next(filter(None, candidates), None):
        return AskedPage(site.loc_of(file) if site.base_url else "", file)
    if site.base_url and any(_places(site, page := AskedPage(site.base_url + quote_path(asked.lstrip("/")), None))):
        return page
    if inside.startswith("../") and os.path.isfile(path):
        document = os.path.relpath(path, toplevel_of(os.path.dirname(path))).replace(os.sep, "/")
        if url := next((each.loc for each in record.pages if each.document == document), "") if record else "":
            return AskedPage(normalize_url(url), site.file_at(url))
        hint = "give the URL of the page, or its file in the site"
        hint += "" if record else "; with the option record, the next build will tell"
        raise UnknownPageError(f"it is unknown which page is made from {asked}: {hint}")
    similar = closest(asked.lstrip("/"), site.pages)
    raise UnknownPageError(f"there is no page {asked} in the site" + (f"; did you mean {similar}?" if similar else ""))


def explain_page(
    site: PublishedSite, asked: AskedPage, findings: Iterable[Finding], record: Record | None = None
) -> PageAnswer:
    """Everything about a page. ``record`` is that of its build, if there is any."""
    markup = site.markup_of(asked.file) or Markup()
    url, key = asked.url, page_key(asked.url)
    known = next((each for each in record.pages if page_key(each.loc) == key), None) if record else None
    version = _version_at(site, site.version_of(asked.file)) if asked.file else None
    return PageAnswer(
        url=url,
        file=asked.file,
        places=tuple(_places(site, asked)),
        verdict=site.verdict_at(url, asked.file),
        robots=tuple(sorted(markup.robots)),
        canonical=next((absolute_url(url, href) or href for href in markup.canonicals), None),
        refresh=(absolute_url(url, markup.refresh) or markup.refresh) if markup.refresh else None,
        blocking=tuple(_blocking(site, url)) if usable_url(url) else (),
        version=version,
        kept=choose_kept(site.versions).in_language(version.language).version if version else None,
        source=site.sources.get(asked.file or "") or _recorded_source(site, known),
        record=known,
        rules=_broken(findings, asked),
    )


def _recorded_source(site: PublishedSite, page: PageRecord | None) -> str | None:
    """The document of a page according to its build, which knows where mkdocs-monorepo has it from."""
    top = toplevel_of(site.project.root) if site.project.root != site.tree.root else None
    path = os.path.join(top, *page.document.split("/")) if top and page and page.document else ""
    return path if os.path.isfile(path) else None


def _version_at(site: PublishedSite, folder: str) -> Version | None:
    """The version in a folder, which may be an alias."""
    for version in site.versions.versions:
        if folder in {version.folder, version.real_folder, *(alias.folder for alias in version.aliases)}:
            return version
    return None


def _places(site: PublishedSite, asked: AskedPage) -> Iterator[ListedURL]:
    key = page_key(asked.url)
    for sitemap in site.sitemaps.values():
        for entry, line, column in sitemap.entries:
            each = ListedURL(sitemap.path, entry, line, column, site.file_at(entry.loc))
            if page_key(each.loc) == key or (asked.file is not None and each.file == asked.file):
                yield each


def _blocking(site: PublishedSite, url: str) -> Iterator[CrawlLine]:
    """The lines of robots.txt and of host files against a page, as far as these files count."""
    if site.crawl_rules.disallowed(url):
        text, number = blocking_line(site, url)
        yield CrawlLine(ROBOTS, number or None, text)
    for name, rule in ((HEADERS, site.crawl_rules.noindex(url)), (REDIRECTS, site.crawl_rules.redirected(url))):
        if rule:
            text = rule.removeprefix(f"by {name}, ")
            yield CrawlLine(name, line_number(site.tree.host_files.get(name), text) or None, text)


def _broken(findings: Iterable[Finding], asked: AskedPage) -> tuple[str, ...]:
    key = page_key(asked.url)
    rules = (
        finding.rule
        for finding in findings
        for hit in finding.hits
        if (hit.url and page_key(hit.url) == key) or (hit.file and hit.file == asked.file)
    )
    return tuple(dict.fromkeys(rules))
