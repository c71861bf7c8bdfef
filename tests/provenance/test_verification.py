"""Verification of all dates with the evidence of a build and a clone of its repository."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from sitemap_plugins.folder.written_dates import read_lastmod
from sitemap_plugins.git import GitDates, History, HistoryError, HistoryReader
from sitemap_plugins.model import Adjuster, Entry, Page, Site
from sitemap_plugins.options import read_settings
from sitemap_plugins.provenance import EvidenceError, Proof, prove, read_evidence
from sitemap_plugins.reading import IGNORED_COMMITS
from sitemap_plugins.session import Output
from sitemap_plugins.session.dating import date_rules
from sitemap_plugins.session.publishing import publish
from sitemap_plugins.values.dates import DateStyle, format_lastmod
from tests.conftest import Repository

BASE = "https://example.org/"
OWN, GIT, MADE = 0, 1, 2  # indexes in the evidence of the pages that can be proven
Data = dict[str, Any]
Build = Callable[..., Data]

OWN_DATE = "---\nsitemap:\n  lastmod: 2025-12-24\n---\n# Own\n"


@pytest.fixture
def build(repository: Repository, tmp_path: Path) -> Build:
    """Build the site of all Markdown files in docs. Returns the data of its evidence, in its first version."""
    return partial(build_site, repository, tmp_path / "site")


def build_site(
    repository: Repository, output: Path, *more: Page, adjust: Mapping[str, Entry] | None = None, **options: object
) -> Data:
    docs = repository.path / "docs"
    settings, mistakes = read_settings({"evidence": "evidence.json"} | options)
    assert not mistakes
    git = GitDates({str(docs): (".md",)}, date_rules(settings, docs)[0], keeps_rows=True)
    pages = [
        Page(
            loc=f"{BASE}{path.stem.encode(errors='surrogateescape').hex()}/",
            name=path.name,
            source=str(path),
            sources=(str(path),),
            front_matter={"sitemap": {"lastmod": "2025-12-24"}} if path.stem == "own" else {},
        )
        for path in sorted(docs.glob("*.md"))
    ]
    publish(
        Site(base_url=BASE, as_of=git.now),
        [*pages, *more],
        settings,
        Output(directory=str(output)),
        root=docs,
        git=git,
        adjust=[Adjuster("hook", lambda entry, page: (adjust or {}).get(page.name, entry))],
    )
    data = in_first_version((output / "evidence.json").read_bytes(), {page.loc: page.name for page in [*pages, *more]})
    (output / "first.json").write_text(json.dumps(data), encoding="ascii")
    return data


def in_first_version(content: bytes, names: Mapping[str, str]) -> Data:
    """Evidence as earlier releases wrote it: each page says what the row of its file says now."""
    evidence = msgspec.to_builtins(read_evidence(content))
    for page in evidence["pages"]:
        page["page"] = names.get(page["loc"], "")
        for name in [name for name, value in page.items() if not value and name != "page"]:
            del page[name]
    for repository in evidence["repositories"].values():
        del repository["contents"], repository["previous"]
    del evidence["files"], evidence["base"], evidence["preview"], evidence["fuzzy"]
    return json.loads(json.dumps(evidence | {"version": 1}))


@pytest.fixture
def data(repository: Repository, once: Callable[..., Path]) -> Data:
    """The evidence of three pages: one has its own date, one is dated by git, one by a newer file it is made of."""
    built = once("proven pages", build_three_pages)
    repository.fill(built / "repository")
    data = json.loads((built / "site" / "first.json").read_bytes())
    data["pages"].sort(key=lambda page: ["own.md", "page.md", "api.md"].index(page["page"]))
    return data


def build_three_pages(folder: Path) -> None:
    repository = Repository(folder / "repository")
    repository.write("docs/own.md", OWN_DATE)
    repository.write("docs/page.md", "one")
    repository.write("src/module.py", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/page.md", "two")
    repository.commit("2026-02-01T10:00:00+01:00")
    repository.write("src/module.py", "two")
    repository.commit("2026-02-03T23:30:00-05:00")
    made = Page(
        loc=f"{BASE}z-api/",
        name="api.md",
        source=str(repository.path / "docs/page.md"),
        sources=(str(repository.path / "docs/page.md"), str(repository.path / "src/module.py")),
    )
    build_site(repository, folder / "site", made)


def proof_of(data: Data, directory: Path, *, allow_ignored: bool = False) -> Proof:
    evidence = read_evidence(json.dumps(data).encode())
    return prove(evidence, str(directory), read_lastmod=read_lastmod, allow_ignored=allow_ignored)


def ignoring(head: str, sha: str) -> str:
    return (
        f"repository .: the evidence ignores 1 commit that .git-blame-ignore-revs does not name in {head[:10]}, such as "
        f"{sha[:10]}; if the option git.ignore_revs names another file, add --allow-ignored"
    )


def clone(repository: Repository, target: Path, *options: str) -> Path:
    repository.git("clone", "--quiet", *options, f"file://{repository.path}", str(target))
    return target


def move_on(repository: Repository) -> None:
    """Make later commits that change, move and remove everything."""
    repository.write("docs/page.md", "three")
    repository.write("docs/own.md", "no date any more")
    repository.commit("2026-04-01T10:00:00+01:00")
    repository.git("mv", "docs", "pages")
    repository.git("rm", "--quiet", "-r", "src")
    repository.commit("2026-04-02T10:00:00+01:00")


def test_the_evidence_has_the_dates_of_the_pages(data: Data) -> None:
    assert [(page["lastmod"], page["source"], page["path"]) for page in data["pages"]] == [
        ("2025-12-24", "front_matter", "docs/own.md"),
        ("2026-02-01T09:00:00Z", "git", "docs/page.md"),
        ("2026-02-04T04:30:00Z", "git", "src/module.py"),
    ]


def test_the_second_version_proves_the_same(
    repository: Repository, data: Data, once: Callable[..., Path], tmp_path: Path
) -> None:
    content = (once("proven pages", build_three_pages) / "site" / "evidence.json").read_bytes()
    target = clone(repository, tmp_path / "clone")
    expected = Proof(proven=3, total=3, failures=(), composed=1)
    assert proof_of(data, target) == proof_of(json.loads(content), target) == expected


def test_only_dates_from_git_rest_on_an_earlier_commit(
    repository: Repository, data: Data, once: Callable[..., Path]
) -> None:
    """A date in front matter is in the content of the commit, and a page may rest on any of its files."""
    assert data["pages"]
    evidence = json.loads((once("proven pages", build_three_pages) / "site" / "evidence.json").read_bytes())
    previous, boundary = (repository.git("rev-parse", f"HEAD~{number}") for number in (2, 1))
    evidence["repositories"]["."]["previous"] = previous
    (repository.path / ".git" / "shallow").write_text(f"{boundary}\n", encoding="ascii")
    assert proof_of(evidence, repository.path) == Proof(proven=1, total=3, failures=(), resting={previous: 2})
    del evidence["repositories"]["."]["previous"]
    proof = proof_of(evidence, repository.path)
    assert (proof.proven, len(proof.failures), proof.resting) == (1, 2, {})


def test_a_page_of_the_second_version_that_hides_its_source_is_refused(repository: Repository, build: Build) -> None:
    for name in ("a", "b"):
        repository.write(f"docs/{name}.md", "one")
    repository.write("docs/extra.md", "two")
    repository.commit("2026-01-01T10:00:00+01:00")
    build()
    data = json.loads((repository.path.parent / "site" / "evidence.json").read_bytes())
    for page, name in zip(data["pages"], ("a", "b", "extra"), strict=True):
        page["loc"] = f"{BASE}{name}/"
    assert proof_of(data, repository.path).failures == ()
    del data["pages"][1]["document"]
    data["pages"][1] |= {"path": "docs/extra.md"}
    (failure,) = proof_of(data, repository.path).failures
    assert failure == f"{BASE}b/: the evidence names no document, but docs/b.md is its source"


@pytest.mark.parametrize("folder", [".", "pages"])
def test_all_dates_are_proven_in_a_fresh_clone_of_later_commits(
    repository: Repository, data: Data, tmp_path: Path, folder: str
) -> None:
    move_on(repository)
    target = clone(repository, tmp_path / "clone")
    remark = f"as of {data['repositories']['.']['head'][:10]}, which is not the clone's HEAD"
    assert proof_of(data, target / folder) == Proof(proven=3, total=3, failures=(), composed=1, remarks=(remark,))


def test_uncommitted_changes_in_the_clone_have_no_effect(repository: Repository, data: Data) -> None:
    repository.write("docs/page.md", "four")
    repository.git("rm", "--quiet", "--cached", "docs/own.md")
    repository.write(".git-blame-ignore-revs", data["pages"][GIT]["commit"])
    assert proof_of(data, repository.path).failures == ()


@pytest.mark.parametrize("kind", ["committer", "author", "landed"])
@pytest.mark.parametrize("form", get_args(DateStyle))
def test_exactly_the_right_date_is_proven_for_every_kind_and_form(
    repository: Repository, build: Build, kind: str, form: DateStyle
) -> None:
    repository.write("docs/own.md", OWN_DATE)
    repository.write("docs/a.md", "one")
    repository.write("docs/b.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.git("checkout", "--quiet", "-b", "topic")
    repository.write("docs/a.md", "two")
    repository.git("add", "--all")
    author = {"author": "A Writer <writer@example.org>", "date": "2026-01-05T10:00:00+01:00"}
    options = [f"--{name}={value}" for name, value in author.items()]
    repository.git("commit", "--quiet", "-m", "a change", *options, when="2026-02-01T10:00:00+01:00")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "merge", "topic", when="2026-03-01T10:00:00+01:00")
    data = build(git={"date": kind}, lastmod_format=form)
    remarks = ("the dates are those of authors, which anyone can set when committing (git.date: author)",)
    expected = Proof(proven=3, total=3, failures=(), remarks=remarks if kind == "author" else ())
    assert proof_of(data, repository.path) == expected
    days = {"committer": (2, 1), "author": (1, 5), "landed": (3, 1)}
    dates = {each: format_lastmod(datetime(2026, *day, 9, tzinfo=UTC), form) for each, day in days.items()}
    assert data["pages"][0]["lastmod"] == dates[kind]
    for other in dates.keys() - {kind}:
        (failure,) = proof_of(data | {"date": other}, repository.path).failures
        assert failure.startswith(f"{data['pages'][0]['loc']}: docs/a.md is dated {dates[other]}")


def test_ignored_commits_are_ignored_again(repository: Repository, build: Build) -> None:
    repository.write("docs/a.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/a.md", "two")
    swept = repository.commit("2026-02-01T10:00:00+01:00")
    repository.write(".git-blame-ignore-revs", swept)
    head = repository.commit("2026-02-02T10:00:00+01:00")
    data = build()
    assert data["pages"][0]["lastmod"] == "2026-01-01T09:00:00Z"
    (repository.path / ".git-blame-ignore-revs").unlink()
    remark = f"as of {head[:10]}, leaving out 1 ignored commit"
    assert proof_of(data, repository.path) == Proof(proven=1, total=1, failures=(), remarks=(remark,))
    data["repositories"]["."]["ignored"] = []
    proof = proof_of(data, repository.path)
    assert "docs/a.md is dated 2026-02-01" in proof.failures[0]
    assert proof.remarks == ()


def test_renames_are_followed_again(repository: Repository, build: Build) -> None:
    repository.write("old/a.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.git("mv", "old", "docs")
    repository.commit("2026-02-01T10:00:00+01:00")
    data = build()
    assert data["pages"][0]["lastmod"] == "2026-01-01T09:00:00Z"
    assert proof_of(data, repository.path).failures == ()
    assert "2026-02-01" in proof_of(data | {"follow_renames": False}, repository.path).failures[0]


def test_evidence_of_earlier_releases_is_proven_by_their_rules(repository: Repository, build: Build) -> None:
    """They followed a rename by the base name ``index.md`` alone, and counted a change of the file mode."""
    repository.write("old/index.md", "# Coming soon")
    repository.write("docs/a.md", "one")
    first = repository.commit("2026-01-01T10:00:00+01:00")
    repository.git("mv", "old/index.md", "docs/index.md")
    moved = repository.commit("2026-02-01T10:00:00+01:00")
    repository.git("update-index", "--chmod=+x", "docs/a.md")
    repository.git("commit", "--quiet", "--message=mode", when="2026-03-01T10:00:00+01:00")
    mode = repository.git("rev-parse", "HEAD")
    data = build()
    assert [(page["page"], page["commit"]) for page in data["pages"]] == [("a.md", first), ("index.md", moved)]
    assert (data["rules"], proof_of(data, repository.path).failures) == (2, ())
    for page, commit, lastmod in zip(
        data["pages"], (mode, first), ("2026-03-01T09:00:00Z", "2026-01-01T09:00:00Z"), strict=True
    ):
        page |= {"commit": commit, "lastmod": lastmod}
    assert len(proof_of(data, repository.path).failures) == 2
    del data["rules"]
    proof = proof_of(data, repository.path)
    remark = "made by an earlier release, so the dates are derived by its rules (version 1)"
    assert (proof.failures, proof.remarks) == ((), (remark,))


@pytest.mark.skipif(os.name == "nt", reason="file names are text on Windows")
def test_files_whose_names_are_not_text_are_proven(repository: Repository, build: Build) -> None:
    for name in (b"a\xff.md", b"b\n.md", "c é.md".encode(), b"-d.md", b":e.md", b"f*.md"):
        repository.write(os.path.join("docs", os.fsdecode(name)), "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    data = build()
    assert "docs/a\udcff.md" in {page["path"] for page in data["pages"]}
    assert proof_of(data, repository.path) == Proof(proven=6, total=6, failures=())


def test_dates_from_another_repository_are_proven_if_it_is_next_to_the_clone(
    repository: Repository, build: Build, tmp_path: Path
) -> None:
    other = type(repository)(tmp_path / "other")
    other.write("lib.py", "one")
    other.commit("2026-03-01T10:00:00+01:00")
    inner = type(repository)(repository.path / "theme")
    inner.write("base.html", "one")
    inner.commit("2026-03-02T10:00:00+01:00")
    repository.write(".gitignore", "theme\n")
    repository.write("docs/a.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    pages = [
        Page(
            loc=f"{BASE}{name}/",
            name=name,
            source=str(repository.path / "docs/a.md"),
            sources=(str(repository.path / "docs/a.md"), str(path)),
        )
        for name, path in (("y", other.path / "lib.py"), ("z", inner.path / "base.html"))
    ]
    data = build(*pages)
    assert set(data["repositories"]) == {".", "../other", "theme"}
    assert proof_of(data, repository.path) == Proof(proven=3, total=3, failures=(), composed=2)
    for each in (other, inner):
        each.commit("2026-03-05T10:00:00+01:00")
    assert proof_of(data, repository.path).remarks == tuple(
        f"repository {name}, as of {data['repositories'][name]['head'][:10]}, which is not the clone's HEAD"
        for name in ("../other", "theme")
    )
    target = clone(repository, tmp_path / "elsewhere" / "clone")
    proof = proof_of(data, target)
    assert (proof.proven, proof.total) == (1, 3)
    assert sorted(failure.partition(": ")[0] for failure in proof.failures) == [f"{BASE}y/", f"{BASE}z/"]
    assert f"{BASE}y/: repository ../other: there is no folder {tmp_path / 'elsewhere' / 'other'}" in proof.failures
    assert any(failure.startswith(f"{BASE}z/: repository theme: ") for failure in proof.failures)


def test_a_page_that_only_another_repository_dates_is_proven(
    repository: Repository, build: Build, tmp_path: Path
) -> None:
    """No date is from the repository of the pages, but their sources are in it."""
    other = type(repository)(tmp_path / "other")
    other.write("lib.py", "one")
    other.commit("2026-03-01T10:00:00+01:00")
    repository.write("docs/own.md", "one")
    repository.write("docs/page.txt", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    own = str(repository.path / "docs/page.txt")
    made = Page(loc=f"{BASE}y/", name="page.txt", source=own, sources=(own, str(other.path / "lib.py")))
    data = build(made, exclude=["6f776e/"])
    (page,) = data["pages"]
    assert (page["repository"], page["document"]) == ("../other", "docs/page.txt")
    assert proof_of(data, repository.path) == Proof(proven=1, total=1, failures=(), composed=1)


def test_every_repository_is_read_once(repository: Repository, build: Build, tmp_path: Path) -> None:
    other = type(repository)(tmp_path / "other")
    other.write("lib.py", "one")
    other.commit("2026-03-01T10:00:00+01:00")
    for name in ("a", "b", "own"):
        repository.write(f"docs/{name}.md", OWN_DATE)
    repository.commit("2026-01-01T10:00:00+01:00")
    pages = [
        Page(
            loc=f"{BASE}{name}/",
            name=name,
            source=str(repository.path / f"docs/{name}.md"),
            sources=(str(repository.path / f"docs/{name}.md"), str(other.path / "lib.py")),
        )
        for name in "ab"
    ]
    read: list[HistoryReader] = []

    def wait(reader: HistoryReader) -> History:
        read.append(reader)
        return reader.history()

    evidence = read_evidence(json.dumps(build(*pages)).encode())
    proof = prove(evidence, str(repository.path), wait, read_lastmod=read_lastmod)
    assert proof == Proof(proven=5, total=5, failures=(), composed=2)
    assert sorted(reader.history().directory for reader in read) == [str(other.path), str(repository.path)]


def test_unprovable_dates_are_counted_by_source(repository: Repository, build: Build) -> None:
    repository.write("docs/a.md", "one")
    repository.write("docs/hooked.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/own.md", OWN_DATE)
    repository.write("docs/new.md", "one")
    pages = [Page(loc=f"{BASE}{name}/", name=name) for name in ("ruled", "undated", "undated-too")]
    hooked = Entry(loc=f"{BASE}hooked/", lastmod=read_date("2026-02-02"))
    data = build(
        *pages,
        adjust={"hooked.md": hooked},
        lastmod=["front_matter", "git", "mtime"],
        pages=[{"source": "ruled", "lastmod": "2020-01-01"}],
    )
    sources = {page["page"]: page.get("source") for page in data["pages"]}
    assert sources == {
        "a.md": "git",
        "": "adjust",
        "own.md": "front_matter",
        "new.md": "mtime",
        "ruled": "rule",
        "undated": None,
        "undated-too": None,
    }
    unprovable = {"adjust": 1, "front_matter": 1, "mtime": 1, "rule": 1}
    assert proof_of(data, repository.path) == Proof(proven=1, total=1, failures=(), unprovable=unprovable, undated=2)
    assert list(proof_of(data, repository.path).unprovable) == sorted(unprovable)


def read_date(text: str) -> Any:
    settings, _ = read_settings({"pages": [{"match": "*", "lastmod": text}]})
    return settings.pages[0].lastmod.value


ZEROS = "0" * 40


@pytest.mark.parametrize(
    ("place", "forged", "words"),
    [
        pytest.param(
            GIT, {"lastmod": "2026-02-02T09:00:00Z"}, "docs/page.md is dated 2026-02-01T09:00:00Z by ", id="date"
        ),
        pytest.param(GIT, {"lastmod": "2026-02-01"}, "the evidence says 2026-02-01 by ", id="form"),
        pytest.param(GIT, {"lastmod": "soon"}, "the evidence says soon by ", id="invalid date"),
        pytest.param(GIT, {"commit": ZEROS}, f"by {ZEROS}", id="commit"),
        pytest.param(GIT, {"commit": None}, "but the evidence says 2026-02-01T09:00:00Z by no commit", id="no commit"),
        pytest.param(
            GIT,
            {"blob": ZEROS},
            f"docs/page.md has the content BLOB in HEAD, but the evidence says {ZEROS}",
            id="blob",
        ),
        pytest.param(
            GIT,
            {"blob": None},
            "docs/page.md has the content BLOB in HEAD, but the evidence says nothing",
            id="no blob",
        ),
        pytest.param(GIT, {"path": None}, "the evidence names no file that dates it", id="no path"),
        pytest.param(GIT, {"path": "docs/own.md"}, "in HEAD, but the evidence says BLOB", id="another file"),
        *(
            pytest.param(GIT, {"path": path}, f"there is no file {path} in HEAD", id=f"path {path:.12}")
            for path in (
                *("docs/gone.md", "docs", "docs/page.md/", "docs//page.md", "./docs/page.md"),
                *("-x", "--output=x", ":(top)docs/page.md", "docs/*.md", "x" * 300, "docs/page.md\n", ".git/config"),
            )
        ),
        pytest.param(GIT, {"repository": ".."}, "the evidence has no repository '..'", id="repository above"),
        pytest.param(GIT, {"repository": "/etc"}, "the evidence has no repository '/etc'", id="absolute repository"),
        pytest.param(GIT, {"repository": "docs"}, "the evidence has no repository 'docs'", id="unknown repository"),
        pytest.param(GIT, {"repository": ""}, "the evidence has no repository ''", id="no repository"),
        pytest.param(OWN, {"lastmod": "2025-12-25"}, "docs/own.md does not say 2025-12-25", id="own date"),
        pytest.param(OWN, {"blob": ZEROS}, "docs/own.md has the content BLOB in HEAD", id="own blob"),
        pytest.param(OWN, {"source": "git"}, "docs/own.md is dated 2026-01-01T09:00:00Z by ", id="own date as git's"),
        pytest.param(
            GIT, {"source": "front_matter"}, "docs/page.md does not say 2026-02-01", id="git's date as its own"
        ),
        *(
            pytest.param(OWN, {"lastmod": text}, text, id=f"own date {text}")
            for text in ("2", "2025", "2025-12", "e", "lastmod: ", "2025-12-24T99", "2025-12-24 or so")
        ),
        *(
            pytest.param(OWN, {"lastmod": text}, f"docs/own.md does not say {text}", id=f"own date {text!a}")
            for text in ("2025-12-24 ", "2025-12-24T00:00:00+00:00")
        ),
    ],
)
def test_a_forged_value_is_named_and_the_rest_is_proven(
    repository: Repository, data: Data, place: int, forged: Mapping[str, str | None], words: str
) -> None:
    page = data["pages"][place]
    words = words.replace("HEAD", data["repositories"]["."]["head"][:10]).replace("BLOB", page["blob"])
    page |= forged
    proof = proof_of(data, repository.path)
    assert [failure.partition(": ")[0] for failure in proof.failures] == [page["loc"]]
    assert words in proof.failures[0]
    assert (proof.proven, proof.total, proof.unprovable) == (2, 3, {})


@pytest.mark.parametrize(
    "path",
    ["..", "../x", "../../x/y.md", "docs/../docs/page.md", "/etc/passwd", "a\0b", "\0", "\ud800", "docs/\ud800.md"],
    ids=ascii,
)
@pytest.mark.parametrize("place", [GIT, OWN])
def test_a_path_that_leads_out_of_its_repository_is_refused(
    repository: Repository, data: Data, place: int, path: str
) -> None:
    data["pages"][place]["path"] = path
    with pytest.raises(EvidenceError, match="is not a path in a repository"):
        proof_of(data, repository.path)


@pytest.mark.parametrize(
    "path", ["..", "../x", "docs/../docs/page.md", "/etc/passwd", "a\0b", "\ud800", "docs/\ud800.md"], ids=ascii
)
@pytest.mark.parametrize("place", [GIT, OWN])
def test_a_document_outside_the_repository_is_refused(
    repository: Repository, data: Data, place: int, path: str
) -> None:
    data["pages"][place]["document"] = path
    with pytest.raises(EvidenceError, match="is not a path in a repository"):
        proof_of(data, repository.path)


class TestForgery:
    """Evidence that is consistent and claims that a page is older than it is."""

    @pytest.fixture
    def first(self, repository: Repository, data: Data) -> str:
        """The first commit, which added all files."""
        return repository.git("rev-list", "--max-parents=0", data["repositories"]["."]["head"])

    def age(self, repository: Repository, page: Data, first: str, path: str, revision: str) -> None:
        """Let a file date a page as of the first commit, with its content in a revision."""
        page |= {"path": path, "commit": first, "lastmod": "2026-01-01T09:00:00Z"}
        page["blob"] = repository.git("rev-parse", f"{revision}:{path}")

    @pytest.mark.parametrize(
        ("place", "when"), [(GIT, "2026-02-01T09:00:00+00:00"), (MADE, "2026-02-01T09:00:00+00:00")]
    )
    def test_by_an_older_file_is_refuted_by_the_source_of_the_page(
        self, repository: Repository, data: Data, first: str, place: int, when: str
    ) -> None:
        page = data["pages"][place]
        self.age(repository, page, first, "docs/own.md", "HEAD")
        proof = proof_of(data, repository.path)
        assert proof.failures == (f"{page['loc']}: its source docs/page.md was changed later, {when}",)
        assert (proof.proven, proof.remarks) == (2, ())

    def test_by_a_missing_document_is_refuted(self, repository: Repository, data: Data) -> None:
        data["pages"][GIT]["document"] = "docs/gone.md"
        head = data["repositories"]["."]["head"][:10]
        assert proof_of(data, repository.path).failures == (
            f"{data['pages'][GIT]['loc']}: there is no file docs/gone.md in {head}",
        )

    def test_by_ignoring_the_last_change_is_refused(self, repository: Repository, data: Data, first: str) -> None:
        page = data["pages"][GIT]
        data["repositories"]["."]["ignored"] = [page["commit"]]
        self.age(repository, page, first, "docs/page.md", "HEAD")
        head = data["repositories"]["."]["head"]
        (swept,) = data["repositories"]["."]["ignored"]
        assert proof_of(data, repository.path).failures == (ignoring(head, swept),)
        remark = f"as of {head[:10]}, leaving out 1 ignored commit"
        expected = Proof(proven=3, total=3, failures=(), composed=1, remarks=(remark,))
        assert proof_of(data, repository.path, allow_ignored=True) == expected

    def test_among_rightly_ignored_commits_is_refused(self, repository: Repository, build: Build, data: Data) -> None:
        named = repository.git("rev-parse", "HEAD")
        repository.write(".git-blame-ignore-revs", f"# a remark\n{named.upper()}\n")
        head = repository.commit("2026-03-01T10:00:00+01:00")
        found = build()
        assert found["repositories"]["."]["ignored"] == [named]
        assert proof_of(found, repository.path).remarks == (f"as of {head[:10]}, leaving out 1 ignored commit",)
        swept = data["pages"][GIT]["commit"]
        found["repositories"]["."]["ignored"].append(swept)
        proof = proof_of(found, repository.path)
        assert proof.remarks == (f"as of {head[:10]}, leaving out 2 ignored commits",)
        first, second = proof.failures
        assert first == ignoring(head, swept)
        assert second.startswith(data["pages"][GIT]["loc"])

    def test_by_an_uncommitted_file_of_ignored_commits_is_refused(self, repository: Repository, data: Data) -> None:
        swept = data["pages"][GIT]["commit"]
        data["repositories"]["."]["ignored"] = [swept]
        repository.write(".git-blame-ignore-revs", swept)
        assert proof_of(data, repository.path).failures[0] == ignoring(data["repositories"]["."]["head"], swept)

    def test_by_a_file_of_ignored_commits_that_is_too_large_is_refused(
        self, repository: Repository, data: Data
    ) -> None:
        data["repositories"]["."]["ignored"] = [data["pages"][GIT]["commit"]]
        repository.write(".git-blame-ignore-revs", b"#" * (IGNORED_COMMITS.size + 1))
        data["repositories"]["."]["head"] = repository.commit("2026-03-01T10:00:00+01:00")
        assert proof_of(data, repository.path).failures[0] == (
            "repository .: .git-blame-ignore-revs, which names the commits to ignore, is not read: it is larger than "
            "8 MiB, the limit for a file with commits to ignore"
        )

    def test_by_an_earlier_commit_has_a_remark(self, repository: Repository, data: Data, first: str) -> None:
        data["repositories"]["."]["head"] = first
        for place, path in ((GIT, "docs/page.md"), (MADE, "src/module.py")):
            self.age(repository, data["pages"][place], first, path, first)
        remark = (
            f"as of {first[:10]}, which is not the clone's HEAD; now was 2026-02-04T04:30:00Z, as the evidence says"
        )
        assert proof_of(data, repository.path) == Proof(proven=3, total=3, failures=(), composed=1, remarks=(remark,))

    def test_by_both_has_one_remark(self, repository: Repository, data: Data) -> None:
        swept = data["pages"][GIT]["commit"]
        data["repositories"]["."] |= {"head": swept, "ignored": [swept]}
        (remark,) = proof_of(data, repository.path).remarks
        assert remark == (
            f"as of {swept[:10]}, which is not the clone's HEAD, leaving out 1 ignored commit; "
            "now was 2026-02-04T04:30:00Z, as the evidence says"
        )


class TestFrontMatter:
    """A date that the author wrote must be the ``lastmod`` in the page's own source."""

    def own(self, data: Data, **forged: object) -> Data:
        return data | {"pages": [data["pages"][OWN] | forged]}

    @pytest.mark.parametrize(
        ("content", "is_proven"),
        [
            ("---\nsitemap: {lastmod: 2025-12-24}\n---\n", True),
            ("---\nsitemap_lastmod: 2025-12-24\n---\n", True),
            ("sitemap_lastmod: 2025-12-24\n", True),
            ("+++\n[sitemap]\nlastmod = 2025-12-24\n+++\n", True),
            ('{"sitemap": {"lastmod": "2025-12-24"}}\n', True),
            (
                ".. a comment\n   goes on\n\n:author: me\n  and you\n:sitemap_lastmod: 2025-12-24\n\nTitle\n=====\n",
                True,
            ),
            ("---\nsitemap: {lastmod: 2025-12-24T10:00:00Z}\n---\n", False),
            ("---\ndate: 2025-12-24\nlastmod: 2025-12-24\n---\n", False),
            ("---\nsitemap: {published: 2025-12-24}\n---\n", False),
            ("---\nsitemap: {lastmod: 2025-12-23}\n---\n2025-12-24\n", False),
            ("---\nsitemap: {lastmod: [2025-12-24]}\n---\n", False),
            ("---\nsitemap: [\n---\n2025-12-24\n", False),
            ("Title\n=====\n\n:sitemap_lastmod: 2025-12-24\n", False),
            ("Released on 2025-12-24.\n", False),
            (b"\xff\xfe2025-12-24\xff", False),
            ("", False),
        ],
    )
    def test_it_is_parsed(self, repository: Repository, data: Data, content: str | bytes, *, is_proven: bool) -> None:
        repository.write("docs/own.md", content)
        data["repositories"]["."]["head"] = repository.commit("2026-02-05T10:00:00Z")
        own = self.own(data, blob=repository.git("rev-parse", "HEAD:docs/own.md"))
        said = () if is_proven else (f"{BASE}6f776e/: the front matter of docs/own.md does not say 2025-12-24",)
        assert proof_of(own, repository.path).failures == said

    def test_another_file_that_has_the_date(self, repository: Repository, data: Data) -> None:
        own = data["pages"][OWN]
        forged = data["pages"][GIT] | {name: own[name] for name in ("path", "blob", "lastmod", "source")}
        proof = proof_of(data | {"pages": [forged]}, repository.path)
        assert proof.failures == (f"{forged['loc']}: docs/own.md is not the page's source, docs/page.md",)

    def test_a_page_without_a_document_cannot_be_proven(self, repository: Repository, data: Data) -> None:
        proof = proof_of(self.own(data, document=None), repository.path)
        assert (proof.total, proof.unprovable) == (0, {"front_matter": 1})
        assert proof.is_failed(strict=True)

    def test_a_date_in_the_future(self, repository: Repository, data: Data) -> None:
        """One day later than now may be the day of the author's time zone."""
        repository.write("docs/own.md", OWN_DATE.replace("2025-12-24", "2026-02-07"))
        head = repository.commit("2026-02-05T23:00:00Z")
        own = self.own(data, lastmod="2026-02-07", blob=repository.git("rev-parse", "HEAD:docs/own.md"))
        own["repositories"] = {".": {"head": head}}
        (failure,) = proof_of(own, repository.path).failures
        assert failure.endswith("the front matter of docs/own.md says 2026-02-07, which is in the future")
        own["as_of"] = "2026-02-06T00:00:00Z"
        assert proof_of(own, repository.path).failures == ()


