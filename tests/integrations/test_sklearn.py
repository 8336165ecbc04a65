"""Features of texts in pipelines of scikit-learn's."""

from __future__ import annotations

import pickle
import warnings
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from laconic.errors import InputError
from laconic.pipeline import Pipeline

sklearn = pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")

from laconic.integrations.sklearn import LaconicFeatures  # noqa: E402

TEXT = "Lo petum kui. La dela?"


@pytest.fixture(scope="module")
def nlp(small_model: Path) -> Pipeline:
    return Pipeline.load(small_model)


def test_scikit_learn_finds_nothing_wrong(small_model: Path) -> None:
    from sklearn.base import clone
    from sklearn.utils.estimator_checks import check_estimator

    made = LaconicFeatures(str(small_model))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says that it cannot draw texts for the checks that need data
        found = check_estimator(made, on_fail=None)
    assert found
    assert [one for one in found if one["status"] == "failed"] == []
    assert clone(made).get_params() == made.get_params()
    assert pickle.loads(pickle.dumps(made)).get_params() == made.get_params()


def test_columns_and_runs_of_words_are_features(nlp: Pipeline) -> None:
    doc = nlp.at("full")(TEXT)
    kept = [[word for word in one if word.upos != "PUNCT"] for one in doc.sentences]
    made = LaconicFeatures(nlp, column="form", ngrams=(1, 2), effort="full").fit([TEXT])
    (found,) = made.transform([TEXT])
    expected = []
    for words in kept:
        forms = [word.form for word in words]
        expected += [*forms, *(" ".join(pair) for pair in pairwise(forms))]
    assert found == expected
    (tags,) = LaconicFeatures(nlp, column="upos", without=(), effort="full").transform([TEXT])
    assert tags == doc.strings("upos")
    assert LaconicFeatures(nlp).transform([]).shape == (0,)
    assert list(LaconicFeatures(nlp).transform([""])) == [[]]


def test_relations_are_features(tmp_path: Path) -> None:
    from explained_model import trained

    nlp = Pipeline.load(trained(tmp_path))
    doc = nlp.at("full")(TEXT)
    (found,) = LaconicFeatures(nlp, column="form", ngrams=(1, 1), relations=True, without=(), effort="full").transform(
        [TEXT]
    )
    arcs = []
    for one in doc.sentences:
        for word in one:
            head = one[word.head_index - 1].form if word.head_index else "ROOT"
            arcs.append(f"{head} {word.deprel} {word.form}")
    assert [feature for feature in found if feature.count(" ") == 2] == arcs


def test_it_is_a_step_of_a_pipeline(nlp: Pipeline) -> None:
    from sklearn.feature_extraction import FeatureHasher
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts = [TEXT, "Kui kui kui.", TEXT, "Kui kui."]
    steps = make_pipeline(
        LaconicFeatures(nlp, column="form"), FeatureHasher(256, input_type="string"), LogisticRegression()
    )
    assert steps.fit(texts, [0, 1, 0, 1]).predict([TEXT, "Kui kui kui kui."]).tolist() == [0, 1]


def test_faults_are_told(nlp: Pipeline) -> None:
    for settings in (
        {"column": "pos"},
        {"ngrams": (2, 1)},
        {"ngrams": (0, 1)},
        {"ngrams": 3},
        {"ngrams": "ab"},
        {"without": "PUNCT"},
    ):
        with pytest.raises(ValueError, match=r"must be|write \['PUNCT'\]"):
            LaconicFeatures(nlp, **settings).fit([TEXT])  # type: ignore[arg-type]
    for texts in (TEXT, [TEXT, 5], [None], None, np.array([[TEXT]]), pandas.DataFrame({"a": [TEXT]})):
        with pytest.raises(InputError, match="text"):
            LaconicFeatures(nlp).transform(texts)  # type: ignore[arg-type]
