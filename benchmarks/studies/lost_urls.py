"""What tools find of URLs that are lost on purpose, and what they say about harmless changes.

    pip install -e . furo linkchecker mike mkdocs-material mkdocs-redirects mkdocs-static-i18n sphinx-reredirects \\
        sphinxext-rediraffe==0.3.0
    python benchmarks/studies/lost_urls.py [--case NAME] [--tool NAME] [--work FOLDER] [--jobs N]

Six small projects are written and built by their own tools. Each case changes one of them and builds it again. What is
really lost is asked of a local server that has the state after, for each HTML file of the state before: the cases are
checked with it. Then each tool says what it finds:

* ours: `sitemap-plugins diff`, from the folder, from the record and from the sitemap before to the folder after;
  with ``--fail-on removed,redirects,form,anchors:all``.
* rediraffe: its builder `rediraffecheckdiff` on the sources (Sphinx only), which knows the redirects of all tools.
* html files: the lists of HTML files of both builds, less the sources of redirects. This is what the workflow
  check-removed-urls.yml of Canonical's starter pack and its newer variants with redirects.txt do.
* git diff -M: any page of the sources that is renamed or deleted.
* linkchecker: the URLs of the HTML files before, asked of a server with the state after, and the links on them.

A loss is found if the tool fails because of it; of ours, it must name each lost URL. A harmless change is a false alarm
if the tool fails. A state does not know everything: a dash is a kind of loss that it cannot know.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import posixpath
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pages_server import answers, html_paths, serve

Files: TypeAlias = dict[str, str]
Kind: TypeAlias = Literal["page", "redirect", "anchor", "unlisted", "site"]

TOOLS = ("ours, folder", "ours, record", "ours, sitemap", "rediraffe", "html files", "git diff -M", "linkchecker")
FACTS: dict[Kind, str] = {"redirect": "redirects", "anchor": "anchors", "unlisted": "unlisted"}
DATE = "2026-02-01T12:00:00+00:00"
WORDS = """
the a this that each one page file folder site build option value name link reader author change
list table text start run write read open close move copy keep show find add remove set use need
want know first last next long short new old small large local remote simple plain whole empty full
early late before after while because if and or but with without from into over under between server
client browser editor terminal window command program module package version release branch commit
tag history cache index search heading paragraph image picture
""".split()  # noqa: SIM905


class Case(NamedTuple):
    """A change of a project. ``lost`` are the URLs that are lost by it, ``also`` those that a tool may name besides."""

    project: str
    name: str
    change: Callable[[Files], list[list[str]] | None]
    lost: tuple[str, ...] = ()
    kind: Kind = "page"
    also: tuple[str, ...] = ()
    folder: str = ""  # the folder of the version that has changed, with mike


# Documents -----------------------------------------------------------------------------------------------------------


def prose(seed: str, words: int = 90) -> str:
    chosen = random.Random(seed)  # noqa: S311
    sentences = []
    while words > 0:
        length = chosen.randint(6, 14)
        words -= length
        sentences.append(" ".join(chosen.choice(WORDS) for _ in range(length)).capitalize() + ".")
    return " ".join(sentences)


def md(name: str, *more: str) -> str:
    title = name.rpartition("/")[2].replace("-", " ").capitalize()
    return f"# {title}\n\n{prose(name)}\n\n## About {title.lower()}\n\n{prose(name + ' 2')}\n" + "".join(
        f"\n{each}\n" for each in more
    )


def rst(name: str, *more: str) -> str:
    title = name.rpartition("/")[2].replace("-", " ").capitalize()
    rest = "".join(f"\n{each}\n" for each in more)
    about = f"About {title.lower()}"
    return (
        f"{title}\n{'=' * len(title)}\n\n{prose(name)}\n\n{about}\n{'-' * len(about)}\n\n{prose(name + ' 2')}\n{rest}"
    )


def rename(old: str, new: str) -> Callable[[Files], None]:
    """Rename a file, or all files of a folder (with a slash at the end)."""

    def change(files: Files) -> None:
        for path in [each for each in files if each == old or (old.endswith("/") and each.startswith(old))]:
            files[new + path[len(old) :]] = files.pop(path)

    return change


def remove(*paths: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        for path in paths:
            del files[path]

    return change


def edit(path: str, old: str, new: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        if old not in files[path]:
            raise ValueError(f"{path} has no {old!r}")
        files[path] = files[path].replace(old, new)

    return change


def add(path: str, text: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        files[path] = files.get(path, "") + text

    return change


def merge(into: str, *paths: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        for path in paths:
            files[into] += "\n" + re.sub(r"^# ", "## ", files.pop(path))

    return change


def split(path: str, first: str, second: str) -> Callable[[Files], None]:
    """Split a page in two, at its second heading."""

    def change(files: Files) -> None:
        before, _, after = files.pop(path).partition("## ")
        files[first], files[second] = before, f"# {after}"

    return change


def all_of(*changes: Callable[[Files], object]) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        for each in changes:
            each(files)

    return change


def mike(*commands: str, change: Callable[[Files], object] = lambda _: None) -> Callable[[Files], list[list[str]]]:
    def deploy(files: Files) -> list[list[str]]:
        change(files)
        return [command.split() for command in commands]

    return deploy


def same(_files: Files) -> None:
    pass


# Projects ------------------------------------------------------------------------------------------------------------

BASES = {
    name: f"https://docs.example.org/{name}/" for name in ("mkdocs", "material", "i18n", "mike", "html", "dirhtml")
}
DESCRIPTIONS = {
    "mkdocs": "MkDocs, directory URLs",
    "material": "Material, .html, mkdocs-redirects",
    "i18n": "mkdocs-static-i18n",
    "mike": "a branch of mike",
    "html": "Sphinx html, furo, rediraffe",
    "dirhtml": "Sphinx dirhtml, reredirects",
}
SITEMAP = "  - sitemap:\n      record: site-record.json\n      record_content: true\n"
HOOK = """
from mkdocs.structure.files import File

