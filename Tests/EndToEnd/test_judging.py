"""How apply reacts to FCM's answers, using faults of the emulator."""

import pytest

from herald import Emulator, Project, token

COUNT = 60
TOKENS = [token(n) for n in range(COUNT)]


@pytest.fixture
def bench(tmp_path):
    """A project with 60 single sends and a topic, and a running emulator with a phone for each registration."""
    project = Project(tmp_path / "project", topics=["tides"])
    write(project)
    with Emulator(project) as emulator:
        emulator.install(TOKENS)
        project.emulator = emulator
        yield project


def write(project, rest=""):
    people = project.list("all", TOKENS)
    project.write(
        "campaigns/call.yaml",
        f"campaign: call\naudience: {{ registrations: {people} }}\n"
        f"message: {{ notification: {{ title: call }} }}\n{rest}")


def faults(project, *rules):
    project.emulator.put("/emulator/v1/faults", {"seed": 7, "rules": list(rules)})


def assert_everybody_was_sent_to_once(project):
    assert project.log.accepted() == dict.fromkeys(TOKENS, 1)
    project.apply().expect(0, "No changes.")


@pytest.mark.covers("F1.7-quota", "F1.7-retry-after")
@pytest.mark.parametrize("error", ["QUOTA_EXCEEDED", "PROJECT_QUOTA_EXCEEDED", "APNS_TOO_MANY_REQUESTS"])
@pytest.mark.parametrize("form", ["retry_after_seconds", "retry_after_date_seconds"])
def test_retries_throttled_requests_after_retry_after(bench, error, form):
    faults(bench, {"match": {"service": "SEND"}, "when": {"nth": 7}, "answer": {"error": error, form: 1}})
    bench.apply().expect(0, "60 accepted")
    assert len(bench.log.sends()) == COUNT + 1
    assert_everybody_was_sent_to_once(bench)


@pytest.mark.covers("F1.7-401")
def test_renews_an_expired_token_once(bench):
    faults(bench, {"match": {"service": "SEND"}, "when": {"nth": 30}, "answer": {"error": "EXPIRED_TOKEN"}})
    bench.apply().expect(0, "60 accepted")
    assert [e["status"] for e in bench.log.sends()].count(401) == 1
    assert_everybody_was_sent_to_once(bench)


def test_rejected_token_stops_the_run_and_the_next_run_sends(bench):
    faults(bench, {"match": {"service": "SEND"}, "answer": {"error": "EXPIRED_TOKEN"}})
    result = bench.apply()
    assert result.code == 1 and "FCM refuses access: 401" in result.err, result
    assert "60 not sent" in result.out, result
    faults(bench)
    bench.apply().expect(0, "60 accepted")
    assert_everybody_was_sent_to_once(bench)


def test_mostly_dead_list_is_held_until_acknowledged(bench):
    faults(bench, {"match": {"registration_share": 0.6}, "answer": {"error": "UNREGISTERED"}})
    held = bench.apply("--parallelism", "1").expect(3, "held      call/once/1", "acknowledge: { dead: SHARE")
    assert "No registration was marked as dead" in held.out
    sends = len(bench.log.sends())
    assert sends < COUNT
    again = bench.apply()
    assert again.code == 3 and len(bench.log.sends()) == sends, again
    assert bench.rows("SELECT count(*) FROM dead") == [(0,)]
    write(bench, "acknowledge: { dead: 90%, reason: nobody cleaned it }\n")
    bench.apply().expect(0)
    assert len(bench.log.sends()) == COUNT
    rejected = [e["status"] for e in bench.log.sends()].count(404)
    assert bench.rows("SELECT count(*) FROM dead") == [(rejected,)]
    bench.apply().expect(0, "No changes.")


def test_payload_that_is_always_rejected_is_held(bench):
    faults(bench, {"match": {"service": "SEND"}, "answer": {"error": "INVALID_ARGUMENT"}})
    bench.apply("--parallelism", "1").expect(3, "held ", "INVALID_ARGUMENT to 20 requests in a row", "40 not sent")
    assert len(bench.log.sends()) == 20


