"""The nouns: frozen values that one step hands to the next, and nothing that acts."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

if TYPE_CHECKING:  # few sites have any, and making these classes takes as long as all others here
    from sitemap_plugins.extensions import Image, News, Restriction, Video

LastMod: TypeAlias = datetime | date
"""A last-modified date: an aware datetime, or a bare date where no time of day is known."""

ChangeFrequency: TypeAlias = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
"""The seven values of ``changefreq`` (sitemaps.org protocol, "XML tag definitions")."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a build may publish: everything, or only one flat sitemap, which the scripts of some themes read.

    ``preview`` names the service that builds a throw-away preview, None if this is the real site. ``is_local`` says
    that the preview is on the author's machine, where nobody else sees it and nothing needs to be explained.
    ``superseded_by`` is the base URL of the version that search engines are to show, if this build is of another.
    """

    preview: str | None = None
    is_local: bool = False
    superseded_by: str | None = None

    @property
    def is_announced(self) -> bool:
        """Whether search engines are told of what is published."""
        return self.preview is None and self.superseded_by is None


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of the whole site.

    ``base_url`` is absolute and ends with a slash; every ``loc`` lies below it.
    ``as_of`` is the moment that counts as "now" (the date of HEAD or ``SOURCE_DATE_EPOCH``, whichever is later), or
    None when neither is known: then nothing is ever in the future. The clock is not read.
    ``policy`` says what this build may publish.
    ``robots_owner`` names a hosting service that generates robots.txt itself, or is None.
    ``unshallow`` says, as the end of a sentence, how the whole history is fetched where this build runs.
    ``languages`` are those that are known by a base URL, this site's own among them. ``default_language`` is the one
    for readers of none of them (``x-default``), as the host names it.
    ``name`` is what the site calls itself. ``feeds`` are the URLs of feeds that another tool writes for it.
    ``uncanonical_version`` names the version that is built, if others lie beside it and none of them is canonical.
    ``theme_reads_sitemap`` says that a script of the theme looks up the URLs of links in the sitemap.
    """

    base_url: str
    name: str = ""
    feeds: tuple[str, ...] = ()
    as_of: datetime | None = None
    policy: Policy = Policy()
    robots_owner: str | None = None
    unshallow: str = "run git fetch --unshallow"
    languages: tuple[Language, ...] = ()
    default_language: str | None = None
    uncanonical_version: str | None = None
    theme_reads_sitemap: bool = False


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """A language of the site, at a base URL of its own that ends with a slash.

    ``code`` is as in ``hreflang`` (``pt-BR``). ``pages`` are the URLs that are known to exist below the base, or None
    where nobody knows. ``same_paths`` says that a page has the same path below the base in every language.
    """

    code: str
    base_url: str
    pages: frozenset[str] | None = None
    same_paths: bool = True


