"""Patterns over trees against a matcher that tries all words for all nodes, and what the language means."""

from __future__ import annotations

import pickle
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.command import laconic as laconic_command
from hypothesis import given, settings
from hypothesis import strategies as st

import laconic
from laconic._core.query import regex_matches
from laconic.corpus import Doc, Token, read, stream
from laconic.errors import InputError
from laconic.query import Match, Query
from laconic.query.syntax import (
    OPERATORS,
    Condition,
    Expression,
    GroupPattern,
    NodePattern,
    RelationPattern,
    parsed,
)

SAMPLE = Path(laconic.__file__).parent / "data" / "sample.conllu"
Bound = dict[str, Token]


# A matcher by definition: every word for every node


def holds(relation: RelationPattern, one: Token, other: Token) -> bool:
    if one.sentence != other.sentence:
        return False
    operator, label = relation.operator, relation.label
    child_of = {True: other.head_index == one.id, False: one.head_index == other.id}

    def labelled(token: Token) -> bool:
        return label is None or passes(label, token)

    gap = other.id - one.id
    siblings = one != other and one.head_index == other.head_index > 0
    down, up = child_of[True] and labelled(other), child_of[False] and labelled(one)
    place = {"++": gap > 0, "--": gap < 0, "+": gap == 1, "-": gap == -1}
    if operator in ("<<", ">>"):
        low, high = (one, other) if operator == "<<" else (other, one)
        above = low.ancestors
        return high in above and labelled(low) and relation.least <= above.index(high) + 1 <= relation.most
    simple = {
        "<": up,
        ">": down,
        "<>": up or down,
        "==": one == other,
        ".": gap == 1,
        "-": gap == -1,
        "..": gap > 0,
        "--": gap < 0,
    }
    if operator in simple:
        return simple[operator]
    return {"$": siblings, "<": up, ">": down}[operator[0]] and place[operator[1:]]


def value_of(condition: Condition, token: Token) -> str | None:
    source = condition.source
    if condition.key:
        return getattr(token, source).get(condition.key) or None
    if source == "entity":
        return token.entity.label if token.entity else None
    if source == "root":
        return "root" if token.head_index == 0 else None
    if source == "lower":
        return token.form.lower()
    value = str(getattr(token, source))
    return value if value != "_" or source == "form" else None


def passes(condition: Condition, token: Token) -> bool:
    value = value_of(condition, token)
    if condition.regex is not None:
        flags = re.IGNORECASE if condition.ignore_case else 0
        good = value is not None and re.fullmatch(condition.regex, value, flags) is not None
    elif condition.values:
        good = ("_" if value is None else value) in condition.values
    else:
        good = value is not None
    if condition.presence == "must_not":
        return not good
    return good or (condition.presence == "may" and value is None)


def bindings(node: NodePattern, word: Token, bound: Bound) -> Iterator[Bound]:
    if all(passes(condition, word) for condition in node.conditions) == node.negated:
        return
    if node.name is not None:
        if bound.get(node.name, word) != word:
            return
        bound = {**bound, node.name: word}
    if node.relations is None:
        yield bound
    else:
        yield from satisfied(node.relations, word, bound)


def arc_bindings(relation: RelationPattern, word: Token, other: Token, bound: Bound) -> Iterator[Bound]:
    """The name of a relation is bound to the word that depends."""
    if relation.name is None:
        yield bound
        return
    up = word.head_index == other.id if relation.operator == "<>" else relation.operator[0] == "<"
    arc = word if up else other
    before = bound.get(relation.name)
    if before is None:
        yield {**bound, relation.name: arc}
    elif before == arc or (not relation.same_arc and before.deprel == arc.deprel):
        yield bound


