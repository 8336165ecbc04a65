"""Packages that only some views need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from laconic.errors import LaconicError


class MissingPackage(LaconicError, ImportError):
    """A view needs a package that is not installed."""


def needed(package: str, extra: str) -> Any:
    """The module ``package``; MissingPackage, saying how to get it, where it is not there."""
    try:
        return import_module(package)
    except ImportError as error:
        if error.name is not None and error.name.partition(".")[0] != package.partition(".")[0]:
            raise  # it is there and lacks something itself
        raise MissingPackage(
            f"this needs the package {package.partition('.')[0]}: pip install 'laconic[{extra}]'"
        ) from None
