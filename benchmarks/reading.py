"""Loops over words beside spaCy's and Stanza's objects, and queries over trees beside udapi's.

    python -m benchmarks.reading [--data DIR] [--rounds 1]

The training set of UD English EWT, repeated to a million words, as documents of each package (spaCy's and Stanza's are
made from ours, so that all hold the same), one loop each for typical questions; the same file for the queries, once
read. CPU time of one thread, in turns. Writes docs/reading-speed.md.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.common import ROOT, arguments, command, treebank_files, write_report
from experiments.tables import header, line

from laconic.corpus import Doc, read
from laconic.query import Query

WORDS = 1_000_000
COPULA = ("be", "AUX", "cop")
Loop = Callable[[Any], int]


def ours_text(doc: Any) -> int:
    return sum(1 for token in doc if token.text == "the")


def ours_fields(doc: Any) -> int:
    return sum(1 for token in doc if (token.lemma, token.upos, token.deprel) == COPULA)


def ours_heads(doc: Any) -> int:
    return sum(1 for token in doc if token.head.upos == "VERB")


def ours_children(doc: Any) -> int:
    return sum(len(token.children) for token in doc)


def ours_feats(doc: Any) -> int:
    return sum(1 for token in doc if token.feats.get("Number") == "Plur")


def spacy_text(doc: Any) -> int:
    return sum(1 for token in doc if token.text == "the")


def spacy_fields(doc: Any) -> int:
    return sum(1 for token in doc if (token.lemma_, token.pos_, token.dep_) == COPULA)


def spacy_heads(doc: Any) -> int:
    return sum(1 for token in doc if token.head.pos_ == "VERB")


def spacy_children(doc: Any) -> int:
    return sum(len(list(token.children)) for token in doc)


def spacy_feats(doc: Any) -> int:
    return sum(1 for token in doc if token.morph.get("Number") == ["Plur"])


def stanza_text(doc: Any) -> int:
    return sum(1 for sentence in doc.sentences for word in sentence.words if word.text == "the")


def stanza_fields(doc: Any) -> int:
    return sum(
        1 for sentence in doc.sentences for word in sentence.words if (word.lemma, word.upos, word.deprel) == COPULA
    )


def stanza_heads(doc: Any) -> int:
    found = 0
    for sentence in doc.sentences:
        for word in sentence.words:
            head = sentence.words[word.head - 1] if word.head else word
            found += head.upos == "VERB"
    return found


def stanza_children(doc: Any) -> int:
    found = 0
    for sentence in doc.sentences:
        for word in sentence.words:
            found += len([other for other in sentence.words if other.head == word.id])
    return found


def stanza_feats(doc: Any) -> int:
    return sum(
        1
        for sentence in doc.sentences
        for word in sentence.words
        if word.feats and "Number=Plur" in word.feats.split("|")
    )


LOOPS: dict[str, tuple[Loop, Loop, Loop]] = {
    "the text": (ours_text, spacy_text, stanza_text),
    "lemma, UPOS and relation": (ours_fields, spacy_fields, stanza_fields),
    "the UPOS of the head": (ours_heads, spacy_heads, stanza_heads),
    "the children": (ours_children, spacy_children, stanza_children),
    "one feature": (ours_feats, spacy_feats, stanza_feats),
}
QUERIES = {
    "{upos:VERB}": lambda node: node.upos == "VERB",
    "{lemma:/.*ing/}": lambda node: node.lemma.endswith("ing"),
    "{upos:VERB} >nsubj {upos:NOUN}": lambda node: (
        node.upos == "VERB" and any(child.deprel == "nsubj" and child.upos == "NOUN" for child in node.children)
    ),
    "{upos:NOUN}=n >amod {}=a": lambda node: node.deprel == "amod" and node.parent.upos == "NOUN",
    "{upos:VERB} >> {lemma:not} !>obj {}": lambda node: (
        node.upos == "VERB"
        and any(below.lemma == "not" for below in node.descendants)
        and not any(child.deprel == "obj" for child in node.children)
    ),
}
"""Patterns, and the same for a node of udapi's, as its users write it."""


