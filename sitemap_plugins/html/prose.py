"""The prose of a page, that is, its text without code and API objects: shows whether a page is a copy of another."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, TypeAlias

from sitemap_plugins.html.main_part import main_content

Prose: TypeAlias = Counter[str]
"""The pieces of text on a page with their numbers; empty if there are too few to compare."""

TRANSLATION: Final = 0.5
"""A translation shares less of its text, names and examples, with the original."""

_FEW: Final = 30  # words; a heading and a list of names look the same in every language
_BETWEEN: Final = "\x1f"  # a control character that no page needs
# Code, mathematics and API objects are not translated. Generators translate the titles of admonitions by themselves.
_LEFT_OUT: Final = (
    "code, kbd, math, pre, samp, svg, .highlight, .math, .sig, .sig + dd, .doc-object, .docstring, .admonition-title, "
    "[class*=admonitionHeading], .starlight-aside__title, .custom-block-title, .markdown-alert-title, .alert-heading, "
    ".admonition-heading, .versionmodified, .caption-number"
)
# Some scripts have no spaces between words, so each of their characters counts.
_WORD: Final = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+")


def read_prose(html: str) -> Prose:
    """The prose of a page, without numbers and punctuation that stand alone; empty below thirty words."""
    content = main_content(html)
    for node in content.css(_LEFT_OUT) if content else ():
        node.replace_with(_BETWEEN)
    texts = content.text(separator=_BETWEEN).split(_BETWEEN) if content else ()
    words = [len(_WORD.findall(text)) for text in texts]
    pieces = (" ".join(text.split()) for text, number in zip(texts, words, strict=True) if number)
    return Counter(pieces if sum(words) >= _FEW else ())


def shared_prose(one: Prose, other: Prose) -> float | None:
    """The share of the longer page's characters, from 0.0 to 1.0, in pieces of text that both pages have.

    About 1.0 means a copy, and less than `TRANSLATION` a translation. None if either page has too little text to
    tell. This takes linear time.
    """
    both, *pages = (sum(map(len, each.elements())) for each in (one & other, one, other))
    return both / max(pages) if all(pages) else None
