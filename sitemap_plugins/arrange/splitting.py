"""What does not fit into one file is split in two by the bits of a hash: what comes and goes moves nothing else."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Final, Generic, NamedTuple, TypeVar

from sitemap_plugins.arrange.limits import Limits, Measure
from sitemap_plugins.model import X_DEFAULT, Alternate, Entry
from sitemap_plugins.output import Sitemap

_T = TypeVar("_T")
_BYTES: Final = 8  # of a hash
# For each bit of a byte, the highest first: whether it is set, and whether it is not, in every byte there is.
_SET: Final = [bytes(byte >> 7 - bit & 1 for byte in range(256)) for bit in range(8)]
_CLEAR: Final = [bytes(1 - flag for flag in flags) for flags in _SET]


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
    names = _Names(_hash_clusters, attrgetter("loc"))
    sizes = array("L", measure.each(entries))
    if max(sizes, default=0) <= limits.bytes // 2:  # what is around them is much less
        return _split(entries, sizes, limits, measure, names), []
    fitting = [size + measure.frame([entry]) <= limits.bytes for entry, size in zip(entries, sizes, strict=True)]
    kept = [entry for entry, fits in zip(entries, fitting, strict=True) if fits]
    left_out = [entry for entry, fits in zip(entries, fitting, strict=True) if not fits]
    return _split(kept, array("L", measure.each(kept)), limits, measure, names), left_out


def split_sitemaps(sitemaps: Sequence[Sitemap], limits: Limits, measure: Measure[Sitemap]) -> list[Leaf[Sitemap]]:
    """The sitemaps of each index, by the hashes of their paths."""
    path = attrgetter("path")
    names = _Names(partial(_hash_names, path), path)
    return _split(sitemaps, array("L", measure.each(sitemaps)), limits, measure, names)


class _Names(NamedTuple, Generic[_T]):
    """The hashes by which items are kept together, and what each is called alone."""

    hashes: Callable[[Iterable[_T]], Iterable[bytes]]
    own: Callable[[_T], str]


@dataclass(frozen=True, slots=True)
class _Node(Generic[_T]):
    """Items whose hashes begin with the same bits: so many as ``depth`` says.

    There may be a million items, so that there are no objects for each: ``sizes`` is an array, and ``plane`` that byte
    of each hash in which the next bit is.
    """

    bits: str
    items: Sequence[_T]
    sizes: array[int]
    names: _Names[_T]
    plane: bytes
    depth: int = 0

    @classmethod
    def whole(cls, bits: str, items: Sequence[_T], sizes: array[int], names: _Names[_T]) -> _Node[_T]:
        """All of the items, and no bit of their hashes."""
        return cls(bits, items, sizes, names, _plane(items, names, 0))

    def fits(self, limits: Limits, measure: Measure[_T]) -> bool:
        return len(self.items) <= limits.number and sum(self.sizes) + measure.frame(self.items) <= limits.bytes

    def is_one(self) -> bool:
        """Whether all hashes are the same."""
        return len({*self.plane}) <= 1 and len({*self.names.hashes(self.items)}) == 1

    def halves(self) -> Iterator[_Node[_T]]:
        """The items with the next bit set, then those without; one that would be empty is none."""
        byte, bit = divmod(self.depth, 8)
        for name, table in (("1", _SET[bit]), ("0", _CLEAR[bit])):
            chosen = self.plane.translate(table)
            if items := [*compress(self.items, chosen)]:
                sizes = array("L", compress(self.sizes, chosen))
                same = (self.depth + 1) // 8 == byte
                plane = bytes(compress(self.plane, chosen)) if same else _plane(items, self.names, byte + 1)
                yield _Node(self.bits + name, items, sizes, self.names, plane, self.depth + 1)


def _split(
    items: Sequence[_T],
    sizes: array[int],
    limits: Limits,
    measure: Measure[_T],
    names: _Names[_T],
) -> list[Leaf[_T]]:
    waiting = [_Node.whole("", items, sizes, names)] if items else []
    leaves = []
    while waiting:
        node = waiting.pop()
        if node.fits(limits, measure):
            leaves.append(Leaf(node.bits, tuple(node.items)))
        elif node.is_one():
            # One cluster, whose pages have to part.
            alone = _Names(partial(_hash_names, names.own), names.own)
            waiting.append(_Node.whole(f"{node.bits}-", node.items, node.sizes, alone))
        else:
            waiting += node.halves()
    return leaves


def _plane(items: Sequence[_T], names: _Names[_T], byte: int) -> bytes:
    return bytes(map(itemgetter(byte), names.hashes(items))) if byte < _BYTES else b""


def _hash_clusters(entries: Iterable[Entry]) -> Iterator[bytes]:
    """The same for all pages that are translations of one another."""
    known: dict[int, bytes] = {}
    for entry in entries:
        alternates = entry.alternates
        if alternates and id(alternates) not in known:
            known[id(alternates)] = _hash(_name_of(alternates))
        yield known[id(alternates)] if alternates else _hash(entry.loc)


def _hash_names(name: Callable[[_T], str], items: Iterable[_T]) -> Iterator[bytes]:
    return map(_hash, map(name, items))


def _name_of(alternates: Sequence[Alternate]) -> str:
    """What stays the same of a cluster when it has another translation: the page for readers of no language, mostly."""
    default = next((each.href for each in alternates if each.hreflang == X_DEFAULT), None)
    return default or min(each.href for each in alternates)


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=_BYTES).digest()
