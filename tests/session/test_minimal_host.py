"""The host in CONTRIBUTING.md is complete."""

import re
from pathlib import Path
from typing import Any

import pytest

CONTRIBUTING = Path(__file__).parents[2] / "CONTRIBUTING.md"


@pytest.fixture(scope="module")
def host() -> dict[str, Any]:
    recipe = CONTRIBUTING.read_text(encoding="utf-8").partition("add a host**")[2]
    code = recipe.partition("```python\n")[2].partition("```")[0]
    names: dict[str, Any] = {}
    exec(compile(code, str(CONTRIBUTING), "exec"), names)  # noqa: S102  # our own manual
    return names


def test_it_publishes_a_dated_sitemap_of_indexable_pages(
    host: dict[str, Any], repository: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("index.html", "<title>Home</title>")
    repository.write("guide/index.html", "<title>Guide</title>")
    repository.write("myindex.html", "<title>Mine</title>")
    repository.write("what?.html", "<title>What</title>")
    repository.write("404.html", "<title>Not found</title>")
    repository.write("old.html", '<meta name="robots" content="noindex">')
    repository.commit("2026-01-05T10:00:00Z")
    host["build"](repository.path, {"base_url": "https://example.org/"})
    written = (repository.path / "sitemap.xml").read_text(encoding="utf-8")
    when = "<lastmod>2026-01-05T10:00:00Z</lastmod>"
    assert f"<loc>https://example.org/guide/</loc>{when}" in written.replace("\n", "").replace("  ", "")
    assert re.findall("<loc>https://example.org/(.*?)</loc>", written) == ["", "guide/", "myindex.html", "what%3F.html"]
    assert "Sitemap: https://example.org/sitemap.xml" in (repository.path / "robots.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == "info: sitemap.xml: 4 URLs, 4 with a date; left out: 1 error page, 1 noindex\n"


def test_it_removes_what_it_no_longer_writes(host: dict[str, Any], tmp_path: Path) -> None:
    for name in ("index.html", "a.html"):
        (tmp_path / name).write_bytes(b"<title>Page</title>")
    options = {"base_url": "https://example.org/", "lastmod": []}
    written = host["build"](tmp_path, {**options, "sections": {"a": "a.html"}})
    assert "sitemap-a.xml" in written
    assert "sitemap-a.xml" not in host["build"](tmp_path, options, written)
    assert not (tmp_path / "sitemap-a.xml").exists()


def test_it_reports_problems(host: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host["build"](tmp_path, {"exlcude": "a"})
    option, note = capsys.readouterr().out.splitlines()
    assert "exlcude" in option
    assert note.startswith("info: no sitemap was written, because the site has no URL: set base_url")
