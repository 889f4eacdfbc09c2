#!/usr/bin/python3
"""Measures a service: run.py HERALD SINK CLOCKS FOLDER [--occurrences N] [--ticks N] [PART ...]

The parts are `second`, `idle` and `memory`; the default is all.

second: `herald apply` records N campaigns (default: 10,000) to lists of three registrations, due in the same second,
and `herald run` sends them at an unlimited pace. SINK, the sink of the benchmark of sending, measures when the last
request arrives. `max_unknown` is 100,000, so that no send waits for the answers to others.

idle: `herald run` waits for the same number of campaigns that are due in ten years. The kernel counts its processor
time for a minute, in which the service records that it was seen.

memory: `herald run` waits 1.2 times as many seconds as N ticks (default: 100,000) on clocks that run a thousand times
as fast. CLOCKS is the library of the end-to-end tests that shifts clocks. The resident memory at the end is compared
with that after a hundredth of the time.

FOLDER must be on a disk, because it contains the ledger. The exit code is 1 if a limit is exceeded.
"""

import argparse
import importlib.util
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

PARTS = ["second", "idle", "memory"]
REGISTRATIONS = 3
# The limits: seconds, a share of a core, and megabytes.
SECONDS, IDLE, GROWTH = 1.0, 0.001, 5
IDLE_SECONDS, SPEED, TICK_SECONDS = 60, 1_000, 1.2
# What `apply` needs to record a campaign, with room.
RECORDING_SECONDS = 0.002

sys.dont_write_bytecode = True
spec = importlib.util.spec_from_file_location("sending", Path(__file__).parent.with_name("send") / "run.py")
sending = importlib.util.module_from_spec(spec)
sys.modules["sending"] = sending
spec.loader.exec_module(sending)


def registration(number: int) -> str:
    mixed = f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}"
    return f"phone{number:07}:APA91b{'r' * 128}{mixed}"


def text(moment: float) -> str:
    return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")


