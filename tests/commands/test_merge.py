"""The command ``merge``: its arguments, files and output; no arguments and no published files cause a traceback."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from sitemap_plugins import __version__
from sitemap_plugins.commands.main import main
from tests.builders import refuse_to_list

X = "https://x.org/"
OPEN = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'


def run(*arguments: str | Path) -> Result:
    """Run the command. An unhandled exception is raised here too."""
    return CliRunner().invoke(main, [str(each) for each in arguments], catch_exceptions=False)


def refusal(*arguments: str | Path, status: int = 2) -> str:
    """The last line on standard error of a command that fails."""
    result = run(*arguments)
    assert result.exit_code == status, result.output
    return result.stderr.splitlines()[-1]


def build(root: Path, folder: str, lang: str, names: tuple[str, ...] = ("", "a/"), base: str | None = None) -> None:
    """Write the build of one language into a folder."""
    base = f"{X}{folder}/" if base is None else base
    for name in names:
        path = root / folder / name / "index.html"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'<html lang="{lang}"><head><title>{name}</title></head><body></body></html>')
    urls = "".join(f"\n<url><loc>{base}{name}</loc></url>" for name in names)
    (root / folder / "sitemap.xml").write_text(f"{OPEN}{urls}\n</urlset>\n")


def contents(root: Path) -> dict[str, bytes]:
    """Every file below a folder, including drafts and hidden files."""
    files = [path for path in root.rglob("*") if not path.is_dir()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


def changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> set[str]:
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """English at the root and French below it."""
    root = tmp_path / "site"
    build(root, "", "en", ("", "a/", "only-here/"), X)
    build(root, "fr", "fr")
    return root


def test_the_result_is_shown_and_written(site: Path) -> None:
    before = contents(site)
    result = run("merge", site)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert [" ".join(line.split()) for line in result.stdout.splitlines()] == [
        "language folder known by listed linked absent not indexable other lang",
        "en . html lang 3 2 0 0 0",
        "fr fr name, html lang 2 2 0 0 0",
        "pages in several languages: 2; links: 12 (before: 0); x-default: en",
        "changed: sitemap.xml, fr/sitemap.xml, robots.txt",
    ]
    after = contents(site)
    assert changed(before, after) == {"sitemap.xml", "fr/sitemap.xml", "robots.txt"}
    assert after["fr/sitemap.xml"].decode() == "\n".join(
        [
            OPEN,
            *(
                f"<url><loc>{X}fr/{name}</loc>\n"
                f'<xhtml:link rel="alternate" hreflang="en" href="{X}{name}"/>\n'
                f'<xhtml:link rel="alternate" hreflang="fr" href="{X}fr/{name}"/>\n'
                f'<xhtml:link rel="alternate" hreflang="x-default" href="{X}{name}"/></url>'
                for name in ("", "a/")
            ),
            "</urlset>\n",
        ]
    ).replace("</loc>\n<", "</loc><").replace("/>\n<", "/><")


def test_pages_that_are_not_linked_are_counted(site: Path) -> None:
    (site / "fr/a/index.html").unlink()
    build(site, "fr/more", "fr")
    (site / "fr/more/a/index.html").write_text('<html lang="en"><head></head></html>')
    (site / "a/index.html").write_text('<html lang="en"><head><meta name="robots" content="noindex"></head></html>')
    rows = [line.split() for line in run("merge", site).stdout.splitlines()[1:3]]
    assert rows == [
        ["en", ".", "html", "lang", "3", "1", "0", "1", "0"],
        ["fr", "fr", "name,", "html", "lang", "4", "1", "1", "0", "1"],
    ]


def test_a_dry_run_prints_the_same_and_writes_nothing(site: Path) -> None:
    (site / "sitemap.xml.gz").write_bytes(gzip.compress((site / "sitemap.xml").read_bytes()))
    before = contents(site)
    times = {path: (site / path).stat().st_mtime_ns for path in before}
    dry = run("merge", site, "--dry-run")
    assert dry.exit_code == 0
    assert contents(site) == before
    assert {path: (site / path).stat().st_mtime_ns for path in before} == times
    assert dry.stdout.splitlines()[-1] == "would change: sitemap.xml, sitemap.xml.gz, fr/sitemap.xml, robots.txt"
    assert run("merge", site).stdout == dry.stdout.replace("would change", "changed")
    assert run("merge", site, "--dry-run").stdout.splitlines()[-1] == "nothing to change"


def test_sitemaps_can_have_other_names(site: Path) -> None:
    for folder in ("", "fr"):
        (site / folder / "sitemap.xml").rename(site / folder / "pages.xml")
    assert "there is no usable sitemap" in refusal("merge", site, status=1)
    assert (
        run("merge", site, "--pattern", "pages.*").stdout.splitlines()[-1]
        == "changed: pages.xml, fr/pages.xml, robots.txt"
    )


class TestLanguages:
    """``--language CODE=FOLDER``."""

    def test_languages_can_be_named(self, tmp_path: Path) -> None:
        build(tmp_path, "english", "en")
        build(tmp_path, "francais", "fr")
        result = run("merge", tmp_path, "--language", "en=english", "--language", "fr_FR=./francais/")
        assert [line.split()[:4] for line in result.stdout.splitlines()[1:3]] == [
            ["en", "english", "--language", "2"],
            ["fr-FR", "francais", "--language", "2"],
        ]
        assert f'hreflang="fr-FR" href="{X}francais/"' in (tmp_path / "english/sitemap.xml").read_text()

    def test_root_can_be_named(self, site: Path) -> None:
        result = run("merge", site, "--language", "en-GB=.", "--language", "fr=fr")
        assert "en-GB" in result.stdout
        assert f'hreflang="en-GB" href="{X}"' in (site / "fr/sitemap.xml").read_text()

    @pytest.mark.parametrize(
        ("value", "problem"),
        [
            ("fr", "'fr' is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"),
            ("fr=", "'fr=' is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"),
            ("fr=/fr", "'fr=/fr' is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"),
            ("fr=fr/../..", "'fr=fr/../..' is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"),
            ("fr=fr\\..\\..", "'fr=fr\\\\..\\\\..' is not of the form CODE=FOLDER, with FOLDER relative to ROOT (. is ROOT itself)"),
            ("french=fr", "'french' is not a language code such as 'en' or 'pt-BR'"),
            ("fr=gone", "there is no folder gone below {}; FOLDER is relative to ROOT"),
            ("fr=" + "x/" * 3000, f"there is no folder {('x/' * 3000)[:-1]} below {{}}; FOLDER is relative to ROOT"),
        ],
    )  # fmt: skip
    def test_an_invalid_language_is_refused_with_a_message(self, site: Path, value: str, problem: str) -> None:
        before = contents(site)
        message = refusal("merge", site, "--language", value)
        assert message == f"Error: Invalid value for '--language': {problem.format(site)}"
        assert contents(site) == before

    @pytest.mark.parametrize("values", [("fr=fr", "fr=a"), ("fr=fr", "en=fr"), ("en=.", "fr=./")])
    def test_duplicate_languages_and_folders_are_refused(self, site: Path, values: tuple[str, ...]) -> None:
        message = refusal("merge", site, *(part for value in values for part in ("--language", value)))
        assert message.endswith(" is named twice")

    def test_a_missing_root_is_named(self) -> None:
        assert refusal("merge", "--language", "fr=fr") == (
            "Error: Missing argument 'ROOT'. Name the folder, or a branch with --branch."
        )


class TestAnnouncing:
    """The sitemaps of languages are announced in the robots.txt at the root of a host (RB-01)."""

    def lines(self, root: Path) -> list[str]:
        """The paths of the sitemaps that robots.txt announces, after merging, which is done again in vain."""
        assert run("merge", root).stderr == ""
        assert run("merge", root).stdout.splitlines()[-1] == "nothing to change"
        content = (root / "robots.txt").read_text()
        return [line.removeprefix(f"Sitemap: {X}") for line in content.splitlines() if line.startswith("Sitemap: ")]

    def test_folders_beside_a_page_to_choose_the_language(self, tmp_path: Path) -> None:
        for folder in ("en", "fr", "fr/blog", "old"):
            build(tmp_path, folder, folder[:2])
        head = f'<link rel="canonical" href="{X}"><meta name="robots" content="noindex">'
        (tmp_path / "index.html").write_text(f'<html lang="en"><head>{head}</head><a href="en/">English</a>')
        assert self.lines(tmp_path) == ["en/sitemap.xml", "fr/sitemap.xml", "fr/blog/sitemap.xml"]
        assert "  old/sitemap.xml\n  fix:" in run("check", tmp_path, "--select", "unannounced").stdout

    def test_the_sitemap_of_the_root_in_the_folder_of_its_language(self, site: Path) -> None:
        (site / "en").mkdir()
        (site / "sitemap.xml").rename(site / "en/sitemap.xml")
        (site / "en/index.html").write_text(f'<meta http-equiv="refresh" content="0; url={X}">')
        assert self.lines(site) == ["en/sitemap.xml", "fr/sitemap.xml"]

    def test_the_lines_of_others_stay_but_not_those_for_sitemaps_that_are_gone(self, site: Path) -> None:
        (site / "robots.txt").write_text(f"User-agent: *\nSitemap: {X}fr/sitemap.xml\nSitemap: http://[x/\n")
        build(site, "de", "de")
        assert self.lines(site) == ["fr/sitemap.xml", "Sitemap: http://[x/", "sitemap.xml", "de/sitemap.xml"]
        block = f"# begin of sitemap-plugins\nSitemap: {X}sitemap.xml\nSitemap: https://de.x.org/sitemap.xml\n"
        (site / "robots.txt").write_text(f"{block}Sitemap: {X}de/sitemap.xml\n# end of sitemap-plugins\n")
        shutil.rmtree(site / "de")
        assert self.lines(site) == ["sitemap.xml", "Sitemap: https://de.x.org/sitemap.xml", "fr/sitemap.xml"]

    def test_an_index_stands_for_the_sitemaps_that_it_names(self, site: Path) -> None:
        (site / "fr/sitemap.xml").rename(site / "fr/sitemap-1.xml")
        index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{X}'
        end = "</loc></sitemap></sitemapindex>"
        (site / "fr/sitemap.xml").write_text(f"{index}fr/sitemap-1.xml{end}")
        (site / "old").mkdir()
        (site / "old/sitemap.xml").write_text(f"{index}old/sitemap-1.xml{end}")  # in the folder of no language
        assert self.lines(site) == ["sitemap.xml", "fr/sitemap.xml"]
        images = '<urlset xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"'
        image = f"<url><loc>{X}fr/a/</loc><i:image><i:loc>{X}a.png</i:loc></i:image></url></urlset>"
        (site / "fr/sitemap-images.xml").write_text(f"{images} {OPEN.removeprefix('<urlset ')}{image}")
        assert self.lines(site) == ["sitemap.xml", "fr/sitemap.xml", "fr/sitemap-images.xml"]
        (site / "sitemap_all.xml").write_text(f"{index}fr/sitemap.xml{end}")
        (site / "robots.txt").unlink()
        assert self.lines(site) == ["sitemap.xml", "sitemap_all.xml", "fr/sitemap-images.xml"]

    @pytest.mark.parametrize(
        ("url", "note"),
        [
            (f"{X}docs/", f"note: robots.txt has no effect below /docs/; announce the sitemap in {X}robots.txt: "),
            ("https://deploy-preview-1--x.netlify.app/", "note: this is a preview on Netlify"),
            ("http://localhost:8000/", ""),
        ],
    )
    def test_where_robots_txt_has_no_effect_none_is_written(self, tmp_path: Path, url: str, note: str) -> None:
        build(tmp_path, "en", "en", base=f"{url}en/")
        build(tmp_path, "fr", "fr", base=f"{url}fr/")
        result = run("merge", tmp_path)
        assert (result.exit_code, result.stderr) == (0, "")
        assert not (tmp_path / "robots.txt").exists()
        assert note in result.stdout
        assert ("note:" in result.stdout) == bool(note)

    def test_an_unreadable_robots_txt_is_a_problem(self, site: Path) -> None:
        (site / "robots.txt").mkdir()
        result = run("merge", site)
        assert result.stderr == "problem: robots.txt could not be read, so it was left alone: it is a folder\n"
        assert result.stdout.splitlines()[-1] == "changed: sitemap.xml, fr/sitemap.xml"

    def test_the_url_of_the_root_can_be_given(self, site: Path) -> None:
        """Only the options that name versions need some."""
        before = contents(site)
        assert "no versions were found" in refusal("merge", site, "--base-url", X, "--keep", "1.0", status=1)
        other = run("merge", site, "--base-url", "https://y.org/", "--dry-run")
        assert other.exit_code == 1
        assert other.stderr.startswith(
            "problem: no sitemap lists pages below --base-url https://y.org/, so none is announced; "
            f"sitemap.xml lists pages below {X}"
        )
        assert contents(site) == before
        assert run("merge", site, "--base-url", X).exit_code == 0
        assert changed(before, contents(site)) == {"sitemap.xml", "fr/sitemap.xml", "robots.txt"}


class TestXDefault:
    """``--x-default CODE|PATH|none``."""

    def test_x_default_can_be_a_language(self, site: Path) -> None:
        assert "x-default: fr" in run("merge", site, "--x-default", "FR").stdout
        assert f'hreflang="x-default" href="{X}fr/"' in (site / "fr/sitemap.xml").read_text()

    def test_x_default_can_be_none(self, site: Path) -> None:
        assert "x-default: none" in run("merge", site, "--x-default", "none").stdout
        assert "x-default" not in (site / "fr/sitemap.xml").read_text()

    def test_x_default_can_be_a_page(self, site: Path) -> None:
        result = run("merge", site, "--x-default", "/only-here/")
        assert f'hreflang="x-default" href="{X}only-here/"' in (site / "fr/sitemap.xml").read_text()
        assert f"x-default: {X}only-here/" in result.stdout

    def test_other_values_are_refused_with_a_message(self, site: Path) -> None:
        assert refusal("merge", site, "--x-default", "french") == (
            "Error: Invalid value for '--x-default': 'french' is not a language code such as 'en' or 'pt-BR'; write the "
            "path of a page with a slash, or none for no default"
        )


class TestMessages:
    """Messages about everything that is not in the table."""

    def test_the_first_of_many_links_that_were_removed_are_shown(self, tmp_path: Path) -> None:
        names = ("", *(f"{number}/" for number in range(6)))
        for code in ("en", "fr"):
            build(tmp_path, code, code, names)
        path = tmp_path / "en/sitemap.xml"
        link = '<xhtml:link rel="alternate" hreflang="fr" href="{}fr/gone/{}"/></url>'
        lines = path.read_text().split("</url>")
        path.write_text(
            "".join(f"{line}{link.format(X, number)}" for number, line in enumerate(lines[:-1])) + lines[-1]
        )
        said = run("merge", tmp_path).stdout.splitlines()
        start = said.index("links removed because they led to no listed page: 7")
        assert said[start + 1] == f"  {X}fr/gone/0 (fr) of {X}en/"
        assert said[start + 5 : start + 7] == [f"  {X}fr/gone/4 (fr) of {X}en/3/", "  and 2 more"]

    def test_links_that_contradict_are_shown(self, tmp_path: Path) -> None:
        build(tmp_path, "en", "en", ("", "a/"))
        build(tmp_path, "fr", "fr", ("",))
        path = tmp_path / "en/sitemap.xml"
        path.write_text(
            path.read_text().replace("</url>", f'<xhtml:link rel="alternate" hreflang="fr" href="{X}fr/"/></url>')
        )
        said = run("merge", tmp_path).stdout.splitlines()
        start = said.index("links ignored because they contradict others: 1")
        assert said[start + 1] == f"  {X}en/a/: {X}fr/ is not its translation in fr: that is a translation of {X}en/"

    def test_declared_translations_are_counted(self, tmp_path: Path) -> None:
        for code in ("en", "fr"):
            build(tmp_path, code, code)
        path = tmp_path / "en/sitemap.xml"
        link = '<xhtml:link rel="alternate" hreflang="de" href="https://y.org/"/></url>'
        path.write_text(path.read_text().replace("</url>", link, 1))
        said = run("merge", tmp_path).stdout
        assert "declared translations on other sites (not checked): 1\n" in said

    def test_folders_that_are_left_alone_are_reported(self, tmp_path: Path) -> None:
        build(tmp_path, "en", "en")
        build(tmp_path, "fr", "en")
        assert 'note: fr/ was not taken for fr, because its pages say lang="en"' in run("merge", tmp_path).stdout

    def test_a_single_language_is_a_problem(self, tmp_path: Path) -> None:
        build(tmp_path, "", "en", base=X)
        result = run("merge", tmp_path)
        assert result.exit_code == 1
        assert result.stdout.splitlines()[-1] == "nothing to change"
        assert "problem: fewer than two languages were found" in result.stderr
        assert not (tmp_path / "robots.txt").exists()


class TestProblems:
    """Problems are reported, and no file is half-written."""

    def test_a_malformed_sitemap_is_named_and_the_others_are_merged(self, site: Path) -> None:
        build(site, "de", "de")
        (site / "de/sitemap.xml").write_text("<urlset")
        result = run("merge", site)
        assert result.exit_code == 1
        assert result.stderr.startswith("problem: de/sitemap.xml ")
        assert result.stderr.count("\n") == 1
        assert result.stdout.splitlines()[-1] == "changed: sitemap.xml, fr/sitemap.xml, robots.txt"
        assert (site / "de/sitemap.xml").read_text() == "<urlset"

    def test_a_dry_run_with_a_problem_fails_too(self, site: Path) -> None:
        (site / "fr/sitemap.xml").write_text("")
        assert run("merge", site, "--dry-run").exit_code == 1

    def test_a_root_without_sitemaps_is_refused_with_a_message(self, tmp_path: Path) -> None:
        assert refusal("merge", tmp_path, status=1) == (
            f"Error: there is no usable sitemap in {tmp_path} (files sitemap*.xml): build the site with a sitemap first"
        )

    def test_a_root_that_is_not_the_published_folder_is_refused_with_a_message(self, site: Path) -> None:
        """The folder of the sources, with a copied sitemap."""
        for path in site.rglob("*.html"):
            path.unlink()
        result = run("merge", site)
        assert result.exit_code == 1
        assert result.stderr.splitlines() == [
            *(
                f"problem: {path} has no file behind any of its {number} URLs, so it was left alone; "
                "is this the folder that is published?"
                for path, number in (("sitemap.xml", 3), ("fr/sitemap.xml", 2))
            ),
            f"Error: there is no usable sitemap in {site} (files sitemap*.xml): build the site with a sitemap first",
        ]

    def test_a_folder_that_cannot_be_listed_is_refused_with_a_message(
        self, site: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = contents(site)
        (site / "fr/private").mkdir()
        with monkeypatch.context() as patch:
            refuse_to_list(site / "fr/private", patch)
            assert refusal("merge", site, status=1) == f"Error: {site / 'fr/private'}: Permission denied"
        assert contents(site) == before

    def test_a_file_that_cannot_be_written_changes_nothing(self, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        before = contents(site)
        replace = os.replace

        def refuse(source: str, target: str) -> None:
            if Path(target).parent.name == "fr" and source.endswith(".new"):
                raise PermissionError(13, "Permission denied", target)
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        result = run("merge", site)
        assert result.exit_code == 1
        assert (result.stdout, result.stderr) == ("", "Error: fr/sitemap.xml could not be written: Permission denied\n")
        assert contents(site) == before

    def test_nothing_outside_the_root_is_written(self, site: Path) -> None:
        (site.parent / "sitemap.xml").write_text(f"{OPEN}<url><loc>{X}</loc></url></urlset>")
        (site / "beside").symlink_to("..")
        before = contents(site.parent)
        run("merge", site)
        assert changed(before, contents(site.parent)) == {"site/sitemap.xml", "site/fr/sitemap.xml", "site/robots.txt"}


class TestProgram:
    """The program in a separate process."""

    def test_help_names_the_commands(self) -> None:
        for option in ("--help", "-h"):
            result = run(option)
            assert result.exit_code == 0
            assert "  merge   Combine languages" in result.stdout
            assert "  retire  Point search engines" in result.stdout

    def test_the_version_is_that_of_the_package(self) -> None:
        assert run("--version").stdout == f"sitemap-plugins, version {__version__}\n"

    @pytest.mark.parametrize("arguments", [("merg",), ("merge", ".", "--languages", "fr=fr"), ("merge", ".", "fr")])
    def test_unknown_commands_and_options_are_refused(self, arguments: tuple[str, ...]) -> None:
        assert refusal(*arguments).startswith(("Error: unknown command", "Error: No such", "Error: Got unexpected"))

    def test_the_package_can_be_run(self, site: Path) -> None:
        command = [sys.executable, "-m", "sitemap_plugins", "merge", site]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stderr == ""
        assert done.stdout.splitlines()[-1] == "changed: sitemap.xml, fr/sitemap.xml, robots.txt"
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        assert done.stdout.splitlines()[-1] == "nothing to change"

    @pytest.mark.parametrize("host", ["mkdocs", "sphinx"])
    def test_a_host_does_not_import_the_command_line(self, host: str) -> None:
        pytest.importorskip(host)
        program = (
            f"import sys, {host}, {host}.application; before = set(sys.modules); "
            if host == "sphinx"
            else f"import sys, {host}, {host}.plugins, {host}.config; before = set(sys.modules); "
        ) + (
            f"import sitemap_plugins.{host}; new = set(sys.modules) - before; "
            "print(sorted(name for name in new if name.partition('.')[0] in {'click', 'rich'} "
            "or name.startswith(('sitemap_plugins.merge', 'sitemap_plugins.published.', 'sitemap_plugins.commands'))))"
        )
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        assert done.stdout.strip() == "['sitemap_plugins.published.tree']"

    def test_the_list_of_commands_does_not_import_them(self) -> None:
        program = (
            "import sys; from click.testing import CliRunner; from sitemap_plugins.commands.main import main; "
            "CliRunner().invoke(main, ['--help']); "
            "print(sorted(name for name in sys.modules "
            "if name.partition('.')[0] in {'mkdocs', 'rich', 'selectolax', 'sphinx'} "
            "or name.startswith(('sitemap_plugins.merge', 'sitemap_plugins.published', 'sitemap_plugins.commands.merge'))))"
        )
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        assert done.stdout.strip() == "[]"
