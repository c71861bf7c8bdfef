"""The line from pages to files, without a disk."""

import gzip
import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from msgspec import structs

from sitemap_plugins import pipeline
from sitemap_plugins.enrich.git_history import SHALLOW, DateRules
from sitemap_plugins.enrich.lastmod import DatesOf
from sitemap_plugins.formats.evidence import EvidenceRules
from sitemap_plugins.model import DROP, Adjuster, Dropped, Entry, FileDate, Language, Markup, Page, Site
from sitemap_plugins.output import OutputFile, Sitemap
from sitemap_plugins.pipeline import announce, build, describe, render, summarize
from sitemap_plugins.settings import Settings, read_settings

BASE = "https://example.org/"
BELOW = "https://example.org/docs/"
SITE = Site(base_url=BASE, as_of=datetime(2026, 3, 1, tzinfo=UTC))
URL = f"{BASE}sitemap.xml"
BLOCK = f"# begin of sitemap-plugins\nSitemap: {URL}\n# end of sitemap-plugins\n".encode()
SITEMAPS = (Sitemap(path="sitemap.xml", entries=(Entry(loc=BASE),), url=URL),)
BELOW_SITEMAPS = (Sitemap(path="sitemap.xml", entries=(Entry(loc=BELOW),), url=f"{BELOW}sitemap.xml"),)
FRENCH = "https://fr.example.org/"
HOME = Page(loc=BASE, name="index.md")


def options(**written: object) -> Settings:
    settings, mistakes = read_settings(written)
    assert not mistakes
    return settings


def all_are(date: FileDate) -> dict[str, DatesOf]:
    """Git, which knows the same of every file."""
    return {"git": lambda files: dict.fromkeys(files, date)}


def contents(files: tuple[OutputFile, ...] | list[OutputFile]) -> dict[str, bytes | None]:
    return {file.path: file.content for file in files}


def test_pages_become_a_sitemap_its_gz_and_a_robots_entry() -> None:
    pages = [
        structs.replace(HOME, source="/docs/index.md", sources=("/docs/index.md",)),
        Page(loc=f"{BASE}b é/", name="b.md", front_matter={"sitemap": {"priority": 0.8, "lastmod": date(2026, 2, 1)}}),
        Page(loc=f"{BASE}a/", name="a.md", markup=Markup(robots=frozenset({"noindex"}))),
        Page(loc=f"{BASE}404.html", name="404.html", omit="error page"),
    ]
    changed = datetime(2026, 2, 28, 12, tzinfo=UTC)
    dates = all_are(FileDate(when=changed))
    result = build(SITE, pages, options(gzip=True), dates=dates)
    xml = (
        b'<?xml version="1.0" encoding="UTF-8"?>\n'
        b"<!-- written by sitemap-plugins -->\n"
        b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        b"<url><loc>https://example.org/</loc><lastmod>2026-02-28T12:00:00Z</lastmod></url>\n"
        b"<url><loc>https://example.org/b%20%C3%A9/</loc><lastmod>2026-02-01</lastmod><priority>0.8</priority></url>\n"
        b"</urlset>\n"
    )
    files = contents(result.files)
    assert list(files) == ["sitemap.xml", "sitemap.xml.gz", "robots.txt"]
    assert files["sitemap.xml"] == xml
    assert gzip.decompress(files["sitemap.xml.gz"] or b"") == xml
    assert files["robots.txt"] == BLOCK
    assert [(each.page.name, each.reason) for each in result.dropped] == [
        ("404.html", "error page"),
        ("a.md", "noindex"),
    ]
    assert result.notes == ()
    assert result.site is SITE
    assert summarize(result) == "sitemap.xml: 2 URLs, 2 with a date; left out: 1 error page, 1 noindex"


def test_the_same_pages_in_another_order_give_the_same_bytes() -> None:
    pages = [HOME, *(Page(loc=f"{BASE}{name}/", name=name) for name in "cab")]
    assert build(SITE, pages, Settings()).files == build(SITE, reversed(pages), Settings()).files


