"""What ``check`` tells of treebanks that can be read, but say what cannot be."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
import synthetic

from laconic.corpus import check, read

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
PLACES = {name: i for i, name in enumerate(FIELDS)}


def row(number: str, form: str, **fields: str) -> str:
    head = "_" if "-" in number or "." in number else "0" if number == "1" else "1"
    return "\t".join({**dict.fromkeys(FIELDS, "_"), "id": number, "form": form, "head": head, **fields}.values()) + "\n"


def sentence(*rows: str, text: str = "") -> str:
    return (f"# text = {text}\n" if text else "") + "".join(rows) + "\n"


def found(path: Path, content: str) -> list[tuple[int, str]]:
    path.write_text(content, "utf-8")
    faults = list(check(path))
    assert all(fault.file == str(path) and fault.column > 0 for fault in faults)
    return [(fault.line, fault.reason) for fault in faults]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "treebank.conllu"


@pytest.mark.parametrize(
    "feats", ["Foo", "=x", "Case=", "Case=Nom|", "|Case=Nom", "Case=Nom||A=B", "A=B=C", "A=B,", "A=B C"]
)
def test_malformed_features_are_found(path: Path, feats: str) -> None:
    content = sentence(row("1", "a")) + sentence(row("1", "a"), row("2", "b", feats=feats))
    ((line, reason),) = found(path, content)
    assert line == 4
    assert reason.startswith("FEATS has ")
    assert len(read(path)) == 3  # it can be read all the same


def test_a_repeated_feature_is_found_at_its_place(path: Path) -> None:
    path.write_text(sentence(row("1", "a", feats="Case=Nom|Number=Sing|Case=Acc")), "utf-8")
    (fault,) = check(path)
    assert fault.reason == 'FEATS has "Case" twice: expected each feature once'
    assert fault.column == 1 + len("1\ta\t_\t_\t_\tCase=Nom|Number=Sing|")


@pytest.mark.parametrize(
    "feats", ["_", "Case=Nom", "B=C|A=B", "Number[psor]=Sing", "Case=Acc,Nom", "gender=common/neuter"]
)
def test_features_of_any_treebank_pass(path: Path, feats: str) -> None:
    assert found(path, sentence(row("1", "a", feats=feats))) == []


@pytest.mark.parametrize(
    ("deps", "message"),
    [
        ("junk", '"junk": expected heads with relations'),
        ("1", '"1": expected'),
        ("1:", '"1:": expected'),
        (":nsubj", '":nsubj": expected'),
        ("1:nsubj|", '"": expected'),
        ("x:nsubj", '"x:nsubj": expected'),
        ("-1:nsubj", "expected"),
        ("1.0:nsubj", "expected"),
        ("1:a b", "expected"),
        ("2:nsubj", "own head"),
        ("1:nsubj|1:nsubj", "twice"),
        ("9:nsubj", "no word or empty node 9"),
        ("2.1:nsubj", "no word or empty node 2.1"),
        ("1.2:nsubj", "no word or empty node 1.2"),
    ],
)
def test_junk_in_deps_is_found(path: Path, deps: str, message: str) -> None:
    ((line, reason),) = found(path, sentence(row("1", "a"), row("1.1", "x"), row("2", "b", deps=deps)))
    assert line == 3
    assert message in reason


@pytest.mark.parametrize("deps", ["_", "0:root", "1:nsubj", "1.1:nsubj|3:nsubj:xsubj", "1:obl:bei_dem:dat|1:dep"])
def test_good_deps_pass(path: Path, deps: str) -> None:
    assert found(path, sentence(row("1", "a"), row("1.1", "x"), row("2", "b", deps=deps), row("3", "c"))) == []


def test_deps_of_a_multiword_token_are_found(path: Path) -> None:
    content = sentence(row("1-2", "ab", deps="1:dep"), row("1", "a"), row("2", "b"))
    assert [line for line, _ in found(path, content)] == [1]


WORDS = (row("1-2", "dela"), row("1", "de"), row("2", "la"), row("2.1", "ghost"), row("3", "nos", misc="SpaceAfter=No"))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("dela nos .", 6, "has a space behind this token, which says SpaceAfter=No"),
        ("delanos.", 2, "has no space behind this token: expected SpaceAfter=No"),
        ("dela nus.", 6, 'goes on with "nus.", but this token is "nos"'),
        ("de la nos.", 2, 'goes on with "de la nos."'),
        ("dela nos", 7, 'goes on with "", but this token is "."'),
        ("dela nos. And more", 1, 'behind the last word: "And more"'),
    ],
)
def test_a_text_that_the_words_contradict_is_found(path: Path, text: str, line: int, message: str) -> None:
    ((at, reason),) = found(path, sentence(*WORDS, row("4", "."), text=text))
    assert at == line
    assert message in reason


@pytest.mark.parametrize("text", ["dela nos.", "dela  nos. ", "dela\u00a0nos."])
def test_any_white_space_may_stand_between_tokens(path: Path, text: str) -> None:
    assert found(path, sentence(*WORDS, row("4", "."), text=text)) == []


def test_white_space_in_and_around_tokens_is_taken_as_it_is(path: Path) -> None:
    rows = (row("1", "10 000"), row("2", "\u3000", misc="SpaceAfter=No"), row("3", "b", misc="SpacesBefore=\\s"))
    assert found(path, sentence(*rows, text="10  000 \u3000b")) == []


def test_all_faults_of_a_sentence_come_in_the_order_of_their_lines(path: Path) -> None:
    rows = (row("1", "a", feats="Foo"), row("2", "b", head="9", deps="junk"), row("3", "c", feats="A=B|A=C"))
    faults = found(path, sentence(*rows))
    assert [line for line, _ in faults] == [1, 2, 2, 3]
    assert "head 9 is out of range" in faults[1][1]


def test_other_formats_have_features_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "treebank.conllx"
    path.write_text("1\ta\ta\tN\tN\tsg|sg\t0\tROOT\t0\tROOT\n\n", "utf-8")
    assert list(check(path)) == []


def test_the_bytes_of_a_batch_do_not_matter(path: Path) -> None:
    one = sentence(row("1", "a", misc="SpaceAfter=No"), row("2", "b", feats="Foo"), text="a b")
    faults = found(path, one * 30_000)  # more than one batch
    assert [line for line, _ in faults] == [n for i in range(30_000) for n in (4 * i + 2, 4 * i + 3)]


OFFICIAL = {"missing-spaceafter", "text-form-mismatch", "text-extra-chars", "invalid-feature", "repeated-feature"}
OFFICIAL |= {"invalid-deps", "unknown-ehead", "deps-self-loop", "repeated-deps", "spaceafter-value"}


def spoilt(text: str, draw: random.Random) -> str:
    """The sentences, some of them with a fault."""
    sentences = []
    for block in text.strip("\n").split("\n\n"):
        lines = block.split("\n")
        words = [i for i, line in enumerate(lines) if not line.startswith("#") and line.split("\t")[0].isdigit()]
        at = draw.choice(words)
        cells = lines[at].split("\t")
        kind = draw.choice(("none", "feats", "twice", "deps", "misc", "form", "text"))
        if kind == "feats":
            cells[PLACES["feats"]] = draw.choice(("Foo", "=x", "Case="))
        elif kind == "twice":
            cells[PLACES["feats"]] = "Case=Nom|Case=Nom"
        elif kind == "deps":
            cells[PLACES["deps"]] = draw.choice(("junk", "999:dep", f"{cells[0]}:dep", "0:root"))
        elif kind == "misc":
            cells[PLACES["misc"]] = "_" if cells[PLACES["misc"]] == "SpaceAfter=No" else "SpaceAfter=No"
        elif kind == "form":
            cells[PLACES["form"]] += "x"
        lines[at] = "\t".join(cells)
        if kind == "text":
            lines = [line + " more" if line.startswith("# text") else line for line in lines]
        sentences.append("\n".join(lines) + "\n\n")
    return "".join(sentences)


def test_the_official_validator_finds_faults_in_the_same_sentences(path: Path) -> None:
    from udtools import Validator

    path.write_text(spoilt(synthetic.conllu(150, 4), random.Random(1)), "utf-8")
    state = Validator(lang="ud", level=2, output=None).validate_file(str(path))
    starts = [i for i, line in enumerate(path.read_text("utf-8").split("\n"), 1) if line.startswith("# sent_id")]

    def number(line: int) -> int:
        return sum(start <= line for start in starts)

    official = {number(one.lineno) for one in state.error_tracker if one.testid in OFFICIAL}
    ours = {number(fault.line) for fault in check(path)}
    assert len(official) > 40
    assert ours == official


def test_treebanks_pass_or_have_true_faults(treebanks: Path) -> None:
    for name in ("en_ewt", "de_mix", "ar_padt_small", "da_cdt"):
        for file in sorted((treebanks / name).glob("*dev*.conllu")):
            assert list(check(file)) == []
