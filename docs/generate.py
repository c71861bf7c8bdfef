"""Write what is made from the source: messages.md, left-out.md, limits.md, and the table at the top of options.md.

    python docs/generate.py

The kinds of notes come from ``sitemap_plugins/rules.py`` and ``rules.toml``, the reasons to leave a page out from
``sitemap_plugins/pages/omit.py``, the limits from ``sitemap_plugins/reading.py``, and the types and defaults of options
from ``sitemap_plugins/options/settings.py``. The same source gives the same bytes; a test compares them with the pages.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct, structs

from sitemap_plugins.options.groups import Feeds, Limits, News, Section
from sitemap_plugins.options.settings import (
    Engine,
    GitOptions,
    Indent,
    LastModSource,
    PageRule,
    Settings,
    Share,
)
from sitemap_plugins.options.types import (
    Alternates,
    BaseURL,
    CanonicalVersionSite,
    Filename,
    Globs,
    Hook,
    HostPattern,
    HostURL,
    JSONFile,
    LanguageSite,
    PageChoice,
    Selector,
    SourcePattern,
    XDefault,
)
from sitemap_plugins.pages import REASONS
from sitemap_plugins.reading import LIMITS, Limit
from sitemap_plugins.rules import KINDS, Level, explain

HERE = Path(__file__).resolve().parent
LEVELS = {"warning": "Warnings", "info": "Information"}
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
UNBROKEN = re.compile(r"`[^`]+`|\[[^]]+\]\([^)]+\)")
RULE = re.compile(r"^\| ([A-Z-]+-\d\d) \|", re.MULTILINE)

LEFT_OUT = """\
# Pages that are left out

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/pages/omit.py. -->

The sitemap lists every page that the build has written, unless there is a reason to leave it out. The last line of the
build log counts the reasons: `sitemap.xml: 42 URLs, 40 with a date; left out: 1 excluded, 2 noindex`. With
`mkdocs build --verbose` or `sphinx-build -v` the log names each page and the reason:
`left out guide/old.md: noindex (robots meta tag: noindex)`.

