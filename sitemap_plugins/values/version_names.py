"""Reads the number and the stage from names of versions such as ``v1.2rc1``, ``1.x``, ``stable`` and ``main``."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from math import inf
from typing import Final, Literal, NamedTuple
from urllib.parse import unquote

import msgspec

Stage = Literal["release", "pre-release", "development"]
"""The stage of a version. Only releases are meant for all readers."""

_WORDS: Final[dict[Stage, tuple[str, ...]]] = {
    "release": ("current", "latest", "lts", "release", "stable"),
    "pre-release": ("alpha", "beta", "preview", "rc"),
    "development": (
        "canary", "dev", "devel", "develop", "development", "edge", "head", "main", "master", "next", "nightly",
        "snapshot", "tip", "trunk", "unstable",
    ),
}  # fmt: skip
"""The names of versions that have no number, by their stages, the most stable ones first."""

_STAGES: Final = (*_WORDS,)
_STAGE_OF: Final = {word: stage for stage, words in _WORDS.items() for word in words}
_LONGEST: Final = 100  # characters; a longer name is not a version
# PEP 440, appendix B, extended: ``_`` also separates numbers (rel_1_2), and other suffixes: 1.x, 1.2-SNAPSHOT.
_NUMBER: Final = (
    r"(?:(?:version|release|rel|v|r)[-_.]?)?"
    r"(?:(?P<epoch>\d+)!)?(?P<release>\d+(?:[._]\d+)*)(?P<series>[._-]?[x*])?"
    r"(?:[-_.]?(?P<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?P<pre_number>\d*))?"
    r"(?P<post>-(?P<post_build>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>\d*))?"
    r"(?P<dev>[-_.]?(?:dev|snapshot|nightly|canary|next|unstable)[-_.]?(?P<dev_number>\d*))?"
    r"(?:[-_.](?:stable|final|lts|ga))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?"
)
_FINAL: Final = 3
_LISTED: Final = 1 << 32  # an epoch that no name has
_PHASES: Final = {"a": 0, "alpha": 0, "b": 1, "beta": 1, "c": 2, "rc": 2, "pre": 2, "preview": 2}


class Number(NamedTuple):
    """The number of a version. Numbers are ordered as in PEP 440; ``1.x`` comes after all other versions of 1.

    ``release`` has no trailing zeros; ``parts`` is the number of its parts as written. ``pre`` is the phase and its
    number. The phase is -1 for a development version that comes before all pre-releases, and 3 for a version that is
    not a pre-release. Without a post or development part, ``post`` is -1 and ``dev`` is infinite.
    """

    epoch: int
    release: tuple[float, ...]
    pre: tuple[int, int]
    post: int
    dev: float
    local: tuple[tuple[int, int, str], ...]
    parts: int

    def is_before(self, other: Number) -> bool:
        """Whether this release is older in the parts that both have: 1.2 is not before 1.2.3, as it may mean 1.2.3."""
        shared = min(self.parts, other.parts)
        here, there = ((*each.release, *(0,) * shared)[:shared] for each in (self, other))
        return (self.epoch, here) < (other.epoch, there)


def number_at(place: int) -> Number:
    """The number of the release at this place of an author's list, newest first: above all numbers in names."""
    return Number(_LISTED, (-place,), (_FINAL, 0), -1, inf, (), 1)


class Name(msgspec.Struct, frozen=True):
    """The number and the stage that a name gives. The number is None for a word such as ``stable``."""

    number: Number | None
    stage: Stage


def read_name(name: str) -> Name | None:
    """Read the name of a folder; None if it is not the name of a version."""
    lower = name.lower().lstrip("~")  # in mike, this prefix hides a version
    if not lower.isascii() or len(lower) > _LONGEST:
        return None
    if stage := _STAGE_OF.get(lower):
        return Name(None, stage)
    if found := re.fullmatch(_NUMBER, lower):
        number = _number(found)
        is_development = number.dev != inf
        is_early = number.pre[0] != _FINAL
        return Name(number, "development" if is_development else "pre-release" if is_early else "release")
    return None


def alias_in_url(root_url: str, names: Container[str] = ()) -> str:
    """A note if the URL of the root of mike's versions ends with one of these names, or a word such as ``latest``."""
    name = unquote(root_url.rstrip("/").rpartition("/")[2])
    if name not in names and name not in _WORDS["release"]:
        return ""
    return f"the pages have URLs below {root_url}: if {name} is an alias, remove it from site_url; mike adds a version"


def read_title(title: str) -> tuple[str, Name] | None:
    """Read a title such as ``1.0.5 (stable)``: the number as written, and the number and stage that the words give."""
    words = re.findall(r"[\w.!+*~-]+", title[:_LONGEST])
    read = [(word, name) for word in words if (name := read_name(word.strip(".-")))]
    if not read:
        return None
    numbered = [(word, name.number) for word, name in read if name.number and _is_version_number(word, len(words))]
    written, number = numbered[0] if numbered else ("", None)
    return written, Name(number, least_stable(name.stage for _, name in read))


def least_stable(stages: Iterable[Stage]) -> Stage:
    """The stage that is furthest from a release."""
    return max(stages, key=_STAGES.index)


def _is_version_number(word: str, words: int) -> bool:
    """Whether a word of a title is the number of this version, and not of something else (Python 3)."""
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
