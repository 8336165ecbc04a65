"""Configurations: files, single settings, defaults; trainings that go on, and models that others build on."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Generator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_model import COMPONENTS as ALL
from small_model import QUICK

import laconic
from laconic.corpus import read, write
from laconic.errors import ConfigError
from laconic.pipeline import Pipeline, TrainConfig, default_toml, train, with_seed, with_settings
from laconic.pipeline.components import COMPONENTS
from laconic.progress import Progress, finished
from laconic.transition import ParserConfig


def test_the_default_file_is_the_defaults(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(default_toml(tuple(COMPONENTS)), "utf-8")
    assert TrainConfig.read(path) == TrainConfig(tmp_path / "train.conllu", tmp_path / "dev.conllu")


def test_the_default_file_says_every_setting() -> None:
    said = tomllib.loads(default_toml(tuple(COMPONENTS)))

    def check(part: Any, table: dict[str, Any]) -> None:
        for one in fields(part):
            value = getattr(part, one.name)
            if is_dataclass(value):
                check(value, table[one.name])
            elif value is not None:
                assert one.name in table

    config = TrainConfig(Path("train.conllu"), Path("dev.conllu"))
    check(config, said)


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(
        'train = "data/a.conllu"\ncomponents = ["tagger", "segmenter"]\n'
        "[tagger]\nfolds = 3\n[tagger.settings]\nl2 = 0\nexits = [1, 2]\n"
        '[entities.gazetteers]\nplaces = "places.txt"\n',
        "utf-8",
    )
    config = TrainConfig.read(path)
    default = TrainConfig(tmp_path / "data" / "a.conllu")
    assert config.train == default.train
    assert config.components == ("segmenter", "tagger")
    assert config.entities.gazetteers == {"places": str(tmp_path / "places.txt")}
    settings = replace(default.tagger.settings, l2=0.0, exits=(1, 2))
    assert config.tagger == replace(default.tagger, folds=3, settings=settings)
    assert config.morphology == default.morphology
    assert TrainConfig.read(path, {"dev": "dev.conllu"}).dev == Path("dev.conllu")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "what to train on"),
        ("train = 3", "train must be a path"),
        ('train = "a"\ncolour = 1', "no setting 'colour'"),
        ('train = "a"\n[tagger]\ncolour = 1', "no setting 'tagger.colour': in tagger there are"),
        ('train = "a"\ntagger = 1', "tagger must be a table"),
        ('train = "a"\n[tagger]\nfolds = "x"', "tagger.folds must be a whole number"),
        ('train = "a"\n[tagger]\nfolds = true', "tagger.folds must be a whole number"),
        ('train = "a"\n[tagger]\nfolds = 1', "tagger: folds must be"),
        ('train = "a"\n[tagger.settings]\nmode = "x"', "one of 'full'"),
        ('train = "a"\n[entities]\ngazetteers = {a = 1}', "entities.gazetteers.a must be a string"),
        ('train = "-"', "read again"),
        ("train = ", "c.toml"),
        ('train = "a"\ncomponents = ["cook"]', "no component 'cook'"),
        ('trian = "a"', r"no setting 'trian': .*; did you mean train\?"),
        ('train = "a"\n[taggre]\nfolds = 2', r"no setting 'taggre': .*; did you mean tagger\?"),
        ('train = "a"\n[tagger.setings]\nl2 = 0', r"no setting 'tagger.setings': .*; did you mean settings\?"),
        ('train = "a"\n[tagger]\nepochs = 2', r"did you mean tagger.settings.epochs\?"),
        ('train = "a"\n[tagger.settings]\nmode = "fulll"', r"did you mean full\?"),
        ('train = "a"\n[labeler]\nprojective = "haed"', r"did you mean head\?"),
        ('train = "a"\ncomponents = ["morfology"]', r"did you mean morphology\?"),
    ],
)
def test_a_file_that_cannot_work_is_an_error_that_names_it(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=message) as caught:
        TrainConfig.read(path)
    assert str(path) in str(caught.value)


def test_files_of_templates_are_seen_from_the_folder_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "mine.templates").write_text("LEX(TOKEN)\n", "utf-8")
    (folder / "moves.templates").write_text("LEX(STACK0)\n", "utf-8")
    path = folder / "c.toml"
    path.write_text(
        'train = "a"\n[tagger]\ntemplates = "mine.templates"\n[morphology.features]\ntemplates = "mine.templates"\n'
        '[parser]\nhidden_templates = "moves.templates"\n[lemmatizer]\ntemplates = "lemmas"\n'
        '[entities]\ntemplates = "LEX(TOKEN)\\nSHAPE(TOKEN)"\n',
        "utf-8",
    )
    monkeypatch.chdir(tmp_path)
    config = TrainConfig.read(path)
    assert config.tagger.templates == config.morphology.features.templates == str(folder / "mine.templates")
    assert str(config.tagger.template_set()) == "LEX(TOKEN)\n"
    assert str(config.parser.template_set()) == "LEX(STACK0)\n"
    assert config.lemmatizer.templates == "lemmas"  # a shipped set is no file
    assert config.entities.templates == "LEX(TOKEN)\nSHAPE(TOKEN)"


def test_a_misspelt_setting_of_the_command_line_gets_a_suggestion() -> None:
    config = TrainConfig(Path("a"))
    for key, message in {
        "trian": r"no setting 'trian': .*; did you mean train\?",
        "tager.folds": r"no setting 'tager.folds': .*; did you mean tagger\?",
        "tagger.settings.epoch": r"did you mean epochs\?",
        "morphology.epochs": r"morphology.tagger.settings.epochs or morphology.features.settings.epochs\?",
    }.items():
        with pytest.raises(ConfigError, match=message):
            with_settings(config, {key: "2"})


def test_a_value_that_cannot_be_is_told_with_the_place_of_the_setting() -> None:
    config = TrainConfig(Path("a"))
    for changes, message in (
        ({"graph.settings.epochs": "0"}, r"graph\.settings: epochs must be a whole number from 1"),
        ({"graph.sibling_settings.drop": "0"}, r"graph\.sibling_settings: drop must be a number above 0"),
        ({"graph.folds": "1"}, "graph: folds must be"),
    ):
        with pytest.raises(ConfigError, match=f"^{message}"):
            with_settings(config, changes)


def test_one_seed_reaches_every_part() -> None:
    config = with_seed(TrainConfig(Path("a")), 7)
    assert config.tagger.settings.seed == config.morphology.features.settings.seed == config.entities.settings.seed == 7


def test_entries_of_a_table_are_set_one_by_one() -> None:
    config = with_settings(TrainConfig(Path("a")), {"entities.gazetteers.places": "p.txt"})
    assert config.entities.gazetteers == {"places": "p.txt"}


@pytest.fixture(scope="module")
def config(small_model: Path) -> TrainConfig:
    place = small_model.parent
    return with_settings(TrainConfig(place / "train.conllu", place / "dev.conllu", ALL), QUICK)


def stopped_after(run: Generator[Progress, None, Pipeline], work: Path, name: str) -> None:
    """Goes on until the component is finished, and gives up then, as a killed process does: without a word."""
    while not (work / f"{name}.laconic").exists():
        next(run)


@pytest.mark.parametrize("last", ["segmenter", "morphology", "lemmatizer"])
def test_a_training_that_was_stopped_goes_on_and_writes_the_same_bytes(
    config: TrainConfig, small_model: Path, tmp_path: Path, last: str
) -> None:
    output = tmp_path / "m.laconic"
    work = tmp_path / ".m.laconic.work"
    stopped_after(train(config, output=output), work, last)
    finished_before = len(list(work.glob("*.laconic")))
    steps: list[Progress] = []
    finished(train(config, output=output), steps.append)
    everything: list[Progress] = []
    finished(train(config), everything.append)
    assert finished_before >= 1
    assert len(steps) < len(everything)
    assert output.read_bytes() == small_model.read_bytes()
    assert not work.exists()


def test_what_another_training_left_is_not_taken(config: TrainConfig, small_model: Path, tmp_path: Path) -> None:
    output = tmp_path / "m.laconic"
    stopped_after(train(with_seed(config, 9), output=output), tmp_path / ".m.laconic.work", "segmenter")
    (tmp_path / ".m.laconic.work" / "morphology.laconic").write_bytes(b"nonsense")
    finished(train(config, output=output))
    assert output.read_bytes() == small_model.read_bytes()


def test_single_components_are_trained_anew_on_top_of_a_model(config: TrainConfig, small_model: Path) -> None:
    base = laconic.load(small_model)
    one = replace(with_seed(config, 3), components=("lemmatizer",), base=small_model)
    pipeline = finished(train(one))
    assert list(pipeline.components) == list(base.components)
    for name in ("segmenter", "morphology", "entities"):
        assert pipeline.components[name] is not None
        assert pipeline.profiles[name] == base.profiles[name]
    facts = pipeline.provenance["base"]
    assert facts["sha256"] == base.digest
    assert facts["components"] == ["segmenter", "morphology", "entities"]
    assert pipeline.provenance["config"].keys() == {"lemmatizer"}
    added = finished(train(replace(config, components=("tagger",), base=small_model)))
    assert list(added.components) == ["segmenter", "tagger", "morphology", "lemmatizer", "entities"]


def test_what_the_data_do_not_show_of_a_model_that_is_built_on_is_not_scored(
    config: TrainConfig, small_model: Path, tmp_path: Path
) -> None:
    assert config.dev is not None
    plain = read(config.dev)
    plain.set_codes("misc", np.zeros(len(plain), np.int32), ["_"])
    write(plain, tmp_path / "dev.conllu")
    one = replace(config, dev=tmp_path / "dev.conllu", components=("lemmatizer",), base=small_model, entities=())
    found = finished(train(one)).provenance["scores"]
    assert all("Lemmas" in figures and "entities" not in figures for figures in found.values())


def tagged_words(*misc: str) -> str:
    """A treebank of tags alone."""
    rows = zip(("Ships", "sail", "."), ("NOUN", "VERB", "PUNCT"), misc, strict=True)
    words = (f"{i}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t{space}" for i, (form, tag, space) in enumerate(rows, 1))
    return "\n".join(words) + "\n\n"


def test_without_names_all_that_the_data_show_is_trained(tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text(tagged_words("_", "SpaceAfter=No", "_") * 10, "utf-8")
    config = with_settings(TrainConfig(bare), QUICK)
    assert list(finished(train(config)).components) == ["segmenter", "morphology"]


@pytest.mark.parametrize("comment", ["", "# text = Ships sail .\n"], ids=["no text", "a text of spaces only"])
def test_no_segmenter_is_trained_on_data_that_does_not_tell_of_spaces(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, comment: str
) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text((comment + tagged_words("_", "_", "_")) * 10, "utf-8")
    config = with_settings(TrainConfig(bare), QUICK)
    assert list(finished(train(config)).components) == ["morphology"]
    assert "bare.conllu: no segmenter is trained: no two tokens" in caplog.text
    with pytest.raises(ConfigError, match=r"no two tokens .* spacing = annotated"):  # asked for by name
        finished(train(replace(config, components=("segmenter",))))
    wanted = with_settings(replace(config, components=("segmenter",)), {"segmenter.spacing": "annotated"})
    assert list(finished(train(wanted)).components) == ["segmenter"]


def test_words_of_a_multiword_token_tell_a_segmenter_nothing_of_spaces(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text(("1-2\tShipssail" + "\t_" * 8 + "\n" + tagged_words("_", "_", "_")) * 10, "utf-8")
    config = with_settings(TrainConfig(bare), QUICK)
    assert list(finished(train(config)).components) == ["morphology"]
    assert "no segmenter is trained" in caplog.text


def test_a_model_is_not_written_over_what_it_is_made_from(tmp_path: Path, small_model: Path) -> None:
    files = [tmp_path / name for name in ("train.conllu", "dev.conllu", "base.laconic", "config.toml")]
    treebank, dev, base, file = files
    for one in (treebank, dev):
        one.write_text(tagged_words("_", "SpaceAfter=No", "_") * 10, "utf-8")
    base.write_bytes(small_model.read_bytes())
    file.write_text('train = "train.conllu"\ndev = "dev.conllu"\nbase = "base.laconic"\n', "utf-8")
    before = [one.read_bytes() for one in files]
    for one in files:
        with pytest.raises(ConfigError, match=f"{one.name}: is an input as well"):
            laconic.train(file, output=one)
    assert [one.read_bytes() for one in files] == before


def test_a_text_that_joins_words_is_enough_for_a_segmenter(tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text(("# text = Ships sail.\n" + tagged_words("_", "_", "_")) * 10, "utf-8")
    config = with_settings(TrainConfig(bare), QUICK)
    assert list(finished(train(config)).components) == ["segmenter", "morphology"]


def test_data_that_shows_nothing_is_an_error(tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text("1\tShips" + "\t_" * 8 + "\n\n", "utf-8")
    with pytest.raises(ConfigError, match="nothing in it that a component could learn"):
        next(train(TrainConfig(bare)))


def test_a_setting_that_was_asked_for_must_belong_to_a_trained_component(
    config: TrainConfig, small_model: Path
) -> None:
    some = replace(config, components=("segmenter", "morphology"))
    for chosen in (some, replace(config, components=())):
        with pytest.raises(ConfigError, match=r"tagger is not trained; trained are segmenter, morphology") as caught:
            next(train(chosen, asked=["tagger.settings.epochs"]))
        assert "did you mean morphology.tagger.settings.epochs?" in str(caught.value)
    next(train(some, asked=["train", "morphology.tagger.folds"]))
    # The tagger of a base is trained again, in folds.
    base = replace(config, components=("lemmatizer",), base=small_model)
    next(train(base, asked=["morphology.tagger.folds", "lemmatizer.folds"]))
    with pytest.raises(ConfigError, match="entities is not trained"):
        next(train(base, asked=["entities.folds"]))


@pytest.mark.parametrize(
    ("choice", "key", "reason"),
    [
        ({}, "parser.templates", "parser.scorer is hidden"),
        ({}, "parser.settings.epochs", "parser.scorer is hidden"),
        ({"scorer": "linear"}, "parser.hidden.epochs", "parser.scorer is linear"),
        ({"scorer": "linear", "labels": "none"}, "parser.label_templates", "parser.labels is none"),
        ({}, "parser.hidden_templates", None),
        ({"scorer": "linear"}, "parser.label_templates", None),
    ],
)
def test_a_setting_of_a_choice_that_was_not_made_is_an_error(
    config: TrainConfig, choice: dict[str, Any], key: str, reason: str | None
) -> None:
    chosen = replace(config, components=("parser",), parser=ParserConfig(**choice))
    if reason is None:
        next(train(chosen, asked=[key]))
    else:
        with pytest.raises(ConfigError, match=f"{key} would change nothing: {reason}"):
            next(train(chosen, asked=[key]))


def test_provenance_has_settings_scores_and_no_place_of_the_machine(config: TrainConfig, tmp_path: Path) -> None:
    places = tmp_path / "places.txt"
    places.write_text("La nuna\n", "utf-8")
    templates = tmp_path / "mine.templates"
    templates.write_text("LEX(TOKEN)\nSUFFIX3(TOKEN)\n", "utf-8")
    chosen = with_settings(
        replace(config, components=("segmenter", "tagger", "entities")),
        {"entities.gazetteers.places": str(places), "tagger.templates": str(templates), "tagger.folds": "2"},
    )
    pipeline = laconic.train(chosen)
    said = pipeline.provenance
    assert str(tmp_path) not in json.dumps(said)
    assert str(config.train.parent) not in json.dumps(said)
    assert said["config"]["entities"]["gazetteers"]["places"]["file"] == "places.txt"
    assert said["config"]["tagger"]["templates"]["file"] == "mine.templates"
    assert set(said["scores"]) == {"full", "balanced", "fast"}
    assert said["scores"]["full"]["UPOS"] > 50
    assert said["scores"]["full"]["templates"] > said["scores"]["fast"]["templates"] > 0
    assert said["config"]["tagger"]["settings"]["seed"] == 1


def test_a_file_is_enough_for_python_and_writes_what_the_command_writes(small_model: Path, tmp_path: Path) -> None:
    from cli.command import laconic as command

    lines = [f'train = "{small_model.parent}/train.conllu"', 'components = ["segmenter"]', "[segmenter]", "folds = 2"]
    path = tmp_path / "c.toml"
    path.write_text("\n".join(lines), "utf-8")
    laconic.train(path, output=tmp_path / "a.laconic")
    assert command("train", "--config", path, "-o", tmp_path / "b.laconic").code == 0
    other = tmp_path / "c.laconic"
    assert command("train", "-c", path, "-o", other, "--set", "segmenter.settings.epochs=1").code == 0
    assert (tmp_path / "a.laconic").read_bytes() == (tmp_path / "b.laconic").read_bytes() != other.read_bytes()
    assert command("train", "--defaults").out == default_toml(tuple(COMPONENTS))
    assert command("train", "-c", path).code == 2
    result = command("train", "--train", "-", "-o", other)
    assert result.code == 2
    assert "read again" in " ".join(result.err.split())


def test_a_parser_is_trained_on_jackknifed_tags_and_goes_from_text_to_trees(
    config: TrainConfig, tmp_path: Path
) -> None:
    some = replace(config, components=("segmenter", "morphology", "parser"))
    quick = {"parser.settings.epochs": "2", "parser.label_settings.epochs": "2", "parser.hidden.epochs": "2"}
    nlp = laconic.train(with_settings(some, quick), output=tmp_path / "m.laconic")
    assert config.dev is not None
    gold = laconic.read(config.dev)
    assert nlp.provenance["scores"]["full"]["LAS"] > 30
    doc = laconic.load(tmp_path / "m.laconic")(gold.text)
    assert doc == nlp(gold.text)
    assert (doc.heads >= 0).all()
    kept = nlp(gold.sentences[:], keep=("head", "deprel"))
    assert (kept.heads == gold.heads).all()
    _, sure = nlp.confident(gold.text[:500])
    assert set(sure) == {"morphology", "parser"}


@pytest.mark.parametrize("names", [("parser", "graph"), ("graph", "tensor_labeler", "labeler")])
def test_two_components_that_do_the_same_work_are_refused(names: tuple[str, ...]) -> None:
    with pytest.raises(ConfigError, match="do the same work"):
        TrainConfig(Path("train.conllu"), components=names)
