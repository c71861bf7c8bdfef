"""The examples of the manual: each bad one breaks its rule and no other, each good one breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.check.catalogue import RULES, explain
from sitemap_plugins.check.checking import check, read_site
from sitemap_plugins.check.examples import complete
from sitemap_plugins.check.findings import Finding
from sitemap_plugins.folder.configuration import Configuration
from sitemap_plugins.session import HostOptions


def find(folder: Path, example: dict[str, str]) -> list[Finding]:
    for path, content in complete(example).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return [*check(read_site(str(folder), Configuration(root=str(folder)), HostOptions()))]


@pytest.mark.parametrize("rule", RULES)
def test_the_bad_example_of_a_rule_breaks_this_rule_only(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, dict(explain(rule).bad))
    assert rule in [each.rule for each in findings]
    assert {each.rule for each in findings if each.level != "info"} <= {rule}


@pytest.mark.parametrize("rule", RULES)
def test_the_good_example_of_a_rule_breaks_none(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, dict(explain(rule).good))
    assert [each for each in findings if each.level != "info" or each.rule == rule] == []
