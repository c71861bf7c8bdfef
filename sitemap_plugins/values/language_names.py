"""How languages are named and written: their own names (CLDR), their direction, and the words on the list of pages."""

# ruff: noqa: RUF001  # the names are in many alphabets
from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from sitemap_plugins.values.languages import code_of


class Words(NamedTuple):
    """The title of a page that lists all pages, and the word before a number of pages (``Pages: 12``)."""

    title: str
    pages: str


ENGLISH: Final = Words("Sitemap", "Pages")

_NAMES: Final[Mapping[str, str]] = {
    "aa": "Qafar", "ab": "Аԥсшәа", "af": "Afrikaans", "ak": "Akan", "am": "አማርኛ", "an": "Aragonés", "ar": "العربية",
    "as": "অসমীয়া", "ast": "Asturianu", "az": "Azərbaycan", "ba": "Башҡорт теле", "be": "Беларуская",
    "bg": "Български", "bm": "Bamanakan", "bn": "বাংলা", "bo": "བོད་སྐད་", "br": "Brezhoneg", "bs": "Bosanski",
    "ca": "Català", "ce": "Нохчийн", "ckb": "کوردیی ناوەندی", "co": "Corsu", "cs": "Čeština", "cv": "Чӑваш",
    "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch", "dsb": "Dolnoserbšćina", "dv": "ދިވެހިބަސް", "dz": "རྫོང་ཁ",
    "ee": "Eʋegbe", "el": "Ελληνικά", "en": "English", "eo": "Esperanto", "es": "Español", "et": "Eesti",
    "eu": "Euskara", "fa": "فارسی", "ff": "Pulaar", "fi": "Suomi", "fil": "Filipino", "fo": "Føroyskt",
    "fr": "Français", "fy": "Frysk", "ga": "Gaeilge", "gd": "Gàidhlig", "gl": "Galego", "gn": "Avañe’ẽ",
    "gsw": "Schwiizertüütsch", "gu": "ગુજરાતી", "gv": "Gaelg", "ha": "Hausa", "haw": "ʻŌlelo Hawaiʻi",
    "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski", "hsb": "Hornjoserbšćina", "ht": "Kreyòl Ayisyen",
    "hu": "Magyar", "hy": "Հայերեն", "ia": "Interlingua", "id": "Bahasa Indonesia", "ig": "Igbo", "is": "Íslenska",
    "it": "Italiano", "iu": "ᐃᓄᒃᑎᑐᑦ", "ja": "日本語", "jv": "Jawa", "ka": "Ქართული", "kab": "Taqbaylit",
    "ki": "Gikuyu", "kk": "Қазақ тілі", "kl": "Kalaallisut", "km": "ខ្មែរ", "kn": "ಕನ್ನಡ", "ko": "한국어",
    "ks": "کٲشُر", "ku": "Kurdî (kurmancî)", "kw": "Kernewek", "ky": "Кыргызча", "la": "Latina",
    "lb": "Lëtzebuergesch", "lg": "Luganda", "ln": "Lingála", "lo": "ລາວ", "lt": "Lietuvių", "lu": "Tshiluba",
    "lv": "Latviešu", "mg": "Malagasy", "mi": "Māori", "mk": "Македонски", "ml": "മലയാളം", "mn": "Монгол",
    "mr": "मराठी", "ms": "Bahasa Melayu", "mt": "Malti", "my": "မြန်မာ", "nb": "Norsk bokmål", "nd": "IsiNdebele",
    "nds": "Neddersass’sch", "ne": "नेपाली", "nl": "Nederlands", "nn": "Norsk nynorsk", "no": "Norsk",
    "nr": "IsiNdebele", "nv": "Diné Bizaad", "ny": "Nyanja", "oc": "Occitan", "om": "Oromoo", "or": "ଓଡ଼ିଆ",
    "os": "Ирон", "pa": "ਪੰਜਾਬੀ", "pl": "Polski", "ps": "پښتو", "pt": "Português", "qu": "Runasimi",
    "rm": "Rumantsch", "rn": "Ikirundi", "ro": "Română", "ru": "Русский", "rw": "Ikinyarwanda",
    "sa": "संस्कृत भाषा", "sc": "Sardu", "sd": "سنڌي", "se": "Davvisámegiella", "sg": "Sängö", "si": "සිංහල",
    "sk": "Slovenčina", "sl": "Slovenščina", "sn": "ChiShona", "so": "Soomaali", "sq": "Shqip", "sr": "Српски",
    "ss": "SiSwati", "st": "Sesotho", "su": "Basa Sunda", "sv": "Svenska", "sw": "Kiswahili", "ta": "தமிழ்",
    "te": "తెలుగు", "tg": "Тоҷикӣ", "th": "ไทย", "ti": "ትግርኛ", "tk": "Türkmen dili", "tn": "Setswana",
    "to": "Lea fakatonga", "tr": "Türkçe", "ts": "Xitsonga", "tt": "Татар", "tzm": "Tamaziɣt n laṭlaṣ",
    "ug": "ئۇيغۇرچە", "uk": "Українська", "ur": "اردو", "uz": "O‘zbek", "ve": "Tshivenḓa", "vi": "Tiếng Việt",
    "wa": "Walon", "wo": "Wolof", "xh": "IsiXhosa", "yi": "ייִדיש", "yo": "Èdè Yorùbá", "yue": "粵語",
    "za": "Vahcuengh", "zgh": "ⵜⴰⵎⴰⵣⵉⵖⵜ", "zh": "中文", "zu": "IsiZulu",
}  # fmt: skip

