"""Datasets: the same bytes whoever runs what, and nothing lost to what kills the command."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest
from told_sweeps import bytes_of, lines_of, once, started, sweep

import airlag
from airlag.cli import command_line
from airlag.questions.sweeps import dataset as datasets
from airlag.questions.sweeps.dataset import scan
from airlag.questions.sweeps.file import SweepError, load
from airlag.questions.sweeps.run import to_folder


def write(folder: Path, text: str) -> Path:
    path = folder / "asked.toml"
    path.write_text(text)
    return path


SMALL = 'links = ["nrf24-2m"]\nsizes = [12, 32]\ncount = 20\nreplications = 2\n'


def test_four_processes_give_the_bytes_of_one(file: Path, whole: Path, tmp_path: Path) -> None:
    sweep(file, tmp_path / "four", "--workers", "4")
    assert bytes_of(tmp_path / "four") == bytes_of(whole)
    to_folder(load(file), tmp_path / "threads", "threads")
    assert bytes_of(tmp_path / "threads") == bytes_of(whole)


def test_a_command_that_is_killed_goes_on(file: Path, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--workers", "2") as command:
        once(lambda: lines_of(folder) >= 5)
        command.kill()
    kept = lines_of(folder)
    # What was cut short is run again, and nothing else.
    journal = next(folder.glob(".pending/*.jsonl"))
    journal.write_bytes(journal.read_bytes() + b'[47,7,5,"cu')
    (folder / ".pending" / ".part-00000.parquet.x.part").write_bytes(b"PAR1")
    complete = scan(folder).collect().height if (folder / "runs").exists() else 0
    told = sweep(file, folder, "--workers", "2")
    assert (told["before"], told["runs"]) == (kept + complete, 48)
    assert bytes_of(folder) == bytes_of(whole)


def test_ctrl_c_leaves_what_the_same_command_goes_on_with(
    file: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--workers", "2") as command:
        once(lambda: lines_of(folder) >= 5)
        command.send_signal(signal.SIGINT)
        out, err = command.communicate(timeout=30)
    assert command.returncode == 130
    assert json.loads(out)["complete"] is False
    assert "runs are complete, and the same command resumes" in err
    sweep(file, folder)
    assert bytes_of(folder) == bytes_of(whole)


def test_a_process_that_is_killed_costs_its_run(file: Path, whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--workers", "2") as command:
        once(lambda: lines_of(folder) >= 3)
        children = Path(f"/proc/{command.pid}/task/{command.pid}/children")
        threads = children.parent.parent.glob("*/children")
        first = next(pid for each in threads for pid in each.read_text().split())
        os.kill(int(first), signal.SIGKILL)
        out, err = command.communicate(timeout=60)
    assert (command.returncode, err) == (0, "")
    assert json.loads(out)["runs"] == 48
    assert bytes_of(folder) == bytes_of(whole)


def test_parts_are_of_so_many_configurations(
    file: Path, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(datasets, "ROWS", 18)
    folder = tmp_path / "out"
    to_folder(load(file), folder, "threads")
    parts = sorted(path.name for path in folder.glob("runs/link=nrf24-2m/*"))
    assert parts == ["part-00000.parquet", "part-00001.parquet"]
    assert scan(folder).sort("run").collect().equals(scan(whole).sort("run").collect())
    # One part is lost, and it alone is made again.
    (folder / "runs" / "link=nrf24-2m" / "part-00000.parquet").unlink()
    before = bytes_of(folder)
    assert to_folder(load(file), folder, "threads") == 30
    assert before.items() < bytes_of(folder).items()


def test_rows_are_those_of_runs_and_differ_by_what_is_set_alone(whole: Path) -> None:
    rows = scan(whole).sort("run").collect()
    row = rows.filter(link="nrf24-2m", tx_power=-6, size=64, seed=2).row(0, named=True)
    run = airlag.run("nrf24-2m", 64, count=120, seed=2, tx_power=-6)
    assert run.latency is not None
    assert (row["p99_ns"], row["p50_ns"]) == (run.latency["p99"], run.latency["p50"])
    assert (row["period_ns"], row["problem"]) == (run.config["period_ns"], None)
    # Seeds are paired, and where nothing is far away power changes nothing: not even by chance.
    one, other = (rows.filter(tx_power=power)["p99_ns"].to_list() for power in (0, -6))
    assert one == other


def test_others_read_it_without_us(whole: Path) -> None:
    about = json.loads((whole / "sweep.json").read_text())
    names = [column["name"] for column in about["columns"]]
    kinds = {"Int64": "BIGINT", "Float64": "DOUBLE", "String": "VARCHAR", "Boolean": "BOOLEAN"}
    files = str(whole / "runs" / "*" / "*.parquet")
    found = duckdb.sql(f"describe from read_parquet('{files}', hive_partitioning = true)")
    told = {name: kind for name, kind, *_ in found.fetchall()}
    assert told == {each["name"]: kinds[each["type"]] for each in about["columns"]}
    summed = duckdb.sql(
        f"select link, size, count(*), avg(p99_ns) from read_parquet('{files}', "
        "hive_partitioning = true) group by all order by all"
    ).fetchall()
    lazily = (
        pl.scan_parquet(whole / "runs").group_by("link", "size")
        .agg(pl.len(), pl.col("p99_ns").mean()).sort("link", "size").collect().rows()
    )  # fmt: skip
    assert [row[:3] for row in summed] == [row[:3] for row in lazily]
    assert [row[3] for row in summed] == pytest.approx([row[3] for row in lazily])
    frame = pd.read_parquet(whole / "runs")
    assert sorted(frame.columns) == sorted(names)
    assert frame.groupby("link", observed=True)["run"].count().to_dict() == {
        "nrf24-2m": 24, "ble-nus-notify": 24,
    }  # fmt: skip


def test_transfers_are_a_dataset_of_their_own(tmp_path: Path) -> None:
    file = write(tmp_path, SMALL + "transfers = true\n")
    to_folder(load(file), tmp_path / "out", "threads")
    transfers = pl.scan_parquet(tmp_path / "out" / "transfers").collect()
    assert transfers.height == 80
    run = airlag.run("nrf24-2m", 12, count=20, seed=2)
    one = transfers.filter(run=1).select("trigger_ns", "completion_ns", "latency_ns", "outcome")
    assert one.equals(run.to_polars())


def test_what_cannot_be_run_is_a_row_that_says_why(tmp_path: Path) -> None:
    file = write(
        tmp_path,
        'links = ["ble-nus-notify"]\nsizes = [12]\ncount = 10\n[design]\npoints = 4\n'
        'over = { connection_interval = { from = "7.5ms", to = "8.8ms" } }\n',
    )
    told = sweep(file, tmp_path / "out")
    assert (told["runs"], told["problems"]) == (4, 4)
    assert "multiple of 1.25 ms" in told["table"][0]["problem"]
    refusing = write(tmp_path, file.read_text().replace("count", 'impossible = "refuse"\ncount'))
    with pytest.raises(airlag.LinkError, match=r"multiple of 1\.25 ms"):
        to_folder(load(refusing), tmp_path / "refused", "threads")


def test_replications_stop_when_the_quantile_is_known(tmp_path: Path) -> None:
    asked = 'links = ["nrf24-2m"]\nsizes = [12, 64]\ncount = 40\n[set]\nframe_loss = [0, 0.3]\n'
    file = write(
        tmp_path, asked + '[stop]\nquantile = "p99"\nwithin = "10%"\nbatch = 2\nmost = 8\n'
    )
    to_folder(load(file), tmp_path / "threads", "threads", workers=3)
    many = scan(tmp_path / "threads").group_by("configuration").len().collect()
    by_configuration = dict(many.rows())
    assert by_configuration[0] == 2
    assert max(by_configuration.values()) > 2
    assert set(by_configuration.values()) <= {2, 4, 6, 8}
    told = sweep(file, tmp_path / "one", "--workers", "1")
    assert bytes_of(tmp_path / "one") == bytes_of(tmp_path / "threads")
    assert sweep(file, tmp_path / "one")["before"] == told["runs"] == sum(by_configuration.values())


def test_a_folder_is_of_one_sweep(tmp_path: Path) -> None:
    to_folder(load(write(tmp_path, SMALL)), tmp_path / "out", "threads")
    before = bytes_of(tmp_path / "out")
    other = load(write(tmp_path, SMALL.replace("32", "31")))
    with pytest.raises(SweepError, match=r"created by another sweep \(`sizes` differs"):
        to_folder(other, tmp_path / "out", "threads")
    with pytest.raises(SweepError, match="has other content"):
        to_folder(other, tmp_path, "threads")
    about = tmp_path / "out" / "sweep.json"
    about.write_text(about.read_text().replace('"airlag": "', '"airlag": "9'))
    with pytest.raises(SweepError, match="was created by airlag 9"):
        to_folder(other, tmp_path / "out", "threads")
    assert before.keys() == bytes_of(tmp_path / "out").keys()


def test_one_command_at_a_time(file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--workers", "1") as command:
        once(lambda: lines_of(folder) >= 1)
        with pytest.raises(SweepError, match="another sweep is writing there"):
            to_folder(load(file), folder, "threads")
        command.kill()


#: What a power cut, or a stranger, leaves in the place of a line of a journal.
LEFT = {
    "zeros": bytes(4096),
    "zeros before a line": bytes(512) + b"[40]\n",
    "another type": b'{"run": 40}\n',
    "a number": b"40\n",
    "nothing": b"\n",
    "too few": b"[40,1,1]\n",
    "no text": b"\xff\xfe\n",
    "deep": b"[" * 100_000 + b"\n",
    "many digits": b"9" * 10_000 + b"\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_damage_to_a_journal_costs_the_rows_it_hit(
    name: str, file: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--workers", "1") as command:
        once(lambda: lines_of(folder) >= 5)
        command.kill()
    journal = next(folder.glob(".pending/*.jsonl"))
    *lines, last = journal.read_bytes().splitlines(keepends=True)
    lines += [last] if last.endswith(b"\n") else []
    elsewhere = sum(path.read_bytes().count(b"\n") for path in folder.glob(".pending/*.jsonl"))
    elsewhere -= len(lines)
    # In the place of the third; zeros swallow the line behind them too.
    hit = 1 if LEFT[name].endswith(b"\n") else 2
    journal.write_bytes(b"".join([*lines[:2], LEFT[name], *lines[3:]]))
    complete = scan(folder).collect().height if (folder / "runs").exists() else 0
    told = sweep(file, folder, "--workers", "1")
    assert told["before"] == complete + elsewhere + len(lines) - hit
    assert bytes_of(folder) == bytes_of(whole)


@pytest.mark.parametrize("content", [b"", bytes(4096), b"PAR1" + bytes(64) + b"PAR1", b"{}"])
def test_a_damaged_part_is_named_and_run_again_once_it_is_removed(
    content: bytes, file: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(whole, folder)
    part = next(folder.glob("runs/*/*.parquet"))
    asked = ["sweep", str(file), "-o", str(folder), "--scheduler", "threads"]
    kept = part.read_bytes()
    # Its footer is whole, and its rows are zeros: another kind of damage.
    for damage in (content, bytes(len(kept) // 2) + kept[len(kept) // 2 :]):
        part.write_bytes(damage)
        assert command_line(asked) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"airlag: {part}: cannot be read (")
        assert said.endswith("; delete it, and the same command restores it\n")
        assert said.count("\n") == 1
    part.unlink()
    assert command_line(asked) == 0
    assert bytes_of(folder) == bytes_of(whole)


@pytest.mark.parametrize("content", [b"", bytes(64), b"[]", b"7", b'{"airlag": 1}', b"\xff"])
def test_a_folder_whose_sweep_is_damaged_is_left_alone(
    content: bytes, file: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    shutil.copytree(whole, folder)
    (folder / "sweep.json").write_bytes(content)
    before = bytes_of(folder)
    with pytest.raises(SweepError, match="is not a sweep"):
        to_folder(load(file), folder, "threads")
    assert bytes_of(folder) == before
    assert not (folder / ".pending").exists()


def test_of_many_that_start_together_one_sweeps_and_the_others_are_told(
    file: Path, tmp_path: Path
) -> None:
    asked = load(file)
    for nth in range(50):
        folder = tmp_path / f"{nth}"
        held: list[datasets.Dataset | SweepError] = []
        together = threading.Barrier(4)

        def begin(
            folder: Path = folder,
            held: list[datasets.Dataset | SweepError] = held,
            together: threading.Barrier = together,
        ) -> None:
            dataset = datasets.Dataset(folder, asked)
            together.wait()
            try:
                dataset.open()
                held.append(dataset)
            except SweepError as error:
                held.append(error)

        threads = [threading.Thread(target=begin) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (one,) = [each for each in held if isinstance(each, datasets.Dataset)]
        others = [str(each) for each in held if isinstance(each, SweepError)]
        assert (
            others
            == [f"{folder}: another sweep is writing there; wait for it, or choose another folder"]
            * 3
        )
        one.close(complete=True)
        assert [left.name for left in folder.iterdir()] == ["sweep.json"]


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """The next best thing to a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.parametrize("size", [2000, 5000])
def test_a_disk_that_fills_costs_nothing_that_is_written(
    size: int, file: Path, whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    with full_at(size):
        arguments = ["sweep", str(file), "-o", str(folder), "--scheduler", "threads"]
        assert command_line(arguments) == 2
    said = capsys.readouterr().err
    assert re.search("cannot be written .(File too large|No space left)", said)
    assert said.count("\n") == 1
    kept = sum(path.read_bytes().count(b"\n") for path in folder.glob(".pending/*.jsonl"))
    if size > 2000:
        assert kept > 0
        assert to_folder(load(file), folder, "threads") == kept
        assert bytes_of(folder) == bytes_of(whole)


def test_python_gives_what_the_command_does(file: Path, whole: Path, tmp_path: Path) -> None:
    held = airlag.sweep(file)
    assert held.equals(scan(whole).sort("run").collect())
    kept = airlag.sweep(file, out=whole)
    assert kept.sort("run").collect().equals(held)
    frame = airlag.sweep("nrf24-2m", size=[12, 32], seeds=[1, 2], count=20, scheduler="local")
    assert frame.equals(airlag.sweep("nrf24-2m", size=[12, 32], seeds=[1, 2], count=20))
    lazy = airlag.sweep("nrf24-2m", size=[12, 32], seeds=[1, 2], count=20, out=tmp_path / "out")
    assert lazy.select("p99_ns").collect().equals(frame.select("p99_ns"))
    with pytest.raises(airlag.LinkError, match="accepts no options but"):
        airlag.sweep(file, size=3)
    design = {"points": 4, "over": {"range": {"from": 1, "to": 9}}}
    assert airlag.sweep("nrf24-2m", 12, count=20, design=design)["range"].n_unique() == 4
