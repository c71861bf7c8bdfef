"""Finds the language of each folder of a published site, from the folder's name and the ``html lang`` of its pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from sitemap_plugins.merge.reading import Published, PublishedPage
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language, probably_meant

_DEPTH: Final = 3  # folders below the root that may be a language: docs/latest/fr


class LanguageFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder, relative to the root (empty for the root itself), its language, and how it was recognized.

    ``mapped`` is true if the author named the folder. Its pages are then compared by their paths below it.
    ``is_declared`` is true if most pages in the folder declare this language (``html lang``), and ``is_at_root`` if the
    folder is a version that no language folder contains.
    """

    folder: str
    code: str
    known_by: str
    mapped: bool = False
    is_declared: bool = False
    is_at_root: bool = False

    def key(self, path: str) -> str:
        """The key that a page shares with its translations: its path without the language folder."""
        parent = "" if self.mapped else self.folder.rpartition("/")[0]
        below = path[len(self.folder) + 1 :] if self.folder else path
        return f"{parent}/{below}" if parent else below


class LanguageSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The result for one language: how many pages its sitemaps list, and how many of them have translations.

    ``absent`` counts listed pages that do not exist, ``closed`` pages that must not be indexed, and ``foreign`` pages
    that declare another language (``html lang``), such as copies of untranslated pages.
    """

    language: LanguageFolder
    listed: int
    translated: int
    absent: int
    closed: int
    foreign: int


def find_languages(published: Published) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of a published site, and a note on each folder that looks like a language but is not used.

    A folder named like a language counts as that language, unless its pages declare another one (``html lang``). The
    pages outside these folders are in the language that most of them declare.
    """
    passed_over: set[str] = set()
    declared = _count_languages(published.pages.values())
    builds = {sitemap.folder for sitemap in published.sitemaps}
    languages: dict[str, LanguageFolder] = {}
    notes: list[str] = []
    for folder in sorted(declared, key=lambda each: (each.count("/"), each)):
        if not folder or any(folder.startswith(f"{other}/") for other in languages):
            continue
        most = _most_common(declared[folder])
        code = _read_name(folder.rpartition("/")[2], most)
        # If no page declares a language, the name alone may mean something else: the folder "io" of a library.
        if code is None or not (agree(most, code) if most else folder in builds):
            if code and folder in builds:
                passed_over.add(folder)
                notes.append(
                    f'{folder}/ was not taken for {code}, because its pages say lang="{most}"; '
                    f"if they are in that language, use --language {code}={folder}, and name the others too"
                )
            continue
        parent = folder.rpartition("/")[0]
        same = [each for each in languages.values() if each.code == code and each.folder.rpartition("/")[0] == parent]
        if same:
            passed_over.add(folder)
            notes.append(f"{folder}/ was left alone, because {same[0].folder}/ is in {code} too")
            continue
        known_by = "name, html lang" if most else "name"
        languages[folder] = LanguageFolder(folder=folder, code=code, known_by=known_by, is_declared=bool(most))
    others = {
        each: _most_common(declared[each])
        for each in builds - passed_over
        if each in declared
        and each
        and folder_of(f"{each}/", languages) is None
        and not any(other.startswith(f"{each}/") for other in languages)
    }
    notes += _add_root(languages, published, others, passed_over)
    return [*languages.values()], notes


def _read_name(name: str, declared: str) -> str | None:
    """The language that a folder is named after.

    If its pages declare the same, any three letters count (``tlh``), and a common mistake (``jp``) is corrected.
    """
    try:
        code: str | None = parse_language(name, only_known=not agree(declared, name))
        meant = probably_meant(code or "")
    except InvalidLanguageError as error:
        code, meant = None, error.suggestion
    return meant if meant is not None and declared and agree(declared, meant) else code


def _count_languages(pages: Iterable[PublishedPage]) -> Mapping[str, Counter[str]]:
    """How many pages below each folder declare each language."""
    declared: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        parts = page.path.split("/")[:-1]
        for depth in range(min(len(parts), _DEPTH) + 1):
            declared["/".join(parts[:depth])][page.markup.language] += 1
    return declared