_WORDS: Final[Mapping[str, Words]] = {
    "ar": Words("خريطة الموقع", "الصفحات"),
    "bg": Words("Карта на сайта", "Страници"),
    "ca": Words("Mapa del web", "Pàgines"),
    "cs": Words("Mapa stránek", "Stránky"),
    "da": Words("Sitemap", "Sider"),
    "de": Words("Sitemap", "Seiten"),
    "el": Words("Χάρτης ιστότοπου", "Σελίδες"),
    "en": ENGLISH,
    "es": Words("Mapa del sitio", "Páginas"),
    "et": Words("Sisukaart", "Lehed"),
    "fa": Words("نقشهٔ سایت", "صفحه‌ها"),
    "fi": Words("Sivukartta", "Sivut"),
    "fr": Words("Plan du site", "Pages"),
    "gl": Words("Mapa do sitio", "Páxinas"),
    "he": Words("מפת האתר", "דפים"),
    "hr": Words("Mapa weba", "Stranice"),
    "hu": Words("Oldaltérkép", "Oldalak"),
    "id": Words("Peta situs", "Halaman"),
    "it": Words("Mappa del sito", "Pagine"),
    "ja": Words("サイトマップ", "ページ数"),
    "ko": Words("사이트맵", "페이지"),
    "lt": Words("Svetainės medis", "Puslapiai"),
    "lv": Words("Vietnes karte", "Lapas"),
    "nb": Words("Nettstedskart", "Sider"),
    "nl": Words("Sitemap", "Pagina’s"),
    "no": Words("Nettstedskart", "Sider"),
    "pl": Words("Mapa strony", "Strony"),
    "pt": Words("Mapa do site", "Páginas"),
    "ro": Words("Harta site-ului", "Pagini"),
    "ru": Words("Карта сайта", "Страницы"),
    "sk": Words("Mapa stránok", "Stránky"),
    "sl": Words("Zemljevid strani", "Strani"),
    "sv": Words("Webbkarta", "Sidor"),
    "tr": Words("Site haritası", "Sayfalar"),
    "uk": Words("Карта сайту", "Сторінки"),
    "vi": Words("Sơ đồ trang web", "Trang"),
    "zh": Words("网站地图", "页面"),
    "zh-HK": Words("網站地圖", "頁面"),
    "zh-Hant": Words("網站地圖", "頁面"),
    "zh-TW": Words("網站地圖", "頁面"),
}

# Of the languages and scripts that hreflang can name (Unicode, Scripts with the class R or AL).
_RIGHT_TO_LEFT: Final = frozenset(
    {
        *("ar", "ckb", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"),
        *("Adlm", "Arab", "Aran", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"),
    }
)


def own_name(code: str) -> str:
    """The name of a language in the language itself, without its script and country; the code if it is not known."""
    return _NAMES.get(code.partition("-")[0], code)


def direction_of(code: str) -> str:
    """``rtl`` for a language that is written from right to left, else ``ltr``; a script in the code decides."""
    language, *details = code.split("-")
    script = next((each for each in details if len(each) == 4), language)
    return "rtl" if script in _RIGHT_TO_LEFT else "ltr"


def words_in(language: str) -> Words:
    """The words in a language, as a host writes it (``pt_BR``), or in English."""
    first, *details = code_of(language).split("-")
    names = (*(f"{first}-{detail}" for detail in details), first)
    return next((_WORDS[name] for name in names if name in _WORDS), ENGLISH)
