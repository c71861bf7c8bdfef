"""``dates --older-than`` and the list in Markdown: what counts as old, and on what day."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

import pytest
from markdown_it import MarkdownIt

from sitemap_plugins.commands import stale
from sitemap_plugins.model import FileDate
from tests.commands.test_merge import refusal, run
from tests.conftest import Repository

TODAY = str(int(datetime(2026, 8, 31, 23, 59, tzinfo=UTC).timestamp()))
MARKDOWN = """\
7 of 10 files in `docs` last changed before 2026-02-28.

### `docs`

- [ ] `` a`b.md ``: 2025-03-02, commit {first}
- [ ] `index.md`: 2026-01-31, commit {bulk} (bulk commit) (changed since)

### `docs/guide`

- [ ] `0.md`: 2026-01-31, commit {bulk} (bulk commit)
- [ ] `1.md`: 2026-01-31, commit {bulk} (bulk commit)
- [ ] `2.md`: 2026-01-31, commit {bulk} (bulk commit)
- [ ] `3.md`: 2026-01-31, commit {bulk} (bulk commit)
- [ ] `4.md`: 2026-01-31, commit {bulk} (bulk commit)

### Without a date

- `later.md`: committed with a wrong clock

Bulk commit: {bulk} of 2026-01-31 dates 6 of 10 files, so this date says little about each of them. If it changed \
nothing that readers see, add it to `.git-blame-ignore-revs`.
"""


@pytest.fixture
def docs(with_history: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch) -> Repository:
    repository = with_history(write_history)
    monkeypatch.chdir(repository.path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", TODAY)
    return repository


def write_history(repository: Repository) -> None:
    names = ["index.md", *(f"guide/{number}.md" for number in range(5))]
    for name in ("a`b.md", *names):
        repository.write(f"docs/{name}", f"{name} as it was\n")
    repository.commit("2025-03-02T12:00:00Z")
    for name in names:
        repository.write(f"docs/{name}", f"{name} as it is\n")
    repository.commit("2026-02-01T00:30:00+02:00")
    repository.write("docs/new.md", "new\n")
    repository.commit("2026-03-01T00:00:00Z")
    repository.write("docs/newest.md", "newest\n")
    repository.commit("2026-08-01T00:00:00Z")
    repository.write("docs/later.md", "later\n")
    repository.commit("2036-08-01T00:00:00Z")
    repository.write("README.md", "one\n")
    repository.commit("2026-08-02T00:00:00Z")


