"""The lemmatiser: an edit script for each word, chosen from its form and its tags."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from laconic._core import tag as core
from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.features import TemplateSet, chosen_set, compile_plan, kind, stored_set
from laconic.learn import Settings, check_counts, check_folds
from laconic.learn.component import Labels, PerWord, State, TrainingData, has_values, within
from laconic.progress import Progress
from laconic.tag import words
from laconic.tag.lexicons import NAMES, Entry
from laconic.tag.script_evidence import Evidence, gather
from laconic.tag.tagger import columns_of
from laconic.tag.words import EXITS, WordClassifier, WordTask

if TYPE_CHECKING:
    from laconic.learn.explain import Explanation

Script = tuple[int, int, int, str, str]
"""What becomes of the letters that stay (0 lower case, 1 as they are, 2 lower case but the first), how many are cut in
front and at the end, what is put there. 65535 in front: the lemma as a whole."""
SAME: Script = (0, 0, 0, "", "")
LARGEST = 65_000


@dataclass(frozen=True)
class LemmatizerConfig:
    """How a lemmatiser is trained."""

    given: str = "upos+xpos+feats"
    """Columns that tell lemmas of one form apart, joined by ``+``, the most important one first."""
    templates: str = "lemmas"
    settings: Settings = field(default_factory=lambda: Settings(exits=EXITS))
    script_minimum: int = 2
    """Scripts seen less often are not learned."""
    cut_minimum: int = 2
    """A word never seen loses only such letters to a script as so many different words lost to it, unless a known word
    is what is left."""
    base_minimum: int = 2
    """Words of text that a model has labelled are known if they were seen so often in their base form."""
    lexicon_minimum: int = 1
    dictionary_minimum: int = 1
    """A form seen so often with the same tags keeps to the scripts it was seen with: mostly one, at no cost."""
    folds: int = 5
    """As for a tagger."""

    def __post_init__(self) -> None:
        columns_of(self.given)
        check_folds(self.folds)
        check_counts(self, ("script_minimum", "cut_minimum", "base_minimum", "lexicon_minimum", "dictionary_minimum"))

    def template_set(self) -> TemplateSet:
        return chosen_set(self.templates, kind("token"))


class Lemmatizer(PerWord[LemmatizerConfig]):
    """A component that fills the column of lemmas. Tags must be there before it."""

    name = "lemmatizer"
    config_type = LemmatizerConfig
    needs = writes = ("lemma",)
    uses_predicted = True
    reads_labelled = True
    confidence_key = "LemmaConf"

    def __init__(
        self,
        config: LemmatizerConfig,
        scripts: Sequence[Script],
        evidence: Evidence,
        words: WordClassifier,
        entries: Iterable[Entry] = (),
    ) -> None:
        super().__init__(config, words)
        self.scripts, self.evidence, self.words = list(scripts), evidence, words
        self._scripts = core.Scripts(self.scripts)
        self.entries = tuple(entry for entry in entries if entry.lemma)
        """The user's word on lemmas."""
        self._entries = core.Entries([[getattr(entry, name) for name in NAMES] for entry in self.entries])

    @classmethod
    def fit(cls, config: LemmatizerConfig, data: TrainingData) -> Generator[Progress, None, Self]:
        """Train on the words of a document. ConfigError if it has no lemmas. ``data.predicted`` as for a tagger;
        confidence is then that of a lemma made from predicted tags. Words of ``data.labelled`` help to judge lemmas of
        words never seen: see :mod:`laconic.tag.script_evidence`.

        Cost of a decision: none for a form that was seen with its tags and one lemma.
        """
        if "lemma" in config.template_set().columns:
            raise ConfigError("the templates read LEMMA, which is what the lemmatizer is to predict")
        treebank = data.treebank
        doc = treebank.gold
        gold, scripts = gold_scripts(doc, config.script_minimum)
        given = tuple(column for column in columns_of(config.given) if has_values(doc, column))
        given = given or columns_of(config.given)[:1] or ("upos",)
        evidence = gather(
            doc,
            gold,
            core.Scripts(scripts),
            given,
            data.labelled,
            minimum=config.cut_minimum,
            base_minimum=config.base_minimum,
        )
        task = WordTask(
            compile_plan(config.template_set()),
            doc,
            gold,
            [script_name(script) for script in scripts],
            config.settings,
            config.lexicon_minimum,
            config.dictionary_minimum,
            1.0,
            given,
            evidence.for_core(core.Scripts(scripts)),
            evidence.base_tags,
            frozenset(label for label, script in enumerate(scripts) if script[1:] == SAME[1:]),
            types=True,
            predicted=None if treebank.predicted is None else treebank.read,
            conditional=False,
        )
        return cls(config, scripts, evidence, (yield from words.fit_words(task, config.folds))[0])

    @property
    def reads(self) -> tuple[str, ...]:
        return self.words.given

    @property
    def metrics(self) -> tuple[str, ...]:
        return ("Lemmas",)

    def write(self, doc: Doc, labels: Labels) -> None:
        """Fill the column of lemmas."""
        core.write_lemmas(doc.columns, self._scripts, self._entries, labels)

    def explain(self, doc: Doc, sentences: Sequence[int] | None = None) -> list[Explanation]:
        """Why each word gets its edit script. Tags must be there; entries of the user's lexicon come after this."""
        return self.words.explain(
            doc,
            self.stop,
            sentences,
            component=self.name,
            question="lemma",
            templates=self.templates.splitlines(),
            name=lambda label, form: f"{core.apply(self.scripts[label], form)} ({script_name(self.scripts[label])})",
        )

    def with_lexicon(self, entries: Iterable[Entry]) -> Lemmatizer:
        """A lemmatiser that keeps to the user's word: of entries with a lemma, the first that fits form and tags."""
        return Lemmatizer(
            self.config, self.scripts, self.evidence, self.words, (*entries, *self.entries)
        ).with_effort_of(self)

    def state(self) -> State:
        arrays, facts = self.words.state()
        seen, said = self.evidence.state()
        arrays |= {f"evidence.{name}": array for name, array in seen.items()}
        return arrays, facts | {
            "evidence": said,
            "scripts": [list(script) for script in self.scripts],
            "templates": self.templates,
            "entries": [[getattr(entry, name) for name in NAMES] for entry in self.entries],
        }

    @classmethod
    def from_state(cls, arrays: Mapping[str, npt.NDArray[Any]], facts: Mapping[str, Any]) -> Self:
        """ModelError unless everything fits together."""
        try:
            templates = stored_set(facts["templates"], kind("token"))
            given = "+".join(str(column) for column in facts["given"])
            config = LemmatizerConfig(given=given, templates=str(templates))
            scripts: list[Script] = [
                (int(letters), int(front), int(back), str(before), str(after))
                for letters, front, back, before, after in facts["scripts"]
            ]
            evidence = Evidence.from_state(within(arrays, "evidence"), facts["evidence"])
            judge = evidence.for_core(core.Scripts(scripts))
            names = [script_name(script) for script in scripts]
            trained = WordClassifier.from_state(compile_plan(templates), names, arrays, facts, judge)
            entries = [
                Entry(str(form), str(upos), str(xpos), str(feats), str(lemma))
                for form, upos, xpos, feats, lemma in facts["entries"]
            ]
            if any(not entry.form or not entry.lemma for entry in entries):
                raise ValueError("an entry of the user's lexicon lacks its form or lemma")
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelError(f"the lemmatiser in the model is damaged: {error}") from error
        return cls(config, scripts, evidence, trained, entries)


