"""The sdist and the wheel: the same bytes from any folder, nothing that lies around, and metadata without dead links."""

from __future__ import annotations

import contextlib
import email
import re
import shutil
import tarfile
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hatchling.build import build_sdist, build_wheel, prepare_metadata_for_build_wheel

from sitemap_plugins import __version__
from sitemap_plugins.project import MANUAL
from tests.builders import load_program

ROOT = Path(__file__).parent.parent
NAME = f"sitemap_plugins-{__version__}"
REPOSITORY = "https://git.example.org/owner/sitemap-plugins"
LINK = re.compile(r"\]\(([^\s()]+)\)")
headings = load_program(ROOT / "docs" / "generate.py").headings


@pytest.fixture  # not of the module, which would be built before SOURCE_DATE_EPOCH is hidden
def sdist(once: Any) -> Path:
    folder = once("sdist", lambda folder: built(build_sdist, ROOT, folder))
    return folder / f"{NAME}.tar.gz"


@pytest.fixture
def unpacked(sdist: Path, tmp_path: Path) -> Path:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    return tmp_path / NAME


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """What the metadata is made from, in a folder of its own. The repository has an address there."""
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", "sitemap_plugins/__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    set_repository(tmp_path, REPOSITORY)
    return tmp_path


def built(build: Callable[[str], str], folder: Path, output: Path) -> bytes:
    with contextlib.chdir(folder):
        return (output / build(str(output))).read_bytes()


def metadata(folder: Path) -> tuple[dict[str, str], str]:
    """The URLs of the project and its description."""
    with contextlib.chdir(folder):
        name = prepare_metadata_for_build_wheel(".")
    message = email.message_from_string((folder / name / "METADATA").read_text(encoding="utf-8"))
    return dict(each.split(", ") for each in message.get_all("Project-URL")), message.get_payload()


def set_repository(folder: Path, address: str | None) -> None:
    text = (ROOT / "sitemap_plugins" / "project.py").read_text(encoding="utf-8")
    changed, count = re.subn(r"^(REPOSITORY: .*) = .*$", rf"\1 = {address!r}", text, flags=re.MULTILINE)
    assert count == 1
    (folder / "sitemap_plugins" / "project.py").write_text(changed, encoding="utf-8")


def test_another_folder_gives_the_same_bytes(sdist: Path, unpacked: Path, tmp_path: Path) -> None:
    assert built(build_sdist, unpacked, tmp_path) == sdist.read_bytes()
    assert built(build_wheel, unpacked, tmp_path) == built(build_wheel, ROOT, tmp_path)


def test_what_lies_in_the_folder_is_not_packed(sdist: Path, unpacked: Path, tmp_path: Path) -> None:
    for stray in ("notes.txt", "site/index.html", ".env"):
        (unpacked / stray).parent.mkdir(exist_ok=True)
        (unpacked / stray).write_text("private", encoding="utf-8")
    assert built(build_sdist, unpacked, tmp_path) == sdist.read_bytes()


def test_all_files_that_are_named_for_the_sdist_exist(unpacked: Path) -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["sdist"]
    assert [name for name in named["only-include"] if not (unpacked / name).exists()] == []


def test_without_an_address_the_metadata_names_only_the_manual(source: Path) -> None:
    set_repository(source, None)
    urls, description = metadata(source)
    assert urls.pop("Documentation") == MANUAL
    assert urls.pop("Changelog", None) in {None, f"{MANUAL}changelog/"}
    assert not urls
    assert "SECURITY.md what a hostile page can" in description
    assert "The licence is MIT.\n" in description


def test_an_address_of_the_repository_is_in_the_metadata(source: Path) -> None:
    (source / "docs" / "changelog.md").unlink(missing_ok=True)
    urls, description = metadata(source)
    assert urls == {
        "Documentation": MANUAL,
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
    }
    assert f"[sample site]({REPOSITORY}/tree/main/sample_sites)" in description
    assert f"[Tests]({REPOSITORY}/blob/main/tests/hosts/test_peers.py)" in description
    files = [url.partition("/main/")[2] for url in LINK.findall(description) if url.startswith(REPOSITORY)]
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_the_changelog_is_a_page_of_the_manual_if_it_has_one(source: Path) -> None:
    (source / "docs" / "changelog.md").write_text("# Changelog\n", encoding="utf-8")
    urls, description = metadata(source)
    assert urls["Changelog"] == f"{MANUAL}changelog/"
    assert f"[CHANGELOG.md]({MANUAL}changelog/)" in description


def test_every_link_of_the_readme_works_on_an_index(source: Path) -> None:
    readme = source / "README.md"
    more = "\n[a](docs/ci.md#robotstxt) [b](docs/index.md) [c](docs/generate.py#d) [e](#f)\n"
    readme.write_text(readme.read_text(encoding="utf-8") + more, encoding="utf-8")
    _, text = metadata(source)
    program = f"{REPOSITORY}/blob/main/docs/generate.py#d"
    assert text.endswith(f"\n[a]({MANUAL}ci/#robotstxt) [b]({MANUAL}) [c]({program}) [e](#f)\n")
    targets = LINK.findall(text)
    assert [each for each in targets if not each.startswith(("https://", "#"))] == []
    for target in (each.removeprefix(MANUAL) for each in targets if each.startswith(MANUAL)):
        place, _, anchor = target.partition("#")
        file = ROOT / "docs" / (place if place.startswith("images/") else f"{place.rstrip('/') or 'index'}.md")
        assert file.is_file(), target
        assert not anchor or anchor in headings(file.read_text(encoding="utf-8")), target


def test_the_changelog_has_the_version_and_names_what_is_supported() -> None:
    head, *sections = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert re.match(rf"\[{re.escape(__version__)}\] - (?:Unreleased|\d{{4}}-\d\d-\d\d)\n", sections[0])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = re.findall(r"Python :: (3\.\d+)", "".join(project["classifiers"]))
    assert f"Python {pythons[0]} to {pythons[-1]}," in head
    assert project["optional-dependencies"] == {"mkdocs": ["mkdocs>=1.6,<2"], "sphinx": ["sphinx>=7.2"]}
    assert "MkDocs 1.6," in head
    assert "Sphinx 7.2 and later," in head
