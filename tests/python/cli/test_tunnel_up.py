"""``airlag tunnel``: two ends in network namespaces, and errors where none can start."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from told import Airlag

from tunnel_ends import MTU, PATIENCE_S, PORT, End, run, until

pytestmark = pytest.mark.real_time


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
            until(lambda: bool(run(*listening, within=far.space).stdout), "the server")
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
    assert run("ip", "netns", "add", beyond).returncode == 0
    try:
        wire = ("type", "veth", "peer", "name", "up0", "netns", beyond)
        run("ip", "-n", far.space, "link", "add", "eth0", *wire)
        for space, device, address in ((far.space, "eth0", 1), (beyond, "up0", 2)):
            run("ip", "-n", space, "addr", "add", f"203.0.113.{address}/24", "dev", device)
            run("ip", "-n", space, "link", "set", device, "up")
        # In place of masquerading, as nftables is not everywhere.
        run("ip", "-n", beyond, "route", "add", "10.43.0.0/24", "via", "203.0.113.1")
        run("sysctl", "-w", "net.ipv4.ip_forward=1", within=far.space)
        near.up(far, "--key", keys[0])
        far.up(near, "--key", keys[0])
        near.reaches(far)
        run(*f"ip route replace default via {far.inside()} dev airlag0".split(), within=near.space)
        pinged = run("ping", "-n", "-c", "3", "-i", "0.2", "203.0.113.2", within=near.space)
        assert "3 received" in pinged.stdout, pinged
    finally:
        run("ip", "netns", "del", beyond)


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
            until(lambda: "airlag0" not in far.interfaces(), "an interface that is gone")
            far.up(near, "--plain")
            near.reaches(far)
        finally:
            pinging.kill()
    assert near.end()["sessions"] >= 2
    assert far.end()["sessions"] >= 1


def test_an_interface_that_somebody_removes_ends_it_in_one_line(ends: tuple[End, End]) -> None:
    near, far = ends
    near.up(far, "--plain")
    assert run("ip", "-n", near.space, "link", "del", "airlag0").returncode == 0
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
    return run("unshare", "--mount", "--net", "sh", "-c", command, "sh", *airlag)


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
    assert "/dev/net/tun is missing; load the kernel module with modprobe tun" in said.stderr
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
        ("radio chip", "not checked"),
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
    told = "airlag: a.key: others than its owner can read or change it; use chmod 600 a.key\n"
    assert said.err == told
    for name, content in (("short.key", b"7" * 31), ("text.key", b"g" * 64)):
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
        assert "a key has 32 bytes, or 64 hexadecimal digits" in airlag(*up, name).err
    assert "airlag tunnel key no.key creates a key" in airlag(*up, "no.key").err
    for name, content in (("zeros.key", bytes(32)), ("digits.key", b"0" * 64)):
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
        told = f"airlag: {name}: the key is all zeros; airlag tunnel key {name} creates one\n"
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
    told = "airlag: a.key: owned by user 65534, who could change it; use chown 0 a.key\n"
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
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --mtu x", "is not a valid MTU"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --address 10.0.0.1", "such as 10.43.0.1/24"),
        ("tunnel up --plain --radio udp:127.0.0.1:7000 --listen 192.0.2.1:7", "cannot listen"),
        (CHIP, "/dev/spidev99.0: "),
        (f"{CHIP} --rate 3M", "write 250k, 1M or 2M"),
        (f"{CHIP} --channel 126", "expected one from 0 to 125"),
        ("tunnel doctor --ce gpiochip0:22", "name the radio that is wired this way"),
        ("tunnel doctor --radio spi:", "write spi:DEVICE"),
        ("tunnel key /no/such/folder/key", "cannot be written"),
    ],
)
def test_what_cannot_be_brought_up_is_one_line(airlag: Airlag, words: str, told: str) -> None:
    said = airlag(*words.split())
    assert (said.code, said.out) == (2, "")
    assert told in said.err
    assert said.err.count("\n") == 1
