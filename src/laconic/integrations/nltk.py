"""laconic where NLTK expects a parser or a tagger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import laconic
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError
from laconic.interop.optional import needed
from laconic.pipeline import Pipeline

ParserI: Any = needed("nltk.parse.api", "nltk").ParserI
TaggerI: Any = needed("nltk.tag.api", "nltk").TaggerI
COLUMNS = ("upos", "xpos")


class LaconicParser(ParserI):  # type: ignore[misc]
    """A ``ParserI`` that gives a ``DependencyGraph`` per sentence, as NLTK's other dependency parsers do."""

    def __init__(self, model: str | Pipeline = "en", effort: str | float | None = None) -> None:
        """``model``: as ``laconic.load`` takes it, or a pipeline."""
        self.pipeline = _pipeline(model, effort)

    def parse(self, sent: Sequence[str], *args: Any, **kwargs: Any) -> Iterator[Any]:
        """The graph of a sentence of given words, as the only one of an iterator."""
        return next(iter(self.parse_sents([sent])))

    def parse_sents(self, sents: Iterable[Sequence[str]], *args: Any, **kwargs: Any) -> Iterator[Iterator[Any]]:
        """An iterator of one graph for each sentence. The sentences are one document."""
        for graph in _parsed(self.pipeline, sents).to_nltk():
            yield iter([graph])

    def raw_parse(self, text: str) -> Iterator[Any]:
        """The graphs of the sentences of a text."""
        return iter(self.pipeline(text).to_nltk())


class LaconicTagger(TaggerI):  # type: ignore[misc]
    """A ``TaggerI``: the tags of given words."""

    def __init__(self, model: str | Pipeline = "en", column: str = "upos", effort: str | float | None = None) -> None:
        """``column``: ``upos``, the universal tags, or ``xpos``, those of the treebank."""
        if column not in COLUMNS:
            raise ConfigError(f"tags are in one of the columns {', '.join(COLUMNS)}, not {column!r}")
        pipeline = _pipeline(model, effort)
        names = [name for name, one in pipeline.components.items() if column in one.columns]
        if not names:
            raise ConfigError(f"this model gives no {column}: it has {', '.join(pipeline.components)}")
        self.pipeline, self.column = pipeline.select(*names), column

    def tag(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
        given = [words if isinstance(words, str) else list(words) for words in sentences]  # a text is refused below
        filled = _parsed(self.pipeline, [words for words in given if words])
        tags = iter(filled.strings(self.column))
        return [[(word, next(tags)) for word in words] for words in given]


def _pipeline(model: str | Pipeline, effort: str | float | None) -> Pipeline:
    return (model if isinstance(model, Pipeline) else laconic.load(model)).at(effort)


def _parsed(pipeline: Pipeline, sentences: Iterable[Sequence[str]]) -> Doc:
    rows = list(sentences)
    if any(isinstance(row, str) for row in rows):
        raise InputError("a sentence is a list of words; a text is split before, or parsed by raw_parse")
    return pipeline([list(row) for row in rows])
