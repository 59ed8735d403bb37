"""Ctrl-C in a program or a notebook: the work in Rust ends, and the process continues."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from queue import Empty
from typing import IO

import pytest
from jupyter_client.manager import start_new_kernel

from traces import link, logic2_csv

#: Calls of which each takes minutes.
LONG = {
    "run": "airlag.run('nrf24-2m', 12, count=9_000_000)",
    "runs": "airlag.run('nrf24-2m', [12, 16, 20, 24], count=9_000_000)",
    "goodput": "airlag.goodput('nrf24-2m', 12, count=1_000_000)",
    "offered load": "airlag.offered_load('nrf24-2m', 12, count=1_000_000)",
    "explain": (
        "airlag.explain('ble-nus-notify', 1024, range='40m', neighbours=['wifi:50%@ch6', 'ble:20'])"
    ),
    "recommend": "airlag.recommend('20ms', percentile=99.99, max_loss=1e-4, budget='600s')",
    "match": "airlag.match('long.csv', count=1_000_000)",
    "sweep": "airlag.sweep('nrf24-2m', 12, count=9_000_000, seeds=range(8))",
    "sweep to a folder": (
        "airlag.sweep('nrf24-2m', 12, count=9_000_000, seeds=range(8), out='rows')"
    ),
    "tune": "airlag.tune('nrf24-2m', 12, minimise='p99', count=9_000_000, trials=8)",
    "indices": (
        "airlag.indices('nrf24-2m', 12, over='retransmit_delay=250us..4ms', count=9_000_000)"
    ),
}

#: Ends with 0 if the call is interrupted and another one is answered, which takes longer than the
#: interval between checks for signals. A process waits for its threads at its end, so it ends only
#: when no work is left.
PROGRAM = """
import sys
import airlag
from scipy.stats.qmc import Sobol

# Compiled code that reads a table here, once, drops an exception that a signal raises in it.
Sobol(1)
print("begins", flush=True)
try:
    {call}
except KeyboardInterrupt:
    interrupted = True
sys.exit(not interrupted or airlag.run("nrf24-2m", 12, count=20_000).trigger_ns.size != 20_000)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a capture."""
    monkeypatch.chdir(tmp_path)
    logic2_csv(tmp_path / "long.csv", link(count=3000, lost=range(0, 3000, 7)))
    return tmp_path


#: A capture whose end does not come: a pipe that somebody goes on writing to.
ENDLESS = """
import sys
head = ("$timescale 1 us $end", "$var wire 1 ! a $end", "$var wire 1 ? b $end")
print(*head, "$enddefinitions $end", sep="\\n")
at = 0
while True:
    at += 1
    sys.stdout.write(f"#{at * 1000}\\n{at % 2}!\\n#{at * 1000 + 500}\\n{at % 2}?\\n")
"""


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("call", ["airlag.analyze('-')", "airlag.read('-')"])
def test_reading_a_capture_is_interrupted(call: str) -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE) as source:
        try:
            _interrupted(call, source.stdout)
        finally:
            source.kill()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", LONG)
def test_a_program_that_is_interrupted_goes_on(name: str) -> None:
    _interrupted(LONG[name])


def _interrupted(call: str, stdin: IO[bytes] | None = None) -> None:
    """Interrupts a call once it has begun."""
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(call=call)],
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begins\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        try:
            # A bound on "does not hang", wide enough for a busy machine.
            _, err = process.communicate(timeout=20)
        finally:
            process.kill()
        assert process.returncode == 0, err.decode()


@pytest.mark.usefixtures("folder")
@pytest.mark.filterwarnings("default")
def test_a_cell_that_is_interrupted_leaves_a_kernel_to_work_with() -> None:
    manager, client = start_new_kernel(kernel_name="python3")
    try:
        client.execute_interactive("import airlag", timeout=60, output_hook=lambda _: None)
        for call in LONG["run"], LONG["sweep"]:
            # Else the kernel refuses the next cell if it comes while the error is being handled.
            asked = client.execute(call, stop_on_error=False)
            with pytest.raises(Empty):
                client.get_shell_msg(timeout=2)
            manager.interrupt_kernel()
            reply = client.get_shell_msg(timeout=20)
            assert reply["parent_header"]["msg_id"] == asked
            assert reply["content"]["ename"] == "KeyboardInterrupt"
        # Though the kernel keeps the traceback, the work of other threads has ended.
        follows = (
            "import threading\n"
            "pools = [one for one in threading.enumerate() if 'ThreadPoolExecutor' in one.name]\n"
            "for one in pools: one.join(20)\n"
            "assert not any(one.is_alive() for one in pools)\n"
            "airlag.run('nrf24-2m', count=20_000)"
        )
        reply = client.execute_interactive(follows, timeout=60, output_hook=lambda _: None)
        assert reply["content"]["status"] == "ok", reply["content"]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
