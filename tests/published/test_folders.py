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
        ({"de/index.html": "de", "de/a/index.html": "de-AT", "index.html": "en"}, ["de"]),
        ({"de/guide/index.html": "de"}, ["de"]),
        ({"docs/latest/fr/index.html": "fr", "a/b/c/fr/index.html": "fr"}, ["docs/latest/fr"]),
        ({"de/a.html": "de", "de/b.html": "de", "de/c.html": "en"}, ["de"]),
        ({"de/a.html": "de", "de/b.html": "", "cn/a.html": "zh-CN"}, ["cn", "de"]),
        ({"de/a.html": "de", "de/b.html": "en"}, []),
        ({"de/a.html": "de", "de/b.html": None}, ["de"]),
        ({"is/a.html": "en", "go/a.html": "en", "guide/a.html": "guide", "de.html": "de"}, []),
    ],
)
def test_most_pages_in_the_folder_of_a_language_declare_it(pages: dict[str, str | None], folders: list[str]) -> None:
    redirects = [HTMLFile(path=f"de/{name}.html", markup=Markup(language="en", refresh="../")) for name in "xyz"]
    files = [page_in(*each) for each in pages.items()]
    assert find_folders([*files, *redirects], {}) == dict.fromkeys(folders, "language")


def test_redirects_declare_no_language() -> None:
    stubs = [HTMLFile(path=f"de/{name}.html", markup=Markup(refresh="/de/")) for name in "ab"]
    assert find_folders([page_in("de/index.html", "de"), *stubs], {}) == {"de": "language"}


def test_versions_and_aliases_count_except_the_root() -> None:
    versions: dict[str, FolderKind] = {"2.0": "version", "latest": "alias", "": "version"}
    assert find_folders([page_in("latest/de/a.html", "de")], versions) == {
        "latest/de": "language",
        "2.0": "version",
        "latest": "alias",
    }
