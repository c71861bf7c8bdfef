"""How much one file may hold, and how much of it things take."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import tee
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from sitemap_plugins.model import Entry
    from sitemap_plugins.output import Sitemap

_T = TypeVar("_T")


class Limits(NamedTuple):
    """The most items and bytes of one file (SM-LIM-01, SM-LIM-02, SM-IDX-01)."""

    number: int
    bytes: int


class Measure(NamedTuple, Generic[_T]):
    """How much of a file items take, in bytes: each of them, and what is around these in the same file."""

    each: Callable[[Iterable[_T]], Iterator[int]]
    frame: Callable[[Sequence[_T]], int]

    def weigh(self, items: Iterable[_T]) -> Iterator[tuple[_T, int]]:
        """Each of them with what it takes; there may be a million, which are not kept."""
        these, same = tee(items)
        return zip(these, self.each(same), strict=True)

    def fit(self, items: Sequence[_T], limits: Limits) -> bool:
        """Whether all of them fit into one file."""
        return len(items) <= limits.number and sum(self.each(items)) + self.frame(items) <= limits.bytes


class Measures(NamedTuple):
    """How much of a sitemap its entries take, and of an index its sitemaps."""

    entries: Measure[Entry]
    sitemaps: Measure[Sitemap]
