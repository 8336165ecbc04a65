"""A document as JSON: columns of words per sentence, without what follows from the rest. docs/views.md describes the
shape, ``laconic.corpus.record_reading`` is the way back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laconic.corpus.doc import Doc
    from laconic.corpus.sentence import EmptyNode, MultiwordToken, Sentence

Record = dict[str, Any]
ABSENT = "_"
FIELDS = ("form", "lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")
OPTIONAL_FIELDS = ("lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
"""What multiword tokens and empty nodes may have beside a form."""
BOUNDARIES = ("newdoc", "newpar")
COMMENT_KEYS = (*BOUNDARIES, "sent_id", "text")
"""Comments that have keys of their own, in the order in which the pipeline writes them."""
_RUN = re.compile(r"[ \t\r\n\f\v]+")
ESCAPES = {" ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\", "\0": "\\0"}
"""Of white space in MISC: those of UD, and NUL."""
_ESCAPE = str.maketrans(ESCAPES)
_ESCAPED = re.compile(r"\\[strnp\\0]")
_UNESCAPE = {escape: char for char, escape in ESCAPES.items()}


def document(doc: Doc) -> Record:
    """The document as plain values, ready for ``json.dumps``."""
    return {"id": document_id(doc), "sentences": list(sentences(doc))}


def document_id(doc: Doc) -> str | None:
    """Of its first sentence's ``# newdoc id``; None where it has none."""
    return (doc.sentences[0].newdoc if doc else None) or None


def to_json(doc: Doc, indent: int | None = None) -> str:
    return dumps(document(doc), indent)


def dumps(value: Any, indent: int | None = None) -> str:
    """JSON without white space, unless it is to be indented."""
    return json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":"))


def sentences(doc: Doc, begin: int = 0) -> Iterator[Record]:
    """One record per sentence. ``begin`` is added to where it starts: characters of a longer document before this part
    of it. Cost: linear; no Python object per word but its values."""
    columns = {name: doc.strings(name) for name in FIELDS}
    heads, starts, ends = doc.heads.tolist(), doc.starts.tolist(), doc.ends.tolist()
    text = doc.text
    at = 0
    for sentence in doc.sentences:
        first, at = _extent(sentence, text, at, starts, ends)
        own = slice(sentence.begin, sentence.stop)
        record = _facts(sentence) | {"text": text[first:at], "start": begin + first} | _white_space_around(sentence)
        comments = list(_comments(sentence, record))
        if comments != comment_keys(record):
            record["comments"] = comments
        words: Record = {}
        record["words"] = words
        for name in FIELDS:
            values = columns[name][own]
            words[name] = values if name == "form" else [value if value != ABSENT else None for value in values]
            if name == "lemma" and ABSENT in words["form"]:  # the lemma of the word "_" may be "_"
                pairs = zip(words["form"], words[name], strict=True)
                words[name] = [ABSENT if form == ABSENT and lemma is None else lemma for form, lemma in pairs]
            if name == "feats":
                words["head"] = [head if head >= 0 else None for head in heads[own]]
        given = [[place - first if place >= 0 else None for place in places_of[own]] for places_of in (starts, ends)]
        if given != list(following_offsets(words["form"], record["text"])):
            words["start"], words["end"] = given
        if multiwords := [_multiword(token) for token in sentence.multiword_tokens]:
            record["multiword_tokens"] = multiwords
        if nodes := [_empty(node) for node in sentence.empty_nodes]:
            record["empty_nodes"] = nodes
        entities = [
            {"label": span.label, "first": span.begin - sentence.begin + 1, "last": span.stop - sentence.begin}
            for span in sentence.entities
        ]
        if entities or any(value is not None and "NER=" in value for value in words["misc"]):
            record["entities"] = entities
        _leave_out_implied(record)
        for name in (*FIELDS[1:], "head"):
            if all(value is None for value in words[name]):
                del words[name]
        yield record


def comment_keys(record: Record) -> list[str]:
    """The comments of a sentence that has none but those with keys of their own, in the usual order."""
    return [name for name in COMMENT_KEYS if name in record]


def comment_line(name: str, record: Record) -> str:
    """The line that a key of the record tells."""
    value = record[name]
    if name == "text":
        return f"# text = {_RUN.sub(' ', value)}"
    if name in BOUNDARIES:
        return f"# {name} id = {value}" if value else f"# {name}"
    return f"# {name} = {value}"


def following_offsets(forms: Sequence[str], text: str) -> tuple[list[int | None], list[int | None]]:
    """Where words begin and end that stand in a text one after another: each at the first place behind the word before
    at which its form stands. Nothing is known of any of them where one is missing."""
    starts: list[int | None] = []
    ends: list[int | None] = []
    at = 0
    for form in forms:
        start = text.find(form, at)
        if start < 0:
            return [None] * len(forms), [None] * len(forms)
        at = start + len(form)
        starts.append(start)
        ends.append(at)
    return starts, ends


