"""Write the pages of the reference that come from the source, the table of options.md and the last part of api.md.

    python docs/generate.py

* commands.md and commands/: the commands, as click declares them in ``sitemap_plugins/commands/``
* check-rules.md and check-rules/: the rules of ``check`` in ``sitemap_plugins/findings/catalogue.py`` and
  ``rules.toml`` beside it
* messages.md: the kinds of notes in ``sitemap_plugins/rules.py`` and ``rules.toml``
* left-out.md: the reasons to leave a page out in ``sitemap_plugins/pages/omit.py``
* limits.md: the limits in ``sitemap_plugins/reading.py``
* the table in options.md: the groups and first sentences of that page, with the types and defaults in
  ``sitemap_plugins/options/settings.py``
* the signatures in api.md: the public names in ``sitemap_plugins/__init__.py``

Conversely, ``sitemap_plugins/options/sentences.json`` has what options.md and front-matter.md say first about
each option, for editors.

The same source gives the same bytes; a test compares them with the pages.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import click
from msgspec import NODEFAULT, Meta, Struct, structs

import sitemap_plugins
from sitemap_plugins import reading
from sitemap_plugins.commands.check import CheckReport
from sitemap_plugins.commands.main import main
from sitemap_plugins.commands.rule import RulesReport
from sitemap_plugins.commands.versions import MergeReport, Report
from sitemap_plugins.commands.why import WhyReport
from sitemap_plugins.diff.printing import DiffReport
from sitemap_plugins.findings import catalogue
from sitemap_plugins.findings.printing import VersionedReport
from sitemap_plugins.options.convert import Facts, fields_of
from sitemap_plugins.options.settings import GitOptions, Settings
from sitemap_plugins.options.types import PlainName
from sitemap_plugins.pages.omit import REASONS
from sitemap_plugins.reading import Limit
from sitemap_plugins.rules import KINDS, explain

HERE = Path(__file__).resolve().parent
LEVELS = {"warning": "Warnings", "info": "Information", "ignore": "Ignored by default"}
SENTENCES = "../sitemap_plugins/options/sentences.json"
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
# A group of options, or an option with the first paragraph about it.
OPTION = re.compile(r"^##(?: (.+)|# `(\w+)`\n\n((?:.+\n)+))", re.MULTILINE)
_BY_TOOL = "depends on the tool"
_LONG = 40  # characters of a default in a table that is read on a phone
UNBROKEN = re.compile(r"`[^`]+`|\[[^]]+\]\([^)]+\)")
# What is code in the help of a command: patterns, options, files, URLs, and the names below; those of values follow.
CODE = (
    r"'[^' ]*[{=][^' ]*'|--?[a-z][\w-]*|\.?[\w*-]+(?:\.[\w*-]+)*\.(?:html|json|py|toml|txt|xml|yml)\b|\.git-[\w-]+"
    r"|/[a-z]+(?:\.html|/)?|[a-z]+_[a-z]+\b|newest:N|git log -1|gh-pages(?:[~:][\d.]+\b)?|_redirects|CNAME"
)
RULE = re.compile(r"^\| ([A-Z-]+-\d\d) \|", re.MULTILINE)

COMMANDS = """\
# Commands

<!-- Do not edit: python -m nox -s reference writes this page from the commands in sitemap_plugins/commands/. -->

`sitemap-plugins` is the command line of the plugin. You do not need it for builds with MkDocs and Sphinx, where the
plugin writes the sitemap. These are the commands:

| command | what it does |
| --- | --- |
{rows}
Run a command with `--help` to see its options and examples. `sitemap-plugins -V` shows the version. `SITE` is the
folder of a built site; `build`, `check` and `why` find it if you do not name it. `merge`, `retire` and `diff` work on
published files, so they do not guess: name what they should change or compare.

A command exits with status 0 if it succeeds, with 1 if it fails or finds a problem, and with 2 if an argument or
option is wrong. Where 1 has a meaning of its own (findings in `check`, lost URLs in `diff`, "try again later" in
`submit`), errors exit with 2, so a missing git repository does not have the same status in all commands. Stopped by
Ctrl-C or SIGTERM, a command removes its temporary files, and exits with 130 or 143. Results go to standard output;
notes, hints, warnings and errors go to standard error. On a terminal, a command that takes longer than a second also
shows a progress bar there. `--quiet` turns off the bar and everything that is not a result, a warning or an error.

