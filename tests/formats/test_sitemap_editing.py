"""The hreflang links of a sitemap are replaced without changing any other byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from msgspec import structs

from sitemap_plugins.formats.sitemap_editing import replace_alternates
from sitemap_plugins.formats.sitemap_reading import SitemapError, read_sitemap
from sitemap_plugins.formats.sitemap_xml import SitemapWriter, Style
from sitemap_plugins.model import Alternate, Entry

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
LOC = "https://example.org/"
EN = Alternate(hreflang="en", href=LOC)
FR = Alternate(hreflang="fr", href=f"{LOC}fr/")
DE = Alternate(hreflang="de", href=f"{LOC}de/")
OPEN = f'<urlset xmlns="{NAMESPACE}">'
OPEN_XHTML = f'<urlset xmlns="{NAMESPACE}" xmlns:xhtml="{XHTML}">'
EN_LINK = f'<xhtml:link rel="alternate" hreflang="en" href="{LOC}"/>'
FR_LINK = f'<xhtml:link rel="alternate" hreflang="fr" href="{LOC}fr/"/>'
DE_LINK = f'<xhtml:link rel="alternate" hreflang="de" href="{LOC}de/"/>'
MEDIA_LINK = f'<xhtml:link rel="alternate" media="only screen" href="{LOC}m/"/>'

Alternates = dict[str, tuple[Alternate, ...]]


def edit(xml: str, alternates: Alternates) -> str:
    """The edited file. A second edit changes nothing."""
    edited = replace_alternates(xml.encode(), alternates)
    assert replace_alternates(edited, alternates) == edited
    return edited.decode()


def refusal(content: bytes, alternates: Alternates | None = None) -> str:
    with pytest.raises(SitemapError) as error:
        replace_alternates(content, {} if alternates is None else alternates)
    return str(error.value)


def render(listed: Sequence[Entry], indent: int) -> str:
    return b"".join(SitemapWriter(Style(indent=indent)).render(listed)).decode()


# Sitemaps before and after, with an English and a French version of the page at LOC.
SHAPES = {
    "MkDocs": (
        f"""<?xml version="1.0" encoding="UTF-8"?>
{OPEN}
    <url>
         <loc>{LOC}</loc>
         <lastmod>2026-03-01</lastmod>
    </url>
    <url>
         <loc>{LOC}a/</loc>
{"         "}
    </url>
</urlset>""",
        f"""<?xml version="1.0" encoding="UTF-8"?>
{OPEN_XHTML}
    <url>
         <loc>{LOC}</loc>
         <lastmod>2026-03-01</lastmod>
         {EN_LINK}
         {FR_LINK}
    </url>
    <url>
         <loc>{LOC}a/</loc>
{"         "}
    </url>
</urlset>""",
    ),
    "MkDocs without a date": (
        f"""{OPEN}
    <url>
         <loc>{LOC}</loc>
{"         "}
    </url>
</urlset>""",
        f"""{OPEN_XHTML}
    <url>
         <loc>{LOC}</loc>
         {EN_LINK}
         {FR_LINK}
{"         "}
    </url>
</urlset>""",
    ),
    "mkdocs-static-i18n": (
        f"""<?xml version="1.0" encoding="UTF-8"?>
{OPEN_XHTML}
    <url>
        <loc>{LOC}</loc>
        <lastmod>2026-03-01</lastmod>
        <changefreq>daily</changefreq>
        {EN_LINK}
        {DE_LINK}
    </url>
    <url>
        <loc>{LOC}de/</loc>
        <lastmod>2026-03-01</lastmod>
        <changefreq>daily</changefreq>
        {EN_LINK}
        {DE_LINK}
    </url>
</urlset>
""",
        f"""<?xml version="1.0" encoding="UTF-8"?>
{OPEN_XHTML}
    <url>
        <loc>{LOC}</loc>
        <lastmod>2026-03-01</lastmod>
        <changefreq>daily</changefreq>
        {EN_LINK}
        {FR_LINK}
    </url>
    <url>
        <loc>{LOC}de/</loc>
        <lastmod>2026-03-01</lastmod>
        <changefreq>daily</changefreq>
        {EN_LINK}
        {DE_LINK}
    </url>
