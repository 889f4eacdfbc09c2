"""The requests of the Node, Go, Java and .NET SDKs' public tests are answered as these SDKs expect.

A plain HTTP client plays them; Tests/EndToEnd/sdk-requests/README.md says where they are from. Of the
emulator's errors each SDK makes what it makes of FCM's.
"""

import http.client
import json
import re
from pathlib import Path

import pytest

from herald import DEADLINE, Emulator, Project, token
from sdk_readings import READERS, parsed, reading

FOLDER = Path(__file__).parent / "sdk-requests"
FILES = {path.stem: json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))}
REQUESTS = [(sdk, request) for sdk, file in FILES.items() for request in file["requests"]]
REGISTRATION, UNKNOWN = token(1), token(2)
SEND = "/v1/projects/e2e/messages:send"


@pytest.fixture(scope="module")
def emulator(tmp_path_factory):
    with Emulator(Project(tmp_path_factory.mktemp("sdk-requests") / "project")) as emulator:
        emulator.install([REGISTRATION])
        yield emulator


def played(emulator, sdk, request):
    """Status, header fields and body of the answer to a request as its SDK sends it."""
    headers = {key: value for key, value in FILES[sdk]["headers"].items() if key not in request.get("drops", [])}
    headers |= request.get("headers", {}) | {"Authorization": "Bearer owner"}
    body = json.dumps(request["body"]).replace("{registration}", REGISTRATION).replace("{unknown}", UNKNOWN)
    return asked(emulator, request.get("path", SEND), body, headers)


def asked(emulator, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=DEADLINE)
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


def test_every_sdk_has_its_requests():
    assert set(FILES) == set(READERS)
    assert all(len(file["requests"]) > 10 for file in FILES.values())


@pytest.mark.covers("A28", "A29", "F1.1-headers")
@pytest.mark.parametrize("sdk, request_", REQUESTS, ids=[f"{sdk}-{n}" for n, (sdk, _) in enumerate(REQUESTS)])
def test_an_sdks_request_is_answered_as_the_sdk_expects(emulator, sdk, request_):
    path = request_.get("path", SEND)
    status, headers, text = played(emulator, sdk, request_)
    assert status == request_["status"], f"{request_['test']}\n{text}"
    assert headers["Content-Type"].startswith("application/json")
    assert "Content-Encoding" not in headers
    assert reading(sdk, path, status, text, request_["body"]) == request_["reading"], f"{request_['test']}\n{text}"


def test_what_is_accepted_is_received_under_the_name_of_the_answer(project):
    """Each message to the registration comes once, if it has something for the device's platform."""
    ids = []
    with Emulator(project) as emulator:
        emulator.install([REGISTRATION])
        for sdk, request in REQUESTS:
            message = request["body"].get("message", {})
            if "{registration}" in (message.get("token"), message.get("fid")):
                name = json.loads(played(emulator, sdk, request)[2])["name"]
                assert re.fullmatch(r"projects/e2e/messages/[^/]+", name)
                if not request["body"].get("validate_only"):
                    ids.append(name.split("/")[-1])
        inbox = emulator.get("/emulator/v1/inboxes")["devices"][0]
    received = [message["message_id"] for message in inbox["received"]]
    assert len(ids) == len(set(ids)) > 10
    assert len(received) == len(set(received)) and set(received) < set(ids)
    assert len(received) + inbox["nothing_for_platform"] == len(ids)


