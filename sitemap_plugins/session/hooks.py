"""Imports the author's own functions, which the configuration names."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import cast

from sitemap_plugins.model import Adjuster, Drop, Entry, Page
from sitemap_plugins.options import Hook


def import_hook(hook: Hook, directory: str | os.PathLike[str]) -> Adjuster:
    """The author's function, imported with ``directory`` (the configuration's folder) first on the path.

    Raises ValueError, with a message for people, if it cannot be imported or is not a function.
    """
    if not isinstance(hook.target, tuple):
        return Adjuster(hook.name, hook.target)
    module_name, function_name = hook.target
    folder = os.fspath(directory)
    try:
        with _first_on_path(folder):
            function = getattr(importlib.import_module(module_name), function_name)
    except (Exception, SystemExit) as error:  # an author's module may raise anything while it is imported
        raise ValueError(f"{hook.name} cannot be imported: {type(error).__name__}: {error}") from error
    if not callable(function):
        raise ValueError(f"{hook.name} is not a function")

    def call(entry: Entry, page: Page) -> Entry | Drop | None:
        with _first_on_path(folder):  # the function may have imports of its own
            return cast("Entry | Drop | None", function(entry, page))

    return Adjuster(hook.name, call)


@contextmanager
def _first_on_path(directory: str) -> Iterator[None]:
    sys.path.insert(0, directory)
    try:
        yield
    finally:
        with suppress(ValueError):  # the author's module may have removed it
            sys.path.remove(directory)
