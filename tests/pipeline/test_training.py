from __future__ import annotations

import itertools
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from synthetic import conllu

from laconic.corpus import read
from laconic.corpus.projectivity import lift
from laconic.errors import ConfigError, InputError, ModelError
from laconic.evaluate import evaluate
from laconic.pipeline import ModelFile, Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished

QUICK = {"tagger.settings.epochs": "3", "tagger.folds": "2"}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> TrainConfig:
    place = tmp_path_factory.mktemp("data")
    for name, seed in (("train", 1), ("dev", 2)):
        (place / f"{name}.conllu").write_text(conllu(300, seed=seed), encoding="utf-8")
    return with_settings(TrainConfig(place / "train.conllu", place / "dev.conllu", components=("tagger",)), QUICK)


@pytest.fixture(scope="module")
def pipeline(config: TrainConfig) -> Pipeline:
    return finished(train(config))


def test_a_loaded_pipeline_does_what_the_trained_one_does(
    pipeline: Pipeline, config: TrainConfig, tmp_path: Path
) -> None:
    pipeline.save(tmp_path / "m.laconic")
    loaded = Pipeline.load(tmp_path / "m.laconic")
    assert config.dev is not None
    for effort in ("full", "balanced", "fast"):
        loaded.effort = pipeline.effort = effort
        assert loaded(read(config.dev)) == pipeline(read(config.dev))
    pipeline.effort = "full"
    loaded.save(tmp_path / "again.laconic")
    assert (tmp_path / "again.laconic").read_bytes() == (tmp_path / "m.laconic").read_bytes()


def test_the_same_training_writes_the_same_bytes(pipeline: Pipeline, config: TrainConfig, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "a.laconic")
    finished(train(config)).save(tmp_path / "b.laconic")
    assert (tmp_path / "a.laconic").read_bytes() == (tmp_path / "b.laconic").read_bytes()


def test_profiles_keep_within_their_loss_and_cost_less_and_less(pipeline: Pipeline) -> None:
    full, balanced, fast = (pipeline.profiles["tagger"][effort] for effort in ("full", "balanced", "fast"))
    assert full.score - balanced.score <= 0.1
    assert full.score - fast.score <= 1.0
    assert full.rows > balanced.rows >= fast.rows
    assert full.tolerance == 0


def test_provenance_tells_the_data_apart_without_saying_where_it_lay(pipeline: Pipeline, config: TrainConfig) -> None:
    facts = pipeline.provenance
    assert facts["train"]["file"] == "train.conllu"
    assert len(facts["train"]["sha256"]) == 64
    assert facts["config"]["tagger"]["settings"]["epochs"] == 3
    assert str(config.train.parent) not in str(facts)


def test_without_development_data_only_the_full_effort_exists(config: TrainConfig) -> None:
    pipeline = finished(train(TrainConfig(config.train, components=("tagger",), tagger=config.tagger)))
    pipeline.effort = "full"
    with pytest.raises(ConfigError, match="no effort 'fast': it has full"):
        pipeline.effort = "fast"


def test_settings_are_changed_by_name_and_checked(config: TrainConfig) -> None:
    changed = with_settings(
        config,
        {
            "tagger.column": "xpos",
            "tagger.settings.l2": "0",
            "tagger.settings.exits": "[1, 4]",
            "tagger.settings.average": "false",
        },
    )
    assert changed.tagger.column == "xpos"
    assert changed.tagger.settings.l2 == 0.0
    assert changed.tagger.settings.exits == (1, 4)
    assert changed.tagger.settings.average is False
    for key, value, message in (
        ("tager.l2", "1", "no setting 'tager.l2': at the top there are base, components"),
        ("tagger.settings.speed", "1", "in tagger.settings there are average, cutoff"),
        ("tagger.settings", "1", "has settings of its own"),
        ("tagger.column.x", "1", "is a single value"),
        ("tagger.settings.epochs", "many", "must be a whole number"),
        ("tagger.settings.epochs", "0", "from 1 to"),
        ("tagger.settings.mode", "fast", "one of 'full'"),
    ):
        with pytest.raises(ConfigError, match=message):
            with_settings(config, {key: value})
    with pytest.raises(ConfigError, match="tagger"):
        TrainConfig(config.train, components=("oracle",))


def test_bad_training_data_is_named(tmp_path: Path) -> None:
    bad = tmp_path / "bad.conllu"
    bad.write_text("1\ta\n\n")
    with pytest.raises(InputError, match=r"bad\.conllu:1"):
        finished(train(TrainConfig(bad)))


