"""Files are written as a whole or not at all, in an order that never misleads, by one process at a time."""

import errno
import gzip
import os
import subprocess
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.model import Chunks, GzipOf, Note, OutputFile
from sitemap_plugins.output.writing import WriteError, locked, try_to_write, would_change, write

LONG_AGO = (1_000_000_000, 1_000_000_000)


def file(path: str, content: bytes | Chunks | GzipOf | None) -> OutputFile:
    return OutputFile(path=path, content=content)


class Stream:
    """Content in chunks, which counts how often it is requested and how many chunks are read."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks
        self.asked = 0
        self.taken = 0

    def __call__(self) -> Iterator[bytes]:
        self.asked += 1
        for chunk in self.chunks:
            self.taken += 1
            yield chunk


def failing(error: BaseException, *chunks: bytes) -> Chunks:
    """Content that fails before its end."""

    def make() -> Iterator[bytes]:
        yield from chunks
        raise error

    return make


def refuse_to_replace(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it impossible to replace this file with new content; old content can be restored."""
    replace = os.replace

    def refuse(source: str, target: str) -> None:
        if os.path.basename(target) == name and source.endswith(".new"):
            raise PermissionError(13, "in use")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)


def contents(directory: Path) -> dict[str, bytes]:
    """Every file below a folder, including drafts and hidden files."""
    files = [path for path in directory.rglob("*") if not path.is_dir()]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def test_missing_folders_are_created(tmp_path: Path) -> None:
    site = tmp_path / "not" / "yet"
    assert write([file("sitemap.xml", b"xml"), file("a/b/c.txt", b"")], site) == ["sitemap.xml", "a/b/c.txt"]
    assert contents(tmp_path) == {"not/yet/sitemap.xml": b"xml", "not/yet/a/b/c.txt": b""}


def test_without_files_no_folder_is_created(tmp_path: Path) -> None:
    assert write([file("sitemap.xml", None), file("a/b", None)], tmp_path / "site") == []
    assert not (tmp_path / "site").exists()


def test_an_unchanged_file_keeps_its_time(tmp_path: Path) -> None:
    for name in ("same", "other"):
        (tmp_path / name).write_bytes(b"1")
        os.utime(tmp_path / name, LONG_AGO)
    inode = (tmp_path / "same").stat().st_ino
    assert write([file("same", b"1"), file("other", b"2")], tmp_path) == ["other"]
    assert (tmp_path / "same").stat().st_mtime == LONG_AGO[1]
    assert (tmp_path / "same").stat().st_ino == inode
    assert (tmp_path / "other").stat().st_mtime > LONG_AGO[1]
    assert contents(tmp_path) == {"same": b"1", "other": b"2"}


def test_content_none_removes_the_file(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "empty").write_bytes(b"")
    assert write([file("sitemap.xml", None), file("empty", None), file("none", None)], tmp_path) == [
        "sitemap.xml",
        "empty",
    ]
    assert contents(tmp_path) == {}


def test_a_stale_compressed_copy_is_removed_before_the_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write([file("sitemap.xml", b"old"), file("sitemap.xml.gz", b"old")], tmp_path)
    seen: list[bool] = []
    replace = os.replace

    def replace_and_look(source: str, target: str) -> None:
        seen.append((tmp_path / "sitemap.xml.gz").exists())
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_and_look)
    assert write([file("sitemap.xml", b"new"), file("sitemap.xml.gz", None)], tmp_path) == [
        "sitemap.xml",
        "sitemap.xml.gz",
    ]
    assert seen == [False]


