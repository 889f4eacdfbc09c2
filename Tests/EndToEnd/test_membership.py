"""Memberships: batched joins, moves between audiences, and leaves."""

import fcntl

from herald import Emulator, eventually, token

import pytest


@pytest.fixture
def bench(project):
    """A project with the topics `tides` and `beta`, and a running emulator."""
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, beta: {} }\n")
    with Emulator(project) as emulator:
        project.emulator = emulator
        yield project


def audience(project, name, tokens, subscribe="[tides]"):
    path = project.list(name, tokens)
    project.write(f"campaigns/{name}.yaml", f"audience: {name}\nregistrations: {path}\nsubscribe: {subscribe}\n")


def subscribed(project, tokens, topic="tides"):
    return [t for t in tokens if topic in project.emulator.topics(t)]


def batches(project, name):
    return [(body["to"], body["registration_tokens"]) for body in project.log.batches(name)]


@pytest.mark.covers("A09", "A11", "A26", "A27", "F2.3-subscribers", "M11")
def test_joins_2500_registrations_in_three_batches(bench):
    tokens = [token(n) for n in range(2_500)]
    bench.emulator.install(tokens)
    audience(bench, "everybody", tokens)
    bench.apply().expect(0, "2,500 joined")
    assert batches(bench, "batchAdd") == [
        ("/topics/tides", tokens[:1_000]), ("/topics/tides", tokens[1_000:2_000]), ("/topics/tides", tokens[2_000:])]
    assert len(bench.log.changes()) == 3
    assert sorted(bench.log.asked()) == sorted(tokens)
    leaving = tokens[3::250]
    assert len(leaving) == 10
    audience(bench, "everybody", [t for t in tokens if t not in leaving])
    bench.herald("plan").expect(0, "unsubscribes 10 registrations from topic tides")
    bench.apply().expect(0, "10 left")
    assert [(to, sorted(members)) for to, members in batches(bench, "batchRemove")] == [("/topics/tides", sorted(leaving))]
    assert len(bench.log.changes()) == 4
    assert subscribed(bench, tokens[:20] + leaving) == [t for t in tokens[:20] if t not in leaving]
    bench.apply().expect(0, "No changes.")


def test_member_stays_while_another_audience_needs_it(bench):
    tokens = [token(n) for n in range(6)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens[:4])
    audience(bench, "two", tokens[2:])
    bench.apply().expect(0)
    assert subscribed(bench, tokens) == tokens
    audience(bench, "one", tokens[:1])
    bench.apply().expect(0, "1 left")
    assert batches(bench, "batchRemove") == [("/topics/tides", [tokens[1]])]
    audience(bench, "two", tokens[5:])
    bench.apply().expect(0, "3 left")
    assert sorted(batches(bench, "batchRemove")[1][1]) == sorted(tokens[2:5])
    assert subscribed(bench, tokens) == [tokens[0], tokens[5]]


