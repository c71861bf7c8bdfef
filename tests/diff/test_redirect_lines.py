"""The line that redirects a lost URL, for each tool; benchmarks/redirect_lines.py builds sites with such lines."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace
from sphinxext.rediraffe import create_graph

from sitemap_plugins.diff.redirect_tools import TOOLS, Move, RedirectTool, Syntax, format_line
from sitemap_plugins.diff.redirecting import ExistingLine, LineWriter, NoLine, RedirectLine
from sitemap_plugins.published.snapshot import FolderKind, Snapshot, SnapshotPage

BASE = "https://example.org/docs/"
QUOTES = """(the file of rediraffe cannot contain both kinds of quotation marks, as in 'a' "b".rst)"""
FOLDERS = ("", "guide/", "guide/new/", "über/", "a b/", "what?/")
FILES = ("", "guide/", "guide/new.html", "über.html", "a b.html", "what?.html")


def line(
    tool: str | None,
    old: str,
    new: str,
    *,
    pages: tuple[str, ...] = FOLDERS,
    base: str | None = BASE,
    version: str | None = "0.1.0",
    syntax: Syntax | None = None,
    i18n: bool = False,
    folders: Mapping[str, FolderKind] = {},
    project: tuple[str, ...] = (),
    **facts: Any,
) -> str:
    """The text of a line, or why there is none in parentheses; documents have the names of their URLs.

    ``project`` are the documents that the project has.
    """
    (old, old_anchor), (new, new_anchor) = ((*re.split("(?<=/)#", each), "")[:2] for each in (old, new))
    state = Snapshot(
        name="new", base_url=base, pages={path: SnapshotPage(path=path) for path in pages}, folders=folders
    )
    made_by = tool and RedirectTool(name=tool, syntax=syntax or TOOLS[tool].syntax, version=version)
    suffix = ".rst" if tool in {"sphinx-reredirects", "rediraffe"} else ".md"
    documents = {"old_document": f"docs/{name(old)}{suffix}", "new_document": f"docs/{name(new)}{suffix}"}
    move = Move(old=old, new=new, **{"old_anchor": old_anchor, "new_anchor": new_anchor} | documents | facts)
    found_by_name = {document.rpartition(".")[0]: document for document in project}
    found = LineWriter(made_by, state, has_i18n=i18n, find_document=found_by_name.get).line_for(move)
    if isinstance(found, NoLine):
        return f"({found.reason})"
    return f"{found.text} [{found.condition}]" if found.condition else found.text


def name(path: str) -> str:
    """The name of the document at a path."""
    return path.removesuffix("/").removesuffix(".html") or "index"


@pytest.mark.parametrize(
    ("tool", "folders", "files"),
    [
        ("mkdocs-redirects", "old.md: guide/new.md", "old.md: guide/new.md"),
        ("zensical", "old.md: guide/new.md", "old.md: guide/new.md"),
        ("sphinx-reredirects", '"old": "../guide/new/",', '"old": "guide/new.html",'),
        ("rediraffe", "old.rst guide/new.rst", "old.rst guide/new.rst"),
        ("_redirects", "/docs/old/ /docs/guide/new/ 301", "/docs/old.html /docs/guide/new.html 301"),
        (None, "/docs/old/ → /docs/guide/new/", "/docs/old.html → /docs/guide/new.html"),
    ],
)
def test_each_tool_has_its_line_for_both_forms_of_urls(tool: str | None, folders: str, files: str) -> None:
    assert line(tool, "old/", "guide/new/") == folders
    assert line(tool, "old.html", "guide/new.html", pages=FILES) == files


@pytest.mark.parametrize(
    ("old", "new", "facts", "expected"),
    [
        ("guide/old/", "", {}, "guide/old.md: index.md"),
        ("old/", "guide/", {"new_document": "docs/guide/README.md"}, "old.md: guide/README.md"),
        ("old/", "guide/", {"old_document": "src/docs/old/index.md"}, "old/index.md: guide.md"),
        ("old/", "guide/new/#part", {}, "old.md: guide/new.md#part"),
        ("old/", "guide/new/#it's <b>", {}, "old.md: guide/new.md#it%27s%20%3Cb%3E"),
        ("old/", "https://other.example/x", {}, "old.md: https://other.example/x"),
        ("a: #b/", "über/", {}, '"a: #b.md": "über.md"'),
        # Without a document with the name of the page, only its URL is right.
        ("old/", "guide/new/", {"old_document": None, "new_document": None}, f"old.md: {BASE}guide/new/"),
        ("old/", "guide/new/", {"new_document": "docs/blog/posts/x.md"}, f"old.md: {BASE}guide/new/"),
        ("old/", "a b/", {"new_document": None}, f"old.md: {BASE}a%20b/"),
        ("old/", "guide/new/", {"i18n": True}, f"old.md: {BASE}guide/new/"),
        ("old/", "what?/", {}, f"old.md: {BASE}what%3F/"),
        # The document that the project has there.
        ("old/", "a b/", {"new_document": None, "project": ("a b.md",)}, 'old.md: "a b.md"'),
        ("old/", "guide/", {"new_document": None, "project": ("guide/README.md",)}, "old.md: guide/README.md"),
        ("old/", "guide/", {"new_document": None, "project": ("guide.rst",)}, f"old.md: {BASE}guide/"),
        # A folder named old.html, which is served as old.html, too.
        ("old.html", "guide/", {"old_document": "docs/guide.md"}, "old.html.md: guide.md"),
        ("old.htm", "guide/", {}, "(no document would be published as old.htm with use_directory_urls: true)"),
        ("old/#part", "guide/new/", {}, "(mkdocs-redirects redirects whole pages, not anchors)"),
    ],
)
def test_mkdocs_redirects_maps_documents(old: str, new: str, facts: dict[str, Any], expected: str) -> None:
    assert line("mkdocs-redirects", old, new, **facts) == expected


def test_a_name_follows_from_the_url_if_no_document_is_known() -> None:
    for old, new, expected in (
        ("old", "guide/new.html", f"old.md: {BASE}guide/new.html"),
        ("old.html", "", f"old.md: {BASE}"),
        ("old/index.html", "über.html", f"old/index.md: {BASE}%C3%BCber.html"),
        ("old/", "guide/new.html", f"old/index.md: {BASE}guide/new.html"),
    ):
        assert line("mkdocs-redirects", old, new, pages=FILES, old_document=None, new_document=None) == expected
    unknown = {"old_document": None, "new_document": None}
    assert line("rediraffe", "old/index.html", "guide/", pages=FILES, **unknown) == "old/index guide/index"


def test_a_url_needs_the_base_url() -> None:
    todo = "the base URL is not known; a canonical link on the home page of NEW tells it"
    unknown = line("mkdocs-redirects", "old/", "guide/new/", base=None, new_document=None)
    assert unknown == f"(the line needs the full URL of guide/new/, and {todo})"
    unknown = line("_redirects", "old/", "guide/new/", base=None)
    assert unknown == f"(_redirects needs paths from the root of the host, and {todo})"
    assert line(None, "old/", "guide/new/#part", base=None) == "/old/ → /guide/new/#part"
    assert line(None, "old/", "https://other.example/x") == "/docs/old/ → https://other.example/x"
    assert line("_redirects", "old/", "https://other.example/x", pages=()) == "/docs/old/ https://other.example/x 301"


@pytest.mark.parametrize(
    ("old", "version", "expected"),
    [
        ("old/", "0.0.58", "old.md: guide/new.md"),
        ("old/", "0.0.57", "(Zensical 0.0.57 does not redirect pages; 0.0.58 and newer do)"),
        ("old/", None, "old.md: guide/new.md [Zensical before 0.0.58 does not redirect pages]"),
        ("guide/#über uns", "0.0.61", '"guide.md#über uns": guide/new.md'),
        ("guide/#part", "0.0.60rc1", "(Zensical 0.0.60rc1 does not redirect anchors; 0.0.61 and newer do)"),
        ("guide/#part", None, "guide.md#part: guide/new.md [Zensical before 0.0.61 does not redirect anchors]"),
    ],
)
def test_zensical_redirects_pages_and_anchors_from_a_version_on(old: str, version: str | None, expected: str) -> None:
    assert line("zensical", old, "guide/new/", version=version) == expected


def test_zensical_reads_a_hash_in_a_name_as_an_anchor() -> None:
    (found,) = [
        LineWriter(RedirectTool(name="zensical", syntax="toml"), state).line_for(Move(old="c#/", new="guide/"))
        for state in [Snapshot(name="new", base_url=BASE, pages={"guide/": SnapshotPage(path="guide/")})]
    ]
    assert found == NoLine("Zensical reads the part of c#.md after # as an anchor")
    assert line("zensical", "old/", "guide/", syntax="toml") == '"old.md" = "guide.md"'


def test_anchors_are_not_redirected_from_a_folder_that_is_served_as_a_file() -> None:
    """Their URL would be another one."""
    none = "(no document would be published as old.html with use_directory_urls: true)"
    assert line("zensical", "old.html", "guide/", old_anchor="part") == none


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("guide/old/", "", '"guide/old": "../../",'),
        ("old/", "guide/", '"old": "../guide/",'),
        ("old/", "guide/new/#part", '"old": "../guide/new/#part",'),
        ("old/", "https://other.example/x", '"old": "https://other.example/x",'),
        ("old/", "über/", '"old": "../%C3%BCber/",'),
        ("old.html", "guide/", '"old.html": "guide/",'),
        ("guide/old.html", "", '"guide/old.html": "../",'),
        ("old.htm", "guide/", "(no document would be published as old.htm with the builder dirhtml)"),
        # The name of the file, because Sphinx would encode that of a document.
        ("alt ü/", "guide/", '"alt ü/index.html": "../guide/",'),
        ("old?/", "guide/", "(sphinx-reredirects reads old?/index.html as a pattern)"),
        ("[old/", "guide/", "(sphinx-reredirects reads [old/index.html as a pattern)"),
        ("old*/", "guide/", "(sphinx-reredirects reads old*/index.html as a pattern)"),
        ("old/#part", "guide/", "(sphinx-reredirects redirects whole pages, not anchors)"),
    ],
)
def test_sphinx_reredirects_links_from_the_old_page(old: str, new: str, expected: str) -> None:
    assert line("sphinx-reredirects", old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "facts", "expected"),
    [
        ("old/", "a b/", {}, 'old.rst "a b.rst"'),
        ("old/", "", {"new_document": "doc/source/index.rst.txt"}, "old.rst index.rst.txt"),
        ("old/", "guide/", {"old_document": None, "new_document": None}, "old guide"),
        ("old/", "guide/", {"old_document": None}, "old.rst guide.rst"),
        ("old/", "guide/", {"new_document": None}, "old.rst guide.rst"),
        *(
            ("old/", "guide/", {"old_document": None, "new_document": None, "project": project}, expected)
            for project, expected in (
                (("index.md",), "old.md guide.md"),
                (("index.md", "guide.rst"), "old.rst guide.rst"),
                (("guide/index.rst",), "old.rst guide/index.rst"),
            )
        ),
        ("old.html", "guide/", {"old_document": "docs/guide.rst"}, "old.html.rst guide.rst"),
        ("v1.0/", "guide/", {"old_document": "docs/v1.0.md"}, "v1.0.md guide.rst"),
        ("#x/", "guide/", {}, '"#x.rst" guide.rst'),
        ("old/", "guide/", {"syntax": "python"}, '"old.rst": "guide.rst",'),
        ("old/#part", "guide/", {}, "(rediraffe redirects whole pages, not anchors)"),
        ("old/", "guide/#part", {}, "(rediraffe redirects only to whole pages of the site)"),
        ("old/", "https://other.example/x", {}, "(rediraffe redirects only to whole pages of the site)"),
        ("old/", "what?/", {}, "(rediraffe writes links unencoded, so the ? in what?/ breaks it)"),
        ("""'a' "b"/""", "guide/", {}, QUOTES),
    ],
)  # fmt: skip
def test_rediraffe_maps_documents(old: str, new: str, facts: dict[str, Any], expected: str) -> None:
    assert line("rediraffe", old, new, **facts) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("größe/", "über/#a b", "/docs/größe/ /docs/%C3%BCber/#a%20b 301"),
        (
            "c d/",
            "guide/",
            "/docs/c%20d/ /docs/guide/ 301 [Cloudflare matches encoded characters, but Netlify may not]",
        ),
        ("old*/", "guide/", "(_redirects would read part of old*/ as a wildcard)"),
        ("a/:b/", "guide/", "(_redirects would read part of a/:b/ as a wildcard)"),
        ("old/#part", "guide/", "(_redirects redirects whole pages, not anchors)"),
    ],
)
def test_rules_are_encoded_only_where_they_have_to_be(old: str, new: str, expected: str) -> None:
    assert line("_redirects", old, new) == expected


IN_2 = "[the lines for 2.0/ belong in the configuration that builds it]"


@pytest.mark.parametrize(
    ("tool", "old", "new", "expected"),
    [
        ("mkdocs-redirects", "2.0/old/", "2.0/guide/", f"old.md: guide.md {IN_2}"),
        ("mkdocs-redirects", "2.0/old/", "2.0/", f"old.md: index.md {IN_2}"),
        ("mkdocs-redirects", "2.0/old/", "2.0/fr/new/", f"old.md: fr/new.md {IN_2}"),
        ("sphinx-reredirects", "2.0/a/old/", "2.0/guide/", f'"a/old": "../../guide/", {IN_2}'),
        ("sphinx-reredirects", "2.0/fr/old/", "2.0/fr/new/", f'"old": "../new/", {IN_2.replace("2.0/", "2.0/fr/")}'),
        ("rediraffe", "2.0/old/", "2.0/guide/", f"old.rst guide.rst {IN_2}"),
        ("rediraffe", "2.0/old/", "2.0/fr/new/", "(2.0/fr/new/ is built separately)"),
        ("zensical", "2.0/kept/#a", "2.0/kept/#b", f"kept.md#a: kept.md#b {IN_2}"),
        ("_redirects", "2.0/old/", "2.0/guide/", "/docs/2.0/old/ /docs/2.0/guide/ 301"),
        (None, "2.0/old/", "1.0/guide.html", "/docs/2.0/old/ → /docs/1.0/guide.html"),
        ("mkdocs-redirects", "2.0/old/", "1.0/guide.html", "(1.0/guide.html is built separately)"),
        ("mkdocs-redirects", "", "2.0/guide/", "(2.0/guide/ is built separately)"),
        (
            "mkdocs-redirects",
            "",
            "https://other.example/",
            "(only folders such as 2.0/ are built, and the URL is in none of them)",
        ),
        # Each version may have its form of URLs.
        ("mkdocs-redirects", "1.0/old.html", "1.0/guide.html", f"old.md: guide.md {IN_2.replace('2.0', '1.0')}"),
        (
            "mkdocs-redirects",
            "2.0/main/",
            "2.0/guide/",
            "(it would replace main.md of this project; add main.md: guide.md to the one that builds 2.0/)",
        ),
    ],
)
def test_the_folder_of_a_version_has_lines_as_if_it_were_the_site(
    tool: str | None, old: str, new: str, expected: str
) -> None:
    folders: dict[str, FolderKind] = {"1.0": "version", "2.0": "alias", "2.0/fr": "language"}
    pages = ("1.0/", "1.0/guide.html", "2.0/", "2.0/guide/", "2.0/fr/new/", "2.0/kept/", "2.0/b/", "2.0/c/")
    suffix = ".rst" if tool in {"sphinx-reredirects", "rediraffe"} else ".md"
    documents = (f"docs/{name(re.sub('#.*', '', path).partition('/')[2])}{suffix}" for path in (old, new))
    facts = dict(zip(("old_document", "new_document"), documents, strict=True))
    assert line(tool, old, new, pages=pages, folders=folders, project=("kept.md", "main.md"), **facts) == expected


def test_the_rest_of_a_site_with_versions_has_its_own_lines() -> None:
    folders: dict[str, FolderKind] = {"1.0": "version"}
    pages = ("", "guide/", "1.0/", "1.0/guide.html", "1.0/a.html", "1.0/b.html")
    assert line("mkdocs-redirects", "old/", "guide/", pages=pages, folders=folders) == "old.md: guide.md"
    assert line("mkdocs-redirects", "old/", "1.0/", pages=pages, folders=folders) == "(1.0/ is built separately)"


@pytest.mark.parametrize("tool", [*TOOLS, None])
@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("guide/", "guide/new/", "guide/ is still a page or a file of the site, which a redirect would replace"),
        ("guide/index.html", "", "guide/index.html is still a page or a file of the site, which a redirect would replace"),
        ("old/", "gone/", "gone/ is not a page of the site"),
        ("old/", "old/", "it would redirect to itself"),
        ("../old/", "guide/", "../old/ is not the path of a page"),
        ("a//b/", "guide/", "a//b/ is not the path of a page"),
        ("a\\b/", "guide/", "a\\b/ is not the path of a page"),
        ("a\nb/", "guide/", "the URL contains a character that cannot be written"),
        ("a\u2028b/", "guide/", "the URL contains a character that cannot be written"),
        ("a\udc80/", "guide/", "the URL contains a character that cannot be written"),
    ],
)  # fmt: skip
def test_no_tool_has_a_line_that_harms(tool: str | None, old: str, new: str, reason: str) -> None:
    assert line(tool, old, new) == f"({reason})"


@pytest.mark.parametrize("tool", [*TOOLS, None])
def test_a_page_whose_url_cannot_be_written_is_no_target(tool: str | None) -> None:
    for new in ("a\nb/", "guide/#a\nb"):
        found = line(tool, "old/", new, pages=("a\nb/", "guide/"))
        assert found == "(the URL contains a character that cannot be written)"
    assert line(tool, "old/", "a\\b/", pages=("a\\b/",)) == "(a\\b/ is not the path of a page)"


def test_a_stub_must_not_replace_a_page_where_names_ignore_case() -> None:
    """Renaming Guide to guide: on macOS and Windows, the stub would be written over the page."""
    reason = "(where file names ignore case (macOS, Windows), the redirect would replace the page guide/)"
    for tool in ("mkdocs-redirects", "zensical", "sphinx-reredirects", "rediraffe"):
        assert line(tool, "Guide/", "guide/") == reason
    assert line("_redirects", "Guide/", "guide/") == "/docs/Guide/ /docs/guide/ 301"


def test_a_stub_needs_a_place_that_no_page_has() -> None:
    """MkDocs and Sphinx would fail, because a folder and a file cannot have the same name."""
    tools: tuple[str, ...] = ("mkdocs-redirects", "zensical", "sphinx-reredirects", "rediraffe")
    pages = ("", "faq.html", "guide.html", "api.html/x.html")
    for old, reason in (
        ("faq.html/", "the redirect would need a folder in the place of the page faq.html"),
        ("faq.html/a/b.html", "the redirect would need a folder in the place of the page faq.html"),
        ("api.html", "the redirect would need a file in the place of api.html/"),
    ):
        assert [line(tool, old, "guide.html", pages=pages) for tool in tools] == [f"({reason})"] * len(tools)
    # With folders as URLs, the stub is in the folder.
    assert line("mkdocs-redirects", "api.html", "", pages=("", "api.html/x/")) == "api.html.md: index.md"
    state = Snapshot(name="new", base_url=BASE, pages={"": SnapshotPage(path="")}, files=frozenset({"Data.v2"}))
    writer = LineWriter(RedirectTool(name="mkdocs-redirects", syntax="yaml"), state)
    assert writer.line_for(Move(old="data.v2/", new="")) == NoLine(
        "where file names ignore case (macOS, Windows), the redirect would need a folder in the place of the file Data.v2"
    )


@pytest.mark.parametrize(
    ("tool", "redirects", "expected"),
    [
        ("mkdocs-redirects", {"old.md": "gone.md"}, "f redirects old.md to gone.md; change that target to guide.md"),
        ("mkdocs-redirects", {"old.md": "guide.md"}, "f already has this redirect; build the site again"),
        # Other names for the same page.
        *(
            ("zensical", {name: "gone.md"}, f"f redirects {name} to gone.md; change that target to guide.md")
            for name in ("old/index.md", "old/README.md")
        ),
        ("rediraffe", {"old": "gone"}, "f redirects old to gone; change that target to guide.rst"),
        ("sphinx-reredirects", {"old": "gone/"}, "f redirects old to gone/; change that target to ../guide/"),
        ("_redirects", {"/docs/old": "/x/"}, "f redirects /docs/old to /x/; change that target to /docs/guide/"),
        # The redirect leads to the same part of the page as before.
        ("zensical", {"old.md": "gone.md#a"}, "f redirects old.md to gone.md#a; change that target to guide.md#a"),
        ("zensical", {"old.md": "guide.md#a"}, "f already has this redirect; build the site again"),
        ("zensical", {"old.md": "http://x.org/#a"},
         "f redirects old.md to http://x.org/#a; change that target to guide.md"),
        # Other pages, and an anchor.
        ("zensical", {"old.md#a": "guide.md", "Old.md": "guide.md", "v1.old.md": "guide.md"}, None),
        ("rediraffe", {"old.1": "guide", "index": "guide"}, None),
    ],
)  # fmt: skip
def test_a_redirect_that_the_file_has_already_gets_the_new_target(
    tool: str, redirects: dict[str, str], expected: str | None
) -> None:
    """A second line for the same page would break the build, or have no effect."""
    state = Snapshot(name="new", base_url=BASE, pages={path: SnapshotPage(path=path) for path in FOLDERS})
    made_by = RedirectTool(name=tool, syntax=TOOLS[tool].syntax, file="f", redirects=redirects, version="0.1.0")
    move = Move(old="old/", new="guide/", old_document="docs/old.md", new_document="docs/guide.md")
    if tool == "rediraffe":
        move = replace(move, old_document="docs/old.rst", new_document="docs/guide.rst")
    found = LineWriter(made_by, state).line_for(move)
    assert isinstance(found, RedirectLine) if expected is None else found == ExistingLine(expected)


def test_the_new_target_needs_what_the_line_needs() -> None:
    state = Snapshot(name="new", base_url=BASE, pages={path: SnapshotPage(path=path) for path in FOLDERS})
    tool = RedirectTool(name="zensical", syntax="yaml", file="f", redirects={"guide.md#a": "gone.md"})
    move = Move(old="guide/", new="guide/", old_anchor="a", new_anchor="b", new_document="docs/guide.md")
    assert LineWriter(tool, state).line_for(move) == ExistingLine(
        "f redirects guide.md#a to gone.md; change that target to guide.md#b; "
        "Zensical before 0.0.61 does not redirect anchors"
    )


PATHS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)


@example("a\ufeff", "\ufffe")
@given(PATHS, PATHS)
def test_every_line_is_read_back_as_its_parts(source: str, target: str) -> None:
    assert yaml.safe_load(format_line("yaml", source, target)) == {source: target}
    assert tomllib.loads(format_line("toml", source, target)) == {source: target}
    assert ast.literal_eval(f"{{{format_line('python', source, target)}}}") == {source: target}


@given(PATHS, st.sampled_from(FOLDERS[1:]))
def test_rediraffe_reads_its_line_back(tmp_path_factory: pytest.TempPathFactory, old: str, new: str) -> None:
    writer = LineWriter(RedirectTool(name="rediraffe", syntax="rediraffe"), Snapshot(
        name="new", base_url=BASE, pages={path: SnapshotPage(path=path) for path in FOLDERS},
    ))  # fmt: skip
    found = writer.line_for(Move(old=f"{old}/", new=new))
    if isinstance(found, RedirectLine):
        file = tmp_path_factory.getbasetemp() / "redirects.txt"
        file.write_text(f"# comment\n{found.text}\n", encoding="utf-8")
        assert create_graph(file) == {found.source: found.target}
