"""Which page replaces a page that is gone: named only if git or the words of both pages make it certain."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from math import sqrt
from typing import Final, Literal

import msgspec

from sitemap_plugins.changes.comparing import Comparison, unique, url_stem
from sitemap_plugins.changes.following import Landing, follow
from sitemap_plugins.changes.snapshot import Snapshot
from sitemap_plugins.values.urls import ends_of

_WORDS: Final = 30  # different words; pages with fewer resemble each other by chance
_AGREEING: Final = 0.8
_RESEMBLING: Final = 0.4
_FEWEST: Final = 0.1  # of the words of a page must be new on another one that resembles it
_CANDIDATES: Final = 3
_INDEXES: Final = frozenset({"index", "_index", "README"})
_MOST: Final = 1000  # pages that each lost page is compared with


class Replacement(msgspec.Struct, frozen=True, kw_only=True):
    """The page that has what a lost page had: ``path`` is None if it is not certain.

    ``by`` tells how it is known: it is the same page at another URL, git renamed its document, the lost redirect led
    there, or its words agree.
    ``candidates`` are the paths of up to three pages that resemble the lost one, best first, if it is not certain.
    """

    path: str | None = None
    by: Literal["form", "git", "redirect", "words"] | None = None
    candidates: tuple[str, ...] = ()


def find_replacements(
    comparison: Comparison, old: Snapshot, new: Snapshot, renamed: Mapping[str, str]
) -> dict[str, Replacement]:
    """The replacement of each lost page or redirect, by its path.

    ``renamed`` are the new names of documents by their old ones, according to git.
    """
    documents = {path: page.document for path, page in new.pages.items() if page.document}
    by_document = unique(documents, documents.__getitem__)
    by_stem = _renamed_by_stem(renamed, new)
    added = [page.path for page in comparison.added]
    changed = [change.page.path for change in comparison.changed]
    candidates = _Candidates(old, new, added, changed)
    found = {}
    for loss in (loss for finding in comparison.lost for loss in finding.losses):
        if loss.moved_to is not None:
            found[loss.path] = Replacement(path=loss.moved_to, by="form")
        elif loss.page is None:
            found[loss.path] = _as_before(follow(old, loss.path), new)
        else:
            document = renamed.get(loss.page.document) if loss.page.document else by_stem.get(url_stem(loss.path))
            path = by_document.get(document) if document else None
            found[loss.path] = candidates.find(loss.path) if path is None else Replacement(path=path, by="git")
    return found


def _as_before(landing: Landing, new: Snapshot) -> Replacement:
    """Where a redirect led, if that is still there."""
    is_there = landing.is_found and ("://" in landing.path or follow(new, landing.path).is_found)
    return Replacement(path=landing.path, by="redirect") if is_there else Replacement()


def _renamed_by_stem(renamed: Mapping[str, str], new: Snapshot) -> Mapping[str, str]:
    """The new names of documents by the stems of their old URLs, as far as the folder of the documents tells these."""
    folders = {
        page.document[: -len(end)]
        for path, page in new.pages.items()
        if page.document and (end := _end_of(page.document, url_stem(path)))
    }
    if len(folders) != 1:
        return {}
    (folder,) = folders
    inside = (old for old in renamed if old.startswith(folder))
    stems = unique(inside, lambda old: _stem_of_document(old[len(folder) :]))
    return {stem: renamed[old] for stem, old in stems.items()}


def _end_of(document: str, stem: str) -> str:
    """The end of a document's path that gives its page this stem; empty if no end does."""
    return next((end for end in ends_of(document) if stem and _stem_of_document(end) == stem), "")


def _stem_of_document(path: str) -> str:
    """The stem of the URL of a document, such as ``guide`` for guide.md, guide/index.md and guide/README.md."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    return folder if stem in _INDEXES else f"{folder}/{stem}" if folder else stem


def _words_of(snapshot: Snapshot, path: str) -> frozenset[str]:
    content = snapshot.read_content(path)
    return (content.words if content else None) or frozenset()


class _Candidates:
    """The pages that may replace a lost one: added pages, and pages that changed and may have taken in its text.

    What a page had before says nothing, so it is only known by the words that are new there.
    """

    def __init__(self, old: Snapshot, new: Snapshot, added: Sequence[str], changed: Sequence[str]) -> None:
        self._old = old
        self._new = new
        self._added = frozenset(added[:_MOST])
        self._changed = changed[: _MOST - len(self._added)]
        self._folders = sorted({*old.folders, *new.folders}, reverse=True)  # inner ones first

    @cached_property
    def _before(self) -> Mapping[str, frozenset[str]]:
        """The words that each page had."""
        return dict.fromkeys(self._added, frozenset()) | {path: _words_of(self._old, path) for path in self._changed}

    @cached_property
    def _fresh(self) -> Mapping[str, frozenset[str]]:
        """The words that are new on each page."""
        return {path: _words_of(self._new, path) - before for path, before in self._before.items()}

    @cached_property
    def _by_word(self) -> Mapping[str, Sequence[str]]:
        """The pages on which a word is new."""
        found: dict[str, list[str]] = defaultdict(list)
        for path, words in self._fresh.items():
            for word in words:
                found[word].append(path)
        return found

    def find(self, lost: str) -> Replacement:
        """The page whose words agree with those of a lost one, or else the pages that resemble it.

        A page of a version, an alias or a language is only replaced by one in the same folder.
        """
        words = _words_of(self._old, lost)
        start = next((f"{each}/" for each in self._folders if lost.startswith(f"{each}/")), "")
        shared = Counter(chain.from_iterable(self._by_word.get(word, ()) for word in words))
        numbers = {path: number for path, number in shared.items() if path.startswith(start)}
        agreeing = sorted(
            (-number / longer, path)
            for path, number in numbers.items()
            if path in self._added and number >= _AGREEING * (longer := max(len(words), len(self._fresh[path])))
        )
        if len(words) >= _WORDS and agreeing and (len(agreeing) == 1 or agreeing[0][0] < agreeing[1][0]):
            return Replacement(path=agreeing[0][1], by="words")
        best = sorted(
            (-resemblance, path)
            for path, number in numbers.items()
            if number >= _FEWEST * len(words) and (resemblance := self._resemblance(words, path, number)) >= _RESEMBLING
        )
        return Replacement(candidates=tuple(path for _, path in best[:_CANDIDATES]))

    def _resemblance(self, words: frozenset[str], path: str, shared: int) -> float:
        """How much what is new on a page resembles these words, from 0 to 1: the cosine of the angle between both."""
        return shared / sqrt(len(words - self._before[path]) * len(self._fresh[path]))
