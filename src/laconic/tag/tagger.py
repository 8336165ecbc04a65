"""The tagger: one label per word, left to right, greedy (strubell2015, section 6.1)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core.features import Lexicon, Plan
from laconic.corpus import Doc
from laconic.corpus.doc import fits_a_column
from laconic.errors import ConfigError, ModelError
from laconic.features import TemplateSet, chosen_set, compile_plan, kind, stored_set
from laconic.learn import Settings, check_counts, check_folds
from laconic.learn.component import Labels, PerWord, State, TrainingData, alphabetical, has_values, strings_of
from laconic.progress import Progress
from laconic.tag import words
from laconic.tag.form_templates import tagger_exits
from laconic.tag.lexicons import Entry
from laconic.tag.words import WordClassifier, WordTask

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation

COLUMNS = ("upos", "xpos", "feats")
METRICS = {"upos": "UPOS", "xpos": "XPOS", "feats": "UFeats"}


def columns_of(text: str) -> tuple[str, ...]:
    """``"upos+feats"`` as the columns it names, in the order of a file; ConfigError for anything else."""
    parts = text.split("+") if text else []
    for part in parts:
        if part not in COLUMNS or parts.count(part) > 1:
            raise ConfigError(
                f"a tagger predicts {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]}, or several of them joined by +, "
                f"not {text!r}"
            )
    return tuple(parts)


@dataclass(frozen=True)
class TaggerConfig:
    """What a tagger predicts and how it is trained."""

    column: str = "upos"
    """A column, or several joined by ``+``, which are then decided together: ``upos+xpos+feats``."""
    given: str = ""
    """Columns that are there before, joined by ``+``, the most important one first: their values, with the form, narrow
    what a word may be."""
    templates: str = "tagger"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    settings: Settings = field(default_factory=lambda: Settings(exits=tagger_exits()))
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    dictionary_minimum: int = 10
    """Words seen so often keep to the labels they were seen with; rarer ones may be anything."""
    ambiguity_share: float = 0.1
    """A label belongs to a word's ambiguity class from this share of its occurrences on."""
    emoji: str = ""
    """The UPOS of all emoji that training did not show; empty: they are words never seen, like others."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        if not self.columns:
            raise ConfigError(f"a tagger predicts {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]}, not {self.column!r}")
        if not 0 <= self.ambiguity_share <= 1:
            raise ConfigError(f"ambiguity_share must lie between 0 and 1, not {self.ambiguity_share}")
        check_folds(self.folds)
        check_counts(self, ("lexicon_minimum", "dictionary_minimum"))
        if set(self.columns) & set(columns_of(self.given)):
            raise ConfigError(f"a column cannot be both given and predicted: {self.given!r}, {self.column!r}")

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return columns_of(self.column)

    def template_set(self) -> TemplateSet:
        return chosen_set(self.templates, kind("token"))


class Tagger(PerWord[TaggerConfig]):
    """A component that decides about one tag of each word, or about several together."""

    name = "tagger"
    config_type = TaggerConfig
    needs = writes = COLUMNS
    by_default = False
    offers_predicted = True
    uses_silver = True
    confidence_key = "TagConf"

    def __init__(self, config: TaggerConfig, labels: Sequence[str], words: WordClassifier) -> None:
        super().__init__(config, words)
        self.labels, self.words = list(labels), words
        split = [label.split("\t") for label in self.labels]
        self._values = [sorted({parts[i] for parts in split}) for i in range(len(config.columns))]
        self._codes = [
            np.array([values.index(parts[i]) for parts in split], np.int32) for i, values in enumerate(self._values)
        ]

    @classmethod
    def fit(cls, config: TaggerConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the words of a document. The generator returns the tagger.

        Columns that the document lacks are left out; ConfigError if none is left. With ``data.predicted``, margins are
        set on given columns as they are there. Confidence is that of being right if the given columns are right.
        With folds, the tags that the models of the folds gave to what they did not see go to ``data.predicted``.
        """
        doc = data.gold
        present = tuple(column for column in config.columns if has_values(doc, column))
        if not present:
            raise ConfigError(f"the training data has no {' or '.join(config.columns)} to learn from")
        if "upos" in present and (missing := doc.strings("upos").count("_")):
            raise ConfigError(f"{missing} words of the training data have no upos: all or none must have one")
        read = config.template_set().columns
        if own := [column for column in present if column in read]:
            raise ConfigError(f"the templates read {own[0].upper()}, which is what the tagger is to predict")
        gold, labels = gold_labels(doc, present)
        given = tuple(column for column in columns_of(config.given) if has_values(doc, column))
        config = replace(config, column="+".join(present), given="+".join(given))
        task = WordTask(
            compile_plan(config.template_set()),
            doc,
            gold,
            labels,
            config.settings,
            config.lexicon_minimum,
            config.dictionary_minimum,
            config.ambiguity_share,
            given,
            predicted=None if data.predicted is None else data.read,
            silver=data.silver,
        )
        trained, found = yield from words.fit_words(task, config.folds)
        tagger = cls(config, labels, trained)
        if found is not None:
            tagged = data.read.sentences[:]
            tagger.write(tagged, found)
            data.predicted = tagged
        return tagger.with_emoji(config.emoji) if config.emoji and "upos" in present else tagger

    @classmethod
    def measured_by(cls, config: TaggerConfig) -> tuple[str, ...]:
        return config.columns

    @property
    def columns(self) -> tuple[str, ...]:
        return self.config.columns

    @property
    def reads(self) -> tuple[str, ...]:
        return self.words.given

    @property
    def metrics(self) -> tuple[str, ...]:
        return tag_metrics(self.columns)

    @property
    def plan(self) -> Plan:
        return self.words.plan

    @property
    def lexicon(self) -> Lexicon:
        return self.words.lexicon

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word of a document, or of some of its sentences, gets its label. What was given must be there."""
        return self.words.explain(
            doc,
            self.stop,
            sentences,
            component=self.name,
            question=self.config.column,
            templates=self.templates.splitlines(),
            name=lambda label, form: self.labels[label].replace("\t", " "),
        )

    def write(self, doc: Doc, labels: Labels) -> None:
        """Fill the columns of a document."""
        for column, codes, values in zip(self.config.columns, self._codes, self._values, strict=True):
            doc.set_codes(column, codes[labels], values)

    def with_lexicon(self, entries: Iterable[Entry]) -> Tagger:
        """A tagger that keeps to the user's word: forms with entries get no other tags than those fit.

        InputError, at the place of the entry, for tags that training did not show.
        """
        split = [label.split("\t") for label in self.labels]
        allowed: dict[str, list[int]] = {}
        for entry in entries:
            wanted = [(i, column, getattr(entry, column)) for i, column in enumerate(self.config.columns)]
            wanted = [(i, column, value) for i, column, value in wanted if value]
            if not wanted:
                continue
            for i, column, value in wanted:
                if value not in self._values[i]:
                    raise entry.error(f"the tagger knows no {column} {value!r}", column)
            fitting = [y for y, parts in enumerate(split) if all(parts[i] == value for i, _, value in wanted)]
            if not fitting:
                raise entry.error(
                    f"training did not show {' and '.join(value for _, _, value in wanted)} together", wanted[0][1]
                )
            allowed[entry.form] = sorted({*allowed.get(entry.form, ()), *fitting})
        return Tagger(self.config, self.labels, self.words.restricted(allowed, self.labels)).with_effort_of(self)

    def with_emoji(self, upos: str) -> Self:
        """A tagger that gives this UPOS to all emoji that training did not show. ConfigError for one that training did
        not show either."""
        from laconic.tag.emoji import emoji

        place = self.config.columns.index("upos")
        fitting = [y for y, label in enumerate(self.labels) if label.split("\t")[place] == upos]
        if not fitting:
            raise ConfigError(f"the emoji cannot be {upos!r}: the training data has no such upos")
        known = set(self.lexicon.forms)
        allowed = {form: fitting for form in emoji() if form not in known}
        return type(self)(self.config, self.labels, self.words.restricted(allowed, self.labels))

    def state(self) -> State:
        arrays, facts = self.words.state()
        return arrays, facts | {"column": self.config.column, "names": self.labels, "templates": self.templates}

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            given = "+".join(str(column) for column in facts["given"])
            templates = stored_set(facts["templates"], kind("token"))
            # How it was trained is not told: the settings of a new tagger would be read from a file.
            config = TaggerConfig(str(facts["column"]), given, str(templates), Settings())
            plan = compile_plan(templates)
            names = strings_of(facts["names"])
            parts = [name.split("\t") for name in names]
            if not all(len(one) == len(config.columns) and all(map(fits_a_column, one)) for one in parts):
                raise ValueError("labels do not fit the columns")
            trained = WordClassifier.from_state(plan, names, arrays, facts)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the tagger in the model is damaged: {error}") from error
        return cls(config, names, trained)


def tag_metrics(columns: Sequence[str]) -> tuple[str, ...]:
    """By which score a component is judged that fills these columns: one by its own, several by all tags."""
    return (METRICS[columns[0]],) if len(columns) == 1 else ("AllTags",)


def gold_labels(doc: Doc, columns: Sequence[str]) -> tuple[Labels, list[str]]:
    """Label numbers of all words, and the labels in alphabetical order; parts of a label are separated by tabs."""
    coded = [doc.codes(column) for column in columns]
    stacked = np.stack([codes for codes, _ in coded])
    distinct, inverse = np.unique(stacked, axis=1, return_inverse=True)
    names = ["\t".join(coded[i][1][code] for i, code in enumerate(column)) for column in distinct.T.tolist()]
    return alphabetical(inverse.reshape(-1), names)
