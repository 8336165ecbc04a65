"""Files of any kind: the guess of the format, brackets, gzip, batches. One document on all ways, or an InputError."""

from __future__ import annotations

import gzip
import io
import logging
import sys

import atheris

with atheris.instrument_imports(include=["laconic"]):
    from laconic.corpus import Doc, check, read, stream
    from laconic.errors import InputError

FORMATS = [None, None, "ptb", "ptb", "conllu", "iob", "conllx", "conll2009"]
logging.disable()


def one(data: bytes) -> None:
    if not data:
        return
    format = FORMATS[data[0] & 7]
    content = data[1:]
    if data[0] & 0x10:
        half = len(content) // 2
        content = gzip.compress(content[:half], 1) + gzip.compress(content[half:], 1) + b"\0" * (data[0] >> 6)
    faults = list(check(io.BytesIO(content), format))
    try:
        doc = read(io.BytesIO(content), format)
    except InputError as error:
        assert str(error)
        assert faults, error
        try:
            kept = read(io.BytesIO(content), format, lenient=True)
        except InputError:
            return  # not a fault of a sentence: damaged gzip, a format that cannot be told
        again(kept)
        return
    # What only a check finds: a file with these can be read.
    assert all(fault.reason.startswith(("FEATS ", "DEPS ", "the text ")) for fault in faults), faults
    again(doc)
    batches = list(stream(io.BytesIO(content), format, words=1 + (data[0] >> 5)))
    assert sum(map(len, batches)) == len(doc)
    assert [form for batch in batches for form in batch.strings("form")] == doc.strings("form")


def again(doc: Doc) -> None:
    assert read(io.BytesIO(doc.to_conllu().encode()), "conllu") == doc
    assert len(doc.text) >= 0
    assert len(doc.codes("form")[0]) == len(doc)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