def script_name(script: Script) -> str:
    """A script as text, for people and for atoms."""
    letters, cut_front, cut_back, front, back = script
    return f"{('lower', 'keep', 'head')[letters]} -{cut_front}+{front} -{cut_back}+{back}"


def gold_scripts(doc: Doc, minimum: int) -> tuple[Labels, list[Script]]:
    """The number of each word's script, and the scripts seen at least so often, most frequent first.

    NO_LABEL for words with a rarer script or without a lemma. The script that only lowers the case is always there,
    so that something fits every word. Cost: one derivation per pair of form and lemma.
    """
    from laconic.tag.dictionary import NO_LABEL

    forms, form_names = doc.codes("form")
    lemmas, lemma_names = doc.codes("lemma")
    # A lone underscore is the lemma of an underscore; of another word it says that there is none.
    if all(name == "_" for name in lemma_names):
        raise ConfigError("the training data has no lemmas to learn from")
    pairs, inverse, counts = np.unique(
        forms.astype(np.int64) * len(lemma_names) + lemmas, return_inverse=True, return_counts=True
    )
    derived: list[Script | None] = []
    totals: dict[Script, int] = {SAME: minimum}
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        form, lemma = form_names[pair // len(lemma_names)], lemma_names[pair % len(lemma_names)]
        script = core.derive(form, lemma) if lemma != "_" or form == "_" else None
        derived.append(script)
        if script is not None:
            totals[script] = totals.get(script, 0) + count
    frequent = sorted((s for s, n in totals.items() if n >= minimum), key=lambda s: (-totals[s], s))[:LARGEST]
    if SAME not in frequent:
        frequent[-1] = SAME
    number = {script: i for i, script in enumerate(frequent)}
    labels = np.array([NO_LABEL if s is None else number.get(s, NO_LABEL) for s in derived], np.uint16)
    return labels[inverse.reshape(-1)], frequent
