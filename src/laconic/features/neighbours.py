"""Neighbour rules: which features a search looks at next, given those that it has (nilsson2010, table 2).

A rule file has one rule a line, ``pattern: successors``. A pattern is a node (``STACK0``; ``STACKn`` for any higher
index, ``TOKEN+n`` and ``TOKEN-n`` for any to the right or left) or, as ``* h``, any path that ends in a step.
Successors are attributes of addresses, ``POS|LEX(self | self h | QUEUE0)``: ``self`` is the address of the feature,
``self h`` a step from it, ``self+1`` the next index. ``start`` names the features that a search begins with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from typing import Literal

from laconic._core.features import MAX_STEPS
from laconic.errors import ConfigError, InputError, choices
from laconic.features.files import read_text
from laconic.features.kinds import KINDS, Kind
from laconic.features.language import Address, Term, print_term
from laconic.features.parser import LETTERS, WORD, TemplateLine, parse_template

SHIPPED = {
    "nilsson2010": KINDS["transition"],
    "transition": KINDS["transition"],
    "token": KINDS["token"],
    "stepback": KINDS["stepback"],
    "edge": KINDS["edge"],
    "node": KINDS["node"],
    "candidate": KINDS["candidate"],
}
SUFFIX = ".neighbours"
CHILD_STEPS = ("lc", "rc", "lc2", "rc2", "fc", "ec", "fc2", "ec2")
UNDONE_BY = {"pw": "fw", "fw": "pw", "ls": "rs", "rs": "ls"} | dict.fromkeys(CHILD_STEPS, "h")
"""The step that leads back to where a step came from."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a successor is read: a node, or with ``node`` empty the address of the feature, ``shift`` indices on."""

    node: str = ""
    shift: int = 0
    path: tuple[str, ...] = ()

    def resolve(self, origin: Address) -> Address:
        if self.node:
            return Address(self.node, self.shift, self.path)
        return Address(origin.node, origin.index + self.shift, origin.path + self.path)

    def print(self, kind: Kind) -> str:
        if self.node:
            return " ".join((kind.nodes[self.node].print(self.shift), *self.path))
        return " ".join((f"self{self.shift:+d}" if self.shift else "self", *self.path))


@dataclass(frozen=True, slots=True)
class Successors:
    """Attributes, each at every one of the targets. An attribute is given as a term whose address says nothing."""

    attributes: tuple[Term, ...]
    targets: tuple[Target, ...]

    def of(self, origin: Address) -> Iterator[Term]:
        for target in self.targets:
            address = target.resolve(origin)
            for one in self.attributes:
                yield Term(one.attribute, address, one.number, one.name)

    def print(self, kind: Kind) -> str:
        names = "|".join(kind.attributes[one.attribute].print(one.number, one.name) for one in self.attributes)
        return f"{names}({' | '.join(target.print(kind) for target in self.targets)})"


@dataclass(frozen=True, slots=True)
class Pattern:
    """The addresses that a rule is about: one index of a node or all to one side of 0, or paths that end in a step."""

    node: str = ""
    index: int = 0
    beyond: Literal["", "n", "+n", "-n"] = ""
    step: str = ""

    def matches(self, address: Address) -> bool:
        if self.step:
            return address.path[-1:] == (self.step,)
        if address.path or address.node != self.node:
            return False
        if self.beyond:
            return address.index < 0 if self.beyond == "-n" else address.index > 0
        return address.index == self.index

    def example(self, kind: Kind) -> Address:
        """The first address that it matches."""
        if self.step:
            node = next(node for node in kind.nodes.values() if node.name != "STATE" and not node.many)
            return Address(node.name, 0, (self.step,))
        return Address(self.node, {"": self.index, "-n": -1}.get(self.beyond, 1))

    def print(self, kind: Kind) -> str:
        if self.step:
            return f"* {self.step}"
        return self.node + self.beyond if self.beyond else kind.nodes[self.node].print(self.index)


@dataclass(frozen=True, slots=True)
class NeighbourRule:
    pattern: Pattern
    successors: tuple[Successors, ...]


