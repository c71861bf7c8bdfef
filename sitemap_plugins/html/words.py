"""What a page is called and what it says it is about, in the author's own words where there are some."""

from __future__ import annotations

from collections.abc import Container

from sitemap_plugins.model import Page
from sitemap_plugins.values.text import one_line


def title_of(page: Page) -> str:
    """What readers see above the text, else what the host calls the page, else what its head says."""
    shown, in_head = (page.content.title, page.content.head_title) if page.content else ("", "")
    return one_line(shown) or one_line(page.title) or one_line(in_head)


def description_of(page: Page, shared: Container[str] = ()) -> str:
    """What the author says that the page is about, else what its head says, else how it begins.

    ``shared`` are descriptions that several pages have: those are the site's, and say nothing of the page.
    """
    written = page.front_matter.get("description")
    if isinstance(written, str) and (text := one_line(written)):
        return text
    if page.content is None:
        return ""
    own = "" if page.content.description in shared else one_line(page.content.description)
    return own or one_line(page.content.summary)
