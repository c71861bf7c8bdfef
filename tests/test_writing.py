"""The function that touches the disk: all files, or none, and none that is the same already."""

import os
from pathlib import Path

import pytest

from sitemap_plugins.model import Note
from sitemap_plugins.output import OutputFile
from sitemap_plugins.writing import WriteError, try_to_write, write

LONG_AGO = (1_000_000_000, 1_000_000_000)


def file(path: str, content: bytes | None) -> OutputFile:
    return OutputFile(path=path, content=content)


def contents(directory: Path) -> dict[str, bytes]:
    """Every file below a folder, drafts and hidden ones included."""
    files = [path for path in directory.rglob("*") if not path.is_dir()]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in files}


def test_files_are_written_in_folders_that_are_made(tmp_path: Path) -> None:
    site = tmp_path / "not" / "yet"
    assert write([file("sitemap.xml", b"xml"), file("a/b/c.txt", b"")], site) == ["sitemap.xml", "a/b/c.txt"]
    assert contents(tmp_path) == {"not/yet/sitemap.xml": b"xml", "not/yet/a/b/c.txt": b""}


def test_the_folder_may_be_text(tmp_path: Path) -> None:
    assert write(iter([file("a", b"1")]), str(tmp_path)) == ["a"]
    assert contents(tmp_path) == {"a": b"1"}


def test_nothing_to_write_makes_no_folder(tmp_path: Path) -> None:
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


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    files = [file("sitemap.xml", b"xml"), file("sitemap.xml.gz", b"gz"), file("old.xml", None), file("empty", b"")]
    assert write(files, tmp_path) == ["sitemap.xml", "sitemap.xml.gz", "empty"]
    assert write(files, tmp_path) == []


def test_content_none_removes_the_file(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "empty").write_bytes(b"")
    assert write([file("sitemap.xml", None), file("empty", None), file("none", None)], tmp_path) == [
        "sitemap.xml",
        "empty",
    ]
    assert contents(tmp_path) == {}


def test_a_stale_sibling_goes_before_the_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write([file("sitemap.xml", b"old"), file("sitemap.xml.gz", b"old")], tmp_path)
    seen: list[bool] = []
    replace = Path.replace

    def replace_and_look(self: Path, target: Path) -> Path:
        seen.append((tmp_path / "sitemap.xml.gz").exists())
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_and_look)
    assert write([file("sitemap.xml", b"new"), file("sitemap.xml.gz", None)], tmp_path) == [
        "sitemap.xml",
        "sitemap.xml.gz",
    ]
    assert seen == [False]


def test_all_new_contents_are_on_disk_before_the_first_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write([file("sitemap.xml", b"old"), file("sitemap.xml.gz", b"old")], tmp_path)
    states: list[list[bytes]] = []
    replace = Path.replace

    def replace_and_look(self: Path, target: Path) -> Path:
        states.append(sorted(contents(tmp_path).values()))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", replace_and_look)
    write([file("sitemap.xml", b"xml"), file("sitemap.xml.gz", b"gz")], tmp_path)
    assert states[0] == [b"gz", b"old", b"old", b"xml"]
    assert contents(tmp_path) == {"sitemap.xml": b"xml", "sitemap.xml.gz": b"gz"}


@pytest.mark.parametrize(
    "path",
    ["", ".", "..", "../a", "a/../b", "a/..", "/a", "//host/a", "a\\b", "..\\a", "C:a", "C:/a", "a:stream", "a\x00b"],
)
def test_a_path_outside_the_folder_is_refused(tmp_path: Path, path: str) -> None:
    site = tmp_path / "site"
    with pytest.raises(WriteError) as refusal:
        write([file("good", b"1"), file(path, b"2")], site)
    assert refusal.value.path == path
    assert contents(tmp_path) == {}


def test_a_path_is_refused_for_removal_too(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    with pytest.raises(
        WriteError, match=r"^\.\./mine could not be written: it is not a path inside the output folder$"
    ):
        write([file("../mine", None)], tmp_path / "site")
    assert contents(tmp_path) == {"mine": b"mine"}


@pytest.mark.parametrize("content", [b"xml", None])
def test_a_folder_in_the_way_changes_nothing(tmp_path: Path, content: bytes | None) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    (tmp_path / "robots.txt").write_bytes(b"old")
    with pytest.raises(WriteError, match=r"^sitemap\.xml could not be written: there is a folder of that name$"):
        write([file("robots.txt", b"new"), file("sitemap.xml", content)], tmp_path)
    assert contents(tmp_path) == {"robots.txt": b"old"}
    assert (tmp_path / "sitemap.xml").is_dir()


def test_a_file_where_a_folder_should_be_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"old")
    (tmp_path / "maps").write_bytes(b"a file")
    with pytest.raises(WriteError, match=r"^maps/sitemap\.xml could not be written: \w") as refusal:
        write([file("robots.txt", b"new"), file("maps/sitemap.xml", b"xml")], tmp_path)
    assert refusal.value.path == "maps/sitemap.xml"
    assert isinstance(refusal.value.__cause__, OSError)
    assert contents(tmp_path) == {"robots.txt": b"old", "maps": b"a file"}


