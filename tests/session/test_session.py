"""What every host does before and after the pipeline."""

import gzip as gzip_
import itertools
import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules, History
from sitemap_plugins.model import (
    NO_FILE,
    NO_GIT,
    NOT_COMMITTED,
    Content,
    FileDate,
    Language,
    LastMod,
    Note,
    Page,
    Policy,
    Site,
)
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.session.dating import Dating, date_rules, dates_of_modification, git_notes
from sitemap_plugins.session.deployment import Deployment, find_base_url, read_deployment
from sitemap_plugins.session.host import Host
from sitemap_plugins.session.lifecycle import BuildSession, LogLevel, notes_to_log, open_session
from sitemap_plugins.session.publishing import Output, Publication, publish
from tests.builders import open_test_session, options, options_turned_on, options_with_files, refuse_to_open

BASE = "https://example.org/"
FRENCH = "https://fr.example.org/"
SITE = Site(base_url=BASE)
EARLIER = datetime(2026, 1, 1, tzinfo=UTC)
LATER = datetime(2026, 3, 1, tzinfo=UTC)
ON_RTD = Deployment(canonical_url="https://x.readthedocs.io/en/latest")


class Git:
    """A stand-in for git with dates by file name."""

    def __init__(self, known: Mapping[str, FileDate] | None = None, **values: Any) -> None:
        self.known = known or {}
        self.now: datetime | None = values.get("now")
        self.wrong_clock: str | None = values.get("wrong_clock")
        self.problem: str | None = values.get("problem")
        self.ignore_file_problems: tuple[str, ...] = values.get("ignore_file_problems", ())
        self.too_large: tuple[str, ...] = values.get("too_large", ())
        self.histories: tuple[History, ...] = values.get("histories", ())
        self.has_commit = True
        self.rules = DateRules()

    def dates_of(self, files: Collection[str]) -> Mapping[str, FileDate]:
        new = FileDate(when=None, reason=NO_GIT if self.problem else NOT_COMMITTED)
        return {file: self.known.get(Path(file).name, new) for file in files}


def shown(pages: Sequence[Page], git: Git | None, root: Path) -> dict[str, LastMod | None]:
    dating = Dating(Settings(), DateRules(), root, None)
    dating.git = git
    return {name: each.lastmod for name, each in dating.shown(SITE, pages).items()}


def published(pages: Iterable[Page], settings: Settings, directory: Path, **more: Any) -> Publication:
    known = {name: more.pop(name) for name in ("copied", "replaced", "earlier") if name in more}
    output = Output(directory=str(directory), **known)
    return publish(SITE, pages, settings, output, **{"root": directory} | more)


@pytest.mark.parametrize(
    ("written", "host_url", "deployment", "base_url"),
    [
        ({}, " https://example.org/docs/ ", Deployment(), "https://example.org/docs/"),
        ({}, "https://example.org/", ON_RTD, "https://example.org/"),
        ({"base_url": "https://mine.example"}, "https://mine.example/", ON_RTD, "https://mine.example/"),
        ({"base_url": "https://mine.example"}, "/", ON_RTD, "https://mine.example/"),
        ({"base_url": "https://mine.example"}, None, Deployment(), "https://mine.example/"),
        ({}, None, ON_RTD, "https://x.readthedocs.io/en/latest/"),
        ({}, "/", ON_RTD, "https://x.readthedocs.io/en/latest/"),
    ],
)
def test_the_base_url_is_from_the_options_the_host_or_the_service_in_this_order(
    written: dict[str, object], host_url: str | None, deployment: Deployment, base_url: str
) -> None:
    found = find_base_url(options(**written), deployment, host_url=host_url, host_option="site_url")
    assert found == (base_url, [])


def test_a_base_url_that_differs_from_the_host_s_is_used_with_a_note() -> None:
    """CAN-09."""
    settings = options(base_url="https://mine.example")
    base_url, notes = find_base_url(settings, Deployment(), host_url="https://example.org/", host_option="site_url")
    assert base_url == "https://mine.example/"
    assert [note.kind for note in notes] == ["base-url"]
    assert "base_url, https://mine.example/, but the canonical links use site_url" in notes[0].message


@pytest.mark.parametrize(
    ("written", "expected"),
    [("https://example.org//", "https://example.org/"), ("https://example.org///docs/", "https://example.org/docs/")],
)
def test_empty_folders_in_a_written_url_are_named_and_left_out(written: str, expected: str, tmp_path: Path) -> None:
    base_url, (note,) = find_base_url(Settings(), Deployment(), host_url=written, host_option="html_baseurl")
    assert (base_url, note.kind) == (expected, "base-url")
    assert note.message.startswith(f"html_baseurl has an empty folder in it (//), {written}: write {expected}, ")
    notes: list[str] = []
    session = open_test_session(options(base_url=written), tmp_path, lambda _, note: notes.append(note.message))
    assert session.find_base_url() == (expected, [])
    session.publish(Site(base_url=expected), [Page(loc=expected, name="index.md")], Output(directory=str(tmp_path)))
    assert sum(each.startswith(f"base_url has an empty folder in it (//), {written}: ") for each in notes) == 1


@pytest.mark.parametrize("host_url", [None, " ", "/"])
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
    ],
)
def test_an_unusable_base_url_is_named_with_its_origin(host_url: str, canonical_url: str | None, name: str) -> None:
    deployment = Deployment(canonical_url=canonical_url)
    base_url, notes = find_base_url(Settings(), deployment, host_url=host_url, host_option="site_url")
    assert base_url is None
    assert [note.kind for note in notes] == ["no-base-url"]
    assert name in notes[0].message


@pytest.mark.parametrize(
    ("epoch", "git", "as_of"),
    [
        (None, None, None),
        (None, Git(), None),
        (None, Git(now=EARLIER), EARLIER),
        (EARLIER, None, EARLIER),
        (EARLIER, Git(now=LATER), LATER),
        (LATER, Git(now=EARLIER), LATER),
    ],
)
def test_now_is_the_latest_known_time(epoch: datetime | None, git: Any, as_of: datetime | None) -> None:
    dating = Dating(Settings(), DateRules(), "/", epoch)
    dating.git = git
    assert dating.now == as_of


