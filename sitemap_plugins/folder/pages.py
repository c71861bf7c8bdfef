"""Turns the files of a built folder into `Page` values."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urldefrag

from msgspec import structs

from sitemap_plugins.folder.generators.mkdocs import Blog
from sitemap_plugins.folder.generators.recognizing import Generator
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.source_texts import Parts, SourceTexts
from sitemap_plugins.formats.paths import ERROR_PAGES, SERVER_FILES
from sitemap_plugins.html.excerpts import read_excerpts
from sitemap_plugins.model import Note, Page
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Globs
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.translations import PageLanguage
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.values.dates import moment_of, parse_lastmod
from sitemap_plugins.values.urls import absolute_url, page_key, quote_path

_FEW: Final = 5  # pages that may well have changed at one moment
_BUILD: Final = 600  # seconds; nearly all builds take less
_SEARCH_PAGE: Final = "search"


def collect(
    file: HTMLFile,
    loc: str,
    page_language: PageLanguage,
    source: Source | None,
    parts: Mapping[str, Parts],
    texts: SourceTexts,
    generator: Generator,
    settings: Settings,
    tops: Mapping[str, str],
) -> Page:
    """Make the `Page` for a file. ``parts`` are what each source is made of.

    ``tops`` are the folders that begin a site, with their kinds: the root, versions, languages and others.
    """
    omit, detail = _reason_to_omit(file, tops, source, generator, settings)
    values = texts.front_matter(source.file).values if source else {}
    made_of = parts[source.file] if source else Parts()
    return Page(
        loc=loc,
        name=source.name if source and not source.is_copy else file.path,
        source=source.file if source and not source.module else None,
        sources=made_of.sources,
        included=made_of.included,
        unresolved=made_of.unresolved,
        front_matter=generator.translate(values),
        markup=file.markup,
        unread=file.unread,
        generated=source is None or bool(source.module),
        omit=omit,
        omit_detail=detail,
        language=page_language.other or page_language.code,
        translation="" if page_language.other else page_language.translation,
        output=file.path,
    )


def _reason_to_omit(
    file: HTMLFile, tops: Mapping[str, str], source: Source | None, generator: Generator, settings: Settings
) -> tuple[str | None, str]:
    """The reason to leave out a page, or None, and a detail for the message."""
    top = posixpath.dirname(file.path)
    while top not in tops:
        top = posixpath.dirname(top)
    below = file.stem_below(top)
    by_place = "application" if tops[top] == "application" else "error-page" if below in ERROR_PAGES else ""
    if by_place or file.is_fragment:
        return by_place or "fragment", ""
    if reason := next((each for at, each in generator.omit.items() if file.path.startswith(at)), None):
        return reason, ""
    if source is None and settings.generated_pages is None and below.startswith(generator.generated):
        return "generated", f"{generator.name} makes it of other pages; the option generated_pages can list it"
    if source is None and below == _SEARCH_PAGE:
        return "search-page", ""
    if source and source.is_copy and settings.translated_share:
        return "untranslated", f"it is made from {source.name}"
    return None, ""


def with_listed(pages: Sequence[Page], blogs: Iterable[Blog], tree: Tree) -> list[Page]:
    """Add the files of posts to the sources of pages that show excerpts of them.

    The later pages of a pagination stay as they are: posts move from one to the next, so no file tells when such a page
    changed.
    """
    folders = tuple(each.url_folder for each in blogs)
    known = {page.loc: page for page in pages}
    return [
        _with_posts(page, known, tree.html(page.output) or "")
        if page.output and page.output.startswith(folders) and "/page/" not in f"/{page.output}"
        else page
        for page in pages
    ]


def _with_posts(page: Page, known: Mapping[str, Page], html: str) -> Page:
    links = (urldefrag(absolute_url(page.loc, href) or "").url for href in read_excerpts(html))
    files = (file for each in (page, *(known[link] for link in links if link in known)) for file in each.sources)
    return structs.replace(page, sources=tuple(dict.fromkeys(files)))


def without_build_dates(pages: Sequence[Page]) -> tuple[list[Page], list[Note]]:
    """Remove the date of the last change that pages give, if it is nearly the same on most pages.

    Some themes show the time of the build there, or the time at which the page was rendered.
    """
    dates = [page.markup.modified for page in pages if page.markup]
    counted = Counter(span for each in dates for span in {span for text in each for span in _spans_of(text)})
    of_builds = {span for span, number in counted.items() if number > max(_FEW, len(pages) / 2)}
    if not of_builds:
        return [*pages], []
    dropped = {text for each in dates for text in each if not of_builds.isdisjoint(_spans_of(text))}
    message = (
        f"most pages give {min(dropped)}{' and moments close to it' if len(dropped) > 1 else ''} as the date of their "
        "last change, which looks like the date of a build; it is not used"
    )
    return [_without_dates(page, dropped) for page in pages], [Note(kind="shown-date", message=message)]


def without_links_to_copies(pages: Sequence[Page]) -> list[Page]:
    """Remove the ``hreflang`` links to copies that are left out."""
    copies = {page_key(page.loc) for page in pages if page.omit == "untranslated"}
    if not copies:
        return [*pages]
    from sitemap_plugins.translations.copies import without_links

    return [
        structs.replace(page, markup=without_links(page.markup, page.loc, copies)) if page.markup else page
        for page in pages
    ]


def _spans_of(text: str) -> Iterator[int]:
    """The numbers of the two spans of time that contain a date. A span overlaps the next by half of its length."""
    with suppress(ValueError):
        number = int(moment_of(parse_lastmod(text)).timestamp() // _BUILD)
        yield from (number, number + 1)


def _without_dates(page: Page, dropped: Collection[str]) -> Page:
    if page.markup is None:
        return page
    left = tuple(each for each in page.markup.modified if each not in dropped)
    return structs.replace(page, markup=structs.replace(page.markup, modified=left))


def collect_files(tree: Tree, wanted: Globs, base_url: str, without: Collection[str]) -> Iterator[Page]:
    """The files other than pages that match the option ``files``. Its globs match paths with forward slashes.

    ``without`` are the paths of files and folders to skip. Raises OSError if a folder cannot be listed.
    """
    for path in tree.files(without=without) if wanted.patterns else ():
        is_other = path not in SERVER_FILES and path not in without and not tree.is_page(path)
        if is_other and wanted.matches(path):
            yield Page(loc=base_url + quote_path(path), name=path, output=path)


def default_language(page_languages: Mapping[str, PageLanguage]) -> str | None:
    """The language that most heads name as ``x-default``, or else that of the pages at the root; None if there is none.

    Pages without translations do not count.
    """
    translated = [each for each in page_languages.values() if each.translation and not each.other]
    named = Counter(each.default for each in translated if each.default is not None)
    named = named or Counter(each.code for each in translated if not each.folder)
    return max(named, key=lambda code: named[code], default=None) or None
