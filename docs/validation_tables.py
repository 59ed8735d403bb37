"""Generated blocks of docs/validation.md: published medians beside those of the bench.

Medians with a capture's own triggers come from the table that ``model_vs_capture.rs`` keeps.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import link_pages

from airlag import _airlag
from airlag.core import profiles
from airlag.core.quantity import number
from airlag.questions.bench import Request, emulate

ROOT = Path(__file__).resolve().parents[1]
#: Reasons for differences.
REASONS = ROOT / "docs" / "validation.toml"
#: Comparison with captures, stored by a test.
CAPTURED = ROOT / "crates" / "study" / "tests" / "model_vs_capture.md"
#: Latencies of remote procedure calls, stored by a test.
CALLS = ROOT / "crates" / "study" / "tests" / "rpc.md"
#: Messages of each run: checking the page has to be fast.
COUNT = 200
#: Ratio of medians from which a row needs a reason.
TOLERANCE = 0.1
#: Largest difference between a published median and that of the capture behind it: published
#: figures have one to three digits.
SAME = 0.15


@dataclass(frozen=True, slots=True)
class Row:
    """A published median and the bench's medians of the same link and payload, ms."""

    link: str
    size: int | None
    published: float
    cite: str
    at: str
    quantiles_ms: Mapping[str, float]
    replayed: float | None

    @property
    def bench(self) -> float:
        """The bench's median at random phase, ms."""
        return self.quantiles_ms["p50"]

    @property
    def off(self) -> bool:
        """Whether one of the bench's medians differs by more than the tolerance."""
        medians = (self.bench, self.published if self.replayed is None else self.replayed)
        return any(abs(each / self.published - 1) > TOLERANCE for each in medians)

    @property
    def command(self) -> str:
        """Command that prints the bench's median."""
        size = "" if self.size is None else f" --size {self.size}"
        return f"airlag run {self.link}{size} --count {COUNT}"


def blocks() -> dict[str, str]:
    """All generated blocks of the page by name."""
    found = rows()
    return {
        "published-medians": medians(found),
        "published-summary": summary(found),
        "published-reasons": explanations(),
        "published-calls": CALLS.read_text(),
    }


@cache
def rows() -> Sequence[Row]:
    """One row per published median, in the order of profiles; each link and payload runs once."""
    published = [
        (name, each["size"], each)
        for name in _airlag.links()
        for each in profiles.link(name)["published"]
    ]
    wanted = list(dict.fromkeys((link, size) for link, size, _ in published))
    with ThreadPoolExecutor() as pool:
        found = dict(zip(wanted, pool.map(lambda one: quantiles_ms(*one), wanted), strict=True))
    return [
        Row(
            link=link,
            size=size,
            published=each["median_ms"],
            cite=each["cite"]["key"],
            at=each["cite"]["at"],
            quantiles_ms=found[link, size],
            replayed=replayed(link, size, each["median_ms"]),
        )
        for link, size, each in published
    ]


def quantiles_ms(link: str, size: int | None) -> Mapping[str, float]:
    """5 %, 50 % and 95 % quantiles of the latency at random phase, ms."""
    latency = emulate(Request(link, size, COUNT)).latency
    assert latency is not None
    return {name: latency[name] / 1e6 for name in ("p5", "p50", "p95")}


def replays() -> list[tuple[str, int, float, float]]:
    """Link, payload, captured and replayed median, ms, of each capture without changed settings."""
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in CAPTURED.read_text().splitlines()[2:]
    ]
    # Quantiles are p1, p25, p50, p75 and p99.
    return [
        (line[1], int(line[2]), float(line[8].split()[2]), float(line[9].split()[2]))
        for line in cells
    ]


def replayed(link: str, size: int | None, published: float) -> float | None:
    """Replayed median of the capture whose own median is nearest to the published one, ms."""
    # A board without a link has no payload; the table of the test gives it one.
    of = [
        (abs(captured / published - 1), virtual)
        for name, payload, captured, virtual in replays()
        if name == link and size in (payload, None)
    ]
    off, virtual = min(of, default=(1.0, 0.0))
    return virtual if off <= SAME else None


def medians(found: Sequence[Row]) -> str:
    """Table of published medians.

    Raises
    ------
    ValueError
        A difference has no reason, or a reason applies to no row.
    """
    reasons = tomllib.loads(REASONS.read_text())["reason"]
    used: set[int] = set()
    lines = []
    for row in found:
        nth = next((n for n, one in enumerate(reasons) if row.off and applies(one, row)), None)
        if row.off and nth is None:
            raise ValueError(f"{REASONS.name} has no reason for {row.command}: {row}")
        used |= set() if nth is None else {nth}
        lines.append(
            [
                f"`{row.command}`",
                f"[{row.at}](sources.md#{row.cite})",
                number(row.published),
                number(row.bench),
                f"{row.bench / row.published:.2f}",
                "—" if row.replayed is None else number(row.replayed),
                "—" if row.replayed is None else f"{row.replayed / row.published:.2f}",
                "" if nth is None else reasons[nth]["name"],
            ]
        )
    if unused := set(range(len(reasons))) - used:
        names = [reasons[nth]["name"] for nth in unused]
        raise ValueError(f"{REASONS.name}: no row needs {names}")
    heads = ["command", "source", "published, ms", "random phase, ms", "ratio"]
    heads += ["triggers of the capture, ms", "ratio", "why it differs"]
    sides = ["---", "---", *["---:"] * 5, "---"]
    return link_pages.table(heads, lines).replace(" | ".join(["---"] * 8), " | ".join(sides), 1)


def explanations() -> str:
    """List of the reasons that the table names."""
    reasons = tomllib.loads(REASONS.read_text())["reason"]
    return "".join(f"- **{each['name']}**: {each['why']}\n" for each in reasons)


def applies(reason: dict[str, list[str]], row: Row) -> bool:
    """Whether a reason is for this row."""
    return row.link in reason["links"] and row.size in reason.get("sizes", [row.size])


def summary(found: Sequence[Row]) -> str:
    """Two sentences: how many medians agree, at random phase and with the triggers of captures."""
    near = sum(1 for row in found if abs(row.bench / row.published - 1) <= TOLERANCE)
    ratios = sorted(row.replayed / row.published for row in found if row.replayed)
    percent = f"{100 * TOLERANCE:.0f} %"
    return (
        f"At random phase, {near} of {len(found)} medians are within {percent} of the published "
        f"ones. With the triggers of the captures, the ratios of {len(ratios)} lie between "
        f"{ratios[0]:.2f} and {ratios[-1]:.2f}.\n"
    )
