"""If any system call fails, or Ctrl-C is pressed at any moment, the files are the old or the new ones."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import pytest

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.model import GzipOf, OutputFile
from sitemap_plugins.output import writing
from sitemap_plugins.output.writing import WriteError, write
from tests.hostile.faults import KINDS, Faults, Interrupted, Kind
from tests.hostile.subjects import leftovers

OLD = {
    "a.xml": b"old",
    "a.xml.gz": b"old",
    "gone.xml": b"old",
    "gone.xml.gz": b"old",
    "same.xml": b"same",
    "z.xml": b"old",
}
FILES = [
    OutputFile(path="gone.xml", content=None),
    OutputFile(path="gone.xml.gz", content=None),
    OutputFile(path="a.xml", content=lambda: [b"ne", b"w"]),
    OutputFile(path="a.xml.gz", content=GzipOf("a.xml", compress)),
    OutputFile(path="new/new.xml", content=b"new"),
    OutputFile(path="same.xml", content=b"same"),
    OutputFile(path="link.xml", content=b"new"),
    OutputFile(path="z.xml", content=b"new"),
]


def prepare(site: Path) -> None:
    """Create a folder with a file of each kind."""
    site.mkdir()
    for name, content in OLD.items():
        (site / name).write_bytes(content)
        (site / name).chmod(0o640)
    (site / "link.xml").symlink_to("same.xml")


def everything(site: Path) -> dict[str, tuple[int, bytes]]:
    """The mode and content of everything in the folder, folders and links included."""
    found = {}
    for path in sorted(site.rglob("*")):
        content = os.readlink(path).encode() if path.is_symlink() else b"" if path.is_dir() else path.read_bytes()
        found[path.relative_to(site).as_posix()] = (path.lstat().st_mode, content)
    return found


def judge(site: Path, old: object, new: object, struck: str | None) -> str:
    """Return which of the two it is. New files may have a backup if removing it failed; the next write removes it."""
    found = everything(site)
    left = leftovers(dict.fromkeys(found, b""))
    ours = {path: each for path, each in found.items() if path not in left}
    assert ours in (old, new), (struck, found)
    if left:
        assert ours == new, struck
        write([OutputFile(path="same.xml", content=b"same")], site)
        assert everything(site) == new
    return "new" if ours == new else "old"


@pytest.fixture
def before_and_after(tmp_path: Path) -> tuple[object, object]:
    """The files before and after writing."""
    prepare(tmp_path / "reference")
    before = everything(tmp_path / "reference")
    write(FILES, tmp_path / "reference")
    return before, everything(tmp_path / "reference")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_failing_call_while_files_are_written(
    tmp_path: Path, before_and_after: tuple[object, object], kind: Kind
) -> None:
    counts: Counter[str] = Counter()
    site = tmp_path / "site"
    while True:
        prepare(site)
        fault = Faults(counts.total() + 1, kind)
        try:
            with fault:
                write(FILES, site)
        except WriteError as error:
            assert kind.name.startswith("OSError")
            assert error.path in {*(file.path for file in FILES), str(site)}
            assert str(error).endswith(" could not be written: Input/output error")
        except (KeyboardInterrupt, MemoryError) as error:
            assert kind.name.startswith(type(error).__name__)
        if fault.struck is None:
            break
        counts[judge(site, *before_and_after, fault.struck)] += 1
        shutil.rmtree(site)
    sys.stdout.write(f"{kind.name}: {counts.total()} points, {dict(counts)}\n")
    assert counts["old"] > 50
    assert counts["new"] > 5


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # for files left open
def test_an_interruption_at_any_moment_while_files_are_written(
    tmp_path: Path, before_and_after: tuple[object, object]
) -> None:
    files = frozenset({str(writing.__file__)})
    counts: Counter[str] = Counter()
    site = tmp_path / "site"
    while True:
        prepare(site)
        interruption = Interrupted(counts.total() + 1, files)
        with contextlib.suppress(KeyboardInterrupt), interruption:
            write(FILES, site)
        if interruption.struck is None:
            break
        counts[judge(site, *before_and_after, interruption.struck)] += 1
        shutil.rmtree(site)
    sys.stdout.write(f"{counts.total()} moments, {dict(counts)}\n")
    assert counts["old"] > 500
    assert counts["new"] > 20
