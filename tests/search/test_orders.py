"""Whole searches, on an invented language."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.features import TemplateSet, kind, parse_set, read_set
from laconic.learn import Settings
from laconic.learn.classifier import as_atoms, column_plan
from laconic.progress import finished
from laconic.search import (
    GroupLasso,
    Journal,
    Order,
    Pool,
    PooledTrainable,
    Pursuit,
    Strategy,
    TaggerTrainable,
    Wrapper,
    halves,
    order,
)
from laconic.tag import TaggerConfig

TEMPLATES = "SHAPE(TOKEN)\nLOWER(TOKEN+3)\nSUFFIX3(TOKEN)\nPREFIX1(TOKEN)\nAMBIGUITY(TOKEN) & TAG(TOKEN-1)\n"
CONFIG = TaggerConfig(templates=TEMPLATES, settings=Settings(epochs=2), folds=0)
QUICK = Pursuit(epochs=2)
STRATEGIES: list[Strategy] = [
    Wrapper(epochs=2, heat=0.5, finalists=2, tail=QUICK),
    QUICK,
    Pursuit(epochs=2, normalise="mean"),
    GroupLasso(share=0.5, steps=10),
]


def names(strategy: Strategy) -> str:
    return f"{strategy.name}-{getattr(strategy, 'normalise', '')}".strip("-")


def tagger(sentences: int = 200) -> TaggerTrainable:
    searched, _ = halves(Doc.from_conllu(conllu(sentences, seed=2)))
    return TaggerTrainable(CONFIG, Doc.from_conllu(conllu(sentences, seed=1)), searched)


COLUMNS = parse_set("".join(f"LOWER(TOKEN+{n})\n" for n in range(1, 7)), kind("token"))
THREE_EPOCHS = Settings(epochs=3)


@dataclass(frozen=True)
class Planted:
    """Six columns of the same size, of which one tells the label three times out of four and another less often."""

    templates: TemplateSet = COLUMNS
    settings: Settings = THREE_EPOCHS
    digest: str = "planted"
    fixed: int = 0
    best: int = 4
    second: int = 2

    def pool(self) -> Pool:
        train = self._examples(0)
        train.finish(2)
        develop = self._examples(1)
        develop.finish_like(train)
        return Pool(train, develop)

    def _examples(self, seed: int) -> Examples:
        random = np.random.default_rng(seed)
        x = random.integers(0, 20, (1500, 6))
        y = random.integers(0, 3, 1500)
        for column, share in ((self.best, 0.75), (self.second, 0.55)):
            telling = random.random(1500) < share
            x[telling, column] = x[telling, column] // 3 * 3 + y[telling]
            x[~telling, column] = 30  # says that it does not know, so that another template has something to add
        examples = Examples(6, 3)
        sets = np.array([examples.add_set([label]) for label in range(3)], np.uint32)
        examples.add_rows(column_plan(6), as_atoms(x), sets[y], np.zeros(1500, np.uint32))
        return examples


@pytest.mark.parametrize("strategy", STRATEGIES, ids=names)
def test_the_telling_template_comes_first_and_the_less_telling_one_second(strategy: Strategy) -> None:
    planted = Planted()
    found = finished(order(planted, strategy, processes=1))
    assert [rank.template for rank in found.ranking][:2] == [planted.best, planted.second]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=names)
def test_an_order_is_a_permutation_of_the_pool_and_its_file_can_be_read(strategy: Strategy, tmp_path: Path) -> None:
    trainable = tagger()
    found = finished(order(trainable, strategy, processes=1, command="python somewhere.py"))
    assert sorted(map(str, found.templates)) == sorted(map(str, trainable.templates))
    found.write(tmp_path / "o.templates", "A title.")
    text = (tmp_path / "o.templates").read_text("utf-8")
    assert read_set(tmp_path / "o.templates", kind("token")) == found.templates
    for fact in ("A title.", PooledTrainable(trainable).digest, strategy.name, "python somewhere.py", "seed: 1"):
        assert fact in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_wrapper_leaves_what_gains_nothing_to_matching_pursuit() -> None:
    reasons = [rank.reason for rank in finished(order(Planted(), STRATEGIES[0], processes=1)).ranking]
    by_gain = [("points" in reason) for reason in reasons]
    assert by_gain == sorted(by_gain, reverse=True)
    assert 2 <= sum(by_gain) < len(by_gain)


def test_the_wrapper_may_count_gains_that_are_chance() -> None:
    def by_gain(least: float) -> int:
        wrapper = Wrapper(epochs=2, heat=0.5, finalists=2, least_gain=least, tail=QUICK)
        ranking = finished(order(Planted(), wrapper, processes=1)).ranking
        return sum("points" in rank.reason for rank in ranking)

    assert by_gain(1000.0) == 0
    assert by_gain(1.0) == 2
    assert by_gain(0.0) > 2


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_change_nothing(method: str) -> None:
    if method == "fork" and sys.platform != "linux":
        pytest.skip("processes are forked on Linux alone")
    alone = finished(order(tagger(), STRATEGIES[0], processes=1))
    assert finished(order(tagger(), STRATEGIES[0], processes=2, start_method=method)) == alone


def test_a_trainable_that_was_pickled_is_the_same() -> None:
    trainable = tagger()
    assert pickle.loads(pickle.dumps(trainable)).digest == trainable.digest


def test_data_templates_and_settings_change_the_digest_of_a_pool() -> None:
    trainable = tagger()
    sources = [
        trainable,
        TaggerTrainable(CONFIG, trainable.develop, trainable.develop),
        TaggerTrainable(
            TaggerConfig(templates=TEMPLATES, settings=Settings(epochs=3), folds=0), trainable.train, trainable.develop
        ),
        TaggerTrainable(
            TaggerConfig(templates="SHAPE(TOKEN)", settings=Settings(epochs=2), folds=0),
            trainable.train,
            trainable.develop,
        ),
    ]
    assert len({PooledTrainable(source).digest for source in sources}) == 4


def test_words_to_be_judged_see_predicted_tags_and_are_labelled_with_gold_ones() -> None:
    trainable = tagger()
    pool = trainable.pool()
    assert 0 < len(pool.develop) <= len(trainable.develop)
    assert pool.develop.features == pool.train.features
    np.testing.assert_array_equal(pool.sample(0.5, 3), np.unique(pool.sample(0.5, 3)))
    assert set(pool.sample(0.2, 3)) <= set(pool.sample(0.5, 3))


SCRIPT = """
import sys
from pathlib import Path
sys.path[:0] = {paths!r}
from test_orders import STRATEGIES, tagger
from laconic.search import order
for step in order(tagger(), STRATEGIES[{number}], journal=Path({journal!r}), processes=2):
    print(step.what, flush=True)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("number", [0, 1], ids=["wrapper", "pursuit"])
