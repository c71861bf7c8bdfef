"""The option ``previous_record``: which file a build compares its pages with, and why it may not be usable."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitemap_plugins.reading import RECORD
from sitemap_plugins.session.record import PreviousRecord
from tests.builders import open_test_session, options

BASE = "https://example.org/"
GOOD = {
    "version": 1,
    "date": "committer",
    "follow_renames": True,
    "base": BASE,
    "repositories": {},
    "pages": [{"loc": BASE}],
}
MISSING = "there is no such file, or it is empty, as before the first deployment"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "previous.json"
    file.write_text(json.dumps(GOOD), encoding="ascii")
    return file


def test_it_is_read_before_the_host_empties_its_folder(file: Path) -> None:
    previous = PreviousRecord("previous.json", file.parent, is_expected=True)
    file.unlink()
    record = previous.parse(BASE)
    assert record is not None
    assert ([page.loc for page in record.pages], previous.problem) == ([BASE], "")


@pytest.mark.parametrize(
    ("content", "base_url", "problem"),
    [
        (json.dumps(GOOD)[:-30], BASE, "it is not JSON"),
        ("", BASE, MISSING),
        (json.dumps(GOOD | {"preview": True}), BASE, "the build of a preview wrote it"),
        (json.dumps(GOOD | {"preview": True}), None, "the build of a preview wrote it"),
        (json.dumps(GOOD), f"{BASE}docs/", f"it is the record of {BASE}, and this build is for {BASE}docs/"),
    ],
)
def test_a_file_that_cannot_be_compared_is_a_problem(
    file: Path, content: str, base_url: str | None, problem: str
) -> None:
    file.write_text(content, encoding="ascii")
    previous = PreviousRecord("previous.json", file.parent, is_expected=True)
    assert previous.parse(base_url) is None
    assert previous.problem == problem


def test_a_preview_may_be_at_another_url(file: Path) -> None:
    previous = PreviousRecord("previous.json", file.parent, is_expected=True)
    assert previous.parse(None) is not None


@pytest.mark.parametrize(
    ("repositories", "expected"),
    [
        ({".": {"head": "a" * 40, "date": "2026-02-01T10:00:00Z"}}, datetime(2026, 2, 1, 10, tzinfo=UTC)),
        ({".": {"head": "a" * 40}}, None),
        ({}, None),
    ],
)
def test_a_build_knows_when_the_last_deployment_was_committed(
    file: Path, repositories: dict[str, object], expected: datetime | None
) -> None:
    file.write_text(json.dumps(GOOD | {"repositories": repositories}), encoding="ascii")
    session = open_test_session(options(previous_record=file.name), file.parent)
    assert session.dating._deployed() == expected
    assert open_test_session(options(), file.parent).dating._deployed() is None


def test_files_that_cannot_be_read(file: Path, tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as opened:
        opened.truncate(200 << 20)
    problems = {
        name: PreviousRecord(name, file.parent, is_expected=False).problem
        for name in ("none.json", ".", str(huge), "previous.json/b")
    }
    assert problems == {
        "none.json": "",
        ".": "",
        str(huge): f"it is larger than {RECORD.shown_size}, the limit for {RECORD.what}",
        "previous.json/b": "",
    }


@pytest.mark.parametrize(("is_expected", "problem"), [(False, ""), (True, MISSING)])
def test_a_missing_file_is_a_problem_only_if_it_is_expected(tmp_path: Path, problem: str, *, is_expected: bool) -> None:
    previous = PreviousRecord("none.json", tmp_path, is_expected=is_expected)
    assert (previous.parse(BASE), previous.problem) == (None, problem)


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
        assert PreviousRecord(file, tmp_path / "docs", is_expected=False).file == shown
