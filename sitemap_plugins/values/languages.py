"""Languages as values: parsed from what people and programs write, compared, and written as in ``hreflang``.

The tables are from pycountry 26.2.16; the three-letter languages: CLDR 49, Sphinx 9.0.4, the locales that Python 3.11.7
knows, and older ones.

tests/values/language_tables.py writes them; the session ``latest`` shows what new editions add.
"""

# ruff: noqa: SIM905  # a list of quoted codes would be three times as long and not easier to read

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from types import MappingProxyType

# "sh" was withdrawn from ISO 639-1, but RFC 5646, Wikipedia and Material for MkDocs still use it.
LANGUAGES: frozenset[str] = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
    et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki
    kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no
    nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()
)
"""ISO 639-1: two-letter language codes, lower case."""

# Not all of ISO 639-3: its 7,700 codes include "api", "doc", "lib", "src" and many other names of folders.
THREE_LETTER_LANGUAGES: frozenset[str] = frozenset(
    """
    ady agq agr ann anp apc arn ary asa ast ayc bal bas bem ber bew bez bgc bgn bhb bho blo blt bqi brh brx bss bua byn
    cad cak cch ccp ceb cgg cho chr cic ckb cmn cop crh csb csw dav dje doi dsb dua dyo ebu ewo fil frr fur gaa gbm gez
    gsw guz hak haw hif hne hnj hrx hsb isv jbo jgo jmc kaa kab kaj kam kbd kcg kde kea kek ken kgp khq kkj kln kok kpe
    ksb ksf ksh kxv lag lij lkt lld lmo lrc ltg luo luy lzh lzz mag mai mas mdf mer mfe mgh mgo mhn mhr mic miq mjw mni
    mnw moh mrh mua mus mww myv mzn nan naq nds nhn niu nmg nnh nqo nso nus nyn oka osa pap pcm pis pms prg quc quz raj
    rhg rif rof rwk sah saq sat sbp scn sdh seh ses sgs shi shn shs sid skr sma smj smn sms ssy sus suz syr szl tcy teo
    the tig tok tpi trv trw twq tyv tzm unm vai vec vmw vun wae wal wbp xdq xnr xog yav yrl yue yuw zgh
    """.split()
)
"""Languages without a two-letter code that CLDR, glibc or Sphinx has a locale for, lower case."""

SCRIPTS: frozenset[str] = frozenset(
    """
    Adlm Afak Aghb Ahom Arab Aran Armi Armn Avst Bali Bamu Bass Batk Beng Berf Bhks Blis Bopo Brah Brai Bugi Buhd Cakm
    Cans Cari Cham Cher Chis Chrs Cirt Copt Cpmn Cprt Cyrl Cyrs Deva Diak Dogr Dsrt Dupl Egyd Egyh Egyp Elba Elym Ethi
    Gara Geok Geor Glag Gong Gonm Goth Gran Grek Gujr Gukh Guru Hanb Hang Hani Hano Hans Hant Hatr Hebr Hira Hluw Hmng
    Hmnp Hntl Hrkt Hung Inds Ital Jamo Java Jpan Jurc Kali Kana Kawi Khar Khmr Khoj Kitl Kits Knda Kore Kpel Krai Kthi
    Lana Laoo Latf Latg Latn Leke Lepc Limb Lina Linb Lisu Loma Lyci Lydi Mahj Maka Mand Mani Marc Maya Medf Mend Merc
    Mero Mlym Modi Mong Moon Mroo Mtei Mult Mymr Nagm Nand Narb Nbat Newa Nkdb Nkgb Nkoo Nshu Ogam Olck Onao Orkh Orya
    Osge Osma Ougr Palm Pauc Pcun Pelm Perm Phag Phli Phlp Phlv Phnx Piqd Plrd Prti Psin Qaaa Qabx Ranj Rjng Rohg Roro
    Runr Samr Sara Sarb Saur Seal Sgnw Shaw Shrd Shui Sidd Sidt Sind Sinh Sogd Sogo Sora Soyo Sund Sunu Sylo Syrc Syre
    Syrj Syrn Tagb Takr Tale Talu Taml Tang Tavt Tayo Telu Teng Tfng Tglg Thaa Thai Tibt Tirh Tnsa Todr Tols Toto Tutg
    Ugar Vaii Visp Vith Wara Wcho Wole Xpeo Xsux Yezi Yiii Zanb Zinh Zmth Zsye Zsym Zxxx Zyyy Zzzz
    """.split()
)
"""ISO 15924: four-letter script codes, title case."""

REGIONS: frozenset[str] = frozenset(
    """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC
    CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD
    GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH
    KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW
    MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC
    SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY
    UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
    """.split()
)
"""ISO 3166-1: two-letter country codes, upper case. "UK" and "EU" are reserved, but not country codes."""

THREE_TO_TWO: Mapping[str, str] = MappingProxyType(
    dict(
        pair.split(":")
        for pair in """
        aar:aa abk:ab afr:af aka:ak alb:sq amh:am ara:ar arg:an arm:hy asm:as ava:av ave:ae aym:ay aze:az bak:ba bam:bm
        baq:eu bel:be ben:bn bis:bi bod:bo bos:bs bre:br bul:bg bur:my cat:ca ces:cs cha:ch che:ce chi:zh chu:cu chv:cv
        cor:kw cos:co cre:cr cym:cy cze:cs dan:da deu:de div:dv dut:nl dzo:dz ell:el eng:en epo:eo est:et eus:eu ewe:ee
        fao:fo fas:fa fij:fj fin:fi fra:fr fre:fr fry:fy ful:ff geo:ka ger:de gla:gd gle:ga glg:gl glv:gv gre:el grn:gn
        guj:gu hat:ht hau:ha hbs:sh heb:he her:hz hin:hi hmo:ho hrv:hr hun:hu hye:hy ibo:ig ice:is ido:io iii:ii iku:iu
        ile:ie ina:ia ind:id ipk:ik isl:is ita:it jav:jv jpn:ja kal:kl kan:kn kas:ks kat:ka kau:kr kaz:kk khm:km kik:ki
        kin:rw kir:ky kom:kv kon:kg kor:ko kua:kj kur:ku lao:lo lat:la lav:lv lim:li lin:ln lit:lt ltz:lb lub:lu lug:lg
        mac:mk mah:mh mal:ml mao:mi mar:mr may:ms mkd:mk mlg:mg mlt:mt mon:mn mri:mi msa:ms mya:my nau:na nav:nv nbl:nr
        nde:nd ndo:ng nep:ne nld:nl nno:nn nob:nb nor:no nya:ny oci:oc oji:oj ori:or orm:om oss:os pan:pa per:fa pli:pi
        pol:pl por:pt pus:ps que:qu roh:rm ron:ro rum:ro run:rn rus:ru sag:sg san:sa sin:si slk:sk slo:sk slv:sl sme:se
        smo:sm sna:sn snd:sd som:so sot:st spa:es sqi:sq srd:sc srp:sr ssw:ss sun:su swa:sw swe:sv tah:ty tam:ta tat:tt
        tel:te tgk:tg tgl:tl tha:th tib:bo tir:ti ton:to tsn:tn tso:ts tuk:tk tur:tr twi:tw uig:ug ukr:uk urd:ur uzb:uz
        ven:ve vie:vi vol:vo wel:cy wln:wa wol:wo xho:xh yid:yi yor:yo zha:za zho:zh zul:zu
        """.split()
    )
)
"""The two-letter code for a three-letter one: ISO 639-3, the same as ISO 639-2/T, and ISO 639-2/B (``ger``)."""

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
