"""What Ray Data and Spark cost beside the same work in plain processes, and laconic in spaCy beside spaCy's own.

    python -m benchmarks.engines [--copies 96] [--rounds 1]

The documents of the development set of EWT, so many copies of them, go from one Parquet file to others: in plain
processes (``laconic.pipeline.table_job``, a file for each), on Ray and on Spark, with one and two workers each.
Counted is the CPU time of all processes of the engine: of a job with one copy, and of one with all. The difference is
what the texts cost; what the small job costs beyond its own text is the cost of any job (processes that start, models
that load).
Workers' memory is their proportional share (PSS). In spaCy: the CPU time of ``nlp.pipe`` over the documents, in
turns. Then a model on paper of a large job. Writes docs/engines.md.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from itertools import product
from pathlib import Path
from statistics import median
from typing import NamedTuple

from experiments.common import ROOT, arguments, command, treebank, write_report
from experiments.tables import header, line, ratio

from laconic import load
from laconic.pipeline import Pipeline
from laconic.pipeline.table_files import TABLE_WRITERS, TableFile
from laconic.pipeline.table_job import TableJob
from laconic.pipeline.tables import TableSettings

REPORT = ROOT / "docs" / "engines.md"
MARK = "LACONIC_ENGINE"
COLUMNS = ["sentence", "id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "start", "end", "entity"]
TICKS = os.sysconf("SC_CLK_TCK")
MACHINES, CORES, TERABYTE = 100, 16, 1e12
WORKERS = (1, 2)


class JobCost(NamedTuple):
    """CPU seconds of a job with one copy of the texts, and of one with all; megabytes of each worker."""

    one: float
    all: float
    memory: list[float]


def cost(job: Callable[[Path, Path], None], clock: Callable[[], float], files: tuple[Path, Path], out: Path) -> JobCost:
    """Behind a first job, with which the engine gets going. The memory is for the caller to tell."""
    job(files[0], out / "first")
    times = [clock()]
    for number, file in enumerate(files):
        job(file, out / f"job-{number}")
        times.append(clock())
    return JobCost(times[1] - times[0], times[2] - times[1], [])


def marked() -> list[Path]:
    """The processes of the engine: those that have the mark of this run in their environment."""
    found, mark = [], f"{MARK}={os.environ[MARK]}".encode()
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (place / "environ").read_bytes():
                found.append(place)
        except OSError:
            continue
    return found


class CpuClock:
    """CPU seconds of all processes of the engine, those that have ended included: each is looked at ten times a second,
    and what it had used when it was last seen stays. Looking is not counted."""

    def __init__(self) -> None:
        self._spent: dict[tuple[str, str], int] = {}
        self._others: set[str] = set()
        self._lock = threading.Lock()
        self._own = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def __call__(self) -> float:
        begin = time.thread_time()
        with self._lock:
            self._look()
            self._own += time.thread_time() - begin
            return sum(self._spent.values()) / TICKS - self._own

    def _watch(self) -> None:
        while True:
            time.sleep(0.1)
            self()

    def _look(self) -> None:
        mark = f"{MARK}={os.environ[MARK]}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                key = (place.name, fields[19])  # with the time of its start: numbers come again
                if key not in self._spent:
                    if f"{place.name} {fields[19]}" in self._others:
                        continue
                    if mark not in (place / "environ").read_bytes():
                        self._others.add(f"{place.name} {fields[19]}")
                        continue
                self._spent[key] = int(fields[11]) + int(fields[12])
            except OSError:
                continue


def shares(said: str) -> list[float]:
    """Megabytes of each process of a kind: pages that it shares with others are counted in part."""
    found = []
    for place in marked():
        try:
            if said.encode() in (place / "cmdline").read_bytes():
                lines = (place / "smaps_rollup").read_text().splitlines()
                found += [int(one.split()[1]) / 1024 for one in lines if one.startswith("Pss:")]
        except OSError:
            continue
    return found


@lru_cache
def plain_pipeline() -> Pipeline:
    """Loaded once a process."""
    return load("en").at("balanced")


def plain_job(file: str, target: str) -> None:
    files = (TableFile(file, "parquet"),)
    done = TableJob(plain_pipeline(), files, TABLE_WRITERS["parquet"], TableSettings(columns=COLUMNS))
    for _ in done.to_file(target):
        pass


def plain(source: Path, warm: Path, out: Path, workers: int) -> JobCost:
    """The same work by hand: each of the workers has a file of its own."""
    import pyarrow.parquet

    def parts(file: Path) -> list[str]:
        table = pyarrow.parquet.read_table(file)
        size = -(-len(table) // workers)
        names = []
        for number in range(workers):
            names.append(str(out / f"{file.stem}-{number}.parquet"))
            pyarrow.parquet.write_table(table.slice(number * size, size), names[-1], row_group_size=500)
        return names

    given = {file: parts(file) for file in (warm, source)}
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:

        def job(file: Path, target: Path) -> None:
            list(pool.map(plain_job, given[file], [f"{target}-{number}" for number in range(workers)]))

        return cost(job, CpuClock(), (warm, source), out)._replace(memory=shares("multiprocessing.spawn"))


def on_ray(source: Path, warm: Path, out: Path, workers: int) -> JobCost:
    import ray
    import ray.data

    from laconic.scale.ray import parse

    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112  # else workers wait for everything else that the machine does
    ray.init("local", num_cpus=workers + 1, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def job(file: Path, target: Path) -> None:
        data = ray.data.read_parquet(str(file), override_num_blocks=4 * workers)
        parse(data, "en", columns=COLUMNS, workers=workers).write_parquet(str(target))

    sampled: list[list[float]] = []
    over = threading.Event()

    def sample() -> None:  # while the job runs: actors end with it
        while not over.wait(4):
            sampled.append(shares("ray::MapWorker"))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    found = cost(job, CpuClock(), (warm, source), out)
    over.set()
    thread.join()
    return found._replace(memory=max(sampled, key=sum, default=[]))


def on_spark(source: Path, warm: Path, out: Path, workers: int) -> JobCost:
    from pyspark.sql import SparkSession

    from laconic.scale.spark import parse

    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    spark = (
        SparkSession.builder.master(f"local-cluster[{workers},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "1024")
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("OFF")

    def job(file: Path, target: Path) -> None:
        frame = spark.read.parquet(str(file)).repartition(4 * workers)
        parse(frame, "en", columns=COLUMNS).write.parquet(str(target))

    return cost(job, CpuClock(), (warm, source), out)._replace(memory=shares("pyspark.daemon"))


ENGINES: dict[str, Callable[[Path, Path, Path, int], JobCost]] = {
    "plain": plain,
    "ray": on_ray,
    "spark": on_spark,
}


def measured(engine: str, source: Path, warm: Path, workers: int) -> JobCost:
    """In a process of its own, whose mark its engine inherits."""
    with tempfile.TemporaryDirectory() as place:
        arguments = [engine, str(source), str(warm), place, str(workers)]
        environment = os.environ | {MARK: secrets.token_hex(8)}
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.engines", "--run", *arguments],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        sys.exit(f"{engine}: {done.stderr[-3000:]}")
    return JobCost(*json.loads(done.stdout.strip().splitlines()[-1]))


def in_spacy(texts: list[str], words: int, peers: Path, rounds: int) -> list[str]:
    import spacy

    own, kept = spacy.blank("en"), spacy.blank("en")
    own.add_pipe("laconic", config={"tokens": "own"})
    kept.add_pipe("laconic")
    systems = {"spaCy's own components": spacy.load(peers / "spacy_en_ewt"), "laconic, tokens kept": kept}
    systems["laconic, own tokens"] = own
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    for _ in range(rounds):
        for name, nlp in systems.items():
            start = time.process_time()
            for _doc in nlp.pipe(texts):
                pass
            seconds[name].append(time.process_time() - start)
    first = next(iter(seconds.values()))
    rows = header("pipeline of spaCy's", "words/s", "times spaCy's own")
    rows += [line(name, f"{words / median(one):,.0f}", ratio(first, one)) for name, one in seconds.items()]
    return rows


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("--copies", type=int, default=96)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--run", nargs=5, help="used by the program itself")
    chosen = parser.parse_args()
    if chosen.run:
        engine, source, warm, out, workers = chosen.run
        print(json.dumps(ENGINES[engine](Path(source), Path(warm), Path(out), int(workers))))
        return
    import pyarrow
    import pyarrow.parquet

    _, dev = treebank(chosen.data, "en_ewt")
    texts = [doc.text for doc in dev.documents()]
    table = pyarrow.table({"id": list(range(len(texts) * chosen.copies)), "text": texts * chosen.copies})
    size = sum(len(text.encode()) for text in texts) * chosen.copies
    words = len(dev) * chosen.copies
    found: dict[tuple[str, int], list[JobCost]] = {}
    with tempfile.TemporaryDirectory() as place:
        source, warm = Path(place) / "source.parquet", Path(place) / "warm.parquet"
        pyarrow.parquet.write_table(table, source, row_group_size=500)
        pyarrow.parquet.write_table(table.slice(0, len(texts)), warm)
        for _ in range(chosen.rounds):
            for engine, workers in product(ENGINES, WORKERS):
                found.setdefault((engine, workers), []).append(measured(engine, source, warm, workers))
                print(engine, workers, found[engine, workers][-1], file=sys.stderr, flush=True)
    share = 1 / (chosen.copies - 1)  # of one copy in what all have more than one
    base = {workers: [one.all - one.one for one in found["plain", workers]] for workers in WORKERS}
    rows = header(
        "engine",
        "workers",
        "CPU seconds for the texts",
        "against plain processes",
        "CPU seconds for a job",
        "MB a worker",
    )
    for (engine, workers), each in found.items():
        seconds = [one.all - one.one for one in each]
        # An engine may have smaller processes beside its workers that start them.
        memory = [value for one in each for value in sorted(one.memory)[-workers:]]
        fixed = [one.one - share * more for one, more in zip(each, seconds, strict=True)]
        against = sorted(100 * (a / b - 1) for a, b in zip(seconds, base[workers], strict=True))
        shown = f"{median(memory):.0f}" if memory else ""
        rows.append(
            line(
                engine,
                str(workers),
                f"{median(seconds):.1f}",
                f"{median(against):+.0f} % ({against[0]:+.0f} to {against[-1]:+.0f})",
                f"{median(fixed):.1f}",
                shown,
            )
        )
    factors = {
        name: median([one.all - one.one for one in found[name, 2]]) / median(base[2]) for name in ("ray", "spark")
    }
    write_report(
        REPORT,
        [
            "# Engines",
            "",
            f"Written by {command()}: {words:,} words in {len(table):,} texts, {size / 1e6:.1f} MB, effort `balanced`, "
            f"{len(COLUMNS)} columns of words, from Parquet to Parquet; CPU time of all processes of an engine, for "
            f"the texts alone and, beside it, for any job; {chosen.rounds} rounds in turns.",
            "",
            *rows,
            "",
            "## In spaCy",
            "",
            f"{len(dev):,} words, CPU time, in turns; spaCy's own components (tok2vec, tagger, morphologizer, lemmatizer, "
            "parser) trained on the same treebank. laconic's find entities as well.",
            "",
            *in_spacy(texts, len(dev), chosen.peers, chosen.rounds),
            "",
            "## A terabyte, on paper",
            "",
            *on_paper(size * (1 - 1 / chosen.copies) / median(base[2]), factors),
        ],
    )


def on_paper(speed: float, factors: dict[str, float]) -> list[str]:
    """What a terabyte takes by the measured constants: bytes a second of a core, and what an engine adds."""
    cores = MACHINES * CORES
    load_seconds = _load_seconds()
    rows = header(
        "engine", "core hours", f"hours on {MACHINES} machines of {CORES} cores", "of it loading and stragglers"
    )
    for name, factor in {"plain processes": 1.0, **factors}.items():
        seconds = TERABYTE / speed * factor
        wall = seconds / cores
        tail = load_seconds + 128e6 / speed * factor  # the last task, of 128 MB, may begin when all others end
        rows.append(line(name, f"{seconds / 3600:,.0f}", f"{(wall + tail) / 3600:.2f}", f"{tail / 3600:.2f}"))
    said = (
        f"{speed / 1e6:.2f} MB of text a second of a core (two plain processes, above), nothing is shuffled, a core each worker, "
        f"the model is loaded once a worker ({load_seconds:.2f} s of CPU), and the last of the tasks, of 128 MB of text "
        "each, begins when the others end. Reading and writing over a network are not in it."
    )
    return [*rows, "", said]


def _load_seconds() -> float:
    start = time.process_time()
    load("en")
    return time.process_time() - start


if __name__ == "__main__":
    main()
