"""``laconic train``: from treebanks to a model file."""

from __future__ import annotations

import errno
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.console import Job
from laconic.cli.source import source
from laconic.errors import ConfigError
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline, TrainConfig
    from laconic.tag import Progress

EXAMPLE = "laconic train --train train.conllu --dev dev.conllu -o tagger.laconic --set tagger.settings.epochs=5"
log = logging.getLogger(__name__)


def run(
    train: Annotated[str, typer.Option("--train", metavar="FILE", help="Treebank to learn from.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="FILE", help="Treebank on which effort profiles are measured.")
    ] = None,
    components: Annotated[str, typer.Option("--components", help="What to train, separated by commas.")] = "tagger",
    entities: Annotated[
        list[str] | None,
        typer.Option("--entities", metavar="FILE", help="Named entities of the same sentences; a second for --dev."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of every component; same seed, same bytes.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one setting; may be repeated.")
    ] = None,
) -> None:
    """Train components and write them to one model file."""
    from laconic.pipeline import TrainConfig, with_settings

    names = tuple(name.strip() for name in components.split(",") if name.strip())
    seeds = {} if seed is None else {key: str(seed) for name in names for key in _seeds(name)}
    try:
        config = TrainConfig(
            train=Path(source(train)),
            dev=Path(source(dev)) if dev else None,
            components=names,
            entity_data=tuple(Path(source(file)) for file in entities or ()),
        )
        config = with_settings(config, seeds | _changes(set_ or []))
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    _check_writable(output)
    pipeline = _train(config)
    pipeline.save(output)
    log.info("wrote %s (%s bytes)", output, f"{output.stat().st_size:,}")


def _seeds(name: str) -> list[str]:
    parts = ("morphology.tagger", "morphology.features") if name == "morphology" else (name,)
    return [f"{part}.settings.seed" for part in parts]


def _changes(pairs: list[str]) -> dict[str, str]:
    changes = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"expected KEY=VALUE, not {pair!r}", param_hint="--set")
        changes[key.strip()] = value.strip()
    return changes


def _check_writable(output: Path) -> None:
    """Finds a wrong path before the training, not after it."""
    if output.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(output))
    if not output.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such directory", str(output.parent))
    if not os.access(output.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(output.parent))


def _train(config: TrainConfig) -> Pipeline:
    from laconic.pipeline import train

    def show(step: Progress) -> None:
        job.show(f"{step.what}: loss {step.loss:.4f}", done=step.done, total=step.of)
        log.debug("%s: step %d of %d, loss %.4f", step.what, step.done, step.of, step.loss)

    with Job("training") as job:
        return finished(train(config), show)
