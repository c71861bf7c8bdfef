"""The images and videos an author lists for a page or the page shows: which are fetched, which are only noted."""

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats.robots import RobotsTxt
from sitemap_plugins.formats.sitemap_reading import read_sitemap
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.media import Image, Restriction, Video
from sitemap_plugins.model import Candidate, Content, Entry, FoundVideo, Language, Markup, Note, Page, Site
from sitemap_plugins.options.convert import convert_fields
from sitemap_plugins.options.settings import PageValues, Settings, read_settings
from sitemap_plugins.pages.crawl_rules import CrawlRules
from sitemap_plugins.pages.media import IMAGE_LIMIT, Media, check_media, checked_media, media_of, paths_of_media
from tests.builders import candidate, replace

BASE = "https://example.org/docs/"
LOC = f"{BASE}guides/tour/"
BOTH = {"images": True, "videos": True}
LONG = f"https://example.org/{'a' * 3000}"  # too long for a sitemap (SM-LOC-03)


def media(
    content: Content | None = None,
    said: Mapping[str, object] | None = None,
    title: str = "",
    description: object = None,
    **options: object,
) -> Media:
    """The media of a page with this content and these values in its front matter."""
    values, mistakes = convert_fields(said or {}, PageValues)
    assert mistakes == []
    chosen, mistakes = read_settings(BOTH | options)
    assert mistakes == []
    page = Page(loc=LOC, name="tour.md", title=title, content=content, front_matter={"description": description})
    found = media_of(page, LOC, PageValues(**values), BASE, chosen)
    assert {note.page for note in found.notes} <= {"tour.md"}
    return replace(found, named=frozenset())


def messages(found: Media) -> list[tuple[str, str]]:
    return [(note.kind, note.message) for note in found.notes]


