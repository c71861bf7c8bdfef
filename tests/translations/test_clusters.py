"""Clusters of translations: examples of each conflict, and properties for any pages, groups and claims."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sitemap_plugins.model import Alternate
from sitemap_plugins.translations.clusters import X_DEFAULT, Claim, Cluster, Clusters, Member, alternates_of
from sitemap_plugins.values.urls import page_key


def member(loc: str, code: str, group: Hashable = None) -> Member:
    return Member(loc, code, group, f"{loc}.md")


EN, FR, DE = member("en/a", "en", "a"), member("fr/a", "fr", "a"), member("de/a", "de", "a")
EN_B, FR_B = member("en/b", "en", "b"), member("fr/b", "fr", "b")


def pages(cluster: Cluster) -> dict[str, str]:
    """The URLs by language code, members first."""
    return {code: each.loc for code, each in cluster.members.items()} | cluster.declared


class Declaration(NamedTuple):
    """A declared translation: the arguments of `Clusters.declare`."""

    loc: str
    code: str
    href: str


def messages(clusters: Clusters) -> list[tuple[str, str]]:
    return [(conflict.loc, conflict.message) for conflict in clusters.conflicts]


def grow(members: Iterable[Member], claims: Iterable[Claim] = (), declarations: Iterable[Declaration] = ()) -> Clusters:
    """Build clusters in the order of precedence: claims of authors, groups of pages, declarations."""
    clusters = Clusters(members)
    for claim in claims:
        clusters.join(claim)
    clusters.join_groups()
    for declaration in declarations:
        clusters.declare(*declaration)
    return clusters


class TestGroups:
    def test_of_two_pages_in_a_language_the_one_with_a_claim_counts(self) -> None:
        members = [EN, member("en/other", "en", "a"), FR, member("de/other", "de")]
        clusters = grow(members, [Claim("en/other", "de", "de/other")])
        assert [pages(cluster) for cluster in clusters] == [
            {"en": "en/a"},
            {"en": "en/other", "de": "de/other", "fr": "fr/a"},
        ]
        assert messages(clusters) == [
            ("en/a", "it is a second page in en besides en/other.md, so the two are not linked")
        ]

    def test_claims_of_authors_come_before_groups(self) -> None:
        clusters = grow([EN, FR, FR_B], [Claim("en/a", "fr", "fr/b")])
        assert [pages(cluster) for cluster in clusters] == [{"en": "en/a", "fr": "fr/b"}, {"fr": "fr/a"}]
        assert clusters.conflicts == []


# Members, claims, the resulting clusters, and the messages.
CLAIMS = [
    pytest.param(
        [EN, FR],
        [Claim("en/a", "fr", "fr/a"), Claim("en/a", "en", "en/a")],
        [{"en": "en/a", "fr": "fr/a"}],
        [],
        id="already true",
    ),
    pytest.param(
        [EN, FR, member("de/x", "de"), member("es/x", "es")],
        [Claim("de/x", "es", "es/x"), Claim("es/x", "fr", "fr/a")],
        [{"en": "en/a", "fr": "fr/a", "de": "de/x", "es": "es/x"}],
        [],
        id="two clusters",
    ),
    pytest.param(
        [EN, replace(DE, group="b"), member("es/b", "es", "b")],
        [Claim("en/a", "fr", "elsewhere"), Claim("de/a", "fr", "elsewhere")],
        [{"en": "en/a", "de": "de/a", "es": "es/b", "fr": "elsewhere"}],
        [],
        id="a page elsewhere, of two pages in two languages",
    ),
    pytest.param(
        [EN, FR_B],
        [Claim("en/a", "de", "fr/b")],
        [{"en": "en/a"}, {"fr": "fr/b"}],
        [("en/a", "fr/b is not its translation in de: that page is in fr")],
        id="the page is in another language",
    ),
    pytest.param(
        [EN, FR],
        [Claim("en/a", "fr", "en/a")],
        [{"en": "en/a", "fr": "fr/a"}],
        [("en/a", "en/a is not its translation in fr: that page is in en")],
        id="the page itself under another code",
    ),
    pytest.param(
        [EN, FR, FR_B],
        [Claim("en/a", "fr", "fr/b"), Claim("en/a", "fr", "fr/a")],
        [{"en": "en/a", "fr": "fr/b"}, {"fr": "fr/a"}],
        [("en/a", "fr/a is not its translation in fr: fr/b is")],
        id="two pages in a language",
    ),
    pytest.param(
        [EN, FR, EN_B, member("de/b", "de", "b")],
        [Claim("fr/a", "en", "en/a"), Claim("de/b", "en", "en/b"), Claim("fr/a", "de", "de/b")],
        [{"en": "en/a", "fr": "fr/a"}, {"en": "en/b", "de": "de/b"}],
        [("fr/a", "de/b is not its translation in de: that is a translation of en/b")],
        id="the page is a translation of another page",
    ),
    pytest.param(
        [EN, DE],
        [Claim("en/a", "fr", "elsewhere"), Claim("de/a", "es", "elsewhere")],
        [{"en": "en/a", "de": "de/a", "fr": "elsewhere"}],
        [("de/a", "elsewhere is not its translation in es: that page is in fr")],
        id="a page elsewhere, under two codes",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("members", "claims", "clusters", "said"), CLAIMS)
def test_a_claim_joins_two_clusters_or_is_a_conflict(
    members: list[Member], claims: list[Claim], clusters: list[Mapping[str, str]], said: list[tuple[str, str]]
) -> None:
    found = grow(members, claims)
    assert [pages(cluster) for cluster in found] == clusters
    assert messages(found) == said
    assert [conflict for conflict in found.conflicts if conflict.claim not in claims] == []


class TestDeclaring:
    @pytest.mark.parametrize(
        ("members", "claims", "declarations", "clusters"),
        [
            pytest.param(
                [EN, FR], [], [("fr/a", "de", "elsewhere")], [{"en": "en/a", "fr": "fr/a", "de": "elsewhere"}],
                id="a page elsewhere",
            ),
            pytest.param(
                [EN, EN_B], [Claim("en/a", "fr", "https://fr.example/x/index.html")], [("en/b", "fr", "https://fr.example/x/")],
                [{"en": "en/a", "fr": "https://fr.example/x/index.html"}, {"en": "en/b"}], id="in another form",
            ),
            pytest.param(
                [EN, DE, FR_B], [Claim("en/a", "fr", "elsewhere")], [("fr/b", "de", "elsewhere"), ("fr/b", "es", "x")],
                [{"en": "en/a", "de": "de/a", "fr": "elsewhere"}, {"fr": "fr/b", "es": "x"}],
                id="a page moves together with its claims",
            ),
            pytest.param(
                [EN, EN_B], [], [("en/a", "fr", "elsewhere"), ("en/b", "fr", "elsewhere")],
                [{"en": "en/a", "fr": "elsewhere"}, {"en": "en/b"}], id="the first of two",
            ),
        ],
    )  # fmt: skip
    def test_a_declaration_is_used_if_nothing_contradicts_it(
        self,
        members: list[Member],
        claims: list[Claim],
        declarations: list[Declaration],
        clusters: list[Mapping[str, str]],
    ) -> None:
        found = grow(members, claims, declarations)
        assert [pages(cluster) for cluster in found] == clusters
        assert found.conflicts == []


class TestChoosing:
    def test_it_can_be_one_of_the_home_pages(self) -> None:
        clusters = grow([EN, FR])
        assert clusters.choose("fr/a", clusters.of["en/a"]) == ""
        assert [link.href for link in alternates_of(clusters.of["fr/a"])] == ["en/a", "fr/a", "fr/a"]


def link(code: str, href: str, *, declared: bool = False) -> Alternate:
    return Alternate(hreflang=code, href=href, declared=declared)


BOTH = (link("en", "en/a"), link("fr", "fr/a"))


@pytest.mark.parametrize(
    ("cluster", "default", "links"),
    [
        pytest.param(Cluster(), None, (), id="no pages"),
        pytest.param(Cluster({"en": EN}), None, (), id="one page"),
        pytest.param(Cluster({"en": EN}), "en", (), id="one page in the default language"),
        pytest.param(Cluster({"fr": FR, "en": EN}), None, BOTH, id="sorted"),
        pytest.param(
            Cluster({"zh-Hans": EN, "de": DE, "yue": FR}),
            "de",
            (link("de", "de/a"), link("yue", "fr/a"), link("zh-Hans", "en/a"), link("x-default", "de/a")),
            id="x-default is last in spite of the sorting",
        ),
        pytest.param(Cluster({"en": EN, "fr": FR}), "de", BOTH, id="no page in the default language"),
        pytest.param(
            Cluster({"en": EN}, {"de": "elsewhere"}),
            "de",
            (link("de", "elsewhere", declared=True), BOTH[0], link("x-default", "elsewhere", declared=True)),
            id="declared",
        ),
        pytest.param(
            Cluster({"en": EN, "fr": FR}, selector="choose"),
            "en",
            (*BOTH, link("x-default", "choose")),
            id="a selector",
        ),
    ],
)
def test_the_links_of_a_cluster(cluster: Cluster, default: str | None, links: tuple[Alternate, ...]) -> None:
    assert alternates_of(cluster, default) == links


# Any tree: the groups, claims and declarations of pages, and their order. There are few codes and groups, so that
# there are many conflicts.
CODES = ("de", "en", "fr", "pt-BR", "yue")
LOCS = tuple(f"https://example.org/{number}/" for number in range(12))
ELSEWHERE = tuple(f"https://elsewhere.example/{number}/" for number in range(4))
OTHER_FORMS = tuple(f"{href}index.html" for href in ELSEWHERE)


class Tree(NamedTuple):
    members: list[Member]
    claims: list[Claim]
    declarations: list[Declaration]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    locs = draw(st.lists(st.sampled_from(LOCS), unique=True, max_size=len(LOCS)))
    members = [
        member(loc, draw(st.sampled_from(CODES)), draw(st.none() | st.integers(0, 3) | st.just("path"))) for loc in locs
    ]
    if not locs:
        return Tree(members, [], [])
    any_loc, code = st.sampled_from(locs), st.sampled_from(CODES)
    codes = {each.loc: each.code for each in members}
    claims = st.one_of(
        # Most claims have the right language.
        st.builds(lambda loc, href: Claim(loc, codes[href], href), any_loc, any_loc),
        st.builds(Claim, any_loc, code, any_loc | st.sampled_from(ELSEWHERE)),
        st.builds(Claim, any_loc, code, st.sampled_from(ELSEWHERE + OTHER_FORMS)),
    )
    declarations = st.builds(Declaration, any_loc, code, any_loc | st.sampled_from(ELSEWHERE))
    return Tree(members, draw(st.lists(claims, max_size=12)), draw(st.lists(declarations, max_size=5)))


def is_true(clusters: Clusters, step: Claim | Declaration) -> bool:
    """Whether the page is in the cluster, in this language, with or without index.html."""
    return page_key(clusters.of[step.loc].find(step.code) or "") == page_key(step.href)


def visible(clusters: Clusters) -> list[object]:
    """What can be seen of the clusters, sorted."""
    return sorted(sorted(pages(cluster).items()) for cluster in clusters)


def claimed(tree: Tree) -> Clusters:
    """The clusters after the claims of authors only."""
    clusters = Clusters(tree.members)
    for claim in tree.claims:
        clusters.join(claim)
    return clusters


@given(trees())
def test_every_page_is_in_one_cluster_only(tree: Tree) -> None:
    """HL-11."""
    clusters = grow(*tree)
    assert clusters.of.keys() == {each.loc for each in tree.members}
    found = [each for cluster in clusters for each in cluster.members.values()]
    assert sorted(found, key=str) == sorted(tree.members, key=str)
    for each in tree.members:
        assert clusters.of[each.loc].members[each.code] is each
    hrefs = [page_key(href) for cluster in clusters for href in cluster.declared.values()]
    assert len(hrefs) == len(set(hrefs))
    assert clusters.of.keys().isdisjoint(href for cluster in clusters for href in cluster.declared.values())


def joined(members: Sequence[Member], pairs: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """The sets of pages that the claims join, pages elsewhere included, found in the simplest way."""
    keys = {page_key(loc): page_key(loc) for loc in (*(each.loc for each in members), *ELSEWHERE)}
    for one, other in pairs:
        old, new = keys[page_key(one)], keys[page_key(other)]
        keys.update({key: new for key, name in keys.items() if name == old})
    found = {frozenset(key for key in keys if keys[key] == name) for name in keys.values()}
    own = {page_key(each.loc) for each in members}
    return {cluster for cluster in found if not own.isdisjoint(cluster)}


@given(trees())
def test_claims_join_exactly_their_pages(tree: Tree) -> None:
    clusters = claimed(tree)
    pairs = [(claim.loc, claim.href) for claim in tree.claims if is_true(clusters, claim)]
    found = {frozenset(map(page_key, pages(cluster).values())) for cluster in clusters}
    assert found == joined(tree.members, pairs)


@given(trees())
def test_groups_join_whole_clusters_unless_they_share_a_language(tree: Tree) -> None:
    before, clusters = claimed(tree), grow(tree.members, tree.claims)
    for loc, cluster in before.of.items():
        assert pages(cluster).items() <= pages(clusters.of[loc]).items()
    groups: dict[Hashable, list[Member]] = {}
    for each in tree.members:
        if each.group is not None:
            groups.setdefault(each.group, []).append(each)
    for group in groups.values():
        of_group = {id(clusters.of[each.loc]): clusters.of[each.loc] for each in group}.values()
        assert any(all(one is other or one.shared_language(other) for other in of_group) for one in of_group)
    # Only claims and groups have joined pages.
    pairs = [(claim.loc, claim.href) for claim in tree.claims if is_true(before, claim)]
    pairs += [(group[0].loc, each.loc) for group in groups.values() for each in group]
    linked = joined(tree.members, pairs)
    for cluster in clusters:
        assert any(locs.issuperset(map(page_key, pages(cluster).values())) for locs in linked)


@given(trees())
def test_a_claim_is_true_or_reported_once_and_without_effect(tree: Tree) -> None:
    clusters = Clusters(tree.members)
    for claim in tree.claims:
        before, reported = visible(clusters), len(clusters.conflicts)
        clusters.join(claim)
        new = [(conflict.loc, conflict.claim) for conflict in clusters.conflicts[reported:]]
        if is_true(clusters, claim):
            assert new == []
        else:
            assert new == [(claim.loc, claim)]
            assert visible(clusters) == before


@given(trees())
def test_accepted_claims_stay_true_and_all_others_untrue(tree: Tree) -> None:
    clusters = grow(*tree)
    rejected = [conflict.claim for conflict in clusters.conflicts if conflict.claim]
    assert [is_true(clusters, claim) for claim in tree.claims] == [claim not in rejected for claim in tree.claims]


@given(trees())
def test_a_declaration_is_added_or_without_effect_and_never_a_conflict(tree: Tree) -> None:
    clusters = grow(tree.members, tree.claims)
    reported = len(clusters.conflicts)
    for declaration in tree.declarations:
        before = visible(clusters)
        clusters.declare(*declaration)
        if not is_true(clusters, declaration):
            assert visible(clusters) == before
    assert len(clusters.conflicts) == reported


@given(trees(), st.randoms(use_true_random=False))
def test_without_conflicts_the_order_of_claims_makes_no_difference(tree: Tree, random: Random) -> None:
    clusters = claimed(tree)
    if not clusters.conflicts:
        shuffled = claimed(tree._replace(claims=random.sample(tree.claims, len(tree.claims))))
        assert shuffled.conflicts == []
        assert shuffled.of.keys() == clusters.of.keys()
        assert [loc for loc in clusters.of if pages(shuffled.of[loc]).keys() != pages(clusters.of[loc]).keys()] == []


@given(trees())
def test_without_claims_a_second_page_in_a_language_is_reported_once(tree: Tree) -> None:
    seen = set()
    second = []
    for each in tree.members:
        if each.group is not None and (each.group, each.code) in seen:
            second.append(each.loc)
        seen.add((each.group, each.code))
    assert sorted(conflict.loc for conflict in grow(tree.members).conflicts) == sorted(second)


@given(trees())
def test_one_of_two_pages_in_a_language_is_reported(tree: Tree) -> None:
    clusters = grow(*tree)
    found = [conflict.loc for conflict in clusters.conflicts if conflict.claim is None]
    assert len(found) == len(set(found))
    groups = {each.loc: each.group for each in tree.members}
    rivals = {(each.group, each.code) for each in tree.members}
    for loc in found:
        others = [each for each in tree.members if each.group == groups[loc] and each.loc != loc]
        assert any(clusters.of[loc].shared_language(clusters.of[each.loc]) for each in others)
        assert any((groups[loc], code) in rivals for code in pages(clusters.of[loc]))


@given(trees(), st.none() | st.sampled_from(CODES), st.none() | st.sampled_from([*LOCS, "https://example.org/choose/"]))
def test_links_are_mutual_unique_and_include_the_page_itself(
    tree: Tree, default: str | None, selector: str | None
) -> None:
    """HL-02, HL-03, HL-09, HL-10."""
    clusters = grow(*tree)
    if selector:
        homes = (clusters.of[each.loc] for each in tree.members)
        clusters.choose(selector, next((each for each in homes if len(each) > 1), None))
    codes = {each.loc: each.code for each in tree.members}
    links = {id(cluster): alternates_of(cluster, default) for cluster in clusters}
    for loc, cluster in clusters.of.items():
        own = links[id(cluster)]
        if not own:
            assert len(cluster) == 1  # HL-15
            continue
        assert len(own) > 1
        assert loc in {link.href for link in own}  # HL-02
        spoken = [link for link in own if link.hreflang != X_DEFAULT]
        assert len({link.hreflang for link in spoken}) == len(spoken) == len({link.href for link in spoken})  # HL-10
        assert [link.hreflang for link in spoken] == sorted(link.hreflang for link in spoken)
        assert own[: len(spoken)] == tuple(spoken)
        rest = own[len(spoken) :]
        if cluster.selector:
            assert [link.href for link in rest] == [cluster.selector]
        else:
            assert [(link.href, link.declared) for link in rest] == [
                (link.href, link.declared) for link in spoken if link.hreflang == default
            ]
        for link in own:
            if link.declared:
                assert link.href in ELSEWHERE + OTHER_FORMS
            else:
                assert links[id(clusters.of[link.href])] is own  # HL-03
                assert link.hreflang in {codes.get(link.href), X_DEFAULT}