def test_the_session_adds_to_the_site_what_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"VERCEL": "1", "VERCEL_ENV": "preview", "READTHEDOCS": "True"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(EARLIER.timestamp())))
    session = open_test_session(options(languages={"fr": f"{BASE}fr/", "en": f"{BASE}en/"}), tmp_path)
    site = session.publish(
        Site(base_url=BASE, name="Docs", default_language="en"), [home()], Output(directory=str(tmp_path))
    ).result.site
    languages = [Language(code=code, base_url=f"{BASE}{code}/") for code in ("fr", "en")]
    assert site == Site(
        base_url=BASE,
        name="Docs",
        as_of=EARLIER,
        has_commit=False,
        policy=Policy(preview="Vercel"),
        robots_owner="Read the Docs",
        unshallow=site.unshallow,
        languages=tuple(languages),
        default_language="en",
    )
    assert "git fetch --unshallow || true" in site.unshallow


def test_the_date_of_a_file_on_disk_is_to_the_second(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"")
    os.utime(path, ns=(0, int(EARLIER.timestamp()) * 10**9 + 999_999_999))
    assert dates_of_modification([str(path)]) == {str(path): FileDate(when=EARLIER)}


@pytest.mark.parametrize("name", ["missing.md", "a\x00b.md", "a/\ud800"])
def test_a_missing_file_has_no_date(tmp_path: Path, name: str) -> None:
    path = str(tmp_path / name)
    assert dates_of_modification([path]) == {path: FileDate(when=None, reason="no such file")}


class TestRulesForGit:
    def test_rules_come_from_the_options(self, tmp_path: Path) -> None:
        settings = options(git={"date": "author", "follow_renames": False})
        assert date_rules(settings, tmp_path) == (DateRules(date="author", follow_renames=False), [])
        assert date_rules(Settings(), tmp_path) == (DateRules(), [])

    @pytest.mark.parametrize(("written", "files"), [(True, None), (False, ())])
    def test_ignored_commits_can_be_found_or_disabled(
        self, tmp_path: Path, written: object, files: tuple[str, ...] | None
    ) -> None:
        rules, mistakes = date_rules(options(git={"ignore_revs": written}), tmp_path)
        assert (rules.ignore_revs, mistakes) == (files, [])

    def test_files_of_ignored_commits_are_found_and_missing_ones_are_mistakes(self, tmp_path: Path) -> None:
        (tmp_path / "docs").mkdir()
        for name in ("revs", "docs/more"):
            (tmp_path / name).write_bytes(b"")
        settings = options(git={"ignore_revs": ["../revs", "gone", "more", "../docs"]})
        rules, mistakes = date_rules(settings, tmp_path / "docs")
        assert [os.path.normpath(file) for file in rules.ignore_revs or ()] == [
            str(tmp_path / "revs"),
            str(tmp_path / "docs/more"),
        ]
        assert [mistake.where for mistake in mistakes] == ["git.ignore_revs"] * 2
        for name, mistake in zip(("gone", "../docs"), mistakes, strict=True):
            assert name in mistake.message
            assert str(tmp_path / "docs") in mistake.message

    @pytest.mark.parametrize("name", ["\udcff", "**"], ids=["not text", "glob"])
    def test_an_impossible_file_name_is_a_mistake(self, tmp_path: Path, name: str) -> None:
        rules, mistakes = date_rules(options(git={"ignore_revs": [name]}), tmp_path)
        assert rules.ignore_revs == ()
        assert [mistake.where for mistake in mistakes] == ["git.ignore_revs"]
        assert mistakes[0].message.startswith(f"in {tmp_path} there is no file ")
        assert mistakes[0].message.isprintable()


def home(source: str | None = None, **values: object) -> Page:
    return Page(loc=BASE, name="index.md", source=source, sources=(source,) if source else (), **values)


