"""The same definitions once more, in slow Python: hashes, and what a word shows of itself."""

from __future__ import annotations

import unicodedata

MASK = 2**64 - 1
NOTHING = 1


def scramble(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def absorb(key: int, block: int) -> int:
    turned = ((block << 32) | (block >> 32)) & MASK
    product = (key ^ block) * (turned ^ 0x9E3779B97F4A7C15)
    return ((product >> 64) ^ product) + block & MASK


def hash_bytes(raw: bytes) -> int:
    key = (0x2545F4914F6CDD1D * (len(raw) + 1)) & MASK
    for at in range(0, len(raw), 8):
        key = absorb(key, int.from_bytes(raw[at : at + 8], "little"))
    return scramble(key)


def atom(text: str | bytes) -> int:
    value = hash_bytes(text.encode() if isinstance(text, str) else text) >> 32
    return value if value > 1 else value + 2


def lower(text: str) -> str:
    return "".join("i" if char == "\u0130" else char.lower() for char in text)


def affix(form: str, size: int, *, suffix: bool) -> int:
    if size > len(form):
        return NOTHING
    return atom(lower(form[-size:] if suffix else form[:size]))


def sign(char: str) -> str:
    category = unicodedata.category(char)
    if char.isspace():
        return "_"
    if category[0] in "PS":
        return char if char.isascii() else category[0].lower()
    return {"Lu": "X", "Lt": "X", "Ll": "x", "Lm": "c", "Lo": "c"}.get(category, "d" if category[0] == "N" else "?")


def shape(form: str) -> str:
    signs = ""
    for char in form:
        if unicodedata.category(char)[0] != "M" and not signs.endswith(2 * sign(char)):
            signs += sign(char)
    return signs if len(signs) <= 12 else signs[:12] + "+"


def share(form: str, first: str) -> str:
    hits = [unicodedata.category(char)[0] in first and not char.isspace() for char in form]
    return "none" if not any(hits) else "all" if all(hits) else "some"


def casing(form: str) -> str:
    cased = "".join({"Lu": "U", "Lt": "U", "Ll": "l"}.get(unicodedata.category(char), "") for char in form)
    if not cased:
        return "none"
    if "U" not in cased:
        return "lower"
    if cased[0] == "U" and cased.count("U") == 1:
        return "title"
    return "mixed" if "l" in cased else "upper"
