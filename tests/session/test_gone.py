"""The message ``gone``: what a build says about pages and redirects of the last deployment that lead nowhere now."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.model import Note
from tests.conftest import Repository

BASE = "https://example.org/docs/"
CURE = "add redirects; to print them, run sitemap-plugins diff previous.json site"
STUB = '<meta http-equiv="refresh" content="0; url={}">'


class Site:
    """A folder of pages in a repository, each made from a source beside it, and the record of its last deployment."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.path = repository.path / "site"
        self.notes: list[Note] = []
        self._days = 0

    def change(self, **pages: str | None) -> str:
        """Commit these pages; None removes a page."""
        for name, text in pages.items():
            file = self.path / f"{name}.html"
            if text is None:
                file.unlink()
            else:
                self.repository.write(f"site/{name}.html", text)
        self._days += 1
        return self.repository.commit(f"2026-01-{self._days:02}T10:00:00Z")

    def build(self, base_url: str = BASE, **options: object) -> list[str]:
        """The messages about the last deployment."""
        options = {
            "base_url": base_url,
            "lastmod": "git",
            "source": "site/{path}.html",
            "record": "record.json",
            "previous_record": "previous.json",
        } | options
        configuration = Configuration(root=str(self.repository.path), options=options)
        self.notes = []
        settings = read_settings_of(configuration)
        build_site(str(self.path), configuration, settings, lambda _, note: self.notes.append(note))
        return [
            each.message.removeprefix("previous.json: ") for each in self.notes if "previous.json: " in each.message
        ]

    def deploy(self, **options: object) -> None:
        self.build(**options)
        for name in ("record.json", "sitemap.xml", "robots.txt"):
            file = self.path / name
            if name == "record.json":
                shutil.move(file, self.repository.path / "previous.json")
            else:
                file.unlink(missing_ok=True)

    @property
    def record(self) -> dict[str, Any]:
        return json.loads((self.path / "record.json").read_bytes())  # type: ignore[no-any-return]


