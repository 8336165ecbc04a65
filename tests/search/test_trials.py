"""Trials: train with a template set on a share of the data, and score."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.features import kind, parse_set
from laconic.learn import Settings, TrainingData
from laconic.progress import finished
from laconic.search import (
    CorpusTrainable,
    Journal,
    LemmatizerTrainable,
    ParserTrainable,
    PooledTrainable,
    TaggerTrainable,
    Trial,
    TrialResult,
    TrialRunner,
)
from laconic.tag import LemmatizerConfig, Tagger, TaggerConfig
from laconic.transition import ParserConfig

SETTINGS = Settings(mode="full", epochs=2)
TRAIN, DEVELOP = (Doc.from_conllu(conllu(120, seed)) for seed in (1, 2))
ENDINGS = "SUFFIX2(TOKEN)\nSUFFIX3(TOKEN)\n"
USELESS = "PUNCT(TOKEN+3)\n"


def tagger() -> TaggerTrainable:
    config = TaggerConfig(templates=ENDINGS + USELESS, settings=SETTINGS, dictionary_minimum=1000, folds=0)
    return TaggerTrainable(config, TRAIN, DEVELOP)


def lemmatizer() -> LemmatizerTrainable:
    return LemmatizerTrainable(LemmatizerConfig(given="upos", settings=SETTINGS, folds=0), TRAIN, DEVELOP)


def parser(part: str) -> ParserTrainable:
    config = ParserConfig(scorer="linear", settings=SETTINGS, label_settings=SETTINGS, folds=0)
    return ParserTrainable(config, TRAIN, DEVELOP, part)  # type: ignore[arg-type]


def moves() -> ParserTrainable:
    return parser("moves")


def labels() -> ParserTrainable:
    return parser("labels")


CASES = [
    (tagger, ENDINGS, USELESS),
    (lemmatizer, "SUFFIX1(TOKEN) & UPOS(TOKEN)\n", "PREFIX1(TOKEN)\n"),
    (moves, "UPOS(STACK1) & UPOS(STACK0) & UPOS(QUEUE0)\n", "PUNCT(QUEUE1)\n"),
    (labels, "UPOS(MOD) & DISTANCE(MOD)\n", "CASE(HEAD)\n"),
]


def trial(source: CorpusTrainable, templates: str, share: float = 1.0) -> Trial:
    return Trial(parse_set(templates, source.templates.kind), share, source.settings)


@pytest.mark.parametrize(("make", "good", "bad"), CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_a_component_trained_with_better_templates_gets_more_words_right(
    make: Callable[[], CorpusTrainable], good: str, bad: str
) -> None:
    source = make()
    better, worse = (source.run(trial(source, templates)) for templates in (good, bad))
    assert len(better.right) == len(worse.right) == len(DEVELOP)
    gain, error = better.gain(worse)
    assert gain > 2 * error


def test_a_trial_is_what_training_the_component_by_hand_gives() -> None:
    source = tagger()
    found = source.run(trial(source, ENDINGS))
    guess = DEVELOP.sentences[:]
    finished(Tagger.fit(replace(source.config, templates=ENDINGS), TrainingData(TRAIN))).apply(guess)
    assert found.right.tolist() == [a == b for a, b in zip(guess.strings("upos"), DEVELOP.strings("upos"), strict=True)]


def test_a_smaller_share_and_fewer_epochs_are_another_training() -> None:
    source = tagger()
    whole, part = (source.run(trial(source, ENDINGS, share)).right for share in (1.0, 0.1))
    assert whole.mean() > part.mean()
    assert np.array_equal(source.run(trial(source, ENDINGS, 0.1)).right, part)


@pytest.mark.parametrize("make", [moves, labels])
def test_a_trial_of_a_parser_says_how_many_epochs_both_classifiers_learn(make: Callable[[], ParserTrainable]) -> None:
    source = make()
    settings = replace(source.settings, epochs=1)
    found = source.run(Trial(source.templates, 1.0, settings))
    config = replace(source.config, settings=settings, label_settings=settings)
    by_hand = replace(source, config=config).run(Trial(source.templates, 1.0, settings))
    assert np.array_equal(found.right, by_hand.right)


def test_trials_that_cannot_be_run_are_refused() -> None:
    source = tagger()
    for share in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(ConfigError, match="share"):
            trial(source, ENDINGS, share)
    with pytest.raises(ConfigError, match="at least one template"):
        source.run(Trial(source.templates[:0], 1.0, SETTINGS))
    with pytest.raises(ConfigError, match="part is 'heads'"):
        parser("heads")
    with pytest.raises(ConfigError, match="no classifier of labels"):
        replace(labels(), config=replace(labels().config, labels="joint"))


@dataclass
class Counted:
    """A trainable that knows no pool: what a search needs and nothing more."""

    settings: Settings = SETTINGS
    digest: str = "counted"
    asked: list[str] = field(default_factory=list)

    def prepare(self) -> None:
        self.asked.clear()

    def run(self, trial: Trial) -> TrialResult:
        self.asked.append(str(trial.templates))
        return TrialResult(np.arange(10) < len(trial.templates))


def some(text: str, share: float = 1.0) -> Trial:
    return Trial(parse_set(text, kind("token")), share, SETTINGS)


def test_a_result_is_kept_by_the_text_of_its_templates_and_not_computed_again(tmp_path: Path) -> None:
    one, two = some("LOWER(TOKEN)\n"), some("LOWER(TOKEN)\nSHAPE(TOKEN)\n")
    spaced = some("# a comment\n  LOWER( TOKEN )\n")
    source = Counted()
    with TrialRunner.open(source, Journal(tmp_path / "j")) as runner:
        results = finished(runner.results([one, two, spaced]))
        assert [result.score for result in results] == [0.1, 0.2, 0.1]
        assert source.asked == [str(one.templates), str(two.templates)]
        others = [replace(one, share=0.5), replace(one, settings=replace(SETTINGS, epochs=3)), some("SHAPE(TOKEN)\n")]
        finished(runner.results(others))
        assert len(source.asked) == 5
    with TrialRunner.open(source, Journal(tmp_path / "j")) as again:
        assert [result.score for result in finished(again.results([two, one]))] == [0.2, 0.1]
        assert source.asked == []
    assert len((tmp_path / "j").read_bytes().splitlines()) == 5
    with TrialRunner.open(Counted(digest="other data"), Journal(tmp_path / "j")) as other:
        finished(other.results([one]))
        assert other.trainable.asked == [str(one.templates)]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_trials_without_a_pool_run_in_processes_too(method: str) -> None:
    if method == "fork" and sys.platform != "linux":
        pytest.skip("processes are forked on Linux alone")
    source = tagger()
    trials = [trial(source, ENDINGS), trial(source, USELESS)]
    with TrialRunner.open(source, Journal(), 2, method) as runner:
        found = finished(runner.results(trials))
    assert [result.right.tolist() for result in found] == [source.run(one).right.tolist() for one in trials]


def test_the_pool_scores_a_selection_of_its_templates_and_refuses_others() -> None:
    pooled = PooledTrainable(tagger())
    by_number, by_text = pooled.trial((1, 0), 1.0, SETTINGS), some("SUFFIX3(TOKEN)\nSUFFIX2(TOKEN)\n")
    assert by_number == by_text
    assert pooled.run(by_text).score > pooled.run(pooled.trial((2,), 1.0, SETTINGS)).score
    with pytest.raises(ConfigError, match=r"no template SHAPE\(TOKEN\)"):
        pooled.run(some("SHAPE(TOKEN)\n"))


def test_trials_of_the_component_and_of_the_pool_have_different_names() -> None:
    source = tagger()
    again = pickle.loads(pickle.dumps(PooledTrainable(source)))
    assert again.digest == PooledTrainable(source).digest != source.digest


def test_a_trainable_is_the_same_whatever_templates_its_configuration_has() -> None:
    source = tagger()
    other = replace(source, config=replace(source.config, templates=USELESS, settings=Settings(epochs=7)))
    assert other.digest == source.digest
    assert replace(source, train=DEVELOP).digest != source.digest
    assert replace(source, config=replace(source.config, dictionary_minimum=2)).digest != source.digest


def test_results_survive_the_journal() -> None:
    result = TrialResult(np.array([True, False, True] * 5))
    again = TrialResult.unpacked(json.loads(json.dumps(result.packed())))
    assert again.right.tolist() == result.right.tolist()
