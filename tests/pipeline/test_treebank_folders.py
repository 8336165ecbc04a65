"""``laconic train --ud``: folders of Universal Dependencies as they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.command import Result, laconic
from synthetic import conllu

from laconic.errors import ConfigError
from laconic.pipeline import load
from laconic.pipeline.ud_folder import TreebankFolder, treebanks_in

README = (
    "# Summary\n\nInvented.\n\n=== Machine-readable metadata ===\nData available since: UD v2.0\nLicense: CC BY 4.0\n"
)
QUICK = [
    *("--components", "segmenter,tagger"),
    *("--set", "segmenter.settings.epochs=1", "--set", "segmenter.folds=2"),
    *("--set", "tagger.settings.epochs=1", "--set", "tagger.folds=2"),
]


def treebank(place: Path, code: str, parts: tuple[str, ...] = ("train", "dev", "test")) -> Path:
    place.mkdir(parents=True)
    for seed, part in enumerate(parts):
        (place / f"{code}-ud-{part}.conllu").write_text(conllu(40, seed=seed), "utf-8")
    (place / "README.md").write_text(README, "utf-8")
    return place


def train(*arguments: str | Path) -> Result:
    return laconic("train", *arguments, *QUICK)


def test_parts_language_and_licence_are_read_off_the_folder(tmp_path: Path) -> None:
    found = TreebankFolder.read(treebank(tmp_path / "UD_Invented-Small", "xx_small"))
    assert (found.name, found.language, found.licence) == ("xx_small", "xx", "CC BY 4.0")
    assert [path and path.name for path in (found.train, found.dev, found.test)] == [
        f"xx_small-ud-{part}.conllu" for part in ("train", "dev", "test")
    ]
    plain = tmp_path / "yy_plain"
    plain.mkdir()
    (plain / "train.conllu").write_text(conllu(3), "utf-8")
    bare = TreebankFolder.read(plain)
    assert (bare.name, bare.language, bare.licence, bare.dev, bare.test) == ("yy_plain", "yy", "", None, None)


def test_one_folder_gives_a_model_its_card_and_its_scores(tmp_path: Path) -> None:
    folder = treebank(tmp_path / "UD_Invented-Small", "xx_small")
    done = train("--ud", folder, "-o", tmp_path / "xx.laconic")
    assert done.code == 0, done.err
    nlp = load(tmp_path / "xx.laconic")
    assert nlp.provenance["treebank"]["licence"] == "CC BY 4.0"
    facts = json.loads((tmp_path / "xx.json").read_text("utf-8"))
    assert (facts["name"], facts["language"], facts["licence"]) == ("xx_small", "xx", "CC BY 4.0")
    assert facts["test_scores"]["full"]["UPOS"] > 30
    assert facts["test_scores"] != facts["scores"]
    card = (tmp_path / "xx.md").read_text("utf-8")
    assert "## Scores, test data" in card
    before = (tmp_path / "xx.laconic").read_bytes()
    again = train("--ud", folder, "-o", tmp_path / "xx.laconic")
    assert (again.code, "is there already" in again.err) == (0, True)
    assert (tmp_path / "xx.laconic").read_bytes() == before
    # And it can be packaged with what it says of itself.
    packed = laconic("package", tmp_path / "xx.laconic", "--name", "xx_small", "-o", tmp_path / "dist")
    assert packed.code == 0, packed.err


def test_many_treebanks_make_a_table_that_is_resumed(tmp_path: Path) -> None:
    place = tmp_path / "ud"
    treebank(place / "UD_A-One", "aa_one")
    treebank(place / "UD_B-Two", "bb_two", ("train",))
    broken = treebank(place / "UD_C-Three", "cc_three")
    (broken / "cc_three-ud-dev.conllu").write_text("no treebank\n\n", "utf-8")
    treebank(place / "UD_D-Four", "dd_four", ("test",))
    treebank(place / "UD_E-Five", "ee_five", ("train-a", "train-b", "dev"))
    (place / "notes").mkdir()
    done = train("--ud", place, "-o", tmp_path / "out")
    assert done.code == 1
    assert "UD_D-Four: no training data" in done.err
    assert "UD_E-Five: training data in 2 files" in done.err
    assert "notes" not in done.err
    assert "cc_three-ud-dev.conllu:1" in done.err
    table = (tmp_path / "out" / "table.md").read_text("utf-8").splitlines()
    assert [line.split(" | ")[0] for line in table] == ["| treebank", "| ---", "| aa_one", "| bb_two", "| cc_three"]
    assert [line.split(" | ")[3] for line in table[2:4]] == ["test", "none"]
    assert "expected 10 fields" in table[4] or "cc_three-ud-dev.conllu:1" in table[4]
    first = (tmp_path / "out" / "aa_one.laconic").stat().st_mtime_ns
    (broken / "cc_three-ud-dev.conllu").write_text(conllu(40, seed=9), "utf-8")
    done = train("--ud", place, "-o", tmp_path / "out")
    assert done.code == 0, done.err
    assert (tmp_path / "out" / "aa_one.laconic").stat().st_mtime_ns == first
    assert [one["error"] for one in json.loads((tmp_path / "out" / "table.json").read_text("utf-8"))] == [""] * 3


def test_other_data_or_settings_are_trained_anew(tmp_path: Path) -> None:
    folder = treebank(tmp_path / "UD_Invented-Small", "xx_small", ("train", "dev"))
    assert train("--ud", folder, "-o", tmp_path / "xx.laconic").code == 0
    assert "wrote" in train("--ud", folder, "-o", tmp_path / "xx.laconic", "--seed", "5").err
    (folder / "xx_small-ud-train.conllu").write_text(conllu(41, seed=0), "utf-8")
    assert "wrote" in train("--ud", folder, "-o", tmp_path / "xx.laconic", "--seed", "5").err


def test_folders_that_are_none_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="neither a treebank nor a folder of treebanks"):
        treebanks_in(tmp_path)
    with pytest.raises(ConfigError, match="is no folder"):
        treebanks_in(tmp_path / "missing")
    with pytest.raises(ConfigError, match="join them into xx_cut-ud-train"):
        treebanks_in(treebank(tmp_path / "cut", "xx_cut", ("train-a", "train-b")))
    with pytest.raises(ConfigError, match="no training data"):
        TreebankFolder.read(treebank(tmp_path / "untrained", "xx_none", ("test",)))
    folder = treebank(tmp_path / "a", "xx_a")
    (folder / "xx_b-ud-train.conllu").write_text(conllu(3), "utf-8")
    with pytest.raises(ConfigError, match="several files of train data"):
        TreebankFolder.read(folder)
    (folder / "xx_b-ud-train.conllu").unlink()
    for options, message in (
        (("--train", "x"), "leave out one of the two"),
        (("--config", "x.toml"), "leave out --ud"),
        ((), "say where to write"),
    ):
        done = laconic("train", "--ud", folder, *options)
        assert (done.code, message in done.err) == (2, True), done.err
    treebank(tmp_path / "b", "xx_a")
    with pytest.raises(ConfigError, match="are both the treebank xx_a"):
        treebanks_in(tmp_path)
