#!/usr/bin/python3
"""Sets the clock of a running service forward and back, replaces its time zone files, and checks what it sends.

    make soak                                                     20 minutes
    HERALD=.build/release/herald Tests/Soak/jumps.py --minutes 3 --seed 1

`herald run` has the clock of Debian's libfaketime: only the wall clock is faked, and it jumps by 2 hours, forward and
back, two times in three minutes. The files below its TZDIR are replaced by others with the same offsets every
second. The emulator has the real clock, so the times in its log are independent of the jumps.

The judge computes which sends are due, and reads the emulator's log. A clock that goes back makes no send due again.
Of the slots of a rule that a jump forward passes, the last one is due at the jump. It is late after ten minutes, as is
a send at a fixed time. What is due and not late was sent once to each registration within two seconds, or three after
a jump. Nothing else was sent, and Herald counts exactly the others as late.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import soak
from herald import ROOT, Emulator
from services import Service
from soak import MINUTE, PEOPLE

HOUR = 60 * MINUTE
JUMP = 2 * HOUR
LATE_AFTER = 10 * MINUTE
LAG, LAG_AFTER_JUMP = 2.0, 3.0
# Jumps are made between these seconds of a minute: no send is in progress, and no lateness is close to its limit.
QUIET = (22, 40)
LIBRARY = Path("/usr/lib") / f"{os.uname().machine}-linux-gnu" / "faketime/libfaketimeMT.so.1"
ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia")
# Files that may replace those of another zone while their offsets are equal.
OTHERS = ("Etc/UTC", "Africa/Abidjan", "Atlantic/Reykjavik", "Africa/Lagos", "Europe/Paris", "Africa/Tunis", "America/Toronto",
          "America/Panama", "America/Havana", "Asia/Colombo", "Pacific/Guadalcanal", "Pacific/Noumea", "Pacific/Tongatapu",
          "Pacific/Fakaofo", "Pacific/Auckland", "America/Santiago", "Europe/Madrid")


@dataclass(frozen=True)
class Rule:
    """A campaign with a slot each `every` seconds, `offset` seconds after the full minute, hour or quarter."""
    name: str
    every: int
    offset: int = 0
    sends_late: bool = False

    def slots(self, after, until):
        """Returns the slots later than `after`, up to `until`."""
        first = (int(after) - self.offset) // self.every * self.every + self.offset
        while first <= after:
            first += self.every
        return list(range(first, int(until) + 1, self.every))


@dataclass(frozen=True)
class Once:
    """A campaign with one due time."""
    name: str
    due: int
    sends_late = False

    def slots(self, after, until):
        return [self.due] if after < self.due <= until else []


@dataclass(frozen=True)
class Change:
    """From the real time `begin` on, the faked clock is the real one plus `offset`."""
    begin: float
    offset: int


class Run:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.chance = random.Random(options.seed)
        self.problems = soak.Problems()
        self.project = soak.project(folder / "project")
        self.clock, self.zones = folder / "clock", folder / "zoneinfo"
        self.changes, self.replaced = [], 0

    # The preparation

    def write_campaigns(self, now):
        begin = datetime.fromtimestamp(now, timezone.utc)
        self.campaigns = []
        for number, zone in enumerate(ZONES):
            self.rule(Rule(f"minute-{number}", MINUTE), f'cron: "* * * * *", timezone: {zone}')
            first = begin.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
            self.rule(Rule(f"second-{number}", MINUTE, 5 + number),
                      f'rrule: "FREQ=MINUTELY;BYSECOND={5 + number}", from: "{first}", timezone: {zone}')
        self.rule(Rule("quarter", 15 * MINUTE), 'cron: "*/15 * * * *"')
        self.rule(Rule("hour", HOUR), 'cron: "0 * * * *"')
        self.rule(Rule("hour-late", HOUR, sends_late=True), 'cron: "0 * * * *", late: send')
        # As far as the clock may get, and most of it is passed by jumps.
        end = max(2, self.options.minutes // 2) * JUMP // MINUTE
        for number in range(40):
            due = int(now) // MINUTE * MINUTE + self.chance.randint(2, end) * MINUTE
            zone = self.chance.choice(ZONES)
            local = datetime.fromtimestamp(due, ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M")
            self.rule(Once(f"once-{number:02}", due), f'at: "{local}", timezone: {zone}')

    def rule(self, campaign, schedule):
        self.campaigns.append(campaign)
        soak.campaign(self.project, campaign.name, f"{{ {schedule} }}")

    def write_zones(self, now):
        """Fills TZDIR, and finds the files that may replace each other: all offsets of the next days are equal."""
        source = Path("/usr/share/zoneinfo")
        moments = [datetime.fromtimestamp(now, timezone.utc) + timedelta(hours=n) for n in range(-48, 96)]

        def offsets(zone):
            return [moment.astimezone(ZoneInfo(zone)).utcoffset() for moment in moments]

        self.contents = {}
        for zone in ZONES:
            path = self.zones / zone
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source / zone, path)
            same = [other for other in (zone, *OTHERS) if (source / other).exists() and offsets(other) == offsets(zone)]
            self.contents[zone] = [(source / other).read_bytes() for other in same]

    def set_clock(self, offset):
        """Sets the faked clock of the service."""
        new = self.clock.with_suffix(".new")
        new.write_text(f"{offset:+}\n")
        new.replace(self.clock)
        self.changes.append(Change(time.time(), offset))

    def environment(self):
        shim = self.folder / "plain_timers.so"
        subprocess.run(["clang", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", shim,
                        ROOT / "Tests/Soak/plain_timers.c"], check=True)
        assert LIBRARY.exists(), f"{LIBRARY} is missing: install the package faketime"
        return {
            "LD_PRELOAD": f"{shim} {LIBRARY}", "FAKETIME_TIMESTAMP_FILE": str(self.clock), "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "NO_FAKE_STAT": "1", "TZDIR": str(self.zones)}

    # The run

    def play(self):
        faked = self.environment()
        now = time.time()
        self.write_zones(now)
        self.write_campaigns(now)
        with Emulator(self.project):
            self.project.apply(env={"TZDIR": str(self.zones)}).expect(0)
            self.applied = time.time()
            self.set_clock(0)
            with Service(self.project, env=faked) as service:
                service.until_ready()
                end = time.time() + MINUTE * self.options.minutes
                while (jump := self.next_jump()) < end:
                    self.replace_zones(jump)
                    self.set_clock(self.next_offset())
                self.replace_zones(self.settled(end))
                self.end = time.time()
                service.running.signal(signal.SIGTERM).finish().expect(130)
                self.log = service.err
            self.project.log.settle()
        return self.judge()

    def next_jump(self):
        """Returns a quiet time in this minute or the next one."""
        minute = (time.time() // MINUTE + self.chance.choice((0, 1))) * MINUTE
        jump = minute + self.chance.uniform(*QUIET)
        return jump if jump > time.time() + 5 else jump + MINUTE

    def settled(self, end):
        """Returns a quiet time at the end or later."""
        return max(end, end // MINUTE * MINUTE + QUIET[0])

    def next_offset(self):
        """Goes forward and back, and then either way, so that the clock is not behind for long."""
        now, most = self.changes[-1].offset, max(change.offset for change in self.changes)
        if len(self.changes) < 3:
            return JUMP * (2 - len(self.changes))
        return now + (JUMP if self.chance.random() < (0.8 if now < most else 0.5) else -JUMP)

    def replace_zones(self, until):
        """Replaces the file of a zone every second, as an update of tzdata does."""
        while time.time() < until:
            zone = self.chance.choice(ZONES)
            new = self.zones / f"{zone}.new"
            new.write_bytes(self.chance.choice(self.contents[zone]))
            new.replace(self.zones / zone)
            self.replaced += 1
            time.sleep(min(1, max(0, until - time.time())))

    # The judge

    def judge(self):
        expected, self.late = self.expected()
        got = defaultdict(list)
        for campaign, registration, moment, status in soak.sends(self.project):
            self.problems.check(status == 200, f"{campaign} was answered with {status}")
            got[campaign, self.latest(campaign, moment), registration].append(moment)
        lags = []
        for (campaign, slot), due in expected.items():
            for registration in PEOPLE:
                times = got.pop((campaign, slot, registration), [])
                if self.problems.check(times, f"{campaign} {self.text(slot)} is missing"):
                    lag = times[0] - due
                    lags.append(lag)
                    limit = LAG if due == self.real(slot) else LAG_AFTER_JUMP
                    self.problems.check(len(times) == 1, f"{campaign} {self.text(slot)} was sent {len(times)} times")
                    self.problems.check(lag < limit, f"{campaign} {self.text(slot)} was sent {lag:.1f} s too late")
        for (campaign, slot, _), times in got.items():
            self.problems.check(False, f"{campaign} {self.text(slot)} was sent and was not due: {times}")
        self.problems.check(not soak.unknown(self.project), "an outcome is unknown")
        self.judge_late()
        self.show(len(expected), lags)
        return self.problems.end(self.folder)

    def expected(self):
        """Returns what is due, with the real time at which it can be sent, and the number of late slots per campaign."""
        expected, late = {}, Counter()
        # The highest time that the faked clock has shown.
        highest = self.applied
        for number, change in enumerate(self.changes):
            begin, offset = change.begin, change.offset
            end = self.changes[number + 1].begin if number + 1 < len(self.changes) else self.end
            first, last = begin + offset, end + offset
            for campaign in self.campaigns:
                passed = campaign.slots(highest, first)
                if passed:
                    is_late = first - passed[-1] > LATE_AFTER and not campaign.sends_late
                    late[campaign.name] += len(passed) - (not is_late)
                    if not is_late:
                        expected[campaign.name, passed[-1]] = begin
                for slot in campaign.slots(max(highest, first), last):
                    expected[campaign.name, slot] = slot - offset
            highest = max(highest, last)
        return expected, +late

    def latest(self, name, moment):
        """Returns the last slot of a campaign at this real time."""
        [campaign] = [campaign for campaign in self.campaigns if campaign.name == name]
        shown = moment + self.offset(moment)
        return campaign.slots(shown - 2 * JUMP, shown)[-1] if isinstance(campaign, Rule) else campaign.due

    def offset(self, moment):
        return [change.offset for change in self.changes if change.begin <= moment][-1]

    def real(self, slot):
        """Returns the real time at which the faked clock shows a slot for the first time, without a jump over it."""
        for change in self.changes:
            if slot - change.offset >= change.begin and self.offset(slot - change.offset) == change.offset:
                return slot - change.offset
        return None

    @staticmethod
    def text(moment):
        return datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    def judge_late(self):
        """Compares the late slots with those that Herald counts: fixed times expire, and slots of rules are skipped."""
        causes = " ".join(cause for cause, in self.project.rows("SELECT cause FROM runs WHERE cause IS NOT NULL"))
        fixed = {campaign.name for campaign in self.campaigns if isinstance(campaign, Once)}
        for what, is_fixed in (("expired sends", True), ("late sends skipped", False)):
            counted = sum(int(number.replace(",", "")) for number in re.findall(rf"{what}: ([\d,]*\d)", causes))
            late = sum(number for name, number in self.late.items() if (name in fixed) == is_fixed)
            self.problems.check(counted == late, f"{what}: Herald counts {counted}, and {late} are late")

    def show(self, sends, lags):
        jumps = [after.offset - before.offset for before, after in zip(self.changes, self.changes[1:])]
        print(f"{self.options.minutes} minutes, seed {self.options.seed}: {sum(jump > 0 for jump in jumps)} jumps forward and "
              f"{sum(jump < 0 for jump in jumps)} back, {self.replaced} files of time zones replaced")
        print(f"{sends} sends, {len(lags)} requests, {sum(self.late.values())} slots late; "
              f"lag: median {soak.percentile(lags, 0.5):.2f} s, 99 % {soak.percentile(lags, 0.99):.2f} s, "
              f"most {max(lags, default=0):.2f} s")
        self.problems.check(len(jumps) >= 2 and {1, -1} <= {(jump > 0) - (jump < 0) for jump in jumps},
                            "no jump in one of the directions: take another seed")
        notices = " ".join(self.log.split())
        self.problems.check("The clock was set forward by 2 h." in notices, "the log does not name the jump forward")
        self.problems.check("The clock was set back by 2 h." in notices, "the log does not name the jump back")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="herald-jumps-"))
    code = Run(options, folder).play()
    if code == 0:
        shutil.rmtree(folder)
    sys.exit(code)


if __name__ == "__main__":
    main()
