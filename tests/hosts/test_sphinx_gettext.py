"""Sphinx in a language made by gettext catalogues: which pages count as translated, and their dates."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

import pytest

HEADER = 'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n{more}'
MESSAGES = 4  # per document: a title and three paragraphs


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """A site in a repository."""
    return sphinx_site.at(repository.path)


def write_document(site: Any, name: str) -> None:
    paragraphs = "\n\n".join(f"Sentence {number} of {name}." for number in range(1, MESSAGES))
    title = f"Title of {name}"
    site.write(f"docs/{name}.rst", f"{title}\n{'=' * len(title)}\n\n{paragraphs}\n")


def messages_of(name: str, translated: int = MESSAGES, language: str = "de") -> str:
    """The messages of a document, with the given number of them translated."""
    sources = [f"Title of {name}", *(f"Sentence {number} of {name}." for number in range(1, MESSAGES))]
    entries = [
        f'#: ../{name}.rst:{number}\nmsgid "{source}"\nmsgstr "{f"{language}: {source}" if number < translated else ""}"\n'
        for number, source in enumerate(sources)
    ]
    return "\n".join(entries)


def catalogue(*messages: str, language: str = "de", more: str = "") -> str:
    return "\n".join([HEADER.format(language=language, more=more), *messages])


def place(domain: str, language: str = "de", folder: str = "docs/locales") -> str:
    return f"{folder}/{language}/LC_MESSAGES/{domain}.po"


def write_site(site: Any, translated: Mapping[str, int | None]) -> None:
    """Write documents with the given number of messages translated into German, or without a catalogue for None."""
    for name, number in translated.items():
        write_document(site, name)
        if number is not None:
            site.write(place(name), catalogue(messages_of(name, number)))
    site.refer_to_all()


def build(site: Any, options: object = None, *, language: str = "de", strict: bool = False, **config: Any) -> Any:
    """Build the site in a language given on the command line, as is usual for translations."""
    how = site.build_strictly if strict else site.build
    return how(options, overrides={"language": language}, **{"gettext_compact": False} | config)


SITE = {"index": 4, "half": 2, "less": 1, "none": 0, "without": None, "guide/all": 4}
LISTED = ["guide/all.html", "half.html", "index.html"]


@pytest.mark.parametrize(
    ("options", "listed"),
    [
        ({}, LISTED),
        ({"translated_share": 0.51}, ["guide/all.html", "index.html"]),
    ],
)
def test_the_share_of_translated_messages_decides(
    sphinx_site: Any, options: Mapping[str, object], listed: list[str]
) -> None:
    write_site(sphinx_site, SITE)
    built = build(sphinx_site, options, strict=True)
    assert built.paths == listed
    assert built.said("left out without.rst: not translated (it has no catalogue)")
    assert built.said("left out none.rst: not translated (0 of 4 messages, see the option translated_share)")
    assert bool(built.said("left out half.rst: not translated (2 of 4 messages")) == ("half.html" not in listed)
    number = len(SITE) - len(listed)
    assert built.said(f"sitemap.xml: {len(listed)} URLs", f"{number} not translated", level="info")


def test_with_a_share_of_zero_every_page_is_listed(sphinx_site: Any) -> None:
    write_site(sphinx_site, SITE)
    built = build(sphinx_site, {"translated_share": 0}, strict=True)
    assert built.paths == ALL


ALL = sorted(f"{name}.html" for name in SITE)
ENGLISH = {name: number for name, number in SITE.items() if number is not None}


def with_english(site: Any, translated: Mapping[str, int]) -> None:
    """Write English catalogues, as kept by translation services or by projects with sources in another language."""
    for name, number in translated.items():
        site.write(place(name, "en"), catalogue(messages_of(name, number, "en"), language="en"))


# The settings in conf.py and on the command line, the number of English messages, and the listed pages.
LANGUAGES = {
    "none": ({}, {}, {}, ALL),
    "none, with English catalogues": ({}, {}, {"index": 4}, ALL),
    "English": ({"language": "en"}, {}, {}, ALL),
    "English, with an empty catalogue": ({"language": "en"}, {}, {"index": 0}, ALL),
    "English, with one catalogue that is not empty": ({"language": "en"}, {}, {"index": 1}, ALL),
    "English, with nearly all catalogues": ({"language": "en"}, {}, ENGLISH, LISTED),
    "English twice": ({"language": "en"}, {"language": "en"}, {"index": 4}, ALL),
    "English by default and on the command line": ({}, {"language": "en"}, {"index": 0}, ALL),
    "a translation": ({}, {"language": "de"}, {}, LISTED),
    "a translation of English": ({"language": "en"}, {"language": "de"}, {}, LISTED),
    "a translation named in conf.py": ({"language": "de"}, {}, {}, LISTED),
    "a language without translations": ({}, {"language": "it"}, {}, []),
    "Italian sources": ({"language": "it"}, {}, {}, ALL),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_which_builds_are_translations(sphinx_site: Any, name: str) -> None:
    config, overrides, english, listed = LANGUAGES[name]
    write_site(sphinx_site, SITE)
    with_english(sphinx_site, english)
    built = sphinx_site.build_strictly(overrides=overrides, gettext_compact=False, **config)
    assert (built.paths if built.has("sitemap.xml") else []) == listed
    assert bool(built.said("not translated")) == (listed != ALL)


def test_english_can_be_a_translation(sphinx_site: Any) -> None:
    from sphinx import version_info

    write_site(sphinx_site, dict.fromkeys(("index", "a")))
    with_english(sphinx_site, {"index": 4})
    built = sphinx_site.build(overrides={"language": "en"}, gettext_compact=False, language="it")
    # Before 7.3 Sphinx does not keep the language from conf.py.
    assert built.paths == (["index.html"] if version_info >= (7, 3) else ["a.html", "index.html"])


def test_in_a_language_without_catalogues_every_page_is_listed(sphinx_site: Any) -> None:
    write_site(sphinx_site, dict.fromkeys(SITE))
    built = sphinx_site.build(strict=True, language="de", overrides={"language": "de"})
    assert built.paths == ALL
    from sphinx import version_info

    # Before 7.3 Sphinx does not keep the language from conf.py.
    assert len(built.said("locale_dirs has no catalogues")) == (version_info < (7, 3))
    built = sphinx_site.build(strict=True, overrides={"language": "de"})
    assert built.paths == ALL
    assert len(built.said("language: locale_dirs has no catalogues", "count as written in de", level="info")) == 1


@pytest.mark.parametrize("is_on_the_command_line", [False, True])
def test_a_language_that_is_not_spelled_as_the_folder_of_its_catalogues_is_named(
    sphinx_site: Any, *, is_on_the_command_line: bool
) -> None:
    write_document(sphinx_site, "index")
    sphinx_site.write(place("index", "uk_UA"), catalogue(messages_of("index"), language="uk_UA"))
    message = "language: Sphinx finds no catalogues for 'uk-ua', so it translates no page; set language to 'uk_UA'"
    overrides = {"language": "uk-ua"} if is_on_the_command_line else {}
    assert sphinx_site.build(overrides=overrides, language="uk-ua").said(message, level="info")
    assert not sphinx_site.build(overrides={"language": "uk_UA"}).said("finds no catalogues")


@pytest.mark.parametrize("shown", [False, True])
def test_fuzzy_translations_count_if_sphinx_shows_them(site: Any, repository: Any, *, shown: bool) -> None:
    write_site(site, {"index": 4, "a": 4})
    repository.write(".gitignore", "*.mo\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    site.write(place("a"), catalogue(messages_of("a", language="new").replace("msgid", "#, fuzzy\nmsgid")))
    repository.commit("2026-01-02T00:00:00+00:00")
    options = {"record": "record.json"}
    built = build(site, options, strict=True, gettext_allow_fuzzy_translations=shown)
    dates = {"index.html": "2026-01-01T00:00:00Z"} | ({"a.html": "2026-01-02T00:00:00Z"} if shown else {})
    assert dates_in(built) == dict(sorted(dates.items()))
    assert ("new: Title of a" in built.read("a.html").decode()) is shown
    assert (b'"fuzzy": true' in built.read("record.json")) is shown


@pytest.mark.parametrize(
    ("content", "is_listed"),
    [
        (".. code-block:: python\n\n   print(1)\n", False),
        (".. raw:: html\n\n   <svg></svg>\n", False),
        (".. image:: one.png\n", False),
        (".. image:: https://docs.example.org/two.png\n", False),
        (".. toctree::\n\n   https://docs.example.org/\n", False),
        (".. toctree::\n\n   a\n", True),
        (".. image:: two.png\n", True),
        (".. image:: /guide/two.png\n", True),
    ],
)
@pytest.mark.parametrize("compact", [True, "m"])
def test_a_document_without_messages_is_the_same_in_every_language(
    sphinx_site: Any, compact: object, content: str, *, is_listed: bool
) -> None:
    write_site(sphinx_site, {"index": 4, "guide/a": None})
    sphinx_site.write("docs/guide/b.rst", f":orphan:\n\n{content}")
    for name in ("one", "two", "two.de"):
        sphinx_site.write(f"docs/guide/{name}.png", b"")
    for domain in ("guide", "m"):
        sphinx_site.write(place(domain), catalogue(messages_of("guide/a"), messages_of("index")))
    built = build(sphinx_site, gettext_compact=compact)
    assert built.paths == ["guide/a.html", *(["guide/b.html"] if is_listed else []), "index.html"]
    assert bool(built.said("left out guide/b.rst: not translated (it has no messages)")) is not is_listed


def test_pages_without_a_document_are_still_listed(sphinx_site: Any) -> None:
    write_site(sphinx_site, {"index": 4, "a": None})
    built = build(sphinx_site, {"generated_pages": ["genindex.html"]}, strict=True)
    assert built.paths == ["genindex.html", "index.html"]


@pytest.mark.parametrize(
    ("compact", "catalogues"),
    [
        (True, {"index": ["index"], "guide": ["guide/a", "guide/b/c"]}),
        (False, {"index": ["index"], "guide/a": ["guide/a"], "guide/b/c": ["guide/b/c"]}),
        ("all", {"all": ["index", "guide/a", "guide/b/c"]}),
    ],
)
def test_catalogues_for_one_document_or_for_many(
    site: Any, repository: Any, compact: bool | str, catalogues: Mapping[str, list[str]]
) -> None:
    write_site(site, dict.fromkeys(("index", "guide/a", "guide/b/c", "other")))
    repository.write(".gitignore", "*.mo\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    dates = {}
    for day, (domain, names) in enumerate(catalogues.items(), 2):
        site.write(place(domain), catalogue(*map(messages_of, names)))
        repository.commit(f"2026-01-0{day}T00:00:00+00:00")
        dates |= dict.fromkeys((f"{name}.html" for name in names), f"2026-01-0{day}T00:00:00Z")
    built = build(site, gettext_compact=compact, strict=True)
    assert dates_in(built) == dict(sorted(dates.items()))
    assert built.said("left out other.rst: not translated")


def dates_in(built: Any) -> dict[str, str]:
    """The date of each page in the sitemap by path; empty if there is none."""
    urls = re.findall(r"<loc>([^<]*)</loc>(?:<lastmod>([^<]*)</lastmod>)?", built.read().decode())
    return {loc.removeprefix("https://docs.example.org/"): date for loc, date in urls}


def test_a_page_is_as_new_as_the_newest_of_source_and_catalogue(site: Any, repository: Any) -> None:
    write_site(site, {"index": 4, "a": 4, "b": 4})
    repository.commit("2026-01-01T00:00:00+00:00")
    write_document(site, "a")
    (site.docs / "a.rst").write_text((site.docs / "a.rst").read_text() + "\nMore.\n")
    repository.commit("2026-02-02T00:00:00+00:00")
    site.write(place("b"), catalogue(messages_of("b", 3)))
    repository.commit("2026-03-03T12:00:00+03:00")
    built = build(site, strict=True)
    days = {"a.html": "2026-02-02T00:00:00Z", "b.html": "2026-03-03T09:00:00Z", "index.html": "2026-01-01T00:00:00Z"}
    assert dates_in(built) == days
    assert not built.said("no date")
    # In the language of the sources a catalogue does not count.
    assert dates_in(build(site, language="en"))["b.html"] == "2026-01-01T00:00:00Z"


def test_only_compiled_catalogues(site: Any, repository: Any) -> None:
    write_site(site, {"index": 4, "a": 1})
    build(site)
    for path in site.docs.rglob("*.po"):
        path.unlink()
    repository.commit("2026-01-01T00:00:00+00:00")
    built = build(site, strict=True)
    assert dates_in(built) == {"index.html": "2026-01-01T00:00:00Z"}
    assert built.said("left out a.rst: not translated (1 of 4 messages")


def test_several_folders_with_catalogues(site: Any, repository: Any) -> None:
    write_site(site, {"index": 4, "a": None, "b": 4})
    repository.commit("2026-01-01T00:00:00+00:00")
    site.write(place("a", folder="translations"), catalogue(messages_of("a")))
    site.write(place("b", folder="translations"), catalogue(messages_of("b", 2)))
    repository.commit("2026-02-02T00:00:00+00:00")
    built = build(site, locale_dirs=["locales", "../translations", "nowhere"], strict=True)
    days = {"a.html": "2026-02-02T00:00:00Z", "b.html": "2026-02-02T00:00:00Z", "index.html": "2026-01-01T00:00:00Z"}
    assert dates_in(built) == days


def test_rebuilds_find_the_same_as_a_full_build(site: Any, repository: Any) -> None:
    shares = {"index": 4, **{f"page{number}": number % 5 for number in range(8)}, "without": None}
    write_site(site, shares)
    repository.write(".gitignore", "*.mo\noutput\ndoctrees\n")
    repository.commit("2026-01-01T00:00:00+00:00")
    built = build(site, parallel=2, strict=True)
    assert built.paths == ["index.html", *(f"page{number}.html" for number in (2, 3, 4, 7))]
    first = built.read()
    assert build(site, parallel=2, strict=True).read() == first
    write_document(site, "page4")
    (site.docs / "page4.rst").touch()
    assert build(site, parallel=2, strict=True).read() == first
    assert "page1.html" not in build(site, parallel=2).paths


def test_a_new_translation_counts_in_the_next_build(sphinx_site: Any) -> None:
    write_site(sphinx_site, {"index": 4, "a": 0, "b": 4, "c": None})
    assert build(sphinx_site).paths == ["b.html", "index.html"]
    for name, number in (("a", 4), ("b", 0), ("c", 4)):
        path = sphinx_site.write(place(name), catalogue(messages_of(name, number)))
        later = path.stat().st_mtime + 2
        os.utime(path, (later, later))
    built = build(sphinx_site)
    assert built.paths == sphinx_site_afresh(sphinx_site).paths == ["a.html", "c.html", "index.html"]


def sphinx_site_afresh(site: Any) -> Any:
    """The same sources, without any output of an earlier build."""
    other = site.at(site.root.with_name("afresh"))
    for path in site.docs.rglob("*"):
        if path.is_file() and path.suffix != ".mo":
            other.write(str(path.relative_to(site.root)), path.read_bytes())
    return build(other)


def test_catalogues_of_a_language_serve_its_regional_forms(site: Any, repository: Any) -> None:
    write_site(site, dict.fromkeys(("index", "a", "b", "c")))
    repository.commit("2026-01-01T00:00:00+00:00")
    for name in ("index", "a"):
        site.write(place(name, "pt"), catalogue(messages_of(name, language="pt"), language="pt"))
    build(site, language="pt")  # Sphinx compiles only the catalogues of the build's own language
    repository.write(".gitignore", "output\ndoctrees\n")
    repository.commit("2026-02-02T00:00:00+00:00")
    site.write(place("b", "pt_BR"), catalogue(messages_of("b", language="pt_BR"), language="pt_BR"))
    site.write(place("a", "pt_BR"), catalogue(messages_of("a", 1, language="pt_BR"), language="pt_BR"))
    repository.commit("2026-03-03T00:00:00+00:00")
    built = build(site, language="pt_BR", strict=True)
    days = {"a.html": "2026-03-03T00:00:00Z", "b.html": "2026-03-03T00:00:00Z", "index.html": "2026-02-02T00:00:00Z"}
    assert dates_in(built) == days
    assert built.said("left out c.rst: not translated (it has no catalogue)")


def test_catalogues_that_no_build_has_compiled_date_no_page(site: Any, repository: Any) -> None:
    """Sphinx compiles those of the build's language, here pt_BR, and shows those for pt only if they are compiled."""
    write_site(site, {"index": None, "a": None})
    repository.write(".gitignore", "*.mo\noutput\ndoctrees\n")
    for name in ("index", "a"):
        site.write(place(name, "pt_BR"), catalogue(messages_of(name, 3, language="pt_BR"), language="pt_BR"))
    repository.commit("2026-01-01T00:00:00+00:00")
    for name in ("index", "a"):
        site.write(place(name, "pt"), catalogue(messages_of(name, language="pt"), language="pt"))
    repository.commit("2026-02-02T00:00:00+00:00")
    first = "2026-01-01T00:00:00Z"
    assert dates_in(build(site, language="pt_BR", strict=True)) == {"a.html": first, "index.html": first}


