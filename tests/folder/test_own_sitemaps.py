"""Whose sitemap it is: that of the generator is replaced, one of the author's is not, and neither is one we do not list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.test_build import X, locs, page, run, write
from tests.commands.test_merge import contents

OPEN = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
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
    ("generator", "configuration", "folder"),
    [
        (ZENSICAL, "mkdocs.yml", "docs"),
        (DOCUSAURUS, "docusaurus.config.js", "static"),
        ("VitePress v1.6.4", ".vitepress/config.mts", "src/public"),
        ("Hugo 0.152.2", "hugo.toml", "static"),
    ],
)
def test_one_that_was_copied_from_the_project_is_the_author_s(
    project: Path, generator: str, configuration: str, folder: str
) -> None:
    site = build(project, generator)
    write(project, {configuration: "", f"{folder}/sitemap.xml": sitemap(), "public/sitemap.xml": sitemap()})
    result = run("build", "public")
    assert result.exit_code == 1
    assert "sitemap.xml is your own file, so it was left alone" in result.output
    assert (site / "sitemap.xml").read_text() == sitemap()


@pytest.mark.parametrize(
    ("generator", "content"),
    [
        (ZENSICAL, sitemap()),
        (ZENSICAL, sitemap(base="http://localhost:8000/")),  # the same pages, wherever it was built for
        ("mkdocs-1.6.1, mkdocs-material-9.6", sitemap(more="<lastmod>2026-01-01</lastmod>")),
        (DOCUSAURUS, sitemap(more=WEEKLY)),
        (DOCUSAURUS, sitemap(more=f"<lastmod>2026-01-01</lastmod>{WEEKLY}")),
        ("VitePress v1.6.4", sitemap(more="<lastmod>2026-01-01T00:00:00.000Z</lastmod>")),
        ("mystmd", sitemap(("", "a", "b", "c"), base="http://localhost:3000/")),
        (ZENSICAL, sitemap(PATHS[:2])),  # drafts, or what an option of the generator leaves out
    ],
)
def test_that_of_the_generator_is_replaced_and_it_is_said(project: Path, generator: str, content: str) -> None:
    site = build(project, generator)
    (site / "sitemap.xml").write_text(content)
    (site / "sitemap.xml.gz").write_bytes(b"the same, compressed")
    result = run("build")
    assert result.exit_code == 0
    assert "info: replaced sitemap.xml and sitemap.xml.gz, which " in result.stdout
    assert locs(site) == [X + path for path in PATHS]
    assert not (site / "sitemap.xml.gz").exists()
    assert "takes the place" not in run("build").stdout


@pytest.mark.parametrize(
    ("generator", "content"),
    [
        pytest.param(ZENSICAL, sitemap(more="<lastmod>2026-01-01</lastmod>"), id="says more than Zensical"),
        pytest.param(ZENSICAL, sitemap(more="<priority>0.8</priority>"), id="says more than Zensical, too"),
        pytest.param("VitePress v1.6.4", sitemap(more=WEEKLY), id="says more than VitePress"),
        pytest.param(ZENSICAL, sitemap([*PATHS, "elsewhere/"]), id="lists a page that is not there"),
        pytest.param(ZENSICAL, sitemap(["x/", "y/"]), id="lists no page that is there"),
        pytest.param(ZENSICAL, sitemap(PATHS[:1]), id="lists too few"),
        pytest.param("", sitemap(), id="no generator"),
        pytest.param("My own 1.0", sitemap(), id="another generator"),
        pytest.param(ZENSICAL, f"{OPEN}</urlset>", id="empty"),
    ],
)
def test_one_that_may_be_the_author_s_stays(project: Path, generator: str, content: str) -> None:
    site = build(project, generator)
    (site / "sitemap.xml").write_text(content)
    before = contents(site)
    result = run("build")
    assert result.exit_code == 1
    assert (
        "sitemap.xml is your own file, so it was left alone: remove it or what writes it, or change the "
        in result.output
    )
    assert contents(site) == before
    (project / "sitemap.toml").write_text("filename = 'pages.xml'")
    assert run("build").exit_code == 0
    assert (site / "sitemap.xml").read_text() == content


@pytest.mark.parametrize("generator", ["", "My own 1.0"])
def test_what_the_configuration_says_of_the_generator_is_not_enough(project: Path, generator: str) -> None:
    site = build(project, generator)
    write(project, {"mkdocs.yml": "site_dir: public\n", "public/sitemap.xml": sitemap()})
    result = run("build")
    assert result.exit_code == 1
    assert result.stdout.startswith("4 HTML files in public, built by MkDocs\n")
    assert result.stderr == "Error: no sitemap was written\n"
    assert (site / "sitemap.xml").read_text() == sitemap()


def test_beside_one_of_ours_other_files_stay(project: Path) -> None:
    site = build(project, ZENSICAL)
    run("build")
    (site / "sitemap.xml.gz").write_bytes(b"of the author's")
    assert run("build").stdout.endswith("\nnothing to change\n")
    assert (site / "sitemap.xml.gz").exists()


def test_beside_one_of_ours_with_another_name_it_stays(project: Path) -> None:
    site = build(project, ZENSICAL)
    (site / "sitemap.xml").write_text(sitemap())
    (project / "sitemap.toml").write_text("filename = 'pages.xml'")
    assert "takes the place" not in run("build").output
    assert (site / "sitemap.xml").read_text() == sitemap()
    assert locs(site, "pages.xml") == [X + path for path in PATHS]


@pytest.mark.parametrize("arguments", [(), ("--base-url", "https://y.org/")])
def test_it_stays_where_none_of_ours_is_written(project: Path, arguments: Sequence[str]) -> None:
    site = build(project, ZENSICAL)
    (site / "sitemap.xml").write_text(sitemap())
    (project / "sitemap.toml").write_text("exclude = ['*']")
    before = contents(site)
    result = run("build", *arguments)
    assert result.exit_code == 1
    assert "takes the place" not in result.output
    assert contents(site) == before


@pytest.mark.parametrize(("generator", "more"), [(ZENSICAL, ""), (DOCUSAURUS, WEEKLY)])
def test_those_in_the_folders_of_languages_stay_and_ours_lists_their_pages(
    project: Path, generator: str, more: str
) -> None:
    """Scripts of Zensical's theme read them."""
    site = build(project, generator)
    meta = f'<meta name="generator" content="{generator}">'
    nested = {f"{lang}/sitemap.xml": sitemap(more=more, base=f"{X}{lang}/") for lang in ("de", "fr")}
    for lang in ("de", "fr"):
        write(site, {f"{lang}/{path}index.html": page(f"{X}{lang}/{path}", head=meta, lang=lang) for path in PATHS})
    write(site, {**nested, "sitemap.xml": sitemap(more=more)})
    result = run("build")
    assert result.exit_code == 0
    assert "info: replaced sitemap.xml, which " in result.stdout
    assert {path: (site / path).read_text() for path in nested} == nested
    assert sorted(locs(site)) == sorted(X + folder + path for folder in ("", "de/", "fr/") for path in PATHS)
    assert "/sitemap.xml" not in (site / "robots.txt").read_text().replace(f"{X}sitemap.xml", "")


def test_starlight_s_index_gives_its_name_to_one_sitemap(project: Path) -> None:
    site = build(project, "Starlight v0.36.3")
    index = f"<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap><loc>{X}sitemap-0.xml</loc></sitemap></sitemapindex>"
    write(site, {"sitemap-index.xml": index, "sitemap-0.xml": sitemap()})
    assert "info: replaced sitemap-index.xml and sitemap-0.xml, which Starlight" in run("build").stdout
    assert locs(site, "sitemap-index.xml") == [X + path for path in PATHS]
    assert sorted(path.name for path in site.glob("sitemap*")) == ["sitemap-index.xml"]


def test_of_starlight_the_author_may_name_another_file(project: Path) -> None:
    site = build(project, "Starlight v0.36.3")
    (project / "sitemap.toml").write_text("filename = 'sitemap.xml'")
    assert run("build").exit_code == 0
    assert [path.name for path in site.glob("sitemap*")] == ["sitemap.xml"]
