"""The commands of docs/tunnel.md by which one computer reaches the internet over another."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from peers import program, root
from tunnel_ends import MTU, End, run, spaces

pytestmark = [pytest.mark.peers, pytest.mark.real_time]

PAGE = Path(__file__).parents[3] / "docs" / "tunnel.md"
UPLINK, SERVER = "203.0.113.1", "203.0.113.2"
#: What the name server of the tests answers with.
NAMED = "198.51.100.7"

#: Answers any question about a name with one address, and whoever connects with where he is from.
_SERVER = f"""
import socket, threading
names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind(("{SERVER}", 53))
page = socket.create_server(("{SERVER}", 80))
print("ready", flush=True)
def answer():
    while True:
        asked, whence = names.recvfrom(512)
        end = asked.index(0, 12) + 5
        kind = asked[end - 3]
        head = asked[:2] + bytes([0x81, 0x80, 0, 1, 0, kind == 1, 0, 0, 0, 0]) + asked[12:end]
        record = bytes([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4]) + socket.inet_aton("{NAMED}")
        names.sendto(head + (record if kind == 1 else b""), whence)
threading.Thread(target=answer, daemon=True).start()
while True:
    connection, (whence, _) = page.accept()
    connection.sendall(whence.encode())
    connection.close()
"""
#: Prints whom the server saw, the address of a name, and the segment size in a SYN-ACK.
_CLIENT = f"""
import socket
air = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0800))
air.bind(("airlag0", 0x0800))
air.settimeout(20)
connection = socket.create_connection(("{SERVER}", 80), timeout=20)
whence = b"".join(iter(lambda: connection.recv(64), b"")).decode()
while True:
    packet = air.recv(2048)
    tcp = packet[(packet[0] & 15) * 4 :]
    if packet[9] == 6 and tcp[13] & 18 == 18:
        break
assert tcp[20:22] == bytes([2, 4]), tcp
segment = int.from_bytes(tcp[22:24], "big")
print(whence, socket.gethostbyname("anything.example"), segment)
"""


def _blocks(heading: str) -> list[list[str]]:
    """Commands of each block below a heading of the page."""
    section = PAGE.read_text().split(f"## {heading}\n")[1].split("\n## ")[0]
    return [block.strip().splitlines() for block in section.split("```")[1::2]]


@pytest.fixture
def ends() -> Iterator[tuple[End, End]]:
    for name, package in {"ip": "iproute2", "nft": "nftables", "ping": "iputils-ping"}.items():
        program(name, package)
    root()
    with spaces() as both:
        yield both


@contextmanager
def _internet(gateway: End) -> Iterator[str]:
    """A namespace behind the uplink of a computer, without a route back."""
    space = f"{gateway.space}i"
    with ExitStack() as undo:
        assert run("ip", "netns", "add", space).returncode == 0
        undo.callback(run, "ip", "netns", "del", space)
        wire = ("type", "veth", "peer", "name", "up0", "netns", space)
        run("ip", "-n", gateway.space, "link", "add", "eth0", *wire)
        for each, device, address in ((gateway.space, "eth0", UPLINK), (space, "up0", SERVER)):
            run("ip", "-n", each, "addr", "add", f"{address}/24", "dev", device)
            run("ip", "-n", each, "link", "set", device, "up")
        yield space


def test_the_commands_of_the_page_lead_to_the_internet(
    ends: tuple[End, End], tmp_path: Path
) -> None:
    gateway, client = ends
    forwards, routes = _blocks("Reach the internet over the tunnel")
    resolver = tmp_path / "resolv.conf"
    resolver.write_text(f"nameserver {SERVER}\n")
    with _internet(gateway) as space, ExitStack() as undo:
        for command in forwards:
            done = run("sh", "-c", command, within=gateway.space)
            assert done.returncode == 0, (command, done.stderr)
        gateway.up(client, "--plain")
        client.up(gateway, "--plain")
        client.reaches(gateway)
        done = run("sh", "-c", routes[0], within=client.space)
        assert done.returncode == 0, (routes[0], done.stderr)
        command = ["ip", "netns", "exec", space, sys.executable, "-c", _SERVER]
        piped = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        server = undo.enter_context(piped)
        undo.callback(server.kill)
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"

        pinged = run("ping", "-n", "-c", "3", "-i", "0.2", SERVER, within=client.space)
        assert " 0% packet loss" in pinged.stdout, pinged
        # The mounts of a namespace's program are its own.
        mounted = f'mount --bind {resolver} /etc/resolv.conf && exec "$@"'
        words = ("sh", "-c", mounted, "sh", sys.executable, "-c", _CLIENT)
        said = run(*words, within=client.space)
        assert said.stdout.split() == [UPLINK, NAMED, str(MTU - 40)], said
