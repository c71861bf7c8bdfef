"""Lost URLs that the option ignored_findings ignores."""

from __future__ import annotations

import pytest

from sitemap_plugins.losses.finding import Loss, LossFinding, paths_of, without_ignored
from sitemap_plugins.options.settings import IgnoredFinding, read_settings
from sitemap_plugins.published.snapshot import SnapshotPage


def entries(*matches: str, rule: str = "gone") -> tuple[IgnoredFinding, ...]:
    """An entry for each glob."""
    written = [{"rule": rule, "match": match, "reason": "It is fine."} for match in matches]
    settings, mistakes = read_settings({"ignored_findings": written})
    assert mistakes == []
    return settings.ignored_findings


def loss(path: str, *also: str, why: str = "") -> Loss:
    """A page that is lost at these paths."""
    return Loss(path=path, page=SnapshotPage(path=path, title="A page"), also=also, why=why)


@pytest.mark.parametrize(
    ("matches", "left"),
    [
        ([], ["", "1.9/api/", "2.0/api/", "latest/api/"]),
        (["/1.9/api/"], ["", "2.0/api/", "latest/api/"]),
        (["2.0/**", "/latest/"], ["", "1.9/api/"]),
        (["/1.9/", "/latest/"], ["", "2.0/api/"]),
        (["api/"], [""]),
        (["index.html"], ["1.9/api/", "2.0/api/", "latest/api/"]),
        (["*"], []),
    ],
)
def test_only_the_paths_that_match_are_ignored(matches: list[str], left: list[str]) -> None:
    losses = (loss(""), loss("1.9/api/", "2.0/api/", "latest/api/"))
    findings = [LossFinding(kind="removed", losses=(each,)) for each in losses]
    assert [*paths_of(without_ignored(findings, entries(*matches)))] == left
    assert [*paths_of(without_ignored(findings, entries(*matches, rule="listed-*")))] == [*paths_of(findings)]


def test_what_is_left_of_a_page_is_that_page_at_its_next_path() -> None:
    finding = LossFinding(kind="removed", losses=(loss("1.9/api/", "2.0/api/", "3.0/api/", why="redirects to /x/"),))
    (left,) = without_ignored([finding], entries("1.9/"))
    assert left.losses == (loss("2.0/api/", "3.0/api/"),)
    (left,) = without_ignored([finding], entries("2.0/"))
    assert left.losses == (loss("1.9/api/", "3.0/api/", why="redirects to /x/"),)
