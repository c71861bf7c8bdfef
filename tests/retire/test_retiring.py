"""Retiring versions from Python, without the command: the values it returns and the exceptions it raises."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from sitemap_plugins.output.writing import WriteError, locked
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.retire import retiring
from sitemap_plugins.retire.plan import Counts, FolderOutcome, PageOutcome, Restored
from sitemap_plugins.retire.retiring import restore_all, retire
from sitemap_plugins.retire.safeguards import Canonicals, RetireError
from sitemap_plugins.versions.goals import Goals
from sitemap_plugins.versions.kept import NoVersionsError, UnknownVersionError
from tests.builders import refuse_to_list, replace
from tests.commands.test_retire import X, canonical, contents, deploy, page

T = TypeVar("T")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """An old version with a page that was removed later, a redirect, an error page and a page in UTF-16."""
    root = tmp_path / "site"
    unusual = {
        "404.html": page(None),
        "moved.html": page(None, '<meta http-equiv="refresh" content="0; url=a/">'),
        "wide.html": page(None).decode().encode("utf-16"),
    }
    pages = {f"{path}index.html": page(f"{X}1.0/{path}") for path in ("", "a/", "old/")}
    deploy(root, "1.0", pages | unusual)
    deploy(root, "2.0", ("", "a/", "b/"))
    return root


def test_each_page_has_one_outcome(site: Path) -> None:
    retired = retire(site)
    assert [kept.version.name for kept in retired.choice.kept] == ["2.0"]
    assert retired.folders == (
        FolderOutcome(folder="2.0", number=3, pages=()),
        FolderOutcome(
            folder="1.0",
            number=6,
            pages=(
                PageOutcome(path="1.0/404.html", left="is an error page"),
                PageOutcome(
                    path="1.0/index.html", end="to kept", url=f"{X}2.0/", goal="2.0/index.html", is_changed=True
                ),
                PageOutcome(path="1.0/moved.html", left="is a redirect"),
                PageOutcome(path="1.0/wide.html", uneditable="is encoded in UTF-16"),
                PageOutcome(
                    path="1.0/a/index.html", end="to kept", url=f"{X}2.0/a/", goal="2.0/a/index.html", is_changed=True
                ),
                PageOutcome(path="1.0/old/index.html", end="to itself", url=f"{X}1.0/old/", goal="1.0/old/index.html"),
            ),
        ),
    )
    assert (retired.dangers, retired.different, retired.problems) == ((), (), ())
    assert canonical(site, "1.0/a/index.html") == f"{X}2.0/a/"


def test_all_pages_can_be_restored(site: Path) -> None:
    before = contents(site)
    retire(site, noindex=True)
    changed = ("1.0/index.html", "1.0/a/index.html", "1.0/old/index.html")
    planned = restore_all(site, dry_run=True)
    assert contents(site) != before
    assert [(each.path, each.change, each.new_canonical) for each in planned.changes] == [
        (path, "restored", f"{X}{path.removesuffix('index.html')}") for path in changed
    ]
    assert restore_all(site) == replace(planned, changes=()) == Restored(number=9, paths=changed, problems=())
    assert contents(site) == before


def test_a_dry_run_gives_the_same_outcomes_and_writes_nothing(site: Path) -> None:
    before = contents(site)
    planned = retire(site, only_kept=True, dry_run=True)
    assert contents(site) == before
    assert planned.folders == retire(site, only_kept=True).folders


def test_what_is_refused_is_a_plain_exception(site: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownVersionError):
        retire(site, keep=["3.0"])
    with pytest.raises(NoVersionsError, match="no versions were found below"):
        retire(tmp_path / "site/1.0")
    deploy(site, "3.0", ("",))
    with pytest.raises(RetireError, match=r"^3\.0 is kept and has 1 page, but 2\.0 has 3: is it complete\?"):
        retire(site)
    retire(site, force=True)


@pytest.mark.parametrize("folder", ["1.0", "1.0/a", "2.0", "2.0/b"])
def test_a_folder_that_cannot_be_listed_is_refused(site: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages are published too: they would lead elsewhere, or another version would be kept."""
    before = contents(site)
    with monkeypatch.context() as patch:
        refuse_to_list(site / folder, patch)
        with pytest.raises(PermissionError) as refused:
            retire(site, noindex=True)
        assert refused.value.filename == str(site / folder)
        with pytest.raises(PermissionError):
            restore_all(site)
    assert contents(site) == before


