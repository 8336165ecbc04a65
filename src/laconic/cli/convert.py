"""``laconic convert``: from one treebank format to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.console import Job
from laconic.cli.options import From, Lenient, known_format
from laconic.cli.source import source

if TYPE_CHECKING:
    from laconic.corpus import Doc

TEXT = "text"
VIEWS = ("json", "jsonl")
"""Formats that are written by ``laconic.interop.writers``, as ``parse`` does."""
EXAMPLE = "laconic convert old.conllx.gz - --to conllu | head"


def run(
    input_: Annotated[str, typer.Argument(metavar="IN", help="What to read; - is stdin.")],
    output: Annotated[str, typer.Argument(metavar="OUT", help="What to write; - is stdout, *.gz is compressed.")],
    from_: From = None,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            "-t",
            metavar="FORMAT",
            callback=lambda name: name if name == TEXT else known_format(name),
            help="Format of OUT, or text for the running text; else by its extension.",
        ),
    ] = None,
    lenient: Lenient = False,
) -> None:
    """Convert a treebank: conllu, conllx, conll2008, conll2009, iob, json, jsonl; from ptb; to its plain text: text."""
    from laconic.corpus import stream, write
    from laconic.corpus.files import check_apart, opened_to_write
    from laconic.corpus.formats import by_suffix, for_writing
    from laconic.corpus.writing import write_text

    format = to or by_suffix(output)
    try:
        if format not in (TEXT, *VIEWS):
            for_writing(to, output)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--to" if to else "OUT") from None

    given = source(input_)
    check_apart([given], output)

    def read(job: Job) -> Iterator[Doc]:
        words = 0
        for doc in stream(given, from_, lenient=lenient):
            yield doc
            words += len(doc)
            job.show(f"{input_}: {words:,} words")

    with Job(input_) as job:
        if to == TEXT:
            write_text(read(job), output)
        elif format in VIEWS:
            from laconic.interop.parts import parts_of
            from laconic.interop.writers import WRITERS

            writer = WRITERS[format]
            with opened_to_write(output) as file:
                for data in writer.file(map(writer.rendered, parts_of(read(job)))):
                    file.write(data)
        else:
            write(read(job), output, to)
