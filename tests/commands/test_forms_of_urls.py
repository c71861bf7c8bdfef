"""The URLs ``guide/`` and ``guide.html`` of one file: some servers send it for both, so each command has its answer.

`build`, `check` and `merge` believe an author who lists ``guide/`` for ``guide.html``. For `diff`, `retire` and the
note ``gone``, a site that had ``guide/`` and now has ``guide.html`` has lost a URL, unless it says otherwise.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.test_build import locs, said
from tests.commands.test_merge import run
from tests.commands.test_retire import X, deploy, page, refusal

NAMES = ("index.html", "api.html", "guide.html", "install.html")


@pytest.fixture
def languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two languages whose URLs are those of folders, although their pages are plain files."""
    monkeypatch.chdir(tmp_path)
    for language in ("en", "fr"):
        plain_site(tmp_path / "site" / language, language)
        said(f"site/{language}", "--base-url", f"{X}{language}/", "--urls", "directory")
    return tmp_path / "site"


def plain_site(folder: Path, language: str = "en", names: tuple[str, ...] = NAMES) -> Path:
    """Pages without canonical links."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"<!doctype html><html lang={language}><head><title>{name}</title></head></html>")
    return folder


def canonical_pages(version: str) -> dict[str, bytes]:
    """Plain files whose canonical links are those of folders, in this version."""
    return {name: page(f"{X}{version}/{'' if name == 'index.html' else f'{name[:-5]}/'}") for name in NAMES}


def test_merge_joins_pages_whose_urls_are_those_of_folders(languages: Path) -> None:
    assert locs(languages / "en") == [f"{X}en/{name}" for name in ("", "api/", "guide/", "install/")]
    result = run("merge", languages)
    rows = [line.split() for line in result.stdout.splitlines()[1:3]]
    assert [(row[1], *row[-5:]) for row in rows] == [("en", *"44000"), ("fr", *"44000")], "listed, linked, absent …"
    assert f'hreflang="fr" href="{X}fr/guide/"' in (languages / "en/sitemap.xml").read_text()
    again = run("merge", languages)
    assert (again.exit_code, again.stdout.splitlines()[-1]) == (0, "nothing to change")


def test_merge_lists_versions_whose_urls_are_those_of_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("1.0", "2.0"):
        deploy(tmp_path / "site", name, canonical_pages(name))
        said(f"site/{name}", "--urls", "directory")
    deploy(tmp_path / "site", "1.0", canonical_pages("2.0"))
    listed = (tmp_path / "site/2.0/sitemap.xml").read_text()
    (tmp_path / "site/1.0/sitemap.xml").write_text(listed.replace("/2.0/", "/1.0/"))
    result = run("merge", "site", "--versions", "all")
    assert (result.exit_code, result.stderr) == (0, ""), result.output
    assert locs(tmp_path / "site") == [f"{X}2.0/{name}" for name in ("", "api/", "guide/", "install/")]


def test_check_finds_no_mistake_in_urls_of_folders(languages: Path) -> None:
    (languages / "robots.txt").write_text("".join(f"Sitemap: {X}{language}/sitemap.xml\n" for language in ("en", "fr")))
    result = run("check", languages, "--base-url", X, "--level", "warning")
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (0, "no problems found"), result.output


def test_check_knows_hosts_that_do_not_send_these_files(languages: Path) -> None:
    (languages / "CNAME").write_text("x.org")  # GitHub Pages
    (languages / "robots.txt").write_text(f"Sitemap: {X}en/sitemap.xml\n")
    result = run("check", languages, "--level", "warning")
    assert result.exit_code == 1
    assert "listed-unwritten" in result.stdout
    assert "not found on GitHub Pages" in result.stdout


def test_diff_finds_a_url_that_not_every_server_answers(tmp_path: Path) -> None:
    old = plain_site(tmp_path / "old", names=("index.html", "api/index.html", "guide/index.html"))
    new = plain_site(tmp_path / "new", names=("index.html", "api.html", "guide.html"))
    assert _lost(old, new) == ["api/", "guide/"]
    assert _lost(new, old) == ["api.html", "guide.html"]


def test_diff_believes_pages_that_state_the_url_of_a_folder(tmp_path: Path) -> None:
    old = plain_site(tmp_path / "old", names=("index.html", "api/index.html", "guide/index.html"))
    new = tmp_path / "new"
    new.mkdir()
    for name in ("api", "guide"):
        (new / f"{name}.html").write_bytes(page(f"{X}{name}/"))
    (new / "index.html").write_bytes(page(X))
    assert _lost(old, new) == []


def _lost(old: Path, new: Path) -> list[str]:
    findings = json.loads(run("diff", old, new, "--format", "json").stdout)["findings"]
    return sorted(loss["path"] for finding in findings for loss in finding["losses"])


def test_retire_writes_no_link_to_a_url_that_not_every_server_answers(tmp_path: Path) -> None:
    for name in ("1.0", "2.0"):
        deploy(tmp_path, name, canonical_pages(name))
    assert "most pages of 2.0 have canonical links that lead to no page of it" in refusal(tmp_path)


def test_a_build_says_that_a_url_is_gone_that_not_every_server_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    options = "base_url = 'https://x.org/'\nrecord = 'record.json'\n"
    (tmp_path / "sitemap.toml").write_text(options)
    site = plain_site(tmp_path / "site", names=("index.html", "guide/index.html"))
    said("site")
    (site / "record.json").rename(tmp_path / "previous.json")
    (site / "guide/index.html").rename(site / "guide.html")
    (tmp_path / "sitemap.toml").write_text(f"{options}previous_record = 'previous.json'\n")
    assert "1 published page is missing from this build: guide/ (now guide.html)" in said("site")
    assert "missing" not in said("site", "--urls", "directory")
