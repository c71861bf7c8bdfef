"""The manual on the screens of readers: its first screen, its width, its code and its search."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.conftest import resize
from tests.test_manual import QUESTIONS, build_sites

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.browser.conftest import Sites

pytestmark = pytest.mark.browser
SCREENS = {"laptop": (1280, 800), "phone": (390, 844)}
PARTS = """
const parts = {claim: 'p strong', proof: 'pre', highlights: 'ul li a', enable: '#enable'};
const main = document.querySelector('article');
return Object.keys(parts).filter((part) => main.querySelector(parts[part]).getBoundingClientRect().top >= innerHeight);
"""
SIDEWAYS = """
return [...document.querySelectorAll('body, body *')].filter((each) =>
  !each.closest('pre') && each.scrollWidth > each.clientWidth + 1 && (each === document.body ||
  ['auto', 'scroll'].includes(getComputedStyle(each).overflowX) && each.clientWidth)).map((each) => each.outerHTML.slice(0, 200));
"""
COVERED = """
return [...document.querySelectorAll('pre:has(.md-code__button)')].filter((block) => {
  const {left, bottom} = block.querySelector('.md-code__button').getBoundingClientRect();
  const code = block.querySelector('code'), end = code.getBoundingClientRect().right, text = document.createRange();
  text.selectNodeContents(code);
  return [...text.getClientRects()].some((line) => Math.min(line.right, end) > left && line.top < bottom);
}).map((block) => block.textContent.slice(0, 200));
"""
TYPE = """
const box = document.querySelector('.md-search__input');
box.value = arguments[0];
box.dispatchEvent(new KeyboardEvent('keyup'));
"""
FIRST_THREE = """
return [...document.querySelectorAll('.md-search-result__item')].slice(0, 3).map((item) => {
  const {origin, pathname} = new URL(item.querySelector('a').href);
  return (origin + pathname).replace(arguments[0], '');
});
"""


@pytest.fixture(scope="module")
def manuals(once: Any, sites: Sites) -> dict[str, str]:
    """The address of the manual that each host has built."""
    folder = once("manual", build_sites)
    return {host: sites.publish(f"manual-{host}.example", folder / host) for host in ("mkdocs", "sphinx")}


@pytest.fixture(scope="module")
def pages(manuals: dict[str, str], sites: Sites) -> list[str]:
    """The paths of all pages of the manual."""
    folder = sites.folders[manuals["mkdocs"].split("/")[2]]
    return sorted(str(page.parent.relative_to(folder)) for page in folder.rglob("index.html"))


@pytest.fixture(params=SCREENS)
def screen(browser: Chrome, request: pytest.FixtureRequest) -> str:
    resize(browser, *SCREENS[request.param])
    return request.param


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
@pytest.mark.usefixtures("screen")
def test_four_parts_begin_on_the_first_screen(browser: Chrome, manuals: dict[str, str], host: str) -> None:
    browser.get(manuals[host])
    assert browser.execute_script(PARTS) == []


@pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
@pytest.mark.usefixtures("screen")
def test_only_code_scrolls_sideways(browser: Chrome, manuals: dict[str, str], pages: list[str], host: str) -> None:
    found = {}
    for page in pages:
        browser.get(manuals[host] + page)
        found[page] = browser.execute_script(SIDEWAYS)
    assert {page: wide for page, wide in found.items() if wide} == {}


@pytest.mark.usefixtures("screen")
def test_the_button_that_copies_code_covers_none(browser: Chrome, manuals: dict[str, str], pages: list[str]) -> None:
    found = {}
    for page in pages:
        browser.get(manuals["mkdocs"] + page)
        found[page] = browser.execute_script(COVERED)
    assert {page: blocks for page, blocks in found.items() if blocks} == {}


def test_questions_lead_to_their_pages(browser: Chrome, until: Callable[[str], None], manuals: dict[str, str]) -> None:
    """The page is one of the first three, as `tests/manual_search.py` computes without a browser."""
    browser.get(manuals["mkdocs"])
    shown = "document.querySelector('.md-search-result__meta').textContent.trim()"
    empty = "Type to start searching"
    browser.execute_script("document.querySelector('.md-search__input').focus()")
    found = {}
    for question, answer in QUESTIONS.items():
        until(f"return {shown} === '{empty}'")
        browser.execute_script(TYPE, question)
        until(f"return {shown} !== '{empty}'")
        found[question] = answer.partition("#")[0] in browser.execute_script(FIRST_THREE, manuals["mkdocs"])
        browser.execute_script(TYPE, "")
    assert [question for question, leads in found.items() if not leads] == []
