"""Rollouts with quiet hours and frequency caps: a model computes which registrations each run must address.

Each run has a fixed time. The emulator's log shows what was sent.
"""

import json
import signal
from collections import Counter
from datetime import datetime, timedelta, timezone

import pytest

from herald import Emulator, Project, eventually
from rollout_model import STAFF, Model, Person, crowd
from test_postgres_state import IN_POSTGRES, E, database  # noqa: F401
from test_quiet_hours import share
from test_rollout import call, phase, point, status

# At the start, quiet hours hold Los Angeles; an hour later, they hold Tokyo.
START = datetime(2037, 3, 20, 12, tzinfo=timezone.utc)
ZONES = ["UTC", "Europe/Berlin", "Asia/Tokyo", "America/Los_Angeles"]
CAP, SPREAD = "per_recipient: { day: 1 }", 60
HOURS = f'quiet_hours: {{ from: "22:00", to: "07:00", spread: {SPREAD}s }}'
CODE = "SENDER_ID_MISMATCH"


def rfc3339(instant):
    return instant.strftime("%Y-%m-%dT%H:%M:%SZ")


class Bench(Project):
    """`guard`: of the environment. `pace`: its `pace`, with a comma."""

    def __init__(self, folder, env, state, guard, pace=""):
        super().__init__(folder)
        self.env = env
        self.write("herald.yaml", "version: 1\nproject: e2e\ntimezone: UTC\nenvironments:\n"
                   f"  bench: {{ emulator: {{}}, {pace} guard: {{ {guard} }}{state} }}\n")

    def audience(self, name, people, columns="identity: person", more=""):
        rows = "".join(f"{text},{one.name},{one.zone}\n" for one in people for text in one.devices)
        self.write(f"lists/{name}.csv", "token,person,zone\n" + rows)
        self.write(f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {{ file: lists/{name}.csv, "
                   f"column: token, {columns} }}\n{more}")

    def audiences(self, people, columns="identity: person"):
        self.audience("anglers", people, columns)
        self.audience("staff", STAFF, columns, "test: true\n")

    def campaign(self, name, audience, more=""):
        self.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {audience}\n"
                   f"message: {{ notification: {{ title: {name} }} }}\n{more}")

    def run(self, now, *arguments, code=0, campaign="log"):
        """Runs a command at a time, and returns the registrations that a campaign addressed, in order."""
        begin = len(self.log.bytes())
        call(self, *arguments, now=rfc3339(now)).expect(code)
        messages = [entry["body"]["message"] for entry in self.log.requests(begin) if entry["path"].endswith(":send")]
        return [message["token"] for message in messages if message["notification"]["title"] == campaign]

    def capped(self, now):
        """Returns the number of requests of the rollout that the cap suppressed."""
        output = call(self, "status", "--all", "--format", "json", now=rfc3339(now)).expect(0).out
        return next(row.get("capped", 0) for row in json.loads(output)["occurrences"] if row["campaign"] == "log")


@pytest.fixture(params=["sqlite", "postgres"])
def bench_of(request, tmp_path):
    """Creates a project and a running emulator with the devices of the people and of the staff."""
    emulators = []

    def make(people, guard, pace=""):
        env, state = {}, ""
        if request.param == "postgres":
            env, state = request.getfixturevalue("database").env, IN_POSTGRES
        bench = Bench(tmp_path / "project", env, state, guard, pace)
        bench.emulator = Emulator(bench).__enter__()
        emulators.append(bench.emulator)
        bench.emulator.install([text for one in [*people, *STAFF] for text in one.devices])
        return bench

    yield make
    for emulator in emulators:
        emulator.__exit__()


def times(start, count):
    """Returns a time in each hour; two minutes are more than the spread after quiet hours."""
    return [start] + [start + timedelta(hours=n, minutes=2) for n in range(1, count)]


def check(bench, model, now, *arguments, code=0):
    """Runs a command, and compares what it sends with the model, stage by stage. Returns the registrations in order."""
    expected = model.run(now)
    found = bench.run(now, *(arguments or ("apply", "--due")), code=code)
    assert len(found) == sum(map(len, expected)), (now, status(bench))
    rest = iter(found)
    assert [{next(rest) for _ in part} for part in expected] == expected, (now, status(bench))
    return found


def test_stages_with_quiet_hours_of_recipients_and_caps_send_what_the_model_expects(bench_of):
    people = crowd(240, ZONES)
    bench = bench_of(people, f"{HOURS}, {CAP}")
    bench.audiences(people, "identity: person, timezone: zone")
    model = Model(STAFF, people, timedelta(hours=1), START)
    # Other campaigns reach some people half an hour before, and others as soon as it is morning in Tokyo.
    earlier = START - timedelta(minutes=30)
    before = [one for one in people[::3] if not one.is_quiet(earlier)]
    morning = START + timedelta(hours=10)
    woken = [one for one in people[:120] if one.zone == "Asia/Tokyo"]
    bench.audience("before", before, "identity: person, timezone: zone")
    bench.audience("woken", woken, "identity: person, timezone: zone")
    bench.campaign("first", "before")
    first = bench.run(earlier, "apply", "--yes", campaign="first")
    assert set(first) == {text for one in before for text in one.devices}
    model.contact(before, earlier)
    bench.campaign("log", "anglers", "rollout: { canary: staff, stages: [10%, 50%], pause: 1h, stop_when: "
                   "{ rejected: 5%, unknown: 3 } }\n")
    bench.campaign("second", "woken", f'schedule: {{ at: "{morning:%Y-%m-%d %H:%M}", timezone: UTC }}\n')
    sent, stages, owner = [], set(), model.owners()
    for number, now in enumerate(times(START, 12)):
        if now - morning == timedelta(minutes=2):
            # The spread moves the rollout, which was held, but not a campaign that is due in the morning.
            assert bench.run(morning, "apply", "--due") == []
            model.contact(woken, morning)
        found = check(bench, model, now, *(() if number else ("apply", "--yes")))
        assert not [text for text in found if owner[text].is_quiet(now)], now
        stages |= {model.stage_of(owner[text]) for text in found}
        sent += found
    assert len(sent) == len(set(sent)) and set(sent) | model.capped == set(owner)
    assert stages == {0, 1, 2, 3} and 20 < len(model.capped) < len(sent)
    assert bench.capped(now) == len(model.capped)
    assert phase(bench) == "finished"


def test_a_stage_that_is_due_in_quiet_hours_waits_for_their_end(bench_of):
    people = crowd(60)
    bench = bench_of(people, f"{HOURS}, {CAP}")
    bench.audiences(people)
    evening = START.replace(hour=20, minute=30)
    model = Model(STAFF, people, timedelta(hours=1), evening)
    bench.audience("before", people[::2])
    bench.campaign("first", "before")
    bench.run(evening - timedelta(hours=1), "apply", "--yes")
    model.contact(people[::2], evening)
    bench.campaign("log", "anglers", "rollout: { canary: staff, stages: [10%, 50%], pause: 1h }\n")
    # The canary, and the first stage without people who are over the cap.
    assert check(bench, model, evening, "apply", "--yes")
    assert check(bench, model, evening + timedelta(hours=1))
    assert model.capped and status(bench)["stage"] == 2
    midnight = evening.replace(hour=0, minute=0) + timedelta(days=1)
    for now in (evening + timedelta(hours=2), midnight, midnight + timedelta(hours=6, minutes=59, seconds=59)):
        assert check(bench, model, now) == []
    call(bench, "status", now=rfc3339(now)).expect(0, "stage 3 of 4 (50%)", "deferred until 2037-03-21 07:00")
    # A day has begun, so that the cap leaves out no one of the later stages.
    capped = set(model.capped)
    assert check(bench, model, midnight + timedelta(hours=7, minutes=1))
    assert check(bench, model, midnight + timedelta(hours=8, minutes=1))
    assert model.capped == capped and bench.capped(now) == len(capped)
    assert phase(bench) == "finished"


def test_quiet_hours_interrupt_a_stage(bench_of, shifted_clocks):
    people = crowd(16, most=1)
    bench = bench_of(people, HOURS.replace(f"{SPREAD}s", "5s"), "pace: { sends_per_minute: 60 },")
    bench.audiences(people)
    bench.campaign("log", "anglers", 'rollout: { canary: staff, stages: [75%] }\nschedule: { at: "2037-03-20 21:59" }\n')
    bench.run(START, "apply", "--yes")
    with bench.start("run", *E, env=bench.env | shifted_clocks("2037-03-20T21:59:52+00:00")) as service:
        eventually(lambda: "deferred log/once/1 until" in " ".join("".join(service.texts()).split()), "the deferral")
        count = bench.log.settle()
        service.signal(signal.SIGTERM).finish().expect(130)
    first = {one.devices[0] for one in people if point(one.name) < 0.75}
    before = {entry["body"]["message"]["token"] for entry in bench.log.sends()}
    assert {one.devices[0] for one in STAFF} <= before <= {one.devices[0] for one in STAFF} | first
    assert 3 < count == len(before) < 3 + len(first) and status(bench)["stage"] == 1
    morning = START.replace(hour=7) + timedelta(days=1)
    assert bench.run(morning - timedelta(hours=1), "apply", "--due") == []
    rest = bench.run(morning + timedelta(seconds=share("log", "spread", 5)), "apply", "--due")
    # The rest of the stage comes before the others.
    assert set(rest[:len(first) + 3 - count]) == first - before
    assert Counter([*before, *rest]) == Counter(text for one in [*people, *STAFF] for text in one.devices)


@pytest.mark.parametrize("condition, refused", [("30%", 2), ("1", 0)])
def test_capped_people_do_not_count_for_stop_when(bench_of, condition, refused):
    people = crowd(40, most=1)
    first = [one for one in people if point(one.name) < 0.5]
    bench = bench_of(people, CAP)
    bench.audiences(people)
    # The cap leaves five people of the stage.
    bench.audience("before", first[5:])
    bench.campaign("first", "before")
    bench.run(START - timedelta(hours=1), "apply", "--yes")
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"registration": one.devices[0]}, "answer": {"error": CODE}} for one in first[:refused]]})
    bench.campaign("log", "anglers", f"rollout: {{ stages: [50%], stop_when: {{ rejected: {condition} }} }}\n")
    found = bench.run(START, "apply", "--yes", code=3 if refused else 0)
    if refused:
        # 2 of 5 answers are more than 30 %, and 2 of about 20 requests are not.
        assert sorted(found) == sorted(one.devices[0] for one in first[:5])
        assert status(bench)["stop"]["reason"] == "rejected" and status(bench)["stop"]["code"] == CODE
    else:
        assert len(found) == len(people) - len(first[5:]) and phase(bench) == "finished"
    assert bench.capped(START) == len(first[5:])


