"""Campaigns to a device group: one request under the key that FCM gives for the group's name."""

import json
import urllib.request

import pytest

from herald import DEADLINE, Emulator, Project, token

PHONES = [token(n) for n in range(3)]


@pytest.fixture
def bench(tmp_path):
    """A group of three phones at a running emulator, and a campaign to it."""
    project = Project(tmp_path / "project")
    project.campaign("gather", "{ group: anglers-7&x=1 }")
    with Emulator(project) as emulator:
        emulator.install(PHONES)
        project.emulator = emulator
        yield project


def create(project, name="anglers-7&x=1", members=PHONES):
    request = urllib.request.Request(
        project.emulator.url + "/fcm/notification", method="POST",
        data=json.dumps({"operation": "create", "notification_key_name": name, "registration_ids": members}).encode(),
        headers={"Authorization": "Bearer owner", "Content-Type": "application/json", "project_id": "e2e",
                 "access_token_auth": "true"})
    return json.load(urllib.request.urlopen(request, timeout=DEADLINE))["notification_key"]


def received(project):
    inboxes = project.emulator.get("/emulator/v1/inboxes")["devices"]
    return {inbox["registration"]: len(inbox["received"]) for inbox in inboxes}


def test_a_group_gets_one_request_and_each_of_its_phones_one_message(bench):
    key = create(bench)
    bench.herald("plan").expect(0, "sends now to device group anglers-7&x=1", "1 request")
    plan = bench.plan()
    assert [r["body"]["message"]["token"] for r in plan["requests"]] == ["{notification key}"]
    result = bench.apply().expect(0, "1 accepted")
    assert key not in result.out + result.err
    assert bench.log.accepted() == {key: 1}
    assert received(bench) == dict.fromkeys(PHONES, 1)
    bench.herald("history", "1").expect(0, "to device group anglers-7&x=1: 1 accepted", "message  projects/e2e/messages/")
    bench.apply().expect(0, "Nothing to do")
    assert key not in (bench.folder / ".herald/local.sqlite").read_bytes().decode("latin-1")


def test_a_group_that_fcm_does_not_know_is_named_and_nothing_is_sent(bench):
    bench.apply().expect(1, "device group anglers-7&x=1: 400 notification_key not found")
    assert bench.log.sends() == []
    create(bench)
    bench.apply().expect(0, "1 accepted")


def test_a_question_that_fails_is_asked_again(bench):
    create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"method": "GET"}, "when": {"times": 2}, "answer": {"error": "UNAVAILABLE"}}]})
    bench.apply().expect(0, "1 accepted")
    assert received(bench) == dict.fromkeys(PHONES, 1)


def test_an_answered_failure_stops_the_occurrence_until_a_person_settles_it(bench):
    key = create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "accepted": True, "when": {"nth": 1}, "answer": {"error": "UNAVAILABLE"}}]})
    bench.apply().expect(4, "1 unknown")
    bench.apply().expect(4, "herald resolve gather/once/1 sent|resend|drop")
    bench.herald("resolve", "gather", "resend", "--yes").expect(0)
    bench.apply().expect(0, "1 accepted")
    assert received(bench) == dict.fromkeys(PHONES, 2)
    assert len(bench.log.sends()) == 2 and bench.log.accepted() == {key: 1}


def test_a_success_without_a_name_is_a_success_for_a_group_and_unknown_for_anything_else(bench):
    create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "accepted": True, "answer": {"status": 200, "json": {}}}]})
    bench.campaign("single", f"{{ registrations: {bench.list('one', PHONES[:1])} }}")
    bench.apply().expect(4, "1 accepted, 1 unknown")
    bench.herald("status").expect(0, "single/once/1")


def test_a_dry_run_asks_fcm_of_a_message_to_a_group_too(bench):
    key = create(bench)
    bench.herald("apply", "--dry-run").expect(0, "FCM has no error in any message")
    assert [(e["body"]["message"]["token"], e["body"]["validate_only"]) for e in bench.log.sends()] == [(key, True)]
    assert received(bench) == dict.fromkeys(PHONES, 0)
    bench.campaign("other", "{ group: nobody }")
    result = bench.herald("apply", "--dry-run").expect(1, "device group nobody: 400 notification_key not found")
    assert key not in result.out + result.err
