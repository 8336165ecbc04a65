"""The entity recogniser: one BILOU label per word, left to right, greedy (Ratinov & Roth 2009; strubell2015, 6.3)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic._core.features import Dictionary, Lexicon, Plan
from laconic._core.learn import Examples
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.features import (
    TemplateSet,
    atoms,
    build_dictionary,
    build_lexicon,
    chosen_set,
    compile_plan,
    kind,
    load_lexicon,
    parse_set,
    stored_set,
)
from laconic.features.lexicon import load_dictionary
from laconic.learn import Frozen, Settings, Stop, check_counts, check_folds
from laconic.learn.component import Arrays, Labels, OneClassifier, State, TrainingData, Work, strings_of, within
from laconic.progress import Progress
from laconic.tag.entity_spans import KEY, annotated_sentences, bilou_labels, bilou_names, bio_names, entity_spans
from laconic.tag.gazetteers import gazetteer_arrays, load_gazetteer, read_clusters, read_entries
from laconic.tag.words import words_of

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation
    from laconic.learn.folding import HeldOut, Sentences

COLUMNS = ("lemma", "upos", "xpos", "feats")
EXITS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 30)
"""Most words need few templates."""
ENTITY_TOLERANCES = (0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01)
"""Finer than for other tasks: few words belong to entities, so a small share of all decisions is much of F1."""


@dataclass(frozen=True)
class EntityConfig:
    """How an entity recogniser is trained."""

    templates: str = "entities"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    settings: Settings = field(default_factory=lambda: Settings(mode="full", exits=EXITS))
    """A loss at the end only, with calibrated margins before it: measured better here than a loss at every exit."""
    gazetteers: Mapping[str, str] = field(default_factory=dict)
    """Name to file, one entry a line; templates say ``DICT:name(TOKEN)``, and if none does, some are added."""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """Name to file of Brown clusters; templates say ``CLUSTER:name/4(TOKEN)``, and if none does, some are added."""
    lexicon_minimum: int = 2
    """Rarer words are treated as unknown, in training as later on text."""
    outside_minimum: int = 10
    """Words seen so often, and never at the begin of an entity, begin none."""
    history_folds: int = 5
    """SEEN shows in training what models of so many folds said of words they had not seen; 0: the true labels."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        check_folds(self.folds)
        check_folds(self.history_folds, "history_folds")
        check_counts(self, ("lexicon_minimum", "outside_minimum"))
        for name, path in (*self.gazetteers.items(), *self.clusters.items()):
            if not isinstance(path, str):
                raise ConfigError(f"{name!r} must be the path of a file, not {path!r}")
        if both := sorted(self.gazetteers.keys() & self.clusters.keys()):
            raise ConfigError(f"{both[0]!r} names both a gazetteer and clusters")

    def template_set(self) -> TemplateSet:
        """The templates, with those for gazetteers and clusters that no template names."""
        chosen = chosen_set(self.templates, kind("entity"))
        named = {term.name for template in chosen for term in template.terms}
        added = [
            line.replace("*", name)
            for names, lines in ((self.gazetteers, GAZETTEER_TEMPLATES), (self.clusters, CLUSTER_TEMPLATES))
            for name in names
            if name not in named
            for line in lines
        ]
        return parse_set(str(chosen) + "\n".join(added), kind("entity")) if added else chosen


GAZETTEER_TEMPLATES = (
    "DICT:*(TOKEN)",
    "DICT:*(TOKEN) & TAG(TOKEN-1)",
    "DICT:*(TOKEN) & CASE(TOKEN)",
    "DICT:*(TOKEN-1)",
    "DICT:*(TOKEN+1)",
)
CLUSTER_TEMPLATES = (
    "CLUSTER:*(TOKEN)",
    "CLUSTER:*/4(TOKEN)",
    "CLUSTER:*/6(TOKEN)",
    "CLUSTER:*/10(TOKEN)",
    "CLUSTER:*/6(TOKEN-1)",
    "CLUSTER:*/6(TOKEN+1)",
)


