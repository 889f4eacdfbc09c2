"""Sends at the local times of recipients (`timezone: recipient`), judged by a reference in `zoneinfo`.

The reference computes when each recipient is due. The tests compare that, to the second, with the emulator's log.
"""

import hashlib
import json
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from herald import Emulator, Project, token

ZONES = ["Atlantic/Azores", "Europe/Berlin", "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Apia",
         "America/Los_Angeles", "Africa/Casablanca", "Asia/Kathmandu", ""]
PROJECT_ZONE = "Europe/Lisbon"
BEFORE = "2037-03-01T12:00:00Z"
HEADER = "timezone: Europe/Lisbon\nenvironments:\n  local: {{ emulator: {{}}{more} }}\n"


def rfc3339(instant):
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def instant(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def at(text, zone):
    """When clocks in the zone show a local time that occurs once."""
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone or PROJECT_ZONE)).astimezone(timezone.utc)


def test_the_reference_agrees_with_constants():
    """They were computed once by GNU date."""
    assert rfc3339(at("2037-07-01 09:00", "Asia/Kathmandu")) == "2037-07-01T03:15:00Z"
    assert rfc3339(at("2037-07-01 09:00", "Australia/Lord_Howe")) == "2037-06-30T22:30:00Z"
    assert rfc3339(at("2037-07-01 09:00", "Pacific/Apia")) == "2037-06-30T20:00:00Z"
    assert rfc3339(at("2037-07-01 09:00", "")) == "2037-07-01T08:00:00Z"


class Bench(Project):
    def __init__(self, folder, more=""):
        super().__init__(folder, HEADER.format(more=more), ["tides"])

    def crowd(self, zones, install=True):
        """Writes a list with one recipient per zone, in order."""
        self.zones = {token(number): zone for number, zone in enumerate(zones)}
        if install:
            self.devices(list(self.zones))
        self.write("lists/all.csv", "token,zone\n" + "".join(f"{t},{zone}\n" for t, zone in self.zones.items()))

    def to_all(self, name, schedule, more="", read="at_apply"):
        self.write(
            f"campaigns/{name}.yaml",
            f"campaign: {name}\naudience: {{ registrations: {{ file: lists/all.csv, column: token, timezone: zone, "
            f"read: {read} }} }}\nmessage: {{ notification: {{ title: {name} }} }}\n"
            f"schedule: {{ {schedule}, timezone: recipient }}\n{more}")

    def sent(self, begin):
        sent = defaultdict(list)
        for entry in self.log.requests(begin):
            if entry["path"].endswith("/messages:send"):
                message = entry["body"]["message"]
                sent[message["notification"]["title"]].append(message["token"])
        return {name: sorted(tokens) for name, tokens in sent.items()}

    def due(self, moment, code=0, *texts):
        """Sends what is due, and returns the registrations by campaign."""
        begin = len(self.log.bytes())
        result = self.herald("apply", "--due", now=rfc3339(moment))
        if code is not None:
            result.expect(code, *texts)
        return self.sent(begin)

    def dues(self, local):
        """Returns the registrations by their due times."""
        found = defaultdict(list)
        for registration, zone in self.zones.items():
            found[at(local, zone)].append(registration)
        return {due: sorted(found[due]) for due in sorted(found)}

    def statuses(self):
        return dict(self.rows("SELECT slot, status FROM occurrences"))


@pytest.fixture
def bench(tmp_path):
    bench = Bench(tmp_path / "project")
    bench.crowd(ZONES * 2)
    return bench


# MARK: due times


@pytest.mark.parametrize("day", ["2037-03-20", "2037-03-29", "2037-04-05", "2037-07-01"])
def test_each_person_gets_the_message_once_at_nine_in_the_own_zone(bench, day):
    bench.to_all("tide", f"at: '{day} 09:00'")
    bench.apply(now=BEFORE).expect(0)
    for due, registrations in bench.dues(f"{day} 09:00").items():
        assert bench.due(due - timedelta(seconds=1)) == {}
        assert bench.due(due) == {"tide": registrations}, due
    bench.herald("apply", "--due", now=rfc3339(due)).expect(0, "Nothing is due.", "Nothing is scheduled.")
    assert bench.log.accepted() == dict.fromkeys(bench.zones, 1)


