"""Pages that document an installed copy of a package: they have the dates of its sources in the repository."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders import install

MODULE = '"""A module."""\n\n\ndef work():\n    """Work."""\n'
LATER = MODULE.replace("Work", "Work harder")
NAME = "installed_module.py"
OURS = "sitemap_plugins.session.installed_files"
RECORD = {"record": "site-record.json"}
WITHOUT_SOURCE = "installed_module.py was installed from this repository, which has no such file with the same content"


@pytest.fixture(autouse=True)
def no_module_of_another_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delitem(sys.modules, "installed_module", raising=False)
    monkeypatch.delitem(sys.modules, OURS, raising=False)
    yield
    sys.modules.pop("installed_module", None)


@pytest.fixture
def site(any_site: Any, repository: Any) -> Any:
    """A site in a repository, whose home page documents a module."""
    if any_site.host_url == "site_url":
        pytest.importorskip("mkdocstrings")
    site = any_site.at(repository.path)
    site.write(".gitignore", "mkdocs.yml\nconf.py\nsite\noutput\ndoctrees\n__pycache__\n.venv\n")
    site.write("docs/index.md", "# Home\n\n::: installed_module\n")
    if site.host_url == "html_baseurl":
        (site.docs / "index.md").unlink()
        site.write("docs/index.rst", "Home\n====\n\n.. automodule:: installed_module\n   :members:\n")
        site.extensions.append("sphinx.ext.autodoc")
    return site


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of packages that is in no repository."""
    return tmp_path / "env" / "lib" / "site-packages"


def commit(repository: Any, day: int, **files: str) -> None:
    for name, content in files.items():
        repository.write(f"{name.replace('__', '/')}.py", content)
    repository.commit(f"2026-01-{day:02}T12:00:00+00:00")


def build(site: Any, place: Path, options: object = None) -> Any:
    """The site as built in an environment with this folder of packages."""
    if site.host_url == "site_url":
        handlers = {"python": {"paths": [str(place)]}}
        built = site.build(options, plugins=[{"mkdocstrings": {"handlers": handlers}}], strict=True)
    else:
        site.code = f"import sys\nsys.path.insert(0, {str(place)!r})\n"
        built = site.build(options, strict=True)
    assert not built.failed, built.warnings
    return built


def day(built: Any) -> str:
    """The day of the only page."""
    (found,) = built.days.values()
    return str(found)


@pytest.mark.parametrize("options", [RECORD, RECORD | {"expose": True}])
def test_a_page_has_the_date_of_the_source_and_the_record_names_it(
    site: Any, repository: Any, place: Path, options: object
) -> None:
    commit(repository, 1, src__installed_module=MODULE)
    commit(repository, 2, src__installed_module=LATER)
    install(place, repository.path, {NAME: LATER})
    built = build(site, place, options)
    assert day(built) == "2026-01-02"
    (page,) = json.loads(built.read("site-record.json"))["pages"]
    assert (page["path"], page["made_of"]) == ("src/installed_module.py", ["src/installed_module.py"])
    assert b"site-packages" not in built.read("site-record.json")
    assert not built.said("depends_on")


def test_a_source_that_differs_does_not_count_and_one_line_says_so(site: Any, repository: Any, place: Path) -> None:
    commit(repository, 1, installed_module=MODULE)
    commit(repository, 2, installed_module=LATER)
    install(place, repository.path, {NAME: MODULE})
    built = build(site, place, {"expose": True})
    assert day(built) == "2026-01-01"
    assert len(built.said(WITHOUT_SOURCE, level="info")) == 1
    assert not build(site, place, {"notes": {"dependencies": "ignore"}}).said(WITHOUT_SOURCE)


def test_without_dependencies_the_installed_file_does_not_count(site: Any, repository: Any, place: Path) -> None:
    commit(repository, 1)
    commit(repository, 2, installed_module=MODULE)
    install(place, repository.path, {NAME: MODULE})
    assert day(build(site, place, {"git": {"dependencies": False}})) == "2026-01-01"
    assert OURS not in sys.modules


def test_a_build_without_installed_files_does_not_import_what_finds_their_sources(site: Any, repository: Any) -> None:
    commit(repository, 1)
    commit(repository, 2, src__installed_module=MODULE)
    assert day(build(site, repository.path / "src")) == "2026-01-02"
    assert OURS not in sys.modules