On a terminal, levels and paths are in colour, and if a table is too wide, each row becomes a block of lines. Set the
environment variable `NO_COLOR` to turn colours off, or `FORCE_COLOR` to turn them on in a CI log.

## Completion

Shells can complete commands, options, files, branches, remotes and rules. zsh and fish also show what each option
means.

| shell | run this once |
| --- | --- |
| bash 4.4 or later | `echo 'eval "$(_SITEMAP_PLUGINS_COMPLETE=bash_source sitemap-plugins)"' >> ~/.bashrc` |
| zsh | `echo 'eval "$(_SITEMAP_PLUGINS_COMPLETE=zsh_source sitemap-plugins)"' >> ~/.zshrc` |
| fish | `_SITEMAP_PLUGINS_COMPLETE=fish_source sitemap-plugins > ~/.config/fish/completions/sitemap-plugins.fish` |

Then open a new shell. In zsh, the line must come after `compinit`.
"""

COMMAND = """\
---
search:
  boost: 0.8
---
# `{name}`

<!-- Do not edit: python -m nox -s reference writes this page from the commands in sitemap_plugins/commands/. -->

{description}

{guide}

```console
{example}
```

Usage: `{usage}`

| argument or option | value | meaning |
| --- | --- | --- |
{rows}"""


class Manual(NamedTuple):
    """What the help of a command does not have: a link to the ``guide``, what its examples print, as far as that is
    shown, and its ``argument``, or several of them by name.

    ``report`` is what the command prints with ``--format json``, and ``about_report`` says more about it.
    """

    guide: str
    argument: str | Mapping[str, str]
    outputs: tuple[str, ...] = ()
    report: type[Struct] | None = None
    about_report: str = ""


MANUALS: Mapping[str, Manual] = {
    "build": Manual(
        guide="The guide to [other generators](../generators.md) says what it reads.",
        outputs=(
            "",
            """\
4 HTML files in site, built by Zensical
URL: https://docs.example.org/, from the canonical links of the pages
sources: found for 3 of 4 files, in docs
info: replaced sitemap.xml, which Zensical wrote (3 URLs)
sitemap.xml: 3 URLs, 3 with a date; left out: 1 error page
changed: sitemap.xml, robots.txt""",
        ),
        argument="The folder with the built site. Default: the output folder in the configuration, or one that "
        "generators commonly build into. With `--branch`: the folder of a version, or of an alias, in the branch.",
    ),
    "check": Manual(
        guide="The guide to [checking a site](../check.md) says what is compared, and how a "
        "[live site](../check.md#a-live-site) is read.",
        outputs=(
            """\
12 HTML files, sitemap.xml
URL: https://docs.example.org/, from the file CNAME
error: listed-noindex: The sitemap lists a page that tells search engines not to index it (2 times, tags/)
  sitemap.xml:9: https://docs.example.org/tags/a/ (robots meta tag: noindex)
  sitemap.xml:10: https://docs.example.org/tags/b/ (robots meta tag: noindex)
  fix: Remove the page from the sitemap, or the `noindex` from the page.
1 error
more about a finding, with examples: sitemap-plugins rule listed-noindex""",
        ),
        argument="The folder that is published, or the URL of a live site. Default: a folder, as for `build`.",
        report=CheckReport,
        about_report="With `--format json` the command prints one object. All paths are relative to `SITE` or URL, "
        "with forward slashes. `--select`, `--ignore` and `--level` choose the findings in it, too.",
    ),
    "dates": Manual(
        guide="The guide to [dates](../dates.md) says which commits count.",
        outputs=(
            """\
2026-02-10T09:00:00+00:00  99d17339f3  guide/install.md
2026-01-05T09:00:00+00:00  9d832410cc  index.md
2 files, 2 with a date""",
            """\
A page may be newer because of other files that it includes: add --record FILE, which a build writes with the option \
record.
docs/guide/install.md
  2026-03-12T09:00:00+00:00  c68da035be  listed as a commit to ignore: ignored
  2026-03-01T09:00:00+00:00  7d90f12773  renamed from docs/install.md with the same content, which does not count as \
a change: ignored
  2026-02-10T09:00:00+00:00  99d17339f3  this changed it last: its date
    Explain how to install it""",
        ),
        argument="A folder or file in a git repository. Default: the current folder.",
    ),
    "debug": Manual(
        guide="[Troubleshooting](../troubleshooting.md) helps with most problems.",
        outputs=(
            """\
