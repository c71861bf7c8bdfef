"""Which folders of a site are previews of changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.published.previews import find_previews
from sitemap_plugins.published.tree import Tree
from tests.builders import refuse_to_list


def folders_of(tree: str, tmp_path: Path) -> tuple[str, ...]:
    """The previews in a folder with these pages, and a version with another page."""
    for path in tree.split():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text('<html lang="mr">' if path.startswith("mr/") else "<html>")
    return find_previews(Tree(tmp_path), ["1.0"])


@pytest.mark.parametrize(
    "name", ["pr-12", "pr12", "PR_7", "pull595", "Pull-1", "mr-3", "mr3", "preview-4", "preview_5", "Deploy-Preview-6"]
)
def test_a_preview_has_the_name_of_one_and_pages_of_the_site(name: str, tmp_path: Path) -> None:
    site = f"index.html a.html {name}/index.html {name}/a.html docs/{name}/index.html docs/{name}/a.html"
    assert folders_of(site, tmp_path) == tuple(sorted([name, f"docs/{name}"]))


@pytest.mark.parametrize("name", ["12", "pr-12", "Pull_12", "deploy-preview-1"])
@pytest.mark.parametrize(
    "parent",
    ["pr-preview", "PR-Previews", "preview", "previews", "_preview", "_previews", "pull", "pulls", "pr", "prs", "MRs"],
)
def test_in_a_folder_for_previews_the_name_is_enough(parent: str, name: str, tmp_path: Path) -> None:
    assert folders_of(f"{parent}/{name}/index.html", tmp_path) == (f"{parent}/{name}",)


@pytest.mark.parametrize(
    ("pages", "previews"),
    [
        ("pr-1/index.html pr-1/a.html pr-2/index.html pr-2/b.html", "pr-1 pr-2"),
        ("pr-1/x.html pr-1/index.html 1.0/x.html", "pr-1"),
        ("index.html pr-1/index.html pr-1/a.html pr-1/b.html", ""),
        ("index.html pr-1/index.html pr-1/old/x.html a.html pr-1/b.html pr-1/a.html", "pr-1"),
        ("index.html changes/pr-12/index.html changes/pr-13/index.html", ""),
        ("a.html pr-1/a.html pr-1/b.html", ""),
        ("previews/pr-1/a.html", ""),
        ("index.html a.html preview/index.html preview/a.html pr/index.html pr/a.html", ""),
        ("index.html a.html 12/index.html 12/a.html pr-x/index.html pr-x/a.html pr-1x/index.html pr-1x/a.html", ""),
        ("index.html a.html en/docs/pr-1/index.html en/docs/pr-1/a.html", ""),
        ("index.html a.html pr-1/index.html pr-1/a.html pr-1/pr-2/index.html pr-1/pr-2/a.html", "pr-1"),
        (
            "index.html a.html pr-1/index.html pr-1/b.html pr-1/c.html pr-1/pr-2/index.html pr-1/pr-2/a.html",
            "pr-1/pr-2",
        ),
        ("index.html mr/12/index.html mr/pr-1/index.html", ""),
        ("index.html pull/12/index.html pull/12/13/index.html", "pull/12"),
    ],
)
def test_elsewhere_half_of_at_least_two_pages_are_also_in_another_place(
    pages: str, previews: str, tmp_path: Path
) -> None:
    assert folders_of(pages, tmp_path) == tuple(previews.split())


def test_a_folder_that_cannot_be_listed_does_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pr-1/private").mkdir(parents=True)
    refuse_to_list(tmp_path / "pr-1/private", monkeypatch)
    assert folders_of("index.html a.html pr-1/index.html pr-1/a.html", tmp_path) == ("pr-1",)
