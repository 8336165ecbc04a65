"""One object from text to columns: what it takes, what it refuses, how it is turned, and how it travels."""

from __future__ import annotations

import pickle
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_model import text as running_text

import laconic
from laconic.corpus import Doc, read
from laconic.errors import ConfigError, InputError, MissingColumnsWarning, ModelError
from laconic.pipeline import Pipeline, bundled, load

WORDS = [["Ships", "sail", "."], ["Who", "waits", "?"]]


@pytest.fixture(scope="module")
def nlp(small_model: Path) -> Pipeline:
    return laconic.load(small_model)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [running_text(5, seed) for seed in range(40)]


def test_a_model_that_does_not_exist_is_an_error_that_lists_the_bundled_ones() -> None:
    with pytest.raises(ModelError, match=r"xx: no such model.*models of the package"):
        laconic.load("xx")
    for name in bundled():
        assert laconic.load(name).digest


@pytest.mark.parametrize("load", [laconic.load, Pipeline.load])
def test_a_folder_is_no_model_file(load: Callable[[Path], Pipeline], tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"this is a folder, not a model file"):
        load(tmp_path)


@pytest.mark.parametrize("model", [None, ""])
def test_a_model_is_given_by_a_name_or_a_path(model: Any) -> None:
    with pytest.raises(ModelError, match=f"the name of a model or the path of a model file, not {model!r}"):
        laconic.load(model)


@pytest.mark.parametrize("source", [None, 5, 2.5, True, Path("notes.txt")], ids=repr)
def test_what_is_no_text_and_no_words_is_told_what_can_be_given(nlp: Pipeline, source: Any) -> None:
    for call in (nlp, nlp.confident, lambda one: list(nlp.pipe([one]))):
        with pytest.raises(InputError, match=r"give a text \(str or bytes\), a Doc, or .* lists of words, not"):
            call(source)
    with pytest.raises(ConfigError, match="pipe takes many sources"):
        nlp.pipe(source)


@pytest.mark.parametrize("source", [[None], [["a"], None], [["a", None]], [[1, 2]], [1, 2], [["a"], "b", 3], [[b"a"]]])
def test_words_that_are_no_strings_are_told_so(nlp: Pipeline, source: Any) -> None:
    with pytest.raises(InputError, match="list"):
        nlp(source)


def test_only_the_chosen_components_are_loaded(small_model: Path, nlp: Pipeline) -> None:
    some = laconic.load(small_model, components=["morphology", "segmenter"])
    assert list(some.components) == ["segmenter", "morphology"]
    assert some("a b").strings("lemma") == ["_", "_"]
    chosen = nlp.select("segmenter", "morphology")
    assert chosen("a b") == some("a b")
    for wrong, message in (("tagger", "no tagger"), ("oracle", "no component 'oracle'")):
        with pytest.raises(ConfigError, match=message):
            laconic.load(small_model, components=[wrong])
        with pytest.raises(ConfigError, match=message):
            nlp.select(wrong)


def test_a_text_as_bytes_is_the_text(nlp: Pipeline, texts: list[str]) -> None:
    assert nlp(texts[0].encode()) == nlp(texts[0])
    assert nlp("").to_conllu() == nlp(b"").to_conllu() == ""


def test_options_that_a_source_has_no_use_for_are_errors(nlp: Pipeline) -> None:
    doc = Doc.from_words(WORDS)
    for source in (doc, WORDS):
        for options in ({"lines": True}, {"mwt": False}, {"surrogates": "replace"}):
            with pytest.raises(ConfigError, match="of a text only"):
                nlp(source, **options)
            with pytest.raises(ConfigError, match="of a text only"):
                list(nlp.pipe([source], **options))
    for source in ("a text", WORDS):
        with pytest.raises(ConfigError, match="keep"):
            nlp(source, keep=["upos"])
    for source in ("a text", doc, WORDS):
        with pytest.raises(ConfigError, match="flat"):
            nlp(source, flat="sentence")
    with pytest.raises(TypeError, match="no option 'colour'"):
        nlp("a text", colour="red")


def test_words_that_cannot_stand_in_a_document_are_bad_input(nlp: Pipeline) -> None:
    for words in ([["a", ""]], [["a\tb"]], [["a"], []], [["\udce9"]], [["a", "b"], "c"]):
        with pytest.raises(InputError):
            nlp(words)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="flat list"):
        nlp(["Ships", "sail"])
    assert nlp(["Ships", "sail"], flat="sentence").strings("form") == ["Ships", "sail"]
    assert nlp(["Ships", "sail"], flat="split").strings("form") == ["Ships", "sail"]


