"""Models of our own as teachers: the same interface, no other package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cli.command import laconic
from small_model import text as running_text

from laconic.corpus import read
from laconic.distill import LabelJob, inputs_of, open_labeller
from laconic.errors import ConfigError, ModelError
from laconic.pipeline import Pipeline, TrainConfig, trained


@pytest.fixture
def text(tmp_path: Path) -> Path:
    (tmp_path / "text.txt").write_text(running_text(400), "utf-8")
    return tmp_path / "text.txt"


@pytest.fixture(scope="module")
def voting(small_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with parsers that vote, and with a beam."""
    file = tmp_path_factory.mktemp("voting") / "voting.laconic"
    config = TrainConfig(small_model.with_name("train.conllu"), components=("segmenter", "tagger", "ensemble"))
    trained(config, output=file)
    return file


def test_parsers_that_vote_label_and_one_of_them_tells_how_sure_it_is(voting: Path, text: Path, tmp_path: Path) -> None:
    made = {}
    for effort in ("best", "full"):
        output = tmp_path / f"{effort}.conllu"
        done = laconic("distill", "label", text, "--teacher", voting, "--effort", effort, "-o", output)
        assert done.code == 0, done.err
        made[effort] = read(output)
        for sentence in made[effort].sentences:
            assert float(sentence.comment("conf_tree") or 1) <= 0
            assert float(sentence.comment("conf_tags") or 1) <= 0
    sure = {
        effort: [float(one.misc["ArcConf"][:5]) for sentence in doc.sentences for one in sentence]
        for effort, doc in made.items()
    }
    same = (made["best"].heads == made["full"].heads) & np.array(
        [a == b for a, b in zip(made["best"].strings("deprel"), made["full"].strings("deprel"), strict=True)]
    )
    assert not same.all()
    # What its decisions do not find has what they leave of the probability.
    expected_sure = np.where(same, sure["full"], 1 - np.array(sure["full"]))
    assert np.abs(expected_sure - sure["best"]).max() < 0.0011
    expected = Pipeline.load(voting).at("best")(text.read_text("utf-8"))
    assert made["best"].heads.tolist() == expected.heads.tolist()
    assert made["best"].strings("upos") == expected.strings("upos")


def test_a_beam_tells_how_sure_it_is(voting: Path, text: Path, tmp_path: Path) -> None:
    output = tmp_path / "beam.conllu"
    done = laconic("distill", "label", text, "--teacher", voting, "--effort", "beam", "-o", output)
    assert done.code == 0, done.err
    expected, sure = Pipeline.load(voting).at("beam").confident(text.read_text("utf-8"))
    made = read(output)
    assert made.heads.tolist() == expected.heads.tolist()
    told = [float(one.misc["ArcConf"][:5]) for sentence in made.sentences for one in sentence]
    assert np.abs(np.array(told) - sure["ensemble"]).max() < 0.0011


def test_threads_change_nothing(small_model: Path, text: Path, tmp_path: Path) -> None:
    for processes in ("1", "3"):
        arguments = ["--teacher", small_model, "-o", f"{tmp_path}/{processes}/", "--shard", "900", "-j", processes]
        assert laconic("distill", "label", text, *arguments).code == 0
    made = [{path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("1", "3")]
    assert made[0] == made[1]
    assert len(made[0]) > 3


def test_parsers_that_vote_teach(voting: Path, small_model: Path, tmp_path: Path) -> None:
    job = LabelJob(open_labeller(voting, effort="best"), inputs_of([small_model.with_name("dev.conllu")]))
    list(job.to_file(str(tmp_path / "out.conllu")))
    doc = read(tmp_path / "out.conllu")
    gold = read(small_model.with_name("dev.conllu"))
    assert doc.strings("form") == gold.strings("form")
    assert float((doc.heads == gold.heads).mean()) > 0.6
    assert bool((doc.heads >= 0).all())


def test_what_is_no_teacher_is_told(small_model: Path, text: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no such model"):
        open_labeller(tmp_path / "none.laconic")
    with pytest.raises(ConfigError, match="no effort 'fust'"):
        open_labeller(small_model, effort="fust")
    for wrong, said in (
        (["--resume"], "is for output to a directory"),
        (["--effort", "fust"], "did you mean fast?"),
        (["-j", "0"], "threads must be"),
    ):
        done = laconic("distill", "label", text, "--teacher", small_model, "-o", tmp_path / "x.conllu", *wrong)
        assert done.code == 2
        assert said in done.err
    assert laconic("distill", "label", tmp_path / "no.txt", "--teacher", small_model, "-o", tmp_path / "x").code == 1
