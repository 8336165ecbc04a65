"""``laconic train``: from treebanks to a model file."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.console import Job
from laconic.cli.options import settings_of
from laconic.cli.source import source
from laconic.errors import ConfigError
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline, TrainConfig
    from laconic.progress import Progress

EXAMPLE = "laconic train --train train.conllu --dev dev.conllu -o my.laconic --set morphology.tagger.settings.epochs=5"
log = logging.getLogger(__name__)


def run(
    train: Annotated[str | None, typer.Option("--train", metavar="FILE", help="Treebank to learn from.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="MODEL", help="Model file to write.")] = None,
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="FILE", help="Treebank on which effort profiles are measured.")
    ] = None,
    components: Annotated[
        str | None,
        typer.Option("--components", help="What to train, separated by commas; else all that the treebank shows."),
    ] = None,
    entities: Annotated[
        list[str] | None,
        typer.Option("--entities", metavar="FILE", help="Named entities of the same sentences; a second for --dev."),
    ] = None,
    silver: Annotated[
        list[str] | None,
        typer.Option("--silver", metavar="FILE|DIR", help="Text labelled by another model, to learn from as well."),
    ] = None,
    silver_words: Annotated[
        int | None, typer.Option("--silver-words", metavar="N", help="Take about so many words of it, at random.")
    ] = None,
    silver_confidence: Annotated[
        float | None,
        typer.Option("--silver-confidence", metavar="P", help="Take only sentences of which the teacher was so sure."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", "-c", metavar="TOML", help="All of this and every setting in a file.")
    ] = None,
    base: Annotated[
        Path | None, typer.Option("--base", metavar="MODEL", help="A model whose other components are kept.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of every component; same seed, same bytes.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one setting; may be repeated.")
    ] = None,
    ud: Annotated[
        Path | None,
        typer.Option("--ud", metavar="DIR", help="A Universal Dependencies folder as it is, or a folder of such."),
    ] = None,
    defaults: Annotated[
        bool, typer.Option("--defaults", help="Print a configuration that says what is so anyway, and end.")
    ] = False,
) -> None:
    """Train components and write them to one model file. What was interrupted goes on when it is called again."""
    from laconic.corpus.files import check_apart, check_writable
    from laconic.pipeline import default_toml, with_seed, with_settings

    names = None if components is None else tuple(name.strip() for name in components.split(",") if name.strip())
    given = {
        "train": None if train is None else source(train),
        "dev": None if dev is None else source(dev),
        "base": base,
        "components": names,
        "entity_data": None if entities is None else [source(file) for file in entities],
        "silver": None if silver is None else [source(file) for file in silver],
        "silver_words": silver_words,
        "silver_confidence": silver_confidence,
    }
    try:
        if defaults:
            typer.echo(default_toml(names or _all()), nl=False)
            return
        if ud is not None:
            for key, value in given.items():
                if value is not None and key != "components":
                    hint = f"--{key.replace('_data', '').replace('entity', 'entities').replace('_', '-')}"
                    raise typer.BadParameter(
                        "the folder says what to train on: leave out one of the two", param_hint=hint
                    )
            if config is not None:
                raise typer.BadParameter("is for one treebank by its files: leave out --ud", param_hint="--config")
            _train_folder(ud, output, names or (), seed, settings_of(set_ or []))
            return
        chosen = _chosen(config, {key: value for key, value in given.items() if value is not None})
        if seed is not None:
            chosen = with_seed(chosen, seed)
        changes = settings_of(set_ or [])
        chosen = with_settings(chosen, changes)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    if output is None:
        raise typer.BadParameter("say where to write the model", param_hint="--output")
    check_writable(output)
    check_apart([] if config is None else [config], output)
    _train(chosen, output, tuple(changes))
    log.info("wrote %s (%s bytes)", output, f"{output.stat().st_size:,}")


def _train_folder(
    place: Path, output: Path | None, components: tuple[str, ...], seed: int | None, changes: dict[str, str]
) -> None:
    from dataclasses import replace

    from laconic.cli.treebanks import train_treebanks
    from laconic.pipeline import with_seed, with_settings

    def adjusted(config: TrainConfig) -> TrainConfig:
        chosen = replace(config, components=components)
        return with_settings(chosen if seed is None else with_seed(chosen, seed), changes)

    train_treebanks(place, output, adjusted, {"components": components, "seed": seed, "set": changes})


def _all() -> tuple[str, ...]:
    from laconic.pipeline.components import COMPONENTS

    return tuple(COMPONENTS)


def _chosen(file: Path | None, given: dict[str, Any]) -> TrainConfig:
    """What the file says, and what is said beside it."""
    from laconic.pipeline import TrainConfig

    if file is not None:
        return TrainConfig.read(file, given)
    if "train" not in given:
        raise typer.BadParameter("say what to train on, here or in a file of --config", param_hint="--train")
    return TrainConfig(
        train=Path(given["train"]),
        dev=Path(given["dev"]) if "dev" in given else None,
        components=given.get("components", ()),
        entity_data=tuple(map(Path, given.get("entity_data", ()))),
        silver=tuple(map(Path, given.get("silver", ()))),
        silver_words=given.get("silver_words", 0),
        silver_confidence=given.get("silver_confidence", 0.0),
        base=given.get("base"),
    )


def _train(config: TrainConfig, output: Path, asked: tuple[str, ...]) -> Pipeline:
    from laconic.pipeline import train

    def show(step: Progress) -> None:
        job.show(f"{step.what}: loss {step.loss:.4f}", done=step.done, total=step.of)
        log.debug("%s: step %d of %d, loss %.4f", step.what, step.done, step.of, step.loss)

    with Job("training") as job:
        return finished(train(config, output=output, asked=asked), show)
