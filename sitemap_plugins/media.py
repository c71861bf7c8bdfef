"""What Google's extensions add to an entry: its images, its videos and its news."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

import msgspec


@dataclass(frozen=True, kw_only=True, slots=True)
class Image:
    """One ``image:image`` of a page (Google, "Image sitemaps"); ``loc`` is absolute and encoded, on any host."""

    loc: str


class Restriction(msgspec.Struct, frozen=True, kw_only=True):
    """Where a video may or may not be shown: countries (ISO 3166-1 alpha-2), or ``web``, ``mobile`` and ``tv``."""

    relationship: Literal["allow", "deny"]
    values: tuple[str, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Video:
    """One ``video:video`` of a page (Google, "Video sitemaps").

    URLs are absolute and encoded; values that are None are not written. ``content_loc`` or ``player_loc`` is set.
    ``title`` has at most 100 characters, ``description`` 2,048, ``uploader`` 255. ``duration`` is in seconds, 1 to
    28,800; ``rating`` is 0.0 to 5.0. There are at most 32 ``tags``.
    """

    thumbnail_loc: str
    title: str
    description: str
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: datetime | date | None = None
    rating: float | None = None
    view_count: int | None = None
    publication_date: datetime | date | None = None
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
    """The ``news:news`` of a page (Google, "News sitemaps"): its publication, language (ISO 639), date and title."""

    name: str
    language: str
    publication_date: datetime | date
    title: str
