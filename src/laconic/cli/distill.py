"""``laconic distill``: a teacher from an encoder and a treebank, and text that a teacher labels."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.console import Job
from laconic.cli.options import effort_of, settings_of
from laconic.cli.source import STREAM, source
from laconic.errors import ConfigError
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.distill import TeacherProgress

EXAMPLES = {
    "train": "laconic distill train minilm/ --train train.conllu --dev dev.conllu -o teacher/",
    "label": "laconic distill label texts/ --teacher teacher/ -o labelled/ --processes 2",
}
HELP = "Train a teacher on a treebank, and let it label text for [bold]laconic train --silver[/bold]."
log = logging.getLogger(__name__)


def train(
    encoder: Annotated[
        Path, typer.Argument(metavar="ENCODER", help="A folder with config.json, weights and a tokenizer.")
    ],
    train: Annotated[str, typer.Option("--train", metavar="FILE", help="Treebank to learn from.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help="A new folder for the teacher.")],
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="FILE", help="Treebank that is scored after each epoch.")
    ] = None,
    entities: Annotated[
        list[str] | None,
        typer.Option("--entities", metavar="FILE", help="Named entities of the same sentences; a second for --dev."),
    ] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="How often all of it is learned from.")] = None,
    threads: Annotated[int | None, typer.Option("--threads", "-j", help="Same number, same bytes.")] = None,
    seed: Annotated[int | None, typer.Option("--seed")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one setting; may be repeated.")
    ] = None,
) -> None:
    """Train a teacher: an encoder learns tags, lemmas, trees and entities. What was interrupted goes on when it is
    called again."""
    from laconic.distill import TeacherConfig, train_teacher
    from laconic.pipeline import with_settings

    try:
        config = TeacherConfig(
            encoder,
            Path(source(train)),
            None if dev is None else Path(source(dev)),
            tuple(Path(source(file)) for file in entities or ()),
        )
        named = {"epochs": epochs, "threads": threads, "seed": seed}
        changes = {name: str(value) for name, value in named.items() if value is not None}
        config = with_settings(config, changes | settings_of(set_ or []))
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    with Job("training") as job:

        def show(step: TeacherProgress) -> None:
            if step.what == "epoch":
                scores = "".join(f", {name} {value:.2f}" for name, value in step.scores.items())
                log.info("epoch %d of %d: loss %.3f%s", step.done, step.of, step.loss, scores)
                return
            minutes = f"{step.seconds_left / 60:.0f} minutes left"
            job.show(
                f"epoch {step.epoch} of {config.epochs}, loss {step.loss:.3f}, {minutes}", done=step.done, total=step.of
            )

        finished(train_teacher(config, output), show)
    log.info("wrote %s", output)


def label(
    sources: Annotated[list[str], typer.Argument(metavar="FILE|FOLDER...", help="Texts, treebanks, folders of them.")],
    teacher: Annotated[
        str, typer.Option("--teacher", metavar="FOLDER|MODEL", help="What distill train wrote, or a model of our own.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE|DIR/", help="A file, or a directory for shards.")
    ],
    effort: Annotated[
        str | None, typer.Option("--effort", "-e", help="Of a model of our own: best, beam, full, …")
    ] = None,
    segmenter: Annotated[
        str | None, typer.Option("--segmenter", metavar="MODEL", help="Sentences and words by this model's segmenter.")
    ] = None,
    projective: Annotated[bool, typer.Option("--projective", help="Only trees without crossing arcs.")] = False,
    entities_only: Annotated[
        bool, typer.Option("--entities-only", help="Add entities, and keep all else that treebanks have.")
    ] = False,
    processes: Annotated[int, typer.Option("--processes", "-j", help="Same output, less waiting.")] = 1,
    shard: Annotated[
        int | None, typer.Option("--shard", metavar="WORDS", min=1, help="Words in a shard of DIR; else 100,000.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a job that was stopped; with -o DIR/.")] = False,
) -> None:
    """Label text with a teacher, as CoNLL-U with confidences. With -o DIR/ a killed job can be resumed."""
    from laconic.distill import LabelJob, inputs_of, open_labeller
    from laconic.distill.labelling import SHARD

    sharded = output != STREAM and (output.endswith(("/", os.sep)) or Path(output).is_dir())
    for asked, name in ((resume, "--resume"), (shard is not None, "--shard")):
        if asked and not sharded:
            raise typer.BadParameter("is for output to a directory: -o DIR/", param_hint=name)
    inputs = inputs_of(sources)
    try:
        chosen = None if effort is None else effort_of(effort)
        labeller = open_labeller(
            teacher, effort=chosen, segmenter=segmenter, projective=projective, entities_only=entities_only
        )
        job = LabelJob(labeller, inputs, processes=processes)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    words, sentences, start = 0, 0, time.monotonic()
    with Job("labelling") as bar:
        run = job.to_shards(Path(output), words=shard or SHARD, resume=resume) if sharded else job.to_file(output)
        for piece in run:
            words, sentences = words + len(piece.doc), sentences + len(piece.doc.sentences)
            bar.show(f"{words:,} words, {words / max(1e-9, time.monotonic() - start):,.0f} words/s")
    log.info("labelled %s words in %s sentences: %s", f"{words:,}", f"{sentences:,}", output)
