"""Each exception of the Python Admin SDK is raised in the situation for which it exists.

All situations run in one emulator, each with a separate registration. The test therefore waits only once
for the SDK's retries (four for a 500 or 503, seven seconds).
"""

from collections import Counter
from dataclasses import dataclass

import pytest

from admin_sdk import NOTE, RELEASES, AdminSDK, driven, service_account
from herald import Emulator, Project, token


@dataclass(frozen=True)
class Situation:
    """A situation that a send encounters, and the expected exception."""

    exception: str
    # The number of requests that the SDK makes.
    requests: int = 1
    # A fault script rule for this registration.
    fault: dict | None = None
    # Additional fields of the message and of the device.
    message: dict | None = None
    device: dict | None = None
    has_device: bool = True
    registration: str | None = None
    # The exception of the asynchronous client, if it differs.
    later: str | None = None

    def raised(self, function):
        return self.later if self.later and function.endswith("async") else self.exception


def failing(error, **more):
    return {"answer": {"error": error} | more}


def written(status, code):
    """An answer in Google's format that FCM is not known to give."""
    error = {"code": status, "message": "Scripted."} | ({"status": code} if code else {})
    return {"answer": {"status": status, "json": {"error": error}}}


SITUATIONS = {
    "no device has the registration": Situation("UnregisteredError", has_device=False),
    "the app was uninstalled": Situation("UnregisteredError"),
    "the device belongs to another project": Situation("SenderIdMismatchError", device={"project": "other"}),
    "too many messages for the device": Situation("QuotaExceededError", fault=failing("QUOTA_EXCEEDED")),
    "APNs takes no more": Situation("QuotaExceededError", fault=failing("APNS_TOO_MANY_REQUESTS")),
    "too many sends of the project": Situation("ResourceExhaustedError", fault=failing("PROJECT_QUOTA_EXCEEDED")),
    # Any 401 makes google-auth fetch a new token twice.
    "APNs refuses the project's key": Situation(
        "ThirdPartyAuthError", requests=3, fault=failing("THIRD_PARTY_AUTH_ERROR")),
    "the access token is refused": Situation("UnauthenticatedError", requests=3, fault=failing("EXPIRED_TOKEN")),
    "the API is switched off": Situation("PermissionDeniedError", fault=failing("SERVICE_DISABLED")),
    "the registration has the wrong form": Situation(
        "InvalidArgumentError", has_device=False, registration="not-a-token"),
    "a reserved data key": Situation("InvalidArgumentError", message={"data": {"google.x": "1"}}),
    "more than 28 days to live": Situation("InvalidArgumentError", message={"android": {"ttl": 2419201}}),
    "more than 4,096 bytes": Situation("InvalidArgumentError", message={"data": {"k": "x" * 4096}}),
    "APNs' 410": Situation("InvalidArgumentError", fault=failing("APNS_UNREGISTERED")),
    "FCM is overloaded": Situation("UnavailableError", requests=5, fault=failing("UNAVAILABLE")),
    "FCM has an internal error": Situation("InternalError", requests=5, fault=failing("INTERNAL")),
    "a 404 without a code": Situation("NotFoundError", fault=written(404, None)),
    "the connection is reset": Situation(
        "UnavailableError", requests=2, later="UnknownError", fault={"delivery": {"reset_connection": True}}),
    "the answer is cut off": Situation("UnknownError", fault={"delivery": {"truncate_after_bytes": 10}}),
    "a page of HTML": Situation(
        "PermissionDeniedError",
        fault={"answer": {"status": 403, "text": "<html></html>", "content_type": "text/html"}}),
    # The SDK has these classes, but no FCM situation is known for them.
    "409": Situation("ConflictError", fault=written(409, None)),
    "ABORTED": Situation("AbortedError", fault=written(409, "ABORTED")),
    "ALREADY_EXISTS": Situation("AlreadyExistsError", fault=written(409, "ALREADY_EXISTS")),
    "CANCELLED": Situation("CancelledError", fault=written(499, "CANCELLED")),
    "DATA_LOSS": Situation("DataLossError", requests=5, fault=written(500, "DATA_LOSS")),
    "FAILED_PRECONDITION": Situation("FailedPreconditionError", fault=written(400, "FAILED_PRECONDITION")),
    "OUT_OF_RANGE": Situation("OutOfRangeError", fault=written(400, "OUT_OF_RANGE")),
}
NUMBERS = {name: number for number, name in enumerate(SITUATIONS)}
FUNCTIONS = ["send", "send_each", "send_each_async"]


