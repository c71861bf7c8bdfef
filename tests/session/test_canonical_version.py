"""The page of another version that corresponds to a page of this one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.session.built_elsewhere import CanonicalVersion

OWN = "https://docs.example.org/8.0/"
STABLE = "https://docs.example.org/stable/"
PATHS = st.lists(st.sampled_from(["", "a/", "a.html", "b/index.html", "stable/", "caf%C3%A9/"]), unique=True)


@pytest.mark.parametrize(
    ("there", "loc", "expected"),
    [
        ("guide/", "guide/", "guide/"),
        ("guide/index.html", "guide/", "guide/index.html"),
        ("caf%C3%A9/", "caf%c3%a9/", "caf%C3%A9/"),
        ("guide/", "guide.html", "guide/"),
        ("guide.html", "guide/", "guide.html"),
        ("guide/index.html", "guide.html", None),
        ("guide/", "Guide/", None),
        ("guide/", "guide/more/", None),
    ],
)
def test_the_counterpart_has_the_same_path(there: str, loc: str, expected: str | None) -> None:
    found = CanonicalVersion(STABLE, [STABLE + there], OWN).counterpart(OWN + loc)
    assert found == (None if expected is None else STABLE + expected)


def test_the_same_form_of_the_path_is_preferred() -> None:
    version = CanonicalVersion(STABLE, [f"{STABLE}guide.html", f"{STABLE}guide/"], OWN)
    found = [version.counterpart(OWN + path) for path in ("guide.html", "guide/")]
    assert found == [f"{STABLE}guide.html", f"{STABLE}guide/"]


@pytest.mark.parametrize("loc", ["https://docs.example.org/guide/", "https://fr.example.org/8.0/guide/", STABLE])
def test_a_page_outside_this_version_has_no_counterpart(loc: str) -> None:
    assert CanonicalVersion(STABLE, [STABLE, f"{STABLE}guide/"], OWN).counterpart(loc) is None


@given(PATHS, PATHS)
def test_the_counterpart_always_exists(there: list[str], here: list[str]) -> None:
    pages = [STABLE + path for path in there]
    found = [CanonicalVersion(STABLE, pages, OWN).counterpart(OWN + path) for path in here]
    assert {each for each in found if each} <= {*pages}
