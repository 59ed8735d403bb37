"""Generates the numbers and pictures of the documentation, or checks that they are current.

Text between ``<!-- generated: NAME -->`` and ``<!-- end -->`` in a page is the output of a command.
The captures are those of ``airlag demo``, with a fixed seed.

    python docs/generate.py           rewrite
    python docs/generate.py --check   exit 1 and list outdated files
    python docs/generate.py --captures
                                      rewrite the comparisons with captures in AIRLAG_CAPTURES;
                                      the other modes skip them
    python docs/generate.py --requirements
                                      rewrite the table of requirements in docs/choosing.md, which
                                      takes minutes; the first two modes skip it
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import answer_types
import capacity_pages
import command_pages
import completion_words
import esp_wiring
import link_pages
import nrf_wiring
import nucleo_wiring
import python_reference
import question_pages
import request_types
import requirement_pages
import schema_files
import schema_tables
import start_page
import stub
import sweep_pages
import validation_tables
import wiring
import write_up_pages

from airlag import analyze_many
from airlag.core import schemas
from airlag.core.display import to_json
from airlag.questions import thread
from airlag.questions.bench import Request, emulate
from airlag.questions.budget import Explanation, explain
from airlag.questions.demo import LESSONS, write_captures
from airlag.views.pages import packet as packet_picture
from airlag.views.pages.charts import charts_for
from airlag.views.pages.output import drawn_svg

#: Command-line arguments of the example packet.
PACKET = ("nrf24-2m", "--size", "128")

#: Example recording of a sniffer.
SNIFFED = ("ble-nimble-fixed-write", "--size", "100", "--set", "frame_loss=0.05")
SNIFFED += ("--sniff", "sniff.pcapng")

#: Example run for regulatory limits.
LAW = ("lora-sf7-250k", "--size", "12", "--set", "frequency=868.1MHz", "--region", "eu")

#: Example recommendation.
CHOICE = (
    *("nrf24-2m", "ieee802154-ack", "espnow", "espnow-woken"),
    *("ble-bluedroid-notify", "lora-sf7-250k", "sik-64k"),
    *("--size", "128", "--deadline", "16.6ms"),
)

#: Picture of tunnels under load.
TUNNELS = "tunnel-bench.svg"

#: Examples of tuning (one metric, two metrics) and of indices, with their pictures.
LOSSY = ("--set", "frame_loss=0.05", "--over", "retransmit_delay=250us..4ms")
TUNED = ("tune", "nrf24-2m", "--minimise", "p99", "--subject-to", "loss<0.2%", *LOSSY)
TUNED += ("--trials", "64")
FRONT = ("tune", "ble-nus-notify", "--minimise", "p99", "--maximise", "goodput")
FRONT += ("--over", "connection_interval=7.5ms..60ms")
FRONT += ("--count", "50", "--trials", "16", "-o", "tune-front.svg")
WEIGHED = ("indices", "nrf24-2m", "--over")
WEIGHED += ("retransmit_delay=250us..4ms,frame_loss=0..0.1,window=1..3,address_width=3..5",)
WEIGHED += ("--samples", "64", "--count", "200", "-o", "indices.svg")
SPACES = ("tune-front.svg", "indices.svg")

#: Example train.
TRAIN = ("thread-up", "--size", "79", "--traffic", "back-to-back")

#: Examples of battery life.
COIN = ("ble-nus-notify", "--size", "12", "--battery", "CR2032", "--rate", "1/min")
LASTING = (
    *("ble-nus-notify", "nrf24-2m", "espnow", "wifi-udp-default", "lora-sf7-250k"),
    *("--size", "12", "--deadline", "200ms", "--battery", "2xAA", "--battery-life", "1y"),
    *("--processor", "nrf54l15-cpu"),
)
#: Links in the chart of latency against charge.
CHARGED = (
    *("nrf24-2m", "nrf24-250k", "lora-sf7-250k", "sik-64k", "hc05-57600", "spp-esp32", "espnow"),
    *("ble-nus-notify", "ble-nimble-default-notify", "ieee802154-ack", "wifi-udp-tuned"),
    "wifi-udp-default",
)
ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(<!-- generated: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
#: Regulatory verdicts of all profiles, stored by a test.
VERDICTS = ROOT / "crates" / "study" / "tests" / "law.md"
#: Comparison with published measurements, stored by a test.
PUBLISHED = ROOT / "crates" / "study" / "tests" / "published.md"
#: Blocks that need the OpenThread nodes.
OF_NETWORKS = {"thread", "thread-up", "thread-script", "thread-seeds"}
#: Example script: a router fails.
SCRIPT = ROOT / "docs" / "router-dies.toml"

CAPTURED = re.compile(r"(<!-- measured -->\n).*?(<!-- end -->)", re.DOTALL)


def command(folder: Path, *words: str) -> str:
    """Output of a command with its prompt, 80 columns wide, without colour."""
    environment = os.environ | {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    binary = Path(sys.executable).with_name("airlag")
    run = subprocess.run(
        [binary, *words], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return f"```\n$ airlag {shlex.join(words)}\n{run.stdout.rstrip()}\n```\n"


def blocks(folder: Path) -> dict[str, str]:
    """All generated blocks by name."""
    first = LESSONS[0].captures[0]
    write_captures(folder)
    with tempfile.TemporaryDirectory() as elsewhere:
        demo = command(Path(elsewhere), "demo")
    table = demo.split("\n\n")[0] + "\n```\n"
    return {
        "demo-table": table,
        "analyze": command(folder, "analyze", first),
        "sniff": command(folder, "run", *SNIFFED) + command(folder, "analyze", SNIFFED[-1]),
        "law": command(folder, "run", *LAW),
        "law-table": VERDICTS.read_text(),
        "published": PUBLISHED.read_text(),
        "explain": command(folder, "explain", *PACKET),
        "advice": tail(command(folder, "explain", *PACKET), "→ best change"),
        "recommend": command(folder, "recommend", *CHOICE),
        "nrf24-answers": answers(folder),
        "goodput": command(folder, "goodput", *PACKET),
        "load": command(folder, "load", *PACKET),
        **{
            name: command(folder, "capacity", *words)
            for name, words in capacity_pages.TABLES.items()
        },
        "tune": command(folder, *TUNED),
        "tune-front": command(folder, *FRONT),
        "indices": command(folder, *WEIGHED),
        "trains": command(folder, "explain", *TRAIN),
        "sweep": sweep(folder),
        "tunnel-bench": command(folder, "tunnel", "bench", "--virtual", "--chart", TUNNELS),
        "rpc-bench": command(folder, "rpc", "bench"),
        "rpc-gains": command(folder, "rpc", "bench", "--gains", "--platform", "macos")
        + command(folder, "rpc", "bench", "--gains", "--platform", "nrf52"),
        "slices": slices(),
        "energy": command(folder, "run", *COIN),
        "energy-slices": command(folder, "explain", *COIN[:3]),
        "energy-recommend": command(folder, "recommend", *LASTING),
        "schemas": "".join(
            f"- [`airlag {name.replace('-', ' ')} --json`]({path})\n" for name, path in described()
        ),
        **start_page.blocks(lambda *words: command(folder, *words)),
        **validation_tables.blocks(),
        **networks(folder),
    }


#: Block that only ``--requirements`` writes.
REQUIREMENTS = "requirements"


def kept(block: re.Match[str]) -> str:
    """Returns a block unchanged if it cannot be generated here; exits for an unknown name."""
    if block[2] not in (*OF_NETWORKS, REQUIREMENTS):
        sys.exit(f"docs: unknown block {block[2]}")
    return block[0]


def networks(folder: Path) -> dict[str, str]:
    """Blocks that need ``make openthread``; empty if the nodes were not built."""
    if not (thread.folder() / "ot-node-ftd").exists():
        if os.environ.get("AIRLAG_PEERS") == "all":
            sys.exit(f"no nodes in {thread.folder()}; run make openthread")
        sys.stderr.write("docs: no OpenThread nodes, their pages stay unchanged\n")
        return {}
    chain = ("thread", "--topology", "chain", "--hops", "3", "--count", "50")
    saturated = ("--traffic", "saturated", "--count", "500")
    (folder / SCRIPT.name).write_text(SCRIPT.read_text())
    placed = (word for at in ("0,0", "80,0", "80,50", "160,0") for word in ("--place", at))
    return {
        "thread": command(folder, *chain),
        "thread-up": command(folder, "thread", "--boards", "thread-up", *saturated),
        "thread-script": command(folder, "thread", *placed, "--script", SCRIPT.name),
        "thread-seeds": command(folder, *chain, "--seeds", "5"),
    }


def described() -> Iterator[tuple[str, str]]:
    """JSON Schemas by title, with paths relative to ``docs``."""
    return ((name, f"schemas/{name}.schema.json") for name in schemas.names())


def describe(check: bool) -> list[Path]:
    """Rewrites schemas, references, types and completions, or reports which are outdated."""
    folder = ROOT / "docs" / "schemas"
    made = {folder / name: to_json(schema) + "\n" for name, schema in schema_files.files()}
    made[answer_types.FILE] = answer_types.types()
    made[answer_types.RECORDS_FILE] = answer_types.records()
    made[request_types.FILE] = request_types.requests()
    made[stub.FILE] = stub.stub()
    made[stub.PACKAGE] = stub.package()
    made[completion_words.FILE] = completion_words.made()
    made[schema_tables.FILE] = schema_tables.reference()
    made[command_pages.FILE] = command_pages.reference()
    made[python_reference.FILE] = python_reference.reference()
    stale = [file for file, text in made.items() if not file.exists() or file.read_text() != text]
    for file in () if check else stale:
        file.parent.mkdir(exist_ok=True)
        file.write_text(made[file])
    return stale


def sweep(folder: Path) -> str:
    """Output of the example sweep."""
    page = (ROOT / "docs" / "sweeps.md").read_text()
    (folder / "intervals.toml").write_text(page.partition("```toml\n")[2].partition("```")[0])
    return command(folder, "sweep", "intervals.toml")


def answers(folder: Path) -> str:
    """Comparison of both reply modes of an nRF24, with and without losses: tables only."""
    common = ("--traffic", "echo", "--set", "reply=turn,ack-payload", "--set", "payload=dynamic")
    common += ("--set", "flush_after_read=false", "--set", "retransmit_count=15")
    asked = (
        ("nrf24-2m", "12,32,128,512", "500us", "0"),
        ("nrf24-250k", "12,32,128", "1500us", "0"),
        ("nrf24-2m", "12,32,128,512", "500us", "0.05"),
    )
    sections = []
    for link, sizes, delay, loss in asked:
        words = ("run", link, "--size", sizes, *common, "--set", f"retransmit_delay={delay}")
        words += ("--set", f"frame_loss={loss}") if loss != "0" else ()
        first, _, rest = command(folder, *words).partition("\n$ ")[2].partition("\n")
        table = rest[rest.index("Side by side") :]
        sections.append(f"```\n$ {first}\n…\n{table}")
    return "\n".join(sections)


def tail(block: str, start: str) -> str:
    """Prompt of a command's output, and its lines from ``start`` on."""
    lines = block.splitlines(keepends=True)
    first = next(nth for nth, line in enumerate(lines) if line.startswith(start))
    return "".join([*lines[:2], *lines[first:]])


