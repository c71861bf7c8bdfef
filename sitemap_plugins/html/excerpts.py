"""Find the posts whose excerpts a page of a Material or Zensical blog shows."""

from __future__ import annotations

from sitemap_plugins.html.parsing import parse

_MARK = "md-post--excerpt"


def read_excerpts(html: str) -> list[str]:
    """The links in the headings of the excerpts, as written, in order."""
    if _MARK not in html:
        return []
    links = parse(html).document.css(f"article.{_MARK} a.toclink")
    return list(dict.fromkeys(href for link in links if (href := link.attributes.get("href"))))
