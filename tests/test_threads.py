"""One model, many threads: the answers are those of one thread. ``tools/sanitize --threads`` runs this under
ThreadSanitizer."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from synthetic import conllu

from laconic.corpus import Doc, read
from laconic.pipeline import Pipeline, TrainConfig, train, with_settings
from laconic.progress import finished

THREADS = 8


@pytest.fixture(scope="module")
def pipeline(tmp_path_factory: pytest.TempPathFactory) -> Pipeline:
    place = tmp_path_factory.mktemp("data")
    for name, seed in (("train", 1), ("dev", 2)):
        (place / f"{name}.conllu").write_text(conllu(150, seed=seed), encoding="utf-8")
    config = TrainConfig(place / "train.conllu", place / "dev.conllu", components=("tagger",))
    return finished(train(with_settings(config, {"tagger.settings.epochs": "2", "tagger.folds": "2"})))


@pytest.mark.skipif("LACONIC_SANITIZED" in os.environ, reason="builds for tests tell what is alive at the end")
def test_a_thread_that_holds_a_document_at_the_end_is_quiet() -> None:
    code = """
import threading
from laconic.corpus import Doc
held = threading.Event()
def hold():
    doc = Doc.from_words([["Lo"]])
    held.set()
    threading.Event().wait()
threading.Thread(target=hold, daemon=True).start()
held.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def documents() -> list[bytes]:
    # Some words are unknown to the model: each batch fills its own overlay.
    return [conllu(40, seed=seed, language=seed % 3).encode() for seed in range(10, 10 + THREADS)]


def tagged(pipeline: Pipeline, source: bytes) -> Doc:
    return pipeline(read(io.BytesIO(source), "conllu"))


def test_eight_threads_share_one_pipeline_and_tag_as_one_does(pipeline: Pipeline, tmp_path: Path) -> None:
    pipeline.save(tmp_path / "m.laconic")
    loaded = Pipeline.load(tmp_path / "m.laconic")
    sources = documents()
    wanted = [tagged(pipeline, source).to_conllu() for source in sources]
    start = threading.Barrier(THREADS)

    def work(number: int) -> list[str]:
        start.wait()
        order = [(number + i) % len(sources) for i in range(2 * len(sources))]
        made = {at: tagged(loaded, sources[at]).to_conllu() for at in order}
        return [made[at] for at in range(len(sources))]

    with ThreadPoolExecutor(THREADS) as pool:
        for found in pool.map(work, range(THREADS)):
            assert found == wanted


def test_eight_threads_read_one_document(pipeline: Pipeline) -> None:
    source = b"".join(documents())
    doc = read(io.BytesIO(source), "conllu")
    wanted = (source.decode(), doc.text, doc.codes("form")[1])
    shared = read(io.BytesIO(source), "conllu")
    start = threading.Barrier(THREADS)

    def work(_: int) -> tuple[str, str, list[str]]:
        start.wait()
        return shared.to_conllu(), shared.text, shared.codes("form")[1]

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(work, range(THREADS))) == [wanted] * THREADS
