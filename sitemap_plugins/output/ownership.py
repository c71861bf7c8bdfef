"""Tells which files in the output are ours: only files of an earlier build are ever replaced or removed.

To add a format, add a row to `FORMATS`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Container, Iterable
from pathlib import Path
from typing import Final

import msgspec

from sitemap_plugins.formats.gzip import GzipError, is_packed, unpack, unpack_beginning
from sitemap_plugins.formats.paths import PAGE_ENDINGS, companions, content_path, page_paths, text_paths
from sitemap_plugins.formats.sitemap_xml import AUTHOR, MARK, render_text
from sitemap_plugins.model import Note, OutputFile
from sitemap_plugins.options.settings import FeedFile, JSONFile, Settings
from sitemap_plugins.options.types import Filename
from sitemap_plugins.reading import ABSENT, SITEMAP, RefusedError, read_beginning, read_file
from sitemap_plugins.values.text import join_words
from sitemap_plugins.values.urls import file_key

_BEGINNING: Final = 800  # bytes of the content that include our mark
_RECORD: Final = f'{{\n  "by": "{AUTHOR}",'.encode()


class Format(msgspec.Struct, frozen=True):
    """A format of our files.

    ``option`` is the name of the option that controls these files. Their names end in one of ``endings``, or in that
    and ``.gz``. ``recognize`` tells from the path and the beginning of the content, decompressed, whether we wrote a
    file. ``companions`` returns the paths beside a file that belong to it: if the file is not ours, nothing is written
    there. ``unnamed`` returns the paths that the option sets without naming them.
    """

    option: str
    endings: tuple[str, ...]
    recognize: Callable[[Path, bytes], bool]
    companions: Callable[[str], Collection[str]] = lambda _: ()
    unnamed: Callable[[Settings], Collection[str]] = lambda _: ()

    def paths(self, settings: Settings) -> list[str]:
        """The paths that the option sets, whether this build writes these files or not."""
        named = [file for place, file in settings.named_files.items() if place.partition(".")[0] == self.option]
        return [*named, *self.unnamed(settings)]

    def is_possible(self, path: Path) -> bool:
        """Whether a file with this path can have the format."""
        return path.name.removesuffix(".gz").endswith(self.endings)


def _has_mark(_: Path, beginning: bytes) -> bool:
    return MARK.encode() in beginning.replace(b"\0", b"")  # Sphinx may write its pages in UTF-16


def _is_record(_: Path, beginning: bytes) -> bool:
    return beginning.startswith(_RECORD)


def _is_our_text(path: Path, _: bytes) -> bool:
    """Whether a text sitemap is ours: it cannot have a mark, so the XML beside it must be ours and list the same."""
    original = _original_of(path)
    if original is None:
        return False
    from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap

    try:
        return b"".join(render_text(read_sitemap(_content(original)))) == _content(path)
    except (GzipError, RefusedError, SitemapError):
        return False


def _original_of(path: Path) -> Path | None:
    """Our XML sitemap beside a text sitemap."""
    stem = path.name.removesuffix(".gz").removesuffix(".txt")
    beside = (path.with_name(f"{stem}.xml"), path.with_name(f"{stem}.xml.gz"))
    return next(filter(is_ours, beside), None) if _TEXT.is_possible(path) else None


_TEXT: Final = Format(
    "text",
    (".txt",),
    _is_our_text,
    companions=lambda path: [f"{path}.gz"],
    unnamed=lambda settings: text_paths(settings.filename) if settings.text else [],
)
_SITEMAPS: Final = Format("filename", Filename.ENDINGS, _has_mark, companions)

FORMATS: Final = (
    _TEXT,
    _SITEMAPS,
    Format("feeds", FeedFile.ENDINGS, _has_mark),
    Format("record", JSONFile.ENDINGS, _is_record, companions=lambda path: [content_path(path)]),
    Format(
        "html",
        PAGE_ENDINGS,
        _has_mark,
        unnamed=lambda settings: page_paths(settings.html) if settings.html else (),
    ),
)


def is_ours(path: Path) -> bool:
    """Whether this package wrote the file, compressed or not, in one of the `FORMATS`.

    False if it is not a file or may not be read. Raises OSError if the disk fails.
    """
    try:
        return _is_recognized(path)
    except (*ABSENT, PermissionError, RefusedError):
        return False


def _is_recognized(path: Path) -> bool:
    possible = [each for each in FORMATS if each.is_possible(path)]
    if not possible:
        return False
    beginning = read_beginning(path, _BEGINNING, inside=path.parent)
    try:
        beginning = unpack_beginning(beginning, _BEGINNING) if is_packed(beginning) else beginning
    except GzipError:
        return False
    return any(each.recognize(path, beginning) for each in possible)


def _content(path: Path) -> bytes:
    content = read_file(path, SITEMAP, inside=path.parent)
    return unpack(content, SITEMAP) if is_packed(content) else content


def configured_paths(settings: Settings) -> list[str]:
    """Every path that the options name, with its companions, whether this build writes it or not."""
    named = [(each, path) for each in FORMATS for path in each.paths(settings)]
    return [*dict.fromkeys(each for row, path in named for each in (path, *row.companions(path)))]


def foreign_note(path: str, option: str, what: str = "your own file") -> Note:
    """A note that a file is not ours, and what to do: about the file, or about the option that names it."""
    cure = f"to let the plugin write one, remove this file, or set {option} to another value"
    return Note(kind="own-sitemap", message=f"{path} is {what}, so it was left alone: {cure}")


def own_sitemap_note(path: str, settings: Settings, what: str = "your own file") -> Note:
    """A note that the sitemap is not ours, so that we write no other file either."""
    note = foreign_note(path, "filename", what)
    lost = [each.option for each in FORMATS if each.option != "filename" and each.paths(settings)]
    have = "has" if len(lost) == 1 else "have"
    effect = f"; until then, {join_words(lost)} {have} no effect" if lost else ""
    return msgspec.structs.replace(note, message=note.message + effect)


def conflict_with(path: str, others: Iterable[str]) -> str | None:
    """The first of these paths that cannot be in the output together with ``path`` on every system, if any.

    It is the same file on Windows or macOS, or one of the two would have to be a folder.
    """
    key = file_key(path)
    for other in others:
        theirs = file_key(other)
        if theirs == key or theirs.startswith(f"{key}/") or key.startswith(f"{theirs}/"):
            return other
    return None


def _format_of(path: str, settings: Settings) -> Format:
    """The format of a file to write; a file that no option names is a sitemap of a section or part."""
    named = ((each, name) for each in FORMATS for name in each.paths(settings))
    return next((each for each, name in named if path in {name, *each.companions(name)}), _SITEMAPS)


class ForeignFiles(Container[str]):
    """The paths in the output with a file that is not ours.

    ``copied`` are files that the host copied from the author's files, even if they look like ours. ``replaced`` are
    files that the host wrote itself and that ours replace. Every method raises OSError if the disk fails.
    """

    def __init__(
        self, directory: str | os.PathLike[str], copied: Collection[str] = (), replaced: Collection[str] = ()
    ) -> None:
        self._directory = directory
        self._copied = copied
        self._replaced = tuple(replaced)
        self._known = dict.fromkeys(replaced, False)

    def __contains__(self, path: object) -> bool:
        # A text sitemap beside one of ours may differ from it while another build writes both, so `select_writable`
        # checks again.
        if not isinstance(path, str) or not self._is_foreign(path):
            return False
        return path in self._copied or _original_of(Path(self._directory, path)) is None

    def _is_foreign(self, path: str) -> bool:
        if path not in self._known:
            self._known[path] = path in self._copied or self._finds_foreign(Path(self._directory, path))
        return self._known[path]

    @staticmethod
    def _finds_foreign(path: Path) -> bool:
        try:
            return stat.S_ISREG(path.stat().st_mode) and not _is_recognized(path)
        except (PermissionError, RefusedError):
            return True
        except (*ABSENT, ValueError):  # ValueError: no file can have that name
            return False

    def select_writable(self, files: Iterable[OutputFile], settings: Settings) -> tuple[list[OutputFile], list[Note]]:
        """The files that may be written, and a note for each path that has a foreign file instead.

        Companions of a file that cannot be written are not written either, and have no note of their own.
        """
        files = [*files]
        foreign = [file for file in files if not file.is_shared and self._is_foreign(file.path)]
        below = {each for file in foreign for each in _format_of(file.path, settings).companions(file.path)}
        kept_out = {*(file.path for file in foreign), *below}
        # A foreign file that would only be removed needs no note: nothing was to be written there.
        named = [file.path for file in foreign if file.content is not None and file.path not in below]
        notes = [foreign_note(path, _format_of(path, settings).option) for path in named]
        return [file for file in files if file.path not in kept_out], notes

    def removals(self, earlier: Iterable[str], files: Iterable[OutputFile]) -> list[OutputFile]:
        """Removals of the files that an earlier build wrote and this one does not (SM-IDX-07).

        Files that the host wrote are removed, too, if this build writes any of ours. The order is kept, in which an
        index comes after its sitemaps.
        """
        written = {file.path for file in files}
        replaced = self._replaced if any(file.content is not None and not file.is_shared for file in files) else ()
        gone = [path for path in dict.fromkeys([*earlier, *replaced]) if path not in written]
        return [OutputFile(path=path, content=None) for path in gone if path in replaced or self._is_of_ours(path)]

    def _is_of_ours(self, path: str) -> bool:
        return not self._is_foreign(path) and is_ours(Path(self._directory, path))
