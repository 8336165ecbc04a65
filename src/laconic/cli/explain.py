"""``laconic explain``: why words got their labels."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson, effort_of
from laconic.errors import ConfigError

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation

EXAMPLE = 'laconic explain "The ferry leaves." --model tagger.laconic --effort fast'


def run(
    text: Annotated[str, typer.Argument(help="The text itself.")],
    model: Annotated[str, typer.Option("--model", "-m", help="A model file, or the name of a bundled model.")] = "en",
    effort: Annotated[
        str | None,
        typer.Option(
            "--effort",
            "-e",
            help="full, balanced (default), fast, or a share of decisions such as 0.002, or beam; best cannot be "
            "explained.",
        ),
    ] = None,
    word: Annotated[
        int | None, typer.Option("--word", "-w", min=1, help="Tell of this word of the text alone, every template.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell for each decision how many templates were computed, what it led by, and which templates weighed most."""
    from laconic.pipeline import load
    from laconic.pipeline.costs import explanations

    with Job(f"loading {model}"):
        pipeline = load(model)
    try:
        if effort is not None:
            pipeline.effort = effort_of(effort)
    except ConfigError as error:
        raise typer.BadParameter(str(error), param_hint="--effort") from None
    doc = pipeline(text)
    if word is not None and word > len(doc):
        raise typer.BadParameter(f"the text has {len(doc)} words", param_hint="--word")
    sentences = None if word is None else [int(doc.sentence_starts.searchsorted(word - 1, "right")) - 1]
    found = (one for one in explanations(pipeline, doc, sentences) if word is None or one.word == word - 1)
    if as_json:
        _print_json(found)
        return
    console = out()
    if word is None:
        console.print(_overview(found))
        return
    for one in found:
        console.print(f"{printable(one.form)}: {one.question} {printable(one.label)}, {one.reason}", markup=False)
        if one.effect:
            console.print(printable(one.effect), markup=False)
        if one.runner_up is not None:
            console.print(_steps(one))
        console.print()


def _print_json(found: Iterable[Explanation]) -> None:
    """A list, one explanation after another: none is kept."""
    separator = "["
    for one in found:
        lines = json.dumps(one.to_json(), ensure_ascii=False, indent=2).replace("\n", "\n  ")
        typer.echo(f"{separator}\n  {lines}", nl=False)
        separator = ","
    typer.echo("[]" if separator == "[" else "\n]")


def _overview(found: Iterable[Explanation]) -> Table:
    table = Table("word", "form", "asked", "label", "runner-up", box=None, pad_edge=False)
    for title in ("lead", "needed", "templates", "of"):
        table.add_column(title, justify="right")
    table.add_column("what weighed most", overflow="fold")
    rows: list[tuple[int, tuple[str, ...]]] = []  # the word, and what is shown of it
    for one in found:
        last = one.checks[-1] if one.checks else None
        weighed = "; ".join(
            f"{step.template} {step.contributions[0] - step.contributions[1]:+.2f}" for step in one.strongest(2)
        )
        row = (
            str(one.word + 1),
            printable(one.form),
            one.question,
            printable(one.label),
            printable(one.runner_up or "-"),
            "-" if one.margin is None else f"{one.margin:.2f}",
            "-" if last is None or last.needed is None else f"{last.needed:.2f}",
            str(len(one.steps)),
            str(one.templates),
            weighed,
        )
        rows.append((one.word, row))
    for _, shown in sorted(rows, key=lambda one: one[0]):
        table.add_row(*shown)
    return table


def _steps(one: Explanation) -> Table:
    """Every template in order, and the exits between them."""
    table = Table(box=None, pad_edge=False)
    table.add_column("", justify="right")
    table.add_column("template", overflow="fold")
    for title in ("found", printable(one.label), printable(one.runner_up or ""), "lead", "needed"):
        table.add_column(title, justify="right")
    lead = one.start[0] - one.start[1]
    needed = {check.depth: check.needed for check in one.checks}
    for number, step in enumerate(one.steps, 1):
        own, other = step.contributions[:2]
        lead += own - other
        bound = needed.get(number)
        table.add_row(
            str(number),
            step.template,
            f"{step.found}/{step.features}",
            f"{own:+.2f}",
            f"{other:+.2f}",
            f"{lead:.2f}",
            "" if bound is None else f"{bound:.2f}",
        )
    return table
