"""The main content of a page in each theme, and the words for a page. Every page can be read, however strange it is."""

from __future__ import annotations

from collections.abc import Container

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.html.content import SUMMARY_LENGTH, description_of, read_content, title_of
from sitemap_plugins.model import Content, FoundVideo, Page
from sitemap_plugins.values.text import CONTROL

PAGE = "https://example.org/docs/guide/"

# The frame of each theme as it is rendered, reduced to the parts with pictures, headings or paragraphs.
CONTENT = """<h1 id="t">Title{permalink}</h1>
<p><a href="https://pypi.org"><img src="https://img.shields.io/pypi/v/x.svg"></a></p>
<p>The <em>first</em> paragraph.</p><p><img alt="A" src="a.png"></p>
<h2>Film</h2><iframe src="https://player.vimeo.com/video/76979871"></iframe>"""
SECTION = CONTENT.format(permalink='<a class="headerlink" href="#t" title="Link to this heading">¶</a>')
RTD_SECTION = CONTENT.format(permalink='<a class="headerlink" href="#t" title="Link to this heading">\uf0c1</a>')
THEMES = {
    "material": f"""<header class="md-header"><nav class="md-header__inner md-grid"><a class="md-logo">
<img src="logo.png"></a></nav></header><div class="md-container"><main class="md-main">
<div class="md-main__inner md-grid"><div class="md-sidebar md-sidebar--primary"><nav class="md-nav">
<label class="md-nav__title"><a class="md-nav__button md-logo"><img src="logo.png"></a></label></nav></div>
<div class="md-content"><article class="md-content__inner md-typeset"><a class="md-content__button md-icon"
title="Edit this page"><img src="pencil.png"></a>{SECTION}<aside class="md-source-file"><span class="md-author">
<img src="me.png"></span><p>Written by me.</p></aside><form class="md-feedback"><p>Helpful?</p><img src="yes.png">
</form></article></div></div></main><footer class="md-footer"><img src="footer.png"></footer></div>""",
    "material blog": f"""<main class="md-main"><div class="md-main__inner"><div class="md-content md-content--post">
<div class="md-sidebar md-sidebar--post"><nav><div class="md-post__authors"><img src="me.png"></div></nav></div>
<article class="md-content__inner md-post__content md-typeset">{SECTION}</article></div></div></main>""",
    "material blog index": f"""<main class="md-main"><div class="md-content"><div class="md-content__inner">
<header class="md-typeset"><h1>Title</h1></header><article class="md-post md-post--excerpt"><header
class="md-post__header"><nav class="md-post__authors"><span class="md-author"><img src="me.png"></span></nav>
<div class="md-post__meta"><p>January</p></div></header>
<div class="md-post__content md-typeset">{SECTION}</div></article></div></div></main>""",
    "mkdocs": f"""<body class="homepage"><div class="navbar"><img src="logo.png"></div><div class="container">
<div class="row"><div class="col-md-3"><div role="complementary"><p>Contents</p></div></div>
<div class="col-md-9" role="main">{SECTION}</div></div></div><footer class="col-md-12"><p>Copyright</p></footer>
<div class="modal" role="dialog"><h4>Search</h4><p>From here</p></div>""",
    "readthedocs": f"""<body class="wy-body-for-nav" role="document"><div class="wy-grid-for-nav"><nav
class="wy-nav-side"><img src="logo.png"></nav><section class="wy-nav-content-wrap"><nav class="wy-nav-top"
role="navigation"><p>Top</p></nav><div class="wy-nav-content"><div class="rst-content"><div role="navigation"
aria-label="breadcrumbs navigation"><p>Docs</p></div><div role="main" class="document"><div class="section"
itemprop="articleBody">{SECTION}</div></div><footer><p>Built</p></footer></div></div></section></div>""",
    "sphinx_rtd_theme": f"""<body class="wy-body-for-nav"><nav class="wy-nav-side"><a class="icon icon-home">
<img class="logo" src="logo.png"></a></nav><section class="wy-nav-content-wrap"><div class="wy-nav-content">
<div class="rst-content"><div role="main" class="document" itemscope="itemscope"
itemtype="http://schema.org/Article"><div itemprop="articleBody"><section id="t">{RTD_SECTION}</section></div></div>
<footer><p>Copyright</p><img src="footer.png"></footer></div></div></section>""",
    "furo": f"""<div class="page"><header class="mobile-header"><p>Docs</p></header><aside class="sidebar-drawer">
<a class="sidebar-brand"><img class="sidebar-logo" src="logo.png"></a></aside><div class="main"><div class="content">
<div class="article-container"><a href="#" class="back-to-top"><p>Back</p></a><div class="content-icon-container">
<img src="pencil.png"></div><article role="main" id="furo-main-content"><section id="t">{SECTION}</section></article>
</div><footer><div class="related-pages"><p>Next</p></div></footer></div><aside class="toc-drawer"><p>On this page</p>
</aside></div></div>""",
    "pydata_sphinx_theme": f"""<header class="bd-header navbar" id="pst-header"><a class="navbar-brand logo">
<img class="logo__image only-light" src="logo.png"></a></header><div class="bd-container"><main id="main-content"
class="bd-main" role="main"><div class="bd-content"><div class="bd-article-container"><div class="bd-header-article">
<p>Breadcrumb</p></div><div id="searchbox"></div><article class="bd-article"><section id="t">{SECTION}</section>
</article><footer class="prev-next-footer"><p>previous</p></footer></div><div class="bd-sidebar-secondary">
<img src="side.png"></div></div></main></div>""",
    "sphinx_book_theme": f"""<div class="bd-sidebar-primary bd-sidebar"><a class="navbar-brand logo">
<img class="logo__image" src="logo.png"></a></div><main id="main-content" class="bd-main" role="main">
<div class="bd-content"><div class="bd-article-container"><div class="bd-header-article"><img src="launch.png"></div>
<div id="jb-print-docs-body" class="onlyprint"><h1>Print me</h1><div id="print-main-content"></div></div>
<article class="bd-article"><section class="tex2jax_ignore mathjax_ignore" id="t">{SECTION}</section></article>
</div></div></main>""",
    "alabaster": f"""<div class="document"><div class="documentwrapper"><div class="bodywrapper"><div class="body"
role="main"><section id="t">{SECTION}</section></div></div></div><div class="sphinxsidebar" role="navigation"
aria-label="Main"><div class="sphinxsidebarwrapper"><p class="logo"><a><img class="logo" src="logo.png"></a>
<h1 class="logo">Project</h1></p></div></div></div>""",
    "Docusaurus": f"""<main><div class="theme-doc-version-banner">unreleased</div><article><nav aria-label="Breadcrumbs">
Docs</nav><span class="theme-doc-version-badge">Version: 2.0</span><p>On this page</p><div class="theme-doc-markdown
markdown">{SECTION}</div></article><div><img src=ad.png></div></main>""",
    "Documenter": f"""<div id="documenter"><header><nav></nav></header><article class="content" id="documenter-page">
{SECTION}<article><section></section></article></article><div class="modal"><p>generated on <img src=date.png></p></div>
</div>""",
    "main": f"<header><h1>Site</h1><img src=logo.png></header><main>{SECTION}</main><article><p>No</p></article>",
    "article": f"<div><h1>Site</h1></div><article><header></header>{SECTION}</article>"
    "<aside><article><img src=other.png></article></aside>",
    "main in a footer": f"<footer><div role=main><h1>No</h1></div></footer><div role=main>{SECTION}</div>",
    "body": f"<header><h1>Site</h1></header><div role=banner><p>No</p></div>{SECTION}<footer><p>End</p></footer>",
}
EXPECTED = Content(
    title="Title",
    head_title="Title - Site",
    description="What it is about",
    summary="The first paragraph.",
    images=(f"{PAGE}a.png",),
    videos=(FoundVideo(title="Film", player_loc="https://player.vimeo.com/video/76979871"),),
)
HEAD = '<title>Title - Site</title><meta name="description" content="What it is\nabout"><meta name="generator">'


