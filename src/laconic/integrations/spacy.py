"""laconic as a component of a pipeline of spaCy's: ``nlp.add_pipe("laconic")``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

import laconic
from laconic.corpus import Doc
from laconic.errors import ConfigError
from laconic.integrations.spacy_tokens import layout, units
from laconic.interop.optional import needed
from laconic.interop.rows import ABSENT

if TYPE_CHECKING:
    from laconic.pipeline import Pipeline

language = needed("spacy.language", "spacy")
attributes = needed("spacy.attrs", "spacy")
tokens_module = needed("spacy.tokens", "spacy")
parts_of_speech = needed("spacy.parts_of_speech", "spacy").IDS

TokensFrom = Literal["keep", "own"]
MODEL, SETTINGS = "model.laconic", "laconic.json"
FIELDS = ("TAG", "POS", "LEMMA", "MORPH", "HEAD", "DEP")
Indices = npt.NDArray[np.int64]


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
        effort: str | float | None = None,
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
                _fill(doc, found, np.arange(len(words)), words, self._has)
                yield doc

    def _has(self, name: str) -> bool:
        return name in self.pipeline.components

    def _document(self, doc: Any, words: npt.NDArray[np.int64]) -> Doc:
        """The tokens as a document of laconic's. White space, which spaCy has tokens of, is none of its words."""
        texts = [token.text for token in doc]
        forms = [_form(texts[index]) for index in words]
        if not forms:
            return Doc.from_words([])
        if not doc.has_annotation("SENT_START"):
            return self.pipeline.segmenter.split(forms)
        # A sentence may begin with white space: then its first word is the one behind.
        begun = np.cumsum(doc.to_array([attributes.SENT_START]).astype(np.int64) == 1)[words]
        edges = [0, *(np.flatnonzero(np.diff(begun)) + 1).tolist(), len(forms)]
        return Doc.from_words([forms[begin:end] for begin, end in pairwise(edges)])

    def _replaced(self, doc: Any, found: Doc) -> Any:
        pieces = units(found)
        words, spaces, places = layout(doc.text, pieces)
        made = tokens_module.Doc(doc.vocab, words=words, spaces=spaces, user_data=doc.user_data)
        token = np.repeat(np.arange(len(pieces)), [piece.last - piece.first + 1 for piece in pieces])
        _fill(made, found, token, np.array(places, np.int64), self._has)
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
    default_config={"model": "en", "effort": None, "tokens": "keep", "components": None},
    assigns=["token.tag", "token.pos", "token.lemma", "token.morph", "token.head", "token.dep", "doc.ents"],
)
def make_component(
    nlp: Any, name: str, model: str, effort: str | float | None, tokens: str, components: list[str] | None
) -> LaconicComponent:
    """What ``nlp.add_pipe("laconic")`` calls, by the entry point of the package."""
    return LaconicComponent(name, model=model, effort=effort, tokens=tokens, components=components)  # type: ignore[arg-type]


def _words(doc: Any) -> npt.NDArray[np.int64]:
    """Indices of the tokens that are no white space."""
    return np.flatnonzero(doc.to_array([attributes.IS_SPACE]) == 0)


def _form(text: str) -> str:
    """A token as a column can hold it: retokenizers may have left line ends in one."""
    return text if text.isprintable() else "".join(" " if c in "\t\n\r\0" else c for c in text)


