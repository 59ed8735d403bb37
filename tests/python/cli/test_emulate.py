"""``airlag emulate``: unmodified programs over links in real time."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest
import serial
from told import Airlag

from airlag.questions.analysis import analyze
from airlag.questions.runs import Outcome
from peers import program

pytestmark = pytest.mark.real_time

#: What a command line that asks for none, or for two, is told.
ONE_OF = "write --listen PORT --to HOST:PORT, or --serial, or --tun"


def _udp() -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind(("127.0.0.1", 0))
    bound.settimeout(20)
    return bound


@contextmanager
def _echo() -> Iterator[int]:
    """A server that answers everything; its port."""
    with closing(_udp()) as server:

        def answer() -> None:
            while True:
                try:
                    data, whence = server.recvfrom(4_096)
                except OSError:
                    return
                server.sendto(data, whence)

        threading.Thread(target=answer, daemon=True).start()
        yield server.getsockname()[1]


@contextmanager
def _emulated(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command while it runs, and the line that says between what."""
    environment = os.environ | {"COLUMNS": "120", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-m", "airlag", "emulate", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline()
        finally:
            process.kill()


def test_a_udp_client_is_answered_over_a_radio_and_ctrl_c_ends_it_with_a_report(
    folder: Path,
) -> None:
    with (
        _echo() as port,
        _emulated(
            *("ieee802154-ack-woken", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{port}"),
            *("-o", "kept", "--sniff", "air.pcapng"),
        ) as (process, line),
        closing(_udp()) as client,
    ):
        listening = re.search(r"127\.0\.0\.1:(\d+)  ⇄  ieee802154-ack-woken", line)
        assert listening, line
        for size in (1, 7, 64, 128):
            asked = bytes(range(size))
            client.sendto(asked, ("127.0.0.1", int(listening[1])))
            assert client.recv(4_096) == asked
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    for words in ("scheduling delay", "200 B in, 200 B out"):
        assert words in told
    for name in ("there", "back"):
        run = analyze(folder / "kept" / f"{name}.parquet")
        assert (len(run.outcome), run.count(Outcome.DELIVERED)) == (4, 4)
        assert run.link == "ieee802154-ack-woken"
    assert (folder / "air.pcapng").stat().st_size > 500


def test_for_so_long_nothing_comes_and_json_says_so(airlag: Airlag) -> None:
    with closing(_udp()) as server:
        to = f"127.0.0.1:{server.getsockname()[1]}"
        words = f"emulate nrf24-2m --listen 127.0.0.1:0 --to {to} --for 2s --speed 4 --json"
        result = airlag(*words.split())
    there, back = json.loads(result.out)
    assert (result.code, there["way"], back["way"]) == (0, "there", "back")
    assert there["elapsed_ns"] == 2_000_000_000
    assert there["triggers"] == back["triggers"] == 0


def _port(line: str) -> int:
    listening = re.search(r"127\.0\.0\.1:(\d+)  ⇄", line)
    assert listening, line
    return int(listening[1])


def test_killed_it_leaves_journals_that_are_read_as_runs(folder: Path, airlag: Airlag) -> None:
    with (
        _echo() as port,
        _emulated(
            *("ieee802154-ack-woken", "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{port}"),
            *("-o", "kept"),
        ) as (process, line),
        closing(_udp()) as client,
    ):
        for nth in range(20):
            client.sendto(bytes([nth] * 20), ("127.0.0.1", _port(line)))
            assert client.recv(4_096) == bytes([nth] * 20)
        # What is written is not older than a second.
        time.sleep(1)
        process.kill()
        process.wait(20)
    assert not list((folder / "kept").glob("*.parquet"))
    for way in ("there", "back"):
        run = analyze(folder / "kept" / f"{way}.journal")
        assert (run.link, run.count(Outcome.DELIVERED)) == ("ieee802154-ack-woken", 20)
        assert run.config["way"] == way
    # Nobody writes over it by mistake.
    words = "emulate ieee802154-ack-woken --serial --for 1ms -o kept"
    refused = airlag(*words.split())
    assert refused.code == 2
    assert "kept/there.journal" in refused.err
    kept = airlag("analyze", "kept/there.journal", "-o", "there.parquet")
    assert kept.code == 0, kept.err
    assert analyze(folder / "there.parquet").count(Outcome.DELIVERED) == 20


def _resident_kb(process: subprocess.Popen[str]) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1])


