"""The files that match a name or glob in the configuration."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.session.dating import find_files

needs_links = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The folder of a configuration, and a folder beside it."""
    for name in (
        *("docs/a.md", "docs/b.csv", "docs/[x].csv", "docs/deep/er/c.csv", "docs/deep/.hidden"),
        *("docs/.git/d.csv", "docs/deep/.cache/e.csv", "docs/!f.txt", "docs/#g.txt", "src/d.py"),
        *("app/[slug]/a.tsx", "app/[slug]/b.tsx", "app/s/a.tsx"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"")
    return tmp_path / "docs"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a.md", ["docs/a.md"]),
        ("./a.md", ["docs/a.md"]),
        ("deep/er/c.csv", ["docs/deep/er/c.csv"]),
        ("[x].csv", ["docs/[x].csv"]),
        ("\\[x].csv", ["docs/[x].csv"]),
        ("../app/[slug]/a.tsx", ["app/[slug]/a.tsx"]),
        ("../app/[slug]/*.tsx", ["app/s/a.tsx"]),
        ("../app/[[]slug]/*.tsx", ["app/[slug]/a.tsx", "app/[slug]/b.tsx"]),
        ("../app/[slug]", ["app/[slug]/a.tsx", "app/[slug]/b.tsx"]),
        ("../app/[slug]/gone.tsx", []),
        pytest.param(
            "deep\\er\\c.csv", ["docs/deep/er/c.csv" if os.name == "nt" else "docs/deep\\er\\c.csv"], id="backslashes"
        ),
        ("deep\\er\\*.csv", []),
        ("../src/d.py", ["src/d.py"]),
        ("deep/../a.md", ["docs/a.md"]),
        ("../*/*.py", ["src/d.py"]),
        ("deep/../*.md", ["docs/a.md"]),
        ("*.csv", ["docs/[x].csv", "docs/b.csv"]),
        ("**/*.csv", ["docs/[x].csv", "docs/b.csv", "docs/deep/er/c.csv"]),
        ("deep/*.csv", []),
        ("deep/**/*.csv", ["docs/deep/er/c.csv"]),
        ("[[]x].csv", ["docs/[x].csv"]),
        ("[ab].*", ["docs/a.md", "docs/b.csv"]),
        ("[!a].*", ["docs/b.csv"]),
        ("?.md", ["docs/a.md"]),
        ("#g*", ["docs/#g.txt"]),
        ("missing/*", []),
        ("missing/**/*.md", []),
    ],
)
def test_files_that_match_a_name_or_glob(tree: Path, pattern: str, found: list[str]) -> None:
    assert find_files(str(tree), pattern) == tuple(str(tree.parent / name) for name in found)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("missing.md", "docs/missing.md"),
        ("missing/a.md", "docs/missing/a.md"),
        ("../missing/./b/../a.md", "missing/a.md"),
        ("missing/", "docs/missing"),
        ("a.md/x", "docs/a.md/x"),
        *((name, f"docs/{name}") for name in ("{a,c}", "~", "$HOME", "-a", ":(top)a.md", "..x", "a\nb", "\udcff")),
        pytest.param("x" * 300, "docs/" + "x" * 300, id="long name"),
    ],
)
def test_a_plain_name_is_returned_even_if_the_file_does_not_exist(tree: Path, name: str, found: str) -> None:
    assert find_files(str(tree), name) == (str(tree.parent / found),)


@pytest.mark.parametrize("pattern", ["deep", "deep/", "./deep", "de*", "de*/", "deep/**", "**/deep", "deep/../deep"])
def test_a_folder_matches_all_files_in_it(tree: Path, pattern: str) -> None:
    assert find_files(str(tree), pattern) == (str(tree / "deep/.hidden"), str(tree / "deep/er/c.csv"))


@pytest.mark.parametrize("pattern", ["**/[de].csv", "**", "*/[de].csv", "."])
def test_hidden_folders_are_skipped(tree: Path, pattern: str) -> None:
    assert not [file for file in find_files(str(tree), pattern) if "/." in os.path.dirname(file)]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (".git", ".git/d.csv"),
        (".git/*", ".git/d.csv"),
        ("deep/.cache/**/*.csv", "deep/.cache/e.csv"),
        ("**/.hidden", "deep/.hidden"),
    ],
)
def test_hidden_folders_can_be_named_and_hidden_files_match_like_others(tree: Path, pattern: str, found: str) -> None:
    assert find_files(str(tree), pattern) == (str(tree / found),)


