"""Writes the typed stubs of the compiled module, src/laconic/_core/*.pyi, from the module that is installed.

python tools/stubs.py            rewrite the files
python tools/stubs.py --check    exit 1 and show the difference if they are not what the module says
"""

from __future__ import annotations

import difflib
import subprocess
import sys
import tempfile
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "src" / "laconic" / "_core"


def generate() -> dict[str, str]:
    """File name to text, as the stub generator of nanobind sees the installed module."""
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-r", "-m", "laconic._core", "-O", place]
        subprocess.run(command, check=True)
        return {path.name: path.read_text("utf-8") for path in sorted(Path(place, "_core").glob("*.pyi"))}


def golden() -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(GOLDEN.glob("*.pyi"))}


def differences(old: dict[str, str], new: dict[str, str]) -> list[str]:
    lines: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        before, after = (text.get(name, "").splitlines() for text in (old, new))
        lines += difflib.unified_diff(before, after, f"kept/{name}", f"compiled/{name}", lineterm="")
    return lines


def main() -> int:
    fresh, kept = generate(), golden()
    if sys.argv[1:] == ["--check"]:
        lines = differences(kept, fresh)
        print("\n".join([*lines, "stubs are stale: run python tools/stubs.py"]) if lines else "stubs are up to date")
        return 1 if lines else 0
    GOLDEN.mkdir(exist_ok=True)
    for name in kept.keys() - fresh.keys():
        (GOLDEN / name).unlink()
    for name, text in fresh.items():
        (GOLDEN / name).write_text(text, "utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
