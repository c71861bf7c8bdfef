"""The command ``sitemap-plugins check``: finds the mistakes in a published site."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias, TypeGuard

import click
from msgspec import Meta, Struct, to_builtins

from sitemap_plugins import __version__
from sitemap_plugins.check.checking import check
from sitemap_plugins.commands.shared_options import base_url_option, examples, format_option, project_option
from sitemap_plugins.commands.terminal import ProgressBar, explained_errors, say, say_commands, say_json
from sitemap_plugins.findings.catalogue import LEVELS, RULES, FindingLevel
from sitemap_plugins.findings.grouping import (
    BaselineError,
    Finding,
    Ignored,
    new_findings,
    read_baseline,
    render_baseline,
    without_ignored,
)
from sitemap_plugins.findings.printing import (
    FindingReport,
    VersionedReport,
    annotate,
    describe_findings,
    render_sarif,
    report_finding,
)
from sitemap_plugins.folder.configuration import Configuration, read_configuration, read_settings_of
from sitemap_plugins.folder.site_finding import find_site, no_pages
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import write
from sitemap_plugins.published.redirects import SiteBase, read_redirect_list
from sitemap_plugins.published.snapshot import Redirect
from sitemap_plugins.reading import BASELINE, REDIRECT_FILE, below_current, read_file
from sitemap_plugins.session.host import HostOptions
from sitemap_plugins.site.published_site import PublishedSite, read_site
from sitemap_plugins.values.tasks import ExplainedError
from sitemap_plugins.values.text import closest, count_of, first_of, join_first

RuleNames: TypeAlias = frozenset[str]

_EXAMPLES: Final = 3
_PROBLEMS: Final = 20  # shown; each line of a file may have one


class SitemapReport(Struct, frozen=True, kw_only=True):
    """A sitemap of the site."""

    path: Annotated[str, Meta(description="Its path.")]
    kind: Annotated[str, Meta(description="`urlset`, `index`, `text`, `feed` or `unusable`.")]
    urls: Annotated[int, Meta(description="The number of URLs or sitemaps that it lists.")]
    announced_by: Annotated[
        str | None,
        Meta(
            description="What announces it: `robots.txt`, an index, or the file itself if its name is well-known. "
            "Rules about several files apply only to announced sitemaps."
        ),
    ]


class CheckReport(VersionedReport, frozen=True, kw_only=True):
    """What ``check`` found. All paths but that of --redirects are relative to SITE, with forward slashes."""

    base_url: Annotated[str | None, Meta(description="The URL of the site.")]
    base_url_from: Annotated[str | None, Meta(description="Where this URL comes from.")]
    pages: Annotated[int, Meta(description="The number of HTML files.")]
    not_asked: Annotated[int, Meta(description="The number of listed URLs that `--limit` left out.")]
    sitemaps: Annotated[tuple[SitemapReport, ...], Meta(description="The sitemaps.")]
    findings: Annotated[tuple[FindingReport, ...], Meta(description="The findings, worst first.")]


class FolderOrURL(click.Path):
    """A folder that exists, or the URL of a site on a server."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The URL, or the path of the folder."""
        if is_url(value):
            return value
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(f"{error.message} The URL of a site starts with http:// or https://.", param, ctx)


def is_url(site: str | None) -> TypeGuard[str]:
    """Whether an argument is the URL of a site, not a folder."""
    return site is not None and site.lower().startswith(("http://", "https://"))


def read_rules(context: click.Context, parameter: click.Parameter, values: Sequence[str]) -> RuleNames:
    """The rules that match these names and globs, each several of them with commas. Raises `click.BadParameter`."""
    found: set[str] = set()
    names = [name for value in values for part in value.split(",") if (name := part.strip())]
    if values and not names:
        raise click.BadParameter("no rule is named; omit the option to use all rules")
    for name in names:
        matching = [rule for rule in RULES if fnmatchcase(rule, name)]
        if not matching:
            meant = closest(name, RULES)
            hint = f"did you mean {meant!r}?" if meant else "'sitemap-plugins rule' lists all"
            raise click.BadParameter(f"there is no rule {name!r}; {hint}")
        found.update(matching)
    return frozenset(found)


