"""Where options and settings are found, which file takes precedence, and the messages about unusable files."""

from __future__ import annotations

import os
from pathlib import Path
from unittest.mock import patch

import pytest
from mkdocs.config import load_config

from sitemap_plugins.folder.configuration import (
    Configuration,
    ConfigurationError,
    base_folders,
    enabled_extensions,
    read_configuration,
)
from sitemap_plugins.formats.data_reading import Opaque
from sitemap_plugins.options.settings import read_settings
from tests.builders import refuse_to_open

GZIP = {"gzip": True}
WITH_OPTIONS = {
    "sitemap.toml": "gzip = true\n",
    "pyproject.toml": "[tool.sitemap-plugins]\ngzip = true\n",
    "zensical.toml": '[project]\nsite_name = "x"\n[project.plugins.sitemap]\ngzip = true\n',
    "mkdocs.yml": "site_name: x\nplugins:\n  - search\n  - sitemap:\n      gzip: true\n",
}
PLACES = {
    "sitemap.toml": "sitemap.toml",
    "pyproject.toml": "pyproject.toml, [tool.sitemap-plugins]",
    "zensical.toml": "zensical.toml, [project.plugins.sitemap]",
    "mkdocs.yml": "mkdocs.yml, plugins: sitemap",
}


def read(folder: Path, files: dict[str, str | bytes], **environ: str) -> Configuration:
    """The configuration of a project with these files."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with patch.dict(os.environ, environ):
        return read_configuration(str(folder))


def problem(folder: Path, files: dict[str, str | bytes], **environ: str) -> str:
    """The error message for a project with these files."""
    with pytest.raises(ConfigurationError) as caught:
        read(folder, files, **environ)
    return str(caught.value)


@pytest.mark.parametrize("name", WITH_OPTIONS)
def test_options_are_read_from_each_place(name: str, tmp_path: Path) -> None:
    found = read(tmp_path, {name: WITH_OPTIONS[name]})
    assert found.options == GZIP
    assert found.options_from == PLACES[name]


IGNORED = 'sitemap_options = {"gzip": on, "ignored_findings": [{"rule": "gone", "reason": "x"}]}'


@pytest.mark.parametrize("name", ["conf.py", "docs/conf.py", "doc/source/conf.py"])
def test_findings_that_conf_py_ignores_are_read_and_nothing_is_run(name: str, tmp_path: Path) -> None:
    found = read(tmp_path, {name: f"raise SystemExit\non = f()\n{IGNORED}\n"})
    assert found.options == {"ignored_findings": [{"rule": "gone", "reason": "x"}]}
    assert found.options_from == f"{name}, sitemap_options"


def test_other_files_take_precedence_over_conf_py(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"sitemap.toml": "gzip = true\n", "conf.py": IGNORED}
    found = read(tmp_path, files)
    assert found.options == {**GZIP, "ignored_findings": [{"rule": "gone", "reason": "x"}]}
    assert found.options_from == "sitemap.toml and conf.py, sitemap_options"
    assert read(tmp_path, files | {"sitemap.toml": "ignored_findings = []\n"}).options == {"ignored_findings": []}


EXCLUDED = 'sitemap_options = {"gzip": on, "exclude": ["a.html"]}\n'


def test_what_conf_py_excludes_is_read_unless_another_generator_has_a_file(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {"docs/conf.py": EXCLUDED}
    found = read(tmp_path, files)
    assert (found.options, found.options_from) == ({"exclude": ["a.html"]}, "docs/conf.py, sitemap_options")
    assert not read(tmp_path, files | {"mkdocs.yml": "site_name: x\n"}).options


@pytest.mark.parametrize("written", ["['exclude'] = []", " = {'exclude': excluded}", " = dict(exclude=[])", " ="])
def test_what_conf_py_excludes_is_unknown_if_it_is_not_written_out(written: str, tmp_path: Path) -> None:
    assert not read(tmp_path, {"docs/conf.py": f"sitemap_options{written}\n"}).options


@pytest.mark.parametrize(
    "text",
    [
        "not Python",
        "sitemap_options = {f(): 1}  # ignored_findings\n",
        "# ignored_findings\n",
        "sitemap_options = {}  # ignored_findings\n",
    ],
)
def test_a_conf_py_without_ignored_findings_has_no_options(text: str, tmp_path: Path) -> None:
    assert not read(tmp_path, {"conf.py": text}).options


@pytest.mark.parametrize(
    "written", ["sitemap_options = {'ignored_findings': ignored}", "sitemap_options['ignored_findings'] = []"]
)
def test_ignored_findings_that_are_not_written_out_are_refused(written: str, tmp_path: Path) -> None:
    assert problem(tmp_path, {"docs/conf.py": f"\n{written}\n"}) == (
        "docs/conf.py, line 2: the file is not run, so ignored_findings must be a literal in the dict sitemap_options, "
        "without variables and calls; or write it in sitemap.toml"
    )


def test_a_project_without_any_file_has_no_options(tmp_path: Path) -> None:
    assert read(tmp_path, {"index.html": "<p>"}) == Configuration(root=str(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("mkdocs.yml", "plugins:\n  sitemap:\n    gzip: true\n", "mkdocs.yml, plugins: sitemap"),
        ("mkdocs.yaml", "plugins:\n  - /sitemap: {gzip: true}\n", "mkdocs.yaml, plugins: sitemap"),
        ("mkdocs.yml", "plugins:\n  - sitemap: {gzip: true, enabled: false}\n", "mkdocs.yml, plugins: sitemap"),
        ("mkdocs.yml", "plugins:\n  - sitemap: {gzip: !ENV [NO, ON, 0]}\n", "mkdocs.yml, plugins: sitemap"),
        ("mkdocs.yml", "plugins:\n  - sitemap\n", ""),
        ("mkdocs.yml", "plugins:\n  - sitemap:\n", ""),
        ("mkdocs.yml", "plugins: [search]\n", ""),
        ("mkdocs.yml", "plugins:\n", ""),
        ("zensical.toml", '[project]\nplugins = ["search", {sitemap = {gzip = true}}]\n', PLACES["zensical.toml"]),
        ("zensical.toml", "[plugins.sitemap]\ngzip = true\n", "zensical.toml, [plugins.sitemap]"),
        ("zensical.toml", "[project.plugins.search]\n", ""),
        ("pyproject.toml", '[project]\nname = "x"\n[tool]\n', ""),
    ],
)
def test_plugins_can_be_written_in_many_ways(name: str, text: str, place: str, tmp_path: Path) -> None:
    found = read(tmp_path, {name: text}, ON="yes")
    assert found.options_from == place
    assert found.options == (GZIP if place else {})


def test_the_same_options_in_two_files_are_no_contradiction(tmp_path: Path) -> None:
    found = read(tmp_path, {**WITH_OPTIONS})
    assert (found.options, found.options_from) == (GZIP, "sitemap.toml")


@pytest.mark.parametrize("name", [name for name in WITH_OPTIONS if name != "pyproject.toml"])
def test_different_options_in_two_files_are_refused(name: str, tmp_path: Path) -> None:
    said = problem(tmp_path, {name: WITH_OPTIONS[name], "pyproject.toml": "[tool.sitemap-plugins]\ntext = true\n"})
    assert PLACES[name] in said
    assert PLACES["pyproject.toml"] in said


def test_a_mention_without_options_does_not_hide_options_elsewhere(tmp_path: Path) -> None:
    found = read(tmp_path, {"zensical.toml": "[project.plugins.sitemap]\n", "mkdocs.yml": WITH_OPTIONS["mkdocs.yml"]})
    assert found.options_from == "mkdocs.yml, plugins: sitemap"


OF_GENERATORS: dict[str, str | bytes] = {
    name: f'site_dir{"=" if name.endswith(".toml") else ": "}"{name}"\n'
    for name in ("zensical.toml", "properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
}


def test_the_first_file_of_a_generator_counts(tmp_path: Path) -> None:
    """The order of properdocs.yml and mkdocs.yml is that of ProperDocs."""
    read(tmp_path, OF_GENERATORS)
    for name in OF_GENERATORS:
        found = read(tmp_path, {})
        assert found.file == str(tmp_path / name)
        assert (found.tool, found.project) == ("mkdocs" if "docs" in name else "zensical", {"site_dir": name})
        (tmp_path / name).unlink()


@pytest.mark.parametrize("name", ["mkdocs.yaml", "docs/en.yml", "zensical.de.toml"])
def test_another_file_of_a_generator_can_be_named(name: str, tmp_path: Path) -> None:
    options = "[plugins.sitemap]\ngzip = true\n" if name.endswith(".toml") else "plugins: [{sitemap: {gzip: true}}]\n"
    read(tmp_path, {**OF_GENERATORS, "zensical.toml": "plugins.sitemap.text = true", name: options})
    found = read_configuration(str(tmp_path / name))
    assert (found.options, found.file, found.root) == (GZIP, str(tmp_path / name), str((tmp_path / name).parent))
    assert found.tool == ("zensical" if name.endswith(".toml") else "mkdocs")
    (tmp_path / name).with_name("sitemap.toml").write_text("text = true\n")
    with pytest.raises(ConfigurationError, match="have different options"):
        read_configuration(str(tmp_path / name))


@pytest.mark.parametrize("name", ["pyproject.toml", "conf.py", "hugo.toml"])
def test_a_file_that_is_no_generator_s_cannot_be_named(name: str, tmp_path: Path) -> None:
    read(tmp_path, {name: ""})
    with pytest.raises(ConfigurationError) as caught:
        read_configuration(str(tmp_path / name))
    assert str(caught.value) == f"{name} is not a file of MkDocs, ProperDocs or Zensical: give the project's folder"


INHERITING: dict[str, str | bytes] = {
    "docs/en/mkdocs.yml": """\
