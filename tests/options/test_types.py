"""What an author writes becomes a value, or a message with the mistake."""

from __future__ import annotations

import json
import os
import pickle
import re
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.media import Video
from sitemap_plugins.options.convert import convert_fields
from sitemap_plugins.options.settings import Countries, FeedFile, JSONFile, Platforms, VideoValues
from sitemap_plugins.options.types import (
    Alternates,
    BaseURL,
    Filename,
    FileNames,
    FilePath,
    Globs,
    Hook,
    HostPattern,
    IgnoreRevs,
    ImageChoice,
    LanguageCode,
    MediaURL,
    NewsLanguage,
    PageChoice,
    PagesFile,
    SectionName,
    Selector,
    SourcePattern,
    Text,
    Title,
    WrittenDate,
    XDefault,
)
from sitemap_plugins.values.text import CONTROL, one_line

HUGE = 16**5000  # more digits than Python converts to text; 0xfff… in YAML makes such a number


A_HUGE_NUMBER = pytest.param(HUGE, id="huge number")
HOSTILE = [None, True, 5, 1.5, A_HUGE_NUMBER, b"a", ["a"], {"a": 1}, object()]


def refusal(kind: Any, value: object) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        kind.parse(value)
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
        assert refusal(BaseURL, value) == f"{value!r} is not a URL like https://docs.example.org/"

    @pytest.mark.parametrize("value", ["", "/", "docs/", "//example.org/", "ftp://example.org/", "https://x.org/?a"])
    def test_other_text_is_answered_with_an_example(self, value: str) -> None:
        message = refusal(BaseURL, value)
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
        assert refusal(Globs, [glob]).startswith(f"{[glob]!r} is not a list of globs (")

    @pytest.mark.parametrize("glob", ["[[]x].html", "/[[]x].html", "[[:a:]x].html"])
    def test_a_bracket_in_brackets_gives_no_python_warning(self, glob: str) -> None:
        assert not Globs.parse([glob]).matches("a.html")


class TestPageChoice:
    @pytest.mark.parametrize(
        ("written", "choice"), [(True, ("*",)), (False, ()), ("api/", ("api/",)), (["a", "!b"], ("a", "!b")), ([], ())]
    )
    def test_it_is_all_pages_no_pages_or_matching_pages(self, written: object, choice: tuple[str, ...]) -> None:
        assert PageChoice.parse(written).patterns == choice

    @pytest.mark.parametrize("value", [None, 1, {"a": 1}, ["a", 5], "#a", " "])
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(PageChoice, value).endswith("; true, false or a list of globs is expected")


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
        message = refusal(Alternates, value)
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
        assert refusal(Alternates, written) == message


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
        assert refusal(XDefault, written) == message


class TestText:
    @pytest.mark.parametrize(
        ("written", "text"),
        [
            ("A title", "A title"),
            ("  two\n lines\tand\u2028a\u00a0half ", "two lines and a half"),
            ("ü😀", "ü😀"),
            ("<b> & 'b'", "<b> & 'b'"),
            ("\u202bא\u202c and \u2067א\u2069", "א and \u2067א\u2069"),
        ],
    )
    def test_it_is_on_one_line(self, written: str, text: str) -> None:
        assert Text.parse(written) == Title.parse(written) == text

    @pytest.mark.parametrize(("kind", "length"), [(Text, 2048), (Title, 100)])
    def test_it_is_not_too_long(self, kind: type[Text], length: int) -> None:
        assert len(kind.parse(f" {'ü' * length} ")) == length
        message = refusal(kind, "ü" * (length + 1))
        assert message.startswith(f"it has {length + 1:,} characters; at most {length:,} are allowed: 'üü")
        assert len(message) < 300

    @pytest.mark.parametrize("value", ["", " ", "\n\t", "\u202e"])
    def test_it_is_not_empty(self, value: str) -> None:
        assert refusal(Text, value) == "it is empty"

    @pytest.mark.parametrize("character", ["\0", "\x0b", "\x1b", "\x7f", "\x85", "\ud800", "\uffff"])
    def test_it_has_no_control_characters(self, character: str) -> None:  # SM-XML-05
        assert refusal(Text, f"a{character}b") == f"{f'a{character}b'!r} has a control character in it"

    @pytest.mark.parametrize("value", HOSTILE)
    def test_other_values_are_not_text(self, value: object) -> None:
        assert refusal(Text, value).endswith(" is not text")

    @given(st.text(max_size=120))
    def test_accepted_text_can_be_written(self, written: str) -> None:
        try:
            text = Title.parse(written)
        except ValueError:
            return
        assert text == Title.parse(text)
        assert 0 < len(text) <= 100
        assert not CONTROL.search(text)
        assert text == one_line(written)