class Clock(datetime):
    """A clock that always shows the same time, in the zone in which it is asked."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        return datetime(2026, 3, 29, 1, tzinfo=timezone(timedelta(hours=2))).astimezone(tz)


def old(age: str) -> list[str]:
    result = run("dates", "docs", "--older-than", age, "--format", "json")
    assert result.exit_code == 0, result.output
    return [*json.loads(result.stdout)]


@pytest.mark.usefixtures("docs")
class TestAges:
    @pytest.mark.parametrize(
        ("age", "newest"),
        [
            # Counted back from 2026-08-31; a file is old if it changed on an earlier day.
            ("29d", "newest.md"),
            ("30d", "new.md"),
            ("6m", "guide/4.md"),  # 2026-02-28
            ("183d", "guide/4.md"),  # 2026-03-01
            ("182d", "new.md"),  # 2026-03-02
            ("26w", "new.md"),  # 2026-03-02
            ("7m", "a`b.md"),  # 2026-01-31
            ("1y", "a`b.md"),
            ("2026-01-31", "a`b.md"),  # the bulk commit is of that day in UTC
            ("2026-02-01", "guide/4.md"),
            ("2y", None),
            ("0d", "newest.md"),
        ],
    )
    def test_a_file_is_old_if_it_changed_before_the_day(self, age: str, newest: str | None) -> None:
        order = ["a`b.md", "guide/4.md", "new.md", "newest.md"]
        found = old(age)
        assert [name for name in order if name in found] == order[: order.index(newest) + 1 if newest else 0]
        assert "later.md" not in found

    @pytest.mark.parametrize(
        "age",
        [
            "",
            "d",
            "180",
            "6 m",
            "-1d",
            "1.5y",
            "٣d",
            "180D",
            "2026-02-30",
            "20260201",
            "2026-1-2",
            "9999y",
            "1e3d",
            "9" * 5000 + "d",
        ],
    )
    def test_anything_else_is_an_error(self, age: str) -> None:
        message = refusal("dates", "docs", "--older-than", age)
        assert message.endswith("is neither an age such as 180d, 26w, 6m or 2y nor a day such as 2026-01-31")

    def test_the_table_has_only_the_old_files(self) -> None:
        result = run("dates", "docs", "--older-than", "1y")
        assert result.stdout.split("  ")[2:] == ["a`b.md\n"]
        assert result.stderr == (
            "10 files, 9 with a date, 1 of them older than 2025-08-31; 1 committed with a wrong clock\n"
        )
        assert run("dates", "docs", "--older-than", "2y", "--quiet").output == ""

    def test_without_the_variable_it_is_today(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("SOURCE_DATE_EPOCH")
        monkeypatch.setattr(stale, "datetime", Clock)
        assert "new.md" not in old("27d")
        assert "new.md" in old("26d")


class TestMarkdown:
    def test_old_files_are_listed_by_folder_and_the_oldest_first(self, docs: Repository) -> None:
        docs.write("docs/index.md", "not committed yet")
        result = run("dates", "docs/", "--older-than", "6m", "--format", "markdown", "-q")
        commits = docs.git("log", "--reverse", "--format=%h", "--abbrev=10").split()
        assert result.output == MARKDOWN.format(first=commits[0], bulk=commits[1])

    @pytest.mark.usefixtures("docs")
    def test_without_an_age_every_file_is_listed(self) -> None:
        result = run("dates", ".", "--format", "markdown")
        assert result.stdout.startswith("11 files in `.`\n\n### `.`\n\n- [ ] `README.md`: 2026-08-02, commit ")
        assert result.stdout.count("- [ ] ") == 10

    @pytest.mark.usefixtures("docs")
    def test_nothing_is_printed_if_nothing_is_old(self) -> None:
        result = run("dates", "docs/guide", "--older-than", "1y", "--format", "markdown")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == "5 files, 5 with a date, 0 of them older than 2025-08-31\n"

    @pytest.mark.usefixtures("docs")
    def test_a_commit_that_dates_few_files_is_no_bulk_commit(self) -> None:
        assert "ulk" not in run("dates", "docs/guide", "--format", "markdown").output

    @pytest.mark.parametrize(
        "name", ["a`` @team <script> ``.md", "`@team`.md", "``` `` `@team", "`", "@team <img src=x> [a](b) | c.md"]
    )
    def test_a_name_is_code_whatever_it_contains(self, name: str) -> None:
        files = {f"{name}/{name}": FileDate(when=datetime(2025, 1, 1, tzinfo=UTC), commit="a" * 40)}
        text = "\n".join(stale.render_markdown(name, files, None))
        lines = [token.children or [] for token in MarkdownIt().parse(text) if token.type == "inline"]
        code = [[token.content for token in line if token.type == "code_inline"] for line in lines]
        assert code == [[name], [f"{name}/{name}"], [name]]
        assert [token.content for line in lines for token in line if token.type == "text"] == [
            "1 file in ", "[ ] ", ": 2025-01-01, commit aaaaaaaaaa",
        ]  # fmt: skip

    def test_of_many_files_without_a_date_only_some_are_listed(self) -> None:
        files = {f"{number:02}.md": FileDate(when=None, reason="shallow") for number in range(22)}
        lines = [*stale.render_markdown("docs/", files, date(2025, 8, 31))]
        assert lines[:4] == [
            "0 of 22 files in `docs` last changed before 2025-08-31.", "", "### Without a date", "",
        ]  # fmt: skip
        assert lines[-2:] == ["- `19.md`: shallow", "- and 2 more"]
