"""The JSON Schema (draft-07) of the options, for editors; it follows from the declaration of the options.

It accepts every value that the plugin accepts. What it cannot express is in docs/editor.md.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin

import msgspec

from sitemap_plugins.options.convert import fields_of, required_of
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.options.types import Schema, one_or_more
from sitemap_plugins.project import MANUAL

ConfigurationFile: TypeAlias = Literal["sitemap.toml", "pyproject.toml", "zensical.toml", "mkdocs.yml"]
"""A file that authors write options in."""

_PRIMITIVES: Final = {bool: "boolean", float: "number", int: "integer", str: "string"}
_BOUNDS: Final = {"ge": "minimum", "le": "maximum", "max_length": "maxItems"}


def file_schema(file: ConfigurationFile) -> Schema:
    """The schema of a file with the options in it, which allows any other settings."""
    head = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": f"urn:sitemap-plugins:{file}",  # validate-pyproject needs one
        "title": f"sitemap-plugins in {file}",
    }
    options = options_schema()
    if file == "sitemap.toml":
        return head | options
    here: Schema = {"$ref": "#/definitions/options"}
    if file == "pyproject.toml":
        around = _inside("tool", _inside("sitemap-plugins", here))
    else:
        # MkDocs itself reads ``enabled`` for every plugin, and a plugin without options has null.
        options["properties"]["enabled"] = {"type": "boolean"}
        options["type"] = ["object", "null"]
        plugin = _inside("sitemap", here)
        plugins = _inside("plugins", {**plugin, "items": plugin})  # a mapping or a list of them
        around = plugins if file == "mkdocs.yml" else _inside("project", plugins)
        around["properties"] |= plugins["properties"]  # zensical.toml needs no [project]
    return head | around | {"definitions": {"options": options}}


def options_schema() -> Schema:
    """The schema of a mapping with the options, each with a sentence about it and the address of its manual."""
    schema = schema_of(Settings)
    for place, sentence in _sentences().items():
        option, *parts = place.split(".")
        described = schema["properties"][option]
        for part in parts:
            described = described.get("items", described)["properties"][part]
        address = f"{MANUAL}options/#{option}"
        described["description"] = f"{sentence.replace('`', '')}\n\n{address}"
        described["markdownDescription"] = f"{sentence} [Manual]({address})"
    return schema


def schema_of(wanted: Any) -> Schema:
    """The schema of the values that authors can write for a type. Raises TypeError for a type that has none."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is Annotated:
        schema = _bounded(schema_of(arguments[0]), arguments[1:])
    elif hasattr(wanted, "schema"):
        schema = wanted.schema()
    elif origin in {Union, UnionType}:
        kinds = [each for each in arguments if each is not NoneType]
        # Several types are all booleans and words.
        schema = schema_of(kinds[0]) if len(kinds) == 1 else {"enum": [word for each in kinds for word in _words(each)]}
    elif origin is tuple:
        schema = _list_of(arguments[0])
    elif origin is dict:
        names, values = map(schema_of, arguments)
        schema = {"type": "object", "propertyNames": names, "additionalProperties": values}
    elif isinstance(wanted, type(msgspec.Struct)) and not hasattr(wanted, "parse"):
        schema = _mapping(wanted)
    elif wanted in _PRIMITIVES:
        schema = {"type": _PRIMITIVES[wanted]}
    else:
        schema = {"enum": _words(wanted)}
    return schema


def _inside(name: str, schema: Schema) -> Schema:
    return {"properties": {name: schema}}


def _bounded(schema: Schema, declared: Sequence[object]) -> Schema:
    """The schema with what is declared beside its type: bounds, or the type of the keys of a mapping."""
    for each in declared:
        if isinstance(each, msgspec.Meta):
            bounds = {name: getattr(each, bound) for bound, name in _BOUNDS.items()}
            schema |= {name: value for name, value in bounds.items() if value is not None}
        else:
            schema = schema_of(each)
    return schema


def _words(wanted: Any) -> list[object]:
    if wanted is bool:
        return [True, False]
    if get_origin(wanted) is Literal:
        return [*get_args(wanted)]
    raise TypeError(f"{wanted} has no schema")


def _list_of(kind: Any) -> Schema:
    """The schema of a list; a single text needs no brackets."""
    item = schema_of(kind)
    if item.get("type") == "string":
        return one_or_more(item)
    many = {"type": "array", "items": item}
    return many if item.get("type") == "object" else {"anyOf": [item, many]}


def _mapping(struct: type[msgspec.Struct]) -> Schema:
    """The schema of a mapping with the fields of a struct, none of which has to be set unless the struct says so."""
    kinds = {name: schema_of(kind) for name, (kind, _) in fields_of(struct).items()}
    required = required_of(struct)
    schema: Schema = {
        "type": "object",
        "properties": {name: kind if name in required else _or_null(kind) for name, kind in kinds.items()},
        "additionalProperties": False,
    }
    if names := getattr(struct, "ONE_OF", ()):
        schema["anyOf"] = [{"required": [name]} for name in names]
    if required:
        schema["required"] = [*required]
    short = getattr(struct, "SHORTHAND", None)
    return {**schema, **_or_of_type(kinds[short], "object")} if short else schema


def _or_null(schema: Schema) -> Schema:
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "type" not in schema:
        return {"anyOf": [*schema["anyOf"], {"type": "null"}]}
    return _or_of_type(schema, "null")


def _or_of_type(schema: Schema, kind: str) -> Schema:
    kinds = schema["type"]
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), kind]}


def _sentences() -> dict[str, str]:
    """The first sentence of the manual about each option, and about some of their parts (``git.date``)."""
    file = files("sitemap_plugins.options").joinpath("sentences.json")
    sentences: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return sentences
