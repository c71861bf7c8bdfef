"""The only way to read files: what is read, what is refused and why, and that no module reads in another way."""

from __future__ import annotations

import ast
import errno
import os
import socket
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import sitemap_plugins
from sitemap_plugins import reading
from sitemap_plugins.options.settings import SIZE_LIMIT, URL_LIMIT
from sitemap_plugins.reading import PAGE, SITEMAP, Limit, RefusedError, read_beginning, read_file

posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

SMALL = Limit("a test", 20_000, "so that tests are quick")
LINES = Limit("a test", 1000, "so that tests are quick", lines=3)


def refusal(path: Path, limit: Limit = SMALL, inside: Path | None = None) -> str:
    with pytest.raises(RefusedError) as error:
        read_file(path, limit, inside=inside)
    assert error.value.filename == path
    return str(error.value.strerror)


@pytest.mark.parametrize("size", [0, 1, 19_999, 20_000])
def test_a_file_within_the_limit_is_read(tmp_path: Path, size: int) -> None:
    content = os.urandom(size)
    (tmp_path / "a").write_bytes(content)
    assert read_file(tmp_path / "a", SMALL) == content
    assert read_file(str(tmp_path / "a"), SMALL, inside=tmp_path) == content
    assert read_beginning(tmp_path / "a", 1000) == content[:1000]


