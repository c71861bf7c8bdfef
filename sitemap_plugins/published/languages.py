"""Decides which languages a site and its pages have, which pages are translations, and which folders are sites."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import structs

from sitemap_plugins.formats.paths import ERROR_PAGES
from sitemap_plugins.model import X_DEFAULT, Markup, Note
from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.values.languages import (
    InvalidLanguageError,
    agree,
    code_of,
    is_country_of,
    parse_language,
    probably_meant,
)
from sitemap_plugins.values.text import and_more_pages, most_common
from sitemap_plugins.values.urls import absolute_url, page_key, path_in

HeadLinks: TypeAlias = Mapping[str, Mapping[str, str | None]]
"""Where the ``hreflang`` links in each head lead, by codes: pages are named by their paths, and None is elsewhere."""

DEPTH: Final = 3
"""The number of folders that may lead to a language, itself included: ``docs/latest/fr``."""

FolderKind: TypeAlias = Literal["version", "alias", "language"]


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


class PageLanguage(msgspec.Struct, frozen=True):
    """The language of a page, its language folder (empty at the root), and a name that all its translations share.

    The name, ``translation``, is empty if the site has one language. ``default`` is the language of the page that the
    head names as ``x-default``, empty if that is no translation, None if the head names none. ``other`` is the language
    that the page itself declares instead; then it is no translation, but may be the copy of a page in that language.
    """

    code: str
    folder: str = ""
    translation: str = ""
    default: str | None = None
    other: str = ""


def find_head_links(files: Collection[HTMLFile], locs: Mapping[str, str], base_url: str) -> HeadLinks:
    """The pages of the site to which the ``hreflang`` links in each head lead."""
    paths = {file.path for file in files}
    pages = ((file.path, locs[file.path], file.markup) for file in files if file.markup)
    return read_head_links(pages, lambda url: file_at(url, base_url, paths.__contains__))


def find_page_languages(
    files: Collection[HTMLFile], links: HeadLinks, digest_of: Callable[[str], str]
) -> dict[str, PageLanguage]:
    """The language of each file, and the name that its translations share, by its path.

    Pages are translations of one another if their ``hreflang`` links lead to one another, or else if they have the same
    path below their language folders (see `find_language_folders`). Without such folders, only links count.
    A page at the root is a copy if it has the digest of the same page in a folder whose language agrees with its own.
    """
    said = {file.path: read_declared(file.path, file.markup or Markup(), links) for file in files}
    counted = [file for file in files if file.stem not in ERROR_PAGES and not (file.markup and file.markup.refresh)]
    codes = find_language_folders(((file.path, said[file.path]) for file in counted), depth=1)
    tops = {file.path: top if (top := file.stem.partition("/")[0]) in codes else "" for file in files}
    root = language_outside({file.path: said[file.path] for file in counted if not tops[file.path]})
    found = {path: PageLanguage(min(page.named, default=page.language)) for path, page in said.items()}
    if not codes or (len(codes) == 1 and not root):
        shown = {path: structs.replace(found[path], translation=path, default="") for path in found if said[path].named}
        return _with_links(found | shown, links)
    codes[""] = root
    pages = {top: {file.stem_below(top): file.path for file in counted if tops[file.path] == top} for top in codes}
    is_said = {top: any(agree(said[path].language, codes[top]) for path in pages[top].values()) for top in codes}
    at_root = {*pages[""].values()}.difference(_copies_at_root(codes, pages, links, digest_of))
    for file in files:
        page, top = said[file.path], tops[file.path]
        is_denied = denies(page, codes[top], is_said=is_said[top])
        if is_denied or top or file.path in at_root:
            code = found[file.path].code if is_denied and page.named else codes[top]
            other = page.language if is_denied and not page.named else ""
            found[file.path] = PageLanguage(code, top, file.stem_below(top) or ".", other=other)
    return _with_links(found, links)


def _with_links(page_languages: Mapping[str, PageLanguage], links: HeadLinks) -> dict[str, PageLanguage]:
    """The languages of pages, with the names that they share with those in mutual links, and their defaults.

    A page without such links joins those with its path, if they have no translation in its language.
    """
    mutual = {path: partners(path, links) for path, found in page_languages.items() if found.translation}
    linked = {path: f"{min([path, *others])} and its translations" for path, others in mutual.items() if others}
    names: defaultdict[str, set[str]] = defaultdict(set)
    codes: defaultdict[str, set[str]] = defaultdict(set)
    for path, name in linked.items():
        names[page_languages[path].translation].add(name)
        codes[name].add(page_languages[path].code)
    result = dict(page_languages)
    for path in mutual:
        found = page_languages[path]
        free = [name for name in names[found.translation] if found.code not in codes[name]]
        name = linked.get(path) or (free[0] if len(free) == 1 else found.translation)
        default = found.default
        if target := links.get(path, {}).get(X_DEFAULT):
            at_target = page_languages[target]
            default = at_target.code if at_target.translation and not at_target.other else ""
        result[path] = structs.replace(found, translation=name, default=default)
    return result


def _copies_at_root(
    codes: Mapping[str, str],
    pages: Mapping[str, Mapping[str, str]],
    links: HeadLinks,
    digest_of: Callable[[str], str],
) -> Iterator[str]:
    """The pages at the root that lead readers to their language, or that are copies of pages in a folder.

    ``pages`` has the paths of the pages in each folder that has a code, by what they share with their translations.
    """
    root = codes[""]
    if not is_language_of_its_own(code_of(root) or root, pages[""], {codes[top]: pages[top] for top in codes if top}):
        yield from pages[""].values()
        return
    for top in (top for top, code in codes.items() if top and agree(code, root)):
        for stem in pages[""].keys() & pages[top].keys():
            path, other = pages[""][stem], pages[top][stem]
            if other not in partners(path, links) and (digest := digest_of(path)) and digest == digest_of(other):
                yield path


def incomplete_links_notes(links: HeadLinks, page_languages: Mapping[str, PageLanguage]) -> Iterator[Note]:
    """A note if heads name translations in this site, but not completely, and nothing else shows the languages."""
    shared = Counter(each.translation for each in page_languages.values() if each.translation and not each.other)
    if any(number > 1 for number in shared.values()):
        return
    linking = [
        path
        for path, named in links.items()
        if any(code != X_DEFAULT and target not in {None, path} for code, target in named.items())
    ]
    if linking:
        message = (
            "its head names translations in this site, but not all of them name each other and themselves, so the "
            "sitemap links none: complete the hreflang links, or set the option languages"
        )
        yield Note(kind="language-mismatch", page=linking[0], message=message + and_more_pages(len(linking) - 1))


def find_folders(pages: Iterable[HTMLFile], versions: Mapping[str, FolderKind]) -> dict[str, FolderKind]:
    """The folders that are sites of their own, with their kinds; ``versions`` are those of versions and aliases.

    The names and pages of folders show their languages, see `find_language_folders`; links in heads do not count here.
    """
    declared = (
        (each.path, Declared(each.markup.language)) for each in pages if each.markup and not each.markup.refresh
    )
    kinds: dict[str, FolderKind] = dict.fromkeys(find_language_folders(declared), "language")
    kinds |= versions
    kinds.pop("", None)  # the root of the site
    return kinds


def without_links(markup: Markup, loc: str, copies: Collection[str]) -> Markup:
    """The head of a page without its ``hreflang`` links to copies, which are given by `page_key`.

    The generator writes them whatever the author does.
    """
    if not copies:
        return markup
    urls = ((link, absolute_url(loc, link[1])) for link in markup.hreflang)
    return structs.replace(markup, hreflang=tuple(link for link, url in urls if url and page_key(url) not in copies))
