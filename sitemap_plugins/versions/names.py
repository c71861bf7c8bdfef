"""What names such as ``v1.2rc1``, ``1.x``, ``stable`` and ``main`` say: a number, and whether it is a release."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import inf
from typing import Final, Literal, NamedTuple

Stage = Literal["release", "pre-release", "development"]
"""How far a version is: only releases are for everybody."""

WORDS: Final[dict[str, Stage]] = {
    "current": "release",
    "latest": "release",
    "lts": "release",
    "release": "release",
    "stable": "release",
    "alpha": "pre-release",
    "beta": "pre-release",
    "preview": "pre-release",
    "rc": "pre-release",
    "canary": "development",
    "dev": "development",
    "devel": "development",
    "develop": "development",
    "development": "development",
    "edge": "development",
    "head": "development",
    "main": "development",
    "master": "development",
    "next": "development",
    "nightly": "development",
    "snapshot": "development",
    "tip": "development",
    "trunk": "development",
    "unstable": "development",
}
"""The names without a number that are those of versions."""

_STAGES: Final[tuple[Stage, ...]] = ("release", "pre-release", "development")
_LONGEST: Final = 100  # characters; no version has more
# PEP 440, appendix B, where ``_`` separates numbers too (rel_1_2), and with what others append: 1.x, 1.2-SNAPSHOT.
_NUMBER: Final = (
    r"(?:(?:version|release|rel|v|r)[-_.]?)?"
    r"(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:[._]\d+)*)(?P<series>[._-]?[x*])?"
    r"(?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_number>\d*))?"
    r"(?P<post>-(?P<post_build>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*))?"
    r"(?P<dev>[-_.]?(?:dev|snapshot|nightly|canary|next|unstable)[-_.]?(?P<dev_number>\d*))?"
    r"(?:[-_.](?:stable|final|lts|ga))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?"
)
_PULL_REQUEST: Final = r"(?:pr|pull|mr)[-_]?\d+"
_FINAL: Final = 3
_PHASES: Final = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}


class Number(NamedTuple):
    """The number of a version. Numbers are ordered as in PEP 440; ``1.x`` comes after all of 1.

    ``release`` has no zeros at its end; ``parts`` says how many numbers were written. ``pre`` is the phase, which is -1
    for a development version before all others and 3 for none, and its number; ``post`` is -1 and ``dev`` infinite
    where there is none.
    """

    epoch: int
    release: tuple[float, ...]
    pre: tuple[int, int]
    post: int
    dev: float
    local: tuple[tuple[int, int, str], ...]
    parts: int

    def is_before(self, other: Number) -> bool:
        """Whether this release is older, as far as both are said: 1.2 is not before 1.2.3, since it may be that."""
        said = min(self.parts, other.parts)
        return (self.epoch, self.release[:said]) < (other.epoch, other.release[:said])


class Name(NamedTuple):
    """What a name says: its number, None for a word such as ``stable``, and the stage."""

    number: Number | None
    stage: Stage


def read_name(name: str) -> Name | None:
    """What the name of a folder says of a version; None where it is not the name of one."""
    lower = name.lower().lstrip("~")  # mike's users hide a version with it
    if not lower.isascii() or len(lower) > _LONGEST:
        return None
    if stage := WORDS.get(lower):
        return Name(None, stage)
    if found := re.fullmatch(_NUMBER, lower):
        number = _number(found)
        is_development = number.dev != inf
        is_early = number.pre[0] != _FINAL
        return Name(number, "development" if is_development else "pre-release" if is_early else "release")
    return Name(None, "development") if re.fullmatch(_PULL_REQUEST, lower) else None


def read_title(title: str) -> tuple[str, Name] | None:
    """The number in a title such as ``1.0.5 (stable)`` as it is written, and what the words around it say."""
    words = re.findall(r"[\w.!+*~-]+", title[:_LONGEST])
    read = [(word, name) for word in words if (name := read_name(word.strip(".-")))]
    if not read:
        return None
    numbered = [(word, name.number) for word, name in read if name.number and _is_clear(word, len(words))]
    written, number = numbered[0] if numbered else ("", None)
    return written, Name(number, furthest(name.stage for _, name in read))


def furthest(stages: Iterable[Stage]) -> Stage:
    """The stage that is furthest from a release."""
    return max(stages, key=_STAGES.index)


def _is_clear(word: str, words: int) -> bool:
    """Whether a word of a title is a version's number, and not that of something else: Python 3."""
    return words == 1 or "." in word or not word[0].isdigit()


def _number(found: re.Match[str]) -> Number:
    written: list[float] = [int(part) for part in re.split("[._]", found["release"])]
    written += [inf] if found["series"] else []
    release = [*written]
    while release and not release[-1]:
        release.pop()
    pre = (_FINAL, 0)
    if found["pre"]:
        pre = (_PHASES[found["pre"]], int(found["pre_number"] or 0))
    elif found["dev"] and not found["post"]:
        pre = (-1, 0)
    local = re.split("[-_.]", found["local"]) if found["local"] else []
    return Number(
        epoch=int(found["epoch"] or 0),
        release=tuple(release),
        pre=pre,
        post=int(found["post_build"] or found["post_number"] or 0) if found["post"] else -1,
        dev=int(found["dev_number"] or 0) if found["dev"] else inf,
        local=tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in local),
        parts=len(written),
    )
