"""Pages of MkDocs that list other pages: Material's blog shows excerpts of posts, its tags plugin lists titles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page as MkDocsPage


def listed_on(page: MkDocsPage, context: Mapping[str, Any], config: MkDocsConfig) -> list[MkDocsPage] | None:
    """The pages whose excerpts date a page that lists others; None for a page that lists none.

    There are none of them for a list of titles and for the later pages of a pagination: posts move from one page to
    the next, so that no file says when such a page changed.
    """
    excerpts = context.get("posts")
    posts: list[Any] = [getattr(each, "post", None) for each in excerpts] if isinstance(excerpts, list) else []
    if posts and all(hasattr(post, "file") for post in posts):
        first, *_ = getattr(page, "pages", None) or [page]
        return posts if page is first else []
    return [] if any(each.page is page for each in _tag_listings(config)) else None


def _tag_listings(config: MkDocsConfig) -> list[Any]:
    """The lists of tagged pages of all instances of Material's tags plugin, each with the page that it is on."""
    plugins = [plugin for name, plugin in config.plugins.items() if name.removeprefix("material/").startswith("tags")]
    return [listing for plugin in plugins for listing in getattr(plugin, "listings", None) or ()]