def test_a_commit_that_head_does_not_contain_rests_on_the_word_of_the_build(repository: Repository, data: Data) -> None:
    head = data["repositories"]["."]["head"]
    del data["pages"][MADE]
    repository.commit("2026-02-05T10:00:00Z")
    older = proof_of(data, repository.path)
    assert (older.detached, older.is_failed(strict=True)) == ((), False)
    repository.git("checkout", "--quiet", "-b", "side", "HEAD~2")
    proof = proof_of(data, repository.path)
    assert (proof.detached, proof.remarks) == (
        (head,),
        (f"as of {head[:10]}, which the clone's HEAD does not contain",),
    )
    assert (proof.is_failed(strict=False), proof.is_failed(strict=True)) == (False, True)


class TestForeignFiles:
    """Only its source and the files it is made of may date a page."""

    def test_a_file_that_the_page_is_not_made_of(self, repository: Repository, data: Data) -> None:
        made = data["pages"][MADE]
        data["pages"][GIT] |= {name: made[name] for name in ("path", "commit", "blob", "lastmod")}
        loc = data["pages"][GIT]["loc"]
        message = f"{loc}: src/module.py is not one of the files that it is made of: docs/page.md"
        assert proof_of(data, repository.path).failures == (message,)

    def test_a_page_without_its_source(self, repository: Repository, data: Data) -> None:
        made, page = data["pages"][MADE], data["pages"][GIT]
        page |= {name: made[name] for name in ("path", "commit", "blob", "lastmod", "made_of")}
        del page["document"]
        message = f"{page['loc']}: the evidence names no document, but docs/page.md is its source"
        assert proof_of(data, repository.path).failures == (message,)

    def test_a_page_without_any_files(self, repository: Repository, data: Data) -> None:
        for page in data["pages"]:
            page.pop("document")
            page.pop("made_of", None)
        failures = proof_of(data, repository.path).failures
        assert len(failures) == 2
        assert all(failure.endswith(" it is made of: none") for failure in failures)

    def test_no_file_may_be_newer(self, repository: Repository, data: Data) -> None:
        made, page = data["pages"][MADE], data["pages"][GIT]
        page["made_of"] = made["made_of"]
        assert proof_of(data, repository.path).failures == (
            f"{page['loc']}: its part src/module.py was changed later, 2026-02-04T04:30:00+00:00",
        )

    def test_a_missing_file(self, repository: Repository, data: Data) -> None:
        data["pages"][GIT]["made_of"] = ["src/gone.py"]
        (failure,) = proof_of(data, repository.path).failures
        assert ": there is no file src/gone.py in " in failure

    @pytest.mark.parametrize("path", ["", "/etc/passwd", "a\0b", "\ud800"], ids=ascii)
    def test_an_invalid_path(self, repository: Repository, data: Data, path: str) -> None:
        data["pages"][GIT]["made_of"] = [path]
        with pytest.raises(EvidenceError, match=r"made_of: .* is not a relative path"):
            proof_of(data, repository.path)

    @pytest.mark.parametrize("path", ["../elsewhere", "docs", "../../.."])
    def test_a_path_outside_or_to_a_folder(self, repository: Repository, data: Data, path: str) -> None:
        data["pages"][GIT]["made_of"] = [path]
        assert len(proof_of(data, repository.path).failures) <= 1


