#!/usr/bin/python3
"""Measures `herald validate` against libyaml's bare event loop: run.py HERALD PEER

Both read the same files in turns, so other load on the machine affects both. Each ratio is that of a round's two
runs, and the median of the rounds is compared with the limit. The exit code is 1 if a limit is exceeded.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROUNDS = {1: 20, 1_000: 7, 10_000: 7, 100_000: 3}
MEASURED = 10_000

WALL_RATIO, CPU_RATIO, MEGABYTES, GROWTH, ONE_FILE_MS = 2.5, 5.0, 300, 1.25, 30


@dataclass
class Run:
    """Seconds from process creation to process exit, and the kernel's counters."""

    wall: float
    cpu: float
    megabytes: float
    output: str


def run(command: list[str | Path], stdin: Path | None = None) -> Run:
    with tempfile.TemporaryFile("w+") as output, open(stdin or os.devnull) as given:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=given, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n{text[:2000]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


@dataclass
class Measurement:
    """All rounds over one project."""

    files: int
    bytes: int
    peer: list[Run]
    herald: list[Run]

    def median(self, of: str, field: str) -> float:
        return statistics.median(getattr(run, field) for run in getattr(self, of))

    def best(self, of: str, field: str) -> float:
        return min(getattr(run, field) for run in getattr(self, of))

    def ratio(self, field: str) -> float:
        rounds = zip(self.herald, self.peer, strict=True)
        return statistics.median(getattr(h, field) / getattr(p, field) for h, p in rounds)

    @property
    def megabytes(self) -> float:
        return max(run.megabytes for run in self.herald)

    @property
    def a_file(self) -> float:
        """Returns the CPU time in microseconds per file. Unlike the wall time, it does not depend on other
        processes."""
        return self.median("herald", "cpu") / self.files * 1e6


def check(run: Run, beginning: str) -> Run:
    if not run.output.startswith(beginning):
        sys.exit(f"expected {beginning!r}, got:\n{run.output[:2000]}")
    return run


def measure(count: int, herald: Path, peer: Path, folder: Path) -> Measurement:
    project, names = folder / str(count), folder / f"{count}.txt"
    subprocess.run([sys.executable, HERE / "make-project.py", project, str(count)], check=True)
    size = files = 0
    with names.open("w") as listing:
        for path in project.rglob("*.yaml"):
            print(path, file=listing)
            size += path.stat().st_size
            files += 1

    def read() -> tuple[Run, Run]:
        by_peer = check(run([peer], stdin=names), f"{files} files, {size} bytes, ")
        campaigns = f"{count:,} campaign{'s' if count > 1 else ''}"
        command = [herald, "validate", "-C", project]
        return by_peer, check(run(command), f"No problem found: {campaigns},")

    os.sync()
    read()  # loads the files into memory for both
    rounds = [read() for _ in range(ROUNDS[count])]
    return Measurement(count, size, [peer for peer, _ in rounds], [ours for _, ours in rounds])


def table(measurements: list[Measurement]) -> None:
    print("Times in ms: median (best)\n")
    print("| files | bytes | libyaml wall | libyaml CPU | herald wall | herald CPU ", end="")
    print("| wall × | CPU × | herald MB | CPU µs per file |")
    print("|" + " ---: |" * 10)
    for m in measurements:
        times = [
            f"{m.median(of, field) * 1e3:.1f} ({m.best(of, field) * 1e3:.1f})"
            for of in ("peer", "herald")
            for field in ("wall", "cpu")
        ]
        ratios = [f"{m.ratio('wall'):.2f}", f"{m.ratio('cpu'):.2f}"]
        cells = [f"{m.files:,}", f"{m.bytes:,}", *times, *ratios]
        print("| " + " | ".join([*cells, f"{m.megabytes:.0f}", f"{m.a_file:.0f}"]) + " |")
    print()


def verdict(what: str, value: float, limit: float) -> bool:
    holds = value <= limit
    print(f"{what} {value:.2f} of at most {limit:g}: {'holds' if holds else 'BROKEN'}")
    return holds


def main() -> int:
    herald, peer = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    found: dict[int, Measurement] = {}
    for count in ROUNDS:
        with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
            found[count] = measure(count, herald, peer, Path(folder))
    table(list(found.values()))
    main_one, most = found[MEASURED], found[max(ROUNDS)]
    held = [
        verdict("wall ×", main_one.ratio("wall"), WALL_RATIO),
        verdict("CPU ×", main_one.ratio("cpu"), CPU_RATIO),
        verdict("MB", main_one.megabytes, MEGABYTES),
        verdict("CPU per file at 100,000 ×", most.a_file / main_one.a_file, GROWTH),
        verdict("ms for one file", found[1].median("herald", "wall") * 1e3, ONE_FILE_MS),
    ]
    return 0 if all(held) else 1


sys.exit(main())
