"""What experiments and benchmarks share: the command line, treebanks, reports and journals."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.tables import sums
from laconic.corpus import Doc, read
from laconic.evaluate import Counts, Scores
from laconic.learn import TrainingData
from laconic.progress import finished
from laconic.search.journal import Journal, key
from laconic.tag import Morphology, MorphologyConfig

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {"--data": ("LACONIC_DATA", "data"), "--peers": ("LACONIC_PEERS", "peers")}
"""Options that name folders: the variable of the environment, and the folder in ``shared`` beside the clone."""


def arguments(text: str | None, *, peers: bool = False) -> argparse.ArgumentParser:
    """A command line that knows where the data are, and if wanted the models of other packages."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option, (variable, name) in FOLDERS.items():
        if peers or option == "--data":
            beside = ROOT.parent / "shared" / name
            parser.add_argument(option, type=Path, default=Path(os.environ.get(variable, beside)))
    return parser


def command() -> str:
    """The command that was given, as Markdown, but for where data and models are."""
    module = ".".join(Path(sys.argv[0]).resolve().relative_to(ROOT).with_suffix("").parts)
    given, rest = [], iter(sys.argv[1:])
    for one in rest:
        if one in FOLDERS:
            next(rest, None)
        elif one.partition("=")[0] not in FOLDERS:
            given.append(one)
    return " ".join(("`python -m", module, *given)) + "`"


def folder(report: Path) -> Path:
    """Where a run writes: beside the report, unless the one that is there was written by another command. Then into
    ``build``, so that a trial with less data or other settings does not replace what is kept."""
    if not report.exists() or f"Written by {command()}:" in report.read_text("utf-8"):
        return report.parent
    build = Path("build")
    build.mkdir(exist_ok=True)
    return build


def write_report(report: Path, lines: Sequence[str]) -> None:
    """Write a report into its folder and print it. It says by which command it was written."""
    path = folder(report) / report.name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines), flush=True)
    print(f"wrote {path}", file=sys.stderr)


def treebank_files(data: Path, name: str) -> tuple[Path, Path]:
    """Training and development set."""
    files = [next(iter(sorted((data / "ud" / name).glob(f"{part}.conll*"))), None) for part in ("train", "dev")]
    train, dev = files
    if train is None or dev is None:
        sys.exit(f"needs train.conllu and dev.conllu in {data / 'ud' / name} (--data or LACONIC_DATA says where)")
    return train, dev


def treebank(data: Path, name: str, sentences: int | None = None) -> tuple[Doc, Doc]:
    """Training set, or so many sentences from its front, and development set."""
    train, dev = (read(file, "conllu") for file in treebank_files(data, name))
    return train.sentences[:sentences], dev


def pos_of(doc: Doc) -> str:
    return "upos" if any(value != "_" for value in doc.codes("upos")[1]) else "xpos"


def blank(doc: Doc) -> Doc:
    """The words alone, so that nothing can be copied from the answer."""
    copy = doc.sentences[:]
    for column in ("upos", "xpos", "feats", "lemma"):
        copy.set_codes(column, np.zeros(len(copy), np.int32), ["_"])
    return copy


def kept(name: str, make: Callable[..., tuple[Doc, Doc]], *about: Doc | int) -> tuple[Doc, Doc]:
    """Two documents that are made of others, from ``build`` if they were made before: what many experiments need."""
    parts = [one.columns.to_conllu().decode() if isinstance(one, Doc) else one for one in about]
    files = [Path("build") / f"{name}-{key(*parts)}-{number}.conllu" for number in (1, 2)]
    if not all(file.exists() for file in files):
        files[0].parent.mkdir(parents=True, exist_ok=True)
        for file, doc in zip(files, make(*about), strict=True):
            file.write_bytes(doc.columns.to_conllu())
    first, second = map(read, files)
    return first, second


def tagged(train: Doc, dev: Doc, folds: int) -> tuple[Doc, Doc]:
    """Both with predicted tags: the training set by jackknifing. Kept."""
    return kept("tags", _tagged, train, dev, folds)


def _tagged(train: Doc, dev: Doc, folds: int) -> tuple[Doc, Doc]:
    config = MorphologyConfig()
    config = replace(config, tagger=replace(config.tagger, folds=folds), features=replace(config.features, folds=folds))
    data = TrainingData(train)
    morphology = finished(Morphology.fit(config, data))
    assert data.predicted is not None
    copy = dev.sentences[:]
    morphology.apply(copy)
    return data.predicted, copy


def journal(name: str) -> Journal:
    """What an experiment has computed so far."""
    path = Path("build") / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path)


def remembered(known: Journal, about: tuple[object, ...], compute: Callable[[], Iterable[Scores]]) -> list[Scores]:
    """UAS and LAS, from the journal if they are there under what they are about."""
    name, metrics = key(*map(str, about)), ("UAS", "LAS")
    if name not in known:
        found = [scores.counts for scores in compute()]
        known.put(
            name, [{metric: [part.tolist() for part in sums(one[metric])] for metric in metrics} for one in found]
        )
        print(*about, *(f"{metric} {found[0][metric].total().f1:.2f}" for metric in metrics), file=sys.stderr)
    return known.decoded(name, _scores)


def rows_once(known: Journal, about: tuple[object, ...], measure: Callable[[], Iterable[str]]) -> list[str]:
    """Rows of a table, times among them, from the journal if they are there: a run that was stopped goes on."""
    name = key(*map(str, about))
    if name not in known:
        known.put(name, list(measure()))
    return known.decoded(name, list)


def _scores(value: Any) -> list[Scores]:
    return [Scores({metric: Counts(*map(np.array, parts)) for metric, parts in one.items()}) for one in value]