def test_without_gzip_a_stale_gz_is_removed() -> None:
    files = contents(build(SITE, [HOME], options(gzip=False)).files)
    assert files["sitemap.xml"]
    assert files["sitemap.xml.gz"] is None


def test_the_filename_is_the_authors() -> None:
    files = contents(build(SITE, [HOME], options(filename="docs.xml", gzip=True)).files)
    assert list(files) == ["docs.xml", "docs.xml.gz", "robots.txt"]
    assert f"Sitemap: {BASE}docs.xml\n".encode() in (files["robots.txt"] or b"")


@pytest.mark.parametrize(
    "pages", [[], [structs.replace(HOME, omit="error page")], [structs.replace(HOME, front_matter={"sitemap": False})]]
)
def test_with_no_page_to_list_there_is_no_file_and_no_announcement(pages: list[Page]) -> None:
    result = build(SITE, pages, Settings(), robots_txt=b"User-agent: *\n" + BLOCK)
    assert contents(result.files) == {"robots.txt": b"User-agent: *\n"}
    assert result.sitemaps == ()
    assert [note.kind for note in result.notes] == ["no-pages"]


def test_too_many_pages_leave_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_plugins.arrange.grouping.URL_LIMIT", 1)
    result = build(SITE, [HOME, Page(loc=f"{BASE}a/", name="a")], options(robots=False))
    assert result.files == ()
    assert result.sitemaps == ()
    assert [note.kind for note in result.notes] == ["limit"]


@pytest.mark.parametrize(("spare", "fits"), [(0, True), (-1, False)])
def test_a_sitemap_may_have_exactly_the_bytes_of_the_limit(
    monkeypatch: pytest.MonkeyPatch, spare: int, *, fits: bool
) -> None:
    size = len(contents(build(SITE, [HOME], Settings()).files)["sitemap.xml"] or b"")
    monkeypatch.setattr(pipeline, "SIZE_LIMIT", size + spare)
    result = build(SITE, [HOME], Settings())
    assert bool(result.sitemaps) is fits
    assert ("sitemap.xml" in contents(result.files)) is fits
    assert [note.kind for note in result.notes] == ([] if fits else ["limit"])
    if not fits:
        assert f"{size:,} bytes" in result.notes[0].message
        assert result.files == ()


def test_every_sitemap_is_rendered_with_its_gz_beside_it() -> None:
    sitemaps = [
        Sitemap(path=f"{name}.xml", entries=(Entry(loc=f"{BASE}{name}/"),), url=f"{BASE}{name}.xml") for name in "ab"
    ]
    files, notes = render(sitemaps, options(gzip=True))
    assert [file.path for file in files] == ["a.xml", "a.xml.gz", "b.xml", "b.xml.gz"]
    assert all(
        gzip.decompress(packed.content or b"") == plain.content
        for plain, packed in zip(files[::2], files[1::2], strict=True)
    )
    assert notes == []


def test_the_form_of_the_dates_is_the_authors() -> None:
    sitemaps = [
        Sitemap(
            path="a.xml", entries=(Entry(loc=BASE, lastmod=datetime(2026, 3, 1, 9, tzinfo=UTC)),), url=f"{BASE}a.xml"
        )
    ]
    ((xml, _), _) = render(sitemaps, options(lastmod_format="date"))
    assert b"<lastmod>2026-03-01</lastmod>" in (xml.content or b"")


