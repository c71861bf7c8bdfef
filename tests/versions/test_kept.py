"""Which version is canonical, at which URL and why, and warnings about problems with it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.commands.versions import version_rows
from sitemap_plugins.values.version_names import read_name
from sitemap_plugins.versions.kept import Kept, UnknownVersionError, address_of, choose_kept
from sitemap_plugins.versions.version import Alias, AliasKind, RootSite, Version, Versions

X = "https://x.org/"
OWN = "own"


def version(folder: str, url: str | None = OWN, *aliases: tuple[str, AliasKind], **fields: Any) -> Version:
    """A version with these aliases, with pages that name a URL: by default that of its folder."""
    name = folder.rpartition("/")[2] or "."
    read = read_name(name)
    parent = folder.removesuffix(name)
    common: dict[str, Any] = {
        "folder": folder,
        "name": name,
        "real_folder": folder,
        "stage": read.stage if read else "development",
        "number": read.number if read else None,
        "written": name if read and read.number else "",
        "declared_url": f"{X}{folder}/" if url == OWN else url,
        "links_to": f"{X}{folder}/" if url == OWN else url,
        "known_by": ("folder name",),
        "aliases": tuple(Alias(folder=f"{parent}{alias}", kind=kind) for alias, kind in aliases),
    }
    return Version(**common | fields)


def tree(*versions: Version, root_url: str | None = X, **fields: Any) -> Versions:
    return Versions(versions=versions, root_url=root_url, **fields)


def kept(given: Versions, *keep: str) -> tuple[str, str | None, str, str]:
    """The kept version of a site in one language: its folder, its URL, the folder of that URL, and the reason."""
    (only,) = choose_kept(given, keep).kept
    return only.version.folder, only.base_url, only.folder, only.reason


def test_the_folders_of_versions_and_aliases_have_kinds() -> None:
    given = tree(version("2.0", OWN, ("latest", "symlink")), version("1.0"))
    assert given.kinds == {"2.0": "version", "1.0": "version", "latest": "alias"}


class TestWhich:
    @pytest.mark.parametrize("kind", ["symlink", "copy"])
    def test_an_alias_with_content_has_the_url_of_its_canonical_links(self, kind: AliasKind) -> None:
        """Without mike's canonical_version this is the number, otherwise the value of the option."""
        number = tree(version("8.0", OWN, ("stable", kind)), version("7.0"))
        assert kept(number) == ("8.0", f"{X}8.0/", "8.0", "alias stable")
        alias = tree(version("8.0", f"{X}stable/", ("stable", kind)), version("7.0", f"{X}stable/"))
        assert kept(alias) == ("8.0", f"{X}stable/", "stable", "canonical links in 2 of 2 versions")
        assert choose_kept(alias).warnings == ()

    def test_an_alias_of_redirects_counts_as_its_target(self) -> None:
        given = tree(version("9.0"), version("8.0", OWN, ("stable", "redirect")), version("7.0", f"{X}stable/"))
        assert kept(given) == ("8.0", f"{X}8.0/", "8.0", "canonical links in 1 of 3 versions")

    def test_canonical_links_of_few_versions_are_a_mistake(self) -> None:
        given = tree(version("2.0"), version("1.1", f"{X}1.0/"), version("1.0"))
        assert kept(given)[0] == "2.0"
        most = tree(version("2.0", f"{X}1.0/"), version("1.1", f"{X}1.0/"), version("1.0"))
        assert kept(most)[0] == "1.0"
        (warning,) = choose_kept(most).warnings
        assert warning == (
            f"1.0 is kept, but 2.0 is newer; the canonical links of 2.0 also lead to {X}1.0/: publish 2.0 there, or "
            "correct them"
        )

    def test_an_alias_that_was_not_moved_to_the_newest_version(self) -> None:
        stable = f"{X}stable/"
        given = tree(version("2.0", stable), version("1.0", stable, ("stable", "copy")))
        assert kept(given)[:2] == ("1.0", stable)
        assert choose_kept(given).warnings == (
            (
                f"1.0 is kept, but 2.0 is newer; the canonical links of 2.0 also lead to {stable}: publish 2.0 there "
                "(with mike: mike alias --update-aliases 2.0 stable), or correct them"
            ),
        )

    def test_the_preferred_version_in_a_list(self) -> None:
        given = tree(version("2.0"), version("stable"), version("1.0", is_preferred=True))
        assert kept(given)[::3] == ("1.0", "preferred in the list of versions")

    @pytest.mark.parametrize(
        ("names", "expected"),
        [
            (["main", "latest", "stable", "2.0"], ("stable", "named stable")),
            (["main", "latest", "2.0"], ("latest", "named latest")),
            (["main", "3.0rc1", "2.0", "1.0"], ("2.0", "newest release")),
            (["main", "3.0rc1"], ("main", "newest version, none is a release")),
        ],
    )
    def test_otherwise_the_names_decide(self, names: list[str], expected: tuple[str, str]) -> None:
        assert kept(tree(*map(version, names)))[::3] == expected

    def test_a_version_at_the_root(self) -> None:
        given = tree(version("", X), version("1.0", X))
        assert kept(given) == ("", X, "", "canonical links in 2 of 2 versions")

    def test_each_language_has_its_own(self) -> None:
        given = tree(
            version("en/2.0", language="en"), version("en/1.0", language="en"), version("fr/1.0", language="fr")
        )
        assert [each.base_url for each in choose_kept(given).kept] == [f"{X}en/2.0/", f"{X}fr/1.0/"]

    def test_without_a_url_in_the_pages_there_is_none(self) -> None:
        assert kept(tree(version("1.0", None), root_url=None)) == ("1.0", None, "1.0", "newest release")
        assert kept(tree(version("1.0", None)))[1] == f"{X}1.0/"
        assert kept(tree(version("1 0", None)))[1] == f"{X}1%200/"

    def test_a_version_can_have_its_own_host(self) -> None:
        given = tree(version("2.0", "https://docs.y.org/"), version("1.0", "https://v1.y.org/"))
        assert kept(given)[:3] == ("2.0", "https://docs.y.org/", "2.0")

    def test_a_url_elsewhere_that_several_versions_name_is_ignored(self) -> None:
        moved = "https://y.org/stable/"
        given = tree(version("3.0"), version("2.0", moved), version("1.0", moved))
        assert [address_of(given, each) for each in given.versions[1:]] == [(f"{X}2.0/", "2.0"), (f"{X}1.0/", "1.0")]


