"""Teachers with a tiny random encoder that is made on the spot: training, going on, labelling, and bad input."""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cli.command import COMMAND, PLAIN, laconic
from synthetic import conllu

from laconic.corpus import Doc, check, read
from laconic.errors import ConfigError, InputError, LaconicError, ModelError
from laconic.progress import finished

pytest.importorskip("torch", reason="teachers with an encoder need torch: pip install 'laconic[distill]'")
pytest.importorskip("transformers", reason="teachers with an encoder need transformers: pip install 'laconic[distill]'")

import tiny_encoder

from laconic.distill import LabelJob, Teacher, TeacherConfig, TeacherProgress, inputs_of, open_labeller, train_teacher
from laconic.distill import training as module

SMALL = {"tag_units": 32, "arc_units": 16, "label_units": 8, "casing_units": 4, "step_words": 150}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Treebanks, an encoder, a text."""
    place = tmp_path_factory.mktemp("distill")
    for name, sentences, seed in (("train", 120, 1), ("dev", 40, 2), ("text", 150, 3)):
        (place / f"{name}.conllu").write_text(conllu(sentences, seed=seed), "utf-8")
    tiny_encoder.build(place / "encoder", read(place / "train.conllu"))
    (place / "text.txt").write_text(read(place / "text.conllu").text, "utf-8")
    return place


def config_of(folder: Path, **changes: object) -> TeacherConfig:
    config = TeacherConfig(
        folder / "encoder",
        folder / "train.conllu",
        epochs=2,
        rate=1e-3,
        output_rate=5e-3,
        **SMALL,  # type: ignore[arg-type]
    )
    return replace(config, **changes)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def taught(folder: Path) -> tuple[Path, list[TeacherProgress]]:
    """A teacher, and what its training told."""
    steps: list[TeacherProgress] = []
    finished(train_teacher(config_of(folder, dev=folder / "dev.conllu", epochs=6), folder / "teacher"), steps.append)
    return folder / "teacher", steps


def files_of(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def test_it_learns_and_is_scored_after_each_epoch(taught: tuple[Path, list[TeacherProgress]]) -> None:
    place, steps = taught
    epochs = [step for step in steps if step.what == "epoch"]
    assert [step.done for step in epochs] == [1, 2, 3, 4, 5, 6]
    first, last = epochs[0].scores, epochs[-1].scores
    assert last["UPOS"] > first["UPOS"] + 10
    assert last["LAS"] > first["LAS"]
    assert last["Lemmas"] > 60
    assert epochs[-1].loss < epochs[0].loss
    teacher = Teacher.load(place)
    assert teacher.provenance is not None
    assert [one["LAS"] for one in teacher.provenance["scores"]] == [step.scores["LAS"] for step in epochs]
    assert not place.with_name(".teacher.work").exists()


def test_what_is_loaded_says_what_was_scored(taught: tuple[Path, list[TeacherProgress]], folder: Path) -> None:
    from laconic.evaluate import evaluate

    gold = read(folder / "dev.conllu")
    guess = gold.sentences[:]
    found = Teacher.load(taught[0]).annotate(guess)
    assert round(evaluate(gold, guess)["LAS"].f1, 2) == taught[1][-1].scores["LAS"]
    assert set(found) == {"TagConf", "LemmaConf", "ArcConf"}
    for confidences in found.values():
        assert confidences.shape == (len(gold),)
        assert 0 < confidences.min() <= confidences.max() <= 1.001


def test_the_same_training_gives_the_same_bytes_and_another_seed_others(folder: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        finished(train_teacher(config_of(folder, seed=seed), tmp_path / name))
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    assert files_of(tmp_path / "a")["teacher.laconic"] != files_of(tmp_path / "c")["teacher.laconic"]


@pytest.mark.parametrize("stop", [1, 12])
def test_an_interrupted_training_goes_on_and_gives_the_same_bytes(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int
) -> None:
    config = config_of(folder, dev=folder / "dev.conllu")
    every: list[TeacherProgress] = []
    finished(train_teacher(config, tmp_path / "whole"), every.append)
    monkeypatch.setattr(module, "SECONDS", 0.0)
    run = train_teacher(config, tmp_path / "resumed")
    for _ in itertools.islice(run, stop):
        pass
    run.close()
    assert (tmp_path / ".resumed.work" / "checkpoint.pt").exists()
    rest: list[TeacherProgress] = []
    finished(train_teacher(config, tmp_path / "resumed"), rest.append)
    assert files_of(tmp_path / "resumed") == files_of(tmp_path / "whole")
    assert len(every) - stop <= len(rest) <= len(every) - stop + 1  # the epoch's score may be told once more
    assert [(step.what, step.done, step.loss) for step in rest] == [
        (step.what, step.done, step.loss) for step in every[-len(rest) :]
    ]


def test_a_killed_training_goes_on(folder: Path, tmp_path: Path) -> None:
    arguments = ["distill", "train", folder / "encoder", "--train", folder / "train.conllu", "--epochs", "3"]
    for name, value in (SMALL | {"rate": 1e-3}).items():
        arguments += ["--set", f"{name}={value}"]
    assert laconic(*arguments, "-o", tmp_path / "whole").code == 0
    ended = subprocess.Popen(
        [*COMMAND, *map(str, arguments), "-o", str(tmp_path / "killed")], env={**os.environ, **PLAIN}
    )
    checkpoint = tmp_path / ".killed.work" / "checkpoint.pt"
    limit = time.monotonic() + 120
    while not checkpoint.exists() and ended.poll() is None and time.monotonic() < limit:
        time.sleep(0.01)
    ended.send_signal(signal.SIGKILL)
    ended.wait()
    assert checkpoint.exists() or (tmp_path / "killed").exists()
    if not (tmp_path / "killed").exists():
        assert laconic(*arguments, "-o", tmp_path / "killed").code == 0
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def test_another_training_does_not_go_on_with_what_is_there(
    folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    run = train_teacher(config_of(folder), tmp_path / "t")
    for step in run:
        if step.what == "epoch" and step.done == 1:
            next(run)
            break
    run.close()
    steps: list[TeacherProgress] = []
    finished(train_teacher(config_of(folder, seed=5), tmp_path / "t"), steps.append)
    assert "belongs to another training" in caplog.text
    assert steps[0].epoch == 1
    assert steps[0].done == 1


def test_a_damaged_checkpoint_is_named(folder: Path, tmp_path: Path) -> None:
    (tmp_path / ".t.work").mkdir()
    (tmp_path / ".t.work" / "checkpoint.pt").write_bytes(b"nothing of the kind")
    with pytest.raises(InputError, match=r"checkpoint.pt: the checkpoint is damaged"):
        finished(train_teacher(config_of(folder), tmp_path / "t"))


def test_entities_are_learned_where_there_are_some(folder: Path, tmp_path: Path) -> None:
    doc = read(folder / "train.conllu")
    for sentence in doc.sentences:
        for token in sentence:
            tag = "B-THING" if token.upos == "NOUN" else "O"
            token.misc["NER"] = tag
    (tmp_path / "train.conllu").write_text(doc.to_conllu(), "utf-8")
    config = config_of(folder, train=tmp_path / "train.conllu", dev=tmp_path / "train.conllu", epochs=8)
    steps: list[TeacherProgress] = []
    teacher = finished(train_teacher(config, tmp_path / "t"), steps.append)
    assert steps[-1].scores["NER"] > 50
    labelled = doc.sentences[:20]
    teacher.annotate(labelled)
    assert {entry.misc["NER"] for one in labelled.sentences for entry in one} <= {
        "O",
        "B-THING",
        "I-THING",
    }


# Labelling


def label(folder: Path, *arguments: str | Path):  # type: ignore[no-untyped-def]
    return laconic("distill", "label", "--teacher", folder / "teacher", *arguments)


def shards(place: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(place.iterdir())}


def test_text_is_labelled_whole_and_valid_with_confidences(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path
) -> None:
    assert label(folder, folder / "text.txt", "-o", tmp_path / "out.conllu").code == 0
    doc = read(tmp_path / "out.conllu")
    assert "".join(doc.text.split()) == "".join((folder / "text.txt").read_text("utf-8").split())
    assert not list(check(tmp_path / "out.conllu"))
    assert bool((doc.heads >= 0).all())
    for sentence in doc.sentences:
        assert {line.partition(" =")[0] for line in sentence.comments} >= {
            "# conf_tags",
            "# conf_lemmas",
            "# conf_tree",
        }
        for token in sentence:
            assert {"TagConf", "LemmaConf", "ArcConf"} <= set(token.misc)


def test_processes_change_nothing_and_a_stopped_job_goes_on(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path
) -> None:
    arguments = [folder / "text.txt", folder / "text.conllu", "--shard", "400"]
    assert label(folder, *arguments, "-o", f"{tmp_path}/one/").code == 0
    assert label(folder, *arguments, "-o", f"{tmp_path}/two/", "--processes", "2").code == 0
    made = shards(tmp_path / "one")
    assert made == shards(tmp_path / "two")
    assert len(made) > 4
    journal = (tmp_path / "one" / ".laconic-job.jsonl").read_bytes().splitlines(keepends=True)
    stopped = tmp_path / "stopped"
    stopped.mkdir()
    (stopped / ".laconic-job.jsonl").write_bytes(b"".join(journal[:3]))
    for number in (0, 1):
        shutil.copy(tmp_path / "one" / f"part-{number:05}.conllu", stopped)
    assert label(folder, *arguments, "-o", f"{stopped}/").code != 0
    assert label(folder, *arguments, "-o", f"{stopped}/", "--resume").code == 0
    assert shards(stopped) == made
    assert "projective" in label(folder, *arguments, "-o", f"{stopped}/", "--resume", "--projective").err


def test_trees_without_crossing_arcs_if_asked(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path
) -> None:
    from laconic.corpus.projectivity import nonprojective_arcs

    crossing = {}
    for asked in ([], ["--projective"]):
        assert label(folder, folder / "text.conllu", "-o", tmp_path / "out.conllu", *asked).code == 0
        doc = read(tmp_path / "out.conllu")
        crossing[bool(asked)] = int(nonprojective_arcs(doc.heads, doc.sentence_starts).sum())
    assert crossing[False] > crossing[True] == 0


def test_folders_of_text_are_taken_in_order(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path
) -> None:
    texts = tmp_path / "texts"
    (texts / "b").mkdir(parents=True)
    (texts / "b" / "2.txt").write_text("Lo niso mibavit.", "utf-8")
    (texts / "a.txt").write_text("Pudat gibitet.", "utf-8")
    (texts / "c.pdf").write_bytes(b"no text")
    assert label(folder, texts, "-o", tmp_path / "out.conllu").code == 0
    assert [sentence.newdoc for sentence in read(tmp_path / "out.conllu").sentences if sentence.newdoc] == [
        str(texts / "a.txt"),
        str(texts / "b" / "2.txt"),
    ]
    (tmp_path / "empty").mkdir()
    found = label(folder, tmp_path / "empty", "-o", tmp_path / "none.conllu")
    assert "there is no text in it" in found.err
    assert not (tmp_path / "none.conllu").exists()


@pytest.mark.parametrize(
    "words",
    [["x" * 5000], ["☃", "日本", "\u200b"], ["niso"] * 700, ["lo", "i" * 300] * 60],
    ids=["a long word", "unknown pieces", "a long sentence", "long words in a long sentence"],
)
def test_odd_sentences_get_trees(taught: tuple[Path, list[TeacherProgress]], words: list[str]) -> None:
    doc = Doc.from_words([words, ["Lo", "niso"]])
    teacher = Teacher.load(taught[0])
    teacher.annotate(doc)
    assert bool((doc.heads >= 0).all())
    Doc.from_conllu(doc.to_conllu())
    alone = Doc.from_words([["Lo", "niso"]])
    teacher.annotate(alone)
    assert alone.strings("upos") == doc.sentences[-1].strings("upos")


def test_nothing_is_labelled_as_nothing(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty.txt").write_text("  \n\n ", "utf-8")
    assert label(folder, tmp_path / "empty.txt", "-o", tmp_path / "out.conllu").code == 0
    assert (tmp_path / "out.conllu").read_bytes() == b""


def test_columns_of_a_treebank_are_labelled_anew(taught: tuple[Path, list[TeacherProgress]], folder: Path) -> None:
    given = read(folder / "text.conllu")
    bare = Doc.from_words([sentence.words for sentence in given.sentences])
    teacher = Teacher.load(taught[0])
    teacher.annotate(given)
    teacher.annotate(bare)
    for column in ("lemma", "upos", "xpos", "feats", "deprel"):
        assert given.strings(column) == bare.strings(column)
    assert np.array_equal(given.heads, bare.heads)


def test_entities_can_be_added_to_what_is_there(folder: Path, tmp_path: Path) -> None:
    doc = read(folder / "train.conllu")
    for sentence in doc.sentences:
        for token in sentence:
            token.misc["NER"] = "B-PER" if token.upos == "PROPN" else "O"
    (tmp_path / "train.conllu").write_text(doc.to_conllu(), "utf-8")
    finished(train_teacher(config_of(folder, train=tmp_path / "train.conllu"), tmp_path / "teacher"))
    arguments = ["distill", "label", folder / "text.conllu", "--teacher", tmp_path / "teacher", "--entities-only"]
    for processes in ("1", "2"):
        assert laconic(*arguments, "-o", tmp_path / f"{processes}.conllu", "-j", processes).code == 0
    assert (tmp_path / "1.conllu").read_bytes() == (tmp_path / "2.conllu").read_bytes()
    given, found = read(folder / "text.conllu"), read(tmp_path / "1.conllu")
    whole = read(folder / "text.conllu")
    Teacher.load(tmp_path / "teacher").annotate(whole)
    assert [token.misc["NER"] for token in found] == [token.misc["NER"] for token in whole]
    for token in found:
        del token.misc["NER"]
    assert found.to_conllu() == given.to_conllu()


def test_a_teacher_without_entities_adds_none(taught: tuple[Path, list[TeacherProgress]], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="knows no entities"):
        open_labeller(taught[0], entities_only=True)
    with pytest.raises(ConfigError, match="knows no entities"):
        Teacher.load(taught[0]).add_entities(Doc.from_words([["a"]]))
    with pytest.raises(ConfigError, match="entities_only is for a teacher with an encoder"):
        open_labeller("en", entities_only=True)


# Bad input


def test_a_folder_that_is_no_encoder_is_told(folder: Path, tmp_path: Path) -> None:
    def fails(encoder: Path, said: str) -> None:
        with pytest.raises(ModelError, match=said):
            finished(train_teacher(config_of(folder, encoder=encoder), tmp_path / "t"))
        assert not (tmp_path / "t").exists()

    fails(tmp_path / "none", "no such folder")
    (tmp_path / "bare").mkdir()
    fails(tmp_path / "bare", r"no config.json")
    broken = tmp_path / "broken"
    shutil.copytree(folder / "encoder", broken)
    (broken / "config.json").write_text("{")
    fails(broken, "configuration cannot be read")
    (broken / "config.json").write_text('{"model_type": "nothing-of-the-kind"}')
    fails(broken, "configuration cannot be read")
    shutil.copy(folder / "encoder" / "config.json", broken)
    (broken / "tokenizer.json").unlink()
    fails(broken, "no tokenizer")
    (broken / "tokenizer.json").write_text("[]")
    fails(broken, "tokenizer cannot be read")
    shutil.copy(folder / "encoder" / "tokenizer.json", broken)
    (broken / "model.safetensors").unlink()
    fails(broken, "weights cannot be read")


def test_weights_of_another_encoder_are_told(folder: Path, tmp_path: Path) -> None:
    other = tiny_encoder.build(tmp_path / "other", read(folder / "dev.conllu"), layers=1)
    shutil.copy(folder / "encoder" / "config.json", other)
    shutil.copy(folder / "encoder" / "tokenizer.json", other)
    with pytest.raises(ModelError, match=r"lacks weights|weights cannot be read"):
        finished(train_teacher(config_of(folder, encoder=other), tmp_path / "t"))


def test_a_tokenizer_of_another_encoder_is_told(folder: Path, tmp_path: Path) -> None:
    other = tiny_encoder.build(tmp_path / "other", read(folder / "dev.conllu").sentences[:1])
    shutil.copy(folder / "encoder" / "tokenizer.json", other)
    with pytest.raises(ModelError, match="tokenizer does not belong to the encoder: it has pieces up to"):
        finished(train_teacher(config_of(folder, encoder=other), tmp_path / "t"))


def test_an_encoder_that_reads_too_little_at_once_is_told(folder: Path, tmp_path: Path) -> None:
    short = tiny_encoder.build(tmp_path / "short", read(folder / "train.conllu"), positions=8)
    with pytest.raises(ModelError, match="the encoder reads 4 pieces at once, and a word may have 8: set word_pieces"):
        finished(train_teacher(config_of(folder, encoder=short), tmp_path / "t"))
    finished(train_teacher(config_of(folder, encoder=short, word_pieces=4, epochs=1), tmp_path / "t"))


def test_a_treebank_without_heads_is_told(folder: Path, tmp_path: Path) -> None:
    doc = read(folder / "train.conllu")
    doc.heads[doc.sentence_starts[3] : doc.sentence_starts[4]] = -1
    (tmp_path / "bare.conllu").write_bytes(doc.columns.to_conllu())
    with pytest.raises(InputError, match=r"bare.conllu: sentence 4 has no heads"):
        finished(train_teacher(config_of(folder, train=tmp_path / "bare.conllu"), tmp_path / "t"))
    (tmp_path / "empty.conllu").write_bytes(b"")
    with pytest.raises(InputError, match="there is no sentence in it"):
        finished(train_teacher(config_of(folder, train=tmp_path / "empty.conllu"), tmp_path / "t"))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"epochs": 0}, "epochs must be"),
        ({"rate": 0.0}, "rate must be"),
        ({"dropout": 1.0}, "dropout must be"),
        ({"entity_data": (Path("a"),) * 3}, "at most two files"),
    ],
)
def test_settings_that_cannot_work_are_refused(folder: Path, changes: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        config_of(folder, **changes)


def test_an_output_that_exists_is_left_alone(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    with pytest.raises(ConfigError, match="exists already"):
        finished(train_teacher(config_of(folder), tmp_path / "t"))


def test_a_damaged_teacher_is_told(taught: tuple[Path, list[TeacherProgress]], folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no teacher"):
        Teacher.load(folder / "encoder")
    shutil.copytree(taught[0], tmp_path / "t")
    data = bytearray((tmp_path / "t" / "teacher.laconic").read_bytes())
    data[-1] ^= 1
    (tmp_path / "t" / "teacher.laconic").write_bytes(data)
    with pytest.raises(ModelError, match="digest does not match"):
        Teacher.load(tmp_path / "t")
    shutil.rmtree(tmp_path / "t" / "encoder")
    with pytest.raises(LaconicError):
        Teacher.load(tmp_path / "t")


def test_what_a_kind_of_teacher_has_no_use_for_is_refused(
    taught: tuple[Path, list[TeacherProgress]], folder: Path, small_model: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="effort is for models"):
        open_labeller(taught[0], effort="beam")
    with pytest.raises(ConfigError, match="projective is for a teacher with an encoder"):
        open_labeller(small_model, projective=True)
    bare = tmp_path / "bare"
    shutil.copytree(taught[0], bare)
    (bare / "segmenter.laconic").unlink()
    with pytest.raises(ConfigError, match="the teacher has no segmenter"):
        LabelJob(open_labeller(bare), inputs_of([folder / "text.txt"]))
    assert laconic("distill", "label", folder / "text.conllu", "--teacher", bare, "-o", tmp_path / "o.conllu").code == 0
    done = laconic(
        "distill",
        "label",
        folder / "text.txt",
        "--teacher",
        bare,
        "--segmenter",
        small_model,
        "-o",
        tmp_path / "p.conllu",
    )
    assert done.code == 0


@pytest.mark.parametrize("number", range(3))
def test_the_recipes_of_the_page_run(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "distillation.md").read_text("utf-8")
    language, block = re.findall(r"^```(sh|python)\n(.*?)^```", page, re.S | re.M)[number]
    monkeypatch.chdir(tmp_path)
    shutil.copytree(folder / "encoder", "minilm")
    for name in ("train", "dev"):
        shutil.copy(folder / f"{name}.conllu", ".")
    Path("texts").mkdir()
    shutil.copy(folder / "text.txt", "texts")
    if language == "python":
        exec(compile(block, "distillation.md", "exec"), {})
        assert list(Path("labelled").glob("part-*"))
        return
    for line in block.splitlines():
        done = laconic(*shlex.split(line, comments=True)[1:])
        assert done.code == 0, (line, done.err)
    assert Path("my.laconic").is_file()


def test_the_room_is_imported_without_torch() -> None:
    code = (
        "import sys, laconic.distill, json; print(json.dumps('torch' in sys.modules or 'transformers' in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) is False
