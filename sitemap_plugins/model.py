"""The values that the steps of a build pass on: immutable data without logic."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

import msgspec

if TYPE_CHECKING:  # few sites need them, and creating these classes takes as long as all others here
    from sitemap_plugins.media import Image, News, Restriction, Video

LastMod: TypeAlias = datetime | date
"""A last-modified date: an aware datetime, or a plain date if the time of day is not known."""

ChangeFrequency: TypeAlias = Literal["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]
"""The seven values of ``changefreq`` (sitemaps.org protocol, "XML tag definitions")."""


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """What a build may publish: everything, or only one flat sitemap, which the scripts of some themes read.

    ``preview`` is the service that builds a temporary preview, None if this is the real site. ``is_local`` means that
    the preview is on the author's machine, where only the author sees it and nothing needs to be explained.
    ``canonical_version`` is the base URL of the version that search engines should show, if this build is of another.
    """

    preview: str | None = None
    is_local: bool = False
    canonical_version: str | None = None

    @property
    def is_announced(self) -> bool:
        """Whether search engines are told about the published files."""
        return self.preview is None and self.canonical_version is None


class Site(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about the whole site.

    ``base_url`` is absolute and ends with a slash; every ``loc`` is below it.
    ``as_of`` is the moment that counts as "now" (the date of HEAD or ``SOURCE_DATE_EPOCH``, whichever is later), or
    None if neither is known: then no date is in the future. The clock is not read. ``has_commit`` is False if
    ``as_of`` is ``SOURCE_DATE_EPOCH`` alone, because git is not used or cannot be read.
    ``policy`` says what this build may publish.
    ``robots_owner`` is the hosting service that generates robots.txt itself, or None.
    ``unshallow`` tells how to fetch the whole history where this build runs, as the end of a sentence.
    ``languages`` are the languages with known base URLs, including this site's own. ``default_language`` is the one for
    readers of all other languages (``x-default``), under the host's name for it.
    ``name`` is the site's name. ``feeds`` are the URLs of feeds that another tool writes for it.
    ``announce_by`` tells how to announce the sitemap if a robots.txt beside it has no effect, as the end of a sentence;
    empty means in the robots.txt of the host.
    ``theme_reads_sitemap`` means that a script of the theme looks up the URLs of links in the sitemap.
    """

    base_url: str
    name: str = ""
    feeds: tuple[str, ...] = ()
    as_of: datetime | None = None
    has_commit: bool = True
    policy: Policy = Policy()
    robots_owner: str | None = None
    unshallow: str = "run git fetch --unshallow"
    languages: tuple[Language, ...] = ()
    default_language: str | None = None
    announce_by: str = ""
    theme_reads_sitemap: bool = False


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """A language of the site, with its own base URL, which ends with a slash.

    ``code`` is as in ``hreflang`` (``pt-BR``). ``pages`` are the URLs that exist below the base, or None if they are
    not known. If ``is_unread``, there are none because the file that lists them could not be read. ``same_paths`` means
    that a page has the same path below the base in every language.
    """

    code: str
    base_url: str
    pages: frozenset[str] | None = None
    is_unread: bool = False
    same_paths: bool = True


