"""Options of iperf3, and output that is not a result."""

from __future__ import annotations

import pytest

from airlag._airlag import LinkError
from airlag.questions.iperf import Load

SECOND = 1_000_000_000


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
    load = Load("udp", 100.0, 1372, SECOND)
    with pytest.raises(LinkError, match="no JSON"):
        load.answer("iperf3: error", "{}", SECOND)
    with pytest.raises(LinkError, match="lacks 'end'"):
        load.answer("{}", "{}", SECOND)
