"""What CONTRIBUTING.md says about the packages is what import-linter checks, and the places that it names exist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_the_tree_of_packages_has_the_layers_of_the_contract() -> None:
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(each for each in configuration["tool"]["importlinter"]["contracts"] if each["type"] == "layers")
    layers = [{*layer.split(" | ")} for layer in contract["layers"] if layer != "__main__"]
    tree = TEXT.partition("    sitemap_plugins/\n")[2].partition("\nA package imports only")[0]
    groups = [re.findall(r"^ {6}(\w+)[/.]", group, re.MULTILINE) for group in tree.split("\n\n")]
    assert [{*group} for group in groups if group] == layers


def test_each_place_where_to_look_exists() -> None:
    table = TEXT.partition("### Where to look")[2].partition("\n## ")[0]
    places = {*re.findall(r"`((?:\w+/)+\w+\.\w+|(?:\w+/)+)`", table)}
    assert len(places) > 50
    missing = [place for place in places if not any((ROOT / top / place).exists() for top in ("sitemap_plugins", "."))]
    assert missing == []