def test_all_new_contents_are_on_disk_before_the_first_file_changes_and_no_file_is_missing_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dict.fromkeys(["sitemap.xml", "sitemap-0.xml", "robots.txt"], b"old")
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    states: list[dict[str, bytes]] = []
    replace = os.replace

    def replace_and_look(source: str, target: str) -> None:
        states.append(contents(tmp_path))
        replace(source, target)

    monkeypatch.setattr(os, "replace", replace_and_look)
    write([file(name, b"new") for name in before], tmp_path)
    assert states[0].items() >= before.items()
    assert sorted(content for name, content in states[0].items() if name.endswith(".new")) == [b"new"] * 3
    assert [state for state in states if not (state.keys() >= before.keys())] == []
    assert contents(tmp_path) == dict.fromkeys(before, b"new")


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "../a", "a/../b", "a/..", "/a", "//host/a", "a\\b", "..\\a", "C:a", "C:/a", "a:stream", "a\x00b"],
)
def test_a_path_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    site = tmp_path / "site"
    for content in (b"2", None):
        with pytest.raises(
            WriteError, match=r"could not be written: it is not a path inside the output folder$"
        ) as error:
            write([file("good", b"1"), file(path, content)], site)
        assert error.value.path == path
    assert contents(tmp_path) == {}


@pytest.mark.parametrize("content", [b"xml", None])
def test_a_folder_in_the_way_changes_nothing(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    (tmp_path / "robots.txt").write_bytes(b"old")
    with pytest.raises(WriteError, match=r"^sitemap\.xml could not be written: there is a folder with that name$"):
        write([file("robots.txt", b"new"), file("sitemap.xml", content)], tmp_path)
    assert contents(tmp_path) == {"robots.txt": b"old"}
    assert (tmp_path / "sitemap.xml").is_dir()


def test_a_file_in_place_of_a_folder_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"old")
    (tmp_path / "maps").write_bytes(b"a file")
    with pytest.raises(WriteError, match=r"^maps/sitemap\.xml could not be written: \w") as error:
        write([file("robots.txt", b"new"), file("maps/sitemap.xml", b"xml")], tmp_path)
    assert error.value.path == "maps/sitemap.xml"
    assert isinstance(error.value.__cause__, OSError)
    assert contents(tmp_path) == {"robots.txt": b"old", "maps": b"a file"}


def test_a_full_disk_changes_nothing_and_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "stale.gz").write_bytes(b"old")
    too_much = failing(OSError(28, "No space left on device"), b"too")
    files = [file("sitemap.xml", b"new"), file("stale.gz", None), file("sitemap.xml.gz", too_much)]
    with pytest.raises(WriteError, match=r"^sitemap\.xml\.gz could not be written: No space left on device$"):
        write(files, tmp_path)
    assert contents(tmp_path) == {"sitemap.xml": b"old", "stale.gz": b"old"}


def test_replaced_files_are_restored_if_a_later_rename_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gone.gz", "sitemap.xml", "sitemap.xml.gz"):
        (tmp_path / name).write_bytes(b"old")
    refuse_to_replace("sitemap.xml.gz", monkeypatch)
    changes = [
        file("gone.gz", None),
        file("new.xml", b"new"),
        file("sitemap.xml", b"new"),
        file("sitemap.xml.gz", b"new"),
    ]
    with pytest.raises(WriteError, match=r"^sitemap\.xml\.gz could not be written: in use$"):
        write(changes, tmp_path)
    assert contents(tmp_path) == dict.fromkeys(["gone.gz", "sitemap.xml", "sitemap.xml.gz"], b"old")


