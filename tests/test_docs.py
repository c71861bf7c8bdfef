"""The manual says what the code does."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from sitemap_plugins.options import PageValues, Settings, read_settings

DOCS = Path(__file__).parent.parent / "docs"


def load_generator() -> Any:
    spec = importlib.util.spec_from_file_location("docs_generate", DOCS / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = load_generator()
GENERATED = GENERATOR.pages()


@pytest.mark.parametrize("option", [field.name for field in msgspec.structs.fields(Settings)])
def test_every_option_has_a_section(option: str) -> None:
    assert f"\n## `{option}`\n" in (DOCS / "options.md").read_text(encoding="utf-8")


def test_no_section_is_about_an_option_that_does_not_exist() -> None:
    lines = (DOCS / "options.md").read_text(encoding="utf-8").splitlines()
    sections = [line.removeprefix("## ").strip("`") for line in lines if line.startswith("## ")]
    assert sections == [field.name for field in msgspec.structs.fields(Settings)]


@pytest.mark.parametrize("page", GENERATED)
def test_a_page_that_is_made_from_the_source_is_up_to_date(page: str) -> None:
    is_new = (DOCS / page).read_text(encoding="utf-8") == GENERATED[page]
    assert is_new, f"docs/{page} is stale: run python -m nox -s reference"


@pytest.mark.parametrize("name", PageValues.__struct_fields__)
def test_every_value_of_front_matter_is_explained(name: str) -> None:
    assert f"\n| `{name}` | " in (DOCS / "front-matter.md").read_text(encoding="utf-8")


def test_every_link_of_the_manual_leads_somewhere() -> None:
    root = DOCS.parent
    for page in [root / "README.md", root / "CONTRIBUTING.md", *DOCS.glob("*.md")]:
        for target in _relative_links(page.read_text(encoding="utf-8")):
            name, _, anchor = target.partition("#")
            file = page.parent / name if name else page
            assert file.exists(), f"{page.name} links to {target}"
            if anchor:
                assert anchor in GENERATOR.headings(file.read_text(encoding="utf-8")), f"{page.name} links to {target}"


def _relative_links(text: str) -> list[str]:
    targets = [part.partition(")")[0] for part in text.split("](")[1:]]
    return [target for target in targets if not target.startswith("http")]


def _pairs() -> list[Any]:
    """The options of the manual in YAML, each with the form for conf.py that follows it."""
    form = re.compile(r"```yaml\n((?:(?!```).)*)```\n\nIn `conf.py`:\n\n```python\n(.*?)```\n", re.DOTALL)
    pages = [DOCS / "options.md", DOCS / "messages.md", DOCS.parent / "README.md"]
    found = [(page.name, *pair) for page in pages for pair in form.findall(page.read_text(encoding="utf-8"))]
    return [pytest.param(written, code, id=f"{name}: {written.split(':')[0]}") for name, written, code in found]


@pytest.mark.parametrize(("written", "code"), _pairs())
def test_an_example_is_the_same_in_yaml_and_in_conf_py(written: str, code: str) -> None:
    options = yaml.safe_load(written)
    plugins = options.get("plugins", [])
    options = next((each["sitemap"] for each in plugins if isinstance(each, dict) and "sitemap" in each), options)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102  # our own manual
    (settings, mistakes) = read_settings(options)
    assert mistakes == []
    assert settings != Settings() or options == {"git": names["sitemap_options"]["git"]}  # which shows the defaults
    assert read_settings(names["sitemap_options"]) == (settings, [])


def test_every_example_of_options_has_both_forms() -> None:
    text = (DOCS / "options.md").read_text(encoding="utf-8")
    assert text.count("```yaml\n") == sum("options.md" in str(pair.id) for pair in _pairs()) > 5


@pytest.mark.parametrize("page", ["options.md", "generators.md"])
def test_examples_in_toml_are_options(page: str) -> None:
    blocks = re.findall(r"```toml\n((?:(?!```).)*)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        values = tomllib.loads(block)
        options = values["project"]["plugins"]["sitemap"] if "project" in values else values
        settings, mistakes = read_settings(options)
        assert (settings != Settings(), mistakes) == (True, [])
