"""Renders the list of pages with the author's template, if there is one, in the environment of a host's templates."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup, escape

from sitemap_plugins.formats.page_list import ListPart, PageList, render_list
from sitemap_plugins.model import Note

TEMPLATE: Final = "sitemap_page.html"
"""The name of the author's template."""


def render_in(environment: Any, pages: PageList, title: str) -> tuple[str, list[Note]]:
    """The list as HTML from the author's template, else our own; and a note if the template cannot be rendered.

    ``environment`` is the Jinja environment of the host. It does not escape values, so all of them are escaped before,
    and ``|e`` changes nothing.
    """
    from jinja2 import TemplateNotFound

    try:
        try:
            template = environment.get_template(TEMPLATE)
        except TemplateNotFound:  # only of the template itself: those that it needs are loaded while it is rendered
            return render_list(pages), []
        values = {"title": escape(title), "languages": [_values_of(part) for part in pages]}
        return str(template.render(values)), []
    except Exception as error:  # noqa: BLE001  # a template can run into any error
        line = getattr(error, "lineno", None)
        where = f"{TEMPLATE}, line {line}," if line else TEMPLATE
        message = (
            f"{where} cannot be rendered ({type(error).__name__}: {error}), so the page has the list that the plugin "
            "makes without a template: correct the template, or remove it"
        )
        return render_list(pages), [Note(kind="page-list", message=message)]


def _values_of(part: ListPart) -> dict[str, object]:
    """A part of the list for a template: plain values, because a struct cannot have escaped text in it."""
    return {
        "title": escape(part.title),
        "code": escape(part.language),
        "dir": escape(part.direction),
        "counted": escape(part.counted),
        "number": part.number,
        "pages": [
            {"title": escape(page.title), "url": escape(page.url), "date": Markup(page.date)}  # noqa: S704  # digits
            for page in part.pages
        ],
        "parts": [_values_of(each) for each in part.parts],
    }
