"""What checkers of sitemaps find: mistakes that are seeded into a site, one at a time, and the same site without any.

    python benchmarks/checkers.py [--schemas FOLDER] [--python FILE]

Each checker runs on the clean site first. A mistake counts as found if the checker then says something about the site
with it that it did not say about the clean one; what it says about the clean site is a false alarm. ``FOLDER`` has the
schemas all.xsd and siteindex.xsd for xmllint, and ``FILE`` is a Python with ultimate-sitemap-parser and advertools;
lychee and xmllint are found on the PATH or beside it. Checkers that are not installed are left out.

The seven mistakes of the literature are examples in guides and answers that are wrong; the twenty are defects that
published documentation sites have or had. checkers.md has the results.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

Files: TypeAlias = dict[str, str]

BASE = "https://docs.example.org/"
NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
GOOGLE = "http://www.google.com/schemas/sitemap"
ROOT = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{NAMESPACE}" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
    f'xmlns:news="{GOOGLE}-news/0.9" xmlns:image="{GOOGLE}-image/1.1">\n'
)
NAMES = ["", *(f"page-{number}/" for number in range(1, 12))]
NEWS = (
    "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-03-01</news:publication_date><news:title>T</news:title>{}</news:news>"
)
LOC = f"<loc>{BASE}page-1/</loc>"


def page(path: str, head: str = "", language: str = "en") -> str:
    links = "".join(f'<a href="{BASE}{name}">{name or "home"}</a> ' for name in NAMES)
    return (
        f'<!doctype html>\n<html lang="{language}"><head><title>{path}</title>'
        f'<link rel="canonical" href="{BASE}{path}">{head}</head><body>{links}</body></html>\n'
    )


def entry(path: str, more: str = "") -> str:
    day = NAMES.index(path) + 1
    return f"<url><loc>{BASE}{path}</loc><lastmod>2026-02-{day:02}</lastmod>{more}</url>"


def clean() -> Files:
    """A site of twelve pages in two languages, one of which has a translation."""
    entries = [entry(path) for path in NAMES[1:]]
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{BASE}{path}"/>'
        for code, path in (("de", "de/"), ("en", ""))
    )
    home = [f"<url><loc>{BASE}{path}</loc><lastmod>2026-02-15</lastmod>{links}</url>" for path in ("", "de/")]
    files = {f"{path}index.html": page(path) for path in NAMES}
    files["de/index.html"] = page("de/", language="de")
    return {
        **files,
        "sitemap.xml": ROOT + "\n".join([*home, *entries]) + "\n</urlset>\n",
        "robots.txt": f"User-agent: *\nDisallow: /private/\n\nSitemap: {BASE}sitemap.xml\n",
        "CNAME": "docs.example.org\n",
    }


def changed(path: str, old: str, new: str) -> Callable[[Files], None]:
    """A mistake that is a change of text in a file."""

    def change(files: Files) -> None:
        if old not in files[path]:
            raise ValueError(f"{path} has no {old}")
        files[path] = files[path].replace(old, new, 1)

    return change


def in_sitemap(old: str, new: str) -> Callable[[Files], None]:
    return changed("sitemap.xml", old, new)


def in_page(head: str) -> Callable[[Files], None]:
    return changed("page-1/index.html", "</head>", f"{head}</head>")


def as_index(children: Mapping[str, str], more: Mapping[str, str] = {}) -> Callable[[Files], None]:
    """A site with an index of sitemaps; the value ``pages`` stands for the sitemap of all pages."""

    def change(files: Files) -> None:
        pages = files["sitemap.xml"]
        listed = "".join(f"<sitemap><loc>{BASE}{path}</loc></sitemap>" for path in children)
        files["sitemap.xml"] = (
            f'<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="{NAMESPACE}">{listed}</sitemapindex>\n'
        )
        for path, content in {**children, **more}.items():
            if content:
                files[path] = pages if content == "pages" else content

    return change


def removed(path: str) -> Callable[[Files], None]:
    def change(files: Files) -> None:
        del files[path]

    return change


def another_base(files: Files) -> None:
    files["sitemap.xml"] = files["sitemap.xml"].replace("https://docs", "http://docs")


INNER_INDEX = f'<sitemapindex xmlns="{NAMESPACE}"><sitemap><loc>{BASE}pages.xml</loc></sitemap></sitemapindex>\n'
LITERATURE: Mapping[str, Callable[[Files], None]] = {
    "an index in an index": as_index({"inner.xml": INNER_INDEX}, {"pages.xml": "pages"}),
    "news:geo_targeting": in_sitemap(
        LOC + "<lastmod>2026-02-02</lastmod>",
        LOC + "<lastmod>2026-02-02</lastmod>" + NEWS.format("<news:geo_targeting>DE</news:geo_targeting>"),
    ),
    "hreflang gr for Greek": in_sitemap('hreflang="de"', 'hreflang="gr"'),
    "&quote; for a quotation mark": in_sitemap(LOC, f"<loc>{BASE}page-1/?q=&quote;</loc>"),
    "a raw & in a query": in_sitemap(LOC, f"<loc>{BASE}page-1/?a=1&b=2</loc>"),
    "the namespace /shemas/": in_sitemap("/schemas/sitemap/0.9", "/shemas/sitemap/0.9"),
    "a loc of 2,048 characters": in_sitemap(LOC, f"<loc>{BASE}page-1/?{'q' * (2048 - 33)}</loc>"),
}
SITES: Mapping[str, Callable[[Files], None]] = {
    "a listed page without a file": removed("page-1/index.html"),
    "a listed page with noindex": in_page('<meta name="robots" content="noindex">'),
    "a listed page that redirects": in_page(f'<meta http-equiv="refresh" content="0; url={BASE}page-2/">'),
    "a listed page with another canonical link": changed(
        "page-1/index.html", f'href="{BASE}page-1/"', f'href="{BASE}page-2/"'
    ),
    "a listed page that robots.txt blocks": changed("robots.txt", "/private/", "/page-1/"),
    "http instead of https": another_base,
    "the address of a local server": in_sitemap(LOC, "<loc>http://localhost:8000/page-1/</loc>"),
    "a relative loc": in_sitemap(LOC, "<loc>/page-1/</loc>"),
    "a loc with a space": in_sitemap(LOC, f"<loc>{BASE}page-1/?a b</loc>"),
    "a loc that is escaped twice": in_sitemap(LOC, f"<loc>{BASE}page-1/?a&amp;amp;b</loc>"),
    "a loc that is encoded twice": in_sitemap(LOC, f"<loc>{BASE}page-1/?a%2520b</loc>"),
    "a page that is listed twice": in_sitemap(LOC, f"<loc>{BASE}page-2/</loc>"),
    "a page in two forms": in_sitemap(LOC, f"<loc>{BASE}page-2/index.html</loc>"),
    "a date that does not exist": in_sitemap("2026-02-02", "2026-02-30"),
    "a time without a zone": in_sitemap("2026-02-02", "2026-02-02T09:00:00"),
    "changefreq Daily": in_sitemap("2026-02-02</lastmod>", "2026-02-02</lastmod><changefreq>Daily</changefreq>"),
    "a translation that does not link back": in_sitemap(
        f'hreflang="de" href="{BASE}de/"/><xhtml:link rel="alternate" hreflang="en" href="{BASE}"/></url>\n<url>{LOC}',
        f'hreflang="de" href="{BASE}de/"/></url>\n<url>{LOC}',
    ),
    "an index that names a missing file": as_index({"pages.xml": "pages", "old.xml": ""}),
    "a sitemap that is an error page": lambda files: files.update({"sitemap.xml": "<!doctype html><title>404</title>"}),
    "a robots.txt that names a missing sitemap": changed("robots.txt", "sitemap.xml", "site-map.xml"),
}

OUR_PROGRAM = """
import sys
from sitemap_plugins.commands.main import main
main(prog_name="sitemap-plugins", args=["check", ".", "--level", "warning", "--format", "json"])
"""
USP_PROGRAM = """
import logging, sys
from pathlib import Path
logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s", stream=sys.stdout)
from usp.tree import sitemap_from_str
for file in sorted(Path(".").glob("*.xml")):
    tree = sitemap_from_str(file.read_text(encoding="utf-8"))
    print(type(tree).__name__, len([*tree.all_pages()]))