class TestImages:
    @staticmethod
    def of(
        *shown: str, said: object = None, options: Mapping[str, object] | None = None
    ) -> tuple[list[str], list[tuple[str, str]]]:
        written = {} if said is None else {"images": said}
        found = media(Content(images=shown), written, **(options or {}))
        return [image.loc for image in found.images], messages(found)

    def test_are_those_of_the_page_in_order_without_duplicates_and_encoded(self) -> None:
        shown = [f"{BASE}b.png", f"{BASE}ä b.png", f"{BASE}a.png?v=1&w=2", f"{BASE}%c3%a4%20b.png", f"{BASE}b.png#part"]
        found, said = self.of(*shown)
        assert found == [f"{BASE}b.png", f"{BASE}%C3%A4%20b.png", f"{BASE}a.png?v=1&w=2"]
        assert said == []

    @pytest.mark.parametrize(
        ("url", "hosts", "is_listed"),
        [
            pytest.param(f"{BASE}a.png", [], True, id="below the base"),
            pytest.param("https://example.org/a.png", [], True, id="above the base"),
            pytest.param("http://EXAMPLE.org/a.png", [], True, id="another scheme"),
            pytest.param("https://cdn.example.org/a.png", [], False, id="another host"),
            pytest.param("https://cdn.example.org/a.png", ["cdn.example.org"], True, id="a listed host"),
            pytest.param("https://cdn.example.org/a.png", ["*.example.org"], True, id="by a glob"),
            pytest.param("https://cdn.example.org/a.png", ["example.org", "cdn.*.com"], False, id="other hosts"),
            pytest.param("https://xn--bcher-kva.example/a.png", ["bücher.example"], True, id="not in ASCII"),
            pytest.param("https://cdn.example.org.evil.example/a", ["cdn.example.org"], False, id="a longer name"),
        ],
    )
    def test_of_another_host_are_listed_if_the_option_lists_it(
        self, url: str, hosts: list[str], *, is_listed: bool
    ) -> None:
        found, said = self.of(url, options={"image_hosts": hosts})
        assert bool(found) is is_listed
        assert said == []

    @pytest.mark.parametrize("url", ["http://localhost/a.png", "http://192.168.0.7/a.png", "http://[::1]/a.png"])
    def test_on_private_hosts_are_left_out(self, url: str) -> None:
        assert self.of(url, f"{BASE}b.png", options={"image_hosts": ["*"]}) == ([f"{BASE}b.png"], [])

    def test_on_a_private_host_are_listed_if_the_page_is_on_it(self) -> None:
        local = "http://localhost:8000/"
        page = Page(loc=local, name="a.md", content=Content(images=(f"{local}a.png",)))
        found = media_of(page, local, PageValues(), local, Settings(images=True))
        assert found.images == (Image(loc=f"{local}a.png"),)

    @pytest.mark.parametrize("url", ["data:image/png;base64,AAAA", "a.png", "https://example.org/a\0.png", LONG, "//["])
    def test_that_cannot_be_published_are_left_out_silently(self, url: str) -> None:
        assert self.of(url, f"{BASE}b.png") == ([f"{BASE}b.png"], [])

    @pytest.mark.parametrize(
        ("said", "left"),
        [
            (True, ["img/a.png", "img/b c.svg", "logo.png"]),
            (False, []),
            (["!logo.png"], ["img/a.png", "img/b c.svg"]),
            (["!img/"], ["logo.png"]),
            (["!*.png", "!!logo.png"], ["img/b c.svg", "logo.png"]),
            (["!b c.svg"], ["img/a.png", "logo.png"]),
            (["!docs/**"], ["img/a.png", "img/b c.svg", "logo.png"]),
        ],
    )
    def test_are_left_out_by_globs_for_their_path_below_the_base(self, said: object, left: list[str]) -> None:
        found, _ = self.of(*(f"{BASE}{name}" for name in ("img/a.png", "img/b%20c.svg", "logo.png")), said=said)
        assert found == [f"{BASE}{name.replace(' ', '%20')}" for name in left]

    @pytest.mark.parametrize(
        ("said", "is_listed"),
        [
            ("!cdn.example.org/**", False),
            ("!*.svg", False),
            ("!badges/", False),
            ("!example.org/", True),
            ("!/badges/", True),
        ],
    )
    def test_elsewhere_are_left_out_by_globs_for_host_and_path(self, said: str, *, is_listed: bool) -> None:
        found, _ = self.of("https://cdn.example.org/badges/a.svg", said=[said], options={"image_hosts": ["*"]})
        assert bool(found) is is_listed

    def test_of_the_api_are_urls(self) -> None:
        with pytest.raises(TypeError, match=r"^Content\.images of .+ takes URLs, not Image\(loc='a\.png'\)$"):
            media(Content(images=(Image(loc="a.png"),)), images=True)  # type: ignore[arg-type]

    def test_of_the_author_come_after_those_of_the_page(self) -> None:
        said = ["plan.png", "/logo.png", "https://cdn.example.org/ä.png", "//cdn.example.org/b.png", f"{BASE}a.png"]
        found, notes = self.of(f"{BASE}a.png", said=said)
        assert found == [
            *(f"{BASE}a.png", f"{BASE}plan.png", "https://example.org/logo.png"),
            *("https://cdn.example.org/%C3%A4.png", "https://cdn.example.org/b.png"),
        ]
        assert notes == []

    def test_of_the_author_are_recorded_as_such(self) -> None:
        said = {"images": ["a.png", "!b.png", "ftp://example.org/c.png"], "videos": [SAID | {"uploader_info": "me/"}]}
        values, _ = convert_fields(said, PageValues)
        page = Page(loc=LOC, name="tour.md", content=Content(images=(f"{BASE}d.png",)))
        found = media_of(page, LOC, PageValues(**values), BASE, Settings(images=True))
        assert found.named == {f"{BASE}a.png", f"{BASE}t.png", f"{BASE}tour.mp4"}

    def test_of_the_author_are_listed_in_spite_of_globs(self) -> None:
        assert self.of(f"{BASE}a.png", said=["a.png", "!*"])[0] == [f"{BASE}a.png"]

    def test_of_the_author_are_listed_if_those_of_pages_are_not(self) -> None:
        found, _ = self.of(f"{BASE}a.png", said=["b.png"], options={"images": False})
        assert found == [f"{BASE}b.png"]
        unread = media(None, {"images": ["b.png"]})
        assert unread.images == (Image(loc=f"{BASE}b.png"),)

    @pytest.mark.parametrize(
        ("said", "why"),
        [
            ("ftp://example.org/a.png", "is not an absolute http:// or https:// URL"),
            ("mailto:somebody@example.org", "is not an absolute http:// or https:// URL"),
            ("https://user:secret@example.org/a.png", "has a user name or password in it"),
            ("http://[x/a.png", "is not a URL (Invalid IPv6 URL)"),
            (LONG, f"is {len(LONG)} characters long; at most 2047 are allowed"),
        ],
    )
    def test_of_the_author_are_noted_if_they_cannot_be_published(self, said: str, why: str) -> None:
        found, notes = self.of(f"{BASE}a.png", said=[said, "b.png"])
        assert found == [f"{BASE}a.png", f"{BASE}b.png"]
        assert notes == [("front-matter", f"images: {said!r:.200} {why}")]

    @pytest.mark.parametrize(
        ("number", "notes"),
        [(999, []), (1000, []), (1001, [("image", "it has 1,001 images; only the first 1,000 are listed")])],
    )
    def test_are_at_most_a_thousand(self, number: int, notes: list[tuple[str, str]]) -> None:
        shown = [f"{BASE}{each}.png" for each in range(number)]
        assert self.of(*shown, *shown) == (shown[:IMAGE_LIMIT], notes)
        assert self.of(*shown[:500], said=shown[500:]) == (shown[:IMAGE_LIMIT], notes)

    @pytest.mark.parametrize(
        ("number", "options", "notes"),
        [
            (0, {}, []),
            (1, {}, [("image", "an image has no src and cannot be shown or listed")]),
            (7, {"videos": False}, [("image", "7 images have no src and cannot be shown or listed")]),
            (7, {"images": False}, []),
        ],
    )
    def test_without_an_address_are_noted(
        self, number: int, options: dict[str, object], notes: list[tuple[str, str]]
    ) -> None:
        assert messages(media(Content(images_without_address=number), **options)) == notes


