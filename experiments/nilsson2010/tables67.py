"""Tables 6 and 7 of nilsson2010: the feature sets it discovered, trained and scored on the treebanks at hand.

    python experiments/nilsson2010/tables67.py [--data DIR] [--generations 8 16]

Arc-eager, an action and then a label, the first features of each published list joined to all pairs as the paper's
quadratic kernel does. Swedish: Talbanken. English: EWT, and GUM as the other domain. Scores as in CoNLL-X, punctuation
included, tags of the treebank. Writes tables67.md beside itself. Needs the treebanks.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from laconic.corpus import Doc, read
from laconic.evaluate import evaluate_conllx
from laconic.features import TemplateSet, expand_pairs, load_set
from laconic.learn import Settings
from laconic.progress import finished
from laconic.transition import Parser, ParserConfig

HERE = Path(__file__).resolve().parent
SETTINGS = Settings(mode="full", l2=1e-4, epochs=6)
PAPER = {
    "swedish": {4: (82.75, 70.98), 8: (88.09, 80.26), 12: (89.66, 83.83), 16: (88.65, 82.75)},
    "english": {4: (82.46, 77.82), 8: (88.52, 84.74), 12: (90.63, 87.77), 16: (90.88, 88.09)},
}


def with_labels(templates: TemplateSet) -> str:
    """The same features for the labels of arcs, each with the side that the arc goes to."""
    return "\n".join(f"{template} & DIRECTION(MOD)" for template in templates)


def parser_for(features: TemplateSet, train: Doc, pos: str) -> Parser:
    pairs = expand_pairs(features)
    config = ParserConfig(
        scorer="linear",
        system="arc-eager",
        templates=str(pairs),
        label_templates=with_labels(pairs),
        settings=SETTINGS,
        label_settings=SETTINGS,
        pos=pos,  # type: ignore[arg-type]
        folds=0,
    )
    return finished(Parser.fit(config, train))


def scores(parser: Parser, gold: Doc) -> tuple[float, float]:
    guess = gold.sentences[:]
    parser.apply(guess)
    found = evaluate_conllx(gold, guess, punctuation=True)
    return found["UAS"].f1, found["LAS"].f1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    beside = HERE.parent.parent.parent / "shared" / "data"
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("LACONIC_DATA", beside)))
    parser.add_argument("--generations", type=int, nargs="+", default=[8, 16])
    arguments = parser.parse_args()

    def treebank(name: str, part: str) -> Doc:
        found = sorted((arguments.data / "ud" / name).glob(f"{part}.conll*"))
        if not found:
            sys.exit(f"needs the treebank {arguments.data / 'ud' / name}")
        return read(found[0])

    text = [
        "# Tables 6 and 7: feature sets found by discovery",
        "",
        "Written by `python experiments/nilsson2010/tables67.py`: arc-eager, action then label, the first features of the",
        "published lists with all their pairs, linear rows; treebank tags (Swedish UPOS, English XPOS), punctuation",
        "included, development sets. The paper's figures are of its test sets, other treebanks and another classifier:",
        "they show the shape to expect.",
    ]
    for language, train_name, pos, others in (
        ("swedish", "sv_talbanken", "upos", ("sv_talbanken",)),
        ("english", "en_ewt", "xpos", ("en_ewt", "en_gum")),
    ):
        train = treebank(train_name, "train")
        tests = {name: treebank(name, "dev") for name in others}
        columns = [f"{name} {measure}" for name in tests for measure in ("UAS", "LAS")]
        text += [
            "",
            f"## {language.capitalize()}",
            "",
            f"| features | with pairs | {' | '.join(columns)} | paper UAS | paper LAS | training, s |",
            "| --- " * (len(columns) + 5) + "|",
        ]
        features = load_set(f"nilsson2010-{language}")
        for generation in arguments.generations:
            begun = time.process_time()
            trained = parser_for(features[:generation], train, pos)
            seconds = time.process_time() - begun
            found = [f"{value:.2f}" for doc in tests.values() for value in scores(trained, doc)]
            paper = [f"{value:.2f}" for value in PAPER[language].get(generation, ())] or ["", ""]
            count = len(expand_pairs(features[:generation]))
            text.append(f"| {generation} | {count} | {' | '.join([*found, *paper])} | {seconds:.0f} |")
            print(text[-1], file=sys.stderr)
    (HERE / "tables67.md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
