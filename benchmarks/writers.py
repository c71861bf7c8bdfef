"""The writers that ``writing.py`` measures: plain writes of lines and of blocks, ours, and three other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sitemap_plugins import Settings
from sitemap_plugins.formats.sitemap_xml import NAMESPACE, XHTML, IndexWriter, SitemapWriter
from sitemap_plugins.model import Arrangement, Entry
from sitemap_plugins.output.writing import write
from sitemap_plugins.sitemaps.arranging import render

SETTINGS: Final = Settings().for_host(gzip=False, generated_pages=True)
BLOCK: Final = 100_000

TEMPLATE: Final = """<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
{%- for entry in entries %}
    <url>
         <loc>{{ entry.loc|e }}</loc>
         {% if entry.lastmod %}<lastmod>{{ w3c(entry.lastmod) }}</lastmod>{% endif %}
         {%- for link in entry.alternates %}
         <xhtml:link rel="alternate" hreflang="{{ link.hreflang }}" href="{{ link.href|e }}"/>
         {%- endfor %}
    </url>
{%- endfor %}
</urlset>
"""


def w3c(value: Any) -> str:
    return str(value.isoformat().replace("+00:00", "Z"))


class Lines:
    """Only writes lines that are already rendered."""

    def __init__(self, arrangement: Arrangement) -> None:
        whole = ((each.path, b"".join(SitemapWriter().render(each.entries))) for each in arrangement.sitemaps)
        self.files = [(path, self.pieces(content)) for path, content in whole]
        self.files += [(index.path, [b"".join(IndexWriter().render(index.sitemaps))]) for index in arrangement.indexes]

    def pieces(self, content: bytes) -> list[bytes]:
        return content.splitlines(keepends=True)

    def __call__(self, folder: Path) -> None:
        for path, pieces in self.files:
            with (folder / path).open("xb") as file:
                file.writelines(pieces)


class Blocks(Lines):
    """Only writes blocks of the same bytes, without regard to URLs."""

    def pieces(self, content: bytes) -> list[bytes]:
        return [content[at : at + BLOCK] for at in range(0, len(content), BLOCK)]


class Ours:
    def __init__(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement

    def __call__(self, folder: Path) -> None:
        write(render(self.arrangement, SETTINGS), folder)


class Peer:
    """Another library; we write the index, a few lines, for it."""

    module = ""

    def __init__(self, arrangement: Arrangement) -> None:
        self.arrangement = arrangement

    def __call__(self, folder: Path) -> None:
        for sitemap in self.arrangement.sitemaps:
            self.write(sitemap.entries, folder / sitemap.path)
        for index in self.arrangement.indexes:
            (folder / index.path).write_bytes(b"".join(IndexWriter().render(index.sitemaps)))

    def write(self, entries: Sequence[Entry], path: Path) -> None:
        raise NotImplementedError


class ElementTree(Peer):
    module = "xml.etree.ElementTree"

    def write(self, entries: Sequence[Entry], path: Path) -> None:
        from xml.etree import ElementTree as ET

        ET.register_namespace("", NAMESPACE)
        ET.register_namespace("xhtml", XHTML)
        root = ET.Element(f"{{{NAMESPACE}}}urlset")
        for entry in entries:
            url = ET.SubElement(root, f"{{{NAMESPACE}}}url")
            ET.SubElement(url, f"{{{NAMESPACE}}}loc").text = entry.loc
            if entry.lastmod:
                ET.SubElement(url, f"{{{NAMESPACE}}}lastmod").text = w3c(entry.lastmod)
            for link in entry.alternates:
                ET.SubElement(url, f"{{{XHTML}}}link", rel="alternate", hreflang=link.hreflang, href=link.href)
        ET.ElementTree(root).write(path, encoding="UTF-8", xml_declaration=True)


class Jinja2(Peer):
    module = "jinja2"

    def __init__(self, arrangement: Arrangement) -> None:
        super().__init__(arrangement)
        import jinja2

        self.template = jinja2.Environment(autoescape=False).from_string(TEMPLATE, {"w3c": w3c})  # noqa: S701

    def write(self, entries: Sequence[Entry], path: Path) -> None:
        path.write_bytes(self.template.render(entries=entries).encode())


class Lxml(Peer):
    module = "lxml.etree"

    def write(self, entries: Sequence[Entry], path: Path) -> None:
        from lxml import etree

        element, child = etree.Element, etree.SubElement
        names = {None: NAMESPACE, "xhtml": XHTML}
        with etree.xmlfile(str(path), encoding="UTF-8") as file:
            file.write_declaration()
            with file.element(f"{{{NAMESPACE}}}urlset", nsmap=names):
                for entry in entries:
                    url = element(f"{{{NAMESPACE}}}url", nsmap=names)
                    child(url, f"{{{NAMESPACE}}}loc").text = entry.loc
                    if entry.lastmod:
                        child(url, f"{{{NAMESPACE}}}lastmod").text = w3c(entry.lastmod)
                    for link in entry.alternates:
                        child(url, f"{{{XHTML}}}link", rel="alternate", hreflang=link.hreflang, href=link.href)
                    file.write(url)


PEERS: Final = {"ElementTree": ElementTree, "Jinja2": Jinja2, "lxml": Lxml}
