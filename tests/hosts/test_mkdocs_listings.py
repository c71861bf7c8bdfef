"""MkDocs: the dates of pages that list other pages, such as those of Material's blog and tags plugins."""

from __future__ import annotations

from typing import Any

import pytest

MATERIAL = {"name": "material", "features": []}
AUTHORS = "authors:\n  ann:\n    name: Ann\n    description: Writer\n    avatar: https://docs.example.org/ann.png\n"
# The post written second is the newest, and the first one was edited last.
POSTS = {
    "one": "date: 2020-01-01\ncategories: [News]\nauthors: [ann]\ntags: [a]",
    "two": "date: 2021-02-02\ncategories: [News, Other]",
    "three": "date: 2021-01-01\ncategories: [Other]",
}
DATED = {
    "blog/": "2026-01-05",
    "blog/page/2/": "",
    "blog/archive/2020/": "2026-01-06",
    "blog/archive/2021/": "2026-01-05",
    "blog/author/ann/": "2026-01-06",
    "blog/category/news/": "2026-01-06",
    "blog/category/other/": "2026-01-05",
    "tags/": "",
}


def post(front_matter: str, title: str) -> str:
    return f"---\n{front_matter}\n---\n# Post {title}\n\nText.\n\n<!-- more -->\n\nMore.\n"


@pytest.fixture
def site(mkdocs_site: Any, repository: Any) -> Any:
    """A blog with one post for each day from 2 January 2026 on, and later edits of two posts."""
    site = mkdocs_site.at(repository.path)
    site.pages("index.md", tags="# Tags\n\n<!-- material/tags -->\n")
    site.write("docs/blog/index.md", "# Blog\n")
    site.write("docs/blog/.authors.yml", AUTHORS)
    repository.write(".gitignore", "site\nmkdocs.yml\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    for day, (name, front_matter) in enumerate(POSTS.items(), 2):
        site.write(f"docs/blog/posts/{name}.md", post(front_matter, name))
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    for day, name in ((5, "three"), (6, "one")):
        site.write(f"docs/blog/posts/{name}.md", post(POSTS[name], f"{name} again"))
        repository.commit(f"2026-01-{day:02}T12:00:00+00:00")
    return site


def build(site: Any, options: object = None, theme_of_plugins: str = "material", **config: Any) -> Any:
    plugins = config.pop("plugins", [f"{theme_of_plugins}/tags"])
    theme = config.pop("theme", MATERIAL)
    blog = {"pagination_per_page": 2, "authors_profiles": True} | config.pop("blog", {})
    return site.build_strictly(options, plugins=[{f"{theme_of_plugins}/blog": blog}, *plugins], theme=theme, **config)


@pytest.mark.parametrize("theme", ["material", "materialx"])
def test_the_first_page_with_excerpts_has_the_date_of_the_newest_post(
    site: Any, monkeypatch: pytest.MonkeyPatch, theme: str
) -> None:
    """MaterialX has Material's plugins, under other names."""
    names = {"blog": "BlogPlugin", "tags": "TagsPlugin"}
    plugins = "".join(f"materialx/{each} = material.plugins.{each}.plugin:{names[each]}\n" for each in names)
    site.write("packages/materialx-1.dist-info/entry_points.txt", f"[mkdocs.plugins]\n{plugins}")
    monkeypatch.syspath_prepend(site.root / "packages")
    days = build(site, theme_of_plugins=theme).days
    assert {path: days[path] for path in DATED} == DATED


def test_only_the_posts_that_are_shown_count(site: Any) -> None:
    assert build(site, blog={"pagination": False}).days["blog/"] == "2026-01-06"
    assert build(site, blog={"pagination_per_page": 1}).days["blog/"] == "2026-01-03"


def test_a_later_change_of_the_source_dates_a_page_with_excerpts(site: Any, repository: Any) -> None:
    site.write("docs/blog/index.md", "# The blog\n")
    site.write("docs/blog/category/other.md", "# Other things\n")
    repository.commit("2026-01-07T12:00:00+00:00")
    days = build(site).days
    assert (days["blog/"], days["blog/category/other/"]) == ("2026-01-07", "2026-01-07")


def test_a_later_page_has_no_date_even_if_its_author_wrote_it(site: Any, repository: Any) -> None:
    site.write("docs/blog/page/2/index.md", "# Older posts\n")
    repository.commit("2026-01-07T12:00:00+00:00")
    assert build(site).days["blog/page/2/"] == ""


def test_a_blog_without_posts_has_the_date_of_its_own_source(mkdocs_site: Any, repository: Any) -> None:
    site = mkdocs_site.at(repository.path)
    site.pages("index.md")
    site.write("docs/blog/index.md", "# Blog\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    (site.docs / "blog/posts").mkdir()
    assert build(site, plugins=[]).days["blog/"] == "2026-01-01"


def test_files_included_in_a_shown_post_count(site: Any, repository: Any) -> None:
    site.write("part.md", "part")
    site.write("docs/blog/posts/two.md", post(POSTS["two"], "two") + '--8<-- "part.md"\n')
    repository.commit("2026-01-07T12:00:00+00:00")
    site.write("part.md", "another part")
    repository.commit("2026-01-08T12:00:00+00:00")
    snippets = {"pymdownx.snippets": {"base_path": [str(site.root)]}}
    days = build(site, markdown_extensions=[snippets]).days
    assert (days["blog/"], days["blog/2021/02/02/post-two/"]) == ("2026-01-08", "2026-01-08")


def test_the_author_can_date_a_list_of_titles(site: Any, repository: Any) -> None:
    site.pages(tags="---\nsitemap:\n  lastmod: 2025-05-05\n---\n# Tags\n\n<!-- material/tags -->\n")
    repository.commit("2026-01-07T12:00:00+00:00")
    assert build(site).days["tags/"] == "2025-05-05"
    options = {"pages": [{"match": "blog/page/*/", "depends_on": "docs/blog/posts/*.md"}]}
    assert build(site, options).days["blog/page/2/"] == "2026-01-06"


def test_an_attribute_named_posts_of_another_plugin_is_ignored(site: Any, repository: Any) -> None:
    site.write("posts.py", "def on_page_context(context, **_):\n    context.setdefault('posts', ['one', 'two'])\n")
    repository.commit("2026-01-01T12:00:00+00:00")
    assert build(site, hooks=["posts.py"]).days[""] == "2026-01-01"


def test_the_theme_shows_the_same_dates(site: Any) -> None:
    shown = "{% block container %}DATE={{ page and page.meta.git_revision_date_localized_raw_iso_date }}={% endblock %}"
    site.write("theme/main.html", '{% extends "base.html" %}' + shown)
    for template in ("blog.html", "blog-post.html"):
        site.write(f"theme/{template}", '{% extends "main.html" %}')
    built = build(site, {"expose": True}, theme=MATERIAL | {"custom_dir": str(site.root / "theme")})
    assert {path: built.read(f"{path}index.html").decode().split("DATE=")[1].split("=")[0] for path in DATED} == DATED
