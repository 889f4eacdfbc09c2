#!/usr/bin/python3
"""Ends the service that sends, again and again, and checks that its standby sends everything once.

    make soak                                                     60 hand-overs
    HERALD=.build/release/herald Tests/Soak/handover.py --handovers 8 --stop 3 --seed 1

Two `herald run` share a state. Every second, a send to three registrations is due. The active service is killed
(SIGKILL), ended (SIGTERM), or stopped (SIGSTOP) and then continued or killed, at random times. A killed or ended one
is replaced by a new standby.

The judge reads the emulator's log, and the unknown outcomes in `herald status`. For each registration of each send:

- It was accepted once. It is neither accepted twice nor missing, unless its outcome is unknown.
- It was sent at most two seconds after it was due or, if the active service was killed, ended or stopped since then,
  at most two seconds after SIGKILL, SIGTERM or SIGCONT.

The standby names the active service, and says when it is stopped.
"""

import argparse
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

import soak
from herald import DEADLINE, Emulator, eventually
from services import Service
from soak import MINUTE, PEOPLE

LAG = 2.0
# Each answer takes this long, so that requests are in flight when a service is killed.
ANSWER = 0.15
# A request that was sent this shortly before the end is not judged.
TAIL = LAG + 1
KINDS = ("kill", "end", "stop and continue", "stop and kill")


@dataclass
class Gap:
    """A time during which the active service may not have been able to send."""
    kind: str
    begin: float
    end: float


