"""Completes the examples of the rules to whole sites, so that the manual shows only what matters."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, Literal

from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, XHTML

BASE_URL: Final = "https://docs.example.org/"
"""The URL of the site of the examples."""

_SITE: Final[Mapping[str, str]] = {
    "CNAME": "docs.example.org\n",
    "robots.txt": f"User-agent: *\nAllow: /\n\nSitemap: {BASE_URL}sitemap.xml\n",
    "index.html": f'<link rel="canonical" href="{BASE_URL}">',
    "sitemap.xml": f"<url><loc>{BASE_URL}</loc></url>",
}
_NUMBER: Final = "{n}"
_SEVERAL: Final = 10
_NAMESPACES: Final = (
    f'xmlns="{NAMESPACE}" xmlns:xhtml="{XHTML}" xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}"'
)


def complete(example: Mapping[str, str | Literal[False]]) -> dict[str, bytes]:
    """The files of the site of an example, by path.

    The content of a page is put into the head of one, entries into a ``urlset`` and sitemaps into a ``sitemapindex``,
    unless the example has a whole file. A file that is false is left out. For a compressed file, the example has the
    time in its header. ``{n}`` in a path or in a line stands for ten of them.
    """
    files: dict[str, bytes] = {}
    for path, content in {**_SITE, **example}.items():
        for number in range(1, _SEVERAL + 1) if _NUMBER in path else ("",):
            if content is not False and not path.endswith(".gz"):
                name = path.replace(_NUMBER, str(number))
                files[name] = _whole(name, "\n".join(_lines(content))).encode()
    for path, when in example.items():
        if path.endswith(".gz") and when:
            seconds = datetime.fromisoformat(when).timestamp()
            files[path] = gzip.compress(files[path.removesuffix(".gz")], mtime=seconds)
    return files


def _lines(content: str) -> Iterator[str]:
    for line in content.split("\n"):
        if _NUMBER in line:
            yield from (line.replace(_NUMBER, str(number)) for number in range(1, _SEVERAL + 1))
        else:
            yield line


def _whole(path: str, content: str) -> str:
    start = content.lstrip()
    if path.endswith(".html") and not start.lower().startswith(("<!doctype", "<html", "<p>")):
        return f'<!doctype html>\n<html lang="en">\n<head>\n{content}\n</head>\n<body><h1>{path}</h1></body>\n</html>\n'
    if path.endswith(".xml") and start.startswith(("<url>", "<sitemap>")):
        root = "urlset" if start.startswith("<url>") else "sitemapindex"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_NAMESPACES}>\n{content}\n</{root}>\n'
    return content
