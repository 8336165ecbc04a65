"""Explanations are the decisions: the same labels, the same depths, scores that add up."""

from __future__ import annotations

import json

import numpy as np
import pytest
import synthetic
from explained_model import trained

from laconic._core.features import Plan, Slot
from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.learn import Frozen, HiddenSettings, Stop, train_hidden
from laconic.learn.classifier import column_plan
from laconic.learn.explain import Explanation
from laconic.pipeline import Pipeline
from laconic.pipeline.costs import explanations, measured
from laconic.progress import finished
from laconic.tag import EntityTagger, Lemmatizer, Morphology, Tagger


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline.load(trained(tmp_path_factory.mktemp("explained")))


@pytest.fixture(scope="module", params=["full", "balanced", "fast"])
def filled(request: pytest.FixtureRequest, pipeline: Pipeline) -> Doc:
    pipeline.effort = request.param
    return pipeline(Doc.from_conllu(synthetic.conllu(60, 7)))


def names(component: object, labels: np.ndarray, forms: list[str]) -> list[str]:
    from laconic._core.tag import apply
    from laconic.tag.lemmatizer import script_name

    if isinstance(component, Lemmatizer):
        scripts = [component.scripts[label] for label in labels]
        return [f"{apply(script, form)} ({script_name(script)})" for script, form in zip(scripts, forms, strict=True)]
    assert isinstance(component, Tagger | EntityTagger)
    return [component.labels[label].replace("\t", " ") for label in labels]


def decisions(pipeline: Pipeline) -> list[tuple[str, Tagger | Lemmatizer | EntityTagger]]:
    found: list[tuple[str, Tagger | Lemmatizer | EntityTagger]] = []
    for name, component in pipeline.components.items():
        if isinstance(component, Morphology):
            found += [(name, stage) for stage in component.stages]
        elif isinstance(component, Tagger | Lemmatizer | EntityTagger):
            found.append((name, component))
    return found


def test_explained_labels_and_templates_are_those_of_the_decisions(pipeline: Pipeline, filled: Doc) -> None:
    for _, component in decisions(pipeline):
        explained = component.explain(filled)
        labels, work = component.predict(filled)[:2]
        assert [one.label for one in explained] == names(component, labels, filled.strings("form"))
        assert [one.word for one in explained] == list(range(len(filled)))
        # Words that look alike are decided once; an explanation tells of each.
        assert sum(len(one.steps) for one in explained) >= work.templates
        if not isinstance(component, Lemmatizer):
            assert sum(len(one.steps) for one in explained) == work.templates


def test_contributions_add_up_to_the_scores_at_every_exit(pipeline: Pipeline, filled: Doc) -> None:
    choices = 0
    for _, component in decisions(pipeline):
        for one in component.explain(filled):
            if one.runner_up is None:
                assert not one.steps
                continue
            choices += 1
            sums = np.array(one.start) + np.sum([step.contributions for step in one.steps], axis=0)
            assert sums == pytest.approx(one.scores)
            assert one.candidates[0] == one.label
            assert list(one.scores) == sorted(one.scores, reverse=True)
            prefix = np.array(one.start) + np.cumsum([step.contributions for step in one.steps], axis=0)
            for check in one.checks:
                ranked = np.sort(prefix[check.depth - 1])[::-1]
                assert ranked[0] - ranked[1] == pytest.approx(check.margin)
                best = one.candidates[int(np.argmax(prefix[check.depth - 1]))]
                assert best == check.best or check.margin == pytest.approx(0)
    assert choices > 20


def test_a_decision_stops_at_the_first_exit_where_it_is_sure(pipeline: Pipeline, filled: Doc) -> None:
    for one in explanations(pipeline, filled):
        *earlier, last = one.checks or (None,)
        if last is None:
            continue
        assert all(check.needed is not None and check.margin < check.needed for check in earlier)
        assert last.depth == len(one.steps)
        assert last.needed is None or last.margin >= last.needed
        assert ("sure after" in one.reason) == (last.needed is not None)


def test_a_template_without_a_known_feature_adds_nothing(pipeline: Pipeline, filled: Doc) -> None:
    for one in explanations(pipeline, filled):
        for step in one.steps:
            assert 0 <= step.found <= step.features
            assert step.features <= 1 or one.component == "parser"
            if not step.found:
                assert not any(step.contributions)


