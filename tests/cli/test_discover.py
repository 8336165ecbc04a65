"""The verbs ``discover`` and ``order``."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.command import laconic
from synthetic import conllu

from laconic.features import KINDS, parse_set, read_set
from laconic.search.costs import NAMES, CostModel

KIND = KINDS["transition"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("treebank")
    for name, seed in (("train", 1), ("dev", 2)):
        (folder / f"{name}.conllu").write_text(conllu(60, seed))
    return folder / "train.conllu", folder / "dev.conllu"


def discover(files: tuple[Path, Path], output: Path, *more: str | Path) -> object:
    return laconic(
        *("discover", "--train", files[0], "--dev", files[1], "-o", output, "--rules", "nilsson2010", "-j", "1"),
        *("--beam", "2", "--generations", "3", "--set", "parser.system=arc-eager", *more),
    )


def test_a_discovered_set_is_written_drawn_and_trained_with(files: tuple[Path, Path], tmp_path: Path) -> None:
    output, picture = tmp_path / "mine.templates", tmp_path / "mine.png"
    pytest.importorskip("matplotlib")
    done = discover(files, output, "--plot", picture)
    assert done.code == 0, done.err  # type: ignore[attr-defined]
    assert "report: LAS" in done.err  # type: ignore[attr-defined]
    found = read_set(output, KIND)
    assert len(found) in (1, 3, 6)
    assert "# made by: laconic" in output.read_text()
    assert picture.read_bytes()[:4] == b"\x89PNG"
    model = tmp_path / "my.laconic"
    trained = laconic(
        *("train", "--train", files[0], "--components", "parser", "-o", model, "--set", "parser.scorer=linear"),
        *("--set", f"parser.templates={output}", "--set", "parser.settings.epochs=1"),
        *("--set", "parser.label_settings.epochs=1"),
    )
    assert trained.code == 0, trained.err
    again = discover(files, output)
    assert again.code == 0  # type: ignore[attr-defined]
    assert read_set(output, KIND) == found


def test_rows_and_conjunctions_choose_the_size(files: tuple[Path, Path], tmp_path: Path) -> None:
    output, front = tmp_path / "mine.templates", tmp_path / "front.png"
    pytest.importorskip("matplotlib")
    done = discover(files, output, "--rows", "2", "--plot-front", front, "--threshold", "-100")
    assert done.code == 0, done.err  # type: ignore[attr-defined]
    assert len(read_set(output, KIND)) == 2
    assert "dropped templates until 2 were left" in output.read_text()
    assert front.exists()
    done = discover(files, output, "--conjunctions", "1")
    assert done.code == 0, done.err  # type: ignore[attr-defined]
    assert "pairs and triples" in output.read_text()


@pytest.mark.parametrize("scorer", ["linear", "hidden"])
def test_templates_of_a_given_set_are_dropped(files: tuple[Path, Path], tmp_path: Path, scorer: str) -> None:
    whole, output = tmp_path / "whole.templates", tmp_path / "mine.templates"
    whole.write_text("UPOS(STACK0)\nUPOS(QUEUE0)\nSUFFIX2(STACK0)\nDEP(STACK5)\n")
    common = ("discover", "--train", files[0], "--dev", files[1], "-o", output, "--from", whole)
    hidden = ("--set", "parser.scorer=hidden", "--set", "parser.hidden.epochs=1") if scorer == "hidden" else ()
    done = laconic(*common, "--from", whole, "--rows", "3", *hidden)  # each template once
    assert done.code == 0, done.err
    assert "4 templates: LAS" in done.err
    left = read_set(output, KIND)
    assert len(left) == 3
    assert set(left) < set(read_set(whole, KIND))
    assert "# made by: laconic" in output.read_text()
    done = laconic(*common, *hidden)
    assert done.code == 2
    assert "--from needs --rows" in " ".join(done.err.split())


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--beam", "8"), "--beam would have no effect"),  # also as by default
        (("-j", "1"), "--processes would have no effect"),
        (("--generations", "3", "--threshold", "1"), "--generations, --threshold would have no effect"),
        (("--budget", "900ns", "--costs", "costs.json"), "--budget, --costs would have no effect"),
        (("--rules", "transition"), "--rules would have no effect"),
        (("--conjunctions", "2", "--plot", "mine.png"), "--conjunctions, --plot would have no effect"),
    ],
)
def test_options_of_a_search_are_refused_where_nothing_is_searched(
    files: tuple[Path, Path], tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    output = tmp_path / "mine.templates"
    done = laconic(
        *("discover", "--train", files[0], "--dev", files[1], "-o", output, "--from", "parser", "--rows", "3", *more)
    )
    assert done.code == 2
    assert said in " ".join(done.err.replace("│", " ").split())
    assert not output.exists()


def test_a_budget_is_kept_and_timed(files: tuple[Path, Path], tmp_path: Path) -> None:
    output, costs = tmp_path / "mine.templates", tmp_path / "costs.json"
    CostModel((10.0, 10.0, 1.0, 1.0, 1.0, 5.0, 6.0, 7.0)[: len(NAMES)]).write(costs)
    done = discover(files, output, "--budget", "120ns", "--costs", costs, "--threshold", "-100")
    assert done.code == 0, done.err  # type: ignore[attr-defined]
    assert "ns counted" in done.err  # type: ignore[attr-defined]
    assert "(chosen)" in done.err  # type: ignore[attr-defined]
    assert len(parse_set(output.read_text(), KIND)) >= 1
    done = discover(files, output, "--budget", "1ns", "--costs", costs)
    assert done.code != 0  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--budget", "soon"), "a budget is a number of nanoseconds"),
        (("--rules", "token"), "are for token"),
        (("--beam", "0"), "a beam and generations from 1 on"),
        (("--set", "parser.system=chain"), "system"),
        (("--set", "parser"), "KEY=VALUE"),
        (("--costs", "costs.json"), "--costs has no effect without --budget"),
    ],
)
def test_wrong_usage_is_said(files: tuple[Path, Path], tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    done = discover(files, tmp_path / "mine.templates", *more)
    assert done.code == 2  # type: ignore[attr-defined]
    assert said in " ".join(done.err.split())  # type: ignore[attr-defined]


def test_an_order_is_learned_and_written(files: tuple[Path, Path], tmp_path: Path) -> None:
    output = tmp_path / "mine.templates"
    done = laconic(
        *("order", "moves", "--train", files[0], "--dev", files[1], "-o", output, "--strategy", "pursuit", "-j", "1"),
        *("--keep", "2", "--set", "parser.templates=POS(STACK0)\nPOS(QUEUE0)\nPOS(STACK1)"),
    )
    assert done.code == 0, done.err
    assert len(read_set(output, KIND)) == 2
    assert "Order is meaning" in output.read_text()
    wrong = laconic("order", "parser", "--train", files[0], "--dev", files[1], "-o", output)
    assert wrong.code == 2
    assert "moves" in wrong.err


def test_an_order_of_a_graph_parser_has_groups(files: tuple[Path, Path], tmp_path: Path) -> None:
    output = tmp_path / "mine.templates"
    asked = ("order", "graph", "--train", files[0], "--dev", files[1], "-o", output, "-j", "1")
    done = laconic(
        *(*asked, "--groups", "3", "--strategy", "gain-per-cost", "--set", "graph.scorer=linear"),
        *("--set", "graph.templates=UPOS(HEAD)\nUPOS(MOD)\nUPOS(HEAD) & UPOS(MOD)"),
    )
    assert done.code == 0, done.err
    written = read_set(output, KINDS["candidate"])
    assert len(written) == 3
    assert written.group_ends[0] == 1
    wrong = laconic(*asked, "--strategy", "luck")
    assert wrong.code == 2
    assert "gain-per-cost" in wrong.err


def test_what_could_not_be_used_or_drawn_is_refused_before_the_search(files: tuple[Path, Path], tmp_path: Path) -> None:
    done = discover(files, tmp_path / "mine.txt")
    assert done.code == 2  # type: ignore[attr-defined]
    assert ".templates" in done.err  # type: ignore[attr-defined]
    done = discover(files, tmp_path / "mine.templates", "--plot-front", tmp_path / "front.png")
    assert done.code == 2  # type: ignore[attr-defined]
    assert "--rows" in done.err  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


def test_a_picture_that_could_not_be_drawn_is_refused_before_the_search(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib")
    done = discover(files, tmp_path / "mine.templates", "--plot", tmp_path / "mine.xyz")
    assert done.code == 2  # type: ignore[attr-defined]
    assert "png" in done.err  # type: ignore[attr-defined]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("tagger.settings.epochs=2", "would change nothing"),
        ("train=other.conllu", "would change nothing"),
        ("parser.hidden_templates=POS(STACK0)", "would change nothing"),
    ],
)
def test_settings_that_would_change_nothing_are_refused(
    files: tuple[Path, Path], tmp_path: Path, setting: str, said: str
) -> None:
    done = discover(files, tmp_path / "mine.templates", "--set", setting)
    assert done.code == 2  # type: ignore[attr-defined]
    assert said in " ".join(done.err.split())  # type: ignore[attr-defined]
    ordered = laconic(
        *("order", "moves", "--train", files[0], "--dev", files[1], "-o", tmp_path / "mine.templates", "--set", setting)
    )
    assert ordered.code == 2
    assert said in " ".join(ordered.err.split())


def _without(text: str, *columns: int) -> str:
    """The treebank with some columns emptied."""
    lines = [line.split("\t") for line in text.split("\n")]
    for fields in lines:
        for column in columns if len(fields) == 10 else ():
            fields[column] = "_"
    return "\n".join("\t".join(fields) for fields in lines)


def test_faults_of_development_data_are_called_that(files: tuple[Path, Path], tmp_path: Path) -> None:
    dev = files[1].read_text()
    odd = tmp_path / "odd.conllu"
    output = tmp_path / "mine.templates"
    odd.write_text(_without(dev, 6, 7))
    for done in (
        discover((files[0], odd), output),
        laconic("order", "moves", "--train", files[0], "--dev", odd, "-o", output, "-j", "1"),
    ):
        assert done.code == 1  # type: ignore[attr-defined]
        assert "some words of the development data have no head" in done.err  # type: ignore[attr-defined]
    odd.write_text(dev.split("\n\n")[0] + "\n\n")
    done = discover((files[0], odd), output)
    assert done.code == 1  # type: ignore[attr-defined]
    assert "the development data has no words" in done.err  # type: ignore[attr-defined]


def test_labels_cannot_be_scored_where_there_are_none(files: tuple[Path, Path], tmp_path: Path) -> None:
    both = tmp_path / "train.conllu", tmp_path / "dev.conllu"
    for bare, file in zip(both, files, strict=True):
        bare.write_text(_without(file.read_text(), 7))
    done = discover(both, tmp_path / "mine.templates")
    assert done.code == 1  # type: ignore[attr-defined]
    assert "the training data has no labels" in done.err  # type: ignore[attr-defined]
    done = discover((files[0], both[1]), tmp_path / "mine.templates")
    assert done.code == 1  # type: ignore[attr-defined]
    assert "the development data has no labels" in done.err  # type: ignore[attr-defined]
    done = discover(both, tmp_path / "mine.templates", "--score", "uas", "--generations", "1")
    assert done.code == 0, done.err  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("component", "kind"),
    [("labeler", "edge"), ("tensor_labeler", "node"), ("graph", "candidate"), ("tagger", "token")],
)
def test_features_of_other_components_are_discovered(
    files: tuple[Path, Path], tmp_path: Path, component: str, kind: str
) -> None:
    output = tmp_path / "mine.templates"
    data = ("--train", files[0], "--dev", files[1], "-o", output, "-j", "1")
    done = laconic("discover", "--component", component, *data, "--beam", "1", "--generations", "2")
    assert done.code == 0, done.err
    assert "report: " in done.err
    assert len(read_set(output, KINDS[kind])) >= 1
    for more, said in (
        (("--budget", "900ns"), "--budget is for the parser"),
        (("--set", "parser.system=arc-eager"), "would change nothing"),
        (("--rules", "nilsson2010"), "are for transition"),
    ):
        wrong = laconic("discover", "--component", component, *data, *more)
        assert wrong.code == 2
        assert said in " ".join(wrong.err.split())
    unknown = laconic("discover", "--component", "segmenter", *data)
    assert unknown.code == 2
    assert "tensor_labeler" in unknown.err
