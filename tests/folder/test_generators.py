"""What is known of each generator: its pages and front matter, its project, the sources of its pages, and where posts of a blog are."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from sitemap_plugins.folder.configuration import Configuration, read_configuration
from sitemap_plugins.folder.generators import hugo, mkdocs, myst
from sitemap_plugins.folder.generators.mkdocs import find_api_pages, find_documents
from sitemap_plugins.folder.generators.recognizing import GENERATORS, find_project, recognize_generator
from sitemap_plugins.folder.generators.source import FrontMatter, Source, read_front_matter
from sitemap_plugins.model import Markup


def write(root: Path, files: Iterable[str]) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def stems(root: Path, documents: Iterable[tuple[str, Source]]) -> dict[str, str]:
    """The stem of each document, by its path below the project."""
    return {Path(document.file).relative_to(root).as_posix(): stem for stem, document in documents}


def test_front_matter_of_hugo() -> None:
    assert hugo.translate({"Sitemap": {"priority": -1, "disable": True}, "LastMod": "2024-05-01"}) == {
        "sitemap": {"exclude": True},
        "lastmod": "2024-05-01",
        "sitemap_lastmod": "2024-05-01",
    }
    assert hugo.translate({"sitemap": {"priority": 0.5, "disable": False, "filename": "x.xml"}}) == {
        "sitemap": {"priority": 0.5}
    }


@pytest.mark.parametrize(
    ("name", "values", "date"),
    [
        ("Docusaurus", {"last_update": {"date": "2024-05-01", "author": "A"}}, "2024-05-01"),
        ("Docusaurus", {"last_update": "2024-05-01"}, None),
        ("VitePress", {"lastUpdated": "2024-05-01"}, "2024-05-01"),
        ("VitePress", {"lastUpdated": False}, None),
        ("Starlight", {"lastUpdated": "2024-05-01", "sitemap_lastmod": "2025-01-01"}, "2025-01-01"),
        ("Hugo", {"lastmod": "yesterday"}, None),
        ("MkDocs", {"lastUpdated": "2024-05-01"}, None),
    ],
)
def test_dates_that_a_generator_reads(name: str, values: dict[str, object], date: str | None) -> None:
    generator = next(each for each in GENERATORS if each.name == name)
    assert generator.translate(values).get("sitemap_lastmod") == date


def test_the_front_matter_of_a_generator_is_tested_and_in_the_manual() -> None:
    docs = Path(__file__).parents[2] / "docs"
    ours, manual = ((docs / page).read_text(encoding="utf-8") for page in ("front-matter.md", "generators.md"))
    tests = Path(__file__).read_text(encoding="utf-8")
    for each in GENERATORS:
        said = ours + "".join(paragraph for paragraph in manual.split("\n\n") if each.name in paragraph)
        for key in re.findall(r'(?:get\(|\[)"([\w-]+)"', inspect.getsource(each.translate)):
            is_tested = re.search(rf'("{each.name}", |{each.name.lower()}\.translate\().*"{key}"', tests)
            assert is_tested, f"add a row with {key!r} of {each.name} above"
            is_explained = re.search(rf"`[^`]*\b{key}\b", said)
            assert is_explained, f"add a sentence about {key!r} of {each.name} to docs/generators.md"


def test_mkdocs(tmp_path: Path) -> None:
    files = ["README.md", "guide/index.md", "guide/README.md", "guide/a.b.md", "readme/x.md", ".hidden/x.md", "api.txt"]
    write(tmp_path, files)
    configuration = Configuration(root=str(tmp_path), project={"docs_dir": "."})
    assert stems(tmp_path, mkdocs.find_documents(configuration, lambda _: FrontMatter())) == {
        "README.md": "",
        "guide/index.md": "guide",
        "guide/a.b.md": "guide/a.b",
        "readme/x.md": "readme/x",
    }


API: Final = ("src/pkg/__init__.py", "src/pkg/a.py", "src/pkg/a.pyi", "src/pkg/index.py", "src/one.py", "venv/lib/b.py")
AUTONAV: Final = {"modules": ["src/pkg", "src/one.py"], "module_options": {"pkg\\.a": {"members": ["x"]}, "x": {}}}


@pytest.mark.parametrize(
    ("plugins", "pages"),
    [
        (
            {"api-autonav": AUTONAV},
            {
                "reference/pkg": "pkg {}",
                "reference/pkg/a": "pkg.a {'members': ['x']}",
                "reference/pkg/index_py": "pkg.index {}",
                "reference/one": "one {}",
            },
        ),
        ({"api-autonav": {"modules": ["src/pkg/a.py"], "api_root_uri": "./api/"}}, {"api/a": "a {}"}),
        ({"api-autonav": {"modules": ["src/pkg/a.py"], "api_root_uri": ""}}, {"a": "a {}"}),
        (
            {"mkdocs-autoapi": {"autoapi_ignore": ["**/index.py"]}},
            {"autoapi/src/one": "src.one {}", "autoapi/src/pkg": "src.pkg {}", "autoapi/src/pkg/a": "src.pkg.a {}"},
        ),
        (
            {"mkdocs-autoapi": {"autoapi_dir": "src/pkg", "autoapi_root": "api"}},
            {"api/pkg": "pkg {}", "api/pkg/a": "pkg.a {}", "api/pkg/index_py": "pkg.index {}"},
        ),
        ({"api-autonav": {"modules": 5}}, {}),
        ({"api-autonav": {"modules": ["src/pkg"], "module_options": {"(": {}}}}, {}),
        ({"mkdocs-autoapi": {"autoapi_ignore": ["/a"]}}, {}),
        ({"mkdocs-autoapi": {"enabled": False}, "api-autonav": None}, {}),
    ],
)
def test_pages_that_plugins_of_mkdocs_make_of_modules(
    plugins: dict[str, object], pages: dict[str, str], tmp_path: Path
) -> None:
    write(tmp_path, ["docs/index.md", *API])
    configuration = Configuration(root=str(tmp_path), project={"plugins": plugins})
    shown = {page.name: f"{page.module} {page.options}" for page in find_api_pages(configuration)}
    documents = [*mkdocs.find_documents(configuration, lambda _: FrontMatter())]
    assert {stem: shown[each.name] for stem, each in documents if each.module} == pages


MYST: Final = {
    "readme": "/README.md",
    "a.index": "/a/index.md",
    "index": "/b/index.md",
    "rocks.granite": "/01-rocks/granite.md",
    "out": "/../out.md",
    "gone": "/gone.md",
    "nameless": "/\ud800.md",
}


def myst_site(site: Path) -> None:
    write(site, ["README.md", "a/index.md", "b/index.md", "01-rocks/granite.md"])
    for name, location in MYST.items():
        (site / f"{name}.json").write_text(json.dumps({"location": location, "mdast": {}}))
    (site / "config.json").write_text('{"location": "/x.md"}')
    (site / "broken.json").write_text("{")


def test_myst_without_a_list_of_pages(tmp_path: Path) -> None:
    myst_site(tmp_path)
    assert stems(tmp_path, myst.find_documents(str(tmp_path), str(tmp_path))) == {
        "README.md": "readme",
        "a/index.md": "a",
        "b/index.md": "",
        "01-rocks/granite.md": "rocks/granite",
    }


def test_the_first_page_of_myst_is_the_home_page(tmp_path: Path) -> None:
    myst_site(tmp_path)
    pages = {"/readme.json": "/", "/content/index.json": "/index", "/a.index.json": "/a"}
    references = [{"kind": "page", "data": data, "url": url} for data, url in pages.items()]
    (tmp_path / "myst.xref.json").write_text(json.dumps({"references": [*references, {"kind": "heading"}, 5]}))
    assert stems(tmp_path, myst.find_documents(str(tmp_path), str(tmp_path))) == {
        "README.md": "",
        "a/index.md": "a",
        "b/index.md": "index",
        "01-rocks/granite.md": "rocks/granite",
    }


@pytest.mark.parametrize(
    ("names", "generator"),
    [
        (["Docusaurus v3.10.2"], "Docusaurus"),
        (["Astro v5.18.2", "Starlight v0.36.3"], "Starlight"),
        (["mkdocs-1.6.1, mkdocs-material-9.7"], "MkDocs"),
        (["zensical-0.0.73"], "Zensical"),
        (["mystmd"], "MyST"),
        (["Hugo 0.168.0"], "Hugo"),
        (["Hugobert"], None),
        (["Sphinx"], None),
        ([], None),
        (["VitePress v1", "VitePress v1", "Hugo 0.1"], "VitePress"),
        (["Doxygen 1.13.2"], "Doxygen"),
        (["Antora 3.1.10"], "Antora"),
        (["Astro v5.18.2"], "Astro"),
        (["Gatsby 5.14.3"], "Gatsby"),
        (["docfx 2.59.4.0"], "docfx"),
        (["Eleventy v3.1.2"], "Eleventy"),
        (["Pelican"], "Pelican"),
        (["pdoc 15.0.4"], "pdoc"),
        (["Hugo 0.1", "pdoc 15.0.4", "pdoc 15.0.4"], "Hugo"),  # it also publishes a reference by another tool
    ],
)
def test_generators_are_recognized_by_their_pages(names: list[str], generator: str | None, tmp_path: Path) -> None:
    markups = [Markup(generators=(name,)) for name in names]
    found = recognize_generator([*markups, Markup()], read_configuration(str(tmp_path)), str(tmp_path))
    assert found.name == (generator or "an unknown generator")


SPHINX: Final = "_static/documentation_options.js"


@pytest.mark.parametrize(
    ("file", "names", "generator"),
    [
        (SPHINX, [], "Sphinx"),
        (SPHINX, ["Doxygen 1.13.2"], "Sphinx"),
        (SPHINX, ["mystmd"], "MyST"),
        ("_nuxt/builds/latest.json", [], "Nuxt"),
        ("ayu-highlight.css", [], "mdBook"),
        ("ayu-highlight-56612340.css", [], "mdBook"),
        ("mkdocs.yml", [], "MkDocs"),
        ("zensical.toml", [], "Zensical"),
    ],
)
def test_generators_are_recognized_by_a_file(file: str, names: list[str], generator: str, tmp_path: Path) -> None:
    write(tmp_path, [file])
    markups = [Markup(), *(Markup(generators=(name,)) for name in names)]
    assert recognize_generator(markups, read_configuration(str(tmp_path)), str(tmp_path)).name == generator


@pytest.mark.parametrize(
    ("name", "file", "site"),
    [
        ("Docusaurus", "website/docusaurus.config.ts", "website/build"),
        ("VitePress", "docs/.vitepress/config.mts", "docs/.vitepress/dist"),
        ("Hugo", "site/config/_default/hugo.toml", "site/public"),
        ("Starlight", "a/astro.config.mjs", "a/b/c/dist"),
    ],
)
def test_the_project_is_the_nearest_folder_with_a_configuration(
    name: str, file: str, site: str, tmp_path: Path
) -> None:
    write(tmp_path, [file, f"{site}/index.html"])
    generator = next(each for each in GENERATORS if each.name == name)
    assert find_project(generator, str(tmp_path / site), "elsewhere") == str(tmp_path / file.partition("/")[0])


def test_files_above_a_site_outside_the_project_are_not_its_configuration(tmp_path: Path) -> None:
    write(tmp_path, ["project/hugo.toml", "config/other.json", "site/index.html"])
    generator = next(each for each in GENERATORS if each.name == "Hugo")
    assert find_project(generator, str(tmp_path / "site"), str(tmp_path / "project")) == str(tmp_path / "project")


def test_a_project_without_a_configuration_is_the_current_folder(tmp_path: Path) -> None:
    generator = next(each for each in GENERATORS if each.name == "Docusaurus")
    assert find_project(generator, str(tmp_path / "site"), "/here") == "/here"


CONFIGURATION = """\
plugins:
  - search
  - blog:
      blog_dir: news
      post_dir: "{blog}/entries"
      post_url_format: "{date}/{file}-{slug}"
      post_url_date_format: yy-M-d
  - materialx/blog:
      blog_dir: pages
      post_url_format: "{slug}"
  - material/blog:
      blog_dir: .
      post_dir: posts
      post_url_format: "{slug}"
  - blog:
      enabled: false
      blog_dir: docs
  - blog:
      blog_dir: months
      post_url_date_format: yyyy/MMMM
  - blog:
      blog_dir: groups
      post_url_format: "{categories}/{slug}"
  - blog
