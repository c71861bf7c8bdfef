"""What ``check`` says about sitemaps that are made to hang it or to fill the memory, and what that costs.

    python benchmarks/hostile_sitemaps.py

Each is the only sitemap of a site with one page. Prints the first error, processor time and the peak of memory, next to
a site with a plain sitemap.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

NAMESPACES = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
X = "https://docs.example.org/"
PROGRAM = """
import resource, sys
from sitemap_plugins.commands.main import main
try:
    main(prog_name="sitemap-plugins", args=["check", sys.argv[1], "--quiet"])
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def urlset(content: str) -> bytes:
    return f"<urlset {NAMESPACES}>{content}</urlset>".encode()


def sparse(folder: Path) -> None:
    with (folder / "sitemap.xml").open("wb") as file:
        file.truncate(10 << 30)


def bomb(folder: Path) -> None:
    with gzip.open(folder / "sitemap.xml.gz", "wb") as file:
        for _ in range(10 << 10):
            file.write(bytes(1 << 20))


def laughs(folder: Path) -> None:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
    content = f'<!DOCTYPE urlset [<!ENTITY l0 "lol">{entities}]>'.encode() + urlset("<url><loc>&l9;</loc></url>")
    (folder / "sitemap.xml").write_bytes(content)


def nested(folder: Path) -> None:
    (folder / "sitemap.xml").write_bytes(f"<urlset {NAMESPACES}>{'<url>' * 100_000}".encode())


def nested_page(folder: Path) -> None:
    plain(folder)
    (folder / "index.html").write_text("<!doctype html><title>x</title>" + "<div><b>" * 50_000)


def codes(folder: Path) -> None:
    links = "".join(f'<xhtml:link rel="alternate" hreflang="zz-{n}" href="/"/>' for n in range(800_000))
    (folder / "sitemap.xml").write_bytes(urlset(f"<url><loc>{X}</loc>{links}</url>"))


def plain(folder: Path) -> None:
    (folder / "sitemap.xml").write_bytes(urlset(f"<url><loc>{X}</loc></url>"))


SITEMAPS: Mapping[str, Callable[[Path], None]] = {
    "a plain sitemap": plain,
    "10 GB, sparse": sparse,
    "10 GB of zeros, compressed": bomb,
    "a billion laughs": laughs,
    "100,000 levels of tags": nested,
    "a page with 100,000 levels of tags": nested_page,
    "47 MB with 800,000 wrong codes": codes,
}


def main() -> None:
    print("| sitemap | first error | processor s | MiB |")
    print("| --- | --- | ---: | ---: |")
    for name, make in SITEMAPS.items():
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "CNAME").write_text("docs.example.org\n")
            Path(folder, "index.html").write_text(f'<!doctype html><title>x</title><link rel="canonical" href="{X}">')
            make(Path(folder))
            before = sum(os.times()[2:4])
            done = subprocess.run(
                [sys.executable, "-c", PROGRAM, folder], capture_output=True, encoding="utf-8", check=False
            )
            seconds = sum(os.times()[2:4]) - before
            said = [line.strip() for line in done.stdout.splitlines()]
            mib = int(done.stderr.split()[-1]) >> 10
            print(f"| {name} | {' '.join(said[:2]) or 'none'} | {seconds:.1f} | {mib} |")


if __name__ == "__main__":
    main()
