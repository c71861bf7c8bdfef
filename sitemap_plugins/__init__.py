"""Sitemaps for MkDocs, ProperDocs, Sphinx, and any site that is built into a folder.

Importing this package imports neither a host nor the engine; the public names are loaded on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers know the name; an import of typing takes longer than this whole module

if TYPE_CHECKING:
    from sitemap_plugins.media import Image, News, Restriction, Video
    from sitemap_plugins.model import (
        DROP,
        Adjuster,
        Alternate,
        Content,
        Drop,
        Entry,
        FileDate,
        FoundVideo,
        GzipOf,
        Language,
        Markup,
        Note,
        Omitted,
        OutputFile,
        Page,
        Result,
        Site,
        Sitemap,
        SitemapIndex,
    )
    from sitemap_plugins.options.convert import Mistake
    from sitemap_plugins.options.settings import Settings, read_settings
    from sitemap_plugins.output.writing import WriteError, write
    from sitemap_plugins.pipeline import build

__version__ = "0.1.0"

# The modules of the names that are not in `model`.
_ELSEWHERE = {
    "Image": "media",
    "Mistake": "options.convert",
    "News": "media",
    "Restriction": "media",
    "Settings": "options.settings",
    "Video": "media",
    "WriteError": "output.writing",
    "build": "pipeline",
    "read_settings": "options.settings",
    "write": "output.writing",
}

__all__ = [
    "DROP",
    "Adjuster",
    "Alternate",
    "Content",
    "Drop",
    "Entry",
    "FileDate",
    "FoundVideo",
    "GzipOf",
    "Image",
    "Language",
    "Markup",
    "Mistake",
    "News",
    "Note",
    "Omitted",
    "OutputFile",
    "Page",
    "Restriction",
    "Result",
    "Settings",
    "Site",
    "Sitemap",
    "SitemapIndex",
    "Video",
    "WriteError",
    "build",
    "read_settings",
    "write",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, 'model')}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
