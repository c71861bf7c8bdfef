"""What dates the pages of a built folder: their sources with what these include, and the dates that pages show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final
from urllib.parse import urldefrag

from msgspec import structs

from sitemap_plugins.folder.collecting import BuiltFolder
from sitemap_plugins.folder.generators.mkdocs import Blog, read_blogs
from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.source_texts import Parts, SourceTexts
from sitemap_plugins.html.parsing import parse
from sitemap_plugins.model import Note, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.session.dating import without_depends_on
from sitemap_plugins.values.dates import moment_of, parse_lastmod
from sitemap_plugins.values.text import join_first
from sitemap_plugins.values.urls import absolute_url

_FEW: Final = 5  # pages that may well have changed at one moment
_BUILD: Final = 600  # seconds; nearly all builds take less

_MARK = "md-post--excerpt"


def with_what_dates(
    pages: Iterable[Page], sources: Mapping[str, Source], parts: Mapping[str, Parts], folder: BuiltFolder
) -> tuple[list[Page], list[Note]]:
    """Add to each page what it is made of and lists, and remove dates of builds; the pages and notes.

    ``sources`` are by the path of the page, ``parts`` by that of the source.
    """
    made_of = {path: parts[source.file] for path, source in sources.items()}
    whole = [
        structs.replace(page, **structs.asdict(made_of[page.output])) if page.output in made_of else page
        for page in pages
    ]
    return without_build_dates(with_listed(whole, read_blogs(folder.configuration), folder.tree))


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
    links = (urldefrag(absolute_url(page.loc, href) or "").url for href in _read_excerpts(html))
    files = (file for each in (page, *(known[link] for link in links if link in known)) for file in each.sources)
    return structs.replace(page, sources=tuple(dict.fromkeys(files)))


def commands_notes(pages: Iterable[Page], base_url: str, texts: SourceTexts, settings: Settings) -> Iterator[Note]:
    """A note on the pages that show commands of programs with mkdocs-click: only it finds them, by importing them."""
    shown = [
        page
        for page in pages
        if page.source and settings.git.dependencies
        if any(texts.read(each).shows_commands for each in (page.source, *page.included))
    ]
    if names := without_depends_on(shown, Site(base_url=base_url), settings):
        message = (
            f"the commands that mkdocs-click shows do not count for the dates of {join_first(names, _FEW, 'page')}: "
            "name their files with depends_on"
        )
        yield Note(kind="dependencies", message=message)


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


def _read_excerpts(html: str) -> list[str]:
    """The links in the headings of the excerpts, as written, in order."""
    if _MARK not in html:
        return []
    links = parse(html).document.css(f"article.{_MARK} a.toclink")
    return list(dict.fromkeys(href for link in links if (href := link.attributes.get("href"))))
