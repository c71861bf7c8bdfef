"""The program ``sitemap-plugins``, also started with ``python -m sitemap_plugins``."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line. What it needs is imported here, so that Ctrl-C meanwhile ends as it does later."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # 128 and its number; like Ctrl-C, it leaves no folder
    try:
        from sitemap_plugins.commands.main import main as run_commands

        run_commands(prog_name="sitemap-plugins")
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted\n")
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