def test_columns_that_are_kept_are_what_later_decisions_are_given(nlp: Pipeline, small_model: Path) -> None:
    gold = read(small_model.with_name("dev.conllu"))
    doc = gold.sentences[:]
    doc.set_codes("upos", np.zeros(len(doc), np.int32), ["NOUN"])
    nlp(doc, keep=["upos", "head", "deprel"])
    assert set(doc.strings("upos")) == {"NOUN"}
    assert doc.strings("deprel") == gold.strings("deprel")
    assert (doc.heads == gold.heads).all()
    free = nlp(gold.sentences[:], keep=[])
    assert free.strings("xpos") != doc.strings("xpos")  # decided given the tags
    assert set(free.strings("deprel")) == {"_"}  # nobody here predicts them
    assert (free.heads == -1).all()
    assert free.strings("form") == gold.strings("form")
    for keep, message in (
        (["deps"], "deps"),
        (["head"], "no labeler"),
        (["deprel"], "belongs to an arc"),
        (["colour"], "no column"),
        ("upos", "list"),
    ):
        with pytest.raises(ConfigError, match=message):
            nlp(gold.sentences[:1], keep=keep)


def test_kept_entities_stay_and_enhanced_graphs_go(nlp: Pipeline) -> None:
    source = (
        "1\tShips\t_\t_\t_\t_\t2\tnsubj\t2:nsubj\tNER=B-X\n1.1\tgo\t_\t_\t_\t_\t_\t_\t0:root\t_\n"
        "2\tsail\t_\t_\t_\t_\t0\troot\t0:root\tNER=O\n\n"
    )
    doc = nlp(Doc.from_conllu(source), keep=["entities", "head", "deprel"])
    assert doc.strings("misc") == ["NER=B-X", "NER=O"]
    assert doc.strings("deps") == ["_", "_"]
    assert doc.empty_nodes == [[]]
    assert doc.heads.tolist() == [2, 0]


def test_effort_is_a_word_or_a_number(nlp: Pipeline, texts: list[str]) -> None:
    own = nlp.at("fast")
    assert (own.effort, nlp.effort) == ("fast", "balanced")
    assert own.efforts == ["full", "balanced", "fast"]
    own.effort = 0.002
    assert (own.effort, own.at().effort) == (0.002, 0.002)
    own.effort = 0
    assert own.effort == "full"
    assert own(texts[0]) == nlp.at("full")(texts[0])
    for wrong in (-0.1, 1, True, None, float("nan")):
        with pytest.raises(ConfigError, match="share of decisions"):
            own.effort = wrong  # type: ignore[assignment]
    assert own.effort == "full"
    with pytest.raises(ConfigError, match="no effort 'turbo'"):
        own.effort = "turbo"


def test_one_effort_is_the_default_everywhere(small_model: Path, texts: list[str]) -> None:
    nlp = load(small_model)
    assert (nlp.effort, nlp.default_effort) == ("balanced", "balanced")
    bare = Pipeline(nlp.components, {}, {})
    assert (bare.default_effort, bare.efforts) == ("full", ["full"])


def test_components_are_left_out_by_name(nlp: Pipeline, small_model: Path) -> None:
    own = nlp.at("fast").disable("lemmatizer")
    assert list(own.components) == [name for name in nlp.components if name != "lemmatizer"]
    assert own.effort == "fast"
    assert list(load(small_model, disable=["lemmatizer"]).components) == list(own.components)
    with pytest.raises(ConfigError, match="no graph"):
        nlp.disable("graph")
    with pytest.raises(ConfigError, match="lemmatizer"):
        nlp.disable("lemmatiser")
    with pytest.raises(ConfigError, match="list of components"):
        load(small_model, disable="lemmatizer")


@pytest.mark.parametrize("threads", [1, 3])
def test_pipe_takes_something_along_with_each_source(nlp: Pipeline, texts: list[str], threads: int) -> None:
    given = [(text, {"number": number}) for number, text in enumerate(texts)]
    found = list(nlp.pipe(given, as_tuples=True, threads=threads))
    assert [context for _, context in found] == [context for _, context in given]
    assert [doc for doc, _ in found] == list(nlp.pipe(texts))
    for wrong in (["a text"], [("a", "b", "c")]):
        with pytest.raises(ConfigError, match="pairs"):
            list(nlp.pipe(wrong, as_tuples=True))  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pipe_gives_what_the_call_gives_in_order_whatever_the_threads(
    nlp: Pipeline, texts: list[str], threads: int
) -> None:
    expected = [nlp(text).to_conllu() for text in texts]
    for batch in (1, 7, 64):
        assert [doc.to_conllu() for doc in nlp.pipe(iter(texts), threads=threads, batch=batch)] == expected


def test_pipe_takes_all_kinds_of_sources_together(nlp: Pipeline) -> None:
    sources = ["a text .", b"bytes .", Doc.from_words(WORDS), WORDS, ""]
    docs = list(nlp.pipe(sources, threads=2))
    assert [len(doc) for doc in docs] == [3, 2, 6, 6, 0]
    with pytest.raises(ConfigError, match="many sources"):
        nlp.pipe("one text")
    for wrong in (0, -1, 1.5, True):
        with pytest.raises(ConfigError, match="threads"):
            nlp.pipe([], threads=wrong)  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match="batch"):
            nlp.pipe([], batch=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 3])
