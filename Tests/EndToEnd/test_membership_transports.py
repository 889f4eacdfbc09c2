"""Topics joined and left by either of FCM's APIs: the same plan, report and state."""

import json

import pytest

from herald import Emulator, token

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
def test_both_transports_leave_the_same_plan_report_and_state(bench, count):
    """Of those who join some are dead and one is there before; then all of them leave."""
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
        rows = bench.rows("SELECT status, detail, count(*) FROM memberships GROUP BY status, detail")
        again = bench.apply().expect(0, "Nothing to do")
        assert all(bench.emulator.topics(t) == {"tides"} for t in tokens[:7] + there)
        audience(bench, tokens, transport, subscribe="[]")
        left = bench.apply().expect(0)
        assert not any(bench.emulator.topics(t) for t in tokens[:7] if t not in there)
        for registration in there:
            bench.emulator.unsubscribe(registration)
        seen.append((plan, rows, lines(joined), lines(again), lines(left)))
        assert len(requests) == (-(-(count - len(there)) // 1_000) if transport == "batch" else count - len(there))
    assert seen[0] == seen[1]
    members = {status: number for status, _, number in seen[0][1]}
    assert members == {s: n for s, n in ((1, count - len(dead + there)), (3, len(dead)), (4, len(there))) if n}


def lines(result):
    """The report of what was done, without the plan before it, whose digest is of the state too."""
    return result.out[result.out.index("Applied:"):] if "Applied:" in result.out else ""


@pytest.mark.covers("F2.2-end")
@pytest.mark.parametrize("status", [403, 404, 410])
def test_batches_that_are_not_served_are_given_up_said_and_remembered(bench, status):
    tokens = [token(n) for n in range(12)]
    bench.emulator.install(tokens)
    bench.emulator.subscribe(tokens[3])
    without_instance_id(bench, status)
    audience(bench, tokens)
    said = f"memberships change with one registration per request, because FCM answered {status}"
    bench.apply().expect(0, "11 joined", "1 already subscribed", said)
    assert len(joins(bench)) == 11
    begin = len(bench.log.bytes())
    audience(bench, tokens[:4])
    result = bench.apply().expect(0, "8 left")
    assert said not in result.err
    assert not [e for e in bench.log.requests(begin) if e["path"].startswith("/iid/")]
    bench.emulator.unsubscribe(tokens[0])
    bench.herald("plan", "--refresh").expect(0, "1 registration left topic tides by themselves")
    audience(bench, tokens[1:4], "batch")
    bench.apply().expect(1, "FCM refuses", str(status))


@pytest.mark.covers("A12", "A13-scale")
def test_what_fcm_refuses_for_its_quota_waits_and_is_done(bench):
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
