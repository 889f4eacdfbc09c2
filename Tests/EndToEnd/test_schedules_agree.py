"""`herald explain` agrees with croniter, cronsim and python-dateutil on generated expressions.

The due times are compared as UTC instants. If a peer differs, one of RULES must explain the difference: it is
applied to both answers, which must then be equal. At most 3 % of the expressions may need a rule. Expressions
that RFC 5545 forbids are not generated. Neither are those that python-dateutil interprets differently from RFC
5545: `BYDAY=MO,2TU`, BYWEEKNO without BYDAY, and weeks 52 and 53, which it miscounts in January. LanguageTests
have examples of these.
"""

import json
import os
import random
import zoneinfo
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from itertools import islice

import pytest
from croniter import croniter
from croniter.croniter import CroniterBadDateError
from cronsim import CronSim, CronSimError
from dateutil.rrule import rrulestr

from herald import SOAK, run

ZONES = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca",
         "Asia/Tehran", "Pacific/Apia", "Africa/Cairo"]
UTC = timezone.utc
SEED = 5545
COUNT = 420 if SOAK == 1 else 2100
# The least number of different expressions, of those per zone and kind, and of those at each change of a clock.
DIFFERENT, PER_ZONE, AT_CHANGES = (400, 12, 6) if SOAK == 1 else (2000, 80, 40)
SHOWN = 10
ALLOWED = 0.03
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


# Both sides read the same time zone files: Python uses only the first of the directories that herald uses.
zoneinfo.reset_tzpath([os.environ.get("TZDIR") or "/usr/share/zoneinfo"])


@dataclass(frozen=True)
class Case:
    kind: str
    expression: str
    zone: str
    after: datetime
    start: datetime | None = None

    @property
    def tz(self):
        return zoneinfo.ZoneInfo(self.zone)

    @property
    def parts(self):
        return dict(part.split("=") for part in self.expression.split(";"))

    @property
    def horizon(self):
        """The end of the search. python-dateutil is stopped there; the other peers stop themselves."""
        years = 400 if "FREQ=YEARLY" in self.expression else 60
        return self.after + timedelta(days=years * 365)

    @property
    def arguments(self):
        start = ["--start", self.start.isoformat(" ")] if self.start else []
        return ["explain", self.expression, "--timezone", self.zone, "--format", "json", "--next",
                SHOWN, "--from", self.after.strftime("%Y-%m-%dT%H:%M:%SZ"), *start]


@dataclass(frozen=True)
class Answer:
    """Herald's answer. It is empty if herald refuses an expression that never matches."""
    due_times: tuple
    notes: tuple


# Generation


def changes(zone, first=2008, last=2036):
    """Returns the instants of clock changes, to the minute, with the change of the offset."""
    tz, found = zoneinfo.ZoneInfo(zone), []
    instant, end = datetime(first, 1, 1, tzinfo=UTC), datetime(last, 1, 1, tzinfo=UTC)
    offset = instant.astimezone(tz).utcoffset()
    while instant < end:
        following = instant + timedelta(days=1)
        new = following.astimezone(tz).utcoffset()
        if new != offset:
            low, high = instant, following
            while high - low > timedelta(minutes=1):
                middle = low + (high - low) / 2
                low, high = (low, middle) if middle.astimezone(tz).utcoffset() == new else (middle, high)
            found.append((high.replace(second=0, microsecond=0), new - offset))
        instant, offset = following, new
    return found


CHANGES = {zone: changes(zone) for zone in ZONES}


def some_instant(rng, zone):
    """Returns a random instant. Every fifth is shortly before a clock change, where programs differ."""
    if rng.random() < 0.2:
        instant = rng.choice(CHANGES[zone])[0]
        return instant - timedelta(minutes=rng.randrange(1, 36 * 60))
    instant = datetime(2008, 1, 1, tzinfo=UTC) + timedelta(minutes=rng.randrange(28 * 365 * 1440))
    return instant.replace(second=rng.choice([0, 0, 59]))


