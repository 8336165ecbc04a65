"""Options that several verbs share, so that they are called and behave the same everywhere."""

from __future__ import annotations

from typing import Annotated

import typer


def known_format(name: str | None) -> str | None:
    """Wrong usage if there is no such format."""
    from laconic.corpus.formats import find

    if name is not None:
        try:
            find(name)
        except ValueError as error:
            raise typer.BadParameter(str(error)) from None
    return name


From = Annotated[
    str | None,
    typer.Option("--from", "-f", metavar="FORMAT", callback=known_format, help="Format of the input; else guessed."),
]
To = Annotated[
    str | None,
    typer.Option("--to", "-t", metavar="FORMAT", callback=known_format, help="Format of OUT; else by its extension."),
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip broken sentences and say so.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


def settings_of(pairs: list[str]) -> dict[str, str]:
    """What ``--set KEY=VALUE`` says, given as often as wanted."""
    changes = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"expected KEY=VALUE, not {pair!r}", param_hint="--set")
        changes[key.strip()] = value.strip()
    return changes
