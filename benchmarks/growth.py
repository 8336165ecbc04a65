"""How the cost of parsing grows: with the length of the text, with the length of a sentence, with threads.

    python -m benchmarks.growth MODEL [--largest 100] [--threads 4] [--effort balanced]

Texts of 1 KB to LARGEST MB, of the bundled sample repeated, go through the command (CPU time and peak memory of the
process), as lines and as one line; sentences of 10 to 100,000 words through the pipeline, many in a call; and one text
through 1 to THREADS threads, in turns (CPU and wall time, the medians of three rounds; the output must be the same).
Writes docs/growth.md and docs/growth.png.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from statistics import median

from experiments.common import ROOT, arguments, command, folder, write_report
from experiments.tables import header, line
from experiments.timing import cpu

from laconic import Doc, Pipeline, load, read
from laconic.pipeline.loading import path_of

REPORT = ROOT / "docs" / "growth.md"
ROUNDS = 3
LENGTHS = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
MEASURE = """
import json, resource, subprocess, sys, time
start = time.monotonic()
subprocess.run(sys.argv[1:], check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, time.monotonic() - start]))
"""


@dataclass(frozen=True)
class Measurement:
    """Of one process."""

    label: str
    size: int
    cpu: float
    peak: float
    wall: float
    digest: str = ""


def sample() -> str:
    return read(str(files("laconic").joinpath("data", "sample.conllu"))).text.strip() + "\n\n"


def of_command(model: Path, text: str, effort: str, threads: int, label: str) -> Measurement:
    """The text through the command; what the process and its like cost."""
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory) / "text.txt", Path(directory) / "out.conllu"
        source.write_text(text, encoding="utf-8")
        given = [sys.executable, "-m", "laconic", "parse", "-m", str(model), "-e", effort, "-j", str(threads)]
        done = subprocess.run(
            [sys.executable, "-c", MEASURE, *given, str(source), "-o", str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            sys.exit(done.stderr)
        with target.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return Measurement(label, source.stat().st_size, *json.loads(done.stdout), digest=digest)


def of_length(nlp: Pipeline, words: list[str], length: int) -> float:
    """CPU microseconds per word of sentences of so many words, at best of three."""
    sentence = (words * (1 + length // len(words)))[:length]
    times = max(1, 20_000 // length)
    docs = [Doc.from_words([sentence] * times) for _ in range(3)]
    best = min(cpu(partial(nlp, doc)) for doc in docs)
    return 1e6 * best / (times * length)


def median_of(costs: list[Measurement]) -> Measurement:
    """Of several rounds of the same work."""
    return replace(
        costs[0],
        cpu=median(cost.cpu for cost in costs),
        wall=median(cost.wall for cost in costs),
        peak=max(cost.peak for cost in costs),
        digest=" ".join(sorted({cost.digest for cost in costs})),
    )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("model", help="a model file, or the name of a bundled model")
    parser.add_argument("--largest", type=float, default=100.0, help="megabytes")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--effort", default="balanced")
    chosen = parser.parse_args()
    model = path_of(chosen.model)
    nlp = load(model).at(chosen.effort)
    piece = sample()
    sizes = [size for size in (1e3, 1e4, 1e5, 1e6, 1e7, 1e8) if size <= 1e6 * chosen.largest]
    texts: dict[str, list[Measurement]] = {"lines": [], "one line": []}
    for size in sizes:
        whole = piece * (1 + int(size) // len(piece.encode()))
        for shape, text in (("lines", whole), ("one line", " ".join(whole.split()))):
            print(f"{shape}, {size / 1e6:g} MB", file=sys.stderr)
            texts[shape].append(of_command(model, text[: int(size)], chosen.effort, 1, shape))
    words = piece.split()
    sentences = {length: of_length(nlp, words, length) for length in LENGTHS}
    whole = piece * (1 + int(min(10.0, chosen.largest) * 1e6) // len(piece.encode()))
    rounds = [
        [of_command(model, whole, chosen.effort, number, str(number)) for number in range(1, chosen.threads + 1)]
        for _ in range(ROUNDS)
    ]
    threads = [median_of(list(costs)) for costs in zip(*rounds, strict=True)]
    write_report(REPORT, report(texts, sentences, threads, nlp, chosen.effort))
    plot(texts, sentences, threads, folder(REPORT) / "growth.png")


def report(
    texts: dict[str, list[Measurement]],
    sentences: dict[int, float],
    threads: list[Measurement],
    nlp: Pipeline,
    effort: str,
) -> list[str]:
    busy = f"Load average {os.getloadavg()[1]:.1f}, this work included. " if hasattr(os, "getloadavg") else ""
    same = "the same" if len({cost.digest for cost in threads}) == 1 else "**not the same**"
    return [
        "# How cost grows",
        "",
        f"Written by {command()}: {', '.join(nlp.components)}, effort {effort}. CPU time is of the whole process, loading included.",
        "",
        "## With the length of the text",
        "",
        *header("text", "bytes", "CPU s", "MB/s", "peak, MB"),
        *(
            line(
                cost.label, f"{cost.size:,}", f"{cost.cpu:.2f}", f"{cost.size / 1e6 / cost.cpu:.2f}", f"{cost.peak:.0f}"
            )
            for costs in texts.values()
            for cost in costs
        ),
        "",
        "## With the length of a sentence",
        "",
        *header("words", "µs a word"),
        *(line(f"{length:,}", f"{cost:.2f}") for length, cost in sentences.items()),
        "",
        "## With threads",
        "",
        f"{threads[0].size / 1e6:.1f} MB of text on a machine with {os.cpu_count()} cores. The output is {same}. "
        f"{busy}Where other work shares the cores, wall time says little; CPU time says what threads cost.",
        "",
        *header("threads", "CPU s", "against one thread", "wall s", "peak, MB"),
        *(
            line(
                cost.label,
                *(f"{one:.2f}" for one in (cost.cpu, cost.cpu / threads[0].cpu, cost.wall)),
                f"{cost.peak:.0f}",
            )
            for cost in threads
        ),
        "",
        "![cost against length and threads](growth.png)",
    ]


def plot(
    texts: dict[str, list[Measurement]], sentences: dict[int, float], threads: list[Measurement], path: Path
) -> None:
    try:
        import matplotlib
    except ImportError:
        print("no figure: pip install matplotlib", file=sys.stderr)
        return
    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(12, 3.8))
    for shape, costs in texts.items():
        left.loglog([cost.size for cost in costs], [cost.cpu for cost in costs], "o-", label=f"{shape}, CPU s")
    left.loglog(
        [cost.size for cost in texts["one line"]],
        [cost.peak / 100 for cost in texts["one line"]],
        "s--",
        color="#888888",
        label="peak, 100 MB",
    )
    left.set_xlabel("bytes of text")
    left.legend()
    middle.semilogx(list(sentences), list(sentences.values()), "o-")
    middle.set_ylim(bottom=0)
    middle.set_xlabel("words in a sentence")
    middle.set_ylabel("µs a word")
    right.plot([int(cost.label) for cost in threads], [cost.cpu for cost in threads], "o-", label="CPU s")
    right.plot([int(cost.label) for cost in threads], [cost.wall for cost in threads], "o-", label="wall s")
    right.set_ylim(bottom=0)
    right.set_xlabel("threads")
    right.set_xticks([int(cost.label) for cost in threads])
    right.legend()
    for axes in (left, middle, right):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
