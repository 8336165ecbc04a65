"""``laconic evaluate``: a system's output against gold."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson, From, loaded
from laconic.cli.source import one_stream_at_most, source

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.evaluate import Difference, Scores

EXAMPLE = "laconic evaluate gold.conllu system.conllu --compare other.conllu --by deprel"


class Breakdown(StrEnum):
    deprel = "deprel"
    upos = "upos"
    length = "length"


class ScoreKind(StrEnum):
    ud = "ud"
    conllx = "conllx"
    pipeline = "pipeline"
    entities = "entities"


def run(
    gold: Annotated[str, typer.Argument(help="The truth; - is stdin.")],
    system: Annotated[str | None, typer.Argument(help="What is scored; - is stdin. None with --raw.")] = None,
    raw: Annotated[
        str | None,
        typer.Option("--raw", metavar="MODEL", help="Score what a model makes of the plain text of GOLD."),
    ] = None,
    effort: Annotated[str | None, typer.Option("--effort", "-e", help="Of the model, as of laconic parse.")] = None,
    from_: From = None,
    by: Annotated[Breakdown | None, typer.Option("--by", help="Scores of parts of the words, too.")] = None,
    compare: Annotated[
        str | None,
        typer.Option("--compare", metavar="OTHER", help="A second system: paired bootstrap of SYSTEM minus OTHER."),
    ] = None,
    kind: Annotated[
        ScoreKind,
        typer.Option(
            "--scores",
            help="ud: the official ones; conllx: without punctuation; pipeline: dependency, root, leaf and complete "
            "accuracy (chang2007); entities: spans in MISC.",
        ),
    ] = ScoreKind.ud,
    multiple_roots: Annotated[
        bool, typer.Option("--multiple-roots", help="Allow several roots in a sentence.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Score a system as the official Universal Dependencies scorer does, or by other conventions."""
    from laconic.corpus import read
    from laconic.evaluate import breakdown, evaluate, evaluate_conllx, evaluate_entities, evaluate_pipeline
    from laconic.evaluate import compare as paired

    if (system is None) == (raw is None):
        raise typer.BadParameter("give GOLD and SYSTEM, or --raw MODEL and GOLD")
    if effort is not None and raw is None:
        raise typer.BadParameter("is for --raw: here no model is used", param_hint="--effort")
    one_stream_at_most([gold, *([system] if system else []), *([compare] if compare else [])])

    if by and kind is not ScoreKind.ud:
        raise typer.BadParameter("parts are there for --scores ud only", param_hint="--by")

    def score(doc: Doc) -> Scores:
        if kind is ScoreKind.ud:
            return evaluate(truth, doc, single_root=not multiple_roots)
        if kind is ScoreKind.conllx:
            return evaluate_conllx(truth, doc)
        return evaluate_pipeline(truth, doc) if kind is ScoreKind.pipeline else evaluate_entities(truth, doc)

    with Job("scoring"):
        truth = read(source(gold), from_)
        answer = read(source(system), from_) if system else _parsed(truth, str(raw), effort)
        scores = score(answer)
        differences = paired(score(read(source(compare), from_)), scores) if compare else {}
        parts = breakdown(truth, answer, by.value, single_root=not multiple_roots) if by else {}
    if as_json:
        typer.echo(json.dumps(_as_json(scores, parts, differences), ensure_ascii=False, indent=2))
        return
    console = out()
    console.print(_table(scores.HEADER, scores.table()))
    if differences:
        console.print()
        console.print(_table(("SYSTEM minus OTHER", "f1", "95 % from", "to", "p"), _rows(differences)))
    if parts:
        console.print()
        names = [name for name in next(iter(parts.values())) if any(one[name].gold for one in parts.values())]
        console.print(_table((f"f1 by {by}", "words", *names), _parts(parts, names)))


def _parsed(truth: Doc, model: str, effort: str | None) -> Doc:
    """What a model makes of the text of a treebank, in the order and with the bounds of memory of ``laconic parse``."""
    from laconic.corpus import Doc

    return Doc.concatenate(loaded(model, effort).stream(truth.text))


def _as_json(scores: Scores, parts: dict[str, Scores], differences: dict[str, Difference]) -> dict[str, Any]:
    result: dict[str, Any] = dict(scores.to_json())
    for name, difference in differences.items():
        result[name]["difference"] = asdict(difference)
    for group, part in parts.items():
        for name, value in part.to_json().items():
            result[name].setdefault("by", {})[group] = value
    return result


def _rows(differences: dict[str, Difference]) -> list[tuple[str, ...]]:
    return [
        (name, f"{one.value:+.2f}", f"{one.low:+.2f}", f"{one.high:+.2f}", f"{one.p_value:.4f}")
        for name, one in differences.items()
    ]


def _parts(parts: dict[str, Scores], names: list[str]) -> list[tuple[str, ...]]:
    # Every metric of a breakdown counts words, the first of them all words of the group.
    ordered = sorted(parts.items(), key=lambda item: -next(iter(item[1].values())).gold)
    return [
        (group, f"{next(iter(part.values())).gold:,}", *(f"{part[name].f1:.2f}" for name in names))
        for group, part in ordered
    ]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for i, title in enumerate(header):
        table.add_column(title, justify="right" if i else "left")
    for row in rows:
        table.add_row(*map(printable, row))
    return table
