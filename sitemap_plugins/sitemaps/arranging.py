"""Group entries into sitemaps: by section, one flat file for each host if they fit, otherwise several and an index.

What does not fit into one file is split by the bits of a hash, so that new items do not move the others.
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain, count
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar
from urllib.parse import quote

import msgspec
from msgspec import structs

from sitemap_plugins.formats.gzip import compress
from sitemap_plugins.formats.paths import companions, text_paths
from sitemap_plugins.formats.sitemap_xml import IndexWriter, SitemapWriter, Style, render_text
from sitemap_plugins.model import (
    X_DEFAULT,
    Arrangement,
    Candidate,
    Chunks,
    Entry,
    GzipOf,
    LastMod,
    Note,
    OutputFile,
    Site,
    Sitemap,
    SitemapIndex,
)
from sitemap_plugins.options.settings import Limits, Section, Settings
from sitemap_plugins.values.dates import moment_of
from sitemap_plugins.values.text import and_more_pages, join_words
from sitemap_plugins.values.urls import encode_url, file_key, is_inside, root_of

REST: Final = "pages"
"""The name of the part for all pages without a section."""

_UNUSUAL: Final = re.compile(r"[^A-Za-z0-9.]+")
_INDEX_LIMITS: Final = Limits()
_FEW_INDEXES: Final = 500  # Google Search Console accepts no more for a site
_NEWS_LIMIT: Final = 1000  # pages of a news sitemap (Google, "News sitemaps")
_BAIDU_SIZE: Final = 10_485_760  # bytes of a sitemap; Baidu does not read indexes

_T = TypeVar("_T")
_T_contra = TypeVar("_T_contra", contravariant=True)
_BITS: Final = 64  # of a hash

OWN_FILES: Final = frozenset({"images", "videos", "news"})
"""The parts whose pages are also listed in other sitemaps."""


def arrange(
    site: Site, listed: Sequence[Candidate], settings: Settings, taken: Container[str] = ()
) -> tuple[Arrangement, list[Note]]:
    """Return the sitemaps of the listed pages, each sorted by URL, and notes. No pages, no sitemaps (SM-XML-10).

    Pages with another base URL are in separate files (SM-LOC-04), in the folder that they share. These are published
    at that URL, or at the site's own if the host of the pages is in ``cross_submit`` (SM-XS-01). The site's own
    sitemaps come first. ``taken`` has the paths of files that are not ours; ``settings.filename`` counts as ours.
    """
    cross_submitted: dict[str, tuple[str, ...]] = {}
    arrangements: list[Arrangement] = []
    notes: list[Note] = []
    names = _Names(settings, taken)
    bases: dict[str, list[Candidate]] = {site.base_url: []}
    for candidate in listed:
        bases.setdefault(candidate.page.base_url or site.base_url, []).append(candidate)
    for base_url, candidates in bases.items():
        path = settings.filename if base_url == site.base_url else names.elsewhere(base_url, candidates)
        root = root_of(base_url)
        is_cross_submitted = base_url != site.base_url and root in settings.cross_submit
        home = site if is_cross_submitted else structs.replace(site, base_url=base_url)
        arrangement = _Arranger(home, settings, path, names, notes).arrange(candidates)
        if is_cross_submitted and arrangement.announced:
            cross_submitted[root] = cross_submitted.get(root, ()) + arrangement.announced
        arrangements.append(arrangement)
    whole = Arrangement(
        sitemaps=tuple(chain.from_iterable(each.sitemaps for each in arrangements)),
        indexes=tuple(chain.from_iterable(each.indexes for each in arrangements)),
        announced=tuple(chain.from_iterable(each.announced for each in arrangements)),
        cross_submitted=cross_submitted,
        left_out=frozenset(chain.from_iterable(each.left_out for each in arrangements)),
    )
    return whole, notes


class _Arranger:
    """Arranges the pages of one base URL, and adds to ``notes``.

    The names of all files derive from ``path``, that of the flat sitemap.
    """

    def __init__(self, site: Site, settings: Settings, path: str, names: _Names, notes: list[Note]) -> None:
        self._site = site
        self._settings = settings
        self._style = Style.of(settings)
        self._writer = SitemapWriter(self._style)
        self._path = path
        self._names = names
        self._notes = notes
        self._reads_no_index = "baidu" in settings.engines
        self._separate = [kind for kind in ("images", "videos") if getattr(settings, kind) == "separate"]
        size = min(settings.limit.bytes, _BAIDU_SIZE) if self._reads_no_index else settings.limit.bytes
        self._limits = Limits(urls=settings.limit.urls, bytes=size)

    def arrange(self, candidates: Sequence[Candidate]) -> Arrangement:
        """All files, with the URLs to announce, which lead to each page exactly once.

        With sections, the flat file is also written, for scripts that read it in the browser.
        """
        flat = self._sitemaps("", (self._without_own_files(each.entry) for each in candidates))
        listed = {entry.loc for sitemap in flat for entry in sitemap.entries}
        kept = [each for each in candidates if each.entry.loc in listed]
        left_out = {each.entry.loc for each in candidates} - listed
        has_sections = bool(self._settings.sections)
        parts = self._sections(kept) if has_sections else flat
        extra = (self._sitemaps(name, part) for name, part in self._own_files(kept).items())
        sitemaps = [*parts, *chain.from_iterable(extra)]
        is_flat = len(flat) == 1
        has_index = has_sections or not is_flat
        indexes = self._indexes(sitemaps, "index" if is_flat else "") if has_index else []
        if len(indexes) > _FEW_INDEXES:
            message = (
                f"there are {len(indexes)} sitemap indexes, but Google Search Console accepts only {_FEW_INDEXES} per "
                f"site"
            )
            self._notes.append(Note(kind="many-indexes", message=message))
        announced = indexes if has_index and not self._reads_no_index else sitemaps
        return Arrangement(
            sitemaps=tuple(flat + sitemaps if is_flat and has_sections else sitemaps),
            indexes=tuple(indexes),
            announced=tuple(each.url for each in announced),
            left_out=frozenset(left_out),
        )

    def _sections(self, candidates: Sequence[Candidate]) -> list[Sitemap]:
        divided, notes = divide(candidates, self._settings.sections)
        self._notes += notes
        entries = {name: [self._without_own_files(each.entry) for each in part] for name, part in divided.items()}
        return [each for name, part in entries.items() for each in self._sitemaps(name, part)]

    def _sitemaps(self, name: str, entries: Iterable[Entry]) -> list[Sitemap]:
        """The sitemaps of a part of the site; adds a note for each entry that is too large for any of them."""
        limits = self._limits
        if name == "news":
            limits = structs.replace(limits, urls=min(limits.urls, _NEWS_LIMIT))
        leaves, left_out = split_entries([*entries], limits, self._writer)
        sitemaps = []
        for bits, members in leaves:
            path = self._name(name, bits)
            newest = newest_of(members)
            sitemaps.append(Sitemap(path=path, entries=members, url=self._url(path), part=name, newest=newest))
        self._notes += [self._too_large(entry, name) for entry in sorted(left_out, key=attrgetter("loc"))]
        return sitemaps

    def _indexes(self, sitemaps: Sequence[Sitemap], name: str) -> list[SitemapIndex]:
        """One index in the order of the sitemaps, or several, each sorted by path, if they do not fit into one.

        An index never lists an index (SM-IDX-02).
        """
        leaves = split_sitemaps(sitemaps, _INDEX_LIMITS, IndexWriter(self._style))
        paths = [self._name(name or ("index" if bits else ""), bits) for bits, _ in leaves]
        return [
            SitemapIndex(path=path, sitemaps=members, url=self._url(path))
            for path, (_, members) in zip(paths, leaves, strict=True)
        ]

    def _without_own_files(self, entry: Entry) -> Entry:
        moved: dict[str, Any] = {kind: () for kind in self._separate if getattr(entry, kind)}
        return replace(entry, **moved) if moved else entry

    def _own_files(self, candidates: Sequence[Candidate]) -> dict[str, list[Entry]]:
        """The entries of the separate files for images, videos and news, by the names of these files."""
        found: dict[str, list[Entry]] = {}
        for kind in self._separate:
            entries = (each.entry for each in candidates if getattr(each.entry, kind))
            found[kind] = [Entry(loc=each.loc, lastmod=each.lastmod, **{kind: getattr(each, kind)}) for each in entries]
        if self._settings.news:
            from sitemap_plugins.sitemaps.feeds import news_entries

            found["news"], notes = news_entries(self._site, candidates, self._settings)
            self._notes += notes
        return found

    def _name(self, *words: str) -> str:
        """The path of the flat file or, with words, an unused path beside it."""
        named = [word for word in words if word]
        return self._names.beside(self._path, "-".join(named)) if named else self._path

    def _url(self, path: str) -> str:
        return encode_url(self._site.base_url + quote(path) + (".gz" if self._settings.gzip == "only" else ""))

    def _too_large(self, entry: Entry, part: str) -> Note:
        what = f"it is left out of the {part}" if part in OWN_FILES else "it is left out"
        message = (
            f"{entry.loc:.200} has so many links, images or videos that its entry does not fit into a sitemap of "
            f"{self._limits.bytes:,} bytes; {what}"
        )
        return Note(kind="limit", message=message)


def divide(
    listed: Iterable[Candidate], sections: Mapping[str, Section]
) -> tuple[dict[str, list[Candidate]], list[Note]]:
    """Return the pages by section, or by section and year, in the order of the option ``sections``, and notes.

    The section in a page's front matter comes first, then the first section that matches it. A note tells if several
    sections match.
    """
    parts: dict[str, list[Candidate]] = {}
    claimed: Counter[tuple[str, ...]] = Counter()
    example: dict[tuple[str, ...], str] = {}
    notes: list[Note] = []
    for candidate in listed:
        name = candidate.section
        if name is None:
            claims = tuple(each for each, section in sections.items() if section.holds(candidate))
            name = claims[0] if claims else REST
            if len(claims) > 1:
                claimed[claims] += 1
                example.setdefault(claims, candidate.page.name)
        parts.setdefault(_by_year(candidate, name, sections), []).append(candidate)
    for claims, number in claimed.items():
        which = "all" if len(claims) > 2 else "both"
        message = f"sections: {join_words(claims)} {which} match it; the first one lists it"
        notes.append(Note(kind="section", page=example[claims], message=message + and_more_pages(number - 1)))
    order = {name: number for number, name in enumerate([*sections, REST])}
    return dict(sorted(parts.items(), key=lambda part: (order[_declared(part[0], sections)], part[0]))), notes


def _by_year(candidate: Candidate, name: str, sections: Mapping[str, Section]) -> str:
    if name not in sections or sections[name].archive is None:
        return name
    return f"{name}-{candidate.published.year:04}" if candidate.published else f"{name}-undated"


def _declared(name: str, sections: Mapping[str, Section]) -> str:
    return name if name in sections or name == REST else name.rpartition("-")[0]


def newest_of(entries: Iterable[Entry]) -> LastMod | None:
    """The latest date of the entries, or None (SM-IDX-04).

    If a bare date and its midnight are both the latest, the datetime counts: the order of a set differs between builds.
    """
    dates = {*map(attrgetter("lastmod"), entries)} - {None}
    return max(dates, key=lambda each: (moment_of(each), isinstance(each, datetime)), default=None)


def theme_notes(site: Site, arrangement: Arrangement, settings: Settings) -> Iterator[Note]:
    """A note if scripts of the theme would read ``sitemap.xml``, but it is compressed or an index."""
    if not site.theme_reads_sitemap or not arrangement.sitemaps or settings.filename != Settings().filename:
        return
    why = ""
    if settings.gzip == "only":
        why = "is only written compressed (gzip: only)"
    elif not any(each.path == settings.filename for each in arrangement.sitemaps):
        why = "is an index, because the pages do not fit into one file (limit)"
    if why:
        effect = "so the theme's instant navigation and version selector do not find the pages"
        yield Note(kind="theme-sitemap", message=f"{settings.filename} {why}, {effect}")


class _Names:
    """Chooses the paths of sitemaps, so that they differ on every system and none is the path of a file not ours."""

    def __init__(self, settings: Settings, taken: Container[str]) -> None:
        self._settings = settings
        self._taken = taken
        self._used = {*map(file_key, settings.named_files.values())}

    def beside(self, path: str, words: str) -> str:
        """The path with these words after its stem, numbered if it is already used."""
        stem, suffix = posixpath.splitext(path)
        paths = (f"{stem}-{words}{number}{suffix}" for number in chain([""], (f"-{each}" for each in count(2))))
        path = next(each for each in paths if self._is_free(each))
        self._used.add(file_key(path))
        return path

    def elsewhere(self, base_url: str, candidates: Iterable[Candidate]) -> str:
        """The path of the sitemap of another host: in the folder of its pages (SM-LOC-05), or beside the site's own.

        Only the first folder of the path counts, so that another page does not move the file.
        """
        folders = {candidate.path.partition("/")[0] if "/" in candidate.path else "" for candidate in candidates}
        folder = folders.pop() if len(folders) == 1 else ""
        path = f"{folder}/{self._settings.filename}"
        if folder and is_inside(path) and self._is_free(path):
            self._used.add(file_key(path))
            return path
        return self.beside(self._settings.filename, _UNUSUAL.sub("-", base_url.partition("://")[2]).strip("-"))

    def _is_free(self, path: str) -> bool:
        """Whether the paths of the file and of its copies beside it are free: servers may send a .gz in its place."""
        packed, *text = companions(path)
        beside = (path, packed, *(text if self._settings.text else ()))
        return not any(file_key(each) in self._used or each in self._taken for each in beside)


class Measure(Protocol[_T_contra]):
    """Measures items in bytes of a file: `SitemapWriter` for entries, `IndexWriter` for sitemaps."""

    def sizes(self, items: Iterable[_T_contra], /) -> Sequence[int]:
        """The bytes of each item, which do not depend on the others in the file."""

    def frame_size(self, items: Sequence[_T_contra], /) -> int:
        """The bytes of a file with these items, without the items themselves."""


class Leaf(NamedTuple, Generic[_T]):
    """The items of one file; ``bits`` is part of its name, or empty if there is only one file.

    Entries are sorted by URL, sitemaps by path.
    """

    bits: str
    items: tuple[_T, ...]


def split_entries(
    entries: Sequence[Entry], limits: Limits, measure: Measure[Entry]
) -> tuple[list[Leaf[Entry]], list[Entry]]:
    """Return the entries of each file, and those that do not even fit into a separate file (SM-LIM-01, SM-LIM-02).

    Only a full file is split, in two, by the next bit of the hash of the pages' clusters. So a page is in the same file
    as its translations, and stays there until that file is full, even if other pages are added or removed. A cluster
    that does not fit into one file is split by its pages, which a hyphen in ``bits`` shows.
    """
    loc = attrgetter("loc")
    sizes = measure.sizes(entries)
    if len(entries) <= limits.urls and sum(sizes) + measure.frame_size(entries) <= limits.bytes:
        return [Leaf("", tuple(sorted(entries, key=loc)))] if entries else [], []
    fitting: list[tuple[Entry, int]] = []
    left_out: list[Entry] = []
    for entry, size in zip(entries, sizes, strict=True):
        if size + measure.frame_size([entry]) > limits.bytes:
            left_out.append(entry)
        else:
            fitting.append((entry, size))
    return _Splitter(limits, measure, loc).split(fitting, _cluster_name), left_out


def split_sitemaps(sitemaps: Sequence[Sitemap], limits: Limits, measure: Measure[Sitemap]) -> list[Leaf[Sitemap]]:
    """The sitemaps of each index: split by hashes of their paths, or in the given order in one index (SM-IDX-01)."""
    path = attrgetter("path")
    sized = [*zip(sitemaps, measure.sizes(sitemaps), strict=True)]
    leaves = _Splitter(limits, measure, path).split(sized, path)
    return [Leaf("", tuple(sitemaps))] if len(leaves) == 1 else leaves


class _Splitter(msgspec.Struct, Generic[_T], frozen=True):
    """Splits items by one bit of their hashes at a time; ``own_name`` is the name of a single item.

    Items are passed on as tuples with their sizes in bytes and, from the first split on, their hashes.
    """

    limits: Limits
    measure: Measure[_T]
    own_name: Callable[[_T], str]

    def split(self, sized: Sequence[tuple[_T, int]], name: Callable[[_T], str], bits: str = "") -> list[Leaf[_T]]:
        """Return the files; items with the same ``name`` stay together as long as they fit into one file."""
        if not sized or self._fit(sized):
            return [self._leaf(bits, sized)] if sized else []
        return [*self._divide([(value, size, _hash(name(value))) for value, size in sized], bits, 1 << (_BITS - 1))]

    def _divide(self, items: Sequence[tuple[_T, int, int]], bits: str, bit: int) -> Iterator[Leaf[_T]]:
        """Divide items that do not fit into one file and whose hashes are the same before this ``bit``."""
        if all(each[2] == items[0][2] for each in items):
            yield from self.split([each[:2] for each in items], self.own_name, f"{bits}-")
            return
        zeros = [each for each in items if not each[2] & bit]
        ones = [each for each in items if each[2] & bit]
        for half, name in ((zeros, f"{bits}0"), (ones, f"{bits}1")):
            if half and self._fit(half):
                yield self._leaf(name, half)
            elif half:
                yield from self._divide(half, name, bit >> 1)

    def _leaf(self, bits: str, items: Sequence[tuple[Any, ...]]) -> Leaf[_T]:
        return Leaf(bits, tuple(sorted((each[0] for each in items), key=self.own_name)))

    def _fit(self, items: Sequence[tuple[Any, ...]]) -> bool:
        if len(items) > self.limits.urls:
            return False
        size: int = sum(each[1] for each in items)
        return size + self.measure.frame_size([each[0] for each in items]) <= self.limits.bytes


def _cluster_name(entry: Entry) -> str:
    """The name of an entry's cluster, which is the same for all translations of a page."""
    if not entry.alternates:
        return entry.loc
    # The default usually stays the same if the cluster gets another translation.
    default = next((each.href for each in entry.alternates if each.hreflang == X_DEFAULT), None)
    return default or min(each.href for each in entry.alternates)


