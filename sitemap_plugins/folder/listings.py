"""Dates pages that show excerpts of posts, such as the pages of a blog, by these posts too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urldefrag, urljoin

from msgspec import structs

from sitemap_plugins.folder.generators import Blog
from sitemap_plugins.html.excerpts import read_excerpts
from sitemap_plugins.model import Page
from sitemap_plugins.output.pages import read_output


def with_listed(pages: Sequence[Page], blogs: Iterable[Blog], site: str) -> list[Page]:
    """Add the files of posts to the sources of pages that show excerpts of them.

    The later pages of a pagination stay as they are: posts move from one to the next, so no file tells when such a page
    changed. ``site`` is the built folder.
    """
    folders = tuple(each.url_folder for each in blogs)
    if not folders:
        return [*pages]
    known = {page.loc: page for page in pages}
    return [_with_listed(page, page.output or "", folders, known, site) for page in pages]


def _with_listed(page: Page, path: str, folders: tuple[str, ...], known: Mapping[str, Page], site: str) -> Page:
    if not path.startswith(folders) or "/page/" in f"/{path}":
        return page
    html, _ = read_output(Path(site, path), site)
    posts = [] if html is None else [*_posts_on(page, html.decode(errors="replace"), known)]
    if not posts:
        return page
    files = dict.fromkeys([*page.sources, *(file for post in posts for file in post.sources)])
    return structs.replace(page, sources=tuple(files))


def _posts_on(page: Page, html: str, known: Mapping[str, Page]) -> Iterator[Page]:
    for href in read_excerpts(html):
        try:
            loc = urldefrag(urljoin(page.loc, href)).url
        except ValueError:  # it is not a URL
            continue
        if loc in known and known[loc] is not page:
            yield known[loc]
