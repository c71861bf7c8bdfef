"""The examples of the rules, in the manual: each bad one breaks its rule and no other, each good one breaks none."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.check.catalogue import RULES, explain
from sitemap_plugins.check.checking import check, read_site
from sitemap_plugins.check.examples import complete
from sitemap_plugins.check.findings import Finding
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of

# A site of one language cannot have copies; tests/check/test_listing.py has them.
WITHOUT_EXAMPLE = {"listed-untranslated"}


def findings_of(folder: Path) -> tuple[Finding, ...]:
    """The findings about a site, whose configuration is in its own folder."""
    configuration = read_configuration(str(folder))
    return check(read_site(str(folder), configuration, read_settings_of(configuration)))


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


@pytest.mark.parametrize("rule", sorted(RULES.keys() - WITHOUT_EXAMPLE))
def test_a_bad_example_breaks_its_rule_and_no_other(rule: str, tmp_path: Path) -> None:
    found = findings_of(write(tmp_path, complete(explain(rule).bad)))
    assert [each.rule for each in found] == [rule]


@pytest.mark.parametrize("rule", sorted(RULES.keys() - WITHOUT_EXAMPLE))
def test_a_good_example_breaks_no_rule(rule: str, tmp_path: Path) -> None:
    assert findings_of(write(tmp_path, complete(explain(rule).good))) == ()
