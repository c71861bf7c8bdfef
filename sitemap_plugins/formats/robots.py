"""robots.txt (RFC 9309): the author's bytes as they are, and one marked block of ours with the sitemaps' addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

BEGIN: Final = b"# begin of sitemap-plugins"
END: Final = b"# end of sitemap-plugins"

# A begin without its end is not ours to remove: the author's lines may follow it.
_BLOCK: Final = re.compile(
    rb"(?m)^(?:%(begin)b)\r?\n(?:(?!%(begin)b).*\n)*?%(end)b(?:\r?\n|\Z)"
    % {b"begin": re.escape(BEGIN), b"end": re.escape(END)}
)
_SITEMAP: Final = re.compile(rb"(?im)^(?:\xef\xbb\xbf)?[ \t]*sitemap[ \t]*:[ \t]*(\S+)")
_EVERYTHING: Final = {(b"disallow", path) for path in (b"/", b"/*", b"*")}
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
    newline = b"\r\n" if b"\r\n" in authors else b"\n"
    if authors and not authors.endswith((b"\n\n", b"\n\r\n")):
        authors += newline
    return authors + newline.join([BEGIN, *lines, END, b""])


def forbids_everything(content: bytes) -> bool:
    """Whether all crawlers are told to stay away from the whole site (RB-14).

    That is so when every crawler that is named, and ``*`` among them, is told ``Disallow: /`` and allowed nothing.
    Groups for the same crawler count as one (RFC 9309 section 2.2.1).
    """
    rules_for: dict[bytes, set[tuple[bytes, bytes]]] = {}
    for agents, rules in _groups(content.removeprefix(_BOM)):
        for agent in agents:
            rules_for.setdefault(agent.lower(), set()).update(rules)
    return b"*" in rules_for and all(_is_closed(rules) for rules in rules_for.values())


def _is_closed(rules: set[tuple[bytes, bytes]]) -> bool:
    return not _EVERYTHING.isdisjoint(rules) and all(name == b"disallow" for name, _ in rules)


def _groups(content: bytes) -> Iterator[tuple[set[bytes], set[tuple[bytes, bytes]]]]:
    """The groups of RFC 9309 section 2.1: the crawlers a group is for, and its rules with a path."""
    agents: set[bytes] = set()
    rules: set[tuple[bytes, bytes]] = set()
    in_rules = False
    for line in content.splitlines():
        name, _, value = (part.strip() for part in line.partition(b"#")[0].partition(b":"))
        if name.lower() == b"user-agent":
            if in_rules:
                yield agents, rules
                agents, rules, in_rules = set(), set(), False
            agents.add(value)
        elif name.lower() in {b"allow", b"disallow"} and agents:
            in_rules = True
            if value:
                rules.add((name.lower(), value))
    if agents:
        yield agents, rules


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return b"\x00" not in content
