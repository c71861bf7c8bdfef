"""YAML values are those of PyYAML, with and without its C parser, and hostile input is refused."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
import yaml
import yaml_env_tag
from hypothesis import given
from hypothesis import strategies as st

from sitemap_plugins.formats import data_reading
from sitemap_plugins.formats.data_reading import DataError, Opaque, read_yaml

_CORE = "tag:yaml.org,2002:"


class _PythonLoader(data_reading._Bounded, data_reading._PythonEvents):
    def __init__(self, text: str) -> None:
        data_reading._PythonEvents.__init__(self, text)
        data_reading._Bounded.__init__(self)


@pytest.fixture(params=["c", "python"], autouse=True)
def theirs(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """PyYAML's loader. Each test runs with both parsers, which treat a lone exclamation mark differently."""
    if request.param == "c":
        return pytest.importorskip("yaml.cyaml").CSafeLoader
    monkeypatch.setattr(data_reading, "_Loader", _PythonLoader)
    return yaml.SafeLoader


def bomb(levels: int, line: str) -> str:
    """Values that each contain the previous one ten times."""
    return "a0: &a0 {x: 1}\n" + "".join(
        f"a{n}: &a{n} {line % ', '.join([f'*a{n - 1}'] * 10)}\n" for n in range(1, levels)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("a: 1\na: 2", {"a": 2}),
        ("2024-01-31: x", {dt.date(2024, 1, 31): "x"}),
        ("a: &a {x: 1, y: 1}\nb: {<<: *a, y: 2}", {"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 2}}),
        ("a: !!python/name:os.system", {"a": Opaque(f"{_CORE}python/name:os.system")}),
        ("a: !!python/object/apply:os.system [exit]", {"a": Opaque(f"{_CORE}python/object/apply:os.system")}),
        ("a: !relative $docs_dir/x", {"a": Opaque("!relative", "$docs_dir/x")}),
        ("!x a: {!y b: !z {c: d}}", {Opaque("!x", "a"): {Opaque("!y", "b"): Opaque("!z")}}),
        ("a: !ENV HOME", {"a": Opaque("!ENV", "HOME")}),
        ("a: =", {"a": Opaque(f"{_CORE}value", "=")}),
        ("1:30", 90),
    ],
)
def test_values(text: str, value: object) -> None:
    assert read_yaml(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "!ENV A",
        "!ENV NO",
        "!ENV [A]",
        "!ENV [NO, A, 3]",
        "!ENV [NO, 3]",
        "!ENV [NO, [1, {b: 2}]]",
        "!ENV [NO, null]",
        "!ENV []",
    ],
)
@pytest.mark.parametrize("value", ["text", "12", "yes", "", "2024-01-31", "[a]", "~", "1e3"])
def test_env_has_the_values_of_pyyaml_env_tag(text: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Loader(yaml.SafeLoader):
        pass

    yaml_env_tag.add_env_tag(Loader)
    monkeypatch.setenv("A", value)
    monkeypatch.delenv("NO", raising=False)
    assert read_yaml(f"a: {text}", {"A": value}) == yaml.load(f"a: {text}", Loader)  # noqa: S506  # it is safe


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("a:\n " + "[" * 100_000, 2, "nested too deeply"),
        ("\n" + "- " * 100_000, 2, "nested too deeply"),
        ("a: &a [*a]", 1, "the value of &a contains itself"),
        ("a: &a {<<: *a}", 1, "the value of &a contains itself"),
        (bomb(20, "[%s]"), 7, "too many values"),
        (bomb(20, "{<<: [%s]}"), 7, "too many values"),
        ("".join(f"a{n}: &a{n} [{f'*a{n - 1},' * bool(n)} []]\n" for n in range(200)), 99, "nested too deeply"),
        ("a: *b", 1, "an alias (*) without an anchor (&)"),
        ("\n? [a]\n: b", 2, "unhashable"),
        ("\na: !!int ''", 2, "it is not a value of !!int"),
        ("a: !!int [1]", 1, "expected a scalar"),
        ("a: !!timestamp x", 1, "it is not a value of !!timestamp"),
        ("a: 1" + ":1" * 2000 + ".5", 1, "is not a value of !!float"),
        ("a: " + "9" * 5000, 1, "too many digits"),
        ("a: {<<: 5}", 1, "for merging"),
        ("a: !ENV {b: c}", 1, "!ENV takes the name"),
        ("a: !ENV [[b], c]", 1, "expected a scalar"),
        ("a: !ENV A", 1, "it is not a value of !!timestamp"),
        ("a\n---\nb", 2, "another document"),
        ("%YAML 1.1\n" * 101 + "---\na", None, "too many lines that begin with a percent sign"),
        ("a:\n b: \0", 2, "a character that is not allowed"),
        ("a: \ud800", 1, "a character that is not allowed"),
        ("a:\n\t- b", 2, "cannot start any token"),
    ],
)
def test_invalid_yaml(text: str, line: int | None, said: str) -> None:
    with pytest.raises(DataError) as caught:
        read_yaml(text, {"A": "2024-13-45"})
    assert said in str(caught.value)
    assert caught.value.line == line


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20) | st.dates()
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
)


@given(VALUES, st.booleans(), st.sampled_from(["|", '"', None]))
def test_output_of_pyyaml_is_read_back(value: object, flow: bool, style: str | None) -> None:
    text = yaml.safe_dump(value, default_flow_style=flow, default_style=style, allow_unicode=True)
    assert read_yaml(text) == yaml.safe_load(text)


@given(st.text("ab:-[]{},#&*!<>=|?'\"%@ \n\t0159.~_yn"))
def test_text_is_read_as_pyyaml_reads_it_or_refused(theirs: Any, text: str) -> None:
    try:
        expected: object = yaml.load(text, theirs)  # noqa: S506  # it is safe
    except (yaml.YAMLError, ValueError, LookupError, AttributeError):
        return
    try:
        found = read_yaml(text)
    except DataError as error:
        assert "contains itself" in str(error)
        return
    assert repr(found) == repr(expected)