sitemap-plugins: 0.1.0
Python:          3.13.1 (CPython)
platform:        Linux 6.8.0 x86_64
git:             2.47.1
packages:        click 8.3.3, msgspec 0.20.0, pathspec 1.0.4, PyYAML 6.0.3, rich 14.2.0, selectolax 0.4.8
also installed:  mkdocs 1.6.1, mike 2.1.3, mkdocs-material 9.7.0
service:         GitHub Actions
configuration:   mkdocs.yml
options:         record, expose: true""",
        ),
        argument="",
    ),
    "diff": Manual(
        guide="See [Find lost URLs](../diff.md) for what is compared, and for pull requests.",
        outputs=(
            """\
old: gh-pages: 105 pages, built from 5fd1a9c2b0
new: site/: 104 pages, built from 9c0f2e71d4
removed  /faq/      perhaps /help/
removed  /install/  now /start/install/ (renamed, according to git)
add to redirect_maps in mkdocs.yml:
  install.md: start/install.md
changed  /start/
added    /start/install/  Installation
2 pages removed; 1 changed, 1 added""",
        ),
        argument={
            "OLD": "The state before: a folder, a branch or another revision, a record, or a sitemap.",
            "NEW": "The state to publish, in the same forms.",
        },
        report=DiffReport,
        about_report="With `--format json` the command prints one object. Paths are those of URLs below the URL of the "
        "site, decoded; that of the home page is empty.",
    ),
    "merge": Manual(
        guide="See the guides to [languages](../languages.md#builds-that-are-merged) and [versions](../versions.md).",
        outputs=(
            """\
version  folder  aliases        stage    known by       canonical
2.0      2.0     latest (copy)  release  versions.json  https://docs.example.org/2.0/ (alias latest)
1.0      1.0                    release  versions.json
2.0: 3 pages listed at the root
1.0: 3 pages in its own sitemap; not announced
changed: sitemap.xml, sitemap.xml.gz, robots.txt""",
        ),
        argument="The folder above the languages or versions. Required, except with `--branch`.",
        report=MergeReport,
        about_report="The object has the [fields of that of `retire`](retire.md#json-of-retire) and those below. "
        "Without `--retire`, the fields about pages are empty.",
    ),
    "retire": Manual(
        guide="The guide to [old versions](../old-versions.md) says when you need it.",
        outputs=(
            """\
version  folder  aliases        stage    known by       canonical
2.0      2.0     latest (copy)  release  versions.json  https://docs.example.org/2.0/ (alias latest)
1.0      1.0                    release  versions.json

folder  pages  changed  to kept  to newest  to itself  noindex  left alone  not editable
2.0         4        0        0          0          0        0           0             0
latest      4        0        0          0          0        0           0             0
1.0         4        2        2          0          1        0           1             0
left alone: 1.0/404.html is an error page
  1.0/index.html -> https://docs.example.org/2.0/
  1.0/install/index.html -> https://docs.example.org/2.0/install/
0 canonical links lead to missing pages
would change: 2 pages""",
        ),
        argument="The folder above the versions. Required, except with `--branch`.",
        report=Report,
        about_report="With `--format json` the command prints one object, with `--dry-run` too. Problems also go to "
        "standard error, and set the exit status. An error, such as a folder without versions, prints no object. All "
        "paths are relative to `ROOT`, with forward slashes; an empty one is `ROOT` itself.",
    ),
    "rule": Manual(
        guide="Each [rule of check](../check-rules.md) has a page with the same text.",
        outputs=(
            """\
