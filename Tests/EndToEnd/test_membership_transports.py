"""Both FCM APIs for topic subscriptions produce the same plan, report, events and state."""

import json
import time
from datetime import datetime

import pytest

from herald import Emulator, eventually, token

SINGLE = "/topicSubscriptions"


@pytest.fixture
def bench(project):
    """A project with the topic `tides`, and a running emulator."""
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def audience(project, tokens, transport="auto", subscribe="[tides]"):
    path = project.list("one", tokens)
    project.write("campaigns/one.yaml", f"audience: one\nregistrations: {path}\nsubscribe: {subscribe}\n"
                  f"transport: {transport}\n")


def without_instance_id(project, status=404):
    project.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "INSTANCE_ID"}, "answer": {"status": status, "text": "Not Found"}}]})


def joins(project, begin=0):
    return [e for e in project.log.requests(begin) if e["method"] == "POST" and SINGLE in e["path"]]


@pytest.mark.covers("A31-report")
@pytest.mark.parametrize("count", [1, 1_000, 1_001])
def test_both_transports_produce_the_same_plan_report_and_state(bench, count):
    """Some of the joining registrations are dead and one is already subscribed. Then all of them leave."""
    tokens = [token(n) for n in range(count)]
    dead, there = tokens[7::100], tokens[-1:] if count > 1 else []
    bench.emulator.install([t for t in tokens if t not in dead])
    seen = []
    for transport in ("batch", "per_registration"):
        for registration in there:
            bench.emulator.subscribe(registration)
        audience(bench, tokens, transport)
        plan, begin = bench.plan()["memberships"], len(bench.log.bytes())
        joined = bench.apply().expect(0)
        requests = [e for e in bench.log.changes(begin) if not e["path"].startswith("/emulator/")]
        rows = bench.rows("SELECT status, count(*) FROM memberships GROUP BY status ORDER BY status")
        again = bench.apply().expect(0, "No changes.")
        assert all(bench.emulator.topics(t) == {"tides"} for t in tokens[:7] + there)
        audience(bench, tokens, transport, subscribe="[]")
        left = bench.apply().expect(0)
        assert not any(bench.emulator.topics(t) for t in tokens[:7] if t not in there)
        for registration in there:
            bench.emulator.unsubscribe(registration)
        seen.append((plan, rows, lines(joined), lines(again), lines(left)))
        assert len(requests) == (-(-(count - len(there)) // 1_000) if transport == "batch" else count - len(there))
    assert seen[0] == seen[1]
    assert dict(seen[0][1]) == {s: n for s, n in ((1, count - len(dead + there)), (3, len(dead)), (4, len(there))) if n}


@pytest.mark.covers("A31-events")
@pytest.mark.parametrize("count", [1, 1_000, 1_001])
def test_both_transports_report_joins_with_the_same_events(bench, count):
    tokens = [token(n) for n in range(count)]
    bench.emulator.install(tokens)
    seen = []
    for transport in ("batch", "per_registration"):
        audience(bench, tokens, transport)
        result = bench.herald("apply", "--yes", "--json").expect(0)
        events = [json.loads(line) for line in result.out.splitlines()]
        forms = {event["event"]: sorted(event) for event in events if event["event"] != "phase-progressed"}
        progress = [event for event in events if event["event"] == "phase-progressed"]
        assert len({tuple(sorted(event)) for event in progress}) <= 1
        [phase] = [event for event in events if event["event"] == "phase-ended"]
        last = events[-1]
        assert (phase["phase"], phase["audience"], phase["topic"]) == ("joining", "one", "tides")
        assert (phase["done"], last["joined"], last["exit_code"]) == (count, count, 0)
        seen.append(forms)
        audience(bench, tokens, transport, subscribe="[]")
        bench.apply().expect(0)
    assert seen[0] == seen[1]


def lines(result):
    """Returns the report without the plan above it, because the plan's digest depends on the state."""
    return result.out[result.out.index("Applied:"):] if "Applied:" in result.out else ""


@pytest.mark.covers("F2.2-end")
@pytest.mark.parametrize("status", [403, 404, 410])
def test_falls_back_permanently_if_batches_are_not_served(bench, status):
    tokens = [token(n) for n in range(12)]
    bench.emulator.install(tokens)
    bench.emulator.subscribe(tokens[3])
    without_instance_id(bench, status)
    audience(bench, tokens)
    fallback_notice = f"memberships change with one registration per request, because FCM answered {status}"
    bench.apply().expect(0, "11 joined", "1 already subscribed", fallback_notice)
    assert len(joins(bench)) == 11
    begin = len(bench.log.bytes())
    audience(bench, tokens[:4])
    result = bench.apply().expect(0, "8 left")
    assert fallback_notice not in result.err
    assert not [e for e in bench.log.requests(begin) if e["path"].startswith("/iid/")]
    bench.emulator.unsubscribe(tokens[0])
    bench.herald("plan", "--refresh").expect(0, "1 registration opted out of topic tides")
    audience(bench, tokens[1:4], "batch")
    bench.apply().expect(1, "FCM refuses", str(status))


def test_installation_ids_are_joined_refreshed_and_removed_one_per_request(bench):
    """The last two steps have no list of installation IDs, so only their form shows what they are."""
    people = [f"fid{n:019d}" for n in range(4)]
    bench.emulator.install(people)
    bench.write("people.csv", "registration\n" + "".join(f"{text}\n" for text in people))
    described = "audience: one\nregistrations: { file: people.csv, kind: fid }\nsubscribe: [tides]\n"
    bench.write("campaigns/one.yaml", described + "transport: batch\n")
    bench.herald("validate").expect(65, "kind: fid")
    bench.write("campaigns/one.yaml", described)
    bench.apply().expect(0, "4 joined")
    assert len(joins(bench)) == 4 and all(bench.emulator.topics(text) == {"tides"} for text in people)
    bench.emulator.unsubscribe(people[0])
    bench.herald("plan", "--refresh").expect(0, "1 registration opted out of topic tides")
    bench.write("campaigns/one.yaml", "removed: { audience: one, members: unsubscribe }\n")
    begin = len(bench.log.bytes())
    bench.apply().expect(0)
    leaves = [e["path"] for e in bench.log.changes(begin)]
    assert len(leaves) == 4 and all(SINGLE in path for path in leaves)
    assert not any(bench.emulator.topics(text) for text in people)
    # The emulator's own queries in this test are also requests for information.
    assert not [e for e in bench.log.requests() if e["path"].startswith("/iid/v1:")]


@pytest.mark.covers("A12", "A13-scale")
def test_waits_and_retries_if_the_quota_is_exceeded(bench):
    tokens = [token(n) for n in range(30)]
    bench.emulator.install(tokens)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "MEMBERSHIP"}, "when": {"nth": 5},
         "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1}}]})
    audience(bench, tokens, "per_registration")
    bench.apply().expect(0, "30 joined")
    entries = joins(bench)
    assert [e["status"] for e in entries].count(429) == 1 and len(entries) == 31
    assert all(bench.emulator.topics(t) == {"tides"} for t in tokens)


@pytest.mark.parametrize("transport", ["batch", "per_registration"])
def test_recovers_at_once_if_the_first_requests_are_refused(bench, transport):
    """Two pauses leave a quarter of the rate, at which 3,000 joins would take twelve seconds."""
    tokens = [token(n) for n in range(3_000)]
    bench.emulator.install(tokens)
    audience(bench, tokens, transport)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "MEMBERSHIP"}, "answer": {"error": "QUOTA_EXCEEDED", "retry_after_seconds": 1}}]})

    def times(status):
        changes = [e for e in bench.log.changes() if e["status"] == status]
        return [datetime.fromisoformat(e["time"]).timestamp() for e in changes]

    def has_paused_twice():
        refused = times(429)
        return refused and max(refused) - min(refused) >= 1 and time.time() - max(refused) > 0.3

    with bench.start("apply", "--yes") as running:
        eventually(has_paused_twice, "a refusal after the first pause")
        bench.emulator.ask("DELETE", "/emulator/v1/faults")
        running.finish().expect(0, "3,000 joined")
    accepted = times(200)
    assert min(accepted) - max(times(429)) >= 1.9
    assert max(accepted) - min(accepted) < 6