class Markup(msgspec.Struct, frozen=True, kw_only=True):
    """What the head of a rendered page tells crawlers.

    ``robots`` are the lower-case tokens of all robots and googlebot meta tags; ``unavailable_after`` their dates.
    ``canonicals`` are the hrefs of all ``link rel=canonical``, ``refresh`` is the target of a meta refresh, as written.
    ``modified`` are the dates of its last change that it gives (``article:modified_time``, ``dateModified``).
    ``language`` is the ``lang`` of the ``html`` element, ``hreflang`` the pairs of code and href of all
    ``link rel=alternate hreflang``, as written.
    ``generators`` are the programs that it names as its generators. ``cut`` says how much of the page was parsed, if
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
    """A page of the site, as the host collected it.

    ``loc`` is its absolute URL from the host. ``name`` is its name for the author (``guide/install.md``, or the page
    name of a page without a source), used in messages and by the ``source`` globs.
    ``source`` is the absolute path of its own source, if it has one. ``sources`` are the paths of all files that it is
    made of, including its own; the newest one dates it. ``included`` are those whose text the document includes: the
    page has no date if git does not track one of them, or if the document itself is new and only they have dates.
    ``unresolved`` says what the document shows and the host did not find, so that no file dates the page; a sentence in
    which "it" is the page.
    ``unsourced`` says why it has no source, if the host knows that, in the same way.
    ``shown_dates`` are the dates of its last change that it shows according to the host, as text.
    ``front_matter`` is the page's metadata as the host parsed it. ``markup`` is None if the page was not read, and
    ``unread`` says why if it should have been, as a sentence in which "it" is the page's file.
    ``generated`` is true for pages that a tool generated without a source (an index, a listing).
    ``omit`` is the host's own reason to leave the page out: a key of `sitemap_plugins.pages.REASONS` such as
    ``error-page``, or a short phrase that can be counted; ``omit_detail`` adds details.
    ``language`` is the host's name for the language of its text (``pt_BR``). ``translation`` is a name that the page
    shares with its translations in this build; empty if they are not known.
    ``base_url`` is the base URL of the page's own site, if its language has another one than the rest.
    ``own_urls`` are the URLs that the host gives the page: a canonical link to one of them counts as one to ``loc``.
    ``superseded_by`` is the URL of the page in the version that search engines should show, which the host passed to
    the theme for the canonical link.
    ``output`` is the page's file, relative to the output directory, with forward slashes.
    ``title`` is its title in the host. ``content`` is None if the page was not read beyond its head.
    """

    loc: str
    name: str
    title: str = ""
    source: str | None = None
    sources: tuple[str, ...] = ()
    included: tuple[str, ...] = ()
    unresolved: str = ""
    unsourced: str = ""
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
    own_urls: Collection[str] = ()
    superseded_by: str | None = None
    output: str | None = None


X_DEFAULT: Final = "x-default"
"""The code of the page for readers of all other languages."""


class Alternate(msgspec.Struct, frozen=True, kw_only=True):
    """One ``xhtml:link rel="alternate"`` of an entry: the page in a language, or ``x-default``.

    ``href`` is absolute and encoded. ``declared`` means that the author declared it, and the page is not part of
    this build.
    """

    hreflang: str
    href: str
    declared: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One ``url`` of a sitemap: ``loc`` is absolute and encoded; values that are None or empty are not written.

    ``alternates`` link the page in all its languages, including its own, sorted, with ``x-default`` last.
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
IGNORED: Final = "ignored by git"
SHALLOW: Final = "older than the shallow clone"
WRONG_CLOCK: Final = "committed with a wrong clock"
NO_FILE: Final = "no such file"
NO_GIT: Final = "no git"
UNREADABLE: Final = "git's history could not be read"


class FileDate(msgspec.Struct, frozen=True, kw_only=True):
    """When a source file last changed: the date of ``commit``. ``when`` is None if that is not known.

    ``reason`` then says why, as a short countable phrase. ``modified`` means that the file on disk is newer than the
    commit, ``added`` that the commit added the file. ``path`` is relative to the folder ``repository``, with forward
    slashes. ``link`` is the absolute path that was looked up, if symbolic links of a repository lead from there to the
    file; the newest of the links and the file gives the date.
    """

    when: datetime | None
    commit: str | None = None
    reason: str | None = None
    modified: bool = False
    added: bool = False
    path: str = ""
    repository: str = ""
    link: str = ""


DateSource: TypeAlias = Literal["front_matter", "rule", "git", "mtime", "page", "adjust"]
"""What dates a page: its front matter, a rule, the history or time of a file, its HTML, or the author's hook."""


class Dated(msgspec.Struct, frozen=True, kw_only=True):
    """A page's last-modified date and where it comes from; ``lastmod`` and ``source`` are None if unknown.

    ``file`` is the source file that dates the page, or the file that leaves it without a date from git. ``own`` is the
    date in git of the page's own source, and ``files`` are the dates of all files that it is made of, if the newest
    one dates it.
    """

    lastmod: LastMod | None = None
    source: DateSource | None = None
    file: FileDate | None = None
    own: FileDate | None = None
    files: tuple[FileDate, ...] = ()


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """A page that may become an entry.

    ``path`` is its decoded URL path below the base, which globs match. ``exclude`` is the author's choice: True (leave
    it out), False (list it although an ``exclude`` glob matches) or None (not set); ``exclude_by`` says where it is
    set. ``dated`` is where its date comes from. ``alternates`` are its translations by language, ``section`` is its
    part of the site, ``news`` whether it is news, and ``named_media`` the URLs of images and videos, all as set by the
    author. ``published`` is its date of publication, if it has one.
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
"""The value that an ``adjust`` function returns to leave a page out."""

AdjustFunction: TypeAlias = Callable[[Entry, Page], "Entry | Drop | None"]
"""``(entry, page)`` to a changed entry, ``None`` (unchanged) or `DROP`."""


class Adjuster(NamedTuple):
    """A hook of the author's, and its name in messages."""

    name: str
    function: AdjustFunction


