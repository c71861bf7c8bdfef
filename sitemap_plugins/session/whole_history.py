"""How to get the whole history of the repositories of a site that are shallow clones."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator

from sitemap_plugins.git.history import DateRules
from sitemap_plugins.git.process import run_git, toplevel_of
from sitemap_plugins.git.repository import CATALOGUE, IGNORE_REVS
from sitemap_plugins.model import SHALLOW, FileDate
from sitemap_plugins.reading import from_current
from sitemap_plugins.values.text import join_words


def whole_history(dates: Iterable[FileDate], rules: DateRules, setting: str) -> str:
    """How to get the dates that these shallow repositories lack, as the end of a sentence; empty if they lack none.

    ``setting`` makes the service that runs the build clone its repository as a whole, but not the submodules; it is
    empty if there is none. Old contents are fetched only if ``rules`` compare them.
    """
    files = [*dates]
    shallow = sorted({date.repository for date in files if date.reason == SHALLOW})
    ways = [way for toplevel in shallow for way in _ways(toplevel, files, rules, setting)]
    return join_words(ways) if ways else ""


def _ways(toplevel: str, files: Iterable[FileDate], rules: DateRules, setting: str) -> Iterator[str]:
    above = toplevel_of(os.path.dirname(toplevel))  # of a submodule
    folder = from_current(toplevel)
    where = "" if folder in {"", os.curdir} else f"-C {shlex.quote(folder)} "
    way = setting if setting and above is None else f"run git {where}fetch --unshallow"
    names = [date.path for date in files if date.repository == toplevel]
    has_catalogues = rules.catalogues and any(name.endswith(CATALOGUE.decode()) for name in names)
    # Only renames with edits in ignored commits need old contents.
    ignored = rules.ignore_revs or (rules.ignore_revs is None and os.path.exists(os.path.join(toplevel, IGNORE_REVS)))
    if not has_catalogues and not (ignored and rules.follow_renames):
        way = way.replace("--unshallow", "--unshallow --filter=blob:none")
    yield way
    if above and b"true" in run_git(above, "config", "--file", ".gitmodules", "--get-regexp", r"\.shallow$").stdout:
        yield "remove shallow = true from .gitmodules"
