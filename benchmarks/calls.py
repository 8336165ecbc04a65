"""What a call costs: short texts, a page of short messages, a long text, loading a model, and threads.

    python -m benchmarks.calls MODEL [--effort balanced] [--rounds 3] [--peers DIR]

Texts of nine words go one by one through the pipeline and together through `pipe`, a page of messages like those of
social media through `pipe`, and a long text through one call: microseconds of CPU a text and words a CPU second, in
turns, medians with their range. Where spaCy and its model are there they do the same. Loading and the command are
measured as processes of their own, CPU and wall time, beside a process that only imports NumPy, since all of them are
slowed by a busy machine alike. The page goes through 1, 2 and 4 threads, and must give the same documents. Texts are
made of the bundled ones. Writes docs/calls.md.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

from experiments.common import ROOT, arguments, command, write_report
from experiments.tables import header, line, ratio
from experiments.timing import cpu, in_turns

from benchmarks.peers import FILES, SPACY
from laconic import Doc, Pipeline, load
from laconic.pipeline.loading import path_of

REPORT = ROOT / "docs" / "calls.md"
SHORT = "The old ferry leaves the harbour at noon today."
MANY = 640
"""Short texts that `pipe` gets."""
ENDS = ("", "", " #news", " https://example.org/a1b2", " :)", "!!!", " #ferry #island", " lol")
THREADS = (1, 2, 4)
PROCESSES = {
    "NumPy imported": "import numpy",
    "`laconic.load`": "import laconic\nlaconic.load({model!r})",
    "`laconic.load`, one component": "import laconic\nlaconic.load({model!r}, ['segmenter'])",
}


def messages() -> list[str]:
    """Short messages, made of the sentences of the bundled text by a fixed draw."""
    draw = random.Random(1)
    text = files("laconic").joinpath("data", "bench.txt").read_text("utf-8")
    made = []
    for sentence in (part.strip() for part in text.replace("\n", " ").split(". ")):
        if sentence:
            opening = f"@user{draw.randrange(100)} " if draw.random() < 0.3 else ""
            made.append(f"{opening}{sentence[: draw.randrange(40, 280)]}{draw.choice(ENDS)}")
    return made


def long_text() -> str:
    return files("laconic").joinpath("data", "bench.txt").read_text("utf-8")


def works(nlp: Any) -> dict[str, Callable[[], object]]:
    """The same for laconic and for spaCy, whose pipelines are called alike."""
    page, text = messages(), long_text()
    return {
        "nine words, a call each": lambda: [nlp(SHORT) for _ in range(MANY)],
        "nine words, together": lambda: [None for _ in nlp.pipe([SHORT] * MANY)],
        "a page of messages": lambda: [None for _ in nlp.pipe(page)],
        "a long text": lambda: nlp(text),
    }


def sizes(nlp: Pipeline) -> dict[str, tuple[int, int]]:
    """Texts and words of each work."""
    page = messages()
    short = MANY * len(nlp(SHORT))
    words = sum(len(doc) for doc in nlp.pipe(page))
    counts = [(MANY, short), (MANY, short), (len(page), words), (1, len(nlp(long_text())))]
    return dict(zip(works(nlp), counts, strict=True))


def spacy_pipeline(peers: Path) -> Any:
    try:
        import spacy  # type: ignore[import-not-found]

        return spacy.load(peers / FILES[SPACY])
    except (ImportError, OSError) as error:
        print(f"without spaCy: {error}", file=sys.stderr)
        return None


def of_process(arguments: list[str]) -> tuple[float, float]:
    """CPU and wall seconds of a process from its start to its end."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    # With compiled modules kept, as after an installation.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, env=settings)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.monotonic() - begun


def starts(model: str, rounds: int) -> dict[str, list[tuple[float, float]]]:
    commands = {name: [sys.executable, "-c", code.format(model=model)] for name, code in PROCESSES.items()}
    commands["`laconic parse` of three words"] = [
        sys.executable,
        "-m",
        "laconic",
        "parse",
        "-m",
        model,
        "Ships sail on.",
    ]
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for given in commands.values():
        of_process(given)  # once before, so that everything is compiled and in memory
    for _ in range(rounds):
        for name, given in commands.items():
            found[name].append(of_process(given))
    return found


