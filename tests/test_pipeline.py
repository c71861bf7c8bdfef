"""The pipeline from pages to files, without a disk."""

import gzip
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from msgspec import structs

from sitemap_plugins.formats.page_list import PageListFile
from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.media import Image, Video
from sitemap_plugins.model import (
    DROP,
    SHALLOW,
    Adjuster,
    Content,
    Entry,
    FileDate,
    GzipOf,
    Language,
    Markup,
    Note,
    OutputFile,
    Page,
    Policy,
    Result,
    Site,
)
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.pages.lastmod import DatesOf
from sitemap_plugins.pages.omit import explain, omit
from sitemap_plugins.pipeline import announce, build, summarize
from tests.builders import build_in_folder, options, options_with_files

BASE = "https://example.org/"
BELOW = "https://example.org/docs/"
SITE = Site(base_url=BASE, as_of=datetime(2026, 3, 1, tzinfo=UTC))
URL = f"{BASE}sitemap.xml"
BLOCK = f"# begin of sitemap-plugins\nSitemap: {URL}\n# end of sitemap-plugins\n".encode()
ANNOUNCED = (URL,)
ANNOUNCED_BELOW = (f"{BELOW}sitemap.xml",)
FRENCH = "https://fr.example.org/"
HOME = Page(loc=BASE, name="index.md")


def robots(content: bytes | None) -> RobotsTxt | None:
    return None if content is None else RobotsTxt(content)


def all_are(date: FileDate) -> dict[str, DatesOf]:
    """Dates from git that are the same for every file."""
    return {"git": lambda files: dict.fromkeys(files, date)}


def contents(files: Iterable[OutputFile]) -> dict[str, bytes | None]:
    """The content of every file on disk, with compressed files unpacked; None for a file that is removed."""
    found: dict[str, bytes | None] = {}
    for file in files:
        assert file.path not in found
        content = file.content
        if isinstance(content, GzipOf):
            assert file.path == f"{content.path}.gz"
            found[file.path] = found[content.path]
        elif callable(content):
            whole = b"".join(content())
            assert whole == b"".join(content())
            found[file.path] = gzip.decompress(whole) if file.path.endswith(".gz") else whole
        else:
            found[file.path] = content
    return found


