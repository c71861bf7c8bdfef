"""One build with every option: each has an effect in both hosts, or a note says why not.

`canonical_version_url` is not among them, because such a build announces nothing: see test_canonical_version.py. Nor is
`ignored_findings`, which only the command check uses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sitemap_plugins.options.settings import Settings

BASE = "https://docs.example.org/"
FILM = {
    "title": "Film",
    "description": "A film",
    "content_loc": "https://media.example/v.mp4",
    "thumbnail_loc": "https://media.example/p.png",
}
OPTIONS: dict[str, Any] = {
    "filename": "pages.xml",
    "base_url": BASE,
    "follow_canonical": True,
    "lastmod": ["git"],
    "lastmod_format": "date",
    "git": {"date": "author"},
    "source": "{path}.md",
    "expose": "created",
    "record": "record.json",
    "record_content": True,
    "previous_record": "previous.json",
    "exclude": "a*",
    "pages": [
        {"match": "b*", "priority": 0.3, "videos": [FILM], "images": ["b.png", "https://media.example/c.png"]},
        {"match": "d*", "published": "2026-01-04"},
    ],
    "generated_pages": "genindex*",
    "files": "**/paper.pdf",
    "sections": {"late": "c*"},
    "limit": {"urls": 2},
    "robots": False,
    "cross_submit": ["https://other.example/"],
    "gzip": "only",
    "text": True,
    "feeds": {"rss": "changes.xml"},
    "html": "all",
    "images": "separate",
    "videos": "separate",
    "image_hosts": ["media.example"],
    "content_selector": "[no-such]",
    "news": {"match": "d*", "name": "The News", "publication_language": "en"},
    "engines": ["google"],
    "languages": {"en": BASE, "fr": "https://example.org/fr/"},
    "x_default": "fr",
    "translated_share": 0,
    "head_links": True,
    "indent": 2,
    "schema_location": True,
    "adjust": "hooks_of_every_option:change",
    "notes": {"home-left-out": "ignore", "engine": "warning"},
}
HOOK = """
from dataclasses import replace


def change(entry, page):
    return replace(entry, changefreq="never") if "/e" in entry.loc else None
"""


def xml(built: Any) -> bytes:
    return b"".join(built.unzip(file.name) for file in sorted(built.output.glob("pages*.xml.gz")))


TRACES: dict[str, Callable[[Any], object]] = {
    "filename": lambda built: built.has("pages.xml.gz"),
    "base_url": lambda built: f"<loc>{BASE}e".encode() in xml(built),
    "follow_canonical": lambda built: built.said("follow_canonical: it has no effect"),
    "lastmod": lambda built: b"<lastmod>" in xml(built),
    "lastmod_format": lambda built: b"<lastmod>2026-01-04</lastmod>" in xml(built),
    "git": lambda built: b"2026-01-05" not in xml(built),
    "source": lambda built: built.said("source: it has no effect here, only in sitemap-plugins build"),
    "expose": lambda built: b"4, 2026" in built.read("e/index.html"),
    "record": lambda built: built.has("record.json"),
    "record_content": lambda built: built.has("record-content.json"),
    "previous_record": lambda built: built.said("previous.json: it is not JSON; no page is compared with it"),
    "exclude": lambda built: f"<loc>{BASE}a".encode() not in xml(built),
    "pages": lambda built: b"<priority>0.3</priority>" in xml(built),
    "generated_pages": lambda built: b"genindex" in xml(built) or not built.has("genindex/index.html"),
    "files": lambda built: b"paper.pdf</loc>" in xml(built),
    "sections": lambda built: built.has("pages-late.xml.gz"),
    "limit": lambda built: built.has("pages-pages-1.xml.gz"),
    "robots": lambda built: not built.has("robots.txt"),
    "cross_submit": lambda built: built.said("cross_submit: no page has a URL on https://other.example/"),
    "gzip": lambda built: not built.has("pages.xml"),
    "text": lambda built: [*built.output.glob("pages*.txt.gz")],
    "feeds": lambda built: built.has("changes.xml"),
    "html": lambda built: b'<div class="sitemap-pages">' in built.read("all/index.html"),
    "images": lambda built: built.has("pages-images.xml.gz"),
    "videos": lambda built: built.has("pages-videos.xml.gz"),
    "image_hosts": lambda built: b"https://media.example/c.png" in xml(built),
    "content_selector": lambda built: b"<image:loc>" in xml(built),
    "news": lambda built: built.has("pages-news.xml.gz"),
    "engines": lambda built: built.said("Google ignores", level="warning"),
    "languages": lambda built: b'hreflang="fr"' in xml(built),
    "x_default": lambda built: b'hreflang="x-default" href="https://example.org/fr/' in xml(built),
    "translated_share": lambda built: built.said("translated_share: it has no effect"),
    "head_links": lambda built: b'hreflang="fr"' in built.read("e/index.html"),
    "indent": lambda built: b"\n  <url>\n    <loc>" in xml(built),
    "schema_location": lambda built: b"schemaLocation" in xml(built),
    "adjust": lambda built: b"<changefreq>never</changefreq>" in xml(built),
    "notes": lambda built: built.warnings and not built.said("the home page"),
}


def test_every_option_has_an_effect_or_a_note(any_site: Any, repository: Any) -> None:
    site = any_site.at(repository.path)
    is_mkdocs = site.host_url == "site_url"
    suffix = "md" if is_mkdocs else "rst"
    site.pages(*(f"{name}.{suffix}" for name in ("index", *"abcde")))
    site.write("docs/files/paper.pdf", b"paper")
    site.write("hooks_of_every_option.py" if is_mkdocs else "docs/hooks_of_every_option.py", HOOK)
    site.write("previous.json" if is_mkdocs else "docs/previous.json", "nothing")
    oldest = repository.git(
        "commit-tree", repository.git("mktree", input=b""), "-m", "the oldest commit of a shallow clone"
    )
    repository.git("reset", "--quiet", oldest)
    (repository.path / ".git" / "shallow").write_text(f"{oldest}\n", encoding="ascii")
    repository.git("add", "--all")
    repository.git("commit", "--quiet", "--message", "a", "--date", "2026-01-04T10:00:00Z", when="2026-01-05T10:00:00Z")
    more = (
        {"theme": {"name": "material", "font": False}}
        if is_mkdocs
        else {"builder": "dirhtml", "html_extra_path": ["files"], "html_last_updated_fmt": ""}
    )
    built = site.build(OPTIONS, **more)
    assert {*TRACES} == {*OPTIONS} == {*Settings.__struct_fields__} - {"canonical_version_url", "ignored_findings"}
    assert [option for option, is_there in TRACES.items() if not is_there(built)] == []
