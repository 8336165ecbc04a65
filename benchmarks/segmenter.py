"""The segmenter on raw text: scores on every treebank whose text can be rebuilt, speed, and how time grows with length.

    python -m benchmarks.segmenter [--data DIR] [--peers DIR]

Trains on each training set with the same settings and scores the development set from its raw text. Speed is CPU time
of one thread on plain English, alternating with UDPipe's tokenizer where `ufal.udpipe` and an English
model are installed. Time is taken at n and 2n characters for texts that are hard on tokenizers: a linear program needs
twice the time.
Writes docs/segmenter.md.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from experiments.common import ROOT, arguments, command, treebank, write_report
from experiments.timing import cpu

from benchmarks.peers import UDPIPE, installed, udpipe_segmented, udpipe_tokenizer
from laconic.evaluate import evaluate
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.text import Segmenter, SegmenterConfig
from laconic.text.gold import laid_out

TREEBANKS = (
    "en_ewt",
    "en_gum",
    "pt_bosque",
    "es_ancora_small",
    "ca_ancora_small",
    "de_mix",
    "cs_mix",
    "sl_ssj500k",
    "bg_btb_small",
    "tr_imst",
    "ja_gsd",
    "zh_gsd",
)
METRICS = ("Tokens", "Words", "Sentences")
EFFORTS = (0.0, 0.0005, 0.001, 0.002)
PEER = {"Tokens": 99.34, "Words": 98.98, "Sentences": 87.86}


def segmenter_rows(name: str, data: Path) -> tuple[Segmenter, list[str]]:
    """The trained segmenter, and rows of a table: one per effort."""
    start = time.process_time()
    train, dev = treebank(data, name)
    segmenter = finished(Segmenter.fit(SegmenterConfig(), TrainingData(train)))
    seconds = time.process_time() - start
    gold, _ = laid_out(dev, "auto")
    text = gold.text
    rows = []
    for tolerance in EFFORTS:
        segmenter.effort(tolerance)
        doc, work = segmenter.predict(text)
        if doc.text != text:
            raise SystemExit(f"{name}: the text did not come back")
        scores = evaluate(gold, doc)
        cells = [f"{scores[metric].f1:.2f}" for metric in METRICS]
        cells += [f"{work.decisions / len(doc):.2f}", f"{work.templates / max(1, work.decisions):.1f}"]
        cells += [f"{work.templates / len(doc):.2f}", f"{seconds:.0f}" if tolerance == 0 else ""]
        rows.append(f"| {name if tolerance == 0 else ''} | {tolerance or 'full'} | {' | '.join(cells)} |")
    return segmenter, rows


def segmenting_speeds(segmenter: Segmenter, text: str, peers: Path) -> list[str]:
    """Rows: setting, words a CPU second (median and range of five), times UDPipe."""
    tokenize = dict(installed(peers, {UDPIPE: udpipe_tokenizer})).get(UDPIPE)
    short = text[:100_000]
    taken: dict[str, list[float]] = {}
    for _ in range(5):
        if tokenize is not None:
            start = time.process_time()
            words = tokenize(short)
            taken.setdefault("UDPipe 1, tokenizer", []).append(words / (time.process_time() - start))
        for tolerance in EFFORTS:
            segmenter.effort(tolerance)
            start = time.process_time()
            doc = segmenter(text)
            taken.setdefault(f"laconic, {tolerance or 'full'}", []).append(len(doc) / (time.process_time() - start))
    base = statistics.median(taken.get("UDPipe 1, tokenizer", [float("nan")]))
    return [
        f"| {name} | {statistics.median(values):,.0f} | {min(values):,.0f} to {max(values):,.0f} "
        f"| {statistics.median(values) / base:.0f} |"
        for name, values in taken.items()
    ]


def hard_texts(size: int, prose: str) -> dict[str, str]:
    repeated = prose * (size // len(prose) + 1)
    return {
        "prose": repeated[:size],
        "prose without white space": "".join(repeated.split())[:size].ljust(size, "x"),
        "prose in one line": " ".join(repeated.split())[:size].ljust(size, "x"),
        "one letter": "a" * size,
        "full stops": "." * size,
        "apostrophes": "'" * size,
        "at signs": "a@" * (size // 2),
        "brackets": "(" * size,
        "beginnings of addresses": "http://" * (size // 7),
        "spaces": "x" + " " * (size - 1),
        "line ends": "a\n" * (size // 2),
    }


def growth(segmenter: Segmenter, prose: str, size: int) -> list[str]:
    """Rows: the text, n, CPU milliseconds at n and at 2n, their ratio. Prose is five times as long as the others."""
    segmenter.effort(0.0)
    rows = []
    for name, longer in (hard_texts(10 * size, prose) | dict(list(hard_texts(2 * size, prose).items())[3:])).items():
        shorter = longer[: len(longer) // 2]
        pairs = [(cpu(lambda t=shorter: segmenter(t)), cpu(lambda t=longer: segmenter(t))) for _ in range(3)]  # type: ignore[misc]
        once, twice = (min(values) for values in zip(*pairs, strict=True))
        rows.append(f"| {name} | {len(shorter):,} | {once * 1000:.0f} | {twice * 1000:.0f} | {twice / once:.2f} |")
        print(rows[-1], flush=True)
    return rows


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("--size", type=int, default=500_000, help="n, in characters")
    given = parser.parse_args()
    english, table = None, []
    for name in TREEBANKS:
        segmenter, rows = segmenter_rows(name, given.data)
        english = english or segmenter
        table += rows
        print("\n".join(rows), flush=True)
    assert english is not None
    prose = (given.data / "text" / "speeches.txt").read_text("utf-8")
    peer = PEER
    dev = treebank(given.data, "en_ewt")[1]
    for _, found in installed(given.peers, {UDPIPE: lambda path: udpipe_segmented(path, dev.text)}):
        scores = evaluate(dev, found)
        peer = {metric: scores[metric].f1 for metric in METRICS}
    report = [
        "# The segmenter, measured",
        "",
        f"Written by {command()}: F1 on the development sets from raw text, trained with the default",
        "settings; the template set and the settings were chosen on the two English ones. `effort` is the share of",
        "decisions that may differ from the full model's.",
        "",
        "| treebank | effort | Tokens | Words | Sentences | decisions a word | templates a decision | templates a word "
        "| training, CPU s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *table,
        "| en_ewt, UDPipe 1 | | " + " | ".join(f"{peer[metric]:.2f}" for metric in METRICS) + " | | | | |",
        "",
        "zh_gsd carries no text: its words were joined without spaces, sentences too.",
        "",
        "## Speed",
        "",
        "Words a CPU second, one thread, plain English, text to document with multiword tokens and addresses;",
        "median of five alternating runs.",
        "",
        "| | words/s | range | times UDPipe |",
        "| --- | --- | --- | --- |",
        *segmenting_speeds(english, prose, given.peers),
        "",
        "## Time at n and at 2n characters",
        "",
        "Full effort, best of three, CPU milliseconds. A linear program has a ratio of 2.",
        "",
        "| text | n, characters | at n | at 2n | ratio |",
        "| --- | --- | --- | --- | --- |",
        *growth(english, prose, given.size),
    ]
    write_report(ROOT / "docs" / "segmenter.md", report)


if __name__ == "__main__":
    main()
