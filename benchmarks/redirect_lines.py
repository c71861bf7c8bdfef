"""Proves the lines that redirect lost URLs: builds sites with the tool that each line is for, and follows the links.

For each tool, form of URLs and place of the site, a small site is built, its pages are renamed, and it is built again,
strictly, with all the lines that `LineWriter` wrote. Then every old URL is looked up as a static server would do it. In
the place "other form", the old URLs have the other form, and in "version", the site is a folder of what is published,
as with mike. A line is right if the old URL was published before and now leads to the new page, and if no page was
replaced. The table also counts the moves without a line, with their reasons.

    pip install mkdocs-redirects mkdocs-static-i18n zensical sphinx-reredirects sphinxext-rediraffe
    npm install --prefix services netlify-redirector @netlify/redirect-parser wrangler@3
    python benchmarks/redirect_lines.py --services services > benchmarks/redirect_lines.md

The services' own code evaluates _redirects, in Node.js and on this machine: Netlify's parser and matcher, and the
server that Cloudflare offers for local tests. Without ``--services`` these rows are left out.
"""

from __future__ import annotations

import argparse
import html
import http.client
import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from msgspec.structs import replace

from sitemap_plugins.diff.redirect_tools import TOOLS, Move, RedirectTool, Syntax, ToolKind
from sitemap_plugins.diff.redirecting import LineWriter, NoLine, RedirectLine
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage, normalize

# The old document and the new one, without suffix, each with its anchor, if any.
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
    ("Upper", "upper"),
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
    "unknown sources": ("https://example.org/docs/", ""),
    "other form": ("https://example.org/docs/", ""),
    "version": ("https://example.org/docs/2.0/", ""),
}
SERVICES = ("_redirects (Netlify)", "_redirects (Cloudflare)")
PACKAGES = (
    "mkdocs",
    "mkdocs-redirects",
    "mkdocs-static-i18n",
    "zensical",
    "sphinx",
    "sphinx-reredirects",
    "sphinxext-rediraffe",
)
UNENCODED = "/~!$&'()*+,;=:@[]|^"  # what browsers do not encode in a path


class Site(NamedTuple):
    """A site to build: its tool, the form of its URLs, its place, and the folder of its project."""

    tool: str
    has_folder_urls: bool
    place: str
    folder: Path

    @property
    def base_url(self) -> str:
        base, _ = BASES[self.place]
        return f"{base}fr/" if self.place == "i18n" and not self.languages else base

    @property
    def kind(self) -> ToolKind:
        """The tool; for a service, that of its file."""
        return TOOLS[self.tool.partition(" ")[0]]

    @property
    def generator(self) -> str:
        return self.kind.generator or "mkdocs"

    @property
    def languages(self) -> dict[str, str]:
        """The folders of the documents of each language, by those of its URLs; else a build has one language."""
        return {"": "en/", "fr/": "fr/"} if self.generator == "mkdocs" and self.place == "i18n" else {}

    @property
    def is_sphinx(self) -> bool:
        return self.generator == "sphinx"

    @property
    def suffix(self) -> str:
        return ".rst" if self.is_sphinx else ".md"


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
    is_home = name == "index" or (name == "README" and not site.is_sphinx)
    folder = f"{folder}/" if folder else ""
    if site.has_folder_urls:
        return folder if is_home else f"{document}/"
    return f"{folder}index.html" if is_home else f"{document}.html"


def write_documents(site: Site, documents: list[str]) -> None:
    roots = [site.folder / "docs" / folder for folder in site.languages.values() or [""]]
    shutil.rmtree(site.folder / "docs", ignore_errors=True)
    for root, document in itertools.product(roots, documents):
        file = root / f"{document}{site.suffix}"
        file.parent.mkdir(parents=True, exist_ok=True)
        title = f"Page {marker(document)}"
        text = (
            f":orphan:\n\n{title}\n{'=' * 400}\n\nText.\n" if site.is_sphinx else f"# {title}\n\n## Section\n\nText.\n"
        )
        file.write_text(text, encoding="utf-8")


def marker(document: str) -> str:
    """A word that only this page has."""
    return "m" + document.encode().hex() + "m"


