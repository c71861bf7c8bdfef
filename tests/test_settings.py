"""Every option by a good and a bad example, and all mistakes at once."""

import functools
import re
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from sitemap_plugins.conversion import Mistake
from sitemap_plugins.file_options import EvidenceFile, FileNames, IgnoreRevs
from sitemap_plugins.option_types import BaseURL, Globs, LanguageSite, PageChoice, XDefault
from sitemap_plugins.settings import GitOptions, PageRule, PageValues, Settings, read_settings


def keep(entry: object, page: object) -> None:
    """A hook."""
    del entry, page


class Keeper:
    """A hook that is an object."""

    def __call__(self, entry: object, page: object) -> None:
        keep(entry, page)


GOOD = [
    ("filename", "docs-sitemap.xml", "docs-sitemap.xml"),
    ("filename", "sitemap_v1.2.xml", "sitemap_v1.2.xml"),
    ("base_url", "https://Example.org/dócs", "https://example.org/d%C3%B3cs/"),
    ("lastmod", ["git", "front_matter", "mtime"], ("git", "front_matter", "mtime")),
    ("lastmod", "git", ("git",)),
    ("lastmod", [], ()),
    ("lastmod_format", "date", "date"),
    ("lastmod_format", "datetime", "datetime"),
    ("git", {}, GitOptions()),
    ("git", {"date": "committer"}, GitOptions()),
    ("git", {"date": "author"}, GitOptions(date="author")),
    ("git", {"date": "landed"}, GitOptions(date="landed")),
    ("git", {"date": "landed", "ignore_revs": True}, GitOptions(date="landed")),
    ("git", {"date": "landed", "ignore_revs": False}, GitOptions(date="landed", ignore_revs=IgnoreRevs(FileNames()))),
    ("git", {"date": None, "bulk_share": None}, GitOptions()),
    ("git", {"follow_renames": False}, GitOptions(follow_renames=False)),
    ("git", {"ignore_revs": True}, GitOptions()),
    ("git", {"ignore_revs": False}, GitOptions(ignore_revs=IgnoreRevs(FileNames()))),
    ("git", {"ignore_revs": "../revs"}, GitOptions(ignore_revs=IgnoreRevs(FileNames(["../revs"])))),
    ("git", {"ignore_revs": ["a", "b.txt"]}, GitOptions(ignore_revs=IgnoreRevs(FileNames(["a", "b.txt"])))),
    ("git", {"dependencies": False}, GitOptions(dependencies=False)),
    ("git", {"bulk_share": 0.8, "date": "author"}, GitOptions(bulk_share=0.8, date="author")),
    ("git", {"bulk_share": 0}, GitOptions(bulk_share=0.0)),
    ("git", {"bulk_share": 1}, GitOptions(bulk_share=1.0)),
    ("expose", True, True),
    ("expose", False, False),
    ("expose", "created", "created"),
    ("evidence", "sitemap-evidence.json", EvidenceFile("sitemap-evidence.json")),
    ("evidence", "v1.2_E.json", EvidenceFile("v1.2_E.json")),
    ("exclude", ["drafts/**", "!drafts/famous/"], Globs(["drafts/**", "!drafts/famous/"])),
    ("exclude", "404.html", Globs(["404.html"])),
    ("exclude", "\\#1.html", Globs(["\\#1.html"])),
    ("exclude", [], Globs()),
    ("pages", [], ()),
    ("pages", [{"match": "news/**", "priority": 1}], (PageRule(match=Globs(["news/**"]), priority=1.0),)),
    ("pages", [{"source": ["*.rst"], "exclude": True}], (PageRule(source=Globs(["*.rst"]), exclude=True),)),
    (
        "pages",
        [{"match": "a", "depends_on": "../src/A.py, data/**"}],
        (PageRule(match=Globs(["a"]), depends_on=FileNames(["../src/A.py", "data/**"])),),
    ),
    ("generated_pages", True, PageChoice(["*"])),
    ("generated_pages", False, PageChoice()),
    ("generated_pages", "api/**", PageChoice(["api/**"])),
    ("robots", False, False),
    ("gzip", True, True),
    ("gzip", False, False),
    (
        "languages",
        {"en": "https://Example.org/en", "pt_br": {"url": "https://example.org/pt/", "pages": "pt/objects.inv"}},
        {
            "en": LanguageSite(BaseURL("https://example.org/en/")),
            "pt-BR": LanguageSite(BaseURL("https://example.org/pt/"), "pt/objects.inv"),
        },
    ),
    ("languages", {"no": "https://example.org/no/"}, {"no": LanguageSite(BaseURL("https://example.org/no/"))}),
    ("languages", {}, {}),
    ("x_default", True, XDefault()),
    ("x_default", False, XDefault(None)),
    ("x_default", "pt_BR", XDefault("pt-BR")),
    ("x_default", "/choose/", XDefault(page="/choose/")),
    ("translated_share", 0.8, 0.8),
    ("translated_share", 0, 0.0),
    ("translated_share", 1, 1.0),
    ("head_links", True, True),
    ("indent", 2, 2),
    ("indent", 8, 8),
    ("notes", {"shallow": "warning", "no-base-url": "ignore"}, {"shallow": "warning", "no-base-url": "ignore"}),
    ("notes", {}, {}),
]

