"""The command that writes the sitemap of a built folder: its arguments, its output and its exit codes."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from sitemap_plugins.formats.sitemap_xml import MARK
from tests.commands.test_merge import contents, refusal, run
from tests.conftest import Repository

X = "https://x.org/"


def page(canonical: str = "", *, title: str = "A page", head: str = "", lang: str = "en", body: str = "Text") -> str:
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return (
        f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{link}{head}</head><body>{body}</body></html>'
    )


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def write_pages(root: Path, *names: str, base: str = X) -> Path:
    """Write pages with canonical links, at the URLs of a server that serves the index files of folders."""
    return write(root, {name: page(base + name.removesuffix("index.html")) for name in names})


def dated(site: Path) -> list[tuple[str, str]]:
    """The paths of the URLs in the sitemap, and their dates."""
    entries = re.findall("<loc>(.*?)</loc>(?:<lastmod>(.{10}))?", re.sub(r"\s", "", (site / "sitemap.xml").read_text()))
    return [(loc.removeprefix(X), date) for loc, date in entries]


def locs(site: Path, name: str = "sitemap.xml") -> list[str]:
    return re.findall("<loc>(.*?)</loc>", (site / name).read_text())


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project, as the current folder."""
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path / "project"


@pytest.fixture
def site(project: Path) -> Path:
    """A site in the project, built by an unknown generator."""
    return write_pages(project / "public", "index.html", "a/index.html", "b.html")


def said(*arguments: str | Path, status: int = 0) -> str:
    result = run("build", *arguments)
    assert result.exit_code == status, result.output
    return str(result.output)


class TestArguments:
    def test_the_site_is_found_without_an_argument(self, site: Path) -> None:
        assert said().splitlines() == [
            "3 HTML files in public, built by an unknown generator",
            "URL: https://x.org/, from the canonical links of the pages",
            "sources: none found, so no page has a date from git; add edit links to the pages, or set the option source",
            "sitemap.xml: 3 URLs, 0 with a date",
            "changed: sitemap.xml, robots.txt",
        ]
        assert locs(site) == [X, f"{X}a/", f"{X}b.html"]

    def test_the_project_can_be_in_another_folder(
        self, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_pages(project / "public", "index.html")
        (project / "sitemap.toml").write_text('filename = "pages.xml"')
        monkeypatch.chdir(tmp_path)
        assert "1 HTML file in public," in said("--project", "project")
        assert locs(project / "public", "pages.xml") == [X]
        assert f"1 HTML file in {tmp_path / 'other'}," in said(
            write_pages(tmp_path / "other", "index.html"), "--project", "project"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["nowhere"], "Directory 'nowhere' does not exist."),
            (["--project", "nowhere"], "Path 'nowhere' does not exist."),
            (["--urls", "pretty"], "'pretty' is not one of 'html', 'clean', 'directory'."),
            (["--base-url", "docs.x.org"], "use a URL such as https://docs.example.org/"),
            (["--base-url", "http://localhost:8000/"], "is a local address, which readers cannot open"),
            (["--colour"], "No such option"),
        ],
    )
    def test_invalid_arguments_are_usage_errors(self, site: Path, arguments: list[str], message: str) -> None:
        before = contents(site)
        assert message in refusal("build", *arguments, status=2)
        assert contents(site) == before


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (None, ["", "a/", "b.html", "c/index.htm", "no-link.html"]),
        ("html", ["", "a/", "b.html", "c/index.htm", "no-link.html"]),
        ("clean", ["", "a/", "b", "c/index.htm", "no-link"]),
        ("directory", ["", "a/", "b/", "c/index.htm", "no-link/"]),
    ],
)
def test_the_option_urls_overrides_the_canonical_links(site: Path, style: str | None, expected: list[str]) -> None:
    write(site, {"no-link.html": page(), "c/index.htm": page()})
    text = said(*(["--urls", style] if style else []))
    assert locs(site) == [X + path for path in expected]
    assert ("the canonical link of b.html spells its URL https://x.org/b.html" in text) == ("b.html" not in expected)


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ('<a href="b">B</a> <a href="/a#top">A</a> <a href="https://[">', ["", "a", "b"]),
        ('<a href="b.html">B</a> <a href="a/index.html">A</a>', ["", "a/", "b.html"]),
    ],
)
def test_links_at_home_show_the_style_if_nothing_else_does(project: Path, links: str, expected: list[str]) -> None:
    """So a second run leaves the URLs of a generator's sitemap as they are, which ours has replaced."""
    write(project / "public", {"index.html": page(body=links), "a/index.html": page(), "b.html": page()})
    for changes in ("changed: ", "nothing to change"):
        assert changes in said("--base-url", X)
        assert locs(project / "public") == [X + path for path in expected]