def test_a_model_with_unknown_parts_is_refused(pipeline: Pipeline, tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    pipeline.save(path)
    file = ModelFile.load(path)
    part = file.facts["components"][0]
    for facts in (
        {"components": [{**part, "name": "oracle"}], "provenance": {}},
        {"components": [{**part, "facts": {}}], "provenance": {}},
        {"components": [{**part, "profiles": {"fast": {}}}], "provenance": {}},
        {"components": 3, "provenance": {}},
        {"provenance": {}},
        {"components": [part]},
    ):
        ModelFile(file.arrays, facts).save(path)
        with pytest.raises(ModelError, match=r"m\.laconic"):
            Pipeline.load(path)


ALL = ("segmenter", "morphology", "lemmatizer", "entities")


def with_names(text: str) -> str:
    """The invented treebank with its proper nouns, and else its first nouns, as entities."""
    lines = []
    for line in text.splitlines():
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdigit():
            tag = "B-THING" if fields[3] == "NOUN" else "O"
            fields[9] = f"NER={tag}" if fields[9] == "_" else f"{fields[9]}|NER={tag}"
        lines.append("\t".join(fields))
    return "\n".join(lines) + "\n\n"


@pytest.fixture(scope="module")
def whole(config: TrainConfig, tmp_path_factory: pytest.TempPathFactory) -> tuple[Pipeline, TrainConfig]:
    place = tmp_path_factory.mktemp("entities")
    files = []
    assert config.dev is not None
    for path in (config.train, config.dev):
        files.append(place / path.name)
        files[-1].write_text(with_names(path.read_text("utf-8")), "utf-8")
    quick = {
        f"{name}.folds": "2"
        for name in ("segmenter", "morphology.tagger", "morphology.features", "lemmatizer", "entities")
    }
    chosen = with_settings(TrainConfig(config.train, config.dev, components=ALL, entity_data=tuple(files)), quick)
    return finished(train(chosen)), chosen


def test_all_components_go_from_text_to_tags_lemmas_and_entities(
    whole: tuple[Pipeline, TrainConfig], tmp_path: Path
) -> None:
    pipeline, config = whole
    assert tuple(pipeline.components) == ALL
    merged = pipeline.provenance["train"]["entities"]["sentences_of_the_treebank"]
    assert merged["by_id"] + merged["by_form"] == pipeline.provenance["train"]["sentences"]
    assert merged["unannotated"] == 0
    assert 0 < pipeline.provenance["scores"]["full"]["NER"] <= 100
    assert config.dev is not None
    gold = read(config.dev)
    doc = pipeline(gold.text)
    assert doc.text == gold.text
    scores = evaluate(gold, doc, single_root=False)
    assert {
        name: scores[name].f1 > 90 for name in ("Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas")
    } == dict.fromkeys(("Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas"), True)
    assert sum("NER=B-THING" in misc for misc in doc.strings("misc")) > 0.8 * gold.strings("upos").count("NOUN")
    pipeline.save(tmp_path / "all.laconic")
    loaded = Pipeline.load(tmp_path / "all.laconic")
    for effort in ("full", "balanced", "fast"):
        loaded.effort = pipeline.effort = effort
        assert loaded(gold.text) == pipeline(gold.text)
    pipeline.effort = "full"


def test_words_and_documents_can_be_given_in_place_of_text(
    whole: tuple[Pipeline, TrainConfig], pipeline: Pipeline
) -> None:
    nlp, _ = whole
    doc = nlp([["a", "b"], ["c"]])
    assert doc.strings("form") == ["a", "b", "c"]
    assert nlp(doc) is doc
    with pytest.raises(InputError, match="flat list"):
        nlp(["a", "b"])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="no segmenter"):
        pipeline("a text")


def test_one_pipeline_serves_many_threads(whole: tuple[Pipeline, TrainConfig]) -> None:
    nlp, config = whole
    assert config.dev is not None
    texts = [sentence.text for sentence in read(config.dev).sentences][:60]
    expected = [nlp(text).to_conllu() for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: nlp(text).to_conllu(), texts)) == expected


def test_development_data_without_a_sentence_is_refused_before_training(config: TrainConfig, tmp_path: Path) -> None:
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    run = train(TrainConfig(config.train, empty))
    with pytest.raises(InputError, match=r"empty\.conllu: there is no sentence"):
        next(run)


