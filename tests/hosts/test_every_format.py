"""Every option that adds files, turned on and off again, in every host: nothing of ours stays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.output.ownership import FORMATS
from tests.builders import options, options_with_files

EVERYTHING = options_with_files()


class BuiltFolder:
    """A site that MkDocs built without the plugin, in which the command writes the sitemap."""

    def __init__(self, site: Any) -> None:
        self.site = site
        self.output: Path = site.build({"robots": False}, plugins=[]).output

    def build(self, written: Mapping[str, object], **_: object) -> BuiltFolder:
        configuration = {"site_url": "https://docs.example.org/", "plugins": [{"sitemap": {**written}}]}
        self.site.write("mkdocs.yml", json.dumps(configuration))
        result = CliRunner().invoke(main, ["build", str(self.output), "--project", str(self.site.root), "--strict"])
        assert result.exit_code == 0, result.output
        return self


@pytest.fixture(params=["mkdocs", "sphinx", "folder"])
def site(request: pytest.FixtureRequest, repository: Any) -> Any:
    """A site with a date for each page, since feeds list only dated pages."""
    tool = request.getfixturevalue("sphinx_site" if request.param == "sphinx" else "mkdocs_site").at(repository.path)
    suffix = "rst" if request.param == "sphinx" else "md"
    tool.pages(f"index.{suffix}", f"guide/a.{suffix}")
    repository.write(".gitignore", "conf.py\nmkdocs.yml\nsite\noutput\ndoctrees\n")
    if request.param == "sphinx":
        tool.refer_to_all()
    repository.commit("2026-03-10T12:00:00+00:00")
    return BuiltFolder(tool) if request.param == "folder" else tool


def names(built: Any) -> set[str]:
    return {path.relative_to(built.output).as_posix() for path in built.output.rglob("*") if path.is_file()}


def test_no_file_of_ours_stays_after_its_option_is_turned_off(site: Any) -> None:
    fresh = names(site.build({}, strict=True))
    more = names(site.build(EVERYTHING, strict=True))
    settings = options(**EVERYTHING, gzip=True)
    wanted = {each.option: {path for path in each.paths(settings) if "gz" not in path} for each in FORMATS}
    page = wanted.pop("html")  # a file, or the index of a folder
    assert {path for paths in wanted.values() for path in paths} <= more
    assert len(page & more) == 1
    assert names(site.build({}, strict=True)) == fresh
