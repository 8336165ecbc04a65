from __future__ import annotations

from collections.abc import Iterator

import pytest
from explained_model import trained

from laconic.pipeline import Pipeline

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from serve.serving import Client, serving

from laconic.serve.service import ServedModel


@pytest.fixture(scope="session")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    return Pipeline.load(trained(tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="session")
def models(pipeline: Pipeline) -> dict[str, ServedModel]:
    return {"small": ServedModel.of("small", pipeline)}


@pytest.fixture(scope="session")
def client(models: dict[str, ServedModel]) -> Iterator[Client]:
    with serving(models) as one:
        yield one
