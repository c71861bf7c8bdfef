"""Copies of untranslated pages are left out and reported if their text shows what they are, and no source tells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.check.checking import check
from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of
from sitemap_plugins.site.published_site import read_site
from tests.published_root import OPEN

X = "https://docs.example.org/"
TEXTS = {
    "en": "Install the package with the tool that you use for all of the others, and restart it when it asks. ",
    "fr": "Installez le paquet avec l'outil dont vous vous servez pour tous les autres, puis relancez-le. ",
}
NOTES = {"en": "note", "fr": "remarque"}
TRANSLATED = ("", "a/", "b/")


def page(path: str, language: str, text: str, more: str = "", links: Mapping[str, str] | None = None) -> str:
    """A page as Docusaurus writes it, with the title of an admonition in the language of the folder."""
    head = "".join(f'<link rel="alternate" hreflang="{code}" href="{X}{to}">' for code, to in (links or {}).items())
    title = NOTES.get(language, language)
    return (
        f'<!doctype html><html lang="{language}"><head><title>{path}</title><link rel="canonical" href="{X}{path}">'
        f"{head}</head><body><nav>{title}</nav><main><h1>Guide</h1><div class='alert'><div "
        f"class='admonitionHeading_Gv'>{title}</div><p>{text * 3}</p></div>{more}</main></body></html>"
    )


def write(root: Path, pages: Mapping[str, str]) -> None:
    for path, html in pages.items():
        file = root / path / "index.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(html, "utf-8")


def site(root: Path, folder: str = "fr", default: str = "", *, heads: bool = False) -> None:
    """English pages in the folder ``default``, and French ones, of which two (``guide/``, ``faq/``) are copies."""
    for name in (*TRANSLATED, "guide/", "faq/"):
        text = TEXTS["fr" if name in TRANSLATED else "en"]
        links = {"en": default + name, "fr": f"{folder}/{name}", "x-default": default + name} if heads else {}
        pages = {
            default + name: page(default + name, "en", TEXTS["en"], links=links),
            f"{folder}/{name}": page(f"{folder}/{name}", folder, text, links=links),
        }
        write(root, pages)


def build(root: Path, options: str = "") -> tuple[list[str], list[str]]:
    """The listed URLs below the base, and what the log says of languages."""
    (root / "sitemap.toml").write_text(f'base_url = "{X}"\n{options}', "utf-8")
    notes: list[str] = []
    configuration = read_configuration(str(root))
    settings = read_settings_of(configuration)
    built = build_site(
        str(root / "site"), configuration, settings, lambda _, note: notes.append(f"{note.kind}: {note.message}")
    )
    assert built.publication is not None
    kinds = ("untranslated", "unmatched", "language-mismatch")
    locs = sorted(entry.loc.removeprefix(X) for entry in built.publication.result.entries)
    return locs, [note for note in notes if note.startswith(kinds)]


def findings(root: Path) -> dict[str, list[str]]:
    """What ``check`` finds in French pages, by rule."""
    configuration = read_configuration(str(root))
    checked = read_site(str(root / "site"), configuration, read_settings_of(configuration))
    return {
        each.rule: sorted(f"{hit.url.removeprefix(X)}: {hit.found}" for hit in each.hits) for each in check(checked)
    }


def list_all(root: Path, *, linked: bool) -> None:
    """The sitemap of a generator that lists all pages, and may link them."""
    lines = []
    for name in (*TRANSLATED, "guide/", "faq/"):
        links = "".join(
            f'<xhtml:link rel="alternate" hreflang="{code}" href="{X}{folder}{name}"/>'
            for code, folder in (("en", ""), ("fr", "fr/"))
        )
        lines += [f"<url><loc>{X}{folder}{name}</loc>{links if linked else ''}</url>" for folder in ("", "fr/")]
    (root / "site/sitemap.xml").write_text("\n".join([OPEN, *lines, "</urlset>"]), "utf-8")


@pytest.mark.parametrize("heads", [False, True])
def test_copies_are_left_out_and_the_pages_that_link_to_them_agree(tmp_path: Path, *, heads: bool) -> None:
    """HL-12: a Docusaurus site without edit links."""
    site(tmp_path / "site", heads=heads)
    locs, notes = build(tmp_path)
    assert locs == ["", "a/", "b/", "faq/", "fr/", "fr/a/", "fr/b/", "guide/"]
    assert notes == []
    sitemap = (tmp_path / "site/sitemap.xml").read_text("utf-8")
    assert f'hreflang="fr" href="{X}fr/a/"' in sitemap
    assert f"{X}fr/guide/" not in sitemap
    assert findings(tmp_path) == {}


@pytest.mark.parametrize("heads", [False, True])
def test_check_reports_listed_copies(tmp_path: Path, *, heads: bool) -> None:
    """If the sitemap links the copies, the heads that do so agree with it."""
    site(tmp_path / "site", heads=heads)
    list_all(tmp_path, linked=heads)
    (tmp_path / "sitemap.toml").write_text(f'base_url = "{X}"\n', "utf-8")
    assert findings(tmp_path) == {
        "listed-untranslated": [
            "fr/faq/: it has the text of faq/index.html",
            "fr/guide/: it has the text of guide/index.html",
        ]
    }


def test_without_a_default_language_only_check_reports_copies(tmp_path: Path) -> None:
    site(tmp_path / "site", default="en/")
    locs, notes = build(tmp_path)
    assert "fr/guide/" in locs
    assert notes == []
    assert findings(tmp_path) == {
        "listed-untranslated": [
            "fr/faq/: it has the text of en/faq/index.html",
            "fr/guide/: it has the text of en/guide/index.html",
        ]
    }
    locs, _ = build(tmp_path, 'x_default = "en"')
    assert "fr/guide/" not in locs
    assert "en/guide/" in locs


def test_a_language_without_translations_stays_and_one_sentence_says_so(tmp_path: Path) -> None:
    for name in ("", "a/", "b/", "c/"):
        write(tmp_path / "site", {name: page(name, "en", TEXTS["en"])})
        write(tmp_path / "site", {f"fr/{name}": page(f"fr/{name}", "fr", TEXTS["en"])})
    locs, notes = build(tmp_path)
    assert len(locs) == 8
    sentence = (
        "it has the same text as index.html (and 3 more pages); hardly any page in fr differs from the one in en, so "
        "it is not clear whether these are copies: translate them, or leave them out of the sitemap"
    )
    assert notes == [f"untranslated: {sentence}"]
    assert findings(tmp_path) == {"listed-untranslated": [f"fr/: {sentence}"]}


def test_sources_and_the_option_translated_share_take_precedence(tmp_path: Path) -> None:
    site(tmp_path / "site")
    for name in ("guide", "fr/guide", "faq"):
        (tmp_path / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / f"docs/{name}.md").write_text("# Guide", "utf-8")
    locs, _ = build(tmp_path, 'source = ["docs/{path}.md"]')
    assert "fr/guide/" in locs  # it has a source of its own
    assert "fr/faq/" not in locs
    locs, notes = build(tmp_path, "translated_share = 0.0")
    assert {"fr/guide/", "fr/faq/"} <= {*locs}
    assert notes == []


def test_pages_that_are_left_out_anyway_or_are_no_translations_are_not_compared(tmp_path: Path) -> None:
    site(tmp_path / "site", heads=True)
    root = tmp_path / "site"
    copy = (root / "fr/faq/index.html").read_text("utf-8")
    copy = copy.replace("<link", '<meta name="robots" content="noindex"><link', 1)
    (root / "fr/faq/index.html").write_text(copy, "utf-8")
    # A page in a third language, which has no folder: nothing says that it is a translation.
    write(root, {"own/": page("own/", "it", TEXTS["en"], links={"x-default": ""})})
    locs, _ = build(tmp_path)
    assert "own/" in locs
    configuration = read_configuration(str(tmp_path))
    verdicts = read_site(str(root), configuration, read_settings_of(configuration)).verdicts
    assert {path: verdict.key for path, verdict in verdicts.items()} == {
        "fr/faq/index.html": "noindex",
        "fr/guide/index.html": "untranslated",
    }


@pytest.mark.parametrize(
    ("folder", "text", "more"),
    [
        pytest.param("fr", "Read this. ", "", id="short pages"),
        pytest.param("fr", "", f"<pre><code>{TEXTS['en'] * 9}</code></pre>", id="a list of code"),
        pytest.param("fr", "", f"<dl class='py'><dt class='sig'>f()</dt><dd>{TEXTS['en']}</dd></dl>", id="an API"),
        pytest.param("fr", "", f"<div class='doc-object'>{TEXTS['en'] * 9}</div>", id="an API of mkdocstrings"),
        pytest.param("en-GB", TEXTS["en"], "", id="another country"),
    ],
)
def test_other_pages_may_be_the_same_in_both_languages(tmp_path: Path, folder: str, text: str, more: str) -> None:
    site(tmp_path / "site", folder)
    root_language = "en-US" if folder == "en-GB" else "en"
    for name in (*TRANSLATED, "guide/", "faq/", "same/"):
        same = name == "same/" or folder == "en-GB"
        own = {"": TEXTS["en"], folder: TEXTS["fr" if name in TRANSLATED else "en"]}
        for top, language in (("", root_language), (folder, folder)):
            path = f"{top}/{name}".lstrip("/")
            write(tmp_path / "site", {path: page(path, language, text if same else own[top], more if same else "")})
    locs, notes = build(tmp_path)
    assert f"{folder}/same/" in locs
    assert (f"{folder}/guide/" in locs) == (folder == "en-GB")
    assert notes == []
