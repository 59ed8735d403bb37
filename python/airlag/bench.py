"""Runs on the virtual bench: a link profile, a size and a stimulus in, a :class:`~airlag.Run` out.

From here on nothing tells such a run from a capture: the same pairing, statistics and findings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any, cast, get_args

from airlag import _airlag
from airlag._airlag import LinkError, Trace, Transfers
from airlag.analysis import run_of_transfers
from airlag.asked import plain
from airlag.charge import NOTHING, Supply, fed
from airlag.json_types.run import BenchFacts, Call, Overhead, Phase, Traffic, Way
from airlag.pairing import Pairing
from airlag.side_by_side import side_by_side

if TYPE_CHECKING:
    from airlag.answers import Apart
    from airlag.json_types.charge import Charge
    from airlag.json_types.law import Region
    from airlag.runs import Run

#: What a trigger can be to whatever ticks on the boards; the first is the default.
PHASES: tuple[Phase, ...] = get_args(Phase)
#: Calls that a link can carry.
CALLS: tuple[Call, ...] = get_args(Call)
#: How much the calls carry of which benchmarks were published: bytes, or items.
CALL_SIZES: Mapping[str, int] = {
    "rpc-echo": 5,
    "rpc-read": 8192,
    "rpc-write": 200,
    "rpc-stream": 20,
    "rpc-upload": 20,
}
#: What is sent at a trigger; the first is the default.
TRAFFIC: tuple[Traffic, ...] = ("trigger", "echo", "both", *CALLS)
#: The two runs of traffic both ways, in their order.
WAYS: tuple[Way, ...] = get_args(Way)
#: Longest run, ns: 73 years, a quarter of what 64-bit nanoseconds hold.
_LONGEST_NS = 2**61
#: Letters of a file name before it is cut: file systems hold 255 bytes.
_LONGEST_NAME = 180


@dataclass(frozen=True, slots=True)
class Request:
    """What to run.

    Attributes
    ----------
    link
        Name of a link profile.
    size
        Payload, bytes; ``None`` where the link has no message.
    count
        Triggers.
    period_ns
        From trigger to trigger, ns; ``None``: what the latency comparison used where the link is
        quick enough for it, else the next of 500 ms, 1 s, 2 s, 5 s … that is.
    phase
        ``frozen``: exactly one period from trigger to trigger. ``uniform``: each comes up to half a
        period late, so that it meets whatever ticks on the boards at any phase.
    seed
        Root of every random number.
    settings
        Parameters of the profile to change, as text.
    traffic
        ``trigger``: a message that the other board strobes for. ``echo``: one that comes back, and
        a latency is that of the round trip. ``both``: as the first, and the other board sends too,
        at triggers of its own: two runs. One of :data:`CALLS`: a call of ``size`` bytes or items,
        and a latency is that until its answer is there.
    places
        At how many places radios that stand apart are run; ``None``: 20 where places differ.
    findings
        Whether to look at the run for findings.
    """

    link: str
    size: int | None
    count: int = 1000
    period_ns: int | None = None
    phase: Phase = "uniform"
    seed: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)
    traffic: Traffic = "trigger"
    places: int | None = None
    findings: bool = True


def differing(link: str, settings: Mapping[str, str]) -> dict[str, str]:
    """The settings that differ from the profile's, each value in the parameter's unit.

    Raises
    ------
    LinkError
        With one line, when there is no such link or parameter, or it cannot be set so.
    """
    if not settings:
        return {}
    own = _airlag.link(link)["parameters"]
    asked = _airlag.link(link, dict(settings))["parameters"]
    return {
        name: plain(asked[name]["value"])
        for name in sorted(settings)
        if name not in own or asked[name]["value"] != own[name]["value"]
    }


def file_name(request: Request, way: str | None = None) -> str:
    """What a folder calls a saved run: its link, its payload, and all that is not as by default.

    ``way`` is which of :data:`WAYS` it is of traffic both ways.

    ``uart-115200-12B.parquet``, ``lora-sf7-250k-12B-count=50-seed=2-rate=250.parquet``. No two
    requests that make different runs share a name.
    """
    usual = Request(request.link, request.size)
    told = {
        "count": (request.count, usual.count),
        "period": (request.period_ns, usual.period_ns),
        "phase": (request.phase, usual.phase),
        "seed": (request.seed, usual.seed),
        "traffic": (request.traffic, usual.traffic),
        "way": (way, None),
        "places": (request.places, usual.places),
    }
    words = [request.link] + ([] if request.size is None else [f"{request.size}B"])
    words += [f"{name}={value}" for name, (value, default) in told.items() if value != default]
    words += [f"{name}={value}" for name, value in sorted(request.settings.items())]
    name = "-".join(words).replace("/", "_")
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{sha256(name.encode()).hexdigest()[:16]}"
    return f"{name}.parquet"


def command(link: str, size: int | None) -> list[str]:
    """The words of a command line that runs a link."""
    return ["airlag", "run", link] + ([] if size is None else ["--size", str(size)])


def emulate(request: Request) -> Run:
    """Runs one link at one size, with traffic that makes one run.

    ``Run.config`` notes the stimulus, and as ``service_ns`` the longest latency of a few messages
    sent one at a time, ns; ``None`` when none of them arrived.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    if request.traffic == "both":
        raise LinkError(f"{request.link}: traffic both ways makes two runs; call emulate_ways")
    (run,) = emulate_ways(request)
    return run


