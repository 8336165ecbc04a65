"""What a model makes of raw English text: scores of the official scorer at every effort.

    python -m benchmarks.raw_text [MODEL] [--data DIR]

On the second half of the development set of UD English EWT, on whose first half settings were chosen, and on the
development set of GUM, of which nothing was seen. Writes docs/raw_text.md.
"""

from __future__ import annotations

from experiments.common import ROOT, arguments, command, treebank_files, write_report
from experiments.tables import header, line

import laconic
from laconic.corpus import Doc, read
from laconic.evaluate import evaluate
from laconic.pipeline import Pipeline

METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")


def rows(pipeline: Pipeline, gold: Doc) -> list[str]:
    """A line for each effort, the most accurate one first."""
    found = []
    for effort in ("beam", "full", "balanced", "fast"):
        scores = evaluate(gold, pipeline.at(effort)(gold.text), single_root=False)
        found.append(line(effort, *(f"{scores[name].f1:.2f}" for name in METRICS)))
    return found


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("model", nargs="?", default="en")
    chosen = parser.parse_args()
    pipeline = laconic.load(chosen.model)
    dev = read(treebank_files(chosen.data, "en_ewt")[1])
    sets = {
        "UD English EWT, second half of the development set": dev.sentences[len(dev.sentences) // 2 :],
        "UD English GUM, development set": read(treebank_files(chosen.data, "en_gum")[1]),
    }
    lines = [
        "# Raw text to trees",
        "",
        f"Written by {command()}: F1 by the metrics of the official scorer, in percent.",
    ]
    for name, gold in sets.items():
        lines += ["", f"## {name}", "", *header("effort", *METRICS), *rows(pipeline, gold)]
    write_report(ROOT / "docs" / "raw_text.md", lines)


if __name__ == "__main__":
    main()
