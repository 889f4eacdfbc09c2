"""How each Admin SDK interprets an answer, according to the tables in its public source.

Written by hand after firebase-admin-node 14.3.0 (src/messaging), firebase-admin-go 4.21.0 (messaging,
internal/errors.go), firebase-admin-java 9.10.0 and firebase-admin-dotnet 3.5.0. An interpretation fails
if the answer would crash the SDK.
"""

import json

FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def error_of(text):
    body = parsed(text)
    error = body.get("error") if isinstance(body, dict) else None
    return error if isinstance(error, dict) else {}


def fcm_code(text):
    """Returns the code of the first FcmError. The SDKs read no other detail."""
    for detail in error_of(text).get("details", []):
        if detail.get("@type") == FCM_ERROR:
            return detail.get("errorCode")
    return None


def named(text):
    name = parsed(text)["name"]
    assert isinstance(name, str) and name, text
    return "message id"


def results(text):
    """Returns the results of Instance ID. Go and Java count only an empty object as a success."""
    found = parsed(text)["results"]
    assert found, "Java throws if there are no results"
    assert all(list(result) in ([], ["error"]) for result in found), found
    return [result.get("error") for result in found]


class Node:
    CODES = {
        "NOT_FOUND": "registration-token-not-registered", "UNREGISTERED": "registration-token-not-registered",
        "PERMISSION_DENIED": "mismatched-credential", "SENDER_ID_MISMATCH": "mismatched-credential",
        "RESOURCE_EXHAUSTED": "message-rate-exceeded", "QUOTA_EXCEEDED": "message-rate-exceeded",
        "UNAUTHENTICATED": "third-party-auth-error", "THIRD_PARTY_AUTH_ERROR": "third-party-auth-error",
        "APNS_AUTH_ERROR": "third-party-auth-error", "INTERNAL": "internal-error",
        "INVALID_ARGUMENT": "invalid-argument", "UNAVAILABLE": "server-unavailable",
    }
    WITHOUT_JSON = {400: "invalid-argument", 401: "authentication-error", 403: "authentication-error",
                    500: "internal-error", 503: "server-unavailable"}
    TOPIC_CODES = {
        "NOT_FOUND": "registration-token-not-registered", "INVALID_ARGUMENT": "invalid-registration-token",
        "TOO_MANY_TOPICS": "too-many-topics", "RESOURCE_EXHAUSTED": "topics-subscription-rate-exceeded",
        "PERMISSION_DENIED": "authentication-error", "DEADLINE_EXCEEDED": "server-unavailable",
        "INTERNAL": "internal-error",
    }

    @classmethod
    def sent(cls, status, text, message):
        # sendEach treats 201 as a failure.
        if status == 200:
            return named(text)
        if parsed(text) is None:
            return "messaging/" + cls.WITHOUT_JSON.get(status, "unknown-error")
        error = error_of(text)
        code = fcm_code(text) or error.get("status", error.get("message"))
        if code in ("UNREGISTERED", "NOT_FOUND") and "fid" in message:
            return "messaging/installation-id-not-registered"
        return "messaging/" + cls.CODES.get(code, "unknown-error")

    @classmethod
    def topic(cls, error):
        return "messaging/" + cls.TOPIC_CODES.get(error, "unknown-error")


STATUS_CODES = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 403: "PERMISSION_DENIED", 404: "NOT_FOUND",
                409: "CONFLICT", 429: "RESOURCE_EXHAUSTED", 500: "INTERNAL", 503: "UNAVAILABLE"}


class Go:
    CHECKS = {
        "INTERNAL": "IsInternal", "THIRD_PARTY_AUTH_ERROR": "IsThirdPartyAuthError",
        "APNS_AUTH_ERROR": "IsThirdPartyAuthError", "INVALID_ARGUMENT": "IsInvalidArgument",
        "QUOTA_EXCEEDED": "IsQuotaExceeded", "SENDER_ID_MISMATCH": "IsSenderIDMismatch",
        "UNREGISTERED": "IsUnregistered", "UNAVAILABLE": "IsUnavailable",
    }

    @classmethod
    def sent(cls, status, text, message):
        if 200 <= status < 300:
            return named(text)
        code = error_of(text).get("status") or STATUS_CODES.get(status, "UNKNOWN")
        return f"{code} {cls.CHECKS.get(fcm_code(text), '-')}"

    @staticmethod
    def topic(error):
        return error


