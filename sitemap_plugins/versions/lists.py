"""Reads lists of versions: ``versions.json`` of mike and sphinx-polyversion, ``switcher.json`` of the PyData theme."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import is_inside

_BOM: Final = b"\xef\xbb\xbf"


class ListError(ValueError):
    """A list of versions that cannot be used. The message completes the sentence "versions.json …"."""


class Listed(msgspec.Struct, frozen=True):
    """A version in a list. Without a ``url``, ``name`` is the name of a folder beside the list."""

    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    url: str = ""
    is_preferred: bool = False


def read_list(content: bytes) -> list[Listed]:
    """The versions in a list, in its order, without duplicates.

    If more than one version is marked as preferred, none is, as in the theme. Raises `ListError`.
    """
    try:
        data = msgspec.json.decode(content.removeprefix(_BOM))
    except (msgspec.DecodeError, ValueError):
        raise ListError("is not JSON") from None
    except RecursionError:
        raise ListError("is nested too deeply") from None
    if not isinstance(data, list):
        raise ListError("is not a list of versions")
    listed = [_read(each) for each in data]
    if sum(each.is_preferred for each in listed) > 1:
        listed = [msgspec.structs.replace(each, is_preferred=False) for each in listed]
    return [*dict.fromkeys(listed)]


def _read(entry: Any) -> Listed:
    if not isinstance(entry, dict):
        return Listed(name=_text(entry))
    match entry.get("__jsonclass__"):  # sphinx-polyversion: the fields of a tag or branch
        case [str(), [str(name), *_]]:
            return Listed(name=name)
    aliases = entry.get("aliases")
    return Listed(
        name=_text(entry.get("version")),
        title=_text(entry.get("title")) or _text(entry.get("name")),
        aliases=tuple(map(_text, aliases)) if isinstance(aliases, list) else (),
        url=_text(entry.get("url")),
        is_preferred=entry.get("preferred") is True,
    )


def _text(value: Any) -> str:
    """The value as text, empty if it is neither text nor a number. Some authors forget the quotes around 1.2."""
    is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_text else ""


def is_name(name: str) -> bool:
    """Whether this can be the name of a folder beside the list, or a path for a branch such as ``fix/links``."""
    steps = name.split("/")
    return name.isprintable() and is_inside(name) and {"", ".", ".."}.isdisjoint(steps)


def steps_of(url: str) -> list[str] | None:
    """The folders in the path of a URL; None if it is not the URL of a folder."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return None
    steps = path.split("/")
    # A list may give the URL of a version's home page.
    steps = [step for step in (steps[:-1] if steps[-1].endswith(".html") else steps) if step not in {"", "."}]
    return None if ".." in steps or "\\" in path or CONTROL.search(path) else steps
