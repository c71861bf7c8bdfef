"""The source of a page by its link to edit it on a forge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.sources import find_edited
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import PageLanguage
from sitemap_plugins.published.tree import Tree
from tests.conftest import Repository

GITHUB = "https://github.com/owner/docs"
EDIT = f"{GITHUB}/edit/main/docs/"


@pytest.fixture
def project(repository: Repository) -> Path:
    """A clone of a repository on GitHub with a few sources."""
    repository.git("remote", "add", "origin", f"{GITHUB}.git")
    for name in ("a.md", "b c.md", "de/a.md", "index.md"):
        repository.write(f"docs/{name}", "")
    return repository.path


def find(
    project: Path,
    pages: Mapping[str, str],
    known: Mapping[str, str] | None = None,
    copies: Mapping[str, str] | None = None,
    *,
    languages: bool = False,
) -> dict[str, str]:
    """The names of the sources of pages, given as their bodies, followed by ``(copy)`` for untranslated copies.

    ``known`` are the sources of other pages, and ``copies`` the originals of pages that seem to be copies.
    """
    for path, body in pages.items():
        file = project / "site" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"<title>A page</title>{body}")
    files = [*Tree(project / "site").heads()]
    found, _ = find_edited(
        files,
        {file.path: language_of(file) if languages else PageLanguage("en") for file in files},
        {
            **{path: Source(str(project / name), name) for path, name in (known or {}).items()},
            **{path: Source(str(project / name), name, is_copy=True) for path, name in (copies or {}).items()},
        },
        str(project / "site"),
        str(project),
    )
    assert [source for source in found.values() if Path(source.file).resolve() != project.resolve() / source.name] == []
    return {path: f"{source.name}{' (copy)' if source.is_copy else ''}" for path, source in found.items()}


def language_of(file: HTMLFile) -> PageLanguage:
    folder = file.path.partition("/")[0] if "/" in file.path else ""
    return PageLanguage(folder or "en", folder, file.stem_below(folder))


def link(url: str) -> str:
    return f'<a class="edit" href="{url}">Edit</a>'


@pytest.mark.parametrize(
    ("remote", "url", "source"),
    [
        (f"{GITHUB}.git", f"{EDIT}a.md", "docs/a.md"),
        ("git@github.com:Owner/docs.git", f"{EDIT}a.md#top", "docs/a.md"),
        ("ssh://git@github.com:22/owner/docs", f"{EDIT}b%20c.md", "docs/b c.md"),
        ("https://user:secret@gitlab.com/group/sub/docs/", "https://gitlab.com/group/sub/docs/-/edit/main/docs/a.md", "docs/a.md"),
        (GITHUB, f"{GITHUB}//edit/main/docs/a.md", "docs/a.md"),  # repo_url ends with a slash
        ("https://gitlab.com/o/r", "https://gitlab.com/o/r//-/edit/main/docs/a.md", "docs/a.md"),
        ("https://codeberg.org/owner/docs", "https://codeberg.org/owner/docs/_edit/main/docs/a.md", "docs/a.md"),
        ("https://bitbucket.org/owner/docs", "https://bitbucket.org/owner/docs/src/main/docs/a.md?mode=edit&amp;at=x", "docs/a.md"),
        ("https://bitbucket.org/owner/docs", "https://bitbucket.org/owner/docs/src/main/docs/a.md", None),
        (GITHUB, f"{GITHUB}/blob/main/docs/a.md", None),  # any page may show a file
        (GITHUB, f"{EDIT}gone.md", None),
        (GITHUB, f"{GITHUB}/edit/main/docs", None),  # a folder
        (GITHUB, f"{GITHUB}/edit/main/../secret.md", None),
        (GITHUB, f"{GITHUB}/edit/", None),
        (GITHUB, "https://github.com/other/docs/edit/main/docs/a.md", None),
        (GITHUB, "https://[/owner/docs/edit/main/docs/a.md", None),
        ("/srv/docs.git", f"{EDIT}a.md", None),
    ],
)  # fmt: skip
def test_links_of_forges(remote: str, url: str, source: str | None, project: Path, repository: Repository) -> None:
    repository.git("remote", "set-url", "origin", remote)
    (project.parent / "secret.md").touch()
    assert find(project, {"x.html": link(url)}) == ({"x.html": source} if source else {})


def test_a_page_with_two_such_links_has_no_source(project: Path) -> None:
    pages = {"list.html": link(f"{EDIT}a.md") + link(f"{EDIT}de/a.md"), "b.html": link(f"{EDIT}b%20c.md")}
    assert find(project, pages) == {"b.html": "docs/b c.md"}


def test_a_file_that_is_the_source_of_another_page_is_not_that_of_its_translation(project: Path) -> None:
    own, original = link(f"{EDIT}de/a.md"), link(f"{EDIT}a.md")
    assert find(project, {"a.html": original, "de/a.html": original}, {"a.html": "docs/a.md"}) == {}
    assert find(project, {"a.html": original, "de/a.html": own}, {"a.html": "docs/a.md"}) == {
        "de/a.html": "docs/de/a.md"
    }


def test_of_pages_with_the_same_link_the_original_has_the_source(project: Path) -> None:
    pages = dict.fromkeys(["a.html", "de/a.html"], link(f"{EDIT}a.md"))
    assert find(project, pages, languages=True) == {"a.html": "docs/a.md"}
    assert find(project, pages) == {}  # pages of one template


@pytest.mark.parametrize(
    ("others", "known"),
    [
        ({"b.html": "", "c.html": ""}, {}),  # most pages have no such link
        ({"a.html": link(f"{EDIT}de/a.md")}, {"a.html": "docs/a.md"}),  # it does not lead to the source
        ({"b.html": "", "c.html": ""}, {"b.html": "docs/b c.md"}),
    ],
)
def test_links_in_the_content_are_no_evidence(others: dict[str, str], known: dict[str, str], project: Path) -> None:
    assert find(project, {"x.html": link(f"{EDIT}b%20c.md"), **others}, known) == {}


@pytest.mark.parametrize(
    ("page", "source"),
    [("guide/A.html", "docs/a.md"), ("docs/index.html", "docs/index.md"), ("de.html", "docs/de/index.md")],
)
def test_a_link_to_a_file_with_the_name_of_the_page_is_evidence(
    page: str, source: str, project: Path, repository: Repository
) -> None:
    """Most pages of a blog may be lists, which have no source."""
    repository.write("docs/de/index.md", "")
    lists = {f"tags/{number}.html": "" for number in range(9)}
    url = f"{GITHUB}/edit/main/{source}"
    assert find(project, {page: link(url), **lists}) == {page: source}


def test_pages_with_a_known_source_and_no_link_are_no_evidence(project: Path) -> None:
    pages = {"x.html": link(f"{EDIT}a.md"), "y.html": link(f"{EDIT}b%20c.md"), "index.html": ""}
    assert find(project, pages, {"index.html": "docs/index.md"}) == {"x.html": "docs/a.md", "y.html": "docs/b c.md"}


def test_the_later_pages_of_a_list_have_no_source(project: Path) -> None:
    pages = dict.fromkeys(["index.html", "page/2/index.html", "page/3/index.html"], link(f"{EDIT}index.md"))
    assert find(project, pages) == {"index.html": "docs/index.md"}


def test_without_a_language_at_the_root_the_original_is_in_the_folder_of_the_file(project: Path) -> None:
    pages = dict.fromkeys(["de/a.html", "en/a.html"], link(f"{EDIT}de/a.md"))
    assert find(project, pages, languages=True) == {"de/a.html": "docs/de/a.md"}


class TestCopies:
    """Pages in a language folder that the generator has made from the source of the original."""

    @pytest.fixture
    def pages(self, repository: Repository) -> dict[str, str]:
        """German pages: one with a translation of its source, and two without."""
        for name in ("i18n/de/a.md", "blog/c.md"):
            repository.write(name, "")
        sources = {
            "a.html": "docs/a.md", "b.html": "docs/b%20c.md", "c.html": "blog/c.md",
            "de/a.html": "i18n/de/a.md", "de/b.html": "docs/b%20c.md", "de/c.html": "blog/c.md",
        }  # fmt: skip
        return {path: link(f"{GITHUB}/edit/main/{name}") for path, name in sources.items()}

    def test_if_links_of_the_folder_lead_to_translations(self, project: Path, pages: dict[str, str]) -> None:
        found = find(project, pages, languages=True)
        assert {path: name for path, name in found.items() if path.startswith("de/")} == {
            "de/a.html": "i18n/de/a.md",
            "de/b.html": "docs/b c.md (copy)",
            # No link to a translation of a post is known: the blog may link all posts to the originals.
        }

    def test_if_the_originals_are_known(self, project: Path, pages: dict[str, str]) -> None:
        known = {"a.html": "docs/a.md", "b.html": "docs/b c.md"}
        assert find(project, pages, known, languages=True) == {
            "c.html": "blog/c.md", "de/a.html": "i18n/de/a.md", "de/b.html": "docs/b c.md (copy)",
        }  # fmt: skip

    def test_not_if_all_links_lead_to_originals(self, project: Path, pages: dict[str, str]) -> None:
        found = find(project, pages | {"de/a.html": pages["a.html"]}, languages=True)
        assert {*found} == {"a.html", "b.html", "c.html"}

    def test_a_page_with_another_path_is_no_copy(self, project: Path, pages: dict[str, str]) -> None:
        found = find(project, pages | {"de/x.html": pages["b.html"]}, languages=True)
        assert "de/x.html" not in found

    def test_a_link_to_a_translation_corrects_a_pattern(self, project: Path, pages: dict[str, str]) -> None:
        known = {"a.html": "docs/a.md", "b.html": "docs/b c.md"}
        copies = {"de/a.html": "docs/a.md", "de/b.html": "docs/b c.md"}
        assert find(project, pages, known, copies, languages=True)["de/a.html"] == "i18n/de/a.md"


def test_without_a_remote_or_a_repository_there_is_no_evidence(
    project: Path, repository: Repository, tmp_path: Path
) -> None:
    repository.git("remote", "remove", "origin")
    assert find(project, {"a.html": link(f"{EDIT}a.md")}) == {}
    (tmp_path / "elsewhere" / "docs").mkdir(parents=True)
    (tmp_path / "elsewhere" / "docs" / "a.md").touch()
    assert find(tmp_path / "elsewhere", {"a.html": link(f"{EDIT}a.md")}) == {}


def test_redirects_have_no_source(project: Path) -> None:
    refresh = '<meta http-equiv="refresh" content="0; url=b.html">'
    assert find(project, {"a.html": refresh + link(f"{EDIT}a.md")}) == {}
