"""Trained components that experiments keep, so that a second run, or another experiment, goes on from them."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from laconic.learn import Component, TrainingData
from laconic.pipeline import Pipeline
from laconic.progress import finished
from laconic.search.journal import key


@dataclass(frozen=True)
class KeptModels:
    """Components trained on the same data, in ``build/models``."""

    data: str
    """What they were trained on, as part of a file name."""

    def component(self, name: str, kind: type[Component], config: Any, data: TrainingData) -> tuple[Any, float]:
        """The component, and the CPU seconds that its training took; trained unless it is there for this
        configuration. Delete the file after a change of the code that trains."""
        file = Path("build") / "models" / f"{self.data}-{name}-{key(json.dumps(asdict(config), default=str))}.laconic"
        took = file.with_suffix(".seconds")
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            begun = time.process_time()
            made = finished(kind.fit(config, data))
            took.write_text(f"{time.process_time() - begun:.0f}", encoding="utf-8")
            print(f"{file.name}: {took.read_text('utf-8')} CPU seconds", file=sys.stderr, flush=True)
            Pipeline({kind.name: made}, {}, {}).save(file)
        return Pipeline.load(file).components[kind.name], float(took.read_text("utf-8"))
