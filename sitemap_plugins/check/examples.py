"""Completes the examples of the rules to whole sites, so that the manual shows only what matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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


def complete(example: Mapping[str, str]) -> dict[str, str]:
    """The files of the site of an example, by path.

    The content of a page is put into the head of one, entries into a ``urlset`` and sitemaps into a ``sitemapindex``,
    unless the example has a whole file. Empty content means that there is no such file.
    """
    files = {**_SITE, **example}
    return {path: _whole(path, content) for path, content in files.items() if content}


def _whole(path: str, content: str) -> str:
    start = content.lstrip()[:9].lower()
    if path.endswith(".html") and not start.startswith(("<!doctype", "<html")):
        return f'<!doctype html>\n<html lang="en">\n<head>\n{content}\n</head>\n<body><h1>{path}</h1></body>\n</html>\n'
    if path.endswith(".xml") and start.startswith(("<url>", "<sitemap>")):
        root = "urlset" if start.startswith("<url>") else "sitemapindex"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_NAMESPACES}>\n{content}\n</{root}>\n'
    return content
