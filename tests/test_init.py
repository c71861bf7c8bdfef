"""The public names, imported only when they are used, and what all values in the model have in common."""

import ast
import dataclasses
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

import sitemap_plugins
from sitemap_plugins import media, model

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


NOUNS = [
    value
    for module in (model, media)
    for value in vars(module).values()
    if isinstance(value, type)
    and value.__module__ == module.__name__
    and (dataclasses.is_dataclass(value) or issubclass(value, msgspec.Struct))
]
BY_POSITION = {model.GzipOf}


def fields_of(noun: Any) -> tuple[str, ...]:
    """The names of the fields of a struct or a dataclass."""
    if issubclass(noun, msgspec.Struct):
        return noun.__struct_fields__
    return tuple(field.name for field in dataclasses.fields(noun))


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_values_are_frozen_and_have_no_other_attributes(noun: Any) -> None:
    names = fields_of(noun)
    value = noun(**dict.fromkeys(names))
    for name in (names[0], names[-1]):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            delattr(value, name)
    with pytest.raises((AttributeError, TypeError)):
        value.something_else = 1
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_values_are_made_by_keyword_and_compared_by_content(noun: Any) -> None:
    values = {name: (name,) for name in fields_of(noun)}
    if noun not in BY_POSITION:
        with pytest.raises(TypeError):
            noun(*values.values())
    assert noun(**values) == noun(**values)
    assert noun(**values) != noun(**dict.fromkeys(values))
    assert hash(noun(**values)) == hash(noun(**values))


@pytest.mark.parametrize("noun", [model.Entry, media.Image, media.Video, media.News])
def test_values_that_authors_change_in_hooks_are_dataclasses(noun: Any) -> None:
    value = noun(**dict.fromkeys(fields_of(noun)))
    name = fields_of(noun)[0]
    assert getattr(dataclasses.replace(value, **{name: "new"}), name) == "new"
