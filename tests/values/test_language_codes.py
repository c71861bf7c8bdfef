"""The tables of codes are those of the standards, according to pycountry and Babel. New editions show what is missing."""

import locale
import re
from pathlib import Path

import pycountry
import sphinx
from babel.localedata import locale_identifiers

from sitemap_plugins.values.language_codes import LANGUAGES, REGIONS, SCRIPTS, THREE_LETTER_LANGUAGES, THREE_TO_TWO

# pycountry keeps "sh", which ISO 639-1 has withdrawn; so do RFC 5646 and the table. If a later pycountry drops it, it
# stays: sites in this language do not change with the standard.
KEPT = {"sh"}


def two_letters(language: object) -> str | None:
    return getattr(language, "alpha_2", None)


def test_languages_are_those_of_iso_639_1() -> None:
    known = {code for language in pycountry.languages if (code := two_letters(language))}
    assert known | KEPT == LANGUAGES


def test_scripts_are_those_of_iso_15924() -> None:
    assert {script.alpha_4 for script in pycountry.scripts} == SCRIPTS


def test_regions_are_those_of_iso_3166_1() -> None:
    assert {country.alpha_2 for country in pycountry.countries} == REGIONS


def test_three_letter_codes_map_to_two_letters_of_the_same_language() -> None:
    known = {}
    for language in pycountry.languages:
        if code := two_letters(language):
            known[language.alpha_3] = code
            known[getattr(language, "bibliographic", language.alpha_3)] = code
    assert known | {"hbs": "sh"} == THREE_TO_TWO


def test_three_letter_languages_are_those_with_a_locale() -> None:
    """HL-06: in CLDR as Babel reads it, in glibc (the source of Python's aliases), or in Sphinx."""
    sphinx_locales = [path.name for path in (Path(sphinx.__file__).parent / "locale").iterdir() if path.is_dir()]
    names = [*locale_identifiers(), *locale.locale_alias.values(), *sphinx_locales]
    known = {code for name in names if (code := re.split("[_.@]", name)[0]) and re.fullmatch("[a-z]{3}", code)}
    assert known <= THREE_LETTER_LANGUAGES
    assert len(THREE_LETTER_LANGUAGES) < 200


def test_three_letter_languages_are_in_iso_639_3_and_have_no_two_letters() -> None:
    known = {language.alpha_3 for language in pycountry.languages if not two_letters(language)}
    assert THREE_LETTER_LANGUAGES - known == {"ber"}  # the Berber languages (ISO 639-5), which glibc has a locale for


def test_no_usual_name_of_a_folder_is_a_three_letter_language() -> None:
    names = (
        "abi all any api app bib bin cli com css csv dev doc gui how ide kit lab lib log man max mdx min mod net new"
    )
    more = "old one org png pro rel sdk set src ssh sys tag tar tex tip top two url usr var web www xml"
    assert THREE_LETTER_LANGUAGES.isdisjoint(f"{names} {more}".split())


def test_codes_have_the_case_of_their_standard() -> None:
    assert all(len(code) == 2 and code.islower() for code in LANGUAGES)
    assert all(len(code) == 4 and code.istitle() for code in SCRIPTS)
    assert all(len(code) == 2 and code.isupper() for code in REGIONS)
    assert all(len(code) == 3 and code.islower() and code.isascii() for code in THREE_LETTER_LANGUAGES)


def test_no_code_is_in_two_tables() -> None:
    assert set(THREE_TO_TWO.values()) <= LANGUAGES
    assert not set(THREE_TO_TWO) & THREE_LETTER_LANGUAGES