def satisfied(expression: Expression, word: Token, bound: Bound) -> Iterator[Bound]:
    if isinstance(expression, RelationPattern):
        for other in word.sentence:
            if holds(expression, word, other):
                for one in arc_bindings(expression, word, other, bound):
                    yield from bindings(expression.node, other, one)
    elif expression.kind == "all":
        first, *rest = expression.parts
        for one in satisfied(first, word, bound):
            yield from satisfied(GroupPattern("all", tuple(rest)), word, one) if rest else [one]
    elif expression.kind == "any":
        for part in expression.parts:
            yield from satisfied(part, word, bound)
    else:
        found = list(satisfied(expression.parts[0], word, bound))
        if expression.kind == "negated":
            yield from [] if found else [bound]
        else:
            yield from found or [bound]


def naive(pattern: str, doc: Doc) -> set[tuple[int, ...]]:
    """Rows as Query gives them."""
    parts, names = parsed(pattern), Query(pattern).names
    found = set()

    def go_on(number: int, sentence: Any, bound: Bound, first: Token) -> None:
        if number == len(parts):
            found.add((first.index, *(bound[name].index if name in bound else -1 for name in names)))
            return
        for word in sentence:
            for one in bindings(parts[number], word, bound):
                go_on(number + 1, sentence, one, first)

    for sentence in doc.sentences:
        for word in sentence:
            for bound in bindings(parts[0], word, {}):
                go_on(1, sentence, bound, word)
    return found


VALUES = {
    "form": ["a", "b", "ab", "_"],
    "upos": ["N", "V", "_"],
    "deprel": ["x", "y", "x:z"],
    "feats": ["_", "A=1", "A=2|B=1"],
    "misc": ["_", "NER=B-P", "NER=I-P|K=v"],
}


@st.composite
def documents(draw: st.DrawFn) -> Doc:
    heads, fields = [], {name: [] for name in VALUES}
    for size in draw(st.lists(st.integers(1, 7), min_size=1, max_size=3)):
        order = draw(st.permutations(range(1, size + 1)))
        row = {word: draw(st.sampled_from([0, *order[:place]])) for place, word in enumerate(order)}
        row[order[0]] = 0
        bare = draw(st.integers(0, 9)) == 0
        heads.append([-1 if bare else row[word] for word in range(1, size + 1)])
        for name, values in VALUES.items():
            fields[name].append([draw(st.sampled_from(values)) for _ in range(size)])
    return Doc.from_words(fields.pop("form"), head=heads, **fields)


SIGNS = (":", "!:", "?:")
ATTRIBUTES = [
    *(
        f"{name}{sign}{value}"
        for name in ("form", "upos", "deprel")
        for sign in (":", "!:", "?:")
        for value in VALUES[name]
    ),
    "form:/a.*/",
    "form:/A|B/i",
    "upos:__",
    "upos!:__",
    "upos:/[NV]/",
    "feats:{A:1}",
    "feats:{A!:1;B?:1}",
    "feats:__",
    "misc:{K:v}",
    "entity:P",
    "entity!:__",
    "id:2",
    "lower:ab",
    "$",
]
LABELS = ["", "", "x", "x:z", "/x.*/", "%"]


@st.composite
def nodes(draw: st.DrawFn, names: str, depth: int) -> str:
    text = "{" + ";".join(draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=2))) + "}"
    if draw(st.integers(0, 5)) == 0:
        text = "!" + text
    if names and draw(st.booleans()):
        text += "=" + draw(st.sampled_from(names))
    if depth and draw(st.booleans()):
        return f"({text} {draw(expressions(names, depth - 1))})"
    return text


@st.composite
def expressions(draw: st.DrawFn, names: str, depth: int) -> str:
    found = ""
    for number in range(draw(st.integers(1, 3))):
        if number:
            found += draw(st.sampled_from([" ", " & ", " | "]))
        sign = draw(st.sampled_from(["", "", "", "!", "?"]))
        within = "" if sign == "!" else names
        if depth and draw(st.integers(0, 4)) == 0:
            found += f"{sign}[{draw(expressions(within, depth - 1))}]"
            continue
        operator = draw(st.sampled_from(OPERATORS))
        label = draw(st.sampled_from(LABELS)) if operator[0] in "<>" else ""
        if operator in ("<<", ">>") and draw(st.booleans()):
            least = draw(st.integers(1, 3))
            operator = f"{least},{least + draw(st.integers(0, 2))}{operator}"
        if within and operator[-1] != "=" and ("<" in operator or ">" in operator):
            label += draw(st.sampled_from(["", "", "=e", "=f", "~g", "~h"]))
        found += f"{sign}{operator}{label} {draw(nodes(within, depth))}"
    return found