invalid-date: error (SM-MOD-01)
  A date in a sitemap is not valid.
  Search engines ignore the date, and may trust the other dates of the site less.
  Fix: Write a date such as `2026-03-01`, or one with a time and a time zone such as
  `2026-03-01T09:00:00Z`.
  …/check-rules/invalid-date/
  bad: sitemap.xml
    <url><loc>https://docs.example.org/</loc><lastmod>2026-02-30</lastmod></url>
  good: sitemap.xml
    <url><loc>https://docs.example.org/</loc><lastmod>2026-02-28</lastmod></url>""",
        ),
        argument="Rules, or patterns such as `'listed-*'`. Default: all rules, one on each line.",
        report=RulesReport,
        about_report="With `--format json` the command prints one object.",
    ),
    "schema": Manual(
        guide="See [In your editor](../editor.md) for what each editor needs.",
        argument="The file with the options. Default: `sitemap.toml`.",
    ),
    "submit": Manual(
        guide="See [Check and submit a live site](../live.md) for a workflow that runs it every day.",
        outputs=("3 URLs sent: 1 new, 2 changed, 0 gone",),
        argument="The URL of the site, as readers open it.",
    ),
    "why": Manual(
        guide="The guide to [checking a site](../check.md#why-is-this-page-listed-or-not) has more about it.",
        outputs=(
            """\
https://docs.example.org/tags/a/
file: tags/a/index.html
listed: sitemap.xml:9 (announced by robots.txt)
a build would leave it out: noindex (robots meta tag: noindex)
canonical link: to itself
robots meta tag: noindex
check finds: listed-noindex""",
        ),
        argument={
            "URL|FILE": "The page: its URL, its path such as `/guide/`, its file in `SITE`, or its source.",
            "SITE": "The folder that is published. Default: as for `build`.",
        },
        report=WhyReport,
        about_report="With `--format json` the command prints one object. All paths are relative to `SITE`, with "
        "forward slashes, except that of the source, which is relative to the current folder.",
    ),
}

LEFT_OUT = """\
# Pages that are left out

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/pages/omit.py. -->

The sitemap lists every page that the build has written, unless there is a reason to leave it out. The last line of the
build log counts the reasons: `sitemap.xml: 42 URLs, 40 with a date; left out: 1 excluded, 2 noindex`. With
`mkdocs build -v`, `sphinx-build -v` or `sitemap-plugins build -v` the log lists each page and the reason:
`left out guide/old.md: noindex (robots meta tag: noindex)`. As `mkdocs build -v` prints hundreds of other lines, search
its output for `sitemap: left out`.

To list a page that the option [`exclude`](options.md#exclude) or a rule of [`pages`](options.md#pages) leaves out,
write `sitemap: true` in its [front matter](front-matter.md). A page that tells crawlers not to index it can never be
listed: search engines would ignore it anyway.

| in the log | meaning | rules |
| --- | --- | --- |
"""

MESSAGES = """\
---
search:
  boost: 0.3
---
# Messages

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/rules.py and rules.toml. -->

All messages in the build log, and what to do about them. Search this page for a few words of a message; Sphinx 8 and
later also show the kind at the end of a warning, as in `[sitemap.front-matter]`. The errors of the commands themselves
(`Error: …`) are not listed here: they say what to do. For the lines of `merge` and `retire`, such as `danger: …`, see
[Troubleshooting](troubleshooting.md#what-merge-and-retire-say).

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
"""

CHECK_RULES = """\
---
search:
  boost: 0.3
---
# Rules of check

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/findings/. -->

These are all rules of [`sitemap-plugins check`](check.md). The page of a rule says why it matters and what to do, with
an example that breaks the rule and one that does not. Every example is a site at `https://docs.example.org/` with a
`robots.txt`, a home page and a sitemap whose `urlset` has all namespaces, but shows only the files that matter. `{n}`
stands for ten lines or files. `sitemap-plugins rule RULE` prints the same text.

On a [live site](check.md#a-live-site), only the listed pages are read. A rule that needs all files finds nothing there,
as its page says. [`unanswered`](check-rules/unanswered.md) and [`not-deployed`](check-rules/not-deployed.md) find
something only on a live site.

If one finding explains others, only the first is reported: a file that cannot be read has no other findings, and if all
URLs have the wrong host, their pages are not reported as missing.
"""

CHECK_RULE = """\
---
orphan: true
search:
  boost: 0.3
---
# `{name}`

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/findings/. -->

A [rule of check](../check-rules.md) with the level `{level}`.
"""

CHECK_LEVELS = {"error": "Errors", "warning": "Warnings", "info": "Information"}

LIMITS_PAGE = """\
---
search:
  boost: 0.3
---
# Limits

<!-- Do not edit: python -m nox -s reference writes this page from sitemap_plugins/reading.py. -->

A build reads files that you may not have written: pages, a `robots.txt`, translators' catalogues, the history of a pull
request. Each kind has a limit, far above what real sites need, so that no file can exhaust the machine's memory. For
a compressed file, the limit applies both to the file and to its uncompressed content.

Only regular files are read: no devices, and no pipes, which would block the build. In the output folder, links that
point outside that folder are not followed; links that stay inside, such as mike's aliases, are fine.

If a file cannot be read, the build continues and [a message](messages.md#unread) names the file, the reason and the
consequence. A page that cannot be read stays in the sitemap.

| file | largest size | other limits | why real files are smaller |
| --- | --- | --- | --- |
"""


