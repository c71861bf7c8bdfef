"""Contents of files by their ids, from one git process, and whether a change altered more than their bytes."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sitemap_plugins.git.batch import BatchCommand


class Blobs:
    """Contents of files by their ids."""

    def __init__(self, directory: str) -> None:
        self.batch = BatchCommand(directory, "cat-file", "--batch")

    def read(self, sha: bytes) -> bytes | None:
        """The content of a file; None where there is none or where it cannot be read."""
        try:
            return self.batch.request(sha + b"\n", lambda answer: _read_content(answer, sha))[0]
        except EOFError:
            # Git gives up at a damaged object. The next one may be sound, and what is known of a file must not depend
            # on those that were asked for before it.
            self.batch.close()
            return None


def _read_content(answer: bytearray, sha: bytes) -> tuple[bytes | None] | None:
    """The content in an answer, if it is that of a file; None until it is whole. Raises EOFError for other answers."""
    start = answer.find(b"\n") + 1
    match answer[:start].split():
        case [name, _] if name == sha:  # "missing"
            return (None,)
        case [name, kind, size] if name == sha and size.isdigit():
            end = start + int(size)
            is_whole = len(answer) > end  # a line end follows
            return (bytes(answer[start:end]) if kind == b"blob" else None,) if is_whole else None
        case [_, *_]:
            raise EOFError
    return None


class ContentDigests:
    """Digests of contents, each of them read once: equal for contents that say the same.

    ``read`` gives the content for an id or None, ``digest`` what is compared of it; it must cope with anything.
    """

    def __init__(self, read: Callable[[bytes], bytes | None], digest: Callable[[bytes], Hashable]) -> None:
        self._read = read
        self._digest = digest
        self._known: dict[bytes, Hashable] = {}

    def is_same(self, change: bytes) -> bool:
        """Whether the content has the same digest before and after a change, a line of ``git log --raw``.

        A file that was added, or has become another kind of file, is changed, and so is what cannot be read.
        """
        _, _, before, after, status = change.split(b" ")
        return status == b"M" and self._of(before) == self._of(after)

    def _of(self, sha: bytes) -> Hashable:
        if sha not in self._known:
            content = self._read(sha)
            self._known[sha] = object() if content is None else self._digest(content)  # equal to nothing else
        return self._known[sha]
