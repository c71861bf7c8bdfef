"""Sites built by Zensical, and what the command reads from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.folder.building import build_site
from sitemap_plugins.folder.configuration import read_configuration, read_settings_of
from sitemap_plugins.html.head_editing import set_canonical
from sitemap_plugins.session import LogLevel

HEAD = '<html><head><title>A</title><link rel="canonical" href="{}"><meta name="generator" content="zensical-0.0.73"></head></html>'


def build(project: Path, site: str = "site") -> tuple[list[str], list[str]]:
    """The findings and the notes of a build."""
    notes: list[str] = []

    def report(_: LogLevel, note: object) -> None:
        notes.append(note.message)  # type: ignore[attr-defined]

    configuration = read_configuration(str(project))
    built = build_site(str(project / site), configuration, read_settings_of(configuration), report)
    return [*built.findings], notes


@pytest.mark.parametrize(
    ("extensions", "has_effect"),
    [
        ("", False),
        ('[project.markdown_extensions."pymdownx.snippets"]\n', False),
        ('[project.markdown_extensions."sitemap_plugins.zensical"]\n', True),
    ],
)
def test_expose_has_an_effect_only_with_the_extension(tmp_path: Path, extensions: str, *, has_effect: bool) -> None:
    (tmp_path / "zensical.toml").write_text(f"[project.plugins.sitemap]\nexpose = true\n{extensions}", "utf-8")
    (tmp_path / "site").mkdir()
    (tmp_path / "site/index.html").write_text(HEAD.format("https://docs.example.org/"), "utf-8")
    _, notes = build(tmp_path)
    assert has_effect != any(note.startswith("expose: it has no effect here") for note in notes)


def test_a_retired_version_keeps_its_own_url(tmp_path: Path) -> None:
    for path in ("index.html", "guide/index.html", "old/index.html"):
        file = tmp_path / "1.0" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        url = f"https://docs.example.org/1.0/{path.removesuffix('index.html')}"
        page = HEAD.format(url).encode()
        newer = url.replace("/1.0/", "/2.0/")
        file.write_bytes(page if "old" in path else set_canonical(page, newer))
    findings, _ = build(tmp_path, "1.0")
    assert "URL: https://docs.example.org/1.0/, from the canonical links of the pages" in findings
    sitemap = (tmp_path / "1.0/sitemap.xml").read_text("utf-8")
    assert sitemap.count("<loc>") == 1
    assert "https://docs.example.org/1.0/old/" in sitemap