UNREADABLE = {
    "no msgstr": catalogue('msgid "Title of a"\n\nmsgid "Old sentence."\nmsgstr "Satz"\n'),
    "a web page": "<!doctype html><title>404</title>\n",
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_a_catalogue_that_cannot_be_read_is_one_warning(sphinx_site: Any, content: str) -> None:
    write_site(sphinx_site, {"index": 4})
    write_document(sphinx_site, "a")
    sphinx_site.write(place("a"), content)
    built = build(sphinx_site)
    assert built.paths == ["index.html"]
    (warning,) = built.our_warnings
    assert "sitemap: locales/de/LC_MESSAGES/a.po: line " in warning
    assert "its pages count as not translated" in warning
    assert built.said("left out a.rst: not translated")


def test_a_mistake_in_a_catalogue_that_sphinx_tolerates_is_no_warning(sphinx_site: Any) -> None:
    write_site(sphinx_site, {"index": 4, "a": 4})
    sphinx_site.write(place("a"), catalogue(messages_of("a"), 'msgid "Old title"\nmsgstr "Titel\n'))
    built = build(sphinx_site, strict=True)
    assert built.paths == ["a.html", "index.html"]


def test_a_catalogue_that_sphinx_itself_warns_about_gets_no_second_warning(sphinx_site: Any) -> None:
    write_site(sphinx_site, {"index": 4, "a": 4})
    content = catalogue(messages_of("a").replace("de: ", "für: ")).replace("utf-8", "latin-1")
    sphinx_site.write(place("a"), content.encode("latin-1"))
    built = build(sphinx_site)
    assert built.paths == ["index.html"]
    assert not built.our_warnings
    assert [text for text in built.warnings if "a.po" in text]


def test_catalogues_that_are_not_compiled_do_not_count(sphinx_site: Any) -> None:
    write_site(sphinx_site, {"index": 4, "a": 4})
    built = build(sphinx_site, gettext_auto_build=False, strict=True)
    assert not built.has("sitemap.xml")
    assert built.said("every page is left out", "2 not translated", level="info")


@pytest.mark.parametrize(
    ("builder", "listed"),
    [("dirhtml", ["", "a/"]), ("singlehtml", ["index.html"]), ("html", ["a.html", "index.html"])],
)
def test_each_html_builder(site: Any, repository: Any, builder: str, listed: list[str]) -> None:
    write_site(site, {"index": 4, "a": 4, "b": 1})
    repository.commit("2026-01-01T00:00:00+00:00")
    site.write(place("a"), catalogue(messages_of("a", 3)))
    repository.commit("2026-02-02T00:00:00+00:00")
    built = build(site, builder=builder, strict=True)
    assert built.paths == listed
    newest = "index.html" if builder == "singlehtml" else listed[builder == "dirhtml"]
    assert dates_in(built)[newest] == "2026-02-02T00:00:00Z"