TABLE = """\
<!-- table: python -m nox -s reference writes it from the sections below and sitemap_plugins/options/settings.py. -->

| option | what it does | type | default |
| --- | --- | --- | --- |
{rows}
<!-- end of the table -->
"""

SIGNATURES = """\
<!-- signatures: do not edit below: python -m nox -s reference writes this from sitemap_plugins/. -->

## All values and functions

Values take their arguments by name, except `Adjuster` and `GzipOf`.
"""


def pages() -> dict[str, str]:
    """The text of each generated page by its path."""
    manual = {file.name: file.read_text(encoding="utf-8") for file in HERE.glob("*.md")}
    generated = _commands() | {"left-out.md": _left_out(manual["rules.md"]), "limits.md": _limits()}
    generated["options.md"] = _with_table(manual["options.md"])
    generated["api.md"] = _with_signatures(manual["api.md"])
    generated[SENTENCES] = _sentences(manual["options.md"], manual["front-matter.md"])
    generated["messages.md"] = _messages(manual | generated)
    return generated | _check_rules(manual | generated)


def headings(text: str) -> dict[str, str]:
    """The headings of a page by their anchors, as GitHub and MkDocs make them; the first also by no anchor."""
    found = HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    return {"": found[0]} | {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-"): title for title in found}


def _with_table(options: str) -> str:
    """The page of the options with the table as it is now: in its groups, with the first sentence about each option."""
    hints = get_type_hints(Settings, include_extras=True)
    fields = {field.name: field for field in structs.fields(Settings)}
    before, _, rest = options.partition("<!-- table")
    after = rest.partition("<!-- end of the table -->\n")[2]
    rows = [
        f"| [`{name}`](#{name}) | {_sentence(text)} | {_kind(hints[name])} | {_default(fields[name])} |"
        if name
        else f"| **[{group}](#{list(headings(f'# {group}'))[1]})** | | | |"
        for group, name, text in OPTION.findall(after)
    ]
    return before + TABLE.format(rows="\n".join(rows)) + after


def _sentences(options: str, front_matter: str) -> str:
    """The first sentence about each option, about the parts of ``git``, and about the values in a rule of ``pages``."""
    sections = re.findall(r"^##+ `(\w+)`\n\n(.+?)(?:\n\n|\Z)", options, re.MULTILINE | re.DOTALL)
    parts = re.findall(r"^\* `(\w+)`: (.+?)(?=\n\*|\n\n)", options, re.MULTILINE | re.DOTALL)
    values = re.findall(r"^\| `(\w+)` \| (.+) \|$", front_matter, re.MULTILINE)
    found = {name: text for name, text in sections if name in fields_of(Settings)}
    found |= {f"git.{name}": text for name, text in parts if name in fields_of(GitOptions)}
    found |= {f"pages.{name}": text for name, text in values}
    return json.dumps({name: _sentence(text) for name, text in found.items()}, indent=1) + "\n"


def _sentence(text: str) -> str:
    """The first sentence of a paragraph, without its links."""
    unlinked = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", re.sub(r"[;,] see \[[^]]+\]\([^)]+\)", "", text))
    first = re.split(r"\.(?: |$)", " ".join(unlinked.split()), maxsplit=1)[0].rstrip(":")
    return f"{first[0].upper()}{first[1:]}."


def _with_signatures(api: str) -> str:
    """The page of the API with all public values and functions as they are in the source."""
    public = [getattr(sitemap_plugins, name) for name in sorted(sitemap_plugins.__all__)]
    # The fields of the settings are the options, which have a page of their own.
    described = [each for each in public if getattr(each, "__annotations__", None) and each is not Settings]
    before = api.partition("<!-- signatures")[0]
    return before + SIGNATURES + "".join(map(_signature, described))


def _signature(value: Any) -> str:
    """A function with its arguments or a value with its fields, with types and defaults, and what they mean."""
    source = inspect.getsource(value)
    node = ast.parse(source).body[0]
    if isinstance(node, ast.ClassDef):
        fields = (ast.get_source_segment(source, each) for each in node.body if isinstance(each, ast.AnnAssign))
        code = "".join([f"class {value.__name__}:\n", *(f"    {field}\n" for field in fields)])
    else:
        code = "".join(source.splitlines(keepends=True)[: node.body[0].lineno - 1])  # up to the docstring
    meaning = "\n\n".join(_fill(each) for each in (inspect.getdoc(value) or "").replace("``", "`").split("\n\n"))
    return f"\n### `{value.__name__}`\n\n```text\n{code}```\n\n{meaning}\n"


