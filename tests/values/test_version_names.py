"""Names of versions: numbers are ordered as in packaging, some words are known, and other names are not versions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from packaging.version import Version

from sitemap_plugins.values.version_names import read_name, read_title

PARTS = (
    ["", "v", "V"],
    ["", "1!"],
    ["0", "1", "1.0", "1.0.0", "1.1", "1.10", "1.2.3.4", "2024.10"],
    ["", "", "a1", "-alpha", "b2", ".beta.3", "rc1", "_c10", "-pre", "preview2"],
    ["", "", "-3", ".post1", "post", "-rev2", "r4"],
    ["", "", ".dev0", "-dev", "dev12"],
    ["", "", "+abc", "+1", "+ubuntu-1", "+1.abc", "+10.abc"],
)
NUMBERS = st.tuples(*map(st.sampled_from, PARTS)).map("".join)


@given(NUMBERS, NUMBERS)
def test_numbers_are_ordered_as_in_packaging(one: str, other: str) -> None:
    mine, theirs = read_name(one), read_name(other)
    assert mine
    assert theirs
    assert mine.number
    assert theirs.number
    if Version(one) < Version(other):
        assert mine.number < theirs.number
    if Version(one) == Version(other):
        assert mine.number[:-1] == theirs.number[:-1]
    assert (mine.stage == "release") == (not Version(one).is_prerelease)


@given(st.text() | st.from_regex(r"[v0-9.x_+!a-z-]{1,12}", fullmatch=True))
def test_any_text_is_read(text: str) -> None:
    read_name(text)
    read_title(text)


def test_numbers_that_packaging_does_not_know() -> None:
    names = ["rel_0_8", "v1.2", "1.2.4", "1.2.x", "1.9", "1.x", "2.0-SNAPSHOT", "release-2.0", "2.1-lts"]
    numbers = [name.number for name in map(read_name, names) if name]
    assert len(numbers) == len(names)
    assert numbers == sorted(numbers)


@pytest.mark.parametrize(
    ("name", "stage"),
    [
        ("stable", "release"),
        ("~latest", "release"),
        ("1.2-final", "release"),
        ("2.0b1", "pre-release"),
        ("preview", "pre-release"),
        ("2.0-SNAPSHOT", "development"),
        ("2.0a1.dev2", "development"),
        ("Main", "development"),
    ],
)
def test_stages(name: str, stage: str) -> None:
    read = read_name(name)
    assert read
    assert read.stage == stage


@pytest.mark.parametrize(
    "name",
    [
        "",
        "~",
        "guide",
        "assets",
        "2.0-migration",
        "1.0-to-2.0",
        "2024-10-01",
        "fr",
        "v",
        "..",
        "\u0661.\u0662",
        "1." * 99,
        "a1",
    ],
)
def test_other_names_are_not_versions(name: str) -> None:
    assert read_name(name) is None


@pytest.mark.parametrize(
    ("title", "written", "stage"),
    [
        ("v1.0.5 (stable)", "v1.0.5", "release"),
        ("2.1 (dev)", "2.1", "development"),
        ("dev (3.0rc1)", "3.0rc1", "development"),
        ("8", "8", "release"),
        ("Python 3 edition, version 1.2", "1.2", "release"),
        ("latest", "", "release"),
    ],
)
def test_version_and_stage_in_a_title(title: str, written: str, stage: str) -> None:
    read = read_title(title)
    assert read
    assert (read[0], read[1].stage, bool(read[1].number)) == (written, stage, bool(written))


def test_a_title_without_a_version() -> None:
    assert read_title("The manual") is None


@pytest.mark.parametrize(
    ("one", "other", "is_before"),
    [("1.0.5", "1.2", True), ("1.2", "1.2.3", False), ("1.2.3", "1.2", False), ("1.0", "1.0.4", False)],
)
def test_releases_are_compared_only_by_the_parts_that_both_have(one: str, other: str, *, is_before: bool) -> None:
    mine, theirs = read_name(one), read_name(other)
    assert mine
    assert theirs
    assert mine.number
    assert theirs.number
    assert mine.number.is_before(theirs.number) is is_before
