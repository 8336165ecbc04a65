"""The classes by which Python holds the models of the core: built once, checked once, alike in every room."""

from __future__ import annotations

import contextlib
import gc
import re
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from small_model import with_names
from synthetic import conllu

from laconic._core import label, tag, text, transition
from laconic._core.learn import Examples, LabelSets, Table
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import atoms, build_lexicon, compile_plan, kind, parse_set
from laconic.label import Labeler, LabelerConfig
from laconic.learn import Component, HiddenSettings, Settings, Stop, TrainingData, train_hidden
from laconic.progress import finished
from laconic.tag import EntityConfig, EntityTagger, Tagger, TaggerConfig
from laconic.text import Segmenter, SegmenterConfig
from laconic.transition import Parser, ParserConfig
from laconic.transition.training import exits_of

QUICK = Settings(epochs=2)
Decide = Callable[[], Any]
"""Decisions by a handle, which is all that is left of a component."""


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(200, seed=1))


@pytest.fixture(scope="module")
def tagger(corpus: Doc) -> Tagger:
    return finished(Tagger.fit(TaggerConfig(settings=QUICK, folds=0), TrainingData(corpus)))


@pytest.fixture(scope="module")
def labeler(corpus: Doc) -> Labeler:
    templates = "POS(MOD)\nPOS(HEAD)\nLOWER(MOD)\nPOS(MOD) & POS(HEAD)\nDISTANCE(MOD)\nDEP(HEAD)\n"
    return finished(Labeler.fit(LabelerConfig(templates=templates, settings=QUICK, folds=0), TrainingData(corpus)))


def sentences_of(doc: Doc) -> np.ndarray[Any, np.dtype[np.uint32]]:
    return np.arange(len(doc.sentences), dtype=np.uint32)


def arguments(method: Any) -> list[str]:
    signature = method.__nb_signature__[0][0]
    return re.findall(r"[(,] (\w+): ", re.sub(r"\[[^\]]*\]", "", signature))


def test_the_methods_of_every_room_take_their_arguments_in_one_order() -> None:
    rooms: tuple[Any, ...] = (tag.WordClassifier, tag.EntityClassifier, label.ArcClassifier)
    for room in rooms:
        assert arguments(room.collect)[:4] == ["examples", "columns", "gold", "sentences"]
        assert arguments(room.decide)[:2] == ["columns", "exits"]
        assert arguments(room.prefixes) == ["columns", "exits", "depths", "sentences"]
    for room in (tag.WordClassifier, label.ArcClassifier):
        assert arguments(room.final_scores) == ["columns", "exits", "sentences"]
    for room in (tag.WordClassifier, tag.EntityClassifier):
        assert arguments(room.traces) == ["columns", "exits", "sentences"]
    pairs = ["columns", "exits", "label_exits"]
    assert arguments(transition.Parser.prefixes) == [*pairs, "depths", "label_depths", "sentences"]
    for method in (transition.Parser.final_scores, transition.Parser.traces):
        assert arguments(method)[:4] == [*pairs, "sentences"]
    assert arguments(text.BoundaryClassifier.collect) == ["examples", "training", "chosen"]
    assert arguments(text.BoundaryClassifier.segment)[:2] == ["text", "exits"]


def test_parts_that_do_not_fit_are_refused_when_a_handle_is_made(tagger: Tagger, labeler: Labeler, corpus: Doc) -> None:
    words, arcs = tagger.words, labeler.arcs
    other = Table(2, 1.0, np.zeros(1, np.uint64), np.zeros(0, np.uint8), np.zeros(0, np.uint32))
    with pytest.raises(ValueError, match="do not fit together"):
        tag.WordClassifier(words.plan, words.lexicon, words.candidates, words.atoms, other)
    with pytest.raises(ValueError, match="do not fit together"):
        tag.WordClassifier(words.plan, words.lexicon, words.candidates, words.atoms[1:])
    with pytest.raises(ValueError, match="do not fit together"):
        tag.EntityClassifier(words.plan, words.lexicon, tag.Transitions(1), {}, words.atoms)
    forms = sorted(set(corpus.strings("form")))
    sets = np.zeros((len(forms), 1), np.uint32)
    another = build_lexicon(compile_plan(parse_set("LEX(TOKEN)\n", kind("token"))), forms, payloads=sets)
    with pytest.raises(ValueError, match="plan and lexicon do not fit together"):
        tag.WordClassifier(words.plan, another, words.candidates, words.atoms, words.frozen.table)
    with pytest.raises(ValueError, match="plan and lexicon do not fit together"):
        tag.EntityClassifier(words.plan, another, tag.Transitions(1), {}, np.zeros(5, np.uint32))
    edges = compile_plan(parse_set("LOWER(MOD)\nLOWER(HEAD)\n", kind("edge")))
    with pytest.raises(ConfigError, match="other than tokens"):
        tag.WordClassifier(edges, build_lexicon(edges, forms, payloads=sets), words.candidates, words.atoms)
    names = np.zeros(len(labeler.labels), np.uint32)
    with pytest.raises(ValueError, match="do not fit together"):
        label.ArcClassifier(arcs.plan, arcs.lexicon, arcs.pairs, names, "upos", "down", words.frozen.table)
    with pytest.raises(ValueError, match="choose one of down, up"):
        label.ArcClassifier(arcs.plan, arcs.lexicon, arcs.pairs, names, "upos", "sideways")


