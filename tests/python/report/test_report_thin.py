"""Sharing marks: nothing is hidden, extremes stay, and the counts add up."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from airlag._airlag import corners
from airlag.views.pages.marks import MOST_MARKS, share_marks

#: How close a line is drawn to what it stands for, px, as crates/study/src/chart/thin.rs has it.
OFF = 0.25

PIXELS = hnp.arrays(
    np.float64,
    st.shared(st.integers(1, 60), key="n"),
    elements=st.floats(0.0, 40.0, allow_nan=False),
)

#: How far a line goes right, and up, from point to point: often not at all.
STEP = st.one_of(st.just(0.0), st.floats(0.0, 5.0, allow_nan=False))


@given(right=PIXELS, down=PIXELS)
def test_every_transfer_is_under_a_mark(
    right: np.ndarray[tuple[int], np.dtype[np.float64]],
    down: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> None:
    marks = share_marks([(right, down)], every_up_to=0)
    kept = marks.kept[0]
    assert marks.transfers == len(right)
    assert np.all(np.diff(kept) > 0)
    assert np.all(marks.stand_for[0] >= 0)
    far = np.maximum(np.abs(right[:, None] - right[kept]), np.abs(down[:, None] - down[kept])).min(
        axis=1
    )
    assert far.max() <= marks.width
    for axis in (right, down):
        assert axis[kept].min() == axis.min()
        assert axis[kept].max() == axis.max()


def test_few_transfers_each_have_a_mark() -> None:
    place = np.zeros(100)
    marks = share_marks([(place, place), (place[:0], place[:0])])
    assert marks.count == marks.transfers == 100
    assert [len(kept) for kept in marks.kept] == [100, 0]


def test_marks_grow_until_there_are_not_too_many() -> None:
    rng = np.random.default_rng(3)
    places = [(rng.uniform(0, 800, 40_000), rng.uniform(0, 300, 40_000)) for _ in range(4)]
    marks = share_marks(places)
    assert marks.transfers == 160_000
    assert marks.count <= MOST_MARKS
    assert marks.width > 3.0


def test_a_long_line_keeps_its_ends_and_its_corners() -> None:
    right = np.linspace(0.0, 100.0, 50_000)
    down = np.where(right < 50.0, 10.0, 90.0)
    kept = corners(right, down)
    assert len(kept) < 1000
    assert kept[0] == 0
    assert kept[-1] == len(right) - 1
    step = int(np.flatnonzero(np.diff(down))[0])
    assert {step, step + 1} <= set(kept.tolist())


@given(steps=hnp.arrays(np.float64, st.tuples(st.integers(1, 300), st.just(2)), elements=STEP))
def test_a_rising_line_passes_every_point_it_leaves_out(
    steps: np.ndarray[tuple[int, int], np.dtype[np.float64]],
) -> None:
    right, up = np.ascontiguousarray(np.cumsum(steps, axis=0).T)
    kept = corners(right, up)
    assert kept[0] == 0
    assert kept[-1] == len(right) - 1
    # Along the diagonal every rising line is a function.
    along = right + up
    off = np.interp(along, along[kept], (up - right)[kept]) - (up - right)
    assert np.abs(off).max() <= OFF + 1e-9


def test_a_straight_line_is_its_ends() -> None:
    for right in (np.linspace(0.0, 50.0, 1000), np.zeros(1000)):
        assert corners(right, np.linspace(0.0, 300.0, 1000)).tolist() == [0, 999]
