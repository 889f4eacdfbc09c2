"""`herald calendar`: what the state records and what its rules predict, as text, JSON and iCalendar.

icalendar parses the files. Two years of several rules in several zones are computed again with python-dateutil, which
lists local times, and zoneinfo, which places them. $HERALD_NOW sets the clock.
"""

import json
import os
import shutil
import stat
import zoneinfo
from datetime import datetime, timedelta, timezone

import icalendar
import jsonschema
import pytest
from dateutil.rrule import rrulestr

from herald import ROOT, Project, token

NOW = "2037-03-01T12:00:00Z"
UTC = timezone.utc
SCHEMA = ROOT / "schemas/calendar.schema.json"

# Both sides read the same time zone files.
zoneinfo.reset_tzpath([os.environ.get("TZDIR") or "/usr/share/zoneinfo"])


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project")
    project.write("herald.yaml", "version: 1\nproject: tidewatch\ntimezone: Atlantic/Azores\n"
                  "topics: { tides: { reach: 5000 } }\n")
    project.devices([token(0)])
    write(project, "tide", 'at: "2037-03-20 07:30"')
    write(project, "daily", 'cron: "30 6 * * *"')
    return project


def write(project, name, schedule, audience="{ topic: tides }"):
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {audience}\nmessage: {{ notification: {{ title: Secret text }} }}\n"
        + (f"schedule: {{ {schedule} }}\n" if schedule else ""))


def calendar(project, *arguments, now=NOW, **options):
    return project.herald("calendar", *arguments, now=now, **options).expect(0).out


def sends(project, *arguments, now=NOW):
    """Returns the sends of the JSON calendar by occurrence."""
    document = json.loads(calendar(project, "--json", *arguments, now=now))
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    return {send["occurrence"]: send | {"date": day["date"], "name": audience["name"]}
            for day in document["days"] for audience in day["audiences"] for send in audience["sends"]}


def events(project, *arguments, now=NOW):
    """Returns the events of the iCalendar file by UID, without the lineage."""
    text = calendar(project, "--format", "ics", *arguments, now=now)
    lines = text.split("\r\n")
    assert lines.pop() == "" and not any("\n" in line or "\r" in line for line in lines)
    assert max(len(line.encode()) for line in lines) <= 75
    parsed = icalendar.Calendar.from_ical(text)
    assert not parsed.errors
    found = parsed.walk("VEVENT")
    assert not any(event.errors for event in found)
    lineage = project.rows("SELECT lineage FROM meta")[0][0]
    by_uid = {str(event["UID"]).removesuffix(f"@{lineage}"): event for event in found}
    assert len(by_uid) == len(found)
    return by_uid


# MARK: Text and JSON


def test_shows_sends_by_day_and_audience(bench):
    bench.apply(now=NOW).expect(0)
    assert calendar(bench, "--from", "2037-03-19", "--to", "2037-03-20") == """\
Calendar of local of tidewatch
2037-03-19 to 2037-03-20; days and times in Atlantic/Azores

Thu 2037-03-19
  topic tides
    06:30  daily  scheduled, 5,000 devices

Fri 2037-03-20
  topic tides
    06:30  daily  scheduled, 5,000 devices
    07:30  tide   scheduled, 5,000 devices
"""


def test_shows_four_weeks_from_today(bench):
    bench.apply(now=NOW).expect(0)
    # Today's send at 06:30 was before the apply.
    daily = [f"daily/2037-03-{day:02}T06:30/1" for day in range(2, 29)]
    found = sends(bench)
    assert sorted(found) == sorted([*daily, "tide/once/1"])
    # Only the next send of the rule is recorded.
    assert [name for name, send in found.items() if send["recorded"]] == ["daily/2037-03-02T06:30/1", "tide/once/1"]


@pytest.mark.parametrize("columns", [80, 160])
def test_text_fits_the_terminal(bench, columns):
    for n in range(6):
        write(bench, f"a-campaign-with-a-long-name-{n}", f'cron: "{n} * * * *", timezone: America/Argentina/Buenos_Aires')
    bench.apply(now=NOW).expect(0)
    text = calendar(bench, env={"COLUMNS": str(columns)})
    assert max(map(len, text.splitlines())) <= columns
    assert "24 scheduled, 5,000 devices each" in " ".join(text.split())


