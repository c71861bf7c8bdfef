"""Find the videos of a rendered page: its own files, embedded players, and VideoObjects."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Final
from urllib.parse import SplitResult, urlsplit

from msgspec import structs
from selectolax.lexbor import LexborNode

from sitemap_plugins.html.images import Attributes, absolute_url, children
from sitemap_plugins.html.parsing import Once, around
from sitemap_plugins.media import Restriction
from sitemap_plugins.model import FoundVideo
from sitemap_plugins.values.dates import lastmod_or_none
from sitemap_plugins.values.languages import REGIONS
from sitemap_plugins.values.text import CONTROL

VIDEOS: Final = 1000
"""The maximum number of videos to read from a page."""

TEXT_LENGTH: Final = 2048
"""The maximum length of a text to read from a page; longer texts fit nowhere."""

HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

EMBEDS: Final = frozenset({"embed", "iframe", "lite-youtube", "object", "video"})
"""The elements that may play a video; ``lite-youtube`` is a custom element, which a script turns into a player."""

_NODES: Final = 1000
_AROUND: Final = 6
_MAX_OBJECTS: Final = 10_000
_SOURCES: Final = ("src", "data-src", "data-lazy-src")
# Such a video is an animation; readers cannot even stop it.
_DECORATION: Final = frozenset({"autoplay", "muted", "loop"})
_IGNORED_TAGS: Final = frozenset(
    {"script", "style", "template", "noscript", "svg", "button", "iframe", "video", "audio"}
)
_IGNORED_CLASSES: Final = frozenset(
    {"headerlink", "md-content__button", "footnote-ref", "footnote-reference", "anchor", "anchorjs-link"}
)
_SPACE: Final = re.compile(r"[^\S\x0b\x0c\x1c-\x1f\x85]+")
_PERMALINK_SIGNS: Final = " ¶\uf0c1"
# Titles that are part of copied embed codes and do not describe the video.
_GENERIC: Final = frozenset(
    f"{before}{what}{after}".strip()
    for before in ("", "embedded ")
    for what in ("video", "youtube", "youtube video", "vimeo", "vimeo video", "iframe", "player")
    for after in ("", " player", " embed")
)
_YOUTUBE_HOSTS: Final = frozenset(
    f"{sub}{domain}" for sub in ("", "www.", "m.") for domain in ("youtube.com", "youtube-nocookie.com", "youtu.be")
)
_YOUTUBE_PATH: Final = re.compile(r"(?:/(?:embed|v|shorts|live))?/(?P<id>[A-Za-z0-9_-]{11})/?")
# These look like the id of a video, but are a playlist and the current live stream.
_YOUTUBE_LISTS: Final = frozenset({"videoseries", "live_stream"})
_YOUTUBE_ID: Final = re.compile(r"[A-Za-z0-9_-]{11}")
_VIMEO_HOSTS: Final = frozenset({"vimeo.com", "www.vimeo.com", "player.vimeo.com"})
_VIMEO_PATH: Final = re.compile(r"(?:/video)?/(?P<id>\d{1,15})(?:/(?P<hash>[0-9a-f]{6,20}))?/?")
_VIMEO_HASH: Final = re.compile(r"[0-9a-f]{6,20}")
# On any host: a UUID, or its short form.
_PEERTUBE_PATH: Final = re.compile(
    r"/videos/embed/(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[1-9A-HJ-NP-Za-km-z]{22})/?"
)
_FILE: Final = re.compile(r"\.(?:mp4|m4v|webm|ogv|mov|avi|mkv|mpe?g|wmv|m3u8)$", re.IGNORECASE)
_PLAYABLE: Final = re.compile(r"video/|application/(?:ogg|mp4|x-mpegurl|vnd\.apple\.mpegurl|dash\+xml)", re.IGNORECASE)
_DURATION: Final = re.compile(
    r"P(?:(?P<days>\d{1,4})D)?"
    r"(?:T(?:(?P<hours>\d{1,5})H)?(?:(?P<minutes>\d{1,6})M)?(?:(?P<seconds>\d{1,8})(?:\.\d{1,9})?S)?)?"
)


def plain_text(node: LexborNode) -> str:
    """The text of a heading, caption or paragraph on one line, without permalink and footnote marks.

    It still contains control characters. At most about `TEXT_LENGTH` characters are read.
    """
    parts: list[str] = []
    length = 0
    stack = [node.child]
    for _ in range(_NODES):
        if not stack or length > TEXT_LENGTH:
            break
        current = stack.pop()
        if current is None:
            continue
        stack.append(current.next)
        if current.is_text_node:
            text = (current.text_content or "")[:TEXT_LENGTH]
            parts.append(text)
            length += len(text)
        elif current.tag == "br":
            parts.append(" ")
        elif current.is_element_node and not _is_ignored(current):
            stack.append(current.child)
    return single_spaced("".join(parts))[:TEXT_LENGTH].rstrip(_PERMALINK_SIGNS)


def single_spaced(text: str) -> str:
    """The text with a single space for each run of white space; control characters do not count as white space."""
    return _SPACE.sub(" ", text).strip(" ")


def _is_ignored(node: LexborNode) -> bool:
    return node.tag in _IGNORED_TAGS or not _IGNORED_CLASSES.isdisjoint((node.attributes.get("class") or "").split())


def read_videos(
    nodes: Iterable[LexborNode], base: str, captions: Mapping[int, LexborNode], scripts: Iterable[LexborNode]
) -> tuple[FoundVideo, ...]:
    """The videos of a content, each once, in order.

    ``nodes`` are its headings and `EMBEDS` in order; ``captions`` are the captions of its figures; ``scripts`` are the
    page's JSON-LD. A VideoObject is meant for search engines, so its values take precedence over those found for the
    embed with the same URL.
    """
    unique: list[FoundVideo] = []
    places: dict[str, int] = {}
    for video in islice(_read_embeds(nodes, base, captions), VIDEOS):
        if places.keys().isdisjoint(_addresses(video)):
            places |= dict.fromkeys(_addresses(video), len(unique))
            unique.append(video)
    for video in islice(_read_json_ld(scripts, base), VIDEOS):
        place = next((places[url] for url in _addresses(video) if url in places), len(unique))
        places |= dict.fromkeys(_addresses(video), place)
        if place == len(unique):
            unique.append(video)
        else:
            known = {name: value for name, value in structs.asdict(video).items() if value}
            unique[place] = structs.replace(unique[place], **known)
    return tuple(unique)


def _addresses(video: FoundVideo) -> list[str]:
    return [url for url in (video.player_loc, video.content_loc) if url is not None]


def _read_embeds(nodes: Iterable[LexborNode], base: str, captions: Mapping[int, LexborNode]) -> Iterator[FoundVideo]:
    """The videos of the embeds, each with the best title near it: its own, its caption or the heading above."""
    heading: LexborNode | None = None
    text_of = Once(lambda node: _clean(plain_text(node)))
    for node in nodes:
        if node.tag in HEADINGS:
            heading = node
            continue
        attributes = node.attributes
        video = _embedded_video(node, attributes, base)
        if video is None:
            continue
        captioned = (outer.mem_id for outer in around(node, _AROUND) if outer.mem_id in captions)
        caption = next((text_of(captions[figure]) for figure in captioned), None)
        title = _own_title(attributes) or caption or (text_of(heading) if heading is not None else None)
        yield structs.replace(video, title=title, description=caption if caption != title else None)


def _embedded_video(node: LexborNode, attributes: Attributes, base: str) -> FoundVideo | None:
    """The video that one of the `EMBEDS` plays; None if it does not play a video."""
    if node.tag == "video":
        is_decoration = attributes.keys() >= _DECORATION and "controls" not in attributes
        return None if is_decoration else _file(node, attributes, base)
    if node.tag == "lite-youtube":
        return player_of(f"https://www.youtube.com/embed/{attributes.get('videoid') or ''}")
    return _framed(attributes, ("data",) if node.tag == "object" else _SOURCES, base)


def _file(node: LexborNode, attributes: Attributes, base: str) -> FoundVideo | None:
    """The file that a ``video`` plays: its own, or the first of its sources that browsers can play."""
    sources = (source.attributes for source in children(node, "source"))
    playable = (source for source in sources if _PLAYABLE.match(source.get("type") or "video/"))
    for holder in (attributes, *playable):
        for name in _SOURCES:
            if (url := absolute_url(base, holder.get(name))) is not None:
                return FoundVideo(content_loc=url, thumbnail_loc=absolute_url(base, attributes.get("poster")))
    return None


def _framed(attributes: Attributes, sources: Iterable[str], base: str) -> FoundVideo | None:
    for name in sources:
        if (url := absolute_url(base, attributes.get(name))) is not None:
            if (video := player_of(url)) is not None:
                return video
            if _FILE.search(urlsplit(url).path) or _PLAYABLE.match(attributes.get("type") or ""):
                return FoundVideo(content_loc=url)
    return None


def player_of(url: str) -> FoundVideo | None:
    """The video of YouTube, Vimeo or PeerTube for a URL, identified by the single URL of its player."""
    parts = urlsplit(url)
    if parts.hostname in _YOUTUBE_HOSTS:
        key = _youtube_id(parts)
        if key is None:
            return None
        return FoundVideo(
            player_loc=f"https://www.youtube.com/embed/{key}",
            thumbnail_loc=f"https://i.ytimg.com/vi/{key}/hqdefault.jpg",
        )
    if parts.hostname in _VIMEO_HOSTS and (match := _VIMEO_PATH.fullmatch(parts.path)):
        # An unlisted video plays only with its hash.
        secret = match["hash"] or _parameter(parts, "h")
        suffix = f"?h={secret}" if _VIMEO_HASH.fullmatch(secret) else ""
        return FoundVideo(player_loc=f"https://player.vimeo.com/video/{match['id']}{suffix}")
    if _PEERTUBE_PATH.fullmatch(parts.path):
        return FoundVideo(player_loc=f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}")
    return None


def _youtube_id(parts: SplitResult) -> str | None:
    match = _YOUTUBE_PATH.fullmatch(parts.path)
    key = match["id"] if match else _parameter(parts, "v") if parts.path == "/watch" else ""
    return key if _YOUTUBE_ID.fullmatch(key) and key not in _YOUTUBE_LISTS else None


def _parameter(parts: SplitResult, name: str) -> str:
    for pair in parts.query[:TEXT_LENGTH].split("&"):
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return ""


def _own_title(attributes: Attributes) -> str | None:
    """The title that the author gave the embed; generic titles from embed codes do not count."""
    for name in ("title", "aria-label"):
        title = _clean(attributes.get(name))
        if title is not None and title.lower() not in _GENERIC:
            return title
    return None


def _clean(text: object) -> str | None:
    """The text on one line, without control characters; None if it is empty or not a string."""
    if not isinstance(text, str):
        return None
    return single_spaced(CONTROL.sub("", text[:TEXT_LENGTH])) or None


def _read_json_ld(scripts: Iterable[LexborNode], base: str) -> Iterator[FoundVideo]:
    """The videos that the JSON-LD of a page describes, at any depth."""
    for script in scripts:
        try:
            data = json.loads(script.text())
        except (ValueError, RecursionError):
            continue
        for thing in islice(_json_objects(data), _MAX_OBJECTS):
            kinds = thing.get("@type")
            if "VideoObject" in (kinds if isinstance(kinds, list) else [kinds]):
                video = _video_object(thing, base)
                if _addresses(video):
                    yield video


def _json_objects(data: object) -> Iterator[dict[str, object]]:
    stack = [data]
    while stack:
        thing = stack.pop()
        if isinstance(thing, dict):
            yield thing
            stack += reversed(thing.values())
        elif isinstance(thing, list):
            stack += reversed(thing)


def _video_object(thing: Mapping[str, object], base: str) -> FoundVideo:
    """The video of a VideoObject. Many authors give a YouTube page as its content, which becomes the player here."""
    content = absolute_url(base, _address(thing.get("contentUrl")))
    player = absolute_url(base, _address(thing.get("embedUrl")))
    hosted = (player and player_of(player)) or (content and player_of(content)) or FoundVideo(player_loc=player)
    return FoundVideo(
        thumbnail_loc=absolute_url(base, _address(thing.get("thumbnailUrl")) or _address(thing.get("thumbnail")))
        or hosted.thumbnail_loc,
        title=_clean(thing.get("name")),
        description=_clean(thing.get("description")),
        content_loc=None if content and player_of(content) else content,
        player_loc=hosted.player_loc,
        duration=_seconds(thing.get("duration")),
        publication_date=lastmod_or_none(thing.get("uploadDate")),
        expiration_date=lastmod_or_none(thing.get("expires")),
        restriction=_allowed(thing.get("regionsAllowed")),
    )


def _address(value: object) -> str | None:
    """The URL in a property: the value itself, the first of a list, or the URL of a thing such as an ImageObject."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, dict):
        value = value.get("url") or value.get("contentUrl") or value.get("@id")
    return value if isinstance(value, str) else None


def _allowed(value: object) -> Restriction | None:
    """The countries in which a video may be shown: codes in a text or a list, or places with such names.

    None if one of them is unknown: a shorter list would block the video in a country where it may be shown.
    """
    places = value if isinstance(value, list) else [value]
    names = [place.get("name") if isinstance(place, dict) else place for place in places]
    codes = [
        code for name in names for code in (name.replace(",", " ").upper().split() if isinstance(name, str) else "?")
    ]
    if not codes or not REGIONS.issuperset(codes):
        return None
    return Restriction(relationship="allow", values=tuple(dict.fromkeys(codes)))


def _seconds(duration: object) -> int | None:
    """The seconds of an ISO 8601 duration such as ``PT1H2M3S``; None if it is invalid or zero."""
    match = _DURATION.fullmatch(duration.strip()) if isinstance(duration, str) else None
    if match is None:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds or None
