"""What fetches the whole history of each shallow repository: the lines are run, and get the missing dates."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.model import SHALLOW, FileDate, Page, Site
from sitemap_plugins.session.deployment import whole_history
from sitemap_plugins.session.publishing import Output
from tests.builders import open_test_session, options
from tests.conftest import Repository

SETTING = "set fetch-depth: 0 for actions/checkout"
FETCH = "fetch --unshallow --filter=blob:none"


@pytest.fixture
def site(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A whole clone of a site, with a submodule that was added with a depth of 1."""
    for name, value in {"COUNT": "1", "KEY_0": "protocol.file.allow", "VALUE_0": "always"}.items():
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    module = Repository(tmp_path / "module")
    module.commit_one_by_one({"a.md": "one"}, {"b.md": "one"})
    repository.git("submodule", "--quiet", "add", "--depth=1", module.path.as_uri(), "docs/a sub")
    repository.commit_one_by_one({"docs/index.md": "one"}, {"docs/c.md": "one"})
    monkeypatch.chdir(repository.path)
    return repository.path


def dates(site: Path, rules: DateRules | None = None) -> Mapping[str, FileDate]:
    files = map(str, (site / "docs").rglob("*.*"))
    return GitDates({str(site / "docs"): ()}, rules or DateRules()).dates_of(
        [each for each in files if ".git" not in each]
    )


def ways(site: Path, setting: str = "", rules: DateRules | None = None) -> str:
    return whole_history(dates(site, rules).values(), rules or DateRules(), setting)


@pytest.mark.parametrize("setting", ["", SETTING])
def test_only_the_submodule_is_shallow(site: Path, setting: str) -> None:
    way = ways(site, setting)
    assert way == f"run git -C 'docs/a sub' {FETCH}"
    subprocess.run(shlex.split(way.removeprefix("run ")), check=True, capture_output=True)
    assert {date.reason for date in dates(site).values()} == {None}
    assert ways(site, setting) == ""


@pytest.mark.parametrize("service", [{}, {"GITHUB_ACTIONS": "true"}])
def test_a_build_says_it(
    service: Mapping[str, str], site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in service.items():
        monkeypatch.setenv(name, value)
    said: list[str] = []
    session = open_test_session(options(), site, lambda _, note: said.append(note.message))
    session.dating.start_git({str(site / "docs"): (".md",)})
    source = str(site / "docs/a sub/a.md")
    page = Page(loc="https://example.org/a/", name="a.md", source=source, sources=(source,))
    session.publish(Site(base_url="https://example.org/"), [page], Output(directory=str(tmp_path / "site")))
    about = "1 page has no date, because the clone is shallow; to get the whole history,"
    assert f"{about} run git -C 'docs/a sub' {FETCH}" in said


def test_from_another_folder(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(site / "docs")
    assert ways(site) == f"run git -C 'a sub' {FETCH}"


def test_both_are_shallow(site: Path, repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (site / ".gitmodules").open("a", encoding="ascii") as file:
        file.write("\tshallow = true\n")
    repository.commit("2026-01-09T10:00:00Z")
    clone = tmp_path / "clone"
    repository.git("clone", "--quiet", "--depth=1", "--recurse-submodules", site.as_uri(), str(clone))
    monkeypatch.chdir(clone)
    inner = f"run git -C 'docs/a sub' {FETCH} and remove shallow = true from .gitmodules"
    assert ways(clone) == f"run git {FETCH}, {inner}"
    assert ways(clone, SETTING) == f"{SETTING}, {inner}"


@pytest.mark.parametrize(
    ("file", "rules", "is_filtered"),
    [
        ("a.po", DateRules(), False),
        ("a.po", DateRules(catalogues=False), True),
        (".git-blame-ignore-revs", DateRules(), False),
        (".git-blame-ignore-revs", DateRules(ignore_revs=()), True),
        (".git-blame-ignore-revs", DateRules(follow_renames=False), True),
        ("a.md", DateRules(ignore_revs=("other",)), False),
        ("a.md", DateRules(), True),
    ],
)
def test_old_contents_are_fetched_if_they_are_compared(
    file: str, rules: DateRules, tmp_path: Path, *, is_filtered: bool
) -> None:
    (tmp_path / file).touch()
    date = FileDate(when=None, reason=SHALLOW, path=file, repository=str(tmp_path))
    for setting in ("", "add git fetch --unshallow || true to build.jobs.post_checkout in .readthedocs.yaml"):
        assert ("--unshallow --filter=blob:none" in whole_history([date], rules, setting)) == is_filtered


def test_a_repository_elsewhere_is_named_by_its_path(tmp_path: Path) -> None:
    date = FileDate(when=None, reason=SHALLOW, path="a.md", repository=str(tmp_path))
    folder = shlex.quote(os.path.relpath(tmp_path))
    assert whole_history([date], DateRules(), "") == f"run git -C {folder} {FETCH}"
    assert whole_history([], DateRules(), SETTING) == ""
