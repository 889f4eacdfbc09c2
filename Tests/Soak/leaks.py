#!/usr/bin/python3
"""Counts the open files, threads and memory of a service over 24 virtual hours, from outside: leaks.py [--hours N] [--speed N]

    make soak                                            24 hours in 16 minutes
    HERALD=.build/release/herald Tests/Soak/leaks.py --hours 2

The clocks of `herald run` are those of Tests/EndToEnd/shifted_clocks.c and run `--speed` times as fast. A send to three
registrations is due each minute. Each quarter of an hour, an apply changes a campaign, so that the service reads its state
again, a program reads its metrics, and SIGHUP makes it read its credential again. Access tokens expire after an hour.

/proc has the open files, threads and memory. The first sixth of the time is a warm-up. The budget for the last quarter of the
rest: between two sends, no more files than in the first quarter, and four more threads. The state grows with each send, so the
memory is compared with that of a new service on the same state: at most 12 MB more. The emulator's log must have the sends.
Before the run, the judge has to notice a leak of one file an hour and one of a megabyte an hour.
"""

import argparse
import contextlib
import io
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import median

import soak
from herald import ROOT, Emulator
from services import Service

HOUR, QUARTER = 3600, 900
WARM_UP = 1 / 6
MEGABYTES = 12
# Those that libdispatch starts while several things happen at once.
THREADS = 4
# Of the new service, in virtual hours.
FRESH = 1
# The share of the sends that may be late or unknown: time-outs are those of the fast clocks.
TOLERANCE = 0.2


@dataclass(frozen=True)
class Sample:
    hour: float
    files: tuple
    threads: int
    megabytes: float


def sample(process, hour):
    files = []
    for entry in Path(f"/proc/{process}/fd").iterdir():
        try:
            files.append(os.readlink(entry))
        except FileNotFoundError:
            pass
    status = Path(f"/proc/{process}/status").read_text()
    private = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon:"))
    return Sample(hour, tuple(sorted(files)), len(list(Path(f"/proc/{process}/task").iterdir())), private / 1024)


