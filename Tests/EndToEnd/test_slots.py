"""Occurrences over several applies: rules, late sends, revisions and renames. $HERALD_NOW sets the clock.

Sends are read only from the emulator's log.
"""

import hashlib
from datetime import datetime, timedelta, timezone

import pytest

from herald import Project, token


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: Europe/Berlin\n", ["tides"])
    project.devices([token(0)])
    return project


def write(bench, schedule, name="daily", title="t", more=""):
    bench.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {{ topic: tides }}\n"
        f"message: {{ notification: {{ title: {title} }} }}\n"
        + (f"schedule: {{ {schedule} }}\n" if schedule else "") + more)


def key(occurrence):
    """Returns the de-duplication key as Documentation/Operations/Ledger.md defines it."""
    return hashlib.sha256(occurrence.encode()).hexdigest()[:16]


def sent(bench):
    """Returns the keys of the sends in order. Each key identifies the occurrence."""
    messages = [entry["body"]["message"] for entry in bench.log.sends() if entry["status"] == 200]
    keys = [message["android"]["notification"]["tag"] for message in messages]
    for message, own in zip(messages, keys):
        assert message["apns"]["headers"]["apns-collapse-id"] == own
        assert message["webpush"]["notification"]["tag"] == own
    return keys


def scheduled(bench):
    return bench.rows("SELECT slot, due FROM occurrences WHERE status = 0 ORDER BY due")


def test_daily_rule_follows_a_clock_change(bench):
    """Berlin's clocks go forward on 2037-03-29 at 02:00: 07:30 is 06:30 UTC before and 05:30 UTC after."""
    write(bench, 'cron: "30 7 * * *"')
    bench.apply(now="2037-03-26T12:00:00Z").expect(0, "scheduled")
    assert scheduled(bench) == [("2037-03-27T07:30", 2121748200)]  # 2037-03-27T06:30:00Z
    for now, code in [("2037-03-27T06:29:59Z", "No changes."), ("2037-03-27T06:30:00Z", "1 accepted"),
                      ("2037-03-27T06:31:00Z", "No changes."), ("2037-03-28T06:35:00Z", "1 accepted"),
                      ("2037-03-29T05:29:59Z", "No changes."), ("2037-03-29T05:30:00Z", "1 accepted"),
                      ("2037-03-29T06:30:00Z", "No changes."), ("2037-03-30T05:31:00Z", "1 accepted"),
                      ("2037-03-31T05:32:00Z", "1 accepted")]:
        bench.apply(now=now).expect(0, code)
    assert sent(bench) == [key(f"daily/2037-03-{day}T07:30/1") for day in (27, 28, 29, 30, 31)]
    assert scheduled(bench) == [("2037-04-01T07:30", 2122176600)]  # 2037-04-01T05:30:00Z


def test_slot_in_a_gap_moves_to_its_end_and_a_repeated_one_is_sent_once(bench):
    """On 2037-10-25 at 03:00, Berlin's clocks go back to 02:00."""
    write(bench, 'cron: "30 2 * * *"')
    bench.apply(now="2037-03-28T12:00:00Z").expect(0, "does not exist", "2037-03-29T01:00:00Z")
    bench.apply(now="2037-03-29T01:00:00Z").expect(0, "1 accepted")
    (bench.folder / "campaigns/daily.yaml").unlink()
    write(bench, 'cron: "30 2 * * *"', name="autumn")
    bench.apply(now="2037-10-24T12:00:00Z").expect(0, "occurs twice")
    bench.apply(now="2037-10-25T00:30:00Z").expect(0, "1 accepted")
    bench.apply(now="2037-10-25T01:30:00Z").expect(0, "No changes.")
    assert sent(bench) == [key("daily/2037-03-29T02:30/1"), key("autumn/2037-10-25T02:30/1")]


@pytest.mark.parametrize("late, days", [("skip", []), ("fail", []), ("send", [3])])
def test_late_policy_decides_about_missed_days(bench, late, days):
    write(bench, f'cron: "30 7 * * *", late: {late}')
    bench.apply(now="2037-01-01T12:00:00Z").expect(0)
    plan = bench.plan(now="2037-01-04T20:00:00Z")
    steps = [(step["action"], step.get("missed")) for step in plan["campaigns"]]
    expected = [("miss", 2), ("send", None)] if days else [("miss", 3)]
    assert steps == [*expected, ("schedule", None)]
    bench.apply(now="2037-01-04T20:00:00Z").expect(
        3, "missed", "only the latest due time after them is sent" if days else "; nothing is sent")
    cause = bench.rows("SELECT cause FROM runs ORDER BY id DESC")[0][0]
    assert ("expired sends: 1 (" in cause) == (late == "fail")
    assert f"late sends skipped: {3 if late == 'skip' else 2} (`late` in `schedule` decides" in cause
    bench.apply(now="2037-01-04T20:00:00Z").expect(0, "No changes.")
    assert sent(bench) == [key(f"daily/2037-01-0{day + 1}T07:30/1") for day in days]
    assert bench.rows("SELECT count(*) FROM occurrences")[0][0] <= 3


