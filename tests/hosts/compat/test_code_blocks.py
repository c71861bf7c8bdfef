"""mkdocs-click and mkautodoc name modules in ``:::`` blocks; the pages have the dates of the code that they show."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("mkdocs_click")
pytest.importorskip("mkautodoc")

FILES = {
    "docs/index.md": "# Home\n",
    "docs/cli.md": "# CLI\n\n::: mkdocs-click\n    :module: blocks_shown.cli\n    :command: main\n",
    "docs/api.md": "# API\n\n::: blocks_shown.Error\n    :docstring:\n",
    "docs/code.md": "# Code\n\n```\n::: blocks_shown.Error\n```\n",
    "blocks_shown/__init__.py": "from ._errors import Error\nError.__module__ = __name__\n",
    "blocks_shown/cli.py": "import click\nfrom .sub import sub\n@click.group()\ndef main(): ...\nmain.add_command(sub)\n",
}
LATER = {
    "blocks_shown/sub.py": 'import click\n@click.command()\n@click.pass_obj\ndef sub(obj):\n    "SHOWN"\n',
    "blocks_shown/_errors.py": 'class Error(Exception):\n    "SHOWN"\n    def __init__(self): ...\n',
}


def test_pages_have_the_dates_of_the_code_they_show(
    mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, files in ((1, FILES), *((day, dict([item])) for day, item in enumerate(LATER.items(), 2))):
        for name, content in files.items():
            repository.write(name, content)
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    site = mkdocs_site.at(repository.path)
    monkeypatch.syspath_prepend(str(site.root))
    built = site.build(markdown_extensions=["mkdocs-click", "mkautodoc"], strict=True)
    assert not built.failed, built.warnings
    assert b"SHOWN" in built.read("cli/index.html")
    assert b"SHOWN" in built.read("api/index.html")
    assert built.days == {"": "2026-01-01", "api/": "2026-01-03", "cli/": "2026-01-02", "code/": "2026-01-01"}
    assert not built.said("depends_on")
