"""The translations in a catalogue, compared with Babel, and files that are not catalogues."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, TypeAlias

import pytest
from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as BabelMessage
from babel.messages.pofile import read_po, write_po
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sitemap_plugins.values.catalogues import CatalogueError, is_visible_change, shown_messages

Texts: TypeAlias = dict[tuple[bytes | None, bytes, bytes | None], tuple[bytes, ...]]

CATALOGUE = b"""\
# Translations of the manual.
#, fuzzy
msgid ""
msgstr ""
"Project-Id-Version: manual\\n"
"POT-Creation-Date: 2026-01-01 00:00+0000\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

#: ../../a.rst:1
msgid "One"
msgstr "Eins"

#. about two
#: ../../a.rst:2 ../../b.rst:7
#, python-format
msgid ""
"Two "
"\\"words\\""
msgstr ""
"Zwei "
"\\"W\\\\\xc3\xb6rter\\"\\n"

msgctxt "menu"
msgid "One"
msgstr "Eines"

msgid "file"
msgid_plural "files"
msgstr[0] "Datei"
msgstr[1] ""

#, python-format, fuzzy
#| msgid "Old"
msgid "Fuzzy"
msgstr "Unscharf"

msgid "Untranslated"
msgstr ""

#, fuzzy
#~ msgid "Obsolete"
#~ msgstr "Veraltet"

