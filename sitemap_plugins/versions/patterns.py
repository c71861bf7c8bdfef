"""Parses patterns for the folders of versions: ``{lang}/{version}``, ``docs/{version}``, ``release-{version}``."""

from __future__ import annotations

import re
from typing import Final

_PLACES: Final = {"{version}": "(?P<version>.+)", "{lang}": "(?P<lang>.+)"}
_PLACE: Final = re.compile(r"(\{version\}|\{lang\})")


class PatternError(ValueError):
    """A pattern cannot be used; the message says why."""

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"{pattern!r} {why}")


def parse_pattern(pattern: str) -> tuple[re.Pattern[str], ...]:
    """A regular expression for each folder between the root and a version, with the groups ``version`` and ``lang``.

    Raises `PatternError`.
    """
    steps = pattern.strip("/").split("/")
    if pattern.startswith("/") or not {"", ".", ".."}.isdisjoint(steps) or "\\" in pattern:
        raise PatternError(pattern, "is not a path relative to ROOT, with / between folders")
    if pattern.count("{version}") != 1 or pattern.count("{lang}") > 1:
        raise PatternError(pattern, "needs {version} exactly once, and {lang} at most once")
    if re.search(r"[{}]", _PLACE.sub("", pattern)):
        raise PatternError(pattern, "has braces other than {version} and {lang}")
    if re.search(r"\}\{", pattern):
        raise PatternError(pattern, "needs something between {version} and {lang}")
    return tuple(
        re.compile("".join(_PLACES.get(part) or re.escape(part) for part in _PLACE.split(step))) for step in steps
    )
