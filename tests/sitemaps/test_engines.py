"""What the search engines in the option ignore."""

from typing import Any

import pytest

from sitemap_plugins.media import Video
from sitemap_plugins.model import Arrangement, Entry, Note, Sitemap, SitemapIndex
from sitemap_plugins.sitemaps.announcing import engine_notes
from tests.builders import options

BASE = "https://example.org/"
VIDEOS = (Video(thumbnail_loc=f"{BASE}a.jpg", title="t", description="d", player_loc=f"{BASE}p"),)
ALL = {"changefreq": "daily", "priority": 0.5, "videos": VIDEOS}


def arrangement(*entries: Entry, indexed: bool = False) -> Arrangement:
    sitemap = Sitemap(path="sitemap-0.xml", entries=entries, url=f"{BASE}sitemap-0.xml")
    index = SitemapIndex(path="sitemap.xml", sitemaps=(sitemap,), url=f"{BASE}sitemap.xml")
    return Arrangement(sitemaps=(sitemap,), indexes=(index,) if indexed else ())


@pytest.mark.parametrize(
    ("written", "values", "indexed", "messages"),
    [
        pytest.param({}, ALL, True, [], id="no engine"),
        pytest.param({"engines": ["google", "bing", "yandex", "baidu"]}, {}, False, [], id="nothing to ignore"),
        pytest.param(
            {"engines": ["google"], "feeds": {"rss": "f.xml"}},
            ALL,
            True,
            ["Google ignores changefreq and priority"],
            id="Google",
        ),
        pytest.param({"engines": ["bing"]}, {"priority": 0.0}, True, ["Bing ignores priority"], id="Bing"),
        pytest.param({"engines": ["yandex"]}, ALL, True, ["Yandex ignores videos"], id="Yandex"),
        pytest.param(
            {"engines": ["yandex"], "feeds": {"atom": "f.xml"}},
            ALL,
            False,
            ["Yandex ignores videos and feeds"],
            id="Yandex and feeds",
        ),
        pytest.param(
            {"engines": ["baidu"], "feeds": {"rss": "f.xml"}},
            ALL,
            True,
            ["Baidu ignores indexes and feeds; the sitemaps themselves are announced"],
            id="Baidu",
        ),
        pytest.param(
            {"engines": ["baidu"], "feeds": {"rss": "f.xml"}}, ALL, False, ["Baidu ignores feeds"], id="no index"
        ),
        pytest.param(
            {"engines": ["baidu", "google", "baidu"]},
            {"changefreq": "never"},
            True,
            ["Baidu ignores indexes; the sitemaps themselves are announced", "Google ignores changefreq"],
            id="in the order of the option, without duplicates",
        ),
    ],
)
def test_an_engine_is_named_with_what_it_ignores(
    written: dict[str, object], values: dict[str, Any], messages: list[str], *, indexed: bool
) -> None:
    entries = [Entry(loc=BASE), Entry(loc=f"{BASE}a/", **values)]
    notes = engine_notes(entries, arrangement(*entries, indexed=indexed), options(**written))
    assert [*notes] == [Note(kind="engine", message=message) for message in messages]
