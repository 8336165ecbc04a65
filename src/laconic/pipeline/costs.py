"""What each component of a pipeline costs on a text, and why it decides as it does."""

from __future__ import annotations

import re
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from laconic.corpus import Doc
from laconic.learn.explain import Explanation
from laconic.pipeline.pipeline import Pipeline
from laconic.text import Segmenter


@dataclass(frozen=True)
class Cost:
    """One component at work on one text."""

    component: str
    decisions: int
    templates: int
    """Computed in all."""
    rows: int
    """Cache lines of weights read."""
    seconds: float


def measured(
    pipeline: Pipeline, source: Doc | str, names: Collection[str] | None = None, **options: Any
) -> tuple[Doc, list[Cost]]:
    """What the pipeline makes of a text or of a document, by its components of these names only if there are any; and
    what each cost. ``options`` are the segmenter's."""
    costs = []
    if isinstance(source, Doc):
        doc = source
    else:
        begin = time.perf_counter()
        doc, work = pipeline.segmenter.predict(source, **options)
        costs.append(Cost("segmenter", work.decisions, work.templates, work.rows, time.perf_counter() - begin))
    for name, component in pipeline.components.items():
        if isinstance(component, Segmenter) or (names is not None and name not in names):
            continue
        begin = time.perf_counter()
        done = component.apply(doc)
        costs.append(Cost(name, done.decisions, done.templates, done.rows, time.perf_counter() - begin))
    return doc, costs


def bench_text() -> str:
    """The text that speed is measured on where no other is given: a few thousand words of English of many kinds, on
    which the English model computes about as many templates a word as on its development data."""
    return files("laconic").joinpath("data", "bench.txt").read_text("utf-8")


def ruled_words(text: str) -> Doc:
    """Lines as sentences and their letters and signs as words, for models that have no segmenter: not right, but as
    much work as right ones."""
    rows = (re.findall(r"\w+|[^\w\s]+", line) for line in text.splitlines())
    return Doc.from_words([row for row in rows if row])


def seconds_per_word(pipeline: Pipeline, rounds: int = 3) -> float:
    """What a word of a long text takes, on one thread: ``bench_text``, the best of some rounds. A short text takes
    longer, since there the calls themselves weigh."""
    text = bench_text()
    found = []
    for _ in range(rounds):
        doc, costs = measured(pipeline, text if "segmenter" in pipeline.components else ruled_words(text))
        found.append(sum(cost.seconds for cost in costs) / len(doc))
    return min(found)


def explanations(pipeline: Pipeline, doc: Doc, sentences: Sequence[int] | None = None) -> Iterator[Explanation]:
    """Why the components that can tell decided as they did about a document that the pipeline has filled: about all of
    it, or some sentences."""
    for name, component in pipeline.components.items():
        explain = getattr(component, "explain", None)
        if explain is not None:
            for one in explain(doc, sentences):
                yield replace(one, component=name)
