"""What does not fit into one file is split in two by the bits of a hash: what comes and goes moves nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import attrgetter
from typing import Final, Generic, NamedTuple, TypeVar

from sitemap_plugins.arrange.limits import Limits, Measure
from sitemap_plugins.model import X_DEFAULT, Alternate, Entry
from sitemap_plugins.output import Sitemap

_T = TypeVar("_T")
_BYTES: Final = 8  # of a hash


class Leaf(NamedTuple, Generic[_T]):
    """What is in one file: ``bits`` is the part of its name, empty where all is in one, and no item is twice in any.

    The items are in the order of their own names, the URL of an entry and the path of a sitemap.
    """

    bits: str
    items: tuple[_T, ...]


def split_entries(
    entries: Iterable[Entry], limits: Limits, measure: Measure[Entry]
) -> tuple[list[Leaf[Entry]], list[Entry]]:
    """The entries of each file, and those that do not even fit into a file of their own.

    Only a full file is split, in two, by the next bit of the hash of the pages' clusters: a page is in the same file as
    its translations, and stays there whatever pages come and go, until that file itself is full. A cluster that does
    not fit into one file is split by its pages, which a hyphen shows. The entries are asked for once and kept in the
    lists of the files alone, for there may be a million.
    """
    left_out: list[Entry] = []
    fitting = _fitting(measure.weigh(entries), limits, measure, left_out)
    leaves = _Splitter(limits, measure, _Names(_cluster_hash(), attrgetter("loc"))).split(fitting)
    return [*leaves], left_out


def split_sitemaps(sitemaps: Iterable[Sitemap], limits: Limits, measure: Measure[Sitemap]) -> list[Leaf[Sitemap]]:
    """The sitemaps of each index, by the hashes of their paths."""
    return [*_Splitter(limits, measure, _names_apart(attrgetter("path"))).split(measure.weigh(sitemaps))]


def _fitting(
    weighed: Iterable[tuple[Entry, int]], limits: Limits, measure: Measure[Entry], left_out: list[Entry]
) -> Iterator[tuple[Entry, int]]:
    """Those that fit into a file of their own; the others are added to ``left_out``."""
    half = limits.bytes // 2  # what is around entries is less, even for the lowest limit that there can be
    for entry, size in weighed:
        if size > half and size + measure.frame([entry]) > limits.bytes:
            left_out.append(entry)
        else:
            yield entry, size


class _Names(NamedTuple, Generic[_T]):
    """The hash by which items are kept together, and what each is called alone."""

    hash: Callable[[_T], bytes]
    own: Callable[[_T], str]


def _names_apart(own: Callable[[_T], str]) -> _Names[_T]:
    """Those by which no two items are kept together."""
    return _Names(lambda item: _hash(own(item)), own)


class _Bucket(Generic[_T]):
    """Items whose hashes are the same up to a byte, and how many bytes of a file they take."""

    __slots__ = ("items", "size")

    def __init__(self) -> None:
        self.items: list[_T] = []
        self.size = 0


class _Splitter(NamedTuple, Generic[_T]):
    """Splits by one byte of the hashes at a time: bytes are buckets, and a bit is one half or the other of these."""

    limits: Limits
    measure: Measure[_T]
    names: _Names[_T]

    def split(self, weighed: Iterable[tuple[_T, int]], bits: str = "", byte: int = 0) -> Iterator[Leaf[_T]]:
        """The leaves of items whose hashes are the same before this byte."""
        buckets: list[_Bucket[_T]] = [_Bucket() for _ in range(256)]
        hash_of = self.names.hash
        for item, size in weighed:
            bucket = buckets[hash_of(item)[byte]]
            bucket.items.append(item)
            bucket.size += size
        return self._divide(buckets, bits, byte)

    def _divide(self, buckets: Sequence[_Bucket[_T]], bits: str, byte: int) -> Iterator[Leaf[_T]]:
        """The leaves of one branch, by their bits: the buckets are those of all bytes that begin like its name."""
        used = [bucket for bucket in buckets if bucket.items]
        if not used:
            return
        if self._fit(used):
            items = chain.from_iterable(bucket.items for bucket in used)
            yield Leaf(bits, tuple(sorted(items, key=self.names.own)))
            for bucket in used:
                bucket.items.clear()  # the leaf has them, and nobody comes back
        elif len(used) == 1 and self._is_one(used[0].items):
            alone = self._replace(names=_names_apart(self.names.own))
            yield from alone.split(self.measure.weigh(used[0].items), f"{bits}-")
        elif len(buckets) == 1:
            yield from self.split(self.measure.weigh(used[0].items), bits, byte + 1)
        else:
            middle = len(buckets) // 2
            yield from self._divide(buckets[:middle], f"{bits}0", byte)
            yield from self._divide(buckets[middle:], f"{bits}1", byte)

    def _fit(self, buckets: Sequence[_Bucket[_T]]) -> bool:
        number, size = sum(len(each.items) for each in buckets), sum(each.size for each in buckets)
        if number > self.limits.number or size > self.limits.bytes:
            return False
        return size + self.measure.frame([*chain.from_iterable(each.items for each in buckets)]) <= self.limits.bytes

    def _is_one(self, items: Sequence[_T]) -> bool:
        """Whether all hashes are the same: a cluster, whose pages have to part."""
        first = self.names.hash(items[0])
        return all(self.names.hash(item) == first for item in items)


def _cluster_hash() -> Callable[[Entry], bytes]:
    """A function for the hash of an entry, the same for all pages that are translations of one another."""
    known: dict[int, bytes] = {}  # by numbers that stay the alternates' own, because every entry is in a bucket

    def hash_cluster(entry: Entry) -> bytes:
        alternates = entry.alternates
        if not alternates:
            return _hash(entry.loc)
        if (found := known.get(id(alternates))) is None:
            found = known[id(alternates)] = _hash(_name_of(alternates))
        return found

    return hash_cluster


def _name_of(alternates: Sequence[Alternate]) -> str:
    """What stays the same of a cluster when it has another translation: the page for readers of no language, mostly."""
    default = next((each.href for each in alternates if each.hreflang == X_DEFAULT), None)
    return default or min(each.href for each in alternates)


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()
