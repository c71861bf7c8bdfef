"""The sdist and the wheel: the same bytes from any folder, nothing that lies around, and metadata without dead links."""

from __future__ import annotations

import email
import re
import tarfile
import tomllib
import zipfile
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from sitemap_plugins import __version__
from sitemap_plugins.project import MANUAL
from tests.builders import load_program

ROOT = Path(__file__).parent.parent
NAME = f"sitemap_plugins-{__version__}"
REPOSITORY = "https://git.example.org/owner/sitemap-plugins"
LINK = re.compile(r"\]\(([^\s()]+)\)")
headings = load_program(ROOT / "docs" / "generate.py").headings


def build(builder: type, folder: Path, output: Path) -> Path:
    (built,) = builder(str(folder)).build(directory=str(output), versions=["standard"])
    return Path(built)


@pytest.fixture(scope="module")
def sdist(once: Any) -> Path:
    folder = once("sdist", lambda folder: build(SdistBuilder, ROOT, folder))
    return folder / f"{NAME}.tar.gz"


@pytest.fixture
def source(sdist: Path, tmp_path: Path) -> Path:
    """The unpacked sdist."""
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    return tmp_path / "source" / NAME


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        return email.message_from_bytes(archive.read(f"{NAME}.dist-info/METADATA"))


def description(of: Message) -> str:
    return of.get_payload(decode=True).decode()


def set_address(source: Path) -> None:
    file = source / "sitemap_plugins" / "project.py"
    text = file.read_text(encoding="utf-8")
    changed = re.sub(r"^(REPOSITORY: .*) = .*$", rf'\1 = "{REPOSITORY}"', text, flags=re.MULTILINE)
    assert changed != text
    file.write_text(changed, encoding="utf-8")


def test_another_folder_gives_the_same_bytes(sdist: Path, source: Path, tmp_path: Path) -> None:
    assert build(SdistBuilder, source, tmp_path).read_bytes() == sdist.read_bytes()
    here, there = (build(WheelBuilder, folder, tmp_path / folder.name) for folder in (ROOT, source))
    assert here.read_bytes() == there.read_bytes()


def test_what_lies_in_the_folder_is_not_packed(sdist: Path, source: Path, tmp_path: Path) -> None:
    for stray in ("notes.txt", "site/index.html", ".env"):
        (source / stray).parent.mkdir(exist_ok=True)
        (source / stray).write_text("private", encoding="utf-8")
    assert build(SdistBuilder, source, tmp_path).read_bytes() == sdist.read_bytes()


def test_the_sdist_has_all_that_is_named(source: Path) -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["sdist"]
    assert [name for name in named["only-include"] if not (source / name).exists()] == []


def test_without_an_address_the_metadata_names_only_the_manual(source: Path, tmp_path: Path) -> None:
    project = source / "sitemap_plugins" / "project.py"
    unset = re.sub(r"^(REPOSITORY: .*) = .*$", r"\1 = None", project.read_text("utf-8"), flags=re.MULTILINE)
    project.write_text(unset, encoding="utf-8")
    found = metadata(build(WheelBuilder, source, tmp_path))
    urls = dict(each.split(", ") for each in found.get_all("Project-URL"))
    assert urls.pop("Documentation") == MANUAL
    assert urls.pop("Changelog", None) in {None, f"{MANUAL}changelog/"}
    assert not urls
    assert "SECURITY.md what a hostile page can" in description(found)
    assert "The licence is MIT.\n" in description(found)


def test_an_address_of_the_repository_is_in_the_metadata(source: Path, tmp_path: Path) -> None:
    set_address(source)
    (source / "docs" / "changelog.md").unlink(missing_ok=True)
    found = metadata(build(WheelBuilder, source, tmp_path))
    assert dict(each.split(", ") for each in found.get_all("Project-URL")) == {
        "Documentation": MANUAL,
        "Changelog": f"{REPOSITORY}/blob/main/CHANGELOG.md",
        "Source": REPOSITORY,
        "Issues": f"{REPOSITORY}/issues",
    }
    assert f"[sample site]({REPOSITORY}/tree/main/sample_sites)" in description(found)
    assert f"[Tests]({REPOSITORY}/blob/main/tests/hosts/test_peers.py)" in description(found)
    files = [url.partition("/main/")[2] for url in LINK.findall(description(found)) if url.startswith(REPOSITORY)]
    assert [file for file in files if file and not (source / file).exists()] == []


def test_the_changelog_is_a_page_of_the_manual_if_it_has_one(source: Path, tmp_path: Path) -> None:
    set_address(source)
    (source / "docs" / "changelog.md").write_text("# Changelog\n", encoding="utf-8")
    found = metadata(build(WheelBuilder, source, tmp_path))
    assert f"Changelog, {MANUAL}changelog/" in found.get_all("Project-URL")
    assert f"[CHANGELOG.md]({MANUAL}changelog/)" in description(found)


def test_every_link_of_the_readme_works_on_an_index(source: Path, tmp_path: Path) -> None:
    with_anchors = "\n[a](docs/ci.md#robotstxt) [b](docs/index.md) [c](docs/generate.py) [d](#e)\n"
    readme = source / "README.md"
    readme.write_text(readme.read_text(encoding="utf-8") + with_anchors, encoding="utf-8")
    text = description(metadata(build(WheelBuilder, source, tmp_path)))
    assert text.endswith(f"\n[a]({MANUAL}ci/#robotstxt) [b]({MANUAL}) c [d](#e)\n")
    targets = LINK.findall(text)
    assert [each for each in targets if not each.startswith(("https://", "#"))] == []
    for target in (each.removeprefix(MANUAL) for each in targets if each.startswith(MANUAL)):
        place, _, anchor = target.partition("#")
        file = ROOT / "docs" / (place if place.startswith("images/") else f"{place.rstrip('/') or 'index'}.md")
        assert file.is_file(), target
        assert not anchor or anchor in headings(file.read_text(encoding="utf-8")), target