def _fill(doc: Any, found: Doc, piece: Indices, places: Indices, has: Callable[[str], bool]) -> None:
    """Write what was found into the document: one row a token, as numbers of spaCy's store of strings. ``piece`` says
    of each word of laconic's which of the tokens it is in that are no white space, ``places`` where these stand."""
    if not len(doc):
        return
    add = doc.vocab.strings.add
    spaces = np.ones(len(doc), bool)
    spaces[places] = False
    heads = found.heads.astype(np.int64)
    begins = found.sentence_starts.astype(np.int64)
    begin = begins[np.searchsorted(begins, np.arange(len(found)), side="right") - 1]
    targets = np.where(heads > 0, begin + heads - 1, np.arange(len(found)))  # the word itself for a root
    main = _main(piece, targets, len(places))
    values = np.zeros((len(doc), len(FIELDS)), np.uint64)
    column = {name: values[:, index] for index, name in enumerate(FIELDS)}
    makers: dict[str, tuple[str, Callable[[str], int]]] = {
        "TAG": ("xpos", add),
        "LEMMA": ("lemma", add),
        "POS": ("upos", lambda value: parts_of_speech.get(value, 0)),
        "MORPH": ("feats", doc.vocab.morphology.add),
    }
    for name, (source, number) in makers.items():
        codes, texts = found.codes(source)
        numbers = np.array([number("" if text == ABSENT else text) for text in texts], np.uint64)
        column[name][places] = numbers[codes[main]] if len(main) else 0
    _underscores(found, main, places, column["LEMMA"], add)
    column["TAG"][spaces], column["POS"][spaces] = add("_SP"), parts_of_speech["SPACE"]
    for index in np.flatnonzero(spaces).tolist():
        column["LEMMA"][index] = add(doc[index].text)
    trees = len(main) > 0 and bool((heads >= 0).all())
    if trees:
        _set_trees(found, main, targets, begin, piece, places, spaces, column, add)
    used = [name for name in FIELDS if trees or name not in ("HEAD", "DEP")]
    had = list(doc.ents)
    doc.from_array([getattr(attributes, name) for name in used], np.ascontiguousarray(values[:, : len(used)]))
    if not trees:
        starts = set(places[piece[begins[:-1]]].tolist())
        for index in range(len(doc)):
            doc[index].is_sent_start = index in starts
    if had:
        doc.set_ents(had)
    elif has("entities"):
        doc.set_ents(_entities(doc, found, places[piece]), default="outside")


def _main(piece: Indices, targets: Indices, tokens: int) -> Indices:
    """For each token the word that speaks for it: of several (du: de, le) the first that depends on a word outside, or
    is a root."""
    words = np.arange(len(piece))
    outside = (piece[targets] != piece) | (targets == words)
    main = np.full(tokens, -1, np.int64)
    for chosen in (words[::-1], words[outside][::-1]):  # the last to be written is the first that is outside
        main[piece[chosen]] = chosen
    return main


def _underscores(found: Doc, main: Indices, places: Indices, lemmas: Any, add: Callable[[str], int]) -> None:
    """A lone underscore says that there is no lemma, but it is the lemma of an underscore."""
    codes, forms = found.codes("form")
    if ABSENT in forms:
        lemmas[places[codes[main] == forms.index(ABSENT)]] = add(ABSENT)


def _set_trees(
    found: Doc,
    main: Indices,
    targets: Indices,
    begin: Indices,
    piece: Indices,
    places: Indices,
    spaces: npt.NDArray[np.bool_],
    column: dict[str, npt.NDArray[np.uint64]],
    add: Callable[[str], int],
) -> None:
    """Heads as distances, and labels. In spaCy a root is a sentence, so a second root hangs on the first, with the
    label ``dep``; and so does white space on the token before it, or, at the beginning, on the first."""
    codes, labels = found.codes("deprel")
    deps = np.array([add("" if label == ABSENT else label) for label in labels], np.uint64)[codes[main]]
    goals = piece[targets[main]]
    roots = targets[main] == main
    first: dict[int, int] = {}
    for token in np.flatnonzero(roots).tolist():
        goals[token] = first.setdefault(int(begin[main[token]]), token)
        deps[token] = add("ROOT" if goals[token] == token else "dep")
    distances = np.zeros(len(spaces), np.int64)
    distances[places] = places[goals] - places
    column["DEP"][places] = deps
    at = np.flatnonzero(spaces)
    before = np.maximum(np.searchsorted(places, at) - 1, 0)
    distances[at] = places[before] - at
    column["DEP"][at] = add("dep")
    column["HEAD"][:] = distances.astype(np.uint64)


def _entities(doc: Any, found: Doc, place: Indices) -> list[Any]:
    spans, behind = [], 0
    for span in found.entities:
        first, last = int(place[span.begin]), int(place[span.stop - 1])
        if first >= behind:  # two in one token, of which spaCy can have one
            spans.append(tokens_module.Span(doc, first, last + 1, label=span.label))
            behind = last + 1
    return spans
