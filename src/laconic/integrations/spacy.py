"""laconic as a component of a pipeline of spaCy's: ``nlp.add_pipe("laconic")``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

import laconic
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.integrations.spacy_tokens import TokenWords, layout, units
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT, Rows, bounds

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline

language = needed("spacy.language", "spacy")
attributes = needed("spacy.attrs", "spacy")
tokens_module = needed("spacy.tokens", "spacy")
parts_of_speech = needed("spacy.parts_of_speech", "spacy").IDS

TokensFrom = Literal["keep", "own"]
MODEL, SETTINGS = "model.laconic", "laconic.json"
FIELDS = ("TAG", "POS", "LEMMA", "MORPH", "HEAD", "DEP")
INSIDE, OUTSIDE, BEGIN = 1, 2, 3
"""As spaCy codes entities."""


class LaconicComponent:
    """Fills tags, lemmas, features, trees, sentences and entities of a ``spacy.tokens.Doc``.

    ``tokens="keep"``: the tokens of the document stay, and its sentences, if something has set them; else laconic finds
    sentences among the tokens. ``tokens="own"``: the document is replaced by one with laconic's tokens, of the same
    text to the last space. Entities that are there already stay as they are.
    """

    def __init__(
        self,
        name: str = "laconic",
        *,
        model: str = "en",
        effort: str | float = "balanced",
        tokens: TokensFrom = "keep",
        components: Iterable[str] | None = None,
    ) -> None:
        if tokens not in ("keep", "own"):
            raise ConfigError(f"tokens must be keep or own, not {tokens!r}")
        self.name, self.model, self.effort, self.tokens = name, model, effort, tokens
        self.components = None if components is None else list(components)
        self._pipeline: Pipeline | None = None

    @property
    def pipeline(self) -> Pipeline:
        """Loaded when it is first asked for: one that was written to disk is not the one that the settings name."""
        if self._pipeline is None:
            self._pipeline = laconic.load(self.model, self.components).at(self.effort)
        return self._pipeline

    def __call__(self, doc: Any) -> Any:
        return next(self.pipe([doc]))

    def pipe(self, stream: Iterable[Any], batch_size: int = 128) -> Iterator[Any]:
        """Documents, a batch at a time, each batch in one call of laconic's pipeline."""
        waiting = iter(stream)
        while batch := list(islice(waiting, batch_size)):
            if self.tokens == "own":
                for doc, found in zip(batch, self.pipeline.pipe([doc.text for doc in batch]), strict=True):
                    yield self._replaced(doc, found)
                continue
            given = [_words(doc) for doc in batch]
            sources = [self._document(doc, words) for doc, words in zip(batch, given, strict=True)]
            parsed = self.pipeline.pipe(sources)
            for doc, words, found in zip(batch, given, parsed, strict=True):
                _fill(doc, found, [TokenWords(index, index, place) for index, place in enumerate(words)], self._has)
                yield doc

    def _has(self, name: str) -> bool:
        return name in self.pipeline.components

    def _document(self, doc: Any, words: list[int]) -> Doc:
        """The tokens as a document of laconic's. White space, which spaCy has tokens of, is none of its words."""
        forms = [_form(doc[index].text) for index in words]
        if not forms:
            return Doc.from_words([])
        if not doc.has_annotation("SENT_START"):
            return self.pipeline.segmenter.split(forms)
        rows: list[list[str]] = []
        for number, index in enumerate(words):
            # A sentence may begin with white space: then its first word is the one behind.
            before = words[number - 1] if number else -1
            if any(doc[place].is_sent_start for place in range(before + 1, index + 1)) or not rows:
                rows.append([])
            rows[-1].append(forms[number])
        return Doc.from_words(rows)

    def _replaced(self, doc: Any, found: Doc) -> Any:
        pieces = units(found)
        words, spaces, places = layout(doc.text, pieces)
        made = tokens_module.Doc(doc.vocab, words=words, spaces=spaces, user_data=doc.user_data)
        _fill(
            made,
            found,
            [TokenWords(p.first, p.last, place) for p, place in zip(pieces, places, strict=True)],
            self._has,
        )
        return made

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """The model itself is written: the folder needs nothing else to be loaded elsewhere."""
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        self.pipeline.save(folder / MODEL)
        (folder / SETTINGS).write_text(json.dumps(self._settings()), "utf-8")

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> LaconicComponent:
        folder = Path(path)
        self._set(json.loads((folder / SETTINGS).read_text("utf-8")) | {"model": str(folder / MODEL)})
        return self

    def to_bytes(self, *, exclude: Iterable[str] = ()) -> bytes:
        """Where the model lies and its digest, as a pipeline pickles; not the model itself."""
        return json.dumps(self._settings() | {"digest": self.pipeline.digest}).encode()

    def from_bytes(self, data: bytes, *, exclude: Iterable[str] = ()) -> LaconicComponent:
        settings = json.loads(data)
        digest = settings.pop("digest")
        self._set(settings)
        if self.pipeline.digest != digest:
            raise laconic.ModelError(f"{self.model}: the model file is not the one that was written")
        return self

    def _settings(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "effort": self.effort,
            "tokens": self.tokens,
            "components": self.components,
        }

    def _set(self, settings: dict[str, Any]) -> None:
        LaconicComponent.__init__(self, self.name, **settings)


