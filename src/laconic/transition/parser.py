"""The parser: a component that gives every word its head and its label (strubell2015, section 6.2)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import transition as core
from laconic._core.features import Lexicon, Plan, is_word_level
from laconic._core.learn import Examples, LabelSets, Trace
from laconic._core.transition import BeamOptions
from laconic.corpus import Doc
from laconic.corpus.doc import Codes
from laconic.corpus.projectivity import LabelDecoder
from laconic.errors import ConfigError, ModelError
from laconic.features import (
    Address,
    Template,
    TemplateSet,
    Term,
    build_lexicon,
    compile_plan,
    kind,
    load_lexicon,
    stored_set,
)
from laconic.features.compile import ATTRIBUTES
from laconic.learn import AnyTable, Frozen
from laconic.learn.component import ReadsTags, State, TrainingData, within
from laconic.learn.stopping import exits_of
from laconic.transition.arcs import Arcs, ParserWork
from laconic.transition.config import ParserConfig
from laconic.transition.direction import WordOrder, turned
from laconic.transition.inventory import Heads, Inventory, LabelPairs, Trees, learnable
from laconic.transition.searching import WIDEST, Beam, LookAhead, Search, Tree

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation
    from laconic.transition.training import ParserProgress, ParserTask

GREEDY = 0.01
"""With such a tolerance or a larger one no second move is followed, unless a search is asked for."""
STRICTER = 0.5
"""Labels have many classes and lose more than heads do: they get this share of the tolerance of moves."""


@dataclass(frozen=True)
class Prepared:
    """All of a parser but its weights, and what they are to be learned from."""

    inventory: Inventory
    pairs: LabelPairs
    lexicon: Lexicon
    plans: tuple[Plan, Plan]
    task: ParserTask

    @classmethod
    def of(cls, config: ParserConfig, doc: Doc, read: Doc | None = None, silver: int = 0) -> Prepared:
        """``read`` has the same words with the tags that the parser will see; else the document itself. The last
        ``silver`` sentences were labelled by a model."""
        from laconic.transition.training import ParserTask

        ordered = WordOrder.of(doc, config.direction).doc
        trees, inventory = learnable(ordered, config, silver)
        read = ordered if read is None else WordOrder.of(read, config.direction).doc
        plans = _plans(config)
        codes, forms = read.codes("form")
        treebank = read.sentence_starts[len(read.sentences) - silver]
        counts = np.bincount(codes, minlength=len(forms))
        if config.scorer == "hidden" and silver:
            counts += (config.hidden.treebank_weight - 1) * np.bincount(codes[:treebank], minlength=len(forms))
        minimum = config.lexicon_minimum
        if config.scorer == "hidden" and len(counts) > config.forms:
            minimum = max(minimum, int(np.sort(counts)[-config.forms]))
        lexicon = build_lexicon(_word_plan(config), forms, counts, cutoff=minimum)
        pairs = LabelPairs.counted(read, config.pos, trees) if config.labels == "after" else LabelPairs()
        model = _model(config, inventory, pairs, lexicon, plans)
        choice = pairs.mean_choice(read, config.pos, trees) if pairs.keys else 1.0
        return cls(inventory, pairs, lexicon, plans, ParserTask(config, model, read, trees, silver, choice))

    def with_templates(self, config: ParserConfig) -> Prepared:
        """The same data, labels and lexicon under a configuration that differs in its templates or in whether there are
        labels. ConfigError where the lexicon lacks an attribute of a word that the templates read."""
        plans = _plans(config)
        model = _model(config, self.inventory, self.pairs, self.lexicon, plans)
        return Prepared(self.inventory, self.pairs, self.lexicon, plans, replace(self.task, config=config, model=model))

    def like(self, doc: Doc) -> ParserTask:
        """What a development document would teach the same parser; labels that it does not know count as the spare
        one."""
        return _task_like(self.task.config, self.task.model, self.inventory, doc)

    def examples(self, task: ParserTask) -> tuple[Examples, Examples]:
        """The decisions along the gold paths of a task, of moves and of labels; not finished."""
        from laconic.transition.training import trainer_of

        moves = Examples(len(self.plans[0]), task.model.actions)
        labels = Examples(len(self.plans[1]), len(self.inventory.names))
        sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
        trainer_of(task, (len(self.plans[0]), len(self.plans[1]))).collect(sentences, moves, labels)
        return moves, labels


class Parser(ReadsTags[ParserConfig]):
    """A component that gives every word its head and, unless another component does, its label."""

    name = "parser"
    config_type = ParserConfig
    needs = ("deprel",)
    writes = ("head", "deprel")
    uses_predicted = True
    uses_silver = True
    confidence_key = "ArcConf"

    def __init__(
        self,
        config: ParserConfig,
        inventory: Inventory,
        pairs: LabelPairs,
        lexicon: Lexicon,
        plans: tuple[Plan, Plan],
        frozen: tuple[Frozen, Frozen],
    ) -> None:
        self.config, self.inventory, self.pairs = config, inventory, pairs
        self.lexicon, self.plans, self.frozen = lexicon, plans, frozen
        self.model = _model(config, inventory, pairs, lexicon, plans)
        self.tables = (frozen[0].table, frozen[1].table)
        self.handle = core.Parser(self.model, *self.tables)
        self._decoder = None if config.encoding is None else LabelDecoder(inventory.names, config.encoding)
        self.effort(0.0)

    @classmethod
    def fit(cls, config: ParserConfig, data: TrainingData) -> Generator[ParserProgress, None, Self]:
        """Train on the trees of a document. The generator returns the parser.

        The tags of ``data.predicted`` are what the parser reads, in training as later. With ``data.dev``, each epoch
        tells its score there. ConfigError for trees that cannot be learned from.
        """
        from laconic.transition.training import fit_parser

        prepared, dev = Prepared.of(config, data.gold, data.read, data.silver), data.dev
        inventory, pairs, lexicon, plans = prepared.inventory, prepared.pairs, prepared.lexicon, prepared.plans

        def made(*tables: AnyTable) -> Parser:
            sets = [Frozen(table, LabelSets(table.labels)) for table in tables]
            return cls(config, inventory, pairs, lexicon, plans, (sets[0], sets[1]))

        def score(moves: AnyTable, labels: AnyTable) -> tuple[float, float]:
            assert dev is not None
            guess = dev.sentences[:]
            parser = made(moves, labels)
            work = parser.apply(guess)
            return parser.score(dev, guess), work.templates / max(1, work.decisions)

        sizes = (len(plans[0]), len(plans[1]))
        frozen = yield from fit_parser(prepared.task, sizes, None if dev is None else score)
        return cls(config, inventory, pairs, lexicon, plans, frozen)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("head",) if self.config.labels == "none" else self.writes

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("UAS",) if self.config.labels == "none" else ("LAS",)

    @property
    def classifiers(self) -> tuple[Frozen, ...]:
        return self.frozen

    @property
    def templates(self) -> str:
        """The template sets as text, those of moves first."""
        own = str(self.config.template_set())
        return own if not self.config.second else f"{own}\n{self.config.label_template_set()}"

    def effort(self, tolerance: float, search: Search | None = None) -> None:
        """Let this share of the moves differ from the full model's, and half of it of the labels; 0: none.

        With a ``search`` several moves are tried. Without one, a parser of max-violation training has the beam of its
        training, and one with ``slack`` follows the two best moves where it is in doubt, unless the tolerance is so
        large that speed must be what counts. ConfigError for a beam that would have nothing to compare.
        """
        if isinstance(search, Beam):
            self._check_beam()
        if search is None and self.config.beam:
            search = Beam(self.config.beam)
        if search is None and self.config.own_slack and self.has_beam and tolerance < GREEDY:
            search = Beam(2, self.config.own_slack)
        self.stops = (self.frozen[0].stop(tolerance), self.frozen[1].stop(tolerance * STRICTER))
        self.search = search
        self._beam = self.search.options(self) if isinstance(self.search, Beam) else BeamOptions.greedy()

    @property
    def search_efforts(self) -> tuple[str, ...]:
        return ("beam",) if self.has_beam else ()

    def search_effort(self, name: str) -> None:
        if name not in self.search_efforts:
            super().search_effort(name)
        self.effort(0.0, Beam(max(Beam.width, self.config.beam)))

    @property
    def explainable(self) -> bool:
        return not isinstance(self.search, LookAhead)

    @property
    def calibrated(self) -> bool:
        """Are there confidences at the effort that is set?"""
        return not isinstance(self.search, LookAhead) and all(stop.temperatures for stop in self.stops)

    @property
    def has_beam(self) -> bool:
        """Are its scores such that a beam can compare them?"""
        return bool(self.config.scorer == "hidden" or self.config.beam or self.frozen[0].stop(0.0).temperatures)

    def _check_beam(self) -> None:
        if not self.has_beam:
            raise ConfigError("a beam compares probabilities, and this parser has none: train it with folds or beam")

    def searching(self, search: Search | None) -> Parser:
        """A parser that shares all that was learned, and searches; ``Beam(1)`` is greedy."""
        other = self.shared_copy()
        other.effort(0.0, search)
        return other

    def predict(self, doc: Doc, *, confidence: bool = False) -> Arcs:
        """Heads and labels as the system builds them; nothing is decoded or written. ConfigError for confidence where
        the parser looks ahead."""
        order = WordOrder.of(doc, self.config.direction)
        if isinstance(self.search, LookAhead):
            if confidence:
                raise ConfigError("there are no confidences while the parser looks ahead")
            return order.arcs(self.search.parse(self, order.doc))
        exits = exits_of(self.stops, self.tables)
        temperatures = (np.zeros(0), np.zeros(0))
        if confidence:
            stops = self.stops if self.config.labels == "after" else (self.stops[0], self.stops[0])
            temperatures = (stops[0].probability(len(self.plans[0])), stops[1].probability(len(self.plans[1])))
        heads, relations, head_confidence, label_confidence, work = self.handle.parse(
            order.doc.columns, *exits, self._beam, *temperatures
        )
        return order.arcs(Arcs(heads, relations, ParserWork.of(work), head_confidence, label_confidence))

    def task(self, doc: Doc) -> ParserTask:
        """What the trees of a document would teach this parser: its decisions there can be judged."""
        return _task_like(self.config, self.model, self.inventory, doc)

    def trees(self, doc: Doc, count: int) -> list[list[Tree]]:
        """The best trees of each sentence by a beam of that width, before any decoding: those that it still has at the
        end, up to ``count``; one for a sentence that is too long for a beam. Decisions stop where the effort lets
        them, and the best tree may be another than that of ``predict``, which drops hypotheses. ConfigError where a
        beam has nothing to compare."""
        self._check_beam()
        own = self.search if isinstance(self.search, Beam) else Beam()
        beam = replace(own, width=max(Beam.width, own.width, min(count, WIDEST)), slack=math.inf)
        order = WordOrder.of(doc, self.config.direction)
        found = beam.trees(self, order.doc, count)
        if order.back is None:
            return found
        return [
            [Tree(tree.score, turned(tree.heads, len(tree.heads))[::-1], tree.relations[::-1]) for tree in some]
            for some in found
        ]

    def apply(self, doc: Doc, state: Any = None) -> ParserWork:
        """Fill the heads of a document and, unless labels are left to others, its labels."""
        found = self.predict(doc)
        self.write(doc, found)
        return found.work

    def confident(self, doc: Doc) -> npt.NDArray[np.float32]:
        """Fill heads and labels; how probable it is that both are right, for each word."""
        return self.confident_of(doc, self.columns)

    def confident_of(self, doc: Doc, columns: Collection[str]) -> npt.NDArray[np.float32]:
        """Of heads alone, if labels do not count. Where one class stands for both, always of both."""
        found = self.predict(doc, confidence=True)
        self.write(doc, found)
        return found.head_confidence * found.label_confidence if "deprel" in columns else found.head_confidence

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word of a document, or of some of its sentences, gets its head and its label: arc after arc as moves
        made them, before any decoding. What the parser reads must be there.

        A word has the question ``head``, whose candidates are moves, then ``deprel``; ``head+deprel`` where one class
        stands for both. A word that no move attached has neither. ConfigError while the parser searches: its trees are
        not made by one decision after another. Names of moves are those of the order in which the parser reads.
        """
        from laconic.learn.explain import explained

        if not self.explainable:
            raise ConfigError("what look-ahead finds cannot be explained: choose another effort")
        chosen = range(len(doc.sentences)) if sentences is None else sentences
        exits = exits_of(self.stops, self.tables)
        order = WordOrder.of(doc, self.config.direction)
        words, heads, moves, labels = self.handle.traces(
            order.doc.columns, *exits, np.array(list(chosen), np.uint32), self._beam
        )
        words, heads = [order.word(one) for one in words], [order.word(one) for one in heads]
        forms = doc.strings("form")

        def explanations(
            traces: list[Trace], which: int, question: str, name: Callable[[int, str], str]
        ) -> list[Explanation]:
            own = self.config.label_template_set() if which and self.config.second else self.config.template_set()
            return explained(
                traces,
                [(word, forms[word]) for word in words],
                component=self.name,
                question=question,
                templates=str(own).splitlines(),
                name=name,
                scale=self.tables[which].scale,
            )

        effects = [
            f"{forms[word]} becomes a root" if head < 0 else f"{forms[head]} becomes the head of {forms[word]}"
            for word, head in zip(words, heads, strict=True)
        ]
        question = "head+deprel" if self.config.labels == "joint" else "head"
        first = explanations(moves, 0, question, lambda label, form: self._move_name(label))
        first = [replace(one, effect=effect) for one, effect in zip(first, effects, strict=True)]
        if self.config.labels != "after":
            return first
        second = explanations(labels, 1, "deprel", lambda label, form: self.inventory.names[label])
        return [one for pair in zip(first, second, strict=True) for one in pair]

    def _move_name(self, label: int) -> str:
        """``left``, or ``left nsubj`` where an action names both."""
        move, relation = self.model.meaning(label)
        name = self.config.facts.moves[move]
        return f"{name} {self.inventory.names[relation]}" if relation < len(self.inventory.names) else name

    def decoded(self, doc: Doc, found: Arcs) -> tuple[Heads, Codes, list[str]]:
        """What was found, decoded where training encoded its trees: heads, labels by number and their names. Without
        labels, where these are left to others."""
        if self.config.labels == "none":
            return found.heads, np.zeros(0, np.int32), []
        codes = found.relations.astype(np.int32)
        if self._decoder is None:
            return found.heads, codes, list(self.inventory.names)
        return *self._decoder.decoded(found.heads, codes, doc.sentence_starts), self._decoder.names

    def write(self, doc: Doc, found: Arcs) -> None:
        """Fill heads and labels with what was found, decoded."""
        heads, codes, names = self.decoded(doc, found)
        doc.heads[:] = heads
        if self.config.labels != "none":
            doc.set_codes("deprel", codes, names)

    def state(self) -> State:
        arrays: dict[str, npt.NDArray[Any]] = {f"lexicon.{name}": a for name, a in self.lexicon.arrays().items()}
        arrays |= self.pairs.arrays()
        facts: dict[str, Any] = {
            "scorer": self.config.scorer,
            "system": self.config.system,
            **({} if self.config.direction == "left-to-right" else {"direction": self.config.direction}),
            **({"focus": self.config.focus, "waits": self.config.waits} if self.config.facts.has_focus else {}),
            "labels": self.config.labels,
            "pos": self.config.pos,
            "projective": self.config.projective,
            **({"beam": self.config.beam} if self.config.beam else {}),
            "slack": self.config.own_slack,
            "templates": str(self.config.template_set()),
            "label_templates": str(self.config.label_template_set()),
            **self.inventory.facts(),
        }
        for name, frozen in zip(("moves", "arcs"), self.frozen, strict=True):
            if name == "arcs" and self.config.labels != "after":
                continue
            own, said = frozen.state()
            if name == "moves" or self.config.second:  # hidden rows serve both
                arrays |= {f"{name}.{key}": array for key, array in own.items()}
            facts[name] = said
        return arrays, facts

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            frame = ParserConfig(scorer=facts["scorer"], system=facts["system"], labels=facts["labels"])
            if frame.facts.has_focus:
                frame = replace(frame, focus=facts["focus"], waits=facts["waits"])
            templates = str(stored_set(facts["templates"], frame.kind))
            if not isinstance(facts["slack"], int | float) or isinstance(facts["slack"], bool):
                raise TypeError("slack is not a number")
            config = replace(
                frame,
                pos=facts["pos"],
                projective=facts["projective"],
                direction=facts.get("direction", "left-to-right"),
                beam=facts.get("beam", 0),
                slack=facts["slack"],
                templates=templates,
                hidden_templates=templates,
                label_templates=str(stored_set(facts["label_templates"], kind("arc"))),
            )
            inventory = Inventory.from_facts(facts)
            moves = Frozen.from_state(within(arrays, "moves"), facts["moves"])
            arcs = moves
            if config.labels == "after":
                arcs = Frozen.from_state(within(arrays, "arcs" if config.second else "moves"), facts["arcs"])
            frozen = (moves, arcs if config.second else replace(arcs, table=moves.table))
            plans = _plans(config)
            lexicon = load_lexicon(_word_plan(config), within(arrays, "lexicon"))
            parser = cls(config, inventory, LabelPairs.from_arrays(arrays), lexicon, plans, frozen)
        except (KeyError, TypeError, ValueError, OverflowError, ConfigError) as error:
            raise ModelError(f"the parser in the model is damaged: {error}") from error
        return parser


