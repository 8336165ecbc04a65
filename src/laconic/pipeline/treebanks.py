"""Models of whole treebank folders: trained, scored on development and test data, and described, in one go."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import laconic
from laconic.corpus.files import opened_to_write
from laconic.errors import ModelError
from laconic.pipeline.config import TrainConfig
from laconic.pipeline.loading import load
from laconic.pipeline.model_card import ModelCard
from laconic.pipeline.modelfile import ModelFile
from laconic.pipeline.training import read_data, scores, train
from laconic.pipeline.ud_folder import TreebankFolder
from laconic.progress import Progress

log = logging.getLogger(__name__)
TABLE_METRICS = ("Words", "Sentences", "UPOS", "UFeats", "Lemmas", "UAS", "LAS")


@dataclass(frozen=True)
class TreebankModel:
    """What became of a treebank: a model with its card, or an error."""

    folder: TreebankFolder
    card: ModelCard | None = None
    error: str = ""
    found: bool = False
    """It was there already, from the same data and settings."""


def train_folder(
    folder: TreebankFolder,
    output: Path,
    adjusted: Callable[[TrainConfig], TrainConfig] = lambda config: config,
    settings: Mapping[str, Any] | None = None,
) -> Generator[Progress, None, TreebankModel]:
    """Train on a treebank folder; beside the model appear its card (``.md``) and its facts with all scores
    (``.json``). ``adjusted`` changes the configuration, and ``settings`` says how, so that a model that is there
    already is known to be the same: then nothing is done. The generator tells how far it is."""
    facts = {
        "name": folder.name,
        "language": folder.language,
        "licence": folder.licence,
        "settings": json.loads(json.dumps(settings or {}, sort_keys=True)),
    }
    parts = [file for file in (folder.train, folder.dev, folder.test) if file is not None]
    digests = {file: read_data(file)[1]["sha256"] for file in parts}  # broken data are found before training
    there = _same(output, folder, facts, digests)
    if not there:
        if folder.dev is None:
            log.warning("%s: has no development data: no efforts but full are measured", folder.path)
        config = adjusted(TrainConfig(train=folder.train, dev=folder.dev))
        pipeline = yield from train(config, output=output)
        pipeline.provenance["treebank"] = facts
        if folder.test is not None:
            gold, pipeline.provenance["test"] = read_data(folder.test)
            pipeline.provenance["test_scores"] = scores(pipeline, gold, config)
        pipeline.save(output)
    card = ModelCard.of(folder.name, output)
    for suffix, text in ((".md", card.to_markdown()), (".json", json.dumps(card.to_json(), indent=2) + "\n")):
        with opened_to_write(output.with_suffix(suffix)) as file:
            file.write(text.encode())
    return TreebankModel(folder, card, found=there)


def _same(output: Path, folder: TreebankFolder, facts: Mapping[str, Any], digests: Mapping[Path, str]) -> bool:
    """Is the model there, whole, and of the same data, settings and version?"""
    try:
        provenance = ModelFile.described(output).facts["provenance"]
        wanted = {"train": folder.train, "dev": folder.dev, "test": folder.test}
        same = provenance["version"] == laconic.__version__ and provenance["treebank"] == facts
        for part, file in wanted.items():
            same = same and provenance.get(part, {}).get("sha256") == (None if file is None else digests[file])
        if same:
            load(output)
    except (OSError, ModelError, KeyError, AttributeError):
        return False
    return bool(same)


def table(models: Sequence[TreebankModel]) -> str:
    """A table in Markdown of what became of many treebanks: test scores where there are test data, else those on
    development data, at the full effort."""
    rows = [["treebank", "language", "licence", "data", *TABLE_METRICS], ["---"] * (4 + len(TABLE_METRICS))]
    for one in models:
        card = one.card
        if card is None:
            shown = one.error.replace("|", "\\|").replace("\n", " ")
            rows.append([one.folder.name, one.folder.language, one.folder.licence, shown, *[""] * len(TABLE_METRICS)])
            continue
        figures = (card.test_scores or card.scores).get("full", {})
        data = "test" if card.test_scores else "dev" if card.scores else "none"
        values = [f"{figures[name]:.2f}" if name in figures else "" for name in TABLE_METRICS]
        rows.append([card.name, card.language, card.licence, data, *values])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"
