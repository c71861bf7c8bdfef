"""sphinx-autoapi regenerates documents in every build: they have the dates of the modules they show."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("autoapi")

CONFIG = {"extensions": ["sitemap_plugins.sphinx", "autoapi.extension"], "autoapi_dirs": ["../src/pkg"]}
MODULES = {
    "src/pkg/__init__.py": '"""A package."""\n\nfrom pkg.one import Shown\n\n__all__ = ["Shown"]\n',
    "src/pkg/two.py": '"""Two."""\n\nfrom pkg.one import Shown\n\nTWO = Shown\n',
    "src/pkg/one.py": '"""One."""\n\n\nclass Shown:\n    """Shown."""\n\n    def work(self):\n        """Work."""\n',
}
DATED = {
    "index.html": "2026-01-01",
    "autoapi/index.html": "",
    "autoapi/pkg/index.html": "2026-01-04",
    "autoapi/pkg/one/index.html": "2026-01-04",
    "autoapi/pkg/two/index.html": "2026-01-03",
}


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """One module for each day from 2 January 2026 on."""
    repository.write(".gitignore", "output\ndoctrees\ndocs/autoapi\n")
    site = sphinx_site.at(repository.path)
    site.write("docs/index.rst", "Home\n====\n\n.. toctree::\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    for day, (name, content) in enumerate(MODULES.items(), 2):
        repository.write(name, content)
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    return site


def build(site: Any, options: object = None, **config: Any) -> Any:
    built = site.build(options, **CONFIG | config)
    assert not built.failed, built.warnings
    assert not built.said("sitemap: ", level="warning")
    return built


@pytest.mark.parametrize("keep", [False, True])
def test_pages_have_the_dates_of_the_modules_they_show(site: Any, repository: Any, keep: object) -> None:
    assert build(site, autoapi_keep_files=keep).days == DATED
    assert build(site, autoapi_keep_files=keep).days == DATED
    repository.write("src/pkg/two.py", MODULES["src/pkg/two.py"] + "\nTHREE = 3\n")
    repository.commit("2026-01-05T12:00:00+00:00")
    assert build(site, autoapi_keep_files=keep).days == DATED | {"autoapi/pkg/two/index.html": "2026-01-05"}


def test_own_pages_have_the_date_of_the_module_that_their_object_comes_from(site: Any, repository: Any) -> None:
    repository.write("src/pkg/three.py", "from pkg.two import Shown\n\n__all__ = ['Shown']\n")  # by way of another
    repository.commit("2026-01-05T12:00:00+00:00")
    options = ["members", "undoc-members", "imported-members"]
    days = build(site, autoapi_own_page_level="method", autoapi_options=options).days
    names = [f"autoapi/pkg/{name}.html" for name in ("one/Shown", "Shown", "Shown.work", "three/Shown")]
    assert [days[name] for name in names] == ["2026-01-04"] * len(names)
    assert days["autoapi/pkg/three/index.html"] == "2026-01-05"


def test_the_record_names_the_module(site: Any) -> None:
    record = json.loads(build(site, {"record": "record.json"}).read("record.json"))
    (page,) = (each for each in record["pages"] if each["loc"].endswith("/autoapi/pkg/index.html"))
    assert page["path"] == "src/pkg/one.py"
    assert "document" not in page


def test_dependencies_can_be_switched_off(site: Any) -> None:
    assert build(site, {"git": {"dependencies": False}}).days["autoapi/pkg/one/index.html"] == ""


def test_a_version_that_stores_its_objects_elsewhere(site: Any) -> None:
    site.code = (
        "def hide(app, env):\n    del env.autoapi_objects\n\n"
        "def setup(app):\n    app.connect('env-updated', hide, priority=1)\n"
    )
    built = build(site)
    assert built.days["autoapi/pkg/one/index.html"] == ""
    assert built.said("the installed version of sphinx-autoapi does not tell", "depends_on", level="info")