def processor_seconds(process: int) -> float:
    """Returns the time that all threads of a process were on a processor."""
    tasks = Path(f"/proc/{process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def resident_megabytes(process: int) -> float:
    """Returns the private resident memory; the pages of mapped files belong to the kernel's cache."""
    status = Path(f"/proc/{process}/status").read_text()
    [line] = [line for line in status.splitlines() if line.startswith("RssAnon:")]
    return int(line.split()[1]) / 1024


class Bench:
    def __init__(self, arguments: argparse.Namespace, folder: Path):
        self.herald, self.sink = arguments.herald.absolute(), arguments.sink.absolute()
        self.clocks = arguments.clocks.absolute()
        self.arguments, self.folder = arguments, folder
        self.ca = sending.certificate(folder)
        self.exceeded = False

    def project(self, url: str, count: int, due: float) -> Path:
        """Creates a project whose campaigns are all due at a time."""
        folder = self.folder / "project"
        for path in (folder, self.folder / "seen"):
            shutil.rmtree(path, ignore_errors=True)
        (folder / "campaigns").mkdir(parents=True)
        (folder / "herald.yaml").write_text(
            "version: 1\nproject: bench\ntimezone: UTC\nenvironments:\n"
            f"  bench:\n    emulator: {{ url: '{url}', ca: ca.pem, credentials: key.json }}\n"
            f"    pace: {{ sends_per_minute: {sending.PACE} }}\n    max_unknown: 100000\n")
        shutil.copy(self.ca, folder / "ca.pem")
        sending.account_key(folder, "key.json")
        for number in range(count):
            people = [registration(REGISTRATIONS * number + n) for n in range(REGISTRATIONS)]
            (folder / f"campaigns/tide-{number:05}.yaml").write_text(
                f"campaign: tide-{number:05}\naudience: {{ registrations: [{', '.join(map(repr, people))}] }}\n"
                "message: { notification: { title: High water } }\n"
                f"schedule: {{ at: '{text(due)}' }}\n")
        return folder

    def environment(self, **more: str) -> dict[str, str]:
        return os.environ | {"XDG_STATE_HOME": str(self.folder / "seen")} | more

    def apply(self, folder: Path) -> float:
        start = time.perf_counter()
        ended = subprocess.run(
            [self.herald, "apply", "--yes", "--quiet", "-e", "bench", "-C", folder], capture_output=True, text=True,
            env=self.environment(), check=False)
        if ended.returncode != 0:
            sys.exit(f"herald apply ended with {ended.returncode}:\n{(ended.stdout + ended.stderr)[-2000:]}")
        return time.perf_counter() - start

    @contextmanager
    def service(self, folder: Path, **environment: str):
        """Starts a service, and stops it at the end."""
        with open(self.folder / "service", "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [self.herald, "run", "-e", "bench", "-C", folder], stdout=log, stderr=log,
                env=self.environment(**environment))
        try:
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()

    def check(self, name: str, value: float, limit: float, unit: str) -> None:
        exceeded = value > limit
        self.exceeded |= exceeded
        print(f"{name}: {value:.4g} {unit} (limit: {limit:g} {unit}){' EXCEEDED' if exceeded else ''}", flush=True)

    def second(self) -> None:
        count = self.arguments.occurrences
        with sending.sink(self.sink, self.folder) as sink:
            due = int(time.time() + 20 + count * RECORDING_SECONDS)
            folder = self.project(sink.secure, count, due)
            seconds = self.apply(folder)
            print(f"second: apply recorded {count:,} campaigns in {seconds:.1f} s", flush=True)
            if time.time() > due - 5:
                sys.exit("apply took until the campaigns were due")
            with self.service(folder) as process:
                while time.time() < due + 300 and process.poll() is None and sink.account()[0] < count * REGISTRATIONS:
                    time.sleep(0.1)
                # What is sent twice would arrive now.
                time.sleep(1)
            sends, distinct, first, newest = sink.account()
            if (sends, distinct) != (count * REGISTRATIONS, count * REGISTRATIONS):
                log = (self.folder / "service").read_text()
                sys.exit(f"the sink has {sends:,} sends, {distinct:,} of them distinct:\n{log[-2000:]}")
            now = time.time() - time.clock_gettime(time.CLOCK_MONOTONIC)
            state = sqlite3.connect(f"file:{folder}/.herald/bench.sqlite?mode=ro", uri=True)
            [accepted] = state.execute(
                "SELECT count(*) FROM units WHERE accepted = count AND released = count").fetchone()
            state.close()
            if accepted != count:
                sys.exit(f"the state has {accepted:,} complete sends")
        print(f"second: the first request arrived {first / 1e9 + now - due:.2f} s after the due time", flush=True)
        self.check("second: the last request", newest / 1e9 + now - due, SECONDS, "s")

    @contextmanager
    def waiting(self, count: int, **environment: str):
        """Starts a service that has nothing to send for years."""
        with sending.sink(self.sink, self.folder) as sink:
            folder = self.project(sink.secure, count, time.time() + 3_650 * 86_400)
            self.apply(folder)
            with self.service(folder, **environment) as process:
                yield process

    def idle(self) -> None:
        with self.waiting(self.arguments.occurrences) as process:
            time.sleep(10)
            before = processor_seconds(process.pid)
            time.sleep(IDLE_SECONDS)
            used = processor_seconds(process.pid) - before
        self.check("idle: processor time", used / IDLE_SECONDS * 100, IDLE * 100, "%")

    def memory(self) -> None:
        seconds = self.arguments.ticks * TICK_SECONDS / SPEED
        with self.waiting(100, LD_PRELOAD=str(self.clocks), CLOCK_SPEED=str(SPEED)) as process:
            time.sleep(seconds / 100)
            before = resident_megabytes(process.pid)
            time.sleep(seconds * 99 / 100)
            after = resident_megabytes(process.pid)
            if process.poll() is not None:
                sys.exit(f"the service ended with {process.returncode}")
        print(f"memory: {before:.1f} MB after a hundredth of the ticks, {after:.1f} MB after all", flush=True)
        self.check("memory: growth", after - before, GROWTH, "MB")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("herald", "sink", "clocks", "folder"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--occurrences", type=int, default=10_000)
    parser.add_argument("--ticks", type=int, default=100_000)
    parser.add_argument("parts", nargs="*", default=[], metavar="PART")
    arguments = parser.parse_intermixed_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}")
    with tempfile.TemporaryDirectory(dir=arguments.folder.absolute()) as folder:
        bench = Bench(arguments, Path(folder))
        for part in arguments.parts or PARTS:
            getattr(bench, part)()
    return 1 if bench.exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
