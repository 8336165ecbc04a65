"""``laconic convert``: from one treebank format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.console import progress
from laconic.cli.options import From, Lenient, To
from laconic.cli.source import source

EXAMPLE = "laconic convert old.conllx.gz - --to conllu | head"


def run(
    input_: Annotated[str, typer.Argument(metavar="IN", help="What to read; - is stdin.")],
    output: Annotated[str, typer.Argument(metavar="OUT", help="What to write; - is stdout, *.gz is compressed.")],
    from_: From = None,
    to: To = None,
    lenient: Lenient = False,
) -> None:
    """Convert a treebank: conllu, conllx, conll2008, conll2009, iob, ptb."""
    from laconic.corpus import stream, write

    steps = progress(stream(source(input_), from_, lenient=lenient), input_)
    write((doc for doc, _ in steps), output, to)