@dataclass(frozen=True)
class Knowledge:
    """What users gave beside the training data."""

    gazetteers: Mapping[str, Arrays]
    clusters: Mapping[str, Dictionary]

    @classmethod
    def read(cls, config: EntityConfig) -> Knowledge:
        return cls(
            {name: gazetteer_arrays(read_entries(path)) for name, path in config.gazetteers.items()},
            {name: read_clusters(path) for name, path in config.clusters.items()},
        )

    def dictionaries(self) -> dict[str, Dictionary]:
        """For the lexicon. Gazetteers are matched in sentences, so it gets empty ones in their place."""
        return dict.fromkeys(self.gazetteers, build_dictionary({})) | dict(self.clusters)

    def matchers(self) -> dict[str, core.Gazetteer]:
        """The gazetteers for the core."""
        return {name: load_gazetteer(arrays) for name, arrays in self.gazetteers.items()}

    def state(self) -> Arrays:
        parts = [(f"gazetteer.{name}", arrays) for name, arrays in self.gazetteers.items()]
        parts += [(f"cluster.{name}", dict(clusters.arrays())) for name, clusters in self.clusters.items()]
        return {f"{prefix}.{key}": array for prefix, arrays in parts for key, array in arrays.items()}

    @classmethod
    def from_state(
        cls, arrays: Mapping[str, npt.NDArray[Any]], gazetteers: Sequence[str], clusters: Sequence[str]
    ) -> Self:
        return cls(
            {name: within(arrays, f"gazetteer.{name}") for name in gazetteers},
            {name: load_dictionary(within(arrays, f"cluster.{name}")) for name in clusters},
        )


