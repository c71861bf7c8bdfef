"""The tables of language codes: their form, and, in the session ``latest``, the newest editions of the standards."""

import pytest

from sitemap_plugins.values.languages import LANGUAGES, REGIONS, SCRIPTS, THREE_LETTER_LANGUAGES, THREE_TO_TWO
from tests.values import language_tables


@pytest.mark.moving
def test_codes_are_those_of_the_standards() -> None:
    """HL-06. If it fails, run ``python -m tests.values.language_tables`` and read what changed."""
    assert language_tables.languages() == LANGUAGES
    assert language_tables.scripts() == SCRIPTS
    assert language_tables.regions() == REGIONS
    assert language_tables.three_to_two() == THREE_TO_TWO


@pytest.mark.moving
def test_languages_of_all_locales_are_known() -> None:
    """HL-06. If it fails, run ``python -m tests.values.language_tables`` and read what changed."""
    assert language_tables.three_letter_languages() <= THREE_LETTER_LANGUAGES


@pytest.mark.moving
def test_three_letter_languages_are_in_iso_639_3_and_have_no_two_letters() -> None:
    known = {each.alpha_3 for each in language_tables.pycountry.languages if not language_tables.two_letters(each)}
    assert THREE_LETTER_LANGUAGES - known == {"ber"}  # the Berber languages (ISO 639-5), which glibc has a locale for


def test_no_code_is_lost() -> None:
    tables = (LANGUAGES, THREE_LETTER_LANGUAGES, SCRIPTS, REGIONS, THREE_TO_TWO)
    assert [len(table) for table in tables] == [184, 199, 226, 249, 204]


def test_no_usual_name_of_a_folder_is_a_three_letter_language() -> None:
    names = (
        "abi all any api app bib bin cli com css csv dev doc gui how ide kit lab lib log man max mdx min mod net new"
    )
    more = "old one org png pro rel sdk set src ssh sys tag tar tex tip top two url usr var web www xml"
    assert THREE_LETTER_LANGUAGES.isdisjoint(f"{names} {more}".split())


def test_codes_have_the_case_of_their_standard() -> None:
    assert [code for code in LANGUAGES if not (len(code) == 2 and code.islower())] == []
    assert [code for code in SCRIPTS if not (len(code) == 4 and code.istitle())] == []
    assert [code for code in REGIONS if not (len(code) == 2 and code.isupper())] == []
    assert [code for code in THREE_LETTER_LANGUAGES if not (len(code) == 3 and code.islower() and code.isascii())] == []


def test_no_code_is_in_two_tables() -> None:
    assert set(THREE_TO_TWO.values()) <= LANGUAGES
    assert not set(THREE_TO_TWO) & THREE_LETTER_LANGUAGES
