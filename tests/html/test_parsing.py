"""Pages are parsed completely, except if that would take time quadratic in their length."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from sitemap_plugins import Markup, Page, Settings, Site, build
from sitemap_plugins.html.content import read_content
from sitemap_plugins.html.head import read_markup
from sitemap_plugins.html.parsing import parse

URL = "https://docs.example.org/a/"
SECTION = (
    '<section id="a"><h2>A <a class="headerlink" href="#a">¶</a></h2><p>See <code class="docutils"><span class="pre">b</span>'
    '</code> and <em>c</em>,<br>or <img src="d.png" alt="a > b">.</p><ul><li><p>e</p><li>f</ul><table><tr><td>g<td>h</table>'
    '<div class="highlight"><pre><span></span><span class="k">if</span> i:</pre></div><svg><path d="M0"/></svg></section>'
)
EXAMPLE = (
    '<div class="code"><p data-v-1>An example:</p><pre><code>a <b hidden>b</b></code></pre><button title="Copy > paste" data-code="<p>'
    'a</p>"><svg viewBox="0 0 9 9"><g><path d="M0"/></g></svg></button><p><input type=checkbox checked> c<wbr>d</p></div>'
)
MANY = 5000

TAGS = """
<div> </div> <p> </p> <b> </b> <i> </i> <a> </a> <font> </font> <nobr> <span> </span> <table> </table> <tr>
<td> </td> <caption> <select> </select> <option> <svg> </svg> <g> <g/> <math> <mi> <foreignObject>
</foreignObject> <desc> <title> </title> <template> </template> <form> </form> <button> </button> <object>
</object> <ul> <li> </ul> <dd> <h1> </h1> <body> <html> <frameset> <script> </script> <textarea> </textarea>
<noscript> </noscript> <ruby> <rt> <br> <img> </x> x <!----> <!--</div>--> <![CDATA[>]]>
"""
SOUP = st.lists(st.sampled_from(TAGS.split()), min_size=1, max_size=9).map("".join)


def tree_of(document: LexborHTMLParser) -> tuple[int, int]:
    """The depth of the tree and the number of its nodes."""
    deepest = number = 0
    waiting = [(document.root, 1)]
    while waiting:
        node, depth = waiting.pop()
        number += 1
        deepest = max(deepest, depth)
        child = node.child if node is not None else None
        while child is not None:
            waiting.append((child, depth + 1))
            child = child.next
    return deepest, number


@pytest.mark.parametrize("section", [SECTION, EXAMPLE])
def test_a_long_ordinary_page_is_parsed_completely(section: str) -> None:
    html = f"<!doctype html><title>t</title><main>{section * 2000}<p id=last>z"
    document, cut = parse(html)
    assert not cut
    assert document.css_first("#last") is not None


@pytest.mark.parametrize(
    "mistakes",
    [
        pytest.param("<p><strong>a</p>" * 60, id="fonts that are never closed"),
        pytest.param(f"<script>'</b> a <1 {'b' * 200_000}'</script>", id="text in a script"),
    ],
)
def test_a_long_page_with_mistakes_that_cost_little_is_parsed_completely(mistakes: str) -> None:
    assert not parse(f"<main>{mistakes}{'<p>b</p>' * 6000}").cut


OPEN = "too many of its tags are unusual or not closed"


@pytest.mark.parametrize(
    ("html", "reason"),
    [
        pytest.param("<div>" * MANY, OPEN, id="nested"),
        pytest.param("".join(f"<p a{number:x}>" for number in range(40 * MANY)), "it has more than 30,000", id="names"),
        pytest.param("".join(f"<b id={number}>" for number in range(200)) + "</p><p>x</p>" * MANY, OPEN, id="fonts"),
        pytest.param(
            "".join(f"<b id= {number}>" for number in range(200)) + "</p><p>x</p>" * MANY, OPEN, id="unusual fonts"
        ),
        pytest.param("<div>" * MANY + "<script><!--<script></script>", OPEN, id="nested before"),
        pytest.param("<div>" * MANY + "<!--" + "</div>" * MANY + "-->", OPEN, id="closed in a comment"),
        pytest.param(f"{'<div>' * MANY}<title>{'</div>' * MANY}</title>", OPEN, id="closed in a title"),
        pytest.param(
            f'{"<div>" * MANY}<title><x a="</title><!--"></x></title>{"</div>" * MANY}-->', OPEN, id="closed in a value"
        ),
        pytest.param('<!-- <p title="--><div>">x</p>' * MANY, OPEN, id="in a value"),
        pytest.param(f"<!-- <p title=\"--><b c='>{'<div>' * MANY}'>\">x</p>", OPEN, id="many in a value"),
        pytest.param("<div>-<!-- -<b></b>-> </div>-->" * MANY, OPEN, id="comments that seem to end"),
        pytest.param("<div\xa0a='b'></div>" * MANY, OPEN, id="a space that is part of a name"),
        pytest.param("<div>" + "<lin\u212a>" * MANY + "</div>", OPEN, id="a letter that only looks like one of a name"),
        pytest.param("<svg>" + "<link>" * MANY + "</svg>", OPEN, id="open in svg only"),
        pytest.param("<svg><!--<g>--></svg>" + "<wbr>" * MANY, OPEN, id="after svg that may be open"),
        pytest.param(f"<div {'a ' * 100 * MANY}></div>", OPEN, id="attributes"),
        pytest.param("<g><div/></g>" * MANY, OPEN, id="closed in svg only"),
        pytest.param("<x a='<b></b>' " + 'a=">" ' * 8 * MANY + ">", OPEN, id="attributes after a value"),
    ],
)
def test_only_the_beginning_is_parsed_of_a_page_that_might_take_too_long(html: str, reason: str) -> None:
    content = read_content(f"<main><h1>A title</h1><img src=a.png>{html}<img src=b.png>", URL)
    assert content.cut.startswith("up to character ")
    assert f" only, because {reason}" in content.cut
    assert (content.title, content.images) == ("A title", (f"{URL}a.png",))


def test_the_head_before_that_place_is_read() -> None:
    markup = read_markup(f"<link rel=canonical href=b><meta name=robots content=noindex>{'<div>' * MANY}")
    assert (markup.canonicals, markup.robots) == (("b",), {"noindex"})
    assert markup.cut


LONG_BODY = "<p>a <b>b</b>" * 20_000


@pytest.mark.parametrize(
    "tag", ["<meta name=a content=b>", "<LINK rel=me href=b>", "<script></script>", "<style></style>"]
)
@pytest.mark.parametrize("end", ["</head><body>", "", "<!-- </head> --><body>"])
def test_a_head_of_too_many_elements_is_cut(tag: str, end: str) -> None:
    page = f"<head><meta name=robots content=noindex>{{}}<link rel=canonical href=b>{end}"
    few, many = (read_markup(page.format(tag * number)) for number in (19_990, 20_001))
    assert (few.robots, few.canonicals, few.cut) == ({"noindex"}, ("b",), "")
    assert (many.robots, many.canonicals) == ({"noindex"}, ())
    assert " only, because it has more than 20,000 elements such as meta and script" in many.cut


@pytest.mark.parametrize("head", ["<head><link rel=canonical href=b></head><body>", "<link rel=canonical href=b>"])
def test_a_long_body_is_no_long_head(head: str) -> None:
    markup = read_markup(f"{head}{LONG_BODY}<pre><body ")
    assert (markup.canonicals, markup.cut) == (("b",), "")


def test_a_partly_parsed_page_is_listed_and_noted() -> None:
    cut = "up to character 9 only, because elements there are nested more than 512 deep"
    result = build(
        Site(base_url="https://docs.example.org/"), [Page(loc=URL, name="a.md", markup=Markup(cut=cut))], Settings()
    )
    note = next(note for note in result.notes if note.kind == "partly-read")
    assert note.page == "a.md"
    assert note.message == f"the page was parsed {cut}; it is listed, and what follows is ignored"
    assert [entry.loc for entry in result.sitemaps[0].entries] == [URL]


@given(begin=SOUP, middle=SOUP, end=SOUP)
def test_no_page_gives_a_deep_or_huge_tree(begin: str, middle: str, end: str) -> None:
    html = begin * 700 + middle * 700 + end * 700
    deepest, number = tree_of(parse(html).document)
    # For one start tag, the parser may create three elements, such as the body and row of a table.
    assert deepest * html.count("<") <= 4 * 16_000_000
    assert number <= 4 * html.count("<") + 500_000
