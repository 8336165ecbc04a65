"""The segmenter: raw text to sentences, tokens and words, left to right, greedy, in linear time."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import text as core
from laconic._core.features import Plan
from laconic._core.learn import Examples, LabelSets
from laconic.corpus import Doc
from laconic.errors import ConfigError, InputError, ModelError
from laconic.features import TemplateSet, chosen_set, compile_plan, kind, parse_set, stored_set
from laconic.learn import Frozen, Settings, Stop, check_choices, check_counts, check_folds
from laconic.learn.component import OneClassifier, State, TrainingData, Work, within
from laconic.progress import Progress
from laconic.text.boundary_candidates import BoundaryStatistics
from laconic.text.gold import NO_SPACES, Spacing, laid_out, shows_tokens, tokens_touch
from laconic.text.source import Exceptions, Surrogates, encoded, in_pieces
from laconic.text.streaming import PIECE, TextStream

if TYPE_CHECKING:
    from laconic.learn.folding import Sentences

SentenceMask = npt.NDArray[np.uint8]
LINE_TEMPLATES = (
    "DISTANCE(STATE) & HABIT(AHEAD) & SHAPE(AHEAD) & CLASS(CHAR)",
    "DISTANCE(STATE) & CHAR(CHAR+2) & CHAR(CHAR+3) & CLASS(CHAR)",
    "DISTANCE(STATE) & LENGTH(STATE) & SHAPE(AHEAD)",
)


@dataclass(frozen=True)
class SegmenterConfig:
    """How a segmenter is trained."""

    templates: str = "segmenter"
    """Name of a shipped template set, path of a file that ends in ``.templates``, or the set itself as text."""
    settings: Settings = field(default_factory=lambda: Settings(exits=(3, 6, 12), margin=2.0, l2=1e-5))
    spacing: Spacing = "auto"
    """Does white space stand between words: as the treebank says (``annotated``), never (``none``), or by the script of
    the words where the treebank says nothing (``auto``)."""
    share: float = 0.001
    """Labels that are rarer than this between two kinds of characters are never asked about there."""
    casing_minimum: int = 2
    """How often a word must be seen before its capital letter says something."""
    made_share: float = 0.0
    """How many of the paragraphs are also shown laid out in other ways: a sentence a line, wrapped, a paragraph a line,
    with abbreviations at fitting places (0 to 1)."""
    abbreviations: str = "none"
    """For those: ``en``, ``none``, or the path of a file that ends in ``.txt``."""
    folds: int = 5
    """Margins are calibrated on decisions of models that did not see them; 0: no margins."""

    def __post_init__(self) -> None:
        check_choices(self, {"spacing": ("auto", "annotated", "none")})
        if not 0 <= self.share < 1:
            raise ConfigError(f"share must be at least 0 and below 1, not {self.share}")
        if not 0 <= self.made_share <= 1:
            raise ConfigError(f"made_share must be from 0 to 1, not {self.made_share}")
        check_folds(self.folds)
        check_counts(self, ("casing_minimum",))

    def template_set(self) -> TemplateSet:
        """The templates, with those for line ends that made text shows, where no template reads them."""
        chosen = chosen_set(self.templates, kind("char"))
        named = {term.attribute for template in chosen for term in template.terms}
        if not self.made_share or "DISTANCE" in named:
            return chosen
        return parse_set(str(chosen) + "\n".join(LINE_TEMPLATES), kind("char"))


@dataclass(frozen=True)
class Options:
    """What a user may ask of a segmenter, text by text."""

    lines: bool = False
    """One sentence per line: sentences end at line ends and nowhere else."""
    line_ends: str = "soft"
    """What the end of a line says of sentences: what training showed (``soft``), no more than a space does (``keep``),
    or that one ends there (``hard``)."""
    mwt: bool = True
    """Split multiword tokens into words."""
    emails: bool = True
    urls: bool = True
    """Keep e-mail addresses, web addresses whole."""
    technical: bool = True
    """Keep paths, names of files, time stamps, hash tags, C++ and C# whole."""
    exceptions: Exceptions | None = None
    """Strings never split."""
    surrogates: Surrogates = "error"
    """What to do about lone surrogates and bytes that are not UTF-8: an error that says where, or U+FFFD."""
    longest: int = 10_000
    """Tokens: a sentence ends there at the latest."""

    def __post_init__(self) -> None:
        check_choices(self, {"line_ends": ("soft", "keep", "hard")})


