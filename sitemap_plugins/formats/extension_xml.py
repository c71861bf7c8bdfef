"""The images, videos and news of a page in its sitemap (Google's extensions of the protocol), each on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from sitemap_plugins.formats.sitemap_xml import IMAGE, NEWS, VIDEO, escape
from sitemap_plugins.model import Entry
from sitemap_plugins.w3c_date import format_lastmod

if TYPE_CHECKING:
    from sitemap_plugins.media import Image, Moment, News, Restriction, Video

__all__ = ["IMAGE", "NEWS", "VIDEO", "render_extensions", "render_images", "render_news", "render_video"]

_T = TypeVar("_T")


def render_extensions(entry: Entry) -> Iterator[str]:
    """The elements of all extensions but the links to alternates, in order."""
    yield from render_images(entry.images)
    yield from map(render_video, entry.videos)
    if entry.news:
        yield render_news(entry.news)


def render_images(images: Iterable[Image]) -> Iterator[str]:
    """Each image as an element of its own (Google, "Image sitemaps"); all but its URL is retired, and never written."""
    for image in images:
        yield f"<image:image>{_element('image:loc', image.loc)}</image:image>"


def render_video(video: Video) -> str:
    """One video (Google, "Video sitemaps"), its children in the order of the schema, which is a sequence (SM-XML-06).

    Retired, and never written, are category, gallery_loc, price, tvshow and content_segment_loc.
    """
    return f"<video:video>{''.join(_video_elements(video))}</video:video>"


def _video_elements(video: Video) -> Iterator[str]:
    yield _element("video:thumbnail_loc", video.thumbnail_loc)
    yield _element("video:title", video.title)
    yield _element("video:description", video.description)
    yield _optional("video:content_loc", video.content_loc, escape)
    yield _optional("video:player_loc", video.player_loc, escape)
    yield _optional("video:duration", video.duration, str)
    yield _optional("video:expiration_date", video.expiration_date, _date)
    yield _optional("video:rating", video.rating, "{:.1f}".format)
    yield _optional("video:view_count", video.view_count, str)
    yield _optional("video:publication_date", video.publication_date, _date)
    for tag in video.tags:
        yield _element("video:tag", tag)
    yield _optional("video:family_friendly", video.family_friendly, _yes_or_no)
    yield _restriction("video:restriction", video.restriction)
    yield _optional("video:requires_subscription", video.requires_subscription, _yes_or_no)
    info = {"info": video.uploader_info} if video.uploader_info else {}
    yield _optional("video:uploader", video.uploader, escape, **info)
    yield _restriction("video:platform", video.platform)
    yield _optional("video:live", video.live, _yes_or_no)


def render_news(news: News) -> str:
    """The news of a page (Google, "News sitemaps"); retired, and never written, are keywords, genres and the like."""
    publication = _element("news:name", news.name) + _element("news:language", news.language)
    return (
        f"<news:news><news:publication>{publication}</news:publication>"
        f"<news:publication_date>{_date(news.publication_date)}</news:publication_date>"
        f"{_element('news:title', news.title)}</news:news>"
    )


def _element(name: str, text: str) -> str:
    return _optional(name, text, escape)


def _optional(name: str, value: _T | None, form: Callable[[_T], str], **attributes: str) -> str:
    """The element with the value in its form, or nothing where the value is not known."""
    if value is None:
        return ""
    written = "".join(f' {attribute}="{escape(text)}"' for attribute, text in attributes.items())
    return f"<{name}{written}>{form(value)}</{name}>"


def _restriction(name: str, restriction: Restriction | None) -> str:
    """Countries or platforms, with a space between two."""
    if restriction is None:
        return ""
    return _optional(name, " ".join(restriction.values), escape, relationship=restriction.relationship)


def _date(moment: Moment) -> str:
    return format_lastmod(moment, "datetime")


def _yes_or_no(value: bool) -> str:  # noqa: FBT001  # it is the value that is written
    return "yes" if value else "no"