def judge(samples, fresh, problems):
    """Compares the last quarter of the time after the warm-up with the first, and the memory with that of a new service."""
    end = samples[-1].hour
    used = [each for each in samples if each.hour >= WARM_UP * end]
    length = (1 - WARM_UP) * end / 4
    first = [each for each in used if each.hour < WARM_UP * end + length]
    last = [each for each in used if each.hour >= end - length]
    # Those of a send are open for moments; a leak stays.
    before, after = (min(len(each.files) for each in part) for part in (first, last))
    new = sorted(set(last[-1].files) - set(first[0].files))
    problems.check(after <= before, f"at least {after} open files in the last quarter, {before} in the first: {new}")
    before, after = (median(each.threads for each in part) for part in (first, last))
    problems.check(after <= before + THREADS, f"{after} threads in the last quarter, {before} in the first")
    before, after = (median(each.megabytes for each in part) for part in (fresh[len(fresh) // 3:], last))
    problems.check(after - before <= MEGABYTES, f"{after:.1f} MB in the last quarter, {before:.1f} MB of a new service")
    print(f"{after:.1f} MB in the last quarter, {before:.1f} MB of a new service on the same state")


def check_judge(hours):
    """The judge must notice slow leaks, and only these."""
    def problems_of(files, megabytes):
        found = soak.Problems()
        steps = [number / 12 for number in range(12 * hours + 1)]
        samples = [Sample(hour, tuple(map(str, range(20 + int(files * hour)))), 8, 40 + megabytes * hour) for hour in steps]
        with contextlib.redirect_stdout(io.StringIO()):
            judge(samples, samples[:12], found)
        return found.found
    assert problems_of(0, 0) == []
    assert problems_of(24 / hours, 0) and problems_of(0, 24 / hours), "the judge notices no leak"


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.problems = soak.Problems()
        self.library = folder / "shifted_clocks.so"
        subprocess.run(["clang", "-O2", "-shared", "-fPIC", "-o", self.library, ROOT / "Tests/EndToEnd/shifted_clocks.c"], check=True)
        self.project = soak.project(folder / "project")
        # The service sends, so that an apply has nothing to send.
        header = "timezone: UTC\nenvironments: { local: { emulator: {}, sends: run } }\n"
        self.project.write("herald.yaml", f"version: 1\nproject: e2e\n{header}")
        # A virtual day in the future, so that the earlier applies are never late.
        self.start = int(time.time()) // HOUR * HOUR + 24 * HOUR
        soak.campaign(self.project, "minute", f'{{ rrule: "FREQ=MINUTELY;BYSECOND=0", from: "{self.text(self.start)}" }}')
        self.changes = 0
        self.change(0)

    @staticmethod
    def text(moment):
        return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d %H:%M")

    def change(self, number):
        """Writes a campaign that is due long after the run."""
        soak.campaign(self.project, "later", f'{{ at: "{self.text(self.start + (1000 + number) * HOUR)}" }}')

    def apply(self, moment):
        now = datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        # The service may write between the plan and the lock; the exit code is then 5.
        for _ in range(5):
            done = self.project.apply(now=now)
            if done.code != 5:
                break
        done.expect(0)

    def serve(self, start, hours):
        """Runs a service for virtual hours, and returns samples of it."""
        clocks = {"LD_PRELOAD": str(self.library), "CLOCK_START": str(start), "CLOCK_SPEED": str(self.options.speed)}
        with Service(self.project, env=clocks) as service:
            samples = self.watch(service, start, hours)
            service.running.signal(signal.SIGTERM).finish().expect(130)
        self.project.log.settle()
        return samples

    def play(self):
        with Emulator(self.project):
            self.apply(self.start - HOUR)
            samples = self.serve(self.start, self.options.hours)
            self.count()
            fresh = self.serve(self.start + self.options.hours * HOUR, FRESH)
        judge(samples, fresh, self.problems)
        for each in samples[:: max(1, len(samples) // 12)]:
            print(f"  hour {each.hour:5.1f}: {len(each.files)} files, {each.threads} threads, {each.megabytes:.1f} MB")
        return self.problems.end(self.folder)

    def watch(self, service, start, hours):
        """Samples the process until the end, and disturbs it each virtual quarter of an hour."""
        process, begin, samples, disturbed = service.running.process, time.monotonic(), [], 0
        while (passed := (time.monotonic() - begin) * self.options.speed) < hours * HOUR:
            assert process.poll() is None, service.err
            samples.append(sample(process.pid, passed / HOUR))
            if passed > (disturbed + 1) * QUARTER:
                disturbed += 1
                self.changes += 1
                self.change(self.changes)
                self.apply(start + (time.monotonic() - begin) * self.options.speed)
                assert "herald_" in service.get("/metrics")[2]
                process.send_signal(signal.SIGHUP)
            time.sleep(60 / self.options.speed)
        self.problems.check(disturbed >= 4 * hours - 2, f"only {disturbed} applies during the run")
        return samples

    def count(self):
        """Each minute has one send to each registration."""
        sent = [(name, token) for name, token, _, status in soak.sends(self.project) if status == 200 and name == "minute"]
        expected = 60 * self.options.hours * len(soak.PEOPLE)
        self.problems.check(abs(expected - len(sent)) <= TOLERANCE * expected, f"{len(sent):,} sends instead of {expected:,}")
        print(f"{len(sent):,} sends in {self.options.hours} virtual hours")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hours", type=int, default=24)
    parser.add_argument("--speed", type=int, default=90)
    options = parser.parse_args()
    check_judge(options.hours)
    folder = Path(tempfile.mkdtemp(prefix="herald-leaks-"))
    code = Run(options, folder).play()
    if code == 0:
        shutil.rmtree(folder)
    return code


if __name__ == "__main__":
    sys.exit(main())
