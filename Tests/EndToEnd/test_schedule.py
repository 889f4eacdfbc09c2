"""Due times: recorded, moved, met, missed and cancelled. $HERALD_NOW sets the clock."""

import pytest

from herald import Project, token

DUE = "2037-03-20T08:30:00Z"  # 07:30 in the Azores, an hour behind UTC in winter
BEFORE = "2037-03-01T12:00:00Z"


@pytest.fixture
def bench(tmp_path):
    project = Project(tmp_path / "project", "timezone: Atlantic/Azores\n", ["tides"])
    project.devices([token(0)])
    project.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30")
    return project


def steps(project, now):
    """Returns the plan's action and due time for each campaign."""
    return {c["campaign"]: (c["action"], c.get("due")) for c in project.plan(now=now)["campaigns"]}


def test_records_a_future_occurrence_without_sending(bench):
    bench.herald("plan", now=BEFORE).expect(0, "2037-03-20 07:30 Atlantic/Azores", DUE, "in 19 days")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=BEFORE).expect(0, "No changes.")
    assert bench.log.sends() == []


@pytest.mark.covers("M07")
@pytest.mark.parametrize("now", [DUE, "2037-03-20T08:40:00Z"])
def test_sends_once_at_the_due_time_or_ten_minutes_later(bench, now):
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now="2037-03-20T08:29:59Z").expect(0, "No changes.")
    bench.apply(now=now).expect(0, "1 accepted")
    bench.apply(now=now).expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


def test_expires_eleven_minutes_after_the_due_time(bench):
    bench.apply(now=BEFORE).expect(0)
    late = "2037-03-20T08:41:00Z"
    bench.herald("plan", now=late).expect(0, "too late; nothing is sent")
    bench.apply(now=late).expect(3, "expired", "tide/once/1")
    bench.herald("history", now=late).expect(0, "expired sends: 1 (a later time or a higher `revision` sends one)")
    bench.herald("status", now=late).expect(0, "1 expired", "too late to be sent; set a later time, or raise `revision`")
    bench.apply(now=late).expect(0, "No changes.")
    assert bench.log.sends() == []


def test_expires_if_the_due_time_precedes_the_first_apply(bench):
    bench.apply(now="2037-03-20T08:40:01Z").expect(3, "expired")
    assert bench.log.sends() == []


def test_later_due_time_revives_an_expired_campaign(bench):
    bench.apply(now="2037-03-21T00:00:00Z").expect(3, "expired")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-22 07:30")
    bench.apply(now="2037-03-21T00:00:01Z").expect(0)
    bench.apply(now="2037-03-22T08:30:00Z").expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_changing_the_due_time_before_the_send_reschedules(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 07:30")
    bench.herald("plan", now=BEFORE).expect(
        0, "moves from Friday 2037-03-20 07:30 to Saturday 2037-03-21 07:30", f"({DUE}, ")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "No changes.")
    bench.apply(now="2037-03-21T08:30:00Z").expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_changing_the_due_time_after_the_send_sends_nothing(bench):
    bench.apply(now=DUE).expect(0, "1 accepted")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 07:30")
    bench.herald("plan", now=DUE).expect(0, "already sent")
    bench.apply(now=DUE).expect(0)
    bench.apply(now="2037-03-21T08:30:00Z").expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


@pytest.mark.covers("M10")
def test_sends_the_text_changed_before_the_due_time(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30", title="mended")
    bench.herald("plan", now=BEFORE).expect(0, "is still scheduled", "mended")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "1 accepted")
    assert [e["body"]["message"]["notification"] for e in bench.log.sends()] == [{"title": "mended"}]


def test_removing_a_campaign_before_its_due_time_cancels_it(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.herald("plan", now=BEFORE).expect(0, "cancelled")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "No changes.")
    assert bench.log.sends() == []


def test_sends_a_cancelled_campaign_that_is_restored_in_time(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "campaigns/tide.yaml").rename(bench.folder / "kept.yaml")
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "kept.yaml").rename(bench.folder / "campaigns/tide.yaml")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_restored_immediate_campaign_is_not_sent_again(bench):
    bench.campaign("now", "{ topic: tides }")
    bench.apply(now=BEFORE).expect(0, "1 accepted")
    path = bench.folder / "campaigns/now.yaml"
    text = path.read_text()
    path.unlink()
    bench.herald("plan", now=BEFORE).expect(0, "its history is kept")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=BEFORE).expect(0, "No changes.")
    path.write_text(text)
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=BEFORE).expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


def test_skipped_times_move_after_the_gap_and_repeated_ones_are_first(bench):
    """The Azores switch from -01:00 to +00:00 on 2037-03-29 at 00:00, and back on 2037-10-25 at 01:00."""
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-29 00:30")
    assert steps(bench, BEFORE)["tide"] == ("schedule", "2037-03-29T01:30:00Z")
    bench.herald("plan", now=BEFORE).expect(0, "does not exist")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-10-25 00:30")
    assert steps(bench, BEFORE)["tide"] == ("schedule", "2037-10-25T00:30:00Z")
    bench.herald("plan", now=BEFORE).expect(0, "occurs twice")


@pytest.mark.covers("C28")
def test_apple_expiry_counts_from_the_send_time(bench):
    bench.write("campaigns/tide.yaml", 'campaign: tide\naudience: { topic: tides }\nmessage: { notification: { title: t } }\n'
                'delivery: { ttl: 12h }\nschedule: { at: "2037-03-20 07:30" }\n')
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now="2037-03-20T08:35:00Z").expect(0)
    # 2037-03-20T20:35:00Z
    assert bench.log.sends()[0]["body"]["message"]["apns"]["headers"]["apns-expiration"] == "2121194100"
