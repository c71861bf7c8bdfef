"""Finds the language of each page of a built folder, and which pages are translations of one another."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

import msgspec
from msgspec import structs

from sitemap_plugins.formats.paths import ERROR_PAGES
from sitemap_plugins.model import X_DEFAULT, Markup, Note
from sitemap_plugins.published.addresses import file_at
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import (
    HeadLinks,
    denies,
    find_language_folders,
    is_language_of_its_own,
    language_outside,
    partners,
    read_declared,
    read_head_links,
)
from sitemap_plugins.values.languages import agree, code_of
from sitemap_plugins.values.text import and_more_pages


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
