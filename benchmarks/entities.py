"""What the English model knows of named entities: F1 of spans, on text like its training data and on tweets.

    python -m benchmarks.entities [MODEL] [--data DIR]

Both halves of the development set of UD English EWT with the entities of Universal NER, from raw text and with given
words; settings were chosen on the first. The Broad Twitter Corpus and the data of WNUT 2017, of which nothing was seen,
with given words; of the latter persons, locations, and corporations and groups as organisations. Writes
docs/entity_scores.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from experiments.common import ROOT, arguments, blank, command, treebank_files, write_report
from experiments.tables import header, line

import laconic
from laconic.corpus import Doc, read
from laconic.evaluate import evaluate_entities
from laconic.pipeline import Pipeline
from laconic.tag import merge_entities

TYPES = {name: name for name in ("PER", "LOC", "ORG")}
WNUT = {"person": "PER", "location": "LOC", "corporation": "ORG", "group": "ORG"}
FILES = {
    "Broad Twitter Corpus, training part": ("btc/btc.train", TYPES),
    "Broad Twitter Corpus, development part": ("btc/btc.dev", TYPES),
    "WNUT 2017, training part": ("wnut17/wnut17train.conll", WNUT),
    "WNUT 2017, development part": ("wnut17/emerging.dev.conll", WNUT),
}
METRICS = ("NER", "NER:PER", "NER:LOC", "NER:ORG")


def renamed(doc: Doc, names: Mapping[str, str]) -> Doc:
    """The entities under other names of types; those whose type has none are left out, and so are sentences with a word
    of spaces alone, which the scorer refuses."""

    def tag(found: re.Match[str]) -> str:
        name = names.get(found[2])
        return "NER=O" if name is None else f"NER={found[1]}-{name}"

    whole = Doc.concatenate(
        doc.sentences[i : i + 1] for i, one in enumerate(doc.sentences) if all(map(str.strip, one.words))
    )
    return Doc.from_conllu(re.sub(r"NER=([BI])-([\w-]+)", tag, whole.to_conllu()))


def row(pipeline: Pipeline, name: str, gold: Doc, *, raw: bool = False) -> str:
    """Scores at the effort balanced."""
    guess = pipeline(gold.text if raw else blank(gold))
    scores = evaluate_entities(gold, guess)
    own = [f"{scores[metric].f1:.2f}" if metric in scores else "" for metric in METRICS]
    return line(name, "raw text" if raw else "words", str(scores["NER"].gold), *own)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("model", nargs="?", default="en")
    chosen = parser.parse_args()
    pipeline = laconic.load(chosen.model)
    ner = chosen.data / "ner"
    annotated = read(ner / "uner_en_ewt" / "en_ewt-ud-dev.iob2", "iob:id,form,entity,-,-")
    dev = merge_entities(read(treebank_files(chosen.data, "en_ewt")[1]), annotated).doc
    middle = len(dev.sentences) // 2
    halves = {"first": dev.sentences[:middle], "second": dev.sentences[middle:]}
    lines = [
        "# Named entities",
        "",
        f"Written by {command()}: F1 of spans in percent, at the effort `balanced`. Settings were chosen on the first half",
        "of the development set of UD English EWT; of the two corpora of tweets nothing was seen.",
        "",
        *header("text", "given", "entities", "all", "persons", "places", "organisations"),
    ]
    for raw in (True, False):
        lines += [row(pipeline, f"EWT, {half} half", gold, raw=raw) for half, gold in halves.items()]
    for name, (file, names) in FILES.items():
        lines.append(row(pipeline, name, renamed(read(ner / file, "iob:form,entity"), names)))
    write_report(ROOT / "docs" / "entity_scores.md", lines)


if __name__ == "__main__":
    main()