@pytest.mark.parametrize(
    ("links", "first", "expected"),
    [
        # The first run took over a sitemap with a slash at the end of folders, though links have none.
        ('<a href="a">A</a> <a href="b">B</a>', ["", "a/", "b", "c/"], ["", "a/", "b", "c/"]),
        # The first run was asked for another style of pages, or wrote the page of a folder before it had links.
        ('<a href="a">A</a> <a href="b">B</a>', ["", "a", "b.html", "c"], ["", "a", "b", "c"]),
        ('<a href="a/">A</a>', ["", "a/", "b", "c/"], ["", "a/", "b.html", "c/"]),
        ('<a href="a/">A</a>', ["", "a", "b.html"], ["", "a", "b.html", "c"]),
    ],
)
def test_the_sitemap_of_an_earlier_run_shows_the_style_of_folders(
    project: Path, links: str, first: list[str], expected: list[str]
) -> None:
    write(project / "public", {"index.html": page(body=links), "a/index.html": page(), "b.html": page()})
    urls = "".join(f"<url><loc>{X}{path}</loc></url>" for path in first)
    earlier = f'{MARK}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    write(project / "public", {"c/index.html": page(), "sitemap.xml": earlier})
    for _ in range(2):
        said("--base-url", X)
        assert locs(project / "public") == [X + path for path in expected]


@pytest.mark.parametrize(
    ("canonical", "expected"),
    [
        ("b", ["", "a", "b", "c", "no-link"]),
        ("b/", ["", "a", "b/", "c", "no-link/"]),
        ("b.html", ["", "a", "b.html", "c", "no-link.html"]),
    ],
)
def test_pages_without_a_link_follow_the_style_of_the_others(
    project: Path, canonical: str, expected: list[str]
) -> None:
    files = {"index.html": page(X), "a/index.html": page(f"{X}a"), "b.html": page(X + canonical)}
    write(project / "public", {**files, "c/index.html": page(), "no-link.html": page()})
    said()
    assert locs(project / "public") == [X + path for path in expected]


@pytest.mark.parametrize(("sign", "second"), [("other.css", "The start"), ("ayu-highlight.css", "The end")])
def test_pages_like_the_home_page_are_listed(sign: str, second: str, project: Path) -> None:
    """Of generators other than mdBook, and chapters of a book that have other text, but the same title."""
    pages = {
        name: page(title="Start", body=f"<main>{text}</main>") for name, text in (("index", "The start"), ("a", second))
    }
    write(project, {"book.toml": "", f"book/{sign}": "", **{f"book/{name}.html": each for name, each in pages.items()}})
    said("--base-url", X)
    assert locs(project / "book") == [X, f"{X}a.html"]


