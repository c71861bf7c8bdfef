"""What does not fit into one file is split in two by the bits of a hash: what comes and goes moves nothing else."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from operator import attrgetter
from typing import Final, Generic, NamedTuple, TypeVar

from sitemap_plugins.arrange.limits import Limits, Measure
from sitemap_plugins.model import X_DEFAULT, Alternate, Entry
from sitemap_plugins.output import Sitemap

_T = TypeVar("_T")
_BITS: Final = 64
_OPPOSITE: Final = bytes([1, 0]) + bytes(254)


class Leaf(NamedTuple, Generic[_T]):
    """What is in one file: ``bits`` is the part of its name, empty where all is in one, and no item is twice in any."""

    bits: str
    items: tuple[_T, ...]


def split_entries(
    entries: Sequence[Entry], limits: Limits, measure: Measure[Entry]
) -> tuple[list[Leaf[Entry]], list[Entry]]:
    """The entries of each file in their order, and those that do not even fit into a file of their own.

    Only a full file is split, in two, by the next bit of the hash of the pages' clusters: a page is in the same file as
    its translations, and stays there whatever pages come and go, until that file itself is full. A cluster that does
    not fit into one file is split by its pages, which a hyphen shows.
    """
    sizes = array("L", measure.each(entries))
    if max(sizes, default=0) <= limits.bytes // 2:  # what is around them is much less
        return _split(entries, sizes, limits, measure, _Names(_hash_clusters, attrgetter("loc"))), []
    fitting = [size + measure.frame([entry]) <= limits.bytes for entry, size in zip(entries, sizes, strict=True)]
    kept = [entry for entry, fits in zip(entries, fitting, strict=True) if fits]
    left_out = [entry for entry, fits in zip(entries, fitting, strict=True) if not fits]
    return _split(kept, measure.each(kept), limits, measure, _Names(_hash_clusters, attrgetter("loc"))), left_out


def split_sitemaps(sitemaps: Sequence[Sitemap], limits: Limits, measure: Measure[Sitemap]) -> list[Leaf[Sitemap]]:
    """The sitemaps of each index, by the hashes of their paths."""
    return _split(sitemaps, measure.each(sitemaps), limits, measure, _Names(_hash_paths, attrgetter("path")))


class _Names(NamedTuple, Generic[_T]):
    """The hashes by which items are kept together, and what each is called alone."""

    hashes: Callable[[Sequence[_T]], Iterable[int]]
    own: Callable[[_T], str]


@dataclass(frozen=True, slots=True)
class _Node(Generic[_T]):
    """Items whose hashes begin with the same bits."""

    bits: str
    items: Sequence[_T]
    sizes: Sequence[int]
    keys: Sequence[int]
    depth: int = 0

    def fits(self, limits: Limits, measure: Measure[_T]) -> bool:
        return len(self.items) <= limits.number and sum(self.sizes) + measure.frame(self.items) <= limits.bytes

    def halves(self) -> Iterator[_Node[_T]]:
        """The items with the next bit set, then those without; one that would be empty is none."""
        mask = 1 << (_BITS - 1 - self.depth)
        is_set = bytes(map(bool, map(mask.__and__, self.keys)))
        for bit, chosen in (("1", is_set), ("0", is_set.translate(_OPPOSITE))):
            if any(chosen):
                yield _Node(
                    self.bits + bit,
                    [*compress(self.items, chosen)],
                    array("L", compress(self.sizes, chosen)),
                    array("Q", compress(self.keys, chosen)),
                    self.depth + 1,
                )


def _split(
    items: Sequence[_T],
    sizes: Sequence[int],
    limits: Limits,
    measure: Measure[_T],
    names: _Names[_T],
) -> list[Leaf[_T]]:
    # There may be a million of them: arrays of numbers take a quarter of lists, and no node outlives its halves.
    waiting = [_Node("", items, sizes, array("Q", names.hashes(items)))] if items else []
    leaves = []
    while waiting:
        node = waiting.pop()
        if node.fits(limits, measure):
            leaves.append(Leaf(node.bits, tuple(node.items)))
        elif all(key == node.keys[0] for key in node.keys):
            # One cluster, whose pages have to part.
            keys = array("Q", map(_hash, map(names.own, node.items)))
            waiting.append(_Node(f"{node.bits}-", node.items, node.sizes, keys))
        else:
            waiting += node.halves()
    return leaves


def _hash_clusters(entries: Iterable[Entry]) -> Iterator[int]:
    """A number for each page, the same for all pages that are translations of one another."""
    known: dict[int, int] = {}
    for entry in entries:
        alternates = entry.alternates
        if alternates and id(alternates) not in known:
            known[id(alternates)] = _hash(_name_of(alternates))
        yield known[id(alternates)] if alternates else _hash(entry.loc)


def _hash_paths(sitemaps: Iterable[Sitemap]) -> Iterator[int]:
    return (_hash(sitemap.path) for sitemap in sitemaps)


def _name_of(alternates: Sequence[Alternate]) -> str:
    """What stays the same of a cluster when it has another translation: the page for readers of no language, mostly."""
    default = next((each.href for each in alternates if each.hreflang == X_DEFAULT), None)
    return default or min(each.href for each in alternates)


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_BITS // 8).digest(), "big")
