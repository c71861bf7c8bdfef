"""Reads field lists as their authors wrote them, although Sphinx replaces quotes and dashes with typographic ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes

from sitemap_plugins.options.settings import PageValues

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_PREFIX: Final = "sitemap"
_NAMES: Final = {_PREFIX, *(f"{_PREFIX}_{name}" for name in PageValues.__struct_fields__)}
_RUNS: Final = re.compile(r"([-.])\1+")
_ESCAPE: Final = re.compile(r"\\(.)", re.DOTALL)
# The characters that docutils writes for quotes, dashes and dots. A single quote of one language is a double quote of
# another.
_ALIKE: Final = {
    "'": "'\"\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a\u2039\u203a",
    "-": "\u2013\u2014",
    ".": "\u2026",
}
_STRAIGHT: Final = str.maketrans({character: plain for plain, made in _ALIKE.items() for character in made})


def read_fields(app: Sphinx, doctree: nodes.document) -> None:
    """Store the fields for the sitemap at the top of a document, before Sphinx removes the field list."""
    found: dict[str, str] = {}
    for field in doctree.findall(nodes.field):
        if isinstance(field.parent, nodes.docinfo) and field[0].astext().startswith(_PREFIX):
            body: Any = field[1]
            found[field[0].astext()] = " ".join(_ESCAPE.sub(r"\1", body.rawsource).split())
    app.env.temp_data[_PREFIX] = found


def restore_fields(app: Sphinx, doctree: object) -> None:
    """Put the text that the author wrote into the document's metadata, if only the typography differs."""
    metadata = app.env.metadata.get(app.env.docname, {})
    written: Mapping[str, str] = app.env.temp_data.get(_PREFIX) or {}
    for name, text in written.items():
        shown = metadata.get(name)
        if isinstance(shown, str) and shown != text and _plain(shown) == _plain(text):
            metadata[name] = text


def misplaced_fields(doctree: nodes.document) -> list[str]:
    """The names of fields for the sitemap in a list right after the title, which Sphinx shows on the page."""
    titled = next(doctree.findall(nodes.section), ())
    content = (node for node in titled if not isinstance(node, nodes.title | nodes.Invisible))
    first = next(content, None)
    names = first.findall(nodes.field_name) if isinstance(first, nodes.field_list) else ()
    return [name for name in (each.astext() for each in names) if name in _NAMES]


def _plain(text: str) -> str:
    """The text with the same character for all quotes, single dashes and dots, and no white space."""
    return _RUNS.sub(r"\1", "".join(text.translate(_STRAIGHT).split()))
