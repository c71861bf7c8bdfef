"""The tables of codes are those of the standards according to pycountry. A new edition shows what is missing here."""

import os
import subprocess
import sys

import pycountry

from sitemap_plugins.values.iso_639_3 import THREE_LETTER_LANGUAGES
from sitemap_plugins.values.language_codes import LANGUAGES, REGIONS, SCRIPTS, THREE_TO_TWO

# pycountry keeps "sh", which ISO 639-1 has withdrawn; so do RFC 5646 and the table. If a later pycountry drops it, it
# stays: sites in this language do not change with the standard.
KEPT = {"sh"}
SPECIAL = {"mis", "mul", "und", "zxx"}  # scope "S" in ISO 639-3: not a particular language


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


def test_three_letter_languages_are_those_of_iso_639_3_without_two_letters() -> None:
    known = {language.alpha_3 for language in pycountry.languages if not two_letters(language)}
    assert known - SPECIAL == THREE_LETTER_LANGUAGES
    assert len(THREE_LETTER_LANGUAGES) > 7000


def test_codes_have_the_case_of_their_standard() -> None:
    assert all(len(code) == 2 and code.islower() for code in LANGUAGES)
    assert all(len(code) == 4 and code.istitle() for code in SCRIPTS)
    assert all(len(code) == 2 and code.isupper() for code in REGIONS)
    assert all(len(code) == 3 and code.islower() and code.isascii() for code in THREE_LETTER_LANGUAGES)


def test_no_code_is_in_two_tables() -> None:
    assert set(THREE_TO_TWO.values()) <= LANGUAGES
    assert not set(THREE_TO_TWO) & THREE_LETTER_LANGUAGES


def test_the_large_table_is_read_only_for_a_three_letter_code() -> None:
    script = (
        "import sys; from sitemap_plugins.values.languages import agree, parse_language;"
        "parse_language('pt_BR'); agree('eng', 'en'); print('sitemap_plugins.values.iso_639_3' in sys.modules);"
        "parse_language('fil'); print('sitemap_plugins.values.iso_639_3' in sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    run = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True, env=environment, timeout=60
    )
    assert run.stdout.split() == ["False", "True"]
