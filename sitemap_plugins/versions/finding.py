"""Finds the folders of versions and their aliases: in lists of versions, by their names, and by a pattern."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec

from sitemap_plugins.formats.paths import ERROR_PAGES
from sitemap_plugins.published.previews import find_previews
from sitemap_plugins.published.samples import Sample, is_build, read_sample, target_of
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import VERSION_LIST
from sitemap_plugins.values.languages import InvalidLanguageError, agree, parse_language
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import CONTROL, most_common, plural, short_repr
from sitemap_plugins.values.urls import InvalidURLError, ends_of, is_inside, parse_base_url, path_in
from sitemap_plugins.values.version_names import read_name

MIKE: Final = "versions.json"
"""The file name of mike's list of versions."""

_SWITCHERS: Final = ("switcher.json", "_static/switcher.json", "_static/versions.json")
_BOM: Final = b"\xef\xbb\xbf"
_PLACES: Final = {"{version}": "(?P<version>.+)", "{lang}": "(?P<lang>.+)"}
_PLACE: Final = re.compile(r"(\{version\}|\{lang\})")


class FoundFolder(msgspec.Struct, frozen=True, kw_only=True):
    """A folder that is a version or an alias of one; the fields mean the same as in `Version`.

    If a list of versions calls the folder an alias, ``copy_of`` is the folder of its version.
    """

    folder: str
    name: str
    real_folder: str
    sample: Sample
    known_by: tuple[str, ...]
    language: str | None = None
    title: str = ""
    is_preferred: bool = False
    copy_of: str | None = None


class Sentences:
    """What a search has to say: sentences, and then one for all names that were left alone for the same reason."""

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._names: dict[tuple[str, str], list[str]] = {}

    def say(self, *sentences: str) -> None:
        """Add sentences."""
        self._sentences += sentences

    def leave(self, name: str, why: str, source: str = "") -> None:
        """Add a name; ``source`` is the list that names it, if any. ``why`` is a phrase such as "does not exist"."""
        self._names.setdefault((source, why), []).append(name)

    def __iter__(self) -> Iterator[str]:
        yield from self._sentences
        for (source, why), names in self._names.items():
            others = len(names) - 1
            more = f" (as in {others:,} more {plural(others, 'case')})" if others else ""
            sentence = f"{source} names {short_repr(names[0])}, which {why}" if source else f"{names[0]} {why}"
            yield f"{sentence}, so it was left alone{more}"