def registration(name, release):
    return SITUATIONS[name].registration or token(NUMBERS[name], f"case{release.replace('.', '')}")


def call(function, registration, more):
    message = {"token": registration, "notification": NOTE} | (more or {})
    if function == "send":
        return {"message": message}
    return {"messages": [message]} | ({"dry_run": False} if function.endswith("async") else {})


def prepare(emulator, release):
    devices, rules = [], []
    for name, situation in SITUATIONS.items():
        text = registration(name, release)
        if situation.has_device:
            devices.append({"name": f"d{NUMBERS[name]}", "platform": "android", "registration": text}
                           | (situation.device or {}))
        if situation.fault:
            rules.append({"id": name, "match": {"service": "SEND", "registration": text}} | situation.fault)
    emulator.post("/emulator/v1/devices", devices)
    emulator.put("/emulator/v1/faults", {"rules": rules})
    uninstalled = NUMBERS["the app was uninstalled"]
    emulator.patch(f"/emulator/v1/devices/d{uninstalled}", {"installed": False})
    # FCM detects the uninstalled app with the first message.
    emulator.post("/v1/projects/e2e/messages:send",
                  {"message": {"token": registration("the app was uninstalled", release)}})


class Outcome:
    """The exception of each function in each situation, and the number of requests."""

    def __init__(self, folder, release):
        project = Project(folder)
        with Emulator(project) as emulator:
            prepare(emulator, release)
            begin = len(project.log.sends())
            cases = [(name, function) for function in FUNCTIONS for name in SITUATIONS]
            calls = [[function, call(function, registration(name, release), SITUATIONS[name].message)]
                     for name, function in cases]
            answers = AdminSDK(release, emulator, service_account(emulator)).calls(*calls, together=True)
        self.answers = {case: answer["responses"][0] if "responses" in answer else answer
                        for case, answer in zip(cases, answers)}
        self.requests_by_token = Counter(entry["body"]["message"]["token"] for entry in project.log.sends()[begin:])


@pytest.fixture(scope="module", params=RELEASES)
def release(request):
    return request.param


@pytest.fixture(scope="module")
def outcome(release, tmp_path_factory):
    return Outcome(tmp_path_factory.mktemp("situations") / "project", release)


@pytest.mark.parametrize("name", SITUATIONS)
def test_each_situation_raises_its_exception(outcome, release, name):
    situation = SITUATIONS[name]
    for function in FUNCTIONS:
        answer = outcome.answers[name, function]
        assert answer.get("error") == situation.raised(function), (function, answer)
    times = situation.requests * 2 + (situation.requests if not situation.later else 1)
    assert outcome.requests_by_token[registration(name, release)] == times


def test_sdk_reads_fcm_error_messages(outcome):
    assert outcome.answers["no device has the registration", "send"]["message"] == "Requested entity was not found."
    assert outcome.answers["the device belongs to another project", "send"] == {
        "error": "SenderIdMismatchError", "code": "PERMISSION_DENIED", "message": "SenderId mismatch", "status": 403}


def test_missing_answer_raises_unavailable_or_deadline_exceeded(release, project):
    phone = token(1)
    with Emulator(project) as emulator:
        emulator.install([phone])
        emulator.put("/emulator/v1/faults", {"rules": [{"match": {"service": "SEND"}, "delivery": {"never": True}}]})
        message = {"token": phone, "notification": NOTE}
        answers = AdminSDK(release, emulator).calls(
            ["send", {"message": message}], ["send_each_async", {"messages": [message], "dry_run": False}],
            options={"httpTimeout": 1}, together=True)
    # After the second failed read, requests raises a ConnectionError and httpx a timeout.
    assert answers[0]["error"] == "UnavailableError"
    assert answers[1]["responses"][0]["error"] == "DeadlineExceededError"
    assert len(project.log.sends()) == 3


def test_stopped_emulator_raises_unavailable(release, project):
    with Emulator(project) as emulator:
        pass
    message = {"token": token(1), "notification": NOTE}
    answers = AdminSDK(release, emulator).calls(
        ["send", {"message": message}], ["send_each_async", {"messages": [message], "dry_run": False}])
    assert [answers[0]["error"], answers[1]["responses"][0]["error"]] == ["UnavailableError"] * 2


def test_every_exception_class_has_a_situation(release):
    classes = set(driven(release, "exceptions.py"))
    reached = {situation.exception for situation in SITUATIONS.values()} | {"DeadlineExceededError"}
    assert classes == reached