def test_only_pages_that_are_listed_are_counted_as_undated() -> None:
    dates = all_are(FileDate(when=None, reason=SHALLOW))
    pages = [
        structs.replace(HOME, source="/index.md", sources=("/index.md",)),
        Page(loc=f"{BASE}a/", name="a.md", source="/a.md", sources=("/a.md",), front_matter={"sitemap": False}),
        Page(loc=f"{BASE}b/", name="b.md", source="/b.md", sources=("/b.md",), omit="never written"),
    ]
    (note,) = build(structs.replace(SITE, unshallow="set it"), pages, Settings(), dates=dates).notes
    assert note.kind == "shallow"
    assert note.message.startswith("1 page has no date")
    assert note.message.endswith("; for the whole history set it")


def test_pages_that_show_another_date_and_a_commit_that_dates_many_are_noted() -> None:
    swept = FileDate(when=datetime(2026, 2, 1, tzinfo=UTC), commit="5e" * 20)
    pages = [
        structs.replace(HOME, source="/index.md", sources=("/index.md",), shown=("2020-01-01",)),
        Page(loc=f"{BASE}x/", name="x.md", source="/x.md", sources=("/x.md",), markup=Markup(modified=("2026-02-01",))),
        *(Page(loc=f"{BASE}{name}/", name=name, source=f"/{name}", sources=(f"/{name}",)) for name in "abcd"),
        Page(loc=f"{BASE}y/", name="y.md", front_matter={"sitemap": False}, shown=("2020-01-01",)),
    ]
    notes = build(SITE, pages, Settings(), dates=all_are(swept)).notes
    assert [(note.kind, note.page) for note in notes] == [("bulk-commit", None), ("shown-date", "index.md")]
    assert "dates 6 of 6 pages" in notes[0].message
    assert build(SITE, pages, options(git={"bulk_share": 1}), dates=all_are(swept)).notes == notes[1:]


def test_what_pages_depend_on_dates_them() -> None:
    page = structs.replace(
        HOME, source="/index.md", sources=("/index.md",), front_matter={"sitemap": {"depends_on": "a.csv, b.csv"}}
    )
    new = FileDate(when=datetime(2026, 2, 1, tzinfo=UTC))
    dates = {"git": lambda files: {file: new for file in files if file == "/a.csv"}}
    result = build(SITE, [page], Settings(), dates=dates, find_files=lambda name: ["/a.csv"] * (name == "a.csv"))
    assert [entry.lastmod for sitemap in result.sitemaps for entry in sitemap.entries] == [new.when]
    assert [note.kind for note in result.notes] == ["depends-on"]


class TestEvidence:
    RULES = EvidenceRules(DateRules(), ())

    def test_is_a_file_beside_the_sitemap(self) -> None:
        page = structs.replace(HOME, front_matter={"sitemap": {"lastmod": "2026-02-01"}})
        result = build(SITE, [page], options(evidence="e.json", gzip=True), evidence=lambda: self.RULES)
        files = contents(result.files)
        assert list(files) == ["sitemap.xml", "sitemap.xml.gz", "e.json", "robots.txt"]
        assert json.loads(files["e.json"] or b"")["pages"] == [
            {"loc": BASE, "page": "index.md", "lastmod": "2026-02-01", "source": "front_matter"}
        ]

    def test_has_the_dates_in_the_form_of_the_sitemap(self) -> None:
        page = structs.replace(HOME, source="/a.md", sources=("/a.md",))
        dates = all_are(FileDate(when=datetime(2026, 2, 1, 9, tzinfo=UTC)))
        settings = options(evidence="e.json", lastmod_format="date")
        result = build(SITE, [page], settings, dates=dates, evidence=lambda: self.RULES)
        assert json.loads(contents(result.files)["e.json"] or b"")["pages"][0]["lastmod"] == "2026-02-01"

    def test_has_the_pages_that_are_listed_in_the_order_of_the_sitemap(self) -> None:
        pages = [
            *(Page(loc=f"{BASE}{name}/", name=name) for name in "cab"),
            Page(loc=f"{BASE}d/", name="d", omit="draft"),
            structs.replace(HOME, front_matter={"sitemap": False}),
        ]
        settings = options(evidence="e.json")
        one, two = (
            contents(build(SITE, order, settings, evidence=lambda: self.RULES).files)["e.json"]
            for order in (pages, reversed(pages))
        )
        assert one == two
        assert [page["page"] for page in json.loads(one or b"")["pages"]] == ["a", "b", "c"]

    @pytest.mark.parametrize(
        ("written", "pages"),
        [({}, [HOME]), ({"evidence": "e.json"}, []), ({"evidence": "e.json"}, [structs.replace(HOME, omit="x")])],
    )
    def test_is_not_asked_for_in_vain(self, written: Mapping[str, object], pages: list[Page]) -> None:
        def refuse() -> EvidenceRules:
            raise AssertionError

        assert "e.json" not in contents(build(SITE, pages, options(**written), evidence=refuse).files)

    def test_needs_somebody_who_has_it(self) -> None:
        assert "e.json" not in contents(build(SITE, [HOME], options(evidence="e.json")).files)

    def test_of_a_sitemap_that_is_too_large_is_not_written(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pipeline, "SIZE_LIMIT", 10)
        result = build(SITE, [HOME], options(evidence="e.json", robots=False), evidence=lambda: self.RULES)
        assert result.files == ()


