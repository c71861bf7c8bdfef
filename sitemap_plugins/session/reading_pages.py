"""Reads from the output what the host has not read: the heads of pages, and their content if an option needs it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from msgspec import structs

from sitemap_plugins.html.head import read_markup
from sitemap_plugins.model import Page
from sitemap_plugins.options import Settings
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.pages import needs_content
from sitemap_plugins.session.publishing import Output

_SUFFIXES = (".html", ".htm")


def read_pages(pages: Iterable[Page], settings: Settings, output: Output) -> Iterator[Page]:
    """The pages, with the head and the content of each HTML file that the settings need and the host has not read."""
    for page in pages:
        is_wanted = page.markup is None or (needs_content(settings) and page.content is None)
        is_readable = page.output and page.output.lower().endswith(_SUFFIXES) and not (page.omit or page.unread)
        yield _read(page, page.output, settings, output) if is_wanted and is_readable and page.output else page


def _read(page: Page, path: str, settings: Settings, output: Output) -> Page:
    file, unread = read_output(os.path.join(output.directory, *path.split("/")), output.directory)
    if file is None:
        return structs.replace(page, unread=unread)
    html = file.decode(output.encoding, errors="replace")
    content = None
    if needs_content(settings):
        from sitemap_plugins.html.content import read_content

        content = read_content(html, page.loc, settings.content_selector)
    return structs.replace(page, markup=page.markup or read_markup(html), content=content)
