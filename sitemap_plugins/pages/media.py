"""The images and videos of a page: what its author names, what the rendered page contains, and what can be fetched."""

from __future__ import annotations

import posixpath
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urljoin, urlsplit

import msgspec
from msgspec import structs

from sitemap_plugins.html.content import description_of, title_of
from sitemap_plugins.html.videos import player_of
from sitemap_plugins.media import Image, Restriction, Video
from sitemap_plugins.model import Candidate, Content, Entry, FoundVideo, Note, Page, Site
from sitemap_plugins.options.convert import convert_fields
from sitemap_plugins.options.settings import PageValues, Restricted, Settings, VideoValues
from sitemap_plugins.options.types import ImageChoice
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.values.dates import age_of, format_lastmod
from sitemap_plugins.values.text import join_words, one_line, short_repr
from sitemap_plugins.values.urls import (
    LOC_LENGTH,
    InvalidURLError,
    encode_url,
    is_inside,
    is_local,
    path_below,
    root_of,
)

IMAGE_LIMIT: Final = 1000
"""The most images of one page (Google, "Image sitemaps")."""

_FETCHED: Final = ("thumbnail_loc", "content_loc", "player_loc")
_URLS: Final = (*_FETCHED, "uploader_info")
_PLAIN: Final = ("duration", "rating", "view_count", "tags", "family_friendly", "requires_subscription", "live")
_FOUND: Final = ("title", "description", "duration", "publication_date", "expiration_date", "restriction")
_REQUIRED: Final = ("thumbnail_loc", "title", "description")
_LONGEST: Final = 28_800  # seconds
_TITLE: Final = 100
_DESCRIPTION: Final = 2048

_NO_FILE: Final = "no such file"
# The crawler that fetches each URL of a video.
_CRAWLERS: Final[Mapping[str, str]] = {
    "thumbnail_loc": "Googlebot-Image",
    "content_loc": "Googlebot-Video",
    "player_loc": "Googlebot-Video",
}
_Fault: TypeAlias = tuple[str, str]
"""Why a URL is left out: the wording that the log counts, and a detail for the example in the log."""


class Media(msgspec.Struct, frozen=True):
    """The images and videos of a page, with notes about them; ``named`` are the URLs that its author names."""

    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    notes: tuple[Note, ...] = ()
    named: frozenset[str] = frozenset()


def media_of(page: Page, loc: str, values: PageValues, base_url: str, settings: Settings) -> Media:
    """The images and videos of the page at ``loc``. Those that cannot be published are left out, with a note."""
    finder = _Finder(page, loc, base_url, settings)
    images = finder.images(values.images or ImageChoice())
    videos = finder.videos(values.videos or ())
    if finder.content.damaged:
        message = f"its {join_words(finder.content.damaged)} had control characters, which are left out"
        finder.notes.append(Note(kind="text", page=page.name, message=message))
    return Media(images, videos, tuple(finder.notes), frozenset(finder.named))


