"""The REST interface of CoreNLP's server, as far as laconic has what it asks for: a text as the body, properties in the
address, JSON or CoNLL-U back. NLTK's and Stanza's clients work with it as they are."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laconic.corpus import Doc, Entity
from laconic.corpus.records import Record
from laconic.errors import choices
from laconic.interop.rows import ABSENT, Rows
from laconic.pipeline.costs import measured
from laconic.serve.limits import Limits, Refused
from laconic.serve.service import ServedModel, words_doc
from laconic.serve.udpipe import step_components

LONGEST = 10_000
"""Characters of properties."""
STEPS = {"pos": "tagger", "lemma": "tagger", "depparse": "parser"}
"""Annotators, and the step of UDPipe's interface that is the same."""
ALWAYS = ("tokenize", "ssplit", "mwt")
ANNOTATORS = (*ALWAYS, *STEPS, "ner")
FORMATS = ("json", "conllu")
WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class AnnotateRequest:
    """What a client asks for. Properties that laconic has no use for are not looked at, as CoreNLP does."""

    text: str
    annotators: tuple[str, ...] | None = None
    format: str = "json"
    whitespace: bool = False
    """Words are what stands between white space."""
    eolonly: bool = False
    """Sentences end at line ends only."""
    one_sentence: bool = False
    effort: str | None = None

    @classmethod
    def of(cls, text: str, fields: Mapping[str, str]) -> AnnotateRequest:
        """Of a body and the fields of the address; Refused for what cannot be served."""
        given = properties(fields.get("properties", ""))
        named = given.get("annotators", fields.get("annotators"))
        wanted = None if named is None else tuple(name.strip() for name in named.split(",") if name.strip())
        for name in wanted or ():
            if name not in ANNOTATORS:
                raise Refused(400, f"no annotator '{name}': there are {choices(name, ANNOTATORS)}")
        if given.get("inputFormat", "text") != "text":
            raise Refused(400, "inputFormat must be text")
        format = given.get("outputFormat", fields.get("outputFormat", "json")).lower()
        if format not in FORMATS:
            raise Refused(400, f"outputFormat cannot be '{format}': there are {', '.join(FORMATS)}")
        return cls(
            text,
            wanted,
            format,
            whitespace=given.get("tokenize.whitespace") == "true",
            eolonly=given.get("ssplit.eolonly") == "true",
            one_sentence=given.get("ssplit.isOneSentence") == "true",
            effort=given.get("effort"),
        )

    def words(self) -> list[list[re.Match[str]]] | None:
        """Given words with their places, in sentences as far as the client says so; None where it is for us to find
        them."""
        if not self.whitespace:
            return None
        if not self.eolonly:
            return [list(WORD.finditer(self.text))]
        ends = [match.end() for match in re.finditer("\n|$", self.text)]
        rows, begin = [], 0
        for end in ends:
            rows.append(list(WORD.finditer(self.text, begin, end)))
            begin = end
        return [row for row in rows if row]


def properties(text: str) -> dict[str, str]:
    """As clients send them: JSON, or, from Stanza's, a dictionary as Python prints it. All values as strings."""
    if not text:
        return {}
    if len(text) > LONGEST:
        raise Refused(400, f"properties have more than {LONGEST:,} characters")
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = ast.literal_eval(text)  # literals only: nothing is executed
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise Refused(400, "properties are no JSON object") from None
    except RecursionError:
        raise Refused(400, "properties are no JSON object") from None
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise Refused(400, "properties are no JSON object")
    return {
        key: value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
        for key, value in found.items()
    }


def annotate(model: ServedModel, asked: AnnotateRequest, limits: Limits) -> Record | str:
    """The answer: an object, or CoNLL-U."""
    _, pipeline = model.at(asked.effort)
    known = {name: step_components(pipeline, step) for name, step in STEPS.items()}
    known["ner"] = [name for name in pipeline.components if name == "entities"]
    wanted = asked.annotators or (*ALWAYS, *(name for name, components in known.items() if components))
    for name in wanted:
        if name in known and not known[name]:
            raise Refused(400, f"the model {model.name} has nothing for the annotator '{name}'")
    doc, places = _segmented(pipeline, asked)
    if len(doc) > limits.words:
        raise Refused(413, f"{len(doc):,} words are too many: {limits.words:,} are allowed")
    # Trees and entities are read off tags, whether the client wants to see those or not.
    used = dict.fromkeys(one for name in wanted for one in (*known["pos"], *known.get(name, ())) if name in known)
    doc, _ = measured(pipeline, doc, list(used))
    if asked.format == "conllu":
        return doc.to_conllu()
    return {"sentences": _sentences(doc, asked.text, places, frozenset(wanted))}