"""
ADVERTOOLS_PROGRAM = """
import logging, sys
from pathlib import Path
logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(message)s", stream=sys.stdout)
import warnings
warnings.simplefilter("ignore")
import advertools
for file in sorted(Path(".").glob("*.xml")):
    table = advertools.sitemap_to_df(file.resolve().as_uri(), recursive=False)
    if "errors" in table:
        print(table["errors"].dropna().to_list())
"""


def run(folder: Path, *command: str) -> list[str]:
    """What a program says, in lines without what differs between two runs; its exit status is the first."""
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)
    said = (done.stdout + done.stderr).replace(str(folder), "").splitlines()
    return [
        f"exit status {done.returncode}",
        *(re.sub(r"\d\d:\d\d:\d\d[.,\d]*|\d+(?:\.\d+)?m?s\b", "", line) for line in said),
    ]


def ours(folder: Path) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", OUR_PROGRAM], cwd=folder, capture_output=True, encoding="utf-8", check=False
    )
    findings = json.loads(done.stdout)["findings"]
    return [f"{each['rule']} ({each['cause']}, {len(each['hits'])})" for each in findings]


def usp(python: str) -> Callable[[Path], list[str]]:
    def check(folder: Path) -> list[str]:
        said = run(folder, python, "-c", USP_PROGRAM)
        return [line for line in said[1:] if line.startswith(("WARNING", "ERROR", "Invalid", "Traceback"))] + (
            said[:1] if said[0] != "exit status 0" else []
        )

    return check


def advertools(python: str) -> Callable[[Path], list[str]]:
    def check(folder: Path) -> list[str]:
        said = run(folder, python, "-c", ADVERTOOLS_PROGRAM)
        return [line for line in said[1:] if line.startswith(("WARNING", "ERROR", "["))] + (
            [*said[:1], *said[-1:]] if said[0] != "exit status 0" else []
        )

    return check


def xmllint(program: str, schemas: Path) -> Callable[[Path], list[str]]:
    def check(folder: Path) -> list[str]:
        said: list[str] = []
        for file in sorted(folder.glob("*.xml")):
            schema = "siteindex.xsd" if "<sitemapindex" in file.read_text(encoding="utf-8") else "all.xsd"
            lines = run(folder, program, "--noout", "--nonet", "--schema", str(schemas / schema), file.name)
            said += [line for line in lines[1:] if "validates" not in line] if lines[0] != "exit status 0" else []
        return said

    return check


def lychee(program: str) -> Callable[[Path], list[str]]:
    def check(folder: Path) -> list[str]:
        inputs = [
            str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.suffix in {".xml", ".html"}
        ]
        remap = f"{BASE}(.*) {folder.as_uri()}/$1"
        options = (
            "--offline",
            "--no-progress",
            "--include-fragments=none",
            "--index-files=index.html",
            "--remap",
            remap,
        )
        said = run(folder, program, *options[:2], *options[3:], *inputs)
        if said[0] == "exit status 2":
            return [line for line in said if "[ERROR]" in line or "[4" in line] or said[:1]
        return said if said[0] != "exit status 0" else []

    return check


def checkers(python: str, schemas: Path | None) -> dict[str, Callable[[Path], list[str]]]:
    path = os.pathsep.join([str(Path(python).parent), os.environ.get("PATH", "")])
    found: dict[str, Callable[[Path], list[str]]] = {"sitemap-plugins check": ours}
    for name, make in (("ultimate-sitemap-parser", usp), ("advertools", advertools)):
        module = {"ultimate-sitemap-parser": "usp"}.get(name, name)
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            found[name] = make(python)
    if schemas and (program := shutil.which("xmllint", path=path)):
        found["xmllint"] = xmllint(program, schemas)
    if program := shutil.which("lychee", path=path):
        found["lychee"] = lychee(program)
    return found


def write(folder: Path, files: Files) -> Path:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content, encoding="utf-8")
    return folder


def said_about(check: Callable[[Path], list[str]], change: Callable[[Files], None] | None) -> list[str]:
    files = clean()
    if change:
        change(files)
    with tempfile.TemporaryDirectory() as folder:
        return check(write(Path(folder).resolve(), files))


def main(arguments: Iterable[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemas", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--verbose", action="store_true", help="show what is said about each site")
    options = parser.parse_args([*arguments])
    mistakes = {**LITERATURE, **SITES}
    rows = []
    missed: dict[str, list[str]] = {}
    for name, check in checkers(options.python, options.schemas).items():
        begin = sum(os.times()[2:4])
        false = said_about(check, None)
        found = {mistake: set(said_about(check, change)) - set(false) for mistake, change in mistakes.items()}
        seconds = (sum(os.times()[2:4]) - begin) / (len(mistakes) + 1)
        missed[name] = [mistake for mistake, said in found.items() if not said]
        numbers = [sum(bool(found[each]) for each in group) for group in (LITERATURE, SITES)]
        rows.append(
            (
                name,
                f"{numbers[0]} of {len(LITERATURE)}",
                f"{numbers[1]} of {len(SITES)}",
                str(len(false)),
                f"{seconds:.2f}",
            )
        )
        if options.verbose:
            print(name, "clean:", false)
            for mistake, said in found.items():
                print(f"  {mistake}: {sorted(said)[:3]}")
    print("| checker | literature | documentation sites | false alarms on the clean site | processor s a site |")
    print("| --- | --- | --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    for name, mistakes_missed in missed.items():
        print(f"\n{name} misses: {', '.join(mistakes_missed) or 'none'}")


if __name__ == "__main__":
    main(sys.argv[1:])
