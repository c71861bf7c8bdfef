"""The page of all pages for readers, as HTML: the list itself, and a plain page around it for sites without a theme."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.formats.sitemap_xml import GENERATOR, MARK
from sitemap_plugins.model import Note
from sitemap_plugins.values.language_names import direction_of, words_in
from sitemap_plugins.values.text import escape
from sitemap_plugins.values.urls import relative_url

_OPEN: Final = 200  # pages: of a longer list, readers see only the sections first

_CLASS: Final = 'class="sitemap-pages"'

# As a box of its own, a link is not part of a text from which it would have to stand out (WCAG, 1.4.1); its first line
# has to be beside the bullet. Without a style, dates would be broken at their hyphens, and long names nowhere.
_LIST_STYLE: Final = (
    ".sitemap-pages,.sitemap-pages a{overflow-wrap:anywhere}"
    ".sitemap-pages a{display:inline-block;vertical-align:top}"
    ".sitemap-pages time{white-space:nowrap}"
)

_STYLE: Final = (
    ":root{color-scheme:light dark;background:#fff;color:#222}a{color:#0645ad}"
    "@media(prefers-color-scheme:dark){:root{background:#121212;color:#ddd}a{color:#8ab4f8}}"
    "body{max-width:60rem;margin:0 auto;padding:1rem;font:1rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}"
    "ul{padding-inline-start:1.5rem}summary{cursor:pointer}time{font-size:.875em}" + _LIST_STYLE
)


class ListedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page in the list: ``url`` is encoded, and relative to the list if both are on one host.

    ``date`` is that of its last change as in ``2026-03-01``, or empty.
    """

    title: str
    url: str
    date: str = ""


class ListPart(msgspec.Struct, frozen=True, kw_only=True):
    """The pages of a folder, or of a language, with the parts for the folders in it.

    ``language`` is a code as in ``hreflang``, and ``direction`` is that of its script, ``ltr`` or ``rtl``; both are
    empty for a folder, and for pages whose language is not known. ``counted`` is the word before a number of pages.
    """

    title: str
    pages: tuple[ListedPage, ...]
    parts: tuple[ListPart, ...] = ()
    language: str = ""
    direction: str = ""
    counted: str

    @property
    def number(self) -> int:
        """How many pages it has, with those of its parts."""
        return len(self.pages) + sum(part.number for part in self.parts)


PageList: TypeAlias = tuple[ListPart, ...]
"""The pages of a site by language. A site in one language, or in none that is known, has one part."""


class PageListFile(msgspec.Struct, frozen=True, kw_only=True):
    """The file of the page of all pages: its path in the output, its URL, and how a host makes the whole page.

    ``render`` returns the content, or None if the page cannot be made, and notes.
    """

    path: str
    loc: str
    render: Callable[[PageList], tuple[bytes | None, list[Note]]]


def render_list(pages: PageList) -> str:
    """The list as HTML. Headings are outside of summaries, because some screen readers do not announce them there."""
    is_open = sum(part.number for part in pages) <= _OPEN
    languages = "".join(_language(part, is_open=is_open, is_named=len(pages) > 1) for part in pages)
    return f"<div {_CLASS}>\n{languages}</div>\n"


def _language(part: ListPart, *, is_open: bool, is_named: bool) -> str:
    about = f' lang="{escape(part.language)}" dir="{part.direction}"' if part.language else ""
    heading = f"<h2>{escape(part.title)}</h2>\n" if is_named else ""
    sections = "".join(_section(each, 3 if is_named else 2, is_open=is_open) for each in part.parts)
    return f"<section{about}>\n{heading}{_items(part.pages)}{sections}</section>\n"


def _section(part: ListPart, level: int, *, is_open: bool) -> str:
    return (
        f"<h{level}>{escape(part.title)}</h{level}>\n"
        f"<details{' open' * is_open}>\n<summary>{escape(part.counted)}: {part.number}</summary>\n"
        f"{_items(part.pages, part.parts)}</details>\n"
    )


def _items(pages: Iterable[ListedPage], parts: Iterable[ListPart] = ()) -> str:
    items = [
        *map(_item, pages),
        *(f"<li>{escape(part.title)}\n{_items(part.pages, part.parts)}</li>\n" for part in parts),
    ]
    return "".join(("<ul>\n", *items, "</ul>\n")) if items else ""


def _item(page: ListedPage) -> str:
    date = f' <time datetime="{page.date}">{page.date}</time>' if page.date else ""
    return f'<li><a href="{escape(page.url)}">{escape(page.title)}</a>{date}</li>\n'


def render_plain_page(pages: PageList, *, site_name: str, loc: str, home: str) -> str:
    """A whole page at ``loc`` with the list, for a site whose theme cannot be used. Its title is in the first language.

    ``home`` is the URL of the home page; both are absolute and encoded.
    """
    language = pages[0].language if pages else ""
    about = f' lang="{escape(language)}" dir="{direction_of(language)}"' if language else ""
    title, link = words_in(language).title, relative_url(loc, home)
    whole_title = f"{title} – {site_name}" if site_name else title  # noqa: RUF001  # a dash
    back = f'<nav><a href="{escape(link)}">{escape(site_name or home)}</a></nav>\n'
    return (
        f"<!DOCTYPE html>\n{MARK}\n<html{about}>\n<head>\n"
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(whole_title)}</title>\n"
        f'<meta name="generator" content="{GENERATOR}">\n'
        f'<link rel="canonical" href="{escape(loc)}">\n'
        f"<style>{_STYLE}</style>\n"
        f"</head>\n<body>\n{back}<main>\n<h1>{escape(title)}</h1>\n{render_list(pages)}</main>\n</body>\n</html>\n"
    )


def with_style(page: str) -> str:
    """The page with the style of our list at the end of its head; unchanged if it has another list."""
    if _CLASS not in page:
        return page
    return re.sub("(?=</head>)", f"<style>{_LIST_STYLE}</style>\n", page, count=1, flags=re.IGNORECASE)


def with_mark(page: str) -> str:
    """The page with the mark of our files after its document type, where a comment changes nothing for browsers."""
    doctype = re.match(r"\s*+<!doctype[^>]*+>", page, re.IGNORECASE)
    end = doctype.end() if doctype else 0
    return f"{page[:end]}\n{MARK}{page[end:]}" if end else f"{MARK}\n{page}"