@dataclass
class Due:
    """A send, and the requests of it in the log: the time of each, by registration."""
    campaign: str
    time: int
    requests: dict = field(default_factory=lambda: defaultdict(list))

    @property
    def slot(self):
        return datetime.fromtimestamp(self.time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        self.problems = soak.Problems()
        self.gaps = []
        self.notices = []
        self.project = soak.project(folder / "project")
        begin = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M")
        for second in range(MINUTE):
            soak.campaign(self.project, f"second-{second:02}",
                          f'{{ rrule: "FREQ=MINUTELY;BYSECOND={second}", from: "{begin}" }}')

    def play(self):
        kinds = [KINDS[number % len(KINDS)] for number in range(self.options.handovers)]
        self.chance.shuffle(kinds)
        with Emulator(self.project) as emulator:
            slow = {"id": "slow", "match": {"service": "SEND"}, "delivery": {"delay_milliseconds": round(1000 * ANSWER)}}
            emulator.put("/emulator/v1/faults", {"rules": [slow]})
            self.project.apply().expect(0)
            self.active, self.standby = self.start(), None
            try:
                self.active.until_ready()
                self.standby = self.start()
                self.begin = time.time()
                for number, kind in enumerate(kinds, 1):
                    self.hand_over(kind)
                    if number % 10 == 0:
                        print(f"  {number} hand-overs", flush=True)
                time.sleep(2 * TAIL)
                self.end = time.time()
                for service in (self.standby, self.active):
                    service.running.signal(signal.SIGTERM).finish().expect(130)
            finally:
                for service in (self.active, self.standby):
                    if service:
                        service.__exit__(None, None, None)
            self.project.log.settle()
        return self.judge()

    def start(self):
        service = Service(self.project)
        try:
            return service.__enter__()
        except BaseException:
            service.__exit__(None, None, None)
            raise

    # The hand-overs

    def hand_over(self, kind):
        self.expect_standby(False)
        time.sleep(self.chance.uniform(1, 4))
        if self.chance.random() < 0.6:
            # Sends are due at full seconds; this hits the work on them.
            time.sleep(1 - time.time() % 1 + self.chance.uniform(0, 0.8))
        process = self.active.running.process
        begin = time.time()
        if kind == "kill":
            process.kill()
        elif kind == "end":
            process.terminate()
        else:
            process.send_signal(signal.SIGSTOP)
            self.expect_standby(True)
            time.sleep(max(0, begin + self.options.stop - time.time()))
            process.send_signal(signal.SIGCONT if kind == "stop and continue" else signal.SIGKILL)
        self.gaps.append(Gap(kind, begin, begin if kind in ("kill", "end") else time.time()))
        if kind == "stop and continue":
            return
        code = process.wait(DEADLINE)
        self.problems.check(code == (130 if kind == "end" else -signal.SIGKILL), f"{kind}: exit code {code}")
        if kind == "end":
            took = time.time() - begin
            self.problems.check(took < 6, f"the service took {took:.1f} s to end")
        self.active.__exit__(None, None, None)
        self.active, self.standby = self.standby, None
        # A service that starts earlier may take over instead.
        eventually(lambda: json.loads(self.active.get("/readyz")[2])["status"] == "ready", "the standby takes over",
                   deadline=LAG)
        self.standby = self.start()

    def expect_standby(self, stopped):
        """Waits until the standby names the active service in its log and in `/readyz`."""
        process = self.active.running.process.pid
        begin = time.time()

        def named():
            status, _, body = self.standby.get("/readyz")
            answer = json.loads(body)
            active = answer.get("active", {})
            is_right = (status, answer["status"]) == ((503, "not ready") if stopped else (200, "standby"))
            log = " ".join(self.standby.err.split())
            said = f"process {process}, since" in log and (not stopped or "is stopped, for example by SIGSTOP" in log)
            return is_right and said and (active.get("process"), active.get("stopped")) == (process, stopped)

        try:
            eventually(named, "the standby names the active service", deadline=LAG)
        except AssertionError:
            state = "stopped" if stopped else "running"
            self.problems.check(False, f"the standby does not name process {process}, which is {state}: "
                                f"{self.standby.get('/readyz')[2].strip()}")
        self.notices.append(time.time() - begin)

    # The judge

    def judge(self):
        sends = self.due()
        for campaign, registration, moment, status in soak.sends(self.project):
            self.problems.check(status == 200, f"{campaign} was answered with {status}")
            second = int(campaign.removeprefix("second-"))
            due = int(moment - second) // MINUTE * MINUTE + second
            if (campaign, due) in sends:
                sends[campaign, due].requests[registration].append(moment)
        unknown = soak.unknown(self.project)
        counts, lags = Counter(), defaultdict(list)
        for due in sends.values():
            for registration in PEOPLE:
                times = due.requests[registration]
                counts["requests"] += len(times)
                if (due.campaign, due.slot, registration) in unknown:
                    counts["unknown"] += 1
                    counts["unknown and accepted"] += bool(times)
                elif self.problems.check(times, f"{due.campaign}/{due.slot} is missing"):
                    self.problems.check(len(times) == 1, f"{due.campaign}/{due.slot} was sent {len(times)} times: {times}")
                    kind, lag = self.lag(due.time, times[0])
                    lags[kind].append(lag)
                    self.problems.check(lag < LAG, f"{due.campaign}/{due.slot}: {lag:.2f} s after {kind}")
        self.show(len(sends), counts, lags)
        return self.problems.end(self.folder)

    def due(self):
        """Returns the sends that are judged, by campaign and due time."""
        first, last = int(self.begin) + 1, int(self.end - TAIL)
        found = {}
        for moment in range(first, last):
            campaign = f"second-{moment % MINUTE:02}"
            found[campaign, moment] = Due(campaign, moment)
        return found

    def lag(self, due, moment):
        """Returns the time from the due time, or from the end of a later gap, to the request; and which of them.

        A gap counts only if it began before the request should have been sent.
        """
        kind, start = "due", due
        for gap in self.gaps:
            if gap.begin < min(moment, start + LAG) and gap.end > start:
                kind, start = gap.kind, min(gap.end, moment)
        return kind, moment - start

    def show(self, sends, counts, lags):
        kinds = Counter(gap.kind for gap in self.gaps)
        print(f"{len(self.gaps)} hand-overs, seed {self.options.seed}: {sends} sends, {counts['requests']} requests; "
              f"{counts['unknown']} unknown, of which {counts['unknown and accepted']} were accepted")
        print(f"the standby named the active service, or that it is stopped, after {max(self.notices):.2f} s at most")
        for kind in ("due", *KINDS):
            values = lags[kind]
            of = f"{kinds[kind]:3} times" if kind in kinds else ""
            print(f"  lag after {kind:18} {of:9}  {len(values):5} requests  median {soak.percentile(values, 0.5):.2f} s  "
                  f"99 % {soak.percentile(values, 0.99):.2f} s  most {max(values, default=0):.2f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handovers", type=int, default=60)
    parser.add_argument("--stop", type=float, default=20, help="seconds of each SIGSTOP")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="herald-handover-"))
    code = Run(options, folder).play()
    if code == 0:
        shutil.rmtree(folder)
    sys.exit(code)


if __name__ == "__main__":
    main()
