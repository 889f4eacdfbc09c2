"""Frequency caps: `per_recipient`, judged by an independent count over the emulator's log.

The judge reads which requests were sent, and their last answers, and counts with `zoneinfo`. It knows nothing of the
state. If HERALD_SOAK is greater than 1, there are 10,000 people and 40 campaigns in 30 virtual days.
"""

import json
import random
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from herald import SOAK, Emulator, Project, token

ZONES = ["Atlantic/Azores", "Europe/Berlin", "Asia/Kolkata", "Pacific/Apia", "America/Los_Angeles", ""]
PROJECT_ZONE = "Europe/Lisbon"
PEOPLE, CAMPAIGNS, DAYS = (10_000, 40, 30) if SOAK > 1 else (250, 14, 9)
# The byte of an outcome in the state.
UNKNOWN = 3
START = datetime(2037, 3, 20, 6, tzinfo=timezone.utc)  # a Friday, and the week before clocks change in Europe
HEADER = """\
timezone: {zone}
environments:
  local:
    emulator: {{}}
    guard: {{ per_recipient: {cap} }}
"""


@dataclass
class Person:
    name: str
    zone: str
    devices: list


@dataclass
class Occurrence:
    """What the judge knows of one campaign's send."""

    contacted: set = field(default_factory=set)
    left_out: set = field(default_factory=set)
    settled: set = field(default_factory=set)


class Judge:
    """Counts the messages to each person in the person's own zone."""

    def __init__(self, day, week):
        self.day, self.week = day, week
        self.contacts = defaultdict(list)
        self.occurrences = defaultdict(Occurrence)

    @staticmethod
    def local(instant, zone):
        date = instant.astimezone(ZoneInfo(zone or PROJECT_ZONE)).date()
        return date, date.isocalendar()[:2]

    def is_under(self, person, now):
        today, week = self.local(now, person.zone)
        dates = [self.local(instant, person.zone) for instant in self.contacts[person.name]]
        return (sum(date == today for date, _ in dates) < self.day
                and sum(other == week for _, other in dates) < self.week)

    def expected(self, name, people, now, exempt=False):
        """Returns the registrations that must be addressed, and the number of people who are over the cap."""
        occurrence = self.occurrences[name]
        addressed, capped = set(), 0
        for person in people:
            rest = set(person.devices) - occurrence.settled
            if not rest:
                continue
            is_left_out = person.name in occurrence.left_out
            if person.name in occurrence.contacted or not is_left_out and (exempt or self.is_under(person, now)):
                addressed |= rest
            else:
                capped += 1
        return addressed, capped

    def note(self, name, people, now, requests, complete=True):
        """Notes the answers of a run; the last one to a registration is its outcome."""
        occurrence = self.occurrences[name]
        last = {entry["body"]["message"]["token"]: entry["status"] for entry in requests}
        for person in people:
            statuses = [last[device] for device in person.devices if device in last]
            occurrence.settled.update(device for device in person.devices if device in last)
            if any(status != 400 for status in statuses) and person.name not in occurrence.contacted:
                occurrence.contacted.add(person.name)
                self.contacts[person.name].append(now)
            if complete and not statuses and not set(person.devices) <= occurrence.settled:
                occurrence.left_out.add(person.name)

    def note_topic(self, people, now):
        for person in people:
            self.contacts[person.name].append(now)


