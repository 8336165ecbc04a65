"""``laconic models``: which models there are by name, and where they come from."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.table import Table

from laconic.cli.console import out, printable
from laconic.cli.options import AsJson

EXAMPLE = "laconic models --json"
METRICS = ("UPOS", "LAS")


def run(
    as_json: AsJson = False,
    check: Annotated[bool, typer.Option("--check", help="Load each, which checks its digest.")] = False,
) -> None:
    """List the models that laconic.load finds by name: those of the package, and those that pip installed."""
    from laconic.pipeline.loading import listed, load

    models = listed()
    if check:
        for found, _ in models:
            load(found.name)
    if as_json:
        rows = [{"from": found.origin, "path": str(found.path), **card.to_json()} for found, card in models]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    shown = Table("name", "from", "language", "licence", *METRICS, box=None, pad_edge=False)
    for found, card in models:
        scores = card.test_scores or card.scores
        figures = [f"{scores['full'][name]:.2f}" if name in scores.get("full", {}) else "" for name in METRICS]
        cells = (card.name, found.origin, card.language, card.licence)
        shown.add_row(*map(printable, cells), *figures)
    out().print(shown)