def threaded(nlp: Pipeline, rounds: int) -> dict[int, list[tuple[float, float]]]:
    """CPU and wall time of the page, many times over; the documents must be the same."""
    page = messages() * 20
    expected: list[Doc] | None = None
    found: dict[int, list[tuple[float, float]]] = {threads: [] for threads in THREADS}
    for _ in range(rounds):
        for threads in THREADS:
            begun, used = time.monotonic(), 0.0
            docs: list[Doc] = []
            used = cpu(lambda threads=threads, docs=docs: docs.extend(nlp.pipe(page, threads=threads)))  # type: ignore[misc]
            found[threads].append((used, time.monotonic() - begun))
            if expected is None:
                expected = docs
            elif docs != expected:
                sys.exit(f"{threads} threads give other documents")
    return found


def spread(values: list[float], digits: int) -> str:
    return f"{median(values):,.{digits}f} ({min(values):,.{digits}f} to {max(values):,.{digits}f})"


def report(
    nlp: Pipeline,
    seconds: dict[str, dict[str, list[float]]],
    begun: dict[str, list[tuple[float, float]]],
    threads: dict[int, list[tuple[float, float]]],
    rounds: int,
) -> list[str]:
    own, counts = seconds["laconic"], sizes(nlp)
    names = [name for name in seconds if name != "laconic"]
    lines = [
        "# What a call costs",
        "",
        f"Written by {command()}: {', '.join(nlp.components)}, effort {nlp.effort}, one thread, {rounds} rounds in "
        f"turns: medians with their range. The load of the machine's {os.cpu_count()} processors was "
        f"{os.getloadavg()[1]:.0f} processes at the end: compare ratios, not seconds.",
        "",
        *header("work", "words a text", "µs of CPU a text", "words/s of CPU", *(f"times {name}" for name in names)),
    ]
    for work, (texts, words) in counts.items():
        lines.append(
            line(
                work,
                f"{words / texts:,.1f}",
                spread([1e6 * one / texts for one in own[work]], 1),
                spread([words / one for one in own[work]], 0),
                *(ratio(seconds[name][work], own[work]) for name in names),
            )
        )
    page, text = ([counts[work][1] / one for one in own[work]] for work in ("a page of messages", "a long text"))
    shares = [a / b for a, b in zip(page, text, strict=True)]
    lines += [
        "",
        f"The page of messages goes at {spread(shares, 2)} of the speed of the long text. A call with a text makes a "
        "document and nothing else: reading its columns or writing them comes on top.",
        "",
        "## Start",
        "",
        "Processes from their start to their end, files in memory.",
        "",
        *header("process", "CPU s", "wall s", "CPU, times NumPy alone"),
    ]
    plain = [one[0] for one in begun["NumPy imported"]]
    for name, found in begun.items():
        used, wall = [one[0] for one in found], [one[1] for one in found]
        lines.append(line(name, spread(used, 3), spread(wall, 3), ratio(used, plain)))
    lines += [
        "",
        "## Threads",
        "",
        "The page twenty times over, through `pipe`; every number of threads gave the same documents.",
        "",
        *header("threads", "CPU s", "wall s", "wall, times as fast as one thread"),
    ]
    one_wall = [one[1] for one in threads[THREADS[0]]]
    for number, found in threads.items():
        used, wall = [one[0] for one in found], [one[1] for one in found]
        lines.append(line(str(number), spread(used, 2), spread(wall, 2), ratio(one_wall, wall)))
    return lines


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("model", help="a model file, or the name of a bundled model")
    parser.add_argument("--effort", default="balanced")
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    nlp = load(path_of(chosen.model)).at(chosen.effort)
    pipelines = {"laconic": nlp}
    if (peer := spacy_pipeline(chosen.peers)) is not None:
        pipelines[SPACY] = peer
    jobs = {(name, work): run for name, one in pipelines.items() for work, run in works(one).items()}
    timed = in_turns({f"{name}\t{work}": run for (name, work), run in jobs.items()}, chosen.rounds, cpu)
    seconds: dict[str, dict[str, list[float]]] = {name: {} for name in pipelines}
    for key, values in timed.items():
        name, _, work = key.partition("\t")
        seconds[name][work] = values
    begun = starts(chosen.model, chosen.rounds)
    write_report(REPORT, report(nlp, seconds, begun, threaded(nlp, chosen.rounds), chosen.rounds))


if __name__ == "__main__":
    main()