@st.composite
def patterns(draw: st.DrawFn) -> str:
    names = draw(st.sampled_from(["", "p", "pq", "pqr"]))
    parts = [draw(nodes(names, 2))]
    if draw(st.booleans()):
        parts[0] += " " + draw(expressions(names, 1))
    if draw(st.integers(0, 4)) == 0:
        parts.append(draw(nodes(names, 1)))
    return " : ".join(parts)


@settings(max_examples=400, deadline=None)
@given(documents(), patterns())
def test_a_pattern_finds_what_trying_all_words_finds(doc: Doc, pattern: str) -> None:
    rows = [tuple(row) for row in Query(pattern).rows(doc).tolist()]
    assert rows == sorted(naive(pattern, doc))


def test_what_is_optional_may_be_found_twice() -> None:
    doc = Doc.from_words(
        [["a", "b"]], head=[[2, 0]]
    )  # made here: what a decorator holds, it holds at the end, as a leak
    pattern = "{} ?> {}=p ?< {}=p"
    assert [tuple(row) for row in Query(pattern).rows(doc).tolist()] == sorted(naive(pattern, doc))


def test_relations_with_names_are_the_words_that_depend(tmp_path: Path) -> None:
    doc = Doc.from_words(
        [["cats", "see", "dogs", "run"]], head=[[2, 0, 4, 2]], deprel=[["nsubj", "root", "nsubj", "ccomp"]]
    )
    (match,) = doc.find("{} >=how {}=who >=what {form:run}=run : {}=run >=how {}")
    assert [(match[name].form, match[name].deprel) for name in ("how", "what")] == [("cats", "nsubj"), ("run", "ccomp")]
    assert doc.find("{} >~one {form:cats} > ({} >~one {})") == []
    assert [one["up"].form for one in doc.find("{form:dogs} <<=up {}=above")] == ["dogs", "dogs"]
    path = tmp_path / "a.conllu"
    path.write_text(doc.to_conllu(), "utf-8")
    lines = laconic_command("grep", "{form:see} >ccomp=how {}", path).out.splitlines()
    assert [line.split("\t")[2:] for line in lines] == [["id", "form", "how.id", "how"], ["2", "see", "4", "ccomp"]]


TREEBANK_PATTERNS = [
    "{upos:VERB}=v >nsubj {upos:/NOUN|PROPN/}=s !>obj {}",
    "{upos:NOUN} >/nmod(:.*)?/ ({} >case {lemma:of}) | >acl {}=clause",
    "{lemma:/(b|c).*/i} << {$} .. {upos:PUNCT}",
    "{feats:{Number:Plur;Case!:Nom}}=a $++ {}=b ?>det {}=d",
    "{}=a >> {form:/.*e/}=b : {}=b . {upos:PUNCT}",
]


@pytest.mark.parametrize("pattern", TREEBANK_PATTERNS)
def test_treebanks_are_searched_like_that_too(treebanks: Path, pattern: str) -> None:
    for file in sorted(treebanks.glob("*/dev.conllu")):
        doc = next(stream(file, words=400))
        assert [tuple(row) for row in Query(pattern).rows(doc).tolist()] == sorted(naive(pattern, doc))


# Regular expressions


