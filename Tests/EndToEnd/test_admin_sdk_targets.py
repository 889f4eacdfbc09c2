"""The Python Admin SDK raises the exception of each error for topics, conditions and payloads, with its details.

The details are those of the answer that the SDK keeps in its exception. All cases of a release run in one emulator
and one process, so the test waits only once for the SDK's retries.
"""

from dataclasses import dataclass

import pytest

from admin_sdk import RELEASES, AdminSDK, service_account
from herald import Emulator, Project, token
from test_recorded_answers import ANSWERS
from test_recorded_answers import details as details_by_type
from test_recorded_answers import fields

PHONE, FOREIGN, UNKNOWN = token(1), token(2), token(3)
EITHER = "'tides' in topics || 'azores' in topics"


@dataclass(frozen=True)
class Case:
    """A message, and the exception, the status and the details of the answer.

    The details contain no descriptions of field violations, which need not have a certain text.
    """

    message: dict
    exception: str
    status: int
    details: dict
    # The `answer` of a fault script rule for the target.
    fault: dict | None = None

    @property
    def kind(self):
        return next(kind for kind in TARGETS if kind in self.message)


def fcm_error(code):
    return {"FcmError": {"errorCode": code}}


def error_info(reason, **metadata):
    return {"ErrorInfo": {"reason": reason, "domain": "googleapis.com", "metadata": metadata}}


def link(description, url):
    return {"Help": {"links": [{"description": description, "url": url}]}}


def violation(field):
    return {"BadRequest": {"fieldViolations": [{"field": field}]}}


def quota(kind):
    target = "Device" if kind == "token" else "Topic"
    return fcm_error("QUOTA_EXCEEDED") | {"QuotaFailure": {"violations": [{"description": f"{target} quota exceeded."}]}}


# The answer names no field if a message is too large, or if only the general text is known.
NO_FIELD = {"BadRequest": {}} | fcm_error("INVALID_ARGUMENT")
CONSOLE = "https://console.developers.google.com/apis/api/fcm.googleapis.com/overview?project=e2e"
SERVICE = {"service": "fcm.googleapis.com"}
PROJECT = SERVICE | {"consumer": "projects/e2e"}


def named(error):
    return {"error": error}


def written(status, name, **details):
    """An answer with details for which the emulator has no named error."""
    types = {"FcmError": "google.firebase.fcm.v1.FcmError", "RetryInfo": "google.rpc.RetryInfo"}
    content = [{"@type": f"type.googleapis.com/{types[kind]}"} | detail for kind, detail in details.items()]
    return {"status": status, "json": {
        "error": {"code": status, "message": "Scripted.", "status": name, "details": content}}}


RETRY = {"FcmError": {"errorCode": "QUOTA_EXCEEDED"}, "RetryInfo": {"retryDelay": "30s"}}

