"""Finds the source of each page, also by its edit link, and whether the page is a copy of one in another language."""

from __future__ import annotations

import html
import os
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import Final
from urllib.parse import unquote, urlsplit

from sitemap_plugins.folder.generators.source import Source
from sitemap_plugins.git.process import toplevel_of
from sitemap_plugins.git.repository import remote_urls
from sitemap_plugins.model import Note
from sitemap_plugins.options.types import SourcePattern
from sitemap_plugins.output.pages import read_output
from sitemap_plugins.published.html_files import HTMLFile
from sitemap_plugins.published.languages import PageLanguage
from sitemap_plugins.values.text import and_more_pages, one_line
from sitemap_plugins.values.urls import is_inside

_INDEXES: Final = ("index", "README", "_index")
# Translations of these are in the texts that they use, not in files of their own.
_TEMPLATES: Final = (
    ".astro", ".cjs", ".ejs", ".hbs", ".j2", ".jinja", ".js", ".jsx", ".liquid", ".mjs", ".njk", ".php", ".pug",
    ".svelte", ".ts", ".tsx", ".twig", ".vue",
)  # fmt: skip

_LINK: Final = re.compile(rb"""\shref\s*+=\s*+["']?(?P<url>https?://[^\s"'<>]{1,2000}+)""")
_MARKS: Final = (b"/edit/", b"/_edit/", b"?mode=edit")  # of GitHub and GitLab, of Gitea, of Bitbucket
_MOST: Final = 100  # links of a page that are looked at
# https://host/owner/name.git, git@host:owner/name.git, ssh://git@host:22/owner/name
_REMOTE: Final = re.compile(r"(?:\w++://[^/]++/|[^/:]++:)/?(?P<name>[^?#]+)")
_SAMPLE: Final = 20
_SHOWN: Final = 200  # characters of a reason
_MADE: Final = "made of other pages"
_NOT_FOUND: Final = "its source was not found"
_SHARE: Final = 0.5


def find_sources(files: Iterable[HTMLFile], documents: Iterable[tuple[str, Source]]) -> dict[str, Source]:
    """The source of each page that has one, by the page's path. The documents come after the stems of their pages."""
    known: dict[str, dict[bool, Source]] = {}  # guide.md and guide/index.md have the same stem
    for stem, each in documents:
        known.setdefault(stem, {}).setdefault(is_index(each.file), each)
    return {  # if possible, it is an index like the page
        file.path: candidates.get(file.is_index) or next(iter(candidates.values()))
        for file in files
        if (candidates := known.get(file.stem))
    }


def is_index(file: str) -> bool:
    """Whether a source makes the page of its folder."""
    return os.path.splitext(os.path.basename(file))[0] in _INDEXES


def match_sources(
    files: Collection[HTMLFile],
    page_languages: Mapping[str, PageLanguage],
    patterns: Sequence[SourcePattern],
    root: str,
) -> tuple[dict[str, Source], list[Note]]:
    """The source of each page from the author's patterns. The first pattern that finds a file counts.

    ``{path}`` stands for the path of the page, also followed by an index or a README, and ``{lang}`` for its language.
    In a language folder, a pattern with ``{lang}`` gets the path below that folder. If no pattern finds anything, those
    without get it too; such a page is a copy from another language, unless the source is a template. So is a page
    outside such folders that only a pattern after one with ``{lang}`` finds. The main language is an exception: it has
    all its sources there, and is the one at the root, or else has the most pages. ``root`` is the absolute folder that
    the patterns are relative to.
    """
    paths = {file.path for file in files}
    own: dict[str, str] = {}
    borrowed: dict[str, str] = {}
    used: set[SourcePattern] = set()
    ambiguous: dict[str, list[str]] = {}
    for file in files:
        for pattern, path, is_borrowed in _attempts(patterns, file, page_languages[file.path]):
            names = [*_existing(pattern, path, page_languages[file.path], root)]
            if {f"{file.stem}.html", f"{file.stem}/index.html"} <= paths:
                names = [name for name in names if is_index(name) == file.is_index] or names
            if names:
                used.add(pattern)
                if len(names) > 1:
                    ambiguous[file.path] = names
                else:
                    (borrowed if is_borrowed else own)[file.path] = names[0]
                break
    originals = {name for path, name in own.items() if page_languages[path].translation}
    others = {page_languages[path].folder for path in own}
    others |= {page_languages[path].folder for path, name in borrowed.items() if name in originals}
    counted = Counter(folder for path in borrowed if (folder := page_languages[path].folder) not in others)
    main = max(counted, key=lambda folder: (not folder, counted[folder]), default=None)
    found = {
        path: Source(
            os.path.join(root, *name.split("/")),
            name,
            path in borrowed
            and page_languages[path].folder != main
            and bool(page_languages[path].code)
            and not name.lower().endswith(_TEMPLATES),
        )
        for path, name in (own | borrowed).items()
    }
    return found, [*_notes(patterns, used, ambiguous, root)]


