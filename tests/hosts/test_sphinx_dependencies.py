"""Sphinx: the dates of the files that a document depends on besides its own, as Sphinx records them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

ON_PATH = "import sys\nsys.path.insert(0, {folder!r})\n"
PLOT_DIRECTIVE = """
from pathlib import Path
from docutils.parsers.rst import Directive

class Plot(Directive):
    required_arguments, has_content = 1, True

    def run(self):
        app = self.app
        copy = Path(app.doctreedir).parent / "plot_directive" / self.arguments[0]
        copy.parent.mkdir(exist_ok=True)
        script = Path(app.confdir, app.config.plot_basedir or "", self.arguments[0])
        copy.write_bytes(script.read_bytes())
        self.state.document.settings.record_dependencies.add(str(copy))
        self.state_machine.insert_input(["", "Caption.", ""], source=str(script))
        return []

def setup(app):
    app.add_config_value("plot_basedir", None, "env")
    app.add_directive("plot", Plot)
    Plot.app = app
"""
MODULE = '"""A module."""\n\n\ndef work():\n    """Work."""\n'


def title(name: str, body: str = "") -> str:
    return f"{name}\n{'=' * len(name)}\n\n{body}\n"


@pytest.fixture(autouse=True)
def no_module_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "documented_module", raising=False)


@pytest.fixture
def site(sphinx_site: Any, repository: Any) -> Any:
    """A site in its own repository, in which Sphinx's output is ignored."""
    repository.write(".gitignore", "output\ndoctrees\n__pycache__\n")
    return sphinx_site.at(repository.path)


def build(site: Any, options: object = None, **config: Any) -> Any:
    return site.build_strictly(options, **config)


@pytest.mark.parametrize(
    ("body", "name", "content"),
    [
        (".. include:: /../part.txt", "part.txt", "part\n"),
        (".. literalinclude:: /../code.py", "code.py", "print()\n"),
        (".. csv-table::\n   :file: table.csv", "docs/table.csv", "1,2\n"),
        (".. raw:: html\n   :file: part.html", "docs/part.html", "<b>part</b>\n"),
        (".. image:: shown.svg", "docs/shown.svg", "<svg/>\n"),
        (":download:`shown.txt`", "docs/shown.txt", "text\n"),
    ],
)
def test_a_document_has_the_date_of_the_newer_of_its_own_and_the_included_file(
    site: Any, repository: Any, body: str, name: str, content: str
) -> None:
    documents = {"docs/index.rst": title("Home", ".. toctree::\n\n   a"), "docs/a.rst": title("A", body)}
    repository.commit_one_by_one(documents, {name: content})
    assert build(site).days == {"a.html": "2026-01-02", "index.html": "2026-01-01"}
    assert build(site, {"git": {"dependencies": False}}).days == {"a.html": "2026-01-01", "index.html": "2026-01-01"}


@pytest.mark.parametrize(
    ("body", "day"),
    [
        (".. image:: auto/images/thumb/plot.svg", "2026-01-01"),
        (".. include:: gen/back/plot.examples", "2026-01-01"),
        (".. image:: auto/tracked.svg", "2026-01-02"),  # git tracks it, though it was made
        (".. literalinclude:: made/code.txt", ""),
        (".. literalinclude:: ../made/code.txt", ""),
    ],
)
def test_what_a_gallery_makes_is_no_part_of_a_page_but_other_ignored_files_are(
    site: Any, repository: Any, body: str, day: str
) -> None:
    svg, gallery = (
        '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
        {"gallery_dirs": "auto", "backreferences_dir": "gen/back"},
    )
    for name, content in {
        ".gitignore": "output\ndoctrees\n/docs/auto/images\n/docs/gen\nmade\n",
        "docs/index.rst": title("Home", body),
        "docs/auto/images/thumb/plot.svg": svg,
        "docs/gen/back/plot.examples": "part\n",
        "docs/made/code.txt": "text\n",
        "made/code.txt": "text\n",
    }.items():
        repository.write(name, content)
    repository.commit("2026-01-01T12:00:00+00:00")
    repository.write("docs/auto/tracked.svg", svg)
    repository.commit("2026-01-02T12:00:00+00:00")
    site.code = f"def setup(app): app.add_config_value('sphinx_gallery_conf', {gallery}, 'html')\n"
    built = build(site)
    assert built.days == {"index.html": day}
    name = "made/code.txt" if ".." in body.partition("::")[2] else "docs/made/code.txt"
    message = f"because an included file is ignored by git, as in index.rst ({name}): name what counts with depends_on"
    assert len(built.said(message)) == (not day)


