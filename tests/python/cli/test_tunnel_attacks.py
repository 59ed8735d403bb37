"""``airlag tunnel up`` against attackers who receive, replay, modify and flood frames."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tunnel_ends import PATIENCE_S, PORT, End

pytestmark = pytest.mark.real_time

#: A file of datagrams, each with its number and a checksum, sent and received by UDP.
_SEND = """
import socket, sys, time, zlib
to = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for nth in range(int(sys.argv[2])):
    body = nth.to_bytes(4, "big") + bytes((nth * 7 + at) % 256 for at in range(600))
    to.sendto(zlib.crc32(body).to_bytes(4, "big") + body, (sys.argv[1], 9_000))
    time.sleep(0.01)
"""
_RECEIVE = """
import socket, sys, zlib
at = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
at.bind((sys.argv[1], 9_000))
# Room for all of them, so that a receiver that is late loses none.
at.setsockopt(socket.SOL_SOCKET, 33, 4 << 20)  # SO_RCVBUFFORCE
print("ready", flush=True)
at.settimeout(10)
came = []
while True:
    try:
        said = at.recv(4_096)
    except TimeoutError:
        break
    assert zlib.crc32(said[4:]).to_bytes(4, "big") == said[:4], "forged or damaged"
    came.append(int.from_bytes(said[4:8], "big"))
    if len(set(came)) == int(sys.argv[2]):
        at.settimeout(1)
print(len(came), len(set(came)))
"""


def carried(near: End, far: End, count: int) -> tuple[int, int]:
    """Datagrams that came over the tunnel, and different ones among them."""

    def program(end: End, text: str) -> list[str]:
        words = [sys.executable, "-c", text, far.inside(), str(count)]
        return ["ip", "netns", "exec", end.space, *words]

    with subprocess.Popen(program(far, _RECEIVE), stdout=subprocess.PIPE, text=True) as receiving:
        assert receiving.stdout is not None
        assert receiving.stdout.readline() == "ready\n"
        subprocess.run(program(near, _SEND), timeout=PATIENCE_S, check=True)
        came, different = receiving.communicate(timeout=PATIENCE_S)[0].split()
    return int(came), int(different)


@contextmanager
def _attacker(space: str, *words: object) -> Iterator[None]:
    """Runs ``radio_relay.py`` in a namespace."""
    script = Path(__file__).with_name("radio_relay.py")
    command = ["ip", "netns", "exec", space, sys.executable, str(script), *map(str, words)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield
            assert process.poll() is None, process.communicate()
        finally:
            process.kill()


def test_an_end_that_hears_only_itself_has_no_session(
    ends: tuple[End, End], keys: list[Path]
) -> None:
    near, far = ends
    with _attacker(far.space, "mirror", f"{far.outside()}:{PORT}"):
        near.up(far, "--key", keys[0])
        assert "0 received" in near.ping(far, "-c", 10, "-i", 0.2, "-W", 1).stdout
        said = near.end()
    assert (said["up"], said["sessions"]) == (False, 0)
    assert said["bursts"] > 10
    assert said["sent"]["packets"] == said["received"]["packets"] == 0


#: Ports of the near end, of the attacker towards the near and the far end, and of the far end.
_NEAR, _TOWARDS_NEAR, _TOWARDS_FAR, _FAR = 7_001, 7_001, 7_002, 7_003


def _ways(ends: tuple[End, End]) -> list[str]:
    """Where the attacker listens and sends to, on the side of either end."""
    near, far = ends
    ways = [f"{far.outside()}:{_TOWARDS_NEAR}", f"{near.outside()}:{_NEAR}"]
    return [*ways, f"127.0.0.1:{_TOWARDS_FAR}", f"127.0.0.1:{_FAR}"]


@contextmanager
def _between(ends: tuple[End, End], key: Path, record: Path, *words: object) -> Iterator[None]:
    """Brings both ends up, with an attacker between them who passes everything on."""
    near, far = ends
    with _attacker(far.space, "relay", *_ways(ends), "--record", record, *words):
        near.up(far, "--key", key, radio=f"udp:{far.outside()}:{_TOWARDS_NEAR}")
        far.up(near, "--key", key, "--listen", _FAR, radio=f"udp:127.0.0.1:{_TOWARDS_FAR}")
        near.reaches(far)
        yield


def test_a_recorded_session_at_200_datagrams_a_second_costs_no_ping_and_no_session(
    ends: tuple[End, End], keys: list[Path], folder: Path
) -> None:
    near, far = ends
    old = folder / "old"
    with _between(ends, keys[0], old):
        assert "0% packet loss" in near.ping(far, "-c", 10, "-i", 0.05).stdout
        for end in ends:
            end.end()
    assert len(old.read_text().split()) > 20

    words = ("--repeat", old, "--rate", 200)
    with _between(ends, keys[0], folder / "new", *words):
        pinged = near.ping(far, "-c", 40, "-i", 0.1, "-W", 5)
        assert "40 packets transmitted, 40 received" in pinged.stdout
        assert "DUP" not in pinged.stdout
        for said in (near.end(), far.end()):
            assert (said["up"], said["sessions"]) == (True, 1)

    # The peer has gone; what it said once is no peer.
    with _attacker(far.space, "relay", *_ways(ends), "--record", folder / "none", *words):
        near.up(far, "--key", keys[0], radio=f"udp:{far.outside()}:{_TOWARDS_NEAR}")
        assert "0 received" in near.ping(far, "-c", 10, "-i", 0.2, "-W", 1).stdout
        said = near.end()
    assert (said["up"], said["sessions"]) == (False, 0)
    assert said["sent"]["packets"] == said["received"]["packets"] == 0


@pytest.mark.parametrize("attack", [("--harm", 0.05), ("--flood", 1_000)], ids=["harm", "flood"])
def test_whoever_stands_between_forges_and_doubles_nothing_and_does_not_end_the_session(
    ends: tuple[End, End], keys: list[Path], folder: Path, attack: tuple[object, ...]
) -> None:
    near, far = ends
    with _between(ends, keys[0], folder / "record", *attack):
        came, different = carried(near, far, 300)
        near.reaches(far)
        here, there = near.end(), far.end()
    # None came twice or as something else.
    assert came == different
    # Each arrived, or was dropped from the queue and counted: the attack lost none.
    dropped = here["dropped"]
    assert here["offered"] == there["received"]["packets"] + dropped["late"] + dropped["full"]
    assert 300 - different <= dropped["late"] + dropped["full"]
    assert dropped["restart"] == 0
    assert (here["up"], there["up"]) == (True, True)
    assert here["sessions"] == there["sessions"] == 1
    assert here["garbage"] + there["garbage"] > 0
