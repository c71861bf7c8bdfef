"""Options that name files: what an author writes becomes a value or an error message."""

import os
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.options.groups import FeedFile
from sitemap_plugins.options.settings import JSONFile
from sitemap_plugins.options.types import FileNames, IgnoreRevs

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just("../a.py"),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=6,
)
HUGE = 16**5000  # more digits than Python converts to text


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("a.py", ("a.py",)),
        (" a.py ,b.py", ("a.py", "b.py")),
        (["a.py", " b.py "], ("a.py", "b.py")),
        (("a.py",), ("a.py",)),
        (["a, b.py"], ("a, b.py",)),
        ("../src/**/*.py", ("../src/**/*.py",)),
        ("docs", ("docs",)),
        ("[a", ("[a",)),
        ("ab:c", ("ab:c",)),
        ("\\a", ("\\a",)),
        ("a\nb", ("a\nb",)),
        ("\udcff", ("\udcff",)),
    ],
)
def test_names_are_one_or_several(written: object, names: tuple[str, ...]) -> None:
    assert FileNames.parse(written) == names


@pytest.mark.parametrize(
    ("written", "message"),
    [
        (None, "None is not a file name or a list of file names"),
        (5, "5 is not a file name or a list of file names"),
        pytest.param(HUGE, "a huge number is not a file name or a list of file names", id="huge number"),
        (b"a.py", "b'a.py' is not a file name or a list of file names"),
        ([], "[] is not a file name or a list of file names"),
        ((), "() is not a file name or a list of file names"),
        (["a", ["b"]], "['a', ['b']] is not a file name or a list of file names"),
        ({"a": "b"}, "{'a': 'b'} is not a file name or a list of file names"),
        ({"a"}, "{'a'} is not a file name or a list of file names"),
        ("", "'' has an empty name in it"),
        ("a,,b", "'a,,b' has an empty name in it"),
        (["a", " "], "['a', ' '] has an empty name in it"),
        ("a, /b", "'/b' is not relative to the folder of the configuration"),
        ("//server/b", "'//server/b' is not relative to the folder of the configuration"),
        (r"\\server\share\b", r"'\\\\server\\share\\b' is not relative to the folder of the configuration"),
        ("c:b", "'c:b' is not relative to the folder of the configuration"),
        (["a", "b\0c"], r"'b\x00c' is not a file name"),
        pytest.param(
            "\ud800", r"'\ud800' is not a file name", marks=pytest.mark.skipif(os.name == "nt", reason="a name there")
        ),
    ],
)
def test_invalid_file_names_are_refused(written: object, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        FileNames.parse(written)


@pytest.mark.parametrize(
    ("written", "files"),
    [(True, None), (False, ()), ("revs", ("revs",)), (["a", "b"], ("a", "b"))],
)
def test_commits_to_ignore_are_in_the_default_file_in_named_files_or_in_none(
    written: object, files: tuple[str, ...] | None
) -> None:
    assert IgnoreRevs.parse(written).files == files
    assert IgnoreRevs.parse(written) == IgnoreRevs.parse(written)
    assert hash(IgnoreRevs.parse(written)) == hash(IgnoreRevs.parse(written))
    assert IgnoreRevs.parse(written) != files


def test_different_ways_to_ignore_commits_are_different_values() -> None:
    assert len({IgnoreRevs.parse(written) for written in (True, False, "a", ["a"], "b")}) == 4


@pytest.mark.parametrize("written", [1, 0, "", [], None])
def test_an_invalid_ignore_revs_is_answered_with_the_three_forms(written: object) -> None:
    with pytest.raises(ValueError, match=r"; true, false or file names are expected$"):
        IgnoreRevs.parse(written)


@pytest.mark.parametrize("name", ["a.json", "site-record.json", "A_1.2-x.json", "a.json.json", "0.json"])
def test_the_record_has_a_plain_json_name(name: str) -> None:
    assert JSONFile.parse(name) == name


@pytest.mark.parametrize(
    "name",
    [
        *("", "a", "a.JSON", ".json", "-a.json", "a/b.json", "../a.json", "a\\b.json", "é.json", "a.json\n"),
        *(pytest.param(HUGE, id="huge number"), True, None, b"a.json", ["a.json"]),
    ],
)
def test_a_name_that_is_not_plain_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match=r" is not a plain file name that ends in \.json, like site-record\.json$"):
        JSONFile.parse(name)


@pytest.mark.parametrize("name", ["a.xml", "a.rss", "a.atom"])
def test_a_feed_has_one_of_three_extensions(name: str) -> None:
    assert FeedFile.parse(name) == name


@pytest.mark.parametrize("parse", [FileNames.parse, IgnoreRevs.parse, JSONFile.parse, FeedFile.parse])
@given(anything)
def test_anything_is_a_value_or_an_error(parse: Callable[[object], object], written: object) -> None:
    value = parsed(parse, written)
    if isinstance(value, ValueError):
        assert "\n" not in str(value)
        assert not isinstance(value, UnicodeError)
        return
    assert parsed(parse, written) == value
    names = value.files or () if isinstance(value, IgnoreRevs) else [value] if isinstance(value, str) else value
    assert [name for name in names if not (name == name.strip() != "" and "\0" not in name)] == []


def parsed(parse: Callable[[object], Any], written: object) -> Any:
    """The value, or the error."""
    try:
        return parse(written)
    except ValueError as error:
        return error
