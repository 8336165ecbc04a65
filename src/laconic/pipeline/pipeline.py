"""Components composed: loaded from one file, applied in order, turned by one knob."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from laconic.corpus import Doc
from laconic.errors import ConfigError, ModelError
from laconic.pipeline.components import COMPONENTS, Components
from laconic.pipeline.effort import Profile
from laconic.pipeline.modelfile import ModelFile
from laconic.text import Segmenter


class Pipeline:
    """Trained components by name, the effort profiles of each, and where they come from."""

    def __init__(
        self,
        components: Components,
        profiles: Mapping[str, Mapping[str, Profile]],
        provenance: Mapping[str, Any],
    ) -> None:
        self.components, self.provenance = dict(components), dict(provenance)
        self.profiles = {name: dict(efforts) for name, efforts in profiles.items()}
        self._effort = "full"

    def __call__(self, source: Doc | str | bytes | Sequence[Sequence[str]], **options: Any) -> Doc:
        """A document with all that the components predict.

        A document is filled in place; a text is segmented first, for which ``options`` are; a list of lists of words is
        taken as sentences.
        """
        segmenter = self.components.get("segmenter")
        if isinstance(segmenter, Segmenter):
            doc = segmenter.apply(source, **options)
        elif isinstance(source, Doc):
            doc = source
        elif isinstance(source, str | bytes):
            raise ConfigError("this model has no segmenter: give it a document or lists of words, not a text")
        else:
            doc = Doc.from_words(source)
        for component in self.components.values():
            if not isinstance(component, Segmenter):
                component.apply(doc)
        return doc

    @property
    def effort(self) -> str:
        return self._effort

    @effort.setter
    def effort(self, effort: str) -> None:
        for name in self.components:
            known = self.profiles.get(name, {})
            if effort != "full" and effort not in known:
                raise ConfigError(
                    f"the {name} of this model has no effort {effort!r}: "
                    f"it has {', '.join(dict.fromkeys(['full', *known]))}"
                )
        for name, component in self.components.items():
            component.effort(self.profiles[name][effort].tolerance if effort != "full" else 0.0)
        self._effort = effort

    def save(self, path: str | Path) -> None:
        """Write one file, whole or not at all. Equal pipelines give equal bytes."""
        arrays: dict[str, npt.NDArray[Any]] = {}
        parts = []
        for name, component in self.components.items():
            own, facts = component.state()
            arrays |= {f"{name}.{key}": array for key, array in own.items()}
            efforts = {effort: profile.to_json() for effort, profile in self.profiles.get(name, {}).items()}
            parts.append({"name": name, "facts": facts, "profiles": efforts})
        ModelFile(arrays, {"components": parts, "provenance": self.provenance}).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Pipeline:
        """Read a file that ``save`` wrote; ModelError for anything else. Nothing is executed, nothing fetched."""
        file = ModelFile.load(path)
        components, profiles = {}, {}
        try:
            for part in file.facts["components"]:
                name = part["name"]
                if name not in COMPONENTS:
                    raise ModelError(
                        f"{path}: the model has a component {name!r} that this version of laconic does not know"
                    )
                own = {
                    key.removeprefix(f"{name}."): array
                    for key, array in file.arrays.items()
                    if key.startswith(f"{name}.")
                }
                components[name] = COMPONENTS[name].from_state(own, part["facts"])
                profiles[name] = {effort: Profile.from_json(facts) for effort, facts in part["profiles"].items()}
            return cls(components, profiles, dict(file.facts["provenance"]))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ModelError(f"{path}: the model file lacks something it needs: {error}") from error
        except ModelError as error:
            raise ModelError(f"{path}: {error}" if str(path) not in str(error) else str(error)) from error