FILM: dict[str, Any] = {
    "thumbnail_loc": f"{BASE}poster.png",
    "title": "The shown title",
    "description": "The shown description",
    "content_loc": f"{BASE}tour.mp4",
    "duration": 90,
}
SHOWN, LISTED = FoundVideo(**FILM), Video(**FILM)
SAID = {"thumbnail_loc": "t.png", "title": "The title", "description": "The description", "content_loc": "tour.mp4"}
LEAST = Video(
    thumbnail_loc=f"{BASE}t.png", title="The title", description="The description", content_loc=f"{BASE}tour.mp4"
)
YOUTUBE = "https://www.youtube.com/embed/dQw4w9WgXcQ"
THUMBNAIL = "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"
ASK = "set it under videos in the page's front matter"
FULL = replace(
    LEAST,
    player_loc="https://example.org/player?v=1",
    duration=60,
    expiration_date=date(2027, 1, 1),
    rating=4.5,
    view_count=0,
    publication_date=datetime(2026, 3, 1, 9, tzinfo=UTC),
    tags=("a", "b"),
    family_friendly=False,
    restriction=Restriction(relationship="deny", values=("DE", "AT")),
    requires_subscription=False,
    uploader="An author",
    uploader_info="https://example.org/authors/",
    platform=Restriction(relationship="allow", values=("web", "tv")),
    live=True,
)


class TestShownVideos:
    @staticmethod
    def of(*shown: FoundVideo, of_host: str = "", **content: Any) -> Media:
        return media(Content(videos=shown, **content), title=of_host)

    def test_are_those_that_the_page_embeds(self) -> None:
        found = self.of(SHOWN)
        assert found == Media(videos=(LISTED,))

    def test_have_title_and_description_of_the_page_if_they_have_none(self) -> None:
        bare = replace(SHOWN, title=None, description=None)
        words = {"title": "The tour", "description": "About the tour.", "summary": "First, look around."}
        assert self.of(bare, **words).videos == (replace(LISTED, title="The tour", description="About the tour."),)
        assert self.of(bare, **words | {"description": ""}).videos[0].description == "First, look around."
        assert self.of(bare, of_host="Of the host", **words | {"title": ""}).videos[0].title == "Of the host"
        assert self.of(bare, head_title="Tour - Site", **words | {"title": ""}).videos[0].title == "Tour - Site"
        assert self.of(SHOWN, **words).videos == (LISTED,)

    def test_have_the_description_in_the_front_matter_of_the_page(self) -> None:
        content = Content(videos=(replace(SHOWN, description=None),), description="Of the head.", summary="Begins.")
        assert media(content, description=" Of the\n author. ").videos[0].description == "Of the author."
        assert media(content, description=5).videos[0].description == "Of the head."
        assert media(replace(content, videos=(SHOWN,)), description="Of the author.").videos == (LISTED,)

    @pytest.mark.parametrize(
        ("lacks", "missing"),
        [
            ({"thumbnail_loc": None}, "thumbnail_loc"),
            ({"title": None}, "title"),
            ({"description": None}, "description"),
            ({"content_loc": None}, "content_loc or player_loc"),
            ({"thumbnail_loc": None, "title": None, "description": None}, "thumbnail_loc, title or description"),
            ({"thumbnail_loc": LONG}, "thumbnail_loc"),
            ({"content_loc": "https://example.org/\0.mp4"}, "content_loc or player_loc"),
        ],
    )
    def test_that_lack_something_are_left_out_with_a_note_on_what_to_add(
        self, lacks: dict[str, Any], missing: str
    ) -> None:
        found = self.of(replace(SHOWN, **lacks))
        assert found.videos == ()
        assert messages(found) == [("video", f"a video is left out, because it has no {missing}: {ASK}")]

    def test_that_lack_something_do_not_affect_the_others(self) -> None:
        found = self.of(replace(SHOWN, thumbnail_loc=None), replace(SHOWN, content_loc=f"{BASE}b.mp4"))
        assert [video.content_loc for video in found.videos] == [f"{BASE}b.mp4"]
        assert len(found.notes) == 1

    @pytest.mark.parametrize(
        ("duration", "listed"), [(None, None), (0, None), (1, 1), (28_800, 28_800), (28_801, None), (10**9, None)]
    )
    def test_have_a_duration_from_a_second_to_eight_hours(self, duration: int | None, listed: int | None) -> None:
        (video,) = self.of(replace(SHOWN, duration=duration)).videos
        assert video.duration == listed

    def test_have_titles_and_descriptions_within_the_limits(self) -> None:
        (video,) = self.of(replace(SHOWN, title="many words " * 20, description="many words " * 400)).videos
        assert len(video.title) <= 100
        assert len(video.description) <= 2048
        assert video.title.split()[-1] in {"many", "words"}
        assert video.description.split()[-1] in {"many", "words"}
        (video,) = self.of(replace(SHOWN, title="字" * 200, description="字" * 3000)).videos
        assert (video.title, video.description) == ("字" * 100, "字" * 2048)

    def test_have_encoded_addresses(self) -> None:
        shown = replace(
            SHOWN, thumbnail_loc=f"{BASE}ä.png", content_loc=f"{BASE}a b.mp4", player_loc="https://É.example"
        )
        (video,) = self.of(shown).videos
        assert (video.thumbnail_loc, video.content_loc, video.player_loc) == (
            *(f"{BASE}%C3%A4.png", f"{BASE}a%20b.mp4", "https://xn--9ca.example/"),
        )

    def test_whose_player_is_the_page_itself_are_left_out(self) -> None:
        found = self.of(replace(SHOWN, content_loc=None, player_loc=LOC))
        assert found.videos == ()
        assert [kind for kind, _ in messages(found)] == ["video"]
        assert messages(found)[0][1] == (
            f"the video '{LOC}' is left out: its address is that of the page, not of a video"
        )

    def test_have_the_dates_and_countries_that_the_page_gives(self) -> None:
        said: dict[str, Any] = {
            "publication_date": date(2026, 1, 2),
            "expiration_date": datetime(2027, 1, 2, tzinfo=UTC),
            "restriction": Restriction(relationship="allow", values=("DE",)),
        }
        assert self.of(replace(SHOWN, **said)).videos == (replace(LISTED, **said),)

    def test_that_are_embedded_twice_are_listed_once(self) -> None:
        shown = replace(SHOWN, content_loc=f"{BASE}a b.mp4")
        found = self.of(shown, shown, replace(shown, content_loc=f"{BASE}a%20b.mp4", title="Another title"))
        assert found.videos == (replace(LISTED, content_loc=f"{BASE}a%20b.mp4"),)