class TestKeep:
    def test_the_first_version_that_the_author_names_is_canonical(self) -> None:
        given = tree(version("2.0", OWN, ("stable", "copy")), version("1.0"), version("0.9"))
        assert kept(given, "1.0", "stable", "2.0")[::3] == ("1.0", "--keep")
        choice = choose_kept(given, ["1.0", "stable", "2.0"])
        assert [each.folder for each in choice.kept[0].others] == ["2.0"]
        assert choice.warnings == (
            "1.0 is kept, but 2.0 is newer; put --keep 2.0 first to make that the canonical one",
        )
        assert choose_kept(given, ["stable", "1.0"]).warnings == ()

    def test_one_beside_the_canonical_version_whose_pages_name_that(self) -> None:
        given = tree(version("2.0", f"{X}stable/", ("stable", "copy")), version("1.0", f"{X}stable/"))
        assert choose_kept(given, ["stable", "1.0"]).warnings == (
            f"the pages of 1.0 have canonical links to {X}stable/, so search engines do not list them below {X}1.0/",
        )

    def test_an_unknown_version(self) -> None:
        given = tree(version("2.0", OWN, ("stable", "copy")), version("1.0"))
        with pytest.raises(UnknownVersionError, match=r"^there is no version '1\.00'; did you mean '1\.0'\?$"):
            choose_kept(given, ["1.00"])
        with pytest.raises(UnknownVersionError, match=r"valid names are 2\.0, stable and 1\.0$"):
            choose_kept(given, ["nonsense"])

    def test_a_version_that_a_language_lacks(self) -> None:
        given = tree(version("en/2.0", language="en"), version("fr/1.0", language="fr"))
        choice = choose_kept(given, ["2.0"])
        assert [each.reason for each in choice.kept] == ["--keep", "newest release"]
        assert choice.warnings == ("fr has no version 2.0, so 1.0 is kept there",)

    def test_a_version_with_pages_that_name_another(self) -> None:
        given = tree(version("2.0"), version("1.0", f"{X}2.0/"))
        assert kept(given, "1.0")[1] == f"{X}1.0/"
        assert choose_kept(given, ["1.0"]).warnings == (
            "1.0 is kept, but 2.0 is newer; --keep 2.0 keeps that one",
            f"the pages of 1.0 have canonical links to {X}2.0/, so search engines do not list them below {X}1.0/",
        )


