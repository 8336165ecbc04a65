"""``laconic check``: all faults of a treebank."""

from __future__ import annotations

from typing import Annotated

import typer

from laconic.cli.boundary import BAD_INPUT
from laconic.cli.console import Job, printable
from laconic.cli.options import From
from laconic.cli.source import one_stream_at_most, source

EXAMPLE = "laconic check *.conllu"


def run(
    files: Annotated[list[str], typer.Argument(help="Treebanks; - is stdin.")],
    from_: From = None,
) -> None:
    """List every fault as file:line:column: reason, and a count in the end. Exit code 1 if there is any."""
    from laconic.corpus import check

    one_stream_at_most(files)
    faults = 0
    with Job("checking") as job:
        for name in files:
            job.show(f"{name}: {faults:,} faults so far")
            for fault in check(source(name), from_):
                typer.echo(printable(str(fault)))
                faults += 1
    typer.echo("1 fault" if faults == 1 else f"{faults} faults")
    if faults:
        raise typer.Exit(BAD_INPUT)
