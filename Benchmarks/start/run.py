#!/usr/bin/env python3
"""Measures how fast commands start: run.py HERALD

HERALD is the program of `make install` (`.build/static/release/herald`). `--version` may take at most 10 ms, and
`validate` of a project with one campaign at most 15 ms. The values are user and system time of the process
(getrusage of the child), medians of 50 runs after 5 that fill the page cache. The exit code is 1 if a limit is broken.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS, WARMING = 50, 5
FILES = {
    "herald.yaml": "version: 1\nproject: one\ntopics: { tides: { about: Tide warnings } }\n",
    "campaigns/low-water.yaml": "campaign: low-water\naudience: { topic: tides }\n"
                                "message: { notification: { title: Low water, body: Mind the rocks. } }\n",
}


def cpu(command):
    """Milliseconds of one run."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{errors.decode()}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def main():
    herald = Path(sys.argv[1]).resolve()
    held = True
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        for name, text in FILES.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        for arguments, limit in ((["--version"], 10), (["validate", "-C", folder], 15)):
            values = [cpu([herald, *arguments]) for _ in range(WARMING + RUNS)][WARMING:]
            median = statistics.median(values)
            holds = median <= limit
            held &= holds
            print(f"{arguments[0]}: median {median:.1f} ms of at most {limit} (minimum {min(values):.1f}): "
                  f"{'holds' if holds else 'fails'}")
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
