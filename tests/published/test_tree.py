"""The walk over a published tree: which files it finds, and in which order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.tree import Tree, is_hidden
from tests.builders import refuse_to_list

X = "https://x.org/"


def make(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def test_files_of_upper_folders_and_home_pages_come_first(tmp_path: Path) -> None:
    make(tmp_path, "a/b/c.css", "a/z.html", "a/index.html", "b.pdf", "a.html", "index.html", "a/B/x")
    assert [*Tree(tmp_path).files()] == [
        *("index.html", "a.html", "b.pdf"),
        *("a/index.html", "a/z.html"),
        *("a/B/x", "a/b/c.css"),
    ]
    assert [*Tree(str(tmp_path)).files("a")] == ["a/index.html", "a/z.html", "a/B/x", "a/b/c.css"]


@pytest.mark.parametrize(
    ("suffix", "pages"),
    [
        (".html", ["index.htm", "a/b.xhtml"]),
        (".php", ["index.htm", "a/b.xhtml", "a/c.php"]),
        ("", ["LICENSE", "index.htm", "a/b.xhtml"]),
    ],
)
def test_sphinx_says_which_files_are_pages(tmp_path: Path, suffix: str, pages: list[str]) -> None:
    make(tmp_path, "a/b.xhtml", "a/c.php", "a/d.pdf", "index.htm", "LICENSE")
    make(tmp_path, "_static/documentation_options.js", "1.0/_static/documentation_options.js", "1.0/x/e.php", "1.0/e.x")
    (tmp_path / "_static/documentation_options.js").write_text(f"    FILE_SUFFIX: '{suffix}',\n")
    (tmp_path / "1.0/_static/documentation_options.js").write_text("    FILE_SUFFIX: '.x',\n")
    assert {file.path: file.stem for file in Tree(tmp_path).heads()}["1.0/e.x"] == "1.0/e"
    assert sorted(file.path for file in Tree(tmp_path).heads()) == sorted([*pages, "1.0/e.x"])


def test_hidden_files_and_named_folders_are_skipped(tmp_path: Path) -> None:
    make(tmp_path, ".hidden", ".git/x", "a/.hidden/x", "a/b/x", "b/x", "x")
    assert [*Tree(tmp_path).files(without={"a/b"})] == ["x", "b/x"]
    assert [*Tree(tmp_path).files("a", without={"b"})] == ["a/b/x"]


def test_hidden_files_that_are_wanted_do_not_include_repositories(tmp_path: Path) -> None:
    make(tmp_path, ".git/x", ".github/x", ".htaccess", ".jj/x", "a/.git", "a/.x", "b/.hg/x", "b/.svn/x", "x")
    wanted = [*Tree(tmp_path).files(with_hidden=True)]
    assert wanted == [".htaccess", "x", ".github/x", "a/.x"]
    assert [*filter(is_hidden, wanted)] == [".htaccess", ".github/x", "a/.x"]


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_to_files_are_files_and_those_to_folders_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "site/a/x", "outside/x")
    links = {"up": ".", "out": "../outside", "file": "../outside/x", "gone": "no", "self": "self"}
    for name, target in links.items():
        (tmp_path / "site" / name).symlink_to(target)
    assert [*Tree(tmp_path / "site").files()] == ["file", "gone", "self", "a/x"]


@pytest.mark.skipif(os.name == "nt", reason="Windows lets few users make links")
def test_links_lead_to_folders_inside_the_tree(tmp_path: Path) -> None:
    make(tmp_path, "site/1.0/a/x.html", "site/1.0/index.html", "site/y.html", "outside/x.html")
    links = {
        "latest": "1.0",
        "again": "latest",
        "root": ".",
        "1.0/up": "..",
        "out": "../outside",
        "gone": "no",
        "y": "y.html",
    }
    for name, target in links.items():
        (tmp_path / "site" / name).symlink_to(target)
    tree = Tree(tmp_path / "site")
    assert {path: tree.real_folder(path) for path in ("", "1.0/a", *links, "latest/a", "1.0/up/again", "y.html")} == {
        "": "",
        "1.0/a": "1.0/a",
        "latest": "1.0",
        "again": "1.0",
        "root": "",
        "1.0/up": "",
        "out": None,
        "gone": None,
        "y": None,
        "latest/a": "1.0/a",
        "1.0/up/again": "1.0",
        "y.html": None,
    }
    assert tree.links == {"latest": "1.0", "again": "1.0"}
    assert tree.folders("") == ["1.0", "again", "gone", "latest", "out", "root", "y"]
    assert tree.folders("latest") == ["a", "up"]
    assert tree.folders("nothing") == []
    found = [
        path for path in ("latest/a/x.html", "out/x.html", "y", "gone", "root/y", "1.0/up/y.html") if tree.is_file(path)
    ]
    assert found == ["latest/a/x.html", "y", "root/y", "1.0/up/y.html"]
    assert (tree.is_link("y"), tree.is_link("y.html")) == (True, False)
    assert [*map(tree.real_path, ("again/a/x.html", "root/y", "y.html", "out/x.html"))] == [
        *("1.0/a/x.html", "y.html", "y.html", "out/x.html")
    ]


def test_names_are_compared_exactly(tmp_path: Path) -> None:
    make(tmp_path, "Logo.png", "a/b")
    tree = Tree(tmp_path)
    others = ("logo.png", "a", "a/", "a/b/", "./a/b", "/a/b", "/Logo.png", "a//b", "a/../a/b", "", "x\0/b")
    assert [*filter(tree.is_file, ("Logo.png", "a/b", *others))] == ["Logo.png", "a/b"]


def test_each_folder_is_listed_and_each_head_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/x.html", "b/y.html", "b/y.txt")
    tree = Tree(tmp_path)
    listed: list[str] = []
    scan = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(path) or scan(path))
    assert tree.is_file("b/y.txt")
    assert listed == [str(tmp_path), str(tmp_path / "b")]
    first = [*tree.heads()]
    assert first == [*tree.heads()]
    assert [(one, other) for one, other in zip(first, tree.heads(), strict=True) if one is not other] == []
    assert len(listed) == 3


def test_a_folder_that_cannot_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a/x", "b/x", "x")
    with monkeypatch.context() as patch:
        refuse_to_list(tmp_path / "a", patch)
        with pytest.raises(PermissionError) as refused:
            [*Tree(tmp_path).files()]
        assert refused.value.filename == str(tmp_path / "a")
        assert [*Tree(tmp_path).files(skip_unlisted=True)] == ["x", "b/x"]
    refuse_to_list(tmp_path, monkeypatch)
    with pytest.raises(PermissionError) as refused:
        [*Tree(tmp_path).files()]
    assert refused.value.filename == str(tmp_path), "without a slash at its end"


HOSTILE = [
    "..", "../beside/", "a/../../beside/a", "%2e%2e/beside/a", "..%2Fbeside%2Fa", "..%5Cbeside%5Ca", "..\\beside\\a",
    "a%00/../../beside/a", "/etc/passwd", "%2Fetc/passwd", "//etc/passwd", "./.", "a/.", "a/..", "C:/a.html", "~root/", "%2",
    "x" * 300, "x/" * 3000, "/" * 3000, "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("below", HOSTILE, ids=lambda below: f"{len(below)} characters {below[:20]!a}")
def test_no_url_leads_out_of_the_folder(tmp_path: Path, below: str) -> None:
    make(tmp_path, "index.html", "a.html")
    for base_url in (X, f"{X}fr/"):
        file = file_at(base_url + below, base_url, Tree(tmp_path).is_file)
        assert file is None or os.path.realpath(tmp_path / file).startswith(f"{os.path.realpath(tmp_path)}/")


below_base = st.lists(
    st.sampled_from(
        ["..", ".", "/", "a", "%2e", "%2F", "%5C", "\\", "%00", "\0", "beside", "?", "#", ".html", "é", ":"]
    ),
    max_size=8,
).map("".join) | st.text(max_size=20)


@given(below_base)
@example(".")
@example("a/.")
def test_no_arbitrary_url_leads_out_of_the_folder(tmp_path_factory: pytest.TempPathFactory, below: str) -> None:
    folder = tmp_path_factory.getbasetemp() / "any-url" / "root"
    if not folder.exists():
        make(folder.parent, "root/index.html", "root/a.html", "root/a/index.html", "beside/index.html", "root.html")
    file = file_at(X + below, X, Tree(folder).is_file)
    assert file is None or os.path.realpath(folder / file).startswith(f"{os.path.realpath(folder)}/")