# What Node, Go, Java and .NET tell their callers of each of FCM's errors.
ERRORS = {
    "QUOTA_EXCEEDED": [
        "messaging/message-rate-exceeded", "RESOURCE_EXHAUSTED IsQuotaExceeded",
        "RESOURCE_EXHAUSTED QUOTA_EXCEEDED", "ResourceExhausted QuotaExceeded"],
    # Without an FcmError the Go SDK does not see the quota (firebase-admin-go, issue 719).
    "PROJECT_QUOTA_EXCEEDED": [
        "messaging/message-rate-exceeded", "RESOURCE_EXHAUSTED -", "RESOURCE_EXHAUSTED -", "ResourceExhausted -"],
    "APNS_TOO_MANY_REQUESTS": [
        "messaging/message-rate-exceeded", "RESOURCE_EXHAUSTED IsQuotaExceeded",
        "RESOURCE_EXHAUSTED QUOTA_EXCEEDED", "ResourceExhausted QuotaExceeded"],
    "UNAVAILABLE": [
        "messaging/server-unavailable", "UNAVAILABLE IsUnavailable", "UNAVAILABLE UNAVAILABLE",
        "Unavailable Unavailable"],
    "INTERNAL": ["messaging/internal-error", "INTERNAL IsInternal", "INTERNAL INTERNAL", "Internal Internal"],
    "UNREGISTERED": [
        "messaging/registration-token-not-registered", "NOT_FOUND IsUnregistered", "NOT_FOUND UNREGISTERED",
        "NotFound Unregistered"],
    "INVALID_ARGUMENT": [
        "messaging/invalid-argument", "INVALID_ARGUMENT IsInvalidArgument", "INVALID_ARGUMENT INVALID_ARGUMENT",
        "InvalidArgument InvalidArgument"],
    "APNS_UNREGISTERED": [
        "messaging/invalid-argument", "INVALID_ARGUMENT IsInvalidArgument", "INVALID_ARGUMENT INVALID_ARGUMENT",
        "InvalidArgument InvalidArgument"],
    "SENDER_ID_MISMATCH": [
        "messaging/mismatched-credential", "PERMISSION_DENIED IsSenderIDMismatch",
        "PERMISSION_DENIED SENDER_ID_MISMATCH", "PermissionDenied SenderIdMismatch"],
    "THIRD_PARTY_AUTH_ERROR": [
        "messaging/third-party-auth-error", "UNAUTHENTICATED IsThirdPartyAuthError",
        "UNAUTHENTICATED THIRD_PARTY_AUTH_ERROR", "Unauthenticated ThirdPartyAuthError"],
    # The Node SDK takes every 401 for a problem with APNs' key, and every 403 for a wrong sender.
    "EXPIRED_TOKEN": [
        "messaging/third-party-auth-error", "UNAUTHENTICATED -", "UNAUTHENTICATED -", "Unauthenticated -"],
    "SERVICE_DISABLED": [
        "messaging/mismatched-credential", "PERMISSION_DENIED -", "PERMISSION_DENIED -", "PermissionDenied -"],
}
READING_ORDER = ["node", "go", "java", "dotnet"]


@pytest.mark.parametrize("error", ERRORS)
def test_each_sdk_reads_an_error_as_it_reads_fcms(emulator, error):
    rule = {"match": {"service": "SEND"}, "answer": {"error": error}}
    emulator.put("/emulator/v1/faults", {"rules": [rule]})
    message = {"token": REGISTRATION}
    status, _, text = asked(emulator, SEND, json.dumps({"message": message}), {"Authorization": "Bearer owner"})
    emulator.put("/emulator/v1/faults", {})
    assert [reading(sdk, SEND, status, text, {"message": message}) for sdk in READING_ORDER] == ERRORS[error]


# What is refused before FCM sees it has no FcmError: body, header fields, readings.
BEFORE_FCM = {
    "no credential": ("{}", {}, [
        "messaging/third-party-auth-error", "UNAUTHENTICATED -", "UNAUTHENTICATED -", "Unauthenticated -"]),
    "data that is no text": ('{"message":{"topic":"a","data":{"a":12}}}', {"Authorization": "Bearer owner"}, [
        "messaging/invalid-argument", "INVALID_ARGUMENT -", "INVALID_ARGUMENT -", "InvalidArgument -"]),
    "broken JSON": ('{"message":', {"Authorization": "Bearer owner"}, [
        "messaging/invalid-argument", "INVALID_ARGUMENT -", "INVALID_ARGUMENT -", "InvalidArgument -"]),
}


@pytest.mark.parametrize("situation", BEFORE_FCM)
def test_each_sdk_reads_what_is_refused_before_fcm(emulator, situation):
    body, headers, expected = BEFORE_FCM[situation]
    status, _, text = asked(emulator, SEND, body, headers)
    assert [reading(sdk, SEND, status, text, {"message": {}}) for sdk in READING_ORDER] == expected


@pytest.mark.covers("F2.1-refusal")
@pytest.mark.parametrize("body, headers, status", [
    ('{"to":"/topics/a","registration_tokens":["x"]}', {}, 401),
    ('{"to":"/topics/a b","registration_tokens":["x"]}', {"Authorization": "Bearer owner"}, 400),
    ('{"to":"/topics/a","registration_tokens":[]}', {"Authorization": "Bearer owner"}, 400),
    ('{"to":', {"Authorization": "Bearer owner"}, 400),
])
def test_an_error_of_instance_id_is_a_text(emulator, body, headers, status):
    """Go, Java, Python and Node read `error` as a text, and quote it."""
    found, _, text = asked(emulator, "/iid/v1:batchAdd", body, headers)
    assert found == status
    assert isinstance(parsed(text)["error"], str), text
