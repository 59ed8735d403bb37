"""``airlag thread``: networks of OpenThread's own nodes on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from told import Airlag


def answered(airlag: Airlag, *arguments: Any) -> dict[str, Any]:
    told = airlag("thread", *arguments, "--json")
    assert (told.code, told.err) == (0, "")
    found: dict[str, Any] = json.loads(told.out)
    return found


@pytest.mark.usefixtures("openthread")
def test_a_chain_says_how_it_formed_and_what_it_carried(airlag: Airlag) -> None:
    found = answered(airlag, "--topology", "chain", "--hops", "3", "--count", "20")
    assert (found["nodes"], found["hops"], found["delivered"], found["lost"]) == (4, 3, 20, 0)
    assert len(found["attach_ns"]) == 4
    assert all(0 < each < found["formed_ns"] for each in found["attach_ns"])
    (flow,) = found["flows"]
    assert (flow["from_node"], flow["to_node"], flow["hops"]) == (4, 1, 3)
    assert found["frames"] >= 2 * 3 * 20


@pytest.mark.usefixtures("openthread")
@pytest.mark.parametrize(
    ("boards", "direction", "published"),
    [("thread-up", "up", 5.0), ("thread-down", "down", 7.5)],
)
def test_openthread_itself_on_the_boards_of_the_article_carries_what_it_says(
    boards: str, direction: str, published: float, airlag: Airlag
) -> None:
    found = answered(
        airlag,
        *("--boards", boards, "--direction", direction),
        *("--traffic", "saturated", "--count", "500"),
    )
    # KiB/s, from kbit/s.
    assert found["goodput_kbps"] * 1000 / 8 / 1024 == pytest.approx(published, rel=0.1)


@pytest.mark.usefixtures("openthread")
def test_the_same_command_gives_the_same_bytes(airlag: Airlag, folder: Path) -> None:
    command = ("thread", "--topology", "star", "--nodes", "5", "--count", "5", "--frame-loss")
    printed = []
    for name in ("one", "two"):
        said = airlag(*command, "0.2", "--loss-burst", "3", "--sniff", f"{name}.pcapng")
        assert said.code == 0, said.err
        printed.append(said.out.replace(f"{name}.pcapng", "FILE"))
    one, two = ((folder / f"{name}.pcapng").read_bytes() for name in ("one", "two"))
    assert printed[0] == printed[1]
    assert one == two
    assert one[:4] == b"\x0a\x0d\x0d\x0a"


@pytest.mark.usefixtures("openthread")
def test_the_terminal_has_the_flows_and_what_the_radios_did(airlag: Airlag) -> None:
    asked = ("thread", "--topology", "tree", "--nodes", "14", "--count", "2")
    said = airlag(*asked, "-o", "flows.csv")
    assert (said.code, said.err) == (0, "")
    assert max(map(len, said.out.splitlines())) <= 80
    for word in ("formed in", "delivered", "from  to", "p50", "more flows are in", "retries"):
        assert word in said.out
    # All of them are in the file.
    shown = int(re.findall(r"(\d+) more flows", said.out)[0]) + 8
    head, *rows = Path("flows.csv").read_text().splitlines()
    assert "sender,receiver,hops,delivered_percent,p50_ns" in head
    assert len(rows) == shown


def test_without_the_nodes_one_line_says_how_to_get_them(
    airlag: Airlag, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRLAG_OPENTHREAD", str(folder))
    said = airlag("thread")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "`make openthread` builds it" in said.err


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("--topology ring", "one-hop, chain, star or tree"),
        ("--nodes 1", "2 to 64"),
        ("--size 1233", "1 to 1232"),
        ("--count 0", "1 to 1000000"),
        ("--direction sideways", "up or down"),
        ("--traffic echo", "periodic, back-to-back or saturated"),
        ("--period 1us", "1ms to 1000s"),
        ("--loss-burst 0", "1 to 1000"),
        ("--frame-loss 1", "0 to 0.9"),
        ("--poll-period 1s", "--sleepy"),
        ("--hops 2", "chain or a tree"),
        ("--topology chain --hops 2 --nodes 9", "8 hops"),
        ("--topology chain --nodes 20", "at most 15"),
        ("--topology tree --nodes 3 --hops 5", "1 to 2 hops"),
        ("--traffic saturated --period 1s", "periodic"),
        ("--boards nrf24-2m", "nrf24-2m"),
        ("--sniff x.txt", ".pcapng"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(line: str, right: str, airlag: Airlag) -> None:
    said = airlag("thread", *line.split())
    assert (said.code, said.out) == (2, "")
    assert right in said.err
    assert said.err.count("\n") == 1
