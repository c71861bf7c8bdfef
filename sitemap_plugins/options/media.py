"""The types of the values that authors set for videos, each with its bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

import msgspec

from sitemap_plugins.options.types import MediaURL, Schema, Text, Title, WrittenDate
from sitemap_plugins.values.language_codes import REGIONS
from sitemap_plugins.values.text import short_repr


class Uploader(Text):
    """The name of the uploader of a video."""

    LENGTH = 255


class Tag(Text):
    """A keyword for the subject of a video."""

    LENGTH = 100


class Restricted(msgspec.Struct, frozen=True):
    """The countries or platforms in which a video may (``allow``) or may not (``deny``) be shown."""

    KNOWN: ClassVar[frozenset[str]]

    relationship: Literal["allow", "deny"]
    values: tuple[str, ...]

    @classmethod
    def parse(cls, value: object) -> Self:
        """Parse a mapping of ``allow`` or ``deny`` to a list of words. Raises ValueError for anything else."""
        message = f"{short_repr(value)} is not a mapping such as {{deny: [{', '.join(sorted(cls.KNOWN)[:2])}]}}"
        if not isinstance(value, Mapping) or len(value) != 1:
            raise ValueError(message)
        ((relationship, words),) = value.items()
        words = words.replace(",", " ").split() if isinstance(words, str) else words
        if relationship not in {"allow", "deny"} or not isinstance(words, Sequence) or not words:
            raise ValueError(message)
        if unknown := [word for word in words if not isinstance(word, str) or word not in cls.KNOWN]:
            hint = " (YAML reads the code of Norway as a boolean: write it in quotes)" if False in unknown else ""
            raise ValueError(f"{short_repr(unknown[0])} is not a known value such as {min(cls.KNOWN)}{hint}")
        return cls("allow" if relationship == "allow" else "deny", tuple(str(word) for word in words))

    @classmethod
    def schema(cls) -> Schema:
        """The schema of a mapping with one key; it allows any text instead of a list."""
        words = {"type": ["string", "array"], "items": {"enum": sorted(cls.KNOWN)}, "minItems": 1, "minLength": 1}
        return {
            "type": "object",
            "properties": {"allow": words, "deny": words},
            "additionalProperties": False,
            "minProperties": 1,
            "maxProperties": 1,
        }


class Countries(Restricted, frozen=True):
    """Countries by their ISO 3166-1 alpha-2 codes."""

    KNOWN = REGIONS


class Platforms(Restricted, frozen=True):
    """The kinds of device that Google distinguishes."""

    KNOWN = frozenset({"web", "mobile", "tv"})


class VideoValues(msgspec.Struct, frozen=True, kw_only=True):
    """The values that an author sets for a video; missing ones may come from the page that embeds it."""

    thumbnail_loc: MediaURL | None = None
    title: Title | None = None
    description: Text | None = None
    content_loc: MediaURL | None = None
    player_loc: MediaURL | None = None
    duration: Annotated[int, msgspec.Meta(ge=1, le=28_800)] | None = None
    expiration_date: WrittenDate | None = None
    rating: Annotated[float, msgspec.Meta(ge=0.0, le=5.0)] | None = None
    view_count: Annotated[int, msgspec.Meta(ge=0, le=10**15)] | None = None
    publication_date: WrittenDate | None = None
    tags: Annotated[tuple[Tag, ...], msgspec.Meta(max_length=32)] = ()
    family_friendly: bool | None = None
    restriction: Countries | None = None
    requires_subscription: bool | None = None
    uploader: Uploader | None = None
    uploader_info: MediaURL | None = None
    platform: Platforms | None = None
    live: bool | None = None
