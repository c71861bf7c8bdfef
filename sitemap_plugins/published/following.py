"""Follows the redirects of a site from a URL to the page where readers arrive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.published.snapshot import Snapshot
from sitemap_plugins.values.text import short_repr

_MOST: Final = 20  # redirects; browsers follow no more (Fetch, HTTP-redirect fetch)
_SCHEMES: Final = frozenset({"http", "https"})


class Landing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a URL leads: ``path`` is the path below the base, or the absolute URL elsewhere.

    ``problem`` is None if there is a page. If there are redirects, but they do not lead to a page, it completes the
    sentence "PATH …". If there is no redirect, it is empty.
    """

    path: str
    problem: str | None = None

    @property
    def is_found(self) -> bool:
        """Whether the URL leads to a page."""
        return self.problem is None


def follow(snapshot: Snapshot, path: str) -> Landing:
    """Where a decoded path below the base leads. Pages on other hosts are assumed to exist."""
    passed: list[str] = []
    while not snapshot.serves(path):
        redirect = snapshot.redirect_from(path)
        if redirect is None:
            return Landing(path=path, problem=f"redirects to /{path}, which does not exist" if passed else "")
        passed.append(path)
        path = redirect.target.partition("#")[0]
        if redirect.is_elsewhere:
            is_page = _is_page(path)
            return Landing(
                path=path, problem=None if is_page else f"redirects to {short_repr(path)}, which is not a page"
            )
        if path in passed:
            return Landing(path=path, problem=f"redirects in a loop: {_steps_to(passed, path)}")
        if len(passed) > _MOST:
            return Landing(path=path, problem=f"redirects more than {_MOST} times")
    return Landing(path=path)


def _is_page(url: str) -> bool:
    try:
        return urlsplit(url).scheme.lower() in _SCHEMES
    except ValueError:
        return False


def _steps_to(passed: Sequence[str], target: str) -> str:
    """The first steps on the way to a path."""
    return " → ".join(f"/{each}" for each in (*passed, target)[:4])