def seconds(run: Callable[[], int]) -> tuple[float, int]:
    begin = time.process_time()
    found = run()
    return time.process_time() - begin, found


def medians(runs: dict[str, Callable[[], int]], rounds: int) -> dict[str, float]:
    """Seconds of each, in turns. All must count the same."""
    taken: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        counts = {}
        for name, run in runs.items():
            spent, counts[name] = seconds(run)
            taken[name].append(spent)
        assert len(set(counts.values())) == 1, counts
    return {name: statistics.median(all_of) for name, all_of in taken.items()}


def loops(small: Doc, rounds: int) -> list[str]:
    from stanza.utils.conll import CoNLL

    copies = WORDS // len(small) + 1
    doc = Doc.concatenate([small] * copies)
    # One document of spaCy's with a million words takes gigabytes: the same loop over one copy, as often.
    there, stanza = small.to_spacy(), CoNLL.conll2doc(input_str=small.to_conllu())
    found = []
    for name, (ours, spacys, stanzas) in LOOPS.items():
        runs = {
            "laconic": lambda ours=ours: ours(doc),
            "spaCy": lambda spacys=spacys: sum(spacys(there) for _ in range(copies)),
            "Stanza": lambda stanzas=stanzas: sum(stanzas(stanza) for _ in range(copies)),
        }
        spent = medians(runs, rounds)
        per_word = {system: f"{1e9 * value / len(doc):,.0f}" for system, value in spent.items()}
        found.append(line(name, *per_word.values()))
        print(found[-1])
    return found


def queries(file: Path, small: Doc, rounds: int) -> list[str]:
    import udapi

    other = udapi.Document(str(file))
    found = []
    for pattern, test in QUERIES.items():
        query = Query(pattern)
        runs = {
            "laconic": lambda query=query: len(query.rows(small)),
            "udapi": lambda test=test: sum(1 for node in other.nodes if test(node)),
        }
        spent = medians(runs, rounds)
        found.append(
            line(
                f"`{pattern}`",
                f"{len(query.rows(small)):,}",
                *(f"{len(small) / value:,.0f}" for value in spent.values()),
                f"{spent['udapi'] / spent['laconic']:,.0f}",
            )
        )
        print(found[-1])
    begin = time.process_time()
    read(file)
    reading = len(small) / (time.process_time() - begin)
    found += ["", f"Reading the file takes laconic {1e6 / reading:.2f} seconds a million words."]
    return found


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    chosen = parser.parse_args()
    file = treebank_files(chosen.data, "en_ewt")[0]
    small = read(file)
    lines = [
        "# Reading and searching, how fast",
        "",
        f"Written by {command()}: the training set of UD English EWT ({len(small):,} words), CPU time of one thread, "
        f"{f'medians of {chosen.rounds} alternating rounds' if chosen.rounds > 1 else 'one round'}, on a machine that did other work as well.",
        "",
        "## Loops over a million words",
        "",
        "Nanoseconds a word for a loop that asks each word for something. laconic's and spaCy's words are made when the loop comes "
        "to them, Stanza's are Python objects that are there already.",
        "",
        *header("asked of each word", "laconic", "spaCy", "Stanza"),
        *loops(small, chosen.rounds),
        "",
        "## Queries",
        "",
        "Words a second on the treebank in memory; udapi's are Python conditions over its nodes, as its users write them, and count "
        "the same. Stanza's Semgrex is a program in Java of another package, which is not here.",
        "",
        *header("pattern", "matches", "laconic", "udapi", "times"),
        *queries(file, small, chosen.rounds),
    ]
    write_report(ROOT / "docs" / "reading-speed.md", lines)


if __name__ == "__main__":
    main()
