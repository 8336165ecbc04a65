"""``laconic package``: a model as a wheel that pip installs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from laconic.errors import ConfigError

EXAMPLE = "laconic package my.laconic --name de_mytreebank --licence 'CC BY-SA 4.0' -o dist/"
log = logging.getLogger(__name__)


def run(
    model: Annotated[str, typer.Argument(help="A model file, or the name of a model.")],
    name: Annotated[str, typer.Option("--name", help="What laconic.load will call it: small letters, digits, _.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where the wheel goes.")] = Path("dist"),
    version: Annotated[str, typer.Option("--version", help="Of the package.")] = "1.0.0",
    licence: Annotated[
        str | None, typer.Option("--licence", "--license", help="Of the model; else as the model says.")
    ] = None,
    licence_file: Annotated[
        Path | None, typer.Option("--licence-file", metavar="FILE", help="Its text, to go into the wheel.")
    ] = None,
    language: Annotated[str | None, typer.Option("--language", help="Code such as de; else as the model says.")] = None,
) -> None:
    """Make a wheel of a model: data, licence and a card, nothing that runs. After pip install, laconic.load(NAME)."""
    from laconic.pipeline.loading import path_of
    from laconic.pipeline.model_package import package

    try:
        path = package(
            path_of(model),
            name,
            output,
            version=version,
            licence=licence or "",
            language=language or "",
            licence_file=licence_file,
        )
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    log.info("wrote %s (%s bytes): pip install it, then laconic.load(%r)", path, f"{path.stat().st_size:,}", name)
