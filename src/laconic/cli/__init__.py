"""The command line: one verb a file. It translates between people and the package and decides nothing itself."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Entry point of ``laconic`` and ``python -m laconic``. Exit codes: 0 good, 1 bad input, 2 wrong usage."""
    if sys.stdout is None:  # closed by the caller: nobody wants to see anything
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    try:
        from laconic.cli.app import app

        app(prog_name="laconic")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # help or version could not be written
        sys.exit(f"laconic: {error.strerror}")
