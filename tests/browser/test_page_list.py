"""The page for readers that lists all pages, in the themes that most sites have."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.browser.conftest import Sites

pytestmark = pytest.mark.browser
PAGES = ("index", "guide/index", "guide/first", "second")


def build_with_material(folder: Path, url: str, run: Callable[..., None]) -> str:
    theme = {"name": "material", "font": False}
    config = {"site_name": "Tea", "site_url": url, "theme": theme, "plugins": [{"sitemap": {"html": True}}]}
    (folder / "mkdocs.yml").write_text(json.dumps(config))
    for page in PAGES:
        (folder / "docs" / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / "docs" / f"{page}.md").write_text(f"# About {page}\n")
    run(folder, "-m", "mkdocs", "build", "--strict")
    return "sitemap/"


def build_with_furo(folder: Path, url: str, run: Callable[..., None]) -> str:
    options = {"html": True}
    (folder / "conf.py").write_text(
        f"html_theme, html_baseurl, extensions = 'furo', {url!r}, ['sitemap_plugins.sphinx']\nsitemap_options = {options}\n"
    )
    for page in PAGES:
        (folder / page).parent.mkdir(exist_ok=True)
        others = "\n   ".join(("", "", *PAGES[1:])) if page == "index" else "\n"
        title = f"About {page}\n{'=' * 30}\n\n"
        (folder / f"{page}.rst").write_text(title + (f".. toctree::{others}\n" if page == "index" else ""))
    run(folder, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "site")
    return "sitemap.html"


def build_plain(folder: Path, url: str, run: Callable[..., None]) -> str:
    for page in PAGES:
        (folder / "site" / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / "site" / f"{page}.html").write_text(
            f"<!doctype html><html lang=en><title>About {page}</title><h1>{page}</h1></html>"
        )
    (folder / "sitemap.toml").write_text(f'html = true\nbase_url = "{url}"\n')
    run(folder, "-m", "sitemap_plugins", "build", "site", "--project", ".")
    return "sitemap.html"


BUILDERS = {"material": build_with_material, "furo": build_with_furo, "plain": build_plain}


@pytest.fixture(scope="module", params=BUILDERS)
def page_list(request: pytest.FixtureRequest, once: Any, sites: Sites, run: Callable[..., None]) -> str:
    """The address of the page."""
    host, names = f"list-{request.param}.example", []
    folder = once(host, lambda folder: names.append(BUILDERS[request.param](folder, f"http://{host}/", run)))
    return sites.publish(host, folder / "site") + names[0]


def test_every_link_leads_to_a_page(browser: Chrome, sites: Sites, page_list: str) -> None:
    browser.get(page_list)
    links = browser.execute_script("return [...document.querySelectorAll('.sitemap-pages a')].map((link) => link.href)")
    answers = browser.execute_async_script(
        "const [links, done] = arguments; Promise.all(links.map((url) => fetch(url))).then((all) => done(all.map((each) => each.status)))",
        links,
    )
    assert answers == [200] * len(PAGES)
    assert browser.get_log("browser") == []
    assert sites.missing == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_readers_with_a_disability_can_use_it(browser: Chrome, page_list: str, scheme: str) -> None:
    from selenium_axe_python import Axe

    media = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    browser.get(page_list)
    axe = Axe(browser)
    axe.inject()
    violations = axe.run({"exclude": [[".md-copyright"]]})[
        "violations"
    ]  # Material's link to itself has little contrast
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
