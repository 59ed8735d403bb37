"""A day of ``airlag probe`` at 100 a second, then ``kill -9``: memory, and what is kept.

8,640,000 messages go to ``airlag reflect`` on loopback, each once the one before is answered, so
that a day passes in minutes. Prints by how much resident memory grew from the first tenth on, and
how many answered messages the journal holds. Ends with 1 if memory grew by 20 MB or more, or if the
journal lacks a message that had been answered a second before the kill.

Run it with ``python benches/long_probe.py [MESSAGES]``.
"""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from airlag.questions.analysis import analyze
from airlag.questions.runs import Outcome

AIRLAG = [sys.executable, "-m", "airlag"]
#: Most growth of resident memory, kB.
MOST_KB = 20_000


def resident_kb(pid: int) -> int:
    """Resident memory of a process."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    if found is None:
        raise SystemExit("the session has ended")
    return int(found[1])


def main(words: list[str]) -> int:
    """Measures one session."""
    messages = int(words[0]) if words else 8_640_000
    with tempfile.TemporaryDirectory() as folder:
        reflector = subprocess.Popen(
            [*AIRLAG, "reflect", "udp://127.0.0.1:0", "--rate", "1000000"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert reflector.stdout is not None
        target = reflector.stdout.readline().split()[-1]
        keep = ["-o", f"{folder}/day.parquet"]
        session = subprocess.Popen(
            [*AIRLAG, "probe", target, "--closed-loop", "--stream", *keep],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert session.stdout is not None
        before, answered, seconds = 0, [0, 0], 0.0
        for line in session.stdout:
            now = json.loads(line)
            answered, seconds = [answered[1], now["answered"]], now["elapsed_ns"] / 1e9
            if not before and answered[1] >= messages / 10:
                before = resident_kb(session.pid)
            if answered[1] >= messages:
                break
        grown = resident_kb(session.pid) - before
        session.send_signal(signal.SIGKILL)
        session.communicate()
        reflector.terminate()
        reflector.communicate()
        journal = Path(folder) / "day.journal"
        size_mb = journal.stat().st_size / 1e6
        held = analyze(journal).count(Outcome.DELIVERED)
    fine = grown < MOST_KB and held >= answered[0]
    sys.stdout.write(
        f"{answered[1]} answered in {seconds:.0f} s, {answered[0]} of them a second before the "
        f"kill, {held} in a journal of {size_mb:.0f} MB; memory grew by {grown} kB: "
        f"{'ok' if fine else 'WRONG'}\n"
    )
    return int(not fine)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