def _kind(hint: Any) -> str:
    """What can be written for a type. Raises ValueError if neither the type nor its field says it."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return next(filter(None, map(_declared, hint.__metadata__)), "") or _kind(hint.__origin__)
    if origin is tuple:
        return f"a list of {_kind(arguments[0])}"
    if origin in {Union, UnionType}:
        kinds = [_kind(each) for each in arguments if each is not NoneType]
        return kinds[0] if len(kinds) == 1 else _either(", ".join(kinds).replace(" or ", ", ").split(", "))
    if origin is Literal or hint is bool:
        return _either([f"`{value}`" for value in arguments or ("true", "false")])
    return getattr(hint, "WORDS", "") or _words_of(hint)


def _words_of(hint: Any) -> str:
    """What can be written for a type without ``WORDS``: a file name, or a mapping with the names of its fields."""
    if issubclass(hint, PlainName):
        return f"a file name that ends in {_either([f'`{ending}`' for ending in hint.ENDINGS])}"
    if issubclass(hint, Struct):
        first, second, *more = (f"`{name}`" for name in hint.__struct_fields__)
        return f"{first}, {second} and more" if more else f"{first} and {second}"
    raise ValueError(f"{hint} has no WORDS, and the option no Facts with words")


def _declared(meta: Facts | Meta) -> str:
    """What can be written, as it is declared beside a type."""
    if isinstance(meta, Facts):
        return meta.words
    bounded = meta.ge is not None and meta.le is not None
    return meta.description or (f"a number from {meta.ge:g} to {meta.le:g}" if bounded else "")


def _either(kinds: list[str]) -> str:
    return " or ".join(", ".join(kinds).rsplit(", ", 1))


def _default(field: structs.FieldInfo) -> str:
    """The default, as an author would write it."""
    default = field.default if field.default_factory is NODEFAULT else field.default_factory()
    if default is None:
        return {"gzip": _BY_TOOL, "generated_pages": _BY_TOOL, "html": "`false`"}.get(field.name, "none")
    if field.name == "x_default":
        shown = "true"
    elif isinstance(default, Struct):
        values = {
            name: value for name, value in structs.asdict(default).items() if isinstance(value, int | float | str)
        }
        shown = json.dumps(values).replace('"', "") if field.name != "feeds" else ""
    elif isinstance(default, tuple):
        shown = f"[{', '.join(default)}]" if default else ""
    else:
        shown = str(default).lower() if isinstance(default, bool) else str(default)
    if len(shown) > _LONG:
        return f"[in its section](#{field.name})"
    return f"`{shown}`" if shown not in {"", "{}"} else "none"


def _commands() -> dict[str, str]:
    """The page that lists the commands, and the page of each. Raises KeyError for one that is not in `MANUALS`."""
    group = click.Context(main, info_name="sitemap-plugins", **main.context_settings)
    rows, generated = "", {}
    for name in main.list_commands(group):
        if command := main.get_command(group, name):
            # A row has the anchors of the time when all commands stood on this page; that of a rule does, too.
            link = f'<a id="{name}"></a><a id="json-of-{name}"></a>[`{name}`](commands/{name}.md)'
            rows += f"| {link} | {_first_sentence(command)} |\n"
            generated[f"commands/{name}.md"] = _command(name, command, click.Context(command, group, name))
    return {"commands.md": COMMANDS.format(rows=rows)} | generated


def _report(name: str, report: type[Struct], about: str) -> str:
    """The fields of the object that a command prints with ``--format json``, and those of the objects in it."""
    inherited = [each for each in report.__bases__ if each not in {Struct, VersionedReport}]
    common = {field.name for base in inherited for field in structs.fields(base)}
    text = f"\n## JSON of `{name}`\n\n" + _fill(about)
    return text + "\n\n" + "\n".join(_tables(report, common))


def _tables(report: type[Struct], but: Container[str] = (), of: str = "") -> Iterator[str]:
    """A table of the fields of a type, and tables of the objects in them; ``of`` is the field that the type is in."""
    hints = get_type_hints(report, include_extras=True)
    inside: dict[str, type[Struct]] = {}
    rows = [f"In `{of}`:\n\n" if of else "", "| field | value | meaning |\n| --- | --- | --- |\n"]
    for field in structs.fields(report):
        if field.name not in but:
            hint, meta = get_args(hints[field.name])
            kind, inner = _json_type(hint)
            rows.append(f"| `{field.name}` | {kind} | {meta.description} |\n")
            inside |= {field.name: inner} if inner else {}
    yield "".join(rows)
    for name, inner in inside.items():
        yield from _tables(inner, of=name)


def _json_type(hint: Any) -> tuple[str, type[Struct] | None]:
    """What JSON calls the values of a type, and the type of the objects in them."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        kind, inner = _json_type(arguments[0])
        return f"{kind} or null", inner
    if origin is tuple:
        kind, inner = _json_type(arguments[0])
        return f"list of {kind}" if get_origin(arguments[0]) is Literal else f"list of {kind}s", inner
    if origin is Literal:
        return ", ".join(map(str, arguments)), None
    if isinstance(hint, type) and issubclass(hint, Struct):
        return "object", hint
    if origin is Mapping and arguments[1] is not int:
        return "object of strings", None
    return {str: "string", int: "number", float: "number", bool: "true or false"}.get(hint, "object of numbers"), None


