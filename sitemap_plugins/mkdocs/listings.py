"""MkDocs pages that list other pages: Material's blog shows excerpts of posts, its tags plugin lists titles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage


def tags_plugins(config: MkDocsConfig) -> list[Any]:
    """All instances of Material's tags plugin."""
    return [plugin for name, plugin in config.plugins.items() if name.removeprefix("material/").startswith("tags")]


def listed_on(page: MkDocsPage, context: Mapping[str, Any], tags: Iterable[Any]) -> list[MkDocsPage] | None:
    """The pages whose excerpts date a page that lists them; None if it lists no pages.

    ``tags`` are the `tags_plugins`.

    The result is empty for a list of titles and for the later pages of a pagination: posts move from one page to the
    next, so no file tells when such a page changed.
    """
    excerpts = context.get("posts")
    posts: list[Any] = [getattr(each, "post", None) for each in excerpts] if isinstance(excerpts, list) else []
    if posts and all(hasattr(post, "file") for post in posts):
        first, *_ = getattr(page, "pages", None) or [page]
        return posts if page is first else []
    listings = (listing for plugin in tags for listing in getattr(plugin, "listings", None) or ())
    return [] if any(listing.page is page for listing in listings) else None
