from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from calibrated import Bools, Floats, assert_best_temperature, heated
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.corpus.projectivity import is_projective, lift
from laconic.errors import ConfigError, InputError, ModelError
from laconic.label import Labeler, LabelerConfig, TensorLabeler, TensorLabelerConfig
from laconic.learn import Settings, TrainingData, Work
from laconic.progress import finished

CONFIG = LabelerConfig(settings=Settings(epochs=5, exits=(2, 4, 8, 16)), folds=3)


@pytest.fixture(scope="module")
def corpus() -> Doc:
    return Doc.from_conllu(conllu(500, seed=1))


@pytest.fixture(scope="module")
def unseen() -> Doc:
    return Doc.from_conllu(conllu(300, seed=2))


@pytest.fixture(scope="module")
def labeler(corpus: Doc) -> Labeler:
    return finished(Labeler.fit(CONFIG, TrainingData(corpus)))


def right(labeler: Labeler, doc: Doc) -> np.ndarray[Any, np.dtype[np.bool_]]:
    labels, _ = labeler.predict(doc)
    return np.asarray(np.array(labeler.labels)[labels] == np.array(doc.strings("deprel")))


def test_it_learns_more_than_the_pair_of_tags_tells(labeler: Labeler, corpus: Doc, unseen: Doc) -> None:
    tags = "POS(HEAD) & POS(MOD) & DIRECTION(MOD)\n"
    pairs = finished(Labeler.fit(replace(CONFIG, templates=tags, folds=0), TrainingData(corpus)))
    assert right(labeler, unseen).mean() > max(0.98, right(pairs, unseen).mean() + 0.02)


def test_less_effort_reads_fewer_templates_at_little_loss(labeler: Labeler, unseen: Doc) -> None:
    full, (labels, most) = right(labeler, unseen).mean(), labeler.predict(unseen)
    try:
        labeler.effort(0.005)
        early, some = labeler.predict(unseen)
        assert some.templates < most.templates / 2
        assert some.rows < most.rows / 2
        assert np.mean(early != labels) < 0.03
        assert right(labeler, unseen).mean() > full - 0.02
    finally:
        labeler.effort(0.0)


def test_the_column_is_filled_and_nothing_else_changes(labeler: Labeler, unseen: Doc) -> None:
    doc = unseen.sentences[:]
    doc.set_codes("deprel", np.zeros(len(doc), np.int32), ["_"])
    labeler.apply(doc)
    assert set(doc.strings("deprel")) <= set(labeler.labels)
    doc.set_codes("deprel", *unseen.codes("deprel"))
    assert doc == unseen


def test_a_pair_of_tags_keeps_to_the_labels_it_was_seen_with(corpus: Doc, unseen: Doc) -> None:
    labeler = finished(Labeler.fit(replace(CONFIG, folds=0, pair_minimum=1), TrainingData(corpus)))

    def pairs(doc: Doc, labels: list[str]) -> set[tuple[str, str, bool, str]]:
        tags, heads, starts = doc.strings("upos"), doc.heads.tolist(), doc.sentence_starts.tolist()
        found = set()
        for begin, end in itertools.pairwise(starts):
            for i in range(begin, end):
                head = tags[begin + heads[i] - 1] if heads[i] else "ROOT"
                found.add((head, tags[i], i - begin + 1 > heads[i], labels[i]))
        return found

    seen = pairs(corpus, corpus.strings("deprel"))
    known = {one[:3] for one in seen}
    labels, _ = labeler.predict(unseen)
    given = pairs(unseen, [labeler.labels[y] for y in labels])
    assert {one for one in given if one[:3] in known} <= seen


def test_an_arc_from_the_root_costs_nothing_where_only_one_label_was_seen(labeler: Labeler) -> None:
    doc = Doc.from_words([["x"]], upos=[["VERB"]], head=[[0]])
    labels, work = labeler.predict(doc)
    assert [labeler.labels[y] for y in labels] == ["root"]
    assert work.templates == 0


def noisy(doc: Doc, share: float, seed: int) -> Doc:
    """Labels of which a share is drawn by chance, so that nobody can know them."""
    source = np.random.default_rng(seed)
    copy = doc.sentences[:]
    codes, values = copy.codes("deprel")
    drawn = source.integers(len(values), size=len(copy))
    copy.set_codes("deprel", np.where(source.random(len(copy)) < share, drawn, codes).astype(np.int32), values)
    return copy