@pytest.mark.parametrize("place", ["evidence", "repository", "page"])
def test_an_unknown_key_is_refused(repository: Repository, data: Data, place: str) -> None:
    target = {"evidence": data, "repository": data["repositories"]["."], "page": data["pages"][GIT]}[place]
    target["trust"] = "me"
    with pytest.raises(EvidenceError, match="unknown field `trust`"):
        proof_of(data, repository.path)


def test_a_duplicate_key_is_refused(data: Data) -> None:
    content = json.dumps(data).replace('"form": "datetime"', '"form": "datetime", "form": "date"')
    with pytest.raises(EvidenceError, match="it has the key 'form' twice"):
        read_evidence(content.encode())


def test_a_date_in_the_future_is_refused(repository: Repository, data: Data) -> None:
    repository.write("docs/page.md", "three")
    future = repository.commit("@9006804000 +0000")
    head = repository.commit("2026-03-01T10:00:00Z")
    data["repositories"]["."]["head"] = head
    blob = repository.git("rev-parse", "HEAD:docs/page.md")
    data["pages"][GIT] |= {"lastmod": "2255-06-01T10:00:00Z", "commit": future, "blob": blob}
    del data["pages"][MADE]
    (failure,) = proof_of(data, repository.path).failures
    assert failure.endswith("docs/page.md is dated 2255-06-01T10:00:00Z, which is in the future: the clock was wrong")
    data["as_of"] = "2255-06-01T09:00:00Z"
    proof = proof_of(data, repository.path)
    assert proof.failures == ()
    assert proof.remarks == ("now was 2255-06-01T09:00:00Z, as the evidence says",)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
