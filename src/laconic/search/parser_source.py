"""A transition parser with linear rows as something to discover features for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from laconic._core.features import is_word_level
from laconic._core.learn import DecisionAtoms, HashedTable, LabelSets
from laconic._core.transition import parse_hashed
from laconic.corpus import Doc
from laconic.corpus.projectivity import decode_doc, lift
from laconic.errors import ConfigError
from laconic.evaluate.conllx import is_punctuation, scoring_words
from laconic.evaluate.score import Bools
from laconic.features import Address, Kind, Template, TemplateSet, Term, expand_pairs, kind, parse_set
from laconic.features.compile import ATTRIBUTES
from laconic.features.language import print_term
from laconic.learn import Settings, TrainingData, check_choices
from laconic.learn.component import has_values
from laconic.progress import finished
from laconic.search.column_source import ColumnSource, HashedSettings, terms_of
from laconic.search.source import DEVELOP, SetResult, singles
from laconic.search.trainable import TrialResult, first_share
from laconic.transition import Parser, ParserConfig
from laconic.transition.direction import WordOrder
from laconic.transition.inventory import check_heads
from laconic.transition.parser import Prepared
from laconic.transition.training import trainer_of

ARC = kind("arc")
SIDE = Term("DIRECTION", Address("MOD"))
"""Joined to every template of labels, as the paper's second classifier knows which arc it labels."""


