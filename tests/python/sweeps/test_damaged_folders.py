"""Folders of sweeps that a power cut or a stranger damaged: what is sound is kept and goes on."""

from __future__ import annotations

import io
import json
import sys
import zipfile
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from told_sweeps import bytes_of

from airlag.cli import command_line
from airlag.questions.sweeps.columns import Column, is_row, schema

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from mutation.mutate import HOSTILE_VALUES
from mutation.seeds import SEEDS, SWEPT

CASES = 200
#: What stands in the place of a whole file.
CONTENTS = (b"", b"\0", bytes(4096), b"[]", b"{}", b"7\n", b"null\n", b"\xff\xfe", b"PAR1" * 3)


def damaged(content: bytes, others: bytes, random: Random) -> bytes:
    """A file after a power cut: blocks of zeros or of other files, cut, or another file."""
    at, end = sorted(random.randrange(len(content) + 1) for _ in range(2))
    match random.randrange(6):
        case 0:
            return random.choice(CONTENTS)
        case 1:
            return content[:at]
        case 2:
            return content[:at] + bytes(end - at) + content[end:]
        case 3:
            return content[:at] + others[: end - at] + content[end:]
        case 4:
            lines = content.splitlines(keepends=True) or [b"\n"]
            random.shuffle(lines)
            return b"".join(lines * 2)
        case _:
            lines = content.splitlines(keepends=True) or [b"\n"]
            text = json.dumps(random.choice([one for one in HOSTILE_VALUES if one != 10**400]))
            line = text.encode() + b"\t%08x\n" % zlib.crc32(text.encode())
            lines[random.randrange(len(lines))] = line
            return b"".join(lines)


@pytest.fixture(scope="module")
def folders() -> list[dict[str, bytes]]:
    """The files of a dataset that is complete, of one under way, and of one just begun."""
    read = [zipfile.ZipFile(io.BytesIO(each)) for each in SEEDS["swept"]()]
    return [{name: file.read(name) for name in file.namelist()} for file in read]


def test_what_is_sound_is_kept_and_the_same_command_goes_on(
    folders: list[dict[str, bytes]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("swept.toml").write_bytes(SWEPT)
    whole = folders[0]
    ends: list[int] = []
    for nth in range(CASES):
        random = Random(f"damage {nth}")
        files = random.choice(folders)
        name = random.choice([one for one in sorted(files) if not one.endswith("lock")])
        out = Path(str(nth))
        for each, content in files.items():
            (out / each).parent.mkdir(parents=True, exist_ok=True)
            (out / each).write_bytes(content)
        held = damaged(files[name], random.choice(sorted(files.values())), random)
        (out / name).write_bytes(held)
        asked = ["sweep", "swept.toml", "-o", str(out), "--scheduler", "threads", "--json"]
        code = command_line(asked)
        told = capsys.readouterr()
        ends.append(code)
        assert code in (0, 2), (nth, name)
        left = bytes_of(out)
        if code == 0:
            # Its rows may be read where zeros fell on what nobody needs.
            is_part = name.endswith(".parquet")
            assert left.keys() == whole.keys(), (nth, name)
            assert all(left[one] == whole[one] for one in left if not is_part or one != name), nth
            continue
        assert told.err.count("\n") == 1, (nth, name, told.err)
        assert told.err.startswith(f"airlag: {out}"), (nth, name, told.err)
        # The file is named, it stays for whoever wants to look at it, and nothing else is lost.
        assert left[name] == held
        assert all(left[one] == files[one] for one in files if one in whole and one != name), nth
        (out / name).unlink()
        if name == "sweep.json":
            (out / name).write_bytes(files[name])
        assert command_line(asked) == 0, (nth, name, capsys.readouterr().err)
        capsys.readouterr()
        assert bytes_of(out) == whole, (nth, name)
    assert min(ends.count(0), ends.count(2)) > CASES // 5


COLUMNS = [Column(kind, kind, "") for kind in ("Int64", "Float64", "Boolean", "String")]
VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=3)
    | st.sampled_from(HOSTILE_VALUES)
)


@given(st.lists(VALUES, min_size=4, max_size=4))
def test_a_row_that_is_taken_over_can_be_written(row: list[Any]) -> None:
    import polars as pl

    if is_row(COLUMNS, row):
        table = pl.DataFrame([row], schema=dict(schema(COLUMNS)), orient="row")
        table.write_parquet(io.BytesIO())
        assert [*table.row(0)] == row
