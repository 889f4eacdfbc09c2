"""Quiet hours: they defer sends until they end, interrupt lists, and hold fan-outs that would last into them.

The waits after them are shares of ten minutes by a hash, computed here as the reference describes it.
"""

import hashlib
import signal
import time
from datetime import datetime, timedelta

import pytest

from herald import Emulator, Project, eventually, token

BEFORE = "2037-03-01T12:00:00Z"
NIGHT = "2037-03-20T23:30:00Z"
TOKENS = [token(n) for n in range(16)]
HOURS = '{ from: "22:00", to: "07:00" }'


def share(campaign, purpose, seconds=600, slot="once"):
    digest = hashlib.sha256("\0".join(["e2e", campaign, slot, purpose]).encode()).digest()
    return int.from_bytes(digest[:8], "big") * seconds >> 64


def after(moment, seconds):
    return (datetime.fromisoformat(moment) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def end(campaign, spread=600, morning="2037-03-21T07:00:00+00:00"):
    """When quiet hours let the campaign go, as RFC 3339."""
    return after(morning, share(campaign, "spread", spread))


def local(instant):
    return instant.replace("T", " ").removesuffix("Z")


def project_of(tmp_path, hours=HOURS, pace="", zone="UTC"):
    project = Project(tmp_path / "project")
    project.write(
        "herald.yaml", f"version: 1\nproject: e2e\ntimezone: {zone}\n"
        "topics: { tides: {}, large: { reach: 6000000 }, small: { reach: 5000000 } }\n"
        f"environments:\n  local: {{ emulator: {{}}, {pace} guard: {{ quiet_hours: {hours} }} }}\n")
    project.devices(TOKENS)
    return project


@pytest.fixture
def bench(tmp_path):
    return project_of(tmp_path)


def campaign(project, name="tide", audience="{ topic: tides }", schedule=None, more=""):
    at = f"schedule: {{ {schedule} }}\n" if schedule else ""
    project.write(
        f"campaigns/{name}.yaml",
        f"campaign: {name}\naudience: {audience}\nmessage: {{ notification: {{ title: {name} }} }}\n{at}{more}")


def due(project, now):
    return project.herald("apply", "--due", now=now)


def effects(project, now):
    notices = project.plan(now=now)["notices"]
    return [(n["effect"], n["until"], n.get("count")) for n in notices if n["notice"] == "quiet-hours"]


def test_the_shares_are_those_of_the_reference():
    """The constants were computed once with hashlib, independently of `share`."""
    assert (share("tide", "spread"), share("call", "spread"), share("tide", "jitter")) == (415, 595, 528)
    assert end("tide") == "2037-03-21T07:06:55Z"


class TestDeferred:
    def test_is_deferred_recorded_and_sent_once(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'")
        bench.apply(now=BEFORE).expect(0, f"deferred tide/once/1 until {end('tide')}, by quiet hours", "1 deferred")
        bench.herald("status", now=BEFORE).expect(0, f"deferred until {local(end('tide'))} UTC")
        status = bench.herald("status", "--format", "json", now=BEFORE).expect(0).out
        assert f'"deferred_until": "{end("tide")}"' in status
        bench.herald("history", now=BEFORE).expect(0, f"deferred by quiet hours: tide/once/1 until {end('tide')}")
        due(bench, NIGHT).expect(0, "Nothing is due.", f"due at {end('tide')}")
        bench.apply(now=NIGHT).expect(0, "No changes.")
        due(bench, after("2037-03-21T07:00:00+00:00", 414)).expect(0, "Nothing is due.", "in 1 s")
        assert bench.log.sends() == []
        due(bench, end("tide")).expect(0, "1 accepted")
        due(bench, end("tide")).expect(0, "Nothing is due.", "Nothing is scheduled.")
        assert bench.log.accepted() == {"tides": 1}

    def test_the_slot_stays(self, bench):
        campaign(bench, schedule="cron: '30 23 * * *'")
        bench.apply(now="2037-03-20T12:00:00Z").expect(0)
        morning = after("2037-03-21T07:00:00+00:00", share("tide", "spread", slot="2037-03-20T23:30"))
        due(bench, morning).expect(0, "1 accepted")
        assert bench.rows("SELECT slot FROM occurrences WHERE unit IS NOT NULL") == [("2037-03-20T23:30",)]

    @pytest.mark.parametrize("now, is_sent", [
        ("21:59:59", True), ("22:00:00", False), ("06:59:59", False), ("07:00:00", True)])
    def test_the_beginning_is_quiet_and_the_end_is_not(self, bench, now, is_sent):
        campaign(bench)
        bench.apply(now=f"2037-03-20T{now}Z").expect(0, "1 accepted" if is_sent else "1 deferred")
        assert len(bench.log.sends()) == is_sent

    def test_a_campaign_without_a_schedule_waits_and_is_never_late(self, bench):
        campaign(bench)
        bench.apply(now=NIGHT).expect(0, f"deferred tide/once/1 until {end('tide')}")
        bench.apply(now="2037-03-21T03:00:00Z").expect(0, "No changes.")
        bench.apply(now="2037-03-21T12:00:00Z").expect(0, "1 accepted")
        assert bench.log.accepted() == {"tides": 1}

    def test_a_list_without_a_schedule_is_sent_from_the_state(self, bench):
        campaign(bench, "call", f"{{ registrations: {bench.list('all', TOKENS)} }}")
        bench.apply(now=NIGHT).expect(0, "1 deferred")
        (bench.folder / "campaigns/call.yaml").unlink()
        due(bench, end("call")).expect(0, "16 accepted")
        assert bench.log.accepted() == dict.fromkeys(TOKENS, 1)

    def test_is_late_only_from_the_end_of_the_hold(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'")
        bench.apply(now=BEFORE).expect(0)
        due(bench, after(end("tide"), 601)).expect(3, "expired", "tide/once/1")

    def test_defers_a_waiting_send_although_nothing_ran_when_they_began(self, bench):
        campaign(bench, schedule="at: '2037-03-20 21:55'")
        bench.apply(now=BEFORE).expect(0)
        assert effects(bench, NIGHT) == [("overtaken", end("tide"), None)]
        due(bench, NIGHT).expect(0, f"deferred tide/once/1 until {end('tide')}")
        due(bench, end("tide")).expect(0, "1 accepted")

    def test_does_not_defer_a_send_that_was_late_when_they_began(self, bench):
        campaign(bench, schedule="at: '2037-03-20 21:45'")
        bench.apply(now=BEFORE).expect(0)
        due(bench, NIGHT).expect(3, "expired")

    def test_sends_with_a_reason(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30', during_quiet_hours: send, reason: Storm surge")
        bench.apply(now=BEFORE).expect(0)
        assert effects(bench, BEFORE) == []
        due(bench, NIGHT).expect(0, "1 accepted")

    def test_a_lifetime_counts_from_the_end_of_the_hold(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'", more="delivery: { ttl: 1h }\n")
        bench.apply(now=BEFORE).expect(0)
        due(bench, end("tide")).expect(0, "1 accepted")
        assert bench.log.sends()[0]["body"]["message"]["android"]["ttl"] == "3600s"

    def test_follows_the_wall_clock_on_the_night_of_a_clock_change(self, tmp_path):
        bench = project_of(tmp_path, zone="Europe/Berlin")
        campaign(bench, schedule="at: '2037-03-28 23:30'")
        bench.apply(now=BEFORE).expect(0)
        # Clocks go forward on 29 March, so 07:00 is 05:00 UTC.
        morning = after("2037-03-29T05:00:00+00:00", 415)
        bench.herald("status", now=BEFORE).expect(0, "deferred until 2037-03-29 07:06:55 Europe/Berlin", morning)
        due(bench, morning).expect(0, "1 accepted")


class TestExpiry:
    def test_expires_in_the_hours_and_the_plan_says_so_before(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'", more="delivery: { expires: '2037-03-21 06:00' }\n")
        bench.herald("plan", now=BEFORE).expect(0, "so it expires and nothing is sent")
        assert effects(bench, BEFORE) == [("expires", end("tide"), None)]
        bench.apply(now=BEFORE).expect(0)
        bench.apply(now=NIGHT).expect(3, "expired tide/once/1")
        assert bench.log.sends() == []

    def test_until_ends_a_schedule_in_the_hours(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30', until: '2037-03-21 06:00'")
        assert effects(bench, BEFORE) == [("expires", end("tide"), None)]
        bench.apply(now=BEFORE).expect(0)
        due(bench, end("tide")).expect(3, "expired tide/once/1")
        assert bench.log.sends() == []

    def test_a_send_that_expires_after_them_is_sent(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'", more="delivery: { expires: '2037-03-21 09:00' }\n")
        assert effects(bench, BEFORE) == [("moved", end("tide"), None)]
        bench.apply(now=BEFORE).expect(0)
        due(bench, end("tide")).expect(0, "1 accepted")


class TestPlan:
    @pytest.mark.parametrize("form", ["text", "markdown", "html"])
    def test_every_form_says_until_when_it_is_deferred(self, bench, form):
        campaign(bench, schedule="at: '2037-03-20 23:30'")
        text = bench.herald("plan", "--format", form, now=BEFORE).expect(0).out
        assert f"deferred until {local(end('tide'))} UTC" in " ".join(text.replace("`", "").split())

    def test_the_json_plan_has_the_due_time_and_the_end(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'")
        plan = bench.plan(now=BEFORE)
        assert [c["due"] for c in plan["campaigns"]] == [end("tide")]
        notice = next(n for n in plan["notices"] if n["notice"] == "quiet-hours")
        assert (notice["occurrence"], notice["effect"], notice["due"], notice["until"], notice["may_arrive_later"]) == (
            "tide/once/1", "moved", NIGHT, end("tide"), True)

    def test_a_short_lifetime_ends_before_the_next_night(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'", more="delivery: { ttl: 1h }\n")
        notices = [n for n in bench.plan(now=BEFORE)["notices"] if n["notice"] == "quiet-hours"]
        assert [n["may_arrive_later"] for n in notices] == [False]

    def test_a_deferral_does_not_change_the_digest(self, bench):
        campaign(bench)
        digest = bench.plan(now="2037-03-20T21:00:00Z")["digest"]
        bench.herald("apply", "--expect", digest, now=NIGHT).expect(0, "1 deferred")

    def test_simulates_at_the_end_of_the_hold(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30'")
        options = ["--format", "json", "--devices", 10, "--days", 2]
        simulated = bench.herald("simulate", *options, now="2037-03-20T12:00:00Z").expect(0).out
        assert end("tide").removesuffix("Z") in simulated


class TestFanOuts:
    def test_holds_one_that_would_last_into_the_hours(self, bench):
        # 6,000,000 devices at 10,000 a second need ten minutes, and 5,000,000 need less.
        campaign(bench, "tide", "{ topic: large }", "at: '2037-03-20 21:50'")
        campaign(bench, "wind", "{ topic: small }", "at: '2037-03-20 21:50'")
        assert effects(bench, BEFORE) == [("fan-out", end("tide"), None)]
        bench.apply(now=BEFORE).expect(0, f"deferred tide/once/1 until {end('tide')}")
        due(bench, "2037-03-20T21:50:00Z").expect(0, "1 accepted")
        assert bench.log.accepted() == {"small": 1}
        due(bench, end("tide")).expect(0, "1 accepted")
        assert bench.log.accepted() == {"small": 1, "large": 1}

    def test_holds_one_that_is_applied_too_late(self, bench):
        campaign(bench, "tide", "{ topic: large }")
        bench.apply(now="2037-03-20T21:51:00Z").expect(0, f"deferred tide/once/1 until {end('tide')}")
        assert bench.log.sends() == []

    def test_an_unknown_reach_is_held_only_in_the_hours(self, bench):
        campaign(bench)
        assert effects(bench, "2037-03-20T21:59:00Z") == []
        bench.apply(now="2037-03-20T21:59:59Z").expect(0, "1 accepted")


class TestLists:
    """A list at one message a second, of which the first ones leave before 22:00."""

    @pytest.fixture
    def slow(self, tmp_path):
        bench = project_of(
            tmp_path, '{ from: "22:00", to: "07:00", spread: 5s }', pace="pace: { sends_per_minute: 60 },")
        path = bench.list("all", TOKENS)
        campaign(bench, "call", f"{{ registrations: {path} }}", "at: '2037-03-20 21:59:00'", "delivery: { ttl: 1h }\n")
        return bench

    def test_stops_when_they_begin_and_resumes_after_them(self, slow, shifted_clocks):
        until = end("call", 5)
        assert until == "2037-03-21T07:00:04Z"
        with Emulator(slow):
            slow.apply(now=BEFORE).expect(0)
            with slow.start("run", env=shifted_clocks("2037-03-20T21:59:48+00:00")) as service:
                def said():
                    return " ".join("".join(service.texts()).split())

                eventually(lambda: f"deferred call/once/1 until {until}" in said(), "the deferral")
                sent = slow.log.settle()
                assert 1 <= sent <= 13
                eventually(lambda: f"The next send is due at {until}" in said(), "the service waits")
                time.sleep(2)
                assert slow.log.count() == sent
                service.signal(signal.SIGTERM).finish().expect(130)
            rest = f"{16 - sent} not sent; the rest is deferred until {local(until)} UTC"
            slow.herald("status", now=NIGHT).expect(0, "Interrupted by quiet hours", f"{sent} accepted", rest)
            slow.herald("history", now=NIGHT).expect(0, f"deferred by quiet hours: call/once/1 until {until}")
            slow.herald("plan", now=NIGHT).expect(
                0, f"quiet hours interrupted it, so {16 - sent} messages are deferred until {local(until)} UTC")
            due(slow, NIGHT).expect(0, "Nothing is due.", f"due at {until}")
            due(slow, after("2037-03-21T07:00:00+00:00", 3)).expect(0, "Nothing is due.")
            assert slow.log.count() == sent
            due(slow, until).expect(0, f"{16 - sent} accepted")
            due(slow, until).expect(0, "Nothing is due.")
        assert slow.log.accepted() == dict.fromkeys(TOKENS, 1)
        # The lifetime of the rest counts from the end of the hours.
        assert slow.log.sends()[-1]["body"]["message"]["android"]["ttl"] == "3600s"

    def test_the_plan_estimates_how_much_waits(self, slow):
        (effect, until, count), = effects(slow, "2037-03-20T21:59:53Z")
        assert (effect, until) == ("interrupted", end("call", 5))
        # At 99 % of the pace: one at once, and five in the six seconds until a second before the hours.
        assert count == 10

    def test_is_deferred_as_a_whole_if_it_is_due_in_them(self, slow):
        campaign(slow, "call", "{ registrations: campaigns/registrations/all.txt }", "at: '2037-03-20 23:30'")
        assert effects(slow, BEFORE) == [("moved", end("call", 5), 16)]


def test_jitter_moves_the_due_time(bench):
    campaign(bench, schedule="at: '2037-03-20 12:00', jitter: 10m")
    moved = after("2037-03-20T12:00:00+00:00", 528)
    bench.herald("plan", now=BEFORE).expect(0, moved)
    bench.apply(now=BEFORE).expect(0)
    due(bench, after("2037-03-20T12:00:00+00:00", 527)).expect(0, "Nothing is due.", f"due at {moved}")
    due(bench, moved).expect(0, "1 accepted")


class TestErrors:
    def test_equal_times_are_an_error_at_their_place(self, tmp_path):
        bench = project_of(tmp_path, '{ from: "22:00", to: "22:00" }')
        line = "  local: { emulator: {},  guard: { quiet_hours: { from: \"22:00\", to: \"22:00\" } } }"
        column = line.rindex('"22:00"') + 1
        bench.herald("validate").expect(
            65, "schedule-bounds", f"herald.yaml:6:{column}", "quiet hours begin and end at the same time")

    def test_sending_in_them_requires_a_reason(self, bench):
        campaign(bench, schedule="at: '2037-03-20 23:30', during_quiet_hours: send")
        column = "schedule: { at: '2037-03-20 23:30', during_quiet_hours: send }".index("during") + 1
        bench.herald("validate").expect(65, "missing-key", f"campaigns/tide.yaml:4:{column}", "reason")

    @pytest.mark.parametrize("hours, rule", [
        ('{ from: "25:00", to: "07:00" }', "moment-syntax"), ('{ from: "22:00" }', "missing-key"),
        ('{ from: "22:00", to: "07:00", spread: 10 }', "duration-syntax")])
    def test_wrong_values(self, tmp_path, hours, rule):
        project_of(tmp_path, hours).herald("validate").expect(65, rule, "herald.yaml:6:")

    def test_wrong_jitter(self, bench):
        campaign(bench, schedule="at: '2037-03-20 12:00', jitter: soon")
        bench.herald("validate").expect(65, "duration-syntax", "campaigns/tide.yaml:4:")
