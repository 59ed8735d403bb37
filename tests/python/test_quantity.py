from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from airlag.core.quantity import exact, parse_duration


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("1us", 1_000),
        ("1µs", 1_000),
        ("1μs", 1_000),
        ("200ms", 200_000_000),
        ("16.6ms", 16_600_000),
        ("0ns", 0),
        (".5 s", 500_000_000),
        ("1.5min", 90_000_000_000),
        ("1h", 3_600_000_000_000),
        ("2d", 172_800_000_000_000),
        ("9223372036854775807ns", 2**63 - 1),
    ],
)
def test_a_number_with_a_unit_is_exact(text: str, ns: int) -> None:
    assert parse_duration(text) == ns


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("200", "write 200us, 200ms or 200s"),
        ("0", "has no unit"),
        ("2M", "expected ns, us, ms, s, min, h or d"),
        ("2m", "expected ns, us, ms, s, min, h or d"),
        ("1.5ns", "finer than 1 ns"),
        ("-1ms", "0 or longer"),
        ("9223372036854775808ns", "check its unit"),
        ("", "such as 1us or 200ms"),
        ("nanms", "such as 1us or 200ms"),
        ("1e3ms", "such as 1us or 200ms"),
        ("٣ms", "such as 1us or 200ms"),
        ("9" * 1000 + "s", "such as 1us or 200ms"),
    ],
)
def test_anything_else_is_refused_with_one_line_that_says_what_would_be_right(
    text: str, remedy: str
) -> None:
    with pytest.raises(ValueError, match=remedy) as caught:
        parse_duration(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 160


@given(st.integers(0, 2**63 - 1), st.sampled_from(["ns", "us", "ms", "s"]))
def test_every_nanosecond_survives_every_unit(ns: int, unit: str) -> None:
    decimals = {"ns": 0, "us": 3, "ms": 6, "s": 9}[unit]
    whole, rest = divmod(ns, 10**decimals)
    fraction = f".{rest:0{decimals}d}" if decimals else ""
    assert parse_duration(f"{whole}{fraction}{unit}") == ns


@given(st.text(max_size=30))
def test_no_text_does_worse_than_a_refusal(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert parse_duration(text) >= 0


@given(st.integers(0, 2**63 - 1))
def test_what_is_written_for_a_command_line_reads_back_exactly(ns: int) -> None:
    assert parse_duration(exact(ns)) == ns


def test_an_exact_duration_takes_the_largest_unit_below_it() -> None:
    written = [exact(ns) for ns in (0, 999, 16_600_000, 100_000_000, 1_000_000_001)]
    assert written == ["0ns", "999ns", "16.6ms", "100ms", "1.000000001s"]
