"""Learns orders for the templates of lemmas, and of the treebank's own tags and features: word_orders.md beside this file.

    python -m experiments.taggers.word_orders [--data DIR] [--out DIR]

Group orthogonal matching pursuit (strubell2015) over the decisions of UD English EWT orders hand-lemmas.templates and
hand-features.templates; then both sets are trained in the order by hand and in the learned one, which was copied to the shipped sets,
and compared at several tolerances on the development set, with predicted tags. Writes lemmas.templates and
features.templates to OUT (default: build). Needs the treebank.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from experiments.common import arguments, command, treebank, write_report
from experiments.tables import cell, header, line
from laconic.corpus import Doc
from laconic.evaluate import evaluate
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.search import LemmatizerTrainable, Pursuit, TaggerTrainable, order
from laconic.tag import Lemmatizer, LemmatizerConfig, MorphologyConfig, Tagger

HERE = Path(__file__).resolve().parent

TOLERANCES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02)
TITLES = {
    "lemmas": "Edit scripts from forms to lemmas. Only the word itself and its tags are read, so that words of one type are "
    "decided once.",
    "features": "The treebank's own tags and the morphological features of words whose part of speech is known.",
}


def curve(component: Tagger | Lemmatizer, metric: str, dev: Doc, given: Doc) -> Iterator[tuple[str, str, str]]:
    """Tolerance, score with its interval, and templates per word."""
    for tolerance in TOLERANCES:
        component.effort(tolerance)
        guess = given.sentences[:]
        work = component.apply(guess)
        scores = evaluate(dev, guess, single_root=False)
        yield (
            f"{tolerance:g}" if tolerance else "all templates",
            cell(scores, metric),
            f"{work.templates / len(dev):.2f}",
        )


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--out", type=Path, default=Path("build"))
    chosen = parser.parse_args()
    train, dev = treebank(chosen.data, "en_ewt")
    morphology = MorphologyConfig()
    tagger = finished(Tagger.fit(replace(morphology.tagger, folds=0), TrainingData(train)))
    upos = dev.sentences[:]
    tagger.apply(upos)
    tagged = upos.sentences[:]
    finished(Tagger.fit(replace(morphology.features, folds=0), TrainingData(train))).apply(tagged)
    sets = {
        "lemmas": (LemmatizerConfig(), LemmatizerTrainable, Lemmatizer, "Lemmas", tagged),
        "features": (morphology.features, TaggerTrainable, Tagger, "AllTags", upos),
    }
    lines = [
        "# Orders for lemmas and features",
        "",
        f"Written by {command()}: UD English EWT, development set, gold tokens, predicted",
        "tags. The order by hand against one learned by matching pursuit on the decisions of the training set; official scorer,",
        "95 % intervals by bootstrap over sentences; templates per word.",
    ]
    for name, (config, trainable, component, metric, given) in sets.items():
        by_hand = HERE / f"hand-{name}.templates"
        config = replace(config, templates=str(by_hand))
        quick = replace(config, settings=replace(config.settings, mode="full"), folds=0)
        run = order(trainable(quick, train, dev), Pursuit(epochs=2), processes=1, command=command().strip("`"))  # type: ignore[operator]
        found = finished(run, lambda step: print(step, file=sys.stderr))
        chosen.out.mkdir(parents=True, exist_ok=True)
        path = chosen.out / f"{name}.templates"
        found.write(path, TITLES[name])
        lines += ["", f"## {name}", "", *header("order", "tolerance", metric, "templates")]
        for which, templates in (("by hand", by_hand), ("learned", path)):
            fitted = finished(component.fit(replace(config, templates=str(templates)), TrainingData(train)))  # type: ignore[arg-type]
            lines += [line(which, *cells) for cells in curve(fitted, metric, dev, given)]
        write_report(HERE / "word_orders.md", lines)


if __name__ == "__main__":
    main()
