from __future__ import annotations

import pytest

from airlag.questions.file_name import Claim


@pytest.mark.parametrize(
    ("source", "link", "size", "claim"),
    [
        ("9600-256B.csv", None, None, Claim(256, 9600)),
        ("bt-spp-hc05/460800-1024B.sal", None, None, Claim(1024, 460800)),
        ("baudrate-12B-logs__115200-dma.csv", None, None, Claim(12, 115200)),
        ("9600-256B.csv", None, 128, Claim(128, 9600)),
        ("capture.csv", "hc05-9600", 12, Claim(12, 9600)),
        ("capture.csv", "uart-115200-poll", None, Claim(None, 115200)),
        ("capture.csv", "sik-64k", 12, Claim(12, 57600)),
        ("9600-256B.csv", "no-such-link", None, Claim(256, None)),
        # A rate in the name of a radio's capture is not its serial line's.
        ("9600-256B.csv", "nrf24-2m", None, Claim(256, None)),
        ("250k-SF128-1024B.csv", None, None, Claim(1024, None)),
        ("2Mbps-12B.csv", None, None, Claim(12, None)),
        ("1024B-32B-chunks.csv", None, None, Claim(None, None)),
        ("12Bytes-2024.csv", None, None, Claim(None, None)),
        ("", None, None, Claim(None, None)),
    ],
)
def test_a_name_claims_what_it_says_and_nothing_more(
    source: str, link: str | None, size: int | None, claim: Claim
) -> None:
    assert Claim.of(source, link, size) == claim
