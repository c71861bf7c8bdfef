"""The program ``sitemap-plugins``, also started with ``python -m sitemap_plugins``."""

from __future__ import annotations

import signal
import sys
from typing import NoReturn


def main() -> None:
    """Run the command line. What it needs is imported here, so that Ctrl-C meanwhile ends as it does later."""
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        from sitemap_plugins.commands.main import main as run_commands

        run_commands(prog_name="sitemap-plugins")
    except KeyboardInterrupt as why:
        sys.stderr.write("Interrupted\n")
        raise SystemExit(*why.args or (130,)) from None


def _interrupt(number: int, _: object) -> NoReturn:
    """End as Ctrl-C does, but with this signal's status. SystemExit would be taken for that of an author's function."""
    raise KeyboardInterrupt(128 + number)


if __name__ == "__main__":
    main()
