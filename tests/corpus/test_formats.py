"""CoNLL-X, CoNLL-2008/2009, IOB columns and Penn brackets: nothing is lost on the way, and faults have a place."""

from __future__ import annotations

import gzip
import io
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laconic import corpus
from laconic.corpus import formats
from laconic.errors import InputError

Draw = st.DrawFn


def read(text: str | bytes, format: str | None = None, *, lenient: bool = False) -> corpus.Doc:
    return corpus.read(io.BytesIO(text.encode() if isinstance(text, str) else text), format, lenient=lenient)


def written(doc: corpus.Doc, format: str) -> str:
    out = io.BytesIO()
    corpus.write(doc, out, format)
    return out.getvalue().decode()


def rows(*lines: str) -> str:
    """Lines with their cells separated by blanks here, by tabs in the file; an empty line ends the sentence."""
    return "\n".join("\t".join(line.split()) for line in lines) + "\n\n"


cells = st.text(st.sampled_from("ab|\\=-#ø↑.1pt\u2028"), min_size=1, max_size=5) | st.just("_")


@st.composite
def tree_heads(draw: Draw) -> list[str]:
    n = draw(st.integers(1, 5))
    order = draw(st.permutations(range(1, n + 1)))
    heads = [0] * n
    for i, word in enumerate(order):
        heads[word - 1] = draw(st.sampled_from([0, *order[:i]]))
    return ["_"] * n if draw(st.integers(0, 9)) == 0 else [str(head) for head in heads]


@st.composite
def conllx_sentence(draw: Draw) -> list[str]:
    return [
        "\t".join([str(i), *(draw(cells) for _ in range(5)), head, *(draw(cells) for _ in range(3))])
        for i, head in enumerate(draw(tree_heads()), 1)
    ]


def with_predicates(heads_at: int, pred_at: int) -> st.SearchStrategy[list[str]]:
    @st.composite
    def sentence(draw: Draw) -> list[str]:
        heads = draw(tree_heads())
        table = [[str(i), *(draw(cells) for _ in range(pred_at))] for i in range(1, len(heads) + 1)]
        for row, head in zip(table, heads, strict=True):
            row[heads_at] = head
        predicates = sum(row[pred_at] != "_" for row in table)
        return ["\t".join([*row, *(draw(cells) for _ in range(predicates))]) for row in table]

    return sentence()


@st.composite
def entities(draw: Draw, scheme: formats.EntityScheme) -> list[str]:
    """Tags of random spans: what every scheme can say."""
    return tags_of(draw(spans), scheme)


spans = st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["O", "PER", "LOC"])), min_size=1, max_size=5)


def tags_of(parts: list[tuple[int, str]], scheme: str) -> list[str]:
    """An independent rendering of entities, given as (length, type), in a scheme."""
    tags: list[str] = []
    before = "O"
    for length, kind in parts:
        if kind == "O":
            tags += ["O"] * length
        elif scheme == "bio":
            tags += [f"B-{kind}"] + [f"I-{kind}"] * (length - 1)
        elif scheme == "iob1":
            tags += [f"B-{kind}" if before == kind else f"I-{kind}"] + [f"I-{kind}"] * (length - 1)
        else:
            last, unit = "LU" if scheme == "bilou" else "ES"
            tags += (
                [f"{unit}-{kind}"] if length == 1 else [f"B-{kind}", *[f"I-{kind}"] * (length - 2), f"{last}-{kind}"]
            )
        before = kind
    return tags


def iob_sentence(columns: str, separator: str, scheme: formats.EntityScheme) -> st.SearchStrategy[list[str]]:
    @st.composite
    def sentence(draw: Draw) -> list[str]:
        made = []
        for i, tag in enumerate(draw(entities(scheme)), 1):
            named = {"id": st.just(str(i)), "entity": st.just(tag), "form": cells.filter(lambda form: form[0] != "#")}
            made.append(separator.join(draw(named.get(name, cells)) for name in columns.split(",")))
        return made

    return sentence()


GENERATED = {
    "conllx": conllx_sentence(),
    "conll2008": with_predicates(8, 10),
    "conll2009": with_predicates(8, 13),
    "iob:form,entity": iob_sentence("form,entity", "\t", "bio"),
    "iob:id,form,entity,-,-": iob_sentence("id,form,entity,-,-", "\t", "bio"),
    "iob:form,xpos,-,entity:space": iob_sentence("form,xpos,-,entity", " ", "bio"),
    "iob:lemma,upos,entity,feats,deprel,form:bilou": iob_sentence("lemma,upos,entity,feats,deprel,form", "\t", "bilou"),
    "iob:form,entity:bioes": iob_sentence("form,entity", "\t", "bioes"),
    "iob:form,entity:iob1": iob_sentence("form,entity", "\t", "iob1"),
}


