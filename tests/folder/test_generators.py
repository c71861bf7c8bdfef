"""The source of each page of a generator's site, according to our rules and to the records of the tools."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from sitemap_plugins.folder.configuration import Configuration, ConfigurationError, read_configuration
from sitemap_plugins.folder.front_matter import FrontMatter
from sitemap_plugins.folder.generators import docusaurus, hugo, mkdocs, myst
from sitemap_plugins.folder.generators.document import Document
from sitemap_plugins.folder.generators.recognizing import GENERATORS, Project, find_project, recognize_generator
from sitemap_plugins.folder.generators.same_paths import find_starlight, find_vitepress
from sitemap_plugins.folder.source_texts import SourceTexts
from sitemap_plugins.folder.sources import Source, find_sources
from sitemap_plugins.folder.translations import find_page_languages, language_outside
from sitemap_plugins.model import Markup
from sitemap_plugins.published.tree import Tree

GENERATED: Final = Path(__file__).with_name("generated")
TOOLS: Final = {
    "docusaurus": "Docusaurus",
    "hugo": "Hugo",
    "myst": "MyST",
    "starlight": "Starlight",
    "vitepress": "VitePress",
}
# Sources that our rules do not find. The data of VitePress' dynamic routes is in JavaScript, which is not run.
GAPS: Final = {
    "vitepress": {"recipes/black-tea.html", "recipes/green-tea.html"},
}


def sources_of(folder: Path) -> dict[str, Source | None]:
    """The source found for each page of a generated site."""
    root, site = str(folder / "source"), str(folder / "built")
    files = [*Tree(site).heads()]
    configuration = read_configuration(root, {})
    generator = recognize_generator([file.markup for file in files if file.markup], configuration, site)
    assert generator is not None
    assert generator.find_documents is not None
    assert generator.name == TOOLS[folder.name]
    page_languages = find_page_languages(files, {}, "https://x.example/")
    project = Project(
        root=find_project(generator, site, root),
        site=site,
        configuration=configuration,
        read=SourceTexts(None, multimarkdown=False).front_matter,
        is_built={file.stem for file in files}.__contains__,
        folders=sorted({page_language.folder for page_language in page_languages.values() if page_language.folder}),
        language=language_outside(page_languages),
    )
    found = find_sources(files, page_languages, generator.find_documents(project), copies=generator.copies)
    return {file.path: found.get(file.path) for file in files}


@pytest.mark.parametrize("tool", TOOLS)
def test_sources_are_those_recorded_by_the_tool(tool: str) -> None:
    recorded = json.loads((GENERATED / tool / "sources.json").read_text("utf-8"))
    found = sources_of(GENERATED / tool)
    gaps = GAPS.get(tool, set())
    root = GENERATED / tool / "source"
    assert {
        path: Path(source.file).relative_to(root).as_posix() if source else None for path, source in found.items()
    } == {path: None if path in gaps else source for path, source in recorded["sources"].items()}
    assert sorted(path for path, source in found.items() if source and source.is_copy) == recorded["untranslated"]
    assert all(recorded["sources"][path] for path in gaps)


def front_matter(values: Mapping[str, object] | None) -> FrontMatter:
    return FrontMatter(values or {})


def write(root: Path, files: Iterable[str]) -> None:
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()


def stems(root: Path, documents: Iterable[Document]) -> dict[str, str]:
    """The stem of each document, by its path below the project."""
    return {Path(document.file).relative_to(root).as_posix(): document.stem for document in documents}


def everywhere(stem: str) -> bool:
    return isinstance(stem, str)


@pytest.mark.parametrize(
    ("source", "values", "stem"),
    [
        ("docs/intro.md", {"slug": "/"}, "docs"),
        ("docs/README.md", {}, "docs"),
        ("docs/tools/index.md", {}, "docs/tools"),
        ("docs/tools/index.mdx", {"id": "all"}, "docs/tools/all"),
        ("docs/Trees2/Trees2.md", {}, "docs/Trees2"),
        ("docs/rules.md", {"id": "law"}, "docs/law"),
        ("docs/02-numbered/05-Mixed.Case.md", {}, "docs/numbered/Mixed.Case"),
        ("docs/02-numbered/03-deep/index.md", {}, "docs/numbered/deep"),
        ("docs/04 - spaced.md", {}, "docs/spaced"),
        ("docs/1.2-foo.md", {}, "docs/1.2-foo"),
        ("docs/2024-01-02-dated.md", {}, "docs/2024-01-02-dated"),
        ("docs/(group)/x.md", {}, "docs/(group)/x"),
        ("docs/Über Käse.md", {}, "docs/Über Käse"),
        ("docs/tools/ladder.mdx", {"slug": "/safe-ladder", "id": "l"}, "docs/safe-ladder"),
        ("docs/slugrel/one.md", {"slug": "two/three"}, "docs/slugrel/two/three"),
        ("docs/slugrel/dot.md", {"slug": "../up"}, "docs/up"),
        ("docs/slugrel/dot.md", {"slug": 5}, "docs/slugrel/dot"),
        ("docs/slugrel/dot.md", {"slug": "//["}, None),
        ("docs/_private.md", {}, None),
        ("docs/_parts/x.md", {}, None),
        ("docs/x.txt", {}, None),
        ("versioned_docs/version-2.0/x.md", {}, None),
        ("blog/2024-03-01-blossom.md", {}, "blog/2024/03/01/blossom"),
        ("blog/2024-3-1-blossom.md", {}, "blog/2024/03/01/blossom"),
        ("blog/2024-09-20-harvest/index.md", {}, "blog/2024/09/20/harvest"),
        ("blog/2024-09-20-harvest/index.md", {"slug": "harvest"}, "blog/harvest"),
        ("blog/2024/05/06/title/index.md", {}, "blog/2024/05/06/title"),
        ("blog/2024/05/06/title.md", {}, "blog/2024/05/06/title"),
        ("blog/sub/2024-05-08-x.md", {}, "blog/2024/05/08/sub/x"),
        ("blog/nodate.md", {}, "blog/nodate"),
        ("src/pages/index.js", {}, ""),
        ("src/pages/a/index.md", {}, "a"),
        ("src/pages/README.md", {}, "README"),
        ("src/pages/contact.tsx", {}, "contact"),
        ("src/pages/contact.test.tsx", {}, None),
        ("src/pages/_part.js", {}, None),
    ],
)
def test_docusaurus(source: str, values: Any, stem: str | None, tmp_path: Path) -> None:
    write(tmp_path, [source])
    found = docusaurus.find_documents(str(tmp_path), lambda _: front_matter(values), lambda each: each == stem)
    assert stems(tmp_path, found).get(source) == stem


def test_versions_of_docusaurus(tmp_path: Path) -> None:
    write(tmp_path, ["docs/x.md", "versioned_docs/version-2.0/x.md", "versioned_docs/version-1.0/x.md"])
    (tmp_path / "versions.json").write_text('["2.0", 5, "1.0"]')
    found = docusaurus.find_documents(str(tmp_path), lambda _: FrontMatter(), lambda stem: stem == "docs/x")
    assert stems(tmp_path, found) == {
        "docs/x.md": "docs/next/x",
        "versioned_docs/version-2.0/x.md": "docs/x",
        "versioned_docs/version-1.0/x.md": "docs/1.0/x",
    }


def test_docs_of_docusaurus_at_the_root_of_the_site(tmp_path: Path) -> None:
    write(tmp_path, ["docs/intro.md", "docs/a/b.md"])
    found = docusaurus.find_documents(str(tmp_path), lambda _: FrontMatter(), {"intro", "a/b"}.__contains__)
    assert stems(tmp_path, found) == {"docs/intro.md": "intro", "docs/a/b.md": "a/b"}


def test_a_single_language_of_docusaurus(tmp_path: Path) -> None:
    translated = "i18n/de/docusaurus-plugin-content-docs/current"
    write(tmp_path, ["docs/a.md", "docs/b.md", f"{translated}/a.md", "blog/c.md", "src/pages/index.js"])
    found = [*docusaurus.find_documents(str(tmp_path), lambda _: FrontMatter(), everywhere, language="de")]
    first = {each.stem: each for each in reversed(found)}
    assert first["docs/a"].name == f"{translated}/a.md"
    assert [stem for stem, document in first.items() if document.is_copied] == ["docs/b"]


RECORDS: Final = {
    "@site/guides/a.md": "/base/help/a/",
    "@site/guides/Über b.md": "/base/de/help/%C3%9Cber%20b/",
    "@site/i18n/de/guides/a.md": "/base/de/help/a/",
    "@site/guides/gone.md": "/base/help/gone",
    "@site/guides/home.md": "/base/",
    "@site/../out.md": "/base/help/out",
    "/etc/passwd": "/base/help/etc",
}


def test_records_of_docusaurus(tmp_path: Path) -> None:
    sources = ["guides/a.md", "guides/home.md", "guides/Über b.md", "i18n/de/guides/a.md"]
    write(tmp_path, sources)
    folder = tmp_path / ".docusaurus/docusaurus-plugin-content-docs/guides"
    folder.mkdir(parents=True)
    for number, (source, permalink) in enumerate(RECORDS.items()):
        (folder / f"site-{number}.json").write_text(json.dumps({"source": source, "permalink": permalink}))
    (folder / "site-broken.json").write_text("[" * 100_000)
    (folder / "site-list.json").write_text("[1]")
    built = {"", "help/a", "help/Über b", "de/help/a", "de/help/Über b", "help/gone"}
    found = docusaurus.find_documents(str(tmp_path), lambda _: FrontMatter(), built.__contains__, folders=["de"])
    assert stems(tmp_path, found) == dict(zip(sources, ["help/a", "", "help/Über b", "de/help/a"], strict=True))


@pytest.mark.parametrize(
    ("source", "values", "stem"),
    [
        ("_index.md", {}, ""),
        ("_index.de.md", {}, "de"),
        ("about.md", {}, "about"),
        ("about.de.md", {}, "de/about"),
        ("about.DE.md", {}, "de/about"),
        ("v1.2.md", {}, "v1.2"),
        ("a.b/c.d.md", {}, "a.b/c.d"),
        ("Über Käse.md", {}, "über-käse"),
        ("README.md", {}, "readme"),
        ("2024-01-02-dated.md", {}, "2024-01-02-dated"),
        ("boats/_index.md", {}, "boats"),
        ("boats/sailing/index.md", {}, "boats/sailing"),
        ("boats/ferry.md", {"slug": "Crossing to the Island!"}, "boats/crossing-to-the-island"),
        ("boats/ferry.md", {"Slug": "a/b c"}, "boats/a/b-c"),
        ("boats/ferry/index.md", {"slug": "x"}, "boats/x"),
        ("boats/rowing.de.md", {"slug": "rudern"}, "de/boats/rudern"),
        ("pier.md", {"url": "/the-pier/"}, "the-pier"),
        ("pier.md", {"url": "/the-pier.html"}, "the-pier"),
        ("pier.de.md", {"url": "/am-pier/"}, "am-pier"),
        ("log/a.md", {"title": "The Storm of May?", "date": "2024-05-01"}, "log/2024/the-storm-of-may"),
        ("log/a.md", {"title": "Storm", "slug": "x", "date": "2024-05-01T10:00:00Z"}, "log/2024/x"),
        ("log/a.md", {"title": "Storm"}, None),
        ("log/_index.md", {}, "log"),
        ("handbook/one/two/x.md", {}, "one/two/05/x"),
        ("handbook/one/two/index.md", {}, "one/05/two"),
        ("old/x.de.md", {}, "de/archive/old/x"),
        ("x.css", {}, None),
    ],
)
def test_hugo(source: str, values: Any, stem: str | None, tmp_path: Path) -> None:
    write(tmp_path, [f"content/{source}"])
    (tmp_path / "hugo.toml").write_text(
        """
        Languages.de.weight = 2
        Languages.en.weight = 1
        permalinks.page.log = '/log/:year/:slug/'
        permalinks.page.handbook = '/:sections[1:]/:month/:slugOrContentBaseName/'
        permalinks.old = "/archive/:section/:filename"
        """
    )
    values = {"date": "2024-05-01", **values} if source.startswith("handbook") else values
    found = hugo.find_documents(str(tmp_path), lambda _: front_matter(values), lambda each: each == stem)
    assert stems(tmp_path, found).get(f"content/{source}") == stem


def test_languages_of_hugo_in_separate_folders(tmp_path: Path) -> None:
    write(
        tmp_path, ["text/en/a.md", "text/de/a.md", "text/de/b.en.md", "content/a.md", "config/_default/menus.en.toml"]
    )
    (tmp_path / "config/_default/hugo.yaml").write_text("defaultContentLanguage: de\n")
    (tmp_path / "config/_default/languages.en.yaml").write_text("contentDir: text/en/\n")
    (tmp_path / "config/_default/languages.de.json").write_text('{"contentdir": "text/de"}')
    found = hugo.find_documents(str(tmp_path), lambda _: FrontMatter(), everywhere)
    assert stems(tmp_path, found) == {"text/de/a.md": "a", "text/de/b.en.md": "b.en", "text/en/a.md": "en/a"}


def test_no_language_of_hugo_at_the_root(tmp_path: Path) -> None:
    write(tmp_path, ["content/a.md", "content/a.de.md"])
    (tmp_path / "hugo.toml").write_text("defaultContentLanguageInSubdir = true\nlanguages.de = {}\nlanguages.en = {}")
    found = hugo.find_documents(str(tmp_path), lambda _: FrontMatter(), everywhere)
    assert stems(tmp_path, found) == {"content/a.md": "en/a", "content/a.de.md": "de/a"}


def test_a_draft_in_another_language_is_not_a_source(tmp_path: Path) -> None:
    write(tmp_path, ["content/a.md", "content/a.de.md"])
    (tmp_path / "hugo.toml").write_text("languages.de = {}\nlanguages.en = {}")
    found = hugo.find_documents(str(tmp_path), lambda _: FrontMatter(), {"a"}.__contains__)
    assert stems(tmp_path, found) == {"content/a.md": "a"}


@pytest.mark.parametrize("folder", [r"\u0000", r"\ud800"])
def test_a_folder_of_hugo_with_an_impossible_name_has_no_documents(folder: str, tmp_path: Path) -> None:
    (tmp_path / "hugo.json").write_text(f'{{"contentDir": "{folder}"}}')
    assert [*hugo.find_documents(str(tmp_path), lambda _: FrontMatter(), everywhere)] == []


def test_a_broken_configuration_of_hugo_is_named(tmp_path: Path) -> None:
    write(tmp_path, ["config/_default/languages.toml"])
    (tmp_path / "config/_default/languages.toml").write_text("[de\n")
    with pytest.raises(ConfigurationError, match=r"config/_default/languages\.toml: it is not TOML"):
        [*hugo.find_documents(str(tmp_path), lambda _: FrontMatter(), everywhere)]


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


@pytest.mark.parametrize(
    ("source", "values", "stem"),
    [
        ("index.mdx", {}, ""),
        ("de/index.md", {}, "de"),
        ("care/Glass and Frame.mdx", {}, "care/glass-and-frame"),
        ("a.b.md", {}, "ab"),
        ("(group)/x.md", {}, "group/x"),
        ("01-Num/02-First.markdown", {}, "01-num/02-first"),
        ("Über Käse.md", {}, "über-käse"),
        ("README.md", {}, "readme"),
        ("up/Index2.mdx", {}, "up/index2"),
        ("_dir/in.md", {}, "_dir/in"),
        ("_notes.md", {}, None),
        ("fuels.md", {"slug": "oil-and-gas"}, "oil-and-gas"),
        ("up/x.md", {"slug": "up/There Now"}, "up/There Now"),
        ("404.md", {}, "404"),
    ],
)
def test_starlight(source: str, values: Any, stem: str | None, tmp_path: Path) -> None:
    path = f"src/content/docs/{source}"
    write(tmp_path, [path])
    assert stems(tmp_path, find_starlight(str(tmp_path), lambda _: front_matter(values))).get(path) == stem


def test_pages_of_astro_are_the_same_in_every_language(tmp_path: Path) -> None:
    write(tmp_path, [f"src/pages/{name}" for name in ("index.astro", "a/[slug].astro", "_part.astro", "robots.txt.ts")])
    found = [*find_starlight(str(tmp_path), lambda _: FrontMatter())]
    assert [(each.stem, each.name, each.is_shared) for each in found] == [("", "src/pages/index.astro", True)]


@pytest.mark.parametrize("folder", ["", "src", "docs"])
def test_vitepress(folder: str, tmp_path: Path) -> None:
    pages = {
        "index.md": "",
        "guide/index.md": "guide",
        "sub/Index.md": "sub/Index",
        "sub/README.md": "sub/README",
        "guide/01-first.md": "guide/01-first",
        "guide/(group)/in.md": "guide/(group)/in",
        "_under/u.md": "_under/u",
        "a.b.md": "a.b",
        "Über Käse.md": "Über Käse",
    }
    root = tmp_path / "project"
    write(root / folder, [*pages, "x.txt", ".hidden/h.md", "node_modules/n/README.md"])
    found = find_vitepress(str(root), str(tmp_path / "site"), {*pages.values()}.__contains__)
    assert stems(root / folder, found) == pages


@pytest.mark.parametrize("folder", ["", "docs"])
def test_rewrites_of_vitepress_are_recorded_in_its_scripts(folder: str, tmp_path: Path) -> None:
    """As VitePress 1 and 2 write them."""
    recorded = {
        "guide_index": ("guide/index.md", "en/guide/index.md"),
        "de_a": ("de/a.md", "de/a.md"),
        "tea_black": ("tea/black.md", "tea/[name].md"),  # a template for several pages
        "gone": ("gone.md", "en/gone.md"),
        "out": ("out.md", "../secret.md"),
    }
    root, site = tmp_path / "project", tmp_path / "site"
    write(root / folder, ["en/guide/index.md", "guide/index.md", "de/a.md", "b.md", "tea/[name].md"])
    write(root, ["secret.md"])
    (site / "assets").mkdir(parents=True)
    for name, (page, file) in recorded.items():
        data = f'const __pageData = JSON.parse(\'{{"title":"A","relativePath":"{page}","filePath":"{file}"}}\');'
        (site / "assets" / f"{name}.md.B1.lean.js").write_text(data)
    (site / "assets" / "app.md.B1.lean.js").write_text("no data")
    found = find_vitepress(str(root), str(site), {"guide", "de/a", "b"}.__contains__)
    expected = {"en/guide/index.md": "guide", "guide/index.md": None, "de/a.md": "de/a", "b.md": "b"}
    made = stems(root / folder, found)
    assert {file: made.get(file) for file in expected} == expected
    assert "tea/black" not in made.values()
    assert "gone" not in made.values()
    assert "out" not in made.values()


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
        (["Eleventy v3.1.2"], "Eleventy"),
        (["Pelican"], "Pelican"),
        (["pdoc 15.0.4"], "pdoc"),
        (["Hugo 0.1", "pdoc 15.0.4", "pdoc 15.0.4"], "Hugo"),  # it also publishes a reference by another tool
    ],
)
def test_generators_are_recognized_by_their_pages(names: list[str], generator: str | None, tmp_path: Path) -> None:
    markups = [Markup(generators=(name,)) for name in names]
    found = recognize_generator([*markups, Markup()], read_configuration(str(tmp_path), {}), str(tmp_path))
    assert (found.name if found else None) == generator


@pytest.mark.parametrize(("names", "generator"), [([], "Sphinx"), (["Doxygen 1.13.2"], "Sphinx"), (["mystmd"], "MyST")])
def test_sphinx_is_recognized_by_a_file(names: list[str], generator: str, tmp_path: Path) -> None:
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "documentation_options.js").touch()
    markups = [Markup(generators=(name,)) for name in names]
    found = recognize_generator(markups, read_configuration(str(tmp_path), {}), str(tmp_path))
    assert found is not None
    assert found.name == generator


@pytest.mark.parametrize(("file", "generator"), [("mkdocs.yml", "MkDocs"), ("zensical.toml", "Zensical")])
def test_pages_without_a_generator_are_from_the_configured_one(file: str, generator: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text("")
    found = recognize_generator([Markup()], read_configuration(str(tmp_path), {}), str(tmp_path))
    assert found is not None
    assert found.name == generator


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
