#!/usr/bin/python3
"""Measures the delivery model: run.py LOAD

LOAD seeds a million devices in a hundred topics, four topics each, and sends to a condition. The peak memory is
the kernel's figure for the process. The exit code is 1 if a limit is exceeded.
"""

import json
import resource
import statistics
import subprocess
import sys

ROUNDS, DEVICES = 3, 1_000_000
SET_MS, READABLE_MS, PEAK = 50, 2_000, 1_000_000_000


def main():
    runs = [json.loads(subprocess.check_output([sys.argv[1], str(DEVICES)])) for _ in range(ROUNDS)]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    median = lambda name: statistics.median(run[name] for run in runs)
    found = {
        "set of a condition's recipients, ms": (median("set_ms"), SET_MS),
        "delivered or stored, and read, ms": (median("delivery_ms") + median("reading_ms"), READABLE_MS),
        "peak of memory, MB": (peak / 1e6, PEAK / 1e6),
    }
    print(f"{DEVICES:,} devices, {runs[0]['recipients']:,} recipients; {ROUNDS} rounds, medians")
    print(f"seeding {median('seeding_ms'):.0f} ms; a send to {runs[0]['wide']:,} {median('wide_ms'):.0f} ms")
    for name, (value, limit) in found.items():
        print(f"{name}: {value:.1f} (limit {limit:.0f})")
    if any(run["read"] != run["recipients"] for run in runs):
        sys.exit("not every recipient has the message")
    if any(run["holders"] != run["recipients"] for run in runs):
        sys.exit("other devices have the message")
    sys.exit(any(value > limit for value, limit in found.values()))


main()
