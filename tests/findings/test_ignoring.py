"""The option ignored_findings leaves out findings, whole or in part."""

from __future__ import annotations

from sitemap_plugins.findings.grouping import Finding, Hit, group
from sitemap_plugins.findings.ignoring import without_ignored
from sitemap_plugins.options.settings import IgnoredFinding, read_settings

BASE = "https://docs.example.org/docs/"
DEAD = [
    Hit(rule="listed-unwritten", cause="the site", url=f"{BASE}{path}", file="sitemap.xml", line=line)
    for line, path in enumerate(("archive/a/", "archive/b/", "guide/"), 1)
]
ROBOTS = Hit(rule="robots-without-sitemap", cause="the site", file="robots.txt", url=f"{BASE}sitemap.xml")
UNANNOUNCED = Hit(rule="unannounced", cause="the site", file="old/sitemap.xml")
FINDINGS = group([*DEAD, ROBOTS, UNANNOUNCED])


def entries(*written: dict[str, str]) -> tuple[IgnoredFinding, ...]:
    settings, mistakes = read_settings({"ignored_findings": [{"reason": "It is fine.", **each} for each in written]})
    assert mistakes == []
    return settings.ignored_findings


def left(*written: dict[str, str], base_url: str = BASE) -> dict[str, int]:
    ignored = without_ignored(FINDINGS, entries(*written), base_url)
    assert ignored.number == sum(len(each.hits) for each in FINDINGS) - sum(len(each.hits) for each in ignored.findings)
    return {each.rule: len(each.hits) for each in ignored.findings}


def test_a_rule_is_ignored_everywhere_or_below_a_path() -> None:
    others = {"robots-without-sitemap": 1, "unannounced": 1}
    assert left() == {"listed-unwritten": 3, **others}
    assert left({"rule": "listed-unwritten"}) == others
    assert left({"rule": "listed-unwritten", "match": "archive/"}) == {"listed-unwritten": 1, **others}
    assert left({"rule": "listed-unwritten", "match": "/archive/"}) == {"listed-unwritten": 1, **others}
    assert left({"rule": "listed-unwritten", "match": "/docs/archive/"}) == {"listed-unwritten": 3, **others}
    assert left({"rule": "l*", "match": "archive/"}, {"rule": "l*-unwritten", "match": "guide/"}) == others


def test_a_finding_about_no_url_of_the_site_is_matched_by_its_file() -> None:
    assert "unannounced" not in left({"rule": "unannounced", "match": "old/"})
    assert left({"rule": "*", "match": "sitemap.xml"}, base_url="") == {"robots-without-sitemap": 1}


def test_an_entry_that_matches_nothing_is_named() -> None:
    needed, unused = entries({"rule": "unannounced"}, {"rule": "unannounced", "match": "new/"})
    assert without_ignored(FINDINGS, (needed, unused), BASE).unused == (unused,)


def test_what_remains_of_a_finding_is_the_same_finding() -> None:
    first, *_ = without_ignored(FINDINGS, entries({"rule": "*", "match": "archive/"}), BASE).findings
    assert first == Finding(rule="listed-unwritten", cause="the site", level="error", hits=(DEAD[2],))
