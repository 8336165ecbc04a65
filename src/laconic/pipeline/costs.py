"""What each component of a pipeline costs on a text, and why it decides as it does."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from laconic.corpus import Doc, read
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


def seconds_per_word(pipeline: Pipeline, words: int = 2000, rounds: int = 3) -> float:
    """What a word of a long text takes, on one thread: the bundled sample, over and over, the best of some rounds. A
    short text takes longer, since there the calls themselves weigh."""
    sample = read(str(files("laconic").joinpath("data", "sample.conllu")))
    doc = Doc.concatenate([sample] * (1 + words // len(sample)))
    text = doc.text if "segmenter" in pipeline.components else None
    found = []
    for _ in range(rounds):
        _, costs = measured(pipeline, doc.sentences[:] if text is None else text)
        found.append(sum(cost.seconds for cost in costs))
    return min(found) / len(doc)


def explanations(pipeline: Pipeline, doc: Doc, sentences: Sequence[int] | None = None) -> Iterator[Explanation]:
    """Why the components that can tell decided as they did about a document that the pipeline has filled: about all of
    it, or some sentences."""
    for name, component in pipeline.components.items():
        explain = getattr(component, "explain", None)
        if explain is not None:
            for one in explain(doc, sentences):
                yield replace(one, component=name)
