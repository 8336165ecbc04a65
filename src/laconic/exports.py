"""Public names of a package that bring their module with them when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def on_first_use(
    package: str, homes: Mapping[str, str], modules: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names stand in other modules: module to names, with spaces
    between them, ``name=there`` for one that is called otherwise there; and ``modules`` of its own.

    A program that loads a model needs a small part of what the rooms hold: the rest costs nothing until it is asked
    for. A name must not be that of a module of the package, which would take its place once it is loaded.
    """
    places: dict[str, tuple[str, str]] = {name: (f"{package}.{name}", "") for name in modules.split()}
    for module, names in homes.items():
        for entry in names.split():
            name, _, there = entry.partition("=")
            places[name] = (module, there or name)

    def found(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, there = places[name]
        value = import_module(module)
        if there:
            value = getattr(value, there)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return found, listed
