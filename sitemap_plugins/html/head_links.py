"""Links to a page's translations in its own head: one marked block, replaced when it is written again."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sitemap_plugins.html.head import parse_head, read_markup
from sitemap_plugins.model import Alternate
from sitemap_plugins.values.text import escape

_BEGIN: Final = "<!-- hreflang: sitemap-plugins -->"
_END: Final = "<!-- end of hreflang -->"
_BLOCK: Final = re.compile(f"{re.escape(_BEGIN)}[^<]*(?:<link [^<]*)*{re.escape(_END)}\n?")


class OwnLinksError(ValueError):
    """The page has hreflang links of its own, of a theme or another tool, and two sets would contradict each other."""


def insert_links(page: bytes, alternates: Iterable[Alternate]) -> bytes:
    """The page with these links before the end of its head; without alternates, and without a head, with none.

    Every other byte stays as it is, whatever the encoding, as long as ASCII is a part of it. Raises `OwnLinksError`.
    """
    # One character for each byte: what is looked for is ASCII.
    html = _BLOCK.sub("", page.decode("latin-1"))
    links = "\n".join(
        f'<link rel="alternate" hreflang="{each.hreflang}" href="{escape(each.href)}">' for each in alternates
    )
    if links and read_markup(html).hreflang:
        raise OwnLinksError
    _, end = parse_head(html)
    if links and end < len(html):
        html = f"{html[:end]}{_BEGIN}\n{links}\n{_END}\n{html[end:]}"
    return html.encode("latin-1")
