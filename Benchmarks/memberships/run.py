#!/usr/bin/python3
"""Measures how memberships are recorded and planned: run.py HERALD LOAD FOLDER [COUNT]

LOAD records COUNT registrations (default: 10,000,000) of 163 characters as members of a topic, as `herald apply` does,
but without FCM. Then 1 % of the list is removed and 1 % is added, and `herald plan` compares it with the memberships.
In the same run, `sort` and `comm` compare the same two lists. FOLDER must be on a disk and needs 8 GB for 10,000,000.
The limits of time and size are proportional to COUNT. The exit code is 1 if a limit is exceeded.
"""

import base64
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

FULL, ROUNDS, LENGTH = 10_000_000, 3, 163
# For 10,000,000 registrations: seconds and bytes of the store, and seconds of a plan.
STORE_SECONDS, STORE_BYTES, PLAN_SECONDS = 30, 1.6e9, 4
# For any number of registrations.
MEGABYTES, OF_SORT = 700, 0.1
PROJECT = """\
version: 1
project: bench
topics: { all: {} }
environments:
  local: { emulator: {} }
"""
AUDIENCE = "audience: everyone\nregistrations: campaigns/registrations/list.txt\nsubscribe: [all]\n"


@dataclass
class Run:
    """Seconds from process creation to process exit, and the kernel's counters."""

    wall: float
    cpu: float
    megabytes: float
    output: str


def run(*command: str | Path, folder: Path, output: Path | None = None) -> Run:
    """Runs a command in the C locale, in which `sort` is fastest."""
    environment = {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder), "XDG_STATE_HOME": str(folder / "seen")}
    with open(output, "w+") if output else tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, env=environment, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = "" if output else out.read()
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n{text[-2000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def registrations(count: int, seed: int) -> bytes:
    """Returns random registrations in FCM's form, one per line."""
    generator = random.Random(seed)
    size = LENGTH - 1
    text = base64.urlsafe_b64encode(generator.randbytes((count * size * 3 + 3) // 4)).decode()
    lines = [text[place * size:place * size + 22] + ":" + text[place * size + 22:(place + 1) * size]
             for place in range(count)]
    return ("\n".join(lines) + "\n").encode()


def write(path: Path, count: int, seed: int) -> None:
    step = 100_000
    with open(path, "wb") as file:
        for number, first in enumerate(range(0, count, step)):
            file.write(registrations(min(step, count - first), seed + number))


def change(path: Path, folder: Path, count: int) -> int:
    """Removes every hundredth line and adds as many new ones between the others; returns how many."""
    old = path.with_suffix(".old")
    path.rename(old)
    added = iter(registrations(count // 100 + 1, -1).splitlines(keepends=True))
    changed = 0
    with open(old, "rb") as source, open(path, "wb") as target:
        for number, line in enumerate(source):
            if number % 100 == 50:
                target.write(next(added))
                changed += 1
            else:
                target.write(line)
    run("sort", "--parallel", os.cpu_count() or 1, "-o", folder / "stored", old, folder=folder)
    old.unlink()
    return changed


def peer(path: Path, folder: Path, changed: int) -> float:
    """Sorts the list and compares it with the stored one, which is already sorted; returns the seconds."""
    sort = run("sort", "--parallel", os.cpu_count() or 1, "-o", folder / "sorted", path, folder=folder)
    comm = run("comm", "-3", folder / "stored", folder / "sorted", folder=folder, output=folder / "difference")
    lines = (folder / "difference").read_bytes().count(b"\n")
    if lines != 2 * changed:
        sys.exit(f"comm found {lines} differences instead of {2 * changed}")
    return sort.wall + comm.wall


def check(herald: Path, folder: Path, changed: int) -> None:
    """Checks the numbers of joins and leaves; this plan is not measured."""
    found = run(herald, "plan", "-C", folder, "--format", "json", folder=folder)
    changes = [(len(one["joins"]), len(one["leaves"])) for one in json.loads(found.output)["memberships"]]
    if changes != [(changed, changed)]:
        sys.exit(f"the plan has {changes} instead of {changed} joins and leaves")


def verdict(what: str, value: float, limit: float) -> bool:
    holds = value <= limit
    print(f"{what} {value:,.2f} of at most {limit:,g}: {'holds' if holds else 'FAILS'}")
    return holds


def main() -> int:
    herald, load, place = (Path(argument).resolve() for argument in sys.argv[1:4])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else FULL
    share = count / FULL
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="memberships-", dir=place) as name:
        folder = Path(name)
        (folder / "campaigns/registrations").mkdir(parents=True)
        (folder / "herald.yaml").write_text(PROJECT)
        (folder / "campaigns/everyone.yaml").write_text(AUDIENCE)
        path = folder / "campaigns/registrations/list.txt"
        write(path, count, seed=1)
        state = folder / ".herald/local.sqlite"
        recorded = run(load, state, path, "everyone", "all", folder=folder)
        members, seconds = recorded.output.split()
        if int(members) != count:
            sys.exit(f"{members} of {count} registrations were recorded")
        size = state.stat().st_size
        changed = change(path, folder, count)
        check(herald, folder, changed)
        plans, peers = [], []
        for _ in range(ROUNDS):
            plans.append(run(herald, "plan", "-C", folder, folder=folder))
            peers.append(peer(path, folder, changed))
    ratio = statistics.median(plan.wall / peer for plan, peer in zip(plans, peers, strict=True))
    wall = statistics.median(plan.wall for plan in plans)
    print(f"{count:,} registrations of {LENGTH} characters, 1 % removed and 1 % added\n")
    print("| recorded s | load CPU s | load MB | state GB | plan s | plan CPU s | plan MB | sort + comm s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {float(seconds):.1f} | {recorded.cpu:.1f} | {recorded.megabytes:.0f} | {size / 1e9:.2f} | {wall:.2f} | "
          f"{statistics.median(plan.cpu for plan in plans):.2f} | {max(plan.megabytes for plan in plans):.0f} | "
          f"{statistics.median(peers):.1f} |\n")
    holds = [
        verdict("store seconds", float(seconds), STORE_SECONDS * share),
        verdict("state GB", size / 1e9, STORE_BYTES / 1e9 * share),
        verdict("plan seconds", wall, PLAN_SECONDS * share),
        verdict("plan MB", max(plan.megabytes for plan in plans), MEGABYTES),
        verdict("of sort + comm ×", ratio, OF_SORT),
    ]
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
