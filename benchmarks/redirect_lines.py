"""Proves the lines that redirect lost URLs: builds sites with the tool that each line is for, and follows the links.

For each tool, form of URLs and place of the site, a small site is built, its pages are renamed, it is built again
strictly with all lines that `LineWriter` wrote, and every old URL is looked up as a static server would. A line is
right if the old URL was published before and now leads to the new page. The table also counts the moves without a line
and their reasons.

    pip install mkdocs-redirects mkdocs-static-i18n zensical sphinx-reredirects sphinxext-rediraffe
    npm install --prefix services netlify-redirector wrangler@3
    python benchmarks/redirect_lines.py [--node services] > benchmarks/redirect_lines.md

The services' own code evaluates `_redirects`, in Node.js; without ``--node`` these rows are left out.
"""

from __future__ import annotations

import argparse
import html
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from sitemap_plugins.changes.redirect_lines import LineWriter, Move, NoLine, RedirectLine, RedirectTool
from sitemap_plugins.changes.snapshot import Snapshot, SnapshotPage

# The old document, the new one, and the anchors of both; without suffix. None is a page without a known document.
RENAMES = [
    ("old", "new"),
    ("old-with-anchor", "new#section"),
    ("to-home", "index"),
    ("folder/index", "other/index"),
    ("folder/page", "other/page"),
    ("up/and/up", "top"),
    ("into", "into-the/deep"),
    ("readme/README", "read/README"),
    ("release-1.0", "release-2.0"),
    ("v1.0/x", "v2.0/x"),
    ("a b/c d", "e f/g h"),
    ("ünï", "größe/日本"),
    ("it's", "that's"),
    ('say "hi"', "say-hi"),
    ("a & b", "c & d"),
    ("plus+1 (2), 3", "plus-2 [x]"),
    ("colon: x", "colon- x"),
    ("#hash", "no-hash"),
    ("from-hash", "c#"),
    ("100%", "50%25"),
    ("what?", "why?"),
    ("star*", "stars"),
    ("[list]", "lists"),
    ("true", "false"),
    ("2024-01-02", "2025-01-02"),
    ("$x", "${to_uri}"),
    ("<b>", "<i>"),
    ("Case", "case"),
    ("long/" + "x" * 140, "long/" + "y" * 140),
    ("guide#old-heading", "guide#section"),
    ("gone#x y'z", "guide#section"),
    ("kept", "guide"),
]
STAYING = ("kept", "guide")  # pages that are not renamed
BASES = {
    "root": ("https://example.org/", ""),
    "base path": ("https://example.org/docs/latest/", ""),
    "sub-folder": ("https://example.org/docs/", "some/where/"),
    "i18n": ("https://example.org/docs/", ""),
}


class Site(NamedTuple):
    """A site to build: its tool, the form of its URLs, its place, and the folder of its project."""

    tool: str
    has_folder_urls: bool
    place: str
    folder: Path

    @property
    def base_url(self) -> str:
        base, _ = BASES[self.place]
        is_alone = self.place == "i18n" and self.tool != "mkdocs-redirects"  # each language is a build of its own
        return f"{base}fr/" if is_alone else base


class Outcome(NamedTuple):
    right: int
    lines: int
    reasons: Counter[str]
    wrong: list[str]


def run(command: list[str], cwd: Path) -> None:
    done = subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DISABLE_MKDOCS_2_WARNING": "true", "PYTHONWARNINGS": "ignore"},
    )
    if done.returncode:
        raise SystemExit(f"{cwd}: {command} failed\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")


def program(name: str) -> str:
    return str(Path(sys.executable).with_name(name))


def cut(document: str) -> tuple[str, str]:
    """A document and its anchor: the first hash before a letter, but not at the end of a name."""
    found = re.search(r"(?<=[a-z])#(?=[a-z])", document)
    return (document[: found.start()], document[found.end() :]) if found else (document, "")


def url_of(document: str, site: Site) -> str:
    """The decoded path where the host publishes a document."""
    folder, _, name = document.rpartition("/")
    is_home = name == "index" or (name == "README" and site.tool not in {"sphinx-reredirects", "rediraffe"})
    folder = f"{folder}/" if folder else ""
    if site.has_folder_urls:
        return folder if is_home else f"{document}/"
    return f"{folder}index.html" if is_home else f"{document}.html"


def write_documents(site: Site, documents: list[str]) -> None:
    is_sphinx = site.tool in {"sphinx-reredirects", "rediraffe"}
    roots = [site.folder / "docs"]
    if site.tool == "mkdocs-redirects" and site.place == "i18n":
        roots = [site.folder / "docs" / language for language in ("en", "fr")]
    shutil.rmtree(site.folder / "docs", ignore_errors=True)
    for root, document in itertools.product(roots, documents):
        file = root / f"{document}{'.rst' if is_sphinx else '.md'}"
        file.parent.mkdir(parents=True, exist_ok=True)
        title = f"Page {marker(document)}"
        text = f":orphan:\n\n{title}\n{'=' * 400}\n\nText.\n" if is_sphinx else f"# {title}\n\n## Section\n\nText.\n"
        file.write_text(text, encoding="utf-8")


