"""Words of messages; no text can contain instructions for a log viewer or terminal, and ordinary text is unchanged."""

import textwrap
import unicodedata
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.values.text import and_more_pages, count_reasons, one_line, plural, printable, table

# Characters that .NET ignores in linguistic comparisons, as used by the runners of GitHub and Azure.
IGNORED = "\u200b\u200c\u200d\u200e\u200f\u061c\u2060\u2066\u2067\u2068\u2069\ufe0f\ufeff\xad"
hostile = st.lists(
    st.one_of(
        st.sampled_from(
            [*":#[]aos ", *IGNORED, *"\n\r\t\x1b\x9b\x07\x7f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\xa0"]
        ),
        st.sampled_from(
            ["::", "##", "##vso[", "::error::", "👩‍💻", "🏴\U000e0067\U000e0062\U000e007f", "\U000e0061", "ש", "\udcff"]
        ),
        st.characters(),
    )
).map("".join)


def is_obeyed(line: str) -> bool:
    """Whether GitHub Actions, Azure Pipelines or TeamCity takes a line of a log for a command."""
    compared = "".join(char for char in line if char not in IGNORED)
    return compared.lstrip().startswith("::") or any(
        f"##{service}[" in compared.lower() for service in ("", "vso", "teamcity")
    )


def steers(text: str) -> bool:
    """Whether the text contains instructions for the program that shows it."""
    kinds = {unicodedata.category(char) for char in text}
    pairs = [1 if char in "\u2066\u2067\u2068" else -1 for char in text if char in "\u2066\u2067\u2068\u2069"]
    depths = [*accumulate(pairs)]
    is_paired = not depths or (min(depths) >= 0 and depths[-1] == 0)
    return (
        not kinds.isdisjoint({"Cc", "Cs", "Zl", "Zp"})
        or any(char in "\u202a\u202b\u202c\u202d\u202e" for char in text)
        or not is_paired
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x9b0m\x07", r"\x1b[31mred\x9b0m\x07"),
        ("a\udcffb", r"a\udcffb"),
        ("\u202egpj.md", r"\u202egpj.md"),
        ("a\u2028b\x85\u2029", r"a\u2028b\x85\u2029"),
        ("a\u2069b\u2066c\u2069", "a\\u2069b\u2066c\u2069"),
        ("\u2066\u2066a\u2069", "\\u2066\u2066a\u2069"),
        ("a\U000e0061\U000e007f", r"a\U000e0061\U000e007f"),
        ("x\n::error::y", r"x\n::error::y"),
        ("::error::x", r"\x3a:error::x"),
        ("\xa0::error::x", "\xa0\\x3a:error::x"),
        ("\u200d:\u200f:error::x", "\u200d\\x3a\u200f:error::x"),
        ("a key ::error::x", r"a key \x3a:error::x"),
        ("##[error]x ##vso[a.b]y ##teamcity[c]", r"\x23#[error]x \x23#vso[a.b]y \x23#teamcity[c]"),
        ("#\u200d#v\u200dso[a.b]", "\\x23\u200d#v\u200dso[a.b]"),
    ],
)
def test_instructions_are_escaped(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "docs/a b.md: é 文\u3000文, bien\xa0?",
        "نمی\u200cشود \u061cعربي، 12\u200f!",  # a joiner, and marks
        "\u2067שפת\u2069 and \u2066latin\u2069",
        "क्\u200dष ක්\u200dෂ",
        "👩\u200d💻 👨\u200d👩\u200d👧 ❤\ufe0f 1\ufe0f\u20e3 🇳🇴 👍🏽",
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # the flag of Scotland
        "葛\U000e0100飾区",  # a variant of a character
        "\U0001fae9\U00010d6f",  # newer than the oldest Python
        "std::vector, a::b, C#, # 1, ## two, [::1], https://x.org/a:b#c",
        r"C:\docs\x1b",
    ],
)
def test_ordinary_text_is_unchanged(text: str) -> None:
    assert printable(text) == text
    assert one_line(text) == " ".join(text.split())


