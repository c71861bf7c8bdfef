"""Which pages are listed, and the reasons to leave out the others."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from sitemap_plugins.media import Image, News, Video
from sitemap_plugins.model import (
    DROP,
    Adjuster,
    Alternate,
    Candidate,
    Dated,
    Entry,
    FileDate,
    Markup,
    Omitted,
    Page,
    Site,
)
from sitemap_plugins.options.settings import Settings, read_settings
from sitemap_plugins.pages import omit as reasons
from sitemap_plugins.pages.omit import REASONS, explain, needs_content, noindex_in, omit, reason_in_markup
from sitemap_plugins.pages.selection import adjust, select, unmatched_notes
from tests.builders import candidate, options

BASE = "https://example.org/docs/"
LOC = f"{BASE}a/"
AS_OF = datetime(2026, 3, 1, tzinfo=UTC)
SITE = Site(base_url=BASE, as_of=AS_OF)
NOINDEX = Markup(robots=frozenset({"noindex"}))


def below(path: str = "a/", *, name: str = "", exclude: bool | None = None, **values: Any) -> Candidate:
    path_below = path or "index.html"
    return candidate(BASE + path, name=name or path, path=path_below, exclude=exclude, exclude_by="by whom", **values)


BY_AUTHOR = ("excluded", "by whom")
BY_OPTION = ("excluded", "by the option exclude")
GENERATED = ("generated", "it has no source file; the option generated_pages can list it")
CRAWLERS = ("noindex", "robots meta tag: noindex")
ELSEWHERE = Markup(canonicals=("../b/",))
AWAY = Markup(refresh="../c/")


@pytest.mark.parametrize(
    ("values", "settings", "reason"),
    [
        pytest.param({}, options(), None, id="an ordinary page"),
        pytest.param({"exclude": True}, options(), BY_AUTHOR, id="left out by its author"),
        pytest.param({}, options(exclude=["a/"]), BY_OPTION, id="left out by a glob"),
        pytest.param({"path": ""}, options(exclude="index.html"), BY_OPTION, id="the home page has a name"),
        pytest.param({"exclude": False}, options(exclude=["a/"]), None, id="the author before the glob"),
        pytest.param({"generated": True}, options(), None, id="generated, and the option is not set"),
        pytest.param({"generated": True}, options(generated_pages=False), GENERATED, id="generated and excluded"),
        pytest.param({"generated": True}, options(generated_pages="a/"), None, id="generated and matching"),
        pytest.param({"generated": True}, options(generated_pages="b/"), GENERATED, id="generated and not matching"),
        pytest.param({"markup": NOINDEX}, options(), CRAWLERS, id="noindex"),
        pytest.param(
            {"markup": NOINDEX, "exclude": False}, options(), CRAWLERS, id="noindex, although the author includes it"
        ),
        pytest.param({"markup": NOINDEX, "exclude": True}, options(), BY_AUTHOR, id="noindex and left out"),
        pytest.param({"markup": ELSEWHERE}, options(), ("canonical elsewhere", f"{BASE}b/"), id="canonical elsewhere"),
        pytest.param({"markup": AWAY}, options(), ("redirect", f"{BASE}c/"), id="redirect"),
        pytest.param(
            {"markup": structs.replace(AWAY, canonicals=("../b/",))},
            options(),
            ("redirect", f"{BASE}c/"),
            id="the redirect before the canonical link",
        ),
    ],
)
def test_a_page_is_left_out_for_the_first_reason(
    values: dict[str, Any], settings: Settings, reason: tuple[str, str] | None
) -> None:
    _, omitted, _ = select(SITE, [below(**values)], settings)
    assert [(each.reason, each.detail) for each in omitted] == ([reason] if reason else [])


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (Markup(), None),
        (Markup(robots=frozenset({"index", "follow", "noarchive", "noindexing"})), None),
        (Markup(robots=frozenset({"none", "noindex", "x"})), ("noindex", "robots meta tag: noindex, none")),
        # CAN-02: a canonical link to the page itself in another form is no reason.
        *(
            (Markup(canonicals=(href,)), None)
            for href in (
                LOC,
                "",
                "#top",
                "/docs/a/index.html",
                "https://EXAMPLE.org:443/docs/a/",
                "http://example.org/docs/a/",
                "/docs/a.html",
            )
        ),
        *(
            (Markup(canonicals=(href,)), ("canonical", target))
            for href, target in [
                ("../b/", f"{BASE}b/"),
                ("?page=2", f"{LOC}?page=2"),
                ("https://other.example/docs/a/", "https://other.example/docs/a/"),
                ("/docs/a.htmlx", "https://example.org/docs/a.htmlx"),
                ("mailto:me@example.org", "mailto:me@example.org"),
            ]
        ),
        (Markup(canonicals=("../b/", "./")), None),
        (Markup(canonicals=("../b/", "../c/")), ("canonical", f"{BASE}b/")),
        (Markup(refresh="./"), None),
        (Markup(refresh="index.html"), None),
        (Markup(refresh="../b/"), ("redirect", f"{BASE}b/")),
        (Markup(refresh="https://other.example/"), ("redirect", "https://other.example/")),
        (Markup(canonicals=("./",), refresh="../c/"), ("redirect", f"{BASE}c/")),
        (structs.replace(NOINDEX, canonicals=("../b/",), refresh="../c/"), CRAWLERS),
    ],
)
def test_tags_by_which_a_page_leaves_itself_out(markup: Markup, reason: tuple[str, str] | None) -> None:
    assert reason_in_markup(markup, LOC) == reason


@pytest.mark.parametrize(
    "href", ["http://[x", "//[", "http://[::1", "https://exa\uff0fmple.org/", "http://x:99999/", "http://a b/"]
)
@pytest.mark.parametrize(("name", "reason"), [("canonicals", "canonical"), ("refresh", "redirect")])
def test_an_invalid_link_does_not_end_the_build(name: str, reason: str, href: str) -> None:
    markup = Markup(canonicals=(href,)) if name == "canonicals" else Markup(refresh=href)
    found = reason_in_markup(markup, LOC)
    assert found is None or found[0] == reason


@pytest.mark.parametrize(
    ("date", "as_of", "is_past"),
    [
        ("2026-02-28", AS_OF, True),
        ("2026-03-01", AS_OF, False),
        ("2026-03-01T00:59:59+01:00", AS_OF, True),
        ("2026-03-01T00:00:01Z", AS_OF, False),
        ("2026-02-27T24:00:00Z", AS_OF, False),
        ("2026-02-27T10:00:00+01:60", AS_OF, False),
        ("28 Feb 2026 15:59:59 PST", AS_OF, True),
        ("28 Feb 2026 16:00:01 PST", AS_OF, False),
        ("Saturday, 28-Feb-26 15:00:00 UTC", AS_OF, True),
        ("2026-02-28", None, False),
        ("soon", AS_OF, False),
        ("1 Jan 99999999999 10:00:00", AS_OF, False),
        ("1 Jan 2020 10:00:00 +99999999", AS_OF, False),
    ],
)
def test_an_expired_page_is_left_out(date: str, as_of: datetime | None, *, is_past: bool) -> None:
    found = noindex_in(Markup(unavailable_after=("never", date)), as_of)
    assert found == ("robots meta tag: unavailable_after" if is_past else None)


texts = st.text() | st.text("0123456789 :,-+JanFebMonUTCz", max_size=30)


@given(texts, texts | texts.map("http://[{}".format), texts | texts.map("//{}".format))
def test_any_page_is_listed_or_left_out(date: str, canonical: str, refresh: str) -> None:
    markup = Markup(unavailable_after=(date,), canonicals=(canonical,), refresh=refresh)
    assert noindex_in(markup, AS_OF) in {None, "robots meta tag: unavailable_after"}
    found = reason_in_markup(markup, LOC)
    assert found is None or found[0] in {"noindex", "canonical", "redirect"}


def test_every_reason_has_its_own_wording_and_a_meaning() -> None:
    decided = {key for key, _ in (*reasons.BEFORE, *reasons.AFTER)}
    assert decided - REASONS.keys() == set(), "add rows with these keys to REASONS"
    assert len({reason.wording for reason in REASONS.values()}) == len(REASONS)
    assert [reason for reason in REASONS.values() if not reason.meaning.endswith(".")] == []


@pytest.mark.parametrize(("key", "reason"), [("too-large", "too large"), ("never written", "never written")])
def test_a_reason_from_the_table_or_from_a_host(key: str, reason: str) -> None:
    page = Page(loc=LOC, name="a.md")
    assert omit(page, key, "why") == Omitted(page=page, key=key, reason=reason, detail="why")


def test_of_two_pages_with_one_url_the_first_is_listed() -> None:
    candidates = [below(""), below(name="a.md"), below(name="a/index.md"), below(name="A.md")]
    listed, omitted, notes = select(SITE, candidates, Settings())
    assert [each.entry.loc for each in listed] == [BASE, LOC]
    assert [(each.page.name, each.reason, each.detail) for each in omitted] == [
        ("a/index.md", "duplicate URL", "the same as a.md"),
        ("A.md", "duplicate URL", "the same as a.md"),
    ]
    assert [(note.kind, note.page) for note in notes] == [("duplicate-url", "a/index.md"), ("duplicate-url", "A.md")]
    assert "a.md" in notes[0].message
    assert LOC in notes[0].message


@pytest.mark.parametrize(
    ("outputs", "kept", "lost"),
    [
        ((None, None), "a.md", "b.md"),
        (("a/index.html", None), "a.md", "b.md"),
        (("a/index.html", "b/index.html"), "a.md", "b.md"),
        (("a/index.html", "a/index.html"), "b.md", "a.md"),
    ],
)
def test_of_two_pages_with_one_file_the_last_written_is_listed(
    outputs: tuple[str | None, str | None], kept: str, lost: str
) -> None:
    both = [
        structs.replace(each, page=structs.replace(each.page, output=output))
        for each, output in zip([below(name="a.md"), below(name="b.md")], outputs, strict=True)
    ]
    listed, omitted, notes = select(SITE, [below(""), *both], Settings())
    assert [each.page.name for each in listed[1:]] == [kept]
    assert [(each.page.name, each.detail) for each in omitted] == [(lost, f"the same as {kept}")]
    assert [(note.kind, note.page) for note in notes] == [("duplicate-url", lost)]


@pytest.mark.parametrize("name", ["index.htm", "index"])
def test_the_home_page_can_have_another_suffix(name: str) -> None:
    assert select(SITE, [below(name), below()], Settings())[2] == []
    home = omit(Page(loc=BASE + name, name="index.md"), "draft")
    _, _, (note,) = select(SITE, [below()], Settings(), (), [home])
    why = "although search engines start there (index.md is left out: draft)"
    assert note.message == f"the home page {BASE} is not in the sitemap, {why}"


def test_a_page_that_is_left_out_does_not_count_as_a_duplicate() -> None:
    candidates = [below(""), below(name="draft.md", exclude=True), below(name="a.md")]
    listed, _, notes = select(SITE, candidates, Settings())
    assert [each.entry.loc for each in listed] == [BASE, LOC]
    assert notes == []


def test_two_pages_that_differ_only_in_form_are_both_listed() -> None:
    # The host decides on the URLs; a server may answer differently for them.
    listed, _, notes = select(SITE, [below(path) for path in ("", "a", "a/")], Settings())
    assert len(listed) == 3
    assert notes == []


@pytest.mark.parametrize(
    ("candidates", "words"),
    [
        pytest.param([below("")], None, id="home page"),
        pytest.param([below("index.html")], None, id="home page by its file"),
        pytest.param([], None, id="no pages"),
        pytest.param([below()], "the site has none", id="no home page"),
        pytest.param(
            [below(), below("", name="index.md", exclude=True)], "index.md is left out: excluded", id="excluded"
        ),
        pytest.param([below(), below("index.html", markup=NOINDEX)], "index.html is left out: noindex", id="noindex"),
        pytest.param([below(), below("b/", exclude=True)], "the site has none", id="another page excluded"),
        pytest.param(
            [below("", name="a.md", entry=Entry(loc=f"{BASE}start/"))], f"a.md is listed as {BASE}start/", id="moved"
        ),
    ],
)
def test_a_home_page_that_is_missing_is_noted(candidates: list[Candidate], words: str | None) -> None:
    """A site may have no home page, unless a script of its theme looks for it in the sitemap."""
    _, _, notes = select(structs.replace(SITE, theme_reads_sitemap=True), candidates, Settings())
    assert [note.kind for note in notes] == ([] if words is None else ["home-left-out"])
    assert [note for note in notes if not (str(words) in note.message and "theme" in note.message)] == []
    _, _, notes = select(SITE, candidates, Settings())
    is_noted = words not in {None, "the site has none"}
    assert [note.kind for note in notes] == (["home-left-out"] if is_noted else [])
    assert [note for note in notes if not (str(words) in note.message and "theme" not in note.message)] == []


def hook(answer: Any) -> Adjuster:
    return Adjuster("hooks:answer", lambda _entry, _page: answer)


def changed(**values: Any) -> Adjuster:
    return Adjuster("hooks:change", lambda entry, _page: replace(entry, **values))


def raising(error: Exception) -> Adjuster:
    def fail(entry: Entry, page: Page) -> None:
        del entry, page
        raise error

    return Adjuster("hooks:fail", fail)


@pytest.mark.parametrize(
    ("hooks", "entry"),
    [
        ([hook(None)], Entry(loc=LOC)),
        ([changed(priority=0.3)], Entry(loc=LOC, priority=0.3)),
        ([changed(priority=0.3), changed(changefreq="daily")], Entry(loc=LOC, priority=0.3, changefreq="daily")),
        ([changed(loc=f"{BASE}b/")], Entry(loc=f"{BASE}b/")),
    ],
)
def test_hooks_change_an_entry_one_after_the_other(hooks: list[Adjuster], entry: Entry) -> None:
    assert adjust(below(), hooks, BASE) == (entry, None, [])


def test_the_next_hook_is_not_called_for_a_page_that_a_hook_left_out() -> None:
    listed, omitted, notes = select(SITE, [below(""), below()], Settings(), [hook(DROP), raising(ValueError())])
    assert listed == []
    assert [(each.reason, each.detail) for each in omitted] == [("by a hook", "hooks:answer")] * 2
    assert notes == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        pytest.param(raising(KeyError("x")), "hooks:fail raised KeyError: 'x'", id="raises"),
        pytest.param(hook(5), "hooks:answer returned int, not an Entry, None or DROP", id="returns a number"),
        pytest.param(
            changed(loc="b/"), "hooks:change gave it the URL 'b/', which is not an absolute", id="relative URL"
        ),
        pytest.param(
            changed(loc="https://example.org/"),
            "hooks:change gave it the URL 'https://example.org/', which is not below",
            id="above",
        ),
        pytest.param(changed(loc=None), "hooks:change", id="no URL"),
        pytest.param(changed(priority=7), "hooks:change", id="invalid priority"),
        pytest.param(changed(changefreq="sometimes"), "hooks:change", id="invalid changefreq"),
        pytest.param(changed(lastmod="yesterday"), "hooks:change", id="lastmod as text"),
        pytest.param(
            changed(alternates=(Alternate(hreflang="fr", href=f"{BASE}fr/"),)),
            "hooks:change gave it alternates, which are determined later",
            id="alternates",
        ),
        pytest.param(
            changed(news=News(name="n", language="en", publication_date=AS_OF, title="t")),
            "hooks:change gave it news, which it cannot set",
            id="news",
        ),
        pytest.param(changed(images=(Image(loc="a.png"),)), "hooks:change gave it an image whose URL is", id="image"),
    ],
)
def test_a_failing_hook_is_named_and_the_page_is_unchanged(wrong: Adjuster, words: str) -> None:
    hooks = [changed(priority=0.2), wrong, changed(changefreq="daily")]
    entry, reason, notes = adjust(below(name="a.md"), hooks, BASE)
    assert entry == Entry(loc=LOC, priority=0.2, changefreq="daily")
    assert reason is None
    assert [(note.kind, note.page) for note in notes] == [("hook", "a.md")]
    assert notes[0].message.startswith(words)
    assert notes[0].message.endswith("; the page is listed as it was")


def test_a_url_from_a_hook_is_encoded_like_any_other() -> None:
    entry, _, notes = adjust(below(), [changed(loc=f"{BASE}é b/#part")], BASE)
    assert entry.loc == f"{BASE}%C3%A9%20b/"
    assert notes == []


def test_a_time_without_a_zone_from_a_hook_is_a_date_as_in_front_matter() -> None:
    entry, _, notes = adjust(below(), [changed(lastmod=datetime(2026, 3, 1, 9))], BASE)  # noqa: DTZ001  # deliberate
    assert entry.lastmod == date(2026, 3, 1)
    assert notes == []


VIDEO = Video(thumbnail_loc=f"{BASE}a.jpg", title="A title", description="What it shows", content_loc=f"{BASE}a.mp4")


def test_images_and_videos_from_a_hook_are_encoded_too() -> None:
    given = {"images": [Image(loc=f"{BASE}é b.png#x")], "videos": [VIDEO]}
    entry, _, notes = adjust(below(), [changed(**given)], BASE)
    assert entry == Entry(loc=LOC, images=(Image(loc=f"{BASE}%C3%A9%20b.png"),), videos=(VIDEO,))
    assert notes == []


@pytest.mark.parametrize(("engines", "longest"), [([], 2047), (["bing", "yandex"], 1024)])
def test_a_url_from_a_hook_can_be_as_long_as_the_engines_allow(engines: list[str], longest: int) -> None:
    """SM-LOC-03, and the tighter limit of Yandex."""
    for length in (longest, longest + 1):
        loc = BASE + "b" * (length - len(BASE))
        listed, _, notes = select(SITE, [below("")], options(engines=engines), [changed(loc=loc)])
        assert [each.entry.loc for each in listed] == [loc if length == longest else BASE]
        assert [note.kind for note in notes] == (["home-left-out"] if length == longest else ["hook"])
    assert f"{longest} are allowed{' by Yandex' if longest == 1024 else ''}; the page" in notes[0].message


def test_a_listed_candidate_has_the_entry_that_the_hooks_returned() -> None:
    each = structs.replace(below(""), dated=Dated(file=FileDate(when=None, reason="older than the shallow clone")))
    ((found,), _, _) = select(SITE, [each], Settings(), [changed(priority=0.3)])
    assert found == structs.replace(each, entry=Entry(loc=BASE, priority=0.3))


def test_a_hook_can_give_two_pages_one_url() -> None:
    listed, omitted, notes = select(SITE, [below(""), below()], Settings(), [changed(loc=BASE)])
    assert [each.entry.loc for each in listed] == [BASE]
    assert [each.reason for each in omitted] == ["duplicate URL"]
    assert [note.kind for note in notes] == ["duplicate-url"]


def test_a_hook_that_exits_is_handled_like_one_that_raises() -> None:
    entry, _, (note,) = adjust(below(), [raising(SystemExit(1))], BASE)
    assert entry == below().entry
    assert note.message.startswith("hooks:fail raised SystemExit: 1 (test_omit.py, line ")


SEEN = "match is for the path of the URL, source for the path of the source file"
RELATIVE = "relative to the folder of the documents, with slashes: write"


@pytest.mark.parametrize(
    ("written", "messages"),
    [
        ({"exclude": ["drafts/**", "!drafts/a/"]}, ["exclude: 'drafts/**'", "exclude: '!drafts/a/'"]),
        ({"exclude": ["guides/**", "!guides/a/"]}, []),
        (
            {"exclude": ["guide/a", "else/"]},
            [
                "exclude: 'guide/a' matches no page; globs match the path of the URL; did you mean 'guides/a/'?",
                "exclude: 'else/' matches no page; globs match the path of the URL, such as guides/install/",
            ],
        ),
        (
            {"exclude": ["!guides/a/"]},
            ["exclude: '!guides/a/' re-includes what an earlier glob excludes, but there is"],
        ),
        (
            {"exclude": ["a.md"]},
            [
                "exclude: 'a.md' matches no page, only the source file a.md; globs match the path of the URL: write 'guides/a/'"
            ],
        ),
        (
            {"pages": [{"match": "guides/**"}, {"source": "docs/*"}, {"match": "guides/**", "source": "b.md"}]},
            ["pages[1]", "pages[2]"],
        ),
        (
            {
                "pages": [{"source": "site\\docs\\a.*"}, {"source": "./a.md"}, {"match": "b/", "source": "a.md"}],
                "sections": {"all": {"source": "docs/*.md"}},
                "news": {"source": "docs/**/b.md"},
            },
            [
                f"pages[0]: the rule matches no page; {SEEN}, {RELATIVE} 'a.*'",
                f"pages[1]: the rule matches no page; {SEEN}, {RELATIVE} 'a.md'",
                "pages[2]",
                f"sections.all: it matches no page; {SEEN}, {RELATIVE} '*.md'",
                "news",
            ],
        ),
        ({"generated_pages": ["guides/*", "b/"]}, ["generated_pages: 'guides/*'", "generated_pages: 'b/'"]),
        ({"generated_pages": True}, []),
        ({"generated_pages": False}, []),
        ({"expose": True, "lastmod": []}, ["expose: it has no effect without lastmod"]),
        ({"expose": True, "lastmod": ["page"]}, []),
    ],
)
def test_a_glob_or_a_rule_that_matches_no_page_is_named(written: dict[str, Any], messages: list[str]) -> None:
    settings, mistakes = read_settings(written)
    assert mistakes == []
    page = Page(loc=f"{BASE}guides/a/", name="a.md")
    found = unmatched_notes([Candidate(page=page, path="guides/a/", entry=Entry(loc=page.loc))], settings)
    assert [note.kind for note in found] == ["unmatched"] * len(messages)
    assert [
        (note, words) for note, words in zip(found, messages, strict=True) if not note.message.startswith(words)
    ] == []


@pytest.mark.parametrize(
    ("written", "pages", "messages"),
    [
        (["**/*.pdf", "!**/b.pdf"], [below("a.pdf", output="a.pdf")], ["files: '!**/b.pdf'"]),
        # The output path of any page counts; paths outside the output do not.
        (["a/*"], [below("a/", output="a/index.html", markup=Markup())], []),
        (["b/*"], [below("a/", output="a/index.html", markup=Markup())], ["files: 'b/*'"]),
        (["a/"], [below("a/")], ["files: 'a/'"]),
    ],
)
def test_a_glob_that_matches_no_file_is_named(written: list[str], pages: list[Candidate], messages: list[str]) -> None:
    found = unmatched_notes(pages, options(files=written))
    assert [note.kind for note in found] == ["unmatched"] * len(messages)
    assert [
        (note, words) for note, words in zip(found, messages, strict=True) if not note.message.startswith(words)
    ] == []


def test_a_glob_for_generated_pages_that_matches_one_is_not_named() -> None:
    pages = [below("_modules/a/", generated=True), below("b/")]
    (note,) = unmatched_notes(pages, options(generated_pages=["_modules/**", "!b/"]))
    assert note.message.startswith("generated_pages: '!b/'")


@pytest.mark.parametrize(
    ("written", "values", "names"),
    [
        ({"guides": "guides/**", "other": "other/**"}, {}, ["guides", "other"]),
        ({"here": "a/", "other": {"source": "*.rst"}}, {}, ["other"]),
        ({"guides": "guides/**"}, {"section": "guides"}, []),
        ({"german": {"language": "de"}, "english": {"language": "en"}}, {"language": "en_GB"}, ["german", "english"]),
        ({"empty": {}}, {}, ["empty"]),
    ],
)
def test_a_section_without_a_page_is_named(written: dict[str, Any], values: dict[str, Any], names: list[str]) -> None:
    section = values.pop("section", None) if (values := dict(values)) else None
    pages = [structs.replace(below(name="a.md", **values), section=section)]
    found = unmatched_notes(pages, options(sections=written))
    assert [(note.kind, note.message.partition(":")[0]) for note in found] == [
        ("unmatched", f"sections.{name}") for name in names
    ]


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ({"image_hosts": ["*"]}, "image_hosts: it has no effect without images: true"),
        ({"image_hosts": ["*"], "images": "separate"}, None),
        ({"content_selector": "main"}, "content_selector: it has no effect without feeds, images, videos or news"),
        ({"content_selector": "main", "videos": True}, None),
        ({"content_selector": "main", "feeds": {"rss": "feed.xml"}}, None),
    ],
)
def test_an_option_without_effect_is_named(written: dict[str, Any], message: str | None) -> None:
    found = unmatched_notes([below()], options(**written))
    assert [(note.kind, note.message.partition(",")[0]) for note in found] == (
        [("unmatched", message.partition(",")[0])] if message else []
    )


@pytest.mark.parametrize(("number", "more"), [(1, ""), (2, " (and 1 more page)"), (4, " (and 3 more pages)")])
def test_news_of_a_site_without_a_news_sitemap_are_named(number: int, more: str) -> None:
    pages = [structs.replace(below(name=f"{each}.md"), news=True) for each in range(number)]
    pages += [structs.replace(below(name=f"{each}.md"), news=each) for each in (None, False)]
    (note,) = unmatched_notes(pages, options())
    assert (note.kind, note.message) == ("unmatched", f"news: true in 0.md{more} has no effect without the option news")


SET_LANGUAGE = "to set the language of the publication, use publication_language"


@pytest.mark.parametrize(
    ("written", "news", "messages"),
    [
        ({"match": "blog/**"}, None, ["news: it matches no page"]),
        ({"match": "blog/**"}, True, []),
        ({"match": "a/"}, None, []),
        ({"name": "A name"}, False, ["news: it matches no page"]),
        ({"language": "en"}, None, ["news: it matches no page", SET_LANGUAGE]),
        ({"language": "en", "publication_language": "en"}, None, ["news: it matches no page"]),
    ],
)
def test_news_without_a_page_are_named(written: dict[str, Any], news: bool | None, messages: list[str]) -> None:
    found = unmatched_notes([structs.replace(below(), news=news)], options(news=written))
    said = [part for note in found for part in note.message.split("; ") if not part.startswith("match is")]
    assert said == messages


@pytest.mark.parametrize(
    ("written", "needs"),
    [
        ({}, False),
        ({"images": True}, True),
        ({"feeds": {"rss": "a.xml"}}, True),
        ({"news": {"match": "news/**"}}, True),
        ({"feeds": {"rss": None, "count": 7}, "sections": {"a": "a/"}, "text": True, "image_hosts": ["a"]}, False),
    ],
)
def test_the_content_of_pages_is_read_only_if_an_option_needs_it(written: dict[str, Any], *, needs: bool) -> None:
    assert needs_content(options(**written)) is needs


def test_no_message_prints_more_than_200_characters_of_a_url() -> None:
    far = "https://example.org/" + "a" * 2028
    ((), (left_out,), _) = select(SITE, [below(markup=Markup(canonicals=(far,)))], Settings())
    assert explain(left_out).endswith(f" ({far[:200]})")