def test_on_unknown_stop_stops_at_the_first_unknown_outcome(bench):
    write(bench, "on_unknown: stop\n")
    faults(bench, {"match": {"service": "SEND"}, "when": {"nth": 9}, "accepted": True,
                   "answer": {"error": "UNAVAILABLE"}})
    bench.apply("--parallelism", "1").expect(4, "unknown ", "503 UNAVAILABLE", "51 not sent")
    assert len(bench.log.sends()) == 9
    bench.apply().expect(4)
    assert len(bench.log.sends()) == 9


def test_on_unknown_skip_finishes_a_topic_send(bench):
    (bench.folder / "campaigns/call.yaml").unlink()
    for name, policy in (("all", ""), ("some", "on_unknown: skip\n")):
        bench.write(f"campaigns/{name}.yaml",
                    f"campaign: {name}\naudience: {{ topic: tides }}\n"
                    f"message: {{ notification: {{ title: {name} }} }}\n{policy}")
    faults(bench, {"match": {"service": "SEND"}, "answer": {"error": "INTERNAL"}})
    bench.apply().expect(4, "2 unknown")
    assert bench.rows("SELECT campaign, status FROM occurrences ORDER BY 1") == [("all", 1), ("some", 2)]


def mixed(project):
    """A message that Apple devices display, and that an Android app handles."""
    people = project.list("all", TOKENS)
    project.write(
        "campaigns/call.yaml",
        f"campaign: call\naudience: {{ registrations: {people} }}\n"
        "message: { android: { data: { tide: high } }, apns: { payload: { aps: { alert: High tide } } } }\n")


def test_a_message_that_only_some_platforms_display_is_not_retried_after_a_503(bench):
    """FCM delivers all 60 and answers one of them with 503; the emulator's log has each request once."""
    mixed(bench)
    faults(bench, {"match": {"service": "SEND"}, "when": {"nth": 30}, "accepted": True,
                   "answer": {"error": "UNAVAILABLE"}})
    bench.herald("plan").expect(0, "the second copy replaces the first on Apple only (key")
    bench.apply().expect(4, "59 accepted, 1 unknown")
    sends = bench.log.sends()
    assert [e["status"] for e in sends].count(503) == 1
    assert sorted(e["body"]["message"]["token"] for e in sends) == sorted(TOKENS)
    bench.herald("resolve", "call", "resend", "--no-input").expect(
        64, "Some devices may receive the message twice; the second replaces the first on Apple, but not on Android.")
    bench.apply().expect(0)
    assert len(bench.log.sends()) == COUNT


@pytest.mark.parametrize("status", [400, 408, 425, 499])
def test_a_gateway_error_leaves_the_outcome_unknown(bench, status):
    """A gateway between Herald and FCM answers; FCM took both messages."""
    mixed(bench)
    bench.write("campaigns/tide.yaml", "campaign: tide\naudience: { topic: tides }\n"
                "message: { notification: { title: tide } }\n")
    gone = {"status": status, "text": "<h1>The client went away</h1>", "content_type": "text/html"}
    faults(bench, {"match": {"service": "SEND", "topic": "tides"}, "accepted": True, "answer": gone},
           {"match": {"service": "SEND", "registration": TOKENS[7]}, "accepted": True, "answer": gone})
    result = bench.apply().expect(4, "59 accepted", "2 unknown", f"unknown   tide/once/1  {status}")
    assert "refuses us" not in result.err
    bench.apply().expect(4)
    requests = [e["body"]["message"] for e in bench.log.sends()]
    assert sorted(m.get("token") or m["topic"] for m in requests) == sorted([*TOKENS, "tides"])


@pytest.mark.parametrize("number", ["0", "1001", "many"])
def test_rejects_parallelism_out_of_range(bench, number):
    bench.apply("--parallelism", number).expect(64)
    assert bench.log.sends() == []
