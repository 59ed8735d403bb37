"""Small good files of every format, made here: no capture of anybody's is needed."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import airlag
from traces import MS, logic2_csv, make

#: Edges of two wires, seconds.
_EDGES = ((0.1, 0.101, 0.2, 0.201, 0.3, 0.301), (0.103, 0.104, 0.203, 0.204, 0.303, 0.304))


def _trace() -> airlag.Trace:
    """Ten transfers and a loss on a grid of 100 us, which keeps sampled formats small."""
    triggers = [10 * MS + n * 20 * MS for n in range(11)]
    rises = [at + 3 * MS + n * 700_000 % (2 * MS) for n, at in enumerate(triggers) if n != 4]
    ends = [[edge for at in of for edge in (at, at + MS)] for of in (triggers, rises)]
    return make([[(0, 240 * MS, False, edges)] for edges in ends])


def _written(suffix: str) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        source = logic2_csv(Path(folder) / "seed.csv", _trace())
        if suffix == ".csv":
            return [source.read_bytes()]
        target = Path(folder) / f"seed{suffix}"
        if suffix == ".parquet":
            run = airlag.analyze(source, keep_edges=True, link="nrf24-2m", size=12)
            airlag.save(run, target)
        else:
            airlag.convert(source, target)
        return [target.read_bytes()]


def _tables() -> list[bytes]:
    return [
        "".join(f"0.{600 + n * 7 % 90:05d}\n" for n in range(40)).encode(),
        b"seq;rtt (ms);node\n" + b"".join(b"%d;%d,5;a\n" % (n, n % 7) for n in range(30)),
        b"# a note\nlatency_us\n" + b"".join(b"%d\n" % (700 + n * 13 % 50) for n in range(30)),
    ]


def _sniffs() -> list[bytes]:
    from airlag.questions.bench import Request, sniff

    links = (("ble-nus-notify", 40), ("ieee802154-ack", 20), ("wifi-udp-default", 20))
    return [sniff(Request(link, size, count=6))[1].pcapng for link, size in links]


def binary_0(times: Sequence[float]) -> bytes:
    """A wire of a Logic 2 binary export, version 0."""
    head = b"<SALEAE>" + struct.pack("<IIIddQ", 0, 0, 0, 0.0, 1.0, len(times))
    return head + struct.pack(f"<{len(times)}d", *times)


def binary_1(times: Sequence[float]) -> bytes:
    """The same, version 1: two chunks of half the transitions each."""
    middle = len(times) // 2
    out = b"<SALEAE>" + struct.pack("<IIQ", 1, 0, 2)
    for begin, end, part in ((0.0, 0.15, times[:middle]), (0.15, 1.0, times[middle:])):
        inside = [time for time in part if begin <= time <= end]
        out += struct.pack("<IdddQ", 0, 1e6, begin, end, len(inside))
        out += struct.pack(f"<{len(inside)}d", *inside)
    return out


def folder(version: Callable[[Sequence[float]], bytes]) -> bytes:
    """A binary export as an archive, which is unpacked into a folder before it is read."""
    return archive({f"digital_{n}.bin": version(times) for n, times in enumerate(_EDGES)})


def archive(members: Mapping[str, bytes]) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def _sal_run(samples: int) -> bytes:
    value, groups = samples - 1, []
    while True:
        groups.append(value & 0x7F)
        value >>= 7
        if value == 0:
            break
    if groups[-1] > 0x3F:
        groups.append(0)
    groups.reverse()
    marked = [group | (0x40 if n == 0 else 0x80) for n, group in enumerate(groups[:-1])]
    return bytes([*marked, groups[-1]])


def _sal_wire(times: Sequence[float], rate: int = 1_000_000, end: int = 400_000) -> bytes:
    """``digital-N.bin`` of one chunk."""
    at, runs = 0, b""
    for edge in (*(round(time * rate) for time in times), end):
        runs, at = runs + _sal_run(edge - at), edge
    head = b"<SALEAE>" + struct.pack("<IIBdQdBBQ", 1, 100, 1, rate, 1_700_000_000_123, 0.5, 0, 0, 1)
    chunk = struct.pack("<QQQQQQ", 0, end, end, rate, 1, len(runs))
    return head + chunk + runs + struct.pack("<Q16xI", 1, 0)


def _sal() -> bytes:
    rows = [
        {"name": name, "channel": {"type": "Digital", "deviceChannel": n}, "type": "channel"}
        for n, name in enumerate(("trigger", "done"))
    ]
    wires = {f"digital-{n}.bin": _sal_wire(times) for n, times in enumerate(_EDGES)}
    meta = json.dumps({"version": 15, "data": {"rowsSettings": rows}})
    return archive({"meta.json": meta.encode(), **wires})


_CAMPAIGN = b"""\
name = "seed"
seed = 1

