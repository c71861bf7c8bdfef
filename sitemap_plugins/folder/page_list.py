"""The page of all pages in a built folder: a plain page of ours, because the theme of the site cannot be used."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sitemap_plugins.folder.html_files import HTMLFile
from sitemap_plugins.formats.page_list import PageList, PageListFile, render_plain_page
from sitemap_plugins.formats.paths import page_paths
from sitemap_plugins.model import Content, Markup, Note, Page, Site
from sitemap_plugins.values.language_names import words_in
from sitemap_plugins.values.urls import relative_url


def path_of_list(name: str, files: Iterable[HTMLFile]) -> str:
    """The path of the page with this name: in a folder of its own if most other pages are, too."""
    file, in_folder = page_paths(name)
    pages = [each for each in files if each.stem]
    return in_folder if sum(each.is_index for each in pages) * 2 > len(pages) else file


def page_of_list(file: PageListFile, language: str) -> Page:
    """The page itself, which is not written yet."""
    title = words_in(language).title
    return Page(
        loc=file.loc,
        name=file.path,
        title=title,
        markup=Markup(),
        content=Content(title=title),
        generated=True,
        language=language,
        output=file.path,
    )


def file_of_list(path: str, loc: str, site: Site, language: str) -> PageListFile:
    """The file for the page, whose title is in this language."""

    def render(pages: PageList) -> tuple[bytes | None, list[Note]]:
        home = relative_url(loc, site.base_url)
        page = render_plain_page(
            pages, title=words_in(language).title, language=language, site_name=site.name, loc=loc, home=home
        )
        return page.encode(errors="xmlcharrefreplace"), []

    return PageListFile(path=path, loc=loc, render=render)


def most_common_language(codes: Sequence[str]) -> str:
    """The code that most pages have; empty if none has one."""
    known = [*filter(None, codes)]
    return max(known, key=known.count, default="")
