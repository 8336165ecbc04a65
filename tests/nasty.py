"""Inputs that have broken other programs, by name: texts, bytes and lists of words. For every way into the package.

``TEXTS`` are strings (some with lone surrogates, which are errors), ``BYTES`` are not all UTF-8, ``WORDS`` not all
possible. What they have in common: an answer or a ``LaconicError``, soon, and never anything else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

LONG = 20_000

_CHARACTERS = {
    "nul": "\0",
    "bell": "\a",
    "backspace": "\b",
    "tab": "\t",
    "line feed": "\n",
    "vertical tab": "\v",
    "form feed": "\f",
    "carriage return": "\r",
    "escape": "\x1b",
    "file separator": "\x1c",
    "unit separator": "\x1f",
    "delete": "\x7f",
    "next line": "\x85",
    "no-break space": "\u00a0",
    "soft hyphen": "\u00ad",
    "combining acute": "\u0301",
    "ogham space": "\u1680",
    "mongolian separator": "\u180e",
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "left-to-right mark": "\u200e",
    "right-to-left override": "\u202e",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "word joiner": "\u2060",
    "ideographic space": "\u3000",
    "variation selector": "\ufe0f",
    "byte order mark": "\ufeff",
    "replacement": "\ufffd",
    "not a character": "\uffff",
    "private use": "\ue000",
    "emoji": "\U0001f600",
    "flag half": "\U0001f1e6",
    "skin tone": "\U0001f3fd",
    "tag space": "\U000e0020",
    "last code point": "\U0010ffff",
    "full stop": ".",
    "question mark": "?",
    "apostrophe": "'",
    "quote": '"',
    "open bracket": "(",
    "backslash": "\\",
    "bar": "|",
    "underscore": "_",
    "hash": "#",
    "equals": "=",
    "at": "@",
    "hyphen": "-",
    "less than": "<",
    "ampersand": "&",
}
_SCRIPTS = {
    "chinese": "我喜欢学习语言。你呢？",
    "japanese": "猫が好きです。本当に？",
    "thai": "ฉันรักภาษาไทยมาก",
    "arabic": "السلام عليكم ورحمة الله وبركاته.",
    "hebrew": "שלום עולם! מה שלומך?",
    "mixed directions": "He said שלום and السلام (twice).",
    "hindi": "मैं हिन्दी बोलता हूँ।",
    "tamil": "எனக்கு தமிழ் தெரியும்.",
    "korean": "나는 한국어를 공부한다.",
    "decomposed korean": "\u1102\u1161\u1102\u1173\u11ab",
    "greek": "Η γλώσσα είναι ωραία.",
    "russian": "Я люблю язык.",
    "georgian": "მე მიყვარს ენა.",
    "decomposed french": "de\u0301ja\u0300 vu a\u0300 Paris",
    "turkish i": "İIıi İstanbul ISPARTA",
    "german s": "STRASSE straße STRAẞE",
    "ligatures": "ﬁnd the ﬂower Ǆ ǆ",
    "full width": "Ｈｅｌｌｏ　Ｗｏｒｌｄ．",
    "mathematical": "𝕳𝖊𝖑𝖑𝖔 𝔚𝔬𝔯𝔩𝔡",
    "family emoji": "👨‍👩‍👧‍👦 went 🏳️‍🌈 home 👍🏽.",
    "flags": "🇩🇪🇫🇷🇬🇧🇺🇸🇯",
    "zalgo": "Z" + "\u0301\u0302\u0303\u0304" * 50 + "algo",
    "roman numerals": "Ⅷ ⅷ ½ ² ٣ ๓",
    "small capitals": "ʜᴇʟʟᴏ",
}
_SHAPES = {
    "nothing": "",
    "a space": " ",
    "a letter": "a",
    "white space of all kinds": " \t\n\r\v\f\u00a0\u2003\u2028\u3000 ",
    "blank lines": "\n\n\n\na\n\n\n\n",
    "windows lines": "One line.\r\nAnother.\r\n\r\nA third.\r\n",
    "old mac lines": "One line.\rAnother.\r\rA third.",
    "leading and trailing space": "   \n\t  Ships sail.  \n\n ",
    "no final stop": "Ships sail and nobody says where",
    "only punctuation": "?!?!... --- ((())) [[]] {} ,;:",
    "dots": "." * 1000,
    "ellipses": "… … ……",
    "initials": "J. R. R. T. of the U.S.A. met Dr. P. Q. at 5 p.m. etc.",
    "nested quotes": '"He said \'she said "they said «nothing» at all"\'"',
    "unbalanced brackets": "((((((((((a))",
    "web address": "See https://example.org/a_(b)?q=1&r=2#s. And http://[::1]:80/.",
    "half an address": "https:// http:// www. ftp://@ mailto:",
    "e-mail addresses": "a.b+c@example.org, @@@ a@ @b x@y@z",
    "a very long address": "http://example.org/" + "a/" * 3000,
    "hash tags": "#one #two#three ## # @you @@me",
    "html": "<p>Ships &amp; <b>sails</b></p><script>alert('x')</script>",
    "json": '{"text": "Ships sail.", "n": [1, 2, {"a": null}]}',
    "conllu": "# text = Ships\n1\tShips\t_\t_\t_\t_\t0\troot\t_\t_\n\n",
    "comment": "# newdoc id = evil\n# text = a",
    "misc": "SpaceAfter=No|SpacesAfter=\\s\\n|NER=B-X",
    "format strings": "%s %n %d {} {0} {x!r} ${HOME} $(rm) `ls` %00",
    "escapes": "\\n \\t \\u0041 \\x41 \\0 \\\\ \\",
    "paths": "/etc/passwd ../../x C:\\x\\y.txt file:///a",
    "sql": "'; DROP TABLE words; --",
    "terminal codes": "\x1b[31mred\x1b[0m \x1b]0;title\x07",
    "spreadsheet": "=1+1\t@SUM(A1)\t+1\t-1",
    "numbers": "1,234.56 -7 +8 1e10 0x1F 1/2 3:45 10% $5 €6 №7",
    "phone numbers": "+44 (0)20 7946-0958 ext. 12",
    "dates": "2024-01-31T23:59:59Z 31.12.1999 12/31/99",
    "contractions": "I'd've can't won't y'all'd o'clock 'tis d'accord",
    "curly contractions": "I’d’ve can’t won’t ’tis",
    "hyphens": "state-of-the-art e-mail - -- --- – — ―",
    "camel": "camelCase snake_case kebab-case SCREAMING_CASE",
    "emoticons": ":-) ;) :D <3 ^_^ ¯\\_(ツ)_/¯ (╯°□°)╯︵ ┻━┻",
    "sentence per character": "a. b. c. d. e. f. g. h.",
    "capital letters": "THE SHIP SAILS. WHO WAITS?",
    "one word a line": "\n".join(["ship"] * 500),
    "control characters between letters": "s\x01h\x02i\x03p\x04s",
    "nul between words": "ships\0sail\0",
    "form feeds": "a\f\f\fb\f",
    "joiners": "\u200d\u200d\u200d a\u200db",
    "byte order marks inside": "\ufeffa \ufeff b\ufeff",
    "tabs in a row": "a\t\t\t\tb",
    "same word": "the " * 3000,
    "same sentence": "Ships sail. " * 1000,
    "one long word": "a" * LONG,
    "one long number": "9" * LONG,
    "a long line without an end": "ships sail " * 2000,
    "many short lines": "a\n" * 5000,
    "many spaces": " " * LONG + "a" + " " * LONG,
    "many stops": "a" + "." * LONG,
    "many apostrophes": "'" * LONG,
    "many at signs": "a@" * (LONG // 2),
    "many brackets": "(" * LONG + ")" * LONG,
    "many quotes": '"' * LONG,
    "many dashes": "-" * LONG,
    "many combining marks": "a" + "\u0301" * LONG,
    "many emoji": "\U0001f600" * 5000,
    "many initials": "A. " * 5000,
    "many line feeds": "\n" * LONG,
    "many carriage returns": "\r" * LONG,
    "many form feeds": "\f" * 2000,
    "many nuls": "\0" * LONG,
    "alternating case": "aB" * 5000,
    "every latin letter": "".join(map(chr, range(0x20, 0x250))),
    "every symbol": "".join(map(chr, range(0x2000, 0x2C00))),
    "around the surrogates": "\ud7ff\ue000",
    "lone high surrogate": "ships \ud800 sail",
    "lone low surrogate": "ships \udfff sail",
    "surrogates the wrong way": "\udc00\ud800",
    "escaped byte": "caf\udce9",
}

TEXTS: dict[str, str] = {
    **_SHAPES,
    **_SCRIPTS,
    **{f"{name} alone": c for name, c in _CHARACTERS.items()},
    **{f"{name} within": f"Ships{c}sail {c} far. {c}" for name, c in _CHARACTERS.items()},
}
BYTES: dict[str, bytes] = {
    "latin-1": b"caf\xe9 na\xefve",
    "utf-16": "Ships sail.".encode("utf-16"),
    "utf-32": "Ships sail.".encode("utf-32"),
    "byte order mark": b"\xef\xbb\xbfShips sail.",
    "cut character": "Ships 樹".encode()[:-1],
    "lone continuation": b"a \x80 b",
    "overlong slash": b"\xc0\xaf",
    "overlong nul": b"\xe0\x80\x80",
    "surrogate in utf-8": b"\xed\xa0\x80",
    "beyond unicode": b"\xf4\x90\x80\x80",
    "five bytes": b"\xf8\x88\x80\x80\x80",
    "ff": b"\xff" * 100,
    "all bytes": bytes(range(256)),
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
    "zip": b"PK\x03\x04" + b"\0" * 26,
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "elf": b"\x7fELF\x02\x01\x01" + b"\0" * 9,
}
WORDS: dict[str, Any] = {
    "nothing": [],
    "an empty sentence": [[]],
    "an empty word": [[""]],
    "a space as a word": [[" "]],
    "a word with spaces": [["New York", "sleeps"]],
    "a tab in a word": [["a\tb"]],
    "a line end in a word": [["a\nb"]],
    "a nul in a word": [["a\0b"]],
    "a surrogate in a word": [["a", "\ud800"]],
    "underscores": [["_", "_", "_"]],
    "hashes": [["#", "# text = a"]],
    "ids": [["1-2", "1.1", "0"]],
    "a long word": [["a" * LONG]],
    "a long sentence": [["a"] * LONG],
    "many sentences": [["a"]] * 5000,
    "a flat list": ["a", "b"],
    "a list of letters": [list("ships"), list("sail")],
}


def everything() -> Iterator[tuple[str, Any]]:
    """All of them, by name."""
    for kind, inputs in (("text", TEXTS), ("bytes", BYTES), ("words", WORDS)):
        yield from ((f"{kind}: {name}", value) for name, value in inputs.items())


def random_text(draw: random.Random) -> str:
    """A short text of anything: letters, words, control characters, scripts, nonsense."""
    parts = []
    for _ in range(draw.randrange(12)):
        choice = draw.randrange(6)
        if choice == 0:
            parts.append(draw.choice(list(_CHARACTERS.values())) * draw.randrange(1, 4))
        elif choice == 1:
            parts.append(draw.choice(list(_SCRIPTS.values()))[: draw.randrange(1, 20)])
        elif choice == 2:
            parts.append("".join(chr(draw.randrange(0x20, 0x300)) for _ in range(draw.randrange(8))))
        elif choice == 3:
            parts.append(chr(draw.choice((draw.randrange(0xD800), draw.randrange(0xE000, 0x110000)))))
        else:
            parts.append(draw.choice(("Ships", "sail", "the", "la", "U.S.", "can't", "x@y.z", "3.5", "–")))
        parts.append(draw.choice(("", " ", " ", "\n", ". ")))
    return "".join(parts)
