"""Names, URLs and text for people: what each type accepts and refuses."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.options.types import (
    Globs,
    HostPattern,
    ImageChoice,
    LanguageCode,
    MediaURL,
    NewsLanguage,
    SectionName,
    Selector,
    Text,
    Title,
)
from sitemap_plugins.values.text import CONTROL, one_line

HUGE = pytest.param(16**5000, id="huge")  # more digits than Python converts to text
HOSTILE = [None, True, 5, 1.5, HUGE, b"a", ["a"], {"a": 1}, object()]


def refusal(kind: Any, value: object) -> str:
    with pytest.raises(ValueError, match=r".") as error:
        kind.parse(value)
    return str(error.value)


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

    @pytest.mark.parametrize("value", [None, 5, HUGE, {"a": 1}, ["a", 5], [["a"]], object(), [b"a"]])
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
        ("value", "name"),
        [
            ("*.png", "*.png"),
            (["a.png", " img/* "], "img/*"),
            ("!a/*, **/[", "**/["),
        ],
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
