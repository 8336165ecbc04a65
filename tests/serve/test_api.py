"""The JSON API, over real HTTP."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import json_words
import pytest
from explained_model import TEXT
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from serve.serving import Client, serving

from laconic.corpus import Doc
from laconic.pipeline import Pipeline
from laconic.serve.service import ServedModel

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "model",
    "text",
    "words",
    "conllu",
    "effort",
    "lines",
    "mwt",
    "svg",
    "export",
    "width",
    "rows",
    "sentence",
    "word",
    "x",
]
NASTY = [
    "",
    " ",
    "\n\n\n",
    "\x00",
    "\x00\x01\x02\x1b[2J\x7f",
    "\ufeff",
    "\u202e\u2066abc\u2069",
    "a\u0301" * 200,
    "\u0301" * 300,
    "😀👩‍👩‍👧‍👦🏳️‍🌈",
    "<script>alert(1)</script>",
    "</title></svg><img src=x onerror=alert(1)>",
    "]]> --> <!-- & &amp; &#0; &#x1F600;",
    "' OR 1=1; --",
    "../../../etc/passwd",
    "%s%n%x {0} ${x} {{x}}",
    "a" * 20_000,
    "a " * 5_000,
    ". " * 3_000,
    "\t".join("abc"),
    "1\tx\ty",
    "# text = a",
    "\r\n\r\nA\rB",
    "\u2028\u2029\u0085",
    "הילד אכל תפוח. ذهب الطالب.",
    "我爱北京天安门。",
    "http://a.b/" + "c" * 3_000,
    "@" * 3_000,
    "(((((" * 500,
    '"' * 999,
    "\ufffe\uffff\ufdd0",
    "\U0010ffff",
    "ﷺ" * 50,
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L",
    "١٢٣ ४५६ ⅷ",
    "\x0b\x0c\x1c\x1d\x1e\x1f",
    "null",
    "NaN",
]


def test_a_text_becomes_the_document_that_the_pipeline_makes(client: Client, pipeline: Pipeline) -> None:
    for effort in ("full", "balanced", "fast"):
        reply = client.post("/api/parse", {"text": TEXT, "effort": effort})
        assert reply.status == 200
        answer = reply.json()
        pipeline.effort = effort
        assert answer["document"] == json.loads(pipeline(TEXT).to_json())
        assert (answer["model"], answer["effort"]) == ("small", effort)
        assert answer["words"] == sum(len(one["words"]["form"]) for one in answer["document"]["sentences"])
        assert [cost["component"] for cost in answer["cost"]] == [
            "segmenter",
            "morphology",
            "lemmatizer",
            "parser",
            "entities",
        ]
        assert all(cost["seconds"] >= 0 for cost in answer["cost"])


def test_words_and_treebanks_are_taken_too(client: Client, pipeline: Pipeline) -> None:
    words = [["Lo", "petum", "."], ["Kui", "la"]]
    answer = client.post("/api/parse", {"words": words, "effort": "full"}).json()
    assert [one["words"]["form"] for one in answer["document"]["sentences"]] == words
    conllu = Doc.from_words(words).to_conllu()
    assert client.post("/api/parse", {"conllu": conllu, "effort": "full"}).json()["document"] == answer["document"]


def test_lower_effort_computes_fewer_templates(client: Client) -> None:
    templates = [
        sum(cost["templates"] for cost in client.post("/api/parse", {"text": TEXT, "effort": effort}).json()["cost"])
        for effort in ("full", "balanced", "fast")
    ]
    assert templates == sorted(templates, reverse=True)
    assert templates[0] > templates[-1]


def test_pictures_come_on_request_and_are_pictures(client: Client) -> None:
    answer = client.post("/api/parse", {"text": TEXT, "svg": True, "width": 300, "rows": ["upos", "lemma"]}).json()
    assert len(answer["svg"]) == 2
    for text in answer["svg"]:
        assert float(ET.fromstring(text).get("width", "")) <= 300
        assert "style" not in text


def test_a_word_is_explained(client: Client) -> None:
    asked = {"text": TEXT, "effort": "full", "sentence": 0, "word": 1}
    answer = client.post("/api/explain", asked).json()
    questions = ["upos", "xpos+feats", "lemma", "head", "deprel", "entity"]
    assert [one["question"] for one in answer["explanations"]] == questions
    assert answer["explanations"][3]["effect"].endswith("becomes the head of Lo")
    first = answer["explanations"][0]
    assert (first["id"], first["form"], len(first["steps"])) == (1, "Lo", first["templates"])
    whole = client.post("/api/explain", asked | {"word": None, "sentence": 1}).json()["explanations"]
    assert {one["id"] for one in whole} == {1, 2, 3, 4, 5}


def test_models_are_described(client: Client) -> None:
    answer = client.get("/api/models").json()
    assert answer["default"] == "small"
    (model,) = answer["models"]
    assert model["efforts"] == ["beam", "full", "balanced", "fast"]
    assert model["explained"] == model["efforts"]
    for effort in model["efforts"]:
        assert client.post("/api/explain", {"text": TEXT, "effort": effort}).status == 200
    assert model["components"]["morphology"]["efforts"]["fast"]["templates"] > 0


def test_two_models_are_told_apart(models: dict[str, ServedModel]) -> None:
    with serving({"one": models["small"], "two": ServedModel.of("two", models["small"].efforts["full"])}) as client:
        assert client.post("/api/parse", {"text": "a", "model": "two"}).json()["model"] == "two"
        assert client.post("/api/parse", {"text": "a", "model": "three"}).status == 400
        assert list(client.get("/models").json()["models"]) == ["one", "two"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "one of text, words and conllu"),
        ({"text": "a", "words": []}, "one of text, words and conllu"),
        ({"text": 1}, "text must be a str"),
        ({"text": "a", "svg": 1}, "svg must be a bool"),
        ({"text": "a", "width": True}, "width"),
        ({"text": "a", "width": 0}, "width"),
        ({"text": "a", "rows": ["colour"]}, "rows can be"),
        ({"text": "a", "effort": "none"}, "no effort 'none'"),
        ({"text": "a", "colour": 1}, "no field 'colour'"),
        ({"text": "a", "efort": "fast"}, "did you mean effort?"),
        ({"text": "a", "model": ["small"]}, "no model"),
        ({"words": ["a"]}, "a list of sentences"),
        ({"words": [["\n"]]}, ""),
        ({"conllu": "1\tx\n\n"}, "1:"),
        ([], "JSON object"),
    ],
)
def test_a_request_that_makes_no_sense_is_told_so(client: Client, asked: object, message: str) -> None:
    reply = client.post("/api/parse", asked)
    assert reply.status == 400
    error = reply.json()["error"]
    assert error["status"] == 400
    assert message in error["message"]


def test_places_that_are_not_there_are_told_so(client: Client) -> None:
    for place in ({"sentence": 9}, {"word": 99}, {"word": 0}, {"sentence": -1}, {"word": "1"}, {"sentence": 1.5}):
        assert client.post("/api/explain", {"text": TEXT, **place}).status == 400


def test_only_json_is_taken_as_json(client: Client) -> None:
    assert client.send("POST", "/api/parse", b"{}", {"content-type": "text/plain"}).status == 415
    kind = {"content-type": "application/json; charset=utf-8"}
    for body in (b"", b"{", b"\xff", b"[" * 100_000, b'{"text": "a", "width": ' + b"9" * 10_000 + b"}"):
        assert client.send("POST", "/api/parse", body, kind).status == 400


def test_every_answer_has_the_headers_that_keep_browsers_safe(client: Client) -> None:
    for path in ("/", "/page.js", "/page.css", "/api/models", "/nowhere", "/process", "/openapi.json"):
        reply = client.get(path)
        assert "default-src 'none'" in reply.headers["content-security-policy"], path
        assert "unsafe" not in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "server" not in reply.headers
    assert client.get("/nowhere").status == 404
    assert client.get("/../../pyproject.toml").status == 404
    assert client.get("/api/parse").status == 405
    assert client.send("GET", "/", headers={"host": "evil.example"}).status == 400


def test_the_page_has_nothing_inline_and_nothing_from_elsewhere(client: Client) -> None:
    page = client.get("/").body.decode()
    assert not re.search(r"<script(?![^>]*src=)|<style|\son\w+=|style=|https?:", page)
    assert "http" not in client.get("/page.js").body.decode().replace("http://www.w3.org/2000/svg", "")
    assert ".laconic-tree" in client.get("/page.css").body.decode()


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nasty_texts_are_served(client: Client, text: str) -> None:
    for nasty in (text, f"Lo petum {text}.", f"{text}\n\n{text}", text[::-1], f'{{"text": "{text}'):
        reply = client.post("/api/parse", {"text": nasty, "svg": len(nasty) < 3000})
        assert reply.status == 200, reply.body
        answer = reply.json()
        for picture in answer.get("svg", ()):
            tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(picture).iter()}
            assert tags <= {"svg", "title", "g", "text", "path", "rect"}
        explained = client.post("/api/explain", {"text": nasty, "sentence": 0, "word": 1})
        assert explained.status in ((200, 413) if answer["words"] else (400,))
        sent = {"data": nasty.encode("utf-8", "replace").decode(), "tokenizer": "", "tagger": ""}
        assert client.form("/process", sent).status == 200


@pytest.mark.parametrize("text", ["\ud800", "\udfff\ud800x", "Lo \udc00petum."])
def test_half_a_character_is_refused_and_not_replaced(client: Client, text: str) -> None:
    for asked in ({"text": text}, {"words": [["Lo", text]]}, {"conllu": f"# {text}\n"}):
        for path in ("/api/parse", "/api/explain"):
            reply = client.post(path, asked)
            assert reply.status == 400
            assert "lone surrogate, U+D" in reply.json()["error"]["message"]
    answer = client.post("/api/parse", {"text": "a\ud83d\ude00"}).json()
    assert json_words.text(answer["document"]["sentences"]) == "a\U0001f600"


def test_lists_in_lists_are_answered_however_deep(client: Client) -> None:
    for depth in range(800, 1000, 10):
        body = b'{"words": ' + b"[" * depth + b"]" * depth + b"}"
        assert client.send("POST", "/api/parse", body, {"content-type": "application/json"}).status == 400


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5), st.sampled_from(["/api/parse", "/api/explain"]))
def test_any_json_is_answered_and_never_by_a_failure(client: Client, asked: dict[str, object], path: str) -> None:
    reply = client.post(path, asked)
    assert reply.status in (200, 400)
    assert b"Traceback" not in reply.body
    reply.json()


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_any_text_comes_back_whole(client: Client, text: str) -> None:
    answer = client.post("/api/parse", {"text": text, "svg": True}).json()
    sentences = answer["document"]["sentences"]
    assert not sentences or json_words.text(sentences) == text
    for sentence in sentences:
        assert all(text[word["start"] : word["end"]] for word in json_words.words(sentence))
    for picture in answer["svg"]:
        ET.fromstring(picture)


def test_the_interface_describes_itself(client: Client) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    own, udpipe = {"/api/models", "/api/parse", "/api/explain"}, {"/models", "/process"}
    assert set(described["paths"]) == own | udpipe | {"/", "/ping", "/live", "/ready"}
    body = described["paths"]["/api/parse"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(body["properties"]) == set(FIELDS) - {"x", "sentence", "word"}
    answer = client.post("/api/parse", {"text": TEXT, "svg": True, "export": "conllu"}).json()
    reply = described["paths"]["/api/parse"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert set(answer) == set(reply["properties"])
    sentence = reply["properties"]["document"]["properties"]["sentences"]["items"]
    assert set(sentence["required"]) <= set(answer["document"]["sentences"][0]) <= set(sentence["properties"])
    words = sentence["properties"]["words"]
    assert set(words["required"]) <= set(answer["document"]["sentences"][0]["words"]) <= set(words["properties"])
    schema = described["paths"]["/api/explain"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    one = client.post("/api/explain", {"text": TEXT}).json()["explanations"][0]
    assert set(one) == set(schema["properties"]["explanations"]["items"]["properties"])


def test_a_document_is_exported_as_one_file(client: Client, pipeline: Pipeline) -> None:
    made = client.post("/api/parse", {"text": TEXT, "export": "conllu"}).json()["export"]
    assert Doc.from_conllu(made) == pipeline.at("balanced")(TEXT)
    picture = client.post("/api/parse", {"text": TEXT, "export": "svg", "rows": ["lemma"]}).json()["export"]
    assert picture.startswith("<svg")
    assert client.post("/api/parse", {"text": TEXT, "export": "png"}).status == 400
