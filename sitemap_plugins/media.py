"""The nouns of the extensions: frozen values for images, videos, news and feeds, and what a rendered page holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

Moment: TypeAlias = datetime | date
"""An aware datetime, or a bare date where no time of day is known."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """One ``image:image`` of a page (Google, "Image sitemaps"): ``loc`` is absolute and encoded, on any host."""

    loc: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Restriction:
    """Where a video may, or may not, be shown: countries (ISO 3166-1 alpha-2), or ``web``, ``mobile`` and ``tv``."""

    relationship: Literal["allow", "deny"]
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Video:
    """One ``video:video`` of a page (Google, "Video sitemaps"); URLs are absolute and encoded, None is not written.

    ``content_loc`` or ``player_loc`` is there. ``title`` has at most 100 characters, ``description`` 2,048,
    ``uploader`` 255. ``duration`` is in seconds, 1 to 28,800; ``rating`` is 0.0 to 5.0. There are at most 32 ``tags``.
    """

    thumbnail_loc: str
    title: str
    description: str
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: Moment | None = None
    rating: float | None = None
    view_count: int | None = None
    publication_date: Moment | None = None
    tags: tuple[str, ...] = ()
    family_friendly: bool | None = None
    restriction: Restriction | None = None
    requires_subscription: bool | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    platform: Restriction | None = None
    live: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class News:
    """The ``news:news`` of a page (Google, "News sitemaps"): in which publication and language (ISO 639), and when."""

    name: str
    language: str
    publication_date: Moment
    title: str


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundVideo:
    """A video as a rendered page embeds it: what is None the page does not say. URLs are absolute, not yet encoded."""

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Content:
    """What the main content of one rendered page holds.

    ``title`` is its first heading, ``head_title`` and ``description`` what its head says, ``summary`` its first
    paragraph; all as plain text, without control characters, empty where there is none. ``damaged`` names those that
    had some. ``images`` are the absolute URLs of the pictures that belong to the content, not yet encoded, each once,
    in order, and ``nameless`` the number of those without an address; ``videos`` are those that can be played there.
    """

    title: str = ""
    head_title: str = ""
    description: str = ""
    summary: str = ""
    damaged: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    nameless: int = 0
    videos: tuple[FoundVideo, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedItem:
    """A page in a feed of what has changed: ``loc`` is its encoded URL and never changes, ``updated`` its lastmod."""

    loc: str
    title: str
    description: str
    updated: Moment


@dataclass(frozen=True, kw_only=True, slots=True)
class Feed:
    """A feed of the pages that changed last, the newest first: ``url`` is its own, ``home`` that of the site."""

    title: str
    url: str
    home: str
    items: tuple[FeedItem, ...]
