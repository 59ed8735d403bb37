"""Bench of IP tunnels under increasing bulk load, with a sparse flow beside the bulk flow.

>>> from airlag.questions.tunnel_bench import Task, virtual
>>> [point["sparse_latency_ns"]["p95"] for point in virtual(Task(offered_kbps=[100, 1000]))]

This module uses virtual time; :mod:`airlag.questions.tunnel_bench_real` uses real sockets.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from airlag._airlag import RUN_FORMAT, __version__
from airlag.core import profiles
from airlag.core.answered import ask
from airlag.core.atomic import replacing
from airlag.core.display import to_json
from airlag.core.extras import need_polars
from airlag.questions import store

if TYPE_CHECKING:
    from airlag.core.types import RealLoad, Tunnel, VirtualLoad

#: Tunnels and their link profiles.
LINKS: Mapping[Tunnel, str] = {"tunnel": "tunnel", "naive": "tunnel-naive"}
TUNNELS: tuple[Tunnel, ...] = ("tunnel", "naive")
#: File extensions for saved loads.
PARQUET = ".parquet"
KEPT = (".json", PARQUET)


@dataclass(frozen=True, slots=True)
class Task:
    """Tunnels, settings and loads."""

    #: Tunnels to run.
    tunnels: Sequence[Tunnel] = TUNNELS
    #: Rates of the radio, kbit/s; empty: those of the profiles.
    rates_kbps: Sequence[int] = ()
    #: Frame loss ratios; empty: those of the profiles.
    frame_losses: Sequence[float] = ()
    #: Bulk user data rates, kbit/s; empty: eleven from 0.1 to 10 times each tunnel's goodput.
    offered_kbps: Sequence[float] = ()
    #: Duration, ns.
    window_ns: int = 10_000_000_000
    #: Changed constants of the profiles, as text.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Random seed.
    seed: int = 1

    def each(self) -> Iterator[tuple[Tunnel, dict[str, str]]]:
        """Yields every tunnel with its settings, in the given order."""
        for rate in self.rates_kbps or (None,):
            for loss in self.frame_losses or (None,):
                for tunnel in self.tunnels:
                    settings = dict(self.settings)
                    settings |= {} if rate is None else {"rate": str(rate)}
                    settings |= {} if loss is None else {"frame_loss": f"{loss:.12g}"}
                    yield tunnel, settings


def virtual(task: Task, done: Callable[[int], None] | None = None) -> list[VirtualLoad]:
    """Runs every load of ``task`` in virtual time; raises :class:`LinkError`.

    The result has the tunnels in the order of ``task``, and the loads of each tunnel in ascending
    order. After each load, ``done`` is called with the total number of loads.
    """
    progress = None if done is None else lambda _, all_of: done(all_of)
    tunnels = [{"profile": tunnel, "settings": settings} for tunnel, settings in task.each()]
    found: list[VirtualLoad] = ask(
        "under-load",
        on_progress=progress,
        tunnels=tunnels,
        offered_kbps=list(task.offered_kbps),
        window_ns=task.window_ns,
        seed=task.seed,
    )
    return found


def constants(tunnel: Tunnel, settings: Mapping[str, str]) -> dict[str, float]:
    """Returns ``rate`` (kbit/s), ``frame_loss`` and ``mtu`` (bytes) of a tunnel.

    Raises :class:`LinkError` for an unknown setting.
    """
    parameters = profiles.link(LINKS[tunnel], dict(settings))["parameters"]
    return {name: float(parameters[name]["value"]) for name in ("rate", "frame_loss", "mtu")}


def curve_name(load: VirtualLoad | RealLoad) -> str:
    """Names a tunnel with its settings; loads of one curve have the same name."""
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
    """Saves loads as JSON if ``path`` ends in ``.json``; otherwise as Parquet, one row per load.

    Parquet keeps lists and objects, but ``settings`` is JSON. The metadata key ``airlag`` contains
    airlag version and source command. Raises :class:`OSError` if ``path`` cannot be written, or has
    other content and ``force`` is false; :class:`ModuleNotFoundError` for Parquet without polars.
    """
    if path.suffix.lower() == ".json":
        with replacing(path, force=force) as file:
            file.write((to_json(list(found)) + "\n").encode())
        return
    need_polars("a table of loads in Parquet")
    import polars as pl

    rows = [load | {"settings": json.dumps(load["settings"])} for load in found]
    about = {"format": RUN_FORMAT, "airlag": __version__, "source": "tunnel bench"}
    table = pl.from_dicts(rows, infer_schema_length=None)
    content = BytesIO()
    table.write_parquet(content, metadata={store.KEY: json.dumps(about)})
    with replacing(path, force=force) as file:
        file.write(content.getbuffer())
