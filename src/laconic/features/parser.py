"""Reads templates. One pass from left to right, no backtracking; every fault is an InputError that points at it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from laconic._core.features import MAX_STEPS
from laconic.errors import InputError, nearest
from laconic.features.kinds import Attribute, Kind
from laconic.features.language import GROUP, Address, Template, TemplateSet, Term

LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_")
DIGITS = frozenset("0123456789")
WORD = LETTERS | DIGITS
NAME = WORD | frozenset("-.[]")
BLANK = frozenset(" \t")
MAX_DIGITS = 4
MAX_QUOTE = 100


def parse_template(text: str, kind: Kind) -> Template:
    """One template from its text. Linear in the text; raises InputError (line 1, and the column) on anything else."""
    return TemplateLine(text, kind, "", 1).template()


@lru_cache(maxsize=64)  # a model is built from its few sets, each of which is asked for several times
def parse_set(text: str, kind: Kind, file: str = "") -> TemplateSet:
    """A template set from the text of a file: one template a line, ``#`` starts a comment, the order is meaning. A line
    ``# group`` ends a group of templates.

    Raises InputError with file, line and column, quoting the line, at the first fault; a template that joins the same
    terms as an earlier one is a fault.
    """
    templates: list[Template] = []
    groups: list[int] = []
    lines: dict[frozenset[Term], int] = {}
    for number, raw in enumerate(text.split("\n"), 1):
        line = TemplateLine(raw.removesuffix("\r"), kind, file, number)
        if line.empty():
            if line.text.strip() == GROUP and len(templates) > (groups[-1] if groups else 0):
                groups.append(len(templates))
            continue
        template = line.template()
        terms = frozenset(template.terms)
        if terms in lines:
            raise line.fault(f"this template is there already, in line {lines[terms]}", line.start)
        lines[terms] = number
        templates.append(template)
    return TemplateSet(kind, tuple(templates), tuple(depth for depth in groups if depth < len(templates)))


class TemplateLine:
    """A line and how far it has been read."""

    def __init__(self, text: str, kind: Kind, file: str, number: int) -> None:
        self.text = text
        self.kind = kind
        self.file = file
        self.number = number
        self.at = 0
        self.end = _comment(text)
        self._skip()
        self.start = self.at

    def empty(self) -> bool:
        return self.at == self.end

    def template(self) -> Template:
        terms: dict[Term, None] = {}
        while True:
            self._skip()
            start = self.at
            term = self._term()
            if term in terms:
                raise self.fault("this term is in the template already", start)
            terms[term] = None
            self._skip()
            if self.at == self.end:
                return Template(self.kind, tuple(terms))
            self._expect("&", "expected '&' and another term, or the end of the line")

    def fault(self, reason: str, at: int) -> InputError:
        return InputError(f"{reason}\n{_quote(self.text, at)}", self.file, self.number, at + 1)

    def _term(self) -> Term:
        attribute, number, name = self._attribute()
        self._expect("(", f"expected '(' and a node after {attribute.name}")
        self._skip()
        address = self._address(attribute, start=self.at)
        self._skip()
        self._expect(")", "expected ')'" + (", or another step" if self.kind.steps and not address.children else ""))
        return Term(attribute.name, address, number, name)

    def _attribute(self) -> tuple[Attribute, int, str]:
        start = self.at
        name = self._run(LETTERS)
        attribute = self.kind.attributes.get(name)
        if attribute is None:
            names = [attribute.spelling for attribute in self.kind.attributes.values()]
            raise self._unknown("attribute", name, list(self.kind.attributes), names, start)
        if attribute.named:
            self._expect(":", f"{attribute.name} needs a name: {attribute.spelling}")
            at = self.at
            argument = self._run(NAME)
            if not argument:
                raise self.fault(f"{attribute.name} needs a name: {attribute.spelling}", at)
            if attribute.numbers and self._peek() == "/":
                self.at += 1
                return attribute, self._number(attribute), argument
            return attribute, 0, argument
        if attribute.numbers:
            return attribute, self._number(attribute), ""
        if self._peek() in DIGITS:
            raise self.fault(f"{attribute.name} takes no number", self.at)
        return attribute, 0, ""

    def _number(self, attribute: Attribute) -> int:
        at = self.at
        number = self._integer()
        if number is None or number not in attribute.numbers:
            lowest, highest = attribute.numbers[0], attribute.numbers[-1]
            raise self.fault(f"{attribute.name} needs a number from {lowest} to {highest}: {attribute.spelling}", at)
        return number

    def _address(self, attribute: Attribute, start: int) -> Address:
        if self.text.startswith("CHILDREN", self.at, self.end) and self.kind.children:
            self.at += len("CHILDREN")
            self._skip()
            self._expect("(", "expected '(' and a node after CHILDREN")
            self._skip()
            inner = self._address_inside(attribute, start)
            self._skip()
            self._expect(")", "expected ')' to close CHILDREN, or another step")
            if len(inner.path) >= MAX_STEPS:
                raise self.fault(f"inside of CHILDREN a path has at most {MAX_STEPS - 1} steps", start)
            return Address(inner.node, inner.index, inner.path, True)
        return self._address_inside(attribute, start)

    def _address_inside(self, attribute: Attribute, start: int) -> Address:
        at = self.at
        name = self._run(LETTERS)
        node = self.kind.nodes.get(name)
        if node is None:
            sets = ["CHILDREN"] if self.kind.children and start == at else []
            shown = [node.spelling for node in self.kind.nodes.values()] + [f"{name}(...)" for name in sets]
            raise self._unknown("node", name, [*self.kind.nodes, *sets], shown, at)
        index = self._index(node.name, at)
        if node.name not in attribute.nodes:
            raise self.fault(f"{attribute.name} is an attribute of {', '.join(attribute.nodes)} only", at)
        if attribute.left and index >= 0:
            left = node.print(-1)
            raise self.fault(f"{attribute.name} is known only to the left: {left}, {node.print(-2)}, ...", at)
        if attribute.left and index < -attribute.left:
            raise self.fault(f"{attribute.name} is known back to {node.print(-attribute.left)}", at)
        path = tuple(self._path())
        if (path or start != at) and (node.name == "STATE" or node.many):
            raise self.fault(f"no path leads from {node.name}", at)
        return Address(node.name, index, path)

    def _index(self, name: str, start: int) -> int:
        node = self.kind.nodes[name]
        at = self.at
        sign = self._peek()
        if sign in ("+", "-") and node.lowest < 0:
            self.at += 1
            number = self._integer()
            limit = node.highest if sign == "+" else -node.lowest
            if limit == 0:
                raise self.fault(f"{name} goes no farther than {node.print(0)}: {node.print(-1)}, ...", at)
            if number is None or not 1 <= number <= limit:
                raise self.fault(f"expected a number from 1 to {limit} after '{sign}'", at + 1)
            return number if sign == "+" else -number
        number = self._integer()
        wanted = f"{node.print(0)}, {node.print(1)}, ..." if node.highest else node.print(0)
        if number is None and node.zero:
            raise self.fault(f"{name} needs a number: {wanted}", start)
        if number is None:
            return 0
        if node.lowest < 0 and (number != 0 or not node.zero):
            example = ", ".join(node.print(index) for index in (-1, 0, 1) if index <= node.highest)
            raise self.fault(f"{name} is written with a sign: {example}, ...", at)
        if number > node.highest:
            raise self.fault(
                f"{name} goes up to {node.highest}: {wanted}" if node.highest else f"{name} takes no number", at
            )
        return number

    def _path(self) -> Iterable[str]:
        count = 0
        while True:
            before = self.at
            self._skip()
            at = self.at
            step = self._run(WORD)
            if not step:
                return
            if step not in self.kind.steps:
                if not self.kind.steps:
                    raise self.fault(f"templates of kind {self.kind.name} have no paths: expected ')'", at)
                raise self._unknown("step", step, list(self.kind.steps), list(self.kind.steps), at)
            if before == at:
                raise self.fault("expected a space before a step", at)
            count += 1
            if count > MAX_STEPS:
                raise self.fault(f"a path has at most {MAX_STEPS} steps", at)
            yield step

    def _unknown(self, what: str, name: str, exact: list[str], shown: list[str], at: int) -> InputError:
        if not name:
            return self.fault(f"expected a{'n' if what == 'attribute' else ''} {what}: one of {', '.join(shown)}", at)
        name = name if len(name) <= MAX_QUOTE else name[:MAX_QUOTE] + "..."
        meant = nearest(name, exact, cutoff=0.5)
        hint = f"; did you mean {meant}?" if meant else "."
        return self.fault(
            f"unknown {what} '{name}'{hint} Templates of kind {self.kind.name} have {', '.join(shown)}", at
        )

    def _peek(self) -> str:
        return self.text[self.at] if self.at < self.end else ""

    def _skip(self) -> None:
        while self.at < self.end and self.text[self.at] in BLANK:
            self.at += 1

    def _run(self, allowed: frozenset[str]) -> str:
        start = self.at
        while self.at < self.end and self.text[self.at] in allowed:
            self.at += 1
        return self.text[start : self.at]

    def _integer(self) -> int | None:
        """Digits without a leading zero; None if there are none or they do not make a sensible number."""
        start = self.at
        digits = self._run(DIGITS)
        if not digits or len(digits) > MAX_DIGITS or (len(digits) > 1 and digits[0] == "0"):
            if digits:
                raise self.fault(f"expected a number without leading zeros, of at most {MAX_DIGITS} digits", start)
            return None
        return int(digits)

    def _expect(self, char: str, reason: str) -> None:
        if self._peek() != char:
            raise self.fault(reason, self.at)
        self.at += 1


def _comment(text: str) -> int:
    """Where a line ends: before its comment and the blanks that lead to it."""
    end = text.find("#")
    end = len(text) if end < 0 else end
    while end > 0 and text[end - 1] in BLANK:
        end -= 1
    return end


def _quote(text: str, at: int) -> str:
    """The line with a caret under a column; of a long line the part around it."""
    start = max(0, at - MAX_QUOTE // 2) if len(text) > MAX_QUOTE else 0
    piece = text[start : start + MAX_QUOTE]
    shown = "".join(char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in piece)
    pad = "".join("\t" if char == "\t" else " " for char in shown[: at - start])
    return f"    {shown}\n    {pad}^"