def test_minute_rule_after_a_month_without_an_apply(bench):
    write(bench, 'cron: "* * * * *"')
    bench.apply(now="2037-01-01T00:00:30Z").expect(0)
    bench.apply(now="2037-01-31T00:00:30Z").expect(3, "missed at least 10,080 due times", "1 accepted")
    bench.herald("history").expect(0, "late sends skipped: 10080 (`late` in `schedule` decides about them)")
    assert sent(bench) == [key("daily/2037-01-31T01:00/1")]
    assert bench.rows("SELECT count(*) FROM occurrences") == [(3,)]


def test_jitter_may_send_the_later_of_two_slots_first(bench):
    """The shares are computed here as Documentation/Reference/Schedules.md defines them."""
    write(bench, 'cron: "0,5 12 * * *", jitter: 45m')

    def due(day, minute):
        digest = hashlib.sha256(f"e2e\x00daily\x002037-01-{day:02}T12:{minute:02}\x00jitter".encode()).digest()
        return minute * 60 + (int.from_bytes(digest[:8], "big") * 2700 >> 64)

    day = next(day for day in range(2, 31) if due(day, 5) < due(day, 0))
    begin = datetime(2037, 1, day, 11, tzinfo=timezone.utc)  # 12:00 in Berlin
    moments = [begin - timedelta(hours=1), *(begin + timedelta(seconds=due(day, minute)) for minute in (5, 0))]
    for moment, text in zip(moments, ["scheduled", "1 accepted", "1 accepted"]):
        bench.apply(now=moment.strftime("%Y-%m-%dT%H:%M:%SZ")).expect(0, text)
    assert sent(bench) == [key(f"daily/2037-01-{day:02}T12:{minute}/1") for minute in ("05", "00")]


def test_changed_rule_creates_only_later_slots(bench):
    write(bench, 'cron: "30 7 * * *", late: send')
    bench.apply(now="2037-01-01T12:00:00Z").expect(0)
    write(bench, 'cron: "0 9 * * *", late: send')
    bench.apply(now="2037-01-02T08:30:00Z").expect(
        0, "daily now repeats at 09:00 every day instead of at 07:30 every day", "Plan: 1 campaign moved",
        "the send that was due Friday 2037-01-02 07:30 is dropped")
    assert bench.rows("SELECT status FROM occurrences WHERE slot = '2037-01-02T07:30'") == [(3,)]
    assert scheduled(bench) == [("2037-01-03T09:00", 2114582400)]  # 2037-01-03T08:00:00Z
    assert sent(bench) == []
    bench.apply(now="2037-01-03T08:00:00Z").expect(0, "1 accepted")
    assert sent(bench) == [key("daily/2037-01-03T09:00/1")]


def test_recurrence_rule_with_exceptions_and_an_end(bench):
    write(bench, 'rrule: "FREQ=DAILY;COUNT=4", from: "2037-01-01 18:00", except: ["2037-01-02 18:00"]')
    bench.apply(now="2036-12-31T12:00:00Z").expect(0)
    for day in range(1, 7):
        bench.apply(now=f"2037-01-0{day}T17:00:00Z").expect(0)
    assert sent(bench) == [key(f"daily/2037-01-0{day}T18:00/1") for day in (1, 3, 4)]
    assert scheduled(bench) == []


@pytest.mark.parametrize("late, code, word", [("fail", 3, "expired"), ("skip", 3, "skipped"), ("send", 0, "1 accepted")])
def test_late_policy_decides_about_a_late_occurrence(bench, late, code, word):
    write(bench, f'at: "2037-01-02 07:30", late: {late}, late_after: 1h')
    bench.apply(now="2037-01-02T07:30:01Z").expect(code, word)
    bench.apply(now="2037-01-02T07:30:01Z").expect(0, "No changes.")
    assert sent(bench) == ([key("daily/once/1")] if late == "send" else [])


def test_only_a_higher_revision_sends_again(bench):
    now = "2037-01-02T07:30:00Z"
    write(bench, None)
    bench.apply(now=now).expect(0, "1 accepted")
    write(bench, None, title="mended")
    bench.apply(now=now).expect(0, "was already sent, so nothing is sent; raise `revision` to send again")
    write(bench, None, title="mended", more="revision: 2\n")
    bench.apply(now=now).expect(0, "1 accepted")
    bench.apply(now=now).expect(0, "No changes.")
    write(bench, None, title="mended")
    bench.apply(now=now).expect(0, "has revision 1, but revision 2 was already sent")
    bench.apply(now=now).expect(0, "No changes.")
    assert sent(bench) == [key("daily/once/1"), key("daily/once/2")]


