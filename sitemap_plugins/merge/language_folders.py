"""Which folders of a published site hold which language: by their names, and by what the pages in them say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from sitemap_plugins.built import Published, PublishedPage
from sitemap_plugins.values.languages import (
    InvalidLanguageError,
    agree,
    has_only_three_letters,
    parse_language,
    probably_meant,
)

_DEPTH: Final = 3  # folders below the root that may be a language: docs/latest/fr


class LanguageFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, relative to the root (empty for the root itself), its language, and how that is known.

    ``mapped`` says that its author named it: then the paths of pages are compared below the folder alone.
    """

    folder: str
    code: str
    evidence: str
    mapped: bool = False

    @property
    def is_said(self) -> bool:
        """Whether most pages in it say that they are in this language."""
        return "html lang" in self.evidence

    def key(self, path: str) -> str:
        """What a page below the folder has in common with its translations: its path without the language in it."""
        parent = "" if self.mapped else self.folder.rpartition("/")[0]
        below = path[len(self.folder) + 1 :] if self.folder else path
        return f"{parent}/{below}" if parent else below


class LanguageSummary(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one language: how many pages its sitemaps list, and how many of them have translations.

    ``absent`` counts pages that are listed but not there, ``closed`` those that tell crawlers to stay away, ``foreign``
    those that say they are in another language (``html lang``), as copies of untranslated pages do.
    """

    language: LanguageFolder
    listed: int
    translated: int
    absent: int
    closed: int
    foreign: int


def find_languages(published: Published) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of a published site, and a sentence on each folder that could be one and is not.

    A folder that is named like a language is one, unless the pages in it say otherwise (``html lang``). The pages in
    none of these folders are in the language that most of them say.
    """
    passed_over: set[str] = set()
    said = _languages_said(published.pages.values())
    builds = {sitemap.folder for sitemap in published.sitemaps}
    languages: dict[str, LanguageFolder] = {}
    remarks: list[str] = []
    for folder in sorted(said, key=lambda each: (each.count("/"), each)):
        if not folder or any(folder.startswith(f"{other}/") for other in languages):
            continue
        most = _most(said[folder])
        code = _read_name(folder.rpartition("/")[2], most)
        # Without a word of the pages, a name alone may mean something else: the folder "io" of a library.
        if code is None or not (agree(most, code) if most else folder in builds and not has_only_three_letters(code)):
            if code and folder in builds and not has_only_three_letters(code):
                passed_over.add(folder)
                remarks.append(
                    f'{folder}/ was not taken for {code}, because its pages say lang="{most}"; '
                    f"if they are in that language, say --language {code}={folder}, and name the others too"
                )
            continue
        parent = folder.rpartition("/")[0]
        same = [each for each in languages.values() if each.code == code and each.folder.rpartition("/")[0] == parent]
        if same:
            passed_over.add(folder)
            remarks.append(f"{folder}/ was left alone, because {same[0].folder}/ is in {code} too")
            continue
        languages[folder] = LanguageFolder(folder=folder, code=code, evidence="name, html lang" if most else "name")
    others = {
        each: _most(said[each])
        for each in builds - passed_over
        if each in said and each and not _is_below(each, languages) and not _is_above(each, languages)
    }
    remarks += _add_rest(languages, published, others, passed_over)
    return [*languages.values()], remarks


def _read_name(name: str, said: str) -> str | None:
    """The language that a folder is named after; for a common slip (``jp``) what is meant, if its pages say so."""
    try:
        code: str | None = parse_language(name)
        meant = probably_meant(code or "")
    except InvalidLanguageError as error:
        code, meant = None, error.suggestion
    return meant if meant is not None and said and agree(said, meant) else code


def _languages_said(pages: Iterable[PublishedPage]) -> Mapping[str, Counter[str]]:
    """How often the pages below each folder name each language."""
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        parts = page.path.split("/")[:-1]
        for depth in range(min(len(parts), _DEPTH) + 1):
            said["/".join(parts[:depth])][page.markup.language] += 1
    return said


def _most(counts: Counter[str]) -> str:
    """The language that most pages name; empty when none does. Of equals the first in the alphabet."""
    return max(sorted(name for name in counts if name), key=lambda name: counts[name], default="")


def _add_rest(
    languages: dict[str, LanguageFolder], published: Published, others: Mapping[str, str], passed_over: Iterable[str]
) -> list[str]:
    """Add the root as the folder of all pages that lie in no other, if their language is known and nobody else's.

    ``others`` are folders with a sitemap of their own, and the language that most of their pages name: each may be
    another version, or a language by another name. ``passed_over`` are those of which that has been said.
    """
    apart = tuple(f"{folder}/" for folder in (*others, *passed_over))
    rest = [page for page in published.pages.values() if folder_of(page.path, languages) is None]
    at_root = [page for page in rest if not page.path.startswith(apart)]
    most = _most(Counter(page.markup.language for page in at_root))
    known = [*(each.code for each in languages.values()), most or "-"]
    if not at_root:
        # Versions, perhaps, with nothing at the root itself.
        at_root, most = rest, _most(Counter(page.markup.language for page in rest))
    remarks = [
        f'{folder}/ was left alone, because its pages say lang="{language}"; '
        f"if they are translations, say --language {language}={folder}, and name the others too"
        for folder, language in sorted(others.items())
        if language and (languages or most) and not any(agree(language, each) for each in known)
    ]
    if not languages or not at_root:
        return remarks
    if not most:
        message = "the pages in no folder of a language do not say theirs (html lang); name all: --language CODE=."
        is_page_to_choose = all(page.path == "index.html" for page in at_root)
        return remarks if is_page_to_choose else [*remarks, message]
    try:
        code = parse_language(most)
    except InvalidLanguageError as error:
        return [*remarks, f'the pages in no folder of a language say lang="{most}", which {error}']
    # What is there already is a page to choose the language, or a copy.
    if not any(each.code == code or (len(at_root) == 1 and agree(each.code, code)) for each in languages.values()):
        languages[""] = LanguageFolder(folder="", code=code, evidence="html lang")
    return remarks


def _is_above(folder: str, languages: Iterable[str]) -> bool:
    return any(each.startswith(f"{folder}/") for each in languages)


def _is_below(folder: str, languages: Mapping[str, LanguageFolder]) -> bool:
    return folder_of(f"{folder}/", languages) is not None


def folder_of(path: str, languages: Mapping[str, LanguageFolder]) -> LanguageFolder | None:
    """The innermost folder of a language that a page lies in."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in languages:
            return languages[folder]
    return None
