"""The server: a page to play with, a JSON API, and UDPipe's REST interface. Loaded by ``laconic serve`` only."""

from __future__ import annotations
