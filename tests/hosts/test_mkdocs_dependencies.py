"""MkDocs: the dates of the files that a page depends on besides its own, tool by tool."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sitemap_plugins.options.settings import Settings

SNIPPETS = "pymdownx.snippets"
INCLUDE = {"include-markdown": {}}
MKDOCSTRINGS = {"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}}}
CLASS = 'class Foo:\n    """Foo."""\n\n    def work(self):\n        """Work."""\n'
HANDLER = """\
from mkdocstrings import BaseHandler

class Handler(BaseHandler):
    name = domain = "plain_text"

    def get_options(self, local_options):
        return local_options

    def collect(self, identifier, options):
        return identifier

    def render(self, data, options, **kwargs):
        return "<p>SHOWN</p>"

    def get_aliases(self, identifier):
        return ()

def get_handler(theme, custom_templates, mdx, mdx_config, handler_config, tool_config, **kwargs):
    return Handler(theme=theme, custom_templates=custom_templates, mdx=mdx, mdx_config=mdx_config)
"""
MODULE = '"""A module."""\n\n\ndef work():\n    """Work."""\n'


class TestSnippets:
    """pymdownx.snippets."""

    @pytest.fixture
    def site(self, mkdocs_site: Any, repository: Any) -> Any:
        return mkdocs_site.at(repository.path)

    def build(self, site: Any, options: object = None, **snippet_options: object) -> Any:
        extension = {SNIPPETS: {"base_path": [str(site.root / "includes")], "check_paths": True} | snippet_options}
        return site.build_strictly(options, markdown_extensions=[extension])

    def test_a_page_has_the_date_of_the_newest_file_whatever_form_names_it(self, site: Any, repository: Any) -> None:
        forms = {
            "line": '--8<-- "part.md"',
            "section": '--8<-- "part.md:one"',
            "block": "--8<--\npart.md\n--8<--",
            "short": '-8<- "part.md"',
            "nested": '--8<-- "outer.md"',
        }
        others = {"escaped": ';--8<-- "part.md"', "url": '--8<-- "http://localhost:1/part.md"', "none": ""}
        pages = {f"docs/{name}.md": f"# A\n\n{written}\n" for name, written in (forms | others).items()}
        pages["includes/outer.md"] = '--8<-- "part.md"\n'
        part = "start\n--8<-- [start:one]\none\n--8<-- [end:one]\nend\n"
        repository.commit_one_by_one(pages, {"includes/part.md": part}, {"docs/newer.md": pages["docs/line.md"]})
        # A file that is appended to every page counts where a page names it.
        built = self.build(site, check_paths=False, auto_append=["part.md"])
        assert built.days == {
            **{f"{name}/": "2026-01-02" for name in forms},
            **{f"{name}/": "2026-01-01" for name in others},
            "newer/": "2026-01-03",
        }

    def test_dependencies_can_be_switched_off(self, site: Any, repository: Any) -> None:
        page = {"docs/index.md": '# Home\n\n--8<-- "part.md"\n'}
        repository.commit_one_by_one(page, {"includes/part.md": "part"})
        assert self.build(site, {"git": {"dependencies": False}}).days == {"": "2026-01-01"}

    def test_a_page_that_includes_an_untracked_file_has_no_date(self, site: Any, repository: Any) -> None:
        repository.commit_one_by_one({"docs/index.md": '# Home\n\n--8<-- "part.md"\n'})
        repository.write("includes/part.md", "part")
        built = self.build(site, {"notes": {"undated": "info"}})
        assert built.days == {"": ""}
        message = "index.md: it has no date: it includes part.md, which is not committed yet"
        assert len(built.said(message, level="info")) == 1
        assert len(built.said("index.md (part.md): commit such files, or name what counts", level="info")) == 1
        assert self.build(site, {"pages": [{"match": "**", "depends_on": "mkdocs.yml"}]}).days == {"": "2026-01-01"}

    def test_a_file_in_another_repository_has_the_date_from_that_repository(self, site: Any, repository: Any) -> None:
        repository.commit_one_by_one({"docs/index.md": '# Home\n\n--8<-- "part.md"\n'})
        other = type(repository)(repository.path.with_name("other"))
        other.write("part.md", "part")
        other.commit("2026-01-08T00:00:00+00:00")
        assert self.build(site, base_path=[str(other.path)]).days == {"": "2026-01-08"}

    def test_included_files_count_for_pages_built_by_static_i18n(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": "# Home\n",
            "docs/a.md": "# A\n",
            "docs/index.fr.md": "# Accueil\n",
            "docs/a.fr.md": '# A\n\n--8<-- "part.md"\n',
        }
        repository.commit_one_by_one(pages, {"includes/part.md": "part"})
        locales = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "Français"}]
        built = site.build(
            plugins=[{"i18n": {"docs_structure": "suffix", "languages": locales}}],
            markdown_extensions=[{SNIPPETS: {"base_path": [str(site.root / "includes")]}}],
            strict=True,
        )
        assert built.days == {"": "2026-01-01", "a/": "2026-01-01", "fr/": "2026-01-01", "fr/a/": "2026-01-02"}


class TestIncludeMarkdown:
    """mkdocs-include-markdown-plugin."""

    @pytest.fixture
    def site(self, mkdocs_site: Any, repository: Any) -> Any:
        pytest.importorskip("mkdocs_include_markdown_plugin")
        return mkdocs_site.at(repository.path)

    def build(self, site: Any, options: object = None, plugin: Mapping[str, object] = INCLUDE) -> Any:
        return site.build_strictly(options, plugins=[plugin])

    def test_included_files_count_only_for_the_pages_that_include_them(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": "# Home\n",
            "docs/a.md": '# A\n\n{% include-markdown "../includes/outer.md" %}\n',
            "docs/b.md": '# B\n\n{% include-markdown "../includes/outer.md" %}\n',
            "docs/c.md": "# C\n",
            "docs/d.md": '# D\n\n{% include "../includes/inner.md" %}\n',
            "includes/outer.md": '{% include-markdown "./inner.md" %}\n',
        }
        repository.commit_one_by_one(pages, {"includes/inner.md": "inner"})
        old, new = ("2026-01-01", "2026-01-02")
        assert self.build(site).days == {"": old, "a/": new, "b/": new, "c/": old, "d/": new}

    def test_the_second_build_of_a_preview_finds_the_same(self, site: Any, repository: Any) -> None:
        pages = {"docs/index.md": "# Home\n", "docs/a.md": '# A\n\n{% include "../includes/part.md" %}\n'}
        repository.commit_one_by_one(pages, {"includes/part.md": "part"})
        assert self.build(site).days == {"": "2026-01-01", "a/": "2026-01-02"}
        again = site.build(plugins=[INCLUDE], again=True)
        assert again.days == {"": "2026-01-01", "a/": "2026-01-02"}


class TestMacros:
    """mkdocs-macros-plugin."""

    @pytest.fixture
    def site(self, mkdocs_site: Any, repository: Any) -> Any:
        pytest.importorskip("mkdocs_macros")
        return mkdocs_site.at(repository.path)

    def build(self, site: Any, options: object = None, **plugin: object) -> Any:
        (site.root / "includes").mkdir(exist_ok=True)
        return site.build_strictly(options, plugins=[{"macros": {"include_dir": str(site.root / "includes")} | plugin}])

    def test_templates_and_the_templates_they_include_count(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": "# Home\n",
            "docs/a.md": '# A\n\n{% include "outer.md" %}\n',
            "docs/b.md": '# B\n\n{% from "outer.md" import nothing %}\n',
            "docs/c.md": "# C\n\n{{ 1 + 1 }}\n",
            "docs/named.md": '# Known only when it is rendered\n\n{% set name = "inner.md" %}{% include name %}\n',
            "includes/outer.md": '{% set nothing = "" %}{% include "inner.md" %}\n',
        }
        inner = 'inner{% if false %}{% include "outer.md" %}{% endif %}'  # they include each other
        repository.commit_one_by_one(pages, {"includes/inner.md": inner})
        old, new = ("2026-01-01", "2026-01-02")
        assert self.build(site).days == {"": old, "a/": new, "b/": new, "c/": old, "named/": old}

    def test_custom_tags_count(self, site: Any, repository: Any) -> None:
        repository.commit_one_by_one({"docs/index.md": '# Home\n\n[% include "a.md" %]\n'}, {"includes/a.md": "a"})
        tags = {"j2_block_start_string": "[%", "j2_block_end_string": "%]"}
        assert self.build(site, **tags).days == {"": "2026-01-02"}

    @pytest.mark.parametrize(
        ("meta", "by_default", "day"),
        [
            ("render_macros: false", True, "2026-01-01"),
            ("render_macros: false", False, "2026-01-01"),
            ("title: Home", False, "2026-01-01"),
            ("render_macros: true", False, "2026-01-02"),
        ],
    )
    def test_an_unrendered_page_includes_nothing(
        self, site: Any, repository: Any, meta: str, *, by_default: bool, day: str
    ) -> None:
        page = {"docs/index.md": f'---\n{meta}\n---\n# Home\n\n{{% include "a.md" %}}\n'}
        repository.commit_one_by_one(page, {"includes/a.md": "INCLUDED"})
        built = self.build(site, render_by_default=by_default)
        assert built.days == {"": day}
        assert ("INCLUDED" in (built.output / "index.html").read_text()) == (day == "2026-01-02")

    def test_with_include_markdown_before_it(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": '# Home\n\n{! include "../includes/part.md" !}\n',
            "includes/part.md": '{% include "inner.md" %}\n',
        }
        repository.commit_one_by_one(pages, {"includes/inner.md": "inner"})
        plugins = [{"include-markdown": {"opening_tag": "{!", "closing_tag": "!}"}}]
        plugins.append({"macros": {"include_dir": str(site.root / "includes")}})
        built = site.build_strictly(plugins=plugins)
        assert built.days == {"": "2026-01-02"}


class TestMkdocstrings:
    """mkdocstrings with its handler for Python."""

    @pytest.fixture
    def site(self, mkdocs_site: Any, repository: Any) -> Any:
        pytest.importorskip("mkdocstrings")
        return mkdocs_site.at(repository.path)

    @pytest.fixture
    def plain_text(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        """The name of a handler that does not read Python."""
        module = tmp_path / "handlers" / "mkdocstrings_handlers" / "plain_text"
        (module / "templates" / "material").mkdir(parents=True)
        (module / "__init__.py").write_text(HANDLER)
        monkeypatch.syspath_prepend(str(tmp_path / "handlers"))
        yield module.name
        sys.modules.pop(f"mkdocstrings_handlers.{module.name}", None)

    def build(self, site: Any, **handler: object) -> Any:
        plugin = {"mkdocstrings": {"handlers": {"python": {"paths": ["src"]} | handler}}}
        return site.build_strictly(plugins=[plugin])

    def test_a_page_has_the_date_of_the_module_it_shows(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": "# Home\n",
            "docs/module.md": "# M\n\n::: pkg.mod\n",
            "docs/object.md": "# O\n\n## ::: pkg.mod.work\n    options:\n      show_root_heading: true\n",
            "docs/package.md": "# P\n\n::: pkg\n",
            "src/pkg/__init__.py": '"""A package."""\n',
        }
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        days = {"": "2026-01-01", "module/": "2026-01-02", "object/": "2026-01-02", "package/": "2026-01-01"}
        assert self.build(site).days == days

    @pytest.mark.parametrize(
        ("block", "option"),
        [
            ("pkg.mod.work", "show_root_toc_entry: false"),
            ("pkg.mod.Foo", "show_root_toc_entry: false\n      members: false"),
            ("pkg.mod", "show_root_toc_entry: false\n      members: false"),
            ("pkg.Foo", "show_root_toc_entry: false\n      members: false"),  # imported from the module
        ],
    )
    def test_an_object_without_an_anchor_counts_where_it_is_shown(
        self, site: Any, repository: Any, block: str, option: str
    ) -> None:
        shown = f"::: {block}\n    options:\n      show_root_heading: false\n      {option}\n"
        docstring = '"""A module."""\n\n\ndef work():\n    """Work.\n\n    ' + shown.replace("\n", "\n    ") + '"""\n'
        pages = {
            "docs/index.md": f"# Home\n\n{shown}",
            "docs/neither.md": f"# Neither\n\n```\n{shown}```\n",
            "docs/snippet.md": '# Snippet\n\n--8<-- "api.md"\n',
            "docs/within.md": "# Within\n\n::: pkg.user\n",
            "includes/api.md": shown,
            "src/pkg/__init__.py": "from pkg.mod import Foo\n",
            "src/pkg/user.py": docstring,
        }
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": f"{MODULE}\n\n{CLASS}"})
        extension = {SNIPPETS: {"base_path": [str(site.root / "includes")]}}
        built = site.build_strictly(plugins=[MKDOCSTRINGS], markdown_extensions=[extension])
        shows = ("", "snippet/", "within/")
        assert built.days == {"neither/": "2026-01-01"} | dict.fromkeys(shows, "2026-01-02")
        assert not built.said("depends_on")

    def test_each_language_of_a_site_counts_what_its_pages_show(self, site: Any, repository: Any) -> None:
        pytest.importorskip("mkdocs_static_i18n")
        options = "    options:\n      show_root_heading: false\n      show_root_toc_entry: false\n"
        pages = {
            "docs/index.md": "# Home\n",
            "docs/index.fr.md": f"# Accueil\n\n::: pkg.mod.work\n{options}",
            "src/pkg/__init__.py": "",
        }
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        languages = [{"locale": "en", "name": "English", "default": True}, {"locale": "fr", "name": "Français"}]
        built = site.build(plugins=[MKDOCSTRINGS, {"i18n": {"languages": languages}}])
        assert built.days == {"": "2026-01-01", "fr/": "2026-01-02"}

    def test_the_block_of_another_handler_names_a_file_or_is_not_known(
        self, site: Any, repository: Any, plain_text: str
    ) -> None:
        pages = {
            "docs/index.md": "# Home\n\n::: src/run.sh\n",
            "docs/other.md": "# Other\n\n::: pkg.mod\n",
            "docs/named.md": "---\nsitemap:\n  depends_on: mkdocs.yml\n---\n# Named\n\n::: pkg.mod\n",
            "docs/python.md": "# Python\n\n::: pkg.mod\n    handler: python\n",
            "src/pkg/__init__.py": "",
        }
        repository.commit_one_by_one(pages, {"src/run.sh": "true\n", "src/pkg/mod.py": MODULE})
        plugin = {"default_handler": plain_text, "handlers": {"python": {"paths": ["src"]}}}
        built = site.build_strictly(plugins=[{"mkdocstrings": plugin}])
        assert {path: day for path, day in built.days.items() if path != "named/"} == {
            "": "2026-01-02",
            "other/": "2026-01-01",
            "python/": "2026-01-02",
        }
        (note,) = built.said("of a tool that the plugin does not support", level="info")
        assert "'::: pkg.mod'" in note
        assert "for the dates of other.md: name them" in note

    def test_the_objects_that_a_block_shows_count_where_they_are_defined(self, site: Any, repository: Any) -> None:
        pages = {
            "src/pkg/__init__.py": "",
            "docs/submodules.md": "# P\n\n::: pkg.tree\n    options:\n      show_submodules: true\n",
            "src/pkg/tree/__init__.py": '"""A package."""\n',
            "src/pkg/tree/sub/__init__.py": '""""""',
            "docs/public.md": "# P\n\n::: pkg.public\n",
            "src/pkg/public.py": '"""A package."""\n\nfrom pkg.made import Foo\n\n__all__ = ["Foo"]\n',
            "docs/hidden.md": "# P\n\n::: pkg.hidden\n",
            "src/pkg/hidden.py": '"""A package."""\n\nfrom pkg.made import Foo\n',
            "docs/through.md": "# P\n\n::: pkg.through.Foo\n",
            "src/pkg/through.py": "from pkg.middle import Foo\n",
            "src/pkg/middle.py": "from pkg.made import Foo\n",
            "docs/inherited.md": "# F\n\n::: pkg.child.Bar\n    options:\n      inherited_members: true\n",
            "docs/own.md": "# F\n\n::: pkg.child.Bar\n",
            "src/pkg/child.py": 'from pkg.made import Foo\n\n\nclass Bar(Foo):\n    """Bar."""\n',
        }
        code = {"src/pkg/made.py": CLASS, "src/pkg/tree/sub/mod.py": MODULE}
        repository.commit_one_by_one(pages, code, {"src/pkg/middle.py": "# once more\nfrom pkg.made import Foo\n"})
        shows = dict.fromkeys(("inherited/", "public/", "submodules/", "through/"), "2026-01-02")
        built = site.build(plugins=[MKDOCSTRINGS])  # autorefs warns about objects that are on two pages
        assert built.days == shows | {"hidden/": "2026-01-01", "own/": "2026-01-01"}

    @pytest.mark.parametrize(
        "code", ["```\n::: pkg.base\n```\n", "~~~~ text\n::: pkg.base\n~~~~\n", "    ::: pkg.base\n"]
    )
    def test_an_identifier_shown_as_text_does_not_count(self, site: Any, repository: Any, code: str) -> None:
        pages = {
            "docs/index.md": f"# How to\n\n{code}",
            "docs/both.md": f"# Both\n\n{code}\n::: pkg.sub\n",
            "docs/base.md": "# Base\n\n::: pkg.base\n",
            "src/pkg/__init__.py": "",
            "src/pkg/sub.py": CLASS,
        }
        repository.commit_one_by_one(pages, {"src/pkg/base.py": MODULE})
        assert self.build(site).days == {"": "2026-01-01", "both/": "2026-01-01", "base/": "2026-01-02"}

    def test_a_heading_is_not_a_module(self, site: Any, repository: Any) -> None:
        """The anchor of a heading can be the name of a package."""
        pages = {
            "docs/index.md": "# pkg\n\n::: pkg.mod\n",
            "src/pkg/mod.py": MODULE,
            "src/pkg/__init__.py": '"""A package."""\n',
        }
        repository.commit_one_by_one(pages, {"src/pkg/__init__.py": '"""Another package."""\n'})
        assert self.build(site).days == {"": "2026-01-01"}

    def test_an_included_file_can_name_the_module(self, site: Any, repository: Any) -> None:
        pages = {
            "docs/index.md": '# Home\n\n--8<-- "api.md"\n',
            "includes/api.md": "::: pkg.mod\n",
            "src/pkg/__init__.py": "",
        }
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        extension = {SNIPPETS: {"base_path": [str(site.root / "includes")]}}
        built = site.build_strictly(plugins=[MKDOCSTRINGS], markdown_extensions=[extension])
        assert b"pkg.mod.work" in built.read("index.html")
        assert built.days == {"": "2026-01-02"}

    def test_a_plugin_that_is_not_enabled_fails_no_build(self, site: Any, repository: Any) -> None:
        pages = {"docs/index.md": "# Home\n\n::: pkg.mod\n", "src/pkg/__init__.py": ""}
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        built = site.build_strictly({"expose": True}, plugins=[{"mkdocstrings": {"enabled": False}}])
        assert built.days == {"": "2026-01-01"}
        assert not built.said("does not tell which files")

    def test_a_site_without_the_python_handler_builds(self, site: Any, repository: Any, plain_text: str) -> None:
        repository.commit_one_by_one({"docs/index.md": "# Home\n\n::: pkg.mod\n"}, {"src/pkg/mod.py": MODULE})
        built = site.build_strictly(plugins=[{"mkdocstrings": {"default_handler": plain_text}}])
        assert built.days == {"": "2026-01-01"}
        assert not built.said("does not tell which files")

    def test_a_handler_need_not_know_its_own_name(
        self, site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Handlers have no such attribute before mkdocstrings 0.28."""
        from mkdocstrings import Handlers

        get_handler = Handlers.get_handler

        def without_name(self: Any, *args: Any) -> Any:
            handler = get_handler(self, *args)
            handler.name = ""
            return handler

        monkeypatch.setattr(Handlers, "get_handler", without_name)
        pages = {"docs/index.md": "# Home\n\n::: pkg.mod\n", "src/pkg/__init__.py": ""}
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        assert self.build(site).days == {"": "2026-01-02"}

    def test_rebuilds_of_a_preview_give_the_same_dates(self, site: Any, repository: Any) -> None:
        pages = {"docs/index.md": "# Home\n", "docs/a.md": "# A\n\n::: pkg.mod\n", "src/pkg/__init__.py": ""}
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        days = {"": "2026-01-01", "a/": "2026-01-02"}
        assert self.build(site).days == days
        plugin = {"mkdocstrings": {"handlers": {"python": {"paths": ["src"]}}}}
        assert site.build(plugins=[plugin], again=True, strict=True).days == days

    def test_a_generated_page_has_the_date_of_the_module_it_shows(self, site: Any, repository: Any) -> None:
        pytest.importorskip("mkdocs_gen_files")
        script = "import mkdocs_gen_files\nwith mkdocs_gen_files.open('api.md', 'w') as page:\n    print('# A\\n\\n::: pkg.mod', file=page)\n"
        pages = {"docs/index.md": "# Home\n", "gen.py": script, "src/pkg/__init__.py": ""}
        repository.commit_one_by_one(pages, {"src/pkg/mod.py": MODULE})
        script_path = str(site.root / "gen.py")
        built = site.build_strictly(plugins=[{"gen-files": {"scripts": [script_path]}}, MKDOCSTRINGS])
        assert built.days == {"": "2026-01-01", "api/": "2026-01-02"}

    def test_an_installed_module_does_not_count(self, site: Any, repository: Any) -> None:
        repository.commit_one_by_one({"docs/index.md": "# Home\n\n::: elsewhere\n"})
        folder = repository.path.with_name("site-packages")
        folder.mkdir()
        (folder / "elsewhere.py").write_text(MODULE)
        assert self.build(site, paths=[str(folder)]).days == {"": "2026-01-01"}


