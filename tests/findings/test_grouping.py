"""Hits become findings: one for each rule and cause, worst first, without what another rule hides."""

from __future__ import annotations

from sitemap_plugins.findings.catalogue import EVERYTHING, RULES
from sitemap_plugins.findings.grouping import SITE, Finding, Hit, group


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
