"""``airlag capacity``: networks of LoRaWAN devices."""

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
    slow = found["points"][1]["spreading_factors"][-1]
    # 1,000 devices, 1.4828 s in 600 s, 8 channels.
    assert abs(slow["load"] - 1_000 * 1.4828 / 600 / 8) < 1e-3
    assert float(rows[-1]["delivered_share"]) == slow["delivered_share"]
    assert abs(slow["delivered_share"] - slow["pure_aloha"]) < 0.03


def test_a_network_that_cannot_exist_is_refused_in_one_line(airlag: Airlag) -> None:
    said = airlag("capacity", "--size", "52")
    assert (said.code, said.out) == (2, "")
    assert said.err == "airlag: size is 52, but must be 1 to 51\n"
