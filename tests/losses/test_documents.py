"""The documents of a state that does not know them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sitemap_plugins.losses.finding import with_documents
from sitemap_plugins.published.snapshot import Snapshot, SnapshotPage


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
