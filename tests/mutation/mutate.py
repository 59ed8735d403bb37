"""Damage and attacks on a file: on its bytes, its numbers, its members, its metadata."""

from __future__ import annotations

import io
import json
import re
import sqlite3
import warnings
import zipfile
import zlib
from random import Random
from typing import Any

from mutation.seeds import archive

#: Numbers and words that fit no field.
HOSTILE_WORDS = (
    b"-1", b"0", b"1e999", b"-1e999", b"nan", b"inf", b"9223372036854775807", b"0x" + b"f" * 5000,
    b"18446744073709551616", b"1" * 5000, b"0." + b"3" * 400, b"", b"\x00", b"\xff\xfe",
    "\N{RIGHT-TO-LEFT OVERRIDE}\x85µ".encode(), b"\x1b[2J", b"a" * 100_000, b'"', b"[" * 3000,
    b"{a=" * 100, b"a" + b".a" * 3000, b"$end", b"\r", b"9" * 19 + b"s", b"1ns",
)  # fmt: skip

#: Values of another type or range.
HOSTILE_VALUES: tuple[Any, ...] = (
    -1, 0, 5, 2**31, 2**63, 2**64, 2**70, -(2**63), 10**400, 1.5, -1e308, "", "x", "\ud800",
    "a" * 100_000, None, True, [], {}, [[]], {"a": {"a": 1}}, [0, 1, False, 2**62],
)  # fmt: skip


def mutated(content: bytes, kind: str, random: Random) -> bytes:
    """One case: usually one mutation, sometimes up to four of them."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = _once(content, kind, random)
    return content


def _once(content: bytes, kind: str, random: Random) -> bytes:
    # Damage to the wrapping is rejected early, so most cases change the content.
    inside = random.random() < 0.7
    if (kind in ("sal", "sr", "saleae-binary") and inside) or kind == "swept":
        return _archive(content, random)
    if kind == "study" and inside:
        return _database(content, random)
    if kind == "parquet" and inside:
        return _metadata(content, random)
    return _bytes(content, random)


#: What is longer is not made many times longer: a bomb must not go off in here, bytes.
_SMALL = 1 << 20


def _bytes(content: bytes, random: Random) -> bytes:
    size = max(len(content), 1)
    at, other = sorted((random.randrange(size), random.randrange(size)))
    block = min(other, at + random.choice((1, 4, 16, 256, size)))
    match random.randrange(8):
        case 0:
            flipped = bytearray(content or b"\x00")
            for _ in range(random.choice((1, 1, 3, 20))):
                flipped[random.randrange(len(flipped))] ^= 1 << random.randrange(8)
            return bytes(flipped)
        case 1:
            return content[:at]
        case 2:
            times = random.choice((2, 3, 50 if size <= _SMALL else 2))
            return content[:at] + content[at:block] * times + content[block:]
        case 3:
            return content[:at] + content[block:]
        case 4:
            return content[block:other] + content[at:block] + content[:at] + content[other:]
        case 5:
            return content[:at] + random.choice(HOSTILE_WORDS) + content[at:]
        case 6:
            return content[:at] + random.randbytes(random.choice((1, 2, 8))) + content[block:]
        case _:
            numbers = list(re.finditer(rb"[0-9.]+", content))
            if not numbers:
                return content[:at] + b"\xff" * 8 + content[at + 8 :]
            found = random.choice(numbers)
            return content[: found.start()] + random.choice(HOSTILE_WORDS) + content[found.end() :]


def _archive(content: bytes, random: Random) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            members = {name: file.read(name) for name in file.namelist()}
    except Exception:
        # An earlier mutation damaged the wrapping, in whatever way.
        return _bytes(content, random)
    if not members:
        return _bytes(content, random)
    name = random.choice(sorted(members))
    match random.randrange(8):
        case 0:
            del members[name]
        case 1:
            members[random.choice(("", "../x", "a" * 300, "digital-99999999999.bin"))] = (
                members.pop(name)
            )
        case 2:
            members[name] = b""
        case 3:
            # A bomb: a few kilobytes that unpack to sixty megabytes.
            members[name] += bytes(random.choice((1 << 20, 60 << 20)))
        case 4 if name.endswith(".json"):
            members[name] = _json(members[name], random)
        case 4 if name.endswith(".jsonl"):
            lines = members[name].splitlines(keepends=True) or [b"[]\n"]
            at = random.randrange(len(lines))
            # With the right checksum, so that the values are read.
            text = _json(lines[at].rpartition(b"\t")[0], random)
            lines[at] = text + b"\t%08x\n" % zlib.crc32(text)
            members[name] = b"".join(lines)
        case 5 if len(members[name]) <= _SMALL:
            members |= {f"{name}{n}": members[name] for n in range(300)}
        case _:
            members[name] = _bytes(members[name], random)
    return archive(members)


def _json(text: bytes, random: Random) -> bytes:
    try:
        value = json.loads(text)
    except ValueError:
        return _bytes(text, random)
    return json.dumps(replaced(value, random)).encode()


def replaced(value: Any, random: Random) -> Any:
    """JSON in which one value at any depth is replaced by a hostile one."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        key = random.choice(sorted(value))
        if random.random() < 0.1:
            return {name: each for name, each in value.items() if name != key}
        return value | {key: replaced(value[key], random)}
    if isinstance(value, list) and value and random.random() < 0.8:
        at = random.randrange(len(value))
        return [*value[:at], replaced(value[at], random), *value[at + 1 :]]
    return random.choice(HOSTILE_VALUES)


