"""Pages that show excerpts of posts, and the files that date them."""

from __future__ import annotations

from pathlib import Path

from sitemap_plugins.folder.dating import with_listed
from sitemap_plugins.folder.generators.mkdocs import Blog
from sitemap_plugins.model import Page
from sitemap_plugins.published.tree import Tree

EXCERPT = '<article class="md-post md-post--excerpt"><h2 id="a"><a class="toclink" href="{}">A</a></h2></article>'


def page(site: Path, path: str, html: str = "", *sources: str) -> Page:
    file = site / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"<html><body>{html}</body></html>", "utf-8")
    loc = "https://example.org/" + path.removesuffix("index.html")
    return Page(loc=loc, name=path, output=path, sources=sources)


def test_posts_date_the_pages_of_their_blog_that_show_excerpts(tmp_path: Path) -> None:
    excerpts = (
        EXCERPT.format("../2026/a/#a")
        + EXCERPT.format("../2026/b/")
        + EXCERPT.format("http://[")
        + '<a class="toclink" href="../c/">'
    )
    pages = [
        page(tmp_path, "blog/2026/a/index.html", "", "a.md", "part.md"),
        page(tmp_path, "blog/2026/b/index.html", EXCERPT.format("./"), "b.md"),
        page(tmp_path, "blog/c/index.html", "", "c.md"),
        page(tmp_path, "blog/all/index.html", excerpts, "all.md"),
        page(tmp_path, "blog/all/page/2/index.html", excerpts),
        page(tmp_path, "guide/index.html", EXCERPT.format("../blog/c/"), "guide.md"),
        page(tmp_path, "blogs/index.html", EXCERPT.format("../blog/c/"), "blogs.md"),
    ]
    unread = Page(loc="https://example.org/blog/d/", name="d", output="blog/d/index.html", sources=("d.md",))
    found = {each.output: each.sources for each in with_listed([*pages, unread], [Blog()], Tree(tmp_path))}
    assert found == {
        "blog/2026/a/index.html": ("a.md", "part.md"),
        "blog/2026/b/index.html": ("b.md",),
        "blog/c/index.html": ("c.md",),
        "blog/all/index.html": ("all.md", "a.md", "part.md", "b.md"),
        "blog/all/page/2/index.html": (),
        "guide/index.html": ("guide.md",),
        "blogs/index.html": ("blogs.md",),
        "blog/d/index.html": ("d.md",),
    }
    assert with_listed(pages, [], Tree(tmp_path)) == pages


def test_no_post_dates_the_later_pages_of_a_blog_at_the_top_of_the_site(tmp_path: Path) -> None:
    excerpt = EXCERPT.format("/a/")
    pages = [
        page(tmp_path, "a/index.html", "", "a.md"),
        page(tmp_path, "index.html", excerpt, "index.md"),
        page(tmp_path, "page/2/index.html", excerpt),
    ]
    found = with_listed(pages, [Blog(blog_dir=".")], Tree(tmp_path))
    assert [each.sources for each in found] == [("a.md",), ("index.md", "a.md"), ()]