def _hash(name: str) -> int:
    import hashlib

    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=_BITS // 8).digest())


def render(arrangement: Arrangement, settings: Settings) -> list[OutputFile]:
    """Render each sitemap and index, with its ``.gz`` beside it or in its place (SM-GZ-01), and as text (SM-TXT-01).

    A file with the content None must not exist.
    """
    style = Style.of(settings)
    writer, index_writer = SitemapWriter(style), IndexWriter(style)
    files: list[OutputFile] = []
    for sitemap in arrangement.sitemaps:
        files += _packed(sitemap.path, partial(writer.render, sitemap.entries), settings)
        if settings.text and sitemap.part not in OWN_FILES:
            text, _ = text_paths(sitemap.path)
            files += _packed(text, partial(render_text, sitemap.entries), settings)
    for index in arrangement.indexes:
        files += _packed(index.path, partial(index_writer.render, index.sitemaps), settings)
    if arrangement.sitemaps and not any(file.path == settings.filename for file in files):
        # Several indexes have other names, and crawlers would find a sitemap of the host by its usual name.
        files += [OutputFile(path=path, content=None) for path in settings.filenames]
    return files


def _packed(path: str, chunks: Chunks, settings: Settings) -> Iterator[OutputFile]:
    if settings.gzip == "only":
        yield OutputFile(path=path, content=None)
        yield OutputFile(path=f"{path}.gz", content=lambda: compress(chunks()))
    else:
        yield OutputFile(path=path, content=chunks)
        yield OutputFile(path=f"{path}.gz", content=GzipOf(path, compress) if settings.gzip else None)
