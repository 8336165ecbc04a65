"""The tagger: one label per word, left to right, greedy (strubell2015, section 6.1)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic._core.features import Lexicon, Plan, atom
from laconic._core.learn import Examples, LabelSets, Table
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.features import (
    TemplateSet,
    build_lexicon,
    compile_plan,
    kind,
    load_lexicon,
    load_set,
    parse_set,
    read_set,
    stored_set,
)
from laconic.learn import TOLERANCES, Epoch, Frozen, Settings, Stop, calibrated, train
from laconic.tag.dictionary import TagDictionary

Labels = npt.NDArray[np.uint16]
COLUMNS = ("upos", "xpos", "feats")


@dataclass(frozen=True)
class TaggerConfig:
    """What a tagger predicts and how it is trained."""

    column: str = "upos"
    templates: str = "tagger"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    settings: Settings = field(default_factory=Settings)
    lexicon_minimum: int = 2
    """Words seen less often are strangers, in training as later on text."""
    dictionary_minimum: int = 10
    """Words seen so often keep to the labels they were seen with; rarer ones may be anything."""
    ambiguity_share: float = 0.1
    """A label belongs to a word's ambiguity class from this share of its occurrences on."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        if self.column not in COLUMNS:
            raise ConfigError(f"a tagger predicts {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]}, not {self.column!r}")

    def template_set(self) -> TemplateSet:
        if self.templates.endswith(".templates"):
            return read_set(self.templates, kind("token"))
        if "(" in self.templates:
            return parse_set(self.templates, kind("token"))
        return load_set(self.templates)


@dataclass(frozen=True)
class Progress:
    """Where the training of a component stands."""

    what: str
    done: int
    of: int
    loss: float


@dataclass(frozen=True)
class Work:
    """What tagging cost."""

    decisions: int
    templates: int
    rows: int
    """Cache lines of weights read."""


