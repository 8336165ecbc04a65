"""Raw text to CoNLL-U, side by side: laconic, UDPipe and spaCy on the same text, one thread, in turns.

    python benchmarks/side_by_side.py MODEL [--data DIR] [--peers DIR] [--rounds 3] [--out docs]

Measures on the raw text of the development set of UD English EWT: F1 by the official scorer, words per CPU second and
the ratio with its spread over the rounds, memory, load time and size of the model. Where MODEL has no parser the peers
go without theirs. Needs the treebank and the peers' models, and `pip install ufal.udpipe spacy udtools matplotlib` for
what is to be compared; says what is missing and goes on without it. Writes OUT/side_by_side.md and OUT/side_by_side.png.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX")
TREES = ("UAS", "LAS", "CLAS", "MLAS", "BLEX")
LEAST = 0.5
"""CPU seconds that a turn takes at least, so that fast systems are timed as well as slow ones."""
Run = Callable[[str], Any]


@dataclass
class System:
    """What is measured. ``run`` is timed; ``written`` makes CoNLL-U of what it returns."""

    name: str
    kind: str
    model: Path
    run: Run
    written: Callable[[Any], str]
    effort: str | float = ""
    shown: bool = True
    """In the table; else only a point of the curve."""
    seconds: list[float] = field(default_factory=list)
    scores: dict[str, float] = field(default_factory=dict)

    def turn(self, text: str) -> None:
        """CPU seconds for the text once."""
        start, times = time.process_time(), 0
        while times == 0 or time.process_time() - start < LEAST:
            self.run(text)
            times += 1
        self.seconds.append((time.process_time() - start) / times)


def laconic(model: Path, effort: str | float, parser: bool) -> System:
    from laconic import load

    nlp = load(model).at(effort)

    def run(text: str) -> bytes:
        return nlp(text).columns.to_conllu()

    name = f"laconic, {effort}"
    return System(name, "laconic", model, run, bytes.decode, effort, isinstance(effort, str))


def udpipe(model: Path, effort: str | float, parser: bool) -> System:
    from ufal.udpipe import Model, Pipeline  # type: ignore[import-untyped]

    loaded = Model.load(str(model))
    if loaded is None:
        raise OSError(f"{model} is missing")
    pipe = Pipeline(loaded, "tokenize", Pipeline.DEFAULT, Pipeline.DEFAULT if parser else Pipeline.NONE, "conllu")
    return System("UDPipe 1", "udpipe", model, lambda text, keep=loaded: pipe.process(text), str)


def spacy(model: Path, effort: str | float, parser: bool) -> System:
    import spacy as package  # type: ignore[import-not-found]

    nlp = package.load(model, exclude=[] if parser else ["parser"])
    if not parser:
        nlp.add_pipe("sentencizer")
    return System("spaCy 3.8", "spacy", model, lambda text: list(nlp.pipe(text.split("\n\n"))), spacy_conllu)


def spacy_conllu(docs: Any) -> str:
    """What spaCy found as CoNLL-U; not part of its time."""
    lines: list[str] = []
    for doc in docs:
        for sentence in doc.sents:
            words = [token for token in sentence if not token.is_space]
            number = {token.i: i for i, token in enumerate(words, 1)}
            for token in words:
                head = token.head
                while head.is_space and head.head.i != head.i:
                    head = head.head
                root = head.i == token.i or head.i not in number
                fields = (
                    number[token.i],
                    token.text,
                    token.lemma_ or "_",
                    token.pos_ or "_",
                    token.tag_ or "_",
                    str(token.morph) or "_",
                    (0 if root else number[head.i]) if token.dep_ else "_",
                    ("root" if root else token.dep_) if token.dep_ else "_",
                    "_",
                    "_" if token.whitespace_ else "SpaceAfter=No",
                )
                lines.append("\t".join(map(str, fields)))
            if words:
                lines.append("")
    return "\n".join(lines) + "\n"


LOADERS: dict[str, Callable[[Path, str | float, bool], System]] = {"laconic": laconic, "udpipe": udpipe, "spacy": spacy}


def scored(gold: Path, written: str, parser: bool) -> dict[str, float]:
    """F1 by the official scorer; by laconic's own, which gives the same numbers, where that is not installed."""
    import io

    try:
        from udtools.udeval import evaluate, load_conllu  # type: ignore[import-not-found]
    except ImportError:
        from laconic.corpus import Doc, read
        from laconic.evaluate import evaluate as own

        found = own(read(gold), Doc.from_conllu(written), single_root=False)
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
    command = [sys.executable, __file__, str(system.model), "--alone", system.kind, "--effort", str(system.effort)]
    done = subprocess.run([*command, *(["--parser"] if parser else [])], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def measure_alone(kind: str, model: Path, effort: str, parser: bool) -> None:
    text = sys.stdin.read()
    start = time.process_time()
    system = LOADERS[kind](model, effort, parser)
    loaded = time.process_time() - start
    system.run(text)
    print(json.dumps({"load": loaded, "peak": peak()}))


def peak() -> float:
    """Megabytes that this process has needed. Not by ``getrusage`` where that counts what its parent needed, too."""
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def size_of(model: Path) -> float:
    files = [model] if model.is_file() else [path for path in model.rglob("*") if path.is_file()]
    return sum(path.stat().st_size for path in files) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = Path(__file__).resolve().parent.parent.parent / "shared"
    parser.add_argument("model", help="a model file, or the name of a bundled model")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", shared / "data")))
    parser.add_argument("--peers", type=Path, default=Path(os.environ.get("LACONIC_PEERS", shared / "peers")))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("docs"))
    parser.add_argument("--alone", choices=list(LOADERS), help=argparse.SUPPRESS)
    parser.add_argument("--effort", default="", help=argparse.SUPPRESS)
    parser.add_argument("--parser", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.alone:
        measure_alone(arguments.alone, Path(arguments.model), arguments.effort, arguments.parser)
        return
    gold = arguments.data / "ud" / "en_ewt" / "dev.conllu"
    if not gold.is_file():
        sys.exit(f"needs the development set of UD English EWT: {gold} (or --data, LACONIC_DATA)")

    from laconic import load, read
    from laconic.learn import TOLERANCES
    from laconic.pipeline.loading import path_of

    model = path_of(arguments.model)
    pipeline = load(model)
    trees = "parser" in pipeline.components
    systems = [laconic(model, effort, trees) for effort in (*pipeline.efforts, *TOLERANCES)]
    for load_peer, place in ((udpipe, "en_ewt.udpipe"), (spacy, "spacy_en_ewt")):
        try:
            systems.append(load_peer(arguments.peers / place, "", trees))
        except (ImportError, OSError) as error:
            print(f"{place} is left out: {error} (--peers or LACONIC_PEERS says where it is)", file=sys.stderr)
    doc = read(gold)
    text, words = doc.text, len(doc)
    for system in systems:
        system.scores = scored(gold, system.written(system.run(text)), trees)
    for number in range(arguments.rounds):
        for system in systems:
            print(f"round {number + 1}: {system.name}", file=sys.stderr)
            system.turn(text)
    arguments.out.mkdir(exist_ok=True)
    lines = report(systems, text, words, trees, arguments.rounds, Path(arguments.model).name)
    (arguments.out / "side_by_side.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))
    plot(systems, words, trees, arguments.out / "side_by_side.png")


def ratios(system: System, other: System) -> list[float]:
    return sorted(b / a for a, b in zip(system.seconds, other.seconds, strict=True))


def report(systems: list[System], text: str, words: int, trees: bool, rounds: int, model: str) -> list[str]:
    metrics = [name for name in METRICS if trees or name not in TREES]
    peers = [system for system in systems if system.kind != "laconic"]
    best = min(peers, key=lambda system: statistics.median(system.seconds), default=None)
    against = f"times {best.name}" if best else "no peer is installed"
    lines = [
        "# Side by side",
        "",
        f"Written by `python benchmarks/side_by_side.py {model}`: the raw text of the development set of UD English EWT ({words:,} words) to",
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
        each = ratios(system, best) if best else [1.0]
        spread = f"{statistics.median(each):.1f} ({each[0]:.1f} to {each[-1]:.1f})" if best else ""
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
        place, side = ((-8, -12), "right") if system.kind == "laconic" and number % 2 == 0 else ((8, 6), "left")
        axes.annotate(system.name, points[system.name], xytext=place, textcoords="offset points", ha=side)
    axes.set_xscale("log")
    axes.set_xlabel("words per CPU second, raw text to CoNLL-U, one thread")
    axes.set_ylabel(f"{metric}, F1 from raw text")
    axes.margins(x=0.25, y=0.2)
    axes.grid(alpha=0.3, which="both")
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
