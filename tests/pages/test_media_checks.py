"""Which images and videos can be fetched and shown, and the notes on the others."""

from collections.abc import Collection
from datetime import UTC, date, datetime
from typing import Any

import pytest

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.media import Image, Video
from sitemap_plugins.model import Candidate, Entry, Language, Markup, Note, Site
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.media import check_media, paths_of_media
from tests.builders import candidate, replace

BASE = "https://example.org/"
AS_OF = datetime(2026, 3, 10, 12, tzinfo=UTC)
SITE = Site(base_url=BASE, as_of=AS_OF)
FILM = Video(
    thumbnail_loc=f"{BASE}film.png", title="A film", description="Of it", content_loc=f"{BASE}film.mp4", player_loc=None
)
ALL = frozenset({"a.png", "film.png", "film.mp4"})


def page(*images: str, videos: Collection[Video] = (), path: str = "a/", **values: Any) -> Candidate:
    entry = Entry(loc=BASE + path, images=tuple(Image(loc=url) for url in images), videos=tuple(videos))
    return candidate(entry.loc, name=f"{path.rstrip('/')}.md", entry=entry, **values)


def checked(
    *pages: Candidate, files: Collection[str] | None = ALL, robots: str = "", headers: str = "", site: Site = SITE
) -> tuple[list[list[str]], list[Note]]:
    """The remaining URLs on each page, those of images before those of videos, and the notes."""
    rules = CrawlRules(RobotsTxt(robots.encode()), {"_headers": headers.encode()})
    looked_up = {path for each in pages for path in paths_of_media(site, each)}
    found, notes = check_media(site, pages, rules, None if files is None else looked_up.intersection(files))
    assert [each.page for each in found] == [each.page for each in pages]
    addresses = [
        [
            *(image.loc for image in each.entry.images),
            *(url for video in each.entry.videos for url in (video.content_loc, video.player_loc) if url),
        ]
        for each in found
    ]
    return addresses, notes


def test_valid_media_are_unchanged() -> None:
    pages = [page(f"{BASE}a.png", videos=[FILM]), page(path="b/")]
    found, notes = check_media(SITE, pages, CrawlRules(), ALL)
    assert [(one, other) for one, other in zip(found, pages, strict=True) if one is not other] == []
    assert notes == []


class TestFiles:
    @pytest.mark.parametrize(
        ("url", "file", "is_there"),
        [
            (f"{BASE}a.png?v=1", "a.png", True),
            (f"{BASE}A.png", "a.png", False),
            (f"{BASE}b%20%C3%A4.png", "b ä.png", True),
            (f"{BASE}x/../a.png", "a.png", True),
            (f"{BASE}x//a.png", "x/a.png", True),
            (f"{BASE}a.png", "x/a.png", False),
            (f"{BASE}a.png", "a.png/index.html", False),
        ],
    )
    def test_are_found_by_their_decoded_path_in_exact_case(self, url: str, file: str, *, is_there: bool) -> None:
        found, notes = checked(page(url), files={file})
        assert found == [[url] if is_there else []]
        assert notes == (
            [] if is_there else [Note(kind="image", message=f"1 image is left out (no such file): {url} on a.md")]
        )

    @pytest.mark.parametrize(
        ("url", "site"),
        [
            pytest.param("https://cdn.example.org/a.png", SITE, id="another host"),
            pytest.param("http://example.org/a.png", SITE, id="another scheme"),
            pytest.param(f"{BASE}a.png", Site(base_url=f"{BASE}docs/"), id="above the base"),
            pytest.param(f"{BASE}../a.png", SITE, id="outside"),
            pytest.param(f"{BASE}a:b.png", SITE, id="a name that some systems do not allow"),
            pytest.param(
                f"{BASE}fr/a.png",
                replace(
                    SITE, languages=(Language(code="en", base_url=BASE), Language(code="fr", base_url=f"{BASE}fr/"))
                ),
                id="in a language that another build publishes",
            ),
        ],
    )
    def test_that_another_build_may_publish_are_not_checked(self, url: str, site: Site) -> None:
        assert checked(page(url), files=(), site=site) == ([[url]], [])

    @pytest.mark.parametrize(
        ("path", "output", "is_looked_for"),
        [
            ("a/", "a/index.html", True),
            ("a", "a/index.html", True),
            ("a", "a.html", True),
            ("index.html", "index.html", True),
            ("a/", None, True),
            ("en/latest/a/", "a/index.html", False),
            ("fr-FR/a/", "fr/a/index.html", False),
        ],
    )
    def test_are_checked_if_the_page_itself_is_where_its_url_says(
        self, path: str, output: str | None, *, is_looked_for: bool
    ) -> None:
        found, _ = checked(page(f"{BASE}b.png", path=path, output=output), files=())
        assert found == ([[]] if is_looked_for else [[f"{BASE}b.png"]])

    def test_are_not_checked_if_the_output_is_unknown(self) -> None:
        assert checked(page(f"{BASE}b.png"), files=None) == ([[f"{BASE}b.png"]], [])

    def test_that_are_missing_are_counted_once_each_with_one_example(self) -> None:
        pages = [page(f"{BASE}b.png", f"{BASE}a.png"), page(f"{BASE}b.png", f"{BASE}c.png", path="b/")]
        assert checked(*pages) == (
            [[f"{BASE}a.png"], []],
            [Note(kind="image", message=f"2 images are left out (no such file), for example {BASE}b.png on a.md")],
        )

    def test_that_an_author_lists_are_noted_on_the_page(self) -> None:
        named = frozenset({f"{BASE}b.png", f"{BASE}film.mp4"})
        found, notes = checked(page(f"{BASE}b.png", videos=[FILM], named_media=named), files={"film.png"})
        assert found == [[]]
        why = "is left out, because the build wrote no such file"
        assert notes == [
            Note(kind="front-matter", page="a.md", message=f"images: {BASE}b.png {why}"),
            Note(kind="front-matter", page="a.md", message=f"videos: {BASE}film.mp4 {why}"),
        ]

    @pytest.mark.parametrize("missing", ["film.png", "film.mp4"])
    def test_of_a_video_are_its_thumbnail_and_its_content(self, missing: str) -> None:
        found, (note,) = checked(page(videos=[FILM]), files=ALL - {missing})
        assert found == [[]]
        assert note == Note(kind="video", message=f"1 video is left out (no such file): {BASE}{missing} on a.md")

    def test_of_a_video_can_be_missing_if_it_has_a_player(self) -> None:
        player = "https://www.youtube.com/embed/SAMPLE-0001"
        assert checked(page(videos=[replace(FILM, player_loc=player)]), files={"film.png"}) == ([[player]], [])

    @pytest.mark.parametrize(
        ("player", "file"),
        [("play?v=1", "play"), ("play.html", "play.html"), ("play?v=1", "play.html"), ("play/", "play/index.html")],
    )
    def test_of_a_player_are_found_by_its_short_url(self, player: str, file: str) -> None:
        video = replace(FILM, content_loc=None, player_loc=BASE + player)
        assert checked(page(videos=[video]), files={"film.png", file}) == ([[BASE + player]], [])
        assert checked(page(videos=[video]), files={"film.png"})[0] == [[]]