@pytest.mark.parametrize(
    ("content", "url", "why"),
    [
        (page(None), f"{X}2.0/b/", None),
        (page(f"{X}2.0/b/index.html"), f"{X}2.0/b/", None),  # another URL of the same file
        (page(f"{X}2.0/b/"), f"{X}2.0/c/", "does not exist"),
        (page(f"{X}2.0/b/"), f"{X}2.0/a/", "does not exist"),  # a page, but not the one that is meant
        (page(None, '<meta http-equiv="refresh" content="0; url=../a/">'), f"{X}2.0/b/", "redirects"),
        (page(f"{X}2.0/a/"), f"{X}2.0/b/", f"has a canonical link to {X}2.0/a/"),
        (page("https://y.org/b/"), f"{X}2.0/b/", "has a canonical link to https://y.org/b/"),
    ],
)
def test_each_link_is_followed_before_it_is_written(site: Path, content: bytes, url: str, why: str | None) -> None:
    (site / "2.0/b/index.html").write_bytes(content)
    canonicals = Canonicals(Tree(site), X, ())
    outcome = PageOutcome(path="1.0/b/index.html", end="to kept", url=url, goal="2.0/b/index.html")
    assert [failure.why for failure in canonicals.failures([outcome])] == ([why] if why else [])


def test_nothing_is_written_if_one_link_would_lead_nowhere(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retiring, "_BATCH", 0)
    monkeypatch.setattr(Goals, "own_url", lambda _, place, path, *__: f"{place.base_url}gone/{path}")
    before = contents(site)
    with pytest.raises(RetireError) as refused:
        retire(site)
    gone = f"to {X}2.0/gone"
    assert str(refused.value) == (
        "nothing was written, because canonical links would lead to missing pages or on to others: "
        f"1.0/index.html {gone}/index.html, which does not exist; 1.0/a/index.html {gone}/a/index.html, which does not "
        f"exist; 1.0/old/index.html to {X}1.0/gone/old/index.html, which does not exist"
    )
    assert contents(site) == before


def test_no_page_leads_to_an_old_page_that_cannot_be_edited_and_names_another_url(site: Path) -> None:
    deploy(site, "3.0", ("", "a/", "b/"))
    two_heads = page(f"{X}stable/old/").replace(b"<body", b"<head></head><body")
    deploy(site, "2.0", {"index.html": page(f"{X}2.0/"), "old/index.html": two_heads})
    retire(site)
    assert canonical(site, "1.0/old/index.html") == f"{X}1.0/old/"
    deploy(site, "2.0", {"index.html": page(f"{X}2.0/"), "old/index.html": page(f"{X}stable/old/")})
    retire(site)
    assert canonical(site, "1.0/old/index.html") == canonical(site, "2.0/old/index.html") == f"{X}2.0/old/"


def test_a_run_can_be_limited(site: Path) -> None:
    with pytest.raises(RetireError, match=r"^2 pages would change, which is more than --max-changes 1$"):
        retire(site, max_changes=1)
    assert retire(site, max_changes=2).counts == Counts(0, 0)


def test_two_runs_at_once_wait_for_each_other(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitemap_plugins.retire.retiring.locked", partial(locked, patience=0))
    with locked(site):
        with pytest.raises(WriteError, match="another build has been writing there"):
            retire(site)
        retire(site, dry_run=True)


def test_small_pages_are_written_while_they_are_counted(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retiring, "_PAGES", 1)
    written: list[str | None] = []

    def track(items: Iterable[T], what: str, _total: int | None = None, /) -> Iterator[T]:
        for item in items:
            yield item
            if what == "editing pages":
                written.append(canonical(site, "1.0/index.html"))

    retire(site, track=track)
    assert written[0] == f"{X}2.0/"


def test_a_failure_after_some_pages_says_how_many_changed(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retiring, "_BATCH", 1)
    replace = os.replace

    def fail(source: str, target: str) -> None:
        if str(target).endswith(os.path.join("a", "index.html")):
            raise OSError(28, "No space left on device")
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(WriteError, match=r"No space left on device; 1 page changed before that: run the command again"):
        retire(site)
    monkeypatch.setattr(os, "replace", replace)
    assert [outcome.is_changed for folder in retire(site).folders for outcome in folder.pages].count(True) == 1
