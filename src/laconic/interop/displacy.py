"""The format that displaCy draws when called with ``manual=True``."""

from __future__ import annotations

from typing import Any, Literal

from laconic.corpus import Doc
from laconic.interop.rows import ABSENT, Rows, bounds


def to_displacy(doc: Doc, style: Literal["dep", "ent"] = "dep") -> list[dict[str, Any]]:
    """One dictionary per sentence: words and arcs, or its text and entities with ``style="ent"``."""
    if style not in ("dep", "ent"):
        raise ValueError(f"displaCy draws 'dep' or 'ent', not {style!r}")
    rows = Rows.of(doc)
    if style == "ent":
        return _with_entities(doc, rows)
    return [_with_arcs(rows, begin, stop) for begin, stop in bounds(doc)]


def _with_arcs(rows: Rows, begin: int, stop: int) -> dict[str, Any]:
    tags = [upos if upos != ABSENT else "" for upos in rows.upos[begin:stop]]
    words = [{"text": form, "tag": tag} for form, tag in zip(rows.form[begin:stop], tags, strict=True)]
    arcs = []
    for index, (head, label) in enumerate(zip(rows.head[begin:stop], rows.deprel[begin:stop], strict=True)):
        if 0 < head <= stop - begin and head - 1 != index:
            left, right = sorted((head - 1, index))
            direction = "left" if index < head - 1 else "right"
            arcs.append({"start": left, "end": right, "label": "" if label == ABSENT else label, "dir": direction})
    return {"words": words, "arcs": arcs}


def _with_entities(doc: Doc, rows: Rows) -> list[dict[str, Any]]:
    """Offsets count in the text that is given along: that of the sentence alone."""
    whole, found = doc.text, []
    for sentence in doc.sentences:
        start, stop = sentence.start, sentence.stop
        ents = [
            {"start": rows.start[span.begin] - start, "end": rows.end[span.stop - 1] - start, "label": span.label}
            for span in sentence.entities
            if start >= 0 and rows.start[span.begin] >= 0 and rows.end[span.stop - 1] >= 0
        ]
        text = whole[start : rows.end[stop - 1]] if start >= 0 and rows.end[stop - 1] >= 0 else ""
        found.append({"text": text, "ents": ents if text else [], "title": None})
    return found