# The fault, the exception, the status and the details of each error that FCM reports for any target.
ANY_TARGET = {
    "INVALID_ARGUMENT": lambda kind: (
        named("INVALID_ARGUMENT"), "InvalidArgumentError", 400,
        violation("message.token") | fcm_error("INVALID_ARGUMENT") if kind == "token" else NO_FIELD),
    "QUOTA_EXCEEDED": lambda kind: (named("QUOTA_EXCEEDED"), "QuotaExceededError", 429, quota(kind)),
    "PROJECT_QUOTA_EXCEEDED": lambda _: (
        named("PROJECT_QUOTA_EXCEEDED"), "ResourceExhaustedError", 429,
        error_info(
            "RATE_LIMIT_EXCEEDED", **PROJECT, quota_metric="fcm.googleapis.com/send_requests",
            quota_limit="SendsPerMinutePerProject", quota_limit_value="600000", quota_location="global",
            quota_unit="1/min/{project}")
        | link("Request a higher quota limit.", "https://cloud.google.com/docs/quotas/help/request_increase")),
    "a pause in the details": lambda _: (
        written(429, "RESOURCE_EXHAUSTED", **RETRY), "QuotaExceededError", 429, RETRY),
    "UNAVAILABLE": lambda _: (named("UNAVAILABLE"), "UnavailableError", 503, fcm_error("UNAVAILABLE")),
    "INTERNAL": lambda _: (named("INTERNAL"), "InternalError", 500, fcm_error("INTERNAL")),
    "UNSPECIFIED_ERROR": lambda _: (
        written(500, "INTERNAL", **fcm_error("UNSPECIFIED_ERROR")), "InternalError", 500, fcm_error("UNSPECIFIED_ERROR")),
    "EXPIRED_TOKEN": lambda _: (
        named("EXPIRED_TOKEN"), "UnauthenticatedError", 401, error_info("ACCESS_TOKEN_EXPIRED", **SERVICE)),
    "SERVICE_DISABLED": lambda _: (
        named("SERVICE_DISABLED"), "PermissionDeniedError", 403,
        error_info("SERVICE_DISABLED", **PROJECT) | link("Google developers console API activation", CONSOLE)),
}
# The errors that FCM reports for one registration. A topic or condition names none.
REGISTRATION = {
    "THIRD_PARTY_AUTH_ERROR": (
        named("THIRD_PARTY_AUTH_ERROR"), "ThirdPartyAuthError", 401,
        fcm_error("THIRD_PARTY_AUTH_ERROR") | {"ApnsError": {"statusCode": 403, "reason": "InvalidProviderToken"}}),
    "APNS_AUTH_ERROR": (
        written(401, "UNAUTHENTICATED", **fcm_error("APNS_AUTH_ERROR")), "ThirdPartyAuthError", 401,
        fcm_error("APNS_AUTH_ERROR")),
    "APNS_UNREGISTERED": (
        named("APNS_UNREGISTERED"), "InvalidArgumentError", 400,
        fcm_error("INVALID_ARGUMENT") | {"ApnsError": {"statusCode": 410, "reason": "Unregistered"}}),
    "APNS_TOO_MANY_REQUESTS": (
        named("APNS_TOO_MANY_REQUESTS"), "QuotaExceededError", 429,
        fcm_error("QUOTA_EXCEEDED") | {"ApnsError": {"statusCode": 429, "reason": "TooManyRequests"}}),
}


def numbered(name):
    """Returns a registration, a topic or a condition that no other case has."""
    number = [*ANY_TARGET, *REGISTRATION].index(name)
    return token(number, "fault"), f"tides-{number}", f"'tides-{number}' in topics || 'azores' in topics"


# The messages have a payload for each platform.
PAYLOAD = {
    "notification": {"title": "Spring tide"}, "android": {"ttl": 60}, "apns": {"payload": {"aps": {"badge": 1}}},
    "webpush": {"headers": {"Urgency": "high"}}}
TARGETS = {
    "token": lambda name: {"token": numbered(name)[0]} | PAYLOAD,
    "topic": lambda name: {"topic": numbered(name)[1]} | PAYLOAD,
    "condition": lambda name: {"condition": numbered(name)[2]} | PAYLOAD,
}


def scripted(message, fault, exception, status, details):
    return Case(message, exception, status, details, fault)


def refused(message, details, **more):
    """A message that the emulator refuses by FCM's rules."""
    return Case(message | more, "InvalidArgumentError", 400, details)


def invalid(message, field, **more):
    return refused(message, violation(field) | fcm_error("INVALID_ARGUMENT"), **more)


def malformed(message, field, **more):
    """A message with a value that its field cannot have. The answer has no FcmError."""
    return refused(message, violation(field), **more)


def apns(payload, **more):
    return {"token": PHONE, "apns": {"payload": payload} | more}


def aps(**keys):
    return apns({"aps": {"custom_data": keys}})


def apns_header(name, value, **keys):
    return apns({"aps": keys or {"badge": 1}}, headers={name: value})


