"""Merging a folder without the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_plugins.merge import LanguageError, LanguageFolder, MergeError, merge_folder
from sitemap_plugins.versions import NoVersionsError

X = "https://x.org/"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'


def publish(root: Path, folder: str, lang: str) -> None:
    path = root / folder
    path.mkdir(parents=True)
    url = f"{X}{folder}/"
    path.joinpath("index.html").write_text(f'<html lang="{lang}"><head><link rel="canonical" href="{url}"></head>')
    path.joinpath("sitemap.xml").write_text(f"{OPEN}<url><loc>{url}</loc></url></urlset>")


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    publish(tmp_path, "en", "en")
    publish(tmp_path, "fr", "fr")
    return tmp_path


@pytest.fixture
def versions(tmp_path: Path) -> Path:
    publish(tmp_path, "1.0", "en")
    publish(tmp_path, "2.0", "en")
    return tmp_path


def test_languages_are_merged(languages: Path) -> None:
    merged, changed = merge_folder(str(languages))
    assert merged.versions is None
    assert (merged.clusters, merged.problems) == (1, ())
    assert changed == ["en/sitemap.xml", "fr/sitemap.xml"]
    assert f'href="{X}fr/"' in (languages / "en/sitemap.xml").read_text()
    assert merge_folder(str(languages))[1] == []


def test_versions_are_merged(versions: Path) -> None:
    merged, changed = merge_folder(str(versions))
    assert merged.versions
    assert (dict(merged.versions.listed), merged.problems) == ({"2.0": 1}, ())
    assert {version.name: numbers for version, numbers in merged.versions.others.items()} == {"1.0": (1, 0)}
    assert changed == ["sitemap.xml", "sitemap.xml.gz", "robots.txt"]


@pytest.mark.parametrize(("keep", "newest", "listed"), [(["1.0"], 0, {"1.0"}), ([], None, {"1.0", "2.0"})])
def test_which_versions_are_listed(versions: Path, keep: list[str], newest: int | None, listed: set[str]) -> None:
    merged, _ = merge_folder(str(versions), keep=keep, newest=newest)
    assert merged.versions
    assert merged.versions.listed.keys() == listed


def test_a_dry_run_writes_nothing(versions: Path) -> None:
    _, changed = merge_folder(str(versions), dry_run=True)
    assert "sitemap.xml" in changed
    assert not (versions / "sitemap.xml").exists()


def test_a_folder_without_sitemaps_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MergeError, match="there is no usable sitemap"):
        merge_folder(str(tmp_path))


def test_unusable_sitemaps_are_named(tmp_path: Path) -> None:
    (tmp_path / "sitemap.xml").write_text("")
    with pytest.raises(MergeError) as caught:
        merge_folder(str(tmp_path))
    assert [problem.partition(" ")[0] for problem in caught.value.problems] == ["sitemap.xml"]


def test_a_folder_without_versions_is_refused_if_one_is_to_be_kept(languages: Path) -> None:
    with pytest.raises(NoVersionsError):
        merge_folder(str(languages), keep=["1.0"])


@pytest.mark.parametrize(("folder", "message"), [("gone", "there is no folder gone"), ("fr", "a single language")])
def test_languages_that_cannot_be_joined_are_refused(languages: Path, folder: str, message: str) -> None:
    language = LanguageFolder(folder=folder, code="fr", known_by="--language", mapped=True)
    with pytest.raises(LanguageError, match=message):
        merge_folder(str(languages), [language])


def test_no_part_of_the_command_line_is_imported() -> None:
    program = "import sys, sitemap_plugins.merge; print({'click', 'rich', 'sitemap_plugins.commands'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
