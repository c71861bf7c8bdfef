"""The source of each page, found by the documents of a generator or by the author's patterns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.folder.sources import find_sources, match_sources
from sitemap_plugins.options.types import SourcePattern
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import PageLanguage

EN, DE, ROOT = PageLanguage("en", "en", "x"), PageLanguage("de", "de", "x"), PageLanguage("en", "", "x")


def files_of(page_languages: Mapping[str, PageLanguage]) -> list[HTMLFile]:
    return [HTMLFile(path=path, markup=None) for path in page_languages]


def by_documents(page_languages: Mapping[str, PageLanguage], *documents: tuple[str, Source]) -> dict[str, str]:
    return shown(find_sources(files_of(page_languages), documents))


def shown(found: Mapping[str, Source]) -> dict[str, str]:
    """The name of the source of each page, followed by ``(copy)`` if the page is an untranslated copy."""
    return {path: f"{source.name}{' (copy)' if source.is_copy else ''}" for path, source in found.items()}


def document(stem: str, name: str) -> tuple[str, Source]:
    return stem, Source(f"/project/{name}", name)


def test_the_first_document_for_a_page_is_its_source() -> None:
    page_languages = {"a.html": PageLanguage("en"), "b/index.html": PageLanguage("en"), "c.html": PageLanguage("en")}
    documents = [document("a", "a.md"), document("b", "b.md"), document("a", "other.md"), document("d", "d.md")]
    assert by_documents(page_languages, *documents) == {"a.html": "a.md", "b/index.html": "b.md"}


def match(folder: Path, page_languages: Mapping[str, PageLanguage], *patterns: str) -> tuple[dict[str, str], list[str]]:
    """The sources, see `shown`, and the messages."""
    found, notes = match_sources(
        files_of(page_languages), page_languages, [SourcePattern.parse(pattern) for pattern in patterns], str(folder)
    )
    for source in found.values():
        assert Path(source.file) == folder / source.name
    return shown(found), [f"{note.kind}: {note.message}" for note in notes]


def write(root: Path, *files: str) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


ONE = PageLanguage("en")


@pytest.mark.parametrize(
    ("page", "source"),
    [
        ("a.html", "docs/a.md"),
        ("a/index.html", "docs/a.md"),
        ("a/index.html", "docs/a/index.md"),
        ("a/index.html", "docs/a/README.md"),
        ("a/index.html", "docs/a/_index.md"),
        ("index.html", "docs/index.md"),
        ("index.html", "docs/README.md"),
        ("a/b c.html", "docs/a/b c.md"),
    ],
)
def test_a_pattern_finds_the_page_or_the_index_of_a_folder(page: str, source: str, tmp_path: Path) -> None:
    write(tmp_path, source, "docs/other.md")
    assert match(tmp_path, {page: ONE}, "docs/{path}.md") == ({page: source}, [])


def test_the_first_pattern_that_finds_a_file_counts(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "docs/a.rst", "docs/b.rst")
    found, notes = match(tmp_path, {"a.html": ONE, "b.html": ONE, "c.html": ONE}, "docs/{path}.md", "docs/{path}.rst")
    assert (found, notes) == ({"a.html": "docs/a.md", "b.html": "docs/b.rst"}, [])


def test_two_files_for_one_page_do_not_date_it(tmp_path: Path) -> None:
    write(tmp_path, "a.md", "a/index.md", "a.rst", "b.md", "c.md", "c/README.md")
    found, notes = match(tmp_path, {"a.html": ONE, "b.html": ONE, "c.html": ONE}, "{path}.md", "{path}.rst")
    assert found == {"b.html": "b.md"}
    message = "source: a.md and a/index.md could both be the source of a.html, so neither dates it (and 1 more page)"
    assert notes == ["unmatched: source: '{path}.rst' finds no file for any page", f"source: {message}"]


TWINS = {"guide.html": ONE, "guide/index.html": ONE}


def test_a_page_and_the_index_of_its_folder_have_two_sources(tmp_path: Path) -> None:
    write(tmp_path, "guide.md", "guide/index.md")
    expected = {"guide.html": "guide.md", "guide/index.html": "guide/index.md"}
    assert match(tmp_path, TWINS, "{path}.md") == (expected, [])
    documents = [document("guide", "guide.md"), document("guide", "guide/index.md")]
    assert by_documents(TWINS, *documents) == by_documents(TWINS, *reversed(documents)) == expected


def test_a_pattern_that_finds_nothing_is_named(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    assert match(tmp_path, {"b.html": ONE}, "{path}.md", "docs/{path}.md") == (
        {},
        [f"source: source: no pattern finds a file for any page in {tmp_path}: correct the patterns, or remove them"],
    )


@pytest.mark.parametrize("language", ["..", ".", "../secret", "/etc", "a/b", "\0", "C:"])
def test_no_language_leads_out_of_the_folder(language: str, tmp_path: Path) -> None:
    write(tmp_path, "secret/a.md", "docs/a.md", "a.md", "docs/a/b/a.md")
    assert match(tmp_path, {"a.html": PageLanguage(language)}, "docs/{lang}/{path}.md")[0] == {}


def test_sources_can_be_beside_the_folder_of_the_configuration(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md", "website/sitemap.toml")
    found, _ = match_sources(
        files_of({"a.html": ONE}),
        {"a.html": ONE},
        [SourcePattern.parse("../docs/{path}.md")],
        str(tmp_path / "website"),
    )
    assert Path(found["a.html"].file).resolve() == tmp_path.resolve() / "docs" / "a.md"


@pytest.mark.parametrize(
    ("page_language", "source"),
    [
        (PageLanguage("de", "de", "a"), "docs/de/a.md"),
        (PageLanguage("pt-BR", "pt-br", "a"), "docs/pt-br/a.md"),
        (PageLanguage("pt-BR", "", "a"), "docs/pt-BR/a.md"),
        (PageLanguage("pt-BR", "", "a"), "docs/pt/a.md"),
        (PageLanguage("de"), "docs/de/a.md"),
    ],
)
def test_the_language_comes_from_the_folder_or_the_page(
    page_language: PageLanguage, source: str, tmp_path: Path
) -> None:
    write(tmp_path, source)
    page = f"{page_language.folder}/a.html".lstrip("/")
    assert match(tmp_path, {page: page_language}, "docs/{lang}/{path}.md")[0] == {page: source}


def test_a_page_without_a_language_has_no_source_in_the_folder_of_one(tmp_path: Path) -> None:
    write(tmp_path, "docs/a.md")
    assert match(tmp_path, {"a.html": PageLanguage("")}, "docs/{lang}/{path}.md")[0] == {}
    assert match(tmp_path, {"a.html": PageLanguage("")}, "docs/{lang}/{path}.md", "docs/{path}.md")[0] == {
        "a.html": "docs/a.md"
    }


def test_pages_with_a_source_only_in_another_language_are_copies(tmp_path: Path) -> None:
    write(tmp_path, "docs/en/a.md", "docs/en/b.md", "docs/en/index.md", "docs/de/a.md")
    page_languages = {
        "index.html": ROOT,
        "a.html": ROOT,
        "b.html": ROOT,
        "de.html": DE,
        "de/a.html": DE,
        "de/b.html": DE,
    }
    found, notes = match(tmp_path, page_languages, "docs/{lang}/{path}.md", "docs/en/{path}.md")
    assert found == {
        "index.html": "docs/en/index.md",
        "a.html": "docs/en/a.md",
        "b.html": "docs/en/b.md",
        "de.html": "docs/en/index.md (copy)",
        "de/a.html": "docs/de/a.md",
        "de/b.html": "docs/en/b.md (copy)",
    }
    assert notes == []


def test_pages_of_a_site_in_one_language_can_be_copies(tmp_path: Path) -> None:
    write(tmp_path, "docs/en/a.md", "docs/en/b.md", "docs/de/a.md")
    page_languages = dict.fromkeys(["a.html", "b.html"], PageLanguage("de"))
    found, _ = match(tmp_path, page_languages, "docs/{lang}/{path}.md", "docs/en/{path}.md")
    assert found == {"a.html": "docs/de/a.md", "b.html": "docs/en/b.md (copy)"}


@pytest.mark.parametrize("folder", ["", "en"])
def test_the_language_of_the_author_needs_no_separate_folder(folder: str, tmp_path: Path) -> None:
    """Its sources are found with the pattern that comes last for the other languages."""
    write(tmp_path, "docs/a.md", "docs/b.md", "i18n/de/a.md")
    below = f"{folder}/" if folder else ""
    page_languages = {
        f"{below}a.html": PageLanguage("en", folder, "a"),
        f"{below}b.html": PageLanguage("en", folder, "b"),
    }
    page_languages |= {"de/a.html": DE, "de/b.html": DE, "fr/a.html": PageLanguage("fr", "fr", "a")}
    found, _ = match(tmp_path, page_languages, "i18n/{lang}/{path}.md", "docs/{path}.md")
    assert found == {
        f"{below}a.html": "docs/a.md",
        f"{below}b.html": "docs/b.md",
        "de/a.html": "i18n/de/a.md",
        "de/b.html": "docs/b.md (copy)",
        "fr/a.html": "docs/a.md (copy)",
    }


@pytest.mark.parametrize("folder", ["", "en"])
@pytest.mark.parametrize("patterns", [["{path}.md"], ["{path}.md", "en/{path}.md"]])
def test_a_translation_does_not_borrow_the_source_of_the_original(
    patterns: Sequence[str], folder: str, tmp_path: Path
) -> None:
    original = "en/" if len(patterns) > 1 else ""  # VitePress: en/guide.md is rewritten to guide.html
    write(tmp_path, f"{original}a.md", f"{original}b.md", "de/a.md", "fr/index.md", "a.txt")
    below = f"{folder}/" if folder else ""
    page_languages = {f"{below}{name}.html": PageLanguage("en", folder, name) for name in "ab"}
    page_languages |= {"de/a.html": DE, "de/b.html": DE, "fr.html": PageLanguage("fr", "fr", ".")}
    found, notes = match(tmp_path, page_languages, *patterns)
    assert found == {
        f"{below}a.html": f"{original}a.md",
        f"{below}b.html": f"{original}b.md",
        "de/a.html": "de/a.md",
        "de/b.html": f"{original}b.md (copy)",
        "fr.html": "fr/index.md",
    }
    assert notes == []


@pytest.mark.parametrize(
    ("patterns", "page", "source"),
    [
        # A file of the page's own language counts before any other, whichever pattern finds it.
        (["docs/{path}.md", "i18n/{path}.md"], "de/a.html", "i18n/de/a.md"),
        (["docs/{path}.md", "i18n/{lang}/{path}.md"], "de/a.html", "i18n/de/a.md"),
        (["src/{lang}/{path}.md", "i18n/{lang}/{path}.md"], "de/a.html", "i18n/de/a.md"),
        # A path in a folder named like the language twice is another page.
        (["deep/{lang}/{path}.md", "docs/{path}.md"], "de/a.html", "docs/a.md (copy)"),
        # A template makes the page in every language.
        (["web/{path}.astro"], "de/a.html", "web/a.astro"),
        (["web/{path}.rst"], "de/a.html", "web/a.rst (copy)"),
    ],
)
def test_the_path_with_the_language_is_tried_first(
    patterns: Sequence[str], page: str, source: str, tmp_path: Path
) -> None:
    write(tmp_path, "docs/a.md", "i18n/de/a.md", "deep/de/de/a.md", "web/a.astro", "web/a.rst")
    page_languages = {"a.html": ROOT, "de/a.html": DE}
    assert match(tmp_path, page_languages, *patterns)[0][page] == source


def test_a_language_whose_pages_are_all_copies_is_not_the_main_one(tmp_path: Path) -> None:
    """A source without a page in the main language does not make it one. Pages in no language have no translations."""
    write(tmp_path, "a.md", "b.md", "index.md")
    page_languages = {"a.html": ROOT, "de/a.html": DE, "de/b.html": DE}
    assert match(tmp_path, page_languages, "{path}.md")[0]["de/b.html"] == "b.md (copy)"
    page_languages = {"index.html": PageLanguage("en"), "en.html": EN, "en/a.html": EN}
    assert match(tmp_path, page_languages, "{path}.md")[0]["en.html"] == "index.md"


def test_a_folder_is_not_a_source(tmp_path: Path) -> None:
    os.makedirs(tmp_path / "a.md")
    assert match(tmp_path, {"a.html": ONE}, "{path}.md")[0] == {}
