"""CONTRIBUTING.md shows the packages in the order that import-linter holds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
TREE = re.compile(r"^    sitemap_plugins/\n(?P<rows>(?:      .*\n|\n)+)", re.MULTILINE)
NAME = re.compile(r"^ +(?P<name>\w+)(?:/|\.py)", re.MULTILINE)


def test_the_tree_of_packages_has_the_groups_of_the_layers() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = next(each["layers"] for each in contracts if each["type"] == "layers")
    tree = TREE.search((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert tree
    shown = [{*NAME.findall(group)} for group in tree["rows"].strip("\n").split("\n\n")]
    assert shown == [{*layer.split(" | ")} for layer in layers if layer != "__main__"]