def _first_sentence(command: click.Command) -> str:
    """What a command does: the first paragraph of its help."""
    paragraph = inspect.cleandoc(command.help or "").partition("\n\n")[0]
    return _coded(command, paragraph.replace("\n", " "))


def _command(name: str, command: click.Command, context: click.Context) -> str:
    manual = MANUALS[name]
    rows = [f"| {' | '.join(cells)} |\n" for cells in _parameters(command, context, manual)]
    return COMMAND.format(
        name=name,
        guide=_fill(manual.guide),
        example="\n".join(_examples(command, manual.outputs)),
        usage=" ".join([context.command_path, *command.collect_usage_pieces(context)]),
        description="\n\n".join(_description(command)),
        rows="".join(rows),
    ) + (_report(name, manual.report, manual.about_report) if manual.report else "")


def _description(command: click.Command) -> Iterator[str]:
    """The paragraphs of a command's help."""
    for part in inspect.cleandoc(command.help or "").split("\n\n"):
        yield _fill(_coded(command, part.replace("\n", " ")))


def _examples(command: click.Command, outputs: Iterable[str]) -> Iterator[str]:
    """The examples in a command's help, each with its output if that is known."""
    calls = (command.epilog or "").splitlines()[2:]
    for call, output in zip_longest(calls, outputs, fillvalue=""):
        yield f"$ {call.strip()}"
        yield from filter(None, [output])


def _parameters(command: click.Command, context: click.Context, manual: Manual) -> Iterator[tuple[str, str, str]]:
    """What can be written after a command: the cells of a table with its name, its value and its meaning."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            default = parameter.get_default(context) if parameter.show_default else None
            shown = f" Default: `{default}`." if default is not None else ""
            yield (
                ", ".join(f"`{name}`" for name in parameter.opts),
                _value(parameter),
                _coded(command, parameter.help or "") + shown,
            )
        else:
            name = re.sub(r"^\[(.*)]$", r"\1", parameter.metavar or (parameter.name or "").upper())
            of = manual.argument
            yield f"`{name.replace('|', '` or `')}`", "", of if isinstance(of, str) else of[name]


def _value(option: click.Option) -> str:
    """What is written after an option; nothing after a flag."""
    if option.is_flag:
        return ""
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    values = option.metavar.split("|") if option.metavar else [*map(str, choices)] or [option.type.name.upper()]
    return " or ".join(", ".join(f"`{value}`" for value in values).rsplit(", ", 1))


def _coded(command: click.Command, text: str) -> str:
    """A text of a command's help with its code marked."""
    values = " ".join(each.metavar or each.human_readable_name.upper() for each in command.params)
    names = sorted({rf"{name}\b" for name in re.findall(r"[A-Z]{4,}", values)})
    return re.sub(rf"(?<![\w.:/-])(?:{'|'.join([CODE, *names])})", _as_code, text)


def _as_code(match: re.Match[str]) -> str:
    return f"`{match[0].strip(chr(39))}`"


def _left_out(rules: str) -> str:
    rows = [
        f"| {reason.wording} | {reason.meaning} | {_link_rules(reason.rules, rules)} |\n" for reason in REASONS.values()
    ]
    return LEFT_OUT + "".join(rows)


