"""Tables 6 and 7 of nilsson2010: the feature sets it discovered, trained and scored on the treebanks at hand.

    python -m experiments.nilsson2010.tables67 [--data DIR] [--generations 4 8 12 16] [--sentences N]

Arc-eager, an action and then a label, the first features of each published list joined to all pairs as the paper's
quadratic kernel does. Swedish: Talbanken. English: EWT, and GUM as the other domain. Scores as in CoNLL-X, punctuation
included, tags of the treebank. Writes tables67.md beside itself. Needs the treebanks.
"""

from __future__ import annotations

import time
from pathlib import Path

from experiments.common import arguments, command, treebank, write_report
from experiments.tables import cell, header, line
from laconic.corpus import Doc
from laconic.evaluate import Scores, evaluate_conllx
from laconic.features import TemplateSet, expand_pairs, load_set
from laconic.learn import Settings, TrainingData
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
    return finished(Parser.fit(config, TrainingData(train)))


def attachment(parser: Parser, gold: Doc) -> Scores:
    guess = gold.sentences[:]
    parser.apply(guess)
    return evaluate_conllx(gold, guess, punctuation=True)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--generations", type=int, nargs="+", default=[4, 8, 12, 16])
    parser.add_argument("--sentences", type=int, default=None, help="train on so many sentences of each treebank")
    chosen = parser.parse_args()
    text = [
        "# Tables 6 and 7: feature sets found by discovery",
        "",
        f"Written by {command()}: arc-eager, action then label, the first features of the",
        "published lists with all their pairs, linear rows; treebank tags (Swedish UPOS, English XPOS), punctuation",
        "included, development sets, 95 % intervals by bootstrap over sentences. The paper's figures are of its test sets, other treebanks and another classifier:",
        "they show the shape to expect.",
    ]
    for language, train_name, pos, others in (
        ("swedish", "sv_talbanken", "upos", ("sv_talbanken",)),
        ("english", "en_ewt", "xpos", ("en_ewt", "en_gum")),
    ):
        train = treebank(chosen.data, train_name, chosen.sentences)[0]
        tests = {name: treebank(chosen.data, name)[1] for name in others}
        columns = [f"{name} {measure}" for name in tests for measure in ("UAS", "LAS")]
        text += ["", f"## {language.capitalize()}", "", f"{len(train.sentences):,} training sentences.", ""]
        text += header("features", "with pairs", *columns, "paper UAS", "paper LAS", "training, s")
        features = load_set(f"nilsson2010-{language}")
        for generation in chosen.generations:
            begun = time.process_time()
            trained = parser_for(features[:generation], train, pos)
            seconds = time.process_time() - begun
            found = [cell(attachment(trained, doc), metric) for doc in tests.values() for metric in ("UAS", "LAS")]
            paper = [f"{value:.2f}" for value in PAPER[language].get(generation, ())] or ["", ""]
            count = str(len(expand_pairs(features[:generation])))
            text.append(line(str(generation), count, *found, *paper, f"{seconds:.0f}"))
            write_report(HERE / "tables67.md", text)


if __name__ == "__main__":
    main()