def test_shows_what_was_sent_and_what_a_pause_stops(bench):
    path = bench.list("crew", [token(n) for n in range(3)])
    bench.write("campaigns/crew.yaml", f"audience: crew\nregistrations: {path}\n")
    write(bench, "call", None, "crew")
    bench.devices([token(n) for n in range(3)])
    bench.apply(now=NOW).expect(0, "3 accepted")
    bench.herald("pause", "daily", now=NOW).expect(0)
    found = sends(bench, "--to", "2037-03-02")
    call, daily = found["call/once/1"], found["daily/2037-03-02T06:30/1"]
    assert (call["state"], call["name"], call["devices"], call["counts"]["accepted"]) == ("sent", "crew", 3, 3)
    assert call["date"] == "2037-03-01" and call["run"] == 1
    assert daily["state"] == "paused" and daily["counts"] is None
    text = calendar(bench, "--to", "2037-03-02")
    assert "  crew\n    11:00  call   sent: 3 accepted\n" in text
    assert "    06:30  daily  paused, 5,000 devices\n" in text


def test_expired_and_cancelled_sends_stay_in_the_calendar(bench):
    bench.apply(now=NOW).expect(0)
    bench.apply(now="2037-03-20T08:41:00Z").expect(3, "expired")
    (bench.folder / "campaigns/daily.yaml").unlink()
    bench.apply(now="2037-03-20T08:42:00Z").expect(0)
    found = sends(bench, "--from", "2037-03-20", now="2037-03-20T08:42:00Z")
    assert found["tide/once/1"]["state"] == "expired"
    daily = {name: send for name, send in found.items() if send["campaign"] == "daily"}
    assert [(name, send["state"], send["name"]) for name, send in daily.items()] == [
        ("daily/2037-03-21T06:30/1", "cancelled", None)]


def test_an_empty_period(bench):
    bench.apply(now=NOW).expect(0)
    text = calendar(bench, "--from", "2030-01-01", "--to", "2030-01-31")
    assert text.endswith("\n\nNothing was sent or is scheduled on these days.\n")
    assert sends(bench, "--from", "2030-01-01", "--to", "2030-01-31") == {}
    assert events(bench, "--from", "2030-01-01", "--to", "2030-01-31") == {}


# MARK: The state alone


def test_works_without_the_files(bench, tmp_path):
    bench.apply(now=NOW).expect(0)
    before = calendar(bench)
    (bench.folder / "herald.yaml").unlink()
    shutil.rmtree(bench.folder / "campaigns")
    assert calendar(bench) == before
    state = tmp_path / "moved.sqlite"
    shutil.copy(bench.folder / ".herald/local.sqlite", state)
    assert calendar(bench, "--state", state) == before


def test_changes_nothing(bench):
    bench.apply(now=NOW).expect(0)
    state = bench.folder / ".herald/local.sqlite"
    before = state.read_bytes(), bench.rows("SELECT serial FROM meta")
    for form in ("text", "json", "html", "ics"):
        calendar(bench, "--format", form)
    assert (state.read_bytes(), bench.rows("SELECT serial FROM meta")) == before
    assert bench.log.sends() == []


def test_edited_files_change_nothing_until_they_are_applied(bench):
    bench.apply(now=NOW).expect(0)
    before = calendar(bench)
    write(bench, "tide", 'at: "2037-03-22 07:30"')
    assert calendar(bench) == before


def test_reports_a_missing_state(bench):
    bench.herald("calendar", now=NOW).expect(1, "there is no state at", "run `herald apply` first")


@pytest.mark.parametrize("arguments, message", [
    (["--from", "2037-03-02", "--to", "2037-03-01"], "the last day 2037-03-01 is before the first day 2037-03-02"),
    (["--to", "2037-02-28"], "the last day 2037-02-28 is before the first day 2037-03-01"),
    (["--to", "2047-03-02"], "2037-03-01 to 2047-03-02 is longer than ten years"),
    (["--from", "tomorrow"], "--from"),
    (["--from", "2037-02-29"], "--from"),
])
def test_refuses_other_periods(bench, arguments, message):
    bench.apply(now=NOW).expect(0)
    bench.herald("calendar", *arguments, now=NOW).expect(64, message)


def test_writes_into_a_file(bench, tmp_path):
    bench.apply(now=NOW).expect(0)
    path = tmp_path / "herald.ics"
    path.write_text("earlier")
    result = bench.herald("calendar", "--format", "ics", "--out", path, now=NOW).expect(0)
    assert result.out == "" and result.err == f"Wrote {path}.\n"
    assert path.read_bytes().decode() == calendar(bench, "--format", "ics")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    bench.herald("calendar", "--out", tmp_path / "none/herald.txt", now=NOW).expect(1, "cannot be written")