BAD = [
    *(
        ("filename", value, "filename", f"{value!r} is not a plain file name that ends in .xml, like sitemap.xml")
        for value in (
            "",
            "sitemap",
            "sitemap.txt",
            ".xml",
            "maps/sitemap.xml",
            "../sitemap.xml",
            "a\\b.xml",
            5,
            "a.xml\n",
        )
    ),
    ("base_url", 5, "base_url", "5 is not a URL like https://docs.example.org/"),
    (
        "base_url",
        "docs.example.org",
        "base_url",
        "'docs.example.org' is not an absolute http:// or https:// URL; it should look like https://docs.example.org/",
    ),
    (
        "base_url",
        "http://localhost:8000",
        "base_url",
        "'http://localhost:8000' is a local address that nobody else can open; it should look like https://docs.example.org/",
    ),
    ("lastmod", ["gti"], "lastmod[0]", "'gti' is not front_matter, git or mtime; did you mean 'git'?"),
    ("lastmod", {"git": 1}, "lastmod", "{'git': 1} is not a list"),
    ("lastmod", ["git", 5], "lastmod[1]", "5 is not front_matter, git or mtime"),
    ("lastmod_format", "dat", "lastmod_format", "'dat' is not datetime or date; did you mean 'date'?"),
    ("git", 5, "git", "5 is not a mapping"),
    ("git", ["author"], "git", "['author'] is not a mapping"),
    ("git", False, "git", "False is not a mapping"),
    (
        "git",
        {"date": "commiter"},
        "git.date",
        "'commiter' is not committer, author or landed; did you mean 'committer'?",
    ),
    ("git", {"date": True}, "git.date", "True is not committer, author or landed"),
    ("git", {"dates": "author"}, "git.dates", "there is no such name; did you mean 'date'?"),
    ("git", {"follow_rename": True}, "git.follow_rename", "there is no such name; did you mean 'follow_renames'?"),
    (
        "git",
        {"xyzzy": 1},
        "git.xyzzy",
        "there is no such name; the names are date, follow_renames, ignore_revs, dependencies and bulk_share",
    ),
    ("git", {"follow_renames": "no"}, "git.follow_renames", "'no' is not true or false"),
    *(
        ("git", {"ignore_revs": value}, "git.ignore_revs", f"{words}; true, false or file names are expected")
        for value, words in (
            (5, "5 is not a file name, nor a list of file names"),
            ([], "[] is not a file name, nor a list of file names"),
            (["a", 5], "['a', 5] is not a file name, nor a list of file names"),
            ("a, ", "'a, ' has an empty name in it"),
            ("/revs", "'/revs' is not relative to the folder of the configuration"),
            ("C:\\revs", "'C:\\\\revs' is not relative to the folder of the configuration"),
            ("a\0", "'a\\x00' is not a file name"),
        )
    ),
    ("git", {"dependencies": 1}, "git.dependencies", "1 is not true or false"),
    ("git", {"bulk_share": 1.5}, "git.bulk_share", "1.5 is not a number from 0.0 to 1.0"),
    ("git", {"bulk_share": "half"}, "git.bulk_share", "'half' is not a number from 0.0 to 1.0"),
    ("expose", "yes", "expose", "'yes' is not true, false or created"),
    ("expose", "creatd", "expose", "'creatd' is not true, false or created; did you mean 'created'?"),
    ("expose", 5, "expose", "5 is not true, false or created"),
    *(
        (
            "evidence",
            value,
            "evidence",
            f"{value!r} is not a plain file name that ends in .json, like sitemap-evidence.json",
        )
        for value in (True, "", "evidence", ".json", "a/b.json", "../b.json", "a\\b.json", "-o.json", "a.json\n", 5)
    ),
    ("exclude", 5, "exclude", "5 is not a list of globs"),
    ("exclude", ["a", 5], "exclude", "['a', 5] is not a list of globs"),
    ("exclude", {"a": 1}, "exclude", "{'a': 1} is not a list of globs"),
    ("exclude", ["a", " "], "exclude", "' ' is a glob that matches nothing"),
    ("exclude", "#1.html", "exclude", "'#1.html' is a glob that matches nothing (write \\#)"),
    ("exclude", ["!"], "exclude", "['!'] is not a list of globs (Invalid git pattern: '!')"),
    ("pages", {"match": "a"}, "pages", "{'match': 'a'} is not a list"),
    ("pages", ["a"], "pages[0]", "'a' is not a mapping"),
    (
        "pages",
        [{"priority": 1}],
        "pages[0]",
        "a rule needs 'match' (globs for the URL) or 'source' (globs for the source file)",
    ),
    ("pages", [{"match": "a", "priority": 2}], "pages[0].priority", "2 is not a number from 0.0 to 1.0"),
    ("pages", [{"match": "a", "exclude": "no"}], "pages[0].exclude", "'no' is not true or false"),
    ("pages", [{"match": ""}], "pages[0].match", "'' is a glob that matches nothing"),
    (
        "pages",
        [{"match": "a", "changefreq": "dayly"}],
        "pages[0].changefreq",
        "'dayly' is not always, hourly, daily, weekly, monthly, yearly or never; did you mean 'daily'?",
    ),
    (
        "pages",
        [{"match": "a", "lastmod": "soon"}],
        "pages[0].lastmod",
        "'soon' is not a date like 2026-03-01 or 2026-03-01T10:00:00+01:00",
    ),
    ("pages", [{"mach": "a"}], "pages[0].mach", "there is no such name; did you mean 'match'?"),
    (
        "pages",
        [{"match": "a", "alternates": "fr/"}],
        "pages[0].alternates",
        "'fr/' is not a mapping such as {fr: fr/installation/}",
    ),
    (
        "pages",
        [{"match": "a", "alternates": {"jp": "ja/"}}],
        "pages[0].alternates",
        "'jp' is not a language code that search engines know; did you mean 'ja'?",
    ),
    (
        "pages",
        [{"match": "a", "depends_on": 5}],
        "pages[0].depends_on",
        "5 is not a file name, nor a list of file names",
    ),
    (
        "pages",
        [{"match": "a"}, {"match": "a", "depends_on": "/etc"}],
        "pages[1].depends_on",
        "'/etc' is not relative to the folder of the configuration",
    ),
    (
        "generated_pages",
        5,
        "generated_pages",
        "5 is not a list of globs; true, false or a list of globs is expected",
    ),
    ("robots", "no", "robots", "'no' is not true or false"),
    ("gzip", 1, "gzip", "1 is not true or false"),
    *(
        ("adjust", value, "adjust", f"{value!r} is not of the form module:function")
        for value in ("", "module", "module:", ":function", "a:b:c", "my module:f", "1a:f", "a.:f", 5)
    ),
    ("languages", ["en"], "languages", "['en'] is not a mapping"),
    (
        "languages",
        {"fr": "fr/"},
        "languages.fr",
        "'fr/' is not an absolute http:// or https:// URL; it should look like https://docs.example.org/",
    ),
    (
        "languages",
        {"fr": {"url": "https://example.org/", "page": "a"}},
        "languages.fr",
        "there is no such name as 'page'; the names are url and pages",
    ),
    ("languages", {"fr": None}, "languages.fr", "None is not a URL like https://docs.example.org/"),
    (
        "languages",
        {"en-UK": "https://example.org/"},
        "languages.en-UK",
        "'en-UK' has a region in it that is not the code of a country (ISO 3166-1); did you mean 'en-GB'?",
    ),
    (
        "languages",
        {"x-default": "https://example.org/"},
        "languages.x-default",
        "'x-default' is no language: it marks the page for readers of all other languages",
    ),
    (
        "languages",
        {False: "https://example.org/"},
        "languages.False",
        "'False' is not a language code such as 'en' or 'pt-BR'; write it in quotes: 'no'",
    ),
    (
        "x_default",
        "english",
        "x_default",
        "'english' is not a language code such as 'en' or 'pt-BR'",
    ),
    (
        "x_default",
        ["en"],
        "x_default",
        "['en'] is not true, false, a language such as en, or the path of a page such as /choose/",
    ),
    ("translated_share", 1.1, "translated_share", "1.1 is not a number from 0.0 to 1.0"),
    ("translated_share", "all", "translated_share", "'all' is not a number from 0.0 to 1.0"),
    ("head_links", "yes", "head_links", "'yes' is not true or false"),
    ("indent", 9, "indent", "9 is not a whole number from 0 to 8"),
    ("indent", 1.5, "indent", "1.5 is not a whole number from 0 to 8"),
    ("notes", ["shallow"], "notes", "['shallow'] is not a mapping"),
    ("notes", {"shallow": "loud"}, "notes.shallow", "'loud' is not ignore, info or warning"),
    ("notes", {"shalow": "info"}, "notes.shalow", "there is no such kind of note; did you mean 'shallow'?"),
]


