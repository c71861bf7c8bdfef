"""Languages as values: parsed from what people and programs write, compared, and written as in ``hreflang``."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from sitemap_plugins.values.language_codes import LANGUAGES, REGIONS, SCRIPTS, THREE_LETTER_LANGUAGES, THREE_TO_TWO

_WHITE_SPACE = " \t\n\r\f"
# Codes of ISO 639 that name no language: uncoded, several, undetermined, and no linguistic content.
_NO_LANGUAGE = frozenset({"mis", "mul", "und", "zxx"})
_LENGTH = 100  # No tag is longer, and finding the nearest code for a longer text would waste time.

# The modifiers of glibc locales that mean a script. Gettext also uses the codes of ISO 15924 (sr@Latn).
_MODIFIERS = {"latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva", "arabic": "Arab"}

_REGION_SLIPS = {"UK": "GB", "USA": "US"}

# Codes that people write for a language but that are not language codes: country codes, withdrawn codes ("iw"), and
# "sp". Countries with several languages are left out, and so are ambiguous codes: "in" was Indonesian and is India,
# "ge" is written for both Georgian and German.
_LANGUAGE_SLIPS = {
    "al": "sq", "at": "de-AT", "au": "en-AU", "bd": "bn", "by": "be", "cl": "es-CL", "cn": "zh", "cz": "cs", "dk": "da",
    "eg": "ar-EG", "gb": "en-GB", "gr": "el", "hk": "zh-HK", "il": "he", "ir": "fa", "iw": "he", "ji": "yi", "jp": "ja",
    "jw": "jv", "kh": "km", "kz": "kk", "mm": "my", "mx": "es-MX", "np": "ne", "nz": "en-NZ", "pe": "es-PE", "rs": "sr",
    "sp": "es", "tj": "tg", "tm": "tk", "ua": "uk", "us": "en-US", "vn": "vi",
}  # fmt: skip

# Valid codes that really are a country followed by a language: "br-PT" never means Breton in Portugal.
_COUNTRY_FIRST = {
    "ae-AR": "ar-AE", "be-FR": "fr-BE", "be-NL": "nl-BE", "br-PT": "pt-BR", "ch-DE": "de-CH", "ch-FR": "fr-CH",
    "ch-IT": "it-CH", "co-ES": "es-CO", "cr-ES": "es-CR", "cu-ES": "es-CU", "ee-ET": "et-EE", "my-MS": "ms-MY",
    "pa-ES": "es-PA", "sa-AR": "ar-SA", "se-SV": "sv-SE", "ve-ES": "es-VE",
}  # fmt: skip
# These are plausible in both orders, so their case decides. "CA-fr" is Canada, "ca-fr" is Catalan.
_COUNTRY_FIRST_BY_CASE = _COUNTRY_FIRST | {"ar-ES": "es-AR", "ca-FR": "fr-CA"}

# According to lists of frequent mistakes, authors write the country for the language ("kr" is Kanuri, which is rare on
# the web), the country or the language twice ("sv-SV" is Swedish in El Salvador), and Laos ("LA") for Latin America.
# "se" and "br" are left out, because there are pages in Northern Sami and in Breton. No CLDR locale is in this table.
_PROBABLY_MEANT = _COUNTRY_FIRST | {
    "am-AM": "hy-AM", "ar-AR": "ar", "br-BR": "pt-BR", "ee-EE": "et-EE", "es-LA": "es", "kr": "ko", "kr-KR": "ko-KR",
    "la-LA": "lo-LA", "my-MY": "ms-MY", "si-SI": "sl-SI", "sl-SL": "sl-SI", "sr-SR": "sr-RS", "sv-SV": "sv-SE",
    "tw-CN": "zh-TW", "tw-TW": "zh-TW",
}  # fmt: skip

# Languages with two codes: former codes, and codes that CLDR treats as equal.
_SAME_LANGUAGE = {"cmn": "zh", "fil": "tl", "in": "id", "iw": "he", "ji": "yi", "jw": "jv", "mo": "ro", "nb": "no"}


class InvalidLanguageError(ValueError):
    """A text is not a language code; the message completes the sentence "'en-UK' …".

    ``suggestion`` is the valid code that was probably meant, or None. The message ends with it.
    """

    def __init__(self, reason: str, suggestion: str | None = None) -> None:
        super().__init__(f"{reason}; did you mean {suggestion!r}?" if suggestion else reason)
        self.suggestion = suggestion


def parse_language(text: str, *, only_known: bool = False) -> str:
    """The ``hreflang`` of a language: ISO 639-1, optionally with ISO 15924 and ISO 3166-1 (``zh-Hans-CN``).

    The case, ``_`` for ``-``, and the encoding of a POSIX locale make no difference; its modifier can be a script
    (``sr_RS@latin``). Other languages have three letters, such as ``fil``. ``only_known`` is for names that may mean
    something else, such as those of folders: three letters are then a language only if `THREE_LETTER_LANGUAGES` has
    it, since ``api`` and ``doc`` are codes of ISO 639-3 too. Parsing the result again does not change it. Raises
    `InvalidLanguageError` for anything else, including ``x-default``, ``und`` and a language with two letters that is
    written with three.
    """
    if text in LANGUAGES:  # the usual case
        return text
    written = text.strip(_WHITE_SPACE)
    tag = _as_tag(written)
    if tag.lower() == "x-default":
        raise InvalidLanguageError("is not a language: it marks the default page")
    is_readable = written.isascii() and written.isprintable() and len(written) <= _LENGTH
    nearest = _nearest(tag, only_known=only_known) if is_readable else None
    if nearest is None:
        if tag.partition("-")[0].lower() in _NO_LANGUAGE:
            raise InvalidLanguageError("is a code that names no language, and search engines would ignore it")
        raise InvalidLanguageError("is not a language code such as 'en' or 'pt-BR'")
    if nearest.lower() != tag.lower():
        # Three letters are not a mistake for a country: "kau" does mean Kanuri.
        meant = None if tag[:3].lower() in THREE_TO_TWO else probably_meant(nearest)
        raise InvalidLanguageError(_reason(tag, nearest), meant or nearest)
    return nearest


@lru_cache(maxsize=1000)  # the pages of a site say the same few
def code_of(text: str, *, only_known: bool = False) -> str:
    """The code that `parse_language` returns; empty if the text is none."""
    try:
        return parse_language(text, only_known=only_known)
    except InvalidLanguageError:
        return ""


def probably_meant(code: str) -> str | None:
    """The code that a valid one is usually a mistake for (``kr-KR``: ``ko-KR``); None if it means what it says.

    Mandarin (``cmn``) is not a mistake, but search engines find pages in it only as Chinese.
    """
    language, dash, rest = code.partition("-")
    return f"zh{dash}{rest}" if language == "cmn" else _PROBABLY_MEANT.get(code)


def agree(first: str, second: str) -> bool:
    """Whether two languages, as written, can both be that of one page: parts that both of them have are the same.

    ``pt`` and ``pt-BR`` agree, ``pt-PT`` and ``pt-BR`` do not. If a code cannot be parsed, only its language counts.
    """
    if first == second:
        return True
    language, *details = _parts(first)
    other_language, *other_details = _parts(second)
    return language == other_language and all(
        detail == other or not detail or not other for detail, other in zip(details, other_details, strict=True)
    )


def is_country_of(name: str, code: str) -> bool:
    """Whether a name, such as that of a folder, is the country in a code: ``tw`` is that of ``zh-TW``."""
    country = _region(name)
    return bool(country) and _parts(code)[2] == country


def match_language(code: str, known: Collection[str]) -> str:
    """The one of the known codes that is meant: the same, or else the only one that agrees (``pt`` and ``pt-BR``)."""
    agreeing = [] if code in known else [each for each in known if agree(each, code)]
    return agreeing[0] if len(agreeing) == 1 else code


def primary_language(text: str) -> str:
    """The language of a code without its script and country, the same for equal languages (``nb`` and ``no``).

    It is empty if `parse_language` does not accept the code.
    """
    return _parts(text)[0] if code_of(text) else ""


def _parts(text: str) -> tuple[str, str, str]:
    """The language, script and country, each empty if unknown."""
    try:
        language, *rest = parse_language(text).split("-")
    except InvalidLanguageError:
        language, rest = _as_tag(text.strip(_WHITE_SPACE)).partition("-")[0].lower(), []
        language = THREE_TO_TWO.get(language, language)
    script = next((subtag for subtag in rest if subtag in SCRIPTS), "")
    region = next((subtag for subtag in rest if subtag in REGIONS), "")
    return _SAME_LANGUAGE.get(language, language), script, region


def _as_tag(locale: str) -> str:
    """The language tag for a POSIX locale, ``language[_COUNTRY][.encoding][@modifier]``: sr-Latn-RS for sr_RS@latin."""
    name, at, modifier = locale.partition("@")
    name, dot, encoding = name.partition(".")
    tag = name.replace("_", "-")
    if dot and not encoding.replace("-", "").replace("_", "").isalnum():
        return f"{tag}-{encoding}"
    if not at or modifier.lower() == "euro":
        return tag
    script = _MODIFIERS.get(modifier.lower(), modifier).title()
    if script not in SCRIPTS:
        return f"{tag}-{modifier}"
    language, dash, region = tag.partition("-")
    return f"{language}-{script}{dash}{region}"


def _nearest(tag: str, *, only_known: bool) -> str | None:
    """The valid code nearest to a tag; None if none is near. For a valid tag, it is the same except for the case."""
    first, *rest = tag.split("-")
    if len(rest) == 1 and (swapped := _country_first(first, rest[0])):
        return swapped
    language, _, region = _language(first, only_known=only_known).partition("-")
    if not language:
        return None
    script = ""
    for subtag in rest:
        if len(subtag) == 1:  # begins an extension, whose subtags mean something else
            break
        if not script and subtag.title() in SCRIPTS:
            script = subtag.title()
        elif not region:
            # In uk-UK, the language is repeated, as in de-DE; it does not mean Ukrainian in Great Britain.
            region = "UA" if language == subtag.lower() == "uk" else _region(subtag)
    return "-".join(filter(None, (language, script, region)))


def _language(subtag: str, *, only_known: bool) -> str:
    """The language that a subtag means or is a mistake for, with its country if the subtag names one; empty if none."""
    language = subtag.lower()
    if language in LANGUAGES or language in THREE_LETTER_LANGUAGES:
        return language
    if meant := THREE_TO_TWO.get(language) or _LANGUAGE_SLIPS.get(language):
        return meant
    may_be_rare = len(language) == 3 and language.isalpha() and not only_known
    return language if may_be_rare and language not in _NO_LANGUAGE else ""


def _region(subtag: str) -> str:
    region = subtag.upper()
    return region if region in REGIONS else _REGION_SLIPS.get(region, "")


def _country_first(first: str, second: str) -> str:
    """The code for a country and a language in the wrong order, as in URLs (us-en); empty if the order is right."""
    country, language = _region(first), second.lower()
    if not country or language not in LANGUAGES or first.lower() == language:
        return ""
    swapped = f"{language}-{country}"
    is_language, is_country = first.lower() in LANGUAGES, bool(_region(second))
    if is_language and is_country:
        known = _COUNTRY_FIRST_BY_CASE.get(f"{first.lower()}-{second.upper()}") == swapped
        return swapped if known and first.isupper() and second.islower() else ""
    # If both orders are possible, the case decides: sr-CS is a language and a former country, ca-en is Canada.
    in_order = (is_language or is_country) and first.islower() and second.isupper()
    return "" if in_order else swapped


def _reason(tag: str, nearest: str) -> str:
    """Why a tag differs from the code nearest to it."""
    first, *rest = tag.lower().split("-")
    language = nearest.partition("-")[0]
    if first in THREE_TO_TWO:
        return "has three letters, although the language has a two-letter code"
    if first != language:
        return (
            "names the country before the language"
            if language in rest
            else "is not a language code that search engines know"
        )
    if any(subtag.isdecimal() and len(subtag) == 3 for subtag in rest):
        return "has a UN M.49 region, but hreflang accepts only countries"
    if any(subtag.upper() in _REGION_SLIPS or (len(subtag) == 2 and not _region(subtag)) for subtag in rest):
        return "has a region that is not a country code (ISO 3166-1)"
    return "has more than a language, a script and a country, in this order, which is all that hreflang accepts"