class _Finder:
    """Finds the media of one page; ``named`` are the URLs that its author names."""

    def __init__(self, page: Page, loc: str, base_url: str, settings: Settings) -> None:
        self._page = page
        self._loc = loc
        self._base_url = base_url
        self._settings = settings
        self.content = page.content or Content()
        for each in cast("tuple[object, ...]", self.content.images):
            if not isinstance(each, str):  # from an author who uses the API
                raise TypeError(f"Content.images of {page.name} takes URLs, not {each!r}")
        self.notes: list[Note] = []
        self.named: set[str] = set()

    def images(self, choice: ImageChoice) -> tuple[Image, ...]:
        """The images in the content and those that the author adds, without those that the author removes."""
        name = self._page.name
        content = self.content if self._settings.images else Content()
        found: dict[str, None] = {}
        for written in content.images:
            try:
                url = _encode(written)
            except InvalidURLError:
                continue  # a mistake in the page that its readers notice anyway
            if is_local(url) and not is_local(self._loc):
                continue
            path = path_below(self._base_url, url)
            is_removed = choice.removed.matches(url.partition("://")[2] if path is None else path)
            if not is_removed and (path is not None or _is_on_host(url, self._loc, self._settings.image_hosts)):
                found[url] = None
        for text in choice.added:
            try:
                url = _encode(_absolute(self._base_url, text))
            except InvalidURLError as error:
                self.notes.append(Note(kind="front-matter", page=name, message=f"images: {text!r:.200} {error}"))
            else:
                found[url] = None
                self.named.add(url)
        if number := content.images_without_address:
            message = "an image has no src" if number == 1 else f"{number} images have no src"
            self.notes.append(Note(kind="image", page=name, message=f"{message} and cannot be shown or listed"))
        if len(found) > IMAGE_LIMIT:
            message = f"it has {len(found):,} images; only the first {IMAGE_LIMIT:,} are listed"
            self.notes.append(Note(kind="image", page=name, message=message))
        return tuple(Image(loc=url) for url in [*found][:IMAGE_LIMIT])

    def videos(self, declared: Iterable[VideoValues]) -> tuple[Video, ...]:
        """The videos that the author describes, then those in the content."""
        shown = [_encoded(each) for each in self.content.videos]
        seen = {url: fields for fields in shown for url in _identifying_urls(fields)}
        videos: list[Video] = []
        known: set[str] = set()
        for each in declared:
            fields, wrong = _fields(each, self._base_url)
            about = [Note(kind="front-matter", page=self._page.name, message=f"videos: {message}") for message in wrong]
            self.notes += about
            if known.isdisjoint(_identifying_urls(fields)):
                known.update(_identifying_urls(fields))
                self.named |= {fields[name] for name in _FETCHED if name in fields}
                embedded = next((seen[url] for url in _identifying_urls(fields) if url in seen), {})
                videos += self._video(embedded | fields)
        for fields in shown if self._settings.videos else ():
            if known.isdisjoint(_identifying_urls(fields)):
                known.update(_identifying_urls(fields))
                videos += self._video(fields, is_declared=False)
        return tuple(videos)

    def _video(self, fields: dict[str, Any], *, is_declared: bool = True) -> Iterator[Video]:
        """The video, or nothing but a note on what is missing. Its texts default to those of the page."""
        fields = {"title": title_of(self._page), "description": description_of(self._page)} | fields
        fields["title"] = one_line(fields.get("title", ""), _TITLE)
        fields["description"] = one_line(fields.get("description", ""), _DESCRIPTION)
        name = next(iter(_identifying_urls(fields)), fields["title"] or "without an address")
        missing = [each for each in _REQUIRED if not fields.get(each)]
        missing += [] if _identifying_urls(fields) else ["content_loc or player_loc"]
        if missing:
            # Many embedded videos may lack the same fields: without its name, the note is the same for all of them.
            which = f"the video {short_repr(name)}" if is_declared else "a video"
            message = f"{which} is left out, because it has no {join_words(missing, 'or')}: set it under videos"
            self.notes.append(Note(kind="video", page=self._page.name, message=f"{message} in the page's front matter"))
            return
        if self._loc in _identifying_urls(fields):
            message = f"the video {short_repr(name)} is left out: its address is that of the page, not of a video"
            self.notes.append(Note(kind="video", page=self._page.name, message=message))
            return
        if "uploader_info" in fields and urlsplit(fields["uploader_info"]).netloc != urlsplit(self._loc).netloc:
            message = (
                f"videos: uploader_info: {fields.pop('uploader_info')} is not on the host of the page; it is ignored"
            )
            self.notes.append(Note(kind="front-matter", page=self._page.name, message=message))
        if "uploader_info" in fields and not fields.get("uploader"):
            message = "videos: uploader_info: there is no uploader; it is ignored"
            self.notes.append(Note(kind="front-matter", page=self._page.name, message=message))
            del fields["uploader_info"]
        yield Video(**fields)


def _is_on_host(url: str, loc: str, hosts: Iterable[str]) -> bool:
    host = urlsplit(url).hostname or ""
    return host == urlsplit(loc).hostname or any(fnmatchcase(host, each) for each in hosts)


def _absolute(base_url: str, text: str) -> str:
    try:
        return urljoin(base_url, text)
    except ValueError as error:
        raise InvalidURLError(f"is not a URL ({error})") from None


def _encode(url: str) -> str:
    """Encode a URL. Raises `InvalidURLError` if it cannot be published."""
    encoded = encode_url(url)
    if len(encoded) > LOC_LENGTH:
        raise InvalidURLError(f"is {len(encoded)} characters long; at most {LOC_LENGTH} are allowed")
    return encoded


def _identifying_urls(fields: Mapping[str, Any]) -> list[str]:
    """The URLs that identify a video: two descriptions with one of them in common are of the same video."""
    return [fields[name] for name in ("content_loc", "player_loc") if fields.get(name)]


def _encoded(found: FoundVideo) -> dict[str, Any]:
    """The fields of a video that a page embeds, with encoded URLs; invalid URLs are left out."""
    fields: dict[str, Any] = {name: getattr(found, name) for name in _FOUND}
    for name in _FETCHED:
        url = getattr(found, name)
        try:
            fields[name] = _encode(url) if url else None
        except InvalidURLError:
            continue
    if (found.duration or 0) > _LONGEST:
        fields["duration"] = None
    return {name: value for name, value in fields.items() if value}