@st.composite
def regexes(draw: st.DrawFn, depth: int = 3) -> str:
    kind = draw(st.integers(0, 8 if depth else 3))
    if kind <= 3:
        atoms = ["a", "b", "é", ".", "[ab]", "[^a]", r"\w", r"\d", r"\.", "[a-c_]", "^", "$", r"\u00e9", r"[\d.]"]
        return draw(st.sampled_from(atoms))
    inner = draw(regexes(depth - 1))
    if kind == 4:
        return f"(?:{inner}){draw(st.sampled_from(['*', '+', '?', '{2}', '{0,2}', '{1,}', '*?']))}"
    other = draw(regexes(depth - 1))
    return f"({inner}|{other})" if kind == 5 else inner + other


@settings(max_examples=500, deadline=None)
@given(regexes(), st.lists(st.text("abcé.1_", max_size=6), min_size=1, max_size=8), st.booleans())
def test_regular_expressions_mean_what_they_mean_in_python(regex: str, texts: list[str], anywhere: bool) -> None:
    flags = re.DOTALL
    # Python's $ also stands before a line end; there are none here.
    expected = [bool(re.search(regex, text, flags) if anywhere else re.fullmatch(regex, text, flags)) for text in texts]
    assert regex_matches(regex, texts, anywhere=anywhere) == expected


@pytest.mark.parametrize(
    ("regex", "text", "found"),
    [
        ("straße", "STRAßE", True),
        ("É.*", "éa", True),
        ("[A-Z]+", "abc", True),
        ("[^a]", "A", False),
        ("(?i)ab", "AB", True),
        ("привет", "ПРИВЕТ", True),
    ],
)
def test_case_is_ignored_on_request(regex: str, text: str, found: bool) -> None:
    assert regex_matches(regex, [text], ignore_case=True) == [found]


def test_an_expression_that_explodes_elsewhere_takes_no_time() -> None:
    assert regex_matches("(a+)+b|(a|a)*c|(a?){40}a{40}d", ["a" * 200_000]) == [False]
    assert regex_matches(".*a.{12}", [("ab" * 50_000) + "a" + "é" * 12]) == [True]  # thousands of sets of states


