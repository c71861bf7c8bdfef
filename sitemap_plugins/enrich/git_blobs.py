"""Whether a change of a file changed what it means: contents of all versions, from one git that is asked for each."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from sitemap_plugins.enrich.git_process import GitProcess, open_git, read_chunks


class Blobs:
    """Contents of files by their ids. Git is started when it is asked for the first.

    One thread reads and closes, any other may stop it meanwhile.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._process: GitProcess | None = None
        self._stopped = False

    def read(self, sha: bytes) -> bytes | None:
        """The content of a file; None where there is none or where it cannot be read."""
        if self._stopped:
            return None
        if self._process is None:
            self._process = open_git(self._directory, None, "cat-file", "--batch", is_asked=True)
            if self._stopped:
                self._process.kill()
        try:
            return _answer(self._process, sha)
        except EOFError:
            # Git gives up at a damaged object. The next one may be sound, and what is known of a file must not depend
            # on those that were asked for before it.
            self.close()
            return None

    def stop(self) -> None:
        """Nobody wants to know any more; whoever reads gets nothing."""
        self._stopped = True
        process = self._process
        if process:
            process.kill()

    def close(self) -> None:
        """End git. It is not left to the end of its input: a process that somebody else forked may hold that open."""
        if self._process:
            with self._process as process:
                process.kill()
            self._process = None


def _answer(process: GitProcess, sha: bytes) -> bytes | None:
    """Ask for one content and read it whole, so that neither side ever waits for the other to read.

    Raises EOFError when git has ended, or says something else.
    """
    try:
        if process.stdin:
            process.stdin.write(sha + b"\n")
    except OSError:
        raise EOFError from None
    answer = bytearray()
    for chunk in read_chunks(process):
        answer += chunk
        start = answer.find(b"\n") + 1
        match answer[:start].split():
            case [name, _] if name == sha:  # "missing"
                return None
            case [name, kind, size] if name == sha and size.isdigit():
                end = start + int(size)
                if len(answer) > end:  # a line end follows
                    return bytes(answer[start:end]) if kind == b"blob" else None
            case [_, *_]:
                raise EOFError
    raise EOFError


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