def test_a_stage_is_judged_without_those_who_wait_for_quiet_hours(bench_of):
    people = crowd(24, ["UTC", "America/Los_Angeles"], most=1)
    first = [one for one in people if point(one.name) < 0.5]
    awake = [one.devices[0] for one in first if not one.is_quiet(START)]
    bench = bench_of(people, HOURS)
    bench.audience("anglers", people, "identity: person, timezone: zone")
    bench.emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "answer": {"error": CODE}}]})
    bench.campaign("log", "anglers", "rollout: { stages: [50%], stop_when: { rejected: 30% } }\n")
    assert sorted(bench.run(START, "apply", "--yes", code=3)) == sorted(awake)
    assert status(bench)["stop"]["code"] == CODE and 2 <= len(awake) < len(first)
    # The end of quiet hours does not continue it.
    bench.emulator.put("/emulator/v1/faults", {"rules": []})
    later = START + timedelta(hours=3)
    assert bench.run(later, "apply", "--due", code=3) == []
    call(bench, "rollout", "continue", "log", now=rfc3339(later)).expect(0)
    rest = bench.run(later, "apply", "--due")
    waited = {one.devices[0] for one in first} - set(awake)
    assert set(rest[:len(waited)]) == waited
    assert Counter([*awake, *rest]) == Counter(one.devices[0] for one in people)


def test_a_stage_waits_if_quiet_hours_hold_all_of_it(bench_of):
    people = crowd(20)
    bench = bench_of(people, HOURS)
    bench.audience("anglers", people, "identity: person, timezone: zone")
    staff = [Person(one.name, "America/Los_Angeles", one.devices) for one in STAFF]
    bench.audience("staff", staff, "identity: person, timezone: zone", "test: true\n")
    bench.campaign("log", "anglers", "rollout: { canary: staff, stages: [50%], pause: 1h }\n")
    model = Model(staff, people, timedelta(hours=1), START, (0.5, 1))
    for number, now in enumerate(times(START, 5)):
        found = check(bench, model, now, *(() if number else ("apply", "--yes")))
        assert bool(found) == (number >= 2), now
    assert phase(bench) == "finished"
