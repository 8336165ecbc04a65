"""The scripts in ``experiments``: a trial run does not replace what is kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic
from experiments import __main__ as experiments
from experiments import tuning
from experiments.common import command
from experiments.curves import CurveReport, Point, best_within, pooled_table

from laconic.corpus import Doc
from laconic.evaluate import Counts, Scores
from laconic.learn import Settings, Uniform
from laconic.search.journal import Journal

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "experiments" / "chang2007" / "table1.md"
REPORTS = sorted((*(ROOT / "experiments").glob("*/*.md"), *(ROOT / "docs").glob("*.md")))


def run(directory: Path, *arguments: str | Path) -> str:
    """What a module of the clone prints, run with another folder as the current one."""
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(
        command, cwd=directory, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    return done.stdout


def rows(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if line.startswith("| tiny")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with a treebank of its own."""
    treebank = tmp_path / "ud" / "tiny"
    treebank.mkdir(parents=True)
    for name, count in (("train", 30), ("dev", 10)):
        (treebank / f"{name}.conllu").write_text(synthetic.conllu(count, 1), "utf-8")
    return tmp_path


def test_a_run_with_other_arguments_keeps_the_table_and_writes_beside_it(data: Path) -> None:
    before = KEPT.read_bytes()
    module = "experiments.chang2007.table1"
    whole = rows(run(data, module, "--data", data, "tiny"))
    part = rows(run(data, module, f"--data={data}", "tiny", "--sentences", "5"))
    assert KEPT.read_bytes() == before
    assert len(whole) == len(part) == 3
    assert whole != part  # the option is heeded
    written = (data / "build" / "table1.md").read_text("utf-8")
    assert f"Written by `python -m {module} tiny --sentences 5`:" in written
    assert all(row in written for row in part)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Unix")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_list_that_nobody_reads_to_its_end_ends_quietly(unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "experiments", "list"]
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(command, cwd=ROOT, env=environment, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_experiment_is_listed_with_data_and_time_and_run_by_its_name(data: Path) -> None:
    listed = run(data, "experiments", "list")
    assert "chang2007.table1 " in listed
    assert "benchmarks.side_by_side " in listed
    assert listed.count("data: ") == listed.count("; time: ") > 20
    printed = run(data, "experiments", "run", "chang2007.table1", "--data", data, "tiny", "--sentences", "5")
    assert len(rows(printed)) == 3
    assert "Written by `python -m experiments.chang2007.table1 tiny --sentences 5`:" in printed


@pytest.mark.parametrize(
    "arguments",
    [
        ("experiments", "list", "tables"),
        ("experiments", "run"),
        ("experiments", "run", "nothing"),
        ("experiments", "run", "--all", "chang2007.table1"),
        ("experiments", "run", "--again", "chang2007.table1"),
        ("benchmarks.pseudo_projective",),
    ],
)
def test_wrong_arguments_are_refused_without_a_traceback(arguments: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(subprocess.CalledProcessError) as failed:
        run(tmp_path, *arguments)
    assert failed.value.stderr
    assert "Traceback" not in failed.value.stderr


def test_the_index_has_whole_commands_and_adds_times_up() -> None:
    entries = {entry.name: entry for entry in experiments.index()}
    tables = entries["chang2007.tables2to5"]
    assert [one.split()[:3] for one in tables.commands] == [["python", "-m", tables.module]] * 2
    assert entries["chang2007.table1"].minutes == 0.5
    assert replace(tables, time="timed: 1½ hours on a busy machine; 30 CPU s").minutes == 90.5
    assert replace(tables, time="not recorded").minutes == 0


def test_a_run_of_all_leaves_out_what_ended_before(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[str] = []

    def run(commands: Sequence[str]) -> None:
        if len(started) == 3 and "stop" not in started:
            started.append("stop")
            sys.exit("killed")
        started.extend(commands)

    monkeypatch.setattr(experiments, "run_commands", run)
    monkeypatch.setattr(experiments, "DONE", tmp_path / "done.jsonl")
    with pytest.raises(SystemExit):
        experiments.run_all(again=False)
    experiments.run_all(again=False)
    papers = [entry for entry in experiments.index() if entry.part.startswith(experiments.PAPERS)]
    assert [one for one in started if one != "stop"] == [one for entry in papers for one in entry.commands]
    experiments.run_all(again=True)
    assert started[-1] == papers[-1].commands[-1]
    assert started.count(started[0]) == 2


def test_small_development_sets_are_judged_by_folds_over_all_sentences() -> None:
    table1 = pytest.importorskip("experiments.he2013.table1")
    train, dev = (Doc.from_conllu(synthetic.conllu(count, seed=seed)) for seed, count in ((1, 13), (2, 4)))

    def sentences(*docs: Doc) -> list[str]:
        return sorted(one.sentences[i : i + 1].to_conllu() for one in docs for i in range(len(one.sentences)))

    (as_it_is,) = table1.splits(train, dev, 10, 3, 0)
    assert as_it_is.train == train.sentences[:10]
    assert (len(as_it_is.first.sentences), len(as_it_is.second.sentences)) == (1, 2)
    folds = list(table1.splits(train, dev, 1000, 1000, 5))
    assert len(folds) == 5
    for fold in folds:
        assert sentences(fold.train, fold.first, fold.second) == sentences(train, dev)
    assert sentences(*(part for fold in folds for part in (fold.first, fold.second))) == sentences(train, dev)
    (enough,) = table1.splits(train, Doc.concatenate([dev] * 125), 1000, 1000, 5)
    assert len(enough.first.sentences) == 250


def test_of_many_trials_the_best_are_run_again_with_more_data(tmp_path: Path) -> None:
    runs: list[tuple[float, float]] = []

    def score(settings: Settings, share: float) -> float:
        runs.append((settings.margin, share))
        return -abs(settings.margin - 2) if share == 1 else settings.margin

    def found() -> Settings:
        space = {"margin": Uniform(1.0, 3.0)}
        return tuning.best(Settings(rate=0.5), space, score, 30, Journal(tmp_path / "tried.jsonl"), "data")

    chosen = found()
    margins = {share: [margin for margin, one in runs if one == share] for share in (1 / 16, 1 / 4, 1)}
    assert [len(some) for some in margins.values()] == [30, 6, 2]
    assert sorted(margins[1 / 4]) == sorted(margins[1 / 16])[-6:]
    assert chosen.margin == min(margins[1], key=lambda margin: abs(margin - 2))
    assert chosen.rate == 0.5
    runs.clear()
    assert found() == chosen
    assert not runs


def test_an_experiment_may_have_rounds_of_its_own(tmp_path: Path) -> None:
    shares: list[float] = []

    def score(settings: Settings, share: float) -> float:
        shares.append(share)
        return settings.margin

    space, tried = {"margin": Uniform(1.0, 3.0)}, Journal(tmp_path / "tried.jsonl")
    tuning.best(Settings(), space, score, 20, tried, rounds=((1 / 32, 1.0), (1 / 8, 1 / 10)))
    assert shares == [1 / 32] * 20 + [1 / 8] * 2


def test_a_share_of_the_data_is_tried_at_the_rate_that_stands_for_all_of_it(tmp_path: Path) -> None:
    rates: dict[float, set[float]] = {}

    def score(settings: Settings, share: float) -> float:
        rates.setdefault(share, set()).add(settings.rate)
        return 0.0

    tuning.best(Settings(rate=0.5), {}, score, 30, Journal(tmp_path / "tried.jsonl"))
    assert rates == {1 / 16: {2.0}, 1 / 4: {1.0}, 1.0: {0.5}}


def test_sets_of_data_are_put_together_by_their_sentences() -> None:
    def point(name: str, correct: Sequence[int], words: int, seconds: float) -> Point:
        counts = Counts(np.array(correct), np.full(len(correct), words), np.full(len(correct), words))
        return Point(name, Scores({"UPOS": counts}), {"UPOS": 0.0}, words, 1.0, lambda: None, [seconds, seconds])

    both, one = (
        {
            "baseline": [point("all", every, words, slow)],
            "ours": [point("all", every, words, slow), point("few", some, words, 1.0)],
        }
        for every, some, words, slow in (([8, 10], [8, 8], 10, 2.0), ([20], [20], 20, 4.0))
    )
    baseline, _, few = (row.strip("| ").split(" | ") for row in list(pooled_table([both, one]))[2:])
    assert baseline[:3] == ["baseline", "all", "95.00"]
    assert few[:3] == ["ours", "few", "90.00"]
    assert few[3].startswith("+5.00 (")
    assert few[3] == few[4]
    assert few[5:] == ["15.0", "3.0 (3.0 to 3.0)"]


def test_a_report_of_curves_puts_together_what_has_the_same_metric(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(ROOT / "experiments" / "curves.py")])

    def point(metric: str, name: str, correct: Sequence[int], templates: float) -> Point:
        counts = Counts(np.array(correct), np.full(len(correct), 10), np.full(len(correct), 10))
        scores = Scores(dict.fromkeys(("LAS", "UAS"), counts))
        return Point(name, scores, {metric: scores[metric].f1}, templates, 1.0, lambda: sum(range(1000)))

    def curves(metric: str, *extra: str) -> dict[str, list[Point]]:
        whole = {name: [point(metric, "all", [9, 9], 60.0)] for name in ("baseline", *extra, "ours")}
        return {**whole, "ours": [*whole["ours"], point(metric, "few", [8, 9], 6.0)]}

    report = CurveReport(tmp_path / "table.md", [f"Written by {command()}:"], 1, end=["", "the end"])
    for name, some in (("one", curves("LAS", "fixed")), ("heads", curves("UAS"))):
        report.add(name, some)
    assert "## Together" not in (tmp_path / "table.md").read_text("utf-8")
    report.add("two", curves("LAS"))
    text = (tmp_path / "table.md").read_text("utf-8")
    _, _, together = text.partition("## Together\n")
    rows = [row.strip("| ").split(" | ")[:3] for row in together.splitlines() if row.startswith("| ")][2:]
    assert rows == [["baseline", "all", "90.00"], ["ours", "all", "90.00"], ["ours", "few", "85.00"]]
    assert text.endswith("the end\n")
    assert list(report.with_model("fixed")) == ["one"]
    assert best_within(curves("LAS")["ours"], 10) == 85.0
    assert best_within(curves("LAS")["ours"], 1) == 0.0


@pytest.mark.parametrize("report", REPORTS, ids=lambda path: path.name)
def test_a_report_names_a_module_that_exists(report: Path) -> None:
    """Otherwise the run that is to replace it would write elsewhere."""
    for line in report.read_text("utf-8").splitlines():
        if line.startswith("Written by `"):
            start, _, module = line.partition("`")[2].partition("`")[0].partition(" -m ")
            assert start == "python"
            assert (ROOT / (module.split()[0].replace(".", "/") + ".py")).is_file()