@pytest.mark.parametrize("theme", THEMES)
def test_the_content_of_each_theme(theme: str) -> None:
    assert read_content(f"<!doctype html><head>{HEAD}</head>{THEMES[theme]}", PAGE) == EXPECTED


@pytest.mark.parametrize(
    ("selector", "title"),
    [
        (None, "Main"),
        ("div.a > .b", "Mine"),
        ("nav", "Menu"),
        ("html", "Main"),
        ("#none", "Main"),
        ("a[[", "Main"),
        ("\ud800", "Main"),
    ],
)
def test_an_author_can_select_the_content(selector: str | None, title: str) -> None:
    html = "<nav><h1>Menu</h1></nav><header><h1>Site</h1></header><main><h1>Main</h1></main><div class=a><div class=b id=mine><h1>Mine</h1>"
    assert read_content(html, PAGE, selector).title == title


@pytest.mark.parametrize(
    ("head", "html", "title"),
    [
        ("", "", ""),
        ("<title>Head</title>", "<h1><img alt=Logo src=a.png></h1><h1>Second</h1>", "Second"),
        ("<title>Head</title>", "<h1> </h1>", ""),
        ("<title>Head</title>", "<nav><h1>Menu</h1></nav>", ""),
        ("", "<h1>A<br>b <code>c</code><sup>2</sup></h1>", "A b c2"),
        ("", "<h1>A <!-- no --><script>no</script><svg><title>no</title></svg>b</h1>", "A b"),
        ("", "<h1>A <a class='headerlink'>#</a></h1>", "A"),
        ("", "<h1>A <a class='permalink'>¶</a></h1>", "A"),
        ("", "<h1>" + "<i></i>" * 5000 + "A</h1><h1>B</h1>", "B"),
        ("", f"<h1>{'x' * 9000}</h1>", "x" * 2048),
    ],
)
def test_titles(head: str, html: str, title: str) -> None:
    assert read_content(f"<head>{head}</head><main>{html}</main>", PAGE).title == title


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title></title>", ""),
        ("<title>\n A\t&amp; B </title>", "A & B"),
        ("<title></title><title>Head</title>", "Head"),
        ("<title>A <b>c</title>", "A <b>c"),
    ],
)
def test_the_title_element_is_kept_apart_from_the_heading(head: str, title: str) -> None:
    content = read_content(f"<head>{head}</head><main><h1>Heading</h1></main>", PAGE)
    assert (content.title, content.head_title) == ("Heading", title)


