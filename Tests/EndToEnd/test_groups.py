"""Campaigns to a device group: one request to the key that FCM returns for the group's name."""

import json
import urllib.request

import pytest

from herald import DEADLINE, Emulator, Project, token

PHONES = [token(n) for n in range(3)]


@pytest.fixture
def bench(tmp_path):
    """A device group of three phones on a running emulator, and a campaign to the group."""
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


def test_sends_one_request_that_reaches_each_phone_once(bench):
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


def test_unknown_group_is_named_and_nothing_is_sent(bench):
    bench.apply().expect(1, "device group anglers-7&x=1: 400 notification_key not found")
    assert bench.log.sends() == []
    create(bench)
    bench.apply().expect(0, "1 accepted")


def test_retries_a_failed_group_lookup(bench):
    create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"method": "GET"}, "when": {"times": 2}, "answer": {"error": "UNAVAILABLE"}}]})
    bench.apply().expect(0, "1 accepted")
    assert received(bench) == dict.fromkeys(PHONES, 1)


def test_error_answer_stops_the_occurrence_until_it_is_resolved(bench):
    key = create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "accepted": True, "when": {"nth": 1}, "answer": {"error": "UNAVAILABLE"}}]})
    bench.apply().expect(4, "1 unknown")
    bench.apply().expect(4, "herald resolve gather/once/1 sent|resend|drop")
    bench.herald("resolve", "gather", "resend", "--yes").expect(0)
    bench.apply().expect(0, "1 accepted")
    assert received(bench) == dict.fromkeys(PHONES, 2)
    assert len(bench.log.sends()) == 2 and bench.log.accepted() == {key: 1}


def test_answer_without_a_message_id_is_accepted_only_for_groups(bench):
    create(bench)
    bench.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"service": "SEND"}, "accepted": True, "answer": {"status": 200, "json": {}}}]})
    bench.campaign("single", f"{{ registrations: {bench.list('one', PHONES[:1])} }}")
    bench.apply().expect(4, "1 accepted, 1 unknown")
    bench.herald("status").expect(0, "single/once/1")


def test_dry_run_validates_messages_to_groups(bench):
    key = create(bench)
    bench.herald("apply", "--dry-run").expect(0, "FCM has no error in any message")
    assert [(e["body"]["message"]["token"], e["body"]["validate_only"]) for e in bench.log.sends()] == [(key, True)]
    assert received(bench) == dict.fromkeys(PHONES, 0)
    bench.campaign("other", "{ group: nobody }")
    result = bench.herald("apply", "--dry-run").expect(1, "device group nobody: 400 notification_key not found")
    assert key not in result.out + result.err


# `herald groups`

CREW = [token(n, "crew") for n in range(21)]


@pytest.fixture
def crew(tmp_path):
    """Twenty-one phones in a list on a running emulator, without campaigns and groups."""
    project = Project(tmp_path / "crew")
    path = project.list("crew", CREW)
    project.write("campaigns/crew.yaml", f"audience: crew\nregistrations: {path}\n")
    with Emulator(project) as emulator:
        emulator.install(CREW)
        project.emulator = emulator
        yield project


def changes(project, begin=0):
    """Returns the requests that change a group."""
    return [e for e in project.log.changes(begin) if e["path"].startswith("/fcm/notification")]


def rows(numbers):
    return [argument for n in numbers for argument in ("--row", n)]


@pytest.mark.covers("A08", "A61", "F6-max")
def test_manages_a_group_of_at_most_twenty_and_sends_to_it(crew):
    crew.herald("groups", "create", "team", "--list", "crew").expect(1, "at most 20 registrations", "would have 21")
    crew.herald("groups", "create", "team", "--list", "crew", *rows(range(1, 21))).expect(0, "team: 20 registrations")
    assert [len(e["body"]["registration_ids"]) for e in changes(crew)] == [20]
    crew.herald("groups", "add", "team", "--list", "crew", "--row", 21).expect(1, "would have 21")
    assert len(changes(crew)) == 1, "no request to FCM"
    prints = {t: f for f, t in crew.fingerprints(CREW).items()}
    crew.herald("groups", "remove", "team", prints[CREW[4]]).expect(0, "team: 19 registrations")
    shown = crew.herald("groups", "show", "team").expect(0, "team: 19 registrations", "key ")
    assert {line.strip() for line in shown.out.splitlines()[2:]} == {prints[t] for t in CREW[:20] if t != CREW[4]}
    crew.herald("groups", "list").expect(0, "team  19 registrations")
    crew.campaign("gather", "{ group: team }")
    crew.apply().expect(0, "1 accepted")
    (key, count), = crew.log.accepted().items()
    assert count == 1 and crew.fingerprints([key]) and key not in shown.out
    assert list(crew.fingerprints([key]))[0] in shown.out
    assert received(crew) == {t: int(t in CREW[:20] and t != CREW[4]) for t in CREW}
    crew.herald("history").expect(0, "herald groups create team", "herald groups remove team")
    state = b"".join(path.read_bytes() for path in (crew.folder / ".herald").glob("local.sqlite*"))
    assert key.encode() not in state


def test_reports_fcms_refusal_of_a_21st_member(crew):
    create(crew, "elsewhere", CREW[:20])
    crew.herald("groups", "add", "elsewhere", "-", input=CREW[20] + "\n").expect(
        1, "device group elsewhere: 400 too many members", "give the command again")
    crew.herald("groups", "list").expect(0, "No device group is known here")
    crew.herald("groups", "create", "elsewhere", "--list", "crew", "--row", 1).expect(1, "already exists")
    crew.write("one.txt", CREW[2] + "\n")
    crew.herald("groups", "add", "elsewhere", f"@{crew.folder}/one.txt").expect(
        0, "elsewhere: 1 registration known, perhaps others")


@pytest.mark.covers("F6-deletion")
def test_removing_the_last_member_deletes_the_group_after_a_prompt(crew):
    crew.herald("groups", "create", "pair", "--list", "crew", *rows([1, 2])).expect(0)
    crew.herald("groups", "remove", "pair", "--list", "crew", "--row", 1).expect(0, "pair: 1 registration.")
    end = ("groups", "remove", "pair", "--list", "crew", "--row", 2)
    crew.herald(*end).expect(64, "Nobody would be left in device group pair", "nobody is there to say yes")
    assert len(changes(crew)) == 2
    crew.herald(*end, "--yes").expect(0, "Device group pair is gone.")
    crew.herald("groups", "show", "pair").expect(1, "notification_key not found")
    crew.herald("groups", "list").expect(0, "No device group is known here")


@pytest.mark.covers("C86-inline")
def test_rejects_a_registration_argument_without_echoing_it(crew):
    crew.herald("groups", "create", "team", CREW[0]).expect(64, "never as arguments")
    crew.herald("groups", "create", "team", "0123456789abcdef").expect(64, "no list has a registration")
    assert changes(crew) == []


def test_repeats_a_group_change_without_an_answer(crew):
    crew.emulator.put("/emulator/v1/faults", {"rules": [
        {"match": {"method": "POST"}, "when": {"nth": 1}, "accepted": True,
         "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 0}}]})
    crew.herald("groups", "create", "team", "--list", "crew", "--row", 1).expect(0, "team: 1 registration known")
    crew.herald("groups", "add", "team", "--list", "crew", "--row", 2).expect(0, "team: 2 registrations known")
