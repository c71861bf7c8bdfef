"""The sample sites have the expected results, byte for byte, and the pages that they list exist."""

from __future__ import annotations

import ast
import gzip
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from sitemap_plugins.check.checking import check
from sitemap_plugins.folder.configuration import Configuration, read_settings_of
from sitemap_plugins.site.published_site import read_site

LASTMOD = re.compile(rb"<lastmod>[^<]*</lastmod>")
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
IMAGE = "{http://www.google.com/schemas/sitemap-image/1.1}"
VIDEO = "{http://www.google.com/schemas/sitemap-video/1.1}"
# The pages in these sitemaps are also in others.
BESIDE = re.compile(r"sitemap-(?:images|videos|news)\b.*")
NOT_PACKED = {"gettext", "sphinx_html", "zensical"}
# The number of pages with alternates, and of all their links together.
TRANSLATED = {"alternate": (6, 18), "gettext": (12, 42), "i18n_folder": (8, 30), "i18n_suffix": (10, 36)}


def entries_of(built: Any) -> dict[str, list[tuple[str, str]]]:
    """The pages in all sitemaps, each with its alternates, as found by another reader than ours."""
    names = [name for name in indexed(built) or built.sitemaps if not BESIDE.fullmatch(name)]
    urls = [url for name in names for url in ET.fromstring(built.sitemaps[name]).iter(f"{SITEMAP}url")]  # noqa: S314  # our own files
    entries = {
        url.findtext(f"{SITEMAP}loc"): [(link.get("hreflang"), link.get("href")) for link in url.iter(f"{XHTML}link")]
        for url in urls
    }
    assert len(entries) == len(urls), "a page is listed more than once"
    return entries


def indexed(built: Any) -> list[str]:
    """The sitemaps that indexes list; in all samples both are in one folder."""
    roots = [ET.fromstring(content) for content in built.sitemaps.values()]  # noqa: S314  # our own files
    return [
        (loc.text or "").rpartition("/")[2] for root in roots for loc in root.iterfind(f"{SITEMAP}sitemap/{SITEMAP}loc")
    ]


def file_behind(sample: Any, built: Any, loc: str) -> Path:
    """The file that a server sends for a URL of the site."""
    (base,) = (base for base in (sample.url, *sample.other_urls) if loc.startswith(base))
    path = unquote(urlsplit(loc.removeprefix(base)).path)
    return built.site / path / "index.html" if path.endswith("/") or not path else built.site / path


