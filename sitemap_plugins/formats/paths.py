"""The names of files that several packages know: copies of a sitemap, and files for crawlers, servers and scripts."""

from __future__ import annotations

import posixpath
from typing import Final

ROBOTS: Final = "robots.txt"
HEADERS: Final = "_headers"
REDIRECTS: Final = "_redirects"
CNAME: Final = "CNAME"
LLMS: Final = "llms.txt"
SPHINX_OPTIONS: Final = "_static/documentation_options.js"
"""The file in which Sphinx tells the scripts of its pages the version of the site and the ending of its pages."""

HOST_FILES: Final = (HEADERS, REDIRECTS)
"""The files at the root of the host in which Netlify and Cloudflare Pages read headers and redirects."""

SERVER_FILES: Final = frozenset({ROBOTS, *HOST_FILES})
"""Files at the root of a site for crawlers and servers; no sitemap lists them, even if a glob matches."""

ERROR_PAGES: Final = frozenset({"404", "500"})
"""The pages that servers show in place of others, by their paths without ending below a site, a version or a language.

In another folder, a page with this name is the author's page about the number.
"""

PAGE_ENDINGS: Final = (".html", ".htm", ".xhtml")
"""The endings of pages. Sphinx can be told to use another one (``html_file_suffix``)."""


def page_ending(path: str, other: str | None = None) -> str | None:
    """The ending of a page, which may be empty; None for other files. ``other`` is the one that Sphinx uses there."""
    name = path.rpartition("/")[2]
    if other == "" and "." not in name:
        return other
    lower = name.lower()
    return next((name[-len(each) :] for each in (*PAGE_ENDINGS, other) if each and lower.endswith(each.lower())), None)


def stem_of(path: str, ending: str | None = None) -> str:
    """The path of a page without its ending: ``guide`` for guide.html and guide/index.html, empty for the home page.

    ``ending`` is that of pages by Sphinx, as in `page_ending`.
    """
    bare = path[: len(path) - len(page_ending(path, ending) or "")]
    return "" if bare == "index" else bare.removesuffix("/index")


def text_paths(path: str) -> tuple[str, str]:
    """The paths of the text sitemap beside the sitemap at ``path``, and of its compressed copy."""
    text = f"{posixpath.splitext(path)[0]}.txt"
    return text, f"{text}.gz"


def page_paths(name: str) -> tuple[str, ...]:
    """The paths that a page with this name can have: as a file, or as the index of a folder."""
    return tuple(f"{stem}{ending}" for ending in PAGE_ENDINGS for stem in (name, f"{name}/index"))


def companions(path: str) -> tuple[str, ...]:
    """The paths of the copies of the sitemap at ``path``: compressed, as text, and as compressed text."""
    return f"{path}.gz", *text_paths(path)


def content_path(record: str) -> str:
    """The path of the file beside the record for the contents of pages: ``record-content.json``."""
    stem, ending = posixpath.splitext(record)
    return f"{stem}-content{ending}"
