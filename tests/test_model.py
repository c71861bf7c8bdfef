"""Common properties of all values in the model."""

import dataclasses
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from sitemap_plugins import media, model

NOUNS = [
    value
    for module in (model, media)
    for value in vars(module).values()
    if isinstance(value, type)
    and value.__module__ == module.__name__
    and (dataclasses.is_dataclass(value) or issubclass(value, msgspec.Struct))
]
BY_POSITION = {model.GzipOf}


def fields_of(noun: Any) -> tuple[str, ...]:
    """The names of the fields of a struct or a dataclass."""
    if issubclass(noun, msgspec.Struct):
        return noun.__struct_fields__
    return tuple(field.name for field in dataclasses.fields(noun))


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_values_are_frozen_and_have_no_other_attributes(noun: Any) -> None:
    names = fields_of(noun)
    value = noun(**dict.fromkeys(names))
    for name in (names[0], names[-1]):
        with pytest.raises(AttributeError):
            setattr(value, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            delattr(value, name)
    with pytest.raises((AttributeError, TypeError)):
        value.something_else = 1
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_values_are_made_by_keyword_and_compared_by_content(noun: Any) -> None:
    values = {name: (name,) for name in fields_of(noun)}
    if noun not in BY_POSITION:
        with pytest.raises(TypeError):
            noun(*values.values())
    assert noun(**values) == noun(**values)
    assert noun(**values) != noun(**dict.fromkeys(values))
    assert hash(noun(**values)) == hash(noun(**values))


@pytest.mark.parametrize("noun", [model.Entry, media.Image, media.Video, media.News])
def test_values_that_authors_change_in_hooks_are_dataclasses(noun: Any) -> None:
    value = noun(**dict.fromkeys(fields_of(noun)))
    name = fields_of(noun)[0]
    assert getattr(dataclasses.replace(value, **{name: "new"}), name) == "new"


def test_all_values_of_the_model_are_tested() -> None:
    assert {noun.__name__ for noun in NOUNS} == {
        *("Policy", "Site", "Language", "Markup", "Page", "Alternate", "Entry", "FileDate", "Dated", "Candidate"),
        *("Omitted", "Note", "Sitemap", "SitemapIndex", "Arrangement", "GzipOf", "OutputFile", "Result"),
        *("Image", "Restriction", "Video", "News", "FoundVideo", "Content", "FeedItem", "Feed", "FeedLink"),
    }


def test_two_pages_do_not_share_their_front_matter() -> None:
    first, second = (model.Page(loc="https://example.org/", name=name) for name in "ab")
    assert first.front_matter is not second.front_matter


def test_two_candidates_do_not_share_their_alternates() -> None:
    page = model.Page(loc="https://example.org/", name="a")
    first, second = (model.Candidate(page=page, path=path, entry=model.Entry(loc=page.loc)) for path in "ab")
    assert first.alternates is not second.alternates


def test_dates_are_unknown_by_default() -> None:
    page = model.Page(loc="https://example.org/", name="a")
    candidate = model.Candidate(page=page, path="", entry=model.Entry(loc=page.loc))
    assert candidate.dated == model.Dated() == model.Dated(lastmod=None, source=None, file=None)
    assert (page.source, page.sources, page.shown_dates) == (None, (), ())


def test_the_contents_of_a_page_are_unknown_by_default() -> None:
    page = model.Page(loc="https://example.org/", name="a")
    assert (page.markup, page.content, page.title) == (None, None, "")
    candidate = model.Candidate(page=page, path="", entry=model.Entry(loc=page.loc))
    assert (candidate.section, candidate.published, candidate.news) == (None, None, None)


def test_an_entry_has_only_a_loc_by_default() -> None:
    entry = model.Entry(loc="https://example.org/")
    assert (entry.lastmod, entry.changefreq, entry.priority, entry.news) == (None, None, None, None)
    assert (entry.alternates, entry.images, entry.videos) == ((), (), ())


def test_an_entry_can_be_a_key() -> None:
    video = media.Video(
        thumbnail_loc="t",
        title="t",
        description="d",
        content_loc="c",
        tags=("a",),
        restriction=media.Restriction(relationship="deny", values=("AT",)),
    )
    news = media.News(name="n", language="en", publication_date=datetime(2026, 3, 1, tzinfo=UTC), title="t")
    entry = model.Entry(loc="https://example.org/", images=(media.Image(loc="i"),), videos=(video,), news=news)
    assert len({entry, dataclasses.replace(entry), dataclasses.replace(entry, news=None)}) == 2