msgid "Last"
msgstr "Letzte"
"""
TRANSLATED: Texts = {
    (None, b"One", None): (b"Eins",),
    (None, b'Two "words"', None): (b'Zwei "W\\\xc3\xb6rter"\n',),
    (b"menu", b"One", None): (b"Eines",),
    (None, b"file", b"files"): (b"Datei", b""),
    (None, b"Last", None): (b"Letzte",),
}


def read_by_babel(content: bytes, charset: str = "utf-8") -> Texts:
    """The texts that Sphinx would show, in the form of the module under test."""
    found: Texts = {}
    for message in read_po(BytesIO(content), charset=charset):
        ids = message.id if message.pluralizable else (message.id,)
        strings = message.string if message.pluralizable else (message.string,)
        if message.id and not message.fuzzy and any(strings):
            one, *many = (text.encode(charset) for text in ids)
            context = message.context.encode(charset) if message.context is not None else None
            found[context, one, many[0] if many else None] = tuple(text.encode(charset) for text in strings)
    return found


def translated_messages(content: bytes, *, fuzzy: bool = False) -> Texts:
    """The messages with a translation that readers see."""
    return {message: shown for message, shown in shown_messages(content, fuzzy=fuzzy).items() if shown}


class TestShownMessages:
    def test_all_syntax(self) -> None:
        assert shown_messages(CATALOGUE) == {
            **TRANSLATED,
            (None, b"Fuzzy", None): (),
            (None, b"Untranslated", None): (),
        }
        assert read_by_babel(CATALOGUE) == TRANSLATED

    @pytest.mark.parametrize("content", [b"", b"\n \n", b"# a comment\n", b'msgid ""\nmsgstr "Language: de\\n"\n'])
    def test_no_translations(self, content: bytes) -> None:
        assert not translated_messages(content)

    @pytest.mark.parametrize(
        "same",
        [
            CATALOGUE.replace(b"\n", b"\r\n"),
            CATALOGUE.replace(b"\n", b"\r"),
            b"\xef\xbb\xbf" + CATALOGUE,
            CATALOGUE.replace(b"\n\n", b"\n"),
            CATALOGUE.replace(b'msgstr ""\n"', b'msgstr ""\n\n  \n  "'),
            CATALOGUE.replace(b'"\n', b'" \t\n'),
            CATALOGUE.replace(b"#, python-format, fuzzy", b"#, python-format\n#,fuzzy\n#, no-wrap"),
        ],
    )
    def test_line_ends_and_white_space(self, same: bytes) -> None:
        assert same != CATALOGUE
        assert translated_messages(same) == TRANSLATED

    @pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "koi8-r", "euc-jp"])
    def test_encodings(self, charset: str) -> None:
        text = {"koi8-r": "Привет", "euc-jp": "日本語"}.get(charset, "Grüße\xa0").encode(charset)

        assert translated_messages(b'msgid "a"\nmsgstr "%s"\n' % text) == {(None, b"a", None): (text,)}

    def test_fuzzy_messages_count_if_they_are_shown(self) -> None:
        content = b'#, fuzzy\nmsgid ""\nmsgstr "header"\n\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgstr ""\n'
        sure = content.replace(b'#, fuzzy\nmsgid "a"', b'msgid "a"')
        assert translated_messages(content) == {}
        assert translated_messages(content, fuzzy=True) == translated_messages(sure) == {(None, b"a", None): (b"b",)}
        assert is_visible_change(content, sure)
        assert is_visible_change(sure, content)
        assert not is_visible_change(content, sure, fuzzy=True)

    def test_fuzzy_counts_only_as_a_flag(self) -> None:
        content = b'# , fuzzy\n#. fuzzy\n#: fuzzy\n#| fuzzy\n#, no-fuzzy\nmsgid "a"\nmsgstr "b"\n'

        assert translated_messages(content) == {(None, b"a", None): (b"b",)}

    def test_unescaped_quotes(self) -> None:
        """Authors write them by hand, and Sphinx shows them."""
        content = b'msgid "a"\nmsgstr ""\n"see "here" (there)"\n'

        assert translated_messages(content) == read_by_babel(content) == {(None, b"a", None): (b'see "here" (there)',)}

    def test_a_duplicate_message(self) -> None:
        content = b'msgid "a"\nmsgstr "first"\n\nmsgid "a"\nmsgstr "second"\n'

        assert translated_messages(content) == read_by_babel(content) == {(None, b"a", None): (b"first",)}


OLD = b'#: a.rst:1\nmsgid "The old sentence."\nmsgstr "Der alte Satz."\n'
OTHER = b'#: a.rst:9\nmsgid "Another."\nmsgstr "Ein anderer."\n'
GUESS = b'#: a.rst:1\n#, fuzzy\n#| msgid "The old sentence."\nmsgid "The new sentence."\nmsgstr "Der alte Satz."\n'
OBSOLETE = b'#~ msgid "The old sentence."\n#~ msgstr "Der alte Satz."\n'


def file(*messages: bytes) -> bytes:
    return b"\n".join([b'msgid ""\nmsgstr "Language: de\\n"\n', *messages])


class TestIsVisibleChange:
    @pytest.mark.parametrize(
        "after",
        [
            pytest.param(file(GUESS, OTHER, OBSOLETE), id="msgmerge"),
            pytest.param(file(OTHER, b"#, fuzzy\n" + OBSOLETE), id="obsolete and fuzzy"),
            pytest.param(file(b'msgid "The new sentence."\nmsgstr ""\n', OTHER), id="a new message"),
            pytest.param(file(OLD, OTHER).replace(b"rst:", b"rst:2").replace(b"\n", b"\r"), id="other line ends"),
            pytest.param(file(OLD, b"\n", OTHER).replace(b'msgstr "D', b'msgstr ""\n"D'), id="wrapped"),
        ],
    )
    def test_pages_look_the_same(self, after: bytes) -> None:
        assert not is_visible_change(file(OLD, OTHER), after)

    @pytest.mark.parametrize(
        "after",
        [
            pytest.param(file(b"#, fuzzy\n" + OLD, OTHER), id="made fuzzy"),
            pytest.param(file(b"#, fuzzy\n\n" + OLD, OTHER), id="made fuzzy, with an empty line"),
            pytest.param(file(OLD, OTHER, GUESS.replace(b"#, fuzzy\n", b"")), id="a new translation"),
            pytest.param(file(OLD, OTHER) + b"=======\n", id="not a catalogue"),
        ],
    )
    def test_pages_look_different(self, after: bytes) -> None:
        assert is_visible_change(file(OLD, OTHER), after)

    def test_empty_lines_within_a_message(self) -> None:
        assert not is_visible_change(file(OLD), file(OLD.replace(b'msgstr "', b'msgstr ""\n\n"')))


MESSAGE = b'msgid "a"\nmsgstr "b"\n'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n# a\nplain text\n", "line 3: neither a comment nor a whole text in double quotes: 'plain text'"),
        (b'msgid "a"\nmsgstr "b\n', "line 2: neither a comment nor a whole text in double quotes: 'msgstr \"b'"),
        (b'msgid "a"\nmsgstr "b\\"\n', "line 2: neither"),
        (b'msgid "a"\nmsgstr "\xff', "line 2: neither a comment nor a whole text in double quotes: 'msgstr \"\ufffd'"),
        (MESSAGE + b"<<<<<<< HEAD\n", "line 3: neither a comment nor a whole text in double quotes: '<<<<<<< HEAD'"),
        (MESSAGE + b'>>>>>>> "topic"\n', "line 3: '>>>>>>>' does not belong here"),
        (b'"a"\n', "line 1: a text without a keyword"),
        (MESSAGE + b'# a comment\n"c"\n', "line 4: a text without a keyword"),
        (b'#~ msgid "a"\n"b"\n', "line 2: a text without a keyword"),
        (b'msgstr "a"\n', "line 1: 'msgstr' does not belong here"),
        (b'msgid "a"\nmsgstr[0] "b"\n', "line 2: 'msgstr[0]' does not belong here"),
        (MESSAGE + b'msgstr "b"\n', "line 3: 'msgstr' does not belong here"),
        (b'msgid "a"\nmsgid_plural "b"\nmsgstr "c"\n', "line 3: 'msgstr' does not belong here"),
        (b'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[2] "c"\n', "line 4: 'msgstr[2]' does not belong here"),
        (b'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr "c"\n', "line 4: 'msgstr' does not belong here"),
        (b'msgid "a"\n# a comment\nmsgstr "b"\n', "line 2: the message before it has no msgstr"),
        (b'msgid "a"\n#~ msgstr "b"\n', "line 2: the message before it has no msgstr"),
        (MESSAGE.decode().encode("utf-16"), "line 1: neither"),
    ],
)
def test_invalid_catalogues(content: bytes, message: str) -> None:
    with pytest.raises(CatalogueError) as caught:
        translated_messages(content)

    assert str(caught.value).startswith(message)
    assert is_visible_change(b"", content)
    assert is_visible_change(content, b"")


LINES = ['msgid "a"', 'msgid ""', 'msgstr "b"', 'msgstr ""', '"c"', '"', "# d", "#, fuzzy", '#~ msgid "e"', "", " "]
LINES += [
    'msgid_plural "f"',
    'msgctxt "g"',
    'msgstr[0] "h"',
    'msgstr[1] "i"',
    "msgstr[99999] ",
    '"\\"',
    "=======",
    '"\\',
]


@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_lines_in_any_order(lines: list[str]) -> None:
    _read("\n".join(lines).encode())


def _read(content: bytes) -> None:
    try:
        shown = shown_messages(content)
    except CatalogueError as error:
        assert str(error).startswith("line ")
    else:
        assert [texts for texts in shown.values() if not (not texts or any(texts))] == []
        assert is_visible_change(b"", content) == any(shown.values())
        assert not is_visible_change(content, content)


# Everything with a meaning in a catalogue, and all other characters.
characters = st.one_of(st.sampled_from('\\"\n\r\t #~,[]msgid\x0b\x85\u2028'), st.characters(exclude_categories=["Cs"]))
texts = st.text(characters, max_size=30)
comments = st.lists(st.sampled_from(["a note", ", fuzzy", '~ msgid "x"', "| y", "long " * 30, "msgstr"]), max_size=2)


@st.composite
def messages(draw: st.DrawFn) -> BabelMessage:
    one = draw(texts.filter(bool))
    is_plural = draw(st.booleans())
    return BabelMessage(
        (one, draw(texts.filter(bool))) if is_plural else one,
        (draw(texts), draw(texts)) if is_plural else draw(texts),
        locations=draw(st.lists(st.tuples(st.sampled_from(["a.rst", "b c.rst"]), st.integers(1, 99)), max_size=2)),
        flags=draw(st.sets(st.sampled_from(["fuzzy", "python-format", "no-wrap"]))),
        auto_comments=draw(comments),
        user_comments=draw(comments),
        previous_id=(draw(texts),),
        context=draw(st.none() | texts.filter(bool)),
    )


catalogues = st.lists(messages(), max_size=6, unique_by=lambda message: (_one(message), message.context))
options = st.fixed_dictionaries(
    {
        "width": st.sampled_from([0, 1, 20, 76]),
        "no_location": st.booleans(),
        "include_previous": st.booleans(),
        "sort_output": st.booleans(),
    }
)


def _one(message: BabelMessage) -> str:
    one = message.id[0] if message.pluralizable else message.id
    assert isinstance(one, str)
    return one


def written(
    found: list[BabelMessage],
    *,
    obsolete: Sequence[BabelMessage] = (),
    charset: str = "utf-8",
    day: int = 1,
    **how: Any,
) -> bytes:
    when = datetime(2026, 1, day, tzinfo=UTC)
    catalogue = Catalog(
        "de",
        charset=charset,
        project=f"manual {day}",
        version="1",
        last_translator=f"Translator {day} <t@example.org>",
        creation_date=when,
        revision_date=when,
    )
    for message in found:
        catalogue[message.id] = message.clone()
    for message in obsolete:
        catalogue.obsolete[message.id] = message.clone()
    output = BytesIO()
    write_po(output, catalogue, **how)
    return output.getvalue()


@given(catalogues, catalogues, options, st.sampled_from(["utf-8", "iso-8859-15", "koi8-r"]))
def test_babel_reads_the_same(
    found: list[BabelMessage], obsolete: list[BabelMessage], how: dict[str, Any], charset: str
) -> None:
    content = written(found, obsolete=obsolete, charset=charset, **how)

    assert translated_messages(content) == read_by_babel(content, charset)
    assert translated_messages(content.replace(b"\n", b"\r\n")) == translated_messages(content)


@given(catalogues, catalogues, options, options, st.randoms(use_true_random=False))
def test_rewriting_by_tools_is_not_a_change(
    found: list[BabelMessage],
    obsolete: list[BabelMessage],
    before: dict[str, Any],
    after: dict[str, Any],
    dice: random.Random,
) -> None:
    updated = dice.sample(found, len(found))
    known = {(_one(message), message.context) for message in updated}
    for message in obsolete:  # here they are new
        if (_one(message), message.context) not in known:
            flags, string = (("fuzzy",), message.string) if dice.random() < 0.5 else ((), "")
            text = ("", "") if message.pluralizable and not string else string
            updated.append(BabelMessage(message.id, text, flags=flags, context=message.context))
    first = written(found, **before)
    second = written(updated, obsolete=obsolete, day=2, **after)

    assume(read_by_babel(first) == read_by_babel(second))  # Babel's wrapping adds a newline to some texts
    assert not is_visible_change(first, second)


@given(catalogues, catalogues)
@example([BabelMessage("a", "b")], [BabelMessage("a", "b", context="c")])
@example([BabelMessage(("a", "b"), ("c", "d"))], [BabelMessage(("a", "b"), ("d", "c"))])
@example([BabelMessage("a", "b")], [BabelMessage("a", "")])
@example([BabelMessage("a", "b"), BabelMessage("c", "d")], [BabelMessage("a", "b")])
def test_another_translation_is_a_change(before: list[BabelMessage], after: list[BabelMessage]) -> None:
    first, second = written(before), written(after)
    old, new = read_by_babel(first), read_by_babel(second)
    is_emptied = any(message in shown_messages(second) for message in old.keys() - new.keys())

    assert is_visible_change(first, second) is (bool(new.items() - old.items()) or is_emptied)