def test_a_handle_without_weights_collects_and_decides_nothing(tagger: Tagger, corpus: Doc) -> None:
    words = tagger.words
    handle = tag.WordClassifier(words.plan, words.lexicon, words.candidates, words.atoms)
    examples = Examples(len(words.plan), words.frozen.sets)
    handle.collect(examples, corpus.columns, np.zeros(len(corpus), np.uint16), sentences_of(corpus))
    assert len(examples) > 0
    with pytest.raises(ValueError, match="no weights"):
        handle.decide(corpus.columns, Stop.never(1).exits(words.frozen.table), np.zeros(0))
    examples.finish(1)
    with pytest.raises(ValueError, match="finished"):
        handle.collect(examples, corpus.columns, np.zeros(len(corpus), np.uint16), sentences_of(corpus))


def of_words(component: Tagger | Labeler, doc: Doc) -> Decide:
    one = component.words if isinstance(component, Tagger) else component.arcs
    handle, exits = one.handle, Stop.never(len(one.plan)).exits(one.frozen.table)
    return lambda: handle.decide(doc.columns, exits, np.zeros(0))[0]


def of_entities(component: EntityTagger, doc: Doc) -> Decide:
    handle, labels = component.handle, len(component.labels)
    exits = Stop.never(len(component.plan)).exits(component.frozen.table)
    return lambda: handle.decide(doc.columns, exits, tag.History(labels))[0]


def of_boundaries(component: Segmenter, doc: Doc) -> Decide:
    handle, depths = component.handle, [len(component.plan)]
    training = text.Training(doc.text.encode(), doc.columns)
    return lambda: handle.prefixes(training, depths, np.ones(len(doc.sentences), np.uint8))[0]


def of_trees(component: Parser, doc: Doc) -> Decide:
    handle, exits = component.handle, exits_of(component.stops, component.tables)
    return lambda: handle.parse(doc.columns, *exits, transition.BeamOptions.greedy(), np.zeros(0), np.zeros(0))[0]


HANDLES: dict[str, tuple[type[Component], Any, Callable[..., Decide]]] = {
    "tagger": (Tagger, TaggerConfig(settings=QUICK, folds=0), of_words),
    "labeler": (Labeler, LabelerConfig(settings=QUICK, folds=0), of_words),
    "entities": (EntityTagger, EntityConfig(settings=QUICK, folds=0, history_folds=0), of_entities),
    "segmenter": (Segmenter, SegmenterConfig(settings=QUICK, folds=0), of_boundaries),
    "parser": (Parser, ParserConfig(scorer="linear", settings=QUICK, label_settings=QUICK, folds=0), of_trees),
}


@pytest.mark.parametrize("name", HANDLES)
def test_a_handle_keeps_its_parts_alive(name: str) -> None:
    kind_of, config, decide = HANDLES[name]
    doc = Doc.from_conllu(with_names(conllu(60, seed=1)))
    component = finished(kind_of.fit(config, TrainingData(doc)))
    expected = decide(component, doc)()
    alone = decide(kind_of.from_state(*component.state()), doc)
    del component
    gc.collect()
    np.zeros(1_000_000)  # where something was freed, something else may lie now
    assert np.array_equal(alone(), expected)
    assert len(np.unique(expected)) > 1


def test_arcs_are_labelled_by_hidden_rows_as_by_linear_ones(labeler: Labeler, corpus: Doc) -> None:
    arcs = labeler.arcs
    codes, values = corpus.codes("deprel")
    gold = np.array([labeler.labels.index(value) for value in values], np.uint16)[codes]
    plan = compile_plan(parse_set(labeler.templates, kind("edge")), shared=True)
    parts = (plan, arcs.lexicon, arcs.pairs, atoms(labeler.labels), arcs.pos, arcs.order)
    examples = Examples(len(plan), arcs.frozen.sets)
    untrained = label.ArcClassifier(*parts)
    untrained.collect(examples, corpus.columns, gold, sentences_of(corpus), np.ones(len(corpus), np.uint8))
    examples.finish(1)
    settings = HiddenSettings(units=32, epochs=60, exits=(3,), row_dropout=0.0, unit_dropout=0.0)
    table = finished(train_hidden(examples, plan, settings)).freeze(examples, plan)
    handle, exits = label.ArcClassifier(*parts, table), Stop.never(len(plan)).exits(table)
    labels, depths, rows, confidences = handle.decide(corpus.columns, exits, np.ones(len(plan) + 1))
    linear = np.mean(labeler.predict(corpus)[0] == gold)
    assert np.mean(labels == gold) > linear - 0.01 > 0.9
    assert set(depths.tolist()) <= {0, len(plan)}
    assert rows > 0
    assert confidences.min() > 0
    leads, found = handle.prefixes(corpus.columns, exits, [3, len(plan)], sentences_of(corpus))
    assert leads.shape == (len(corpus), 2)
    assert np.array_equal(found[:, 1], labels)
    assert np.array_equal(handle.final_scores(corpus.columns, exits, sentences_of(corpus))[0], labels)
    with pytest.raises(ValueError, match="no output layer"):
        handle.prefixes(corpus.columns, exits, [1, len(plan)], sentences_of(corpus))