def test_pages_become_a_sitemap_its_gz_and_a_robots_entry() -> None:
    pages = [
        structs.replace(HOME, source="/docs/index.md", sources=("/docs/index.md",)),
        Page(loc=f"{BASE}b é/", name="b.md", front_matter={"sitemap": {"priority": 0.8, "lastmod": date(2026, 2, 1)}}),
        Page(loc=f"{BASE}a/", name="a.md", markup=Markup(robots=frozenset({"noindex"}))),
        Page(loc=f"{BASE}404.html", name="404.html", omit="error-page"),
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
    assert files["sitemap.xml.gz"] == xml
    assert files["robots.txt"] == BLOCK
    assert [(each.page.name, each.reason) for each in result.omitted] == [
        ("404.html", "error page"),
        ("a.md", "noindex"),
    ]
    assert result.notes == ()
    assert result.site is SITE
    assert summarize(result) == "sitemap.xml: 2 URLs, 2 with a date; left out: 1 error page, 1 noindex"


@pytest.mark.parametrize(
    "pages", [[], [structs.replace(HOME, omit="error-page")], [structs.replace(HOME, front_matter={"sitemap": False})]]
)
def test_with_no_page_to_list_there_is_no_file_and_no_announcement(pages: list[Page]) -> None:
    result = build(SITE, pages, Settings(), robots_txt=b"User-agent: *\n" + BLOCK)
    assert contents(result.files) == {"robots.txt": b"User-agent: *\n"}
    assert result.sitemaps == ()
    assert [note.kind for note in result.notes] == ["no-pages"]


@pytest.mark.parametrize(
    ("others", "reasons"),
    [
        ([], "2 canonical elsewhere, as for a version that is not canonical"),
        (
            [{"omit": "search-page"}, {"omit": "generated"}],
            "2 canonical elsewhere, 1 generated, 1 search page, as for a version that is not canonical",
        ),
        ([{"front_matter": {"sitemap": False}}], "2 canonical elsewhere, 1 excluded"),
    ],
)
def test_if_all_pages_are_canonical_elsewhere_it_may_be_an_old_version(
    others: list[dict[str, Any]], reasons: str
) -> None:
    markup = Markup(canonicals=("https://example.org/2.0/",))
    pages = [Page(loc=f"{SITE.base_url}{name}/", name=f"{name}.md", markup=markup) for name in "ab"]
    pages += [Page(loc=f"{SITE.base_url}{number}/", name="x", **other) for number, other in enumerate(others)]
    (note,) = build(SITE, pages, Settings()).notes
    assert note.message == (
        f"every page is left out, so no sitemap was written; left out: {reasons}; "
        "for example a.md: canonical elsewhere (https://example.org/2.0/)"
    )


def locs(xml: bytes | None) -> list[str]:
    return [line.partition("<loc>")[2].partition("</loc>")[0] for line in (xml or b"").decode().splitlines()[3:-1]]


class TestManyPages:
    PAGES = (HOME, *(Page(loc=f"{BASE}{name}/", name=name) for name in "abcd"))

    def test_pages_are_split_and_the_index_is_announced(self) -> None:
        """SM-LIM-01, SM-IDX-06: everything that the index lists is written."""
        result = build(SITE, self.PAGES, options(limit={"urls": 4}, gzip=True))
        files = contents(result.files)
        names = [sitemap.path for sitemap in result.sitemaps]
        assert [*files] == [
            *(f"{name}{packed}" for name in [*names, "sitemap.xml"] for packed in ("", ".gz")),
            "robots.txt",
        ]
        assert [loc.removeprefix(BASE) for loc in locs(files["sitemap.xml"])] == names
        assert sorted(loc for name in names for loc in locs(files[name])) == [entry.loc for entry in result.entries]
        assert len(names) > 1
        assert files["robots.txt"] == BLOCK
        assert result.announced == (URL,)
        assert result.notes == ()
        assert summarize(result) == f"sitemap.xml ({len(names)} sitemaps): 5 URLs, 0 with a date"

    @pytest.mark.parametrize(
        ("written", "why"),
        [
            ({"gzip": "only"}, "is only written compressed"),
            ({"limit": {"urls": 4}}, "is an index"),
            ({"limit": {"urls": 4}, "sections": {"a": "a/"}}, "is an index"),
            ({"gzip": "only", "limit": {"urls": 4}}, "is only written compressed"),
            ({"sections": {"a": "a/"}, "gzip": True}, None),
            ({"gzip": "only", "filename": "other.xml"}, None),
        ],
    )
    def test_scripts_of_a_theme_need_one_uncompressed_file(self, written: dict[str, Any], why: str | None) -> None:
        theme = structs.replace(SITE, theme_reads_sitemap=True)
        result = build(theme, self.PAGES, options(**written))
        assert [(note.kind, f"sitemap.xml {why}" in note.message) for note in result.notes] == (
            [("theme-sitemap", True)] if why else []
        )
        preview = structs.replace(theme, policy=Policy(preview="a preview"))
        for site, pages in ((SITE, self.PAGES), (preview, self.PAGES), (theme, ())):
            notes = build(site, pages, options(**written)).notes
            assert "theme-sitemap" not in [note.kind for note in notes]

    def test_pages_with_images_in_a_separate_sitemap_are_counted_once(self) -> None:
        pages = [structs.replace(page, content=Content(images=(f"{BASE}a.png",))) for page in self.PAGES]
        result = build(SITE, pages, options(images="separate"))
        assert [sitemap.path for sitemap in result.sitemaps] == ["sitemap.xml", "sitemap-images.xml"]
        assert result.announced == (URL, f"{BASE}sitemap-images.xml")
        assert summarize(result) == "sitemap.xml, sitemap-images.xml: 5 URLs, 0 with a date"
        assert Counter(entry.loc for entry in result.entries) == Counter(page.loc for page in pages)


class TestTooLarge:
    """A page too large for a file on its own is left out with a reason that can be counted."""

    @staticmethod
    def burden(entry: Entry, page: Page) -> Entry | None:
        images = tuple(Image(loc=f"{BASE}{number}.png") for number in range(500))
        return replace(entry, images=images) if page.name == "large" else None

    def result(self, **written: object) -> Any:
        pages = [HOME, Page(loc=f"{BASE}large/", name="large"), Page(loc=f"{BASE}a/", name="a")]
        settings = options(limit={"bytes": 4096}, **written)
        return build(SITE, pages, settings, adjust=[Adjuster("burden", self.burden)])

    def test_it_is_not_counted_as_listed(self) -> None:
        result = self.result()
        assert [entry.loc for entry in result.entries] == [BASE, f"{BASE}a/"]
        assert [(each.page.name, each.reason) for each in result.omitted] == [("large", "too large")]
        assert summarize(result) == "sitemap.xml: 2 URLs, 0 with a date; left out: 1 too large"

    def test_it_is_not_a_translation_even_if_front_matter_says_so(self) -> None:
        home = structs.replace(HOME, language="en", front_matter={"sitemap": {"alternates": {"fr": "fr/"}}})
        pages = [home, Page(loc=f"{BASE}fr/", name="large", output="fr/index.html")]
        result = build(SITE, pages, options(limit={"bytes": 4096}), adjust=[Adjuster("burden", self.burden)])
        assert [(each.page.name, each.reason) for each in result.omitted] == [("large", "too large")]
        assert [(entry.loc, entry.alternates) for entry in result.entries] == [(BASE, ())]
        assert not any(result.alternates.values())

    def test_it_is_not_a_translation_of_listed_pages(self) -> None:
        """An unlisted page is not linked."""
        pages = [
            Page(loc=BASE, name="index", language="en", translation="index", output="index.html"),
            Page(loc=f"{BASE}de/", name="de", language="de", translation="index", output="de/index.html"),
            Page(loc=f"{BASE}fr/", name="large", language="fr", translation="index", output="fr/index.html"),
        ]
        settings = options(limit={"bytes": 4096})
        result = build(SITE, pages, settings, adjust=[Adjuster("burden", self.burden)])
        assert [(each.page.name, each.reason) for each in result.omitted] == [("large", "too large")]
        assert {entry.loc: {link.href for link in entry.alternates} for entry in result.entries} == {
            BASE: {BASE, f"{BASE}de/"},
            f"{BASE}de/": {BASE, f"{BASE}de/"},
        }
        assert b"/fr/" not in (contents(result.files)["sitemap.xml"] or b"")
        assert {path: {link.href for link in links} for path, links in result.alternates.items()} == {
            "index.html": {BASE, f"{BASE}de/"},
            "de/index.html": {BASE, f"{BASE}de/"},
            "fr/index.html": set(),
        }

    def test_as_the_only_page_it_gives_no_sitemap_and_a_note(self) -> None:
        settings = options(limit={"bytes": 4096})
        pages = [Page(loc=f"{BASE}large/", name="large")]
        result = build(SITE, pages, settings, adjust=[Adjuster("burden", self.burden)])
        assert result.sitemaps == result.announced == ()
        assert [note.kind for note in result.notes if note.kind != "home-left-out"] == ["limit", "no-pages"]


class TestMedia:
    PAGE = Page(loc=BASE, name="index.md", content=Content(images=(f"{BASE}a.png", f"{BASE}b.png")))

    @staticmethod
    def add(entry: Entry, _: Page) -> Entry:
        return replace(entry, images=(*entry.images, Image(loc=f"{BASE}c.png"), Image(loc=f"{BASE}d.png")))

    def images(self, site: Site = SITE, **more: Any) -> tuple[list[str], list[str]]:
        """The remaining images, and the messages about the others."""
        more |= {"files_of_media": {"a.png", "c.png"}, "adjust": [Adjuster("add", self.add)]}
        result = build_in_folder(site, [self.PAGE], options(images=True), **more)
        names = [image.loc.removeprefix(BASE) for entry in result.entries for image in entry.images]
        return names, [note.message for note in result.notes if note.kind == "image"]

    def test_missing_images_are_left_out_including_those_of_a_hook(self) -> None:
        message = f"2 images are left out (no such file), for example {BASE}b.png on index.md"
        assert self.images() == (["a.png", "c.png"], [message])

    def test_images_that_robots_txt_blocks_are_left_out_unless_it_blocks_the_whole_site(self) -> None:
        names, messages = self.images(robots_txt=b"User-agent: *\nDisallow: /a.png\n")
        assert names == ["c.png"]
        assert (
            messages[0] == f"1 image is left out (disallowed by robots.txt): {BASE}a.png on index.md (Disallow: /a.png)"
        )
        assert self.images(robots_txt=b"User-agent: *\nDisallow: /\n")[0] == ["a.png", "c.png"]

    def test_images_are_not_checked_in_a_local_preview(self) -> None:
        local = structs.replace(SITE, policy=Policy(preview="mkdocs serve", is_local=True))
        assert self.images(local) == (["a.png", "b.png", "c.png", "d.png"], [])


class TestCompressedOnly:
    def test_only_compressed_files_are_written_and_announced(self) -> None:
        """SM-GZ-01 and SM-TXT-02."""
        result = build(SITE, [HOME], options(gzip="only", text=True))
        files = contents(result.files)
        assert {path: content is not None for path, content in files.items()} == {
            "sitemap.xml": False,
            "sitemap.xml.gz": True,
            "sitemap.txt": False,
            "sitemap.txt.gz": True,
            "robots.txt": True,
        }
        assert locs(files["sitemap.xml.gz"]) == [BASE]
        assert files["sitemap.txt.gz"] == f"{BASE}\n".encode()
        assert f"Sitemap: {URL}.gz\n".encode() in (files["robots.txt"] or b"")
        assert result.announced == (f"{URL}.gz",)
        assert summarize(result) == "sitemap.xml.gz: 1 URL, 0 with a date"


class TestFeeds:
    """SM-FEED-01."""

    PAGES = tuple(
        Page(
            loc=f"{BASE}{name}/",
            name=name,
            title=f"Page {name}",
            front_matter={"sitemap": {"lastmod": f"2026-02-0{number}"}},
        )
        for number, name in enumerate("abc", 1)
    )

    def test_feeds_are_files_announced_after_the_sitemap(self) -> None:
        result = build(SITE, [HOME, *self.PAGES], options(feeds={"rss": "f.rss", "atom": "f.atom", "count": 2}))
        files = contents(result.files)
        assert [path for path, content in files.items() if content] == ["sitemap.xml", "f.rss", "f.atom", "robots.txt"]
        for path, item in (("f.rss", b"<item>"), ("f.atom", b"<entry>")):
            feed = files[path] or b""
            assert feed.count(item) == 2
            assert feed.index(b"Page c") < feed.index(b"Page b")
            assert b"Page a" not in feed
            assert f'href="{BASE}{path}"'.encode() in feed
        assert result.announced == (URL, f"{BASE}f.rss", f"{BASE}f.atom")
        lines = [line for line in (files["robots.txt"] or b"").decode().splitlines() if line.startswith("Sitemap")]
        assert lines == [f"Sitemap: {url}" for url in result.announced]
        assert result.notes == ()

    def test_feeds_of_another_tool_are_announced_instead(self) -> None:
        site = structs.replace(SITE, feeds=(f"{BASE}rss.xml", f"{BASE}atom.xml"))
        result = build(site, [HOME, *self.PAGES], options(feeds={"rss": "f.rss"}))
        assert "f.rss" not in contents(result.files)
        assert result.announced == (URL, *site.feeds)
        (note,) = result.notes
        assert note.kind == "feed"
        assert f"{BASE}rss.xml and {BASE}atom.xml" in note.message

    def test_feeds_of_another_tool_are_announced_without_the_option(self) -> None:
        result = build(structs.replace(SITE, feeds=(f"{BASE}rss.xml",)), [HOME], Settings())
        assert (result.announced, result.notes) == ((URL, f"{BASE}rss.xml"), ())
        assert f"Sitemap: {BASE}rss.xml\n".encode() in (contents(result.files)["robots.txt"] or b"")

    def test_a_preview_has_no_feeds_and_no_note_about_them(self) -> None:
        site = structs.replace(SITE, policy=Policy(preview="Netlify"), feeds=(f"{BASE}rss.xml",))
        result = build(site, [HOME, *self.PAGES], options(feeds={"rss": "f.rss"}, robots=False))
        assert "f.rss" not in contents(result.files)
        assert result.announced == (URL,)
        assert result.notes == ()


def test_notes_name_everything_that_an_engine_ignores() -> None:
    video = Video(thumbnail_loc=f"{BASE}a.jpg", title="t", description="d", content_loc=f"{BASE}a.mp4")

    def change(entry: Entry, page: Page) -> Entry:
        del page
        return replace(entry, priority=0.5, videos=(video,))

    settings = options(engines=["google", "yandex"], videos="separate")
    result = build(SITE, [HOME], settings, adjust=[Adjuster("change", change)])
    assert [note.message for note in result.notes] == ["Google ignores priority", "Yandex ignores videos"]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"generated": True}, "made of other pages"),
        ({}, "its source was not found"),
        ({"unsourced": "it is lost", "generated": True}, "it is lost"),
        ({"source": "/a.md", "sources": ("/a.md",)}, "no file dates it"),
    ],
)
def test_a_page_without_a_source_has_a_reason_to_have_no_date(values: dict[str, Any], reason: str) -> None:
    """In the last row, git was not asked."""
    result = build(SITE, [Page(loc=SITE.base_url, name="a", **values)], Settings())
    assert result.undated == {"a": reason}


