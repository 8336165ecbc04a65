"""The command line: one verb a file. It translates between people and the package and decides nothing itself."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Entry point of ``laconic`` and ``python -m laconic``. Exit codes: 0 good, 1 bad input, 2 wrong usage; 129, 130
    and 143 after SIGHUP, SIGINT and SIGTERM, which leave no drafts of files behind."""
    for name in ("SIGHUP", "SIGTERM"):  # Windows has no SIGHUP; nohup has it ignored
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, _terminate)
    if sys.stdout is None:  # closed by the caller: nobody wants to see anything
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
    try:
        from laconic.cli.app import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:  # help or version could not be written
        sys.exit(f"laconic: {error.strerror}")


def _terminate(number: int, frame: object) -> None:
    """End as Ctrl-C does, so that whoever has a draft open removes it; a second signal does not disturb that."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)
