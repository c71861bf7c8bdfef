"""The schema for editors accepts what the plugin accepts, and refuses all but what the manual lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from sitemap_plugins.options import settings, types
from sitemap_plugins.options.schema import ConfigurationFile, file_schema, options_schema, schema_of
from sitemap_plugins.options.settings import PageValues, Settings, read_settings
from sitemap_plugins.project import MANUAL
from tests.builders import as_json
from tests.hosts.test_every_option import OPTIONS
from tests.options import test_settings, test_types
from tests.session.test_every_option import VALUES

DOCS = Path(__file__).parents[2] / "docs"

# What only the plugin refuses, as docs/editor.md lists it, with words of the messages.
ONLY_THE_PLUGIN = {
    "depends on another option": "is also the value of|are the same file|unknown section|cannot be combined",
    "language codes": "language code|country code",
    "URLs": "local address",
    "days": "is not a date like",
    "globs and CSS selectors": "Invalid git pattern|is not a CSS selector",
    "too long": "at most",
    "control characters": r"control character|\\n|\\x00",
    "devices": "device on Windows|robots.txt",
}


def find_pattern(_validator: object, pattern: str, value: object, _schema: object) -> Iterator[ValidationError]:
    """A regular expression as in JavaScript, where ``$`` is only the end; in Python, a line break may follow it."""
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


Validator = extend(Draft7Validator, {"pattern": find_pattern})
OF_OPTIONS = Validator(options_schema())


def is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):  # a function, not a number, or a number with more than 4300 digits
        return False
    return True


def examples() -> Iterator[Mapping[str, object]]:
    """Literal options of other tests, valid and invalid ones."""
    for name, value, *_ in [*test_settings.GOOD, *test_settings.BAD]:
        yield {name: value}
    for name, value, *_ in [*test_types.GOOD_MEDIA, *test_types.BAD_MEDIA]:
        yield {"pages": [{"match": "a", "videos": [{name: value}]}]}
    for name, (value, others) in VALUES.items():
        yield {**others, name: value}
    yield OPTIONS
    yield {"filename": "Nul.xml"}
    yield dict.fromkeys(Settings.__struct_fields__)
    yield {}


EXAMPLES = [(options, read_settings(options)[1]) for options in examples() if is_json(as_json(options))]
VALID = [options for options, mistakes in EXAMPLES if not mistakes]
INVALID = [(options, str(mistakes[0])) for options, mistakes in EXAMPLES if mistakes]


@pytest.mark.parametrize("options", VALID, ids=str)
def test_what_the_plugin_accepts_is_valid(options: Mapping[str, object]) -> None:
    OF_OPTIONS.validate(as_json(options))


@pytest.mark.parametrize(("options", "message"), INVALID, ids=str)
def test_what_the_plugin_refuses_is_invalid_or_of_a_kind_that_the_manual_lists(
    options: Mapping[str, object], message: str
) -> None:
    is_listed = any(re.search(each, message) for each in ONLY_THE_PLUGIN.values())
    assert is_listed or not OF_OPTIONS.is_valid(as_json(options))


@pytest.mark.parametrize(("words", "messages"), ONLY_THE_PLUGIN.items())
def test_what_the_manual_lists_is_valid_but_the_plugin_refuses_it(words: str, messages: str) -> None:
    assert words in (DOCS / "editor.md").read_text(encoding="utf-8").partition("only a build can check")[2]
    assert any(re.search(messages, message) and OF_OPTIONS.is_valid(as_json(options)) for options, message in INVALID)


@pytest.mark.parametrize("name", Settings.__struct_fields__)
def test_every_option_is_explained_with_the_address_of_its_manual(name: str) -> None:
    described = options_schema()["properties"][name]
    assert "description" in described, f"run python -m nox -s reference, after docs/options.md has a section for {name}"
    sentence, _, address = described["description"].partition("\n\n")
    assert re.fullmatch(r"[^`\n]{10,250}\.", sentence)
    assert address == f"{MANUAL}options/#{name}"
    assert described["markdownDescription"].replace("`", "") == f"{sentence} [Manual]({address})"


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
def test_every_value_of_a_rule_is_explained(name: str) -> None:
    assert options_schema()["properties"]["pages"]["items"]["properties"][name]["description"]


def test_an_option_without_a_schema_is_an_error() -> None:
    class Word(str):
        __slots__ = ()
        parse = str

    class Words(msgspec.Struct):
        parse = str

    for kind in (Word, Words, Word | None, tuple[Word, ...], bool | Word, bytes):
        with pytest.raises(TypeError, match="has no schema"):
            schema_of(kind)


@pytest.mark.parametrize("file", get_args(ConfigurationFile))
def test_the_schema_of_a_file_is_a_valid_one(file: ConfigurationFile) -> None:
    schema = file_schema(file)
    Draft7Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema


INSIDE = {
    "sitemap.toml": ["{}"],
    "pyproject.toml": ['{"tool": {"sitemap-plugins": {}, "ruff": {"select": 5}}, "project": 5}'],
    "zensical.toml": [
        '{"project": {"plugins": {"sitemap": {}, "search": 5}, "site_name": 5}}',
        '{"project": {"plugins": ["search", {"sitemap": {}}]}}',
        '{"plugins": {"sitemap": {}}}',
    ],
    "mkdocs.yml": ['{"plugins": ["search", {"tags": 5}, {"sitemap": {}}]}', '{"plugins": {"sitemap": {}}, "nav": 5}'],
}


@pytest.mark.parametrize(("file", "around"), [(file, each) for file, texts in INSIDE.items() for each in texts])
def test_a_file_is_checked_where_our_options_are(file: ConfigurationFile, around: str) -> None:
    validator = Validator(file_schema(file))
    place = "{}" if file == "sitemap.toml" else '"sitemap-plugins": {}' if file == "pyproject.toml" else '"sitemap": {}'
    for options, is_valid in {'{"gzip": "only"}': True, '{"gzip": "onyl"}': False, '{"gizp": true}': False}.items():
        assert validator.is_valid(json.loads(around.replace(place, place.replace("{}", options)))) is is_valid


@pytest.mark.parametrize("file", [each for each in INSIDE if each != "sitemap.toml"])
def test_values_that_are_not_ours_are_not_checked(file: ConfigurationFile) -> None:
    for values in ({"plugins": None}, {"plugins": [5]}, {"project": 5}, {"tool": 5}, 5):
        Validator(file_schema(file)).validate(values)


@pytest.mark.parametrize("plugin", ["sitemap", {"sitemap": None}, {"sitemap": {"enabled": False}}])
def test_a_plugin_may_have_no_options_or_be_disabled(plugin: object) -> None:
    for file in ("mkdocs.yml", "zensical.toml"):
        plugins = {"plugins": ["search", plugin]}
        Validator(file_schema(file)).validate(plugins if file == "mkdocs.yml" else {"project": plugins})


def test_only_true_and_false_enable_a_plugin() -> None:
    assert not Validator(file_schema("mkdocs.yml")).is_valid({"plugins": [{"sitemap": {"enabled": "no"}}]})


KINDS = {
    each
    for module in (settings, types)
    for each in vars(module).values()
    if isinstance(each, type) and hasattr(each, "parse") and each not in {types.PlainName, settings.Restricted}
}


def parts_of(value: object) -> Iterator[object]:
    """The value and everything in it."""
    yield value
    parts = [*value, *value.values()] if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    for part in parts:
        yield from parts_of(part)


PARTS = [part for options, _ in EXAMPLES for part in parts_of(as_json(options))]


def accepts(kind: Any, value: object) -> bool:
    try:
        kind.parse(value)
    except ValueError:
        return False
    return True


def edited(value: Any, data: st.DataObject) -> Any:
    """The value with a text inserted somewhere."""
    if isinstance(value, str):
        at = data.draw(st.integers(0, len(value)))
        return value[:at] + data.draw(st.sampled_from([*" \n.,:;*!#@/\\{}aé1-", "", "{path}"])) + value[at:]
    if isinstance(value, list):
        return [edited(each, data) for each in value]
    return {name: edited(each, data) for name, each in value.items()} if isinstance(value, Mapping) else value


ACCEPTED = {kind: [part for part in PARTS if accepts(kind, part)] for kind in sorted(KINDS, key=str)}


@pytest.mark.parametrize("kind", ACCEPTED)
@given(data=st.data())
def test_whatever_a_type_accepts_is_valid(kind: Any, data: st.DataObject) -> None:
    value = edited(data.draw(st.sampled_from(ACCEPTED[kind])), data)
    if accepts(kind, value):
        Validator(kind.schema()).validate(value)
