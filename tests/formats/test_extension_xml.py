"""Images, videos and news in a sitemap, as documented by Google and as defined by the schemas."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from lxml import etree

from sitemap_plugins.formats.sitemap_xml import IMAGE, NAMESPACE, NEWS, VIDEO, render_images, render_news, render_video
from sitemap_plugins.media import Image, News, Restriction, Video

SITE = "https://museum.example/"

SCHEMA = etree.RelaxNG(etree.parse(Path(__file__).parents[1] / "schemas" / "sitemap.rng"))


def urlset(*elements: str) -> str:
    """A sitemap of one page with these elements."""
    return (
        f'<urlset xmlns="{NAMESPACE}" xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}">'
        f"<url><loc>{SITE}visit/</loc>{''.join(elements)}</url></urlset>"
    )


def read(*elements: str) -> list[etree._Element]:
    """The elements as read by lxml, after validation with the schema."""
    tree = etree.fromstring(urlset(*elements).encode())
    SCHEMA.assertValid(tree)
    return [*tree[0]][1:]


class TestImages:
    def test_the_documented_example(self) -> None:
        """Google, "Image sitemaps": two images on one page, one of them on another host and with a query."""
        images = [Image(loc=f"{SITE}halls/north.jpg"), Image(loc="https://cdn.example/pots.webp?w=800&h=600")]
        assert [*render_images(images)] == [
            "<image:image><image:loc>https://museum.example/halls/north.jpg</image:loc></image:image>",
            "<image:image><image:loc>https://cdn.example/pots.webp?w=800&amp;h=600</image:loc></image:image>",
        ]


FULL = Video(
    thumbnail_loc=f"{SITE}thumbs/kiln.jpg",
    title="Firing a kiln in winter",
    description="Rosa shows how a wood kiln is fired when it snows",
    content_loc="https://streams.example/kiln.mp4",
    player_loc="https://www.example.com/player?video=kiln&start=5",
    duration=600,
    expiration_date=datetime(2031, 11, 5, 19, 20, 30, tzinfo=timezone(timedelta(hours=8))),
    rating=4.2,
    view_count=12345,
    publication_date=datetime(2026, 11, 5, 19, 20, 30, tzinfo=UTC),
    tags=("kiln", "clay & glaze", "winter", "outdoor"),
    family_friendly=True,
    restriction=Restriction(relationship="allow", values=("IE", "GB", "US", "CA")),
    requires_subscription=True,
    uploader="Pots & Pans",
    uploader_info=f"{SITE}people/?name=pots&pans",
    platform=Restriction(relationship="deny", values=("mobile", "tv")),
    live=False,
)
FEW = Video(
    thumbnail_loc=f"{SITE}thumbs/wheel.jpg",
    title="Throwing a bowl",
    description="From a lump of clay to a bowl",
    player_loc="https://www.example.com/player?video=wheel",
)


class TestVideos:
    def test_the_documented_example_with_every_tag(self) -> None:
        """Google, "Video sitemaps": the first video of the example, and every tag, in the order of the schema (SM-XML-06)."""
        written = render_video(FULL)
        assert written == (
            "<video:video>"
            "<video:thumbnail_loc>https://museum.example/thumbs/kiln.jpg</video:thumbnail_loc>"
            "<video:title>Firing a kiln in winter</video:title>"
            "<video:description>Rosa shows how a wood kiln is fired when it snows</video:description>"
            "<video:content_loc>https://streams.example/kiln.mp4</video:content_loc>"
            "<video:player_loc>https://www.example.com/player?video=kiln&amp;start=5</video:player_loc>"
            "<video:duration>600</video:duration>"
            "<video:expiration_date>2031-11-05T19:20:30+08:00</video:expiration_date>"
            "<video:rating>4.2</video:rating>"
            "<video:view_count>12345</video:view_count>"
            "<video:publication_date>2026-11-05T19:20:30Z</video:publication_date>"
            "<video:tag>kiln</video:tag>"
            "<video:tag>clay &amp; glaze</video:tag>"
            "<video:tag>winter</video:tag>"
            "<video:tag>outdoor</video:tag>"
            "<video:family_friendly>yes</video:family_friendly>"
            '<video:restriction relationship="allow">IE GB US CA</video:restriction>'
            "<video:requires_subscription>yes</video:requires_subscription>"
            '<video:uploader info="https://museum.example/people/?name=pots&amp;pans">Pots &amp; Pans</video:uploader>'
            '<video:platform relationship="deny">mobile tv</video:platform>'
            "<video:live>no</video:live>"
            "</video:video>"
        )
        assert len(read(written)) == 1

    @pytest.mark.parametrize(
        ("rating", "text"),
        [(-0.0, "0.0"), (1e-7, "0.0"), (2, "2.0"), (3.14159, "3.1"), (4.97, "5.0")],
    )
    def test_a_rating_has_one_decimal(self, rating: float, text: str) -> None:
        assert f"<video:rating>{text}</video:rating>" in render_video(replace(FEW, rating=rating))


class TestNews:
    def test_the_documented_example(self) -> None:
        """Google, "News sitemaps": the publication and its language, the day and the title."""
        news = News(
            name="The Potter's Week",
            language="en",
            publication_date=date(2026, 12, 23),
            title="Kilns <North> & Kilns <South> in Merger Talks",
        )
        written = render_news(news)
        assert written == (
            "<news:news>"
            "<news:publication>"
            "<news:name>The Potter&apos;s Week</news:name>"
            "<news:language>en</news:language>"
            "</news:publication>"
            "<news:publication_date>2026-12-23</news:publication_date>"
            "<news:title>Kilns &lt;North&gt; &amp; Kilns &lt;South&gt; in Merger Talks</news:title>"
            "</news:news>"
        )
        assert len(read(written)) == 1
