"""``laconic discover``: from treebanks to a template file, feature by feature."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from laconic.cli.console import Job
from laconic.cli.options import component_settings
from laconic.cli.source import source
from laconic.errors import ConfigError
from laconic.progress import finished

if TYPE_CHECKING:
    from laconic.search import SearchProgress
    from laconic.search.costs import Budget, CostModel
    from laconic.search.discover_templates import ReducedTemplates

EXAMPLE = "laconic discover --train train.conllu --dev dev.conllu --score las --beam 8 -o mine.templates"
log = logging.getLogger(__name__)
POOR = 0.7
SEARCH_OPTIONS = {
    "beam": "--beam",
    "generations": "--generations",
    "threshold": "--threshold",
    "rules": "--rules",
    "budget": "--budget",
    "costs": "--costs",
    "conjunctions": "--conjunctions",
    "processes": "--processes",
    "plot": "--plot",
}
"""Without effect where nothing is searched: rounds of the backward phase follow on each other."""


def run(
    context: typer.Context,
    train: Annotated[str, typer.Option("--train", metavar="FILE", help="Treebank to learn from.")],
    dev: Annotated[
        str,
        typer.Option("--dev", metavar="FILE", help="Treebank: the first half to choose by, the second to report."),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="TEMPLATES", help="Template file to write.")],
    component: Annotated[
        str,
        typer.Option("--component", help="What the features are for: parser, graph, labeler, tensor_labeler, tagger."),
    ] = "parser",
    score: Annotated[
        str, typer.Option("--score", help="What to choose by: las or uas of the parser; others have one score.")
    ] = "",
    beam: Annotated[int, typer.Option("--beam", help="Sets that survive a generation.")] = 8,
    generations: Annotated[int, typer.Option("--generations", help="The most features of a set.")] = 16,
    threshold: Annotated[
        float, typer.Option("--threshold", help="End when two generations gained fewer points than this.")
    ] = 0.05,
    rules: Annotated[
        str, typer.Option("--rules", metavar="NAME|FILE", help="Neighbour rules: shipped ones, or a .neighbours file.")
    ] = "",
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="900ns", help="The best set that costs a word no more than this.")
    ] = None,
    costs: Annotated[
        Path | None,
        typer.Option("--costs", metavar="JSON", help="Prices of this machine; fitted and written if not there."),
    ] = None,
    rows: Annotated[
        int | None, typer.Option("--rows", min=1, help="Drop templates of the found set until so many are left.")
    ] = None,
    start: Annotated[
        list[str] | None,
        typer.Option("--from", metavar="NAME|FILE", help="No search: drop templates of this set, or of several."),
    ] = None,
    conjunctions: Annotated[
        int | None,
        typer.Option("--conjunctions", min=0, help="For hidden rows: single features and so many pairs and triples."),
    ] = None,
    journal: Annotated[
        Path | None, typer.Option("--journal", metavar="FILE", help="Keeps what was computed; else beside the output.")
    ] = None,
    processes: Annotated[int, typer.Option("--processes", "-j", help="How many; the result is the same.")] = 2,
    plot: Annotated[Path | None, typer.Option("--plot", metavar="PNG", help="Draw score by generation.")] = None,
    plot_front: Annotated[
        Path | None, typer.Option("--plot-front", metavar="PNG", help="Draw score against cost.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="A setting of the component: parser.system=arc-eager."),
    ] = None,
) -> None:
    """Discover features for a parser, a labeler or a tagger. What was interrupted goes on when it is called again."""
    from laconic.corpus import read
    from laconic.corpus.files import check_apart, check_writable
    from laconic.features import chosen_neighbours, chosen_set, union
    from laconic.search import DiscoverySettings, halves
    from laconic.search.components import Documents, discoverable
    from laconic.search.discover_templates import STRETCH, discover_templates, reduce_templates
    from laconic.search.plots import check_picture, plot_generations
    from laconic.search.plots import plot_front as draw_front

    try:
        chosen = discoverable(component)
        config = component_settings(component, train, set_ or [], dict(chosen.given)).of(component)
        kind = chosen.kind(config)
        whole = union(*(chosen_set(one, kind) for one in start)) if start else None
        if whole is not None:
            _check_backward(context, rows)
        if costs is not None and budget is None:
            raise ConfigError("--costs has no effect without --budget")
        neighbours = chosen_neighbours(rules or kind.name, kind)
        settings = DiscoverySettings(beam=beam, generations=generations, threshold=threshold / 100)
        limit = None if budget is None else budget_of(budget)
        if limit is not None and not chosen.priced:
            raise ConfigError(f"--budget is for the parser: what sets of {component} cost is not known")
        if output.suffix != ".templates":
            raise ConfigError(f"{output}: training knows a template file by its ending .templates")
        if plot_front is not None and limit is None and rows is None:
            raise ConfigError("--plot-front needs --budget or --rows: without them there is one set and no front")
        pictures = [one for one in (plot, plot_front) if one is not None]
        for picture in pictures:
            check_picture(picture)
    except ConfigError as error:
        raise typer.BadParameter(str(error)) from None
    for file in (output, *pictures):
        check_writable(file)
        check_apart([train, dev], file)
    searched, reported = halves(read(source(dev)))
    score = score or chosen.scores[0]
    documents = Documents(read(source(train)), searched, {"report": reported})
    made = chosen.source(config, neighbours if whole is None else whole, score, documents)
    allowed = None if limit is None else _budget(limit, STRETCH, costs or output.with_suffix(".costs.json"), made)
    with Job("discovering") as job:

        def show(step: SearchProgress) -> None:
            best = getattr(step, "score", None)
            said = "" if best is None else f", best {100 * best:.2f} ({', '.join(step.best)})"  # type: ignore[attr-defined]
            left = "" if step.seconds_left is None else f", {step.seconds_left / 60:.0f} minutes left"
            job.show(f"{step.what}{said}{left}", done=int(step.done), total=int(step.of))
            log.debug("%s%s%s", step.what, said, left)

        kept = journal or output.with_name(output.name + ".journal")
        said_by = " ".join(["laconic", *sys.argv[1:]])
        if whole is not None:
            assert rows is not None
            reduced = finished(reduce_templates(made, whole, rows, journal=kept, command=said_by), show)
        else:
            answer = finished(
                discover_templates(
                    made,
                    neighbours,
                    settings,
                    journal=kept,
                    processes=processes,
                    budget=allowed,
                    rows=rows,
                    conjunctions=conjunctions,
                    command=said_by,
                ),
                show,
            )
    if whole is not None:
        _tell_reduced(reduced, output, plot_front)
        return
    output.write_text(answer.text(), encoding="utf-8", newline="\n")
    if plot is not None:
        plot_generations(answer.discovery, plot)
    if plot_front is not None and answer.points:
        name = "templates" if limit is None else "nanoseconds a word"
        draw_front(answer.points, plot_front, cost=name, metric=score)
    found = answer.discovery
    for name in ("develop", "report"):
        result = 100 * found.result(found.chosen, name).score
        log.info("%s: %s %.2f with %d features", name, score.upper(), result, found.chosen)
    for note in answer.notes:
        log.info("%s", note)
    log.info("wrote %s (%d templates)", output, len(answer.templates))


def _check_backward(context: typer.Context, rows: int | None) -> None:
    """ConfigError unless the options are those of a backward phase alone."""
    if rows is None:
        raise ConfigError("--from needs --rows: how many templates are to be left")
    given = [
        option
        for name, option in SEARCH_OPTIONS.items()
        if (source := context.get_parameter_source(name)) is not None and source.name != "DEFAULT"
    ]
    if given:
        raise ConfigError(f"--from searches nothing, {', '.join(given)} would have no effect: leave out")


def _tell_reduced(reduced: ReducedTemplates, output: Path, picture: Path | None) -> None:
    from laconic.search.plots import plot_front

    output.write_text(reduced.text(), encoding="utf-8", newline="\n")
    if picture is not None:
        plot_front(reduced.points, picture, cost="templates", metric=reduced.metric)
    for step in reduced.steps:
        scores = (100 * step.score(reduced.metric, name) for name in ("develop", "report"))
        log.info("%d templates: %s %.2f, report %.2f", reduced.size(step), reduced.metric.upper(), *scores)
    log.info("wrote %s (%d templates)", output, len(reduced.templates))


def budget_of(text: str) -> float:
    """Nanoseconds out of ``900ns`` or ``900``. ConfigError for anything else."""
    try:
        value = float(text.strip().removesuffix("ns"))
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise ConfigError(f"a budget is a number of nanoseconds a word, such as 900ns, not {text!r}")
    return value


def _budget(limit: float, stretch: float, file: Path, made: Any) -> Budget:
    from laconic.search.costs import Budget, CostModel, fit_costs

    if file.exists():
        return Budget(CostModel.read(file), limit, stretch)
    with Job("fitting costs") as job:
        model: CostModel = finished(fit_costs(made), job.show)
    model.write(file)
    log.info("wrote %s: %.0f %% of the timed sets within 10 %%", file, 100 * model.within)
    if model.within < POOR:
        log.warning("the prices fit badly, the machine may be busy: remove %s to have them fitted again", file)
    return Budget(model, limit, stretch)