class Omitted(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was left out: ``reason`` is short and countable ("not translated"), ``detail`` says what causes it.

    ``key`` is the name of the reason, which stays if its wording changes ("untranslated").
    """

    page: Page
    key: str
    reason: str
    detail: str = ""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A message for the author. ``kind`` is a name from the table in `sitemap_plugins.rules`.

    ``page`` is the name of the page that it is about, if any.
    """

    kind: str
    message: str
    page: str | None = None


class FoundVideo(msgspec.Struct, frozen=True, kw_only=True):
    """A video that a rendered page embeds; values not on the page are None. URLs are absolute, not yet encoded."""

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
    """The main content of a rendered page.

    ``title`` is its first heading, ``head_title`` and ``description`` are from its head, ``summary`` is its first
    paragraph; all are plain text without control characters, empty if missing. ``damaged`` names the ones that had
    control characters. ``images`` are the absolute URLs of the images in the content, not yet encoded, each once, in
    order, and ``images_without_address`` counts images without one; ``videos`` are the videos that can be played there.
    ``cut`` is as in `Markup`.
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
    """A page in a feed of changes: ``loc`` is its encoded URL, which never changes, ``updated`` its lastmod."""

    loc: str
    title: str
    description: str
    updated: LastMod


class Feed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed of the pages that changed last, newest first: ``url`` is its own URL, ``home`` the URL of the site."""

    title: str
    url: str
    home: str
    items: tuple[FeedItem, ...]


class FeedLink(msgspec.Struct, frozen=True, kw_only=True):
    """A ``link rel="alternate"`` to a feed in the head of a page; ``href`` is absolute and encoded."""

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
    """The sitemaps to write for search engines.

    ``sitemaps`` list pages, the site's own first; ``indexes`` list sitemaps. ``announced`` are the URLs that lead to
    every page, and to no page twice; ``cross_submitted`` are the ones for pages of other hosts, by the root of the
    host. ``left_out`` are the URLs of pages that fit into no sitemap.
    """

    sitemaps: tuple[Sitemap, ...] = ()
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    cross_submitted: Mapping[str, tuple[str, ...]] = {}
    left_out: frozenset[str] = frozenset()


Chunks: TypeAlias = Callable[[], Iterable[bytes]]
"""A function that returns the content of a file in pieces, the same on every call."""


class GzipOf(msgspec.Struct, frozen=True):
    """The content of a compressed file: the content of the file at ``path`` beside it, compressed by ``compress``."""

    path: str
    compress: Callable[[Iterable[bytes]], Iterator[bytes]]


class OutputFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file to write below the output directory, or to remove if ``content`` is None.

    ``path`` is relative, with forward slashes. ``is_shared`` means that the file may be the author's: the content keeps
    all that the author wrote there.
    """

    path: str
    content: bytes | Chunks | GzipOf | None
    is_shared: bool = False


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """The result of `sitemap_plugins.build`; nothing is on disk yet.

    ``alternates`` are the links of each page, by its file in the output directory (`Page.output`). ``announced`` are
    the URLs for robots.txt. ``entries`` has each listed page once, in whichever files it is listed. ``is_doubtful``
    means that no page is left, probably by mistake, so the files of an earlier build should stay. ``undated`` has the
    name of each listed page without a date, and the reason.
    """

    site: Site
    entries: tuple[Entry, ...] = ()
    sitemaps: tuple[Sitemap, ...] = ()
    indexes: tuple[SitemapIndex, ...] = ()
    announced: tuple[str, ...] = ()
    files: tuple[OutputFile, ...] = ()
    omitted: tuple[Omitted, ...] = ()
    is_doubtful: bool = False
    undated: Mapping[str, str] = {}
    alternates: Mapping[str, tuple[Alternate, ...]] = {}  # msgspec copies an empty dict for every instance
    notes: tuple[Note, ...] = ()