@pytest.mark.filterwarnings("ignore:.*BuildEnvironment.app:PendingDeprecationWarning")  # from MyST-Parser
def test_an_included_markdown_file_counts(site: Any, repository: Any) -> None:
    pytest.importorskip("myst_parser")
    site.extensions.append("myst_parser")
    documents = {
        "docs/index.rst": title("Home", ".. toctree::\n\n   a"),
        "docs/a.md": "# A\n\n```{include} ../README.md\n```\n",
    }
    repository.commit_one_by_one(documents, {"README.md": "Read me.\n"})
    assert build(site).days == {"a.html": "2026-01-02", "index.html": "2026-01-01"}


def document_a_module(site: Any, folder: Path) -> dict[str, str]:
    site.extensions.append("sphinx.ext.autodoc")
    site.code = ON_PATH.format(folder=str(folder))
    return {"docs/index.rst": title("Home", ".. automodule:: documented_module\n   :members:")}


def test_a_module_that_autodoc_shows_counts(site: Any, repository: Any) -> None:
    document = document_a_module(site, site.root / "src")
    repository.commit_one_by_one(document, {"src/documented_module.py": MODULE})
    assert build(site).days == {"index.html": "2026-01-02"}


def test_an_installed_module_does_not_count(site: Any, repository: Any) -> None:
    folder = site.root.with_name("site-packages")
    repository.commit_one_by_one(document_a_module(site, folder))
    folder.mkdir()
    (folder / "documented_module.py").write_text(MODULE)
    built = build(site, {"record": "site-record.json"})
    assert built.days == {"index.html": "2026-01-01"}
    assert b"site-packages" not in built.read("site-record.json")


def install_in_a_repository(repository: Any) -> Any:
    """An environment below the clone of a Python installer such as pyenv; none of its files is in the history."""
    other = type(repository)(repository.path.with_name("pyenv"))
    other.write(".gitignore", "versions\n")
    other.commit("2026-03-03T00:00:00+00:00")
    other.write("versions/documented_module.py", MODULE)
    return other


def test_an_untracked_module_in_another_repository_leaves_no_trace(site: Any, repository: Any) -> None:
    other = install_in_a_repository(repository)
    repository.commit_one_by_one(document_a_module(site, other.path / "versions"))
    built = build(site, {"record": "site-record.json"})
    assert built.days == {"index.html": "2026-01-01"}
    assert b"pyenv" not in built.read("site-record.json")


def test_a_module_in_an_unreadable_repository_costs_no_page_its_date(site: Any, repository: Any) -> None:
    other = install_in_a_repository(repository)
    (other.path / ".git" / "HEAD").write_text("nonsense\n")
    repository.commit_one_by_one(document_a_module(site, other.path / "versions"))
    assert build(site).days == {"index.html": "2026-01-01"}


def test_files_of_the_standard_library_do_not_count(site: Any, repository: Any) -> None:
    document = document_a_module(site, site.root / "src")
    tuples = "from typing import NamedTuple\n\n\nclass Reading(NamedTuple):\n    '''One.'''\n\n    minute: int\n"
    repository.commit_one_by_one(document, {"src/documented_module.py": tuples})
    built = build(site, {"record": "site-record.json"})
    assert built.days == {"index.html": "2026-01-02"}
    assert set(json.loads(built.read("site-record.json"))["repositories"]) == {"."}


def test_text_that_git_does_not_track_has_no_date(site: Any, repository: Any) -> None:
    documents = {"docs/index.rst": title("Home", ".. include:: new.txt"), "docs/part.txt": "part\n"}
    repository.commit_one_by_one(documents, {".gitignore": "output\ndoctrees\n__pycache__\ngenerated.rst\n"})
    repository.write("docs/new.txt", "new\n")
    for name in ("new", "generated"):
        repository.write(f"docs/{name}.rst", ":orphan:\n\n" + title(name.title(), ".. include:: part.txt"))
    built = build(site)
    assert built.days == {"generated.html": "2026-01-01", "index.html": "", "new.html": ""}
    assert built.said("no date index.rst: it includes new.txt, which is not committed yet")
    assert built.said("no date new.rst: not committed yet")


@pytest.mark.parametrize(
    ("made", "day"),
    [
        ("output/html/made/part.html", "2026-01-01"),
        ("doctrees/nbsphinx/part.html", "2026-01-01"),
        ("output/jupyter_execute/guide/part.html", "2026-01-01"),
        ("plot_directive/part.html", "2026-01-01"),
        ("output/gen/part.html", ""),
        ("output/html-parts/part.html", ""),
        ("docs/jupyter_execute/part.html", ""),
        ("part.html", ""),
    ],
)
def test_an_untracked_file_that_the_build_made_does_not_count(site: Any, repository: Any, made: str, day: str) -> None:
    body = f".. raw:: html\n   :file: ../{made}"
    repository.commit_one_by_one({"docs/index.rst": title("Home", body)}, {"docs/other.rst": title("Other")})
    repository.write(made, "<b>part</b>\n")
    built = build(site)
    assert built.days["index.html"] == day
    message = "no date although git tracks the document, because an included file is "
    assert len(built.said(message, level="info")) == (not day)


