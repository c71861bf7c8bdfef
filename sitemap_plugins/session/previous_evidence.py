"""The evidence of the last deployment: the option ``previous_evidence``.

A build compares its pages with it (see `sitemap_plugins.session.gone`), and takes dates from it in a shallow clone.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Final

from sitemap_plugins.git import GitDates, History, Memory, toplevel_of
from sitemap_plugins.model import SHALLOW, UNREMEMBERED, Note
from sitemap_plugins.reading import ABSENT, EVIDENCE, below_current, from_current, read_file
from sitemap_plugins.values.text import count_of

if TYPE_CHECKING:
    from sitemap_plugins.provenance import Evidence

_SHORT: Final = 10  # characters of a commit's id


class PreviousEvidence:
    """The evidence in a file, which is read at once, and parsed when the first history needs it, in its thread.

    The host may empty the folder with the file later in the build. The file is relative to ``root``, the folder of the
    configuration. Messages, which name commands to run, call it ``file``: its path from the current folder, except that
    an absolute path outside of that folder stays as it is. ``is_expected`` says that a missing file is worth a message.
    ``gives_dates`` says that a history is read in a shallow clone.
    """

    def __init__(self, file: str, root: str | os.PathLike[str], *, is_expected: bool) -> None:
        self.problem = ""
        path = os.path.join(root, file)
        self.file = (below_current(path) if os.path.isabs(file) else from_current(path)) or file
        self.gives_dates = False
        self._content: bytes | None = None
        self._lock = Lock()
        self._top = ""
        try:
            self._content = read_file(path, EVIDENCE) or None  # git show may leave an empty file
        except ABSENT:
            pass
        except OSError as error:
            self.problem = error.strerror or str(error)
        except ValueError as error:  # a name that is not valid on any system
            self.problem = str(error)
        if self._content is None and is_expected:
            self.problem = self.problem or "there is no such file, or it is empty, as before the first deployment"

    def start(self, folder: str) -> None:
        """Set the folder of the documents, whose repository is the first one in the evidence."""
        self._top = toplevel_of(os.path.realpath(folder)) or ""

    def memory_of(self, toplevel: str) -> Memory | None:
        """What the earlier build knew about the repository with this top folder, see `sitemap_plugins.git.MemoryOf`.

        Only histories of shallow clones ask for it.
        """
        self.gives_dates = True
        from sitemap_plugins.provenance import name_of_repository

        with self._lock:
            return self._memories.get(name_of_repository(toplevel, self._top))

    def find_problem(self) -> str:
        """Why no date comes from the file, after parsing it; empty if some may."""
        with self._lock:
            return self.problem if self._evidence is None else ""

    def is_of(self, base_url: str) -> bool:
        """Whether the evidence is that of this site; if not, no date from it counts."""
        with self._lock:
            evidence = self._evidence
            if evidence is None or evidence.base == base_url:
                return True
            self.problem = f"it is the evidence of another site, {evidence.base}"
            return False

    @property
    def evidence(self) -> Evidence | None:
        """The evidence, if it can be compared with this build."""
        with self._lock:
            return self._evidence if not self.problem else None

    @cached_property
    def _evidence(self) -> Evidence | None:
        if self._content is None:
            return None
        from sitemap_plugins.provenance import EvidenceError, read_previous

        try:
            return read_previous(self._content)
        except EvidenceError as error:
            self.problem = str(error)
            return None
        finally:
            self._content = b""  # it may be large

    @cached_property
    def _memories(self) -> Mapping[str, Memory]:
        from sitemap_plugins.provenance import memories_of

        return memories_of(self._evidence) if self._evidence else {}

    def notes(self, git: GitDates | None, deepen: str) -> Iterator[Note]:
        """What the evidence was good for; ``deepen`` tells how to make the clone deeper, as the end of a sentence."""
        for message in self._messages(git.histories if git else (), deepen):
            yield Note(kind="previous-evidence", message=f"{self.file}: {message}")

    def _messages(self, histories: Sequence[History], deepen: str) -> Iterator[str]:
        if self.problem:
            yield f"{self.problem}; {'no date comes from it' if self.gives_dates else 'no page is compared with it'}"
        if self.problem or not self.gives_dates:
            return
        for objection in dict.fromkeys(history.objection for history in histories if history.objection):
            yield f"{objection}; no date comes from it"
        used = [history for history in histories if history.previous]
        if not used:
            dates = (date for history in histories if not history.objection for date in history.files.values())
            if self._evidence and any(date.reason == SHALLOW for date in dates):
                yield "it does not know the repository of the files; no date comes from it"
            return
        head = used[0].previous[:_SHORT]
        files = [date for history in used for date in history.files.values()]
        known = sum(date.since is not None for date in files)
        missing = Counter(date.reason for date in files if date.reason in {SHALLOW, UNREMEMBERED})
        if known:
            yield f"{count_of(known, 'file')} unchanged since the build of {head}, which knew the dates"
        if not missing:
            return
        number = count_of(missing.total(), "file")
        if known or missing[UNREMEMBERED]:
            why = f"neither the clone nor the build of {head} dates them"
        else:
            why = f"they are older than the clone, which does not reach the build of {head}"
        yield (
            f"{number} without a date: {why}; {deepen}, or run before the build: "
            f"sitemap-plugins dates DOCS --previous {self.file} --complete || git fetch --unshallow"
        )
