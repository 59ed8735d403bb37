"""Trust on first use: what is remembered of peripherals, and what is made of it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from direct import Direct
from package_ends import IDENTITY, SEED, PackagePeripheral

from airlag.rpc import Disconnected, Encryption, IdentityChanged, NotTrusted, Trust, connect

ADDRESS = "c0:00:00:00:00:02"


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "deep" / "peripherals.txt")


def met(trust: Trust, peripheral: PackagePeripheral, encryption: Encryption = "require") -> str:
    async def echoed() -> str:
        transport = Direct(peripheral, address=ADDRESS)
        async with connect(transport, trust=trust, encryption=encryption) as client:
            return await client.echo("hello")

    return asyncio.run(echoed())


def test_a_peripheral_is_remembered_when_it_is_first_met(trust: Trust) -> None:
    assert trust.known(ADDRESS) is None
    assert met(trust, PackagePeripheral(247)) == "hello"
    assert trust.known(ADDRESS) == trust.known(ADDRESS.upper()) == IDENTITY
    first = trust.path.read_text()
    assert first.splitlines()[1] == f"{ADDRESS.upper()} {IDENTITY.hex()}"
    assert met(trust, PackagePeripheral(247)) == "hello"
    assert trust.path.read_text() == first


def test_another_key_is_an_error_that_says_which_line_to_remove(trust: Trust) -> None:
    trust.meet("C0:00:00:00:00:01", bytes(32))
    met(trust, PackagePeripheral(247))
    before = trust.path.read_text()
    with pytest.raises(IdentityChanged) as caught:
        met(trust, PackagePeripheral(247, seed=bytes(32)))
    told = str(caught.value)
    assert told.startswith(f"{ADDRESS}: ")
    assert IDENTITY.hex() in told
    assert told.endswith(f"remove line 3 of {trust.path}")
    assert "\n" not in told
    assert trust.path.read_text() == before
    lines = before.splitlines(keepends=True)
    trust.path.write_text("".join(lines[:2] + lines[3:]))
    assert met(trust, PackagePeripheral(247, seed=bytes(32))) == "hello"


def test_a_known_peripheral_that_no_longer_encrypts_is_not_trusted(trust: Trust) -> None:
    met(trust, PackagePeripheral(247))
    with pytest.raises(Disconnected, match="encrypt"):
        met(trust, PackagePeripheral(247, encryption=False), "prefer")
    with pytest.raises(IdentityChanged, match="no identity key"):
        trust.meet(ADDRESS, None)


def test_in_the_clear_nobody_is_remembered(trust: Trust) -> None:
    assert met(trust, PackagePeripheral(247, encryption=False), "off") == "hello"
    assert not trust.path.exists()


def test_a_line_of_somebody_without_a_newline_stays_whole(trust: Trust) -> None:
    trust.path.parent.mkdir()
    trust.path.write_text(f"# mine\nC0:00:00:00:00:09 {SEED.hex()}")
    trust.meet(ADDRESS, IDENTITY)
    assert trust.known("C0:00:00:00:00:09") == SEED
    assert trust.known(ADDRESS) == IDENTITY


@pytest.mark.parametrize("line", ["", "12", "zz" * 32, "00" * 32 + " and more", "0 0"])
def test_a_line_that_is_no_key_is_told_with_its_place(trust: Trust, line: str) -> None:
    trust.path.parent.mkdir()
    trust.path.write_text(f"# mine\n{ADDRESS.upper()} {line}\n")
    with pytest.raises(NotTrusted, match=f"{trust.path}:2: no identity key"):
        met(trust, PackagePeripheral(247))


def test_a_file_that_is_no_text_and_one_that_cannot_be_written_are_told(trust: Trust) -> None:
    trust.path.parent.mkdir()
    trust.path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(NotTrusted, match="cannot be read"):
        trust.known(ADDRESS)
    below = Trust(trust.path / "below.txt")
    with pytest.raises(NotTrusted, match=r"cannot be (read|written)"):
        below.meet(ADDRESS, IDENTITY)


def test_the_file_of_the_user_is_where_the_system_keeps_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Trust.of_user().path.is_relative_to(tmp_path)
    assert Trust.of_user().path.name == "rpc-peripherals.txt"


#: A process that meets 25 peripherals of its own, and one that all meet.
MEETING = """
import sys
from pathlib import Path
from airlag.rpc import Trust

trust, nth = Trust(Path(sys.argv[1])), int(sys.argv[2])
for one in range(25):
    trust.meet(f"C0:00:00:00:{nth:02X}:{one:02X}", bytes([nth, one]) * 16)
    trust.meet("C0:FF:00:00:00:00", bytes(32))
"""


def test_of_processes_that_meet_at_once_none_forgets_what_another_met(trust: Trust) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", MEETING, str(trust.path), str(nth)])
        for nth in range(8)
    ]
    assert [process.wait(timeout=120) for process in processes] == [0] * 8
    lines = trust.path.read_text().splitlines()
    assert len(lines) == 1 + 8 * 25 + 1
    for nth in range(8):
        for one in range(25):
            assert trust.known(f"C0:00:00:00:{nth:02X}:{one:02X}") == bytes([nth, one]) * 16
