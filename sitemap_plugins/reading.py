"""Reads all files from outside: only regular files, each as a whole and within the limit of its kind.

Strangers can put files into the documents, the output folder or the history. A pipe would block a build forever, a
device has no end, and a file of a few bytes on disk can claim a terabyte.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Final

import msgspec

_KIB: Final = 1 << 10
_MIB: Final = 1 << 20


class Limit(msgspec.Struct, frozen=True):
    """The limits for one kind of file.

    ``what`` is the kind in messages and in the manual. ``size`` is in bytes, and applies again to the content of a
    compressed file. ``lines``, ``entries`` (pages or sitemaps in a sitemap) and ``depth`` (of nested elements) are 0 if
    not limited. ``reason`` says why real files are smaller. A larger file is refused; of one from a server, only the
    beginning is read if ``is_beginning``.
    """

    what: str
    size: int
    reason: str
    lines: int = 0
    entries: int = 0
    depth: int = 0
    is_beginning: bool = False

    @property
    def shown_size(self) -> str:
        """The size in MiB or KiB, for messages."""
        return f"{self.size // _MIB} MiB" if self.size >= _MIB else f"{self.size // _KIB} KiB"


PAGE: Final = Limit("a page", 64 * _MIB, "Even a large manual on a single page is a few tens of MiB.")
SERVED_PAGE: Final = Limit(
    "the part of a page that is fetched from a server",
    _MIB,
    "The head is at the beginning, and takes a few KiB.",
    is_beginning=True,
)
SITEMAP: Final = Limit(
    "a sitemap",
    50 * _MIB,
    "The protocol allows no more, and search engines read no more. The elements of the protocol and its extensions "
    "are at most five deep.",
    entries=50_000,
    depth=100,
)
LANGUAGE_PAGES: Final = Limit(
    "a list of the pages of a language",
    64 * _MIB,
    "A sitemap is at most 50 MiB, and an inventory of 64 MiB has half a million objects.",
)
ROBOTS_TXT: Final = Limit("a robots.txt", _MIB, "Google ignores everything after 500 KiB.")
HOST_FILE: Final = Limit(
    "a _headers, _redirects or CNAME file",
    4 * _MIB,
    "Cloudflare Pages accepts 2,100 redirects of up to 1,000 characters.",
    lines=50_000,
)
REDIRECT_FILE: Final = Limit(
    "a list of redirects", 4 * _MIB, "A redirect takes about 100 bytes, so 40,000 fit.", lines=50_000
)
LLMS_TXT: Final = Limit("an llms.txt", 16 * _MIB, "It takes about 200 bytes per page, so 80,000 pages fit.")
CATALOGUE: Final = Limit(
    "a gettext catalogue", 64 * _MIB, "A whole manual in one catalogue is less than 20 MiB.", lines=2_000_000
)
VERSION_LIST: Final = Limit("a list of versions", 4 * _MIB, "A version takes about 100 bytes, so 40,000 fit.")
RECORD: Final = Limit(
    "a record",
    96 * _MIB,
    "A page and its file take 350 bytes, or more with many included files: 50,000 pages with 40 files each fit.",
)
BASELINE: Final = Limit("a baseline of findings", 16 * _MIB, "A finding takes about 200 bytes, so 80,000 fit.")
NOTED_URLS: Final = Limit(
    "a file with the URLs that search engines were told",
    64 * _MIB,
    "A URL with its date takes about 100 bytes, so 600,000 fit.",
)
IGNORED_COMMITS: Final = Limit(
    "a file with commits to ignore", 8 * _MIB, "A line with a commit and a comment takes about 80 bytes.", lines=100_000
)
LAST_BUILD: Final = Limit(
    "a file with values from the last build", 64 * _MIB, "A build stores up to 200 bytes per page."
)
GIT_OBJECT: Final = Limit(
    "a catalogue, folder or commit in git",
    64 * _MIB,
    "Same as for a catalogue on disk; a folder of that size has a million files.",
)
GIT_ANSWER: Final = Limit(
    "the output of git",
    128 * _MIB,
    "Git lists every file of a repository, at about 100 bytes each: a million files fit.",
)
GIT_CHANGES: Final = Limit(
    "the list of files that a commit changes",
    64 * _MIB,
    "A file takes about 150 bytes, so a commit can change 400,000 files, or move 200,000.",
)
CATALOGUE_VERSION: Final = Limit(
    "a version of a catalogue in git",
    4 * _MIB,
    "All versions are compared until a visible translation differs. 4 MiB are 10,000 paragraphs and more.",
)
SHALLOW: Final = Limit("the list of commits where a shallow clone was cut", 64 * _MIB, "It takes 41 bytes per commit.")
SOURCE: Final = Limit("the source of a page", 16 * _MIB, "Twenty years of changelog take less than 2 MiB.")
CONFIGURATION: Final = Limit("a configuration file", 4 * _MIB, "A navigation with 10,000 pages is less than 1 MiB.")
DISTRIBUTION: Final = Limit(
    "a file about an installed package",
    16 * _MIB,
    "The list of its files takes about 100 bytes per file, and large packages have 20,000 files.",
    lines=200_000,
)

ABSENT: Final = (FileNotFoundError, NotADirectoryError, IsADirectoryError)
"""The errors that mean that there is no file with that name."""

# O_NONBLOCK: otherwise opening a pipe without a writer would block. Windows has only the last of these flags.
_FLAGS: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
_PIECE: Final = 1 << 14
_FOLDER: Final = "it is a folder"


class RefusedError(OSError):
    """A file exists but is not read. ``strerror`` is a sentence about it without its name: "it is a pipe"."""


def read_file(
    path: str | os.PathLike[str], limit: Limit, *, inside: str | os.PathLike[str] | None = None, most: int | None = None
) -> bytes:
    """The content of a file, or only its first ``most`` bytes, if it is a regular file and as a whole within the limit.

    ``inside`` is a folder with untrusted content: no link on the path from there to the file may lead out of it.
    Raises `RefusedError`, and OSError like `open`.
    """
    descriptor = _open(path, inside)
    try:
        return read_descriptor(descriptor, limit, path, most)
    except OSError as error:
        error.filename = path  # an error of reading, not of opening, has none
        raise
    finally:
        os.close(descriptor)


def read_beginning(path: str | os.PathLike[str], size: int, *, inside: str | os.PathLike[str] | None = None) -> bytes:
    """The first ``size`` bytes of a file of any size; otherwise like `read_file`."""
    descriptor = _open(path, inside)
    try:
        return _read(descriptor, size)
    finally:
        os.close(descriptor)


def read_descriptor(
    descriptor: int, limit: Limit, path: str | os.PathLike[str] | None = None, most: int | None = None
) -> bytes:
    """The rest of an open regular file, or at most so many bytes of it. Raises `RefusedError` and OSError."""
    size = os.fstat(descriptor).st_size
    # The size on disk may be wrong: files grow, and files in /proc have size 0.
    content = b"" if size > limit.size else _read(descriptor, most or limit.size + 1, size + 1)
    if size > limit.size or len(content) > limit.size:
        raise RefusedError(errno.EFBIG, f"it is larger than {limit.shown_size}, the limit for {limit.what}", path)
    if limit.lines and content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n") > limit.lines:
        raise RefusedError(errno.EFBIG, f"it has more than {limit.lines:,} lines, the limit for {limit.what}", path)
    return content


def _open(path: str | os.PathLike[str], inside: str | os.PathLike[str] | None) -> int:
    """Open a regular file; the caller closes the descriptor. Raises `RefusedError` and OSError."""
    if inside is not None and _leads_out(os.fspath(path), os.fspath(inside)):
        raise RefusedError(errno.EPERM, "a link on its path leads out of the output folder", path)
    try:
        descriptor = os.open(path, _FLAGS)
    except PermissionError:
        if os.path.isdir(path):  # Windows does not open folders
            raise IsADirectoryError(errno.EISDIR, _FOLDER, path) from None
        raise
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, _FOLDER, path)
    what = "a pipe" if stat.S_ISFIFO(mode) else "a device"
    raise RefusedError(errno.EINVAL, f"it is {what}, not a regular file", path)


def _read(descriptor: int, most: int, expected: int = 0) -> bytes:
    """At most ``most`` bytes. The first piece is usually the whole file, and the next one finds its end."""
    pieces: list[bytes] = []
    size = expected or _PIECE
    while most and (piece := os.read(descriptor, min(size, most))):
        pieces.append(piece)
        most -= len(piece)
        size = _PIECE
    return b"".join(pieces)


def _leads_out(path: str, folder: str) -> bool:
    """Whether a file is really outside a folder. Paths are only resolved if they have a link, which few have."""
    top = os.path.join(folder, "")
    if path.startswith(top) and os.pardir not in path[len(top) :] and not has_link(path, len(top)):
        return False
    return not os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


def has_link(path: str, start: int) -> bool:
    """Whether the file, or a folder on its path, is a link; the part of the path before ``start`` is not checked."""
    try:
        while start:
            end = path.find(os.sep, start)
            status = os.lstat(path[:end] if end >= 0 else path)
            # A Windows junction leads elsewhere too.
            if stat.S_ISLNK(status.st_mode) or getattr(status, "st_reparse_tag", None):
                return True
            start = end + 1
    except (OSError, ValueError):  # opening the file raises the error
        pass
    return False


def below_current(path: str) -> str:
    """A path relative to the current folder, with forward slashes; empty if it is that one or outside of it."""
    relative = from_current(path)
    return "" if relative == "." or relative.startswith("..") else relative


def from_current(path: str) -> str:
    """A path relative to the current folder, with forward slashes; empty if no relative path leads there."""
    try:
        return os.path.relpath(path).replace(os.sep, "/")
    except (OSError, ValueError):  # no current folder; another drive of Windows, or no path
        return ""