[[runs]]
links = ["nrf24-2m", "uart-9600-*"]
except = ["uart-9600-dma"]
sizes = [12, 128]
phases = ["frozen", "uniform"]
count = 100
period = "200ms"

[[runs]]
links = ["nrf24-250k"]
sizes = [12]
set = { retransmit_delay = 500, rate = "250" }

[captures.nrf24-2m]
12 = "nrf24/12B.csv"
"""

_SWEEP = b"""\
name = "seed"
links = ["nrf24-2m", "espnow*"]
except = ["espnow-lr"]
sizes = [12, 128]
count = 100
period = ["200ms", "1s"]
seed = 1
transfers = true

[set]
range = { from = "1m", to = "40m", points = 3, scale = "log" }
tx_power = { from = -6, to = 0, step = 6 }
environment = ["office"]

[stop]
quantile = "p99"
within = "5%"
batch = 3
most = 20
"""

#: Command lines, an argument a line.
_SETTINGS = (
    b"analyze\ngood.csv\n--min-low\n1us\n--overlap\n16.6ms\n--size\n128",
    b"run\nuart-9600-irq\n--size\n12\n--count\n2\n--period\n200ms\n--seed\n1",
    b"run\nnrf24-2m\n--size\n12,32\n--count\n2\n--set\nretransmit_delay=500\n--set\nrate=2Mbit/s",
    b"analyze\ngood.csv\n--trigger\n0\n--completion\nChannel 1\n--invert\n0",
)

#: What the command lines of two formats ask for: eight runs, and a search of six settings.
SWEPT = b"""\
links = ["uart-115200-irq", "uart-115200-dma"]
sizes = [12]
count = 4
replications = 4
"""
TUNED = (
    "tune", "nrf24-2m", "--size", "12", "--minimise", "p50", "--over", "retransmit_count=3..5",
    "--count", "5", "--trials", "6", "--storage",
)  # fmt: skip


def _swept() -> list[bytes]:
    """Datasets that are complete, under way, and just begun, as archives."""
    from airlag.questions.sweeps import dataset, task
    from airlag.questions.sweeps.file import load

    made = []
    with tempfile.TemporaryDirectory() as name:
        asked = Path(name) / "swept.toml"
        asked.write_bytes(SWEPT)
        sweep = load(asked)
        for complete in (2, 1, 0):
            folder = Path(name) / str(complete)
            held = dataset.Dataset(folder, sweep)
            held.open()
            for nth, journal in enumerate(held.missing()):
                # Of the part that is under way three runs are there.
                for number in range(4 * nth, 4 * nth + (4 if nth < complete else 3)):
                    journal.add(task.work(sweep.task(number)))
                if nth < complete:
                    journal.end()
            held.close(complete=complete == 2)
            members = [path for path in sorted(folder.rglob("*")) if path.is_file()]
            made.append(
                archive({str(path.relative_to(folder)): path.read_bytes() for path in members})
            )
    return made


def _study() -> list[bytes]:
    """The database of a search that is complete."""
    from airlag.questions.tune import tune

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.db"
        tune(
            "nrf24-2m", 12, minimise="p50", over="retransmit_count=3..5", count=5, trials=4,
            storage=f"sqlite:///{path}",
        )  # fmt: skip
        with sqlite3.connect(path) as held:
            held.execute("update trials set datetime_start = null, datetime_complete = null")
        content = held.serialize()
        held.close()
        return [content]


#: Good files by format.
SEEDS: Mapping[str, Callable[[], list[bytes]]] = {
    "csv": lambda: _written(".csv"),
    "vcd": lambda: _written(".vcd"),
    "table": _tables,
    "saleae-binary": lambda: [folder(binary_0), folder(binary_1)],
    "sal": lambda: [_sal()],
    "sr": lambda: _written(".sr"),
    "parquet": lambda: _written(".parquet"),
    "pcapng": _sniffs,
    "campaign": lambda: [_CAMPAIGN],
    "sweep": lambda: [_SWEEP],
    "settings": lambda: list(_SETTINGS),
    "swept": _swept,
    "study": _study,
}
