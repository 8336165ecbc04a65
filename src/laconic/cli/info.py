"""``laconic info``: what is in a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson
from laconic.errors import ConfigError

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline

EXAMPLE = "laconic info tagger.laconic --templates"


def run(
    model: Annotated[str | None, typer.Argument(help="A model file, or the name of a bundled model.")] = None,
    templates: Annotated[bool, typer.Option("--templates", help="Print the template sets in full, too.")] = False,
    system: Annotated[
        bool, typer.Option("--system", help="Tell of this machine instead: version and instruction sets.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Describe a model: components, sizes, effort profiles, and where it comes from; or the machine."""
    if system:
        if model is not None:
            raise ConfigError("a model or the machine: leave out one of the two")
        _print_system(as_json)
        return
    if model is None:
        raise ConfigError("which model? laconic info en describes the English one, laconic info --system the machine")
    from laconic.pipeline import Pipeline
    from laconic.pipeline.loading import path_of

    with Job(f"loading {model}"):
        path = path_of(model)
        pipeline = Pipeline.load(path)
        facts = _facts(pipeline) | {"bytes": path.stat().st_size, "digest": pipeline.digest}
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    console = out()
    console.print(f"{printable(model)}: {facts['bytes']:,} bytes", markup=False)
    for name, component in facts["components"].items():
        console.print()
        console.print(_component(name, component))
        if component["efforts"]:
            console.print()
            console.print(_efforts(component["efforts"]))
        if templates:
            console.print()
            console.print("\n".join(map(printable, component["templates"])), markup=False, soft_wrap=True)
    provenance = dict(facts["provenance"])
    scores = provenance.pop("scores", None)
    if scores:
        console.print()
        console.print("all components together, on the development data (F1; templates per word)")
        console.print(_efforts(scores))
    console.print()
    console.print(_provenance(provenance))


def _print_system(as_json: bool) -> None:
    import laconic
    from laconic._core.learn import compiler, instruction_set, instruction_sets

    facts = {
        "laconic": laconic.__version__,
        "compiler": compiler(),
        "instruction set": instruction_set(),
        "there are": ", ".join(instruction_sets()),
    }
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False, indent=2))
        return
    table = _pairs("this machine")
    for key, value in facts.items():
        table.add_row(key, value)
    out().print(table)


def _facts(pipeline: Pipeline) -> dict[str, Any]:
    from laconic.pipeline.effort import by_accuracy

    components = {}
    for name, component in pipeline.components.items():
        arrays, _ = component.state()
        components[name] = {
            "columns": list(component.columns),
            "labels": [label.replace("\t", " ") for stage in component.stages for label in stage.labels],
            "templates": component.templates.splitlines(),
            "bytes": sum(array.nbytes for array in arrays.values()),
            "efforts": {effort: one.to_json() for effort, one in by_accuracy(pipeline.profiles.get(name, {})).items()},
        }
    return {"components": components, "provenance": pipeline.provenance}


def _component(name: str, component: dict[str, Any]) -> Table:
    table = _pairs(name)
    labels = component["labels"]
    shown = ", ".join(labels[:20]) + (", …" if len(labels) > 20 else "")
    for key, value in (
        ("columns", ", ".join(component["columns"])),
        ("labels", f"{len(labels)}: {shown}" if labels else ""),
        ("templates", str(len(component["templates"]))),
        ("bytes", f"{component['bytes']:,}"),
    ):
        if value:
            table.add_row(key, printable(value))
    return table


def _efforts(efforts: dict[str, dict[str, float]]) -> Table:
    table = Table("effort", box=None, pad_edge=False)
    for key in next(iter(efforts.values())):
        table.add_column(key, justify="right")
    for effort, figures in efforts.items():
        table.add_row(printable(effort), *(f"{value:g}" for value in figures.values()))
    return table


def _provenance(provenance: dict[str, Any]) -> Table:
    table = _pairs("provenance")
    for key, value in _flat(provenance):
        table.add_row(printable(key), printable(value))
    return table


def _flat(facts: dict[str, Any], above: str = "") -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in facts.items():
        rows += _flat(value, f"{above}{key}.") if isinstance(value, dict) else [(above + key, str(value))]
    return rows


def _pairs(title: str) -> Table:
    table = Table(printable(title), "", box=None, pad_edge=False)
    table.columns[1].overflow = "fold"
    return table