def emulate_ways(request: Request) -> tuple[Run, ...]:
    """As :func:`emulate`, with any traffic: one run, or two in the order of :data:`WAYS`.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    plan = plan_of(request)
    traffic = request.traffic
    paired, _, incidents, apart, law, charge = _airlag.run_link(
        *plan.arguments, traffic=traffic, places=request.places
    )
    if traffic != "both":
        ((transfers, trace),) = paired
        run = run_of(plan, transfers, trace, incidents, apart=apart, charge=charge)
        return (replace(run, law=law),)
    return tuple(
        replace(run_of(plan, transfers, trace, incidents, way, apart, charge), law=law)
        for way, (transfers, trace) in zip(WAYS, paired, strict=True)
    )


@dataclass(frozen=True, slots=True)
class Frames:
    """What a sniffer heard during a run.

    Attributes
    ----------
    pcapng
        The frames as a capture file; its instant 0 is that of the run.
    count
        Frames in it.
    left_out
        Frames that are not, by family of radio: there is no way to write them down.
    over_limit
        Frames that came after the first gibibyte, and are not in it either.
    """

    pcapng: bytes
    count: int
    left_out: Mapping[str, int]
    over_limit: int


def sniff(request: Request) -> tuple[Run, Frames]:
    """Runs one link at one size, as :func:`emulate` does, with a sniffer on the air.

    Raises
    ------
    LinkError
        As :func:`emulate`, and for a link that goes over a wire.
    """
    plan = plan_of(request)
    paired, trace, file, counts = _airlag.sniff_link(*plan.arguments)
    frames = Frames(file, counts["frames"], counts["left_out"], counts["over_limit"])
    apart, charge = counts["apart"], counts["charge"]
    return run_of(plan, paired, trace, counts["incidents"], apart=apart, charge=charge), frames


@dataclass(frozen=True, slots=True)
class Plan:
    """A request with its period settled.

    Attributes
    ----------
    request
        What was asked for; ``period_ns`` is set.
    service_ns
        The longest latency of a few messages sent one at a time, ns; ``None`` when none arrived.
    """

    request: Request
    service_ns: int | None

    @property
    def arguments(self) -> tuple[str, int | None, int, int, Phase, int, dict[str, str]]:
        """What the compiled half takes: link, size, count, period, phase, seed, settings."""
        asked = self.request
        assert asked.period_ns is not None
        settings = dict(asked.settings)
        return (
            asked.link,
            asked.size,
            asked.count,
            asked.period_ns,
            asked.phase,
            asked.seed,
            settings,
        )


def plan_of(request: Request) -> Plan:
    """Learns how long a message takes, and chooses the period where none is asked for.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    settings = differing(request.link, request.settings)
    service_ns = _airlag.service_ns(
        request.link, request.size, request.seed, settings, request.traffic
    )
    period_ns = request.period_ns
    if period_ns is None:
        period_ns = _airlag.unhurried_period_ns(service_ns)
    if request.count * period_ns > _LONGEST_NS:
        raise LinkError(
            f"{request.link}: {request.count} triggers every {period_ns / 10**9:g} s last longer "
            "than 73 years; choose fewer, or a shorter period"
        )
    return Plan(replace(request, period_ns=period_ns, settings=settings), service_ns)


