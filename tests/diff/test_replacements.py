"""Which page is named as the replacement of a lost one."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from sitemap_plugins.diff.comparing import Replacement, compare, find_replacements
from sitemap_plugins.html.main_part import MainPart
from sitemap_plugins.published.languages import FolderKind
from sitemap_plugins.published.snapshot import Redirect, Snapshot, SnapshotPage


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
