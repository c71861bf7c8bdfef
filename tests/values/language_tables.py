"""Writes the tables of language codes from their sources: ``python -m tests.values.language_tables``.

Codes of three letters stay if a later source no longer has them, since a table that shrinks would break sites.
"""

from __future__ import annotations

import locale
import platform
import re
import textwrap
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import pycountry
import sphinx
from babel.core import get_cldr_version
from babel.localedata import locale_identifiers

from sitemap_plugins.values import languages as ours

# pycountry keeps "sh", which ISO 639-1 has withdrawn; so do RFC 5646 and the table. If a later pycountry drops it, it
# stays: sites in this language do not change with the standard.
KEPT = {"sh": "hbs"}


def two_letters(language: object) -> str | None:
    return getattr(language, "alpha_2", None)


def languages() -> set[str]:
    """ISO 639-1."""
    return {code for language in pycountry.languages if (code := two_letters(language))} | KEPT.keys()


def scripts() -> set[str]:
    """ISO 15924."""
    return {script.alpha_4 for script in pycountry.scripts}


def regions() -> set[str]:
    """ISO 3166-1."""
    return {country.alpha_2 for country in pycountry.countries}


def three_to_two() -> dict[str, str]:
    """The two-letter code for each code of ISO 639-3 and ISO 639-2/B that has one."""
    known = {three: two for two, three in KEPT.items()}
    for language in pycountry.languages:
        if code := two_letters(language):
            known[language.alpha_3] = code
            known[getattr(language, "bibliographic", language.alpha_3)] = code
    return known


def locales() -> dict[str, list[str]]:
    """The names of locales: in CLDR as Babel reads it, in glibc (the source of Python's aliases), and in Sphinx."""
    folder = Path(sphinx.__file__).parent / "locale"
    return {
        "CLDR": locale_identifiers(),
        "POSIX": [*locale.locale_alias.values()],
        "Sphinx": [path.name for path in folder.iterdir() if (path / "LC_MESSAGES").exists()],
    }


def three_letter_languages() -> set[str]:
    """The languages of all locales that are written with three letters."""
    names = [re.split("[_.@]", name)[0] for each in locales().values() for name in each]
    return {name for name in names if re.fullmatch("[a-z]{3}", name)}


def sources() -> str:
    """Where the tables come from, with versions."""
    return (
        f"pycountry {version('pycountry')}; the three-letter languages: CLDR {get_cldr_version()}, "
        f"Sphinx {version('sphinx')}, the locales that Python {platform.python_version()} knows, and older ones"
    )


def write_tables(module: str) -> str:
    """The text of a module with each table written anew."""
    tables: dict[str, Iterable[str]] = {
        "LANGUAGES": languages(),
        "THREE_LETTER_LANGUAGES": three_letter_languages() | ours.THREE_LETTER_LANGUAGES,
        "SCRIPTS": scripts(),
        "REGIONS": regions(),
        "THREE_TO_TWO": {f"{three}:{two}" for three, two in three_to_two().items()},
    }
    module = re.sub(r"(?<=The tables are from ).*?(?=\.\n)", lambda _: _wrapped(sources()), module, flags=re.DOTALL)
    for name, codes in tables.items():
        pattern = rf'(^{name}: .*?""")\n(\s+).*?\n\s+(?=""")'
        module, number = re.subn(
            pattern,
            lambda match, codes=codes: (
                f"{match[1]}\n"
                + textwrap.fill(" ".join(sorted(codes)), 120, initial_indent=match[2], subsequent_indent=match[2])
                + f"\n{match[2]}"
            ),
            module,
            flags=re.DOTALL | re.MULTILINE,
        )
        assert number == 1, name
    return module


def _wrapped(text: str) -> str:
    return textwrap.fill(f"The tables are from {text}", 120).removeprefix("The tables are from ")


if __name__ == "__main__":
    path = Path(ours.__file__)
    path.write_text(write_tables(path.read_text("utf-8")), "utf-8")
