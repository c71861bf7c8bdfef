"""The dates that people ask for are those of a build, and can be explained without the command line."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sitemap_plugins.git.dates import GitDates, dates_below, explain_date
from sitemap_plugins.git.history import PLAIN_DATES, DateRules, HistoryReader
from sitemap_plugins.git.repository import HistoryError
from sitemap_plugins.model import WRONG_CLOCK

if TYPE_CHECKING:
    from tests.conftest import Repository

FUTURE = "@9006804000 +0000"  # in June 2255
wait = HistoryReader.history


@pytest.fixture
def docs(repository: Repository) -> Path:
    """A page, a page whose commit has a wrong clock, and a link to a page elsewhere."""
    repository.write("docs/page.md", "one")
    repository.write("README.md", "one")
    (repository.path / "docs/link.md").symlink_to("../README.md")
    repository.commit("2026-02-01T10:00:00Z")
    repository.write("docs/rogue.md", "one")
    repository.commit(FUTURE)
    repository.write("README.md", "two")
    repository.commit("2026-02-03T10:00:00Z")
    return repository.path / "docs"


def test_the_dates_of_a_folder_are_those_of_a_build(docs: Path) -> None:
    files = {path.name: str(path) for path in docs.iterdir()}
    built = GitDates({str(docs): (".md",)}, DateRules()).dates_of(files.values())
    found = dates_below(str(docs), DateRules(), None, wait)
    assert found == {name: built[file] for name, file in files.items()}
    assert {name: date.when.day if date.when else date.reason for name, date in found.items()} == {
        "link.md": 3,
        "page.md": 1,
        "rogue.md": WRONG_CLOCK,
    }


def test_plain_dates_are_those_of_git_log(docs: Path) -> None:
    found = dates_below(str(docs), PLAIN_DATES, None, wait)
    assert {name: date.when.year for name, date in found.items() if date.when} == {
        "link.md": 2026,
        "page.md": 2026,
        "rogue.md": 2255,
    }


@pytest.mark.parametrize(("name", "reason"), [("page.md", None), ("rogue.md", WRONG_CLOCK)])
def test_one_file(docs: Path, name: str, reason: str | None) -> None:
    assert [date.reason for date in dates_below(str(docs / name), DateRules(), None, wait).values()] == [reason]


def test_a_wrong_clock_is_explained(docs: Path) -> None:
    found = explain_date(str(docs / "rogue.md"), DateRules(), None, wait)
    assert (found.date.when, found.date.reason) == (None, WRONG_CLOCK)
    assert found.when is not None
    assert found.when.year == 2255
    as_of = datetime(2300, 1, 1, tzinfo=UTC)
    assert explain_date(str(docs / "rogue.md"), DateRules(), as_of, wait).date.when == found.when


def test_the_way_through_links_is_explained(docs: Path) -> None:
    found = explain_date(str(docs / "link.md"), DateRules(), None, wait)
    assert (found.date.path, found.ways) == ("README.md", (str(Path("docs/link.md")), "README.md"))


@pytest.mark.parametrize("ask", [dates_below, explain_date])
@pytest.mark.parametrize(
    ("name", "reason"),
    [("new.md", "not committed yet"), (".tox/docs/[new]*.md", "ignored by git"), ("-.o", "ignored by git")],
)
def test_a_file_that_is_not_committed_has_no_date(docs: Path, ask: object, name: str, reason: str) -> None:
    (docs / ".gitignore").write_text(".tox/\n*.o\n")
    (docs / name).parent.mkdir(parents=True, exist_ok=True)
    (docs / name).write_text("")
    with pytest.raises(HistoryError, match=rf"{re.escape(name)} is {reason}"):
        ask(str(docs / name), DateRules(), None, wait)  # type: ignore[operator]
