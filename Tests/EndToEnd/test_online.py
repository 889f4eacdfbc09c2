"""`validate --online` and `apply --dry-run` report FCM's own verdict at the source line and send nothing."""

import pytest

from herald import Witness, token

CAMPAIGNS = """\
campaign: one
audience: { topic: tides }
message:
  notification: { title: One }
  android: { ttl: 60s }
---
campaign: the-same-again
audience: { topic: tides }
message:
  notification: { title: One }
  android: { ttl: 60s }
---
campaign: another
audience: { condition: "'tides' in topics && 'azores' in topics" }
message: { data: { kind: other } }
---
campaign: listed
audience: { registrations: campaigns/registrations/two.txt }
message: { notification: { body: Two } }
"""


@pytest.fixture
def tides(project):
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {}, azores: {} }\n")
    project.list("two", [token(1), token(2)])
    project.devices([token(1), token(2)])
    project.write("campaigns/all.yaml", CAMPAIGNS)
    return project


def accept(_):
    return 200, {"name": "projects/e2e/messages/fake_message_id"}


def refuse(field, description):
    def answer(body):
        if "topic" not in body["message"]:
            return accept(body)
        return 400, {"error": {
            "code": 400, "status": "INVALID_ARGUMENT", "message": "Request contains an invalid argument.",
            "details": [{"@type": "type.googleapis.com/google.rpc.BadRequest",
                         "fieldViolations": [{"field": field, "description": description}]}]}}
    return answer


COMMANDS = [["validate", "--online", "-e", "bench"], ["apply", "--dry-run", "-e", "bench"]]


@pytest.mark.covers("M14")
@pytest.mark.parametrize("command", COMMANDS, ids=["validate", "apply"])
def test_validates_each_distinct_message_once_and_sends_nothing(tides, command):
    with Witness(tides, accept) as fcm:
        tides.herald(*command).expect(0)
    assert all(body["validate_only"] is True for body in fcm.bodies)
    targets = [next(v for k, v in b["message"].items() if k in ("topic", "condition", "token")) for b in fcm.bodies]
    assert targets == ["tides", "'tides' in topics && 'azores' in topics", token(1)]
    if command[0] == "apply":
        assert tides.rows("SELECT count(*) FROM definitions", "bench") == [(0,)]
        assert tides.rows("SELECT count(*) FROM runs", "bench") == [(0,)]


@pytest.mark.covers("M14")
@pytest.mark.parametrize("command", COMMANDS, ids=["validate", "apply"])
def test_reports_the_verdict_at_the_line_of_the_field(tides, command):
    with Witness(tides, refuse("message.android.ttl", "Invalid duration")):
        result = tides.herald(*command).expect(65, "error[fcm-verdict]", "Invalid duration")
    text = result.out + result.err
    assert "campaigns/all.yaml:5:19" in text and "campaigns/all.yaml:11:19" in text
    assert text.count("error[fcm-verdict]") == 2


def test_dead_registration_is_only_a_warning(tides):
    def answer(body):
        if "token" not in body["message"]:
            return accept(body)
        return 404, {"error": {"code": 404, "status": "NOT_FOUND", "message": "Requested entity was not found.",
                               "details": [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                            "errorCode": "UNREGISTERED"}]}}
    with Witness(tides, answer):
        tides.herald(*COMMANDS[0]).expect(0, "warning[fcm-verdict]", "UNREGISTERED", "campaigns/all.yaml:18:28")


MALFORMED = "The registration token is not a valid FCM registration token"


@pytest.mark.parametrize("details", [
    [{"@type": "type.googleapis.com/google.rpc.BadRequest",
      "fieldViolations": [{"field": "message.token", "description": MALFORMED}]}],
    [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "INVALID_ARGUMENT"}],
], ids=["field", "text"])
def test_marks_a_malformed_registration_at_its_list(tides, details):
    named = "audience: two\nregistrations: campaigns/registrations/two.txt\n---\n" \
        "campaign: named\naudience: two\nmessage: { notification: { body: Two } }\n"
    tides.write("campaigns/named.yaml", named)

    def answer(body):
        if "token" not in body["message"]:
            return accept(body)
        return 400, {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": MALFORMED, "details": details}}
    with Witness(tides, answer):
        result = tides.herald(*COMMANDS[0]).expect(
            0, "warning[fcm-verdict]", "INVALID_ARGUMENT", "campaigns/all.yaml:18:28", "campaigns/named.yaml:2:16")
    assert "error[" not in result.out + result.err


@pytest.mark.parametrize("status", [401, 403, 503])
def test_access_errors_stop_the_command(tides, status):
    with Witness(tides, lambda _: (status, {"error": {"code": status, "status": "X", "message": "no"}})):
        tides.herald(*COMMANDS[0]).expect(1, str(status), "nothing was sent or recorded")


def test_uses_the_built_in_emulator_by_default(tides):
    tides.herald("validate", "--online").expect(0)
    tides.herald("apply", "--dry-run").expect(0, "Nothing was sent or recorded")
    sends = tides.log.sends()
    assert len(sends) == 6
    assert all(send["body"]["validate_only"] and send["answer"]["name"].endswith("/fake_message_id") for send in sends)
    tides.apply().expect(0)
    assert len(tides.log.sends()) == 6 + 5


def test_reports_offline_problems_first(tides):
    tides.write("campaigns/bad.yaml", "campaign: bad\n")
    tides.herald("validate", "--online").expect(65, "error[missing-key]")
    assert tides.log.sends() == []


def test_environment_requires_online(tides):
    tides.herald("validate", "-e", "local").expect(64, "--online")


def test_redacts_secrets_that_the_server_echoes(tides):
    tides.write("campaigns/all.yaml", CAMPAIGNS.replace(
        "message: { notification: { body: Two } }",
        "message: { apns: { live_activity_token: sekrit-activity, payload: { aps: { timestamp: 1, event: end } } } }"))

    def repeat(body):
        return 400, {"error": {"code": 400, "status": "INVALID_ARGUMENT",
                               "message": f"I do not like {body} " + "at all " * 200,
                               "details": [{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError",
                                            "errorCode": "INVALID_ARGUMENT"}]}}
    with Witness(tides, repeat):
        result = tides.herald(*COMMANDS[0]).expect(65, "I do not like", "<redacted>")
    assert "sekrit-activity" not in str(result) and token(1) not in str(result)
    assert all(len(line) < 500 for line in result.out.splitlines())


@pytest.mark.parametrize("command", COMMANDS, ids=["validate", "apply"])
def test_an_installation_id_represents_its_list_as_such(tides, command):
    fid = "fid0000000000000000001"
    tides.write("people.csv", f"registration\n{fid}\n")
    tides.write("campaigns/all.yaml", "campaign: call\naudience: { registrations: { file: people.csv, kind: fid } }\n"
                "message: { data: { k: v } }\n")
    with Witness(tides, accept) as fcm:
        tides.herald(*command).expect(0)
    assert [(body["message"].get("fid"), body["message"].get("token")) for body in fcm.bodies] == [(fid, None)]
