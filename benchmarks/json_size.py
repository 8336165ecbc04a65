"""How large outputs are beside their text.

    python -m benchmarks.json_size [--data DIR]

The text of the development set of UD English EWT, parsed by the English model: bytes of CoNLL-U, JSON and JSON Lines over
bytes of the text, and whether JSON comes back as the same document. Prints a table.
"""

from __future__ import annotations

from experiments.common import arguments, treebank
from experiments.tables import header, line

from laconic import Doc, load
from laconic.interop.writers import WRITERS


def main() -> None:
    chosen = arguments(__doc__).parse_args()
    text = treebank(chosen.data, "en_ewt")[1].text
    doc = load("en")(text)
    rows = header("output", "bytes over those of the text")
    for name in ("conllu", "json", "jsonl"):
        size = sum(map(len, WRITERS[name](doc)))
        rows.append(line(name, f"{size / len(text.encode()):.1f}"))
    print("\n".join(rows))
    assert Doc.from_json(doc.to_json()) == doc


if __name__ == "__main__":
    main()