def implied_misc(record: Record) -> tuple[list[str], list[str]]:
    """MISC of words and of multiword tokens as text, offsets and entities imply it: SpaceAfter and its like, then NER.
    Linear."""
    words = record["words"]
    count = len(words["form"])
    if "start" in words:
        starts, ends = words["start"], words["end"]
    else:
        starts, ends = following_offsets(words["form"], record.get("text", ""))
    spaces = [""] * count
    if count and None not in starts and None not in ends:
        text = record["text"]
        for number, (end, start) in enumerate(zip(ends, starts[1:], strict=False)):
            gap = text[end:start]
            spaces[number] = "" if gap == " " else _space_entry(gap)
    if count and "after" in record:
        spaces[-1] = _space_entry(record["after"])
    if count and "before" in record:
        spaces[0] = "|".join(filter(None, (f"SpacesBefore={record['before'].translate(_ESCAPE)}", spaces[0])))
    multiwords = []
    for token in record.get("multiword_tokens", ()):
        multiwords.append(spaces[token["last"] - 1] or ABSENT)
        spaces[token["first"] - 1 : token["last"]] = [""] * (token["last"] - token["first"] + 1)
    if "entities" not in record:
        return [space or ABSENT for space in spaces], multiwords
    tags = ["O"] * count
    for entity in record["entities"]:
        inside = entity["last"] - entity["first"]
        tags[entity["first"] - 1 : entity["last"]] = [f"B-{entity['label']}", *[f"I-{entity['label']}"] * inside]
    return [
        f"{space}|NER={tag}" if space else f"NER={tag}" for space, tag in zip(spaces, tags, strict=True)
    ], multiwords


def _space_entry(gap: str) -> str:
    return f"SpacesAfter={gap.translate(_ESCAPE)}" if gap else "SpaceAfter=No"


def _leave_out_implied(record: Record) -> None:
    """MISC stays where it says something else: as it is, ``_`` included."""
    words = record["words"]
    implied, of_multiwords = implied_misc(record)
    words["misc"] = [
        None if (own or ABSENT) == other else own or ABSENT for own, other in zip(words["misc"], implied, strict=True)
    ]
    for token, other in zip(record.get("multiword_tokens", ()), of_multiwords, strict=True):
        own = token.pop("misc", ABSENT)
        if own != other:
            token["misc"] = own


def _extent(sentence: Sentence, text: str, at: int, starts: Sequence[int], ends: Sequence[int]) -> tuple[int, int]:
    """First character of a sentence and the one behind its last: all of its ``# text`` where the document takes it as
    it is, else what its words cover. ``at`` is where the sentence before ends."""
    told = sentence.comment("text")
    known = len(sentence) > 0 and starts[sentence.begin] >= 0
    first, last = (starts[sentence.begin], ends[sentence.stop - 1]) if known else (at, at)
    if told is not None:
        begin = first - (len(told) - len(told.lstrip())) if known else text.find(told, at)
        if text.startswith(told, begin) and begin + len(told) >= last:
            return begin, begin + len(told)
    return first, last


def _white_space_around(sentence: Sentence) -> Record:
    """What MISC of the first and the last token says of it; nothing where they say nothing."""
    if not len(sentence):
        return {}
    strings = sentence.doc.columns.strings
    outer = [strings("misc", word, word + 1)[0] for word in (sentence.begin, sentence.stop - 1)]
    for token in sentence.multiword_tokens:
        if token.first == 1:
            outer[0] = token.misc
        if token.last == len(sentence):
            outer[1] = token.misc
    found = {}
    for key, misc, name in (("before", outer[0], "SpacesBefore="), ("after", outer[1], "SpacesAfter=")):
        entries = misc.split("|")
        value = next((entry[len(name) :] for entry in entries if entry.startswith(name)), None)
        if value is not None:
            found[key] = _ESCAPED.sub(lambda escape: _UNESCAPE[escape[0]], value)
        elif key == "after" and "SpaceAfter=No" in entries:
            found[key] = ""
    return found


def _facts(sentence: Sentence) -> Record:
    facts = {"newdoc": sentence.newdoc, "newpar": sentence.newpar, "sent_id": sentence.sent_id}
    return {name: value for name, value in facts.items() if value is not None}


def _comments(sentence: Sentence, record: Record) -> Iterable[str]:
    """Each line, or the name of the key that tells it."""
    lines = {comment_line(name, record): name for name in comment_keys(record)}
    for line in sentence.comments:
        yield lines.pop(line, line)


def _multiword(token: MultiwordToken) -> Record:
    return {"first": token.first, "last": token.last, "form": token.form, **_optional(token)}


def _empty(node: EmptyNode) -> Record:
    return {"id": node.id, "form": node.form, **_optional(node)}


def _optional(row: MultiwordToken | EmptyNode) -> Record:
    values = ((name, getattr(row, name)) for name in OPTIONAL_FIELDS)
    return {name: value for name, value in values if value != ABSENT}
