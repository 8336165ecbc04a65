"""Model files that are whole by their digest but wrong inside: refused as ModelError, or safe to use.

A small model is trained at the start; the bytes of the fuzzer say what is changed in its arrays and facts.
"""

from __future__ import annotations

import copy
import io
import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris
import numpy as np

with atheris.instrument_imports(include=["laconic"]):
    from laconic.corpus import read
    from laconic.errors import ModelError
    from laconic.pipeline import ModelFile, Pipeline, TrainConfig, train, with_settings
    from laconic.progress import finished

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from synthetic import conllu

PLACE = Path(tempfile.mkdtemp(prefix="laconic-fuzz-"))
TYPES = [np.uint8, np.uint16, np.uint32, np.uint64, np.int32, np.int64, np.float32, np.float64]
WILD = [0, 1, 2, 127, 128, 255, 256, 65535, 65536, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1]
VALUES: list[Any] = [
    None,
    True,
    0,
    -1,
    1,
    2**31,
    2**64,
    1e300,
    -0.5,
    "",
    "x",
    "upos",
    "a\tb",
    "\ud800",
    [],
    {},
    [1],
    [[]],
]
SOME_TEXT = "LEX(TOKEN)\nTAG(TOKEN-1)\n"


def small_model() -> bytes:
    for name, seed in (("train", 1), ("dev", 2)):
        (PLACE / f"{name}.conllu").write_text(conllu(60, seed=seed), encoding="utf-8")
    config = TrainConfig(PLACE / "train.conllu", PLACE / "dev.conllu", components=("tagger",))
    settings = {"tagger.settings.epochs": "1", "tagger.folds": "2", "tagger.templates": TEMPLATES}
    pipeline = finished(train(with_settings(config, settings)))
    pipeline.save(PLACE / "small.laconic")
    return (PLACE / "small.laconic").read_bytes()


TEMPLATES = "LEX(TOKEN)\nSUFFIX2(TOKEN)\nTAG(TOKEN-1)\nAMBIGUITY(TOKEN+1)\nSHAPE(TOKEN) & LOWER(TOKEN-1)\n"
BYTES = small_model()
MODEL = ModelFile.from_bytes(BYTES)
TEXT = conllu(5, seed=3).encode()


def change_array(arrays: dict[str, Any], choose: atheris.FuzzedDataProvider) -> None:
    name = choose.PickValueInList(sorted(arrays))
    array = arrays[name]
    match choose.ConsumeIntInRange(0, 6):
        case 0 if array.size:
            flat = array.reshape(-1).copy()
            value = choose.PickValueInList(WILD) if choose.ConsumeBool() else choose.ConsumeIntInRange(0, 255)
            with np.errstate(all="ignore"):
                flat[choose.ConsumeIntInRange(0, flat.size - 1)] = np.array(value).astype(array.dtype)
            arrays[name] = flat.reshape(array.shape)
        case 1:
            arrays[name] = array[: choose.ConsumeIntInRange(0, len(array))]
        case 2:
            arrays[name] = np.concatenate([array, array[: choose.ConsumeIntInRange(0, 70)]])
        case 3:
            arrays[name] = array.astype(choose.PickValueInList(TYPES))
        case 4:
            arrays[name] = array.reshape(1, -1) if choose.ConsumeBool() else array.reshape(-1)
        case 5:
            arrays[name] = arrays[choose.PickValueInList(sorted(arrays))]
        case _:
            del arrays[name]


def change_facts(node: Any, choose: atheris.FuzzedDataProvider) -> None:
    while True:
        keys = sorted(node) if isinstance(node, dict) else list(range(len(node)))
        if not keys:
            return
        key = choose.PickValueInList(keys)
        below = node[key]
        if isinstance(below, dict | list) and choose.ConsumeProbability() < 0.8:
            node = below
            continue
        match choose.ConsumeIntInRange(0, 4):
            case 0:
                del node[key]
            case 1:
                # A copy: a later change inside it would otherwise stay for all runs, or put it into itself.
                node[key] = copy.deepcopy(choose.PickValueInList(VALUES))
            case 2:
                node[key] = choose.ConsumeUnicode(20)
            case 3 if isinstance(below, int | float) and not isinstance(below, bool):
                node[key] = choose.PickValueInList(WILD)
            case _:
                node[key] = [below, below] if choose.ConsumeBool() else SOME_TEXT
        return


def one(data: bytes) -> None:
    choose = atheris.FuzzedDataProvider(data)
    if choose.ConsumeProbability() < 0.05:
        damaged = bytearray(BYTES)
        at = choose.ConsumeIntInRange(0, len(damaged) - 1)
        damaged[at] ^= choose.ConsumeIntInRange(1, 255)
        try:
            ModelFile.from_bytes(bytes(damaged))
        except ModelError:
            return
        raise AssertionError("damage was not seen")
    arrays, facts = dict(MODEL.arrays), copy.deepcopy(dict(MODEL.facts))
    for _ in range(choose.ConsumeIntInRange(1, 3)):
        if arrays and choose.ConsumeBool():
            change_array(arrays, choose)
        else:
            change_facts(choose.PickValueInList(facts["components"])["facts"], choose)
    path = PLACE / "changed.laconic"
    try:
        path.write_bytes(ModelFile(arrays, facts).to_bytes())
    except ValueError:
        return  # not JSON, or keys that the file writes itself
    try:
        pipeline = Pipeline.load(path)
    except ModelError:
        return
    doc = pipeline(read(io.BytesIO(TEXT), "conllu"))
    assert read(io.BytesIO(doc.to_conllu().encode()), "conllu") == doc


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
