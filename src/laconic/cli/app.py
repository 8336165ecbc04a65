"""The verbs gathered into one command."""

from __future__ import annotations

from typing import Annotated

import typer

import laconic
from laconic.cli import (
    bench,
    check,
    convert,
    discover,
    distill,
    evaluate,
    explain,
    info,
    models,
    order,
    package,
    parse,
    serve,
    stats,
    train,
)
from laconic.cli.boundary import guarded
from laconic.cli.console import configure_logging

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Treebanks in, models and trees out: every decision computes only as many features as it needs.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"laconic {laconic.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more on stderr.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only what went wrong.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    configure_logging(verbose=verbose, quiet=quiet)


_VERBS = {
    "parse": parse,
    "explain": explain,
    "serve": serve,
    "train": train,
    "discover": discover,
    "order": order,
    "evaluate": evaluate,
    "info": info,
    "models": models,
    "package": package,
    "bench": bench,
    "stats": stats,
    "convert": convert,
    "check": check,
}
for _name, _verb in _VERBS.items():
    app.command(_name, epilog=f"[bold]Example:[/bold] {_verb.EXAMPLE}")(guarded(_verb.run))

_distill = typer.Typer(no_args_is_help=True, help=distill.HELP)
for _name, _example in distill.EXAMPLES.items():
    _distill.command(_name, epilog=f"[bold]Example:[/bold] {_example}")(guarded(getattr(distill, _name)))
app.add_typer(_distill, name="distill")