def test_only_listed_pages_are_counted_as_undated() -> None:
    dates = all_are(FileDate(when=None, reason=SHALLOW))
    pages = [
        structs.replace(HOME, source="/index.md", sources=("/index.md",)),
        Page(loc=f"{BASE}a/", name="a.md", source="/a.md", sources=("/a.md",), front_matter={"sitemap": False}),
        Page(loc=f"{BASE}b/", name="b.md", source="/b.md", sources=("/b.md",), omit="never written"),
    ]
    (note,) = build(structs.replace(SITE, unshallow="set it"), pages, Settings(), dates=dates).notes
    assert note.kind == "shallow"
    assert note.message.startswith("1 page has no date")
    assert note.message.endswith("; to get the whole history, set it")


def test_other_shown_dates_and_bulk_commits_are_noted() -> None:
    swept = FileDate(when=datetime(2026, 2, 1, tzinfo=UTC), commit="5e" * 20)
    pages = [
        structs.replace(HOME, source="/index.md", sources=("/index.md",), shown_dates=("2020-01-01",)),
        Page(loc=f"{BASE}x/", name="x.md", source="/x.md", sources=("/x.md",), markup=Markup(modified=("2026-02-01",))),
        *(Page(loc=f"{BASE}{name}/", name=name, source=f"/{name}", sources=(f"/{name}",)) for name in "abcd"),
        Page(loc=f"{BASE}y/", name="y.md", front_matter={"sitemap": False}, shown_dates=("2020-01-01",)),
    ]
    notes = build(SITE, pages, Settings(), dates=all_are(swept)).notes
    assert [(note.kind, note.page) for note in notes] == [("bulk-commit", None), ("shown-date", "index.md")]
    assert "dates 6 of 6 pages" in notes[0].message
    assert build(SITE, pages, options(git={"bulk_share": 1}), dates=all_are(swept)).notes == notes[1:]


