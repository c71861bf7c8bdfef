"""Writes the line that redirects a lost URL, for the tool that makes the redirects of a site; pure.

Each tool maps the names of documents, or URLs, in its own way, so the same redirect is a different line for each tool.
If a tool would ignore the line, read it in another way, or replace a page, there is a reason instead of a line.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec
from msgspec.structs import replace

from sitemap_plugins.changes.redirects import with_fragment
from sitemap_plugins.changes.snapshot import Snapshot
from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import ends_of, file_key, path_in, relative_url

ToolName: TypeAlias = Literal["mkdocs-redirects", "zensical", "sphinx-reredirects", "rediraffe", "_redirects"]

Syntax: TypeAlias = Literal["yaml", "toml", "python", "rediraffe", "_redirects"]
"""How a line is written: a key and a value of YAML, TOML or a Python dict, or two words in a file of the tool."""

_FIRST_ZENSICAL: Final = {"pages": (0, 0, 58), "anchors": (0, 0, 61)}  # the first versions that redirect these

_SPHINX: Final = ("sphinx-reredirects", "rediraffe")
_INDEX: Final = "index.html"
_HTML: Final = (".html", ".htm")
MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The suffixes of the documents of MkDocs and Zensical, the usual one first."""

SPHINX_DOCUMENTS: Final = (".rst", *MARKDOWN, ".ipynb", ".txt")
"""The suffixes of the documents of Sphinx, the usual one first."""

