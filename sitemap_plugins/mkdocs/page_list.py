"""The page of all pages in MkDocs: a page without a source, which the theme renders and we fill in at the end.

Only then it is known what is listed, because plugins run whole builds inside a build. Other plugins read the sources of
all files that they see, so MkDocs gets the file only after the list of sources to read is made. While the navigation is
made, a stand-in takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from mkdocs.structure.files import File, InclusionLevel
from mkdocs.structure.nav import Link
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import get_toc

from sitemap_plugins.formats.page_list import PageList, PageListFile, with_style
from sitemap_plugins.mkdocs.pages import is_built
from sitemap_plugins.model import Note, OutputFile
from sitemap_plugins.output.ownership import conflict_with, foreign_note
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.session.page_template import render_in
from sitemap_plugins.values.language_names import words_in
from sitemap_plugins.values.text import escape

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.nav import Navigation

_EMPTY: Final = '<div id="sitemap-pages"></div>'
_EMPTY_IN_PAGE: Final = re.compile(rb"<div id=[\"']?sitemap-pages[\"']? *></div>")  # plugins remove quotes


class ListPage:
    """The page of all pages in one build and the builds inside it; ``name`` is the option ``html``.

    ``notes`` are for the author.
    """

    def __init__(self, name: str, *, is_local: bool) -> None:
        self._source = f"{name}.md"
        self._is_built = partial(is_built, is_local=is_local)
        self._file: File | None = None
        self._stand_in: File | None = None
        self._title: str | None = None
        self._environment: Any = None
        self._site_url: str | None = None
        self._output: bytes | None = None  # the page without the list, as MkDocs writes it
        self.notes: list[Note] = []

    def find_place(self, files: Files, config: MkDocsConfig) -> None:
        """Give the page its address in the outermost build, unless the author has a file there.

        Without this call, there is no page, and its navigation entry is removed.
        """
        self._site_url = config.site_url
        file = self._new_file(config)
        paths = {each.dest_uri: each.src_uri for each in files if self._is_built(each)}
        if own := conflict_with(file.dest_uri, paths):
            self.notes.append(foreign_note(f"{Path(config.docs_dir).name}/{paths[own]}", "html"))
        elif own := conflict_with(file.dest_uri, sorted(config.theme.static_templates)):
            self.notes.append(foreign_note(own, "html", "a page of the theme"))
        else:
            self._file = file

    def show(self, files: Files, config: MkDocsConfig) -> None:
        """Let MkDocs and plugins find a stand-in for the page while they make the navigation."""
        own = files.get_file_from_path(self._source)
        if own and self._file and not self._is_built(own):
            files.remove(own)  # it is excluded from the site, and the page takes its place
            own = None
        if own is None:
            self._stand_in = self._new_file(config)
            files.append(self._stand_in)

    def _new_file(self, config: MkDocsConfig) -> File:
        return File.generated(config, self._source, content="", inclusion=InclusionLevel.NOT_IN_NAV)

    def restore(self, nav: Navigation, config: MkDocsConfig, *, is_outermost: bool) -> None:
        """Put the page into the navigation in place of its entry; in a build inside the build, only its URL."""
        is_changed = False
        for items, parent in [*_lists_in(nav.items)]:
            for at, item in reversed([*enumerate(items)]):
                if not self._is_entry(item):
                    continue
                is_changed = True
                if self._file is None:
                    del items[at]
                    if is_outermost:
                        message = f"{self._source} in nav: the entry is left out, because this build has no such page"
                        self.notes.append(Note(kind="unmatched", message=message))
                    continue
                title = item.title or _title_in(config)
                if is_outermost and not any(page.file is self._file for page in _pages_in(nav.items)):
                    self._title = title
                    items[at] = Page(title, self._file, config)
                else:
                    is_here = config.site_url == self._site_url  # a language may have another host
                    url = self._file.url
                    items[at] = Link(title, url if is_here else urljoin(self._site_url or "", url))
                items[at].parent = parent
        if is_changed:
            nav.pages = [*_pages_in(nav.items)]
            _connect(nav)

    def _is_entry(self, item: Any) -> bool:
        """Whether this is an entry for the page that is not restored yet."""
        if isinstance(item, Page):
            return item.file is self._stand_in
        return isinstance(item, Link) and item.url == self._source  # awesome-pages looks for no file

    def hide(self, files: Files) -> None:
        """Remove the stand-in before the documents are read."""
        if self._stand_in and files.get_file_from_path(self._source) is self._stand_in:
            files.remove(self._stand_in)

    def offer(self, files: Files, config: MkDocsConfig) -> None:
        """Let links in documents lead to the page. Call this when the documents are being read."""
        if self._file and files.get_file_from_path(self._source) is None:
            if self._file.page is None:
                self._title = _title_in(config)
                Page(self._title, self._file, config)
            page: Any = self._file.page
            page.markdown = ""
            page.content = f"<h1>{escape(self._title or '')}</h1>\n{_EMPTY}\n"
            page.toc = get_toc([])
            files.append(self._file)

    def withdraw(self, files: Files) -> None:
        """Remove the page from a build that must not write it: one inside the build, or of only some pages."""
        if self._file and files.get_file_from_path(self._source) is self._file:
            files.remove(self._file)

    def add(self, files: Files, config: MkDocsConfig, environment: Any) -> None:
        """Let MkDocs write the page, when all documents are read."""
        self.offer(files, config)
        self._environment = environment

    def notice(self, page: Page, output: str) -> None:
        """Keep what MkDocs writes for the page."""
        if self._file and page.file is self._file:
            self._output = output.encode(errors="xmlcharrefreplace")

    def file(self, site_dir: str, base_url: str) -> PageListFile | None:
        """The page for publishing, if MkDocs wrote it."""
        if self._file is None or self._output is None:
            return None
        path = self._file.dest_uri
        try:
            written = read_file(Path(site_dir, path), PAGE, inside=site_dir)
        except OSError as error:
            self.notes.append(_unfilled(path, error.strerror or str(error)))
            return None
        if not self._is_own(written):
            self.notes.append(foreign_note(path, "html", "a file that another plugin wrote or changed"))
            return None

        def render(pages: PageList) -> tuple[bytes | None, list[Note]]:
            html, notes = render_in(self._environment, pages, self._title or "")
            filled, number = _EMPTY_IN_PAGE.subn(lambda _: html.encode(errors="xmlcharrefreplace"), written, count=1)
            if number:
                return with_style(filled.decode(errors="surrogateescape")).encode(errors="surrogateescape"), notes
            return None, [*notes, _unfilled(path, "a theme or another plugin left out its content")]

        return PageListFile(path=path, loc=urljoin(base_url, self._file.url), render=render)

    def _is_own(self, written: bytes) -> bool:
        """Whether this is the page without the list, and no file of another plugin."""
        return written == self._output or bool(_EMPTY_IN_PAGE.search(written))

    def removal(self, site_dir: str) -> list[OutputFile]:
        """The removal of the page, if it is still without the list."""
        if self._file and self._output is not None:
            with suppress(OSError):
                path = self._file.dest_uri
                if self._is_own(read_file(Path(site_dir, path), PAGE, inside=site_dir)):
                    return [OutputFile(path=path, content=None)]
        return []


def _unfilled(path: str, why: str) -> Note:
    return Note(kind="page-list", message=f"{path} cannot be filled with the list of pages: {why}")


def _title_in(config: MkDocsConfig) -> str:
    """The title of the page in the language of the theme."""
    return words_in(str(config.theme.get("language") or config.theme.get("locale") or "")).title


def _lists_in(items: list[Any], parent: Any = None) -> Iterator[tuple[list[Any], Any]]:
    """The lists of items in the navigation, each with the section that it belongs to."""
    yield items, parent
    for item in items:
        if item.is_section:
            yield from _lists_in(item.children, item)


def _pages_in(items: list[Any]) -> Iterator[Page]:
    """The pages in the navigation, in the order that readers see."""
    for item in items:
        if isinstance(item, Page):
            yield item
        elif item.is_section:
            yield from _pages_in(item.children)


def _connect(nav: Navigation) -> None:
    """Connect each page to the one before and the one after it, as MkDocs does."""
    for before, page, after in zip([None, *nav.pages], nav.pages, [*nav.pages[1:], None], strict=False):
        page.previous_page, page.next_page = before, after
