"""Compares two published snapshots of a site: which URLs are lost and what replaces them, and which pages changed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import sqrt
from typing import Final, Literal

import msgspec

from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.losses.finding import Loss, LossFinding, find_losses, unique, url_stem
from sitemap_plugins.published.snapshot import FACTS, Fact, Snapshot, SnapshotPage
from sitemap_plugins.values.tasks import Track, untracked
from sitemap_plugins.values.urls import is_local, preview_at

_WORDS: Final = 30  # different words; pages with fewer may agree by chance
_AGREEING: Final = 0.8
_RESEMBLING: Final = 0.4
_FEWEST: Final = 0.1  # share of the words of a lost page that must be new on a page that resembles it
_CANDIDATES: Final = 3
_FEW: Final = 3  # fewer pages do not tell which words all of them have
_BESIDE: Final = 5  # neighbours before and after a page, in the order of their paths
_MOST: Final = 1000  # pages that each lost page is compared with


class PageChange(msgspec.Struct, frozen=True, kw_only=True):
    """A page whose text or images changed. ``because_of`` are the changed files that it includes.

    It is empty if the page's own source changed, or if that is not known.
    """

    page: SnapshotPage
    because_of: tuple[str, ...] = ()


class LostAnchors(msgspec.Struct, frozen=True, kw_only=True):
    """The lost anchors of a page that links may lead to, in their order on the page.

    ``renamed`` maps the old anchors of headings to the new ones, if all other headings are the same as before.
    """

    page: SnapshotPage
    anchors: tuple[Anchor, ...]
    renamed: Mapping[str, str]

    @property
    def headings(self) -> tuple[str, ...]:
        """The names of the anchors of headings and labels."""
        return tuple(each.name for each in self.anchors if each.kind != "object")

    @property
    def objects(self) -> tuple[str, ...]:
        """The names of the anchors of API objects."""
        return tuple(each.name for each in self.anchors if each.kind == "object")


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """The differences between two snapshots of a site.

    ``url_change`` are the base URLs before and after, if the site has moved. ``lost`` are the findings about lost URLs,
    the largest first. ``added``, ``changed`` and ``lost_anchors`` are about pages, in the order of their paths.
    ``unknown`` is what was not compared, with the names of the snapshots for which it is unknown.
    """

    url_change: tuple[str, str] | None
    lost: tuple[LossFinding, ...]
    added: tuple[SnapshotPage, ...]
    changed: tuple[PageChange, ...]
    lost_anchors: tuple[LostAnchors, ...]
    unknown: Mapping[Fact, tuple[str, ...]]


def compare(
    old: Snapshot, new: Snapshot, changed_sources: Collection[str] | None = None, track: Track = untracked
) -> Comparison:
    """What changed from the old snapshot to the new one.

    ``changed_sources`` are the files of the repository that changed between them, None if that is not known. ``track``
    follows the loop over the pages whose texts are compared.
    """
    kept = [page for path, page in sorted(old.pages.items()) if path in new.pages and not page.is_list]
    changed: list[PageChange] = []
    lost_anchors: list[LostAnchors] = []
    for page, before, after in _contents(old, new, track(kept, "comparing pages")):
        if before.digest != after.digest:
            changed.append(PageChange(page=page, because_of=_reasons(page, changed_sources)))
        still = {anchor.name for anchor in after.anchors}
        gone = (each for each in before.anchors if each.name not in still)
        if anchors := tuple(each for each in gone if f"{page.path}#{each.name}" not in new.redirects):
            lost_anchors.append(LostAnchors(page=page, anchors=anchors, renamed=_renamed(before, after)))
    lost = find_losses(old, new)
    moved = {loss.moved_to for finding in lost for loss in finding.losses}
    stems = {url_stem(path) for path in old.pages if path not in new.pages}
    return Comparison(
        url_change=_url_change(old, new),
        lost=lost,
        added=tuple(
            page
            for path, page in sorted(new.pages.items())
            if path not in moved and url_stem(path) not in stems and not page.is_list and not _is_known(old, page)
        ),
        changed=tuple(changed),
        lost_anchors=tuple(lost_anchors),
        unknown={
            fact: names for fact in FACTS if (names := tuple(each.name for each in (old, new) if fact in each.unknown))
        },
    )


def _url_change(old: Snapshot, new: Snapshot) -> tuple[str, str] | None:
    """The URLs of the site before and after, if it is now published elsewhere.

    A preview does not count, nor does a change to HTTPS. The folders of two versions are the same site.
    """
    before, after = old.base_url, new.base_url
    if (
        not before
        or not after
        or not _site_urls(old, before).isdisjoint(_site_urls(new, after))
        or any(is_local(each) or preview_at(each) for each in (before, after))
    ):
        return None
    return before, after


def _site_urls(snapshot: Snapshot, base_url: str) -> set[str]:
    """The URL of a snapshot without its scheme; if the snapshot is a version, also the URL without its folder."""
    url = base_url.partition("://")[2].rstrip("/")
    above, _, folder = url.rpartition("/")
    is_version = snapshot.is_version or re.split(r"[/\\]", snapshot.name.rstrip("/\\"))[-1] == folder
    return {url, above} if above and is_version else {url}


def _is_known(old: Snapshot, page: SnapshotPage) -> bool:
    """Whether the old snapshot had this page, or may have had it outside the sitemap."""
    return old.serves(page.path) or ("unlisted" in old.unknown and not page.is_listed)


def _contents(
    old: Snapshot, new: Snapshot, pages: Iterable[SnapshotPage]
) -> Iterator[tuple[SnapshotPage, MainPart, MainPart]]:
    """The pages whose files differ, each with its content before and after."""
    for page in pages:
        before, after = page.file, new.pages[page.path].file
        if before and after and old.read_file(before) == new.read_file(after):
            continue
        here, there = old.read_content(page.path), new.read_content(page.path)
        if here is not None and there is not None:
            yield new.pages[page.path], here, there


def _reasons(page: SnapshotPage, changed_sources: Collection[str] | None) -> tuple[str, ...]:
    if changed_sources is None or page.document is None or page.document in changed_sources:
        return ()
    return tuple(each for each in page.made_of if each in changed_sources)


def _renamed(before: MainPart, after: MainPart) -> dict[str, str]:
    """The headings at the same places with other anchors; none if there are more or fewer headings than before."""
    old, new = ([each.name for each in part.anchors if each.kind == "heading"] for part in (before, after))
    if len(old) != len(new):
        return {}
    pairs = {here: there for here, there in zip(old, new, strict=True) if here != there}
    is_clear = set(old).isdisjoint(pairs.values()) and set(new).isdisjoint(pairs)
    return pairs if is_clear else {}


class Replacement(msgspec.Struct, frozen=True, kw_only=True):
    """The page that replaces a lost page: ``path`` is None if that is not certain.

    ``by`` tells how it is known: it is the same page at another URL, git says that its document was renamed, the lost
    redirect led there, or its words agree. A redirect to a lost page has the replacement of that page. If none is
    certain, ``candidates`` are the paths of up to three pages that resemble the lost one, best first.
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
    losses = [loss for finding in comparison.lost for loss in finding.losses]
    found = {loss.path: Replacement(path=loss.moved_to, by="form") for loss in losses if loss.moved_to is not None}
    pages = [loss.page for loss in losses if loss.page and loss.moved_to is None]
    for page in pages:
        document = renamed.get(page.document or "")
        if document and (path := by_document.get(document)) is not None:
            found[page.path] = Replacement(path=path, by="git")
    others = [page.path for page in pages if page.path not in found]
    if others:
        candidates = _Candidates(
            old,
            new,
            added=[page.path for page in comparison.added],
            changed=[change.page.path for change in comparison.changed],
            taken={each.path for each in found.values()},
        )
        found |= candidates.find(others)
    return found | {loss.path: _of_redirect(loss, old, new, found) for loss in losses if loss.path not in found}


