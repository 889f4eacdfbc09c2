"""Sends at the times in a column of the list (`at_column`), judged by a reference in `zoneinfo`."""

from collections import defaultdict
from datetime import timedelta

import pytest

from herald import token
from test_zone_slots import BEFORE, Bench, at, instant, rfc3339

# The zone and the time of each row, and when it is due. Computed once by GNU date.
ROWS = [
    ("Asia/Kathmandu", "2037-07-01 09:00", "2037-07-01T03:15:00Z"),
    ("Europe/Berlin", "2037-07-01 09:00", "2037-07-01T07:00:00Z"),
    ("", "2037-07-01 09:00", "2037-07-01T08:00:00Z"),
    ("Europe/Berlin", "2037-07-01T09:00:00+02:00", "2037-07-01T07:00:00Z"),
    ("Pacific/Apia", "2037-07-01T06:30:00Z", "2037-07-01T06:30:00Z"),
    ("Europe/Berlin", "2037-07-01 09:00", "2037-07-01T07:00:00Z"),
    # In the gap, it is due an hour later.
    ("Europe/Berlin", "2037-03-29 02:30", "2037-03-29T01:30:00Z"),
    ("Europe/Lisbon", "2037-07-01 09:00", "2037-07-01T08:00:00Z"),
    ("Asia/Tokyo", "", None),
]
SLOTS = {
    "2037-07-01 09:00[Asia/Kathmandu]", "2037-07-01 09:00[Europe/Berlin]", "2037-07-01 09:00[Europe/Lisbon]",
    "2037-07-01T09:00:00+02:00", "2037-07-01T06:30:00Z", "2037-03-29 02:30[Europe/Berlin]"}


class Times(Bench):
    def rows_of(self, rows):
        self.dues_of = defaultdict(list)
        lines = []
        for number, (zone, time, due) in enumerate(rows):
            lines.append(f"{token(number)},{zone},{time},Ana\n")
            if due:
                self.dues_of[due].append(token(number))
        self.devices([token(number) for number in range(len(rows))])
        self.write("lists/all.csv", "token,zone,tide,name\n" + "".join(lines))

    def to_own(self, name="tide", more="", zone=", timezone: zone", title="tide"):
        self.write(
            f"campaigns/{name}.yaml",
            f"campaign: {name}\naudience: {{ registrations: {{ file: lists/all.csv, column: token{zone} }} }}\n"
            f"message: {{ notification: {{ title: \"{title}\" }} }}\nschedule: {{ at_column: tide{more} }}\n")


@pytest.fixture
def bench(tmp_path):
    bench = Times(tmp_path / "project")
    bench.rows_of(ROWS)
    return bench


def test_the_reference_agrees_with_the_rows():
    for zone, time, due in ROWS:
        if due and len(time) == 16 and not time.startswith("2037-03-29"):
            assert rfc3339(at(time, zone)) == due


def test_each_row_gets_the_message_at_its_time(bench):
    bench.to_own()
    bench.apply(now=BEFORE).expect(0)
    assert set(bench.statuses()) == SLOTS
    for due in sorted(bench.dues_of):
        assert bench.due(instant(due) - timedelta(seconds=1)) == {}
        assert bench.due(instant(due)) == {"tide": sorted(bench.dues_of[due])}, due
    assert bench.log.accepted() == {token(n): 1 for n, row in enumerate(ROWS) if row[2]}


def test_the_plan_counts_the_rows_without_a_time(bench):
    bench.to_own()
    [action] = bench.plan(now=BEFORE)["campaigns"]
    assert action["without_time"] == 1
    assert {(z["zone"], z["registrations"]) for z in action["zones"]} >= {
        ("2037-07-01 09:00[Europe/Berlin]", 2), ("2037-07-01 09:00[Europe/Lisbon]", 2)}
    assert {z["occurrence"] for z in action["zones"]} == {f"tide/{slot}/1" for slot in SLOTS}
    text = " ".join(bench.herald("plan", now=BEFORE).expect(0).out.split())
    assert "at 6 different times" in text and "1 registration has no time, so nothing is sent to it" in text


