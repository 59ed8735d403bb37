"""``airlag links`` and ``airlag run``: the virtual bench on the command line."""

from __future__ import annotations

import json
import struct
from itertools import groupby
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from told import Airlag

import airlag as library
from airlag import _airlag
from airlag.core import payload, profiles, schemas
from airlag.core.answered import ask
from airlag.core.quantity import UNITS, duration
from airlag.questions.bench import Request, emulate

SCHEMA: dict[str, Any] = schemas.schema("analyze")
LINKS = Path(__file__).resolve().parents[3] / "links"
#: What all of them cite.
SHARED = ("sources", "parts", "batteries")
#: One profile of each kind.
KINDS = ("gpio-stm32-ll-o3", "uart-115200-dma", "nrf24-2m", "lora-sf7-250k")


def ran(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag("run", "--json", *arguments)
    assert told.code == 0, told.err
    runs: list[dict[str, Any]] = json.loads(told.out)
    jsonschema.Draft202012Validator(SCHEMA).validate(runs)
    return runs


def test_every_file_of_the_tree_is_among_the_links() -> None:
    names = _airlag.links()
    for path in set(LINKS.glob("*.toml")) - {LINKS / f"{name}.toml" for name in SHARED}:
        assert any(name.startswith(path.stem) for name in names), path.name
    assert len(names) == len(set(names))


def test_links_are_listed_by_family(airlag: Airlag) -> None:
    told = airlag("links")
    assert (told.code, told.err) == (0, "")
    # What a link is may fold; its name stands in front.
    first = (line.split()[:1] for line in told.out.splitlines() if line.startswith("  "))
    listed = [word for (word,) in first if word in _airlag.links()]
    assert sorted(listed) == sorted(_airlag.links())
    kinds = [profiles.link(name)["kind"] for name in listed]
    # Each family is in one place.
    assert len([kind for kind, _ in groupby(kinds)]) == len(set(kinds))


def test_a_link_shows_every_constant_with_its_source(airlag: Airlag) -> None:
    (link,) = json.loads(airlag("links", "nrf24-2m", "--json").out)
    assert link["parameters"]["settle"]["value"] == 130000
    assert {each["source"] for each in link["parameters"].values()} <= {
        "standard",
        "datasheet",
        "source",
        "calibrated",
        "assumed",
    }
    assert [figure["size"] for figure in link["published"]] == [12, 128, 1024]
    text = airlag("links", "nrf24-2m").out
    assert all(name in text for name in link["parameters"])
    folded = " ".join(text.split())
    assert "Product Specification v1.0, 6.1.7, Tstby2a" in folded


def test_a_citation_of_json_has_title_edition_place_and_address(airlag: Airlag) -> None:
    (link,) = json.loads(airlag("links", "nrf24-2m", "--json").out)
    cite = link["parameters"]["settle"]["cite"]
    assert cite["title"].startswith("nRF24L01+")
    assert (cite["version"], cite["year"], cite["at"]) == ("v1.0", 2008, "6.1.7, Tstby2a")
    assert cite["url"].startswith("https://")
    fitted = link["parameters"]["spi_byte"]
    assert (fitted["cite"], fitted["capture"]) == (None, "nrf24/2Mbps-12B")
    article = link["published"][0]["cite"]
    assert (article["group"], article["at"]) == ("article", "nRF24")


@pytest.mark.parametrize("link", KINDS)
def test_a_run_fills_link_size_and_seed(link: str, airlag: Airlag) -> None:
    size = payload.of(link, 12)
    asked = [] if size is None else ["--size", "12"]
    (run,) = ran(airlag, link, *asked, "--count", "50", "--seed", "7")
    assert (run["source"], run["link"], run["size"], run["seed"]) == (link, link, size, 7)
    assert run["triggers"] == run["delivered"] == 50


def test_links_and_sizes_come_in_the_order_asked_for(airlag: Airlag) -> None:
    runs = ran(airlag, "nrf24-2m", "gpio-stm32-ll-o3", "--size", "128,12", "--count", "20")
    assert [(run["link"], run["size"]) for run in runs] == [
        ("nrf24-2m", 128),
        ("nrf24-2m", 12),
        ("gpio-stm32-ll-o3", None),
    ]


@pytest.mark.parametrize("phase", ["uniform", "frozen"])
def test_the_same_seed_gives_the_same_bytes(phase: str, airlag: Airlag, folder: Path) -> None:
    arguments = ["run", "nrf24-2m", "--size", "1024", "--count", "100", "--phase", phase]
    once = airlag(*arguments, "--json", "-o", "once.parquet")
    twice = airlag(*arguments, "--json", "-o", "twice.parquet")
    other = airlag(*arguments, "--json", "--seed", "2")
    assert once.out == twice.out
    assert (folder / "once.parquet").read_bytes() == (folder / "twice.parquet").read_bytes()
    assert other.out != once.out


def test_a_frozen_phase_is_one_period_and_a_uniform_one_is_spread_over_half(folder: Path) -> None:
    del folder
    frozen = emulate(Request("gpio-stm32-ll-o3", None, 200, phase="frozen")).trigger_ns
    uniform = emulate(Request("gpio-stm32-ll-o3", None, 200)).trigger_ns
    assert frozen is not None
    assert uniform is not None
    assert set(np.diff(frozen).tolist()) == {200_000_000}
    assert np.diff(uniform).min() >= 100_000_000
    assert np.ptp(uniform - np.arange(200) * 200_000_000) > 90_000_000


def test_a_kept_run_reads_back_the_same_through_every_format(airlag: Airlag, folder: Path) -> None:
    arguments = ("lora-sf7-250k", "--size", "1024", "--count", "200", "-o", "runs/")
    (made,) = ran(airlag, *arguments)
    kept = folder / "runs" / "lora-sf7-250k-1024B-count=200.parquet"
    (again,) = json.loads(airlag("analyze", kept, "--json").out)
    # A file knows transfers; what else is known of a virtual run, it does not say.
    assert again == {key: made[key] for key in again}
    for suffix in ("csv", "vcd"):
        assert airlag("convert", kept, f"virtual.{suffix}").code == 0
        (read,) = json.loads(airlag("analyze", f"virtual.{suffix}", "--json").out)
        for key in ("triggers", "delivered", "lost", "latency_ns"):
            assert read[key] == made[key], (suffix, key)


def test_a_setting_changes_what_it_names(airlag: Airlag) -> None:
    arguments = ("nrf24-2m", "--size", "12", "--count", "20")
    (quick,) = ran(airlag, *arguments)
    (slow,) = ran(airlag, *arguments, "--set", "rate=250", "--set", "channel=3")
    assert slow["latency_ns"]["p50"] > quick["latency_ns"]["p50"] + 900_000


@pytest.mark.parametrize(("link", "least"), [("uart-9600-poll", 2.1), ("lora-sf11-62k5", 80)])
def test_the_period_is_long_enough_for_a_slow_link(link: str, least: float, airlag: Airlag) -> None:
    (run,) = ran(airlag, link, "--size", "1024", "--count", "20")
    assert run["stimulus"]["period_ns"] > least * 10**9
    assert run["delivered"] == 20


@pytest.mark.parametrize("link", ["nrf24-2m", "uart-9600-irq", "lora-sf7-250k"])
def test_triggers_that_come_too_soon_are_said_to_and_nothing_hangs(
    link: str, airlag: Airlag
) -> None:
    (run,) = ran(airlag, link, "--size", "1024", "--count", "100", "--period", "5ms")
    found = {finding["name"]: finding for finding in run["findings"]}
    assert "lost-transfers" in found
    evidence = found["period-too-short"]["evidence"]
    assert evidence["shortest_ns"] < evidence["service_ns"]
    assert evidence["service_ns"] == run["stimulus"]["service_ns"]
    assert 0 < evidence["count"] < 100


def test_a_bad_link_does_not_hide_the_good_ones_around_it(airlag: Airlag) -> None:
    told = airlag("run", "nrf24-2m", "nrf42-2m", "gpio-stm32-ll-o3", "--size", "12", "--json")
    assert told.code == 2
    assert [run["link"] for run in json.loads(told.out)] == ["nrf24-2m", "gpio-stm32-ll-o3"]
    assert told.err == "airlag: no link `nrf42-2m`; did you mean `nrf24-2m`?\n"


def test_errors_of_the_bench_are_value_errors_of_their_own() -> None:
    with pytest.raises(library.LinkError, match="no link `x`"):
        profiles.link("x")
    with pytest.raises(
        ValueError, match="unknown variant `thawed`, expected one of `uniform`, `frozen`, `aligned`"
    ):
        ask("run", link="nrf24-2m", size=12, phase="thawed")


def test_slices_are_arrays_of_one_length_inside_the_trace() -> None:
    asked = {"question": "run", "link": "nrf24-2m", "size": 12, "count": 5, "slices": True}
    reply = _airlag.ask(json.dumps(asked))
    (trace,), (slices,) = reply.traces, reply.slices
    assert trace is not None
    assert slices is not None
    lengths = {len(slices[key]) for key in ("track", "name", "begin_ns", "end_ns")}
    assert len(lengths) == 1
    assert lengths != {0}
    assert (slices["end_ns"] >= slices["begin_ns"]).all()
    assert slices["end_ns"].max() <= trace.end_ns
    assert "air" in slices["names"]
    assert slices["name"].max() < len(slices["names"])
    assert slices["track"].max() < len(slices["tracks"])


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["links", "nrf42"], "no link `nrf42`; did you mean `nrf24-2m`"),
        (["run"], "see airlag run --help"),
        (["run", "nrf24-2n"], "did you mean `nrf24-2m`"),
        (["run", "nrf24-2m", "--set", "chanel=3"], "did you mean `channel`"),
        (["run", "nrf24-2m", "--set", "channel=300"], "must be 0 to 125"),
        (["run", "nrf24-2m", "--set", "rate=3"], "250 | 1000 | 2000"),
        (["run", "nrf24-2m", "--set", "channel"], "write key=value"),
        (["run", "nrf24-2m", "--size", "4000"], "7 to 2048 bytes, not 4000"),
        (["run", "nrf24-2m", "--size", "0"], "7 to 2048 bytes, not 0"),
        (["run", "nrf24-2m", "--size", "12,many"], "such as 12,128"),
        (["run", "nrf24-2m", "--count", "0"], "from 1 to 10000000"),
        (["run", "nrf24-2m", "--seed", "-1"], "expected a whole number"),
        (["run", "nrf24-2m", "--period", "200"], "write 200us, 200ms or 200s"),
        (["run", "nrf24-2m", "--period", "0ms"], "from 1us to 10000s"),
        (["run", "gpio-stm32-ll-o3", "--count", "10000000", "--period", "10000s"], "73 years"),
        (["run", "nrf24-2m", "--phase", "melted"], "uniform, frozen or aligned"),
        (["run", "nrf24-2m", "--traffic", "jam"], "rpc-stream, rpc-upload or back-to-back"),
        (["run", "nrf24-2m", "-o", "run.parquet"], "end it with / for a folder"),
        (["run", "nrf24-2m", "--size", "12", "-o", "run.txt"], "end it with .parquet"),
    ],
)
def test_what_cannot_be_run_gets_one_line_and_exit_code_2(
    arguments: list[str], remedy: str, airlag: Airlag
) -> None:
    told = airlag(*arguments)
    assert told.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert remedy in told.err, told.err


