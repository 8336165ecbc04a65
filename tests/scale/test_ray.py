"""Ray Data on a cluster of two nodes, which are processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cli.command import laconic
from scale.conftest import Killer, Marked, check_untyped, in_order

from laconic.errors import ConfigError, ModelError

ray = pytest.importorskip("ray")
pytest.importorskip("ray.data")
parquet = pytest.importorskip("pyarrow.parquet")
pytestmark = pytest.mark.filterwarnings("ignore")  # of what Ray imports

from laconic.scale.ray import parse  # noqa: E402


@pytest.fixture(scope="module")
def cluster(marked: Marked) -> Iterator[Any]:
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    assert len([node for node in ray.nodes() if node["Alive"]]) == 2
    yield made
    ray.shutdown()
    made.shutdown()


def dataset(table: Any, blocks: int = 12) -> Any:
    step = -(-table.num_rows // blocks)
    return ray.data.from_arrow([table.slice(at, step) for at in range(0, table.num_rows, step)])


def test_the_result_is_that_of_one_machine_though_a_worker_is_killed(
    cluster: Any, marked: Marked, table: Any, expected: Any, small_model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    # A worker that has unpacked the model is at its first batches; the results of none are written yet.
    killer = Killer(marked.mark, "ray::MapWorker(MapBatches(Worker", lambda: any(marked.folder.glob("laconic-*/*")))
    killer.start()
    try:
        made = parse(dataset(table), str(small_model), id_column="id", workers=2, batch_size=25, ship=True)
        made.write_parquet(str(out))
    finally:
        killer.stopped.set()
        killer.join()
    assert killer.killed, "the job was over before a worker could be killed"
    found = parquet.read_table(out)
    assert sorted(found["id"].to_pylist()) == table["id"].to_pylist()  # complete, and nothing twice
    assert in_order(found) == in_order(expected)


def test_a_broken_text_names_its_row_or_is_told_in_a_column(cluster: Any, small_model: Path) -> None:
    import pyarrow

    broken = pyarrow.table({"id": ["a", "b"], "text": pyarrow.array([b"Lo", b"\xff"])})
    with pytest.raises(Exception, match=r"row 1 \(id b\): 1:1: byte 0 is not UTF-8"):
        parse(dataset(broken, 1), str(small_model), id_column="id", workers=1).take_all()
    rows = parse(dataset(broken, 1), str(small_model), on_error="column", workers=1, columns=["form"]).take_all()
    assert [row["error"] is None for row in rows] == [True, False]


def test_mistakes_are_told_before_anything_runs(table: Any, small_model: Path, cluster: Any) -> None:
    with pytest.raises(ConfigError, match="no column 'body' of texts"):
        parse(dataset(table, 1), str(small_model), text="body")
    with pytest.raises(ConfigError, match="no effort"):
        parse(dataset(table, 1), str(small_model), effort="quick")
    with pytest.raises(ModelError, match="no such model"):
        parse(dataset(table, 1), "nosuch.laconic")
    with pytest.raises(ConfigError, match="workers must be"):
        parse(dataset(table, 1), str(small_model), workers="two")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="workers must be"):
        parse(dataset(table, 1), str(small_model), workers=(2, 1))
    with pytest.raises(ConfigError, match="no column 'no' of ids"):
        parse(dataset(table, 1), str(small_model), id_column="no")


def test_the_command_parses_on_ray(cluster: Any, table: Any, expected: Any, small_model: Path, tmp_path: Path) -> None:
    parquet.write_table(table, tmp_path / "corpus.parquet")
    options = ("--engine", "ray", "-m", small_model, "-e", "balanced", "--id-column", "id")
    done = laconic("parse", tmp_path / "corpus.parquet", *options, "-o", f"{tmp_path}/out/")
    assert done.code == 0, done.err
    assert in_order(parquet.read_table(tmp_path / "out")) == in_order(expected)
    again = laconic("parse", tmp_path / "corpus.parquet", *options, "-o", f"{tmp_path}/out/")
    assert (again.code, "is not empty" in again.err) == (2, True)
    import pyarrow

    broken = pyarrow.table({"id": ["a", "b"], "text": pyarrow.array([b"Lo", b"\xff"])})
    parquet.write_table(broken, tmp_path / "broken.parquet")
    failed = laconic("parse", tmp_path / "broken.parquet", *options, "-o", f"{tmp_path}/none/")
    assert failed.code == 1
    assert "laconic: row 1 (id b): 1:1: byte 0 is not UTF-8" in failed.err


def test_the_command_keeps_columns_without_types_as_one_machine_does(
    cluster: Any, small_model: Path, tmp_path: Path
) -> None:
    check_untyped("ray", small_model, tmp_path)
