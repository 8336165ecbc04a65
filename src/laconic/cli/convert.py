"""``laconic convert``: from one treebank format to another."""

from __future__ import annotations

import logging
from typing import Annotated

import typer

from laconic.cli.console import progress
from laconic.cli.source import sink, source

EXAMPLE = "laconic convert old.conllx.gz - --to conllu | head"
log = logging.getLogger("laconic.cli")


def run(
    input_: Annotated[str, typer.Argument(metavar="IN", help="What to read; - is stdin.")],
    output: Annotated[str, typer.Argument(metavar="OUT", help="What to write; - is stdout, *.gz is compressed.")],
    from_: Annotated[str | None, typer.Option("--from", "-f", help="Format of IN; guessed if not given.")] = None,
    to: Annotated[str | None, typer.Option("--to", "-t", help="Format of OUT; by its extension if not given.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Skip broken sentences and say so.")] = False,
) -> None:
    """Convert a treebank: conllu, conllx, conll2008, conll2009, iob, ptb."""
    from laconic.corpus import stream, write

    steps = progress(stream(source(input_), from_, lenient=lenient), input_)
    write((doc for doc, _ in steps), sink(output), to)