def test_a_search_that_was_killed_goes_on_and_comes_to_the_same_end(number: int, tmp_path: Path) -> None:
    undisturbed = finished(order(tagger(), STRATEGIES[number], processes=1))
    journal = tmp_path / "journal.jsonl"
    here = Path(__file__).parent
    script = SCRIPT.format(paths=[str(here), str(here.parent)], number=number, journal=str(journal))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        for _ in range(3):
            assert child.stdout.readline()
        child.send_signal(signal.SIGKILL)
    before = journal.read_bytes()
    kept = before.count(b"\n")
    assert kept >= 3
    journal.write_bytes(before + b'{"key":"torn')
    run = order(tagger(), STRATEGIES[number], journal=journal, processes=1)
    assert finished(run) == undisturbed
    lines = journal.read_bytes().splitlines()
    assert lines[:kept] == before.splitlines()[:kept]
    assert len({json.loads(line)["key"] for line in lines}) == len(lines)  # nothing was computed twice


def test_a_path_that_was_stopped_goes_on_from_its_last_solution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    strategy = GroupLasso(share=0.5, steps=10)
    undisturbed = finished(order(tagger(), strategy, processes=1))
    monkeypatch.setattr("laconic.search.lasso.SECONDS_BETWEEN_CHECKPOINTS", 0.0)
    run = order(tagger(), strategy, journal=tmp_path / "j", processes=1)
    for _ in range(5):
        next(run)
    run.close()
    solved = []
    solve = GroupLasso._solve
    monkeypatch.setattr(GroupLasso, "_solve", lambda *given: solved.append(0) or solve(*given))  # type: ignore[func-returns-value]
    assert finished(order(tagger(), strategy, journal=tmp_path / "j", processes=1)) == undisturbed
    assert len(solved) == 5
    (tmp_path / "j.lasso.npz").write_bytes(b"damaged")
    assert finished(order(tagger(), strategy, journal=tmp_path / "j", processes=1)) == undisturbed


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_workers_do_not_outlive_a_killed_search(tmp_path: Path) -> None:
    here = Path(__file__).parent
    script = SCRIPT.format(paths=[str(here), str(here.parent)], number=0, journal=str(tmp_path / "j"))
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True) as child:
        assert child.stdout is not None
        child.stdout.readline()
        group = child.pid
        child.send_signal(signal.SIGKILL)
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("workers of a killed search still wait for work")