@pytest.mark.parametrize(("option", "written", "value"), GOOD)
def test_a_good_value_is_used(option: str, written: object, value: object) -> None:
    settings, mistakes = read_settings({option: written})
    assert mistakes == []
    assert getattr(settings, option) == value
    assert msgspec.structs.replace(settings, **{option: getattr(Settings(), option)}) == Settings()


@pytest.mark.parametrize(("option", "written", "where", "message"), BAD)
def test_a_bad_value_is_one_mistake_and_the_default_is_used(
    option: str, written: object, where: str, message: str
) -> None:
    settings, mistakes = read_settings({option: written})
    assert settings == Settings()
    assert mistakes == [Mistake(where, message)]


@pytest.mark.parametrize(
    ("written", "name", "target"),
    [
        ("hooks:keep", "hooks:keep", ("hooks", "keep")),
        ("docs.hooks:_keep2", "docs.hooks:_keep2", ("docs.hooks", "_keep2")),
        (keep, f"{__name__}:keep", keep),
    ],
)
def test_a_hook_is_a_function_or_where_it_is(written: object, name: str, target: object) -> None:
    settings, mistakes = read_settings({"adjust": written})
    assert mistakes == []
    assert (settings.adjust.name, settings.adjust.target) == (name, target)


@pytest.mark.parametrize("hook", [functools.partial(keep), Keeper(), Keeper().__call__, str.upper, "".upper, len])
def test_everything_that_can_be_called_can_be_a_hook(hook: object) -> None:
    settings, mistakes = read_settings({"adjust": hook})
    assert mistakes == []
    assert settings.adjust.target is hook
    assert re.fullmatch(r"(?:[\w.]+:)?[\w.]+", settings.adjust.name)
    assert "None" not in settings.adjust.name


