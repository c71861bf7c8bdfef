"""The schema for editors accepts what the plugin accepts, and refuses all but what the manual lists."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from sitemap_plugins.options import PageRule, PageValues, Settings, groups, media, read_settings, settings, types
from sitemap_plugins.options.schema import ConfigurationFile, file_schema, options_schema, schema_of
from sitemap_plugins.project import MANUAL
from tests.hosts.test_every_option import OPTIONS
from tests.options import test_media, test_settings
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
    "control characters": r"control character|\\\\n|\\\\x00",
    "devices": "device on Windows|robots.txt",
}


def find_pattern(_validator: object, pattern: str, value: object, _schema: object) -> Iterator[ValidationError]:
    """A regular expression as in JavaScript, where ``$`` is only the end; in Python, a line break may follow it."""
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


Validator = extend(Draft7Validator, {"pattern": find_pattern})
OF_OPTIONS = Validator(options_schema())


def as_json(value: Any) -> Any:
    """What an editor reads where MkDocs reads a date, or a key that is not text."""
    if isinstance(value, Mapping):
        return {str(name): as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [as_json(each) for each in value]
    return value.isoformat() if isinstance(value, date) else value


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
    for name, value, *_ in [*test_media.GOOD, *test_media.BAD]:
        yield {"pages": [{"match": "a", "videos": [{name: value}]}]}
    for name, (value, others) in VALUES.items():
        yield {**others, name: value}
    yield OPTIONS
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
    assert not OF_OPTIONS.is_valid(as_json(options)) or any(re.search(each, message) for each in ONLY_THE_PLUGIN.values())


WORDS = st.text(max_size=8) | st.text(" \n\u00e9#!*.:/\\,-_@{}[]0Aad", max_size=8)
NEAR = {name: [value for each, value, *_ in [*test_settings.GOOD] if each == name] for name in Settings.__struct_fields__}
TYPES = {
    each: None
    for module in (groups, media, settings, types)
    for each in vars(module).values()
    if isinstance(each, type) and hasattr(each, "parse") and each not in {types.PlainName, media.Restricted}
}


def values_like(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Values of the types that a schema names, some of which it accepts."""
    kinds = schema.get("type", [])
    found = [WORDS, st.none(), st.booleans(), st.integers()]
    if "pattern" in schema:
        found += [st.from_regex(schema["pattern"]), st.from_regex(schema["pattern"], fullmatch=True)]
    found += [st.sampled_from(schema["enum"])] if "enum" in schema else []
    if "array" in kinds:
        found.append(st.lists(values_like(schema["items"]), max_size=3))
    if "object" in kinds:
        known = {name: values_like(each) for name, each in schema.get("properties", {}).items()}
        found.append(st.fixed_dictionaries({}, optional=known))
        if schema.get("additionalProperties"):
            found.append(st.dictionaries(values_like(schema["propertyNames"]).filter(lambda name: isinstance(name, str)), values_like(schema["additionalProperties"]), max_size=2))
    return st.one_of(found)


@pytest.mark.parametrize("kind", TYPES)
@given(data=st.data())
def test_whatever_a_type_accepts_is_valid(kind: Any, data: st.DataObject) -> None:
    value = data.draw(values_like(kind.schema()))
    try:
        kind.parse(value)
    except ValueError:
        return
    Validator(kind.schema()).validate(value)
