"""MkDocs with mkdocs-static-i18n: all languages of one build, with alternates for pages that are really translated."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

BASE = "https://docs.example.org/"
CODES = {"en": "en", "fr": "fr", "pt_BR": "pt-BR"}
NAMES = {"en": "English", "fr": "Français", "pt_BR": "Português"}

# The documents of all tests, each with its languages.
DOCUMENTS = {"index": ("en", "fr", "pt_BR"), "a": ("en", "pt_BR"), "b": ("en",), "c": ("fr",)}


def i18n(*languages: object, structure: str = "suffix", **options: object) -> list[object]:
    """The plugin with these languages, the first as default: locales, or mappings with further settings."""
    written = [{"locale": each} if isinstance(each, str) else each for each in languages]
    filled = [
        {"name": NAMES.get(each["locale"], each["locale"]), "default": not at} | each for at, each in enumerate(written)
    ]
    return [{"i18n": {"docs_structure": structure, "languages": filled} | options}]


def write_documents(site: Any, structure: str = "suffix", documents: Mapping[str, tuple[str, ...]] = DOCUMENTS) -> None:
    for page, locales in documents.items():
        for locale in locales:
            suffix = "" if locale == "en" else f".{locale}"
            name = f"{locale}/{page}.md" if structure == "folder" else f"{page}{suffix}.md"
            site.write(f"docs/{name}", f"# {page} ({locale})\n")


@pytest.fixture
def site(mkdocs_site: Any) -> Any:
    """A site with all documents."""
    write_documents(mkdocs_site)
    return mkdocs_site


def links(**paths: str) -> dict[str, str]:
    """The links that a sitemap has for a page in these languages, with English as the default."""
    return {CODES.get(locale, locale): path for locale, path in paths.items()} | {"x-default": paths["en"]}


HOME = links(en="", fr="fr/", pt_BR="pt_BR/")
A = links(en="a/", pt_BR="pt_BR/a/")
ALTERNATES = {"": HOME, "fr/": HOME, "pt_BR/": HOME, "a/": A, "pt_BR/a/": A}


@pytest.mark.parametrize("structure", ["folder", "suffix"])
@pytest.mark.parametrize("fallback", [True, False])
def test_pages_link_their_translations_but_not_copies(mkdocs_site: Any, structure: str, fallback: bool) -> None:
    write_documents(mkdocs_site, structure)
    plugins = i18n("en", "fr", "pt_BR", structure=structure, fallback_to_default=fallback)
    built = mkdocs_site.build(plugins=plugins)
    assert not built.our_warnings
    assert built.paths == ["", "a/", "b/", "fr/", "fr/c/", "pt_BR/", "pt_BR/a/"]
    assert built.alternates() == ALTERNATES
    assert built.has("fr/a/index.html") == fallback
    copies = {f"its copy {folder}/index.html" for folder in ("fr/a", "fr/b", "pt_BR/b")}
    told = {text.partition("(")[2][:-1] for text in built.said("left out", "not translated", level="debug")}
    assert told == (copies if fallback else set())
    assert built.said(
        "7 URLs, 0 with a date, 5 with translations; left out: 1 error page" + ", 3 not translated" * fallback,
        level="info",
    )


def test_a_page_that_is_left_out_is_no_alternate(site: Any) -> None:
    site.write("docs/a.pt_BR.md", "---\nsitemap: false\n---\n# a\n")
    site.write("docs/index.fr.md", "# Home\n")
    site.write(
        "overrides/main.html",
        "{% extends 'base.html' %}\n{% block extrahead %}"
        "{% if page.url == 'fr/' %}<meta name='robots' content='noindex'>{% endif %}{% endblock %}\n",
    )
    theme = {"name": "mkdocs", "custom_dir": "overrides"}
    built = site.build(plugins=i18n("en", "fr", "pt_BR"), theme=theme, strict=True)
    home = links(en="", pt_BR="pt_BR/")
    assert built.alternates() == {"": home, "pt_BR/": home}
    assert built.paths == ["", "a/", "b/", "fr/c/", "pt_BR/"]


def test_a_language_on_its_own_host_has_its_own_sitemap(site: Any) -> None:
    french = {"locale": "fr", "site_url": "https://fr.example.org/"}
    built = site.build_strictly(plugins=i18n("en", french, "pt_BR"))
    assert built.paths == ["", "a/", "b/", "pt_BR/", "pt_BR/a/"]
    home = links(en="", fr="https://fr.example.org/fr/", pt_BR="pt_BR/")
    assert built.alternates() == {"": home, "pt_BR/": home, "a/": A, "pt_BR/a/": A}
    assert built.alternates("fr/sitemap.xml") == {"https://fr.example.org/fr/": home}
    assert b"<loc>https://fr.example.org/fr/c/</loc>" in built.read("fr/sitemap.xml")
    assert built.unzip("fr/sitemap.xml.gz") == built.read("fr/sitemap.xml")
    announced = [line for line in built.read("robots.txt").decode().splitlines() if line.startswith("Sitemap")]
    assert announced == [f"Sitemap: {BASE}sitemap.xml", "Sitemap: https://fr.example.org/fr/sitemap.xml"]
    assert built.said("sitemap: sitemap.xml, fr/sitemap.xml: 7 URLs", level="info")


def test_the_order_of_the_plugins_makes_no_difference(site: Any) -> None:
    plugins = i18n("en", {"locale": "fr", "site_url": "https://fr.example.org/"}, "pt_BR")
    expected = site.build(plugins=plugins)
    files = [name for name in ("sitemap.xml", "fr/sitemap.xml", "robots.txt", "sitemap.xml.gz") if expected.has(name)]
    before = {name: expected.read(name) for name in files}
    config = {"site_name": "Sample", "site_url": BASE, "plugins": [{"sitemap": {}}, *plugins]}
    site.write("mkdocs.yml", json.dumps(config))
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"], cwd=site.root, check=True, capture_output=True
    )
    assert {name: expected.read(name) for name in files} == before
    assert len(before) == 4


@pytest.mark.parametrize(
    ("site_url", "is_apart"),
    [(f"{BASE}de-app/", True), (f"{BASE}app/über/", False)],
)
def test_a_language_below_another_path_of_the_same_host(mkdocs_site: Any, site_url: str, is_apart: bool) -> None:
    mkdocs_site.pages("index.md", "a.md", "index.de.md", "a.de.md")
    plugins = i18n("en", {"locale": "de", "site_url": site_url})
    built = mkdocs_site.build_strictly(plugins=plugins, site_url=f"{BASE}app/")
    base = site_url.removeprefix(BASE).replace("ü", "%C3%BC").rstrip("/")
    base += "/" * bool(base)
    home = links(en="app/", de=f"{base}de/")
    assert built.alternates()["app/"] == home
    assert built.has("de/sitemap.xml") == is_apart
    assert built.alternates("de/sitemap.xml" if is_apart else "sitemap.xml")[f"{base}de/"] == home
    assert not built.has("robots.txt")
    (note,) = built.said("robots.txt has no effect below /app/", level="info")
    assert f"Sitemap: {BASE}app/sitemap.xml" in note
    assert (f"Sitemap: {BASE}{base}de/sitemap.xml" in note) == is_apart


def test_an_invalid_site_url_of_a_language_is_a_warning_for_each_page(site: Any) -> None:
    built = site.build(plugins=i18n("en", {"locale": "fr", "site_url": "nowhere"}, "pt_BR"))
    home = links(en="", pt_BR="pt_BR/")
    assert built.alternates() == {"": home, "pt_BR/": home, "a/": A, "pt_BR/a/": A}
    assert built.our_warnings == built.said("its URL 'nowhere/fr/", "is not an absolute")
    assert len(built.our_warnings) == 2


def test_base_url_for_all_languages(site: Any) -> None:
    built = site.build({"base_url": BASE}, plugins=i18n("en", "fr", "pt_BR"), site_url=None, strict=True)
    assert built.alternates() == ALTERNATES


GENERATING_HOOK = """\
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File


