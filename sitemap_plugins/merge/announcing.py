"""Announces the sitemaps of languages that were joined, in the robots.txt at the root."""

from __future__ import annotations

from collections import Counter

import msgspec

from sitemap_plugins.formats.robots import RobotsTxt, read_sitemap_lines
from sitemap_plugins.merge.languages import Merge
from sitemap_plugins.merge.reading import Published
from sitemap_plugins.model import Policy, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.output.pages import read_robots
from sitemap_plugins.published.sitemaps import read_parts
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.sitemaps.announcing import announce
from sitemap_plugins.values.urls import file_path, is_local, path_in, preview_at, quote_path, usable_url


def announce_languages(tree: Tree, published: Published, merged: Merge, base_url: str | None) -> Merge:
    """Add the robots.txt that announces the sitemaps at the root and in the folders of several languages, and notes.

    Lines for other sitemaps stay, unless these are gone. A sitemap that an index names needs no line. ``base_url`` is
    the URL of the root; None stands for the one that most of these sitemaps have.
    """
    folders = tuple(path_in(each.language.folder, "") for each in merged.languages if each.language.folder)
    own = [each for each in published.sitemaps if not each.folder or each.path.startswith(folders)]
    if len(merged.languages) < 2 or not own:
        return merged
    root_url = base_url or Counter(each.root_url for each in own).most_common(1)[0][0]
    if not any(each.base_url.startswith(root_url) for each in own):
        problem = (
            f"no sitemap lists pages below --base-url {root_url}, so none is announced; "
            f"{own[0].path} lists pages below {own[0].base_url}"
        )
        return msgspec.structs.replace(merged, problems=(*merged.problems, problem))
    robots_txt, unusable = read_robots(tree.root)
    lines = [url for url, _ in read_sitemap_lines(robots_txt or b"") if usable_url(url)]
    urls = [url for url in lines if (path := file_path(root_url, url)) is None or tree.is_file(path)]
    url_of = {"": root_url} | {each.folder: each.base_url for each in own}
    repeating = [path for path in published.repeating if path.rpartition("/")[0] in url_of]
    named = {part for path in repeating for part in read_parts(tree, path)}
    urls += [each.url for each in own if each.path not in named]
    paths = [path.rpartition("/") for path in repeating if path not in named]
    urls += [url_of[folder] + quote_path(name) for folder, _, name in paths]
    site = Site(base_url=root_url, policy=Policy(preview=preview_at(root_url), is_local=is_local(root_url)))
    robots = RobotsTxt(robots_txt) if robots_txt is not None else None
    files, notes = announce(site, [*dict.fromkeys(urls)], Settings(robots=not unusable), robots)
    return msgspec.structs.replace(
        merged,
        files=(*merged.files, *files),
        notes=(*merged.notes, *(note.message for note in notes)),
        problems=(*merged.problems, *(note.message for note in unusable)),
    )