@pytest.mark.parametrize(
    ("tool", "package", "attribute", "text"),
    [
        ("include-markdown", "mkdocs_include_markdown_plugin", "_files_watcher", '{% include "../part.md" %}'),
        ("include-markdown", "mkdocs_include_markdown_plugin", "included_files", '{% include "../part.md" %}'),
        ("macros", "mkdocs_macros", "_env", '{% include "part.md" %}'),
        ("mkdocstrings", "mkdocstrings", "_modules_collection", "::: part"),
    ],
)
def test_an_incompatible_version_is_one_line_and_fails_no_build(
    mkdocs_site: Any,
    repository: Any,
    monkeypatch: pytest.MonkeyPatch,
    tool: str,
    package: str,
    attribute: str,
    text: str,
) -> None:
    """A version of a tool lacks this attribute."""
    from sitemap_plugins.mkdocs import dates

    pytest.importorskip(package)
    site = mkdocs_site.at(repository.path)
    plugins: dict[str, dict[str, Any]] = {
        "include-markdown": {},
        "macros": {"include_dir": str(site.root)},
        "mkdocstrings": {"handlers": {"python": {"paths": [str(site.root)]}}},
    }
    monkeypatch.setattr(
        dates, "getattr", lambda it, name, *to: to[0] if name == attribute else getattr(it, name, *to), raising=False
    )
    repository.commit_one_by_one({"docs/index.md": f"# Home\n\n{text}\n"}, {"part.md": "part", "part.py": MODULE})
    built = site.build_strictly(plugins=[{tool: plugins[tool]}])
    assert built.days == {"": "2026-01-01"}
    assert len(built.said(f"the installed version of {tool} does not tell", level="info")) == 1


