"""Splitting: only a full file is split, and added or removed pages do not move others (SM-IDX-07)."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sitemap_plugins.formats.sitemap_xml import IndexWriter
from sitemap_plugins.media import Image
from sitemap_plugins.model import X_DEFAULT, Alternate, Entry, Sitemap
from sitemap_plugins.options.settings import Limits
from sitemap_plugins.sitemaps import arranging
from sitemap_plugins.sitemaps.arranging import Leaf, Measure, split_entries, split_sitemaps

BASE = "https://example.org/"


class Weights:
    """An entry of any kind weighs as much as its number of images, and ``around`` is the size of the frame."""

    def __init__(self, around: Callable[[Sequence[Entry]], int] = lambda _: 0) -> None:
        self.frame_size = around

    def sizes(self, entries: Iterable[Entry]) -> list[int]:
        return [len(each.images) or 1 for each in entries]

    def fit(self, entries: Sequence[Entry], limits: Limits) -> bool:
        return len(entries) <= limits.urls and sum(self.sizes(entries)) + self.frame_size(entries) <= limits.bytes


WEIGHTS = Weights()


def page(number: object, weight: int = 0) -> Entry:
    return Entry(loc=f"{BASE}{number}/", images=tuple(Image(loc=f"{BASE}{each}.png") for each in range(weight)))


def cluster(number: object, languages: Sequence[str], default: str | None = None) -> list[Entry]:
    """Pages that are translations of each other."""
    links = [Alternate(hreflang=code, href=f"{BASE}{code}/{number}/") for code in languages]
    if default:
        links.append(Alternate(hreflang=X_DEFAULT, href=f"{BASE}{default}/{number}/"))
    return [Entry(loc=f"{BASE}{code}/{number}/", alternates=tuple(links)) for code in languages]


def split(entries: Iterable[Entry], limits: Limits, measure: Measure[Entry] = WEIGHTS) -> dict[str, frozenset[str]]:
    """The pages of each file, by the bits in its name."""
    leaves, left_out = split_entries([*entries], limits, measure)
    assert left_out == []
    found = {leaf.bits: frozenset(each.loc for each in leaf.items) for leaf in leaves}
    assert len(found) == len(leaves)
    return found


def whole(leaves: dict[str, frozenset[str]]) -> dict[str, frozenset[str]]:
    """The files, with all parts of a split cluster counted as one."""
    together: dict[str, frozenset[str]] = {}
    for bits, members in leaves.items():
        name = bits.partition("-")[0]
        together[name] = together.get(name, frozenset()) | members
    return together


def number_limit(number: int) -> Limits:
    return Limits(urls=number, bytes=10**9)


def are_related(one: str, other: str) -> bool:
    """Whether one is a part of the other."""
    return one.startswith(other) or other.startswith(one)


def home_of(loc: str, leaves: dict[str, frozenset[str]]) -> str:
    (bits,) = (bits for bits, members in leaves.items() if loc in members)
    return bits


numbers = st.sets(st.integers(0, 10_000), max_size=60)
language_sets = st.lists(st.sampled_from(["de", "en", "es", "fr", "ja"]), min_size=2, max_size=5, unique=True)
limits_of_files = st.builds(Limits, urls=st.integers(1, 12), bytes=st.integers(5, 40))


@st.composite
def sites(draw: st.DrawFn) -> list[Entry]:
    """Light and heavy pages in one language, and pages in several languages."""
    entries = [page(number, draw(st.integers(0, 5))) for number in sorted(draw(numbers))]
    for number in sorted(draw(st.sets(st.integers(0, 999), max_size=8))):
        languages = draw(language_sets)
        entries += cluster(number, languages, draw(st.sampled_from([None, languages[0]])))
    return draw(st.permutations(entries))


class TestLeaves:
    @given(sites(), limits_of_files)
    def test_contain_every_page_once_in_the_order_of_urls_and_fit(self, entries: list[Entry], limits: Limits) -> None:
        """SM-LIM-01 and SM-LIM-02 for every file, SM-LOC-09 for all of them."""
        leaves, left_out = split_entries(entries, limits, WEIGHTS)
        assert left_out == []
        assert Counter(item for leaf in leaves for item in leaf.items) == Counter(entries)
        assert [leaf for leaf in leaves if not (0 < len(leaf.items) <= limits.urls)] == []
        assert [leaf for leaf in leaves if sum(WEIGHTS.sizes(leaf.items)) > limits.bytes] == []
        for leaf in leaves:
            assert [each.loc for each in leaf.items] == sorted(each.loc for each in leaf.items)

    @given(sites(), limits_of_files)
    def test_have_names_that_are_not_prefixes_of_each_other(self, entries: list[Entry], limits: Limits) -> None:
        names = [*split(entries, limits)]
        assert [pair for pair in combinations(names, 2) if are_related(*pair)] == []
        assert [name for name in names if not (set(name) <= set("01-") and name.count("-") <= 1)] == []

    @given(sites().flatmap(lambda site: st.tuples(st.just(site), st.permutations(site))), limits_of_files)
    def test_do_not_depend_on_the_order(self, orders: tuple[list[Entry], list[Entry]], limits: Limits) -> None:
        first, second = orders
        assert split(first, limits) == split(second, limits)
        names = [[leaf.bits for leaf in split_entries(each, limits, WEIGHTS)[0]] for each in orders]
        assert names[0] == names[1] == sorted(names[0])

    @given(sites(), limits_of_files)
    def test_are_split_only_if_they_are_full(self, entries: list[Entry], limits: Limits) -> None:
        leaves, _ = split_entries(entries, limits, WEIGHTS)
        for leaf in leaves:
            if leaf.bits:
                around = leaf.bits[:-1].removesuffix("-")
                together = [item for other in leaves if other.bits.startswith(around) for item in other.items]
                assert not WEIGHTS.fit(together, limits)

    @given(numbers, st.integers(1, 6))
    def test_are_named_by_the_hash_of_the_url(self, found: set[int], limit: int) -> None:
        # A release with another hash would move every page of every large site.
        for bits, members in split(map(page, found), number_limit(limit)).items():
            for loc in members:
                digest = hashlib.blake2b(loc.encode(), digest_size=8).digest()
                assert f"{int.from_bytes(digest, 'big'):064b}".startswith(bits)

    @pytest.mark.parametrize("shared", [*range(26), 61, 62, 63])
    def test_are_split_at_the_first_differing_bit(self, monkeypatch: pytest.MonkeyPatch, shared: int) -> None:
        same = "10110111" * 8

        def hash_late(text: str) -> int:
            bits = same[:shared] + text[-2] + same[shared + 1 :]
            return int(bits, 2)

        monkeypatch.setattr(arranging, "_hash", hash_late)
        expected = {same[:shared] + number: frozenset({f"{BASE}{number}/"}) for number in "01"}
        assert split([page(0), page(1)], Limits(urls=1)) == expected

    def test_are_the_same_as_in_the_first_release(self) -> None:
        leaves = split(map(page, range(8)), number_limit(3))
        assert {bits: "".join(sorted(loc[-2] for loc in members)) for bits, members in leaves.items()} == {
            "000": "0",
            "001": "147",
            "10": "25",
            "11": "36",
        }

    @pytest.mark.parametrize("number", [0, 1, 5])
    def test_are_one_without_a_name_if_all_pages_fit(self, number: int) -> None:
        entries = [page(each) for each in range(number)]
        assert split_entries(entries, number_limit(5), WEIGHTS) == ([Leaf("", tuple(entries))] if number else [], [])


def check_insertion(before: dict[str, frozenset[str]], after: dict[str, frozenset[str]], loc: str) -> None:
    """Check that one file was changed, split or added, and that all others are unchanged."""
    gone = {bits: members for bits, members in before.items() if after.get(bits) != members}
    come = {bits: members for bits, members in after.items() if before.get(bits) != members}
    assert len(gone) <= 1
    bits, members = next(iter(gone.items()), (home_of(loc, after), frozenset()))
    assert [each for each in come if not each.startswith(bits)] == []
    assert frozenset().union(*come.values()) == members | {loc}
    assert len(come) == 1 or not gone or bits not in come


class TestStability:
    @given(sites(), st.integers(0, 5), limits_of_files)
    def test_adding_an_untranslated_page_changes_only_its_own_file(
        self, entries: list[Entry], weight: int, limits: Limits
    ) -> None:
        new = page("new", weight)
        check_insertion(whole(split(entries, limits)), whole(split([*entries, new], limits)), new.loc)

    @given(st.data(), sites(), limits_of_files)
    def test_removing_an_untranslated_page_changes_only_its_own_file(
        self, data: st.DataObject, entries: list[Entry], limits: Limits
    ) -> None:
        alone = [each for each in entries if not each.alternates]
        assume(alone)
        old = data.draw(st.sampled_from(alone))
        rest = [each for each in entries if each is not old]
        check_insertion(whole(split(rest, limits)), whole(split(entries, limits)), old.loc)

    @given(sites(), limits_of_files)
    def test_changing_a_page_moves_no_page(self, entries: list[Entry], limits: Limits) -> None:
        light = [Entry(loc=each.loc, alternates=each.alternates) for each in entries]
        heavy = [Entry(loc=each.loc, alternates=each.alternates, priority=0.5) for each in entries]
        assert split(light, limits) == split(heavy, limits)

    @given(st.sets(st.integers(0, 999), min_size=1, max_size=30), language_sets, st.integers(5, 12))
    def test_adding_a_translation_moves_no_page_if_there_is_a_default(
        self, found: set[int], languages: list[str], limit: int
    ) -> None:
        first, *others = sorted(found)
        rest = [each for number in others for each in cluster(number, languages, languages[0])]
        before = split(rest + cluster(first, languages, languages[0]), number_limit(limit))
        # "aa" is the first language in the sorted order.
        after = split(rest + cluster(first, ["aa", *languages], languages[0]), number_limit(limit + 1))
        old, new = (home_of(f"{BASE}{languages[0]}/{first}/", leaves) for leaves in (before, after))
        assert are_related(old, new)


class TestClusters:
    @given(sites(), st.integers(1, 12))
    def test_are_in_one_file_unless_they_are_too_large_for_it(self, entries: list[Entry], limit: int) -> None:
        leaves = split(entries, number_limit(limit))
        for links in {each.alternates for each in entries if each.alternates}:
            members = {each.href for each in links if each.hreflang != X_DEFAULT}
            homes = {home_of(loc, leaves) for loc in members}
            if len(members) <= limit:
                assert len(homes) == 1
                assert "-" not in "".join(homes)
            else:
                # Their names contain a hyphen, and these files have no other pages.
                assert [bits for bits in homes if "-" not in bits] == []
                assert frozenset().union(*(leaves[bits] for bits in homes)) == members
                assert len({bits.partition("-")[0] for bits in homes}) == 1

    def test_have_the_same_names_as_in_the_first_release(self) -> None:
        leaves = split(cluster("a", ["de", "en", "es", "fr", "it", "ja", "pt"]), number_limit(2))
        assert {bits: "".join(sorted(loc.split("/")[3] for loc in members)) for bits, members in leaves.items()} == {
            "-00": "frja",
            "-01": "pt",
            "-10": "esit",
            "-11": "deen",
        }

    def test_with_too_many_bytes_are_split_too(self) -> None:
        entries = [
            Entry(loc=each.loc, alternates=each.alternates, images=page("", 4).images)
            for each in cluster("a", ["de", "en", "es"])
        ]
        leaves = split([*entries, page("z")], Limits(urls=100, bytes=11))
        assert home_of(f"{BASE}z/", leaves).count("-") == 0
        assert sum("-" in bits for bits in leaves) > 1

    def test_are_hashed_by_their_default_or_by_their_first_url(self) -> None:
        def bits(loc: str) -> str:
            return f"{int.from_bytes(hashlib.blake2b(loc.encode(), digest_size=8).digest(), 'big'):064b}"

        for default, name in ((None, f"{BASE}de/a/"), ("fr", f"{BASE}fr/a/")):
            leaves = split([*cluster("a", ["fr", "de"], default), *map(page, range(50))], number_limit(2))
            assert bits(name).startswith(home_of(f"{BASE}de/a/", leaves))


class TestTooLarge:
    @given(st.lists(st.integers(1, 9), max_size=20), st.integers(1, 8))
    def test_exactly_the_entries_that_do_not_fit_alone_are_left_out(self, weights: list[int], limit: int) -> None:
        entries = [page(number, weight) for number, weight in enumerate(weights)]
        leaves, left_out = split_entries(entries, Limits(urls=5, bytes=limit), WEIGHTS)
        assert left_out == [each for each in entries if len(each.images) > limit]
        kept = [item for leaf in leaves for item in leaf.items]
        assert Counter(kept) == Counter(each for each in entries if each not in left_out)
        assert [leaf for leaf in leaves if sum(WEIGHTS.sizes(leaf.items)) > limit] == []

    @pytest.mark.parametrize(("limit", "fits"), [(8, True), (7, False)])
    def test_the_frame_counts(self, limit: int, *, fits: bool) -> None:
        measure = Weights(lambda entries: 3 if any(e.images for e in entries) else 1)
        heavy, light = page("a", 5), page("b")
        leaves, left_out = split_entries([heavy, light], Limits(urls=9, bytes=limit), measure)
        assert left_out == ([] if fits else [heavy])
        assert [item for leaf in leaves for item in leaf.items if item is light] == [light]


class TestIndexes:
    @staticmethod
    def sitemaps(number: int) -> list[Sitemap]:
        entries = (page(0),)
        return [
            Sitemap(path=f"sitemap-{each}.xml", entries=entries, url=f"{BASE}sitemap-{each}.xml")
            for each in range(number)
        ]

    @pytest.mark.parametrize(("number", "several"), [(50_000, False), (50_001, True)])
    def test_list_at_most_fifty_thousand_sitemaps(self, number: int, *, several: bool) -> None:
        """SM-IDX-01."""
        sitemaps = self.sitemaps(number)
        leaves = split_sitemaps(sitemaps, Limits(), IndexWriter())
        assert [leaf.bits for leaf in leaves] == (["0", "1"] if several else [""])
        assert {item.path for leaf in leaves for item in leaf.items} == {each.path for each in sitemaps}
        assert sum(len(leaf.items) for leaf in leaves) == number

    def test_are_split_by_the_names_of_the_files(self) -> None:
        sitemaps = self.sitemaps(9)
        for leaf in split_sitemaps(sitemaps, Limits(urls=2), IndexWriter()):
            for each in leaf.items:
                digest = hashlib.blake2b(each.path.encode(), digest_size=8).digest()
                assert f"{int.from_bytes(digest, 'big'):064b}".startswith(leaf.bits)

    def test_without_sitemaps_there_are_none(self) -> None:
        assert split_sitemaps([], Limits(urls=2), IndexWriter()) == []