class TestDeclaredVideos:
    @staticmethod
    def of(*said: Mapping[str, object], shown: tuple[FoundVideo, ...] = (), **options: object) -> Media:
        return media(Content(videos=shown), {"videos": list(said)}, **options)

    def test_have_every_field(self) -> None:
        more = {
            "player_loc": "/player?v=1",
            "duration": 60,
            "expiration_date": "2027-01-01",
            "rating": 4.5,
            "view_count": 0,
            "publication_date": "2026-03-01T09:00:00Z",
            "tags": ["a", "b"],
            "family_friendly": False,
            "restriction": {"deny": ["DE", "AT"]},
            "requires_subscription": False,
            "uploader": "An author",
            "uploader_info": "/authors/",
            "platform": {"allow": "web, tv"},
            "live": True,
        }
        found = self.of(SAID | more)
        assert found == Media(videos=(FULL,))
        assert SAID.keys() | more.keys() == set(Video.__dataclass_fields__)
        assert [value for value in (found.videos[0].title, found.videos[0].uploader) if type(value) is not str] == []
        # The entry can also be written and read.
        entry = Entry(loc=LOC, videos=found.videos)
        assert read_sitemap(b"".join(SitemapWriter().render([entry]))) == (entry,)

    def test_are_completed_from_the_page_that_embeds_them(self) -> None:
        found = self.of({"content_loc": "tour.mp4", "title": "Of the author", "rating": 5}, shown=(SHOWN,))
        assert found == Media(videos=(replace(LISTED, title="Of the author", rating=5.0),))

    @pytest.mark.parametrize(
        "url", ["tour.mp4", f"{BASE}tour.mp4", "/docs/tour.mp4", "HTTPS://Example.ORG/docs/tour.mp4"]
    )
    def test_are_matched_by_their_url_in_any_form(self, url: str) -> None:
        assert self.of({"content_loc": url}, shown=(SHOWN,)) == Media(videos=(LISTED,))

    def test_are_matched_by_their_player_too(self) -> None:
        player = "https://player.example.com/1"
        shown = replace(SHOWN, content_loc=None, player_loc=player)
        found = self.of({"player_loc": player, "content_loc": "own.mp4"}, shown=(shown,))
        assert found.videos == (replace(LISTED, content_loc=f"{BASE}own.mp4", player_loc=player),)

    def test_are_listed_if_those_of_pages_are_not(self) -> None:
        other = replace(SHOWN, content_loc=f"{BASE}other.mp4")
        found = self.of({"content_loc": "tour.mp4"}, shown=(SHOWN, other), videos=False)
        assert found == Media(videos=(LISTED,))

    def test_come_before_those_of_the_page(self) -> None:
        other = replace(SHOWN, content_loc=f"{BASE}other.mp4")
        found = self.of(SAID, shown=(other, SHOWN))
        assert found.videos == (replace(LEAST, duration=90), replace(LISTED, content_loc=f"{BASE}other.mp4"))

    @pytest.mark.parametrize("lacks", ["thumbnail_loc", "title", "description", "content_loc"])
    def test_that_lack_something_are_left_out_with_a_note_on_what_to_add(self, lacks: str) -> None:
        said = {name: value for name, value in SAID.items() if name != lacks}
        found = self.of(said)
        name = "The title" if lacks == "content_loc" else f"{BASE}tour.mp4"
        missing = "content_loc or player_loc" if lacks == "content_loc" else lacks
        assert found.videos == ()
        assert messages(found) == [("video", f"the video '{name}' is left out, because it has no {missing}: {ASK}")]

    def test_without_any_field_are_left_out(self) -> None:
        found = self.of({})
        missing = "thumbnail_loc, title, description or content_loc or player_loc"
        message = f"the video 'without an address' is left out, because it has no {missing}: {ASK}"
        assert messages(found) == [("video", message)]

    def test_that_are_left_out_are_not_listed_from_the_page_either(self) -> None:
        found = self.of({"content_loc": "tour.mp4"}, shown=(replace(SHOWN, thumbnail_loc=None),))
        assert found.videos == ()
        assert len(found.notes) == 1

    @pytest.mark.parametrize("name", ["thumbnail_loc", "content_loc", "player_loc", "uploader_info"])
    @pytest.mark.parametrize(
        ("url", "why"),
        [
            ("ftp://example.org/a", "is not an absolute http:// or https:// URL"),
            ("http://[x/", "is not a URL (Invalid IPv6 URL)"),
            (LONG, f"is {len(LONG)} characters long; at most 2047 are allowed"),
        ],
    )
    def test_with_a_url_that_cannot_be_published_are_noted(self, name: str, url: str, why: str) -> None:
        found = self.of(SAID | {"uploader": "An author", name: url})
        assert messages(found)[0] == ("front-matter", f"videos: {name}: {url!r:.200} {why}")
        assert len(found.videos) == (name in {"player_loc", "uploader_info"})
        assert len(found.notes) == 2 - len(found.videos)

    @pytest.mark.parametrize(
        ("info", "is_used"),
        [
            ("/authors/", True),
            ("https://EXAMPLE.org:443/a", True),
            ("https://www.example.org/", False),
            ("https://example.org:8443/", False),
        ],
    )
    def test_have_an_uploader_page_only_on_the_host_of_the_page(self, info: str, *, is_used: bool) -> None:
        found = self.of(SAID | {"uploader": "An author", "uploader_info": info})
        assert bool(found.videos[0].uploader_info) is is_used
        assert found.videos[0].uploader == "An author"
        assert [kind for kind, _ in messages(found)] == ([] if is_used else ["front-matter"])
        assert is_used or "is not on the host of the page; it is ignored" in messages(found)[0][1]

    def test_have_no_uploader_page_without_the_name_of_the_uploader(self) -> None:
        # The URL is an attribute of the name and cannot be written without it.
        found = self.of(SAID | {"uploader_info": "/authors/"})
        assert found.videos == (LEAST,)
        assert [kind for kind, _ in messages(found)] == ["front-matter"]

        assert messages(found)[0][1] == "videos: uploader_info: there is no uploader; it is ignored"

    @pytest.mark.parametrize("name", ["content_loc", "player_loc"])
    @pytest.mark.parametrize(
        "url",
        [
            "https://youtu.be/dQw4w9WgXcQ",
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=x",
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        ],
    )
    def test_at_youtube_have_its_player_and_its_thumbnail(self, url: str, name: str) -> None:
        found = self.of({"title": "The title", "description": "The description", name: url})
        assert found == Media(videos=(replace(LEAST, thumbnail_loc=THUMBNAIL, content_loc=None, player_loc=YOUTUBE),))

    def test_at_youtube_can_have_a_thumbnail_of_their_own(self) -> None:
        for said in (SAID | {"content_loc": "https://youtu.be/dQw4w9WgXcQ"}, SAID | {"player_loc": YOUTUBE}):
            (video,) = self.of(said).videos
            assert (video.thumbnail_loc, video.player_loc) == (f"{BASE}t.png", YOUTUBE)

    def test_can_have_a_player_at_youtube_and_a_file_of_their_own(self) -> None:
        (video,) = self.of(SAID | {"player_loc": "https://youtu.be/dQw4w9WgXcQ"}).videos
        assert (video.content_loc, video.player_loc) == (f"{BASE}tour.mp4", YOUTUBE)

    def test_with_a_page_url_are_matched_with_the_embedded_player(self) -> None:
        shown = replace(SHOWN, content_loc=None, player_loc=YOUTUBE)
        found = self.of({"title": "Of the author", "content_loc": "https://youtu.be/dQw4w9WgXcQ"}, shown=(shown,))
        assert [(each.title, each.player_loc, each.duration) for each in found.videos] == [
            ("Of the author", YOUTUBE, 90)
        ]

    def test_of_the_same_video_at_youtube_are_listed_once(self) -> None:
        found = self.of(
            {"title": "One", "description": "D", "content_loc": "https://youtu.be/dQw4w9WgXcQ"},
            {"title": "Two", "description": "D", "player_loc": "https://www.youtube.com/watch?v=dQw4w9WgXcQ"},
        )
        assert [video.title for video in found.videos] == ["One"]
        assert found.notes == ()