def test_pages_are_dated_by_the_files_they_depend_on() -> None:
    page = structs.replace(
        HOME, source="/index.md", sources=("/index.md",), front_matter={"sitemap": {"depends_on": "a.csv, b.csv"}}
    )
    new = FileDate(when=datetime(2026, 2, 1, tzinfo=UTC))
    dates = {"git": lambda files: {file: new for file in files if file == "/a.csv"}}
    named: dict[str, list[str]] = {"a.csv": ["/a.csv"], "b.csv": []}
    result = build_in_folder(SITE, [page], Settings(), dates=dates, named=named)
    assert [entry.lastmod for sitemap in result.sitemaps for entry in sitemap.entries] == [new.when]
    assert [note.kind for note in result.notes] == ["depends-on"]


def test_hooks_and_notes_of_every_step() -> None:
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
    assert [note.kind for note in result.notes] == ["front-matter", "outside", "hook", "robots-encoding"]
    assert [each.reason for each in result.omitted] == ["outside the base URL", "by a hook"]
    assert [entry.loc for sitemap in result.sitemaps for entry in sitemap.entries] == [f"{BASE}bad/"]


@pytest.mark.parametrize(
    ("robots_txt", "written"),
    [(None, BLOCK), (b"User-agent: *\nDisallow: /private\n", b"User-agent: *\nDisallow: /private\n\n" + BLOCK)],
)
def test_the_sitemap_is_announced_at_the_root_of_the_host(robots_txt: bytes | None, written: bytes) -> None:
    files, notes = announce(SITE, ANNOUNCED, Settings(), robots(robots_txt))
    assert contents(files) == {"robots.txt": written}
    assert notes == []