def test_the_output_folder_may_not_be_a_file(tmp_path: Path) -> None:
    (tmp_path / "site").write_bytes(b"a file")
    with pytest.raises(WriteError):
        write([file("sitemap.xml", b"xml")], tmp_path / "site")
    assert contents(tmp_path) == {"site": b"a file"}


def test_a_name_too_long_for_the_disk_changes_nothing(tmp_path: Path) -> None:
    with pytest.raises(WriteError):
        write([file("sitemap.xml", b"xml"), file("x" * 300, b"2")], tmp_path)
    assert contents(tmp_path) == {}


def test_a_full_disk_changes_nothing_and_leaves_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"old")
    (tmp_path / "stale.gz").write_bytes(b"old")
    write_bytes = Path.write_bytes

    def write_half(self: Path, content: bytes) -> int:
        if content == b"too much":
            write_bytes(self, content[:3])
            raise OSError(28, "No space left on device")
        return write_bytes(self, content)

    monkeypatch.setattr(Path, "write_bytes", write_half)
    files = [file("sitemap.xml", b"new"), file("stale.gz", None), file("sitemap.xml.gz", b"too much")]
    with pytest.raises(WriteError, match=r"^sitemap\.xml\.gz could not be written: No space left on device$"):
        write(files, tmp_path)
    assert contents(tmp_path) == {"sitemap.xml": b"old", "stale.gz": b"old"}


def test_a_refused_rename_leaves_the_file_and_no_draft(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"old")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, f"{self} {target}")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(WriteError) as refusal:
        write([file("sitemap.xml", b"new"), file("other", b"new")], tmp_path)
    assert refusal.value.path == "sitemap.xml"
    assert contents(tmp_path) == {"sitemap.xml": b"old"}


def test_what_was_replaced_is_put_back_when_a_later_rename_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone.gz", "sitemap.xml", "sitemap.xml.gz"):
        (tmp_path / name).write_bytes(b"old")
    replace = Path.replace

    def refuse_gz(self: Path, target: Path) -> Path:
        if target.name == "sitemap.xml.gz":
            raise PermissionError(13, "in use")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", refuse_gz)
    changes = [
        file("gone.gz", None),
        file("new.xml", b"new"),
        file("sitemap.xml", b"new"),
        file("sitemap.xml.gz", b"new"),
    ]
    with pytest.raises(WriteError, match=r"^sitemap\.xml\.gz could not be written: in use$"):
        write(changes, tmp_path)
    assert contents(tmp_path) == dict.fromkeys(["gone.gz", "sitemap.xml", "sitemap.xml.gz"], b"old")


def test_an_error_without_words_of_the_system_is_told_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path) -> bytes:
        del self
        message = "the disk is on strike"
        raise OSError(message)

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(WriteError, match=r"^a could not be written: the disk is on strike$"):
        write([file("a", b"new")], tmp_path)


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
    assert not any(path.is_symlink() for path in site.iterdir())


def test_a_dangling_link_is_removed(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").symlink_to(tmp_path / "nothing")
    assert write([file("sitemap.xml", None)], tmp_path) == ["sitemap.xml"]
    assert not os.path.lexists(tmp_path / "sitemap.xml")


def test_a_link_in_the_place_of_a_draft_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"mine")
    site = tmp_path / "site"
    site.mkdir()
    (site / ".sitemap.xml.new").symlink_to(tmp_path / "mine")
    write([file("sitemap.xml", b"xml")], site)
    assert (tmp_path / "mine").read_bytes() == b"mine"
    assert (site / "sitemap.xml").read_bytes() == b"xml"
    assert not (site / "sitemap.xml").is_symlink()


def test_what_an_interrupted_build_left_behind_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / ".sitemap.xml.new").write_bytes(b"half a draf")
    write([file("sitemap.xml", b"xml")], tmp_path)
    assert contents(tmp_path) == {"sitemap.xml": b"xml"}


def test_where_all_goes_well_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert try_to_write([file("a", b"1"), file("b", None)], tmp_path) == []
    assert contents(tmp_path) == {"a": b"1"}


def test_what_cannot_be_written_is_a_note_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    assert try_to_write([file("a", b"1"), file("b", b"2")], tmp_path) == [
        Note(kind="unwritable", message="b could not be written: there is a folder of that name")
    ]
    assert contents(tmp_path) == {}


def test_a_path_outside_the_folder_is_a_note(tmp_path: Path) -> None:
    (note,) = try_to_write([file("../a", b"1")], tmp_path / "site")
    assert note == Note(
        kind="unwritable", message="../a could not be written: it is not a path inside the output folder"
    )
    assert contents(tmp_path) == {}
