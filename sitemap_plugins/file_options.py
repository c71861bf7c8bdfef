"""The types of options that name files of the author's: each reads itself from what an author writes."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, ClassVar, Self

from sitemap_plugins.conversion import shown


class _PlainName(str):
    """A plain file name, to lie beside the sitemap: ``FORM`` is its pattern, ``ENDS`` says that in words."""

    __slots__ = ()
    FORM: ClassVar[str]
    ENDS: ClassVar[str]

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for anything but a plain name with one of the endings."""
        if not isinstance(value, str) or not re.fullmatch(cls.FORM, value):
            message = f"{shown(value)} is not a plain file name that ends in {cls.ENDS}"
            raise ValueError(message)
        return cls(value)


class EvidenceFile(_PlainName):
    """The name of the file with the evidence for all dates."""

    __slots__ = ()
    FORM = r"[A-Za-z0-9][A-Za-z0-9._-]*\.json"
    ENDS = ".json, like sitemap-evidence.json"


class FeedFile(_PlainName):
    """The name of a feed."""

    __slots__ = ()
    FORM = r"[A-Za-z0-9][A-Za-z0-9._-]*\.(?:xml|rss|atom)"
    ENDS = ".xml, .rss or .atom, like changes.xml"


class FileNames(tuple[str, ...]):
    """Files or globs of them, relative to the folder of the configuration, with forward slashes."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """One name, several with commas between them, or a list. Raises ValueError for anything else."""
        names: Any = value.split(",") if isinstance(value, str) else value
        if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names) or not names:
            message = f"{shown(value)} is not a file name, nor a list of file names"
            raise ValueError(message)
        found = [name.strip() for name in names]
        for name in found:
            if not name:
                message = f"{shown(value)} has an empty name in it"
                raise ValueError(message)
            if not _can_be_a_name(name):
                message = f"{shown(name)} is not a file name"
                raise ValueError(message)
            if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
                message = f"{shown(name)} is not relative to the folder of the configuration"
                raise ValueError(message)
        return cls(found)


def _can_be_a_name(name: str) -> bool:
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeError:  # half a character
        return False


class IgnoreRevs:
    """The files that name commits to be ignored; ``files`` is None for the one that is found by itself."""

    __slots__ = ("files",)

    def __init__(self, files: FileNames | None = None) -> None:
        self.files = files

    @classmethod
    def parse(cls, value: object) -> Self:
        """``true`` (the one that is found), ``false`` (none) or their names. Raises ValueError for anything else."""
        if isinstance(value, bool):
            return cls(None if value else FileNames())
        try:
            return cls(FileNames.parse(value))
        except ValueError as error:
            message = f"{error}; true, false or file names are expected"
            raise ValueError(message) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IgnoreRevs) and self.files == other.files

    def __hash__(self) -> int:
        return hash(self.files)
