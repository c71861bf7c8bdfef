"""What is new on a site: feeds of the pages that changed last, and the entries of the news sitemap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from datetime import timedelta
from itertools import islice
from typing import Final

from sitemap_plugins.formats.feeds import render_atom, render_rss
from sitemap_plugins.html.content import description_of, title_of
from sitemap_plugins.media import News
from sitemap_plugins.model import Candidate, Entry, Feed, FeedItem, FileDate, LastMod, Note, OutputFile, Site
from sitemap_plugins.options.settings import NewsGroup, Settings
from sitemap_plugins.options.types import NewsLanguage
from sitemap_plugins.sitemaps.announcing import feed_title
from sitemap_plugins.values.dates import age_of, is_future, moment_of
from sitemap_plugins.values.text import and_more_pages, one_line

_WINDOW: Final = timedelta(days=2)


def render_feeds(site: Site, listed: Iterable[Candidate], settings: Settings) -> list[OutputFile]:
    """Render the feeds of changed pages, or none if no page has a date."""
    # A feed must not list the pages of another host (SM-LOC-04).
    own = [each for each in listed if each.page.base_url in {None, site.base_url}]
    items = recent_changes(own, settings.feeds.count)
    files = []
    for path, form in ((settings.feeds.rss, render_rss), (settings.feeds.atom, render_atom)):
        if path and items:
            feed = Feed(title=feed_title(site, settings), url=site.base_url + path, home=site.base_url, items=items)
            files.append(OutputFile(path=path, content=form(feed)))
    return files


def recent_changes(listed: Iterable[Candidate], count: int) -> tuple[FeedItem, ...]:
    """The ``count`` pages that changed last, the newest first; pages with the same date are sorted by URL.

    Pages without a date and files without a title are left out. So are pages that only show the change of another
    page, such as the index of a blog.
    """
    candidates = [*listed]
    everywhere = _shared_descriptions(candidates)
    own = {_place(candidate.dated.own) for candidate in candidates if title_of(candidate.page)}
    dated = ((lastmod, each) for each in candidates if (lastmod := each.entry.lastmod) is not None)
    newest = sorted(dated, key=lambda pair: (-moment_of(pair[0]).timestamp(), pair[1].entry.loc))
    items = (
        FeedItem(
            loc=candidate.entry.loc,
            title=title,
            description=description_of(candidate.page, everywhere),
            updated=lastmod,
        )
        for lastmod, candidate in newest
        if not _repeats(candidate, own)
        if (title := title_of(candidate.page))
    )
    return tuple(islice(items, count))


def _repeats(candidate: Candidate, own: Container[tuple[str, str] | None]) -> bool:
    """Whether a page has its date from the source file of another page."""
    place = _place(candidate.dated.file)
    return place is not None and place != _place(candidate.dated.own) and place in own


def _place(file: FileDate | None) -> tuple[str, str] | None:
    return (file.repository, file.path) if file and file.path else None


def _shared_descriptions(candidates: Iterable[Candidate]) -> frozenset[str]:
    """The descriptions of several pages: themes give the site's description to every page without its own."""
    counted = Counter(candidate.page.content.description for candidate in candidates if candidate.page.content)
    return frozenset(text for text, number in counted.items() if number > 1)


def news_entries(site: Site, listed: Iterable[Candidate], settings: Settings) -> tuple[list[Entry], list[Note]]:
    """Return an entry for each page of the option ``news`` from the last two days before ``site.as_of``, and notes.

    The entries are sorted by URL.
    """
    group = settings.news
    if group is None:
        return [], []
    chosen = [each for each in listed if each.news or (each.news is None and group.holds(each))]
    if chosen and site.as_of is None:
        message = "without a commit or SOURCE_DATE_EPOCH the current date is unknown, so no page is listed as news"
        return [], [Note(kind="news", message=message)]
    found: list[tuple[Candidate, News]] = []
    undated: list[str] = []
    notes: list[Note] = []
    for candidate in chosen:
        published = candidate.published
        if published is None:
            # The author can set a date in an HTML page, unless it is generated like an archive.
            is_written = candidate.page.markup is not None and not candidate.page.generated
            undated += [candidate.page.name] if is_written else []
        elif site.as_of and not is_future(published, site.as_of) and age_of(published, site.as_of) <= _WINDOW:
            try:
                found.append((candidate, _news(site, candidate, published, group)))
            except ValueError as error:
                notes.append(Note(kind="news", page=candidate.page.name, message=f"{error}; it is not listed as news"))
    if undated:
        message = "it has no publication date, so it is not listed as news: add a date to its front matter"
        notes.append(Note(kind="news", page=undated[0], message=message + and_more_pages(len(undated) - 1)))
    entries = [Entry(loc=candidate.entry.loc, lastmod=candidate.entry.lastmod, news=news) for candidate, news in found]
    return sorted(entries, key=lambda entry: entry.loc), notes


def _news(site: Site, candidate: Candidate, published: LastMod, group: NewsGroup) -> News:
    """The values of a page in the news sitemap. Raises ValueError if a required one is missing."""
    page = candidate.page
    name = group.name or one_line(site.name)
    title = title_of(page)
    if not name:
        raise ValueError("the publication has no name: set news.name")
    if not title:
        raise ValueError("the page has no title")
    try:
        language = group.publication_language or NewsLanguage.parse(page.language)
    except ValueError:
        raise ValueError("its language is not known: set news.publication_language") from None
    return News(name=name, language=language, publication_date=published, title=title)
