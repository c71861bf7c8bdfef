"""Follows the redirects of a site from a URL to the page that readers finally see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.changes.snapshot import Snapshot
from sitemap_plugins.values.text import short_repr

_MOST: Final = 20  # redirects; browsers follow no more (Fetch, HTTP-redirect fetch)
_TOO_OFTEN: Final = f"redirects more than {_MOST} times"
_SCHEMES: Final = frozenset({"http", "https"})


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a URL leads: ``path`` is the path below the base, or the absolute URL elsewhere.

    ``steps`` is the number of redirects. ``problem`` completes the sentence "PATH …" if they do not lead to a page;
    without any redirect, it is empty.
    """

    path: str
    steps: int = 0
    is_found: bool = True
    problem: str = ""


def follow(snapshot: Snapshot, path: str) -> Landing:
    """Where a decoded path below the base leads. Pages of other hosts are taken to exist."""
    passed: list[str] = []
    while True:
        if snapshot.serves(path):
            return Landing(path=path, steps=len(passed))
        redirect = snapshot.redirect_from(path)
        if redirect is None:
            problem = f"redirects to /{path}, which does not exist" if passed else ""
            return Landing(path=path, steps=len(passed), is_found=False, problem=problem)
        passed.append(path)
        target = redirect.target.partition("#")[0]
        if redirect.is_elsewhere:
            is_page = _is_page(target)
            problem = "" if is_page else f"redirects to {short_repr(target)}, which is no page"
            return Landing(path=target, steps=len(passed), is_found=is_page, problem=problem)
        if target in passed or len(passed) > _MOST:
            problem = f"redirects in a circle: {_shown(passed, target)}" if target in passed else _TOO_OFTEN
            return Landing(path=target, steps=len(passed), is_found=False, problem=problem)
        path = target


def _is_page(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _shown(passed: Sequence[str], target: str) -> str:
    """The first steps on the way to a path."""
    return " → ".join(f"/{each}" for each in (*passed, target)[:4])