def complete_rules(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """The names of rules that start so, after a comma if there is one."""
    before, comma, start = incomplete.rpartition(",")
    return [f"{before}{comma}{rule}" for rule in RULES if rule.startswith(start)]


_rules_option: Final = partial(
    click.option, multiple=True, metavar="RULES", callback=read_rules, shell_complete=complete_rules
)


@click.command(
    "check",
    epilog=examples(
        "sitemap-plugins check site/",
        "sitemap-plugins check site/ --project . --format github",
        "sitemap-plugins check https://docs.example.org/",
    ),
)
@click.argument("site", metavar="[SITE|URL]", required=False, type=FolderOrURL(exists=True, file_okay=False))
@project_option(
    "It says where the site is published and which pages are left out on purpose. Its last commit shows which dates "
    "are in the future. Default: none, or the current folder if SITE is not given."
)
@base_url_option(
    "Where SITE is published. Default: the URL in most of the canonical links, the sitemap, robots.txt and the "
    "configuration; the host is the one in the file CNAME."
)
@_rules_option(
    "--select",
    help="Use only these rules, such as listed-noindex or 'listed-*'. Separate several with commas, or repeat it.",
)
@_rules_option("--ignore", help="Do not use these rules.")
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    default="info",
    show_default=True,
    help="Show only findings of this level or worse.",
)
@format_option(
    ("text", "json", "sarif", "github"),
    "Print text with a few examples of each finding, one JSON object with everything, SARIF 2.1.0 for code "
    "scanning, or annotations for GitHub Actions.",
)
@click.option(
    "--baseline",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Report only errors and warnings that are not in FILE, or that now occur in more places.",
)
@click.option(
    "--write-baseline",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True),
    help="Write all errors and warnings to FILE, for --baseline, regardless of --select, --ignore and --level, and "
    "exit with status 0.",
)
@click.option(
    "--redirects",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="Also check the redirects in FILE, which are only configured on the server: one 'FROM TO' on each line, with "
    "paths from the root of the host.",
)
@click.option(
    "--built",
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False),
    help="With a URL: find out whether the server sends the sitemaps that were built into FOLDER.",
)
@click.option(
    "--wait",
    metavar="SECONDS",
    type=click.IntRange(0),
    help="With --built: ask again every 15 seconds until the server sends these sitemaps, for at most this long.",
)
@click.option(
    "--rate",
    metavar="NUMBER",
    type=click.FloatRange(0),
    help="With a URL: send at most this many requests per second; 0 means no limit. Default: 10.",
)
@click.option("--limit", metavar="NUMBER", type=click.IntRange(0), help="With a URL: fetch at most this many pages.")
@click.option("--quiet", "-q", is_flag=True, help="Print only errors and warnings, and the object with --format json.")
def check_command(
    site: str | None,
    project: str | None,
    base_url: str | None,
    select: RuleNames,
    ignore: RuleNames,
    level: FindingLevel,
    output: str,
    baseline: str | None,
    write_baseline: str | None,
    redirects: str | None,
    built: str | None,
    wait: int | None,
    rate: float | None,
    limit: int | None,
    *,
    quiet: bool,
) -> None:
    """Find mistakes in the sitemaps of a published site, and contradictions between its sitemaps and its pages.

    SITE is the folder that is published, whichever tool built it: the output of a build, or a checkout of the branch
    gh-pages. Nothing is fetched. Given a URL instead, the command fetches robots.txt, the sitemaps and each page that
    they list. It writes nothing. Each finding has one cause, and says how to fix it. The command reports only what the
    files or the answers of the server prove.

    The exit status is 1 if there are errors or warnings, and 2 if the site cannot be checked. Information never
    changes it.
    """
    if baseline and write_baseline:
        raise click.UsageError("--baseline and --write-baseline cannot be combined")
    if wait is not None and not built:
        raise click.UsageError("--wait needs --built, whose sitemaps it waits for")
    if is_url(site):
        if base_url:
            raise click.UsageError("--base-url works only with a folder: a site on a server has the URL that you give")
        if redirects:
            raise click.UsageError("--redirects works only with a folder, which has all pages")
        from sitemap_plugins.commands.live import check_live_site

        checked, found, options = check_live_site(
            site, project, built, wait=wait or 0, rate=rate, limit=limit, quiet=quiet
        )
    else:
        _refuse_without_url({"--built": built, "--rate": rate, "--limit": limit})
        checked, found, options = check_folder(site, project, base_url, redirects, quiet=quiet)
    left = without_ignored(found, options.settings.ignored_findings, checked.base_url)
    say(*_describe_ignored(left, quiet=quiet), err=True)
    findings = [each for each in left.findings if _is_wanted(each, select, ignore, level, quiet=quiet)]
    if write_baseline:
        _write_baseline(Path(write_baseline), left.findings)
        if not quiet:
            say(f"wrote {write_baseline} with {count_of(_count_problems(left.findings), 'finding')}", err=True)
        return
    if baseline:
        findings = [*new_findings(findings, _read_baseline(baseline))]
    _print(checked, findings, output, quiet=quiet)
    if _count_problems(findings):
        raise SystemExit(1)


def _refuse_without_url(values: Mapping[str, object]) -> None:
    """Raise `click.UsageError` if an option for live sites is set."""
    for name, value in values.items():
        if value is not None:
            raise click.UsageError(f"{name} is for a site on a server: give its URL instead of a folder")