class Bench(Project):
    def __init__(self, folder, cap):
        super().__init__(folder, HEADER.format(zone=PROJECT_ZONE, cap=json.dumps(cap).replace('"', "")), ["tides"])
        self.judge = Judge(cap.get("day", 10**9), cap.get("week", 10**9))

    def crowd(self, name, people, seed=0):
        """Writes a list whose rows are shuffled."""
        rows = [(device, person.name, person.zone) for person in people for device in person.devices]
        random.Random(seed).shuffle(rows)
        self.write(f"lists/{name}.csv", "token,person,zone\n" + "".join(f"{','.join(row)}\n" for row in rows))
        self.write(f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {{ file: lists/{name}.csv, "
                   "column: token, identity: person, timezone: zone }\n")

    def to(self, name, audience, more=""):
        self.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n"
                   f"message: {{ notification: {{ title: {name} }} }}\n{more}")

    def sends(self, begin, name):
        """Returns the requests of a campaign to registrations since a byte of the log."""
        messages = [entry for entry in self.log.requests(begin) if entry["path"].endswith("/messages:send")]
        return [entry for entry in messages
                if entry["body"]["message"]["notification"]["title"] == name and "token" in entry["body"]["message"]]

    def unknown(self, campaign, audience):
        """Returns the registrations of a list whose requests have an unknown outcome."""
        rows = (self.folder / f"lists/{audience}.csv").read_text().splitlines()[1:]
        outcomes = b"".join(row for row, in self.rows(
            f"SELECT outcomes FROM outcome_chunks JOIN occurrences USING (unit) WHERE campaign = '{campaign}' ORDER BY chunk"))
        return [row.split(",")[0] for row, outcome in zip(rows, outcomes) if outcome == UNKNOWN]

    def send(self, name, people, now, exempt=False):
        """Applies, and compares what was sent with the judge's decision."""
        expected, capped = self.judge.expected(name, people, now, exempt)
        begin = len(self.log.bytes())
        result = self.apply(now=now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        assert result.code in (0, 3, 4), result
        requests = self.sends(begin, name)
        assert {entry["body"]["message"]["token"] for entry in requests} == expected, (name, now)
        self.judge.note(name, people, now, requests)
        return result, capped

    def predicted(self, now):
        """Returns the counts of the plan's notices about the cap, by campaign."""
        notices = self.plan(now=now.strftime("%Y-%m-%dT%H:%M:%SZ"))["notices"]
        return {notice["occurrence"].split("/")[0]: notice["count"]
                for notice in notices if notice["notice"] == "capped"}


def crowd_of(count, seed=7):
    """Returns people with 2.4 devices each on average."""
    generator = random.Random(seed)
    people, number = [], 0
    for index in range(count):
        devices = generator.choices([1, 2, 3, 4], [20, 40, 20, 20])[0]
        people.append(Person(f"p{index}", generator.choice(ZONES), [token(number + n) for n in range(devices)]))
        number += devices
    return people


@pytest.fixture
def open_bench(tmp_path):
    """Creates a project with a cap and a running emulator."""
    emulators = []

    def make(cap, people):
        bench = Bench(tmp_path / "project", cap)
        bench.emulator = Emulator(bench).__enter__()
        emulators.append(bench.emulator)
        bench.emulator.install([device for person in people for device in person.devices])
        return bench

    yield make
    for emulator in emulators:
        emulator.__exit__()


def faults(bench, *rules):
    bench.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": list(rules)})


REJECTED = {"match": {"registration_share": 0.05}, "answer": {"error": "INVALID_ARGUMENT"}}
# Together below the share of server errors at which dispatch pauses.
LOST = {"accepted": True, "when": {"share": 0.01}, "answer": {"error": "UNAVAILABLE"}}
FAILED = {"when": {"share": 0.01}, "answer": {"error": "UNAVAILABLE"}}


# MARK: the judge


def test_no_person_is_over_the_cap_and_none_under_it_is_suppressed(open_bench):
    people = crowd_of(PEOPLE)
    bench = open_bench({"day": 1, "week": 3}, people)
    half = people[::2]
    bench.crowd("all", people, seed=1)
    bench.crowd("half", half, seed=2)
    generator = random.Random(11)
    hours = sorted(generator.sample(range(DAYS * 24), CAMPAIGNS))
    capped = 0
    for number, hour in enumerate(hours):
        name, now = f"c{number}", START + timedelta(hours=hour, minutes=generator.randrange(60))
        audience, addressed = ("half", half) if number % 3 == 1 else ("all", people)
        exempt = number % 7 == 3
        retried = number == 4
        policy = "retry" if retried else "skip"
        rules = [REJECTED, {**FAILED, "when": {"every": 20, "times": 3}}] if retried else [REJECTED, LOST, FAILED]
        faults(bench, *rules)
        more = f"on_unknown: {policy}\n" + ("cap: exempt\nreason: Storms\n" if exempt else "")
        bench.to(name, audience, more)
        predicted = bench.predicted(now).get(name, 0)
        result, over = bench.send(name, addressed, now, exempt)
        assert predicted == over, name
        if over:
            result.expect(result.code, "over the cap, not addressed")
        capped += over
    assert capped > PEOPLE
    ledger = bench.rows("SELECT sum(suppressed), sum(capped), sum(unknown) > 0, sum(rejected) > 0 FROM units")
    assert ledger[0][0] == ledger[0][1] and ledger[0][2:] == (1, 1), ledger
    # Byte 9 is suppressed(cap); it needs no row of details.
    outcomes = b"".join(row for row, in bench.rows("SELECT outcomes FROM outcome_chunks"))
    assert outcomes.count(9) == ledger[0][1]
    assert bench.rows("SELECT count(*) FROM outcome_details WHERE detail IN ('cap', 'UNREGISTERED')") == [(0,)]


def test_a_killed_send_counts_what_it_sent_and_decides_the_rest_again(open_bench):
    people = crowd_of(200)
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    faults(bench, {"delivery": {"delay_milliseconds": 100}})
    bench.to("first", "all")
    begin = len(bench.log.bytes())
    with bench.start("apply", "--yes", now="2037-03-20T06:00:00Z") as process:
        bench.log.wait_for(70)
        process.kill()
    bench.log.settle()
    faults(bench)
    bench.judge.note("first", people, START, bench.sends(begin, "first"), complete=False)
    assert 0 < len(bench.judge.occurrences["first"].contacted) < len(people)
    # Another campaign reaches the others on the same day, so that only devices of people who were contacted remain.
    bench.to("second", "all")
    begin = len(bench.log.bytes())
    assert bench.apply("--only", "second", now="2037-03-20T07:00:00Z").code in (0, 4)
    # A request that Herald was about to write at the kill is unknown to it, and may not be in the log.
    settled = bench.judge.occurrences["first"].settled
    lost = [device for device in bench.unknown("first", "all") if device not in settled]
    bench.judge.note("first", people, START, [{"body": {"message": {"token": device}}, "status": 0} for device in lost],
                     complete=False)
    first = set(bench.judge.occurrences["first"].contacted)
    now = START + timedelta(hours=1)
    requests = bench.sends(begin, "second")
    assert {entry["body"]["message"]["token"] for entry in requests} == {
        device for person in people if bench.judge.is_under(person, now) for device in person.devices}
    bench.judge.note("second", people, now, requests)
    expected, _ = bench.judge.expected("first", people, now + timedelta(hours=1))
    assert expected == {device for person in people if person.name in first for device in person.devices
                        if device not in bench.judge.occurrences["first"].settled}
    bench.send("first", people, now + timedelta(hours=1))


# MARK: zones, identities and topics


def few(*rows):
    """Returns people with the given name, zone and number of devices."""
    people, number = [], 0
    for name, zone, count in rows:
        people.append(Person(name, zone, [token(number + n) for n in range(count)]))
        number += count
    return people


def test_the_day_is_that_of_the_person(open_bench):
    people = few(("ana", "Atlantic/Azores", 2), ("bo", "Pacific/Apia", 1), ("cy", "", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("a", "all")
    bench.send("a", people, START)
    bench.to("b", "all")
    # 10:59 UTC is 23:59 in Apia; at 11:00 a day begins there.
    _, capped = bench.send("b", people, START.replace(hour=10, minute=59))
    assert capped == 3
    bench.to("c", "all")
    result, capped = bench.send("c", people, START.replace(hour=11))
    assert capped == 2
    result.expect(0, "1 accepted", "3 over the cap, not addressed")


def test_the_same_identity_in_two_lists_is_one_person(open_bench):
    people = few(("ana", "UTC", 1), ("bo", "UTC", 1))
    other = [Person("ana", "UTC", [token(8)]), Person("cy", "UTC", [token(9)])]
    bench = open_bench({"week": 1}, people + other)
    bench.crowd("one", people)
    bench.crowd("two", other)
    bench.to("a", "one")
    bench.send("a", people, START)
    bench.to("b", "two")
    _, capped = bench.send("b", other, START + timedelta(days=1))
    assert capped == 1


def test_a_message_counts_on_the_day_of_the_zone_that_the_decision_uses(open_bench):
    people = few(("ana", "America/Los_Angeles", 1), ("bo", "", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.write("lists/plain.csv", "token,person\n" + "".join(f"{one.devices[0]},{one.name}\n" for one in people))
    bench.write("campaigns/plain.yaml", "audience: plain\nregistrations: { file: lists/plain.csv, column: token, "
                "identity: person }\n")
    # Half past midnight of the next day in Apia is 04:30 in Los Angeles.
    bench.to("a", "plain", 'schedule: { at: "2037-03-21 00:30", timezone: Pacific/Apia }\n')
    bench.to("b", "all", 'schedule: { at: "2037-03-20 11:00", timezone: America/Los_Angeles }\n')
    bench.apply(now="2037-03-20T06:00:00Z").expect(0)
    bench.herald("apply", "--due", now="2037-03-20T11:30:00Z").expect(0, "2 accepted")
    bench.herald("apply", "--due", now="2037-03-20T18:00:00Z").expect(0, "2 over the cap, not addressed")


def test_without_an_identity_every_registration_is_a_person(open_bench):
    people = few(("ana", "UTC", 2))
    bench = open_bench({"day": 1}, people)
    path = bench.list("all", people[0].devices[:1])
    bench.to("a", f"{{ registrations: {path} }}")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0, "1 accepted")
    path = bench.list("both", people[0].devices)
    bench.to("b", f"{{ registrations: {path} }}")
    bench.apply(now="2037-03-20T07:00:00Z").expect(0, "1 accepted, 1 over the cap, not addressed")


def test_a_topic_send_counts_for_managed_members_and_the_plan_says_so(open_bench):
    people = few(("ana", "UTC", 2), ("bo", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    members = bench.list("members", people[0].devices[:1])
    bench.write("campaigns/members.yaml", f"audience: members\nregistrations: {members}\nsubscribe: [tides]\n")
    bench.apply(now="2037-03-19T06:00:00Z").expect(0, "1 joined")
    bench.to("a", "{ topic: tides }")
    bench.herald("plan", now="2037-03-20T06:00:00Z").expect(
        0, "the cap does not limit this send", "it counts for 1 managed member")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0)
    bench.judge.note_topic(people[:1], START)
    bench.to("b", "all")
    _, capped = bench.send("b", people, START + timedelta(hours=1))
    assert capped == 1


# MARK: views, plans and the state


def test_the_prediction_is_shown_and_is_not_part_of_the_digest(open_bench):
    people = few(("ana", "UTC", 2), ("bo", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("a", "all")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0, "3 accepted")
    bench.to("b", "all")
    bench.herald("plan", now="2037-03-20T07:00:00Z").expect(0, "about 2 of 2 people are over the cap and are left out")
    today, tomorrow = [bench.plan(now=f"2037-03-{day}T07:00:00Z") for day in (20, 21)]
    assert [notice["count"] for notice in today["notices"] if notice["notice"] == "capped"] == [2]
    assert [notice for notice in tomorrow["notices"] if notice["notice"] == "capped"] == []
    assert today["digest"] == tomorrow["digest"]
    bench.apply("--expect", tomorrow["digest"], now="2037-03-20T07:00:00Z").expect(0, "3 over the cap, not addressed")


def test_history_and_status_count_what_the_cap_suppressed(open_bench):
    people = few(("ana", "UTC", 2), ("bo", "UTC", 1), ("cy", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("some", people[:2])
    bench.crowd("all", people)
    bench.to("a", "some")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0)
    # The status in text describes occurrences with unknown outcomes.
    faults(bench, {"accepted": True, "delivery": {"reset_connection": True}})
    bench.to("b", "all")
    bench.apply(now="2037-03-20T07:00:00Z").expect(4)
    now = "2037-03-20T09:00:00Z"
    bench.herald("status", "b", now=now).expect(0, "3 suppressed", "3 requests suppressed (cap)")
    status = json.loads(bench.herald("status", "b", "--format", "json", now=now).expect(0).out)
    occurrence, = status["occurrences"]
    assert (occurrence["counts"]["suppressed"], occurrence["capped"]) == (3, 3)
    run = bench.rows("SELECT max(id) FROM runs")[0][0]
    bench.herald("history", str(run), now=now).expect(0, "3 requests suppressed (cap)")


def test_scheduled_sends_are_capped_without_the_files(open_bench):
    people = few(("ana", "UTC", 2), ("bo", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("later", "all", 'schedule: { at: "2037-03-20 09:00", timezone: UTC }\n')
    bench.to("a", "all")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0, "3 accepted")
    bench.herald("apply", "--due", now="2037-03-20T09:00:00Z").expect(0, "3 over the cap, not addressed")
    assert bench.log.count() == 3


def test_capped_sends_that_are_due_together_see_each_other(open_bench):
    people = few(("ana", "UTC", 2), ("bo", "UTC", 1), ("cy", "UTC", 1))
    bench = open_bench({"day": 2}, people)
    bench.crowd("all", people)
    for name in "abc":
        bench.to(name, "all", 'schedule: { at: "2037-03-20 09:00", timezone: UTC }\n')
    bench.apply(now="2037-03-20T06:00:00Z").expect(0)
    bench.herald("apply", "--due", now="2037-03-20T09:00:00Z").expect(
        0, "8 accepted", "4 over the cap, not addressed")
    assert bench.log.count() == 8


def test_an_erased_registration_leaves_the_count(open_bench):
    people = few(("ana", "UTC", 1), ("bo", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("a", "all")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0, "2 accepted")
    bench.herald("state", "forget", "-", input=people[0].devices[0], now="2037-03-20T07:00:00Z").expect(
        0, "1 × place among the people")
    bench.to("b", "all")
    bench.apply(now="2037-03-20T08:00:00Z").expect(0, "1 accepted, 1 over the cap, not addressed")


def test_no_identity_is_in_the_state(open_bench):
    people = few(("ana-of-brisa", "UTC", 2), ("bo-of-brisa", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("a", "all")
    bench.apply(now="2037-03-20T06:00:00Z").expect(0, "3 accepted")
    files = [path for path in (bench.folder / ".herald").glob("local.sqlite*") if path.is_file()]
    assert files and all(b"of-brisa" not in path.read_bytes() for path in files)


def test_an_exemption_needs_a_reason(open_bench):
    people = few(("ana", "UTC", 1))
    bench = open_bench({"day": 1}, people)
    bench.crowd("all", people)
    bench.to("a", "all", "cap: exempt\n")
    bench.herald("validate").expect(65, "error[missing-key]", "`reason`")
    bench.to("a", "all", "cap: exempt\nreason: Storms\n")
    bench.herald("validate").expect(0)
