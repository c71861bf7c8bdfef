"""Completes the examples of the rules to whole sites, so that the manual shows only what matters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML

BASE_URL: Final = "https://docs.example.org/"
"""The URL of the site of the examples."""

_SITE: Final[Mapping[str, str]] = {
    "CNAME": "docs.example.org\n",
    "robots.txt": f"User-agent: *\nAllow: /\n\nSitemap: {BASE_URL}sitemap.xml\n",
    "index.html": f'<link rel="canonical" href="{BASE_URL}">',
    "sitemap.xml": f"<url><loc>{BASE_URL}</loc></url>",
}
_NAMESPACES: Final = (
    f'xmlns="{NAMESPACE}" xmlns:xhtml="{XHTML}" xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}"'
)
_TIMES: Final = re.compile(r"(?P<line>[^\n]*?) <!-- (?P<number>[0-9,]+) times -->")


def complete(example: Mapping[str, str]) -> dict[str, bytes]:
    """The files of the site of an example, by path.

    The content of a page is put into the head of one, entries into a ``urlset`` and sitemaps into a ``sitemapindex``,
    unless the example has a whole file. A line that ends with ``<!-- 3 times -->`` is repeated, the content of a file
    with the ending ``.gz`` is compressed, and one that declares another encoding than UTF-8 is encoded in that one.
    Empty content means that there is no such file.
    """
    files = {**_SITE, **example}
    return {path: _encoded(path, _whole(path, content.lstrip("\n"))) for path, content in files.items() if content}


def _whole(path: str, content: str) -> str:
    start = content.lstrip()[:9].lower()
    if path.endswith(".html") and not start.startswith(("<!doctype", "<html")):
        return f'<!doctype html>\n<html lang="en">\n<head>\n{content}\n</head>\n<body><h1>{path}</h1></body>\n</html>\n'
    if path.endswith((".xml", ".xml.gz")) and start.startswith(("<url>", "<sitemap>")):
        root = "urlset" if start.startswith("<url>") else "sitemapindex"
        repeated = _TIMES.sub(lambda found: f"{found['line']}\n" * int(found["number"].replace(",", "")), content)
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_NAMESPACES}>\n{repeated}\n</{root}>\n'
    return content


def _encoded(path: str, content: str) -> bytes:
    declared = re.match(r"<\?xml[^>]*encoding=\"(?P<name>[\w-]+)\"", content)
    encoded = content.encode(declared["name"] if declared else "utf-8")
    return b"".join(compress([encoded])) if path.endswith(".gz") else encoded