def _of_redirect(loss: Loss, old: Snapshot, new: Snapshot, found: Mapping[str, Replacement]) -> Replacement:
    """The page that a redirect led to, if it is still there, or else what replaces that page."""
    landing = old.follow(loss.path)
    now = landing if "://" in landing.path else new.follow(landing.path)
    return Replacement(path=now.path, by="redirect") if now.is_found else found.get(landing.path, Replacement())


def _words_of(snapshot: Snapshot, path: str) -> frozenset[str]:
    content = snapshot.read_content(path)
    return (content.words if content else None) or frozenset()


class _Beside:
    """The neighbours of a page, in the order of their paths."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._paths = sorted(snapshot.pages)
        self._words = lru_cache(4 * _BESIDE)(lambda path: _words_of(snapshot, path))

    def common_words(self, path: str) -> frozenset[str]:
        """The words that at least half of them have."""
        at = bisect_left(self._paths, path)
        beside = [*self._paths[max(0, at - _BESIDE) : at], *self._paths[at + 1 : at + 1 + _BESIDE]]
        numbers = Counter(chain.from_iterable(map(self._words, beside)))
        return frozenset(word for word, number in numbers.items() if len(beside) >= _FEW and number * 2 >= len(beside))


class _Candidates:
    """The pages that may replace a lost one: added pages, and changed pages, which may have taken over its text.

    Only the words that are new on a page are compared, because its old words do not come from the lost page. A page
    that is ``taken`` certainly replaces another one, so it can only resemble these lost ones.
    """

    def __init__(
        self, old: Snapshot, new: Snapshot, added: Sequence[str], changed: Sequence[str], taken: Container[str | None]
    ) -> None:
        self._old = old
        self._added = frozenset(added[:_MOST])
        self._taken = taken
        self._folders = sorted({*old.folders, *new.folders}, reverse=True)  # inner ones first
        self._beside_old = _Beside(old)
        self._beside_new = _Beside(new)
        # The words that each page had, those that are new on it, and the pages by their new words.
        self._before = dict.fromkeys(self._added, frozenset[str]())
        self._before |= {path: _words_of(old, path) for path in changed[: _MOST - len(self._added)]}
        self._fresh = {path: _words_of(new, path) - before for path, before in self._before.items()}
        self._by_word: dict[str, list[str]] = defaultdict(list)
        for path, words in self._fresh.items():
            for word in words:
                self._by_word[word].append(path)

    def find(self, lost: Sequence[str]) -> dict[str, Replacement]:
        """For each lost page, the page whose words agree with it, or else the pages that resemble it.

        If a page agrees with several lost ones, it only replaces the one with which it agrees most.
        """
        compared = {path: self._compare(path) for path in lost}
        most: dict[str, float] = {}
        for share, path, _ in compared.values():
            most[path] = max(share, most.get(path, 0))
        return {
            each: Replacement(path=path, by="words") if path and share == most[path] else Replacement(candidates=others)
            for each, (share, path, others) in compared.items()
        }

    def _compare(self, lost: str) -> tuple[float, str, tuple[str, ...]]:
        """The share of words that agree, the page where they do, and the pages that resemble a lost one.

        The page is empty if none agrees, or several agree best. A page of a version, an alias or a language is only
        replaced by one in the same folder, and others preferably by one outside of these folders: translations may be
        copies.
        """
        words = _words_of(self._old, lost)
        folder = self._folder_of(lost)
        shared = Counter(chain.from_iterable(self._by_word.get(word, ()) for word in words))
        numbers = {path: number for path, number in shared.items() if path.startswith(folder)}
        agreeing = sorted(
            (self._folder_of(path) != folder, -number / longer, path)
            for path, number in numbers.items()
            if path in self._added
            and path not in self._taken
            and number >= _AGREEING * (longer := max(len(words), len(self._fresh[path])))
        )
        best = sorted(
            (-resemblance, path)
            for path, number in numbers.items()
            if number >= _FEWEST * len(words) and (resemblance := self._resemblance(words, path, number)) >= _RESEMBLING
        )
        candidates = tuple(path for _, path in best[:_CANDIDATES])
        is_one = agreeing and (len(agreeing) == 1 or agreeing[0][:2] != agreeing[1][:2])
        if is_one and len(words) >= _WORDS and self._own_words_agree(lost, words, agreeing[0][2]):
            return -agreeing[0][1], agreeing[0][2], candidates
        return 0, "", candidates

    def _folder_of(self, path: str) -> str:
        """The folder of a version, an alias or a language that a page is in, with its slash."""
        return next((f"{each}/" for each in self._folders if path.startswith(f"{each}/")), "")

    def _own_words_agree(self, lost: str, words: frozenset[str], path: str) -> bool:
        """Whether the words of both pages also agree without those that half of their neighbours have.

        Such words often come from the generator: all pages about classes have the same headings.
        """
        common = self._beside_old.common_words(lost) | self._beside_new.common_words(path)
        here, there = words - common, self._fresh[path] - common
        return bool(here) and len(here & there) >= _AGREEING * max(len(here), len(there))

    def _resemblance(self, words: frozenset[str], path: str, shared: int) -> float:
        """How much the new words on a page resemble these words, from 0 to 1: the cosine similarity of both sets."""
        return shared / sqrt(len(words - self._before[path]) * len(self._fresh[path]))