@pytest.mark.parametrize(
    ("damaged", "words"),
    [
        (("title",), "title"),
        (("title", "summary"), "title and summary"),
        (("title", "description", "summary"), "title, description and summary"),
    ],
)
def test_control_characters_in_the_texts_of_a_page_are_noted(damaged: tuple[str, ...], words: str) -> None:  # SM-XML-05
    found = media(Content(damaged=damaged))
    assert found == Media(notes=found.notes)
    assert messages(found) == [("text", f"its {words} had control characters, which are left out")]


def test_a_page_without_content_and_front_matter_has_no_media() -> None:
    assert media(None) == media(Content()) == Media()


texts = st.none() | st.text(max_size=20) | st.sampled_from(["x" * 3000, "a b " * 600, "data:,", f"{BASE}ü", LOC, "//["])


@given(
    st.lists(st.text() | st.sampled_from([f"{BASE}a.png", LONG, "data:,a"]), max_size=4),
    st.lists(
        st.fixed_dictionaries(
            {
                "thumbnail_loc": texts,
                "title": st.none()
                | st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff")),
                "description": st.sampled_from([None, "d", "d" * 4000, "d e " * 2000]),
                "content_loc": texts,
                "player_loc": texts,
                "duration": st.none() | st.integers(),
            }
        ).map(lambda fields: FoundVideo(**fields)),
        max_size=3,
    ),
)
def test_listed_media_of_any_page_can_be_written_and_read(images: list[str], videos: list[FoundVideo]) -> None:
    found = media(Content(title="A title", images=tuple(images), videos=tuple(videos)))
    for video in found.videos:
        assert 0 < len(video.title) <= 100
        assert 0 < len(video.description) <= 2048
        assert LOC not in {video.content_loc, video.player_loc}
    entry = Entry(loc=LOC, images=found.images, videos=tuple(replace(v, title="t") for v in found.videos))
    assert read_sitemap(b"".join(SitemapWriter().render([entry]))) == (entry,)


