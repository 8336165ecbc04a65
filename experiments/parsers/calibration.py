"""How well a model knows what it knows: the calibration error of tags, heads and labels: calibration.md beside this file.

    python -m experiments.parsers.calibration [--data DIR] [MODEL]

On the development set of UD English EWT, gold tokens, the model's own tags. Needs the treebank.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import laconic
from experiments.common import arguments, command, treebank, write_report
from experiments.tables import header, line
from laconic.corpus import Doc
from laconic.evaluate.score import Bools
from laconic.learn import expected_calibration_error
from laconic.learn.component import Confidences

HERE = Path(__file__).resolve().parent

SAMPLES = 1000


def judged(nlp: laconic.Pipeline, gold: Doc) -> Iterator[tuple[str, Confidences, Bools]]:
    """What is predicted, how sure the model is of it, and whether it is right, for each word."""

    def same(column: str) -> Bools:
        return np.asarray(np.array(guess.strings(column)) == np.array(gold.strings(column)))

    guess = gold.sentences[:]
    morphology, parser = nlp.components["morphology"], nlp.components["parser"]
    sure = morphology.confident(guess)
    yield "all tags", sure, np.logical_and.reduce([same(column) for column in morphology.columns])
    found = parser.predict(guess, confidence=True)
    parser.write(guess, found)
    heads = np.asarray(guess.heads == gold.heads)
    yield "head", found.head_confidence, heads
    yield "label, where the head is right", found.label_confidence[heads], same("deprel")[heads]
    yield "head and label", found.head_confidence * found.label_confidence, heads & same("deprel")


def confidence_interval(sure: Confidences, right: Bools) -> tuple[float, float]:
    """95 % interval of the error by bootstrap over words; chance alone makes it larger than that of the whole."""
    random = np.random.default_rng(1)
    drawn = (random.integers(len(sure), size=len(sure)) for _ in range(SAMPLES))
    low, high = np.quantile([expected_calibration_error(sure[one], right[one]) for one in drawn], (0.025, 0.975))
    return float(low), float(high)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("model", nargs="?", default="en")
    chosen = parser.parse_args()
    gold = treebank(chosen.data, "en_ewt")[1]
    nlp = laconic.load(chosen.model)
    lines = [
        "# Calibration",
        "",
        f"Written by {command()}: the model `{Path(chosen.model).name}`, UD English EWT, development set,",
        "gold tokens, predicted tags. Temperatures of confidence were set on training data that the deciding model had not",
        "seen. Error: expected calibration error (15 bins of equal width), with a 95 % interval by bootstrap over words.",
        "",
        *header("effort", "of what", "right", "mean confidence", "error"),
    ]
    for effort in nlp.efforts:
        own = nlp.at(effort)
        if own.components["parser"].search is not None:  # a beam compares whole trees: it knows no chance of an arc
            continue
        for what, sure, right in judged(own, gold):
            error = expected_calibration_error(sure, right)
            low, high = confidence_interval(sure, right)
            lines.append(
                line(
                    effort, what, f"{right.mean():.4f}", f"{sure.mean():.4f}", f"{error:.4f} ({low:.4f} to {high:.4f})"
                )
            )
    write_report(HERE / "calibration.md", lines)


if __name__ == "__main__":
    main()