# MARK: iCalendar


def test_an_event_describes_its_send(bench):
    bench.apply(now=NOW).expect(0)
    event = events(bench)["tide/once/1"]
    assert event["DTSTART"].dt == datetime(2037, 3, 20, 8, 30, tzinfo=UTC)
    assert event["DTSTAMP"].dt == datetime(2037, 3, 1, 12, tzinfo=UTC)
    assert event["SUMMARY"] == "tide to topic tides"
    assert event["DESCRIPTION"].splitlines() == [
        "Occurrence: tide/once/1", "State: scheduled", "Audience: topic tides",
        "Due: 2037-03-20 07:30 Atlantic/Azores", "Devices: 5,000"]
    assert event["STATUS"] == "CONFIRMED"
    text = calendar(bench, "--format", "ics")
    assert "X-WR-CALNAME:tidewatch local\r\n" in text
    assert "Secret text" not in text


def test_a_moved_send_moves_its_event(bench):
    bench.apply(now=NOW).expect(0)
    before = events(bench)
    write(bench, "tide", 'at: "2037-03-21 08:00"')
    bench.apply(now="2037-03-01T13:00:00Z").expect(0)
    after = events(bench, now="2037-03-01T13:30:00Z")
    assert after.keys() == before.keys()
    old, new = before["tide/once/1"], after["tide/once/1"]
    assert new["UID"] == old["UID"]
    assert new["DTSTART"].dt == datetime(2037, 3, 21, 9, 0, tzinfo=UTC)
    assert new["SEQUENCE"] > old["SEQUENCE"]
    assert new["LAST-MODIFIED"].dt > old["LAST-MODIFIED"].dt
    # The other events are unchanged.
    for name in before.keys() - {"tide/once/1"}:
        assert (after[name]["SEQUENCE"], after[name]["DTSTART"].dt) == (
            before[name]["SEQUENCE"], before[name]["DTSTART"].dt)


def test_the_sequence_of_an_event_rises_until_it_ends(bench):
    """A predicted send becomes a recorded one, is sent, and stays the same event."""
    name = "daily/2037-03-03T06:30/1"
    bench.apply(now=NOW).expect(0)
    seen = [events(bench)[name]]
    for now in ("2037-03-02T07:30:00Z", "2037-03-03T07:30:00Z"):
        bench.herald("apply", "--due", now=now).expect(0, "1 accepted")
        seen.append(events(bench, "--from", "2037-03-01", now=now)[name])
    assert len({event["UID"] for event in seen}) == 1
    assert len({event["DTSTART"].dt for event in seen}) == 1
    numbers = [event["SEQUENCE"] for event in seen]
    assert numbers == sorted(set(numbers)), numbers
    assert seen[-1]["SUMMARY"] == "daily to topic tides (sent)"
    assert "Requests: 1 accepted" in seen[-1]["DESCRIPTION"]


def test_a_removed_campaign_cancels_its_event(bench):
    bench.apply(now=NOW).expect(0)
    before = events(bench)["tide/once/1"]
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.apply(now=NOW).expect(0)
    after = events(bench)["tide/once/1"]
    assert after["UID"] == before["UID"] and after["DTSTART"].dt == before["DTSTART"].dt
    assert after["STATUS"] == "CANCELLED" and after["SEQUENCE"] > before["SEQUENCE"]


def test_a_long_name_with_other_letters_is_folded_between_letters(bench):
    path = "campaigns/registrations/Ängler; Küste, Übung " + "é🌊" * 20 + ".txt"
    bench.write(path, f"{token(0)}\n")
    write(bench, "call", None, f'{{ registrations: "{path}" }}')
    bench.apply(now=NOW).expect(0)
    assert events(bench)["call/once/1"]["SUMMARY"] == f"call to {path} (sent)"


# MARK: Two years

