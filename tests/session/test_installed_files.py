"""The sources of installed files, found by what pip and uv write beside them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.model import Note
from sitemap_plugins.reading import DISTRIBUTION, SOURCE
from sitemap_plugins.session.installed_files import InstalledFiles, path_of_url
from tests.builders import install, refuse_to_open

MODULE = '"""A module."""\n'
NAME = "pkg/mod.py"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of packages that is in no repository."""
    folder = tmp_path / "env" / "site-packages"
    folder.mkdir(parents=True)
    return folder


def commit(repository: Any, **files: str) -> None:
    """Commit files: ``src__pkg__mod`` stands for src/pkg/mod.py."""
    for name, content in files.items():
        repository.write(f"{name.replace('__', '/')}.py", content)
    repository.commit("2026-01-01T12:00:00+00:00")


def original(file: Path, root: Path | None = None) -> str | None:
    """The source of a file; without a ``root``, the site is in no repository."""
    return InstalledFiles(root or file.parent).originals([str(file)]).get(str(file))


def notes(repository: Any, *files: Path) -> list[Note]:
    return [*InstalledFiles(repository.path / "docs").notes(map(str, files))]


class TestOriginals:
    @pytest.mark.parametrize("place_name", ["site-packages", "dist-packages"])
    @pytest.mark.parametrize("folder", ["", "src", "lib/python"])
    def test_the_source_has_the_same_path_in_the_folder_or_in_src_or_is_tracked_elsewhere(
        self, repository: Any, tmp_path: Path, place_name: str, folder: str
    ) -> None:
        source = repository.write(f"{folder}/{NAME}".lstrip("/"), MODULE)
        repository.commit("2026-01-01T12:00:00+00:00")
        installed = install(tmp_path / place_name, repository.path, {NAME: MODULE})
        assert original(installed / NAME) == str(source)

    @pytest.mark.parametrize(
        ("tracked", "source"),
        [
            ({"a__pkg__mod": MODULE, "src__pkg__mod": MODULE}, "src/pkg/mod.py"),
            ({"pkg__mod": "old", "lib__pkg__mod": MODULE}, "lib/pkg/mod.py"),
            ({"pkg__mod": MODULE + "\n", "lib__pkg__mod": MODULE.replace('"""', "'''")}, None),
            ({"one__pkg__mod": MODULE, "two__pkg__mod": MODULE}, None),
            ({"lib__otherpkg__mod": MODULE}, None),
            ({"lib__mod": MODULE}, None),
        ],
    )
    def test_a_source_has_the_whole_path_and_the_content_and_the_usual_places_come_first(
        self, repository: Any, place: Path, tracked: dict[str, str], source: str | None
    ) -> None:
        commit(repository, **tracked)
        found = original(install(place, repository.path, {NAME: MODULE}) / NAME)
        assert found == (str(repository.path / source) if source else None)

    def test_an_untracked_file_counts_in_the_usual_places_only(self, repository: Any, place: Path) -> None:
        commit(repository)
        file = install(place, repository.path, {NAME: MODULE, "other.py": MODULE}) / NAME
        repository.write("build/lib/pkg/mod.py", MODULE)
        assert original(file) is None
        assert original(place / "other.py") is None
        repository.write("other.py", MODULE)
        assert original(place / "other.py") == str(repository.path / "other.py")

    def test_a_project_below_the_top_of_its_repository(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE, python__lib__pkg__mod=MODULE)
        expected = str(repository.path / "python" / "lib" / "pkg" / "mod.py")
        assert original(install(place, repository.path / "python", {NAME: MODULE}) / NAME) == expected
        about = {"url": repository.path.as_uri(), "subdirectory": "python", "dir_info": {}}
        assert original(install(place, about, {NAME: MODULE}) / NAME) == expected

    @pytest.mark.parametrize(
        "about",
        [
            {"url": "https://example.org/pkg.git", "vcs_info": {"vcs": "git", "commit_id": "0" * 40}},
            {"url": "https://example.org/pkg", "dir_info": {}},
            {"url": "FOLDER/dist/pkg-1.0-py3-none-any.whl", "archive_info": {}},
            {"url": "FOLDER/nowhere", "dir_info": {}},
            {"url": "FOLDER", "dir_info": {}, "subdirectory": "a\0b"},
        ],
    )
    def test_a_file_of_a_package_from_anything_but_a_folder_has_none(
        self, repository: Any, place: Path, about: dict[str, Any]
    ) -> None:
        commit(repository, pkg__mod=MODULE)
        about["url"] = about["url"].replace("FOLDER", repository.path.as_uri())
        file = install(place, about, {NAME: MODULE}) / NAME
        assert original(file) is None
        # The repository of the site may have the same file all the same.
        assert original(file, repository.path) == str(repository.path / NAME)

    @pytest.mark.parametrize(
        ("tracked", "source"),
        [
            ({"backend__src__pkg__mod": MODULE}, "backend/src/pkg/mod.py"),
            ({"pkg__mod": "other", "lib__pkg__mod": MODULE}, "lib/pkg/mod.py"),
            ({"pkg__mod": MODULE + "\n"}, None),
            ({"a__pkg__mod": MODULE, "b__pkg__mod": MODULE}, None),
            ({"otherpkg__mod": MODULE, "mod": MODULE}, None),
        ],
    )
    def test_a_file_from_an_index_has_the_source_of_the_same_path_and_content_in_the_repository_of_the_site(
        self, repository: Any, place: Path, tracked: dict[str, str], source: str | None
    ) -> None:
        commit(repository, **tracked)
        repository.write("src/pkg/mod.py", MODULE)  # which is not tracked
        found = original(install(place, None, {NAME: MODULE}) / NAME, repository.write("docs/a.md", "").parent)
        assert found == (str(repository.path / source) if source else None)

    def test_a_file_that_no_distribution_lists_has_none(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE, other=MODULE)
        install(place, repository.path, {NAME: MODULE})
        (place / "other.py").write_text(MODULE)
        assert original(place / "other.py") is None

    def test_a_file_outside_of_folders_of_packages_has_none(self, repository: Any, tmp_path: Path) -> None:
        commit(repository, pkg__mod=MODULE)
        installed = install(tmp_path / "somewhere", repository.path, {NAME: MODULE})
        assert original(installed / NAME) is None
        assert original(repository.path / NAME) is None
        assert original(tmp_path / "gone" / "site-packages" / NAME) is None

    def test_a_folder_of_packages_inside_another_one(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE)
        inner = install(place / "env" / "site-packages", repository.path, {NAME: MODULE})
        assert original(inner / NAME) == str(repository.path / "pkg" / "mod.py")

    def test_an_editable_installation_has_its_files_in_the_folder_itself(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE)
        about = {"url": repository.path.as_uri(), "dir_info": {"editable": True}}
        install(place, about, {"__editable__.pkg-1.0.pth": str(repository.path)})
        assert original(repository.path / NAME) is None  # it is no copy, so git dates it
        assert not notes(repository, repository.path / NAME)

    def test_a_folder_without_a_repository(self, tmp_path: Path, place: Path) -> None:
        source = tmp_path / "project" / "pkg" / "mod.py"
        source.parent.mkdir(parents=True)
        source.write_text(MODULE)
        (tmp_path / "project" / "other").mkdir()
        assert original(install(place, tmp_path / "project", {NAME: MODULE}) / NAME) == str(source)
        assert original(install(place, tmp_path / "project" / "other", {NAME: MODULE}) / NAME) is None

    def test_each_folder_and_file_is_read_once(
        self, repository: Any, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        commit(repository, lib__pkg__mod=MODULE, lib__pkg__other=MODULE)
        files = {NAME: MODULE, "pkg/other.py": MODULE, "pkg/changed.py": MODULE}
        paths = [str(install(place, repository.path, files) / name) for name in files]
        listed: list[object] = []
        list_folder = os.listdir
        monkeypatch.setattr(os, "listdir", lambda folder: listed.append(folder) or list_folder(folder))
        installed = InstalledFiles(place)
        first = installed.originals(paths)
        assert [*first] == paths[:2]
        assert listed == [str(place)]
        monkeypatch.setattr("sitemap_plugins.session.installed_files.read_file", None)
        monkeypatch.setattr("sitemap_plugins.session.installed_files.run_git", None)
        assert installed.originals(paths) == first


class TestNotes:
    def test_a_file_whose_source_is_not_found_is_named_with_what_to_do(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod="other content", docs__conf="")
        files = {NAME: MODULE}
        (note,) = notes(repository, install(place, repository.path, files) / NAME)
        assert note.kind == "dependencies"
        assert note.message == (
            "pkg/mod.py was installed from this repository, which has no such file with the same content, so it does "
            "not count for the pages' dates: install the package with pip install -e, or name the sources with "
            "depends_on"
        )

    @pytest.mark.parametrize(("number", "what"), [(2, "1 more file were"), (3, "2 more files were")])
    def test_of_several_files_the_first_is_named(self, repository: Any, place: Path, number: int, what: str) -> None:
        commit(repository, docs__conf="")
        names = [f"pkg/{letter}.py" for letter in "abc"[:number]]
        folder = install(place, repository.path, dict.fromkeys(names, MODULE))
        (note,) = notes(repository, *(folder / name for name in reversed(names)))
        assert note.message.startswith(f"pkg/a.py and {what} installed from this repository")
        assert "so they do not count for the pages' dates" in note.message

    @pytest.mark.parametrize(
        "tracked", [{"pkg__mod": MODULE}, {}, {"mod": MODULE, "other_pkg__mod": MODULE}], ids=["found", "none", "other"]
    )
    def test_nothing_is_said_of_files_whose_source_is_found_or_not_that_of_this_repository(
        self, repository: Any, place: Path, tracked: dict[str, str]
    ) -> None:
        commit(repository, docs__conf="", **tracked)
        assert not notes(repository, install(place, None, {NAME: MODULE}) / NAME)
        origin = repository if "pkg__mod" in tracked else type(repository)(repository.path.with_name("other"))
        assert not notes(repository, install(place, origin.path, {NAME: MODULE}) / NAME)

    @pytest.mark.parametrize("origin", [None, {"url": "file:///dist/pkg-1.0-py3-none-any.whl", "archive_info": {}}])
    @pytest.mark.parametrize("folder", ["", "src/", "packages/a/src/"])
    def test_one_note_says_that_pages_show_installed_files_instead_of_those_in_the_repository(
        self, repository: Any, place: Path, origin: dict[str, object] | None, folder: str
    ) -> None:
        commit(repository, docs__conf="", **{f"{folder}{name}": MODULE for name in ("pkg/mod", "pkg/sub")})
        names = ["pkg/sub.py", NAME, "pkg/removed.py"]
        installed = install(place, origin, dict.fromkeys(names, f"{MODULE}\nCHANGED = True\n"))
        (note,) = notes(repository, *(installed / name for name in names))
        assert note.kind == "dependencies"
        assert note.message == (
            "pkg/mod.py and 1 more file were installed from elsewhere, and pages show that instead of what this "
            "repository has, so they do not count for the pages' dates: install the package with pip install -e, or "
            "name the sources with depends_on"
        )

    def test_nothing_is_said_outside_of_repositories(self, tmp_path: Path, place: Path) -> None:
        folder = tmp_path / "project"
        folder.mkdir()
        installed = install(place, folder, {NAME: MODULE})
        assert not [*InstalledFiles(folder).notes([str(installed / NAME)])]


class TestHostileFiles:
    """Anyone can publish a package, so these files may have any content."""

    @pytest.mark.parametrize(
        "content",
        [
            b"", b"{", b"[]", b"null", b'"file:///"', b"\xff\xfe{}", b"\xef\xbb\xbf{}", b"[" * 100_000, b'{"a":' * 100_000,
            b'{"url": 1, "dir_info": {}}', b'{"url": "file:///", "dir_info": []}', b'{"url": "file:///"}',
            b'{"url": "file:///\\ud800", "dir_info": {}}', b'{"url": "file://[/", "dir_info": {}}',
            b'{"url": "file:///a%00b", "dir_info": {}}', b'{"url": "file:///%ff%zz", "dir_info": {}}',
            b'{"url": "", "dir_info": {}}', b'{"url": "relative", "dir_info": {}}',
            b'{"url": "file:relative", "dir_info": {}}',
            b" " * (DISTRIBUTION.size + 1),
        ],
        ids=range(20),
    )  # fmt: skip
    def test_a_broken_direct_url_means_that_there_is_no_source(
        self, repository: Any, place: Path, content: bytes
    ) -> None:
        commit(repository, pkg__mod=MODULE)
        file = install(place, repository.path, {NAME: MODULE}) / NAME
        (place / "pkg-1.0.dist-info" / "direct_url.json").write_bytes(content)
        assert original(file) is None

    @pytest.mark.parametrize(
        ("record", "found"),
        [
            (b"", False),
            (b"\n\n,,\npkg/mod.py,,\n", True),
            (b"pkg/mod.py", True),
            (b'"pkg/mod.py",sha256=x,17\r\n', True),
            (b"../../pkg/mod.py,,\n/pkg/mod.py,,\n./pkg/mod.py,,\n", False),
            (b"\xff\0,,\npkg/mod.py,,\n", True),
            (b'"' + b"x" * 200_000 + b'",,\npkg/mod.py,,\n', False),
            (b"pkg/mod.py,,\n" + b'"' + b"x" * 200_000, True),
            (b"pkg/mod.py,,\n" * 200_001, False),
        ],
        ids=range(9),
    )
    def test_a_record_may_have_any_content(self, repository: Any, place: Path, record: bytes, *, found: bool) -> None:
        commit(repository, pkg__mod=MODULE)
        file = install(place, repository.path, {NAME: MODULE}) / NAME
        (place / "pkg-1.0.dist-info" / "RECORD").write_bytes(record)
        assert (original(file) is not None) is found

    @pytest.mark.parametrize("name", ["direct_url.json", "RECORD"])
    def test_files_that_cannot_be_read(
        self, repository: Any, place: Path, monkeypatch: pytest.MonkeyPatch, name: str
    ) -> None:
        commit(repository, pkg__mod=MODULE)
        file = install(place, repository.path, {NAME: MODULE}) / NAME
        refuse_to_open(place / "pkg-1.0.dist-info" / name, monkeypatch)
        assert original(file) is None

    def test_a_file_named_as_metadata(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE)
        (place / "a.dist-info").write_bytes(b"")
        assert original(install(place, repository.path, {NAME: MODULE}) / NAME)

    def test_files_that_are_too_large_or_gone_have_no_source(self, repository: Any, place: Path) -> None:
        commit(repository, pkg__mod=MODULE)
        folder = install(place, repository.path, {NAME: MODULE, "pkg/large.py": MODULE})
        for path in (folder, repository.path):
            with (path / "pkg" / "large.py").open("wb") as file:
                file.truncate(SOURCE.size + 1)
        (folder / NAME).unlink()
        assert original(folder / "pkg" / "large.py") is None
        assert original(folder / NAME) is None

    def test_without_git_only_the_usual_places_are_looked_at(
        self, repository: Any, place: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        commit(repository, pkg__mod=MODULE, lib__pkg__other=MODULE)
        folder = install(place, repository.path, {NAME: MODULE, "pkg/other.py": MODULE})
        monkeypatch.setenv("PATH", "")
        assert original(folder / NAME)
        assert original(folder / "pkg" / "other.py") is None


class TestPathOfURL:
    @pytest.mark.parametrize(
        ("url", "path"),
        [
            ("file:///home/a%20b/%C3%A9", "/home/a b/é"),
            ("file://localhost/home", "/home"),
            ("FILE:///home", "/home"),
            ("file:///home/a%2520", "/home/a%20"),
            ("file:///home#x", "/home"),
            ("file://server/home", None),
            ("file:home", None),
            ("file:", None),
            ("/home", None),
            ("https://example.org/home", None),
            ("git+file:///home", None),
            ("file:///a%00", None),
            ("file://[::1/", None),
        ],
    )
    def test_elsewhere_than_on_windows(self, url: str, path: str | None) -> None:
        assert path_of_url(url, on_windows=False) == path

    @pytest.mark.parametrize(
        ("url", "path"),
        [
            ("file:///C:/Users/a%20b", "C:\\Users\\a b"),
            ("file://localhost/C:/a", "C:\\a"),
            ("file:///C%3A/a", "C:\\a"),
            ("file:///home", None),
            ("file:///C:", None),
            ("file://server/share", None),
            ("file://C:/a", None),
        ],
    )
    def test_on_windows(self, url: str, path: str | None) -> None:
        assert path_of_url(url, on_windows=True) == path

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        for on_windows in (True, False):
            path_of_url(text, on_windows=on_windows)
            path_of_url(f"file:///{text}", on_windows=on_windows)

    @pytest.mark.skipif(os.name == "nt", reason="names have other characters there")
    @given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
    def test_any_path(self, text: str) -> None:
        assert path_of_url(f"file:///{quote(text)}") == f"/{text}"