def test_every_option_has_a_good_and_a_bad_example() -> None:
    good = {option for option, *_ in GOOD} | {"adjust"}  # which has a test of its own, since hooks are not equal
    bad = {option for option, *_ in BAD}
    assert good == bad == set(Settings.__struct_fields__)


def test_every_value_of_a_rule_has_a_bad_example() -> None:
    places = {where.partition("].")[2] for option, _, where, _ in BAD if option == "pages"}
    assert places >= set(PageValues.__struct_fields__)


def test_every_option_about_git_has_a_good_and_a_bad_example() -> None:
    good = {name for option, written, _ in GOOD if option == "git" for name in written}
    bad = {where.partition("git.")[2] for option, _, where, _ in BAD if option == "git"}
    assert good == bad & set(GitOptions.__struct_fields__) == set(GitOptions.__struct_fields__)


def test_a_wrong_option_about_git_takes_nothing_from_the_others() -> None:
    written = {"date": "author", "folow_renames": False, "bulk_share": 7, "dependencies": False, "ignore_revs": "a"}
    settings, mistakes = read_settings({"git": written})
    assert settings.git == GitOptions(date="author", dependencies=False, ignore_revs=IgnoreRevs(FileNames(["a"])))
    assert [mistake.where for mistake in mistakes] == ["git.folow_renames", "git.bulk_share"]


