"""All that is particular to each tool that makes redirects, in one table: how it is recognized, and its lines; pure.

Each tool maps the names of documents, or URLs, in its own way, so the same redirect is a different line for each tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from itertools import chain
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from urllib.parse import quote

import msgspec

from sitemap_plugins.diff.site_build import ANY, Naming, NoRedirectError, SiteBuild, describe_path, names_of, served_as
from sitemap_plugins.formats.paths import REDIRECTS
from sitemap_plugins.pages.crawl_rules import RedirectRules
from sitemap_plugins.published.redirects import with_fragment
from sitemap_plugins.values.urls import ends_of, relative_url

Syntax: TypeAlias = Literal["yaml", "toml", "python", "rediraffe", "_redirects"]
"""How a line is written: a key and a value of YAML, TOML or a Python dict, or two words in a file of the tool."""

Redirected: TypeAlias = Literal["pages", "anchors"]
"""What a tool redirects."""

_Generator: TypeAlias = Literal["mkdocs", "zensical", "sphinx", ""]

_MARKDOWN: Final = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_MKDOCS: Final = Naming(
    suffixes=_MARKDOWN,
    homes=frozenset({"index", "README"}),
    urls=("use_directory_urls: false", "use_directory_urls: true"),
    built_apart=frozenset({"version", "alias"}),
)
_SPHINX: Final = Naming(
    suffixes=(".rst", *_MARKDOWN, ".ipynb", ".txt"),
    urls=("the builder html", "the builder dirhtml"),
    built_apart=frozenset({"version", "alias", "language"}),  # one language at a time
)
_NAMINGS: Final[Mapping[_Generator, Naming]] = {"mkdocs": _MKDOCS, "zensical": _MKDOCS, "sphinx": _SPHINX, "": ANY}
_NO_BASE: Final = "the base URL is not known; a canonical link on the home page of NEW tells it"
_SAMPLE: Final = "https://site.invalid/"  # relative URLs are the same on every host
# Unencoded in a fragment (RFC 3986). An apostrophe or an ampersand would end or change the link in a stub.
_FRAGMENT_SAFE: Final = "/?:@!$()*+,;=~"
_WILDCARD: Final = re.compile(r"\*|:[A-Za-z]")  # in a rule of _redirects
_NOT_IN_RULE: Final = re.compile(r"[\s%?#]+")  # what would end a path or change it
# Text that YAML reads as text even without quotes: never as a number, date, boolean or null.
_PLAIN_YAML: Final = re.compile(r"[A-Za-z_][\w./-]*\.\w+(?:#[\w./%-]+)?|https?://[\w./%~#-]*[\w/]", re.ASCII)
_NOT_IN_YAML: Final = re.compile("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_PLAIN_WORD: Final = re.compile(r"""[^\s"'#][^\s"']*""")
# As rediraffe reads a line of its file: two words, each with or without quotation marks.
_WORD: Final = r"""(?:"([^"]*)"|'([^']*)'|(\S+))"""
_PAIR: Final = re.compile(rf"\s*(?!#){_WORD}\s+{_WORD}\s*")


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

    @property
    def what(self) -> Redirected:
        """What has to be redirected."""
        return "anchors" if self.old_anchor else "pages"


class ToolKind(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that makes redirects, with all that is particular to it: a row of `TOOLS`.

    ``generator`` is the one that it belongs to, empty for all. ``package`` is what authors install or enable to use the
    tool.

    What has its redirects shows that a project uses the tool: an ``option`` of a ``plugin`` in mkdocs.yml or
    zensical.toml; or of an ``extension`` in conf.py, which has a dict or names a file of the tool; or else the file
    with the ``name`` of the tool, which is published, and which the hosting service reads. ``syntax`` is how they are
    written there, or in the tool's own file; in conf.py, it is Python, and in TOML, TOML. ``read`` reads the sources
    and targets in the tool's own file. ``stub`` matches only pages of this tool that redirect; None if they do not
    tell.

    ``since`` has what the tool redirects, with the first version that does; empty for all versions. ``label`` is how
    messages about versions call it. ``parts`` are the source and the target of the line for a move; it raises
    `NoRedirectError` if the tool would ignore the line, read it in another way, or replace a page. ``condition`` is
    what a line needs to have an effect, as a sentence without a full stop; empty if nothing.
    """

    name: str
    label: str = ""
    generator: _Generator = ""
    package: str = ""
    plugin: str = ""
    extension: str = ""
    option: str = ""
    syntax: Syntax
    read: Callable[[bytes], Mapping[str, str]] = lambda _content: {}
    stub: re.Pattern[str] | None = None
    since: Mapping[Redirected, tuple[int, ...]] = MappingProxyType({"pages": ()})
    parts: Callable[[SiteBuild, Move], tuple[str, str]]
    condition: Callable[[Move], str] = lambda _move: ""

    @property
    def naming(self) -> Naming:
        """How its generator names documents."""
        return _NAMINGS[self.generator]


class RedirectTool(msgspec.Struct, frozen=True, kw_only=True):
    """The tool that makes the redirects of a site, by its ``name`` in `TOOLS`.

    ``file`` is the path of the file with its lines, empty if it is not known, and ``syntax`` is how they are written
    there. ``redirects`` are the sources and targets that it already has, as written, as far as they can be read.
    ``documents`` is the path of the folder of the documents, empty if it is not known. ``version`` is that of the tool,
    None if it is not known; only that of Zensical matters.
    """

    name: str
    syntax: Syntax
    file: str = ""
    redirects: Mapping[str, str] = {}
    documents: str = ""
    version: str | None = None

    @property
    def kind(self) -> ToolKind:
        """What is particular to the tool."""
        return TOOLS[self.name]

    @property
    def place(self) -> str:
        """Where its lines belong, to complete "add to …"."""
        kind = self.kind
        if kind.plugin:
            return f"{kind.option} in {self.file or 'mkdocs.yml'}"
        if self.syntax == "python":
            return f"{kind.option} in {self.file or 'conf.py'}"
        return self.file or (f"the file of {kind.option}" if kind.extension else kind.name)

    def parts(self, build: SiteBuild, move: Move) -> tuple[str, str]:
        """The source and the target of the line for a move, as the tool reads them. Raises `NoRedirectError`."""
        kind, what = self.kind, move.what
        first = kind.since.get(what)
        if first is None:
            raise NoRedirectError(f"{kind.name} redirects whole pages, not {what}")
        if self.version is not None and _release(self.version) < first:
            newer = f"{_dotted(first)} and newer do"
            raise NoRedirectError(f"{kind.label} {self.version} does not redirect {what}; {newer}")
        return kind.parts(build, move)

    def condition(self, move: Move) -> str:
        """What the line for a move needs to have an effect, without a full stop; empty if nothing."""
        first = self.kind.since.get(move.what)
        if first and self.version is None:
            return f"{self.kind.label} before {_dotted(first)} does not redirect {move.what}"
        return self.kind.condition(move)


def format_line(syntax: Syntax, source: str, target: str) -> str:
    """A line with these two parts. Raises `NoRedirectError`."""
    form, quoted = _FORMS[syntax]
    return form.format(quoted(source), quoted(target))


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
        raise NoRedirectError(f"the file of rediraffe cannot contain both kinds of quotation marks, as in {text}")
    return f"{mark}{text}{mark}"


_FORMS: Final[Mapping[Syntax, tuple[str, Callable[[str], str]]]] = {
    "yaml": ("{}: {}", _yaml),
    "toml": ("{} = {}", _quoted),
    "python": ("{}: {},", _quoted),
    "rediraffe": ("{} {}", _word),
    "_redirects": ("{} {} 301", str),
}


def _fragment(anchor: str) -> str:
    return quote(anchor, safe=_FRAGMENT_SAFE)


def _release(version: str) -> tuple[int, ...]:
    """The numbers of a version, without the mark of a pre-release."""
    return tuple(map(int, re.findall(r"\d+", re.split(r"[^\d.]", version, maxsplit=1)[0])))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def _zensical_parts(build: SiteBuild, move: Move) -> tuple[str, str]:
    """The same as for mkdocs-redirects; the source may have an anchor."""
    source = _mkdocs_source(build, move)
    if "#" in source:
        raise NoRedirectError(f"Zensical reads the part of {source} after # as an anchor")
    return with_fragment(source, move.old_anchor), _mkdocs_target(build, move)


def _mkdocs_source(build: SiteBuild, move: Move) -> str:
    """The name of a document that would be published at the old URL: that of the old document if possible."""
    file = build.file_of(move.old) if move.old_anchor else build.free_file(move.old)
    # A name such as old.html.md is published in a folder named old.html.
    names = (*ends_of(move.old_document or ""), *(f"{name}.md" for name in (*names_of(file), file)))
    files = (file,) if move.old_anchor else served_as(file)
    found = next((name for name in names if build.published_document(name) in files), None)
    if found is None:
        raise NoRedirectError(f"no document would be published as {file} with {build.setting}")
    return found


def _mkdocs_target(build: SiteBuild, move: Move) -> str:
    """The name of the document that is published at the new URL, or else the URL.

    Blog posts and generated pages have no document with such a name. With mkdocs-static-i18n, a document is named
    differently from its page, or is searched for while another language is built. Neither tool finds a name with
    ``#``, and Zensical leaves ``%`` and ``?`` unencoded.
    """
    if move.is_elsewhere:
        return with_fragment(move.new, _fragment(move.new_anchor))
    file = build.file_of(move.new)
    is_named = not build.has_i18n and not re.search("[#%?]", move.new)
    names = chain(ends_of(move.new_document or ""), filter(None, map(build.document_of, [file]))) if is_named else ()
    found = next((name for name in names if build.published_document(name) == file), None)
    if found is None and build.base_url is None:
        raise NoRedirectError(f"the line needs the full URL of {describe_path(move.new)}, and {_NO_BASE}")
    return with_fragment(found or f"{build.base_url}{quote(move.new)}", _fragment(move.new_anchor))


def _reredirects_parts(build: SiteBuild, move: Move) -> tuple[str, str]:
    """The old document without its suffix, and a relative link from the old page to the new one."""
    file = build.free_file(move.old)
    source, _ = _docname(build, file, move.old_document)
    # Sphinx encodes the URL of a document, and sphinx-reredirects would name the file after that URL.
    source = source if quote(source) == source else file
    if not {"*", "?", "[", "]"}.isdisjoint(source):
        raise NoRedirectError(f"sphinx-reredirects reads {source} as a pattern")
    target = move.new
    if not move.is_elsewhere:
        target = relative_url(_SAMPLE + quote(move.old), _SAMPLE + quote(move.new))
    return source, with_fragment(target, _fragment(move.new_anchor))


def _rediraffe_parts(build: SiteBuild, move: Move) -> tuple[str, str]:
    if move.is_elsewhere or move.new_anchor:
        raise NoRedirectError("rediraffe redirects only to whole pages of the site")
    file = build.free_file(move.old)
    if found := re.search(r"""[#?%"'<>&]""", move.new):
        where = describe_path(move.new)
        raise NoRedirectError(f"rediraffe writes links unencoded, so the {found[0]} in {where} breaks it")
    source, suffix = _docname(build, file, move.old_document)
    target, other = _docname(build, build.file_of(move.new), move.new_document)
    # Any suffix of the project would do, but both documents, and those of other lines, should have the same.
    usual = (build.find_document("index") or "").removeprefix("index")
    return f"{source}{suffix or other or usual}", f"{target}{other or suffix or usual}"


def _docname(build: SiteBuild, file: str, document: str | None) -> tuple[str, str]:
    """The name of the document of Sphinx that is published as a file, and the suffix of its source, if known."""
    known = (
        (end[: dot.start()], end[dot.start() :])
        for end in (*ends_of(document or ""), *filter(None, [build.document_of(file)]))
        for dot in re.finditer(r"\.", end)
    )
    names = ((name, suffix) for name, suffix in known if "/" not in suffix)
    for name, suffix in (*names, *((name, "") for name in (*names_of(file), file))):
        if build.published(name) in served_as(file):
            return name, suffix
    raise NoRedirectError(f"no document would be published as {file} with {build.setting}")


def _rediraffe_redirects(content: bytes) -> dict[str, str]:
    redirects: dict[str, str] = {}
    for line in content.decode(errors="replace").splitlines():
        if found := _PAIR.fullmatch(line):
            source, target = ("".join(filter(None, found.groups()[start : start + 3])) for start in (0, 3))
            redirects[source] = target
    return redirects


def _rule_parts(build: SiteBuild, move: Move) -> tuple[str, str]:
    """The paths of the old and the new URL from the root of the host.

    Cloudflare Pages encodes the path of a rule like that of a request, but Netlify decodes the path of a request.
    So the path of the rule is only encoded where it has to be.
    """
    if build.base is None:
        raise NoRedirectError(f"_redirects needs paths from the root of the host, and {_NO_BASE}")
    if _WILDCARD.search(move.old):
        raise NoRedirectError(f"_redirects would read part of {describe_path(move.old)} as a wildcard")
    target = move.new if move.is_elsewhere else build.base + quote(move.new)
    source = _NOT_IN_RULE.sub(lambda found: quote(found[0]), move.old)
    return build.base + source, with_fragment(target, _fragment(move.new_anchor))


def _rule_condition(move: Move) -> str:
    return "Cloudflare matches encoded characters, but Netlify may not" if _NOT_IN_RULE.search(move.old) else ""


def _rules(content: bytes) -> dict[str, str]:
    """The single paths that the rules of ``_redirects`` redirect, with their targets."""
    rules = RedirectRules(content)
    targets = ((path, rules.target_of(_SAMPLE + path[1:])) for path in rules.paths)
    return {path: target for path, target in targets if target is not None}


TOOLS: Final[Mapping[str, ToolKind]] = {
    kind.name: kind
    for kind in (
        ToolKind(
            name="mkdocs-redirects",
            generator="mkdocs",
            package="mkdocs-redirects",
            plugin="redirects",
            option="redirect_maps",
            syntax="yaml",
            stub=re.compile(r'var anchor=window\.location\.hash\.substr\(1\);location\.href="'),
            parts=lambda build, move: (_mkdocs_source(build, move), _mkdocs_target(build, move)),
        ),
        ToolKind(  # its stubs are those of mkdocs-redirects
            name="zensical",
            label="Zensical",
            generator="zensical",
            package="redirects",
            plugin="redirects",
            option="redirect_maps",
            syntax="yaml",
            since={"pages": (0, 0, 58), "anchors": (0, 0, 61)},
            parts=_zensical_parts,
        ),
        ToolKind(
            name="sphinx-reredirects",
            generator="sphinx",
            package="sphinx-reredirects",
            extension="sphinx_reredirects",
            option="redirects",
            syntax="python",
            stub=re.compile(  # before 1.0, its stubs could be anyone's
                r'\A\s*<html><head><noscript><meta http-equiv="refresh" content="0; url=[^">]*" /></noscript>'
                r"<script>var target = [^<]*</script></head></html>\s*\Z"
            ),
            parts=_reredirects_parts,
        ),
        ToolKind(
            name="rediraffe",
            generator="sphinx",
            package="sphinxext-rediraffe",
            extension="sphinxext.rediraffe",
            option="rediraffe_redirects",
            syntax="rediraffe",
            read=_rediraffe_redirects,
            stub=re.compile(r"<p>You should have been redirected\.</p>\s*<a href="),
            parts=_rediraffe_parts,
        ),
        ToolKind(
            name=REDIRECTS,
            syntax="_redirects",
            read=_rules,
            parts=_rule_parts,
            condition=_rule_condition,
        ),
    )
}
"""The tools, in the order in which they are looked for."""
