"""The command ``submit``: tells search engines which URLs of a live site have changed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from sitemap_plugins.commands.shared_options import examples
from sitemap_plugins.commands.terminal import ProgressBar, explained_errors, say
from sitemap_plugins.live import indexnow
from sitemap_plugins.live.fetching import Manners, Server
from sitemap_plugins.live.site import LiveError, parse_site_url, read_sitemaps
from sitemap_plugins.model import OutputFile
from sitemap_plugins.output.writing import write
from sitemap_plugins.reading import NOTED_URLS, read_file
from sitemap_plugins.values.text import count_of


@click.command(
    "submit",
    epilog=examples(
        "sitemap-plugins submit https://docs.example.org/ --key 3f8a91c2d4 --noted noted.txt",
        "sitemap-plugins submit https://docs.example.org/ --key 3f8a91c2d4 --noted noted.txt --dry-run",
    ),
)
@click.argument("url")
@click.option("--key", metavar="KEY", help="The key of IndexNow, which the site serves as KEY.txt. Required.")
@click.option(
    "--noted",
    metavar="FILE",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="The file with the URLs and dates that were sent before. It is updated; keep it for the next run. Required.",
)
@click.option("--all", "send_all", is_flag=True, help="Send all URLs, whatever FILE says.")
@click.option(
    "--endpoint", default=indexnow.ENDPOINT, show_default=True, metavar="URL", help="The service that gets the URLs."
)
@click.option("--dry-run", is_flag=True, help="Print the URLs that would be sent, one per line, and change nothing.")
@click.option("--quiet", "-q", is_flag=True, help="Print only errors.")
def submit_command(
    url: str, key: str | None, noted: Path | None, endpoint: str, *, send_all: bool, dry_run: bool, quiet: bool
) -> None:
    """Tell search engines which pages of a live site are new, changed or gone, by IndexNow.

    URL is the address of the site. The command fetches its sitemaps, and compares them with FILE. The first run only
    notes what is listed.

    The exit status is 1 if a later attempt may succeed, and 2 if something has to be corrected.
    """
    if key is None or noted is None:
        raise click.UsageError("--key and --noted are both required")
    with TemporaryDirectory(prefix="sitemap-plugins-") as folder, explained_errors(temporary=1):
        base_url = parse_site_url(url)
        endpoint = indexnow.parse_endpoint(endpoint, base_url, dry_run=dry_run)
        if not re.fullmatch(r"[A-Za-z0-9-]{8,128}", key):
            raise LiveError("the key must have 8 to 128 letters, digits and hyphens")
        is_first = not (send_all or noted.exists())
        known = indexnow.read_noted(read_file(noted, NOTED_URLS), base_url) if noted.exists() else {}
        server = Server(base_url, Manners())
        with ProgressBar("fetching the sitemaps", quiet=quiet):
            site = read_sitemaps(base_url, folder, server)
            listed = indexnow.dates_of(site)
        known = indexnow.without_dropped(known, listed) if site.has_feed else known
        known = {loc: date for loc, date in known.items() if loc not in listed or not send_all}  # --all: all are new
        due = {} if is_first else indexnow.find_due(known, listed)
        if indexnow.are_of_builds(known, listed) and not (send_all or quiet):
            say("nearly all dates are those of builds, so only new and lost URLs count", err=True)
        if dry_run:
            say(*due)
        elif due:
            key_url = indexnow.find_key(key, base_url, server)
            if key_url != f"{server.root}{key}.txt" and not quiet:
                say(f"the key covers only URLs below {base_url}, and Bing has rejected such a key", err=True)
            _write(noted, known)  # with --all, the next run has to send what is not accepted now
            for dates in indexnow.send([*due], known, listed, key, key_url, endpoint):
                _write(noted, dates)
        if not dry_run and (is_first or known != listed):
            _write(noted, listed)
    of, be = Counter(due.values()), "would be " if dry_run else ""
    sent = f"{count_of(len(due), 'URL')} {be}sent: {of['new']:,} new, {of['changed']:,} changed, {of['gone']:,} gone"
    first = f"first run: {count_of(len(listed), 'URL')} {be}noted, none sent; --all sends them"
    if not quiet:
        say(first if is_first else sent, err=dry_run)


def _write(path: Path, dates: Mapping[str, str]) -> None:
    write([OutputFile(path=path.name, content=indexnow.render_noted(dates))], path.parent)
