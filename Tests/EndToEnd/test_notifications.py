"""The webhook of an environment: what is reported, signed and repeated, and that sends never wait for it."""

import hashlib
import hmac
import json
import re
import signal
import time

import jsonschema
import pytest

from herald import Emulator, Project, eventually, schema, token
from services import FUTURE, Receiver, Service, apply_earlier, due_campaign
from test_standby import soon

KEY = "a-key-that-only-both-know"
TOKENS = [token(n) for n in range(25)]


@pytest.fixture
def emulator(tmp_path):
    project = Project(tmp_path / "project")
    with Emulator(project) as emulator:
        yield emulator


@pytest.fixture
def bench(emulator):
    """A project whose environment `bench` has a webhook."""
    project = emulator.project
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {}, winds: {} }\nenvironments:\n"
        f"  bench: {{ emulator: {{ url: '{emulator.url}' }}, notify: {{ webhook: env:HOOK, secret: env:HOOK_KEY }} }}\n")
    return project


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


def given(receiver):
    return {"HOOK": receiver.url, "HOOK_KEY": KEY}


def check_signature(headers, body):
    timestamp = headers["Herald-Timestamp"]
    assert abs(int(timestamp) - time.time()) < 300
    expected = hmac.new(KEY.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["Herald-Signature"] == f"v1={expected}"


def test_reports_a_finished_send_with_a_signature(bench, receiver):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    with Service(bench, "-e", "bench", env=given(receiver)) as service:
        eventually(lambda: receiver.events() == ["finished"], f"the notification\n{service.err}")
        eventually(lambda: service.metric("herald_notifications_total", result="delivered") == "1", "the count")
        eventually(lambda: service.metric("herald_pending_notifications") == "0", "nothing waits")
    (headers, body), = receiver.requests
    check_signature(headers, body)
    notification = json.loads(body)
    jsonschema.Draft7Validator(json.loads(schema("notification"))).validate(notification)
    assert headers["Idempotency-Key"] == notification["id"]
    assert (notification["project"], notification["environment"]) == ("e2e", "bench")
    assert notification["occurrence"] == "tide/once/1"
    assert notification["counts"]["accepted"] == 1
    assert notification["text"] == "e2e, bench: `tide/once/1` is finished. 1 accepted."
    block, = notification["blocks"]
    assert (block["type"], block["text"]["type"]) == ("section", "mrkdwn")


def test_an_apply_in_the_project_reports_nothing(bench, receiver):
    bench.campaign("tide", "{ topic: tides }")
    bench.apply("-e", "bench", env=given(receiver)).expect(0, "1 accepted")
    assert receiver.requests == []


@pytest.mark.parametrize("command", [("apply", "--due"), ("run", "--once")], ids=["apply", "run"])
def test_a_cron_job_reports_what_it_did_once(bench, receiver, command):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    for _ in range(2):
        bench.herald(*command, "-e", "bench", env=given(receiver)).expect(0)
    assert receiver.events() == ["finished"]


def test_reports_a_send_that_was_too_late(bench, receiver):
    bench.campaign("tide", "{ topic: tides }", schedule="2037-03-20 08:30")
    bench.apply("-e", "bench", now="2037-03-01T12:00:00Z").expect(0)
    bench.herald("apply", "--due", "-e", "bench", now="2037-03-22T12:00:00Z", env=given(receiver)).expect(3)
    notification, = receiver.notifications()
    assert (notification["event"], notification["occurrence"]) == ("expired", "tide/once/1")
    assert "`herald status -e bench` shows what to do" in notification["text"]
    assert bench.log.sends() == []


def test_reports_a_stopped_send_again_after_a_restart_with_the_same_id(emulator, bench, receiver):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "delivery": {"reset_connection": True}}]})
    for times in (1, 2):
        with Service(bench, "-e", "bench", env=given(receiver)) as service:
            eventually(lambda: receiver.events() == ["stopped"] * times, f"the notification\n{service.err}")
            eventually(lambda: service.metric("herald_pending_occurrences", state="stopped") == "1", "the metric")
            service.until_ready()
    first, second = receiver.notifications()
    assert first["id"] == second["id"]
    assert first["counts"]["unknown"] == 1
    # A cron job reports only what happened in its run.
    bench.herald("apply", "--due", "-e", "bench", env=given(receiver)).expect(4)
    assert len(receiver.requests) == 2


def test_reports_a_held_send(emulator, bench, receiver):
    due_campaign(bench, "call", f"{{ registrations: {bench.list('all', TOKENS)} }}")
    apply_earlier(bench, "-e", "bench").expect(0)
    emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "answer": {"error": "UNREGISTERED"}}]})
    bench.herald("apply", "--due", "-e", "bench", env=given(receiver)).expect(3)
    notification, = receiver.notifications()
    assert (notification["event"], notification["occurrence"]) == ("held", "call/once/1")
    assert "most of the first registrations were dead" in notification["text"]


