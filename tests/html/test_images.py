"""Which pictures of a rendered page belong to its content, and their URLs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins.html import images as page_images
from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.images import IMAGES, absolute_url, has_no_address

PAGE = "https://example.org/docs/guide/"
A = f"{PAGE}a.png"
GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def images(html: str, head: str = "") -> tuple[str, ...]:
    return read_content(f"<!doctype html><head>{head}</head><main>{html}</main>", PAGE).images


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("a.png", A),
        (" a.png\n", A),
        ("a\n.p\tng\r", A),
        ("./x/../a.png", A),
        ("../a.png", "https://example.org/docs/a.png"),
        ("//cdn.example/a.png", "https://cdn.example/a.png"),
        ("HTTP://cdn.example/a.png", "http://cdn.example/a.png"),
        ("img\\a.png", f"{PAGE}img/a.png"),
        ("a.png?x=\\", f"{A}?x=\\"),
        ("a.png?v=1#only-dark", f"{A}?v=1"),
        ("", None),
        ("#only-dark", None),
        ("a\x00.png", None),
        ("{{ image }}", None),
        ("{% static 'a.png' %}", None),
        (GIF, None),
        ("blob:https://example.org/1", None),
        ("javascript:alert(1)", None),
        ("http:///a.png", None),
        ("https://[/a.png", None),
    ],
)
def test_a_url_is_the_one_that_a_browser_would_fetch(href: str | None, url: str | None) -> None:
    assert absolute_url(PAGE, href) == url


@pytest.mark.parametrize(
    ("html", "head", "url"),
    [
        ("<img src=a.png>", '<base href="/static/">', "https://example.org/static/a.png"),
        ("<img src=a.png>", '<base target="_blank"><base href="x/">', f"{PAGE}x/a.png"),
        ("<img src=a.png>", '<base href="https://cdn.example/"><base href="/b/">', "https://cdn.example/a.png"),
        ("<img src=a.png>", '<base href="data:,">', A),
        ("<img src=a.png>", "<base href>", A),
    ],
)
def test_relative_urls_use_the_base_element(html: str, head: str, url: str) -> None:
    assert images(html, head) == (url,)


@pytest.mark.parametrize(
    "html",
    [
        "<img src=a.png>",
        '<IMG SRC="a.png" alt="A">',
        '<img src=a.png alt="">',
        '<p><a class="glightbox" href="big.png"><img src=a.png alt=""></a></p>',
        "<figure><img src=a.png><figcaption>A</figcaption></figure>",
        # twice
        "<img src=a.png#only-light><img src=a.png#only-dark>",
        "<img src=a.png><img src=../guide/a.png>",
        # no usable src
        '<img srcset="b.png 1x, a.png 2x">',
        '<img src="" srcset="a.png">',
        f'<img src="{GIF}" srcset="b.png 1x,a.png 1.5x,c.png">',
        f'<img srcset="{GIF} 3x, a.png 2x">',
        '<img srcset=", a.png ,, b.png 0x">',
        '<img srcset="a.png 2x 3h, b.png wide">',
        "<picture><source srcset='b.png 1x'><source srcset='a.png 2x'><img></picture>",
        f"<picture><source data-srcset='a.png 2x'><img src='{GIF}'></picture>",
        # src comes before alternatives for some browsers
        "<img src=a.png srcset='b.png 2x'>",
        "<picture><source srcset=dark.png media='(prefers-color-scheme: dark)'><img src=a.png></picture>",
        "<picture><img src=a.png><source srcset=b.png></picture>",
        # loaded lazily
        f'<img src="{GIF}" data-src="a.png">',
        '<img src="small.png" data-src="a.png" loading="lazy">',
        '<img data-original="a.png" src="img/loading.gif">',
        '<img data-lazy-src="a.png" src="img/loading.gif">',
        '<img data-srcset="b.png 1x, a.png 2x" src="/spacer.gif">',
        f'<img data-src="{GIF}" src="a.png">',
        # without scripts
        "<noscript><img src=a.png></noscript>",
        f"<img src='{GIF}' class=lazy><noscript><img src=a.png></noscript>",
        "<img data-src=a.png><noscript><img src=small.png></noscript>",
        "<img data-src=a.png>\n <noscript>\n<p><img src=small.png></p></noscript>",
        "<noscript><img src=small.png></noscript> <img data-src=a.png>",
        # only tells a script that there is something to load
        '<img data-src="true" src="a.png">',
        '<img data-src="1" data-original="lazy" srcset="a.png 2x">',
        "<picture><img data-src=a.png></picture><noscript><img src=small.png></noscript>",
        "<picture></picture><noscript><img src=a.png></noscript>",
        "<p>text</p><noscript><img src=a.png></noscript>text",
        "<img style='display:none' data-src=late.png><noscript><img src=a.png></noscript>",
        # small and without alt, but with a caption or a link to an image
        "<figure><img src=a.png alt='' width=24><figcaption>A small sign</figcaption></figure>",
        "<figure><p><a href=x><img src=a.png alt='' width=24></a></p><figcaption>A</figcaption></figure>",
        "<a href=big.png><img src=a.png alt='' width=24></a>",
    ],
)
def test_a_picture_is_listed_once_for_every_place_of_its_url(html: str) -> None:
    assert images(html) == (A,)


@pytest.mark.parametrize(
    "attributes",
    [
        # sizes of real pictures
        "src=a.png width=33 height=20",
        "src=a.png width=20 alt=A",
        'src=a.png style="width: 80%;"',
        'src=a.png style="max-width: 16px; height: 400px"',
        'src=a.png style="border-width: 1px"',
        'src=a.png style="display: block; x-display: none; display: none-such"',
        "src=a.png width=100% height=auto",
        "src=a.png aria-hidden=false role=img",
        'src=a.png class="align-center lightbox"',
        'src=a.png alt="A: the first"',
    ],
)
def test_pictures_that_only_resemble_a_decoration_are_listed(attributes: str) -> None:
    assert images(f"<img {attributes}>") == (A,)


@pytest.mark.parametrize(
    "html",
    [
        "<img>",
        "<img src>",
        f"<img src='{GIF}'>",
        "<img src='blob:https://example.org/1'>",
        "<img src='img/placeholder.svg'>",
        "<img src='img/x-1x1.gif' loading=lazy>",
        "<img srcset=', ,,'>",
        f"<picture><source srcset='{GIF} 2x'><source><img></picture>",
        "<picture><source srcset=a.png></picture>",
        "<template><img src=a.png></template>",
        "<!-- <img src=a.png> -->",
        "<pre>&lt;img src=a.png></pre>",
        "<img src='film.mp4'>",
        "<img src='.'>",
        "<img src='/'>",
        "<img src='./?a=b#c'>",
        "<img src='PAGE.HTM?a=b'>",
        "<img data-src='true'>",
        "<img src='/favicon.ico'>",
        # marked by a class
        "<img class='x gemoji' src=a.png>",
        "<img class=icon src=a.png>",
        "<img alt=':rocket:' src=a.png>",
        "<img class=avatar src=a.png>",
        "<img class='user__avatar-image' src=a.png>",
        "<span class='md-author'><img src=a.png></span>",
        "<div class=avatar-wrapper><a><img src=a.png></a></div>",
        "<img class=math src=a.png>",
        "<div class=math><p><img src=a.png></p></div>",
        "<div class=mermaid><img src=a.png></div>",
        "<div class=badges><img src=a.png></div>",
        # decorations and counters
        "<img role=NONE src=a.png>",
        "<img aria-hidden=true src=a.png>",
        "<img hidden src=a.png>",
        "<img style='display:none' src=a.png>",
        "<img style='width: 5em; DISPLAY : none !important' src=a.png>",
        "<img width=1 src=a.png>",
        "<img width=16 height=16 alt=A src=a.png>",
        "<img width='32px' height='32.0' alt=A src=a.png>",
        "<img style='width: 20px; height: 20px;' src=a.png>",
        "<img style='WIDTH:1px' src=a.png>",
        "<img alt='' width=24 src=a.png>",
        # hosts
        "<img src='https://img.shields.io/pypi/v/x.svg'>",
        "<img src='https://shields.io/x'>",
        "<img src='https://codecov.io/gh/x/y/graph/badge.svg'>",
        "<img src='https://readthedocs.org/projects/x/badge/?version=latest'>",
        "<img src='https://github.com/x/y/actions/workflows/test.yml/badge.svg?event=push'>",
        "<img src='https://dev.azure.com/x/_apis/build/status/y'>",
        "<img src='https://zenodo.org/badge/DOI/10.5281/zenodo.1.svg'>",
        "<img src='https://coverage-badge.example.workers.dev/x.svg'>",
        "<img src='https://sonarcloud.io/api/project_badges/measure?project=x'>",
        "<img src='img/coverage-badge.svg'>",
        "<img src='https://www.gravatar.com/avatar/1'>",
        "<img src='https://avatars.githubusercontent.com/u/1'>",
        "<img src='https://github.com/octocat.png?size=40'>",
        "<img src='https://matomo.example/matomo.php?idsite=1'>",
        "<img src='https://www.facebook.com/tr?id=1'>",
        "<img src='https://latex.codecogs.com/svg.latex?x'>",
        # added by a theme
        "<nav><img src=a.png></nav>",
        "<aside class=md-source-file><img src=a.png></aside>",
        "<div><div role=navigation><p><img src=a.png></p></div></div>",
        "<a class='md-content__button md-icon'><img src=a.png></a>",
        "<h1>A<a class=headerlink><img src=a.png></a></h1>",
    ],
)
def test_other_pictures_are_left_out(html: str) -> None:
    assert images(html) == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/img/badges/bronze.png",
        "https://example.org/components/badge.png",
        "https://github.com/x/y/raw/main/img/a.png",
        "https://raw.githubusercontent.com/x/y/main/badger.png",
        "https://notshields.io/a.png",
        "https://cdn.example/icons/a.png",
    ],
)
def test_pictures_whose_url_only_resembles_a_badge_are_listed(url: str) -> None:
    assert images(f"<img src='{url}'>") == (url,)


def test_order_and_number() -> None:
    html = "".join(f"<p><img src={number}.png><img src={number}.png#x>" for number in range(IMAGES + 5))
    assert images(html) == tuple(f"{PAGE}{number}.png" for number in range(IMAGES))


SRCSET = st.text(st.sampled_from("ab.,  12xwh\t\n#:/"), max_size=40)


@pytest.mark.parametrize(
    ("srcset", "url"),
    [
        pytest.param(", ".join(f"{n}.png {n}w" for n in range(1, 51)), f"{PAGE}50.png", id="up to the limit"),
        pytest.param(", ".join(f"{n}.png {n}w" for n in range(1, 5000)), f"{PAGE}50.png", id="beyond the limit"),
        pytest.param(f"data:image/png;base64,{'b' * 30_000} 1w, a.png 2w", A, id="after a picture in the page itself"),
    ],
)
def test_a_srcset_is_read_up_to_a_limit(srcset: str, url: str) -> None:
    assert images(f'<img srcset="{srcset}">') == (url,)


def test_an_endless_srcset_that_many_pictures_share_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str | None] = []

    def counting(base: str, href: str | None) -> str | None:
        asked.append(href)
        return absolute_url(base, href)

    monkeypatch.setattr(page_images, "absolute_url", counting)
    endless = ",".join(f"{number}.png {number}w" for number in range(1, 20_000))
    assert images(f'<picture><source srcset="{endless}">{"<img>" * 400}</picture>') == (f"{PAGE}99.png",)
    assert len(asked) <= 400 * 101  # the items of the list and the missing src


@pytest.mark.parametrize(
    ("html", "nameless"),
    [
        ("<img>", True),
        ("<img src srcset='' data-src>", True),
        ("<img src=a.png>", False),
        ("<img src=' '>", False),
        ("<img data-src=true>", False),
        ("<img data-original=a.png>", False),
        ("<img data-lazy-src=a.png>", False),
        ("<img srcset=a.png>", False),
        ("<img data-srcset=a.png>", False),
        ("<picture><img></picture>", False),
        ("<picture><p><img></p></picture>", True),
    ],
)
def test_a_picture_without_an_attribute_for_a_url_is_recognized(html: str, *, nameless: bool) -> None:
    node = LexborHTMLParser(html).css_first("img")
    assert node is not None
    assert has_no_address(node) is nameless


@given(SRCSET)
def test_any_srcset_is_read(srcset: str) -> None:
    for url in images(f'<img srcset="{srcset}">'):
        assert url.startswith("http")
        assert not set(url) & set(" \t\n#")


@given(st.text())
def test_any_text_is_a_url_or_none(href: str) -> None:
    url = absolute_url(PAGE, href)
    assert url is None or (url.startswith(("http://", "https://")) and absolute_url(PAGE, url) == url)
