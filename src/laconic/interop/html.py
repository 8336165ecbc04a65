"""Documents as HTML: for notebooks, and as a page of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from laconic.corpus import Doc
from laconic.interop.glyphs import shown
from laconic.interop.svg import Style, framed, pictures, stylesheet

NOTEBOOK = 10
"""Sentences that a notebook shows; and no more words than this times a hundred."""
HEAD = """<!doctype html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>laconic</title>
<style>
{css}
body {{ margin: 2rem auto; max-width: 1040px; padding: 0 1rem; background: #fff; color: #20242c;
  font-family: "Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans", Arial, sans-serif; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #15181e; color: #e8eaf0; }} }}
figure {{ margin: 0 0 2rem; overflow-x: auto; }}
figcaption {{ margin-bottom: 0.5rem; }}
</style>
</head>
<body>
"""
TAIL = "</body>\n</html>\n"


def page(docs: Iterable[Doc]) -> Iterator[str]:
    """A page with a figure per sentence, piece by piece. Memory: one document."""
    yield HEAD.format(css=stylesheet())
    style = Style(css=False, paper=False)
    for doc in docs:
        yield from _figures(doc, style)
    yield TAIL


def notebook(doc: Doc) -> str:
    """What a notebook shows in place of a ``Doc``: its first sentences."""
    count, words = 0, 0
    for sentence in doc.sentences:
        if count == NOTEBOOK or (count and words + len(sentence) > 100 * NOTEBOOK):
            break
        count, words = count + 1, words + len(sentence)
    style = Style(css=False, paper=False)
    rest = len(doc.sentences) - count
    more = f"<p>… and {rest:,} more sentence{'s' if rest > 1 else ''}</p>" if rest else ""
    return f"<div><style>{stylesheet()}</style>\n{''.join(_figures(doc.sentences[:count], style))}{more}</div>"


def _figures(doc: Doc, style: Style) -> Iterator[str]:
    for sentence, picture in zip(doc.sentences, pictures(doc, style), strict=True):
        text = sentence.text
        direction = "rtl" if picture.mirrored else "ltr"
        yield f'<figure dir="{direction}">\n<figcaption dir="auto">{escape(shown(text, 2000))}</figcaption>\n'
        yield f"{framed([picture], style, text)}</figure>\n"
