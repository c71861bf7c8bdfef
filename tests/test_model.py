"""Common properties of all values in the model."""

import dataclasses
from typing import Any

import msgspec
import pytest

from sitemap_plugins import media, model

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
