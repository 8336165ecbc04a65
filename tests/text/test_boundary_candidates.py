"""Which labels are likely between two characters."""

from __future__ import annotations

import numpy as np

from laconic.text.boundary_candidates import (
    BLANK,
    INSIDE,
    LINE,
    NONE,
    SENTENCE,
    SPACE,
    TOKEN,
    WIDE,
    likely_labels,
    read_gaps,
)

SHAPE = (3, 5, 3, 3)


def test_what_training_never_showed_between_two_kinds_is_no_candidate_there() -> None:
    counts = np.zeros(SHAPE, np.uint32)
    counts[0, NONE, 0] = [1000, 0, 0]
    counts[0, SPACE, 0] = [0, 990, 10]
    counts[0, SPACE, 1] = [0, 99_999, 1]
    masks = likely_labels(counts, 0.001).reshape(SHAPE[:3])
    assert masks[0, NONE, 0] == INSIDE
    assert masks[0, SPACE, 0] == TOKEN | SENTENCE
    assert masks[0, SPACE, 1] == TOKEN


def test_a_boundary_seldom_seen_may_have_what_boundaries_like_it_have() -> None:
    counts = np.zeros(SHAPE, np.uint32)
    counts[0, NONE, 0] = [500, 500, 0]
    counts[0, NONE, 1] = [1, 0, 0]
    masks = likely_labels(counts, 0.001).reshape(SHAPE[:3])
    assert masks[0, NONE, 1] == INSIDE | TOKEN
    assert masks[0, NONE, 2] == INSIDE | TOKEN
    assert masks[1, NONE, 0] == INSIDE | TOKEN | SENTENCE
    assert masks[1, SPACE, 0] == TOKEN | SENTENCE
    assert (masks > 0).all()


def test_a_blank_line_ends_a_sentence_where_training_has_none() -> None:
    masks = likely_labels(np.zeros(SHAPE, np.uint32), 0.001).reshape(SHAPE[:3])
    assert (masks[:, BLANK] == SENTENCE).all()


def test_white_space_of_a_kind_never_seen_is_read_as_a_space() -> None:
    counts = np.zeros(SHAPE, np.uint32)
    counts[0, SPACE, 0, 1] = counts[0, LINE, 0, 1] = 1
    assert read_gaps(counts).tolist() == [NONE, SPACE, SPACE, LINE, BLANK]
    assert read_gaps(np.zeros(SHAPE, np.uint32))[WIDE] == SPACE
