"""Which tool makes the redirects of a site."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest
from sphinx_reredirects import REDIRECT_FILE_DEFAULT_TEMPLATE
from sphinxext.rediraffe import DEFAULT_REDIRAFFE_TEMPLATE

from sitemap_plugins.diff.redirect_tools import (
    ProjectError,
    RedirectTool,
    tool_of_folder,
    tool_of_plugins,
    tool_of_sphinx,
    tool_of_stub,
)


def enabled(name: str) -> list[Mapping[str, object]]:
    """The options of the plugins of a project."""
    return [{"redirect_maps": {"a.md": "b.md", "c.md": ["d.md"], 1: "e.md"}}, {}] if name == "redirects" else []


def test_the_generator_tells_mkdocs_and_zensical_apart() -> None:
    redirects = {"a.md": "b.md"}
    assert tool_of_plugins("mkdocs.yml", enabled, "mkdocs-1.6.1, mkdocs-material-9.8.1") == RedirectTool(
        name="mkdocs-redirects", syntax="yaml", file="mkdocs.yml", redirects=redirects
    )
    assert tool_of_plugins("mkdocs.yml", enabled, "zensical-0.0.61") == RedirectTool(
        name="zensical", syntax="yaml", file="mkdocs.yml", redirects=redirects, version="0.0.61"
    )
    assert tool_of_plugins("zensical.toml", enabled) == RedirectTool(
        name="zensical", syntax="toml", file="zensical.toml", redirects=redirects, version=version("zensical")
    )
    assert tool_of_plugins("mkdocs.yml", lambda _: []) is None


def test_stubs_show_which_tool_made_them() -> None:
    package = find_spec("mkdocs_redirects")  # importing the plugin changes how MkDocs logs
    assert package is not None
    mkdocs = Path(str(package.origin)).with_name("plugin.py").read_text(encoding="utf-8")
    assert tool_of_stub(mkdocs) == RedirectTool(name="mkdocs-redirects", syntax="yaml")
    reredirects = RedirectTool(name="sphinx-reredirects", syntax="python")
    assert tool_of_stub(REDIRECT_FILE_DEFAULT_TEMPLATE.replace("${to_uri}", "new.html#x")) == reredirects
    assert tool_of_stub(DEFAULT_REDIRAFFE_TEMPLATE.render(rel_url="new.html")) == RedirectTool(
        name="rediraffe", syntax="rediraffe"
    )


@pytest.mark.parametrize(
    "page",
    [
        "",
        "<html><head><title>Guide</title></head><body>You should have been redirected.</body></html>",
        # sphinx-reredirects before 1.0, or anyone
        '<html><head><meta http-equiv="refresh" content="0; url=new.html"></head></html>',
        # mike and Docusaurus
        '<title>Redirecting</title><noscript><meta http-equiv="refresh" content="1; url=1.0/" /></noscript>',
        '<!DOCTYPE html><html><head><meta charset="UTF-8"><meta http-equiv="refresh" content="0; url=/new/"></head></html>',
    ],
)
def test_other_stubs_show_nothing(page: str) -> None:
    assert tool_of_stub(page) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("extensions = ['sphinx_reredirects']", ("sphinx-reredirects", "python", "conf.py")),
        ('extensions = ["myst_parser"]\nextensions += ["sphinxext.rediraffe"]', ("rediraffe", "python", "conf.py")),
        ("extensions: list[str] = []\nif True:\n    extensions.append('sphinx_reredirects')\nraise SystemExit",
         ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = 'meta/moved.txt'",
         ("rediraffe", "rediraffe", "meta/moved.txt")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = {'a.rst': 'b.rst'}",
         ("rediraffe", "python", "conf.py")),
        ("extensions = ['sphinxext.rediraffe']\nrediraffe_redirects = '../../moved.txt'", ("rediraffe", "rediraffe", "")),
        ("extensions = ['sphinxext.rediraffe', 'sphinx_reredirects']\nredirects = {}",
         ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = ['sphinx_reredirects', 'sphinxext.rediraffe']\nrediraffe_redirects = read()",
         ("rediraffe", "python", "conf.py")),
        ("a.b = c[0], d = 1, 2\nextensions = ['sphinx_reredirects']", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nextensions.extend(['sphinx_reredirects'])", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nextensions.insert(0, 'sphinx_reredirects')", ("sphinx-reredirects", "python", "conf.py")),
        ("extensions = []\nothers = ['sphinx_reredirects']", None),
        ("extensions = []\napp.config.append('sphinx_reredirects')\nextensions.remove('sphinxext.rediraffe')", None),
        (r"extensions = ['sphinx.ext.autodoc']; path = '\d'; 'sphinx_reredirects'", None),
    ],
)  # fmt: skip
def test_conf_py_is_read_and_not_run(tmp_path: Path, text: str, expected: tuple[str, str, str] | None) -> None:
    (tmp_path / "conf.py").write_text(text, encoding="utf-8")
    found = tool_of_sphinx(str(tmp_path))
    if expected is None:
        assert found is None
    else:
        name, syntax, file = expected
        assert found is not None
        assert (found.name, found.syntax, Path(found.file)) == (name, syntax, tmp_path / file if file else Path())
        assert found.documents == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("sphinx_reredirects", {"old": "new.html"}),
        ("sphinxext.rediraffe", {"a b.rst": "b.rst", "c.rst": "d e", "v1.1": "d.rst"}),
    ],
)
def test_the_redirects_that_a_project_has_are_read(text: str, expected: dict[str, str], tmp_path: Path) -> None:
    redirects = 'redirects = {"old": "new.html", "odd": name, **others}\nrediraffe_redirects = "moved.txt"\n'
    (tmp_path / "conf.py").write_text(f"extensions = ['{text}']\n{redirects}", encoding="utf-8")
    moved = b'# x y\r\n "a b.rst"  "b.rst"\nc.rst\t\'d e\'\n\nodd\nv1.1 d.rst\n\xff\n'
    (tmp_path / "moved.txt").write_bytes(moved)
    found = tool_of_sphinx(str(tmp_path))
    assert found is not None
    assert found.redirects == expected
    (tmp_path / "moved.txt").unlink()
    found = tool_of_sphinx(str(tmp_path))
    assert found is not None
    assert found.redirects == (expected if "old" in expected else {})


@pytest.mark.parametrize(
    "content", [b"extensions = [", b"x = '\0'", b"x = " + b"(" * 5000, b"x = " + b"-" * 100_000 + b"1", b"\xff"]
)
def test_a_hostile_conf_py_is_one_message(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "conf.py").write_bytes(content)
    with pytest.raises(ProjectError) as caught:
        tool_of_sphinx(str(tmp_path))
    message = str(caught.value).removeprefix(str(tmp_path / "conf.py"))
    assert re.fullmatch(r"(, line 1)?: (it is not (Python|text in UTF-8)|it cannot be read as Python).*", message)


def test_a_huge_conf_py_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_bytes(b"#" * (5 << 20))
    with pytest.raises(ProjectError, match=r"conf\.py cannot be read: it is larger than 4 MiB"):
        tool_of_sphinx(str(tmp_path))


def test_a_folder_without_these_files_has_no_tool(tmp_path: Path) -> None:
    assert tool_of_sphinx(str(tmp_path)) is None
    assert tool_of_folder(str(tmp_path)) is None
    (tmp_path / "_redirects").touch()
    assert tool_of_folder(str(tmp_path)) == RedirectTool(
        name="_redirects", syntax="_redirects", file=str(tmp_path / "_redirects")
    )
    (tmp_path / "_redirects").write_text("/a/ /b/ 301\n/x/* /y/ 301\n/x/a /z/\n/c /d 200\n", encoding="ascii")
    rules = tool_of_folder(str(tmp_path))
    assert rules is not None
    assert rules.redirects == {"/a/": "/b/", "/x/a": "/y/"}
    (tmp_path / "index.html").touch()  # a built site
    assert tool_of_folder(str(tmp_path)) is None
