"""Settings, pages and candidates for tests, with suitable defaults."""

import dataclasses
import os
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
import pytest

from sitemap_plugins.model import Candidate, Entry, Page
from sitemap_plugins.options import Settings, read_settings

_T = TypeVar("_T")


def replace(value: _T, **changes: Any) -> _T:
    """Return a copy of a dataclass or struct with these changes, like `copy.replace` in Python 3.13."""
    make: Any = msgspec.structs.replace if isinstance(value, msgspec.Struct) else dataclasses.replace
    return make(value, **changes)


def refuse_to_open(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this file unreadable for the user who runs the test."""
    open_file = os.open

    def refuse(name: Any, *arguments: Any, **options: Any) -> int:
        if name == path or name == str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return open_file(name, *arguments, **options)

    monkeypatch.setattr(os, "open", refuse)


def long_text(about: str) -> str:
    """Text that is long enough for git to recognize a rename, and that no other file has by chance."""
    return f"content of {about}\n" * 25


def options(**written: object) -> Settings:
    """The settings for these options, which must be valid."""
    settings, mistakes = read_settings(written)
    assert not mistakes
    return settings


def candidate(loc: str, *, name: str = "", entry: Entry | None = None, **values: Any) -> Candidate:
    """A candidate for the page at ``loc``; its path is the part of the URL after the host.

    ``values`` are fields of the candidate, or of its page if the candidate has no such field.
    """
    own = {field: values.pop(field) for field in [*values] if field in Candidate.__struct_fields__}
    path = own.pop("path", urlsplit(loc).path.removeprefix("/") or "index.html")
    page = Page(loc=loc, name=name or loc, **values)
    return Candidate(page=page, path=path, entry=entry or Entry(loc=loc), **own)
