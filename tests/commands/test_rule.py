"""``sitemap-plugins rule`` explains the rules of check."""

from __future__ import annotations

import json

import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.findings.catalogue import RULES, explain
from sitemap_plugins.project import MANUAL


def rule(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["rule", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_without_a_rule_all_are_listed_worst_first() -> None:
    lines = [line.split(maxsplit=2) for line in rule().splitlines()]
    assert sorted(name for _, name, _ in lines) == sorted(RULES)
    levels = [level for level, _, _ in lines]
    assert levels == sorted(levels, key=["error", "warning", "info"].index)


def test_a_rule_is_explained_with_its_examples() -> None:
    address = json.loads(rule("invalid-date", "--format=json"))["rules"][0]["url"]
    assert rule("invalid-date") == (
        "invalid-date: error (SM-MOD-01)\n"
        "  A date in a sitemap is not valid.\n"
        "  Search engines ignore the date, and may trust the other dates of the site less.\n"
        "  Fix: In a sitemap, write a date such as `2026-03-01`, or one with a time and a time zone such as\n"
        "  `2026-03-01T09:00:00Z`. RSS needs the form `Sun, 01 Mar 2026 09:00:00 GMT`.\n"
        f"  {address}\n"
        "  bad: sitemap.xml\n"
        "    <url><loc>https://docs.example.org/</loc><lastmod>2026-02-30</lastmod></url>\n"
        "  good: sitemap.xml\n"
        "    <url><loc>https://docs.example.org/</loc><lastmod>2026-02-28</lastmod></url>\n"
    )


def test_an_example_without_a_file_says_so() -> None:
    assert "  bad: no sitemap.xml\n" in rule("no-sitemap")


def test_a_rule_that_needs_all_files_says_that_it_finds_nothing_on_a_live_site() -> None:
    silent = {name for name in RULES if "finds nothing on a live site" in rule(name)}
    assert silent == {name for name in RULES if RULES[name].needs_tree}


def test_json_has_the_same_for_each_rule_that_matches() -> None:
    found = json.loads(rule("listed-*", "no-sitemap", "--format=json"))["rules"]
    assert {each["rule"] for each in found} == {*(name for name in RULES if name.startswith("listed-")), "no-sitemap"}
    for each in found:
        assert each["fix"] == explain(each["rule"]).fix
        assert each["bad"] == explain(each["rule"]).bad
        assert each["url"] == f"{MANUAL}check-rules/{each['rule']}/"
        assert each["needs_tree"] == RULES[each["rule"]].needs_tree


@pytest.mark.parametrize("words", [("rule",), ("rule", "unlisted"), ("check", "--select"), ("check", "--ignore")])
def test_names_of_rules_are_completed(words: tuple[str, ...]) -> None:
    shell = ShellComplete(main, {}, "sitemap-plugins", "")
    found = [each.value for start in ("", "unlisted,invalid-d") for each in shell.get_completions([*words], start)]
    assert found == [*RULES, "unlisted,invalid-date"]


@pytest.mark.parametrize(
    ("name", "hint"), [("invalid-dates", "did you mean 'invalid-date'?"), ("x*", "'sitemap-plugins rule' lists all")]
)
def test_an_unknown_rule_is_an_error_with_a_hint(name: str, hint: str) -> None:
    result = CliRunner().invoke(main, ["rule", name])
    assert result.exit_code == 2
    assert f"there is no rule {name!r}; {hint}" in result.stderr
