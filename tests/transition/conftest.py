"""Treebanks of the invented language to train parsers on."""

from __future__ import annotations

import pytest
from synthetic import conllu

from laconic.corpus import Doc


@pytest.fixture(scope="package")
def train() -> Doc:
    return Doc.from_conllu(conllu(400, 1))


@pytest.fixture(scope="package")
def dev() -> Doc:
    return Doc.from_conllu(conllu(150, 2))
