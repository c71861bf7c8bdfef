"""The page of all pages in Sphinx: a page without a document, which the theme renders when all others are written."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sphinx.builders.singlehtml import SingleFileHTMLBuilder

from sitemap_plugins.formats.page_list import PageList, PageListFile, with_mark, with_style
from sitemap_plugins.model import Note
from sitemap_plugins.output.ownership import conflict_with, foreign_note
from sitemap_plugins.reading import PAGE, read_file
from sitemap_plugins.session.page_template import render_in
from sitemap_plugins.values.language_names import words_in
from sitemap_plugins.values.text import escape, one_line

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def title_of_list(app: Sphinx) -> str:
    """The title of the page in the language of the site."""
    return words_in(app.config.language or "").title


def find_place(app: Sphinx, name: str, loc: str, taken: Iterable[str]) -> tuple[PageListFile | None, list[Note]]:
    """The page with this name at the URL ``loc``, or None and a note that says why there is none.

    ``taken`` are the paths of all other pages, and of the author's files.
    """
    builder: Any = app.builder
    if isinstance(builder, SingleFileHTMLBuilder):
        message = f"html: it has no effect with the builder {builder.name}, which makes a single page"
        return None, [Note(kind="unmatched", message=message)]
    path = Path(builder.get_outfilename(name)).relative_to(app.outdir).as_posix()
    if own := conflict_with(path, taken):
        return None, [foreign_note(own, "html")]

    def render(pages: PageList) -> tuple[bytes | None, list[Note]]:
        title = title_of_list(app)
        if not hasattr(builder, "globalcontext"):
            builder.prepare_writing(set())  # before version 8, Sphinx does not prepare it if it has nothing to write
        html, notes = render_in(builder.templates.environment, pages, title)
        try:
            return _render_page(app, name, title, html), notes
        except Exception as error:  # noqa: BLE001  # the theme and other extensions can run into any error
            why = "Sphinx wrote nothing" if isinstance(error, FileNotFoundError) else one_line(str(error))
            return None, [*notes, Note(kind="page-list", message=f"{path} cannot be rendered in the theme: {why}")]

    return PageListFile(path=path, loc=loc, render=render), []


def _render_page(app: Sphinx, name: str, title: str, html: str) -> bytes:
    """The whole page, as the theme renders it. Sphinx writes it beside the output, because we change files together."""
    builder: Any = app.builder
    values = {
        "title": title,
        "body": f"<h1>{escape(title)}</h1>\n{html}",
        "last_updated": None,  # the day of the build would change it every day
    }
    encoding = app.config.html_output_encoding
    with TemporaryDirectory() as folder:
        file = os.path.join(folder, "page.html")
        builder.handle_page(name, values, outfilename=Path(file))
        page = read_file(file, PAGE).decode(encoding)
    return with_mark(with_style(page)).encode(encoding, errors="xmlcharrefreplace")