def _attempts(
    patterns: Sequence[SourcePattern], file: HTMLFile, page_language: PageLanguage
) -> Iterator[tuple[SourcePattern, str, bool]]:
    """The patterns to try for a file, each with its path, and whether a source found so may be of another language."""
    below = file.stem_below(page_language.folder)
    is_later = False
    for pattern in patterns:
        is_later |= "{lang}" in pattern
        if "{lang}" in pattern:
            yield pattern, below, False
        else:
            yield pattern, file.stem, is_later and not page_language.folder
    if page_language.folder:
        yield from ((pattern, below, True) for pattern in patterns if "{lang}" not in pattern)


def _notes(
    patterns: Sequence[SourcePattern],
    used: Collection[SourcePattern],
    ambiguous: Mapping[str, Sequence[str]],
    root: str,
) -> Iterator[Note]:
    if patterns and not used:
        message = f"source: no pattern finds a file for any page in {root}: correct the patterns, or remove them"
        yield Note(kind="source", message=message)
    for pattern in patterns if used else ():
        if pattern not in used:
            yield Note(kind="unmatched", message=f"source: {str(pattern)!r} finds no file for any page")
    if ambiguous:
        page, names = next(iter(ambiguous.items()))
        message = (
            f"source: {' and '.join(names)} could both be the source of {page}, so neither dates it"
            f"{and_more_pages(len(ambiguous) - 1)}"
        )
        yield Note(kind="source", message=message)


def _existing(pattern: SourcePattern, path: str, page_language: PageLanguage, root: str) -> Iterator[str]:
    """The existing files for a pattern and a path, relative to the root; more than one if it is ambiguous."""
    named = dict.fromkeys((page_language.folder, page_language.code, page_language.code.partition("-")[0]))
    languages = (each for each in named if each and "/" not in each and is_inside(each))
    for language in languages if "{lang}" in pattern else [""]:
        places = [path] if path else []
        places += [f"{path}/{index}".lstrip("/") for index in _INDEXES]
        there = [each for place in places if _is_file(root, each := pattern.fill(place, language))]
        if there:
            yield from there
            return


def _is_file(root: str, name: str) -> bool:
    return os.path.isfile(os.path.join(root, *name.split("/")))


