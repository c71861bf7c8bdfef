"""The rules that a sitemap breaks by itself, whatever the rest of the site is.

Everything that the reader of sitemaps says as a `Problem`, and what a `SitemapFile` says about the file as a whole:
that it is unusable, that its compressed copy differs, that an index lists an index.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from sitemap_plugins.built.state import State
from sitemap_plugins.check.findings import Hit

FileRule: TypeAlias = Callable[[State], Iterable[Hit]]

FILE_RULES: Final[tuple[FileRule, ...]] = ()
"""The functions that find the hits of these rules."""