@pytest.mark.parametrize("files", ["revs", ["a", "b"]])
def test_commits_to_be_ignored_do_not_go_with_landed_dates(files: object) -> None:
    settings, mistakes = read_settings({"git": {"date": "landed", "ignore_revs": files, "bulk_share": 1}})
    assert settings == Settings(git=GitOptions(date="landed", bulk_share=1.0))
    message = (
        "cannot be used with date: landed, since on the first-parent line a commit is seen only together with all that "
        "was merged with it; leave out one of them"
    )
    assert mistakes == [Mistake("git.ignore_revs", message)]


def test_a_wrong_kind_of_note_takes_nothing_from_the_others() -> None:
    settings, mistakes = read_settings({"notes": {"shallow": "warning", "shalow": "info", "hook": "loud", 5: "info"}})
    assert settings == Settings(notes={"shallow": "warning"})
    assert {mistake.where for mistake in mistakes} == {"notes.shalow", "notes.hook", "notes.5"}


def test_all_mistakes_are_reported_at_once_and_the_good_options_are_used() -> None:
    options = {
        "filename": "docs",
        "base_url": "https://example.org",
        "lastmod": ["git", "svn"],
        "pages": [{"match": "a", "priority": 9}, {"changefreq": "daily"}, 5, {"match": "b", "lastmod": "x"}],
        "robots": False,
        "notes": {"shallow": "loud", "preveiw": "info"},
        "git": {"date": "never", "dependencies": False},
        "gizp": True,
        5: "five",
        None: "none",
    }
    settings, mistakes = read_settings(options)
    assert {mistake.where for mistake in mistakes} == {
        *("filename", "lastmod[1]", "pages[0].priority", "pages[1]", "pages[2]", "pages[3].lastmod"),
        *("notes.shallow", "notes.preveiw", "gizp", "5", "None", "git.date"),
    }
    assert settings == Settings(base_url="https://example.org/", robots=False, git=GitOptions(dependencies=False))


@pytest.mark.parametrize(("written", "meant"), [("file_name", "filename"), ("excludes", "exclude"), ("gizp", "gzip")])
def test_a_misspelt_option_is_told_the_right_one(written: str, meant: str) -> None:
    assert read_settings({written: True})[1] == [Mistake(written, f"there is no such name; did you mean '{meant}'?")]


def test_an_option_like_no_other_is_told_all_there_are() -> None:
    (mistake,) = read_settings({"xyzzy": 1})[1]
    assert all(name in mistake.message for name in Settings.__struct_fields__)


@pytest.mark.parametrize("options", [{}, dict.fromkeys(Settings.__struct_fields__)])
def test_what_is_left_open_has_its_default(options: Mapping[Any, object]) -> None:
    assert read_settings(options) == (Settings(), [])