def marker(document: str) -> str:
    """A word that only this page has."""
    return "m" + document.encode().hex() + "m"


def configure(site: Site, lines: list[RedirectLine]) -> None:
    """Write the configuration of the project, with lines."""
    text = "".join(f"        {line.text}\n" for line in lines)
    urls = str(site.has_folder_urls).lower()
    if site.tool in {"mkdocs-redirects", "_redirects"} or (site.tool == "zensical" and site.place != "base path"):
        i18n = site.place == "i18n" and site.tool == "mkdocs-redirects"
        languages = "[{locale: en, default: true, name: E, build: true}, {locale: fr, name: F, build: true}]"
        plugins = f"  - i18n: {{docs_structure: folder, languages: {languages}}}\n" if i18n else ""
        maps = f"  - redirects:\n      redirect_maps:\n{text}" if text and site.tool != "_redirects" else ""
        (site.folder / "mkdocs.yml").write_text(
            f"site_name: x\nsite_url: {site.base_url}\nuse_directory_urls: {urls}\nplugins:\n  - search\n{plugins}{maps}",
            encoding="utf-8",
        )
    elif site.tool == "zensical":
        table = "[project.plugins.redirects.redirect_maps]\n" + text if text else ""
        (site.folder / "zensical.toml").write_text(
            f'[project]\nsite_name = "x"\nsite_url = "{site.base_url}"\nuse_directory_urls = {urls}\n{table}',
            encoding="utf-8",
        )
    else:
        extension = {"sphinx-reredirects": "sphinx_reredirects", "rediraffe": "sphinxext.rediraffe"}[site.tool]
        option = "redirects" if site.tool == "sphinx-reredirects" else "rediraffe_redirects"
        value = f"{{\n{text}}}"
        if site.tool == "rediraffe" and site.place in {"root", "i18n"}:
            value = '"redirects.txt"'
            (site.folder / "docs" / "redirects.txt").write_text("".join(f"{x.text}\n" for x in lines), encoding="utf-8")
        (site.folder / "docs" / "conf.py").write_text(
            f'project = "x"\nextensions = ["{extension}"]\nhtml_baseurl = "{site.base_url}"\nsmartquotes = False\n'
            f"{option} = {value}\n",
            encoding="utf-8",
        )
    if site.tool == "_redirects" and text:
        (site.folder / "docs" / "_redirects").write_text("".join(f"{x.text}\n" for x in lines), encoding="utf-8")


def build(site: Site) -> Path:
    output = site.folder / "site"
    shutil.rmtree(output, ignore_errors=True)
    if site.tool in {"mkdocs-redirects", "_redirects"}:
        run([program("mkdocs"), "build", "--strict", "--quiet"], site.folder)
    elif site.tool == "zensical":
        run([program("zensical"), "build", "--strict", "--clean"], site.folder)
    else:
        builder = "dirhtml" if site.has_folder_urls else "html"
        run([program("sphinx-build"), "-W", "-q", "-E", "-b", builder, "docs", "site"], site.folder)
    return output


def served_file(output: Path, path: str) -> Path:
    """The file that a static server sends for a decoded path."""
    file = output / path
    return file / "index.html" if path == "" or path.endswith("/") or file.is_dir() else file


def land(output: Path, base_url: str, path: str, anchor: str = "") -> tuple[str, str]:
    """The text of the page that a browser shows for a path below the base, and its anchor."""
    url = base_url + urllib.parse.quote(path, safe="/~!$&'()*+,;=:@[]|") + (f"#{anchor}" if anchor else "")
    manifest = output / "redirect.json"
    for _ in range(3):
        bare, _, fragment = url.partition("#")
        if not bare.startswith(base_url):
            return f"left the site: {url}", ""
        if fragment and manifest.exists():  # as the script of Zensical does
            rows = json.loads(manifest.read_text(encoding="utf-8")).items()
            known = {normal(base_url + each): urllib.parse.urljoin(base_url, to) for each, to in rows}
            if normal(url) in known:
                url = known[normal(url)]
                bare, _, fragment = url.partition("#")
        file = served_file(output, urllib.parse.unquote(bare[len(base_url) :]))
        if not file.is_file():
            return f"404: {url}", ""
        text = file.read_text(encoding="utf-8")
        found = re.search(r"""<meta[^>]*http-equiv="refresh"[^>]*content="\d+; ?url=([^"]*)\"""", text)
        if not found:
            return text, urllib.parse.unquote(fragment)
        url = urllib.parse.urljoin(bare, html.unescape(found[1]))
    return f"loop: {url}", ""


def normal(url: str) -> str:
    """The URL with its fragment encoded as by a browser."""
    bare, _, fragment = url.partition("#")
    return f"{urllib.parse.unquote(bare)}#{urllib.parse.quote(fragment, safe='%' + urllib.parse.quote('', safe='') + '!#$&()*+,/:;=?@[]{}|^~' + chr(39))}"