def test_two_audiences_send_one_leave_per_shared_member(bench):
    tokens = [token(n) for n in range(8)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    audience(bench, "two", tokens)
    bench.apply().expect(0)
    audience(bench, "one", tokens[:2])
    audience(bench, "two", tokens[:2])
    bench.apply().expect(0, "6 left")
    assert [sorted(members) for _, members in batches(bench, "batchRemove")] == [sorted(tokens[2:])]
    bench.apply().expect(0, "No changes.")


def test_removing_an_audience_file_is_an_error(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens)
    bench.apply().expect(0)
    before = bench.log.bytes()
    (bench.folder / "campaigns/one.yaml").unlink()
    bench.campaign("news", "{ topic: tides }")
    for command in (["plan"], ["apply", "--yes"]):
        bench.herald(*command).expect(1, "3 registrations of one in topic tides", "removed: { audience: one, members: unsubscribe }")
    bench.write("campaigns/one.yaml", "audience: one\nregistrations: campaigns/registrations/one.txt\n")
    bench.apply().expect(1, "3 registrations of one in topic tides")
    assert bench.log.bytes() == before
    audience(bench, "one", tokens)
    bench.apply().expect(0, "1 accepted")
    assert subscribed(bench, tokens) == tokens


def test_empty_subscribe_unsubscribes_members(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens, "[tides, beta]")
    bench.apply().expect(0, "6 joined")
    audience(bench, "one", tokens, "[beta]")
    bench.apply().expect(0, "3 left")
    assert (subscribed(bench, tokens), subscribed(bench, tokens, "beta")) == ([], tokens)
    audience(bench, "one", tokens, "[]")
    bench.apply().expect(0, "3 left")
    assert subscribed(bench, tokens, "beta") == []
    (bench.folder / "campaigns/one.yaml").unlink()
    bench.apply().expect(0, "No changes.")


@pytest.mark.covers("A30", "F2.1-not-found")
def test_rejected_registration_is_reported_and_not_retried(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens[:2])
    audience(bench, "one", tokens)
    fingerprints = {t: f for f, t in (bench.plan() and bench.fingerprints(tokens)).items()}
    bench.apply().expect(0, "2 joined", "1 refused", f"{fingerprints[tokens[2]]}  NOT_FOUND")
    assert batches(bench, "batchAdd") == [("/topics/tides", tokens)]
    bench.herald("plan").expect(0, "FCM refused 1 registration for topic tides")
    bench.apply().expect(0, "No changes.", "FCM refused 1 registration for topic tides")
    audience(bench, "one", tokens[:2])
    bench.apply().expect(0)
    assert batches(bench, "batchRemove") == [], "a registration that never joined need not leave"
    bench.apply().expect(0, "No changes.")
    assert "refused" not in bench.herald("plan").expect(0).out


def test_moved_registration_stays_in_topics_of_both_lists(bench):
    tokens = [token(n) for n in range(4)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens[:2], "[tides]")
    audience(bench, "two", tokens[2:], "[tides, beta]")
    bench.apply().expect(0, "6 joined")
    audience(bench, "one", tokens[1:2], "[tides]")
    audience(bench, "two", tokens[2:] + tokens[:1], "[tides, beta]")
    bench.apply().expect(0)
    assert batches(bench, "batchRemove") == []
    assert subscribed(bench, tokens) == tokens
    assert subscribed(bench, tokens, "beta") == [tokens[0], tokens[2], tokens[3]]
    bench.apply().expect(0, "No changes.")


def test_leaves_precede_joins_and_joins_precede_sends(bench):
    tokens = [token(n) for n in range(4)]
    bench.emulator.install(tokens)
    audience(bench, "one", tokens[:2])
    bench.apply().expect(0)
    audience(bench, "one", tokens[1:3])
    bench.campaign("a-first-by-name", "{ topic: tides }")
    bench.apply().expect(0)
    assert [entry["path"] for entry in bench.log.changes()[1:]] == [
        "/iid/v1:batchRemove", "/iid/v1:batchAdd", "/v1/projects/e2e/messages:send"]
    inboxes = {d["name"]: len(d["received"]) for d in bench.emulator.get("/emulator/v1/inboxes")["devices"]}
    assert sum(inboxes.values()) == 2


def test_resumes_an_apply_killed_between_batches(bench):
    tokens = [token(n) for n in range(2_500)]
    bench.emulator.install(tokens)
    audience(bench, "everybody", tokens)
    with bench.start("apply", "--yes") as apply:
        while not bench.log.batches("batchAdd"):
            assert apply.process.poll() is None
        apply.kill()
    bench.apply().expect(0, "joined")
    bench.apply().expect(0, "No changes.")
    assert len(subscribed(bench, tokens[::50])) == 50
    assert bench.rows("SELECT status, count(*) FROM memberships GROUP BY status")[0][1] == 2_500


# MARK: pauses and exit codes


def test_a_pause_of_everything_stops_joins(bench):
    tokens = [token(n) for n in range(4_000)]
    bench.emulator.install(tokens)
    audience(bench, "everybody", tokens)
    bench.herald("pause").expect(0, "nothing is sent, joined or left")
    bench.apply().expect(3, "paused", "membership of everybody in topic tides", "herald resume")
    assert bench.log.changes() == []
    bench.herald("resume").expect(0)
    bench.apply().expect(0, "4,000 joined")


def test_a_pause_of_everything_stops_joins_that_have_begun(bench):
    """The joins are requested one by one at 20 a second, so that a pause comes in time."""
    tokens = [token(n) for n in range(200)]
    bench.emulator.install(tokens)
    bench.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\nenvironments:\n"
                "  local: { emulator: {}, pace: { subscriptions_per_second: 20 } }\n")
    path = bench.list("everybody", tokens)
    bench.write("campaigns/everybody.yaml", f"audience: everybody\nregistrations: {path}\nsubscribe: [tides]\n"
                "transport: per_registration\n")
    with bench.start("apply", "--yes", "--json") as apply:
        eventually(lambda: len(bench.log.changes()) >= 5, "5 joins in the log")
        bench.herald("pause").expect(0)
        result = apply.finish().expect(3)
    assert '"memberships_paused":1' in result.out
    begun = len(subscribed(bench, tokens))
    assert 0 < begun < len(tokens)
    bench.herald("resume").expect(0)
    bench.apply().expect(0)
    assert subscribed(bench, tokens) == tokens


def test_a_pause_of_a_campaign_does_not_stop_joins(bench):
    tokens = [token(n) for n in range(3)]
    bench.emulator.install(tokens)
    audience(bench, "everybody", tokens)
    bench.campaign("news", "{ topic: tides }")
    bench.herald("pause", "news").expect(0)
    bench.apply().expect(3, "3 joined")
    assert subscribed(bench, tokens) == tokens


@pytest.mark.parametrize("dead, code", [(1, 0), (3, 3)])
def test_refused_joins_appear_in_the_exit_code_unless_they_are_the_usual_dead(bench, dead, code):
    tokens = [token(n) for n in range(3)]
    if dead < 3:
        bench.emulator.install(tokens[dead:])
    audience(bench, "everybody", tokens)
    bench.apply().expect(code, f"{dead} refused")
    bench.apply().expect(0, "No changes.")