@language.Language.factory(  # type: ignore[untyped-decorator]
    "laconic",
    default_config={"model": "en", "effort": "balanced", "tokens": "keep", "components": None},
    assigns=["token.tag", "token.pos", "token.lemma", "token.morph", "token.head", "token.dep", "doc.ents"],
)
def make_component(
    nlp: Any, name: str, model: str, effort: str | float, tokens: str, components: list[str] | None
) -> LaconicComponent:
    """What ``nlp.add_pipe("laconic")`` calls, by the entry point of the package."""
    return LaconicComponent(name, model=model, effort=effort, tokens=tokens, components=components)  # type: ignore[arg-type]


def _words(doc: Any) -> list[int]:
    """Indices of the tokens that are no white space."""
    spaces = doc.to_array([attributes.IS_SPACE])
    found: list[int] = np.flatnonzero(spaces == 0).tolist()
    return found


def _form(text: str) -> str:
    """A token as a column can hold it: retokenizers may have left line ends in one."""
    return text if text.isprintable() else "".join(" " if c in "\t\n\r\0" else c for c in text)


def _fill(doc: Any, found: Doc, pieces: list[TokenWords], has: Any) -> None:
    """Write what was found into the document: one row a token, as numbers of spaCy's store of strings."""
    if not len(doc):
        return
    rows, strings = Rows.of(found), doc.vocab.strings
    token_of = {word: piece.token for piece in pieces for word in range(piece.first, piece.last + 1)}
    main = [_main(piece, rows, found) for piece in pieces]
    values = np.zeros((len(doc), len(FIELDS)), np.uint64)
    column = {name: values[:, index] for index, name in enumerate(FIELDS)}
    heads = np.zeros(len(doc), np.int64)
    places = np.array([piece.token for piece in pieces], np.int64)
    known: dict[str, int] = {}

    def number(text: str) -> int:
        if text not in known:
            known[text] = strings.add(text)
        return known[text]

    def put(name: str, texts: list[str]) -> None:
        column[name][places] = np.array([number(text) for text in texts], np.uint64)

    put("TAG", ["" if rows.xpos[word] == ABSENT else rows.xpos[word] for word in main])
    put("LEMMA", ["" if rows.lemma[word] == ABSENT != rows.form[word] else rows.lemma[word] for word in main])
    column["POS"][places] = np.array([parts_of_speech.get(rows.upos[word], 0) for word in main], np.uint64)
    features: dict[str, int] = {}
    for value in {rows.feats[word] for word in main}:
        features[value] = doc.vocab.morphology.add("" if value == ABSENT else value)
    column["MORPH"][places] = np.array([features[rows.feats[word]] for word in main], np.uint64)
    spaces = np.ones(len(doc), bool)
    spaces[places] = False
    column["TAG"][spaces], column["POS"][spaces] = number("_SP"), parts_of_speech["SPACE"]
    for index in np.flatnonzero(spaces).tolist():
        column["LEMMA"][index] = number(doc[index].text)
    trees = bool(main) and all(head >= 0 for head in rows.head)
    if trees:
        _trees(found, rows, token_of, main, places, heads, column["DEP"], number)
    else:
        starts = np.zeros(len(doc), bool)
        starts[[token_of[begin] for begin, _ in bounds(found)]] = True
    _spaces(heads, spaces, column["DEP"], number)
    column["HEAD"][:] = heads.astype(np.uint64)
    used = [name for name in FIELDS if trees or name not in ("HEAD", "DEP")]
    had = list(doc.ents)
    doc.from_array([getattr(attributes, name) for name in used], np.ascontiguousarray(values[:, : len(used)]))
    if not trees:
        for index in range(len(doc)):
            doc[index].is_sent_start = bool(starts[index])
    if had:
        doc.set_ents(had)
    elif has("entities"):
        doc.set_ents(_entities(doc, found, token_of), default="outside")


