"""From documents to files."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator

from laconic.corpus.doc import Doc
from laconic.corpus.files import Source, name_of, opened_to_write
from laconic.corpus.formats import for_writing

logger = logging.getLogger(__name__)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def write(docs: Doc | Iterable[Doc], target: Source, format: str | None = None) -> None:
    """Writes a document, or one after another, to a path, ``-`` (standard output) or an open binary file.

    A path ending in ``.gz`` is packed. A path is replaced only when all was written. Documents that were read are
    written back byte for byte, but for what would make the whole invalid: one that lacked its last blank line gets it
    if another follows, and a byte order mark stays only before the first.
    ``format`` is a name of ``laconic.corpus.formats``; without it the ending of the path decides, and it is CoNLL-U
    where there is no ending. ValueError for an ending that is not known. What the format cannot hold
    is counted, and told in one warning in the log.
    """
    chosen = for_writing(format, name_of(target))
    assert chosen.render is not None
    lost: Counter[str] = Counter()
    with opened_to_write(target) as file:
        missing, first = b"", True
        for doc in [docs] if isinstance(docs, Doc) else docs:
            data, losses = chosen.render(doc.columns)
            lost.update(dict(losses))
            if not first:
                data = data.removeprefix(BYTE_ORDER_MARK)
            if not data:
                continue
            file.write(missing)
            file.write(data)
            missing, first = _missing(data), False
    if lost:
        counts = ", ".join(f"{count} {what}" for what, count in lost.items())
        logger.warning("%s: %s cannot hold %s", name_of(target), chosen.name, counts)


def running_text(docs: Iterable[Doc]) -> Iterator[str]:
    """The text of a treebank that comes in several documents, piece by piece: together what ``text`` gives for all of
    them as one. In the memory of the largest."""
    last: Doc | None = None
    for doc in docs:
        if not doc:
            continue
        if last is not None:
            yield text_between(last, doc)
        yield doc.text
        last = doc.sentences[-1:]


def text_between(before: Doc, after: Doc) -> str:
    """What stands in the running text between two documents of which the second goes on where the first ends."""
    last, first = before.sentences[-1:], after.sentences[:1]
    both = Doc.concatenate([last, first]).text
    return both[len(last.text) : len(both) - len(first.text)]


def write_text(docs: Iterable[Doc], target: Source) -> None:
    """Writes the running text of documents, as ``write`` does with their trees; a line end is its last character."""
    with opened_to_write(target) as file:
        end = "\n"
        for text in running_text(docs):
            if text:
                file.write(text.encode())
                end = text[-1]
        if end != "\n":
            file.write(b"\n")


def _missing(data: bytes) -> bytes:
    """What must stand behind some sentences before others may follow: a blank line, with line ends like theirs."""
    ended = data.endswith(b"\n")
    # Some formats also end sentences at lines of white space.
    if ended and not data[data.rfind(b"\n", 0, -1) + 1 :].strip():
        return b""
    line_end = b"\r\n" if data[: data.rfind(b"\n") + 1].endswith(b"\r\n") else b"\n"
    return line_end if ended else 2 * line_end
