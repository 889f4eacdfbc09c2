"""`herald explain CODE` explains the FCM error codes."""

import json

import pytest

from herald import run


@pytest.mark.covers("A33")
@pytest.mark.parametrize("code, fragments", [
    ("UNREGISTERED", ["uninstalled", "not retried", "Remove the registration"]),
    ("sender_id_mismatch", ["a Firebase project other than", "not retried", "not dead"]),
    ("TOO_MANY_TOPICS", ["2,000", "result of a subscription"]),
    ("QUOTA_EXCEEDED", ["retried by Herald"]),
    ("THIRD_PARTY_AUTH_ERROR", ["APNs key"]),
    ("INTERNAL", ["answer to a send, retried", "result of a subscription, retried"]),
])
def test_explains_the_cause_and_the_fix_of_a_code(code, fragments):
    result = run("explain", code).expect(0, *fragments)
    assert result.err == ""
    assert all(len(line) <= 80 for line in result.out.splitlines())


@pytest.mark.covers("A33")
def test_prints_codes_as_json():
    codes = json.loads(run("explain", "UNAVAILABLE", "NOT_FOUND", "--format", "json").expect(0).out)
    assert [(c["code"], c["retried"]) for c in codes] == [("UNAVAILABLE", True), ("NOT_FOUND", False)]
    assert all(c["meaning"] and c["advice"] for c in codes)


@pytest.mark.parametrize("word, near", [("unregisterd", "UNREGISTERED"), ("404", "UNREGISTERED"), ("nothing", "condition")])
def test_unknown_code_gets_a_suggestion(word, near):
    run("explain", word).expect(65, f"`{word}` is not a rule, a known FCM error code", near)
