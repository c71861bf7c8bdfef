"""What every host does around the line."""

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from itertools import permutations
from pathlib import Path

import pytest

from sitemap_plugins.deployment import Deployment
from sitemap_plugins.enrich.git_history import History
from sitemap_plugins.formats.sitemap_xml import MARK
from sitemap_plugins.model import DROP, Adjuster, Entry, FileDate, Language, Note, Page, Site
from sitemap_plugins.option_types import Hook
from sitemap_plugins.publishing import (
    date_in,
    date_of_modification,
    find_base_url,
    heard,
    import_hook,
    is_ours,
    make_site,
    publish,
)
from sitemap_plugins.settings import Settings, read_settings

BASE = "https://example.org/"
SITE = Site(base_url=BASE)
EARLIER = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 3, 1, tzinfo=UTC)
ON_RTD = Deployment(canonical_url="https://x.readthedocs.io/en/latest")


def options(**written: object) -> Settings:
    settings, mistakes = read_settings(written)
    assert not mistakes
    return settings


@pytest.mark.parametrize(
    ("written", "host_url", "deployment", "base_url"),
    [
        ({}, "https://example.org/docs", Deployment(), "https://example.org/docs/"),
        ({}, " https://example.org/docs/ ", Deployment(), "https://example.org/docs/"),
        ({}, "https://example.org/", ON_RTD, "https://example.org/"),
        ({"base_url": "https://mine.example"}, "https://mine.example/", ON_RTD, "https://mine.example/"),
        ({"base_url": "https://mine.example"}, "/", ON_RTD, "https://mine.example/"),
        ({"base_url": "https://mine.example"}, None, Deployment(), "https://mine.example/"),
        ({}, None, ON_RTD, "https://x.readthedocs.io/en/latest/"),
        ({}, "", ON_RTD, "https://x.readthedocs.io/en/latest/"),
        ({}, "/", ON_RTD, "https://x.readthedocs.io/en/latest/"),
    ],
)
def test_the_base_url_is_the_options_else_the_hosts_else_the_services(
    written: dict[str, object], host_url: str | None, deployment: Deployment, base_url: str
) -> None:
    found = find_base_url(options(**written), deployment, host_url=host_url, host_option="site_url")
    assert found == (base_url, [])


def test_a_base_url_other_than_the_hosts_is_used_and_said() -> None:
    settings = options(base_url="https://mine.example")
    base_url, notes = find_base_url(settings, Deployment(), host_url="https://example.org/", host_option="site_url")
    assert base_url == "https://mine.example/"
    assert [note.kind for note in notes] == ["base-url"]
    assert "base_url, https://mine.example/, but the pages call themselves by site_url" in notes[0].message


@pytest.mark.parametrize("host_url", [None, "", " ", "/"])
def test_without_a_base_url_one_note_says_what_to_set(host_url: str | None) -> None:
    base_url, notes = find_base_url(Settings(), Deployment(), host_url=host_url, host_option="html_baseurl")
    assert base_url is None
    assert [note.kind for note in notes] == ["no-base-url"]
    assert "set html_baseurl" in notes[0].message


@pytest.mark.parametrize(
    ("host_url", "canonical_url", "name"),
    [
        ("docs/", None, "site_url 'docs/' is not an absolute http:// or https:// URL"),
        ("http://localhost:8000/", "https://example.org/", "site_url 'http://localhost:8000/' is a local address"),
        ("", "docs", "READTHEDOCS_CANONICAL_URL 'docs' is not an absolute"),
        ("/", "docs", "READTHEDOCS_CANONICAL_URL 'docs' is not an absolute"),
    ],
)
def test_a_base_url_that_cannot_be_used_is_named_by_where_it_comes_from(
    host_url: str, canonical_url: str | None, name: str
) -> None:
    deployment = Deployment(canonical_url=canonical_url)
    base_url, notes = find_base_url(Settings(), deployment, host_url=host_url, host_option="site_url")
    assert base_url is None
    assert [note.kind for note in notes] == ["no-base-url"]
    assert name in notes[0].message


@pytest.mark.parametrize(
    ("epoch", "history", "as_of"),
    [
        (None, None, None),
        (None, History(), None),
        (None, History(newest=EARLIER), EARLIER),
        (EARLIER, None, EARLIER),
        (EARLIER, History(newest=LATER), LATER),
        (LATER, History(newest=EARLIER), LATER),
    ],
)
def test_the_site_is_as_of_the_newest_moment_that_is_known(
    epoch: datetime | None, history: History | None, as_of: datetime | None
) -> None:
    site = make_site(
        BASE, Deployment(as_of=epoch, preview="Vercel", robots_owner="Read the Docs"), [history] if history else []
    )
    assert site == Site(base_url=BASE, as_of=as_of, preview="Vercel", robots_owner="Read the Docs")