def test_confidence_is_calibrated_on_arcs_that_training_did_not_see(corpus: Doc, unseen: Doc) -> None:
    labeler = finished(Labeler.fit(CONFIG, TrainingData(noisy(corpus, 0.3, 1))))
    judged, own = noisy(unseen, 0.3, 2), labeler.stop

    def predicted(factor: float) -> tuple[Floats, Bools]:
        labeler.stop = heated(own, factor)
        return labeler.predict(judged, confidence=True)[2], right(labeler, judged)

    assert_best_temperature(predicted)


def test_confidence_without_folds_is_an_error(corpus: Doc, unseen: Doc) -> None:
    labeler = finished(Labeler.fit(replace(CONFIG, folds=0), TrainingData(corpus)))
    with pytest.raises(ValueError, match="folds"):
        labeler.predict(unseen, confidence=True)


def test_wrong_heads_teach_nothing(corpus: Doc, unseen: Doc) -> None:
    # Every second tree hangs on its first word, and what such arcs are called would be noise.
    predicted = corpus.sentences[:]
    starts = predicted.sentence_starts.tolist()
    for begin, end in list(itertools.pairwise(starts))[::2]:
        predicted.heads[begin:end] = 1
        predicted.heads[begin] = 0
    labeler = finished(Labeler.fit(replace(CONFIG, folds=0), TrainingData(corpus, predicted)))
    assert right(labeler, unseen).mean() > 0.97


def test_same_data_and_settings_give_the_same_bytes(labeler: Labeler, corpus: Doc) -> None:
    arrays, facts = finished(Labeler.fit(CONFIG, TrainingData(corpus))).state()
    wanted, same = labeler.state()
    assert facts == same
    assert {name: array.tobytes() for name, array in arrays.items()} == {n: a.tobytes() for n, a in wanted.items()}


def test_a_state_gives_the_same_labeler_back(labeler: Labeler, unseen: Doc) -> None:
    loaded = Labeler.from_state(*labeler.state())
    for tolerance in (0.0, 0.01):
        loaded.effort(tolerance)
        labeler.effort(tolerance)
        assert np.array_equal(loaded.predict(unseen, confidence=True)[2], labeler.predict(unseen, confidence=True)[2])
        assert np.array_equal(loaded.predict(unseen)[0], labeler.predict(unseen)[0])
    labeler.effort(0.0)
    assert loaded.templates == labeler.templates