def test_hooks_and_notes_of_every_station_arrive() -> None:
    def leave_out(entry: Entry, page: Page) -> Any:
        del entry
        if page.name == "bad":
            message = "oh"
            raise RuntimeError(message)
        return DROP if page.name == "away" else None

    pages = [
        Page(loc=f"{BASE}bad/", name="bad", front_matter={"sitemap": {"priority": 3}}),
        Page(loc=f"{BASE}away/", name="away"),
        Page(loc="https://elsewhere.example/", name="elsewhere"),
    ]
    result = build(SITE, pages, Settings(), adjust=[Adjuster("hooks:leave_out", leave_out)], robots_txt=b"\xff\xfe")
    assert [note.kind for note in result.notes] == [
        "front-matter",
        "outside",
        "hook",
        "home-left-out",
        "robots-encoding",
    ]
    assert [each.reason for each in result.dropped] == ["outside the base URL", "by a hook"]
    assert [entry.loc for sitemap in result.sitemaps for entry in sitemap.entries] == [f"{BASE}bad/"]


@pytest.mark.parametrize(
    ("robots_txt", "written"),
    [
        (None, BLOCK),
        (b"User-agent: *\nDisallow: /private\n", b"User-agent: *\nDisallow: /private\n\n" + BLOCK),
    ],
)
def test_the_sitemap_is_announced_at_the_root_of_the_host(robots_txt: bytes | None, written: bytes) -> None:
    files, notes = announce(SITE, SITEMAPS, Settings(), robots_txt)
    assert contents(files) == {"robots.txt": written}
    assert notes == []


def test_a_robots_txt_that_announces_it_already_is_not_written_again() -> None:
    assert announce(SITE, SITEMAPS, Settings(), BLOCK) == ([], [])


DISALLOW = b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize(
    ("site", "robots_txt", "kind", "words"),
    [
        ({"preview": "Netlify"}, None, "preview", "Netlify"),
        ({"preview": "Netlify", "base_url": BELOW, "robots_owner": "Read the Docs"}, DISALLOW, "preview", "Netlify"),
        ({"robots_owner": "Read the Docs"}, None, "robots-of-host", "Read the Docs"),
        ({"robots_owner": "Read the Docs", "base_url": BELOW}, None, "robots-of-host", "Read the Docs"),
        (
            {"base_url": BELOW},
            None,
            "robots-below-root",
            "https://example.org/robots.txt could have the line: Sitemap: https://example.org/docs/sitemap.xml",
        ),
        ({"base_url": BELOW}, DISALLOW, "robots-below-root", "/docs/"),
        ({}, DISALLOW, "robots-disallow-all", "Disallow: /"),
        ({}, "ü".encode("latin-1"), "robots-encoding", "UTF-8"),
    ],
)
def test_where_robots_txt_must_stay_as_it_is_one_note_says_why(
    site: Mapping[str, Any], robots_txt: bytes | None, kind: str, words: str
) -> None:
    sitemaps = BELOW_SITEMAPS if "base_url" in site else SITEMAPS
    files, notes = announce(structs.replace(SITE, **site), sitemaps, Settings(), robots_txt)
    assert files == []
    assert [note.kind for note in notes] == [kind]
    assert words in notes[0].message