def test_an_error_without_a_system_message_is_shown_unchanged(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(WriteError, match=r"^a could not be written: the disk is on strike$"):
        write([file("a", failing(OSError("the disk is on strike")))], tmp_path)


def test_the_target_of_a_link_is_not_written(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    site = tmp_path / "site"
    site.mkdir()
    for name in ("new", "same", "gone"):
        (site / name).symlink_to(tmp_path / "mine")
    (site / "folder").symlink_to(tmp_path)
    (site / "dangling").symlink_to(tmp_path / "nothing")
    files = [
        file("new", b"new"),
        file("same", b"mine"),
        file("gone", None),
        file("folder", b"f"),
        file("dangling", b"d"),
    ]
    assert write(files, site) == ["new", "same", "gone", "folder", "dangling"]
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert not (tmp_path / "nothing").exists()
    assert contents(site) == {"new": b"new", "same": b"mine", "folder": b"f", "dangling": b"d"}
    assert [path for path in site.iterdir() if path.is_symlink()] == []


class TestLeftovers:
    OURS = (".sitemap-plugins-0123456789abcdef-0.new", ".sitemap-plugins-0123456789abcdef-12.old")

    def test_leftovers_of_a_killed_build_are_removed_and_no_other_files(self, tmp_path: Path) -> None:
        others = (
            ".sitemap-plugins",
            ".sitemap-plugins-notes.md",
            ".new",
            "a.new",
            ".htaccess",
            "sitemap-plugins-1.new",
        )
        for folder in (tmp_path, tmp_path / "fr"):
            folder.mkdir(exist_ok=True)
            for name in (*self.OURS, *others):
                (folder / name).write_bytes(b"half a draf")
        write([file("sitemap.xml", b"xml"), file("fr/sitemap.xml", b"xml")], tmp_path)
        assert {*contents(tmp_path)} == {
            f"{folder}{name}" for folder in ("", "fr/") for name in (*others, "sitemap.xml")
        }

    def test_leftovers_of_a_running_build_in_a_folder_below_are_kept(self, tmp_path: Path) -> None:
        (tmp_path / "fr").mkdir()
        (tmp_path / "fr" / self.OURS[0]).write_bytes(b"half a draf")
        with locked(tmp_path / "fr", 0):
            (tmp_path / "fr" / self.OURS[1]).write_bytes(b"half a draf")
            write([file("fr/sitemap.xml", b"xml")], tmp_path)
        assert {*contents(tmp_path)} == {f"fr/{self.OURS[1]}", "fr/sitemap.xml"}

    def test_leftovers_in_a_whole_tree_except_those_of_a_build_that_is_running(self, tmp_path: Path) -> None:
        for folder in ("1.0/a", "2.0/a"):
            (tmp_path / folder).mkdir(parents=True)
            (tmp_path / folder / self.OURS[0]).write_bytes(b"half a draf")
        with locked(tmp_path / "2.0"), locked(tmp_path, whole_tree=True):
            assert {*contents(tmp_path)} == {f"2.0/a/{self.OURS[0]}"}
        with locked(tmp_path, whole_tree=True):
            assert not contents(tmp_path)


def test_an_unwritable_file_is_a_note_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    assert try_to_write([file("a", b"1"), file("b", b"2")], tmp_path) == [
        Note(kind="unwritable", message="b could not be written: there is a folder with that name")
    ]
    assert contents(tmp_path) == {}


def test_an_interruption_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write([file("a", b"new"), file("b", failing(KeyboardInterrupt(), b"be")), file("c", None)], tmp_path)
    assert contents(tmp_path) == {"a": b"old"}


class TestStreams:
    def test_streams_are_requested_once(self, tmp_path: Path) -> None:
        for old in (None, b"", b"one", b"onetwo", b"onetwothree", b"onetwothree!", b"xxx"):
            (tmp_path / "a").unlink(missing_ok=True)
            if old is not None:
                (tmp_path / "a").write_bytes(old)
            stream = Stream(b"one", b"two", b"", b"three")
            assert write([file("a", stream)], tmp_path) == ([] if old == b"onetwothree" else ["a"])
            assert (stream.asked, stream.taken) == (1, 4)
            assert contents(tmp_path) == {"a": b"onetwothree"}

    @given(st.none() | st.binary(max_size=12), st.lists(st.binary(max_size=5), max_size=5))
    @example(b"abcdef", [b"abc", b"dex"])
    @example(b"abcdef", [b"abc", b"def", b""])
    def test_streams_replace_any_content(self, old: bytes | None, chunks: list[bytes]) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder, "a")
            if old is not None:
                path.write_bytes(old)
            new = b"".join(chunks)
            for written in ([] if old == new else ["a"], []):
                assert would_change([file("a", Stream(*chunks))], folder) == written
                assert write([file("a", Stream(*chunks))], folder) == written
                assert contents(Path(folder)) == {"a": new}

    def test_streams_are_never_in_memory_as_a_whole(self, tmp_path: Path) -> None:
        piece = bytes(range(256)) * 256
        size = 48 * len(piece) * 16

        def stream(last: bytes) -> Chunks:
            def make() -> Iterator[bytes]:
                for _ in range(48 * 16):
                    yield piece + b""
                yield last

            return make

        # New, the same, and different at the very end; 48 MiB each.
        for last, changed in ((b"1", ["a", "a.gz"]), (b"1", []), (b"2", ["a", "a.gz"])):
            tracemalloc.start()
            try:
                assert write([file("a", stream(last)), file("a.gz", GzipOf("a", compress))], tmp_path) == changed
                _, peak = tracemalloc.get_traced_memory()
            finally:
                tracemalloc.stop()
            assert peak < 4 * 1024 * 1024
            assert (tmp_path / "a").stat().st_size == size + 1


class TestGzipOf:
    """SM-GZ-01: a compressed file has the content of the file beside it, whichever of them changes."""

    FILES = (("sitemap.xml", Stream(b"on", b"e")), ("sitemap.xml.gz", GzipOf("sitemap.xml", compress)))

    def files(self) -> list[OutputFile]:
        return [file(*each) for each in self.FILES]

    @pytest.mark.parametrize(
        ("there", "changed"),
        [
            ({}, ["sitemap.xml", "sitemap.xml.gz"]),
            ({"sitemap.xml": b"one"}, ["sitemap.xml.gz"]),
            ({"sitemap.xml": b"one", "sitemap.xml.gz": b"damaged"}, ["sitemap.xml.gz"]),
            ({"sitemap.xml": b"two", "sitemap.xml.gz": b"of two"}, ["sitemap.xml", "sitemap.xml.gz"]),
            ({"sitemap.xml": b"two", "sitemap.xml.gz": b"whole"}, ["sitemap.xml"]),
            ({"sitemap.xml": b"one", "sitemap.xml.gz": b"whole"}, []),
        ],
    )
    @pytest.mark.parametrize("run", [write, would_change])
    def test_any_existing_compressed_file_is_updated(
        self,
        tmp_path: Path,
        there: dict[str, bytes],
        changed: list[str],
        run: Callable[[list[OutputFile], Path], list[str]],
    ) -> None:
        write(self.files(), tmp_path / "fresh")
        fresh = contents(tmp_path / "fresh")
        assert gzip.decompress(fresh["sitemap.xml.gz"]) == b"one"
        site = tmp_path / "site"
        site.mkdir()
        for name, content in there.items():
            (site / name).write_bytes(fresh["sitemap.xml.gz"] if content == b"whole" else content)
        before = contents(site)
        assert run(self.files(), site) == changed
        assert contents(site) == (fresh if run is write else before)


class TestDryRun:
    def test_a_dry_run_names_changes_and_makes_none(self, tmp_path: Path) -> None:
        before = {"same": b"1", "other": b"1", "gone": b"1"}
        for name, content in before.items():
            (tmp_path / name).write_bytes(content)
        files = [file("same", b"1"), file("other", b"2"), file("gone", None), file("none", None), file("new", b"")]
        assert would_change(files, tmp_path) == ["other", "gone", "new"]
        assert contents(tmp_path) == before

    def test_a_dry_run_stops_reading_a_stream_at_the_first_difference(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"onetwo")
        stream = Stream(b"xxx", b"two", b"three")
        assert would_change([file("a", stream)], tmp_path) == ["a"]
        assert stream.taken == 1

    @pytest.mark.parametrize("path", ["../a", "folder"])
    def test_a_dry_run_refuses_invalid_paths(self, tmp_path: Path, path: str) -> None:
        (tmp_path / "folder").mkdir()
        with pytest.raises(WriteError):
            would_change([file(path, b"1")], tmp_path)


def state(directory: Path) -> dict[str, tuple[object, int]]:
    """Every file and link with its content and mode, including drafts and backups."""
    return {
        path.name: (os.readlink(path) if path.is_symlink() else path.read_bytes(), path.lstat().st_mode)
        for path in sorted(directory.iterdir())
    }


def prepare_everything(site: Path) -> tuple[dict[str, tuple[object, int]], list[OutputFile]]:
    """A folder with a file of each kind, and the changes to make."""
    site.mkdir()
    for name in ("changed.xml", "gone.xml", "same.xml", "last.xml", "target"):
        (site / name).write_bytes(b"old")
    (site / "changed.xml").chmod(0o640)
    (site / "gone.xml").chmod(0o600)
    (site / "link.xml").symlink_to("target")
    (site / "dangling.xml").symlink_to("nothing")
    files = [
        file("new.xml", b"new"),
        file("changed.xml", Stream(b"ne", b"w")),
        file("changed.xml.gz", GzipOf("changed.xml", compress)),
        file("gone.xml", None),
        file("dangling.xml", None),
        file("same.xml", b"old"),
        file("link.xml", b"new"),
        file("last.xml", b"new"),
    ]
    return state(site), files


class TestFailures:
    @pytest.mark.parametrize("error", [OSError(1, "not here"), NotImplementedError("follow_symlinks")])
    def test_failures_are_undone_without_hard_links(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
    ) -> None:
        before, files = prepare_everything(tmp_path / "site")

        def refuse_link(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(os, "link", refuse_link)
        with monkeypatch.context() as patch:
            refuse_to_replace("last.xml", patch)
            (note,) = try_to_write(files, tmp_path / "site")
        assert note.message == "last.xml could not be written: in use"
        assert state(tmp_path / "site") == before
        assert try_to_write(files, tmp_path / "site") == []

    def test_a_file_that_cannot_be_restored_is_reported_and_the_others_are_restored(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in "abcd":
            (tmp_path / name).write_bytes(b"old")
        replace = os.replace

        def refuse(source: str, target: str) -> None:
            if (source[-4:], os.path.basename(target)) in {(".new", "c"), (".old", "a")}:
                raise PermissionError(13, "in use")
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        (note,) = try_to_write([file(name, b"new") for name in "abcd"], tmp_path)
        assert note.message == "c could not be written: in use; a could not be restored: build again"
        assert contents(tmp_path) == {"a": b"new", "b": b"old", "c": b"old", "d": b"old"}

    def test_a_failing_disk_is_not_mistaken_for_a_missing_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "a").write_bytes(b"old")

        def refuse(_: str) -> os.stat_result:
            raise OSError(5, "Input/output error")

        monkeypatch.setattr(os, "lstat", refuse)
        for content in (b"new", None):
            with pytest.raises(WriteError, match=r"^a could not be written: Input/output error$"):
                write([file("a", content)], tmp_path)
        assert contents(tmp_path) == {"a": b"old"}

    def test_failures_leave_no_folders(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        refuse_to_replace("b", monkeypatch)
        assert try_to_write([file("new/folder/a", b"a"), file("b", b"b")], tmp_path / "site")
        assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("mode", [0o600, 0o755])
def test_a_file_that_changes_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(mode)
    assert write([file("a", b"new")], tmp_path) == ["a"]
    assert (tmp_path / "a").stat().st_mode & 0o777 == mode


def test_a_file_in_place_of_a_link_has_the_mode_of_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    (tmp_path / "mine").chmod(0o600)
    (tmp_path / "a").symlink_to("mine")
    write([file("a", b"new"), file("b", b"new")], tmp_path)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode
    assert (tmp_path / "mine").stat().st_mode & 0o777 == 0o600


def test_the_last_of_two_contents_for_one_file_is_written(tmp_path: Path) -> None:
    files = [file("a", None), file("b", b"1"), file("a", b"2")]
    assert write(files, tmp_path) == ["a", "b"]
    assert contents(tmp_path) == {"a": b"2", "b": b"1"}


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
