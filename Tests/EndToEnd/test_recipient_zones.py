"""Quiet hours in the time zones of a list's recipients, judged by a reference in `zoneinfo`.

The reference computes when each recipient of a send is due. The tests compare that, to the second, with the emulator's
log and with the plan.
"""

import hashlib
import random
import signal
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from datetime import time as clock
from zoneinfo import ZoneInfo

import pytest

from herald import SOAK, Emulator, Project, eventually, token

ZONES = ["Atlantic/Azores", "Europe/Berlin", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Apia",
         "America/Los_Angeles", "Africa/Casablanca", "Asia/Kathmandu", ""]
PROJECT_ZONE = "Europe/Lisbon"
BEFORE = "2037-03-01T12:00:00Z"
SPREAD = 600
FROM, TO = clock(22), clock(7)
HEADER = """\
timezone: {zone}
environments:
  local: {{ emulator: {{}}, {pace} guard: {{ quiet_hours: {{ from: "22:00", to: "07:00", spread: {spread}s }} }} }}
"""


# MARK: the reference


def share(campaign, slot="once"):
    digest = hashlib.sha256("\0".join(["e2e", campaign, slot, "spread"]).encode()).digest()
    return timedelta(seconds=int.from_bytes(digest[:8], "big") * SPREAD >> 64)


def is_quiet(instant, zone):
    local = instant.astimezone(ZoneInfo(zone or PROJECT_ZONE)).time()
    return local >= FROM or local < TO


def due_in(zone, moment, campaign, slot="once"):
    """When a recipient in the zone gets a send that is due at `moment`."""
    if not is_quiet(moment, zone):
        return moment
    end = moment
    while is_quiet(end, zone):
        end += timedelta(minutes=1)
    moved = end.replace(second=0) + share(campaign, slot)
    return end.replace(second=0) if is_quiet(moved, zone) else moved


def rfc3339(instant):
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def local(instant, zone=PROJECT_ZONE):
    return instant.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%d %H:%M:%S")


def at(text, zone=PROJECT_ZONE):
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc)


def test_the_reference_agrees_with_constants():
    """They were computed once by hand."""
    night = at("2037-03-20 23:30")
    assert share("tide") == timedelta(seconds=415)
    assert rfc3339(due_in("Europe/Berlin", night, "tide")) == "2037-03-21T06:06:55Z"
    assert rfc3339(due_in("Pacific/Apia", night, "tide")) == "2037-03-20T23:30:00Z"
    assert rfc3339(due_in("America/Los_Angeles", night, "tide")) == "2037-03-20T23:30:00Z"
    assert rfc3339(due_in("", night, "tide")) == "2037-03-21T07:06:55Z"


# MARK: the project


class Bench(Project):
    def __init__(self, folder, pace="", spread=SPREAD):
        super().__init__(folder, HEADER.format(zone=PROJECT_ZONE, pace=pace, spread=spread))

    def crowd(self, zones):
        """Writes a list with one recipient per zone, in order."""
        self.zones = {token(number): zone for number, zone in enumerate(zones)}
        self.devices(list(self.zones))
        self.write("lists/all.csv", "token,zone\n" + "".join(f"{t},{zone}\n" for t, zone in self.zones.items()))

    def to_all(self, name, schedule=None, more="", read="at_apply"):
        when = f"schedule: {{ {schedule} }}\n" if schedule else ""
        self.write(
            f"campaigns/{name}.yaml",
            f"campaign: {name}\naudience: {{ registrations: {{ file: lists/all.csv, column: token, timezone: zone, "
            f"read: {read} }} }}\nmessage: {{ notification: {{ title: {name} }} }}\n{when}{more}")

    def due(self, instant, code=0, text=""):
        """Sends what is due, and returns the registrations by campaign."""
        begin = len(self.log.bytes())
        self.herald("apply", "--due", now=rfc3339(instant)).expect(code, text)
        sent = defaultdict(set)
        for entry in self.log.requests(begin):
            if entry["path"].endswith("/messages:send"):
                message = entry["body"]["message"]
                sent[message["notification"]["title"]].add(message["token"])
        return dict(sent)

    def dues(self, campaign, moment, slot="once"):
        """Returns the registrations by their due times."""
        found = defaultdict(set)
        for registration, zone in self.zones.items():
            found[due_in(zone, moment, campaign, slot)].add(registration)
        return found

    def notices(self, now):
        return [n for n in self.plan(now=now)["notices"] if n["notice"] == "quiet-hours"]


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "project")
    bench.crowd(ZONES * 2)
    return bench


# MARK: due times


@pytest.mark.parametrize("moment", [
    "2037-03-20 23:30", "2037-03-20 12:00",
    # Clocks change in Europe, then on Lord Howe, where they go back by half an hour.
    "2037-03-29 03:30", "2037-04-04 15:20"])
