"""Split items that do not fit into one file by the bits of a hash, so that new items do not move the others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from sitemap_plugins.model import X_DEFAULT, Entry, Sitemap
from sitemap_plugins.options.settings import Limits

_T = TypeVar("_T")
_T_contra = TypeVar("_T_contra", contravariant=True)
_BITS: Final = 64  # of a hash


class Measure(Protocol[_T_contra]):
    """Measures items in bytes of a file: `SitemapWriter` for entries, `IndexWriter` for sitemaps."""

    def sizes(self, items: Iterable[_T_contra], /) -> Sequence[int]:
        """The bytes of each item, which do not depend on the others in the file."""

    def frame_size(self, items: Sequence[_T_contra], /) -> int:
        """The bytes of a file with these items, without the items themselves."""


class Leaf(NamedTuple, Generic[_T]):
    """The items of one file; ``bits`` is part of its name, or empty if there is only one file.

    Entries are sorted by URL, sitemaps by path.
    """

    bits: str
    items: tuple[_T, ...]


def split_entries(
    entries: Sequence[Entry], limits: Limits, measure: Measure[Entry]
) -> tuple[list[Leaf[Entry]], list[Entry]]:
    """Return the entries of each file, and those that do not even fit into a separate file (SM-LIM-01, SM-LIM-02).

    Only a full file is split, in two, by the next bit of the hash of the pages' clusters. So a page is in the same file
    as its translations, and stays there until that file is full, even if other pages are added or removed. A cluster
    that does not fit into one file is split by its pages, which a hyphen in ``bits`` shows.
    """
    loc = attrgetter("loc")
    sizes = measure.sizes(entries)
    if len(entries) <= limits.urls and sum(sizes) + measure.frame_size(entries) <= limits.bytes:
        return [Leaf("", tuple(sorted(entries, key=loc)))] if entries else [], []
    fitting: list[tuple[Entry, int]] = []
    left_out: list[Entry] = []
    for entry, size in zip(entries, sizes, strict=True):
        if size + measure.frame_size([entry]) > limits.bytes:
            left_out.append(entry)
        else:
            fitting.append((entry, size))
    return _Splitter(limits, measure, loc).split(fitting, _cluster_name), left_out


def split_sitemaps(sitemaps: Sequence[Sitemap], limits: Limits, measure: Measure[Sitemap]) -> list[Leaf[Sitemap]]:
    """The sitemaps of each index: split by hashes of their paths, or in the given order in one index (SM-IDX-01)."""
    path = attrgetter("path")
    sized = [*zip(sitemaps, measure.sizes(sitemaps), strict=True)]
    leaves = _Splitter(limits, measure, path).split(sized, path)
    return [Leaf("", tuple(sitemaps))] if len(leaves) == 1 else leaves


class _Splitter(msgspec.Struct, Generic[_T], frozen=True):
    """Splits items by one bit of their hashes at a time; ``own_name`` is the name of a single item.

    Items are passed on as tuples with their sizes in bytes and, from the first split on, their hashes.
    """

    limits: Limits
    measure: Measure[_T]
    own_name: Callable[[_T], str]

    def split(self, sized: Sequence[tuple[_T, int]], name: Callable[[_T], str], bits: str = "") -> list[Leaf[_T]]:
        """Return the files; items with the same ``name`` stay together as long as they fit into one file."""
        if not sized or self._fit(sized):
            return [self._leaf(bits, sized)] if sized else []
        return [*self._divide([(value, size, _hash(name(value))) for value, size in sized], bits, 1 << (_BITS - 1))]

    def _divide(self, items: Sequence[tuple[_T, int, int]], bits: str, bit: int) -> Iterator[Leaf[_T]]:
        """Divide items that do not fit into one file and whose hashes are the same before this ``bit``."""
        if all(each[2] == items[0][2] for each in items):
            yield from self.split([each[:2] for each in items], self.own_name, f"{bits}-")
            return
        zeros = [each for each in items if not each[2] & bit]
        ones = [each for each in items if each[2] & bit]
        for half, name in ((zeros, f"{bits}0"), (ones, f"{bits}1")):
            if half and self._fit(half):
                yield self._leaf(name, half)
            elif half:
                yield from self._divide(half, name, bit >> 1)

    def _leaf(self, bits: str, items: Sequence[tuple[Any, ...]]) -> Leaf[_T]:
        return Leaf(bits, tuple(sorted((each[0] for each in items), key=self.own_name)))

    def _fit(self, items: Sequence[tuple[Any, ...]]) -> bool:
        if len(items) > self.limits.urls:
            return False
        size: int = sum(each[1] for each in items)
        return size + self.measure.frame_size([each[0] for each in items]) <= self.limits.bytes


def _cluster_name(entry: Entry) -> str:
    """The name of an entry's cluster, which is the same for all translations of a page."""
    if not entry.alternates:
        return entry.loc
    # The default usually stays the same if the cluster gets another translation.
    default = next((each.href for each in entry.alternates if each.hreflang == X_DEFAULT), None)
    return default or min(each.href for each in entry.alternates)


def _hash(name: str) -> int:
    import hashlib

    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=_BITS // 8).digest())
