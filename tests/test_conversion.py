"""From what people write to typed values: every mistake is found, and said in their words."""

from typing import Annotated, Any, Literal, Self

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sitemap_plugins.conversion import Mistake, and_so_many, convert_fields, did_you_mean, listing

PROPERTY = settings(deadline=None, derandomize=True)  # the tests read no clock, and every run is the same


class Even:
    """A type that reads itself."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Even) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    @classmethod
    def parse(cls, value: object) -> Self:
        if not str(value).isdigit() or int(str(value)) % 2:
            message = f"{value!r} is not even"
            raise ValueError(message)
        return cls(int(str(value)))


class Part(msgspec.Struct, kw_only=True):
    size: int | None = None
    color: Literal["red", "green"] | None = None

    def __post_init__(self) -> None:
        if self.size is None and self.color is None:
            message = "a part needs a size or a color"
            raise ValueError(message)


class Size(msgspec.Struct, frozen=True, kw_only=True):
    width: int = 1
    unit: Literal["mm", "inch"] = "mm"
    even: Even | None = None


class Thing(msgspec.Struct, kw_only=True):
    title: str = ""
    count: int = 0
    flag: bool | None = None
    weight: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] | None = None
    age: Annotated[int, msgspec.Meta(ge=0)] = 0
    speed: Literal["slow", "fast"] | None = None
    words: tuple[Literal["slow", "fast"], ...] = ()
    even: Even | None = None
    parts: tuple[Part, ...] = ()
    levels: dict[str, Literal["low", "high"]] = {}
    size: Size = Size()


@pytest.mark.parametrize(
    ("name", "written", "converted"),
    [
        ("title", "A Title", "A Title"),
        ("count", 3, 3),
        ("flag", True, True),
        ("flag", False, False),
        ("weight", 1, 1.0),
        ("weight", 0.5, 0.5),
        ("speed", "slow", "slow"),
        ("words", ["slow", "fast"], ("slow", "fast")),
        ("words", ("slow",), ("slow",)),
        ("words", [], ()),
        ("words", "fast", ("fast",)),
        ("even", 4, Even(4)),
        ("even", "4", Even(4)),
        ("parts", [], ()),
        ("parts", [{"size": 1}, {"color": "red"}], (Part(size=1), Part(color="red"))),
        ("parts", ({"size": None, "color": "green"},), (Part(color="green"),)),
        ("levels", {}, {}),
        ("levels", {"a": "low", 1: "high"}, {"a": "low", "1": "high"}),
        ("size", {}, Size()),
        ("size", {"width": 5, "even": 4}, Size(width=5, even=Even(4))),
        ("size", {"width": None, "unit": "inch"}, Size(unit="inch")),
    ],
)
def test_a_value_that_fits_is_converted(name: str, written: object, converted: object) -> None:
    assert convert_fields({name: written}, Thing) == ({name: converted}, [])


@pytest.mark.parametrize(
    ("name", "written", "where", "message"),
    [
        ("title", 5, "title", "5 is not text"),
        ("count", "5", "count", "'5' is not a whole number"),
        ("count", 1.5, "count", "1.5 is not a whole number"),
        ("flag", "yes", "flag", "'yes' is not true or false"),
        ("weight", 2, "weight", "2 is not a number from 0.0 to 1.0"),
        ("weight", -0.1, "weight", "-0.1 is not a number from 0.0 to 1.0"),
        ("weight", float("nan"), "weight", "nan is not a number from 0.0 to 1.0"),
        ("weight", True, "weight", "True is not a number from 0.0 to 1.0"),
        ("weight", [1], "weight", "[1] is not a number from 0.0 to 1.0"),
        ("age", -1, "age", "-1 is not a whole number"),
        ("speed", "fats", "speed", "'fats' is not slow or fast; did you mean 'fast'?"),
        ("speed", "Slow", "speed", "'Slow' is not slow or fast; did you mean 'slow'?"),
        ("speed", "x", "speed", "'x' is not slow or fast"),
        ("words", 5, "words", "5 is not a list"),
        ("words", ["slow", "fats"], "words[1]", "'fats' is not slow or fast; did you mean 'fast'?"),
        ("words", ["slow", 5], "words[1]", "5 is not slow or fast"),
        ("even", 3, "even", "3 is not even"),
        ("parts", {"size": 1}, "parts", "{'size': 1} is not a list"),
        ("parts", "size", "parts", "'size' is not a list"),
        ("parts", ["size"], "parts[0]", "'size' is not a mapping"),
        ("parts", [{"size": 1}, {}], "parts[1]", "a part needs a size or a color"),
        ("parts", [{"size": "x"}], "parts[0].size", "'x' is not a whole number"),
        ("parts", [{"sice": 1}], "parts[0].sice", "there is no such name; did you mean 'size'?"),
        ("levels", "low", "levels", "'low' is not a mapping"),
        ("size", "big", "size", "'big' is not a mapping"),
        ("size", [5], "size", "[5] is not a mapping"),
        ("size", False, "size", "False is not a mapping"),
        ("wieght", 1, "wieght", "there is no such name; did you mean 'weight'?"),
    ],
)
def test_a_mistake_names_its_place_and_what_is_allowed(name: str, written: object, where: str, message: str) -> None:
    converted, mistakes = convert_fields({name: written}, Thing)
    assert mistakes == [Mistake(where, message)]
    assert converted == {}


@pytest.mark.parametrize(
    ("name", "written", "where", "message", "kept"),
    [
        ("levels", {"a": "lo"}, "levels.a", "'lo' is not low or high; did you mean 'low'?", {}),
        ("levels", {"a": 5, "b": "high"}, "levels.a", "5 is not low or high", {"b": "high"}),
        ("levels", {"b": "high", 5: None}, "levels.5", "None is not low or high", {"b": "high"}),
        ("size", {"width": "x"}, "size.width", "'x' is not a whole number", Size()),
        ("size", {"width": 1.5, "unit": "inch"}, "size.width", "1.5 is not a whole number", Size(unit="inch")),
        ("size", {"width": 5, "unit": "ich"}, "size.unit", "'ich' is not mm or inch; did you mean 'inch'?", Size(width=5)),
        ("size", {"width": 5, "even": 3}, "size.even", "3 is not even", Size(width=5)),
        ("size", {"witdh": 5}, "size.witdh", "there is no such name; did you mean 'width'?", Size()),
        ("size", {"width": 5, 7: 7}, "size.7", "there is no such name; the names are width, unit and even", Size(width=5)),
        ("size", {"width": 5, "unit": "\ud800"}, "size.unit", "'\\ud800' is not text that can be written", Size(width=5)),
    ],
)  # fmt: skip
def test_what_is_good_of_a_mapping_is_kept(name: str, written: object, where: str, message: str, kept: object) -> None:
    assert convert_fields({name: written}, Thing) == ({name: kept}, [Mistake(where, message)])


def test_every_mistake_in_a_mapping_is_found() -> None:
    _, mistakes = convert_fields({"size": {"width": "x", "unit": "cm", "even": 3, "depth": 1}}, Thing, where="box")
    assert [mistake.where for mistake in mistakes] == [
        f"box.size.{name}" for name in ("width", "unit", "even", "depth")
    ]


def test_a_number_too_large_to_compute_with_is_told_its_bounds() -> None:
    _, mistakes = convert_fields({"weight": 10**400}, Thing)
    assert [mistake.where for mistake in mistakes] == ["weight"]
    assert "from 0.0 to 1.0" in mistakes[0].message


def test_no_mistake_hides_another() -> None:
    written = {"count": "x", "levels": {"a": 1, "b": "high", "c": 2}, "parts": [{"size": "x", "s": 1}, 5, {"size": 2}]}
    _, mistakes = convert_fields(written, Thing)
    places = ["count", "levels.a", "levels.c", "parts[0].size", "parts[0].s", "parts[1]"]
    assert [mistake.where for mistake in mistakes] == places


def test_a_mistake_takes_nothing_from_the_values_beside_it() -> None:
    converted, mistakes = convert_fields({"count": "x", "title": "good", "flag": True}, Thing)
    assert converted == {"title": "good", "flag": True}
    assert len(mistakes) == 1


def test_none_leaves_a_field_open_but_not_a_name_that_does_not_exist() -> None:
    converted, mistakes = convert_fields({"count": None, "nonsense": None}, Thing)
    assert converted == {}
    assert [mistake.where for mistake in mistakes] == ["nonsense"]


def test_the_place_begins_with_what_the_caller_is_reading() -> None:
    _, mistakes = convert_fields({"count": "x", "cuont": 1}, Thing, where="sitemap")
    assert [str(mistake) for mistake in mistakes] == [
        "sitemap.count: 'x' is not a whole number",
        "sitemap.cuont: there is no such name; did you mean 'count'?",
    ]


@pytest.mark.parametrize(
    ("name", "written", "converted"),
    [
        ("count", "3", 3),
        ("weight", " 0.5 ", 0.5),
        ("weight", "1", 1.0),
        ("flag", "true", True),
        ("flag", "Yes", True),
        ("flag", " ON ", True),
        ("flag", "False", False),
        ("flag", "no", False),
        ("flag", "off", False),
        ("flag", True, True),
        ("speed", "Slow ", "slow"),
        ("words", "FAST", ("fast",)),
        ("even", " 4 ", Even(4)),
        ("parts", [{"size": "1", "color": "RED"}], (Part(size=1, color="red"),)),
        ("levels", {"a": "Low"}, {"a": "low"}),
        ("size", {"width": " 5", "unit": "MM", "even": " 4"}, Size(width=5, unit="mm", even=Even(4))),
    ],
)
def test_lax_reads_text(name: str, written: object, converted: object) -> None:
    assert convert_fields({name: written}, Thing, lax=True) == ({name: converted}, [])


@pytest.mark.parametrize(
    ("name", "written", "message"),
    [
        ("weight", "high", "'high' is not a number from 0.0 to 1.0"),
        ("weight", "2", "'2' is not a number from 0.0 to 1.0"),
        ("weight", "nan", "'nan' is not a number from 0.0 to 1.0"),
        ("weight", "", "'' is not a number from 0.0 to 1.0"),
        ("flag", "perhaps", "'perhaps' is not true or false"),
        ("even", "3", "'3' is not even"),
    ],
)
def test_lax_does_not_guess(name: str, written: object, message: str) -> None:
    assert convert_fields({name: written}, Thing, lax=True) == ({}, [Mistake(name, message)])


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner),
    max_leaves=8,
)


@PROPERTY
@given(st.dictionaries(st.sampled_from(Thing.__struct_fields__) | st.text(), json_like), st.booleans())
def test_every_value_is_converted_or_a_mistake(values: dict[str, Any], lax: bool) -> None:  # noqa: FBT001  # hypothesis fills it in
    converted, mistakes = convert_fields(values, Thing, lax=lax)
    assert Thing(**converted)
    for name, value in values.items():
        is_mistaken = any(mistake.where.startswith(name) for mistake in mistakes)
        assert (name in converted) or is_mistaken or value is None


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("filname", "; did you mean 'filename'?"),
        ("gzpi", "; did you mean 'gzip'?"),
        ("color", "; the names are filename and gzip"),
    ],
)
def test_a_slip_is_told_the_nearest_name_and_a_guess_all_names(name: str, ending: str) -> None:
    assert did_you_mean(name, iter(["filename", "gzip"])) == ending


@pytest.mark.parametrize(
    ("words", "last", "text"),
    [
        (["a"], "and", "a"),
        (["a", "b"], "and", "a and b"),
        (["a", "b", "c"], "or", "a, b or c"),
        ([1, 2], "and", "1 and 2"),
    ],
)
def test_a_listing_reads_as_a_sentence(words: list[object], last: str, text: str) -> None:
    assert listing(iter(words), last) == text


@pytest.mark.parametrize(("number", "text"), [(0, ""), (1, " (and so 1 more page)"), (2, " (and so 2 more pages)")])
def test_the_pages_of_which_the_same_is_true_are_counted(number: int, text: str) -> None:
    assert and_so_many(number) == text