def test_each_recipient_gets_the_message_when_it_is_day_there(bench, moment):
    bench.to_all("tide", f"at: '{moment}'")
    bench.apply(now=BEFORE).expect(0)
    expected = bench.dues("tide", at(moment))
    for due in sorted(expected):
        assert bench.due(due - timedelta(seconds=1)) == {}
        assert bench.due(due) == {"tide": expected[due]}, due
    bench.herald("apply", "--due", now=rfc3339(due)).expect(0, "Nothing is due.", "Nothing is scheduled.")
    assert bench.log.accepted() == dict.fromkeys(bench.zones, 1)


def test_a_campaign_without_a_schedule(bench):
    night = at("2037-03-20 23:30")
    bench.to_all("tide")
    bench.apply(now=rfc3339(night)).expect(0)
    expected = bench.dues("tide", night)
    first = expected.pop(night)
    assert set(bench.log.accepted()) == first
    for due in sorted(expected):
        assert bench.due(due) == {"tide": expected[due]}, due


def test_many_sends_over_ten_days(bench):
    generator = random.Random(23)
    instants, count = defaultdict(lambda: defaultdict(set)), 60 if SOAK > 1 else 12
    for number in range(count):
        moment = at("2037-03-24 00:00") + timedelta(minutes=generator.randrange(10 * 1_440))
        name = f"c{number}"
        bench.to_all(name, f"at: '{local(moment)}'")
        for due, registrations in bench.dues(name, moment).items():
            instants[due][name] |= registrations
    bench.apply(now=BEFORE).expect(0)
    for due in sorted(instants):
        assert bench.due(due) == instants[due], due
    assert bench.log.accepted() == dict.fromkeys(bench.zones, count)


def test_of_the_slots_of_a_night_each_recipient_gets_those_of_the_day(bench):
    """A slot that is due before the night of a recipient ends replaces the slots before it."""
    bench.to_all("tide", "cron: '30 */3 * * *'")
    start = at("2037-03-20 08:00")
    bench.apply(now=rfc3339(start)).expect(0)
    slots = [start.replace(hour=9, minute=30) + timedelta(hours=3 * n) for n in range(12)]
    instants = defaultdict(set)
    for slot, following in zip(slots, slots[1:]):
        for due, registrations in bench.dues("tide", slot, local(slot)[:16].replace(" ", "T")).items():
            if due == slot or due < following:
                instants[due] |= registrations
    for due in sorted(instants):
        if due < slots[-1]:
            assert bench.due(due) == {"tide": instants[due]}, due


# MARK: too late


@pytest.mark.parametrize("late, code, text", [("", 3, "expired   tide/once/1"), (", late: skip", 0, "")])
def test_recipients_for_whom_it_is_too_late_get_nothing(bench, late, code, text):
    bench.to_all("tide", f"at: '2037-03-20 23:30'{late}")
    bench.apply(now=BEFORE).expect(0)
    expected = bench.dues("tide", at("2037-03-20 23:30"))
    last = max(expected)
    too_late = sum(len(who) for due, who in expected.items() if due < last - timedelta(seconds=600))
    assert too_late
    # Nothing ran in the night.
    assert bench.due(last, code, text) == {"tide": expected[last]}
    assert bench.rows("SELECT expired FROM run_sendings ORDER BY run DESC LIMIT 1") == [(too_late,)]


def test_the_plan_counts_those_whose_night_outlasts_the_message(bench):
    night = at("2037-03-20 23:30")
    expires = at("2037-03-21 06:00")
    bench.to_all("tide", "at: '2037-03-20 23:30'", "delivery: { expires: '2037-03-21 06:00' }\n")
    over = sum(len(who) for due, who in bench.dues("tide", night).items() if due >= expires)
    notice, = bench.notices(BEFORE)
    assert over and notice["left_out"] == over


# MARK: plan and status


def test_the_plan_names_the_zones_that_wait(bench):
    night = at("2037-03-20 23:30")
    bench.to_all("tide", "at: '2037-03-20 23:30'")
    notice, = bench.notices(BEFORE)
    expected = sorted(
        (rfc3339(due), zone or PROJECT_ZONE, 2)
        for zone in ZONES if (due := due_in(zone, night, "tide")) > night)
    assert [(z["until"], z["zone"], z["count"]) for z in notice["zones"]] == expected
    assert (notice["effect"], notice["count"], notice["until"]) == ("zones", 2 * len(expected), expected[0][0])


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_form_of_the_plan_counts_who_waits(bench, form):
    bench.to_all("tide", "at: '2037-03-20 23:30'")
    text = bench.herald("plan", "--format", form, now=BEFORE).expect(0).out
    text = " ".join(text.replace("`", "").replace("&#39;", "'").replace("&apos;", "'").split())
    count = bench.notices(BEFORE)[0]["count"]
    assert f"{count} messages are deferred by quiet hours in the recipients' time zones" in text


