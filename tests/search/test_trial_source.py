"""Discovery by ordinary trainings: labelers and the graph parser."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from discovered import SMALL, documents

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import Neighbours, load_neighbours, load_set, parse_neighbours, parse_set, parse_template
from laconic.learn import TrainingData
from laconic.pipeline import TrainConfig, with_settings
from laconic.progress import finished
from laconic.search import DiscoverySettings, TrialShares, TrialSource, discover
from laconic.search.components import DISCOVERABLE, Documents, discoverable
from laconic.search.costs import Budget, CostModel
from laconic.search.discover_templates import discover_templates

BY_TRIALS = [name for name, one in DISCOVERABLE.items() if name not in ("parser", "tagger")]
QUICK = replace(SMALL, generations=3, audit=1)


def made(name: str) -> tuple[Any, TrialSource, Neighbours]:
    """Configuration, source and rules of a component."""
    one = discoverable(name)
    config = with_settings(TrainConfig(train=Path("train.conllu")), one.given).of(name)
    rules = load_neighbours(one.kind(config).name)
    train, develop, other = documents()
    source = one.source(config, rules, one.scores[0], Documents(train, develop, {"report": other}))
    assert isinstance(source, TrialSource)
    return config, source, rules


@pytest.mark.parametrize("name", BY_TRIALS)
def test_features_are_found_and_the_component_trains_with_them(name: str) -> None:
    config, source, rules = made(name)
    found = finished(discover(source, rules, QUICK, processes=1))
    assert found.result(found.best).score > found.result(1).score
    assert set(found.generations[0].results) == {"develop", "report"}
    templates = found.templates(found.best)
    assert len(templates) == found.best * (found.best + 1) // 2
    trained = finished(
        source.trainable.component.fit(  # type: ignore[attr-defined]
            replace(config, templates=str(templates), folds=0), TrainingData(source.trainable.train)
        )
    )
    right = source.trainable.judged(trained, source.others["report"])
    assert right.score == found.result(found.best, "report").score


def test_processes_change_nothing_and_a_source_survives_pickling() -> None:
    _, source, rules = made("labeler")
    one = finished(discover(source, rules, QUICK, processes=1))
    other: TrialSource = pickle.loads(pickle.dumps(source))
    assert other.digest == source.digest
    two = finished(discover(other, rules, QUICK, processes=2))
    assert two.text() == one.text()


def test_what_no_word_has_is_no_candidate() -> None:
    _, source, _ = made("labeler")
    kind = source.kind
    train = Doc.from_conllu(source.trainable.train.to_conllu())
    train.set_codes("feats", np.zeros(len(train), np.int32), ["_"])
    bare = replace(source.trainable, train=train)
    own = TrialSource(bare, kind, "labels", settings=TrialShares(screen=0.5, heat=0.5))
    terms = tuple(parse_template(one, kind).terms[0] for one in ("POS(MOD)", "POS(HEAD)", "FEATS(MOD)"))
    losses = own.expected_losses(own.expanded(terms[:1]), terms[:1], terms[1:], 2.0)
    assert losses[0] is not None
    assert losses[1] is None


def test_templates_that_say_nothing_are_dropped_first() -> None:
    _, source, _ = made("labeler")
    templates = parse_set("SCRIPT(HEAD)\nPOS(MOD) & POS(HEAD) & DIRECTION(MOD)\n", source.kind)
    losses = source.ablated(templates)
    assert losses[1] > losses[0]
    gains = source.template_gains(templates[:1], templates[1:], 2.0)
    assert gains[0] > 0
    rules = parse_neighbours("start: POS(MOD)\nMOD: POS(HEAD)\n", source.kind)
    chosen = finished(discover_templates(source, rules, DiscoverySettings(beam=1, generations=2), processes=1, rows=2))
    assert len(chosen.templates) == 2


def test_words_between_can_be_found() -> None:
    _, source, _ = made("graph")
    rules = parse_neighbours("start: POS(MOD)\nMOD: POS(HEAD | BETWEEN)\n", source.kind)
    found = finished(discover(source, rules, replace(QUICK, generations=3), processes=1))
    assert "POS(BETWEEN)" in found.member(3).names


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(ConfigError, match="there are"):
        discoverable("segmenter")
    config, source, rules = made("graph")
    train, develop, other = documents()
    bare = Doc.from_conllu(other.to_conllu())
    bare.heads[:] = -1
    with pytest.raises(ConfigError, match="the development data has sentences without heads"):
        discoverable("graph").source(config, rules, "uas", Documents(train, develop, {"report": bare}))
    with pytest.raises(ConfigError, match="no score 'las'"):
        discoverable("graph").source(config, rules, "las", Documents(train, develop, {}))
    with pytest.raises(ConfigError, match="linear rows"):
        replace(source.trainable, config=replace(config, scorer="factored"))
    budget = Budget(CostModel((1.0,) * 8), 100.0)
    with pytest.raises(ConfigError, match="for the parser alone"):
        finished(discover_templates(source, rules, QUICK, processes=1, budget=budget))
    with pytest.raises(ConfigError, match="shares"):
        TrialShares(screen=0.5, heat=0.2)


@pytest.mark.parametrize(("rules", "shipped"), [("edge", "labels"), ("node", "tensor"), ("candidate", "graph")])
def test_rules_lead_to_most_features_of_the_shipped_set(rules: str, shipped: str) -> None:
    neighbours = load_neighbours(rules)
    reached = set(neighbours.start)
    for _ in range(4):
        reached |= {term for one in tuple(reached) for term in neighbours.successors(one)}
    # Sets of values of children and affixes of other lengths than the rules name are left out.
    wanted = {term for template in load_set(shipped) for term in template.terms if not term.address.children}
    assert len(wanted & reached) > 0.6 * len(wanted)
