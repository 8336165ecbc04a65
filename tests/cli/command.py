"""Runs the command as its users do: as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

COMMAND = [sys.executable, "-m", "laconic"]
TREE = "1\tShips\tship\tNOUN\tNNS\t_\t2\tnsubj\t_\t_\n2\tsail\tsail\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"


@dataclass
class Result:
    code: int
    out: str
    err: str


def laconic(*arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None) -> Result:
    environment = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "200", "NO_COLOR": "1"}
    done = subprocess.run(
        [*COMMAND, *map(os.fspath, arguments)], input=stdin, capture_output=True, cwd=cwd, env=environment, timeout=120
    )
    result = Result(done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.err, result.err
    return result