@pytest.mark.parametrize(
    ("head", "description"),
    [
        ('<meta name="Description" content=" A  b ">', "A b"),
        ('<meta name="description"><meta name="description" content="B">', "B"),
        ('<meta property="og:description" content="A">', ""),
    ],
)
def test_descriptions(head: str, description: str) -> None:
    assert read_content(f"<head>{head}</head><p>x", PAGE).description == description


@pytest.mark.parametrize(
    ("html", "summary"),
    [
        ("<p>A\nb.</p><p>C.</p>", "A b."),
        ("<p></p><p><img src=a.png></p><p>…</p><p>A.</p>", "A."),
        ("<div class=admonition><p class=admonition-title>Note</p><p>No.</p></div><p>A.</p>", "A."),
        ("<table><tr><td><p>No.</td></tr></table><ul><li><p>No.</p></li></ul><p>A.</p>", "A."),
        ("<figure><figcaption><p>No.</p></figcaption></figure><p>A.</p>", "A."),
        ("<div class=versionadded><p>No.</p></div><p class=rubric>No</p><p>A.</p>", "A."),
        ("<nav><p>No.</p></nav><ul><li><p>A.</p></li><li><p>B.</p></li></ul>", "A."),
        ("<section><aside class=topic><p>A.</p></aside></section><aside class=sidebar><p>No.</p></aside>", "A."),
        ("<p>As used by:</p><p>A.</p>", "A."),
        ("<p>As used by:</p>", "As used by:"),
        ("<p>/// note</p><p>{% if %}</p><p>!!! tip</p><p>A.</p>", "A."),
        ("<p>A<sup><a class='footnote-ref'>1</a></sup> <a class='footnote-reference brackets'>[2]</a>b.</p>", "A b."),
        ("<p>" + "word " * 59 + "word.</p>", "word " * 59 + "word."),
        ("<p>" + "word, " * 60 + "</p>", ("word, " * 50)[:-2] + "…"),
        ("<p>" + "語" * 400 + "</p>", "語" * 299 + "…"),
        ("<p>A " + "語" * 400 + "</p>", "A " + "語" * 297 + "…"),
        ("<div>A.</div>", ""),
    ],
)
def test_summaries(html: str, summary: str) -> None:
    assert read_content(f"<main>{html}</main>", PAGE).summary == summary
    assert len(summary) <= SUMMARY_LENGTH


@pytest.mark.parametrize(
    ("html", "damaged"),
    [
        ("<h1>A</h1><p>B", ()),
        ("<title>\x0eA\x85</title><h1>A</h1><p>B", ()),  # rarely shown
        ("<h1>A&#x1b;</h1><p>B", ("title",)),
        ("<h1>A</h1><p>\x1cB\x7f", ("summary",)),
        (
            "<title>A</title><meta name=description content='\x0bC'><h1>\x0eA\x85</h1><p>B\ufffe",
            ("title", "description", "summary"),
        ),
    ],
)
def test_control_characters_are_removed_and_reported(html: str, damaged: tuple[str, ...]) -> None:
    content = read_content(html, PAGE)
    assert content.damaged == damaged
    assert (content.title, content.summary) == ("A", "B")
    assert content.head_title in {"", "A"}
    assert content.description in {"", "C"}


