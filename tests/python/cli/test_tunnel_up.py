"""``airlag tunnel``: two ends in network namespaces, and what is said where none can be."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from told import Airlag

from airlag.core.schemas import schema
from peers import program, root

pytestmark = pytest.mark.xdist_group("real time")

#: Longer than anything here takes, s.
PATIENCE_S = 30
PORT = 7_000
MTU = 1_400


def _run(*words: object, within: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(word) for word in words]
    if within is not None:
        command = ["ip", "netns", "exec", within, *command]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def _until(true: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end, f"{what}: never"
        time.sleep(0.02)


class End:
    """One end of a tunnel, in a namespace of its own; ``number`` is 1 or 2."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.space = f"airlag{os.getpid()}x{number}"
        self.process: subprocess.Popen[str] | None = None

    def outside(self) -> str:
        """Its address where the radio would be."""
        return f"10.99.0.{self.number}"

    def inside(self) -> str:
        """Its address in the tunnel."""
        return f"10.43.0.{self.number}"

    def interfaces(self) -> list[str]:
        told = _run("ip", "-n", self.space, "-j", "addr")
        return [each["ifname"] for each in json.loads(told.stdout)]

    def up(self, peer: End, *words: object, radio: str | None = None) -> None:
        radio = radio or f"udp:{peer.outside()}:{PORT}"
        address = f"{self.inside()}/24"
        up = ("tunnel", "up", "--radio", radio, "--address", address, "--mtu", MTU, "--json")
        command = [sys.executable, "-m", "airlag", *map(str, up), *map(str, words)]
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", self.space, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        _until(self.is_there, "the interface")

    def is_there(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            pytest.fail(f"it ended: {self.process.communicate()}")
        return "airlag0" in self.interfaces()

    def ping(self, peer: End, *words: object) -> subprocess.CompletedProcess[str]:
        return _run("ping", "-n", *words, peer.inside(), within=self.space)

    def reaches(self, peer: End) -> None:
        _until(lambda: self.ping(peer, "-c", 1, "-W", 1).returncode == 0, "an answer")

    def kill(self) -> None:
        """Ends it without a word."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate(timeout=PATIENCE_S)

    def end(self, number: int = signal.SIGINT) -> dict[str, Any]:
        """Ends it by a signal; what it said."""
        assert self.process is not None
        self.process.send_signal(number)
        told, complaints = self.process.communicate(timeout=PATIENCE_S)
        assert (self.process.returncode, complaints) == (0, "")
        said: dict[str, Any] = json.loads(told)
        jsonschema.Draft202012Validator(schema("tunnel-up")).validate(said)
        return said


@contextmanager
def _spaces() -> Iterator[tuple[End, End]]:
    ends = (End(1), End(2))
    spaces = [end.space for end in ends]
    with ExitStack() as undo:
        for end in ends:
            assert _run("ip", "netns", "add", end.space).returncode == 0
            undo.callback(_run, "ip", "netns", "del", end.space)
        peer = ("type", "veth", "peer", "name", "air", "netns", spaces[1])
        assert _run("ip", "-n", spaces[0], "link", "add", "air", *peer).returncode == 0
        for end in ends:
            _run("ip", "-n", end.space, "addr", "add", f"{end.outside()}/24", "dev", "air")
            # Only what tests send goes through the tunnel.
            _run("sysctl", "-w", "net.ipv6.conf.default.disable_ipv6=1", within=end.space)
            for device in ("lo", "air"):
                _run("ip", "-n", end.space, "link", "set", device, "up")
        try:
            yield ends
        finally:
            for end in ends:
                end.kill()


@pytest.fixture
def privileged() -> None:
    """Skips where no namespace or interface can be made."""
    for name, package in {
        "ip": "iproute2",
        "ping": "iputils-ping",
        "setpriv": "util-linux",
    }.items():
        program(name, package)
    root()


@pytest.fixture
def ends(privileged: None) -> Iterator[tuple[End, End]]:
    """Two namespaces with a wire between them."""
    del privileged
    with _spaces() as both:
        yield both


@pytest.fixture
def keys(folder: Path, airlag: Airlag) -> list[Path]:
    """Two keys."""
    for name in ("one.key", "two.key"):
        assert airlag("tunnel", "key", name).code == 0
    return [folder / "one.key", folder / "two.key"]


def test_two_radios_carry_a_direction_each(ends: tuple[End, End], keys: list[Path]) -> None:
    near, far = ends
    one, other = PORT, PORT + 1

    def radio(peer: End, port: int) -> str:
        return f"udp:{peer.outside()}:{port}"

    # The sender of each end is the receiver of the other.
    for end, peer, sends, receives in ((near, far, one, other), (far, near, other, one)):
        receiver = f"{radio(peer, receives)},listen={receives}"
        end.up(peer, "--key", keys[0], "--receiver", receiver, radio=radio(peer, sends))
    near.reaches(far)
    pinged = near.ping(far, "-c", 40, "-i", 0.02, "-s", 1_200)
    assert "40 packets transmitted, 40 received" in pinged.stdout
    told = [end.end() for end in ends]
    for here, there in (told, reversed(told)):
        # A session on each radio.
        assert here["sessions"] == 2
        assert here["up"] or there["up"]
        assert here["sent"]["packets"] >= 41
        assert here["received"]["packets"] >= 41


def test_programs_at_both_ends_reach_each_other_and_ctrl_c_leaves_nothing(
    ends: tuple[End, End], keys: list[Path], folder: Path
) -> None:
    near, far = ends
    for end, peer in ((near, far), (far, near)):
        end.up(peer, "--key", keys[0])
    near.reaches(far)

    pinged = near.ping(far, "-c", 40, "-i", 0.02, "-s", 1_200)
    assert "40 packets transmitted, 40 received" in pinged.stdout

    # One that is too long never enters: the kernel says how long it may be.
    long = near.ping(far, "-c", 1, "-M", "do", "-s", MTU)
    assert long.returncode != 0
    assert f"mtu={MTU}" in long.stdout + long.stderr

    page = folder / "served" / "page.bin"
    page.parent.mkdir()
    page.write_bytes(os.urandom(200_000))
    serve = ("-m", "http.server", "8000", "--bind", far.inside(), "--directory", page.parent)
    load = f"http://{far.inside()}:8000/page.bin"
    fetch = (
        "import sys, urllib.request\n"
        f"sys.stdout.buffer.write(urllib.request.urlopen({load!r}, timeout=20).read())"
    )
    with subprocess.Popen(
        ["ip", "netns", "exec", far.space, sys.executable, *map(str, serve)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            listening = ("ss", "-Hltn", "sport", "=", ":8000")
            _until(lambda: bool(_run(*listening, within=far.space).stdout), "the server")
            fetched = subprocess.run(
                ["ip", "netns", "exec", near.space, sys.executable, "-c", fetch],
                capture_output=True,
                timeout=PATIENCE_S,
                check=False,
            )
        finally:
            server.kill()
    assert fetched.stdout == page.read_bytes(), fetched.stderr.decode()

    here, there = near.end(signal.SIGINT), far.end(signal.SIGTERM)
    assert near.interfaces() == far.interfaces() == ["lo", "air"]
    assert (here["up"], there["up"]) == (True, True)
    assert here["sessions"] >= 1
    assert here["received"]["bytes"] > 200_000
    # Each that one end was told of has come to the other.
    assert here["sent"]["packets"] <= there["received"]["packets"]
    assert there["sent"]["packets"] <= here["received"]["packets"]
    assert here["broken"] == there["broken"] == 0


def test_an_end_with_another_key_gets_nothing_through(
    ends: tuple[End, End], keys: list[Path]
) -> None:
    near, far = ends
    near.up(far, "--key", keys[0])
    far.up(near, "--key", keys[1])
    assert "0 received" in near.ping(far, "-c", 5, "-i", 0.2, "-W", 1).stdout
    for said in (near.end(), far.end()):
        assert (said["up"], said["sessions"]) == (False, 0)
        assert said["sent"]["packets"] == said["received"]["packets"] == 0


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


def _carried(near: End, far: End, count: int) -> tuple[int, int]:
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


def test_ends_with_different_mtus_report_both(ends: tuple[End, End], keys: list[Path]) -> None:
    near, far = ends
    near.up(far, "--key", keys[0])
    far.up(near, "--key", keys[0], "--mtu", 900)
    near.reaches(far)
    here, there = near.end(), far.end()
    assert (here["mtu"], here["peer_mtu"]) == (MTU, 900)
    assert (there["mtu"], there["peer_mtu"]) == (900, MTU)


def test_a_radio_that_is_none_takes_the_times_of_one(
    ends: tuple[End, End], keys: list[Path]
) -> None:
    near, far = ends
    near.up(far, "--key", keys[0], "--rate", "250k")
    far.up(near, "--key", keys[0], "--rate", "250k")
    near.reaches(far)
    pinged = near.ping(far, "-c", 5, "-i", 0.5, "-s", 1_200)
    least_ms = float(re.findall(r"= ([\d.]+)/", pinged.stdout)[0])
    # No faster than the radio: 1200 B there and back at 250 kbit/s.
    assert least_ms > 2 * 1_200 * 8 / 250


def test_a_host_behind_the_other_end_is_reached_by_forwarding_and_a_default_route(
    ends: tuple[End, End], keys: list[Path]
) -> None:
    near, far = ends
    beyond = f"{far.space}b"
    assert _run("ip", "netns", "add", beyond).returncode == 0
    try:
        wire = ("type", "veth", "peer", "name", "up0", "netns", beyond)
        _run("ip", "-n", far.space, "link", "add", "eth0", *wire)
        for space, device, address in ((far.space, "eth0", 1), (beyond, "up0", 2)):
            _run("ip", "-n", space, "addr", "add", f"203.0.113.{address}/24", "dev", device)
            _run("ip", "-n", space, "link", "set", device, "up")
        # In place of masquerading, as nftables is not everywhere.
        _run("ip", "-n", beyond, "route", "add", "10.43.0.0/24", "via", "203.0.113.1")
        _run("sysctl", "-w", "net.ipv4.ip_forward=1", within=far.space)
        near.up(far, "--key", keys[0])
        far.up(near, "--key", keys[0])
        near.reaches(far)
        _run(*f"ip route replace default via {far.inside()} dev airlag0".split(), within=near.space)
        pinged = _run("ping", "-n", "-c", "3", "-i", "0.2", "203.0.113.2", within=near.space)
        assert "3 received" in pinged.stdout, pinged
    finally:
        _run("ip", "netns", "del", beyond)


def test_an_end_that_begins_anew_in_mid_stream_is_found_again(ends: tuple[End, End]) -> None:
    near, far = ends
    near.up(far, "--plain")
    far.up(near, "--plain")
    near.reaches(far)
    stream = ("ping", "-n", "-i", "0.01", "-s", "1000", far.inside())
    with subprocess.Popen(
        ["ip", "netns", "exec", near.space, *stream], stdout=subprocess.DEVNULL
    ) as pinging:
        try:
            time.sleep(0.3)
            far.kill()
            _until(lambda: "airlag0" not in far.interfaces(), "an interface that is gone")
            far.up(near, "--plain")
            near.reaches(far)
        finally:
            pinging.kill()
    assert near.end()["sessions"] >= 2
    assert far.end()["sessions"] >= 1


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
        came, different = _carried(near, far, 300)
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


def test_an_interface_that_somebody_removes_ends_it_in_one_line(ends: tuple[End, End]) -> None:
    near, far = ends
    near.up(far, "--plain")
    assert _run("ip", "-n", near.space, "link", "del", "airlag0").returncode == 0
    assert near.process is not None
    told, complaints = near.process.communicate(timeout=PATIENCE_S)
    assert (near.process.returncode, told) == (2, "")
    assert complaints.startswith("airlag: airlag0: the interface is gone (")
    assert complaints.count("\n") == 1


def _airlag(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    """The command in a process without the capability to make interfaces."""
    drop = "exec setpriv --bounding-set -net_admin,-sys_nice,-sys_admin"
    command = f'{before}{drop} "$@"'
    airlag = (sys.executable, "-m", "airlag", "tunnel", *words)
    return _run("unshare", "--mount", "--net", "sh", "-c", command, "sh", *airlag)


@pytest.mark.usefixtures("privileged")
def test_without_the_capability_up_is_one_line() -> None:
    said = _airlag("up", "--radio", "udp:127.0.0.1:7000", "--plain", "--name", "tun7")
    assert said.returncode == 2
    assert said.stderr.startswith("airlag: tun7: ")
    assert "CAP_NET_ADMIN" in said.stderr
    assert said.stderr.count("\n") == 1


#: A computer whose kernel has no TUN.
NO_TUN = "mount -t tmpfs -o ro none /dev/net && "


@pytest.mark.usefixtures("privileged")
def test_without_tun_up_and_the_doctor_name_its_device() -> None:
    said = _airlag("up", "--radio", "udp:127.0.0.1:7000", "--plain", before=NO_TUN)
    assert (said.returncode, said.stderr.count("\n")) == (2, 1)
    assert "/dev/net/tun is missing; load the kernel's module with modprobe tun" in said.stderr
    said = _airlag("doctor", "--json", before=f"{NO_TUN}ulimit -r 0 && PATH=/nowhere:$PATH && ")
    assert said.returncode == 1
    checks = {check["name"]: check for check in json.loads(said.stdout)}
    for name in ("kernel TUN", "CAP_NET_ADMIN"):
        assert (checks[name]["needed"], checks[name]["ok"]) == (True, False)
    for name in ("real-time priority", "network namespaces"):
        assert (checks[name]["needed"], checks[name]["ok"]) == (False, False)
    assert "modprobe tun" in checks["kernel TUN"]["mend"]
    assert "LimitRTPRIO" in checks["real-time priority"]["mend"]
    assert checks["ip"]["ok"]


@pytest.mark.usefixtures("privileged")
def test_the_doctor_finds_nothing_missing_where_a_tunnel_comes_up(airlag: Airlag) -> None:
    said = airlag("tunnel", "doctor")
    assert (said.code, said.err) == (0, "")
    assert "ok      kernel TUN" in said.out
    assert "/dev/net/tun opens" in said.out


def test_the_doctor_says_of_each_part_of_a_chip_where_it_looked(airlag: Airlag) -> None:
    pins = ("--ce", "gpiochip99:22", "--irq", "gpiochip99:24")
    said = airlag("tunnel", "doctor", "--radio", "spi:/dev/spidev99.0", *pins)
    assert said.code == 1
    lines = {line[8:].split("  ")[0].strip(): line for line in said.out.splitlines()}
    for name, place in (
        ("SPI device", "/dev/spidev99.0"),
        ("interrupt pin", "gpiochip99:24"),
        ("chip enable pin", "gpiochip99:22"),
        ("radio chip", "not asked"),
    ):
        assert lines[name].startswith("missing ")
        assert place in lines[name]
    assert "raspi-config" in lines["SPI device"]


def test_a_key_is_for_its_owner_only_and_is_not_written_over(airlag: Airlag, folder: Path) -> None:
    said = airlag("tunnel", "key", "a.key", "--json")
    assert json.loads(said.out) == {"target": "a.key"}
    key = folder / "a.key"
    text = key.read_text()
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert len(bytes.fromhex(text)) == 32
    assert airlag("tunnel", "key", "a.key").code == 2
    assert key.read_text() == text
    assert airlag("tunnel", "key", "a.key", "--force").code == 0
    assert key.read_text() != text

    key.chmod(0o640)
    up = ("tunnel", "up", "--radio", "udp:127.0.0.1:7000", "--key")
    said = airlag(*up, "a.key")
    assert (said.code, said.out) == (2, "")
    told = "airlag: a.key: others than its owner may read or change it; chmod 600 a.key\n"
    assert said.err == told
    for name, content in (("short.key", b"7" * 31), ("text.key", b"g" * 64)):
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
        assert "it has 32 bytes, or 64 hexadecimal digits" in airlag(*up, name).err
    assert "airlag tunnel key no.key makes a key" in airlag(*up, "no.key").err
    for name, content in (("zeros.key", bytes(32)), ("digits.key", b"0" * 64)):
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
        told = f"airlag: {name}: the key is all zeros; airlag tunnel key {name} makes one\n"
        assert airlag(*up, name).err == told


@pytest.mark.usefixtures("privileged")
def test_a_key_of_another_user_is_refused(
    airlag: Airlag, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SUDO_UID", raising=False)
    assert airlag("tunnel", "key", "a.key").code == 0
    os.chown(folder / "a.key", 65_534, -1)
    said = airlag("tunnel", "up", "--radio", "udp:127.0.0.1:7000", "--key", "a.key")
    assert (said.code, said.out) == (2, "")
    told = "airlag: a.key: belongs to user 65534, who could change it; chown 0 a.key\n"
    assert said.err == told


CHIP = "tunnel up --plain --radio spi:/dev/spidev99.0 --ce gpiochip99:1 --irq gpiochip99:2"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("tunnel up --plain", "--radio"),
        ("tunnel up --radio udp:127.0.0.1:7000", "write --key FILE, or --plain"),
        ("tunnel up --radio udp:127.0.0.1:7000 --plain --key k", "write --key FILE, or --plain"),
        ("tunnel up --plain --radio ip:1", "write spi:DEVICE"),
        ("tunnel up --plain --radio udp:7000", "write HOST:PORT"),
        ("tunnel up --plain --radio spi:/dev/spidev0.0", "a chip needs --ce"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --channel 1", "are for --radio spi:DEVICE"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --rate 3M", "write 250k, 1M or 2M"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --mtu 9000", "write 68 to 1862"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --mtu x", "is no MTU"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --address 10.0.0.1", "such as 10.43.0.1/24"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --listen 192.0.2.1:7", "cannot listen"),
        (CHIP, "/dev/spidev99.0: "),
        (f"{CHIP} --rate 3M", "write 250k, 1M or 2M"),
        (f"{CHIP} --channel 126", "write one from 0 to 125"),
        ("tunnel doctor --ce gpiochip0:22", "say which radio is wired so"),
        ("tunnel doctor --radio spi:", "write spi:DEVICE"),
        ("tunnel key /no/such/folder/key", "cannot be written"),
    ],
)
def test_what_cannot_be_brought_up_is_one_line(airlag: Airlag, words: str, told: str) -> None:
    said = airlag(*words.split())
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert said.err.count("\n") == 1
