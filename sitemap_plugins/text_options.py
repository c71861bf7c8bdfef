"""The types of options that are text or name images and videos: each reads itself from what an author writes."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final, Self

from sitemap_plugins.conversion import BOOLEANS, Mistake, convert_structs, shown
from sitemap_plugins.option_types import Globs

if TYPE_CHECKING:
    from sitemap_plugins.media_options import VideoValues

CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""What no text in XML may hold, or nobody means: control characters, halves of pairs, non-characters (SM-XML-05)."""



class Text(str):
    """Text for people, on one line; ``LENGTH`` is the most characters that it may have."""

    __slots__ = ()
    LENGTH: ClassVar[int] = 2048

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is no text, is empty or too long, or has control characters."""
        if not isinstance(value, str):
            message = f"{shown(value)} is not text"
            raise ValueError(message)  # noqa: TRY004  # msgspec turns a ValueError into the option's message
        if CONTROL.search(value):
            message = f"{shown(value)} has a control character in it"
            raise ValueError(message)
        text = " ".join(value.split())
        if not text:
            message = "it is empty"
            raise ValueError(message)
        if len(text) > cls.LENGTH:
            message = f"it has {len(text):,} characters, and {cls.LENGTH:,} are allowed: {shown(text)}"
            raise ValueError(message)
        return cls(text)


class Title(Text):
    """A short text, such as the title of a video or of a feed."""

    __slots__ = ()
    LENGTH = 100


class MediaURL(str):
    """Where an image or a video is: an absolute URL, or a path below the base URL of the site."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is neither; whether the URL can be published is seen when its base is known."""
        if not isinstance(value, str) or not value.strip() or CONTROL.search(value):
            message = f"{shown(value)} is not a URL, nor a path below the site's such as videos/tour.mp4"
            raise ValueError(message)
        text = value.strip()
        if text[:5].lower() == "data:":
            message = "a data: URL is no address that a search engine could fetch"
            raise ValueError(message)
        return cls(text)


class ImageChoice:
    """Which images of a page are listed: ``added`` are URLs; ``removed`` are globs for the URLs of those on the page."""

    __slots__ = ("added", "removed")

    def __init__(self, added: Sequence[MediaURL] = (), removed: Globs | None = None) -> None:
        self.added = tuple(added)
        self.removed = removed or Globs()

    @classmethod
    def parse(cls, value: object) -> Self:
        """``false`` (none), ``true``, URLs to add and ``!`` globs to remove. Raises ValueError for anything else."""
        if isinstance(value, str) and value.strip().lower() in BOOLEANS:
            value = BOOLEANS[value.strip().lower()]
        if isinstance(value, bool):
            return cls(removed=Globs() if value else Globs(["*"]))
        words = value.split(",") if isinstance(value, str) else value
        if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
            message = f"{shown(value)} is not true, false or a list of URLs; ! before one takes an image away"
            raise ValueError(message)
        names = [word.strip() for word in words]
        removed = Globs.parse([name[1:].strip() for name in names if name.startswith("!")])
        return cls([MediaURL.parse(name) for name in names if not name.startswith("!")], removed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ImageChoice) and (self.added, self.removed) == (other.added, other.removed)

    def __hash__(self) -> int:
        return hash((self.added, self.removed))


class Videos(tuple["VideoValues", ...]):
    """The videos of a page, as an author describes them."""

    __slots__ = ()

    @classmethod
    def read(cls, value: object, place: str, *, lax: bool) -> tuple[Self | None, list[Mistake]]:
        """A list of mappings, see `VideoValues`, and what is wrong with any of them."""
        from sitemap_plugins.media_options import VideoValues  # noqa: PLC0415  # few sites have videos

        if lax and isinstance(value, str):
            try:
                value = json.loads(value)
            except (ValueError, RecursionError):
                return None, [Mistake(place, f"{shown(value)} is not JSON; write a list of mappings")]
        found, mistakes = convert_structs(value, VideoValues, place, lax=lax)
        return None if found is None else cls(found), mistakes