_SAMPLE: Final = "https://site.invalid/"  # relative URLs are the same on every host
_NO_BASE: Final = "the base URL is not known; a canonical link on the home page of NEW tells it"
_BREAKS: Final = re.compile("[\t\n\r\x85\u2028\u2029]")
# Unencoded in a fragment (RFC 3986). An apostrophe or an ampersand would end or change the link in a stub.
_FRAGMENT_SAFE: Final = "/?:@!$()*+,;=~"
_WILDCARD: Final = re.compile(r"\*|:[A-Za-z]")  # in a rule of _redirects
_NOT_IN_RULE: Final = re.compile(r"[\s%?#]+")  # what would end a path or change it
# Text that YAML reads as text even without quotes: never as a number, date, boolean or null.
_PLAIN_YAML: Final = re.compile(r"[A-Za-z_][\w./-]*\.\w+(?:#[\w./%-]+)?|https?://[\w./%~#-]*[\w/]", re.ASCII)
_NOT_IN_YAML: Final = re.compile("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_PLAIN_WORD: Final = re.compile(r"""[^\s"'#][^\s"']*""")


FindDocument: TypeAlias = Callable[[str], str | None]
"""Finds the document with a name without suffix: returns the name with its suffix, None if there is no document."""


def find_no_document(_name: str) -> None:
    """Find no document, because those of the project are not known."""


class RedirectTool(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that makes the redirects of a site.

    ``file`` is the path of the file with its lines, empty if it is not known, and ``syntax`` is how they are written
    there. ``redirects`` are the sources and targets that it already has, as written, as far as they can be read.
    ``documents`` is the path of the folder of the documents, empty if it is not known. ``version`` is that of the tool,
    None if it is not known; only that of Zensical matters.
    """

    name: ToolName
    syntax: Syntax
    file: str = ""
    redirects: Mapping[str, str] = {}
    documents: str = ""
    version: str | None = None


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A lost URL and the URL that replaces it: decoded paths below the base, and anchors without ``#``, if any.

    ``new`` may also be an absolute URL elsewhere. The documents are the paths of the sources, None if they are not
    known; the paths may start at any folder above the documents, such as the top of the repository.
    """

    old: str
    new: str
    old_anchor: str = ""
    new_anchor: str = ""
    old_document: str | None = None
    new_document: str | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether the new URL is not below the base."""
        return "://" in self.new


class RedirectLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that redirects a lost URL. ``source`` and ``target`` are its two parts as the tool reads them.

    ``condition`` is a sentence on what the line needs to have an effect, without a full stop; empty if nothing.
    """

    text: str
    source: str
    target: str
    condition: str = ""


class NoLine(msgspec.Struct, frozen=True):
    """Why there is no line: a sentence without a full stop."""

    reason: str


class ExistingLine(NoLine, frozen=True):
    """There is no line to add, because the file already redirects the page; the reason says what to do instead."""


class LineWriter:
    """Writes the lines of a site. A folder that is built on its own has the lines of a separate site.

    ``tool`` makes the redirects. If it is not known, it is None, and ``advice`` is the condition of all lines.
    ``new`` is the state in which URLs are lost, and ``has_i18n`` tells whether mkdocs-static-i18n builds it.
    ``find_document`` finds the documents of the project.
    """

    def __init__(
        self,
        tool: RedirectTool | None,
        new: Snapshot,
        *,
        has_i18n: bool = False,
        find_document: FindDocument = find_no_document,
        advice: str = "",
    ) -> None:
        self._tool = tool
        self._new = new
        self._has_i18n = has_i18n
        self._find_document = find_document
        self._advice = advice
        self._folders = _built_apart(new, tool)
        self._builds: dict[str, _Build] = {}

    def line_for(self, move: Move) -> RedirectLine | NoLine:
        """The line for a lost URL, or why there is none."""
        if reason := self._obstacle(move):
            return NoLine(reason)
        folder = self._folder_of(move.old)
        if not move.is_elsewhere and self._folder_of(move.new) != folder:
            return NoLine(f"{_shown(move.new)} is built separately")
        if folder not in self._builds:
            self._builds[folder] = self._build(folder)
        build, start = self._builds[folder], len(path_in(folder, ""))
        if self._folders and build.is_empty:
            return NoLine(f"only folders such as {self._folders[0]}/ are built, and the URL is in none of them")
        move = replace(move, old=move.old[start:], new=move.new if move.is_elsewhere else move.new[start:])
        line = build.line_for(move)
        document = build.document_at(move.old) if folder and not move.old_anchor else None
        if isinstance(line, RedirectLine) and document:
            return NoLine(
                f"it would replace {document} of this project; add {line.text} to the one that builds {folder}/"
            )
        return build.existing(line) or line if isinstance(line, RedirectLine) else line

    def _obstacle(self, move: Move) -> str:
        """Why no tool can redirect this; empty if nothing prevents it."""
        paths = (move.old,) if move.is_elsewhere else (move.old, move.new)
        if any(CONTROL.search(each) or _BREAKS.search(each) for each in (*paths, move.old_anchor, move.new_anchor)):
            return "the URL contains a character that cannot be written"
        for path in paths:
            steps = path.removesuffix("/").split("/")
            if "\\" in path or (path and not {"", ".", ".."}.isdisjoint(steps)):
                return f"{_shown(path)} is not the path of a page"
        if (move.old, move.old_anchor) == (move.new, move.new_anchor):
            return "it would redirect to itself"
        if not move.old_anchor and self._new.serves(move.old):
            return f"{_shown(move.old)} is still a page or a file of the site, which a redirect would replace"
        if not move.is_elsewhere and not self._new.serves(move.new):
            return f"{_shown(move.new)} is not a page of the site"
        return ""

    def _folder_of(self, path: str) -> str:
        """The folder of a path, if it is built on its own; empty for the rest of the site."""
        return next((folder for folder in self._folders if path.startswith(f"{folder}/")), "")

    def _build(self, folder: str) -> _Build:
        """The build of a folder, or that of the rest of the site."""
        start, base_url = path_in(folder, ""), self._new.base_url

        def inside(paths: Iterable[str]) -> Iterator[str]:
            return (path for path in paths if path.startswith(start) and (folder or not self._folder_of(path)))

        return _Build(
            self._tool,
            [path[len(start) :] for path in inside(self._new.pages)],
            [path[len(start) :] for path in inside(self._new.files or ())],
            base_url and base_url + quote(start),
            has_i18n=self._has_i18n,
            find_document=self._find_document,
            condition=f"the lines for {folder}/ belong in the configuration that builds it" if folder else self._advice,
        )


class _Build:
    """What is built at once: the paths of its ``pages`` and ``files``, and the lines of its tool.

    ``condition`` applies to all lines.
    """

    def __init__(
        self,
        tool: RedirectTool | None,
        pages: Sequence[str],
        files: Iterable[str],
        base_url: str | None,
        *,
        has_i18n: bool,
        find_document: FindDocument,
        condition: str,
    ) -> None:
        self._tool = tool
        self.is_empty = not pages
        # With use_directory_urls or the builder dirhtml, all URLs end with a slash; else, only those of folders do.
        self._has_folder_urls = sum(path.endswith("/") for path in pages) * 2 >= len(set(pages) - {""})
        self._has_i18n = has_i18n
        self._find_document = find_document
        self._condition = condition
        self._homes = {"index"} if tool and tool.name in _SPHINX else {"index", "README"}
        self._base_url = base_url
        self._base = urlsplit(base_url).path if base_url else None
        self._pages = {self._file_of(path): path for path in pages}
        self._files = {file_key(file): file for file in (*files, *self._pages)}
        self._file_folders = {
            file_key(folder): folder for file in self._files.values() for folder in _folders_above(file)
        }
        redirects = tool.redirects if tool else {}
        self._redirects = {self._place_of(source): (source, target) for source, target in redirects.items()}

    def document_at(self, path: str) -> str | None:
        """The document of the project that is published at a path."""
        return self._find_document_at(self._file_of(path))

    def line_for(self, move: Move) -> RedirectLine | NoLine:
        """The line for a lost URL, or why there is none."""
        tool = self._tool
        if tool is None:
            base = self._base or "/"
            source, new = base + move.old, move.new if move.is_elsewhere else base + move.new
            source, target = (with_fragment(*each) for each in ((source, move.old_anchor), (new, move.new_anchor)))
            return RedirectLine(text=f"{source} → {target}", source=source, target=target, condition=self._condition)
        try:
            source, target = _PARTS[tool.name](self, move)
            text = format_line(tool.syntax, source, target)
        except _NoLineError as error:
            return NoLine(str(error))
        condition = "; ".join(filter(None, (self._condition, _condition(tool, move))))
        return RedirectLine(text=text, source=source, target=target, condition=condition)

    def existing(self, line: RedirectLine) -> ExistingLine | None:
        """What to do instead of adding a line, if the file of the tool already redirects its page."""
        found = self._redirects.get(self._place_of(line.source))
        if self._tool is None or found is None:
            return None
        source, target = found
        # The redirect still leads to the same part of the page, if the new target names no part itself.
        keeps_part = "#" not in line.target and "://" not in target
        new = with_fragment(line.target, target.partition("#")[2]) if keeps_part else line.target
        file = self._tool.file
        why = f"{file} redirects {source} to {target}; change that target to {new}"
        if target == new:
            why = f"{file} already has this redirect; build the site again"
        return ExistingLine("; ".join(filter(None, (why, line.condition))))

    def _place_of(self, source: str) -> str:
        """Where the tool publishes the redirect of a line with this source, which another one there would replace."""
        document, hash_mark, anchor = source.rstrip("/").partition("#")
        stem, suffix = posixpath.splitext(document)
        return f"{self._published(stem if suffix in SPHINX_DOCUMENTS else document)}{hash_mark}{anchor}"

    def mkdocs_parts(self, move: Move) -> tuple[str, str]:
        """A document that would be published at the old URL, and the new document."""
        _require_page(move, "mkdocs-redirects")
        return self._mkdocs_source(move), self._mkdocs_target(move)

    def zensical_parts(self, move: Move) -> tuple[str, str]:
        """The same as for mkdocs-redirects; the source may have an anchor."""
        version = self._tool.version if self._tool else None
        what = _redirected(move)
        first = _FIRST_ZENSICAL[what]
        if version is not None and _release(version) < first:
            raise _NoLineError(f"Zensical {version} does not redirect {what}; {_dotted(first)} and newer do")
        source = self._mkdocs_source(move)
        if "#" in source:
            raise _NoLineError(f"Zensical reads the part of {source} after # as an anchor")
        return with_fragment(source, move.old_anchor), self._mkdocs_target(move)

    def _mkdocs_source(self, move: Move) -> str:
        """The name of a document that would be published at the old URL: that of the old document if possible."""
        file = self._file_of(move.old) if move.old_anchor else self._free_file(move.old)
        # A name such as old.html.md is published in a folder named old.html.
        names = (*ends_of(move.old_document or ""), *(f"{name}.md" for name in (*_names(file), file)))
        files = (file,) if move.old_anchor else _serving(file)
        found = next((name for name in names if self._mkdocs_file(name) in files), None)
        if found is None:
            raise _NoLineError(f"no document would be published as {file} with {self._setting('mkdocs')}")
        return found

    def _mkdocs_target(self, move: Move) -> str:
        """The name of the document that is published at the new URL, or else the URL.

        Blog posts and generated pages have no document with such a name. With mkdocs-static-i18n, a document is named
        differently from its page, or is searched for while another language is built. Neither tool finds a name with
        ``#``, and Zensical leaves ``%`` and ``?`` unencoded.
        """
        if move.is_elsewhere:
            return with_fragment(move.new, _fragment(move.new_anchor))
        file = self._file_of(move.new)
        names = () if self._has_i18n or re.search("[#%?]", move.new) else self._mkdocs_names(file, move.new_document)
        found = next((name for name in names if self._mkdocs_file(name) == file), None)
        if found is None and self._base_url is None:
            raise _NoLineError(f"the line needs the full URL of {_shown(move.new)}, and {_NO_BASE}")
        return with_fragment(found or f"{self._base_url}{quote(move.new)}", _fragment(move.new_anchor))

    def _mkdocs_names(self, file: str, document: str | None) -> Iterator[str]:
        """The names that the document of a file may have, below the folder of the documents."""
        yield from ends_of(document or "")
        if found := self._find_document_at(file):
            yield found

    def _mkdocs_file(self, document: str) -> str | None:
        """Where MkDocs and Zensical publish a document; None for other files."""
        name, suffix = posixpath.splitext(document)
        return self._published(name) if suffix in MARKDOWN else None

    def _published(self, name: str) -> str:
        """The file that a document is published as, by its name without suffix."""
        folder, last = posixpath.split(name)
        if last in self._homes:
            return path_in(folder, _INDEX)
        return f"{name}/{_INDEX}" if self._has_folder_urls else f"{name}.html"

    def _find_document_at(self, file: str) -> str | None:
        """The document of the project that is published as a file."""
        names = (*_names(file), path_in(posixpath.dirname(file), "README"))
        return next(filter(None, (self._find_document(name) for name in names if self._published(name) == file)), None)

    def reredirects_parts(self, move: Move) -> tuple[str, str]:
        """The old document without its suffix, and a relative link from the old page to the new one."""
        _require_page(move, "sphinx-reredirects")
        file = self._free_file(move.old)
        source, _ = self._docname(file, move.old_document)
        # Sphinx encodes the URL of a document, and sphinx-reredirects would name the file after that URL.
        source = source if quote(source) == source else file
        if not {"*", "?", "[", "]"}.isdisjoint(source):
            raise _NoLineError(f"sphinx-reredirects reads {source} as a pattern")
        target = move.new
        if not move.is_elsewhere:
            target = relative_url(_SAMPLE + quote(move.old), _SAMPLE + quote(move.new))
        return source, with_fragment(target, _fragment(move.new_anchor))

    def rediraffe_parts(self, move: Move) -> tuple[str, str]:
        """The old and the new document."""
        _require_page(move, "rediraffe")
        if move.is_elsewhere or move.new_anchor:
            raise _NoLineError("rediraffe redirects only to whole pages of the site")
        file = self._free_file(move.old)
        if found := re.search(r"""[#?%"'<>&]""", move.new):
            raise _NoLineError(f"rediraffe writes links unencoded, so the {found[0]} in {_shown(move.new)} breaks it")
        source, suffix = self._docname(file, move.old_document)
        target, other = self._docname(self._file_of(move.new), move.new_document)
        # Any suffix of the project would do, but both documents, and those of other lines, should have the same.
        usual = (self._find_document("index") or "").removeprefix("index")
        return f"{source}{suffix or other or usual}", f"{target}{other or suffix or usual}"

    def _docname(self, file: str, document: str | None) -> tuple[str, str]:
        """The name of the document of Sphinx that is published as a file, and the suffix of its source, if known."""
        known = (
            (end[: dot.start()], end[dot.start() :])
            for end in (*ends_of(document or ""), *filter(None, [self._find_document_at(file)]))
            for dot in re.finditer(r"\.", end)
        )
        names = ((name, suffix) for name, suffix in known if "/" not in suffix)
        for name, suffix in (*names, *((name, "") for name in (*_names(file), file))):
            if self._published(name) in _serving(file):
                return name, suffix
        raise _NoLineError(f"no document would be published as {file} with {self._setting('sphinx')}")

    def rule_parts(self, move: Move) -> tuple[str, str]:
        """The paths of the old and the new URL from the root of the host.

        Cloudflare Pages encodes the path of a rule like that of a request, but Netlify decodes the path of a request.
        So the path of the rule is only encoded where it has to be.
        """
        _require_page(move, "_redirects")
        if self._base is None:
            raise _NoLineError(f"_redirects needs paths from the root of the host, and {_NO_BASE}")
        if _WILDCARD.search(move.old):
            raise _NoLineError(f"_redirects would read part of {_shown(move.old)} as a wildcard")
        target = move.new if move.is_elsewhere else self._base + quote(move.new)
        source = _NOT_IN_RULE.sub(lambda found: quote(found[0]), move.old)
        return self._base + source, with_fragment(target, _fragment(move.new_anchor))

    def _file_of(self, path: str) -> str:
        """The file that is published at a path below the base."""
        if not path or path.endswith("/"):
            return path + _INDEX
        if path.endswith(_HTML):
            return path
        return f"{path}/{_INDEX}" if self._has_folder_urls else f"{path}.html"

    def _free_file(self, path: str) -> str:
        """The file at a path, for a stub. Raises `_NoLineError` if there is no place for the stub.

        A page may have the same file name in another case, or the name of a folder that the stub needs.
        """
        file = self._file_of(path)
        stub = file if self._published(posixpath.splitext(file)[0]) == file else f"{file}/{_INDEX}"
        for name in (stub, *_folders_above(stub)):
            if found := self._files.get(file_key(name)):
                what = f"the page {_shown(self._pages[found])}" if found in self._pages else f"the file {found}"
                does = "would replace" if name == stub else "would need a folder in the place of"
                raise _NoLineError(f"{_systems(name, found)}the redirect {does} {what}")
        if folder := self._file_folders.get(file_key(stub)):
            raise _NoLineError(f"{_systems(stub, folder)}the redirect would need a file in the place of {folder}/")
        return file

    def _setting(self, host: Literal["mkdocs", "sphinx"]) -> str:
        if host == "sphinx":
            return f"the builder {'dirhtml' if self._has_folder_urls else 'html'}"
        return f"use_directory_urls: {'true' if self._has_folder_urls else 'false'}"


_PARTS: Final[Mapping[ToolName, Callable[[_Build, Move], tuple[str, str]]]] = {
    "mkdocs-redirects": _Build.mkdocs_parts,
    "zensical": _Build.zensical_parts,
    "sphinx-reredirects": _Build.reredirects_parts,
    "rediraffe": _Build.rediraffe_parts,
    "_redirects": _Build.rule_parts,
}


def _built_apart(new: Snapshot, tool: RedirectTool | None) -> tuple[str, ...]:
    """The folders that a tool builds on their own, inner ones first: Sphinx builds one language at a time."""
    if tool is None or tool.name == "_redirects":
        return ()
    kinds = {"version", "alias", "language"} if tool.name in _SPHINX else {"version", "alias"}
    return tuple(sorted((folder for folder, kind in new.folders.items() if kind in kinds), reverse=True))


class _NoLineError(ValueError):
    """There is no line. The message is the reason."""


def _condition(tool: RedirectTool, move: Move) -> str:
    if tool.name == "zensical" and tool.version is None:
        what = _redirected(move)
        return f"Zensical before {_dotted(_FIRST_ZENSICAL[what])} does not redirect {what}"
    if tool.name == "_redirects" and _NOT_IN_RULE.search(move.old):
        return "Cloudflare matches encoded characters, but Netlify may not"
    return ""


def _redirected(move: Move) -> str:
    return "anchors" if move.old_anchor else "pages"


def format_line(syntax: Syntax, source: str, target: str) -> str:
    """A line with these two parts."""
    if syntax == "yaml":
        return f"{_yaml(source)}: {_yaml(target)}"
    if syntax == "toml":
        return f"{_quoted(source)} = {_quoted(target)}"
    if syntax == "python":
        return f"{_quoted(source)}: {_quoted(target)},"
    if syntax == "rediraffe":
        return f"{_word(source)} {_word(target)}"
    return f"{source} {target} 301"


def _quoted(text: str) -> str:
    """Text in double quotes, as JSON, TOML and Python read it."""
    return json.dumps(text, ensure_ascii=False)


def _yaml(text: str) -> str:
    if _PLAIN_YAML.fullmatch(text):
        return text
    return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", _quoted(text))


def _word(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text):
        return text
    mark = next((mark for mark in "\"'" if mark not in text), None)
    if mark is None:
        raise _NoLineError(f"the file of rediraffe cannot contain both kinds of quotation marks, as in {text}")
    return f"{mark}{text}{mark}"


def _require_page(move: Move, tool: ToolName) -> None:
    if move.old_anchor:
        raise _NoLineError(f"{tool} redirects whole pages, not anchors")


def _names(file: str) -> Iterator[str]:
    """The names, without suffix, of documents that may be published as a file, the shorter one first."""
    stem = posixpath.splitext(file)[0]
    if stem.endswith("/index"):
        yield stem.removesuffix("/index")
    yield stem


def _serving(file: str) -> tuple[str, ...]:
    """The files that a server sends for the URL of a file: a folder is served without its slash, too."""
    return (file, f"{file}/{_INDEX}") if file.endswith(".html") else (file,)


def _folders_above(file: str) -> Iterator[str]:
    """The folders that a file is in, the inner one first."""
    while file := posixpath.dirname(file):
        yield file


def _systems(name: str, found: str) -> str:
    """Where two names are the same, to begin a sentence; empty if they are the same everywhere."""
    return "" if name == found else "where file names ignore case (macOS, Windows), "


def _fragment(anchor: str) -> str:
    return quote(anchor, safe=_FRAGMENT_SAFE)


def _shown(path: str) -> str:
    return path or "the home page"


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without the mark of a pre-release."""
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", version, maxsplit=1)[0])))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