def test_the_site_has_its_languages_in_order() -> None:
    languages = [Language(code=code, base_url=f"{BASE}{code}/") for code in ("fr", "en")]
    site = make_site(BASE, Deployment(), [], languages=iter(languages), default_language="en_GB")
    assert site == Site(base_url=BASE, languages=tuple(languages), default_language="en_GB")


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("/docs/a.md", 1),
        ("/docs/locale/fr/a.po", 2),
        ("/docs/locale/fr/deep/a.po", 3),
        ("/docs/locale/french.po", 1),
        ("/docs/locale/fr", 1),
        ("/elsewhere/a.md", None),
    ],
)
def test_a_file_is_dated_by_the_history_of_the_innermost_folder(path: str, day: int | None) -> None:
    histories = [
        History(directory="/docs", files={name: dated(1) for name in (b"a.md", b"locale/french.po", b"locale/fr")}),
        History(directory="/docs/locale/fr/", files={b"a.po": dated(2)}),
        History(directory="/docs/locale/fr/deep", files={b"a.po": dated(3)}),
    ]
    for order in permutations(histories):
        found = date_in(order)(path).when
        assert (found.day if found else None) == day


def dated(day: int) -> FileDate:
    return FileDate(when=datetime(2026, 1, day, tzinfo=UTC))


def test_one_history_dates_all_files() -> None:
    assert date_in([History(directory="/docs", files={b"a.md": dated(1)})])("/docs/a.md") == dated(1)


