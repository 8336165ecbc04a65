"""The tagger alone: beside NLTK's perceptron tagger, beside what the memory allows, and before and after freezing.

    python -m benchmarks.tagger [--data DIR] [--rounds 5] [--sentences N]

Part-of-speech tagging on gold tokens of UD English EWT, trained at every exit with default settings; at each tolerance
accuracy, templates and cache lines per decision, and speed. Against other methods of training: table 1 of
experiments/strubell2015. Writes docs/tagger.md. Needs the extra `bench` and the treebank.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from experiments.common import ROOT, arguments, command, treebank, write_report
from experiments.curves import Point
from experiments.strubell2015.table1 import point, stops
from experiments.tables import change, header, line, ratio
from experiments.timing import cpu, in_turns

from benchmarks.peers import nltk_tagger
from laconic._core.learn import Examples, instruction_set, read_random_rows
from laconic.corpus import Doc
from laconic.learn import Settings, TrainingData
from laconic.learn import train_linear as learn
from laconic.learn.folding import select
from laconic.progress import finished
from laconic.tag import Tagger, TaggerConfig


def accuracy_before_and_after_freezing(tagger: Tagger, settings: Settings, train: Doc, dev: Doc) -> tuple[float, float]:
    """Percent right of the words with a choice, all templates, gold tags to the left: by the float weights and by the
    frozen ones."""
    number = {name: label for label, name in enumerate(tagger.labels)}
    known = np.array([all(token.upos in number for token in sentence) for sentence in dev.sentences])
    dev = select(dev, known)
    gold, truth = (np.array([number[tag] for tag in doc.strings("upos")], np.uint16) for doc in (train, dev))
    templates = len(tagger.plan)
    examples, judged = (Examples(templates, tagger.frozen.sets) for _ in range(2))
    tagger.words.collect(examples, train, gold)
    examples.finish(settings.cutoff)
    tagger.words.collect(judged, dev, truth)
    judged.finish_like(examples)
    learner = finished(learn(examples, templates, settings))
    every = np.arange(len(judged), dtype=np.uint32)
    right = np.array([judged.gold(int(i)) for i in every])
    before, after = (
        100 * float(np.mean(one.predict(judged, every) == right)) for one in (learner, learner.freeze(examples))
    )
    return before, after


def reads(tagger: Tagger, one: Point, words: int) -> Callable[[], object]:
    """As many reads of random cache lines of the same table as the setting makes: what the memory takes for them."""
    return partial(read_random_rows, tagger.frozen.table, round(one.rows * words), 1)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences")
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt", chosen.sentences)
    config, known = TaggerConfig(), set(train.codes("form")[1])
    settings = config.settings
    alone: list[Tagger] = []
    seconds = cpu(lambda: alone.append(finished(Tagger.fit(replace(config, folds=0), TrainingData(train)))))
    before, after = accuracy_before_and_after_freezing(alone[0], settings, train, dev)
    tagger = finished(Tagger.fit(config, TrainingData(train)))
    points = [point(name, tagger, stop, dev, known) for name, stop in stops(tagger)]
    theirs: list[Callable[[list[list[str]]], list[str]]] = []
    nltk_seconds = cpu(lambda: theirs.append(nltk_tagger(train)))
    words = [[token.form for token in sentence] for sentence in dev.sentences]
    right = 100 * float(np.mean(np.array(theirs[0](words)) == np.array(dev.strings("upos"))))
    runs = {one.name: one.run for one in points}
    limits = {f"{one.name}, reads": reads(tagger, one, len(dev)) for one in points}
    times = in_turns(runs | limits | {"NLTK": partial(theirs[0], words)}, chosen.rounds)
    table, size = tagger.frozen.table, sum(array.nbytes for array in tagger.state()[0].values())
    lines = [
        "# The tagger alone",
        "",
        f"Written by {command()}: UPOS on UD English EWT, gold tokens, development set ({len(dev):,} words), greedy,",
        f"{len(tagger.plan)} templates in the shipped order, trained at every exit with default settings, margins calibrated on five folds.",
        f"One thread, CPU time, settings in turn, {chosen.rounds} rounds, instruction set {instruction_set()}. Losses against all templates",
        "with 95 % intervals by paired bootstrap over sentences. Templates count words with one candidate, which cost none; lines are",
        "cache lines of weights. `times NLTK`: its time over ours, median and spread of the rounds. `of the reads`: how many times as",
        "long as the same number of random reads of a cache line of the same table. Other methods of training:",
        "[table 1](../experiments/strubell2015/table1.md).",
        "",
        *header("setting", "UPOS", "loss", "templates", "lines", "tokens/s", "times NLTK", "of the reads"),
    ]
    for one in points:
        own = times[one.name]
        lines.append(
            line(
                one.name,
                f"{one.value:.2f}",
                "" if one is points[0] else change(one.scores, points[0].scores, "UPOS", digits=3),
                f"{one.templates:.1f}",
                f"{one.rows:.1f}",
                f"{len(dev) / statistics.median(own):,.0f}",
                ratio(times["NLTK"], own),
                ratio(own, times[f"{one.name}, reads"]),
            )
        )
    speed = f"{len(dev) / statistics.median(times['NLTK']):,.0f}"
    lines += [
        line("NLTK perceptron tagger, 5 iterations", f"{right:.2f}", "", "", "", speed, "1", ""),
        "",
        f"- Training: {seconds:.1f} CPU seconds without calibration; NLTK {nltk_seconds:.0f}.",
        f"- Size: {size / 1e6:.1f} MB; {table.nbytes:,} bytes of weights in {len(table):,} rows of {table.stride} bytes.",
        f"- Freezing to int8: {before:.2f} % right before, {after:.2f} % after, of the words that have a choice, with gold tags to",
        "  their left and all templates.",
    ]
    write_report(ROOT / "docs" / "tagger.md", lines)


if __name__ == "__main__":
    main()
