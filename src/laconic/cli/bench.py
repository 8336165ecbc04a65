"""``laconic bench``: how fast a model is, by component and effort."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.pipeline.costs import Speed

EXAMPLE = "laconic bench en notes.txt --rounds 5"
NOTE = (
    "Measured on a few pages of English of many kinds, which come with laconic. How fast a model is depends on the "
    "text: laconic bench MODEL FILE takes your own."
)


def run(
    model: Annotated[str, typer.Argument(help="A model file, or the name of a bundled model.")] = "en",
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A text or a treebank, - is a text on stdin; else a bundled text."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Efforts are measured in turns, so often.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Measure words per CPU second of every component at every effort, one thread, in turns."""
    from laconic.pipeline import load
    from laconic.pipeline.costs import bench_text, speeds

    pipeline = load(model)
    given = bench_text() if file is None else _read(file)
    with Job("measuring") as job:
        found = speeds(pipeline, given, rounds, lambda label: job.show(label))
    if as_json:
        rows = [asdict(one) | {"words_per_second": one.words_per_second} for one in found]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    out().print(_table(found))
    if file is None:
        out().print()
        out().print(NOTE, markup=False)


def _read(file: str) -> Doc | str:
    from laconic.corpus import read
    from laconic.corpus.files import name_of, read_chunks
    from laconic.corpus.formats import by_suffix
    from laconic.errors import InputError
    from laconic.text.source import encoded

    given: Doc | str
    if by_suffix(file) is not None:
        given = read(file)
        empty = not given
    else:
        given = encoded(b"".join(read_chunks(file, -1)), file=name_of(file)).decode()
        empty = not given.strip()
    if empty:
        raise InputError("there is nothing to measure in it", name_of(file))
    return given


def _table(speeds: list[Speed]) -> Table:
    table = Table("effort", "component", box=None, pad_edge=False)
    for title in ("words/s", "µs/word", "templates/word"):
        table.add_column(title, justify="right")
    last = ""
    for one in speeds:
        cells: tuple[Any, ...] = (
            f"{one.words_per_second:,.0f}",
            f"{1e6 * one.seconds / one.words:.2f}",
            f"{one.templates:.2f}" if one.templates else "",
        )
        table.add_row(printable(one.effort if one.effort != last else ""), printable(one.component), *cells)
        last = one.effort
    return table
