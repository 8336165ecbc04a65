"""Policies and baselines of a graph parser: the learned one, static groups, the pruning cascade."""

from __future__ import annotations

import builtins
import itertools
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from synthetic import conllu

from laconic._core import graph as core
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.graph import GraphConfig, GraphParser, PolicySettings, SelectionSettings
from laconic.graph.training import NEVER
from laconic.learn import TrainingData
from laconic.progress import finished

SETTINGS = SelectionSettings(epochs=2, cutoff=1)


@cache
def treebank(seed: int = 1, sentences: int = 150) -> Doc:
    return Doc.from_conllu(conllu(sentences, seed=seed))


@cache
def learned(propagation: str = "paper") -> GraphParser:
    pytest.importorskip("sklearn")
    config = GraphConfig(
        scorer="linear",
        propagation=propagation,  # type: ignore[arg-type]
        policy="svm",
        policy_settings=PolicySettings(iterations=4, words=300),
        settings=SETTINGS,
        folds=2,
    )
    return finished(GraphParser.fit(config, TrainingData(treebank())))


@cache
def plain() -> GraphParser:
    config = GraphConfig(scorer="linear", settings=SETTINGS, folds=0)
    return finished(GraphParser.fit(config, TrainingData(treebank())))


def parse(parser: GraphParser, doc: Doc, drops: int = NEVER, **options: Any) -> core.Parsed:
    every = np.arange(len(doc.sentences), dtype=np.uint32)
    rules = parser.frame.rules
    return parser.model.parse(
        doc.columns,
        every,
        [drops] * (parser.model.groups - 1),
        rules.projective,
        rules.single_root,
        options.pop("propagation", "none"),
        **options,
    )


def are_trees(heads: Any, doc: Doc) -> bool:
    for begin, end in itertools.pairwise(doc.sentence_starts.tolist()):
        own = heads[begin:end].tolist()
        if own.count(0) != 1:
            return False
        for word in range(1, len(own) + 1):
            at, steps = word, 0
            while at:
                at, steps = own[at - 1], steps + 1
                if steps > len(own):
                    return False
    return True


@pytest.mark.parametrize("propagation", ["paper", "exact"])
def test_the_learned_policy_saves_templates_at_little_loss(propagation: str) -> None:
    parser, doc = learned(propagation), treebank(2, 80)
    results = {}
    for drops in (NEVER, 0):
        found = parse(parser, doc, drops, propagation=propagation, policy=parser.policy)
        assert are_trees(found.heads, doc)
        results[drops] = np.mean(found.heads == doc.heads), found.templates
        assert found.rounds[0, 0] == len(doc.sentences)
        assert found.rounds[:, 7].sum() == found.templates
    assert results[0][1] < 0.7 * results[NEVER][1]
    assert results[0][0] > results[NEVER][0] - 0.05


def test_higher_values_lock_less_and_tolerances_are_about_kept() -> None:
    parser, doc = learned().shared_copy(), treebank(2, 80)
    costs = [
        parse(parser, doc, round(value * parser.model.scale), propagation="paper", policy=parser.policy).templates
        for value in (0.0, 0.5, 1.0, 5.0)
    ]
    assert costs == sorted(costs)
    assert costs[0] < costs[-1]
    full = doc.sentences[:]
    parser.effort(0.0)
    most = parser.apply(full).templates
    for tolerance in parser.tolerances:
        parser.effort(tolerance)
        made = doc.sentences[:]
        assert parser.apply(made).templates <= most
        assert np.mean(made.heads != full.heads) <= 2 * tolerance + 0.02


def test_decisions_of_a_learned_policy_are_explained_only_where_it_is_not_asked() -> None:
    parser, doc = learned().shared_copy(), treebank(2, 5).sentences[:]
    parser.apply(doc)
    assert parser.explainable
    assert len(parser.explain(doc)) == len(doc)
    parser.effort(parser.tolerances[-1])
    assert not parser.explainable
    with pytest.raises(ConfigError, match="policy"):
        parser.explain(doc)