class Search:
    """The versions and aliases found so far, by folder, and what is to be said about them."""

    def __init__(self, tree: Tree) -> None:
        self.found: dict[str, FoundFolder] = {}
        self.languages: dict[str, str] = {}
        """The language code of each language folder."""
        self.previews: tuple[str, ...] = ()
        self.listed_root: str | None = None
        """The URL of the root according to a list of versions."""
        self.problems = Sentences()
        """About folders and lists that could not be used."""
        self.dangers = Sentences()
        """About aliases that lead nowhere, often because a version was removed."""
        self.notes = Sentences()
        """About what is no mistake."""
        self._tree = tree
        self._unusable: set[str] = set()

    def look_in(self, parent: str, language: str | None = None) -> None:
        """Find the versions directly in a folder."""
        for each in self._read_list(path_in(parent, MIKE)):
            if not each.url:
                self._add_listed(parent, language, each)
        is_site = is_build(self._tree, parent)
        pages: list[FoundFolder] = []
        for name in self._tree.folders(parent):
            folder = path_in(parent, name)
            if folder in self.found or not read_name(name) or not (found := self._examine(folder, name, language)):
                continue
            # Some generators write the page for errors as 404/index.html, in each language.
            if name in ERROR_PAGES and found.sample.pages == ("index.html",):
                continue
            # Inside a site, a folder that has only pages is a part of that site.
            if not is_site or found.real_folder != folder or is_build(self._tree, folder):
                self._add_site(found)
            else:
                pages.append(found)
        self.found |= {
            found.folder: found for found in pages if target_of(found.sample.leads_to, self.found) is not None
        }

    def look_in_languages(self) -> None:
        """Find the versions in language folders, unless the pages in them declare another language."""
        for name in self._tree.folders(""):
            if name in self.found or read_name(name):
                continue
            known, is_plain = _read_language(name)
            code = known or _read_language(name, only_known=False)[0]
            inside = Search(self._tree)
            if code:
                inside.look_in(name, code)
            declared = (found.sample.language for found in inside.found.values())
            most = most_common(Counter(filter(None, declared)))
            if code and inside.found and (agree(most, code) if most else is_plain):
                self.languages[name] = code
                self.found |= inside.found
            if name in self.languages or (known and self._tree.is_file(f"{name}/{MIKE}")):
                self.problems.say(*inside.problems)
                self.dangers.say(*inside.dangers)
            elif not known and any(each.name and not each.url for each in self._read_list(f"{name}/{MIKE}", say=False)):
                self.notes.say(f"{name}/ has a {MIKE}: to work on those versions, set ROOT to the folder {name}")

    def follow(self, pattern: str) -> None:
        """Find the versions that match the author's pattern, whatever their names, see `parse_pattern`."""
        ways: list[tuple[str, dict[str, str]]] = [("", {})]
        for step in parse_pattern(pattern):
            ways = [
                (path_in(folder, name), places | match.groupdict())
                for folder, places in ways
                for name in self._tree.folders(folder)
                if (match := step.fullmatch(name)) and _read_language(match.groupdict().get("lang", "en"))[0]
            ]
        for folder, places in ways:
            language = _read_language(places["lang"])[0] if "lang" in places else None
            self._add_site(self._examine(folder, places["version"], language, known_by="--layout"))

    def read_switcher(self) -> None:
        """Find versions by the URLs in the first list that has any, at the root or in the folder of a version."""
        paths = [MIKE, *(path_in(folder, name) for folder in ("", *self.found) for name in _SWITCHERS)]
        for path in paths:
            if listed := [each for each in self._read_list(path, say=path != MIKE) if each.url]:
                self._add_urls(path, listed)
                return

    def leave_previews(self, keep: Collection[str]) -> tuple[str, ...]:
        """Leave out the previews, except those that the author names, which are versions. Return their folders."""
        previews = find_previews(self._tree, self.found)
        kept = [folder for folder in previews if folder.rpartition("/")[2] in keep]
        self.previews = tuple(folder for folder in previews if folder not in kept)
        for folder, found in [*self.found.items()]:
            if folder in self.previews or found.real_folder in self.previews:
                del self.found[folder]
        for folder in kept:
            language = self.languages.get(folder.partition("/")[0])
            self._add_site(self._examine(folder, folder.rpartition("/")[2], language, known_by="--keep"))
        return self.previews

    def add_root(self, known_by: str) -> None:
        """Add the root itself as a version."""
        sample = self.root_sample()
        self.found.setdefault("", FoundFolder(folder="", name=".", real_folder="", sample=sample, known_by=(known_by,)))

    def root_sample(self) -> Sample:
        """A sample of the pages at the root that belong to no version."""
        return read_sample(self._tree, "", without={*self.found, *self.languages, *self.previews})

    def _read_list(self, path: str, *, say: bool = True) -> list[Listed]:
        """The entries of a list of versions; empty if there is none. With ``say``, an unusable list is reported."""
        try:
            content = self._tree.read(path, VERSION_LIST)
            return [] if content is None else _parse_list(content)
        except ValueError as error:
            why = str(error)
        except OSError as error:
            why = f"cannot be read ({error.strerror})"
        if say:
            self.problems.say(f"{path} {why}, so it was left alone")
        return []

    def _add_listed(self, parent: str, language: str | None, listed: Listed) -> None:
        """Add a version in a folder beside its list, and its aliases."""
        source = path_in(parent, MIKE)
        version = path_in(parent, listed.name)
        for name in (listed.name, *listed.aliases):
            folder = path_in(parent, name)
            is_version = folder == version
            if not _is_name(name):
                self.problems.leave(name, "is not the name of a folder beside it", source)
            elif folder in self.found:
                self.problems.leave(name, "it names more than once", source)
            elif found := self._examine(folder, name, language, source=source, is_alias=not is_version):
                if found.sample.pages or self._holds_site(folder):
                    self.found[folder] = msgspec.structs.replace(
                        found, title=listed.title if is_version else "", copy_of=None if is_version else version
                    )
                else:
                    self.problems.leave(name, "has no page in it", source)

    def _add_urls(self, path: str, listed: Iterable[Listed]) -> None:
        """Add versions by the ends of their URLs, and the root if one of the URLs is its own."""
        roots: Counter[str] = Counter()
        at: dict[str, Listed] = {}
        rest: list[tuple[str, Listed]] = []
        for each in listed:
            if (below := _path_of(each.url)) is None:
                self.problems.leave(each.url, "is not the URL of a folder", path)
                continue
            url = f"{each.url.partition('://')[2].partition('/')[0]}/{path_in(below, '')}"
            folder = next((end for end in ends_of(below) if end in self.found or self._add_end(end, path)), None)
            if folder is None:
                rest.append((url, each))
            else:
                at.setdefault(folder, each)
                roots[url.removesuffix(f"{folder}/")] += 1
        root = max(roots, key=lambda url: roots[url], default="")
        for url, each in rest:
            if root and url == root and self._holds_site(""):
                self.add_root(posixpath.basename(path))
                at.setdefault("", each)
            else:
                self.notes.leave(each.url, "is not the URL of a folder below ROOT", path)
        for folder, each in at.items():
            found = self.found[folder]
            self.found[folder] = msgspec.structs.replace(
                found,
                title=found.title or each.title or each.name,
                is_preferred=each.is_preferred,
                known_by=(*dict.fromkeys((*found.known_by, posixpath.basename(path))),),
            )
        schemes = [scheme for each in at.values() for scheme, found, _ in [each.url.partition("://")] if found]
        try:
            self.listed_root = parse_base_url(f"{schemes[0]}://{root}", is_written=False) if schemes and root else None
        except InvalidURLError as error:
            self.problems.say(f"{path} names URLs below {short_repr(root)}, which {error}, so they were not used")

    def _add_end(self, folder: str, path: str) -> bool:
        """Add the folder at the end of a URL if it is a version not found so far. Return whether it was added."""
        name = posixpath.basename(folder)
        is_inside = any(folder.startswith(f"{other}/") for other in self.found)
        if is_inside or not self._holds_site(folder) or not (read_name(name) or is_build(self._tree, folder)):
            return False
        language = self.languages.get(folder.partition("/")[0])
        if found := self._examine(folder, name, language, source=path):
            self.found[folder] = found
        return found is not None

    def _add_site(self, found: FoundFolder | None) -> None:
        if found and self._holds_site(found.folder):
            self.found[found.folder] = found

    def _examine(
        self,
        folder: str,
        name: str,
        language: str | None,
        *,
        known_by: str = "folder name",
        source: str = "",
        is_alias: bool = False,
    ) -> FoundFolder | None:
        """A folder, if its path leads to one; ``source`` is the list that names it, if any."""
        real = self._tree.real_folder(folder)
        if real is None:
            if folder not in self._unusable:
                place = self._tree.place(folder)
                # What was found in a folder and leads nowhere is a link.
                is_danger = (is_alias or not source) and not os.path.exists(place)
                told = self.dangers if is_danger else self.problems
                told.leave(name if source else folder, _why_not(place), source)
            self._unusable.add(folder)
            return None
        return FoundFolder(
            folder=folder,
            name=name,
            real_folder=real,
            sample=read_sample(self._tree, real),
            known_by=(posixpath.basename(source) or known_by,),
            language=language,
        )

    def _holds_site(self, folder: str) -> bool:
        """Whether a folder has a home page, possibly in a language folder, or files that a build writes."""
        if self._tree.is_file(path_in(folder, "index.html")) or is_build(self._tree, folder):
            return True
        names = self._tree.folders(folder) if folder else []
        return any(_read_language(name)[1] and self._tree.is_file(f"{folder}/{name}/index.html") for name in names)


