"""Completes the examples of the rules to whole sites, so that the manual shows only what matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, Literal

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
_NUMBER: Final = "{n}"
_SEVERAL: Final = 10
_TIME: Final = re.compile(rb"[0-9-]+T[0-9:]+Z")
_TIMES: Final = re.compile(r"(?P<line>[^\n]*?) <!-- (?P<number>[0-9,]+) times -->")


def complete(example: Mapping[str, str | Literal[False]]) -> dict[str, bytes]:
    """The files of the site of an example, by path.

    The content of a page is put into the head of one, entries into a ``urlset`` and sitemaps into a ``sitemapindex``,
    unless the example has a whole file. A file that is false is left out. ``{n}`` in a path or a line stands for ten
    of them, and a line that ends with ``<!-- 3 times -->`` is repeated. The content of a file with the ending ``.gz``
    is compressed; if it is a time, it is that in the header of a copy of the file beside it. A file that declares
    another encoding than UTF-8, in XML or in a comment as in Python, is encoded in that one.
    """
    files: dict[str, bytes] = {}
    for path, content in {**_SITE, **example}.items():
        if content is False or (content.isdecimal() and path.startswith(BASE_URL)):
            continue
        for number in range(1, _SEVERAL + 1) if _NUMBER in path else ("",):
            name = path.replace(_NUMBER, str(number))
            files[name] = _encoded(_whole(name, "\n".join(_lines(content.lstrip("\n")))))
    return files | {path: _packed(path, content, files) for path, content in files.items() if path.endswith(".gz")}


def statuses(example: Mapping[str, str | Literal[False]]) -> dict[str, int]:
    """The statuses with which the server of a live example answers, by URL."""
    return {url: int(status) for url, status in example.items() if url.startswith(BASE_URL) and str(status).isdecimal()}


def _lines(content: str) -> Iterator[str]:
    for line in content.split("\n"):
        if _NUMBER in line:
            yield from (line.replace(_NUMBER, str(number)) for number in range(1, _SEVERAL + 1))
        elif found := _TIMES.fullmatch(line):
            yield from [found["line"]] * int(found["number"].replace(",", ""))
        else:
            yield line


def _whole(path: str, content: str) -> str:
    start = content.lstrip()
    if path.endswith(".html") and not start.lower().startswith(("<!doctype", "<html", "<p>")):
        return f'<!doctype html>\n<html lang="en">\n<head>\n{content}\n</head>\n<body><h1>{path}</h1></body>\n</html>\n'
    if path.endswith((".xml", ".xml.gz")) and start.startswith(("<url>", "<sitemap>")):
        root = "urlset" if start.startswith("<url>") else "sitemapindex"
        return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_NAMESPACES}>\n{content}\n</{root}>\n'
    return content


def _encoded(content: str) -> bytes:
    declared = re.match(r"(?:<\?xml[^>]*encoding=\"|# encoding: )(?P<name>[\w-]+)", content)
    return content.encode(declared["name"] if declared else "utf-8")


def _packed(path: str, content: bytes, files: Mapping[str, bytes]) -> bytes:
    if not _TIME.fullmatch(content):
        return b"".join(compress([content]))
    packed = b"".join(compress([files[path.removesuffix(".gz")]]))
    seconds = int(datetime.fromisoformat(content.decode()).timestamp())
    return packed[:4] + seconds.to_bytes(4, "little") + packed[8:]  # RFC 1952, section 2.3
