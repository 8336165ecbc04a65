"""``laconic train --ud``: a treebank folder, or a folder of many, to models with cards and scores."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from laconic.cli.boundary import describe
from laconic.cli.console import Job
from laconic.errors import ConfigError, LaconicError
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.pipeline import TrainConfig
    from laconic.pipeline.treebanks import TreebankModel
    from laconic.pipeline.ud_folder import TreebankFolder
    from laconic.progress import Progress

log = logging.getLogger(__name__)


def train_treebanks(
    place: Path, output: Path | None, adjusted: Callable[[TrainConfig], TrainConfig], settings: Mapping[str, Any]
) -> None:
    from laconic.corpus.files import check_writable, opened_to_write
    from laconic.pipeline.treebanks import TreebankModel, table
    from laconic.pipeline.ud_folder import TreebankFolder, treebanks_in

    if output is None:
        raise typer.BadParameter("say where to write the model, or the models of many treebanks", param_hint="--output")
    try:
        many = treebanks_in(place)
        folders = [TreebankFolder.read(place)] if many is None else many
        if many is None:
            check_writable(output)
            _trained(folders[0], output, adjusted, settings)
            return
        if output.exists() and not output.is_dir():
            raise ConfigError(f"{output}: is a file, and many treebanks make many models: name a directory")
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    output.mkdir(parents=True, exist_ok=True)
    made: list[TreebankModel] = []
    for folder in folders:
        try:
            made.append(_trained(folder, output / f"{folder.name}.laconic", adjusted, settings))
        except (LaconicError, OSError) as error:
            log.error("%s: %s", folder.name, describe(error))
            made.append(TreebankModel(folder, error=describe(error)))
        # After each, so that what is there can be read while the others are made.
        with opened_to_write(output / "table.md") as file:
            file.write(table(made).encode())
        with opened_to_write(output / "table.json") as file:
            rows = [
                {"name": one.folder.name, "error": one.error} | (one.card.to_json() if one.card else {}) for one in made
            ]
            file.write(json.dumps(rows, ensure_ascii=False, indent=2).encode() + b"\n")
    failed = [one for one in made if one.card is None]
    log.info("wrote %s: %d models, %d treebanks without", output / "table.md", len(made) - len(failed), len(failed))
    if failed:
        raise typer.Exit(1)


def _trained(
    folder: TreebankFolder,
    output: Path,
    adjusted: Callable[[TrainConfig], TrainConfig],
    settings: Mapping[str, Any],
) -> TreebankModel:
    from laconic.pipeline.treebanks import train_folder

    def show(step: Progress) -> None:
        job.show(f"{folder.name}, {step.what}: loss {step.loss:.4f}", done=step.done, total=step.of)

    with Job(f"training {folder.name}") as job:
        made = finished(train_folder(folder, output, adjusted, settings), show)
    log.info("%s %s", "is there already:" if made.found else "wrote", output)
    return made
