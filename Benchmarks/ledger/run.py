#!/usr/bin/python3
"""Measures the cost of the ledger: run.py LOAD FOLDER

LOAD records an occurrence of a million registrations as `herald apply` does, but sends nothing. All figures come
from outside of the program: strace counts the syncs, the kernel accounts the CPU time of the process, and sizes
are those of the files. FOLDER must be on a disk. The exit code is 1 if a limit is exceeded.
"""

import os
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROUNDS, COUNT, TRACED = 5, 1_000_000, 100_000
CPU, STORE, SYNCS = 0.5, 1.1, 1.1
# The default of --parallelism, and higher values.
OPEN = [64, 256, 1_000]


@dataclass
class Load:
    """The cost of one run."""

    seconds: float
    cpu: float
    stored: int
    kept: int


def size(path: Path) -> int:
    """Returns the size of a file on disk, in whole blocks."""
    return path.stat().st_blocks * 512 if path.exists() else 0


class Bench:
    def __init__(self, load: Path, folder: Path):
        self.load, self.folder = load, folder

    def command(self, count: int, opened: int, *more: str) -> list:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.state = self.folder / "bench.sqlite"
        return [self.load, self.state, str(count), str(opened), *more]

    def run(self, count: int, opened: int, *more: str) -> Load:
        """Measures CPU and time of the whole process. Bytes are counted after the log is merged into the database."""
        command = self.command(count, opened, *more)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(command, check=True)
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.check(count)
        kept = sum(size(path) for path in self.folder.glob("bench.ids/*"))
        return Load(seconds, cpu, size(self.state), kept)

    def check(self, count: int) -> None:
        """Checks that the state records every request as accepted, and that the log is merged into the database."""
        with sqlite3.connect(self.state) as state:
            state.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            rows = state.execute("SELECT count, released, accepted FROM units").fetchall()
        state.close()
        if rows != ([(count,) * 3] if count else []):
            sys.exit(f"the ledger says {rows}")

    def syncs(self, count: int, opened: int, *more: str) -> int:
        trace = self.folder.with_suffix(".strace")
        command = self.command(count, opened, *more)
        subprocess.run(
            ["strace", "-f", "-c", "-e", "trace=fsync,fdatasync,sync_file_range,msync",
             "-o", trace, *command], check=True)
        counts = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?(?:fsync|fdatasync)$",
                            trace.read_text(), re.MULTILINE)
        trace.unlink()
        return sum(map(int, counts))


def verdict(what: str, value: float, limit: float) -> bool:
    holds = value <= limit
    print(f"{what} {value:,.2f} of at most {limit:,g}: {'holds' if holds else 'FAILS'}")
    return holds


def main() -> int:
    load, place = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    place.mkdir(parents=True, exist_ok=True)
    system = subprocess.run(
        ["stat", "--file-system", "--format=%T", place],
        check=True, capture_output=True, text=True).stdout.strip()
    if system in ("tmpfs", "ramfs", "overlayfs"):
        sys.exit(f"{place} is on {system}, where a sync costs nothing")
    with tempfile.TemporaryDirectory(prefix="ledger-", dir=place) as name:
        bench = Bench(load, Path(name) / "state")
        empty = bench.run(0, 64).stored
        idle = min(bench.run(0, 64).cpu for _ in range(ROUNDS))
        loads = {opened: [bench.run(COUNT, opened) for _ in range(ROUNDS)] for opened in OPEN}
        with_ids = bench.run(COUNT, OPEN[0], "ids")
        syncs = {opened: bench.syncs(TRACED, opened) - bench.syncs(0, opened) for opened in OPEN}
    print(f"\non {system}; {COUNT:,} registrations; the program alone takes {idle * 1e3:.0f} ms of CPU\n")
    print("| open | CPU µs per registration: median (best) | seconds | bytes per registration | "
          f"syncs for {TRACED:,} | marks |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    holds = []
    cpu = {}
    for opened, rounds in loads.items():
        each = [(load.cpu - idle) / COUNT * 1e6 for load in rounds]
        cpu[opened] = statistics.median(each)
        seconds = statistics.median(load.seconds for load in rounds)
        stored = (rounds[0].stored - empty) / COUNT
        print(f"| {opened} | {cpu[opened]:.2f} ({min(each):.2f}) | {seconds:.1f} | {stored:.3f} | "
              f"{syncs[opened]:,} | {TRACED // opened:,} |")
    stored = (loads[OPEN[0]][0].stored - empty) / COUNT
    print(f"| {OPEN[0]}, ids | {(with_ids.cpu - idle) / COUNT * 1e6:.2f} | {with_ids.seconds:.1f} | "
          f"{(with_ids.stored - empty) / COUNT:.3f} + {with_ids.kept / COUNT:.1f} | | |\n")
    for opened in OPEN:
        holds.append(verdict(f"CPU µs per registration, {opened} open,", cpu[opened], CPU))
    holds.append(verdict("bytes of store per registration", stored, STORE))
    for opened in OPEN:
        holds.append(verdict(f"syncs per mark, {opened} open,", syncs[opened] / (TRACED / opened), SYNCS))
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
