"""Names on the command line: ``-`` is a stream, ``sample`` the bundled treebank, everything else a path."""

from __future__ import annotations

import logging
from importlib.resources import files
from pathlib import Path

import typer

log = logging.getLogger(__name__)

STREAM = "-"
SAMPLE = "sample"


def source(name: str) -> str:
    """What to read. The bundled sample gives way to a file of its name."""
    log.debug("reading %s", "<stdin>" if name == STREAM else name)
    if name == SAMPLE and not Path(name).exists():
        return str(files("laconic").joinpath("data", "sample.conllu"))
    return name


def one_stream_at_most(names: list[str]) -> None:
    """Wrong usage if stdin is named twice: the second reader would find it empty."""
    if names.count(STREAM) > 1:
        raise typer.BadParameter("stdin (-) can be read only once")
