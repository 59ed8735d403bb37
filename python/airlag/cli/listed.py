"""Which subcommands there are, and the first sentence of the help of each. It imports nothing."""

#: In the order of the list.
SUMMARIES = {
    "links": "List the link profiles, or show one: every constant, its unit and its source.",
    "run": "Run links on the virtual bench: same seed, same numbers, on every machine.",
    "explain": "Say where the time goes, slice by slice, and which change is worth how much.",
    "goodput": "Say what links carry when they never wait, beside what their formulas allow.",
    "load": "Offer links more and more, and tell what becomes of latency, queue and loss.",
    "recommend": (
        "Choose a link: each against deadline, delivery, law, battery life and peak current."
    ),
    "tune": "Find the best setting of a link for an objective, all knobs together.",
    "indices": (
        "Estimate the share of the variance that each parameter makes, over a whole space of "
        "settings."
    ),
    "thread": "Form a Thread network of OpenThread's own nodes, and send messages through it.",
    "campaign": "Run a campaign on the virtual bench, print its table and write its reports.",
    "sweep": (
        "Run a space of settings, on all cores or on a Dask cluster, into a dataset of Parquet "
        "files."
    ),
    "emulate": "Carry programs' packets over a link in real time: UDP, TCP, serial, or interfaces.",
    "probe": "Measure round trips, one-way delays and losses of a live endpoint.",
    "reflect": "Answer the probes that come to an address or a serial device, until Ctrl-C.",
    "record": (
        "Record an instrument into a run: a logic analyser, or a board that stamps edges itself."
    ),
    "analyze": (
        "Say what is in captures: what arrived, how long it took, what is odd and what to do."
    ),
    "channels": (
        "List the channels of captures: edges, rate and level of each, as --trigger takes them."
    ),
    "match": "Hold a capture against the virtual bench, or say which link explains it best.",
    "compare": "Say whether runs can be compared at all, and what differs.",
    "report": "Draw runs as a page, which needs no network, or as a picture.",
    "convert": "Write a capture in another format; every edge keeps its nanosecond.",
    "demo": "Make three small captures, and read them as scripts do and as airlag does.",
    "schema": "Describe what a command prints with --json, as a JSON Schema (2020-12).",
    "tunnel": "IP packets over a packet radio, between this computer and another.",
    "rpc": "Calls over a link: whether they work, and how fast they are.",
}
#: Those that have subcommands of their own.
GROUPS = ("tunnel", "rpc")