class TestLinks:
    """Pages that are links, or are below a folder that is one."""

    @pytest.fixture
    def linked(self, repository: Repository) -> Repository:
        """A link that leads to ``v1/p.md`` since the 3rd, and to ``v2/p.md`` since the 4th."""
        for version, number in (("v1", 1), ("v2", 2)):
            repository.write(f"{version}/p.md", OWN_DATE + version)
            repository.commit(f"2026-02-0{number}T10:00:00Z")
        (repository.path / "docs").mkdir()
        for version, number in (("v1", 3), ("v2", 4)):
            for name, target in (("page.md", f"../{version}/p.md"), ("own.md", f"../{version}/p.md")):
                (repository.path / "docs" / name).unlink(missing_ok=True)
                (repository.path / "docs" / name).symlink_to(target)
            (repository.path / "docs" / "latest").unlink(missing_ok=True)
            (repository.path / "docs" / "latest").symlink_to(f"../{version}")
            repository.commit(f"2026-02-0{number}T10:00:00Z")
        return repository

    @pytest.fixture
    def data(self, linked: Repository, build: Build) -> Data:
        source = str(linked.path / "docs/latest/p.md")
        data = build(Page(loc=f"{BASE}z-latest/", name="latest/p.md", source=source, sources=(source,)))
        data["pages"].sort(key=lambda page: ["own.md", "page.md", "latest/p.md"].index(page["page"]))
        return data

    def test_a_change_of_the_target_dates_the_page(self, linked: Repository, data: Data) -> None:
        assert [(page["document"], page["path"], page["lastmod"]) for page in data["pages"]] == [
            ("docs/own.md", "docs/own.md", "2025-12-24"),
            ("docs/page.md", "docs/page.md", "2026-02-04T10:00:00Z"),
            ("docs/latest/p.md", "docs/latest", "2026-02-04T10:00:00Z"),
        ]
        assert proof_of(data, linked.path) == Proof(proven=3, total=3, failures=())

    def test_a_newer_target_dates_the_page(self, linked: Repository, build: Build) -> None:
        linked.write("v2/p.md", OWN_DATE + "new")
        linked.commit("2026-02-05T10:00:00Z")
        data = build()
        page = next(page for page in data["pages"] if page["page"] == "page.md")
        assert (page["document"], page["path"], page["lastmod"]) == (
            "docs/page.md",
            "v2/p.md",
            "2026-02-05T10:00:00Z",
        )
        assert proof_of(data, linked.path) == Proof(proven=2, total=2, failures=())

    @pytest.mark.parametrize("target", ["v1/p.md", "v2/p.md"])
    @pytest.mark.parametrize(("place", "link"), [(1, "docs/page.md"), (2, "docs/latest")])
    def test_the_date_of_the_target_alone_is_refused(
        self, linked: Repository, data: Data, place: int, link: str, target: str
    ) -> None:
        page = data["pages"][place]
        commit, when = linked.git("log", "-1", "--format=%H %cI", "--", target).split()
        page |= {"path": target, "commit": commit, "blob": linked.git("rev-parse", f"HEAD:{target}")}
        page["lastmod"] = when.replace("+00:00", "Z")
        (failure,) = proof_of(data, linked.path).failures
        assert link in failure
        assert " was changed later, 2026-02-0" in failure

    def test_the_date_of_the_link_alone_is_refused(self, linked: Repository, build: Build, data: Data) -> None:
        linked.write("v2/p.md", OWN_DATE + "new")
        linked.commit("2026-02-05T10:00:00Z")
        data["repositories"] = build()["repositories"]
        data["pages"] = data["pages"][1:]
        failures = proof_of(data, linked.path).failures
        assert [failure.partition(": ")[2] for failure in failures] == [
            f"v2/p.md, to which its source {name} leads, was changed later, 2026-02-05T10:00:00+00:00"
            for name in ("docs/page.md", "docs/latest/p.md")
        ]