def test_an_apply_sends_what_is_due_without_a_service(bench):
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    for due, registrations in bench.dues("2037-07-01 09:00").items():
        begin = len(bench.log.bytes())
        bench.apply(now=rfc3339(due)).expect(0)
        assert bench.sent(begin) == {"tide": registrations}, due


def test_a_rule_is_due_every_day_in_each_zone(bench):
    """Clocks change in Europe on the second day."""
    bench.to_all("tide", "cron: '0 9 * * *'")
    bench.apply(now="2037-03-27T23:00:00Z").expect(0)
    expected = defaultdict(list)
    for day in ["2037-03-28", "2037-03-29", "2037-03-30"]:
        for due, registrations in bench.dues(f"{day} 09:00").items():
            expected[due] += registrations
    begin = instant("2037-03-27T23:00:00Z")
    for due in sorted(due for due in expected if due > begin):
        assert bench.due(due) == {"tide": sorted(expected[due])}, due


def test_nothing_is_sent_at_the_local_time_of_the_project(bench):
    bench.crowd(["Asia/Tokyo"] * 3)
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(at("2037-07-01 09:00", "Asia/Tokyo")) == {"tide": sorted(bench.zones)}
    assert bench.due(at("2037-07-01 09:00", PROJECT_ZONE)) == {}


def test_all_devices_of_a_person_are_in_one_zone(bench):
    rows = [("ana", ""), ("ana", "Asia/Tokyo"), ("bo", "Europe/Lisbon"), ("bo", "Asia/Tokyo")]
    bench.write("lists/people.csv", "token,person,zone\n" + "".join(
        f"{token(n)},{person},{zone}\n" for n, (person, zone) in enumerate(rows)))
    bench.write(
        "campaigns/tide.yaml",
        "campaign: tide\naudience: { registrations: { file: lists/people.csv, column: token, identity: person, "
        "timezone: zone } }\nmessage: { notification: { title: tide } }\n"
        "schedule: { at: '2037-07-01 09:00', timezone: recipient }\n")
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(at("2037-07-01 09:00", "Asia/Tokyo")) == {"tide": sorted([token(0), token(1)])}
    assert bench.due(at("2037-07-01 09:00", "")) == {"tide": sorted([token(2), token(3)])}


# MARK: late and changed


@pytest.mark.parametrize("late, code, text", [
    ("", 3, "tide/once[Asia/Kathmandu]/1"), (", late: skip", 3, "tide/once[Asia/Kathmandu]/1")])
def test_zones_whose_time_has_passed_follow_late(bench, late, code, text):
    bench.to_all("tide", f"at: '2037-07-01 09:00'{late}")
    now = at("2037-07-01 12:00", "Asia/Kathmandu")
    bench.apply(now=rfc3339(now)).expect(code, text)
    dues = bench.dues("2037-07-01 09:00")
    passed = {zone or PROJECT_ZONE for zone in ZONES if at("2037-07-01 09:00", zone) < now}
    assert {slot for slot, status in bench.statuses().items() if status != 0} == {f"once[{z}]" for z in passed}
    for due in (due for due in dues if due > now):
        assert bench.due(due) == {"tide": dues[due]}
    assert set(bench.log.accepted()) == {r for r, zone in bench.zones.items() if (zone or PROJECT_ZONE) not in passed}


def test_late_send_reaches_the_zones_that_were_missed(bench):
    bench.to_all("tide", "at: '2037-07-01 09:00', late: send")
    now = at("2037-07-01 12:00", "Asia/Kathmandu")
    bench.apply(now=rfc3339(now)).expect(0)
    passed = [r for r, zone in bench.zones.items() if at("2037-07-01 09:00", zone) < now]
    assert bench.log.accepted() == dict.fromkeys(passed, 1)