def test_a_tracked_file_in_the_output_counts(site: Any, repository: Any) -> None:
    body = ".. raw:: html\n   :file: ../output/html/part.html"
    documents = {"docs/index.rst": title("Home", body), ".gitignore": "doctrees\n__pycache__\n"}
    repository.commit_one_by_one(documents, {"output/html/part.html": "<b>part</b>\n"})
    assert build(site).days == {"index.html": "2026-01-02"}


def test_documents_in_the_output_are_not_made_by_the_build(site: Any, repository: Any) -> None:
    source = site.root / "output" / "html" / "source"
    source.mkdir(parents=True)
    site.docs.rmdir()
    site.docs.symlink_to(source)
    documents = {"docs/index.rst": title("Home", ".. include:: part.txt"), ".gitignore": "doctrees\n__pycache__\n"}
    repository.commit_one_by_one(documents)
    repository.write("docs/part.txt", "part\n")
    assert build(site).days == {"index.html": ""}


def test_the_time_of_a_file_that_the_build_made_does_not_count(site: Any) -> None:
    site.pages(index=title("Home", ".. raw:: html\n   :file: ../output/html/part.html"))
    for name, written in (("docs/index.rst", 1), ("output/html/part.html", 2)):
        path = site.docs.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (written * 86400, written * 86400))
    assert build(site, {"lastmod": ["mtime"]}).days == {"index.html": "1970-01-02"}


@pytest.mark.parametrize(("basedir", "folder"), [(None, "docs"), ("../examples", "examples")])
def test_the_script_that_a_plot_names_counts(site: Any, repository: Any, basedir: str | None, folder: str) -> None:
    site.code = ON_PATH.format(folder=str(site.docs))
    site.extensions.append("plot_directive")
    documents = {
        "docs/index.rst": title("Home", ".. plot:: plotme.py"),
        "docs/other.rst": title("Other"),
        "docs/plot_directive.py": PLOT_DIRECTIVE,
    }
    repository.commit_one_by_one(documents, {f"{folder}/plotme.py": "print(1)\n"}, {"docs/plotme.txt": "other"})
    for _ in range(2):
        built = build(site, plot_basedir=basedir)
        assert built.days == {"index.html": "2026-01-02", "other.html": "2026-01-01"}
    assert build(site, {"git": {"dependencies": False}}, plot_basedir=basedir).days["index.html"] == "2026-01-01"


@pytest.mark.parametrize("parallel", [1, 4])
def test_incremental_and_parallel_builds_give_the_same_bytes(site: Any, repository: Any, parallel: int) -> None:
    documents = {f"docs/page{number}.rst": title(f"Page {number}", ".. include:: part.txt") for number in range(8)}
    documents["docs/index.rst"] = title("Home", ".. toctree::\n   :glob:\n\n   page*")
    documents["docs/api.rst"] = ":orphan:\n\n" + document_a_module(site, site.root / "src")["docs/index.rst"]
    repository.commit_one_by_one(documents, {"docs/part.txt": "part\n"}, {"src/documented_module.py": MODULE})
    options = {"record": "site-record.json", "expose": True}
    whole = build(site, options)
    names = ("sitemap.xml", "site-record.json")
    expected = [whole.read(name) for name in names]
    assert whole.days["api.html"] == "2026-01-03"
    assert whole.days["page1.html"] == "2026-01-02"
    assert whole.days["index.html"] == "2026-01-01"
    for _ in range(2):
        again = build(site, options, parallel=parallel)
        assert [again.read(name) for name in names] == expected
    other = build(site, options, parallel=parallel, force=True)
    assert [other.read(name) for name in names] == expected


def test_a_catalogue_counts_but_not_its_compiled_form(site: Any, repository: Any) -> None:
    header = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    catalogue = header + 'msgid "Home"\nmsgstr "Anfang"\n\nmsgid "part"\nmsgstr "Teil"\n'
    repository.commit_one_by_one(
        {"docs/index.rst": title("Home", ".. include:: part.txt"), "docs/part.txt": "part\n"},
        {"docs/locales/de/LC_MESSAGES/index.po": catalogue},
    )
    overrides = {"language": "de"}
    first = build(site, overrides=overrides)
    repository.commit("2026-02-02T00:00:00+00:00")  # with the compiled catalogue
    again = build(site, overrides=overrides)
    assert first.days == again.days == {"index.html": "2026-01-02"}
    assert (site.docs / "locales/de/LC_MESSAGES/index.mo").exists()