class TestAuthorsEntries:
    """Entries that a hook returns."""

    def test_are_encoded(self) -> None:
        entry = Entry(
            loc=LOC,
            images=(Image(loc=f"{BASE}ä.png"),),
            videos=(replace(LEAST, content_loc=f"{BASE}a b.mp4", title=" Two  words "),),
        )
        checked = checked_media(entry)
        assert checked.images == (Image(loc=f"{BASE}%C3%A4.png"),)
        assert checked.videos == (replace(LEAST, content_loc=f"{BASE}a%20b.mp4", title="Two words"),)
        assert checked_media(checked) == checked

    def test_with_all_fields_are_unchanged(self) -> None:
        for video in (FULL, replace(FULL, rating=0.0, live=False)):
            assert checked_media(Entry(loc=LOC, videos=(video,))) == Entry(loc=LOC, videos=(video,))

    @pytest.mark.parametrize(
        "changed",
        [
            {"images": 5},
            {"videos": 5},
            {"images": (Image(loc=None),)},
            {"images": (Image(loc=["a.png"]),)},
            {"videos": (replace(LEAST, restriction=Restriction(relationship=["deny"], values=("DE",))),)},
            {"videos": (replace(LEAST, restriction=Restriction(relationship="deny", values=None)),)},
            {"videos": (replace(LEAST, restriction=Restriction(relationship="deny", values=(["DE"],))),)},
            {"videos": (replace(LEAST, tags=5),)},
        ],
        ids=range(8),
    )
    def test_with_wrong_types_are_refused(self, changed: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match=r"^gave it "):
            checked_media(replace(Entry(loc=LOC), **changed))

    @pytest.mark.parametrize("kind", [tuple, list, iter])
    def test_can_have_any_iterable_of_media(self, kind: Any) -> None:
        images = (Image(loc=f"{BASE}a.png"), Image(loc=f"{BASE}b.png"))
        checked = checked_media(replace(Entry(loc=LOC), images=kind(images), videos=kind([LEAST])))
        assert checked == Entry(loc=LOC, images=images, videos=(LEAST,))

    def test_have_at_most_a_thousand_images(self) -> None:
        images = tuple(Image(loc=f"{BASE}{number}.png") for number in range(1001))
        assert checked_media(Entry(loc=LOC, images=images)).images == images[:1000]

    @pytest.mark.parametrize(
        ("changed", "why"),
        [
            ({"images": (f"{BASE}a.png",)}, "gave it images or videos that are not Image or Video objects"),
            ({"videos": (SAID,)}, "gave it images or videos that are not Image or Video objects"),
            (
                {"images": (Image(loc="a.png"),)},
                "gave it an image whose URL is not an absolute http:// or https:// URL",
            ),
            ({"images": (Image(loc=LONG),)}, f"gave it an image whose URL is {len(LONG)} characters long"),
            *(
                ({"videos": (replace(LEAST, **values),)}, f"gave it an invalid video: {why}")
                for values, why in (
                    ({"duration": 0}, "duration: 0 is not a whole number from 1 to 28800"),
                    ({"title": None}, "title is missing"),
                    ({"content_loc": None}, "content_loc is missing"),
                    ({"content_loc": "tour.mp4"}, "content_loc: 'tour.mp4' is not an absolute http:// or https:// URL"),
                    (
                        {"restriction": Restriction(relationship="deny", values=("EU",))},
                        "restriction: 'EU' is not a known value",
                    ),
                )
            ),
        ],
    )
    def test_with_a_mistake_are_refused_with_an_explanation(self, changed: dict[str, Any], why: str) -> None:
        with pytest.raises(ValueError, match=r"^gave it ") as error:
            checked_media(replace(Entry(loc=LOC), **changed))
        assert str(error.value).startswith(why)


