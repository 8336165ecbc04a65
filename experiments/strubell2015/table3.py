"""Table 3 of strubell2015, named entities: F1, templates per word and speed-up, on seven sets of data that are free.

    python -m experiments.strubell2015.table3 [--data DIR] [--budget 30] [--rounds 5] [--seeds 3] [--only CODE ...]

First in the paper's setting, on English: every word is asked; the full model, models of the first templates alone, and the
paper's dynamic model (truncated losses, one margin) in the order that the wrapper found under its loss (entity_order.py).
The same number of random trials tunes full and dynamic models on one half of the documents of the English development set.
Then ours, as shipped: words that training saw often, and never at the begin of an entity, begin none; trained as the full
model with its settings, one margin per depth, calibrated on held-out folds. On the other data the full model and ours, with
the settings of English, and all data together. Writes table3.md beside this file; trials are kept in build/table3.jsonl and
models in build/models, so that a second run goes on. Needs the directory `ner`, and `ud` for lemmas and tags, below DIR (by
default shared/data beside the repository, or LACONIC_DATA).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from experiments.common import arguments, command, journal, write_report
from experiments.curves import Point, averaged, curve_table, measure_curves, pooled_table
from experiments.kept import KeptModels
from experiments.tuning import best
from laconic.corpus import Doc, read
from laconic.evaluate import evaluate_tags
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
PAPER_ORDER = HERE / "order-paper-entities.templates"
EVERY_WORD = 2**31 - 1
"""As ``outside_minimum``: every word is asked, as in the paper."""
EXITS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30)
DEPTHS = (1, 10, 13)
TIMED = 60_000
"""Words at least that are tagged to take a time."""
SHARES = (1.0, 0.8, 0.6, 0.4, 0.2)
SPACE: dict[str, dict[str, LogUniform | Choice]] = {
    "full": {"l2": LogUniform(1e-7, 1e-5), "rate": LogUniform(0.05, 0.5), "margin": LogUniform(0.5, 5.0)},
    "truncated": {"l2": LogUniform(1e-7, 1e-4), "rate": LogUniform(0.02, 0.5), "margin": LogUniform(1.0, 5.0)},
}
BASES = {"full": Settings(mode="full"), "truncated": Settings(mode="truncated", margin=5.0, rate=0.1)}


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


def point(name: str, tagger: EntityTagger, stop: Stop, dev: Doc) -> Point:
    timed = Doc.concatenate([dev] * -(-TIMED // len(dev)))

    def run() -> None:
        tagger.stop = stop
        tagger.predict(timed)

    tagger.stop = stop
    guess = dev.sentences[:]
    work = tagger.apply(guess)
    # Bare tags, since some tweets have words without characters, which cannot be aligned.
    scores = evaluate_tags(bare_tags(dev), bare_tags(guess))
    values = {"NER": scores["NER"].f1}
    return Point(name, scores, values, work.templates / work.decisions, work.rows / work.decisions, run)


def paper_config(settings: Settings, history_folds: int = 3) -> EntityConfig:
    """As the paper's recogniser: every word is asked; the paper's model has the order learned under its loss."""
    templates = PAPER_ORDER.read_text("utf-8") if settings.mode in ("truncated", "fixed") else EntityConfig().templates
    return EntityConfig(templates, settings, outside_minimum=EVERY_WORD, history_folds=history_folds, folds=0)


def stops(tagger: EntityTagger, trained: float) -> Iterator[tuple[str, Stop]]:
    """The settings of a trained model: all templates, then ever fewer; without margins of its own by shares of that which
    it was trained with."""
    templates = len(tagger.plan)
    yield "all templates", Stop.never(templates)
    for tolerance, stop in sorted(tagger.frozen.stops.items()):
        if tolerance > 0:
            yield f"tolerance {tolerance:g}", stop
    if not tagger.frozen.stops:
        for share in SHARES:
            yield f"margin {share * trained:.2g}", Stop.margin(share * trained, range(1, templates + 1))


def tune(mode: str, train: Doc, half: Doc, budget: int, tried: Journal) -> Settings:
    """The best of so many trials: for the full model by F1, for the paper's by F1 within a quarter of the templates."""

    def score(settings: Settings, share: float) -> float:
        part = train.sentences[: round(share * len(train.sentences))]
        tagger = finished(EntityTagger.fit(paper_config(settings, history_folds=2), TrainingData(part)))
        if mode == "full":
            return point("all", tagger, Stop.never(len(tagger.plan)), half).value
        points = [point(name, tagger, stop, half) for name, stop in stops(tagger, settings.margin)]
        return max((one.value for one in points if one.templates <= len(tagger.plan) / 4), default=0.0)

    return best(BASES[mode], SPACE[mode], score, budget, tried, PAPER_ORDER.read_text("utf-8"))