class TestExitCodes:
    def test_warnings_fail_only_a_strict_run(self, site: Path) -> None:
        assert "info: " not in said("--strict")
        (site.parent / "sitemap.toml").write_text("exclude = ['nothing/']")
        assert "info: exclude: " in said("--strict")
        (site.parent / "sitemap.toml").write_text("exclude = ['nothing/']\nnotes = {unmatched = 'warning'}")
        assert run("build").stderr.startswith("warning: exclude: 'nothing/' matches no page")
        strict = said("--strict", status=1)
        assert "warning: exclude: " in strict
        assert "Error: --strict: 1 warning" in strict
        assert (site / "sitemap.xml").exists()

    def test_without_a_sitemap_it_fails(self, site: Path) -> None:
        (site.parent / "sitemap.toml").write_text('exclude = ["*"]')
        assert "every page is left out" in said(status=1)
        assert not (site / "sitemap.xml").exists()

    def test_a_quiet_run_says_why_there_is_no_sitemap(self, project: Path) -> None:
        write(project / "public", {"index.html": page()})
        result = run("build", "public", "--quiet")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "because the site has no URL: set --base-url" in result.stderr
        assert result.stderr.endswith("\nError: no sitemap was written\n")

    def test_a_verbose_run_names_each_page_that_is_left_out(self, site: Path) -> None:
        write(site, {"c.html": page(X + "c.html", head='<meta name="robots" content="noindex">')})
        assert "left out c.html: noindex (robots meta tag: noindex)" in said("--verbose").splitlines()
        assert "left out c.html" not in said()


OPTIONS = {
    "zensical.toml": "[project]\nsite_dir = 'public'\n[project.plugins.sitemap]\nfilename = 'pages.xml'\n",
    "mkdocs.yml": "site_dir: public\nplugins:\n- search\n- sitemap:\n    filename: pages.xml\n",
    "sitemap.toml": "filename = 'pages.xml'\n",
    "pyproject.toml": "[tool.sitemap-plugins]\nfilename = 'pages.xml'\n",
}


DAYS = ("2026-01-01", "2026-01-06")


class TestQuiet:
    def test_only_warnings_are_printed(self, site: Path) -> None:
        (site.parent / "sitemap.toml").write_text("exclude = ['nothing/']\nnotes = {unmatched = 'warning'}\n")
        result = run("build", "--quiet")
        assert result.stdout == ""
        assert result.stderr.startswith("warning: exclude: 'nothing/' matches no page")
        assert result.stderr.count("\n") == 1
        assert locs(site) == [X, f"{X}a/", f"{X}b.html"]

    def test_a_dry_run_prints_what_would_change(self, site: Path) -> None:
        result = run("build", "-q", "--dry-run")
        assert (result.stdout, result.stderr) == ("would change: sitemap.xml, robots.txt\n", "")
        assert not (site / "sitemap.xml").exists()

    def test_it_is_the_opposite_of_verbose(self, site: Path) -> None:
        assert refusal("build", "-q", "-v") == "Error: --quiet and --verbose cannot be combined"
        assert not (site / "sitemap.xml").exists()


