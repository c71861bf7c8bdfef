"""Where the posts of a blog are published, according to builds of Zensical 0.0.73 and Material for MkDocs 9.8."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemap_plugins.folder.configuration import read_configuration
from sitemap_plugins.folder.generators.mkdocs import find_documents
from sitemap_plugins.folder.generators.source import read_front_matter

CONFIGURATION = """\
plugins:
  - search
  - blog:
      blog_dir: news
      post_dir: "{blog}/entries"
      post_url_format: "{date}/{file}-{slug}"
      post_url_date_format: yy-M-d
  - materialx/blog:
      blog_dir: pages
      post_url_format: "{slug}"
  - material/blog:
      blog_dir: .
      post_dir: posts
      post_url_format: "{slug}"
  - blog:
      enabled: false
      blog_dir: docs
  - blog:
      blog_dir: months
      post_url_date_format: yyyy/MMMM
  - blog:
      blog_dir: groups
      post_url_format: "{categories}/{slug}"
  - blog
"""


@pytest.mark.parametrize(
    ("name", "text", "stem"),
    [
        ("blog/posts/a.md", "---\ndate: 2026-02-03\n---\n\n# The first\n", "blog/2026/02/03/the-first"),
        ("blog/posts/deep/a.md", "---\ndate: 2026-02-03 10:00:00\n---\n# A\n", "blog/2026/02/03/a"),
        ("blog/posts/none.md", "# No date\n", "blog/posts/none"),
        ("blog/posts/word.md", "---\ndate: soon\n---\n# A\n", "blog/posts/word"),
        ("blog/index.md", "# The blog\n", "blog"),
        (
            "news/entries/a.md",
            "---\ndate: 2026-02-03\n---\n\n# Ein *großes* `Boot` & Zubehör: [Link](https://x.y)\n\n# Zwei\n",
            "news/26-2-3/a-ein-großes-boot--zubehör-linkhttpsxy",
        ),
        (
            "news/entries/b.md",
            "---\ndate:\n  created: 2026-12-13\nslug: eigener\n---\n# Egal\n",
            "news/26-12-13/b-eigener",
        ),
        ("posts/c.md", "---\ntitle: Der Titel\n---\n\n# Anders\n", "der-titel"),
        ("pages/posts/c.md", "# Seite\n", "pages/seite"),
        ("posts/setext.md", "---\ndate: 2026-02-05\n---\n\nUntertitel\n==========\n\n## Zwei\n", "setext"),
        ("posts/d.md", "---\ndate: 2026-02-05\n---\n\n# Was ist 1.0? #{ #was }\n", "was-ist-10--was-"),
        ("posts/ohne-titel_hier.md", "Ohne Titel\n", "ohne-titel-hier"),
        ("posts/rule.md", "# Above\n\n---\n\n# Below\n", "above"),
        ("posts/fence.md", "Text.\n\n```\n# pip install\n```\n", "fence"),
        ("posts/hidden.md", "---\nsitemap: {exclude: true}\n---\nText.\n\n# Later\n", "hidden"),
        ("posts/sub.md", "## Sub\n\n# Later\n", "sub"),
        ("posts/x.md", "\n  \n   # Leading space\n", "leading-space"),
        ("posts/x.md", "\t# After a tab\n", "after-a-tab"),
        ("posts/x.md", "# A <br> break\n", "a--break"),
        ("posts/x.md", "# <b>x</b> &amp; y < 5 and > 4\n", "x-amp-y--4"),
        ("posts/x.md", "# Closed ##  \n", "closed-"),
        ("posts/x.md", "---\ntitle: 'A <i>b</i> #'\n---\n# Other\n", "a-b-"),
        ("posts/empty.md", "# \n\n# B\n", "empty"),
        ("posts/tab.md", "#\tNo heading\n", "tab"),
        ("docs/posts/a.md", "---\ndate: 2026-02-05\n---\n# A\n", "docs/posts/a"),
        ("months/posts/a.md", "---\ndate: 2026-02-05\n---\n# A\n", "months/posts/a"),
        ("groups/posts/a.md", "---\ndate: 2026-02-05\ncategories: [x]\n---\n# A\n", "groups/posts/a"),
    ],
)
def test_posts_are_published_as_configured_for_their_blog(tmp_path: Path, name: str, text: str, stem: str) -> None:
    (tmp_path / "mkdocs.yml").write_text(CONFIGURATION, "utf-8")
    file = tmp_path / "docs" / name
    file.parent.mkdir(parents=True)
    file.write_text(text, "utf-8")
    configuration = read_configuration(str(tmp_path))
    found = find_documents(configuration, lambda path: read_front_matter(Path(path).read_text("utf-8")))
    assert [(found_stem, each.name) for found_stem, each in found] == [(stem, name)]