class ParserSource(ColumnSource):
    """Moves along the gold paths of trees and, for LAS, labels of their arcs; a final parses with what was trained.

    ``score`` is ``uas`` or ``las``. For UAS no label is learned as long as no feature of the set asks for one
    (``DEP``), and lifted arcs of projectivised trees stay where they are, as in nilsson2010; their labels do not say
    so, and are half as many on English. For LAS lifted arcs are put back.
    ``punctuation`` says whether it is scored. ``attributes`` are those that features may have, from the rules.
    """

    def __init__(
        self,
        config: ParserConfig,
        train: Doc,
        develop: Doc,
        attributes: Sequence[Term],
        *,
        score: Literal["uas", "las"] = "las",
        punctuation: bool = True,
        random_moves: float = 0.0,
        others: Mapping[str, Doc] | None = None,
        settings: HashedSettings | None = None,
    ) -> None:
        super().__init__(settings or HashedSettings())
        if config.scorer != "linear":
            raise ConfigError("features are discovered with linear rows: say so in the configuration")
        self.config = replace(config, labels="after", folds=0, beam=0)
        self.documents = {DEVELOP: develop, **(others or {})}
        if len(self.documents) != 1 + len(others or {}):
            raise ConfigError(f"no other document can be called {DEVELOP}")
        self.train, self.score, self.punctuation = train, score, punctuation
        self._gold: dict[tuple[str, int], GoldWords] = {}
        self.random_moves = random_moves
        if not 0 <= random_moves < 1:
            raise ConfigError(f"random_moves must lie between 0 and 1, not {random_moves}")
        self.attributes = tuple(attributes)
        check_choices(self, {"score": ("uas", "las")})
        for data, doc in (("training data", train), *(("development data", one) for one in self.documents.values())):
            check_heads(doc, data)
            if score == "las" and not has_values(doc, "deprel"):
                raise ConfigError(f"the {data} has no labels (deprel) to score by: choose uas")
        if score == "uas" and self.config.encoding is not None:
            self.train = _lifted(train)

    def __reduce__(self) -> tuple[Any, ...]:
        documents = {name: doc.to_conllu() for name, doc in self.documents.items()}
        rest = (self.attributes, self.score, self.punctuation, self.random_moves, self.settings, self.store)
        return _rebuilt, (self.config, self.train.to_conllu(), documents, *rest)

    @property
    def kind(self) -> Kind:
        return self.config.kind

    @property
    def parts(self) -> tuple[str, ...]:
        return ("moves",) if self.score == "uas" else ("moves", "labels")

    @property
    def metric(self) -> str:
        return self.score

    def facts(self) -> Any:
        config = asdict(replace(self.config, templates="", label_templates="", hidden_templates=""))
        attributes = [print_term(replace(one, address=Address("QUEUE")), kind("transition")) for one in self._words]
        return [
            type(self).__name__,
            "one right move on a gold path",
            config,
            self.score,
            self.punctuation,
            self.random_moves,
            sorted(self.documents),
            attributes,
        ]

    def texts(self) -> Sequence[str]:
        return [self.train.to_conllu(), *(self.documents[name].to_conllu() for name in sorted(self.documents))]

    @property
    def _words(self) -> list[Term]:
        """The attributes that the lexicon must have."""
        return [one for one in self.attributes if is_word_level(ATTRIBUTES[one.attribute])]

    @cached_property
    def _base(self) -> Prepared:
        """Labels, lexicon and trees of the training document. The lexicon has all attributes from the start, so that
        all sets share it."""
        node = next(iter(self.kind.nodes))
        words = [print_term(replace(one, address=Address(node)), self.kind) for one in self._words]
        config = replace(
            self.config, templates="\n".join([f"UPOS({self._first})", *words]), label_templates="UPOS(MOD)"
        )
        return Prepared.of(config, self.train)

    @property
    def _first(self) -> str:
        return next(iter(self.kind.nodes.values())).print(0)

    def part_templates(self, part: str, templates: TemplateSet) -> TemplateSet:
        return templates if part == "moves" else label_templates(templates)

    def _prepared(self, moves: TemplateSet, labels: TemplateSet | None) -> Prepared:
        config = replace(
            self.config,
            templates=str(moves),
            label_templates="UPOS(MOD)" if labels is None else str(labels),
            labels="none" if labels is None else "after",
        )
        return self._base.with_templates(config)

    def collect(self, terms: Mapping[str, Sequence[Term]]) -> Mapping[str, tuple[DecisionAtoms, DecisionAtoms]]:
        (part, wanted), *_ = terms.items()
        own, spare = singles(wanted, self.kind if part == "moves" else ARC), f"UPOS({self._first})"
        config = replace(
            self.config,
            templates=(str(own) if part == "moves" else "") or spare,
            label_templates=(str(own) if part == "labels" else "") or "UPOS(MOD)",
        )
        prepared = self._base.with_templates(config)
        found = []
        for task in (prepared.task, prepared.like(self.documents[DEVELOP])):
            moves, labels = (
                DecisionAtoms(len(plan), LabelSets(count))
                for plan, count in zip(prepared.plans, (task.model.actions, len(prepared.inventory.names)), strict=True)
            )
            sentences = np.arange(len(task.doc.sentences), dtype=np.uint32)
            trainer = trainer_of(task, (len(prepared.plans[0]), len(prepared.plans[1])))
            trainer.collect_atoms(sentences, moves, labels, self.random_moves, self.settings.seed)
            found.append(moves if part == "moves" else labels)
        return {part: (found[0], found[1])}

    @cached_property
    def _reference(self) -> tuple[TemplateSet, HashedTable]:
        """A plain classifier of labels, the same for all sets: heats of moves parse with it where a feature asks for
        labels."""
        own = [one.attribute for one in self._words]
        form = next((name for name in ("LOWER", "LEX") if name in own), None)
        words = [f"{name}({node})" for name in ("POS", form) if name for node in ("HEAD", "MOD")]
        templates = expand_pairs(parse_set("\n".join(words), ARC))
        joined = TemplateSet(ARC, tuple(Template(ARC, (*one.terms, SIDE)) for one in templates))
        return joined, self.trained("labels", joined)[1]

    def heat(self, parent: TemplateSet, added: TemplateSet, share: float) -> TrialResult:
        """The development words that a parser gets right: decisions along gold paths would flatter features that lean
        on what was decided before."""
        state, new = self.state(parent), self.added_tables(parent, added, share)
        tables = {part: table.plus(new[part]) if part in new else table for part, table in state.tables.items()}
        whole = TemplateSet(self.kind, (*parent, *added))
        if self.score == "las":
            second = TemplateSet(ARC, (*label_templates(parent), *label_templates(added))) or singles([SIDE], ARC)
            arcs = tables["labels"]
        elif _reads_labels(whole):
            second, arcs = self._reference
        else:
            second, arcs = None, tables["moves"]
        prepared = self._prepared(whole, second)
        doc = self.documents[DEVELOP]
        return self._parsed(prepared, tables["moves"], arcs, DEVELOP, first_share(doc, share))[self.score]

    def parser(self, templates: TemplateSet, epochs: int = 1) -> Parser:
        """A parser of the ordinary kind with these templates: for timing, and for use."""
        second = label_templates(templates) or singles([SIDE], ARC)
        settings = Settings(mode="full", l2=1e-4, epochs=epochs)
        config = replace(
            self.config,
            templates=str(templates),
            label_templates=str(second),
            settings=settings,
            label_settings=settings,
            explore=0.0,
        )
        return finished(Parser.fit(config, TrainingData(self.train)))

    def final(self, templates: TemplateSet, labels: bool) -> SetResult:
        labelled = labels or _reads_labels(templates) or self.score == "las"
        own, side = label_templates(templates), singles([SIDE], ARC)
        prepared = self._prepared(templates, (own or side) if labelled else None)
        arcs = moves = self.final_table("moves", templates)
        if labelled:
            arcs = self.final_table("labels", templates) if len(own) else self.trained("labels", side)[1]
        return {name: self._parsed(prepared, moves, arcs, name, doc) for name, doc in self.documents.items()}

    def _parsed(
        self, prepared: Prepared, moves: HashedTable, arcs: HashedTable, name: str, doc: Doc
    ) -> dict[str, TrialResult]:
        """What came out right in a document of this name or the front of it, by measure."""
        config = prepared.task.config
        labelled = config.labels == "after"
        order = WordOrder.of(doc, config.direction)
        heads, relations, _ = parse_hashed(prepared.task.model, moves, arcs, order.doc.columns)
        guess = doc.sentences[:]
        guess.heads[:] = order.heads(heads)
        if labelled:
            guess.set_codes("deprel", order.values(relations).astype(np.int32), list(prepared.inventory.names))
            if self.score == "las" and config.encoding is not None:
                decode_doc(guess, config.encoding)
        place = (name, len(doc))
        if place not in self._gold:
            self._gold[place] = GoldWords.of(doc, self.punctuation)
        return {measure: TrialResult(right) for measure, right in self._gold[place].right(guess, labelled).items()}