def run_of(
    plan: Plan,
    paired: Transfers,
    trace: Trace,
    incidents: Mapping[str, int] | None = None,
    way: str | None = None,
    apart: Apart | None = None,
    charge: Charge | None = None,
) -> Run:
    """The run that came of a plan.

    ``way`` is which of :data:`WAYS` where it makes two, ``apart`` how radios stand that are not
    beside each other, ``charge`` what it cost.
    """
    request = plan.request
    config: dict[str, Any] = Pairing().to_config() | {
        "count": request.count,
        "period_ns": request.period_ns,
        "phase": request.phase,
        "settings": dict(request.settings),
        "service_ns": plan.service_ns,
        "incidents": dict(incidents or {}),
    }
    if request.traffic != "trigger":
        config["traffic"] = request.traffic
    if way is not None:
        config["way"] = way
    if apart is not None:
        config["apart"] = apart
    if charge is not None:
        config["charge"] = charge
    run = run_of_transfers(
        request.link, paired, config, request.link, request.size, look=request.findings
    )
    return replace(run, seed=request.seed, trace=trace)


def emulate_each(requests: Sequence[Request]) -> Iterator[tuple[Run, ...] | LinkError]:
    """Runs side by side; yields, in the order given, those of a request or why there are none."""

    def one(request: Request) -> tuple[Run, ...] | LinkError:
        try:
            return emulate_ways(request)
        except LinkError as error:
            return error

    return side_by_side(one, requests)


def incidents(run: Run) -> dict[str, int]:
    """What happened during a virtual run that has a name of its own, and how often.

    ``supervision timeout``, ``queue full``, ``receive buffer overflow`` …: results of the link, not
    errors.
    """
    happened: dict[str, int] = run.config.get("incidents", {})
    return happened


def wire_ns(run: Run) -> int | None:
    """What the bits of a message take on the wire, ns; ``None`` where they go through the air.

    Twice that for a message that comes back. At the rate the divider of the port gives, which is
    the floor of such a link: the rest of a latency is what hardware and software add to it.
    """
    assert run.link is not None
    if _airlag.link(run.link)["medium"] != "wire":
        return None
    ns = _airlag.link_floor(run.link, run.size, run.config["settings"])["ns"]
    match run.config.get("traffic"):
        case "echo":
            return 2 * ns
        case str(call) if call in CALLS:
            return None
    return ns


def overhead_ns(run: Run) -> Overhead | None:
    """Quantiles of the latency less the time on the wire, ns.

    ``None`` where there is no wire, or nothing arrived.
    """
    on_wire = wire_ns(run)
    if on_wire is None or run.latency is None:
        return None
    moved = ("min", "max", "mean")
    latency: Mapping[str, Any] = run.latency
    told = {
        name: value - on_wire
        for name, value in latency.items()
        if name in moved or name[1:2].isdigit()
    }
    return cast(Overhead, told)


def ruled(run: Run, request: Request, region: Region) -> Run:
    """The run with what ``region`` says of it, where that is not known yet: the bench runs again.

    Raises
    ------
    LinkError
        As :func:`emulate`.
    """
    if run.law:
        return run
    plan = Plan(request, None)
    told = _airlag.law_link(region, *plan.arguments, traffic=request.traffic)
    return run if told is None else replace(run, law={region: told})


def facts(run: Run, region: Region | None = None, supply: Supply = NOTHING) -> BenchFacts:
    """What is known of a virtual run besides what is known of any, for JSON."""
    told: BenchFacts = {
        "incidents": incidents(run),
        "wire_ns": wire_ns(run),
        "overhead_ns": overhead_ns(run),
        "charge": run.charge,
    }
    if region is not None:
        told["law"] = run.law.get(region)
    if (asked := fed(run.charge, supply)) is not None:
        told["fed"] = asked
    return told
