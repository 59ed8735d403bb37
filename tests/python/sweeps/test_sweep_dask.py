"""A real Dask scheduler and workers on loopback: the same bytes, whatever is killed."""

from __future__ import annotations

import datetime
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import distributed
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from told_sweeps import bytes_of, lines_of, once, started, sweep

import airlag
from airlag.questions.sweeps import cluster
from airlag.questions.sweeps.file import load
from airlag.questions.sweeps.pool import PoolError
from airlag.questions.sweeps.run import to_folder

DASK = [sys.executable, "-m", "distributed.cli.dask_{}"]

#: What a worker loads that is to be of another version.
OTHER = """
from airlag.questions.sweeps import task
task.__version__ = "9.9.9"
"""


@dataclass
class Running:
    """A scheduler and its workers, each a process."""

    folder: Path
    security: distributed.Security | None = None
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Where the scheduler is."""
        return (self.folder / "address").read_text().strip()

    def start(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        """Starts one of its programs."""
        words = [DASK[0], DASK[1], DASK[2].format(what), "--no-dashboard", *options]
        log = (self.folder / f"{what}-{len(self.processes)}.log").open("wb")
        with log:
            process = subprocess.Popen(words, cwd=self.folder, stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def worker(self, *options: str) -> subprocess.Popen[bytes]:
        """Starts a worker of one thread, which nobody starts again, and waits until it is there.

        Without the wait, a test may count the workers while one of an earlier test is on its way.
        """
        name = f"worker{len(self.processes)}-{time.monotonic_ns()}"
        process = self.start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1",
            "--name", name, *options,
        )  # fmt: skip
        once(lambda: name in self.names())
        return process

    def names(self) -> set[str]:
        """The workers that the scheduler knows."""
        with distributed.Client(
            self.address, security=self.security, set_as_default=False
        ) as client:
            workers = client.scheduler_info(n_workers=-1)["workers"]
        return {worker["name"] for worker in workers.values()}

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """Kills one of them."""
        process.kill()
        process.wait()
        self.processes.remove(process)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    made = Running(tmp_path_factory.mktemp("dask"))
    file = made.folder / "scheduler.json"
    made.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(file))
    once(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
    (made.folder / "address").write_text(json.loads(file.read_text())["address"])
    made.worker()
    made.worker()
    yield made
    for process in list(made.processes):
        made.end(process)


@pytest.mark.timeout(300)
def test_a_worker_that_is_killed_costs_its_run(
    running: Running, file: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--scheduler", running.address) as command:
        once(lambda: lines_of(folder) >= 3)
        running.end(running.processes[1])
        out, err = command.communicate(timeout=100)
    running.worker()
    assert (command.returncode, err) == (0, "")
    assert '"runs": 48' in out
    assert bytes_of(folder) == bytes_of(whole)


@pytest.mark.timeout(300)
def test_a_client_that_is_killed_goes_on(
    running: Running, file: Path, whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    with started(file, folder, "--scheduler", running.address) as command:
        once(lambda: lines_of(folder) >= 5)
        command.kill()
    kept = 24 * len(list(folder.glob("runs/*/*"))) + lines_of(folder)
    told = sweep(file, folder, "--scheduler", running.address)
    assert (told["before"], told["runs"]) == (kept, 48)
    assert bytes_of(folder) == bytes_of(whole)


@pytest.mark.timeout(300)
def test_a_client_of_ones_own_is_used_and_stays_open(running: Running) -> None:
    with distributed.Client(running.address, set_as_default=False) as client:
        frame = airlag.sweep("nrf24-2m", [12, 32], seeds=[1, 2], count=20, scheduler=client)
        assert frame.equals(airlag.sweep("nrf24-2m", [12, 32], seeds=[1, 2], count=20))
        assert client.status == "running"


@pytest.mark.timeout(300)
def test_another_version_is_told_in_one_line(running: Running, file: Path, tmp_path: Path) -> None:
    preload = running.folder / "other.py"
    preload.write_text(OTHER)
    other = running.worker("--preload", str(preload))
    try:
        with pytest.raises(PoolError, match=r"runs airlag 9\.9\.9, this process .*the same ver"):
            to_folder(load(file), tmp_path / "out", running.address)
    finally:
        running.end(other)


@pytest.mark.timeout(300)
def test_a_scheduler_that_is_gone_costs_nothing_that_is_written(
    running: Running,
    file: Path,
    whole: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, address = tmp_path / "out", running.address
    with started(file, folder, "--scheduler", address) as command:
        once(lambda: lines_of(folder) >= 3)
        running.end(running.processes[0])
        _, err = command.communicate(timeout=100)
    assert command.returncode == 2
    assert err.count("\n") == 1
    assert "is gone; restart it, and the same command resumes" in err
    monkeypatch.setattr(cluster, "PATIENCE_S", 1)
    with pytest.raises(PoolError, match="no Dask scheduler responds"):
        to_folder(load(file), folder, address)
    assert sweep(file, folder)["before"] >= 3
    assert bytes_of(folder) == bytes_of(whole)


#: What somebody else who listens there answers; ``None``: nothing, and stays.
ANSWERS = {
    "another protocol": b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
    "ones": b"\xff" * 4096,
    "too long a frame": struct.pack("<QQQ", 1 << 45, 1, 1 << 45),
    "no handshake": struct.pack("<QQQ", 18, 1, 2) + b"\x91\x80",
    "nothing at all": None,
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_that_is_none_of_dasks_is_told_in_one_line(
    name: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "PATIENCE_S", 2)
    held: list[socket.socket] = []

    def answer() -> None:
        while True:
            try:
                held.append(listener.accept()[0])
            except OSError:
                return
            held[-1].sendall(ANSWERS[name] or b"")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=answer, daemon=True).start()
        address = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(PoolError, match="no Dask scheduler responds") as refused:
            to_folder(load(file), tmp_path / "out", address)
        listener.shutdown(socket.SHUT_RDWR)
    for one in held:
        one.close()
    assert str(refused.value).isprintable()


def certificate(folder: Path) -> list[str]:
    """A certificate and its key, and the options that name them."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    encoding, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "cert.pem").write_bytes(made.public_bytes(encoding))
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, plain)
    (folder / "key.pem").write_bytes(private)
    return ["--tls-ca-file", "cert.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem"]


