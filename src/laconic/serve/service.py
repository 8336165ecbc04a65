"""What the server does with a model, apart from HTTP: plain values in, plain values out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from laconic.corpus import Doc
from laconic.corpus.records import Record, document
from laconic.errors import InputError, choices
from laconic.interop.svg import ROWS, Style, framed, pictures
from laconic.pipeline import Pipeline
from laconic.pipeline.costs import Cost, explanations, measured, seconds_per_word
from laconic.serve.limits import Limits, Refused

EXPORTS = ("conllu", "svg")


@dataclass(frozen=True)
class ServedModel:
    """A pipeline at each of its efforts. They share all that was learned, so that requests do not wait for each
    other."""

    name: str
    efforts: Mapping[str, Pipeline]
    acknowledgements: tuple[str, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """What a word of a long text takes at each effort, measured when the model was loaded."""

    @classmethod
    def of(cls, name: str, pipeline: Pipeline) -> ServedModel:
        efforts = {effort: pipeline.at(effort) for effort in pipeline.efforts}
        return cls(name, efforts, seconds={effort: seconds_per_word(one) for effort, one in efforts.items()})

    def at(self, effort: str | None) -> tuple[str, Pipeline]:
        chosen = effort or next(iter(self.efforts.values())).default_effort
        if chosen not in self.efforts:
            known = choices(chosen, self.efforts)
            raise Refused(400, f"the model {self.name} has no effort {chosen!r}: it has {known}")
        return chosen, self.efforts[chosen]

    @property
    def explained(self) -> list[str]:
        """The efforts whose decisions can be explained: not where a component searches."""
        return [
            effort
            for effort, pipeline in self.efforts.items()
            if all(component.explainable for component in pipeline.components.values())
        ]

    def describe(self) -> Record:
        full = self.efforts["full"]
        return {
            "name": self.name,
            "efforts": list(self.efforts),
            "explained": self.explained,
            "seconds_per_word": dict(self.seconds),
            "components": {
                name: {
                    "templates": len(component.templates.splitlines()),
                    "efforts": {effort: asdict(profile) for effort, profile in full.profiles.get(name, {}).items()},
                }
                for name, component in full.components.items()
            },
        }


@dataclass(frozen=True)
class ParseRequest:
    """What a client asks for: a text, or sentences of words, or CoNLL-U."""

    text: str | None = None
    words: list[list[str]] | None = None
    conllu: str | None = None
    effort: str | None = None
    lines: bool = False
    """One sentence per line."""
    mwt: bool = True
    """Split multiword tokens."""
    svg: bool = False
    export: str | None = None
    """The document as one file, too: CoNLL-U, or one picture of all trees."""
    width: float | None = 1000.0
    rows: tuple[str, ...] = ("upos",)

    def source(self) -> Doc | str:
        """InputError unless exactly one thing is given and it can be read."""
        given = [value for value in (self.text, self.words, self.conllu) if value is not None]
        if len(given) != 1:
            raise InputError("give one of text, words and conllu")
        if self.conllu is not None:
            return Doc.from_conllu(self.conllu)
        return self.text if self.text is not None else words_doc(self.words or [])


def words_doc(sentences: list[list[str]]) -> Doc:
    try:
        return Doc.from_words([words for words in sentences if words])
    except ValueError as error:
        raise InputError(str(error)) from None


def filled(model: ServedModel, asked: ParseRequest, limits: Limits) -> tuple[str, Pipeline, Doc, list[Cost]]:
    """The document that is asked for, by a pipeline at an effort."""
    effort, pipeline = model.at(asked.effort)
    source = asked.source()
    if isinstance(source, str):
        segmented, costs = measured(pipeline, source, (), lines=asked.lines, mwt=asked.mwt)
    else:
        segmented, costs = source, []
    if len(segmented) > limits.words:
        raise Refused(413, f"{len(segmented):,} words are too many: {limits.words:,} are allowed")
    doc, more = measured(pipeline, segmented)
    return effort, pipeline, doc, costs + more


def parse(model: ServedModel, asked: ParseRequest, limits: Limits) -> Record:
    """The document, what it cost, and pictures on request."""
    effort, _, doc, costs = filled(model, asked, limits)
    reply: Record = {
        "model": model.name,
        "effort": effort,
        "words": len(doc),
        "cost": [asdict(cost) for cost in costs],
        "document": document(doc),
    }
    if (asked.svg or asked.export == "svg") and len(doc) > limits.drawn:
        raise Refused(413, f"{len(doc):,} words are too many to draw: {limits.drawn:,} are allowed")
    if asked.export is not None:
        reply["export"] = doc.to_conllu() if asked.export == "conllu" else doc.svg(width=asked.width, rows=asked.rows)
    if asked.svg:
        style = Style(width=asked.width, rows=asked.rows, css=False, paper=False)
        texts = [sentence.text for sentence in doc.sentences]
        reply["svg"] = [
            framed([picture], style, text) for picture, text in zip(pictures(doc, style), texts, strict=True)
        ]
    return reply


def explain(model: ServedModel, asked: ParseRequest, sentence: int, word: int | None, limits: Limits) -> Record:
    """Why a word, or every word of a sentence, was decided on as it was; both count as the reply to ``parse`` does:
    sentences from 0, words from 1."""
    effort, pipeline, doc, _ = filled(model, asked, limits)
    if not 0 <= sentence < len(doc.sentences):
        raise Refused(400, f"there is no sentence {sentence}: there are {len(doc.sentences)}")
    chosen = doc.sentences[sentence]
    if word is not None and not 1 <= word <= len(chosen):
        raise Refused(400, f"there is no word {word}: the sentence has {len(chosen)}")
    if len(chosen) > limits.drawn:
        raise Refused(413, f"{len(chosen):,} words are too many to explain: {limits.drawn:,} are allowed")
    wanted = None if word is None else chosen.begin + word - 1
    found = [one for one in explanations(pipeline, doc, [sentence]) if wanted is None or one.word == wanted]
    return {
        "model": model.name,
        "effort": effort,
        "explanations": [one.to_json() | {"id": one.word - chosen.begin + 1} for one in found],
    }


def checked(fields: Mapping[str, Any]) -> ParseRequest:
    """A request as JSON gave it; Refused for what is not one."""
    kinds: dict[str, tuple[type, ...]] = {
        "text": (str,),
        "conllu": (str,),
        "words": (list,),
        "effort": (str,),
        "lines": (bool,),
        "mwt": (bool,),
        "svg": (bool,),
        "export": (str,),
        "width": (int, float),
        "rows": (list,),
    }
    values: dict[str, Any] = {}
    for name, value in fields.items():
        if name in ("model", "sentence", "word"):
            continue
        if name not in kinds:
            raise Refused(400, f"no field {name!r}: there are {choices(name, ('model', *kinds))}")
        if value is None and name != "width":
            continue
        if value is not None and (
            not isinstance(value, kinds[name]) or isinstance(value, bool) != (kinds[name] == (bool,))
        ):
            raise Refused(400, f"{name} must be a {kinds[name][-1].__name__}")
        values[name] = value
    if "words" in values and not all(
        isinstance(row, list) and all(isinstance(word, str) for word in row) for row in values["words"]
    ):
        raise Refused(400, "words must be a list of sentences, each a list of strings")
    if "rows" in values:
        if not all(row in ROWS for row in values["rows"]):
            raise Refused(400, f"rows can be {', '.join(ROWS)}")
        values["rows"] = tuple(values["rows"])
    if values.get("export") not in (None, *EXPORTS):
        raise Refused(400, f"export can be {', '.join(EXPORTS)}")
    if values.get("width") is not None and not 1 <= values["width"] <= 100_000:
        raise Refused(400, "width must lie between 1 and 100000")
    return ParseRequest(**values)