def _main(piece: TokenWords, rows: Rows, found: Doc) -> int:
    """The word that speaks for a token of several (du: de, le): the first that depends on one outside of it."""
    if piece.first == piece.last:
        return piece.first
    begin = int(found.sentence_starts[np.searchsorted(found.sentence_starts, piece.first, side="right") - 1])
    for word in range(piece.first, piece.last + 1):
        head = rows.head[word] + begin - 1
        if rows.head[word] <= 0 or not piece.first <= head <= piece.last:
            return word
    return piece.first


def _trees(
    found: Doc,
    rows: Rows,
    token_of: dict[int, int],
    main: list[int],
    places: npt.NDArray[np.int64],
    heads: npt.NDArray[np.int64],
    labels: npt.NDArray[np.uint64],
    number: Any,
) -> None:
    """Heads as distances. A second root of a sentence hangs on the first, with the label ``dep``: in spaCy a root is a
    sentence."""
    starts = found.sentence_starts.astype(np.int64)
    numbers = np.searchsorted(starts, main, side="right") - 1
    roots: dict[int, int] = {}
    for word, place, sentence in zip(main, places.tolist(), numbers.tolist(), strict=True):
        head = rows.head[word]
        if head:
            target = token_of[int(starts[sentence]) + head - 1]
            label = rows.deprel[word]
        else:
            target = roots.setdefault(sentence, place)
            label = "ROOT" if target == place else "dep"
        heads[place] = target - place
        labels[place] = number("" if label == ABSENT else label)


def _spaces(heads: npt.NDArray[np.int64], spaces: npt.NDArray[np.bool_], labels: Any, number: Any) -> None:
    """White space hangs on the token before it, or, at the beginning, on the first word."""
    words = np.flatnonzero(~spaces)
    for index in np.flatnonzero(spaces).tolist():
        place = int(np.searchsorted(words, index))
        if len(words):
            heads[index] = int(words[place - 1] if place else words[0]) - index
        labels[index] = number("dep" if len(words) else "ROOT")


def _entities(doc: Any, found: Doc, token_of: dict[int, int]) -> list[Any]:
    spans, behind = [], 0
    for span in found.entities:
        first, last = token_of[span.begin], token_of[span.stop - 1]
        if first >= behind:  # two in one token, of which spaCy can have one
            spans.append(tokens_module.Span(doc, first, last + 1, label=span.label))
            behind = last + 1
    return spans