def web_header(name, value):
    return {"token": PHONE, "webpush": {"headers": {name: value}}}


TOPIC, CONDITION, DEVICE = {"topic": "tides"}, {"condition": EITHER}, {"token": PHONE}
CASES = {
    f"{error} for a {kind}": scripted(target(error), *expected(kind))
    for kind, target in TARGETS.items() for error, expected in ANY_TARGET.items()
} | {
    f"{error} for a token": scripted(TARGETS["token"](error), *expected) for error, expected in REGISTRATION.items()
} | {
    "a registration of no app": Case({"token": UNKNOWN}, "UnregisteredError", 404, fcm_error("UNREGISTERED")),
    "a registration of another project": Case(
        {"token": FOREIGN}, "SenderIdMismatchError", 403, fcm_error("SENDER_ID_MISMATCH")),
    "a malformed registration": invalid({"token": "not-a-token"}, "message.token"),
    # The SDK's expression for topics accepts a line break at the end.
    "a topic with a line break": invalid({"topic": "tides\n"}, "message"),
    "a topic of 901 characters": invalid({"topic": "x" * 901}, "message"),
    "a condition of one negation": invalid({"condition": "!('tides' in topics)"}, "message.condition"),
    "a condition that does not end": invalid({"condition": "'tides' in topics ||"}, "message.condition"),
    "a condition without quotes": invalid({"condition": "tides in topics"}, "message.condition"),
    "a condition of six topics": invalid(
        {"condition": " || ".join(f"'t{n}' in topics" for n in range(6))}, "message.condition"),
    "a condition with a text instead of a topic": invalid({"condition": "'a b' in topics"}, "message.condition"),
    "a condition with an open parenthesis": invalid({"condition": "('tides' in topics"}, "message.condition"),
    "2,049 bytes to a topic": refused(TOPIC, NO_FIELD, data={"k": "x" * 2_048}),
    "4,097 bytes to a topic": refused(TOPIC, NO_FIELD, data={"k": "x" * 4_096}),
    "2,049 bytes to a condition": refused(CONDITION, NO_FIELD, data={"k": "x" * 2_048}),
    "4,097 bytes to a condition": refused(CONDITION, NO_FIELD, data={"k": "x" * 4_096}),
    "4,097 bytes to a registration": refused(DEVICE, NO_FIELD, data={"k": "x" * 4_096}),
} | {
    f"the data key {key} to a {kind}": invalid(target, "message.data[1].key", data={"area": "horta", key: "1"})
    for key in ("from", "message_type", "google.tide", "gcm.notification.tide")
    for kind, target in (("registration", DEVICE), ("topic", TOPIC), ("condition", CONDITION))
} | {
    "a reserved key in Android's data": invalid(TOPIC, "message.android.data[0].key", android={"data": {"from": "1"}}),
    "a reserved key in the web's data": invalid(
        CONDITION, "message.webpush.data[0].key", webpush={"data": {"from": "1"}}),
    "more than 28 days to live": invalid(DEVICE, "message.android.ttl", android={"ttl": 2_419_201}),
    "a lifetime outside of its type": malformed(DEVICE, "message.android.ttl", android={"ttl": 10**13}),
    "a count outside of its type": malformed(
        DEVICE, "message.android.notification.notification_count", android={"notification": {"notification_count": 2**31}}),
    "a count outside of its type to a topic": malformed(
        TOPIC, "message.android.notification.notification_count", android={"notification": {"notification_count": 2**31}}),
    # The SDK's expression for labels accepts a line break at the end.
    "a label with a line break": invalid(
        DEVICE, "message.fcm_options.analytics_label", fcm_options={"analytics_label": "tide\n"}),
    "an Android label with a line break": invalid(
        DEVICE, "message.android.fcm_options.analytics_label", android={"fcm_options": {"analytics_label": "tide\n"}}),
    "an Apple label with a line break": invalid(
        DEVICE, "message.apns.fcm_options.analytics_label", apns={"fcm_options": {"analytics_label": "tide\n"}}),
    # The SDK leaves out an empty aps.
    "an Apple payload without aps": invalid(apns({"aps": {}, "tide": 4}), "message.apns.payload"),
    "an Apple payload without aps to a topic": invalid(
        TOPIC, "message.apns.payload", apns={"payload": {"aps": {}, "tide": 4}}),
    "an alert next to aps": invalid(apns({"aps": {"badge": 1}, "alert": "High water"}), "message.apns.payload.alert"),
    "a badge next to aps": invalid(apns({"aps": {"badge": 1}, "badge": 4}), "message.apns.payload.badge"),
    "a text as Apple's score": invalid(
        aps(**{"relevance-score": "high"}), "message.apns.payload.aps.relevance-score"),
    "a number as Apple's interruption level": invalid(
        aps(**{"interruption-level": 1}), "message.apns.payload.aps.interruption-level"),
    "a text as a Live Activity's content": invalid(
        aps(**{"content-state": "high"}), "message.apns.payload.aps.content-state"),
    "a text as Safari's arguments": invalid(aps(**{"url-args": "tide"}), "message.apns.payload.aps.url-args"),
    "a collapse identifier of 65 bytes": invalid(apns_header("apns-collapse-id", "x" * 65), "message.apns.headers"),
    "a text as Apple's expiry": invalid(apns_header("apns-expiration", "soon"), "message.apns.headers"),
    "an unknown Apple priority": invalid(apns_header("apns-priority", "7"), "message.apns.headers"),
    "priority 10 for a background push": invalid(
        apns_header("apns-priority", "10", content_available=True), "message.apns.headers"),
    "priority 1 for a Live Activity": invalid(
        apns({"aps": {"custom_data": {"event": "update"}}}, headers={"apns-priority": "1"}, live_activity_token="a1"),
        "message.apns.headers"),
    "an unknown Apple push type": invalid(apns_header("apns-push-type", "loud"), "message.apns.headers"),
    "an Apple identifier that is not a UUID": invalid(apns_header("apns-id", "1"), "message.apns.headers"),
    "a negative lifetime on the web": invalid(web_header("TTL", "-1"), "message.webpush.headers.TTL"),
    "more than 28 days to live on the web": invalid(web_header("TTL", "2419201"), "message.webpush.headers.TTL"),
    "an unknown urgency": invalid(web_header("Urgency", "soon"), "message.webpush.headers.Urgency"),
    "a long topic on the web": invalid(web_header("Topic", "x" * 33), "message.webpush.headers.Topic"),
    "a link without a host": invalid(
        DEVICE, "message.webpush.fcm_options.link", webpush={"fcm_options": {"link": "https://"}}),
}
# FCM's error codes (Firebase documentation, ErrorCode), and those that it reports for a registration only.
CODES = {
    "UNSPECIFIED_ERROR", "INVALID_ARGUMENT", "UNREGISTERED", "SENDER_ID_MISMATCH", "QUOTA_EXCEEDED", "UNAVAILABLE",
    "INTERNAL", "THIRD_PARTY_AUTH_ERROR"}