def _database(content: bytes, random: Random) -> bytes:
    """A valid database in which one value is changed, or rows or a table are missing."""
    held = sqlite3.connect(":memory:", isolation_level=None)
    try:
        held.deserialize(content)
        tables = [name for (name,) in held.execute("select name from sqlite_master") if name]
        table = random.choice([name for name in tables if "_ix" not in name and "ix_" not in name])
        columns = [row[1] for row in held.execute(f"pragma table_info({table})")]
        rows = [row for (row,) in held.execute(f"select rowid from {table}")]
        row = random.choice(rows) if rows else 0
        match random.randrange(10):
            case 0:
                held.execute(f"drop table {table}")
            case 1:
                held.execute(f"delete from {table}")
            case 2:
                held.execute(f"delete from {table} where rowid = ?", (row,))
            case 3 if columns:
                held.execute(f"alter table {table} drop column {random.choice(columns)}")
            case _ if columns:
                value = random.choice(HOSTILE_VALUES)
                text = [name for name in columns if name.endswith("_json")]
                column = random.choice(text or columns)
                if text and random.random() < 0.7:
                    of = f"select {column} from {table} where rowid = ?"
                    ((old,),) = held.execute(of, (row,)).fetchall() or (("null",),)
                    value = _json(str(old).encode(), random).decode("utf-8", "replace")
                elif not isinstance(value, int | float | str | None):
                    value = json.dumps(value)
                held.execute(f"update {table} set {column} = ? where rowid = ?", (value, row))
        return held.serialize()
    except (sqlite3.Error, OverflowError, UnicodeError, IndexError):
        # An earlier mutation damaged it, or the database refuses the value.
        return _bytes(content, random)
    finally:
        held.close()


def _metadata(content: bytes, random: Random) -> bytes:
    """A valid Parquet file whose metadata or columns are not those of a run."""
    import polars as pl

    try:
        text = pl.read_parquet_metadata(io.BytesIO(content))["airlag"]
        table = pl.read_parquet(io.BytesIO(content))
        about = json.loads(text)
    except (Exception, pl.exceptions.PanicException):
        return _bytes(content, random)
    match random.randrange(8):
        case 0:
            table = table.sample(fraction=1.0, shuffle=True, seed=random.randrange(2**32))
        case 1:
            table = table.drop(random.choice(table.columns))
        case 2:
            table = table.head(random.randrange(table.height + 1))
        case 3:
            name = random.choice(table.columns)
            table = table.with_columns(pl.lit(random.choice((0, 1.5, "x", None))).alias(name))
        case _:
            about = replaced(about, random)
    text = json.dumps(about)
    if random.random() < 0.1:
        text = _bytes(text.encode(), random).decode("utf-8", "replace")
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table.write_parquet(out, metadata={"airlag": text})
    return out.getvalue()
