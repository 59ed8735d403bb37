"""Runs a number of cases of each format and prints their outcomes; exit code 1 on any fault.

The same seed gives the same cases. With ``--keep`` the input of each fault is kept in a folder.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from mutation.mutate import mutated
from mutation.seeds import SEEDS
from mutation.worker import Ended, serve

COLUMNS = ("tracebacks", "panics", "aborts", "slow", "over budget", "untidy")
#: A worker that is silent for so long, s, hangs; a machine that is busy is slow too.
PATIENCE_S = 120.0


class Pool:
    """One worker for one format; another takes its place when it dies."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._good = SEEDS["csv"]()[0]
        self._start()

    def _start(self) -> None:
        # A new interpreter, because a fork would share the threads of libraries.
        context = multiprocessing.get_context("spawn")
        self._pipe: Connection
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, self._kind, self._good))
        self._process.start()
        theirs.close()

    def run(self, content: bytes) -> tuple[str | None, str]:
        """The fault of a case, or ``None``, and the output about it."""
        self._pipe.send(content)
        try:
            if self._pipe.poll(PATIENCE_S):
                ended: Ended = self._pipe.recv()
                cost = f"({ended.seconds:.1f} s, {ended.grown >> 20} MiB)"
                return ended.fault, f"{ended.complaints.strip()[:300]} {cost}"
            fault, said = "slow", "no answer"
        except (EOFError, ConnectionResetError):
            self._process.join(5)
            fault, said = "aborts", f"exit code {self._process.exitcode}"
        self.stop()
        self._start()
        return fault, said

    def stop(self) -> None:
        """Ends the worker."""
        self._process.kill()
        self._process.join()
        self._pipe.close()


def run_format(kind: str, cases: int, seed: int, keep: Path | None) -> Counter[str]:
    """Runs all cases of one format."""
    seeds = SEEDS[kind]()
    found: Counter[str] = Counter()
    pool = Pool(kind)
    for number in range(cases):
        random = Random(f"{seed} {kind} {number}")
        content = mutated(random.choice(seeds), kind, random)
        fault, said = pool.run(content)
        if fault is not None:
            found[fault] += 1
            sys.stderr.write(f"{kind} {number}: {fault}: {said}\n")
            if keep is not None:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{kind}-{number}").write_bytes(content)
    pool.stop()
    return found


def main() -> int:
    """Runs all formats, as many in parallel as there are processors."""
    parser = argparse.ArgumentParser(prog="mutation", description=__doc__)
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"of {', '.join(SEEDS)}")
    parser.add_argument("--cases", type=int, default=3000, help="cases a format; default: 3000")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep the input of each fault")
    asked = parser.parse_args()
    formats = asked.formats or list(SEEDS)
    if unknown := set(formats) - set(SEEDS):
        parser.error(f"no format {', '.join(sorted(unknown))}; there are {', '.join(SEEDS)}")
    with ThreadPoolExecutor(multiprocessing.cpu_count()) as side_by_side:
        results = side_by_side.map(
            lambda kind: run_format(kind, asked.cases, asked.seed, asked.keep), formats
        )
        sys.stdout.write(
            f"{'format':<14}{'cases':>7}" + "".join(f"{c:>13}" for c in COLUMNS) + "\n"
        )
        faults = 0
        for kind, found in zip(formats, results, strict=True):
            counts = "".join(f"{found[column]:>13}" for column in COLUMNS)
            sys.stdout.write(f"{kind:<14}{asked.cases:>7}{counts}\n")
            sys.stdout.flush()
            faults += found.total()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
