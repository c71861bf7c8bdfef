"""What a page says about itself, in every notation and next to keys of other tools."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.model import Page
from sitemap_plugins.options.settings import PageValues, VideoValues
from sitemap_plugins.options.types import Globs, ImageChoice, MediaURL, Title, WrittenDate
from sitemap_plugins.pages.entries import published_of, read_front_matter


def read(front_matter: Mapping[Any, object]) -> tuple[dict[str, object], list[str]]:
    """The values that are set, with dates unwrapped, and the messages of the notes."""
    values, notes = read_front_matter(Page(loc="https://example.org/", name="a.md", front_matter=front_matter))
    assert [note for note in notes if (note.kind, note.page) != ("front-matter", "a.md")] == []
    pairs = ((name, getattr(values, name)) for name in PageValues.__struct_fields__)
    found = {name: getattr(value, "value", value) for name, value in pairs if value is not None}
    return found, [note.message for note in notes]


@pytest.mark.parametrize(
    ("front_matter", "values"),
    [
        ({}, {}),
        # YAML, as MkDocs reads it.
        ({"sitemap": {"priority": 0.8}}, {"priority": 0.8}),
        ({"sitemap": {"lastmod": date(2026, 3, 1)}}, {"lastmod": date(2026, 3, 1)}),
        ({"sitemap": {"lastmod": "2026-03-01"}}, {"lastmod": date(2026, 3, 1)}),
        ({"sitemap": {"exclude": True}}, {"exclude": True}),
        ({"sitemap": {"exclude": False}}, {"exclude": False}),
        ({"sitemap": {"changefreq": "Daily"}}, {"changefreq": "daily"}),
        ({"sitemap": {"priority": None}}, {}),
        ({"sitemap": None}, {}),
        ({"sitemap": False}, {"exclude": True}),
        ({"sitemap": True}, {"exclude": False}),
        # Text, as MyST passes it on.
        ({"sitemap": "false"}, {"exclude": True}),
        ({"sitemap": " no "}, {"exclude": True}),
        ({"sitemap": "yes"}, {"exclude": False}),
        ({"sitemap": ""}, {}),
        ({"sitemap": "null"}, {}),
        (
            {"sitemap": '{"priority": 0.8, "exclude": false, "lastmod": "2026-03-01"}'},
            {"priority": 0.8, "exclude": False, "lastmod": date(2026, 3, 1)},
        ),
        # A field list of reStructuredText.
        ({"sitemap_priority": "0.3"}, {"priority": 0.3}),
        ({"sitemap_changefreq": "Weekly "}, {"changefreq": "weekly"}),
        ({"sitemap_lastmod": "2026-03-01T10:00:00Z"}, {"lastmod": datetime(2026, 3, 1, 10, tzinfo=UTC)}),
        ({"sitemap_exclude": "true"}, {"exclude": True}),
        ({"sitemap_exclude": "No"}, {"exclude": False}),
        # Translations, in YAML and as text.
        ({"sitemap": {"alternates": {"no": "no.md"}}}, {"alternates": {"no": "no.md"}}),
        ({"sitemap_alternates": "fr: fr.rst, pt_BR: pt/"}, {"alternates": {"fr": "fr.rst", "pt-BR": "pt/"}}),
        ({"sitemap": {"alternates": {}}}, {"alternates": {}}),
        ({"sitemap": {"alternates": None}}, {}),
        ({"sitemap": '{"priority": 0.8, "alternates": {"fr": "fr/"}}'}, {"priority": 0.8, "alternates": {"fr": "fr/"}}),
        # The files that the page is made of.
        ({"sitemap": {"depends_on": ["a, b.py", " c "]}}, {"depends_on": ("a, b.py", "c")}),
        ({"sitemap_depends_on": "A.py, b.py"}, {"depends_on": ("A.py", "b.py")}),
        # Images and videos, in YAML and from a host that has only text.
        ({"sitemap": {"images": ["a.png", "!b/**"]}}, {"images": ImageChoice((MediaURL("a.png"),), Globs(("b/**",)))}),
        ({"sitemap_images": "a.png, !b/**"}, {"images": ImageChoice((MediaURL("a.png"),), Globs(("b/**",)))}),
        ({"sitemap_images": "No"}, {"images": ImageChoice((), Globs(("*",)))}),
        ({"sitemap": {"videos": []}}, {"videos": ()}),
        (
            {"sitemap": {"videos": [{"title": "A Tour", "duration": 90, "live": False}]}},
            {"videos": (VideoValues(title=Title("A Tour"), duration=90, live=False),)},
        ),
        (
            {"sitemap_videos": '[{"title": "A Tour", "duration": "90", "live": "No"}]'},
            {"videos": (VideoValues(title=Title("A Tour"), duration=90, live=False),)},
        ),
        ({"sitemap": '{"videos": [{"duration": 90}]}'}, {"videos": (VideoValues(duration=90),)}),
        # News, and the section of a page.
        ({"sitemap_news": "No", "sitemap_section": "guides"}, {"news": False, "section": "guides"}),
        ({"sitemap": {"published": date(2026, 3, 1)}}, {"published": date(2026, 3, 1)}),
        ({"sitemap_published": "2026-03-01T10:00:00Z"}, {"published": datetime(2026, 3, 1, 10, tzinfo=UTC)}),
        # Keys that many tools share.
        ({"priority": 0.4, "changefreq": "yearly"}, {"priority": 0.4, "changefreq": "yearly"}),
        ({"priority": "0.4"}, {"priority": 0.4}),
        ({"robots": "noindex"}, {"exclude": True}),
        ({"robots": "Follow, NoIndex"}, {"exclude": True}),
        ({"robots": ["nofollow", "noindex"]}, {"exclude": True}),
        ({"robots": ["nofollow, noindex"]}, {"exclude": True}),
        ({"robots": "noindexing, nonesuch"}, {}),
        ({"robots": ["noarchive", 5, None]}, {}),
    ],
)
def test_valid_front_matter_is_understood(front_matter: Mapping[Any, object], values: dict[str, object]) -> None:
    assert read(front_matter) == (values, [])


@pytest.mark.parametrize(
    "front_matter",
    [
        {"priority": "high"},
        {"robots": 5},
        {"robots": {"noindex": True}},
        {"lastmod": "2026-03-01"},
        {"exclude": True},
        {"images": ["a.png"], "videos": [{}], "news": True, "section": "blog", "published": "2026-03-01"},
        {"image": "a.png", "video": "b.mp4", "date": "2026-03-01"},
        {"sitemap_url": "https://example.org/", "sitemap_": 1, "sitemapx": {}},
        {5: 6, None: 7, ("a",): 8},
    ],
)
def test_keys_of_other_tools_are_ignored_silently(front_matter: Mapping[Any, object]) -> None:
    assert read(front_matter) == ({}, [])


@pytest.mark.parametrize(
    ("front_matter", "message"),
    [
        ({"sitemap": {"priority": 2}}, "sitemap.priority: 2 is not a number from 0.0 to 1.0"),
        (
            {"sitemap": {"changefreq": "dayly"}},
            "sitemap.changefreq: 'dayly' is not always, hourly, daily, weekly, monthly, yearly or never; did you mean 'daily'?",
        ),
        ({"sitemap": {"exclude": "perhaps"}}, "sitemap.exclude: 'perhaps' is not true or false"),
        ({"sitemap": {"prority": 1}}, "sitemap.prority: unknown key; did you mean 'priority'?"),
        (
            {"sitemap": {"depends_on": ["a.py", "**/*a*.py"]}},
            "sitemap.depends_on: '**/*a*.py' has more than 2 wildcards, which only a rule of the option pages may have",
        ),
        (
            {"sitemap_images": "!*a*b, a.png, !*a**b"},
            "sitemap_images: '*a**b' has more than 2 wildcards, which only a rule of the option pages may have",
        ),
        ({"sitemap": 5}, "sitemap: 5 is not true, false or a mapping such as {priority: 0.8}"),
        ({"sitemap": "never"}, "sitemap: 'never' is not true, false or a mapping such as {priority: 0.8}"),
        ({"sitemap": "[1, 2]"}, "sitemap: '[1, 2]' is not true, false or a mapping such as {priority: 0.8}"),
        (
            {"sitemap_alternates": "fr: fr/, de"},
            "sitemap_alternates: 'fr: fr/, de' is not a mapping such as {fr: fr/installation/}",
        ),
        ({"sitemap_priorty": "0.2"}, "sitemap_priorty: unknown key; did you mean 'sitemap_priority'?"),
    ],
)
def test_invalid_sitemap_keys_are_noted(front_matter: Mapping[Any, object], message: str) -> None:
    assert read(front_matter) == ({}, [f"{message} (it is ignored)"])


def test_valid_videos_are_kept_next_to_invalid_ones() -> None:
    videos = [{"title": "One"}, {"title": ""}, 5, {"duration": 0, "titel": "Two"}, {"title": "Three"}]
    values, messages = read({"sitemap": {"videos": videos}})
    assert values == {"videos": (VideoValues(title=Title("One")), VideoValues(title=Title("Three")))}
    assert [message.partition(": ")[0] for message in messages] == [
        *("sitemap.videos[1].title", "sitemap.videos[2]", "sitemap.videos[3].duration", "sitemap.videos[3].titel")
    ]


class TestPublished:
    @pytest.mark.parametrize(
        ("front_matter", "published"),
        [
            ({}, None),
            ({"sitemap": {"published": "2026-03-01"}}, date(2026, 3, 1)),
            ({"sitemap_published": "2026-03-01", "date": "2025-01-01"}, date(2026, 3, 1)),
            ({"sitemap": {"published": "soon"}, "date": "2025-01-01"}, date(2025, 1, 1)),
            ({"date": date(2026, 3, 1)}, date(2026, 3, 1)),
            ({"date": datetime(2026, 3, 1, 9, tzinfo=UTC)}, datetime(2026, 3, 1, 9, tzinfo=UTC)),
            ({"date": " 2026-03-01T09:00:00Z "}, datetime(2026, 3, 1, 9, tzinfo=UTC)),
            # The blog of Material for MkDocs.
            ({"date": {"created": date(2026, 3, 1), "updated": date(2026, 4, 1)}}, date(2026, 3, 1)),
            # Dates of other tools, and values that are not dates.
            *(({"date": value}, None) for value in ("March 2026", "2026-02-30", 2026, None, True, [], {}, {"updated": 1})),
            *(({"date": value}, None) for value in (b"2026-03-01", float("nan"), {"created": {"created": 1}})),
        ],
    )  # fmt: skip
    def test_is_read_from_the_front_matter(self, front_matter: Mapping[Any, object], published: date | None) -> None:
        page = Page(loc="https://example.org/", name="a.md", front_matter=front_matter)
        assert published_of(page, read_front_matter(page)[0]) == published

    def test_a_rule_comes_before_the_key_date(self) -> None:
        page = Page(loc="https://example.org/", name="a.md", front_matter={"date": "2025-01-01"})
        assert published_of(page, PageValues(published=WrittenDate(date(2026, 3, 1)))) == date(2026, 3, 1)

    @pytest.mark.parametrize("value", ["huge", "recursive"])
    def test_a_hostile_date_is_ignored(self, value: str) -> None:
        page = Page(
            loc="https://example.org/", name="a.md", front_matter={"date": HUGE if value == "huge" else RECURSIVE}
        )
        assert published_of(page, PageValues()) is None


def test_an_invalid_value_does_not_affect_its_neighbours() -> None:
    values, messages = read({"sitemap": {"priority": 2, "changefreq": "daily", "x": 1}, "sitemap_lastmod": "x"})
    assert values == {"changefreq": "daily"}
    assert len(messages) == 3


@pytest.mark.parametrize(
    ("front_matter", "values"),
    [
        ({"sitemap": {"priority": 0.1}, "sitemap_priority": 0.2, "priority": 0.3}, {"priority": 0.1}),
        ({"sitemap_priority": 0.2, "priority": 0.3}, {"priority": 0.2}),
        ({"sitemap": {"changefreq": "daily"}, "sitemap_priority": 0.2}, {"changefreq": "daily", "priority": 0.2}),
        ({"sitemap": {"exclude": False}, "robots": "noindex"}, {"exclude": False}),
        ({"sitemap": True, "robots": "noindex"}, {"exclude": False}),
        ({"sitemap": False, "sitemap_exclude": "false"}, {"exclude": True}),
        ({"sitemap": False, "priority": 0.3}, {"exclude": True, "priority": 0.3}),
        ({"sitemap": {"priority": None}, "sitemap_priority": 0.2}, {"priority": 0.2}),
        ({"sitemap": {"alternates": {"fr": "a"}}, "sitemap_alternates": '{"de": "b"}'}, {"alternates": {"fr": "a"}}),
    ],
)
def test_the_mapping_comes_before_flat_keys_and_those_before_bare_keys(
    front_matter: Mapping[Any, object], values: dict[str, object]
) -> None:
    assert read(front_matter) == (values, [])


def test_an_invalid_value_makes_way_for_the_next_in_precedence() -> None:
    values, messages = read({"sitemap": {"priority": 2}, "sitemap_priority": "x", "priority": 0.3})
    assert values == {"priority": 0.3}
    assert len(messages) == 2


HUGE = 16**5000  # more digits than Python converts to text; 0xfff… in YAML makes such a number
RECURSIVE: list[object] = []
RECURSIVE.append(RECURSIVE)


HOSTILE = [
    pytest.param([[[]]], id="nested lists"),
    pytest.param({"a": {"b": [1]}}, id="nested mappings"),
    pytest.param({1: 2, None: 3}, id="keys that are not text"),
    pytest.param(RECURSIVE, id="recursive"),
    pytest.param([5, 6], id="list of numbers"),
    pytest.param(10**400, id="large number"),
    pytest.param(HUGE, id="huge number"),
    pytest.param([HUGE], id="list of huge numbers"),
    pytest.param(-1, id="negative number"),
    pytest.param(float("nan"), id="not a number"),
    pytest.param(float("-inf"), id="infinite"),
    pytest.param(b"\xff", id="bytes"),
    pytest.param([b"\xff"], id="list of bytes"),
    pytest.param("\0", id="NUL"),
    pytest.param("\ud800", id="half a surrogate pair"),
    pytest.param(object(), id="any object"),
]
# Any of these can be the name of a file.
HOSTILE_TEXTS = [
    pytest.param("NaN", id="not a number, as text"),
    pytest.param("x" * 100_000, id="long text"),
    pytest.param("**/[", id="half a glob"),
    pytest.param("../../..", id="outside"),
    pytest.param("a\nb", id="two lines"),
]


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
@pytest.mark.parametrize("form", ["mapping", "flat"])
def test_a_hostile_value_is_one_note_and_no_exception(form: str, name: str) -> None:
    texts = [] if name in {"depends_on", "images"} else HOSTILE_TEXTS
    offenders = {}
    for each in [*HOSTILE, *texts]:
        (value,) = each.values
        values, messages = read({"sitemap": {name: value}} if form == "mapping" else {f"sitemap_{name}": value})
        most = 2 if name == "videos" else 1  # each invalid video has its own note
        if values or not 1 <= len(messages) <= most:
            offenders[each.id] = (values, messages)
    assert not offenders


@pytest.mark.parametrize("value", HOSTILE_TEXTS)
@pytest.mark.parametrize("form", ["mapping", "flat"])
def test_any_line_without_a_star_can_be_the_path_of_an_image(form: str, value: str) -> None:
    values, messages = read({"sitemap": {"images": value}} if form == "mapping" else {"sitemap_images": value})
    if "\n" in value or "*" in value:
        assert (values, len(messages)) == ({}, 1)
    else:
        assert (values, messages) == ({"images": ImageChoice((MediaURL(value),))}, [])


@pytest.mark.parametrize("value", HOSTILE_TEXTS)
def test_any_text_that_the_system_can_write_can_be_the_name_of_a_file(value: str) -> None:
    assert read({"sitemap": {"depends_on": value}}) == ({"depends_on": (value,)}, [])


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(HUGE, id="huge number"),
        pytest.param({HUGE: 1}, id="huge key"),
        pytest.param(RECURSIVE, id="recursive"),
        pytest.param(float("nan"), id="not a number"),
        pytest.param("[" * 100_000, id="deep JSON"),
        pytest.param('{"priority": 0.8', id="half a mapping"),
        pytest.param('{"changefreq": "\\ud800"}', id="half a surrogate pair in JSON"),
        pytest.param("9" * 5000, id="huge number as text"),
        pytest.param(b"false", id="bytes"),
    ],
)
def test_a_hostile_sitemap_is_one_note_and_no_exception(value: object) -> None:
    values, messages = read({"sitemap": value})
    assert values == {}
    assert len(messages) == 1


def test_a_huge_number_as_a_key_of_another_tool_is_passed_over() -> None:
    assert read({HUGE: 1}) == ({}, [])


names = st.sampled_from(
    [
        *("sitemap", "priority", "changefreq", "robots", "lastmod", "exclude", "sitemap_priority", "sitemap_x"),
        *("alternates", "sitemap_alternates", "en", "fr", "depends_on", "sitemap_depends_on"),
        *("images", "sitemap_images", "videos", "sitemap_videos", "title", "duration", "tags", "restriction", "deny"),
        *("news", "published", "section", "date", "created", "thumbnail_loc", "platform", "view_count"),
    ]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.dates() | names
values_of_yaml = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(names | st.text() | st.integers() | st.none(), inner),
    max_leaves=10,
)


@given(st.dictionaries(names | st.text() | st.integers() | st.none(), values_of_yaml))
@example({"sitemap": {"exclude": float("inf")}})
def test_no_metadata_raises(front_matter: Mapping[Any, object]) -> None:
    values, messages = read(front_matter)
    assert set(values) <= set(PageValues.__struct_fields__)
    assert 0 <= float(str(values.get("priority", 0))) <= 1
    assert [message for message in messages if not message.startswith("sitemap")] == []
    page = Page(loc="https://example.org/", name="a.md", front_matter=front_matter)
    assert published_of(page, PageValues()) is None or isinstance(published_of(page, PageValues()), date)
