"""Many sources at once: their texts are segmented by one call, and short documents are joined for the decisions, so
that what a call costs is shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.pipeline.annotate import MOST_WORDS, Annotator
from laconic.text import Segmenter
from laconic.text.source import encoded

Outcome = Doc | Exception
"""A document, or why there is none."""


class BatchAnnotator:
    """Makes documents of sources, each as if it were alone, and leaves an error at the place of its source."""

    def __init__(
        self,
        annotator: Annotator,
        segmented: Callable[[Any], Doc],
        segmenter: Segmenter | None,
        options: dict[str, Any],
    ) -> None:
        """``segmented`` makes a document of any source; with a ``segmenter``, texts are given to that together."""
        self._annotator, self._segmented = annotator, segmented
        self._segmenter = segmenter
        self._options = None if segmenter is None else replace(segmenter.options, **options)

    def outcomes(self, sources: Sequence[Any]) -> list[Outcome]:
        """One for each source."""
        made = self._documents(sources)
        for run in _runs(made):
            self._annotate(made, run)
        return made

    def _documents(self, sources: Sequence[Any]) -> list[Outcome]:
        made: list[Outcome] = [InputError("not read yet")] * len(sources)
        texts: dict[int, bytes] = {}
        for number, source in enumerate(sources):
            try:
                if self._options is not None and isinstance(source, str | bytes):
                    texts[number] = encoded(source, self._options.surrogates)
                else:
                    made[number] = self._segmented(source)
            except Exception as error:
                made[number] = error
        if self._segmenter is not None and self._options is not None and texts:
            found = self._segmenter.each(list(texts.values()), self._options)
            for number, doc in zip(texts, found, strict=True):
                made[number] = doc
        return made

    def _annotate(self, made: list[Outcome], run: Sequence[int]) -> None:
        docs = [doc for number in run if isinstance(doc := made[number], Doc)]
        if len(docs) > 1 and self._annotator.joins:
            try:
                self._annotator.apply_joined(docs)
                return
            except Exception:  # which document it was is found out below: none was touched
                pass
        for number, doc in zip(run, docs, strict=True):
            try:
                self._annotator.apply(doc)
            except Exception as error:
                made[number] = error


def _runs(made: Sequence[Outcome]) -> Iterator[list[int]]:
    """The numbers of documents that go together."""
    run: list[int] = []
    words = 0
    for number, doc in enumerate(made):
        if not isinstance(doc, Doc):
            continue
        if run and words + len(doc) > MOST_WORDS:
            yield run
            run, words = [], 0
        run.append(number)
        words += len(doc)
    if run:
        yield run


def in_turn(outcomes: Iterable[Outcome]) -> Iterator[Doc]:
    """The documents in their order, up to the first error, which says which source it is of."""
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, InputError) and not outcome.file:
            raise InputError(outcome.reason, f"sources[{number}]", outcome.line, outcome.column) from outcome
        if isinstance(outcome, Exception):
            raise outcome
        yield outcome
