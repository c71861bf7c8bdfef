"""Conversion of what authors write to typed values. Every mistake is found and explained in their terms."""

from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.options.convert import Facts, Mistake, convert_fields, convert_structs, fields_of


class Even:
    """A type with a ``parse``."""

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


class Part(msgspec.Struct, frozen=True, kw_only=True):
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


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """A struct whose main field can be written alone."""

    SHORTHAND: ClassVar[str] = "words"

    words: tuple[str, ...] = ()
    size: int = 0


class Thing(msgspec.Struct, kw_only=True):
    title: str = ""
    count: int = 0
    flag: bool | None = None
    weight: Annotated[float, msgspec.Meta(ge=0.0, le=1.0)] | None = None
    margin: Annotated[int, msgspec.Meta(ge=1, le=3), Facts(needs="size")] = 1
    perhaps_even: Annotated[Even | None, Facts(words="an even number")] = None
    speed: Literal["slow", "fast"] | None = None
    words: tuple[Literal["slow", "fast"], ...] = ()
    even: Even | None = None
    parts: tuple[Part, ...] = ()
    levels: dict[str, Literal["low", "high"]] = {}
    size: Size = Size()
    part: Part = Part(size=1)
    group: Group = Group()
    perhaps: Group | None = None
    groups: dict[str, Group] = {}
    switch: bool | Literal["only"] | None = None
    short: Annotated[tuple[str, ...], msgspec.Meta(max_length=2)] = ()
    count_to_nine: Annotated[int, msgspec.Meta(ge=1, le=9)] | None = None


@pytest.mark.parametrize(
    ("name", "written", "converted"),
    [
        ("title", "A Title", "A Title"),
        ("count", 3, 3),
        ("flag", True, True),
        ("weight", 1, 1.0),
        ("words", ["slow", "fast"], ("slow", "fast")),
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
        ("group", "a", Group(words=("a",))),
        ("group", ["a", "b"], Group(words=("a", "b"))),
        ("group", ("a",), Group(words=("a",))),
        ("group", {"words": "a", "size": 2}, Group(words=("a",), size=2)),
        ("perhaps", {"size": 2}, Group(size=2)),
        ("perhaps", ["a", "b"], Group(words=("a", "b"))),
        ("groups", {"x": ["a"], 1: {"size": 2}}, {"x": Group(words=("a",)), "1": Group(size=2)}),
        ("switch", True, True),
        ("switch", "only", "only"),
        ("short", ["a", "b"], ("a", "b")),
        ("count_to_nine", 9, 9),
    ],
)
def test_a_valid_value_is_converted(name: str, written: object, converted: object) -> None:
    assert convert_fields({name: written}, Thing) == ({name: converted}, [])


