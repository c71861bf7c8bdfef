"""Every fenced block of the README and the manual is checked by what reads such text in a build.

The word after the backticks says what a block is. Further kinds are told apart by how a block begins:

yaml     ``---`` is front matter, ``- `` are steps of a GitHub workflow, ``version:`` is .readthedocs.yaml, ``name:`` a
         GitHub workflow, ``variables:`` and ``live:`` .gitlab-ci.yml, ``repos:`` .pre-commit-config.yaml, ``site_…:``,
         ``plugins:`` and ``markdown_extensions:`` are mkdocs.yml; anything else are options
python   what imports sitemap_plugins uses the API or is a hook, and is run; anything else is conf.py
json     settings of VS Code
toml     ``[build]`` is netlify.toml, ``[project`` zensical.toml; anything else are options
console  lines after ``$`` are commands; without any ``$``, all lines are, except those of a build log (``INFO``)
rst      the beginning of a document with a field list
xml      a sitemap, or elements of one
makefile rules with their recipe in the same line
text     contents of files that nothing reads here
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import shlex
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from inspect import ismodule
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import click
import pytest
import yaml
from docutils.core import publish_doctree
from jsonschema import Draft7Validator
from lxml import etree
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.utils.yaml import yaml_load
from msgspec import structs
from sphinx.application import Sphinx
from sphinx.cmd.build import get_parser
from sphinx.util.docutils import docutils_namespace

import sitemap_plugins
from sitemap_plugins.model import Page
from sitemap_plugins.options.schema import file_schema, options_schema
from sitemap_plugins.options.settings import PageValues, Settings, read_settings
from sitemap_plugins.pages.entries import read_front_matter
from sitemap_plugins.project import REPOSITORY
from sitemap_plugins.sphinx.pages import read_fields
from sitemap_plugins.sphinx.sphinx_sitemap import SphinxSitemapConfig
from tests.builders import as_json

ROOT = Path(__file__).parent.parent
SCHEMA = ROOT / "tests/schemas/sitemap.rng"
FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = Page(loc="https://docs.example.org/", name="index.md")
URLSET = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
{}</urlset>"""

# YAML with our options that no conf.py form follows, by page and first line; a page alone stands for all of its blocks.
YAML_ONLY = {
    "mkdocs.md": "the whole page is about MkDocs",
    "editor.md": "there are no schemas for Python",
    "moving.md: site_name: Example": "the tools that these sections leave are plugins of MkDocs",
    "zensical.md": "the whole page is about Zensical",
    'options.md: source: ["docs/{lang}/{path}.md", "docs/en/{path}.md"]': "Sphinx knows its sources",
}


class Block(NamedTuple):
    """A fenced block: the page that it is on, the word after the backticks, its text, and all that follows it."""

    page: str
    kind: str
    text: str
    rest: str

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0]


def blocks() -> Iterator[Block]:
    for file in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = file.read_text(encoding="utf-8")
        for match in FENCE.finditer(text):
            yield Block(file.name, match[1], match[2], text[match.end() :])


