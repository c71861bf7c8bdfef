"""How snapshots are named, which pages are new or changed, and what else is different between two of them."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from sitemap_plugins.diff.comparing import Replacement, compare, find_replacements
from sitemap_plugins.diff.snapshots import name_inside, read_sitemap_snapshot
from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage
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


def words(first: int, last: int) -> frozenset[str]:
    """So many different words."""
    return frozenset(f"w{number}" for number in range(first, last))


def state(
    pages: Mapping[str, frozenset[str]],
    documents: Mapping[str, str] | None = None,
    folders: Mapping[str, FolderKind] | None = None,
) -> Snapshot:
    """A state with these words on its pages."""
    documents = documents or {}
    return Snapshot(
        name="site",
        base_url=None,
        pages={path: SnapshotPage(path=path, document=documents.get(path)) for path in pages},
        folders=folders or {},
        read_content=lambda path: MainPart(digest=str(sorted(pages[path])), anchors=(), words=pages[path]),
    )


def found(old: Snapshot, new: Snapshot, renamed: Mapping[str, str] | None = None) -> dict[str, Replacement]:
    """The replacements between two states."""
    return find_replacements(compare(old, new), old, new, renamed or {})


def test_a_renamed_document_names_the_page() -> None:
    old = state({"old/": words(0, 5)}, {"old/": "blog/first.md"})
    new = state({"new/": words(5, 9), "copy/": words(9, 12)}, {"new/": "blog/new.md", "copy/": "blog/twice.md"})
    assert found(old, new, {"blog/first.md": "blog/new.md"}) == {"old/": Replacement(path="new/", by="git")}
    assert found(old, new, {"blog/first.md": "blog/unpublished.md"}) == {"old/": Replacement()}
    both = state({"new/": words(5, 9), "copy/": words(9, 12)}, dict.fromkeys(("new/", "copy/"), "blog/new.md"))
    assert found(old, both, {"blog/first.md": "blog/new.md"}) == {"old/": Replacement()}


def test_pages_with_most_words_in_common_are_the_same_page() -> None:
    old, new = state({"old/": words(0, 100)}), state({"new/": words(10, 105), "other/": words(60, 150)})
    assert found(old, new) == {"old/": Replacement(path="new/", by="words")}
    both = state({"new/": words(10, 105), "best/": words(5, 105)})
    assert found(old, both) == {"old/": Replacement(path="best/", by="words")}
    short = words(0, 30)
    assert found(state({"old/": short}), state({"new/": short})) == {"old/": Replacement(path="new/", by="words")}


def test_a_page_that_git_names_does_not_replace_another_one_for_certain() -> None:
    old = state({"old/": words(0, 100), "other/": words(0, 100)}, {"old/": "old.md", "other/": "other.md"})
    new = state({"new/": words(0, 100)}, {"new/": "new.md"})
    assert found(old, new, {"old.md": "new.md"}) == {
        "old/": Replacement(path="new/", by="git"),
        "other/": Replacement(candidates=("new/",)),
    }


def test_a_redirect_has_the_replacement_of_the_page_where_it_led() -> None:
    redirects = {path: Redirect(path=path, target="old/") for path in ("a/", "b/")}
    old = msgspec.structs.replace(state({"old/": words(0, 5)}, {"old/": "old.md"}), redirects=redirects)
    new = state({"new/": words(5, 9)}, {"new/": "new.md"})
    named = Replacement(path="new/", by="git")
    assert found(old, new, {"old.md": "new.md"}) == {"old/": named, "a/": named, "b/": named}
    assert found(old, new)["a/"] == Replacement()
    redirected = msgspec.structs.replace(new, redirects={"old/": Redirect(path="old/", target="new/")})
    assert found(old, redirected) == dict.fromkeys(("a/", "b/"), Replacement(path="new/", by="redirect"))


def test_short_pages_and_pages_that_agree_less_are_only_candidates() -> None:
    for old, new in ((words(0, 29), words(0, 29)), (words(0, 100), words(25, 100)), (words(0, 100), words(0, 300))):
        assert found(state({"old/": old}), state({"new/": new})) == {"old/": Replacement(candidates=("new/",))}
    assert found(state({"old/": words(0, 100)}), state({"new/": words(70, 170)})) == {"old/": Replacement()}


def test_words_that_most_pages_beside_a_page_have_do_not_name_its_replacement() -> None:
    frame = words(0, 100)
    framed = {f"api/{number}/": frame | words(number * 100, number * 100 + 10) for number in range(2, 7)}
    others = {f"api/{number}/": words(number * 100, number * 100 + 50) for number in range(2, 7)}
    lost = {"api/old/": frame | words(1000, 1010)}
    moved, another = {"api/new/": frame | words(1000, 1009)}, {"api/new/": frame | words(1100, 1110)}
    for old, new in ((framed, framed), (framed, others), (others, framed)):
        assert found(state(old | lost), state(new | moved))["api/old/"].path == "api/new/"
        assert found(state(old | lost), state(new | another))["api/old/"].path is None
    few = dict([*framed.items()][:2])
    assert found(state(few | lost), state(few | another))["api/old/"].path == "api/new/"


def test_a_page_only_replaces_the_one_that_agrees_most() -> None:
    old = state({"a/": words(0, 100), "b/": words(0, 95) | words(200, 205), "copy/": words(0, 100)})
    assert found(old, state({"new/": words(0, 100) | words(300, 305)})) == {
        "a/": Replacement(path="new/", by="words"),
        "b/": Replacement(candidates=("new/",)),
        "copy/": Replacement(path="new/", by="words"),
    }


def test_two_pages_that_agree_equally_are_only_candidates() -> None:
    same = words(0, 50)
    assert found(state({"old/": same}), state({"a/": same, "b/": same})) == {
        "old/": Replacement(candidates=("a/", "b/"))
    }


def test_a_page_that_took_in_another_is_a_candidate() -> None:
    old = state({"a/": words(0, 100), "b/": words(100, 200)})
    new = state({"a/": words(0, 200)})
    assert found(old, new) == {"b/": Replacement(candidates=("a/",))}


def test_what_a_page_had_before_does_not_make_it_a_candidate() -> None:
    old = state({"long/": words(0, 900), "b/": words(500, 600) | words(2000, 2020)})
    assert found(old, state({"long/": words(0, 1000)})) == {"b/": Replacement()}
    assert found(old, state({"long/": words(0, 902) | words(2000, 2020)})) == {"b/": Replacement(candidates=("long/",))}


def test_a_long_page_is_no_candidate_because_it_has_the_words_of_a_short_one() -> None:
    assert found(state({"a/": words(0, 10)}), state({"long/": words(0, 900)})) == {"a/": Replacement()}


def test_a_page_of_a_version_is_only_replaced_by_one_of_that_version() -> None:
    folders: dict[str, FolderKind] = {"1.0": "version", "2.0": "version", "latest": "alias"}
    same = words(0, 100)
    old, new = state({"latest/a/": same}), state({"2.0/b/": same})
    assert found(msgspec.structs.replace(old, folders=folders), new) == {"latest/a/": Replacement()}
    assert found(old, msgspec.structs.replace(new, folders=folders)) == {"latest/a/": Replacement()}
    inner = state({"1.0/b/": same}, folders={"1.0": "version", "1.0/de": "language"})
    assert found(state({"1.0/de/a/": same}), inner) == {"1.0/de/a/": Replacement()}
    new = state({"2.0/b/": same, "latest/b/": same}, folders=folders)
    assert found(old, new) == {"latest/a/": Replacement(path="latest/b/", by="words")}
    assert found(state({"a/": same}), state({"2.0/a2/": same}, folders=folders)) == {
        "a/": Replacement(path="2.0/a2/", by="words")
    }


def test_a_page_is_rather_replaced_by_one_outside_of_the_languages() -> None:
    same = words(0, 100)
    old = state({"a/": same, "de/a/": same}, folders={"de": "language"})
    assert found(old, state({"b/": same, "de/b/": same})) == {
        "a/": Replacement(path="b/", by="words"),
        "de/a/": Replacement(path="de/b/", by="words"),
    }


def test_a_page_in_another_form_is_the_same_page() -> None:
    assert found(state({"a.html": frozenset()}), state({"a/": frozenset()})) == {
        "a.html": Replacement(path="a/", by="form")
    }