class TestNamedFiles:
    """mdx_include, markdown-include, markdown-include-variants and table-reader."""

    @pytest.mark.parametrize(
        ("tool", "text", "files"),
        [
            ("mdx_include", "{!parts/a.md!}", ["docs/parts/a.md", "docs/parts/b.md"]),
            ("markdown_include.include", "{!parts/b.md!lines=1 2}", ["docs/parts/b.md"]),
            ("markdown_include_variants", "{* ../code/x.py hl[1] *}", ["code/x.py", "code/x_py310.py"]),
            ("table-reader", "{{ read_csv('t.csv') }}", ["data/t.csv"]),
            ("table-reader", "{{ read_csv('page.csv') }} {{ read_csv('docs.csv') }}", ["docs/a/page.csv", "docs/data/docs.csv"]),
            ("table-reader", "{{ read_raw('raw.txt') }}", ["data/raw.txt"]),
            ("mdx_include", "{!gone.md!} {* ../code/x.py *} {{ read_csv('t.csv') }}", []),
            ("toc", "{!parts/a.md!} {* ../code/x.py *} {{ read_csv('t.csv') }} --8<-- 'docs/parts/a.md'", []),
        ],
    )  # fmt: skip
    def test_the_files_that_only_the_text_of_a_page_names(
        self, tool: str, text: str, files: list[str], repository: Any
    ) -> None:
        from sitemap_plugins.mkdocs.dates import PageDates

        for name in ("docs/parts/b.md", "code/x.py", "code/x_py310.py", "docs/a/page.csv", "data/t.csv"):
            repository.write(name, "")
        for name in ("docs/data/t.csv", "docs/data/docs.csv"):
            repository.write(name, "")
        repository.write("docs/parts/a.md", "{!parts/b.md!}")
        repository.write("data/raw.txt", "{{ read_csv('t.csv') }}")
        root = repository.path
        config: Any = SimpleNamespace(
            plugins={tool: SimpleNamespace(config={"data_path": "data"})},
            markdown_extensions=[tool],
            mdx_configs={tool: {"base_path": str(root / "docs")}},
            docs_dir=str(root / "docs"),
            config_file_path=str(root / "mkdocs.yml"),
        )
        source = root / "docs/a/index.md"
        page: Any = SimpleNamespace(file=SimpleNamespace(src_uri="a/index.md", abs_src_path=str(source)), meta={})
        repository.write("docs/a/index.md", text)
        dates = PageDates(config, SimpleNamespace(settings=Settings()))  # type: ignore[arg-type]  # all that it needs
        dates.notice_templates(page, "# Changed by plugins\n")
        assert [Path(file).relative_to(root).as_posix() for file in dates.included_by(page)] == files

    def test_such_a_file_dates_its_page(self, mkdocs_site: Any, repository: Any) -> None:
        site = mkdocs_site.at(repository.path)
        site.write(
            "mdx_include.py",
            "import markdown\nclass makeExtension(markdown.Extension):\n    def extendMarkdown(self, md): ...\n",
        )
        pages = {"docs/index.md": "# Home\n\n```py\n{!../x.py!}\n```\n", "docs/other.md": "# {!gone.md!}\n"}
        repository.commit_one_by_one(pages, {"x.py": "x = 1\n"})
        sys.path.insert(0, str(site.root))
        built = site.build_strictly(markdown_extensions=["mdx_include"])
        assert built.days == {"": "2026-01-02", "other/": "2026-01-01"}
        assert not built.said("gone.md")
        off = site.build_strictly({"git": {"dependencies": False}}, markdown_extensions=["mdx_include"])
        assert off.days == {"": "2026-01-01", "other/": "2026-01-01"}


