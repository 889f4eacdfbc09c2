#!/usr/bin/python3
"""Measures large lists: run.py HERALD LOAD SINK FOLDER [--count N] [--long N] [PART ...]

The parts are `plan` and `first`; the default is both.

plan: LOAD records N registrations (default: 10,000,000) of 163 characters as members of a topic, as `herald apply`
does, but without FCM. Then 1 % of the list is removed and 1 % is added, and `herald plan` compares it with the
memberships. In the same run, `sort` and `comm` compare the same two lists. With `--long`, the same is planned for a
longer list, without `sort` and `comm`.

first: `herald apply` sends to the list, and SINK, the sink of the benchmark of sending, measures when the first request
arrives. Then Herald is killed, and its state must have the whole list. In the same run, `dd` writes as many bytes as
the list has in the state.

FOLDER must be on a disk. 10,000,000 registrations need 8 GB, and 30,000,000 need 15 GB. The limits of time and size are
proportional to N, up to 10,000,000 also that of memory. For fewer than 10,000,000, which CI measures on any machine, the
limits of time are longer where `sort` and `comm` take longer than on the machine of the figures, and the ratio to them is
only printed: the start of a program takes a quarter of the time of a plan of 1,000,000. For these, memory is the largest
private memory, because most of the other pages are those of the program, 40 MB for any list. The exit code is 1 if a limit
is exceeded.
"""

import argparse
import base64
import importlib.util
import json
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

FULL, ROUNDS, LENGTH = 10_000_000, 3, 163
# For 10,000,000 registrations: seconds and bytes of the store, seconds of a plan, and seconds before the first request
# in addition to those of `dd`.
STORE_SECONDS, STORE_BYTES, PLAN_SECONDS, FIRST_SECONDS = 30, 1.6e9, 4, 4
# For 10,000,000 registrations and more; a list that is three times as long takes at most 3.3 times as long.
MEGABYTES, OF_SORT, GROWTH = 700, 0.1, 1.1
# Between two looks at the private memory of a plan.
LOOK_SECONDS = 0.001
# The seconds of `sort` and `comm` for 1,000,000 registrations on the machine of the figures.
PEER_SECONDS = 1.25
PROJECT = """\
version: 1
project: bench
topics: { all: {} }
environments:
  local: { emulator: {} }
"""
AUDIENCE = "audience: everyone\nregistrations: campaigns/registrations/list.txt\nsubscribe: [all]\n"
CAMPAIGN = "campaign: tides\naudience: { registrations: list.txt }\nmessage: { notification: { title: High water } }\n"

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("sending", Path(__file__).parent.with_name("send") / "run.py")
sending = importlib.util.module_from_spec(spec)
sys.modules["sending"] = sending
spec.loader.exec_module(sending)


@dataclass
class Run:
    """Seconds from process creation to process exit, and the kernel's counters."""

    wall: float
    cpu: float
    megabytes: float
    output: str


def run(*command: str | Path, folder: Path, output: Path | None = None) -> Run:
    """Runs a command in the C locale, in which `sort` is fastest."""
    with open(output, "w+") if output else tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=out, env=environment(folder), cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = "" if output else out.read()
    if process.returncode != 0:
        sys.exit(f"{command[0]} ended with {process.returncode}:\n{text[-2000:]}")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, text)


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "LC_ALL": "C", "TMPDIR": str(folder), "XDG_STATE_HOME": str(folder / "seen")}


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