class Head(HTMLParser):
    """What a page declares: its language, its crawler directives, and its canonical links."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.language = ""
        self.robots: list[str] = []
        self.canonicals: list[str] = []
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = values["lang"]
        elif tag == "meta" and values.get("name") in {"robots", "googlebot"}:
            self.robots.append(values["content"])
        elif tag == "link" and values.get("rel") == "canonical":
            self.canonicals.append(values["href"])


def test_the_results_are_as_expected(sample: Any, sample_builds: Any) -> None:
    complaint = sample_builds.program.describe_differences(sample, sample_builds[sample.name])
    assert not complaint, complaint


def test_mkdocs_builds_the_sample_of_zensical_with_the_same_results(sample_builds: Any, tmp_path: Path) -> None:
    program = sample_builds.program
    sample = replace(program.SAMPLES["zensical"], with_zensical=())
    assert (program.SAMPLES["zensical"].builder[:9], sample.builder[:7]) == ("zensical ", "mkdocs ")
    assert not program.describe_differences(sample, program.build_afresh(sample, tmp_path))


def test_each_compressed_sitemap_has_the_content_of_the_sitemap(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    assert built.sitemaps
    texts = [name for name in built.results if name.startswith("sitemap") and name.endswith(".txt")]
    packed = {f"{path}.gz" for path in [*built.sitemaps, *texts] if sample.name not in NOT_PACKED}
    find = built.site.glob if sample.name == "versions" else built.site.rglob
    there = {path.relative_to(built.site).as_posix() for path in find("sitemap*.gz")}
    assert there == packed
    for path in packed:
        assert gzip.decompress((built.site / path).read_bytes()) == built.results[path.removesuffix(".gz")]


def test_each_text_sitemap_lists_the_same_as_the_sitemap_beside_it(sample_builds: Any) -> None:
    results = sample_builds["handbook"].results
    texts = [name for name in results if name.startswith("sitemap") and name.endswith(".txt")]
    lists = {name for name in indexed(sample_builds["handbook"]) if not BESIDE.fullmatch(name)}
    assert {name.replace(".txt", ".xml") for name in texts} == lists
    for name in texts:
        root = ET.fromstring(results[name.replace(".txt", ".xml")])  # noqa: S314  # our own file
        assert results[name].decode().splitlines() == [loc.text for loc in root.iter(f"{SITEMAP}loc")]


def test_each_url_has_a_page_behind_it(sample: Any, sample_builds: Any) -> None:
    """SM-LOC-10."""
    built = sample_builds[sample.name]
    entries = entries_of(built)
    assert entries
    for loc in entries:
        assert file_behind(sample, built, loc).is_file(), loc


def test_each_alternate_is_a_listed_page_that_links_back(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    entries = entries_of(built)
    numbers = (sum(map(bool, entries.values())), sum(map(len, entries.values())))
    assert numbers == TRANSLATED.get(sample.name, (0, 0))
    for loc, links in entries.items():
        if not links:
            continue
        codes = [code for code, _ in links]
        assert codes == [*sorted(set(codes) - {"x-default"}), "x-default"]
        assert loc in {href for code, href in links if code != "x-default"}, "the page does not link itself"
        for code, href in links:
            assert href in entries, f"{href} is not listed"
            assert entries[href] == links, f"{href} does not have all links that {loc} has"
            head = Head(file_behind(sample, built, href))
            assert not head.robots
            assert head.canonicals in ([], [href])
            if code != "x-default":
                language, _, country = code.partition("-")
                assert head.language in {language, f"{language}-{country}"}, href


def test_each_sitemap_is_announced_if_the_site_is_at_the_root(sample: Any, sample_builds: Any) -> None:
    built = sample_builds[sample.name]
    if urlsplit(sample.url).path != "/":
        assert "robots.txt" not in built.results
        return
    lines = built.results["robots.txt"].decode().splitlines()
    announced = [line.removeprefix("Sitemap: ") for line in lines if line.startswith("Sitemap: ")]
    files = [file_behind(sample, built, url).relative_to(built.site).as_posix() for url in announced]
    feeds = [name for name in built.results if name.endswith((".rss", ".atom"))]
    # A flat sitemap beside sections is for people who open it in a browser.
    flat = {"sitemap.xml"} if "sitemap-index.xml" in built.sitemaps else set()
    assert sorted([*files, *indexed(built)]) == sorted({*built.sitemaps, *feeds} - flat)


def media_by_hand(path: Path) -> dict[str, list[tuple[str, ...]]]:
    """The media found manually on each page: images, and videos with their thumbnail, title and description."""
    pages: dict[str, list[tuple[str, ...]]] = {}
    for line in path.read_text("utf-8").splitlines():
        kind, _, value = line.strip().partition(" ")
        if line.startswith("http"):
            found = pages.setdefault(line, [])
        elif line.startswith("    "):
            found[-1] += (value,)
        elif line.startswith("  "):
            found.append((kind, value))
    return pages


def test_the_gallery_lists_the_media_found_manually(sample: Any, sample_builds: Any) -> None:
    by_hand = sample.expected / "media.txt"
    built = sample_builds[sample.name]
    listed: dict[str, list[tuple[str, ...]]] = {}
    for url in ET.fromstring(built.sitemaps["sitemap.xml"]).iter(f"{SITEMAP}url"):  # noqa: S314  # our own file
        images = [("image", loc.text) for loc in url.iter(f"{IMAGE}loc")]
        videos = [
            (
                "video",
                video.findtext(f"{VIDEO}content_loc") or video.findtext(f"{VIDEO}player_loc"),
                *(video.findtext(f"{VIDEO}{name}") for name in ("thumbnail_loc", "title", "description")),
            )
            for video in url.iter(f"{VIDEO}video")
        ]
        if images or videos:
            listed[url.findtext(f"{SITEMAP}loc")] = images + videos
    expected = media_by_hand(by_hand) if by_hand.exists() else {}
    assert {page: sorted(media) for page, media in listed.items()} == {
        page: sorted(media) for page, media in expected.items()
    }


@pytest.mark.parametrize("name", TRANSLATED)
def test_merging_languages_again_changes_nothing(sample_builds: Any, tmp_path: Path, name: str) -> None:
    built = sample_builds[name]
    shutil.copytree(built.site, tmp_path / "site")
    files = sorted(path for path in (tmp_path / "site").rglob("*") if path.is_file())
    before = [path.read_bytes() for path in files]
    command = [sys.executable, "-m", "sitemap_plugins", "merge", str(tmp_path / "site")]
    printed = sample_builds.program.run(command, tmp_path)
    assert "nothing to change" in printed.splitlines()
    assert [path.read_bytes() for path in files] == before


def test_the_history_is_the_same_each_time(sample: Any, sample_builds: Any, tmp_path: Path) -> None:
    assert sample_builds[sample.name]
    sample_builds.program.make_repository(sample, tmp_path / "again")
    repositories = (sample_builds.folder / sample.name / "repository", tmp_path / "again")
    first, again = (_git(repository, "rev-parse", "HEAD") for repository in repositories)
    assert first == again
    assert not _git(repositories[0], "status", "--porcelain"), "a build changed the sources"


@pytest.mark.parametrize("name", ["gettext", "mkdocs_material"])
def test_a_shallow_clone_builds_and_lacks_only_dates(sample_builds: Any, tmp_path: Path, name: str) -> None:
    """A site with catalogues, and one with shown dates and a record."""
    sample, built = sample_builds.program.SAMPLES[name], sample_builds[name]
    repository = (sample_builds.folder / sample.name / "repository").resolve()
    _git(tmp_path, "clone", "--quiet", "--depth=1", repository.as_uri(), "clone")
    shallow = sample_builds.program.build(sample, tmp_path / "clone", tmp_path / "site")

    assert shallow.sitemaps.keys() == built.sitemaps.keys()
    for path, content in built.sitemaps.items():
        assert LASTMOD.sub(b"", shallow.sitemaps[path]) == LASTMOD.sub(b"", content)
        for line, whole in zip(shallow.sitemaps[path].splitlines(), content.splitlines(), strict=True):
            assert set(LASTMOD.findall(line)) <= set(LASTMOD.findall(whole))
    assert shallow.left_out == built.left_out
    assert any("the clone is shallow" in note for note in shallow.notes)


@pytest.mark.parametrize("name", ["mkdocs_material", "sphinx_html"])
def test_pages_show_the_days_of_the_sitemap(sample_builds: Any, name: str) -> None:
    built = sample_builds[name]
    shown = dict(built.shown_dates)
    root = ET.fromstring(built.sitemaps["sitemap.xml"])  # noqa: S314  # our own file
    dated = {url.findtext(f"{SITEMAP}loc"): url.findtext(f"{SITEMAP}lastmod") for url in root}
    sample = sample_builds.program.SAMPLES[name]
    compared = 0
    for loc, lastmod in dated.items():
        path = file_behind(sample, built, loc).relative_to(built.site).as_posix()
        if path in shown:
            day = datetime.fromisoformat(lastmod).astimezone(UTC) if lastmod else None
            text = day and (f"{day:%d %B %Y}" if name == "sphinx_html" else f"{day:%B} {day.day}, {day.year}")
            assert shown[path].startswith(f"Last update: {text}" if text else "Created: "), path
            compared += 1
    assert compared == 6


def test_one_site_built_by_two_hosts_has_one_sitemap(sample_builds: Any) -> None:
    mkdocs, sphinx = (sample_builds[f"twins/{host}"].results for host in ("mkdocs", "sphinx"))
    assert mkdocs["sitemap.xml"] == sphinx["sitemap.xml"]
    assert mkdocs["robots.txt"] == sphinx["robots.txt"]


distributions_of_packages = cache(packages_distributions)


def test_the_environments_of_the_samples_have_what_they_need(sample: Any) -> None:
    noxfile = ast.parse((Path(__file__).parents[1] / "noxfile.py").read_text("utf-8"))
    (hosts,) = (
        ast.literal_eval(node.value)
        for node in noxfile.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "HOSTS"
    )
    installed = {re.split(r"[<>=\[]", requirement)[0] for requirement in hosts[sample.host]}
    distributions = distributions_of_packages()
    for module in (sample.host, *sample.needs, *(command[0] for command in sample.with_zensical)):
        if module in distributions:
            assert {name.lower() for name in distributions[module]} & installed, module


def test_a_difference_names_the_command_for_an_update(sample_builds: Any, tmp_path: Path) -> None:
    program = sample_builds.program
    printed = program.Printed("sphinx", "", "INFO    -  sitemap: left out a.md: draft\n")
    built = program.Built(site=tmp_path, printed=(printed,))
    complaint = program.describe_differences(program.SAMPLES["sphinx_html"], built)
    assert "\n+a.md  draft\n" in complaint
    assert "+++ no sitemap.xml was built" in complaint
    assert complaint.endswith("python sample_sites/build.py --update sphinx_html")


def _git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True).stdout.strip()


def test_check_finds_no_mistake(sample: Any, sample_builds: Any) -> None:
    folder = str(sample_builds[sample.name].site)
    reading = Path(folder, "reading/index.html")
    if sample.name == "twins/sphinx" and f"{sample.url}reading.html" in reading.read_text(encoding="utf-8"):
        pytest.skip("old versions of Sphinx write the canonical links of html for dirhtml, too, and check finds that")
    configuration = Configuration(root=folder)
    site = read_site(folder, configuration, read_settings_of(configuration, base_url=sample.url))
    assert site.listed
    assert [(each.rule, each.hits[:3]) for each in check(site) if each.level != "info"] == []