class TestOptions:
    @pytest.mark.parametrize("name", OPTIONS)
    def test_all_mistakes_are_reported_at_once_with_their_file(self, site: Path, name: str) -> None:
        before = contents(site)
        wrong = OPTIONS[name].replace("filename = 'pages.xml'", "filename = 5\ngzpi = true\nadjust = 'nothing:f'")
        indented = "filename: 5\n    gzpi: true\n    adjust: nothing:f"
        (site.parent / name).write_text(wrong.replace("filename: pages.xml", indented))
        result: Result = run("build")
        lines = [line.removeprefix("Error: ") for line in result.stderr.splitlines()]
        assert result.exit_code == 1
        assert [line for line in lines if not line.startswith(f"{name}")] == []
        assert len(lines) == 3
        assert [word for word in ("filename", "gzpi", "adjust") if not any(word in line for line in lines)] == []
        assert contents(site) == before

    def test_a_hook_changes_entries(self, site: Path) -> None:
        (site.parent / "hooks_of_test.py").write_text(
            "from dataclasses import replace\nfrom sitemap_plugins import DROP\n"
            "def adjust(entry, page):\n"
            "    return DROP if page.name == 'b.html' else replace(entry, priority=0.5)\n"
        )
        (site.parent / "sitemap.toml").write_text("adjust = 'hooks_of_test:adjust'")
        said()
        assert locs(site) == [X, f"{X}a/"]
        assert (site / "sitemap.xml").read_text().count("<priority>0.5</priority>") == 2

    def test_files_are_listed_in_addition_to_pages(self, site: Path) -> None:
        write(
            site,
            {
                "guide.pdf": b"%PDF",
                "a/b c.pdf": b"%PDF",
                ".hidden/x.pdf": b"%PDF",
                ".secret.txt": "",
                "robots.txt": "",
                "b.txt": "",
            },
        )
        (site.parent / "sitemap.toml").write_text("files = ['*.pdf', '*.txt', '*.xml']\ntext = true")
        said()
        expected = [X, f"{X}a/", f"{X}a/b%20c.pdf", f"{X}b.html", f"{X}b.txt", f"{X}guide.pdf"]
        assert locs(site) == expected
        said()  # our own files do not count as the author's
        assert locs(site) == expected

    def test_sections_have_their_own_sitemaps_and_old_ones_are_removed(
        self, site: Path, valid_sitemap: Callable[[bytes], Any]
    ) -> None:
        (site.parent / "sitemap.toml").write_text("[sections]\nguide = {match = ['a/**']}\n")
        changed = "changed: sitemap.xml, sitemap-guide.xml, sitemap-pages.xml, sitemap-index.xml, robots.txt"
        assert said().splitlines()[-1] == changed
        assert locs(site, "sitemap-guide.xml") == [f"{X}a/"]
        valid_sitemap((site / "sitemap.xml").read_bytes())
        (site.parent / "sitemap.toml").write_text("gzip = true")
        gone = "sitemap-guide.xml (removed), sitemap-index.xml (removed), sitemap-pages.xml (removed)"
        assert sorted(said().splitlines()[-1].removeprefix("changed: ").split(", ")) == sorted(
            [*gone.split(", "), "sitemap.xml.gz", "robots.txt"]
        )
        assert sorted(path.name for path in site.glob("sitemap*")) == ["sitemap.xml", "sitemap.xml.gz"]
        assert gzip.decompress((site / "sitemap.xml.gz").read_bytes()) == (site / "sitemap.xml").read_bytes()

    def test_images_feeds_and_record_are_written(self, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(repository.path)
        repository.write("docs/index.md", "# Home\n")
        repository.write(".gitignore", "/site/")
        repository.write(
            "zensical.toml",
            "[project]\nsite_url = 'https://x.org/'\nsite_name = 'Sample'\n[project.plugins.sitemap]\nimages = true\n"
            "record = 'record.json'\nfeeds = {rss = 'changes.xml'}\n",
        )
        repository.commit("2026-01-05T10:00:00Z")
        body = '<main><h1>Home</h1><p>Text</p><img src="a.png" alt="A"></main>'
        write(repository.path / "site", {"index.html": page(body=body), "a.png": b"PNG"})
        said()
        site = repository.path / "site"
        assert "<image:loc>https://x.org/a.png</image:loc>" in (site / "sitemap.xml").read_text()
        assert "<lastmod>2026-01-05T10:00:00Z</lastmod>" in (site / "sitemap.xml").read_text()
        assert '"by": "written by sitemap-plugins"' in (site / "record.json").read_text()
        assert "<title>Home</title>" in (site / "changes.xml").read_text()
        assert said().splitlines()[-1] == "nothing to change"

    def test_pages_expire_by_the_date_of_head_without_any_source(
        self, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(repository.path)
        repository.write("Makefile", "all:\n")
        repository.commit("2026-01-05T10:00:00Z")
        files = {f"{day}.html": page(head=f'<meta name="robots" content="unavailable_after: {day}">') for day in DAYS}
        write(repository.path / "site", {"index.html": page(X), **files})
        assert "sources: none found" in said()
        assert locs(repository.path / "site") == [X, f"{X}2026-01-06.html"]

    def test_links_in_heads_show_languages_and_their_default(self, project: Path) -> None:
        (project / "sitemap.toml").write_text(f"base_url = '{X}'")
        codes = {"en-US": "us/", "en-GB": "uk/", "x-default": "uk/"}
        head = "".join(f'<link rel="alternate" hreflang="{code}" href="/{path}">' for code, path in codes.items())
        write(project / "public", {f"{folder}/index.html": page(head=head) for folder in ("us", "uk")})
        assert "2 with translations" in said("public")
        written = (project / "public" / "sitemap.xml").read_text()
        assert [written.count(f'hreflang="{code}" href="{X}{path}"') for code, path in codes.items()] == [2, 2, 2]

    def test_copies_are_not_linked(self, project: Path) -> None:
        """A page at the root that is equal to that in en/, and one in fr/ that says that it is in English."""
        (project / "sitemap.toml").write_text(f"base_url = '{X}'\nsections = {{english = {{language = 'en'}}}}\n")
        codes = {"": "en-GB", "en/": "en", "fr/": "fr"}
        names = ("index", "a", "equal")
        write(
            project / "public",
            {
                f"{folder}{name}.html": page(
                    lang=code, body=f"<main>{name if name == 'equal' else folder + name}</main>"
                )
                for folder, code in codes.items()
                for name in names
            }
            | {"copy.html": page(lang="en-GB"), "fr/copy.html": page(lang="en")},
        )
        assert "8 with translations" in said("public")
        english, pages = ((project / "public" / f"sitemap-{name}.xml").read_text() for name in ("english", "pages"))
        assert f"<url><loc>{X}fr/copy.html</loc></url>" in english
        assert f"<url><loc>{X}equal.html</loc></url>" in pages
        assert f'hreflang="en" href="{X}en/equal.html"' in english
        assert f'hreflang="en-GB" href="{X}a.html"' in english

    def test_other_languages_and_head_links(self, project: Path) -> None:
        for folder, lang in (("", "en"), ("de/", "de")):
            write(project / "public", {f"{folder}{name}": page(lang=lang) for name in ("index.html", "a/index.html")})
        (project / "sitemap.toml").write_text(
            f"base_url = '{X}'\nhead_links = true\n[languages]\nen = '{X}'\nde = '{X}de/'\nfr = 'https://fr.x.org/'\n"
        )
        before = contents(project / "public")
        planned = said("--dry-run").splitlines()[-1]
        assert contents(project / "public") == before
        text = said()
        assert text.splitlines()[-1] == planned.replace("would change", "changed")
        assert planned.endswith(", a/index.html, de/a/index.html, de/index.html, index.html")
        assert "4 with translations" in text
        written = (project / "public" / "sitemap.xml").read_text()
        assert f'hreflang="de" href="{X}de/a/"' in written
        assert 'hreflang="fr" href="https://fr.x.org/a/"' in written
        html = (project / "public" / "a" / "index.html").read_text()
        assert 'hreflang="de"' in html
        after = contents(project / "public")
        assert said().splitlines()[-1] == "nothing to change"
        assert contents(project / "public") == after

    def test_many_changed_files_are_counted(self, project: Path) -> None:
        for folder, lang in (("", "en"), ("de/", "de")):
            names = ["index.html", *(f"{number}.html" for number in range(20))]
            write(project / "public", {f"{folder}{name}": page(lang=lang) for name in names})
        (project / "sitemap.toml").write_text(f"base_url = '{X}'\nhead_links = true\n")
        assert re.search(r"^changed: ([^,]+, ){19}[^,]+ and 24 more$", said(), re.MULTILINE)

    def test_pages_without_a_source_can_be_left_out(self, project: Path) -> None:
        write_pages(project / "site", "index.html", "tags/index.html")
        write(project, {"docs/index.md": "# Home\n", "mkdocs.yml": "plugins: [{sitemap: {generated_pages: false}}]\n"})
        assert "left out: 1 generated" in said()
        assert locs(project / "site") == [X]

    def test_options_that_only_work_in_plugins_are_reported(self, site: Path) -> None:
        (site.parent / "sitemap.toml").write_text(
            "expose = true\ncanonical_version_url = {url = 'https://x.org/latest/', pages = 'a.xml'}"
        )
        text = said()
        assert "expose: it has no effect here, only in" in text
        assert "canonical_version_url: it has no effect here, only in" in text


class TestBaseURL:
    """Where the base URL comes from, in order of precedence."""

    @pytest.fixture
    def everything(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        """A site with a different URL in every place."""
        monkeypatch.setenv("READTHEDOCS", "True")
        monkeypatch.setenv("READTHEDOCS_CANONICAL_URL", "https://environment.org/en/")
        write(project, {"mkdocs.yml": "site_dir: public\nsite_url: https://site-url.org/\n"})
        listed = "".join(f"<url><loc>https://sitemap.org/{path}</loc></url>" for path in ("", "a/", "b/"))
        names = ["index.html", "a/index.html", "b/index.html"]
        write_pages(project / "public", *names, base="https://canonical.org/")
        open_ = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        return write(project / "public", {"CNAME": "cname.org\n", "sitemap.xml": f"{open_}{listed}</urlset>"})

    def test_the_order(self, everything: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def url() -> str:
            return re.search("^URL: (.*)$", run("build", "--dry-run").stdout, re.MULTILINE)[1]

        mkdocs = everything.parent / "mkdocs.yml"
        option = mkdocs.read_text() + "plugins: [{sitemap: {base_url: 'https://option.org/'}}]\n"
        assert "URL: https://line.org/, from " in run("build", "--base-url", "https://line.org").output
        mkdocs.write_text(option)
        assert url() == "https://option.org/, from the option base_url"
        mkdocs.write_text("site_dir: public\nsite_url: https://site-url.org/\n")
        assert url() == "https://canonical.org/, from the canonical links of the pages"
        for name in ("a/index.html", "b/index.html"):
            (everything / name).write_text(page())
        assert url() == "https://site-url.org/, from site_url in mkdocs.yml"
        mkdocs.write_text("site_dir: public\n")
        assert url() == "https://cname.org/, from the file CNAME"
        (everything / "CNAME").unlink()
        assert url() == "https://sitemap.org/, from the URLs in sitemap.xml"
        (everything / "sitemap.xml").unlink()
        assert url() == "https://canonical.org/, from the canonical links of the pages"
        (everything / "index.html").write_text(page())
        assert url() == "https://environment.org/en/, from READTHEDOCS_CANONICAL_URL"
        monkeypatch.delenv("READTHEDOCS_CANONICAL_URL")
        assert "set --base-url or the option base_url to the URL at which it will be published" in run("build").output

    def test_redirects_do_not_determine_the_base_url(self, site: Path) -> None:
        target = "https://new.org/a/"
        stub = page(target, head=f'<meta http-equiv="refresh" content="0; url={target}">')
        write(site, {f"old{number}/index.html": stub for number in range(9)})
        assert "URL: https://x.org/, from the canonical links" in said()
        assert locs(site) == [X, f"{X}a/", f"{X}b.html"]

    def test_other_spellings_of_the_base_url_are_the_same(self, project: Path) -> None:
        """The sitemap of another tool, the canonical links and the option spell it in different ways."""
        site = write_pages(project / "public", "index.html", "a/index.html", base="https://X.org/./")
        write_pages(site, "b.html", base="https://x.org:443/c/../")
        open_ = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        (site / "sitemap.xml").write_text(f"{open_}<url><loc>HTTPS://X.org:443/a/</loc></url></urlset>")
        (project / "sitemap.toml").write_text('filename = "all.xml"')
        assert "warning" not in said("--base-url", "https://X.ORG")
        assert locs(site, "all.xml") == [X, f"{X}a/", f"{X}b.html"]

    def test_a_local_address_is_not_a_base_url(self, project: Path) -> None:
        site = write_pages(project / "public", "index.html", "a/index.html", base="http://localhost:3000/")
        open_ = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        (site / "sitemap.xml").write_text(f"{open_}<url><loc>http://127.0.0.1:3000/</loc></url></urlset>")
        before = contents(site)
        assert "no sitemap was written, because the site has no URL" in said(status=1)
        assert contents(site) == before
        (site / "CNAME").write_text("docs.x.org")
        # It fails because the sitemap is the author's own.
        assert "URL: https://docs.x.org/, from the file CNAME" in said(status=1)

    def test_a_site_built_for_another_host_is_not_listed(self, site: Path) -> None:
        before = contents(site)
        text = said("--base-url", "https://docs.y.org/", status=1)
        assert (
            "warning: base_url is https://docs.y.org/, but the canonical links of the pages lead to https://x.org/: "
            "build the site for the URL at which it will be published, or change base_url\n"
        ) in text
        assert contents(site) == before


@pytest.mark.parametrize(
    ("generator", "plugins", "is_said"),
    [
        ("mkdocs-1.6.1, mkdocs-material-9.7", "[search, sitemap]", True),
        ("", "{sitemap: {gzip: false}}", True),
        ("mkdocs-1.6.1", "[{sitemap: {enabled: false}}]", False),
        ("mkdocs-1.6.1", "[search]", False),
        ("zensical-0.0.73", "[sitemap]", False),
    ],
)
def test_a_plugin_that_already_writes_the_sitemap_is_named(
    site: Path, project: Path, generator: str, plugins: str, *, is_said: bool
) -> None:
    (project / "mkdocs.yml").write_text(f"site_dir: public\nplugins: {plugins}\n")
    head = f'<meta name="generator" content="{generator}">' if generator else ""
    (site / "index.html").write_text(page(X, head=head))
    said_ = said()
    assert ("mkdocs.yml enables the plugin, so builds with MkDocs already write the sitemap\n" in said_) == is_said
    name = "Zensical" if "zensical" in generator else "MkDocs" if generator else "MkDocs or Zensical"
    assert f"3 HTML files in public, built by {name}\n" in said_


def test_empty_folders_are_an_author_s_mistake_only(site: Path, project: Path) -> None:
    said_ = said("--base-url", "https://x.org//")
    assert "warning: --base-url has an empty folder in it (//): https://x.org/ is used\n" in said_
    assert locs(site) == [X, f"{X}a/", f"{X}b.html"]
    (project / "mkdocs.yml").write_text("site_dir: public\nsite_url: https://x.org//\n")
    for name in ("index.html", "a/index.html", "b.html"):
        (site / name).write_text(page())
    assert "warning: site_url in mkdocs.yml has an empty folder in it (//), https://x.org//: " in said()
    # With one slash, these URLs may lead nowhere.
    write_pages(site, "index.html", "a/index.html", "b.html", base="https://x.org//")
    assert "warning" not in said()
    assert locs(site) == [f"{X}/", f"{X}/a/", f"{X}/b.html"]
    # If the author writes the URL, such canonical links are still the pages' own.
    assert "left out" not in said("--base-url", f"{X}/")
    assert locs(site) == [X, f"{X}a/", f"{X}b.html"]
    shutil.rmtree(site / "a")
    write_pages(site, "c.html", base=f"{X}/")  # pages without folders
    assert "left out" not in said("--base-url", f"{X}/")
    assert locs(site) == [X, f"{X}b.html", f"{X}c.html"]


def test_a_preview_is_not_announced(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other services are in tests/session/test_deployment.py."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_REF", "refs/pull/7/merge")
    assert "this is a preview on " in run("build").output
    assert not (site / "robots.txt").exists()