INHERIT: !ENV [INSIDERS_FILE, ../base/mkdocs.no-insiders.yml]
site_name: FastAPI
site_url: !ENV [NOT_SET, SITE_URL, "https://fallback.example.org/"]
use_directory_urls: !ENV [DIRECTORIES, true]
site_dir: out
theme: {name: material, palette: {scheme: slate}}
plugins:
  search:
  sitemap: {gzip: true}
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
      emoji_generator: !!python/object/apply:os.system ["exit 1"]
""",
    "docs/base/mkdocs.no-insiders.yml": "INHERIT: more/mkdocs.yml\nplugins: {sitemap: {text: true, gzip: false}}\n",
    "docs/base/more/mkdocs.yml": """\
docs_dir: pages
site_name: Base
theme: {name: mkdocs, palette: {accent: red}}
markdown_extensions: [toc]
""",
}


def test_a_file_inherits_and_names_variables_and_python_objects(tmp_path: Path) -> None:
    read(tmp_path, INHERITING)
    found = read(tmp_path / "docs/en", {}, SITE_URL="https://docs.example.org/", DIRECTORIES="no")
    assert found.root == str(tmp_path / "docs/en")
    assert found.options == {"text": True, "gzip": True}
    assert found.project["theme"] == {"name": "material", "palette": {"accent": "red", "scheme": "slate"}}
    names = ("site_name", "docs_dir", "site_url", "use_directory_urls")
    assert [found.project[name] for name in names] == ["FastAPI", "pages", "https://docs.example.org/", False]
    tag = "tag:yaml.org,2002:python/"
    assert found.project["markdown_extensions"] == [
        {
            "pymdownx.emoji": {
                "emoji_index": Opaque(f"{tag}name:material.extensions.emoji.twemoji"),
                "emoji_generator": Opaque(f"{tag}object/apply:os.system"),
            }
        }
    ]


def test_settings_are_the_same_as_in_mkdocs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {name: text for name, text in INHERITING.items() if "apply" not in str(text)}
    text = str(INHERITING["docs/en/mkdocs.yml"])
    files["docs/en/mkdocs.yml"] = "".join(line for line in text.splitlines(keepends=True) if "apply" not in line)
    read(tmp_path, {**files, "docs/en/pages/index.md": "# Home\n"})
    monkeypatch.setenv("SITE_URL", "https://docs.example.org/x/")
    monkeypatch.setenv("DIRECTORIES", "off")
    mine, theirs = read_configuration(str(tmp_path / "docs/en")), load_config(str(tmp_path / "docs/en/mkdocs.yml"))
    assert mine.file == theirs.config_file_path
    assert mine.path("docs_dir", "docs") == theirs.docs_dir
    assert mine.path("site_dir", "site") == theirs.site_dir
    assert mine.project["site_url"] == theirs.site_url
    assert mine.project["use_directory_urls"] is theirs.use_directory_urls is False
    plugins = mine.project["plugins"]
    assert isinstance(plugins, dict)
    assert [*plugins] == ["sitemap", "search"]
    assert {name.removeprefix("material/") for name in theirs.plugins} == {*plugins}


def test_placeholders_of_mkdocs_stand_for_folders(tmp_path: Path) -> None:
    found = read(tmp_path, {"mkdocs.yml": "docs_dir: pages\na: !relative $config_dir/x\nb: !relative $docs_dir\n"})
    a, b = (found.project[name] for name in "ab")
    assert isinstance(a, Opaque)
    assert isinstance(b, Opaque)
    assert found.relative(a) == os.path.join(tmp_path, "x")
    assert Path(found.relative(b) or "") == tmp_path / "pages"
    assert found.relative(Opaque("!relative")) is None
    assert found.relative(Opaque("!other", "$docs_dir/x")) is None


@pytest.mark.parametrize("encoded", [b"\xef\xbb\xbfsite_dir: \xc3\xa9\n", "site_dir: é\r\n".encode("utf-16")])
def test_a_byte_order_mark_is_not_part_of_the_text(encoded: bytes, tmp_path: Path) -> None:
    assert read(tmp_path, {"mkdocs.yml": encoded}).project == {"site_dir": "é"}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"mkdocs.yml": "a: b\nc: ]\n"}, "mkdocs.yml, line 2: it cannot be read as YAML: "),
        ({"mkdocs.yml": "- a\n"}, "mkdocs.yml must have settings such as site_name: …, not a list"),
        ({"mkdocs.yml": b"a: b\nc: \xff\n"}, "mkdocs.yml, line 2: it is not text in UTF-8"),
        ({"mkdocs.yml": "plugins: 5\n"}, "mkdocs.yml: plugins must be a list or a mapping, not a number"),
        ({"mkdocs.yml": "plugins: [sitemap: 5]\n"}, "mkdocs.yml, plugins: sitemap: options must be a mapping"),
        ({"mkdocs.yml": "plugins: [sitemap, sitemap]\n"}, "mkdocs.yml: plugins names sitemap 2 times"),
        ({"mkdocs.yml": "INHERIT: no.yml\n"}, "mkdocs.yml: there is no no.yml"),
        ({"mkdocs.yml": "INHERIT: [a]\n"}, "mkdocs.yml: INHERIT must be the path of a file, not a list"),
        ({"mkdocs.yml": 'INHERIT: "a\\0b"\n'}, "a\0b is not the name of a file"),
        ({"mkdocs.yml": "INHERIT: mkdocs.yml\n"}, "mkdocs.yml: INHERIT leads through 20 files"),
        ({"mkdocs.yml": "INHERIT: b.yml\n", "b.yml": "a: b: c"}, "b.yml, line 1: it cannot be read as YAML"),
        ({"zensical.toml": "a = " + "[" * 9999}, "zensical.toml: its values are nested too deeply"),
        ({"zensical.toml": "\n" + "a." * 9999 + "a = 1"}, "zensical.toml, line 2: a key has a hundred parts or more"),
        ({"zensical.toml": "a = \n"}, "zensical.toml: it is not TOML: Invalid value (at line 1, column 5)"),
        ({"zensical.toml": "project = 5\n"}, "zensical.toml: project must be a table, [project], not a number"),
        (
            {"zensical.toml": "[project.plugins]\nsitemap = 5\n"},
            "zensical.toml, [project.plugins.sitemap]: options must",
        ),
        ({"pyproject.toml": "[tool]\nsitemap-plugins = 5\n"}, "pyproject.toml, [tool.sitemap-plugins]: options must"),
        ({"sitemap.toml": "[sitemap]\ngzip = true\n"}, "sitemap.toml: write the options at the top level, without"),
        ({"sitemap.toml": " " * (5 << 20)}, "sitemap.toml cannot be read: it is larger than 4 MiB"),
    ],
)
def test_unusable_files_are_named(files: dict[str, str | bytes], said: str, tmp_path: Path) -> None:
    assert problem(tmp_path, files).startswith(said)


def test_an_unreadable_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read(tmp_path, {"mkdocs.yml": "site_name: x\n"})
    refuse_to_open(tmp_path / "mkdocs.yml", monkeypatch)
    assert problem(tmp_path, {}) == "mkdocs.yml cannot be read: Permission denied"


def test_values_of_unknown_yaml_types_are_mistakes_not_failures(tmp_path: Path) -> None:
    text = (
        "plugins: [sitemap: {exclude: !x y, indent: !x y, feeds: !x y, 5: a, ? 2024-01-31 : a, !x y: a, pages: [!x y]}]"
    )
    found = read(tmp_path, {"mkdocs.yml": text})
    _, mistakes = read_settings(found.options)
    assert len(mistakes) == 7


@pytest.mark.parametrize(
    "secret",
    ["hunter2", "'hunter2'", "[hunter2]", "5 # hunter2", "*hunter2", "!!int hunter2", "!hunter2", "{a: {hunter2: ]"],
)
def test_no_content_of_another_file_is_shown(secret: str, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(secret)
    said = problem(tmp_path / "docs", {"mkdocs.yml": "INHERIT: ../secret\n"})
    assert "../secret" in said
    assert "hunter2" not in said


@pytest.mark.parametrize("value", ["5", '""', "[a]", "!!python/name:os.sep", '"a\\0b"'])
def test_an_invalid_path_of_a_folder_is_named(value: str, tmp_path: Path) -> None:
    found = read(tmp_path, {"mkdocs.yml": f"docs_dir: {value}\n"})
    with pytest.raises(ConfigurationError, match=r"^mkdocs\.yml: docs_dir must be the path of a folder, not"):
        found.path("docs_dir", "docs")


CONFIGURATIONS = {
    "mkdocs.yml": """
