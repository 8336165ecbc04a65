"""The formats that can be read and written, by name, and the guess which one a file has.

| name | files | carried in MISC, since documents have no column for it |
| --- | --- | --- |
| ``conllu`` | CoNLL-U | |
| ``conllx`` | CoNLL-X of 2006 and 2007 | ``PHead`` ``PDeprel`` |
| ``conll2008`` | CoNLL-2008 | ``Form`` ``Lemma`` ``GPos`` ``PPos`` ``Pred`` ``APred1`` … |
| ``conll2009`` | CoNLL-2009 | ``PLemma`` ``PPos`` ``PFeat`` ``PHead`` ``PDeprel`` ``FillPred`` ``Pred`` ``APred1`` … |
| ``iob`` | entities in columns | ``NER=B-PER`` ``Column4`` … ``EmptyForm`` ``After`` |
| ``ptb`` | Penn Treebank brackets, read only | |
| ``json``, ``jsonl`` | documents as ``laconic.interop.writers`` writes them, read only here | |

``iob`` takes a map of the columns after a colon, then, each after a colon and in any order, ``space`` where columns
are separated by single spaces instead of tabs, and the scheme of the tags (``bio``, the default, ``iob1``, ``bilou``,
``bioes``): ``iob:form,entity``, ``iob:id,form,entity,-,-``, ``iob:form,xpos,-,entity:space:bilou``. Columns are id,
form, lemma, upos, xpos, feats, deprel, entity, and ``-`` for what is only carried. Without a map, reading finds it in
the file and writing takes ``form,entity``. In documents, tags are BIO whatever the scheme of the file: ``NER=O`` for
a word outside of all entities, no entry for a word that nobody looked at. Tags that are BIO already stay as they are,
``B-`` after ``B-`` included.

In values in MISC, ``\\\\`` stands for a backslash, ``\\p`` for a bar, ``\\t``, ``\\n`` and ``\\r`` for tab and line
ends. The headers of the core (``core/corpus/conllx.hpp``, ``conll2009.hpp``, ``iob.hpp``) say which columns have
which default.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath
from typing import Literal

from laconic._core import corpus as core
from laconic.corpus import penn, record_reading
from laconic.corpus.registry import Format
from laconic.errors import InputError, choices

SAMPLE = 1 << 18  # bytes that a guess looks at
MOST_CHOICES = 8  # that a message lists, and that are worked out: a line may consist of columns that look like tags
SCHEMES = ("bio", "iob1", "bilou", "bioes")
EntityScheme = Literal["bio", "iob1", "bilou", "bioes"]


def _render_conllu(columns: core.Columns) -> tuple[bytes, list[tuple[str, int]]]:
    return columns.to_conllu(), []


@dataclass(frozen=True, slots=True)
class IobMap:
    """Names of the columns, their separator and the scheme of the tags; ValueError where they cannot work."""

    columns: tuple[str, ...] = ("form", "entity")
    tabs: bool = True
    scheme: str = "bio"

    def __post_init__(self) -> None:
        core.read_iob(b"", "", 1, False, 1, 0, list(self.columns), self.tabs, self.scheme)

    @classmethod
    def parse(cls, text: str) -> IobMap:
        """``form,entity``, then ``:space``, ``:tab`` or a scheme."""
        columns, *options = text.split(":")
        tabs, scheme = True, "bio"
        for option in options:
            if option in ("space", "tab"):
                tabs = option == "tab"
            elif option in SCHEMES:
                scheme = option
            else:
                raise ValueError(
                    f"unknown option {option!r} of iob: there are {choices(option, ('space', 'tab', *SCHEMES))}"
                )
        return cls(tuple(columns.split(",")), tabs, scheme)

    def __str__(self) -> str:
        options = ([] if self.tabs else ["space"]) + ([] if self.scheme == "bio" else [self.scheme])
        return ":".join([",".join(self.columns), *options])


def _iob(given: IobMap) -> Format:
    names, tabs, scheme = list(given.columns), given.tabs, given.scheme
    return Format(
        f"iob:{given}",
        (".iob", ".iob2", ".bio", ".bilou", ".bioes"),
        partial(core.read_iob, names=names, tabs=tabs, scheme=scheme),
        partial(core.write_iob, names=names, tabs=tabs, scheme=scheme),
    )


FORMATS: dict[str, Format] = {
    "conllu": Format("conllu", (".conllu",), core.read_conllu, _render_conllu, check=core.check_conllu),
    "conllx": Format("conllx", (".conllx", ".conll06", ".conll07"), core.read_conllx, core.write_conllx),
    "conll2008": Format("conll2008", (".conll08", ".conll2008"), core.read_conll2008, core.write_conll2008),
    "conll2009": Format("conll2009", (".conll09", ".conll2009"), core.read_conll2009, core.write_conll2009),
    "iob": _iob(IobMap()),
    "ptb": Format("ptb", (".mrg", ".ptb"), penn.read_brackets, None, penn.after_last_tree),
    "json": Format("json", (".json",), record_reading.read_json, None, lambda data: 0, long_lines=True),
    "jsonl": Format(
        "jsonl", (".jsonl",), record_reading.read_json_lines, None, record_reading.after_last_line, long_lines=True
    ),
}
# Endings that several formats use: only the content can tell.
SHARED_SUFFIXES = (".conll", ".tsv", ".txt")


def find(name: str) -> Format:
    """The format of that name, ``iob`` with or without its map; ValueError names those that exist."""
    kind, colon, rest = name.partition(":")
    if kind not in FORMATS or (colon and kind != "iob"):
        raise ValueError(f"no format {name!r}: there are {choices(kind, FORMATS)}")
    return _iob(IobMap.parse(rest)) if colon else FORMATS[kind]


def for_reading(name: str | None, file: str, sample: bytes) -> Format:
    """The format to read a file with: as named, else by its ending, else by the start of its content.

    InputError naming the choices where the content fits several.
    """
    known = name or by_suffix(file)
    choices = [known] if known else guess(sample)
    if known == "iob":
        choices = _iob_choices(_Rows(sample)) or ["iob"]
    if len(choices) > 1:
        raise InputError(f"the format is ambiguous: choose {' or '.join(choices)}", file)
    return find(choices[0])


def for_writing(name: str | None, file: str) -> Format:
    """The format to write a file in: as named, whatever the ending; else by its ending; CoNLL-U where it has none.

    ValueError for an ending that no format or several formats use, and for a format that is only read.
    """
    known = name or by_suffix(file)
    kinds = {kind: format.suffixes for kind, format in FORMATS.items() if format.render is not None}
    endings = ", ".join(ending for suffixes in kinds.values() for ending in suffixes)
    if known is None and (suffix := PurePath(file.removesuffix(".gz")).suffix.lower()):
        if suffix in SHARED_SUFFIXES:
            raise ValueError(f"files ending in {suffix} are of several formats: choose one of {', '.join(kinds)}")
        raise ValueError(
            f"no format has files ending in {suffix}: the known endings are {endings}; "
            f"or name a format: {', '.join(kinds)}"
        )
    found = find(known or "conllu")
    if found.render is None:
        raise ValueError(f"{found.name} can be read here, but not written; files that can be written end in {endings}")
    return found


def by_suffix(file: str) -> str | None:
    """The format that the ending of a file belongs to; ``.gz`` does not count."""
    suffix = PurePath(file.removesuffix(".gz")).suffix.lower()
    return next((name for name, format in FORMATS.items() if suffix in format.suffixes), None)


def guess(sample: bytes) -> list[str]:
    """The formats that the start of a file fits: one, or several that only the user can choose from.

    What fits none is taken for CoNLL-U, whose reader then says what it expected, and where.
    """
    if sample.lstrip().startswith(b"{"):
        return ["jsonl" if record_reading.holds_sentences(sample) else "json"]
    rows = _Rows(sample)
    if rows.opens_bracket:
        return ["ptb"]
    return _tree_choices(rows) or _iob_choices(rows) or ["conllu"]


_ID = re.compile(r"\d+([-.]\d+)?")
_TAG = re.compile(r"O|[BILUES]-.+")
_UD_COMMENT = re.compile(r"#\s*(sent_id|text|newdoc|newpar|global\.columns)\b")


class _Rows:
    """The first lines of a file, cut into cells. The width of most lines counts: one bad line changes nothing."""

    def __init__(self, sample: bytes) -> None:
        text = sample[:SAMPLE].decode("utf-8", errors="replace").removeprefix("\ufeff")
        lines = text.split("\n")
        if len(sample) >= SAMPLE and len(lines) > 1:
            lines.pop()  # it may be cut
        lines = [line.removesuffix("\r") for line in lines]
        words = [line for line in lines if line.strip() and not (line.startswith("#") and "\t" not in line)]
        self.comments = [line for line in lines if line.startswith("#") and "\t" not in line]
        self.opens_bracket = bool(words) and words[0].lstrip().startswith("(") and "\t" not in words[0]
        self.tabs = 2 * sum("\t" in line for line in words) > len(words)
        split = [line.split("\t" if self.tabs else " ") for line in words]
        widths = Counter(map(len, split))
        self.width = widths.most_common(1)[0][0] if widths else 0
        self.all = split
        self.usual = [cells for cells in split if len(cells) == self.width]
        self.have_ids = 2 * sum(bool(_ID.fullmatch(cells[0])) for cells in split) > len(split)


def _tree_choices(rows: _Rows) -> list[str]:
    if not rows.tabs or not rows.have_ids:
        return []
    if rows.width == 10:
        # CoNLL-X shows only where every word has a projective head; else CoNLL-U holds all that is there too.
        like_x = all(row[8].isdecimal() and row[9] != "_" and "=" not in row[9] for row in rows.usual)
        like_u = any(_UD_COMMENT.match(comment) for comment in rows.comments)
        return (["conllu", "conllx"] if like_u else ["conllx"]) if like_x else ["conllu"]
    wide = [row for row in rows.all if len(row) > 10]
    if 2 * len(wide) > len(rows.all) and all(_is_head(row[8]) for row in wide):
        # The tenth column is PHEAD in 2009, and DEPREL in 2008.
        late = all(len(row) >= 14 and _is_head(row[9]) and row[12] in "Y_" for row in wide)
        return ["conll2009"] if late else ["conll2008"]
    return []


def _is_head(cell: str) -> bool:
    return cell == "_" or cell.isdecimal()


def _iob_choices(rows: _Rows) -> list[str]:
    if rows.width < 2:
        return []
    tags = [c for c in range(rows.width) if all(_TAG.fullmatch(row[c]) for row in rows.usual)]
    first = 1 if rows.have_ids and all(row[0].isdecimal() for row in rows.usual) else 0
    choices = []
    for column in [column for column in tags if column > first][:MOST_CHOICES]:
        letters = {row[column][0] for row in rows.usual}
        scheme = "bilou" if letters & {"L", "U"} else "bioes" if letters & {"E", "S"} else "bio"
        names = ["-"] * rows.width
        names[first], names[column] = "form", "entity"
        if first:
            names[0] = "id"
        choices.append(f"iob:{IobMap(tuple(names), rows.tabs, scheme)}")
    return choices


def to_bio(tags: Sequence[str], scheme: EntityScheme) -> list[str]:
    """The entity tags of one sentence in BIO. ValueError where the scheme does not allow them."""
    return core.tags_to_bio(list(tags), scheme)


def from_bio(tags: Sequence[str], scheme: EntityScheme) -> list[str]:
    """BIO tags of one sentence in another scheme. An entity that begins with ``I-`` counts as one."""
    return core.tags_from_bio(list(tags), scheme)
