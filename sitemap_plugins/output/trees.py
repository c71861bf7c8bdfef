"""Which files are in a published tree."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache


def exact_names(directory: str) -> Callable[[str], bool]:
    """A function that tells whether a file is in the output; each folder is read once, on demand.

    Names are compared exactly, because some disks find ``Logo.png`` under the name ``logo.png``, and servers do not.
    """

    @cache
    def names_in(folder: str) -> Mapping[str, bool]:
        try:
            with os.scandir(folder) as entries:
                return {entry.name: entry.is_file() for entry in entries}
        except OSError:
            return {}

    def exists(path: str) -> bool:
        folder = directory
        *folders, name = path.split("/")
        for each in folders:
            if each not in names_in(folder):
                return False
            folder = os.path.join(folder, each)
        return names_in(folder).get(name, False)

    return exists
