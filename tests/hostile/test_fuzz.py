"""No input makes a reader fail: inputs from the words of its format, and inputs that once made it fail."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile.readers import READERS, Reader

CORPUS = Path(__file__).parent / "corpus"


def inputs(reader: Reader) -> st.SearchStrategy[bytes]:
    """Words of the format, white space and some other bytes in any order."""
    return st.lists(st.sampled_from(reader.words) | st.binary(max_size=4), max_size=40).map(b"".join)


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_any_input_is_read_or_refused(name: str, data: st.DataObject) -> None:
    reader = READERS[name]
    with suppress(*reader.refusals):
        reader.read(data.draw(inputs(reader)))


@pytest.mark.parametrize("file", sorted(CORPUS.rglob("*.input")), ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_inputs_that_once_failed_or_reached_new_code(file: Path) -> None:
    reader = READERS[file.parent.name.replace("-", " ")]
    with suppress(*reader.refusals):
        reader.read(file.read_bytes())