def _why_not(place: str) -> str:
    if os.path.exists(place):
        return "leads out of ROOT" if os.path.isdir(place) else "is not a folder"
    return "is a broken or circular link" if os.path.islink(place) else "does not exist"


def _read_language(name: str, *, only_known: bool = True) -> tuple[str | None, bool]:
    """The language that a folder is named after, and whether the name alone says so."""
    try:
        return parse_language(name, only_known=only_known), True
    except InvalidLanguageError as error:
        return error.suggestion, False


class Listed(msgspec.Struct, frozen=True):
    """A version in a list. Without a ``url``, ``name`` is the name of a folder beside the list."""

    name: str
    title: str = ""
    aliases: tuple[str, ...] = ()
    url: str = ""
    is_preferred: bool = False


def _parse_list(content: bytes) -> list[Listed]:
    """The versions in a list, in its order, without duplicates.

    If more than one version is marked as preferred, none is, as in the theme. Raises ValueError, with a message that
    completes the sentence "versions.json …".
    """
    try:
        data = msgspec.json.decode(content.removeprefix(_BOM))
    except (msgspec.DecodeError, ValueError):
        raise ValueError("is not JSON") from None
    except RecursionError:
        raise ValueError("is nested too deeply") from None
    if not isinstance(data, list):
        raise ValueError("is not a list of versions")
    listed = [_read_entry(each) for each in data]
    if sum(each.is_preferred for each in listed) > 1:
        listed = [msgspec.structs.replace(each, is_preferred=False) for each in listed]
    return [*dict.fromkeys(listed)]


