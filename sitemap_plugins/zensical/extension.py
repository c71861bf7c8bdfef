"""Adds dates to the metadata of each page while Zensical renders it.

Zensical has no interface for this. Its own extensions find the page in a preprocessor named rendering_context, which is
registered before all others, and Zensical reads the metadata back from there after it has rendered the page. If another
version works differently, pages have no dates; the build reports this and continues.
"""

from __future__ import annotations

import os
import sys
from threading import Lock
from typing import Any, Final

from markdown import Extension, Markdown

from sitemap_plugins.folder.configuration import ConfigurationError
from sitemap_plugins.model import Note
from sitemap_plugins.session import LogLevel
from sitemap_plugins.session.dating import ShownDate
from sitemap_plugins.session.exposed_dates import expose_dates
from sitemap_plugins.values.text import printable
from sitemap_plugins.zensical.dates import ProjectDates, date_project

_CONTEXT: Final = "rendering_context"
_NO_DATE: Final = ShownDate(None, None)


class SitemapExtension(Extension):
    """The extension that ``markdown_extensions: [sitemap_plugins.zensical]`` enables. In MkDocs, it does nothing.

    It reads the options of the plugin, such as ``expose: created``, and has none of its own.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__()
        if options:
            _say(f"{', '.join(options)}: set options for the plugin sitemap instead, where the command reads them too")

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802  # Markdown's name
        """Date the page before it is rendered. A preprocessor could not do this, as empty pages never reach one."""
        if "zensical" in sys.modules:
            try:
                _date_page(md)
            except Exception as error:  # noqa: BLE001  # a change in Zensical must not stop the build
                _say(f"pages show no dates: this Zensical is not supported, or sitemap-plugins has a bug ({error!r})")


def makeExtension(**options: Any) -> SitemapExtension:  # noqa: N802  # as above
    """Create the extension. Python-Markdown calls this function."""
    return SitemapExtension(**options)


def _date_page(md: Markdown) -> None:
    context: Any = md.preprocessors[_CONTEXT]
    page, config = context.page, context.config
    dates = _dates_of(config["root_dir"], config["site_url"], directory_urls=config["use_directory_urls"])
    if dates:
        shown = dates.pages.get(page.path.replace(os.sep, "/"), _NO_DATE)
        expose_dates(page.meta, shown, dates.language, created=dates.created)


_lock: Final = Lock()  # Zensical may render pages in several threads
_known: Final[dict[str, ProjectDates | None]] = {}
_reported: Final[set[str]] = set()


def _dates_of(root: str, site_url: str | None, *, directory_urls: bool) -> ProjectDates | None:
    """The dates of the project in this folder, read only once; None if they cannot be read."""
    with _lock:
        if root not in _known:
            _known[root] = None  # also if this raises
            try:
                _known[root] = date_project(root, site_url, directory_urls=directory_urls, report=_report)
            except (ConfigurationError, OSError) as error:
                _say(*f"pages show no dates, because {error}".split("\n"))
        return _known[root]


def _report(level: LogLevel, note: Note) -> None:
    _say(f"{level}: {note.message}")


def _say(*lines: str) -> None:
    """Write lines to stderr, beside Zensical's own, each only once."""
    for line in lines:
        if line not in _reported:
            _reported.add(line)
            sys.stderr.write(f"sitemap_plugins.zensical: {printable(line)}\n")
