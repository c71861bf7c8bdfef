"""The command ``sitemap-plugins why``: everything about one page of a site, above all why it is listed or not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Annotated, Final

import click
from msgspec import Meta, Struct, to_builtins

from sitemap_plugins.check.page import CrawlLine, PageAnswer, explain_page, find_page
from sitemap_plugins.commands.check import check_folder
from sitemap_plugins.commands.shared_options import base_url_option, examples, format_option, project_option
from sitemap_plugins.commands.terminal import ProgressBar, say, say_json
from sitemap_plugins.findings.printing import VersionedReport
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.model import FileDate
from sitemap_plugins.pages.omit import wording_of
from sitemap_plugins.record.site_record import Record, read_record
from sitemap_plugins.site.published_site import ListedURL, PublishedSite
from sitemap_plugins.values.dates import format_lastmod
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import page_key

_RECORD: Final = "site-record.json"
_SHORT: Final = 10  # characters of a commit's id


class PlaceReport(Struct, frozen=True, kw_only=True):
    """An entry of a sitemap."""

    sitemap: Annotated[str, Meta(description="The sitemap.")]
    line: Annotated[int, Meta(description="The line, from 1.")]
    column: Annotated[int, Meta(description="The column, from 1.")]
    announced_by: Annotated[str | None, Meta(description="What announces the sitemap.")]
    loc: Annotated[str, Meta(description="The URL as listed.")]
    lastmod: Annotated[str | None, Meta(description="The date.")]


class WhyReport(VersionedReport, frozen=True, kw_only=True):
    """Everything about one page. All paths are relative to SITE, except that of the source."""

    url: Annotated[str | None, Meta(description="Its URL.")]
    file: Annotated[str | None, Meta(description="The file that a server sends for it.")]
    listed: Annotated[tuple[PlaceReport, ...], Meta(description="The sitemaps that list it.")]
    translations: Annotated[Mapping[str, str], Meta(description="The URLs of its translations there, by language.")]
    left_out: Annotated[
        str | None,
        Meta(
            description="Why a build would leave it out, as a key of the page on [reasons](../left-out.md). Null if "
            "nothing that was read leaves it out."
        ),
    ]
    detail: Annotated[str | None, Meta(description="What exactly the reason is.")]
    robots: Annotated[tuple[str, ...], Meta(description="The directives of its robots meta tags.")]
    canonical: Annotated[str | None, Meta(description="The URL in its canonical link.")]
    refresh: Annotated[str | None, Meta(description="The URL that it redirects to.")]
    blocked_by: Annotated[tuple[CrawlLine, ...], Meta(description="The lines that keep crawlers away.")]
    version_folder: Annotated[str | None, Meta(description="The folder of its version.")]
    version_to_show: Annotated[
        str | None, Meta(description="The folder of the version that search engines should show.")
    ]
    source: Annotated[str | None, Meta(description="The file that it is made from, with `--project`.")]
    lastmod: Annotated[str | None, Meta(description="Its date by the record of the build, or by git.")]
    commit: Annotated[str | None, Meta(description="The commit that gave it this date.")]
    dated_by: Annotated[str | None, Meta(description="What dates it: `git`, `front_matter`, `rule` and others.")]
    findings: Annotated[tuple[str, ...], Meta(description="The rules of `check` that it breaks.")]


@click.command(
    "why", epilog=examples("sitemap-plugins why /tags/a/ site/", "sitemap-plugins why docs/guide.md site/ --project .")
)
@click.argument("page", metavar="URL|FILE")
@click.argument("site", required=False, type=click.Path(exists=True, file_okay=False))
@project_option(
    "With this option, the answer includes the source of the page and its date. Default: none, or the current folder "
    "if SITE is not given."
)
@base_url_option("Where SITE is published. Default: as for check.")
@format_option(("text", "json"), "Print text, or one JSON object.")
@click.option("--quiet", "-q", is_flag=True, help="Show no progress bar.")
def why_command(
    page: str, site: str | None, project: str | None, base_url: str | None, output: str, *, quiet: bool
) -> None:
    """Show which sitemap lists a page, or why none should, and everything that decides this.

    The page is a URL, its path such as /guide/, its file in SITE, or its source file with --project. SITE is the
    folder that is published. Nothing is written, and nothing is fetched.

    The exit status is 1 if the site has no such page.
    """
    checked, findings, options = check_folder(site, project, base_url, quiet=quiet)
    record = _read_record(checked, options.settings.record or "")
    asked = find_page(checked, page, os.getcwd(), record)
    answer = explain_page(checked, asked, findings, record)
    with ProgressBar("reading the history", quiet=quiet):
        date = _date_of(answer.source, options.rules) if answer.source and not answer.record else None
    if output == "json":
        say_json(to_builtins(_report(checked, answer, date)))
    else:
        say(*_describe(checked, answer, date, with_project=bool(project) or not site))


def _read_record(site: PublishedSite, name: str) -> Record | None:
    """The record that a build wrote beside the pages; None if there is none, or it is not valid."""
    found = next(filter(site.tree.is_file, filter(None, (name, _RECORD))), None)
    return read_record(site.tree.place(found), site.tree.root)[0] if found else None


def _date_of(source: str, rules: DateRules) -> FileDate:
    """The date of a source file from git."""
    git = GitDates({os.path.dirname(source): (os.path.splitext(source)[1],)}, rules)
    try:
        return git.dates_of([source])[source]
    finally:
        git.stop()


def _describe(site: PublishedSite, answer: PageAnswer, date: FileDate | None, *, with_project: bool) -> Iterator[str]:
    """The answer in lines to print."""
    yield answer.url or answer.file or ""
    yield f"file: {answer.file or 'none'}"
    yield from (_listed(site, answer, place) for place in answer.places)
    if answer.places:
        links = [f"{language} {url}" for language, url in _translations(answer).items()]
        yield f"translations: {', '.join(links) or 'none'}"
    else:
        yield "listed: by no sitemap"
    if answer.file in site.pages:
        yield _verdict(site, answer, with_project=with_project)
        yield f"canonical link: {_canonical(answer)}"
        yield f"robots meta tag: {', '.join(answer.robots) or 'none'}"
    if answer.refresh:
        yield f"redirects to: {answer.refresh}"
    yield from map(_blocked, answer.blocking)
    if (version := answer.version) and (kept := answer.kept):
        shown = "which search engines should show" if kept == version else f"not {kept.name}, the one to show"
        yield f"version: {version.name} ({version.stage}), {shown}"
    if answer.source:
        yield f"source: {os.path.relpath(answer.source).replace(os.sep, '/')}"
    elif with_project and (why := site.unsourced.get(answer.file or "")):
        yield f"source: none ({why})"
    yield from _date_line(answer, date)
    if answer.rules:
        yield f"check finds: {join_words(answer.rules)}"


def _listed(site: PublishedSite, answer: PageAnswer, place: ListedURL) -> str:
    other = f" as {place.loc}" if place.loc != answer.url else ""
    announced_by = site.sitemaps[place.sitemap].announced_by
    if announced_by == place.sitemap:
        known = "at a well-known place"
    else:
        known = f"announced by {announced_by}" if announced_by else "not announced"
    date = place.entry.lastmod
    lastmod = f", with the date {format_lastmod(date, 'datetime')}" if date else ""
    return f"listed: {place.sitemap}:{place.line}{other} ({known}){lastmod}"


def _translations(answer: PageAnswer) -> dict[str, str]:
    """The links in the entries of the page, which include one to itself."""
    return {link.hreflang: link.href for place in answer.places for link in place.entry.alternates}


def _verdict(site: PublishedSite, answer: PageAnswer, *, with_project: bool) -> str:
    if not site.base_url:
        return "it is unknown whether a build would list it, because the URL of the site is unknown: set --base-url"
    if answer.verdict is None and not answer.places and site.is_by_plugin:
        return "it is not in the sitemap that the build wrote; if it is a page of that build, the log with -v says why"
    if answer.verdict is None:
        if with_project and site.generator != "Sphinx":
            return "a build would list it"
        options = "most options in conf.py, which is not run" if with_project else "the options (add --project)"
        is_read = answer.file in site.sources
        return f"nothing that was read leaves it out; not read: {'' if is_read else 'its source and '}{options}"
    detail = f" ({answer.verdict.detail})" if answer.verdict.detail else ""
    return f"a build would leave it out: {wording_of(answer.verdict.key)}{detail}"


def _canonical(answer: PageAnswer) -> str:
    if answer.canonical is None:
        return "none"
    is_own = bool(answer.url) and page_key(answer.canonical) == page_key(answer.url)
    return "to itself" if is_own else answer.canonical


def _blocked(line: CrawlLine) -> str:
    at = f"{line.file}:{line.line}" if line.line else line.file
    return f"blocked by {at}: {line.text}"


def _date_line(answer: PageAnswer, date: FileDate | None) -> Iterator[str]:
    if (record := answer.record) is not None:
        commit = f", commit {record.commit[:_SHORT]}" if record.commit else ""
        by = f"by {record.source}{commit}, according to the record of the build"
        yield f"date: {record.lastmod} {by}" if record.lastmod else "date: none"
    elif date is not None:
        commit = f", commit {date.commit[:_SHORT]}" if date.commit else ""
        yield f"date of the source: {date.when.isoformat() if date.when else f'none ({date.reason})'}{commit}"


def _report(site: PublishedSite, answer: PageAnswer, date: FileDate | None) -> WhyReport:
    record = answer.record
    by_git = date.when.isoformat() if date and date.when else None
    return WhyReport(
        url=answer.url or None,
        file=answer.file,
        listed=tuple(
            PlaceReport(
                sitemap=each.sitemap,
                line=each.line,
                column=each.column,
                announced_by=site.sitemaps[each.sitemap].announced_by or None,
                loc=each.loc,
                lastmod=format_lastmod(each.entry.lastmod, "datetime") if each.entry.lastmod else None,
            )
            for each in answer.places
        ),
        translations=_translations(answer),
        left_out=answer.verdict.key if answer.verdict else None,
        detail=answer.verdict.detail or None if answer.verdict else None,
        robots=answer.robots,
        canonical=answer.canonical,
        refresh=answer.refresh,
        blocked_by=answer.blocking,
        version_folder=answer.version.folder if answer.version else None,
        version_to_show=answer.kept.folder if answer.kept else None,
        source=os.path.relpath(answer.source).replace(os.sep, "/") if answer.source else None,
        lastmod=record.lastmod if record else by_git,
        commit=record.commit if record else (date.commit if date else None),
        dated_by=record.source if record else ("git" if by_git else None),
        findings=answer.rules,
    )