def _print(site: PublishedSite, findings: Sequence[Finding], output: str, *, quiet: bool) -> None:
    """Print the findings in the format of ``--format``."""
    folder = below_current(site.tree.root)
    if output == "json":
        say_json(to_builtins(report_check(site, findings)))
    elif output == "sarif":
        say_json(render_sarif(findings, __version__, folder))
    elif output == "github":
        say_commands(annotate(each, folder) for each in findings)
    else:
        lines = [*describe_findings(findings)]
        say(*([] if quiet else describe_site(site)), *(lines[:-1] if quiet else lines))
        if findings and not quiet:
            say(f"more about a finding, with examples: sitemap-plugins rule {findings[0].rule}", err=True)


def _describe_ignored(left: Ignored, *, quiet: bool) -> Iterator[str]:
    """What the option ``ignored_findings`` did, and what it does not need."""
    if left.number and not quiet:
        yield f"ignored: {count_of(left.number, 'place')}, by the option ignored_findings"
    for entry in left.unused:
        rule = entry.rule or ""
        meant = None if any(fnmatchcase(each, rule) for each in RULES) else closest(rule, RULES)
        hint = f"did you mean {meant!r}?" if meant else "remove it"
        yield f"warning: ignored_findings has an entry for {rule!r} that matches no finding; {hint}"


def _count_problems(findings: Sequence[Finding]) -> int:
    return sum(each.level != "info" for each in findings)


def _write_baseline(path: Path, findings: Iterable[Finding]) -> None:
    with explained_errors():
        if not path.parent.is_dir():
            raise ExplainedError(f"{path.parent} is not a folder, so no baseline can be written there")
        write([OutputFile(path=path.name, content=render_baseline(findings))], path.parent)


def _read_baseline(path: str) -> Mapping[str, int]:
    with explained_errors():
        try:
            return read_baseline(read_file(path, BASELINE))
        except BaselineError as error:
            raise ExplainedError(f"{path} {error}") from None


def _is_wanted(finding: Finding, select: RuleNames, ignore: RuleNames, level: FindingLevel, *, quiet: bool) -> bool:
    least = min(LEVELS.index(level), LEVELS.index("warning")) if quiet else LEVELS.index(level)
    is_selected = not select or finding.rule in select
    return is_selected and finding.rule not in ignore and LEVELS.index(finding.level) <= least


def check_folder(
    site: str | None, project: str | None, base_url: str | None, redirects: str | None = None, *, quiet: bool
) -> tuple[PublishedSite, Sequence[Finding], HostOptions]:
    """Check a site and read its options, with a progress bar. Without a ``site``, it is found as by ``build``.

    Exits on errors.
    """
    with ProgressBar("reading the site", quiet=quiet) as bar, explained_errors():
        if site and not project:
            configuration = Configuration(root=os.path.abspath(site))
        else:
            configuration = read_configuration(project or ".")
        options = read_settings_of(configuration, base_url=base_url)
        folder = os.path.abspath(site) if site else find_site(configuration)
        checked = read_site(folder, configuration, options, track=bar.track)
        if not checked.pages:
            raise no_pages(site or folder)
        listed: Mapping[str, Redirect] = {}
        problems: Sequence[str] = ()
        if redirects:
            content, name = read_file(redirects, REDIRECT_FILE), below_current(redirects) or redirects
            listed, problems = read_redirect_list(content, SiteBase.of(checked.base_url), name)
        found = check(checked, listed)
    say(*first_of([f"warning: {problem}" for problem in problems], _PROBLEMS), err=True)
    return checked, found, options


def report_check(site: PublishedSite, findings: Sequence[Finding]) -> CheckReport:
    """The report of a run of ``check``."""
    return CheckReport(
        base_url=site.base.url if site.base else None,
        base_url_from=site.base.place if site.base else None,
        pages=len(site.pages),
        not_asked=len(site.not_asked),
        sitemaps=tuple(
            SitemapReport(
                path=each.path,
                kind=each.kind,
                urls=len(each.entries or each.children or each.links),
                announced_by=each.announced_by or None,
            )
            for each in site.sitemaps.values()
        ),
        findings=tuple(map(report_finding, findings)),
    )


def describe_site(site: PublishedSite) -> Iterator[str]:
    """What was checked, in lines to print."""
    announced = [each.path for each in site.announced_sitemaps]
    other = len(site.sitemaps) - len(announced)
    named = [join_first(announced, _EXAMPLES)] if announced else []
    named += [count_of(other, "other sitemap" if announced else "unannounced sitemap")] if other else []
    yield ", ".join([count_of(len(site.pages), "HTML file"), *(named or ["no sitemap"])])
    yield f"URL: {site.base.url}, from {site.base.place}" if site.base else "URL: unknown"
    if site.not_asked:
        yield f"{site.asked:,} of {count_of(site.asked + len(site.not_asked), 'listed URL')} asked (--limit)"
