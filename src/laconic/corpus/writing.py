"""From documents to files."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable

from laconic.corpus.doc import Doc
from laconic.corpus.files import Source, name_of, opened_to_write
from laconic.corpus.formats import for_writing

logger = logging.getLogger(__name__)


def write(docs: Doc | Iterable[Doc], target: Source, format: str | None = None) -> None:
    """Writes a document, or one after another, to a path, ``-`` (standard output) or an open binary file.

    A path ending in ``.gz`` is packed. A path is replaced only when all was written. Documents that were read are
    written back byte for byte; one that lacked its last blank line gets it if another follows.
    ``format`` is a name of ``laconic.corpus.formats``; without it the ending of the path decides, and it is CoNLL-U
    where that says nothing. What the format cannot hold is counted, and told in one warning in the log.
    """
    chosen = for_writing(format, name_of(target))
    assert chosen.render is not None
    lost: Counter[str] = Counter()
    with opened_to_write(target) as file:
        apart, ended = True, True
        for doc in [docs] if isinstance(docs, Doc) else docs:
            data, losses = chosen.render(doc.columns)
            lost.update(dict(losses))
            if not data:
                continue
            if not apart:
                file.write(b"\n" if ended else b"\n\n")
            file.write(data)
            ended = data.endswith(b"\n")
            # Some formats also end sentences at lines of white space.
            apart = ended and not data[data.rfind(b"\n", 0, -1) + 1 :].strip()
    if lost:
        counts = ", ".join(f"{count} {what}" for what, count in lost.items())
        logger.warning("%s: %s cannot hold %s", name_of(target), chosen.name, counts)
