"""The posts of which a page of Material's blog, or of Zensical's, shows excerpts."""

from __future__ import annotations

from sitemap_plugins.html.parsing import parse

_MARK = "md-post--excerpt"


def read_excerpts(html: str) -> list[str]:
    """The links at the headings of the excerpts, as they are written, in order."""
    if _MARK not in html:
        return []
    links = parse(html).document.css(f"article.{_MARK} a.toclink")
    return list(dict.fromkeys(href for link in links if (href := link.attributes.get("href"))))
