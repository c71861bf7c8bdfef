"""What an author writes becomes a value, or a message with the mistake."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.options.settings import JSONFile
from sitemap_plugins.options.types import (
    Alternates,
    BaseURL,
    Filename,
    FileNames,
    FilePath,
    Globs,
    Hook,
    IgnoreRevs,
    ImageChoice,
    PageChoice,
    PagesFile,
    SectionName,
    SourcePattern,
    WrittenDate,
    XDefault,
)

HUGE = 16**5000  # more digits than Python converts to text; 0xfff… in YAML makes such a number


def refusal(parse: Callable[[object], object], value: object) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        parse(value)
    return str(error.value)


class TestBaseURL:
    @pytest.mark.parametrize(
        ("written", "url"),
        [("https://Example.org", "https://example.org/"), (" http://x.org/é ", "http://x.org/%C3%A9/")],
    )
    def test_equal_urls_have_one_form(self, written: str, url: str) -> None:
        assert BaseURL.parse(written) == url

    @pytest.mark.parametrize("value", [None, 5, b"https://example.org/", ["https://example.org/"]])
    def test_other_types_are_refused(self, value: object) -> None:
        assert refusal(BaseURL.parse, value) == f"{value!r} is not a URL like https://docs.example.org/"

    @pytest.mark.parametrize("value", ["", "/", "docs/", "//example.org/", "ftp://example.org/", "https://x.org/?a"])
    def test_other_text_is_answered_with_an_example(self, value: str) -> None:
        message = refusal(BaseURL.parse, value)
        assert message.startswith(f"{value!r} ")
        assert message.endswith("; it should look like https://docs.example.org/")


class TestGlobs:
    @pytest.mark.parametrize(
        ("globs", "path", "expected"),
        [
            (["drafts/**"], "drafts/a/b/", True),
            (["drafts/**"], "guides/drafts/a/", False),
            (["drafts/"], "guides/drafts/a/", True),
            (["/drafts/"], "guides/drafts/a/", False),
            (["*.html", "!index.html"], "index.html", False),
            (["!index.html", "*.html"], "index.html", True),
            (["[ab].html"], "b.html", True),
            (["drafts/**", "!drafts/preview/"], "drafts/preview/", False),
            (["*", "!guide/"], "guide/", False),
        ],
    )
    def test_they_match_as_in_gitignore(self, globs: list[str], path: str, *, expected: bool) -> None:
        assert Globs.parse(globs).matches(path) is expected

    def test_they_are_equal_by_their_patterns_before_and_after_use(self) -> None:
        used = Globs.parse(["a/"])
        assert used.matches("a/")
        for other in (Globs(("a/",)), pickle.loads(pickle.dumps(used))):  # noqa: S301  # our own data
            assert (other, hash(other), other.matches("a/")) == (used, hash(used), True)

    @pytest.mark.parametrize("glob", ["[z-a]", "a[z-a]b/", "**/[9-0].html"])
    def test_a_reversed_range_is_refused(self, glob: str) -> None:
        assert refusal(Globs.parse, [glob]).startswith(f"{[glob]!r} is not a list of globs (")

    @pytest.mark.parametrize("glob", ["[[]x].html", "/[[]x].html", "[[:a:]x].html"])
    def test_a_bracket_in_brackets_gives_no_python_warning(self, glob: str) -> None:
        assert not Globs.parse([glob]).matches("a.html")


class TestPageChoice:
    @pytest.mark.parametrize(
        ("written", "choice"),
        [(True, ("*",)), (False, ()), ("api/", ("api/",)), (["a", "!b"], ("a", "!b")), ([], ())],
    )
    def test_it_is_all_pages_no_pages_or_matching_pages(self, written: object, choice: tuple[str, ...]) -> None:
        assert PageChoice.parse(written).patterns == choice

    @pytest.mark.parametrize("value", [None, 1, {"a": 1}, ["a", 5], "#a", " "])
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(PageChoice.parse, value).endswith("; true, false or a list of globs is expected")


class TestHook:
    def test_one_parsed_from_text_is_not_imported(self) -> None:
        assert Hook.parse("no_such_module:function").target == ("no_such_module", "function")

    def test_a_function_without_a_module_is_named_alone(self) -> None:
        def adjust() -> None: ...

        adjust.__module__ = None
        adjust.__qualname__ = "adjust"
        assert Hook.parse(adjust).name == "adjust"


class TestAlternates:
    @pytest.mark.parametrize(
        ("written", "found"),
        [
            ({"fr": "fr/installation/"}, {"fr": "fr/installation/"}),
            ({"pt_BR": " pt.md ", "zh-hans": "zh/"}, {"pt-BR": "pt.md", "zh-Hans": "zh/"}),
            ('{"fr": "fr/", "de": "de/"}', {"fr": "fr/", "de": "de/"}),
            (' {"fr": "\\u00e9/"} ', {"fr": "é/"}),
            ("fr: fr/", {"fr": "fr/"}),
            (" fr :fr/ ,pt_BR: pt.rst ", {"fr": "fr/", "pt-BR": "pt.rst"}),
            (
                "fr: https://example.org/, de: //de.example/?a:b",
                {"fr": "https://example.org/", "de": "//de.example/?a:b"},
            ),
        ],
    )
    def test_a_mapping_or_its_json_text_is_read(self, written: object, found: dict[str, str]) -> None:
        assert Alternates.parse(written) == found

    @pytest.mark.parametrize(
        "value",
        [None, 5, ["fr/"], "", "fr/", "fr:", "fr: fr/, de", "fr: fr/,", "[1]", "null", "[" * 100_000, "9" * 5000],
    )
    def test_other_types_are_refused(self, value: object) -> None:
        message = refusal(Alternates.parse, value)
        assert message.endswith("is not a mapping such as {fr: fr/installation/}")
        assert len(message) < 300

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ({"jp": "a"}, "'jp' is not a language code that search engines know; did you mean 'ja'?"),
            ({False: "a"}, "False is not a language code such as 'en' or 'pt-BR'; write it in quotes: 'no'"),
            ({None: "a"}, "None is not a language code such as 'en' or 'pt-BR'"),
            ({"x-default": "a"}, "'x-default' is not a language: it marks the default page"),
            ({"pt-BR": "a", "pt_br": "b"}, "there are two pages for pt-BR"),
            ("pt-BR: a, pt_br: b", "there are two pages for pt-BR"),
            ("fr: a, fr: b", "there are two pages for fr"),
            ('{"fr": "a", "FR": "b"}', "there are two pages for fr"),
            ('{"fr": ', "'{\"fr\"' is not a language code such as 'en' or 'pt-BR'"),
            ("fr: ", "' ' is not a page in fr: write its URL, its path, or its source file"),
            ({"fr": " "}, "' ' is not a page in fr: write its URL, its path, or its source file"),
            ('{"fr": 5}', "5 is not a page in fr: write its URL, its path, or its source file"),
        ],
    )
    def test_a_mistake_in_it_is_named(self, written: object, message: str) -> None:
        assert refusal(Alternates.parse, written) == message


class TestXDefault:
    @pytest.mark.parametrize(
        ("written", "language", "page"),
        [
            (True, "", None),
            (False, None, None),
            ("en", "en", None),
            ("pt_br", "pt-BR", None),
            ("/choose/", "", "/choose/"),
            (" choose.html ", "", "choose.html"),
            ("https://example.org/", "", "https://example.org/"),
            (".", "", "."),
        ],
    )
    def test_it_is_a_language_a_page_or_none(self, written: object, language: str | None, page: str | None) -> None:
        found = XDefault.parse(written)
        assert (found.language, found.page) == (language, page)

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("jp", "'jp' is not a language code that search engines know; did you mean 'ja'?"),
            ("choose", "'choose' is not a language code such as 'en' or 'pt-BR'"),
            ("", "'' is not a language code such as 'en' or 'pt-BR'"),
            *(
                (value, f"{value!r} is not true, false, a language such as en, or the path of a page such as /choose/")
                for value in (None, 1, 0.5, ["en"], {"en": 1}, b"en")
            ),
        ],
    )
    def test_other_values_are_refused(self, written: object, message: str) -> None:
        assert refusal(XDefault.parse, written) == message


KEYS = st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from(["en", "pt_BR", "../a.py"])
VALUES = st.recursive(
    st.floats() | st.binary() | KEYS, lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner), max_leaves=6
)
TYPES = [
    Filename,
    BaseURL,
    WrittenDate,
    Globs,
    PageChoice,
    Hook,
    Alternates,
    XDefault,
    SourcePattern,
    FileNames,
    FilePath,
    IgnoreRevs,
    JSONFile,
    PagesFile,
    ImageChoice,
    SectionName,
]


def is_parsed_or_refused(kind: type, value: object) -> bool:
    try:
        return isinstance(kind.parse(value), kind)
    except ValueError as error:
        return bool(str(error))


@pytest.mark.parametrize("kind", TYPES)
@given(VALUES | st.dictionaries(st.text(), st.text()).map(json.dumps))
def test_anything_is_a_value_or_an_error(kind: type, value: object) -> None:
    assert is_parsed_or_refused(kind, value)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize(
    "value",
    [HUGE, [HUGE], {HUGE: HUGE}, {"en": HUGE}],
    ids=lambda value: type(value).__name__,
)
def test_a_huge_number_is_refused_like_any_other(kind: type, value: object) -> None:
    assert is_parsed_or_refused(kind, value)
