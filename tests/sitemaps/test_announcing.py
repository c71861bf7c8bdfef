"""The lines that robots.txt gets for the sitemaps, and the notes on robots.txt."""

from __future__ import annotations

import pytest
from msgspec import structs

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.model import Page, Policy, Site
from sitemap_plugins.options.settings import Limits, Settings
from sitemap_plugins.options.types import HostURL
from sitemap_plugins.pipeline import build
from sitemap_plugins.sitemaps.announcing import announce, cross_submit_notes
from tests.builders import build_in_folder

SITE = Site(base_url="https://example.org/")
HOME = Page(loc="https://example.org/", name="index.md")


def robots(content: bytes | None) -> RobotsTxt | None:
    return None if content is None else RobotsTxt(content)


@pytest.mark.parametrize(
    ("robots", "kinds"),
    [
        ("User-agent: *\nDisallow: /sitemap", ["robots-blocks-sitemap"]),
        ("User-agent: *\nDisallow: /*.xml$", ["robots-blocks-sitemap"]),
        ("User-agent: *\nDisallow: /_static/", ["robots-blocks-assets"]),
        ("User-agent: *\nDisallow: /*.css", ["robots-blocks-assets"]),
        (
            "User-agent: *\nDisallow: /assets/\nDisallow: /sitemap.xml",
            ["robots-blocks-sitemap", "robots-blocks-assets"],
        ),
        ("Sitemap: http://localhost:4000/sitemap.xml", ["robots-unreachable"]),
        ("User-agent: *\nDisallow: /a/", []),
        ("User-agent: Baiduspider\nDisallow: /sitemap.xml", []),
    ],
)
def test_rules_that_block_sitemaps_or_assets_are_noted(robots: str, kinds: list[str]) -> None:
    """RB-15, RB-16."""
    result = build(SITE, [HOME], Settings(), robots_txt=robots.encode())
    assert [note.kind for note in result.notes] == kinds
    (written,) = [file.content for file in result.files if file.path == "robots.txt"]
    assert isinstance(written, bytes)
    assert written.startswith(robots.encode())
    assert b"\nSitemap: https://example.org/sitemap.xml\n" in written


def test_the_blocked_folders_are_named() -> None:
    robots = b"User-agent: *\nDisallow: /_static/\nDisallow: /js/"
    (note,) = build(SITE, [HOME], Settings(), robots_txt=robots).notes
    assert note.message == "robots.txt keeps crawlers from _static/ and js/, so they cannot render the pages"


@pytest.mark.parametrize("number", [1, 3])
def test_below_a_path_the_note_has_the_lines_for_the_robots_txt_of_the_root(number: int) -> None:
    """RB-01."""
    urls = [f"https://example.org/docs/{each}.xml" for each in range(number)]
    files, (note,) = announce(Site(base_url="https://example.org/docs/"), urls, Settings(), None)
    assert files == []
    lines = ", ".join(f"Sitemap: {url}" for url in urls)
    assert note.message.endswith(f"in https://example.org/robots.txt: {lines}")


def test_a_header_is_not_reported_as_a_rule_of_robots_txt() -> None:
    headers = {"_headers": b"/sitemap.xml\n  X-Robots-Tag: noindex"}
    assert (
        build_in_folder(SITE, [HOME], Settings(), robots_txt=b"User-agent: *\nAllow: /", host_files=headers).notes == ()
    )


class TestCrossSubmission:
    """SM-XS-01."""

    settings = Settings(cross_submit=(HostURL("https://fr.example/"), HostURL("https://de.example/")))

    @pytest.mark.parametrize(("number", "word"), [(1, "the line: "), (2, "the lines: ")])
    def test_the_note_has_the_lines_for_the_owner_of_the_host(self, number: int, word: str) -> None:
        urls = tuple(f"https://example.org/{each}.xml" for each in range(number))
        needed, idle = cross_submit_notes(SITE, {"https://fr.example/": urls}, self.settings)
        assert needed.kind == "cross-submit"
        lines = " and ".join(f"Sitemap: {url}" for url in urls)
        assert needed.message.startswith(f"https://fr.example/robots.txt needs {word}{lines};")
        assert idle.kind == "unmatched"
        assert "https://de.example/" in idle.message

    def test_a_preview_has_no_notes(self) -> None:
        site = Site(base_url=SITE.base_url, policy=Policy(preview="mkdocs serve"))
        assert [*cross_submit_notes(site, {"https://fr.example/": ("https://example.org/a.xml",)}, self.settings)] == []

    def test_a_host_that_is_listed_twice_has_one_note(self) -> None:
        host = HostURL("https://fr.example/")
        assert len([*cross_submit_notes(SITE, {}, Settings(cross_submit=(host, host)))]) == 1

    def test_a_host_whose_pages_are_all_too_large_has_no_sitemap(self) -> None:
        large = Page(loc="https://fr.example/a/", name="a.md", base_url="https://fr.example/")
        images = [f"https://fr.example/{'a' * 200}{number}.png" for number in range(100)]
        page = structs.replace(large, front_matter={"sitemap": {"images": images}})
        settings = structs.replace(self.settings, limit=Limits(bytes=4096))
        result = build(SITE, [HOME, page], settings)
        assert [each.reason for each in result.omitted] == ["too large"]
        assert sorted(note.kind for note in result.notes) == ["limit", "unmatched", "unmatched"]


@pytest.mark.parametrize(("size", "kinds"), [(511_000, []), (513_000, ["robots-size"])])
def test_a_robots_txt_longer_than_crawlers_read_is_noted(size: int, kinds: list[str]) -> None:
    """RB-03."""
    existing = b"# " + b"x" * size + b"\nUser-agent: *\nAllow: /\n"
    files, notes = announce(
        Site(base_url="https://example.org/"), ["https://example.org/s.xml"], Settings(), robots(existing)
    )
    assert [file.path for file in files] == ["robots.txt"]
    assert [note.kind for note in notes] == kinds
    assert announce(Site(base_url="https://example.org/"), [], Settings(), robots(existing))[1] == []