def test_memory_does_not_grow_with_the_packets(folder: Path) -> None:
    with (
        closing(_udp()) as server,
        _emulated(
            *("nrf24-2m", "--listen", "127.0.0.1:0"),
            *("--to", f"127.0.0.1:{server.getsockname()[1]}", "--speed", "100", "-o", "kept"),
        ) as (process, line),
        closing(_udp()) as client,
    ):
        before = 0
        # Each has left before the next comes, so that none finds the queue full.
        for nth in range(30_000):
            client.sendto(b"x" * 20, ("127.0.0.1", _port(line)))
            assert server.recv(64)
            if nth == 2_000:
                before = _resident_kb(process)
        # Kept in memory, they would take 24 B each, with their edges and pairs far more.
        assert _resident_kb(process) - before < 600
        process.send_signal(signal.SIGTERM)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    assert "600 000 B in, 600 000 B out" in told
    run = analyze(folder / "kept" / "there.parquet")
    assert (len(run.outcome), run.count(Outcome.DELIVERED)) == (30_000, 30_000)
    assert not list((folder / "kept").glob("*.journal"))


@pytest.mark.parametrize("mode", [("--listen", "0", "--to", "9", "--tcp"), ("--tun",)])
def test_a_link_that_goes_one_way_refuses_what_needs_answers(
    airlag: Airlag, mode: tuple[str, ...]
) -> None:
    refused = airlag("emulate", "nrf24-2m-raw", *mode, "--for", "1ms")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "nrf24-2m-raw is unidirectional" in refused.err


def test_datagrams_over_a_link_that_goes_one_way_are_carried_with_a_word(airlag: Airlag) -> None:
    words = "emulate nrf24-2m --listen 127.0.0.1:0 --to 127.0.0.1:9 --for 1ms"
    said = airlag(*words.split())
    assert said.code == 0
    assert said.err == "airlag: nrf24-2m is one-way: return packets are dropped\n"


def test_an_emulation_stands_at_one_location_and_names_it(airlag: Airlag) -> None:
    numbers = {}
    for location in ("median", "p10", "7"):
        words = f"emulate lora-sf7-250k --serial --for 1ms --range 2500m --location {location}"
        said = airlag(*words.split())
        assert said.code == 0, said.err
        found = re.search(r"location (\d+).*: ([+-][\d.]+) dB from the mean signal", said.out)
        assert found, said.out
        numbers[location] = int(found[1]), float(found[2])
    assert numbers["7"][0] == 7
    assert numbers["p10"][1] < numbers["median"][1]
    refused = airlag("emulate", "lora-sf7-250k", "--serial", "--for", "1ms", "--location", "p10")
    assert refused.code == 2
    assert "--location needs --range" in refused.err


@contextmanager
def _listening() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(20)
        yield server


def _all_of(connection: socket.socket) -> bytes:
    connection.settimeout(20)
    got = b""
    while piece := connection.recv(65_536):
        got += piece
    return got


@pytest.mark.parametrize("link", ["tunnel", "espnow-woken"])
def test_a_connection_loses_nothing_over_a_radio_that_does(folder: Path, link: str) -> None:
    del folder
    asked, answer = bytes(range(256)) * 40, bytes(range(255)) * 80
    with (
        _listening() as server,
        _emulated(
            *(link, "--listen", "127.0.0.1:0", "--to", f"127.0.0.1:{server.getsockname()[1]}"),
            *("--tcp", "--set", "frame_loss=0.1"),
        ) as (process, line),
    ):
        listening = re.search(r"127\.0\.0\.1:(\d+)  ⇄", line)
        assert listening, line
        with (
            closing(socket.create_connection(("127.0.0.1", int(listening[1])), 20)) as client,
            closing(server.accept()[0]) as accepted,
        ):
            client.sendall(asked)
            # Each side ends on its own.
            client.shutdown(socket.SHUT_WR)
            assert _all_of(accepted) == asked
            accepted.sendall(answer)
            accepted.shutdown(socket.SHUT_WR)
            assert _all_of(client) == answer
        # What the server does to a connection happens to the client.
        with closing(socket.create_connection(("127.0.0.1", int(listening[1])), 20)) as client:
            accepted = server.accept()[0]
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            accepted.close()
            with pytest.raises(ConnectionResetError):
                _all_of(client)
        server.close()
        with (
            closing(socket.create_connection(("127.0.0.1", int(listening[1])), 20)) as client,
            pytest.raises(ConnectionResetError),
        ):
            _all_of(client)
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    assert "scheduling delay" in told


