"""One sitemap engine for Python documentation: MkDocs, ProperDocs and Sphinx.

Importing this package imports neither a host nor the engine; the public names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_plugins.media import Content, FoundVideo, Image, News, Restriction, Video
    from sitemap_plugins.model import (
        DROP,
        Adjuster,
        Alternate,
        Dropped,
        Entry,
        FileDate,
        Language,
        Markup,
        Note,
        Page,
        Site,
    )
    from sitemap_plugins.output import OutputFile, Packed, Result, Sitemap, SitemapIndex
    from sitemap_plugins.pipeline import build
    from sitemap_plugins.settings import Settings, read_settings
    from sitemap_plugins.writing import WriteError, write

__version__ = "0.1.0"

_ROOMS = {
    "Adjuster": "model",
    "Alternate": "model",
    "Content": "media",
    "DROP": "model",
    "Dropped": "model",
    "Entry": "model",
    "FileDate": "model",
    "FoundVideo": "media",
    "Image": "media",
    "Language": "model",
    "Markup": "model",
    "News": "media",
    "Note": "model",
    "OutputFile": "output",
    "Packed": "output",
    "Page": "model",
    "Restriction": "media",
    "Result": "output",
    "Settings": "settings",
    "Site": "model",
    "Sitemap": "output",
    "SitemapIndex": "output",
    "Video": "media",
    "WriteError": "writing",
    "build": "pipeline",
    "read_settings": "settings",
    "write": "writing",
}

__all__ = [
    "DROP",
    "Adjuster",
    "Alternate",
    "Content",
    "Dropped",
    "Entry",
    "FileDate",
    "FoundVideo",
    "Image",
    "Language",
    "Markup",
    "News",
    "Note",
    "OutputFile",
    "Packed",
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
    if name not in _ROOMS:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module  # noqa: PLC0415  # nothing is imported before it is asked for

    return getattr(import_module(f"{__name__}.{_ROOMS[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