def test_the_defaults_are_those_of_the_manual() -> None:
    defaults = msgspec.structs.asdict(Settings())
    assert defaults == {
        "filename": "sitemap.xml",
        "base_url": None,
        "lastmod": ("front_matter", "git"),
        "lastmod_format": "datetime",
        "git": GitOptions(
            date="committer", follow_renames=True, ignore_revs=IgnoreRevs(), dependencies=True, bulk_share=0.5
        ),
        "expose": False,
        "evidence": None,
        "exclude": Globs(),
        "pages": (),
        "generated_pages": None,
        "robots": True,
        "gzip": None,
        "languages": {},
        "x_default": XDefault(),
        "translated_share": 0.5,
        "head_links": False,
        "indent": 0,
        "adjust": None,
        "notes": {},
    }


@pytest.mark.parametrize("name", ["notes", "languages"])
def test_two_settings_do_not_share_their_mappings(name: str) -> None:
    assert getattr(Settings(), name) is not getattr(Settings(), name)


EN = "https://example.org/en/"


@pytest.mark.parametrize(
    ("written", "mistakes"),
    [
        (
            {"en": EN, "pt_BR": "https://example.org/a/", "pt-br": "https://example.org/b/"},
            [Mistake("languages.pt-br", "there are two languages with the code pt-BR")],
        ),
        (
            {"en": EN, "pt_BR": "https://example.org/a/", "fr": "https://Example.org/a"},
            [Mistake("languages.fr", "https://example.org/a/ is the URL of pt-BR already")],
        ),
        (
            {"jp": "https://example.org/a/", "en": EN, "x": 5, "pt_BR": "https://example.org/a/", "fr": "/fr/"},
            [
                Mistake("languages.x", "5 is not a URL like https://docs.example.org/"),
                Mistake(
                    "languages.fr",
                    "'/fr/' is not an absolute http:// or https:// URL; it should look like https://docs.example.org/",
                ),
                Mistake(
                    "languages.jp",
                    "'jp' is not a language code that search engines know; did you mean 'ja'?",
                ),
            ],
        ),
    ],
)
def test_a_wrong_language_takes_nothing_from_the_others(written: Mapping[str, object], mistakes: list[Mistake]) -> None:
    settings, found = read_settings({"languages": written})
    assert found == mistakes
    languages = {"en": LanguageSite(BaseURL(EN)), "pt-BR": LanguageSite(BaseURL("https://example.org/a/"))}
    assert settings == Settings(languages=languages)


@pytest.mark.parametrize("name", ["languages", "notes"])
def test_a_number_that_cannot_be_shown_as_a_name_does_not_end_the_build(name: str) -> None:
    settings, mistakes = read_settings({name: {16**5000: "https://example.org/"}})
    assert settings == Settings()
    assert mistakes


@pytest.mark.parametrize(
    ("options", "gzip", "generated"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"gzip": True, "generated_pages": True}, False, False),
        ({"gzip": False, "generated_pages": False}, True, True),
    ],
)
def test_the_host_decides_only_what_the_author_left_open(
    options: Mapping[str, bool],
    gzip: bool,  # noqa: FBT001  # from the table
    generated: bool,  # noqa: FBT001  # from the table
) -> None:
    settings, _ = read_settings(options)
    settings = settings.for_host(gzip=gzip, generated_pages=generated)
    assert settings.gzip is options.get("gzip", gzip)
    assert settings.generated_pages.matches("genindex.html") is options.get("generated_pages", generated)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (PageRule(match=Globs(["news/"])), True),
        (PageRule(match=Globs(["guides/"])), False),
        (PageRule(source=Globs(["*.md"])), True),
        (PageRule(source=Globs(["*.rst"])), False),
        (PageRule(match=Globs(["news/"]), source=Globs(["*.md"])), True),
        (PageRule(match=Globs(["news/"]), source=Globs(["*.rst"])), False),
        (PageRule(match=Globs(["guides/"]), source=Globs(["*.md"])), False),
    ],
)
def test_a_rule_applies_where_all_its_globs_match(rule: PageRule, *, expected: bool) -> None:
    assert rule.applies("news/today/", "today.md") is expected