def test_a_page_can_have_the_date_of_a_file_that_is_as_old_as_its_source(repository: Repository, build: Build) -> None:
    """Both files are from one commit, so either of them may date it."""
    repository.write("docs/a.md", "one")
    repository.write("docs/b.md", "two")
    repository.commit("2026-01-01T10:00:00+01:00")
    data = build()
    a, b = data["pages"]
    a |= {name: b[name] for name in ("path", "commit", "blob")}
    assert proof_of(data, repository.path).failures == (
        f"{a['loc']}: docs/b.md is not one of the files that it is made of: docs/a.md",
    )
    a["made_of"] = ["docs/b.md"]
    assert proof_of(data, repository.path).failures == ()


def test_a_page_with_its_own_date_can_be_older_than_its_file(repository: Repository, data: Data) -> None:
    assert data["pages"][OWN]["document"] == data["pages"][OWN]["path"] == "docs/own.md"
    assert proof_of(data, repository.path) == Proof(proven=3, total=3, failures=(), composed=1)


def test_a_date_from_git_without_its_file_is_a_failure(repository: Repository, data: Data) -> None:
    del data["pages"][GIT]["path"]
    proof = proof_of(data, repository.path)
    assert proof.unprovable == {}
    assert [failure.partition(": ")[0] for failure in proof.failures] == [data["pages"][GIT]["loc"]]
    assert (proof.proven, proof.total) == (2, 3)