@pytest.mark.parametrize("size", [20_001, 1 << 40])
def test_a_larger_file_is_not_read_at_all(tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file:
        file.truncate(size)
    monkeypatch.setattr(os, "read", lambda *_: pytest.fail("it was read"))
    assert refusal(path) == "it is larger than 19 KiB, the limit for a test"


def test_the_beginning_of_a_larger_file_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as file:
        file.write(b"mark")
        file.truncate(1 << 40)
    assert read_beginning(path, 6) == b"mark\0\0"


@pytest.mark.parametrize("growth", [1, 100_000])
def test_a_file_that_grows_while_it_is_read_does_not_bypass_the_limit(
    tmp_path: Path, growth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a" * 20_000)
    read = os.read

    def grow(descriptor: int, size: int) -> bytes:
        with path.open("ab", buffering=0) as file:
            file.write(b"b" * growth)
        return read(descriptor, size)

    monkeypatch.setattr(os, "read", grow)
    tracemalloc.start()
    refused = refusal(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused == "it is larger than 19 KiB, the limit for a test"
    assert peak < 200_000


def test_a_file_without_a_size_is_read() -> None:
    path = Path("/proc/self/limits")
    if not path.exists():
        pytest.skip("there is none on this system")
    assert path.stat().st_size == 0
    assert read_file(path, SMALL) == path.read_bytes()
    assert refusal(path, structs.replace(SMALL, size=1024)) == "it is larger than 1 KiB, the limit for a test"


@given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", b"\x0b", b"\x85"]), max_size=12).map(b"".join))
def test_lines_are_counted_as_in_splitlines(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    ended = len((content + b"a").splitlines()) - 1
    if ended > LINES.lines:
        assert refusal(path, LINES) == "it has more than 3 lines, the limit for a test"
    else:
        assert read_file(path, LINES) == content


class TestKinds:
    @posix_only
    def test_a_pipe_without_a_writer_is_refused_at_once(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "a")
        assert refusal(tmp_path / "a") == "it is a pipe, not a regular file"
        with pytest.raises(RefusedError):
            read_beginning(tmp_path / "a", 1)

    @posix_only
    def test_a_device_is_refused(self, tmp_path: Path) -> None:
        assert refusal(Path(os.devnull)) == "it is a device, not a regular file"
        (tmp_path / "a").symlink_to("/dev/zero")
        assert refusal(tmp_path / "a") == "it is a device, not a regular file"

    @posix_only
    def test_a_socket_is_an_error(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)  # its path must not be long
        with socket.socket(socket.AF_UNIX) as server:
            server.bind("a")
            with pytest.raises(OSError, match="a"):
                read_file("a", SMALL)

    def test_a_folder_is_named_as_such(self, tmp_path: Path) -> None:
        with pytest.raises(IsADirectoryError, match="it is a folder"):
            read_file(tmp_path, SMALL)

    def test_a_missing_file_is_an_error_of_the_system(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_bytes(b"")
        for name, error in (("b", FileNotFoundError), ("a/b", NotADirectoryError)):
            if os.name != "nt":
                with pytest.raises(error):
                    read_file(tmp_path / name, SMALL, inside=tmp_path)
        with pytest.raises(ValueError, match="null"):
            read_file(tmp_path / "a\0b", SMALL, inside=tmp_path)

    @posix_only
    def test_no_descriptor_stays_open(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "large").write_bytes(b"a" * 20_001)
        (tmp_path / "file").write_bytes(b"a")
        free = os.dup(0)
        os.close(free)
        for name in ("pipe", "large"):
            refusal(tmp_path / name)
        read_file(tmp_path / "file", SMALL)
        read_beginning(tmp_path / "file", 1)
        with pytest.raises(IsADirectoryError):
            read_file(tmp_path, SMALL)
        then = os.dup(0)
        os.close(then)
        assert then == free


@posix_only
class TestLinks:
    OUT = "a link on its path leads out of the output folder"

    @pytest.fixture
    def site(self, tmp_path: Path) -> Path:
        """A site with a version and its alias, beside files that must not be read."""
        (tmp_path / "secret").mkdir()
        (tmp_path / "secret" / "a").write_bytes(b"secret")
        site = tmp_path / "site"
        (site / "1.0").mkdir(parents=True)
        (site / "1.0" / "a").write_bytes(b"page")
        (site / "latest").symlink_to("1.0")
        (tmp_path / "site-2").mkdir()
        (tmp_path / "site-2" / "a").write_bytes(b"secret")
        return site

    @pytest.mark.parametrize(
        ("link", "target"),
        [("link", "1.0/a"), ("link", "latest/a"), ("1.0/link", "../1.0/a"), ("1.0/link", "{site}/1.0/a")],
    )
    def test_links_within_the_folder_are_followed(self, site: Path, link: str, target: str) -> None:
        (site / link).symlink_to(target.format(site=site))
        assert read_file(site / link, SMALL, inside=site) == b"page"
        assert read_file(site / "latest" / "a", SMALL, inside=site) == b"page"

    @pytest.mark.parametrize(
        ("link", "target", "file"),
        [
            ("link", "../secret/a", "link"),
            ("link", "../site-2/a", "link"),
            ("out", "../secret", "out/a"),
            ("out", "..", "out/secret/a"),
            ("1.0/out", "../../secret", "latest/out/a"),
            ("link", "/etc/hosts", "link"),
        ],
    )
    def test_links_that_lead_out_of_the_folder_are_refused(self, site: Path, link: str, target: str, file: str) -> None:
        (site / link).symlink_to(target.format(site=site))
        assert refusal(site / file, inside=site) == self.OUT

    def test_the_folder_itself_can_be_a_link(self, site: Path) -> None:
        (site.parent / "link").symlink_to("site")
        assert read_file(site.parent / "link" / "1.0" / "a", SMALL, inside=site.parent / "link") == b"page"
        assert read_file(site.parent / "link" / "latest" / "a", SMALL, inside=site) == b"page"

    def test_a_path_that_leads_out_without_a_link_is_refused_too(self, site: Path) -> None:
        assert refusal(site / ".." / "secret" / "a", inside=site) == self.OUT
        assert refusal(site.parent / "site-2" / "a", inside=site) == self.OUT

    def test_other_files_can_be_links(self, site: Path) -> None:
        (site / "link").symlink_to("../secret/a")
        assert read_file(site / "link", SMALL) == b"secret"


def test_a_manual_on_one_page_and_the_largest_sitemap_are_within_the_limits() -> None:
    assert PAGE.size >= 64 * 1024 * 1024
    assert (SITEMAP.size, SITEMAP.entries) == (SIZE_LIMIT, URL_LIMIT)


def test_each_limit_has_a_name_and_a_reason() -> None:
    limits = [each for each in vars(reading).values() if isinstance(each, Limit)]
    assert len({each.what for each in limits}) == len(limits) == 23
    assert [each for each in limits if not (each.what[0].islower() and each.reason.endswith("."))] == []
    assert {each.shown_size for each in limits} <= {f"{1 << power} MiB" for power in range(11)} | {"50 MiB", "96 MiB"}


# Other places where files are opened, and why.
EXCEPTIONS = {
    "reading.py": "this is the one way in",
    "commands/terminal.py": "opens the null device for what can no longer be written",
    "output/writing.py": "locks folders, compares piece by piece what it is about to replace, and writes",
    "live/fetching.py": "reads answers of servers, and unpacks them, within a limit",
    "live/site.py": "writes what a server sends into a folder of its own",
    "git/branches.py": "writes a branch into a folder of its own, and streams what changed there back",
    "git/process.py": "reads what git prints into a pipe, and what it complains about into a file of ours",
    "mkdocs/files.py": "content_bytes of a file that a plugin has made up in memory",
    "formats/gzip.py": "unpacks within a limit",
    "rules.py": "reads rules.toml, which is a part of this package",
    "findings/catalogue.py": "reads its own rules.toml, which is a part of this package",
    "options/schema.py": "reads sentences.json, which is a part of this package",
    "mkdocs/dates.py": "takes the text of a generated page, which is in memory",
}
OPENING = {"open", "read_bytes", "read_text", "content_bytes", "content_string", "fdopen", "open_code", "readlines"}
UNPACKING = {"bz2", "fileinput", "gzip", "linecache", "lzma", "mmap", "tarfile", "zipfile", "zlib"}


def ways_in(tree: ast.AST) -> Iterator[str]:
    """The names in a module that open, read or unpack files."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (node.attr in OPENING or ast.unparse(node) in {"os.read", "os.pread"}):
            yield ast.unparse(node)
        elif isinstance(node, ast.Name) and node.id == "open":
            yield node.id
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in UNPACKING)
        elif isinstance(node, ast.ImportFrom) and node.module in {*UNPACKING, "io", "os", "codecs"}:
            yield from (f"{node.module}.{each.name}" for each in node.names if each.name != "BOM_UTF8")


def test_no_module_reads_files_in_another_way() -> None:
    package = Path(sitemap_plugins.__file__).parent
    found = {
        path.relative_to(package).as_posix(): {*ways_in(ast.parse(path.read_text(encoding="utf-8")))}
        for path in package.rglob("*.py")
    }
    strangers = {name: ways for name, ways in found.items() if ways and name not in EXCEPTIONS}
    assert not strangers, "use sitemap_plugins.reading"
    assert [name for name in EXCEPTIONS if not found[name]] == []


def test_an_error_of_the_disk_while_a_file_is_read_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    (file := tmp_path / "a").write_bytes(b"a")
    monkeypatch.setattr(os, "read", fail)
    with pytest.raises(OSError, match="Input/output error") as error:
        read_file(file, SITEMAP)
    assert error.value.filename == file