@pytest.mark.timeout(300)
def test_with_certificates_as_the_page_shows_it_goes_over_tls(
    file: Path, whole: Path, tmp_path: Path
) -> None:
    tls = certificate(tmp_path)
    ends = distributed.Security(
        tls_ca_file=str(tmp_path / "cert.pem"),
        tls_client_cert=str(tmp_path / "cert.pem"),
        tls_client_key=str(tmp_path / "key.pem"),
    )
    made = Running(tmp_path, ends)
    about = tmp_path / "scheduler.json"
    try:
        made.start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--protocol", "tls", *tls,
            "--scheduler-file", str(about),
        )  # fmt: skip
        once(lambda: about.exists() and about.read_text().rstrip().endswith("}"))
        (tmp_path / "address").write_text(json.loads(about.read_text())["address"])
        assert made.address.startswith("tls://")
        made.worker(*tls)
        words = ["sweep", str(file), "-o", "out", "--json", "--scheduler", made.address]
        variables = {
            "DASK_DISTRIBUTED__COMM__TLS__CA_FILE": "cert.pem",
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT": "cert.pem",
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY": "key.pem",
        }
        for environment, code in (({}, 2), (variables, 0)):
            told = subprocess.run(
                [sys.executable, "-m", "airlag", *words],
                cwd=tmp_path,
                env=os.environ | environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert told.returncode == code, told.stderr
            assert told.stderr.count("\n") == (code == 2)
        assert bytes_of(tmp_path / "out") == bytes_of(whole)
    finally:
        for process in list(made.processes):
            made.end(process)
