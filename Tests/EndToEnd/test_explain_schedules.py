"""`herald explain` for cron expressions and recurrence rules."""

import json

import pytest

from herald import run

BEFORE_THE_GAP = "2037-03-28T12:00:00Z"  # Berlin's clocks go from 02:00 to 03:00 on 2037-03-29


def test_prints_the_meaning_and_the_next_times():
    result = run("explain", "30 2 * * SUN", "--timezone", "Europe/Berlin", "--next", "2", now=BEFORE_THE_GAP)
    result.expect(0, "day of week   Sunday", "next 2 after 2037-03-28T12:00:00Z in Europe/Berlin")
    rows = [line.split() for line in result.out.splitlines() if line.startswith("  2037")]
    assert rows[0][:7] == ["2037-03-29", "02:30", "2037-03-29", "03:00", "+02:00", "CEST", "2037-03-29T01:00:00Z"]
    assert " ".join(rows[0][7:]) == "02:30 does not exist on this day: clocks go forward by 1 h"
    assert rows[1] == ["2037-04-05", "02:30", "2037-04-05", "02:30", "+02:00", "CEST", "2037-04-05T00:30:00Z"]


def test_json_has_slot_due_time_and_note():
    rule = ["explain", "RRULE:FREQ=DAILY;COUNT=3", "--start", "2037-03-28 02:30", "--except", "2037-03-30 02:30"]
    result = run(*rule, "--timezone", "Europe/Berlin", "--from", "2037-01-01T00:00:00Z", "--format", "json")
    assert json.loads(result.expect(0).out) == [
        {"slot": "2037-03-28 02:30", "moment": "2037-03-28T01:30:00Z", "note": None},
        {"slot": "2037-03-29 02:30", "moment": "2037-03-29T01:30:00Z", "note": "moved_forward"}]
    twice = run("explain", "30 2 25 10 *", "--timezone", "Europe/Berlin", "--next", "1", "--format", "json", now=BEFORE_THE_GAP)
    assert json.loads(twice.expect(0).out) == [
        {"slot": "2037-10-25 02:30", "moment": "2037-10-25T00:30:00Z", "note": "first_of_two"}]


def test_ended_rule_has_no_more_slots():
    run("explain", "FREQ=DAILY;COUNT=1", "--start", "2037-01-01 00:00", "--from", BEFORE_THE_GAP).expect(0, "no more")


@pytest.mark.parametrize("expression, marked, help", [
    ("61 7 * * *", "^^", "0 to 59"), ("0 0 * * FRI-SUN", "        ^^^^^^^", "`5-7`"), ("@daily", "^^^^^^", "`0 0 * * *`"),
    ("0 0 31 2 *", "    ^^^^", "calendar"), ("FREQ=DAILY;BYHOUR=8,24", "                    ^^", "0 to 23"),
    ("0 0 * *", "       ^", "day of week")])
def test_marks_the_position_of_a_wrong_expression(expression, marked, help):
    start = ["--start", "2037-01-01 00:00"] if "FREQ" in expression else []
    result = run("explain", expression, *start).expect(65, help)
    lines = result.err.splitlines()
    assert lines[lines.index(f"  {expression}") + 1] == f"  {marked}"
    assert result.out == ""


@pytest.mark.parametrize("arguments, fragment", [
    (["FREQ=DAILY"], "--start"), (["0 0 * * *", "--start", "2037-01-01 00:00"], "--start"),
    (["FREQ=DAILY", "--start", "tomorrow"], "`tomorrow`"), (["0 0 * * *", "--timezone", "Europe/Berlim"], "Europe/Berlin"),
    (["0 0 * * *", "--timezone", "CEST"], "time zone"), (["0 0 * * *", "--from", "2037-01-01"], "2037-01-01"),
    (["0 0 * * *", "--next", "0"], "--next")])
def test_wrong_options_exit_with_64(arguments, fragment):
    run("explain", *arguments).expect(64, fragment)
