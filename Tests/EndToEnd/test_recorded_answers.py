"""The emulator and `herald validate` agree with answers of FCM that were quoted in public issues.

Tests/EndToEnd/recorded-answers/README.md describes the corpus. An answer agrees if its status, its
error status, its error code, its details and their fields are those of the recording.
"""

import json
from pathlib import Path
from urllib.parse import urlparse

import pytest

from herald import Emulator, Project, token
from test_emulator_limits import post

ANSWERS = json.loads((Path(__file__).parent / "recorded-answers/answers.json").read_text())["answers"]
NAMES = [answer["name"] for answer in ANSWERS]
REGISTRATION, UNKNOWN, FOREIGN = token(1), token(2), token(3)
SEND = "/v1/projects/e2e/messages:send"
# FCM writes this text instead of the specific one, or together with it.
GENERAL = "request contains an invalid argument"
TARGETS = {"token", "topic", "condition"}


def played(request):
    """Returns the request body with registrations and texts in place of their names."""
    text = json.dumps(request)
    for name, value in (
            ("registration", REGISTRATION), ("unknown", UNKNOWN), ("foreign", FOREIGN), ("8000 bytes", "x" * 8_000)):
        text = text.replace(f"{{{name}}}", value)
    return json.loads(text)


def details(error):
    """Returns the details by the last part of their type."""
    return {detail["@type"].rpartition(".")[2]: detail for detail in error.get("details", [])}


def fields(detail):
    """Returns the part of a detail that programs interpret."""
    if "metadata" in detail:
        return {"reason": detail["reason"], "domain": detail["domain"], "metadata": sorted(detail["metadata"])}
    return {key: value for key, value in detail.items() if key != "@type"}


def texts(error):
    """Returns every text of an error for people."""
    violations = details(error).get("BadRequest", {}).get("fieldViolations", [])
    return [error["message"], *(violation["description"] for violation in violations)]


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("recorded-answers") / "project")) as emulator:
        emulator.install([REGISTRATION])
        emulator.post("/emulator/v1/devices", [
            {"name": "foreign", "platform": "android", "registration": FOREIGN, "project": "other"}])
        yield emulator


def test_every_answer_names_its_public_source():
    assert len(NAMES) == len(set(NAMES)) >= 30
    for answer in ANSWERS:
        address = urlparse(answer["source"])
        assert (address.scheme, address.netloc) == ("https", "github.com"), answer
        assert address.path.split("/")[3] in ("issues", "pull"), answer
        assert answer["answer"]["body"] is None or answer["answer"]["status"] >= 400


@pytest.mark.covers("F1.7-shape", "F1.7-fcm-error", "F1.7-bad-request")
@pytest.mark.parametrize("recorded", ANSWERS, ids=NAMES)
def test_emulator_answers_as_fcm_did(emulator, recorded):
    rules = [{"match": {"service": "SEND"}, "answer": {"error": recorded["fault"]}}] if "fault" in recorded else []
    emulator.put("/emulator/v1/faults", {"rules": rules})
    status, body = post(emulator, SEND, played(recorded["request"]))
    expected = recorded["answer"]
    assert status == expected["status"], body
    if expected["body"] is None:
        assert list(body) == ["name"]
        return
    error, fcm = body["error"], expected["body"]["error"]
    assert error["code"] == fcm["code"]
    if "status" in fcm:
        assert error["status"] == fcm["status"]
    if "details" in fcm:
        found = details(error)
        assert set(found) - set(recorded.get("also", [])) == set(details(fcm))
        for name, detail in details(fcm).items():
            assert fields(found[name]) == fields(detail)
    if "text" not in recorded and GENERAL not in fcm["message"].lower():
        # A project number and a quota are not part of the wording.
        wording = fcm["message"].partition("project_number:")[0]
        assert any(wording in text for text in texts(error)), texts(error)


@pytest.mark.parametrize(
    "recorded", [a for a in ANSWERS if "validate" in a], ids=[a["name"] for a in ANSWERS if "validate" in a])
def test_validate_refuses_what_fcm_refused(project, recorded):
    """The message is that of a campaign, with the condition of the request or a list as its audience."""
    message, expected = played(recorded["request"])["message"], recorded["validate"]
    audience = {key: value for key, value in message.items() if key == "condition"} or {"registrations": [REGISTRATION]}
    content = {key: value for key, value in message.items() if key not in TARGETS}
    condition = message.get("condition", "")
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { test: {}, TopicA: {} }\n")
    project.write("campaigns/one.yaml", "campaign: one\n" + "".join(
        f"{key}: {json.dumps(value)}\n" for key, value in (("audience", audience), ("message", content))))
    result = project.herald("validate")
    rule = f"error[{expected['rule']}]" if "rule" in expected else ""
    result.expect(expected["exit"], rule)
    if expected["exit"] == 0:
        # Herald differs from FCM only for a stated reason.
        assert recorded["answer"]["status"] == 200 or "because" in expected
    else:
        assert "error[" in result.out + result.err
        assert recorded["answer"]["status"] == 400
    assert not condition or "condition" in result.out + result.err