def test_a_date_without_a_source_is_counted(repository: Repository, data: Data) -> None:
    data["pages"][GIT]["source"] = None
    assert proof_of(data, repository.path) == Proof(
        proven=2, total=2, failures=(), composed=1, unprovable={"an unnamed source": 1}
    )


def rename_repository(data: Data, name: str) -> None:
    data["repositories"] = {name: data["repositories"]["."]}
    for page in data["pages"]:
        page["repository"] = name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("..", "the documents are not in a git repository"),
        ("../nowhere", "there is no folder "),
        ("../../x", "there is no folder "),
        ("--upload-pack=x", "there is no folder "),
        ("~", "there is no folder "),
        ("docs", "there is no file "),
        pytest.param("x" * 300, "x" * 300, id="long name"),
    ],
)
def test_a_missing_repository_proves_nothing(repository: Repository, data: Data, name: str, words: str) -> None:
    rename_repository(data, name)
    proof = proof_of(data, repository.path)
    assert (proof.proven, proof.total) == (0, 3)
    assert proof.failures[0].startswith(data["pages"][0]["loc"])
    assert f" (and 2 more pages): repository {name}: " in proof.failures[0] or name == "docs"
    assert all(words in failure for failure in proof.failures)


@pytest.mark.parametrize("name", ["/nowhere", "", "a\0b", "\ud800"], ids=ascii)
def test_an_invalid_path_of_a_repository_is_refused(repository: Repository, data: Data, name: str) -> None:
    rename_repository(data, name)
    with pytest.raises(EvidenceError, match="is not a relative path"):
        proof_of(data, repository.path)


