"""Table 3 of strubell2015, named entities: F1, templates per word and speed-up, on seven sets of data that are free.

    python -m experiments.strubell2015.table3 [--data DIR] [--budget 6] [--only CODE ...]

Compares, in the same engine: the full model; models of the first templates alone; the paper's dynamic model (trained
with truncated losses, one margin at all depths); ours (one margin per depth, calibrated on held-out folds; trained with
a loss at the last template only, as the full model, or at every exit). Each method of training gets the same number of
random trials on one half of the English development set, with 1 none but what an earlier search of four found; the
best settings serve all data. Writes table3.md beside this file. Needs the directory `ner`, and `ud` for lemmas and
tags, below DIR (by default shared/data beside the repository, or LACONIC_DATA).
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from experiments.common import arguments, command, journal, write_report
from experiments.tables import change, header, line
from experiments.timing import cpu
from experiments.tuning import best
from laconic.corpus import Doc, read
from laconic.evaluate import Scores, evaluate_tags
from laconic.evaluate.columns import tags_of
from laconic.learn import Choice, LogUniform, Settings, Stop, TrainingData
from laconic.progress import finished
from laconic.search.journal import Journal
from laconic.tag import EntityConfig, EntityTagger, merge_entities

HERE = Path(__file__).resolve().parent

ENGLISH = "uner_en_ewt"
FILES = {
    ENGLISH: ("en_ewt-ud-train.iob2", "en_ewt-ud-dev.iob2"),
    "uner_pt_bosque": ("pt_bosque-ud-train.iob2", "pt_bosque-ud-dev.iob2"),
    "uner_da_ddt": ("da_ddt-ud-train.iob2", "da_ddt-ud-dev.iob2"),
    "uner_sv_talbanken": ("sv_talbanken-ud-train.iob2", "sv_talbanken-ud-dev.iob2"),
    "uner_zh_gsd": ("zh_gsd-ud-train.iob2", "zh_gsd-ud-dev.iob2"),
    "wnut17": ("wnut17train.conll", "emerging.dev.conll"),
    "btc": ("btc.train", "btc.dev"),
}
EXITS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30)
DEPTHS = (5, 10, 20)
SHARES = (1.0, 0.75, 0.5, 0.25)
SPACE: dict[str, dict[str, LogUniform | Choice]] = {
    "full": {"margin": LogUniform(0.5, 5.0)},
    "fixed": {"margin": LogUniform(0.5, 5.0)},
    "truncated": {"margin": LogUniform(1.0, 30.0)},
    "every-exit": {"margin": LogUniform(0.5, 5.0)},
}
for space in SPACE.values():
    space |= {"l2": LogUniform(1e-7, 1e-5), "rate": LogUniform(0.05, 0.5), "cutoff": Choice((2, 3))}
# The first trial of each search. These are the best of four trials each on the same half of the English data.
BASES = {
    "full": Settings(mode="full", exits=EXITS),
    "fixed": Settings(mode="fixed", depth=10, l2=1.5e-7, rate=0.34, margin=0.53),
    "truncated": Settings(mode="truncated", rate=0.22, margin=4.6),
    "every-exit": Settings(mode="every-exit", exits=EXITS),
}


@dataclass
class Row:
    """One model at one setting."""

    name: str
    tagger: EntityTagger
    stop: Stop
    scores: Scores
    templates: float
    seconds: list[float] = field(default_factory=list)

    @property
    def f1(self) -> float:
        return self.scores["NER"].f1


def config(settings: Settings, folds: int = 3) -> EntityConfig:
    """Margins are calibrated for the models that can use them."""
    calibrated = settings.mode in ("full", "every-exit")
    return EntityConfig(settings=settings, history_folds=3, folds=folds if calibrated else 0)


def load_corpora(data: Path, code: str) -> tuple[Doc, Doc]:
    """Train and dev; over the treebank's lemmas and tags where there is one that the sentences align with."""
    docs = []
    for part, name in zip(("train", "dev"), FILES[code], strict=True):
        columns = "iob:id,form,entity,-,-" if name.endswith("iob2") else "iob:form,entity"
        doc = read(data / "ner" / code / name, columns)
        treebank = data / "ud" / code.removeprefix("uner_") / f"{part}.conllu"
        if treebank.is_file():
            merged = merge_entities(read(treebank), doc)
            print(f"{code} {part}: {merged.unannotated} of {merged.sentences} sentences unannotated", file=sys.stderr)
            # The Chinese treebank writes other punctuation marks than the entities' text: hardly a sentence aligns.
            doc = merged.doc if 2 * merged.unannotated < merged.sentences else doc
        docs.append(doc)
    return docs[0], docs[1]


def bare_tags(doc: Doc) -> list[list[str]]:
    codes, values = tags_of(doc, "NER")
    tags = [values[code] for code in codes.tolist()]
    return [tags[begin:end] for begin, end in pairwise(doc.sentence_starts.tolist())]


def row_of(name: str, tagger: EntityTagger, stop: Stop, dev: Doc) -> Row:
    tagger.stop = stop
    guess = dev.sentences[:]
    work = tagger.apply(guess)
    # Bare tags, since some tweets have words without characters, which cannot be aligned.
    return Row(name, tagger, stop, evaluate_tags(bare_tags(dev), bare_tags(guess)), work.templates / work.decisions)


