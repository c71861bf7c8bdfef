"""Whether a change of a file changed what it means: contents of all versions, from one git that is asked for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sitemap_plugins.enrich.git_dialogue import Dialogue


class Blobs:
    """Contents of files by their ids."""

    def __init__(self, directory: str) -> None:
        self.dialogue = Dialogue(directory, "cat-file", "--batch")

    def read(self, sha: bytes) -> bytes | None:
        """The content of a file; None where there is none or where it cannot be read."""
        try:
            return self.dialogue.ask(sha + b"\n", lambda answer: _read_content(answer, sha))[0]
        except EOFError:
            # Git gives up at a damaged object. The next one may be sound, and what is known of a file must not depend
            # on those that were asked for before it.
            self.dialogue.close()
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


class Meanings:
    """What contents mean, each of them read once.

    ``read`` gives the content for an id or None, ``meaning`` what is compared of it; it must cope with anything.
    """

    def __init__(self, read: Callable[[bytes], bytes | None], meaning: Callable[[bytes], Hashable]) -> None:
        self._read = read
        self._meaning = meaning
        self._known: dict[bytes, Hashable] = {}

    def is_same(self, change: bytes) -> bool:
        """Whether a change leaves the meaning as it is; ``change`` is a line as ``git log --raw`` prints it.

        A file that was added, or has become another kind of file, is changed, and so is what cannot be read.
        """
        _, _, before, after, status = change.split(b" ")
        return status == b"M" and self._of(before) == self._of(after)

    def _of(self, sha: bytes) -> Hashable:
        if sha not in self._known:
            content = self._read(sha)
            self._known[sha] = object() if content is None else self._meaning(content)  # equal to nothing else
        return self._known[sha]
