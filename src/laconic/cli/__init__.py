"""The command line: one verb a file. It translates between people and the package and decides nothing itself."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of ``laconic`` and ``python -m laconic``. Exit codes: 0 good, 1 bad input, 2 wrong usage."""
    try:
        from laconic.cli.app import app

        app(prog_name="laconic")
    except KeyboardInterrupt:
        sys.exit(130)
