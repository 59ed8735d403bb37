"""Names of runs in legends: told apart by what was asked, whatever their files are called."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from made_runs import run as made

from airlag.questions.runs import Run
from airlag.views.run_names import names, shared

#: What may be asked of a made-up run, and what is as by default.
STIMULI = st.fixed_dictionaries(
    {
        "phase": st.sampled_from(["uniform", "frozen"]),
        "period_ns": st.sampled_from([30_000_000, 200_000_000]),
        "count": st.sampled_from([50, 1000]),
        "settings": st.dictionaries(
            st.sampled_from(["connection_interval", "neighbours", "range", "later"]),
            st.sampled_from(["7500", "30000", "x" * 90 + "1", "x" * 90 + "2"]),
            max_size=2,
        ),
    },
    optional={"traffic": st.sampled_from(["trigger", "echo", "rpc-echo"])},
)
ASKED = st.tuples(
    st.sampled_from(
        ["ble-nus-notify", "ble-nimble-connparams-notify", "ble-nimble-connparams-write", "gone"]
    ),
    st.sampled_from([None, 12, 128]),
    st.integers(1, 2),
    STIMULI,
)


def virtual(link: str, size: int | None, seed: int, config: Mapping[str, Any]) -> Run:
    config = {"service_ns": 1_000_000, **config}
    return replace(made([1.0], source=link), link=link, size=size, seed=seed, config=config)


@given(asked=st.lists(ASKED, min_size=1, max_size=8))
@settings(max_examples=200, deadline=None)
def test_runs_that_were_asked_for_otherwise_never_have_one_name(asked: list[Any]) -> None:
    runs = [virtual(*each) for each in asked]
    found = names(runs)
    assert len(set(found)) == len(found)
    for one, name in zip(runs, found, strict=True):
        if re.search(r" #\d+$", name) and "…" not in name:
            # A number tells apart only what nothing else does, or what had to be cut.
            assert sum(asked_alike(one, other) for other in runs) > 1


def asked_alike(one: Run, other: Run) -> bool:
    """Whether two runs were asked for alike, also where one states what the other leaves unset."""

    def key(run: Run) -> Any:
        config = {"traffic": "trigger", **run.config}
        own = {"connection_interval": "30000"} if run.link == "ble-nus-notify" else {}
        return run.link, run.size, run.seed, {**config, "settings": own | config["settings"]}

    return bool(key(one) == key(other))


def interval(ms: float, **more: Any) -> Run:
    """A run with this connection interval, of a link whose own is 30 ms."""
    set_to = {} if ms == 30 else {"connection_interval": str(round(1000 * ms))}
    return virtual("ble-nus-notify", 12, 1, {"settings": set_to, **more})


def test_two_runs_go_by_what_differs_and_by_the_profile_where_one_set_nothing() -> None:
    assert names([interval(7.5), interval(30)]) == [
        "ble-nus-notify 12 B, connection_interval=7.5ms",
        "ble-nus-notify 12 B, connection_interval=30ms",
    ]
    # What both have is in no name, but is said once.
    both = [interval(7.5), interval(7.5, phase="frozen")]
    assert names(both) == ["ble-nus-notify 12 B", "ble-nus-notify 12 B, frozen phase"]
    assert shared(both) == "All with connection_interval=7.5ms."
    assert shared(both[:1]) == "Run with connection_interval=7.5ms."
    assert shared([interval(30)]) == ""


def test_a_period_is_told_where_somebody_chose_it() -> None:
    usual, hurried = interval(30, period_ns=200_000_000), interval(30, period_ns=8_000_000)
    assert names([usual, hurried]) == ["ble-nus-notify 12 B", "ble-nus-notify 12 B, every 8ms"]


def test_of_a_long_name_what_differs_is_left() -> None:
    link = "ble-nimble-connparams-notify"
    runs = [
        virtual(each, 1024, 1, {"settings": {"connection_interval": interval}})
        for each in (link, "ble-nimble-connparams-write")
        for interval in ("7500", "15000")
    ]
    found = names(runs)
    assert len(set(found)) == 4
    assert all(
        interval in name for name, interval in zip(found, ["7.5ms", "15ms"] * 2, strict=True)
    )
    assert all(way in name for name, way in zip(found, ["notify"] * 2 + ["write"] * 2, strict=True))
    assert max(map(len, found)) <= 48
    assert not any("#" in name for name in found)
