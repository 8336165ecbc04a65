"""What the description of the interface promises, tried by schemathesis."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from serve.serving import Client


def test_schemathesis_finds_nothing(client: Client, tmp_path: Path) -> None:
    """Not checked is whether all that a schema allows is accepted: what is good CoNLL-U, which models there are, and
    that one of three fields must be given, no schema can tell; such requests are refused with 400, as is declared."""
    if find_spec("schemathesis") is None:
        pytest.skip("needs schemathesis")
    command = shutil.which("schemathesis", path=str(Path(sys.executable).parent)) or shutil.which("schemathesis")
    if command is None:
        pytest.skip("needs the command schemathesis")
    done = subprocess.run(
        [
            command,
            *("run", f"http://127.0.0.1:{client.port}/openapi.json", "--exclude-checks", "positive_data_acceptance"),
            *("--max-examples", "30", "--generation-deterministic"),
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "10 selected" in done.stdout or "operations" in done.stdout.lower()