def test_status_and_history_name_the_next_due_time(bench):
    night = at("2037-03-20 23:30")
    bench.to_all("tide", "at: '2037-03-20 23:30'")
    bench.apply(now=BEFORE).expect(0)
    bench.due(night)
    following = sorted(bench.dues("tide", night))[1]
    bench.herald("status", now=rfc3339(night)).expect(0, f"deferred until {local(following)} {PROJECT_ZONE}")
    bench.herald("history", now=rfc3339(night)).expect(
        0, f"deferred by quiet hours: tide/once/1 until {rfc3339(following)}")


def test_a_list_whose_recipients_are_all_elsewhere_ignores_the_campaigns_night(bench):
    bench.crowd(["Pacific/Apia"] * 2)
    bench.to_all("tide", "at: '2037-03-20 23:30'")
    assert bench.notices(BEFORE) == []
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(at("2037-03-20 23:30")) == {"tide": set(bench.zones)}


def test_a_corrected_zone_moves_a_scheduled_send(bench):
    night = at("2037-03-20 23:30")
    bench.crowd(["Pacific/Apia"] * 2)
    bench.to_all("tide", "at: '2037-03-20 23:30'")
    bench.apply(now=BEFORE).expect(0)
    bench.crowd(["Europe/Berlin"] * 2)
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(night) == {}
    assert bench.due(due_in("Europe/Berlin", night, "tide")) == {"tide": set(bench.zones)}


def test_a_reason_sends_to_all(bench):
    bench.to_all("tide", "at: '2037-03-20 23:30', during_quiet_hours: send, reason: Storm surge")
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(at("2037-03-20 23:30")) == {"tide": set(bench.zones)}


def test_a_list_that_is_read_at_its_send_is_refused(bench):
    bench.to_all("tide", "at: '2037-03-20 23:30'", read="at_send")
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command, now=BEFORE).expect(
            65, "the list of campaign tide has a `timezone`", "read: at_send", "during_quiet_hours: send")


# MARK: a night that begins during a send


class TestService:
    """A list at one message a second. It is 22:00 in Lisbon after 12 seconds, and morning in Auckland.

    A share of one second is none.
    """

    @pytest.fixture
    def slow(self, tmp_path):
        bench = Bench(tmp_path / "project", "pace: { sends_per_minute: 60 },", spread=1)
        bench.crowd(["", "Pacific/Auckland"] * 12)
        bench.to_all("call", "at: '2037-03-20 21:59:00'")
        with Emulator(bench):
            bench.apply(now=BEFORE).expect(0)
            yield bench

    MORNING = datetime(2037, 3, 21, 7, tzinfo=timezone.utc)

    def of(self, bench, zone):
        return {registration for registration, own in bench.zones.items() if own == zone}

    def in_the_morning(self, bench, waiting):
        """Sends the rest, and returns who got nothing."""
        begin = len(bench.log.bytes())
        bench.herald("apply", "--due", now="2037-03-21T06:59:59Z").expect(0, "Nothing is due.")
        bench.herald("apply", "--due", now=rfc3339(self.MORNING)).expect(0, f"{len(waiting)} accepted")
        assert {e["body"]["message"]["token"] for e in bench.log.requests(begin)} == waiting
        accepted = bench.log.accepted()
        assert set(accepted.values()) == {1}
        return set(bench.zones) - set(accepted)

    def test_it_holds_only_those_for_whom_it_begins(self, slow, shifted_clocks):
        with slow.start("run", env=shifted_clocks("2037-03-20T21:59:48+00:00")) as service:
            text = f"deferred call/once/1 until {rfc3339(self.MORNING)}"
            eventually(lambda: text in " ".join("".join(service.texts()).split()), "the deferral")
            service.signal(signal.SIGTERM).finish().expect(130)
        slow.log.settle()
        accepted = set(slow.log.accepted())
        assert self.of(slow, "Pacific/Auckland") <= accepted
        waiting = self.of(slow, "") - accepted
        assert 5 <= len(waiting) < 12
        assert self.in_the_morning(slow, waiting) == set()

    def test_a_killed_run_leaves_nothing_to_send_at_night(self, slow, shifted_clocks):
        with slow.start("run", env=shifted_clocks("2037-03-20T21:59:48+00:00")) as service:
            # The night has begun, and about five messages to Auckland are left.
            slow.log.wait_for(14)
            service.kill()
        slow.log.settle()
        before = set(slow.log.accepted())
        # A request in flight may be unknown.
        result = slow.herald("apply", "--due", now="2037-03-20T22:30:00Z")
        assert result.code in (0, 4), result
        night = set(slow.log.accepted()) - before
        assert night and night <= self.of(slow, "Pacific/Auckland")
        lost = self.of(slow, "Pacific/Auckland") - before - night
        waiting = {row for row in self.of(slow, "") if row not in before}
        assert len(lost) <= 1
        assert self.in_the_morning(slow, waiting) == lost
