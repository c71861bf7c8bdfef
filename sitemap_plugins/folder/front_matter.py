"""Reads the front matter of source files as generators do: YAML, TOML, JSON, or the plain lines of MkDocs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from sitemap_plugins.folder.data_reading import DataError, read_json, read_toml
from sitemap_plugins.folder.yaml_reading import read_yaml

# These three are from MkDocs. In other generators, a block may also end at the end of the file.
_YAML: Final = re.compile(r"---[ \t]*+\n(?P<block>.*?\n)(?:---|\.\.\.)[ \t]*+(?:\n|\Z)", re.DOTALL)
_LINE: Final = re.compile(r" {0,3}(?P<key>[A-Za-z0-9_-]++):\s*+(?P<value>.*)")
_MORE: Final = re.compile(r"(?: {4}|\t)\s*+(?P<value>.*)")
_TOML: Final = re.compile(r"\+\+\+[ \t]*+\n(?P<block>.*?\n)\+\+\+[ \t]*+(?:\n|\Z)", re.DOTALL)
_JSON: Final = re.compile(r'\{\s*+"[^"\n]*+"\s*+:')  # an MDX page may also begin with a brace


class FrontMatter(NamedTuple):
    """The values by name, and a sentence about what is wrong with them, empty if they are valid."""

    values: Mapping[str, object] = {}
    problem: str = ""


def read_front_matter(text: str, *, multimarkdown: bool = False) -> FrontMatter:
    """Read the front matter at the very top of a source file.

    ``multimarkdown`` is for MkDocs only, which reads lines such as ``title: Guide`` at the top even without ``---``.
    """
    text = text.removeprefix("\ufeff")
    if not multimarkdown and not text.startswith(("---", "+++", "{")):
        return FrontMatter()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    try:
        if found := _YAML.match(text):
            values = read_yaml("\n" + found["block"])  # keeps the line numbers of the page
        elif found := _TOML.match(text):
            values = read_toml("\n" + found["block"])
        elif _JSON.match(text):
            values = read_json(text, beginning=True)
        else:
            return FrontMatter(_read_lines(text) if multimarkdown else {})
    except DataError as error:
        place = f"line {error.line} of the page: " if error.line else ""
        return FrontMatter(problem=f"the front matter cannot be used: {place}{error}")
    if values is None:
        return FrontMatter()
    if not isinstance(values, dict):
        return FrontMatter(problem="the front matter cannot be used: it is not a mapping such as title: Guide")
    return FrontMatter({name: value for name, value in values.items() if isinstance(name, str)})


def _read_lines(text: str) -> dict[str, object]:
    """The values in ``key: value`` lines at the top, as in MkDocs: a repeated key continues its value."""
    values: dict[str, list[str]] = {}
    key = ""
    for line in text.split("\n"):
        if found := _LINE.match(line):
            key = found["key"].lower()
        elif not (key and line.strip() and (found := _MORE.match(line))):
            break
        values.setdefault(key, []).append(found["value"].strip())
    return {key: " ".join(words) for key, words in values.items()}