def change(path: Path, count: int) -> int:
    """Removes every hundredth line and adds as many new ones between the others; returns how many."""
    old = path.with_suffix(".old")
    path.rename(old)
    added = iter(registrations(count // 100 + 1, 1 << 32).splitlines(keepends=True))
    changed = 0
    with open(old, "rb") as source, open(path, "wb") as target:
        for number, line in enumerate(source):
            if number % 100 == 50:
                target.write(next(added))
                changed += 1
            else:
                target.write(line)
    return changed


def sort(path: Path, output: Path, folder: Path) -> Run:
    return run("sort", "--parallel", os.cpu_count() or 1, "-o", output, path, folder=folder)


def peer(path: Path, folder: Path, changed: int) -> float:
    """Sorts the list and compares it with the stored one, which is already sorted; returns the seconds."""
    sorting = sort(path, folder / "sorted", folder)
    comm = run("comm", "-3", folder / "stored", folder / "sorted", folder=folder, output=folder / "difference")
    lines = (folder / "difference").read_bytes().count(b"\n")
    if lines != 2 * changed:
        sys.exit(f"comm found {lines} differences instead of {2 * changed}")
    return sorting.wall + comm.wall


class Project:
    """A project whose audience is recorded with a list that then changes."""

    def __init__(self, folder: Path, load: Path, count: int):
        self.folder, self.count = folder, count
        (folder / "campaigns/registrations").mkdir(parents=True)
        (folder / "herald.yaml").write_text(PROJECT)
        (folder / "campaigns/everyone.yaml").write_text(AUDIENCE)
        self.list = folder / "campaigns/registrations/list.txt"
        write(self.list, count, seed=1)
        state = folder / ".herald/local.sqlite"
        self.recorded = run(load, state, self.list, "everyone", "all", folder=folder)
        members, seconds = self.recorded.output.split()
        if int(members) != count:
            sys.exit(f"{members} of {count} registrations were recorded")
        self.seconds, self.size = float(seconds), state.stat().st_size
        self.changed = change(self.list, count)
        self.old = self.list.with_suffix(".old")

    def check(self, herald: Path) -> None:
        """Checks the numbers of joins and leaves; this plan is not measured."""
        found = run(herald, "plan", "-C", self.folder, "--format", "json", folder=self.folder)
        changes = [(one["joins"]["count"], one["leaves"]["count"]) for one in json.loads(found.output)["memberships"]]
        if changes != [(self.changed, self.changed)]:
            sys.exit(f"the plan has {changes} instead of {self.changed} joins and leaves")

    def plan(self, herald: Path) -> Run:
        return run(herald, "plan", "-C", self.folder, folder=self.folder)

    def private_megabytes(self, herald: Path) -> float:
        """Returns the largest private memory of a plan; looking takes time, so this plan is not measured otherwise."""
        process = subprocess.Popen([herald, "plan", "-C", self.folder], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, env=environment(self.folder), cwd=self.folder)
        largest = 0
        while process.poll() is None:
            for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
                if line.startswith("RssAnon:"):
                    largest = max(largest, int(line.split()[1]))
            time.sleep(LOOK_SECONDS)
        if process.returncode != 0 or largest == 0:
            sys.exit(f"herald plan ended with {process.returncode} and {largest} KB of private memory")
        return largest / 1024


def verdict(what: str, value: float, limit: float) -> bool:
    holds = value <= limit
    print(f"{what} {value:,.2f} of at most {limit:,g}: {'holds' if holds else 'FAILS'}", flush=True)
    return holds


def slowness(count: int, peers: list[float]) -> float:
    """Returns by how much the limits of time are multiplied."""
    return max(1.0, middle(peers) / (PEER_SECONDS * count / 1e6)) if count < FULL else 1.0


def middle(values: list[float]) -> float:
    return statistics.median(values)


def measure_plan(herald: Path, load: Path, place: Path, count: int, long: int | None) -> tuple[list[bool], float]:
    share = count / FULL
    with tempfile.TemporaryDirectory(prefix="memberships-", dir=place) as name:
        project = Project(Path(name), load, count)
        project.check(herald)
        sort(project.old, project.folder / "stored", project.folder)
        project.old.unlink()
        plans, peers = [], []
        for _ in range(ROUNDS):
            plans.append(project.plan(herald))
            peers.append(peer(project.list, project.folder, project.changed))
        private = max(project.private_megabytes(herald) for _ in range(ROUNDS))
    wall, megabytes = middle([plan.wall for plan in plans]), max(plan.megabytes for plan in plans)
    ratio = middle([plan.wall / peer for plan, peer in zip(plans, peers, strict=True)])
    print(f"{count:,} registrations of {LENGTH} characters, 1 % removed and 1 % added\n")
    print("| recorded s | load CPU s | load MB | state GB | plan s | plan CPU s | plan MB | sort + comm s |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {project.seconds:.1f} | {project.recorded.cpu:.1f} | {project.recorded.megabytes:.0f} "
          f"| {project.size / 1e9:.2f} | {wall:.2f} | {middle([plan.cpu for plan in plans]):.2f} | {megabytes:.0f} "
          f"| {middle(peers):.1f} |\n")
    slow = slowness(count, peers)
    holds = [
        verdict("store seconds", project.seconds, STORE_SECONDS * share * slow),
        verdict("state GB", project.size / 1e9, STORE_BYTES / 1e9 * share),
        verdict("plan seconds", wall, PLAN_SECONDS * share * slow),
        verdict("plan MB", megabytes, MEGABYTES) if count >= FULL
        else verdict("private plan MB", private, MEGABYTES * share),
        verdict("of sort + comm ×", ratio, OF_SORT) or count < FULL,
    ]
    return holds + (measure_long(herald, load, place, long, wall / count) if long else []), slow


def measure_long(herald: Path, load: Path, place: Path, count: int, each: float) -> list[bool]:
    """`each`: the seconds of a plan per registration of the shorter list."""
    with tempfile.TemporaryDirectory(prefix="memberships-", dir=place) as name:
        project = Project(Path(name), load, count)
        project.old.unlink()
        project.check(herald)
        plans = [project.plan(herald) for _ in range(ROUNDS)]
    wall, megabytes = middle([plan.wall for plan in plans]), max(plan.megabytes for plan in plans)
    print(f"\n{count:,} registrations: planned in {wall:.2f} s, {middle([plan.cpu for plan in plans]):.2f} s of CPU\n")
    return [verdict("plan MB", megabytes, MEGABYTES), verdict("of the plan per registration ×", wall / count / each, GROWTH)]


# MARK: The first request


def apply(herald: Path, sink: "sending.Sink", folder: Path, count: int) -> tuple[float, float, int]:
    """Kills an apply after its first request; returns its seconds and megabytes, and the bytes of the list."""
    start = time.monotonic_ns()
    process = subprocess.Popen([herald, "apply", "--yes", "--quiet", "-e", "bench", "-C", folder],
                               stdout=subprocess.DEVNULL, env=environment(folder.parent))
    while sink.account()[0] == 0:
        if process.poll() is not None:
            sys.exit(f"herald ended with {process.returncode} before its first request")
        time.sleep(0.001)
    first = sink.account()[2]
    process.send_signal(signal.SIGKILL)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = -signal.SIGKILL
    with sqlite3.connect(folder / ".herald/bench.sqlite") as state:
        found = state.execute("""
            SELECT lists.count, sum(list_chunks.count), sum(coalesce(length, length(registrations)))
            FROM lists JOIN list_chunks ON list = lists.id WHERE pending = 0""").fetchall()
    state.close()
    if [row[:2] for row in found] != [(count, count)]:
        sys.exit(f"the state has {found} instead of {count} registrations")
    return (first - start) / 1e9, usage.ru_maxrss / 1024, found[0][2]


def dd(size: int, folder: Path) -> float:
    target = folder / "dd"
    blocks = -(-size // (1 << 20))
    wall = run("dd", "if=/dev/zero", f"of={target}", "bs=1M", f"count={blocks}", "conv=fdatasync", "status=none",
               folder=folder).wall
    target.unlink()
    return wall


def measure_first(herald: Path, sink: Path, place: Path, count: int, slow: float) -> list[bool]:
    with tempfile.TemporaryDirectory(prefix="first-", dir=place) as name:
        folder = Path(name)
        path = folder / "list.txt"
        write(path, count, seed=1)
        ca = sending.certificate(folder)
        firsts, dds, size, megabytes = [], [], 0, 0.0
        for number in range(ROUNDS):
            with sending.sink(sink, folder) as running:
                project = folder / f"project-{number}"
                (project / "campaigns").mkdir(parents=True)
                (project / "herald.yaml").write_text(
                    "version: 1\nproject: bench\nenvironments:\n"
                    f"  bench:\n    emulator: {{ url: '{running.secure}', ca: ca.pem, credentials: key.json }}\n")
                (project / "campaigns/tides.yaml").write_text(CAMPAIGN)
                (project / "ca.pem").write_bytes(ca.read_bytes())
                sending.account_key(project, "key.json")
                os.link(path, project / "list.txt")
                seconds, peak, size = apply(herald, running, project, count)
                firsts.append(seconds)
                megabytes = max(megabytes, peak)
            run("rm", "-rf", project, folder=folder)
            dds.append(dd(size, folder))
    print(f"\n{count:,} registrations of {LENGTH} characters, {size / 1e9:.2f} GB in the state\n")
    print("| first request after s | apply MB | dd s |")
    print("| ---: | ---: | ---: |")
    print(f"| {middle(firsts):.2f} | {megabytes:.0f} | {middle(dds):.2f} |\n")
    more = middle([first - written for first, written in zip(firsts, dds, strict=True)])
    return [verdict("seconds before the first request, without those of dd,", more, FIRST_SECONDS * count / FULL * slow)]


def main() -> int:
    parser = argparse.ArgumentParser()
    for name in ("herald", "load", "sink", "folder"):
        parser.add_argument(name, type=lambda text: Path(text).resolve())
    parser.add_argument("--count", type=int, default=FULL)
    parser.add_argument("--long", type=int)
    parser.add_argument("parts", nargs="*")
    given = parser.parse_intermixed_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    holds, slow = [], 1.0
    parts = given.parts or ["plan", "first"]
    if "plan" in parts:
        holds, slow = measure_plan(given.herald, given.load, given.folder, given.count, given.long)
    if "first" in parts:
        holds += measure_first(given.herald, given.sink, given.folder, given.count, slow)
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
