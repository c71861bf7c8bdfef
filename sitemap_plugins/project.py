"""Where the project and its manual are published; nothing else in the repository spells out these addresses."""

from __future__ import annotations

from typing import Final

REPOSITORY: Final[str | None] = None
"""The URL of the repository, without a slash at the end; None as long as it has none."""

MANUAL: Final = "https://sitemap-plugins.readthedocs.io/en/stable/"
"""The URL of the manual of the newest release, with a slash at the end."""
