"""The public names, which are imported only when they are used."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import sitemap_plugins

SOURCE = ast.parse(Path(sitemap_plugins.__file__).read_text(encoding="utf-8"))
# The declarations for type checkers: ``from sitemap_plugins.<module> import <name>``.
DECLARED = {
    alias.name: node.module
    for block in SOURCE.body
    if isinstance(block, ast.If)
    for node in block.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}


def test_importing_the_package_imports_no_host_and_no_engine() -> None:
    program = (
        "import sys; import sitemap_plugins; "
        "print(sorted(name for name in sys.modules if name.startswith('sitemap_plugins'))); "
        "print(sorted({'docutils', 'mkdocs', 'msgspec', 'pathspec', 'selectolax', 'sphinx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["['sitemap_plugins']", "[]"]


def test_using_a_name_imports_its_module_and_no_host() -> None:
    program = (
        "import sys; import sitemap_plugins; sitemap_plugins.build; "
        "print('sitemap_plugins.pipeline' in sys.modules, sorted({'docutils', 'mkdocs', 'sphinx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "True []"


@pytest.mark.parametrize(("name", "module"), DECLARED.items())
def test_public_names_match_their_type_declarations(name: str, module: str) -> None:
    assert getattr(sitemap_plugins, name) is getattr(import_module(module), name)


def test_all_public_names_are_declared_and_listed() -> None:
    assert set(sitemap_plugins.__all__) == set(DECLARED) > set(sitemap_plugins._ELSEWHERE)
    assert len(sitemap_plugins.__all__) == len(set(sitemap_plugins.__all__))
    assert set(dir(sitemap_plugins)) == {*DECLARED, "__version__"}


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'sitemap_plugins' has no attribute 'biuld'"):
        sitemap_plugins.biuld  # noqa: B018  # the access is the test