class Tagger:
    """A component: ``fit`` on a corpus, ``apply`` to documents, ``state`` for the model file."""

    def __init__(
        self, config: TaggerConfig, plan: Plan, lexicon: Lexicon, labels: Sequence[str], open_set: int, frozen: Frozen
    ) -> None:
        self.config, self.plan, self.lexicon, self.labels = config, plan, lexicon, list(labels)
        self.open_set, self.frozen = open_set, frozen
        self.atoms = np.array([atom(label) for label in self.labels], np.uint32)
        self.stop = Stop.never(len(plan))

    @classmethod
    def fit(cls, config: TaggerConfig, doc: Doc) -> Generator[Progress, None, Tagger]:
        """Train on the words of a document. The generator returns the tagger."""
        gold, labels = _gold(doc, config.column)
        plan = compile_plan(config.template_set())
        sentences = np.arange(len(doc.sentences), dtype=np.uint32)
        rounds = config.folds + 1 if config.folds else 1
        tagger = yield from _reported(cls._fit_on(config, plan, doc, gold, labels, sentences), "weights", 1, rounds)
        if config.folds:
            depths = config.settings.exits_for(len(plan))
            leads, agrees = [], []
            for fold in range(config.folds):
                held = sentences % config.folds == fold
                run = cls._fit_on(config, plan, doc, gold, labels, sentences[~held])
                part = yield from _reported(run, "margins", fold + 2, rounds)
                lead, agree = part.held_out(doc, depths, sentences[held])
                leads.append(lead)
                agrees.append(agree)
            frozen = calibrated(tagger.frozen, np.concatenate(leads), np.concatenate(agrees), depths, TOLERANCES)
            tagger = cls(config, plan, tagger.lexicon, labels, tagger.open_set, frozen)
        return tagger

    @classmethod
    def _fit_on(
        cls,
        config: TaggerConfig,
        plan: Plan,
        doc: Doc,
        gold: Labels,
        labels: list[str],
        sentences: npt.NDArray[np.uint32],
    ) -> Generator[Epoch, None, Tagger]:
        words = np.zeros(len(doc), bool)
        starts = doc.sentence_starts
        for sentence in sentences.tolist():
            words[starts[sentence] : starts[sentence + 1]] = True
        known = TagDictionary.count(doc, gold, len(labels), words)
        sets = LabelSets(len(labels))
        open_set = sets.add(known.open_labels())
        numbers = [
            0 if members is None else sets.add(members) for members in known.candidates(config.dictionary_minimum)
        ]
        lexicon = build_lexicon(
            plan,
            known.forms,
            known.totals,
            cutoff=config.lexicon_minimum,
            ambiguity=known.ambiguity(labels, config.ambiguity_share),
            payloads=np.array(numbers, np.uint32).reshape(-1, 1),
        )
        atoms = np.array([atom(label) for label in labels], np.uint32)
        examples = Examples(len(plan), sets)
        core.collect(examples, plan, lexicon, sets, open_set, atoms, doc.columns, gold, sentences)
        examples.finish(config.settings.cutoff)
        learner = yield from train(examples, len(plan), config.settings)
        return cls(config, plan, lexicon, labels, open_set, Frozen(learner.freeze(examples), sets))

    def held_out(
        self, doc: Doc, depths: Sequence[int], sentences: npt.NDArray[np.uint32]
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
        """Leads after each depth, and whether the prefix agrees with the full model, for words with a choice."""
        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        leads, found = core.prefixes(*self._parts(), doc.columns, list(depths), exits, sentences)
        choice = leads[:, 0] < np.iinfo(np.int32).max
        return (
            np.asarray(leads[choice] / self.frozen.table.scale, np.float32),
            np.asarray(found[choice] == found[choice][:, -1:]),
        )

    def _parts(self) -> tuple[Plan, Lexicon, Table, LabelSets, int, npt.NDArray[np.uint32]]:
        return self.plan, self.lexicon, self.frozen.table, self.frozen.sets, self.open_set, self.atoms

    @property
    def templates(self) -> str:
        """The template set as text."""
        return str(self.config.template_set())

    def effort(self, tolerance: float) -> None:
        """Let this share of the decisions differ from the full model's, for speed; 0: none."""
        self.stop = self.frozen.stop(tolerance)

    def predict(self, doc: Doc) -> tuple[Labels, Work]:
        """A label number per word, and what it cost."""
        labels, depths, rows = core.tag(*self._parts(), doc.columns, self.stop.exits(self.frozen.table))
        return labels, Work(len(labels), int(depths.sum()), rows)

    def apply(self, doc: Doc) -> Work:
        """Fill the column of a document."""
        labels, work = self.predict(doc)
        doc.set_codes(self.config.column, labels, self.labels)
        return work

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal tagger."""
        arrays, facts = self.frozen.state()
        arrays |= {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}
        facts |= {
            "column": self.config.column,
            "names": self.labels,
            "open": self.open_set,
            "templates": self.templates,
        }
        return arrays, facts

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            config = TaggerConfig(
                column=str(facts["column"]), templates=str(stored_set(facts["templates"], kind("token")))
            )
            plan = compile_plan(config.template_set())
            inner = {name.removeprefix("lexicon."): a for name, a in arrays.items() if name.startswith("lexicon.")}
            lexicon = load_lexicon(plan, inner)
            frozen = Frozen.from_state(arrays, facts)
            names, open_set = [str(name) for name in facts["names"]], int(facts["open"])
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the tagger in the model is damaged: {error}") from error
        fits = (
            len(names) == frozen.table.labels
            and all(map(_fits_a_column, names))
            and len(plan) == frozen.table.templates
            and 0 <= open_set < len(frozen.sets)
        )
        if not fits or lexicon.payload_count < 1:
            raise ModelError("the tagger in the model is damaged: its parts do not fit together")
        return cls(config, plan, lexicon, names, open_set, frozen)


def _fits_a_column(label: str) -> bool:
    """Can a document hold it? Not where it is empty, would break a line, or is a lone surrogate."""
    return label != "" and not any(char in "\t\n\r\0" or "\ud800" <= char <= "\udfff" for char in label)


def _gold(doc: Doc, column: str) -> tuple[Labels, list[str]]:
    """Label numbers of all words, and the labels in alphabetical order."""
    codes, values = doc.codes(column)
    if not len(codes) or values == ["_"]:
        raise ConfigError(f"the training data has no {column} to learn from")
    labels = sorted(values)
    numbers = np.array([labels.index(value) for value in values], np.uint16)
    return numbers[codes], labels


def _reported(
    run: Generator[Epoch, None, Tagger], what: str, number: int, of: int
) -> Generator[Progress, None, Tagger]:
    """One training among several, told as a part of the whole."""
    while True:
        try:
            epoch = next(run)
        except StopIteration as stop:
            tagger: Tagger = stop.value
            return tagger
        yield Progress(what, (number - 1) * epoch.of + epoch.number, of * epoch.of, epoch.loss)
