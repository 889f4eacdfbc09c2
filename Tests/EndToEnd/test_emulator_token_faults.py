"""Faults of the token endpoint, as curl observes them and as the request log records them without secrets."""

import json
import subprocess
from dataclasses import dataclass

import pytest

from accounts import BEARER, claims, make_key, signed
from herald import DEADLINE, Emulator

SEND = "/v1/projects/demo/messages:send"
VERSIONS = pytest.mark.parametrize("version", ["--http1.1", "--http2-prior-knowledge"])


@dataclass
class Answer:
    code: int
    status: int
    head: str
    body: str
    seconds: float


class Client:
    """A client with a key file, and an emulator that accepts only its own tokens."""

    def __init__(self, emulator, account):
        self.emulator, self.assertion = emulator, signed(account, claims(account))

    def curl(self, path, *options):
        done = subprocess.run(
            ["curl", "-sS", "-i", *options, "-w", "\n%{time_total}", self.emulator.url + path],
            capture_output=True, timeout=DEADLINE, text=True)
        text, _, seconds = done.stdout.rpartition("\n")
        head, _, body = text.replace("\r\n", "\n").partition("\n\n")
        status = int(head.split()[1]) if head.startswith("HTTP/") else 0
        return Answer(done.returncode, status, head, body, float(seconds))

    def token(self, *options):
        return self.curl(
            "/token", *options, "--data-urlencode", f"grant_type={BEARER}",
            "--data-urlencode", f"assertion={self.assertion}")

    def send(self, token):
        message = {"message": {"topic": "tides", "data": {"a": "1"}}}
        return self.curl(SEND, "-d", json.dumps(message), "-H", f"Authorization: Bearer {token}").status

    def script(self, *rules):
        self.emulator.put("/emulator/v1/faults", {
            "rules": [{"match": {"service": "TOKEN"}, **rule} for rule in rules]})

    def given(self):
        return len(self.emulator.get("/emulator/v1/auth/tokens")["tokens"])

    def last(self):
        """Returns the log entry of the last token request, and checks that the log contains no secret."""
        log = self.emulator.project.log
        assert self.assertion.split(".")[2].encode() not in log.bytes()
        assert b"ya29." not in log.bytes()
        return [entry for entry in log.requests() if entry["path"] == "/token"][-1]


@pytest.fixture
def client(project):
    with Emulator(project, arguments=["--require-tokens"]) as emulator:
        yield Client(emulator, make_key(project)[1])


# The name of an error, its status, and its OAuth code (RFC 6749, section 5.2, or a Google code).
NAMED = [
    ("EXPIRED_TOKEN", 401, "invalid_grant"), ("INVALID_GRANT", 400, "invalid_grant"),
    ("INTERNAL", 500, "internal_failure"), ("UNAVAILABLE", 503, "temporarily_unavailable"),
    ("QUOTA_EXCEEDED", 429, "rate_limit_exceeded"), ("SERVICE_DISABLED", 403, "access_denied"),
]


@VERSIONS
def test_named_error_uses_oauth_codes_and_issues_no_token(client, version):
    for name, status, word in NAMED:
        client.script({"when": {"nth": 1}, "answer": {"error": name, "retry_after_seconds": 9}})
        answer = client.token(version)
        error = json.loads(answer.body)
        assert (answer.status, error["error"]) == (status, word)
        assert set(error) == {"error", "error_description"} and error["error_description"]
        assert "\nretry-after: 9" in answer.head.lower()
        line = client.last()
        assert (line["status"], line["answer"]) == (status, error)
        assert (line["fault"]["what"], line["fault"]["effect"]) == (
            f"{status} {name}, retry-after 9 s", "withheld")
        assert client.given() == 0
    assert client.send(json.loads(client.token(version).body)["access_token"]) == 200


def test_answers_500_without_json(client):
    client.script({"answer": {"status": 500, "text": "<h1>Oops</h1>", "content_type": "text/html"}})
    answer = client.token()
    assert (answer.status, answer.body) == (500, "<h1>Oops</h1>")
    assert client.last()["answer"] == "<h1>Oops</h1>"
    assert client.given() == 0


@VERSIONS
def test_issues_a_token_although_the_client_gets_an_error(client, version):
    client.script({"when": {"nth": 1}, "accepted": True, "answer": {"error": "INTERNAL"}})
    assert client.token(version).status == 500
    assert client.given() == 1
    assert client.last()["fault"]["concealed"]["answer"]["access_token"].startswith("sha256:")


@VERSIONS
def test_slow_token_is_complete_and_valid(client, version):
    client.script({"delivery": {"bytes_per_second": 1000}})
    answer = client.token(version)
    token = json.loads(answer.body)["access_token"]
    # The first piece arrives at once, the last one after all others.
    assert answer.seconds >= (len(answer.body) - 50) / 1000 * 0.9
    assert client.last()["fault"]["what"] == "1000 bytes per second"
    assert client.send(token) == 200


@VERSIONS
def test_truncated_token_is_invalid(client, version):
    client.script({"delivery": {"truncate_after_bytes": 40}})
    cut = client.token(version)
    # curl exit codes: 18 is a partial file; 92 is a stream that was not closed cleanly.
    assert (cut.code, cut.status, len(cut.body)) == (18 if version == "--http1.1" else 92, 200, 40)
    assert client.last()["fault"]["what"] == "cut off after 40 bytes"
    assert client.send(cut.body.partition('"access_token":"')[2]) == 401
    client.script()
    whole = client.token(version)
    assert (whole.code, client.given()) == (0, 2)
    assert client.send(json.loads(whole.body)["access_token"]) == 200


@VERSIONS
def test_token_request_without_an_answer(client, version):
    client.script({"when": {"nth": 1}, "delivery": {"never": True}},
                  {"when": {"nth": 2}, "delivery": {"reset_stream": "CANCEL"}})
    assert client.token(version, "--max-time", "0.5").code == 28
    assert client.token(version).status == 0
    assert (client.last()["status"], client.last()["answer"], client.given()) == (0, None, 0)


def test_rejects_an_expired_token_and_accepts_a_new_one(client):
    first = json.loads(client.token().body)["access_token"]
    assert client.send(first) == 200
    client.emulator.ask("DELETE", "/emulator/v1/auth/tokens")
    assert client.send(first) == 401
    assert client.send(json.loads(client.token().body)["access_token"]) == 200
