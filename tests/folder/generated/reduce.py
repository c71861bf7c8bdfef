"""Copy the parts of a built site that crawlers read, without the parts only for browsers: ``reduce.py BUILT TARGET``.

Pages, sitemaps, robots.txt, redirects and tables in JSON are kept, and the style sheet that shows mdBook, but empty;
everything else is left out. Removed from pages are
the contents of ``<script>``, ``<style>`` and ``<svg>``, except JSON-LD, and in bodies the classes that only styles need.
Nothing else changes, so heads, links and texts are those of the tool. Pages that redirect are unchanged.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

KEPT: Final = (
    "*.html",
    "*.json",
    "sitemap*.xml",
    "robots.txt",
    "_redirects",
    "_headers",
    "CNAME",
    ".nojekyll",
    "ayu-highlight*.css",
)
CONTENT_CLASSES: Final = ("markdown", "vp-doc")
"""Parts of the classes with which themes mark content; these are kept, as are those of ``main`` and ``article``."""

_ELEMENT: Final = re.compile(r"(?P<start><(?P<tag>script|style|svg)\b[^>]*>).*?(?P<end></(?P=tag)>)", re.DOTALL)
_JSON_LD: Final = re.compile(r"""type\s*=\s*["']?application/ld\+json""")
_REFRESH: Final = re.compile(r"""http-equiv\s*=\s*["']?refresh""", re.IGNORECASE)
_CLASS: Final = re.compile(r'(?P<before><(?P<tag>[a-z][\w-]*)\b[^<>]*?) class="(?P<names>[^"<>]*)"')
_SCOPE: Final = re.compile(r" data-v-[0-9a-f]{8}(?=[ />])")


def reduce_page(html: str) -> str:
    """The page without the scripts, styles, drawings and classes that crawlers do not use."""
    if _REFRESH.search(html):
        return html
    html = _ELEMENT.sub(
        lambda found: found[0] if _JSON_LD.search(found["start"]) else found["start"] + found["end"], html
    )
    head, start, body = html.partition("<body")
    return head + start + _SCOPE.sub("", _CLASS.sub(_without_class, body))


def reduce_site(built: Path, target: Path) -> int:
    """Replace the folder ``target`` by the reduced copy of ``built``, and return its size in bytes."""
    shutil.rmtree(target, ignore_errors=True)
    size = 0
    for file in sorted(path for pattern in KEPT for path in built.rglob(pattern)):
        content = file.read_bytes()
        if file.suffix == ".html":
            content = reduce_page(content.decode()).encode()
        elif file.suffix == ".css":
            content = b""
        copy = target / file.relative_to(built)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        size += len(content)
    return size


def _without_class(found: re.Match[str]) -> str:
    of_content = found["tag"] in {"main", "article"} or any(name in found["names"] for name in CONTENT_CLASSES)
    return found[0] if of_content else found["before"]


if __name__ == "__main__":
    built, target = map(Path, sys.argv[1:])
    sys.stdout.write(f"{target}: {reduce_site(built, target):,} bytes\n")
