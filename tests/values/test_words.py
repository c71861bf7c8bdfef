"""Words of messages."""

import pytest

from sitemap_plugins.values.text import and_more_pages, count_reasons, plural


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
