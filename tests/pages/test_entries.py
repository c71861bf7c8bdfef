"""A page becomes the candidate for an entry, with what it says about itself in every notation."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.media import Image
from sitemap_plugins.model import (
    NO_FILE,
    NOT_COMMITTED,
    Candidate,
    Content,
    Dated,
    Entry,
    FileDate,
    FoundVideo,
    Page,
    Site,
)
from sitemap_plugins.options.settings import PageValues, Settings, VideoValues
from sitemap_plugins.options.types import Globs, ImageChoice, MediaURL, Title, WrittenDate
from sitemap_plugins.pages.entries import enrich, loc_length, locate, published_of, read_front_matter
from sitemap_plugins.pages.lastmod import DatesOf
from sitemap_plugins.pages.omit import omit
from sitemap_plugins.values.urls import InvalidURLError
from tests.builders import options

BASE = "https://example.org/docs/"
SITE = Site(base_url=BASE, as_of=datetime(2026, 3, 1, tzinfo=UTC))


def rules(*written: Mapping[str, object]) -> Settings:
    return options(pages=list(written))


def all_are(date: FileDate) -> dict[str, DatesOf]:
    """Stand in for git, with the same date for every file."""
    return {"git": lambda files: dict.fromkeys(files, date)}


def test_a_page_becomes_a_candidate() -> None:
    page = Page(
        loc=f"{BASE}é b/",
        name="é b.md",
        source="/docs/é b.md",
        sources=("/docs/é b.md",),
        front_matter={"sitemap": {"priority": 0.7, "changefreq": "daily", "exclude": False}},
    )
    when = datetime(2026, 2, 12, tzinfo=UTC)
    known = FileDate(when=when)
    candidates, omitted, notes = enrich(SITE, [page], Settings(), all_are(known))
    entry = Entry(loc=f"{BASE}%C3%A9%20b/", lastmod=when, changefreq="daily", priority=0.7)
    dated = Dated(lastmod=when, source="git", file=known, own=known)
    assert candidates == [
        Candidate(page=page, path="é b/", entry=entry, exclude=False, exclude_by="by its front matter", dated=dated)
    ]
    assert omitted == []
    assert notes == []


def test_missing_values_are_left_open() -> None:
    """SM-CF-01, SM-PRI-02."""
    ((candidate,), _, _) = enrich(SITE, [Page(loc=BASE, name="index.md")], Settings(), {})
    assert candidate.entry == Entry(loc=BASE)
    assert candidate.path == "index.html"
    assert candidate.exclude is None


@pytest.mark.parametrize(
    ("values", "reason", "kinds"),
    [
        pytest.param({"loc": f"{BASE}404.html", "omit": "error-page"}, "error page", [], id="left out by the host"),
        pytest.param({"loc": "not a url", "omit": "never written"}, "never written", [], id="left out, with any URL"),
        pytest.param({"loc": "a.html"}, "invalid URL", ["invalid-url"], id="relative"),
        pytest.param({"loc": BASE + "a" * 2048}, "invalid URL", ["invalid-url"], id="too long"),
    ],
)
def test_a_page_that_cannot_be_listed_is_dropped_with_a_reason(
    values: dict[str, str], reason: str, kinds: list[str]
) -> None:
    candidates, omitted, notes = enrich(SITE, [Page(name="a.md", **values)], Settings(), {})
    assert candidates == []
    assert [(each.page.name, each.reason) for each in omitted] == [("a.md", reason)]
    assert [(note.kind, note.page) for note in notes] == [(kind, "a.md") for kind in kinds]
    assert [note for note in notes if len(note.message) >= 400] == []


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("https://fr.example.org/docs/", id="another host"),
        pytest.param("https://example.org/docs-fr/", id="beside the base"),
        pytest.param("http://example.org/docs/", id="another scheme"),
    ],
)
def test_pages_outside_the_base_are_dropped_with_one_note(url: str) -> None:
    pages = [Page(loc=url, name="a.md"), Page(loc=f"{url}b/", name="b.md")]
    candidates, omitted, notes = enrich(SITE, pages, Settings(), {})
    assert candidates == []
    assert omitted == [omit(page, "outside", page.loc) for page in pages]
    assert [(note.kind, note.page) for note in notes] == [("outside", None)]
    assert (
        notes[0].message == f"2 pages are outside the base URL {BASE}; its sitemap may list only URLs below it: {url} …"
    )


def test_one_page_outside_the_base_is_one_page() -> None:
    _, _, notes = enrich(SITE, [Page(loc="https://fr.example.org/", name="a.md")], Settings(), {})
    assert notes[0].message.startswith("1 page is outside")
    assert notes[0].message.endswith("https://fr.example.org/")


@pytest.mark.parametrize(
    ("url", "located"),
    [
        (BASE, (BASE, "index.html")),
        ("HTTPS://EXAMPLE.org:443/docs/é#part", (f"{BASE}%C3%A9", "é")),
        (f"{BASE}a/?b=1", (f"{BASE}a/?b=1", "a/")),
        (BASE + "a" * (2047 - len(BASE)), (BASE + "a" * (2047 - len(BASE)), "a" * (2047 - len(BASE)))),
    ],
)
def test_a_url_is_encoded_and_placed_below_the_base(url: str, located: tuple[str, str]) -> None:
    assert locate(url, BASE) == located


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://example.org/docs-old/", f"is not below the base URL {BASE}"),
        # SM-LOC-03: fewer than 2,048, after encoding.
        (BASE + "a" * (2048 - len(BASE)), "is 2048 characters long; at most 2047 are allowed"),
        (BASE + "é" * 400, f"is {len(BASE) + 2400} characters long; at most 2047 are allowed"),
        ("docs/", "is not an absolute http:// or https:// URL"),
        # SM-LOC-12
        (f"{BASE}?utm_source=a", "has the parameter utm_source, which identifies visitors, not pages"),
        (f"{BASE}a;jsessionid=1", "has the parameter jsessionid, which identifies visitors, not pages"),
    ],
)
def test_a_url_that_cannot_be_listed_is_refused(url: str, why: str) -> None:
    with pytest.raises(InvalidURLError) as error:
        locate(url, BASE)
    assert str(error.value) == why


@pytest.mark.parametrize(("engines", "length"), [([], 2047), (["yandex"], 1024), (["google", "yandex"], 1024)])
def test_the_longest_url_depends_on_the_search_engines(engines: list[str], length: int) -> None:  # SM-LOC-03
    assert loc_length(engines) == length
    pages = [Page(loc=BASE + "a" * (size - len(BASE)), name=f"{size}.md") for size in (length, length + 1)]
    candidates, omitted, notes = enrich(SITE, pages, options(engines=engines), {})
    assert [len(each.entry.loc) for each in candidates] == [length]
    assert [(each.page.name, each.reason) for each in omitted] == [(f"{length + 1}.md", "invalid URL")]
    whom = " by Yandex" if length == 1024 else ""
    (note,) = notes
    assert note.message.endswith(f"is {length + 1} characters long; at most {length} are allowed{whom}; it is left out")


class TestWhatAPageShows:
    CONTENT = Content(
        title="A tour",
        description="All rooms.",
        images=(f"{BASE}a.png", f"{BASE}b.png"),
        videos=(FoundVideo(thumbnail_loc=f"{BASE}t.png", content_loc=f"{BASE}v.mp4"),),
    )
    PAGE = Page(loc=BASE, name="a.md", content=CONTENT)
    IMAGES = (Image(loc=f"{BASE}a.png"), Image(loc=f"{BASE}b.png"))

    def test_can_be_changed_by_a_rule_and_by_the_page(self) -> None:
        rule = {"match": "*", "images": ["!b.png"], "videos": [{"content_loc": "v.mp4", "rating": 5}]}
        settings = options(images=True, pages=[rule])
        ((candidate,), _, _) = enrich(SITE, [self.PAGE], settings, {})
        assert candidate.entry.images == self.IMAGES[:1]
        assert [video.rating for video in candidate.entry.videos] == [5.0]
        own = structs.replace(self.PAGE, front_matter={"sitemap": {"images": ["c.png"], "videos": []}})
        ((candidate,), _, _) = enrich(SITE, [own], settings, {})
        assert candidate.entry.images == (*self.IMAGES, Image(loc=f"{BASE}c.png"))
        assert candidate.entry.videos == ()

    def test_is_relative_to_the_base_of_its_own_site(self) -> None:
        french = "https://fr.example.org/"
        front_matter = {"sitemap": {"images": ["/a.png"]}}
        page = Page(loc=f"{french}a/", name="a.md", base_url=french, front_matter=front_matter)
        ((candidate,), _, _) = enrich(SITE, [page], Settings(), {})
        assert candidate.entry.images == (Image(loc=f"{french}a.png"),)


@pytest.mark.parametrize(
    ("front_matter", "expected"),
    [
        ({}, ("blog", date(2026, 1, 1), True)),
        ({"sitemap": {"section": "guides"}}, ("guides", date(2026, 1, 1), True)),
        ({"sitemap": {"news": False}, "date": "2025-01-01"}, ("blog", date(2026, 1, 1), False)),
        ({"sitemap": {"published": "2026-02-01"}}, ("blog", date(2026, 2, 1), True)),
    ],
)
def test_section_publication_date_and_news_of_a_page(
    front_matter: Mapping[str, object], expected: tuple[object, ...]
) -> None:
    rule = {"match": "*", "section": "blog", "published": "2026-01-01", "news": True}
    settings = options(pages=[rule], sections={"blog": {}, "guides": {}})
    ((candidate,), _, notes) = enrich(SITE, [Page(loc=BASE, name="a.md", front_matter=front_matter)], settings, {})
    assert (candidate.section, candidate.published, candidate.news) == expected
    assert notes == []


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({}, "section: there is no section 'guide' (it is ignored)"),
        ({"guides": {}}, "section: there is no section 'guide'; did you mean 'guides'? (it is ignored)"),
    ],
)
def test_an_unknown_section_is_noted_and_ignored(sections: Mapping[str, object], message: str) -> None:
    """The section that a rule gives the page then counts."""
    page = Page(loc=BASE, name="a.md", front_matter={"sitemap": {"section": "guide", "priority": 0.3}})
    named = {"section": "blog"} if sections else {}
    settings = options(
        pages=[{"match": "*", "news": True} | named], sections=sections | ({"blog": {}} if named else {})
    )
    ((candidate,), _, notes) = enrich(SITE, [page], settings, {})
    assert (candidate.section, candidate.entry.priority) == (named.get("section"), 0.3)
    assert [(note.kind, note.page, note.message) for note in notes] == [("front-matter", "a.md", message)]


@pytest.mark.parametrize(
    ("settings", "front_matter", "expected"),
    [
        (rules({"match": "guides/", "priority": 0.2}), {}, (0.2, None, None)),
        (rules({"match": "news/", "priority": 0.2}), {}, (None, None, None)),
        (rules({"source": "guides/*.md", "priority": 0.2}), {}, (0.2, None, None)),
        (rules({"source": "guides/", "match": "news/", "priority": 0.2}), {}, (None, None, None)),
        (rules({"match": "*", "priority": 0.2}), {"sitemap": {"priority": 0.9}}, (0.9, None, None)),
        (rules({"match": "*", "priority": 0.2}, {"match": "*", "priority": 0.3}), {}, (0.3, None, None)),
        (rules({"match": "*", "changefreq": "daily"}), {"priority": 0.4}, (0.4, "daily", None)),
        (rules({"match": "*", "exclude": True}), {"sitemap": True}, (None, None, False)),
        (rules({"match": "*", "exclude": True}, {"match": "guides/", "exclude": False}), {}, (None, None, False)),
        (rules({"match": "*", "priority": 0.0}), {}, (0.0, None, None)),
    ],
)
def test_front_matter_comes_before_the_last_matching_rule(
    settings: Settings, front_matter: Mapping[str, object], expected: tuple[object, ...]
) -> None:
    page = Page(loc=f"{BASE}guides/install/", name="guides/install.md", front_matter=front_matter)
    ((candidate,), _, notes) = enrich(SITE, [page], settings, {})
    assert (candidate.entry.priority, candidate.entry.changefreq, candidate.exclude) == expected
    assert notes == []


def test_a_date_from_a_rule_is_a_written_date() -> None:
    dates = all_are(FileDate(when=datetime(2026, 2, 1, tzinfo=UTC)))
    settings = rules({"match": "*", "lastmod": "2020-01-01"})
    ((candidate,), _, _) = enrich(
        SITE, [Page(loc=BASE, name="a.md", source="/a.md", sources=("/a.md",))], settings, dates
    )
    assert candidate.entry.lastmod == candidate.dated.lastmod == date(2020, 1, 1)
    assert candidate.dated.source == "rule"


@pytest.mark.parametrize(
    ("sources", "asked"),
    [
        (["front_matter"], ["git"]),  # git tells whether a page with a wrong date is committed
        (["git"], ["git"]),
        (["mtime", "git"], ["git", "mtime"]),
    ],
)
def test_each_source_dates_all_files_at_once_if_it_is_used(sources: list[str], asked: list[str]) -> None:
    questions: list[tuple[str, Collection[str]]] = []

    def ask(name: str) -> DatesOf:
        def dates_of(files: Collection[str]) -> Mapping[str, FileDate]:
            questions.append((name, sorted(files)))
            return {}

        return dates_of

    pages = [
        Page(loc=f"{BASE}a/", name="a.md", source="/a.md", sources=("/a.md", "/x.py")),
        Page(loc=f"{BASE}b/", name="b.md", source="/b.md", sources=("/b.md", "/x.py")),
        Page(loc=f"{BASE}c/", name="c.md", source="/c.md", sources=("/c.md",), omit="draft"),
    ]
    enrich(SITE, pages, options(lastmod=sources), {name: ask(name) for name in ("git", "mtime")})
    assert sorted(questions) == [(name, ["/a.md", "/b.md", "/x.py"]) for name in asked]


KNOWN = FileDate(when=datetime(2026, 1, 1, tzinfo=UTC))
NO_SUCH_FILE = FileDate(when=None, reason=NO_FILE)
NEW = FileDate(when=None, reason=NOT_COMMITTED, modified=True)
FOLDER = {
    "data.csv": ["/docs/data.csv"],
    "src/*.py": ["/src/a.py", "/src/b.py"],
    "same.md": ["/docs/a.md"],
    "no\n.csv": [],
    "x/**": [],
}


class TestWhatAPageDependsOn:
    PAGE = Page(loc=BASE, name="a.md", source="/docs/a.md", sources=("/docs/a.md", "/docs/part.md"))

    @staticmethod
    def enriched(page: Page, settings: Settings | None = None) -> tuple[Candidate, list[str]]:
        ((candidate,), _, notes) = enrich(SITE, [page], settings or Settings(), {}, FOLDER)
        assert [note for note in notes if (note.kind, note.page) != ("depends-on", "a.md")] == []
        return candidate, [note.message for note in notes]

    @pytest.mark.parametrize(
        ("written", "found"),
        [
            pytest.param("data.csv", ["/docs/data.csv"], id="a file"),
            pytest.param(["data.csv", "src/*.py"], ["/docs/data.csv", "/src/a.py", "/src/b.py"], id="a list"),
            pytest.param("src/*.py, data.csv", ["/src/a.py", "/src/b.py", "/docs/data.csv"], id="with commas"),
            pytest.param("same.md", [], id="itself"),
            pytest.param(["data.csv", "data.csv"], ["/docs/data.csv"], id="twice"),
        ],
    )
    def test_is_added_to_its_sources(self, written: object, found: list[str]) -> None:
        for front_matter in ({"sitemap": {"depends_on": written}}, {"sitemap_depends_on": written}):
            candidate, messages = self.enriched(structs.replace(self.PAGE, front_matter=front_matter))
            assert list(candidate.page.sources) == [*self.PAGE.sources, *found]
            assert messages == []

    def test_can_be_given_for_a_page_without_a_source(self) -> None:
        page = structs.replace(self.PAGE, source=None, sources=())
        candidate, _ = self.enriched(page, rules({"match": "*", "depends_on": "data.csv"}))
        assert candidate.page.sources == ("/docs/data.csv",)

    def test_is_noted_if_it_does_not_exist(self) -> None:
        page = structs.replace(self.PAGE, front_matter={"sitemap": {"depends_on": ["no\n.csv", "data.csv", "x/**"]}})
        candidate, messages = self.enriched(page)
        assert candidate.page.sources == (*self.PAGE.sources, "/docs/data.csv")
        assert messages == [
            "depends_on: there is no file 'no\\n.csv' (relative to the folder of the configuration)",
            "depends_on: there is no file 'x/**' (relative to the folder of the configuration)",
        ]

    @pytest.mark.parametrize(
        ("git", "mtime", "is_noted"),
        [
            pytest.param(KNOWN, None, False, id="git has it"),
            pytest.param(NO_SUCH_FILE, None, True, id="git does not have it"),
            pytest.param(None, NO_SUCH_FILE, True, id="it is not on disk"),
            pytest.param(KNOWN, NO_SUCH_FILE, False, id="git has it although it is not on disk"),
            pytest.param(NO_SUCH_FILE, NO_SUCH_FILE, True, id="neither has it"),
            pytest.param(NEW, NO_SUCH_FILE, False, id="it is not committed"),
            pytest.param(None, None, False, id="no source is used"),
        ],
    )
    def test_is_noted_if_no_source_has_it(
        self, git: FileDate | None, mtime: FileDate | None, *, is_noted: bool
    ) -> None:
        page = structs.replace(self.PAGE, front_matter={"sitemap": {"depends_on": "gone.csv"}})

        def answer(date: FileDate) -> DatesOf:
            return lambda files: {file: date if file == "/gone.csv" else KNOWN for file in files}

        dates = {name: answer(date) for name, date in (("git", git), ("mtime", mtime)) if date}
        settings = options(lastmod=["git", "mtime"])
        ((candidate,), _, notes) = enrich(SITE, [page], settings, dates, {"gone.csv": ["/gone.csv"]})
        assert candidate.page.sources == (*self.PAGE.sources, "/gone.csv")
        assert [note.message for note in notes] == [
            "depends_on: there is no file 'gone.csv' (relative to the folder of the configuration)"
        ] * is_noted

    def test_exists_if_one_of_several_files_is_known(self) -> None:
        page = structs.replace(self.PAGE, front_matter={"sitemap": {"depends_on": "src/*.py"}})
        dates = {"git": lambda files: {file: NO_SUCH_FILE if file == "/src/a.py" else KNOWN for file in files}}
        _, _, notes = enrich(SITE, [page], Settings(), dates, FOLDER)
        assert notes == []

    def test_is_ignored_if_the_host_finds_no_files(self) -> None:
        page = structs.replace(self.PAGE, front_matter={"sitemap": {"depends_on": "data.csv"}})
        ((candidate,), _, notes) = enrich(SITE, [page], Settings(), {})
        assert candidate.page == page
        assert notes == []


@pytest.mark.parametrize(
    ("front_matter", "by"), [({"sitemap": False}, "by its front matter"), ({}, "by a rule of the option pages")]
)
def test_the_reason_says_what_excluded_a_page(front_matter: Mapping[str, object], by: str) -> None:
    page = Page(loc=BASE, name="a.md", front_matter=front_matter)
    ((candidate,), _, _) = enrich(SITE, [page], rules({"match": "*", "exclude": True}), {})
    assert (candidate.exclude, candidate.exclude_by) == (True, by)


def test_a_url_is_relative_to_the_base_of_its_own_site() -> None:
    french = "https://fr.example.org/"
    pages = [
        Page(loc=f"{french}fr/a/", name="fr/a.md", base_url=french),
        Page(loc=f"{BASE}fr/b/", name="fr/b.md", base_url=french),
        Page(loc=f"{french}fr/c/", name="fr/c.md"),
    ]
    candidates, omitted, notes = enrich(SITE, pages, rules({"match": "fr/a/", "priority": 0.2}), {})
    assert [(each.path, each.entry.loc, each.entry.priority) for each in candidates] == [
        ("fr/a/", f"{french}fr/a/", 0.2)
    ]
    assert [each.page.name for each in omitted] == ["fr/b.md", "fr/c.md"]
    assert [note.kind for note in notes] == ["outside"]


@pytest.mark.parametrize(
    ("front_matter", "alternates"),
    [
        ({}, {"fr": "fr/rule/"}),
        ({"sitemap": {"alternates": {"de": "de/own/"}}}, {"de": "de/own/"}),
        ({"sitemap": {"alternates": {}}}, {}),
    ],
)
def test_translations_of_a_rule_apply_to_pages_that_list_none(
    front_matter: Mapping[str, object], alternates: Mapping[str, str]
) -> None:
    settings = rules({"match": "*", "alternates": {"fr": "fr/rule/"}})
    ((candidate,), _, _) = enrich(SITE, [Page(loc=BASE, name="a.md", front_matter=front_matter)], settings, {})
    assert candidate.alternates == alternates


@pytest.mark.parametrize(
    ("loc", "base_url", "hosts", "found"),
    [
        ("https://FR.example/a/", None, "https://fr.example", "https://fr.example/"),
        ("https://fr.example:8443/a/", None, "https://fr.example", None),
        ("https://fr.example/a/", "https://fr.example/", "https://fr.example", "https://fr.example/"),
        ("https://example.org/a/", None, "https://example.org", "https://example.org/"),
        (f"{BASE}a/", None, "https://example.org", ""),
        ("http://", None, "https://fr.example", None),
    ],
)
def test_a_host_in_cross_submit_is_the_base_of_its_pages(
    loc: str, base_url: str | None, hosts: str, found: str | None
) -> None:
    """SM-XS-01. None: the page is left out. Empty: it belongs to the site itself."""
    page = Page(loc=loc, name="a.md", base_url=base_url)
    candidates, omitted, _ = enrich(SITE, [page], options(cross_submit=hosts), {})
    assert [(each.page.base_url or "", each.path) for each in candidates] == ([] if found is None else [(found, "a/")])
    assert len(omitted) == (found is None)


def read(front_matter: Mapping[Any, object]) -> tuple[dict[str, object], list[str]]:
    """The values that are set, with dates unwrapped, and the messages of the notes."""
    values, notes = read_front_matter(Page(loc="https://example.org/", name="a.md", front_matter=front_matter))
    assert [note for note in notes if (note.kind, note.page) != ("front-matter", "a.md")] == []
    pairs = ((name, getattr(values, name)) for name in PageValues.__struct_fields__)
    found = {name: getattr(value, "value", value) for name, value in pairs if value is not None}
    return found, [note.message for note in notes]


@pytest.mark.parametrize(
    ("front_matter", "values"),
    [
        ({}, {}),
        # YAML, as MkDocs reads it.
        ({"sitemap": {"priority": 0.8}}, {"priority": 0.8}),
        ({"sitemap": {"lastmod": date(2026, 3, 1)}}, {"lastmod": date(2026, 3, 1)}),
        ({"sitemap": {"lastmod": "2026-03-01"}}, {"lastmod": date(2026, 3, 1)}),
        ({"sitemap": {"exclude": True}}, {"exclude": True}),
        ({"sitemap": {"exclude": False}}, {"exclude": False}),
        ({"sitemap": {"changefreq": "Daily"}}, {"changefreq": "daily"}),
        ({"sitemap": {"priority": None}}, {}),
        ({"sitemap": None}, {}),
        ({"sitemap": False}, {"exclude": True}),
        ({"sitemap": True}, {"exclude": False}),
        # Text, as MyST passes it on.
        ({"sitemap": "false"}, {"exclude": True}),
        ({"sitemap": " no "}, {"exclude": True}),
        ({"sitemap": "yes"}, {"exclude": False}),
        ({"sitemap": ""}, {}),
        ({"sitemap": "null"}, {}),
        (
            {"sitemap": '{"priority": 0.8, "exclude": false, "lastmod": "2026-03-01"}'},
            {"priority": 0.8, "exclude": False, "lastmod": date(2026, 3, 1)},
        ),
        # A field list of reStructuredText.
        ({"sitemap_priority": "0.3"}, {"priority": 0.3}),
        ({"sitemap_changefreq": "Weekly "}, {"changefreq": "weekly"}),
        ({"sitemap_lastmod": "2026-03-01T10:00:00Z"}, {"lastmod": datetime(2026, 3, 1, 10, tzinfo=UTC)}),
        ({"sitemap_exclude": "true"}, {"exclude": True}),
        ({"sitemap_exclude": "No"}, {"exclude": False}),
        # Translations, in YAML and as text.
        ({"sitemap": {"alternates": {"no": "no.md"}}}, {"alternates": {"no": "no.md"}}),
        ({"sitemap_alternates": "fr: fr.rst, pt_BR: pt/"}, {"alternates": {"fr": "fr.rst", "pt-BR": "pt/"}}),
        ({"sitemap": {"alternates": {}}}, {"alternates": {}}),
        ({"sitemap": {"alternates": None}}, {}),
        ({"sitemap": '{"priority": 0.8, "alternates": {"fr": "fr/"}}'}, {"priority": 0.8, "alternates": {"fr": "fr/"}}),
        # The files that the page is made of.
        ({"sitemap": {"depends_on": ["a, b.py", " c "]}}, {"depends_on": ("a, b.py", "c")}),
        ({"sitemap_depends_on": "A.py, b.py"}, {"depends_on": ("A.py", "b.py")}),
        # Images and videos, in YAML and from a host that has only text.
        ({"sitemap": {"depends_on": " A.py , ../b/**/*.csv"}}, {"depends_on": ("A.py", "../b/**/*.csv")}),
        ({"sitemap": {"images": ["a.png", "!b/**"]}}, {"images": ImageChoice((MediaURL("a.png"),), Globs(("b/**",)))}),
        ({"sitemap_images": "a.png, !b/**"}, {"images": ImageChoice((MediaURL("a.png"),), Globs(("b/**",)))}),
        ({"sitemap_images": "No"}, {"images": ImageChoice((), Globs(("*",)))}),
        ({"sitemap": {"videos": []}}, {"videos": ()}),
        (
            {"sitemap": {"videos": [{"title": "A Tour", "duration": 90, "live": False}]}},
            {"videos": (VideoValues(title=Title("A Tour"), duration=90, live=False),)},
        ),
        (
            {"sitemap_videos": '[{"title": "A Tour", "duration": "90", "live": "No"}]'},
            {"videos": (VideoValues(title=Title("A Tour"), duration=90, live=False),)},
        ),
        ({"sitemap": '{"videos": [{"duration": 90}]}'}, {"videos": (VideoValues(duration=90),)}),
        # News, and the section of a page.
        ({"sitemap_news": "No", "sitemap_section": "guides"}, {"news": False, "section": "guides"}),
        ({"sitemap": {"published": date(2026, 3, 1)}}, {"published": date(2026, 3, 1)}),
        ({"sitemap_published": "2026-03-01T10:00:00Z"}, {"published": datetime(2026, 3, 1, 10, tzinfo=UTC)}),
        # Keys that many tools share.
        ({"priority": 0.4, "changefreq": "yearly"}, {"priority": 0.4, "changefreq": "yearly"}),
        ({"priority": "0.4"}, {"priority": 0.4}),
        ({"robots": "noindex"}, {"exclude": True}),
        ({"robots": "Follow, NoIndex"}, {"exclude": True}),
        ({"robots": ["nofollow", "noindex"]}, {"exclude": True}),
        ({"robots": ["nofollow, noindex"]}, {"exclude": True}),
        ({"robots": "noindexing, nonesuch"}, {}),
        ({"robots": ["noarchive", 5, None]}, {}),
    ],
)
def test_valid_front_matter_is_understood(front_matter: Mapping[Any, object], values: dict[str, object]) -> None:
    assert read(front_matter) == (values, [])


@pytest.mark.parametrize(
    "front_matter",
    [
        {"priority": "high"},
        {"robots": 5},
        {"robots": {"noindex": True}},
        {"lastmod": "2026-03-01"},
        {"exclude": True},
        {"images": ["a.png"], "videos": [{}], "news": True, "section": "blog", "published": "2026-03-01"},
        {"image": "a.png", "video": "b.mp4", "date": "2026-03-01"},
        {"sitemap_url": "https://example.org/", "sitemap_": 1, "sitemapx": {}},
        {5: 6, None: 7, ("a",): 8},
    ],
)
def test_keys_of_other_tools_are_ignored_silently(front_matter: Mapping[Any, object]) -> None:
    assert read(front_matter) == ({}, [])


@pytest.mark.parametrize(
    ("front_matter", "message"),
    [
        ({"sitemap": {"priority": 2}}, "sitemap.priority: 2 is not a number from 0.0 to 1.0"),
        (
            {"sitemap": {"changefreq": "dayly"}},
            "sitemap.changefreq: 'dayly' is not always, hourly, daily, weekly, monthly, yearly or never; did you mean 'daily'?",
        ),
        ({"sitemap": {"exclude": "perhaps"}}, "sitemap.exclude: 'perhaps' is not true or false"),
        ({"sitemap": {"prority": 1}}, "sitemap.prority: unknown key; did you mean 'priority'?"),
        (
            {"sitemap": {"depends_on": ["a.py", "**/*a*.py"]}},
            "sitemap.depends_on: '**/*a*.py' has more than 2 wildcards, which only a rule of the option pages may have",
        ),
        (
            {"sitemap_images": "!*a*b, a.png, !*a**b"},
            "sitemap_images: '*a**b' has more than 2 wildcards, which only a rule of the option pages may have",
        ),
        ({"sitemap": 5}, "sitemap: 5 is not true, false or a mapping such as {priority: 0.8}"),
        ({"sitemap": "never"}, "sitemap: 'never' is not true, false or a mapping such as {priority: 0.8}"),
        ({"sitemap": "[1, 2]"}, "sitemap: '[1, 2]' is not true, false or a mapping such as {priority: 0.8}"),
        (
            {"sitemap_alternates": "fr: fr/, de"},
            "sitemap_alternates: 'fr: fr/, de' is not a mapping such as {fr: fr/installation/}",
        ),
        ({"sitemap_priorty": "0.2"}, "sitemap_priorty: unknown key; did you mean 'sitemap_priority'?"),
    ],
)
def test_invalid_sitemap_keys_are_noted(front_matter: Mapping[Any, object], message: str) -> None:
    assert read(front_matter) == ({}, [f"{message} (it is ignored)"])


def test_valid_videos_are_kept_next_to_invalid_ones() -> None:
    videos = [{"title": "One"}, {"title": ""}, 5, {"duration": 0, "titel": "Two"}, {"title": "Three"}]
    values, messages = read({"sitemap": {"videos": videos}})
    assert values == {"videos": (VideoValues(title=Title("One")), VideoValues(title=Title("Three")))}
    assert [message.partition(": ")[0] for message in messages] == [
        *("sitemap.videos[1].title", "sitemap.videos[2]", "sitemap.videos[3].duration", "sitemap.videos[3].titel")
    ]


class TestPublished:
    @pytest.mark.parametrize(
        ("front_matter", "published"),
        [
            ({}, None),
            ({"sitemap": {"published": "2026-03-01"}}, date(2026, 3, 1)),
            ({"sitemap_published": "2026-03-01", "date": "2025-01-01"}, date(2026, 3, 1)),
            ({"sitemap": {"published": "soon"}, "date": "2025-01-01"}, date(2025, 1, 1)),
            ({"date": date(2026, 3, 1)}, date(2026, 3, 1)),
            ({"date": datetime(2026, 3, 1, 9, tzinfo=UTC)}, datetime(2026, 3, 1, 9, tzinfo=UTC)),
            ({"date": " 2026-03-01T09:00:00Z "}, datetime(2026, 3, 1, 9, tzinfo=UTC)),
            # The blog of Material for MkDocs.
            ({"date": {"created": date(2026, 3, 1), "updated": date(2026, 4, 1)}}, date(2026, 3, 1)),
            # Dates of other tools, and values that are not dates.
            *(({"date": value}, None) for value in ("March 2026", "2026-02-30", 2026, None, True, [], {}, {"updated": 1})),
            *(({"date": value}, None) for value in (b"2026-03-01", float("nan"), {"created": {"created": 1}})),
        ],
    )  # fmt: skip
    def test_is_read_from_the_front_matter(self, front_matter: Mapping[Any, object], published: date | None) -> None:
        page = Page(loc="https://example.org/", name="a.md", front_matter=front_matter)
        assert published_of(page, read_front_matter(page)[0]) == published

    def test_a_rule_comes_before_the_key_date(self) -> None:
        page = Page(loc="https://example.org/", name="a.md", front_matter={"date": "2025-01-01"})
        assert published_of(page, PageValues(published=WrittenDate(date(2026, 3, 1)))) == date(2026, 3, 1)

    @pytest.mark.parametrize("value", ["huge", "recursive"])
    def test_a_hostile_date_is_ignored(self, value: str) -> None:
        page = Page(
            loc="https://example.org/", name="a.md", front_matter={"date": HUGE if value == "huge" else RECURSIVE}
        )
        assert published_of(page, PageValues()) is None


def test_an_invalid_value_does_not_affect_its_neighbours() -> None:
    values, messages = read({"sitemap": {"priority": 2, "changefreq": "daily", "x": 1}, "sitemap_lastmod": "x"})
    assert values == {"changefreq": "daily"}
    assert len(messages) == 3


@pytest.mark.parametrize(
    ("front_matter", "values"),
    [
        ({"sitemap": {"priority": 0.1}, "sitemap_priority": 0.2, "priority": 0.3}, {"priority": 0.1}),
        ({"sitemap_priority": 0.2, "priority": 0.3}, {"priority": 0.2}),
        ({"sitemap": {"changefreq": "daily"}, "sitemap_priority": 0.2}, {"changefreq": "daily", "priority": 0.2}),
        ({"sitemap": {"exclude": False}, "robots": "noindex"}, {"exclude": False}),
        ({"sitemap": True, "robots": "noindex"}, {"exclude": False}),
        ({"sitemap": False, "sitemap_exclude": "false"}, {"exclude": True}),
        ({"sitemap": False, "priority": 0.3}, {"exclude": True, "priority": 0.3}),
        ({"sitemap": {"priority": None}, "sitemap_priority": 0.2}, {"priority": 0.2}),
        ({"sitemap": {"alternates": {"fr": "a"}}, "sitemap_alternates": '{"de": "b"}'}, {"alternates": {"fr": "a"}}),
    ],
)
def test_the_mapping_comes_before_flat_keys_and_those_before_bare_keys(
    front_matter: Mapping[Any, object], values: dict[str, object]
) -> None:
    assert read(front_matter) == (values, [])


def test_an_invalid_value_makes_way_for_the_next_in_precedence() -> None:
    values, messages = read({"sitemap": {"priority": 2}, "sitemap_priority": "x", "priority": 0.3})
    assert values == {"priority": 0.3}
    assert len(messages) == 2


HUGE = 16**5000  # more digits than Python converts to text; 0xfff… in YAML makes such a number
RECURSIVE: list[object] = []
RECURSIVE.append(RECURSIVE)
HOSTILE = [
    pytest.param([[[]]], id="nested lists"),
    pytest.param({"a": {"b": [1]}}, id="nested mappings"),
    pytest.param({1: 2, None: 3}, id="keys that are not text"),
    pytest.param(RECURSIVE, id="recursive"),
    pytest.param([5, 6], id="list of numbers"),
    pytest.param(10**400, id="large number"),
    pytest.param(HUGE, id="huge number"),
    pytest.param([HUGE], id="list of huge numbers"),
    pytest.param(-1, id="negative number"),
    pytest.param(float("nan"), id="not a number"),
    pytest.param(float("-inf"), id="infinite"),
    pytest.param(b"\xff", id="bytes"),
    pytest.param([b"\xff"], id="list of bytes"),
    pytest.param("\0", id="NUL"),
    pytest.param("\ud800", id="half a surrogate pair"),
    pytest.param(object(), id="any object"),
]
# Any of these can be the name of a file.
HOSTILE_TEXTS = [
    pytest.param("NaN", id="not a number, as text"),
    pytest.param("x" * 100_000, id="long text"),
    pytest.param("**/[", id="half a glob"),
    pytest.param("../../..", id="outside"),
    pytest.param("a\nb", id="two lines"),
]


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
@pytest.mark.parametrize("form", ["mapping", "flat"])
def test_a_hostile_value_is_one_note_and_no_exception(form: str, name: str) -> None:
    texts = [] if name in {"depends_on", "images"} else HOSTILE_TEXTS
    offenders = {}
    for each in [*HOSTILE, *texts]:
        (value,) = each.values
        values, messages = read({"sitemap": {name: value}} if form == "mapping" else {f"sitemap_{name}": value})
        most = 2 if name == "videos" else 1  # each invalid video has its own note
        if values or not 1 <= len(messages) <= most:
            offenders[each.id] = (values, messages)
    assert not offenders


@pytest.mark.parametrize("value", HOSTILE_TEXTS)
@pytest.mark.parametrize("form", ["mapping", "flat"])
def test_any_line_without_a_star_can_be_the_path_of_an_image(form: str, value: str) -> None:
    values, messages = read({"sitemap": {"images": value}} if form == "mapping" else {"sitemap_images": value})
    if "\n" in value or "*" in value:
        assert (values, len(messages)) == ({}, 1)
    else:
        assert (values, messages) == ({"images": ImageChoice((MediaURL(value),))}, [])


@pytest.mark.parametrize("value", HOSTILE_TEXTS)
def test_any_text_that_the_system_can_write_can_be_the_name_of_a_file(value: str) -> None:
    assert read({"sitemap": {"depends_on": value}}) == ({"depends_on": (value,)}, [])


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(HUGE, id="huge number"),
        pytest.param({HUGE: 1}, id="huge key"),
        pytest.param(RECURSIVE, id="recursive"),
        pytest.param(float("nan"), id="not a number"),
        pytest.param("[" * 100_000, id="deep JSON"),
        pytest.param('{"priority": 0.8', id="half a mapping"),
        pytest.param('{"changefreq": "\\ud800"}', id="half a surrogate pair in JSON"),
        pytest.param("9" * 5000, id="huge number as text"),
        pytest.param(b"false", id="bytes"),
    ],
)
def test_a_hostile_sitemap_is_one_note_and_no_exception(value: object) -> None:
    values, messages = read({"sitemap": value})
    assert values == {}
    assert len(messages) == 1


def test_a_huge_number_as_a_key_of_another_tool_is_passed_over() -> None:
    assert read({HUGE: 1}) == ({}, [])


names = st.sampled_from(
    [
        *("sitemap", "priority", "changefreq", "robots", "lastmod", "exclude", "sitemap_priority", "sitemap_x"),
        *("alternates", "sitemap_alternates", "en", "fr", "depends_on", "sitemap_depends_on"),
        *("images", "sitemap_images", "videos", "sitemap_videos", "title", "duration", "tags", "restriction", "deny"),
        *("news", "published", "section", "date", "created", "thumbnail_loc", "platform", "view_count"),
    ]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | names
values_of_yaml = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(names | st.text() | st.integers() | st.none(), inner),
    max_leaves=10,
)


@given(st.dictionaries(names | st.text() | st.integers() | st.none(), values_of_yaml))
@example({"sitemap": {"exclude": float("inf")}})
def test_no_metadata_raises(front_matter: Mapping[Any, object]) -> None:
    values, messages = read(front_matter)
    assert set(values) <= set(PageValues.__struct_fields__)
    assert 0 <= float(str(values.get("priority", 0))) <= 1
    assert [message for message in messages if not message.startswith("sitemap")] == []
    page = Page(loc="https://example.org/", name="a.md", front_matter=front_matter)
    assert published_of(page, PageValues()) is None or isinstance(published_of(page, PageValues()), date)