def test_a_robots_txt_that_already_announces_the_sitemap_is_not_written_again() -> None:
    assert announce(SITE, ANNOUNCED, Settings(), robots(BLOCK)) == ([], [])


DISALLOW = b"User-agent: *\nDisallow: /\n"


@pytest.mark.parametrize(
    ("site", "robots_txt", "kind", "words"),
    [
        ({"policy": Policy(preview="Netlify")}, None, "preview", "Netlify"),
        (
            {"policy": Policy(preview="Netlify"), "base_url": BELOW, "robots_owner": "Read the Docs"},
            DISALLOW,
            "preview",
            "Netlify",
        ),
        ({"robots_owner": "Read the Docs"}, None, "robots-of-host", "Read the Docs"),
        ({"robots_owner": "Read the Docs", "base_url": BELOW}, None, "robots-of-host", "Read the Docs"),
        (
            {"base_url": BELOW},
            None,
            "robots-below-root",
            "announce the sitemap in https://example.org/robots.txt: Sitemap: https://example.org/docs/sitemap.xml",
        ),
        ({"base_url": BELOW}, DISALLOW, "robots-below-root", "/docs/"),
        ({"base_url": BELOW}, "ü".encode("latin-1"), "robots-below-root", "/docs/"),
        ({"base_url": BELOW, "policy": Policy(preview="Netlify")}, BLOCK, "preview", "Netlify"),
        (
            {"base_url": BELOW, "announce_by": "merge the versions"},
            None,
            "robots-below-root",
            "robots.txt has no effect below /docs/; merge the versions",
        ),
        ({}, DISALLOW, "robots-disallow-all", "Disallow: /"),
        ({}, "ü".encode("latin-1"), "robots-encoding", "UTF-8"),
    ],
)
def test_if_robots_txt_must_not_change_one_note_says_why(
    site: Mapping[str, Any], robots_txt: bytes | None, kind: str, words: str
) -> None:
    announced = ANNOUNCED_BELOW if "base_url" in site else ANNOUNCED
    files, notes = announce(structs.replace(SITE, **site), announced, Settings(), robots(robots_txt))
    assert files == []
    assert [note.kind for note in notes] == [kind]
    assert words in notes[0].message


