"""Long work as generators: one after another, and side by side."""

from collections.abc import Generator
from threading import Barrier

import pytest

from laconic.progress import finished, side_by_side


def counting(number: int, steps: int = 3) -> Generator[int, None, str]:
    yield from range(steps)
    return f"run {number}"


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_the_order_of_the_runs_and_every_step_is_told(threads: int) -> None:
    seen: list[tuple[int, int]] = []
    results = finished(side_by_side([counting(number) for number in range(4)], threads), seen.append)
    assert results == [f"run {number}" for number in range(4)]
    assert sorted(seen) == [(number, step) for number in range(4) for step in range(3)]
    for run in range(4):
        assert [step for number, step in seen if number == run] == [0, 1, 2]


def test_runs_go_on_at_the_same_time() -> None:
    both = Barrier(2, timeout=60)

    def meeting() -> Generator[int, None, int]:
        yield both.wait()
        return 1

    assert finished(side_by_side([meeting(), meeting()], 2)) == [1, 1]


def test_what_goes_wrong_in_one_run_ends_all() -> None:
    made = []

    def failing() -> Generator[int, None, None]:
        yield 0
        raise ValueError("no")

    def endless() -> Generator[int, None, None]:
        while True:
            made.append(1)
            yield len(made)

    with pytest.raises(ValueError, match="no"):
        finished(side_by_side([failing(), endless()], 2))


def test_whoever_waits_no_longer_ends_all() -> None:
    ended = []

    def endless() -> Generator[int, None, None]:
        try:
            while True:
                yield 1
        finally:
            ended.append(1)

    runs = [endless(), endless()]
    steps = side_by_side(runs, 2)
    next(steps)
    steps.close()
    for run in runs:
        run.close()
    assert len(ended) == 2


def test_no_runs_have_no_results() -> None:
    assert finished(side_by_side([])) == []
