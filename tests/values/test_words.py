"""Words of messages."""

import pytest

from sitemap_plugins.values.text import and_more_pages, count_reasons, plural, table


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