class TestGallery:
    """mkdocs-gallery, which writes a page for each example into the folder of documents before a build."""

    def test_a_generated_page_has_the_date_of_its_example(
        self, mkdocs_site: Any, repository: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from sitemap_plugins.mkdocs.dates import PageDates

        made = {"auto/index.md": Path("ex/README.md"), "auto/plot.md": Path("ex/plot.py")}

        def find(config: Any, session: Any) -> PageDates:
            config.plugins["gallery"] = SimpleNamespace(md_to_src=made)  # all that is read of the plugin
            return PageDates(config, session)

        monkeypatch.setattr("sitemap_plugins.mkdocs.plugin.PageDates", find)
        site = mkdocs_site.at(repository.path)
        repository.write(".gitignore", "/docs/auto\n/site\n/mkdocs.yml\n")
        files = {"docs/index.md": "# Home\n", "ex/README.md": "# Gallery\n", "ex/plot.py": "x = 1\n"}
        for name in (*made, "auto/other.md"):
            repository.write(f"docs/{name}", "# Made\n")
        repository.commit_one_by_one(*({name: text} for name, text in files.items()))
        built = site.build_strictly()
        assert built.days == {
            "": "2026-01-01", "auto/": "2026-01-02", "auto/other/": "", "auto/plot/": "2026-01-03"
        }  # fmt: skip


class TestBlocks:
    """The ``:::`` blocks of mkdocs-click, mkautodoc and unknown tools; tests/hosts/compat has the real tools."""

    EXTENSION = (
        "import importlib, re\n"
        "from markdown import Extension\n"
        "from markdown.preprocessors import Preprocessor\n"
        "BLOCK = re.compile(r'^::: (.*)\\n(?:    :(?:module|command): .*\\n?)*', re.MULTILINE)\n"
        "class Blocks(Preprocessor):\n"
        "    def run(self, lines):\n"
        "        importlib.import_module('blocks_app')\n"
        "        return BLOCK.sub('<p>SHOWN</p>', '\\n'.join(lines)).split('\\n')\n"
        "class Shown(Extension):\n"
        "    def extendMarkdown(self, md):\n"
        "        md.preprocessors.register(Blocks(), 'shown', 10)\n"
        "def makeExtension(**_):\n"
        "    return Shown()\n"
    )
    COMMAND = "::: mkdocs-click\n    :module: blocks_app\n    :command: work\n"

    def build(self, site: Any, options: object = None, *extensions: str) -> Any:
        for name in extensions:
            site.write(f"{name}.py", self.EXTENSION)
        sys.path.insert(0, str(site.root))
        return site.build_strictly(options, markdown_extensions=[*extensions])

    @pytest.fixture
    def site(self, mkdocs_site: Any, repository: Any) -> Any:
        site = mkdocs_site.at(repository.path)
        pages = {
            "docs/index.md": f"# Home\n\n{self.COMMAND}",
            "docs/code.md": "# Code\n\n    ::: made-of\n",
            "docs/other.md": "# Other\n\n::: made-of\n",
            "docs/ruled.md": "# Ruled\n\n::: made-of\n",
        }
        repository.commit_one_by_one(pages, {"blocks_app.py": "def work():\n    pass\n"})
        yield site
        sys.path[:] = [each for each in sys.path if each != str(site.root)]

    RULE: Mapping[str, object] = {"pages": [{"match": "ruled/", "depends_on": "blocks_app.py"}]}

    def test_files_of_commands_count_and_unknown_blocks_are_one_line(self, site: Any) -> None:
        built = self.build(site, self.RULE, "mkdocs_click")
        assert built.days == {"": "2026-01-02", "code/": "2026-01-01", "other/": "2026-01-01", "ruled/": "2026-01-02"}
        message = (
            "sitemap: blocks such as '::: made-of' are of a tool that the plugin does not support, so the files that they "
            "show do not count for the dates of other.md: name them with depends_on"
        )
        assert built.said("depends_on") == [message]
        off = self.build(site, {"git": {"dependencies": False}}, "mkdocs_click")
        assert off.days[""] == "2026-01-01"
        assert not off.said("depends_on")

    def test_the_line_names_a_few_pages(self, site: Any) -> None:
        for number in range(5):
            site.write(f"docs/p{number}.md", "# P\n\n::: made-of\n")
        message = "the dates of other.md, p0.md, p1.md, p2.md, p3.md and 2 more pages: name them"
        assert len(self.build(site, None, "mkdocs_click").said(message, level="info")) == 1


def test_a_snippet_also_dates_a_page_by_its_mtime(mkdocs_site: Any) -> None:
    mkdocs_site.write("docs/index.md", '# Home\n\n--8<-- "docs/part.txt"\n')
    mkdocs_site.write("docs/part.txt", "A part.\n")
    for name, year in (("index.md", 2020), ("part.txt", 2024)):
        moment = datetime(year, 1, 2, tzinfo=UTC).timestamp()
        os.utime(mkdocs_site.docs / name, (moment, moment))
    built = mkdocs_site.build(
        {"lastmod": ["mtime"]},
        markdown_extensions=[{"pymdownx.snippets": {"base_path": [str(mkdocs_site.root)]}}],
    )
    assert built.days == {"": "2024-01-02"}
