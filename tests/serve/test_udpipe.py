"""UDPipe's REST interface, as its clients use it."""

from __future__ import annotations

from collections.abc import Mapping
from email import policy
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from explained_model import TEXT
from serve.serving import Client, serving

from laconic.corpus import Doc
from laconic.pipeline import Pipeline
from laconic.serve.service import ServedModel


def test_models_are_listed_with_what_they_can_do(client: Client) -> None:
    parts = ["tokenizer", "tagger", "parser"]
    assert client.get("/models").json() == {"models": {"small": parts}, "default_model": "small"}


@pytest.mark.parametrize("way", ["get", "form", "parts"])
def test_a_text_is_processed_however_it_is_sent(client: Client, pipeline: Pipeline, way: str) -> None:
    fields = {"data": TEXT, "tokenizer": "", "tagger": "", "model": "small", "effort": "full"}
    if way == "get":
        reply = client.get(f"/process?{urlencode(fields)}")
    elif way == "form":
        kind = {"content-type": "application/x-www-form-urlencoded"}
        reply = client.send("POST", "/process", urlencode(fields).encode(), kind)
    else:
        reply = client.form("/process", fields)
    assert reply.status == 200, reply.body
    answer = reply.json()
    assert set(answer) == {"model", "acknowledgements", "result"}
    assert answer["model"] == "small"
    doc = Doc.from_conllu(answer["result"])
    pipeline.effort = "full"
    expected = pipeline(TEXT)
    for column in ("form", "lemma", "upos", "xpos", "feats"):
        assert doc.strings(column) == expected.strings(column)
    assert "NER=" not in answer["result"]


def udpipe_client(client: Client, fields: Mapping[str, str]) -> Any:
    """The reply to what ``udpipe2_client.py`` sends, which has the mail package of Python write its form: every part
    says that it is text, the boundary stands in quotes, and lines end in CR LF."""
    form = MIMEMultipart("form-data", policy=policy.HTTP)
    for name, value in fields.items():
        part = MIMENonMultipart("text", "plain")
        part.add_header("Content-Disposition", f'form-data; name="{name}"')
        part.add_header("Content-Transfer-Encoding", "8bit")
        part.set_payload(value, charset="utf-8")
        form.attach(part)
    _, _, body = form.as_bytes().partition(b"\r\n\r\n")
    assert 'boundary="' in form["Content-Type"]
    reply = client.send("POST", "/process", body, {"Content-Type": form["Content-Type"]})
    assert reply.status == 200, reply.body
    return reply.json()


def test_the_client_of_udpipe_gets_its_results(client: Client, pipeline: Pipeline) -> None:
    text = "Lo pétum — «kui»?\nKui la dela.\n\n--\nSub: lo"
    steps = {"tokenizer": "", "tagger": "", "parser": "", "model": "small"}
    always = {"input": "conllu", "output": "conllu"}
    answer = udpipe_client(client, {**always, "data": text, **steps})
    assert answer["model"] == "small"
    doc = Doc.from_conllu(answer["result"])
    assert doc.text == text.replace("\n", "\r\n")
    expected = client.form("/process", {"data": text.replace("\n", "\r\n"), **steps}).json()
    assert answer == expected
    assert min(doc.heads) >= 0

    conllu = pipeline(text).to_conllu()
    assert udpipe_client(client, {**always, "data": conllu})["result"] == conllu
    parsed = udpipe_client(client, {**always, "data": conllu, "tagger": "", "parser": ""})["result"]
    assert parsed == client.form("/process", {"data": conllu, "tagger": "", "parser": ""}).json()["result"]
    assert "\r" not in parsed
    lines = {"input": "horizontal", "output": "vertical", "data": "Lo petum .\nKui la\n"}
    assert udpipe_client(client, lines)["result"] == "Lo\npetum\n.\n\nKui\nla\n\n"


def test_only_the_steps_that_are_asked_for_are_taken(client: Client) -> None:
    answer = client.form("/process", {"data": TEXT, "tokenizer": ""}).json()
    assert set(Doc.from_conllu(answer["result"]).strings("upos")) == {"_"}
    echoed = client.form("/process", {"data": answer["result"]}).json()
    assert echoed["result"] == answer["result"]
    tagged = client.form("/process", {"data": answer["result"], "tagger": ""}).json()
    assert "_" not in Doc.from_conllu(tagged["result"]).strings("upos")


def test_tokenizer_options_are_understood(client: Client) -> None:
    lines = "Lo petum\nkui la dela"
    answer = client.form("/process", {"data": lines, "tokenizer": "presegmented"}).json()
    assert len(Doc.from_conllu(answer["result"]).sentences) == 2
    answer = client.form("/process", {"data": TEXT, "tokenizer": "ranges"}).json()
    doc = Doc.from_conllu(answer["result"])
    for sentence in doc.sentences:
        inside = {n for token in sentence.multiword_tokens for n in range(token.first, token.last + 1)}
        tokens = [*sentence.multiword_tokens, *(word for word in sentence if word.id not in inside)]
        for token in tokens:
            (place,) = [pair.partition("=")[2] for pair in str(token.misc).split("|") if pair.startswith("TokenRange=")]
            start, end = map(int, place.split(":"))
            assert TEXT[start:end] == token.form