OF_REGISTRATIONS = {"UNREGISTERED", "SENDER_ID_MISMATCH", "THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR"}
# The case of each recorded answer with details.
RECORDED = {
    "a condition of one negation": "a condition of one negation",
    "the details of a message that is too large": "4,097 bytes to a registration",
    "a malformed registration (firebase-admin-java)": "a malformed registration",
    "a malformed registration (async-firebase)": "a malformed registration",
    "a registration of no app (firebase-admin-go)": "a registration of no app",
    "a registration of no app (pigeon)": "a registration of no app",
    "a registration of no app (firebase-admin-java)": "a registration of no app",
    "a registration of another project (211)": "a registration of another project",
    "a registration of another project (219)": "a registration of another project",
    "APNs refuses the key of the project": "THIRD_PARTY_AUTH_ERROR for a token",
    "the quota of the project": "PROJECT_QUOTA_EXCEEDED for a token",
}
# The SDK has no field for these keys, or refuses the value itself.
NOT_SENDABLE = {
    "a number in the data of Android", "a sound in the common notification", "several registrations in one message",
    "a request in the format of the legacy API"}


def details(answer):
    """Returns the details by the last part of their type, without the descriptions of field violations."""
    found = {}
    for detail in answer["body"]["error"]["details"]:
        content = {key: value for key, value in detail.items() if key != "@type"}
        if violations := content.get("fieldViolations"):
            assert all(violation["description"] for violation in violations)
            content["fieldViolations"] = [{"field": violation["field"]} for violation in violations]
        found[detail["@type"].rpartition(".")[2]] = content
    return found


