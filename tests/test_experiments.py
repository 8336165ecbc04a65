"""The scripts in ``experiments``: a trial run does not replace what is kept."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import synthetic

EXPERIMENTS = Path(__file__).resolve().parent.parent / "experiments"


def table1(place: Path, *more: str) -> list[str]:
    """The rows that the script prints, of a treebank of its own."""
    command = [sys.executable, EXPERIMENTS / "chang2007" / "table1.py", "--data", place, "tiny", *more]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if line.startswith("| tiny")]


def test_a_run_with_other_arguments_keeps_the_table_and_writes_beside_it(tmp_path: Path) -> None:
    treebank = tmp_path / "ud" / "tiny"
    treebank.mkdir(parents=True)
    for name, count in (("train", 30), ("dev", 10)):
        (treebank / f"{name}.conllu").write_text(synthetic.conllu(count, 1), "utf-8")
    kept = EXPERIMENTS / "chang2007" / "table1.md"
    before = kept.read_bytes()
    whole, part = table1(tmp_path), table1(tmp_path, "--sentences", "5")
    assert kept.read_bytes() == before
    assert len(whole) == len(part) == 3
    assert whole != part  # the option is heeded
    written = (tmp_path / "build" / "table1.md").read_text("utf-8")
    assert "Written by `python experiments/chang2007/table1.py tiny --sentences 5`:" in written
    assert all(row in written for row in part)
