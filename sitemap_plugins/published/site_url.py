"""The URL of the root of a published folder: what each of its files says, and which of them is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from sitemap_plugins.formats.paths import CNAME
from sitemap_plugins.published.addresses import base_of_page
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import HOST_FILE
from sitemap_plugins.values.text import most_common
from sitemap_plugins.values.urls import InvalidURLError, parse_base_url

BY_CNAME: Final = "the file CNAME"
BY_OPTION: Final = "the option base_url"
BY_ARGUMENT: Final = "the command line"
BY_PAGES: Final = "the canonical links of the pages"
BY_VERSIONS: Final = "the URLs of the versions"
BY_AUTHOR: Final = frozenset((BY_CNAME, BY_OPTION))
"""The places in which authors name the URL of the site itself, whatever its pages say."""

_LINKS: Final = 200  # canonical links, roughly, of which most tell the URL


class NamedURL(msgspec.Struct, frozen=True):
    """A URL, and the name of its place for messages. ``is_written`` means that it is there as the author wrote it."""

    url: str
    place: str
    is_written: bool = False


def url_of_pages(files: Iterable[HTMLFile]) -> tuple[NamedURL | None, bool]:
    """The URL of the root in most of the canonical links that fit their files, and whether most pages have such links.

    If few pages have one, these may be copies from another site. Redirects may lead to any site, and a retired page
    leads to another version, so its markup before that counts.
    """
    links = canonicals_of_pages(files)
    sample = [*links.items()][:: max(1, len(links) // _LINKS)]
    bases = Counter(base_of_page(url, path) for path, url in sample)
    found: Counter[str] = Counter()
    for each, number in bases.items():
        found[public_url(each or "") or ""] += number
    del found[""]
    base = most_common(found)
    if found[base] * 2 <= found.total():
        return None, False
    return NamedURL(base, BY_PAGES), len(links) * 2 >= sum(map(is_counted, files))


def is_counted(file: HTMLFile) -> bool:
    """Whether a file is a page of the site, and neither a redirect nor a part of a page."""
    return file.built is not None and not file.built.refresh and not file.is_fragment


def canonicals_of_pages(files: Iterable[HTMLFile]) -> dict[str, str]:
    """The canonical link of each page that has one, by the path of its file."""
    counted = ((file.path, file.built) for file in files if is_counted(file))
    return {path: head.canonicals[0] for path, head in counted if head and head.canonicals}


def domain_of(tree: Tree) -> str:
    """The domain in the file CNAME, which GitHub Pages reads; empty if there is none, or no valid one."""
    with suppress(UnicodeDecodeError, InvalidURLError):
        domain = (tree.try_to_read(CNAME, HOST_FILE) or b"").decode("utf-8-sig").strip()
        return urlsplit(url_of_domain(domain)).netloc
    return ""


def url_of_domain(domain: str) -> str:
    """The URL of a site with a domain of its own. Raises `InvalidURLError`."""
    if "." not in domain or not domain.isprintable() or not {"/", ":"}.isdisjoint(domain):
        raise InvalidURLError("is not a domain name")
    return parse_base_url(f"https://{domain}/")


def public_url(url: str) -> str | None:
    """The URL of a site by its files, in its normal form; None if it cannot be published, such as that of a preview."""
    try:
        return parse_base_url(url, is_written=False)
    except InvalidURLError:
        return None
