"""Languages: their codes in the form of hreflang, or refused with a suggestion, their tables, names and words."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemap_plugins.values.language_names import _NAMES, _WORDS, direction_of, own_name, words_in
from sitemap_plugins.values.languages import (
    _COUNTRY_FIRST_BY_CASE,
    _LANGUAGE_SLIPS,
    _PROBABLY_MEANT,
    _REGION_SLIPS,
    LANGUAGES,
    REGIONS,
    SCRIPTS,
    THREE_LETTER_LANGUAGES,
    THREE_TO_TWO,
    InvalidLanguageError,
    agree,
    code_of,
    parse_language,
    primary_language,
    probably_meant,
)
from tests.values import language_tables

NO_LANGUAGE = "is not a language code that search engines know"
NO_CODE = "is not a language code such as 'en' or 'pt-BR'"
NAMES_NONE = "is a code that names no language, and search engines would ignore it"
NO_COUNTRY = "has a region that is not a country code (ISO 3166-1)"
NUMBERED = "has a UN M.49 region, but hreflang accepts only countries"
THREE_LETTERS = "has three letters, although the language has a two-letter code"
COUNTRY_FIRST = "names the country before the language"
TOO_MUCH = "has more than a language, a script and a country, in this order, which is all that hreflang accepts"

codes = st.builds(
    "-".join,
    st.tuples(st.sampled_from([*sorted(LANGUAGES), "fil", "yue", "ast"]))
    | st.tuples(st.sampled_from(sorted(LANGUAGES)), st.sampled_from(sorted(REGIONS)))
    | st.tuples(st.sampled_from(sorted(LANGUAGES)), st.sampled_from(sorted(SCRIPTS)), st.sampled_from(sorted(REGIONS))),
)
# Text that looks like a code, often almost a valid one.
subtags = st.one_of(
    st.sampled_from([*sorted(LANGUAGES), *sorted(_LANGUAGE_SLIPS), "fil", "yue", "xyz", "eng", "ger", "x", "u", ""]),
    st.sampled_from(
        ["Hans", "hant", "LATN", "Qqqq", "419", "001", "1996", "valencia", "cmn", "UTF-8", "euro", "latin"]
    ),
    st.sampled_from([*sorted(REGIONS), *_REGION_SLIPS, "EN", "EU", "YU"]),
    st.text(max_size=3),
)
nearly = st.lists(st.tuples(subtags, st.sampled_from("-_.@")), min_size=1, max_size=5).map(
    lambda pairs: "".join(subtag + separator for subtag, separator in pairs)[:-1]
)
texts = st.text() | nearly | nearly.map(str.lower) | nearly.map(str.upper) | codes


def parsed(text: str) -> str | InvalidLanguageError:
    try:
        return parse_language(text)
    except InvalidLanguageError as error:
        return error


def error_of(text: str) -> InvalidLanguageError:
    with pytest.raises(InvalidLanguageError) as caught:
        parse_language(text)
    return caught.value


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("en", "en"),
        (" en\n", "en"),
        ("pt-br", "pt-BR"),
        ("DE-at", "de-AT"),
        ("zh-hans-cn", "zh-Hans-CN"),
        ("ZH_HANT_TW", "zh-Hant-TW"),
        ("sr-Latn_RS", "sr-Latn-RS"),
        ("uk-GB", "uk-GB"),
        ("ca-fr", "ca-FR"),
        ("br-fr", "br-FR"),
        ("sh", "sh"),
    ],
)
def test_a_language_is_parsed_in_any_case_and_with_any_separator(written: str, code: str) -> None:
    """HL-06."""
    assert parse_language(written) == code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("sr@latin", "sr-Latn"),
        ("sr_RS@latin", "sr-Latn-RS"),
        ("sr_RS.UTF-8@latin", "sr-Latn-RS"),
        ("uz_UZ@cyrillic", "uz-Cyrl-UZ"),
        ("de_DE.UTF-8", "de-DE"),
        ("de_DE.utf8@EURO", "de-DE"),
        ("zh_TW.Big5", "zh-TW"),
        ("ja_JP.ISO-2022_JP", "ja-JP"),
    ],
)
def test_a_posix_locale_is_parsed(written: str, code: str) -> None:
    assert parse_language(written) == code


@pytest.mark.parametrize(
    ("written", "code"),
    [
        *(("fil", "fil"), ("FIL", "fil"), ("yue", "yue"), ("yue_hant_hk", "yue-Hant-HK"), ("cmn-CN", "cmn-CN")),
        *(("hsb", "hsb"), ("kab_DZ", "kab-DZ"), ("szl", "szl"), ("ber_MA", "ber-MA"), ("nan_TW@latin", "nan-Latn-TW")),
    ],
)
def test_three_letters_are_kept_if_there_are_no_two(written: str, code: str) -> None:
    assert parse_language(written) == parse_language(written, only_known=True) == code


@pytest.mark.parametrize(
    ("written", "code"), [("xyz", "xyz"), ("API", "api"), ("tlh_us", "tlh-US"), ("sgn-BR", "sgn-BR")]
)
def test_three_letters_that_no_table_has_count_unless_they_may_mean_something_else(written: str, code: str) -> None:
    assert parse_language(written) == code
    assert code_of(written) == code
    assert code_of(written, only_known=True) == ""
    with pytest.raises(InvalidLanguageError, match=f"^{NO_CODE}$"):
        parse_language(written, only_known=True)


@pytest.mark.parametrize(
    ("written", "suggestion", "why"),
    [
        ("en-UK", "en-GB", NO_COUNTRY),
        ("uk-UK", "uk-UA", NO_COUNTRY),
        ("en-USA", "en-US", NO_COUNTRY),
        ("en-EN", "en", NO_COUNTRY),
        ("zh-Hans-XX", "zh-Hans", NO_COUNTRY),
        ("sr_YU@latin", "sr-Latn", NO_COUNTRY),
        ("kr-KO", "ko", NO_COUNTRY),
        ("jp", "ja", NO_LANGUAGE),
        ("cz-CZ", "cs-CZ", NO_LANGUAGE),
        ("cn-Hant-TW", "zh-Hant-TW", NO_LANGUAGE),
        ("cn-TW", "zh-TW", NO_LANGUAGE),
        ("ua-UK", "uk-UA", COUNTRY_FIRST),
        ("iw_IL", "he-IL", NO_LANGUAGE),
        ("US-en", "en-US", COUNTRY_FIRST),
        ("us-EN", "en-US", COUNTRY_FIRST),
        ("UK-en", "en-GB", COUNTRY_FIRST),
        ("BR-pt", "pt-BR", COUNTRY_FIRST),
        ("CA-fr", "fr-CA", COUNTRY_FIRST),
        ("ca-en", "en-CA", COUNTRY_FIRST),
        ("kr-ko", "ko-KR", COUNTRY_FIRST),
        ("at-de", "de-AT", COUNTRY_FIRST),
        ("cn-tw", "zh-TW", COUNTRY_FIRST),
        ("es-419", "es", NUMBERED),
        ("zh-Hant-030", "zh-Hant", NUMBERED),
        ("eng", "en", THREE_LETTERS),
        ("ger-DE", "de-DE", THREE_LETTERS),
        ("deu_DE.UTF-8", "de-DE", THREE_LETTERS),
        ("kau", "kr", THREE_LETTERS),
        ("ca@valencia", "ca", TOO_MUCH),
        ("ca-ES-valencia", "ca-ES", TOO_MUCH),
        ("de-CH-1996", "de-CH", TOO_MUCH),
        ("zh-cmn-Hans", "zh-Hans", TOO_MUCH),
        ("en-US-x-private", "en-US", TOO_MUCH),
        ("en-u-ca-gregory", "en", TOO_MUCH),
        ("zh-CN-Hans", "zh-Hans-CN", TOO_MUCH),
        ("sr-Cyrl@latin", "sr-Latn", TOO_MUCH),
        ("en-GB-US", "en-GB", TOO_MUCH),
        ("en-", "en", TOO_MUCH),
        ("en--US", "en-US", TOO_MUCH),
        ("de_DE.", "de-DE", TOO_MUCH),
        ("en.in short", "en", TOO_MUCH),
    ],
)
def test_text_that_is_almost_a_language_is_refused_with_a_suggestion(written: str, suggestion: str, why: str) -> None:
    """HL-07."""
    error = error_of(written)
    assert error.suggestion == suggestion
    assert str(error) == f"{why}; did you mean '{suggestion}'?"


@pytest.mark.parametrize(
    "written",
    [
        *("", " ", "-", "_", ".", "@latin", "C", "C.UTF-8", "POSIX", "null", "None", "english", "xx", "xx-US"),
        *("i-klingon", "x-private", "419", "en us", "en/US", "en,fr", "*"),
        *("in", "ge"),  # ambiguous
        *("én", "日本語", "\u212ao", "en\u2013US", "en\x00", "en-\x00", "e\nn", "en-US\x7f", "\ud800", "\x1cen"),
        *("en" * 100_000, "en-" * 100_000, "@" * 100_000, "en." + "a" * 100),
    ],
)  # fmt: skip
def test_other_text_is_refused(written: str) -> None:
    error = error_of(written)
    assert error.suggestion is None
    assert str(error) == NO_CODE


@pytest.mark.parametrize("written", ["und", "mul", "zxx", "mis", "UND", "und-US"])
def test_codes_that_name_no_language_are_refused(written: str) -> None:
    error = error_of(written)
    assert error.suggestion is None
    assert str(error) == NAMES_NONE


@pytest.mark.parametrize("written", ["x-default", "X-Default", "x_default", " x-default "])
def test_x_default_is_not_a_language(written: str) -> None:
    error = error_of(written)
    assert error.suggestion is None
    assert str(error) == "is not a language: it marks the default page"


@given(texts)
@example("BR-pt")
@example("en-\ud800")
def test_any_text_is_a_language_or_refused_with_a_valid_suggestion(text: str) -> None:
    result = parsed(text)
    if isinstance(result, str):
        assert parse_language(result) == result
        assert agree(text, result)
    elif result.suggestion:
        assert parse_language(result.suggestion) == result.suggestion


@given(codes)
def test_a_code_is_normalized_to_itself_in_any_spelling(code: str) -> None:
    assert parse_language(code) == code
    assert parse_language(code.lower()) == code
    assert parse_language(code.upper()) == code
    assert parse_language(code.replace("-", "_")) == code


def test_every_three_letter_code_suggests_its_two_letters() -> None:
    assert {three: error_of(three).suggestion for three in THREE_TO_TWO} == THREE_TO_TWO


@pytest.mark.parametrize(("slip", "meant"), _LANGUAGE_SLIPS.items())
def test_every_typo_suggests_a_valid_code(slip: str, meant: str) -> None:
    assert slip not in LANGUAGES
    assert error_of(slip).suggestion == parse_language(meant) == meant
    if "-" not in meant:
        assert error_of(f"{slip}-{slip}".upper()).suggestion in {meant, f"{meant}-{slip.upper()}"}


@pytest.mark.moving
def test_the_languages_of_sphinx_are_known() -> None:
    folders = language_tables.locales()["Sphinx"]
    assert {"pt_BR", "sr@latin"} <= set(folders)
    results = {name: parsed(name) for name in folders}
    refused = {name: error.suggestion for name, error in results.items() if isinstance(error, InvalidLanguageError)}
    assert refused.items() <= {"ca@valencia": "ca"}.items()


@pytest.mark.moving
def test_the_locales_of_posix_are_known_or_have_a_suggestion() -> None:
    results = {name: parsed(name) for name in language_tables.locales()["POSIX"]}
    hopeless = {
        name for name, error in results.items() if isinstance(error, InvalidLanguageError) and not error.suggestion
    }
    # They were never standard codes.
    assert {name.partition("_")[0].partition(".")[0] for name in hopeless} <= {"C", "pd", "ph", "pp"}


@pytest.mark.moving
def test_the_locales_of_cldr_keep_their_language() -> None:
    for name in language_tables.locales()["CLDR"]:
        result = parsed(name)
        code = result if isinstance(result, str) else result.suggestion
        assert code is not None
        assert code.partition("-")[0] == name.partition("_")[0]
        assert probably_meant(code) is None


@pytest.mark.parametrize(
    ("code", "meant"),
    [
        ("kr", "ko"),
        ("kr-KR", "ko-KR"),
        ("kr-NG", None),
        ("br-PT", "pt-BR"),
        ("br-FR", None),
        ("se-SE", None),
        ("sv-SV", "sv-SE"),
        ("tw-GH", None),
        ("ca-FR", None),
        ("ar-ES", None),
        ("cmn", "zh"),
        ("cmn-Hans-CN", "zh-Hans-CN"),
        ("en", None),
        *((code, None) for code in ("am-ET", "ar-EG", "ee-TG", "la-VA", "my-MM", "si-LK", "sl-SI", "sr-RS", "sv-AX")),
    ],
)
def test_a_valid_code_can_be_a_typo(code: str, meant: str | None) -> None:
    assert parse_language(code) == code
    assert probably_meant(code) == meant


@pytest.mark.parametrize(("code", "meant"), (_PROBABLY_MEANT | _COUNTRY_FIRST_BY_CASE).items())
def test_a_typo_and_its_suggestion_are_both_valid(code: str, meant: str) -> None:
    assert parse_language(code) == code
    assert parse_language(meant) == meant
    assert probably_meant(meant) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("en", "en"),
        ("en", "EN "),
        ("pt", "pt-BR"),
        ("zh-Hans", "zh-CN"),
        ("sr@latin", "sr-Latn-RS"),
        ("no", "nb"),
        ("nb-NO", "no"),
        ("eng", "en"),
        ("ger", "deu"),
        *(("iw", "he"), ("in", "id"), ("jw", "jv"), ("ji", "yi"), ("mo", "ro")),
        ("cmn", "zh"),
        ("fil", "tl"),
        ("es-419", "es-MX"),
        ("ca@valencia", "ca-ES"),
        ("xx-YY", "xx"),
        ("C", "c"),
        ("", " "),
        ("\ud800", "\ud800"),
    ],
)
def test_languages_that_one_page_can_have_agree(first: str, second: str) -> None:
    assert agree(first, second)
    assert agree(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("en", "fr"),
        ("pt-PT", "pt-BR"),
        ("zh-Hans", "zh-Hant"),
        ("sr_RS@latin", "sr-Cyrl"),
        ("nn", "nb"),
        ("jp", "ja"),
        ("x-default", "en"),
        ("", "en"),
        ("en\x00", "en"),
    ],
)
def test_languages_of_two_pages_do_not_agree(first: str, second: str) -> None:
    assert not agree(first, second)
    assert not agree(second, first)


@pytest.mark.parametrize(
    ("code", "language"),
    [("pt-BR", "pt"), ("zh_Hans-CN", "zh"), ("nb", "no"), ("no", "no"), ("jp", ""), ("x-default", ""), ("", "")],
)
def test_a_code_has_one_language_without_script_and_country(code: str, language: str) -> None:
    assert primary_language(code) == language


@given(texts, texts)
def test_agreement_is_reflexive_and_symmetric(first: str, second: str) -> None:
    assert agree(first, first)
    assert agree(f" {first}", f"{first} ")
    assert agree(first, second) == agree(second, first)


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


@pytest.mark.parametrize(("code", "name"), [("fr", "Français"), ("pt-BR", "Português"), ("xx", "xx"), ("", "")])
def test_a_language_has_its_own_name(code: str, name: str) -> None:
    assert own_name(code) == name


def test_every_name_is_that_of_a_known_language() -> None:
    assert {*_NAMES} <= LANGUAGES | THREE_LETTER_LANGUAGES
    assert [name for name in _NAMES.values() if name != name.strip() or name[0] != name[0].upper()] == []


@pytest.mark.parametrize(
    ("code", "direction"), [("ar", "rtl"), ("he-IL", "rtl"), ("az-Arab", "rtl"), ("ar-Latn", "ltr")]
)
def test_the_script_of_a_language_decides_its_direction(code: str, direction: str) -> None:
    assert direction_of(code) == direction


@pytest.mark.parametrize("code", _NAMES)
def test_the_direction_is_that_of_the_letters_in_the_name(code: str) -> None:
    is_rtl = any(unicodedata.bidirectional(letter) in {"R", "AL"} for letter in own_name(code))
    assert direction_of(code) == ("rtl" if is_rtl else "ltr")


@pytest.mark.parametrize(
    ("code", "title"),
    [
        ("fr-CA", "Plan du site"),
        ("zh-Hant", "網站地圖"),
        ("zh-TW", "網站地圖"),
        ("mi", "Sitemap"),
        ("", "Sitemap"),
        ("en!", "Sitemap"),
    ],
)
def test_the_words_are_in_the_language_or_in_english(code: str, title: str) -> None:
    assert words_in(code).title == title


@pytest.mark.parametrize("code", _WORDS)
def test_words_are_kept_under_the_codes_of_hreflang(code: str) -> None:
    assert parse_language(code) == code
    assert all(_WORDS[code])