def test_the_caller_can_wait_in_its_own_way(repository: Repository, data: Data) -> None:
    waited: list[HistoryReader] = []

    def wait(reader: HistoryReader) -> History:
        waited.append(reader)
        return reader.history()

    evidence = read_evidence(json.dumps(data).encode())
    options: Data = {"read_lastmod": read_lastmod}
    assert prove(evidence, str(repository.path), wait, **options) == prove(evidence, str(repository.path), **options)
    assert len(waited) == 1


def test_translations_are_compared_as_in_the_build(repository: Repository, build: Build) -> None:
    """A build in a clone without contents could not compare them, so every change of a catalogue counted."""
    repository.write("docs/a.md", "one")
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "b"\n')
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/a.po", '#: elsewhere\nmsgid "a"\nmsgstr "b"\n')
    repository.commit("2026-02-01T10:00:00+01:00")
    sources = tuple(str(repository.path / "docs" / name) for name in ("a.md", "a.po"))
    data = build(Page(loc=f"{BASE}po/", name="po.md", source=sources[0], sources=sources[::-1]))
    assert data["repositories"]["."]["catalogues"] is True
    assert {page["lastmod"] for page in data["pages"]} == {"2026-01-01T09:00:00Z"}
    assert proof_of(data, repository.path) == Proof(proven=2, total=2, failures=(), composed=1)
    data["repositories"]["."]["catalogues"] = False
    (failure,) = [each for each in proof_of(data, repository.path).failures if each.startswith(f"{BASE}po/")]
    assert "docs/a.po is dated 2026-02-01T09:00:00Z" in failure


def test_another_repository_does_not_have_the_commit(repository: Repository, data: Data, tmp_path: Path) -> None:
    other = type(repository)(tmp_path / "x")
    other.write("docs/page.md", "two")
    other.commit("2026-02-01T10:00:00+01:00")
    target = clone(repository, tmp_path / "deep" / "clone")
    rename_repository(data, "../../x")
    head = data["repositories"]["../../x"]["head"]
    for proof in (proof_of(data, target), proof_of(data | {"repositories": {".": {"head": head}}}, other.path)):
        assert proof.proven == 0
    assert all(f"the clone does not have the commit {head}" in failure for failure in proof_of(data, target).failures)


