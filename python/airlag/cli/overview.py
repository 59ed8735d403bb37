"""``airlag --help``: what there is, at once. What draws the help of a command loads slowly."""

import os
import shutil
import sys
import textwrap

#: How ``airlag`` is asked for it.
ASKED: tuple[list[str], ...] = ([], ["-h"], ["--help"])
#: What it is told besides a command.
OPTIONS = {
    "--version": "Print the version.",
    "--install-completion": "Install completion for the current shell.",
    "--show-completion": "Print what completes commands, for a shell that is set up by hand.",
    "-h, --help": "Print this, or after a command its options.",
}
#: Longest and shortest line, columns.
LONGEST, SHORTEST = 100, 40
#: Columns between a name and what it is.
GAP = 2


def overview() -> str:
    """The whole text, as wide as the terminal."""
    # COLUMNS goes first, as everywhere.
    columns = shutil.get_terminal_size().columns
    width = max(SHORTEST, min(columns, LONGEST)) - 1
    parts = [
        "Usage: airlag COMMAND [OPTIONS] …",
        "",
        *textwrap.wrap(
            "How long a packet takes over a wireless link, how many arrive, and why.", width
        ),
        *_listed("Commands", SUMMARIES, width),
        *_listed("Options", OPTIONS, width),
        "",
        *textwrap.wrap("airlag COMMAND --help tells more of a command.", width),
    ]
    return "\n".join(parts) + "\n"


def _listed(title: str, entries: dict[str, str], width: int) -> list[str]:
    """A title, and an entry a line."""
    # Where names would leave no room, each stands above what it is.
    hanging = GAP + max(map(len, entries)) + GAP
    beside = width - hanging >= SHORTEST - GAP
    lines = ["", _bold(f"{title}:")]
    for name, told in entries.items():
        if beside:
            first, *rest = textwrap.wrap(told, width - hanging)
            lines.append(f"{' ' * GAP}{name:<{hanging - GAP}}{first}")
            lines += [" " * hanging + line for line in rest]
        else:
            lines.append(" " * GAP + name)
            lines += textwrap.wrap(
                told, width, initial_indent=" " * 2 * GAP, subsequent_indent=" " * 2 * GAP
            )
    return lines


def _bold(text: str) -> str:
    plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return text if plain or not sys.stdout.isatty() else f"\x1b[1m{text}\x1b[0m"


#: In the order of the list.
SUMMARIES = {
    "links": "List the link profiles, or show one: every constant, its unit and its source.",
    "run": "Run links on the virtual bench: same seed, same numbers, on every machine.",
    "explain": "Show where the time goes, slice by slice, and the measured gain of each change.",
    "goodput": "Measure the saturated goodput of links, beside their theoretical ceiling.",
    "load": "Measure latency, queueing and loss of links under growing load.",
    "recommend": (
        "Choose a link by deadline, delivery, regulation, battery life and peak current."
    ),
    "tune": "Find the best setting of a link for an objective, all parameters together.",
    "indices": (
        "Estimate the share of the variance that each parameter explains, over a space of settings."
    ),
    "thread": "Form a Thread network of OpenThread's own nodes, and send messages through it.",
    "campaign": "Run a campaign on the virtual bench, print its table and write its reports.",
    "sweep": (
        "Run a space of settings, on all cores or on a Dask cluster, into a dataset of Parquet "
        "files."
    ),
    "emulate": "Carry packets of programs over a link in real time: UDP, TCP, serial, interfaces.",
    "probe": "Measure round trips, one-way delays and losses of a live endpoint.",
    "reflect": "Answer the probes that come to an address or a serial device, until Ctrl-C.",
    "record": (
        "Record an instrument into a run: a logic analyser, or a board that stamps edges itself."
    ),
    "analyze": ("Report what captures contain: delivery, latency, findings and advice."),
    "channels": (
        "List the channels of captures: edges, rate and level of each, as --trigger takes them."
    ),
    "match": "Compare a capture with the virtual bench, or find the link that explains it best.",
    "compare": "Compare runs, and state first whether they are comparable.",
    "report": "Draw runs as a self-contained page or as a picture.",
    "convert": "Write a capture in another format; every edge keeps its nanosecond.",
    "demo": "Generate three small captures, and compare a script's result with airlag's.",
    "schema": "Describe what a command prints with --json, as a JSON Schema (2020-12).",
    "tunnel": "IP packets over a packet radio, between this computer and another.",
    "rpc": "Remote procedure calls over a link: functional tests and benchmarks.",
}
#: Those that have subcommands of their own.
GROUPS = ("tunnel", "rpc")