def _most_common(counts: Counter[str]) -> str:
    """The language that most pages declare, or empty if none does. A tie goes to the first in the alphabet."""
    return max(sorted(name for name in counts if name), key=lambda name: counts[name], default="")


def _add_root(
    languages: dict[str, LanguageFolder], published: Published, others: Mapping[str, str], passed_over: Iterable[str]
) -> list[str]:
    """Add the root as the folder of all remaining pages, if their language is known and no other folder has it.

    ``others`` maps folders with their own sitemap to the language that most of their pages declare. Each may be another
    version, or a language by another name. ``passed_over`` are folders that already have a note.
    """
    other_folders = tuple(f"{folder}/" for folder in (*others, *passed_over))
    rest = [page for page in published.pages.values() if folder_of(page.path, languages) is None]
    at_root = [page for page in rest if not page.path.startswith(other_folders)]
    most = _most_common(Counter(page.markup.language for page in at_root))
    known = [*(each.code for each in languages.values()), most or "-"]
    if not at_root:
        # The site may consist of versions, with no pages at the root itself.
        at_root, most = rest, _most_common(Counter(page.markup.language for page in rest))
    notes = [
        _left_alone(folder, language)
        for folder, language in sorted(others.items())
        if language and (languages or most) and not any(agree(language, each) for each in known)
    ]
    if not languages or not at_root:
        return notes
    if not most:
        message = "the pages outside the language folders have no html lang; name every language: --language CODE=."
        is_page_to_choose = all(page.path == "index.html" for page in at_root)
        return notes if is_page_to_choose else [*notes, message]
    try:
        code = parse_language(most)
    except InvalidLanguageError as error:
        return [*notes, f'the pages outside the language folders say lang="{most}", which {error}']
    # If a folder already has this language, the pages at the root are copies, or one page to choose the language.
    if not any(each.code == code or (len(at_root) == 1 and agree(each.code, code)) for each in languages.values()):
        languages[""] = LanguageFolder(folder="", code=code, known_by="html lang", is_declared=True)
    return notes


def _left_alone(folder: str, language: str) -> str:
    """The note on a separate build in a folder that is not named after its language."""
    note = f'{folder}/ was left alone, because its pages say lang="{language}"'
    try:
        parse_language(language)
    except InvalidLanguageError as error:
        return f"{note}, which {error}"
    return f"{note}; if they are translations, use --language {language}={folder}, and name the others too"


def folder_of(path: str, languages: Mapping[str, LanguageFolder]) -> LanguageFolder | None:
    """The innermost language folder that contains a page."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if folder in languages:
            return languages[folder]
    return None


def languages_of_versions(
    codes: Mapping[str, str | None], published: Published
) -> tuple[list[LanguageFolder], list[str]]:
    """The languages of the versions in these folders, and a note on a version whose language is not known.

    ``codes`` are those of the language folders that contain them. A version in none, which has the code None, is in the
    language that most of its pages declare, if no other version is in it.
    """
    folders = {
        folder: LanguageFolder(folder=folder, code=code or "", known_by="folder" if code else "html lang", mapped=True)
        for folder, code in codes.items()
    }
    declared = {folder: Counter[str]() for folder in folders}
    for page in published.pages.values():
        if page.markup.language and (place := folder_of(page.path, folders)):
            declared[place.folder][page.markup.language] += 1
    notes: list[str] = []
    for folder, code in codes.items():
        most = _most_common(declared[folder])
        language = folders.pop(folder)
        why = ""
        try:
            language = msgspec.structs.replace(language, code=code or parse_language(most), is_at_root=code is None)
        except InvalidLanguageError as error:
            why = f'say lang="{most}", which {error}' if most else "have no html lang"
        if same := next((each.folder for each in folders.values() if each.code == language.code), None):
            why = f'say lang="{most}", and {same}/ is in {language.code} too'
        if why:
            way_out = f"if they are translations, name every language: --language CODE={folder or '.'}"
            notes.append(f"the pages in {folder or '.'}/ {why}, so they were not linked; {way_out}")
        else:
            folders[folder] = msgspec.structs.replace(language, is_declared=agree(most, language.code))
    return [*folders.values()], notes
