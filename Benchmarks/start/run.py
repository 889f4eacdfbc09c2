#!/usr/bin/env python3
"""Measures how fast commands start, next to peers: run.py HERALD LIBYAML-EVENTS

HERALD is the program of `make install` (`.build/static/release/herald`). `--version` may take at most 10 ms, and
`validate` of a project with one campaign at most 15 ms. The values are user and system time of the process
(getrusage of the child), medians of 50 runs after 5 that fill the page cache. The exit code is 1 if a limit is broken.

The peers take turns with Herald: `true` and `git --version` for `--version`, and LIBYAML-EVENTS, which lets libyaml read the
same campaign and checks nothing, for `validate`. They have no limit; they show what the machine needs for any program.
"""

import os
import shutil
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


def cpu(command, names):
    """Milliseconds of one run, whose standard input is the file `names`."""
    with open(names, "rb") as stream:
        process = subprocess.Popen(command, stdin=stream, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{errors.decode()}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def measure(commands, names):
    """The milliseconds of each command, which take turns, by name."""
    values = {name: [] for name in commands}
    for number in range(WARMING + RUNS):
        for name, command in commands.items():
            value = cpu(command, names)
            if number >= WARMING:
                values[name].append(value)
    return values


def main():
    herald, events = (Path(argument).resolve() for argument in sys.argv[1:3])
    held = True
    with tempfile.TemporaryDirectory(prefix="herald-bench-") as folder:
        for name, text in FILES.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        git = [shutil.which("git"), "--version"]
        # libyaml-events reads the names of its files from standard input.
        names = Path(folder) / "names.txt"
        names.write_text(f"{folder}/campaigns/low-water.yaml\n")
        for arguments, limit, peers in (
                (["--version"], 10, {"true": ["/usr/bin/true"], "git --version": git}),
                (["validate", "-C", folder], 15, {"libyaml": [events]})):
            own = f"herald {arguments[0]}"
            values = measure({own: [herald, *arguments], **peers}, names)
            for name, found in values.items():
                median = statistics.median(found)
                line = f"{name}: median {median:.1f} ms (minimum {min(found):.1f})"
                if name == own:
                    held &= median <= limit
                    line += f" of at most {limit}: {'holds' if median <= limit else 'fails'}"
                print(line)
    return 0 if held else 1


if __name__ == "__main__":
    sys.exit(main())
