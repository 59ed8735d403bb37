"""What IP tunnels make of a bulk that offers more and more, and of a sparse flow beside it.

>>> from airlag.under_load import Task, virtual
>>> [point["sparse_latency_ns"]["p95"] for point in virtual(Task(offered_kbps=[100, 1000]))]

In virtual time here; on real sockets in :mod:`airlag.real_load`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from airlag import _airlag, store
from airlag._airlag import __version__
from airlag.atomic import replacing
from airlag.display import to_json
from airlag.json_types.tunnel_bench import RealLoad, Tunnel, VirtualLoad
from airlag.metadata import FORMAT

#: The tunnels, and their link profiles.
LINKS: Mapping[Tunnel, str] = {"tunnel": "tunnel", "naive": "tunnel-naive"}
TUNNELS: tuple[Tunnel, ...] = get_args(Tunnel)
#: Endings of files that keep loads.
KEPT = (".json", ".parquet")


@dataclass(frozen=True, slots=True)
class Task:
    """What is offered to which tunnels.

    Attributes
    ----------
    tunnels
        Which of them.
    rates_kbps
        Rates of the radio, kbit/s; none: as the profiles have it.
    frame_losses
        Shares of frames lost on the air; none: as the profiles have it.
    offered_kbps
        User data of the bulk, kbit/s; none: eleven from 0.1 to 10 times what each tunnel carries.
    window_ns
        For how long, ns.
    settings
        Constants of the profiles to change, as text.
    seed
        Root of every random number.
    """

    tunnels: Sequence[Tunnel] = TUNNELS
    rates_kbps: Sequence[int] = ()
    frame_losses: Sequence[float] = ()
    offered_kbps: Sequence[float] = ()
    window_ns: int = 10_000_000_000
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1

    def each(self) -> Iterator[tuple[Tunnel, dict[str, str]]]:
        """Every tunnel with its settings, in the order asked for."""
        for rate in self.rates_kbps or (None,):
            for loss in self.frame_losses or (None,):
                for tunnel in self.tunnels:
                    settings = dict(self.settings)
                    settings |= {} if rate is None else {"rate": str(rate)}
                    settings |= {} if loss is None else {"frame_loss": f"{loss:.12g}"}
                    yield tunnel, settings


def virtual(task: Task, done: Callable[[int], None] | None = None) -> list[VirtualLoad]:
    """Offer every load in virtual time.

    Parameters
    ----------
    task
        What to offer to which tunnels.
    done
        Called after each load with how many there are.

    Returns
    -------
    list
        One object a load, as ``--json`` has it: the tunnels in the order asked for, the loads of
        each ascending.

    Raises
    ------
    LinkError
        With one line that says what cannot be run, and what could.
    """
    tunnels = list(task.each())
    answers = _airlag.load_tunnels(
        [(LINKS[tunnel], settings) for tunnel, settings in tunnels],
        offered_kbps=list(task.offered_kbps),
        window_ns=task.window_ns,
        seed=task.seed,
        done=done,
    )
    return [
        {
            "clock": "virtual",
            "profile": tunnel,
            "rate_kbps": answer["rate_kbps"],
            "frame_loss": answer["frame_loss"],
            "settings": settings,
            "seed": task.seed,
            "packet": answer["packet"],
            "window_ns": task.window_ns,
            "limit_kbps": answer["limit_kbps"],
            "ceiling_kbps": answer["ceiling_kbps"],
            "offered_kbps": point["offered_kbps"],
            "goodput_kbps": point["goodput_kbps"],
            "offered": point["bulk"]["offered"],
            "lost": point["bulk"]["lost"],
            "bulk_latency_ns": point["bulk"]["latency_ns"],
            "sparse_offered": point["sparse"]["offered"],
            "sparse_lost": point["sparse"]["lost"],
            "sparse_latency_ns": point["sparse"]["latency_ns"],
            "completion_excess_ns": point["completion_excess_ns"],
        }
        for (tunnel, settings), answer in zip(tunnels, answers, strict=True)
        for point in answer["points"]
    ]


def constants(tunnel: Tunnel, settings: Mapping[str, str]) -> dict[str, float]:
    """What a tunnel has as ``rate`` of its radio, kbit/s, ``frame_loss``, and ``mtu``, bytes.

    Raises
    ------
    LinkError
        With one line, for a setting that it does not have.
    """
    parameters = _airlag.link(LINKS[tunnel], dict(settings))["parameters"]
    return {name: float(parameters[name]["value"]) for name in ("rate", "frame_loss", "mtu")}


def told(load: VirtualLoad | RealLoad) -> str:
    """A tunnel with what was set of it, in words: loads of one curve have the same."""
    words: list[str] = [load["profile"]]
    if load["rate_kbps"] is not None:
        words.append(f"{load['rate_kbps'] / 1000:g} Mbit/s")
    if load["frame_loss"]:
        words.append(f"{100 * load['frame_loss']:g} % of frames lost")
    named = ("rate", "frame_loss")
    words += [f"{key}={text}" for key, text in load["settings"].items() if key not in named]
    return ", ".join(words)


def keep(
    found: Sequence[VirtualLoad] | Sequence[RealLoad], path: Path, *, force: bool = False
) -> None:
    """Keep loads as JSON, or as Parquet with a row a load.

    Parameters
    ----------
    found
        At least one load.
    path
        Ends in ``.json`` or ``.parquet``. Parquet has lists and objects as they are, ``settings``
        as JSON; its metadata key ``airlag`` says which airlag wrote it and of what.
    force
        Replace a file that holds something else.

    Raises
    ------
    OSError
        When the file cannot be written, or holds something else.
    """
    if path.suffix.lower() == ".json":
        with replacing(path, force=force) as file:
            file.write((to_json(list(found)) + "\n").encode())
        return
    import polars as pl

    rows = [load | {"settings": json.dumps(load["settings"])} for load in found]
    about = {"format": FORMAT, "airlag": __version__, "source": "tunnel bench"}
    table = pl.from_dicts(rows, infer_schema_length=None)
    with replacing(path, force=force) as file:
        store.write_table(table, file, {store.KEY: json.dumps(about)}, path)