def _limits() -> str:
    return LIMITS_PAGE + "".join(
        f"| {each.what} | {each.shown_size} | {_further(each)} | {each.reason} |\n"
        for each in vars(reading).values()
        if isinstance(each, Limit)
    )


def _further(limit: Limit) -> str:
    counted = {"lines": limit.lines, "URLs": limit.entries, "elements deep": limit.depth}
    return ", ".join(f"{number:,} {what}" for what, number in counted.items() if number)


def _messages(manual: Mapping[str, str]) -> str:
    contents, sections = "", ""
    for level, title in LEVELS.items():
        names = [name for name, kind in KINDS.items() if kind.level == level]
        contents += "\n" + _fill(f"**{title}**: " + ", ".join(f"[`{name}`](#{name})" for name in names)) + "\n"
        sections += f"\n## {title}\n" + "".join(_section(name, manual) for name in names)
    return MESSAGES + contents + sections


def _section(name: str, manual: Mapping[str, str]) -> str:
    kind, explanation = KINDS[name], explain(name)
    paragraphs = [
        f"### `{name}`",
        "In the log: " + ", ".join(f'"{words}"' for words in explanation.log),
        f"{kind.meaning} {explanation.why}",
        f"**What to do:** {explanation.fix}",
        _references(explanation.see, kind.rules, manual),
    ]
    return "".join(f"\n{_fill(each)}\n" for each in paragraphs if each)


def _check_rules(manual: Mapping[str, str]) -> dict[str, str]:
    """The page that lists the rules of ``check``, and the page of each."""
    tables = {
        level: f"\n## {title}\n\n| rule | what is wrong |\n| --- | --- |\n" for level, title in CHECK_LEVELS.items()
    }
    for name, rule in catalogue.RULES.items():
        tables[rule.level] += f'| <a id="{name}"></a>[`{name}`](check-rules/{name}.md) | {rule.meaning} |\n'
    generated = {f"check-rules/{name}.md": _check_rule(name, manual) for name in catalogue.RULES}
    return {"check-rules.md": CHECK_RULES + "".join(tables.values())} | generated


def _check_rule(name: str, manual: Mapping[str, str]) -> str:
    rule, explanation = catalogue.RULES[name], catalogue.explain(name)
    references = _references(explanation.see, rule.rules, manual).replace("](", "](../")
    paragraphs = [
        f"{rule.meaning} {explanation.why}",
        f"**What to do:** {explanation.fix}",
        f"{catalogue.SILENT_LIVE if rule.needs_tree else ''} {references}".strip(),
    ]
    texts = [_fill(each) for each in paragraphs if each]
    return CHECK_RULE.format(name=name, level=rule.level) + "".join(
        f"\n{each}\n" for each in [*texts, *_example("Bad", explanation.bad), *_example("Good", explanation.good)]
    )


def _example(which: str, files: Mapping[str, str | bool]) -> Iterator[str]:
    """The files of an example, each in a block of code below its path."""
    for path, content in files.items():
        if isinstance(content, bool) or not content:
            yield f"{which}: no `{path}`" if content is False else f"{which}: an empty head in `{path}`"
        elif content.isdecimal():
            yield f"{which}: the server answers {content} for {path}"
        else:
            shown = content.strip("\n").replace("\ufeff", "[BOM]")
            sent = ", as the server sends it" if "://" in path else ""
            yield f"{which}, `{path}`{sent}:\n\n```text\n{shown}\n```"


def _fill(paragraph: str) -> str:
    """The paragraph in lines of at most 120 characters; no code and no link is broken."""
    whole = UNBROKEN.sub(lambda match: match[0].replace(" ", "\0"), paragraph)
    return textwrap.fill(whole, 120, break_long_words=False, break_on_hyphens=False).replace("\0", " ")


def _references(see: Iterable[str], rules: Iterable[str], manual: Mapping[str, str]) -> str:
    """The sentences that link to sections of the manual, and to the rules of the specification."""
    sentences = {
        "See": ", ".join(_link(target, manual) for target in see),
        "Rules:": _link_rules(rules, manual["rules.md"]),
    }
    return " ".join(f"{start} {links}." for start, links in sentences.items() if links)


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
    written = pages()
    for old in HERE.glob("*/*.md"):  # perhaps that of a command or rule that is gone
        old.unlink()
    for page, content in written.items():
        (HERE / page).write_text(content, encoding="utf-8", newline="\n")
        print((HERE / page).resolve().relative_to(HERE.parent))