def test_the_defaults_list_nothing() -> None:
    page = Page(loc=LOC, name="tour.md", content=Content(images=(f"{BASE}a.png",), videos=(SHOWN,)))
    assert media_of(page, LOC, PageValues(), BASE, Settings()) == Media()


ROOT = "https://example.org/"
AS_OF = datetime(2026, 3, 10, 12, tzinfo=UTC)
SITE = Site(base_url=ROOT, as_of=AS_OF)
A_FILM = Video(
    thumbnail_loc=f"{ROOT}film.png", title="A film", description="Of it", content_loc=f"{ROOT}film.mp4", player_loc=None
)
ALL = frozenset({"a.png", "film.png", "film.mp4"})


def page(*images: str, videos: Collection[Video] = (), path: str = "a/", **values: Any) -> Candidate:
    entry = Entry(loc=ROOT + path, images=tuple(Image(loc=url) for url in images), videos=tuple(videos))
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
    pages = [page(f"{ROOT}a.png", videos=[A_FILM]), page(path="b/")]
    found, notes = check_media(SITE, pages, CrawlRules(), ALL)
    assert [(one, other) for one, other in zip(found, pages, strict=True) if one is not other] == []
    assert notes == []


class TestFiles:
    @pytest.mark.parametrize(
        ("url", "file", "is_there"),
        [
            (f"{ROOT}a.png?v=1", "a.png", True),
            (f"{ROOT}A.png", "a.png", False),
            (f"{ROOT}b%20%C3%A4.png", "b ä.png", True),
            (f"{ROOT}x/../a.png", "a.png", True),
            (f"{ROOT}x//a.png", "x/a.png", True),
            (f"{ROOT}a.png", "x/a.png", False),
            (f"{ROOT}a.png", "a.png/index.html", False),
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
            pytest.param(f"{ROOT}a.png", Site(base_url=f"{ROOT}docs/"), id="above the base"),
            pytest.param(f"{ROOT}../a.png", SITE, id="outside"),
            pytest.param(f"{ROOT}a:b.png", SITE, id="a name that some systems do not allow"),
            pytest.param(
                f"{ROOT}fr/a.png",
                replace(
                    SITE, languages=(Language(code="en", base_url=ROOT), Language(code="fr", base_url=f"{ROOT}fr/"))
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
        found, _ = checked(page(f"{ROOT}b.png", path=path, output=output), files=())
        assert found == ([[]] if is_looked_for else [[f"{ROOT}b.png"]])

    def test_are_not_checked_if_the_output_is_unknown(self) -> None:
        assert checked(page(f"{ROOT}b.png"), files=None) == ([[f"{ROOT}b.png"]], [])

    def test_that_are_missing_are_counted_once_each_with_one_example(self) -> None:
        pages = [page(f"{ROOT}b.png", f"{ROOT}a.png"), page(f"{ROOT}b.png", f"{ROOT}c.png", path="b/")]
        assert checked(*pages) == (
            [[f"{ROOT}a.png"], []],
            [Note(kind="image", message=f"2 images are left out (no such file), for example {ROOT}b.png on a.md")],
        )

    def test_that_an_author_lists_are_noted_on_the_page(self) -> None:
        named = frozenset({f"{ROOT}b.png", f"{ROOT}film.mp4"})
        found, notes = checked(page(f"{ROOT}b.png", videos=[A_FILM], named_media=named), files={"film.png"})
        assert found == [[]]
        why = "is left out, because the build wrote no such file"
        assert notes == [
            Note(kind="front-matter", page="a.md", message=f"images: {ROOT}b.png {why}"),
            Note(kind="front-matter", page="a.md", message=f"videos: {ROOT}film.mp4 {why}"),
        ]

    @pytest.mark.parametrize("missing", ["film.png", "film.mp4"])
    def test_of_a_video_are_its_thumbnail_and_its_content(self, missing: str) -> None:
        found, (note,) = checked(page(videos=[A_FILM]), files=ALL - {missing})
        assert found == [[]]
        assert note == Note(kind="video", message=f"1 video is left out (no such file): {ROOT}{missing} on a.md")

    def test_of_a_video_can_be_missing_if_it_has_a_player(self) -> None:
        player = "https://www.youtube.com/embed/SAMPLE-0001"
        assert checked(page(videos=[replace(A_FILM, player_loc=player)]), files={"film.png"}) == ([[player]], [])

    @pytest.mark.parametrize(
        ("player", "file"),
        [("play?v=1", "play"), ("play.html", "play.html"), ("play?v=1", "play.html"), ("play/", "play/index.html")],
    )
    def test_of_a_player_are_found_by_its_short_url(self, player: str, file: str) -> None:
        video = replace(A_FILM, content_loc=None, player_loc=ROOT + player)
        assert checked(page(videos=[video]), files={"film.png", file}) == ([[ROOT + player]], [])
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
        found, notes = checked(page(f"{ROOT}a.png", videos=[A_FILM]), robots=robots)
        assert found == [[ROOT + each for each in left]]
        assert bool(notes) is (len(left) < 2)

    def test_are_blocked_by_a_line_that_the_log_names(self) -> None:
        _, (note,) = checked(page(f"{ROOT}a.png"), robots="User-agent: *\nDisallow: /a")
        assert note.kind == "image"
        assert note.message == (f"1 image is left out (disallowed by robots.txt): {ROOT}a.png on a.md (Disallow: /a)")

    def test_ignore_the_robots_txt_of_another_host(self) -> None:
        url = "https://cdn.example.org/a.png"
        assert checked(page(url), robots="User-agent: *\nDisallow: /", headers="/*\n  X-Robots-Tag: noindex") == (
            [[url]],
            [],
        )

    def test_obey_a_noindex_header(self) -> None:
        headers = "/a.png\n  X-Robots-Tag: googlebot: noindex\n/film.mp4\n  X-Robots-Tag: otherbot: noindex"
        found, (note,) = checked(page(f"{ROOT}a.png", videos=[A_FILM]), headers=headers)
        assert found == [[f"{ROOT}film.mp4"]]
        assert note.message == f"1 image is left out (noindex): {ROOT}a.png on a.md (by _headers, /a.png)"

    def test_may_show_a_player_whose_page_has_a_noindex_header(self) -> None:
        video = replace(A_FILM, content_loc=None, player_loc=f"{ROOT}play.html")
        headers = "/play.html\n  X-Robots-Tag: noindex"
        assert checked(page(videos=[video]), files=None, headers=headers) == ([[f"{ROOT}play.html"]], [])


def test_a_page_with_noimageindex_has_no_images_and_keeps_its_videos() -> None:
    markup = Markup(robots=frozenset({"noimageindex", "nofollow"}))
    found, (note,) = checked(page(f"{ROOT}a.png", "https://cdn.example.org/b.png", videos=[A_FILM], markup=markup))
    assert found == [[f"{ROOT}film.mp4"]]
    assert note.message == (f"2 images are left out (noimageindex), for example {ROOT}a.png on a.md (robots meta tag)")


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
    found, notes = checked(page(videos=[replace(A_FILM, expiration_date=expires)]), site=replace(SITE, as_of=as_of))
    assert found == ([[]] if is_over else [[f"{ROOT}film.mp4"]])
    assert [note.message for note in notes] == (
        [f"1 video is left out (expired): {ROOT}film.mp4 on a.md ({expires:%Y-%m-%d})"] if is_over else []
    )