def packet() -> Explanation:
    """Explanation of the example packet."""
    return explain(Request("nrf24-2m", 128))


def slices() -> str:
    """Table of the slices of the median transfer, from trigger to strobe."""
    budget = packet().budget
    assert budget is not None
    rows, at = ["| start, us | duration, us | slice | class |", "|---:|---:|---|---|"], 0
    for part in budget.median.parts:
        rows.append(f"| {at / 1e3:.3f} | {part.ns / 1e3:.3f} | {part.name} | {part.kind} |")
        at += part.ns
    rows.append(f"| {at / 1e3:.3f} | | strobe | |")
    return "\n".join(rows) + "\n"


def picture(folder: Path) -> str:
    """SVG of latency along the demo runs, with losses as separate marks."""
    names = [LESSONS[0].captures[0], *LESSONS[2].captures]
    runs = analyze_many(folder / name for name in names)
    drawn = next(each for each in charts_for(runs) if each.name == "time")
    return drawn_svg(drawn.spec)


def charges() -> str:
    """SVG of latency against charge per message."""
    runs = [emulate(Request(link, 12, count=300)) for link in CHARGED]
    drawn = next(each for each in charts_for(runs) if each.name == "charge")
    return drawn_svg(drawn.spec)


def hold_against_captures() -> int:
    """Rewrites the comparisons with captures in the link pages, and the page of write-ups."""
    folder = os.environ.get("AIRLAG_CAPTURES", "")
    if not Path(folder).is_dir():
        sys.stderr.write("AIRLAG_CAPTURES is not set to a folder\n")
        return 1
    for kind in link_pages.PAGES:
        page = ROOT / "docs" / "links" / f"{kind}.md"
        made = link_pages.captured(kind, Path(folder))
        page.write_text(CAPTURED.sub(lambda m, made=made: m[1] + made + m[2], page.read_text()))
    page = ROOT / "docs" / "write-ups.md"
    made = write_up_pages.captured(Path(folder))
    page.write_text(CAPTURED.sub(lambda m: m[1] + made + m[2], page.read_text()))
    return 0