def configure(site: Site, lines: list[RedirectLine]) -> None:
    """Write the configuration of the project, with lines."""
    text = "".join(f"        {line.text}\n" for line in lines)
    urls = str(site.has_folder_urls).lower()
    kind = site.kind
    option = f"{kind.plugin}:\n      {kind.option}" if kind.plugin else ""
    if site.generator == "mkdocs" or (site.generator == "zensical" and site.place != "base path"):
        languages = "[{locale: en, default: true, name: E, build: true}, {locale: fr, name: F, build: true}]"
        plugins = f"  - i18n: {{docs_structure: folder, languages: {languages}}}\n" if site.languages else ""
        maps = f"  - {option}:\n{text}" if text and option else ""
        (site.folder / "mkdocs.yml").write_text(
            f"site_name: x\nsite_url: {site.base_url}\nuse_directory_urls: {urls}\n"
            f"plugins:\n  - search\n{plugins}{maps}",
            encoding="utf-8",
        )
    elif kind.plugin:
        table = f"[project.plugins.{kind.plugin}.{kind.option}]\n{text}" if text else ""
        (site.folder / "zensical.toml").write_text(
            f'[project]\nsite_name = "x"\nsite_url = "{site.base_url}"\nuse_directory_urls = {urls}\n{table}',
            encoding="utf-8",
        )
    elif kind.extension:
        value = f"{{\n{text}}}"
        if syntax_of(site) != "python":
            value = '"redirects.txt"'
            (site.folder / "docs" / "redirects.txt").write_text("".join(f"{x.text}\n" for x in lines), encoding="utf-8")
        (site.folder / "docs" / "conf.py").write_text(
            f'project = "x"\nextensions = ["{kind.extension}"]\nhtml_baseurl = "{site.base_url}"\n'
            f"smartquotes = False\n{kind.option} = {value}\n",
            encoding="utf-8",
        )


def build(site: Site) -> Path:
    output = site.folder / "site"
    shutil.rmtree(output, ignore_errors=True)
    if site.generator == "mkdocs":
        run([program("mkdocs"), "build", "--strict", "--quiet"], site.folder)
    elif site.generator == "zensical":
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
    url = base_url + quote(path, safe=UNENCODED) + (f"#{anchor}" if anchor else "")
    manifest = output / "redirect.json"
    for _ in range(3):
        bare, _, fragment = url.partition("#")
        if not bare.startswith(base_url):
            return f"left the site: {url}", ""
        if not bare.endswith("/") and (output / unquote(bare[len(base_url) :])).is_dir():
            bare += "/"  # a server redirects to it
        if fragment and manifest.exists():  # as the script of Zensical does
            rows = json.loads(manifest.read_text(encoding="utf-8")).items()
            known = {as_by_browser(base_url + each): urljoin(base_url, to) for each, to in rows}
            url = known.get(as_by_browser(url), url)
            bare, _, fragment = url.partition("#")
        file = served_file(output, unquote(bare[len(base_url) :]))
        if not file.is_file():
            return f"404: {url}", ""
        text = file.read_text(encoding="utf-8")
        found = re.search(r"""<meta[^>]*http-equiv="refresh"[^>]*content="\d+; ?url=([^"]*)\"""", text)
        if not found:
            return text, unquote(fragment)
        url = urljoin(bare, html.unescape(found[1]))
    return f"loop: {url}", ""


def as_by_browser(url: str) -> str:
    """The URL with its fragment as a browser encodes it (WHATWG URL)."""
    bare, _, fragment = url.partition("#")
    return f"{unquote(bare)}#{quote(fragment, safe=UNENCODED + '%?#{}')}"


def published(site: Site, documents: list[str]) -> Snapshot:
    """The state of the site with these documents."""
    pages = {}
    for (part, folder), document in itertools.product((site.languages or {"": ""}).items(), documents):
        path = path_of(part, document, site)
        source = None if site.place == "unknown sources" else f"docs/{folder}{document}{site.suffix}"
        pages[path] = SnapshotPage(path=path, document=source)
    return Snapshot(name="new", base_url=site.base_url, pages=pages)


def whole_of(new: Snapshot, site: Site) -> Snapshot:
    """The published state that a site is in: with versions, it is one of its folders."""
    if site.place != "version":
        return new
    pages = {f"2.0/{path}": page for path, page in new.pages.items()}
    return replace(new, base_url="https://example.org/docs/", pages=pages, folders={"2.0": "version"})


def before_of(site: Site) -> Site:
    """The site before its pages were renamed."""
    return site._replace(has_folder_urls=site.has_folder_urls is (site.place != "other form"))


def path_of(part: str, document: str, site: Site) -> str:
    return normalize(part + url_of(document, site))


def tool_of(site: Site) -> RedirectTool:
    installed = version("zensical") if site.generator == "zensical" else None
    return RedirectTool(name=site.kind.name, syntax=syntax_of(site), version=installed)


