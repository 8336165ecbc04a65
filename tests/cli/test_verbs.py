"""What the verbs print and write."""

from __future__ import annotations

import gzip
import json
import shlex
from functools import partial
from pathlib import Path

import conllu
import pytest
import synthetic
from cli.command import TREE, laconic

import laconic as package
from laconic.interop.writers import WRITERS
from laconic.pipeline.costs import bench_text, measured

SAMPLE = Path(package.__file__).parent / "data" / "sample.conllu"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "invented.conllu"
    path.write_text(synthetic.conllu(60, 1, nonprojective=0.5), "utf-8")
    return path


def test_stats_without_a_file_describe_the_bundled_sample() -> None:
    result = laconic("stats")
    assert result.code == 0
    assert laconic("stats", "sample").out == result.out
    assert json.loads(laconic("stats", "--json").out)["sentences"] == SAMPLE.read_text("utf-8").count("# text = ")


def test_stats_agree_with_another_reader(treebank: Path) -> None:
    sentences = list(conllu.parse(treebank.read_text("utf-8")))
    words = [token for sentence in sentences for token in sentence if isinstance(token["id"], int)]
    ranges = [token for sentence in sentences for token in sentence if isinstance(token["id"], tuple)]
    counted = json.loads(laconic("stats", "--json", treebank).out)
    assert counted["sentences"] == len(sentences)
    assert counted["words"] == len(words)
    assert counted["multiword_tokens"] == len(ranges)
    assert counted["tokens"] == len(words) - len(ranges)  # every range of this language covers two words
    assert counted["documents"] == 3
    assert counted["types"] == len({token["form"] for token in words})
    for name in ("upos", "deprel"):
        assert counted[name] == {
            value: sum(token[name] == value for token in words) for value in {token[name] for token in words}
        }
    assert counted["roots"] == len(sentences)
    assert 0 < counted["projective_share"] < 1


def test_stats_of_several_files_add_up(treebank: Path) -> None:
    counted = json.loads(laconic("stats", "--json", treebank, SAMPLE).out)
    assert counted["words"] == sum(part["words"] for part in counted["files"].values())
    assert counted["types"] <= sum(part["types"] for part in counted["files"].values())


def test_stats_of_an_empty_file_are_zero(tmp_path: Path) -> None:
    path = tmp_path / "empty.conllu"
    path.write_bytes(b"")
    counted = json.loads(laconic("stats", "--json", path).out)
    assert counted["words"] == counted["sentences"] == 0


def test_convert_to_the_same_format_keeps_every_byte(tmp_path: Path) -> None:
    assert laconic("convert", SAMPLE, tmp_path / "copy.conllu").code == 0
    assert (tmp_path / "copy.conllu").read_bytes() == SAMPLE.read_bytes()


def test_convert_reads_and_writes_streams_and_gzip(tmp_path: Path) -> None:
    packed = tmp_path / "packed.conllu.gz"
    assert laconic("convert", "-", packed, "--from", "conllu", stdin=TREE.encode()).code == 0
    assert gzip.decompress(packed.read_bytes()).decode() == TREE
    assert laconic("convert", packed, "-", "--to", "conllu").out == TREE
    assert laconic("convert", "-", "-", "--to", "conllu", stdin=packed.read_bytes()).out == TREE


def test_convert_refuses_unknown_formats_and_names_the_known_ones(tmp_path: Path) -> None:
    for options in ["-", "--to", "latex"], ["-", "--to", "ptb"], [str(tmp_path / "out.conll")]:
        result = laconic("convert", SAMPLE, *options)
        assert result.code == 2
        assert "conllx" in result.err or "not written" in result.err


def test_convert_goes_through_every_format_that_can_be_written(treebank: Path, tmp_path: Path) -> None:
    from laconic.corpus.formats import FORMATS

    forms = package.read(treebank).strings("form")
    for name, format in FORMATS.items():
        assert name in laconic("convert", "--help").out
        if name == "ptb":
            continue
        there, back = tmp_path / f"there{format.suffixes[0]}.gz", tmp_path / "back.conllu"
        assert laconic("convert", treebank, there, "--to", name).code == 0
        assert laconic("convert", there, back, "--from", name).code == 0
        assert package.read(back).strings("form") == forms


