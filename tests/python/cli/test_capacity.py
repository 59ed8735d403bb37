"""``airlag capacity``: networks of many devices."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from told import Airlag


def test_the_table_has_a_row_per_network_and_spreading_factor(
    airlag: Airlag, tmp_path: Path
) -> None:
    words = ("capacity", "--devices", "600,6000", "--reception", "collisions")
    (found,) = json.loads(airlag(*words, "--json").out)
    assert [point["devices"] for point in found["points"]] == [600, 6000]
    sheet = tmp_path / "network.csv"
    said = airlag(*words, "-o", sheet)
    assert said.code == 0
    rows = list(csv.DictReader(sheet.read_text().splitlines()))
    assert [row["spreading_factor"] for row in rows] == ["all", *map(str, range(7, 13))] * 2
    slow = found["points"][1]["groups"][-1]
    # 1,000 devices, 1.4828 s in 600 s, 8 channels.
    assert abs(slow["load"] - 1_000 * 1.4828 / 600 / 8) < 1e-3
    assert float(rows[-1]["delivered_share"]) == slow["delivered_share"]
    assert abs(slow["delivered_share"] - slow["predicted_share"]) < 0.03


def test_tags_have_the_time_between_updates(airlag: Airlag, tmp_path: Path) -> None:
    words = ("capacity", "--network", "ble", "--devices", "10,500", "--for", "30s")
    (found,) = json.loads(airlag(*words, "--json").out)
    sheet = tmp_path / "tags.csv"
    assert airlag(*words, "-o", sheet).code == 0
    few, many = csv.DictReader(sheet.read_text().splitlines())
    assert float(few["delivered_share"]) > float(many["delivered_share"])
    # An advertising interval of 1 s and up to 10 ms of advDelay.
    assert 1.0e9 <= float(few["update_interval_p50_ns"]) <= 1.01e9
    updates = found["points"][1]["update_interval"]
    assert float(many["update_interval_p99_ns"]) == updates["p99_ns"] >= 2 * updates["p50_ns"]
    assert "spreading_factor" not in few
    assert "latency_p50_ns" not in few


def test_carrier_sense_has_latency_and_retries(airlag: Airlag) -> None:
    words = ("capacity", "--network", "ieee802154", "--devices", "5,150", "--for", "10s")
    (found,) = json.loads(airlag(*words, "--json").out)
    few, many = found["points"]
    assert few["delivered_share"] == 1.0
    assert few["frames_per_message"] < many["frames_per_message"]
    assert few["latency"]["p99_ns"] < many["latency"]["p99_ns"]
    (bare,) = json.loads(airlag(*words, "--unacknowledged", "--json").out)
    assert bare["points"][1]["delivered_share"] < many["delivered_share"]
    assert found["acknowledged"]
    assert not bare["acknowledged"]


def test_a_setting_of_another_network_is_refused_in_one_line(airlag: Airlag) -> None:
    said = airlag("capacity", "--network", "ble", "--channels", "3")
    assert (said.code, said.out) == (2, "")
    assert said.err == "airlag: channels: the network has no such setting\n"


def test_a_network_that_cannot_exist_is_refused_in_one_line(airlag: Airlag) -> None:
    said = airlag("capacity", "--size", "52")
    assert (said.code, said.out) == (2, "")
    assert said.err == "airlag: size is 52, but must be 1 to 51\n"
