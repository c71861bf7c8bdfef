"""The rule on ``llms.txt``: its links to pages of this site lead to files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.parse import urljoin

from sitemap_plugins.check.serving import may_be_answered
from sitemap_plugins.check.site import CheckedSite
from sitemap_plugins.findings.grouping import SITE, Hit
from sitemap_plugins.formats.paths import LLMS
from sitemap_plugins.reading import LLMS_TXT

_LINK: Final = r"\]\(\s*<?([^()\s<>]{1,2048})"


def check_llms(site: CheckedSite) -> Iterator[Hit]:
    """The dead links in ``llms.txt`` at the root of the site. Links to other sites are not followed."""
    content = b""
    with suppress(OSError):
        content = site.tree.read(LLMS, LLMS_TXT) or b""
    lines = content.decode("utf-8-sig", errors="replace").split("\n") if site.base_url else ()
    for number, line in enumerate(lines, 1):
        for found in re.finditer(_LINK, line):
            try:
                url = urljoin(f"{site.base_url}{LLMS}", found[1])
            except ValueError:  # it is not a URL
                continue
            path = site.below(url)
            if path is not None and not _is_there(site, url) and not may_be_answered(site, path):
                yield Hit(rule="dead-llms-link", cause=SITE, url=url, file=LLMS, line=number, column=found.start(1) + 1)


def _is_there(site: CheckedSite, url: str) -> bool:
    return site.file_at(url) is not None or site.crawl_rules.redirected(url) is not None
