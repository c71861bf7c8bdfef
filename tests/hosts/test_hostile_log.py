"""Logs of real builds: no line is a workflow command for the CI service, however hostile the documents and options."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import sitemap_plugins

HOSTILE = "x\n::error file=a::b\n\x1b]0;title\x07\u202e\u2066\u2028##vso[task.complete]c"
SHOWN = r"x\n::error file=a::b\n\x1b]0;title\x07\u202e\u2066\u2028\x23#vso[task.complete]c"
WRAPPED = f"{'y' * 30} ::error::a " * 3  # with colours MkDocs wraps lines at spaces
OPTIONS = {
    HOSTILE: 1,
    WRAPPED: 2,
    "adjust": HOSTILE,
    "notes": {HOSTILE: "info"},
    "languages": {HOSTILE: "x"},
    "sections": {HOSTILE: {}},
    "pages": [{"match": "*", HOSTILE: 1}],
}
COMMANDS = {"mkdocs": ("mkdocs", "--color", "build"), "sphinx": ("sphinx", "-v", "docs", "output")}
COLOUR = re.compile(r"\x1b\[\d+(?:;\d+)*m")


def write(site: Any, options: object) -> None:
    """Write a site in which every name that an author can choose is hostile."""
    address = "https://docs.example.org/"
    if site.host_url == "site_url":
        front = {HOSTILE: 1, WRAPPED: 1, "priority": HOSTILE, "depends_on": [HOSTILE], "videos": [{HOSTILE: 1}]}
        site.write("docs/index.md", f"---\n{json.dumps({'sitemap': front})}\n---\n# A\n")
        if os.name != "nt":
            site.write("docs/a\n::error::##vso[a.b].md", "---\nsitemap: {foo: 1}\n---\n# A\n")
        config = {"site_name": HOSTILE, "site_url": address, "plugins": [{"sitemap": options}]}
        site.write("mkdocs.yml", json.dumps(config))
    else:
        site.write("docs/index.rst", f":sitemap_##[x]priority: 1\n:sitemap_priority\u202e: 1\n:sitemap_priority: {WRAPPED}##vso[a.b]\n\nA\n=\n")  # fmt: skip
        if os.name != "nt":
            site.write("docs/\u202e\x1b]0;a##vso[a.b].rst", ":orphan:\n:sitemap_priority: 7\n\nA\n=\n")
        names = {"project": HOSTILE, "html_baseurl": address, "extensions": ["sitemap_plugins.sphinx"]}
        site.write("docs/conf.py", "\n".join(f"{name} = {value!r}" for name, value in {**names, "sitemap_options": options}.items()))  # fmt: skip


@pytest.mark.parametrize("options", [{}, OPTIONS], ids=["documents", "options"])
def test_no_line_is_a_workflow_command(any_site: Any, options: dict[str, object]) -> None:
    write(any_site, options)
    host = "mkdocs" if any_site.host_url == "site_url" else "sphinx"
    done = subprocess.run(
        [sys.executable, "-m", *COMMANDS[host]],
        check=False,
        cwd=any_site.root,
        timeout=600,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=os.environ | {"COLUMNS": "60", "PYTHONIOENCODING": "utf-8"},
    )
    lines = COLOUR.sub("", done.stdout.decode()).split("\n")
    assert not [line for line in lines if line.lstrip().startswith("::")]
    # Sphinx itself prints the names of its documents unchanged.
    own = [line for line in lines if "##" in line or not line.isprintable()]
    assert [line for line in own if not line.startswith(("reading sources", "writing output"))] == []
    words = " ".join(" ".join(lines).split())
    assert r"\x3a:error::a" in words
    assert " unknown key" in words
    if host == "mkdocs" or options:
        assert SHOWN in words


def test_lines_about_left_out_pages_are_printable_too(any_site: Any) -> None:
    """These lines appear only in verbose builds."""
    suffix, name = ("md", "sitemap: false") if any_site.host_url == "site_url" else ("rst", ":sitemap: false")
    any_site.pages(f"index.{suffix}")
    head = f"---\n{name}\n---\n# A\n" if suffix == "md" else f":orphan:\n{name}\n\nA\n=\n"
    any_site.write(f"docs/\u202e##vso[a.b]c.{suffix}", head)
    built = any_site.build()
    (line,) = built.said(r"left out \u202e\x23#vso[a.b]c")
    assert line.isprintable()


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
def test_a_single_function_of_each_host_writes_its_log(host: str) -> None:
    """So no line can be logged without being made printable."""
    writers = []
    for file in Path(sitemap_plugins.__file__).with_name(host).glob("*.py"):
        functions = [node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.FunctionDef)]
        writers += [
            function.name
            for function in functions
            for node in ast.walk(function)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id in {"log", "logger", "logging"}
        ]
    assert len(writers) <= 1, writers
