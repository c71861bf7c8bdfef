"""What a task says to the command that runs it: how far it is, and why it cannot do something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Protocol, TypeVar

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


class ExplainedError(Exception):
    """Something that a command cannot do. The message says why, and what to do."""

    option: ClassVar[str] = ""
    """The option of the command that it is about, if any."""

    is_temporary: ClassVar[bool] = False
    """Whether the command may succeed later, although nothing is corrected."""