markdown_extensions:
- toc
- pymdownx.snippets: {base_path: [docs, !relative $config_dir/parts, 5]}
- mdx_include: {base_path: docs}
- [odd]
plugins:
- macros: {include_dir: tables}
- macros: {include_dir: 5}
- table-reader: {data_path: data}
docs_dir: pages
""",
    "zensical.toml": """
[project.markdown_extensions.toc]
[project.markdown_extensions.pymdownx.snippets]
base_path = ["docs", "parts"]
[project.markdown_extensions.mdx_include]
[project.markdown_extensions.zensical.extensions.macros]
include_dir = "inc"
[project.markdown_extensions.zensical.extensions.table_reader]
data_path = "data"
""",
}


@pytest.mark.parametrize("file", CONFIGURATIONS)
def test_extensions_and_their_folders(file: str, tmp_path: Path) -> None:
    configuration = read(tmp_path, {file: CONFIGURATIONS[file]})
    enabled = enabled_extensions(configuration)
    assert enabled is not None
    assert {"toc", "pymdownx.snippets", "mdx_include", "table-reader"} <= enabled.keys()
    assert "markdown_include_variants" not in enabled
    folders = [os.path.relpath(folder, tmp_path) for folder in base_folders(configuration)]
    assert folders == (
        ["docs", "parts", "tables", "data", "pages/data"]
        if file == "mkdocs.yml"
        else ["docs", "parts", ".", "inc", "data", "docs/data"]
    )


@pytest.mark.parametrize("text", ["", "markdown_extensions: 5", "markdown_extensions:"])
def test_extensions_that_are_not_named_are_unknown(text: str, tmp_path: Path) -> None:
    configuration = read(tmp_path, {"mkdocs.yml": text})
    assert enabled_extensions(configuration) is None
    assert base_folders(configuration) == [str(tmp_path)]