@pytest.mark.parametrize(("authors", "left"), [(b"", None), (b"Allow: /\n", b"Allow: /\n")])
def test_the_entry_goes_when_the_site_is_below_a_path(authors: bytes, left: bytes | None) -> None:
    """RB-01."""
    robots_txt = robots(authors + BLOCK)
    files, notes = announce(structs.replace(SITE, base_url=BELOW), ANNOUNCED_BELOW, Settings(), robots_txt)
    assert contents(files) == {"robots.txt": left}
    assert [note.kind for note in notes] == ["robots-below-root"]


def test_the_author_s_robots_txt_is_extended_even_if_the_host_would_write_one() -> None:
    files, notes = announce(
        structs.replace(SITE, robots_owner="Read the Docs"), ANNOUNCED, Settings(), robots(b"Allow: /\n")
    )
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
        ({"base_url": BELOW}, BLOCK, {"robots.txt": None}),
    ],
)
def test_without_the_option_robots_there_is_no_entry_and_no_note(
    site: Mapping[str, Any], robots_txt: bytes | None, files: Mapping[str, bytes | None]
) -> None:
    written, notes = announce(structs.replace(SITE, **site), ANNOUNCED, options(robots=False), robots(robots_txt))
    assert contents(written) == files
    assert notes == []


