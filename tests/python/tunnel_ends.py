"""Two ends of a tunnel in network namespaces, with a wire where the radio would be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import jsonschema
import pytest

from airlag.core.schemas import schema

#: Longer than anything here takes, s.
PATIENCE_S = 30
PORT = 7_000
MTU = 1_400


def run(*words: object, within: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [str(word) for word in words]
    if within is not None:
        command = ["ip", "netns", "exec", within, *command]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)


def until(true: Callable[[], bool], what: str) -> None:
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
        told = run("ip", "-n", self.space, "-j", "addr")
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
        until(self.is_there, "the interface")

    def is_there(self) -> bool:
        assert self.process is not None
        if self.process.poll() is not None:
            pytest.fail(f"it ended: {self.process.communicate()}")
        return "airlag0" in self.interfaces()

    def ping(self, peer: End, *words: object) -> subprocess.CompletedProcess[str]:
        return run("ping", "-n", *words, peer.inside(), within=self.space)

    def reaches(self, peer: End) -> None:
        until(lambda: self.ping(peer, "-c", 1, "-W", 1).returncode == 0, "an answer")

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
def spaces() -> Iterator[tuple[End, End]]:
    ends = (End(1), End(2))
    spaces = [end.space for end in ends]
    with ExitStack() as undo:
        for end in ends:
            assert run("ip", "netns", "add", end.space).returncode == 0
            undo.callback(run, "ip", "netns", "del", end.space)
        peer = ("type", "veth", "peer", "name", "air", "netns", spaces[1])
        assert run("ip", "-n", spaces[0], "link", "add", "air", *peer).returncode == 0
        for end in ends:
            run("ip", "-n", end.space, "addr", "add", f"{end.outside()}/24", "dev", "air")
            # Only what tests send goes through the tunnel.
            run("sysctl", "-w", "net.ipv6.conf.default.disable_ipv6=1", within=end.space)
            for device in ("lo", "air"):
                run("ip", "-n", end.space, "link", "set", device, "up")
        try:
            yield ends
        finally:
            for end in ends:
                end.kill()
