"""Measure what reading built pages costs, relative to a full parse, which every reader of their content needs.

    python benchmarks/reading.py FOLDER [FOLDER ...]

Reads every HTML file below the folders, and prints each reader's processor time per page (medians of rounds).
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.head import read_markup

ROUNDS: Final = 7
READERS: Final[dict[str, Callable[[str], object]]] = {
    "parsing the page whole": LexborHTMLParser,
    "its head: robots, canonical, dates": read_markup,
    "its content: title, images, videos": lambda page: read_content(page, "https://docs.example.org/page/"),
}


def measure(read: Callable[[str], object], pages: list[str]) -> float:
    """The seconds per page."""
    seconds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for page in pages:
            read(page)
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds) / len(pages)


def main() -> None:
    files = sorted(file for folder in sys.argv[1:] for file in Path(folder).rglob("*.html"))
    pages = [file.read_text(encoding="utf-8", errors="replace") for file in files]
    if not pages:
        sys.exit(__doc__)
    print(f"{len(pages)} pages of {sum(map(len, pages)) / len(pages) / 1000:.0f} kB on average")
    seconds = {name: measure(read, pages) for name, read in READERS.items()}
    for name, each in seconds.items():
        print(f"{name:36} {each * 1e3:6.2f} ms  {each / seconds['parsing the page whole']:5.2f}")


if __name__ == "__main__":
    main()
