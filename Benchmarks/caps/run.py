#!/usr/bin/python3
"""Measures the decision of frequency caps: run.py LOAD FOLDER [--people N]

LOAD creates a state with 12 occurrences of one week to two lists of the same N people (default: 1,000,000) with 2.4
registrations each, and another one that was interrupted after half of its requests. Then it decides the caps of a new
occurrence, and those of the rest of the interrupted one, each in a process of its own, three times. Reading what the
decision needs from the state is part of it; FOLDER must be on a disk.

The exit code is 1 if a median takes more than 2 s or a process needs more than 200 MB, for 1,000,000 people.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FULL, DEVICES, OCCURRENCES, ROUNDS = 1_000_000, 2.4, 12, 3
PARTS = {"decide": "a new occurrence", "again": "the rest of an interrupted one"}
SECONDS, MEGABYTES = 2.0, 200


def decide(load: Path, part: str, state: Path) -> tuple[list[str], float]:
    """Returns what the process printed, and its largest memory in megabytes."""
    process = subprocess.Popen([load, part, state], stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return output.split(), usage.ru_maxrss / 1_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("load", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--people", type=int, default=FULL)
    options = parser.parse_args()
    registrations = int(options.people * DEVICES)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        state = Path(folder) / "state.sqlite"
        fill = [options.load, "fill", state, options.people, registrations, OCCURRENCES]
        subprocess.run([str(part) for part in fill], check=True)
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
        print(f"{options.people:,} people with {registrations:,} registrations, {OCCURRENCES} earlier occurrences; "
              f"state: {size / 1e6:.0f} MB")
        runs = {part: [decide(options.load, part, state) for _ in range(ROUNDS)] for part in PARTS}
    share, is_good = options.people / FULL, True
    for part, results in runs.items():
        people, capped = (int(number) for number in results[0][0][:2])
        # Each person got 4 of the 12 messages, and the cap is 3.
        assert people == capped == options.people, (people, capped)
        seconds = statistics.median(float(output[2]) for output, _ in results)
        megabytes = max(memory for _, memory in results)
        print(f"{PARTS[part]}: {seconds:.2f} s, {megabytes:.0f} MB")
        is_good = is_good and seconds <= SECONDS * max(share, 0.1) and megabytes <= MEGABYTES * max(share, 0.2)
    return int(not is_good)


if __name__ == "__main__":
    sys.exit(main())
