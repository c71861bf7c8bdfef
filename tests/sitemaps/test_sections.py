"""Sections: the parts of a site that have their own sitemaps."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.model import Candidate, LastMod
from sitemap_plugins.options.settings import Section, read_settings
from sitemap_plugins.sitemaps.arranging import REST, divide
from tests.builders import candidate

BASE = "https://example.org/"


def sections(**written: object) -> Mapping[str, Section]:
    settings, mistakes = read_settings({"sections": written})
    assert not mistakes
    return settings.sections


def at(path: str, *, name: str = "", language: str = "", **values: Any) -> Candidate:
    return candidate(BASE + path, name=name or f"{path}.md", path=path, language=language, **values)


def divided(pages: list[Candidate], written: Mapping[str, Section]) -> dict[str, list[str]]:
    """The paths in each part, with a check that there are no notes."""
    parts, notes = divide(iter(pages), written)
    assert notes == []
    return {name: [each.path for each in part] for name, part in parts.items()}


@pytest.mark.parametrize(
    ("section", "held"),
    [
        ("guides/**", ["guides/a/", "guides/b/"]),
        ({"match": "guides/**", "source": "src/*.md"}, ["guides/b/"]),
        ({"language": "pt_br"}, ["guides/b/"]),
        ({"archive": "year"}, []),
    ],
)
def test_a_section_contains_the_pages_that_match_all_its_conditions(section: object, held: list[str]) -> None:
    pages = [
        at("guides/a/", language="de"),
        at("guides/b/", name="src/b.md", language="pt_BR"),
        at("blog/c/", name="src/c.md", language="no such language"),
        at("index.html"),
    ]
    parts = divided(pages, sections(part=section))
    assert parts.get("part", []) == held
    assert parts[REST] == [each.path for each in pages if each.path not in held]
    assert list(parts) == (["part", REST] if held else [REST])


def test_parts_are_in_the_order_of_their_sections_and_the_rest_is_last() -> None:
    written = sections(zebra="z/", ape="a/", bee={"match": "b/", "archive": "year"})
    pages = [at(path) for path in ("x/", "b/", "a/", "z/")]
    assert list(divided(pages, written)) == ["zebra", "ape", "bee-undated", REST]


def test_the_section_in_the_front_matter_comes_first() -> None:
    written = sections(first="**", second="never/")
    assert divided([at("a/", section="second"), at("b/")], written) == {"first": ["b/"], "second": ["a/"]}


def test_names_can_end_in_digits_or_look_like_a_year() -> None:
    """SM-LOC-09: such a part is in the place of its own section, not of another section's archive."""
    written = sections(**{"v1-0": "a/", "blog-2026": "b/", "blog": {"match": "c/", "archive": "year"}, "v1": "d/"})
    pages = [at("d/"), at("c/", published=date(2025, 1, 1)), at("b/"), at("a/")]
    assert divided(pages, written) == {"v1-0": ["a/"], "blog-2026": ["b/"], "blog-2025": ["c/"], "v1": ["d/"]}
    assert list(divided(pages, written)) == ["v1-0", "blog-2026", "blog-2025", "v1"]


@pytest.mark.parametrize("order", [("blog", "blog-2026"), ("blog-2026", "blog")])
def test_an_archive_and_a_section_of_the_same_name_lose_no_page(order: tuple[str, str]) -> None:
    both: dict[str, object] = {"blog": {"match": "a/", "archive": "year"}, "blog-2026": "b/"}
    pages = [at("a/", published=date(2026, 1, 1)), at("b/")]
    parts = divided(pages, sections(**{name: both[name] for name in order}))
    assert sorted(path for part in parts.values() for path in part) == ["a/", "b/"]


class TestPagesThatSeveralSectionsMatch:
    WRITTEN = sections(guides="guides/**", all="**", md={"source": "*.md"})

    def test_are_noted_once_and_belong_to_the_first_section(self) -> None:
        pages = [at(path, name="x.rst") for path in ("guides/a/", "guides/b/", "guides/c/", "d/")]
        parts, (note,) = divide(pages, self.WRITTEN)
        assert {name: len(part) for name, part in parts.items()} == {"guides": 3, "all": 1}
        assert (note.kind, note.page) == ("section", "x.rst")
        assert note.message == "sections: guides and all both match it; the first one lists it (and 2 more pages)"

    def test_are_noted_once_for_each_combination_of_sections(self) -> None:
        pages = [at("guides/a/", name="a.md"), at("b/", name="b.md"), at("c/", name="c.md")]
        parts, notes = divide(pages, self.WRITTEN)
        assert {name: len(part) for name, part in parts.items()} == {"guides": 1, "all": 2}
        assert [(note.page, note.message) for note in notes] == [
            ("a.md", "sections: guides, all and md all match it; the first one lists it"),
            ("b.md", "sections: all and md both match it; the first one lists it (and 1 more page)"),
        ]

    def test_are_not_noted_if_their_front_matter_has_a_section(self) -> None:
        assert divided([at("guides/a/", section="md")], self.WRITTEN) == {"md": ["guides/a/"]}


class TestArchives:
    @pytest.mark.parametrize(
        ("published", "part"),
        [
            (date(2026, 1, 1), "blog-2026"),
            (datetime(2025, 12, 31, 23, 59, tzinfo=UTC), "blog-2025"),
            (date(987, 1, 1), "blog-0987"),
            (None, "blog-undated"),
        ],
    )
    def test_are_named_by_the_year_of_publication(self, published: LastMod | None, part: str) -> None:
        written = sections(blog={"match": "blog/**", "archive": "year"})
        assert divided([at("blog/a/", published=published)], written) == {part: ["blog/a/"]}

    def test_are_in_the_order_of_the_years(self) -> None:
        written = sections(blog={"match": "**", "archive": "year"}, later="never/")
        dates = (None, date(2025, 1, 1), date(1999, 1, 1), date(2026, 1, 1))
        pages = [at(f"{number}/", published=when) for number, when in enumerate(dates)]
        pages.append(at("z/", section="later"))
        assert list(divided(pages, written)) == ["blog-1999", "blog-2025", "blog-2026", "blog-undated", "later"]

    def test_of_sections_with_hyphens_in_their_names_stay_separate(self) -> None:
        written = sections(**{"my-blog": {"match": "a/", "archive": "year"}, "my": {"match": "b/", "archive": "year"}})
        when = {"published": date(2026, 1, 1)}
        assert list(divided([at("b/", **when), at("a/", **when)], written)) == ["my-blog-2026", "my-2026"]

    def test_contain_pages_that_have_chosen_the_section_too(self) -> None:
        written = sections(blog={"archive": "year"})
        page = at("a/", section="blog", published=date(2026, 1, 1))
        assert divided([page, at("b/", published=date(2026, 1, 1))], written) == {"blog-2026": ["a/"], REST: ["b/"]}


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a/x/", "b/x/", "x/"]),
            st.sampled_from([None, "first", "second", "third"]),
            st.none() | st.dates(),
        ),
        max_size=20,
    )
)
def test_every_page_is_in_exactly_one_part(pages: list[tuple[str, str | None, date | None]]) -> None:
    """SM-LOC-09."""
    written = sections(first="a/**", second={"match": ["a/**", "b/**"], "archive": "year"}, third={"source": "*"})
    candidates = [
        at(f"{path}{number}/", section=section, published=published)
        for number, (path, section, published) in enumerate(pages)
    ]
    parts, _ = divide(candidates, written)
    assert Counter(each.path for part in parts.values() for each in part) == Counter(each.path for each in candidates)
    assert all(parts.values())
