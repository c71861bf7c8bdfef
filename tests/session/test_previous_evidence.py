"""The option ``previous_evidence``: what a build in a shallow clone takes from the evidence of the last deployment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins.commands.main import main
from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.git import DateRules, GitDates
from sitemap_plugins.reading import EVIDENCE
from sitemap_plugins.session.previous_evidence import PreviousEvidence
from tests.conftest import Repository

BASE = "https://example.org/"
IGNORED = "it is the evidence"


class Site:
    """A folder of pages in a repository, with the evidence of a deployment and commits after it."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.path = repository.path / "site"
        self.deployed = ""
        self.messages: list[str] = []

    def build(self, base_url: str = BASE, **options: object) -> bytes:
        """The sitemap."""
        options = {
            "base_url": base_url,
            "lastmod": "git",
            "source": "site/{path}.html",
            "evidence": "evidence.json",
        } | options
        configuration = Configuration(root=str(self.repository.path), options=options)
        self.messages = []
        settings = read_settings_of(configuration)
        build_site(str(self.path), configuration, settings, lambda _, note: self.messages.append(note.message))
        return (self.path / "sitemap.xml").read_bytes()

    def said(self) -> list[str]:
        """The messages about the file."""
        return [message for message in self.messages if message.startswith("previous.json: ")]

    def cut(self, commit: str) -> None:
        """Make this the oldest commit, as in a shallow clone."""
        (self.repository.path / ".git" / "shallow").write_text(f"{commit}\n", encoding="ascii")

    def restore(self) -> None:
        (self.repository.path / ".git" / "shallow").unlink()


