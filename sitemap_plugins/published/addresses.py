"""Finds the file that a server sends for a URL, and the URL of each file: the site's own, or one in the same style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Final, Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.values.urls import file_path, normalize_url, path_in, quote_path, root_of, usable_url

StyleName: TypeAlias = Literal["html", "clean", "directory"]


class URLStyle(msgspec.Struct, frozen=True):
    """How the URLs of pages end: ``folder`` follows the folder of an index.html, ``page`` replaces ``.html``."""

    folder: str = "/"
    page: str = ".html"


STYLES: Final[Mapping[StyleName, URLStyle]] = {
    "html": URLStyle("/", ".html"),
    "clean": URLStyle("/", ""),
    "directory": URLStyle("/", "/"),
}
"""The styles by name."""

_INDEX: Final = "index.html"
_DEPTH: Final = 16  # folders in the path of a base URL, at most
_SAMPLE: Final = 200  # URLs of a sitemap, roughly, from which its base URL is inferred


def write_url(path: str, base_url: str, style: URLStyle) -> str:
    """The URL of the file at ``path`` below the folder of ``base_url``."""
    folder, _, name = path.rpartition("/")
    if name == _INDEX:
        return base_url + (f"{quote_path(folder)}{style.folder}" if folder else "")
    quoted = quote_path(path)
    return base_url + (quoted.removesuffix(".html") + style.page if quoted.endswith(".html") else quoted)


def served(path: str, is_file: Callable[[str], bool]) -> str | None:
    """The file that every static server sends for a decoded path below the root; None if there is none.

    That is the file itself or the index of the folder. The path need not have ``.html``, or the slash after a folder.
    """
    bare = path.rstrip("/")
    inside = path_in(bare, _INDEX)
    names = (path, f"{path}.html", inside) if bare == path != "" else (inside,)
    return next(filter(is_file, names), None)


def meant(path: str, is_file: Callable[[str], bool]) -> str | None:
    """The file that an author means by a decoded path: the one that is `served`, or ``guide.html`` for ``guide/``.

    Only some servers send the latter, so a site has lost ``guide/`` if that is the only file for it.
    """
    bare = path.rstrip("/")
    return served(path, is_file) or next(filter(is_file, [f"{bare}.html"] if bare != path else ()), None)


def file_at(loc: str, base_url: str, is_file: Callable[[str], bool]) -> str | None:
    """The file that is `meant` by a URL; None if it is not below the base or leads to no file."""
    below = file_path(base_url, loc)
    return None if below is None else meant(below, is_file)


def possible_bases(url: str) -> Iterator[tuple[str, str]]:
    """The URLs of the folders in the path of a URL, each with the decoded path below it: the root of the host first.

    A path without a slash at its end may be that of a folder, too. Nothing if it is not the URL of a page.
    """
    usable = usable_url(url)
    if usable is None:
        return
    parts = urlsplit(usable)
    steps = parts.path[1:].split("/")
    for depth in range(min(len(steps), _DEPTH) + 1):
        base_url = f"{parts.scheme}://{parts.netloc}/" + "".join(f"{step}/" for step in steps[:depth])
        yield base_url, unquote("/".join(steps[depth:]))


def infer_base_url(locs: Sequence[str], is_file: Callable[[str], bool]) -> str | None:
    """The URL of a folder, inferred from the URLs in its sitemap; None if no URL leads to a file in the folder.

    It is the prefix with which most of the URLs lead to files. At least half of the URLs must be below it. ``is_file``
    takes paths below the folder.
    """
    sample = [*map(normalize_url, locs[:: max(1, len(locs) // _SAMPLE)])]
    found: Counter[str] = Counter()
    for loc in sample:
        for base_url, _ in possible_bases(loc):
            found[base_url] += file_at(loc, base_url, is_file) is not None
    # A tie goes to the shortest: a folder can contain another copy of itself.
    for base_url in sorted(found, key=lambda base: (-found[base], base.count("/"))):
        below = sum(loc.startswith(base_url) or f"{loc}/" == base_url for loc in sample)
        if found[base_url] and below * 2 >= len(sample):
            return base_url
    return None


def base_of_sitemap(locs: Sequence[str]) -> str | None:
    """The folder of all pages of the most frequent host if its home page is listed, or the root; None without a URL."""
    hosts = Counter(root_of(loc) for loc in locs if usable_url(loc))
    if not hosts:
        return None
    ((host, _),) = hosts.most_common(1)
    own = {loc for loc in locs if loc.startswith(host)}
    folders = (each.split("/")[:-1] for each in (min(own), max(own)))
    same = takewhile(lambda steps: steps[0] == steps[1], zip(*folders, strict=False))
    folder = "/".join(step for step, _ in same)
    return f"{folder}/" if not own.isdisjoint({f"{folder}/", f"{folder}/index.html"}) else host


def base_of_page(url: str, path: str) -> str | None:
    """The URL of the root, from the URL of a page and the path of its file; None if they do not fit."""
    bare = path.removesuffix(_INDEX) if f"/{path}".endswith(f"/{_INDEX}") else path
    stem = bare.removesuffix(".html").removesuffix(".htm").rstrip("/")
    forms = {bare, stem, f"{stem}/"} if stem else {""}
    bases = ((base, below) for base, below in possible_bases(url) if normalize_url(url).startswith(base))
    return next((base for base, below in bases if below.removesuffix(_INDEX) in forms), None)


def style_of(stated: Mapping[str, str]) -> URLStyle:
    """The most common style of the stated URLs; ``stated`` maps files to their URLs.

    Those with a query show no style.
    """
    plain = [(path, loc) for path, loc in stated.items() if "?" not in loc and path != _INDEX]
    indexes = Counter(_ending(loc, f"/{_INDEX}") for path, loc in plain if path.endswith(f"/{_INDEX}"))
    names = [(path, loc) for path, loc in plain if path.endswith(".html") and not path.endswith(f"/{_INDEX}")]
    pages = Counter(_ending(loc, ".html") for _, loc in names)
    default = URLStyle()
    return URLStyle(_most_common(indexes, default.folder), _most_common(pages, default.page))


def _ending(loc: str, full: str) -> str:
    return next((each for each in (full, "/") if loc.endswith(each)), "")


def _most_common(counter: Counter[str], default: str) -> str:
    """The most frequent ending; a tie goes to the default."""
    return max(counter, key=lambda each: (counter[each], each == default), default=default)


def stated_urls(base_url: str, named: Iterable[tuple[str, str]], files: Collection[str]) -> Iterator[tuple[str, str]]:
    """The pairs of a file and a URL in which the URL leads to the file. An empty path in ``named`` fits any file.

    The URLs are in their normal form.
    """
    for path, url in named:
        file = file_at(url, base_url, files.__contains__)
        if file is not None and path in {file, ""}:
            yield file, normalize_url(url)