def test_development_data_that_cannot_measure_a_component_are_refused_before_training(
    config: TrainConfig, tmp_path: Path
) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    for component, message in (("tagger", "no upos"), ("lemmatizer", "no lemma"), ("entities", "no named entities")):
        with pytest.raises(ConfigError, match=message):
            next(train(TrainConfig(config.train, bare, components=(component,))))


def test_the_parser_of_chang2007_is_a_matter_of_settings(config: TrainConfig, tmp_path: Path) -> None:
    """Step-back without labels, then labels by a second stage that sees the whole tree; and a beam on top."""
    chosen = with_settings(
        TrainConfig(config.train, config.dev, components=("parser", "labeler")),
        {
            "parser.scorer": "linear",
            "parser.system": "step-back",
            "parser.templates": "stepback",
            "parser.labels": "none",
            "parser.settings.epochs": "3",
            "parser.label_settings.epochs": "3",
            "labeler.projective": "head",
            "labeler.settings.epochs": "3",
            "labeler.folds": "2",
        },
    )
    pipeline = finished(train(chosen))
    pipeline.save(tmp_path / "m.laconic")
    loaded = Pipeline.load(tmp_path / "m.laconic")
    assert list(loaded.components) == ["parser", "labeler"]
    assert loaded.efforts == ["beam", "full", "balanced", "fast"]
    assert config.dev is not None
    gold = read(config.dev)
    for effort in loaded.efforts:
        doc = loaded.at(effort)(gold.sentences[:], keep=("upos", "xpos", "feats", "lemma"))
        assert evaluate(gold, doc, single_root=False)["LAS"].f1 > 80
        assert set(pipeline.provenance["scores"][effort]) >= {"UAS", "LAS"}
    for effort in ("full", "beam"):
        _, sure = loaded.at(effort).confident(gold.sentences[:5])
        assert set(sure) == {"parser", "labeler"}


def crossing_files(place: Path) -> tuple[Path, Path]:
    """Training and development data with arcs that cross."""
    files = place / "crossing-train.conllu", place / "crossing-dev.conllu"
    for seed, file in enumerate(files):
        file.write_text(conllu(300, seed=seed, nonprojective=0.3), encoding="utf-8")
    return files


@pytest.mark.parametrize("projective", ["none", "path"])
def test_a_labeler_alone_is_measured_on_given_trees(tmp_path: Path, projective: str) -> None:
    chosen = TrainConfig(*crossing_files(tmp_path), components=("tagger", "labeler"))
    quick = {"labeler.settings.epochs": "3", "labeler.folds": "2", "labeler.projective": projective}
    pipeline = finished(train(with_settings(chosen, quick)))
    scores = pipeline.provenance["scores"]["full"]
    assert scores["UAS"] == 100
    assert 80 < scores["LAS"] < 100


@pytest.mark.parametrize("projective", ["none", "path"])
def test_labels_of_kept_heads_are_given_anew(tmp_path: Path, projective: str) -> None:
    files = crossing_files(tmp_path)
    chosen = TrainConfig(files[0], components=("parser", "labeler"))
    fast = {"parser.scorer": "linear", "labeler.settings.epochs": "3", "labeler.folds": "0", "parser.folds": "0"}
    pipeline = finished(train(with_settings(chosen, fast | {"labeler.projective": projective})))
    gold = read(files[1])
    chains = [np.arange(end - begin) for begin, end in itertools.pairwise(gold.sentence_starts.tolist())]
    # Chains, which no parser would build, and trees of lifted arcs, which a labeler knows as such.
    for heads in (np.concatenate(chains), lift(gold.heads, gold.sentence_starts)):
        given = gold.sentences[:]
        given.heads[:] = heads
        given.set_codes("deprel", np.zeros(len(given), np.int32), ["wrong"])
        doc = pipeline(given.sentences[:], keep=("upos", "xpos", "feats", "lemma", "head"))
        assert (doc.heads == heads).all()
        assert set(doc.strings("deprel")) <= set(gold.strings("deprel"))


def test_entities_of_another_text_are_an_error_and_of_some_sentences_a_warning(
    config: TrainConfig, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    other = tmp_path / "other.conllu"
    other.write_text("1\tElsewhere\t_\t_\t_\t_\t_\t_\t_\tNER=B-LOC\n\n", "utf-8")
    chosen = TrainConfig(config.train, components=("entities",), entity_data=(other,))
    with pytest.raises(InputError, match="none of its sentences is one of train"):
        next(train(chosen))
    some = read(config.train).sentences[:40]
    other.write_text(with_names(some.to_conllu()), "utf-8")
    next(train(chosen))
    assert "sentences have no entities" in caplog.text
