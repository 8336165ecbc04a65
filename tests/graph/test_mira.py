"""MIRA: steps by hand against the trainer's, and parsers trained by it."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from synthetic import conllu

from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.corpus.projectivity import nonprojective_arcs
from laconic.errors import ConfigError
from laconic.graph import GraphConfig, GraphParser, MiraSettings
from laconic.graph.training import GraphTask
from laconic.learn import TrainingData
from laconic.progress import finished

CONFIG = GraphConfig(scorer="linear", training="mira", mira=MiraSettings(epochs=3, cutoff=1), folds=0)


@cache
def treebank(seed: int = 1, sentences: int = 80) -> Doc:
    return Doc.from_conllu(conllu(sentences, seed=seed))


@pytest.mark.parametrize("projective", [True, False])
def test_a_parser_learns_trees_it_has_not_seen(projective: bool) -> None:
    parser = finished(GraphParser.fit(replace(CONFIG, projective=projective), TrainingData(treebank())))
    made = treebank(2, 60).sentences[:]
    parser.apply(made)
    assert np.mean(made.heads == treebank(2, 60).heads) > 0.75


def test_the_same_data_give_the_same_bytes() -> None:
    one, other = (finished(GraphParser.fit(CONFIG, TrainingData(treebank()))).state()[0] for _ in range(2))
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_steps_are_the_smallest_that_give_the_gold_tree_its_lead() -> None:
    """Weights by hand, with a dictionary: one weight per feature and one per feature and lane, averaged over steps."""
    task = GraphTask.of(CONFIG, treebank(3, 6), treebank(3, 6))
    rules, doc = task.frame.rules, task.doc
    starts = doc.sentence_starts.tolist()
    every = np.arange(len(doc.sentences), dtype=np.uint32)
    settings = MiraSettings(cutoff=1)
    trainer = core.Mira(task.frame.arcs, settings, doc.columns, task.heads, every, rules.projective, rules.single_root)

    def lane(head: int, word: int) -> int:
        length = abs(head - word)
        step = length - 1 if length <= 4 else 4 if length <= 7 else 5 if length <= 15 else 6
        return step + (7 if word > head else 0)

    def features(sentence: int, heads: list[int]) -> dict[tuple[int, int], float]:
        found: dict[tuple[int, int], float] = {}
        for word, head in enumerate(heads, 1):
            for keys in task.frame.arcs.keys(doc.columns, sentence, head, word):
                for key in keys:
                    if key in known:
                        for label in (-1, lane(head, word)):
                            found[key, label] = found.get((key, label), 0.0) + 1
        return found

    golds = [task.heads[a:b].tolist() for a, b in itertools.pairwise(starts)]
    known = {
        key
        for sentence, heads in enumerate(golds)
        for word, head in enumerate(heads, 1)
        for keys in task.frame.arcs.keys(doc.columns, sentence, head, word)
        for key in keys
    }
    weights: dict[tuple[int, int], float] = {}
    total, right = 0.0, 0
    for sentence, gold in enumerate(golds):
        edges = core.Edges(len(gold))
        scores = np.zeros((len(gold), len(gold) + 1), np.int32)
        alive = np.zeros(scores.shape, bool)
        table = trainer.freeze()  # only to ask which arcs are candidates
        candidates = task.frame.arcs.scores(table, doc.columns, sentence, 1)
        for word in range(1, len(gold) + 1):
            for head in range(len(gold) + 1):
                if head == word or (candidates[word - 1, head] == np.iinfo(np.int32).min and head != gold[word - 1]):
                    continue
                own = [k for keys in task.frame.arcs.keys(doc.columns, sentence, head, word) for k in keys]
                value = sum(weights.get((k, label), 0.0) for k in own for label in (-1, lane(head, word)))
                alive[word - 1, head], scores[word - 1, head] = True, round(value * (1 << 14))
        edges.set_alive(alive)
        edges.set_scores(scores)
        best = core.best_tree(edges, rules.single_root, rules.projective).tolist()
        difference = features(sentence, gold)
        for name, count in features(sentence, best).items():
            difference[name] = difference.get(name, 0.0) - count
        wrong = sum(a != b for a, b in zip(gold, best, strict=True))
        loss = wrong - sum(weights.get(name, 0.0) * value for name, value in difference.items())
        squares = sum(value**2 for value in difference.values())
        if wrong and loss > 0 and squares:
            for name, value in difference.items():
                weights[name] = weights.get(name, 0.0) + loss / squares * value
        total, right = total + (max(0.0, loss) if wrong else 0.0), right + len(gold) - wrong
    loss, words, found = trainer.epoch(doc.columns, task.heads, every)
    assert (words, found) == (len(doc), right)
    assert loss == pytest.approx(total, rel=1e-3)


def test_a_projective_parser_learns_from_trees_with_crossing_arcs() -> None:
    doc = treebank(4, 30).sentences[:]
    starts = doc.sentence_starts.tolist()
    for begin, end in itertools.pairwise(starts):
        if end - begin >= 6:
            heads = doc.heads[begin:end]
            heads[:] = [3, 4, 0, 3, 4, 4, *([4] * (end - begin - 6))]
    parser = finished(GraphParser.fit(replace(CONFIG, projective=True), TrainingData(doc)))
    assert nonprojective_arcs(doc.heads, doc.sentence_starts).any()
    parser.apply(doc)
    assert not nonprojective_arcs(doc.heads, doc.sentence_starts).any()


def test_settings_that_cannot_work_are_refused() -> None:
    with pytest.raises(ConfigError, match="linear"):
        GraphConfig(training="mira")
    for wrong in ({"epochs": 0}, {"cost": -1.0}, {"cost": float("nan")}, {"cutoff": 0}):
        with pytest.raises(ConfigError):
            MiraSettings(**wrong)  # type: ignore[arg-type]
    assert "settings" in CONFIG.unused
    assert "mira" in GraphConfig().unused