def test_the_authors_robots_txt_is_extended_where_the_host_would_write_one() -> None:
    files, notes = announce(structs.replace(SITE, robots_owner="Read the Docs"), SITEMAPS, Settings(), b"Allow: /\n")
    assert contents(files) == {"robots.txt": b"Allow: /\n\n" + BLOCK}
    assert notes == []


@pytest.mark.parametrize(
    ("site", "robots_txt", "files"),
    [
        ({}, b"Allow: /\n" + BLOCK, {"robots.txt": b"Allow: /\n"}),
        ({}, b"Allow: /\n", {}),
        ({}, BLOCK, {"robots.txt": None}),
        ({}, None, {}),
        ({}, DISALLOW, {}),
        ({"base_url": BELOW}, b"Allow: /\n", {}),
        ({"base_url": BELOW}, None, {}),
    ],
)
def test_an_author_who_wants_no_robots_entry_gets_none_and_hears_nothing(
    site: Mapping[str, Any], robots_txt: bytes | None, files: Mapping[str, bytes | None]
) -> None:
    written, notes = announce(structs.replace(SITE, **site), SITEMAPS, options(robots=False), robots_txt)
    assert contents(written) == files
    assert notes == []


def test_an_author_who_wants_no_robots_entry_hears_nothing_of_the_encoding() -> None:
    assert announce(SITE, SITEMAPS, options(robots=False), "ü".encode("latin-1")) == ([], [])


def test_the_summary_of_one_page_without_a_date() -> None:
    assert summarize(build(SITE, [HOME], Settings())) == "sitemap.xml: 1 URL, 0 with a date"


def test_an_authors_robots_txt_on_read_the_docs_is_served_at_the_root_from_below() -> None:
    base_url = "https://x.readthedocs.io/en/latest/"
    site = structs.replace(SITE, base_url=base_url, robots_owner="Read the Docs")
    sitemaps = (structs.replace(SITEMAPS[0], url=f"{base_url}sitemap.xml"),)
    files, notes = announce(site, sitemaps, Settings(), b"Allow: /\n")
    assert b"Sitemap: https://x.readthedocs.io/en/latest/sitemap.xml" in (contents(files)["robots.txt"] or b"")
    assert notes == []


def translated(path: str, language: str, *, base_url: str | None = None, **values: Any) -> Page:
    """The home page in a language."""
    loc = (base_url or BASE) + path
    name = f"{language}/index.md"
    return Page(
        loc=loc,
        name=name,
        language=language,
        translation="index.md",
        base_url=base_url,
        output=f"{path}index.html",
        **values,
    )