class TestMediaURL:
    @pytest.mark.parametrize(
        ("written", "url"),
        [
            ("videos/tour.mp4", "videos/tour.mp4"),
            ("/a b/ü.png", "/a b/ü.png"),
            (" https://example.org/a?b#c\n", "https://example.org/a?b#c"),
            ("//cdn.example.org/a.png", "//cdn.example.org/a.png"),
            # The base URL is needed to tell whether it can be published.
            ("ftp://example.org/", "ftp://example.org/"),
        ],
    )
    def test_it_is_a_url_or_a_path(self, written: str, url: str) -> None:
        assert MediaURL.parse(written) == url

    @pytest.mark.parametrize("value", [*HOSTILE, "", " ", "a\nb", "a\u2028b", "a\0", "\ud800.png", "a\x1b"])
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(MediaURL, value).endswith(" is not a URL or a path below the base URL such as videos/tour.mp4")

    @pytest.mark.parametrize("value", ["data:image/png;base64,AAAA", " DATA:,a", "data:"])
    def test_data_urls_are_refused(self, value: str) -> None:
        assert refusal(MediaURL, value) == "search engines cannot fetch a data: URL"


class TestHostPattern:
    @pytest.mark.parametrize(
        ("written", "pattern"),
        [
            ("cdn.example.org", "cdn.example.org"),
            (" CDN.Example.org\n", "cdn.example.org"),
            ("*.example.org", "*.example.org"),
            ("img-*.example.org", "img-*.example.org"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("*.BÜCHER.example", "*.xn--bcher-kva.example"),
            ("a_b.example", "a_b.example"),
        ],
    )
    def test_it_is_a_host_name_as_in_urls(self, written: str, pattern: str) -> None:
        assert HostPattern.parse(written) == pattern

    @pytest.mark.parametrize(
        "value",
        [
            *HOSTILE,
            *("", " ", "https://cdn.example.org", "//cdn.example.org", "cdn.example.org/", "cdn.example.org:8443"),
            *("[::1]", "[a-z].example", "a b", "a,b", "a?", "!a", "a@b", "\0", "\ud800", "*ü.example\udcff"),
            pytest.param(f"{'ü' * 70}.example", id="too long a label"),
        ],
    )
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(HostPattern, value).endswith(" is not a host name such as cdn.example.org or *.example.org")

    @given(st.text(max_size=20))
    def test_accepted_patterns_can_match_a_url(self, written: str) -> None:
        try:
            pattern = HostPattern.parse(written)
        except ValueError:
            return
        assert pattern.isascii()
        assert pattern == pattern.lower() == HostPattern.parse(pattern)


class TestImageChoice:
    @pytest.mark.parametrize(
        ("written", "added", "removed"),
        [
            (True, [], []),
            (False, [], ["*"]),
            ("yes", [], []),
            (" False ", [], ["*"]),
            ("a.png", ["a.png"], []),
            ("a.png, !b/** ,c.png", ["a.png", "c.png"], ["b/**"]),
            (["a, b.png", " !c.png "], ["a, b.png"], ["c.png"]),
            (["! c.png"], [], ["c.png"]),
            (("!a", "!b", "c"), ["c"], ["a", "b"]),
            # A second one cancels the first, as in all globs.
            (["!*", "!!a.png"], [], ["*", "!a.png"]),
            (["[a.png", "a?b"], ["[a.png", "a?b"], []),
        ],
    )
    def test_accepted_values(self, written: object, added: list[str], removed: list[str]) -> None:
        choice = ImageChoice.parse(written)
        assert choice == ImageChoice(tuple(MediaURL(each) for each in added), Globs(tuple(removed)))

    @pytest.mark.parametrize("value", [None, 5, A_HUGE_NUMBER, {"a": 1}, ["a", 5], [["a"]], object(), [b"a"]])
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(ImageChoice, value).endswith(
            " is not true, false or a list of URLs; ! before a URL removes an image"
        )

    @pytest.mark.parametrize(
        "value", ["", " , ", "a,", ["a", ""], ["\0"], ["data:,"], "!", ["!"], ["! "], ["!#"], b"a"]
    )
    def test_every_part_has_to_be_valid(self, value: object) -> None:
        assert refusal(ImageChoice, value)

    @pytest.mark.parametrize(
        ("value", "name"), [("*.png", "*.png"), (["a.png", " img/* "], "img/*"), ("!a/*, **/[", "**/[")]
    )
    def test_a_glob_that_removes_nothing_is_refused_with_a_fix(self, value: object, name: str) -> None:
        assert refusal(ImageChoice, value) == (
            f"{name!r} is a glob, and globs can only remove images: write '!{name}', or a URL to add one"
        )


class TestSectionName:
    @pytest.mark.parametrize("name", ["a", "user-guide", "a1-b2-3", "x" * 60])
    def test_it_can_be_part_of_a_file_name(self, name: str) -> None:
        assert SectionName.parse(name) == name

    @pytest.mark.parametrize(
        "value",
        [
            *HOSTILE,
            *("", " ", "A", "ä", "a b", "a_b", "-a", "a-", "a--b", "2a", "a.b", "../a", "a\n", "\ud800", "x" * 61),
        ],
    )
    def test_other_names_are_refused(self, value: object) -> None:
        assert refusal(SectionName, value).endswith(
            " is not a name of lower-case letters, digits and hyphens, such as user-guide"
        )

    @pytest.mark.parametrize("name", ["images", "index", "news", "pages", "videos"])
    def test_it_is_not_the_name_of_another_file(self, name: str) -> None:  # SM-IDX-07
        assert refusal(SectionName, name) == f"'{name}' is a reserved name; choose another one"


@pytest.mark.parametrize(("written", "code"), [("de", "de"), ("pt_br", "pt-BR"), ("zh-hans", "zh-Hans")])
def test_a_language_is_given_by_its_code(written: str, code: str) -> None:
    assert LanguageCode.parse(written) == code
    for value in ("jp", "english", "x-default", "", None, 5):
        assert refusal(LanguageCode, value)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        *(("en", "en"), ("EN", "en"), ("en_GB", "en"), ("pt-BR", "pt"), ("fil", "fil"), ("sr-Latn-RS", "sr")),
        *(("zh", "zh"), ("zh-CN", "zh-cn"), ("zh_tw", "zh-tw"), ("zh-Hans", "zh"), ("zh-HK", "zh")),
    ],
)
def test_news_have_a_language_code_and_chinese_has_two(written: str, code: str) -> None:
    assert NewsLanguage.parse(written) == code


