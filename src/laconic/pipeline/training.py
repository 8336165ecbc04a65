"""From treebanks to a pipeline, component by component. What was interrupted goes on behind the last finished one."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
import logging
import shutil
from collections.abc import Callable, Collection, Generator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import laconic
from laconic.corpus import Doc, read
from laconic.corpus.files import check_apart, read_chunks
from laconic.errors import ConfigError, InputError, ModelError
from laconic.evaluate import evaluate
from laconic.learn import Component, TrainingData
from laconic.pipeline.components import COMPONENTS, find_segmenter, work_of
from laconic.pipeline.config import TrainConfig, is_template_path, setting_names, with_seed, with_settings
from laconic.pipeline.costs import measured
from laconic.pipeline.effort import Profile, profiles
from laconic.pipeline.loading import load
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.pipeline import Pipeline
from laconic.pipeline.silver import LabelledText, with_silver
from laconic.progress import Progress, finished
from laconic.tag import merge_entities

__all__ = ["TrainConfig", "train", "trained", "with_seed", "with_settings"]

log = logging.getLogger(__name__)
STRINGS = ("upos", "xpos", "feats", "lemma", "deprel")
"""Columns of strings that components fill."""
PREDICTED = "predicted.conllu"
"""What finished components offer to those trained after them, in the folder of a training."""
METRICS = ("Tokens", "Words", "Sentences", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS")
"""Official scores that a model file tells of all components together."""


def trained(
    config: TrainConfig | str | Path,
    show: Callable[[Progress], Any] = lambda step: None,
    *,
    output: str | Path | None = None,
) -> Pipeline:
    """Train what a configuration, or the TOML file of one, says; with ``output``, write the model there, and go on with
    what was interrupted."""
    chosen = config if isinstance(config, TrainConfig) else TrainConfig.read(config)
    if output is not None and not isinstance(config, TrainConfig):
        check_apart([config], output)
    return finished(train(chosen, output=output), show)


def train(
    config: TrainConfig, *, output: str | Path | None = None, asked: Collection[str] = ()
) -> Generator[Progress, None, Pipeline]:
    """Train all components. The generator tells how far it is and returns the pipeline.

    Each component is calibrated on what models that did not see it made of the training data, and measured on the
    development data as earlier components leave them. Same data, configuration and build: same bytes. With ``output``
    the model is written there, and beside it, while training lasts, lies a folder with what is finished: the same
    training goes on from there.

    ConfigError where ``output`` is one of the files that are trained on.
    ``asked`` are names of settings that someone changed for this very training: ConfigError for one that
    would change nothing, of a component that is not trained or of a choice that was not made.
    """
    target = None if output is None else Path(output)
    if target is not None:
        check_apart(config.files, target)
    session = _Session.start(config, None if target is None else target.with_name(f".{target.name}.work"), asked)
    pipeline = yield from session.run()
    if target is not None:
        pipeline.save(target)
    session.clear()
    return pipeline


@dataclass
class _Session:
    """One training: data as read, what is finished, and where it is kept."""

    config: TrainConfig
    names: tuple[str, ...]
    data: TrainingData
    learners: frozenset[str]
    """Components that learn from text that a model has labelled, too."""
    dev: Doc | None
    base: Pipeline | None
    provenance: dict[str, Any]
    work: Path | None
    components: dict[str, Component] = field(default_factory=dict)
    profiles: dict[str, dict[str, Profile]] = field(default_factory=dict)

    @classmethod
    def start(cls, config: TrainConfig, work: Path | None, asked: Collection[str] = ()) -> _Session:
        """Reads and checks all data, before hours are spent on training."""
        base = None if config.base is None else load(config.base).at("full")
        doc, data = read_data(config.train, config.entity_data[:1])
        names = config.components or _shown(doc, config)
        if not names:
            raise ConfigError(f"{config.train}: there is nothing in it that a component could learn")
        check_asked(asked, (*names, *_refitted(base, names)), config)
        provenance: dict[str, Any] = {
            "version": laconic.__version__,
            "train": data,
            "config": {name: _effective(config.of(name)) for name in names},
        }
        dev = None
        if config.dev is not None:
            dev, provenance["dev"] = read_data(config.dev, config.entity_data[1:])
            for name in names:
                COMPONENTS[name].check_dev(config.of(name), dev)
        labelled = LabelledText(TrainingData(doc), frozenset(), {})
        if config.silver:
            labelled = with_silver(doc, dev, config, names)
            provenance["silver"] = labelled.facts
        if base is not None:
            kept = _kept(base, names)
            provenance["base"] = {"sha256": base.digest, "components": kept, "provenance": base.provenance}
        return cls(config, names, labelled.data, labelled.learners, dev, base, provenance, work)

    def run(self) -> Generator[Progress, None, Pipeline]:
        given = None
        if self.dev is not None:
            given = _emptied(self.dev, heads=self._builds_trees)
        for name in COMPONENTS:
            if name in self.names:
                if not self._found(name):
                    yield from self._fit(name, given)
                    self._keep(name)
            elif self.base is not None and name in _kept(self.base, self.names):
                self.components[name] = self.base.components[name]
                self.profiles[name] = self.base.profiles.get(name, {})
            else:
                continue
            if given is not None:
                self.components[name].apply(given)
        pipeline = Pipeline(self.components, self.profiles, self.provenance)
        if self.dev is not None:
            pipeline.provenance["scores"] = scores(pipeline, self.dev, self.config)
        pipeline.effort = pipeline.default_effort
        return pipeline

    @property
    def _builds_trees(self) -> bool:
        """Else trees are given, to development data as to the text that the model is for."""
        names = (*self.names, *(() if self.base is None else self.base.components))
        return any("head" in COMPONENTS[name].writes for name in names)

    def _fit(self, name: str, given: Doc | None) -> Generator[Progress, None, None]:
        kind = COMPONENTS[name]
        if kind.uses_predicted and self.data.predicted is None:
            for other in _refitted(self.base, self.names):
                yield from COMPONENTS[other].fit(self.config.of(other), self.data)
        if given is not None and self.dev is not None:
            self.data.dev = _with_gold(given, self.dev, kind.writes)
        data = self.data if name in self.learners else self.data.treebank
        self.components[name] = yield from kind.fit(self.config.of(name), data)
        self.profiles[name] = {}
        if self.dev is not None and given is not None:
            self.profiles[name] = profiles(self.components[name], self.dev, given)

    @property
    def _key(self) -> str:
        """What makes this training this training."""
        said = json.dumps([self.provenance, list(self.names)], sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()

    def _keep(self, name: str) -> None:
        if self.work is None:
            return
        self.work.mkdir(exist_ok=True)
        if COMPONENTS[name].offers_predicted and self.data.predicted is not None:
            # Before the component: where that is there, this is.
            (self.work / PREDICTED).write_bytes(self.data.predicted.columns.to_conllu())
        arrays, facts = self.components[name].state()
        efforts = {effort: profile.to_json() for effort, profile in self.profiles[name].items()}
        ModelFile(arrays, {"key": self._key, "facts": facts, "profiles": efforts}).save(self._path(name))

    def _found(self, name: str) -> bool:
        """Takes a component that is finished, if this very training left one."""
        if self.work is None:
            return False
        try:
            file = ModelFile.load(self._path(name))
            if file.facts["key"] != self._key:
                return False
            component = COMPONENTS[name].from_state(file.arrays, file.facts["facts"])
            self.profiles[name] = {effort: Profile.from_json(facts) for effort, facts in file.facts["profiles"].items()}
            if component.offers_predicted and (self.work / PREDICTED).exists():
                self.data.predicted = read(self.work / PREDICTED)
        except (OSError, ModelError, InputError, KeyError):
            return False
        self.components[name] = component
        return True

    def _path(self, name: str) -> Path:
        assert self.work is not None
        return self.work / f"{name}.laconic"

    def clear(self) -> None:
        if self.work is not None:
            shutil.rmtree(self.work, ignore_errors=True)


def scores(pipeline: Pipeline, gold: Doc, config: TrainConfig) -> dict[str, dict[str, float]]:
    """What the components do together at every effort, from raw text if the pipeline can, otherwise from given words,
    or, where it labels trees but builds none, from given trees: F1 of the official metrics, and templates per word."""
    found = {}
    written = {column for component in pipeline.components.values() for column in component.columns}
    given_trees = "deprel" in written and "head" not in written
    from_text = find_segmenter(pipeline.components) is not None and not given_trees
    # A component of the model that is built on may do what the data do not show.
    shown = [one for name, one in pipeline.components.items() if COMPONENTS[name].is_shown(gold, config.of(name))]
    for effort in pipeline.efforts:
        source = gold.text if from_text else _emptied(gold, heads=not given_trees)
        guess, costs = measured(pipeline.at(effort), source)
        if given_trees:
            guess.heads[:] = gold.heads  # as where they are kept: a labeler may put arcs back that were lifted
        official = evaluate(gold, guess, single_root=False)
        figures = {name: one.f1 for name, one in official.items() if name in METRICS}
        for component in shown:
            if not official.keys() & set(component.metrics):
                figures[component.metrics[0]] = component.score(gold, guess)
        figures["templates"] = sum(cost.templates for cost in costs) / max(1, len(guess))
        found[effort] = {name: round(figure, 2) for name, figure in figures.items()}
    return found


def _emptied(gold: Doc, *, heads: bool) -> Doc:
    """The words alone, so that nothing is given but what components predict; with their heads unless these are to be
    emptied too."""
    doc = gold.sentences[:]
    for column in STRINGS:
        doc.set_codes(column, np.zeros(len(doc), np.int32), ["_"])
    if heads:
        doc.heads[:] = -1
    return doc


def _with_gold(given: Doc, gold: Doc, columns: Collection[str]) -> Doc:
    """The words and columns that are given, with the gold of the columns by which a component is judged."""
    doc = given.sentences[:]
    for column in columns:
        if column == "head":
            doc.heads[:] = gold.heads
        elif column in STRINGS:
            doc.set_codes(column, *gold.codes(column))
    return doc


def _kept(base: Pipeline, names: Collection[str]) -> list[str]:
    """Components of the model that is built on whose work none of the new ones does."""
    done = {work_of(name) for name in names}
    return [name for name in base.components if work_of(name) not in done]


def _refitted(base: Pipeline | None, names: Collection[str]) -> list[str]:
    """Components of the model that is built on that are trained again in folds, for what they offer to others."""
    components = {} if base is None else base.components
    return [name for name, one in components.items() if one.offers_predicted and name not in names]


def check_asked(asked: Collection[str], used: Collection[str], config: TrainConfig) -> None:
    """ConfigError for a setting of a component that is not used, and for one that the component does not read."""
    for key in asked:
        name = key.split(".")[0]
        part: Any = config if name in used else None
        for here, below in itertools.pairwise(key.split(".")):
            part = getattr(part, here, None)
            unused: Mapping[str, str] = getattr(part, "unused", {})
            if below in unused:
                raise ConfigError(f"{key} would change nothing: {unused[below]}")
        if name in COMPONENTS and name not in used:
            # morphology.tagger.settings.epochs where tagger.settings.epochs was asked for
            others = [one for one in setting_names(config) if one.endswith(f".{key}") and one.split(".")[0] in used]
            meant = f"; did you mean {' or '.join(others)}?" if others else ""
            listed = ", ".join(used)
            raise ConfigError(f"{key} would change nothing: {name} is not trained; trained are {listed}{meant}")


def _shown(doc: Doc, config: TrainConfig) -> tuple[str, ...]:
    """The components that the data show something of."""
    names = []
    for name, kind in COMPONENTS.items():
        if not kind.by_default:
            continue
        if kind.is_shown(doc, config.of(name)):
            names.append(name)
        elif kind.not_shown:
            log.warning("%s: no %s is trained: %s", config.train, name, kind.not_shown)
    return tuple(names)


def read_data(path: Path, entities: tuple[Path, ...] = ()) -> tuple[Doc, dict[str, Any]]:
    """A treebank, with the entities of another file if there is one, and what tells it apart; not where it lies, which
    is nobody's business."""
    file = io.BytesIO(b"".join(read_chunks(path, -1)))
    file.name = str(path)  # what errors call it
    doc = read(file)
    if not doc:
        raise InputError("there is no sentence in it", str(path))
    digest = hashlib.sha256(file.getvalue()).hexdigest()
    facts: dict[str, Any] = {"file": path.name, "sha256": digest, "sentences": len(doc.sentences), "words": len(doc)}
    for other in entities:
        annotated, facts["entities"] = read_data(other)
        merged = merge_entities(doc, annotated)
        counts = {"by_id": merged.by_id, "by_form": merged.by_form, "unannotated": merged.unannotated}
        if merged.unannotated == merged.sentences:
            raise InputError(f"none of its sentences is one of {path.name}: entities belong to a treebank", str(other))
        level = logging.WARNING if merged.unannotated else logging.DEBUG
        log.log(level, "%s: %d of %d sentences have no entities", path.name, merged.unannotated, merged.sentences)
        facts["entities"] |= {"sentences_of_the_treebank": counts}
        doc = merged.doc
    return doc, facts


def _effective(config: Any) -> dict[str, Any]:
    """The effective configuration of a component; files by name and digest, not by where they lie."""
    facts: dict[str, Any] = _files(asdict(config))
    return facts


def _files(value: Any, key: str = "") -> Any:
    if isinstance(value, Mapping):
        if key in ("gazetteers", "clusters"):
            return {name: _file(path) for name, path in value.items()}
        return {name: _files(one, name) for name, one in value.items()}
    if isinstance(value, str) and is_template_path(key, value):
        return _file(value)
    return value


def _file(path: str) -> dict[str, str]:
    return {"file": Path(path).name, "sha256": hashlib.sha256(Path(path).read_bytes()).hexdigest()}
