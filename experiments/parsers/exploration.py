"""Whose moves training follows off the gold path: exploration.md beside this file.

    python -m experiments.parsers.exploration [--data DIR] [--sentences 4000] [--seeds 2] [treebank ...]

Trained are linear parsers that never leave the gold path, that follow the full model's prediction, and that follow the
prediction as it stands when the decision stops at the margin of training. What was trained is kept in
build/exploration.jsonl, so that a second run goes on. Needs the treebanks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from experiments.common import arguments, command, journal, pos_of, remembered, treebank, write_report
from experiments.tables import cell, change, header, line, together
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent

LINEAR = ParserConfig(scorer="linear")
METHODS = {
    "nobody's: the gold path alone": replace(LINEAR, explore=0.0),
    "the full prediction": replace(LINEAR, exploration="full"),
    "the early prediction": replace(LINEAR, exploration="early"),
}
TOLERANCES = (0.0, 0.002, 0.01)


def attachment_of_training(config: ParserConfig, seed: int, train: Doc, dev: Doc) -> Iterator[Scores]:
    """At each tolerance."""
    settings, labels = (replace(one, seed=seed) for one in (config.settings, config.label_settings))
    own = replace(config, settings=settings, label_settings=labels, pos=pos_of(train))  # type: ignore[arg-type]
    parser = finished(Parser.fit(own, TrainingData(train)))
    for tolerance in TOLERANCES:
        parser.effort(tolerance)
        guess = dev.sentences[:]
        parser.apply(guess)
        yield evaluate(dev, guess, single_root=False)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sentences", type=int, default=4000, help="train on so many sentences of each treebank")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("treebanks", nargs="*", default=("en_ewt",))
    chosen = parser.parse_args()
    known = journal("exploration")
    lines = [
        "# Whose moves training follows",
        "",
        f"Written by {command()}: linear rows, arc-hybrid, trained at every exit, development",
        f"sets, gold tokens, tags of the treebank, official scorer, {chosen.seeds} trainings each from other seeds, their scores taken",
        "together. From the second epoch on training follows in nine of ten moves the prediction of the model, right or",
        "wrong: that of all templates, or that at which the decision would stop. Changes of LAS are against the full",
        "prediction at the same tolerance; 95 % intervals by (paired) bootstrap over sentences.",
        "",
        *header("treebank", "sentences", "training follows", "tolerance", "UAS", "LAS", "change of LAS"),
    ]
    for name in chosen.treebanks:
        train, dev = treebank(chosen.data, name, chosen.sentences)
        found = {}
        for method, config in METHODS.items():
            runs = [
                remembered(
                    known,
                    (name, chosen.sentences, method, seed),
                    partial(attachment_of_training, config, seed, train, dev),
                )
                for seed in range(1, chosen.seeds + 1)
            ]
            found[method] = [together(same) for same in zip(*runs, strict=True)]
        base = found["the full prediction"]
        for method, several in found.items():
            for tolerance, own, other in zip(TOLERANCES, several, base, strict=True):
                changed = "" if own is other else change(other, own, "LAS")
                cells = (cell(own, "UAS"), cell(own, "LAS"), changed)
                lines.append(line(name, f"{len(train.sentences):,}", method, f"{tolerance:g}", *cells))
        write_report(HERE / "exploration.md", lines)


if __name__ == "__main__":
    main()
