"""The one git process that prints a history, read commit by commit while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final, Self

from sitemap_plugins.enrich.git_process import explain_failure, open_git, read_chunks, read_text
from sitemap_plugins.enrich.git_repository import HistoryError
from sitemap_plugins.enrich.git_walk import Step, cut, read_steps

_LOG: Final = (
    "log", "--parents", "--pretty=raw", "--raw", "--no-abbrev", "--no-abbrev-commit", "-z", "--no-renames",
    "--full-history", "--sparse", "--no-color", "--no-decorate", "--no-notes", "--encoding=UTF-8", "--no-ext-diff",
    "--no-textconv", "--no-relative", "--ignore-submodules=none", "-O/dev/null",
)  # fmt: skip
_ALL_PARENTS: Final = ("--diff-merges=separate",)
_FIRST_PARENT: Final = ("--first-parent", "--diff-merges=first-parent")


class Stream:
    """What ``git log`` prints for these arguments, from now on; leaving the context ends it.

    ``told`` are lines for its standard input. With ``first_parent`` a merge is what it did to its first parent.
    """

    def __init__(self, directory: str, *arguments: str, told: Iterable[bytes] = (), first_parent: bool = False) -> None:
        self._directory = directory
        self._first_parent = first_parent
        self._complaints = TemporaryFile()  # noqa: SIM115  # closed with the context
        with TemporaryFile() as lines:
            lines.writelines(line + b"\n" for line in told)
            lines.seek(0)
            parents = _FIRST_PARENT if first_parent else _ALL_PARENTS
            self._process = open_git(directory, self._complaints, *_LOG, *parents, *arguments, told=lines)

    def __iter__(self) -> Iterator[Step]:
        """The commits as they come. Raises `HistoryError` where git did not come to its end."""
        return read_steps(cut(self._chunks()), first_parent=self._first_parent)

    def _chunks(self) -> Iterator[bytes]:
        yield from read_chunks(self._process)
        # Before the last commit is given to anybody: who knows what else it would have changed.
        if self._process.wait():
            raise HistoryError(explain_failure(read_text(self._complaints), self._directory))

    def kill(self) -> None:
        """End it at once; any thread may do that."""
        self._process.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._process as process:
            process.kill()
        self._complaints.close()
