#!/usr/bin/python3
"""Measures `herald plan` against `herald validate` of the same files, and against octoDNS: run.py HERALD
OCTODNS-SYNC

A project is applied, one of a hundred campaigns is changed, and both commands read it in turns. octoDNS plans
10,000 records of which one of a hundred changed, in the same run. The exit code is 1 if a limit is exceeded.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

MAKE_PROJECT = Path(__file__).resolve().parent.parent / "lint/make-project.py"
ROUNDS = {10_000: 7, 100_000: 3}
MEASURED = 10_000
OLD, NEW = "are back off", "are back near"

RATIO, SECONDS, MEGABYTES, GROWTH = 1.5, 1.0, 300, 11


@dataclass
class Run:
    """Seconds from process creation to process exit, and the kernel's counters."""

    wall: float
    cpu: float
    megabytes: float
    output: str


def run(*command: str | Path) -> Run:
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n{text[-2000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def check(run: Run, fragment: str) -> Run:
    if fragment not in run.output:
        sys.exit(f"expected {fragment!r}, got:\n{run.output[-2000:]}")
    return run


def median(runs: list[Run], field: str) -> float:
    return statistics.median(getattr(run, field) for run in runs)


@dataclass
class Measurement:
    """All rounds over one project."""

    campaigns: int
    state: int
    validate: list[Run]
    plan: list[Run]

    @property
    def ratio(self) -> float:
        """The ratio of the wall times of each round."""
        rounds = zip(self.plan, self.validate, strict=True)
        return statistics.median(plan.wall / validate.wall for plan, validate in rounds)


def change(project: Path) -> int:
    """Changes the title in one of a hundred files."""
    changed = sorted((project / "campaigns").rglob("*.yaml"))[::100]
    for path in changed:
        text = path.read_text()
        if text.count(OLD) != 1:
            sys.exit(f"{path} has no title to change")
        path.write_text(text.replace(OLD, NEW))
    return len(changed)


def measure(count: int, herald: Path, folder: Path) -> Measurement:
    project = folder / str(count)
    subprocess.run([sys.executable, MAKE_PROJECT, project, str(count)], check=True)
    run(herald, "apply", "--yes", "--quiet", "-C", project)
    changed = change(project)

    def read() -> tuple[Run, Run]:
        validated = run(herald, "validate", "-C", project)
        planned = run(herald, "plan", "-C", project)
        check(planned, f"{changed:,} campaigns changed")
        return check(validated, f"No problem found: {count:,} campaigns,"), planned

    os.sync()
    read()  # loads the files into memory for both
    rounds = [read() for _ in range(ROUNDS[count])]
    state = (project / ".herald/local.sqlite").stat().st_size
    return Measurement(count, state, [each for each, _ in rounds], [each for _, each in rounds])


def records(folder: Path, changed: bool) -> None:
    """Writes a zone with this many records, each with an address."""
    folder.mkdir()
    with (folder / "tidewatch.example.yaml").open("w") as zone:
        zone.write("---\n")
        for number in range(MEASURED):
            last = 99 if changed and number % 100 == 0 else 7
            value = f"10.{number // 250 % 250}.{number % 250}.{last}"
            zone.write(f"boat-{number:05}:\n  ttl: 300\n  type: A\n  value: {value}\n")


def octodns(program: Path, folder: Path) -> list[Run]:
    """Runs octoDNS's plan of one zone, from YAML files to YAML files."""
    records(folder / "wanted", changed=True)
    records(folder / "present", changed=False)
    provider = "  {0}: {{ class: octodns.provider.yaml.YamlProvider, directory: {1}, default_ttl: 300 }}\n"
    (folder / "octodns.yaml").write_text(
        "---\nmanager: { max_workers: 2 }\nproviders:\n"
        + provider.format("wanted", folder / "wanted")
        + provider.format("present", folder / "present")
        + "zones:\n  tidewatch.example.: { sources: [wanted], targets: [present] }\n"
    )
    command = [program, "--config-file", folder / "octodns.yaml"]
    expected = f"Creates=0, Updates={MEASURED // 100}, Deletes=0"
    return [check(run(*command), expected) for _ in range(3)]


def table(measurements: list[Measurement], peer: list[Run]) -> None:
    print("Seconds: median (best); MB: the largest resident set\n")
    print("| campaigns | state MB | validate | plan | plan CPU | plan × | validate MB | plan MB |")
    print("|" + " ---: |" * 8)
    for m in measurements:
        cells = [f"{m.campaigns:,}", f"{m.state / 1e6:.0f}"]
        for runs, field in ((m.validate, "wall"), (m.plan, "wall"), (m.plan, "cpu")):
            best = min(getattr(run, field) for run in runs)
            cells.append(f"{median(runs, field):.2f} ({best:.2f})")
        cells.append(f"{m.ratio:.2f}")
        cells += [f"{max(run.megabytes for run in runs):.0f}" for runs in (m.validate, m.plan)]
        print("| " + " | ".join(cells) + " |")
    most = max(run.megabytes for run in peer)
    print(f"\noctoDNS, {MEASURED:,} records: {median(peer, 'wall'):.2f} s, {most:.0f} MB\n")


def verdict(what: str, value: float, limit: float) -> bool:
    holds = value <= limit
    print(f"{what} {value:.2f} of at most {limit:g}: {'holds' if holds else 'BROKEN'}")
    return holds


def main() -> int:
    herald, program = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute()
    found: dict[int, Measurement] = {}
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        peer = octodns(program, Path(folder))
    for count in ROUNDS:
        with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
            found[count] = measure(count, herald, Path(folder))
    table(list(found.values()), peer)
    main_one, most = found[MEASURED], found[max(ROUNDS)]
    held = [
        verdict("plan / validate", main_one.ratio, RATIO),
        verdict("seconds", median(main_one.plan, "wall"), SECONDS),
        verdict("MB", max(run.megabytes for run in main_one.plan), MEGABYTES),
        verdict("100,000 ×", median(most.plan, "wall") / median(main_one.plan, "wall"), GROWTH),
        verdict("of octoDNS ×", median(main_one.plan, "wall") / median(peer, "wall"), 1),
    ]
    return 0 if all(held) else 1


sys.exit(main())
