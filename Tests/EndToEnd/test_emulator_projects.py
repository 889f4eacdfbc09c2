"""Projects in one emulator: each SDK call reaches the state of its own project."""

import json
import urllib.error
import urllib.request

import pytest

from admin_sdk import CURRENT, INSTANCE_ID, RELEASES, AdminSDK, service_account
from herald import DEADLINE, Emulator

PHONE = "shared:phone"
PROJECTS = ("north", "south")


@pytest.fixture
def emulator(project):
    with Emulator(project) as emulator:
        for name in PROJECTS:
            emulator.post(f"/emulator/v1/devices?project={name}", [
                {"name": "phone", "platform": "android", "registration": PHONE}])
        yield emulator


def account(emulator, name):
    return service_account(emulator, client_email=f"sender@{name}.iam.gserviceaccount.com", project_id=name)


def sdk(release, emulator, name):
    return AdminSDK(release, emulator, account(emulator, name), project=name)


def messages(emulator, name, query=""):
    return emulator.get(f"/emulator/v1/search/messages?project={name}{query}")["messages"]


def topics(emulator, name):
    return [one["topic"] for one in emulator.get(f"/emulator/v1/memberships?project={name}")["memberships"]]


@pytest.mark.parametrize("release", RELEASES)
def test_sends_reach_only_their_project(emulator, release):
    note = {"token": PHONE, "notification": {"title": "for the north"}}
    north = sdk(release, emulator, "north")
    answers = north.calls(
        ["send", {"message": note}], ["send_each", {"messages": [note, note]}],
        ["send_each_for_multicast", {"multicast_message": {"tokens": [PHONE], "notification": note["notification"]}}])
    assert all("error" not in answer for answer in answers), answers
    assert [one["title"] for one in messages(emulator, "north")] == ["for the north"] * 4
    assert messages(emulator, "south") == messages(emulator, "") == []


@pytest.mark.parametrize("release", RELEASES)
def test_subscriptions_belong_to_the_account_of_the_token(emulator, release):
    north, south = (sdk(release, emulator, name) for name in PROJECTS)
    assert north.call("subscribe_to_topic", tokens=[PHONE], topic="tides")["success_count"] == 1
    assert south.call("subscribe_to_topic", tokens=[PHONE], topic="storms")["success_count"] == 1
    assert (topics(emulator, "north"), topics(emulator, "south")) == (["tides"], ["storms"])
    south.call("send", message={"topic": "tides", "data": {"a": "1"}})
    assert messages(emulator, "north") == messages(emulator, "south") == []
    assert north.call("unsubscribe_from_topic", tokens=[PHONE], topic="tides")["success_count"] == 1
    assert (topics(emulator, "north"), topics(emulator, "south")) == ([], ["storms"])


def test_both_topic_apis_were_used(emulator):
    for release in (INSTANCE_ID, CURRENT):
        sdk(release, emulator, "north").call("subscribe_to_topic", tokens=[PHONE], topic="tides")
    paths = {entry["path"] for entry in emulator.project.log.changes()}
    assert any(path.startswith("/iid/") for path in paths)
    assert any(path.startswith("/v1/projects/north/registrations/") for path in paths)


def call(emulator, path, body, token="project:north", **headers):
    """Returns the status and the answer of a request to a Google API."""
    request = urllib.request.Request(
        emulator.url + path, json.dumps(body).encode(), {"Authorization": f"Bearer {token}"} | headers)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def test_device_groups_belong_to_the_sender_in_the_header(emulator):
    emulator.put("/emulator/v1/projects/south", {"sender_id": "815000000001"})
    create = {"operation": "create", "notification_key_name": "family", "registration_ids": [PHONE]}
    status, group = call(emulator, "/fcm/notification", create, token="any", project_id="815000000001")
    assert status == 200
    message = {"message": {"token": group["notification_key"], "data": {"a": "1"}}}
    assert call(emulator, "/v1/projects/north/messages:send", message)[0] != 200
    assert call(emulator, "/v1/projects/south/messages:send", message)[0] == 200
    assert (len(messages(emulator, "north")), len(messages(emulator, "south"))) == (0, 1)


def test_faults_and_clock_apply_to_one_project(emulator):
    emulator.put("/emulator/v1/faults?project=north", {"rules": [{"id": "busy", "answer": {"error": "UNAVAILABLE"}}]})
    emulator.put("/emulator/v1/clock?project=south", {"mode": "frozen", "at": "2040-01-01T00:00:00Z"})
    message = {"message": {"token": PHONE, "data": {"a": "1"}}}
    statuses = [call(emulator, f"/v1/projects/{name}/messages:send", message)[0] for name in PROJECTS]
    assert statuses == [503, 200]
    received, = messages(emulator, "south")
    assert received["received_at"] == "2040-01-01T00:00:00.000Z"
    fired = emulator.get("/emulator/v1/faults?project=north")["rules"][0]["fired"]
    assert fired == 1 and emulator.get("/emulator/v1/faults?project=south")["rules"] == []


def test_projects_survive_a_restart_until_they_are_dropped(project):
    with Emulator(project) as emulator:
        for name in PROJECTS:
            emulator.post(f"/emulator/v1/devices?project={name}", [
                {"name": "phone", "platform": "apple", "registration": PHONE}])
        call(emulator, "/v1/projects/north/messages:send", {"message": {"token": PHONE, "data": {"a": "1"}}})
        emulator.ask("DELETE", "/emulator/v1/projects/south")
    with Emulator(project) as emulator:
        assert [one["id"] for one in emulator.get("/emulator/v1/projects")["projects"]][1:] == ["north"]
        assert len(messages(emulator, "north")) == 1
        assert emulator.get("/emulator/v1/devices?project=south")["total"] == 0


def test_named_default_project_separates_all_other_ids(project):
    with Emulator(project, arguments=["--project-id", "mine"]) as emulator:
        emulator.post("/emulator/v1/devices", [{"name": "phone", "platform": "web", "registration": PHONE}])
        message = {"message": {"token": PHONE, "data": {"a": "1"}}}
        assert call(emulator, "/v1/projects/mine/messages:send", message)[0] == 200
        assert call(emulator, "/v1/projects/other/messages:send", message)[0] == 404
        assert len(messages(emulator, "mine")) == 1