def test_a_zone_that_is_added_later_gets_only_what_is_due_later(bench):
    bench.crowd(["Europe/Lisbon", "Asia/Tokyo"])
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.apply(now=BEFORE).expect(0)
    bench.due(at("2037-07-01 09:00", "Asia/Tokyo"))
    bench.crowd(["Europe/Lisbon", "Asia/Tokyo", "America/Los_Angeles"])
    bench.apply(now="2037-07-01T01:00:00Z").expect(0)
    assert bench.due(at("2037-07-01 09:00", "Europe/Lisbon")) == {"tide": [token(0)]}
    assert bench.due(at("2037-07-01 09:00", "America/Los_Angeles")) == {"tide": [token(2)]}
    assert bench.log.accepted() == dict.fromkeys(bench.zones, 1)


def test_a_raised_revision_is_due_at_once_in_the_zones_whose_time_has_passed(bench):
    bench.crowd(["America/Los_Angeles", "Asia/Tokyo", "Europe/Lisbon"])
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.apply(now=BEFORE).expect(0)
    bench.due(at("2037-07-01 09:00", "Asia/Tokyo"))
    bench.to_all("tide", "at: '2037-07-01 09:00'", "revision: 2\n")
    now = "2037-07-01T06:00:00Z"
    bench.herald("plan", now=now).expect(0, "because `revision` was raised after its due time")
    begin = len(bench.log.bytes())
    bench.apply(now=now).expect(0)
    assert bench.sent(begin) == {"tide": [token(1)]}
    assert bench.due(at("2037-07-01 09:00", "Europe/Lisbon")) == {"tide": [token(2)]}
    assert bench.due(at("2037-07-01 09:00", "America/Los_Angeles")) == {"tide": [token(0)]}
    assert bench.rows("SELECT slot, revision FROM occurrences WHERE status = 2 ORDER BY slot, revision") == [
        ("once[America/Los_Angeles]", 2), ("once[Asia/Tokyo]", 1), ("once[Asia/Tokyo]", 2), ("once[Europe/Lisbon]", 2)]
    [(due,)] = bench.rows("SELECT due FROM occurrences WHERE slot = 'once[Asia/Tokyo]' AND revision = 2")
    assert due == instant(now).timestamp()
    bench.apply(now="2037-07-02T12:00:00Z").expect(0, "No changes.")


# MARK: jitter


def test_each_slot_of_each_zone_is_sent_at_its_own_time_with_a_long_jitter(bench):
    """The shares are computed here as Documentation/Reference/Schedules.md defines them."""
    zones = ["Asia/Kathmandu", "Europe/Lisbon", "Europe/Berlin"]
    bench.crowd(zones)
    bench.to_all("tide", "cron: '*/5 * * * *', jitter: 40m")
    begin, end = instant("2037-07-01T12:02:00Z"), instant("2037-07-01T12:45:00Z")

    def due(slot, zone):
        local = slot.astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
        digest = hashlib.sha256(f"e2e\0tide\0{local}[{zone}]\0jitter".encode()).digest()
        return slot + timedelta(seconds=int.from_bytes(digest[:8], "big") * 2400 >> 64)

    first = begin + timedelta(minutes=3)
    expected = defaultdict(lambda: defaultdict(list))
    for number, zone in enumerate(zones):
        for step in range(18):
            slot = first + timedelta(minutes=5 * step)
            expected[due(slot, zone)][number].append(slot)
    bench.apply(now=rfc3339(begin)).expect(0)
    for moment in sorted(moment for moment in expected if moment < end):
        # Of two slots of a zone that are due at the same second, one is sent.
        assert bench.due(moment) == {"tide": sorted(token(number) for number in expected[moment])}, moment