@dataclass(frozen=True)
class Measurements:
    """Points of models of one set of data."""

    code: str
    train: Doc
    dev: Doc

    def curve(self, config: EntityConfig, seeds: int, of: int) -> list[Point]:
        """All settings of a model over its seeds, each counted so often that there are as many as of others."""
        runs = []
        for seed in range(seeds):
            own = replace(config, settings=replace(config.settings, seed=seed + 1))
            kept = KeptModels(f"table3-{self.code}")
            tagger = kept.component(own.settings.mode, EntityTagger, own, TrainingData(self.train))[0]
            if depth := own.settings.depth:
                runs.append([point(f"first {depth}", tagger, Stop.never(depth), self.dev)])
            else:
                runs.append([point(name, tagger, stop, self.dev) for name, stop in stops(tagger, own.settings.margin)])
        return averaged(runs * (of // seeds))


def models_of_table3(on: Measurements, tuned: dict[str, Settings], seeds: int) -> Iterator[tuple[str, list[Point]]]:
    """All curves, the baseline first; the paper's model on English alone, and only there more than one seed."""
    english = on.code == ENGLISH
    own = seeds if english else 1
    yield "baseline", on.curve(paper_config(tuned["full"]), own, seeds)[:1]
    if english:
        fixed = [replace(tuned["full"], mode="fixed", depth=depth) for depth in DEPTHS]
        yield "fixed", [on.curve(paper_config(one), 1, seeds)[0] for one in fixed]
        yield "dynamic (paper)", on.curve(paper_config(tuned["truncated"]), own, seeds)
    ours = EntityConfig(settings=replace(tuned["full"], exits=EXITS), history_folds=3, folds=3)
    yield "ours", on.curve(ours, own, seeds)


def english_halves(data: Path) -> tuple[Doc, Doc, Doc]:
    """English data to train on, to choose by, and to report on: every other document of the development set."""
    train, dev = load_corpora(data, ENGLISH)
    documents = list(dev.documents())
    return train, Doc.concatenate(documents[::2]), Doc.concatenate(documents[1::2])


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--budget", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seeds", type=int, default=3, help="on English; the other data have one")
    parser.add_argument("--only", nargs="*", default=list(FILES), choices=list(FILES))
    chosen = parser.parse_args()
    if not (chosen.data / "ner" / ENGLISH).is_dir():
        parser.error(f"no {ENGLISH} in {chosen.data}/ner: say with --data where the entities and treebanks are")
    train, half, rest = english_halves(chosen.data)
    tried = journal("table3")
    tuned = {mode: tune(mode, train, half, chosen.budget, tried) for mode in BASES}
    text = [
        "# Table 3: named entities",
        "",
        f"Written by {command()}: F1 of spans on development sets (English: the half of its documents that tuning did not see).",
        "Baseline, fixed and the paper's dynamic models ask every word, as in the paper; fixed and dynamic ones in the order that the wrapper found",
        "under the paper's loss ([entity_order.py](entity_order.py)). *Ours*, as shipped: a word that training saw often, and never at the begin of an entity, begins",
        "none and costs no template unless an entity is open; one margin per depth, set on held-out folds. Templates are counted per word, lemmas and",
        f"tags are the treebank's own. {chosen.budget} random trials each for baseline, whose settings ours and fixed models take, and paper, all on a sixteenth of the training data, the best",
        f"fifth on a quarter of it, the best two on all. English: seeds 1 to {chosen.seeds} of baseline, paper and ours, whose sentences count together. Losses with 95 % intervals by paired",
        "bootstrap: to the baseline, another training, and to the same model with all templates. Speed-up over the baseline:",
        f"median and spread of {chosen.rounds} alternating rounds of CPU time.",
        "",
    ]
    names = {"full": "baseline", "truncated": "dynamic (paper)"}
    text += [
        f"- {names[mode]}: margin {one.margin:.2g}, rate {one.rate:.2g}, l2 {one.l2:.1e}" for mode, one in tuned.items()
    ]
    found = {}
    for code in chosen.only:
        train, dev = (train, rest) if code == ENGLISH else load_corpora(chosen.data, code)
        found[code] = dict(
            models_of_table3(Measurements(code, train, dev), tuned, chosen.seeds if code == ENGLISH else 1)
        )
        measure_curves(found[code], chosen.rounds)
        own = {model: model for model in found[code] if model not in ("baseline", "fixed")}
        text += ["", f"## {code}", "", *curve_table(found[code], own)]
        shared = [{model: curves[model] for model in ("baseline", "ours")} for curves in found.values()]
        together = ["", f"## All {len(found)} sets of data together", "", *pooled_table(shared)]
        write_report(HERE / "table3.md", [*text, *together])


if __name__ == "__main__":
    main()