@pytest.fixture
def site(repository: Repository, once: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Site:
    origin = once("a deployed site", deploy)
    repository.fill(origin / "repository")
    monkeypatch.chdir(repository.path)
    site = Site(repository)
    site.deployed = repository.git("rev-parse", "HEAD~1")
    return site


def deploy(folder: Path) -> None:
    repository = Repository(folder / "repository")
    site = Site(repository)
    for name in ("index", "a", "b"):
        repository.write(f"site/{name}.html", f"<title>{name}</title>")
    repository.commit("2026-01-01T10:00:00Z")
    repository.write("site/a.html", "<title>changed</title>")
    repository.write("site/draft.html", '<meta name="robots" content="noindex">')
    repository.commit("2026-01-02T10:00:00Z")
    site.build()
    shutil.move(site.path / "evidence.json", repository.path / "previous.json")
    for name in ("sitemap.xml", "robots.txt", "sitemap.xml.gz"):
        (site.path / name).unlink(missing_ok=True)
    (repository.path / ".git" / "info" / "exclude").write_text("previous.json\n", encoding="ascii")
    repository.write("site/b.html", "<title>changed</title>")
    repository.commit("2026-01-03T10:00:00Z")


def test_the_sitemap_is_that_of_the_whole_history(site: Site) -> None:
    whole = site.build(previous_evidence="previous.json")
    assert site.said() == []
    site.cut(site.deployed)
    assert site.build(previous_evidence="previous.json") == whole
    assert site.said() == [
        f"previous.json: 3 files unchanged since the build of {site.deployed[:10]}, which knew the dates"
    ]
    assert site.build() != whole
    site.cut(site.repository.git("rev-parse", "HEAD"))
    assert site.build(previous_evidence="previous.json") == whole
    chained = json.loads((site.path / "evidence.json").read_bytes())
    site.restore()
    site.build()
    from_the_whole = json.loads((site.path / "evidence.json").read_bytes())
    assert chained["repositories"]["."].pop("previous") == site.deployed
    assert chained == from_the_whole


def test_the_file_may_be_the_one_that_the_build_writes(site: Site) -> None:
    whole = site.build()
    shutil.copy(site.repository.path / "previous.json", site.path / "evidence.json")
    site.cut(site.deployed)
    assert site.build(previous_evidence=str(site.path / "evidence.json")) == whole


def test_a_page_that_was_not_listed_has_its_date_when_it_is(site: Site) -> None:
    evidence = (site.repository.path / "previous.json").read_bytes()
    assert b"draft" not in evidence
    site.repository.write("site/draft.html", "<title>no draft any more</title>")
    site.cut(site.deployed)
    assert b"draft.html</loc>\n    <lastmod>2026-01-02T10:00:00Z" in site.build(
        previous_evidence="previous.json", indent=2
    )


def test_files_that_nobody_dates_are_counted_with_what_to_do(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.repository.write("site/new.html", "<title>new</title>")
    head = site.repository.commit("2026-01-04T10:00:00Z")
    site.cut(head)
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    site.build(previous_evidence="previous.json")
    run = "or run before the build: sitemap-plugins dates DOCS --previous previous.json --complete || git fetch --unshallow"
    reach = f"which does not reach the build of {site.deployed[:10]}"
    depth = "set fetch-depth: 50 for actions/checkout"
    assert site.said() == [
        f"previous.json: 5 files without a date: they are older than the clone, {reach}; {depth}, {run}",
    ]
    site.restore()
    site.repository.git("reset", "--quiet", "--soft", site.deployed)
    site.cut(site.repository.commit("2026-01-04T10:00:00Z"))
    site.build(previous_evidence="previous.json")
    assert site.said() == [
        f"previous.json: 3 files unchanged since the build of {site.deployed[:10]}, which knew the dates",
        f"previous.json: 1 file without a date: neither the clone nor the build of {site.deployed[:10]} dates them; {depth}, {run}",
    ]


def test_evidence_of_another_site_gives_no_date(site: Site) -> None:
    site.cut(site.deployed)
    other = site.build("https://other.example/", previous_evidence="previous.json")
    assert site.said() == [f"previous.json: it is the evidence of another site, {BASE}; no date comes from it"]
    assert other.count(b"<lastmod>") == 1


def test_evidence_without_the_repository_gives_no_date(site: Site) -> None:
    site.cut(site.deployed)
    file = site.repository.path / "previous.json"
    file.write_text(json.dumps(json.loads(file.read_bytes()) | {"repositories": {}}), encoding="ascii")
    site.build(previous_evidence="previous.json")
    assert site.said() == ["previous.json: it does not know the repository of the files; no date comes from it"]
    for name in ("index", "a", "b", "draft"):
        site.repository.write(f"site/{name}.html", "<title>all of them are changed, so none needs it</title>")
    site.repository.commit("2026-01-04T10:00:00Z")
    site.build(previous_evidence="previous.json")
    assert site.said() == []


def test_dates_by_other_rules_are_not_taken(site: Site) -> None:
    site.cut(site.deployed)
    site.build(previous_evidence="previous.json", git={"date": "author"})
    assert site.said() == ["previous.json: git.date was committer, but is author now; no date comes from it"]


MISSING = "there is no such file, or it is empty, as before the first deployment"


def test_a_file_that_cannot_be_used_gives_one_message_and_no_date(site: Site) -> None:
    site.cut(site.deployed)
    file = site.repository.path / "previous.json"
    for content, problem in ((file.read_bytes()[:-30], "it is not JSON"), (b"", MISSING)):
        file.write_bytes(content)
        previous = PreviousEvidence("previous.json", site.repository.path, is_expected=True)
        previous.start(str(site.path))
        assert previous.memory_of(str(site.repository.path)) is None
        assert previous.find_problem() == previous.problem == problem


def test_files_that_cannot_be_read(site: Site, tmp_path: Path) -> None:
    site.cut(site.deployed)
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        file.truncate(200 << 20)
    problems = {
        name: PreviousEvidence(name, site.repository.path, is_expected=False).problem
        for name in ("none.json", "site", str(huge), "site/a.html/b")
    }
    assert problems == {
        "none.json": "",
        "site": "",
        str(huge): f"it is larger than {EVIDENCE.shown_size}, the limit for {EVIDENCE.what}",
        "site/a.html/b": "",
    }


def test_messages_name_the_file_for_commands_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs" / "inside").mkdir(parents=True)
    for current, file, shown in (
        (tmp_path, "../previous.json", "previous.json"),
        (tmp_path, "previous.json", "docs/previous.json"),
        (tmp_path, str(tmp_path / "previous.json"), "previous.json"),
        (tmp_path / "docs", "../previous.json", "../previous.json"),
        (tmp_path / "docs" / "inside", "previous.json", "../previous.json"),
        (tmp_path / "docs" / "inside", str(tmp_path / "previous.json"), str(tmp_path / "previous.json")),
    ):
        monkeypatch.chdir(current)
        assert PreviousEvidence(file, tmp_path / "docs", is_expected=False).file == shown


def test_a_missing_file_is_mentioned_only_by_a_service(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.cut(site.deployed)
    (site.repository.path / "previous.json").unlink()
    site.build(previous_evidence="previous.json")
    assert site.said() == []
    monkeypatch.setenv("CI", "true")
    site.build(previous_evidence="previous.json")
    assert site.said() == [f"previous.json: {MISSING}; no date comes from it"]


def test_a_whole_clone_takes_no_date_from_the_file(site: Site) -> None:
    data = json.loads((site.repository.path / "previous.json").read_bytes())
    for row in data["files"]:
        row["date"] = "2020-01-01T00:00:00Z"
    (site.repository.path / "previous.json").write_text(json.dumps(data), encoding="ascii")
    assert b"2020-01-01" not in site.build(previous_evidence="previous.json")
    assert site.said() == []
    (site.repository.path / "previous.json").write_bytes(b"nothing")
    site.build(previous_evidence="previous.json")
    assert site.said() == ["previous.json: it is not JSON; no page is compared with it"]


def test_a_shallow_submodule_of_a_whole_clone_has_dates(site: Site, tmp_path: Path) -> None:
    top = Repository(tmp_path / "top")
    shutil.copytree(site.repository.path, top.path / "theme")
    page = top.write("site/index.html", "<title>index</title>")
    top.commit("2026-01-05T10:00:00Z")
    data = json.loads((site.repository.path / "previous.json").read_bytes())
    data["repositories"] = {"theme": data["repositories"]["."], ".": {"head": site.deployed}}
    data["files"] = [row | {"repository": "theme"} for row in data["files"]]
    (top.path / "previous.json").write_text(json.dumps(data), encoding="ascii")
    file = top.path / "theme" / "site" / "a.html"
    (top.path / "theme" / ".git" / "shallow").write_text(f"{site.deployed}\n", encoding="ascii")
    previous = PreviousEvidence("previous.json", top.path, is_expected=True)
    previous.start(str(top.path / "site"))
    git = GitDates({str(top.path / "site"): ()}, DateRules(), previous=previous.memory_of)
    dates = git.dates_of([str(page), str(file)])
    assert [date.when and date.when.day for date in dates.values()] == [5, 2]
    assert previous.gives_dates


class TestCommand:
    """``sitemap-plugins dates`` with ``--previous``."""

    @staticmethod
    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, ["dates", *map(str, arguments)], catch_exceptions=False)

    def test_complete(self, site: Site) -> None:
        previous = ("--previous", site.repository.path / "previous.json", "--complete", "--quiet")
        assert self.run(site.path, "--complete").exit_code == 0
        site.cut(site.deployed)
        result = self.run(site.path, *previous)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout.count("2026-01-02T10:00:00+00:00") == 2
        result = self.run(site.path, "--complete", "--quiet")
        assert (result.exit_code, result.stderr) == (1, "Error: 3 files without a date, such as a.html\n")
        site.repository.git("mv", "site/index.html", "site/new.html")
        site.cut(site.repository.commit("2026-01-04T10:00:00Z"))
        assert self.run(site.path, *previous).stderr == "Error: 4 files without a date, such as a.html\n"

    def test_why(self, site: Site) -> None:
        site.cut(site.deployed)
        result = self.run(site.path / "a.html", "--why", "--previous", site.repository.path / "previous.json", "-q")
        sha = site.deployed[:10]
        unchanged = f"unchanged since the build of {sha}, which knew its date"
        assert result.stdout == f"site/a.html\n  2026-01-02T10:00:00+00:00  {sha}  {unchanged}\n    a change\n"

    def test_a_file_that_gives_no_date_is_explained(self, site: Site) -> None:
        site.cut(site.deployed)
        file = site.repository.path / "none.json"
        result = self.run(site.path, "--previous", file)
        assert result.stderr.splitlines()[0] == f"note: --previous {file}: {MISSING}; no date comes from it"
        result = self.run(site.path, "--previous", site.repository.path / "previous.json", "--date", "author")
        assert "note: --previous: git.date was committer, but is author now; no date comes from it" in result.stderr

    @pytest.mark.parametrize("rule", ["--plain", "--created"])
    def test_other_dates_are_refused(self, site: Site, rule: str) -> None:
        result = self.run(site.path, "--previous", "x.json", rule)
        assert result.exit_code == 2
        assert result.stderr.splitlines()[-1] == (
            "Error: --previous has neither the dates of git log -1 nor those of creation: remove --plain and --created"
        )