def recommend_for_requirements() -> int:
    """Rewrites the table of requirements, which takes minutes."""
    made = requirement_pages.table()
    page = ROOT / "docs" / "choosing.md"
    replaced = BLOCK.sub(
        lambda m: m[1] + made + m[3] if m[2] == REQUIREMENTS else m[0], page.read_text()
    )
    page.write_text(replaced)
    return 0


def main() -> int:
    """Rewrites or checks; returns the number of outdated pages."""
    if "--requirements" in sys.argv[1:]:
        return recommend_for_requirements()
    if "--captures" in sys.argv[1:]:
        return hold_against_captures()
    check = "--check" in sys.argv[1:]
    # The commands below read these types.
    stale = describe(check)
    links = list(link_pages.pages())
    with tempfile.TemporaryDirectory() as name:
        made = blocks(Path(name)) | link_pages.blocks(links)
        drawn = picture(Path(name))
        tunnels = (Path(name) / TUNNELS).read_text()
        spaces = {file: (Path(name) / file).read_text() for file in SPACES}
    asked = list(question_pages.pages())
    made |= question_pages.blocks(asked)
    stale += question_pages.write(asked, ROOT / "docs" / "questions", check=check)
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = page.read_text()
        fresh = BLOCK.sub(lambda m: m[1] + made[m[2]] + m[3] if m[2] in made else kept(m), text)
        if fresh != text:
            stale.append(page)
            if not check:
                page.write_text(fresh)
    # Text is measured alike everywhere, but a picture may differ in its last digits.
    if not check:
        pictures = ROOT / "docs" / "pictures"
        (pictures / "three-mistakes.svg").write_text(drawn)
        (pictures / TUNNELS).write_text(tunnels)
        (pictures / "charge.svg").write_text(charges())
        for name, svg in capacity_pages.pictures().items():
            (pictures / name).write_text(svg)
        (pictures / "write-ups.svg").write_text(write_up_pages.picture())
        (pictures / "pico-wiring.svg").write_text(wiring.svg())
        for kind in nucleo_wiring.PEERS:
            (pictures / f"nucleo-{kind}.svg").write_text(nucleo_wiring.svg(kind))
        for board in nrf_wiring.BOARDS:
            (pictures / f"nrf52840-{board}.svg").write_text(nrf_wiring.svg(board))
        (pictures / "esp32c6-devkitc-1.svg").write_text(esp_wiring.svg())
        for file, space in spaces.items():
            (pictures / file).write_text(space)
        (pictures / "one-packet.svg").write_text(packet_picture.svg(packet()))
        call = explain(Request("rpc-macos", 5, traffic="rpc-echo"))
        (pictures / "one-call.svg").write_text(packet_picture.svg(call))
        for name, text in sweep_pages.pictures():
            (pictures / name).write_text(text)
        for page in links:
            drawn = packet_picture.svg(page.taken_apart)
            (pictures / f"link-{page.kind}.svg").write_text(drawn)
        for each in asked:
            each.draw(pictures)
    for page in stale:
        verb = "is out of date; run make docs" if check else "rewritten"
        sys.stdout.write(f"{page.relative_to(ROOT)} {verb}\n")
    return len(stale) if check else 0


if __name__ == "__main__":
    sys.exit(main())