</urlset>
""",
    ),
    "sphinx-sitemap": (
        f"""<?xml version='1.0' encoding='utf-8'?>
<urlset xmlns:xhtml="{XHTML}" xmlns="{NAMESPACE}"><url><loc>{LOC}</loc><lastmod>2026-03-01T09:00:00Z</lastmod><xhtml:link rel="alternate" hreflang="de" href="{LOC}de/" /></url><url><loc>{LOC}a/</loc></url></urlset>""",
        f"""<?xml version='1.0' encoding='utf-8'?>
<urlset xmlns:xhtml="{XHTML}" xmlns="{NAMESPACE}"><url><loc>{LOC}</loc><lastmod>2026-03-01T09:00:00Z</lastmod>{EN_LINK}{FR_LINK}</url><url><loc>{LOC}a/</loc></url></urlset>""",
    ),
    "sphinx-sitemap with one language": (
        f"""<?xml version='1.0' encoding='utf-8'?>\n{OPEN}<url><loc>{LOC}</loc></url></urlset>""",
        f"""<?xml version='1.0' encoding='utf-8'?>\n{OPEN_XHTML}<url><loc>{LOC}</loc>{EN_LINK}{FR_LINK}</url></urlset>""",
    ),
    "sphinx-sitemap, indented": (
        f"""<?xml version='1.0' encoding='utf-8'?>
<urlset xmlns:xhtml="{XHTML}" xmlns="{NAMESPACE}">
  <url>
    <loc>{LOC}</loc>
    <xhtml:link rel="alternate" hreflang="de" href="{LOC}de/" />
  </url>
</urlset>""",
        f"""<?xml version='1.0' encoding='utf-8'?>
<urlset xmlns:xhtml="{XHTML}" xmlns="{NAMESPACE}">
  <url>
    <loc>{LOC}</loc>
    {EN_LINK}
    {FR_LINK}
  </url>
</urlset>""",
    ),
    "a plugin for WordPress": (
        f"""<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="//example.org/main-sitemap.xsl"?>
<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
    xsi:schemaLocation="{NAMESPACE} {NAMESPACE}/sitemap.xsd" xmlns="{NAMESPACE}"
>
	<url>
		<loc>{LOC}</loc>
		<lastmod>2026-03-01T09:00:00+02:00</lastmod>
		<image:image>
			<image:loc>{LOC}picture.png</image:loc>
		</image:image>
	</url>
</urlset>
<!-- XML Sitemap generated by a plugin -->""",
        f"""<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="//example.org/main-sitemap.xsl"?>
<urlset xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
    xsi:schemaLocation="{NAMESPACE} {NAMESPACE}/sitemap.xsd" xmlns="{NAMESPACE}" xmlns:xhtml="{XHTML}"
>
	<url>
		<loc>{LOC}</loc>
		<lastmod>2026-03-01T09:00:00+02:00</lastmod>
		{EN_LINK}
		{FR_LINK}
		<image:image>
			<image:loc>{LOC}picture.png</image:loc>
		</image:image>
	</url>
</urlset>
<!-- XML Sitemap generated by a plugin -->""",
    ),
    "Docusaurus": (
        f"""<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{NAMESPACE}" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="{XHTML}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>{LOC}</loc><changefreq>weekly</changefreq><priority>0.5</priority>{DE_LINK}</url></urlset>""",
        f"""<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="{NAMESPACE}" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="{XHTML}" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>{LOC}</loc><changefreq>weekly</changefreq><priority>0.5</priority>{EN_LINK}{FR_LINK}</url></urlset>""",
    ),
    "Jekyll, without indentation": (
        f"{OPEN}\n<url>\n<loc>{LOC}</loc>\n</url>\n</urlset>\n",
        f"{OPEN_XHTML}\n<url>\n<loc>{LOC}</loc>\n{EN_LINK}\n{FR_LINK}\n</url>\n</urlset>\n",
    ),
    "prefixed": (
        f"""<s:urlset xmlns:s='{NAMESPACE}'>
  <s:url>
    <s:loc>{LOC}</s:loc>
  </s:url>
</s:urlset >""",
        f"""<s:urlset xmlns:s='{NAMESPACE}' xmlns:xhtml="{XHTML}">
  <s:url>
    <s:loc>{LOC}</s:loc>
    {EN_LINK}
    {FR_LINK}
  </s:url>
