"""Only one build at a time writes into a folder."""

import errno
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import WriteError, locked, try_to_write, write

FILES = [OutputFile(path="sitemap.xml", content=b"xml")]
LEFTOVER = ".sitemap-plugins-0123456789abcdef-0.new"
HOLD = """
import sys
from sitemap_plugins.output.writing import locked
with locked(sys.argv[1]):
    print("locked", flush=True)
    sys.stdin.read()
"""


class Holder:
    """Another process that writes into a folder."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLD, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdout
        assert self.process.stdout.read(6) == b"locked"

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[Holder]:
    holder = Holder(tmp_path)
    yield holder
    holder.end()


@pytest.mark.usefixtures("holder")
def test_an_error_names_the_folder_if_another_process_is_writing(tmp_path: Path) -> None:
    with pytest.raises(WriteError) as refusal, locked(tmp_path, patience=0.1):
        pass
    assert str(refusal.value) == (
        f"{tmp_path} could not be written: another build has been writing there for 0.1 seconds; "
        "build again when it has finished"
    )


def test_a_build_waits_for_another_process(tmp_path: Path, holder: Holder, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        holder.end()

    monkeypatch.setattr("sitemap_plugins.output.writing.time.sleep", sleep)
    assert write(FILES, tmp_path) == ["sitemap.xml"]
    assert pauses == [0.02]


@pytest.mark.usefixtures("holder")
def test_nothing_is_changed_or_removed_without_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / LEFTOVER).write_bytes(b"half a draf")
    monkeypatch.setattr("sitemap_plugins.output.writing.time.monotonic", iter([0.0, 5.0, 10.0]).__next__)
    (note,) = try_to_write(FILES, tmp_path)
    assert "for 10 seconds" in note.message
    assert os.listdir(tmp_path) == [LEFTOVER]


@pytest.mark.usefixtures("holder")
def test_other_folders_are_locked_separately(tmp_path: Path) -> None:
    (tmp_path / "fr").mkdir()
    assert write(FILES, tmp_path / "fr") == ["sitemap.xml"]


@pytest.mark.skipif(os.name == "nt", reason="on Windows a folder is locked with a file elsewhere")
@pytest.mark.usefixtures("holder")
def test_a_link_to_a_locked_folder_is_locked_too(tmp_path: Path) -> None:
    link = tmp_path.with_name(f"{tmp_path.name}-link")
    link.symlink_to(tmp_path)
    with pytest.raises(WriteError), locked(link, patience=0):
        pass


def test_the_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    for _ in "ab":
        with locked(tmp_path, 0):
            assert os.listdir(tmp_path) == []
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_read_only_folder_can_be_locked(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with locked(tmp_path, 0), pytest.raises(WriteError), locked(tmp_path, 0):
            pass
    finally:
        tmp_path.chmod(0o700)


def test_a_missing_folder_is_not_locked(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for name in ("nothing", "file"):
        with locked(tmp_path / name, 0), locked(tmp_path / name, 0):
            pass


@pytest.mark.skipif(os.name == "nt", reason="POSIX locks")
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP])
def test_files_are_written_without_a_lock_if_the_disk_does_not_support_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    (tmp_path / LEFTOVER).write_bytes(b"half a draf")
    monkeypatch.setattr("fcntl.flock", refuse)
    assert write(FILES, tmp_path) == ["sitemap.xml"]
    # It may be a draft of a running build.
    assert sorted(os.listdir(tmp_path)) == [LEFTOVER, "sitemap.xml"]


def test_files_are_written_without_a_lock_if_the_system_does_not_support_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "msvcrt" if os.name == "nt" else "fcntl", None)
    assert write(FILES, tmp_path) == ["sitemap.xml"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has the real module")
def test_windows_locks_a_temporary_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    calls = []

    def locking(descriptor: int, mode: int, size: int) -> None:
        calls.append((mode, size))
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(errno.EACCES, "Permission denied") from None

    site, temporary = tmp_path / "site", tmp_path / "temporary"
    for folder in (site, temporary, tmp_path / "other"):
        folder.mkdir()
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.setattr(sys, "platform", "win32")
    with locked(site), locked(tmp_path / "other", patience=0):
        with pytest.raises(WriteError), locked(site, patience=0):
            pass
        assert os.listdir(site) == []
        assert len(os.listdir(temporary)) == 2
        assert [
            name
            for name in os.listdir(temporary)
            if not (name.startswith("sitemap-plugins-") and name.endswith(".lock"))
        ] == []
    with locked(site, patience=0):
        assert len(os.listdir(temporary)) == 2
    assert calls == [(2, 1)] * 4
