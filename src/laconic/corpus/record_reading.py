"""Documents from JSON: the inverse of ``laconic.corpus.records``.

Sentences become lines of CoNLL-U, whose reader then checks all of them, so that there is one place that knows what a
document can hold. What it refuses is told with the place in the JSON.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from laconic._core import corpus as core
from laconic.corpus.records import (
    ABSENT,
    COMMENT_KEYS,
    OPTIONAL_FIELDS,
    Record,
    comment_keys,
    comment_line,
    implied_misc,
)
from laconic.errors import InputError

WORD_COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
OFFSETS = ("start", "end")
_BREAKS = ("\n", "\r", "\0")


class _Fault(ValueError):
    """What is wrong with a record, without a place."""


@dataclass
class _SentenceLines:
    """Sentences as CoNLL-U, with the place in the source of each."""

    lines: list[bytes] = field(default_factory=list)
    first_lines: list[int] = field(default_factory=list)
    places: list[tuple[str, int]] = field(default_factory=list)
    words: int = 0

    def add(self, record: Any, place: str, line: int) -> None:
        try:
            found = [text.encode() for text in _sentence_lines(record)]
        except _Fault as fault:
            raise InputError(f"{place}{fault}", "", line, 1 if line else 0) from None
        except UnicodeEncodeError:
            reason = f"{place}a lone surrogate, which is half of a character: expected text"
            raise InputError(reason, "", line, 1 if line else 0) from None
        self.first_lines.append(len(self.lines) + 1)
        self.places.append((place, line))
        self.lines += [*found, b""]
        self.words += len(record["words"]["form"])

    def columns(self, file: str, lenient: bool) -> tuple[core.Columns, list[tuple[str, int, int]], int]:
        """InputError, or faults if lenient, with places in the source."""
        try:
            source = b"\n".join([*self.lines, b""])
            columns, faults, skipped, *_ = core.read_conllu(source, "", 1, lenient)
        except InputError as error:
            reason, line, column = self._placed(error.reason, error.line)
            raise InputError(reason, file, line, column) from None
        return columns, [self._placed(reason, line) for reason, line, _ in faults], skipped

    def _placed(self, reason: str, line: int) -> tuple[str, int, int]:
        number = bisect_right(self.first_lines, line) - 1
        place, own = self.places[number]
        row = self.lines[line - 1].decode().split("\t")
        where = f"word {row[0]}: " if len(row) > 1 else ""
        return f"{place}{where}{reason}", own, 1 if own else 0


def from_json(source: str | bytes) -> core.Columns:
    """Columns of a document, or of a file of documents as one. InputError names the sentence of what is wrong."""
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    return read_json(data, "", 1, False, 0, 0)[0]


def read_json(
    source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads one JSON value, which is a file of documents or a document: all of it, since it has no end before its end,
    whatever ``max_words`` says. Otherwise called like every reader (``laconic.corpus.registry.SentenceReader``)."""
    made = _SentenceLines()
    faults: list[tuple[str, int, int]] = []
    data = source[begin:]
    if data.strip():
        for place, record in _records(_loaded(data, file, first_line), file):
            try:
                made.add(record, place, 0)
            except InputError as error:
                if not lenient:
                    raise InputError(error.reason, file) from None
                faults.append((error.reason, 0, 0))
    columns, more, skipped = made.columns(file, lenient)
    return columns, faults + more, len(faults) + skipped, len(data), first_line + data.count(b"\n")


def read_json_lines(
    source: bytes, file: str, first_line: int, lenient: bool, max_words: int, begin: int
) -> tuple[core.Columns, list[tuple[str, int, int]], int, int, int]:
    """Reads a sentence a line, called like every reader: see ``laconic.corpus.registry.SentenceReader``."""
    made = _SentenceLines()
    faults: list[tuple[str, int, int]] = []
    end, line = begin, first_line
    while end < len(source):
        stop = source.find(b"\n", end) + 1 or len(source)
        data = source[end:stop]
        try:
            if data.strip():
                record = _loaded(data, file, line)
                if made.words and made.words + _count(record) > max_words:
                    break
                made.add(record, "", line)
        except InputError as error:
            if not lenient:
                raise InputError(error.reason, file, error.line, error.column) from None
            faults.append((error.reason, error.line, error.column))
        end, line = stop, line + 1
    columns, more, skipped = made.columns(file, lenient)
    return columns, sorted(faults + more, key=lambda one: one[1]), len(faults) + skipped, end - begin, line


def after_last_line(source: bytes) -> int:
    """Bytes of an incomplete file that are whole lines."""
    return source.rfind(b"\n") + 1


