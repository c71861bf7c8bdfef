"""Every reader of foreign files, with a huge file and a link out of the folder: see `tests.test_reading` for others."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest
from click.testing import CliRunner

from sitemap_plugins.commands.main import main
from sitemap_plugins.formats.sitemap_xml import SitemapWriter
from sitemap_plugins.git.history import DateRules, HistoryReader
from sitemap_plugins.merge.reading import MergeError, read_sitemaps
from sitemap_plugins.mkdocs.files import find_own, keep_last
from sitemap_plugins.model import Entry, Note, Page, Site
from sitemap_plugins.options.settings import Settings
from sitemap_plugins.output.ownership import is_ours
from sitemap_plugins.output.pages import read_output, write_head_links
from sitemap_plugins.published.tree import Tree
from sitemap_plugins.reading import (
    CATALOGUE,
    HOST_FILE,
    IGNORED_COMMITS,
    LANGUAGE_PAGES,
    LAST_BUILD,
    PAGE,
    RECORD,
    ROBOTS_TXT,
    SITEMAP,
    Limit,
)
from sitemap_plugins.session.built_elsewhere import read_languages
from sitemap_plugins.session.publishing import Output, publish
from sitemap_plugins.sphinx.files import recall
from sitemap_plugins.sphinx.gettext import Translation
from tests.builders import options

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")

BASE: Final = "https://docs.example.org/"
SITEMAP_XML: Final = b"".join(SitemapWriter().render([Entry(loc=BASE), Entry(loc=f"{BASE}a.html")]))


class Reader(NamedTuple):
    """A reader of the file ``name`` in a folder, which returns its message.

    ``inside`` says whether the folder is one that others built. ``quiet`` lists the cases without a message: the reader
    looks only for regular files, needs only the beginning of the file, or treats it as missing.
    """

    name: str
    limit: Limit
    read: Callable[[Path], str]
    inside: bool = True
    quiet: str = ""


def messages(notes: Iterable[Note]) -> str:
    return " ".join(note.message for note in notes)


def build(folder: Path, **written: object) -> str:
    pages = [Page(loc=BASE, name="index", output="index.html")]
    publication = publish(Site(base_url=BASE), pages, options(**written), Output(directory=str(folder)), root=folder)
    return messages(publication.notes)


def merge(folder: Path) -> str:
    for name, content in (("sitemap.xml", SITEMAP_XML), ("index.html", b"<html>"), ("a.html", b"<html>")):
        if not os.path.lexists(folder / name):
            (folder / name).write_bytes(content)
    try:
        published = read_sitemaps(Tree(folder))
    except MergeError as error:
        return " ".join(error.problems)
    return " ".join((*published.problems, *published.notes))


def languages(folder: Path) -> str:
    settings = options(languages={"en": BASE, "fr": {"url": f"{BASE}fr/", "pages": "objects.inv"}})
    return messages(read_languages(settings, folder, {})[1])


def explain(folder: Path) -> str:
    arguments = ["dates", __file__, "--why", "--record", str(folder / "record.json")]
    return CliRunner().invoke(main, arguments, catch_exceptions=False).output


def translate(folder: Path) -> str:
    app: Any = SimpleNamespace(srcdir=folder, config=SimpleNamespace(overrides={}, language=None, locale_dirs=[]))
    translation = Translation(app)
    translation._doubtful = {str(folder / "a.po"): None}
    return messages(translation.notes(Settings()))


def date(folder: Path) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for arguments in (["init", "--quiet"], [*author, "commit", "--quiet", "--allow-empty", "--message", "a"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    rules = DateRules(ignore_revs=(str(folder / "revs"),))
    return " ".join(HistoryReader(folder, rules=rules).history().ignore_file_problems)


def remember(folder: Path) -> str:
    app: Any = SimpleNamespace(doctreedir=folder)
    assert recall(app, "a.json") == {}
    return ""


def own_sitemap(folder: Path) -> str:
    inclusion = SimpleNamespace(is_included=lambda: True, is_excluded=lambda: False)
    file = SimpleNamespace(
        dest_uri="sitemap.xml", src_uri="sitemap.xml", abs_src_path=str(folder / "sitemap.xml"), inclusion=inclusion
    )
    theme = SimpleNamespace(custom_dir=None, static_templates={"sitemap.xml"})
    config: Any = SimpleNamespace(theme=theme, extra_templates=[], docs_dir=str(folder), plugins={})
    files: Any = [file]
    found = find_own(files, config, Settings())
    assert found is not None
    return found[1].message


def dirty_build(folder: Path) -> str:
    (folder / "sitemap.xml").write_bytes(SITEMAP_XML)
    kept, note = keep_last(str(folder), ("sitemap.xml", "sitemap.xml.gz"))
    assert (kept, "MkDocs' own sitemap was kept" in note.message) == ([], True)
    return ""


def ask_whose(folder: Path) -> str:
    assert not is_ours(folder / "sitemap.xml")
    return ""


def ask_whose_text(folder: Path) -> str:
    (folder / "sitemap.xml").write_bytes(SITEMAP_XML)
    assert not is_ours(folder / "sitemap.txt")
    return ""


ALL: Final = "link large"
READERS: Final = {
    "a page of a host": Reader("a.html", PAGE, lambda folder: read_output(folder / "a.html", folder)[1]),
    "head links": Reader("a.html", PAGE, lambda folder: messages(write_head_links({"a.html": ()}, folder)[1])),
    "robots.txt": Reader("robots.txt", ROBOTS_TXT, build),
    "headers": Reader("_headers", HOST_FILE, build),
    "redirects": Reader("_redirects", HOST_FILE, build),
    "whose sitemap": Reader("sitemap.xml", SITEMAP, ask_whose, quiet=ALL),
    "whose text": Reader("sitemap.txt", SITEMAP, ask_whose_text, quiet=ALL),
    "a sitemap in the way": Reader("sitemap.xml", SITEMAP, build, quiet=ALL),
    "a page of a merge": Reader("a.html", PAGE, merge),
    "a sitemap of a merge": Reader("sitemap.xml", SITEMAP, merge, quiet="link"),
    "a packed sitemap of a merge": Reader("sitemap.xml.gz", SITEMAP, merge, quiet="link"),
    "pages of a language": Reader("objects.inv", LANGUAGE_PAGES, languages, inside=False),
    "record": Reader("record.json", RECORD, explain, inside=False),
    "a catalogue": Reader("a.po", CATALOGUE, translate, inside=False),
    "commits to ignore": Reader("revs", IGNORED_COMMITS, date, inside=False),
    "a memory": Reader("a.json", LAST_BUILD, remember, inside=False, quiet=ALL),
    "the author's sitemap": Reader("sitemap.xml", SITEMAP, own_sitemap, inside=False),
    "a sitemap to be kept": Reader("sitemap.xml.gz", SITEMAP, dirty_build, quiet=ALL),
}
OUT: Final = "a link on its path leads out of the output folder"


class Case(NamedTuple):
    """A replacement for the file, and the reason why it is not read."""

    put: Callable[[Path, Limit], object]
    reason: Callable[[Reader], str]


def grow(path: Path, limit: Limit) -> None:
    with path.open("wb") as file:
        file.truncate(limit.size + 1)


CASES: Final = {
    "large": Case(
        grow, lambda reader: f"it is larger than {reader.limit.shown_size}, the limit for {reader.limit.what}"
    ),
    "link": Case(lambda path, _: path.symlink_to("../secret"), lambda _: OUT),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", READERS)
def test_a_refused_file_is_named_and_stops_nothing(name: str, case: str, tmp_path: Path) -> None:
    reader, (put, reason) = READERS[name], CASES[case]
    (tmp_path / "secret").write_bytes(SITEMAP_XML)
    folder = tmp_path / "folder"
    folder.mkdir()
    put(folder / reader.name, reader.limit)

    said = reader.read(folder)

    is_refused = case not in reader.quiet.split() and (reader.inside or case != "link")
    assert (reason(reader) in said) == is_refused, said


def test_links_that_stay_in_the_folder_are_read(tmp_path: Path) -> None:
    """For example those that mike creates."""
    (tmp_path / "1.0").mkdir()
    (tmp_path / "latest").symlink_to("1.0")
    (tmp_path / "1.0" / "a.html").write_bytes(b"<html>")
    (tmp_path / "b.html").symlink_to("latest/a.html")
    for name in ("latest/a.html", "b.html"):
        assert read_output(tmp_path / name, tmp_path) == (b"<html>", "")
