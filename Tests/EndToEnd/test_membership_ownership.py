"""Managed, external and opted-out memberships, removed audiences, and sends that wait for leaves and joins.

The tests check the emulator's log and its own subscription records.
"""

import re
from datetime import datetime

import pytest

from herald import Emulator, token


@pytest.fixture
def bench(project):
    """A project with the topics `tides` and `beta`, and a running emulator."""
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, beta: {} }\n")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def audience(project, name, tokens, more="", subscribe="[tides]"):
    path = project.list(name, tokens)
    project.write(
        f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {path}\nsubscribe: {subscribe}\n{more}")


def removed(project, name, members):
    project.write(f"campaigns/{name}.yaml", f"removed: {{ audience: {name}, members: {members} }}\n")


def subscribed(project, tokens, topic="tides"):
    return [t for t in tokens if topic in project.emulator.topics(t)]


def batches(project, name):
    return [body["registration_tokens"] for body in project.log.batches(name)]


def statuses(project):
    """Returns the number of memberships by stored status number."""
    return dict(project.rows("SELECT status, count(*) FROM memberships GROUP BY status"))


def test_external_member_stays_after_leaving_the_list(bench):
    tokens = [token(n) for n in range(5)]
    bench.emulator.install(tokens)
    for before in tokens[:2]:
        bench.emulator.subscribe(before)
    audience(bench, "one", tokens)
    bench.herald("plan").expect(0, "subscribes 5 registrations to topic tides")
    bench.apply().expect(0, "3 joined", "2 already subscribed")
    assert batches(bench, "batchAdd") == [tokens[2:]]
    bench.herald("plan").expect(
        0, "one: 2 registrations subscribed to topic tides before Herald's first join; Herald never removes them")
    begin = len(bench.log.bytes())
    bench.apply().expect(0, "No changes.")
    assert bench.log.requests(begin) == []
    audience(bench, "one", tokens[:1] + tokens[3:])
    bench.apply().expect(0, "1 left")
    assert batches(bench, "batchRemove") == [[tokens[2]]]
    audience(bench, "one", tokens, subscribe="[]")
    bench.apply().expect(0, "2 left")
    assert subscribed(bench, tokens) == tokens[:2]
    assert statuses(bench) == {}


def test_member_that_moves_between_lists_stays_managed(bench):
    tokens = [token(n) for n in range(2)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply().expect(0, "2 joined")
    audience(bench, "one", tokens[:1])
    audience(bench, "two", tokens[1:])
    bench.apply().expect(0)
    audience(bench, "two", tokens[1:], subscribe="[]")
    bench.apply().expect(0, "1 left")
    assert subscribed(bench, tokens) == tokens[:1]


def test_interrupted_join_stays_managed(bench):
    """FCM performs the batch, but the answer is lost and herald is killed. The joined members must not count as
    external."""
    tokens = [token(n) for n in range(1_200)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.emulator.put("/emulator/v1/faults", {"rules": [{
        "match": {"service": "MEMBERSHIP"}, "accepted": True, "answer": {"error": "UNAVAILABLE"}}]})
    with bench.start("apply", "--yes") as apply:
        while not any(e["path"] == "/iid/v1:batchAdd" for e in bench.log.requests()):
            assert apply.process.poll() is None, apply.texts()
        apply.kill()
    bench.emulator.ask("DELETE", "/emulator/v1/faults")
    there = [t for t in tokens if bench.emulator.topics(t)]
    # A second batch may have begun before the kill.
    assert len(there) in (1_000, 1_200)
    bench.apply().expect(0, "1,200 joined")
    audience(bench, "one", tokens, subscribe="[]")
    bench.apply().expect(0, "1,200 left")
    assert subscribed(bench, tokens[::100]) == []


def test_refresh_detects_opted_out_members_and_does_not_rejoin_them(bench):
    tokens = [token(n) for n in range(6)]
    bench.emulator.install(tokens)
    bench.emulator.subscribe(tokens[5])
    audience(bench, "one", tokens)
    bench.apply().expect(0, "5 joined", "1 already subscribed")
    names = {t: f for f, t in bench.fingerprints(tokens).items()}
    for gone in (tokens[0], tokens[1], tokens[5]):
        bench.emulator.unsubscribe(gone)
    begin = len(bench.log.bytes())
    seen = bench.herald("plan", "--refresh").expect(
        0, "Read 6 registrations.", f"opted out one tides  {names[tokens[0]]}  unsubscribed by the app or the user",
        f"gone      one tides  {names[tokens[5]]}", "2 registrations opted out of topic tides",
        "one subscribes 1 registration to topic tides")
    assert names[tokens[2]] not in seen.err
    assert sorted(bench.log.asked(begin)) == sorted(tokens) and bench.log.changes(begin) == []
    assert statuses(bench) == {1: 5, 4: 1}, "a plan records nothing"
    bench.apply("--refresh").expect(0, "1 joined")
    assert batches(bench, "batchAdd")[1:] == [[tokens[5]]]
    assert statuses(bench) == {1: 4, 5: 2}
    bench.apply().expect(0, "No changes.", "one: 2 registrations opted out of topic tides")
    bench.emulator.subscribe(tokens[1])
    bench.apply("--refresh").expect(0, "is back", "No changes.", "one: 1 registration subscribed to topic tides before")
    audience(bench, "one", tokens[2:])
    bench.apply().expect(0)
    assert batches(bench, "batchRemove") == [], "opted-out members are forgotten, and returned ones stay"
    assert subscribed(bench, tokens) == tokens[1:]


def test_rejoin_resubscribes_opted_out_members(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply().expect(0, "3 joined")
    bench.emulator.unsubscribe(tokens[1])
    bench.apply("--refresh").expect(0, "opted out", "No changes.")
    assert subscribed(bench, tokens) == [tokens[0], tokens[2]]
    audience(bench, "one", tokens, "rejoin: true\n")
    bench.apply().expect(0, "1 joined")
    assert subscribed(bench, tokens) == tokens


def test_opted_out_member_stays_out_in_another_list(bench):
    tokens = [token(n) for n in range(2)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply().expect(0, "2 joined")
    bench.emulator.unsubscribe(tokens[1])
    bench.apply("--refresh").expect(0)
    audience(bench, "one", tokens[:1])
    audience(bench, "two", tokens[1:])
    for _ in range(2):
        bench.apply().expect(0)
    assert subscribed(bench, tokens) == tokens[:1]
    assert len(batches(bench, "batchAdd")) == 1


def test_removed_audience_unsubscribes_only_managed_members(bench):
    tokens = [token(n) for n in range(4)]
    bench.emulator.install(tokens)
    bench.emulator.subscribe(tokens[0])
    audience(bench, "one", tokens)
    audience(bench, "two", tokens[3:])
    bench.apply().expect(0, "1 already subscribed")
    removed(bench, "one", "unsubscribe")
    bench.herald("plan").expect(0, "unsubscribes 2 registrations from topic tides")
    bench.apply().expect(0, "2 left")
    assert sorted(batches(bench, "batchRemove")[0]) == sorted(tokens[1:3])
    assert subscribed(bench, tokens) == [tokens[0], tokens[3]]
    bench.apply().expect(0, "No changes.", "one: no memberships are left; delete its `removed:` document")
    (bench.folder / "campaigns/one.yaml").unlink()
    bench.apply().expect(0, "No changes.")


def test_forgetting_an_audience_changes_nothing_at_fcm(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens, subscribe="[tides, beta]")
    bench.apply().expect(0, "6 joined")
    begin = len(bench.log.bytes())
    removed(bench, "one", "forget")
    bench.apply().expect(0)
    assert bench.log.requests(begin) == []
    assert subscribed(bench, tokens) == subscribed(bench, tokens, "beta") == tokens
    assert statuses(bench) == {}
    audience(bench, "one", tokens)
    bench.apply().expect(0, "3 already subscribed")


def test_removal_conflicts_with_the_declared_audience(bench):
    audience(bench, "one", [token(0)])
    bench.write("campaigns/gone.yaml", "removed: { audience: one, members: forget }\n")
    bench.herald("plan").expect(65, "audience `one` is removed, but it still has `subscribe`")
    bench.write("campaigns/gone.yaml", "removed: { audience: x, members: forget }\n---\n"
                "removed: { audience: x, members: unsubscribe }\n")
    bench.herald("plan").expect(65, "duplicate-name")


def test_sends_wait_only_for_leaves_of_their_topics(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply().expect(0, "3 joined")
    bench.emulator.put("/emulator/v1/faults", {"rules": [{
        "match": {"service": "MEMBERSHIP", "registration": tokens[0]}, "answer": {"error": "TOO_MANY_TOPICS"}}]})
    audience(bench, "one", tokens[2:])
    bench.campaign("a-tides", "{ topic: tides }")
    bench.campaign("b-both", "{ condition: \"'beta' in topics || 'tides' in topics\" }")
    bench.campaign("c-beta", "{ topic: beta }")
    for _ in range(2):
        bench.apply().expect(
            3, "a-tides/once/1  for 1 registration to leave topic tides", "b-both/once/1  for", "not sent")
    assert bench.log.accepted() == {"beta": 1}
    bench.herald("plan").expect(0, "1 registration has not left topic tides yet; sends to the topic wait")
    bench.emulator.ask("DELETE", "/emulator/v1/faults")
    bench.apply().expect(0, "1 left", "2 accepted")
    assert subscribed(bench, tokens) == tokens[2:]
    bench.apply().expect(0, "No changes.")


def write_slow_environment(bench, length):
    """Writes an environment `slow` that uses the same emulator with a settle delay."""
    bench.write("herald.yaml", f"version: 1\nproject: e2e\ntopics: {{ tides: {{}}, beta: {{}} }}\n"
                f"environments: {{ slow: {{ emulator: {{ url: '{bench.emulator.url}' }}, settle: {length} }} }}\n")


def request_times(bench, path):
    """Returns topic and time of the requests to a path, in order."""
    return [(e["body"].get("message", {}).get("topic"), datetime.fromisoformat(e["time"]))
            for e in bench.log.changes() if e["path"].endswith(path)]


def test_send_waits_for_the_settle_delay(bench):
    write_slow_environment(bench, "2s")
    tokens = [token(n) for n in range(2)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.campaign("a-tides", "{ topic: tides }")
    bench.campaign("b-beta", "{ topic: beta }")
    bench.herald("plan", "-e", "slow").expect(0, "note waits up to 2 s after joins to its topics (settle delay)")
    bench.apply("-e", "slow").expect(0, "waiting 2 s for joins to settle", "2 accepted")
    (_, joined), = request_times(bench, "batchAdd")
    (first, _), (second, sent) = request_times(bench, "messages:send")
    assert (first, second) == ("beta", "tides"), "sends without a settle delay go first"
    assert (sent - joined).total_seconds() >= 2


def test_settle_delay_covers_earlier_runs_and_can_be_interrupted(bench):
    write_slow_environment(bench, "1h")
    tokens = [token(n) for n in range(2)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply("-e", "slow").expect(0, "2 joined")
    bench.campaign("a-tides", "{ topic: tides }")
    with bench.start("apply", "--yes", "-e", "slow") as apply:
        while "for joins to settle" not in apply.texts()[1]:
            assert apply.process.poll() is None, apply.texts()
        stopped = apply.signal(2).finish().expect(130, "1 not sent")
    # On a slow machine, up to two minutes have passed since the join.
    assert re.search(r"waiting (58|59|60) min for joins to settle", stopped.out + stopped.err)
    assert bench.log.sends() == []
    write_slow_environment(bench, "0")
    bench.apply("-e", "slow").expect(0, "1 accepted")
