"""An emulated Pico behind a pseudo terminal, with edges at known instants on its pins."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import tty
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import peers

from .conftest import ROOT

FOLDER = ROOT / "firmware/rp2040"
IMAGE = FOLDER / "target/thumbv6m-none-eabi/release/instrument"
EMULATOR = FOLDER / "emulator"


class Pico:
    """An image on rp2040js.

    Parameters
    ----------
    folder
        For the plan of the emulator.
    edges
        Edges as (time since the first packet to the host, ns; pin). Each inverts a level.
    stalls
        Times between which the host takes no packets, ns since the first packet.
    image
        The image; ``instrument`` unless set.
    """

    def __init__(
        self,
        folder: Path,
        edges: Sequence[tuple[float, int]] | NDArray[np.float64] = (),
        stalls: Sequence[tuple[float, float]] = (),
        *,
        image: Path = IMAGE,
    ) -> None:
        node = peers.program("node", "nodejs")
        if not image.is_file():
            peers.absent("no image instrument; build it with make firmware")
        if not (EMULATOR / "node_modules/rp2040js").is_dir():
            peers.absent("no rp2040js; install it with make emulator")
        plan = folder / "plan.json"
        file = folder / "edges"
        file.write_bytes(np.array(edges, dtype=np.float64).tobytes())
        plan.write_text(json.dumps({"edges": str(file), "stalls": list(stalls)}))
        controller, self._terminal = pty.openpty()
        tty.setraw(self._terminal)
        self.device = os.ttyname(self._terminal)
        self._process = subprocess.Popen(
            [node, EMULATOR / "run.js", image, str(controller), plan],
            stdout=subprocess.PIPE,
            text=True,
            pass_fds=[controller],
        )
        os.close(controller)
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "connected\n"

    def wait_for_edges(self) -> None:
        """Waits until all edges came, and the host has them."""
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "edges\n"

    def stop(self) -> Any:
        """Ends the emulation and returns what it counted."""
        self._process.terminate()
        # A read of the emulator that waits for the host would delay its end.
        os.close(self._terminal)
        out, _ = self._process.communicate(timeout=60)
        assert self._process.returncode == 0
        return json.loads(out.splitlines()[-1])

    def unplug(self) -> None:
        """Ends the emulation and the line to the host."""
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)

    def end(self) -> None:
        """Ends the emulation if it still runs, as after a test that failed."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()


#: Plugs one in, with edges and stalls.
Plugged = Callable[..., Pico]


@pytest.fixture
def plugged(tmp_path: Path) -> Iterator[Plugged]:
    """Plugs in emulated Picos, which end with the test."""
    all_of_them: list[Pico] = []

    def plug(*edges: Sequence[tuple[float, int]] | NDArray[np.float64], **settings: Any) -> Pico:
        pico = Pico(tmp_path, *edges, **settings)
        all_of_them.append(pico)
        return pico

    yield plug
    for pico in all_of_them:
        pico.end()
