"""The language of patterns: Semgrex's nodes and relations, read into a tree. docs/query.md describes it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn

from laconic.errors import InputError, choices

Presence = Literal["must", "must_not", "may"]
GroupKind = Literal["all", "any", "negated", "optional"]

ATTRIBUTES = {
    "form": "form",
    "word": "form",
    "text": "form",
    "lower": "lower",
    "lemma": "lemma",
    "upos": "upos",
    "cpos": "upos",
    "xpos": "xpos",
    "tag": "xpos",
    "pos": "xpos",
    "feats": "feats",
    "morphofeatures": "feats",
    "deprel": "deprel",
    "deps": "deps",
    "misc": "misc",
    "entity": "entity",
    "ner": "entity",
    "id": "id",
    "idx": "id",
}
"""What attributes are called, Semgrex's names among them, and what they are."""
WITH_ENTRIES = ("feats", "misc")
LABELLED = ("<<", ">>", "<>", "<++", "<--", ">++", ">--", "<+", "<-", ">+", ">-", "<", ">")
UNLABELLED = ("==", "..", ".", "--", "-", "$++", "$--", "$+", "$-")
OPERATORS = sorted((*LABELLED, *UNLABELLED), key=len, reverse=True)
CHAINS = ("<<", ">>")
LONGEST = 10_000
"""Characters of a pattern: what is longer was not written by anybody."""
DEEPEST = 100
ENDLESS = 2**32 - 1


@dataclass(frozen=True)
class Condition:
    """What a value must be: one of ``values``, matched by ``regex``, or, with neither, anything."""

    source: str
    key: str = ""
    """Of an entry of FEATS or MISC."""
    presence: Presence = "must"
    values: tuple[str, ...] = ()
    regex: str | None = None
    ignore_case: bool = False
    anywhere: bool = False
    """The expression may match a part of the value."""
    place: int = 0
    """Where the expression begins in the pattern, for errors in it."""


@dataclass(frozen=True)
class NodePattern:
    conditions: tuple[Condition, ...] = ()
    negated: bool = False
    name: str | None = None
    relations: Expression | None = None


@dataclass(frozen=True)
class RelationPattern:
    operator: str
    node: NodePattern
    label: Condition | None = None
    least: int = 1
    most: int = ENDLESS
    name: str | None = None
    """Of the arc that it goes along."""
    same_arc: bool = False
    """Where the name comes again, it is the same arc (``~name``), not one with the same label (``=name``)."""


@dataclass(frozen=True)
class GroupPattern:
    kind: GroupKind
    parts: tuple[Expression, ...]


Expression = RelationPattern | GroupPattern


def parsed(pattern: str) -> list[NodePattern]:
    """The parts of a pattern. InputError, which points at the column, for what cannot be read."""
    return _Parser(pattern).parts()


def fault(pattern: str, at: int, reason: str) -> InputError:
    """An error that shows the line of the pattern and points at the place."""
    begin = pattern.rfind("\n", 0, at) + 1
    line = pattern[begin:].partition("\n")[0]
    number, column = pattern.count("\n", 0, at) + 1, at - begin + 1
    shown, shift = (line, 0) if len(line) <= 100 else (line[max(0, column - 60) :][:100], max(0, column - 60))
    pointed = "".join(char if char.isprintable() else " " for char in shown)
    return InputError(f"{reason}\n  {pointed}\n  {' ' * (column - 1 - shift)}^", "pattern", number, column)