class TestLanguages:
    def test_translations_name_one_another_in_the_sitemap(self) -> None:
        result = build(
            structs.replace(SITE, default_language="en"), [translated("", "en"), translated("fr/", "fr")], Settings()
        )
        links = (
            '<xhtml:link rel="alternate" hreflang="en" href="https://example.org/"/>'
            '<xhtml:link rel="alternate" hreflang="fr" href="https://example.org/fr/"/>'
            '<xhtml:link rel="alternate" hreflang="x-default" href="https://example.org/"/>'
        )
        xml = (contents(result.files)["sitemap.xml"] or b"").decode()
        assert f"<url><loc>https://example.org/</loc>{links}</url>\n" in xml
        assert f"<url><loc>https://example.org/fr/</loc>{links}</url>\n" in xml
        assert result.notes == ()
        assert summarize(result) == "sitemap.xml: 2 URLs, 0 with a date, 2 with translations"

    def test_a_page_that_is_left_out_is_not_named(self) -> None:
        pages = [
            translated("", "en"),
            translated("fr/", "fr", markup=Markup(robots=frozenset({"noindex"}))),
            translated("de/", "de", front_matter={"sitemap": False}),
            translated("es/", "es", omit="not translated"),
            translated("it/", "it"),
        ]
        result = build(SITE, pages, options(exclude="it/"))
        assert [entry.alternates for sitemap in result.sitemaps for entry in sitemap.entries] == [()]
        assert b"xhtml" not in (contents(result.files)["sitemap.xml"] or b"")
        assert summarize(result) == (
            "sitemap.xml: 1 URL, 0 with a date; left out: 2 excluded, 1 noindex, 1 not translated"
        )

    def test_pages_that_nobody_saw_are_counted(self) -> None:
        languages = [
            Language(code=code, base_url=url)
            for code, url in [("en", BASE), ("fr", FRENCH), ("de", "https://de.example.org/")]
        ]
        site = structs.replace(SITE, languages=tuple(languages))
        result = build(site, [HOME, Page(loc=f"{BASE}a/", name="a.md")], options(x_default="fr"))
        assert summarize(result) == (
            "sitemap.xml: 2 URLs, 0 with a date, 2 with translations "
            "(4 links to declared pages, which this build does not see)"
        )

    def test_every_link_to_a_page_that_nobody_saw_is_counted(self) -> None:
        site = structs.replace(
            SITE,
            languages=(Language(code="en", base_url=BASE), Language(code="de", base_url="https://de.example.org/")),
        )
        result = build(site, [translated("", "en"), translated("fr/", "fr")], Settings())
        assert "2 with translations (2 links to declared pages, " in summarize(result)

    def test_one_link_is_one_link(self) -> None:
        languages = (Language(code="en", base_url=BASE), Language(code="de", base_url="https://de.example.org/"))
        summary = summarize(build(structs.replace(SITE, languages=languages), [HOME], Settings()))
        assert "(1 link" in summary
        assert "1 links" not in summary

    def test_pages_of_another_host_have_a_file_of_their_own(self) -> None:
        pages = [translated("", "en"), translated("fr/", "fr", base_url=FRENCH)]
        result = build(SITE, pages, options(gzip=True))
        files = contents(result.files)
        assert list(files) == [
            "sitemap.xml", "sitemap.xml.gz", "fr/sitemap.xml", "fr/sitemap.xml.gz", "robots.txt"
        ]  # fmt: skip
        assert gzip.decompress(files["fr/sitemap.xml.gz"] or b"") == files["fr/sitemap.xml"]
        for name, own in (("sitemap.xml", BASE), ("fr/sitemap.xml", f"{FRENCH}fr/")):
            xml = (files[name] or b"").decode()
            assert xml.count("<loc>") == 1
            assert f"<loc>{own}</loc>" in xml
            assert f'hreflang="en" href="{BASE}"' in xml
            assert f'hreflang="fr" href="{FRENCH}fr/"' in xml
        assert f"Sitemap: {URL}\nSitemap: {FRENCH}fr/sitemap.xml\n".encode() in (files["robots.txt"] or b"")
        assert result.notes == ()
        assert summarize(result) == "sitemap.xml, fr/sitemap.xml: 2 URLs, 0 with a date, 2 with translations"

    def test_where_one_of_the_files_is_too_large_none_is_written(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pages = [translated("", "en"), translated("fr/", "fr", base_url=FRENCH)]
        size = max(len(file.content or b"") for file in build(SITE, pages, options(robots=False)).files)
        monkeypatch.setattr(pipeline, "SIZE_LIMIT", size - 1)
        result = build(SITE, pages, options(robots=False))
        assert (result.files, result.sitemaps) == ((), ())
        assert [note.kind for note in result.notes] == ["limit"]
        assert result.notes[0].message.startswith("fr/sitemap.xml would have")

    def test_mistakes_and_differences_are_told_in_the_order_of_the_line(self) -> None:
        pages = [
            translated(
                "", "en", markup=Markup(language="de"), front_matter={"sitemap": {"alternates": {"fr": "nope/"}}}
            ),
            translated("fr/", "fr"),
            translated("x/", "klingon"),
        ]
        result = build(SITE, pages, options(x_default="it"), robots_txt=b"\xff")
        assert [(note.kind, note.page) for note in result.notes] == [
            ("language-code", None),
            ("alternates", "en/index.md"),
            ("x-default", None),
            ("language-mismatch", "en/index.md"),
            ("robots-encoding", None),
        ]

    def test_every_page_with_a_file_has_its_links_by_that_file(self) -> None:
        pages = [
            translated("", "en"),
            translated("fr/", "fr"),
            translated("de/", "de", omit="not translated"),
            translated("es/", "es", front_matter={"sitemap": False}),
            Page(loc=f"{BASE}a/", name="a.md", output="a/index.html"),
            Page(loc=f"{BASE}b/", name="b.md"),
            Page(loc=f"{BASE}c/", name="c.md", omit="draft"),
        ]
        result = build(SITE, pages, Settings())
        codes = {path: [link.hreflang for link in links] for path, links in result.alternates.items()}
        assert codes == {
            "index.html": ["en", "fr"],
            "fr/index.html": ["en", "fr"],
            "de/index.html": [],
            "es/index.html": [],
            "a/index.html": [],
        }

    def test_the_indentation_is_the_authors(self) -> None:
        files = contents(build(SITE, [HOME], options(indent=2)).files)
        assert b"\n  <url>\n    <loc>https://example.org/</loc>\n  </url>\n" in (files["sitemap.xml"] or b"")


SEVERAL = (*SITEMAPS, Sitemap(path="fr/sitemap.xml", entries=(Entry(loc=FRENCH),), url=f"{FRENCH}fr/sitemap.xml"))


def test_several_sitemaps_are_all_announced() -> None:
    files, notes = announce(SITE, SEVERAL, Settings(), b"Allow: /\n")
    assert contents(files) == {
        "robots.txt": b"Allow: /\n\n# begin of sitemap-plugins\n"
        b"Sitemap: https://example.org/sitemap.xml\nSitemap: https://fr.example.org/fr/sitemap.xml\n"
        b"# end of sitemap-plugins\n"
    }
    assert notes == []
    assert announce(SITE, SEVERAL, Settings(), contents(files)["robots.txt"]) == ([], [])


def test_a_sitemap_that_is_gone_is_announced_no_longer() -> None:
    ((before,), _) = announce(SITE, SEVERAL, Settings(), None)
    assert contents(announce(SITE, SITEMAPS, Settings(), before.content)[0]) == {"robots.txt": BLOCK}


def test_several_sitemaps_below_a_path_are_all_named() -> None:
    sitemaps = (*BELOW_SITEMAPS, SEVERAL[1])
    files, (note,) = announce(structs.replace(SITE, base_url=BELOW), sitemaps, Settings(), None)
    assert files == []
    assert note.kind == "robots-below-root"
    assert all(f"Sitemap: {sitemap.url}" in note.message for sitemap in sitemaps)


@pytest.mark.parametrize(
    ("detail", "text"),
    [
        ("", "left out fr/index.md: not translated"),
        ("a copy of index.md", "left out fr/index.md: not translated (a copy of index.md)"),
    ],
)
def test_a_page_that_was_left_out_is_described(detail: str, text: str) -> None:
    page = Page(loc=f"{BASE}fr/", name="fr/index.md")
    assert describe(Dropped(page=page, reason="not translated", detail=detail)) == text
