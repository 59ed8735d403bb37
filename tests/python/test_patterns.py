"""Links chosen by pattern."""

from __future__ import annotations

import pytest

from airlag.core.patterns import chosen, links_like

NAMES = ["nrf24-2m", "nrf24-250k", "ble-nus-notify", "ble-nus-write", "sik-64k"]


def test_a_pattern_chooses_in_the_order_of_the_names() -> None:
    assert links_like("*n*", NAMES) == NAMES[:4]
    assert links_like("ble-nus-[nw]*", NAMES) == NAMES[2:4]
    assert links_like("sik-64k", NAMES) == ["sik-64k"]


@pytest.mark.parametrize(
    ("pattern", "nearest"), [("nrf42-*", "nrf24-2m"), ("ble-nuz-notify", "ble-nus-notify")]
)
def test_a_pattern_that_is_like_nothing_is_answered_with_the_nearest(
    pattern: str, nearest: str
) -> None:
    with pytest.raises(ValueError, match=f"no link `.*`; did you mean `{nearest}`") as raised:
        links_like(pattern, NAMES)
    assert "\n" not in str(raised.value)


def test_what_is_left_out_is_left_out_of_what_is_chosen() -> None:
    assert chosen(NAMES, None, None) == NAMES
    assert chosen(NAMES, ["nrf24-*", "sik-*"], ["*-2m"]) == ["nrf24-250k", "sik-64k"]
    assert chosen(NAMES, None, ["*-notify", "nrf24-*"]) == NAMES[3:]
    with pytest.raises(ValueError, match="no link is left"):
        chosen(NAMES, ["sik-*"], ["*"])
    with pytest.raises(ValueError, match="did you mean"):
        chosen(NAMES, None, ["zigbee"])
