"""The types of options that are names, addresses or text for people: each reads itself from what an author writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Final, Self

from sitemap_plugins.conversion import BOOLEANS, shown
from sitemap_plugins.option_types import Globs, parse_code

_SECTION: Final = r"(?=.{1,60}\Z)[a-z][a-z0-9]*(?:-[a-z0-9]+)*"
_RESERVED: Final = frozenset({"images", "index", "news", "pages", "videos"})


def _is_damaged(text: str) -> bool:
    from sitemap_plugins.control_characters import CONTROL  # noqa: PLC0415  # few sites have texts in their options

    return bool(CONTROL.search(text))


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
        if _is_damaged(value):
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
        if not isinstance(value, str) or not value.strip() or len(value.strip().splitlines()) > 1 or _is_damaged(value):
            message = f"{shown(value)} is not a URL, nor a path below the site's such as videos/tour.mp4"
            raise ValueError(message)
        text = value.strip()
        if text[:5].lower() == "data:":
            message = "a data: URL is no address that a search engine could fetch"
            raise ValueError(message)
        return cls(text)


class HostPattern(str):
    """The name of a host; a ``*`` in it stands for anything."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what no name of a host can match."""
        message = f"{shown(value)} is not the name of a host, such as cdn.example.org or *.example.org"
        if not isinstance(value, str) or not re.fullmatch(r"[\w.*-]+", value.strip()):
            raise ValueError(message)
        labels = value.strip().lower().split(".")
        try:
            # As it is in URLs.
            return cls(".".join(each if each.isascii() else each.encode("idna").decode() for each in labels))
        except UnicodeError:
            raise ValueError(message) from None


class ImageChoice:
    """Which images of a page are listed: ``added`` are URLs, ``removed`` globs for the URLs of those on the page."""

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
        if mistaken := next((name for name in names if "*" in name and not name.startswith("!")), None):
            message = (
                f"{shown(mistaken)} is a glob, and those only take images away: write '!{mistaken}', or a URL to add"
            )
            raise ValueError(message)
        removed = Globs.parse([name[1:].strip() for name in names if name.startswith("!")])
        return cls([MediaURL.parse(name) for name in names if not name.startswith("!")], removed)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ImageChoice) and (self.added, self.removed) == (other.added, other.removed)

    def __hash__(self) -> int:
        return hash((self.added, self.removed))


class SectionName(str):
    """What a part of the site is called: it becomes a part of the name of its sitemap."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what cannot be a part of a file's name, or is that of another file."""
        if not isinstance(value, str) or not re.fullmatch(_SECTION, value):
            message = f"{shown(value)} is not a name of lower-case letters, digits and hyphens, such as user-guide"
            raise ValueError(message)
        if value in _RESERVED:
            message = f"{value!r} is the name of another part of the sitemap; choose another one"
            raise ValueError(message)
        return cls(value)


class LanguageCode(str):
    """The code of a language, as in ``hreflang``."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError as `parse_code` does."""
        return cls(parse_code(value))


class NewsLanguage(str):
    """The language of a publication: its code in ISO 639, or ``zh-cn`` and ``zh-tw`` (Google, "News sitemaps")."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is none; a script or region that is none of the two is left out."""
        code = parse_code(value).lower()
        return cls(code if code in {"zh-cn", "zh-tw"} else code.partition("-")[0])


class Selector(str):
    """A CSS selector for the element that holds the content of a page."""

    __slots__ = ()

    @classmethod
    def parse(cls, value: object) -> Self:
        """Raises ValueError for what is none."""
        from selectolax.lexbor import LexborHTMLParser, SelectolaxError  # noqa: PLC0415  # few sites have one

        message = f"{shown(value)} is not a CSS selector such as main.article"
        if not isinstance(value, str) or not value.strip():
            raise ValueError(message)
        try:
            LexborHTMLParser("").css(value)
        except (SelectolaxError, UnicodeError):
            raise ValueError(message) from None
        return cls(value.strip())
