"""The command ``sitemap-plugins submit``: tells search engines which URLs of a live site have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from sitemap_plugins.commands.progress import ProgressBar
from sitemap_plugins.commands.shared_options import examples
from sitemap_plugins.commands.terminal import FAILED, explained_errors, say
from sitemap_plugins.live.crawling import Crawler, Manners
from sitemap_plugins.live.fetching import Server, is_temporary
from sitemap_plugins.live.indexnow import (
    ENDPOINT,
    Service,
    check_key,
    dates_of,
    find_due,
    find_key,
    parse_endpoint,
    read_noted,
    render_noted,
)
from sitemap_plugins.live.site import LiveError, LiveSite, parse_live_url, read_sitemaps
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import write
from sitemap_plugins.reading import ABSENT, NOTED_URLS, read_file
from sitemap_plugins.values.text import count_of
from sitemap_plugins.values.urls import root_of


@click.command(
    "submit",
    epilog=examples(
        "sitemap-plugins submit https://docs.example.org/ --key 3f8a91c2d4 --noted noted.txt",
        "sitemap-plugins submit https://docs.example.org/ --key 3f8a91c2d4 --noted noted.txt --dry-run",
    ),
)
@click.argument("url")
@click.option("--key", required=True, metavar="KEY", help="The key of IndexNow, which the site serves as KEY.txt.")
@click.option(
    "--noted",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True),
    help="The file with the URLs and dates that were sent before. It is updated; keep it for the next run.",
)
@click.option("--all", "send_all", is_flag=True, help="Send all URLs, whatever FILE says.")
@click.option("--endpoint", default=ENDPOINT, show_default=True, metavar="URL", help="The service that gets the URLs.")
@click.option("--dry-run", is_flag=True, help="Print the URLs that would be sent, one per line, and change nothing.")
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
def submit_command(
    url: str, key: str, noted: str, endpoint: str, *, send_all: bool, dry_run: bool, quiet: bool
) -> None:
    """Tell search engines which pages of a live site are new, changed or gone, by IndexNow.

    URL is the address of the site. The command fetches its sitemaps, and compares them with FILE. The first run only
    notes what is listed.

    The exit status is 1 if a later attempt may succeed, and 2 if something has to be corrected.
    """
    with TemporaryDirectory(prefix="sitemap-plugins-") as folder, explained_errors():
        try:
            lines = [*_submit(url, key, Path(noted), endpoint, folder, send_all=send_all, dry_run=dry_run, quiet=quiet)]
        except LiveError as error:
            say(f"Error: {error}", err=True)
            raise SystemExit(1 if error.is_temporary else FAILED) from None
    say(*([] if quiet and not dry_run else lines))


def _submit(
    url: str, key: str, noted: Path, endpoint: str, folder: str, *, send_all: bool, dry_run: bool, quiet: bool
) -> Iterator[str]:
    """Send what is due, and tell what was done."""
    base_url, key = parse_live_url(url), check_key(key)
    endpoint = parse_endpoint(endpoint, base_url)
    known = _read(noted, base_url)
    crawler = Crawler(Server(base_url), Manners())
    with ProgressBar("fetching the sitemaps", quiet=quiet):
        site = read_sitemaps(base_url, folder, crawler)
    _refuse_parts(site)
    listed = dates_of(site)
    if known is None and not send_all:
        number = count_of(len(listed), "URL")
        if not dry_run:
            _write(noted, listed)
            yield f"first run: {number} noted, none sent; --all sends them"
        elif not quiet:
            say(f"first run: {number} would be noted, none sent; --all sends them", err=True)
        return
    known = known or {}
    if send_all:  # then all are new
        known = {loc: date for loc, date in known.items() if loc not in listed}
    due = find_due(known, listed)
    remarks = ["nearly all dates are those of builds, so only new and lost URLs count"] if due.is_of_builds else []
    if due.urls and not dry_run:
        key_url = find_key(key, base_url, crawler)
        if key_url != f"{root_of(base_url)}{key}.txt":
            remarks.append(f"the key covers only URLs below {base_url}, and Bing has refused such a key")
    say(*([] if quiet else remarks), err=True)
    if dry_run:
        yield from due.urls
        return
    if due.urls:
        batches = Service(server=Server(endpoint), endpoint=endpoint).send(due.urls, key, key_url)
        _note(batches, len(due.urls), noted, known, listed)
    if known != listed:
        _write(noted, listed)
    counts = f"{len(due.new):,} new, {len(due.changed):,} changed, {len(due.gone):,} gone"
    yield f"{count_of(len(due.urls), 'URL')} sent: {counts}"


def _note(
    batches: Iterator[Sequence[str]], number: int, noted: Path, known: dict[str, str], listed: dict[str, str]
) -> None:
    """Note each batch that is accepted, so that the next run goes on there. Raises `LiveError`."""
    _write(noted, known)  # with --all, the next run has to send what is not accepted now
    accepted = 0
    try:
        for batch in batches:
            accepted += len(batch)
            sent = frozenset(batch)
            known = {url: date for url, date in known.items() if url not in sent}
            known |= {url: listed[url] for url in batch if url in listed}
            _write(noted, known)
    except LiveError as error:
        rest = "; the next run sends the rest" if error.is_temporary else ""
        message = f"{error}; {accepted:,} of {count_of(number, 'URL')} accepted{rest}"
        raise LiveError(message, is_temporary=error.is_temporary) from None


def _refuse_parts(site: LiveSite) -> None:
    """Raise `LiveError` if a sitemap was not read whole: its URLs would count as gone."""
    for url, answer in site.unread.items():
        why = answer.problem or f"the server answers {answer.status}"
        raise LiveError(f"{url}: {why}; nothing was sent", is_temporary=is_temporary(answer.status))
    for path, sitemap in site.sitemaps.items():
        if sitemap.kind == "unusable":
            raise LiveError(f"{site.base_url}{path} {sitemap.error}; nothing was sent")


def _read(path: Path, base_url: str) -> dict[str, str] | None:
    try:
        return read_noted(read_file(path, NOTED_URLS), base_url)
    except ABSENT:
        return None
    except LiveError as error:
        raise LiveError(f"{path}: {error}") from None


def _write(path: Path, dates: dict[str, str]) -> None:
    write([OutputFile(path=path.name, content=render_noted(dates))], path.parent)