@pytest.mark.parametrize(
    ("name", "written", "where", "message"),
    [
        ("title", 5, "title", "5 is not text"),
        ("count", "5", "count", "'5' is not a whole number"),
        ("count", 1.5, "count", "1.5 is not a whole number"),
        ("flag", "yes", "flag", "'yes' is not true or false"),
        ("weight", 2, "weight", "2 is not a number from 0.0 to 1.0"),
        ("weight", float("nan"), "weight", "nan is not a number from 0.0 to 1.0"),
        ("weight", True, "weight", "True is not a number from 0.0 to 1.0"),
        ("margin", 4, "margin", "4 is not a whole number from 1 to 3"),
        ("perhaps_even", 3, "perhaps_even", "3 is not even"),
        ("speed", "fats", "speed", "'fats' is not slow or fast; did you mean 'fast'?"),
        ("speed", "Slow", "speed", "'Slow' is not slow or fast; did you mean 'slow'?"),
        ("words", 5, "words", "5 is not a list"),
        ("words", ["slow", "fats"], "words[1]", "'fats' is not slow or fast; did you mean 'fast'?"),
        ("words", ["slow", 5], "words[1]", "5 is not slow or fast"),
        ("even", 3, "even", "3 is not even"),
        ("parts", {"size": 1}, "parts", "{'size': 1} is not a list: write [{'size': 1}]"),
        ("part", {}, "part", "a part needs a size or a color"),
        ("part", {"sice": 1}, "part.sice", "unknown key; did you mean 'size'?"),
        ("group", 5, "group", "5 is not a mapping; valid names are words and size"),
        ("perhaps", True, "perhaps", "True is not a mapping; valid names are words and size"),
        ("groups", ["a"], "groups", "['a'] is not a mapping"),
        ("switch", "onyl", "switch", "'onyl' is not true, false or only; did you mean 'only'?"),
        ("switch", "ture", "switch", "'ture' is not true, false or only; did you mean 'true'?"),
        ("switch", "True", "switch", "'True' is not true, false or only; write true without quotes"),
        ("switch", 1, "switch", "1 is not true, false or only"),
        ("short", ["a", "b", "c"], "short", "it has more than 2 items"),
        ("count_to_nine", 10, "count_to_nine", "10 is not a whole number from 1 to 9"),
        ("count_to_nine", "x", "count_to_nine", "'x' is not a whole number from 1 to 9"),
        ("parts", ["size"], "parts[0]", "'size' is not a mapping; valid names are size and color"),
        ("parts", [{"size": 1}, {}], "parts[1]", "a part needs a size or a color"),
        ("parts", [{"size": "x"}], "parts[0].size", "'x' is not a whole number"),
        ("levels", "low", "levels", "'low' is not a mapping"),
        ("size", "big", "size", "'big' is not a mapping; valid names are width, unit and even"),
        ("wieght", 1, "wieght", "unknown key; did you mean 'weight'?"),
    ],
)
def test_a_mistake_names_its_place_and_the_allowed_values(name: str, written: object, where: str, message: str) -> None:
    converted, mistakes = convert_fields({name: written}, Thing)
    assert mistakes == [Mistake(where, message)]
    assert converted == {}


@pytest.mark.parametrize(
    ("name", "written", "where", "message", "kept"),
    [
        ("levels", {"a": "lo"}, "levels.a", "'lo' is not low or high; did you mean 'low'?", {}),
        ("levels", {"a": 5, "b": "high"}, "levels.a", "5 is not low or high", {"b": "high"}),
        ("levels", {"b": "high", 5: None}, "levels.5", "None is not low or high", {"b": "high"}),
        ("size", {"width": 1.5, "unit": "inch"}, "size.width", "1.5 is not a whole number", Size(unit="inch")),
        ("size", {"width": 5, "unit": "ich"}, "size.unit", "'ich' is not mm or inch; did you mean 'inch'?", Size(width=5)),
        ("size", {"width": 5, "even": 3}, "size.even", "3 is not even", Size(width=5)),
        ("size", {"witdh": 5}, "size.witdh", "unknown key; did you mean 'width'?", Size()),
        ("size", {"width": 5, 7: 7}, "size.7", "unknown key; valid names are width, unit and even", Size(width=5)),
        ("size", {"width": 5, "unit": "\ud800"}, "size.unit", "'\\ud800' cannot be encoded as UTF-8", Size(width=5)),
        ("group", ["a", 5], "group.words[1]", "5 is not text", Group()),
        ("group", {"word": "a", "size": 2}, "group.word", "unknown key; did you mean 'words'?", Group(size=2)),
        ("groups", {"x": 5, "y": "a"}, "groups.x", "5 is not a mapping; valid names are words and size", {"y": Group(words=("a",))}),
        ("groups", {"x": {"size": "a"}, "y": {}}, "groups.x.size", "'a' is not a whole number", {"y": Group()}),
    ],
)  # fmt: skip
def test_valid_items_of_a_mapping_are_kept(name: str, written: object, where: str, message: str, kept: object) -> None:
    assert convert_fields({name: written}, Thing) == ({name: kept}, [Mistake(where, message)])


def test_a_huge_number_is_answered_with_the_bounds() -> None:
    _, mistakes = convert_fields({"weight": 10**400}, Thing)
    assert [mistake.where for mistake in mistakes] == ["weight"]
    assert "from 0.0 to 1.0" in mistakes[0].message