def find_edited(
    files: Collection[HTMLFile],
    page_languages: Mapping[str, PageLanguage],
    known: Mapping[str, Source],
    site: str,
    root: str,
    *,
    knows_documents: bool = True,
) -> tuple[dict[str, Source], dict[str, str]]:
    """The sources of pages that have none in ``known``, or are copies there, by path; and why others have none.

    ``knows_documents`` tells whether the documents of the project were looked at for ``known``. A link counts if it
    leads to an existing file in a repository that is a remote of the one with ``root``. Of several pages with the same
    link, one is made from the file, and others may be untranslated copies of it.
    """
    without = [file for file in files if file.path not in known or known[file.path].is_copy]
    left = [file for file in without if file.markup and not file.markup.refresh and not file.is_fragment]
    toplevel = toplevel_of(os.path.realpath(root)) if left else None
    remotes = _remotes(toplevel) if toplevel else frozenset()
    if not toplevel or not remotes:  # no link can be one to this repository, so no page is read
        unknown = (file for file in left if file.path not in known)
        return {}, {file.path: _MADE if _is_made_of_others(file) else _NOT_FOUND for file in unknown}
    sample = [file for file in files if file.path in known and not known[file.path].is_copy][:_SAMPLE]
    targets = {file.path: [*_targets(file, site)] for file in (*left, *sample)}
    reasons = {
        file.path: _why_not_found(file, targets[file.path], toplevel, remotes, knows_documents=knows_documents)
        for file in left
        if file.path not in known
    }
    linked = {path: [*_linked_files(each, toplevel, remotes)] for path, each in targets.items()}
    if not _are_edit_links(linked, [*left, *sample], {file.path: known[file.path].file for file in sample}):
        return {}, reasons
    used = {os.path.realpath(source.file) for source in known.values()}
    pages: defaultdict[str, list[str]] = defaultdict(list)
    for file in left:
        for name in linked[file.path] if len(linked[file.path]) == 1 else ():
            pages[name].append(file.path)
    own = {
        path: Source(name, os.path.relpath(name, os.path.realpath(root)).replace(os.sep, "/"))
        for name, paths in pages.items()
        if os.path.realpath(name) not in used and (path := _page_of(name, paths, page_languages))
    }
    found = own | dict(_copies(pages, {**known, **own}, page_languages))
    return found, {path: why for path, why in reasons.items() if path not in found}


def _why_not_found(
    file: HTMLFile,
    targets: Sequence[tuple[str, str]],
    toplevel: str,
    remotes: Collection[str],
    *,
    knows_documents: bool,
) -> str:
    """Why no source of a page is known, if its edit link does not tell; a sentence in which "it" is the page."""
    if _is_made_of_others(file):
        return _MADE
    why = "it has no edit link" + (", and no document makes this URL" if knows_documents else "")
    for name, path in targets[:1]:
        why = f"its edit link leads to {name}, no remote of this repository"
        if name.lower() in remotes:
            why = f"its edit link leads to {path}, which does not exist"
            if any(_linked_files([(name, path)], toplevel, remotes)):
                why = "several pages may be made from the file of its edit link"
    return f"{_NOT_FOUND}: {one_line(why, _SHOWN)}"


def _is_made_of_others(file: HTMLFile) -> bool:
    """Whether a page is at one of the paths where tools list other pages."""
    from sitemap_plugins.published.snapshot import is_list, normalize  # few builds have pages without a source

    return is_list(normalize(file.path))


def _are_edit_links(linked: Mapping[str, Sequence[str]], files: Sequence[HTMLFile], known: Mapping[str, str]) -> bool:
    """Whether the links of pages to files are a part of the theme, not of the content.

    At least half of the pages with links and a ``known`` source must have one link, to this source. If there are no
    such pages, at least half of all ``files`` must have one link, or half of the links lead to a file named alike.
    """
    sure = [
        [*map(os.path.realpath, linked[path])] == [os.path.realpath(file)]
        for path, file in known.items()
        if linked[path]
    ]
    if sure:
        return sum(sure) >= _SHARE * len(sure)
    alike = [_is_named_like(file, *linked[file.path]) for file in files if len(linked[file.path]) == 1]
    return bool(alike) and (len(alike) >= _SHARE * len(files) or sum(alike) >= _SHARE * len(alike))


def _is_named_like(file: HTMLFile, source: str) -> bool:
    """Whether the last part of a page's path is the name of a source, or of the folder of an index."""
    path = PurePath(source)
    name = path.parent.name if is_index(source) else path.stem
    return file.stem.rpartition("/")[2].lower() == name.lower()


