"""Files of JSON lines that outlive a process that is killed: each line is on the disk whole, or dropped."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def append(path: Path, entry: Any) -> None:
    """Add a line. It is on the disk when this returns. One process writes."""
    with path.open("ab") as file:
        file.write(json.dumps(entry, sort_keys=True, separators=(",", ":")).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file, none if it does not exist. A last line that was cut off in the middle is removed from it."""
    if not path.exists():
        return []
    data = path.read_bytes()
    end = data.rfind(b"\n") + 1
    if end < len(data):
        os.truncate(path, end)
    return data[:end].splitlines()