def test_no_mistake_hides_another() -> None:
    written = {"count": "x", "levels": {"a": 1, "b": "high", "c": 2}, "parts": [{"size": "x", "s": 1}, 5, {"size": 2}]}
    _, mistakes = convert_fields(written, Thing)
    places = ["count", "levels.a", "levels.c", "parts[0].size", "parts[0].s", "parts[1]"]
    assert [mistake.where for mistake in mistakes] == places


def test_none_leaves_a_field_open_but_an_unknown_name_is_a_mistake() -> None:
    converted, mistakes = convert_fields({"count": None, "nonsense": None}, Thing)
    assert converted == {}
    assert [mistake.where for mistake in mistakes] == ["nonsense"]


def test_the_place_starts_with_the_prefix_of_the_caller() -> None:
    _, mistakes = convert_fields({"count": "x", "cuont": 1}, Thing, where="sitemap")
    assert [str(mistake) for mistake in mistakes] == [
        "sitemap.count: 'x' is not a whole number",
        "sitemap.cuont: unknown key; did you mean 'count'?",
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
        ("flag", "off", False),
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
        ("weight", "nan", "'nan' is not a number from 0.0 to 1.0"),
        ("weight", "", "'' is not a number from 0.0 to 1.0"),
        ("flag", "perhaps", "'perhaps' is not true or false"),
        ("even", "3", "'3' is not even"),
    ],
)
def test_lax_does_not_guess(name: str, written: object, message: str) -> None:
    assert convert_fields({name: written}, Thing, lax=True) == ({}, [Mistake(name, message)])


def test_what_is_declared_at_a_field_is_known_by_its_name() -> None:
    facts = {name: facts for name, (_, facts) in fields_of(Thing).items() if facts != Facts()}
    assert facts == {"margin": Facts(needs="size"), "perhaps_even": Facts(words="an even number")}


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.none(), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(Thing.__struct_fields__) | st.text(), json_like), st.booleans())
def test_every_value_is_converted_or_a_mistake(values: dict[str, Any], lax: bool) -> None:
    converted, mistakes = convert_fields(values, Thing, lax=lax)
    assert Thing(**converted)
    for name, value in values.items():
        is_mistaken = any(mistake.where.startswith(name) for mistake in mistakes)
        assert (name in converted) or is_mistaken or value is None


class TestLists:
    """If an item of a list is invalid, a page keeps the others, but an option is not used at all: it can be fixed."""

    WRITTEN = ({"size": 1}, {"sice": 2}, 5, {}, {"color": "blue", "size": 3}, {"color": "red"})
    PLACES = ("at[1].sice", "at[2]", "at[3]", "at[4].color")

    def test_all_items_of_an_option_have_to_be_valid(self) -> None:
        structs, mistakes = convert_structs(self.WRITTEN, Part, "at", lax=False)
        assert structs is None
        assert tuple(mistake.where for mistake in mistakes) == self.PLACES

    def test_valid_items_of_a_page_are_kept(self) -> None:
        structs, mistakes = convert_structs(self.WRITTEN, Part, "at", lax=True)
        assert structs == (Part(size=1), Part(color="red"))
        assert tuple(mistake.where for mistake in mistakes) == self.PLACES

    def test_without_a_valid_item_there_is_no_list(self) -> None:
        assert convert_structs([5, {}], Part, "at", lax=True)[0] is None

    @pytest.mark.parametrize("lax", [False, True])
    def test_an_empty_list_stays_empty(self, *, lax: bool) -> None:
        assert convert_structs([], Part, "at", lax=lax) == ((), [])

    @pytest.mark.parametrize(("value", "lax"), [("a", False), ('[{"size": 1}]', False), (5, True), (None, True)])
    def test_other_values_are_not_a_list(self, value: object, *, lax: bool) -> None:
        assert convert_structs(value, Part, "at", lax=lax) == (None, [Mistake("at", f"{value!r} is not a list")])

    def test_where_all_values_are_text_a_list_is_json(self) -> None:
        assert convert_structs('[{"size": 1}]', Part, "at", lax=True) == ((Part(size=1),), [])
        mistake = Mistake("at", "'a' is not JSON; write a list of mappings")
        assert convert_structs("a", Part, "at", lax=True) == (None, [mistake])
