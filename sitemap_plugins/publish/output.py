"""Reads the pages that a host wrote."""

from __future__ import annotations

import os

from sitemap_plugins.html.head_links import remove_links
from sitemap_plugins.reading import ABSENT, PAGE, read_file


def read_output(path: str | os.PathLike[str], directory: str | os.PathLike[str]) -> tuple[bytes | None, str]:
    """The content of a page in the output folder, or None and the reason it was not read: empty if there is no page.

    The links that the option ``head_links`` wrote in an earlier build are removed. The reason is for `Page.unread`.
    """
    try:
        return remove_links(read_file(path, PAGE, inside=directory)), ""
    except ABSENT:
        return None, ""
    except OSError as error:
        return None, error.strerror or str(error)