@pytest.fixture
def site(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.chdir(repository.path)
    site = Site(repository)
    (repository.path / ".git" / "info" / "exclude").write_text("*.json\nsitemap.xml\nrobots.txt\n", encoding="ascii")
    site.change(index="<title>Home</title>", a="<title>A</title>", b="<title>B</title>", c="<title>C</title>")
    return site


def test_a_page_that_is_gone_is_named_until_it_is_redirected(site: Site) -> None:
    site.deploy()
    first = site.repository.git("rev-parse", "HEAD")
    second = site.change(a=None)
    assert site.build() == [f"1 published page is gone: a.html; {CURE}"]
    assert [note.kind for note in site.notes if "gone" in note.message] == ["gone"]
    assert site.record["gone"] == [{"path": "a.html", "document": "site/a.html", "head": first}]
    site.deploy()
    site.change(b=None)
    assert site.build() == [f"2 published pages are gone: a.html and b.html; {CURE}"]
    assert [row["head"] for row in site.record["gone"]] == [first, second]
    site.deploy()
    site.change(a=STUB.format("c.html"), b="<title>B</title>")
    assert site.build() == []
    assert "gone" not in site.record
    assert site.record["redirects"] == [{"from": "a.html", "to": "c.html"}]


def test_a_redirect_that_is_gone_or_leads_nowhere(site: Site) -> None:
    site.change(old=STUB.format("a.html#x"), older=STUB.format("old.html"), out=STUB.format("https://other.example/"))
    site.deploy()
    site.change(old=None, older=None, out=None)
    message = f"3 published redirects are gone: old.html, older.html and out.html; {CURE}"
    assert site.build() == [message]
    site.deploy()
    site.change(out=STUB.format("nowhere.html"))
    assert site.build() == [message]
    assert site.record["gone"] == [
        {"path": "old.html", "to": "a.html#x"},
        {"path": "older.html", "to": "old.html"},
        {"path": "out.html", "to": "https://other.example/"},
    ]
    site.deploy()
    site.change(old=STUB.format("b.html"), out="<title>Out</title>")
    assert site.build() == [f"1 published redirect is gone: older.html; {CURE}"]
    site.change(a=None, b=STUB.format("a.html"))
    assert f"2 published pages are gone: a.html and b.html; {CURE}" in site.build()


def test_what_is_no_loss(site: Site) -> None:
    """A page that is no longer for the sitemap, and one that is served from another file."""
    site.deploy()
    noindex = '<meta name="robots" content="noindex">'
    site.change(a=noindex, b=None, **{"b/index": "<title>B</title>"})
    (site.path / "b.html").write_text("<title>B</title>", encoding="ascii")
    assert site.build(exclude="c*") == []


def test_a_change_of_all_urls_is_one_message(site: Site) -> None:
    site.change(**{f"p{number}": "<title>P</title>" for number in range(5)})
    site.deploy()
    for file in [*site.path.glob("?*.html")]:
        if file.name != "index.html":
            (site.path / file.stem).mkdir()
            file.rename(site.path / file.stem / "index.html")
    site.change()
    message = (
        "8 published pages are gone (.html → /): a.html (now a/), b.html (now b/), c.html (now c/) and 5 more; " + CURE
    )
    for _ in range(2):
        assert site.build() == [message]
        site.deploy()


class TestBranches:
    """Only what the branch itself lost is ``gone``."""

    BEHIND = "1 published page is missing from this build: new.html; the branch may be behind"

    @pytest.fixture
    def behind(self, site: Site) -> Site:
        """A branch that removes a page, while a page and redirects were added where the site is deployed."""
        site.repository.git("checkout", "--quiet", "-b", "branch")
        site.change(a=None)
        site.repository.git("checkout", "--quiet", "main")
        site.repository.write("redirects.txt", "theirs /")
        site.change(new="<title>New</title>")
        site.deploy()
        site.repository.git("checkout", "--quiet", "branch")
        return site

    def test_a_branch_that_is_behind(self, behind: Site) -> None:
        assert behind.build() == [f"1 published page is gone: a.html; {CURE}", self.BEHIND]
        kinds = {note.kind for note in behind.notes if self.BEHIND in note.message}
        assert kinds == {"previous-record"}

    def test_what_was_gone_before_is_not_counted_again(self, behind: Site) -> None:
        file = behind.repository.path / "previous.json"
        gone = [{"path": "long-ago/", "document": "site/long-ago.html"}, {"path": "longer-ago/", "to": "long-ago/"}]
        data = json.loads(file.read_bytes()) | {"gone": gone, "redirects": [{"from": "theirs/", "to": ""}]}
        file.write_text(json.dumps(data), encoding="ascii")
        assert behind.build() == [f"1 published page is gone: a.html; {CURE}", self.BEHIND]
        deployed = data["repositories"]["."]["head"]
        lost = {"path": "a.html", "document": "site/a.html", "head": deployed}
        assert behind.record["gone"] == [lost, *data["gone"]]

    def test_a_branch_that_was_merged(self, behind: Site) -> None:
        behind.repository.git("merge", "--quiet", "--no-edit", "main")
        assert behind.build() == [f"1 published page is gone: a.html; {CURE}"]

    def test_a_commit_before_the_deployment(self, behind: Site) -> None:
        behind.repository.git("checkout", "--quiet", "main~1")
        assert behind.build() == [self.BEHIND]

    def test_a_clone_of_one_commit(self, behind: Site) -> None:
        head = behind.repository.git("rev-parse", "HEAD")
        shallow = behind.repository.path / ".git" / "shallow"
        shallow.write_text(f"{head}\n", encoding="ascii")
        assert behind.build()[-1] == (
            "2 published pages are missing from this build: a.html and new.html; the branch may be behind, or the clone is "
            "too shallow to tell"
        )
        assert [row["path"] for row in behind.record["gone"]] == ["a.html", "new.html"]  # a later build may tell
        # The commit itself names its parents, as that of a pull request does.
        behind.repository.git("checkout", "--quiet", "main")
        behind.change(c=None)
        shallow.write_text(behind.repository.git("rev-parse", "HEAD") + "\n", encoding="ascii")
        assert f"1 published page is gone: c.html; {CURE}" in behind.build()

    def test_a_deployment_that_is_taken_back(self, behind: Site) -> None:
        """The pages that it had are no loss of the branch that is deployed after it."""
        behind.repository.git("checkout", "--quiet", "main~1")
        behind.deploy()
        behind.change(c="<title>Changed</title>")
        assert behind.build() == []

    def test_without_git(self, behind: Site) -> None:
        (message,) = behind.build(lastmod="mtime")
        assert message == (
            "2 published pages are missing from this build: a.html and new.html; without git, the reason is unknown"
        )


def test_it_compares_only_the_same_site_except_in_previews(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.deploy()
    site.change(a=None)
    gone = f"1 published page is gone: a.html; {CURE}"
    other = "https://example.org/1.0/"
    assert site.build(other) == [
        f"it is the record of {BASE}, and this build is for {other}; no page is compared with it"
    ]
    assert "gone" not in site.record
    monkeypatch.setenv("READTHEDOCS_VERSION_TYPE", "external")
    assert site.build("https://docs--7.org.readthedocs.build/en/7/") == [gone]


def test_lost_urls_that_the_author_gave_up(site: Site) -> None:
    site.deploy()
    site.change(a=None, b=None)
    ignored = [{"rule": "gone", "match": "a*", "reason": "It was never finished."}]
    assert site.build(ignored_findings=ignored) == [f"1 published page is gone: b.html; {CURE}"]


def test_it_does_not_need_the_option_record(site: Site) -> None:
    site.change(d="<title>D</title>")
    site.deploy()
    site.change(a=None, b=None, c=None, d=None)
    assert site.build(record=None) == [f"4 published pages are gone: a.html, b.html, c.html and 1 more; {CURE}"]


def test_at_most_ten_thousand_urls_stay_in_the_record(site: Site) -> None:
    site.deploy()
    file = site.repository.path / "previous.json"
    data = json.loads(file.read_bytes())
    data["gone"] = [{"path": f"old/{number}"} | ({"to": ""} if number % 2 else {}) for number in range(10_010)]
    file.write_text(json.dumps(data), encoding="ascii")
    site.build()
    assert len(site.record["gone"]) == 10_000


def test_rules_for_several_paths_count(site: Site) -> None:
    root = "https://example.org/"
    site.deploy(base_url=root)
    site.change(a=None, b=None)
    (site.path / "_redirects").write_text("/b.html /c.html\n/a* /c.html 301\n", encoding="ascii")
    assert site.build(root) == []
    assert site.record["redirects"] == [{"from": "b.html", "to": "c.html"}]
