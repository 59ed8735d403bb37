"""What iperf3 answers, read: its own JSON, shortened."""

from __future__ import annotations

from typing import Any

import pytest

from airlag._airlag import LinkError
from airlag.questions import iperf
from airlag.questions.iperf import Load

SECOND = 1_000_000_000


def _ended(sent: int, received: int, **more: Any) -> dict[str, Any]:
    rate = {"bits_per_second": 8000.0, "retransmits": 3, "packets": 20, "lost_packets": 2}
    return {
        "sum_sent": rate | {"bytes": sent},
        "sum_received": rate | {"bytes": received},
        **more,
    }


def _interval(start: float, end: float, received: int, *, sender: bool = False) -> dict[str, Any]:
    stream = {"start": start, "end": end, "bytes": received, "sender": sender}
    return {"streams": [stream]}


def test_what_came_after_the_window_is_no_goodput() -> None:
    load = Load("udp", 100.0, 1372, 2 * SECOND)
    heard = {
        "intervals": [
            _interval(0, 1, 1000),
            _interval(1, 3, 4000),
            _interval(3, 4, 9000),
            _interval(0, 1, 7000, sender=True),
        ]
    }
    answer = iperf._answer({"end": _ended(9000, 8000)}, heard, load, 5 * SECOND)
    # 1000 B, and half of 4000 B, in two seconds.
    assert answer.within_kbps == pytest.approx(12.0)
    (there,) = answer.streams
    assert (there["way"], there["sent_bytes"], there["received_bytes"]) == ("there", 9000, 8000)
    assert (there["datagrams"], there["datagrams_lost"], there["retransmits"]) == (20, 2, None)


def test_both_ways_have_a_summary_each() -> None:
    load = Load("tcp", None, 1372, SECOND, both_ways=True)
    reverse = {
        f"{name}_bidir_reverse": {"bytes": 77, "bits_per_second": 616.0, "retransmits": 1}
        for name in ("sum_sent", "sum_received")
    }
    answer = iperf._answer(
        {"end": _ended(9000, 8000, **reverse)}, {"intervals": []}, load, 2 * SECOND
    )
    assert [stream["way"] for stream in answer.streams] == ["there", "back"]
    assert [stream["retransmits"] for stream in answer.streams] == [3, 1]
    assert answer.streams[1]["received_kbps"] == pytest.approx(0.616)


def test_the_other_way_is_counted_by_the_client() -> None:
    load = Load("tcp", None, 1372, SECOND, back=True)
    told = {"end": _ended(9000, 8000), "intervals": [_interval(0, 1, 500)]}
    answer = iperf._answer(told, {"intervals": [_interval(0, 1, 9000)]}, load, SECOND)
    assert answer.within_kbps == pytest.approx(4.0)
    assert [stream["way"] for stream in answer.streams] == ["back"]


@pytest.mark.parametrize(
    ("load", "words"),
    [
        (Load("udp", 100.5, 1372, SECOND), "-t 1 -P 1 -u -l 1372 -b 100500"),
        (Load("tcp", None, 1372, 5 * SECOND, parallel=8), "-t 5 -P 8"),
        (Load("tcp", None, 1372, SECOND, back=True), "-t 1 -P 1 -R"),
        (Load("tcp", None, 1372, SECOND, both_ways=True), "-t 1 -P 1 --bidir"),
    ],
)
def test_a_load_is_words_of_iperf3(load: Load, words: str) -> None:
    assert " ".join(load.options()) == words


def test_what_is_no_answer_is_one_line() -> None:
    with pytest.raises(LinkError, match="no JSON"):
        iperf._document("iperf3: error")
