"""Hits become findings: one for each rule and cause, worst first, without hidden ones; the catalogue is complete."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from sitemap_plugins.findings.catalogue import EVERYTHING, RULES
from sitemap_plugins.findings.grouping import SITE, Finding, Hit, group, without_ignored
from sitemap_plugins.options.settings import IgnoredFinding, read_settings

BASE = "https://docs.example.org/docs/"
DEAD = [
    Hit(rule="listed-unwritten", cause="the site", url=f"{BASE}{path}", file="sitemap.xml", line=line)
    for line, path in enumerate(("archive/a/", "archive/b/", "guide/"), 1)
]
ROBOTS = Hit(rule="robots-without-sitemap", cause="the site", file="robots.txt", url=f"{BASE}sitemap.xml")
UNANNOUNCED = Hit(rule="unannounced", cause="the site", file="old/sitemap.xml")
FINDINGS = group([*DEAD, ROBOTS, UNANNOUNCED])


def shown(*hits: Hit) -> list[tuple[str, str, int]]:
    return [(each.rule, each.cause, len(each.hits)) for each in group(hits)]


def test_hits_with_one_rule_and_cause_are_one_finding_in_their_order() -> None:
    first = Hit(rule="listed-unwritten", cause="old/", url="https://x.org/old/b/", file="sitemap.xml", line=9)
    second = Hit(rule="listed-unwritten", cause="old/", url="https://x.org/old/a/", file="sitemap.xml", line=7)
    other = Hit(rule="listed-unwritten", cause="new/", url="https://x.org/new/")
    assert group([first, other, second]) == (
        Finding(rule="listed-unwritten", cause="new/", level="error", hits=(other,)),
        Finding(rule="listed-unwritten", cause="old/", level="error", hits=(first, second)),
    )


def test_the_worst_finding_comes_first_and_then_the_order_of_the_table() -> None:
    hits = [Hit(rule=rule, cause=SITE) for rule in reversed(RULES)]
    hidden = {rule for each in RULES.values() for rule in each.hides}
    found = [each.rule for each in group(hits)]
    assert {*found} == {*RULES} - hidden or EVERYTHING in hidden
    levels = [RULES[rule].level for rule in found]
    assert levels == sorted(levels, key=("error", "warning", "info").index)
    errors = [rule for rule in found if RULES[rule].level == "error"]
    assert errors == [rule for rule in RULES if rule in errors]


def test_a_hit_hides_what_says_nothing_new_in_the_same_file() -> None:
    base = Hit(rule="base-url", cause="http→https", file="sitemap.xml")
    here = Hit(rule="listed-unwritten", cause=SITE, file="sitemap.xml")
    elsewhere = Hit(rule="listed-unwritten", cause=SITE, file="other.xml")
    assert shown(here, elsewhere, base) == [("listed-unwritten", SITE, 1), ("base-url", "http→https", 1)]


def test_a_hit_without_a_file_hides_on_the_whole_site() -> None:
    assert shown(Hit(rule="unlisted", cause=SITE, file="a.html"), Hit(rule="no-sitemap", cause=SITE)) == [
        ("no-sitemap", SITE, 1)
    ]


def test_the_place_of_a_hit_has_its_line_if_that_is_known() -> None:
    assert Hit(rule="unlisted", cause=SITE, file="a.html").place == "a.html"
    assert Hit(rule="unlisted", cause=SITE, file="sitemap.xml", line=7).place == "sitemap.xml:7"


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


EXPLAINED = tomllib.loads(files("sitemap_plugins.findings").joinpath("rules.toml").read_text(encoding="utf-8"))


def test_every_rule_is_explained_with_examples() -> None:
    lacking = {rule: {"why", "fix", "bad", "good"} - EXPLAINED.get(rule, {}).keys() for rule in RULES}
    assert {rule: parts for rule, parts in lacking.items() if parts} == {}, "findings/rules.toml lacks parts of rules"
    assert EXPLAINED.keys() - RULES.keys() == set(), "findings/rules.toml explains rules that are not in RULES"