def test_the_sitemap_and_robots_txt_are_on_disk(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_bytes(b"User-agent: *\r\nDisallow: /private")
    publication = published([home()], options(gzip=True), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["robots.txt", "sitemap.xml", "sitemap.xml.gz"]
    assert (tmp_path / "robots.txt").read_bytes().startswith(b"User-agent: *\r\nDisallow: /private\r\n\r\n# begin")
    assert b"<loc>https://example.org/</loc>" in (tmp_path / "sitemap.xml").read_bytes()
    assert publication.summary == "sitemap.xml: 1 URL, 0 with a date"
    assert publication.notes == publication.result.notes == ()


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    """The plan is what the next build does: files that are new, changed or removed."""
    settings = options(gzip=True, text=True, head_links=True)
    (tmp_path / "index.html").write_text("<html><head></head></html>")
    published([home()], options(gzip=True, record="e.json"), tmp_path)
    before = contents(tmp_path)
    pages = [home(output="index.html"), Page(loc=f"{BASE}a/", name="a.md")]
    outputs = (Output(directory=str(tmp_path), earlier=["e.json"], dry_run=dry_run) for dry_run in (True, False))
    planned = publish(Site(base_url=BASE), pages, settings, next(outputs), root=tmp_path)
    assert contents(tmp_path) == before
    assert set(planned.changed) == {"e.json", "sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz"}
    done = publish(Site(base_url=BASE), pages, settings, next(outputs), root=tmp_path)
    assert (planned.changed, planned.written, planned.summary) == (done.changed, done.written, done.summary)


def test_pages_are_dated_by_git_and_by_their_files(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("index.md", "a.md")]
    for source in sources:
        source.write_bytes(b"")
        os.utime(source, (0, LATER.timestamp()))
    git = Git({"index.md": FileDate(when=EARLIER)})
    pages = [home(str(sources[0])), Page(loc=f"{BASE}a/", name="a.md", sources=(str(sources[1]),))]
    publication = published(pages, options(lastmod=["git", "mtime"]), tmp_path / "site", git=git)
    assert [entry.lastmod for entry in publication.result.sitemaps[0].entries] == [EARLIER, LATER]


def test_problems_with_the_repositories_come_first(tmp_path: Path) -> None:
    problems = ("line 1 of revs is not a full commit id: 'x'; it is ignored", "revs: no")
    git = Git(problem="none", too_large=("a commit is too large",), ignore_file_problems=problems)
    notes = (
        Note(kind="no-git", message="none"),
        Note(kind="no-git", message="a commit is too large"),
        Note(kind="ignore-revs", message="line 1 of revs is not a full commit id: 'x'; it is ignored"),
        Note(kind="ignore-revs", message="revs: no"),
    )
    assert tuple(git_notes(git)) == notes
    publication = published([home(front_matter={"sitemap": 5})], Settings(), tmp_path, git=git)
    assert publication.notes[:4] == notes
    assert publication.notes[4].kind == "front-matter"
    assert list(git_notes(Git())) == []


def test_a_page_has_the_date_of_the_files_it_depends_on(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for path in (docs / "a.md", tmp_path / "src" / "d.py"):
        path.parent.mkdir()
        path.write_bytes(b"")
    page = home(str(docs / "a.md"), front_matter={"sitemap": {"depends_on": "../src/*.py, gone"}})
    gone = FileDate(when=None, reason=NO_FILE)
    git = Git({"a.md": FileDate(when=EARLIER), "d.py": FileDate(when=LATER), "gone": gone})
    publication = published([page], Settings(), tmp_path / "site", git=git, root=docs)
    assert publication.result.sitemaps[0].entries[0].lastmod == LATER
    assert [(note.kind, note.message) for note in publication.notes] == [
        ("depends-on", "depends_on: there is no file 'gone' (relative to the folder of the configuration)")
    ]
    assert shown([page], git, docs)["index.md"] == LATER


def test_dates_of_pages_are_those_of_the_sitemap(tmp_path: Path) -> None:
    git = Git({"a.md": FileDate(when=EARLIER)})
    pages = [
        Page(loc=f"{BASE}a/", name="a.md", source="/a.md", sources=("/a.md",)),
        Page(loc=f"{BASE}b/", name="b.md", source="/b.md", sources=("/b.md",)),
        Page(loc=f"{BASE}c/", name="c.md", front_matter={"sitemap": {"lastmod": "2020-01-01"}}),
        Page(loc=f"{BASE}d/", name="d.md", source="/a.md", sources=("/a.md",), omit="draft"),
        Page(loc="https://elsewhere.example/", name="e.md"),
    ]
    assert shown(pages, git, tmp_path) == {"a.md": EARLIER, "b.md": None, "c.md": date(2020, 1, 1), "d.md": EARLIER}
    assert shown(pages, None, tmp_path)["a.md"] is None


class TestRecord:
    HISTORY = History(directory="/docs", toplevel="/docs", head="a" * 40)

    def test_record_is_written_beside_the_sitemap(self, tmp_path: Path) -> None:
        settings = options(record="proof.json")
        file = FileDate(when=EARLIER, commit="c" * 40, path="index.md", repository="/docs")
        git = Git({"index.md": file}, histories=(self.HISTORY,))
        publication = published([home("/docs/index.md")], settings, tmp_path, git=git)
        written = json.loads((tmp_path / "proof.json").read_bytes())
        assert written["repositories"] == {".": {"head": "a" * 40}}
        assert written["pages"] == [
            {
                "loc": BASE,
                "document": "index.md",
                "lastmod": "2026-01-01T00:00:00Z",
                "source": "git",
                "path": "index.md",
                "commit": "c" * 40,
            }
        ]
        assert publication.summary == "sitemap.xml: 1 URL, 1 with a date"
        assert publication.notes == ()


@pytest.mark.parametrize(
    ("url", "is_there"), [("a.png", True), ("A.png", False), ("img", False), ("link.png", True), ("dead.png", False)]
)
def test_images_are_listed_if_their_files_are_in_the_output(tmp_path: Path, url: str, *, is_there: bool) -> None:
    (tmp_path / "img").mkdir()
    for name in ("a.png", "img/b c.png"):
        (tmp_path / name).touch()
    (tmp_path / "link.png").symlink_to("a.png")
    (tmp_path / "dead.png").symlink_to("none.png")
    page = home(content=Content(images=(BASE + url,)))
    publication = published([page], options(images=True), tmp_path)
    assert [image.loc for entry in publication.result.entries for image in entry.images] == [BASE + url] * is_there
    assert [note.kind for note in publication.notes] == ["image"] * (not is_there)


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
        """The number of links in the head of each page."""
        return [(directory / (page.output or "")).read_bytes().count(b"hreflang=") for page in self.PAGES]

    def test_by_default_translations_are_linked_only_in_the_sitemap(self, tmp_path: Path) -> None:
        publication = published(self.PAGES, Settings(), tmp_path)
        assert publication.summary == "sitemap.xml: 3 URLs, 0 with a date, 2 with translations"
        assert (tmp_path / "sitemap.xml").read_bytes().count(b"hreflang=") == 4
        assert self.heads(tmp_path) == [0, 0, 0]

    def test_translations_are_linked_in_the_heads_on_request(self, tmp_path: Path) -> None:
        for _ in range(2):
            publication = published(self.PAGES, options(head_links=True), tmp_path)
            assert self.heads(tmp_path) == [2, 2, 0]
            assert publication.notes == ()

    def test_a_page_that_is_left_out_loses_its_links(self, tmp_path: Path) -> None:
        published(self.PAGES, options(head_links=True), tmp_path)
        pages = [self.PAGES[0], structs.replace(self.PAGES[1], front_matter={"sitemap": False}), self.PAGES[2]]
        published(pages, options(head_links=True), tmp_path)
        assert [(tmp_path / (page.output or "")).read_bytes() for page in pages] == [self.HTML] * 3

    def test_without_a_sitemap_there_are_no_links(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml").mkdir()
        publication = published(self.PAGES, options(head_links=True), tmp_path)
        assert [note.kind for note in publication.notes] == ["unwritable"]
        assert self.heads(tmp_path) == [0, 0, 0]

    def test_each_host_has_a_sitemap_and_robots_txt_names_both(self, tmp_path: Path) -> None:
        french = "https://fr.example.org/"
        pages = [self.PAGES[0], structs.replace(self.PAGES[1], loc=f"{french}fr/", base_url=french)]
        publication = published(pages, options(gzip=True), tmp_path)
        assert publication.summary == (
            "sitemap.xml, fr/sitemap.xml: 2 URLs, 0 with a date, 2 with translations; left out: 1 other HTML file"
        )
        assert (tmp_path / "fr" / "sitemap.xml.gz").is_file()
        assert b"Sitemap: https://fr.example.org/fr/sitemap.xml\n" in (tmp_path / "robots.txt").read_bytes()


@pytest.mark.parametrize(
    ("file", "below", "more", "kind"),
    [
        (".readthedocs.yaml", "docs/", {}, "robots-of-host"),
        (".readthedocs.yml", "docs/", {}, "robots-of-host"),
        ("../.readthedocs.yaml", "docs/", {}, "robots-of-host"),
        ("../../.readthedocs.yaml", "docs/", {}, "robots-below-root"),  # above the repository
        ("readthedocs.yaml", "docs/", {}, "robots-below-root"),
        (".readthedocs.yaml", "docs/", {"announce_by": "run merge"}, "robots-below-root"),
        (".readthedocs.yaml", "", {}, None),
    ],
)
def test_what_read_the_docs_serves_at_the_root_is_known_from_its_configuration(
    file: str, below: str, more: dict[str, str], kind: str | None, tmp_path: Path
) -> None:
    project = tmp_path / "repository" / "docs"
    (project / "site").mkdir(parents=True)
    (project.parent / ".git").mkdir()
    (project / file).write_text("version: 2\n", encoding="ascii")
    site = structs.replace(SITE, base_url=BASE + below, **more)
    output = Output(directory=str(project / "site"))
    publication = publish(site, [Page(loc=site.base_url, name="index.md")], Settings(), output, root=project)
    assert [note.kind for note in publication.notes] == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("old/index.html", '<link rel="canonical" href="../"><meta http-equiv="refresh" content="0; url=../">', BASE),
        ("a.html", '<meta http-equiv="Refresh" content="5;URL=https://example.net/">', "https://example.net/"),
        ("live.html", '<meta http-equiv="refresh" content="60">', None),
        ("live.html", '<meta http-equiv="refresh" content="60; url=live.html">', None),
        ("chart.html", '<link rel="canonical" href="./">', None),
    ],
)
def test_a_file_that_only_leads_elsewhere_is_left_out_as_a_redirect(
    path: str, head: str, expected: str | None, tmp_path: Path
) -> None:
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(f"<!doctype html><head>{head}</head>", encoding="ascii")
    (tmp_path / "404.html").write_text('<meta http-equiv="refresh" content="0; url=/">', encoding="ascii")
    publication = published([home()], Settings(), tmp_path)
    other = ("redirect", expected) if expected else ("other", "")
    assert {each.page.name: (each.key, each.detail) for each in publication.result.omitted} == {
        "404.html": ("error-page", ""),
        path: other,
    }


def test_with_nothing_to_list_there_is_no_summary_and_no_stale_file(tmp_path: Path) -> None:
    assert published([home()], options(gzip=True), tmp_path).summary
    publication = published([home(omit="error-page")], Settings(), tmp_path)
    assert publication.summary is None
    assert [note.kind for note in publication.notes] == ["no-pages"]
    assert list(tmp_path.iterdir()) == []


def test_with_nothing_to_list_files_that_are_not_ours_are_kept_and_in_no_way(tmp_path: Path) -> None:
    before = {name: (tmp_path / name).write_bytes(MINE) for name in ("sitemap.xml", "proof.json")}
    publication = published([home(omit="error-page")], options(record="proof.json"), tmp_path, git=Git())
    assert [note.kind for note in publication.notes] == ["no-pages"]
    assert contents(tmp_path) == dict.fromkeys(before, MINE)


def numbered(number: int, base: str = BASE) -> list[Page]:
    """So many pages, with their own base URL if it is not the site's."""
    own = None if base == BASE else FRENCH
    return [Page(loc=f"{base}{each}/", name=f"{each}.md", title=f"Page {each}", base_url=own) for each in range(number)]


def dated(pages: Iterable[Page]) -> list[Page]:
    return [structs.replace(each, front_matter={"sitemap": {"lastmod": "2026-02-01"}}) for each in pages]


def names(directory: Path) -> set[str]:
    return {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}


def contents(directory: Path, only: Collection[str] | None = None) -> dict[str, bytes]:
    return {name: (directory / name).read_bytes() for name in (names(directory) if only is None else only)}


MINE = b"<urlset>the author's own</urlset>"


SITEMAP = frozenset({"sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz"})


class TestStaleFiles:
    """SM-IDX-07 and SM-GZ-01: files of an earlier build are removed if they are ours; other files never are."""

    def test_files_of_a_smaller_site_are_removed(self, tmp_path: Path) -> None:
        settings = options(limit={"urls": 3}, gzip=True, text=True)
        first = published(numbered(9), settings, tmp_path)
        many = names(tmp_path)
        assert {*first.written} == many - {"robots.txt"}
        assert sum(name.startswith("sitemap-") and name.endswith(".xml") for name in many) > 2
        publication = published(numbered(3), settings, tmp_path, earlier=first.written)
        assert names(tmp_path) == {
            "robots.txt", "sitemap.xml", "sitemap.xml.gz", "sitemap.txt", "sitemap.txt.gz"
        }  # fmt: skip
        assert publication.notes[1:] == ()
        published(numbered(9), settings, tmp_path, earlier=publication.written)
        assert names(tmp_path) == many - {"sitemap.txt", "sitemap.txt.gz"}

    BEFORE_AND_AFTER = (
        ({"sections": {"a": "1/"}}, {}),
        ({"sections": {"a": "1/"}}, {"sections": {"b": "1/"}}),
        ({"gzip": "only", "limit": {"urls": 2}, "text": True}, {"gzip": False}),
        ({"text": True, "gzip": True, "limit": {"urls": 2}}, {"limit": {"urls": 2}}),
        ({"feeds": {"rss": "f.rss", "atom": "f.atom"}}, {}),
        ({"feeds": {"rss": "f.xml"}}, {"feeds": {"rss": "g.xml"}}),
        ({"feeds": {"rss": "f.xml"}}, {"feeds": {"atom": "f.xml"}}),
        ({"feeds": {"rss": "sitemap-feed.xml"}}, {"limit": {"urls": 2}}),
        ({"news": {"match": "**", "publication_language": "en", "name": "N"}}, {}),
        *(
            ({"text": True, "sections": {"a": "1/"}, "gzip": one}, {"text": True, "sections": {"a": "1/"}, "gzip": two})
            for one, two in itertools.product((False, True, "only"), repeat=2)
        ),
    )

    @pytest.mark.parametrize(("before", "after"), BEFORE_AND_AFTER)
    def test_files_of_changed_options_are_removed(
        self, tmp_path: Path, before: dict[str, object], after: dict[str, object]
    ) -> None:
        pages = [
            structs.replace(each, front_matter={"sitemap": {"lastmod": "2026-02-01", "published": "2026-02-01"}})
            for each in numbered(4)
        ]
        site = structs.replace(SITE, as_of=datetime(2026, 2, 1, tzinfo=UTC))
        once, fresh = tmp_path / "once", tmp_path / "fresh"
        earlier: tuple[str, ...] = ()
        for directory, written in ((once, before), (once, after), (fresh, after)):
            directory.mkdir(exist_ok=True)
            publication = publish(
                site, pages, options(**written), Output(directory=str(directory), earlier=earlier), root=directory
            )
            earlier = publication.written if directory == once else ()
            assert {*publication.written} == names(directory) - {"robots.txt"}
        assert contents(once) == contents(fresh)

    def test_files_are_removed_after_everything_that_names_them_has_changed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A build can be killed after any of these steps."""
        before = options(limit={"urls": 2}, gzip=True, text=True)
        after = options(filename="pages.xml", limit={"urls": 3}, sections={"a": "1/"}, gzip=True)
        first = published(numbered(4), before, tmp_path)
        steps: list[str] = []
        replace, unlink = os.replace, os.unlink

        def note_replace(source: str, target: str) -> None:
            steps.append(f"+ {Path(target).name}")
            replace(source, target)

        def note_unlink(path: str) -> None:
            steps.append(f"- {Path(path).name}")
            unlink(path)

        monkeypatch.setattr(os, "replace", note_replace)
        monkeypatch.setattr(os, "unlink", note_unlink)
        published(numbered(4), after, tmp_path, earlier=first.written)
        steps = [step for step in steps if "/." not in step and " ." not in step]
        robots = steps.index("+ robots.txt")
        assert [step for step in steps[:robots] if not step.startswith("+ ")] == []
        assert steps[robots - 2 : robots] == ["+ pages.xml", "+ pages.xml.gz"]
        assert [step for step in steps[robots + 1 :] if not step.startswith("- ")] == []
        assert steps[robots + 1 : robots + 3] == ["- sitemap.xml.gz", "- sitemap.xml"]
        assert len(steps) > robots + 8

    def test_all_files_are_removed_with_the_last_page(self, tmp_path: Path) -> None:
        settings = options(limit={"urls": 2}, gzip=True, text=True, feeds={"rss": "f.rss"}, sections={"a": "1/"})
        first = published(dated(numbered(6)), settings, tmp_path)
        assert len(names(tmp_path)) > 12
        assert published([], settings, tmp_path, earlier=first.written).written == ()
        assert names(tmp_path) == set()

    def test_files_that_are_not_ours_are_kept(self, tmp_path: Path) -> None:
        others = {"sitemap-0.xml", "sitemap-old.xml", "sitemap-old.xml.gz", "sitemap-old.txt", "sitemap.txt", "rss.xml"}
        for name in others:
            (tmp_path / name).write_bytes(MINE)
        earlier = [*others]
        for number in (9, 1, 0):
            publication = published(numbered(number), options(limit={"urls": 3}), tmp_path, earlier=earlier)
            earlier += publication.written
            assert others.isdisjoint(publication.written)
            assert contents(tmp_path, others) == dict.fromkeys(others, MINE)
        assert names(tmp_path) == others

    def test_no_file_is_removed_if_a_new_one_cannot_be_written(self, tmp_path: Path) -> None:
        settings = options(limit={"urls": 3})
        earlier = published(numbered(9), settings, tmp_path).written
        before = contents(tmp_path)
        (tmp_path / "proof.json").mkdir()
        publication = published(numbered(1), options(record="proof.json"), tmp_path, earlier=earlier)
        assert [note.kind for note in publication.notes][-1] == "unwritable"
        # The next build must still know about them.
        assert publication.written == earlier
        assert contents(tmp_path) == before

    @pytest.mark.parametrize(
        ("written", "gone"),
        [
            ({"text": True}, SITEMAP),
            ({"feeds": {"rss": "f.rss", "atom": "f.atom"}}, SITEMAP | {"f.rss", "f.atom"}),
            ({"filename": "pages.xml"}, set()),
        ],
    )
    def test_files_with_configured_names_are_removed_without_a_record(
        self, tmp_path: Path, written: dict[str, object], gone: frozenset[str]
    ) -> None:
        everything = options(gzip=True, text=True, feeds={"rss": "f.rss", "atom": "f.atom"}, record="e.json")
        published(dated(numbered(2)), everything, tmp_path, git=Git())
        before = names(tmp_path)
        published([], options(**written), tmp_path)
        assert names(tmp_path) == before - gone - {"robots.txt"}

    @pytest.mark.parametrize("number", [0, 1, 9])
    def test_recorded_files_that_are_the_author_s_now_are_kept(self, tmp_path: Path, number: int) -> None:
        settings = options(limit={"urls": 3}, gzip=True)
        first = published(numbered(9), settings, tmp_path)
        # The author has copied them from an output, including the mark, and the host has copied them again.
        copied = {"sitemap-0000.xml.gz", *(name for name in first.written if name not in settings.filenames)}
        for name in copied:
            (tmp_path / name).write_bytes((tmp_path / "sitemap.xml").read_bytes())
        before = contents(tmp_path, copied)
        publication = published(numbered(number), settings, tmp_path, earlier=first.written, copied=copied)
        assert contents(tmp_path, copied) == before
        assert copied.isdisjoint(publication.written)


class TestForeignFiles:
    @pytest.mark.parametrize("gzip", [False, True, "only"])
    @pytest.mark.parametrize("name", ["sitemap-a.xml", "sitemap-a.xml.gz", "sitemap-index.xml", "sitemap-index.xml.gz"])
    def test_files_with_the_names_of_sections_are_kept_and_everything_is_published(
        self, tmp_path: Path, name: str, *, gzip: object
    ) -> None:
        (tmp_path / name).write_bytes(MINE)
        settings = options(sections={"a": "1/"}, gzip=gzip)
        earlier: tuple[str, ...] = ()
        for _ in range(2):
            publication = published(numbered(3), settings, tmp_path, earlier=earlier)
            earlier = publication.written
            assert (tmp_path / name).read_bytes() == MINE
            # SM-IDX-06: everything that is announced and listed is ours.
            for url in (*publication.result.announced, *(each.url for each in publication.result.sitemaps)):
                assert is_ours(tmp_path / url.removeprefix(BASE))

    @pytest.mark.parametrize(("own", "kept"), [("sitemap.txt", set()), ("sitemap.txt.gz", {"sitemap.txt"})])
    def test_next_to_a_foreign_text_sitemap_no_compressed_one_is_written(
        self, tmp_path: Path, own: str, kept: set[str]
    ) -> None:
        (tmp_path / own).write_bytes(b"my own\n")
        for _ in range(2):
            published([home()], options(text=True, gzip=True), tmp_path)
        assert names(tmp_path) == {"sitemap.xml", "sitemap.xml.gz", "robots.txt", own, *kept}

    @pytest.mark.parametrize(
        ("own", "gzip"),
        [("sitemap.xml", False), ("sitemap.xml", True), ("sitemap.xml", "only"), ("sitemap.xml.gz", True)],
    )
    def test_next_to_a_foreign_sitemap_nothing_is_written(self, tmp_path: Path, own: str, *, gzip: object) -> None:
        settings = options(gzip=gzip, text=True, feeds={"rss": "f.xml"}, sections={"a": "1/"})
        earlier = published(dated(numbered(3)), options(gzip=gzip), tmp_path).written
        (tmp_path / own).write_bytes(MINE)
        before = contents(tmp_path)
        publication = published(dated(numbered(3)), settings, tmp_path, earlier=earlier)
        (note,) = publication.notes
        assert note.message == (
            f"{own} is your own file, so it was left alone: to let the plugin write one, remove this file, or set filename to "
            "another value; until then, text and feeds have no effect"
        )
        assert publication.summary is None
        assert contents(tmp_path) == before
        assert own not in publication.written

    def test_a_foreign_compressed_sitemap_does_not_matter_without_gzip(self, tmp_path: Path) -> None:
        (tmp_path / "sitemap.xml.gz").write_bytes(MINE)
        assert published([home()], options(gzip=False), tmp_path).notes == ()
        assert is_ours(tmp_path / "sitemap.xml")
        assert (tmp_path / "sitemap.xml.gz").read_bytes() == MINE

    @pytest.mark.parametrize("name", ["f.txt", "f.xml.gz", "f.txt.gz"])
    def test_files_with_similar_names_do_not_prevent_a_feed(self, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_bytes(MINE)
        publication = published(dated([home(title="t")]), options(feeds={"rss": "f.xml"}, text=True), tmp_path)
        assert publication.notes == ()
        assert is_ours(tmp_path / "f.xml")
        assert (tmp_path / name).read_bytes() == MINE

    @pytest.mark.parametrize("gzip", [False, True, "only"])
    @pytest.mark.parametrize("name", ["fr/sitemap.xml", "fr/sitemap.xml.gz"])
    @pytest.mark.parametrize("is_copied", [False, True])
    def test_files_in_the_folder_of_another_host_are_kept(
        self, tmp_path: Path, name: str, *, is_copied: bool, gzip: object
    ) -> None:
        (tmp_path / "fr").mkdir()
        (tmp_path / name).write_bytes(MINE)
        pages = [*numbered(1), *numbered(1, f"{FRENCH}fr/")]
        publication = published(pages, options(gzip=gzip), tmp_path, copied=[name] if is_copied else ())
        assert (tmp_path / name).read_bytes() == MINE
        assert [each.path for each in publication.result.sitemaps] == ["sitemap.xml", "sitemap-fr.example.org.xml"]

    def test_copied_files_are_the_author_s_even_with_our_mark(self, tmp_path: Path) -> None:
        published(numbered(2), options(sections={"a": "1/"}, feeds={"rss": "f.rss"}), tmp_path)
        copied = contents(tmp_path, ("sitemap-a.xml", "sitemap-index.xml"))
        settings = options(sections={"a": "1/"})
        publication = published(numbered(3), settings, tmp_path, copied=copied)
        assert contents(tmp_path, copied) == copied
        assert publication.result.announced == (f"{BASE}sitemap-index-2.xml",)
        assert is_ours(tmp_path / "sitemap-a-2.xml")


EVERYTHING = {**options_with_files(), "gzip": True, "sections": {"a": "0/"}, "images": "separate"}


class TestEveryFormat:
    PAGES = dated([home(title="t", front_matter={"sitemap": {"images": ["a.png"]}}), *numbered(2)])

    def test_each_format_is_recognized_as_ours(self, tmp_path: Path) -> None:
        first = published(self.PAGES, options(**EVERYTHING), tmp_path, git=Git())
        assert {*first.written} == names(tmp_path) - {"robots.txt"}
        assert [name for name in first.written if not is_ours(tmp_path / name)] == []
        second = published(self.PAGES, options(**EVERYTHING), tmp_path, git=Git())
        assert second.written == first.written
        assert second.notes == first.notes

    def test_no_option_adds_a_file_that_no_format_recognizes(self, tmp_path: Path) -> None:
        written = published(self.PAGES, options(**options_turned_on()), tmp_path, git=Git()).written
        assert [name for name in written if not is_ours(tmp_path / name)] == []

    @pytest.mark.parametrize("option", [*EVERYTHING])
    def test_foreign_files_are_left_alone_and_the_note_names_the_option(self, tmp_path: Path, option: str) -> None:
        without = {*published(self.PAGES, options(), tmp_path / "without", git=Git()).written}
        written = published(self.PAGES, options(**{option: EVERYTHING[option]}), tmp_path / "with", git=Git()).written
        for name in {*written} - without - {"sitemap.xml.gz"}:
            (tmp_path / "foreign").mkdir(exist_ok=True)
            (tmp_path / "foreign" / name).write_bytes(b"my own")
            publication = published(
                self.PAGES, options(**{option: EVERYTHING[option]}), tmp_path / "foreign", git=Git()
            )
            assert (tmp_path / "foreign" / name).read_bytes() == b"my own"
            own = [note.message for note in publication.notes if note.kind == "own-sitemap"]
            # Sections and parts get another name instead.
            assert [message for message in own if f"or set {option} to another value" not in message] == []
            assert own or name not in publication.written


class TestFilesOfTheHost:
    def test_only_files_of_the_host_are_replaced(self, tmp_path: Path) -> None:
        for gzip in (True, False, "only"):
            for name in ("sitemap.xml", "sitemap.xml.gz"):
                (tmp_path / name).write_bytes(MINE)
            publication = published([home()], options(gzip=gzip), tmp_path, replaced=["sitemap.xml", "sitemap.xml.gz"])
            assert publication.notes == ()
            assert names(tmp_path) == {
                "robots.txt",
                *(["sitemap.xml"] if gzip != "only" else []),
                *(["sitemap.xml.gz"] if gzip else []),
            }
            assert [path for path in tmp_path.glob("sitemap*") if not is_ours(path)] == []

    def test_headers_and_redirects_are_read(self, tmp_path: Path) -> None:
        (tmp_path / "_headers").write_bytes(b"/1/\n  X-Robots-Tag: noindex\n")
        (tmp_path / "_redirects").write_bytes(b"/2/ /0/ 301\n")
        publication = published(numbered(4), Settings(), tmp_path)
        assert [entry.loc for entry in publication.result.entries] == [f"{BASE}0/", f"{BASE}3/"]

    @pytest.mark.parametrize(
        ("domain", "copied", "owner", "kinds"),
        [
            ("notes.example.com\n", ("CNAME",), None, ["other-host"]),
            ("www.example.org", ("CNAME",), None, ["other-host"]),
            ("Example.ORG\n", ("CNAME",), None, []),
            ("no domain", ("CNAME",), None, []),
            ("notes.example.com", (), None, []),
            ("notes.example.com", ("CNAME",), "Read the Docs", []),
        ],
    )
    def test_a_copied_cname_that_names_another_host(
        self, domain: str, copied: tuple[str, ...], owner: str | None, kinds: list[str], tmp_path: Path
    ) -> None:
        (tmp_path / "CNAME").write_text(domain)
        site = structs.replace(SITE, robots_owner=owner)
        output = Output(directory=str(tmp_path), copied=copied)
        notes = publish(site, [home()], Settings(robots=False), output, root=tmp_path).notes
        assert [note.kind for note in notes] == kinds

    def test_unreadable_headers_fail_no_build(self, tmp_path: Path) -> None:
        (tmp_path / "_headers").mkdir()
        assert published([home()], Settings(), tmp_path).summary


@pytest.mark.parametrize(
    ("html_baseurl", "kinds"),
    [
        ("https://x.readthedocs.io/en/stable/", ["other-version"]),
        ("https://x.readthedocs.io/en/latest/", []),
        ("https://docs.example.org/", []),
        (None, []),
    ],
)
def test_pages_that_name_another_version_than_the_published_one(html_baseurl: str | None, kinds: list[str]) -> None:
    on_rtd = structs.replace(ON_RTD, robots_owner="Read the Docs")
    url, notes = find_base_url(Settings(), on_rtd, host_url=html_baseurl, host_option="html_baseurl")
    assert url == (html_baseurl or "https://x.readthedocs.io/en/latest/")
    assert [note.kind for note in notes] == kinds


@pytest.mark.parametrize(
    ("host_url", "kinds"),
    [
        (f"{BASE}latest/9.0/", ["other-version"]),
        (f"{BASE}lts/lts", ["other-version"]),
        (f"{BASE}latest/", []),
        (f"{BASE}edge/9.0/", []),
        (f"{BASE}9.0/", []),
    ],
)
def test_mike_adds_the_version_to_a_url_that_may_have_an_alias(host_url: str, kinds: list[str]) -> None:
    by_mike = read_deployment({"MIKE_DOCS_VERSION": "9.0"})
    for deployment, expected in ((by_mike, kinds), (read_deployment({}), [])):
        _, notes = find_base_url(Settings(), deployment, host_url=host_url, host_option="site_url")
        assert [note.kind for note in notes] == expected


@pytest.mark.parametrize("gzip", [True, "only"])
def test_text_sitemaps_and_feeds_are_written_only_if_they_change(tmp_path: Path, gzip: object) -> None:
    settings = options(text=True, gzip=gzip, feeds={"rss": "f.rss", "atom": "f.atom"}, limit={"urls": 2})
    pages = dated(numbered(5))

    def inodes() -> dict[str, int]:
        return {name: (tmp_path / name).stat().st_ino for name in names(tmp_path)}

    publication = published(pages, settings, tmp_path)
    assert not publication.notes
    before = inodes()
    assert {"f.rss", "f.atom"} < {*before}
    assert {*publication.written} == {*before} - {"robots.txt"}
    assert any(name.endswith((".txt", ".txt.gz")) for name in before if name != "robots.txt")
    again = published(pages, settings, tmp_path, earlier=publication.written)
    assert (again.notes, again.written) == (publication.notes, publication.written)
    assert inodes() == before
    # Another title changes the feeds and no other file.
    pages[0] = structs.replace(pages[0], title="Another")
    published(pages, settings, tmp_path, earlier=publication.written)
    assert {name for name, inode in inodes().items() if before[name] != inode} == {"f.rss", "f.atom"}
    # Another page changes one sitemap and its text, and both are still recognized as ours.
    last = published([*pages, *dated(numbered(6)[5:])], settings, tmp_path, earlier=publication.written)
    assert last.notes == publication.notes
    text = "".join(
        (gzip_.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
        for path in tmp_path.glob("sitemap*.txt.gz" if gzip == "only" else "sitemap*.txt")
    )
    assert sorted(text.split()) == [f"{BASE}{number}/" for number in range(6)]


def test_the_same_note_about_many_pages_is_logged_once() -> None:
    notes = [Note(kind="hook", page=f"{name}.md", message="it raised") for name in "abc"]
    assert notes_to_log(notes, Settings()) == [
        ("warning", Note(kind="hook", page="a.md", message="it raised (and 2 more pages)"))
    ]
    assert notes_to_log(notes[:2], Settings())[0][1].message == "it raised (and 1 more page)"
    assert notes_to_log([*notes, notes[0]], Settings())[0][1].message == "it raised (and 3 more times)"
    assert notes_to_log([notes[0]] * 2, Settings())[0][1].message == "it raised (and 1 more time)"


def test_an_unwritable_sitemap_is_a_note(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").mkdir()
    publication = published([home(front_matter={"sitemap": 5})], Settings(), tmp_path)
    assert publication.summary is None
    assert publication.result.sitemaps == publication.result.files == ()
    assert [note.kind for note in publication.notes] == ["front-matter", "unwritable"]
    assert "sitemap.xml could not be written" in publication.notes[-1].message
    assert not (tmp_path / "robots.txt").exists()


def test_an_unreadable_robots_txt_does_not_fail_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "robots.txt").write_bytes(b"secret")
    refuse_to_open(tmp_path / "robots.txt", monkeypatch)
    publication = published([home()], Settings(), tmp_path)
    assert [note.kind for note in publication.notes] == ["unwritable"]


def test_notes_have_the_levels_that_the_author_sets() -> None:
    notes = [Note(kind=kind, message=kind) for kind in ("shallow", "preview", "hook", "no-git")]
    settings = options(notes={"shallow": "warning", "preview": "ignore"})
    assert notes_to_log(notes, settings) == [("warning", notes[0]), ("warning", notes[2]), ("info", notes[3])]


def test_a_folder_named_robots_txt_does_not_prevent_the_sitemap(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").mkdir()
    publication = published([home()], Settings(), tmp_path)
    assert publication.summary
    assert (tmp_path / "sitemap.xml").is_file()
    assert [note.message for note in publication.notes] == [
        "robots.txt could not be read, so it was left alone: it is a folder"
    ]


class TestBuildSession:
    WHEN = datetime(2026, 1, 5, 10, tzinfo=UTC)

    @pytest.fixture
    def source(self, repository: Any) -> Path:
        (repository.path / "index.md").write_bytes(b"one")
        repository.commit("2026-01-01T10:00:00Z")
        (repository.path / "index.md").write_bytes(b"two")
        repository.commit("2026-01-05T10:00:00Z")
        return Path(repository.path, "index.md")

    @staticmethod
    def opened(settings: Settings, source: Path) -> tuple[BuildSession, list[tuple[LogLevel, Note]]]:
        log: list[tuple[LogLevel, Note]] = []
        session = open_test_session(settings, source.parent, lambda level, note: log.append((level, note)))
        session.dating.start_git({str(source.parent): [".md"]})
        return session, log

    @pytest.mark.parametrize(
        ("written", "host", "said"),
        [
            ({"source": "{path}.md"}, Host(lacks={"source": "b"}), ["source: it has no effect here, only in b"]),
            ({}, Host(lacks={"source": "b"}), []),
            ({"source": "{path}.md"}, Host(), []),
            (
                {"expose": True, "source": "{path}.md"},
                Host(lacks={"expose": "a"}),
                ["expose: it has no effect here, only in a"],
            ),
        ],
    )
    def test_names_options_that_have_an_effect_with_another_host(
        self, tmp_path: Path, written: dict[str, object], host: Host, said: list[str]
    ) -> None:
        log: list[Note] = []
        session = open_session(host, written, root=tmp_path, report=lambda _, note: log.append(note))
        session.publish(SITE, [home()], Output(directory=str(tmp_path)))
        assert [note.message for note in log if note.kind == "unmatched"] == said
        assert not session.settings.expose

    @pytest.mark.parametrize(("expose", "created"), [(True, None), ("created", datetime(2026, 1, 1, 10, tzinfo=UTC))])
    def test_dates_each_page_only_once(
        self, source: Path, monkeypatch: pytest.MonkeyPatch, expose: object, created: datetime | None
    ) -> None:
        session, _ = self.opened(options(expose=expose), source)
        assert session.dating.git
        asked: list[str] = []
        dates_of = session.dating.git.dates_of

        def count(files: Iterable[str]) -> Mapping[str, FileDate]:
            asked.extend(files := [*files])
            return dates_of(files)

        monkeypatch.setattr(session.dating.git, "dates_of", count)
        page = home(str(source))
        for _ in range(2):  # a nested build dates pages too
            assert {name: (each.lastmod, each.created) for name, each in session.dates([page], BASE).items()} == {
                page.name: (self.WHEN, created)
            }
        publication = session.publish(SITE, [page], Output(directory=str(source.parent / "site")))
        session.abort()
        assert [entry.lastmod for entry in publication.result.entries] == [self.WHEN]
        assert asked == [str(source)]

    def test_starts_git_once_and_only_if_dates_are_needed(self, source: Path) -> None:
        session, _ = self.opened(options(lastmod="front_matter"), source)
        assert session.dating.git is None
        session, _ = self.opened(Settings(), source)
        first = session.dating.git
        assert isinstance(first, GitDates)
        session.dating.start_git({"elsewhere": [".md"]})
        assert session.dating.git is first
        session.abort()

    def test_publishes_no_dates_in_a_local_preview_and_does_not_wait_for_them(self, source: Path) -> None:
        session, _ = self.opened(Settings(), source)
        site = structs.replace(SITE, policy=Policy(preview="mkdocs serve", is_local=True))
        publication = session.publish(site, [home(str(source))], Output(directory=str(source.parent / "site")))
        session.abort()
        assert [entry.lastmod for entry in publication.result.entries] == [None]

    def test_reports_a_failing_disk_and_changes_nothing(
        self, source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The state of the disk is unknown, so no file is overwritten or said to be the author's."""
        site = tmp_path / "site"
        published([home()], Settings(), site)
        before = contents(site)
        stat = os.stat

        def refuse(path: Any, **options: Any) -> os.stat_result:
            if Path(path).name == "sitemap.xml":
                raise OSError(5, "Input/output error", str(path))
            return stat(path, **options)

        session, log = self.opened(options(indent=2, lastmod="mtime"), source)
        with monkeypatch.context() as patch, session.report_read_errors():
            patch.setattr(os, "stat", refuse)
            session.publish(SITE, [home()], Output(directory=str(site)))
        message = f"nothing was published, because {site}/sitemap.xml could not be read: Input/output error"
        assert log == [("warning", Note(kind="unwritable", message=message.replace("/", os.sep)))]
        assert contents(site) == before

    def test_reports_each_note_at_its_level_including_those_from_publishing(self, source: Path) -> None:
        session, log = self.opened(options(notes={"hook": "ignore", "no-pages": "warning"}, lastmod="mtime"), source)
        session.log(Note(kind=kind, message=kind) for kind in ("hook", "option"))
        session.publish(SITE, [], Output(directory=str(source.parent / "site")))
        assert [(level, note.kind) for level, note in log] == [("warning", "option"), ("warning", "no-pages")]


@pytest.mark.parametrize("folder", ["c%23", "100%25"])
def test_the_sitemap_of_another_host_is_announced_at_its_own_url(tmp_path: Path, folder: str) -> None:
    pages = [home(), *(Page(loc=f"{FRENCH}{folder}/{name}/", name=name) for name in "ab")]
    publication = published(pages, options(cross_submit=[FRENCH]), tmp_path)
    _, sitemap = publication.result.sitemaps
    assert sitemap.url == f"{BASE}{folder}/sitemap.xml"
    assert (tmp_path / sitemap.path).is_file()