@dataclass(frozen=True)
class Neighbours:
    """The rules of one context kind. The first rule whose pattern matches a feature's address is its rule."""

    kind: Kind
    start: tuple[Term, ...]
    rules: tuple[NeighbourRule, ...]
    start_text: str

    def successors(self, feature: Term) -> tuple[Term, ...]:
        """The neighbours of one feature, without itself. Those that the language cannot say, because a path or an index
        ends, are left out."""
        for rule in self.rules:
            if rule.pattern.matches(feature.address):
                found = dict.fromkeys(term for some in rule.successors for term in some.of(feature.address))
                return tuple(term for term in found if term != feature and self._can_say(term))
        return ()

    def of_set(self, features: Sequence[Term]) -> tuple[Term, ...]:
        """What the features of a set have as neighbours, without the set; of an empty set the start."""
        if not features:
            return self.start
        have = set(features)
        found = dict.fromkeys(term for feature in features for term in self.successors(feature))
        return tuple(term for term in found if term not in have)

    def attributes(self) -> tuple[Term, ...]:
        """Every attribute that a rule can lead to, as terms whose addresses say nothing."""
        rules = (one for rule in self.rules for some in rule.successors for one in some.attributes)
        return tuple(dict.fromkeys((*(term.bare for term in self.start), *rules)))

    def _can_say(self, term: Term) -> bool:
        node = self.kind.nodes[term.address.node]
        left = self.kind.attributes[term.attribute].left
        index = term.address.index
        return (
            node.lowest <= index <= node.highest
            and len(term.address.path) <= MAX_STEPS
            and (not left or -left <= index < 0)
        )

    def __str__(self) -> str:
        lines = [f"start: {self.start_text}"]
        for rule in self.rules:
            said = ", ".join(some.print(self.kind) for some in rule.successors)
            lines.append(f"{rule.pattern.print(self.kind)}: {said}")
        return "\n".join(lines) + "\n"


def parse_neighbours(text: str, kind: Kind, file: str = "") -> Neighbours:
    """Rules from the text of a file; ``#`` starts a comment.

    Raises InputError with file, line and column, quoting the line: for what the context kind does not know, a pattern
    or a successor that is there twice, a step that leads back to where the last one came from, and without ``start``.
    """
    start: tuple[Successors, ...] | None = None
    rules: list[NeighbourRule] = []
    lines: dict[Pattern, int] = {}
    for number, raw in enumerate(text.split("\n"), 1):
        line = RuleLine(raw.removesuffix("\r"), kind, file, number)
        if line.empty():
            continue
        if line.starts():
            if start is not None:
                raise line.fault("there is a start already", line.start)
            start = line.successors(None)
            continue
        pattern = line.pattern()
        if pattern in lines:
            raise line.fault(f"there is a rule for this already, in line {lines[pattern]}", line.start)
        lines[pattern] = number
        rules.append(NeighbourRule(pattern, line.successors(pattern)))
    if start is None:
        raise InputError("rules need a line 'start: ...' that says what a search begins with", file, 1)
    terms = tuple(term for some in start for term in some.of(Address("")))
    return Neighbours(kind, terms, tuple(rules), ", ".join(some.print(kind) for some in start))


def load_neighbours(name: str) -> Neighbours:
    """Shipped rules by their name; ConfigError, with what exists, if there are none."""
    if name not in SHIPPED:
        raise ConfigError(f"there are no shipped neighbour rules '{name}'; there are {choices(name, SHIPPED)}")
    file = name + SUFFIX
    text = resources.files("laconic.features").joinpath("rules", file).read_text(encoding="utf-8")
    return parse_neighbours(text, SHIPPED[name], file)


def chosen_neighbours(rules: str, kind: Kind) -> Neighbours:
    """What a user says: the name of shipped rules, or a path that ends in ``.neighbours``."""
    if rules.endswith(SUFFIX):
        return parse_neighbours(read_text(rules), kind, rules)
    chosen = load_neighbours(rules)
    if chosen.kind is not kind:
        raise ConfigError(f"the neighbour rules '{rules}' are for {chosen.kind.name}, not for {kind.name} contexts")
    return chosen