def published(site: Site, documents: list[str]) -> Snapshot:
    """The state of the site with these documents."""
    pages = {}
    suffix = ".rst" if site.tool in {"sphinx-reredirects", "rediraffe"} else ".md"
    languages = {"": "en/", "fr/": "fr/"} if site.tool == "mkdocs-redirects" and site.place == "i18n" else {"": ""}
    for (prefix, folder), document in itertools.product(languages.items(), documents):
        path = prefix + url_of(document, site)
        path = "" if path in {"index.html"} else path
        pages[path] = SnapshotPage(path=path, document=f"docs/{folder}{document}{suffix}")
    return Snapshot(name="new", base_url=site.base_url, pages=pages)


def tool_of(site: Site) -> RedirectTool:
    if site.tool == "zensical":
        return RedirectTool(
            name="zensical", syntax="toml" if site.place == "base path" else "yaml", version=version("zensical")
        )
    if site.tool == "rediraffe":
        return RedirectTool(name="rediraffe", syntax="rediraffe" if site.place in {"root", "i18n"} else "python")
    syntaxes = {"mkdocs-redirects": "yaml", "sphinx-reredirects": "python", "_redirects": "_redirects"}
    return RedirectTool(name=site.tool, syntax=syntaxes[site.tool])


def moves_of(site: Site, new: Snapshot, prefix: str) -> Iterator[tuple[Move, str]]:
    """The moves, with and without known documents, and the new document of each."""
    suffix = ".rst" if site.tool in {"sphinx-reredirects", "rediraffe"} else ".md"
    languages = [("", "")]
    if site.tool == "mkdocs-redirects" and site.place == "i18n":
        languages = [("", "en/"), ("fr/", "fr/")]
    for (part, folder), (before, after) in itertools.product(languages, RENAMES):
        (old, old_anchor), (to, new_anchor) = cut(before), cut(after)
        old, to = prefix + old, to if to == "index" else prefix + to
        path = part + url_of(to, site)
        move = Move(
            old=part + url_of(old, site),
            new="" if path == "index.html" else path,
            old_anchor=old_anchor,
            new_anchor=new_anchor,
            old_document=f"docs/{folder}{old}{suffix}",
            new_document=f"docs/{folder}{to}{suffix}",
        )
        yield move, to


def check(site: Site) -> Outcome:
    prefix = BASES[site.place][1]
    old_documents = {prefix + cut(old)[0] for old, _ in RENAMES} | {"index"}
    new_documents = {cut(to)[0] for _, to in RENAMES} | set(STAYING)
    new_documents = {each if each == "index" else prefix + each for each in new_documents} | {"index"}
    # A name that cannot be published at all by the host is no case for a line.
    write_documents(site, sorted(old_documents | new_documents - {prefix + "case"}))
    configure(site, [])
    old_output = build(site)
    new = published(site, sorted(new_documents))
    has_i18n = site.place == "i18n" and site.tool == "mkdocs-redirects"
    writer = LineWriter(tool_of(site), new, has_folder_urls=site.has_folder_urls, has_i18n=has_i18n)
    lines: list[tuple[Move, str, RedirectLine]] = []
    reasons: Counter[str] = Counter()
    wrong = []
    for move, to in moves_of(site, new, prefix):
        was = land(old_output, site.base_url, move.old)[0]
        if not was.lstrip().startswith("<") or "Page m" not in was:
            reasons["the host did not publish the old page"] += 1
            continue
        line = writer.line_for(move)
        if isinstance(line, NoLine):
            reasons[line.reason.replace(prefix, "")] += 1
        else:
            lines.append((move, to, line))
    write_documents(site, sorted(new_documents))
    configure(site, [line for _, _, line in lines])
    if site.tool == "_redirects":
        (site.folder / "lines.json").write_text(json.dumps([[m.old, m.new, m.new_anchor, x.text] for m, _, x in lines]))
        return Outcome(len(lines), len(lines), reasons, wrong)
    output = build(site)
    for move, to, line in lines:
        text, anchor = land(output, site.base_url, move.old, move.old_anchor)
        if marker(to) not in text or anchor != move.new_anchor:
            wrong.append(f"{line.text}: {text[:200] if marker(to) not in text else anchor!r}")
    for path in new.pages:  # no page was replaced
        text, _ = land(output, site.base_url, path)
        if "Page m" not in text:
            wrong.append(f"{path} is no page: {text[:100]}")
    return Outcome(len(lines) - len(wrong), len(lines), reasons, wrong)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append")
    parser.add_argument("--place", action="append")
    options = parser.parse_args()
    tools = options.tool or ["mkdocs-redirects", "zensical", "sphinx-reredirects", "rediraffe"]
    for tool, has_folder_urls, place in itertools.product(tools, (False, True), options.place or BASES):
        with tempfile.TemporaryDirectory() as folder:
            site = Site(tool, has_folder_urls, place, Path(folder))
            outcome = check(site)
            print(
                tool,
                "folders" if has_folder_urls else "html",
                place,
                f"{outcome.right}/{outcome.lines}",
                sum(outcome.reasons.values()),
            )
            for each in outcome.wrong:
                print("   WRONG", each)
            for reason, number in outcome.reasons.items():
                print("     ", number, reason)


if __name__ == "__main__":
    main()
