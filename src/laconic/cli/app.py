"""The verbs gathered into one command."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated

import typer

import laconic
from laconic.cli.boundary import guarded
from laconic.cli.console import configure_logging

VERBS = (
    "parse",
    "grep",
    "explain",
    "serve",
    "train",
    "discover",
    "order",
    "evaluate",
    "info",
    "models",
    "package",
    "bench",
    "stats",
    "convert",
    "check",
    "distill",
)
"""In the order of the help; each is a module here, with ``run``, or with a function for each verb of its own."""


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"laconic {laconic.__version__}")
        raise typer.Exit


def _root(
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more on stderr.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only what went wrong.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    configure_logging(verbose=verbose, quiet=quiet)


def _add(app: typer.Typer, name: str, run: Callable[..., None], example: str) -> None:
    app.command(name, epilog=f"[bold]Example:[/bold] {example}")(guarded(run))


def application(verbs: Sequence[str] = VERBS) -> typer.Typer:
    """The command with these verbs. One verb is loaded in a fraction of the time of all."""
    app = typer.Typer(
        add_completion=False,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Treebanks in, models and trees out: every decision computes only as many features as it needs.",
    )
    app.callback()(_root)
    for name in verbs:
        verb = import_module(f"laconic.cli.{name}")
        if not hasattr(verb, "EXAMPLES"):
            _add(app, name, verb.run, verb.EXAMPLE)
            continue
        group = typer.Typer(no_args_is_help=True, help=verb.HELP)
        for part, example in verb.EXAMPLES.items():
            _add(group, part, getattr(verb, part), example)
        app.add_typer(group, name=name)
    return app


def asked(arguments: Sequence[str]) -> Sequence[str]:
    """The verb that the arguments name, behind ``--verbose`` or ``--quiet``; all verbs where anything else is asked."""
    for argument in arguments:
        if argument in VERBS:
            return (argument,)
        if argument not in ("--verbose", "-v", "--quiet", "-q"):
            break
    return VERBS


def run() -> None:
    """The command as it was called."""
    application(asked(sys.argv[1:]))(prog_name="laconic")
