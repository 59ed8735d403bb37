"""``airlag schema``, and the real output of commands validated against it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import typer
from told import Airlag

import airlag as library
from airlag.core import schemas
from airlag.questions.bench import Request, emulate, sniff
from peers import nodes

DOCS = Path(__file__).resolve().parents[3] / "docs"
#: The file that has what the other schemas share.
COMMON = "common.schema.json"

#: Command lines of each result; between them they meet every kind of answer.
LINES: dict[str, list[str]] = {
    "links": ["links"],
    "sensitivity": ["links gpio-stm32-ll-o3 --sensitivity"],
    "run": [
        "run nrf24-2m uart-115200-dma gpio-stm32-ll-o3 --size 12 --count 1000",
        "run espnow --size 12 --count 50 --traffic both",
        "run nrf24-2m --size 12 --count 100 --set range=20m",
        "run lora-sf7-250k uart-115200-dma --size 12 --count 20 --region eu",
        "run thread-up nrf24-2m --size 79 --count 60 --trials 2 --traffic back-to-back",
    ],
    "explain": [
        "explain nrf24-2m --size 12",
        "explain uart-115200-dma --size 12",
        "explain nrf24-2m --size 12 --region us",
        "explain thread-up --size 79 --count 60 --trials 2 --traffic back-to-back",
    ],
    "goodput": ["goodput espnow --size 128 --count 50 --neighbour wifi:30%@ch1"],
    "load": ["load nrf24-2m --size 128 --count 50 --utilisation 0.5,2"],
    "capacity": ["capacity --devices 100,300 --spreading-factors adaptive --gateways 3"],
    "thread": [
        "thread --topology chain --hops 2 --count 10",
        "thread --count 1 --sleepy --frame-loss 0.9 --boards thread-up",
    ],
    "recommend": [
        "recommend nrf24-2m lora-sf7-250k --size 12 --deadline 5ms --range 30m --trade",
        "recommend espnow --size 12 --deadline 50ms --neighbour wifi:30%@ch1 --neighbour ble:1",
        "recommend nrf24-2m lora-sf7-250k --size 12 --deadline 50ms --region us",
    ],
    "tune": [
        "tune nrf24-2m --size 12 --count 20 --trials 8 --minimise p99 --subject-to loss<50%",
        "tune ble-nus-notify --size 12 --count 20 --trials 8 --minimise p50 --maximise goodput",
    ],
    "indices": [
        "indices nrf24-2m --size 12 --count 20 --samples 4 --of p50,loss --over window=1..3",
    ],
    "tunnel-bench": [
        "tunnel bench --virtual --offered 100k,1M --for 1s --set seal=plain --profile tunnel",
        "tunnel bench --virtual --offered 2M --for 1s --rate 1M --frame-loss 5%",
    ],
    "emulate": ["emulate hc05-57600 --serial --for 200ms"],
    "campaign": ["campaign small.toml", "campaign asked.toml"],
    "sweep": ["sweep swept.toml"],
    "analyze": [
        "analyze good.csv few.csv table.txt",
        "analyze good.csv table.txt --deadline 2ms",
        "analyze sniff.pcapng",
    ],
    "channels": ["channels good.csv few.csv nrf24-128B.parquet"],
    "match": [
        "match nrf24-128B.parquet --link nrf24-2m",
        "match nrf24-128B.parquet",
        "match good.csv --size 12",
    ],
    "compare": ["compare good.csv good.csv few.csv"],
    "report": ["report good.csv"],
    "convert": ["convert good.csv good.vcd"],
    "demo": ["demo"],
    "tunnel-key": ["tunnel key a.key"],
    "tunnel-doctor": ["tunnel doctor"],
    "rpc-test": ["rpc test --transport bumble", "rpc test --transport virtual"],
    "rpc-bench": ["rpc bench --transport bumble", "rpc bench --platform pixel5"],
}
#: What only a signal ends, or needs an instrument or a board: tests of its own hold it against its
#: schema.
ENDLESS = {"boards", "tunnel-up", "probe", "record", "reflect"}


@pytest.fixture
def inputs(folder: Path, capture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A good capture, one of a single transfer, a table, a saved run and a campaign."""
    del capture
    monkeypatch.delenv("AIRLAG_CAPTURES", raising=False)
    (folder / "few.csv").write_text(
        "Time [s],Channel 0,Channel 1\n0.0,0,0\n0.1,1,0\n0.11,0,0\n0.12,0,1\n0.13,0,0\n0.9,0,0\n"
    )
    (folder / "table.txt").write_text("".join(f"0.00{k % 7}5\n" for k in range(100)))
    run = emulate(Request("nrf24-2m", 128, count=120, period_ns=20_000_000, seed=3))
    library.save(run, folder / "nrf24-128B.parquet")
    _, frames = sniff(Request("ble-nus-notify", 12, count=20))
    (folder / "sniff.pcapng").write_bytes(frames.pcapng)
    (folder / "small.toml").write_text(
        '[[runs]]\nlinks = ["nrf24-2m", "uart-115200-dma"]\nsizes = [12]\ncount = 20\n'
    )
    (folder / "swept.toml").write_text(
        'links = ["nrf24-2m"]\nsizes = [12]\ncount = 20\nset = { window = [1, 2] }\n'
    )
    (folder / "asked.toml").write_text(
        'question = "How?"\nx = "size"\ny = "delivery"\n'
        '[[runs]]\nlinks = ["nrf24-2m"]\nsizes = [12]\ncount = 20\ntraffic = "goodput"\n'
        '[[runs]]\nlinks = ["espnow"]\nsizes = [12]\ncount = 20\n'
    )