def stamps(capture: Path) -> list[int]:
    """Nanoseconds of every packet of a pcapng file: the blocks of type 6."""
    data, at, found = capture.read_bytes(), 0, []
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:
            high, low = struct.unpack_from("<II", data, at + 12)
            found.append(high << 32 | low)
        at += length
    assert at == len(data)
    return found


def test_frames_on_the_air_are_kept_beside_the_run(airlag: Airlag, tmp_path: Path) -> None:
    capture = tmp_path / "air.pcapng"
    asked = ("lora-sf7-250k", "--size", "12", "--count", "20", "--set", "disturbances=0")
    (run,) = ran(airlag, *asked, "--sniff", capture)
    assert ran(airlag, *asked) == [run]
    found = stamps(capture)
    # One frame a message, on the air soon after its trigger.
    request = Request(asked[0], 12, 20, settings={"disturbances": "0"})
    triggers = emulate(request).trigger_ns
    assert triggers is not None
    late = np.asarray(found) - np.asarray(triggers)
    assert len(found) == 20
    assert (late > 0).all()
    assert (late < 1_000_000).all()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("uart-115200-irq", "--size", "12"), "no radio to sniff; choose a link with a radio"),
        (("nrf24-2m", "--size", "12,128"), "one file for 2 runs; name one link and one --size"),
    ],
)
def test_what_cannot_be_sniffed_is_one_line(
    arguments: tuple[str, ...], reason: str, airlag: Airlag, tmp_path: Path
) -> None:
    capture = tmp_path / "air.pcapng"
    told = airlag("run", *arguments, "--count", "5", "--sniff", capture)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert reason in told.err
    assert not list(tmp_path.iterdir())


