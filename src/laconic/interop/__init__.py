"""Views of a document: what other programs and people want to see of it. A view reads and never changes it."""

from __future__ import annotations