class Markup(msgspec.Struct, frozen=True, kw_only=True):
    """What the head of one rendered page says to crawlers.

    ``robots`` holds the lower-case tokens of all robots and googlebot meta tags; ``unavailable_after`` their dates.
    ``canonicals`` are the hrefs of all ``link rel=canonical``, ``refresh`` the target of a meta refresh, as written.
    ``modified`` are the dates that it gives as those of its last change (``article:modified_time``, ``dateModified``).
    ``language`` is the ``lang`` of the ``html`` element, ``hreflang`` the pairs of code and href of all
    ``link rel=alternate hreflang``, as written.
    ``generators`` are the programs that it names as its makers. ``cut`` says how much of the page was parsed if that is
    not all: "up to character 1,234 only, because …".
    """

    robots: frozenset[str] = frozenset()
    unavailable_after: tuple[str, ...] = ()
    canonicals: tuple[str, ...] = ()
    refresh: str | None = None
    modified: tuple[str, ...] = ()
    language: str = ""
    hreflang: tuple[tuple[str, str], ...] = ()
    generators: tuple[str, ...] = ()
    cut: str = ""


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One generated page, as the host collected it.

    ``loc`` is the absolute URL the host gives it. ``name`` is what its author calls it (``guide/install.md``, or the
    page name of a page without a source) and is used in messages and by the ``source`` globs.
    ``source`` is the absolute path of its own source, if it has one. ``sources`` are those of all files it is made of,
    its own among them; the newest one dates it.
    ``shown_dates`` are the dates that the host says it shows as those of its last change, as text.
    ``front_matter`` is the page's metadata as the host parsed it. ``markup`` is None when the page was not read, and
    ``unread`` says why if it should have been, as a sentence in which "it" is the file behind the page.
    ``generated`` is true for pages that a tool made without a source of their own (an index, a listing).
    ``omit`` is a reason of the host's own to leave the page out: a key of `sitemap_plugins.pages.REASONS` such as
    ``error-page``, or a short phrase that can be counted; ``omit_detail`` is what there is to add to it.
    ``language`` is what the host calls the language of its text (``pt_BR``). ``translation`` is what the page is called
    in every language, and the same for its translations in this build; empty where there are none to be known.
    ``base_url`` is that of the page's own site, where its language has another one than the rest.
    ``superseded_by`` is the URL of the page in the version that search engines are to show, which the theme was given
    for the canonical link.
    ``output`` is the file behind it, relative to the output directory, with forward slashes.
    ``title`` is what the host calls it. ``content`` is None when the page was not read beyond its head.
    """

    loc: str
    name: str
    title: str = ""
    source: str | None = None
    sources: tuple[str, ...] = ()
    shown_dates: tuple[str, ...] = ()
    front_matter: Mapping[Any, object] = {}
    markup: Markup | None = None
    unread: str = ""
    content: Content | None = None
    generated: bool = False
    omit: str | None = None
    omit_detail: str = ""
    language: str = ""
    translation: str = ""
    base_url: str | None = None
    superseded_by: str | None = None
    output: str | None = None


X_DEFAULT: Final = "x-default"
"""The code of the page for readers of none of the languages."""


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """One ``xhtml:link rel="alternate"`` of an entry: the page in a language, or ``x-default``.

    ``href`` is absolute and encoded. ``declared`` says that an author declared it, and this build could not see it.
    """

    hreflang: str
    href: str
    declared: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One ``url`` of a sitemap: ``loc`` is absolute and encoded; what is None or empty is not written.

    ``alternates`` are those of the page in all its languages, its own included, sorted, ``x-default`` last.
    """

    loc: str
    lastmod: LastMod | None = None
    changefreq: ChangeFrequency | None = None
    priority: float | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[Image, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None


# Why a file has no date, as short phrases that can be counted.
NOT_COMMITTED: Final = "not committed yet"
SHALLOW: Final = "older than the shallow clone"
WRONG_CLOCK: Final = "committed with a wrong clock"
NO_FILE: Final = "no such file"
NO_GIT: Final = "no git"
UNREADABLE: Final = "git's history could not be read"


class FileDate(msgspec.Struct, frozen=True, kw_only=True):
    """When a source file last changed: the date of ``commit``; ``when`` is None where that cannot be known.

    ``reason`` then says why, as a short countable phrase. ``modified`` says that the file on disk is newer than that,
    ``added`` that the commit added the file. ``path`` is relative to the folder ``repository``, with forward slashes,
    and ``blob`` the content it has there. ``link`` is the absolute path by which the file was asked for, where symbolic
    links of a repository lead from there to the file; the newest of them and the file gives the date.
    """

    when: datetime | None
    commit: str | None = None
    reason: str | None = None
    modified: bool = False
    added: bool = False
    path: str = ""
    blob: str | None = None
    repository: str = ""
    link: str = ""


DateSource: TypeAlias = Literal["front_matter", "rule", "git", "mtime", "page", "adjust"]
"""Who says when a page last changed: its source, a rule, a file's history or time, its HTML, the author's hook."""


class Dated(msgspec.Struct, frozen=True, kw_only=True):
    """A page's last-modified date and where it comes from; ``lastmod`` and ``source`` are None where nobody knows.

    ``file`` is the source file that dates it, or the one because of which git knows no date; ``own`` is what git says
    of the page's own source, and ``files`` of all files that it is made of, where the newest of them dates it.
    """

    lastmod: LastMod | None = None
    source: DateSource | None = None
    file: FileDate | None = None
    own: FileDate | None = None
    files: tuple[FileDate, ...] = ()


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A page on its way to becoming an entry.

    ``path`` is its decoded URL path below the base, the one that globs see. ``exclude`` is what its author says of it:
    True (leave it out), False (list it although an ``exclude`` glob matches) or None (nothing); ``exclude_by`` says
    where. ``dated`` is where its date comes from. ``alternates`` are its translations, by language, as its author names
    them. ``section`` is the part of the site that its author puts it in. ``published`` is when it was, if it says so;
    ``news`` whether it is news, as its author says. ``named_media`` are the URLs of the images and videos that its
    author names.
    """

    page: Page
    path: str
    entry: Entry
    alternates: Mapping[str, str] = {}
    exclude: bool | None = None
    exclude_by: str = ""
    dated: Dated = Dated()
    section: str | None = None
    published: LastMod | None = None
    news: bool | None = None
    named_media: frozenset[str] = frozenset()


class Drop(enum.Enum):
    """The type of `DROP`."""

    DROP = "drop"


DROP: Final = Drop.DROP
"""What an ``adjust`` function returns to leave a page out."""

AdjustFunction: TypeAlias = Callable[[Entry, Page], "Entry | Drop | None"]
"""``(entry, page)`` to a changed entry, ``None`` (unchanged) or `DROP`."""


class Adjuster(NamedTuple):
    """A hook of the author's and the name it goes by in messages."""

    name: str
    function: AdjustFunction


class Omitted(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was left out: ``reason`` is short and countable ("noindex"), ``detail`` says where it comes from."""

    page: Page
    reason: str
    detail: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """Something a person should know. ``kind`` is a name from the table in `sitemap_plugins.rules`.

    ``page`` is the name of the page it is about, where it is about one.
    """

    kind: str
    message: str
    page: str | None = None


class FoundVideo(msgspec.Struct, frozen=True, kw_only=True):
    """A video as a rendered page embeds it: what is None the page does not say. URLs are absolute, not yet encoded."""

    thumbnail_loc: str | None = None
    title: str | None = None
    description: str | None = None
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    publication_date: LastMod | None = None
    expiration_date: LastMod | None = None
    restriction: Restriction | None = None


class Content(msgspec.Struct, frozen=True, kw_only=True):
    """What the main content of one rendered page holds.

    ``title`` is its first heading, ``head_title`` and ``description`` what its head says, ``summary`` its first
    paragraph; all as plain text, without control characters, empty where there is none. ``damaged`` names those that
    had some. ``images`` are the absolute URLs of the pictures that belong to the content, not yet encoded, each once,
    in order, and ``images_without_address`` counts those that have none; ``videos`` are those that can be played there.
    ``cut`` is that of `Markup`.
    """

    title: str = ""
    head_title: str = ""
    description: str = ""
    summary: str = ""
    damaged: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    images_without_address: int = 0
    videos: tuple[FoundVideo, ...] = ()
    cut: str = ""


class FeedItem(msgspec.Struct, frozen=True, kw_only=True):
    """A page in a feed of what has changed: ``loc`` is its encoded URL and never changes, ``updated`` its lastmod."""

    loc: str
    title: str
    description: str
    updated: LastMod


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed of the pages that changed last, the newest first: ``url`` is its own, ``home`` that of the site."""

    title: str
    url: str
    home: str
    items: tuple[FeedItem, ...]


class FeedLink(msgspec.Struct, frozen=True, kw_only=True):
    """A ``link rel="alternate"`` in the head of a page that leads to a feed; ``href`` is absolute and encoded."""

    media_type: str
    title: str
    href: str


class Sitemap(msgspec.Struct, frozen=True, kw_only=True):
    """One sitemap: its file relative to the output directory, its entries in order, and its own URL.

    ``part`` is the part of the site that it lists, or ``images``, ``videos`` and ``news``; empty for all pages.
    ``newest`` is the last date among the entries.
    """

    path: str
    entries: tuple[Entry, ...]
    url: str
    part: str = ""
    newest: LastMod | None = None


class SitemapIndex(msgspec.Struct, frozen=True, kw_only=True):
    """A sitemap index: its file relative to the output directory, the sitemaps it lists in order, and its own URL."""

    path: str
    sitemaps: tuple[Sitemap, ...]
    url: str


class Arrangement(msgspec.Struct, frozen=True, kw_only=True):
    """All that is to be written for search engines.

    ``sitemaps`` are all that list pages, the site's own first; ``indexes`` those that list sitemaps. ``announced`` are
    the URLs that lead to everything, and to no page twice; ``cross_submitted`` those of them for the pages of other
    hosts, by the root of the host. ``left_out`` are the URLs of pages that fit into no sitemap.
    """

    sitemaps: tuple[Sitemap, ...] = ()
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    cross_submitted: Mapping[str, tuple[str, ...]] = {}
    left_out: frozenset[str] = frozenset()


Chunks: TypeAlias = Callable[[], Iterable[bytes]]
"""The content of a file piece by piece, the same whenever it is asked for."""


class GzipOf(msgspec.Struct, frozen=True):
    """The content of a compressed file: that of the file at ``path`` beside it, as ``compress`` makes gzip of it."""

    path: str
    compress: Callable[[Iterable[bytes]], Iterator[bytes]]


class OutputFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to be written below the output directory; ``content`` None says that there must be no such file.

    ``path`` is relative, with forward slashes.
    """

    path: str
    content: bytes | Chunks | GzipOf | None


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What `sitemap_plugins.build` made of the pages. Nothing of it is on disk yet.

    ``alternates`` are those of each page, by its file in the output directory (`Page.output`). ``announced`` are the
    URLs that robots.txt is to name. ``entries`` are those of all pages, each once, whichever files list them.
    ``is_doubtful`` says that no page is left for a reason that looks like a mistake, so that what an earlier build has
    written had better stay.
    """

    site: Site
    entries: tuple[Entry, ...] = ()
    sitemaps: tuple[Sitemap, ...] = ()
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    files: tuple[OutputFile, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    is_doubtful: bool = False
    alternates: Mapping[str, tuple[Alternate, ...]] = {}  # msgspec copies an empty dict for every instance
    notes: tuple[Note, ...] = ()
