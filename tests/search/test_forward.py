"""Forward selection of a graph parser's templates with fixed weights."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.features import kind, parse_set
from laconic.graph import GraphConfig, GraphParser, SelectionSettings
from laconic.learn import HiddenSettings, TrainingData
from laconic.progress import finished
from laconic.search import FixedWeightParser, ForwardSelection, forward_order
from laconic.search.forward import group_ends

TEMPLATES = """UPOS(HEAD)
UPOS(MOD)
UPOS(HEAD) & UPOS(MOD)
LOWER(HEAD) & LOWER(MOD)
SHAPE(HEAD) & SHAPE(MOD)
UPOS(HEAD) & UPOS(BETWEEN) & UPOS(MOD)
"""
CONFIG = GraphConfig(
    scorer="linear", templates=TEMPLATES, settings=SelectionSettings(epochs=2, cutoff=1, dropout=0.0), folds=0
)


@cache
def ranking(scorer: str = "linear") -> FixedWeightParser:
    hidden = HiddenSettings(units=32, epochs=1, batch=8, window=0)
    config = GraphConfig(
        scorer=scorer,  # type: ignore[arg-type]
        templates=TEMPLATES,
        settings=CONFIG.settings,
        hidden=hidden,
        folds=0,
    )
    return FixedWeightParser(config, Doc.from_conllu(conllu(60, seed=1)), Doc.from_conllu(conllu(25, seed=2)))


@pytest.mark.parametrize("scorer", ["linear", "factored"])
def test_all_templates_together_are_as_good_as_the_parser(scorer: str) -> None:
    own = ranking(scorer)
    parser = finished(GraphParser.fit(own.config, TrainingData(own.train)))
    made = own.develop.sentences[:]
    rules = replace(parser.frame.rules, projective=False)  # trees with crossing arcs, as forward selection judges
    parser.frame = replace(parser.frame, rules=rules)
    parser.apply(made)
    groups = own.contributions.groups
    found = own.contributions.right(list(range(groups - 1)), [groups - 1])
    assert found.tolist() == [int(np.sum(made.heads == own.develop.heads))]


def test_the_list_grows_by_the_template_that_gains_most() -> None:
    own = ranking()
    order = finished(forward_order(own, ForwardSelection(groups=3)))
    chosen: list[int] = []
    for rank in order.ranking:
        left = [t for t in range(len(own.templates)) if t not in chosen]
        counts = dict(zip(left, own.contributions.right(chosen, left).tolist(), strict=True))
        assert counts[rank.template] == max(counts.values())
        assert rank.template == min(t for t in left if counts[t] == counts[rank.template])
        chosen.append(rank.template)
    assert sorted(chosen) == list(range(len(own.templates)))
    assert order.templates.group_ends[0] == 1
    again = parse_set(order.text(), kind("candidate"))
    assert again == order.templates


def test_gain_per_cost_prefers_templates_that_read_less() -> None:
    own = ranking()
    rows = own.contributions.rows
    assert rows[0] < 0.9  # once a word, not once an arc
    assert rows[2] == pytest.approx(1, abs=0.1)
    plain = finished(forward_order(own))
    cheap = finished(forward_order(own, ForwardSelection("gain-per-cost")))

    def spent(ranks: tuple[int, ...]) -> float:
        return float(np.cumsum([rows[t] for t in ranks])[:3].sum())

    assert spent(tuple(r.template for r in cheap.ranking)) < spent(tuple(r.template for r in plain.ranking))


def test_a_search_goes_on_where_it_was(tmp_path: Path) -> None:
    own, path = ranking(), tmp_path / "journal"
    whole = finished(forward_order(own, journal=path))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]))
    assert finished(forward_order(own, journal=path, processes=2)).text() == whole.text()
    assert sorted(path.read_text().splitlines(keepends=True)) == sorted(lines)
    damaged = json.loads(lines[0])
    path.write_text(json.dumps(damaged | {"value": ["x"]}) + "\n")
    with pytest.raises(InputError, match="not a result"):
        finished(forward_order(own, journal=path))


@pytest.mark.parametrize(
    ("scores", "groups", "expected"),
    [
        ([0.5, 0.6, 0.7, 0.8, 0.9], 5, (1, 2, 3, 4, 5)),
        ([0.5, 0.9, 0.91, 0.92, 0.9], 3, (1, 2, 5)),
        ([0.5, 0.4, 0.3], 3, (1, 3)),
        ([0.5], 3, (1,)),
        ([0.1, 0.2, 0.3], 1, (3,)),
        ([], 3, ()),
    ],
)
def test_groups_have_equal_gains(scores: list[float], groups: int, expected: tuple[int, ...]) -> None:
    assert group_ends(scores, groups) == expected


def test_what_cannot_be_ranked_is_refused() -> None:
    bare = ranking().develop.sentences[:]
    bare.heads[0] = -1
    with pytest.raises(ConfigError, match="without heads"):
        FixedWeightParser(CONFIG, ranking().train, bare).prepare()
    for wrong in ({"by": "luck"}, {"groups": 0}):
        with pytest.raises(ConfigError):
            ForwardSelection(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no such group"):
        ranking().contributions.right([99], [0])
