"""Which existing sitemaps are replaced: the generator's, except in folders of languages, but never the author's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.test_build import X, locs, page, run, write
from tests.commands.test_merge import contents

OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
EMPTY = f"{OPEN}\n</urlset>"  # as MkDocs and Zensical write it without a site_url
PATHS = ("", "a/", "b/", "c/")
ZENSICAL = "zensical-0.0.23"
DOCUSAURUS = "Docusaurus v3.10.2"
WEEKLY = "<changefreq>weekly</changefreq><priority>0.5</priority>"


def sitemap(paths: Sequence[str] = PATHS, more: str = "", base: str = X) -> str:
    return f"{OPEN}{''.join(f'<url><loc>{base}{path}</loc>{more}</url>' for path in paths)}</urlset>"


def build(project: Path, generator: str, paths: Sequence[str] = PATHS) -> Path:
    meta = f'<meta name="generator" content="{generator}">' if generator else ""
    write(project / "public", {f"{path}index.html": page(X + path, head=meta) for path in paths})
    return project / "public"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("generator", "configuration", "folder", "content"),
    [
        (ZENSICAL, "mkdocs.yml", "docs", sitemap()),
        (ZENSICAL, "mkdocs.yml", "docs", EMPTY),
        (DOCUSAURUS, "docusaurus.config.js", "static", sitemap()),
        ("VitePress v1.6.4", ".vitepress/config.mts", "src/public", sitemap()),
        ("Hugo 0.152.2", "hugo.toml", "static", sitemap()),
    ],
)
def test_a_sitemap_copied_from_the_project_is_the_author_s(
    project: Path, generator: str, configuration: str, folder: str, content: str
) -> None:
    site = build(project, generator)
    write(project, {configuration: "", f"{folder}/sitemap.xml": content, "public/sitemap.xml": content})
    result = run("build", "public")
    assert result.exit_code == 1
    assert "sitemap.xml is your own file, so it was left alone" in result.output
    assert (site / "sitemap.xml").read_text() == content


@pytest.mark.parametrize(
    ("generator", "content"),
    [
        (ZENSICAL, sitemap()),
        (ZENSICAL, sitemap(base="http://localhost:8000/")),  # the same pages, built for another URL
        ("mkdocs-1.6.1, mkdocs-material-9.6", sitemap(more="<lastmod>2026-01-01</lastmod>")),
        (DOCUSAURUS, sitemap(more=WEEKLY)),
        (DOCUSAURUS, sitemap(more=f"<lastmod>2026-01-01</lastmod>{WEEKLY}")),
        ("VitePress v1.6.4", sitemap(more="<lastmod>2026-01-01T00:00:00.000Z</lastmod>")),
        ("mystmd", sitemap(("", "a", "b", "c"), base="http://localhost:3000/")),
        (ZENSICAL, sitemap(PATHS[:2])),  # without drafts or pages that an option leaves out
        (ZENSICAL, EMPTY),
        ("Hugo 0.152.2", sitemap([*PATHS, "a/"])),  # the list of a section, and the page about it
        ("docfx 2.59.4.0", sitemap(more=f"<lastmod>2026-01-01T00:00:00Z</lastmod>{WEEKLY}")),
    ],
)
def test_the_generator_s_sitemap_is_replaced_with_a_note(project: Path, generator: str, content: str) -> None:
    site = build(project, generator)
    (site / "sitemap.xml").write_text(content)
    (site / "sitemap.xml.gz").write_bytes(b"the same, compressed")
    result = run("build")
    assert result.exit_code == 0
    assert "info: replaced sitemap.xml and sitemap.xml.gz, which " in result.stderr
    assert locs(site) == [X + path for path in PATHS]
    assert not (site / "sitemap.xml.gz").exists()
    assert run("build").stderr == ""


UNFINISHED = "for which there is no page, or the build did not finish"


@pytest.mark.parametrize(
    ("generator", "content", "why"),
    [
        (ZENSICAL, sitemap(more="<lastmod>2026-01-01</lastmod>"), "it has lastmod, which Zensical does not write"),
        (ZENSICAL, sitemap(more="<priority>0.8</priority>"), "it has priority, which Zensical does not write"),
        ("VitePress v1.6.4", sitemap(more=WEEKLY), "it has changefreq, which VitePress does not write"),
        (ZENSICAL, sitemap([*PATHS, "elsewhere/"]), f"it lists {X}elsewhere/, {UNFINISHED}"),
        (ZENSICAL, sitemap(["x/", "y/"]), f"it lists {X}y/, {UNFINISHED}"),
        (ZENSICAL, sitemap(PATHS[:1]), "it lists 1 of 4 pages"),
        (ZENSICAL, f"{OPEN}</urlset>", "it lists no page"),
        (ZENSICAL, "not XML", ""),
        ("My own 1.0", sitemap(), ""),
        ("", sitemap(), ""),
    ],
)
def test_a_sitemap_that_could_be_the_author_s_is_kept(project: Path, generator: str, content: str, why: str) -> None:
    site = build(project, generator)
    (site / "sitemap.xml").write_text(content)
    before = contents(site)
    result = run("build")
    assert result.exit_code == 1
    assert f"sitemap.xml is your own file{why and f' ({why})'}, so it was left alone: " in result.output
    assert contents(site) == before
    (project / "sitemap.toml").write_text("filename = 'pages.xml'")
    assert run("build").exit_code == 0
    assert (site / "sitemap.xml").read_text() == content


@pytest.mark.parametrize("generator", ["", "My own 1.0"])
def test_the_configured_generator_alone_is_not_enough(project: Path, generator: str) -> None:
    site = build(project, generator)
    write(project, {"mkdocs.yml": "site_dir: public\n", "public/sitemap.xml": sitemap()})
    result = run("build")
    assert result.exit_code == 1
    assert result.stdout.startswith("4 HTML files in public, built by MkDocs or Zensical\n")
    assert result.stderr.splitlines()[-1] == "Error: no sitemap was written"
    assert (site / "sitemap.xml").read_text() == sitemap()
    (site / "sitemap.xml").write_text(EMPTY)  # nobody else writes it like that
    assert "info: replaced sitemap.xml, which MkDocs or Zensical wrote" in run("build", "public").stderr


def test_other_files_beside_our_sitemap_are_kept(project: Path) -> None:
    site = build(project, ZENSICAL)
    run("build")
    (site / "sitemap.xml.gz").write_bytes(b"of the author's")
    assert run("build").stdout.endswith("\nnothing to change\n")
    assert (site / "sitemap.xml.gz").exists()


def test_the_generator_s_sitemap_is_kept_if_ours_has_another_name(project: Path) -> None:
    site = build(project, ZENSICAL)
    (site / "sitemap.xml").write_text(sitemap())
    (project / "sitemap.toml").write_text("filename = 'pages.xml'")
    assert "takes the place" not in run("build").output
    assert (site / "sitemap.xml").read_text() == sitemap()
    assert locs(site, "pages.xml") == [X + path for path in PATHS]


def test_a_generator_that_only_a_file_shows(project: Path) -> None:
    """Pages of pkgdown name no generator."""
    site = build(project, "")
    write(site, {"sitemap.xml": sitemap(), "pkgdown.yml": ""})
    assert "info: replaced sitemap.xml, which pkgdown wrote" in run("build", "public").stderr
    write(site, {"sitemap.xml": sitemap([*PATHS, "elsewhere/"])})
    assert "sitemap.xml is your own file" in run("build", "public").stderr
    write(site, {"sitemap.xml": sitemap(more=WEEKLY)})
    assert "sitemap.xml is your own file" in run("build", "public").stderr


@pytest.mark.parametrize(
    ("robots", "paths", "is_replaced"),
    [
        ("index, follow", PATHS, True),
        ("max-image-preview:large, nofollow", PATHS, True),
        ("index, follow", PATHS[1:], False),  # an author's list
        ("index, follow", [*PATHS, "elsewhere/"], False),
        ("noindex", PATHS, False),  # the generator would not list it
        ("none", PATHS, False),
    ],
)
def test_only_the_home_page_names_hugo(project: Path, robots: str, paths: Sequence[str], *, is_replaced: bool) -> None:
    site = build(project, "")
    head = f'<meta name="generator" content="Hugo 0.152.2"><meta name="robots" content="{robots}">'
    write(site, {"index.html": page(X, head=head), "sitemap.xml": sitemap(paths)})
    result = run("build", "public")
    assert result.exit_code == (0 if is_replaced else 1)
    assert ("info: replaced sitemap.xml, which Hugo wrote" in result.stderr) is is_replaced
    assert ("sitemap.xml is your own file" in result.output) is not is_replaced


@pytest.mark.parametrize(
    ("path", "paths", "is_replaced"),
    [
        ("/", PATHS, True),
        ("/docs/", PATHS, True),  # the path of its base URL
        ("/", [*PATHS, "elsewhere/"], False),  # an author's list
        ("/", PATHS[:1], False),
        ("", PATHS[1:], False),  # as no generator writes them
    ],
)
def test_hugo_without_a_base_url_writes_paths(
    project: Path, path: str, paths: Sequence[str], *, is_replaced: bool
) -> None:
    site = build(project, "Hugo 0.152.2")
    for file in site.rglob("*.html"):
        file.write_text(re.sub('<link rel="canonical"[^>]*>', "", file.read_text()))
    parts = {f"{lang}/sitemap.xml": sitemap(each, base=path) for lang, each in (("en", paths[:2]), ("cn", paths[2:]))}
    parts = {name: text for name, text in parts.items() if "<loc>" in text}
    names = "".join(f"<sitemap><loc>{path}{name}</loc></sitemap>" for name in parts)
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{names}</sitemapindex>'
    write(site, {**parts, "sitemap.xml": index})
    assert "because the site has no URL: set --base-url" in run("build", "public").output
    result = run("build", "public", "--base-url", X)
    assert result.exit_code == (0 if is_replaced else 1)
    note = "info: replaced sitemap.xml, en/sitemap.xml and cn/sitemap.xml, which Hugo wrote"
    assert (note in result.stderr) is is_replaced
    assert ("sitemap.xml is your own file" in result.output) is not is_replaced
    assert not is_replaced or locs(site) == [X + each for each in PATHS]


@pytest.mark.parametrize("arguments", [(), ("--base-url", "https://y.org/")])
def test_the_generator_s_sitemap_is_kept_if_ours_is_not_written(project: Path, arguments: Sequence[str]) -> None:
    site = build(project, ZENSICAL)
    (site / "sitemap.xml").write_text(sitemap())
    (project / "sitemap.toml").write_text("exclude = ['*']")
    before = contents(site)
    result = run("build", *arguments)
    assert result.exit_code == 1
    assert "takes the place" not in result.output
    assert contents(site) == before


@pytest.mark.parametrize(
    ("content", "option", "left_out"),
    [
        pytest.param(sitemap(), "", "4 noindex", id="the generator's, which lists pages with noindex"),
        pytest.param(sitemap(more=WEEKLY), "", "4 noindex", id="the author's"),
        pytest.param(sitemap(more=WEEKLY), "exclude = ['*']", "4 excluded", id="the author's, and a glob"),
        pytest.param("not XML", "", "4 noindex", id="unreadable"),
    ],
)
def test_if_no_page_can_be_listed_the_message_says_so_whoever_wrote_the_sitemap(
    project: Path, content: str, option: str, left_out: str
) -> None:
    site = build(project, ZENSICAL)
    for file in site.rglob("*.html"):
        file.write_text(file.read_text().replace("<head>", '<head><meta name="robots" content="noindex">'))
    (site / "sitemap.xml").write_text(content)
    (project / "sitemap.toml").write_text(option)
    before = contents(site)
    result = run("build")
    assert result.exit_code == 1
    assert f"every page is left out, so no sitemap was written; left out: {left_out}; for example " in result.stderr
    assert "your own file" not in result.stderr
    assert contents(site) == before


GERMAN, PREVIEW = (sitemap(more=WEEKLY, base=f"{X}{folder}/") for folder in ("de", "pr-12"))


@pytest.mark.parametrize(
    ("generator", "more", "kept", "changes"),
    [
        (ZENSICAL, "", {"de", "fr"}, {}),  # scripts of the theme read them
        ("mkdocs-1.6.1, mkdocs-material-9.6", "", {"de", "fr"}, {}),
        (DOCUSAURUS, WEEKLY, set(), {}),
        ("Hugo 0.152.2", WEEKLY, set(), {}),
        (DOCUSAURUS, WEEKLY, {"de"}, {"de/sitemap.xml": sitemap(base="https://de.x.org/", more=WEEKLY)}),
        (DOCUSAURUS, "", {"de"}, {"de/sitemap.xml": sitemap(["de/", "de/away/"])}),
        ("VitePress v1.6.4", "", {"fr"}, {"fr/sitemap.xml": sitemap(["fr/"], more=WEEKLY)}),
        (DOCUSAURUS, WEEKLY, {"de"}, {"../static/de/sitemap.xml": GERMAN, "../docusaurus.config.js": ""}),
        (DOCUSAURUS, WEEKLY, {"pr-12"}, {"pr-12/sitemap.xml": PREVIEW, "pr-12/index.html": page(f"{X}pr-12/")}),
    ],
)
def test_sitemaps_in_the_folders_of_languages_go_with_the_generator_s(
    project: Path, generator: str, more: str, kept: set[str], changes: dict[str, str]
) -> None:
    site = build(project, generator)
    meta = f'<meta name="generator" content="{generator}">'
    nested = {f"{lang}/sitemap.xml": sitemap(more=more, base=f"{X}{lang}/") for lang in ("de", "fr")}
    for lang in ("de", "fr"):
        write(site, {f"{lang}/{path}index.html": page(f"{X}{lang}/{path}", head=meta, lang=lang) for path in PATHS})
    write(site, {**nested, **changes, "sitemap.xml": sitemap(more=more)})
    before = {path: path.read_text() for path in site.glob("*/sitemap.xml")}
    result = run("build", "public")
    assert result.exit_code == 0
    assert "info: replaced sitemap.xml" in result.stderr
    after = {path: path.read_text() for path in site.glob("*/sitemap.xml")}
    assert after == {path: text for path, text in before.items() if path.parent.name in kept}
    assert {X + folder + path for folder in ("", "de/", "fr/") for path in PATHS} <= {*locs(site)}
    assert "/sitemap.xml" not in (site / "robots.txt").read_text().replace(f"{X}sitemap.xml", "")


ROBOTS = (
    f"User-agent: *\r\nDisallow: /x\r\nSitemap: {X}sitemap.xml\r\nsitemap : {X}de/sitemap.xml # German\r\n"
    f"# Sitemap: {X}de/sitemap.xml\r\nSitemap: https://y.org/sitemap.xml"
).encode()


@pytest.mark.parametrize(
    ("generator", "option", "is_dropped"),
    [(DOCUSAURUS, "", True), (DOCUSAURUS, "robots = false", False), (ZENSICAL, "", False)],
)
def test_robots_txt_no_longer_announces_the_sitemaps_that_were_removed(
    project: Path, generator: str, option: str, *, is_dropped: bool
) -> None:
    site = build(project, generator)
    meta = f'<meta name="generator" content="{generator}">'
    write(site, {f"de/{path}index.html": page(f"{X}de/{path}", head=meta, lang="de") for path in PATHS})
    write(site, {"sitemap.xml": sitemap(), "de/sitemap.xml": sitemap(base=f"{X}de/")})
    (site / "robots.txt").write_bytes(ROBOTS)
    (project / "sitemap.toml").write_text(option)
    result = run("build")
    dropped = ROBOTS.replace(f"sitemap : {X}de/sitemap.xml # German\r\n".encode(), b"")
    assert (site / "robots.txt").read_bytes() == (dropped if is_dropped else ROBOTS)
    said = f"info: robots.txt no longer announces {X}de/sitemap.xml, because the sitemap of the generator was removed\n"
    assert (said in result.stderr) is is_dropped
    assert "missing-sitemap" not in run("check").output or option


INDEX = f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{X}sitemap-0.xml</loc></sitemap></sitemapindex>"


@pytest.mark.parametrize(
    ("generator", "name"),
    [
        ("Starlight v0.36.3", "Starlight"),
        ("Astro v5.18.2", "Astro"),
        ("Gatsby 5.14.3", "Gatsby"),
        ('Astro v5.18.2"><meta name="generator" content="Starlight v0.36.3', "Starlight"),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_our_sitemap_gets_the_name_of_the_generator_s_index_if_there_is_one(
    project: Path, generator: str, name: str, *, is_there: bool
) -> None:
    site = build(project, generator)
    if is_there:
        write(site, {"sitemap-index.xml": INDEX, "sitemap-0.xml": sitemap(more=WEEKLY)})
    result = run("build")
    assert result.stdout.startswith(f"4 HTML files in public, built by {name}\n")
    note = f"info: replaced sitemap-index.xml and sitemap-0.xml, which {name} wrote (4 URLs)\n"
    assert result.stderr == (note if is_there else "")
    ours = "sitemap-index.xml" if is_there else "sitemap.xml"
    assert locs(site, ours) == [X + path for path in PATHS]
    assert sorted(path.name for path in site.glob("sitemap*")) == [ours]
    assert run("build").stdout.endswith("\nnothing to change\n")


ANTORA = "Antora 3.1.10"
DATED = "<lastmod>2026-01-01T00:00:00.000Z</lastmod>"


@pytest.mark.parametrize(
    ("home", "listed", "name", "before"),
    [
        pytest.param(ANTORA, {"docs/": DATED, "api/": DATED}, "Antora", 8, id="Antora alone"),
        pytest.param("Hugo 0.152.2", {"docs/": DATED, "api/": DATED}, "Antora", 8, id="Hugo wrote only a home page"),
        pytest.param("Hugo 0.152.2", {"": DATED}, "Hugo", 4, id="Hugo's sitemap lies over Antora's pages"),
        pytest.param("Hugo 0.152.2", {"docs/": WEEKLY, "api/": DATED}, "", 0, id="of neither"),
    ],
)
def test_of_several_generators_the_one_counts_that_wrote_the_sitemap(
    project: Path, home: str, listed: dict[str, str], name: str, before: int
) -> None:
    site = build(project, home)
    for folder in ("docs/", "api/"):
        meta = f'<meta name="generator" content="{ANTORA}">'
        write(site, {f"{folder}{path}index.html": page(f"{X}{folder}{path}", head=meta) for path in PATHS})
    parts = {f"sitemap-{each.strip('/')}.xml": sitemap(more=more, base=X + each) for each, more in listed.items()}
    names = "".join(f"<sitemap><loc>{X}{part}</loc></sitemap>" for part in parts)
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{names}</sitemapindex>'
    write(site, {**parts, "sitemap.xml": index} if len(parts) > 1 else {"sitemap.xml": next(iter(parts.values()))})
    result = run("build", "public")
    if not name:
        assert "sitemap.xml is your own file (it " in result.stderr
        return
    files = "sitemap.xml, sitemap-docs.xml and sitemap-api.xml" if before > 4 else "sitemap.xml"
    assert f"info: replaced {files}, which {name} wrote ({before} URLs)" in result.stderr
    assert sorted(locs(site)) == sorted(X + folder + path for folder in ("", "docs/", "api/") for path in PATHS)
    assert [path.name for path in site.glob("sitemap*")] == ["sitemap.xml"]
    assert run("build", "public").stdout.endswith("\nnothing to change\n")


@pytest.mark.parametrize(
    ("content", "is_replaced"),
    [
        (sitemap(more=WEEKLY), True),
        (f"{sitemap(PATHS[:1])}\n<!-- XML Sitemap generated by @nuxtjs/sitemap v7.4.3 at 2026-01-01 -->", True),
        (f"{OPEN}</urlset>\n<!-- XML Sitemap generated by @nuxtjs/sitemap v7.4.3 at 2026-01-01 -->", True),
        (f"{OPEN}</urlset>", False),
        (sitemap(PATHS[:1]), False),
    ],
)
def test_pages_of_nuxt_name_no_generator(project: Path, content: str, *, is_replaced: bool) -> None:
    site = build(project, "")
    write(site, {"sitemap.xml": content, "_nuxt/builds/latest.json": "{}"})
    result = run("build", "public")
    assert ("info: replaced sitemap.xml, which Nuxt wrote" in result.stderr) is is_replaced
    assert ("sitemap.xml is your own file" in result.stderr) is not is_replaced
    assert ((site / "sitemap.xml").read_text() == content) is not is_replaced


def test_the_author_can_choose_another_name_with_starlight(project: Path) -> None:
    site = build(project, "Starlight v0.36.3")
    (project / "sitemap.toml").write_text("filename = 'sitemap.xml'")
    assert run("build").exit_code == 0
    assert [path.name for path in site.glob("sitemap*")] == ["sitemap.xml"]
