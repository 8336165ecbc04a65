"""Template sets as text files: the user's own and the shipped ones."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from laconic.errors import ConfigError, InputError, ModelError, choices
from laconic.features.kinds import KINDS, Kind
from laconic.features.language import TemplateSet
from laconic.features.parser import parse_set

SHIPPED = dict.fromkeys(("tagger", "features", "lemmas"), KINDS["token"]) | {
    "entities": KINDS["entity"],
    "segmenter": KINDS["char"],
    "parser": KINDS["transition"],
    "nilsson2010-swedish": KINDS["transition"],
    "nilsson2010-english": KINDS["transition"],
    "parser-hidden": KINDS["transition"],
    "parser-labels": KINDS["arc"],
    "labels": KINDS["edge"],
    "tensor": KINDS["node"],
    "graph": KINDS["candidate"],
    "graph-pairs": KINDS["candidate"],
    "graph-siblings": KINDS["candidate"],
    "graph-siblings-brief": KINDS["candidate"],
    "graph-words": KINDS["candidate"],
    "stepback": KINDS["stepback"],
}


def load_set(name: str) -> TemplateSet:
    """A shipped template set by its name; ConfigError, with what exists, if there is none."""
    if name not in SHIPPED:
        raise ConfigError(f"there is no shipped template set '{name}'; there are {choices(name, SHIPPED)}")
    from importlib import resources  # not needed to load a model, which has its templates with it

    file = f"{name}.templates"
    text = resources.files("laconic.features").joinpath("sets", file).read_text(encoding="utf-8")
    return parse_set(text, SHIPPED[name], file)


def chosen_set(templates: str, kind: Kind) -> TemplateSet:
    """What a configuration says: the name of a shipped set, a path that ends in ``.templates``, or the set as text.
    ConfigError for a file without templates."""
    if templates.endswith(".templates"):
        read = read_set(templates, kind)
        if not read:
            raise ConfigError(f"{templates}: there is no template in it")
        return read
    if "(" in templates:
        return parse_set(templates, kind)
    chosen = load_set(templates)
    if chosen.kind is not kind:
        raise ConfigError(f"the template set '{templates}' is for {chosen.kind.name}, not for {kind.name} contexts")
    return chosen


def stored_set(text: object, kind: Kind) -> TemplateSet:
    """A template set out of a model file: its text, never a name or a path, so that no model makes us read a file.

    ModelError for anything else, and for a set without templates.
    """
    if not isinstance(text, str):
        raise ModelError("the templates in the model are damaged: expected text")
    try:
        templates = parse_set(text, kind)
    except InputError as error:
        raise ModelError(f"the templates in the model are damaged: {error}") from error
    if not templates:
        raise ModelError("the templates in the model are damaged: there are none")
    return templates


def read_set(path: str | PathLike[str], kind: Kind) -> TemplateSet:
    """A template set from a file in UTF-8, with or without a byte order mark; InputError on any fault."""
    return parse_set(read_text(path), kind, str(path))


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file in UTF-8, with or without a byte order mark; InputError with its place where it is not."""
    raw = Path(path).read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_start = raw.rfind(b"\n", 0, error.start) + 1
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError("expected UTF-8", str(path), line, error.start - line_start + 1) from None
