"""Commits with wrong clocks give no date, and do not make future dates valid."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sitemap_plugins.git.dates import GitDates
from sitemap_plugins.git.history import DateRules
from sitemap_plugins.model import SHALLOW, WRONG_CLOCK

if TYPE_CHECKING:
    from tests.conftest import Repository

FUTURE = "@9006804000 +0000"  # in June 2255; git reads no year after 2099


@pytest.fixture
def rogue(repository: Repository) -> Repository:
    """Three pages of 2026, one of which was changed in 2255, before the last commit."""
    for name in "abc":
        repository.write(f"docs/{name}.md", "one")
    repository.commit("2026-02-01T10:00:00Z")
    repository.write("docs/b.md", "two")
    repository.commit(FUTURE)
    repository.write("docs/c.md", "two")
    repository.commit("2026-02-03T10:00:00Z")
    return repository


def days(repository: Repository, as_of: datetime | None = None, suffix: str = ".md") -> tuple[dict[str, str], GitDates]:
    git = GitDates({str(repository.path / "docs"): (suffix,)}, DateRules(), as_of)
    files = sorted(map(str, (repository.path / "docs").iterdir()))
    dates = git.dates_of(files)
    return {
        os.path.basename(file): str(date.when.date() if date.when else date.reason) for file, date in dates.items()
    }, git


def test_a_commit_of_another_century_dates_nothing(rogue: Repository) -> None:
    found, git = days(rogue)

    assert found == {"a.md": "2026-02-01", "b.md": WRONG_CLOCK, "c.md": "2026-02-03"}
    assert git.now == datetime(2026, 2, 3, 10, tzinfo=UTC)
    sha = rogue.git("rev-parse", "HEAD~1")[:10]
    assert git.wrong_clock == (
        f"commit {sha} is dated 2255-06-01, which is later than the last commit by more than a day: a clock was wrong, "
        "so 1 file has no date"
    )


def test_one_message_counts_all_such_commits(rogue: Repository) -> None:
    rogue.write("docs/d.md", "one")
    rogue.write("docs/e.md", "one")
    sha = rogue.commit("@8962185600 +0000")[:10]
    for name in "cfghi":
        rogue.write(f"docs/{name}.md", "three")
    rogue.commit("2026-02-04T10:00:00Z")

    said = days(rogue)[1].wrong_clock

    assert said is not None
    assert said.startswith(f"commit {sha} is dated 2254-01-01")
    assert ", like 1 more commit: " in said
    assert said.endswith("so 3 files have no date")


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("2026-02-04T10:00:00Z", "2026-02-04"),
        ("2026-02-04T10:00:01Z", WRONG_CLOCK),
        ("2026-02-05T00:00:00+14:00", "2026-02-05"),
    ],
)
def test_a_commit_may_be_a_day_later_than_the_last_one(when: str, expected: str, repository: Repository) -> None:
    for name in "abc":
        repository.write(f"docs/{name}.md", "one")
    repository.commit("2026-02-01T10:00:00Z")
    repository.write("docs/b.md", "two")
    repository.commit(when)
    repository.write("docs/c.md", "two")
    repository.commit("2026-02-03T10:00:00Z")

    assert days(repository)[0]["b.md"] == expected


def test_the_clock_of_the_build_can_be_later_than_the_last_commit(rogue: Repository) -> None:
    found, git = days(rogue, datetime(2255, 6, 1, tzinfo=UTC))

    assert found["b.md"] == "2255-06-01"
    assert git.wrong_clock is None


def test_an_earlier_clock_of_the_build_changes_nothing(rogue: Repository) -> None:
    assert days(rogue, datetime(2020, 1, 1, tzinfo=UTC))[0]["c.md"] == "2026-02-03"


def test_the_clock_of_the_last_commit_was_wrong_if_most_commits_are_later(repository: Repository) -> None:
    for number, name in enumerate("abc", start=1):
        repository.write(f"docs/{name}.md", "one")
        repository.write(f"src/{name}.py", "one")
        repository.commit(f"2026-02-0{number}T10:00:00Z")
    repository.write("docs/a.md", "two")
    head = repository.commit("1980-01-01T00:00:00Z")

    found, git = days(repository)

    assert found == {"a.md": "1980-01-01", "b.md": "2026-02-02", "c.md": "2026-02-03"}
    assert git.now == datetime(2026, 2, 3, 10, tzinfo=UTC)
    assert git.wrong_clock == (
        f"the last commit, {head[:10]}, is dated 1980-01-01, but most pages were changed later: its clock was wrong, "
        "and the newest commit counts as now, 2026-02-03"
    )
    other = str(repository.path / "src" / "c.py")
    assert git.dates_of([other])[other].when == datetime(2026, 2, 3, 10, tzinfo=UTC)


class TestShallow:
    """Most files of a shallow clone may have older dates that are not known, so those that are known are no majority."""

    @pytest.fixture
    def deep(self, repository: Repository) -> Repository:
        """Ten pages, four of which were changed in the last commit but one; the first page in the last one."""

        def change(names: str, when: str) -> None:
            for name in names.split():
                repository.write(f"docs/{name}.md", when)
            repository.commit(when)

        change("p1 p2 p3 p4 p5 p6 w1 w2 w3 w4", "2026-01-01T10:00:00Z")
        repository.write("other", "one")
        repository.commit("2026-01-02T10:00:00Z")
        change("w1 w2 w3 w4", "2036-02-01T10:00:00Z")
        change("p1", "2026-03-01T10:00:00Z")
        return repository

    def dates(self, docs: Path, deployed: datetime | None = None) -> tuple[dict[str, str], GitDates]:
        git = GitDates({str(docs): (".md",)}, DateRules(), deployed=lambda: deployed)
        dates = git.dates_of([*map(str, docs.iterdir())])
        return {os.path.basename(file)[:2]: str(date.when or date.reason)[:10] for file, date in dates.items()}, git

    def test_only_the_last_commit_judges(self, deep: Repository, clone: Any) -> None:
        cut, wrong = SHALLOW[:10], WRONG_CLOCK[:10]
        found, git = self.dates(clone("--depth=3") / "docs")
        assert (found["p1"], found["p2"], found["w1"], found["w4"]) == ("2026-03-01", cut, wrong, wrong)
        assert git.wrong_clock is not None
        head = deep.git("rev-parse", "HEAD")[:10]
        assert git.wrong_clock.endswith(
            f"so 4 files have no date; most known dates are later than {head}, the last commit, so its clock may be wrong instead"
        )

    @pytest.mark.usefixtures("deep")
    @pytest.mark.parametrize(
        ("deployed", "expected"), [("2026-02-01", WRONG_CLOCK), ("2036-02-01", "2036-02-01"), (None, WRONG_CLOCK)]
    )
    def test_the_last_deployment_judges_too(self, deployed: str | None, expected: str, clone: Any) -> None:
        when = datetime.fromisoformat(f"{deployed}T10:00:00Z") if deployed else None
        assert self.dates(clone("--depth=3") / "docs", when)[0]["w1"] == expected[:10]

    def test_the_last_deployment_is_not_asked_without_need(self, deep: Repository) -> None:
        later = datetime(2040, 1, 1, tzinfo=UTC)
        assert self.dates(deep.path / "docs", later)[0]["w1"] == WRONG_CLOCK[:10]

    def test_where_no_date_is_cut_off_most_dates_judge(self, deep: Repository, clone: Any) -> None:
        for name in ("p2", "p3", "p4", "p5", "p6"):
            deep.write(f"docs/{name}.md", "two")
        deep.commit("2026-03-02T10:00:00Z")
        deep.write("docs/p1.md", "three")
        deep.commit("1980-03-02T10:00:00Z")
        found, git = self.dates(clone("--depth=5") / "docs")
        assert (found["p2"], found["w1"]) == ("2026-03-02", "2036-02-01")
        assert "its clock was wrong, and the newest commit counts as now" in (git.wrong_clock or "")


def test_another_repository_has_its_own_last_commit(rogue: Repository, new_repository: object) -> None:
    other = new_repository("other")  # type: ignore[operator]
    for number, name in ((8, "a.py"), (9, "b.py")):
        other.write(name, "one")
        other.commit(f"2026-03-0{number}T10:00:00Z")
    git = GitDates({str(rogue.path / "docs"): (".md",)}, DateRules())
    path = str(other.path / "b.py")

    assert git.dates_of([path])[path].when == datetime(2026, 3, 9, 10, tzinfo=UTC)