BLOCKS = [pytest.param(each, id=f"{each.page}: {each.kind}: {each.first_line}") for each in blocks()]


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What examples expect to be there. Every folder and file on a command line of ours seems to exist."""
    for folder in ("docs", "de"):
        (tmp_path / folder).mkdir()
    (tmp_path / "mkdocs.de.yml").touch()
    (tmp_path / "my_hooks.py").write_text("def adjust_entry(entry, page): ...")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(click.Path, "convert", lambda _self, value, _parameter, _context: value)


@pytest.fixture(scope="module")
def conf_names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """What can be set in conf.py."""
    folder = tmp_path_factory.mktemp("names")
    (folder / "index.rst").write_text("Home\n====\n")
    extensions = {"extensions": ["sitemap_plugins.sphinx"]}
    with docutils_namespace():  # other tests of this process build with Sphinx, too
        app = Sphinx(folder, None, folder / "out", folder / "trees", "html", extensions, status=None)
        return {"extensions", *app.config.values, *SphinxSitemapConfig.__struct_fields__}


@pytest.fixture(autouse=True)
def modules_of_mkdocs() -> Iterator[None]:
    """Restore MkDocs after a block is checked: if ProperDocs is imported, it takes its place in the whole process."""
    finders, modules = [*sys.meta_path], dict(sys.modules)
    yield
    if any(finder not in finders for finder in sys.meta_path):
        sys.meta_path[:] = finders
        for name in [name for name in sys.modules if name.partition(".")[0] in {"mkdocs", "properdocs"}]:
            del sys.modules[name]
        sys.modules.update({name: modules[name] for name in modules if name.partition(".")[0] == "mkdocs"})


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_is_right(block: Block, conf_names: set[str]) -> None:
    assert block.kind in CHECKS, f"{block.page} has a block in an unknown language: {block.kind or 'none'}"
    if block.kind == "python":
        check_python(block.text, conf_names)
    else:
        CHECKS[block.kind](block.text)


@pytest.mark.parametrize("block", [each for each in BLOCKS if each.values[0].kind == "yaml"])
def test_options_in_yaml_are_followed_by_the_same_in_conf_py(block: Block) -> None:
    options = options_in(block.text)
    if not options or {block.page, f"{block.page}: {block.first_line}"} & {*YAML_ONLY}:
        return
    form = re.match(r"\n\nIn `conf\.py`:\n\n```python\n(.*?)^```$", block.rest, re.MULTILINE | re.DOTALL)
    assert form, "write 'In `conf.py`:' and the same options below it, or name the block in YAML_ONLY"
    names: dict[str, Any] = {}
    exec(form[1], names)  # noqa: S102  # our own manual
    assert read_settings(names["sitemap_options"]) == read_settings(options)


def test_every_exception_is_needed() -> None:
    found = {name for each in blocks() for name in (each.page, f"{each.page}: {each.first_line}")}
    assert {*YAML_ONLY} <= found


def options_in(text: str) -> Mapping[str, Any]:
    """Our options in YAML, if that is mkdocs.yml or nothing but options."""
    check = yaml_check(text)
    written = yaml_load(text) if check in {check_mkdocs, check_options} else {}
    if check is check_options:
        return written
    plugins = [each for each in written.get("plugins", ()) if isinstance(each, dict)]
    return next((each["sitemap"] for each in plugins if "sitemap" in each), {})


def yaml_check(text: str) -> Callable[[Any], None]:
    first = re.sub(r"^# .*\n", "", text).split(maxsplit=1)[0].rstrip(":")
    return YAML.get(first, check_options)


def check_yaml(text: str) -> None:
    check = yaml_check(text)
    check(text if check is check_front_matter else yaml_load(text))


def check_options(options: Mapping[str, Any]) -> None:
    settings, mistakes = read_settings(options)
    assert mistakes == []
    Draft7Validator(options_schema()).validate(as_json(options))
    defaults = structs.asdict(Settings())
    assert settings != Settings() or all(structs.asdict(defaults[name]).keys() >= {*options[name]} for name in options)


def check_mkdocs(values: Mapping[str, Any]) -> None:
    """MkDocs itself reads it, and so do all of its plugins."""
    config: Any = MkDocsConfig(config_file_path=str(Path("mkdocs.yml").absolute()))
    config.load_dict({"site_name": "Example", **values})
    assert config.validate() == ([], [])
    Draft7Validator(file_schema("mkdocs.yml")).validate(as_json(values))


def check_front_matter(text: str) -> None:
    check_page_values(yaml.safe_load(text.split("---\n")[1]))


def check_page_values(written: Mapping[str, Any]) -> None:
    values, notes = read_front_matter(structs.replace(PAGE, front_matter=written))
    assert (values != PageValues(), notes) == (True, [])


def check_read_the_docs(values: Mapping[str, Any]) -> None:
    assert {*values} <= {"version", "build", "mkdocs", "sphinx", "python"}
    assert {*values["build"]} <= {"os", "tools", "jobs", "commands"}
    check_commands(values["build"].get("commands", []))
    for job, lines in values["build"].get("jobs", {}).items():
        assert job in {"post_checkout", "pre_build", "post_build"}
        check_commands(lines)


def check_workflow(values: Mapping[Any, Any]) -> None:
    assert {*values} <= {"name", True, "permissions", "concurrency", "jobs"}  # YAML reads the key on as true
    for job in values["jobs"].values():
        check_steps(job["steps"])


def check_steps(steps: list[dict[str, Any]]) -> None:
    for step in steps:
        assert {*step} <= {"uses", "with", "id", "if", "run", "shell", "env"}
        used, _, version = step.get("uses", "actions/checkout@v4").partition("@")
        if used == "/".join((REPOSITORY or "OWNER/sitemap-plugins").split("/")[-2:]):
            assert version == f"v{sitemap_plugins.__version__}"
        else:
            assert re.fullmatch(r"actions/[\w/-]+@v\d+", f"{used}@{version}")
        if step.get("shell") == "python":
            compile(step["run"], "run", "exec")
        else:
            check_script(step.get("run", ""))


def check_hooks(values: Mapping[str, Any]) -> None:
    known = {each["id"]: each["entry"] for each in yaml_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))}
    ((hook,),) = (each["hooks"] for each in values["repos"])
    check_commands([shlex.join([*known[hook["id"]].split(), *hook["args"]])])


def check_script(text: str) -> None:
    """Lines of a shell: commands, which may be in ``$(…)`` or after ``if`` and ``then``, and variables that are set."""
    inside = re.compile(r"^\w+=\$\((.*)\)$")
    check_commands([line if (match := inside.match(line)) is None else match[1] for line in text.splitlines()])


def check_gitlab(values: Mapping[str, Any]) -> None:
    (job,) = values.keys() - {"variables"}
    assert {*values[job]} <= {"artifacts", "cache", "image", "rules", "script", "variables"}
    check_commands(values[job]["script"])


def check_makefile(text: str) -> None:
    """The recipes, each in the line of its target: a tab would not survive in the manual."""
    check_commands([recipe for _, mark, recipe in (line.partition(": ; ") for line in text.splitlines()) if mark])


def check_python(text: str, conf_names: set[str]) -> None:
    names: dict[str, Any] = {}
    exec(text, names)  # noqa: S102  # our own manual
    if "from sitemap_plugins import" in text:
        return
    names = {name: value for name, value in names.items() if name != "__builtins__" and not ismodule(value)}
    used = {name for name in names if re.search(rf"\b{name}\b(?! =)", text)}  # by the block itself
    assert {*names} <= conf_names | used
    assert [name for name in names.get("extensions", ()) if not importlib.util.find_spec(name)] == []
    if "sitemap_options" in names:
        check_options(names["sitemap_options"])


def check_toml(text: str) -> None:
    values = tomllib.loads(text)
    if "build" in values:
        assert {*values["build"]} == {"command", "publish", "environment"}
        check_commands([values["build"]["command"]])
    else:
        project = values.get("project", {"plugins": {"sitemap": values}})
        check_options(project["plugins"]["sitemap"])
        Draft7Validator(file_schema("zensical.toml")).validate(as_json(values))
        for name in project.get("markdown_extensions", ()):
            if "." in name:
                importlib.import_module(name)


def check_rst(text: str) -> None:
    env = SimpleNamespace(temp_data={})
    read_fields(SimpleNamespace(env=env), publish_doctree(text, settings_overrides={"halt_level": 2}))
    check_page_values(env.temp_data["sitemap"])


def check_xml(text: str) -> None:
    tree = etree.fromstring((text if text.startswith("<?xml") else URLSET.format(text)).encode())
    etree.RelaxNG(etree.parse(SCHEMA)).assertValid(tree)


def check_console(text: str) -> None:
    lines = text.splitlines()
    typed = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
    check_commands(typed or [line for line in lines if not line.startswith("INFO    -  ")])


def check_commands(lines: list[str]) -> None:
    """Every command in these lines of a shell is known, and has the options and arguments that it is given."""
    for line in lines:
        words = shlex.shlex(line, posix=True, punctuation_chars=True)
        words.commenters = "#"
        words.whitespace_split = True
        command: list[str] = []
        for word in [*words, "&&"]:
            if word in {"&&", "||", "|", ";"}:
                into_file = next((at for at, each in enumerate(command) if each in {">", ">>"}), len(command))
                command = command[:into_file]
                check_command(command[1:] if command[0] in {"do", "if", "then"} else command)
                command = []
            else:
                command.append(word)


def check_command(command: list[str]) -> None:
    program, *arguments = command
    if program == "python":
        if arguments[:2] == ["-m", "nox"]:
            sessions = re.findall(r"^def (\w+)\(session", (ROOT / "noxfile.py").read_text(), re.MULTILINE)
            assert arguments[3] in sessions
        elif arguments[0] == "-c":
            compile(arguments[1], "run", "exec")
        elif arguments[0] != "-m":
            assert (ROOT / arguments[0]).exists()
    elif program == "sphinx-build":
        get_parser().parse_args(arguments)
    elif program in CLICK:
        module, name = CLICK[program]
        parse(getattr(importlib.import_module(module), name), program, arguments)
    else:
        assert program in OTHER_PROGRAMS or re.match(r"\w+=", program)


def parse(group: click.Group, program: str, arguments: list[str]) -> None:
    """Parse a command line as click does, without running the command."""
    # A command keeps the names that its help has in the first context that it is used in.
    parent = click.Context(group, info_name=program, **group.context_settings)
    command = group.get_command(parent, arguments[0])
    assert command, f"{program} has no command {arguments[0]}"
    with command.make_context(arguments[0], arguments[1:], parent=parent):
        pass


CLICK = {
    "sitemap-plugins": ("sitemap_plugins.commands.main", "main"),
    "mkdocs": ("mkdocs.__main__", "cli"),
    "properdocs": ("properdocs.__main__", "cli"),
    "zensical": ("zensical.main", "cli"),
}
OTHER_PROGRAMS = {"mike", "sphinx-multiversion", "gh", "git", "curl", "pip", "validate-pyproject"}
# of the shell
OTHER_PROGRAMS |= {"[", "awk", "cat", "cd", "done", "fi", "for", "grep", "head", "mkdir", "mv", "sort", "stat", "true"}
YAML: Mapping[str, Callable[[Any], None]] = {
    "---": check_front_matter,
    "-": check_steps,
    "version": check_read_the_docs,
    "name": check_workflow,
    "variables": check_gitlab,
    "live": check_gitlab,
    "repos": check_hooks,
    "site_name": check_mkdocs,
    "site_url": check_mkdocs,
    "plugins": check_mkdocs,
    "markdown_extensions": check_mkdocs,
}
CHECKS: Mapping[str, Callable[[str], None]] = {
    "yaml": check_yaml,
    "python": str.strip,  # check_python also needs the names of conf.py
    "json": json.loads,
    "toml": check_toml,
    "console": check_console,
    "rst": check_rst,
    "xml": check_xml,
    "makefile": check_makefile,
    "text": str.strip,
}
