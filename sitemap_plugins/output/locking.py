"""A lock on a folder for one build at a time; it leaves no file there and ends with the process that holds it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

_PAUSE: Final = 0.02  # seconds between two attempts
_BUSY: Final = (BlockingIOError, PermissionError)  # what POSIX and Windows raise if another process has the lock


@contextmanager
def lock(folder: str, patience: float) -> Iterator[bool]:
    """Lock a folder; yield False if there is no such folder or the system cannot lock it (many network drives).

    Raises TimeoutError, with a message for people, if another process holds the lock for ``patience`` seconds.
    """
    descriptor = _open(folder)
    try:
        yield descriptor is not None and _acquire(descriptor, patience)
    finally:
        if descriptor is not None:
            with suppress(OSError):
                os.close(descriptor)


def _open(folder: str) -> int | None:
    """Open what is locked for a folder: the folder itself, or on Windows a file in the folder for temporary files."""
    try:
        if sys.platform != "win32":
            return os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        import hashlib
        import tempfile

        name = os.path.normcase(os.path.realpath(folder)).encode(errors="surrogatepass")
        file = f"sitemap-plugins-{hashlib.sha256(name).hexdigest()[:32]}.lock"
        return os.open(os.path.join(tempfile.gettempdir(), file), os.O_RDWR | os.O_CREAT)
    except OSError:
        return None


def _acquire(descriptor: int, patience: float) -> bool:
    deadline = time.monotonic() + patience
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt

                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except _BUSY:
            if time.monotonic() >= deadline:
                raise TimeoutError(
                    f"another build has been writing there for {patience:g} seconds; build again when it has finished"
                ) from None
        except (OSError, ImportError):
            return False
        else:
            return True
        time.sleep(_PAUSE)
