"""Options that name files: what an author writes becomes a value or an error message."""

import os
import re

import pytest

from sitemap_plugins.options.settings import FeedFile, JSONFile
from sitemap_plugins.options.types import FileNames, IgnoreRevs

HUGE = 16**5000  # more digits than Python converts to text


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("a.py", ("a.py",)),
        (" a.py ,b.py", ("a.py", "b.py")),
        (["a.py", " b.py "], ("a.py", "b.py")),
        (("a.py",), ("a.py",)),
        (["a, b.py"], ("a, b.py",)),
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
        (5, "5 is not a file name or a list of file names"),
        pytest.param(HUGE, "a huge number is not a file name or a list of file names", id="huge number"),
        ([], "[] is not a file name or a list of file names"),
        (["a", ["b"]], "['a', ['b']] is not a file name or a list of file names"),
        ({"a": "b"}, "{'a': 'b'} is not a file name or a list of file names"),
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


@pytest.mark.parametrize("written", [1, 0, "", [], None])
def test_an_invalid_ignore_revs_is_answered_with_the_three_forms(written: object) -> None:
    with pytest.raises(ValueError, match=r"; true, false or file names are expected$"):
        IgnoreRevs.parse(written)


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
