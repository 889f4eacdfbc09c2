"""Moments: recorded, moved, met, missed and taken away. The clock is $HERALD_NOW."""

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
    """What the plan does with each campaign."""
    return {c["campaign"]: (c["action"], c.get("due")) for c in project.plan(now=now)["campaigns"]}


def test_a_future_moment_is_recorded_and_nothing_is_sent(bench):
    bench.herald("plan", now=BEFORE).expect(0, "2037-03-20 07:30 Atlantic/Azores", DUE, "in 18 days")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=BEFORE).expect(0, "No changes.")
    assert bench.log.sends() == []


@pytest.mark.covers("M07")
@pytest.mark.parametrize("now", [DUE, "2037-03-20T08:40:00Z"])
def test_at_its_moment_and_ten_minutes_later_it_is_sent_once(bench, now):
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now="2037-03-20T08:29:59Z").expect(0, "No changes.")
    bench.apply(now=now).expect(0, "1 accepted")
    bench.apply(now=now).expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


def test_eleven_minutes_late_it_expires_and_is_never_sent(bench):
    bench.apply(now=BEFORE).expect(0)
    late = "2037-03-20T08:41:00Z"
    bench.herald("plan", now=late).expect(0, "too late; nothing is sent")
    bench.apply(now=late).expect(3, "expired", "tide/once/1")
    bench.apply(now=late).expect(0, "No changes.")
    assert bench.log.sends() == []


def test_a_moment_that_has_passed_before_the_first_apply_expires_too(bench):
    bench.apply(now="2037-03-20T08:40:01Z").expect(3, "expired")
    assert bench.log.sends() == []


def test_an_expired_campaign_gets_a_new_chance_with_a_later_moment(bench):
    bench.apply(now="2037-03-21T00:00:00Z").expect(3, "expired")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-22 07:30")
    bench.apply(now="2037-03-21T00:00:01Z").expect(0)
    bench.apply(now="2037-03-22T08:30:00Z").expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_moving_the_moment_before_it_reschedules(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 07:30")
    bench.herald("plan", now=BEFORE).expect(
        0, "is rescheduled", f"({DUE}, ", "Saturday 2037-03-21 07:30 Atlantic/Azores")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "No changes.")
    bench.apply(now="2037-03-21T08:30:00Z").expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_moving_the_moment_after_the_send_sends_nothing(bench):
    bench.apply(now=DUE).expect(0, "1 accepted")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-21 07:30")
    bench.herald("plan", now=DUE).expect(0, "already sent")
    bench.apply(now=DUE).expect(0)
    bench.apply(now="2037-03-21T08:30:00Z").expect(0, "No changes.")
    assert bench.log.accepted() == {"tides": 1}


@pytest.mark.covers("M10")
def test_a_changed_text_before_the_moment_is_what_is_sent(bench):
    bench.apply(now=BEFORE).expect(0)
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-20 07:30", title="mended")
    bench.herald("plan", now=BEFORE).expect(0, "is still scheduled", "mended")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "1 accepted")
    assert [e["body"]["message"]["notification"] for e in bench.log.sends()] == [{"title": "mended"}]


def test_a_campaign_removed_before_its_moment_is_cancelled(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "campaigns/tide.yaml").unlink()
    bench.herald("plan", now=BEFORE).expect(0, "cancelled")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "No changes.")
    assert bench.log.sends() == []


def test_a_cancelled_campaign_that_is_put_back_before_its_moment_is_sent(bench):
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "campaigns/tide.yaml").rename(bench.folder / "kept.yaml")
    bench.apply(now=BEFORE).expect(0)
    (bench.folder / "kept.yaml").rename(bench.folder / "campaigns/tide.yaml")
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now=DUE).expect(0, "1 accepted")
    assert bench.log.accepted() == {"tides": 1}


def test_an_immediate_campaign_that_is_removed_and_put_back_is_not_sent_again(bench):
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


def test_a_skipped_local_time_is_sent_after_the_gap_and_a_doubled_one_the_first_time(bench):
    """The Azores leave -01:00 for +00:00 on 2037-03-29 at 00:00, and come back on 2037-10-25 at 01:00."""
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-29 00:30")
    assert steps(bench, BEFORE)["tide"] == ("schedule", "2037-03-29T01:30:00Z")
    bench.herald("plan", now=BEFORE).expect(0, "does not exist")
    bench.campaign("tide", "{ topic: tides }", schedule="2037-10-25 00:30")
    assert steps(bench, BEFORE)["tide"] == ("schedule", "2037-10-25T00:30:00Z")
    bench.herald("plan", now=BEFORE).expect(0, "occurs twice")


@pytest.mark.covers("C28")
def test_the_expiry_for_apple_counts_from_the_moment_of_sending(bench):
    bench.write("campaigns/tide.yaml", 'campaign: tide\naudience: { topic: tides }\nmessage: { notification: { title: t } }\n'
                'delivery: { ttl: 12h }\nschedule: { at: "2037-03-20 07:30" }\n')
    bench.apply(now=BEFORE).expect(0)
    bench.apply(now="2037-03-20T08:35:00Z").expect(0)
    # 2037-03-20T20:35:00Z
    assert bench.log.sends()[0]["body"]["message"]["apns"]["headers"]["apns-expiration"] == "2121194100"