def test_convert_writes_the_json_of_a_document_whatever_the_batches(
    treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("laconic.corpus.stream", partial(package.corpus.stream, words=40))
    line = "1\tLo\t_\t_\t_\t_\t_\t_\t_\t{}\n\n"
    spaces = ["SpaceAfter=No", "_", "SpacesAfter=\\n\\n", "SpacesBefore=\\s"]
    rows = ("# newdoc\n" * (n % 9 == 3) + "# newpar\n" * (n % 7 == 2) + line.format(spaces[n % 4]) for n in range(300))
    treebank.write_text("".join(rows), "utf-8")
    whole = package.read(treebank)
    for name in ("json", "jsonl"):
        assert laconic("convert", treebank, tmp_path / f"out.{name}").code == 0
        assert package.read(tmp_path / f"out.{name}").to_conllu() == whole.to_conllu()
    assert (tmp_path / "out.json").read_bytes() == b"".join(WRITERS["json"](whole))
    assert (tmp_path / "out.jsonl").read_bytes() == b"".join(WRITERS["jsonl"](whole))


def test_convert_lenient_skips_the_broken_sentence_and_says_so(tmp_path: Path) -> None:
    broken = (TREE + "1\tword\n\n" + TREE).encode()
    result = laconic("convert", "-", "-", "--from", "conllu", "--to", "conllu", "--lenient", stdin=broken)
    assert result.code == 0
    assert result.out == TREE * 2
    assert "4" in result.err


def test_a_failed_conversion_leaves_no_half_written_file_unsaid(tmp_path: Path) -> None:
    result = laconic("convert", "-", tmp_path / "out.conllu", "--from", "conllu", stdin=TREE.encode() + b"1\tx\n\n")
    assert result.code == 1
    assert result.err != ""


def test_check_lists_all_faults_and_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "broken.conllu"
    path.write_text("1\tword\n\n" + TREE + TREE.replace("\t0\t", "\t9\t"), "utf-8")
    result = laconic("check", path, SAMPLE)
    assert result.code == 1
    *faults, count = result.out.splitlines()
    assert [line.split(":")[1] for line in faults] == ["1", "7"]
    assert count == "2 faults"


def test_check_tells_of_what_can_be_read_but_not_be_meant(tmp_path: Path) -> None:
    path = tmp_path / "odd.conllu"
    path.write_text("# text = Shipssail\n" + TREE.replace("NNS\t_", "NNS\tNumber"), "utf-8")
    result = laconic("check", path)
    assert result.code == 1
    assert [line.split(":")[1] for line in result.out.splitlines()[:-1]] == ["2", "2"]
    assert laconic("stats", path).code == 0


def test_check_of_good_files_is_silent_but_for_the_count() -> None:
    result = laconic("check", SAMPLE)
    assert (result.code, result.out, result.err) == (0, "0 faults\n", "")


def test_evaluate_of_gold_against_itself_is_perfect(treebank: Path) -> None:
    scores = json.loads(laconic("evaluate", treebank, treebank, "--json").out)
    assert {"Tokens", "UPOS", "LAS", "BLEX"} <= scores.keys()
    assert all(score[part] == 100 for score in scores.values() for part in ("precision", "recall", "f1"))


def test_evaluate_compares_breaks_down_and_prints_the_same_figures(treebank: Path, tmp_path: Path) -> None:
    worse = tmp_path / "worse.conllu"
    worse.write_text(treebank.read_text("utf-8").replace("\tADJ\t", "\tNOUN\t"), "utf-8")
    arguments = (treebank, treebank, "--compare", worse, "--by", "upos")
    scores = json.loads(laconic("evaluate", *arguments, "--json").out)
    assert scores["UPOS"]["difference"]["value"] > 0
    assert scores["UPOS"]["by"]["ADJ"]["f1"] == 100
    table = laconic("evaluate", *arguments)
    assert table.code == 0
    assert f"{scores['UPOS']['difference']['value']:+.2f}" in table.out


def test_evaluate_refuses_several_roots_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "roots.conllu"
    path.write_text(TREE.replace("\t2\tnsubj", "\t0\troot"), "utf-8")
    assert laconic("evaluate", path, path).code == 1
    assert laconic("evaluate", path, path, "--multiple-roots").code == 0


def test_evaluate_of_different_texts_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "other.conllu"
    path.write_text(TREE, "utf-8")
    result = laconic("evaluate", SAMPLE, path)
    assert result.code == 1
    assert result.err.count("\n") == 1


def model(place: Path, *more: str) -> Path:
    training, path = place / "train.conllu", place / "tagger.laconic"
    training.write_text(synthetic.conllu(150, 1), "utf-8")
    (place / "dev.conllu").write_text(synthetic.conllu(50, 2), "utf-8")
    brief = ("--components", "tagger", "--set", "tagger.settings.epochs=2", "--set", "tagger.folds=2")
    result = laconic("train", "--train", training, "--dev", place / "dev.conllu", "-o", path, *brief, *more)
    assert result.code == 0, result.err
    assert result.out == ""
    return path


def test_train_writes_a_model_that_info_describes(tmp_path: Path) -> None:
    path = model(tmp_path)
    facts = json.loads(laconic("info", path, "--json").out)
    tagger = facts["components"]["tagger"]
    assert facts["bytes"] == path.stat().st_size
    assert {"NOUN", "VERB", "PUNCT"} <= set(tagger["labels"])
    assert tagger["efforts"].keys() == {"full", "balanced", "fast"}
    assert tagger["efforts"]["fast"]["templates"] <= tagger["efforts"]["full"]["templates"]
    assert facts["provenance"]["train"]["sentences"] == 150
    assert str(tmp_path) not in json.dumps(facts)
    shown = laconic("info", path, "--templates").out
    assert all(template in shown for template in tagger["templates"])


def test_equal_seeds_train_equal_bytes_and_others_do_not(tmp_path: Path) -> None:
    first, second, other = (model(tmp_path, "--seed", seed).read_bytes() for seed in ("5", "5", "6"))
    assert first == second
    assert first != other


@pytest.mark.parametrize(
    "options",
    [("--set", "tagger.no=1"), ("--set", "epochs"), ("--set", "tagger.settings.epochs=many"), ("--components", "cook")],
    ids=" ".join,
)
def test_settings_that_do_not_exist_are_wrong_usage(tmp_path: Path, options: tuple[str, ...]) -> None:
    assert laconic("train", "--train", SAMPLE, "-o", tmp_path / "model", *options).code == 2


def test_a_setting_of_a_component_that_is_not_trained_is_an_error(tmp_path: Path) -> None:
    result = laconic("train", "--train", SAMPLE, "-o", tmp_path / "model", "--set", "tagger.settings.epochs=1")
    assert result.code == 1
    assert "tagger is not trained; trained are segmenter, morphology, lemmatizer, parser" in result.err
    assert "did you mean morphology.tagger.settings.epochs?" in result.err
    assert not (tmp_path / "model").exists()


def test_the_example_of_the_help_of_train_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from laconic.cli.train import EXAMPLE

    monkeypatch.chdir(tmp_path)
    for name, seed in (("train", 1), ("dev", 2)):
        Path(f"{name}.conllu").write_text(synthetic.conllu(20, seed), "utf-8")
    command, *arguments = shlex.split(EXAMPLE)
    assert command == "laconic"
    result = laconic(*arguments)
    assert result.code == 0, result.err
    stored = json.loads(laconic("info", "my.laconic", "--json").out)["provenance"]["config"]
    assert stored["morphology"]["tagger"]["settings"]["epochs"] == 5


def test_a_place_that_cannot_be_written_is_found_before_the_training(tmp_path: Path) -> None:
    missing = tmp_path / "missing" / "model.laconic"
    result = laconic("train", "--train", tmp_path / "not even there.conllu", "-o", missing)
    assert result.code == 1
    assert result.err == f"laconic: {missing.parent}: no such directory\n"


def test_a_template_that_looks_too_far_is_shown_where_it_stands(tmp_path: Path) -> None:
    (tmp_path / "t.conllu").write_text(TREE, encoding="utf-8")
    templates = tmp_path / "far.templates"
    templates.write_text("CHAR(CHAR)\nCHAR(CHAR+60)\n", encoding="utf-8")
    setting = f"segmenter.templates={templates}"
    options = ["--components", "segmenter", "--set", setting, "-o", tmp_path / "m.laconic"]
    done = laconic("train", "--train", tmp_path / "t.conllu", *options)
    assert done.code == 1
    assert f"{templates}:2:11: expected a number from 1 to 39" in done.err


def test_training_data_without_tags_are_bad_input(tmp_path: Path) -> None:
    bare = tmp_path / "bare.conllu"
    bare.write_text("1\tword" + "\t_" * 4 + "\t0\troot\t_\t_\n\n", "utf-8")
    result = laconic("train", "--train", bare, "-o", tmp_path / "model")
    assert result.code == 0, result.err  # a parser needs none
    result = laconic("train", "--train", bare, "-o", tmp_path / "model", "--components", "morphology")
    assert result.code == 1
    assert "upos" in result.err


def test_info_is_of_a_model_or_of_the_machine() -> None:
    assert "instruction set" in laconic("info", "--system").out
    done = laconic("info", "--system", "en")
    assert (done.code, "leave out one" in done.err) == (1, True)


def test_info_of_what_is_not_a_model_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "model.laconic"
    for content in (b"", b"text", SAMPLE.read_bytes(), b"\xff" * 1000):
        path.write_bytes(content)
        result = laconic("info", path)
        assert result.code == 1
        assert str(path) in result.err
        assert result.err.count("\n") == 1


def test_bench_measures_every_component_at_every_effort(small_model: Path) -> None:
    found = json.loads(laconic("bench", small_model, "--rounds", "1", "--json").out)
    parts = {(one["effort"], one["component"]) for one in found}
    names = ("segmenter", "morphology", "lemmatizer", "entities", "writing CoNLL-U", "all")
    assert parts == {(effort, name) for effort in ("full", "balanced", "fast") for name in names}
    assert all(one["words_per_second"] > 0 for one in found)
    shown = laconic("bench", small_model, "--rounds", "1").out
    assert "templates/word" in shown
    assert "laconic bench MODEL FILE takes your own" in " ".join(shown.split())


@pytest.mark.parametrize("name", ["own.txt", "own.conllu", "-"])
def test_bench_takes_a_text_or_a_treebank(small_model: Path, tmp_path: Path, name: str) -> None:
    text = "La ship sails.\nWho waits?\n"
    data = text if name != "own.conllu" else package.load(small_model)(text).to_conllu()
    (tmp_path / name).write_text(data, "utf-8")
    path = name if name == "-" else tmp_path / name
    result = laconic("bench", small_model, path, "--rounds", "1", "--json", stdin=text.encode())
    assert result.code == 0, result.err
    words = len(package.load(small_model)(text))
    assert {one["words"] % words for one in json.loads(result.out)} == {0}
    assert "come with laconic" not in laconic("bench", small_model, path, "--rounds", "1", stdin=text.encode()).out


def test_bench_counts_the_templates_of_a_short_text_as_often_as_it_is_measured(small_model: Path) -> None:
    text = "La ship sails.\nWho waits?\n"
    found = json.loads(laconic("bench", small_model, "-", "--rounds", "1", "--json", stdin=text.encode()).out)
    counted = {(one["effort"], one["component"]): one["templates"] for one in found}
    nlp = package.load(small_model)
    for effort in nlp.efforts:
        doc, costs = measured(nlp.at(effort), text)
        for cost in costs:
            assert counted[effort, cost.component] == pytest.approx(cost.templates / len(doc), abs=0.001)


def test_bench_measures_a_model_without_a_segmenter(small_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "tags.laconic"
    package.load(small_model).select("morphology").save(path)
    assert laconic("bench", path, "--rounds", "1").code == 0


def test_bench_of_nothing_is_bad_input(small_model: Path, tmp_path: Path) -> None:
    for name, data in (("a.txt", b" \n"), ("a.conllu", b"\n"), ("b.txt", b"\xff")):
        (tmp_path / name).write_bytes(data)
        result = laconic("bench", small_model, tmp_path / name)
        assert (result.code, result.err.count("\n")) == (1, 1)
        assert name in result.err


def test_the_text_of_bench_is_as_hard_as_real_text() -> None:
    """The English model notes how many templates a word it computed on its development data."""
    nlp = package.load("en")
    for effort, figures in nlp.provenance["scores"].items():
        doc, costs = measured(nlp.at(effort), bench_text())
        assert len(doc) > 3000
        found = sum(cost.templates for cost in costs) / len(doc)
        assert found == pytest.approx(figures["templates"], rel=0.15), effort


def test_info_lists_efforts_from_the_most_accurate_to_the_fastest(small_model: Path) -> None:
    facts = json.loads(laconic("info", small_model, "--json").out)
    for component in facts["components"].values():
        assert list(component["efforts"]) == ["full", "balanced", "fast"]
    shown = laconic("info", small_model).out
    assert shown.index("full") < shown.index("balanced") < shown.index("fast")
    assert "all components together" in shown
    assert "UPOS" in shown
