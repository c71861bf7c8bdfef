"""The title and description of a page, from any source."""

from collections.abc import Container

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.html.words import description_of, title_of
from sitemap_plugins.model import Content, Page
from sitemap_plugins.values.text import CONTROL


def page(title: str = "", content: Content | None = None, description: object = None) -> Page:
    return Page(
        loc="https://example.org/a/",
        name="a.md",
        title=title,
        content=content,
        front_matter={"description": description} if description is not None else {},
    )


@pytest.mark.parametrize(
    ("title", "content", "expected"),
    [
        pytest.param("Host", Content(title="Heading", head_title="Head - Site"), "Heading", id="the heading first"),
        pytest.param("Host", Content(head_title="Head - Site"), "Host", id="then the title of the host"),
        pytest.param("", Content(head_title="Head - Site"), "Head - Site", id="then the title element"),
        pytest.param("Host", Content(title=" \x1f\n", head_title="Head"), "Host", id="an empty heading"),
        pytest.param("Host", None, "Host", id="a page that was not read"),
        pytest.param("", None, "", id="no title"),
        pytest.param(" A\n title ", None, "A title", id="on one line"),
    ],
)
def test_the_title_is_the_one_nearest_to_the_text(title: str, content: Content | None, expected: str) -> None:
    assert title_of(page(title, content)) == expected


FULL = Content(title="Heading", description="Of the head.", summary="It begins.")


@pytest.mark.parametrize(
    ("written", "content", "shared", "expected"),
    [
        pytest.param("Of the author.", FULL, (), "Of the author.", id="the author first"),
        pytest.param(
            "Of the head.", FULL, {"Of the head."}, "Of the head.", id="the author, even if the head has the same text"
        ),
        pytest.param(" Of\n it ", None, (), "Of it", id="the author of a page that was not read"),
        pytest.param(None, FULL, (), "Of the head.", id="then the head"),
        pytest.param(None, FULL, {"Of the head."}, "It begins.", id="a head with the text of the whole site"),
        pytest.param(None, Content(description=" \x00", summary="It begins."), (), "It begins.", id="then the summary"),
        pytest.param(None, None, (), "", id="no description"),
        *(
            pytest.param(each, FULL, (), "Of the head.", id=f"not text: {each!r}")
            for each in ("", " \n", "\x00", 5, True, ["a"], {"a": "b"}, b"a")
        ),
    ],
)
def test_the_description_is_specific_to_the_page(
    written: object, content: Content | None, shared: Container[str], expected: str
) -> None:
    assert description_of(page(content=content, description=written), shared) == expected


@given(st.builds(Content, title=st.text(), head_title=st.text(), description=st.text(), summary=st.text()), st.text())
def test_texts_are_on_one_line_and_can_be_written(content: Content, written: str) -> None:
    """SM-XML-05."""
    for text in (title_of(page(written, content)), description_of(page(content=content, description=written))):
        assert len(text.splitlines()) <= 1
        assert not CONTROL.search(text)
