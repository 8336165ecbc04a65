"""``laconic order``: the order of a template set, learned from a treebank."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laconic.cli.console import Job
from laconic.cli.options import component_settings
from laconic.cli.source import source
from laconic.errors import ConfigError, choices
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.pipeline import TrainConfig
    from laconic.search import PoolSource, SearchProgress

EXAMPLE = "laconic order tagger --train train.conllu --dev dev.conllu -o mine.templates"
log = logging.getLogger(__name__)
COMPONENTS = {
    "tagger": "morphology",
    "lemmatizer": "lemmatizer",
    "moves": "parser",
    "labels": "parser",
    "graph": "graph",
}
"""What can be ordered, and the component whose settings say how."""


def run(
    component: Annotated[str, typer.Argument(help=f"What the templates are for: {', '.join(COMPONENTS)}.")],
    train: Annotated[str, typer.Option("--train", metavar="FILE", help="Treebank to learn from.")],
    dev: Annotated[
        str, typer.Option("--dev", metavar="FILE", help="Treebank to choose by; keep another one for the report.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="TEMPLATES", help="Template file to write.")],
    strategy: Annotated[
        str | None,
        typer.Option(
            "--strategy", help="wrapper (default), lasso or pursuit; for graph: gain (default), gain-per-cost."
        ),
    ] = None,
    groups: Annotated[
        int | None,
        typer.Option("--groups", min=1, help="Of the templates of graph: cut them into so many (default 7)."),
    ] = None,
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, help="Write only so many templates, the best ones.")
    ] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", metavar="FILE", help="Keeps what was computed; else beside the output.")
    ] = None,
    processes: Annotated[int, typer.Option("--processes", "-j", help="How many; the result is the same.")] = 2,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting: morphology.tagger.templates=mine.templates."),
    ] = None,
) -> None:
    """Learn in which order templates are read, so that decisions can stop early. What was interrupted goes on."""
    from laconic.corpus import read
    from laconic.corpus.files import check_apart, check_writable
    from laconic.search import FixedWeightParser, ForwardSelection, forward_order, order

    try:
        if component not in COMPONENTS:
            raise ConfigError(f"no component {component!r}: there are {choices(component, COMPONENTS)}")
        config = component_settings(COMPONENTS[component], train, set_ or [], {"parser.scorer": "linear"})
        if groups is not None and component != "graph":
            raise ConfigError("--groups is for graph alone: decisions of other components may end after any template")
        selection = ForwardSelection(strategy or "gain", groups or 7) if component == "graph" else None  # type: ignore[arg-type]
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    check_writable(output)
    check_apart([train, dev], output)
    documents = read(source(train)), read(source(dev))
    kept = journal or output.with_name(output.name + ".journal")
    made_by = " ".join(["laconic", *sys.argv[1:]])
    search = (
        order(
            _pool(component, config, *documents),
            strategy or "wrapper",
            journal=kept,
            processes=processes,
            command=made_by,
        )
        if selection is None
        else forward_order(
            FixedWeightParser(config.graph, *documents), selection, journal=kept, processes=processes, command=made_by
        )
    )
    with Job("ordering") as job:

        def show(step: SearchProgress) -> None:
            left = "" if step.seconds_left is None else f", {step.seconds_left / 60:.0f} minutes left"
            job.show(f"{step.what}{left}", done=int(step.done), total=int(step.of))
            log.debug("%s%s", step.what, left)

        found = finished(search, show)
    if keep is not None:
        found = found.first(keep)
    found.write(output, f"Templates of {component}, in a learned order.")
    log.info("wrote %s (%d templates)", output, len(found.templates))


def _pool(component: str, config: TrainConfig, train: Doc, dev: Doc) -> PoolSource:
    from laconic.search import LemmatizerTrainable, ParserTrainable, TaggerTrainable

    if component == "tagger":
        return TaggerTrainable(config.morphology.tagger, train, dev)
    if component == "lemmatizer":
        return LemmatizerTrainable(config.lemmatizer, train, dev)
    return ParserTrainable(config.parser, train, dev, component)  # type: ignore[arg-type]