# docutils writes asides of the author like this; the sidebar of a theme is not a direct child of a section.
@pytest.mark.parametrize(
    ("html", "is_listed"),
    [
        ("<section><aside class='sidebar'><img src=a.png></aside></section>", True),
        ("<section><aside class='topic'><p><img src=a.png></p></aside></section>", True),
        ("<div><aside class='sidebar'><img src=a.png></aside></div>", False),
        ("<section><aside><img src=a.png></aside></section>", False),
    ],
)
def test_asides(html: str, is_listed: bool) -> None:
    assert bool(read_content(f"<main>{html}</main>", PAGE).images) is is_listed


def test_several_articles_are_not_the_content() -> None:
    html = "<h1>Blog</h1><article><h1>One</h1><img src=a.png></article><article><img src=b.png></article>"
    assert read_content(html, PAGE) == Content(title="Blog", images=(f"{PAGE}a.png", f"{PAGE}b.png"))


def test_a_page_of_frames_has_no_content() -> None:
    html = "<head><title>Frames</title><frameset><frame src=a.html></frameset>"
    assert read_content(html, PAGE) == Content(head_title="Frames")


@pytest.mark.parametrize(
    ("html", "number"),
    [
        ("<img src=a.png>", 0),
        ("<img>", 1),
        ("<img src><img src=''><img alt=A>", 3),
        ("<nav><img></nav><footer><img></footer>", 0),
        ("<img data-src=a.png><img srcset='a.png 2x'><picture><source srcset=a.png><img></picture>", 0),
    ],
)
def test_pictures_of_the_content_without_a_url_are_counted(html: str, number: int) -> None:
    assert read_content(f"<main>{html}</main>", PAGE).images_without_address == number


def check(content: Content) -> None:
    for text in (content.title, content.head_title, content.description, content.summary):
        assert not CONTROL.search(text)
        assert text == text.strip()
    assert len(content.summary) <= SUMMARY_LENGTH
    assert len(set(content.images)) == len(content.images)
    assert [video for video in content.videos if not (video.content_loc or video.player_loc)] == []
    for url in (*content.images, *(video.content_loc or video.player_loc or "" for video in content.videos)):
        assert url.startswith(("http://", "https://"))
        assert "#" not in url


@given(st.text(), st.none() | st.text())
def test_any_text_is_read(text: str, selector: str | None) -> None:
    check(read_content(text, PAGE, selector))


TAGS = (
    "main article body h1 p img picture source figure figcaption iframe video noscript template svg table frameset nav"
)
NAMES = "src srcset data-src poster alt class id role title width style href type itemprop"
VALUES = (
    "",
    "a.png",
    "//[",
    "data:,x",
    "a 2x, b",
    "https://youtu.be/dQw4w9WgXcQ",
    "main",
    "md-content__inner",
    "avatar",
    "width:1px",
    "\x00",
    "\ud800",
    "\u0661",
    "²",
)
ATTRIBUTE = st.builds("{}='{}'".format, st.sampled_from(NAMES.split()), st.sampled_from(VALUES) | st.text(max_size=5))
TAG = st.builds("<{}{} {}>".format, st.sampled_from(["", "", "/"]), st.sampled_from(TAGS.split()), ATTRIBUTE)
LD = '<script type="application/ld+json">{"@type":"VideoObject","embedUrl":%s}</script>'
JSON = st.sampled_from(["5", "[[]]", "{}", '"a"', '["//["]', '{"url":"/a"}', "null]"]).map(LD.__mod__)


@given(st.lists(TAG | JSON | st.text(max_size=5), max_size=40).map("".join))
def test_any_markup_is_read(html: str) -> None:
    check(read_content(html, PAGE))


BIG = 20_000


