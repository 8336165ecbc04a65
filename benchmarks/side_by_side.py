"""Raw text to CoNLL-U, side by side: laconic, UDPipe and spaCy on the same text, one thread, in turns.

    python -m benchmarks.side_by_side MODEL [--data DIR] [--peers DIR] [--rounds 3]

Measures on the raw text of the development set of UD English EWT: F1 by the official scorer, words per CPU second and
the ratio with its spread over the rounds, memory, load time and size of the model. Where MODEL has no parser the peers
go without theirs. Needs the treebank and the peers' models, and `pip install ufal.udpipe spacy udtools matplotlib` for
what is to be compared; says what is missing and goes on without it. Writes
docs/side_by_side.md and docs/side_by_side.png.
"""

from __future__ import annotations

import io
import json
import statistics
import subprocess
import sys
from pathlib import Path

from experiments.common import ROOT, arguments, command, folder, treebank_files, write_report
from experiments.tables import ratio
from experiments.timing import turn

from benchmarks.peers import System, fastest, laconic, systems
from laconic import load, read
from laconic.corpus import Doc
from laconic.evaluate import evaluate as own_evaluate
from laconic.learn import TOLERANCES
from laconic.pipeline.loading import path_of

REPORT = ROOT / "docs" / "side_by_side.md"

METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")
TREES = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")


def official_f1(gold: Path, written: str, parser: bool) -> dict[str, float]:
    """F1 by the official scorer; by laconic's own, which gives the same numbers, where that is not installed."""
    try:
        from udtools.udeval import evaluate, load_conllu  # type: ignore[import-not-found]
    except ImportError:
        found = own_evaluate(read(gold), Doc.from_conllu(written), single_root=False)
        return {name: found[name].f1 for name in METRICS if name in found}
    if not parser:  # the scorer wants trees: all words on the first
        written = "".join(map(with_some_tree, written.splitlines(keepends=True)))
    options = {"multiple_roots_okay": True}
    truth, answer = (load_conllu(io.StringIO(one), "", options) for one in (gold.read_text(encoding="utf-8"), written))
    found = evaluate(truth, answer)
    return {name: 100 * found[name].f1 for name in METRICS}


def with_some_tree(line: str) -> str:
    fields = line.split("\t")
    if len(fields) == 10 and fields[0].isdigit():
        fields[6:8] = ("0", "root") if fields[0] == "1" else ("1", "dep")
    return "\t".join(fields)


def alone(system: System, text: str, parser: bool) -> dict[str, float]:
    """Load time and memory of one system, in a process of its own."""
    given = [sys.executable, "-m", "benchmarks.peers", system.kind, system.model, str(system.effort)]
    done = subprocess.run([*given, *(["--parser"] if parser else [])], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def size_of(model: Path) -> float:
    files = [model] if model.is_file() else [path for path in model.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files) / 1e6


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("model", help="a model file, or the name of a bundled model")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    gold = treebank_files(chosen.data, "en_ewt")[1]
    model = path_of(chosen.model)
    pipeline = load(model)
    trees = "parser" in pipeline.components
    compared = [laconic(model, effort, trees) for effort in (*pipeline.efforts, *TOLERANCES)]
    compared += systems(chosen.peers, trees)
    doc = read(gold)
    text, words = doc.text, len(doc)
    for system in compared:
        system.scores = official_f1(gold, system.written(system.run(text)), trees)
    for number in range(chosen.rounds):
        for system in compared:
            print(f"round {number + 1}: {system.name}", file=sys.stderr)
            system.seconds.append(turn(lambda system=system: system.run(text)))  # type: ignore[misc]
    write_report(REPORT, report(compared, text, words, trees, chosen.rounds))
    plot(compared, words, trees, folder(REPORT) / "side_by_side.png")


def report(systems: list[System], text: str, words: int, trees: bool, rounds: int) -> list[str]:
    metrics = [name for name in METRICS if trees or name not in TREES]
    seconds = {system.name: system.seconds for system in systems}
    best = fastest(seconds)
    against = f"times {best}" if best else "no peer is installed"
    lines = [
        "# Side by side",
        "",
        f"Written by {command()}: the raw text of the development set of UD English EWT ({words:,} words) to",
        f"{'trees' if trees else 'tags and lemmas (this model has no parser, and the peers go without theirs)'} in CoNLL-U, one thread, CPU time, {rounds} rounds in turns. F1 by the official scorer. Load time and peak memory",
        "are of a process of its own, Python and all libraries included in the memory.",
        "",
        f"| system | {' | '.join(metrics)} | words/s | {against} | load, s | peak, MB | model, MB |",
        f"| --- |{' --- |' * (len(metrics) + 5)}",
    ]
    for system in systems:
        if not system.shown:
            continue
        own = alone(system, text, trees)
        spread = ratio(seconds[best], system.seconds) if best else ""
        scores = " | ".join(f"{system.scores[name]:.2f}" if name in system.scores else "" for name in metrics)
        lines.append(
            f"| {system.name} | {scores} | {words / statistics.median(system.seconds):,.0f} | {spread} "
            f"| {own['load']:.2f} | {own['peak']:.0f} | {size_of(system.model):.1f} |"
        )
    return [
        *lines,
        "",
        "The curve in the figure is laconic at tolerances from 0.0005 to 0.05. Writing CoNLL-U is part of the time of laconic and UDPipe; of spaCy only",
        "the analysis is timed. spaCy has no multiword tokens, which costs it words. The peers were trained with shortened schedules and are floors.",
        "",
        "![accuracy against speed](side_by_side.png)",
    ]


def plot(systems: list[System], words: int, trees: bool, path: Path) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no figure: pip install matplotlib", file=sys.stderr)
        return
    matplotlib.use("agg")
    from matplotlib import pyplot

    metric = "LAS" if trees else "UPOS"
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    points = {system.name: (words / statistics.median(system.seconds), system.scores[metric]) for system in systems}
    curve = sorted(points[system.name] for system in systems if system.kind == "laconic")
    axes.plot(*zip(*curve, strict=True), "-", color="#2563eb", alpha=0.5)
    for number, system in enumerate(systems):
        if not system.shown:
            continue
        colour = "#2563eb" if system.kind == "laconic" else "#b45309"
        axes.plot(*points[system.name], "o", color=colour)
        # Efforts lie close together: their names go to different sides.
        offset, side = ((-8, -12), "right") if system.kind == "laconic" and number % 2 == 0 else ((8, 6), "left")
        axes.annotate(system.name, points[system.name], xytext=offset, textcoords="offset points", ha=side)
    axes.set_xscale("log")
    axes.set_xlabel("words per CPU second, raw text to CoNLL-U, one thread")
    axes.set_ylabel(f"{metric}, F1 from raw text")
    axes.margins(x=0.25, y=0.2)
    axes.grid(alpha=0.3, which="both")
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
