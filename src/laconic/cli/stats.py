"""``laconic stats``: what is in a treebank."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson, From, Lenient
from laconic.cli.source import SAMPLE, one_stream_at_most, source

if TYPE_CHECKING:
    from laconic.corpus.statistics import Statistics

EXAMPLE = "laconic stats train.conllu dev.conllu.gz --json"


def run(
    files: Annotated[
        list[str] | None, typer.Argument(help="Treebanks; - is stdin. Without any, the bundled sample.")
    ] = None,
    from_: From = None,
    lenient: Lenient = False,
    as_json: AsJson = False,
) -> None:
    """Count sentences, words, tags and relations of treebanks."""
    from laconic.corpus import stream
    from laconic.corpus.statistics import Statistics

    names = files or [SAMPLE]
    one_stream_at_most(names)
    per_file: dict[str, Statistics] = {}
    with Job("counting") as job:
        for name in names:
            counted = per_file.setdefault(name, Statistics())
            for doc in stream(source(name), from_, lenient=lenient):
                counted.add(doc)
                job.show(f"{name}: {counted.words:,} words")
    total = sum(per_file.values(), Statistics())
    if as_json:
        per_name = {printable(name): counted.to_json() for name, counted in per_file.items()}
        typer.echo(json.dumps({**total.to_json(), "files": per_name}, ensure_ascii=False, indent=2))
        return
    console = out()
    columns = per_file if len(per_file) == 1 else per_file | {"total": total}
    console.print(_sizes(columns))
    for title, counts in (("UPOS", total.upos), ("deprel", total.deprel)):
        if counts:
            console.print()
            console.print(_frequencies(title, counts))


def _sizes(columns: dict[str, Statistics]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(printable(name), justify="right", overflow="fold")
    sizes = [counted.sizes() for counted in columns.values()]
    for label in sizes[0]:
        table.add_row(label.replace("_", " "), *(_number(one[label]) for one in sizes))
    return table


def _frequencies(title: str, counts: Counter[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(title)
    table.add_column("words", justify="right")
    table.add_column("%", justify="right")
    for value, count in counts.most_common():
        table.add_row(printable(value), _number(count), f"{100 * count / counts.total():.1f}")
    return table


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.2f}"
