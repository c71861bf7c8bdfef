"""Images, videos and news in other people's sitemaps, read as the nouns that are written; nothing is trusted here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from sitemap_plugins.formats.sitemap_reading import SEPARATOR, WHITE_SPACE, date_or_none
from sitemap_plugins.formats.sitemap_xml import IMAGE, NEWS, VIDEO
from sitemap_plugins.media import Image, News, Restriction, Video
from sitemap_plugins.model import Entry

_TAGS: Final = 32
_TITLE: Final = 100
_DESCRIPTION: Final = 2048
_UPLOADER: Final = 255
_LONGEST: Final = 28_800  # seconds
_BEST: Final = 5  # stars

_PUBLICATION: Final = f"{NEWS}{SEPARATOR}publication"
_OF_VIDEO: Final = """
thumbnail_loc title description content_loc player_loc duration expiration_date rating view_count publication_date tag
family_friendly restriction requires_subscription uploader platform live
"""
# What counts right below the element of an extension, by the name of that, and below the publication of news.
_CHILDREN: Final[Mapping[str, frozenset[str]]] = {
    f"{namespace}{SEPARATOR}{root}": frozenset(f"{namespace}{SEPARATOR}{name}" for name in names.split())
    for namespace, root, names in (
        (IMAGE, "image", "loc"),
        (VIDEO, "video", _OF_VIDEO),
        (NEWS, "news", "publication_date title"),
    )
}
_OF_PUBLICATION: Final = frozenset(f"{NEWS}{SEPARATOR}{name}" for name in ("name", "language"))

# Python turns no text with thousands of digits into a number, and no schema needs so many.
_NUMBER: Final = re.compile(r"\+?0*(?P<digits>[0-9]{1,18})")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]{1,300}\.?[0-9]{0,300}|\.[0-9]{1,300})")
_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_PLATFORM: Final = re.compile(r"web|mobile|tv")
_LANGUAGE: Final = re.compile(r"zh-cn|zh-tw|[a-z]{2,3}")
_YES_OR_NO: Final = {"yes": True, "no": False}
_RELATIONSHIPS: Final[Mapping[str, Literal["allow", "deny"]]] = {"allow": "allow", "deny": "deny"}


class _Value(NamedTuple):
    """The text of an element, stripped, and its attributes."""

    text: str
    attributes: Mapping[str, str]


_NOTHING: Final = _Value("", {})


class Extensions:
    """What the extensions say of one ``url``, while the parser goes through it.

    The depths are those below the element of the extension. ``text`` is where the parser puts what it reads.
    """

    def __init__(self, text: list[str]) -> None:
        self._text = text
        self._images: list[Image] = []
        self._videos: list[Video] = []
        self._news: News | None = None
        self._root = self._parent = ""
        self._attributes: Mapping[str, str] = {}
        self._found: dict[str, list[_Value]] = {}

    def begin(self, root: str) -> None:
        """An element of an extension begins, right below the ``url``."""
        self._root = root
        self._found = {}

    def start(self, depth: int, name: str, attributes: Mapping[str, str]) -> None:
        """An element within it begins."""
        if depth == 1:
            self._parent = name
        if self._counts(depth, name):
            self._text.clear()
            self._attributes = attributes

    def end(self, depth: int, name: str) -> None:
        """An element within it ends."""
        if self._counts(depth, name) and len(values := self._found.setdefault(name, [])) < _TAGS:
            values.append(_Value("".join(self._text).strip(WHITE_SPACE), self._attributes))

    def finish(self) -> None:
        """The element of the extension ends. What lacks something that is required is no image, video or news."""
        namespace = self._root.partition(SEPARATOR)[0]
        values = {name.rpartition(SEPARATOR)[2]: values for name, values in self._found.items()}
        if namespace == IMAGE:
            self._images += (Image(loc=value.text) for value in values.get("loc", ())[:1] if value.text)
        elif namespace == VIDEO:
            self._videos += filter(None, [_video(values)])
        else:
            self._news = self._news or _news(values)

    def added_to(self, entry: Entry) -> Entry:
        """The entry with the images, videos and news that were found."""
        return replace(entry, images=tuple(self._images), videos=tuple(self._videos), news=self._news)

    def _counts(self, depth: int, name: str) -> bool:
        if depth == 1:
            return name in _CHILDREN[self._root]
        return depth == 2 and self._parent == _PUBLICATION and name in _OF_PUBLICATION  # noqa: PLR2004  # of a depth


def _video(values: Mapping[str, list[_Value]]) -> Video | None:
    """The video, unless it lacks what is required: a thumbnail, a title, a description, and somewhere to be seen."""
    first = {name: found[0] for name, found in values.items()}
    texts = {name: value.text or None for name, value in first.items()}
    title = _no_longer(texts.get("title"), _TITLE)
    description = _no_longer(texts.get("description"), _DESCRIPTION)
    thumbnail_loc, content_loc, player_loc = map(texts.get, ("thumbnail_loc", "content_loc", "player_loc"))
    if not (title and description and thumbnail_loc and (content_loc or player_loc)):
        return None
    uploader = _no_longer(texts.get("uploader"), _UPLOADER)
    info = first.get("uploader", _NOTHING).attributes.get("info", "").strip(WHITE_SPACE)
    duration = _number(texts.get("duration"))
    return Video(
        thumbnail_loc=thumbnail_loc,
        title=title,
        description=description,
        content_loc=content_loc,
        player_loc=player_loc,
        duration=duration if duration and duration <= _LONGEST else None,
        expiration_date=date_or_none(texts.get("expiration_date")),
        rating=_rating(texts.get("rating")),
        view_count=_number(texts.get("view_count")),
        publication_date=date_or_none(texts.get("publication_date")),
        tags=tuple(value.text for value in values.get("tag", ()) if value.text),
        family_friendly=_yes_or_no(texts.get("family_friendly")),
        restriction=_restriction(first.get("restriction", _NOTHING), _COUNTRY),
        requires_subscription=_yes_or_no(texts.get("requires_subscription")),
        uploader=uploader,
        uploader_info=(info or None) if uploader else None,
        platform=_restriction(first.get("platform", _NOTHING), _PLATFORM),
        live=_yes_or_no(texts.get("live")),
    )


def _news(values: Mapping[str, list[_Value]]) -> News | None:
    """The news, unless it lacks any of its four values, which are all required."""
    texts = {name: found[0].text for name, found in values.items()}
    moment = date_or_none(texts.get("publication_date"))
    name, language, title = (texts.get(each, "") for each in ("name", "language", "title"))
    if moment is None or not name or not title or not _LANGUAGE.fullmatch(language):
        return None
    return News(name=name, language=language, publication_date=moment, title=title)


def _no_longer(text: str | None, length: int) -> str | None:
    return text if text is not None and len(text) <= length else None


def _number(text: str | None) -> int | None:
    match = _NUMBER.fullmatch(text or "")
    return int(match["digits"]) if match else None


def _rating(text: str | None) -> float | None:
    number = float(text) if text and _DECIMAL.fullmatch(text) else -1
    return abs(number) if 0 <= number <= _BEST else None


def _yes_or_no(text: str | None) -> bool | None:
    """The schema has three ways to write each."""
    return _YES_OR_NO.get((text or "").lower())


def _restriction(value: _Value, word: re.Pattern[str]) -> Restriction | None:
    """Countries or platforms; where any of them is none, nobody knows what was meant."""
    relationship = _RELATIONSHIPS.get(value.attributes.get("relationship", "").strip(WHITE_SPACE))
    words = tuple(value.text.split())
    if relationship is None or not words or not all(map(word.fullmatch, words)):
        return None
    return Restriction(relationship=relationship, values=words)
