"""``laconic bench``: how fast a model is, by component and effort."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from laconic.cli.console import Job, out, printable
from laconic.cli.options import AsJson
from laconic.cli.source import SAMPLE, source

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.pipeline import Pipeline

EXAMPLE = "laconic bench en --text dev.conllu --rounds 5"
WORDS = 20_000
"""Where the text is shorter it is repeated up to so many."""


@dataclass(frozen=True)
class Speed:
    """One component at one effort, in CPU time of one thread."""

    effort: str
    component: str
    words: int
    seconds: float
    """Median over the rounds."""
    templates: float
    """Computed per word."""

    @property
    def words_per_second(self) -> float:
        return self.words / max(1e-9, self.seconds)


def run(
    model: Annotated[str, typer.Argument(help="A model file, or the name of a bundled model.")] = "en",
    text: Annotated[
        str, typer.Option("--text", metavar="FILE", help="A treebank whose text is taken; else the bundled sample.")
    ] = SAMPLE,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Efforts are measured in turns, so often.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Measure words per CPU second of every component at every effort, one thread, in turns."""
    from laconic.corpus import read
    from laconic.errors import InputError
    from laconic.pipeline import load

    pipeline = load(model)
    doc = read(source(text))
    if not doc:
        raise InputError("there is no sentence in it", text)
    with Job("measuring") as job:
        speeds = measure(pipeline, doc, rounds, lambda label: job.show(label))
    if as_json:
        found = [asdict(one) | {"words_per_second": one.words_per_second} for one in speeds]
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    out().print(_table(speeds))


def measure(pipeline: Pipeline, doc: Doc, rounds: int, show: Callable[[str], None]) -> list[Speed]:
    """Each component on what those before it leave, then all of it, writing included."""
    from laconic.corpus import Doc
    from laconic.text import Segmenter

    doc = Doc.concatenate([doc] * (1 + WORDS // len(doc)))
    text = doc.text
    efforts = {effort: pipeline.at(effort) for effort in pipeline.efforts}
    seconds: dict[tuple[str, str], list[float]] = {}
    templates: dict[tuple[str, str], float] = {}
    words = len(doc)
    for number in range(rounds):
        for effort, nlp in efforts.items():
            show(f"round {number + 1} of {rounds}, {effort}")
            current = doc.sentences[:]
            whole = 0.0
            for name, component in nlp.components.items():
                start = time.process_time()
                work: Any
                if isinstance(component, Segmenter):
                    current, work = component.predict(text)
                else:
                    work = component.apply(current)
                taken = time.process_time() - start
                whole += taken
                seconds.setdefault((effort, name), []).append(taken)
                templates[effort, name] = work.templates / max(1, len(current))
                words = len(current)
            start = time.process_time()
            current.columns.to_conllu()
            written = time.process_time() - start
            seconds.setdefault((effort, "writing CoNLL-U"), []).append(written)
            seconds.setdefault((effort, "all"), []).append(whole + written)
    return [
        Speed(effort, name, words, median(found), round(templates.get((effort, name), 0.0), 3))
        for (effort, name), found in seconds.items()
    ]


def _table(speeds: list[Speed]) -> Table:
    table = Table("effort", "component", box=None, pad_edge=False)
    for title in ("words/s", "µs/word", "templates/word"):
        table.add_column(title, justify="right")
    last = ""
    for one in speeds:
        cells: tuple[Any, ...] = (
            f"{one.words_per_second:,.0f}",
            f"{1e6 * one.seconds / one.words:.2f}",
            f"{one.templates:.2f}" if one.templates else "",
        )
        table.add_row(printable(one.effort if one.effort != last else ""), printable(one.component), *cells)
        last = one.effort
    return table
