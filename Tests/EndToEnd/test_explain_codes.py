"""`herald explain CODE` for the codes that FCM answers."""

import json

import pytest

from herald import run


@pytest.mark.covers("A33")
@pytest.mark.parametrize("code, fragments", [
    ("UNREGISTERED", ["uninstalled", "not retried", "Remove the registration"]),
    ("sender_id_mismatch", ["another Firebase project", "not retried", "not dead"]),
    ("TOO_MANY_TOPICS", ["2,000", "result of a subscription"]),
    ("QUOTA_EXCEEDED", ["retried by Herald"]),
    ("THIRD_PARTY_AUTH_ERROR", ["APNs key"]),
    ("INTERNAL", ["answer to a send, retried", "result of a subscription, retried"]),
])
def test_a_code_comes_with_what_happened_and_what_to_do(code, fragments):
    result = run("explain", code).expect(0, *fragments)
    assert result.err == ""
    assert all(len(line) <= 80 for line in result.out.splitlines())


@pytest.mark.covers("A33")
def test_codes_as_json():
    codes = json.loads(run("explain", "UNAVAILABLE", "NOT_FOUND", "--format", "json").expect(0).out)
    assert [(c["code"], c["retried"]) for c in codes] == [("UNAVAILABLE", True), ("NOT_FOUND", False)]
    assert all(c["meaning"] and c["advice"] for c in codes)


@pytest.mark.parametrize("word, near", [("unregisterd", "UNREGISTERED"), ("404", "UNREGISTERED"), ("nothing", "condition")])
def test_a_word_that_is_no_code_says_so(word, near):
    run("explain", word).expect(65, f"`{word}` is not a rule, a known FCM error code", near)
