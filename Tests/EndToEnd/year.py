"""A generated year of campaigns over twelve zones, and the sends that the documentation promises for it.

    .venv/bin/python Tests/EndToEnd/year.py [--campaigns N] [--seed N] [--days N] FILE

The slots come from cronsim and python-dateutil, local times become instants by zoneinfo, and the rules of quiet hours,
jitter, late sends and several due slots are those of Documentation/Reference/Schedules.md. The service does not run
in `outages`. The year begins in July 2011, because all but one of the zones change their clocks in it, and Samoa skips
a day.

Recurrence rules that python-dateutil gets wrong (see test_schedules_agree.py) are not generated.

FILE is JSON; Tests/EngineTests/Service/Year runs it and compares the sends.
"""

import argparse
import hashlib
import json
import os
import random
import zoneinfo
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from functools import cache
from itertools import takewhile
from pathlib import Path

from cronsim import CronSim
from dateutil.rrule import rrulestr

UTC = timezone.utc
ZONES = ["Australia/Lord_Howe", "Africa/Casablanca", "Pacific/Apia", "Asia/Tehran", "America/Sao_Paulo",
         "America/St_Johns", "Pacific/Chatham", "America/New_York", "Europe/Berlin", "Europe/London",
         "America/Havana", "Asia/Kathmandu"]
PROJECT = "year"
START = datetime(2011, 7, 1, tzinfo=UTC)
DAYS = 366
OUTAGES = 60
MINUTE, HOUR, DAY = 60, 3600, 86400
QUIET_FROM, QUIET_TO, SPREAD = 22 * HOUR, 7 * HOUR, 10 * MINUTE
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# The events that a year must have, each at least this often.
EVENTS, LEAST = ("quiet hours", "gap", "doubled hour", "late", "out of order"), 100

# Both sides read the same time zone files: Python uses only the first of the directories that herald uses.
zoneinfo.reset_tzpath([os.environ.get("TZDIR") or "/usr/share/zoneinfo"])


def seconds(moment):
    return int(moment.timestamp())


# Zones


@cache
def segments(zone):
    """Returns the instants from which an offset holds, and these offsets, over the year and some weeks around it."""
    tz = zoneinfo.ZoneInfo(zone)

    def offset(instant):
        return int(datetime.fromtimestamp(instant, tz).utcoffset().total_seconds())

    begins, end = [seconds(START) - 30 * DAY], seconds(START) + (DAYS + 30) * DAY
    offsets = [offset(begins[0])]
    for low in range(begins[0], end, HOUR):
        high = low + HOUR
        if offset(high) != offset(low):
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (low, middle) if offset(middle) != offset(low) else (middle, high)
            begins.append(high)
            offsets.append(offset(high))
    return begins, offsets, end


@cache
def changes(zone):
    """Returns each change of the clock as the local times before and after it."""
    begins, offsets, _ = segments(zone)
    local = datetime.fromtimestamp
    return [(local(instant + before, UTC).replace(tzinfo=None), local(instant + after, UTC).replace(tzinfo=None))
            for instant, before, after in zip(begins[1:], offsets, offsets[1:])]


@cache
def nights(zone):
    """Returns the begins and the ends of quiet hours, by the wall clock of the zone."""
    begins, offsets, last = segments(zone)
    found = []
    for begin, end, offset in zip(begins, [*begins[1:], last], offsets):
        midnight = (begin + offset) // DAY * DAY - offset
        for day in range(midnight - DAY, end, DAY):
            first, stop = max(begin, day + QUIET_FROM), min(end, day + DAY + QUIET_TO)
            if first < stop:
                # A change of the clock in the night continues it or not.
                if found and found[-1][1] >= first:
                    found[-1][1] = max(found[-1][1], stop)
                else:
                    found.append([first, stop])
    return [night[0] for night in found], [night[1] for night in found]


def night(zone, instant):
    """Returns the end of the night in which the instant is; None by day."""
    begins, ends = nights(zone)
    place = bisect_right(begins, instant) - 1
    return ends[place] if place >= 0 and instant < ends[place] else None


def next_night(zone, instant):
    begins, _ = nights(zone)
    return begins[bisect_right(begins, instant)]