def told(airlag: Airlag, name: str) -> dict[str, Any]:
    said = airlag("schema", name)
    assert (said.code, said.err) == (0, "")
    schema: dict[str, Any] = json.loads(said.out)
    return schema


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without leave for further keys."""
    shut = copy.deepcopy(schema)
    for described in shut["$defs"].values():
        assert described.get("additionalProperties", True) is True
        # A choice among objects has no keys of its own.
        if "properties" in described:
            described["additionalProperties"] = False
    return shut


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object of a document that has keys of its own."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from objects(each)


def test_every_command_that_prints_json_has_a_schema(airlag: Airlag) -> None:
    from airlag.cli.app import load
    from airlag.cli.overview import SUMMARIES

    commands = set()
    for name in SUMMARIES:
        found = load(name)
        if isinstance(found, typer.Typer):
            commands |= {f"{name}-{each.callback.__name__}" for each in found.registered_commands}
        else:
            commands.add(name)
    # Two things are asked of links. The studio prints its address.
    results = commands - {"schema", "studio"} | {"sensitivity"}
    assert set(airlag("schema").out.split()) == results
    assert set(json.loads(airlag("schema", "--json").out)) == results


@pytest.mark.parametrize("name", schemas.names())
def test_a_schema_is_one_and_the_documentation_has_it(name: str, airlag: Airlag) -> None:
    schema = told(airlag, name)
    jsonschema.Draft202012Validator.check_schema(schema)
    folder = DOCS / "schemas"
    kept = (folder / f"{name}.schema.json").read_text(encoding="utf-8")
    shared = json.loads((folder / COMMON).read_text(encoding="utf-8"))["$defs"]
    whole = json.loads(kept.replace(f"{COMMON}#", "#"))
    assert whole | {"$defs": {each: shared[each] for each in schema["$defs"]}} == schema


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.peers) if name == "thread" else name
        for name in schemas.names()
        if name not in ENDLESS
    ],
)
@pytest.mark.usefixtures("inputs")
def test_what_a_command_prints_has_the_keys_of_its_schema_and_no_others(
    name: str, airlag: Airlag
) -> None:
    schema = closed(told(airlag, name))
    if name == "thread":
        nodes()
    for line in LINES[name]:
        said = airlag(*line.split(), "--json")
        found = json.loads(said.out)
        assert found, said.err
        jsonschema.Draft202012Validator(schema).validate(found)


def test_a_key_more_is_no_error_for_users(airlag: Airlag, capture: Path) -> None:
    schema = told(airlag, "analyze")
    runs = json.loads(airlag("analyze", capture, "--json").out)
    for each in list(objects(runs[0]["findings"])):
        each["later"] = 1
    runs[0]["later"] = 1
    jsonschema.Draft202012Validator(schema).validate(runs)
    assert not jsonschema.Draft202012Validator(closed(schema)).is_valid(runs)


def test_a_name_that_has_no_schema_is_told_the_nearest(airlag: Airlag) -> None:
    said = airlag("schema", "analyse")
    assert (said.code, said.out) == (2, "")
    assert said.err == "airlag: no schema `analyse`; did you mean `analyze`?\n"
