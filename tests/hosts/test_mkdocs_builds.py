"""MkDocs: the commands, failing builds, invalid options, and the commands as programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

MARK = b"written by sitemap-plugins"
OWN = "<urlset><!-- my own --></urlset>\n"


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a Python program in a separate process, with all its output in one stream."""
    return subprocess.run(
        [sys.executable, *command], cwd=cwd, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


OLD_MKDOCS = """\
import mkdocs.plugins
from mkdocs.__main__ import cli

mkdocs.__version__ = "1.5.3"
del mkdocs.plugins.CombinedEvent
cli(["build"])
"""


def test_an_older_mkdocs_says_which_one_is_needed(mkdocs_site: Any) -> None:
    mkdocs_site.write("mkdocs.yml", "site_name: Sample\nplugins: [sitemap]\n")
    done = run("-c", OLD_MKDOCS, cwd=mkdocs_site.root)
    message = "sitemap-plugins needs MkDocs 1.6 or later; 1.5.3 is installed"
    assert done.stdout.startswith(f"ERROR   -  Config value 'plugins': {message}\n\nAborted with "), done.stdout
    assert done.returncode == 1


@pytest.fixture
def git_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file to which every start of git adds a line."""
    calls = tmp_path / "calls"
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >> "{calls}"\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return calls


@pytest.mark.parametrize(
    ("how", "is_run"),
    [
        ({"command": "build"}, True),
        ({"command": "gh-deploy"}, True),
        ({"command": "serve"}, False),
        ({"dirty": True}, False),
        ({"options": {"lastmod": ["front_matter", "mtime"]}}, False),
    ],
)
def test_git_is_started_if_dates_come_from_it(
    mkdocs_site: Any, git_calls: Path, how: dict[str, Any], *, is_run: bool
) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.build(**how)
    assert git_calls.exists() == is_run


def test_a_preview_gets_the_flat_sitemap_at_its_own_address_and_no_robots_txt(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "a.md")
    options = {"base_url": "https://other.example/"}
    first = mkdocs_site.build(options, command="serve")
    assert MARK in first.read()
    assert first.locs == ["http://127.0.0.1:8000/", "http://127.0.0.1:8000/a/"]
    assert first.unzip() == first.read()
    assert not first.has("robots.txt")
    assert not first.said("sitemap: ", level="info")
    assert first.said("sitemap: sitemap.xml: 2 URLs", level="debug")


def test_each_rebuild_of_a_preview_starts_afresh(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md", "a.md")
    theme = {"name": "mkdocs", "custom_dir": "overrides"}
    own = mkdocs_site.write("overrides/sitemap.xml", OWN)
    assert MARK not in mkdocs_site.build(command="serve", theme=theme).read()
    own.unlink()
    built = mkdocs_site.build(command="serve", theme=theme, again=True)
    assert built.locs == ["http://127.0.0.1:8000/", "http://127.0.0.1:8000/a/"]
    (mkdocs_site.docs / "a.md").unlink()
    mkdocs_site.pages("b.md")
    built = mkdocs_site.build(command="serve", theme=theme, again=True)
    assert built.locs == ["http://127.0.0.1:8000/", "http://127.0.0.1:8000/b/"]


def test_a_rebuild_reads_the_options_and_hooks_again(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write(
        "tuning.py",
        "from dataclasses import replace\n\n\ndef low(entry, page):\n    return replace(entry, priority=0.1)\n",
    )
    assert b"<priority>0.1</priority>" in mkdocs_site.build({"adjust": "tuning:low"}, command="serve").read()
    assert b"<priority>" not in mkdocs_site.build({}, command="serve", again=True).read()


def test_a_dirty_build_does_not_touch_the_author_s_own_sitemap(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    own = mkdocs_site.write("docs/pages.xml", OWN)
    options = {"filename": "pages.xml"}
    built = mkdocs_site.build(options)
    os.utime(built.output / "pages.xml", (0, 0))
    own.write_text(OWN.replace("my own", "my own and newer"))
    assert b"newer" in mkdocs_site.build(options, dirty=True).read("pages.xml")


FOLDER_IN_THE_WAY = """\
from pathlib import Path

def on_post_build(config):
    path = Path(config.site_dir, "sitemap.xml")
    path.unlink()
    path.mkdir()
"""


def test_a_dirty_build_that_cannot_restore_the_sitemap_says_so(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    mkdocs_site.write("blocking.py", FOLDER_IN_THE_WAY)
    mkdocs_site.build()
    built = mkdocs_site.build(dirty=True, hooks=["blocking.py"])
    assert built.said("sitemap: ", level="warning") == [
        "sitemap: sitemap.xml could not be written: there is a folder with that name"
    ]


def test_a_first_dirty_build_does_not_mention_an_earlier_sitemap(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build(dirty=True)
    assert not built.said("was left as it was")


FAILING_HOOK = """\
def on_page_markdown(markdown, page, config, files):
    if "fail" in markdown:
        raise {error}
"""


@pytest.mark.parametrize("error", ["ValueError('x')", "__import__('mkdocs.exceptions').exceptions.PluginError('x')"])
def test_a_failed_build_leaves_no_git_process_and_the_next_one_works(
    mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    from sitemap_plugins.git.history import HistoryReader

    readers: list[HistoryReader] = []
    begin = HistoryReader.__init__
    monkeypatch.setattr(
        HistoryReader, "__init__", lambda self, *given, **named: (readers.append(self), begin(self, *given, **named))[1]
    )
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", a="# fail\n")
    site.write("failing.py", FAILING_HOOK.format(error=error))
    repository.commit("2026-01-01T00:00:00+00:00")
    with pytest.raises((ValueError, SystemExit)):
        _fail(site)
    (reader,) = readers
    assert not reader._thread.is_alive()
    assert reader._stream is None or reader._stream._process.returncode is not None
    site.pages(a="# fine\n")
    built = site.build(again=True, hooks=["failing.py"])
    assert built.paths == ["", "a/"]
    assert built.read().count(b"<lastmod>") == 2


def _fail(site: Any) -> None:
    if site.build(hooks=["failing.py"]).failed:
        raise SystemExit


def test_switched_off_it_does_nothing(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build({"enabled": False})
    assert MARK not in built.read()
    assert not built.has("robots.txt")
    assert not built.said("sitemap: ")


MISTAKES = {
    "filename": "folder/sitemap.xml",
    "lastmod": ["front_matter", "gti"],
    "gzipp": True,
    "exclude": 7,
    "pages": [{"priority": 0.5}, {"match": "a", "priority": 2}],
    "notes": {"shalow": "warning"},
    "adjust": "nowhere_at_all:function",
}


def test_all_mistakes_are_shown_at_once_and_nothing_is_built(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    earlier = mkdocs_site.write("site/index.html", "earlier")
    assert mkdocs_site.build(MISTAKES).failed
    assert earlier.read_text() == "earlier"
    done = run("-m", "mkdocs", "build", cwd=mkdocs_site.root)
    assert done.returncode == 1
    assert "Traceback" not in done.stdout
    places = ["filename", "lastmod[1]", "gzipp", "exclude", "pages[0]", "pages[1].priority", "notes.shalow", "adjust"]
    assert [place for place in places if f"option '{place}'" not in done.stdout] == []
    assert [hint for hint in ("'gzip'", "'git'", "'shallow'") if f"did you mean {hint}?" not in done.stdout] == []
    assert earlier.read_text() == "earlier"


def test_options_that_are_not_a_mapping_stop_the_build(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build(["filename"])
    assert built.failed
    assert built.said("'sitemap' plugin", level="error")


def write_program_site(site: Any, **config: object) -> Path:
    """A site with a theme of one file, which each program can build without the other distribution."""
    site.pages("index.md", "a.md")
    site.write(
        "theme/main.html", "<html><head><title>{{ page.title }}</title></head><body>{{ page.content }}</body></html>"
    )
    values = {
        "site_name": "Sample",
        "site_url": "https://docs.example.org/",
        "theme": {"name": None, "custom_dir": "theme"},
        "plugins": ["sitemap"],
    } | config
    site.write("mkdocs.yml", json.dumps(values))
    return site.root


@pytest.mark.parametrize("program", ["mkdocs", "properdocs"])
def test_the_commands_themselves(mkdocs_site: Any, program: str) -> None:
    pytest.importorskip(program)
    root = write_program_site(mkdocs_site)
    done = run("-m", program, "build", "--strict", "-f", "mkdocs.yml", cwd=root)
    assert done.returncode == 0, done.stdout
    assert "sitemap: sitemap.xml: 2 URLs, 0 with a date" in done.stdout
    assert MARK in (root / "site/sitemap.xml").read_bytes()


# A program that builds with ProperDocs' command and then prints which modules of the other distribution are loaded.
FOREIGN_MODULES = """\
import sys

from properdocs.__main__ import cli

try:
    cli(["build", "--strict", "-f", "mkdocs.yml"])
except SystemExit as error:
    assert not error.code, error.code
import sitemap_plugins.mkdocs
folders = {name: (getattr(module, "__file__", None) or "").replace("\\\\", "/") for name, module in sys.modules.items()}
print("foreign:", sorted(name for name, folder in folders.items() if "/mkdocs/" in folder and "sitemap_plugins" not in folder))
"""


def test_under_properdocs_no_module_of_mkdocs_is_loaded(mkdocs_site: Any) -> None:
    pytest.importorskip("properdocs")
    write_program_site(mkdocs_site, plugins=[{"sitemap": {"html": True}}], nav=["index.md", "a.md", "sitemap.md"])
    # Our own folder gets another name, so that it is not mistaken for the distribution.
    root = mkdocs_site.root.rename(mkdocs_site.root.with_name("sample"))
    done = run("-c", FOREIGN_MODULES, cwd=root)
    assert done.returncode == 0, done.stdout
    assert done.stdout.splitlines()[-1] == "foreign: []"
    assert '<div class="sitemap-pages">' in (root / "site/sitemap/index.html").read_text()


@pytest.mark.parametrize("address", ["http://0.0.0.0:80/", "http://LOCALHOST:8000/a b/"])
def test_a_preview_at_any_address_lists_its_pages(mkdocs_site: Any, address: str) -> None:
    mkdocs_site.pages("index.md", "a.md")
    built = mkdocs_site.build(command="serve", address=address)
    assert len(built.locs) == 2


def test_an_option_for_gettext_has_no_effect_in_mkdocs(mkdocs_site: Any) -> None:
    mkdocs_site.pages("index.md")
    built = mkdocs_site.build_strictly({"translated_share": 0.2})
    assert built.said("translated_share: only 0 has an effect in MkDocs", level="info")