class TestCrawlers:
    @pytest.mark.parametrize(
        ("robots", "left"),
        [
            ("User-agent: Googlebot\nDisallow: /a.png", ["film.mp4"]),
            ("User-agent: Googlebot-Image\nDisallow: /a.png", ["film.mp4"]),
            ("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /", ["a.png", "film.mp4"]),
            ("User-agent: Googlebot\nDisallow: /\nUser-agent: Googlebot-Image\nAllow: /", ["a.png"]),
            ("User-agent: Googlebot-Video\nDisallow: /", ["a.png"]),
        ],
    )
    def test_obey_their_own_rules_or_those_for_googlebot_or_those_for_all(self, robots: str, left: list[str]) -> None:
        found, notes = checked(page(f"{BASE}a.png", videos=[FILM]), robots=robots)
        assert found == [[BASE + each for each in left]]
        assert bool(notes) is (len(left) < 2)

    def test_are_blocked_by_a_line_that_the_log_names(self) -> None:
        _, (note,) = checked(page(f"{BASE}a.png"), robots="User-agent: *\nDisallow: /a")
        assert note.kind == "image"
        assert note.message == (f"1 image is left out (disallowed by robots.txt): {BASE}a.png on a.md (Disallow: /a)")

    def test_ignore_the_robots_txt_of_another_host(self) -> None:
        url = "https://cdn.example.org/a.png"
        assert checked(page(url), robots="User-agent: *\nDisallow: /", headers="/*\n  X-Robots-Tag: noindex") == (
            [[url]],
            [],
        )

    def test_obey_a_noindex_header(self) -> None:
        headers = "/a.png\n  X-Robots-Tag: googlebot: noindex\n/film.mp4\n  X-Robots-Tag: otherbot: noindex"
        found, (note,) = checked(page(f"{BASE}a.png", videos=[FILM]), headers=headers)
        assert found == [[f"{BASE}film.mp4"]]
        assert note.message == f"1 image is left out (noindex): {BASE}a.png on a.md (by _headers, /a.png)"

    def test_may_show_a_player_whose_page_has_a_noindex_header(self) -> None:
        video = replace(FILM, content_loc=None, player_loc=f"{BASE}play.html")
        headers = "/play.html\n  X-Robots-Tag: noindex"
        assert checked(page(videos=[video]), files=None, headers=headers) == ([[f"{BASE}play.html"]], [])


def test_a_page_with_noimageindex_has_no_images_and_keeps_its_videos() -> None:
    markup = Markup(robots=frozenset({"noimageindex", "nofollow"}))
    found, (note,) = checked(page(f"{BASE}a.png", "https://cdn.example.org/b.png", videos=[FILM], markup=markup))
    assert found == [[f"{BASE}film.mp4"]]
    assert note.message == (f"2 images are left out (noimageindex), for example {BASE}a.png on a.md (robots meta tag)")


@pytest.mark.parametrize(
    ("expires", "as_of", "is_over"),
    [
        (None, AS_OF, False),
        (datetime(2026, 3, 10, 11, tzinfo=UTC), AS_OF, True),
        (datetime(2026, 3, 10, 13, tzinfo=UTC), AS_OF, False),
        (date(2026, 3, 9), AS_OF, True),
        (date(2026, 3, 10), AS_OF, False),
        (date(2020, 1, 1), None, False),
    ],
)
def test_a_video_that_has_expired_is_left_out(expires: Any, as_of: datetime | None, *, is_over: bool) -> None:
    found, notes = checked(page(videos=[replace(FILM, expiration_date=expires)]), site=replace(SITE, as_of=as_of))
    assert found == ([[]] if is_over else [[f"{BASE}film.mp4"]])
    assert [note.message for note in notes] == (
        [f"1 video is left out (expired): {BASE}film.mp4 on a.md ({expires:%Y-%m-%d})"] if is_over else []
    )
