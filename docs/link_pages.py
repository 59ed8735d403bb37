"""Generated blocks of docs/links: constants, numbers, floors and slices.

Runs have few triggers, so that checking the pages is fast. Comparisons with captures are generated
by ``--captures`` instead, because they take minutes and need captures outside the repository.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sources
from link_introductions import before

from airlag import _airlag, analyze
from airlag.cli.links import SHOWN, bounded, unsigned
from airlag.core import profiles
from airlag.core.quantity import limits, number
from airlag.core.records import SensitiveConstant as Constant
from airlag.questions import campaign
from airlag.questions.bench import Request, emulate
from airlag.questions.budget import Explanation, explain
from airlag.questions.matching import match
from airlag.questions.sensitivity import MATTERS, Sensitivity, sensitivity

#: Triggers per run, and payloads, bytes.
COUNT = 100
#: Triggers per run of a sensitivity; every constant of every profile takes two runs.
SENSITIVE_COUNT = 400
SIZES = (12, 128, 1024)
#: Change of a quantile from which a constant that is not known well is an open question.
OPEN_LIMIT = f"{100 * MATTERS:.0f} %"

#: Profiles of each page; the first is explained slice by slice.
PAGES: Mapping[str, Sequence[str]] = {
    "gpio": ("gpio-stm32-ll-o3", "gpio-stm32-ll-og", "gpio-stm32duino-o1"),
    "uart": ("uart-115200-irq", "uart-115200-poll", "uart-115200-dma", "uart-1843200-irq"),
    "nrf24": ("nrf24-2m", "nrf24-2m-raw", "nrf24-250k", "nrf24-250k-raw"),
    "lora": ("lora-sf7-250k", "lora-sf11-62k5"),
    "lorawan": (
        "lorawan-eu868-unconfirmed",
        "lorawan-eu868-confirmed",
        "lorawan-eu868-class-c",
        "lorawan-us915-unconfirmed",
        "lorawan-us915-confirmed",
        "lorawan-us915-class-c",
    ),
    "meshtastic": (
        "meshtastic-longfast-eu868",
        "meshtastic-shortfast-eu868",
        "meshtastic-longfast-3-hops",
        "meshtastic-shortturbo-us915",
    ),
    "sik": ("sik-64k",),
    "hc05": ("hc05-460800", "hc05-57600", "hc05-9600"),
    "spp": ("spp-esp32", "spp-esp32-woken"),
    "esb": (
        "esb-nrf54l15",
        "esb-nrf54l15-unacknowledged",
        "esb-nrf54l15-legacy",
        "esb-nrf52840",
        "esb-nrf52840-legacy",
    ),
    "espnow": ("espnow", "espnow-woken", "espnow-lr", "espnow-lr-woken"),
    "ieee802154": (
        "ieee802154-blind",
        "ieee802154-blind-woken",
        "ieee802154-ack",
        "ieee802154-ack-woken",
    ),
    "ble": (
        "ble-nus-notify",
        "ble-nus-write",
        "ble-bluedroid-notify",
        "ble-nimble-default-notify",
        "ble-nimble-connparams-notify",
        "ble-nimble-fixed-notify",
        "ble-nimble-fixed-notify-woken",
        "ble-sci-notify",
        "ble-llpm-notify",
    ),
    "btmesh": ("btmesh", "btmesh-relayed", "btmesh-acknowledged", "btmesh-zephyr"),
    "elrs": (
        "elrs-2g4-500hz",
        "elrs-2g4-f1000",
        "elrs-900-200hz",
        "elrs-868-50hz",
    ),
    "wifi": (
        "wifi-udp-tuned",
        "wifi-udp-tuned-woken",
        "wifi-udp-default",
        "wifi-tcp-tuned",
        "wifi-tcp-default",
        "websocket-esp32",
        "websocket-esp32-nagle",
        "websocket-esp32c6",
        "websocket-pi4-wifi",
        "tcp-stream-softap",
        "tcp-stream-softap-realtime",
    ),
    "wifi-module": ("wifi-module-nora-w36", "wifi-module-odin-w2"),
    "ethernet": ("websocket-pi4-ethernet",),
    "thread": ("thread-up", "thread-down"),
    "zigbee": ("zigbee", "zigbee-relayed", "zigbee-quick"),
    "tunnel": ("tunnel",),
    "tunnel-naive": ("tunnel-naive",),
}

#: Neighbours of the first profile of each page with a radio, and settings that put it in the same
#: band. Sub-GHz radios only have neighbours of their own kind.
CROWDS: Mapping[str, tuple[Mapping[str, str], Sequence[str]]] = {
    "nrf24": ({"channel": "37"}, ("wifi:30%@ch6,1m", "same-link:5")),
    "lora": ({}, ("same-link:5", "same-link:5,1m")),
    "lorawan": ({}, ("same-link:5", "same-link:50")),
    "meshtastic": ({}, ("same-link:2", "same-link:5")),
    "sik": ({}, ("same-link:5",)),
    "hc05": ({}, ("wifi:30%@ch6",)),
    "spp": ({}, ("wifi:30%@ch6",)),
    "esb": ({"channel": "37"}, ("wifi:30%@ch6,1m", "same-link:5")),
    "espnow": ({}, ("wifi:30%@ch1", "same-link:5")),
    "ieee802154": ({}, ("wifi:30%@ch1,20cm", "same-link:5")),
    "ble": ({}, ("wifi:30%@ch6,1m", "same-link:5")),
    "btmesh": ({}, ("wifi:30%@ch1", "same-link:5")),
    "elrs": ({}, ("wifi:30%@ch6,1m", "same-link:5")),
    "wifi": ({}, ("wifi:30%@ch6", "same-link:5")),
    "wifi-module": ({}, ("wifi:30%@ch6", "same-link:5")),
    "thread": ({}, ("wifi:30%@ch1,20cm",)),
    "zigbee": ({}, ("wifi:30%@ch1,20cm", "same-link:5")),
    "tunnel": ({"channel": "37"}, ("wifi:30%@ch6,1m",)),
    "tunnel-naive": ({"channel": "37"}, ("wifi:30%@ch6,1m",)),
}
#: Triggers per run with neighbours, and payload, bytes.
CROWD_COUNT, CROWD_SIZE = 250, 128

#: Captures of the latency comparison by link and size, relative to the folder of captures.
CAMPAIGN = Path(__file__).resolve().parents[1] / "campaigns" / "reference.toml"


@dataclass(frozen=True, slots=True)
class Page:
    """Runs of one page, by profile and payload."""

    kind: str
    runs: Mapping[tuple[str, int | None], Explanation]

    @property
    def size(self) -> int | None:
        """The middle size."""
        sizes = sizes_of(self.kind)
        return sizes[len(sizes) // 2]

    @property
    def taken_apart(self) -> Explanation:
        """The middle size over the first profile."""
        return self.runs[PAGES[self.kind][0], self.size]


def sizes_of(kind: str) -> Sequence[int | None]:
    """Payloads of a kind; once ``None`` without messages."""
    return _airlag.payloads(PAGES[kind][0], SIZES)


def pages() -> Iterator[Page]:
    """Runs everything that the pages show."""
    wanted = [
        (kind, link, size) for kind in PAGES for link in PAGES[kind] for size in sizes_of(kind)
    ]
    with ThreadPoolExecutor() as pool:
        done = pool.map(lambda one: explain(Request(one[1], one[2], COUNT)), wanted)
        told = dict(zip(wanted, done, strict=True))
    for kind in PAGES:
        yield Page(kind, {key[1:]: one for key, one in told.items() if key[0] == kind})


def blocks(pages: Iterable[Page]) -> dict[str, str]:
    """All generated blocks of the pages by name."""
    made = {"links": index(), "sources": sources.documents()}
    with ThreadPoolExecutor() as pool:
        made |= dict(
            zip([f"crowd-{kind}" for kind in CROWDS], pool.map(crowd, CROWDS), strict=True)
        )
    for page in pages:
        told = [sensitivity(link, count=SENSITIVE_COUNT) for link in of_kind(page.kind)]
        made |= {
            f"numbers-{page.kind}": numbers(page),
            f"slices-{page.kind}": before("slices", page.kind, size=page.size)
            + slices(page.taken_apart),
            f"floor-{page.kind}": before("floor", page.kind, size=page.size)
            + floor(page.taken_apart),
            f"constants-{page.kind}": constants(PAGES[page.kind]),
            f"sensitivity-{page.kind}": before("sensitivity", page.kind, count=SENSITIVE_COUNT)
            + assumptions(told[0]),
            f"open-{page.kind}": before("open", page.kind, limit=OPEN_LIMIT) + left_open(told),
            f"sources-{page.kind}": sources.cited(PAGES[page.kind]),
        }
        if profiles.link(PAGES[page.kind][0])["medium"] == "wire":
            made[f"overhead-{page.kind}"] = overhead(page)
    return made


def of_kind(kind: str) -> list[str]:
    """All profiles of a kind, those of its page first."""
    first = PAGES[kind][0]
    others = [
        name for name in _airlag.links() if name != first and profiles.link(name)["kind"] == kind
    ]
    return [first, *others]


def index() -> str:
    """Table of kinds of link with their pages."""
    names = [(name, profiles.link(name)) for name in _airlag.links()]
    rows = [
        [f"[{kind}]({kind}.md)", str(sum(1 for _, each in names if each["kind"] == kind)), about]
        for kind in PAGES
        for about in [profiles.link(PAGES[kind][0])["about"]]
    ]
    return table(["kind", "profiles", "first profile"], rows)


def numbers(page: Page) -> str:
    """Medians and tails with the floor, and with published figures if there are any."""
    published = {
        (link, one["size"]): one
        for link in PAGES[page.kind]
        for one in profiles.link(link)["published"]
    }
    rows = []
    for (link, size), told in page.runs.items():
        one = published.get((link, size))
        quantiles = told.run.latency or {}
        rows.append(
            [
                f"`{link}`",
                *payload(size),
                *(["—" if one is None else number(one["median_ms"])] if published else []),
                milliseconds(quantiles["p50"]) if quantiles else "—",
                milliseconds(quantiles["p99"]) if quantiles else "—",
                milliseconds(told.floor.ns),
            ]
        )
    columns = [*(["published, ms"] if published else []), "median, ms", "p99, ms", "floor, ms"]
    what = "triggers" if page.size is None else "messages with triggers"
    text = before("runs", page.kind, count=COUNT, what=what)
    cited = {one["cite"]["key"]: one["cite"]["title"] for one in published.values()}
    for key, title in cited.items():
        text += before("published", page.kind, key=key, title=title)
    return text + table(["profile", *bytes_of(page.kind), *columns], rows)


def crowd(kind: str) -> str:
    """Effect of neighbours on tail and delivery."""
    link = PAGES[kind][0]
    settings, neighbours = CROWDS[kind]
    rows = []
    period_ns = None
    for beside in ("", *neighbours):
        asked = dict(settings) | ({"neighbours": beside} if beside else {})
        run = emulate(Request(link, CROWD_SIZE, CROWD_COUNT, period_ns, "uniform", settings=asked))
        period_ns = period_ns or run.config["period_ns"]
        arrives = 0.0 if run.delivery is None else run.delivery["ratio"]
        quantiles = run.latency or {}
        told = [milliseconds(quantiles[name]) if quantiles else "—" for name in ("p50", "p99")]
        rows.append([f"`{beside}`" if beside else "none", *told, f"{100 * (1 - arrives):.1f} %"])
    set_to = "".join(f", `{name}={value}`" for name, value in settings.items())
    said = f"`{link}`, {CROWD_SIZE} B, {CROWD_COUNT} messages{set_to}:\n\n"
    return (
        before("crowd", kind) + said + table(["neighbour", "median, ms", "p99, ms", "lost"], rows)
    )


def payload(size: int | None) -> list[str]:
    """Cell of the payload, for links with messages."""
    return [] if size is None else [str(size)]


def bytes_of(kind: str) -> list[str]:
    """Heading of the payload cells."""
    return [] if None in sizes_of(kind) else ["B"]


def overhead(page: Page) -> str:
    """Latency minus time on the wire, simulated and published."""
    rows = []
    for (link, size), told in page.runs.items():
        wire, beyond = told.run.facts.get("wire_ns"), told.run.facts.get("overhead_ns")
        if wire is None or beyond is None:
            continue
        published = [
            number(one["median_ms"] * 1e3 - wire / 1e3, 2)
            for one in profiles.link(link)["published"]
            if one["size"] == size
        ]
        quantiles = (number(beyond[name] / 1e3) for name in ("min", "p50", "p99"))
        rows.append([f"`{link}`", str(size), milliseconds(wire), *(published or ["—"]), *quantiles])
    heads = ["profile", "B", "wire, ms", "published, us", "minimum, us", "median, us", "p99, us"]
    return table(heads, rows)


def slices(told: Explanation) -> str:
    """Attribution of the time of a message."""
    if told.budget is None:
        return "No deliveries.\n"
    whole = told.budget.mean_ns
    rows = [
        [
            item.name,
            item.kind,
            milliseconds(item.mean_ns),
            f"{100 * item.mean_ns / whole:.1f} %",
            milliseconds(told.budget.median.spent_ns(item.name, item.kind)),
        ]
        for item in told.budget.items
        if item.mean_ns >= whole / 2_000
    ]
    rows.append(["all", "", milliseconds(whole), "", milliseconds(told.budget.median.latency_ns)])
    return table(["slice", "class", "mean, ms", "share", "median transfer, ms"], rows)


def floor(told: Explanation) -> str:
    """Terms of the lower bound."""
    rows = [
        [term.name, str(term.count), milliseconds(term.each_ns), term.source]
        for term in told.floor.terms
    ]
    rows.append(["sum", "", milliseconds(told.floor.ns), ""])
    return table(["term", "times", "each, ms", "source"], rows)


def constants(links: Sequence[str]) -> str:
    """Constants of the first profile, and differences of the others."""
    first, *others = (profiles.link(link)["parameters"] for link in links)
    rows = [
        [f"`{name}`", value(one), f"{one['source']}: {one['from']}".removesuffix(": ")]
        for name, one in first.items()
    ]
    text = table(["constant", "value", "source"], rows)
    changed = [
        [f"`{link}`", f"`{name}`", value(one), f"{one['source']}: {one['from']}".removesuffix(": ")]
        for link, other in zip(links[1:], others, strict=True)
        for name, one in other.items()
        if one["value"] != first[name]["value"]
    ]
    if changed:
        text += "\n" + table(["profile", "constant", "value", "source"], changed)
    return text


def assumptions(told: Sensitivity) -> str:
    """Effects of the assumed and calibrated constants of a profile."""
    text = ""
    rows = [
        [f"`{one.name}`", value(one.to_json()), one.source]
        + ["–" if side is None else side.text for side in (one.halved, one.doubled)]
        + [bounded(one)]
        for one in told.constants
        if one.effect is None or one.effect >= SHOWN
    ]
    if rows:
        head = [
            "constant",
            "value",
            "source",
            "halved: p50, p99",
            "doubled: p50, p99",
            "within bounds",
        ]
        text += table(head, rows) + "\n"
    if told.chance_text is not None:
        text += f"Variation between seeds: up to {told.chance_text}.\n"
    still = [
        f"`{one.name}`" for one in told.constants if one.effect is not None and one.effect < SHOWN
    ]
    if still:
        text += f"Effect below {100 * SHOWN:.1f} %: {', '.join(still)}.\n"
    left_out = [f"`{one.name}` ({one.why})" for one in told.left_out]
    if left_out:
        text += f"Cannot be halved or doubled: {', '.join(left_out)}.\n"
    return text


def left_open(told: Sequence[Sensitivity]) -> str:
    """Constants of a kind that matter and are not known well enough."""
    found: dict[tuple[str, str], list[tuple[Sensitivity, Constant]]] = {}
    for each in told:
        for one in each.open:
            # Profiles with the same text share a row.
            place = (f"`{one.name}`", _known_of(each.link, one.name))
            found.setdefault(place, []).append((each, one))
    rows = [[name, _moves(held), known] for (name, known), held in found.items()]
    if rows:
        text = table(["constant", "largest change of p50 or p99", "value and source"], rows)
    else:
        text = (
            f"None: no constant changes a median or p99 by {OPEN_LIMIT} within its uncertainty.\n"
        )
    chance: dict[str, list[str]] = {}
    for each in told:
        for one in each.constants:
            if (one.worth is None or one.worth > MATTERS) and not one.open:
                chance.setdefault(f"`{one.name}`", []).append(f"`{each.link}`")
    if chance:
        named = [f"{name} of {listed(links)}" for name, links in chance.items()]
        text += f"\nMore than {OPEN_LIMIT}, but within the variation between seeds: "
        text += f"{'; '.join(named)}.\n"
    return text


def _moves(found: Sequence[tuple[Sensitivity, Constant]]) -> str:
    """Effect of a constant on each profile."""
    return ", ".join(
        f"`{each.link}`: {'no deliveries' if one.worth is None else unsigned(one.worth)}"
        for each, one in found
    )


def _known_of(link: str, name: str) -> str:
    constant = profiles.link(link)["parameters"][name]
    return f"{value(constant)}, {constant['source']}: {constant['from']}"


def listed(words: Sequence[str]) -> str:
    """Joins words with commas and a final "and"."""
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])


def captured(kind: str, folder: Path) -> str:
    """Comparison of a page's profiles with the captures of the reference campaign."""
    rows = []
    for (link, size), path in campaign.load(CAMPAIGN).captures.items():
        if profiles.link(link)["kind"] != kind or not (folder / path).exists():
            continue
        held = match(analyze(folder / path), link, size)
        p50, p99 = held.quantile_error["p50"], held.quantile_error["p99"]
        fitted = ", ".join(f"`{one.name}`" for one in held.fitted) or "nothing"
        rows.append(
            [
                f"`{path.stem}`",
                f"`{link}`",
                *payload(size),
                f"{milliseconds(p50.captured_ns)} / {milliseconds(p50.virtual_ns)}",
                f"{milliseconds(p99.captured_ns)} / {milliseconds(p99.virtual_ns)}",
                number(held.ks, 2),
                number(held.ks_chance, 2),
                f"{100 * held.distance:.2g} %",
                fitted,
            ]
        )
    both = ["median, ms: capture / bench", "p99, ms: capture / bench"]
    distances = ["KS distance", "KS by chance", "Lévy distance"]
    heads = ["capture", "profile", *bytes_of(kind), *both, *distances, "fitted"]
    return before("captured", kind) + table(heads, rows)


def value(parameter: Mapping[str, Any]) -> str:
    """Formats a constant with its unit."""
    shown = parameter["value"]
    text = str(shown).lower() if isinstance(shown, bool) else str(shown)
    held = f"{text} {parameter['unit']}".strip()
    bound = parameter["bound"]
    return held if bound is None else f"{held} ({limits(bound, parameter['unit'])})"


def milliseconds(value_ns: float) -> str:
    """Formats milliseconds with four digits."""
    return number(value_ns / 1e6)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Formats a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)