def test_without_the_option_robots_there_is_no_note_about_the_encoding() -> None:
    assert announce(SITE, ANNOUNCED, options(robots=False), robots("ü".encode("latin-1"))) == ([], [])


def test_the_summary_of_an_index_with_one_sitemap() -> None:
    summary = summarize(build(SITE, [HOME], options(sections={"all": "**"})))
    assert summary == "sitemap.xml, sitemap-index.xml (1 sitemap): 1 URL, 0 with a date"


def test_options_for_pages_that_are_not_translated_have_an_effect() -> None:
    pages = [HOME, Page(loc=f"{BASE}api/a/", name="api/a.md", omit="untranslated")]
    written: dict[str, Any] = {"exclude": ["api/", "ap/"], "pages": [{"source": "api/*", "priority": 1.0}]}
    result = build(SITE, pages, options(**written))
    assert [note.message.partition(";")[0] for note in result.notes if note.kind == "unmatched"] == [
        "exclude: 'ap/' matches no page"
    ]


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
    def test_translations_link_each_other_in_the_sitemap(self) -> None:
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

    def test_a_page_that_is_left_out_is_not_linked(self) -> None:
        pages = [
            translated("", "en"),
            translated("fr/", "fr", markup=Markup(robots=frozenset({"noindex"}))),
            translated("de/", "de", front_matter={"sitemap": False}),
            translated("es/", "es", omit="untranslated"),
            translated("it/", "it"),
        ]
        result = build(SITE, pages, options(exclude="it/"))
        assert [entry.alternates for sitemap in result.sitemaps for entry in sitemap.entries] == [()]
        assert b"xhtml" not in (contents(result.files)["sitemap.xml"] or b"")
        assert summarize(result) == (
            "sitemap.xml: 1 URL, 0 with a date; left out: 2 excluded, 1 noindex, 1 not translated"
        )

    def test_links_to_declared_pages_are_counted(self) -> None:
        languages = [
            Language(code=code, base_url=url)
            for code, url in [("en", BASE), ("fr", FRENCH), ("de", "https://de.example.org/")]
        ]
        site = structs.replace(SITE, languages=tuple(languages))
        result = build(site, [HOME, Page(loc=f"{BASE}a/", name="a.md")], options(x_default="fr"))
        assert summarize(result) == (
            "sitemap.xml: 2 URLs, 0 with a date, 2 with translations (4 links to pages outside this build)"
        )

    def test_a_single_link_is_in_the_singular(self) -> None:
        languages = (Language(code="en", base_url=BASE), Language(code="de", base_url="https://de.example.org/"))
        summary = summarize(build(structs.replace(SITE, languages=languages), [HOME], Settings()))
        assert "(1 link" in summary
        assert "1 links" not in summary

    def test_mistakes_and_differences_are_noted_in_the_order_of_the_pipeline(self) -> None:
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

    def test_links_are_recorded_by_output_file(self) -> None:
        pages = [
            translated("", "en"),
            translated("fr/", "fr"),
            translated("de/", "de", omit="untranslated"),
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


@pytest.mark.parametrize(
    ("detail", "text"),
    [("", "fr/index.md: not translated"), ("a copy of index.md", "fr/index.md: not translated (a copy of index.md)")],
)
def test_a_page_that_was_left_out_is_described(detail: str, text: str) -> None:
    page = Page(loc=f"{BASE}fr/", name="fr/index.md")
    assert explain(omit(page, "untranslated", detail)) == text


@pytest.mark.parametrize("policy", [Policy(preview="Netlify"), Policy(preview="mkdocs serve", is_local=True)])
def test_a_preview_has_one_flat_sitemap_with_any_options_and_announces_nothing(policy: Policy) -> None:
    """PRE-01: scripts of themes read the flat file; all other files are for search engines."""
    more = {
        "sections": {"a": "**"},
        "limit": {"urls": 1},
        "news": {"match": "**", "name": "The Daily", "publication_language": "en"},
        "gzip": "only",
    }
    settings = options(**options_with_files() | more)
    today = datetime(2026, 3, 1, tzinfo=UTC)
    pages = [
        Page(loc=f"{BASE}{path}", name=path, title="A page", markup=Markup(), front_matter={"date": today})
        for path in ("", "a/", "b/")
    ]
    result = build(structs.replace(SITE, policy=policy), pages, settings, dates=all_are(FileDate(when=today)))
    written = {file.path for file in result.files if file.content is not None}
    assert written == {"sitemap.xml", "sitemap.xml.gz"}
    assert len(result.entries) == 3
    assert [note.kind for note in result.notes] == ([] if policy.is_local else ["preview"])


@pytest.mark.parametrize("written", [{"x_default": "fr"}, {"head_links": True}])
def test_options_for_several_languages_have_no_effect_on_a_site_with_one(written: Mapping[str, Any]) -> None:
    (name,) = written
    (note,) = build(SITE, [Page(loc=BASE, name="index.md")], options(**written)).notes
    assert (note.kind, note.message) == (
        "unmatched",
        f"{name}: it has no effect, because the site has only one language",
    )
    french = Page(loc=f"{BASE}fr/", name="fr.md", language="fr", translation="index")
    english = Page(loc=BASE, name="index.md", language="en", translation="index")
    assert build(SITE, [english, french], options(**written)).notes == ()


class TestPageList:
    """The page of all pages, which a host renders around the list."""

    @staticmethod
    def build(content: bytes | None, *pages: Page, **about: Any) -> Result:
        notes = [Note(kind="page-list", message="a note")]
        file = PageListFile(path="all.html", loc=f"{BASE}all.html", render=lambda _: (content, notes))
        return build_in_folder(SITE, pages, Settings(**about), page_list=file)

    def test_it_is_one_of_the_files(self) -> None:
        result = self.build(b"<html>", HOME)
        assert contents(result.files)["all.html"] == b"<html>"
        assert [note.message for note in result.notes if note.kind == "page-list"] == ["a note"]

    def test_a_host_that_cannot_make_it_says_why(self) -> None:
        result = self.build(None, HOME)
        assert "all.html" not in contents(result.files)
        assert [note.message for note in result.notes if note.kind == "page-list"] == ["a note"]

    def test_nothing_is_rendered_if_no_page_is_listed(self) -> None:
        result = self.build(b"<html>", structs.replace(HOME, omit="draft"))
        assert "all.html" not in contents(result.files)
        assert not [note for note in result.notes if note.kind == "page-list"]
