"""Settings as keywords: numbers become the text of a profile, and are returned as numbers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import airlag
from airlag import LinkError, _airlag
from airlag.core import profiles
from airlag.core.arguments import ns_in, ns_of
from airlag.questions.run_rows import COLUMNS
from airlag.questions.settings import Changes, arguments_of, text_of

LINKS = tuple(_airlag.links())
#: Every parameter of a profile that is a number or a truth, with its profile.
PARAMETERS = tuple(
    (link, name, constant["value"])
    for link in LINKS
    for name, constant in profiles.link(link)["parameters"].items()
    if not isinstance(constant["value"], str)
)


def held(link: str, name: str, text: str) -> object:
    """What a profile makes of a setting."""
    return profiles.link(link, {name: text})["parameters"][name]["value"]


@pytest.mark.parametrize("link", LINKS)
def test_what_a_profile_has_can_be_set_and_changes_nothing(link: str) -> None:
    own = {name: each["value"] for name, each in profiles.link(link)["parameters"].items()}
    text = {name: text_of(name, value) for name, value in own.items()}
    told = profiles.link(link, text)["parameters"]
    assert {name: told[name]["value"] for name in own} == own
    assert Changes(link, own, ()).differing() == {}


@given(where=st.sampled_from(PARAMETERS), data=st.data())
def test_a_number_comes_back_as_it_went(
    where: tuple[str, str, float | bool], data: st.DataObject
) -> None:
    link, name, own = where
    if isinstance(own, bool):
        value: float | bool = data.draw(st.booleans())
    elif isinstance(own, int):
        value = data.draw(st.integers(0, 10**6))
    else:
        value = data.draw(st.floats(0, 1e6, allow_subnormal=False))
    text = text_of(name, value)
    assert isinstance(own, bool) or set(text) <= set("-.0123456789")
    try:
        found = held(link, name, text)
    except LinkError:
        # Out of the domain: what is refused as a number is refused as the profile writes it.
        with pytest.raises(LinkError):
            held(link, name, str(value).lower())
        return
    assert found == value
    assert type(found) is type(own)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_digits_give_the_number_back_without_an_exponent(value: float) -> None:
    text = text_of("range", value)
    assert float(text) == value
    assert set(text) <= set("-.0123456789")


@given(st.timedeltas(timedelta(0), timedelta(days=40_000)))
def test_a_time_difference_is_whole_nanoseconds(value: timedelta) -> None:
    assert ns_in(value) == value // timedelta(microseconds=1) * 1000
    assert ns_of(value, "period") == ns_of(f"{ns_in(value)}ns", "period")


def test_a_setting_is_the_same_as_number_text_and_time_difference() -> None:
    ways = ("7.5ms", "7500us", 7500, 7500.0, np.int64(7500), np.float64(7500))
    ways += (timedelta(milliseconds=7.5),)
    told = {
        str(Changes("ble-nus-notify", {"connection_interval": w}, ()).differing()) for w in ways
    }
    assert told == {"{'connection_interval': '7500'}"}
    flags = {str(Changes("nrf24-2m", {"acknowledge": w}, ()).differing()) for w in _FALSE}
    assert flags == {"{'acknowledge': 'false'}"}


_FALSE = (False, "false", np.bool_(False))


def test_a_number_of_a_word_is_that_word() -> None:
    assert held("nrf24-2m", "rate", text_of("rate", 250)) == "250"
    assert held("nrf24-2m", "rate", text_of("rate", 250.0)) == "250"


@pytest.mark.parametrize(
    ("function", "hidden"),
    [
        (airlag.run, set()),
        (airlag.sweep, set()),
        (airlag.explain, set()),
        (airlag.match, set()),
        (airlag.goodput, set()),
        (airlag.offered_load, {"queue"}),
    ],
)
def test_only_a_queue_is_both_an_argument_and_a_parameter(
    function: Callable[..., object], hidden: set[str]
) -> None:
    assert {name for _, name, _ in PARAMETERS} & set(arguments_of(function)) == hidden


def test_what_an_argument_hides_is_set_through_settings() -> None:
    told = airlag.offered_load(
        "ble-bluedroid-notify", queue=7, settings={"queue": 9}, utilisations=[0.1], count=20
    )
    assert told.offer.queue == 7
    assert told.saturated.settings["queue"] == "9"


def test_no_parameter_has_the_name_of_a_column() -> None:
    names = {name for link in LINKS for name in profiles.link(link)["parameters"]}
    assert names & {*COLUMNS, "problem"} == set()