def test_a_capture_file_needs_its_ending(airlag: Airlag) -> None:
    told = airlag("run", "nrf24-2m", "--size", "12", "--sniff", "air.pcap")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "end it with .pcapng" in told.err


def test_loss_grows_with_range(airlag: Airlag) -> None:
    def lost(link: str, *settings: str) -> int:
        changes = [word for setting in settings for word in ("--set", setting)]
        (run,) = ran(airlag, link, "--size", "12", "--count", "200", *changes)
        count: int = run["lost"]
        return count

    lora = [lost("lora-sf7-250k", f"range={metres}") for metres in ("0", "300m", "500km")]
    assert lora[0] <= lora[1] < 5
    # Nobody watched the last one to its end.
    assert lora[2] >= 199
    indoors = [lost("nrf24-250k", f"range={m}m", "environment=office") for m in (0, 3, 300)]
    assert indoors[:2] == [0, 0]
    assert indoors[2] > 100


@pytest.mark.usefixtures("folder")
def test_a_range_is_run_at_places_and_says_in_what(airlag: Airlag) -> None:
    asked = ("run", "nrf24-250k", "--size", "12", "--set", "range=150m")
    told = airlag(*asked, "-o", "far.parquet")
    words = " ".join(told.out.split())
    assert "150 m apart, outdoor · fade margin" in words
    assert "20 locations, shadowing 5.06 dB" in words
    assert "latencies of all locations combined" in words
    (run,) = json.loads(airlag(*asked, "--json").out)
    apart = run["apart"]
    assert apart["places"]["count"] == 20
    assert apart["places"]["mean_interval95"] == run["delivery"]["interval95"]
    # What was saved says the same of its places.
    (again,) = json.loads(airlag("analyze", "far.parquet", "--json").out)
    assert (again["apart"], again["delivery"]) == (apart, run["delivery"])
    # Another seed's interval meets this one's.
    (other,) = json.loads(airlag(*asked, "--seed", "2", "--json").out)
    (low, high), (least, most) = (
        each["apart"]["places"]["mean_interval95"] for each in (run, other)
    )
    assert max(low, least) < min(high, most)