@dataclass
class _Parser:
    text: str
    at: int = 0
    depth: int = 0
    negations: int = 0
    names: dict[str, str] = field(default_factory=dict)
    """What each name is of."""

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        raise fault(self.text, self.at if at is None else at, reason)

    def parts(self) -> list[NodePattern]:
        if len(self.text) > LONGEST:
            self.fail(f"a pattern of more than {LONGEST:,} characters", 0)
        half = next((at for at, sign in enumerate(self.text) if "\ud800" <= sign <= "\udfff"), None)
        if half is not None:
            self.fail("half of a character, which no text in UTF-8 has", half)
        found = [self.node_with_relations()]
        while self.take(":"):
            if self.here() == ":":
                self.fail("commands behind :: are not part of this language")
            found.append(self.node_with_relations())
        if self.at < len(self.text):
            self.fail(f"expected a relation, one of {' '.join(OPERATORS)}, or the end")
        return found

    # Signs

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def here(self) -> str:
        self.skip()
        return self.text[self.at : self.at + 1]

    def take(self, sign: str) -> bool:
        self.skip()
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True

    def expect(self, sign: str, what: str) -> None:
        if not self.take(sign):
            self.fail(f"expected {what}")

    def run_of(self, extra: str) -> str:
        begin = self.at
        while self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in extra):
            self.at += 1
        return self.text[begin : self.at]

    # Nodes

    def node_with_relations(self) -> NodePattern:
        node = self.node()
        relations = self.relations()
        if relations is None:
            return node
        both = relations if node.relations is None else GroupPattern("all", (node.relations, relations))
        return replace(node, relations=both)

    def node(self) -> NodePattern:
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail("nested too deeply")
        if self.take("("):
            found = self.node_with_relations()
            self.expect(")", "a relation or )")
        else:
            found = self.description()
        self.depth -= 1
        return found

    def description(self) -> NodePattern:
        negated = self.take("!")
        self.expect("{", "a node: {…}, or (…)")
        conditions: list[Condition] = []
        while not self.take("}"):
            if self.take("$"):
                conditions.append(Condition("root"))
            else:
                conditions += self.conditions()
            self.end_of_condition()
        self.no_group()
        name = None
        if self.text.startswith("=", self.at) and not self.text.startswith("==", self.at):
            name = self.name("a word")
        return NodePattern(tuple(conditions), negated, name)

    def name(self, of: str) -> str:
        """Behind the sign that stands here."""
        begin = self.at
        self.at += 1
        name = self.run_of("_")
        if not name:
            self.fail("expected a name")
        if self.negations:
            self.fail("what is negated is never found and cannot have a name", begin)
        if self.names.setdefault(name, of) != of:
            self.fail(f"{name} is the name of {self.names[name]} already, and here of {of}", begin)
        return name

    def conditions(self) -> list[Condition]:
        """Of one attribute; several where its entries are given: ``feats:{Case:Nom;Number:Sing}``."""
        self.skip()
        begin = self.at
        key = self.run_of("_")
        if not key:
            self.fail("expected an attribute, as in {lemma:cat}")
        if key not in ATTRIBUTES:
            self.fail(f"no attribute {key!r}: there are {choices(key, ATTRIBUTES)}", begin)
        source = ATTRIBUTES[key]
        presence = self.presence()
        if self.here() != "{":
            return [self.value(Condition(source, presence=presence))]
        if source not in WITH_ENTRIES or presence != "must":
            self.fail("entries {…} are for feats: and misc: alone")
        self.take("{")
        found = []
        while not self.take("}"):
            self.skip()
            entry = self.run_of("_[]-")
            if not entry:
                self.fail("expected an entry, as in feats:{Case:Nom}")
            found.append(self.value(Condition(source, entry, self.presence())))
            self.end_of_condition()
        return found

    def end_of_condition(self) -> None:
        self.no_group()
        if self.here() not in (";", "}"):
            self.fail("expected ; or }")
        self.take(";")

    def no_group(self) -> None:
        if self.here() == "#":
            self.fail("variable groups (#1%x) are not part of this language")

    def presence(self) -> Presence:
        if self.take("!:"):
            return "must_not"
        if self.take("?:"):
            return "may"
        self.expect(":", ":, !: or ?:")
        return "must"

    def value(self, condition: Condition) -> Condition:
        sign = self.here()
        if sign == "/":
            return self.expression(condition)
        if sign == '"':
            return replace(condition, values=(self.quoted(),))
        begin = self.at
        while self.at < len(self.text) and self.text[self.at] not in ";}":
            self.at += 1
        value = self.text[begin : self.at].strip()
        if not value:
            self.fail("expected a value: a word, /an expression/, or __ for any", begin)
        return condition if value == "__" else replace(condition, values=(value,))

    def quoted(self) -> str:
        begin = self.at
        self.at += 1
        found = ""
        while True:
            sign = self.text[self.at : self.at + 1]
            self.at += 1
            if sign == "\\":
                sign = self.text[self.at : self.at + 1]
                self.at += 1
            elif sign == '"':
                return found
            if not sign:
                self.fail('a " without its end', begin)
            found += sign

    def expression(self, condition: Condition) -> Condition:
        begin = self.at
        self.at += 1
        while self.at < len(self.text) and self.text[self.at] != "/":
            self.at += 2 if self.text[self.at] == "\\" else 1
        if self.at >= len(self.text):
            self.fail("a / without its end", begin)
        regex = self.text[begin + 1 : self.at]
        self.at += 1
        ignore_case = self.text.startswith("i", self.at)
        self.at += ignore_case
        return replace(condition, regex=regex, ignore_case=ignore_case, place=begin + 1)

    # Relations

    def relations(self) -> Expression | None:
        first = self.conjunction()
        if first is None:
            return None
        found = [first]
        while self.take("|"):
            next_one = self.conjunction()
            if next_one is None:
                self.fail("expected a relation behind |")
            found.append(next_one)
        return found[0] if len(found) == 1 else GroupPattern("any", tuple(found))

    def conjunction(self) -> Expression | None:
        found: list[Expression] = []
        while True:
            joined = bool(found) and self.take("&")
            one = self.relation()
            if one is None:
                if joined:
                    self.fail("expected a relation behind &")
                break
            found.append(one)
        if not found:
            return None
        return found[0] if len(found) == 1 else GroupPattern("all", tuple(found))

    def relation(self) -> Expression | None:
        kind: GroupKind | None = "negated" if self.take("!") else "optional" if self.take("?") else None
        self.negations += kind == "negated"
        inner: Expression | None
        if self.take("["):
            begin = self.at - 1
            self.depth += 1
            if self.depth > DEEPEST:
                self.fail("nested too deeply")
            inner = self.relations()
            if inner is None:
                self.fail("expected a relation in [ ]", begin)
            self.expect("]", "a relation or ]")
            self.depth -= 1
        else:
            inner = self.single()
            if inner is None and kind is not None:
                self.fail("expected a relation")
        self.negations -= kind == "negated"
        return inner if kind is None or inner is None else GroupPattern(kind, (inner,))

    def single(self) -> Expression | None:
        self.skip()
        begin = self.at
        least, most = self.distance()
        operator = next((one for one in OPERATORS if self.text.startswith(one, self.at)), None)
        if operator is None:
            if self.at != begin:
                self.fail("expected << or >> behind a distance")
            if self.here() == "@":
                self.fail("alignments (@) are not part of this language")
            return None
        if self.at != begin and operator not in CHAINS:
            self.fail("a distance is for << and >>")
        self.at += len(operator)
        label = self.label() if operator in LABELLED else None
        self.skip()
        self.no_group()
        name, same_arc = None, self.here() == "~"
        if same_arc or self.here() == "=":
            if operator not in LABELLED:
                self.fail("only relations along arcs have names: name the words")
            name = self.name("an edge" if same_arc else "a relation")
        return RelationPattern(operator, self.node(), label, least, most, name, same_arc)

    def distance(self) -> tuple[int, int]:
        """``x,y`` in front of << or >>."""
        begin = self.at
        bounds = []
        for end in (",", ""):
            digits = ""
            while self.at < len(self.text) and self.text[self.at] in "0123456789":
                digits += self.text[self.at]
                self.at += 1
            if not digits and self.at == begin:
                return 1, ENDLESS
            if not digits or len(digits) > 9:
                self.fail("expected a distance such as 2,3 in front of << or >>", begin)
            bounds.append(int(digits))
            if end and not self.take(end):
                self.fail("expected a distance such as 2,3 in front of << or >>", begin)
        if not 1 <= bounds[0] <= bounds[1]:
            self.fail("a distance counts arcs, from 1 on, the smaller number first", begin)
        return bounds[0], bounds[1]

    def label(self) -> Condition | None:
        """The label of the arc; None for any."""
        if self.text.startswith("%", self.at):
            self.at += 1
            return None
        if self.text.startswith("/", self.at):
            return self.expression(Condition("deprel"))
        if self.text.startswith('"', self.at):
            return Condition("deprel", values=(self.quoted(),))
        name = self.run_of("_:")
        return Condition("deprel", values=(name,)) if name else None