def test_paths_are_absolute_regardless_of_the_current_folder(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree)
    assert find_files("", "a.md") == find_files(".", "a.md") == find_files(".", "?.md") == (str(tree / "a.md"),)


@pytest.mark.skipif(os.name == "nt", reason="file names are more restricted there")
def test_a_name_can_contain_a_line_end(tree: Path) -> None:
    (tree / "e\nf.csv").write_bytes(b"")
    assert find_files(str(tree), "e\nf.csv") == find_files(str(tree), "e*") == (str(tree / "e\nf.csv"),)


@pytest.mark.skipif(os.name == "nt", reason="no name has a backslash there")
def test_a_name_can_contain_a_backslash(tree: Path) -> None:
    (tree / "e\\f.csv").write_bytes(b"")
    for pattern in ("e\\f.csv", "e\\\\f.cs?", "./e\\f.csv", "e*"):
        assert find_files(str(tree), pattern) == (str(tree / "e\\f.csv"),)


@needs_links
class TestLinks:
    """Links in the folder of a configuration."""

    def test_a_link_stands_for_its_target(self, tree: Path) -> None:
        (tree / "link.csv").symlink_to("b.csv")
        (tree / "folder").symlink_to("../src")
        assert find_files(str(tree), "link.csv") == find_files(str(tree), "li*") == (str(tree / "link.csv"),)
        assert find_files(str(tree), "folder") == find_files(str(tree), "folder/*") == (str(tree / "folder/d.py"),)

    @pytest.mark.parametrize("pattern", ["**/*.py", "fold*", "*/d.py", "."])
    def test_a_link_to_a_folder_is_not_followed_unless_it_is_named(self, tree: Path, pattern: str) -> None:
        (tree / "folder").symlink_to("../src")
        assert not [file for file in find_files(str(tree), pattern) if file.endswith(".py")]

    @pytest.mark.parametrize("target", ["gone", "link", "x" * 300], ids=["gone", "itself", "long name"])
    def test_a_dangling_link_is_not_a_file_unless_it_is_named(self, tree: Path, target: str) -> None:
        (tree / "link").symlink_to(target)
        assert find_files(str(tree), "**/l*") == ()
        assert find_files(str(tree), "link") == (str(tree / "link"),)

    def test_a_dangling_link_is_not_one_of_the_files_in_a_folder(self, tree: Path) -> None:
        (tree / "deep/link").symlink_to("x" * 300)
        assert find_files(str(tree), "deep") == (str(tree / "deep/.hidden"), str(tree / "deep/er/c.csv"))

    @pytest.mark.parametrize("number", [1, 2])
    def test_circular_links_are_not_followed_forever(
        self, tree: Path, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        for each in range(number):
            (tree / f"deep/back{each}").symlink_to("..")
        scandir, calls = os.scandir, []

        def counted(*arguments: Any) -> Any:
            calls.append(arguments)
            assert len(calls) < 1000
            return scandir(*arguments)

        monkeypatch.setattr(os, "scandir", counted)
        assert find_files(str(tree), "**/*.md") == (str(tree / "a.md"),)


@pytest.mark.parametrize(
    "pattern",
    [
        *("[", "**/[", "[]", "[!]", "[z-a]", "[[:alpha:]]", "{a,c}*", "~*", "$HOME*", "-a*", ":(top)*.md", "..x*"),
        pytest.param("x" * 300 + "/*", id="in a folder with a long name"),
        pytest.param("**/" + "x" * 5000, id="long path"),
        pytest.param("?" * 500, id="many letters"),
        *("\udcff*", "\udcff/*", "*/\udcff/*"),
    ],
)
def test_unusual_patterns_find_nothing(tree: Path, pattern: str) -> None:
    assert find_files(str(tree), pattern) == ()


def test_many_stars_are_the_same_as_one(tree: Path) -> None:
    assert set(find_files(str(tree), "*")) <= set(find_files(str(tree), "*" * 500))


@given(st.text("ab*?[]!-/\\{}~\n é\udcff", min_size=1).filter(lambda pattern: pattern[0] not in "/\\"))
def test_any_pattern_finds_files_of_the_folder_or_returns_a_name(tmp_path: Path, pattern: str) -> None:
    for name in ("a", "b/a", "b/b/ab", "b/[a]"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    found = find_files(str(tmp_path), pattern)
    assert len(set(found)) == len(found)
    if set(pattern) & set("*?["):
        assert [file for file in found if not (Path(file).is_file() and Path(file).is_relative_to(tmp_path))] == []
    elif not (tmp_path / pattern).is_dir():
        assert found == (os.path.normpath(tmp_path / pattern),)