# MARK: quiet hours, caps and review


def test_quiet_hours_hold_a_zone_as_a_whole(tmp_path):
    bench = Bench(tmp_path / "project", ', guard: { quiet_hours: { from: "22:00", to: "07:00", spread: 1s } }')
    bench.crowd(["Asia/Tokyo", "Europe/Berlin"] * 2)
    bench.to_all("tide", "at: '2037-07-01 23:30'")
    bench.apply(now=BEFORE).expect(0)
    for zone in ["Asia/Tokyo", "Europe/Berlin"]:
        assert bench.due(at("2037-07-01 23:30", zone)) == {}
    for zone in ["Asia/Tokyo", "Europe/Berlin"]:
        registrations = sorted(r for r, own in bench.zones.items() if own == zone)
        assert bench.due(at("2037-07-02 07:00", zone)) == {"tide": registrations}


def test_a_cap_counts_the_people_of_each_zone(tmp_path):
    bench = Bench(tmp_path / "project", ", guard: { per_recipient: { day: 1 } }")
    bench.crowd(["Asia/Tokyo", "Europe/Berlin"] * 2)
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.to_all("wind", "at: '2037-07-01 10:00'")
    bench.apply(now=BEFORE).expect(0)
    for zone in ["Asia/Tokyo", "Europe/Berlin"]:
        registrations = sorted(r for r, own in bench.zones.items() if own == zone)
        assert bench.due(at("2037-07-01 09:00", zone)) == {"tide": registrations}
        assert bench.due(at("2037-07-01 10:00", zone), None) == {}
    assert bench.rows("SELECT sum(capped) FROM units") == [(4,)]


def test_a_reviewed_campaign_is_sent_in_all_zones(tmp_path):
    bench = Bench(tmp_path / "project", ", sends: run, guard: { require_reviewed_plan: true }")
    bench.crowd(["Asia/Tokyo", "Europe/Berlin"])
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    digest = bench.plan(now=BEFORE)["digest"]
    bench.apply("--expect", digest, now=BEFORE).expect(0)
    assert bench.due(at("2037-07-01 09:00", "Asia/Tokyo")) == {"tide": [token(0)]}
    assert bench.due(at("2037-07-01 09:00", "Europe/Berlin")) == {"tide": [token(1)]}


def test_the_digest_depends_on_the_zones_of_the_rows(bench):
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    digest = bench.plan(now=BEFORE)["digest"]
    bench.crowd(ZONES[1:] + ZONES[:1] + ZONES)
    assert bench.plan(now=BEFORE)["digest"] != digest


def test_the_limit_of_recipients_is_that_of_all_zones(tmp_path):
    bench = Bench(tmp_path / "project", ", guard: { max_recipients: 3 }")
    bench.crowd(["Asia/Tokyo", "Europe/Berlin"] * 2)
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.apply(now=BEFORE).expect(6, "max-recipients")


# MARK: crashes


def test_a_killed_zone_is_resumed_and_the_others_wait_for_their_time(tmp_path, shifted_clocks):
    bench = Bench(tmp_path / "project", ", pace: { sends_per_minute: 120 }")
    bench.crowd(["Asia/Tokyo", "Europe/Berlin"] * 12)
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    first = {r for r, zone in bench.zones.items() if zone == "Asia/Tokyo"}
    due = at("2037-07-01 09:00", "Asia/Tokyo")
    with Emulator(bench):
        bench.apply(now=BEFORE).expect(0)
        with bench.start("run", env=shifted_clocks(rfc3339(due).replace("Z", "+00:00"))) as service:
            bench.log.wait_for(4)
            service.kill()
        bench.log.settle()
        before = set(bench.log.accepted())
        assert before < first
        # A request in flight may be unknown.
        result = bench.herald("apply", "--due", now=rfc3339(due + timedelta(minutes=1)))
        assert result.code in (0, 4), result
        after = set(bench.log.accepted())
        assert before < after <= first and len(first - after) <= 1
        assert bench.due(at("2037-07-01 09:00", "Europe/Berlin")) == {"tide": sorted(set(bench.zones) - first)}
        assert set(bench.log.accepted().values()) == {1}