def damages(arrays: dict[str, Any], facts: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    twice = np.concatenate([arrays["pairs.keys"], arrays["pairs.keys"][:1]])
    return [
        (arrays, {**facts, "pos": "lemma"}),
        (arrays, {**facts, "order": 3}),
        (arrays, {**facts, "templates": "labels"}),
        (arrays, {**facts, "names": facts["names"][1:]}),
        (arrays, {**facts, "names": ["a\tb", *facts["names"][1:]]}),
        (arrays, {name: value for name, value in facts.items() if name != "pos"}),
        ({**arrays, "pairs.keys": arrays["pairs.keys"][1:]}, facts),
        ({**arrays, "pairs.keys": twice, "pairs.sets": np.append(arrays["pairs.sets"], np.uint32(0))}, facts),
        ({**arrays, "pairs.sets": arrays["pairs.sets"] + np.uint32(100_000)}, facts),
        ({**arrays, "lexicon.bytes": arrays["lexicon.bytes"][1:]}, facts),
        ({name: array for name, array in arrays.items() if name != "pairs.sets"}, facts),
    ]


def test_a_damaged_state_is_an_error_and_nothing_else(labeler: Labeler) -> None:
    for arrays, facts in damages(*labeler.state()):
        with pytest.raises(ModelError):
            Labeler.from_state(arrays, facts)


def test_heads_that_are_no_tree_are_an_error_that_names_the_sentence(labeler: Labeler) -> None:
    doc = Doc.from_words([["a"], ["a", "b", "c"]], head=[[0], [0, 1, 1]])
    doc.heads[2:4] = 3, 2
    with pytest.raises(InputError, match=r"sentence 2 .*cycle"):
        labeler.apply(doc)
    with pytest.raises(InputError, match=r"sentence 1 .*no heads"):
        labeler.apply(Doc.from_words([["a", "b"]]))


def test_no_words_at_all_are_no_work(labeler: Labeler) -> None:
    assert labeler.apply(Doc.from_words([])).decisions == 0


def test_data_without_labels_cannot_be_learned_from(corpus: Doc) -> None:
    for doc in (Doc.from_words([["a"]]), Doc.from_words([["a"]], head=[[0]]), Doc.from_words([])):
        with pytest.raises(ConfigError, match="no labelled trees"):
            finished(Labeler.fit(CONFIG, TrainingData(doc)))
    with pytest.raises(ConfigError, match="other words"):
        finished(Labeler.fit(CONFIG, TrainingData(corpus, corpus.sentences[:10])))


@pytest.mark.parametrize("projective", ["none", "head"])
def test_one_sentence_without_heads_among_others_is_named(corpus: Doc, projective: Literal["none", "head"]) -> None:
    doc = corpus.sentences[:10]
    begin, end = doc.sentence_starts[6:8].tolist()
    doc.heads[begin:end] = -1
    for kind, config in ((Labeler, CONFIG), (TensorLabeler, TensorLabelerConfig(folds=0))):
        with pytest.raises(InputError, match="sentence 7 of the training data has no heads"):
            finished(kind.fit(replace(config, projective=projective), TrainingData(doc)))  # type: ignore[arg-type]


@pytest.mark.parametrize("predicted", [False, True])
def test_lifted_arcs_come_back_with_their_labels(predicted: bool) -> None:
    """Also where training reads a document with predicted tags, whose trees are those of the treebank."""
    train, dev = (Doc.from_conllu(conllu(400, seed=seed, nonprojective=0.3)) for seed in (3, 4))
    assert not is_projective(dev.heads, dev.sentence_starts)
    data = TrainingData(train, train.sentences[:] if predicted else None)
    labeler = finished(Labeler.fit(replace(CONFIG, folds=0, projective="head"), data))
    doc = dev.sentences[:]
    doc.heads[:] = lift(doc.heads, doc.sentence_starts)
    wrong = np.mean(doc.heads != dev.heads)
    labeler.apply(doc)
    assert np.mean(doc.heads != dev.heads) < wrong / 3
    assert not any("↑" in label for label in doc.strings("deprel"))
    assert Labeler.from_state(*labeler.state()).config.projective == "head"


def test_heads_that_cannot_be_lifted_because_they_are_no_tree_are_refused(corpus: Doc) -> None:
    broken = corpus.sentences[:]
    broken.heads[:2] = [2, 1]
    for data in (TrainingData(broken), TrainingData(corpus, broken)):
        with pytest.raises(ConfigError, match="sentence 1: the heads form a cycle"):
            finished(Labeler.fit(replace(CONFIG, projective="head"), data))


@pytest.mark.parametrize("wrong", [{"pos": "feats"}, {"order": "across"}, {"pair_minimum": 0}, {"folds": 1}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        LabelerConfig(**wrong)


def test_threads_share_one_labeler(labeler: Labeler, unseen: Doc) -> None:
    wanted = labeler.predict(unseen)[0].tolist()
    with ThreadPoolExecutor(4) as pool:
        assert all(found == wanted for found in pool.map(lambda _: labeler.predict(unseen)[0].tolist(), range(8)))


def test_a_flat_tree_of_very_many_words_takes_linear_time(labeler: Labeler) -> None:
    def work(size: int) -> Work:
        return labeler.predict(Doc.from_words([["w"] * size], upos=[["NOUN"] * size], head=[[0] + [1] * (size - 1)]))[1]

    few, many = work(1_000), work(500_000)  # looking at all siblings of each word would take many minutes
    assert many.decisions == 500_000
    assert many.templates / few.templates == pytest.approx(500, rel=0.05)
    assert many.rows / few.rows == pytest.approx(500, rel=0.05)


def test_real_trees_get_nearly_all_labels_right(treebanks: Path) -> None:
    train, dev = read(treebanks / "en_ewt" / "train.conllu").sentences[:3000], read(treebanks / "en_ewt" / "dev.conllu")
    labeler = finished(
        Labeler.fit(LabelerConfig(folds=0, settings=Settings(epochs=3, exits=(4, 10, 20))), TrainingData(train))
    )
    assert right(labeler, dev).mean() > 0.95


@pytest.mark.parametrize(
    ("kind", "config"), [(Labeler, CONFIG), (TensorLabeler, TensorLabelerConfig(folds=0))], ids=["linear", "tensor"]
)
def test_a_root_whose_tag_is_rare_or_new_there_gets_the_label_of_roots(
    kind: type[Labeler] | type[TensorLabeler], config: Any, corpus: Doc
) -> None:
    trained = finished(kind.fit(config, TrainingData(corpus.sentences[:60])))
    tags = [*corpus.codes("upos")[1], "NEW"]
    lone = Doc.from_conllu("".join(f"1\tx\t_\t{tag}\t{tag}\t_\t0\t_\t_\t_\n\n" for tag in tags))
    trained.apply(lone)
    assert set(lone.strings("deprel")) == {"root"}