def instant_of(local, zone, is_cron):
    """Returns when a local time is due, and `gap` or `doubled hour` if clocks change then."""
    tz = zoneinfo.ZoneInfo(zone)
    first, second = local.replace(tzinfo=tz), local.replace(tzinfo=tz, fold=1)
    instant = first.astimezone(UTC)
    if instant.astimezone(tz).replace(tzinfo=None) != local:
        # zoneinfo has moved it by the length of the gap. For cron, it is the first instant after the gap.
        if is_cron:
            begins, _, _ = segments(zone)
            return begins[bisect_right(begins, seconds(instant)) - 1], "gap"
        return seconds(instant), "gap"
    return seconds(instant), "doubled hour" if first.utcoffset() != second.utcoffset() else None


# Campaigns


@dataclass
class Campaign:
    """A campaign to a topic. `expression` is a local time, a cron expression or a recurrence rule."""
    name: str
    kind: str
    expression: str
    zone: str
    start: datetime | None = None
    until: datetime | None = None
    late: str | None = None
    late_after: int = 10 * MINUTE
    jitter: int = 0
    is_exempt: bool = False
    without: list = field(default_factory=list)

    @property
    def yaml(self):
        schedule = {self.kind: self.expression, "timezone": self.zone}
        local = {"from": self.start, "until": self.until}
        schedule |= {key: text(value) for key, value in local.items() if value}
        schedule |= {"late": self.late} if self.late else {}
        schedule |= {"late_after": f"{self.late_after}s"} if self.late_after != 10 * MINUTE else {}
        schedule |= {"jitter": f"{self.jitter}s"} if self.jitter else {}
        schedule |= {"during_quiet_hours": "send", "reason": "Tide tables"} if self.is_exempt else {}
        schedule |= {"except": [text(slot) for slot in self.without]} if self.without else {}
        return (f"campaign: {self.name}\naudience: {{ topic: tides }}\n"
                f"message: {{ notification: {{ title: {self.name} }} }}\nschedule: {json.dumps(schedule)}\n")

    def share(self, slot, purpose, of):
        digest = hashlib.sha256("\0".join([PROJECT, self.name, slot, purpose]).encode()).digest()
        return int.from_bytes(digest[:8], "big") * of >> 64

    @property
    def is_wildcard(self):
        """Whether it does not make up for times that clocks skip."""
        return self.kind == "cron" and any(part.startswith("*") for part in self.expression.split()[:2])

    @property
    def last(self):
        """When the schedule ends."""
        return instant_of(self.until, self.zone, is_cron=False)[0] if self.until else None

    def slots(self, end):
        """Returns the slots after the beginning of the year, by their instants."""
        found = {}
        for local in self.local_times(end):
            instant, event = instant_of(local, self.zone, self.kind == "cron")
            if event == "gap" and self.is_wildcard:
                continue
            named = "once" if self.kind == "at" else local.strftime("%Y-%m-%dT%H:%M:%S").removesuffix(":00")
            if instant > seconds(START):
                # Slots with the same instant are one, which has the name of the first.
                known = found.get(instant)
                if not known or local < known.local:
                    found[instant] = Slot(named, local, instant, event)
        return [found[instant] for instant in sorted(found)]

    def local_times(self, end):
        tz = zoneinfo.ZoneInfo(self.zone)
        # A day more, because a gap moves local times.
        first = START.astimezone(tz).replace(tzinfo=None) - timedelta(days=2)
        stop = datetime.fromtimestamp(end, tz).replace(tzinfo=None) + timedelta(days=2)
        if self.kind == "at":
            return [datetime.fromisoformat(self.expression)]
        if self.kind == "cron":
            local_times = takewhile(lambda local: local <= stop, CronSim(self.expression, first))
        else:
            local_times = takewhile(lambda local: local <= stop, rrulestr(self.expression, dtstart=self.start))
        return [local for local in local_times
                if (not self.start or self.start <= local) and (not self.until or local <= self.until)
                and local not in self.without]


@dataclass(frozen=True)
class Slot:
    name: str
    local: datetime
    instant: int
    event: str | None


def text(local):
    return local.strftime("%Y-%m-%d %H:%M")


# Generation


def some_time(rng, by_night):
    return rng.choice([22, 23, 0, 1, 3, 4, 5, 6] if by_night else range(7, 22)), rng.randrange(60)


