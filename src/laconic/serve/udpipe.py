"""UDPipe's REST interface: ``/models`` and ``/process``, as its own client uses them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from laconic.corpus import Doc, Sentence
from laconic.corpus.records import Record
from laconic.pipeline import Pipeline
from laconic.pipeline.costs import measured
from laconic.serve.limits import Limits, Refused
from laconic.serve.service import ServedModel, words_doc

STEPS = {"tagger": frozenset(("upos", "xpos", "feats", "lemma")), "parser": frozenset(("head", "deprel"))}
"""What UDPipe calls the steps behind the tokenizer, and the columns that each fills."""
LANGUAGES = {
    "af": "afrikaans",
    "ar": "arabic",
    "be": "belarusian",
    "bg": "bulgarian",
    "ca": "catalan",
    "cs": "czech",
    "cy": "welsh",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "eu": "basque",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "gl": "galician",
    "he": "hebrew",
    "hi": "hindi",
    "hr": "croatian",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "is": "icelandic",
    "it": "italian",
    "ja": "japanese",
    "ko": "korean",
    "la": "latin",
    "lt": "lithuanian",
    "lv": "latvian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sk": "slovak",
    "sl": "slovenian",
    "sr": "serbian",
    "sv": "swedish",
    "ta": "tamil",
    "te": "telugu",
    "tr": "turkish",
    "uk": "ukrainian",
    "ur": "urdu",
    "vi": "vietnamese",
    "zh": "chinese",
}
"""Codes of languages and their names in the models of UDPipe."""
FIELDS = ("data", "model", "tokenizer", "tagger", "parser", "input", "output")


def step_components(pipeline: Pipeline, step: str) -> list[str]:
    """The components that do one of the steps of UDPipe."""
    if step == "tokenizer":
        return [name for name, component in pipeline.components.items() if component.segments]
    return [name for name, component in pipeline.components.items() if STEPS[step] & set(component.columns)]


def chosen(known: Mapping[str, ServedModel], asked: str) -> str | None:
    """The model that a name stands for: its own name; or else the first of the language, as UDPipe's users name it
    (``english``, ``en``, ``english-ewt-ud-2.12-231207``). None where there is none."""
    if asked in known:
        return asked
    language = language_of(asked)
    return next((name for name in known if language is not None and language_of(name) == language), None)


def language_of(name: str) -> str | None:
    """The code of the language that a name of a model begins with; None where it begins with none."""
    first = re.split(r"[-_.]", name.lower())[0]
    return first if first in LANGUAGES else next((code for code, one in LANGUAGES.items() if one == first), None)


def models(known: Mapping[str, ServedModel], default: str) -> Record:
    """The reply to ``/models``."""
    return {
        "models": {
            name: [step for step in ("tokenizer", *STEPS) if step_components(model.efforts["full"], step)]
            for name, model in known.items()
        },
        "default_model": default,
    }


@dataclass(frozen=True)
class Process:
    """The parameters of ``/process``. A step that is None is not wanted; an empty one is, without options."""

    data: str
    tokenizer: str | None = None
    tagger: str | None = None
    parser: str | None = None
    input: str = "conllu"
    output: str = "conllu"

    @classmethod
    def of(cls, fields: Mapping[str, str]) -> Process:
        if "data" not in fields:
            raise Refused(400, "Required argument 'data' is missing.\n")
        chosen = {name: fields[name] for name in ("data", "tokenizer", "tagger", "parser") if name in fields}
        kinds = {name: fields[name] for name in ("input", "output") if fields.get(name)}
        return cls(**chosen, **kinds)


def process(model: ServedModel, asked: Process, effort: str | None, limits: Limits) -> Record:
    """The reply to ``/process``."""
    _, pipeline = model.at(effort)
    wanted = []
    for part, value in (("tagger", asked.tagger), ("parser", asked.parser)):
        if value is not None:
            names = step_components(pipeline, part)
            if not names:
                raise Refused(400, f"The model '{model.name}' has no {part}.\n")
            wanted += names
    output, _, how = asked.output.partition("=")
    if output not in WRITTEN:
        raise Refused(400, f"Unknown output format '{asked.output}': there are {', '.join(WRITTEN)}.\n")
    options = (asked.tokenizer or "").split(";")
    if asked.tokenizer is not None or asked.input.partition("=")[0] in ("tokenizer", "generic_tokenizer"):
        if not step_components(pipeline, "tokenizer"):
            raise Refused(400, f"The model '{model.name}' has no tokenizer.\n")
        doc, _ = measured(pipeline, asked.data, (), lines="presegmented" in options)
        doc = _opened(doc)
        if "ranges" in options:
            doc = with_ranges(doc)
    else:
        doc = _read(asked)
    if len(doc) > limits.words:
        raise Refused(413, f"{len(doc):,} words are too many: {limits.words:,} are allowed.\n")
    doc, _ = measured(pipeline, doc, wanted)
    return {
        "model": model.name,
        "acknowledgements": list(model.acknowledgements),
        "result": WRITTEN[output](doc, how.split(";")),
    }


def _read(asked: Process) -> Doc:
    kind, _, _ = asked.input.partition("=")
    data = asked.data.replace("\r\n", "\n")  # as forms end their lines, whatever they had before
    if kind == "conllu":
        return Doc.from_conllu(data)
    if kind == "horizontal":
        return words_doc([line.split() for line in data.splitlines()])
    if kind == "vertical":
        blocks = data.split("\n\n")
        return words_doc(
            [[line.split("\t")[0].strip() for line in block.split("\n") if line.strip()] for block in blocks]
        )
    raise Refused(400, f"Unknown input format '{asked.input}': there are conllu, horizontal, vertical.\n")


def _opened(doc: Doc) -> Doc:
    """The same with comments as UDPipe's tokenizer writes them: where the document and its paragraphs begin, which are
    separated by blank lines, and the number of each sentence."""
    comments, opens = [], True
    for number, sentence in enumerate(doc.sentences):
        comments.append([*(["# newdoc"] if number == 0 else ()), *(["# newpar"] if opens else ()), *sentence.comments])
        behind = sentence[-1].misc.get("SpacesAfter", "")
        if sentence.multiword_tokens and sentence.multiword_tokens[-1].last == len(sentence):
            behind = sentence.multiword_tokens[-1].misc
        opens = behind.replace("\\r", "").count("\\n") > 1
    doc.columns.set_comments(comments)
    doc.columns.number_sentences(1)
    return doc


def _blocks(doc: Doc, options: Sequence[str], written: Callable[[Sentence], str]) -> str:
    """One sentence after another; with ``paragraphs`` an empty line before each paragraph but the first."""
    return "".join(
        ("\n" if "paragraphs" in options and one.number and one.newpar is not None else "") + written(one)
        for one in doc.sentences
    )


def _conllu(doc: Doc, options: Sequence[str]) -> str:
    return doc.to_conllu()


def _horizontal(doc: Doc, options: Sequence[str]) -> str:
    return _blocks(doc, options, lambda one: " ".join(word.replace(" ", "\u00a0") for word in one.words) + "\n")


def _vertical(doc: Doc, options: Sequence[str]) -> str:
    return _blocks(doc, options, lambda one: "".join(f"{word}\n" for word in one.words) + "\n")


def _plaintext(doc: Doc, options: Sequence[str]) -> str:
    if "normalized_spaces" in options:
        return _blocks(doc, options, lambda one: " ".join(one.text.split()) + "\n")
    return doc.text + "\n"


WRITTEN: dict[str, Callable[[Doc, Sequence[str]], str]] = {
    "conllu": _conllu,
    "horizontal": _horizontal,
    "vertical": _vertical,
    "plaintext": _plaintext,
}
"""Formats, and how a document becomes one of them, with the options behind ``=``."""


def with_ranges(doc: Doc) -> Doc:
    """The same with ``TokenRange=start:end`` in the MISC of each token, in characters of the text."""
    misc = doc.strings("misc")
    multiwords = []
    for sentence in doc.sentences:
        row = []
        inside: set[int] = set()
        for token in sentence.multiword_tokens:
            inside |= set(range(token.first, token.last + 1))
            row.append((token.first, token.last, token.form, _ranged(token.misc, token.start, token.end)))
        multiwords.append(row)
        for word in sentence:
            if word.id not in inside:
                misc[word.index] = _ranged(misc[word.index], word.start, word.end)
    doc.columns.set_strings("misc", misc)
    doc.columns.set_multiwords(multiwords)
    return doc


def _ranged(misc: str, start: int, end: int) -> str:
    return f"TokenRange={start}:{end}" if misc == "_" else f"{misc}|TokenRange={start}:{end}"
