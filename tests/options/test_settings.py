"""Every option with valid and invalid examples, all mistakes at once, and what settings say about pages and feeds."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from sitemap_plugins.model import Candidate, Entry, Page
from sitemap_plugins.options.convert import Mistake
from sitemap_plugins.options.settings import (
    FeedFile,
    Feeds,
    GitOptions,
    IgnoredFinding,
    JSONFile,
    Limits,
    NewsGroup,
    PageGroup,
    PageRule,
    Section,
    Settings,
    VideoValues,
    read_settings,
)
from sitemap_plugins.options.types import (
    BaseURL,
    CanonicalVersionSite,
    FileNames,
    FilePath,
    Globs,
    IgnoreRevs,
    ImageChoice,
    LanguageCode,
    LanguageSite,
    MediaURL,
    NewsLanguage,
    PageChoice,
    PageName,
    Selector,
    Text,
    Title,
    XDefault,
)


def keep(entry: object, page: object) -> None:
    """A hook."""
    del entry, page


class Keeper:
    """A hook that is an object."""

    def __call__(self, entry: object, page: object) -> None:
        keep(entry, page)


GOOD = [
    ("filename", "docs-sitemap.xml", "docs-sitemap.xml"),
    ("base_url", "https://Example.org/dócs", "https://example.org/d%C3%B3cs/"),
    ("lastmod", ["git", "front_matter", "mtime"], ("git", "front_matter", "mtime")),
    ("lastmod", "git", ("git",)),
    ("lastmod_format", "date", "date"),
    ("git", {}, GitOptions()),
    ("git", {"date": "landed", "ignore_revs": True}, GitOptions(date="landed")),
    ("git", {"date": "landed", "ignore_revs": False}, GitOptions(date="landed", ignore_revs=IgnoreRevs(FileNames()))),
    ("git", {"date": None, "bulk_share": None}, GitOptions()),
    ("git", {"bulk_share": 0.8, "date": "author"}, GitOptions(bulk_share=0.8, date="author")),
    ("expose", True, True),
    ("expose", "created", "created"),
    ("record", "site-record.json", JSONFile("site-record.json")),
    ("record_content", True, True),
    ("previous_record", " last/previous.json", FilePath("last/previous.json")),
    ("previous_record", None, None),  # of an empty variable
    ("html", True, PageName("sitemap")),
    ("html", "true", PageName("sitemap")),
    ("html", "0", None),
    ("html", "all-Pages_2", PageName("all-Pages_2")),
    ("source", "docs/{path}.md", ("docs/{path}.md",)),
    ("source", [" docs/{lang}/{path}.md ", "../en/{path}.mdx"], ("docs/{lang}/{path}.md", "../en/{path}.mdx")),
    ("source", ["{path}/page.md", "{lang}-{path}.{lang}.md"], ("{path}/page.md", "{lang}-{path}.{lang}.md")),
    ("exclude", ["drafts/**", "!drafts/famous/"], Globs(("drafts/**", "!drafts/famous/"))),
    ("exclude", "\\#1.html", Globs(("\\#1.html",))),
    ("pages", [{"match": "news/**", "priority": 1}], (PageRule(match=Globs(("news/**",)), priority=1.0),)),
    ("pages", [{"source": ["*.rst"], "exclude": True}], (PageRule(source=Globs(("*.rst",)), exclude=True),)),
    (
        "pages",
        [{"match": "a", "depends_on": "../src/A.py, data/**"}],
        (PageRule(match=Globs(("a",)), depends_on=FileNames(["../src/A.py", "data/**"])),),
    ),
    (
        "pages",
        [{"match": "a", "images": ["b.png", "!c/**"]}],
        (PageRule(match=Globs(("a",)), images=ImageChoice((MediaURL("b.png"),), Globs(("c/**",)))),),
    ),
    (
        "pages",
        [{"match": "a", "videos": [{"title": "T", "duration": 60}, {}]}],
        (PageRule(match=Globs(("a",)), videos=(VideoValues(title=Title("T"), duration=60), VideoValues())),),
    ),
    ("pages", [{"match": "a", "news": True}], (PageRule(match=Globs(("a",)), news=True),)),
    ("generated_pages", True, PageChoice(("*",))),
    ("generated_pages", "api/**", PageChoice(("api/**",))),
    ("follow_canonical", True, True),
    ("robots", False, False),
    (
        "cross_submit",
        ["https://FR.example.org", "http://bücher.example:8080/"],
        ("https://fr.example.org/", "http://xn--bcher-kva.example:8080/"),
    ),
    ("cross_submit", "https://fr.example.org/", ("https://fr.example.org/",)),
    ("gzip", "only", "only"),
    ("files", ["**/*.pdf", "!private/**"], Globs(("**/*.pdf", "!private/**"))),
    (
        "sections",
        {"guides": ["guides/**", "!guides/a/"], "user-guide": "user/", "of1999": {}},
        {
            "guides": Section(match=Globs(("guides/**", "!guides/a/"))),
            "user-guide": Section(match=Globs(("user/",))),
            "of1999": Section(),
        },
    ),
    ("sections", {"de": {"language": "de_AT"}}, {"de": Section(language=LanguageCode("de-AT"))}),
    (
        "sections",
        {"blog": {"match": "blog/**", "archive": "year"}},
        {"blog": Section(match=Globs(("blog/**",)), archive="year")},
    ),
    ("limit", {"urls": 1, "bytes": 4096}, Limits(urls=1, bytes=4096)),
    ("text", True, True),
    ("feeds", {"rss": "changes.xml"}, Feeds(rss=FeedFile("changes.xml"))),
    ("feeds", {"atom": "a.atom", "rss": "b.rss"}, Feeds(rss=FeedFile("b.rss"), atom=FeedFile("a.atom"))),
    ("feeds", {"rss": None, "count": 1, "title": " What\n is new "}, Feeds(count=1, title=Title("What is new"))),
    ("feeds", {"atom": None, "count": 1000, "head_links": True}, Feeds(count=1000, head_links=True)),
    ("images", True, True),
    ("images", "separate", "separate"),
    ("videos", True, True),
    ("image_hosts", ["cdn.example.org", "*.example.com"], ("cdn.example.org", "*.example.com")),
    ("content_selector", " main > .article ", Selector("main > .article")),
    (
        "ignored_findings",
        [{"rule": "listed-*", "reason": "Another job publishes it."}, {"rule": "a", "reason": "b", "match": "c/"}],
        (
            IgnoredFinding(rule=Text("listed-*"), reason=Text("Another job publishes it.")),
            IgnoredFinding(rule=Text("a"), reason=Text("b"), match=Globs(("c/",))),
        ),
    ),
    ("news", ["news/**", "!news/old/"], NewsGroup(match=Globs(("news/**", "!news/old/")))),
    (
        "news",
        {"source": "*.md", "language": "pt_br", "name": "The Example", "publication_language": "zh_CN"},
        NewsGroup(
            source=Globs(("*.md",)),
            language=LanguageCode("pt-BR"),
            name=Title("The Example"),
            publication_language=NewsLanguage("zh-cn"),
        ),
    ),
    ("engines", ["google", "bing", "yandex", "baidu"], ("google", "bing", "yandex", "baidu")),
    ("schema_location", True, True),
    (
        "languages",
        {"en": "https://Example.org/en", "pt_br": {"url": "https://example.org/pt/", "pages": "pt/objects.inv"}},
        {
            "en": LanguageSite(BaseURL("https://example.org/en/")),
            "pt-BR": LanguageSite(BaseURL("https://example.org/pt/"), "pt/objects.inv"),
        },
    ),
    (
        "canonical_version_url",
        {"url": "https://Example.org/stable", "pages": "stable.xml"},
        CanonicalVersionSite(BaseURL("https://example.org/stable/"), "stable.xml"),
    ),
    ("x_default", False, XDefault(None)),
    ("translated_share", 0.8, 0.8),
    ("head_links", True, True),
    ("indent", 8, 8),
    ("notes", {"shallow": "warning", "no-base-url": "ignore"}, {"shallow": "warning", "no-base-url": "ignore"}),
]

BAD = [
    ("filename", "a.txt", "filename: 'a.txt' is not a plain file name that ends in .xml, like sitemap.xml"),
    ("base_url", 5, "base_url: 5 is not a URL like https://docs.example.org/"),
    (
        "base_url",
        "http://localhost:8000",
        "base_url: 'http://localhost:8000' is a local address, which readers cannot open; it should look like https://docs.example.org/",
    ),
    ("follow_canonical", "yes", "follow_canonical: 'yes' is not true or false"),
    ("lastmod", ["gti"], "lastmod[0]: 'gti' is not front_matter, git, mtime or page; did you mean 'git'?"),
    *(
        (
            "source",
            [pattern],
            f"source[0]: {pattern!r} {problem}; write a pattern such as docs/{{path}}.md or docs/{{lang}}/{{path}}.md",
        )
        for pattern, problem in {
            "docs/{lang}.md": "has no {path}, which is the path of the page",
            "docs/{path}/{name}.md": "has braces that are not {path} or {lang}",
            "docs/{path}": "does not end with a file extension",
            "docs/{path}.md/": "does not end with a file extension",
            "/docs/{path}.md": "is not relative to the folder of the configuration",
            "C:/docs/{path}.md": "is not relative to the folder of the configuration",
            "docs\\{path}.md": "has a backslash instead of a slash",
            "docs/{path}\0.md": "is not relative to the folder of the configuration",
        }.items()
    ),
    *(
        (
            "source",
            [value],
            f"source[0]: {value!r} is not a pattern such as docs/{{path}}.md or docs/{{lang}}/{{path}}.md",
        )
        for value in ("", " ", 5, True, ["{path}.md"])
    ),
    ("lastmod_format", "dat", "lastmod_format: 'dat' is not datetime or date; did you mean 'date'?"),
    (
        "git",
        5,
        "git: 5 is not a mapping; valid names are date, follow_renames, ignore_revs, dependencies and bulk_share",
    ),
    ("git", {"date": "commiter"}, "git.date: 'commiter' is not committer, author or landed; did you mean 'committer'?"),
    ("git", {"follow_rename": True}, "git.follow_rename: unknown key; did you mean 'follow_renames'?"),
    *(
        ("git", {"ignore_revs": value}, f"git.ignore_revs: {words}; true, false or file names are expected")
        for value, words in (
            (5, "5 is not a file name or a list of file names"),
            ("C:\\revs", "'C:\\\\revs' is not relative to the folder of the configuration"),
        )
    ),
    ("git", {"bulk_share": 1.5}, "git.bulk_share: 1.5 is not a number from 0.0 to 1.0"),
    ("record_content", "sitemap-content.json", "record_content: 'sitemap-content.json' is not true or false"),
    ("expose", "creatd", "expose: 'creatd' is not true, false or created; did you mean 'created'?"),
    ("record", True, "record: True is not a plain file name that ends in .json, like site-record.json"),
    *(
        ("previous_record", value, f"previous_record: {value!r} is not the path of a file, like previous-record.json")
        for value in (5, True, ["a.json"], "a\0b")
    ),
    *(
        ("html", value, f"html: {value!r} is not {PageName.EXPECTED}")
        for value in ("", "all pages", "all.html", "../b", "-a", "sitemap\n", "été", 5)
    ),
    ("html", "Index", "html: 'Index' is not allowed, because the site has another page of that name"),
    ("html", "nul", "html: 'nul' is not allowed, because it is the name of a device on Windows"),
    ("exclude", ["a", 5], "exclude: ['a', 5] is not a list of globs"),
    ("exclude", ["a", " "], "exclude: ' ' is a glob that matches nothing"),
    (
        "exclude",
        ["a", "/ "],
        "exclude: '/' would match all pages; write index.html for the home page, or * for all pages",
    ),
    ("exclude", "#1.html", "exclude: '#1.html' is a glob that matches nothing (write \\#)"),
    ("exclude", ["!"], "exclude: ['!'] is not a list of globs (Invalid git pattern: '!')"),
    ("pages", {"match": "a"}, "pages: {'match': 'a'} is not a list: write [{'match': 'a'}]"),
    (
        "pages",
        ["a"],
        "pages[0]: 'a' is not a mapping; valid names are priority, changefreq, lastmod, exclude, alternates, depends_on, images, videos, news, published, section, match and source",
    ),
    (
        "pages",
        [{"priority": 1}],
        "pages[0]: a rule needs 'match' (globs for the URL) or 'source' (globs for the source file)",
    ),
    ("pages", [{"match": "a", "priority": 2}], "pages[0].priority: 2 is not a number from 0.0 to 1.0"),
    (
        "pages",
        [{"match": "a", "changefreq": "dayly"}],
        "pages[0].changefreq: 'dayly' is not always, hourly, daily, weekly, monthly, yearly or never; did you mean 'daily'?",
    ),
    (
        "pages",
        [{"match": "a", "lastmod": "soon"}],
        "pages[0].lastmod: 'soon' is not a date like 2026-03-01 or 2026-03-01T10:00:00+01:00",
    ),
    ("pages", [{"mach": "a"}], "pages[0].mach: unknown key; did you mean 'match'?"),
    (
        "pages",
        [{"match": "a", "alternates": {"jp": "ja/"}}],
        "pages[0].alternates: 'jp' is not a language code that search engines know; did you mean 'ja'?",
    ),
    (
        "pages",
        [{"match": "a"}, {"match": "a", "depends_on": "/etc"}],
        "pages[1].depends_on: '/etc' is not relative to the folder of the configuration",
    ),
    (
        "pages",
        [{"match": "a", "images": 5}],
        "pages[0].images: 5 is not true, false or a list of URLs; ! before a URL removes an image",
    ),
    (
        "pages",
        [{"match": "a", "videos": {"title": "a"}}],
        "pages[0].videos: {'title': 'a'} is not a list: write [{'title': 'a'}]",
    ),
    (
        "pages",
        [{"match": "a", "section": "The Guide"}],
        "pages[0].section: 'The Guide' is not a name of lower-case letters, digits and hyphens, such as user-guide",
    ),
    ("generated_pages", 5, "generated_pages: 5 is not a list of globs; true, false or a list of globs is expected"),
    ("robots", "no", "robots: 'no' is not true or false"),
    (
        "cross_submit",
        ["https://fr.example.org/", "https://fr.example.org/docs"],
        "cross_submit[1]: 'https://fr.example.org/docs' has a path, but robots.txt is only read at the root of a host: write https://fr.example.org/",
    ),
    ("gzip", "onyl", "gzip: 'onyl' is not true, false or only; did you mean 'only'?"),
    ("files", 5, "files: 5 is not a list of globs"),
    ("sections", {"a": 5}, "sections.a: 5 is not a mapping; valid names are match, source, language and archive"),
    ("sections", {"a": ""}, "sections.a.match: '' is a glob that matches nothing"),
    ("sections", {"a": {"mach": "b"}}, "sections.a.mach: unknown key; did you mean 'match'?"),
    ("sections", {"a": {"archive": "month"}}, "sections.a.archive: 'month' is not year"),
    (
        "sections",
        {5: "a"},
        "sections.5: '5' is not a name of lower-case letters, digits and hyphens, such as user-guide",
    ),
    ("sections", {"news": "a"}, "sections.news: 'news' is a reserved name; choose another one"),
    ("limit", 5, "limit: 5 is not a mapping; valid names are urls and bytes"),
    ("limit", {"url": 5}, "limit.url: unknown key; did you mean 'urls'?"),
    *(
        ("limit", {"urls": value}, f"limit.urls: {value!r} is not a whole number from 1 to 50000")
        for value in (0, 50_001)
    ),
    *(
        ("limit", {"bytes": value}, f"limit.bytes: {value!r} is not a whole number from 4096 to 52428800")
        for value in (4095, 52_428_801)
    ),
    ("text", "yes", "text: 'yes' is not true or false"),
    ("feeds", True, "feeds: True is not a mapping; valid names are rss, atom, count, title and head_links"),
    ("feeds", {"rrs": "changes.xml", "rss": None}, "feeds.rrs: unknown key; did you mean 'rss'?"),
    (
        "feeds",
        {"rss": "changes"},
        "feeds.rss: 'changes' is not a plain file name that ends in .xml, .rss or .atom, like changes.xml",
    ),
    ("feeds", {"atom": "sitemap.xml"}, "feeds.atom: sitemap.xml is also the value of filename; choose another name"),
    ("feeds", {"rss": None, "count": 1001}, "feeds.count: 1001 is not a whole number from 1 to 1000"),
    *(
        (name, value, f"{name}: {value!r} is not true, false or separate{hint}")
        for name in ("images", "videos")
        for value, hint in (("seperate", "; did you mean 'separate'?"), (5, ""))
    ),
    (
        "image_hosts",
        ["https://cdn.example.org/"],
        "image_hosts[0]: 'https://cdn.example.org/' is not a host name such as cdn.example.org or *.example.org",
    ),
    ("content_selector", "main[", "content_selector: 'main[' is not a CSS selector such as main.article"),
    (
        "news",
        True,
        "news: True is not a mapping; valid names are match, source, language, name and publication_language",
    ),
    *(
        (
            "ignored_findings",
            [written],
            f"ignored_findings[0]: {missing} must be set; write {{rule: its name, reason: why it is ignored}}",
        )
        for written, missing in (({"rule": "unlisted"}, "reason"), ({}, "rule and reason"))
    ),
    ("ignored_findings", [{"rule": "a", "reason": " "}], "ignored_findings[0].reason: it is empty"),
    ("ignored_findings", [{"rule": 5, "reason": "b"}], "ignored_findings[0].rule: 5 is not text"),
    (
        "ignored_findings",
        [{"rule": "a", "reason": "b", "match": ""}],
        "ignored_findings[0].match: '' is a glob that matches nothing",
    ),
    ("news", {"mach": "news/**"}, "news.mach: unknown key; did you mean 'match'?"),
    (
        "news",
        {"publication_language": "xx"},
        "news.publication_language: 'xx' is not a language code such as 'en' or 'pt-BR'",
    ),
    ("engines", ["gogle"], "engines[0]: 'gogle' is not google, bing, yandex or baidu; did you mean 'google'?"),
    ("schema_location", 1, "schema_location: 1 is not true or false"),
    *(
        ("adjust", value, f"adjust: {value!r} is not of the form module:function")
        for value in ("module:", "a:b:c", "1a:f", "a.:f", 5)
    ),
    (
        "canonical_version_url",
        "https://example.org/stable",
        "canonical_version_url: 'https://example.org/stable' is not a mapping; write {url: https://docs.example.org/en/stable/, pages: the-sitemap-of-that-version.xml}",
    ),
    (
        "canonical_version_url",
        {"url": "https://example.org/stable"},
        "canonical_version_url: pages must be set; write {url: https://docs.example.org/en/stable/, pages: the-sitemap-of-that-version.xml}",
    ),
    *(
        (
            "canonical_version_url",
            {"url": "https://example.org/stable", "pages": value},
            f"canonical_version_url.pages: {value!r} is not the path of an objects.inv or of a sitemap",
        )
        for value in (" ", ["a.inv"])
    ),
    ("languages", ["en"], "languages: ['en'] is not a mapping"),
    (
        "languages",
        {False: "https://example.org/"},
        "languages.False: 'False' is not a language code such as 'en' or 'pt-BR'; write it in quotes: 'no'",
    ),
    (
        "x_default",
        ["en"],
        "x_default: ['en'] is not true, false, a language such as en, or the path of a page such as /choose/",
    ),
    ("translated_share", 1.1, "translated_share: 1.1 is not a number from 0.0 to 1.0"),
    ("head_links", "yes", "head_links: 'yes' is not true or false"),
    ("indent", 9, "indent: 9 is not a whole number from 0 to 8"),
    ("notes", ["shallow"], "notes: ['shallow'] is not a mapping"),
    ("notes", {"shallow": "loud"}, "notes.shallow: 'loud' is not ignore, info or warning"),
    ("notes", {"shalow": "info"}, "notes.shalow: unknown kind of note; did you mean 'shallow'?"),
]


@pytest.mark.parametrize(("option", "written", "value"), GOOD)
def test_a_valid_value_is_used(option: str, written: object, value: object) -> None:
    settings, mistakes = read_settings({option: written})
    assert mistakes == []
    assert getattr(settings, option) == value
    assert msgspec.structs.replace(settings, **{option: getattr(Settings(), option)}) == Settings()


@pytest.mark.parametrize(("option", "written", "message"), BAD)
def test_an_invalid_value_is_one_mistake_and_the_default_is_used(option: str, written: object, message: str) -> None:
    settings, mistakes = read_settings({option: written})
    assert settings in [Settings(), Settings(news=NewsGroup())]  # both mean that only pages with news: true are news
    assert [*map(str, mistakes)] == [message]


@pytest.mark.parametrize(
    ("written", "name", "target"),
    [
        ("hooks:keep", "hooks:keep", ("hooks", "keep")),
        ("docs.hooks:_keep2", "docs.hooks:_keep2", ("docs.hooks", "_keep2")),
        (keep, f"{__name__}:keep", keep),
    ],
)
def test_a_hook_is_a_function_or_the_path_to_one(written: object, name: str, target: object) -> None:
    settings, mistakes = read_settings({"adjust": written})
    assert mistakes == []
    assert (settings.adjust.name, settings.adjust.target) == (name, target)


@pytest.mark.parametrize("hook", [functools.partial(keep), Keeper(), Keeper().__call__, str.upper, "".upper, len])
def test_any_callable_can_be_a_hook(hook: object) -> None:
    settings, mistakes = read_settings({"adjust": hook})
    assert mistakes == []
    assert settings.adjust.target is hook
    assert re.fullmatch(r"(?:[\w.]+:)?[\w.]+", settings.adjust.name)
    assert "None" not in settings.adjust.name


def test_every_option_has_a_valid_and_an_invalid_example() -> None:
    good = {option for option, *_ in GOOD} | {"adjust"}  # it has its own test, because hooks are not equal
    bad = {option for option, *_ in BAD}
    assert good == set(Settings.__struct_fields__), "add examples to GOOD"
    assert bad == set(Settings.__struct_fields__), "add examples to BAD"


@pytest.mark.parametrize("files", ["revs", ["a", "b"]])
def test_ignore_revs_cannot_be_combined_with_landed_dates(files: object) -> None:
    settings, mistakes = read_settings({"git": {"date": "landed", "ignore_revs": files, "bulk_share": 1}})
    assert settings == Settings(git=GitOptions(date="landed", bulk_share=1.0))
    message = "cannot be combined with date: landed, because on the first-parent line a merge hides the commits that it merged; remove one of them"
    assert mistakes == [Mistake("git.ignore_revs", message)]


def test_all_mistakes_are_reported_at_once_and_valid_options_are_used() -> None:
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
def test_a_misspelt_option_is_answered_with_the_right_name(written: str, meant: str) -> None:
    assert read_settings({written: True})[1] == [Mistake(written, f"unknown key; did you mean '{meant}'?")]


def test_an_unknown_option_is_answered_with_all_names() -> None:
    (mistake,) = read_settings({"xyzzy": 1})[1]
    assert [name for name in Settings.__struct_fields__ if name not in mistake.message] == []


@pytest.mark.parametrize("options", [{}, dict.fromkeys(Settings.__struct_fields__)])
def test_open_options_have_their_defaults(options: Mapping[Any, object]) -> None:
    assert read_settings(options) == (Settings(), [])


MANUAL = (Path(__file__).parents[2] / "docs" / "options.md").read_text(encoding="utf-8")
DEFAULTS = dict(re.findall(r"^\| \[`(\w+)`\]\(#\w+\) \| .+ \| (.+) \|$", MANUAL, re.MULTILINE))
IN_ITS_SECTION = yaml.safe_load(MANUAL.partition("The defaults:\n\n```yaml\n")[2].partition("```")[0])


@pytest.mark.parametrize("name", Settings.__struct_fields__)
def test_the_default_is_that_of_the_manual(name: str) -> None:
    default, written = getattr(Settings(), name), DEFAULTS[name]
    if written in {"none", "depends on the tool"}:
        assert default in (None, (), {}, Globs(), Feeds())
    else:
        value = IN_ITS_SECTION[name] if written.startswith("[in its section]") else yaml.safe_load(written.strip("`"))
        assert read_settings({name: value}) == (Settings(), [])


@pytest.mark.parametrize("name", ["notes", "languages", "sections"])
def test_two_settings_do_not_share_their_mappings(name: str) -> None:
    assert getattr(Settings(), name) is not getattr(Settings(), name)


EN, A = "https://example.org/en/", "https://example.org/a/"


@pytest.mark.parametrize(
    ("written", "mistakes"),
    [
        (
            {"en": EN, "pt_BR": A, "pt-br": "https://example.org/b/"},
            [Mistake("languages.pt-br", "there are two languages with the code pt-BR")],
        ),
        (
            {"en": EN, "pt_BR": A, "fr": "https://Example.org/a"},
            [Mistake("languages.fr", f"{A} is also the URL of pt-BR; give each language its own URL")],
        ),
        (
            {"jp": A, "en": EN, "x": 5, "pt_BR": A, "fr": "/fr/"},
            [
                Mistake("languages.jp", "'jp' is not a language code that search engines know; did you mean 'ja'?"),
                Mistake("languages.x", "'x' is not a language code such as 'en' or 'pt-BR'"),
                Mistake(
                    "languages.x",
                    "5 is not a mapping; write https://docs.example.org/de/ or {url: https://docs.example.org/de/, "
                    "pages: de.xml}",
                ),
                Mistake(
                    "languages.fr.url",
                    "'/fr/' is not an absolute http:// or https:// URL; it should look like https://docs.example.org/",
                ),
            ],
        ),
    ],
)
def test_an_invalid_language_does_not_affect_the_others(written: Mapping[str, object], mistakes: list[Mistake]) -> None:
    settings, found = read_settings({"languages": written})
    assert found == mistakes
    languages = {"en": LanguageSite(BaseURL(EN)), "pt-BR": LanguageSite(BaseURL(A))}
    assert settings == Settings(languages=languages)


@pytest.mark.parametrize(
    ("options", "gzip", "generated"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"gzip": True, "generated_pages": True}, False, False),
        ({"gzip": False, "generated_pages": False}, True, True),
        ({"gzip": "only"}, False, True),
    ],
)
def test_the_host_decides_only_on_options_that_the_author_left_open(
    options: Mapping[str, Any], gzip: bool, generated: bool
) -> None:
    settings, _ = read_settings(options)
    settings = settings.for_host(gzip=gzip, generated_pages=generated)
    assert settings.gzip is options.get("gzip", gzip)
    assert settings.generated_pages.matches("genindex.html") is options.get("generated_pages", generated)


@pytest.mark.parametrize(("path", "source", "expected"), [("a", "b", True), ("a", "c", False), ("c", "b", False)])
def test_a_rule_applies_if_all_its_globs_match(path: str, source: str, *, expected: bool) -> None:
    assert PageRule(match=Globs(("a",)), source=Globs(("b",))).applies(path, source) is expected
    assert PageRule(match=Globs(("a",))).applies(path, source) is (path == "a")
    assert PageRule(source=Globs(("b",))).applies(path, source) is (source == "b")


# The author can fix a rule, so a list with a mistake in it is not used at all.
def test_every_mistake_in_the_videos_of_a_rule_is_found() -> None:
    videos = [{"title": "", "duration": 0, "durations": 1}, 5, {"title": "A good one", "tags": ["a", 5]}]
    settings, mistakes = read_settings({"pages": [{"match": "a", "videos": videos}]})
    assert settings == Settings()
    assert [mistake.where.removeprefix("pages[0].videos") for mistake in mistakes] == [
        *("[0].title", "[0].duration", "[0].durations", "[1]", "[2].tags[1]")
    ]


NO_FEED = Mistake("feeds", "name a file, such as rss: changes.xml or atom: changes.atom")


@pytest.mark.parametrize(
    ("written", "mistakes"),
    [
        ({}, [NO_FEED]),
        ({"head_links": True}, [NO_FEED]),
        ({"count": 5, "rss": None}, []),
        ({"count": 5, "atom": "a.atom"}, []),
        (None, []),
    ],
)
def test_feeds_without_a_file_are_a_mistake(written: object, mistakes: list[Mistake]) -> None:
    assert read_settings({"feeds": written})[1] == mistakes


def test_an_unknown_section_is_a_mistake_and_the_rest_of_its_rule_is_used() -> None:
    rules = [{"match": "a", "section": "guides"}, {"match": "b", "section": "guide", "priority": 0.3}]
    settings, mistakes = read_settings({"sections": {"guides": "guides/"}, "pages": rules})
    assert mistakes == [Mistake("pages[1].section", "unknown section; did you mean 'guides'?")]
    assert settings.pages == (
        PageRule(match=Globs(("a",)), section="guides"),
        PageRule(match=Globs(("b",)), priority=0.3),
    )


@pytest.mark.parametrize("name", ["rss", "atom"])
def test_a_feed_cannot_have_the_name_of_the_sitemap(name: str) -> None:
    settings, mistakes = read_settings({"filename": "all.xml", "feeds": {name: "all.xml"}})
    assert settings == Settings(filename="all.xml")
    assert mistakes == [Mistake(f"feeds.{name}", "all.xml is also the value of filename; choose another name")]
    assert read_settings({"filename": "all.xml", "feeds": {name: "sitemap.xml"}})[1] == []


SAME_FILE = "are the same file on Windows and macOS"
DEVICE = "is the name of a device on Windows, with any extension"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"feeds": {"rss": "Sitemap.xml"}},
            f"feeds.rss: Sitemap.xml and sitemap.xml, the value of filename, {SAME_FILE}",
        ),
        (
            {"feeds": {"rss": "a.xml", "atom": "A.xml"}},
            f"feeds.atom: A.xml and a.xml, the value of feeds.rss, {SAME_FILE}",
        ),
        ({"filename": "Nul.xml"}, f"filename: 'Nul.xml' is not allowed, because Nul {DEVICE}"),
        ({"feeds": {"atom": "CON.atom"}}, f"feeds.atom: 'CON.atom' is not allowed, because CON {DEVICE}"),
        ({"record": "lpt1.a.json"}, f"record: 'lpt1.a.json' is not allowed, because lpt1 {DEVICE}"),
        (
            {"filename": "Robots.xml"},
            "filename: 'Robots.xml' is not allowed, because its text sitemap would be named robots.txt",
        ),
    ],
)
def test_names_of_files_have_to_differ_on_every_system(options: dict[str, object], message: str) -> None:
    settings, mistakes = read_settings(options)
    assert [*map(str, mistakes)] == [message]
    assert settings.filename == "sitemap.xml"
    assert not settings.feeds.atom
    assert not settings.record


def test_the_compressed_sitemap_is_next_to_the_other() -> None:  # SM-GZ-01
    assert Settings().filenames == ("sitemap.xml", "sitemap.xml.gz")
    assert read_settings({"filename": "all.xml", "gzip": "only"})[0].filenames == ("all.xml", "all.xml.gz")


def test_the_named_files_are_those_of_all_options() -> None:
    settings, _ = read_settings({"filename": "a.xml", "record": "e.json", "feeds": {"rss": "b.xml", "count": 7}})
    assert settings.named_files == {"filename": "a.xml", "record": "e.json", "feeds.rss": "b.xml"}


@pytest.mark.parametrize(
    ("name", "meant"), [("prioritiy", "priority"), ("changefreq", "changefreq"), ("depends_on", "depends_on")]
)
def test_a_key_for_pages_is_answered_with_its_place(name: str, meant: str) -> None:
    settings, (mistake,) = read_settings({name: 1, "robots": False})
    assert settings == Settings(robots=False)
    assert mistake == Mistake(
        name,
        f"unknown option; '{meant}' is for pages: write it in their front matter, "
        f"or in a rule such as pages: [{{match: guides/, {meant}: …}}]",
    )


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ({"text": "1", "indent": "2"}, Settings(text=True, indent=2)),
        ({"robots": "false", "translated_share": "0.25"}, Settings(robots=False, translated_share=0.25)),
        ({"exclude": "a", "gzip": "only"}, Settings(exclude=Globs(("a",)), gzip="only")),
    ],
)
def test_options_of_a_command_line_are_text(written: dict[str, object], expected: Settings) -> None:
    assert read_settings(written, lax=True) == (expected, [])


_LOC = "https://example.org/news/today/"
PAGE = Candidate(page=Page(loc=_LOC, name="today.md", language="de"), path="news/today/", entry=Entry(loc=_LOC))


@pytest.mark.parametrize(
    ("group", "holds"),
    [
        (PageGroup(), False),
        (PageGroup(match=Globs(("news/",))), True),
        (PageGroup(match=Globs(("guides/",))), False),
        (PageGroup(match=Globs()), False),
        (PageGroup(source=Globs(("*.md",))), True),
        (PageGroup(source=Globs(("*.rst",))), False),
        (PageGroup(language=LanguageCode("de")), True),
        (PageGroup(language=LanguageCode("de-AT")), False),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.md",)), language=LanguageCode("de")), True),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.md",)), language=LanguageCode("fr")), False),
        (PageGroup(match=Globs(("news/",)), source=Globs(("*.rst",))), False),
        (PageGroup(match=Globs(("guides/",)), language=LanguageCode("de")), False),
    ],
)
def test_a_group_contains_the_pages_that_match_all_its_conditions(group: PageGroup, *, holds: bool) -> None:
    assert group.holds(PAGE) is holds


@pytest.mark.parametrize("group", [Section(archive="year"), NewsGroup()])
def test_a_group_without_conditions_contains_no_page(group: PageGroup) -> None:
    assert not group.holds(PAGE)


@pytest.mark.parametrize(
    ("feeds", "are_written"),
    [
        (Feeds(), False),
        (Feeds(count=5, title=Title("What is new"), head_links=True), False),
        (Feeds(atom=FeedFile("a.xml")), True),
        (Feeds(rss=FeedFile("b.xml")), True),
    ],
)
def test_feeds_are_written_if_a_file_is_named(feeds: Feeds, *, are_written: bool) -> None:
    assert bool(feeds) is are_written


def test_the_defaults_of_a_feed_are_those_of_the_manual() -> None:
    assert Feeds(rss=FeedFile("b.xml")) == Feeds(
        rss=FeedFile("b.xml"), atom=None, count=50, title=None, head_links=False
    )