def on_files(files, config):
    files.append(File.generated(config, "reference/errors.md", content={content!r}))
    return files
"""
POST_PAGE = """
import re

def on_post_page(output, page, config):
    return {expression}
"""
CONF = """
import os, sys
sys.path.insert(0, os.path.abspath("."))
project, copyright, language = "Example", "2026, Authors", "en"
extensions = [{extensions}]
exclude_patterns = ["drafts"]
html_theme, html_baseurl = "{theme}", "{base}"
sitemap_options = {{"record": "site-record.json", "record_content": True}}
"""


def _redirects(**pairs: str) -> str:
    return "".join(f"      {old}: {new}\n" for old, new in pairs.items())


def mkdocs_project() -> Files:
    names = ["index", "install", "faq", "guide/index", "guide/first", "guide/second", "guide/third", "reference/cli"]
    return {
        **{f"docs/{name}.md": md(name) for name in names},
        "docs/drafts/idea.md": md("idea"),
        "hook.py": HOOK.format(content=md("errors")),
        "mkdocs.yml": "site_name: Example\nsite_url: https://docs.example.org/mkdocs/\ndraft_docs: drafts/\n"
        f"hooks: [hook.py]\nplugins:\n  - search\n{SITEMAP}"
        "use_directory_urls: true\ntheme: mkdocs\n",
    }


def material_project() -> Files:
    names = ["index", "start", "install", "guide/index", "guide/Setup", "guide/writing", "tips"]
    return {
        **{f"docs/{name}.md": md(name) for name in names},
        "docs/glossary.md": md("glossary", "## Usage", prose("usage"), "## Usage", prose("usage again")),
        "hook.py": POST_PAGE.format(expression="output"),
        "mkdocs.yml": "site_name: Example\nsite_url: https://docs.example.org/material/\nhooks: [hook.py]\n"
        "copyright: 2026 Authors\nuse_directory_urls: false\ntheme: {name: material, font: false}\n"
        f"plugins:\n  - search\n{SITEMAP}  - redirects:\n      redirect_maps:\n"
        "        old-start.md: start.md\n        legacy/setup.md: install.md\n",
    }


def i18n_project() -> Files:
    names = ["index", "install", "guide/first", "guide/second"]
    return {
        **{f"docs/en/{name}.md": md(name) for name in [*names, "about"]},
        **{f"docs/de/{name}.md": md(name, "Deutsch. " + prose(name + " de")) for name in names},
        "mkdocs.yml": "site_name: Example\nsite_url: https://docs.example.org/i18n/\n"
        "theme: {name: material, font: false}\nplugins:\n  - search\n"
        f"{SITEMAP}  - i18n:\n      docs_structure: folder\n"
        "      fallback_to_default: true\n      languages:\n        - {locale: en, name: English, default: true}\n"
        "        - {locale: de, name: Deutsch}\n  - redirects:\n      redirect_maps:\n        begin.md: "
        "https://docs.example.org/i18n/install/\n",
    }


def mike_project() -> Files:
    names = ["index", "install", "guide", "legacy"]
    return {
        **{f"docs/{name}.md": md(name) for name in names},
        "mkdocs.yml": "site_name: Example\nsite_url: https://docs.example.org/mike/\ntheme: mkdocs\ncopyright: © 2026\n"
        f"plugins:\n  - search\n{SITEMAP}  - mike\n",
    }


MIKE_BASE = ["deploy 1.0", "deploy 2.0 latest", "set-default latest"]


def toctree(*names: str) -> str:
    return "\n.. toctree::\n   :glob:\n\n" + "".join(f"   {name}\n" for name in names)


def html_project() -> Files:
    names = ["install", "usage/index", "usage/basic", "reference/config", "changes"]
    function = '\ndef {0}(text):\n    """{1}"""\n    return text\n'
    functions = "".join(function.format(name, prose(name, 12)) for name in ("parse", "render", "scan"))
    return {
        **{f"{name}.rst": rst(name) for name in names},
        "index.rst": rst("index", toctree("*", "usage/*", "reference/*")),
        "usage/advanced.rst": rst("usage/advanced", ".. _tuning:", "Speed\n-----", prose("speed")),
        "reference/api.rst": rst("reference/api", ".. automodule:: example\n   :members:"),
        "reference/notes.rst": rst("reference/notes", "Text [#]_ and text [#]_.", ".. [#] One.\n.. [#] Two."),
        "example.py": functions,
        "drafts/idea.rst": rst("idea"),
        "redirects.txt": "old-install.rst install.rst\nold/usage.rst usage/index.rst\n",
        "conf.py": CONF.format(
            extensions="'sphinx.ext.autodoc', 'sphinx.ext.viewcode', 'sphinxext.rediraffe', 'sitemap_plugins.sphinx'",
            theme="furo",
            base=BASES["html"],
        )
        + 'rediraffe_redirects = "redirects.txt"\n',
    }


def dirhtml_project() -> Files:
    names = ["install", "guide", "FAQ", "topics/one", "topics/two", "topics/three"]
    return {
        **{f"{name}.rst": rst(name) for name in names},
        "index.rst": rst("index", toctree("*", "topics/*", "subjects/*", "guide/*")),
        "drafts/idea.rst": rst("idea"),
        "conf.py": CONF.format(
            extensions="'sphinx_reredirects', 'sitemap_plugins.sphinx'", theme="alabaster", base=BASES["dirhtml"]
        )
        + 'redirects = {"setup": "../install/", "legacy/guide": "../../guide/"}\n',
        "builder": "dirhtml",
    }


PROJECTS: dict[str, Callable[[], Files]] = {
    "mkdocs": mkdocs_project,
    "material": material_project,
    "i18n": i18n_project,
    "mike": mike_project,
    "html": html_project,
    "dirhtml": dirhtml_project,
}
SUFFIX = {"html": ".rst", "dirhtml": ".rst"}

# Cases ---------------------------------------------------------------------------------------------------------------

MATERIAL = BASES["material"]
_GONE = ("1.0/", "1.0/install/", "1.0/guide/", "1.0/legacy/")

LOSSES = [
    Case("mkdocs", "a page is renamed", rename("docs/guide/second.md", "docs/guide/next.md"), ("guide/second/",)),
    Case(
        "mkdocs",
        "use_directory_urls is switched off",
        edit("mkdocs.yml", "use_directory_urls: true", "use_directory_urls: false"),
        ("install/", "faq/", "guide/first/", "guide/second/", "guide/third/", "reference/cli/", "reference/errors/"),
    ),
    Case(
        "mkdocs",
        "a generated page is no longer generated",
        edit("mkdocs.yml", "hooks: [hook.py]", "hooks: []"),
        ("reference/errors/",),
    ),
    Case(
        "mkdocs",
        "a folder gets another slug",
        rename("docs/guide/", "docs/guides/"),
        ("guide/", "guide/first/", "guide/second/", "guide/third/"),
    ),
    Case(
        "mkdocs",
        "two pages are merged into a third",
        merge("docs/guide/first.md", "docs/guide/second.md", "docs/guide/third.md"),
        ("guide/second/", "guide/third/"),
    ),
    Case(
        "mkdocs", "the path of site_url changes", edit("mkdocs.yml", "org/mkdocs/", "org/docs/mkdocs/"), ("",), "site"
    ),
    Case(
        "mkdocs",
        "a heading gets another text",
        edit("docs/install.md", "About install", "Requirements"),
        ("install/#about-install",),
        "anchor",
    ),
    Case("mkdocs", "exclude_docs takes a page out", add("mkdocs.yml", "exclude_docs: faq.md\n"), ("faq/",)),
    Case(
        "material",
        "a redirect is dropped",
        edit("mkdocs.yml", "        legacy/setup.md: install.md\n", ""),
        ("legacy/setup.html",),
        "redirect",
    ),
    Case(
        "material", "the target of a redirect goes", remove("docs/start.md"), ("start.html",), also=("old-start.html",)
    ),
    Case(
        "material",
        "a name is written in lower case",
        rename("docs/guide/Setup.md", "docs/guide/setup.md"),
        ("guide/Setup.html",),
    ),
    Case(
        "material",
        "a page is split",
        split("docs/guide/writing.md", "docs/guide/writing-text.md", "docs/guide/writing-code.md"),
        ("guide/writing.html",),
    ),
    Case(
        "material",
        "a page goes, and an outdated redirect stays",
        all_of(remove("docs/tips.md"), add("mkdocs.yml", f"        tips.md: {MATERIAL}hints.html\n")),
        ("tips.html",),
    ),
    Case(
        "material",
        "two redirects lead to each other",
        all_of(
            edit("mkdocs.yml", "old-start.md: start.md", f"old-start.md: {MATERIAL}legacy/setup.html"),
            edit("mkdocs.yml", "legacy/setup.md: install.md", f"legacy/setup.md: {MATERIAL}old-start.html"),
        ),
        ("old-start.html", "legacy/setup.html"),
        "redirect",
    ),
    Case(
        "i18n",
        "a language is removed",
        edit("mkdocs.yml", "        - {locale: de, name: Deutsch}\n", ""),
        ("de/", "de/install/", "de/guide/first/", "de/guide/second/"),
        also=("de/about/",),
    ),
    Case(
        "i18n",
        "a page is removed in both languages",
        remove("docs/en/guide/second.md", "docs/de/guide/second.md"),
        ("guide/second/", "de/guide/second/"),
    ),
    Case(
        "i18n",
        "a page is renamed in both languages",
        all_of(
            rename("docs/en/guide/first.md", "docs/en/guide/begin.md"),
            rename("docs/de/guide/first.md", "docs/de/guide/begin.md"),
        ),
        ("guide/first/", "de/guide/first/"),
    ),
    Case(
        "i18n",
        "pages without a translation are no longer copied",
        edit("mkdocs.yml", "fallback_to_default: true", "fallback_to_default: false"),
        ("de/about/",),
        "unlisted",
    ),
    Case(
        "i18n",
        "a page is renamed in one language",
        rename("docs/en/install.md", "docs/en/setup.md"),
        ("install/",),
        also=("begin/",),
    ),
    Case("mike", "a version is deleted", mike("delete 1.0"), _GONE),
    Case(
        "mike",
        "an alias is deleted",
        mike("delete latest"),
        tuple(path.replace("1.0", "latest") for path in _GONE),
        also=("",),
    ),
    Case(
        "mike",
        "a version is deployed again without a page",
        mike("deploy 2.0 latest", change=remove("docs/legacy.md")),
        ("2.0/legacy/",),
        also=("latest/legacy/",),
        folder="2.0",
    ),
    Case(
        "mike",
        "an alias moves to a version without a page",
        mike("deploy 3.0 latest --update-aliases", change=remove("docs/legacy.md")),
        ("latest/legacy/",),
    ),
    Case(
        "mike",
        "the default leads to a version that is not there",
        mike("set-default 9.0 --allow-undefined"),
        ("",),
        "redirect",
    ),
    Case("html", "a page is renamed", rename("usage/advanced.rst", "usage/expert.rst"), ("usage/advanced.html",)),
    Case(
        "html",
        "a redirect is dropped",
        edit("redirects.txt", "old-install.rst install.rst\n", ""),
        ("old-install.html",),
        "redirect",
    ),
    Case(
        "html",
        "a label is removed",
        edit("usage/advanced.rst", ".. _tuning:\n", ""),
        ("usage/advanced.html#tuning",),
        "anchor",
    ),
    Case(
        "html",
        "exclude_patterns takes a page out",
        edit("conf.py", '["drafts"]', '["drafts", "changes.rst"]'),
        ("changes.html",),
    ),
    Case(
        "html",
        "a function is removed",
        edit("example.py", "def scan(", "def _scan("),
        ("reference/api.html#example.scan",),
        "anchor",
    ),
    Case(
        "html",
        "two pages are merged into a third",
        all_of(merge("usage/index.rst", "usage/basic.rst", "usage/advanced.rst")),
        ("usage/basic.html", "usage/advanced.html"),
    ),
    Case(
        "dirhtml",
        "the builder html is used",
        edit("builder", "dirhtml", "html"),
        ("install/", "guide/", "FAQ/", "topics/one/", "topics/two/", "topics/three/"),
        also=("setup/", "legacy/guide/"),
    ),
    Case(
        "dirhtml",
        "a folder is renamed",
        rename("topics/", "subjects/"),
        ("topics/one/", "topics/two/", "topics/three/"),
    ),
    Case(
        "dirhtml",
        "two redirects lead to each other",
        all_of(
            edit("conf.py", '"../install/"', '"../legacy/guide/"'), edit("conf.py", '"../../guide/"', '"../../setup/"')
        ),
        ("setup/", "legacy/guide/"),
        "redirect",
    ),
    Case("dirhtml", "the target of a redirect goes", remove("install.rst"), ("install/",), also=("setup/",)),
    Case("dirhtml", "a name is written in lower case", rename("FAQ.rst", "faq.rst"), ("FAQ/",)),
    Case(
        "dirhtml",
        "a page goes, and an outdated redirect stays",
        all_of(
            remove("topics/two.rst"), edit("conf.py", "redirects = {", 'redirects = {"topics/two": "../../gone/", ')
        ),
        ("topics/two/",),
    ),
]

HARMLESS = [
    Case("mkdocs", "index.md is renamed to README.md", rename("docs/guide/index.md", "docs/guide/README.md")),
    Case(
        "mkdocs",
        "a text is edited",
        edit("docs/install.md", "About install", "About install\n\nMore text.\n\n## About install"),
    ),
    Case("mkdocs", "a page is added", add("docs/guide/fourth.md", md("guide/fourth"))),
    Case(
        "mkdocs",
        "the navigation is in another order",
        add(
            "mkdocs.yml",
            "nav: [guide/third.md, Home: index.md, install.md, {G: [guide/index.md, guide/first.md]}]\n",
        ),
    ),
    Case("mkdocs", "another theme", edit("mkdocs.yml", "theme: mkdocs", "theme: readthedocs")),
    Case("mkdocs", "a draft is removed and another added", rename("docs/drafts/idea.md", "docs/drafts/thought.md")),
    Case("mkdocs", "there is no search", edit("mkdocs.yml", "  - search\n", "")),
    Case(
        "material",
        "a page moves, with a redirect",
        all_of(rename("docs/tips.md", "docs/guide/tips.md"), add("mkdocs.yml", "        tips.md: guide/tips.md\n")),
    ),
    Case("material", "another copyright", edit("mkdocs.yml", "2026 Authors", "2026-2027 Authors and others")),
    Case("material", "the HTML is minified", edit("hook.py", "return output", r"return re.sub(r'\s+', ' ', output)")),
    Case(
        "material",
        "another version of the generator, with other URLs of its files",
        edit(
            "hook.py",
            "return output",
            r"return re.sub(r'\.min\.(css|js)\b', r'.min.\1?v=2', re.sub(r'mkdocs-\d[^\"]*', 'mkdocs-9.9', output))",
        ),
    ),
    Case(
        "material",
        "a page gets noindex",
        edit(
            "hook.py",
            "return output",
            "return output.replace('</head>', '<meta name=\"robots\" content=\"noindex\"></head>') "
            "if page.url == 'glossary.html' else output",
        ),
    ),
    Case(
        "material",
        "a heading with a number in its anchor goes",
        edit("docs/glossary.md", f"## Usage\n\n{prose('usage again')}", ""),
    ),
    Case(
        "i18n",
        "a language is added",
        all_of(
            edit("mkdocs.yml", "name: Deutsch}\n", "name: Deutsch}\n        - {locale: fr, name: Français}\n"),
            add("docs/fr/index.md", md("accueil")),
        ),
    ),
    Case("i18n", "a translation is added", add("docs/de/about.md", md("about", "Deutsch."))),
    Case("i18n", "a translation is removed, and the page is a copy", remove("docs/de/install.md")),
    Case("i18n", "a translation is edited", edit("docs/de/install.md", "Deutsch. ", "Auf Deutsch: ")),
    Case(
        "i18n",
        "a page moves in both languages, with redirects",
        all_of(
            rename("docs/en/guide/first.md", "docs/en/guide/begin.md"),
            rename("docs/de/guide/first.md", "docs/de/guide/begin.md"),
            add(
                "mkdocs.yml",
                "        guide/first.md: https://docs.example.org/i18n/guide/begin/\n"
                "        de/guide/first.md: https://docs.example.org/i18n/de/guide/begin/\n",
            ),
        ),
    ),
    Case("mike", "a version is added", mike("deploy 3.0", change=remove("docs/legacy.md"))),
    Case(
        "mike",
        "an alias moves to a new version",
        mike("deploy 3.0 latest --update-aliases", change=add("docs/more.md", md("more"))),
    ),
    Case(
        "mike",
        "a version is deployed again with another footer",
        mike("deploy 2.0 latest", change=edit("mkdocs.yml", "© 2026", "© 2027")),
        folder="2.0",
    ),
    Case("mike", "a version gets another title", mike("retitle 1.0 old")),
    Case(
        "mike",
        "a text of a version is edited",
        mike("deploy 2.0 latest", change=edit("docs/guide.md", "About guide", "About guide\n\nMore.\n\n### New")),
        folder="2.0",
    ),
    Case("html", "a function is added", add("example.py", '\ndef added(text):\n    """New."""\n')),
    Case(
        "html",
        "a footnote with a number goes",
        all_of(edit("reference/notes.rst", " and text [#]_", ""), edit("reference/notes.rst", ".. [#] Two.\n", "")),
    ),
    Case(
        "html",
        "index, sources and code are no longer published",
        all_of(
            edit("conf.py", "'sphinx.ext.viewcode', ", ""),
            add("conf.py", "html_use_index = html_copy_source = html_domain_indices = False\n"),
        ),
    ),
    Case("html", "another theme", edit("conf.py", '"furo"', '"alabaster"')),
    Case(
        "html",
        "a page moves, with a redirect",
        all_of(
            rename("usage/advanced.rst", "usage/expert.rst"),
            add("redirects.txt", "usage/advanced.rst usage/expert.rst\n"),
        ),
    ),
    Case(
        "html",
        "built elsewhere on another day",
        all_of(
            edit("conf.py", "2026, Authors", "2027, Authors"),
            add("conf.py", "html_last_updated_fmt = '1 January 2027'\n"),
            add("elsewhere", "yes"),
        ),
    ),
    Case(
        "dirhtml",
        "a page moves, with a redirect",
        all_of(
            rename("topics/two.rst", "topics/second.rst"),
            edit("conf.py", "redirects = {", 'redirects = {"topics/two": "../second/", '),
        ),
    ),
    Case("dirhtml", "guide.rst is renamed to guide/index.rst", rename("guide.rst", "guide/index.rst")),
    Case(
        "dirhtml",
        "a redirect leads through another one",
        edit("conf.py", '"setup": "../install/"', '"setup": "../begin/", "begin": "../install/"'),
    ),
    Case("dirhtml", "a draft is removed", remove("drafts/idea.rst")),
    Case(
        "dirhtml",
        "a page gets noindex",
        edit("topics/one.rst", "One\n===", ".. meta::\n   :robots: noindex\n\nOne\n==="),
    ),
]


# Building ------------------------------------------------------------------------------------------------------------


def program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def run(command: list[str], cwd: Path, *, check: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DISABLE_MKDOCS_2_WARNING": "true",
        "NO_MKDOCS_2_WARNING": "1",
        "NO_COLOR": "1",
        "PYTHONWARNINGS": "ignore",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", DATE))
        },
    }
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=environment)
    if check and done.returncode:
        raise SystemExit(f"{cwd}: {command} failed\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done


class Built(NamedTuple):
    """A project with two commits and their sites: ``repository`` is its folder, the others are folders of sites."""

    repository: Path
    old: Path
    new: Path
    record: Path
    sitemap: Path


def write(folder: Path, files: Files) -> None:
    for each in folder.iterdir():
        if each.name != ".git":
            shutil.rmtree(each) if each.is_dir() else each.unlink()
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def commit(repository: Path, tag: str) -> None:
    run(["git", "add", "-A"], repository)
    run(["git", "commit", "-q", "--allow-empty", "-m", tag], repository)
    run(["git", "tag", "-f", tag], repository)


def build(project: str, files: Files, repository: Path, output: Path, commands: list[list[str]]) -> None:
    """Build a site from the files of the repository."""
    shutil.rmtree(output, ignore_errors=True)
    if project == "mike":
        for command in commands:
            run([program("mike"), *command], repository)
        output.mkdir()
        run(["git", "--work-tree", str(output), "checkout", "-q", "-f", "gh-pages", "--", "."], repository)
        run(["git", "reset", "-q"], repository)
    elif project in SUFFIX:
        source = repository
        if "elsewhere" in files:
            source = repository.with_name("elsewhere") / "project"
            shutil.copytree(repository, source)
        builder = files.get("builder", "html")
        doctrees = repository.with_name("doctrees")
        run([program("sphinx-build"), "-q", "-E", "-b", builder, "-d", str(doctrees), str(source), str(output)], source)
    else:
        run([program("mkdocs"), "build", "-q", "-d", str(output)], repository)


class Workshop:
    """Builds the cases of a project, and its state before once."""

    def __init__(self, project: str, work: Path) -> None:
        self.project = project
        self._work = work / project
        self._repository = self._work / "project"
        shutil.rmtree(self._work, ignore_errors=True)
        self._repository.mkdir(parents=True)
        run(["git", "init", "-q", "-b", "main"], self._repository)
        self._files = PROJECTS[project]()
        write(self._repository, self._files)
        commit(self._repository, "base")
        build(project, self._files, self._repository, self._work / "old", [each.split() for each in MIKE_BASE])
        if project == "mike":
            run(["git", "tag", "-f", "base-pages", "gh-pages"], self._repository)

    def build(self, case: Case) -> Built:
        run(["git", "reset", "-q", "--hard", "base"], self._repository)
        if self.project == "mike":
            run(["git", "branch", "-f", "gh-pages", "base-pages"], self._repository)
        files = dict(self._files)
        commands = case.change(files) or []
        write(self._repository, files)
        commit(self._repository, "change")
        build(self.project, files, self._repository, self._work / "new", commands)
        known = self._work / "known"
        shutil.rmtree(known, ignore_errors=True)
        known.mkdir()
        old = self._work / "old" / case.folder
        for name in os.listdir(old):
            if name.startswith(("sitemap", "site-record")) and os.path.isfile(old / name):
                shutil.copy(old / name, known / name)
        return Built(
            self._repository,
            self._work / "old",
            self._work / "new",
            known / "site-record.json",
            known / "sitemap.xml",
        )


def old_redirects(case: Case, repository: Path) -> dict[str, str]:
    """The redirects of a project from document to document, whatever its tool."""
    if case.project == "html":
        return dict(line.split() for line in (repository / "redirects.txt").read_text().splitlines())
    if case.project == "dirhtml":
        text = (repository / "conf.py").read_text().rpartition("redirects = ")[2]
        pairs = ast.literal_eval(text)
        return {f"{old}.rst": posixpath.normpath(posixpath.join(old, new)) + ".rst" for old, new in pairs.items()}
    text = (repository / "mkdocs.yml").read_text().partition("redirect_maps:\n")[2]
    return {
        old: new.removeprefix(BASES[case.project])
        for old, new in re.findall(r"^        (\S+): (\S+)$", text, re.MULTILINE)
    }


# Tools ---------------------------------------------------------------------------------------------------------------


class Answer(NamedTuple):
    """What a tool says: whether it fails, the URLs that it names, and what it says that it cannot know."""

    fails: bool
    urls: frozenset[str] = frozenset()
    unknown: frozenset[str] = frozenset()


def ours(case: Case, built: Built, state: str) -> Answer | None:
    folder = built.new / case.folder
    if state == "folder":
        old, new = str(built.old), str(built.new)
        if case.project == "mike":
            old, new = "base-pages", "gh-pages"
    else:
        if case.project == "mike" and not case.folder:
            return None
        old, new = str(built.record if state == "record" else built.sitemap), str(folder)
    done = run(
        [
            program("sitemap-plugins"),
            "diff",
            old,
            new,
            "--format",
            "json",
            "--fail-on",
            "removed,redirects,form,anchors:all",
        ],
        built.repository,
        check=False,
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{case}: diff failed\n{done.stdout}\n{done.stderr}")
    report = json.loads(done.stdout)
    prefix = f"{case.folder}/" if case.folder and state != "folder" else ""
    unknown = frozenset([*report["old"]["unknown"], *report["new"]["unknown"]])
    return Answer(done.returncode == 1, frozenset(prefix + each for each in urls_of(report)), unknown)


def urls_of(report: dict) -> Iterator[str]:
    if report["url_change"]:
        yield ""
    for finding in report["findings"]:
        for loss in finding["losses"]:
            yield from (loss["path"], *loss["also"])
    for page in report["anchors"]:
        yield from (f"{page['path']}#{anchor}" for anchor in (*page["headings"], *page["objects"]))


def rediraffe(case: Case, built: Built) -> Answer | None:
    """Its check of the sources, with the redirects of the tool in its own form."""
    if case.project not in SUFFIX:
        return None
    settings = built.repository.with_name("rediraffe")
    shutil.rmtree(settings, ignore_errors=True)
    settings.mkdir()
    (settings / "conf.py").write_text(
        'extensions = ["sphinxext.rediraffe"]\nrediraffe_branch = "base"\nexclude_patterns = ["drafts"]\n'
        f"rediraffe_redirects = {old_redirects(case, built.repository)!r}\n"
    )
    command = [program("sphinx-build"), "-E", "-b", "rediraffecheckdiff", "-c", str(settings), str(built.repository)]
    done = run([*command, str(settings / "out")], built.repository, check=False)
    return Answer(done.returncode != 0)


def html_files(case: Case, built: Built) -> Answer:
    def listed(folder: Path) -> set[str]:
        found = {
            os.path.relpath(os.path.join(here, name), folder).replace(os.sep, "/")
            for here, _, names in os.walk(folder)
            for name in names
            if name.endswith(".html")
        }
        return {re.sub(r"\.html$", "", re.sub(r"(^|/)index\.html$", r"\1", path)) for path in found}

    sources = old_redirects(case, built.repository)
    lost = set()
    for url in listed(built.old) - listed(built.new):
        bare = url.rstrip("/")
        candidates = {f"{bare}{end}" for end in (".md", "/index.md", ".rst", "/index.rst", "/")}
        if candidates.isdisjoint(sources):
            lost.add(url)
    return Answer(bool(lost), frozenset(lost))


def git_diff(case: Case, built: Built) -> Answer:
    suffix = SUFFIX.get(case.project, ".md")
    done = run(
        ["git", "diff", "-M", "--name-status", "--diff-filter=RD", "base", "change", "--", f"*{suffix}"],
        built.repository,
    )
    return Answer(bool(done.stdout.strip()))


def linkchecker(case: Case, built: Built) -> Answer:
    base = "/" + BASES[case.project].split("/", 3)[3]
    with serve(built.new, base) as root:
        urls = [root + path for path in html_paths(built.old)]
        done = run(
            [
                program("linkchecker"),
                "--no-status",
                "--no-warnings",
                "--no-robots",
                "-r",
                "1",
                "-t",
                "4",
                "-o",
                "csv",
                *urls,
            ],
            built.repository,
            check=False,
        )
    return Answer(done.returncode == 1)


def ask(tool: str, case: Case, built: Built) -> Answer | None:
    if tool.startswith("ours"):
        return ours(case, built, tool.partition(", ")[2])
    return {"rediraffe": rediraffe, "html files": html_files, "git diff -M": git_diff, "linkchecker": linkchecker}[
        tool
    ](case, built)


NAVIGATION = re.compile(r"(.*/)?(404|search|genindex|py-modindex|_modules/.*)(/|\.html)?")


def really_lost(case: Case, built: Built) -> set[str]:
    """The URLs of the HTML files before that a reader no longer finds, less those of navigation."""
    base = "/" + BASES[case.project].split("/", 3)[3]
    with serve(built.new, base) as root:
        return {
            path
            for path in html_paths(built.old)
            if not NAVIGATION.fullmatch(path) and not answers(root, BASES[case.project], path)
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", action="append", help="only cases with this text in their name or project")
    parser.add_argument("--tool", action="append", choices=TOOLS)
    parser.add_argument("--work", type=Path, help="keep the files here")
    parser.add_argument("--jobs", type=int, default=1, help="projects at the same time")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = (options.work or Path(temporary)).resolve()
        chosen = [
            (case, is_loss)
            for cases, is_loss in ((LOSSES, True), (HARMLESS, False))
            for case in cases
            if not options.case or any(each in f"{case.project}: {case.name}" for each in options.case)
        ]
        tools = options.tool or TOOLS
        by_project = {name: [each for each in chosen if each[0].project == name] for name in PROJECTS}

        def run_project(name: str) -> dict[tuple[bool, str, str], dict[str, str]]:
            return dict(try_cases(Workshop(name, work), by_project[name], tools)) if by_project[name] else {}

        with ThreadPoolExecutor(options.jobs) as pool:
            cells = {key: row for each in pool.map(run_project, PROJECTS) for key, row in each.items()}
        print_tables(chosen, cells, tools)


def try_cases(
    workshop: Workshop, cases: list[tuple[Case, bool]], tools: Sequence[str]
) -> Iterator[tuple[tuple[bool, str, str], dict[str, str]]]:
    """Build each case, and ask each tool; what differs from the ideal goes to standard error."""
    for case, is_loss in cases:
        built = workshop.build(case)
        check_seed(case, built)
        row = {}
        for tool in tools:
            answer = ask(tool, case, built)
            row[tool] = judge(tool, case, answer, is_loss=is_loss)
            if tool.startswith("ours") and row[tool] not in {"found", "", "-"}:
                print(f"{case.project}: {case.name}: {tool}: {row[tool]}: {answer}", file=sys.stderr, flush=True)
        yield (is_loss, case.project, case.name), row


def check_seed(case: Case, built: Built) -> None:
    """Raise an error if the server does not agree with what the case is said to lose."""
    lost = really_lost(case, built)
    said = {path for path in case.lost if "#" not in path} if case.kind not in {"anchor", "site"} else set()
    if not said <= lost or not lost <= said | set(case.also):
        raise SystemExit(f"{case.project}: {case.name}: said {sorted(said)}, the server {sorted(lost)}")


def judge(tool: str, case: Case, answer: Answer | None, *, is_loss: bool) -> str:
    if answer is None:
        return "-"
    if not is_loss:
        return "false alarm" if answer.fails or (tool.startswith("ours") and answer.urls) else ""
    if not tool.startswith("ours"):
        return "found" if answer.fails else "missed"
    if FACTS.get(case.kind) in answer.unknown:
        return "-"
    wrong = answer.urls - set(case.lost) - set(case.also)
    if wrong:
        return f"wrong: {', '.join(sorted(wrong)[:3])}"
    return "found" if answer.fails and set(case.lost) <= answer.urls else "missed"


def print_tables(
    chosen: list[tuple[Case, bool]], cells: dict[tuple[bool, str, str], dict[str, str]], tools: Sequence[str]
) -> None:
    for is_loss, title in ((True, "Losses"), (False, "Harmless changes")):
        rows = [case for case, each in chosen if each == is_loss]
        print(f"\n## {title}\n\n| project | change | {' | '.join(tools)} |\n|---|---|{'---|' * len(tools)}")
        totals: dict[str, Counter[str]] = {tool: Counter() for tool in tools}
        for case in rows:
            row = cells[is_loss, case.project, case.name]
            print(f"| {DESCRIPTIONS[case.project]} | {case.name} | {' | '.join(row[tool] for tool in tools)} |")
            for tool in tools:
                totals[tool][row[tool].partition(":")[0]] += 1
        last = [
            f"{totals[t]['found' if is_loss else 'false alarm']} of {sum(totals[t].values()) - totals[t]['-']}"
            for t in tools
        ]
        print(f"| | **{'found' if is_loss else 'false alarms'}** | {' | '.join(last)} |")


if __name__ == "__main__":
    main()
