"""``airlag thread``: networks of OpenThread's own nodes on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

import airlag as public


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
    words = ("formed in", "delivered", "from  to", "p50", "more flows are in", "retransmissions")
    for word in words:
        assert word in said.out
    # All of them are in the file.
    shown = int(re.findall(r"(\d+) more flows", said.out)[0]) + 8
    head, *rows = Path("flows.csv").read_text().splitlines()
    assert "sender,receiver,hops,delivered_percent,p50_ns" in head
    assert len(rows) == shown


SCRIPT = """
[[step]]
at = "1s"
do.ping = { from = 3, to = 1, count = 2, interval = "500ms" }

[[step]]
at = "5s"
do.command = { node = 3, line = "state" }

[[step]]
at = "6s"
do.add = { x = 0, y = 50 }

[[step]]
at = "7s"
do.kill = { node = 2 }

[[step]]
at = "8s"
do.ping = { from = 3, to = 1 }
"""


@pytest.mark.usefixtures("openthread")
def test_steps_happen_at_their_times(airlag: Airlag) -> None:
    Path("steps.toml").write_text(SCRIPT)
    found = answered(airlag, "--topology", "chain", "--hops", "2", "--script", "steps.toml")
    assert (found["traffic"], found["sent"], found["flows"]) == ("none", 0, [])
    ping, command, add, _, last = found["steps"]
    assert [each["begin_ns"] for each in found["steps"]] == [n * 10**9 for n in (1, 5, 6, 7, 8)]
    # Two frames of at least 50 octets each way over two hops.
    assert all(4 * 50 * 32_000 < rtt < 10**8 for rtt in ping["rtt_ns"])
    assert command["lines"] in (["child"], ["router"])
    assert add["node"] == 4
    assert last["rtt_ns"] == [None]
    assert found["roles"][:2] == ["leader", "disabled"]
    shown = airlag("thread", "--topology", "chain", "--hops", "2", "--script", "steps.toml")
    assert (shown.code, shown.err) == (0, "")
    assert "no response" in shown.out


@pytest.mark.usefixtures("openthread")
def test_a_script_acts_while_messages_are_sent(airlag: Airlag) -> None:
    Path("kill.toml").write_text('[[step]]\nat = "5s"\ndo.kill = { node = 2 }\n')
    line = ("--topology", "chain", "--hops", "2", "--script", "kill.toml")
    found = answered(airlag, *line, "--traffic", "periodic", "--period", "100ms", "--count", "100")
    assert found["sent"] == 100
    assert 48 <= found["delivered"] <= 52


@pytest.mark.usefixtures("openthread")
def test_several_seeds_are_several_networks_and_their_spread(airlag: Airlag) -> None:
    line = ("--topology", "chain", "--hops", "2", "--count", "20")
    found = answered(airlag, *line, "--seeds", "3")
    assert [each["seed"] for each in found["by_seed"]] == [1, 2, 3]
    assert found["sent"] == 60 == sum(each["sent"] for each in found["by_seed"])
    medians = sorted(each["latency_ns"]["p50"] for each in found["by_seed"])
    spread = found["spread"]["p50_ns"]
    assert [spread["min"], spread["median"], spread["max"]] == medians
    alone = answered(airlag, *line, "--seed", "2")
    assert alone["latency_ns"] == found["by_seed"][1]["latency_ns"]


@pytest.mark.usefixtures("openthread")
def test_positions_decide_how_many_hops_there_are(airlag: Airlag) -> None:
    line = ("--place", "0,0", "--place", "80,0", "--place", "160,0", "--count", "5")
    found = answered(airlag, *line)
    assert (found["topology"], found["nodes"], found["hops"]) == ("placed", 3, 2)
    assert found["delivered"] == found["sent"] == 5
    assert answered(airlag, *line, "--reach", "200")["hops"] == 1


@pytest.mark.usefixtures("openthread")
def test_a_network_in_python_is_changed_as_it_runs() -> None:
    with public.thread(topology="chain", nodes=3) as net:
        assert len(net.formed["attach_ns"]) == 3
        assert net[1].command("state") == ["leader"]
        (rtt,) = net[3].ping(1)
        assert rtt is not None
        added = net.add(20, 20)
        net.run("30s")
        assert added.role in ("child", "router")
        assert net.now_ns >= 30 * 10**9
        net.kill(2)
        assert net.ping(3, 1, timeout="1s") == [None]
        for wrong in (lambda: net[2].command("state"), lambda: net[1].command("nonsense")):
            with pytest.raises(public.LinkError) as said:
                wrong()
            assert "node" in str(said.value)
        with pytest.raises(IndexError):
            net[9]
    with pytest.raises(ValueError, match="closed"):
        net.run("1s")


def test_without_the_nodes_one_line_says_how_to_get_them(
    airlag: Airlag, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AIRLAG_OPENTHREAD", str(folder))
    said = airlag("thread")
    assert (said.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    assert "run `make openthread`" in said.err


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("--topology ring", "one-hop, chain, star or tree"),
        ("--nodes 1", "2 to 64"),
        ("--size 1233", "1 to 1232"),
        ("--count 0", "1 to 1000000"),
        ("--direction sideways", "up or down"),
        ("--traffic echo", "periodic, back-to-back, saturated or none"),
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
        ("--place 0,0 --topology star", "--topology"),
        ("--place 0", "80,0"),
        ("--place 0,0", "2 to 64"),
        ("--place 0,0 --place 250,0", "250.0 m"),
        ("--reach 100 --sensed 50", "sensed over 50 m"),
        ("--topology star --set environment=office", "positions"),
        ("--set environment=moon --place 0,0 --place 1,0", "moon"),
        ("--seeds 0", "1 to 1000"),
        ("--script nowhere.toml", "nowhere.toml"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(line: str, right: str, airlag: Airlag) -> None:
    said = airlag("thread", *line.split())
    assert (said.code, said.out) == (2, "")
    assert right in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("", "[[step]]"),
        ("x = 1", "[[step]]"),
        ("[[step]]\nat = 1", "step 1"),
        ("[[step]]\nat = '1s'", "step 1: missing field `do`"),
        ("[[step]]\nat = '1s'\ndo.fly = {}", "step 1: unknown variant `fly`"),
        ("[[step]]\nat = '1s'\ndo.kill = { node = 1, x = 2 }", "step 1: unknown field `x`"),
        ("[[step]]\nat = '2s'\ndo = 'heal'\n[[step]]\nat = '1s'\ndo = 'heal'", "step 2"),
        ("[[step]]\nat = '1w'\ndo = 'heal'", "ns, us, ms, s, min, h or d"),
    ],
)
def test_a_script_that_cannot_be_is_refused_in_one_line(
    text: str, right: str, airlag: Airlag
) -> None:
    Path("steps.toml").write_text(text)
    said = airlag("thread", "--script", "steps.toml")
    assert (said.code, said.out) == (2, "")
    assert right in said.err
    assert said.err.count("\n") == 1