def _task_like(config: ParserConfig, model: core.Model, inventory: Inventory, doc: Doc) -> ParserTask:
    """A development document as a parser learns from documents; labels that it does not know count as the spare one."""
    from laconic.transition.training import ParserTask

    doc = WordOrder.of(doc, config.direction).doc
    trees, own = learnable(doc, config, data="development data")
    known = {name: number for number, name in enumerate(inventory.names)}
    numbers = np.array([known.get(name, inventory.spare) for name in own.names], np.uint16)
    return ParserTask(config, model, doc, Trees(trees.heads, numbers[trees.relations]))


def _plans(config: ParserConfig) -> tuple[Plan, Plan]:
    """Of moves and of labels; where no second classifier decides labels, that of moves stands in."""
    plan = compile_plan(config.template_set(), shared=config.scorer == "hidden")
    return plan, compile_plan(config.label_template_set()) if config.second else plan


def _word_plan(config: ParserConfig) -> Plan:
    """What both classifiers read of words, as a plan of its own: one lexicon serves both."""
    sets = [config.template_set()]
    if config.second:
        sets.append(config.label_template_set())
    terms = {
        Term(term.attribute, Address("QUEUE"), term.number, term.name): None
        for some in sets
        for template in some
        for term in template.terms
        if is_word_level(ATTRIBUTES[term.attribute])
    }
    chosen = kind("transition")
    return compile_plan(TemplateSet(chosen, tuple(Template(chosen, (term,)) for term in terms)))


def _model(
    config: ParserConfig, inventory: Inventory, pairs: LabelPairs, lexicon: Lexicon, plans: tuple[Plan, Plan]
) -> core.Model:
    return core.Model(
        plan=plans[0],
        label_plan=plans[1],
        lexicon=lexicon,
        names=_word_plan(config).arguments,
        pos=config.pos,
        system=config.system,
        focus=config.focus,
        waits=config.waits,
        labels=config.labels,
        relations=[list(some) for some in inventory.relations],
        root_relation=inventory.root,
        spare=inventory.spare,
        atoms=inventory.atoms(),
        single_root=inventory.single_root,
        pair_keys=list(pairs.keys),
        pair_numbers=list(pairs.numbers),
        pair_relations=[list(some) for some in pairs.sets],
    )