def syntax_of(site: Site) -> Syntax:
    """How the lines of a site are written: each tool's in all places where it reads them."""
    if site.is_sphinx:
        return site.kind.syntax if site.place in {"root", "i18n"} else "python"
    return "toml" if site.generator == "zensical" and site.place == "base path" else site.kind.syntax


def moves_of(site: Site, prefix: str, new: Snapshot) -> Iterator[tuple[Move, str]]:
    """The moves, and the new document of each."""
    for (part, folder), (before, after) in itertools.product((site.languages or {"": ""}).items(), RENAMES):
        (old, old_anchor), (to, new_anchor) = cut(before), cut(after)
        old, to = prefix + old, to if to == "index" else prefix + to
        path = path_of(part, to, site)
        source = new.pages[path].document
        yield (
            Move(
                old=path_of(part, old, before_of(site)),
                new=path,
                old_anchor=old_anchor,
                new_anchor=new_anchor,
                old_document=source and f"docs/{folder}{old}{site.suffix}",
                new_document=source,
            ),
            to,
        )


def check(site: Site, services: Path | None) -> Outcome:
    prefix = BASES[site.place][1]
    old_documents = {prefix + cut(old)[0] for old, _ in RENAMES} | {"index"}
    new_documents = {cut(to)[0] for _, to in RENAMES} | set(STAYING)
    new_documents = {each if each == "index" else prefix + each for each in new_documents} | {"index"}
    write_documents(site, sorted(old_documents | new_documents))
    configure(before_of(site), [])
    old_output = build(before_of(site))
    new = published(site, sorted(new_documents))
    writer = LineWriter(tool_of(site), whole_of(new, site), has_i18n=bool(site.languages))
    lines: list[tuple[Move, str, RedirectLine]] = []
    reasons: Counter[str] = Counter()
    for move, to in moves_of(site, prefix, new):
        if site.place != "other form" and marker(to) not in land(old_output, site.base_url, move.new)[0]:
            raise SystemExit(f"{site} does not publish {move.new}")
        if "Page m" not in land(old_output, site.base_url, move.old)[0]:
            raise SystemExit(f"{site} did not publish {move.old}")
        if site.place == "other form" and move.old_anchor:
            reasons["its page has another URL now, which is redirected as a whole"] += 1
            continue
        start = "2.0/" if site.place == "version" else ""
        line = writer.line_for(replace(move, old=start + move.old, new=start + move.new))
        if isinstance(line, NoLine):
            reasons[without_names(line.reason, move)] += 1
        else:
            lines.append((move, to, line))
    write_documents(site, sorted(new_documents))
    configure(site, [line for _, _, line in lines])
    output = build(site)
    if site.tool in SERVICES and services:
        wrong = [*wrong_rules(site, output, lines, services)]
    else:
        wrong = [*wrong_lines(site, output, lines), *replaced_pages(site, output, new)]
    unsure = [line.text for _, _, line in lines if line.condition] if "Netlify" in site.tool else []
    reasons["its condition says that Netlify may not match it"] += len(unsure)
    wrong = [each for each in wrong if not each.startswith(tuple(unsure))]
    number = len(lines) - len(unsure)
    return Outcome(number - len(wrong), number, +reasons, wrong)


def without_names(reason: str, move: Move) -> str:
    """A reason that is equal for all pages."""
    for path in (move.old, move.new):
        reason = reason.replace(path.removesuffix("/").removesuffix(".html"), "PAGE")
    return re.sub(r"PAGE(?:\.md|\.html|/index\.html|/)", "PAGE", reason)


def wrong_lines(site: Site, output: Path, lines: list[tuple[Move, str, RedirectLine]]) -> Iterator[str]:
    for move, to, line in lines:
        text, anchor = land(output, site.base_url, move.old, move.old_anchor)
        if marker(to) not in text or anchor != move.new_anchor:
            yield f"{line.text}: {text[:200] if marker(to) not in text else anchor!r}"


def replaced_pages(site: Site, output: Path, new: Snapshot) -> Iterator[str]:
    for path in new.pages:
        text, _ = land(output, site.base_url, path)
        if "Page m" not in text:
            yield f"{path} was replaced: {text[:100]}"