@pytest.mark.skipif(os.name == "nt", reason="needs shell scripts")
@pytest.mark.parametrize("name", ["plain", "a.b", "a=b", "é"])
def test_no_program_of_a_repository_in_the_evidence_is_run(
    repository: Repository, data: Data, tmp_path: Path, name: str
) -> None:
    trap = type(repository)(tmp_path / "x")
    trap.git("pull", "--quiet", f"file://{repository.path}", "main")
    program = f"touch {tmp_path / 'started'}; cat"
    trap.git("config", f"filter.{name}.clean", program)
    trap.git("config", f"filter.{name}.process", program)
    for option in ("core.fsmonitor", "diff.external", "core.pager", "core.sshCommand", "gpg.program", "alias.log"):
        trap.git("config", option, program)
    trap.git("config", "diff.trap.textconv", program)
    trap.git("config", "diff.trap.command", program)
    trap.write(".gitattributes", f'"docs/*.md" diff=trap\n*.md filter={name}\n')
    for path in (trap.path / "docs").iterdir():
        content = path.read_bytes()
        path.write_bytes(content[::-1])
        os.utime(path, ns=(0, (trap.path / ".git/index").stat().st_mtime_ns))
    target = clone(repository, tmp_path / "deep" / "clone")
    rename_repository(data, "../../x")
    for page in data["pages"]:
        # The document is in the first repository.
        page["made_of"] = [f"../../x/{path}" for path in (page.pop("document"), *page.get("made_of", ()))]
    assert proof_of(data, target).failures == ()
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    "head",
    [ZEROS, "f" * 40, "a" * 64, pytest.param("HEAD:docs/page.md", id="blob"), pytest.param("HEAD^{tree}", id="tree")],
)
def test_a_missing_commit_is_named(repository: Repository, data: Data, head: str) -> None:
    head = repository.git("rev-parse", head) if head.startswith("HEAD") else head
    data["repositories"]["."]["head"] = head
    proof = proof_of(data, repository.path)
    assert proof.proven == 0
    message = f"the clone does not have the commit {head}; fetch it (git fetch --unshallow, git fetch --all)"
    assert proof.failures == (f"{data['pages'][0]['loc']} (and 2 more pages): repository .: {message}",)


def test_an_earlier_commit_has_other_contents(repository: Repository, data: Data) -> None:
    data["repositories"]["."]["head"] = data["pages"][GIT]["commit"]
    (failure,) = proof_of(data, repository.path).failures
    assert failure.endswith(f", but the evidence says {data['pages'][MADE]['blob']}")
    assert ": src/module.py has the content " in failure


@pytest.mark.parametrize("head", ["--output=x", "-x", "HEAD", "main", "", f"{ZEROS}\n", f"{ZEROS}^{{tree}}"], ids=repr)
def test_a_commit_that_git_could_take_for_an_option_is_refused(repository: Repository, data: Data, head: str) -> None:
    data["repositories"]["."]["head"] = head
    with pytest.raises(EvidenceError):
        proof_of(data, repository.path)
    assert not (repository.path / "x").exists()


@pytest.mark.parametrize(
    ("depth", "failures"),
    [
        (1, ["docs/page.md has no date in this clone", "src/module.py has no date in this clone"]),
        (2, ["docs/page.md has no date in this clone", "its source docs/page.md has no date"]),
        (3, []),
    ],
)
def test_a_shallow_clone_names_what_it_cannot_prove(
    repository: Repository, data: Data, tmp_path: Path, depth: int, failures: list[str]
) -> None:
    proof = proof_of(data, clone(repository, tmp_path / "clone", f"--depth={depth}"))
    assert (proof.proven, proof.total) == (3 - len(failures), 3)
    assert [failure.partition(": ")[2] for failure in proof.failures] == [
        f"{failure}: older than the shallow clone" for failure in failures
    ]


def test_a_shallow_clone_of_later_commits_has_a_fix(repository: Repository, data: Data, tmp_path: Path) -> None:
    move_on(repository)
    proof = proof_of(data, clone(repository, tmp_path / "clone", "--depth=1"))
    assert proof.proven == 0
    assert all("the clone does not have the commit" in failure for failure in proof.failures)
    assert all("git fetch --unshallow" in failure for failure in proof.failures)


def test_a_clone_without_contents_does_not_report_them_as_wrong(
    repository: Repository, data: Data, tmp_path: Path
) -> None:
    move_on(repository)
    repository.git("config", "uploadpack.allowFilter", "true")
    proof = proof_of(data, clone(repository, tmp_path / "clone", "--filter=blob:none"))
    assert proof.proven == 2
    (failure,) = proof.failures
    assert failure.startswith(data["pages"][OWN]["loc"])
    assert "does not say" not in failure


def test_a_clone_without_contents_reports_that_translations_are_compared(
    repository: Repository, build: Build, tmp_path: Path
) -> None:
    repository.write("docs/a.md", "one")
    repository.write("docs/a.po", 'msgid "a"\nmsgstr "b"\n')
    repository.commit("2026-01-01T10:00:00+01:00")
    repository.write("docs/a.po", '#: elsewhere\nmsgid "a"\nmsgstr "b"\n')
    repository.commit("2026-02-01T10:00:00+01:00")
    sources = tuple(str(repository.path / "docs" / name) for name in ("a.md", "a.po"))
    data = build(Page(loc=f"{BASE}po/", name="po.md", source=sources[0], sources=sources[::-1]))
    repository.git("config", "uploadpack.allowFilter", "true")
    target = clone(repository, tmp_path / "clone", "--filter=blob:none")
    proof = proof_of(data, target)
    why = "docs/a.po is compared by its contents, which a partial clone lacks (--filter)"
    assert proof.failures == (f"{BASE}po/: {why}",)
    assert (proof.proven, proof.total) == (1, 2)
    data["repositories"]["."]["catalogues"] = False
    assert "docs/a.po is dated 2026-02-01T09:00:00Z" in proof_of(data, target).failures[0]


def test_a_clone_without_contents_does_not_report_ignored_commits_as_unlisted(
    repository: Repository, build: Build, tmp_path: Path
) -> None:
    repository.write("docs/a.md", "one")
    repository.write(".git-blame-ignore-revs", repository.commit("2026-01-01T10:00:00+01:00"))
    repository.commit("2026-02-01T10:00:00+01:00")
    data = build()
    repository.write(".git-blame-ignore-revs", "")
    repository.commit("2026-03-01T10:00:00+01:00")
    assert "does not name" not in proof_of(data, clone(repository, tmp_path / "whole")).remarks[0]
    repository.git("config", "uploadpack.allowFilter", "true")
    partial = clone(repository, tmp_path / "partial", "--filter=blob:none")
    assert "does not name" not in proof_of(data, partial).remarks[0]


@pytest.mark.parametrize("pages", [slice(None), slice(0)])
def test_nothing_is_verified_outside_a_repository(data: Data, tmp_path: Path, pages: slice) -> None:
    with pytest.raises(HistoryError, match="not in a git repository"):
        proof_of(data | {"pages": data["pages"][pages]}, tmp_path)


def test_evidence_without_pages_is_proven(repository: Repository, data: Data) -> None:
    assert proof_of(data | {"pages": []}, repository.path) == Proof(proven=0, total=0, failures=())


def test_the_same_commits_give_the_same_evidence_in_any_folder(
    repository: Repository, build: Build, tmp_path: Path
) -> None:
    repository.write("docs/a.md", "one")
    repository.commit("2026-01-01T10:00:00+01:00")
    here = build()
    content = (tmp_path / "site" / "evidence.json").read_bytes()
    repository.path = repository.path.rename(tmp_path / "moved")
    assert build() == here
    assert (tmp_path / "site" / "evidence.json").read_bytes() == content
    assert str(tmp_path).encode() not in content