def _read_entry(entry: Any) -> Listed:
    if not isinstance(entry, dict):
        return Listed(name=_text(entry))
    match entry.get("__jsonclass__"):  # sphinx-polyversion: the fields of a tag or branch
        case [str(), [str(name), *_]]:
            return Listed(name=name)
    aliases = entry.get("aliases")
    return Listed(
        name=_text(entry.get("version")),
        title=_text(entry.get("title")) or _text(entry.get("name")),
        aliases=tuple(map(_text, aliases)) if isinstance(aliases, list) else (),
        url=_text(entry.get("url")),
        is_preferred=entry.get("preferred") is True,
    )


def _text(value: Any) -> str:
    """The value as text, empty if it is neither text nor a number. Some authors forget the quotes around 1.2."""
    is_text = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_text else ""


def _is_name(name: str) -> bool:
    """Whether this can be the name of a folder beside the list, or a path for a branch such as ``fix/links``."""
    steps = name.split("/")
    return name.isprintable() and is_inside(name) and {"", ".", ".."}.isdisjoint(steps)


def _path_of(url: str) -> str | None:
    """The path of a URL without slashes at its ends; None if it is not the URL of a folder."""
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return None
    # A list may give the URL of a version's home page.
    folder = path.rpartition("/")[0] if path.endswith(".html") else path
    steps = [step for step in folder.split("/") if step not in {"", "."}]
    return None if ".." in steps or "\\" in path or CONTROL.search(path) else "/".join(steps)


class PatternError(ExplainedError):
    """A pattern cannot be used; the message says why."""

    option = "--layout"

    def __init__(self, pattern: str, why: str) -> None:
        super().__init__(f"{pattern!r} {why}")


def parse_pattern(pattern: str) -> tuple[re.Pattern[str], ...]:
    """A regular expression for each folder between the root and a version, with the groups ``version`` and ``lang``.

    Raises `PatternError`.
    """
    steps = pattern.strip("/").split("/")
    if pattern.startswith("/") or not {"", ".", ".."}.isdisjoint(steps) or "\\" in pattern:
        raise PatternError(pattern, "is not a path relative to ROOT, with / between folders")
    if pattern.count("{version}") != 1 or pattern.count("{lang}") > 1:
        raise PatternError(pattern, "needs {version} exactly once, and {lang} at most once")
    if re.search(r"[{}]", _PLACE.sub("", pattern)):
        raise PatternError(pattern, "has braces other than {version} and {lang}")
    if re.search(r"\}\{", pattern):
        raise PatternError(pattern, "needs something between {version} and {lang}")
    return tuple(
        re.compile("".join(_PLACES.get(part) or re.escape(part) for part in _PLACE.split(step))) for step in steps
    )