@pytest.mark.parametrize("was_sent", [True, False], ids=["sent", "expired"])
def test_revision_raised_after_its_time_is_due_at_that_apply(bench, was_sent):
    schedule = 'at: "2037-01-02 07:30"'
    write(bench, schedule)
    bench.apply(now="2037-01-02T06:30:00Z" if was_sent else "2037-01-02T08:00:00Z").expect(0 if was_sent else 3)
    write(bench, schedule, more="revision: 2\n")
    now = "2037-01-05T12:00:00Z"
    reason = "because `revision` was raised after its due time"
    bench.herald("plan", now=now).expect(0, "sends again now" if was_sent else "sends now", reason)
    bench.apply(now=now).expect(0, "1 accepted")
    bench.apply(now=now).expect(0, "No changes.")
    assert sent(bench) == [*[key("daily/once/1")] * was_sent, key("daily/once/2")]
    assert bench.rows("SELECT due FROM occurrences WHERE revision = 2") == [(2114769600,)]  # 2037-01-05T12:00:00Z


def test_new_campaign_with_a_higher_revision_is_late(bench):
    write(bench, 'at: "2037-01-02 07:30"', more="revision: 2\n")
    bench.apply(now="2037-01-05T12:00:00Z").expect(3, "is too late")
    assert sent(bench) == []


def test_renaming_keeps_the_history(bench):
    now = "2037-01-02T07:30:00Z"
    write(bench, None)
    bench.apply(now=now).expect(0, "1 accepted")
    (bench.folder / "campaigns/daily.yaml").unlink()
    write(bench, None, name="weekly", more="moved_from: daily\n")
    bench.herald("plan", now=now).expect(0, "is renamed from daily", "what was sent is not sent again")
    bench.apply(now=now).expect(0)
    bench.apply(now=now).expect(0, "No changes.")
    write(bench, None, name="weekly")
    bench.apply(now=now).expect(0, "No changes.")
    assert sent(bench) == [key("daily/once/1")]


def test_moved_from_requires_an_unused_known_name(bench):
    now = "2037-01-02T07:30:00Z"
    write(bench, None)
    write(bench, None, name="weekly", more="moved_from: daily\n")
    bench.apply(now=now).expect(65, "moved-from")
    (bench.folder / "campaigns/daily.yaml").unlink()
    bench.apply(now=now).expect(0, "the state contains no campaign daily", "1 accepted")
    write(bench, None)
    (bench.folder / "campaigns/weekly.yaml").unlink()
    bench.apply(now=now).expect(0, "1 accepted")
    (bench.folder / "campaigns/daily.yaml").unlink()
    write(bench, None, name="weekly", more="moved_from: daily\n")
    bench.apply(now=now).expect(1, "it already has one")
    assert sent(bench) == [key("weekly/once/1"), key("daily/once/1")]


def test_removing_a_rule_cancels_scheduled_occurrences(bench):
    write(bench, 'cron: "30 7 * * *"')
    bench.apply(now="2037-01-01T12:00:00Z").expect(0)
    (bench.folder / "campaigns/daily.yaml").unlink()
    bench.apply(now="2037-01-01T13:00:00Z").expect(0, "cancelled")
    bench.apply(now="2037-01-02T06:30:00Z").expect(0, "No changes.")
    assert sent(bench) == [] and scheduled(bench) == []


@pytest.mark.covers("C40-dedup")
def test_author_key_takes_precedence_and_data_messages_have_none(bench):
    now = "2037-01-02T07:30:00Z"
    for name, fields in [("data", "data: { a: b }"), ("own", "notification: { title: t }, android: { notification: { tag: mine } }"),
                         ("plain", "notification: { title: t }")]:
        bench.write(f"campaigns/{name}.yaml", f"campaign: {name}\naudience: {{ topic: tides }}\nmessage: {{ {fields} }}\n")
    bench.write("campaigns/collapse.yaml", "campaign: collapse\naudience: { topic: tides }\n"
                "message: { notification: { title: t } }\ndelivery: { collapse: news }\n")
    bench.apply(now=now).expect(0, "4 accepted")
    collapse, data, own, plain = [entry["body"]["message"] for entry in bench.log.sends()]
    assert data == {"data": {"a": "b"}, "topic": "tides"}
    assert own["android"]["notification"]["tag"] == "mine"
    assert own["apns"]["headers"]["apns-collapse-id"] == own["webpush"]["notification"]["tag"] == key("own/once/1")
    assert collapse["android"]["notification"]["tag"] == collapse["apns"]["headers"]["apns-collapse-id"] == "news"
    assert collapse["webpush"] == {"headers": {"Topic": "news"}, "notification": {"tag": "news"}}
    assert plain["android"]["notification"]["tag"] == key("plain/once/1")
    assert dict(bench.rows("SELECT campaign, deduplication_key FROM occurrences"))["data"] is None
