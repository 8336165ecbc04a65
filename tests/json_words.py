"""Words of a sentence in JSON as objects, read as docs/views.md tells others to read them."""

from __future__ import annotations

from typing import Any

NAMES = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps")


def words(sentence: dict[str, Any]) -> list[dict[str, Any]]:
    """One object per word, with ``start`` and ``end`` in the text of the document."""
    columns = sentence["words"]
    starts, ends = columns.get("start"), columns.get("end")
    if starts is None:
        starts, ends, at = [], [], 0
        for form in columns["form"]:
            starts.append(sentence["text"].find(form, at))
            at = starts[-1] + len(form)
            ends.append(at)
        if -1 in starts:  # what a word behind a missing one was found at means nothing
            starts = ends = [None] * len(starts)
    found = []
    for index, (start, end) in enumerate(zip(starts, ends, strict=True)):
        one = {name: columns[name][index] if name in columns else None for name in NAMES}
        one |= {"id": index + 1, "start": start, "end": end}
        found.append(
            one if start is None else one | {"start": sentence["start"] + start, "end": sentence["start"] + end}
        )
    return found


def multiwords(sentence: dict[str, Any]) -> list[dict[str, Any]]:
    own = words(sentence)
    return [
        token | {"start": own[token["first"] - 1]["start"], "end": own[token["last"] - 1]["end"]}
        for token in sentence.get("multiword_tokens", [])
    ]


def surface(sentences: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tokens of sentences: words, those of multiword tokens as one."""
    found = []
    for sentence in sentences:
        ranges = multiwords(sentence)
        inside = {number for token in ranges for number in range(token["first"], token["last"] + 1)}
        found += [word for word in words(sentence) if word["id"] not in inside] + ranges
    return found


def text(sentences: list[dict[str, Any]]) -> str:
    """Of sentences that follow each other; what is missing between the parts of a document is told as spaces."""
    joined, gap = "", None
    begin = sentences[0]["start"] - len(sentences[0].get("before", "")) if sentences else 0
    for number, sentence in enumerate(sentences):
        if number and not gap:
            gap = "\n\n" if sentence.keys() & {"newdoc", "newpar"} else " " if gap is None else ""
        before = sentence.get("before", "")
        joined = (joined + (gap or "")).ljust(sentence["start"] - len(before) - begin) + before + sentence["text"]
        gap = sentence.get("after")
    return joined + (gap or "")
