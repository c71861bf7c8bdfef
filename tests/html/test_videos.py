"""The videos that a rendered page plays, and its data about them."""

import json
from datetime import UTC, date, datetime
from typing import Any

import pytest

from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.videos import VIDEOS
from sitemap_plugins.media import Restriction
from sitemap_plugins.model import FoundVideo

PAGE = "https://example.org/docs/guide/"
ID = "dQw4w9WgXcQ"
EMBED = f"https://www.youtube.com/embed/{ID}"
THUMBNAIL = f"https://i.ytimg.com/vi/{ID}/hqdefault.jpg"
YOUTUBE = FoundVideo(player_loc=EMBED, thumbnail_loc=THUMBNAIL)
VIMEO = "https://player.vimeo.com/video/76979871"
FILM = f"{PAGE}film.mp4"
STILL = "https://example.org/f.jpg"
PEERTUBE = "https://tube.example:8443/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d"


def videos(html: str, head: str = "") -> tuple[FoundVideo, ...]:
    return read_content(f"<!doctype html><head>{head}</head><main>{html}</main>", PAGE).videos


def script(data: object, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{json.dumps(data)}</script>'


@pytest.mark.parametrize(
    ("html", "video"),
    [
        ("<video src=film.mp4#t=5 controls></video>", FoundVideo(content_loc=FILM)),
        ("<video data-src=film.mp4></video>", FoundVideo(content_loc=FILM)),
        ("<video><source src=film.mp4 type=video/mp4><source src=film.webm></video>", FoundVideo(content_loc=FILM)),
        ("<video>\n<source><source src='blob:x'><source src=film.mp4></video>", FoundVideo(content_loc=FILM)),
        ("<video><source src=a.mp3 type=audio/mpeg><source src=film.mp4></video>", FoundVideo(content_loc=FILM)),
        ("<video><source data-src=film.mp4 type='video/mp4'></video>", FoundVideo(content_loc=FILM)),
        ("<video src=film.mp4><source src=other.mp4></video>", FoundVideo(content_loc=FILM)),
        (
            "<video src=film.mp4 poster=../film.jpg title=' A  film\x01 '></video>",
            FoundVideo(content_loc=FILM, thumbnail_loc="https://example.org/docs/film.jpg", title="A film"),
        ),
        ("<video src=film.mp4 poster=data:,x aria-label=Tour></video>", FoundVideo(content_loc=FILM, title="Tour")),
        ("<iframe class=video src=film.mp4></iframe>", FoundVideo(content_loc=FILM)),
        ("<iframe data-src=film.MOV></iframe>", FoundVideo(content_loc=f"{PAGE}film.MOV")),
        ("<video src=film.mp4 autoplay muted></video>", FoundVideo(content_loc=FILM)),
        ("<video src=film.mp4 autoplay muted loop playsinline></video>", None),
        ("<embed src=film.webm>", FoundVideo(content_loc=f"{PAGE}film.webm")),
        ("<embed src=film type=video/mp4 title=Tour>", FoundVideo(content_loc=f"{PAGE}film", title="Tour")),
        ("<object data=film.mp4 type=video/mp4><embed src=film.mp4></object>", FoundVideo(content_loc=FILM)),
        ("<object data=plan.pdf type=application/pdf></object>", None),
        ("<object data=drawing.svg></object><embed src=map.html>", None),
        ("<video></video>", None),
        ("<video><source src=a.flv type=application/x-shockwave-flash></video>", None),
        ("<iframe src=map.html></iframe>", None),
        ("<nav><video src=film.mp4></video></nav>", None),
    ],
)
def test_files(html: str, video: FoundVideo | None) -> None:
    assert videos(html) == ((video,) if video else ())


@pytest.mark.parametrize(
    "src",
    [
        EMBED,
        f"//www.youtube.com/embed/{ID}",
        f"http://youtube.com/embed/{ID}?start=5&amp;rel=0",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://youtu.be/{ID}?t=5",
        f"https://m.youtube.com/watch?a=b&amp;v={ID}",
        f"https://www.youtube.com/shorts/{ID}",
        f"https://www.youtube.com/v/{ID}",
    ],
)
@pytest.mark.parametrize("attribute", ["src", "src=about:blank data-src", "data-lazy-src"])
def test_youtube(src: str, attribute: str) -> None:
    html = f'<iframe {attribute}="{src}" title="YouTube video player" allowfullscreen></iframe>'
    assert videos(html) == (YOUTUBE,)


@pytest.mark.parametrize(
    ("html", "is_found"),
    [
        (f"<embed src=https://www.youtube.com/v/{ID}>", True),
        (f"<object data=https://www.youtube.com/v/{ID}></object>", True),
        (f"<lite-youtube videoid={ID}></lite-youtube>", True),
        (f'<lite-youtube videoid="{ID}" style="background: url()" params="rel=0"><a>Play</a></lite-youtube>', True),
        ("<lite-youtube videoid=videoseries></lite-youtube>", False),
        ("<lite-youtube videoid='a/../b'></lite-youtube>", False),
    ],
)
def test_youtube_in_other_elements(html: str, *, is_found: bool) -> None:
    assert videos(html) == ((YOUTUBE,) if is_found else ())


@pytest.mark.parametrize(
    ("src", "player"),
    [
        (f"{PEERTUBE}?title=0&amp;warningTitle=0", PEERTUBE),
        (f"{PEERTUBE}/", PEERTUBE),
        (
            "https://tube.example/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv",
            "https://tube.example/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv",
        ),
        ("https://tube.example/videos/embed/9c9de5e8", None),
        ("https://tube.example/videos/watch/9c9de5e8-0a1e-484a-b099-e80766180a6d", None),
    ],
)
def test_peertube(src: str, player: str | None) -> None:
    found = videos(f'<iframe src="{src}" sandbox="allow-scripts"></iframe>')
    assert found == ((FoundVideo(player_loc=player),) if player else ())


@pytest.mark.parametrize(
    ("src", "player"),
    [
        (VIMEO, VIMEO),
        ("https://player.vimeo.com/video/76979871?title=0&h=8272103f6e", f"{VIMEO}?h=8272103f6e"),
        ("https://player.vimeo.com/video/76979871?h=<b>", VIMEO),
        ("https://vimeo.com/76979871/8272103f6e", f"{VIMEO}?h=8272103f6e"),
        ("https://vimeo.com/76979871", VIMEO),
    ],
)
def test_vimeo(src: str, player: str) -> None:
    assert videos(f'<iframe src="{src}"></iframe>') == (FoundVideo(player_loc=player),)


@pytest.mark.parametrize(
    "src",
    [
        "https://www.youtube.com/embed/videoseries?list=PL1",
        "https://www.youtube.com/embed/live_stream?channel=UC1",
        "https://www.youtube.com/watch?list=1",
        "https://www.youtube.com/playlist?v=1",
        f"https://notyoutube.com/embed/{ID}",
        f"https://www.youtube.com.example/embed/{ID}",
        "https://vimeo.com/showcase",
        "https://[",
    ],
)
def test_embeds_other_than_a_single_video_are_left_out(src: str) -> None:
    assert videos(f'<iframe src="{src}"></iframe>') == ()


FIGURE = "<figure><div><iframe src={src}{title}></iframe></div><figcaption>A <b>caption</b></figcaption></figure>"


@pytest.mark.parametrize(
    ("html", "title", "description"),
    [
        ("<h2>Film<a class=headerlink href=#f>¶</a></h2><iframe src={src} title='Tour'></iframe>", "Tour", None),
        ("<h2>Film</h2><iframe src={src} title='YouTube Video Player'></iframe>", "Film", None),
        ("<h2>Film</h2><iframe src={src} title='' aria-label='Tour'></iframe>", "Tour", None),
        ("<h1>Page</h1><h2>Film</h2><h3></h3><iframe src={src}></iframe><h2>After</h2>", None, None),
        ("<h2>Film</h2><nav><h2>Menu</h2></nav><iframe src={src}></iframe>", "Film", None),
        ("<p>text</p><iframe src={src}></iframe><h2>After</h2>", None, None),
        (FIGURE.replace("{title}", ""), "A caption", None),
        (FIGURE.replace("{title}", " title='A caption'"), "A caption", None),
        (FIGURE.replace("{title}", " title=Tour"), "Tour", "A caption"),
        ("<figure><iframe src={src}></iframe></figure>", None, None),
        ("<figure><iframe src={src}></iframe><div><figcaption>No</figcaption></div></figure>", None, None),
        ("<div><div><div><div><div><div><iframe src={src}></iframe>", None, None),
    ],
)
def test_the_title_is_the_best_text_near_the_embed(html: str, title: str | None, description: str | None) -> None:
    assert videos(html.replace("{src}", EMBED)) == (
        FoundVideo(player_loc=EMBED, thumbnail_loc=THUMBNAIL, title=title, description=description),
    )


def test_each_video_is_listed_once_in_order() -> None:
    html = (
        "<h2>One</h2><video src=film.mp4></video>"
        f"<h2>Two</h2><iframe src={EMBED}></iframe><iframe src=https://youtu.be/{ID}></iframe>"
        "<video src=film.mp4#t=9></video><noscript><video src=film.mp4></video></noscript>"
    )
    assert videos(html) == (
        FoundVideo(content_loc=FILM, title="One"),
        FoundVideo(player_loc=EMBED, thumbnail_loc=THUMBNAIL, title="Two"),
    )
    assert len(videos("".join(f"<video src={number}.mp4></video>" for number in range(VIDEOS + 5)))) == VIDEOS


def allow(*countries: str) -> Restriction:
    return Restriction(relationship="allow", values=countries)


def described(**properties: object) -> dict[str, object]:
    return {"@context": "https://schema.org", "@type": "VideoObject", **properties}


@pytest.mark.parametrize(
    ("data", "video"),
    [
        (
            described(
                name=" A\nfilm ",
                description="Of\x01 it",
                thumbnailUrl="/f.jpg",
                duration="PT1M3.5S",
                contentUrl="film.mp4",
                embedUrl="https://play.example/1",
            ),
            FoundVideo(
                title="A film",
                description="Of it",
                thumbnail_loc=STILL,
                content_loc=FILM,
                player_loc="https://play.example/1",
                duration=63,
            ),
        ),
        (described(contentUrl=["film.mp4", "b.mp4"]), FoundVideo(content_loc=FILM)),
        ([None, 5, described(contentUrl="film.mp4")], FoundVideo(content_loc=FILM)),
        ({"@graph": [{"video": described(contentUrl="film.mp4")}]}, FoundVideo(content_loc=FILM)),
        ({"@type": ["Clip", "VideoObject"], "contentUrl": "film.mp4"}, FoundVideo(content_loc=FILM)),
        (
            described(contentUrl="film.mp4", thumbnailUrl=[], thumbnail={"@type": "ImageObject", "url": "/f.jpg"}),
            FoundVideo(content_loc=FILM, thumbnail_loc=STILL),
        ),
        (described(contentUrl=f"https://www.youtube.com/watch?v={ID}"), YOUTUBE),
        (
            described(embedUrl=f"https://youtu.be/{ID}", thumbnailUrl="/f.jpg"),
            FoundVideo(player_loc=EMBED, thumbnail_loc=STILL),
        ),
        (described(name="no address"), None),
        (described(contentUrl={"@value": 5}, embedUrl=5), None),
        ({"@type": "Article", "about": "VideoObject", "contentUrl": "film.mp4"}, None),
        ({"@type": {"VideoObject": 1}, "contentUrl": "film.mp4"}, None),
        ("VideoObject", None),
    ],
)
def test_structured_data_describes_a_video(data: object, video: FoundVideo | None) -> None:
    expected = (video,) if video else ()
    assert videos("<p>text", script(data)) == expected
    assert videos("<p>text" + script(data, "Application/LD+JSON")) == expected
    assert videos("<p>text" + script(data, "text/plain")) == ()


@pytest.mark.parametrize("text", ['{"VideoObject"', "VideoObject", '["VideoObject"]' + "[" * 100_000, "9" * 5000])
def test_invalid_structured_data_is_ignored(text: str) -> None:
    html = f'<script type="application/ld+json">{text}<!-- VideoObject --></script>'
    assert videos(html + script(described(contentUrl="film.mp4"))) == (FoundVideo(content_loc=FILM),)


@pytest.mark.parametrize(
    ("duration", "seconds"),
    [
        ("PT1H2M3S", 3723),
        ("PT90M", 5400),
        ("P1DT1S", 86401),
        (" PT5S ", 5),
        ("PT0S", None),
        ("PT", None),
        ("5:00", None),
        (300, None),
        ("PT" + "9" * 5000 + "S", None),
    ],
)
def test_durations(duration: object, seconds: int | None) -> None:
    data = described(contentUrl="film.mp4", duration=duration)
    assert videos("", script(data)) == (FoundVideo(content_loc=FILM, duration=seconds),)


@pytest.mark.parametrize(
    ("properties", "found"),
    [
        ({"uploadDate": "2026-01-02"}, {"publication_date": date(2026, 1, 2)}),
        ({"uploadDate": "2026-01-02T10:00:00Z"}, {"publication_date": datetime(2026, 1, 2, 10, tzinfo=UTC)}),
        ({"expires": "2026-01-02"}, {"expiration_date": date(2026, 1, 2)}),
        ({"uploadDate": "January", "expires": 2026}, {}),
        ({"regionsAllowed": "US,nl"}, {"restriction": allow("US", "NL")}),
        ({"regionsAllowed": ["DE", "AT", "DE"]}, {"restriction": allow("DE", "AT")}),
        ({"regionsAllowed": {"@type": "Country", "name": "DE"}}, {"restriction": allow("DE")}),
        ({"regionsAllowed": [{"@type": "Country", "name": "DE"}, "AT"]}, {"restriction": allow("DE", "AT")}),
        ({"regionsAllowed": ["DE", "Austria"]}, {}),
        ({"regionsAllowed": ["DE", {"@type": "Country"}]}, {}),
        ({"regionsAllowed": []}, {}),
        ({"regionsAllowed": 5}, {}),
    ],
)
def test_structured_data_has_dates_and_countries_of_a_video(
    properties: dict[str, object], found: dict[str, Any]
) -> None:
    html = "<video src=film.mp4></video>" + script(described(contentUrl="film.mp4", **properties))
    assert videos(html) == (FoundVideo(content_loc=FILM, **found),)


def test_structured_data_completes_the_embed_with_the_same_url() -> None:
    first = described(embedUrl=EMBED, name="A film", description="Of it", duration="PT9S", uploadDate="2026-01-01")
    second = described(contentUrl="film.mp4", embedUrl="https://play.example/1")
    again = described(embedUrl="https://play.example/1", name="Another")
    html = f"<h2>Film</h2><video src=film.mp4 poster=f.jpg></video><iframe src={EMBED} title=Tour></iframe>"
    assert videos(html, script([first, second, again])) == (
        FoundVideo(
            content_loc=FILM, player_loc="https://play.example/1", thumbnail_loc=f"{PAGE}f.jpg", title="Another"
        ),
        FoundVideo(
            player_loc=EMBED,
            thumbnail_loc=THUMBNAIL,
            title="A film",
            description="Of it",
            duration=9,
            publication_date=date(2026, 1, 1),
        ),
    )