class Java:
    PLATFORM = {
        "INVALID_ARGUMENT", "FAILED_PRECONDITION", "OUT_OF_RANGE", "UNAUTHENTICATED", "PERMISSION_DENIED",
        "NOT_FOUND", "CONFLICT", "ABORTED", "ALREADY_EXISTS", "RESOURCE_EXHAUSTED", "CANCELLED", "DATA_LOSS",
        "UNKNOWN", "INTERNAL", "UNAVAILABLE", "DEADLINE_EXCEEDED",
    }
    MESSAGING = {code: code for code in (
        "INTERNAL", "INVALID_ARGUMENT", "QUOTA_EXCEEDED", "SENDER_ID_MISMATCH", "THIRD_PARTY_AUTH_ERROR",
        "UNAVAILABLE", "UNREGISTERED")} | {"APNS_AUTH_ERROR": "THIRD_PARTY_AUTH_ERROR"}
    TOPIC_CODES = {"NOT_FOUND": "registration-token-not-registered", "INTERNAL": "internal-error"}

    @classmethod
    def sent(cls, status, text, message):
        if 200 <= status < 300:
            return named(text)
        code = error_of(text).get("status") or STATUS_CODES.get(status, "UNKNOWN")
        assert code in cls.PLATFORM, f"Java throws IllegalArgumentException for the status {code}"
        return f"{code} {cls.MESSAGING.get(fcm_code(text), '-')}"

    @classmethod
    def topic(cls, error):
        return cls.TOPIC_CODES.get(error, error.lower().replace("_", "-"))


class DotNet:
    PLATFORM = {"INVALID_ARGUMENT": "InvalidArgument", "INTERNAL": "Internal", "PERMISSION_DENIED": "PermissionDenied",
                "UNAUTHENTICATED": "Unauthenticated", "UNAVAILABLE": "Unavailable"}
    BY_STATUS = {400: "InvalidArgument", 401: "Unauthenticated", 403: "PermissionDenied", 404: "NotFound",
                 409: "Conflict", 429: "ResourceExhausted", 500: "Internal", 503: "Unavailable"}
    MESSAGING = {
        "APNS_AUTH_ERROR": "ThirdPartyAuthError", "INTERNAL": "Internal", "INVALID_ARGUMENT": "InvalidArgument",
        "QUOTA_EXCEEDED": "QuotaExceeded", "SENDER_ID_MISMATCH": "SenderIdMismatch",
        "THIRD_PARTY_AUTH_ERROR": "ThirdPartyAuthError", "UNAVAILABLE": "Unavailable",
        "UNREGISTERED": "Unregistered",
    }
    TOPIC_CODES = {"INVALID_ARGUMENT": "invalid-argument", "NOT_FOUND": "registration-token-not-registered",
                   "INTERNAL": "internal-error", "TOO_MANY_TOPICS": "too-many-topics"}

    @classmethod
    def sent(cls, status, text, message):
        if 200 <= status < 300:
            return named(text)
        code = cls.PLATFORM.get(error_of(text).get("status")) or cls.BY_STATUS.get(status, "Unknown")
        return f"{code} {cls.MESSAGING.get(fcm_code(text), '-')}"

    @classmethod
    def topic(cls, error):
        return cls.TOPIC_CODES.get(error, "unknown-error")


READERS = {"node": Node, "go": Go, "java": Java, "dotnet": DotNet}


def reading(sdk, path, status, text, request):
    """Returns how the SDK interprets an answer to a request with this path and body."""
    reader = READERS[sdk]
    if not path.startswith("/iid/"):
        return reader.sent(status, text, request["message"])
    assert status == 200, text
    return [None if error is None else reader.topic(error) for error in results(text)]
