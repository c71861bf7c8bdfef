"""Published folders written like builds, then merged, and read back by another reader than ours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lxml import etree

from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.merge.languages import Merge, merge
from sitemap_plugins.merge.reading import MergeError, Published, read_sitemaps
from sitemap_plugins.options.types import XDefault
from sitemap_plugins.output.writing import write
from sitemap_plugins.published.tree import Tree

NAMESPACES = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'

Links = Mapping[str, str]


class Root:
    """A published folder. Paths are relative to it, with forward slashes."""

    parser = etree.XMLParser(recover=True, resolve_entities=False, no_network=True)

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True)

    def write(self, path: str, content: str | bytes) -> Path:
        target = self.path / path
        assert target.is_relative_to(self.path.parent), path  # an absolute path would be written elsewhere
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def page(self, path: str, lang: str = "", head: str = "") -> None:
        attribute = f' lang="{lang}"' if lang else ""
        self.write(
            path, f"<!doctype html><html{attribute}><head><title>{path}</title>{head}</head><body></body></html>"
        )

    def sitemap(self, path: str, urls: Iterable[str] | Mapping[str, Links]) -> None:
        """Write a sitemap with these URLs, and for each its links by language code."""
        links = urls if isinstance(urls, Mapping) else {key: {} for key in urls}
        self.write(path, sitemap_of(links))

    def build(
        self,
        folder: str,
        base_url: str,
        lang: str = "",
        names: Iterable[str] = ("", "a/"),
        links: Mapping[str, Links] | None = None,
    ) -> None:
        """Write a build into a folder: pages, and a sitemap with the given links of pages (by name)."""
        names = [*names]
        before = f"{folder}/" if folder else ""
        for name in names:
            self.page(f"{before}{name}index.html" if not name or name.endswith("/") else before + name, lang)
        self.sitemap(f"{before}sitemap.xml", {base_url + name: (links or {}).get(name, {}) for name in names})

    def read(self, pattern: str = "sitemap*.xml") -> Published:
        try:
            return read_sitemaps(Tree(self.path), pattern)
        except MergeError as error:
            return Published(sitemaps=(), pages={}, problems=tuple(error.problems))

    def merge(self, languages: Mapping[str, str] | None = None, x_default: XDefault | None = None) -> Merge:
        """Merge and write. Check that a second run changes nothing and only sitemaps change, and `check` the links."""
        folders = [
            LanguageFolder(folder=folder, code=code, known_by="--language", mapped=True)
            for code, folder in (languages or {}).items()
        ]
        merged = merge(self.read(), folders, x_default)
        before = self.others()
        write(merged.files, self.path)
        assert self.others() == before
        again = merge(self.read(), folders, x_default)
        assert again.files == tuple(file for file in merged.files if not file.path.endswith(".gz"))
        assert (again.clusters, again.declared) == (merged.clusters, merged.declared)
        assert again.refuted == ()
        self.check()
        return merged

    def check(self) -> None:
        """Check that alternates are mutual, include the page itself, and name at least two existing, listed pages."""
        published, links = self.read(), self.links()
        bases = tuple(sitemap.base_url for sitemap in published.sitemaps)
        for loc, own in links.items():
            assert loc in own.values(), loc
            assert len(set(own.values())) > 1, loc
            for href in own.values():
                if href.startswith(bases):
                    assert href in published.pages, href
                    assert links[href] == own, (loc, href)

    def links(self) -> dict[str, dict[str, str]]:
        """The links by language code of each URL that has any in a sitemap."""
        found: dict[str, dict[str, str]] = {}
        for path in sorted(self.path.rglob("sitemap*.xml")):
            if any(part.startswith(".") for part in path.relative_to(self.path).parts):
                continue
            tree = etree.fromstring(path.read_bytes(), self.parser)
            for url in () if tree is None else tree.iterfind(".//s:url", NAMESPACES):
                loc = url.findtext("s:loc", "", NAMESPACES).strip()
                pairs = [(link.get("hreflang"), link.get("href")) for link in url.iterfind("x:link", NAMESPACES)]
                assert len(dict(pairs)) == len(pairs), loc
                if pairs:
                    assert found.setdefault(loc, dict(pairs)) == dict(pairs), loc
        return found

    def others(self) -> dict[str, bytes]:
        """All files except the sitemaps."""
        files = (path for path in self.path.rglob("*") if path.is_file() and not path.name.startswith("sitemap"))
        return {path.relative_to(self.path).as_posix(): path.read_bytes() for path in files}


def sitemap_of(links: Mapping[str, Links]) -> str:
    """A sitemap as text, with URLs and links unchanged."""
    lines = [OPEN]
    for loc, own in links.items():
        written = "".join(f'<xhtml:link rel="alternate" hreflang="{code}" href="{own[code]}"/>' for code in own)
        lines.append(f"  <url><loc>{loc}</loc>{written}</url>")
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, "</urlset>\n"])
