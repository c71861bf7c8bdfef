"""Which folders of a site are sites of their own."""

from __future__ import annotations

import pytest

from sitemap_plugins.model import Markup
from sitemap_plugins.published.folders import FolderKind, find_folders
from sitemap_plugins.published.html_files import HTMLFile


def page_in(path: str, language: str | None) -> HTMLFile:
    """A page that declares a language, or whose file could not be read."""
    return HTMLFile(path=path, markup=None if language is None else Markup(language=language))


@pytest.mark.parametrize(
    ("pages", "folders"),
    [
        (
            {"de/a.html": "de", "de/b.html": "de-AT", "de/c.html": "en", "docs/latest/fr/a.html": "fr"},
            ["de", "docs/latest/fr"],
        ),
        ({"de/a.html": "de", "de/b.html": "", "cn/a.html": "zh-CN"}, ["cn", "de"]),
        ({"de/a.html": "de", "de/b.html": "en"}, []),
        ({"de/a.html": "de", "de/b.html": None}, ["de"]),
    ],
)
def test_most_pages_in_the_folder_of_a_language_declare_it(pages: dict[str, str | None], folders: list[str]) -> None:
    redirects = [HTMLFile(path=f"de/{name}.html", markup=Markup(language="en", refresh="../")) for name in "xyz"]
    files = [page_in(*each) for each in pages.items()]
    assert find_folders([*files, *redirects], {}) == dict.fromkeys(folders, "language")


def test_versions_and_aliases_count_except_the_root() -> None:
    versions: dict[str, FolderKind] = {"2.0": "version", "latest": "alias", "": "version"}
    assert find_folders([page_in("latest/de/a.html", "de")], versions) == {
        "latest/de": "language",
        "2.0": "version",
        "latest": "alias",
    }