def test_the_expert_locks_gold_heads_alone() -> None:
    parser, doc = plain(), treebank(2, 40)
    every = np.arange(len(doc.sentences), dtype=np.uint32)
    gold = np.array(doc.heads, np.int32)
    found, asked = parser.model.ask(doc.columns, gold, every, [0] * (parser.model.groups - 1), True, True, "exact")
    full = parse(parser, doc)
    assert np.mean(found.heads == gold) >= np.mean(full.heads == gold)
    assert found.templates < full.templates
    assert set(asked["locked"]) <= {0, 1}
    sizes = np.diff(asked["begins"])
    assert len(sizes) == len(asked["locked"])
    assert (np.diff([sizes[asked["groups"] == g].mean() for g in np.unique(asked["groups"])]) > 0).all()


def test_a_learned_policy_goes_through_a_model_file_and_needs_no_scikit_learn_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parser, doc = learned(), treebank(2, 40)
    arrays, facts = parser.state()
    original = builtins.__import__

    def refuse(name: str, *rest: Any) -> Any:
        if name.split(".")[0] in ("sklearn", "scipy"):
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refuse)
    again = GraphParser.from_state(arrays, facts)
    for tolerance in (0.0, *parser.tolerances[-1:]):
        one, other = parser.shared_copy(), again.shared_copy()
        docs = doc.sentences[:], doc.sentences[:]
        for own, made in zip((one, other), docs, strict=True):
            own.effort(tolerance)
            own.apply(made)
        assert np.array_equal(docs[0].heads, docs[1].heads)
    with pytest.raises(ConfigError, match=r"laconic\[train\]"):
        finished(GraphParser.fit(parser.config, TrainingData(treebank(1, 60))))
    weights = facts["learned policy"]["weights"]
    for wrong in ({"groups": [0.0]}, {"now": float("nan")}, {"temperature": 0.0}, {"margin": "x"}):
        damaged = facts | {"learned policy": facts["learned policy"] | {"weights": weights | wrong}}
        with pytest.raises(ModelError):
            GraphParser.from_state(arrays, damaged)
    with pytest.raises(ModelError):
        GraphParser.from_state({k: v for k, v in arrays.items() if not k.startswith("policy.")}, facts)


def test_static_groups_stop_for_all_arcs_alike() -> None:
    parser, doc = plain(), treebank(2, 60)
    full = parse(parser, doc)
    costs = []
    for groups in range(1, parser.model.groups + 1):
        found = parse(parser, doc, groups=groups)
        assert are_trees(found.heads, doc)
        assert found.depths.max() == groups
        costs.append(found.templates)
    assert costs == sorted(costs)
    assert np.array_equal(found.heads, full.heads)
    assert len(parse(parser, doc, groups=2, propagation="exact").rounds) == 2


def test_a_cascade_keeps_trees_and_with_lower_shares_more_arcs() -> None:
    parser, doc = plain(), treebank(2, 60)
    full = parse(parser, doc)
    groups = parser.model.groups
    found = []
    for share in (0.9, 0.5, 0.0):
        pruned = parse(parser, doc, shares=[share, share] + [-1.0] * (groups - 3), reach=3)
        assert are_trees(pruned.heads, doc)
        found.append((pruned.templates, float(np.mean(pruned.heads == full.heads))))
    assert [cost for cost, _ in found] == sorted(cost for cost, _ in found)
    assert found[-1][1] >= found[0][1]
    assert found[-1][0] < full.templates
    unpruned = parse(parser, doc, shares=[-1.0] * (groups - 1))
    assert np.array_equal(unpruned.heads, full.heads)


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(ConfigError, match="propagation"):
        GraphConfig(policy="svm")
    for wrong in ({"iterations": 0}, {"c": 0.0}, {"add_weight": float("inf")}):
        with pytest.raises(ConfigError):
            PolicySettings(**wrong)  # type: ignore[arg-type]
    parser, doc = plain(), treebank(2, 5)
    for options in ({"groups": 0}, {"shares": [2.0]}, {"shares": [0.5], "propagation": "exact"}):
        with pytest.raises(ValueError, match=r"group|shares|cascade"):
            parse(parser, doc, **options)  # type: ignore[arg-type]
    pytest.importorskip("sklearn")
    with pytest.raises(ValueError, match="propagation"):
        parse(parser, doc, policy=learned().policy)
    config = replace(learned().config, folds=0)
    with pytest.raises(ConfigError, match="folds"):
        finished(GraphParser.fit(config, TrainingData(treebank(1, 30))))