@pytest.fixture(scope="module", params=RELEASES)
def answers(request, tmp_path_factory):
    """Returns the SDK's exception for each case."""
    with Emulator(Project(tmp_path_factory.mktemp("targets") / "project")) as emulator:
        rules = [
            {"match": {"service": "SEND", "registration" if case.kind == "token" else case.kind: case.message[case.kind]},
             "answer": case.fault} for case in CASES.values() if case.fault]
        emulator.install([PHONE, *(rule["match"]["registration"] for rule in rules if "registration" in rule["match"])])
        emulator.post("/emulator/v1/devices", [
            {"name": "foreign", "platform": "android", "registration": FOREIGN, "project": "other"}])
        emulator.put("/emulator/v1/faults", {"rules": rules})
        found = AdminSDK(request.param, emulator, service_account(emulator)).calls(
            *(["send", {"message": case.message}] for case in CASES.values()), together=True, bodies=True)
    return dict(zip(CASES, found))


@pytest.mark.covers("F1.7-shape", "F1.7-fcm-error", "F1.7-bad-request", "F1.7-apns-error", "F1.7-quota-failure",
                    "F1.7-retry-info", "F1.7-error-info")
@pytest.mark.parametrize("name", CASES)
def test_each_error_for_a_target_or_payload_has_its_details(answers, name):
    case, answer = CASES[name], answers[name]
    assert (answer.get("error"), answer.get("status")) == (case.exception, case.status), answer
    assert details(answer) == case.details
    error = answer["body"]["error"]
    assert error["code"] == case.status and error["status"] == answer["code"]
    assert answer["message"] == error["message"] != ""


def test_every_error_code_has_a_case_for_each_kind_of_target():
    found = {
        (code["errorCode"], case.kind) for case in CASES.values() if (code := case.details.get("FcmError"))}
    kinds = {code: set(TARGETS) for code in CODES | {"APNS_AUTH_ERROR"}} | {code: {"token"} for code in OF_REGISTRATIONS}
    assert found == {(code, kind) for code, targets in kinds.items() for kind in targets}


def recorded_details():
    return {
        one["name"]: one for one in ANSWERS if one["answer"]["body"] and one["answer"]["body"]["error"].get("details")}


def test_every_recorded_answer_with_details_has_a_case():
    assert set(recorded_details()) == set(RECORDED) | NOT_SENDABLE


@pytest.mark.parametrize("name", RECORDED)
def test_details_agree_with_the_recorded_answer(answers, name):
    recorded = recorded_details()[name]
    expected, error = recorded["answer"]["body"]["error"], answers[RECORDED[name]]["body"]["error"]
    assert (error["code"], error["status"]) == (expected["code"], expected["status"])
    found, wanted = details_by_type(error), details_by_type(expected)
    assert set(found) - set(recorded.get("also", [])) == set(wanted)
    assert {kind: fields(found[kind]) for kind in wanted} == {kind: fields(detail) for kind, detail in wanted.items()}
