"""The walk over a published tree: which files it finds, and in which order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sitemap_plugins.published.trees import is_hidden, published_files
from tests.builders import refuse_to_list


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def test_files_of_upper_folders_and_home_pages_come_first(tmp_path: Path) -> None:
    make(tmp_path, "a/b/c.css", "a/z.html", "a/index.html", "b.pdf", "a.html", "index.html", "a/B/x")
    assert [*published_files(tmp_path)] == [
        *("index.html", "a.html", "b.pdf"),
        *("a/index.html", "a/z.html"),
        *("a/B/x", "a/b/c.css"),
    ]
    assert [*published_files(str(tmp_path), "a")] == ["a/index.html", "a/z.html", "a/B/x", "a/b/c.css"]


def test_hidden_files_and_named_folders_are_skipped(tmp_path: Path) -> None:
    make(tmp_path, ".hidden", ".git/x", "a/.hidden/x", "a/b/x", "b/x", "x")
    assert [*published_files(tmp_path, without={"a/b"})] == ["x", "b/x"]
    assert [*published_files(tmp_path, "a", without={"b"})] == ["a/b/x"]


def test_hidden_files_that_are_wanted_do_not_include_repositories(tmp_path: Path) -> None:
    make(tmp_path, ".git/x", ".github/x", ".htaccess", ".jj/x", "a/.git", "a/.x", "b/.hg/x", "b/.svn/x", "x")
    wanted = [*published_files(tmp_path, with_hidden=True)]
    assert wanted == [".htaccess", "x", ".github/x", "a/.x"]
    assert [*filter(is_hidden, wanted)] == [".htaccess", ".github/x", "a/.x"]


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_to_files_are_files_and_those_to_folders_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "site/a/x", "outside/x")
    for name, target in (
        ("up", "."),
        ("out", "../outside"),
        ("file", "../outside/x"),
        ("gone", "no"),
        ("self", "self"),
    ):
        (tmp_path / "site" / name).symlink_to(target)
    assert [*published_files(tmp_path / "site")] == ["file", "gone", "self", "a/x"]


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/x", "b/x", "x")
    with monkeypatch.context() as patch:
        refuse_to_list(tmp_path / "a", patch)
        with pytest.raises(PermissionError) as refused:
            [*published_files(tmp_path)]
        assert refused.value.filename == str(tmp_path / "a")
        assert [*published_files(tmp_path, skip_unlisted=True)] == ["x", "b/x"]
    refuse_to_list(tmp_path, monkeypatch)
    with pytest.raises(PermissionError) as refused:
        [*published_files(tmp_path)]
    assert refused.value.filename == str(tmp_path), "without a slash at its end"
