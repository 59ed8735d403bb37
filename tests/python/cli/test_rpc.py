"""``airlag rpc``: functional tests and benchmarks of calls over a link."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from told import Airlag

from airlag.rpc.errors import CallFailed
from airlag.rpc.functional import TESTS
from airlag.rpc.speed import SPEEDS, platforms

PUBLISHED = {
    each["name"]: each["published"] for each in platforms() if each["published"]["echo_roundtrip"]
}
OVER_BUMBLE = ("--transport", "bumble")


def answered(airlag: Airlag, *arguments: Any) -> list[dict[str, Any]]:
    told = airlag("rpc", *arguments, "--json")
    assert (told.code, told.err) == (0, "")
    found: list[dict[str, Any]] = json.loads(told.out)
    return found


@pytest.mark.parametrize("plain", [(), ("--no-encryption",)])
@pytest.mark.parametrize("over", [OVER_BUMBLE, ()])
def test_all_functional_tests_pass(
    airlag: Airlag, over: tuple[str, ...], plain: tuple[str, ...]
) -> None:
    found = answered(airlag, "test", *over, *plain)
    assert [each["test"] for each in found] == list(TESTS)
    assert {(each["passed"], each["problem"]) for each in found} == {(True, None)}
    assert all(each["latency_ns"] > 0 for each in found)


def test_the_table_fits_a_mail(airlag: Airlag) -> None:
    told = airlag("rpc", "test", *OVER_BUMBLE)
    assert (told.code, told.err) == (0, "")
    lines = told.out.splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [[name, "passed"] for name in TESTS]
    assert max(map(len, lines)) <= 80
    told = airlag("rpc", "bench", *OVER_BUMBLE)
    note, _, *lines = told.out.splitlines()
    assert note.startswith("model fitted: ")
    assert [line.split()[1] for line in lines] == list(SPEEDS)
    assert max(map(len, told.out.splitlines())) <= 80


def test_a_test_that_fails_is_told_and_the_exit_code_is_1(
    airlag: Airlag, monkeypatch: pytest.MonkeyPatch
) -> None:
    from airlag.rpc.benchmark import Benchmark

    async def lost(_: Benchmark, data: bytes) -> int:
        if len(data) > 5000:
            raise CallFailed("nothing came")
        return len(data) - 1

    monkeypatch.setattr(Benchmark, "data_write", lost)
    told = airlag("rpc", "test", *OVER_BUMBLE, "--json")
    failed = [each for each in json.loads(told.out) if not each["passed"]]
    assert (told.code, told.err) == (1, "")
    assert [each["problem"] for each in failed] == ["1023 of 1024 B received", "nothing came"]
    assert [each["latency_ns"] is None for each in failed] == [False, True]
    told = airlag("rpc", "test", *OVER_BUMBLE)
    assert told.code == 1
    assert told.out.count("failed") == 2
    assert "nothing came" in told.out


def test_one_seed_prints_the_same_bytes_on_the_virtual_bench(airlag: Airlag) -> None:
    for command in ("test", "bench"):
        asked = ("rpc", command, "--platform", "iphone16", "--seed", "7", "--json")
        assert airlag(*asked) == airlag(*asked)


def test_a_platform_of_the_page_has_what_it_published_beside_it(airlag: Airlag) -> None:
    found = answered(airlag, "bench", *OVER_BUMBLE, "--platform", "pixel5")
    assert {each["platform"] for each in found} == {"pixel5"}
    assert {each["benchmark"]: each["published"] for each in found} == PUBLISHED["pixel5"]
    found = answered(airlag, "bench", *OVER_BUMBLE, "--platform", "nrf52")
    assert {each["published"] for each in found} == {None}


def test_the_virtual_bench_measures_every_platform_of_the_page(airlag: Airlag) -> None:
    found = answered(airlag, "bench")
    assert [(each["platform"], each["benchmark"]) for each in found] == [
        (platform, benchmark) for platform in PUBLISHED for benchmark in SPEEDS
    ]
    for each in found:
        assert each["answered"] == each["calls"] == SPEEDS[each["benchmark"]].calls
        assert each["published"] == PUBLISHED[each["platform"]][each["benchmark"]]
        assert each["unit"] == SPEEDS[each["benchmark"]].unit
        assert each["measured"] > 0


def test_numbers_are_kept(airlag: Airlag, folder: Path) -> None:
    told = airlag("rpc", "bench", *OVER_BUMBLE, "-o", "numbers.json", "--json")
    assert (told.code, told.err) == (0, "airlag: wrote numbers.json\n")
    assert json.loads((folder / "numbers.json").read_text()) == json.loads(told.out)
    (folder / "mine.json").write_text("{}")
    told = airlag("rpc", "bench", *OVER_BUMBLE, "-o", "mine.json")
    assert (told.code, told.err.count("\n")) == (2, 1)
    assert (folder / "mine.json").read_text() == "{}"
    assert airlag("rpc", "bench", *OVER_BUMBLE, "-o", "mine.json", "--force").code == 0


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (("test", "--transport", "usb"), "virtual, bumble, bumble:HCI or bleak"),
        (("test", "--transport", "bumble:"), "virtual, bumble, bumble:HCI or bleak"),
        (("test", "--platform", "palm"), "macos, iphone16, pixel5, nrf52 or linux"),
        (("test", "--link", "rpc-mac"), "rpc-macos"),
        (("test", "--set", "hope=1"), "hope"),
        (("test", "--seed", "x"), "seed"),
        (("test", "--address", "C0:00:00:00:00:02"), "omit it with virtual"),
        (("test", *OVER_BUMBLE, "--address", "C0:00:00:00:00:02"), "omit it with bumble"),
        (("test", *OVER_BUMBLE, "--seed", "3"), "omit them with bumble"),
        (("bench", "--transport", "bleak", "--link", "rpc-macos"), "omit them with bleak"),
        (("test", "--transport", "bumble:nope"), "no controller nope"),
        (("bench", "-o", "numbers.txt"), ".json"),
    ],
)
def test_what_is_not_understood_is_one_line_with_what_would_be_right(
    airlag: Airlag, arguments: tuple[str, ...], right: str
) -> None:
    told = airlag("rpc", *arguments)
    assert (told.code, told.out, told.err.count("\n")) == (2, "", 1)
    assert right in told.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_gives_the_controller_back(number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        hci = f"bumble:tcp-client:127.0.0.1:{server.getsockname()[1]}"
        with subprocess.Popen(
            [sys.executable, "-m", "airlag", "rpc", "test", "--transport", hci],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            controller, _ = server.accept()
            with controller:
                # Its first command, which is never answered.
                assert controller.recv(1)
                process.send_signal(number)
                out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (128 + number, b"", b"")


def test_without_a_command_it_says_which_there_are(airlag: Airlag) -> None:
    told = airlag("rpc")
    assert told.code == 0
    assert "test" in told.out
    assert "bench" in told.out