class RuleLine(TemplateLine):
    """A line of a rule file and how far it has been read."""

    def starts(self) -> bool:
        if not self.text.startswith("start", self.at, self.end):
            return False
        self.at += len("start")
        return True

    def pattern(self) -> Pattern:
        if self._peek() == "*":
            self.at += 1
            self._skip()
            return Pattern(step=self._step())
        at = self.at
        name = self._run(LETTERS)
        # STACKn: the n is a letter too.
        node = self.kind.nodes.get(name.removesuffix("n"))
        if node is not None and name.endswith("n") and node.lowest == 0 < node.highest:
            return Pattern(node.name, beyond="n")
        self.at = at + len(name)
        if node is not None and node.lowest < 0:
            for beyond in ("+n", "-n"):
                if self.text.startswith(beyond, self.at, self.end):
                    self.at += len(beyond)
                    return Pattern(node.name, beyond=beyond)
        self.at = at
        address = self._node(at)
        return Pattern(address.node, address.index)

    def successors(self, pattern: Pattern | None) -> tuple[Successors, ...]:
        """What stands behind the colon; for a start, which has no pattern, without ``self``."""
        self._skip()
        self._expect(":", "expected ':' and successors")
        origin = None if pattern is None else pattern.example(self.kind)
        found: list[Successors] = []
        seen: set[Term] = set()
        while True:
            self._skip()
            at = self.at
            one = self._entry(pattern)
            for term in one.of(origin or Address("")):
                if term in seen:
                    raise self.fault(f"{print_term(term, self.kind)} is a successor already", at)
                seen.add(term)
                self._check(term, at)
            found.append(one)
            self._skip()
            if self.at == self.end:
                return tuple(found)
            self._expect(",", "expected ',' and more successors, or the end of the line")

    def _check(self, term: Term, at: int) -> None:
        text = print_term(term, self.kind)
        try:
            parse_template(text, self.kind)
        except InputError as error:
            raise self.fault(f"{text}: {error.reason.splitlines()[0]}", at) from None

    def _entry(self, pattern: Pattern | None) -> Successors:
        attributes = [self._bare()]
        while self._peek() == "|":
            self.at += 1
            attributes.append(self._bare())
        self._expect("(", "expected '|' and another attribute, or '(' and an address")
        targets = []
        while True:
            self._skip()
            targets.append(self._target(pattern))
            self._skip()
            if self._peek() != "|":
                break
            self.at += 1
        self._expect(")", "expected ')', '|' and another address, or another step")
        return Successors(tuple(attributes), tuple(targets))

    def _bare(self) -> Term:
        attribute, number, name = self._attribute()
        return Term(attribute.name, Address(""), number, name)

    def _target(self, pattern: Pattern | None) -> Target:
        at = self.at
        if not self.text.startswith("self", at, self.end):
            address = self._node(at)
            return Target(address.node, address.index, tuple(self._path()))
        if pattern is None:
            raise self.fault("a start has no self: name the node", at)
        self.at += len("self")
        shift = 0
        sign = self._peek()
        if sign in ("+", "-"):
            if pattern.step:
                raise self.fault("the end of a path has no index: name a step", self.at)
            self.at += 1
            shift = (self._integer() or 0) * (1 if sign == "+" else -1)
            if shift == 0:
                raise self.fault(f"expected a number from 1 on after '{sign}'", self.at)
        path = tuple(self._path())
        whole = ((pattern.step,) if pattern.step else ()) + path
        for step, following in pairwise(whole):
            if UNDONE_BY.get(step) == following:
                raise self.fault(f"{following} after {step} leads back to where {step} came from", at)
        return Target("", shift, path)

    def _node(self, at: int) -> Address:
        name = self._run(LETTERS)
        if name not in self.kind.nodes:
            shown = [node.spelling for node in self.kind.nodes.values()]
            raise self._unknown("node", name, list(self.kind.nodes), shown, at)
        return Address(name, self._index(name, at))

    def _step(self) -> str:
        at = self.at
        step = self._run(WORD)
        if step not in self.kind.steps:
            if not self.kind.steps:
                raise self.fault(f"contexts of kind {self.kind.name} have no paths", at)
            raise self._unknown("step", step, list(self.kind.steps), list(self.kind.steps), at)
        return step