@st.composite
def file_of(draw: Draw, sentence: st.SearchStrategy[list[str]], comments: bool) -> bytes:
    """Sentences with everything that may lie around them: a mark, comments, more blank lines, no end at the end."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = draw(st.sampled_from(["", "\ufeff", end]))
    blocks = draw(st.lists(sentence, min_size=1, max_size=4))
    for i, lines in enumerate(blocks):
        before = draw(st.lists(st.sampled_from(["# a = b", "#", "# newdoc"]), max_size=2)) if comments else []
        after = draw(st.integers(0, 3)) if i + 1 == len(blocks) else draw(st.integers(2, 3))
        text += end.join([*before, *lines]) + end * after
    return text.encode()


@pytest.mark.parametrize("format", GENERATED)
def test_every_file_is_written_back_byte_for_byte_also_by_way_of_conllu_and_in_batches(format: str) -> None:
    @settings(max_examples=40)
    @given(file_of(GENERATED[format], comments="space" not in format))
    def check(data: bytes) -> None:
        doc = read(data, format)
        assert written(doc, format).encode() == data
        detour = corpus.Doc.from_conllu(doc.to_conllu())
        assert detour == doc
        assert written(detour, format).encode() == data
        batches = list(corpus.stream(io.BytesIO(data), format, words=3))
        assert corpus.Doc.concatenate(batches) == doc
        out = io.BytesIO()
        corpus.write(batches, out, format)
        assert out.getvalue() == data

    check()


@given(spans, st.sampled_from(formats.SCHEMES))
def test_schemes_say_the_same_of_all_entities(parts: list[tuple[int, str]], scheme: formats.EntityScheme) -> None:
    bio, other = tags_of(parts, "bio"), tags_of(parts, scheme)
    assert formats.from_bio(bio, scheme) == other
    assert formats.to_bio(other, scheme) == bio


def test_b_after_b_stays_as_given() -> None:
    text = "@\tB-ORG\nSport\tB-ORG\n\n"
    doc = read(text)
    assert doc.strings("misc") == ["NER=B-ORG", "NER=B-ORG"]
    assert written(doc, "iob") == text


def test_an_entity_that_begins_with_i_is_counted_where_the_scheme_cannot_tell(caplog: pytest.LogCaptureFixture) -> None:
    doc = read("a\tI-PER\nb\tI-PER\n\n")
    assert written(doc, "iob:form,entity:bilou") == "a\tB-PER\nb\tL-PER\n\n"
    assert "1 entities that began with I-" in caplog.text


def test_empty_forms_and_lines_of_white_space_survive_and_are_good_conllu() -> None:
    text = "a\tO\n\tB-X\n\t\nb \tO\n \t\n\nc\tO\n"
    doc = read(text, "iob:form,entity")
    assert [[token.form for token in sentence] for sentence in doc.sentences] == [["a", "_"], ["b "], ["c"]]
    assert doc.strings("misc")[1] == "NER=B-X|EmptyForm=Yes|After=\\n\\t\\n"
    assert written(doc, "iob") == text
    assert corpus.Doc.from_conllu(doc.to_conllu()) == doc


def test_conllx_columns_find_their_fields() -> None:
    doc = read(rows("1 Hej hej X xp a=b 2 det 3 nk", "2 du _ Y _ _ 0 ROOT _ _", "3 . . Z _ _ 2 p _ _"), "conllx")
    first = doc.sentences[0][0]
    assert (first.form, first.lemma, first.upos, first.xpos, str(first.feats)) == ("Hej", "hej", "X", "xp", "a=b")
    assert (first.head_index, first.deprel, first.deps, str(first.misc)) == (2, "det", "_", "PHead=3|PDeprel=nk")


def test_predicates_and_arguments_of_2009_are_carried_under_their_names() -> None:
    text = rows(
        "1 She she she PRP PRP n=s n=s 2 2 SBJ SBJ _ _ A0 _",
        "2 wants want wanted VBZ VBZ _ _ 0 0 ROOT ROOT Y want.01 _ _",
        "3 tea tea tea NN NN _ a|b 2 1 OBJ OBJ Y tea.01 A1 A0",
    )
    doc = read(text, "conll2009")
    assert doc.strings("xpos") == ["PRP", "VBZ", "NN"]
    assert doc.heads.tolist() == [2, 0, 2]
    assert doc.strings("misc") == [
        "APred1=A0",
        "PLemma=wanted|Pred=want.01",
        "PFeat=a\\pb|PHead=1|Pred=tea.01|APred1=A1|APred2=A0",
    ]
    assert written(doc, "conll2009") == text


def test_the_words_of_2008_are_the_split_ones() -> None:
    text = rows(
        "1 well-known well-known JJ JJ well well RB 3 HMOD _ _",
        "2 _ _ _ _ - - HYPH 3 P _ _",
        "3 _ _ _ _ known know VBN 0 ROOT know.01 AM",
    )
    doc = read(text, "conll2008")
    assert doc.strings("form") == ["well", "-", "known"]
    assert doc.strings("xpos") == ["RB", "HYPH", "VBN"]
    assert doc.strings("misc")[0] == "Form=well-known|Lemma=well-known|GPos=JJ|PPos=JJ"
    assert written(doc, "conll2008") == text


SENTENCE = "1\ta\t_\tX\tx\t_\t0\troot\t_\t_\n"
WIDE = "1 a a a P P _ _ 0 0 r r _ _"
NARROW = "1 a a P P a a P 0 r _"


@pytest.mark.parametrize(
    ("format", "text", "line", "column", "reason"),
    [
        ("conllx", "1\ta\tb\n\n", 1, 6, "expected 10 fields.*found 3"),
        ("conllx", SENTENCE + "3\tb\t_\tX\tx\t_\t0\troot\t_\t_\n\n", 2, 1, 'the id is "3": expected 2'),
        ("conllx", SENTENCE + "1-2\tb\t_\tX\tx\t_\t0\troot\t_\t_\n\n", 2, 1, "expected 2"),
        ("conllx", SENTENCE.replace("\t0\t", "\t01\t"), 1, 13, "HEAD"),
        ("conllx", SENTENCE.replace("\t0\t", "\t7\t"), 1, 13, "7"),
        ("conllx", SENTENCE.replace("\t0\t", "\t1\t"), 1, 13, "root"),
        ("conllx", SENTENCE.replace("\tX\t", "\t\t"), 1, 7, "CPOSTAG is empty"),
        ("conllx", SENTENCE + "# late\n\n", 2, 1, "a comment among the words"),
        ("conllx", "\n# only\n\n", 2, 1, "without words"),
        ("conllx", SENTENCE + "\n" + SENTENCE[:9], 3, 10, "truncated"),
        ("conllx", SENTENCE.replace("a", "\0"), 1, 3, "NUL"),
        ("conllx", SENTENCE.encode().replace(b"a", b"\xff"), 1, 3, "UTF-8"),
        ("conllx", SENTENCE.replace("a", "x" * (5 << 20)), 1, 1, "bytes"),
        ("conllx", SENTENCE + "2\tb\t_\tX\tx\t_\t1\tdet\t_\t_\r\n\r\n", 2, 22, "LF or CR LF"),
        ("conll2009", rows("1 a b"), 1, 6, "at least 14 fields"),
        ("conll2009", rows(WIDE + " A0"), 1, 31, "expected 14 fields, of which 0"),
        ("conll2009", rows(WIDE[:-1] + "p"), 1, 28, "expected 15 fields, of which 1"),
        ("conll2009", rows(WIDE).replace("0\t0", "2\t0"), 1, 17, "2"),
        ("conll2008", rows(NARROW + " A0"), 1, 25, "expected 11 fields, of which 0"),
        ("conll2008", rows(NARROW).replace("\t0\t", "\t1\t"), 1, 17, "root"),
        ("iob:form,entity", "a\tO\nb\n\n", 2, 2, "expected 2 fields with tabs"),
        ("iob:form,entity", "a\tO\nb\tX-PER\n\n", 2, 3, "no tag of this scheme: expected O, B-TYPE, I-TYPE"),
        ("iob:form,entity", "a\tO\nb\tL-PER\n\n", 2, 3, "no tag of this scheme"),
        ("iob:form,entity", "ø\t\n\n", 1, 3, "field 2 is empty"),
        ("iob:form,entity", "\n \na\tO\n", 2, 1, "white space before the first sentence"),
        ("iob:id,form,entity", "1\ta\tO\n1\tb\tO\n\n", 2, 1, "expected 2"),
        ("iob:form,entity:space", "a  O\n\n", 1, 5, "found 3"),
        ("iob:form,entity:bilou", "a\tB-X\nb\tO\n\n", 2, 3, "expected I-X or L-X"),
        ("iob:form,entity:bilou", "a\tB-X\n\n", 1, 3, "ends inside an entity: expected L-X"),
        ("iob:form,entity:bilou", "a\tL-X\n\n", 1, 3, "expected B-, U- or O"),
        ("iob:form,entity:iob1", "a\tB-X\n\n", 1, 3, "scheme iob1"),
        ("ptb", "(S (NN a))\n(S (NN", 2, 0, "the file ends inside"),
        ("ptb", "(S (NN a)) (S (NN a b))", 1, 21, "takes one word"),
        ("ptb", b"(S (NN a))\n(S (NN \xff))", 2, 8, "UTF-8"),
        ("ptb", "(S (NN a\0))", 1, 9, "NUL"),
    ],
)
def test_faults_have_file_line_and_column(
    tmp_path: Path, format: str, text: str | bytes, line: int, column: int, reason: str
) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(InputError, match=reason) as caught:
        corpus.read(path, format)
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(path), line, column)
    assert (line, column) in [(fault.line, fault.column) for fault in corpus.check(path, format)]


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        ("conllx", SENTENCE + "\n", "1\tbad\n\n"),
        ("conll2009", rows(WIDE), rows(WIDE + " A0")),
        ("conll2008", rows(NARROW), rows("1 x")),
        ("iob:form,entity", "a\tO\n\n", "b\tQ\n\n"),
        ("ptb", "(S (NN a))\n", "(S (NN a b))\n"),
    ],
)
def test_lenient_reading_leaves_out_the_sentences_with_faults_and_says_so(
    format: str, good: str, bad: str, caplog: pytest.LogCaptureFixture
) -> None:
    doc = read(good + bad + good, format, lenient=True)
    assert len(doc.sentences) == 2
    assert doc == read(good + good, format)
    assert caplog.text.count("left out") == 1


def test_what_a_format_cannot_hold_is_told_in_one_warning_with_counts(caplog: pytest.LogCaptureFixture) -> None:
    doc = corpus.Doc.from_conllu(
        "# text = ab c\n1-2\tab\t_\t_\t_\t_\t_\t_\t_\t_\n1\ta\t_\tX\tx\t_\t0\troot\t0:root\t_\n"
        "2\tb\t_\tX\tx\tF=1\t1\tdep\t_\tSpaceAfter=No|NER=O\n2.1\te\t_\tX\tx\t_\t_\t_\t1:dep\t_\n\n"
    )
    expected = {
        "conllx": "1 multiword tokens, 1 empty nodes, 1 DEPS values, 2 MISC entries",
        "conll2009": "1 multiword tokens, 1 empty nodes, 2 UPOS values, 1 DEPS values, 2 MISC entries",
        "conll2008": "1 multiword tokens, 1 empty nodes, 2 UPOS values, 1 DEPS values, 1 FEATS values, 2 MISC entries",
        "iob:form,entity": (
            "2 heads, 2 UPOS values, 2 XPOS values, 1 FEATS values, 2 DEPREL values, 1 DEPS values, "
            "1 multiword tokens, 1 empty nodes, 1 words without an entity tag (written as O), 1 MISC entries"
        ),
    }
    for format, counts in expected.items():
        caplog.clear()
        corpus.write([doc, doc.sentences[0:0]], io.BytesIO(), format)
        (record,) = caplog.records
        assert record.levelno == logging.WARNING
        assert record.getMessage().endswith(f"{format} cannot hold {counts}")


def test_a_value_that_holds_the_separator_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be written between single spaces"):
        written(corpus.Doc.from_words([["New York"]], misc=[["NER=O"]]), "iob:form,entity:space")


def test_a_word_that_a_reader_would_take_for_the_mark_of_the_file_is_refused() -> None:
    words = ["\ufeffa", "b"]
    with pytest.raises(ValueError, match="byte order mark"):
        written(corpus.Doc.from_words([words], misc=[["NER=O", "NER=O"]]), "iob:form,entity")
    later = written(corpus.Doc.from_words([words[::-1]], misc=[["NER=O", "NER=O"]]), "iob:form,entity")
    assert corpus.read(io.BytesIO(later.encode()), "iob:form,entity").strings("form") == words[::-1]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("# sent_id = 1\n" + SENTENCE + "\n", ["conllu"]),
        (SENTENCE + "\n", ["conllu"]),
        (rows("1 a _ X x _ 0 root 0 root"), ["conllx"]),
        ("# text = a\n" + rows("1 a _ X x _ 0 root 0 root"), ["conllu", "conllx"]),
        (rows("1 a _ X x _ 0 root 0:root A=b"), ["conllu"]),
        (rows(WIDE), ["conll2009"]),
        (rows("1 a a a P P _ _ 0 _ r _ _ _"), ["conll2009"]),
        (rows(NARROW), ["conll2008"]),
        (
            rows("1 a a P P a a P 0 r p.1 _ _ _", "2 b b P P b b P 1 r q.1 A _ _", "3 c c P P c c P 1 r r.1 A _ _"),
            ["conll2008"],
        ),
        ("a\tO\nb\tB-X\n", ["iob:form,entity"]),
        ("a O\nb U-X\n", ["iob:form,entity:space:bilou"]),
        ("a NN I-NP O\n", ["iob:form,-,entity,-:space", "iob:form,-,-,entity:space"]),
        ("1\ta\tS-X\t-\n", ["iob:id,form,entity,-:bioes"]),
        ("( (S (NN a)) )\n", ["ptb"]),
        ("", ["conllu"]),
        ("plain text\n", ["conllu"]),
    ],
)
def test_content_tells_the_format(text: str, names: list[str]) -> None:
    sample = text.replace("I-NP O", "B-NP O").encode()
    assert formats.guess(sample) == names
    if len(names) > 1:
        with pytest.raises(InputError, match="ambiguous: choose " + " or ".join(names)):
            formats.for_reading(None, "x.conll", sample)


def test_the_ending_of_a_file_tells_its_format_gzip_or_not(tmp_path: Path) -> None:
    doc = read("a\tO\nb\tB-X\n\n")
    for name in ("x.iob", "x.iob2.gz"):
        corpus.write(doc, tmp_path / name)
        assert corpus.read(tmp_path / name) == doc
    assert gzip.decompress((tmp_path / "x.iob2.gz").read_bytes()) == b"a\tO\nb\tB-X\n\n"
    with pytest.raises(ValueError, match="choose one of conllu, conllx"):
        corpus.write(doc, tmp_path / "x.conll")
    with pytest.raises(ValueError, match="ptb can be read here, but not written"):
        corpus.write(doc, tmp_path / "x.mrg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.iob", "x.iob2.gz"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("conll99", "there are conllu, conllx"),
        ("conllx:form", "no format"),
        ("iob:form", "needs form and entity"),
        ("iob:form,form,entity", "twice"),
        ("iob:form,entity,shape", 'unknown column "shape"'),
        ("iob:form,entity:biluo", "unknown option"),
    ],
)
def test_names_that_do_not_exist_are_refused_with_those_that_do(name: str, reason: str) -> None:
    for use in (
        lambda: read("", name),
        lambda: corpus.stream(io.BytesIO(), name),
        lambda: formats.for_writing(name, ""),
    ):
        with pytest.raises(ValueError, match=reason):
            use()


def test_brackets_become_documents_in_any_batches() -> None:
    text = "( (S (NP (NN a)) (VP (VBZ b))) )\n\n(NP (-NONE- *))\n" + "(NP (DT the)\n  (NN c))\n" * 5
    doc = read(text)
    assert (len(doc.sentences), len(doc)) == (6, 12)
    assert doc.strings("xpos")[:3] == ["NN", "VBZ", "DT"]
    assert doc.strings("deprel")[:2] == ["dep", "root"]
    assert doc.heads[:4].tolist() == [2, 0, 2, 0]
    batches = list(corpus.stream(io.BytesIO(text.encode()), "ptb", words=3))
    assert len(batches) == 6
    assert corpus.Doc.concatenate(batches) == doc


def _tree_files(treebanks: Path) -> list[Path]:
    return [
        next((treebanks / code).glob(f"{part}.conll*"))
        for code in ("en_ptb_sample", "da_cdt", "sv_talbanken")
        for part in ("train", "dev")
    ]


def test_real_treebanks_are_written_back_byte_for_byte_as_conllx(treebanks: Path) -> None:
    for path in _tree_files(treebanks):
        data = path.read_bytes()
        doc = read(data, "conllx")
        assert written(doc, "conllx").encode() == data
        assert doc == read(data, "conllu")


def test_real_entity_files_are_guessed_and_written_back_byte_for_byte(shared_data: Path) -> None:
    is_data: Callable[[Path], bool] = lambda path: path.suffix in {".iob2", ".conll", ".train", ".dev"}  # noqa: E731
    files = [path for path in sorted((shared_data / "ner").glob("*/*")) if is_data(path)]
    assert len(files) == 14
    for path in files:
        data = path.read_bytes()
        chosen = formats.for_reading(None, str(path), data[: formats.SAMPLE])
        assert chosen.name.startswith("iob:")
        doc = corpus.read(path)
        assert written(doc, chosen.name).encode() == data
        assert written(corpus.Doc.from_conllu(doc.to_conllu()), chosen.name).encode() == data
