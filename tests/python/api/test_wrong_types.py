"""Arguments of a wrong Python type: a one-line error, and never a traceback of a library."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

import airlag
from airlag import LinkError

#: Values of every kind that people pass by mistake.
WRONG: list[Any] = [
    object(), b"x", 1j, float("nan"), -1, 10**400, "\ud800", np.array([1, 2]),
    timedelta(days=-1), set(), print, object, [1, 2], {"a": 1}, (None,), True,
]  # fmt: skip

LINK = "nrf24-2m"
#: Calls in which one argument is wrong; each is refused before anything runs, or runs at once.
CALLS: dict[str, Callable[[Any], Any]] = {
    "link": lambda value: airlag.run(value, 12, count=3),
    "size": lambda value: airlag.run(LINK, value, count=3),
    "count": lambda value: airlag.run(LINK, 12, count=value),
    "seed": lambda value: airlag.run(LINK, 12, count=3, seed=value),
    "period": lambda value: airlag.run(LINK, 12, count=3, period=value),
    "phase": lambda value: airlag.run(LINK, 12, count=3, phase=value),
    "traffic": lambda value: airlag.run(LINK, 12, count=3, traffic=value),
    "places": lambda value: airlag.run(LINK, 12, count=3, places=value),
    "neighbours": lambda value: airlag.run(LINK, 12, count=3, neighbours=value),
    "settings": lambda value: airlag.run(LINK, 12, count=3, settings=value),
    "a setting": lambda value: airlag.run(LINK, 12, count=3, retransmit_delay=value),
    "aim": lambda value: airlag.explain(LINK, 12, aim=value, advice=False),
    "rates": lambda value: airlag.offered_load(LINK, 12, rates_kbps=value, count=3),
    "deadline": lambda value: airlag.recommend(value, 12, links=LINK, budget="100ms"),
    "links": lambda value: airlag.recommend("1s", 12, links=value, budget="100ms"),
    "percentile": lambda value: airlag.recommend("1s", 12, links=LINK, percentile=value),
    "range": lambda value: airlag.recommend("1s", 12, links=LINK, range=value, budget="100ms"),
    "environment": lambda value: airlag.recommend("1s", 12, range="1m", environment=value),
    "processor": lambda value: airlag.recommend("1s", 12, links=LINK, processor=value),
    "battery": lambda value: airlag.recommend("1s", 12, links=LINK, battery=value),
    "max_charge": lambda value: airlag.recommend("1s", 12, links=LINK, max_charge=value),
    "region": lambda value: airlag.recommend("1s", 12, links=LINK, region=value),
    "seeds": lambda value: airlag.sweep(LINK, 12, count=3, seeds=value),
    "design": lambda value: airlag.sweep(LINK, 12, count=3, design=value),
    "minimise": lambda value: airlag.tune(LINK, 12, minimise=value, trials=2, count=3),
    "subject_to": lambda value: airlag.tune(LINK, 12, minimise="p50", subject_to=value),
    "over": lambda value: airlag.tune(LINK, 12, minimise="p50", over=value),
    "trials": lambda value: airlag.tune(LINK, 12, minimise="p50", trials=value, count=3),
    "storage": lambda value: airlag.tune(LINK, 12, minimise="p50", storage=value),
    "study": lambda value: airlag.tune(LINK, 12, minimise="p50", study=value),
}

#: Several whole numbers, bytes among them.
LISTS = ("[1, 2]", "array([1, 2])", "b'x'")
#: What is right for these, although it looks wrong.
RIGHT = {
    ("a setting", "True"),
    ("range", "True"),
    *((name, "set()") for name in ("neighbours", "links", "rates")),
    *((name, each) for name in ("size", "seeds", "rates") for each in LISTS),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_type_is_a_link_error_of_one_line(name: str) -> None:
    for value in WRONG:
        if (name, repr(value)) in RIGHT:
            continue
        with pytest.raises(LinkError) as refused:
            CALLS[name](value)
        assert str(refused.value).isprintable(), value


def test_numbers_of_numpy_are_numbers() -> None:
    told = airlag.run(LINK, np.int64(12), count=np.int64(3), retransmit_delay=np.int64(500))
    assert told.trigger_ns is not None
    assert told.trigger_ns.size == 3