def _echoing(server: socket.socket) -> None:
    """Accepts connections and answers what they say, until the server is closed."""

    def answer(connection: socket.socket) -> None:
        # The one that is idle for longest is reset.
        with closing(connection), suppress(ConnectionResetError):
            while said := connection.recv(4_096):
                connection.sendall(said)

    def accept() -> None:
        while True:
            try:
                connection = server.accept()[0]
            except OSError:
                return
            threading.Thread(target=answer, args=[connection], daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def test_connections_that_say_nothing_do_not_lock_out_the_next_one(folder: Path) -> None:
    del folder
    with (
        _listening() as server,
        ExitStack() as idle,
        _emulated(
            *("espnow-woken", "--listen", "127.0.0.1:0", "--tcp"),
            *("--to", f"127.0.0.1:{server.getsockname()[1]}"),
        ) as (_, line),
    ):
        _echoing(server)
        for _ in range(300):
            idle.enter_context(socket.create_connection(("127.0.0.1", _port(line)), 20))
        with closing(socket.create_connection(("127.0.0.1", _port(line)), 20)) as client:
            client.settimeout(20)
            client.sendall(b"is there room?")
            assert client.recv(64) == b"is there room?"


def test_a_link_that_is_a_connection_carries_one_client_after_the_other(folder: Path) -> None:
    del folder
    with (
        _listening() as server,
        _emulated(
            *("tcp-stream-softap", "--listen", "127.0.0.1:0", "--tcp"),
            *("--to", f"127.0.0.1:{server.getsockname()[1]}"),
        ) as (process, line),
    ):
        # The client stands at the board that opens the connection, which is the receiver.
        listening = re.search(r"tcp-stream-softap  ⇄  127\.0\.0\.1:(\d+)", line)
        assert listening, line
        address = ("127.0.0.1", int(listening[1]))
        for nth in range(3):
            said = bytes((at * 7 + nth) % 256 for at in range(1_600))
            with (
                closing(socket.create_connection(address, 20)) as client,
                closing(server.accept()[0]) as accepted,
            ):
                accepted.sendall(said)
                accepted.shutdown(socket.SHUT_WR)
                assert _all_of(client) == said
                client.sendall(b"thanks")
                client.shutdown(socket.SHUT_WR)
                assert _all_of(accepted) == b"thanks"
        # What the server does to a connection happens to the client, and the next one is carried.
        with closing(socket.create_connection(address, 20)) as client:
            accepted = server.accept()[0]
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            accepted.close()
            with pytest.raises(ConnectionResetError):
                _all_of(client)
        with (
            closing(socket.create_connection(address, 20)) as client,
            closing(server.accept()[0]) as accepted,
        ):
            accepted.sendall(b"again")
            client.settimeout(20)
            assert client.recv(64) == b"again"
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    assert "there  4 805 B in, 4 805 B out" in told
    assert "back  18 B in, 18 B out" in told


def test_a_serial_port_is_heard_at_the_other(folder: Path) -> None:
    del folder
    with _emulated("sik-64k", "--serial") as (process, line):
        names = re.findall(r"/dev/pts/\d+", line)
        assert len(names) == 2, line
        near, far = (os.open(name, os.O_RDWR | os.O_NOCTTY) for name in names)
        try:
            # As a terminal program would find it: nothing is echoed, no line is edited.
            assert not termios.tcgetattr(near)[3] & (termios.ECHO | termios.ICANON)
            os.write(near, b"over the air")
            got, end = b"", time.monotonic() + 20
            while len(got) < 12 and time.monotonic() < end:
                got += os.read(far, 64)
            assert got == b"over the air"
        finally:
            os.close(near)
            os.close(far)
        process.send_signal(signal.SIGTERM)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    assert "12 B in, 12 B out" in told


@pytest.mark.peers
def test_socat_and_pyserial_talk_over_an_emulated_modem(folder: Path) -> None:
    del folder
    program("socat", "socat")
    with _emulated("hc05-57600", "--serial") as (process, line):
        near, far = re.findall(r"/dev/pts/\d+", line)
        answering = ["socat", f"{far},raw,echo=0", "EXEC:cat"]
        with (
            subprocess.Popen(answering) as server,
            closing(serial.Serial(near, 57_600, timeout=20)) as port,
        ):
            try:
                for size in (1, 20, 300):
                    asked = bytes(at * 7 % 256 for at in range(size))
                    port.write(asked)
                    assert port.read(size) == asked
            finally:
                server.terminate()
        process.send_signal(signal.SIGINT)
        told, complaints = process.communicate(timeout=20)
        assert process.returncode == 0, complaints
    assert "321 B in, 321 B out" in told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("emulate nrf24-2m", ONE_OF),
        ("emulate nrf24-2m --listen 5000", ONE_OF),
        ("emulate nrf24-2m --serial --tun", ONE_OF),
        ("emulate nrf24-2m --serial --tcp", "--tcp requires --listen PORT --to HOST:PORT"),
        ("emulate nrf24-2m --listen x --to 5", "is not an address"),
        ("emulate nrf24-2mb --serial --for 1ms", "did you mean `nrf24-2m`?"),
        ("emulate gpio-stm32-ll-o3 --serial --for 1ms", "carries no bytes"),
        (
            "emulate nrf24-2m --listen 0 --to no.such.host.invalid:1",
            "no.such.host.invalid:1: unknown host",
        ),
        ("emulate uart-115200-irq --serial --for 1ms --sniff x.pcapng", "no radio to sniff"),
    ],
)
def test_what_cannot_be_emulated_is_one_line(airlag: Airlag, words: str, told: str) -> None:
    result = airlag(*words.split())
    assert result.code == 2
    assert told in result.err
    assert "Traceback" not in result.err
