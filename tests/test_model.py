"""What all the nouns have in common."""

import dataclasses

import pytest

from sitemap_plugins import model

NOUNS = [
    value for value in vars(model).values() if dataclasses.is_dataclass(value) and value.__module__ == model.__name__
]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: noun.__name__)
def test_values_are_frozen_slotted_and_made_by_keyword(noun: type) -> None:
    value = noun(**{field.name: None for field in dataclasses.fields(noun)})
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(noun)[0].name, 1)
    assert not hasattr(value, "__dict__")
    assert all(field.kw_only for field in dataclasses.fields(noun))


def test_the_nouns_are_found() -> None:
    assert {noun.__name__ for noun in NOUNS} >= {"Site", "Page", "Entry", "Sitemap", "OutputFile", "Note", "Result"}


def test_two_pages_do_not_share_their_front_matter() -> None:
    first, second = (model.Page(loc="https://example.org/", name=name) for name in "ab")
    assert first.front_matter is not second.front_matter


def test_what_nobody_knows_of_a_date_is_left_open() -> None:
    page = model.Page(loc="https://example.org/", name="a")
    candidate = model.Candidate(page=page, path="", entry=model.Entry(loc=page.loc))
    assert candidate.dated == model.Dated() == model.Dated(lastmod=None, source=None, file=None)
    assert (page.source, page.sources, page.shown) == (None, (), ())
