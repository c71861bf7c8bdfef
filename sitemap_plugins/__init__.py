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
        Dropped,
        Entry,
        FileDate,
        Language,
        Markup,
        Note,
        OutputFile,
        Page,
        Result,
        Site,
        Sitemap,
    )
    from sitemap_plugins.pipeline import build
    from sitemap_plugins.settings import Settings, read_settings
    from sitemap_plugins.writing import WriteError, write

__version__ = "0.1.0"

_ROOMS = {
    "Adjuster": "model",
    "Alternate": "model",
    "DROP": "model",
    "Dropped": "model",
    "Entry": "model",
    "FileDate": "model",
    "Language": "model",
    "Markup": "model",
    "Note": "model",
    "OutputFile": "model",
    "Page": "model",
    "Result": "model",
    "Settings": "settings",
    "Site": "model",
    "Sitemap": "model",
    "WriteError": "writing",
    "build": "pipeline",
    "read_settings": "settings",
    "write": "writing",
}

__all__ = [
    "DROP",
    "Adjuster",
    "Alternate",
    "Dropped",
    "Entry",
    "FileDate",
    "Language",
    "Markup",
    "Note",
    "OutputFile",
    "Page",
    "Result",
    "Settings",
    "Site",
    "Sitemap",
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
