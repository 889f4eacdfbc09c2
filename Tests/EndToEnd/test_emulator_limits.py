"""The FCM limits that `herald emulator` can enforce."""

import json
import urllib.error
import urllib.request

import pytest

from herald import DEADLINE, Emulator, run


def post(emulator, path, body):
    """Returns the status and body of an answer."""
    request = urllib.request.Request(
        emulator.url + path, json.dumps(body).encode(), headers={"Authorization": "Bearer owner"})
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def send(emulator, target, size):
    message = {**target, "data": {"k": "x" * (size - 1)}}
    return post(emulator, "/v1/projects/e2e/messages:send", {"message": message})[0]


@pytest.mark.covers("F4-payload-reference")
@pytest.mark.parametrize("arguments, limit", [([], 2_048), (["--topic-payload-limit", 4_096], 4_096)])
def test_topic_payload_limit_is_2048_bytes_unless_configured(project, arguments, limit):
    with Emulator(project, arguments=arguments) as emulator:
        assert send(emulator, {"topic": "tides"}, limit) == 200
        assert send(emulator, {"topic": "tides"}, limit + 1) == 400


def large(project, comment=""):
    """Writes a campaign with 3,000 bytes to a topic."""
    project.write("herald.yaml", "version: 1\nproject: e2e\ntopics: { tides: {} }\n")
    project.write("campaigns/large.yaml", (
        "campaign: large\naudience: { topic: tides }\nmessage:\n"
        f"  # {comment or 'The whole text.'}\n  data: {{ text: {'x' * 2_996} }}\n"))


ALLOWED = "herald: allow payload-over-2048, FCM accepts it"


@pytest.mark.covers("F4-payload-reference")
def test_a_payload_limit_that_a_comment_lifts_can_be_applied(project):
    large(project)
    project.apply().expect(65, "payload-over-2048")
    large(project, ALLOWED)
    project.apply().expect(0, "1 accepted")


def test_the_project_raises_the_topic_payload_limit_of_its_emulator(project):
    large(project, ALLOWED)
    with Emulator(project) as emulator:
        assert send(emulator, {"topic": "tides"}, 4_096) == 200
        assert send(emulator, {"topic": "tides"}, 4_097) == 400
    with Emulator(project, arguments=["--topic-payload-limit", 2_048]) as emulator:
        assert send(emulator, {"topic": "tides"}, 2_049) == 400


@pytest.mark.covers("A13", "F2.3-rate")
def test_membership_rate_is_enforced_only_if_configured(project):
    tokens = [f"phone-{n}" for n in range(1_000)]
    batch = {"to": "/topics/tides", "registration_tokens": tokens}
    with Emulator(project) as emulator:
        emulator.install(tokens)
        assert {post(emulator, "/iid/v1:batchAdd", batch)[0] for _ in range(5)} == {200}
    with Emulator(project, arguments=["--membership-rate", 1]) as emulator:
        assert post(emulator, "/iid/v1:batchAdd", batch)[0] == 200
        # The rate limit allows the next change after a thousand seconds.
        assert post(emulator, "/iid/v1:batchRemove", batch) == (429, {"error": "RESOURCE_EXHAUSTED"})
        path = "/v1/projects/e2e/registrations/phone-0/topicSubscriptions?topicName=new"
        assert post(emulator, path, {}) == (429, {"error": {
            "code": 429, "message": "Resource has been exhausted (e.g. check quota).",
            "status": "RESOURCE_EXHAUSTED"}})


@pytest.mark.covers("F4-project-quota")
def test_client_errors_count_toward_the_send_quota(project):
    with Emulator(project, arguments=["--sends-per-minute", 3]) as emulator:
        emulator.install(["phone-1"])
        assert [send(emulator, {"token": token}, 10) for token in ("phone-1", "gone", "phone-1")] == [200, 400, 200]
        request = urllib.request.Request(
            emulator.url + "/v1/projects/e2e/messages:send",
            json.dumps({"message": {"token": "phone-1"}}).encode(), headers={"Authorization": "Bearer owner"})
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=DEADLINE)
        assert refused.value.code == 429
        assert 1 <= int(refused.value.headers["Retry-After"]) <= 60
        info = json.load(refused.value)["error"]["details"][0]
        assert (info["reason"], info["metadata"]["quota_limit_value"]) == ("RATE_LIMIT_EXCEEDED", "3")


@pytest.mark.covers("C71", "F4-apple-rate")
def test_enforces_the_apple_rate(project):
    with Emulator(project, arguments=["--apple-rate", 1]) as emulator:
        emulator.post("/emulator/v1/devices", [{"name": "phone", "platform": "apple", "registration": "phone"}])
        assert send(emulator, {"token": "phone"}, 10) == 200
        assert send(emulator, {"token": "phone"}, 10) == 429


@pytest.mark.parametrize("arguments", [
    ["--topic-payload-limit", 0], ["--topic-payload-limit", 4_097], ["--membership-rate", 0], ["--apple-rate", -1],
    ["--sends-per-minute", 0]])
def test_rejects_invalid_limits(tmp_path, arguments):
    option, value = arguments
    assert run("emulator", f"{option}={value}", "-C", tmp_path).code == 64
