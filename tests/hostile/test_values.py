"""No value in a file makes a command fail: see `tests.hostile.values` for the values and the places that have them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.commands.main import main
from tests.check.examples import complete
from tests.hostile.readers import READERS
from tests.hostile.values import ALONE, CONFIGURATIONS, EVERY, LISTS, PLACES, VALUES, Cell, fill, options_with

OLD = {f"old/{path}": content for path, content in complete({"gone.html": ""}).items()}
FORMATS = [("json", "json"), ("text", "text"), ("sarif", "markdown"), ("github", "github")]  # of check and of diff


def run(cells: Sequence[Cell], choice: int = 0) -> None:
    """Run all commands on a project with these values, and raise what they raise.

    The choice is that of the formats and of the page that is explained.
    """
    files = OLD | fill(cells)
    with tempfile.TemporaryDirectory() as project:
        for path, content in files.items():
            (file := Path(project, path)).parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            if path.endswith(".po"):
                READERS["catalogue"].read(content)
        site, old, of_project = f"{project}/site", f"{project}/old", ("--project", project)
        pages = sorted(path for path in files if path.startswith("site/") and path.endswith(".html"))
        asked = [pages[choice % len(pages)].removeprefix("site/"), *(value for _, value in cells[:1])]
        of_check, of_diff = FORMATS[choice % len(FORMATS)]
        for arguments in (
            ("check", site, *of_project, "--format", of_check),
            *(("why", *of_project, "--", page, site) for page in asked if page.isprintable()),
            ("diff", old, site, *of_project, "--format", of_diff),
            ("diff", f"{site}/sitemap.xml", old),
            ("merge", site),
            ("build", site, *of_project),
        ):
            result = CliRunner(env={"SOURCE_DATE_EPOCH": "1780000000"}).invoke(main, arguments)
            if not isinstance(result.exception, SystemExit | None):
                raise result.exception


def culprits(cells: Sequence[Cell], choice: int) -> Iterator[str]:
    """The values that make a command fail, each with its place, or several that do so only together."""
    try:
        run(cells, choice)
    except Exception as error:  # noqa: BLE001  # any exception is a failure
        middle = len(cells) // 2
        parts = (cells[:middle], cells[middle:]) if middle else ()
        found = [each for part in parts for each in culprits(part, choice)]
        yield from found or ["; ".join(f"{place}: {value!r:.99}" for place, value in cells) + f": {error!r:.999}"]


def examine(cells: Sequence[Cell], choice: int = 0) -> None:
    found = "\n".join(culprits(cells, choice))
    assert not found, found


def batches(values: Sequence[str]) -> Iterator[list[str]]:
    """The values that can be in one file, then each other one, with which the rest of a file may not be read."""
    yield [value for value in values if value.isprintable()]
    yield from ([value] for value in values if not value.isprintable())


@pytest.mark.parametrize("kind", VALUES)
def test_values_at_all_places(kind: str) -> None:
    for values in batches(VALUES[kind]):
        examine([(place, value) for value in values for place in PLACES])
    for number, value in enumerate(VALUES[kind]):
        for place in ALONE:
            examine([(place, value)], number)


@pytest.mark.parametrize("place", LISTS)
def test_all_values_in_one_list(place: str) -> None:
    for values in batches([*chain(*VALUES.values())]):
        examine([(place, value) for value in values])


@pytest.mark.parametrize("kind", VALUES)
def test_values_in_all_options(kind: str) -> None:
    for number, value in enumerate(VALUES[kind]):
        name, write = [*CONFIGURATIONS.items()][number % len(CONFIGURATIONS)]
        examine([(name, write(options_with(value)))], number)


WORDS = [
    *chain(*VALUES.values()),
    "https://docs.example.org/",
    "2026-01-01",
    "T23:59:59",
    "Z",
    "+14:00",
    *"[]:/@.-%#?0",
]
CHANGED = st.lists(st.sampled_from(WORDS) | st.text(max_size=3), min_size=1, max_size=3).map("".join)


@given(cells=st.lists(st.tuples(st.sampled_from([*EVERY]), CHANGED), min_size=1, max_size=9), choice=st.integers(0, 99))
def test_changed_values_at_any_places(cells: list[Cell], choice: int) -> None:
    run(cells, choice)