def rows_of(mode: str, tagger: EntityTagger, dev: Doc) -> Iterator[Row]:
    """A trained model at all its settings."""
    templates = len(tagger.plan)
    if mode == "truncated":
        trained = tagger.config.settings.margin
        for share in SHARES:
            stop = Stop.margin(share * trained, range(1, templates + 1))
            yield row_of(f"the paper's dynamic, margin {share * trained:.2g}", tagger, stop, dev)
    elif mode == "fixed":
        depth = tagger.config.settings.depth
        yield row_of(f"first {depth} templates", tagger, Stop.never(depth), dev)
    else:
        name = "full" if mode == "full" else "every exit"
        yield row_of(name, tagger, Stop.never(templates), dev)
        for tolerance, stop in sorted(tagger.frozen.stops.items()):
            yield row_of(f"ours, {name}, tolerance {tolerance:g}", tagger, stop, dev)


def tuning_score(mode: str, tagger: EntityTagger, dev: Doc) -> float:
    """F1, for models that stop early that of the best setting within a quarter of the full model's templates."""
    rows = list(rows_of(mode, tagger, dev))
    if mode in ("full", "fixed"):
        return rows[0].f1
    all_templates = row_of("", tagger, Stop.never(len(tagger.plan)), dev).templates
    return max((row.f1 for row in rows if row.templates <= all_templates / 4), default=0.0)


def tune(mode: str, train: Doc, half: Doc, budget: int, tried: Journal) -> Settings:
    def trial(settings: Settings, share: float) -> float:
        folds = 0 if mode == "full" else 3
        part = train.sentences[: round(share * len(train.sentences))]
        return tuning_score(mode, finished(EntityTagger.fit(config(settings, folds), TrainingData(part))), half)

    return best(BASES[mode], SPACE[mode], trial, budget, tried)


def compete(train: Doc, dev: Doc, tuned: dict[str, Settings]) -> list[Row]:
    """All models at all settings; the full one comes first."""
    rows = []
    for mode, settings in tuned.items():
        variants = [replace(settings, depth=depth) for depth in DEPTHS] if mode == "fixed" else [settings]
        for variant in variants:
            rows += rows_of(mode, finished(EntityTagger.fit(config(variant), TrainingData(train))), dev)
    asked = replace(config(tuned["full"], folds=0), outside_minimum=2**31 - 1)
    rows.append(next(rows_of("full", finished(EntityTagger.fit(asked, TrainingData(train))), dev)))
    rows[-1].name = "full, every word asked"
    return rows


def time_rows(rows: list[Row], doc: Doc, rounds: int) -> None:
    for _ in range(rounds):
        for row in rows:
            row.tagger.stop = row.stop
            row.seconds.append(cpu(partial(row.tagger.predict, doc)))


def language_table(code: str, train: Doc, dev: Doc, rows: list[Row]) -> list[str]:
    full = rows[0]
    columns = sum(doc_has(train, column) for column in ("lemma", "upos", "xpos"))
    lines = [
        "",
        f"## {code}",
        "",
        f"{len(train.sentences)} sentences to train on, {len(dev.sentences)} ({len(dev)} words) to test on, "
        f"{len(full.tagger.plan)} templates, {columns} of lemma, UPOS and XPOS.",
        "",
        *header("model", "F1", "difference to full, 95 %", "templates", "speed-up"),
    ]
    for row in rows:
        speed = statistics.median(a / b for a, b in zip(full.seconds, row.seconds, strict=True))
        gap = "" if row is full else change(full.scores, row.scores, "NER")
        lines.append(line(row.name, f"{row.f1:.2f}", gap, f"{row.templates:.2f}", f"{speed:.2f}"))
    return lines


def doc_has(doc: Doc, column: str) -> bool:
    return doc.codes(column)[1] != ["_"]


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--budget", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", default=list(FILES), choices=list(FILES))
    chosen = parser.parse_args()
    if not (chosen.data / "ner" / ENGLISH).is_dir():
        parser.error(f"no {ENGLISH} in {chosen.data}/ner: say with --data where the entities and treebanks are")
    train, dev = load_corpora(chosen.data, ENGLISH)
    documents = list(dev.documents())
    tuning, rest = Doc.concatenate(documents[::2]), Doc.concatenate(documents[1::2])
    tried = journal("table3")
    tuned = {
        mode: tune(mode, train, tuning, chosen.budget, tried) if chosen.budget > 1 else BASES[mode] for mode in BASES
    }
    lines = [
        "# Table 3: named entities",
        "",
        f"Written by {command()}: development sets (English: the half of its documents that",
        "tuning did not see). Templates are counted per word; a word that training saw often, and never at the begin of an",
        'entity, costs none unless an entity is open, in all rows but "every word asked". Speed-up is the CPU time of the full',
        "model over that of the row, alternating in one process, median of the rounds, with the look-up of words but without",
        'reading files and writing tags. "Ours" has one margin per depth, set on held-out folds. Lemmas and tags are the',
        f"treebank's own. Settings for each method of training, {chosen.budget} trials each on the other half of the English data:",
        "",
    ]
    lines += [
        f"- {mode}: l2 {best.l2:.1e}, rate {best.rate:.2g}, margin {best.margin:.2g}, cutoff {best.cutoff}"
        for mode, best in tuned.items()
    ]
    for code in chosen.only:
        train, dev = (train, rest) if code == ENGLISH else load_corpora(chosen.data, code)
        rows = compete(train, dev, tuned)
        time_rows(rows, Doc.concatenate([dev] * max(1, 60_000 // len(dev))), chosen.rounds)
        lines += language_table(code, train, dev, rows)
        write_report(HERE / "table3.md", lines)


if __name__ == "__main__":
    main()
