"""One decision per word, whatever its labels mean: tags or edit scripts."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic._core.features import Lexicon, Plan, atom
from laconic._core.learn import Examples, LabelSets, Trace
from laconic.corpus import Doc
from laconic.errors import ModelError
from laconic.features import atoms, build_lexicon, load_lexicon
from laconic.features.lexicon import pack
from laconic.learn import Frozen, Settings, Stop
from laconic.learn.component import Confidences, Labels, within
from laconic.progress import Progress

if TYPE_CHECKING:
    from laconic.learn import FinalScores
    from laconic.learn.explain import Explanation
    from laconic.learn.folding import HeldOut, Sentences

EXITS = (2, 4, 6, 9, 13, 20, 30)
"""Where decisions about words may end. Templates between two exits are fetched together: exits at every depth make a
decision read less and wait longer."""


@dataclass(frozen=True)
class WordTask:
    """What is to be decided about the words of a document, and how that is learned."""

    plan: Plan
    doc: Doc
    gold: Labels
    """NO_LABEL where a word has nothing to teach (only with ``types``)."""
    names: list[str]
    settings: Settings
    lexicon_minimum: int
    dictionary_minimum: int
    ambiguity_share: float
    given: tuple[str, ...] = ()
    """Columns whose values narrow the candidates."""
    evidence: core.ScriptEvidence | None = None
    """Which labels a word never seen may get, where labels are edit scripts."""
    base: frozenset[int] | None = None
    """Given values of base forms, and the labels that a word never seen may get with these."""
    plain: frozenset[int] = frozenset()
    types: bool = False
    """Learn from each form with its given values once, as from a word never seen."""
    predicted: Doc | None = None
    """The document with given columns as predicted by models that did not see them: what held-out decisions read."""
    silver: int = 0
    """How many sentences at the end of the document were labelled by a model."""
    conditional: bool = True
    """Confidence is that of being right if the given columns are; otherwise whatever they are."""

    @property
    def held(self) -> Doc:
        """What decisions are calibrated on."""
        return self.doc if self.predicted is None else self.predicted


@dataclass(frozen=True)
class WordClassifier:
    """A trained decision. Nothing in it changes: threads share it."""

    plan: Plan
    lexicon: Lexicon
    candidates: core.Candidates
    atoms: npt.NDArray[np.uint32]
    given: tuple[str, ...]
    frozen: Frozen
    handle: core.WordClassifier = field(init=False)

    def __post_init__(self) -> None:
        made = core.WordClassifier(self.plan, self.lexicon, self.candidates, self.atoms, self.frozen.linear)
        object.__setattr__(self, "handle", made)

    def decide(
        self, doc: Doc, stop: Stop, confidence: bool = False
    ) -> tuple[Labels, npt.NDArray[np.uint32], int, Confidences]:
        """Label and templates computed of each word, rows read in all, and confidences if asked for."""
        temperatures = stop.probability(len(self.plan)) if confidence else np.zeros(0)
        exits = stop.exits(self.frozen.table)
        labels, depths, rows, confidences = self.handle.decide(doc.columns, exits, temperatures)
        return labels, depths, rows, stop.platt_scaled(confidences, depths) if confidence else confidences

    def held_out(self, doc: Doc, depths: Sequence[int], sentences: Sentences) -> HeldOut:
        """Leads after each depth, and whether the prefix agrees with the full model, for words with a choice."""
        from laconic.learn.folding import HeldOut

        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        leads, found = self.handle.prefixes(doc.columns, exits, list(depths), sentences)
        return HeldOut.of(leads, found, self.frozen.table.scale)

    def collect(self, examples: Examples, doc: Doc, labels: Labels, *, types: bool = False) -> None:
        """Adds the decisions about all words of a document, with these labels as gold and as history; with ``types``,
        one for each form with its given values and label."""
        sentences = np.arange(len(doc.sentences), dtype=np.uint32)
        self.handle.collect(examples, doc.columns, labels, sentences, types)

    def has_choice(self, doc: Doc) -> npt.NDArray[np.bool_]:
        """Which words have more than one candidate."""
        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        sentences = np.arange(len(doc.sentences), dtype=np.uint32)
        leads, _ = self.handle.prefixes(doc.columns, exits, [len(self.plan)], sentences)
        return np.asarray(leads[:, 0] < np.iinfo(np.int32).max)

    def final_scores(self, doc: Doc, gold: Labels, stop: Stop, sentences: Sentences) -> tuple[Labels, FinalScores]:
        """How the decisions about these sentences end; ``gold`` and the result are of the words in them."""
        from laconic.learn import FinalScores

        exits = stop.exits(self.frozen.table)
        labels, depths, begins, gaps = self.handle.final_scores(doc.columns, exits, sentences)
        return labels, FinalScores(depths, begins, gaps, labels == gold)

    def traces(self, doc: Doc, stop: Stop, sentences: Sentences) -> list[Trace]:
        """How each word of these sentences is decided, step by step."""
        return self.handle.traces(doc.columns, stop.exits(self.frozen.table), sentences)

    def explain(
        self,
        doc: Doc,
        stop: Stop,
        sentences: Sequence[int] | None,
        *,
        component: str,
        question: str,
        templates: Sequence[str],
        name: Callable[[int, str], str],
    ) -> list[Explanation]:
        """The same in words: of some sentences, or of all."""
        from laconic.learn.explain import explained

        chosen = range(len(doc.sentences)) if sentences is None else sentences
        traces = self.traces(doc, stop, np.array(list(chosen), np.uint32))
        scale = self.frozen.table.scale
        return explained(
            traces,
            words_of(doc, chosen),
            component=component,
            question=question,
            templates=templates,
            name=name,
            scale=scale,
        )

    def restricted(self, allowed: Mapping[str, Sequence[int]], names: Sequence[str]) -> Self:
        """The same decision, but these forms may only get these labels, whatever their length; forms never seen are
        added."""
        arrays = self.lexicon.arrays()
        sets = LabelSets(self.frozen.table.labels, self.frozen.sets.begins(), self.frozen.sets.members())
        forms = {form: i for i, form in enumerate(self.lexicon.forms)}
        added = [form for form in allowed if form not in forms]
        forms |= {form: len(forms) + i for i, form in enumerate(added)}
        payloads = np.full((len(forms), self.lexicon.payload_count), np.iinfo(np.uint32).max, np.uint32)
        payloads[: len(self.lexicon)] = arrays["payloads"]
        classes = np.zeros(len(forms) if len(arrays["ambiguity"]) else 0, np.uint32)
        classes[: len(arrays["ambiguity"])] = arrays["ambiguity"]
        for form, labels in allowed.items():
            payloads[forms[form], 0] = sets.add(list(labels))
            if len(classes):
                classes[forms[form]] = atom("|".join(names[y] for y in labels))
        data, offsets = pack(forms)
        lexicon = load_lexicon(
            self.plan, {"bytes": data, "offsets": offsets, "ambiguity": classes, "payloads": payloads}
        )
        old = self.candidates
        candidates = core.Candidates(sets, old.open, list(self.given), old.keys(), old.numbers())
        return replace(self, lexicon=lexicon, candidates=candidates, frozen=replace(self.frozen, sets=sets))

    def state(self) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
        """Arrays and JSON-able facts from which ``from_state`` builds an equal object."""
        arrays, facts = self.frozen.state()
        arrays |= {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}
        arrays |= {"memory.keys": self.candidates.keys(), "memory.sets": self.candidates.numbers()}
        return arrays, facts | {"open": self.candidates.open, "given": list(self.given)}

    @classmethod
    def from_state(
        cls,
        plan: Plan,
        names: Sequence[str],
        arrays: Mapping[str, npt.NDArray[Any]],
        facts: Mapping[str, Any],
        evidence: core.ScriptEvidence | None = None,
    ) -> Self:
        """ModelError unless everything fits together."""
        lexicon = load_lexicon(plan, within(arrays, "lexicon"))
        frozen = Frozen.from_state(arrays, facts)
        try:
            given = tuple(str(name) for name in facts["given"])
            keys, numbers = arrays["memory.keys"], arrays["memory.sets"]
            candidates = core.Candidates(frozen.sets, int(facts["open"]), list(given), keys, numbers, evidence)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the candidates in the model are damaged: {error}") from error
        if len(names) != frozen.table.labels or len(plan) != frozen.table.templates or lexicon.payload_count < 1:
            raise ModelError("the parts of the model do not fit together")
        return cls(plan, lexicon, candidates, atoms(names), given, frozen)


def words_of(doc: Doc, sentences: Iterable[int]) -> Iterator[tuple[int, str]]:
    """Index and form of each word of these sentences."""
    for number in sentences:
        sentence = doc.sentences[number]
        yield from enumerate(sentence.words, sentence.begin)


def fit_words(task: WordTask, folds: int) -> Generator[Progress, None, tuple[WordClassifier, Labels | None]]:
    """Train, then set margins and temperatures on decisions of models that did not see them (0 folds: neither).

    Returns the decision and, if there were folds, the labels that those models gave to what they did not see.
    """
    from laconic.learn import FinalScores
    from laconic.learn.folding import (
        fit_folded,
        folds_of,
        with_margins,
        with_temperatures,
        without_silver,
        words_in,
    )

    sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
    words, parts = yield from fit_folded(
        lambda some: _fit_on(task, some), sentences, folds_of(task.doc, folds, silver=task.silver)
    )
    if not parts:
        return words, None
    depths = task.settings.exits_for(len(task.plan))
    labels = np.zeros(len(task.doc), np.uint16)
    for part, outside in parts:
        chosen = words_in(task.doc, outside)
        labels[chosen], _ = part.final_scores(task.held, task.gold[chosen], Stop.never(len(task.plan)), outside)
    parts = without_silver(parts, task.doc, task.silver)
    held = [part.held_out(task.held, depths, outside) for part, outside in parts]
    outside_words = [words_in(task.doc, outside) for _, outside in parts]
    read = task.doc if task.conditional else task.held

    def final_scores(stop: Stop) -> FinalScores:
        return FinalScores.concatenate(
            part.final_scores(read, task.gold[chosen], stop, outside)[1]
            for (part, outside), chosen in zip(parts, outside_words, strict=True)
        )

    frozen = with_temperatures(with_margins(words.frozen, held, depths), final_scores, platt=True)
    return replace(words, frozen=frozen), labels


@dataclass(frozen=True)
class Untrained:
    """All of a classifier but its weights: it can collect decisions to learn them from."""

    handle: core.WordClassifier
    lexicon: Lexicon
    candidates: core.Candidates
    atoms: npt.NDArray[np.uint32]
    sets: LabelSets


def untrained(task: WordTask, sentences: Sentences) -> Untrained:
    """Lexicon and candidates as these sentences show them."""
    from laconic.learn.folding import words_in
    from laconic.tag.dictionary import TagDictionary, remember

    known = TagDictionary.count(task.doc, task.gold, len(task.names), words_in(task.doc, sentences))
    sets = LabelSets(len(task.names))
    open_set = sets.add(known.open_labels())
    if task.given:
        payloads = np.full((len(known.forms), 1), np.iinfo(np.uint32).max, np.uint32)
        keys, numbers = remember(
            task.doc,
            task.gold,
            known,
            sets,
            task.given,
            cutoff=task.lexicon_minimum,
            minimum=task.dictionary_minimum,
            base=task.base,
            plain=task.plain,
        )
    else:
        members = known.candidates(task.dictionary_minimum)
        payloads = np.array([0 if some is None else sets.add(some) for some in members], np.uint32).reshape(-1, 1)
        keys, numbers = np.zeros(0, np.uint64), np.zeros(0, np.uint32)
    lexicon = build_lexicon(
        task.plan,
        known.forms,
        known.totals,
        cutoff=task.lexicon_minimum,
        ambiguity=known.ambiguity(task.names, task.ambiguity_share),
        payloads=payloads,
    )
    own = atoms(task.names)
    candidates = core.Candidates(sets, open_set, list(task.given), keys, numbers, task.evidence)
    return Untrained(core.WordClassifier(task.plan, lexicon, candidates, own), lexicon, candidates, own, sets)


def _fit_on(task: WordTask, sentences: Sentences) -> Generator[Progress, None, WordClassifier]:
    from laconic.learn import train_linear

    made = untrained(task, sentences)
    examples = Examples(len(task.plan), made.sets)
    treebank, silver = np.split(sentences, [np.searchsorted(sentences, len(task.doc.sentences) - task.silver)])
    made.handle.collect(examples, task.doc.columns, task.gold, treebank, task.types)
    first = len(examples)
    made.handle.collect(examples, task.doc.columns, task.gold, silver, task.types)
    examples.finish(task.settings.cutoff)
    learner = yield from train_linear(examples, len(task.plan), task.settings, treebank=first)
    frozen = Frozen(learner.freeze(examples, task.settings.floor), made.sets)
    return WordClassifier(task.plan, made.lexicon, made.candidates, made.atoms, task.given, frozen)
