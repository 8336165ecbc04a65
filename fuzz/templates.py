"""The template language: any text is a set of templates, which prints and reads as itself, or an InputError."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["laconic"]):
    from laconic.errors import InputError
    from laconic.features import KINDS, compile_plan, parse_set

KIND_LIST = list(KINDS.values())


def one(data: bytes) -> None:
    if not data:
        return
    kind = KIND_LIST[data[0] % len(KIND_LIST)]
    text = data[1:].decode("utf-8", "surrogateescape" if data[0] & 0x80 else "replace")
    try:
        templates = parse_set(text, kind)
    except InputError as error:
        assert error.line >= 1
        assert error.column >= 1
        assert str(error)
        return
    assert parse_set(str(templates), kind) == templates
    assert len(compile_plan(templates)) == len(templates)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
