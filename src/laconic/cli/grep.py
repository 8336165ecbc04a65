"""``laconic grep``: words of treebanks, or of texts that are parsed on the way, by a pattern over trees."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.console import Job, printable
from laconic.cli.inputs import ListOf, files_of
from laconic.cli.options import Lenient, known_format, loaded
from laconic.cli.source import SAMPLE, STREAM, source
from laconic.errors import InputError

if TYPE_CHECKING:
    from laconic.corpus import Doc

EXAMPLE = "laconic grep '{upos:VERB} >nsubj {lemma:/cat|dog/}=who' dev.conllu"
TEXT = "text"


class GrepOutput(StrEnum):
    table = "table"
    conllu = "conllu"
    counts = "count"


def run(
    pattern: Annotated[str, typer.Argument(help="What to find, in the language of Semgrex.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...", help="Treebanks, texts, folders or globs; - is stdin. Without any, the bundled sample."
        ),
    ] = None,
    list_: ListOf = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            "-f",
            metavar="FORMAT",
            callback=lambda name: name if name == TEXT else known_format(name),
            help="text or a treebank format; else by ending, stdin is CoNLL-U.",
        ),
    ] = None,
    to: Annotated[
        GrepOutput,
        typer.Option(
            "--to",
            "-t",
            help="table: a line per match, columns separated by tabs; conllu: sentences with matches, marked in MISC; "
            "count: matches of each file.",
        ),
    ] = GrepOutput.table,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="A file; else stdout.")] = STREAM,
    model: Annotated[str, typer.Option("--model", "-m", help="For texts: a model file, or a bundled model.")] = "en",
    effort: Annotated[str | None, typer.Option("--effort", "-e", help="For texts: as of laconic parse.")] = None,
    threads: Annotated[int, typer.Option("--threads", "-j", help="For texts: same output, less waiting.")] = 1,
    lenient: Lenient = False,
) -> None:
    """Find words by their attributes and relations: '{upos:VERB} >nsubj {lemma:/cat|dog/}=who'."""
    from laconic.corpus.files import check_apart, opened_to_write
    from laconic.query import Query
    from laconic.query.output import MatchTable, marked

    query = Query(pattern)
    names = [source(file.path) for file in files_of(files or ([] if list_ else [SAMPLE]), list_)]
    check_apart(names, output)
    documents = _Documents(names, from_, lenient, model, effort, threads)
    total = 0
    with opened_to_write(output) as file, Job("searching") as job:
        table = MatchTable(query)
        if to is GrepOutput.table:
            file.write(table.head())
        for name in names:
            found = 0
            sentences = 0
            for doc in documents.of(name):
                try:
                    rows = query.rows(doc)
                except InputError as error:
                    raise InputError(error.reason, printable(name)) from None
                found += len(rows)
                if to is GrepOutput.table:
                    file.write(table.lines(doc, rows, printable(name), sentences))
                elif to is GrepOutput.conllu and len(rows):
                    file.write(marked(doc, rows, query.names).columns.to_conllu(exact=False))
                sentences += len(doc.sentences)
                job.show(f"{name}: {found:,} matches")
            total += found
            if to is GrepOutput.counts:
                file.write(f"{found}\t{printable(name)}\n".encode())
        if to is GrepOutput.counts and len(names) > 1:
            file.write(f"{total}\ttotal\n".encode())


class _Documents:
    """Where documents come from: treebanks as they are, texts parsed. A model is loaded only where there are texts."""

    def __init__(
        self, names: list[str], format: str | None, lenient: bool, model: str, effort: str | None, threads: int
    ) -> None:
        from laconic.pipeline.table_files import table_format

        self._format, self._lenient, self._threads = format, lenient, threads
        table = next((name for name in names if format is None and table_format(name) is not None), None)
        if table is not None:
            raise typer.BadParameter(f"{table} is a table, not a text: parse it to CoNLL-U first")
        self._texts = {name for name in names if _format_of(name, format) == TEXT}
        if lenient and self._texts:
            raise typer.BadParameter("is for treebanks: here texts are given", param_hint="--lenient")
        if effort is not None and not self._texts:
            raise typer.BadParameter("is for texts: here trees are given", param_hint="--effort")
        self._pipeline = loaded(model, effort) if self._texts else None

    def of(self, name: str) -> Iterator[Doc]:
        from laconic.corpus import stream
        from laconic.pipeline.job import parsed
        from laconic.pipeline.sources import Input

        if name in self._texts:
            assert self._pipeline is not None
            for piece in parsed(self._pipeline, (Input(path=name),), threads=self._threads):
                yield piece.doc
        else:
            yield from stream(name, self._format, lenient=self._lenient)


def _format_of(name: str, format: str | None) -> str:
    """What a file holds: text, or the treebank format that is asked for, or that its ending tells."""
    from laconic.corpus.formats import by_suffix

    if format is not None:
        return format
    return "conllu" if name == STREAM else by_suffix(name) or TEXT
