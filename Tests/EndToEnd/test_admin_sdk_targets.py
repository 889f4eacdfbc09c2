"""The Python Admin SDK raises the exception of each error for topics, conditions and payloads, with its details.

The details are those of the answer that the SDK keeps in its exception. All cases of a release run in one emulator
and one process, so the test waits only once for the SDK's retries.
"""

from dataclasses import dataclass, field

import pytest

from admin_sdk import NOTE, RELEASES, AdminSDK, service_account
from herald import Emulator, Project, token

PHONE = token(1)
EITHER = "'tides' in topics || 'azores' in topics"
FCM_ERROR, BAD_REQUEST = ["FcmError"], ["BadRequest", "FcmError"]


@dataclass(frozen=True)
class Case:
    """A message, and the exception, the FCM error code, the details and the invalid field of the answer."""

    message: dict
    exception: str = "InvalidArgumentError"
    code: str | None = "INVALID_ARGUMENT"
    details: list = field(default_factory=lambda: BAD_REQUEST)
    violation: str | None = None
    # The error of a fault script rule for the target.
    fault: str | None = None


def refused(target, violation, **more):
    """A message that the emulator refuses by FCM's rules."""
    return Case(target | more, violation=violation)


def apns(payload, **more):
    return {"token": PHONE, "apns": {"payload": payload} | more}


# The exception, the FCM error code and the details of each error that FCM reports for any target.
ANY_TARGET = {
    "QUOTA_EXCEEDED": ("QuotaExceededError", "QUOTA_EXCEEDED", ["FcmError", "QuotaFailure"]),
    "PROJECT_QUOTA_EXCEEDED": ("ResourceExhaustedError", None, ["ErrorInfo", "Help"]),
    "UNAVAILABLE": ("UnavailableError", "UNAVAILABLE", FCM_ERROR),
    "INTERNAL": ("InternalError", "INTERNAL", FCM_ERROR),
    "EXPIRED_TOKEN": ("UnauthenticatedError", None, ["ErrorInfo"]),
    "SERVICE_DISABLED": ("PermissionDeniedError", None, ["ErrorInfo", "Help"]),
}
TARGETS = {
    "topic": lambda error: {"topic": f"tides-{error}"},
    "condition": lambda error: {"condition": f"'tides-{error}' in topics || 'azores' in topics"},
}
CASES = {
    f"{error} for a {kind}": Case(target(error) | {"notification": NOTE}, *expected, fault=error)
    for kind, target in TARGETS.items() for error, expected in ANY_TARGET.items()
} | {
    "2,049 bytes to a topic": refused({"topic": "tides"}, None, data={"k": "x" * 2_048}),
    "2,049 bytes to a condition": refused({"condition": EITHER}, None, data={"k": "x" * 2_048}),
    "4,097 bytes to a registration": refused({"token": PHONE}, None, data={"k": "x" * 4_096}),
    "a condition of one negation": refused({"condition": "!('tides' in topics)"}, "message.condition"),
    "a condition that does not end": refused({"condition": "'tides' in topics ||"}, "message.condition"),
    "a condition without quotes": refused({"condition": "tides in topics"}, "message.condition"),
    "a condition of six topics": refused(
        {"condition": " || ".join(f"'t{n}' in topics" for n in range(6))}, "message.condition"),
    "a condition with a text instead of a topic": refused({"condition": "'a b' in topics"}, "message.condition"),
    # The SDK leaves out an empty aps.
    "an Apple payload without aps": refused(apns({"aps": {}, "tide": 4}), "message.apns.payload"),
    "a text as Apple's score": refused(
        apns({"aps": {"custom_data": {"relevance-score": "high"}}}), "message.apns.payload.aps.relevance-score"),
    "an alert next to aps": refused(
        apns({"aps": {"badge": 1}, "alert": "High water"}), "message.apns.payload.alert"),
    "more than 28 days to live": refused({"token": PHONE}, "message.android.ttl", android={"ttl": 2_419_201}),
    "a collapse identifier of 65 bytes": refused(
        apns({"aps": {"badge": 1}}, headers={"apns-collapse-id": "x" * 65}), "message.apns.headers"),
    "a long topic on the web": refused(
        {"token": PHONE}, "message.webpush.headers.Topic", webpush={"headers": {"Topic": "x" * 33}}),
}


def details(answer):
    return {detail["@type"].rpartition(".")[2]: detail for detail in answer["body"]["error"]["details"]}


@pytest.fixture(scope="module", params=RELEASES)
def answers(request, tmp_path_factory):
    """Returns the SDK's exception for each case."""
    with Emulator(Project(tmp_path_factory.mktemp("targets") / "project")) as emulator:
        emulator.install([PHONE])
        emulator.put("/emulator/v1/faults", {"rules": [
            {"match": {"service": "SEND"} | {key: case.message[key] for key in TARGETS if key in case.message},
             "answer": {"error": case.fault}} for case in CASES.values() if case.fault]})
        found = AdminSDK(request.param, emulator, service_account(emulator)).calls(
            *(["send", {"message": case.message}] for case in CASES.values()), together=True, bodies=True)
    return dict(zip(CASES, found))


@pytest.mark.covers("F1.7-shape", "F1.7-fcm-error", "F1.7-bad-request", "F1.7-quota-failure", "F1.7-error-info")
@pytest.mark.parametrize("name", CASES)
def test_each_error_for_a_target_or_payload_has_its_details(answers, name):
    case, answer = CASES[name], answers[name]
    assert answer["error"] == case.exception, answer
    found = details(answer)
    assert sorted(found) == sorted(case.details)
    assert found.get("FcmError", {}).get("errorCode") == case.code
    if "BadRequest" in case.details:
        violations = found["BadRequest"].get("fieldViolations", [])
        assert [violation["field"] for violation in violations] == ([case.violation] if case.violation else [])
        assert all(violation["description"] for violation in violations)
    assert answer["message"] == answer["body"]["error"]["message"] != ""
