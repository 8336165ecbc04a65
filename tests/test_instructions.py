"""The gate on instructions a word: what it reads of a profile, and when it fails."""

from __future__ import annotations

from pathlib import Path

from benchmarks import instructions

PROFILE = """\
version: 1
events: Ir

ob=(1) /lib/libc.so.6
fn=(1) memcpy
10 500

ob=(2) /site-packages/laconic/_core.cpython-311-x86_64-linux-gnu.so
fn=(2) 0x0000000000012340
0 100
+3 20
cob=(1)
cfn=(1)
calls=7 10
0 500
* 3

ob=(1)
fn=(1)
10 40

ob=(2)
fn=(3) 0x0000000000045670
0 7
totals: 670
"""


def test_only_what_the_core_itself_executes_is_counted(tmp_path: Path) -> None:
    profile = tmp_path / "out.1"
    profile.write_text(PROFILE, "utf-8")
    assert instructions._of_the_core(profile) == 100 + 20 + 3 + 7


def test_growth_beyond_the_tolerance_is_told_by_component() -> None:
    kept = {"instructions": {"segmenter": 1000.0, "parser": 5000.0, "entities": 700.0}}
    assert instructions.compare(kept, {"segmenter": 1029.0, "parser": 4000.0, "entities": 700.0}) == []
    (told,) = instructions.compare(kept, {"segmenter": 1031.0, "parser": 5000.0, "entities": 700.0})
    assert told == "segmenter: 1,031 instructions a word, +3.1% of the 1,000 kept"
    (told,) = instructions.compare(kept, {"labeler": 10.0})
    assert "no figure is kept" in told
