"""The sitemap protocol in both hosts: the same pages give the same files, with their media, news and feeds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

BASE = "https://docs.example.org/"
GALLERY = """\
# Gallery

Words.

<img src="/cat.svg" alt="The cat again"> <img src="/dog.svg" alt="A dog">
<img src="https://img.shields.io/badge/a-b-c.svg" alt="A badge">
<img src="https://elsewhere.example/cow.svg" alt="A cow">

<video controls src="/film.mp4" poster="/dog.svg" title="A film"></video>

<iframe src="https://www.youtube.com/embed/SAMPLE-0001" title="Another film"></iframe>
"""
DESCRIPTION = "---\ndescription: On cats.\n---\n"
PROTOCOL = {
    "text": True,
    "gzip": True,
    "sections": {"guides": ["guide/**"], "posts": {"source": "posts/*.md", "archive": "year"}},
    "limit": {"urls": 3},
    "feeds": {"rss": "changes.rss", "atom": "changes.atom"},
    "images": "separate",
    "videos": True,
    "news": {"match": "posts/**"},
}


def build(site: Any, options: Mapping[str, object], **config: Any) -> Any:
    """Build the same Markdown at the same URLs with either host."""
    if site.host_url == "site_url":
        return site.build_strictly(options, **config)
    site.extensions.append("myst_parser")
    with (site.docs / "index.md").open("a") as index:
        index.write("\n```{toctree}\n:glob:\n:hidden:\n\n**\n```\n")
    return site.build_strictly(options, builder="dirhtml", **config)


def test_a_picture_that_the_host_copies_is_listed_at_its_published_url(any_site: Any) -> None:
    any_site.write("docs/a/cat.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    any_site.write("docs/index.md", "# Home\n")
    any_site.write("docs/a/page.md", "# Page\n\n![A cat](cat.svg)\n")
    built = build(any_site, {"images": True})
    (image,) = re.findall(rf"<image:loc>{BASE}([^<]*)<", built.read().decode())
    assert built.has(image)


@pytest.mark.parametrize("left_out", [(), ("limit", "sections")])
def test_the_same_pages_give_the_same_bytes(
    mkdocs_site: Any, sphinx_site: Any, repository: Any, left_out: tuple[str, ...]
) -> None:
    pages = {f"guide/page{number}": f"# Page {number}\n\nWords on {number}.\n" for number in range(7)}
    pages |= {f"posts/p{day}": f"---\ndate: 2026-03-{day:02}\n---\n# Post {day}\n\nWords.\n" for day in (2, 8, 9, 10)}
    pages |= {"index": f"{DESCRIPTION}# Home\n", "gallery": f"{DESCRIPTION}{GALLERY}"}
    for name, content in pages.items():
        repository.write(f"docs/{name}.md", content)
    repository.write(".gitignore", "conf.py\nmkdocs.yml\nsite\noutput\ndoctrees\n")
    repository.commit("2026-03-10T12:00:00+00:00")
    options = {name: value for name, value in PROTOCOL.items() if name not in left_out}
    from_mkdocs = mkdocs_site.at(repository.path).build(options, exclude_docs="conf.py")
    from_sphinx = build(sphinx_site.at(repository.path), options)
    names, others = (
        sorted(path.name for pattern in ("sitemap*", "*.rss", "*.atom") for path in built.output.glob(pattern))
        for built in (from_mkdocs, from_sphinx)
    )
    assert names == others
    assert len(names) >= 8
    assert [name for name in [*names, "robots.txt"] if from_mkdocs.read(name) != from_sphinx.read(name)] == []
