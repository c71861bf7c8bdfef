"""Which URLs are lost between two states of a site, and how they are grouped."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.changes import compare
from sitemap_plugins.changes.comparing import Loss
from sitemap_plugins.html.main_part import Anchor, MainPart
from sitemap_plugins.published.snapshot import FolderKind, Redirect, Snapshot, SnapshotPage

PATHS = ("", "install/", "guide/", "guide/usage/", "reference.html")


def state(
    *paths: str,
    name: str = "site",
    redirects: dict[str, str] | None = None,
    folders: dict[str, FolderKind] | None = None,
    contents: dict[str, MainPart] | None = None,
    **facts: object,
) -> Snapshot:
    """A state with pages at these paths."""
    return Snapshot(
        name=name,
        base_url=facts.pop("base_url", "https://docs.example.org/"),  # type: ignore[arg-type]
        pages={path: SnapshotPage(path=path) for path in paths},
        redirects={path: Redirect(path=path, target=target) for path, target in (redirects or {}).items()},
        folders=folders or {},
        read_content=(contents or {}).get,
        **facts,  # type: ignore[arg-type]
    )


def lost(old: Snapshot, new: Snapshot) -> list[tuple[str, str, list[str]]]:
    """The kind and cause of each finding, and the paths that are lost."""
    return [(each.kind, each.cause, [loss.path for loss in each.losses]) for each in compare(old, new).lost]


def test_the_same_state_has_no_difference() -> None:
    found = compare(state(*PATHS), state(*PATHS))
    assert (found.lost, found.added, found.changed) == ((), (), ())


def test_a_page_that_is_gone_is_lost_and_one_that_is_new_is_added() -> None:
    found = compare(state("", "old/"), state("", "new/"))
    assert lost(state("", "old/"), state("", "new/")) == [("removed", "", ["old/"])]
    assert [page.path for page in found.added] == ["new/"]


def test_a_page_that_is_redirected_to_a_page_is_not_lost() -> None:
    for target in ("new/", "new/#part", "https://other.example/x"):
        assert not lost(state("", "old/"), state("", "new/", redirects={"old/": target}))


def test_a_redirect_that_leads_nowhere_does_not_help() -> None:
    (finding,) = compare(state("", "old/"), state("", redirects={"old/": "gone/"})).lost
    assert finding.kind == "removed"
    assert finding.losses[0].why == "redirects to /gone/, which does not exist"


def test_redirects_in_a_loop_do_not_help() -> None:
    new = state("", redirects={"old/": "older/", "older/": "old/"})
    (finding,) = compare(state("", "old/"), new).lost
    assert finding.losses[0].why == "redirects in a loop: /old/ → /older/ → /old/"


def test_a_redirect_that_worked_and_is_gone_is_lost() -> None:
    old = state("", "new/", redirects={"old/": "new/", "broken/": "nowhere/", "new/#a": "new/#b"})
    assert lost(old, state("", "new/")) == [("redirects", "", ["old/"])]


def test_redirects_that_still_lead_to_a_lost_page_are_lost_with_it() -> None:
    redirects = {"old/": "new/", "older/": "old/", "fine/": ""}
    (finding,) = compare(state("", "new/", redirects=redirects), state("", redirects=redirects)).lost
    assert [(loss.path, loss.also) for loss in finding.losses] == [("new/", ("old/", "older/"))]


def test_redirects_to_an_alias_that_is_gone_are_lost_with_its_pages() -> None:
    folders: dict[str, FolderKind] = {"2.0": "version", "latest": "alias"}
    old = state("2.0/", "latest/", redirects={"": "latest/"}, folders=folders)
    (finding,) = compare(old, state("2.0/", redirects={"": "latest/"}, folders={"2.0": "version"})).lost
    assert (finding.cause, finding.losses[0].path, finding.losses[0].also) == ("alias latest", "latest/", ("",))


def test_a_redirect_whose_page_is_gone_says_so() -> None:
    found = compare(state("", "new/", redirects={"old/": "new/"}), state(""))
    assert [(loss.path, loss.why) for finding in found.lost for loss in finding.losses] == [
        ("new/", ""),
        ("old/", "led to /new/, which is also gone"),
    ]


def test_redirects_are_not_lost_if_the_new_state_does_not_know_any() -> None:
    old = state("", "gone/", redirects={"old/": "", "older/": "gone/"})
    assert lost(old, state("", unknown=frozenset({"redirects"}))) == [("removed", "", ["gone/"])]
    folder = state("", files=frozenset({"index.html", ".htaccess"}), unknown=frozenset({"redirects"}))
    assert lost(old, folder) == [("removed", "", ["gone/"]), ("redirects", "", ["old/"]), ("redirects", "", ["older/"])]


def test_pages_in_another_form_are_one_finding() -> None:
    old = state("index.html", "guide.html", "guide/usage.html", "gone.html", files=frozenset({"index.html"}))
    new = state("", "guide/", "guide/usage/", files=frozenset({"index.html", "guide/index.html"}))
    assert lost(old, new) == [
        ("form", ".html → /", ["guide.html", "guide/usage.html"]),
        ("removed", "", ["gone.html"]),
    ]


def test_redirects_in_another_form_are_part_of_the_same_finding() -> None:
    old = state("", "a/", "b/", redirects={"old-a/": "a/", "older-a/": "old-a/", "dropped/": "b/"})
    new = state("", "a.html", "b.html", redirects={"old-a.html": "a.html", "older-a.html": "gone.html"})
    found = compare(old, new)
    assert [(each.kind, each.cause, [(loss.path, loss.moved_to) for loss in each.losses]) for each in found.lost] == [
        ("form", "/ → .html", [("a/", "a.html"), ("b/", "b.html"), ("old-a/", "a.html")]),
        ("redirects", "", [("dropped/", None)]),
        ("redirects", "", [("older-a/", None)]),
    ]
    assert not found.added


def test_pages_in_another_form_are_not_new_once_they_are_redirected() -> None:
    new = state("", "a.html", "b.html", redirects={"a/": "a.html"})
    found = compare(state("", "a/"), new)
    assert ([page.path for page in found.added], found.lost) == (["b.html"], ())


def test_the_case_of_a_url_is_a_form() -> None:
    (finding,) = compare(state("", "Guide/FAQ/"), state("", "guide/faq/")).lost
    assert (finding.kind, finding.cause) == ("form", "capitalization")
    assert finding.losses == (Loss(path="Guide/FAQ/", page=SnapshotPage(path="Guide/FAQ/"), moved_to="guide/faq/"),)


def test_a_site_that_moved_into_a_folder_is_one_finding_but_a_folder_that_was_renamed_is_not() -> None:
    old = state("", "a/", "b/", "c/d/")
    assert lost(old, state("", "docs/", "docs/a/", "docs/b/", "docs/c/d/")) == [
        ("form", "/ → /docs/", ["a/", "b/", "c/d/"])
    ]
    assert lost(state("", "docs/a/", "docs/b/", "docs/c/"), state("", "a/", "b/", "c/"))[0][1] == "/docs/ → /"
    renamed = lost(state("", "x/a/", "x/b/", "x/c/"), state("", "y/a/", "y/b/", "y/c/"))
    assert [kind for kind, _, _ in renamed] == ["removed"] * 3


def test_a_version_an_alias_or_a_language_that_is_gone_is_one_finding() -> None:
    folders: dict[str, FolderKind] = {"1.9": "version", "latest": "alias", "de": "language"}
    old = state("", "1.9/", "1.9/a/", "latest/", "de/a/", folders=folders)
    assert lost(old, state("")) == [
        ("removed", "version 1.9", ["1.9/", "1.9/a/"]),
        ("removed", "language de", ["de/a/"]),
        ("removed", "alias latest", ["latest/"]),
    ]


def test_an_alias_of_redirects_that_is_gone_is_one_finding() -> None:
    redirects = {"latest/": "2.0/", "latest/a/": "2.0/a/", "other/": "2.0/"}
    old = state("2.0/", "2.0/a/", redirects=redirects, folders={"2.0": "version", "latest": "alias"})
    new = state("2.0/", "2.0/a/", folders={"2.0": "version"})
    assert lost(old, new) == [
        ("redirects", "alias latest", ["latest/", "latest/a/"]),
        ("redirects", "", ["other/"]),
    ]
    kept = msgspec.structs.replace(new, redirects={"latest/a/": Redirect(path="latest/a/", target="2.0/a/")})
    assert lost(old, kept) == [("redirects", "", ["latest/"]), ("redirects", "", ["other/"])]


def test_a_page_that_is_gone_in_a_version_and_its_alias_counts_once() -> None:
    folders: dict[str, FolderKind] = {"2.0": "version", "latest": "alias"}
    old = state("2.0/", "2.0/a/", "latest/", "latest/a/", folders=folders)
    (finding,) = compare(old, state("2.0/", "latest/", folders=folders)).lost
    assert [(loss.path, loss.also) for loss in finding.losses] == [("2.0/a/", ("latest/a/",))]


def test_what_was_gone_before_stays_lost_wherever_it_led() -> None:
    gone = {"old/": Redirect(path="old/", target="hidden/"), "a.html": SnapshotPage(path="a.html")}
    old, new = state("", "a/", "b.html", gone=gone).with_gone(), state("", "a/", "hidden/", "b/")
    assert lost(old, new) == [
        ("form", ".html → /", ["a.html", "b.html"]),
        ("redirects", "", ["old/"]),
    ]


def test_a_state_that_knows_only_what_is_listed_does_not_lose_other_pages() -> None:
    hidden = SnapshotPage(path="hidden/", is_listed=False)
    old = Snapshot(name="old", base_url=None, pages={"hidden/": hidden, "": SnapshotPage(path="")})
    new = state("", unknown=frozenset({"unlisted", "anchors"}))
    found = compare(old, new)
    assert found.lost == ()
    assert found.unknown == {"unlisted": ("site",), "anchors": ("site",)}
    assert lost(state("", "listed/"), new) == [("removed", "", ["listed/"])]
    assert [page.path for page in compare(new, old).added] == []


def test_another_url_of_the_site_is_a_difference_and_a_preview_is_not() -> None:
    old, new = state(""), state("", base_url="https://example.org/docs/")
    assert compare(old, new).url_change == ("https://docs.example.org/", "https://example.org/docs/")
    for preview in ("http://localhost:8000/", "https://deploy-preview-1--x.netlify.app/", None):
        assert compare(old, state("", base_url=preview)).url_change is None


def test_https_and_another_version_are_no_new_url_of_the_site() -> None:
    url = "docs.example.org/en/"
    for old, new in (
        (("gh-pages", f"http://{url}"), ("site/", f"https://{url}")),
        (("gh-pages:en/1.9", f"https://{url}1.9/"), ("gh-pages:en/2.0", f"https://{url}2.0/")),
        (("site/1.9/", f"https://{url}1.9/"), ("gh-pages:2.0", f"https://{url}2.0/")),
        (("gh-pages:latest", f"https://{url}2.0/"), ("site/", f"https://{url}")),
        (("gh-pages:1.9", f"https://{url}1.9/"), ("gh-pages:latest", f"https://{url}2.0/")),
    ):
        before, after = (state("", name=name, base_url=base, is_version=":" in name) for name, base in (old, new))
        assert compare(before, after).url_change is None
    before, after = state("", name="1.9", base_url=f"https://{url}1.9/"), state("", base_url=f"https://{url}2.0/")
    record = state("", name="1.9.json", base_url=f"https://{url}1.9/")
    assert compare(record, before).url_change is None
    assert compare(before, after).url_change is not None
    before, after = (state("", base_url=f"https://{host}/", is_version=True) for host in ("a.example", "b.example"))
    assert compare(before, after).url_change is not None


def content(digest: str, *anchors: Anchor) -> MainPart:
    """The content of a page."""
    return MainPart(digest=digest, anchors=anchors)


def test_changed_texts_and_lost_anchors() -> None:
    install, usage = Anchor("install", "heading"), Anchor("usage", "label")
    old = state("a/", "b/", "c/", contents={"a/": content("1", install, usage), "b/": content("1"), "c/": content("1")})
    new = state("a/", "b/", "c/", contents={"a/": content("2", usage), "b/": content("1")}, redirects={})
    found = compare(old, new)
    assert [change.page.path for change in found.changed] == ["a/"]
    assert [(each.page.path, each.anchors) for each in found.lost_anchors] == [("a/", (install,))]
    moved = state("a/", "b/", "c/", contents={"a/": content("2", usage)}, redirects={"a/#install": "b/"})
    assert compare(old, moved).lost_anchors == ()


def test_headings_at_the_same_places_are_renamed() -> None:
    def renamed(before: str, after: str) -> object:
        parts = (content(text, *(Anchor(name, "heading") for name in text)) for text in (before, after))
        old, new = (state("a/", contents={"a/": part}) for part in parts)
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
            state("a/"),
            pages={"a/": SnapshotPage(path="a/", file="a/index.html")},
            read_file={"a/index.html": b"same"}.get,
            read_content=refuse,
        )
        for _ in range(2)
    ]
    assert compare(states[0], states[1]).changed == ()


def test_a_page_changes_because_of_what_it_includes() -> None:
    page = SnapshotPage(path="a/", document="docs/a.md", made_of=("docs/snippet.md", "src/x.py"))
    old = state("a/", contents={"a/": content("1")})
    new = Snapshot(name="new", base_url=None, pages={"a/": page}, read_content={"a/": content("2")}.get)
    for changed, reasons in (
        ({"src/x.py"}, ("src/x.py",)),
        ({"docs/a.md", "src/x.py"}, ()),
        (None, ()),
    ):
        assert compare(old, new, changed).changed[0].because_of == reasons


@given(
    st.sets(st.sampled_from(["", "a/", "a.html", "A/", "b/", "x/a/", "x/b/"])),
    st.sets(st.sampled_from(["", "a/", "a.html", "A/", "b/", "x/a/", "x/b/"])),
    st.dictionaries(st.sampled_from(["a/", "b/", "c/"]), st.sampled_from(["a/", "b/", "c/", "https://x.example/"])),
)
def test_each_page_is_lost_once_or_served(before: set[str], after: set[str], redirects: dict[str, str]) -> None:
    old, new = state(*before), state(*after, redirects=redirects)
    paths = [path for each in compare(old, new).lost for loss in each.losses for path in (loss.path, *loss.also)]
    assert len(paths) == len(set(paths))
    assert set(paths) <= before - after
