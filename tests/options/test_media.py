"""What authors write about videos: every field with its bounds (Google, "Video sitemaps")."""

from datetime import UTC, date, datetime

import pytest

from sitemap_plugins.media import Video
from sitemap_plugins.options.convert import convert_fields
from sitemap_plugins.options.settings import Countries, Platforms, VideoValues

HUGE = 16**5000  # more digits than Python converts to text

GOOD = [
    ("thumbnail_loc", " img/a.png ", "img/a.png"),
    ("thumbnail_loc", "https://example.org/a b.png", "https://example.org/a b.png"),
    ("title", " The\n tour ", "The tour"),
    ("title", "t" * 100, "t" * 100),
    ("description", "d" * 2048, "d" * 2048),
    ("content_loc", "videos/tour.mp4", "videos/tour.mp4"),
    ("player_loc", "https://player.example.com/?v=1&w=2", "https://player.example.com/?v=1&w=2"),
    ("duration", 1, 1),
    ("duration", 28_800, 28_800),
    ("expiration_date", "2026-03-01", date(2026, 3, 1)),
    ("rating", 4.5, 4.5),
    ("rating", 5, 5.0),
    ("view_count", 0, 0),
    ("publication_date", date(2026, 3, 1), date(2026, 3, 1)),
    ("publication_date", "2026-03-01T09:00:00Z", datetime(2026, 3, 1, 9, tzinfo=UTC)),
    ("tags", ["a", " b  c "], ("a", "b c")),
    ("tags", ["t" * 100] * 32, ("t" * 100,) * 32),
    ("family_friendly", True, True),
    ("restriction", {"deny": ["DE", "AT"]}, Countries("deny", ("DE", "AT"))),
    ("restriction", {"allow": "NO"}, Countries("allow", ("NO",))),
    ("restriction", {"allow": "NO, SE FI"}, Countries("allow", ("NO", "SE", "FI"))),
    ("requires_subscription", True, True),
    ("uploader", "u" * 255, "u" * 255),
    ("uploader_info", "/about/", "/about/"),
    ("platform", {"allow": ["web", "mobile", "tv"]}, Platforms("allow", ("web", "mobile", "tv"))),
    ("live", True, True),
]

BAD = [
    *(("thumbnail_loc", value, "is not a URL") for value in (5, "", "a\nb", "a\0")),
    ("thumbnail_loc", "data:image/png;base64,A", "search engines cannot fetch a data: URL"),
    ("title", "t" * 101, "it has 101 characters; at most 100 are allowed"),
    ("title", "", "it is empty"),
    ("title", "a\x1bb", "has a control character in it"),
    ("description", "d" * 2049, "it has 2,049 characters; at most 2,048 are allowed"),
    ("content_loc", ["a"], "is not a URL"),
    ("player_loc", " ", "is not a URL"),
    *(("duration", value, "is not a whole number from 1 to 28800") for value in (0, -1, 28_801, 1.5, "1:30", True, HUGE)),
    ("expiration_date", "soon", "'soon' is not a date like"),
    *(("rating", value, "is not a number from 0.0 to 5.0") for value in (-0.1, 5.1, "good", True, float("nan"))),
    *(("view_count", value, "") for value in (-1, 1.5, "many", True, HUGE)),
    ("publication_date", "2026-02-30", "'2026-02-30' is not a date like"),
    ("tags", ["a"] * 33, "it has more than 32 items"),
    *(("family_friendly", value, "is not true or false") for value in ("yes", 1)),
    *(
        ("restriction", value, "is not a mapping such as {deny: [AD, AE]}")
        for value in ("DE", ["DE"], {}, {"deny": []}, {"deny": ""}, {"deny": 5}, {"forbid": ["DE"]})
    ),
    ("restriction", {"allow": ["DE"], "deny": ["AT"]}, "is not a mapping such as {deny: [AD, AE]}"),
    *(
        ("restriction", {"deny": [value]}, f"{value!r} is not a known value such as AD")
        for value in ("de", "UK", "EU", "Germany", 5, ["DE"], {"DE": 1}, None)
    ),
    ("restriction", {"deny": [False]}, "(YAML reads the code of Norway as a boolean: write it in quotes)"),
    ("requires_subscription", "no", "is not true or false"),
    ("uploader", "u" * 256, "it has 256 characters; at most 255 are allowed"),
    ("uploader_info", 5, "is not a URL"),
    ("platform", ["web"], "is not a mapping such as {deny: [mobile, tv]}"),
    ("platform", {"deny": ["radio"]}, "'radio' is not a known value such as mobile"),
    ("platform", {"deny": [HUGE]}, "a huge number is not a known value"),
    ("live", "now", "is not true or false"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "written", "value"), GOOD)
def test_a_valid_value_is_used(name: str, written: object, value: object) -> None:
    converted, mistakes = convert_fields({name: written}, VideoValues)
    assert mistakes == []
    assert getattr(converted[name], "value", converted[name]) == value
    assert VideoValues(**converted) == VideoValues(**converted)


@pytest.mark.parametrize(("name", "written", "message"), BAD, ids=range(len(BAD)))
def test_an_invalid_value_is_one_mistake(name: str, written: object, message: str) -> None:
    converted, mistakes = convert_fields({name: written}, VideoValues, where="videos[0]")
    assert converted == {}
    assert [mistake.where for mistake in mistakes] == [f"videos[0].{name}"]
    assert message in mistakes[0].message
    assert len(mistakes[0].message) < 400


def test_the_invalid_tag_in_a_list_is_named() -> None:
    _, (mistake,) = convert_fields({"tags": ["a", "t" * 101, 5]}, VideoValues)
    assert mistake.where == "tags[1]"
    assert mistake.message.startswith("it has 101 characters")


def test_every_field_has_a_valid_and_an_invalid_example() -> None:
    assert {name for name, *_ in GOOD} == {name for name, *_ in BAD} == set(VideoValues.__struct_fields__)


def test_an_author_can_set_every_field() -> None:
    assert VideoValues.__struct_fields__ == tuple(Video.__dataclass_fields__)


# Never written, because search engines have retired them.
@pytest.mark.parametrize("name", ["category", "gallery_loc", "price", "tvshow", "content_segment_loc", "id"])
def test_retired_fields_are_unknown_keys(name: str) -> None:
    converted, (mistake,) = convert_fields({name: "a"}, VideoValues)
    assert converted == {}
    assert mistake.message.startswith("unknown key")


@pytest.mark.parametrize(
    ("name", "written", "value"),
    [
        ("duration", "90", 90),
        ("rating", "4.5", 4.5),
        ("view_count", " 7 ", 7),
        ("live", "Yes", True),
        ("family_friendly", "no", False),
        ("title", "The Tour", "The Tour"),
        ("content_loc", "Videos/A.mp4", "Videos/A.mp4"),
    ],
)
def test_a_host_with_text_only_can_set_numbers_and_booleans(name: str, written: str, value: object) -> None:
    assert convert_fields({name: written}, VideoValues, lax=True) == ({name: value}, [])