@pytest.mark.parametrize(
    "html",
    [
        pytest.param("<img src=a.png>" * BIG, id="images"),
        pytest.param("<p>" * BIG, id="paragraphs"),
        pytest.param("<h1>" * BIG, id="headings"),
        pytest.param(f"<h1>{'a ' * BIG}", id="a long heading"),
        pytest.param("<figure>" + "<video src=a></video>" * BIG, id="a figure full of videos"),
        pytest.param("<picture>" + "<source srcset=data:,>" * BIG + "<img>" * 2000, id="a picture full of sources"),
        pytest.param("<video>" + "<source>" * BIG, id="a video full of sources"),
        pytest.param("<main>" + "<article></article>" * BIG, id="articles"),
        pytest.param("<span>" * BIG + "<img src=a.png>" * BIG, id="deep images"),
        pytest.param("<span role=navigation><img src=a.png>" * BIG, id="nested navigation"),
        pytest.param("<noscript>" * 2000 + "<img src=a.png>" * BIG, id="nested noscript"),
        pytest.param("<p><object>" * 2000, id="nested paragraphs"),
        pytest.param("<h1><object>" * 2000 + "<video src=a>", id="nested headings"),
        pytest.param(f'<img srcset="{", " * BIG}">', id="commas"),
        pytest.param(f'<img srcset="{"a 1x," * BIG}">', id="candidates"),
        pytest.param(f'<img style="{";width " * BIG}">', id="style"),
        pytest.param(f'<img width="{"9" * BIG}" src="{"../" * BIG}x">', id="numbers and dots"),
        pytest.param(f'<img src="//{"a." * BIG}x">', id="a long host"),
        pytest.param(f'<iframe src="https://youtu.be/watch?{"&" * BIG}">', id="a long query"),
        pytest.param(LD % ('[{"VideoObject":' * 400 + "1" + "}]" * 400), id="nested data"),
        pytest.param(LD % ("[" + '{"@type":"VideoObject"},' * BIG + "{}]"), id="much data"),
    ],
)
def test_large_hostile_pages_are_read(html: str) -> None:
    check(read_content(html, PAGE))


def page(title: str = "", content: Content | None = None, description: object = None) -> Page:
    return Page(
        loc="https://example.org/a/",
        name="a.md",
        title=title,
        content=content,
        front_matter={"description": description} if description is not None else {},
    )


@pytest.mark.parametrize(
    ("title", "content", "expected"),
    [
        pytest.param("Host", Content(title="Heading", head_title="Head - Site"), "Heading", id="the heading first"),
        pytest.param("Host", Content(head_title="Head - Site"), "Host", id="then the title of the host"),
        pytest.param("", Content(head_title="Head - Site"), "Head - Site", id="then the title element"),
        pytest.param("Host", Content(title=" \x1f\n", head_title="Head"), "Host", id="an empty heading"),
        pytest.param("Host", None, "Host", id="a page that was not read"),
        pytest.param("", None, "", id="no title"),
        pytest.param(" A\n title ", None, "A title", id="on one line"),
    ],
)
def test_the_title_is_the_one_nearest_to_the_text(title: str, content: Content | None, expected: str) -> None:
    assert title_of(page(title, content)) == expected


FULL = Content(title="Heading", description="Of the head.", summary="It begins.")


@pytest.mark.parametrize(
    ("written", "content", "shared", "expected"),
    [
        pytest.param("Of the author.", FULL, (), "Of the author.", id="the author first"),
        pytest.param(
            "Of the head.", FULL, {"Of the head."}, "Of the head.", id="the author, even if the head has the same text"
        ),
        pytest.param(" Of\n it ", None, (), "Of it", id="the author of a page that was not read"),
        pytest.param(None, FULL, (), "Of the head.", id="then the head"),
        pytest.param(None, FULL, {"Of the head."}, "It begins.", id="a head with the text of the whole site"),
        pytest.param(None, Content(description=" \x00", summary="It begins."), (), "It begins.", id="then the summary"),
        pytest.param(None, None, (), "", id="no description"),
        *(
            pytest.param(each, FULL, (), "Of the head.", id=f"not text: {each!r}")
            for each in ("", " \n", "\x00", 5, True, ["a"], {"a": "b"}, b"a")
        ),
    ],
)
def test_the_description_is_specific_to_the_page(
    written: object, content: Content | None, shared: Container[str], expected: str
) -> None:
    assert description_of(page(content=content, description=written), shared) == expected


@given(st.builds(Content, title=st.text(), head_title=st.text(), description=st.text(), summary=st.text()), st.text())
def test_texts_are_on_one_line_and_can_be_written(content: Content, written: str) -> None:
    """SM-XML-05."""
    for text in (title_of(page(written, content)), description_of(page(content=content, description=written))):
        assert len(text.splitlines()) <= 1
        assert not CONTROL.search(text)