class Segmenter(OneClassifier[SegmenterConfig]):
    """A component that makes documents from raw text: call it with one."""

    name = "segmenter"
    config_type = SegmenterConfig
    not_shown = NO_SPACES
    segments = True

    def __init__(
        self,
        config: SegmenterConfig,
        plan: Plan,
        frozen: Frozen,
        statistics: BoundaryStatistics,
        multiwords: core.Multiwords,
        spaced: bool,
    ) -> None:
        super().__init__(config, Stop.never(len(plan)))
        self.plan, self._frozen, self.multiwords, self.spaced = plan, frozen, multiwords, spaced
        self.statistics = statistics
        self.handle = core.BoundaryClassifier(plan, statistics.tables(), frozen.linear)
        self.options = Options()

    @property
    def frozen(self) -> Frozen:
        return self._frozen

    @property
    def metrics(self) -> tuple[str, ...]:
        # Ends of sentences are few: in a mean an effort could lose many of them unseen.
        return ("Tokens", "Words", "Sentences")

    def judge(self, gold: Doc, given: Doc) -> tuple[float, Work]:
        """On the text of the gold document; what was given does not matter."""
        laid, _ = laid_out(gold, self.config.spacing)
        guess, work = self.predict(laid.text)
        return self.score(laid, guess), work

    @classmethod
    def is_shown(cls, doc: Doc, config: SegmenterConfig) -> bool:
        return shows_tokens(doc, config.spacing)

    @classmethod
    def fit(cls, config: SegmenterConfig, data: TrainingData) -> Generator[Progress, None, Segmenter]:
        """Train on the running text of a document. The generator returns the segmenter. ConfigError where no token
        follows another without a space, unless ``spacing`` is ``annotated``: nothing would be learned of tokens."""
        from laconic.learn.folding import HeldOut, fit_folded, folds_of, with_margins
        from laconic.text.augment import made_text, read_abbreviations
        from laconic.text.multiword import learn_multiwords

        doc, spaced = laid_out(data.gold, config.spacing)
        if not len(doc):
            raise ConfigError("the training data has no words to learn from")
        plan = compile_plan(config.template_set())
        if config.spacing != "annotated" and not tokens_touch(doc):
            raise ConfigError(f"{NO_SPACES}; spacing = annotated trains one all the same")
        count = len(doc.sentences)
        made = made_text(doc, config.made_share, read_abbreviations(config.abbreviations), config.settings.seed)
        shown = doc if made is None else Doc.concatenate((doc, made.doc))
        # What is made from a sentence goes where the sentence goes.
        sources = np.array([*range(count), *([] if made is None else made.sources)], np.int64)
        if not (shown.starts >= 0).any():
            raise ConfigError("no word of the training data is found in its text")
        training = core.Training(shown.text.encode(), shown.columns)
        multiwords = learn_multiwords(doc)
        segmenter, models = yield from fit_folded(
            lambda some: cls._fit_on(config, plan, training, _mask(count, some)[sources], count, multiwords, spaced),
            np.arange(count, dtype=np.uint32),
            folds_of(doc, config.folds, "sentence"),
        )
        if not models:
            return segmenter
        depths = config.settings.exits_for(len(plan))
        held = []
        for part, outside in models:
            alone = _mask(len(sources), outside)  # without what was made of them
            leads, labels = part.handle.prefixes(training, depths, alone)
            held.append(HeldOut.of(leads, labels, part.frozen.table.scale))
        frozen = with_margins(segmenter.frozen, held, depths)
        return cls(config, plan, frozen, segmenter.statistics, multiwords, spaced)

    @classmethod
    def _fit_on(
        cls,
        config: SegmenterConfig,
        plan: Plan,
        training: core.Training,
        chosen: SentenceMask,
        treebank: int,
        multiwords: core.Multiwords,
        spaced: bool,
    ) -> Generator[Progress, None, Segmenter]:
        from laconic.learn import train_linear

        statistics = BoundaryStatistics.learn(training, chosen, config.share, config.casing_minimum, treebank)
        examples = Examples(len(plan), LabelSets(core.LABELS))
        core.BoundaryClassifier(plan, statistics.tables()).collect(examples, training, chosen)
        examples.finish(config.settings.cutoff)
        learner = yield from train_linear(examples, len(plan), config.settings)
        frozen = Frozen(learner.freeze(examples, config.settings.floor), LabelSets(core.LABELS))
        return cls(config, plan, frozen, statistics, multiwords, spaced)

    def __call__(self, text: str | bytes, **options: Any) -> Doc:
        """The text as a document; ``options`` are those of :class:`Options`. Linear in the text."""
        return self.predict(text, **options)[0]

    def predict(self, text: str | bytes, **options: Any) -> tuple[Doc, Work]:
        """The document, and what it cost: decisions are places in the text where more than one label was likely."""
        chosen = replace(self.options, **options) if options else self.options
        doc, _, work = self._segment(encoded(text, chosen.surrogates), 0, True, chosen)
        return doc, work

    def each(self, texts: list[bytes], options: Options) -> list[Doc]:
        """Each of the texts, in UTF-8, as the call gives it."""
        found = self.handle.segment_each(
            texts,
            self.stop.exits(self.frozen.table),
            self.multiwords if options.mwt else None,
            options.exceptions,
            options.emails,
            options.urls,
            options.technical,
            options.lines,
            options.line_ends,
            options.longest,
        )
        return [Doc(columns) for columns in found]

    def stream(self, pieces: str | bytes | Iterable[str], *, characters: int = PIECE, **options: Any) -> Iterator[Doc]:
        """The documents of a huge text, given whole or in pieces that may be cut anywhere. Together they are what the
        text as a whole gives (but for a kept string of more than 150 characters that a cut falls on); offsets count
        from the beginning of each. Memory: some times ``characters``, or the longest sentence if that is longer."""
        if characters < 1:
            raise ValueError(f"characters must be at least 1, not {characters}")
        flow = TextStream(self, size=characters, **options)
        for piece in in_pieces(pieces, characters, flow.options.surrogates):
            yield from flow.feed(piece)
        yield from flow.feed(b"", last=True)

    def piece(self, text: bytes, begin: int, last: bool, options: Options) -> tuple[Doc, int]:
        """The sentences of a text in UTF-8 from the byte ``begin`` on, before which others have ended, and the byte
        where they end: all of them if it is the last piece, otherwise those that no more text can change."""
        doc, consumed, _ = self._segment(text, begin, last, options)
        return doc, consumed

    def split(self, tokens: Sequence[str]) -> Doc:
        """Sentences of tokens that are given: only where sentences end is decided."""
        given = list(tokens)
        if isinstance(tokens, str) or not all(isinstance(token, str) for token in given):
            raise InputError('expected a list of tokens: write ["The", "dog", "barks", "."]')
        parts = [encoded(token, self.options.surrogates) for token in given]
        if not parts:
            return Doc.from_words([])
        gap = b" " if self.spaced else b""
        ends = np.cumsum([len(part) + len(gap) for part in parts]) - len(gap)
        exits = self.stop.exits(self.frozen.table)
        marks = self.handle.split(gap.join(parts), exits, ends.astype(np.uint32))
        edges = [0, *(np.flatnonzero(marks) + 1).tolist()]
        return Doc.from_words([given[a:b] for a, b in pairwise(edges)])

    def apply(self, doc: Doc, state: Any = None) -> Work:
        """Sentences and words of a document are there already: it stays as it is."""
        return Work()

    def _segment(self, text: bytes, begin: int, last: bool, options: Options) -> tuple[Doc, int, Work]:
        columns, consumed, decisions, templates, rows = self.handle.segment(
            text,
            self.stop.exits(self.frozen.table),
            begin,
            self.multiwords if options.mwt else None,
            options.exceptions,
            options.emails,
            options.urls,
            options.technical,
            options.lines,
            options.line_ends,
            last,
            options.longest,
        )
        return Doc(columns), consumed, Work(decisions, templates, rows)

    def state(self) -> State:
        arrays, facts = self.frozen.state()
        arrays |= {f"statistics.{name}": array for name, array in self.statistics.arrays().items()}
        arrays |= {f"multiwords.{name}": array for name, array in self.multiwords.arrays().items()}
        return arrays, facts | {"templates": self.templates, "spaced": self.spaced}

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            templates = stored_set(facts["templates"], kind("char"))
            config, plan = SegmenterConfig(templates=str(templates)), compile_plan(templates)
            frozen = Frozen.from_state(arrays, facts)
            statistics = BoundaryStatistics.from_arrays(within(arrays, "statistics"))
            multiwords = core.Multiwords.from_arrays(**within(arrays, "multiwords"))
            if not isinstance(facts["spaced"], bool):
                raise ValueError("whether words have spaces between them is true or false")
            return cls(config, plan, frozen, statistics, multiwords, facts["spaced"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelError(f"the segmenter in the model is damaged: {error}") from error


def _mask(count: int, sentences: Sentences) -> SentenceMask:
    """Which of so many sentences are chosen."""
    mask = np.zeros(count, np.uint8)
    mask[sentences] = 1
    return mask
