"""The elements around others, and the values that elements have because of others, each computed once.

A hostile page may have 100,000 elements inside the same 500.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from selectolax.lexbor import LexborNode

T = TypeVar("T")


def around(node: LexborNode, most: int) -> list[LexborNode]:
    """The innermost elements around a node, at most so many, from the inside out."""
    found: list[LexborNode] = []
    outer = node.parent
    while outer is not None and len(found) < most:
        found.append(outer)
        outer = outer.parent
    return found


class Once(Generic[T]):
    """A function of an element that is called only once per element, even if thousands of others need its value."""

    def __init__(self, function: Callable[[LexborNode], T]) -> None:
        self._function = function
        self._known: dict[int, T] = {}

    def __call__(self, node: LexborNode) -> T:
        """The value of an element."""
        key = node.mem_id
        if key not in self._known:
            self._known[key] = self._function(node)
        return self._known[key]


class Inherited(Generic[T]):
    """A value that nodes inherit from the elements around them, computed once for each element.

    ``combine`` makes the value of a node from that of its parent. ``top`` is the value of ``root``, or of the document
    if there is no root.
    """

    def __init__(self, top: T, combine: Callable[[T, LexborNode], T], root: LexborNode | None = None) -> None:
        self._known = {} if root is None else {root.mem_id: top}
        self._top = top
        self._combine = combine

    def of(self, node: LexborNode) -> T:
        """The value of a node."""
        path: list[LexborNode] = []
        current: LexborNode | None = node
        while current is not None and current.mem_id not in self._known:
            path.append(current)
            current = current.parent
        value = self._top if current is None else self._known[current.mem_id]
        for inner in reversed(path):
            value = self._combine(value, inner)
            self._known[inner.mem_id] = value
        return value
