"""One process that runs command lines and reports how each ended."""

from __future__ import annotations

import io
import os
import resource
import shutil
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from unittest.mock import patch

from mutation.seeds import SWEPT, TUNED

#: What a case of a few kilobytes may take beyond what the process has, bytes, and of the
#: processor, s: wall time would depend on who else is running.
BUDGET_BYTES = 1 << 30
LIMIT_S = 5.0
#: Codes a command line that nobody interrupts can end with; 1 takes a check that no case asks for.
ENDS = (0, 2)

_ENDINGS = {"csv": ".csv", "table": ".txt", "campaign": ".toml", "sweep": ".toml"}


@dataclass(frozen=True, slots=True)
class Ended:
    """How a case ended: exit code, complaints, processor time in s, memory in bytes."""

    code: int
    complaints: str
    seconds: float
    grown: int

    @property
    def fault(self) -> str | None:
        """The column of the table it belongs to; ``None`` when all is well."""
        if "PanicException" in self.complaints:
            return "panics"
        if self.code not in ENDS:
            return "tracebacks"
        if self.seconds > LIMIT_S:
            return "slow"
        if self.grown > BUDGET_BYTES or "not enough memory" in self.complaints:
            return "over budget"
        return None if self._tidy() else "untidy"

    def _tidy(self) -> bool:
        lines = self.complaints.splitlines()
        return all(
            line.startswith("airlag: ") and line.isprintable() and len(line) < 1100
            for line in lines
        ) and (self.code == 0 or bool(lines))


def serve(pipe: Connection, kind: str, seed: bytes) -> None:
    """Answers each case, a file's content or a command line's, with an :class:`Ended`."""
    from airlag import cli
    from airlag.cli import streams

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        os.chdir(folder)
        Path("good.csv").write_bytes(seed)
        # As main() does: output of libraries is hidden, errors of airlag are not.
        os.dup2(said.fileno(), 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        streams.take_over()
        cli.command_line(["analyze", "good.csv"])
        _limit()
        while (content := pipe.recv()) is not None:
            said.seek(0)
            said.truncate()
            before, began = _peak(reset=True), time.process_time()
            code = 0
            with _campaigns_do_not_run(), _sweeps_do_not_run(kind):
                for arguments in command_lines(kind, content):
                    code = cli.command_line(arguments)
                    if code not in ENDS:
                        break
            sys.stderr.flush()
            said.seek(0)
            complaints = said.read().decode("utf-8", "replace")
            seconds = time.process_time() - began
            pipe.send(Ended(code, complaints, seconds, _peak() - before))


def command_lines(kind: str, content: bytes) -> Iterator[list[str]]:
    """The command lines of a case, whose files are put into the present folder."""
    for path in Path().glob("case*"):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    if kind == "settings":
        yield [os.fsdecode(word) for word in content.replace(b"\0", b"").split(b"\n")]
        return
    path = Path(f"case{_ENDINGS.get(kind, '')}")
    if kind == "saleae-binary":
        _unpack(content, path)
    elif kind == "swept":
        _spread(content, path)
    else:
        path.write_bytes(content)
    if kind == "campaign":
        yield ["campaign", str(path), "-o", "reports"]
        return
    if kind == "sweep":
        yield ["sweep", str(path), "-o", "swept"]
        return
    if kind == "swept":
        Path("swept.toml").write_bytes(SWEPT)
        yield ["sweep", "swept.toml", "-o", str(path), "--scheduler", "threads"]
        return
    if kind == "study":
        yield [*TUNED, f"sqlite:///{path}"]
        return
    yield ["analyze", "--json", str(path)]
    if kind == "pcapng":
        yield ["channels", "--json", str(path)]
    elif kind != "table":
        # Not to .sr: a damaged time may ask for a sample every nanosecond.
        yield ["convert", str(path), "case.vcd"]


def _unpack(content: bytes, folder: Path) -> None:
    folder.mkdir()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            for number, name in enumerate(file.namelist()[:64]):
                plain = name if name.startswith("digital_") and "/" not in name else f"x{number}"
                (folder / plain[:100]).write_bytes(file.read(name))
    except Exception:
        # The wrapping is only how a case travels.
        (folder / "digital_0.bin").write_bytes(content)


def _spread(content: bytes, folder: Path) -> None:
    """A dataset, whose members keep their names unless these lead elsewhere."""
    folder.mkdir()
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        for number, name in enumerate(file.namelist()[:64]):
            plain = name if name and ".." not in name else f"x{number}"
            path = folder / plain[:250]
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read(name))
            except (OSError, ValueError, zipfile.BadZipFile):
                # Where a file stands in the way of a folder, or what is packed is damaged.
                continue


def _campaigns_do_not_run() -> patch:  # type: ignore[valid-type]
    """A campaign is read and checked as ever; what it asks for may take the bench hours."""
    from airlag._airlag import LinkError

    refused = LinkError("not run")
    return patch(
        "airlag.questions.bench.emulate_each", lambda requests: iter([refused] * len(requests))
    )


def _sweeps_do_not_run(kind: str) -> AbstractContextManager[object]:
    """The same for a sweep, until it would create its folder; resuming one is quick."""
    from airlag._airlag import LinkError

    if kind == "swept":
        return nullcontext()
    return patch("airlag.questions.sweeps.run.execute", side_effect=LinkError("not run"))


def _limit() -> None:
    """Ends a process that far exceeds the budget, before it exhausts the machine."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    most = used + 3 * BUDGET_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _peak(reset: bool = False) -> int:
    """Most memory held since the last reset, bytes."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) << 10
