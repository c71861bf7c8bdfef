"""Run builds with both hosts, merges and the dates command in a process with a chosen order of directory listings.

`test_determinism` runs ``python -m tests.hosts.elsewhere FOLDER UMASK ORDER JOBS``. The hosts log to standard output;
the output of the commands is in files in FOLDER/said.
"""

from __future__ import annotations

import locale
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

SCANDIR, LISTDIR = os.scandir, os.listdir


def list_in_order(order: str) -> None:
    """Make the operating system list every folder in a pseudorandom order that depends on this word."""

    def place(name: str | bytes) -> bytes:
        return sha256(order.encode() + os.fsencode(name)).digest()

    class Entries(Iterator[Any]):
        """The return value of `os.scandir`."""

        def __init__(self, *folder: Any) -> None:
            with SCANDIR(*folder) as entries:
                self._entries = iter(sorted(entries, key=lambda entry: place(entry.name)))

        def __next__(self) -> Any:
            return next(self._entries)

        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def close(self) -> None:
            pass

    os.scandir = Entries
    os.listdir = lambda *folder: sorted(LISTDIR(*folder), key=place)  # type: ignore[assignment]


def build_mkdocs(folder: Path) -> None:
    from mkdocs.__main__ import cli

    cli.main(["build", "--verbose", "--config-file", str(folder / "mkdocs" / "mkdocs.yml")], standalone_mode=False)


def build_sphinx(folder: Path, jobs: str) -> None:
    from sphinx.cmd.build import build_main

    for language, below in (("en", ""), ("de", "de/")):
        told = ["-D", f"language={language}", "-D", f"html_baseurl=https://docs.example.org/{below}"]
        told += ["-N", "-v", "-j", jobs, "-b", "dirhtml", "-d", str(folder / f"doctrees-{language}")]
        if build_main([*told, str(folder / "sphinx"), str(folder / "sphinx-site" / below)]):
            sys.exit(f"Sphinx failed, language {language}")


def run_commands(folder: Path) -> None:
    from sitemap_plugins.commands.main import main

    (folder / "said").mkdir()
    commands = {
        "merge": ["merge", str(folder / "sphinx-site")],
        "merge-apart": ["merge", str(folder / "apart" / "site")],
        "dates": ["dates", str(folder), "--format", "json"],
        "why": ["dates", str(folder / "sphinx" / "zebra.rst"), "--why"],
    }
    for name, command in commands.items():
        with open(folder / "said" / name, "w", encoding="utf-8") as said, redirect_stdout(said):
            main.main(command, standalone_mode=False)


if __name__ == "__main__":
    with suppress(locale.Error):  # if it is not installed, Sphinx's own command fails
        locale.setlocale(locale.LC_ALL, "")
    os.umask(int(sys.argv[2], 8))
    list_in_order(sys.argv[3])
    build_mkdocs(Path(sys.argv[1]))
    build_sphinx(Path(sys.argv[1]), sys.argv[4])
    run_commands(Path(sys.argv[1]))
