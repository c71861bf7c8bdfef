"""The options that group pages into files: sections, news, feeds, and the limits of a file."""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from sitemap_plugins.model import Candidate
from sitemap_plugins.options.types import Globs, LanguageCode, NewsLanguage, PlainName, Title
from sitemap_plugins.values.languages import code_of

URL_LIMIT: Final = 50_000
"""The most URLs in a sitemap, and the most sitemaps in an index (sitemaps.org protocol; SM-LIM-01)."""

SIZE_LIMIT: Final = 52_428_800
"""The most bytes of a sitemap, uncompressed and with the closing tag (sitemaps.org protocol; SM-LIM-02)."""

_MIN_SIZE: Final = 4096  # bytes: enough for the elements around the URLs and one URL of the greatest length


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The size from which a sitemap is split; never more than the protocol allows."""

    urls: Annotated[int, msgspec.Meta(ge=1, le=URL_LIMIT)] = URL_LIMIT
    bytes: Annotated[int, msgspec.Meta(ge=_MIN_SIZE, le=SIZE_LIMIT)] = SIZE_LIMIT


class PageGroup(msgspec.Struct, frozen=True, kw_only=True):
    """A group of pages: those that match all conditions that are set, or none if no condition is set.

    A list of globs in place of the mapping stands for ``match``.
    """

    SHORTHAND: ClassVar[str] = "match"

    match: Globs | None = None
    source: Globs | None = None
    language: LanguageCode | None = None

    def holds(self, candidate: Candidate) -> bool:
        """Whether the page is in the group."""
        is_any = self.match is not None or self.source is not None or self.language is not None
        return (
            is_any
            and (self.match is None or self.match.matches(candidate.path))
            and (self.source is None or self.source.matches(candidate.page.name))
            and (self.language is None or self.language == code_of(candidate.page.language))
        )


class Section(PageGroup, frozen=True, kw_only=True):
    """A part of the site with its own sitemap; ``archive: year`` makes one for each year of publication."""

    archive: Literal["year"] | None = None


class NewsGroup(PageGroup, frozen=True, kw_only=True):
    """The pages that are news, and the name and language of their publication."""

    name: Title | None = None
    publication_language: NewsLanguage | None = None


class FeedFile(PlainName):
    """The file name of a feed."""

    ENDINGS = (".xml", ".rss", ".atom")
    EXAMPLE = "changes.xml"


class Feeds(msgspec.Struct, frozen=True, kw_only=True):
    """The feeds of changed pages: their file names, how many pages they list, and whether pages link to them."""

    rss: FeedFile | None = None
    atom: FeedFile | None = None
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 50
    title: Title | None = None
    head_links: bool = False

    ONE_OF: ClassVar[tuple[str, ...]] = ("rss", "atom")  # has to be there

    def __bool__(self) -> bool:
        """Whether there is a feed to write."""
        return bool(self.rss or self.atom)
