"""A default build imports nothing that it does not use: imports are the greatest part of a plugin's cost."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

# A program that builds, and then prints which modules are loaded though they are for other sites or other tools.
PROGRAM = """\
import inspect
import json
import sys
import threading

from {module} import {function} as build

called = set()
opened = []


def note(frame, event, _):
    code = frame.f_code
    # Modules, classes, and expressions such as those that make constants, run when a module is imported.
    if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and not code.co_name.startswith("<"):
        called.add(frame.f_globals.get("__name__"))


sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
threading.setprofile(note)
sys.setprofile(note)
try:
    status = build({arguments})
except SystemExit as error:
    status = error.code
sys.setprofile(None)
assert not status, status
ours = [name for name, module in sys.modules.items() if name.startswith("sitemap_plugins.")]
modules = {{name for name in ours if not hasattr(sys.modules[name], "__path__")}}
print()
print(json.dumps({{
    "unused": sorted(name.removeprefix("sitemap_plugins.") for name in modules - called),
    "foreign": sorted({{"click", "docutils", "httpx", "mkdocs", "protego", "pydantic", "rich", "sphinx"}} & {{*sys.modules}}),
    "explained": [name for name in opened if name.endswith("rules.toml")],
}}))
"""
URL = "https://docs.example.org/"
HOSTS = {
    "mkdocs": ("mkdocs.__main__", "cli", ["build", "--strict", "--quiet"], ["click", "mkdocs"]),
    "sphinx": ("sphinx.cmd.build", "main", ["-q", "-W", "docs", "output"], ["docutils", "sphinx"]),
    "command": ("sitemap_plugins.commands.main", "main", ["build"], ["click"]),
}
# Each of these takes less than a millisecond.
SMALL = {
    "folder.generators.hugo",
    "folder.generators.myst",
    "formats.gzip",
    "git.branches",
    "git.changing",
    "git.commits",
    "mkdocs.blocks",
    "published.addresses",
    "rules",
    "session.built_elsewhere",
    "values.catalogues",
    "values.languages",
    "values.tasks",
    "values.version_names",
}


@pytest.mark.parametrize("host", HOSTS)
def test_a_default_build_imports_nothing_for_other_sites(repository: Any, host: str) -> None:
    module, function, arguments, foreign = HOSTS[host]
    pytest.importorskip(module.partition(".")[0])
    repository.write("theme/main.html", "<title>{{ page.title }}</title>{{ page.content }}")
    theme = {"name": None, "custom_dir": "theme"}
    config = {"site_name": "Sample", "site_url": URL, "theme": theme}
    repository.write("mkdocs.yml", json.dumps(config | {"plugins": ["sitemap"]}))
    repository.write("docs/index.md", "# Sample\n")
    repository.write("docs/conf.py", f'extensions = ["sitemap_plugins.sphinx"]\nhtml_baseurl = "{URL}"\n')
    repository.write("docs/index.rst", "Sample\n======\n")
    head = f'<link rel="canonical" href="{URL}"><meta name="generator" content="zensical-0.0.73">'
    repository.write("site/index.html", f"{head}<h1>Sample</h1>")
    urls = f"<url><loc>{URL}</loc></url>"
    repository.write("site/sitemap.xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
    repository.commit("2026-01-01T00:00:00+00:00")
    program = PROGRAM.format(module=module, function=function, arguments=arguments)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=repository.path, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    loaded = json.loads(done.stdout.splitlines()[-1])
    assert {*loaded["unused"]} <= SMALL
    assert loaded["foreign"] == foreign
    assert loaded["explained"] == []
