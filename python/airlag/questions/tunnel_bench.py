"""What IP tunnels make of a bulk that offers more and more, and of a sparse flow beside it.

>>> from airlag.questions.tunnel_bench import Task, virtual
>>> [point["sparse_latency_ns"]["p95"] for point in virtual(Task(offered_kbps=[100, 1000]))]

In virtual time here; on real sockets in :mod:`airlag.questions.tunnel_bench_real`.
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

#: The tunnels, and their link profiles.
LINKS: Mapping[Tunnel, str] = {"tunnel": "tunnel", "naive": "tunnel-naive"}
TUNNELS: tuple[Tunnel, ...] = ("tunnel", "naive")
#: Endings of files that keep loads.
PARQUET = ".parquet"
KEPT = (".json", PARQUET)


@dataclass(frozen=True, slots=True)
class Task:
    """What is offered to which tunnels."""

    #: Which of them.
    tunnels: Sequence[Tunnel] = TUNNELS
    #: Rates of the radio, kbit/s; none: as the profiles have it.
    rates_kbps: Sequence[int] = ()
    #: Shares of frames lost on the air; none: as the profiles have it.
    frame_losses: Sequence[float] = ()
    #: User data of the bulk, kbit/s; none: eleven from 0.1 to 10 times what each tunnel carries.
    offered_kbps: Sequence[float] = ()
    #: For how long, ns.
    window_ns: int = 10_000_000_000
    #: Constants of the profiles to change, as text.
    settings: Mapping[str, str] = field(default_factory=dict)
    #: Root of every random number.
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
    """Offers every load in virtual time; raises :class:`LinkError`.

    The tunnels are in the order asked for, the loads of each ascending. ``done`` is called after
    each load with how many there are.
    """
    told = None if done is None else lambda _, all_of: done(all_of)
    tunnels = [{"profile": tunnel, "settings": settings} for tunnel, settings in task.each()]
    found: list[VirtualLoad] = ask(
        "under-load",
        told=told,
        tunnels=tunnels,
        offered_kbps=list(task.offered_kbps),
        window_ns=task.window_ns,
        seed=task.seed,
    )
    return found


def constants(tunnel: Tunnel, settings: Mapping[str, str]) -> dict[str, float]:
    """What a tunnel has as ``rate`` of its radio, kbit/s, ``frame_loss``, and ``mtu``, bytes.

    Raises :class:`LinkError` for a setting that it does not have.
    """
    parameters = profiles.link(LINKS[tunnel], dict(settings))["parameters"]
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
    """Keeps loads as JSON, or as Parquet with a row a load, by the ending of ``path``.

    Parquet has lists and objects as they are, ``settings`` as JSON; its metadata key ``airlag``
    says which airlag wrote it and of what. Raises :class:`OSError` when the file cannot be written,
    or holds something else, unless ``force``; :class:`ModuleNotFoundError` without polars.
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