class TestDangers:
    def test_stable_is_older_than_the_newest_release(self) -> None:
        stable = version("stable", number=read_name("1.0.5").number, written="v1.0.5")
        given = tree(version("2.0rc1"), version("v1.2"), stable)
        assert choose_kept(given).warnings == (
            "stable (v1.0.5) is kept, but v1.2 is newer; --keep v1.2 keeps that one",
        )
        assert choose_kept(given, ["stable"]).warnings == choose_kept(given).warnings

    @pytest.mark.parametrize(("name", "stage"), [("2.0rc1", "pre-release"), ("dev", "development")])
    def test_the_kept_version_is_not_a_release(self, name: str, stage: str) -> None:
        assert choose_kept(tree(version(name))).warnings == (f"{name} is kept, but is a {stage} version",)

    def test_each_names_the_language_which_may_keep_a_version_of_the_same_name(self) -> None:
        stable = version("fr/stable", language="fr", number=read_name("1.5").number, written="1.5")
        old = version("de/1.0", f"{X}gone/", language="de")
        newer = [version(f"{each}/2.0", language=each) for each in ("de", "fr")]
        dev = version("zh/dev", language="zh")
        given = tree(version("2.0"), version("1.0"), newer[0], old, newer[1], stable, dev)
        assert choose_kept(given, ["1.0", "stable", "dev"]).warnings == (
            f"the pages of 1.0 in de have canonical links to {X}gone/, where no version is published",
            "1.0 is kept, but 2.0 is newer; --keep 2.0 keeps that one",
            "1.0 in de is kept, but 2.0 is newer; --keep 2.0 keeps that one",
            "stable in fr (1.5) is kept, but 2.0 is newer; --keep 2.0 keeps that one",
            "dev in zh is kept, but is a development version",
        )
        astray = tree(version("fr/2.0", f"{X}fr/1.0/", language="fr"), version("fr/1.0", language="fr"))
        (warning,) = choose_kept(astray, ["2.0"]).warnings
        assert warning.startswith(f"the pages of 2.0 in fr have canonical links to {X}fr/1.0/, so")

    def test_the_kept_version_is_a_preview(self) -> None:
        url = "https://x--12.org.readthedocs.build/en/12/"
        assert choose_kept(tree(version("1.0", url))).warnings == (f"{url} is kept, but is a preview on Read the Docs",)

    def test_canonical_links_lead_nowhere(self) -> None:
        gone = f"{X}latest/"
        given = tree(
            version("2.0", gone),
            version("1.0", gone),
            root_site=RootSite(leads_to=None, is_material=False, declared_url=X),
        )
        assert kept(given)[:2] == ("2.0", f"{X}2.0/")
        assert choose_kept(given).warnings == (
            f"the pages of 2.0 and 1 more have canonical links to {gone}, where no version is published",
        )
        assert choose_kept(given, retires=True).warnings == (
            f"the pages of 2.0 have canonical links to {gone}, where no version is published",
        )

    @pytest.mark.parametrize("url", [f"{X}latest/1.0/", f"{X}2.0/"])
    def test_a_url_in_a_sitemap_is_no_canonical_link(self, url: str) -> None:
        given = tree(version("2.0"), version("1.0", url, links_to=None))
        assert choose_kept(given, ["2.0", "1.0"]).warnings == ()


FOLDERS = st.sampled_from(["1.0", "2.0", "stable", "latest", "main"])


@given(
    st.lists(
        st.tuples(
            FOLDERS, FOLDERS | st.none(), st.lists(st.tuples(FOLDERS, st.sampled_from(["symlink", "copy", "redirect"])))
        ),
        min_size=1,
        unique_by=lambda each: each[0],
    ),
    st.lists(FOLDERS, max_size=2),
)
def test_the_kept_url_is_that_of_a_folder_with_content(
    given_versions: list[tuple[str, str | None, list[tuple[str, AliasKind]]]], keep: list[str]
) -> None:
    used = {folder for folder, _, _ in given_versions}
    versions = []
    for folder, said, aliases in given_versions:
        free = {name: kind for name, kind in aliases if name not in used}
        used |= free.keys()
        versions.append(version(folder, f"{X}{said}/" if said else None, *free.items()))
    wanted = [name for name in keep if name in used]
    choice = choose_kept(tree(*versions), wanted)
    (only,) = choice.kept
    assert only.version in versions
    redirects = {alias.folder for each in versions for alias in each.aliases if alias.kind == "redirect"}
    assert only.folder in {only.version.folder, *(alias.folder for alias in only.version.aliases)} - redirects
    assert only.base_url == f"{X}{only.folder}/"
    if wanted:
        assert wanted[0] in only.version.names
    rows = version_rows(choice, versions)
    assert [row[-1] for row in rows if row[-1].startswith(X)] == [f"{only.base_url} ({only.reason})"]
    assert isinstance(only, Kept)


def test_the_table_shows_an_unknown_url_of_the_kept_version() -> None:
    given = tree(version("1.0", None), root_url=None)
    assert version_rows(choose_kept(given), given.versions)[1][-1] == "kept, URL unknown (newest release)"
