"""The page of all pages in a built folder: a plain page of ours, because the theme of the site cannot be used."""

from __future__ import annotations

from collections.abc import Iterable

from sitemap_plugins.formats.page_list import PageList, PageListFile, render_plain_page
from sitemap_plugins.model import Content, Markup, Note, Page, Site
from sitemap_plugins.published.html_files import HTMLFile


def path_of_list(name: str, files: Iterable[HTMLFile]) -> str:
    """The path of the page with this name: in a folder of its own if most other pages are, too."""
    pages = [each for each in files if each.stem]
    is_in_folder = sum(each.is_index for each in pages) * 2 > len(pages)
    return f"{name}/index.html" if is_in_folder else f"{name}.html"


def list_page(path: str, loc: str, site: Site) -> tuple[PageListFile, Page]:
    """The file for the page, and the page itself, which is not written yet."""

    def render(pages: PageList) -> tuple[bytes | None, list[Note]]:
        html = render_plain_page(pages, site_name=site.name, loc=loc, home=site.base_url)
        return html.encode(errors="xmlcharrefreplace"), []

    page = Page(loc=loc, name=path, markup=Markup(), content=Content(), generated=True, output=path)
    return PageListFile(path=path, loc=loc, render=render), page
