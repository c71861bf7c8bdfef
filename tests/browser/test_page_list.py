"""The page for readers that lists all pages, in the themes that most sites have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.hosts.conftest import MkDocsSite, SphinxSite

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.browser.conftest import Sites

pytestmark = pytest.mark.browser
PAGES = ("index", "guide/index", "guide/first", "second")


def build_with_material(folder: Path, url: str, _run: object) -> tuple[Path, str]:
    site = MkDocsSite(folder)
    site.pages(*(f"{page}.md" for page in PAGES))
    return site.build({"html": True}, site_url=url, theme={"name": "material", "font": False}).output, "sitemap/"


def build_with_furo(folder: Path, url: str, _run: object) -> tuple[Path, str]:
    site = SphinxSite(folder)
    site.pages(*(f"{page}.rst" for page in PAGES))
    return site.build({"html": True}, html_baseurl=url, html_theme="furo").output, "sitemap.html"


def build_plain(folder: Path, url: str, run: Callable[..., None]) -> tuple[Path, str]:
    for page in PAGES:
        (folder / "site" / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / "site" / f"{page}.html").write_text(f"<!doctype html><html lang=en><title>{page}</title></html>")
    (folder / "sitemap.toml").write_text(f'html = true\nbase_url = "{url}"\n')
    run(folder, "-m", "sitemap_plugins", "build", "site", "--project", ".")
    return folder / "site", "sitemap.html"


BUILDERS = {"material": build_with_material, "furo": build_with_furo, "plain": build_plain}


@pytest.fixture(scope="module", params=BUILDERS)
def page_list(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, sites: Sites, run: Callable[..., None]
) -> str:
    """The address of the page."""
    host = f"list-{request.param}.example"
    output, path = BUILDERS[request.param](tmp_path_factory.mktemp("site"), f"http://{host}/", run)
    return sites.publish(host, output) + path


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
