"""The examples of the manual: each bad one breaks its rule and no other, each good one breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.check.catalogue import RULES, explain
from sitemap_plugins.check.checking import check, read_site
from sitemap_plugins.check.examples import complete
from sitemap_plugins.check.findings import Finding
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of

# A site of one language has no copies of pages in another one.
WITHOUT_EXAMPLE = {"listed-untranslated"}
EXAMPLES = [rule for rule in RULES if rule not in WITHOUT_EXAMPLE]


def find(folder: Path, files: dict[str, bytes]) -> tuple[Finding, ...]:
    """The findings about a site with these files, whose configuration is in its own folder."""
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    configuration = read_configuration(str(folder))
    return check(read_site(str(folder), configuration, read_settings_of(configuration)))


@pytest.mark.parametrize("rule", EXAMPLES)
def test_the_bad_example_of_a_rule_breaks_this_rule_only(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, complete(explain(rule).bad))
    assert rule in [each.rule for each in findings]
    assert {each.rule for each in findings if each.level != "info"} <= {rule}


@pytest.mark.parametrize("rule", EXAMPLES)
def test_the_good_example_of_a_rule_breaks_none(tmp_path: Path, rule: str) -> None:
    findings = find(tmp_path, complete(explain(rule).good))
    assert [each for each in findings if each.level != "info" or each.rule == rule] == []
