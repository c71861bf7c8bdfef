"""Writes the line that redirects a lost URL, for the tool that makes the redirects of a site; pure functions.

Each tool maps the names of documents, or URLs, in its own way, so the same redirect is another line for each of them.
A line that a tool would ignore, read in another way, or use to replace a page is not written; the reason is returned
instead.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec

from sitemap_plugins.changes.redirects import with_fragment
from sitemap_plugins.changes.snapshot import Snapshot
from sitemap_plugins.values.text import CONTROL
from sitemap_plugins.values.urls import ends_of, file_key, relative_url

ToolName: TypeAlias = Literal["mkdocs-redirects", "zensical", "sphinx-reredirects", "rediraffe", "_redirects"]

Syntax: TypeAlias = Literal["yaml", "toml", "python", "rediraffe", "_redirects"]
"""How a line is written: a key and a value of YAML, TOML or a Python dict, or two words in a file of the tool."""

_FIRST_ZENSICAL: Final = {"pages": (0, 0, 58), "anchors": (0, 0, 61)}  # the first versions that redirect them

_INDEX: Final = "index.html"
_HTML: Final = (".html", ".htm")
_MARKDOWN: Final = (".markdown", ".mdown", ".mkdn", ".mkd", ".md")  # the documents of MkDocs and Zensical
_SAMPLE: Final = "https://site.invalid/"  # relative URLs are the same on every host
_BREAKS: Final = re.compile("[\t\n\r\x85\u2028\u2029]")
# RFC 3986: a fragment has these as they are. An apostrophe or an ampersand would end or change the link in a stub.
_FRAGMENT_SAFE: Final = "/?:@!$()*+,;=~"
_WILDCARD: Final = re.compile(r"\*|:[A-Za-z]")  # in a rule of _redirects
_NOT_IN_RULE: Final = re.compile(r"[\s%?#]+")  # what would be the end of a path, or another one
# Text that YAML reads as this text without quotes, in any place: never a number, date, boolean or null.
_PLAIN_YAML: Final = re.compile(r"[A-Za-z_][\w./-]*\.\w+(?:#[\w./%-]+)?|https?://[\w./%~#-]*[\w/]", re.ASCII)
_NOT_IN_YAML: Final = re.compile("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_PLAIN_WORD: Final = re.compile(r"""[^\s"'#][^\s"']*""")


class RedirectTool(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that makes the redirects of a site.

    ``file`` is the path of the file that its lines are in, empty if it is not known, and ``syntax`` is how they are
    written there. ``version`` is the version of the tool, None if it is not known; only that of Zensical matters.
    """

    name: ToolName
    syntax: Syntax
    file: str = ""
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

    ``condition`` is a sentence on when the line has no effect, without its full stop; empty if it always has.
    """

    text: str
    source: str
    target: str
    condition: str = ""


class NoLine(msgspec.Struct, frozen=True):
    """Why there is no line: a sentence without its full stop."""

    reason: str


class LineWriter:
    """Writes the lines of a site.

    ``tool`` makes its redirects; None if that is not known. ``new`` is the state in which URLs are lost, and
    ``has_i18n`` tells whether mkdocs-static-i18n builds it.
    """

    def __init__(self, tool: RedirectTool | None, new: Snapshot, *, has_i18n: bool = False) -> None:
        self._tool = tool
        self._new = new
        # With use_directory_urls and the builder dirhtml, all URLs end with a slash; without, only those of folders do.
        self._has_folder_urls = sum(path.endswith("/") for path in new.pages) * 2 >= len(set(new.pages) - {""})
        self._has_i18n = has_i18n
        self._base = urlsplit(new.base_url).path if new.base_url else None
        self._pages = {file_key(self._file_of(path)): path for path in new.pages}

    def line_for(self, move: Move) -> RedirectLine | NoLine:
        """The line for a lost URL, or why there is none."""
        if reason := self._obstacle(move):
            return NoLine(reason)
        tool = self._tool
        if tool is None:
            base = self._base or "/"
            source, new = base + move.old, move.new if move.is_elsewhere else base + move.new
            source, target = (with_fragment(*each) for each in ((source, move.old_anchor), (new, move.new_anchor)))
            return RedirectLine(text=f"{source} → {target}", source=source, target=target)
        try:
            source, target = _PARTS[tool.name](self, move)
            text = format_line(tool.syntax, source, target)
        except _NoLineError as error:
            return NoLine(str(error))
        return RedirectLine(text=text, source=source, target=target, condition=_condition(tool, move))

    def _obstacle(self, move: Move) -> str:
        """Why no tool may have a line for this; empty if nothing is against it."""
        paths = (move.old,) if move.is_elsewhere else (move.old, move.new)
        if any(CONTROL.search(each) or _BREAKS.search(each) for each in (*paths, move.old_anchor, move.new_anchor)):
            return "the URL has a character that cannot be written"
        for path in paths:
            steps = path.removesuffix("/").split("/")
            if "\\" in path or (path and not {"", ".", ".."}.isdisjoint(steps)):
                return f"{_shown(path)} is not the path of a page"
        if (move.old, move.old_anchor) == (move.new, move.new_anchor):
            return "it would redirect to itself"
        if not move.old_anchor and self._new.serves(move.old):
            return f"{_shown(move.old)} is still a page or a file of the site, and a redirect would replace it"
        if not move.is_elsewhere and not self._new.serves(move.new):
            return f"{_shown(move.new)} is not a page of the site"
        return ""

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
            raise _NoLineError(f"Zensical reads what follows # in {source} as an anchor")
        return with_fragment(source, move.old_anchor), self._mkdocs_target(move)

    def _mkdocs_source(self, move: Move) -> str:
        """The name of a document that would be published at the old URL: that of the old document if possible."""
        file = self._file_of(move.old) if move.old_anchor else self._free_file(move.old)
        names = (*ends_of(move.old_document or ""), *(f"{name}.md" for name in _names(file)))
        found = next((name for name in names if self._mkdocs_file(name) == file), None)
        if found is None:
            raise _NoLineError(f"no document would be published as {file} with {self._setting('mkdocs')}")
        return found

    def _mkdocs_target(self, move: Move) -> str:
        """The name of the document that is published at the new URL, or else the URL.

        Blog posts and generated pages have no document with such a name. With mkdocs-static-i18n, the name of a
        document is not that of its page, or the plugin looks for it while another language is built. Neither tool
        finds a name with ``#``, and Zensical leaves ``%`` and ``?`` unencoded.
        """
        if move.is_elsewhere:
            return with_fragment(move.new, _fragment(move.new_anchor))
        file = self._file_of(move.new)
        names = () if self._has_i18n or re.search("[#%?]", move.new) else ends_of(move.new_document or "")
        found = next((name for name in names if self._mkdocs_file(name) == file), None)
        if found is None and self._new.base_url is None:
            raise _NoLineError(f"the line needs the whole URL of {_shown(move.new)}, and the base URL is not known")
        return with_fragment(found or f"{self._new.base_url}{quote(move.new)}", _fragment(move.new_anchor))

    def _mkdocs_file(self, document: str) -> str | None:
        """Where MkDocs and Zensical publish a document; None for other files."""
        stem, suffix = posixpath.splitext(document)
        folder, name = posixpath.split(stem)
        if suffix not in _MARKDOWN:
            return None
        if name in {"index", "README"}:
            return posixpath.join(folder, _INDEX)
        return f"{stem}/{_INDEX}" if self._has_folder_urls else f"{stem}.html"

    def reredirects_parts(self, move: Move) -> tuple[str, str]:
        """The old document without its suffix, and a relative link from the old page to the new one."""
        _require_page(move, "sphinx-reredirects")
        file = self._free_file(move.old)
        source, _ = self._docname(move.old, move.old_document)
        # Sphinx encodes the URL of a document, and sphinx-reredirects would name the file like that URL.
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
        self._free_file(move.old)
        if found := re.search(r"""[#?%"'<>&]""", move.new):
            raise _NoLineError(f"rediraffe writes links unencoded, so the {found[0]} in {_shown(move.new)} breaks it")
        source, target = self._docname(move.old, move.old_document), self._docname(move.new, move.new_document)
        return "".join(source), "".join(target)

    def _docname(self, path: str, document: str | None) -> tuple[str, str]:
        """The name of the document of Sphinx that is published at a path, and the suffix of its source, if known."""
        file = self._file_of(path)
        ends = ends_of(document or "")
        known = ((end[: dot.start()], end[dot.start() :]) for end in ends for dot in re.finditer(r"\.", end))
        names = ((name, suffix) for name, suffix in known if "/" not in suffix)
        for name, suffix in (*names, *((name, "") for name in _names(file))):
            is_index = posixpath.basename(name) == "index"
            if file == (f"{name}/{_INDEX}" if self._has_folder_urls and not is_index else f"{name}.html"):
                return name, suffix
        raise _NoLineError(f"no document would be published as {file} with {self._setting('sphinx')}")

    def rule_parts(self, move: Move) -> tuple[str, str]:
        """The paths of the old and the new URL from the root of the host.

        Cloudflare Pages encodes the path of a rule like that of a request, and Netlify decodes that of a request, so
        the path of the rule is only encoded where it has to be.
        """
        _require_page(move, "_redirects")
        if self._base is None:
            raise _NoLineError("_redirects needs the path from the root of the host, and the base URL is not known")
        if _WILDCARD.search(move.old):
            raise _NoLineError(f"_redirects would read a part of {_shown(move.old)} as a wildcard")
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
        """The file at a path, for a stub. Raise `_NoLineError` if it is that of a page where names ignore case."""
        file = self._file_of(path)
        if (page := self._pages.get(file_key(file))) is not None:
            systems = "where file names ignore case (macOS, Windows)"
            raise _NoLineError(f"{systems}, the redirect would replace the page {_shown(page)}")
        return file

    def _setting(self, host: Literal["mkdocs", "sphinx"]) -> str:
        if host == "sphinx":
            return f"the builder {'dirhtml' if self._has_folder_urls else 'html'}"
        return f"use_directory_urls: {'true' if self._has_folder_urls else 'false'}"


_PARTS: Final[Mapping[ToolName, Callable[[LineWriter, Move], tuple[str, str]]]] = {
    "mkdocs-redirects": LineWriter.mkdocs_parts,
    "zensical": LineWriter.zensical_parts,
    "sphinx-reredirects": LineWriter.reredirects_parts,
    "rediraffe": LineWriter.rediraffe_parts,
    "_redirects": LineWriter.rule_parts,
}


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


def format_line(syntax: Syntax, source: str, target: str, quotes: str = "") -> str:
    """A line with these two parts. ``quotes`` are those of the lines around it in YAML, empty for none."""
    if syntax == "yaml":
        return f"{_yaml(source, quotes)}: {_yaml(target, quotes)}"
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


def _yaml(text: str, quotes: str) -> str:
    if _NOT_IN_YAML.search(text):
        return _NOT_IN_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", _quoted(text))
    if quotes == "'":
        return "'{}'".format(text.replace("'", "''"))
    return _quoted(text) if quotes or not _PLAIN_YAML.fullmatch(text) else text


def _word(text: str) -> str:
    if _PLAIN_WORD.fullmatch(text):
        return text
    mark = next((mark for mark in "\"'" if mark not in text), None)
    if mark is None:
        raise _NoLineError(f"the file of rediraffe cannot have both kinds of quotation marks, as in {text}")
    return f"{mark}{text}{mark}"


def _require_page(move: Move, tool: ToolName) -> None:
    if move.old_anchor:
        raise _NoLineError(f"{tool} redirects whole pages, not anchors")


def _names(file: str) -> Iterator[str]:
    """The names without suffix of documents that may be published as a file: the shorter one first."""
    stem = posixpath.splitext(file)[0]
    if stem.endswith("/index"):
        yield stem.removesuffix("/index")
    yield stem


def _fragment(anchor: str) -> str:
    return quote(anchor, safe=_FRAGMENT_SAFE)


def _shown(path: str) -> str:
    return path or "the home page"


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without what marks pre-releases."""
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", version, maxsplit=1)[0])))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