def _page_of(name: str, paths: Sequence[str], page_languages: Mapping[str, PageLanguage]) -> str | None:
    """The page that is made from a file to which these pages link; None if it may be any of several.

    It is the only one outside language folders, or else in the language folder that is also one of the file. The later
    pages of a list do not count.
    """
    originals = [path for path in paths if "/page/" not in f"/{path}"] if len(paths) > 1 else paths
    if len(originals) > 1:
        outside = [path for path in originals if not page_languages[path].folder]
        parts = PurePath(name).parts
        originals = outside or [path for path in originals if page_languages[path].folder in parts]
    return originals[0] if len(originals) == 1 else None


def _copies(
    pages: Mapping[str, Sequence[str]], sources: Mapping[str, Source], page_languages: Mapping[str, PageLanguage]
) -> Iterator[tuple[str, Source]]:
    """The pages in language folders whose links lead to the source of the original, because there is no translation.

    The links of translations may lead there, too. So a link counts only if the same language folder has links to
    translations of other originals in the same top folder of the project: a generator may have a setting for each.
    """
    own = {path: source for path, source in sources.items() if not source.is_copy}
    versions: defaultdict[str, dict[str, Source]] = defaultdict(dict)
    for path, source in own.items():
        if name := page_languages[path].translation:
            versions[name][page_languages[path].folder] = source
    localized = {
        (folder, _top(original))
        for each in versions.values()
        for folder in each
        for other, original in each.items()
        if folder and folder != other
    }
    for file, paths in pages.items():
        for path in paths:
            language = page_languages[path]
            for other, original in versions[language.translation].items() if path not in own else ():
                is_linked = os.path.realpath(original.file) == os.path.realpath(file)
                if other != language.folder and is_linked and (language.folder, _top(original)) in localized:
                    yield path, Source(original.file, original.name, is_copy=True)


def _top(source: Source) -> str:
    return source.name.partition("/")[0]


def _remotes(toplevel: str) -> frozenset[str]:
    """The owner and name of each remote, in lower case."""
    try:
        found = (_REMOTE.fullmatch(url) for url in remote_urls(toplevel))
    except OSError:
        return frozenset()
    return frozenset(each["name"].rstrip("/").removesuffix(".git").lower() for each in found if each)


def _targets(file: HTMLFile, site: str) -> Iterator[tuple[str, str]]:
    """The repositories, and paths in them, of the files that links of a page may offer to edit, once each."""
    content, _ = read_output(os.path.join(site, file.path), site)
    links = (each["url"] for each in _LINK.finditer(content or b""))
    found = islice((each for each in links if any(mark in each for mark in _MARKS)), _MOST)
    urls = dict.fromkeys(html.unescape(each.decode(errors="replace")) for each in found)
    yield from dict.fromkeys(each for url in urls for each in _targets_of(url))


def _targets_of(url: str) -> Iterator[tuple[str, str]]:
    """What a link may offer to edit: ``…/owner/name/edit/main/docs/a.md``, and the forms of other forges."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return
    steps = unquote(parts.path).strip("/").split("/")
    marks = ("src",) if parts.query else ("edit", "_edit")
    for at, step in enumerate(steps):
        if step in marks:
            yield "/".join(steps[:at]).removesuffix("/-").rstrip("/"), "/".join(steps[at + 2 :])


def _linked_files(targets: Iterable[tuple[str, str]], toplevel: str, remotes: Collection[str]) -> Iterator[str]:
    """Those of the files, as absolute paths, that exist in a repository with one of these remotes."""
    files = (
        os.path.join(toplevel, *path.split("/"))
        for name, path in targets
        if name.lower() in remotes and is_inside(path)
    )
    yield from dict.fromkeys(filter(os.path.isfile, files))
