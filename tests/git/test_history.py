"""The dates and other facts of all files below a folder, and the rules for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.history import UNREADABLE, DateRules, History, HistoryReader
from sitemap_plugins.git.repository import IGNORE_REVS
from sitemap_plugins.model import SHALLOW, FileDate
from tests.builders import interruptible, long_text
from tests.git.histories import add_commit, day, days

if TYPE_CHECKING:
    from tests.conftest import Repository


class TestFiles:
    @pytest.fixture
    def docs(self, repository: Repository) -> Path:
        repository.write("docs/a.md", "one")
        repository.write("docs/guide/b.md", "one")
        repository.write("docs/c.rst", "one")
        repository.commit("2026-01-02T03:04:05+02:00")
        return repository.path / "docs"

    def test_all_fields_of_a_file(self, docs: Path, repository: Repository) -> None:
        history = HistoryReader(docs).history()
        date = history.files[b"guide/b.md"]

        assert date.when is not None
        assert date.when.isoformat() == "2026-01-02T03:04:05+02:00"
        assert date == FileDate(
            when=date.when,
            commit=repository.git("rev-parse", "HEAD"),
            added=True,
            path="docs/guide/b.md",
            repository=os.path.realpath(repository.path),
        )

    def test_all_fields_of_the_history(self, docs: Path, repository: Repository) -> None:
        history = HistoryReader(docs).history()

        assert history == History(
            directory=os.path.realpath(docs),
            toplevel=os.path.realpath(repository.path),
            head=repository.git("rev-parse", "HEAD"),
            files=history.files,
            head_date=history.files[b"a.md"].when,
            newest=history.files[b"a.md"].when,
        )
        assert set(history.files) == {b"a.md", b"c.rst", b"guide/b.md"}

    def test_added_or_changed(self, docs: Path, repository: Repository) -> None:
        repository.write("docs/a.md", "two")
        repository.write("docs/new.md", "one")
        repository.commit(day(1))

        files = HistoryReader(docs).history().files

        assert {name for name, date in files.items() if date.added} == {b"c.rst", b"guide/b.md", b"new.md"}

    def test_a_modified_file_has_the_date_of_its_last_commit(self, docs: Path, repository: Repository) -> None:
        repository.write("docs/a.md", "another length")
        repository.write("docs/guide/b.md", "staged and longer")
        repository.git("add", "docs/guide/b.md")
        history = HistoryReader(docs).history()

        assert {name: (date.modified, date.when) for name, date in history.files.items()} == {
            b"a.md": (True, history.newest),
            b"guide/b.md": (True, history.newest),
            b"c.rst": (False, history.newest),
        }

    def test_only_wanted_suffixes(self, docs: Path) -> None:
        assert set(HistoryReader(docs, (".md", ".txt")).history().files) == {b"a.md", b"guide/b.md"}

    @pytest.mark.parametrize("files", [{b"a.md"}, {b"guide/b.md", b"c.rst"}, {b"a.md", b"guide/b.md", b"c.rst"}, set()])
    def test_only_wanted_files(self, files: set[bytes], docs: Path, repository: Repository) -> None:
        wanted = {b"docs/" + name for name in files}

        assert set(HistoryReader(docs, files=files | {b"none.md"}).history().files) == files
        assert set(HistoryReader(repository.path, files=wanted | {b"none/a.md"}).history().files) == wanted

    def test_files_in_very_many_folders(self, repository: Repository) -> None:
        names = [f"{number}/a.md" for number in range(200)]
        for number in range(2):
            for name in names[number::2]:
                repository.write(name, "one")
            repository.write("b.md", str(number))
            repository.commit(day(number + 1))

        files = HistoryReader(repository.path, files={name.encode() for name in names}).history().files

        assert len(files) == 200
        assert {files[b"%d/a.md" % number].when.day for number in range(0, 200, 2)} == {1}  # type: ignore[union-attr]
        assert {files[b"%d/a.md" % number].when.day for number in range(1, 200, 2)} == {2}  # type: ignore[union-attr]

    def test_asked_twice(self, docs: Path) -> None:
        reader = HistoryReader(docs)

        assert reader.history() is reader.history()

    def test_wait_returns_at_the_end(self, docs: Path) -> None:
        reader = HistoryReader(docs)

        assert reader.wait(60) is None
        assert reader.history().files

    def test_a_last_commit_that_changed_nothing_counts_for_a_whole_folder(
        self, docs: Path, repository: Repository
    ) -> None:
        repository.commit(day(9))
        single = HistoryReader(docs, files={b"a.md"}).history()

        assert HistoryReader(docs).history().newest == datetime.fromisoformat(day(9))
        assert single.newest == single.files[b"a.md"].when

    def test_a_file_without_a_date_that_exists_is_unreadable(self, repository: Repository) -> None:
        add_commit(repository, "author A <a@b> 1 +0000", "committer A <a@b> yesterday +0000")
        repository.write("docs/a.md", "another length")

        history = HistoryReader(repository.path / "docs").history()
        date = history.files[b"a.md"]

        assert (date.when, date.reason, date.modified) == (None, UNREADABLE, True)
        assert date.commit == repository.git("rev-parse", "HEAD~1")
        assert history.newest == datetime(2026, 2, 28, 9, tzinfo=UTC)


class TestRevisions:
    @pytest.fixture
    def tagged(self, repository: Repository) -> Repository:
        """A version in which ``a.md`` is of the 1st, and a later commit that changes, adds and removes files."""
        repository.write("docs/a.md", "one")
        repository.write("docs/b.md", "one")
        repository.commit(day(1))
        repository.write("docs/b.md", "two")
        repository.commit(day(2))
        repository.git("tag", "--annotate", "--message=a version", "v1")
        repository.git("mv", "docs/a.md", "docs/c.md")
        repository.write("docs/b.md", "three")
        repository.write("docs/new.md", "one")
        repository.commit(day(3))
        return repository

    @pytest.mark.parametrize("what", ["v1", "HEAD~1"])
    def test_a_version(self, what: str, tagged: Repository) -> None:
        """By its full id, or by the id of an annotated tag."""
        revision = tagged.git("rev-parse", what)

        history = HistoryReader(tagged.path / "docs", revision=revision, rules=DateRules()).history()

        assert history.head == tagged.git("rev-parse", "v1^{commit}")
        assert {name: date.when and date.when.day for name, date in history.files.items()} == {b"a.md": 1, b"b.md": 2}
        assert history.newest is not None
        assert history.newest.isoformat() == day(2)


class TestKindsOfDates:
    @pytest.fixture
    def merged(self, repository: Repository) -> Repository:
        """On ``side``, ``a.md`` was written on the 1st, committed on the 2nd, and merged on the 5th."""
        repository.write("docs/b.md", "one")
        repository.commit(day(1))
        repository.git("checkout", "--quiet", "-b", "side")
        repository.write("docs/a.md", "another")
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--message=a change", f"--date={day(1)}", when=day(2))
        repository.git("commit", "--quiet", "--amend", "--no-edit", f"--date={day(1)}", when=day(2))
        repository.git("checkout", "--quiet", "main")
        repository.write("docs/b.md", long_text("b.md"))
        repository.commit(day(4))
        repository.git("merge", "--quiet", "--no-ff", "--no-edit", "side", when=day(5))
        return repository

    @pytest.mark.parametrize(
        ("kind", "expected"),
        [
            ("committer", {"a.md": "2", "b.md": "4"}),
            ("author", {"a.md": "1", "b.md": "4"}),
            ("landed", {"a.md": "5", "b.md": "4"}),
        ],
    )
    def test_each(self, kind: str, expected: dict[str, str], merged: Repository) -> None:
        assert days(merged.path / "docs", date=kind) == expected

    def test_a_file_from_a_merge_was_added_by_the_merge(self, merged: Repository) -> None:
        date = HistoryReader(merged.path / "docs", rules=DateRules(date="landed")).history().files[b"a.md"]

        assert date.added
        assert date.commit == merged.git("rev-parse", "HEAD")

    def test_the_default_ignore_file_has_no_effect_on_landed_dates(self, merged: Repository) -> None:
        merged.write("docs/b.md", "formatted")
        sha = merged.commit(day(6))
        file = merged.write(IGNORE_REVS, sha)
        merged.commit(day(7))

        assert days(merged.path / "docs") == {"a.md": "2", "b.md": "4"}
        assert days(merged.path / "docs", date="landed") == {"a.md": "5", "b.md": "6"}
        assert days(merged.path / "docs", date="landed", ignore_revs=(str(file),)) == {"a.md": "5", "b.md": "4"}


class TestCreation:
    @pytest.fixture
    def grown(self, repository: Repository) -> Repository:
        """Two pages of the 1st and the 2nd, changed on the 3rd. The first is moved on the 4th and changed on the 5th."""
        for number, name in ((1, "src/a.md"), (2, "docs/b.md")):
            repository.write(name, long_text(name))
            repository.commit(day(number))
        for name in ("src/a.md", "docs/b.md"):
            repository.write(name, long_text(f"{name}, changed"))
        repository.commit(day(3))
        repository.git("mv", "src/a.md", "docs/c.md")
        repository.commit(day(4))
        repository.write("docs/c.md", "at last")
        repository.commit(day(5))
        return repository

    def test_the_first_commit_of_the_content(self, grown: Repository) -> None:
        assert days(grown.path / "docs", created=True) == {"b.md": "2", "c.md": "1"}
        assert days(grown.path / "docs", created=True, follow_renames=False) == {"b.md": "2", "c.md": "4"}
        assert days(grown.path / "docs") == {"b.md": "3", "c.md": "5"}

    def test_an_ignored_commit_that_adds_a_file_counts(self, grown: Repository, revs: Any) -> None:
        ignored = revs(*grown.git("rev-list", "HEAD").split())

        assert days(grown.path / "docs", created=True, ignore_revs=ignored) == {"b.md": "2", "c.md": "1"}

    def test_by_commit_date_or_by_landed_date(self, grown: Repository) -> None:
        grown.git("checkout", "--quiet", "-b", "side")
        grown.write("docs/new.md", "one")
        grown.commit(day(8))
        grown.git("checkout", "--quiet", "main")
        grown.git("merge", "--quiet", "--no-ff", "--no-edit", "side", when=day(9))

        assert days(grown.path / "docs", (".md",), created=True)["new.md"] == "8"
        assert days(grown.path / "docs", (".md",), created=True, date="landed")["new.md"] == "9"

    @pytest.mark.usefixtures("grown")
    def test_in_a_shallow_clone(self, clone: Any) -> None:
        assert days(clone("--depth=2") / "docs", created=True) == {"b.md": SHALLOW, "c.md": SHALLOW}
        assert days(clone("--depth=5", name="deeper") / "docs", created=True) == {"b.md": "2", "c.md": SHALLOW}


@pytest.mark.skipif(os.name == "nt", reason="interrupts of POSIX")
@pytest.mark.parametrize("moment", ["while it waits", "while the thread starts"])
def test_an_interrupt_while_git_starts(moment: str, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """Git has started already, and the thread that started it does not know that yet: it is ended all the same."""
    started: list[subprocess.Popen[bytes]] = []
    readers: list[HistoryReader] = []
    interrupted = threading.Event()
    start = threading.Thread.start

    def open_slowly(*_: object, **__: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "input()"]
        started.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        interrupted.wait()
        while not readers[0]._stopped:
            time.sleep(0.01)
        return started[0]

    def start_slowly(thread: threading.Thread) -> None:
        if thread.name == "sitemap-git":
            readers.append(thread._target.__self__)  # type: ignore[attr-defined]
        start(thread)
        while thread.name == "sitemap-git" and moment == "while the thread starts":
            time.sleep(0.01)

    repository.write("a.md", "one")
    repository.commit(day(1))
    monkeypatch.setattr("sitemap_plugins.git.history.open_git", open_slowly)
    monkeypatch.setattr(threading.Thread, "start", start_slowly)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        HistoryReader(repository.path).wait(600)
    interrupted.set()
    if moment == "while it waits":
        readers[0].stop()
        assert started[0].returncode is not None
    else:  # the caller has no reader to stop
        started[0].wait(600)
