"""robots.txt (RFC 9309): the author's bytes as they are, and one marked block of ours with the sitemaps' addresses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

BEGIN: Final = b"# begin of sitemap-plugins"
END: Final = b"# end of sitemap-plugins"

_BLOCK: Final = re.compile(rb"(?m)^" + re.escape(BEGIN) + rb"\r?\n(?:.*\n)*?" + re.escape(END) + rb"(?:\r?\n|\Z)")
_SITEMAP: Final = re.compile(rb"(?im)^[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
_BOM: Final = b"\xef\xbb\xbf"


class NotUTF8Error(ValueError):
    """The file is in another encoding, so nothing can be appended to it."""


def merge_robots(existing: bytes | None, sitemaps: Sequence[str]) -> bytes | None:
    """The file with these sitemaps announced, or None when no file is needed. Merging again changes nothing.

    A sitemap that the author announces is not announced twice (RB-04). Sitemap lines belong to no group, so a block at
    the end changes no rule (RB-09). Raises `NotUTF8Error`.
    """
    if existing is not None and not _is_utf8(existing):
        raise NotUTF8Error
    authors = _BLOCK.sub(b"", existing or b"")
    announced = {url.split(b"#")[0] for url in _SITEMAP.findall(authors)}
    lines = [b"Sitemap: " + url.encode() for url in sitemaps if url.encode() not in announced]
    if not lines:
        return existing if authors == (existing or b"") else authors or None
    newline = b"\r\n" if b"\r\n" in authors else b"\n"
    # A blank line, so that nobody takes the block for a part of the author's last group.
    if authors and not authors.endswith(b"\n"):
        authors += newline
    if authors and not authors.endswith((b"\n\n", b"\n\r\n")):
        authors += newline
    return authors + newline.join([BEGIN, *lines, END, b""])


def forbids_everything(content: bytes) -> bool:
    """Whether all crawlers are told to stay away from the whole site (RB-14): ``Disallow: /`` and nothing allowed."""
    agents: set[bytes] = set()
    rules: list[tuple[bytes, bytes]] = []
    in_rules = False
    for line in content.removeprefix(_BOM).splitlines():
        name, colon, value = line.partition(b"#")[0].partition(b":")
        field, text = name.strip().lower(), value.strip()
        if not colon:
            continue
        if field == b"user-agent":
            if in_rules:
                agents, in_rules = set(), False
            agents.add(text)
        elif field in {b"allow", b"disallow"}:
            in_rules = True
            if b"*" in agents:
                rules.append((field, text))
    return (b"disallow", b"/") in rules and not any(field == b"allow" and text for field, text in rules)


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\x00" not in content