def _fields(declared: VideoValues, base_url: str) -> tuple[dict[str, Any], list[str]]:
    """The fields of a video that an author describes, and what is wrong with them."""
    fields: dict[str, Any] = {name: getattr(declared, name) for name in _PLAIN}
    texts = {name: getattr(declared, name) for name in ("title", "description", "uploader")}
    fields |= {name: str(text) for name, text in texts.items() if text}
    wrong: list[str] = []
    players: dict[str, Any] = {}
    for name in _URLS:
        if text := getattr(declared, name):
            try:
                fields[name] = _encode(_absolute(base_url, text))
                if name in {"content_loc", "player_loc"} and (known := player_of(fields[name])):
                    # The page of a video at YouTube or Vimeo is not its player.
                    del fields[name]
                    players |= {key: value for key, value in _encoded(known).items() if key not in fields}
            except InvalidURLError as error:
                wrong.append(f"{name}: {text!r:.200} {error}")
    for name in ("expiration_date", "publication_date"):
        date = getattr(declared, name)
        fields[name] = date.value if date else None
    for name in ("restriction", "platform"):
        restricted: Restricted | None = getattr(declared, name)
        if restricted:
            fields[name] = Restriction(relationship=restricted.relationship, values=restricted.values)
    return players | {name: value for name, value in fields.items() if value is not None}, wrong


def checked_media(entry: Entry) -> Entry:
    """The entry that a hook returned, with the URLs of its media encoded. Raises ValueError if one is invalid."""
    message = "gave it images or videos that are not Image or Video objects"
    try:
        images, videos = tuple(entry.images), tuple(entry.videos)
    except TypeError:
        raise ValueError(message) from None
    if not all(isinstance(each, Image) for each in images) or not all(isinstance(each, Video) for each in videos):
        raise ValueError(message)
    try:
        images = tuple(Image(loc=_encode(str(each.loc))) for each in images)
    except InvalidURLError as error:
        raise ValueError(f"gave it an image whose URL {error}") from None
    return replace(entry, images=images[:IMAGE_LIMIT], videos=tuple(map(_checked_video, videos)))


def _checked_video(video: Video) -> Video:
    written = {
        name: {str(value.relationship): value.values} if isinstance(value, Restriction) else value
        for name in Video.__dataclass_fields__
        if (value := getattr(video, name)) is not None
    }
    converted, mistakes = convert_fields(written, VideoValues)
    fields, wrong = _fields(VideoValues(**converted), "")
    missing = [name for name in _REQUIRED if not fields.get(name)]
    missing += [] if _identifying_urls(fields) else ["content_loc"]
    if mistakes or wrong or missing:
        problems = [*map(str, mistakes), *wrong, *(f"{name} is missing" for name in missing)]
        raise ValueError(f"gave it an invalid video: {problems[0]}")
    return Video(**fields)


def check_media(
    site: Site, listed: Iterable[Candidate], crawl_rules: CrawlRules, files: Container[str] | None = None
) -> tuple[list[Candidate], list[Note]]:
    """Return the candidates without the images and videos that search engines cannot fetch or show, and notes on those.

    Images and videos that hooks added are checked too. ``files`` are the paths of `paths_of_media` that have a file in
    the output directory; if it is None, files do not matter.
    """
    checks = _Checks(site, crawl_rules, files)
    checked = [checks.check(each) if each.entry.images or each.entry.videos else each for each in listed]
    return checked, [*checks.about_named, *checks.counted()]


def paths_of_media(site: Site, candidate: Candidate) -> Iterator[str]:
    """The paths in the output directory that may have the files of a page's images and videos."""
    if not _is_at_base(candidate):
        return
    for image in candidate.entry.images:
        yield from _paths_of(site, image.loc)
    for video in candidate.entry.videos:
        for name in _CRAWLERS:
            if url := getattr(video, name):
                yield from _paths_of(site, url, is_player=name == "player_loc")


def _paths_of(site: Site, url: str, *, is_player: bool = False) -> tuple[str, ...]:
    """The paths that may have the file of a URL; none if this build does not publish it."""
    # Languages below the site's own URL that other builds publish.
    urls = (each.base_url for each in site.languages if each.base_url.startswith(site.base_url))
    elsewhere = tuple(base for base in urls if base != site.base_url)
    path = path_below(site.base_url, url)
    if path is None or url.startswith(elsewhere):
        return ()
    path = posixpath.normpath(path.lstrip("/"))
    if not is_inside(path):
        return ()
    # Servers answer short URLs of pages.
    return (path, f"{path}.html", f"{path}/index.html") if is_player else (path,)


