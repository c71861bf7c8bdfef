"""Zensical itself: its pages show the sitemap's dates, and the sitemap is the same as that of the plugin in MkDocs.

The extension uses an internal interface of Zensical. If these tests fail with a new version, that has changed.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sitemap_plugins

THEME = {"name": "material", "font": False}
EXTENSIONS = ["sitemap_plugins.zensical", {"pymdownx.snippets": {"base_path": ["parts"]}}]
OPTIONS = {
    "expose": "created",
    "pages": [{"match": "boats/**", "changefreq": "yearly"}, {"source": "guide.md", "priority": 0.8}],
}
PAGES = {
    "index": '# Home\n\n--8<-- "key.md"\n',
    "guide": "# Guide\n",
    "boats/index": "# Boats\n",
    "boats/dinghy": "---\nsitemap:\n  depends_on: logbook.csv\n---\n# Dinghy\n",
    "boats/README": "# Not published\n",
    "club/README": "# The club\n",
    "größe": "# Size\n",
    "written": "---\nsitemap:\n  lastmod: 2025-04-04\n  priority: 0.3\n---\n# Written\n",
    "empty": "---\ntitle: Empty\n---\n",
    "hidden": "---\nsitemap: false\n---\n# Hidden\n",
    "meta/mine": "---\nsitemap:\n  priority: 0.4\n---\n# Mine\n",
    "meta/deep/hidden": "# Hidden with its folder\n",
    "lines": "sitemap_lastmod: 2024-04-04\n\n# Lines\n",
}
SHOWN = re.compile(
    r'title="(?P<what>Last update|Created)">\s*<svg.*?</svg>\s*</span>\s*(?P<date>[^<]*?)\s*</span>', re.DOTALL
)
URL = re.compile(r"<url>.*</url>")


class Both(NamedTuple):
    """The output of MkDocs and of Zensical for one project, and what Zensical and the command printed."""

    mkdocs: Any
    site: Path
    said: str

    @property
    def entries(self) -> list[str]:
        return sorted(URL.findall((self.site / "sitemap.xml").read_text(encoding="utf-8")))

    @property
    def entries_of_mkdocs(self) -> list[str]:
        return sorted(URL.findall(self.mkdocs.read().decode()))

    def shown(self, path: str) -> dict[str, str]:
        html = (self.site / path / "index.html").read_text(encoding="utf-8")
        return {match["what"]: match["date"] for match in SHOWN.finditer(html)}


def run(folder: Path, *arguments: str) -> str:
    """Run a program as ``python -m`` and return its output."""
    path = os.pathsep.join([str(Path(sitemap_plugins.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def both(mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch) -> Both:
    """A site with pages dated in all ways, built by both from one mkdocs.yml."""
    site = mkdocs_site.at(repository.path)
    site.pages(**PAGES)
    repository.write("parts/key.md", "The key hangs behind the lifebelt.\n")
    repository.write("logbook.csv", "1,2\n")
    repository.write("docs/meta/.meta.yml", "sitemap:\n  lastmod: 2025-05-05\n  priority: 0.9\n")
    repository.write("docs/meta/deep/.meta.yml", "sitemap:\n  exclude: true\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    site.pages(guide="# Guide\n\nMore.\n")
    repository.commit("2026-01-02T23:30:00-05:00")
    repository.write("parts/key.md", "The key hangs behind the other lifebelt.\n")
    repository.commit("2026-01-04T12:00:00+00:00")
    repository.write("logbook.csv", "3,4\n")
    repository.commit("2026-01-05T12:00:00+00:00")
    site.pages("new.md")
    monkeypatch.chdir(repository.path)  # the base path of snippets
    built = site.build(OPTIONS, plugins=["meta"], theme=THEME, markdown_extensions=EXTENSIONS)
    assert not built.failed
    kept = repository.path / "kept"
    shutil.move(built.output, kept)
    said = run(repository.path, "zensical", "build", "--clean")
    said += run(repository.path, "sitemap_plugins", "build")
    return Both(type(built)(output=kept, failed=False, log=built.log), built.output, said)


def test_pages_show_the_days_of_the_sitemap_and_the_sitemap_is_the_plugin_s(both: Both) -> None:
    assert "sitemap_plugins.zensical" not in both.said
    assert {
        path: both.shown(path)
        for path in ("", "guide", "boats", "boats/dinghy", "club", "größe", "written", "meta/mine", "empty")
    } == {
        "": {"Last update": "January 4, 2026", "Created": "January 1, 2026"},
        "guide": {"Last update": "January 3, 2026", "Created": "January 1, 2026"},
        "boats": {"Last update": "January 1, 2026", "Created": "January 1, 2026"},
        "boats/dinghy": {"Last update": "January 5, 2026", "Created": "January 1, 2026"},
        "club": {"Last update": "January 1, 2026", "Created": "January 1, 2026"},
        "größe": {"Last update": "January 1, 2026", "Created": "January 1, 2026"},
        "empty": {"Last update": "January 1, 2026", "Created": "January 1, 2026"},
        "meta/mine": {"Last update": "May 5, 2025", "Created": "January 1, 2026"},
        "written": {"Last update": "April 4, 2025", "Created": "January 1, 2026"},
    }
    assert both.shown("new") == {}
    lines = "<url><loc>https://docs.example.org/lines/</loc><lastmod>{}</lastmod></url>"
    # MkDocs reads the lines at the top as metadata even without dashes; Zensical reads them as text.
    assert set(both.entries_of_mkdocs) - set(both.entries) == {lines.format("2024-04-04")}
    assert set(both.entries) - set(both.entries_of_mkdocs) == {lines.format("2026-01-01T12:00:00Z")}
    assert len(both.entries) == 11


@pytest.mark.parametrize("name", ["blog", "mkdocs_material"])
def test_samples_have_the_same_results_as_with_mkdocs(name: str, sample_builds: Any, tmp_path: Path) -> None:
    """With a blog, drafts, snippets, renamed files, and an ignored commit."""
    program = sample_builds.program
    sample = program.SAMPLES[name]
    project = tmp_path / "project"
    program.make_repository(sample, project)
    config = project / "mkdocs.yml"
    text, extensions = config.read_text("utf-8"), "markdown_extensions:\n"
    config.write_text(text.replace(extensions, f"{extensions}  - sitemap_plugins.zensical\n"), "utf-8")
    said = run(project, "zensical", "build", "--clean") + run(project, "sitemap_plugins", "build")
    assert "sitemap_plugins.zensical" not in said
    of_mkdocs = program.read_expected(sample)
    del of_mkdocs["left-out.txt"]  # in some cases, the names of pages differ
    assert program.Built(site=project / "site", printed=()).results == of_mkdocs


CODE = {
    "src/pkg/__init__.py": '"""All."""\nfrom pkg.other import thing\nfrom pkg.hidden import secret\n\n__all__ = ["thing"]\n',
    "src/pkg/other.py": 'def thing():\n    """A thing."""\n',
    "src/pkg/hidden.py": 'def secret():\n    """A secret."""\n',
    "src/pkg/core.py": 'raise SystemExit("imported")\n\n\nclass Core:\n    """The core."""\n',
    "src/pkg/tools/__init__.py": '"""Tools."""\n',
    "src/pkg/tools/saw.py": 'def saw():\n    """Saw."""\n',
}
BLOCKS = {
    "index": "# Home\n",
    "exported": "# ::: pkg\n",
    "object": "Text.\n::: pkg.core.Core\n",
    "tree": "::: pkg\n    options: {show_submodules: true}\n",
    "named": "::: pkg\n\n    options:\n      members: [secret]\n",
    "alone": "::: pkg\n    options:\n      members: false\n",
    "inside": "- A list\n\n    !!! note\n\n        ::: pkg.tools.saw.saw\n",
    "snippet": '# Snippet\n\n--8<-- "api.md"\n',
    "usage": "# Usage\n\n```\n::: some.objects.path\n```\n\n    ::: pkg\n\nWrite `::: pkg` there.\n",
}


def test_documented_code_dates_the_same_pages_as_in_mkdocs_where_anchors_tell_it(
    mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = mkdocs_site.at(repository.path)
    site.pages(**BLOCKS)
    repository.write("parts/api.md", "::: pkg.core.Core\n")
    repository.commit_one_by_one({}, *({name: text} for name, text in CODE.items()))
    monkeypatch.chdir(repository.path)
    options = {"paths": ["src"], "options": {"show_root_heading": True}}
    built = site.build(
        {"lastmod_format": "date", "expose": True},
        plugins=[{"mkdocstrings": {"handlers": {"python": options}}}],
        theme=THEME,
        markdown_extensions=[*EXTENSIONS, "admonition", "pymdownx.superfences"],
    )
    days = {path.rstrip("/"): day for path, day in built.days.items()}
    assert days == {
        "": "2026-01-01",
        "exported": "2026-01-03",
        "object": "2026-01-05",
        "tree": "2026-01-07",
        "named": "2026-01-04",
        "alone": "2026-01-02",
        "inside": "2026-01-07",
        "snippet": "2026-01-05",
        "usage": "2026-01-01",
    }
    shutil.rmtree(built.output)
    said = run(repository.path, "zensical", "build", "--clean") + run(repository.path, "sitemap_plugins", "build")
    both = Both(built, built.output, said)
    found = dict(
        re.findall(r"<loc>https://docs.example.org/(.*?)/?</loc><lastmod>(.*?)</lastmod>", " ".join(both.entries))
    )
    assert found == days
    assert {path: both.shown(path)["Last update"] for path in days} == {
        path: f"January {int(day[-2:])}, 2026" for path, day in days.items()
    }


def build_api_pages(repository: Any, *lines: str) -> Both:
    """The site of `CODE`, one commit for each file; ``lines`` are those of mkdocs.yml after its theme."""
    head = "site_name: A\nsite_url: https://docs.example.org/\ntheme: {name: material, font: false}\n"
    repository.write("mkdocs.yml", head + "".join(f"{line}\n" for line in lines))
    repository.write("docs/index.md", "# Home\n")
    repository.commit_one_by_one({}, *({name: text} for name, text in CODE.items()))
    said = run(repository.path, "zensical", "build", "--clean") + run(repository.path, "sitemap_plugins", "build")
    return Both(None, repository.path / "site", said)


def test_pages_that_plugins_make_of_modules_have_the_dates_of_what_they_show(repository: Any) -> None:
    """Zensical has api-autonav and mkdocs-autoapi itself; each of them enables mkdocstrings."""
    both = build_api_pages(
        repository,
        "markdown_extensions: [sitemap_plugins.zensical]",
        "plugins:",
        "  - api-autonav: {modules: [src/pkg], module_options: {'pkg.core': {members: false}}}",
        "  - mkdocs-autoapi: {autoapi_dir: src, autoapi_ignore: ['pkg/hidden.py']}",
        "  - mkdocstrings: {handlers: {python: {paths: [src]}}}",
        "  - sitemap: {lastmod_format: date, expose: true}",
    )
    days = dict(
        re.findall(r"<loc>https://docs.example.org/(.*?)/?</loc><lastmod>(.*?)</lastmod>", " ".join(both.entries))
    )
    modules = {
        "pkg": "2026-01-03",
        "pkg/other": "2026-01-03",
        "pkg/core": "2026-01-05",
        "pkg/tools": "2026-01-06",
        "pkg/tools/saw": "2026-01-07",
    }
    assert days == {
        "": "2026-01-01",
        "reference/pkg/hidden": "2026-01-04",
        **{f"{root}/{name}": day for root in ("autoapi", "reference") for name, day in modules.items()},
    }
    assert {path: both.shown(path)["Last update"] for path in days} == {
        path: f"January {int(day[-2:])}, 2026" for path, day in days.items()
    }
    assert "imported" not in both.said


def test_without_dependencies_pages_that_plugins_make_of_modules_have_no_dates(repository: Any) -> None:
    """As in MkDocs, where they have no source."""
    entries = build_api_pages(
        repository,
        "plugins:",
        "  - api-autonav: {modules: [src/pkg]}",
        "  - mkdocstrings: {handlers: {python: {paths: [src]}}}",
        "  - sitemap: {git: {dependencies: false}}",
    ).entries
    assert [each for each in entries if "lastmod" in each] == [each for each in entries if "org/</loc>" in each]
    assert len(entries) > 1


def test_zensical_does_not_run_the_plugins_that_the_command_names() -> None:
    from zensical import config

    from sitemap_plugins.folder.generators.mkdocs import _NOT_RUN

    supported = config._PLUGIN_UNSUPPORTED_OPTIONS.keys()
    assert "tags" in supported
    assert supported.isdisjoint(_NOT_RUN)