def test_progress_never_goes_back_and_ends_complete() -> None:
    steps = []
    finished(order(tagger(), STRATEGIES[0], processes=1), steps.append)
    assert all(a.done <= b.done for a, b in pairwise(steps))
    assert steps[-1].done == pytest.approx(steps[-1].of)
    assert steps[-1].seconds_left == pytest.approx(0.0)


def test_a_journal_remembers_across_runs_and_forgets_torn_lines(tmp_path: Path) -> None:
    first = Journal(tmp_path / "j")
    first.put("a", [1, "two"])
    first.put("b", 2.5)
    (tmp_path / "j").write_bytes((tmp_path / "j").read_bytes() + b'no json\n{"key":')
    again = Journal(tmp_path / "j")
    assert (again["a"], again["b"], len(again)) == ([1, "two"], 2.5, 2)
    again.put("c", None)
    assert "c" in Journal(tmp_path / "j")


@pytest.mark.parametrize(
    "value", [None, 3, "text", [], [0], [99, 0.5], [0, "much"], {}, {"asked": 9, "right": "x"}, {"right": 1}]
)
@pytest.mark.parametrize("strategy", STRATEGIES[:2], ids=names)
def test_a_journal_with_a_value_that_is_no_result_is_refused_with_its_line(
    strategy: Strategy, value: object, tmp_path: Path
) -> None:
    path = tmp_path / "journal.jsonl"
    run = order(tagger(20), strategy, journal=path, processes=1)
    next(run)
    next(run)
    run.close()
    first, *rest = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(["no json", json.dumps(json.loads(first) | {"value": value}), *rest, ""]), "utf-8")
    with pytest.raises(InputError, match="not a result") as caught:
        finished(order(tagger(20), strategy, journal=path, processes=1))
    assert (caught.value.file, caught.value.line) == (str(path), 2)


def test_what_does_not_exist_is_refused_with_what_does() -> None:
    with pytest.raises(ConfigError, match="wrapper, lasso, pursuit"):
        finished(order(Planted(), "guess"))
    for wrong in (
        lambda: Wrapper(heat=0.0),
        lambda: Wrapper(least_gain=-1.0),
        lambda: Pursuit(share=2.0),
        lambda: Pursuit(normalise="none"),  # type: ignore[arg-type]
        lambda: GroupLasso(end=1.0),
    ):
        with pytest.raises(ConfigError):
            wrong()


def test_the_shipped_tagger_set_has_a_learned_order() -> None:
    from importlib import resources

    text = resources.files("laconic.features").joinpath("sets", "tagger.templates").read_text("utf-8")
    assert "sha256" in text
    assert isinstance(parse_set(text, kind("token")), TemplateSet)


def test_orders_are_compared_by_what_they_say() -> None:
    found = finished(order(Planted(), QUICK, processes=1))
    assert isinstance(found, Order)
    assert found == finished(order(Planted(), QUICK, processes=1))
