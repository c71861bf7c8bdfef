"""sphinx-multiversion exports commits into temporary folders; each version has the dates of its own commit."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from sitemap_plugins.published.tree import Tree
from sitemap_plugins.versions.kept import choose_kept
from sitemap_plugins.versions.recognizing import recognize

pytest.importorskip("sphinx_multiversion")

CONF = """\
extensions = ["sitemap_plugins.sphinx", "sphinx_multiversion"]
html_theme = "basic"
smv_branch_whitelist = "main"
smv_outputdir_format = "{ref.name}"
sitemap_options = {"record": "record.json", "expose": EXPOSE}
"""
LINK = ".. include:: ../part.txt\n"


def title(name: str, body: str = "") -> str:
    return f"{name}\n{'=' * len(name)}\n\n{body}\n"


@pytest.fixture
def project(repository: Any) -> Any:
    """Three versions. The first has a page that is removed later, the last has uncommitted changes and no tag."""
    repository.write(".gitignore", "out\n")
    repository.write("docs/conf.py", CONF.replace("EXPOSE", "False"))
    repository.write("docs/index.rst", title("Home", ".. toctree::\n   :glob:\n\n   *\n   old/*\n"))
    repository.write("docs/old/gone.rst", title("Gone"))
    repository.write("docs/part.rst", title("Part", LINK))
    repository.write("part.txt", "part")
    repository.commit("2026-01-01T12:00:00+00:00")
    repository.git("tag", "v1")
    repository.write("part.txt", "another part")
    repository.commit("2026-01-02T12:00:00+00:00")
    repository.git("tag", "--annotate", "--message", "The second one", "v2", when="2026-01-03T00:00:00+00:00")
    repository.git("rm", "-qr", "docs/old")
    repository.write("docs/new.rst", title("New"))
    repository.commit("2026-01-04T12:00:00+00:00")
    repository.write("docs/index.rst", title("Home again", ".. toctree::\n   :glob:\n\n   *\n"))
    repository.write("docs/unfinished.rst", title("Unfinished"))
    return repository


def build(project: Any, *arguments: str) -> tuple[dict[str, dict[str, str]], str]:
    """The days of each version's pages, and the output of the builds."""
    url = "-Dhtml_baseurl=https://docs.example.org/${name}/"
    command = [sys.executable, "-m", "sphinx_multiversion", "docs", "out", url, *arguments]
    done = subprocess.run(command, cwd=project.path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    days = {}
    for file in sorted(project.path.glob("out/*/sitemap.xml")):
        urls = [[element.text or "" for element in url] for url in ET.fromstring(file.read_bytes())]  # noqa: S314  # our own file
        base = f"https://docs.example.org/{file.parent.name}/"
        days[file.parent.name] = {loc.removeprefix(base): (rest or [""])[0][:10] for loc, *rest in urls}
    return days, done.stdout + done.stderr


DATED = {
    "v1": {"index.html": "2026-01-01", "old/gone.html": "2026-01-01", "part.html": "2026-01-01"},
    "v2": {"index.html": "2026-01-01", "old/gone.html": "2026-01-01", "part.html": "2026-01-02"},
    "main": {"index.html": "2026-01-01", "new.html": "2026-01-04", "part.html": "2026-01-02"},
}


@pytest.mark.parametrize("arguments", [(), ("-j2",)])
def test_each_version_has_the_dates_of_its_commit(project: Any, arguments: tuple[str, ...]) -> None:
    days, said = build(project, *arguments)
    assert days == DATED
    assert "no date from git" not in said


def test_the_record_of_each_version_names_its_commit(project: Any) -> None:
    build(project)
    for name in DATED:
        file = Path(project.path, "out", name, "record.json")
        record = json.loads(file.read_bytes())
        assert record["repositories"]["."]["head"] == project.git("rev-parse", f"{name}^{{commit}}")


def test_the_theme_shows_when_pages_were_created(project: Any) -> None:
    project.write("docs/conf.py", CONF.replace("EXPOSE", "'created'") + "templates_path = ['_templates']\n")
    project.write("docs/_templates/layout.html", "{{ last_updated }}, {{ created }}")
    project.commit("2026-01-05T12:00:00+00:00")
    build(project)
    assert Path(project.path, "out/v2/part.html").read_text() == "Jan 02, 2026, Jan 01, 2026"


def test_its_versions_are_recognized(project: Any) -> None:
    build(project)
    tree = recognize(Tree(project.path / "out"))
    assert [(each.name, each.stage) for each in tree.versions] == [
        ("main", "development"),
        ("v2", "release"),
        ("v1", "release"),
    ]
    assert (tree.root_url, tree.problems, tree.notes) == ("https://docs.example.org/", (), ())
    assert [each.base_url for each in choose_kept(tree).kept] == ["https://docs.example.org/v2/"]