@event_priority(-110)
def on_files(files, config):
    files.append(File.generated(config, "api/index.md", content="# made by a tool"))
    return files
"""


def test_pages_that_static_i18n_does_not_know_are_listed_without_alternates(site: Any) -> None:
    site.write("generating.py", GENERATING_HOOK)
    built = site.build(plugins=i18n("en", "fr", "pt_BR"), hooks=["generating.py"], strict=True)
    assert built.paths == ["", "a/", "api/", "b/", "fr/", "fr/c/", "pt_BR/", "pt_BR/a/"]
    assert built.alternates() == ALTERNATES
    built = site.build(
        {"generated_pages": False}, plugins=i18n("en", "fr", "pt_BR"), hooks=["generating.py"], strict=True
    )
    assert "api/" not in built.paths


def test_a_language_that_is_not_built_and_an_entry_that_is_not_a_language(site: Any) -> None:
    more = {"locale": "null", "name": "Help", "fixed_link": "https://translate.example.org/"}
    plugins = i18n("en", {"locale": "fr", "build": False}, "pt_BR", more)
    built = site.build(plugins=plugins, strict=True)
    home = links(en="", pt_BR="pt_BR/")
    assert built.alternates() == {"": home, "pt_BR/": home, "a/": A, "pt_BR/a/": A}


def test_a_preview_and_its_rebuilds(site: Any) -> None:
    local = "http://127.0.0.1:8000/"
    first = site.build(plugins=i18n("en", "fr", "pt_BR"), command="serve")
    assert first.locs == [local + path for path in ("", "a/", "b/", "fr/", "fr/c/", "pt_BR/", "pt_BR/a/")]
    assert first.alternates()[local] == {code: local + path for code, path in HOME.items()}
    assert not first.has("robots.txt")
    again = site.build(plugins=i18n("en", "fr", "pt_BR"), command="serve", again=True)
    assert again.read() == first.read()
    (site.docs / "a.pt_BR.md").unlink()
    site.pages("b.fr.md")
    again = site.build(plugins=i18n("en", "fr", "pt_BR"), command="serve", again=True)
    assert again.locs == [local + path for path in ("", "a/", "b/", "fr/", "fr/b/", "fr/c/", "pt_BR/")]
    assert sorted(again.alternates()) == [local + path for path in ("", "b/", "fr/", "fr/b/", "pt_BR/")]


FAILING_HOOK = """\
from pathlib import Path

