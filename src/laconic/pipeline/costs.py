"""What each component of a pipeline costs on a text, how fast it is, and why it decides as it does."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from statistics import median
from typing import Any

from laconic.corpus import Doc
from laconic.learn.explain import Explanation
from laconic.pipeline.components import find_segmenter
from laconic.pipeline.pipeline import Pipeline

SPEED_WORDS = 20_000
"""For ``speeds`` a shorter text is worked on again and again up to so many words."""
WRITING = "writing CoNLL-U"
EXPLAINED_SENTENCES = 4
"""So many are explained at a time."""
Clock = Callable[[], float]


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
    pipeline: Pipeline,
    source: Doc | str,
    names: Collection[str] | None = None,
    *,
    clock: Clock = time.perf_counter,
    **options: Any,
) -> tuple[Doc, list[Cost]]:
    """What the pipeline makes of a text or of a document, by its components of these names only if there are any; and
    what each cost. ``options`` are the segmenter's."""
    costs = []
    if isinstance(source, Doc):
        doc = source
    else:
        begin = clock()
        doc, work = pipeline.segmenter.predict(source, **options)
        costs.append(Cost(pipeline.segmenter.name, work.decisions, work.templates, work.rows, clock() - begin))
    for name, component in pipeline.components.items():
        if component.segments or (names is not None and name not in names):
            continue
        begin = clock()
        work = component.apply(doc)
        costs.append(Cost(name, work.decisions, work.templates, work.rows, clock() - begin))
    return doc, costs


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


def speeds(
    pipeline: Pipeline, given: Doc | str, rounds: int, show: Callable[[str], None] = lambda label: None
) -> list[Speed]:
    """Each component on what those before it leave, then writing, then all of it, at each effort in turns. A short
    text is given several times, each in calls of its own, since within a call words that come again cost less."""
    text = given if isinstance(given, str) else given.text
    doc = ruled_words(given) if isinstance(given, str) else given
    copies = 1 + SPEED_WORDS // len(doc)
    efforts = {effort: pipeline.at(effort) for effort in pipeline.efforts}
    segments = find_segmenter(pipeline.components) is not None
    seconds: dict[tuple[str, str], list[float]] = {}
    templates: dict[tuple[str, str], float] = {}
    words = 0
    for number in range(rounds):
        for effort, nlp in efforts.items():
            show(f"round {number + 1} of {rounds}, {effort}")
            taken, computed = dict.fromkeys([*nlp.components, WRITING, "all"], 0.0), dict.fromkeys(nlp.components, 0)
            words = 0
            for _ in range(copies):
                made, costs = measured(nlp, text if segments else doc.sentences[:], clock=time.process_time)
                begin = time.process_time()
                made.columns.to_conllu()
                taken[WRITING] += time.process_time() - begin
                words += len(made)
                for cost in costs:
                    taken[cost.component] += cost.seconds
                    computed[cost.component] += cost.templates
            taken["all"] = sum(taken.values())
            for name, value in taken.items():
                seconds.setdefault((effort, name), []).append(value)
            templates |= {(effort, name): value / max(1, words) for name, value in computed.items()}
    return [
        Speed(effort, name, words, median(found), round(templates.get((effort, name), 0.0), 3))
        for (effort, name), found in seconds.items()
    ]


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
        doc, costs = measured(pipeline, text if find_segmenter(pipeline.components) else ruled_words(text))
        found.append(sum(cost.seconds for cost in costs) / len(doc))
    return min(found)


def explanations(pipeline: Pipeline, doc: Doc, sentences: Sequence[int] | None = None) -> Iterator[Explanation]:
    """Why the components that can tell decided as they did about a document that the pipeline has filled: about all of
    it, or some sentences. Component after component, some sentences at a time: an explanation holds a number for each
    template and candidate, so that those of a long text would fill the memory. A component that depends on the words
    before goes through all of them each time, and is asked once."""
    chosen = range(len(doc.sentences)) if sentences is None else sentences
    for name, component in pipeline.components.items():
        size = max(1, len(chosen)) if component.in_order else EXPLAINED_SENTENCES
        for begin in range(0, len(chosen), size):
            for one in component.explain(doc, chosen[begin : begin + size]):
                yield replace(one, component=name)