class _Checks:
    """The checks of one build, and what they found so far."""

    def __init__(self, site: Site, crawl_rules: CrawlRules, files: Container[str] | None) -> None:
        self._site = site
        self._root = root_of(site.base_url)
        self._crawl_rules = crawl_rules
        self._files = files
        self._left_out: dict[tuple[str, str], dict[str, str]] = {}
        self.about_named: list[Note] = []

    def check(self, candidate: Candidate) -> Candidate:
        """The candidate without the images and videos that have a fault."""
        entry = candidate.entry
        images = tuple(each for each in entry.images if not self._is_faulty(candidate, each.loc))
        videos = tuple(filter(None, (self._checked(candidate, each) for each in entry.videos)))
        if images == entry.images and videos == entry.videos:
            return candidate
        return structs.replace(candidate, entry=replace(entry, images=images, videos=videos))

    def counted(self) -> Iterator[Note]:
        """One note for the images, and one for the videos, that share a reason to be left out."""
        for (kind, wording), examples in self._left_out.items():
            first = next(iter(examples.values()))
            message = f"1 {kind} is left out ({wording}): {first}"
            if len(examples) > 1:
                message = f"{len(examples):,} {kind}s are left out ({wording}), for example {first}"
            yield Note(kind="image", message=message) if kind == "image" else Note(kind="video", message=message)

    def _is_faulty(self, candidate: Candidate, url: str) -> bool:
        markup = candidate.page.markup
        is_forbidden = markup is not None and "noimageindex" in markup.robots
        fault = ("noimageindex", "robots meta tag") if is_forbidden else self._fault(candidate, url, "Googlebot-Image")
        if fault:
            self._leave_out("image", candidate, url, fault)
        return fault is not None

    def _checked(self, candidate: Candidate, video: Video) -> Video | None:
        """The video without the URLs that have a fault, or None if the others are not enough to list it."""
        expires, as_of = video.expiration_date, self._site.as_of
        if expires is not None and as_of is not None and age_of(expires, as_of) > timedelta():
            expired = ("expired", format_lastmod(expires, "date"))
            self._leave_out("video", candidate, video.content_loc or video.player_loc or "", expired)
            return None
        faults = {
            name: fault
            for name, crawler in _CRAWLERS.items()
            if (url := getattr(video, name))
            and (fault := self._fault(candidate, url, crawler, is_player=name == "player_loc"))
        }
        content = None if "content_loc" in faults else video.content_loc
        player = None if "player_loc" in faults else video.player_loc
        if "thumbnail_loc" not in faults and (content or player):
            return replace(video, content_loc=content, player_loc=player)
        name, fault = next(iter(faults.items()))
        self._leave_out("video", candidate, getattr(video, name), fault)
        return None

    def _fault(self, candidate: Candidate, url: str, crawler: str, *, is_player: bool = False) -> _Fault | None:
        """What is wrong with a URL on this site's host; URLs on other hosts are not checked."""
        if root_of(url) != self._root:
            return None
        if _is_at_base(candidate) and self._is_missing(url, is_player=is_player):
            return _NO_FILE, ""
        if (line := self._crawl_rules.disallow_line(url, crawler)) is not None:
            return "disallowed by robots.txt", line
        # A player is a page, and Google shows videos even if their player page is not indexed.
        rule = None if is_player else self._crawl_rules.noindex(url)
        return None if rule is None else ("noindex", rule)

    def _is_missing(self, url: str, *, is_player: bool) -> bool:
        if self._files is None:
            return False
        paths = _paths_of(self._site, url, is_player=is_player)
        return bool(paths) and not any(path in self._files for path in paths)

    def _leave_out(self, kind: str, candidate: Candidate, url: str, fault: _Fault) -> None:
        page = candidate.page.name
        wording, detail = fault
        if wording == _NO_FILE and url in candidate.named_media:
            message = f"{kind}s: {url} is left out, because the build wrote no such file"
            self.about_named.append(Note(kind="front-matter", page=page, message=message))
        else:
            example = f"{url} on {page}" + (f" ({detail})" if detail else "")
            self._left_out.setdefault((kind, wording), {}).setdefault(url, example)


def _is_at_base(candidate: Candidate) -> bool:
    """Whether the output is published at the base URL: the page's file must be at the path of its URL.

    If URLs have a language or version before the path, the files are not at the paths of their URLs.
    """
    path, output = candidate.path, candidate.page.output
    return output is None or output in {path, f"{path}.html", f"{path}index.html", f"{path}/index.html"}
