"""Publishes the pages of a build: reads the built pages and writes our files, without touching the author's."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.formats.paths import CNAME, ERROR_PAGES, REDIRECTS, page_ending, stem_of
from sitemap_plugins.formats.robots import RobotsTxt, is_served
from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.html.head import read_markup, relocate
from sitemap_plugins.model import Adjuster, Note, Omitted, Page, Result, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.output.ownership import ForeignFiles, configured_paths, own_sitemap_note
from sitemap_plugins.output.pages import read_host_files, read_output, read_robots, write_head_links
from sitemap_plugins.output.writing import WriteError, locked, try_to_write, would_change, write_locked
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.lastmod import DatesOf
from sitemap_plugins.pages.omit import needs_content, omit, refresh_in
from sitemap_plugins.pipeline import announce_files, choose, make_files, media_paths, no_pages_note, summarize
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.dating import dates_of_files, find_named_files, git_notes
from sitemap_plugins.session.deployment import READ_THE_DOCS, is_for_read_the_docs, whole_history
from sitemap_plugins.sitemaps.announcing import feed_links
from sitemap_plugins.values.urls import quote_path

if TYPE_CHECKING:
    from sitemap_plugins.formats.page_list import PageListFile
    from sitemap_plugins.session.record import PreviousRecord


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """The folder that a host builds into, and what the host knows about files in it.

    ``copied`` are the paths of files that the host copied from the author's files, ``replaced`` of files that it wrote
    itself and that ours replace, ``earlier`` of files that our last build wrote. ``why_kept`` tells why the sitemap
    there counts as the author's, if that is known. ``encoding`` is the one of its pages, and ``page_ending`` that of
    their names, if Sphinx was told to use another one.
    With ``dry_run`` nothing is written; the changes are only listed. ``page_list`` is the page for the option ``html``,
    if the host can make it. With ``only_page_list``, nothing else is written or removed. ``other_sites`` are folders
    with sites that are built separately. ``is_partial`` means that this build makes only a part of the site, such as
    one of its languages, or the site in another form.
    """

    directory: str
    copied: Collection[str] = ()
    replaced: Collection[str] = ()
    why_kept: str = ""
    earlier: Collection[str] = ()
    encoding: str = "utf-8"
    page_ending: str | None = None
    dry_run: bool = False
    page_list: PageListFile | None = None
    only_page_list: bool = False
    other_sites: Collection[str] = ()
    is_partial: bool = False


class Publication(msgspec.Struct, frozen=True, kw_only=True):
    """What was published, if anything: ``summary`` is None if there is no sitemap.

    ``written`` are the paths of our files, changed or not. ``changed`` are the paths of all files that were changed or
    removed, or would be, and ``removed`` those of the latter.
    """

    result: Result
    notes: tuple[Note, ...]
    summary: str | None
    written: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: frozenset[str] = frozenset()


def read_pages(pages: Iterable[Page], settings: Settings, output: Output) -> Iterator[Page]:
    """The pages, with the head and the content of each HTML file that the settings need and the host has not read."""
    with_content = needs_content(settings)
    for page in pages:
        is_wanted = page.markup is None or (with_content and page.content is None)
        ending = page_ending(page.output, output.page_ending) if page.output else None
        is_readable = ending is not None and not (page.omit or page.unread)
        yield _read(page, page.output, settings, output) if is_wanted and is_readable and page.output else page


def _read(page: Page, path: str, settings: Settings, output: Output) -> Page:
    file, unread = read_output(os.path.join(output.directory, *path.split("/")), output.directory)
    if file is None:
        return msgspec.structs.replace(page, unread=unread, omit=None if unread else "unwritten")
    html = file.decode(output.encoding, errors="replace")
    content = None
    if needs_content(settings):
        from sitemap_plugins.html.content import read_content

        content = read_content(html, page.loc, settings.content_selector)
    markup = page.markup or relocate(read_markup(html), page.own_urls, page.loc)
    return msgspec.structs.replace(page, markup=markup, content=content)


def publish(
    site: Site,
    pages: Iterable[Page],
    settings: Settings,
    output: Output,
    *,
    root: str | os.PathLike[str],
    git: GitDates | None = None,
    dates: Mapping[str, DatesOf] | None = None,
    adjust: Sequence[Adjuster] = (),
    previous: PreviousRecord | None = None,
) -> Publication:
    """Build the sitemaps of these pages, and write them and robots.txt. Foreign files are left alone.

    Raises OSError if existing files cannot be examined, see `BuildSession.report_read_errors`. ``root`` is the folder
    of the configuration, where ``depends_on`` finds files. ``dates`` replace the ones from ``git`` and from the disk,
    if they were read before. ``previous`` is the record of the last deployment to compare with.
    """
    directory = output.directory
    others = _foreign_files(output)
    robots_txt, about_robots = read_robots(directory)
    if about_robots:
        settings = msgspec.structs.replace(settings, robots=False)
    host_files, about_host_files = read_host_files(directory)
    robots = None if robots_txt is None else RobotsTxt(robots_txt)
    crawl_rules = CrawlRules.at(site, robots, host_files)
    pages = [*pages]
    tree = Tree(directory)
    chosen = choose(
        site,
        pages,
        settings,
        crawl_rules,
        dates=dates or dates_of_files(git),
        named=find_named_files(pages, settings, root),
        adjust=adjust,
    )
    # A foreign file where crawlers look for the sitemap is the site's sitemap.
    served = settings.filenames if settings.gzip else (settings.filename,)
    if foreign := next((path for path in served if path in others), None):
        what = f"your own file ({output.why_kept})" if output.why_kept else "your own file"
        note = own_sitemap_note(foreign, settings, what) if chosen.listed else no_pages_note(chosen.omitted)
        kept = tuple(path for path in output.earlier if path not in others)
        return Publication(result=Result(site=site), notes=(note,), summary=None, written=kept)
    if git and git.histories:
        known = (date for history in git.histories for date in history.files.values())
        site = msgspec.structs.replace(site, unshallow=whole_history(known, git.rules, site.unshallow))
    result, listed = make_files(
        site,
        chosen,
        settings,
        crawl_rules,
        files_of_media=frozenset(filter(tree.is_file, media_paths(site, chosen))),
        taken=others,
        page_list=output.page_list,
    )
    if result.files and (settings.record or previous):
        from sitemap_plugins.session.record import make_record

        files, notes = make_record(
            result,
            listed,
            settings,
            tree,
            other_sites=output.other_sites,
            encoding=output.encoding,
            git=git,
            host_file=host_files.get(REDIRECTS, b""),
            previous=None if output.is_partial else previous,
        )
        result = msgspec.structs.replace(result, files=(*result.files, *files), notes=(*result.notes, *notes))
    if robots is None and not (is_served(site) or site.announce_by) and is_for_read_the_docs(os.fspath(root)):
        owned = msgspec.structs.replace(result.site, robots_owner=READ_THE_DOCS)  # this build may be a local one
        result = msgspec.structs.replace(result, site=owned)
    result = announce_files(result, settings, robots, output.replaced)
    if not (output.is_partial or site.policy.is_local):
        omitted = *result.omitted, *_other_pages(tree, site, pages, output)
        result = msgspec.structs.replace(result, omitted=omitted)
    if output.only_page_list:
        return _publish_page_list(result, settings, output)
    notes = [*(git_notes(git) if git else ()), *_about_host(site, tree, output), *about_robots, *about_host_files]
    notes += result.notes
    return _nothing(result, notes, output) if result.is_doubtful else _publish_all(result, notes, settings, output)


def _about_host(site: Site, tree: Tree, output: Output) -> Iterator[Note]:
    """A note if the author's CNAME, which the build copied, names another host than the URL of the site.

    Read the Docs does not read that file.
    """
    if CNAME not in output.copied or not site.policy.is_announced or site.robots_owner:
        return
    from sitemap_plugins.published.site_url import domain_of

    if (domain := domain_of(tree)) and domain != urlsplit(site.base_url).netloc:
        message = (
            f"CNAME names the host {domain}, but the sitemap and the canonical links have URLs below {site.base_url}: "
            "correct the URL of the site, or remove CNAME"
        )
        yield Note(kind="other-host", message=message)


def _other_pages(tree: Tree, site: Site, pages: Iterable[Page], output: Output) -> Iterator[Omitted]:
    """The HTML files in the output that are neither pages of the host nor ours, as left out."""
    known = {*output.earlier, *(page.output for page in pages)}
    ending = output.page_ending
    for path in tree.files(without=output.other_sites, skip_unlisted=True):
        if page_ending(path, ending) is not None and path not in known and tree.is_file(path):
            page = Page(loc=site.base_url + quote_path(path), name=path, output=path)
            if stem_of(path, ending) in ERROR_PAGES:
                yield omit(page, "error-page")
                continue
            file = tree.head(path)
            target = refresh_in(file.markup, page.loc) if file and file.markup else None
            yield omit(page, "redirect", target) if target else omit(page, "other")


def _foreign_files(output: Output) -> ForeignFiles:
    return ForeignFiles(output.directory, output.copied, output.replaced)


def _nothing(result: Result, notes: Iterable[Note], output: Output) -> Publication:
    """A publication that leaves all files as they are."""
    nothing = msgspec.structs.replace(result, sitemaps=(), indexes=(), announced=(), files=())
    return Publication(result=nothing, notes=tuple(notes), summary=None, written=tuple(output.earlier))


def _publish_all(result: Result, notes: list[Note], settings: Settings, output: Output) -> Publication:
    """Write all files, remove those of earlier builds, and write links into the heads of pages."""
    directory = output.directory
    try:
        with nullcontext() if output.dry_run else locked(directory):
            # Another build may have finished meanwhile, so check again which files are ours, now under the lock.
            others = _foreign_files(output)
            files, about_files = others.select_writable(result.files, settings)
            notes += about_files
            removals = others.removals([*output.earlier, *configured_paths(settings)], files)
            change = would_change if output.dry_run else write_locked
            changed = change([*removals, *files], directory)
    except WriteError as error:
        return _nothing(result, [*notes, Note(kind="unwritable", message=str(error))], output)
    linked: list[str] = []
    if settings.head_links or settings.feeds.head_links:
        alternates = result.alternates if settings.head_links else dict.fromkeys(result.alternates, ())
        links = feed_links(result.site, files, settings)
        linked, about_links = write_head_links(
            alternates, Path(directory), links, ending=output.page_ending, dry_run=output.dry_run
        )
        notes += about_links
    return Publication(
        result=result,
        notes=tuple(notes),
        summary=summarize(result) if result.sitemaps else None,
        written=tuple(file.path for file in files if file.content is not None and not file.is_shared),
        changed=(*changed, *linked),
        removed=frozenset(changed) & {file.path for file in (*removals, *files) if file.content is None},
    )


def _publish_page_list(result: Result, settings: Settings, output: Output) -> Publication:
    """Write only the page of all pages, and leave all other files as they are."""
    page = [file for file in result.files if output.page_list and file.path == output.page_list.path]
    notes = [note for note in result.notes if note.kind in {"page-list", "gone", "previous-record"}]
    files, about_files = _foreign_files(output).select_writable(page, settings)
    return Publication(
        result=Result(site=result.site),
        notes=(*notes, *about_files, *try_to_write(files, output.directory)),
        summary=None,
        written=tuple(dict.fromkeys([*output.earlier, *(file.path for file in files)])),
    )
