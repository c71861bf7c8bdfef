"""The catalogue of the rules is complete."""

import tomllib
from importlib.resources import files

from sitemap_plugins.findings.catalogue import RULES

EXPLAINED = tomllib.loads(files("sitemap_plugins.findings").joinpath("rules.toml").read_text(encoding="utf-8"))


def test_every_rule_is_explained_with_examples() -> None:
    lacking = {rule: {"why", "fix", "bad", "good"} - EXPLAINED.get(rule, {}).keys() for rule in RULES}
    assert {rule: parts for rule, parts in lacking.items() if parts} == {}, "findings/rules.toml lacks parts of rules"
    assert EXPLAINED.keys() - RULES.keys() == set(), "findings/rules.toml explains rules that are not in RULES"