@pytest.fixture
def hooks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a module beside the configuration, forgotten after the test."""
    name = f"hooks_of_{tmp_path.name.replace('-', '_')}"
    monkeypatch.syspath_prepend(tmp_path / "elsewhere")
    monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / f"{name}.py").write_text(
        "from sitemap_plugins import DROP\ndef drop(entry, page):\n    return DROP\nnumber = 5\n", encoding="utf-8"
    )
    return name


def test_a_hook_is_imported_from_beside_the_configuration(tmp_path: Path, hooks: str) -> None:
    path = [*sys.path]
    adjuster = import_hook(Hook.parse(f"{hooks}:drop"), tmp_path)
    assert adjuster.name == f"{hooks}:drop"
    assert adjuster.function(Entry(loc=BASE), Page(loc=BASE, name="index")) is DROP
    assert sys.path == path


def test_a_hook_that_is_a_function_is_taken_as_it_is(tmp_path: Path) -> None:
    assert import_hook(Hook.parse(heard), tmp_path) == Adjuster("sitemap_plugins.publishing:heard", heard)


@pytest.mark.parametrize(
    ("module", "source", "function", "words"),
    [
        ("missing_hooks", None, "drop", "cannot be imported: ModuleNotFoundError: No module named 'missing_hooks'"),
        ("empty_hooks", "", "drop", "cannot be imported: AttributeError: module 'empty_hooks' has no attribute 'drop'"),
        ("wrong_hooks", "def", "drop", "cannot be imported: SyntaxError: invalid syntax"),
        ("failing_hooks", "1 / 0", "drop", "cannot be imported: ZeroDivisionError: division by zero"),
        ("constant_hooks", "drop = 5", "drop", "is not a function"),
        ("tidy_hooks", "import sys; sys.path.pop(0); drop = 5", "drop", "is not a function"),
    ],
)
def test_a_hook_that_cannot_be_used_is_named(
    tmp_path: Path, module: str, source: str | None, function: str, words: str
) -> None:
    if source is not None:
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
    path = [*sys.path]
    with pytest.raises(ValueError, match=f"^{module}:{function} ") as refusal:
        import_hook(Hook.parse(f"{module}:{function}"), tmp_path)
    assert words in str(refusal.value)
    assert sys.path == path
    sys.modules.pop(module, None)


def test_the_date_of_a_file_on_disk_is_to_the_second(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"")
    os.utime(tmp_path / "a.md", ns=(0, int(EARLIER.timestamp()) * 10**9 + 999_999_999))
    assert date_of_modification(str(tmp_path / "a.md")) == FileDate(when=EARLIER)


@pytest.mark.parametrize("name", ["missing.md", "a\x00b.md"])
def test_a_file_that_is_not_there_has_no_date(tmp_path: Path, name: str) -> None:
    assert date_of_modification(str(tmp_path / name)) == FileDate(when=None, reason="no such file")


def home(**values: object) -> Page:
    return Page(loc=BASE, name="index.md", **values)


def test_the_sitemap_and_robots_txt_are_on_disk(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\r\nDisallow: /private")
    publication = publish(SITE, [home()], options(gzip=True), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["robots.txt", "sitemap.xml", "sitemap.xml.gz"]
    assert (tmp_path / "robots.txt").read_bytes().startswith(b"User-agent: *\r\nDisallow: /private\r\n\r\n# begin")
    assert b"<loc>https://example.org/</loc>" in (tmp_path / "sitemap.xml").read_bytes()
    assert publication.summary == "sitemap.xml: 1 URL, 0 with a date"
    assert publication.notes == publication.result.notes == ()


def test_publishing_again_changes_nothing(tmp_path: Path) -> None:
    def state() -> dict[str, tuple[bytes, int]]:
        return {path.name: (path.read_bytes(), path.stat().st_ino) for path in tmp_path.iterdir()}

    publish(SITE, [home()], options(gzip=True), tmp_path)
    before = state()
    publish(SITE, [home()], options(gzip=True), tmp_path)
    assert state() == before
    assert len(before) == 3


def test_pages_are_dated_by_git_and_by_their_files(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("index.md", "a.md")]
    for source in sources:
        source.write_bytes(b"")
        os.utime(source, (0, LATER.timestamp()))
    history = History(directory=str(tmp_path), files={b"index.md": FileDate(when=EARLIER)})
    pages = [home(sources=(str(sources[0]),)), Page(loc=f"{BASE}a/", name="a.md", sources=(str(sources[1]),))]
    publication = publish(SITE, pages, options(lastmod=["git", "mtime"]), tmp_path / "site", histories=[history])
    assert [entry.lastmod for entry in publication.result.sitemaps[0].entries] == [EARLIER, LATER]


def test_without_a_history_git_dates_nothing(tmp_path: Path) -> None:
    publication = publish(SITE, [home(sources=(__file__,))], options(lastmod=["git"]), tmp_path)
    assert publication.result.sitemaps[0].entries[0].lastmod is None
    assert publication.notes == ()


def test_a_history_that_cannot_be_read_is_one_note(tmp_path: Path) -> None:
    history = History(problem="git is not installed")
    pages = [home(sources=(__file__,)), Page(loc=f"{BASE}a/", name="a.md", sources=(__file__,))]
    publication = publish(SITE, pages, Settings(), tmp_path, histories=[history])
    message = "the pages have no date from git: git is not installed"
    assert publication.notes == (Note(kind="no-git", message=message),)
    assert publication.summary == "sitemap.xml: 2 URLs, 0 with a date"


@pytest.mark.parametrize(
    ("problems", "messages"),
    [
        ([None, None], []),
        (["no commit", None], ["the pages have no date from git: no commit"]),
        ([None, "no commit"], ["their catalogues have no date from git: no commit"]),
        ([None, None, "no commit"], ["their catalogues have no date from git: no commit"]),
        (["no git", "no git", "no commit"], ["the pages have no date from git: no git"]),
    ],
)
def test_of_several_histories_the_first_problem_is_told(
    tmp_path: Path, problems: list[str | None], messages: list[str]
) -> None:
    histories = [History(directory="/docs", problem=problem) for problem in problems]
    publication = publish(SITE, [home()], Settings(), tmp_path, histories=histories)
    assert [(note.kind, note.message) for note in publication.notes] == [("no-git", message) for message in messages]


def test_a_page_has_the_date_of_its_newest_file_in_any_history(tmp_path: Path) -> None:
    sources = tuple(str(tmp_path / name) for name in ("index.md", "locale/index.po"))
    histories = [
        History(directory=str(tmp_path), files={b"index.md": FileDate(when=EARLIER)}),
        History(directory=str(tmp_path / "locale"), files={b"index.po": FileDate(when=LATER)}),
    ]
    publication = publish(
        SITE, [home(sources=sources)], options(lastmod=["git"]), tmp_path / "site", histories=histories
    )
    assert publication.result.sitemaps[0].entries[0].lastmod == LATER


class TestLanguages:
    PAGES = (
        Page(loc=BASE, name="index.md", language="en", translation="index.md", output="index.html"),
        Page(loc=f"{BASE}fr/", name="fr/index.md", language="fr", translation="index.md", output="fr/index.html"),
        Page(loc=f"{BASE}a/", name="a.md", language="en", translation="a.md", output="a/index.html"),
    )
    HTML = b"<html><head></head><body>"

    @pytest.fixture(autouse=True)
    def pages(self, tmp_path: Path) -> None:
        for page in self.PAGES:
            path = tmp_path / (page.output or "")
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(self.HTML)

    def heads(self, directory: Path) -> list[int]:
        """How many links each of the pages has."""
        return [(directory / (page.output or "")).read_bytes().count(b"hreflang=") for page in self.PAGES]

    def test_translations_are_linked_in_the_sitemap_alone(self, tmp_path: Path) -> None:
        publication = publish(SITE, self.PAGES, Settings(), tmp_path)
        assert publication.summary == "sitemap.xml: 3 URLs, 0 with a date, 2 with translations"
        assert (tmp_path / "sitemap.xml").read_bytes().count(b"hreflang=") == 4
        assert self.heads(tmp_path) == [0, 0, 0]

    def test_they_are_linked_in_the_heads_where_that_is_wanted(self, tmp_path: Path) -> None:
        for _ in range(2):
            publication = publish(SITE, self.PAGES, options(head_links=True), tmp_path)
            assert self.heads(tmp_path) == [2, 2, 0]
            assert publication.notes == ()

    def test_a_page_that_is_left_out_loses_its_links(self, tmp_path: Path) -> None:
        publish(SITE, self.PAGES, options(head_links=True), tmp_path)
        pages = [self.PAGES[0], replace(self.PAGES[1], front_matter={"sitemap": False}), self.PAGES[2]]
        publish(SITE, pages, options(head_links=True), tmp_path)
        assert [(tmp_path / (page.output or "")).read_bytes() for page in pages] == [self.HTML] * 3

    def test_without_a_sitemap_there_are_no_links(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").mkdir()
        publication = publish(SITE, self.PAGES, options(head_links=True), tmp_path)
        assert [note.kind for note in publication.notes] == ["unwritable"]
        assert self.heads(tmp_path) == [0, 0, 0]

    def test_each_host_has_a_sitemap_and_robots_txt_names_both(self, tmp_path: Path) -> None:
        french = "https://fr.example.org/"
        pages = [self.PAGES[0], replace(self.PAGES[1], loc=f"{french}fr/", base_url=french)]
        publication = publish(SITE, pages, options(gzip=True), tmp_path)
        assert publication.summary == "sitemap.xml, fr/sitemap.xml: 2 URLs, 0 with a date, 2 with translations"
        assert (tmp_path / "fr" / "sitemap.xml.gz").is_file()
        assert b"Sitemap: https://fr.example.org/fr/sitemap.xml\n" in (tmp_path / "robots.txt").read_bytes()

    @pytest.mark.parametrize("gzip", [True, False])
    def test_a_sitemap_of_the_authors_own_for_another_host_is_left_alone(self, tmp_path: Path, *, gzip: bool) -> None:
        (tmp_path / "fr" / "sitemap.xml").write_bytes(b"<urlset/>")
        (tmp_path / "fr" / "sitemap.xml.gz").write_bytes(b"packed")
        french = "https://fr.example.org/"
        pages = [self.PAGES[0], replace(self.PAGES[1], loc=f"{french}fr/", base_url=french)]
        publication = publish(SITE, pages, options(gzip=gzip), tmp_path)
        assert [(note.kind, note.message) for note in publication.notes] == [
            ("own-sitemap", "fr/sitemap.xml is your own, so it was left alone")
        ]
        assert (tmp_path / "fr" / "sitemap.xml").read_bytes() == b"<urlset/>"
        assert (tmp_path / "fr" / "sitemap.xml.gz").read_bytes() == b"packed"
        assert (tmp_path / "sitemap.xml").is_file()

    def test_one_of_ours_is_renewed(self, tmp_path: Path) -> None:
        french = "https://fr.example.org/"
        pages = [self.PAGES[0], replace(self.PAGES[1], loc=f"{french}fr/", base_url=french)]
        publish(SITE, pages, Settings(), tmp_path)
        pages[0] = replace(pages[0], omit="draft")
        publication = publish(SITE, pages, Settings(), tmp_path)
        assert not any(note.kind == "own-sitemap" for note in publication.notes)
        assert b"xhtml" not in (tmp_path / "fr" / "sitemap.xml").read_bytes()


def test_with_nothing_to_list_there_is_no_summary_and_no_stale_file(tmp_path: Path) -> None:
    assert publish(SITE, [home()], options(gzip=True), tmp_path).summary
    publication = publish(SITE, [home(omit="error page")], Settings(), tmp_path)
    assert publication.summary is None
    assert [note.kind for note in publication.notes] == ["no-pages"]
    assert list(tmp_path.iterdir()) == []


def test_with_nothing_to_list_a_sitemap_that_is_not_ours_stays(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_bytes(b"<urlset/>")
    publish(SITE, [home(omit="error page")], Settings(), tmp_path)
    assert (tmp_path / "sitemap.xml").read_bytes() == b"<urlset/>"


def test_too_many_pages_leave_the_sitemap_of_an_earlier_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    publish(SITE, [home()], Settings(), tmp_path)
    before = (tmp_path / "sitemap.xml").read_bytes()
    monkeypatch.setattr("sitemap_plugins.arrange.grouping.URL_LIMIT", 0)
    assert publish(SITE, [home()], Settings(), tmp_path).summary is None
    assert (tmp_path / "sitemap.xml").read_bytes() == before


def test_what_is_true_of_many_pages_is_said_once() -> None:
    notes = [Note(kind="hook", page=f"{name}.md", message="it raised") for name in "abc"]
    assert heard(notes, Settings()) == [
        ("warning", Note(kind="hook", page="a.md", message="it raised (and so for 2 more pages)"))
    ]
    assert heard(notes[:2], Settings())[0][1].message == "it raised (and so for 1 more page)"


def test_what_cannot_be_written_is_a_note_and_not_a_sitemap(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    publication = publish(SITE, [home(front_matter={"sitemap": 5})], Settings(), tmp_path)
    assert publication.summary is None
    assert publication.result.sitemaps == publication.result.files == ()
    assert [note.kind for note in publication.notes] == ["front-matter", "unwritable"]
    assert "sitemap.xml could not be written" in publication.notes[-1].message
    assert not (tmp_path / "robots.txt").exists()


def test_a_robots_txt_that_cannot_be_read_does_not_end_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "robots.txt").write_bytes(b"secret")
    read_bytes = Path.read_bytes

    def refuse(self: Path) -> bytes:
        if self.name == "robots.txt":
            raise PermissionError(13, "Permission denied")
        return read_bytes(self)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    publication = publish(SITE, [home()], Settings(), tmp_path)
    assert [note.kind for note in publication.notes] == ["unwritable"]


def test_notes_are_heard_at_the_levels_the_author_sets() -> None:
    notes = [Note(kind=kind, message=kind) for kind in ("shallow", "preview", "hook", "no-git")]
    settings = options(notes={"shallow": "warning", "preview": "ignore"})
    assert heard(notes, settings) == [("warning", notes[0]), ("warning", notes[2]), ("info", notes[3])]


def test_a_hook_may_import_from_its_folder_when_it_is_called(tmp_path: Path) -> None:
    (tmp_path / "late_hook_of_a_test.py").write_text(
        "def adjust(entry, page):\n    import late_rules_of_a_test\n    return late_rules_of_a_test.VALUE\n",
        encoding="utf-8",
    )
    (tmp_path / "late_rules_of_a_test.py").write_text("VALUE = None\n", encoding="utf-8")
    adjuster = import_hook(Hook.parse("late_hook_of_a_test:adjust"), tmp_path)
    before = sys.path.copy()
    assert adjuster.function(Entry(loc=SITE.base_url), home()) is None
    assert sys.path == before


@pytest.mark.parametrize(
    ("content", "ours"),
    [(f"<?xml?>\n{MARK}\n", True), ("<urlset/>", False), (" " * 300 + MARK, True), (" " * 500 + MARK, False)],
)
def test_a_sitemap_of_ours_is_known_by_its_mark(tmp_path: Path, content: str, *, ours: bool) -> None:
    (tmp_path / "sitemap.xml").write_text(content, encoding="utf-8")
    assert is_ours(tmp_path / "sitemap.xml") is ours
    assert not is_ours(tmp_path / "nothing.xml")


def test_a_robots_txt_that_cannot_be_written_costs_no_sitemap(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").mkdir()
    publication = publish(SITE, [home()], Settings(), tmp_path)
    assert publication.summary
    assert (tmp_path / "sitemap.xml").is_file()
    assert [note.message for note in publication.notes] == [
        "robots.txt could not be written: there is a folder of that name"
    ]


@pytest.mark.parametrize("indent", [0, 1, 8])
def test_a_sitemap_with_translations_is_known_by_its_mark_too(tmp_path: Path, indent: int) -> None:
    publish(SITE, TestLanguages.PAGES, options(indent=indent), tmp_path)
    assert is_ours(tmp_path / "sitemap.xml")