def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri == "c.fr.md" and Path(__file__).with_name("fail").exists():
        raise ValueError("on purpose")
"""


def test_after_a_failure_in_one_language_the_next_build_is_complete(site: Any) -> None:
    site.write("failing.py", FAILING_HOOK)
    flag = site.write("fail", "")
    plugins = i18n("en", "fr", "pt_BR")
    with pytest.raises(ValueError, match="on purpose"):
        site.build(plugins=plugins, hooks=["failing.py"], command="serve")
    flag.unlink()
    after = site.build(plugins=plugins, hooks=["failing.py"], command="serve", again=True)
    fresh = site.build(plugins=plugins, hooks=["failing.py"], command="serve")
    assert after.read() == fresh.read()
    assert b"fr/c/" in after.read()


def test_the_theme_s_links_to_copies_are_mentioned_with_head_links_too(mkdocs_site: Any) -> None:
    pytest.importorskip("material")
    write_documents(mkdocs_site, documents={"index": ("en", "fr"), "a": ("en", "fr"), "b": ("en", "de")})
    theme = {"name": "material", "language": "en", "font": False}
    built = mkdocs_site.build({"head_links": True}, plugins=i18n("en", "fr", "de"), theme=theme, strict=True)
    assert len(built.said("its head names ", level="info")) == 1


def test_a_copy_of_static_i18n_s_template_is_left_alone_with_a_note(site: Any) -> None:
    import mkdocs_static_i18n

    template = Path(mkdocs_static_i18n.__file__).parent / "custom_i18n_sitemap" / "sitemap.xml"
    site.write("overrides/sitemap.xml", template.read_bytes())
    theme = {"name": "mkdocs", "custom_dir": "overrides"}
    built = site.build_strictly(plugins=i18n("en", "fr", "pt_BR"), theme=theme)
    assert b'hreflang="pt_BR"' in built.read()
    (note,) = built.said("overrides/sitemap.xml is your own", level="info")
    assert "the template of static-i18n" in note
    assert built.unzip() == built.read()


def test_under_another_name_our_sitemap_coexists_with_that_of_static_i18n(site: Any) -> None:
    french = {"locale": "fr", "site_url": "https://fr.example.org/"}
    options = {"filename": "pages.xml"}
    built = site.build_strictly(options, plugins=i18n("en", french, "pt_BR"))
    assert b'hreflang="pt_BR"' in built.read("sitemap.xml")
    assert built.alternates("pages.xml")["a/"] == A
    assert "https://fr.example.org/fr/" in built.alternates("fr/pages.xml")
    assert len(built.said("static-i18n writes sitemap.xml", level="info")) == 1
    robots = built.read("robots.txt").decode()
    assert f"Sitemap: {BASE}pages.xml\nSitemap: https://fr.example.org/fr/pages.xml\n" in robots
    assert "sitemap.xml" not in robots


def test_copies_are_listed_without_links_if_the_option_allows_it(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "index.fr.md", "a.md")
    built = mkdocs_site.build_strictly({"translated_share": 0}, plugins=i18n("en", "fr"))
    assert built.paths == ["", "a/", "fr/", "fr/a/"]
    assert {*built.alternates()} == {"", "fr/"}


def test_copies_that_are_listed_do_not_take_part_in_the_alternates_of_the_original(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "index.fr.md", "a.md", "autre.fr.md")
    mkdocs_site.write("docs/a.md", "---\nsitemap: {alternates: {fr: autre.fr.md}}\n---\n# A\n")
    built = mkdocs_site.build_strictly({"translated_share": 0}, plugins=i18n("en", "fr"))
    assert built.alternates()["fr/autre/"] == built.alternates()["a/"]
    assert "fr/a/" not in built.alternates()
