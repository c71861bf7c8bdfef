"""More pages than one sitemap can list, from pages to files: the limits, the index, and the effect of one more page."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple

from sitemap_plugins.model import FileDate, GzipOf, OutputFile, Page, Result, Site
from sitemap_plugins.options.settings import SIZE_LIMIT, URL_LIMIT, Settings, read_settings
from sitemap_plugins.pipeline import build

BASE = "https://example.org/"
SITE = Site(base_url=BASE, default_language="en")
LANGUAGES = ("en", "de", "fr")
IN_EACH = URL_LIMIT // 3 + 1


def pages() -> Iterator[Page]:
    """Pages in three languages, in the order in which a host collects them."""
    for language in LANGUAGES:
        folder = "" if language == "en" else f"{language}/"
        for number in range(IN_EACH):
            path = f"part-{number % 37}/page-{number}/"
            yield page(f"{folder}{path}", language, path)


def page(path: str, language: str, translation: str) -> Page:
    source = f"/docs/{path}index.md"
    return Page(
        loc=BASE + path, name=source[6:], source=source, sources=(source,), language=language, translation=translation
    )


def dates_of(files: Iterable[str]) -> dict[str, FileDate]:
    """Two alternating days, and a later one for new files."""
    days = [FileDate(when=datetime(2026, 1, day, tzinfo=UTC)) for day in (1, 2)]
    new = FileDate(when=datetime(2026, 2, 1, tzinfo=UTC))
    return {file: new if "new" in file else days[len(file) % 2] for file in files}


def settings() -> Settings:
    found, mistakes = read_settings({"gzip": True, "x_default": "en"})
    assert not mistakes
    return found


class Written(NamedTuple):
    """The result of a build, with the digest and size of every file."""

    result: Result
    digests: Mapping[str, str]
    sizes: Mapping[str, int]


def content(file: OutputFile, files: Mapping[str, OutputFile]) -> Iterator[bytes]:
    if isinstance(file.content, GzipOf):
        yield from file.content.compress(content(files[file.content.path], files))
    elif callable(file.content):
        yield from file.content()
    elif file.content is not None:
        yield file.content


def written(result: Result) -> Written:
    files = {file.path: file for file in result.files}
    assert len(files) == len(result.files)
    digests, sizes = {}, {}
    for path, file in files.items():
        digest, size = hashlib.blake2b(), 0
        for chunk in content(file, files):
            digest.update(chunk)
            size += len(chunk)
        digests[path], sizes[path] = digest.hexdigest(), size
    return Written(result, digests, sizes)


@cache
def first() -> Written:
    return written(build(SITE, pages(), settings(), dates={"git": dates_of}))


def test_every_file_is_within_the_limits() -> None:
    """SM-LIM-01, SM-LIM-02, SM-IDX-01."""
    result, _, sizes = first()
    assert not result.notes
    assert len(result.sitemaps) > 1
    for sitemap in result.sitemaps:
        assert len(sitemap.entries) <= URL_LIMIT
        assert sizes[sitemap.path] <= SIZE_LIMIT
    (index,) = result.indexes
    assert index.path == "sitemap.xml"
    assert sizes[index.path] < SIZE_LIMIT


def test_the_index_leads_to_every_page_once() -> None:
    """SM-IDX-06, SM-LOC-09, SM-GZ-01."""
    result, _, sizes = first()
    (index,) = result.indexes
    assert result.announced == (index.url,)
    assert {sitemap.path for sitemap in index.sitemaps} == {sitemap.path for sitemap in result.sitemaps}
    counted = Counter(entry.loc for sitemap in index.sitemaps for entry in sitemap.entries)
    assert counted == Counter(page.loc for page in pages())
    listed = [sitemap.path for sitemap in index.sitemaps]
    assert {path for path, size in sizes.items() if size} == {
        *(f"{path}{suffix}" for path in [*listed, "sitemap.xml"] for suffix in ("", ".gz")),
        "robots.txt",
    }


def test_another_order_and_one_more_page_change_as_little_as_possible() -> None:
    """SM-IDX-07: the order changes nothing; an untranslated page changes its file, the index, and their ``.gz``."""
    before = first()
    found = [*reversed([*pages()]), page("new/", "en", "new/")]
    after = written(build(SITE, found, settings(), dates={"git": dates_of}))
    assert {*before.digests} == {*after.digests}
    differing = {path for path, digest in after.digests.items() if before.digests[path] != digest}
    (own,) = (each for each in after.result.sitemaps if any(entry.loc == f"{BASE}new/" for entry in each.entries))
    assert differing == {f"{path}{suffix}" for path in (own.path, "sitemap.xml") for suffix in ("", ".gz")}
    assert len(after.result.entries) == len(before.result.entries) + 1