class EntityTagger(OneClassifier[EntityConfig]):
    """A component that writes the entities of a document into MISC. What it said of a word is remembered for the same
    word later in the document."""

    name = "entities"
    config_type = EntityConfig
    writes = ("entities",)
    uses_silver = True
    in_order = True

    def __init__(
        self,
        config: EntityConfig,
        plan: Plan,
        lexicon: Lexicon,
        types: Sequence[str],
        knowledge: Knowledge,
        frozen: Frozen,
    ) -> None:
        super().__init__(config, Stop.never(len(plan)))
        self.plan, self.lexicon, self.types = plan, lexicon, list(types)
        self.knowledge, self._frozen = knowledge, frozen
        self.labels = bilou_names(self.types)
        self.tags = bio_names(self.types)
        self.transitions = core.Transitions(len(self.types))
        self.handle = core.EntityClassifier(
            plan, lexicon, self.transitions, knowledge.matchers(), atoms(self.labels), frozen.linear
        )
        read = config.template_set().columns
        self._reads = tuple(column for column in COLUMNS if column in read)

    @property
    def frozen(self) -> Frozen:
        return self._frozen

    @property
    def reads(self) -> tuple[str, ...]:
        return self._reads

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("NER",)

    def score(self, gold: Doc, guess: Doc) -> float:
        """F1 of spans."""
        from laconic.evaluate import evaluate_entities

        return evaluate_entities(gold, guess)["NER"].f1

    @classmethod
    def is_shown(cls, doc: Doc, config: EntityConfig) -> bool:
        return any(f"{KEY}=" in value for value in doc.codes("misc")[1])

    @classmethod
    def check_dev(cls, config: EntityConfig, dev: Doc) -> None:
        if not cls.is_shown(dev, config):
            raise ConfigError("the development data has no named entities: give a second file of them, or no --dev")

    @classmethod
    def fit(cls, config: EntityConfig, data: TrainingData) -> Generator[Progress, None, EntityTagger]:
        """Train on the sentences whose words all have tags. The generator returns the recogniser."""
        from laconic.learn.folding import fit_folded, fit_held_out, folds_of, with_margins, without_silver, words_in

        doc = data.gold
        sentences = annotated_sentences(doc)
        if not len(sentences):
            raise ConfigError("the training data has no entities to learn from: no sentence has NER= on all words")
        found = entity_spans(doc)
        gold = bilou_labels(found, len(doc))
        templates = present(config.template_set(), doc)
        if data.silver:  # lemmas of the treebank alone would be learned from, and say nothing of other text
            templates = present(templates, doc.sentences[-data.silver :])
        config = replace(config, templates=str(templates))
        trainer = Trainer(config, doc, gold, found.types, Knowledge.read(config), data.silver)
        history = folds_of(doc, config.history_folds, "piece", sentences, data.silver)
        margins = folds_of(doc, config.folds, "piece", sentences, data.silver)
        noted = gold.copy()
        quick = replace(trainer, config=replace(config, settings=for_history(config.settings)))
        rounds = len(history) + 1 + len(margins)
        for model, part in (yield from fit_held_out(lambda some: quick.fit(some, gold), history, "history", 0, rounds)):
            noted[words_in(doc, part)] = model.predict_sentences(doc, part)
        tagger, models = yield from fit_folded(lambda some: trainer.fit(some, noted), sentences, margins, len(history))
        if not models:
            return tagger
        depths = config.settings.exits_for(len(tagger.plan))
        models = without_silver(models, doc, data.silver)
        held = [model.held_out(doc, depths, part) for model, part in models]
        return tagger.with_frozen(with_margins(tagger.frozen, held, depths, ENTITY_TOLERANCES))

    def with_frozen(self, frozen: Frozen) -> EntityTagger:
        return EntityTagger(self.config, self.plan, self.lexicon, self.types, self.knowledge, frozen)

    def held_out(self, doc: Doc, depths: Sequence[int], sentences: Sentences) -> HeldOut:
        """How prefixes decide on sentences that training did not see."""
        from laconic.learn.folding import HeldOut

        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        leads, found = self.handle.prefixes(doc.columns, exits, list(depths), sentences)
        return HeldOut.of(leads, found, self.frozen.table.scale)

    def predict_sentences(self, doc: Doc, sentences: Sentences) -> Labels:
        """The labels of the words of some sentences by all templates; a gap between sentences ends a document."""
        exits = Stop.never(len(self.plan)).exits(self.frozen.table)
        return self.handle.prefixes(doc.columns, exits, [len(self.plan)], sentences)[1][:, 0]

    def document_state(self, kept: Sequence[npt.ArrayLike] | None = None) -> core.History:
        history = core.History(len(self.labels))
        if kept is not None:
            forms, labels, ages = kept
            history.restore(np.asarray(forms, np.uint64), np.asarray(labels, np.uint16), np.asarray(ages, np.uint16))
        return history

    def predict(self, doc: Doc, state: core.History | None = None) -> tuple[Labels, Work]:
        """The number of a BILOU label per word, and what it cost.

        ``# newdoc`` starts a document; the first sentence goes on with that of ``state`` if it does not.
        """
        memory = self.document_state() if state is None else state
        exits = self.stop.exits(self.frozen.table)
        labels, depths, rows, _ = self.handle.decide(doc.columns, exits, memory)
        return labels, Work(len(labels), int(np.add.reduce(depths)), rows)

    def apply(self, doc: Doc, state: core.History | None = None) -> Work:
        """Write ``NER=`` into MISC, in BIO, O included; what else is there stays."""
        labels, work = self.predict(doc, state)
        doc.columns.set_entries(KEY, labels, self.tags)
        return work

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word gets its label. All words are decided, for what they leave in memory; some are told of."""
        from laconic.learn.explain import explained

        exits = self.stop.exits(self.frozen.table)
        every = np.arange(len(doc.sentences), dtype=np.uint32)
        traces = self.handle.traces(doc.columns, exits, every)
        chosen = list(range(len(doc.sentences)) if sentences is None else sentences)
        words = list(words_of(doc, chosen))
        return explained(
            [traces[word] for word, _ in words],
            words,
            component=self.name,
            question="entity",
            templates=self.templates.splitlines(),
            name=lambda label, form: self.labels[label],
            scale=self.frozen.table.scale,
        )

    def state(self) -> State:
        arrays, facts = self.frozen.state()
        arrays |= {f"lexicon.{name}": array for name, array in self.lexicon.arrays().items()}
        arrays |= self.knowledge.state()
        facts |= {
            "types": self.types,
            "templates": self.templates,
            "gazetteers": list(self.knowledge.gazetteers),
            "clusters": list(self.knowledge.clusters),
        }
        return arrays, facts

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        try:
            templates = stored_set(facts["templates"], kind("entity"))
            config, plan = EntityConfig(templates=str(templates)), compile_plan(templates)
            knowledge = Knowledge.from_state(arrays, strings_of(facts["gazetteers"]), strings_of(facts["clusters"]))
            lexicon = load_lexicon(plan, within(arrays, "lexicon"), knowledge.dictionaries())
            frozen = Frozen.from_state(arrays, facts)
            types = strings_of(facts["types"])
            tagger = cls(config, plan, lexicon, types, knowledge, frozen)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the entity recogniser in the model is damaged: {error}") from error
        legal = tagger.transitions.sets
        fits = np.array_equal(legal.begins(), frozen.sets.begins()) and np.array_equal(
            legal.members(), frozen.sets.members()
        )
        if not fits:
            raise ModelError("the entity recogniser in the model is damaged: its parts do not fit together")
        return tagger


@dataclass(frozen=True)
class Trainer:
    """What all trainings of one recogniser have in common."""

    config: EntityConfig
    doc: Doc
    gold: Labels
    types: list[str]
    knowledge: Knowledge
    silver: int = 0
    """How many sentences at the end of the document were labelled by a model."""

    def fit(self, sentences: Sentences, noted: Labels) -> Generator[Progress, None, EntityTagger]:
        """Train on some sentences, with ``noted`` as the labels that history shows."""
        from laconic.learn import train_linear
        from laconic.learn.folding import words_in
        from laconic.tag.dictionary import TagDictionary

        config, plan = self.config, compile_plan(self.config.template_set())
        labels = bilou_names(self.types)
        known = TagDictionary.count(self.doc, self.gold, len(labels), words_in(self.doc, sentences))
        # An entity begins with B or U.
        opening = (known.labels % 4 == 1) | ((known.labels % 4 == 0) & (known.labels > 0))
        form = np.repeat(np.arange(len(known.forms)), np.diff(known.begins))
        begins = np.bincount(form[opening], minlength=len(known.forms))
        may_start = (begins > 0) | (known.totals < config.outside_minimum)
        lexicon = build_lexicon(
            plan,
            known.forms,
            known.totals,
            cutoff=config.lexicon_minimum,
            ambiguity=known.ambiguity(labels, 0.1),
            dictionaries=self.knowledge.dictionaries(),
            payloads=may_start.astype(np.uint32).reshape(-1, 1),
        )
        transitions = core.Transitions(len(self.types))
        examples = Examples(len(plan), transitions.sets)
        untrained = core.EntityClassifier(plan, lexicon, transitions, self.knowledge.matchers(), atoms(labels))
        first = np.searchsorted(sentences, len(self.doc.sentences) - self.silver)
        untrained.collect(examples, self.doc.columns, self.gold, sentences[:first], noted)
        treebank = len(examples)
        untrained.collect(examples, self.doc.columns, self.gold, sentences[first:], noted)
        examples.finish(config.settings.cutoff)
        learner = yield from train_linear(examples, len(plan), config.settings, treebank=treebank)
        frozen = Frozen(learner.freeze(examples, config.settings.floor), transitions.sets)
        return EntityTagger(config, plan, lexicon, self.types, self.knowledge, frozen)


def for_history(settings: Settings) -> Settings:
    """A plain and short training: its mistakes need only look like those to come."""
    return replace(settings, mode="full", depth=0, epochs=max(1, settings.epochs // 2))


def present(templates: TemplateSet, doc: Doc) -> TemplateSet:
    """The templates without those over columns that the document does not have."""
    absent = {column for column in COLUMNS if doc.codes(column)[1] == ["_"]}

    def says_nothing(attribute: str) -> bool:
        columns = templates.kind.attributes[attribute].columns
        return bool(columns) and absent.issuperset(columns)

    kept = tuple(one for one in templates if not any(says_nothing(term.attribute) for term in one.terms))
    return TemplateSet(templates.kind, kept)