# MARK: retries of refused joins


def test_retry_puts_refused_joins_of_an_audience_back(bench):
    tokens = [token(n) for n in range(4)]
    bench.emulator.install(tokens[:1])
    audience(bench, "everybody", tokens[1:], "[tides, beta]")
    audience(bench, "one", tokens[:1])
    # The refused registrations are dead, and another join succeeds.
    bench.apply().expect(0, "1 joined", "6 refused", "herald registrations retry everybody")
    bench.herald("plan").expect(0, "FCM refused 3 registrations for topic tides; retry with `herald registrations retry everybody`")
    bench.herald("status").expect(0, "3 refused", "retry refused joins with `herald registrations retry everybody`")
    bench.herald("history", 1).expect(0, "everybody in beta", "retry refused joins with `herald registrations retry everybody`")
    before = bench.log.bytes()
    bench.herald("registrations", "retry", "everybodi").expect(
        64, "there is no audience `everybodi` in the files or in the state", "did you mean `everybody`?")
    bench.herald("registrations", "retry", "one").expect(0, "No joins to retry. Nothing was changed.")
    assert bench.rows("SELECT count(*) FROM memberships WHERE status = 3") == [(6,)]
    bench.herald("registrations", "retry", "everybody").expect(
        0, "everybody in beta 3 joins", "everybody in tides 3 joins", "The next plan contains 6 joins again: `herald plan`")
    bench.herald("registrations", "retry", "everybody").expect(0, "No joins to retry")
    assert bench.log.bytes() == before, "a retry sends nothing"
    plan = bench.herald("plan").expect(0, "subscribes 3 registrations to topic tides", "subscribes 3 registrations to topic beta")
    assert "refused" not in plan.out
    bench.emulator.install(tokens[1:])
    bench.apply().expect(0, "6 joined")
    assert subscribed(bench, tokens) == tokens
    assert subscribed(bench, tokens, "beta") == tokens[1:]
    bench.apply().expect(0, "No changes.")


def test_retry_takes_registrations_from_a_file_or_standard_input(bench):
    tokens = [token(n) for n in range(4)]
    audience(bench, "one", tokens[:3])
    audience(bench, "two", tokens[2:])
    bench.apply().expect(3, "5 refused")
    bench.herald("history").expect(0, "refused joins: 5 (`herald registrations retry` tries them again)")
    names = {t: name for name, t in bench.fingerprints(tokens).items()}
    bench.herald("registrations", "retry", "@nowhere.txt").expect(64, "nowhere.txt cannot be read")
    bench.write("phones.txt", f"# fixed phones\n{tokens[2]}\n\n{names[tokens[0]]}\n{token(9)}\n")
    done = bench.herald("registrations", "retry", f"@{bench.folder}/phones.txt").expect(
        0, "one in tides 2 joins", "two in tides 1 join", "contains 3 joins again")
    assert names[tokens[0]] not in done.out
    bench.herald("registrations", "retry", "-", input=tokens[3]).expect(0, "two in tides 1 join")
    assert bench.rows("SELECT status, count(*) FROM memberships GROUP BY status") == [(3, 1)]
    bench.emulator.install(tokens)
    bench.apply().expect(0, "4 joined")
    assert subscribed(bench, tokens) == [tokens[0], tokens[2], tokens[3]]


def test_retry_does_not_revive_dead_registrations(bench):
    tokens = [token(n) for n in range(2)]
    audience(bench, "one", tokens)
    bench.apply().expect(3, "2 refused")
    bench.emulator.install(tokens[1:])
    bench.campaign("news", f"{{ registrations: {bench.list('news', tokens)} }}")
    bench.apply().expect(0, "1 accepted, 1 rejected")
    bench.herald("registrations", "retry", "one").expect(
        0, "one in tides 1 join", "1 join of dead registrations stays refused", "herald registrations revive")
    bench.apply().expect(0, "1 joined")
    assert subscribed(bench, tokens[1:]) == tokens[1:]
    assert bench.rows("SELECT status, count(*) FROM memberships GROUP BY status ORDER BY status") == [(1, 1), (3, 1)]


def test_retry_needs_the_lock_and_is_in_the_history_chain(bench):
    tokens = [token(0)]
    audience(bench, "one", tokens)
    bench.herald("registrations", "retry", "one").expect(1, "nothing was applied")
    bench.apply().expect(3, "1 refused")
    with open(bench.folder / ".herald/local.sqlite", "rb") as state:
        fcntl.flock(state, fcntl.LOCK_EX)
        bench.herald("registrations", "retry", "one", "--lock-timeout", "0").expect(7)
    assert bench.rows("SELECT status FROM memberships") == [(3,)]
    links = bench.rows("SELECT count(*) FROM chain")
    bench.herald("registrations", "retry", "one").expect(0, "contains 1 join again")
    assert bench.rows("SELECT count(*) FROM chain") == [(links[0][0] + 1,)]
    bench.herald("history").expect(0)
