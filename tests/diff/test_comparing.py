"""How snapshots are named, which pages are new or changed, and what else is different between two of them."""

from __future__ import annotations

import gzip
from pathlib import Path

import msgspec
import pytest

from sitemap_plugins.diff.comparing import compare
from sitemap_plugins.diff.snapshots import name_inside, read_sitemap_snapshot
from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage
from tests.builders import snapshot

PATHS = ("", "install/", "guide/", "guide/usage/", "reference.html")


def test_a_generated_list_is_neither_added_nor_changed() -> None:
    before, after = ({"blog/tag/a/": MainPart(digest=digest * 16, anchors=())} for digest in "01")
    old, new = snapshot("blog/tag/a/", contents=before), snapshot("blog/tag/a/", "blog/tag/b/", contents=after)
    found = compare(old, new)
    assert (found.changed, found.added) == ((), ())
    written = msgspec.structs.replace(old.pages["blog/tag/a/"], document="docs/a.md")
    assert compare(msgspec.structs.replace(old, pages={"blog/tag/a/": written}), new).changed


def test_redirects_in_another_form_are_part_of_the_same_finding() -> None:
    old = snapshot("", "a/", "b/", redirects={"old-a/": "a/", "older-a/": "old-a/", "dropped/": "b/"})
    new = snapshot("", "a.html", "b.html", redirects={"old-a.html": "a.html", "older-a.html": "gone.html"})
    found = compare(old, new)
    assert [(each.kind, each.cause, [(loss.path, loss.moved_to) for loss in each.losses]) for each in found.lost] == [
        ("form", "/ → .html", [("a/", "a.html"), ("b/", "b.html"), ("old-a/", "a.html")]),
        ("redirects", "", [("dropped/", None)]),
        ("redirects", "", [("older-a/", None)]),
    ]
    assert not found.added


def test_pages_in_another_form_are_not_new_once_they_are_redirected() -> None:
    new = snapshot("", "a.html", "b.html", redirects={"a/": "a.html"})
    found = compare(snapshot("", "a/"), new)
    assert ([page.path for page in found.added], found.lost) == (["b.html"], ())


def test_a_state_that_knows_only_what_is_listed_does_not_lose_other_pages() -> None:
    hidden = SnapshotPage(path="hidden/", is_listed=False)
    old = Snapshot(name="old", base_url=None, pages={"hidden/": hidden, "": SnapshotPage(path="")})
    new = snapshot("", unknown=frozenset({"unlisted", "anchors"}))
    found = compare(old, new)
    assert found.lost == ()
    assert found.unknown == {"unlisted": ("site",), "anchors": ("site",)}
    assert [finding.kind for finding in compare(snapshot("", "listed/"), new).lost] == ["removed"]
    assert [page.path for page in compare(new, old).added] == []


def test_another_url_of_the_site_is_a_difference_and_a_preview_is_not() -> None:
    old, new = snapshot(""), snapshot("", base_url="https://example.org/docs/")
    assert compare(old, new).url_change == ("https://docs.example.org/", "https://example.org/docs/")
    for preview in ("http://localhost:8000/", "https://deploy-preview-1--x.netlify.app/", None):
        assert compare(old, snapshot("", base_url=preview)).url_change is None


def test_https_and_another_version_are_no_new_url_of_the_site() -> None:
    url = "docs.example.org/en/"
    for old, new in (
        (("gh-pages", f"http://{url}"), ("site/", f"https://{url}")),
        (("gh-pages:en/1.9", f"https://{url}1.9/"), ("gh-pages:en/2.0", f"https://{url}2.0/")),
        (("site/1.9/", f"https://{url}1.9/"), ("gh-pages:2.0", f"https://{url}2.0/")),
        (("gh-pages:latest", f"https://{url}2.0/"), ("site/", f"https://{url}")),
        (("gh-pages:1.9", f"https://{url}1.9/"), ("gh-pages:latest", f"https://{url}2.0/")),
    ):
        before, after = (snapshot("", name=name, base_url=base, is_version=":" in name) for name, base in (old, new))
        assert compare(before, after).url_change is None
    before, after = snapshot("", name="1.9", base_url=f"https://{url}1.9/"), snapshot("", base_url=f"https://{url}2.0/")
    record = snapshot("", name="1.9.json", base_url=f"https://{url}1.9/")
    assert compare(record, before).url_change is None
    assert compare(before, after).url_change is not None
    before, after = (snapshot("", base_url=f"https://{host}/", is_version=True) for host in ("a.example", "b.example"))
    assert compare(before, after).url_change is not None


def content(digest: str, *anchors: Anchor) -> MainPart:
    """The content of a page."""
    return MainPart(digest=digest, anchors=anchors)


