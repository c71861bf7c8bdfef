"""Pages share their prose if one is a copy of the other, whatever a generator translates by itself."""

from __future__ import annotations

import pytest

from sitemap_plugins.html.prose import read_prose, shared_prose

ENGLISH = "<p>Install the package with the tool that you use for all the others, and then restart it once.</p>" * 2
GERMAN = "<p>Installiere das Paket mit dem Werkzeug, das du auch sonst nimmst, und starte es einmal neu.</p>" * 2


def shared(one: str, other: str) -> float | None:
    """The share of the prose of two pages, given as the bodies of their main parts."""
    return shared_prose(read_prose(f"<main>{one}</main>"), read_prose(f"<main>{other}</main>"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(ENGLISH, ENGLISH, id="the same"),
        pytest.param(f"<nav>Next</nav>{ENGLISH}", f"<nav>Weiter</nav>{ENGLISH}", id="navigation"),
        pytest.param(
            f"<div class=admonition-title>Note</div>{ENGLISH}",
            f"<div class=admonition-title>Hinweis</div>{ENGLISH}",
            id="the title of an admonition",
        ),
        pytest.param(
            f"<div class='admonitionHeading_Gvgb x'><b>note</b></div>{ENGLISH}",
            f"<div class='admonitionHeading_Gvgb x'><b>remarque</b></div>{ENGLISH}",
            id="the title of an admonition of Docusaurus",
        ),
        pytest.param(
            f"<span class=versionmodified>New in version 2.</span> {ENGLISH}",
            f"<span class=versionmodified>Neu in Version 2.</span> {ENGLISH}",
            id="a version of Sphinx",
        ),
        pytest.param(f"{ENGLISH}<pre>a = 1</pre>", f"{ENGLISH}<pre>b = 22</pre>", id="code"),
        pytest.param(f"{ENGLISH}<b>1.</b>", f"{ENGLISH}<b>٢</b>", id="numbers"),
        pytest.param(f"{ENGLISH}<p>a b</p>", f"{ENGLISH}<p>a\n b</p>", id="white space"),
    ],
)
def test_a_copy_shares_all_prose(one: str, other: str) -> None:
    assert shared(one, other) == 1


@pytest.mark.parametrize(
    "same",
    [
        pytest.param("", id="nothing the same"),
        pytest.param(f"<pre>{ENGLISH}</pre>", id="the same code"),
        pytest.param(f"<p><code>{ENGLISH}</code></p>", id="the same code in a paragraph"),
        pytest.param(f"<dl><dt class='sig'>run()</dt><dd>{ENGLISH}</dd></dl>", id="the same object of Sphinx"),
        pytest.param(f"<div class='doc doc-object'>{ENGLISH}</div>", id="the same object of mkdocstrings"),
    ],
)
def test_a_translation_shares_no_prose(same: str) -> None:
    assert shared(ENGLISH + same, GERMAN + same) == 0


def test_the_share_is_that_of_the_longer_page_and_counts_repeated_text_as_often_as_both_have_it() -> None:
    longer = f"{ENGLISH}{ENGLISH}{GERMAN}"
    share = shared(ENGLISH, longer)
    assert share == shared(longer, ENGLISH)
    assert share == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize(
    ("number", "word", "is_known"),
    [(29, "word ", False), (30, "word ", True), (29, "語", False), (30, "語", True), (60, "7 ", False)],
)
def test_pages_with_less_than_thirty_words_tell_nothing(number: int, word: str, is_known: bool) -> None:
    """A character counts as a word in scripts that have no spaces; numbers are no words."""
    assert (shared(word * number, word * number) == 1) == is_known
    assert (shared(word * number, word * 100) is not None) == (is_known and word != "7 ")


@pytest.mark.parametrize("html", ["", "<frameset><frame></frameset>", "<main></main>"])
def test_a_page_without_prose_tells_nothing(html: str) -> None:
    assert shared_prose(read_prose(html), read_prose(html)) is None