# Each rule as campaigns have it, and as local times of python-dateutil.
RULES = {
    "daily": ('cron: "30 7 * * *"', "FREQ=DAILY;BYHOUR=7;BYMINUTE=30", "Europe/Berlin"),
    # 02:30 does not exist on a day in March.
    "night": ('cron: "30 2 * * *"', "FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "Europe/Berlin"),
    "weekdays": ('cron: "15 18 * * MON-FRI"', "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=18;BYMINUTE=15",
                 "America/New_York"),
    # 01:45 occurs twice on a day in April: clocks go back by half an hour.
    "early": ('cron: "45 1 * * SUN"', "FREQ=WEEKLY;BYDAY=SU;BYHOUR=1;BYMINUTE=45", "Australia/Lord_Howe"),
    # Clocks go forward at midnight.
    "six-hours": ('cron: "0 0,6,12,18 * * *"', "FREQ=DAILY;BYHOUR=0,6,12,18;BYMINUTE=0", "Atlantic/Azores"),
    # An hour that begins with `*` leaves out the skipped midnight.
    "every-six": ('cron: "0 */6 * * *"', "FREQ=DAILY;BYHOUR=0,6,12,18;BYMINUTE=0", "Atlantic/Azores"),
    "last-friday": ('rrule: "FREQ=MONTHLY;BYDAY=-1FR", from: "2037-01-30 18:00"', "FREQ=MONTHLY;BYDAY=-1FR",
                    "Asia/Tokyo"),
    # 01:30 does not exist on a day in March, which a recurrence rule moves by an hour.
    "weekends": ('rrule: "FREQ=WEEKLY;BYDAY=SA,SU", from: "2037-01-31 01:30"', "FREQ=WEEKLY;BYDAY=SA,SU",
                 "Europe/Lisbon"),
    "twice": ('rrule: "FREQ=DAILY;INTERVAL=2;BYHOUR=6,18", from: "2037-01-01 06:20"',
              "FREQ=DAILY;INTERVAL=2;BYHOUR=6,18", "Asia/Kathmandu"),
}
STARTS = {"last-friday": datetime(2037, 1, 30, 18), "weekends": datetime(2037, 1, 31, 1, 30),
          "twice": datetime(2037, 1, 1, 6, 20)}


def placed(local, zone, is_cron):
    """Returns the instant of a local time: the first of two, or after a gap."""
    tz = zoneinfo.ZoneInfo(zone)

    def wall(instant):
        return instant.astimezone(tz).replace(tzinfo=None)

    instant = local.replace(tzinfo=tz, fold=0).astimezone(UTC)
    # zoneinfo moves a skipped time by the length of the gap, and cron to its end.
    while is_cron and wall(instant - timedelta(minutes=1)) > local:
        instant -= timedelta(minutes=1)
    return instant


def exists(local, zone):
    """Tells whether clocks show a local time."""
    tz = zoneinfo.ZoneInfo(zone)
    return local.replace(tzinfo=tz).astimezone(UTC).astimezone(tz).replace(tzinfo=None) == local


def expected(name, first, end):
    """Returns the due times of a rule by occurrence."""
    schedule, rule, zone = RULES[name]
    start = STARTS.get(name, datetime(2037, 2, 1))
    slots = rrulestr(rule, dtstart=start).between(datetime(2037, 2, 20), datetime(2039, 3, 10))
    if "*/" in schedule:
        slots = [slot for slot in slots if exists(slot, zone)]
    due = {f"{name}/{slot:%Y-%m-%dT%H:%M}/1": placed(slot, zone, schedule.startswith("cron")) for slot in slots}
    return {occurrence: instant for occurrence, instant in due.items() if first < instant < end}


def test_two_years_agree_with_zoneinfo(bench):
    for name, (schedule, _, zone) in RULES.items():
        write(bench, name, f"{schedule}, timezone: {zone}")
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.apply(now=NOW).expect(0)
    found = {uid: event["DTSTART"].dt for uid, event in
             events(bench, "--from", "2037-03-01", "--to", "2039-02-28").items()}
    end = datetime(2039, 3, 1, 1, tzinfo=UTC)  # midnight in the Azores
    theirs = {}
    for name in RULES:
        theirs |= expected(name, datetime.fromisoformat(NOW), end)
    assert len(theirs) > 5900
    assert found == theirs
    # Skipped and repeated local times.
    assert found["night/2037-03-29T02:30/1"] == datetime(2037, 3, 29, 1, 0, tzinfo=UTC)
    assert found["weekends/2037-03-29T01:30/1"] == datetime(2037, 3, 29, 1, 30, tzinfo=UTC)
    assert found["early/2037-04-05T01:45/1"] == datetime(2037, 4, 4, 14, 45, tzinfo=UTC)
    assert found["six-hours/2037-03-29T00:00/1"] == datetime(2037, 3, 29, 1, 0, tzinfo=UTC)
    assert "every-six/2037-03-29T00:00/1" not in found
