"""The manual as a site, built by both hosts with our own plugins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def sites(once: Callable[..., Path]) -> tuple[Path, Path]:
    folder = once("manual", build_sites)
    return folder / "mkdocs", folder / "sphinx"


def build_sites(folder: Path) -> None:
    """Build each strictly: a link or an anchor that leads nowhere ends the build."""
    mkdocs, sphinx, doctrees = (str(folder / name) for name in ("mkdocs", "sphinx", "doctrees"))
    run("mkdocs", "build", "--strict", "--quiet", "--site-dir", mkdocs)
    run("sphinx", "-W", "--keep-going", "-q", "-b", "dirhtml", "-d", doctrees, "docs", sphinx)


def test_both_hosts_write_the_same_sitemap(sites: tuple[Path, Path]) -> None:
    mkdocs, sphinx = sites
    assert (mkdocs / "sitemap.xml").read_bytes() == (sphinx / "sitemap.xml").read_bytes()


def test_every_page_is_listed_and_in_the_navigation(sites: tuple[Path, Path]) -> None:
    content = (sites[0] / "sitemap.xml").read_text(encoding="utf-8")
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    pages = [page.stem for page in (ROOT / "docs").glob("*.md")]
    assert all(f"{'' if page == 'index' else f'{page}/'}</loc>" in content for page in pages)
    assert all(f": {page}.md\n" in f"{navigation}\n" for page in pages)