</s:urlset >""",
    ),
}


@pytest.mark.parametrize(("before", "after"), SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_sitemaps_of_any_origin(before: str, after: str, line_end: str, mark: str) -> None:
    before, after = (mark + xml.replace("\n", line_end) for xml in (before, after))
    assert edit(before, {LOC: (EN, FR)}) == after
    assert edit(before, {f"{LOC}elsewhere/": (EN, FR)}) == before
    assert edit(before, {}) == before
    assert edit(after, {LOC: (EN, FR)}) == after
    if "hreflang" not in before:
        # The declaration is kept.
        assert edit(after, {LOC: ()}) == before.replace(root_tag(before), root_tag(after))


def root_tag(xml: str) -> str:
    return re.findall(r"<(?:s:)?urlset[^>]*>", xml)[0]


def url(children: str, root: str = OPEN_XHTML) -> str:
    return f"{root}<url>{children}</url></urlset>"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            f"<loc>{LOC}</loc>{DE_LINK}<priority>1</priority>",
            f"<loc>{LOC}</loc><priority>1</priority>{FR_LINK}",
            id="links before a field",
        ),
        pytest.param(
            f"\n {DE_LINK}\n <loc>{LOC}</loc>\n", f"\n <loc>{LOC}</loc>\n {FR_LINK}\n", id="links before the loc"
        ),
        pytest.param(
            f"<loc>{LOC}</loc><image:image xmlns:image='i'/>{DE_LINK}<lastmod/>",
            f"<loc>{LOC}</loc><image:image xmlns:image='i'/><lastmod/>{FR_LINK}",
            id="an empty field is a field in any place",
        ),
        pytest.param(
            f"<loc>{LOC}</loc>{DE_LINK}{MEDIA_LINK}{EN_LINK}",
            f"<loc>{LOC}</loc>{FR_LINK}{MEDIA_LINK}",
            id="a link without a language is kept",
        ),
        pytest.param(
            f"<loc>{LOC}</loc> <!-- German --> {DE_LINK} <!-- end --> ",
            f"<loc>{LOC}</loc>{FR_LINK} <!-- German --> <!-- end --> ",
            id="comments are kept",
        ),
        pytest.param(
            f"<!-- {DE_LINK} --><loc>{LOC}</loc><![CDATA[ {DE_LINK} ]]>{DE_LINK}<?pi {DE_LINK}?>",
            f"<!-- {DE_LINK} --><loc>{LOC}</loc>{FR_LINK}<![CDATA[ {DE_LINK} ]]><?pi {DE_LINK}?>",
            id="text that looks like a link is kept",
        ),
        pytest.param(
            f"<loc>{LOC}</loc>&#10; text \t{DE_LINK}&#32;{DE_LINK} text",
            f"<loc>{LOC}</loc>{FR_LINK}&#10; text&#32; text",
            id="stray text is kept",
        ),
        pytest.param(
            f"<loc>{LOC}</loc><x:link xmlns:x='{XHTML}' rel='alternate' hreflang='de' href='{LOC}?a>b&lt;/&apos;'></x:link\n>",
            f"<loc>{LOC}</loc>{FR_LINK}",
            id="a link in another notation",
        ),
        pytest.param(
            f"<loc>{LOC}</loc><xhtml:link rel='alternate' hreflang='de' href=\"'>'\" > <b/><url><loc>x</loc></url></xhtml:link>",
            f"<loc>{LOC}</loc>{FR_LINK}",
            id="a link with content",
        ),
        pytest.param(
            f"<loc>{LOC}</loc><xhtml:link rel='alternate' hreflang='fr'/>",
            f"<loc>{LOC}</loc>{FR_LINK}",
            id="a link without a URL",
        ),
        pytest.param(
            f"<loc>{LOC}</loc><xhtml:p>{DE_LINK}</xhtml:p>",
            f"<loc>{LOC}</loc>{FR_LINK}<xhtml:p>{DE_LINK}</xhtml:p>",
            id="a link in another element is kept",
        ),
        pytest.param(
            f"<loc>{LOC}</loc><loc>{LOC}a/</loc>",
            f"<loc>{LOC}</loc><loc>{LOC}a/</loc>{FR_LINK}",
            id="the first of two locs counts",
        ),
        pytest.param(
            f"\n  <loc>{LOC}</loc><lastmod>2026</lastmod>\n",
            f"\n  <loc>{LOC}</loc><lastmod>2026</lastmod>\n  {FR_LINK}\n",
            id="fields on one line",
        ),
        pytest.param(
            f"<loc>{LOC}</loc>\n\n\t{DE_LINK}\n", f"<loc>{LOC}</loc>\n\t{FR_LINK}\n", id="only links on their own lines"
        ),
        pytest.param(f"\n\n \n  <loc>{LOC}</loc>\n\n", f"\n\n \n  <loc>{LOC}</loc>\n  {FR_LINK}\n\n", id="blank lines"),
        pytest.param(
            f"\n  <loc\n>\n    {LOC}\n  </loc\n >\n",
            f"\n  <loc\n>\n    {LOC}\n  </loc\n >\n  {FR_LINK}\n",
            id="a loc over several lines",
        ),
        pytest.param(
            "<loc><![CDATA[ https://]]>example<!-- > -->.org&#47;\n</loc>",
            f"<loc><![CDATA[ https://]]>example<!-- > -->.org&#47;\n</loc>{FR_LINK}",
            id="a loc in another notation",
        ),
        pytest.param(
            f"<loc xmlns:a='/loc>'>{LOC}</loc>", f"<loc xmlns:a='/loc>'>{LOC}</loc>{FR_LINK}", id="tags in attributes"
        ),
        pytest.param(f"<loc>{LOC}a/</loc>{DE_LINK}", f"<loc>{LOC}a/</loc>{DE_LINK}", id="another page"),
        pytest.param(f"<loc/><loc>{LOC}</loc>", f"<loc/><loc>{LOC}</loc>", id="an empty loc"),
        pytest.param(DE_LINK, DE_LINK, id="no loc"),
    ],
)
def test_only_the_links_change(before: str, after: str) -> None:
    assert edit(url(before), {LOC: (FR,)}) == url(after)


@pytest.mark.parametrize(
    "links",
    [
        f"{EN_LINK}{FR_LINK}",
        f"\n {EN_LINK} <!-- and --> {FR_LINK}<lastmod>2026</lastmod>",
        f"{EN_LINK}{MEDIA_LINK}<xhtml:link href=' {LOC}f&#114;/' hreflang='fr ' rel='nofollow Alternate'></xhtml:link>",
    ],
)
def test_correct_links_are_unchanged(links: str) -> None:
    xml = url(f"<loc>{LOC}</loc>{links}")
    assert edit(xml, {LOC: (EN, structs.replace(FR, declared=True))}) == xml
    assert edit(xml, {LOC: (FR, EN)}) != xml


def test_links_are_removed_with_the_white_space_before_them() -> None:
    xml = url(f"\n  <loc>{LOC}</loc>\n  {EN_LINK} {FR_LINK}\n\n  {MEDIA_LINK}{DE_LINK}\n")
    assert edit(xml, {LOC: ()}) == url(f"\n  <loc>{LOC}</loc>\n\n  {MEDIA_LINK}\n")


def test_a_page_that_is_listed_twice_has_its_links_twice() -> None:
    xml = f"{OPEN_XHTML}<url><loc>{LOC}</loc></url>\n<url><loc>{LOC}</loc>{DE_LINK}</url></urlset>"
    assert edit(xml, {LOC: (FR,)}) == (
        f"{OPEN_XHTML}<url><loc>{LOC}</loc>{FR_LINK}</url>\n<url><loc>{LOC}</loc>{FR_LINK}</url></urlset>"
    )


@pytest.mark.parametrize(
    "element",
    [f"<page><loc>{LOC}</loc></page>", f"<url xmlns='urn:other'><loc xmlns='{NAMESPACE}'>{LOC}</loc></url>"],
)
def test_elements_other_than_url_are_unchanged(element: str) -> None:
    xml = f"{OPEN}{element}</urlset>"
    assert edit(xml, {LOC: (FR,)}) == xml


@pytest.mark.parametrize(
    ("root", "url_attributes", "new_root", "prefix"),
    [
        pytest.param(f'xmlns:x="{XHTML}"', "", "", "x:", id="bound"),
        pytest.param(f'xmlns:b="{XHTML}" xmlns:a="{XHTML}"', "", "", "b:", id="bound twice"),
        pytest.param(f'xmlns="{XHTML}"', "", "", "", id="the default namespace"),
        pytest.param(f'xmlns="{XHTML}"', 'xmlns=""', f' xmlns:xhtml="{XHTML}"', "xhtml:", id="no default on the url"),
        pytest.param('xmlns:a="a"', "", f' xmlns:xhtml="{XHTML}"', "xhtml:", id="not bound"),
        pytest.param('xmlns:xhtml="a"', "", f' xmlns:xhtml1="{XHTML}"', "xhtml1:", id="bound to something else"),
        pytest.param(
            f'xmlns:xhtml="{XHTML}"',
            'xmlns:xhtml="a" xmlns:xhtml1="b"',
            f' xmlns:xhtml2="{XHTML}"',
            "xhtml2:",
            id="bound to something else on the url",
        ),
        pytest.param(
            'xmlns:a="a"', f'xmlns:xhtml="{XHTML}"', f' xmlns:xhtml="{XHTML}"', "xhtml:", id="bound on the url only"
        ),
    ],
)
def test_the_prefix_is_bound_to_xhtml(root: str, url_attributes: str, new_root: str, prefix: str) -> None:
    page = f"<s:url {url_attributes}><s:loc>{LOC}</s:loc>{{}}</s:url>"
    xml = f'<s:urlset xmlns:s="{NAMESPACE}" {root}{{}} >{page}</s:urlset>'
    edited = edit(xml.format("", ""), {LOC: (FR,)})
    assert edited == xml.format(new_root, FR_LINK.replace("xhtml:", prefix))
    assert read_sitemap(edited.encode()) == (Entry(loc=LOC, alternates=(FR,)),)


@pytest.mark.parametrize("children", [f"<loc>{LOC}</loc>", f"<loc>{LOC}</loc><l:link xmlns:l='{XHTML}'/>"])
def test_the_namespace_is_not_declared_without_a_link(children: str) -> None:
    assert edit(url(children, OPEN), {LOC: ()}) == url(children, OPEN)


def test_inserted_values_are_escaped() -> None:
    hard = Alternate(hreflang="<\"'&>", href=f"{LOC}?a=1&b=\"<'>'&amp;ü")
    edited = edit(url(f"<loc>{LOC}</loc>"), {LOC: (hard,)})
    assert 'hreflang="&lt;&quot;&apos;&amp;&gt;"' in edited
    assert f'href="{LOC}?a=1&amp;b=&quot;&lt;&apos;&gt;&apos;&amp;amp;ü"' in edited
    assert read_sitemap(edited.encode()) == (Entry(loc=LOC, alternates=(hard,)),)


@pytest.mark.parametrize("character", ["\0", "\n", "\x1b", "\ud800", "\uffff"])
def test_characters_that_xml_does_not_allow_are_left_out(character: str) -> None:
    bad = Alternate(hreflang="fr", href=f"{LOC}{character}/")
    message = f"cannot list the alternate 'fr' {bad.href!r}: it has characters that XML does not allow"
    assert refusal(url(f"<loc>{LOC}</loc>").encode(), {LOC: (bad,)}) == message


def test_white_space_around_inserted_values_is_left_out() -> None:
    loose = Alternate(hreflang=" fr\n", href=f"\t{LOC}fr/ ")
    assert edit(url(f"<loc>{LOC}</loc>"), {LOC: (loose,)}) == url(f"<loc>{LOC}</loc>{FR_LINK}")


@pytest.mark.parametrize(
    ("declared", "codec", "message"),
    [
        ("UTF-16", "utf-16", "is encoded as UTF-16; save it as UTF-8"),
        ("UTF-8", "utf-16", "is encoded as UTF-16; save it as UTF-8"),
        ("iso-8859-1", "latin-1", "is encoded as ISO-8859-1; save it as UTF-8"),
        ("iso-8859-1", "utf-8-sig", "is encoded as ISO-8859-1; save it as UTF-8"),
        ("us-ascii", "ascii", "is encoded as US-ASCII; save it as UTF-8"),
        ("utf-8", "latin-1", "is not well-formed XML (line 2, column 78: not well-formed (invalid token))"),
    ],
)
def test_only_utf_8_is_edited(declared: str, codec: str, message: str) -> None:
    loc = LOC if codec == "ascii" else f"{LOC}ü"
    xml = f'<?xml version="1.0" encoding="{declared}"?>\n<urlset xmlns="{NAMESPACE}">{loc}</urlset>'
    assert refusal(xml.encode(codec)) == message.replace("78", str(len(OPEN) + len(LOC) + 1))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x1f\x8b\x08\0", "is compressed with gzip; unpack it first"),
        (b"<html/>", "is not a sitemap: its root element is <html>"),
        (f"<sitemapindex xmlns='{NAMESPACE}'/>".encode(), "is a sitemap index, which lists sitemaps instead of pages"),
        (b"<urlset><url/></urlset>", f"is a sitemap in no namespace, not in {NAMESPACE}"),
        (f"<!DOCTYPE urlset>{OPEN}</urlset>".encode(), "has a DOCTYPE, which is not allowed in a sitemap"),
        (OPEN.encode(), f"is not well-formed XML (line 1, column {len(OPEN) + 1}: it ends too early)"),
    ],
)
def test_everything_but_a_sitemap_is_refused_with_an_explanation(content: bytes, message: str) -> None:
    assert refusal(content, {LOC: (FR,)}) == message


words = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"), min_size=1).filter(
    lambda text: text.strip(" ") == text
)
alternate_lists = st.lists(
    st.builds(Alternate, hreflang=st.sampled_from(("de", "en", "pt-BR", "x-default")), href=words), max_size=3
).map(tuple)
entries = st.builds(
    Entry,
    loc=words,
    changefreq=st.none() | st.just("daily"),
    priority=st.none() | st.just(0.5),
    alternates=alternate_lists,
)


@given(st.lists(entries, max_size=4, unique_by=lambda entry: entry.loc), st.sampled_from((0, 2)), st.booleans())
def test_editing_our_file_gives_the_same_as_writing_it(listed: list[Entry], indent: int, had: bool) -> None:
    plain = [replace(entry, alternates=(EN,) if had else ()) for entry in listed]
    edited = edit(render(plain, indent), {e.loc: e.alternates for e in listed})
    wanted = render(listed, indent)
    if had and listed and not any(entry.alternates for entry in listed):
        wanted = wanted.replace(OPEN, OPEN_XHTML)  # the declaration is kept
    assert edited == wanted


class Child(NamedTuple):
    """A child of a url: markup as any tool may write it, and its kind."""

    markup: str
    kind: str = "other"


OTHERS = (
    *(
        "<!-- a > comment -->",
        "<!--<url><loc>a</loc></url>-->",
        "<?pi <loc>?>",
        "<![CDATA[<loc>b</loc>]]>",
        "text &lt;",
    ),
    *(
        "<i:image><i:loc>a</i:loc></i:image>",
        "<i:news t='&lt;/url>' >x</i:news >",
        "<o:loc xmlns:o='o'>a</o:loc>",
        "<x/>",
    ),
    *(f"<h:link rel='alternate' media='print' href='{LOC}'/>", "<h:link rel='icon' hreflang='de' href='a'/>"),
    *(f"<i:data><link xmlns='{XHTML}' rel='alternate' hreflang='de' href='a'/></i:data>", "<url><loc>a</loc></url>"),
)
OLD_LINKS = (
    f"<h:link rel='alternate' hreflang='de' href='{LOC}de/'/>",
    f'<h:link  href="{LOC}?>" rel="Alternate"\n hreflang="fr" />',
    "<h:link hreflang='en' rel='x alternate' href='a/'></h:link >",
    f"<link xmlns='{XHTML}' rel='alternate' hreflang='en' href='b'>&lt;<!-- </link> --><u/></link>",
    "<h:link rel='alternate' hreflang=''/>",
)
FIELDS = ("<lastmod>2026-01-01</lastmod>", "<changefreq/>", "<priority a='/>'>0.5</priority >", "<lastmod ></lastmod>")
children = st.lists(
    st.sampled_from(
        [Child(markup) for markup in OTHERS]
        + [Child(markup, "link") for markup in OLD_LINKS]
        + [Child(markup, "field") for markup in FIELDS]
    ),
    max_size=6,
)
spaces = st.sampled_from(("", "\n    ", "\r\n\t", "\n"))


@st.composite
def files(draw: Callable[..., Any]) -> tuple[str, Alternates, str]:
    """A file, its new links, and the expected file, assembled from its parts."""
    space = draw(spaces)
    wanted: Alternates = {}
    before, after = "", ""
    for number in range(draw(st.integers(0, 3))):
        loc = f"{LOC}{number}"
        inside = draw(children)
        inside.insert(draw(st.integers(0, len(inside))), Child(f"<loc> {loc}\n</loc>", "field"))
        tag = draw(st.sampled_from(("<url>", "<url >", "<url a='>'>")))
        before += f"\n{tag}{''.join(space + child.markup for child in inside)}\n</url>"
        if draw(st.booleans()):
            wanted[loc] = draw(alternate_lists)
            inside = list(with_links(inside, wanted[loc]))
        after += f"\n{tag}{''.join(space + child.markup for child in inside)}\n</url>"
    root = f"<?xml version='1.0'?>\n<urlset xmlns='{NAMESPACE}' xmlns:i='i'{{}}>{{}}\n</urlset>"
    binding = f" xmlns:h='{XHTML}'"
    if draw(st.booleans()):
        return root.format(binding, before), wanted, root.format(binding, after.replace("<new:", "<h:"))
    # Every link binds its own prefix, and new links need another one.
    before, after = (xml.replace("<h:link", f"<h:link{binding}") for xml in (before, after))
    declaration = f' xmlns:xhtml="{XHTML}"' if any(wanted.values()) else ""
    return root.format("", before), wanted, root.format(declaration, after.replace("<new:", "<xhtml:"))


def with_links(inside: list[Child], alternates: tuple[Alternate, ...]) -> Iterator[Child]:
    last = max(position for position, child in enumerate(inside) if child.kind == "field")
    for position, child in enumerate(inside):
        if child.kind != "link":
            yield child
        if position == last:
            for alternate in alternates:
                href = escape(alternate.href, {"'": "&apos;", '"': "&quot;"})
                yield Child(f'<new:link rel="alternate" hreflang="{alternate.hreflang}" href="{href}"/>')


def outside_the_links(xml: str) -> list[object]:
    """The tree as read by lxml, without hreflang links and white space."""
    root = etree.fromstring(xml.encode())

    def is_link(node: Any) -> bool:
        if node.tag != f"{{{XHTML}}}link" or node.getparent().getparent() is not root:
            return False
        return "hreflang" in node.attrib and "alternate" in node.get("rel").lower().split()

    def described(node: Any) -> list[object]:
        texts = [node.text or ""]
        inside: list[object] = []
        for child in node:
            if not is_link(child):
                inside.append(described(child))
                texts.append("")
            texts[-1] += child.tail or ""
        return [node.tag, dict(node.attrib), ["".join(text.split()) for text in texts], inside]

    return described(root)


@given(files())
def test_only_the_links_of_any_file_are_replaced(example: tuple[str, Alternates, str]) -> None:
    before, wanted, after = example
    edited = edit(before, wanted)
    assert edited == after
    assert outside_the_links(edited) == outside_the_links(before)
    for old, new in zip(read_sitemap(before.encode()), read_sitemap(edited.encode()), strict=True):
        assert new == replace(old, alternates=wanted.get(old.loc, old.alternates))


@given(st.binary() | words.map(str.encode), st.sampled_from(("", "<loc>", "<loc>a</loc>", "<loc>a</loc><h:link ")))
def test_all_errors_have_an_explanation(content: bytes, start: str) -> None:
    head, end = f"<urlset xmlns='{NAMESPACE}' xmlns:h='{XHTML}'><url>{start}".encode(), b"</url></urlset>"
    for whole in (content, head + content, head + content + end, head + b"<!--" + content + b"-->" + end):
        try:
            edited = replace_alternates(whole, {"a": (FR,)})
        except SitemapError as error:
            assert str(error)
        else:
            read_sitemap(edited)
