"""The file with the contents of pages beside the record: read back unchanged, and refused if it is anything else."""

import json
from collections.abc import Mapping
from hashlib import sha256

import pytest

from sitemap_plugins.record.site_record import ContentRecord, RecordError, read_contents, render_contents

RECORD = b"{}"
PAGES = (
    ContentRecord(path="b/", digest="0123456789abcdef", headings=("top", "é"), labels=("x",), objects=("m.f",)),
    ContentRecord(path=""),
)
GOOD = {"by": "written by sitemap-plugins", "version": 1, "record": sha256(RECORD).hexdigest(), "pages": []}


def test_the_layout_is_readable_for_people() -> None:
    assert render_contents(PAGES, RECORD).decode() == (
        "{\n"
        '  "by": "written by sitemap-plugins",\n'
        '  "version": 1,\n'
        f'  "record": "{sha256(RECORD).hexdigest()}",\n'
        '  "pages": [\n'
        '{"path":""},\n'
        '{"path":"b/","digest":"0123456789abcdef","headings":["top","\\u00e9"],"labels":["x"],"objects":["m.f"]}\n'
        "  ]\n"
        "}\n"
    )


def test_it_is_read_back() -> None:
    assert read_contents(render_contents(PAGES, RECORD), RECORD) == {page.path: page for page in PAGES}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"version": 2}, "it has no contents of version 1 (its version: 2)"),
        ({"version": None}, "it has no contents of version 1 (it has no version)"),
        ({"record": "a" * 64}, "it belongs to the record of another build"),
        ({"record": "a"}, "$.record"),
        ({"pages": [{"path": "a b"}]}, "$.pages[0].path"),
        ({"pages": [{"path": "a" * 2049}]}, "$.pages[0].path"),
        ({"pages": [{"path": "a", "digest": "x"}]}, "$.pages[0].digest"),
        ({"pages": [{"path": "a", "headings": [""]}]}, "$.pages[0].headings[0]"),
        ({"pages": [{"path": "a", "objects": ["a" * 2049]}]}, "$.pages[0].objects[0]"),
    ],
    ids=str,
)
def test_anything_else_is_refused(changed: Mapping[str, object], words: str) -> None:
    with pytest.raises(RecordError) as refusal:
        read_contents(json.dumps(GOOD | changed).encode(), RECORD)
    assert words in str(refusal.value)
