"""Raw text to tagged CoNLL-U, side by side: laconic, UDPipe and spaCy on the same text, one thread, in turns.

    python -m benchmarks.tagging [--data DIR] [--peers DIR] [--rounds 5]

Trains segmenter, morphology and lemmatizer on UD English EWT, then measures what each system makes of the development
set's raw text (F1 by the metrics of the official scorer) and how fast (CPU time of text in, CoNLL-U text out). Needs the
treebank, the peers' models, and `pip install ufal.udpipe spacy` for those that are to be compared. Writes
docs/tagging.md.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial

from experiments.common import ROOT, arguments, command, treebank_files, write_report
from experiments.tables import header, line, ratio
from experiments.timing import cpu, in_turns

from benchmarks.peers import SPACY, System, fastest, systems
from laconic.corpus import Doc, read
from laconic.evaluate import evaluate
from laconic.pipeline import Pipeline, TrainConfig, train
from laconic.progress import finished

METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas")
TagText = Callable[[str], str]


def own(pipeline: Pipeline, effort: str, text: str) -> str:
    return pipeline.at(effort)(text).to_conllu()


def written(system: System, text: str) -> str:
    return system.written(system.run(text))


def main() -> None:
    parser = arguments(__doc__, peers=True)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    files = treebank_files(chosen.data, "en_ewt")
    trained: list[Pipeline] = []
    config = TrainConfig(*files, components=("segmenter", "morphology", "lemmatizer"))
    seconds = cpu(lambda: trained.append(finished(train(config))))
    runs: dict[str, TagText] = {f"laconic, {effort}": partial(own, trained[0], effort) for effort in trained[0].efforts}
    for system in systems(chosen.peers, parser=False):
        runs[system.name + ", no parser" * (system.name == SPACY)] = partial(written, system)
    gold = read(files[1])
    text = gold.text
    times = in_turns({name: partial(run, text) for name, run in runs.items()}, chosen.rounds, cpu)
    best = fastest(times)
    lines = [
        "# Raw text to tagged CoNLL-U",
        "",
        f"Written by {command()}: sentences, tokens, words, UPOS, XPOS, FEATS and lemmas of the raw text of the",
        f"development set of UD English EWT ({len(gold):,} words), one thread, CPU time, {chosen.rounds} rounds in turns. Training of all",
        f"laconic components with calibration and profiles: {seconds:.0f} CPU seconds. F1 by the metrics of the official scorer.",
        "",
        *header("system", *METRICS, "words/s", f"against {best or 'nobody'}"),
    ]
    for name, run in runs.items():
        scores = evaluate(gold, Doc.from_conllu(run(text)), single_root=False)
        speed = f"{len(gold) / statistics.median(times[name]):,.0f}"
        against = ratio(times[best], times[name]) if best else ""
        lines.append(line(name, *(f"{scores[metric].f1:.2f}" for metric in METRICS), speed, against))
    lines += [
        "",
        "spaCy has no multiword tokens; its parser, which splits sentences, is left out here because it takes most of its time, and",
        "rules split them instead. Its CoNLL-U is written in Python, which is part of its time as writing is part of everybody's.",
    ]
    write_report(ROOT / "docs" / "tagging.md", lines)


if __name__ == "__main__":
    main()
