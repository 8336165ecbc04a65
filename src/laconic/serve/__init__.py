"""The server: a page, a JSON API, and the REST interfaces of UDPipe and CoreNLP. Loaded by ``laconic serve`` only."""

from __future__ import annotations
