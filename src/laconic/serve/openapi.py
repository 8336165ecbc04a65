"""The description of the interface, for programs."""

from __future__ import annotations

from typing import Any

import laconic
from laconic.corpus.records import OPTIONAL_FIELDS
from laconic.interop.svg import ROWS
from laconic.serve.limits import Limits
from laconic.serve.service import EXPORTS

Schema = dict[str, Any]


def _object(properties: Schema, required: list[str] | None = None, **more: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": required or [], **more}


def _maybe(kind: str) -> Schema:
    return {"type": [kind, "null"]}


def _reply(schema: Schema, what: str) -> Schema:
    return {"description": what, "content": {"application/json": {"schema": schema}}}


def _list(kind: Schema) -> Schema:
    return {"type": "array", "items": kind}


TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
WORDS = _object(
    {
        "form": _list(TEXT),
        **{name: _list(_maybe("string")) for name in ("lemma", "upos", "xpos", "feats", "deprel", "deps", "misc")},
        **{name: _list(_maybe("integer")) for name in ("head", "start", "end")},
    },
    ["form"],
    description="a list for each column, with a value for each word; left out are those that have none, and offsets "
    "in the text of the sentence where each word stands behind the one before",
    additionalProperties=False,
)
RANGE: Schema = {"first": NUMBER, "last": NUMBER}
SENTENCE = _object(
    {
        **dict.fromkeys(("newdoc", "newpar", "sent_id", "text", "before", "after"), TEXT),
        "start": NUMBER,
        "comments": _list(TEXT),
        "words": WORDS,
        "multiword_tokens": _list(
            _object({**RANGE, **dict.fromkeys(("form", *OPTIONAL_FIELDS), TEXT)}, [*RANGE, "form"])
        ),
        "empty_nodes": _list(_object(dict.fromkeys(("id", "form", *OPTIONAL_FIELDS), TEXT), ["id", "form"])),
        "entities": _list(_object({**RANGE, "label": TEXT}, [*RANGE, "label"])),
    },
    ["text", "start", "words"],
    additionalProperties=False,
)
COST = _object(
    {
        "component": {"type": "string"},
        **{name: {"type": "integer"} for name in ("decisions", "templates", "rows")},
        "seconds": {"type": "number"},
    }
)
EXPLANATION = _object(
    {
        **{name: {"type": "string"} for name in ("component", "question", "form", "label", "unit", "effect", "reason")},
        **{name: {"type": "integer"} for name in ("id", "word", "templates")},
        "runner_up": _maybe("string"),
        "margin": _maybe("number"),
        "candidates": {"type": "array", "items": {"type": "string"}},
        "scores": {"type": "array", "items": {"type": "number"}},
        "start": {"type": "array", "items": {"type": "number"}},
        "steps": {"type": "array", "items": {"type": "object"}},
        "checks": {"type": "array", "items": {"type": "object"}},
    }
)
HTML: Schema = {"text/html": {"schema": {"type": "string"}}}
ERROR = _object({"error": _object({"status": {"type": "integer"}, "message": {"type": "string"}})}, ["error"])
ASKED: Schema = {
    "model": _maybe("string"),
    "text": _maybe("string"),
    "words": {"type": ["array", "null"], "items": {"type": "array", "items": {"type": "string"}}},
    "conllu": _maybe("string"),
    "effort": _maybe("string"),
    "lines": {"type": ["boolean", "null"], "description": "one sentence per line"},
    "mwt": {"type": ["boolean", "null"], "description": "split multiword tokens"},
}
PICTURES: Schema = {
    "export": {"type": ["string", "null"], "enum": [*EXPORTS, None], "description": "send the document as a file, too"},
    "svg": {"type": ["boolean", "null"], "description": "send pictures, too"},
    "width": {"type": ["number", "null"], "minimum": 1, "maximum": 100000},
    "rows": {"type": ["array", "null"], "items": {"type": "string", "enum": list(ROWS)}},
}
FORM = _object(
    {name: {"type": "string"} for name in ("data", "model", "tokenizer", "tagger", "parser", "input", "output")},
    ["data"],
)


def description(limits: Limits) -> Schema:
    """An OpenAPI 3.1 document."""
    faults = {
        "400": _reply(ERROR, "a request that makes no sense"),
        "408": _reply(ERROR, f"longer than {limits.seconds:g} seconds"),
        "413": _reply(ERROR, f"more than {limits.bytes:,} bytes or {limits.words:,} words"),
        "415": _reply(ERROR, "not JSON"),
        "503": _reply(ERROR, "too many requests at once"),
    }
    plain = {
        code: {"description": fault["description"], "content": {"text/plain": {}}} for code, fault in faults.items()
    }
    processed = _object(
        {
            "model": {"type": "string"},
            "acknowledgements": {"type": "array", "items": {"type": "string"}},
            "result": {"type": "string"},
        }
    )
    parsed = _object(
        {
            "model": {"type": "string"},
            "effort": {"type": "string"},
            "words": {"type": "integer"},
            "cost": {"type": "array", "items": COST},
            "document": _object({"id": _maybe("string"), "sentences": _list(SENTENCE)}, ["id", "sentences"]),
            "svg": {"type": "array", "items": {"type": "string"}},
            "export": {"type": "string"},
        },
        ["model", "effort", "words", "cost", "document"],
    )
    word = {"sentence": {"type": "integer", "minimum": 0}, "word": {"type": ["integer", "null"], "minimum": 1}}
    explained = _object(
        {"model": {}, "effort": {}, "explanations": {"type": "array", "items": EXPLANATION}}, ["explanations"]
    )
    process = {"responses": {"200": _reply(processed, "the result"), **plain}}
    query = [
        {"name": name, "in": "query", "required": name in FORM["required"], "schema": {"type": "string"}}
        for name in FORM["properties"]
    ]
    models = {"summary": "UDPipe: models", "responses": {"200": _reply({"type": "object"}, "models")}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "laconic", "version": laconic.__version__, "description": "Text to dependency trees."},
        "paths": {
            "/api/models": {"get": {"summary": "Models", "responses": {"200": _reply({"type": "object"}, "models")}}},
            "/api/parse": {"post": _json("A document from a text", {**ASKED, **PICTURES}, parsed, faults)},
            "/api/explain": {"post": _json("Why words were decided on so", {**ASKED, **word}, explained, faults)},
            "/models": {"get": models, "post": models},
            "/process": {
                "get": {"summary": "UDPipe: process", "parameters": query, **process},
                "post": {
                    "summary": "UDPipe: process",
                    "requestBody": {
                        "required": True,
                        "content": {
                            kind: {"schema": FORM}
                            for kind in ("multipart/form-data", "application/x-www-form-urlencoded")
                        },
                    },
                    **process,
                },
            },
            "/": {
                "get": {"summary": "The page", "responses": {"200": {"description": "a page", "content": HTML}}},
                "post": {
                    "summary": "CoreNLP: annotate",
                    "parameters": [
                        {"name": name, "in": "query", "schema": {"type": "string"}} for name in ("properties", "model")
                    ],
                    "requestBody": {"content": {"text/plain": {"schema": {"type": "string"}}}},
                    "responses": {"200": _annotated(), **plain},
                },
            },
            **{
                f"/{name}": {"get": {"summary": "CoreNLP: is it there?", "responses": {"200": _text("yes")}}}
                for name in ("ping", "live", "ready")
            },
        },
    }


def _text(what: str) -> Schema:
    return {"description": what, "content": {"text/plain": {"schema": {"type": "string"}}}}


def _annotated() -> Schema:
    sentence = _object(
        {
            "index": {"type": "integer"},
            "tokens": {"type": "array", "items": {"type": "object"}},
            **{
                name: {"type": "array", "items": {"type": "object"}} for name in ("basicDependencies", "entitymentions")
            },
        },
        ["index", "tokens"],
    )
    reply = _reply(_object({"sentences": {"type": "array", "items": sentence}}, ["sentences"]), "sentences, or CoNLL-U")
    reply["content"] |= _text("")["content"]
    return reply


def _json(summary: str, properties: Schema, reply: Schema, faults: Schema) -> Schema:
    body = _object(properties, additionalProperties=False)
    return {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": _reply(reply, "the result"), **faults},
    }