def cron_numbers(rng, low, high, name=str):
    """Returns a number, list, range or step within `low...high`."""
    kind = rng.choice(["one", "one", "one", "list", "range", "step", "ranged step"])
    first, last = sorted(rng.sample(range(low, high + 1), 2))
    step = rng.randint(1, max(1, (last - first) // 2))
    return {
        "one": name(first),
        "list": ",".join(name(n) for n in rng.sample(range(low, high + 1), rng.randint(2, 3))),
        "range": f"{name(first)}-{name(last)}",
        "step": f"*/{rng.randint(2, (high - low) // 2 + 1)}",
        "ranged step": f"{name(first)}-{name(last)}/{step}",
    }[kind]


def some_cron(rng, zone):
    month_names = ["JAN", "feb", "Mar", "APR", "may", "Jun", "JUL", "aug", "Sep", "OCT", "nov", "Dec"]
    day_names = ["SUN", "mon", "Tue", "WED", "thu", "Fri", "SAT", "7"]
    minute = rng.choice(["0", "30", cron_numbers(rng, 0, 59), cron_numbers(rng, 0, 59)])
    hour = rng.choice(["*", "1", "2", cron_numbers(rng, 0, 23), cron_numbers(rng, 0, 23)])
    day = rng.choice(["*", "*", "*", "L", "31", "29", cron_numbers(rng, 1, 31), "15,L"])
    month = rng.choice(["*", "*", "*", "2", cron_numbers(rng, 1, 12),
                        cron_numbers(rng, 1, 12, lambda n: month_names[n - 1])])
    weekday = rng.choice(["*", "*", "*", "5L", "MON#1", f"{rng.randint(0, 6)}#{rng.randint(1, 5)}",
                          cron_numbers(rng, 0, 6), cron_numbers(rng, 0, 6, lambda n: day_names[n])])
    if set("#L") & set(weekday) and rng.random() < 0.95:
        day = "*"  # see croniter_ignores_the_day_of_month
    return Case("cron", f"{minute} {hour} {day} {month} {weekday}", zone, some_instant(rng, zone))


def skipped_times(zone):
    """Returns local times in the middle of a gap."""
    tz = zoneinfo.ZoneInfo(zone)
    gaps = [(instant, gain) for instant, gain in CHANGES[zone] if gain > timedelta(0)]
    return [(instant, (instant - timedelta(minutes=1)).astimezone(tz).replace(tzinfo=None) + gain / 2 + timedelta(minutes=1))
            for instant, gain in gaps]


def doubled_times(zone):
    """Returns local times that occur twice."""
    tz = zoneinfo.ZoneInfo(zone)
    backs = [(instant, gain) for instant, gain in CHANGES[zone] if gain < timedelta(0)]
    return [(instant, instant.astimezone(tz).replace(tzinfo=None) - gain / 2) for instant, gain in backs]


def cron_at_a_gap(rng, zone):
    """Returns an expression for a fixed time that is skipped on one of its days."""
    change, local = rng.choice(skipped_times(zone))
    day = rng.choice(["*", str(local.day), "*/1"])
    return Case("cron", f"{local.minute} {local.hour} {day} {rng.choice(['*', local.month])} *", zone,
                change - timedelta(minutes=rng.randrange(60, 5 * 1440)))


def rule_at_a_change(rng, zone):
    """Returns a rule for a time that is skipped or occurs twice on one of its days."""
    change, local = rng.choice(rng.choice([skipped_times, doubled_times])(zone))
    frequency = rng.choice(["DAILY", "WEEKLY", "HOURLY", "MINUTELY"])
    interval = {"DAILY": 1, "WEEKLY": 1, "HOURLY": 1, "MINUTELY": rng.choice([10, 15, 20])}[frequency]
    back = {"DAILY": timedelta(days=2), "WEEKLY": timedelta(days=7)}.get(frequency, timedelta(hours=2))
    start = local - back
    return Case("rrule", f"FREQ={frequency};INTERVAL={interval}", zone, change - back - timedelta(days=1), start)


def numbers(rng, low, high, most=3, signed=False):
    chosen = rng.sample(range(low, high + 1), rng.randint(1, most))
    return ",".join(str(rng.choice([1, -1]) * n if signed else n) for n in chosen)


def weekdays(rng, ordinal=None):
    chosen = rng.sample(DAYS, rng.randint(1, 3))
    return ",".join(f"{rng.choice([-1, 1]) * rng.randint(1, ordinal)}{d}" if ordinal else d for d in chosen)


def day_parts(rng, frequency):
    """Returns BY parts for days that RFC 5545 defines for this frequency."""
    month = rng.choice([{}, {}, {"BYMONTH": numbers(rng, 1, 12)}])
    choices = {
        "YEARLY": [
            {}, month, {"BYYEARDAY": numbers(rng, 1, 366, signed=True)},
            {"BYMONTH": numbers(rng, 1, 12), "BYDAY": weekdays(rng, ordinal=5)},
            {"BYDAY": weekdays(rng, ordinal=53)}, month | {"BYMONTHDAY": numbers(rng, 1, 31, signed=True)},
            {"BYWEEKNO": numbers(rng, 1, 51, signed=True), "BYDAY": weekdays(rng)}],
        "MONTHLY": [
            month, month | {"BYMONTHDAY": numbers(rng, 1, 31, signed=True)}, month | {"BYDAY": weekdays(rng)},
            month | {"BYDAY": weekdays(rng, ordinal=5)},
            month | {"BYDAY": weekdays(rng), "BYMONTHDAY": numbers(rng, 1, 28, 8)}],
        "WEEKLY": [month, month | {"BYDAY": weekdays(rng)}],
    }.get(frequency, [month, month | {"BYDAY": weekdays(rng)}, month | {"BYMONTHDAY": numbers(rng, 1, 31, signed=True)}])
    return rng.choice(choices)


def some_rule(rng, zone):
    frequency = rng.choice(["YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY"])
    parts = {"FREQ": frequency} | day_parts(rng, frequency)
    start = some_instant(rng, zone).astimezone(zoneinfo.ZoneInfo(zone)).replace(tzinfo=None)
    if rng.random() < 0.5:
        start = start.replace(hour=rng.choice([0, 1, 2, 3]), minute=rng.choice([0, 15, 30]), second=0)
    if rng.random() < 0.5:
        parts["INTERVAL"] = rng.choice([2, 2, 3, 4, 7, 12] + [90] * (frequency in ("HOURLY", "MINUTELY")))
    if rng.random() < 0.3:
        parts["BYHOUR"] = numbers(rng, 0, 23)
    if rng.random() < 0.2:
        parts["BYMINUTE"] = numbers(rng, 0, 59)
    if rng.random() < 0.1:
        parts["BYSECOND"] = numbers(rng, 0, 59)
    if rng.random() < 0.25:
        parts["WKST"] = rng.choice(DAYS)
    if rng.random() < 0.2 and frequency not in ("HOURLY", "MINUTELY") and any(name.startswith("BY") for name in parts):
        parts["BYSETPOS"] = numbers(rng, 1, 4, signed=True)
    match rng.randrange(6):
        case 0:
            parts["COUNT"] = rng.randint(1, 40)
        case 1:
            until = start.replace(tzinfo=UTC) + timedelta(days=rng.randrange(1, 2000))
            parts["UNTIL"] = until.strftime("%Y%m%dT%H%M%SZ")
    after = start.replace(tzinfo=zoneinfo.ZoneInfo(zone)).astimezone(UTC) - timedelta(seconds=1)
    if rng.random() < 0.3:
        after += timedelta(minutes=rng.randrange({"HOURLY": 200, "MINUTELY": 5}.get(frequency, 8000) * 60))
    if frequency == "DAILY" and "BYSETPOS" in parts:
        parts["BYHOUR"] = "6,9,12,18"  # a rule with one slot per day has no third slot, and dateutil would search forever
    items = list(parts.items())
    rng.shuffle(items)
    return Case("rrule", ";".join(f"{k}={v}" for k, v in items), zone, after, start)


def cases():
    rng = random.Random(SEED)
    kinds = rng.choices([some_cron, some_rule, cron_at_a_gap, rule_at_a_change], [55, 38, 3, 4], k=COUNT)
    generated = [kind(rng, ZONES[n % len(ZONES)]) for n, kind in enumerate(kinds)]
    return list(dict.fromkeys(generated))


# Queries


def herald(case):
    result = run(*case.arguments)
    if result.code == 65 and "this never matches" in result.err:
        return Answer((), ())
    rows = json.loads(result.expect(0).out)
    return Answer(tuple(datetime.fromisoformat(row["moment"]) for row in rows), tuple(row["note"] for row in rows))


def ask_croniter(case):
    fields = case.expression.upper().split()
    fields[4] = {"5L": "L5"}.get(fields[4], fields[4])  # croniter's notation for the last Friday
    try:
        found = croniter(" ".join(fields), case.after.astimezone(case.tz), datetime, implement_cron_bug=True)
        return [found.get_next().astimezone(UTC) for _ in range(3 * SHOWN)]
    except CroniterBadDateError:
        return []


def ask_cronsim(case):
    try:
        found = CronSim(case.expression, case.after.astimezone(case.tz))
        return [instant.astimezone(UTC) for instant in islice(found, 3 * SHOWN)]
    except CronSimError as error:
        if str(error) == "Bad day-of-month":  # no month has this many days
            return []
        raise


def ask_dateutil(case):
    try:
        rule = rrulestr(case.expression, dtstart=case.start.replace(tzinfo=case.tz))
        if not {"COUNT", "UNTIL"} & case.parts.keys():
            rule = rule.replace(until=case.horizon)  # otherwise a rule that never matches runs to the year 9999
        return due(rule, case.after)
    except ValueError as error:
        if "empty" in str(error):
            return []
        raise


def due(slots, after):
    """Returns the distinct due times of local times in order, as many as are compared."""
    due_times = set()
    for slot in slots:
        instant = slot.astimezone(UTC)
        # A skipped slot is due later than the following slots, by at most a day (Apia in 2011).
        if len(due_times) >= SHOWN and instant > sorted(due_times)[SHOWN - 1] + timedelta(days=1, minutes=1):
            break
        if instant > after:
            due_times.add(instant)
    return sorted(due_times)


PEERS = {"croniter": ask_croniter, "cronsim": ask_cronsim, "dateutil": ask_dateutil}
PEERS_OF = {"cron": ["croniter", "cronsim"], "rrule": ["dateutil"]}


# Comparison


def agree(case, answer, theirs, ours=None):
    """Returns whether the peer's list starts with ours, and also ends with it if ours ends."""
    ours = list(answer.due_times if ours is None else ours)
    known = [instant for instant in ours if instant <= case.horizon]
    has_ended = len(answer.due_times) < SHOWN
    return theirs[:len(known)] == known and (not has_ended or len(theirs) == len(known))


def repeated_hours_fire_twice(case, peer, answer, theirs):
    """croniter fires in both passes of a repeated hour; so does cronsim if minute or hour starts with `*`."""
    once = [instant for instant in theirs if not instant.astimezone(case.tz).fold]
    return peer != "dateutil" and agree(case, answer, once)


def croniter_makes_up_for_skipped_wildcards(case, peer, answer, theirs):
    """croniter fires at the end of a gap if the minute starts with `*` and the hour does not. cron daemons do not."""
    minute, hour = case.expression.split()[:2]
    if peer != "croniter" or minute[0] != "*" or hour[0] == "*":
        return False
    ends = {instant for instant, gain in CHANGES[case.zone] if gain > timedelta(0)}
    return agree(case, answer, [instant for instant in theirs if instant in answer.due_times or instant not in ends])


def croniter_ignores_the_day_of_month(case, peer, answer, theirs):
    """With a numbered weekday (`5#2`, `5L`), croniter ignores a restricted day of month, or finds nothing."""
    fields = case.expression.split()
    if peer != "croniter" or "*" in (fields[2][0], fields[4][0]) or not set("#L") & set(fields[4]):
        return False
    alone = replace(case, expression=" ".join([*fields[:2], "*", *fields[3:]]))
    return theirs in ([], ask_croniter(alone)) and agree(alone, herald(alone), ask_croniter(alone))


def dateutil_counts_its_first_week_from_dtstart(case, peer, answer, theirs):
    """BYSETPOS counts in whole weeks (RFC 5545); dateutil counts its first week from DTSTART."""
    if peer != "dateutil" or case.parts["FREQ"] != "WEEKLY" or not {"BYSETPOS"} <= case.parts.keys():
        return False
    week = (case.start.weekday() - DAYS.index(case.parts.get("WKST", "MO"))) % 7
    without_end = ";".join(f"{name}={value}" for name, value in case.parts.items() if name != "COUNT")
    rule = rrulestr(without_end, dtstart=(case.start - timedelta(days=week)).replace(tzinfo=case.tz))
    slots = (slot for slot in rule if slot.replace(tzinfo=None) >= case.start)
    return agree(case, answer, due(islice(slots, int(case.parts.get("COUNT", 3 * SHOWN))), case.after))


def cronsim_misses_slots_after_half_hour_changes(case, peer, answer, theirs):
    """If clocks change by half an hour, cronsim, which steps by hours, can miss slots of the next day."""
    if peer != "cronsim":
        return False
    half = [instant for instant, gain in CHANGES[case.zone] if gain % timedelta(hours=1)]
    kept = [m for m in answer.due_times
            if m in theirs or not any(timedelta(0) <= m - change < timedelta(days=1) for change in half)]
    return agree(case, answer, theirs, kept)


RULES = [repeated_hours_fire_twice, croniter_makes_up_for_skipped_wildcards, croniter_ignores_the_day_of_month,
         cronsim_misses_slots_after_half_hour_changes, dateutil_counts_its_first_week_from_dtstart]


def judge(case):
    """Returns herald's answer and, for each differing peer, the rule that explains it or both lists."""
    answer, differences = herald(case), {}
    for peer in PEERS_OF[case.kind]:
        theirs = PEERS[peer](case)
        if not agree(case, answer, theirs):
            rule = next((rule.__name__ for rule in RULES if rule(case, peer, answer, theirs)), None)
            differences[peer] = rule or f"{list(map(str, answer.due_times))}\n{peer}: {list(map(str, theirs[:SHOWN]))}"
    return case, answer, differences


@pytest.fixture(scope="module")
def judged(once):
    def all_cases():
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(judge, cases(), chunksize=8))

    return once("schedules", all_cases)


def test_a_rule_explains_every_difference(judged):
    names = {rule.__name__ for rule in RULES}
    unexplained = [f"{case}\n{text}" for case, _, found in judged for text in found.values() if text not in names]
    assert not unexplained, "\n\n".join(unexplained[:5])
    assert len(RULES) <= 5


def test_few_expressions_need_a_rule(judged):
    differing = [found for _, _, found in judged if found]
    rules = Counter(text for found in differing for text in set(found.values()))
    assert len(judged) >= DIFFERENT
    assert len(differing) <= ALLOWED * len(judged), f"{len(differing)} of {len(judged)}: {rules}"


def test_expressions_are_diverse(judged):
    """Every zone and peer has its share, most expressions have due times, and clocks change in many."""
    kinds = Counter((case.zone, case.kind) for case, _, _ in judged)
    assert len(kinds) == 2 * len(ZONES) and min(kinds.values()) >= PER_ZONE
    assert sum(not answer.due_times for _, answer, _ in judged) <= 0.05 * len(judged)
    notes = Counter(note for _, answer, _ in judged for note in set(answer.notes))
    assert min(notes["moved_forward"], notes["first_of_two"]) >= AT_CHANGES, notes
