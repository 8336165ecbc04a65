"""A model that learns from a treebank and from text that a teacher labelled, against one that learns from the treebank
alone: students-TREEBANK-TEACHER.md beside this file.

    python -m experiments.distillation.students en_ewt [--encoder FOLDER] [--gold N] [--of N] [--epochs N] [--data DIR]

Of every five documents of the training set (of every fifty sentences, where it has few documents), as many as --gold
says are the treebank; of the others only the text is used, which a teacher labels that learned from that treebank: an
encoder (--encoder), or a model of our own with its beam. Both students have the same settings, with few epochs, and are
scored from raw text on the second half of the development set. What was trained is kept in build/distillation, and a
second run goes on from there. Needs the treebank, and for an encoder the extra `distill`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from experiments.common import arguments, command, treebank, write_report
from experiments.tables import cell, change, header, line
from laconic.corpus import Doc
from laconic.distill import LabelJob, Teacher, TeacherConfig, inputs_of, open_labeller, train_teacher
from laconic.evaluate import Scores, evaluate
from laconic.learn.folding import select
from laconic.pipeline import Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished

HERE = Path(__file__).resolve().parent
METRICS = ("UPOS", "UFeats", "UAS", "LAS")
FEW = 50
"""Documents: where there are fewer, blocks of sentences are taken in their place."""
BLOCK = 50
SETTINGS = {
    "morphology.tagger.folds": "0",
    "morphology.features.folds": "0",
    "morphology.tagger.settings.epochs": "4",
    "morphology.features.settings.epochs": "4",
    "morphology.tagger.settings.treebank_epochs": "1",
    "morphology.features.settings.treebank_epochs": "1",
    "parser.folds": "0",
    "parser.hidden.epochs": "5",
    "parser.hidden.treebank_epochs": "1",
    "segmenter.folds": "0",
}


def parts(doc: Doc, gold: int, of: int) -> tuple[Doc, Doc]:
    """The sentences of the treebank, and those of which only the text is used."""
    starts = np.array(doc.columns.document_starts())
    sentences = np.arange(len(doc.sentences))
    unit = np.searchsorted(starts, sentences, side="right") if len(starts) >= FEW else sentences // BLOCK
    chosen = unit % of < gold
    return select(doc, chosen), select(doc, ~chosen)


def student(file: Path, gold: Path, silver: tuple[Path, ...] = ()) -> tuple[Pipeline, float]:
    """Trained unless it is there, and the CPU seconds that it took."""
    took = file.with_suffix(".seconds")
    if not file.exists():
        config = TrainConfig(gold, components=("segmenter", "morphology", "parser"), silver=silver)
        begun = time.process_time()
        finished(train(with_settings(config, SETTINGS), output=file))
        took.write_text(f"{time.process_time() - begun:.0f}", encoding="utf-8")
    return Pipeline.load(file), float(took.read_text("utf-8"))


def label(file: Path, text: Path, teacher: Path, effort: str | None) -> None:
    """Writes the text as the teacher labels it, unless it is there."""
    if not file.exists():
        job = LabelJob(open_labeller(teacher, effort=effort), inputs_of([text]))
        for _ in job.to_file(str(file)):
            pass


def scored(pipeline: Pipeline, effort: str, gold: Doc) -> Scores:
    return evaluate(gold, pipeline.at(effort)(gold.text), single_root=False)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("treebank")
    parser.add_argument("--encoder", type=Path, help="a folder with an encoder; default: a model of our own, its beam")
    parser.add_argument("--gold", type=int, default=2)
    parser.add_argument("--of", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=2, help="of the teacher with an encoder")
    chosen = parser.parse_args()
    place = Path("build") / "distillation" / f"{chosen.treebank}-{chosen.gold}-{chosen.of}"
    own = place / ("beam" if chosen.encoder is None else f"encoder-{chosen.encoder.name}-{chosen.epochs}")
    own.mkdir(parents=True, exist_ok=True)
    whole, dev = treebank(chosen.data, chosen.treebank)
    half = len(dev.sentences) // 2
    gold, text = parts(whole, chosen.gold, chosen.of)
    (place / "gold.conllu").write_bytes(gold.columns.to_conllu())
    (place / "text.txt").write_text(text.text, encoding="utf-8")
    (place / "dev.conllu").write_bytes(dev.sentences[:half].columns.to_conllu())
    alone, alone_seconds = student(place / "alone.laconic", place / "gold.conllu")
    if chosen.encoder is None:
        said = "a model of our own, with its beam: the student that learned from the treebank alone"
        teacher, effort = place / "alone.laconic", "beam"
    else:
        teacher, effort = own / "teacher", None
        if not teacher.exists():
            config = TeacherConfig(chosen.encoder, place / "gold.conllu", place / "dev.conllu", epochs=chosen.epochs)
            finished(train_teacher(config, teacher), lambda step: step.scores and print(step, file=sys.stderr))
        made = Teacher.load(teacher).provenance
        assert made is not None
        last = ", ".join(f"{name} {value}" for name, value in made["scores"][-1].items() if name != "loss")
        said = (
            f"an encoder, {len(made['scores'])} epochs; on the words of the first half of the development set: {last}"
        )
    label(own / "labelled.conllu", place / "text.txt", teacher, effort)
    both, both_seconds = student(own / "both.laconic", place / "gold.conllu", (own / "labelled.conllu",))
    rest = dev.sentences[half:]
    rows = []
    for effort in ("full", "beam"):
        before, after = scored(alone, effort, rest), scored(both, effort, rest)
        rows.append(line(f"treebank, {effort}", *(cell(before, name) for name in METRICS), "", f"{alone_seconds:.0f}"))
        rows.append(
            line(
                f"treebank and labelled text, {effort}",
                *(cell(after, name) for name in METRICS),
                change(before, after, "LAS"),
                f"{both_seconds:.0f}",
            )
        )
    taken = both.provenance["silver"]["taken"]
    write_report(
        HERE / f"students-{chosen.treebank}-{own.name.partition('-')[0]}.md",
        [
            f"# Students and their teacher: {chosen.treebank}",
            "",
            f"Written by {command()}: {len(gold):,} words of the treebank, {taken['words']:,} words of labelled text.",
            f"Teacher: {said}.",
            "Official scorer, from raw text, second half of the development set; nothing was chosen on it. 95 % intervals by bootstrap over sentences.",
            "Short trainings, one seed: the figures are for comparison with each other.",
            "",
            *header("learned from", *METRICS, "LAS over the treebank alone", "CPU s of training"),
            *rows,
        ],
    )


if __name__ == "__main__":
    main()