To list a page that the option [`exclude`](options.md#exclude) or a rule of [`pages`](options.md#pages) leaves out,
write `sitemap: true` in its [front matter](front-matter.md). A page that tells crawlers not to index it can never be
listed: search engines would ignore it anyway.

| in the log | meaning | rules |
| --- | --- | --- |
"""

MESSAGES = """\
# Messages

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/rules.py and rules.toml. -->

All messages in the build log, and what to do about them. Search this page for a few words of a message; Sphinx 8 and
later also show the kind at the end of a warning, as in `[sitemap.front-matter]`.

A warning fails `mkdocs build --strict` and `sphinx-build -W`. So only problems that you can fix in the source or the
options, or that would make the sitemap wrong, are warnings. Everything else, such as a shallow clone, is information.

The option [`notes`](options.md#notes) sets the level of a kind to `ignore`, `info` or `warning`:

```yaml
notes:
  shallow: warning        # fail --strict when the clone is shallow
  home-left-out: ignore
```

In `conf.py`:

```python
sitemap_options = {"notes": {"shallow": "warning", "home-left-out": "ignore"}}
```

In Sphinx, `suppress_warnings = ["sitemap.front-matter"]` silences a kind of warning, too. The last line of the log
counts the pages that are left out; [another page](left-out.md) lists the reasons.

## All kinds

| kind | level | meaning |
| --- | --- | --- |
"""

LIMITS_PAGE = """\
# Limits

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/reading.py. -->

A build reads files that you may not have written: pages, a `robots.txt`, translators' catalogues, the history of a pull
request. Each kind has a limit, far above what real sites need, so that no file can fill the memory of the machine. For
a compressed file, the limit applies both to the file and to its uncompressed content.

Only regular files are read, not pipes, which would block the build, or devices. In the output folder, links that lead
out of that folder are not followed; links that stay inside, such as mike's aliases, are fine.

If a file cannot be read, the build continues and [a message](messages.md#unread) names the file, the reason and the
consequence. A page that cannot be read stays in the sitemap.

| file | largest size | other limits | why real files are smaller |
| --- | --- | --- | --- |
"""


TABLE = """\
<!-- table: python -m nox -s reference writes it from sitemap_plugins/options/settings.py. -->

| option | type | default |
| --- | --- | --- |
{rows}
<!-- end of the table -->
"""

# What an author writes, by the type that reads it.
TYPES: Mapping[object, str] = {
    bool: "`true` or `false`",
    Alternates: "a mapping of languages to pages",
    BaseURL: "a URL",
    CanonicalVersionSite: "`url` and `pages`",
    Feeds: "`rss`, `atom` and more",
    Filename: "a file name that ends in `.xml`",
    GitOptions: "`date`, `follow_renames` and more",
    Globs: "a list of globs",
    Hook: "`module:function`",
    Indent: "a number from 0 to 8",
    JSONFile: "a file name that ends in `.json`",
    Limits: "`urls` and `bytes`",
    News: "`name`, `language` and pages",
    PageChoice: "`true`, `false` or globs",
    Selector: "a CSS selector",
    Share: "a number from 0 to 1",
    XDefault: "`true`, `false`, a language or a page",
}

LISTS: Mapping[object, str] = {
    Engine: "search engines",
    HostPattern: "host names",
    HostURL: "host URLs",
    LanguageSite: "languages to sites",
    LastModSource: "date sources",
    Level: "message kinds to levels",
    PageRule: "rules with `match` or `source`",
    Section: "sections to globs",
    SourcePattern: "path patterns",
}


def pages() -> dict[str, str]:
    """The text of each generated page by its name."""
    manual = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.md")}
    generated = {"left-out.md": _left_out(manual["rules.md"]), "limits.md": _limits()}
    generated["options.md"] = _with_table(manual["options.md"])
    return generated | {"messages.md": _messages(manual | generated)}


def headings(text: str) -> dict[str, str]:
    """The headings of a page by their anchors, as GitHub and MkDocs make them; the first also by no anchor."""
    found = HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    return {"": found[0]} | {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-"): title for title in found}


def _with_table(options: str) -> str:
    """The page of the options with the table as it is now."""
    hints = get_type_hints(Settings, include_extras=True)
    rows = [
        f"| [`{field.name}`](#{field.name}) | {_kind(hints[field.name])} | {_default(field)} |"
        for field in structs.fields(Settings)
    ]
    before, _, rest = options.partition("<!-- table")
    after = rest.partition("<!-- end of the table -->\n")[2]
    return before + TABLE.format(rows="\n".join(rows)) + after


def _kind(hint: object) -> str:
    """What can be written for a type. Raises KeyError for one that is neither in `TYPES` nor in `LISTS`."""
    if hint in TYPES:
        return TYPES[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return ", ".join(f"`{value}`" for value in arguments)
    if origin is tuple:
        return f"a list of {LISTS[arguments[0]]}"
    if origin is dict:
        return f"a mapping of {LISTS[arguments[1]]}"
    if origin in {Union, UnionType}:
        kinds = ", ".join(_kind(each).replace(" or ", ", ") for each in arguments if each is not NoneType)
        return " or ".join(kinds.rsplit(", ", 1)) if "," in kinds and "globs" not in kinds else kinds
    raise KeyError(hint)


def _default(field: structs.FieldInfo) -> str:
    """The default, as an author would write it."""
    default = field.default if field.default_factory is NODEFAULT else field.default_factory()
    if default is None:
        return "depends on the host" if field.name in {"gzip", "generated_pages"} else "none"
    if default is True or default is False:
        return f"`{str(default).lower()}`"
    if field.name == "x_default":
        return "`true`"
    if isinstance(default, Struct):
        values = {
            name: value for name, value in structs.asdict(default).items() if isinstance(value, int | float | str)
        }
        return f"`{json.dumps(values)}`".replace('"', "") if values and field.name != "feeds" else "none"
    if isinstance(default, tuple):
        return f"`[{', '.join(default)}]`" if default else "none"
    return f"`{default}`" if default not in ({}, "") else "none"


def _left_out(rules: str) -> str:
    rows = [
        f"| {reason.wording} | {reason.meaning} | {_link_rules(reason.rules, rules)} |\n" for reason in REASONS.values()
    ]
    return LEFT_OUT + "".join(rows)


def _limits() -> str:
    return LIMITS_PAGE + "".join(
        f"| {each.what} | {each.shown_size} | {_further(each)} | {each.reason} |\n" for each in LIMITS
    )


def _further(limit: Limit) -> str:
    counted = {"lines": limit.lines, "URLs": limit.entries, "elements deep": limit.depth}
    return ", ".join(f"{number:,} {what}" for what, number in counted.items() if number)


def _messages(manual: Mapping[str, str]) -> str:
    rows = [f"| [`{name}`](#{name}) | {kind.level} | {kind.meaning} |\n" for name, kind in KINDS.items()]
    sections = [
        part
        for level, title in LEVELS.items()
        for part in (
            f"\n## {title}\n",
            *(_section(name, manual) for name, kind in KINDS.items() if kind.level == level),
        )
    ]
    return MESSAGES + "".join(rows) + "".join(sections)


def _section(name: str, manual: Mapping[str, str]) -> str:
    kind, explanation = KINDS[name], explain(name)
    seen = [_link(target, manual) for target in explanation.see]
    more = [f"See {', '.join(seen)}."] if seen else []
    more += [f"Rules: {_link_rules(kind.rules, manual['rules.md'])}."] if kind.rules else []
    paragraphs = [
        f"### `{name}`",
        "In the log: " + ", ".join(f'"{words}"' for words in explanation.log),
        f"{kind.meaning} {explanation.why}",
        f"**What to do:** {explanation.fix}",
        " ".join(more),
    ]
    return "".join(f"\n{_fill(each)}\n" for each in paragraphs if each)


def _fill(paragraph: str) -> str:
    """The paragraph in lines of at most 120 characters; no code and no link is broken."""
    whole = UNBROKEN.sub(lambda match: match[0].replace(" ", "\0"), paragraph)
    return textwrap.fill(whole, 120, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def _link(target: str, manual: Mapping[str, str]) -> str:
    """A link to a section of the manual with its heading as text. Raises KeyError where there is none."""
    page, _, anchor = target.partition("#")
    return f"[{headings(manual[page])[anchor]}]({target})"


def _link_rules(ids: Iterable[str], rules: str) -> str:
    """Links to the sections of rules.md that have these rules. Raises KeyError for a rule that is in none."""
    sections = re.split(r"^(?=## )", rules, flags=re.MULTILINE)[1:]
    anchors = {rule: list(headings(section))[1] for section in sections for rule in RULE.findall(section)}
    return ", ".join(f"[{rule}](rules.md#{anchors[rule]})" for rule in ids)


if __name__ == "__main__":
    for page, content in pages().items():
        (HERE / page).write_text(content, encoding="utf-8", newline="\n")
        print(f"docs/{page}")