def test_places_are_of_radios_that_stand_apart(airlag: Airlag) -> None:
    (beside,) = ran(airlag, "nrf24-2m", "--size", "12", "--count", "20")
    assert "apart" not in beside
    (one,) = ran(
        airlag, "nrf24-2m", "--size", "12", "--set", "range=5m", "--set", "environment=free-space"
    )
    assert (one["apart"]["places"], one["apart"]["environment"]) == (None, "free-space")
    for words in (["--places", "5"], ["--set", "range=5m", "--places", "300"]):
        told = airlag("run", "nrf24-2m", "--size", "12", *words)
        assert (told.code, told.err.count("\n")) == (2, 1)
        assert "a range above 0 (--set range=30m)" in told.err


def test_what_happens_on_the_way_has_a_name_and_is_no_error(airlag: Airlag) -> None:
    small = ("--set", "input_buffer=300")
    (run,) = ran(airlag, "hc05-460800", "--size", "1024", "--count", "20", *small)
    assert run["delivered"] == 0
    assert run["incidents"]["buffer overflow"] > 0
    told = airlag("run", "hc05-460800", "--size", "1024", "--count", "20", *small)
    assert "events: buffer overflow" in told.out
    (quiet,) = ran(airlag, "nrf24-2m", "--size", "12", "--count", "20")
    assert quiet["incidents"] == {}


def test_an_echo_is_one_run_of_round_trips(airlag: Airlag, folder: Path) -> None:
    arguments = ("uart-115200-dma", "--size", "12", "--count", "50")
    (there,) = ran(airlag, *arguments)
    (echo,) = ran(airlag, *arguments, "--traffic", "echo", "-o", "kept/")
    assert "traffic" not in there
    assert echo["traffic"] == "echo"
    assert echo["delivered"] == 50
    assert echo["wire_ns"] == 2 * there["wire_ns"]
    ratio = echo["latency_ns"]["p50"] / there["latency_ns"]["p50"]
    assert 1.5 < ratio < 2.5
    kept = folder / "kept" / "uart-115200-dma-12B-count=50-traffic=echo.parquet"
    assert airlag("analyze", kept).out.splitlines()[0].endswith("12 B  round trip")