@pytest.mark.parametrize(
    ("kind", "data"), [("horizontal", "Lo petum .\nKui la\n"), ("vertical", "Lo\npetum\n.\n\nKui\nla\n\n")]
)
def test_other_formats_go_in_and_out(client: Client, kind: str, data: str) -> None:
    answer = client.form("/process", {"data": data, "input": kind, "output": kind}).json()
    assert answer["result"] == data
    conllu = client.form("/process", {"data": data, "input": kind}).json()["result"]
    assert [sentence.words for sentence in Doc.from_conllu(conllu).sentences] == [["Lo", "petum", "."], ["Kui", "la"]]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "'data' is missing"),
        ({"data": "x", "tokenizer": "", "output": "matxin"}, "Unknown output format"),
        ({"data": "x", "input": "epe"}, "Unknown input format"),
        ({"data": "x"}, "expected 10 fields"),
        ({"data": "x", "model": "other"}, "no model"),
    ],
)
def test_faults_are_plain_text_with_status_400(client: Client, fields: dict[str, str], message: str) -> None:
    reply = client.form("/process", fields or {"model": "small"})
    assert reply.status == 400
    assert reply.headers["content-type"].startswith("text/plain")
    assert message in reply.body.decode()


def test_a_model_without_a_parser_says_so(pipeline: Pipeline) -> None:
    with serving({"tags": ServedModel.of("tags", pipeline.select("segmenter", "morphology"))}) as client:
        assert client.get("/models").json()["models"] == {"tags": ["tokenizer", "tagger"]}
        reply = client.form("/process", {"data": "x", "tokenizer": "", "parser": ""})
        assert (reply.status, reply.body.decode()) == (400, "The model 'tags' has no parser.\n")


PART = b'--a\r\nContent-Disposition: form-data; name="data"\r\n\r\n%s\r\n--a--\r\n'


@pytest.mark.parametrize("data", [b"Lo \xff.", b"Lo \xed\xa0\x80."], ids=["no UTF-8", "a lone surrogate"])
def test_what_is_not_utf8_is_refused_and_not_replaced(client: Client, data: bytes) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    for reply in (
        client.get(f"/process?tokenizer&data={quote(data)}"),
        client.send("POST", "/process", b"tokenizer&data=" + quote(data).encode(), form),
        client.send("POST", "/process", b"tokenizer&data=" + data, form),
        client.send(
            "POST", "/process?tokenizer", PART.replace(b"%s", data), {"content-type": "multipart/form-data; boundary=a"}
        ),
    ):
        assert reply.status == 400
        assert reply.body == b"cannot read the form: it is not UTF-8\n"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=a", b"--b\r\n\r\nx"),
        ("multipart/form-data; boundary=\xe9", b"--a"),
        ("multipart/form-data; boundary=a", b"--a\r\n" * 5000),
        ("application/x-www-form-urlencoded", b"a=1&" * 500),
        ("application/x-www-form-urlencoded", b"data=%zz%ff&tokenizer"),
        ("application/octet-stream", b"\x00\xff"),
        ("text/xml", b"<a/>"),
    ],
)
def test_broken_forms_are_answered(client: Client, kind: str, body: bytes) -> None:
    reply = client.send("POST", "/process", body, {"content-type": kind})
    assert reply.status in (200, 400, 415)
    assert b"Traceback" not in reply.body


@pytest.mark.parametrize("name", ["english", "en", "en_ewt", "English-EWT-ud-2.12-231207"])
def test_a_model_is_found_by_its_language(models: dict[str, ServedModel], name: str) -> None:
    served = {"xx": models["small"], "en-mine": ServedModel("en-mine", models["small"].efforts)}
    with serving(served) as client:
        reply = client.form("/process", {"data": TEXT, "tokenizer": "", "model": name})
        assert reply.json()["model"] == "en-mine"
        assert client.form("/process", {"data": TEXT, "tokenizer": "", "model": "german"}).status == 400


def test_documents_paragraphs_and_sentences_are_marked(client: Client) -> None:
    text = "Lo petum kui. La dela.\n\nKui la dela."
    fields = {"data": text, "tokenizer": "presegmented", "tagger": "", "output": "conllu"}
    doc = Doc.from_conllu(client.form("/process", fields | {"data": text.replace(". La", ".\nLa")}).json()["result"])
    assert [one.sent_id for one in doc.sentences] == ["1", "2", "3"]
    assert [one.newdoc is not None for one in doc.sentences] == [True, False, False]
    assert [one.newpar is not None for one in doc.sentences] == [True, False, True]


def test_options_of_output_formats(client: Client) -> None:
    text = "Lo  petum kui.\nLa dela.\n\nKui la dela."
    made = {
        output: client.form("/process", {"data": text, "tokenizer": "presegmented", "output": output}).json()["result"]
        for output in ("horizontal=paragraphs", "plaintext=normalized_spaces", "plaintext=paragraphs", "plaintext")
    }
    assert made["horizontal=paragraphs"].split("\n")[2] == ""
    assert made["plaintext=normalized_spaces"].splitlines() == ["Lo petum kui.", "La dela.", "Kui la dela."]
    assert made["plaintext"] == text + "\n"
    assert client.form("/process", {"data": text, "tokenizer": "", "output": "matxin"}).status == 400


def test_the_client_of_udapi_gets_its_trees(client: Client) -> None:
    online = pytest.importorskip("udapi.tool.udpipeonline")
    tool = online.UDPipeOnline("small", server=f"http://127.0.0.1:{client.port}")
    assert tool.list_models() == ["small"]
    steps = {"data": TEXT, "model": "small", "tokenizer": "", "tagger": "", "parser": ""}
    assert min(Doc.from_conllu(tool.perform_request(steps)).heads) >= 0