def test_nobody_writes_to_a_document_while_its_text_is_compared_with_it() -> None:
    doc = Doc.from_conllu(conllu(4000, seed=3))
    source, starts = doc.text.encode(), doc.starts
    assert len(starts) == len(doc)
    refused = refused_while(doc, lambda: text.Training(source, doc.columns))
    assert refused == ["another thread is at this document: give each thread its own"]


def test_heads_that_change_while_arcs_are_labelled_end_in_an_error_at_most(labeler: Labeler) -> None:
    doc = Doc.from_conllu(conllu(1000, seed=4))
    heads = doc.heads.copy()

    def read() -> None:
        for work in (lambda: labeler.predict(doc), doc.to_conllu, lambda: label.pair_keys(doc.columns, "upos")):
            with contextlib.suppress(ValueError, RuntimeError):  # of heads that are out of range
                work()

    reading = threading.Thread(target=lambda: [read() for _ in range(10)])
    reading.start()
    while reading.is_alive():
        doc.heads[:] = 10**8
        doc.heads[:] = heads
    reading.join()
    assert (labeler.predict(doc)[0] < len(labeler.labels)).all()


def test_only_one_thread_collects_into_a_set_of_examples(tagger: Tagger) -> None:
    words, doc = tagger.words, Doc.from_conllu(conllu(1000, seed=4))
    gold, some = np.zeros(len(doc), np.uint16), sentences_of(doc)
    each = Examples(len(words.plan), words.frozen.sets)
    words.handle.collect(each, doc.columns, gold, some)
    examples = Examples(len(words.plan), words.frozen.sets)
    refused: list[str] = []
    done = [0, 0]

    def work(number: int) -> None:
        for _ in range(10):
            try:
                words.handle.collect(examples, doc.columns, gold, some)
                done[number] += 1
            except RuntimeError as error:
                refused.append(str(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(examples) == sum(done) * len(each)
    assert set(refused) <= {"another thread is at this set of examples: give each thread its own"}


def refused_while(doc: Doc, read: Callable[[], object]) -> list[str]:
    """What a writer is told while another thread reads the document again and again."""
    refused: list[str] = []

    def work() -> None:
        for _ in range(500):
            if refused:
                return
            read()

    reading = threading.Thread(target=work)
    reading.start()
    while reading.is_alive() and not refused:
        try:
            doc.sentences[0][0].xpos = "X"
        except RuntimeError as error:
            refused.append(str(error))
    reading.join()
    return refused


def test_examples_of_another_shape_are_refused(tagger: Tagger, corpus: Doc) -> None:
    words = tagger.words
    gold, sentences = np.zeros(len(corpus), np.uint16), sentences_of(corpus)
    labels = words.frozen.table.labels
    shapes = ((len(words.plan) + 1, words.frozen.sets), (len(words.plan), LabelSets(labels + 1)))
    for examples in (Examples(*shape) for shape in shapes):
        with pytest.raises(ValueError, match="do not fit"):
            words.handle.collect(examples, corpus.columns, gold, sentences)


def test_examples_of_other_sets_of_labels_are_refused(tagger: Tagger, labeler: Labeler, corpus: Doc) -> None:
    words, arcs, sentences = tagger.words, labeler.arcs, sentences_of(corpus)
    gold = np.zeros(len(corpus), np.uint16)
    swapped = LabelSets(words.frozen.table.labels)
    swapped.add([0, words.frozen.table.labels - 1])
    for sets in (LabelSets(words.frozen.table.labels), swapped):
        with pytest.raises(ValueError, match="do not fit"):
            words.handle.collect(Examples(len(words.plan), sets), corpus.columns, gold, sentences)
    none = Examples(len(arcs.plan), LabelSets(len(labeler.labels)))
    with pytest.raises(ValueError, match="do not fit"):
        arcs.handle.collect(none, corpus.columns, gold, sentences, np.ones(len(corpus), np.uint8))
    more = LabelSets(words.frozen.table.labels, words.frozen.sets.begins(), words.frozen.sets.members())
    more.add([0, words.frozen.table.labels - 1])
    examples = Examples(len(words.plan), more)
    words.handle.collect(examples, corpus.columns, gold, sentences)
    assert len(examples) > 0
