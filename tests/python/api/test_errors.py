"""An impossible request raises a one-line error that states what is possible."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import airlag
from airlag import CaptureError, LinkError
from traces import beyond_all_links, logic2_csv

Call = Callable[[], Any]
run, sweep, recommend, load = airlag.run, airlag.sweep, airlag.recommend, airlag.offered_load
anything: Any = airlag

REFUSED: dict[str, tuple[Call, str]] = {
    "a name nearly right": (lambda: run("ble-nus-notfy"), "did you mean `ble-nus-notify`?"),
    "a keyword nearly right": (
        lambda: run("nrf24-2m", cuont=3),
        "no keyword `cuont`; did you mean `count`",
    ),
    "a parameter nearly right": (
        lambda: run("nrf24-2m", retransmit_dealy=3),
        "no keyword `retransmit_dealy`; did you mean `retransmit_delay`",
    ),
    "a setting nearly right": (
        lambda: run("nrf24-2m", settings={"retransmit_dealy": 3}),
        "no parameter `retransmit_dealy`; did you mean `retransmit_delay`?",
    ),
    "set twice": (
        lambda: run("nrf24-2m", window=2, settings={"window": 1}),
        "`window` is set twice; omit it in settings",
    ),
    "a number without its unit": (
        lambda: run("ble-nus-notify", connection_interval=7.5),
        "(plain numbers are in us; write connection_interval='7.5ms' for ms)",
    ),
    "a number that no bench runs": (
        lambda: run("ble-nus-notify", connection_interval=30),
        "write connection_interval='30ms' for ms",
    ),
    "a list for one value": (
        lambda: anything.run("nrf24-2m", window=[1, 2]),
        "expected one number, bool, text or timedelta (airlag.sweep takes several)",
    ),
    "no number": (lambda: run("nrf24-2m", range=float("nan")), "expected a finite number"),
    "empty text": (lambda: run("nrf24-2m", window=" "), "window is empty"),
    "a period without a unit": (
        lambda: anything.run("nrf24-2m", period=200),
        "period=200 has no unit; write text such as period='20ms', or a timedelta",
    ),
    "a period in text without a unit": (lambda: run("nrf24-2m", period="200"), "period: '200'"),
    "a negative period": (
        lambda: run("nrf24-2m", period=timedelta(milliseconds=-1)),
        "is negative; a duration is 0 or longer",
    ),
    "a size that is text": (
        lambda: anything.run("nrf24-2m", size="12"),
        "size='12': expected a whole number from 0 to 999999999",
    ),
    "a truth for a size": (lambda: run("nrf24-2m", size=True), "size=True: expected a whole"),
    "no size at all": (lambda: run("nrf24-2m", size=[]), "expected at least one, such as [128]"),
    "a size of a board": (
        lambda: run("gpio-stm32-ll-o3", size=12),
        "no messages, hence no payload",
    ),
    "no triggers": (lambda: run("nrf24-2m", count=0), "count=0: expected a whole number from 1"),
    "an unknown word": (
        lambda: anything.run("nrf24-2m", traffic="bth"),
        "traffic='bth' is unknown; expected 'trigger', 'echo', 'both'",
    ),
    "a neighbour that is none": (
        lambda: run("nrf24-2m", neighbours=["wifi:30%@ch99"]),
        "nrf24-2m: ",
    ),
    "a neighbour that is no text": (
        lambda: anything.run("nrf24-2m", neighbours=[3]),
        "neighbours: 3 is not text",
    ),
    "a link that is no name": (lambda: anything.run(3), "link=3: expected the name of a profile"),
    "one seed of a sweep": (
        lambda: anything.sweep("nrf24-2m", seeds=5),
        "seeds=5: expected several, such as range(1, 6) or [1]",
    ),
    "no seeds": (lambda: sweep("nrf24-2m", seeds=[]), "seeds is empty"),
    "no values": (lambda: sweep("nrf24-2m", window=[]), "window has no values"),
    "a combination of a sweep": (
        lambda: sweep("ble-nus-notify", connection_interval=["7.5ms", "8ms"], count=10),
        "a multiple of 1.25 ms",
    ),
    "a sweep both ways": (
        lambda: anything.sweep("nrf24-2m", traffic="both"),
        "traffic='both' is unknown",
    ),
    "a deadline without a unit": (lambda: anything.recommend(20), "deadline=20 has no unit"),
    "a deadline of nothing": (
        lambda: recommend("0ms"),
        "deadline='0ms': expected a time from 1 ns to 10000 s",
    ),
    "a percentile no bench shows": (
        lambda: recommend("20ms", percentile=100),
        "percentile=100: expected a number from 50 to 99.99",
    ),
    "an environment without a range": (
        lambda: recommend("20ms", environment="office"),
        "has no effect without range, such as '30m'",
    ),
    "a link that is not there": (
        lambda: recommend("20ms", links=["nfr24-2m"]),
        "did you mean `nrf24-2m`?",
    ),
    "an unknown region": (
        lambda: anything.recommend("20ms", region="mars"),
        "region='mars' is unknown",
    ),
    "a load that is none": (
        lambda: load("nrf24-2m", utilisations=[0]),
        "expected numbers from 1e-6 to 1e9, such as [0.5, 0.9]",
    ),
    "arrivals that are none": (
        lambda: anything.offered_load("nrf24-2m", arrivals="sometimes"),
        "arrivals='sometimes' is unknown",
    ),
    "a pattern of no link": (lambda: airlag.links("bel-*"), "no link `bel-*`; "),
    "a link of a list": (lambda: airlag.links()["nrf24-2"], "did you mean `nrf24-2m`"),
    "an unknown aim": (lambda: anything.explain("nrf24-2m", aim="best"), "aim='best' is unknown"),
    "a goodput of nothing": (lambda: airlag.goodput("nrf24-2m", size=0), "size=0: expected"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_line_says_what_is_wrong_and_what_would_be_right(name: str) -> None:
    call, said = REFUSED[name]
    with pytest.raises(LinkError) as caught:
        call()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_of_all_profiles_at_once_are_refused(virtual: airlag.Run) -> None:
    with pytest.raises(LinkError, match="`window` applies to one profile; pass its link"):
        anything.match(virtual, window=2)


def test_a_run_is_explained_as_it_was_made(virtual: airlag.Run) -> None:
    with pytest.raises(LinkError, match="is a finished run; size applies to a link"):
        airlag.explain(virtual, size=12)


def test_a_capture_that_no_link_explains_says_why(capture: Path, tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="explains the capture"):
        airlag.explain(capture.with_name("frozen-tick-1.csv"))
    fast = logic2_csv(tmp_path / "fast.csv", beyond_all_links())
    with pytest.raises(CaptureError, match="can produce this latency"):
        airlag.explain(airlag.analyze(fast))
    with pytest.raises(LinkError, match="is a capture; period applies to a link"):
        airlag.explain(capture, period="20ms")


def test_charts_that_do_not_apply_say_why(virtual: airlag.Run, capture: Path) -> None:
    with pytest.raises(ValueError, match="no chart 'tme'; did you mean 'time'"):
        virtual.plot("tme")
    with pytest.raises(ValueError, match="no chart 'zzz'; choose one of league, box"):
        virtual.plot("zzz")
    with pytest.raises(ValueError, match="chart league is not drawn: a ranking needs"):
        virtual.plot("league")
    with pytest.raises(ValueError, match="expected at least one run"):
        airlag.Runs([]).plot()
    ranking = airlag.match(capture, size=12, count=50)
    with pytest.raises(ValueError, match="a ranking stores no transfers"):
        ranking.candidates[0].plot()
