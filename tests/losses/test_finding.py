"""Which URLs are lost between two snapshots of a site, which of these count, and how they are grouped."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.losses.finding import (
    Branch,
    Loss,
    LossFinding,
    branch_of,
    find_losses,
    paths_of,
    split_behind,
    with_documents,
    without_ignored,
)
from sitemap_plugins.options.settings import IgnoredFinding
from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage
from tests.builders import options, snapshot
from tests.conftest import Repository


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
    assert lost(old, new) == [("form", ".html → /", ["guide.html", "guide/usage.html"]), ("removed", "", ["gone.html"])]


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
    assert lost(old, new) == [("redirects", "alias latest", ["latest/", "latest/a/"]), ("redirects", "", ["other/"])]
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
    assert lost(old, new) == [("form", ".html → /", ["a.html", "b.html"]), ("redirects", "", ["old/"])]


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


def entries(*matches: str, rule: str = "gone") -> tuple[IgnoredFinding, ...]:
    """An entry for each glob."""
    written = [{"rule": rule, "match": match, "reason": "It is fine."} for match in matches]
    return options(ignored_findings=written).ignored_findings


def loss(path: str, *also: str, why: str = "") -> Loss:
    """A page that is lost at these paths."""
    return Loss(path=path, page=SnapshotPage(path=path, title="A page"), also=also, why=why)


@pytest.mark.parametrize(
    ("matches", "left"),
    [
        ([], ["", "1.9/api/", "2.0/api/", "latest/api/"]),
        (["/1.9/api/"], ["", "2.0/api/", "latest/api/"]),
        (["2.0/**", "/latest/"], ["", "1.9/api/"]),
        (["/1.9/", "/latest/"], ["", "2.0/api/"]),
        (["api/"], [""]),
        (["index.html"], ["1.9/api/", "2.0/api/", "latest/api/"]),
        (["*"], []),
    ],
)
def test_only_the_paths_that_match_are_ignored(matches: list[str], left: list[str]) -> None:
    losses = (loss(""), loss("1.9/api/", "2.0/api/", "latest/api/"))
    findings = [LossFinding(kind="removed", losses=(each,)) for each in losses]
    assert [*paths_of(without_ignored(findings, entries(*matches)))] == left
    assert [*paths_of(without_ignored(findings, entries(*matches, rule="listed-*")))] == [*paths_of(findings)]


def test_what_is_left_of_a_page_is_that_page_at_its_next_path() -> None:
    finding = LossFinding(kind="removed", losses=(loss("1.9/api/", "2.0/api/", "3.0/api/", why="redirects to /x/"),))
    (left,) = without_ignored([finding], entries("1.9/"))
    assert left.losses == (loss("2.0/api/", "3.0/api/"),)
    (left,) = without_ignored([finding], entries("2.0/"))
    assert left.losses == (loss("1.9/api/", "3.0/api/", why="redirects to /x/"),)


def state(documents: Mapping[str, str | None]) -> Snapshot:
    """A state with these documents of its pages."""
    pages = {path: SnapshotPage(path=path, document=document) for path, document in documents.items()}
    return Snapshot(name="site", base_url=None, pages=pages, unknown=frozenset({"documents"}))


def test_documents_are_where_those_of_the_new_state_are() -> None:
    new = state({"guide/new/": "docs/guide/new.md", "": "docs/index.md"})
    old = state({"guide/old.html": None, "guide/": None, "twice/": None, "known/": "x.md", "generated/": None})
    files = {"docs/guide/old.md", "docs/guide/README.md", "test/guide/old.md", "docs/twice.md", "docs/twice.png"}
    found = with_documents(old, new, files)
    assert {path: page.document for path, page in found.pages.items()} == {
        "guide/old.html": "docs/guide/old.md",
        "guide/": "docs/guide/README.md",
        "twice/": None,
        "known/": "x.md",
        "generated/": None,
    }
    assert not found.unknown


@pytest.mark.parametrize("name", ["index", "_index", "README"])
def test_the_index_of_a_folder_is_the_page_of_the_folder(name: str) -> None:
    found = with_documents(state({"old/": None}), state({"new/": f"docs/new/{name}.md"}), {f"docs/old/{name}.md"})
    assert found.pages["old/"].document == f"docs/old/{name}.md"


@pytest.mark.parametrize(
    ("documents", "files"),
    [
        pytest.param({"a/": "en/a.md", "b/": "de/b.md"}, {"en/old.md"}, id="several folders"),
        pytest.param({"a/": "posts/first.md"}, {"posts/old.md"}, id="other names"),
        pytest.param({"a/": "docs/a.md"}, set(), id="a commit that the clone does not have"),
    ],
)
def test_otherwise_documents_stay_unknown(documents: dict[str, str], files: set[str]) -> None:
    old = state({"old/": None})
    assert with_documents(old, state(documents), files) == old


LOST, NEW, KEPT, UNKNOWN = (
    Loss(path=path, page=SnapshotPage(path=path, document=document))
    for path, document in (("lost/", "lost.md"), ("new/", "new.md"), ("kept/", "kept.md"), ("unknown/", None))
)
REDIRECT = Loss(path="redirect/")


@pytest.mark.parametrize(
    ("theirs", "kept"),
    [
        pytest.param("README.md", [True, False, True, True], id="others changed a document"),
        pytest.param("kept.md", [True, False, False, True], id="others changed the document of the page"),
        pytest.param("docs/mkdocs.en.yml", [True, False, False, False], id="others changed settings"),
        pytest.param("conf.py", [True, False, False, False], id="others changed conf.py"),
        pytest.param("docs/_redirects", [True, False, False, False], id="others changed redirects"),
    ],
)
def test_a_branch_has_lost_what_nobody_else_can_have_changed(
    theirs: str, kept: list[bool], repository: Repository
) -> None:
    for name in ("lost.md", "kept.md"):
        repository.write(name, "")
    base = repository.commit("2026-01-01T00:00:00Z")
    repository.write("new.md", "")
    repository.write(theirs, "of others")
    deployed = repository.commit("2026-01-02T00:00:00Z")
    repository.git("checkout", "--quiet", "-b", "branch", base)
    (repository.path / "lost.md").unlink()
    branch = branch_of(deployed, str(repository.path))
    assert branch.is_behind
    assert [*map(branch.has_lost, (LOST, NEW, KEPT, REDIRECT))] == kept
    assert not branch.has_lost(UNKNOWN)


def test_redirects_and_pages_with_known_documents_may_be_behind() -> None:
    findings = (
        LossFinding(kind="removed", cause="version 1", losses=(LOST, NEW, UNKNOWN)),
        LossFinding(kind="removed", losses=(NEW,)),
        LossFinding(kind="redirects", losses=(REDIRECT,)),
    )
    branch = Branch(has_lost=lambda loss: loss == LOST, is_behind=True)
    kept = (LossFinding(kind="removed", cause="version 1", losses=(LOST, UNKNOWN)),)
    assert split_behind(findings, branch) == (kept, (NEW, NEW, REDIRECT))
    assert split_behind(findings, Branch()) == (findings, ())
