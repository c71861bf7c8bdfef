"""The sample sites come out as they are expected, byte for byte, and what they list is there."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

LASTMOD = re.compile(rb"<lastmod>[^<]*</lastmod>")
LOC = re.compile(r"<loc>([^<]*)</loc>")
PACKED = {"mkdocs_plain", "mkdocs_material", "properdocs", "sphinx_dirhtml", "twins/mkdocs", "twins/sphinx"}


def test_the_results_are_the_expected_ones(sample: Any, sample_builds: Any) -> None:
    complaint = sample_builds.program.complaint(sample, sample_builds[sample.name])
    assert not complaint, complaint


def test_the_packed_sitemap_is_the_sitemap(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    packed = built.site / "sitemap.xml.gz"
    assert packed.is_file() == (sample.name in PACKED)
    if packed.is_file():
        assert gzip.decompress(packed.read_bytes()) == built.sitemap


def test_each_url_has_a_page_behind_it(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    locs = LOC.findall(built.sitemap.decode())
    assert locs
    for loc in locs:
        assert loc.startswith(sample.url)
        path = unquote(urlsplit(loc.removeprefix(sample.url)).path)
        page = built.site / path / "index.html" if path.endswith("/") or not path else built.site / path
        assert page.is_file(), loc


def test_the_history_is_the_same_each_time(sample: Any, sample_builds: Any, tmp_path: Path) -> None:
    assert sample_builds[sample.name]
    sample_builds.program.make_repository(sample, tmp_path / "again")
    repositories = (sample_builds.folder / sample.name / "repository", tmp_path / "again")
    first, again = (_git(repository, "rev-parse", "HEAD") for repository in repositories)
    assert first == again
    assert not _git(repositories[0], "status", "--porcelain"), "a build leaves the sources as they are"


def test_a_second_build_gives_the_same_bytes(sample: Any, sample_builds: Any, tmp_path: Path) -> None:
    built = sample_builds[sample.name]
    repository = sample_builds.folder / sample.name / "repository"
    again = sample_builds.program.build(sample, repository, tmp_path / "site")
    assert again.results == built.results


def test_a_shallow_clone_builds_and_misses_nothing_but_dates(sample: Any, sample_builds: Any, tmp_path: Path) -> None:
    built = sample_builds[sample.name]
    repository = (sample_builds.folder / sample.name / "repository").resolve()
    _git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), "clone")
    shallow = sample_builds.program.build(sample, tmp_path / "clone", tmp_path / "site")

    assert LASTMOD.sub(b"", shallow.sitemap) == LASTMOD.sub(b"", built.sitemap)
    for line, whole in zip(shallow.sitemap.splitlines(), built.sitemap.splitlines(), strict=True):
        assert set(LASTMOD.findall(line)) <= set(LASTMOD.findall(whole))
    assert shallow.left_out == built.left_out
    assert any("the clone is shallow" in note for note in shallow.notes)


def test_one_site_made_by_two_hosts_has_one_sitemap(sample_builds: Any) -> None:
    mkdocs, sphinx = (sample_builds[f"twins/{host}"].results for host in ("mkdocs", "sphinx"))
    assert mkdocs["sitemap.xml"] == sphinx["sitemap.xml"]
    assert mkdocs["robots.txt"] == sphinx["robots.txt"]


class TestProgram:
    """What the program says when something is wrong, as its user sees it."""

    def test_a_difference_names_the_command_that_renews(self, sample_builds: Any, tmp_path: Path) -> None:
        program = sample_builds.program
        built = program.Built(site=tmp_path, log="INFO    -  sitemap: left out a.md: draft\n")
        complaint = program.complaint(program.SAMPLES["sphinx_html"], built)
        assert "\n+a.md  draft\n" in complaint
        assert "+++ no sitemap.xml was built" in complaint
        assert complaint.endswith("python sample_sites/build.py --update sphinx_html")

    def test_a_build_that_fails_shows_what_the_host_printed(
        self, sample_builds: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
    ) -> None:
        program = sample_builds.program
        broken = program.Sample(name="sphinx_html", url="", command=("sphinx", "-b", "html", "nowhere"))
        monkeypatch.setitem(program.SAMPLES, "sphinx_html", broken)
        assert program.main(["sphinx_html", "--output", str(tmp_path)]) == 1
        error = capfd.readouterr().err
        assert error.startswith("sphinx_html could not be built: ")
        assert "nowhere" in error.partition("and printed:")[2]

    @pytest.mark.parametrize(("arguments", "status"), [([], 0), (["twins/sphinx"], 1), (["--host=sphinx"], 1)])
    def test_a_missing_host_is_an_error_only_where_it_is_asked_for(
        self,
        sample_builds: Any,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
        arguments: list[str],
        status: int,
    ) -> None:
        program = sample_builds.program
        monkeypatch.setattr(program, "missing_modules", lambda sample: [sample.host])
        assert program.main(arguments) == status
        printed = capsys.readouterr()
        assert "twins/sphinx was not built, because sphinx cannot be imported" in (printed.out, printed.err)[status]

    def test_a_file_that_no_commit_names_is_an_error(
        self, sample_builds: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        program = sample_builds.program
        (tmp_path / "site").mkdir()
        (tmp_path / "site" / "page.md").touch()
        (tmp_path / "site" / "history.toml").write_text("commits = []", "utf-8")
        monkeypatch.setattr(program, "HERE", tmp_path)
        with pytest.raises(program.SampleError, match=r"site/history.toml commits no page\.md"):
            program.make_repository(program.Sample(name="site", url="", command=("mkdocs",)), tmp_path / "repository")


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True).stdout.strip()
