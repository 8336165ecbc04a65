"""Scores of possible arcs: rows with lanes, groups, the length dictionary, the factored scorer."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from synthetic import conllu

from laconic._core.graph import ArcModel, FactoredModel, FactoredTrainer, HeadSelection, Lengths
from laconic._core.learn import Table, instruction_set, use_instruction_set
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.features import build_lexicon, compile_plan, kind, load_set, parse_set
from laconic.graph import GraphConfig, SelectionSettings
from laconic.graph.training import GraphTask
from laconic.learn import HiddenSettings

DEAD = np.iinfo(np.int32).min
ONE = "UPOS(HEAD)\nXPOS(MOD)\nUPOS(HEAD) & UPOS(MOD)\nUPOS(HEAD) & XPOS(BETWEEN) & UPOS(MOD)\nLEX(HEAD) & UPOS(MOD)\n"
GROUPED = ONE.replace("UPOS(HEAD) & UPOS(MOD)", "# group\nUPOS(HEAD) & UPOS(MOD)")


@cache
def treebank(seed: int = 1, sentences: int = 60) -> Doc:
    return Doc.from_conllu(conllu(sentences, seed=seed))


def every(doc: Doc) -> npt.NDArray[np.uint32]:
    return np.arange(len(doc.sentences), dtype=np.uint32)


def heads_of(doc: Doc) -> npt.NDArray[np.int32]:
    return np.array(doc.heads, np.int32)


@cache
def trained(text: str) -> tuple[ArcModel, Table]:
    doc = treebank()
    templates = parse_set(text, kind("candidate"))
    plan = compile_plan(templates)
    codes, forms = doc.codes("form")
    lexicon = build_lexicon(plan, forms, np.bincount(codes, minlength=len(forms)), cutoff=2)
    lengths = Lengths.learn(doc.columns, heads_of(doc), every(doc), 5)
    model = ArcModel(plan, lexicon, lengths, "upos", list(templates.group_ends))
    settings = SelectionSettings(cutoff=1)
    none = np.zeros(0, np.uint8)
    trainer = HeadSelection(model, settings, doc.columns, heads_of(doc), every(doc), None, [], none)
    for _ in range(2):
        trainer.epoch(doc.columns, heads_of(doc), every(doc), 1.0, 0.5)
    return model, trainer.freeze()


def row_of(table: Table, template: int, key: int) -> npt.NDArray[np.int8]:
    """The weights of a feature by lane, searched in the arrays of the table as they are stored."""
    buckets = table.buckets().reshape(-1, 16)
    first, end = (int(at) * 4 for at in table.directory()[template : template + 2])
    wanted = key & 0xFFFF or 0x8000
    at = first + ((key >> 32) * ((end - first) // 4) >> 32) * 4
    while True:
        mark = int(buckets[at, 0]) | int(buckets[at, 1]) << 8
        if mark in (0, wanted):
            return buckets[at, 2:].view(np.int8) if mark else np.zeros(14, np.int8)
        at = first if at + 1 == end else at + 1


def lane(head: int, modifier: int) -> int:
    distance = abs(head - modifier)
    step = next(i for i, limit in enumerate((1, 2, 3, 4, 7, 15, 10**9)) if distance <= limit)
    return step + 7 * (modifier > head)


def test_the_score_of_an_arc_is_the_sum_of_its_lane_in_the_rows_of_its_features() -> None:
    model, table = trained(ONE)
    doc = treebank(2, 4)
    seen = 0
    for sentence in range(4):
        scores = model.scores(table, doc.columns, sentence, 1)
        for (row, head), score in np.ndenumerate(scores):
            if score == DEAD:
                continue
            keys = model.keys(doc.columns, sentence, head, row + 1)
            total = sum(int(row_of(table, t, key)[lane(head, row + 1)]) for t, some in enumerate(keys) for key in some)
            assert score == total
            seen += total != 0
    assert seen > 50


def test_groups_add_up_to_the_same_scores_as_one_group() -> None:
    (model, table), (grouped, same) = trained(ONE), trained(GROUPED)
    doc = treebank(2, 4)
    assert not np.array_equal(table.buckets(), same.buckets())  # losses behind each group train other weights
    for sentence in range(4):
        assert np.array_equal(
            grouped.scores(table, doc.columns, sentence, 2), model.scores(table, doc.columns, sentence, 1)
        )


def test_training_is_repeatable_and_learns() -> None:
    model, table = trained(GROUPED)
    doc = treebank(2, 60)
    right = words = 0
    for sentence in range(60):
        scores = model.scores(table, doc.columns, sentence, 2)
        gold = heads_of(doc)[doc.sentence_starts[sentence] : doc.sentence_starts[sentence + 1]]
        right += int((scores.argmax(axis=1) == gold).sum())
        words += len(gold)
    assert right / words > 0.6
    trained.cache_clear()
    assert np.array_equal(trained(GROUPED)[1].buckets(), table.buckets())


def test_the_length_dictionary_keeps_all_arcs_of_training_and_limits_others() -> None:
    doc = treebank()
    model, table = trained(ONE)
    possible = alive = 0
    for sentence in range(len(doc.sentences)):
        scores = model.scores(table, doc.columns, sentence, 1)
        gold = heads_of(doc)[doc.sentence_starts[sentence] : doc.sentence_starts[sentence + 1]]
        assert (scores[np.arange(len(gold)), gold] != DEAD).all()
        assert (scores[np.arange(len(gold)), np.arange(1, len(gold) + 1)] == DEAD).all()  # no word is its own head
        possible += scores.size - len(gold)
        alive += int((scores != DEAD).sum())
    assert 0.1 < alive / possible < 0.8


def test_words_whose_tags_were_never_seen_keep_all_their_heads() -> None:
    model, table = trained(ONE)
    strange = Doc.from_words([["a", "b", "c"]])
    strange.columns.set_strings("upos", ["NEW", "NEW", "NEW"])
    assert int((model.scores(table, strange.columns, 0, 1) == DEAD).sum()) == 3


def test_a_damaged_length_dictionary_is_refused() -> None:
    doc = treebank()
    arrays = Lengths.learn(doc.columns, heads_of(doc), every(doc), 5).arrays()
    Lengths(**arrays)
    for name, array in arrays.items():
        with pytest.raises(ModelError, match="length dictionary"):
            Lengths(**arrays | {name: array[:-1]})
    with pytest.raises(ModelError, match="length dictionary"):
        Lengths(**arrays | {"coarse": arrays["coarse"][::-1].copy()})


@cache
def factored() -> tuple[GraphTask, FactoredModel, FactoredTrainer]:
    doc = treebank()
    task = GraphTask.of(GraphConfig(), doc, doc)
    assert task.frame.words is not None
    settings = HiddenSettings(units=32, batch=4, rate=0.005)
    trainer = FactoredTrainer(task.frame.words, settings, doc.columns, task.heads, every(doc))
    for _ in range(4):
        trainer.epoch(every(doc), 4, 1.0, 0.5)
    return task, task.frame.words, trainer


def test_the_factored_scorer_learns_and_its_scale_is_that_asked_for() -> None:
    _, model, trainer = factored()
    table = trainer.freeze()
    doc = treebank(2, 60)
    right = 0
    for sentence in range(60):
        scores = table.scores(model, doc.columns, sentence, 1024.0)
        gold = heads_of(doc)[doc.sentence_starts[sentence] : doc.sentence_starts[sentence + 1]]
        right += int((scores.argmax(axis=1) == gold).sum())
        finer = table.scores(model, doc.columns, sentence, 4096.0)
        alive = scores != DEAD
        assert np.abs(finer[alive] / 4 - scores[alive]).max() <= 1
    assert right / len(doc) > 0.6


def test_portable_and_wide_kernels_give_the_same_scores() -> None:
    _, model, trainer = factored()
    table = trainer.freeze()
    arcs, rows = trained(ONE)
    doc = treebank(2, 10)
    before = instruction_set()
    found = []
    try:
        for name in ("portable", "auto"):
            use_instruction_set(name)
            found.append([table.scores(model, doc.columns, s, 1024.0) for s in range(10)])
            found[-1] += [arcs.scores(rows, doc.columns, s, 1) for s in range(10)]
    finally:
        use_instruction_set(before)
    assert all(np.array_equal(one, other) for one, other in zip(*found, strict=True))


def test_the_shipped_templates_of_words_are_of_either_role_alone() -> None:
    config = GraphConfig()
    both = len(config.word_template_set("HEAD")) + len(config.word_template_set("MOD"))
    assert both == len(load_set("graph-words"))
