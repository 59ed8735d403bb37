"""``--deadline``: messages that miss it, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from told import Airlag


def test_late_and_lost_messages_are_counted_together_and_in_a_row(
    folder: Path, airlag: Airlag
) -> None:
    rows = ["Time [s],Channel 0,Channel 1", "0.0,0,0"]
    # Seven triggers: in time, late, lost, late, in time, in time, late.
    for nth, latency in enumerate([0.001, 0.004, None, 0.005, 0.001, 0.002, 0.003]):
        at = 0.1 * (nth + 1)
        rows += [f"{at},1,0", f"{at + 0.0005},0,0"]
        if latency is not None:
            rows += [f"{at + latency},0,1", f"{at + latency + 0.001},0,0"]
    rows.append("0.9,0,0")
    (folder / "loop.csv").write_text("\n".join(rows) + "\n")
    (told,) = json.loads(airlag("analyze", "loop.csv", "--deadline", "2ms", "--json").out)
    found = told["deadline"]
    assert (found["deadline_ns"], found["n"]) == (2_000_000, 7)
    assert (found["missed"], found["longest_run"]) == (4, 3)
    said = " ".join(airlag("analyze", "loop.csv", "--deadline", "2ms").out.split())
    assert "deadline 2ms missed by 4 of 7 = 57.1 %" in said
    assert "at most 3 in a row" in said


def test_a_deadline_that_all_keep_is_said_to_be_kept(airlag: Airlag) -> None:
    asked = ("run", "uart-115200-dma", "--size", "12", "--count", "20", "--deadline")
    assert "deadline 1s met by all 20" in " ".join(airlag(*asked, "1s").out.split())
    refused = airlag(*asked, "soon")
    assert refused.code == 2
    assert "soon" in refused.err
