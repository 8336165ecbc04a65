"""Runs the command: within this process where that is the same, as a process where it is not."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from laconic.cli.app import application

APPLICATION = application()
COMMAND = [sys.executable, "-m", "laconic"]
# Some CI services force colours; what is tested here is the text.
PLAIN = {"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb", "FORCE_COLOR": "", "PY_COLORS": ""}
TREE = "1\tShips\tship\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tsail\tsail\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"


@dataclass
class Result:
    code: int
    out: str
    err: str


def laconic(*arguments: str | Path, stdin: bytes = b"") -> Result:
    """What the command prints and returns. An exception that would be a traceback is one here."""
    done = CliRunner().invoke(APPLICATION, [*map(os.fspath, arguments)], input=stdin, env=PLAIN, prog_name="laconic")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Result(done.exit_code, done.stdout, done.stderr)
