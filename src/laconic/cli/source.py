"""Names on the command line: ``-`` is a stream, ``sample`` the bundled treebank, everything else a path."""

from __future__ import annotations

import sys
from importlib.resources import files
from pathlib import Path
from typing import BinaryIO

import typer

STDIN, STDOUT = "-", "-"
SAMPLE = "sample"


def source(name: str) -> Path | BinaryIO:
    """What to read. The bundled sample gives way to a file of its name."""
    if name == STDIN:
        return sys.stdin.buffer
    if name == SAMPLE and not Path(name).exists():
        return Path(str(files("laconic").joinpath("data", "sample.conllu")))
    return Path(name)


def sink(name: str) -> Path | BinaryIO:
    """What to write."""
    return sys.stdout.buffer if name == STDOUT else Path(name)


def one_stream_at_most(names: list[str]) -> None:
    """Wrong usage if stdin is named twice: the second reader would find it empty."""
    if names.count(STDIN) > 1:
        raise typer.BadParameter("stdin (-) can be read only once")