def test_traffic_both_ways_is_two_runs_of_one_request(airlag: Airlag, folder: Path) -> None:
    arguments = ("uart-115200-dma", "--size", "12", "--count", "50", "--traffic", "both")
    there, back = ran(airlag, *arguments, "-o", "kept/")
    assert [(run["traffic"], run["way"]) for run in (there, back)] == [
        ("both", "there"),
        ("both", "back"),
    ]
    assert there["delivered"] == back["delivered"] == 50
    assert there["latency_ns"] != back["latency_ns"]
    told = airlag("run", *arguments).out
    assert told.index("both directions: there") < told.index("both directions: back")
    kept = sorted(path.name for path in (folder / "kept").iterdir())
    assert kept == [
        f"uart-115200-dma-12B-count=50-traffic=both-way={way}.parquet" for way in ("back", "there")
    ]
    (again,) = json.loads(airlag("analyze", folder / "kept" / kept[1], "--json").out)
    assert again == {key: there[key] for key in again}


@pytest.mark.parametrize("traffic", ["echo", "both"])
def test_links_that_cannot_answer_say_so_and_hide_no_other(traffic: str, airlag: Airlag) -> None:
    links = ("nrf24-2m", "gpio-stm32-ll-o3", "uart-115200-dma")
    told = airlag("run", *links, "--size", "12", "--count", "20", "--traffic", traffic, "--json")
    assert told.code == 2
    assert {run["link"] for run in json.loads(told.out)} == {"uart-115200-dma"}
    one_way, no_bytes = told.err.splitlines()
    assert one_way.startswith("airlag: nrf24-2m is one-way")
    assert no_bytes.startswith("airlag: gpio-stm32-ll-o3 is a single board without a link")


def test_a_kept_round_trip_is_not_explained(airlag: Airlag, folder: Path) -> None:
    del folder
    asked = ("uart-115200-dma", "--size", "12", "--count", "5", "--traffic", "echo")
    assert airlag("run", *asked, "-o", "echo.parquet").code == 0
    told = airlag("explain", "echo.parquet")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert "from --traffic trigger" in told.err


def test_what_is_beyond_the_wire_is_told_where_there_is_a_wire(airlag: Airlag) -> None:
    links = ("uart-1843200-irq", "nrf24-2m")
    wired, radio = json.loads(airlag("run", *links, "--size", "12", "--json").out)
    # 23 clocks of 42 MHz a bit, ten bits a byte.
    assert wired["wire_ns"] == 12 * 10 * 23 * 1000 // 42
    for name in ("min", "p50", "p99", "p99.9", "max", "mean"):
        assert wired["overhead_ns"][name] == wired["latency_ns"][name] - wired["wire_ns"]
    assert "std" not in wired["overhead_ns"]
    assert (radio["wire_ns"], radio["overhead_ns"]) == (None, None)
    told = airlag("run", *links, "--size", "12").out
    beyond = duration(wired["overhead_ns"]["p50"], UNITS[1])
    assert told.count("wire  ") == 1
    assert f"  wire  65.71 us of it; overhead p50 {beyond}, p95 " in told


def test_explain_and_campaign_tell_of_incidents_as_run_does(airlag: Airlag, folder: Path) -> None:
    (run,) = ran(airlag, "espnow", "--size", "1024", "--count", "50")
    assert run["incidents"]["deferral"] > 0
    assert (
        airlag("run", "espnow", "--size", "1024", "--count", "50", "-o", "kept.parquet").code == 0
    )
    (told,) = json.loads(airlag("explain", "kept.parquet", "--json").out)
    assert told["incidents"] == run["incidents"]
    assert (
        f"events: deferral {run['incidents']['deferral']}" in airlag("explain", "kept.parquet").out
    )
    block = '[[runs]]\nlinks = ["espnow"]\nsizes = [1024]\ncount = 50\n'
    (folder / "one.toml").write_text(block)
    (of_campaign,) = json.loads(airlag("campaign", "one.toml", "--json").out)
    assert of_campaign["incidents"] == run["incidents"]