def _segmented(pipeline: Any, asked: AnnotateRequest) -> tuple[Doc, list[tuple[int, int]]]:
    """The document without annotations, and where each word stands in the text."""
    rows = asked.words()
    if rows is None:
        text = asked.text
        if asked.one_sentence:
            text = re.sub("[\r\n\f\v\x85\u2028\u2029]", " ", text)  # as long as it was
        doc, _ = measured(pipeline, text, (), lines=asked.eolonly or asked.one_sentence)
        return doc, list(zip(doc.starts.tolist(), doc.ends.tolist(), strict=True))
    if asked.eolonly or asked.one_sentence or not rows[0]:
        doc = words_doc([[word[0] for word in row] for row in rows])
    else:
        doc = pipeline.segmenter.split([word[0] for word in rows[0]])
    return doc, [word.span() for row in rows for word in row]


def _sentences(doc: Doc, text: str, places: list[tuple[int, int]], wanted: frozenset[str]) -> list[Record]:
    rows, found = Rows.of(doc), []
    for number, sentence in enumerate(doc.sentences):
        begin, stop, spans = sentence.begin, sentence.stop, sentence.entities
        names = {word: span.label for span in spans for word in range(span.begin, span.stop)}
        record: Record = {"index": number}
        if "depparse" in wanted:
            arcs = [_arc(rows, begin, word) for word in range(begin, stop)]
            record |= dict.fromkeys(("basicDependencies", "enhancedDependencies", "enhancedPlusPlusDependencies"), arcs)
        if "ner" in wanted:
            record["entitymentions"] = [_mention(span, begin, text, places) for span in spans]
        record["tokens"] = [_token(rows, begin, word, text, places, wanted, names) for word in range(begin, stop)]
        found.append(record)
    return found


def _token(
    rows: Rows,
    begin: int,
    word: int,
    text: str,
    places: list[tuple[int, int]],
    wanted: frozenset[str],
    names: dict[int, str],
) -> Record:
    start, end = places[word]
    after = places[word + 1][0] if word + 1 < len(places) else len(text)
    token: Record = {
        "index": word - begin + 1,
        "word": _joined(rows.form[word]),
        "originalText": text[start:end],
        "characterOffsetBegin": start,
        "characterOffsetEnd": end,
        "before": text[places[word - 1][1] if word else 0 : start],
        "after": text[end:after],
    }
    if "lemma" in wanted:
        token["lemma"] = _joined(rows.lemma[word] if rows.lemma[word] != ABSENT else rows.form[word])
    if "pos" in wanted:
        token["pos"] = rows.xpos[word] if rows.xpos[word] != ABSENT else rows.upos[word]
    if "ner" in wanted:
        token["ner"] = names.get(word, "O")
    return token


def _arc(rows: Rows, begin: int, word: int) -> Record:
    head = rows.head[word]
    return {
        "dep": rows.deprel[word] if head else "ROOT",
        "governor": head,
        "governorGloss": _joined(rows.form[begin + head - 1]) if head else "ROOT",
        "dependent": word - begin + 1,
        "dependentGloss": _joined(rows.form[word]),
    }


def _mention(span: Entity, begin: int, text: str, places: list[tuple[int, int]]) -> Record:
    start, end = places[span.begin][0], places[span.stop - 1][1]
    return {
        "docTokenBegin": span.begin,
        "docTokenEnd": span.stop,
        "tokenBegin": span.begin - begin,
        "tokenEnd": span.stop - begin,
        "text": text[start:end],
        "characterOffsetBegin": start,
        "characterOffsetEnd": end,
        "ner": span.label,
    }


def _joined(form: str) -> str:
    """White space within a word as no-break spaces, as CoreNLP has it: its clients split lines at spaces."""
    return "\u00a0".join(form.split()) if any(c.isspace() for c in form) else form
