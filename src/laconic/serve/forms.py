"""Fields of forms, as clients of UDPipe send them: in the address, as a form, or as a form of several parts."""

from __future__ import annotations

from email import policy
from email.parser import BytesParser
from urllib.parse import parse_qsl

from laconic.serve.limits import Refused

MOST = 100
"""Fields and parts: a request needs eight."""


def form_fields(query: str, content_type: str, body: bytes) -> dict[str, str]:
    """The fields of the address and of the body; those of the body win. Refused for what cannot be read."""
    try:
        fields = dict(_pairs(query))
        kind = content_type.partition(";")[0].strip().lower()
        if kind == "multipart/form-data":
            fields |= _parts(content_type, body)
        elif kind == "application/x-www-form-urlencoded" or (body and not kind):
            fields |= _pairs(body.decode())
        elif body:
            raise Refused(415, f"cannot read {kind}: send a form")
    except UnicodeDecodeError:
        raise Refused(400, "cannot read the form: it is not UTF-8") from None
    except ValueError as error:
        raise Refused(400, f"cannot read the form: {error}") from None
    return fields


def _pairs(text: str) -> list[tuple[str, str]]:
    return parse_qsl(text, keep_blank_values=True, max_num_fields=MOST, errors="strict")


def _parts(content_type: str, body: bytes) -> dict[str, str]:
    """The standard library reads mail, of which such forms are a kind."""
    if "\n" in content_type or "\r" in content_type or not content_type.isascii():
        raise Refused(400, "cannot read the form: a broken content type")
    message = BytesParser(policy=policy.HTTP).parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
    parts = list(message.iter_parts()) if message.is_multipart() else []
    if not parts:
        raise Refused(400, "cannot read the form: it has no parts")
    if len(parts) > MOST:
        raise Refused(400, "cannot read the form: it has too many parts")
    fields = {}
    for part in parts:
        name = part.get_param("name", header="content-disposition")
        payload = part.get_payload(decode=True)
        if isinstance(name, str) and isinstance(payload, bytes):
            fields[name] = payload.decode()
    return fields
