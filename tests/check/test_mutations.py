"""Whatever the bytes of a site are, it is checked: mutated files, and files that cannot be read."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from sitemap_plugins.check.checking import check
from sitemap_plugins.commands.check import describe_site, report_check
from sitemap_plugins.commands.main import main
from sitemap_plugins.findings.grouping import read_baseline, render_baseline
from sitemap_plugins.findings.printing import annotate, describe_findings, render_sarif
from tests.builders import refuse_to_open
from tests.check.examples import complete
from tests.check.sites import read, write

X = "https://docs.example.org/"


def page(path: str, head: str = "") -> str:
    return f'<link rel="canonical" href="{X}{path}">{head}'


LINKS = "".join(
    f'<xhtml:link rel="alternate" hreflang="{code}" href="{X}{at}"/>' for code, at in (("en", ""), ("de", "de/"))
)
SITE: Final[Mapping[str, bytes]] = complete({
    "sitemap.xml": f"<sitemap><loc>{X}pages.xml</loc><lastmod>2026-03-01</lastmod></sitemap>",
    "pages.xml": f"""
<url><loc>{X}</loc><lastmod>2026-03-01</lastmod>{LINKS}</url>
<url><loc>{X}de/</loc><lastmod>2026-03-01</lastmod>{LINKS}</url>
<url><loc>{X}a.html</loc><priority>0.5</priority><image:image><image:loc>{X}a.png</image:loc></image:image></url>""",
    "pages.xml.gz": "2026-05-28T20:26:40Z",
    "robots.txt": f"User-agent: *\nDisallow: /private/\n\nSitemap: {X}sitemap.xml\n",
    "_redirects": "/old /a.html 301\n/b/* /a.html\n",
    "_headers": "/private/*\n  X-Robots-Tag: noindex\n",
    "llms.txt": f"# Docs\n- [A]({X}a.html): text\n- [B]({X}gone.html)\n",
    "versions.json": '[{"version": "2", "title": "2", "aliases": ["latest"]}, {"version": "1", "title": "1", "aliases": []}]',
    "index.html": page("", f'<link rel="alternate" hreflang="de" href="{X}de/">'),
    "de/index.html": page("de/", '<meta property="article:modified_time" content="2026-01-01">'),
    "a.html": page("a.html", '<meta name="robots" content="noindex">'),
    "1/index.html": page("2/"),
    "2/index.html": page("2/"),
    "2/sitemap.xml": f"<url><loc>{X}2/</loc></url>",
})  # fmt: skip
TOKENS = [
    b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"<", b">", b"&", b"&amp;", b'"', b"%", b"%2e%2e/", b"..", b"//", b"#", b"?", b"*",
    b"\r\n", b"\x1b[31m", b"::error::", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"<!--", b"]]>", b"xx-default", b"9999-12-31",
    b"0000-00-00T24:00:00Z", b"http://[", b"javascript:", b"\xed\xa0\x80", "\N{RIGHT-TO-LEFT OVERRIDE}".encode(),
    b"https://docs.example.org:99999/", b"-1", b"1e999", b"<base href='//x'>", b"noindex", b"0; url=",
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, bytes]:
    """The site with a few changes: bytes of a file are replaced, removed or repeated, or two files change places."""
    files = dict(SITE)
    for _ in range(draw(st.integers(1, 4))):
        path = draw(st.sampled_from(sorted(files)))
        content = files[path]
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 40)))
        new = draw(st.sampled_from(TOKENS) | st.binary(max_size=4) | st.just(content[start:end] * 3))
        changes = [content[:start] + new + content[end:], content[:start], files[draw(st.sampled_from(sorted(files)))]]
        files[path] = draw(st.sampled_from(changes))
    return files


def everything_said(folder: Path) -> list[object]:
    """All formats of the findings about the site in a folder."""
    site = read(folder, with_project=False)
    findings = check(site)
    baseline = render_baseline(findings)
    assert sum(read_baseline(baseline).values()) == sum(each.number for each in findings if each.level != "info")
    return [
        [*describe_site(site), *describe_findings(findings)],
        to_builtins(report_check(site, findings)),
        render_sarif(findings, "1"),
        [annotate(each) for each in findings],
        baseline,
    ]


@given(files=mutated())
def test_a_site_with_any_bytes_is_checked_and_the_same_bytes_give_the_same_findings(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        write(Path(one), files)
        write(Path(other), dict(reversed(files.items())))
        assert everything_said(Path(one)) == everything_said(Path(other))


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_broken_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def as_link_out(path: Path) -> None:
    (path.parent / "sub").mkdir(exist_ok=True)
    path.unlink()
    path.symlink_to("/etc/hostname")


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.skipif(sys.platform == "win32", reason="links need a special permission there, and pipes have no path")
@pytest.mark.parametrize("change", [as_folder, as_broken_link, as_link_out, as_pipe, None])
@pytest.mark.parametrize(
    "path", ["sitemap.xml", "pages.xml.gz", "robots.txt", "CNAME", "_redirects", "llms.txt", "versions.json", "a.html"]
)
def test_a_file_that_cannot_be_read_is_no_reason_to_fail(
    path: str, change: Callable[[Path], None] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, SITE)
    if change:
        change(tmp_path / path)
    else:
        refuse_to_open(tmp_path / path, monkeypatch)
    result = CliRunner().invoke(main, ["check", str(tmp_path), "--format", "json"], catch_exceptions=False)
    assert result.exit_code in {0, 1}
    rules = {each["rule"] for each in json.loads(result.stdout)["findings"]}
    if path == "sitemap.xml" and change not in {as_folder, as_broken_link}:
        assert "unreadable" in rules
