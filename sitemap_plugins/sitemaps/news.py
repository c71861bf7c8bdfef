"""Make the entries of the news sitemap: pages published within the last two days, with their publication."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from sitemap_plugins.html.content import title_of
from sitemap_plugins.media import News
from sitemap_plugins.model import Candidate, Entry, LastMod, Note, Site
from sitemap_plugins.options.settings import NewsGroup, Settings
from sitemap_plugins.options.types import NewsLanguage
from sitemap_plugins.values.dates import age_of, is_future
from sitemap_plugins.values.text import and_more_pages, one_line

_WINDOW: Final = timedelta(days=2)


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