def test_pipe_draws_only_a_few_sources_ahead(nlp: Pipeline, threads: int) -> None:
    drawn = 0

    def sources() -> Iterator[str]:
        nonlocal drawn
        for _ in range(10_000):
            drawn += 1
            yield "a text ."

    docs = nlp.pipe(sources(), threads=threads, batch=10)
    for _ in range(25):
        next(docs)
    assert drawn <= 30 + 10 * 2 * threads
    docs.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_comes_at_the_place_of_its_source(nlp: Pipeline, threads: int) -> None:
    docs = nlp.pipe(["good", "good", "bad \udce9", "good"], threads=threads, batch=1)
    assert len(next(docs)) == len(next(docs)) == 1
    with pytest.raises(InputError, match="surrogate"):
        next(docs)


def test_a_lemma_without_tags_is_warned_of(nlp: Pipeline) -> None:
    bare = nlp.select("segmenter", "lemmatizer")
    for use in (bare, bare.confident, lambda text: list(bare.pipe([text])), lambda text: list(bare.stream(text))):
        with pytest.warns(MissingColumnsWarning, match="the lemmatizer component reads upos, xpos, feats, which"):
            use("La ship sails.")
    doc = nlp("La ship sails.")
    assert bare(doc).strings("lemma") == nlp("La ship sails.").strings("lemma")  # here tags are there


def test_entities_without_tags_are_warned_of_by_the_name_of_the_column(nlp: Pipeline) -> None:
    bare = nlp.select("segmenter", "entities")
    for use in (bare, bare.confident, lambda text: list(bare.pipe([text])), lambda text: list(bare.stream(text))):
        with pytest.warns(MissingColumnsWarning, match="the entities component reads lemma, upos, xpos, which"):
            use("La ship sails.")
    with pytest.warns(MissingColumnsWarning, match="the entities component reads lemma, which"):
        nlp.select("segmenter", "morphology", "entities")("La ship sails.")
    bare(nlp("La ship sails."))  # here all is there
    bare("")  # and here is nothing to say anything of


def test_the_same_warning_is_shown_once(nlp: Pipeline) -> None:
    bare = nlp.select("segmenter", "entities")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(5):
            bare("La ship sails.")
    assert len(caught) == 1


def test_a_text_without_a_segmenter_is_an_error_that_says_what_to_give(nlp: Pipeline) -> None:
    with pytest.raises(
        ConfigError, match=r"no segmenter among the components in use \(morphology, lemmatizer\)"
    ) as caught:
        nlp.select("morphology", "lemmatizer")("La ship sails.")
    for way in ("add segmenter", "CoNLL-U", "--pretokenized", "lists of words"):
        assert way in str(caught.value)


def test_setting_the_effort_does_not_change_documents_that_are_on_their_way(
    small_model: Path, texts: list[str]
) -> None:
    nlp = laconic.load(small_model)
    expected = [nlp(text) for text in texts]
    docs = nlp.pipe(texts, batch=1)
    found = [next(docs)]
    nlp.effort = "fast"
    assert [*found, *docs] == expected


@pytest.mark.parametrize("threads", [1, 3])
def test_a_text_in_pieces_gives_what_the_whole_text_gives(nlp: Pipeline, threads: int) -> None:
    text = running_text(400)
    whole = nlp(text)
    for size in (1000, 4096):
        docs = list(nlp.stream((text[i : i + 77] for i in range(0, len(text), 77)), threads=threads, characters=size))
        assert len(docs) > 3
        assert "".join(doc.to_conllu() for doc in docs) == whole.to_conllu()


def test_a_stream_needs_no_more_memory_for_more_text(nlp: Pipeline) -> None:
    text = running_text(200)
    peaks = []
    for times in (4, 40):
        tracemalloc.start()
        for _ in nlp.stream((text for _ in range(times)), characters=10_000):
            pass
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0] + 100_000


def test_confidences_are_probabilities_of_the_same_answers(nlp: Pipeline, texts: list[str]) -> None:
    doc, sure = nlp.confident(texts[0])
    assert doc == nlp(texts[0])
    assert set(sure) == {"morphology", "lemmatizer"}
    for values in sure.values():
        assert len(values) == len(doc)
        assert ((values >= 0) & (values <= 1)).all()


def test_a_pickle_is_small_and_comes_back_with_its_effort(nlp: Pipeline, texts: list[str]) -> None:
    own = nlp.select("segmenter", "morphology").at("fast")
    data = pickle.dumps(own)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert again.effort == "fast"
    assert list(again.components) == ["segmenter", "morphology"]
    assert again(texts[0]) == own(texts[0])
    own.effort = 0.001
    assert pickle.loads(pickle.dumps(own)).effort == 0.001


def test_a_pickle_of_a_file_that_changed_is_refused(small_model: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.laconic"
    path.write_bytes(small_model.read_bytes())
    data = pickle.dumps(laconic.load(path))
    laconic.load(path).select("segmenter").save(path)
    with pytest.raises(ModelError, match="not the one that was pickled"):
        pickle.loads(data)
    path.unlink()
    with pytest.raises(ModelError, match="no such model"):
        pickle.loads(data)
    with pytest.raises(ModelError, match="save it first"):
        pickle.dumps(Pipeline({}, {}, {}))


def test_processes_started_afresh_share_a_pipeline(nlp: Pipeline, texts: list[str]) -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert list(pool.map(nlp, texts[:3])) == [nlp(text) for text in texts[:3]]
