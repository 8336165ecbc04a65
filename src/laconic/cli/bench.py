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

if TYPE_CHECKING:
    from laconic.corpus import Doc
    from laconic.pipeline import Pipeline

EXAMPLE = "laconic bench en notes.txt --rounds 5"
WORDS = 20_000
"""A shorter text is measured again and again up to so many."""
NOTE = (
    "Measured on a few pages of English of many kinds, which come with laconic. How fast a model is depends on the "
    "text: laconic bench MODEL FILE takes your own."
)


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
    file: Annotated[
        str | None,
        typer.Argument(metavar="[FILE]", help="A text or a treebank, - is a text on stdin; else a bundled text."),
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Efforts are measured in turns, so often.")] = 3,
    as_json: AsJson = False,
) -> None:
    """Measure words per CPU second of every component at every effort, one thread, in turns."""
    from laconic.pipeline import load
    from laconic.pipeline.costs import bench_text

    pipeline = load(model)
    given = bench_text() if file is None else _read(file)
    with Job("measuring") as job:
        speeds = measure(pipeline, given, rounds, lambda label: job.show(label))
    if as_json:
        found = [asdict(one) | {"words_per_second": one.words_per_second} for one in speeds]
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    out().print(_table(speeds))
    if file is None:
        out().print()
        out().print(NOTE, markup=False)


def _read(file: str) -> Doc | str:
    from laconic.corpus import read
    from laconic.corpus.files import name_of, read_chunks
    from laconic.corpus.formats import by_suffix
    from laconic.errors import InputError
    from laconic.text.source import encoded

    given: Doc | str
    if by_suffix(file) is not None:
        given = read(file)
        empty = not given
    else:
        given = encoded(b"".join(read_chunks(file, -1)), file=name_of(file)).decode()
        empty = not given.strip()
    if empty:
        raise InputError("there is nothing to measure in it", name_of(file))
    return given


def measure(pipeline: Pipeline, given: Doc | str, rounds: int, show: Callable[[str], None]) -> list[Speed]:
    """Each component on what those before it leave, then all of it, writing included. A short text is given several
    times, each in calls of its own, since within a call words that come again cost less."""
    from laconic.pipeline.costs import ruled_words
    from laconic.text import Segmenter

    text = given if isinstance(given, str) else given.text
    doc = ruled_words(given) if isinstance(given, str) else given
    copies = 1 + WORDS // len(doc)
    efforts = {effort: pipeline.at(effort) for effort in pipeline.efforts}
    seconds: dict[tuple[str, str], list[float]] = {}
    templates: dict[tuple[str, str], float] = {}
    words = copies * len(doc)
    for number in range(rounds):
        for effort, nlp in efforts.items():
            show(f"round {number + 1} of {rounds}, {effort}")
            current = [doc.sentences[:] for _ in range(copies)]
            whole = 0.0
            for name, component in nlp.components.items():
                start = time.process_time()
                works: list[Any]
                if isinstance(component, Segmenter):
                    segmented = [component.predict(text) for _ in range(copies)]
                    current, works = [one for one, _ in segmented], [work for _, work in segmented]
                else:
                    works = [component.apply(one) for one in current]
                taken = time.process_time() - start
                whole += taken
                words = sum(map(len, current))
                seconds.setdefault((effort, name), []).append(taken)
                templates[effort, name] = sum(work.templates for work in works) / max(1, words)
            start = time.process_time()
            for one in current:
                one.columns.to_conllu()
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
