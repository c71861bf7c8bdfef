"""How loops over many pages report their progress, whether or not a progress bar is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Track(Protocol):
    """Passes items on, one by one.

    ``what`` says in a few words what is done with them, as in ``reading pages``, and ``total`` how many there are, if
    their length does not.
    """

    def __call__(self, items: Iterable[T], what: str, total: int | None = None, /) -> Iterable[T]:
        """The same items."""
        ...


def untracked(items: Iterable[T], _what: str, _total: int | None = None, /) -> Iterable[T]:
    """The items themselves, without a progress bar."""
    return items