def holds_sentences(sample: bytes) -> bool:
    """Is the first line a sentence, so that this is JSON Lines and no other JSON?"""
    try:
        first = json.loads(next(iter(sample.strip().splitlines()), b""))
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "words" in first


def _loaded(data: bytes, file: str, line: int) -> Any:
    try:
        return json.loads(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        place = line + before.count(b"\n"), len(before) - before.rfind(b"\n")
        raise InputError("invalid UTF-8: expected a file in UTF-8", file, *place) from None
    except json.JSONDecodeError as error:
        raise InputError(f"no JSON: {error.msg}", file, line + error.lineno - 1, error.colno) from None
    except ValueError:  # of Python itself, about numbers of thousands of digits
        raise InputError("no document: a number is too long", file, line, 1) from None
    except RecursionError:
        raise InputError("no document: nested too deeply", file, line, 1) from None


def _count(record: Any) -> int:
    words = record.get("words") if isinstance(record, dict) else None
    forms = words.get("form") if isinstance(words, dict) else None
    return len(forms) if isinstance(forms, list) else 0


def _records(value: Any, file: str) -> Iterator[tuple[str, Any]]:
    """Each sentence with its place."""
    if not isinstance(value, dict) or not ("documents" in value or "sentences" in value):
        raise InputError('no document: expected {"documents": […]} or {"sentences": […]}', file)
    documents = value.get("documents", [value])
    if not isinstance(documents, list):
        raise InputError("documents must be a list", file)
    for number, document in enumerate(documents):
        place = f"documents[{number}]." if "documents" in value else ""
        sentences = document.get("sentences") if isinstance(document, dict) else None
        if not isinstance(sentences, list):
            raise InputError(f"{place}sentences must be a list", file)
        yield from ((f"{place}sentences[{index}]: ", one) for index, one in enumerate(sentences))


def _sentence_lines(record: Any) -> Iterator[str]:
    _check(record)
    yield from _comment_lines(record)
    words = record["words"]
    forms = words["form"]
    implied, of_multiwords = implied_misc(record)
    misc = words.get("misc", [None] * len(forms))
    columns = {name: words.get(name, [None] * len(forms)) for name in WORD_COLUMNS[1:-1]}
    whole = [own or other for own, other in zip(misc, implied, strict=True)]
    if "entities" in record and "misc" in words:
        _check_entities(record["entities"], whole)
    rows = zip(forms, *columns.values(), whole, strict=True)
    before, behind = _lines_beside(record, of_multiwords)
    yield from behind.get(0, ())
    for number, row in enumerate(rows, 1):
        yield from before.get(number, ())
        yield _line(str(number), row)
        yield from behind.get(number, ())


def _lines_beside(record: Record, of_multiwords: list[str]) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Lines of multiword tokens by the word they stand before, those of empty nodes by the word they stand behind."""
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for token, misc in zip(record.get("multiword_tokens", ()), of_multiwords, strict=True):
        cells = [token.get("form"), *(token.get(name) for name in OPTIONAL_FIELDS[:-1]), token.get("misc", misc)]
        before.setdefault(token["first"], []).append(_line(f"{token['first']}-{token['last']}", cells))
    for node in record.get("empty_nodes", ()):
        after = int(node["id"].partition(".")[0])
        behind.setdefault(after, []).append(
            _line(node["id"], [node.get("form"), *(node.get(name) for name in OPTIONAL_FIELDS)])
        )
    return before, behind


def _line(number: str, cells: Iterable[Any]) -> str:
    line = "\t".join((number, *(ABSENT if cell is None else str(cell) for cell in cells)))
    if line.count("\t") != len(WORD_COLUMNS) or any(char in line for char in _BREAKS):
        raise _Fault(f"word {number}: a value with a tab, a line end or NUL")
    if "\t\t" in line or line.endswith("\t"):
        raise _Fault(f"word {number}: an empty value: expected null")
    return line


def _comment_lines(record: Record) -> Iterator[str]:
    for line in record.get("comments", comment_keys(record)):
        if line in COMMENT_KEYS and line not in record:
            raise _Fault(f"comments name {line}, which is not there")
        full = comment_line(line, record) if line in COMMENT_KEYS else line
        if not full.startswith("#") or any(char in full for char in _BREAKS):
            raise _Fault(
                f"a comment must be a line that begins with #, or one of {', '.join(COMMENT_KEYS)}: not {line!r}"
            )
        yield full


def _check(record: Any) -> None:
    """The shape of a sentence; what its values may be is the reader's of CoNLL-U."""
    if not isinstance(record, dict) or not isinstance(record.get("words"), dict):
        raise _Fault("no sentence: expected an object with words")
    words = record["words"]
    forms = words.get("form")
    if not isinstance(forms, list) or not all(isinstance(form, str) for form in forms):
        raise _Fault("words.form must be a list of strings")
    for name in (*WORD_COLUMNS[1:], *OFFSETS):
        values = words.get(name, [])
        number = name in ("head", *OFFSETS)
        kind, what = (int, "whole numbers") if number else (str, "strings")
        if not isinstance(values, list) or not all(
            value is None or (isinstance(value, kind) and not isinstance(value, bool)) for value in values
        ):
            raise _Fault(f"words.{name} must be a list of {what} and nulls")
        if name in words and len(values) != len(forms):
            raise _Fault(f"words.{name} has {len(values)} values for {len(forms)} words")
    if ("start" in words) != ("end" in words):
        raise _Fault("words.start and words.end need each other")
    for name in ("newdoc", "newpar", "sent_id", "text", "before", "after"):
        if not isinstance(record.get(name, ""), str):
            raise _Fault(f"{name} must be a string")
    if "start" in words:
        if "text" not in record:
            raise _Fault("words.start needs text")
        _check_offsets(words["start"], words["end"], record["text"])
    comments = record.get("comments", [])
    if not isinstance(comments, list) or not all(isinstance(line, str) for line in comments):
        raise _Fault("comments must be a list of strings")
    for name, label in (("multiword_tokens", "form"), ("entities", "label")):
        _check_spans(record, name, label, len(forms))
    behind = 0
    for one in sorted(_list(record, "entities"), key=lambda one: one["first"]):
        if one["first"] <= behind:
            raise _Fault(f"entities: word {one['first']} is part of two")
        if not one["label"].strip() or "|" in one["label"]:
            raise _Fault(f"entities: the label {one['label']!r} does not fit a column")
        behind = one["last"]
    for node in _list(record, "empty_nodes"):
        given = node.get("id")
        whole, dot, part = str(given).partition(".")
        if not (isinstance(given, str) and dot and whole.isdecimal() and part.isdecimal()):
            raise _Fault(f"empty_nodes: id must be like 7.1, not {given!r}")
        if len(whole) > 9 or int(whole) > len(forms):
            raise _Fault(f"empty_nodes: {given[:20]} stands behind a word that is not there")


def _check_offsets(starts: list[int | None], ends: list[int | None], text: str) -> None:
    """Words stand in the text in their order, with nothing but white space between them."""
    before = behind = 0
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        if start is None or end is None:
            if start is not end:
                raise _Fault(f"word {number}: start and end need each other")
            continue
        if not 0 <= start <= end <= len(text):
            raise _Fault(f"word {number}: no place in a text of {len(text)} characters: {start} to {end}")
        if start < before:
            raise _Fault(f"word {number}: begins at {start}, before the word before it")
        if text[behind:start].strip() and number > 1:
            raise _Fault(f"word {number}: {text[behind:start][:40]!r} stands before it and is part of no word")
        before, behind = start, max(behind, end)


def _check_entities(entities: list[Record], misc: list[str]) -> None:
    """MISC, where it is given, has entity tags of its own: they must not say anything else."""
    lines = [_line(str(number), ["_"] * 8 + [cell]) for number, cell in enumerate(misc, 1)]
    columns = core.read_conllu("\n".join([*lines, "", ""]).encode("utf-8", "replace"), "", 1, True)[0]
    found = [(first + 1, last, label) for first, last, label in columns.entities(0, columns.sentence_count)]
    given = sorted((one["first"], one["last"], one["label"]) for one in entities)
    if columns.sentence_count and found != given:
        one = min(set(found) ^ set(given))
        said = "entities has it, misc has not" if one in given else "misc has it, entities has not"
        raise _Fault(f"entities and misc contradict each other: {one[2]} from word {one[0]} to {one[1]}: {said}")


def _check_spans(record: Record, name: str, label: str, count: int) -> None:
    for one in _list(record, name):
        first, last = one.get("first"), one.get("last")
        if not (type(first) is int and type(last) is int and 1 <= first <= last <= count):
            raise _Fault(f"{name}: first and last must be words from 1 to {count}, in order")
        if not isinstance(one.get(label), str):
            raise _Fault(f"{name}: {label} must be a string")


def _list(record: Record, name: str) -> list[Record]:
    values = record.get(name, [])
    if not isinstance(values, list) or not all(isinstance(one, dict) for one in values):
        raise _Fault(f"{name} must be a list of objects")
    if any(not isinstance(cell, str | int) for one in values for cell in one.values()):
        raise _Fault(f"{name}: values must be strings or numbers")
    return values
