"""Decides which languages a site has, and where: from the links in heads, the names of folders, and ``html lang``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

import msgspec

from sitemap_plugins.model import Markup
from sitemap_plugins.values.languages import (
    InvalidLanguageError,
    agree,
    code_of,
    is_country_of,
    parse_language,
    probably_meant,
)
from sitemap_plugins.values.text import most_common
from sitemap_plugins.values.urls import absolute_url, path_in

HeadLinks: TypeAlias = Mapping[str, Mapping[str, str | None]]
"""Where the ``hreflang`` links in each head lead, by codes: pages are named by their paths, and None is elsewhere."""

DEPTH: Final = 3
"""The number of folders that may lead to a language, itself included: ``docs/latest/fr``."""


class Declared(msgspec.Struct, frozen=True):
    """What a page says of its language: its ``html lang``, and the codes that mutual links in heads have for it."""

    language: str
    named: frozenset[str] = frozenset()


def read_head_links(pages: Iterable[tuple[str, str, Markup]], find: Callable[[str], str | None]) -> HeadLinks:
    """The links of pages, given with path, URL and markup. ``find`` returns the page at a URL."""
    return {
        path: {
            code_of(written) or written.lower(): find(url) if (url := absolute_url(loc, href)) else None
            for written, href in markup.hreflang
        }
        for path, loc, markup in pages
    }


def partners(path: str, links: HeadLinks) -> list[str]:
    """The other pages that a page names as its translations, and that name it in turn."""
    named = {each for each in links.get(path, {}).values() if each is not None and each != path}
    return [each for each in named if path in links.get(each, {}).values()]


def read_declared(path: str, markup: Markup, links: HeadLinks) -> Declared:
    """What a page says of its language."""
    others = partners(path, links)
    codes = (code for code, target in links.get(path, {}).items() if target == path and code_of(code))
    named = frozenset(code for code in codes if any(links[each].get(code) == path for each in others))
    return Declared(markup.language, named)


def find_language_folders(pages: Iterable[tuple[str, Declared]], depth: int = DEPTH) -> dict[str, str]:
    """The languages of the folders that are in one, by path; pages are given by path.

    Mutual links in heads decide, else the name if most pages agree, with the script or country that all of these have.
    Else it is the ``html lang`` of most pages, if the folder is named after its country, or as in a common mistake, and
    the pages beside it say another one. No two folders in a folder have one code only because of their pages.
    """
    siblings: defaultdict[str, defaultdict[str, list[Declared]]] = defaultdict(lambda: defaultdict(list))
    for path, page in pages:
        steps = [*path.split("/")[:-1], ""][:depth]
        for at, step in enumerate(steps):
            siblings["/".join(steps[:at])][step].append(page)
    return {
        path_in(parent, name): code
        for parent, folders in siblings.items()
        for name, code in _languages_of(folders).items()
    }


def _languages_of(folders: Mapping[str, Collection[Declared]]) -> dict[str, str]:
    """The languages of folders in a folder, by name; the pages beside them have an empty name."""
    beside = code_of(most_common(_said(folders.get("", ()))[0]))
    found = {name: read for name, pages in folders.items() if name and (read := _read_folder(name, pages, beside))}
    exact = Counter(code for code, _ in found.values())
    return {name: code if exact[code] == 1 else named for name, (code, named) in found.items()}


def _read_folder(name: str, pages: Collection[Declared], beside: str) -> tuple[str, str] | None:
    """The code of the pages in a folder, and that of its name, if this is a folder of a language.

    ``beside`` is the language of the pages beside the folder.
    """
    said, is_linked = _said(pages)
    meant = [*_codes_of_name(name)]
    for named in (each for each in meant if agree(name, each)):
        if found := _most(said, partial(agree, named)):
            codes = [code_of(each) or named for each in found]
            is_exact = is_linked or ({*codes} == {codes[0]} and codes[0].startswith(f"{named}-"))
            return codes[0] if is_exact else named, named
    # The pages may make the same mistake (lang="cn").
    found = _most(said, lambda each: is_country_of(name, each) or any(agree(each, code) for code in (name, *meant)))
    code = next(filter(None, (code_of(each) for each in (*found[:1], *meant))), "") if found else ""
    return (code, code) if code and (is_linked or code != beside) else None


def _codes_of_name(name: str) -> Iterator[str]:
    """The language for which a name is a common mistake, and the one that it is the code of, if there are any."""
    try:
        code = parse_language(name)
    except InvalidLanguageError as error:
        yield from filter(None, [error.suggestion])
    else:
        yield from filter(None, [probably_meant(code), code])


def _said(pages: Iterable[Declared]) -> tuple[Counter[str], bool]:
    """How many pages say which language, and whether in mutual links, which precede ``html lang``."""
    pages = [*pages]
    named = Counter(code for page in pages for code in page.named)
    return named or Counter(page.language for page in pages if page.language), bool(named)


def _most(said: Counter[str], fits: Callable[[str], bool]) -> list[str]:
    """The languages that fit, the most frequent first, if most do."""
    fitting = sorted(filter(fits, said), key=lambda each: (-said[each], each))
    return fitting if sum(said[each] for each in fitting) * 2 > said.total() else []


def language_outside(pages: Mapping[str, Declared]) -> str:
    """The language, as written, of the pages outside language folders, by path; empty if none says it.

    It is that of the pages at the root, if there are any; those in other folders tell its exact code.
    """
    at_root, _ = _said(page for path, page in pages.items() if "/" not in path)
    said, _ = _said(pages.values())
    first = most_common(at_root)
    return most_common(Counter({each: said[each] for each in said if not first or agree(each, first)}))


def is_language_of_its_own(code: str, keys: Collection[str], folders: Mapping[str, Collection[str]]) -> bool:
    """Whether the pages outside language folders are in a language that no folder has.

    If a folder in ``en`` agrees with their ``en-GB``, they must share more than one page, since the only one may be
    where readers choose the language. Pages have a key that their translations share; ``folders`` are those by code.
    """
    agreeing = [there for each, there in folders.items() if agree(each, code)]
    is_shared = sum(any(key in there for there in agreeing) for key in keys) > 1
    return code not in folders and (not agreeing or is_shared)


def denies(page: Declared, code: str, *, is_said: bool) -> bool:
    """Whether a page is in another language. ``html lang`` counts if ``is_said``: other pages there say the code in it.

    Mutual links in heads decide before that.
    """
    said = page.named or ({page.language} if is_said and page.language else ())
    return bool(said) and not any(agree(each, code) for each in said)
