"""How much one file may hold, exactly."""

from collections.abc import Iterator

import pytest

from sitemap_plugins.arrange.limits import Limits, Measure

# Every word takes its letters, and what is around them takes three bytes and one more for each kind of first letter.
WORDS: Measure[str] = Measure(lambda items: map(len, items), lambda items: 3 + len({item[0] for item in items}))


@pytest.mark.parametrize(
    ("words", "limits", "fit"),
    [
        pytest.param([], Limits(0, 3), True, id="nothing, exactly"),
        pytest.param([], Limits(0, 2), False, id="what is around nothing"),
        pytest.param(["a"] * 3, Limits(3, 7), True, id="both exactly"),
        pytest.param(["a"] * 3, Limits(2, 99), False, id="one item too many"),
        pytest.param(["a"] * 3, Limits(99, 6), False, id="one byte too many"),
        pytest.param(["a", "a", "b"], Limits(3, 7), False, id="more around them"),
        pytest.param(["a", "a", "b"], Limits(3, 8), True, id="more around them, exactly"),
        pytest.param(["abc"], Limits(1, 7), True, id="one item"),
    ],
)
def test_items_fit_by_their_number_and_by_their_bytes(words: list[str], limits: Limits, *, fit: bool) -> None:
    """SM-LIM-01, SM-LIM-02 and SM-IDX-01: both limits, and what is around the items counts."""
    assert WORDS.fit(words, limits) is fit


def test_items_are_weighed_one_after_the_other() -> None:
    asked = []

    def words() -> Iterator[str]:
        for word in ("a", "abc", "ab"):
            asked.append(word)
            yield word

    weighed = WORDS.weigh(words())
    assert next(weighed) == ("a", 1)
    assert asked == ["a"]
    assert [*weighed] == [("abc", 3), ("ab", 2)]
