"""The title and description of a page, in the author's own words if there are any."""

from __future__ import annotations

from collections.abc import Container

from sitemap_plugins.model import Page
from sitemap_plugins.values.text import one_line


def title_of(page: Page) -> str:
    """The page's main heading, else its title from the host, else the title in its head."""
    shown, in_head = (page.content.title, page.content.head_title) if page.content else ("", "")
    return one_line(shown) or one_line(page.title) or one_line(in_head)


def description_of(page: Page, shared: Container[str] = ()) -> str:
    """The author's description, else the one in the page's head, else the beginning of its text.

    ``shared`` are descriptions that several pages have. They describe the site, so they are skipped.
    """
    written = page.front_matter.get("description")
    if isinstance(written, str) and (text := one_line(written)):
        return text
    if page.content is None:
        return ""
    own = "" if page.content.description in shared else one_line(page.content.description)
    return own or one_line(page.content.summary)
