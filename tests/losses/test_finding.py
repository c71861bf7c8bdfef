"""Which URLs are lost between two snapshots of a site, and how they are grouped."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.losses.finding import Loss, find_losses
from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage
from tests.builders import snapshot


def lost(old: Snapshot, new: Snapshot) -> list[tuple[str, str, list[str]]]:
    """The kind and cause of each finding, and the paths that are lost."""
    return [(each.kind, each.cause, [loss.path for loss in each.losses]) for each in find_losses(old, new)]


def test_a_page_that_is_redirected_to_a_page_is_not_lost() -> None:
    for target in ("new/", "new/#part", "https://other.example/x"):
        assert not lost(snapshot("", "old/"), snapshot("", "new/", redirects={"old/": target}))


def test_a_generated_list_is_lost_but_not_its_later_pages() -> None:
    old = snapshot("", "blog/", "blog/page/2/", "blog/tag/a/", "blog/tag/a/page/2.html", "news/page/2/", "page/2/")
    assert lost(old, snapshot("", "blog/")) == [
        ("removed", "", [path]) for path in ("blog/tag/a/", "blog/tag/a/page/2.html", "news/page/2/")
    ]
    new = snapshot("", files=frozenset({"index.html", "blog.html", "blog/tag/a.html", "news/index.html"}))
    assert lost(old, new) == [("removed", "", ["blog/"]), ("removed", "", ["blog/tag/a/"])]


def test_a_redirect_that_leads_nowhere_does_not_help() -> None:
    (finding,) = find_losses(snapshot("", "old/"), snapshot("", redirects={"old/": "gone/"}))
    assert finding.kind == "removed"
    assert finding.losses[0].why == "redirects to /gone/, which does not exist"


def test_redirects_in_a_loop_do_not_help() -> None:
    new = snapshot("", redirects={"old/": "older/", "older/": "old/"})
    (finding,) = find_losses(snapshot("", "old/"), new)
    assert finding.losses[0].why == "redirects in a loop: /old/ → /older/ → /old/"


def test_a_redirect_that_worked_and_is_gone_is_lost() -> None:
    old = snapshot("", "new/", redirects={"old/": "new/", "broken/": "nowhere/", "new/#a": "new/#b"})
    assert lost(old, snapshot("", "new/")) == [("redirects", "", ["old/"])]


def test_redirects_that_still_lead_to_a_lost_page_are_lost_with_it() -> None:
    redirects = {"old/": "new/", "older/": "old/", "fine/": ""}
    (finding,) = find_losses(snapshot("", "new/", redirects=redirects), snapshot("", redirects=redirects))
    assert [(loss.path, loss.also) for loss in finding.losses] == [("new/", ("old/", "older/"))]


def test_redirects_to_an_alias_that_is_gone_are_lost_with_its_pages() -> None:
    folders: dict[str, FolderKind] = {"2.0": "version", "latest": "alias"}
    old = snapshot("2.0/", "latest/", redirects={"": "latest/"}, folders=folders)
    (finding,) = find_losses(old, snapshot("2.0/", redirects={"": "latest/"}, folders={"2.0": "version"}))
    assert (finding.cause, finding.losses[0].path, finding.losses[0].also) == ("alias latest", "latest/", ("",))


def test_a_redirect_whose_page_is_gone_says_so() -> None:
    found = find_losses(snapshot("", "new/", redirects={"old/": "new/"}), snapshot(""))
    assert [(loss.path, loss.why) for finding in found for loss in finding.losses] == [
        ("new/", ""),
        ("old/", "led to /new/, which is also gone"),
    ]


def test_redirects_are_not_lost_if_the_new_state_does_not_know_any() -> None:
    old = snapshot("", "gone/", redirects={"old/": "", "older/": "gone/"})
    assert lost(old, snapshot("", unknown=frozenset({"redirects"}))) == [("removed", "", ["gone/"])]
    folder = snapshot("", files=frozenset({"index.html", ".htaccess"}), unknown=frozenset({"redirects"}))
    assert lost(old, folder) == [("removed", "", ["gone/"]), ("redirects", "", ["old/"]), ("redirects", "", ["older/"])]


def test_pages_in_another_form_are_one_finding() -> None:
    old = snapshot("index.html", "guide.html", "guide/usage.html", "gone.html", files=frozenset({"index.html"}))
    new = snapshot("", "guide/", "guide/usage/", files=frozenset({"index.html", "guide/index.html"}))
    assert lost(old, new) == [
        ("form", ".html → /", ["guide.html", "guide/usage.html"]),
        ("removed", "", ["gone.html"]),
    ]


def test_the_case_of_a_url_is_a_form() -> None:
    (finding,) = find_losses(snapshot("", "Guide/FAQ/"), snapshot("", "guide/faq/"))
    assert (finding.kind, finding.cause) == ("form", "capitalization")
    assert finding.losses == (Loss(path="Guide/FAQ/", page=SnapshotPage(path="Guide/FAQ/"), moved_to="guide/faq/"),)


def test_a_site_that_moved_into_a_folder_is_one_finding_but_a_folder_that_was_renamed_is_not() -> None:
    old = snapshot("", "a/", "b/", "c/d/")
    assert lost(old, snapshot("", "docs/", "docs/a/", "docs/b/", "docs/c/d/")) == [
        ("form", "/ → /docs/", ["a/", "b/", "c/d/"])
    ]
    assert lost(snapshot("", "docs/a/", "docs/b/", "docs/c/"), snapshot("", "a/", "b/", "c/"))[0][1] == "/docs/ → /"
    renamed = lost(snapshot("", "x/a/", "x/b/", "x/c/"), snapshot("", "y/a/", "y/b/", "y/c/"))
    assert [kind for kind, _, _ in renamed] == ["removed"] * 3


def test_a_version_an_alias_or_a_language_that_is_gone_is_one_finding() -> None:
    folders: dict[str, FolderKind] = {"1.9": "version", "latest": "alias", "de": "language"}
    old = snapshot("", "1.9/", "1.9/a/", "latest/", "de/a/", folders=folders)
    assert lost(old, snapshot("")) == [
        ("removed", "version 1.9", ["1.9/", "1.9/a/"]),
        ("removed", "language de", ["de/a/"]),
        ("removed", "alias latest", ["latest/"]),
    ]


def test_an_alias_of_redirects_that_is_gone_is_one_finding() -> None:
    redirects = {"latest/": "2.0/", "latest/a/": "2.0/a/", "other/": "2.0/"}
    old = snapshot("2.0/", "2.0/a/", redirects=redirects, folders={"2.0": "version", "latest": "alias"})
    new = snapshot("2.0/", "2.0/a/", folders={"2.0": "version"})
    assert lost(old, new) == [
        ("redirects", "alias latest", ["latest/", "latest/a/"]),
        ("redirects", "", ["other/"]),
    ]
    kept = msgspec.structs.replace(new, redirects={"latest/a/": Redirect(path="latest/a/", target="2.0/a/")})
    assert lost(old, kept) == [("redirects", "", ["latest/"]), ("redirects", "", ["other/"])]


def test_a_page_that_is_gone_in_a_version_and_its_alias_counts_once() -> None:
    folders: dict[str, FolderKind] = {"2.0": "version", "latest": "alias"}
    old = snapshot("2.0/", "2.0/a/", "latest/", "latest/a/", folders=folders)
    (finding,) = find_losses(old, snapshot("2.0/", "latest/", folders=folders))
    assert [(loss.path, loss.also) for loss in finding.losses] == [("2.0/a/", ("latest/a/",))]


def test_what_was_gone_before_stays_lost_wherever_it_led() -> None:
    gone = {"old/": Redirect(path="old/", target="hidden/"), "a.html": SnapshotPage(path="a.html")}
    old, new = snapshot("", "a/", "b.html", gone=gone).with_gone(), snapshot("", "a/", "hidden/", "b/")
    assert lost(old, new) == [
        ("form", ".html → /", ["a.html", "b.html"]),
        ("redirects", "", ["old/"]),
    ]


@given(
    st.sets(st.sampled_from(["", "a/", "a.html", "A/", "b/", "x/a/", "x/b/"])),
    st.sets(st.sampled_from(["", "a/", "a.html", "A/", "b/", "x/a/", "x/b/"])),
    st.dictionaries(st.sampled_from(["a/", "b/", "c/"]), st.sampled_from(["a/", "b/", "c/", "https://x.example/"])),
)
def test_each_page_is_lost_once_or_served(before: set[str], after: set[str], redirects: dict[str, str]) -> None:
    old, new = snapshot(*before), snapshot(*after, redirects=redirects)
    paths = [path for each in find_losses(old, new) for loss in each.losses for path in (loss.path, *loss.also)]
    assert len(paths) == len(set(paths))
    assert set(paths) <= before - after
