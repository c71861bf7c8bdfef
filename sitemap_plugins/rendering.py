"""From an arrangement to files: every sitemap, index and feed with what is to be beside it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from sitemap_plugins.arrange.limits import Measure, Measures
from sitemap_plugins.formats.sitemap_xml import (
    PLAIN,
    Style,
    Traits,
    entry_sizes,
    find_traits,
    frame_size,
    render_sitemap,
)
from sitemap_plugins.model import Candidate, Site
from sitemap_plugins.output import Arrangement, Chunks, OutputFile, Packed, Sitemap
from sitemap_plugins.settings import Settings

# Their pages are listed elsewhere.
_OWN_FILES: Final = frozenset({"images", "videos", "news"})


def traits_of(listed: Iterable[Candidate], settings: Settings) -> Traits:
    """What is true of the entries of all these pages, in whichever sitemaps they are."""
    traits = find_traits(candidate.entry for candidate in listed)
    return traits._replace(fields=traits.fields | {"news"}) if settings.news else traits


def measures(settings: Settings, traits: Traits = PLAIN.traits) -> Measures:
    """How much of a file everything takes that is written with these settings."""
    style = _style(settings, traits)
    return Measures(
        entries=Measure(partial(entry_sizes, style=style), partial(frame_size, style=style)),
        sitemaps=Measure(partial(_index_sizes, style), partial(_index_frame_size, style)),
    )


def _index_sizes(style: Style, sitemaps: Iterable[Sitemap]) -> Iterator[int]:
    from sitemap_plugins.formats.sitemap_index import index_sizes  # noqa: PLC0415  # only large sites have an index

    return index_sizes(sitemaps, style)


def _index_frame_size(style: Style, sitemaps: Sequence[Sitemap]) -> int:  # noqa: ARG001  # it is always the same
    from sitemap_plugins.formats.sitemap_index import index_frame_size  # noqa: PLC0415  # the same

    return index_frame_size(style)


def render(arrangement: Arrangement, settings: Settings, traits: Traits = PLAIN.traits) -> list[OutputFile]:
    """Each sitemap and index as a file, with its ``.gz`` beside it or in its place (SM-GZ-01), and as text (SM-TXT-01).

    Of what is not to be there a file says that, too.
    """
    style = _style(settings, traits)
    dates: dict[datetime, str] = {}
    files: list[OutputFile] = []
    for sitemap in arrangement.sitemaps:
        files += _packed(sitemap.path, partial(render_sitemap, sitemap.entries, style, dates), settings)
        if settings.text and sitemap.part not in _OWN_FILES:
            from sitemap_plugins.formats.text_sitemap import render_text  # noqa: PLC0415  # only where it is asked for

            path = f"{posixpath.splitext(sitemap.path)[0]}.txt"
            files += _packed(path, partial(render_text, sitemap.entries), settings)
    for index in arrangement.indexes:
        from sitemap_plugins.formats.sitemap_index import render_index  # noqa: PLC0415  # only large sites have one

        files += _packed(index.path, partial(render_index, index, style), settings)
    if arrangement.sitemaps and not any(file.path == settings.filename for file in files):
        # Several indexes have names of their own, and what the host has put there would be announced by its name alone.
        files += [OutputFile(path=path, content=None) for path in settings.filenames]
    return files


def render_feeds(site: Site, listed: Iterable[Candidate], settings: Settings) -> list[OutputFile]:
    """The feeds of what has changed, or none where nothing has a date."""
    from sitemap_plugins.arrange.recent_changes import recent_changes  # noqa: PLC0415  # only where it is asked for
    from sitemap_plugins.control_characters import one_line  # noqa: PLC0415  # the same
    from sitemap_plugins.formats.feeds import render_atom, render_rss  # noqa: PLC0415  # the same
    from sitemap_plugins.media import Feed  # noqa: PLC0415  # the same

    # A feed on one host may not speak for another (SM-LOC-04).
    own = [each for each in listed if each.page.base_url in {None, site.base_url}]
    items = recent_changes(own, settings.feeds.count)
    files = []
    for path, form in ((settings.feeds.rss, render_rss), (settings.feeds.atom, render_atom)):
        if path and items:
            title = settings.feeds.title or one_line(site.name) or site.base_url
            feed = Feed(title=title, url=site.base_url + path, home=site.base_url, items=items)
            files.append(OutputFile(path=path, content=form(feed)))
    return files


def _style(settings: Settings, traits: Traits) -> Style:
    return Style(settings.lastmod_format, settings.indent, settings.schema_location, traits)


def _compressed(chunks: Chunks) -> Iterator[bytes]:
    from sitemap_plugins.formats.compression import compress  # noqa: PLC0415  # only where it is asked for

    return compress(chunks())


def _packed(path: str, chunks: Chunks, settings: Settings) -> Iterator[OutputFile]:
    if settings.gzip == "only":
        yield OutputFile(path=path, content=None)
        yield OutputFile(path=f"{path}.gz", content=partial(_compressed, chunks))
    else:
        yield OutputFile(path=path, content=chunks)
        yield OutputFile(path=f"{path}.gz", content=Packed(path) if settings.gzip else None)
