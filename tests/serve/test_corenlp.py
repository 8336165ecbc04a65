"""CoreNLP's REST interface, as clients of NLTK and Stanza use it."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from explained_model import TEXT
from serve.serving import Client, serving

from laconic.corpus import Doc
from laconic.pipeline import Pipeline
from laconic.serve.service import ServedModel


def annotate(client: Client, text: str | bytes, **properties: Any) -> Any:
    data = text.encode() if isinstance(text, str) else text
    return client.send("POST", f"/?properties={quote(json.dumps(properties))}", data)


def test_tokens_have_places_tags_lemmas_and_names(client: Client, pipeline: Pipeline) -> None:
    text = f"  {TEXT}\n\n«Kui»  la? "
    reply = annotate(client, text, effort="full")
    assert reply.status == 200, reply.body
    sentences = reply.json()["sentences"]
    expected = pipeline.at("full")(text)
    assert [one["index"] for one in sentences] == list(range(len(expected.sentences)))
    tokens = [token for one in sentences for token in one["tokens"]]
    assert [token["pos"] for token in tokens] == expected.strings("xpos")
    assert [token["lemma"] for token in tokens] == expected.strings("lemma")
    # Words of a multiword token that do not spell it stand at one place.
    apart = {(token["characterOffsetBegin"], token["characterOffsetEnd"]): token for token in tokens}
    rebuilt = "".join(token["originalText"] + token["after"] for token in apart.values())
    assert text == tokens[0]["before"] + rebuilt
    for token in tokens:
        assert text[token["characterOffsetBegin"] : token["characterOffsetEnd"]] == token["originalText"]
    for record, sentence in zip(sentences, expected.sentences, strict=True):
        assert [arc["governor"] for arc in record["basicDependencies"]] == sentence.heads.tolist()
        assert [arc["dep"] for arc in record["basicDependencies"]] == [
            word.deprel if word.head_index else "ROOT" for word in sentence
        ]


def test_only_what_is_asked_for_is_told(client: Client) -> None:
    (sentence, *_) = annotate(client, TEXT, annotators="tokenize,ssplit").json()["sentences"]
    assert set(sentence) == {"index", "tokens"}
    assert "pos" not in sentence["tokens"][0]
    conllu = annotate(client, TEXT, annotators="tokenize,ssplit,pos", outputFormat="conllu")
    assert "_" not in Doc.from_conllu(conllu.body.decode()).strings("upos")


def test_given_words_and_sentences_are_kept(client: Client) -> None:
    text = "Lo petum-kui .\nLa  dela\n"
    words = {"tokenize.whitespace": "true"}
    lines = annotate(client, text, **words, **{"ssplit.eolonly": "true"}).json()["sentences"]
    assert [[token["word"] for token in one["tokens"]] for one in lines] == [["Lo", "petum-kui", "."], ["La", "dela"]]
    assert [token["characterOffsetBegin"] for one in lines for token in one["tokens"]] == [0, 3, 13, 15, 19]
    (one,) = annotate(client, text, **words, **{"ssplit.isOneSentence": True}).json()["sentences"]
    assert len(one["tokens"]) == 5
    (found,) = annotate(client, "Lo petum.\nKui la.", **{"ssplit.isOneSentence": "true"}).json()["sentences"]
    assert found["tokens"][-1]["characterOffsetEnd"] == 17
    assert annotate(client, "Lo petum.", **words).status == 200
    for empty in ("", " \n"):
        assert annotate(client, empty, **words).json() == {"sentences": []}
        assert annotate(client, empty).json() == {"sentences": []}


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ("{", "no JSON object"),
        ("[1]", "no JSON object"),
        ("__import__('os')", "no JSON object"),
        ("[" * 5000, "no JSON object"),
        ("x" * 20_000, "more than 10,000"),
        ('{"annotators": "tokenize,parse"}', "no annotator 'parse'"),
        ('{"outputFormat": "serialized"}', "outputFormat cannot be 'serialized'"),
        ('{"inputFormat": "serialized"}', "inputFormat must be text"),
        ('{"effort": "no"}', "no effort 'no'"),
    ],
)
def test_what_cannot_be_served_is_refused(client: Client, properties: str, message: str) -> None:
    reply = client.send("POST", f"/?properties={quote(properties)}", b"Lo petum.")
    assert (reply.status, message in reply.body.decode()) == (400, True), reply.body
    assert client.send("POST", "/", b"\xff").status == 400
    assert client.send("POST", "/?model=other", b"Lo").status == 400


def test_a_model_without_trees_says_so(pipeline: Pipeline) -> None:
    with serving({"tags": ServedModel.of("tags", pipeline.select("segmenter", "morphology"))}) as client:
        assert annotate(client, TEXT).status == 200
        reply = annotate(client, TEXT, annotators="tokenize,ssplit,depparse")
        assert (reply.status, b"nothing for the annotator 'depparse'" in reply.body) == (400, True)


def test_it_says_that_it_is_there(client: Client) -> None:
    assert [client.get(f"/{name}").body for name in ("ping", "live", "ready")] == [b"pong\n", b"live\n", b"ready\n"]
    assert client.get("/").headers["content-type"].startswith("text/html")


def test_the_clients_of_nltk_work(client: Client, pipeline: Pipeline) -> None:
    corenlp = pytest.importorskip("nltk.parse.corenlp")
    pytest.importorskip("requests")
    url = f"http://127.0.0.1:{client.port}"
    parser = corenlp.CoreNLPDependencyParser(url=url)
    try:
        words = ["Lo", "petum", "kui", "."]
        balanced = pipeline.at("balanced")
        (graph,) = parser.raw_parse(" ".join(words), properties={"tokenize.whitespace": "true"})
        assert [graph.nodes[n]["head"] for n in range(1, 5)] == balanced([words]).heads.tolist()
        assert [graph.nodes[n]["word"] for n in range(1, 5)] == words
        assert len(list(parser.parse_text(TEXT))) == len(balanced(TEXT).sentences)
        assert len(list(parser.parse_sents([words, words]))) == 2
        places = zip(balanced(TEXT).starts, balanced(TEXT).ends, strict=True)
        assert list(parser.tokenize(TEXT)) == [TEXT[start:end] for start, end in places]
        tagger = corenlp.CoreNLPParser(url=url, tagtype="pos")
        assert tagger.tag(words) == list(zip(words, balanced([words]).strings("xpos"), strict=True))
        tagger.session.close()
        constituents = corenlp.CoreNLPParser(url=url)
        with pytest.raises(Exception, match="no annotator 'parse'"):
            list(constituents.raw_parse("Lo petum."))
        constituents.session.close()
    finally:
        parser.session.close()


@pytest.mark.filterwarnings("ignore")  # of what Stanza imports
def test_the_client_of_stanza_works(client: Client, pipeline: Pipeline) -> None:
    stanza = pytest.importorskip("stanza.server")
    made = stanza.CoreNLPClient(
        start_server=stanza.StartServer.DONT_START,
        endpoint=f"http://127.0.0.1:{client.port}",
        annotators=["tokenize", "ssplit", "pos", "lemma", "depparse"],
        output_format="json",
    )
    assert made.is_alive()
    found = made.annotate(TEXT)
    expected = pipeline.at("balanced")(TEXT)
    tokens = [token for one in found["sentences"] for token in one["tokens"]]
    assert [token["word"] for token in tokens] == expected.strings("form")
    assert [token["pos"] for token in tokens] == expected.strings("xpos")
    heads = [arc["governor"] for one in found["sentences"] for arc in one["basicDependencies"]]
    assert heads == expected.heads.tolist()
    conllu = made.annotate(TEXT, output_format="conllu")
    assert Doc.from_conllu(conllu).strings("form") == expected.strings("form")
    with pytest.raises(stanza.client.AnnotationException, match="no annotator 'sentiment'"):
        made.annotate(TEXT, annotators="sentiment")