def near_change(rng, zone):
    """Returns a local time that clocks skip, or that they show twice; None without changes."""
    known = changes(zone)
    if not known:
        return None
    before, after = rng.choice(known)
    length = abs(after - before)
    return min(before, after) + timedelta(minutes=rng.randrange(0, min(int(length.total_seconds()) // MINUTE, 1440)))


def at_change(rng, name, zone):
    """Returns a campaign with slots when clocks change in the zone, and some around."""
    local = near_change(rng, zone)
    if local is None:
        return weekly(rng, name, zone)
    if rng.random() < 0.2:
        return Campaign(name, "at", text(local), zone, is_exempt=rng.random() < 0.7)
    again = near_change(rng, zone)
    month = rng.choice([f"{local.month}", f"{local.month}", ",".join({str(local.month): 0, str(again.month): 0})])
    if rng.random() < 0.1:
        expression = f"{local.minute} * {local.day} {month} *"
        return Campaign(name, "cron", expression, zone, is_exempt=True)
    if rng.random() < 0.5:
        day = rng.choice(["*", local.day, f"{local.day}-{min(28, local.day + 3)}" if local.day < 25 else local.day])
        hours = ",".join(map(str, sorted({local.hour, again.hour})))
        expression = f"{local.minute} {hours} {day} {month} *"
        return Campaign(name, "cron", expression, zone, is_exempt=rng.random() < 0.7)
    start = local - timedelta(weeks=rng.randrange(1, 9))
    rule = rng.choice(["FREQ=WEEKLY", f"FREQ=WEEKLY;INTERVAL=1;BYMONTH={month}", f"FREQ=DAILY;BYMONTH={month}"])
    return Campaign(name, "rrule", rule, zone, start=start, is_exempt=rng.random() < 0.7)


def weekly(rng, name, zone):
    hour, minute = some_time(rng, rng.random() < 0.4)
    days = rng.sample(range(7), rng.choice([1, 1, 1, 2]))
    if rng.random() < 0.5:
        return Campaign(name, "cron", f"{minute} {hour} * * {','.join(map(str, sorted(days)))}", zone)
    start = (START.replace(tzinfo=None) + timedelta(days=rng.randrange(-60, 40))).replace(hour=hour, minute=minute)
    rule = f"FREQ=WEEKLY;INTERVAL={rng.choice([1, 1, 2])};BYDAY={','.join(WEEKDAYS[day] for day in sorted(days))}"
    return Campaign(name, "rrule", rule, zone, start=start)


def monthly(rng, name, zone):
    hour, minute = some_time(rng, rng.random() < 0.4)
    if rng.random() < 0.5:
        numbered = f"{rng.randrange(7)}#{rng.randint(1, 4)}"
        day = rng.choice(["L", "1,15", rng.randrange(1, 32), "*", "*"])
        weekday = rng.choice([numbered, "5L"]) if day == "*" else "*"
        return Campaign(name, "cron", f"{minute} {hour} {day} * {weekday}", zone)
    start = (START.replace(tzinfo=None) - timedelta(days=rng.randrange(1, 60))).replace(hour=hour, minute=minute)
    weekday = f"{rng.choice([1, 2, 3, -1])}{rng.choice(WEEKDAYS)}"
    part = rng.choice([f"BYMONTHDAY={rng.choice([1, 15, 31, -1, -2])}", f"BYDAY={weekday}",
                       "BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"])
    rule = f"FREQ=MONTHLY;{part}"
    made = Campaign(name, "rrule", rule, zone, start=start)
    if rng.random() < 0.3:
        made.without = rng.sample(made.local_times(seconds(START) + DAYS * DAY), 2)
    return made


def daily(rng, name, zone):
    hour, minute = some_time(rng, rng.random() < 0.3)
    return Campaign(name, "cron", f"{minute} {hour} * * {rng.choice(['*', '1-5'])}", zone)


def several_a_day(rng, name, zone):
    """Of the slots in one night, only the last is sent."""
    if rng.random() < 0.5:
        return Campaign(name, "cron", f"{rng.randrange(60)} {rng.choice(['3-23/4', '*/6'])} * * *", zone)
    start = START.replace(tzinfo=None) + timedelta(minutes=rng.randrange(7 * 1440))
    return Campaign(name, "rrule", f"FREQ=HOURLY;INTERVAL={rng.choice([5, 7, 8])}", zone, start=start)


def close_slots(rng, name, zone):
    """Two slots a day, which jitter may make due in reverse order."""
    hour, minute = some_time(rng, rng.random() < 0.3)
    first = rng.randrange(0, 50)
    return Campaign(name, "cron", f"{first},{first + rng.choice([2, 5, 9])} {hour} * * *", zone,
                    jitter=rng.choice([5, 20, 45, 90]) * MINUTE)


def once(rng, name, zone):
    local = START.replace(tzinfo=None) + timedelta(minutes=rng.randrange(2 * 1440, (DAYS - 2) * 1440))
    return Campaign(name, "at", text(local), zone)


def campaigns(count, seed):
    rng = random.Random(seed)
    # Less often than their shares, because they have many slots.
    kinds = rng.choices([at_change, weekly, monthly, daily, several_a_day, close_slots, once],
                        [40, 34, 14, 1.5, 0.9, 1.5, 14], k=count)
    return [with_options(rng, kind(rng, f"{kind.__name__.replace('_', '-')}-{n:04}", ZONES[n % len(ZONES)]), kind)
            for n, kind in enumerate(kinds)]


def with_options(rng, made, kind):
    made.late = rng.choice([None, None, "skip", "fail", "send"])
    made.late_after = rng.choice([10, 10, 10, 5, 30, 120]) * MINUTE
    if kind is several_a_day and rng.random() < 0.5:
        made.jitter = rng.choice([45, 300, 540]) * MINUTE
    elif not made.jitter and rng.random() < 0.4:
        made.jitter = rng.choice([2, 5, 10, 45]) * MINUTE
    if rng.random() < 0.1:
        made.is_exempt = True
    if made.kind != "at" and rng.random() < 0.15:
        begin = max(made.start or START.replace(tzinfo=None), START.replace(tzinfo=None))
        day = begin + timedelta(days=rng.randrange(60, 250))
        # Some end in a night, or at a slot.
        hour, minute = some_time(rng, rng.random() < 0.5)
        made.until = day.replace(hour=hour, minute=minute, second=0)
        if made.kind == "cron" and kind is not at_change:
            made.start = day - timedelta(days=50)
    return made


def outages(seed, end, count=OUTAGES):
    """Returns times at which the service does not run, in order and with days between them."""
    rng = random.Random(f"outages {seed}")
    begin = seconds(START)
    share = (end - begin) // count
    found = []
    for number in range(count):
        first = begin + number * share + rng.randrange(share // 4, share // 2)
        found.append((first, first + rng.choice([20 * MINUTE, HOUR, 3 * HOUR, 8 * HOUR]) + rng.randrange(15 * MINUTE)))
    return found


# Reference


class Reference:
    """The sends of a campaign by a service that runs except in outages."""

    def __init__(self, campaign, end, down=()):
        self.campaign, self.end, self.down = campaign, end, down
        self.begins = [begin for begin, _ in down]
        self.slots = campaign.slots(end + DAY)
        self.policy = campaign.late or ("fail" if campaign.kind == "at" else "skip")
        self.until = campaign.last
        self.events, self.sends = Counter(), []
        # The index of the first slot that no look has passed, and the earlier ones that are not due yet.
        self.place, self.waiting = 0, []
        # Until when a late send waits that came due by night, by the index of its slot.
        self.held = {}
        self.last = -1
        self.perform()

    def running(self, instant):
        """Returns the first instant from this one on at which the service runs."""
        place = bisect_right(self.begins, instant) - 1
        return max(instant, self.down[place][1]) if place >= 0 else instant

    def base(self, slot):
        """Returns the due time with jitter, which moves no send past the end of the schedule."""
        moved = slot.instant + self.campaign.share(slot.name, "jitter", self.campaign.jitter)
        return max(slot.instant, min(moved, self.until)) if self.until else moved

    def is_late(self, due, now):
        return now - due > self.campaign.late_after

    def morning(self, slot, instant):
        """Returns when quiet hours let a send go that they hold at the instant."""
        end = night(self.campaign.zone, instant)
        moved = end + self.campaign.share(slot.name, "spread", SPREAD)
        return end if night(self.campaign.zone, moved) else moved

    def due(self, index, now):
        """Returns the due time of a send that has not begun."""
        slot, zone = self.slots[index], self.campaign.zone
        due = self.held.get(index, self.base(slot))
        if self.campaign.is_exempt:
            return due
        while True:
            begin = due
            if not night(zone, due):
                begin = next_night(zone, due)
                if begin > now or self.is_late(due, begin):
                    return due
            due = self.morning(slot, begin)

    def is_sent(self, due, now):
        """Whether a send that is due by now is sent: it is not late, or may be."""
        is_late = self.is_late(due, now)
        is_ended = self.until and now > self.until and (is_late or due < self.until)
        return not is_ended and (not is_late or self.policy == "send")

    def leaves(self, index, now):
        """Returns when a send leaves, if no later slot is sent instead."""
        due = self.due(index, now)
        if due <= now and not self.campaign.is_exempt and night(self.campaign.zone, now) and self.is_sent(due, now):
            return self.morning(self.slots[index], now)
        return due

    def pending(self):
        """Yields the slots that are neither sent nor missed."""
        yield from self.waiting
        yield from range(self.place, len(self.slots))

    def is_replaced(self, index, now):
        """Whether a later slot comes due, but for quiet hours, before they let this one go, and is not sent before it."""
        due = self.due(index, now)
        if self.campaign.is_exempt or due <= now and not self.is_sent(due, now):
            return False
        base, leaves = self.base(self.slots[index]), self.leaves(index, now)
        end = max(leaves, now)
        for later in self.pending():
            if later <= index:
                continue
            if self.slots[later].instant > end:
                break
            comes, goes = self.base(self.slots[later]), self.leaves(later, now)
            if comes <= end and goes >= base and (leaves > base or goes > comes):
                return True
        return False

    def next_look(self, now):
        """Returns when the next send leaves; None if there is none."""
        first = None
        for index in self.pending():
            if first is not None and index >= self.place and self.slots[index].instant >= first:
                break
            if (first is None or self.leaves(index, now) < first) and not self.is_replaced(index, now):
                first = self.leaves(index, now)
        return first

    def perform(self):
        now = seconds(START)
        while (due := self.next_look(now)) is not None:
            now = self.running(max(now, due))
            if now >= self.end:
                return
            self.look(now)

    def look(self, now):
        """Sends the last slot that is due and may be sent. The other due slots are missed."""
        due, waiting = [], []
        for index in self.pending():
            if self.slots[index].instant > now:
                break
            if not self.is_replaced(index, now):
                (due if self.due(index, now) <= now else waiting).append(index)
        if not due:
            return
        last = due[-1]
        self.place = max(self.place, last + 1)
        # Jitter makes these due later, in spite of their earlier slots.
        self.waiting = [index for index in waiting if index < self.place]
        if self.is_late(self.due(last, now), now):
            self.events["late"] += 1
        sent = next((index for index in reversed(due) if self.is_sent(self.due(index, now), now)), None)
        if sent is not None:
            self.send(sent, now)

    def send(self, index, now):
        slot, due = self.slots[index], self.due(index, now)
        if due > self.base(slot):
            self.events["quiet hours"] += 1
        if self.until and due > max(self.base(slot), self.until):
            return
        if (leaves := self.leaves(index, now)) > now:
            self.held[index] = leaves
            self.waiting = sorted([*self.waiting, index])
            return
        if slot.event:
            self.events[slot.event] += 1
        if index < self.last:
            self.events["out of order"] += 1
        self.last = max(self.last, index)
        self.sends.append(now)


def header():
    return (f"version: 1\nproject: {PROJECT}\ntimezone: UTC\ntopics: {{ tides: {{}} }}\nenvironments:\n"
            '  local: { emulator: {}, guard: { quiet_hours: { from: "22:00", to: "07:00", spread: 10m } } }\n')


def year(count, seed, days=DAYS):
    """Returns the year in the form of the file, and how often each event occurs."""
    end = seconds(START) + days * DAY
    made, down = campaigns(count, seed), outages(seed, end, max(1, OUTAGES * days // DAYS))
    references = [Reference(campaign, end, down) for campaign in made]
    events = sum((reference.events for reference in references), Counter())
    return {
        "start": seconds(START), "end": end, "outages": down, "project": header(),
        "campaigns": "---\n".join(campaign.yaml for campaign in made),
        "sends": {reference.campaign.name: reference.sends for reference in references},
    }, events


def written(made):
    """Returns the file's text, with a line for each campaign's sends."""
    sends = ",\n".join(f"    {json.dumps(name)}: {json.dumps(times)}" for name, times in made["sends"].items())
    rest = "".join(f'  "{key}": {json.dumps(value)},\n' for key, value in made.items() if key != "sends")
    return f'{{\n{rest}  "sends": {{\n{sends}\n  }}\n}}\n'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--campaigns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2011)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    made, events = year(options.campaigns, options.seed, options.days)
    options.file.write_text(written(made))
    sends = sum(map(len, made["sends"].values()))
    counts = ", ".join(f"{events[event]} {event}" for event in EVENTS)
    print(f"seed {options.seed}: {options.campaigns} campaigns, {sends} sends; {counts}")
    if options.campaigns >= 1000 and options.days >= DAYS and min(events[event] for event in EVENTS) < LEAST:
        raise SystemExit(f"each event must occur at least {LEAST} times")


if __name__ == "__main__":
    main()
