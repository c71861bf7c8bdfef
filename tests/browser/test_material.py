"""What Material's script reads in sitemaps: which links it follows without leaving the document, and other versions."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import Repository
from tests.hosts.test_mkdocs_versions import MIKE

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.browser.conftest import Sites

pytestmark = pytest.mark.browser


def write_site(folder: Path, plugins: list[object], *pages: str, **more: object) -> None:
    theme = {"name": "material", "font": False, "features": ["navigation.instant"]}
    config = {"site_name": "Tea", "theme": theme, "plugins": plugins, **more}
    shutil.rmtree(folder / "docs", ignore_errors=True)
    (folder / "docs").mkdir()
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    for page in pages:
        links = " ".join(f"[{other}]({other}.md)" for other in pages)
        (folder / "docs" / f"{page}.md").write_text(f"# {page}\n\n{links}\n")


@pytest.fixture(scope="module")
def instant(once: Any, sites: Sites, run: Callable[..., None]) -> str:
    def build(folder: Path) -> None:
        plugins = [{"sitemap": {"exclude": "left-out/"}}]
        write_site(folder, plugins, "index", "listed", "left-out", site_url="http://instant.example/")
        run(folder, "-m", "mkdocs", "build", "--strict")

    return sites.publish("instant.example", once("instant", build) / "site")


@pytest.mark.parametrize(("page", "instantly"), [("listed", True), ("left-out", False)])
def test_only_listed_pages_load_instantly(
    browser: Chrome, until: Callable[[str], None], instant: str, page: str, instantly: bool
) -> None:
    browser.get(instant)
    until(f"return performance.getEntriesByName('{instant}sitemap.xml').some((entry) => entry.responseEnd)")
    browser.execute_script(f"window.mark = true; document.querySelector('article a[href$=\"{page}/\"]').click()")
    until(f"return document.querySelector('h1')?.textContent.startsWith('{page}')")
    assert browser.current_url == f"{instant}{page}/"
    assert browser.execute_script("return window.mark === true") is instantly


@pytest.fixture(scope="module")
def versions(once: Any, sites: Sites, run: Callable[..., None]) -> str:
    def deploy(folder: Path) -> None:
        repository = Repository(folder / "repository")
        for name in ("name", "email"):
            repository.git("config", f"user.{name}", "writer@example.org")
        plugins = ["sitemap", {"mike": {"canonical_version": "latest", "alias_type": "copy"}}]
        more = {"site_url": "http://versions.example/", "extra": {"version": {"provider": "mike"}}}
        for version, pages in {"1.0": ("index", "kept", "removed"), "2.0": ("index", "kept", "added")}.items():
            write_site(repository.path, plugins, *pages, **more)
            repository.commit("2026-03-01T10:00:00+00:00")
            run(repository.path, "-c", MIKE, "deploy", "--update-aliases", version, "latest")
        run(repository.path, "-m", "sitemap_plugins", "merge", "--retire", "--branch", "gh-pages")
        command = ["git", "archive", "gh-pages"]
        archive = subprocess.run(command, cwd=repository.path, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=io.BytesIO(archive)) as files:
            files.extractall(folder / "site", filter="data")

    return sites.publish("versions.example", once("versions", deploy) / "site")


@pytest.mark.parametrize(
    ("page", "version", "reached"),
    [
        ("latest/kept/", "1.0", "1.0/kept/"),
        ("latest/added/", "1.0", "1.0/"),
        ("1.0/kept/", "2.0", "2.0/kept/"),
        ("1.0/removed/", "2.0", "2.0/"),
    ],
)
def test_the_version_selector_stays_on_a_page_that_the_other_version_has(
    browser: Chrome, until: Callable[[str], None], versions: str, page: str, version: str, reached: str
) -> None:
    browser.get(f"{versions}{page}")
    until("return document.querySelector('.md-version__link') !== null")
    browser.execute_script(f"document.querySelector('.md-version__link[href$=\"/{version}/\"]').click()")
    until(f"return location.href !== '{versions}{page}' && document.readyState === 'complete'")
    assert browser.current_url == f"{versions}{reached}"