@dataclass(frozen=True)
class GoldWords:
    """What the words of a document are judged by; computed once for all trials."""

    counts: Bools
    heads: npt.NDArray[np.int32]
    labels: npt.NDArray[np.int32]
    names: Mapping[str, int]

    @classmethod
    def of(cls, doc: Doc, punctuation: bool) -> Self:
        codes, forms = doc.codes("form")
        counts = scoring_words(codes, forms, lambda form: not punctuation and is_punctuation(form))
        labels, names = doc.codes("deprel")
        return cls(counts, doc.heads, labels, {name: code for code, name in enumerate(names)})

    def right(self, guess: Doc, labelled: bool) -> dict[str, Bools]:
        """Of the words that count, which have the right head, and the right head and label."""
        heads = np.asarray(guess.heads == self.heads)
        right = {"uas": heads[self.counts]}
        if labelled:
            codes, names = guess.codes("deprel")
            own = np.array([self.names.get(name, -1) for name in names], np.int32)
            right["las"] = (heads & (own[codes] == self.labels))[self.counts]
        return right


def _lifted(doc: Doc) -> Doc:
    """With projective trees. ConfigError for what is no tree."""
    copy = doc.sentences[:]
    try:
        copy.heads[:] = lift(doc.heads, doc.sentence_starts)
    except ValueError as error:
        raise ConfigError(f"a parser cannot learn from the trees of the training data: {error}") from error
    return copy


def label_templates(templates: TemplateSet) -> TemplateSet:
    """The same features for the labels of arcs, each with the side that the arc goes to. What only the classifier of
    moves can read is left out."""
    found: dict[frozenset[Term], Template] = {}
    for template in templates:
        terms = [_for_labels(term) for term in template.terms]
        if all(_readable(term) for term in terms):
            joined = (*(term for term in terms if term != SIDE), SIDE)
            found.setdefault(frozenset(joined), Template(ARC, joined))
    return TemplateSet(ARC, tuple(found.values()))


def _reads_labels(templates: TemplateSet) -> bool:
    return any(term.attribute == "DEP" for term in terms_of(templates))


def _for_labels(term: Term) -> Term:
    """The words of the pair in focus are the top of the stack and the front of the queue."""
    address = term.address
    if address.node != "FOCUS":
        return term
    node, index = ("QUEUE", address.index - 1) if address.index > 0 else ("STACK", -address.index)
    return replace(term, address=replace(address, node=node, index=index))


def _readable(term: Term) -> bool:
    attribute = ARC.attributes.get(term.attribute)
    return attribute is not None and term.address.node in attribute.nodes


def _rebuilt(config: ParserConfig, train: str, documents: dict[str, str], attributes: Any, *rest: Any) -> ParserSource:
    score, punctuation, random_moves, settings, store = rest
    docs = {name: Doc.from_conllu(text) for name, text in documents.items()}
    source = ParserSource(
        config,
        Doc.from_conllu(train),
        docs.pop(DEVELOP),
        attributes,
        score=score,
        punctuation=punctuation,
        random_moves=random_moves,
        others=docs,
        settings=settings,
    )
    source.store = store
    return source
