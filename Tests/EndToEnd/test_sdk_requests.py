"""The emulator answers the requests of the Node, Go, Java and .NET SDKs' public tests as these SDKs expect.

A plain HTTP client sends them; Tests/EndToEnd/sdk-requests/README.md describes their origin. Each SDK interprets
the emulator's errors like FCM's errors. The SDKs themselves do not run: the tests install
packages of PyPI and Debian only.
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
    """Returns status, header fields and body of the answer to an SDK's request."""
    headers = {key: value for key, value in FILES[sdk]["headers"].items() if key not in request.get("drops", [])}
    headers |= request.get("headers", {}) | {"Authorization": "Bearer owner"}
    body = json.dumps(request["body"]).replace("{registration}", REGISTRATION).replace("{unknown}", UNKNOWN)
    return post(emulator, request.get("path", SEND), body, headers)


def post(emulator, path, body, headers):
    connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=DEADLINE)
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


@pytest.mark.parametrize("sdk", READERS)
def test_every_request_names_the_public_test_that_expects_it(sdk):
    file = FILES[sdk]
    assert re.fullmatch(rf"firebase-admin-{sdk} \d+\.\d+\.\d+", file["sdk"])
    assert file["repository"] == f"https://github.com/firebase/firebase-admin-{sdk}"
    assert re.fullmatch(r"[0-9a-f]{40}", file["commit"])
    names = [(request["file"], request["test"]) for request in file["requests"]]
    assert len(names) == len(set(names))
    assert all("est" in path and test for path, test in names), names
    unchanged = [request for request in file["requests"] if "changed" not in request]
    assert len(unchanged) >= 20
    # Only a stated reason lets the emulator refuse what the SDK's own test accepts.
    assert all((request["status"] == 400) == ("refused" in request) for request in unchanged)


@pytest.mark.covers("A28", "A29", "F1.1-headers")
@pytest.mark.parametrize("sdk, request_", REQUESTS, ids=[f"{sdk}-{n}" for n, (sdk, _) in enumerate(REQUESTS)])
def test_answers_each_request_as_its_sdk_expects(emulator, sdk, request_):
    path = request_.get("path", SEND)
    status, headers, text = played(emulator, sdk, request_)
    assert status == request_["status"], f"{request_['test']}\n{text}"
    assert headers["Content-Type"].startswith("application/json")
    assert "Content-Encoding" not in headers
    assert reading(sdk, path, status, text, request_["body"]) == request_["reading"], f"{request_['test']}\n{text}"


def test_accepted_messages_arrive_under_the_returned_name(project):
    """Each message to the registration is delivered once if it has content for the device's platform."""
    ids = []
    with Emulator(project) as emulator:
        emulator.install([REGISTRATION])
        for sdk, request in REQUESTS:
            message = request["body"].get("message", {})
            if request["status"] == 200 and "{registration}" in (message.get("token"), message.get("fid")):
                name = json.loads(played(emulator, sdk, request)[2])["name"]
                assert re.fullmatch(r"projects/e2e/messages/[^/]+", name)
                if not request["body"].get("validate_only"):
                    ids.append(name.split("/")[-1])
        inbox = emulator.get("/emulator/v1/inboxes")["devices"][0]
    received = [message["message_id"] for message in inbox["received"]]
    assert len(ids) == len(set(ids)) > 10
    assert len(received) == len(set(received)) and set(received) < set(ids)
    assert len(received) + inbox["nothing_for_platform"] == len(ids)


# The error that Node, Go, Java and .NET report for each FCM error.
ERRORS = {
    "QUOTA_EXCEEDED": [
        "messaging/message-rate-exceeded", "RESOURCE_EXHAUSTED IsQuotaExceeded",
        "RESOURCE_EXHAUSTED QUOTA_EXCEEDED", "ResourceExhausted QuotaExceeded"],
    # Without an FcmError, the Go SDK does not recognize the quota (firebase-admin-go, issue 719).
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
    # The Node SDK treats every 401 as a problem with the APNs key, and every 403 as a wrong sender.
    "EXPIRED_TOKEN": [
        "messaging/third-party-auth-error", "UNAUTHENTICATED -", "UNAUTHENTICATED -", "Unauthenticated -"],
    "SERVICE_DISABLED": [
        "messaging/mismatched-credential", "PERMISSION_DENIED -", "PERMISSION_DENIED -", "PermissionDenied -"],
}
READING_ORDER = ["node", "go", "java", "dotnet"]


@pytest.mark.parametrize("error", ERRORS)
def test_each_sdk_interprets_errors_like_fcm_errors(emulator, error):
    rule = {"match": {"service": "SEND"}, "answer": {"error": error}}
    emulator.put("/emulator/v1/faults", {"rules": [rule]})
    message = {"token": REGISTRATION}
    status, _, text = post(emulator, SEND, json.dumps({"message": message}), {"Authorization": "Bearer owner"})
    emulator.put("/emulator/v1/faults", {})
    assert [reading(sdk, SEND, status, text, {"message": message}) for sdk in READING_ORDER] == ERRORS[error]


# Requests that are rejected before FCM processes them have no FcmError: body, header fields, interpretations.
BEFORE_FCM = {
    "no credential": ("{}", {}, [
        "messaging/third-party-auth-error", "UNAUTHENTICATED -", "UNAUTHENTICATED -", "Unauthenticated -"]),
    "data that is not text": ('{"message":{"topic":"a","data":{"a":12}}}', {"Authorization": "Bearer owner"}, [
        "messaging/invalid-argument", "INVALID_ARGUMENT -", "INVALID_ARGUMENT -", "InvalidArgument -"]),
    "broken JSON": ('{"message":', {"Authorization": "Bearer owner"}, [
        "messaging/invalid-argument", "INVALID_ARGUMENT -", "INVALID_ARGUMENT -", "InvalidArgument -"]),
}


@pytest.mark.parametrize("situation", BEFORE_FCM)
def test_each_sdk_interprets_early_rejections(emulator, situation):
    body, headers, expected = BEFORE_FCM[situation]
    status, _, text = post(emulator, SEND, body, headers)
    assert [reading(sdk, SEND, status, text, {"message": {}}) for sdk in READING_ORDER] == expected


@pytest.mark.covers("F2.1-refusal")
@pytest.mark.parametrize("body, headers, status", [
    ('{"to":"/topics/a","registration_tokens":["x"]}', {}, 401),
    ('{"to":"/topics/a b","registration_tokens":["x"]}', {"Authorization": "Bearer owner"}, 400),
    ('{"to":"/topics/a","registration_tokens":[]}', {"Authorization": "Bearer owner"}, 400),
    ('{"to":', {"Authorization": "Bearer owner"}, 400),
])
def test_instance_id_errors_are_plain_text(emulator, body, headers, status):
    """Go, Java, Python and Node read `error` as text and quote it."""
    found, _, text = post(emulator, "/iid/v1:batchAdd", body, headers)
    assert found == status
    assert isinstance(parsed(text)["error"], str), text