"""


@pytest.mark.parametrize(
    ("name", "text", "stem"),
    [
        ("blog/posts/a.md", "---\ndate: 2026-02-03\n---\n\n# The first\n", "blog/2026/02/03/the-first"),
        ("blog/posts/deep/a.md", "---\ndate: 2026-02-03 10:00:00\n---\n# A\n", "blog/2026/02/03/a"),
        ("blog/posts/none.md", "# No date\n", "blog/posts/none"),
        ("blog/posts/word.md", "---\ndate: soon\n---\n# A\n", "blog/posts/word"),
        ("blog/index.md", "# The blog\n", "blog"),
        (
            "news/entries/a.md",
            "---\ndate: 2026-02-03\n---\n\n# Ein *großes* `Boot` & Zubehör: [Link](https://x.y)\n\n# Zwei\n",
            "news/26-2-3/a-ein-großes-boot--zubehör-linkhttpsxy",
        ),
        (
            "news/entries/b.md",
            "---\ndate:\n  created: 2026-12-13\nslug: eigener\n---\n# Egal\n",
            "news/26-12-13/b-eigener",
        ),
        ("posts/c.md", "---\ntitle: Der Titel\n---\n\n# Anders\n", "der-titel"),
        ("pages/posts/c.md", "# Seite\n", "pages/seite"),
        ("posts/setext.md", "---\ndate: 2026-02-05\n---\n\nUntertitel\n==========\n\n## Zwei\n", "setext"),
        ("posts/d.md", "---\ndate: 2026-02-05\n---\n\n# Was ist 1.0? #{ #was }\n", "was-ist-10--was-"),
        ("posts/ohne-titel_hier.md", "Ohne Titel\n", "ohne-titel-hier"),
        ("posts/rule.md", "# Above\n\n---\n\n# Below\n", "above"),
        ("posts/fence.md", "Text.\n\n```\n# pip install\n```\n", "fence"),
        ("posts/hidden.md", "---\nsitemap: {exclude: true}\n---\nText.\n\n# Later\n", "hidden"),
        ("posts/sub.md", "## Sub\n\n# Later\n", "sub"),
        ("posts/x.md", "\n  \n   # Leading space\n", "leading-space"),
        ("posts/x.md", "\t# After a tab\n", "after-a-tab"),
        ("posts/x.md", "# A <br> break\n", "a--break"),
        ("posts/x.md", "# <b>x</b> &amp; y < 5 and > 4\n", "x-amp-y--4"),
        ("posts/x.md", "# Closed ##  \n", "closed-"),
        ("posts/x.md", "---\ntitle: 'A <i>b</i> #'\n---\n# Other\n", "a-b-"),
        ("posts/empty.md", "# \n\n# B\n", "empty"),
        ("posts/tab.md", "#\tNo heading\n", "tab"),
        ("docs/posts/a.md", "---\ndate: 2026-02-05\n---\n# A\n", "docs/posts/a"),
        ("months/posts/a.md", "---\ndate: 2026-02-05\n---\n# A\n", "months/posts/a"),
        ("groups/posts/a.md", "---\ndate: 2026-02-05\ncategories: [x]\n---\n# A\n", "groups/posts/a"),
    ],
)
def test_posts_are_published_as_configured_for_their_blog(tmp_path: Path, name: str, text: str, stem: str) -> None:
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION, "utf-8")
    file = tmp_path / "docs" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    configuration = read_configuration(str(tmp_path))
    found = find_documents(configuration, lambda path: read_front_matter(Path(path).read_text("utf-8")))
    assert [(found_stem, each.name) for found_stem, each in found] == [(stem, name)]