class TestSelector:
    @pytest.mark.parametrize("text", ["main", "#content > .a", "a, b"])
    def test_it_is_a_css_selector(self, text: str) -> None:
        assert Selector.parse(f" {text}\n") == text

    @pytest.mark.parametrize("value", [*HOSTILE, "", " ", "main[", "<main>", ">", "..a", "a,", "\ud800"])
    def test_other_values_are_refused(self, value: object) -> None:
        assert refusal(Selector, value).endswith(" is not a CSS selector such as main.article")


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
    ("written", "files"), [(True, None), (False, ()), ("revs", ("revs",)), (["a", "b"], ("a", "b"))]
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
        *(A_HUGE_NUMBER, True, None, b"a.json", ["a.json"]),
    ],
)
def test_a_name_that_is_not_plain_is_refused(name: object) -> None:
    with pytest.raises(ValueError, match=r" is not a plain file name that ends in \.json, like site-record\.json$"):
        JSONFile.parse(name)


@pytest.mark.parametrize("name", ["a.xml", "a.rss", "a.atom"])
def test_a_feed_has_one_of_three_extensions(name: str) -> None:
    assert FeedFile.parse(name) == name


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
@pytest.mark.parametrize("value", [HUGE, [HUGE], {HUGE: HUGE}, {"en": HUGE}], ids=lambda value: type(value).__name__)
def test_a_huge_number_is_refused_like_any_other(kind: type, value: object) -> None:
    assert is_parsed_or_refused(kind, value)


GOOD_MEDIA = [
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
BAD_MEDIA = [
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


@pytest.mark.parametrize(("name", "written", "value"), GOOD_MEDIA)
def test_a_valid_value_is_used(name: str, written: object, value: object) -> None:
    converted, mistakes = convert_fields({name: written}, VideoValues)
    assert mistakes == []
    assert getattr(converted[name], "value", converted[name]) == value
    assert VideoValues(**converted) == VideoValues(**converted)


@pytest.mark.parametrize(("name", "written", "message"), BAD_MEDIA, ids=range(len(BAD_MEDIA)))
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
    assert {name for name, *_ in GOOD_MEDIA} == {name for name, *_ in BAD_MEDIA} == set(VideoValues.__struct_fields__)


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
