"""The command that prints the schema of the options."""

from __future__ import annotations

import json
from typing import get_args

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.options.schema import ConfigurationFile, file_schema


@pytest.mark.parametrize("file", get_args(ConfigurationFile))
def test_the_schema_of_a_file_is_printed(file: ConfigurationFile) -> None:
    done = CliRunner().invoke(main, ["schema", file])
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == file_schema(file)


def test_the_file_is_sitemap_toml_unless_it_is_named() -> None:
    assert json.loads(CliRunner().invoke(main, ["schema"]).stdout) == file_schema("sitemap.toml")