@pytest.mark.parametrize(
    ("regex", "column", "reason"),
    [
        ("a(b", 2, "without its )"),
        ("ab)", 3, "without its ("),
        ("[ab", 1, "without its ]"),
        ("a**", 3, "nothing to repeat"),
        ("*a", 1, "nothing to repeat"),
        ("a{3,2}", 2, "more to fewer"),
        ("a{x}", 2, "expected {m}"),
        ("a{2000}", 2, "at most 1000"),
        (r"(a)\1", 4, "backtracking"),
        ("é(?=a)", 2, "backtracking"),
        ("a\\", 2, "at the end"),
        (r"\x0", 1, "hexadecimal"),
        ("[b-a]", 3, "range"),
        ("((((a{900}){900}){900}){900})", 0, "too large"),
        ("(" * 300 + ")" * 300, 0, "too deeply"),
    ],
)
def test_expressions_that_cannot_be_are_refused_at_their_column(regex: str, column: int, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        regex_matches(regex, [])
    assert reason in caught.value.reason
    assert column in (0, caught.value.column)


# The language


@pytest.fixture
def sample() -> Doc:
    return read(SAMPLE)


def test_matches_give_words_by_name(sample: Doc) -> None:
    found = sample.find("{upos:VERB} >nsubj {upos:NOUN}=who >obj ({} >det {}=the)")
    assert [(one.token.form, one["who"].form, one["the"].form) for one in found] == [
        ("leaves", "ferry", "the"),
        ("coil", "sailors", "the"),
    ]
    first = found[0]
    assert isinstance(first, Match)
    assert (first.sentence, list(first.tokens)) == (sample.sentences[0], ["who", "the"])
    assert first.get("nobody") is None
    with pytest.raises(KeyError):
        first["nobody"]
    assert repr(first) == "<Match 'leaves', who='ferry', the='the'>"


def test_an_optional_word_may_be_missing(sample: Doc) -> None:
    found = sample.find("{upos:VERB} >nsubj {} ?>obj {}=what")
    assert {one.token.form: one.get("what") and one["what"].form for one in found}["wait"] is None


def test_relations_are_those_of_the_first_word_unless_in_parentheses(sample: Doc) -> None:
    assert len(sample.find("{} >obj {} >det {}")) != len(sample.find("{} >obj ({} >det {})"))


def test_a_query_is_compiled_once_and_works_in_threads(sample: Doc) -> None:
    query = Query("{upos:/N.*/}=n < {}=h")
    expected = query.rows(sample).tolist()
    assert pickle.loads(pickle.dumps(query)).rows(sample).tolist() == expected == query.rows(sample).tolist()
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(query.rows(sample).tolist())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 8
    assert sample.find(query) == list(query.find(sample))


@pytest.mark.parametrize(
    ("pattern", "column", "reason"),
    [
        ("", 1, "expected a node"),
        ("{upso:VERB}", 2, "did you mean upos"),
        ("{upos=VERB}", 6, "expected :"),
        ("{upos:}", 7, "expected a value"),
        ("{upos:VERB", 11, "expected ; or }"),
        ("{lemma:/a(b/}", 10, "without its )"),
        ("{lemma:/ab}", 8, "a / without its end"),
        ('{lemma:"ab}', 8, 'a " without its end'),
        ("{} >nsubj", 10, "expected a node"),
        ("{} nsubj {}", 4, "expected a relation"),
        ("{} > {} | ", 11, "behind |"),
        ("{} > {} & ", 11, "behind &"),
        ("{} [> {}", 9, "expected a relation or ]"),
        ("({} > {}", 9, "expected a relation or )"),
        ("{} !> {}=a", 9, "cannot have a name"),
        ("{}=", 4, "expected a name"),
        ("{} .=r {}", 5, "only relations along arcs"),
        ("{} $++~r {}", 7, "only relations along arcs"),
        ("{} >= {}", 6, "expected a name"),
        ("{} !>=r {}", 6, "cannot have a name"),
        ("{}=r >=r {}", 7, "r is the name of a word already"),
        ("{} >=r {} >~r {}", 12, "r is the name of a relation already"),
        ("{} 2> {}", 4, "distance"),
        ("{} 2,1>> {}", 4, "distance"),
        ("{} 1,2> {}", 7, "for << and >>"),
        ("{} @ {}", 4, "alignments"),
        ("{} :: uniq", 5, "commands"),
        ("{word:/(.*)s/#1%x}", 14, "variable groups"),
        ("{word:/(.*)s/}#1%x", 15, "variable groups"),
        ("{} >/(.*)s/#1%x {}", 12, "variable groups"),
        ('{word:"\ud800"}', 8, "half of a character"),
        ("{feats:{Case}}", 13, "expected :"),
        ("{upos:{A:b}}", 7, "entries"),
        ("{}\n  >x {upos:a;b}", 14, "no attribute 'b'"),
        ("(" * 200, 101, "too deeply"),
        ("{} " + "[" * 200, 105, "too deeply"),
        ("{}" * 6000, 1, "more than 10,000"),
    ],
)
def test_errors_point_at_their_column(pattern: str, column: int, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        Query(pattern)
    assert reason in caught.value.reason
    assert column in (0, caught.value.column)
    line, pointer = caught.value.reason.split("\n")[-2:]
    assert pointer.endswith("^")
    assert len(pointer) - 3 <= len(line)


def test_too_many_ways_to_match_are_refused() -> None:
    doc = Doc.from_words([["w"] * 150])
    with pytest.raises(InputError, match="name fewer words"):
        doc.find("{}=a .. {}=b .. {}=c .. {}=d")
    assert len(doc.find("{} .. ({} .. ({} .. {}))")) == 147


def test_long_sentences_take_linear_time() -> None:
    size = 100_000
    doc = Doc.from_words([["w"] * size], head=[list(range(size))], deprel=[["x"] * size])
    assert len(doc.find("{} >>x ({} $++ {} | << {$}) !>> {form:v} .. {}")) == size - 1
