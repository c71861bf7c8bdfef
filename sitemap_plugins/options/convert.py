"""Convert configuration values to typed values, field by field, so that one mistake does not hide another."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec

from sitemap_plugins.values.text import closest, did_you_mean, join_words, short_repr

# Patterns for mistakes are compiled only if there are mistakes.
_EXPECTED: Final = r"Expected `(?P<wanted>[^`]+)`|Number out of range"
_TOO_MANY: Final = r"Expected `array` of length <= (?P<most>\d+)"
_WORDS: Final = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "a whole number",
    "object": "a mapping",
    "str": "text",
}
_Struct = TypeVar("_Struct", bound=msgspec.Struct)
BOOLEANS: Final[Mapping[str, bool]] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
"""The words for true and false, for hosts whose values are all text."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What other code has to know about an option, declared at its field.

    ``words`` say in the manual what can be written, if the type does not. ``in_preview`` is the value in a preview,
    which announces nothing: the default, or what `bool` gives, which drops words such as ``separate``.
    ``reads_content`` says that the option needs the content of each page, not only its head. ``needs`` is another
    option, as authors write it, without which this one has no effect.
    """

    words: str = ""
    in_preview: Literal["default", "bool"] | None = None
    reads_content: bool = False
    needs: str = ""


class Mistake(msgspec.Struct, frozen=True):
    """A wrong value: ``where`` it is (``pages[2].priority``), and what is wrong and what is allowed."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


def convert_fields(
    values: Mapping[Any, object], struct: type[msgspec.Struct], *, where: str = "", lax: bool = False
) -> tuple[dict[str, Any], list[Mistake]]:
    """Return the values that fit the fields of ``struct``, and a `Mistake` for each other value and unknown name.

    A mapping keeps its valid values if others in it are wrong. ``where`` is the prefix of the mistakes' places.
    ``lax`` reads numbers, booleans and lists of mappings from text (reStructuredText field lists have only text) and
    ignores the case of words. A value of None means that the field is not set.
    """
    fields = fields_of(struct)
    converted: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for name, value in values.items():
        word = short_repr(name) if not isinstance(name, str) else name
        place = f"{where}.{word}" if where else word
        if name not in fields:
            mistakes.append(Mistake(place, "unknown key" + did_you_mean(word, fields)))
        elif value is not None:
            item, found = _convert(value, fields[name][0], place, lax=lax)
            mistakes += found
            if item is not None:
                converted[name] = item
    return converted, mistakes


@cache
def fields_of(struct: type[msgspec.Struct]) -> Mapping[str, tuple[Any, Facts]]:
    """The types of a struct's fields by name, with the facts that are declared there.

    They are cached, because resolving annotations takes longer than any conversion.
    """
    return {field.name: _split(field.type) for field in msgspec.structs.fields(struct)}


@cache
def required_of(struct: type[msgspec.Struct]) -> tuple[str, ...]:
    """The names of a struct's fields that have no default, so that authors have to set them."""
    return tuple(field.name for field in msgspec.structs.fields(struct) if field.required)


def _split(declared: Any) -> tuple[Any, Facts]:
    metadata = getattr(declared, "__metadata__", ())
    if metadata and isinstance(metadata[-1], Facts):
        bounds = metadata[:-1]
        return Annotated[(declared.__origin__, *bounds)] if bounds else declared.__origin__, metadata[-1]
    return declared, Facts()


def _convert(value: object, wanted: Any, place: str, *, lax: bool) -> tuple[Any, list[Mistake]]:  # noqa: PLR0911  # one line for each kind of type
    # The type and the members of its union, without the types of the items of a list or mapping.
    parts = (wanted,) if get_origin(wanted) in {dict, tuple} else (wanted, *get_args(wanted))
    for part in parts:
        if hasattr(part, "parse"):
            return _parse_whole(value, part, place, lax=lax)
        if isinstance(part, type(msgspec.Struct)):
            return _convert_struct(value, part, place, lax=lax)
        if get_origin(part) is tuple and isinstance(get_args(part)[0], type(msgspec.Struct)):
            return convert_structs(value, get_args(part)[0], place, lax=lax)
        if get_origin(part) is dict and isinstance(value, Mapping):
            return _convert_mapping(value, part, place, lax=lax)
    if lax and isinstance(value, str):
        value = _read_word(value, wanted)
    if isinstance(value, str) and any(get_origin(part) is tuple for part in parts):
        value = (value,)
    try:
        return msgspec.convert(value, wanted, strict=not lax, dec_hook=lambda part, item: part.parse(item)), []
    except msgspec.ValidationError as error:
        inner = re.search(r" - at `\$(?P<place>[^`]*)`$", str(error))
        message = str(error)[: inner.start()] if inner else str(error)
        index = inner["place"] if inner else ""
        wrong = value[int(index.strip("[]"))] if index and isinstance(value, Sequence) else value
        return None, [Mistake(place + index, _explain(message, wrong, wanted))]
    except UnicodeError:
        return None, [Mistake(place, f"{short_repr(value)} cannot be encoded as UTF-8")]


def _parse_whole(value: object, parser: Any, place: str, *, lax: bool) -> tuple[Any, list[Mistake]]:
    try:
        return parser.parse(value.strip() if lax and isinstance(value, str) else value), []
    except ValueError as error:
        return None, [Mistake(place, str(error))]