def test_a_personal_text_and_a_list_without_zones(bench):
    bench.to_own(zone="", title="{{name}}: tide")
    bench.apply(now=BEFORE).expect(0)
    # The earlier times are too late.
    sent = bench.due(at("2037-07-01 09:00", ""), 3)
    assert sent == {"Ana: tide": sorted(token(n) for n in (0, 1, 2, 5, 7))}


def test_a_row_that_is_added_gets_its_message(bench):
    bench.to_own()
    bench.apply(now=BEFORE).expect(0)
    bench.due(instant("2037-07-01T03:15:00Z"), None)
    bench.rows_of([*ROWS, ("Europe/Berlin", "2037-07-02 09:00", "2037-07-02T07:00:00Z")])
    bench.apply(now="2037-07-01T04:00:00Z")
    assert bench.due(instant("2037-07-02T07:00:00Z"), None)["tide"] == [token(len(ROWS))]
    assert max(bench.log.accepted().values()) == 1


def test_a_raised_revision_is_due_at_once_for_rows_whose_time_has_passed(bench):
    bench.rows_of([("Asia/Kathmandu", "2037-07-01 09:00", "2037-07-01T03:15:00Z"),
                   ("Europe/Berlin", "2037-07-01T09:00:00+02:00", "2037-07-01T07:00:00Z")])
    bench.to_own()
    bench.apply(now=BEFORE).expect(0)
    assert bench.due(instant("2037-07-01T03:15:00Z")) == {"tide": [token(0)]}
    bench.to_own()
    path = bench.folder / "campaigns/tide.yaml"
    path.write_text(path.read_text() + "revision: 2\n")
    begin = len(bench.log.bytes())
    bench.apply(now="2037-07-01T05:00:00Z").expect(0)
    assert bench.sent(begin) == {"tide": [token(0)]}
    assert bench.due(instant("2037-07-01T07:00:00Z")) == {"tide": [token(1)]}
    assert bench.log.accepted() == {token(0): 2, token(1): 1}


@pytest.mark.parametrize("value", ["tomorrow", "2037-07-01", "2037-07-01T09:00", "2037-02-30 09:00"])
def test_a_value_that_is_not_a_time_is_an_error_with_its_line(bench, value):
    bench.rows_of([ROWS[0], ("", value, None)])
    bench.to_own()
    result = bench.herald("apply", "--yes", now=BEFORE)
    text = " ".join((result.out + result.err).split())
    assert result.code == 65 and "lists/all.csv:3: its `tide` is not a time" in text, result
    assert bench.log.sends() == []


def test_too_many_different_times_are_refused(bench):
    rows = [("", f"2037-07-{1 + n // 1440:02}T{n // 60 % 24:02}:{n % 60:02}:00Z", None) for n in range(10_001)]
    bench.write("lists/all.csv", "token,zone,tide,name\n" + "".join(
        f"{token(number)},{zone},{time},Ana\n" for number, (zone, time, _) in enumerate(rows)))
    bench.to_own()
    result = bench.herald("plan", now=BEFORE)
    assert result.code == 65 and "round the times" in " ".join((result.out + result.err).split()), result


@pytest.mark.parametrize("schedule, text", [
    ("at_column: tide, at: '2037-07-01 09:00'", "at_column"), ("at_column: tides", "no column `tides`")])
def test_validate_refuses(bench, schedule, text):
    bench.write(
        "campaigns/tide.yaml",
        "campaign: tide\naudience: { registrations: { file: lists/all.csv, column: token, timezone: zone } }\n"
        f"message: {{ notification: {{ title: tide }} }}\nschedule: {{ {schedule} }}\n")
    result = bench.herald("validate", now=BEFORE)
    assert result.code == 65 and text in " ".join((result.out + result.err).split()), result


def test_topics_have_no_column(bench):
    bench.write(
        "campaigns/tide.yaml",
        "campaign: tide\naudience: { topic: tides }\nmessage: { notification: { title: tide } }\n"
        "schedule: { at_column: tide }\n")
    result = bench.herald("validate", now=BEFORE)
    assert result.code == 65 and "`at_column` needs a list of registrations" in result.out + result.err, result