@given(hostile)
@example("a" * 60 + " ::error::b")
@example("\u2066" * 3 + "\u2069" * 2)
def test_no_text_contains_an_instruction_after_escaping(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert not steers(shown)
    assert shown.encode().decode() == shown
    assert printable(shown) == shown
    for prefix in ("", "WARNING -  sitemap: ", "docs/a.rst: WARNING: sitemap: "):
        assert not is_obeyed(prefix + shown)
    for width in (12, 40):  # as MkDocs does
        lines = textwrap.wrap(shown, width, break_long_words=False, break_on_hyphens=False, subsequent_indent=" " * 11)
        assert not any(map(is_obeyed, lines))


@given(hostile, st.integers(1, 40))
def test_a_line_for_xml_contains_no_instructions(text: str, length: int) -> None:
    line = one_line(text, length)
    assert not steers(line)
    assert one_line(line, length) == line
    assert len(line) <= length


class TestOneLine:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("", ""),
            (" \n\t ", ""),
            ("a  b\r\nc\td", "a b c d"),
            ("a\x0bb\x0cc\x1cd\x85e\u2028f\xa0g", "a b c d e f g"),
            ("a\x00b \x07 c\ud800\uffffd", "ab cd"),
            ("a\u202eb\u202c \u2066c \u2069", "ab \u2066c \u2069"),
            ("a\u2067b \u202a c", "ab c"),
            ("naïve 窯 🏺", "naïve 窯 🏺"),
        ],
    )
    def test_white_space_becomes_a_space_and_control_characters_are_removed(self, text: str, line: str) -> None:
        """SM-XML-05."""
        assert one_line(text) == line

    @pytest.mark.parametrize(
        ("text", "cut"),
        [
            ("abc def", "abc def"),
            ("abc defg", "abc"),
            ("abcdefg h", "abcdefg"),
            ("abcdefgh", "abcdefg"),
            ("abcdefghi j", "abcdefg"),
            ("a b c d e", "a b c d"),
            ("a \u2067b c d\u2069", "a b c"),
        ],
    )
    def test_long_text_ends_with_a_whole_word(self, text: str, cut: str) -> None:
        assert one_line(text, 7) == cut


@pytest.mark.parametrize(("number", "expected"), [(0, "pages"), (1, "page"), (2, "pages"), (1000, "pages")])
def test_only_one_is_singular(number: int, expected: str) -> None:
    assert plural(number, "page") == expected


@pytest.mark.parametrize(("number", "expected"), [(0, ""), (1, " (and 1 more page)"), (2, " (and 2 more pages)")])
def test_a_sentence_about_one_page_is_also_true_of_others(number: int, expected: str) -> None:
    assert and_more_pages(number) == expected


def test_reasons_are_counted_in_alphabetical_order() -> None:
    assert count_reasons(["hidden", "draft", "hidden"]) == ["1 draft", "2 hidden"]
    assert count_reasons([]) == []
    assert count_reasons(["draft"] * 1200) == ["1,200 draft"]
    assert count_reasons(["hidden", "draft", "hidden", "draft", "page"], {"draft", "page"}) == [
        "2 drafts",
        "2 hidden",
        "1 page",
    ]


ROWS = (("error", "bad-link", "It is bad."), ("info", "odd", "It is odd."))


@pytest.mark.parametrize("width", [None, 27])
def test_a_table_has_a_line_for_each_row(width: int | None) -> None:
    assert table(ROWS, words=3, width=width) == ["error  bad-link  It is bad.", "info   odd       It is odd."]
    assert table(ROWS, words=1)[1] == "info        odd  It is odd."


def test_a_table_that_is_too_wide_has_a_block_for_each_row() -> None:
    assert table(ROWS, words=3, width=26) == ["error  bad-link", "  It is bad.", "info  odd", "  It is odd."]
    headed = (("level", "rule", "text"), ("error", "", "It is bad."))
    assert table(headed, words=3, width=9, has_headings=True) == ["level: error", "  text: It is bad."]
    assert table((), words=3, width=9) == []