def _convert_struct(
    value: object, struct: type[_Struct], place: str, *, lax: bool
) -> tuple[_Struct | None, list[Mistake]]:
    shorthand = getattr(struct, "SHORTHAND", None)
    if shorthand and isinstance(value, str | list | tuple):
        value = {shorthand: value}
    if not isinstance(value, Mapping):
        return None, [Mistake(place, f"{short_repr(value)} is not a mapping; {_hint(struct)}")]
    converted, found = convert_fields(value, struct, where=place, lax=lax)
    if missing := [name for name in required_of(struct) if name not in converted]:
        return None, found or [Mistake(place, f"{join_words(missing)} must be set; {_hint(struct)}")]
    try:
        return struct(**converted), found
    except ValueError as error:
        return None, found or [Mistake(place, str(error))]


def _hint(struct: type[msgspec.Struct]) -> str:
    """What to write in place of a value that is not this struct."""
    example = getattr(struct, "EXAMPLE", "")
    return f"write {example}" if example else f"valid names are {join_words(fields_of(struct))}"


def _convert_mapping(
    values: Mapping[Any, object], mapping: Any, place: str, *, lax: bool
) -> tuple[dict[str, Any], list[Mistake]]:
    """The items whose names and values are valid. The type of names may be ``Annotated`` with the one that parses them.

    A name that is not text is parsed in the form in which messages show it.
    """
    kind, wanted = get_args(mapping)
    good: dict[str, Any] = {}
    mistakes: list[Mistake] = []
    for written, value in values.items():
        name = written if isinstance(written, str) else short_repr(written)
        where = f"{place}.{name}"
        item, found = _convert(value, wanted, where, lax=lax)
        try:
            for parser in getattr(kind, "__metadata__", ()):
                name = str(parser.parse(name))
        except ValueError as error:
            found = [Mistake(where, str(error)), *found]
        if name in good:  # only codes of languages have several spellings
            found = [*found, Mistake(where, f"there are two {place} with the code {name}")]
        mistakes += found
        good |= {} if found else {name: item}
    return good, mistakes


def convert_structs(
    value: object, struct: type[_Struct], place: str, *, lax: bool
) -> tuple[tuple[_Struct, ...] | None, list[Mistake]]:
    """Convert a list of mappings to structs; also return every mistake in them.

    If one of them is wrong, ``lax`` keeps the others: the front matter of a page counts as far as it is valid, but an
    option of the site has to be fixed. ``lax`` also reads JSON.
    """
    if lax and isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None, [Mistake(place, f"{short_repr(value)} is not JSON; write a list of mappings")]
    if not isinstance(value, Sequence) or isinstance(value, str):
        hint = f": write [{short_repr(value)}]" if isinstance(value, Mapping) else ""
        return None, [Mistake(place, f"{short_repr(value)} is not a list{hint}")]
    structs: list[_Struct] = []
    mistakes: list[Mistake] = []
    for number, item in enumerate(value):
        converted, found = _convert_struct(item, struct, f"{place}[{number}]", lax=lax)
        structs += [converted] if converted is not None and not found else []
        mistakes += found
    return tuple(structs) if not mistakes or (lax and structs) else None, mistakes


def _read_word(text: str, wanted: Any) -> object:
    """The boolean that a word stands for if the type allows booleans, otherwise the word in lower case."""
    kinds = get_args(wanted) or (wanted,)
    word = text.strip().lower()
    if bool in kinds:
        return BOOLEANS.get(word, word)
    return text.strip() if any(hasattr(kind, "parse") for kind in kinds) else word


def _explain(message: str, value: object, wanted: Any) -> str:
    """Translate a message of msgspec for people who write configuration files."""
    if message.startswith("Invalid enum value"):
        choices = _choices(wanted)
        written = message.removeprefix("Invalid enum value").strip()
        word = written.strip("'")
        close = closest(word.lower(), choices)
        hint = f"; did you mean '{close}'?" if close else ""
        if word.lower() == close and close in BOOLEANS:
            hint = f"; write {close} without quotes"
        return f"{written} is not {join_words(choices, 'or')}{hint}"
    if match := re.match(_TOO_MANY, message):
        return f"it has more than {match['most']} items"
    if match := re.match(_EXPECTED, message):
        words = [_WORDS.get(word.strip(), word.strip()) for word in (match["wanted"] or "float").split("|")]
        choices = _choices(wanted) if "text" in words else []
        expected = join_words(choices or [word for word in words if word != "null"], "or")
        return f"{short_repr(value)} is not {expected}{_bounds(wanted)}"
    return message


def _choices(wanted: Any) -> list[str]:
    """The words of all Literal types in a type, after ``true`` and ``false`` if it allows them as well."""
    found = ["true", "false"] if bool in get_args(wanted) else []
    for part in get_args(wanted):
        found += [part] if isinstance(part, str) else _choices(part)
    return found


def _bounds(wanted: Any) -> str:
    """The least and the greatest value in words, or "" if the type has none; all bounds come in pairs."""
    for part in (wanted, *get_args(wanted)):
        for meta in getattr(part, "__metadata__", ()):
            if isinstance(meta, msgspec.Meta) and meta.ge is not None:
                return f" from {meta.ge} to {meta.le}"
    return ""
