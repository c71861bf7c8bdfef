"""Clusters of translations: the same page in several languages. A page is in exactly one cluster."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from operator import attrgetter

import msgspec

from sitemap_plugins.model import X_DEFAULT, Alternate
from sitemap_plugins.values.urls import page_key


class Member(msgspec.Struct, frozen=True):
    """A listed page, with its language as in ``hreflang`` and the group that it shares with its translations.

    ``name`` is the name of the page in messages. A ``group`` of None is shared with no other page.
    """

    loc: str
    code: str
    group: Hashable
    name: str


class Claim(msgspec.Struct, frozen=True):
    """An explicit statement that the page at ``href`` is the translation of the page at ``loc`` in ``code``."""

    loc: str
    code: str
    href: str


class Conflict(msgspec.Struct, frozen=True):
    """A contradiction that was ignored: ``loc`` is the page, ``claim`` the claim about it, if there is one."""

    loc: str
    message: str
    claim: Claim | None = None


class Cluster(msgspec.Struct):
    """The translations of one page: the listed ones (``members``) and others (``declared``), by language code.

    The build cannot check that declared pages exist. ``selector`` is the URL of a page on which readers choose the
    language.
    """

    members: dict[str, Member] = {}
    declared: dict[str, str] = {}
    selector: str | None = None

    def __len__(self) -> int:
        """The number of languages."""
        return len(self.members) + len(self.declared)

    def __iter__(self) -> Iterator[str]:
        """The codes of its languages."""
        yield from self.members
        yield from self.declared

    def find(self, code: str) -> str | None:
        """The URL of the page in a language, or None."""
        return self.members[code].loc if code in self.members else self.declared.get(code)

    def code_of(self, href: str) -> str:
        """The language of one of its pages."""
        key = page_key(href)
        return next(code for code in self if page_key(self.find(code) or "") == key)

    def shared_language(self, other: Cluster) -> str | None:
        """The first language, in alphabetical order, that both clusters have, or None."""
        return min((code for code in self if other.find(code)), default=None)


class Clusters:
    """The clusters of some members; at first, each member has its own. Locs are unique.

    ``of`` has the cluster of each member by its loc. ``conflicts`` are contradictions that were ignored, because a
    cluster has only one page for a language (HL-10), and a page is in only one cluster. Call the methods in the order
    of their precedence: explicit claims (`join`), then groups (`join_groups`), then assumed pages (`declare`).
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self._members = tuple(members)
        self.of: dict[str, Cluster] = {member.loc: Cluster({member.code: member}) for member in self._members}
        self.conflicts: list[Conflict] = []
        self._claimed: dict[str, Cluster] = {}
        self._declared: set[str] = set()
        self._second: set[str] = set()

    def join(self, claim: Claim) -> None:
        """Join two clusters, or add a page that is not a member as a declared one."""
        if why := self._contradiction(claim):
            self.conflicts.append(
                Conflict(claim.loc, f"{claim.href} is not its translation in {claim.code}: {why}", claim)
            )
            return
        cluster, other = self.of[claim.loc], self._find_cluster(claim.href)
        if other is None:
            cluster.declared[claim.code] = claim.href
            self._claimed[page_key(claim.href)] = cluster
        elif other is not cluster:
            self._merge(cluster, other)

    def _find_cluster(self, href: str) -> Cluster | None:
        """The cluster of a page, member or claimed: pages that claim the same unlisted page are in one cluster."""
        return self.of.get(href) or (self._claimed.get(page_key(href)) if self._claimed else None)

    def _contradiction(self, claim: Claim) -> str:
        cluster, other = self.of[claim.loc], self._find_cluster(claim.href)
        there = cluster.find(claim.code)
        if there and page_key(there) == page_key(claim.href):
            return ""
        if other is not None and (code := other.code_of(claim.href)) != claim.code:
            return f"that page is in {code}"
        if there:
            return f"{there} is"
        twice = other.shared_language(cluster) if other else None
        return f"that is a translation of {other.find(twice)}" if other and twice else ""

    def join_groups(self) -> None:
        """Join the members of each group, unless that gives a cluster two pages for a language.

        If a group has two pages for a language, the one that was not claimed stays alone.
        """
        groups: dict[Hashable, list[Member]] = {}
        for member in self._members:
            if member.group is not None:
                groups.setdefault(member.group, []).append(member)
        for group in groups.values():
            # The largest cluster first, because an author's claims made it. Equal ones stay in the order of members.
            left = sorted(group, key=lambda member: -len(self.of[member.loc]))
            while left:
                left = self._join_all(left[0], left[1:])

    def _join_all(self, first: Member, members: Iterable[Member]) -> list[Member]:
        """Join these members of a group to the first one; return those whose language is already taken."""
        left = []
        for member in members:
            cluster, other = self.of[first.loc], self.of[member.loc]
            if other is cluster:
                continue
            if not (twice := other.shared_language(cluster)):
                self._merge(cluster, other)
                continue
            left.append(member)
            rival = cluster.members.get(twice)
            # If the author named another page, this is not a mistake.
            if rival and rival.group == member.group and member.loc not in self._second:
                self._second.add(member.loc)
                message = f"it is a second page in {twice} besides {rival.name}, so the two are not linked"
                self.conflicts.append(Conflict(member.loc, message))
        return left

    def _merge(self, one: Cluster, other: Cluster) -> None:
        one.members |= other.members
        one.declared |= other.declared
        self.of |= dict.fromkeys((member.loc for member in other.members.values()), one)
        self._claimed |= dict.fromkeys(map(page_key, other.declared.values()), one)

    def declare(self, loc: str, code: str, href: str) -> None:
        """Add a page that is not a member, unless a cluster has it already, or this one has a page in the language."""
        cluster = self.of[loc]
        if not cluster.find(code) and href not in self._declared and self._find_cluster(href) is None:
            cluster.declared[code] = href
            self._declared.add(href)

    def choose(self, selector: str, home: Cluster | None) -> str:
        """Make the language selector the ``x-default`` of the home pages. Return why that is impossible, or "".

        ``home`` is None if the home pages are not translations of each other.
        """
        if home is None:
            return "no home page has alternates"
        own = self.of.get(selector, home)
        if own is not home and len(own) > 1:
            return f"{selector} is a translation of another page than the home page"
        home.selector = selector
        self.of[selector] = home
        return ""

    def __iter__(self) -> Iterator[Cluster]:
        """Each cluster once, in the order of its first member."""
        yield from {id(cluster): cluster for cluster in self.of.values()}.values()


def alternates_of(cluster: Cluster, default: str | None = None) -> tuple[Alternate, ...]:
    """The links of all members: to themselves too (HL-02), mutual (HL-03), sorted by code, ``x-default`` last.

    ``x-default`` is the selector, or else the page in the language ``default``, if there is one. A cluster of one page
    has no links (HL-15).
    """
    if len(cluster) + bool(cluster.selector) <= 1:
        return ()
    links = [Alternate(hreflang=code, href=member.loc) for code, member in cluster.members.items()]
    links += [Alternate(hreflang=code, href=href, declared=True) for code, href in cluster.declared.items()]
    links.sort(key=attrgetter("hreflang"))
    if cluster.selector:
        links.append(Alternate(hreflang=X_DEFAULT, href=cluster.selector))
    else:
        same = [link for link in links if link.hreflang == default]
        links += [msgspec.structs.replace(link, hreflang=X_DEFAULT) for link in same]
    return tuple(links)
