#!/usr/bin/python3
"""Measures the decision of frequency caps: run.py LOAD FOLDER [--people N]

LOAD creates a state with 12 occurrences of one week to a list, whose people have 2.4 registrations each. Then it decides
the caps of one more occurrence to N people (default: 1,000,000) in a process of its own, three times. Reading what the
decision needs from the state is part of it; FOLDER must be on a disk.

The exit code is 1 if the median takes more than 2 s or a process needs more than 200 MB, for 1,000,000 people.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

FULL, DEVICES, OCCURRENCES, ROUNDS = 1_000_000, 2.4, 12, 3
SECONDS, MEGABYTES = 2.0, 200


def decide(load: Path, state: Path) -> tuple[list[str], float]:
    """Returns what the process printed, and its largest memory in megabytes."""
    process = subprocess.Popen([load, "decide", state], stdout=subprocess.PIPE, text=True)
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
        runs = [decide(options.load, state) for _ in range(ROUNDS)]
    people, capped = (int(number) for number in runs[0][0][:2])
    # Each person got 4 of the 12 messages, and the cap is 3.
    assert people == capped == options.people, (people, capped)
    seconds = statistics.median(float(output[2]) for output, _ in runs)
    megabytes = max(memory for _, memory in runs)
    print(f"{people:,} people with {registrations:,} registrations, {OCCURRENCES} earlier occurrences")
    print(f"decision: {seconds:.2f} s, {megabytes:.0f} MB; state: {size / 1e6:.0f} MB")
    share = options.people / FULL
    return int(seconds > SECONDS * max(share, 0.1) or megabytes > MEGABYTES * max(share, 0.2))


if __name__ == "__main__":
    sys.exit(main())
