"""One sitemap engine for Python documentation: MkDocs, ProperDocs and Sphinx.

Importing this package imports neither a host nor the engine; the public names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitemap_plugins.model import (
        DROP,
        Adjuster,
        Alternate,
        Content,
        Entry,
        FileDate,
        FoundVideo,
        GzipOf,
        Image,
        Language,
        Markup,
        News,
        Note,
        Omitted,
        OutputFile,
        Page,
        Restriction,
        Result,
        Site,
        Sitemap,
        SitemapIndex,
        Video,
    )
    from sitemap_plugins.options import Settings, read_settings
    from sitemap_plugins.pipeline import build
    from sitemap_plugins.publish.writing import WriteError, write

__version__ = "0.1.0"

_MODULES = {
    "Adjuster": "model",
    "Alternate": "model",
    "Content": "model",
    "DROP": "model",
    "Entry": "model",
    "FileDate": "model",
    "FoundVideo": "model",
    "GzipOf": "model",
    "Image": "model",
    "Language": "model",
    "Markup": "model",
    "News": "model",
    "Note": "model",
    "Omitted": "model",
    "OutputFile": "model",
    "Page": "model",
    "Restriction": "model",
    "Result": "model",
    "Settings": "options",
    "Site": "model",
    "Sitemap": "model",
    "SitemapIndex": "model",
    "Video": "model",
    "WriteError": "publish.writing",
    "build": "pipeline",
    "read_settings": "options",
    "write": "publish.writing",
}

__all__ = [
    "DROP",
    "Adjuster",
    "Alternate",
    "Content",
    "Entry",
    "FileDate",
    "FoundVideo",
    "GzipOf",
    "Image",
    "Language",
    "Markup",
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
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