def test_some_sentences_are_explained_as_they_are_among_all(pipeline: Pipeline, filled: Doc) -> None:
    everything = list(explanations(pipeline, filled))
    words = range(*filled.sentence_starts[3:5].tolist())
    assert list(explanations(pipeline, filled, [3])) == [one for one in everything if one.word in words]
    assert {one.component for one in everything} == {"morphology", "lemmatizer", "parser", "entities"}


def test_explanations_are_json(pipeline: Pipeline, filled: Doc) -> None:
    for one in explanations(pipeline, filled, [0]):
        again = json.loads(json.dumps(one.to_json()))
        assert again["reason"] == one.reason
        assert (
            Explanation(
                **{key: again[key] for key in Explanation.__dataclass_fields__ if key not in ("steps", "checks")},
                steps=(),
                checks=(),
            ).label
            == one.label
        )


def test_what_a_component_costs_is_what_it_says_itself(pipeline: Pipeline) -> None:
    pipeline.effort = "full"
    doc = Doc.from_conllu(synthetic.conllu(20, 9))
    _, costs = measured(pipeline, doc.sentences[:])
    assert [cost.component for cost in costs] == ["morphology", "lemmatizer", "parser", "entities"]
    for cost in costs:
        component = pipeline.components[cost.component]
        assert cost.templates == component.apply(pipeline(doc.sentences[:])).templates
    _, costs = measured(pipeline, doc.text, ())
    assert [cost.component for cost in costs] == ["segmenter"]


def hidden(folded: bool) -> tuple[Frozen, Plan, np.ndarray]:
    """A trained classifier of hidden rows over four columns, with an exit after two templates."""
    x = np.random.default_rng(0).integers(0, 4, (800, 4)).astype(np.uint32)
    y = (x[:, 0] % 2 ^ x[:, 1] % 2) + 2 * (x[:, 2] == 3)
    # Templates over one node can be folded into one row; attributes that are not of a form never are.
    slots = [Slot(attribute=13, node=0, index=column) for column in range(4)]
    direct = Plan(slots, [[column] for column in range(4)], [f"column {column}" for column in range(4)])
    plan = column_plan(4, None) if folded else direct
    examples = Examples(4, 4)
    sets = np.array([examples.add_set([label]) for label in range(4)], np.uint32)
    examples.add_rows(plan, x + 2, sets[y], np.zeros(len(x), np.uint32))
    examples.finish(1)
    network = finished(train_hidden(examples, plan, HiddenSettings(units=32, epochs=3, exits=(2,), cutoff=1)))
    return Frozen(network.freeze(examples, plan), examples.label_sets()), plan, x + 2


@pytest.mark.parametrize("folded", [True, False])
@pytest.mark.parametrize("margin", [0.5, 5.0, np.inf])
def test_decisions_by_hidden_rows_are_traced_too(folded: bool, margin: float) -> None:
    frozen, plan, x = hidden(folded)
    stop = Stop((2, 4), (margin, np.inf))
    labels, depths, _ = frozen.decide(plan, x[:50], stop)
    for row, label, depth in zip(x[:50], labels.tolist(), depths.tolist(), strict=True):
        (explained,) = frozen.table.traces(
            plan, row.reshape(1, -1), np.zeros(1, np.uint32), frozen.sets, stop.exits(frozen.table)
        )
        assert (explained.label, explained.depth, len(explained.looks)) == (label, depth, depth)
        final = frozen.table.prefix_scores(plan, row.reshape(1, -1), [depth])[0, 0]
        assert explained.scores()[-1].tolist() == final[explained.candidates].tolist()
        assert explained.checks[-1][0] == depth
        shown = frozen.trace(plan, row, stop)
        assert (shown.label, shown.depth, shown.scores.shape) == (label, depth, (depth, 4))
        assert shown.scores[-1] == pytest.approx(final / frozen.table.scale)
        assert shown.lead == pytest.approx(np.diff(np.sort(shown.scores[-1]))[-1])


def test_the_core_refuses_what_does_not_fit(pipeline: Pipeline) -> None:
    _, tagger = decisions(pipeline)[0]
    assert isinstance(tagger, Tagger)
    with pytest.raises(ValueError, match="no such sentence"):
        tagger.explain(Doc.from_words([["a"]]), [1])
