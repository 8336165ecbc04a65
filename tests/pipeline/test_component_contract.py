"""What every component of the registry must do, whatever it decides, and a toy component that is added to it."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pytest
from small_model import with_names
from synthetic import conllu

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, MissingColumnsWarning, ModelError
from laconic.learn import Component, Frozen, TrainingData, Work
from laconic.learn.component import State
from laconic.pipeline import Pipeline, TrainConfig, train, with_seed, with_settings
from laconic.pipeline.components import COMPONENTS, find_segmenter
from laconic.progress import Progress, finished

NAMES = (*COMPONENTS, "toy")
PARTS = (
    "segmenter",
    "tagger",
    "morphology.tagger",
    "morphology.features",
    "lemmatizer",
    "graph",
    "labeler",
    "tensor_labeler",
    "entities",
)
ENSEMBLE = ("forward", "backward", "graph")
QUICK = {f"{part}.{key}": "2" for part in PARTS for key in ("folds", "settings.epochs")}
QUICK |= {"entities.history_folds": "2", "parser.hidden.epochs": "2", "parser.hidden.units": "32"}
QUICK |= {"graph.hidden.epochs": "2", "graph.hidden.units": "32"}
QUICK |= {
    f"ensemble.{one}.hidden.{key}": value for one in ENSEMBLE for key, value in (("epochs", "2"), ("units", "32"))
}
QUICK |= {f"ensemble.graph.{key}": "2" for key in ("folds", "settings.epochs")}
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "misc")
every = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(autouse=True)
def with_toy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMPONENTS, "toy", Toy)


@cache
def gold(seed: int = 1, sentences: int = 120) -> Doc:
    doc = Doc.from_conllu(with_names(conllu(sentences, seed=seed)))
    # Lemmas that tags do not tell: without them a lemmatiser of this language computes nothing.
    pairs = zip(doc.strings("form"), doc.strings("lemma"), strict=True)
    doc.columns.set_strings("lemma", [form if len(form) % 3 == 0 else lemma for form, lemma in pairs])
    return doc


def configuration(name: str, seed: int | None = None) -> Any:
    config = with_settings(TrainConfig(Path("train.conllu")), QUICK)
    return (config if seed is None else with_seed(config, seed)).of(name)


def fit(name: str, seed: int | None = None) -> Component:
    return finished(COMPONENTS[name].fit(configuration(name, seed), TrainingData(gold())))


@cache
def fitted(name: str) -> Component:
    return fit(name)


def fresh(name: str) -> Component:
    """With an effort of its own, the full one."""
    return fitted(name).shared_copy()


def applied(component: Component, doc: Doc) -> Doc:
    copy = doc.sentences[:]
    if component.segments:
        segmenter = find_segmenter({component.name: component})
        assert segmenter is not None
        return segmenter(copy.text)
    component.apply(copy)
    return copy


def equal(one: State, other: State) -> bool:
    arrays, facts = one
    return (
        facts == other[1]
        and arrays.keys() == other[0].keys()
        and all(np.array_equal(array, other[0][key]) for key, array in arrays.items())
    )


# What a component says of itself


@every
def test_the_registry_calls_a_component_by_its_own_name_and_its_configuration_is_a_field_of_a_training(
    name: str,
) -> None:
    kind = COMPONENTS[name]
    assert kind.name == name
    config = TrainConfig(Path("train.conllu"))
    assert type(config.of(name)) is kind.config_type
    assert hasattr(config, name) == (name != "toy")


@every
def test_columns_are_among_those_that_the_class_may_write_and_no_others_change(name: str) -> None:
    component = fresh(name)
    assert set(component.columns) <= set(component.writes)
    if component.segments:
        return
    before = gold(2)
    after = applied(component, before)
    written = {"misc" if column == "entities" else column for column in component.columns}
    for column in set(COLUMNS) - written:
        assert after.strings(column) == before.strings(column), column
    assert "head" in written or np.array_equal(after.heads, before.heads)


@every
def test_data_without_what_is_to_be_learned_are_refused(name: str) -> None:
    kind, config = COMPONENTS[name], configuration(name)
    bare = Doc.from_words([["a", "b"], ["c"]])
    assert not kind.is_shown(bare, config)
    assert kind.is_shown(gold(), config)
    for doc in (bare, Doc.from_conllu("")):
        with pytest.raises(ConfigError):
            finished(kind.fit(config, TrainingData(doc)))
    kind.check_dev(config, gold(2))
    if not kind.segments:
        with pytest.raises(ConfigError, match="development data"):
            kind.check_dev(config, bare)


@every
def test_predicted_data_of_other_words_are_refused_by_those_that_read_them(name: str) -> None:
    kind = COMPONENTS[name]
    if kind.uses_predicted:
        renamed = gold().sentences[:]
        renamed.columns.set_strings("form", [form + "x" for form in renamed.strings("form")])
        for other in (gold(2), renamed, Doc.from_conllu("")):
            with pytest.raises(ConfigError, match="other words"):
                finished(kind.fit(configuration(name), TrainingData(gold(), other)))


@every
def test_what_is_offered_to_later_components_has_the_words_of_the_training_data(name: str) -> None:
    kind, data = COMPONENTS[name], TrainingData(gold())
    component = finished(kind.fit(configuration(name), data))
    assert (data.predicted is not None) == kind.offers_predicted
    if data.predicted is not None:
        assert data.predicted.strings("form") == gold().strings("form")
        for column in component.columns:
            same = np.array(data.predicted.strings(column)) == np.array(gold().strings(column))
            assert 0.3 < same.mean() < 1, column


# Determinism


@every
def test_the_same_seed_gives_the_same_component_and_another_seed_another(name: str) -> None:
    assert equal(fit(name).state(), fitted(name).state())
    if fitted(name).tolerances:  # what only counts draws nothing
        assert not equal(fit(name, seed=77).state(), fitted(name).state())


@every
def test_threads_and_batches_change_nothing(name: str) -> None:
    pipeline = Pipeline({name: fresh(name)}, {}, {})
    docs = [gold(2).sentences[at : at + 5] for at in range(0, 40, 5)]

    def sources() -> list[Any]:
        return [doc.text if pipeline.components[name].segments else doc.sentences[:] for doc in docs]

    wanted = [pipeline(source).to_conllu() for source in sources()]
    for threads, batch in ((1, 3), (4, 1), (3, 64)):
        assert [doc.to_conllu() for doc in pipeline.pipe(sources(), threads=threads, batch=batch)] == wanted


# Model files


@every
def test_state_survives_json_and_builds_an_equal_component(name: str) -> None:
    component = fresh(name)
    arrays, facts = component.state()
    again = COMPONENTS[name].from_state(arrays, json.loads(json.dumps(facts, allow_nan=False)))
    assert equal(again.state(), (arrays, facts))
    for tolerance in (0.0, 0.05):
        component.effort(tolerance)
        again.effort(tolerance)
        assert applied(again, gold(2)).to_conllu() == applied(component, gold(2)).to_conllu()


@every
def test_a_pipeline_of_the_component_is_saved_loaded_and_pickled(name: str, tmp_path: Path) -> None:
    pipeline = Pipeline({name: fresh(name)}, {}, {})
    pipeline.save(tmp_path / "model.laconic")
    loaded = Pipeline.load(tmp_path / "model.laconic")
    loaded.save(tmp_path / "again.laconic")
    assert (tmp_path / "again.laconic").read_bytes() == (tmp_path / "model.laconic").read_bytes()
    loaded = Pipeline.load(tmp_path / "model.laconic")
    loaded.effort = 0.01
    pickled = pickle.loads(pickle.dumps(loaded))
    assert pickled.effort == 0.01
    for one in (loaded, pickled):
        assert equal(one.components[name].state(), fitted(name).state())


def refused(kind: type[Component], arrays: Any, facts: Any) -> bool:
    try:
        kind.from_state(arrays, facts)
    except ModelError:
        return True
    return False


def removed(values: Mapping[str, Any]) -> Generator[tuple[str, dict[str, Any]], None, None]:
    for key in values:
        yield f"without {key}", {other: value for other, value in values.items() if other != key}


@every
def test_state_that_lacks_an_array_or_a_fact_is_refused(name: str) -> None:
    kind = COMPONENTS[name]
    arrays, facts = fitted(name).state()
    damaged = [(what, some, facts) for what, some in removed(arrays)]
    damaged += [(what, arrays, some) for what, some in removed(facts)]
    for what, some, others in damaged:
        assert refused(kind, some, others), what


@every
def test_state_with_an_array_or_a_fact_of_another_kind_is_refused(name: str) -> None:
    kind = COMPONENTS[name]
    arrays, facts = fitted(name).state()
    damaged: list[tuple[str, Any, Any]] = []
    for key, array in arrays.items():
        others = {
            "complex numbers": array * 1j,
            "a dimension more": array[None],
            "more": np.append(array, array[:1], 0),
        }
        if len(array):
            others["less"] = array[:-1]
        for what, other in others.items():
            if other.dtype != array.dtype or other.shape != array.shape:
                damaged.append((f"{what} in {key}", arrays | {key: other}, facts))
    for key in facts:
        for value in (None, {"a": 1}, -1.5):
            damaged.append((f"{value} as {key}", arrays, facts | {key: value}))
    for what, some, others in damaged:
        assert refused(kind, some, others), what


# Documents


@every
@pytest.mark.parametrize(
    "doc",
    [Doc.from_conllu(""), Doc.from_words([["x"]]), Doc.from_words([["x"], ["."], ["Unseen", "words", "only"]])],
    ids=["empty", "one word", "no columns"],
)
def test_odd_documents_are_filled_or_refused_with_an_input_error(name: str, doc: Doc) -> None:
    component = fresh(name)
    for tolerance in (0.0, 0.05):
        component.effort(tolerance)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MissingColumnsWarning)
            try:
                made = applied(component, doc)
                explained = component.explain(made)
                confidences = component.confident(made) if component.confidence_key else None
            except InputError:
                assert name in ("labeler", "tensor_labeler"), (
                    "a tree must be there before its labels: nothing else is refused"
                )
                continue
        assert made.strings("form") == doc.strings("form") or component.segments
        assert all(0 <= one.word < len(made) for one in explained)
        if confidences is not None:
            assert len(confidences) == len(made)
            assert ((confidences >= 0) & (confidences <= 1)).all()


@every
def test_pieces_of_a_document_are_filled_as_the_whole_is(name: str) -> None:
    component = fresh(name)
    if component.segments:
        return
    doc = gold(3, 20)
    wanted = applied(component, doc)
    state = component.document_state()
    assert (state is not None) == component.in_order
    parts = []
    for at in range(0, len(doc.sentences), 7):
        piece = doc.sentences[at : at + 7]
        component.apply(piece, state)
        parts.append(piece)
        if state is not None:  # as a job that was killed and resumed has it
            state = component.document_state([array.tolist() for array in state.kept()])
    assert Doc.concatenate(parts).to_conllu() == wanted.to_conllu()


# Work and effort


@every
def test_work_is_counted_and_less_at_a_tolerance(name: str) -> None:
    component = fresh(name)
    score, full = component.judge(gold(2), gold(2))
    assert 0 < score <= 100
    assert full.decisions > 0
    assert bool(component.tolerances) == (full.templates > 0) == (full.rows > 0)
    if not component.tolerances:
        return
    component.effort(component.tolerances[-1])
    _, less = component.judge(gold(2), gold(2))
    assert less.decisions > 0
    assert less.templates < full.templates


@every
def test_a_shared_copy_has_an_effort_of_its_own(name: str) -> None:
    component = fresh(name)
    if not component.tolerances:
        return
    other = component.shared_copy()
    wanted = component.judge(gold(2), gold(2))
    other.effort(other.tolerances[-1])
    assert component.judge(gold(2), gold(2)) == wanted
    assert other.judge(gold(2), gold(2)) != wanted
    with pytest.raises(ValueError, match="tolerance"):
        other.effort(1.5)


@every
def test_searches_are_told_and_nothing_else_is_taken_for_one(name: str) -> None:
    component = fresh(name)
    for effort in component.search_efforts:
        component.search_effort(effort)
        assert 0 < component.judge(gold(2), gold(2))[0] <= 100
        if component.explainable:
            assert component.explain(gold(2))
    component.effort(0.0)
    assert component.explainable
    with pytest.raises(ConfigError, match="no effort"):
        component.search_effort("nothing")


# A new component is one entry of the registry


@dataclass(frozen=True)
class ToyConfig:
    """How the toy is trained."""

    folds: int = 0


class Toy(Component):
    """The most frequent XPOS of all words, for each word."""

    name, config_type = "toy", ToyConfig
    needs = writes = ("xpos",)
    metrics, classifiers, templates = ("XPOS",), (), ""

    def __init__(self, tag: str) -> None:
        self.tag = tag

    @classmethod
    def fit(cls, config: ToyConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        if not cls.is_shown(data.gold, config):
            raise ConfigError("the training data has no XPOS to learn from")
        tags = data.gold.strings("xpos")
        yield Progress("count", 1, 1, 0.0)
        return cls(max(set(tags), key=tags.count))

    def apply(self, doc: Doc, state: Any = None) -> Work:
        doc.set_codes("xpos", np.zeros(len(doc), np.int32), [self.tag])
        return Work(len(doc))

    def effort(self, tolerance: float) -> None:
        pass

    def state(self) -> State:
        return {}, {"tag": self.tag}

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        if not isinstance(facts.get("tag"), str):
            raise ModelError("the toy in the model is damaged: it has no tag")
        return cls(facts["tag"])


def test_a_new_component_is_a_class_and_an_entry_of_the_registry(tmp_path: Path) -> None:
    (tmp_path / "train.conllu").write_text(conllu(30, seed=1), "utf-8")
    config = TrainConfig(tmp_path / "train.conllu", tmp_path / "train.conllu", components=("toy", "tagger"))
    pipeline = finished(train(with_settings(config, QUICK), output=tmp_path / "toy.laconic"))
    assert pipeline.provenance["config"]["toy"] == {"folds": 0}
    assert list(pipeline.profiles["toy"]) == ["full", "balanced", "fast"]
    doc = Pipeline.load(tmp_path / "toy.laconic")([["some", "words"]])
    assert set(doc.strings("xpos")) == {"DT"}
    (frozen,) = pipeline.components["tagger"].classifiers
    assert isinstance(frozen, Frozen)


@pytest.mark.parametrize("error", [KeyError, IndexError, TypeError, ValueError, OverflowError, AttributeError])
def test_whatever_a_component_raises_over_damaged_state_is_a_model_error_that_names_the_file(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(arrays: Any, facts: Any) -> Toy:
        raise error("state")

    Pipeline({"toy": Toy("X")}, {}, {}).save(tmp_path / "toy.laconic")
    monkeypatch.setattr(Toy, "from_state", broken)
    with pytest.raises(ModelError, match=r"toy\.laconic"):
        Pipeline.load(tmp_path / "toy.laconic")
