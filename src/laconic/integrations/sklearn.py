"""Texts to features for scikit-learn: columns of words, n-grams of them, and relations between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

import laconic
from laconic.corpus import Doc
from laconic.errors import InputError
from laconic.interop.optional import needed
from laconic.interop.rows import Rows, bounds
from laconic.pipeline import Pipeline

TransformerMixin: Any = needed("sklearn.base", "sklearn").TransformerMixin
BaseEstimator: Any = needed("sklearn.base", "sklearn").BaseEstimator
COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "deprel")


class LaconicFeatures(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Texts in, for each a list of strings out, which ``FeatureHasher(input_type="string")`` and, with
    ``analyzer=list``, ``CountVectorizer`` take.

    ``column``: what of each word (lemma, form, upos, …). ``ngrams``: shortest and longest run of words of a sentence,
    joined by a space. ``relations``: also a feature for each arc, ``head deprel word``, in that column. Words whose
    tag is in ``without`` are left out before. Nothing is learned: fitting is allowed and changes nothing.
    """

    def __init__(
        self,
        model: str | Pipeline = "en",
        *,
        column: str = "lemma",
        ngrams: tuple[int, int] = (1, 1),
        relations: bool = False,
        without: Iterable[str] = ("PUNCT",),
        effort: str | float | None = None,
        threads: int = 1,
    ) -> None:
        self.model = model
        self.column = column
        self.ngrams = ngrams
        self.relations = relations
        self.without = without
        self.effort = effort
        self.threads = threads

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.two_d_array = True, False
        tags.requires_fit = False
        return tags

    def fit(self, X: Iterable[str], y: Any = None) -> LaconicFeatures:  # noqa: N803  # as scikit-learn calls it
        self._check()
        return self

    def transform(self, X: Iterable[str]) -> npt.NDArray[Any]:  # noqa: N803
        """An array of lists. InputError for what are no texts."""
        pipeline = self._check()
        if isinstance(X, str | bytes):
            raise InputError("transform takes many texts: write [text] for one")
        if not isinstance(X, Iterable) or getattr(X, "ndim", 1) != 1:  # a frame would give the names of its columns
            raise InputError(f"transform takes a list or a column of texts, not an object of {type(X).__name__}")
        texts = list(X)
        for number, text in enumerate(texts):
            if not isinstance(text, str | bytes):
                raise InputError(f"text {number} is no text, but an object of the type {type(text).__name__}")
        found = np.empty(len(texts), object)
        for number, doc in enumerate(pipeline.pipe(texts, threads=self.threads)):
            found[number] = list(self._features(doc))
        return found

    def _check(self) -> Pipeline:
        """The pipeline at its effort; ValueError, as scikit-learn has it, for settings that cannot work."""
        if self.column not in COLUMNS:
            raise ValueError(f"column must be one of {', '.join(COLUMNS)}, not {self.column!r}")
        if isinstance(self.without, str):
            raise ValueError(f"without is a list of tags: write [{self.without!r}]")
        lengths = self.ngrams if isinstance(self.ngrams, tuple | list) else ()
        if not (
            len(lengths) == 2
            and all(isinstance(one, int | np.integer) for one in lengths)
            and 1 <= lengths[0] <= lengths[1]
        ):
            raise ValueError(f"ngrams must be the shortest and longest length, from 1 on, not {self.ngrams!r}")
        pipeline = self.model if isinstance(self.model, Pipeline) else laconic.load(self.model)
        return pipeline.at(self.effort)

    def _features(self, doc: Doc) -> Iterator[str]:
        rows = Rows.of(doc)
        values, dropped = getattr(rows, self.column), set(self.without)
        for begin, stop in bounds(doc):
            kept = [word for word in range(begin, stop) if rows.upos[word] not in dropped]
            for length in range(self.ngrams[0], self.ngrams[1] + 1):
                for at in range(len(kept) - length + 1):
                    yield " ".join(values[word] for word in kept[at : at + length])
            if self.relations:
                for word in kept:
                    head = rows.head[word]
                    if head >= 0:
                        yield f"{values[begin + head - 1] if head else 'ROOT'} {rows.deprel[word]} {values[word]}"