# MARK: views


def test_the_plan_has_one_entry_with_the_zones(bench):
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    [action] = bench.plan(now=BEFORE)["campaigns"]
    zones = {zone or PROJECT_ZONE for zone in ZONES}
    expected = sorted((rfc3339(at("2037-07-01 09:00", zone)), zone, 2) for zone in zones)
    assert sorted((z["due"], z["zone"], z["registrations"]) for z in action["zones"]) == expected
    assert {z["occurrence"] for z in action["zones"]} == {f"tide/once[{zone}]/1" for zone in zones}
    assert (action["action"], action["due"]) == ("schedule", expected[0][0])
    text = " ".join(bench.herald("plan", now=BEFORE).expect(0).out.split())
    assert f"18 registrations of lists/all.csv, in {len(zones)} time zones; the last is {expected[-1][1]}" in text


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_every_form_of_the_plan_counts_the_zones(bench, form):
    bench.to_all("tide", "cron: '0 9 * * *'")
    text = bench.herald("plan", "--format", form, now=BEFORE).expect(0).out
    assert "in 9 time zones" in " ".join(text.split())


def test_status_names_the_first_and_the_last_zone(bench):
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    bench.apply(now=BEFORE).expect(0)
    text = " ".join(bench.herald("status", now=BEFORE).expect(0).out.split())
    assert "tide/once/1 in 9 time zones" in text and "2037-07-01 09:00 Pacific/Apia" in text
    found = json.loads(bench.herald("status", "--format", "json", now=BEFORE).expect(0).out)
    slots = {occurrence["slot"] for occurrence in found["occurrences"]}
    assert slots == {f"once[{zone or PROJECT_ZONE}]" for zone in ZONES}


def test_the_calendar_has_a_send_per_zone(bench):
    bench.to_all("tide", "cron: '0 9 * * *'")
    bench.apply(now=BEFORE).expect(0)
    found = json.loads(bench.herald(
        "calendar", "--from", "2037-03-10", "--to", "2037-03-10", "--format", "json", now=BEFORE).expect(0).out)
    text = json.dumps(found)
    for zone in ZONES:
        assert f"T09:00[{zone or PROJECT_ZONE}]/1" in text


def test_a_simulation_plays_each_zone_at_its_time(bench):
    bench.to_all("tide", "at: '2037-03-02 09:00'")
    bench.herald("simulate", now=BEFORE).expect(0)


# MARK: refusals


@pytest.mark.parametrize("audience, text", [
    ("{ topic: tides }", "`timezone: recipient` needs a list of registrations"),
    ("{ registrations: { file: lists/all.csv, column: token } }", "needs the time zones of the list's rows"),
    ("{ registrations: { file: lists/all.csv, column: token, timezone: zone, read: at_send } }",
     "the time zones of a list with `read: at_send` are not known in advance")])
def test_validate_refuses_what_has_no_zones(bench, audience, text):
    bench.write(
        "campaigns/tide.yaml",
        f"campaign: tide\naudience: {audience}\nmessage: {{ notification: {{ title: tide }} }}\n"
        "schedule: { at: '2037-07-01 09:00', timezone: recipient }\n")
    result = bench.herald("validate", now=BEFORE)
    assert result.code == 65 and text in " ".join((result.out + result.err).split()), result


def test_an_unknown_zone_is_an_error_before_anything_is_sent(bench):
    bench.crowd(["Europe/Berlin", "Europe/Atlantis"])
    bench.to_all("tide", "at: '2037-07-01 09:00'")
    result = bench.apply(now=BEFORE)
    assert result.code == 65 and "tzdata does not know" in " ".join((result.out + result.err).split()), result
    assert bench.log.sends() == []
