"""Runs on the virtual bench: profile, size and stimulus in, :class:`~airlag.Run` out.

Virtual runs and captures share pairing, statistics and findings.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, get_args

from airlag._airlag import LinkError
from airlag._airlag import differing as differing
from airlag.core.answered import loads, reply_to
from airlag.core.arguments import one_of
from airlag.core.pairing import Pairing
from airlag.core.parallel import side_by_side
from airlag.core.requests import Request as Request
from airlag.core.types import Call, Phase, Traffic, Way
from airlag.questions import matched
from airlag.questions.analysis import run_of_arrays

if TYPE_CHECKING:
    from airlag._airlag import Reply
    from airlag.questions.runs import Run

#: Phases of triggers relative to the boards' clocks; the first is the default.
RUN_PHASES: tuple[Phase, ...] = get_args(Phase)
#: Phases for sweeps and campaigns: all that have no offset.
PHASES: tuple[Phase, ...] = ("uniform", "frozen")
#: Calls that a link can carry.
CALLS: tuple[Call, ...] = get_args(Call)
#: Default size of each call with published figures, bytes or items.
CALL_SIZES: Mapping[str, int] = {
    "rpc-echo": 5,
    "rpc-read": 8192,
    "rpc-write": 200,
    "rpc-stream": 20,
    "rpc-upload": 20,
}
#: Traffic kinds; the first is the default.
TRAFFIC: tuple[Traffic, ...] = get_args(Traffic)
#: Directions of bidirectional traffic, in run order.
WAYS: tuple[Way, ...] = get_args(Way)
#: Length above which a file name is shortened; file systems allow 255 bytes.
_LONGEST_NAME = 180


def file_name(request: Request, way: str | None = None) -> str:
    """Returns the file name of a saved run: link, payload and the options that are not the default.

    For bidirectional traffic, ``way`` is the direction of the run, one of :data:`WAYS`.

    Examples: ``uart-115200-12B.parquet``, ``lora-sf7-250k-12B-count=50-seed=2-rate=250.parquet``.
    Different requests have different names.
    """
    usual = Request(request.link, request.size)
    options = {
        "count": (request.count, usual.count),
        "period": (request.period_ns, usual.period_ns),
        "phase": (request.phase, usual.phase),
        "offset": (request.offset_ns, usual.offset_ns),
        "seed": (request.seed, usual.seed),
        "traffic": (request.traffic, usual.traffic),
        "way": (way, None),
        "places": (request.places, usual.places),
    }
    words = [request.link] + ([] if request.size is None else [f"{request.size}B"])
    words += [f"{name}={value}" for name, (value, default) in options.items() if value != default]
    words += [f"{name}={value}" for name, value in sorted(request.settings.items())]
    name = "-".join(words).replace("/", "_")
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{sha256(name.encode()).hexdigest()[:16]}"
    return f"{name}.parquet"


def repeated(link: str, size: int | None, seed: int, config: Mapping[str, Any]) -> Request:
    """Returns the request that reproduces a run from its saved ``config``.

    Raises :class:`LinkError` if the run replayed the triggers of a capture.
    """
    noted = ("count", "period_ns", "offset_ns", "settings", "traffic")
    options = {key: config[key] for key in noted if key in config}
    phase = one_of(config["phase"], "phase", RUN_PHASES)
    return Request(link, size, seed=seed, phase=phase, **options)


def command(link: str, size: int | None) -> list[str]:
    """Returns a command line that runs a link."""
    return ["airlag", "run", link] + ([] if size is None else ["--size", str(size)])


def emulate(request: Request) -> Run:
    """Runs one link with one payload size; only for traffic in one direction.

    ``Run.config`` contains the stimulus and ``service_ns``, the maximum latency of a few isolated
    messages, ns. ``service_ns`` is ``None`` if none of these messages was delivered.

    Raises :class:`LinkError` for a request that cannot be run.
    """
    if request.traffic == "both":
        raise LinkError(f"{request.link}: bidirectional traffic makes two runs; call emulate_ways")
    (run,) = emulate_ways(request)
    return run


def emulate_ways(request: Request) -> tuple[Run, ...]:
    """Runs any traffic; bidirectional traffic gives two runs, in the order of :data:`WAYS`.

    Raises :class:`LinkError`, as :func:`emulate` does.
    """
    return _runs(request, reply_to("run", **request.to_json()))


def _runs(request: Request, reply: Reply) -> tuple[Run, ...]:
    return tuple(run_of(request, answer, reply, nth) for nth, answer in enumerate(loads(reply)))


@dataclass(frozen=True, slots=True)
class Frames:
    """Frames recorded by a sniffer during a run."""

    #: Capture file of the frames; its time 0 is that of the run.
    pcapng: bytes
    #: Frames in the file.
    count: int
    #: Number of frames omitted because pcapng has no link type for their radio family, by family.
    left_out: Mapping[str, int]
    #: Frames omitted because they exceed the first gibibyte.
    over_limit: int


def sniff(request: Request) -> tuple[Run, Frames]:
    """Runs one link at one size with a sniffer in range; see :func:`emulate`.

    Raises :class:`LinkError`, also for a wired link.
    """
    reply = reply_to("run", **request.to_json(), sniff=True)
    heard = reply.frames[0]
    assert heard is not None
    pcapng, count, left_out, over_limit = heard
    (run,) = _runs(request, reply)
    return run, Frames(pcapng, count, dict(left_out), over_limit)


def run_of(request: Request, answer: Mapping[str, Any], reply: Reply, nth: int = 0) -> Run:
    """Builds the run of an answer from the ``nth`` set of arrays of its reply."""
    transfers = reply.transfers[nth]
    assert transfers is not None
    config: dict[str, Any] = Pairing().to_config() | {
        "count": request.count,
        **answer["stimulus"],
        "settings": answer["settings"],
        "causes": answer["causes"],
        "incidents": answer["incidents"],
    }
    config |= {key: answer[key] for key in ("traffic", "way") if key in answer}
    if (apart := answer.get("apart")) is not None:
        stand = {key: apart[key] for key in apart if key not in ("delivered", "places")}
        config["apart"] = stand | {"places_ns": transfers.places_ns}
    if answer["charge"] is not None:
        config["charge"] = answer["charge"]
    if (kept := matched.beside_edges(transfers, reply.traces[nth])) is not None:
        config[matched.KEY] = kept
    return replace(
        run_of_arrays(answer, transfers, config),
        trace=reply.traces[nth],
        law={each["region"]: each for each in json.loads(reply.law[nth])},
    )


def emulate_each(requests: Sequence[Request]) -> Iterator[tuple[Run, ...] | LinkError]:
    """Runs requests in parallel; yields a run or an error for each, in the order given."""
    return side_by_side(emulate_ways, requests, LinkError)