def test_changed_texts_and_lost_anchors() -> None:
    install, usage = Anchor("install", "heading"), Anchor("usage", "label")
    old = snapshot(
        "a/", "b/", "c/", contents={"a/": content("1", install, usage), "b/": content("1"), "c/": content("1")}
    )
    new = snapshot("a/", "b/", "c/", contents={"a/": content("2", usage), "b/": content("1")}, redirects={})
    found = compare(old, new)
    assert [change.page.path for change in found.changed] == ["a/"]
    assert [(each.page.path, each.anchors) for each in found.lost_anchors] == [("a/", (install,))]
    moved = snapshot("a/", "b/", "c/", contents={"a/": content("2", usage)}, redirects={"a/#install": "b/"})
    assert compare(old, moved).lost_anchors == ()


def test_headings_at_the_same_places_are_renamed() -> None:
    def renamed(before: str, after: str) -> object:
        parts = (content(text, *(Anchor(name, "heading") for name in text)) for text in (before, after))
        old, new = (snapshot("a/", contents={"a/": part}) for part in parts)
        return [dict(each.renamed) for each in compare(old, new).lost_anchors]

    assert renamed("abc", "axc") == [{"b": "x"}]
    assert renamed("abc", "xyc") == [{"a": "x", "b": "y"}]
    assert renamed("abc", "ac") == [{}]  # it is gone
    assert renamed("abc", "bcx") == [{}]  # others are at other places
    assert renamed("abc", "abc") == []


def test_pages_with_the_same_file_are_not_read() -> None:
    def refuse(path: str) -> MainPart | None:
        raise AssertionError(path)

    states = [
        msgspec.structs.replace(
            snapshot("a/"),
            pages={"a/": SnapshotPage(path="a/", file="a/index.html")},
            read_file={"a/index.html": b"same"}.get,
            read_content=refuse,
        )
        for _ in range(2)
    ]
    assert compare(states[0], states[1]).changed == ()


def test_a_page_changes_because_of_what_it_includes() -> None:
    page = SnapshotPage(path="a/", document="docs/a.md", made_of=("docs/snippet.md", "src/x.py"))
    old = snapshot("a/", contents={"a/": content("1")})
    new = Snapshot(name="new", base_url=None, pages={"a/": page}, read_content={"a/": content("2")}.get)
    for changed, reasons in (({"src/x.py"}, ("src/x.py",)), ({"docs/a.md", "src/x.py"}, ()), (None, ())):
        assert compare(old, new, changed).changed[0].because_of == reasons


BASE = "https://example.org/docs/"


def test_a_folder_in_a_branch_is_named_with_a_colon() -> None:
    assert name_inside("gh-pages", "2.0") == "gh-pages:2.0"


@pytest.mark.parametrize(
    ("paths", "base", "found"),
    [
        (["", "a/", "b/c"], BASE, {"", "a/", "b/c"}),
        (["a/", "a/b"], "https://example.org/docs/a/", {"", "b"}),
        (["a.html", "b/index.html", "index.html"], BASE, {"a.html", "b/", ""}),
        (["a/b", "index.html", "z/y"], BASE, {"a/b", "", "z/y"}),
        (["a", "b"], "https://example.org/", {"docs/a", "docs/b"}),
        ([], None, set()),
    ],
)
def test_the_pages_of_a_sitemap(tmp_path: Path, paths: list[str], base: str | None, found: set[str]) -> None:
    file = tmp_path / "sitemap.xml"
    urls = "".join(f"<url><loc>{BASE}{path}</loc></url>" for path in paths)
    file.write_text(f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>', encoding="ascii")
    snapshot = read_sitemap_snapshot(file, "sitemap.xml")
    assert (snapshot.base_url, snapshot.pages.keys()) == (base, found)
    assert snapshot.unknown == {"unlisted", "redirects", "documents", "texts", "anchors"}
    if paths:
        text = tmp_path / "sitemap.txt.gz"
        text.write_bytes(gzip.compress("".join(f"{BASE}{path}\n" for path in paths).encode()))
        assert read_sitemap_snapshot(text, "").pages == snapshot.pages
        assert {*read_sitemap_snapshot(file, "", "https://example.org/").pages} == {
            f"docs/{path.removesuffix('index.html')}" for path in paths
        }
        assert read_sitemap_snapshot(file, "", "https://example.org/other/").base_url == base


def test_what_tools_generate_beside_the_pages_does_not_count(tmp_path: Path) -> None:
    paths = ("", "genindex.html", "_modules/a/", "1.9/blog/drafts/a/", "blog/tag/a/")
    (file := tmp_path / "sitemap.txt").write_text("".join(f"{BASE}{path}\n" for path in paths), encoding="ascii")
    assert {*read_sitemap_snapshot(file, "").pages} == {"", "blog/tag/a/"}


def test_the_most_frequent_host_of_a_sitemap_is_that_of_the_site(tmp_path: Path) -> None:
    locs = [BASE, "https://EXAMPLE.org:443/docs/./a/", "https://zoo.example/", "https://[x/", "a/", "b/", "c/"]
    (file := tmp_path / "sitemap.txt").write_text("\n".join(locs), encoding="ascii")
    snapshot = read_sitemap_snapshot(file, "")
    assert (snapshot.base_url, [*snapshot.pages]) == (BASE, ["", "a/"])
