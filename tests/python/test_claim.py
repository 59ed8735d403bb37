from __future__ import annotations

import pytest

from airlag import _airlag


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("9600-256B.csv", 256),
        ("bt-spp-hc05/460800-1024B.sal", 1024),
        ("baudrate-12B-logs__115200-dma.csv", 12),
        ("250k-SF128-1024B.csv", 1024),
        ("2Mbps-12B.csv", 12),
        ("1024B-32B-chunks.csv", None),
        ("12Bytes-2024.csv", None),
        ("", None),
    ],
)
def test_a_name_claims_the_payload_it_says_and_nothing_more(source: str, size: int | None) -> None:
    assert _airlag.claimed_bytes(source) == size