def wrong_rules(site: Site, output: Path, lines: list[tuple[Move, str, RedirectLine]], services: Path) -> Iterator[str]:
    """The lines of `_redirects` that do not lead to the new page; the site is below the root of a host."""
    root = site.folder / "host"
    base = urlsplit(site.base_url).path
    shutil.copytree(output, root / base.strip("/"), dirs_exist_ok=True)
    rules = root / "_redirects"
    rules.write_text("".join(f"{line.text}\n" for _, _, line in lines), encoding="utf-8")
    urls = [base + quote(move.old, safe=UNENCODED) for move, _, _ in lines]
    with netlify(rules, urls, services) if "Netlify" in site.tool else cloudflare(root, services) as ask:
        for (move, to, line), url in zip(lines, urls, strict=True):
            status, location = ask(url)
            bare, _, fragment = location.partition("#")
            file = served_file(root, unquote(bare).lstrip("/"))
            is_right = status == 301 and file.is_file() and marker(to) in file.read_text(encoding="utf-8")
            if not is_right or unquote(fragment) != move.new_anchor:
                yield f"{line.text}: {status} {location}"


Ask = Callable[[str], tuple[int, str]]  # the status and the location for a path


@contextmanager
def netlify(rules: Path, urls: list[str], services: Path) -> Iterator[Ask]:
    """Netlify's parser and matcher; pages are read from the folder."""
    program = Path(__file__).with_name("redirect_rules.mjs")
    asked = json.dumps({"file": str(rules), "paths": urls})
    done = subprocess.run(["node", program], cwd=services, input=asked, capture_output=True, text=True, check=True)
    answers = dict(zip(urls, json.loads(done.stdout), strict=True))

    yield lambda url: (answers[url][1], answers[url][0]) if answers[url] else (404, "")


@contextmanager
def cloudflare(root: Path, services: Path) -> Iterator[Ask]:
    """The server of Cloudflare Pages for local tests, on this machine only."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["node", services / "node_modules/wrangler/bin/wrangler.js", "pages", "dev", root]
    with (root.parent / "server.log").open("w") as log:
        server = subprocess.Popen(
            [*map(str, command), "--ip", "127.0.0.1", "--port", str(port)],
            cwd=root.parent,
            stdout=log,
            stderr=log,
            env={**os.environ, "CI": "1", "WRANGLER_SEND_METRICS": "false"},
            start_new_session=True,
        )

    def ask(url: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", url)
        answer = connection.getresponse()
        answer.read()
        return answer.status, answer.headers.get("location") or ""

    try:
        for _ in range(100):
            try:
                ask("/")
                break
            except OSError:
                time.sleep(0.2)
        yield ask
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", action="append")
    parser.add_argument("--place", action="append")
    parser.add_argument("--services", type=Path)
    options = parser.parse_args()
    tools = options.tool or [
        *(name for name in TOOLS if TOOLS[name].generator),
        *(SERVICES if options.services else ()),
    ]
    print("# Lines that redirect lost URLs\n\nWritten by `benchmarks/redirect_lines.py`, with", versions() + ".\n")
    print(f"Each cell has {len(RENAMES)} moves, or twice as many with two languages in one build.\n")
    print("| Tool | URLs | Place | Moves | Lines | Right | No line |\n|---|---|---|---|---|---|---|")
    total, right = Counter[str](), Counter[str]()
    reasons: dict[str, Counter[str]] = {tool: Counter() for tool in tools}
    wrong = []
    for tool, has_folder_urls, place in itertools.product(tools, (False, True), options.place or BASES):
        if tool in SERVICES and place in {"i18n", "other form", "version"}:
            continue  # a path is a path
        with tempfile.TemporaryDirectory() as folder:
            site = Site(tool, has_folder_urls, place, Path(folder))
            outcome = check(site, options.services)
        without = sum(outcome.reasons.values())
        form = "folders" if has_folder_urls else ".html"
        row = (tool, form, place, outcome.lines + without, outcome.lines, outcome.right, without)
        print("|", " | ".join(map(str, row)), "|", flush=True)
        total[tool] += outcome.lines
        right[tool] += outcome.right
        reasons[tool] += outcome.reasons
        wrong += [f"{tool}, {form}, {place}: {each}" for each in outcome.wrong]
    print("\n## No line\n\n| Tool | Moves | Reason |\n|---|---|---|")
    for tool in tools:
        for reason, number in sorted(reasons[tool].items(), key=lambda item: (-item[1], item[0])):
            print(f"| {tool} | {number} | {reason} |")
    print(f"\n{sum(right.values()):,} of {sum(total.values()):,} lines are right.")
    for each in wrong:
        print("WRONG", each)


def versions() -> str:
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


if __name__ == "__main__":
    main()
