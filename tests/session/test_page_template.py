"""The author's template for the page of all pages."""

from __future__ import annotations

import pytest
from jinja2 import DictLoader, Environment

from sitemap_plugins.formats.page_list import ListedPage, ListPart, render_list
from sitemap_plugins.session.page_template import render_in

HOSTILE = '<b> {{ 7*7 }} "q" &'
ESCAPED = "&lt;b&gt; {{ 7*7 }} &#34;q&#34; &amp;"
PAGES = (ListPart(title="", pages=(ListedPage(title=HOSTILE, url="a/"),), counted="Pages", language="en"),)


def environment(**templates: str) -> Environment:
    """An environment that does not escape values, like those of MkDocs and Sphinx."""
    return Environment(loader=DictLoader({f"{name}.html": text for name, text in templates.items()}))  # noqa: S701


def test_without_a_template_the_list_is_our_own() -> None:
    assert render_in(environment(), PAGES, "All") == (render_list(PAGES), [])


@pytest.mark.parametrize("filter_", ["", "|e"])
def test_values_are_escaped_once(filter_: str) -> None:
    template = f"{{{{ title{filter_} }}}}: {{{{ languages[0].pages[0].title{filter_} }}}}"
    assert render_in(environment(sitemap_page=template), PAGES, HOSTILE) == (f"{ESCAPED}: {ESCAPED}", [])


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("\n{% for x in %}", "sitemap_page.html, line 2, cannot be rendered (TemplateSyntaxError: "),
        ("{{ nothing.at.all }}", "sitemap_page.html cannot be rendered (UndefinedError: "),
        ("{{ 1 / 0 }}", "sitemap_page.html cannot be rendered (ZeroDivisionError: "),
        ("{% include 'no_such.html' %}", "sitemap_page.html cannot be rendered (TemplateNotFound: no_such.html), so "),
    ],
)
def test_if_a_template_fails_the_list_is_our_own_and_a_note_says_why(template: str, why: str) -> None:
    listing, (note,) = render_in(environment(sitemap_page=template), PAGES, "All")
    assert listing == render_list(PAGES)
    assert note.kind == "page-list"
    assert note.message.startswith(why)
    assert note.message.endswith(": correct the template, or remove it")
