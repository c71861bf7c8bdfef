"""Merging a folder without the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sitemap_plugins.merge.folder import LanguageError, merge_folder
from sitemap_plugins.merge.language_folders import LanguageFolder
from sitemap_plugins.versions.kept import NoVersionsError

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


def test_a_dry_run_writes_nothing(versions: Path) -> None:
    _, changed = merge_folder(str(versions), dry_run=True)
    assert "sitemap.xml" in changed
    assert not (versions / "sitemap.xml").exists()


def test_a_folder_without_versions_is_refused_if_one_is_to_be_kept(languages: Path) -> None:
    with pytest.raises(NoVersionsError):
        merge_folder(str(languages), keep=["1.0"])


@pytest.mark.parametrize(("folder", "message"), [("gone", "there is no folder gone"), ("fr", "a single language")])
def test_languages_that_cannot_be_joined_are_refused(languages: Path, folder: str, message: str) -> None:
    language = LanguageFolder(folder=folder, code="fr", known_by="--language", mapped=True)
    with pytest.raises(LanguageError, match=message):
        merge_folder(str(languages), [language])


def test_no_part_of_the_command_line_is_imported() -> None:
    program = "import sys, sitemap_plugins.merge.folder; print({'click', 'rich', 'sitemap_plugins.commands'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "set()"