def test_repeats_until_the_webhook_accepts_and_sends_do_not_wait(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    due_campaign(bench, "wind", "{ topic: winds }")
    apply_earlier(bench, "-e", "bench").expect(0)
    with Receiver(answers=[500, 503]) as receiver:
        with Service(bench, "-e", "bench", env=given(receiver)) as service:
            eventually(lambda: bench.log.accepted() == {"tides": 1, "winds": 1}, "both sends")
            eventually(lambda: len(receiver.requests) == 4, "the repetitions")
            eventually(lambda: service.metric("herald_notifications_total", result="delivered") == "2", "the metric")
            assert service.metric("herald_notifications_total", result="retried") == "2"
        ids = [notification["id"] for notification in receiver.notifications()]
        assert len(set(ids[:3])) == 1
        assert len(set(ids)) == 2
        for headers, body in receiver.requests:
            check_signature(headers, body)


def test_a_refused_notification_is_dropped_and_logged(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    with Receiver(answers=[410]) as receiver:
        with Service(bench, "-e", "bench", env=given(receiver)) as service:
            eventually(lambda: service.metric("herald_notifications_total", result="dropped") == "1", "the metric")
            assert "`finished` is not delivered: the webhook refused it (HTTP 410)" in " ".join(service.err.split())
            service.until_ready()
        assert len(receiver.requests) == 1


def test_a_running_service_uses_the_webhook_of_the_last_apply(bench, receiver):
    bench.campaign("later", "{ topic: winds }", schedule=FUTURE)
    bench.apply("-e", "bench").expect(0)
    with Receiver() as other:
        with Service(bench, "-e", "bench", env=given(receiver) | {"OTHER": other.url}) as service:
            service.until_ready()
            path = bench.folder / "herald.yaml"
            path.write_text(path.read_text().replace("env:HOOK,", "env:OTHER,"))
            soon(bench, "tide", options=["-e", "bench"])
            eventually(lambda: other.events() == ["finished"], f"the notification\n{service.err}")
            path.write_text(path.read_text().replace("env:OTHER,", "env:UNSET,"))
            soon(bench, "tide", options=["-e", "bench"])
            eventually(lambda: "UNSET is not set" in " ".join(service.err.split()), "the problem is reported")
            eventually(lambda: bench.log.accepted() == {"tides": 2}, "the send without a notification")
    assert (receiver.events(), other.events()) == ([], ["finished"])


def test_a_webhook_that_is_away_does_not_keep_the_service_from_ending(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    env = {"HOOK": "http://127.0.0.1:1/", "HOOK_KEY": KEY}
    with Service(bench, "-e", "bench", env=env) as service:
        eventually(lambda: service.metric("herald_notifications_total", result="retried") not in (None, "0"), "a failure")
        began = time.monotonic()
        result = service.running.signal(signal.SIGTERM).finish().expect(130)
        assert time.monotonic() - began < 6
    assert "is not delivered" in " ".join(result.err.split())


def test_the_url_and_the_key_are_never_shown_or_stored(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    with Receiver(answers=[404]) as receiver:
        result = bench.herald("apply", "--due", "--verbose", "-e", "bench", env=given(receiver)).expect(0)
        assert len(receiver.requests) == 1
    state = b"".join(path.read_bytes() for path in (bench.folder / ".herald").glob("bench.*") if path.is_file())
    assert b"HOOK_KEY" in state
    for secret in ("SECRETPATH", KEY):
        assert secret not in result.out + result.err
        assert secret.encode() not in state


@pytest.mark.parametrize("value, words", [
    (None, "HOOK is not set"), ("http://hooks.example/T0", "HOOK is not the URL of a webhook"),
    ("hooks.example/T0", "HOOK is not the URL"), ("https://me:pw@hooks.example/T0", "HOOK is not the URL")])
def test_a_service_does_not_start_without_its_webhook(bench, value, words):
    bench.campaign("tide", "{ topic: tides }", schedule=FUTURE)
    bench.apply("-e", "bench").expect(0)
    env = {"HOOK_KEY": KEY} | ({"HOOK": value} if value else {})
    result = bench.herald("run", "-e", "bench", env=env).expect(1, words)
    assert "T0" not in result.out + result.err


def test_a_cron_job_sends_without_its_webhook_and_says_so(bench):
    due_campaign(bench, "tide", "{ topic: tides }")
    apply_earlier(bench, "-e", "bench").expect(0)
    bench.herald("apply", "--due", "-e", "bench").expect(0, "HOOK is not set", "1 accepted")


def test_a_url_in_the_file_is_refused_without_repeating_it(bench):
    bench.write(
        "herald.yaml",
        "version: 1\nproject: e2e\nenvironments: { bench: { emulator: {}, notify: "
        "{ webhook: 'https://hooks.example/services/T0/SECRETPATH' } } }\n")
    result = bench.herald("validate").expect(65, "should be `env:NAME`")
    assert "SECRETPATH" not in re.sub(r"(?m)^\s*\d+ │.*$|^ *\d+ \|.*$", "", result.out + result.err)


def test_a_notification_without_a_key_has_no_signature(emulator, receiver):
    project = emulator.project
    project.write(
        "herald.yaml",
        "version: 1\nproject: e2e\ntimezone: UTC\ntopics: { tides: {} }\nenvironments:\n"
        f"  bench: {{ emulator: {{ url: '{emulator.url}' }}, notify: {{ webhook: env:HOOK }} }}\n")
    due_campaign(project, "tide", "{ topic: tides }")
    apply_earlier(project, "-e", "bench").expect(0)
    project.herald("apply", "--due", "-e", "bench", env={"HOOK": receiver.url}).expect(0)
    (headers, _), = receiver.requests
    assert "Herald-Signature" not in headers
    assert "Herald-Timestamp" in headers
