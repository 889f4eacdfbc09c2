"""Scripted faults, as clients observe them (curl, nghttp, h2load, plain sockets) and as the request log records
them."""

import json
import re
import select
import socket
import subprocess
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest

from herald import DEADLINE, Emulator, run, token

SEND = "/v1/projects/tidewatch/messages:send"
PHONES = [token(n) for n in range(3)]
# How long a client waits for an answer that must not arrive.
PATIENCE = "0.5"


@pytest.fixture
def emulator(project):
    project.devices(PHONES)
    with Emulator(project) as emulator:
        yield emulator


def ask(emulator, method, path, body=None):
    """Returns the status and JSON of an answer with any status."""
    data = json.dumps(body).encode() if body is not None else None
    request = urllib.request.Request(emulator.url + path, data, method=method, headers={"Authorization": "Bearer owner"})
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def script(emulator, *rules, **more):
    status, answer = ask(emulator, "PUT", "/emulator/v1/faults", {"rules": list(rules), **more})
    assert status == 200, answer


def fired(emulator):
    return [rule["fired"] for rule in ask(emulator, "GET", "/emulator/v1/faults")[1]["rules"]]


def message(phone=0, **more):
    return {"message": {"token": PHONES[phone], "data": {"a": "1"}, **more}}


def received(emulator, phone=0):
    inboxes = {inbox["registration"]: inbox for inbox in emulator.get("/emulator/v1/inboxes")["devices"]}
    return len(inboxes[PHONES[phone]]["received"])


def logged(emulator):
    """Returns status, fault and effect of each logged request to Google's APIs."""
    return [(entry["status"], *(entry["fault"][key] for key in ("what", "effect") if "fault" in entry))
            for entry in emulator.project.log.requests()]


@dataclass
class Curl:
    code: int
    status: int
    headers: dict
    body: str
    error: str
    seconds: float


def curl(emulator, *options, body=None, path=SEND):
    done = subprocess.run(
        ["curl", "-sS", "-i", *options, "-H", "Authorization: Bearer owner", "-H", "Content-Type: application/json",
         "-w", "\n%{time_total}", "-d", json.dumps(body or message()), emulator.url + path],
        capture_output=True, timeout=DEADLINE, text=True)
    text, _, seconds = done.stdout.rpartition("\n")
    head, _, rest = text.replace("\r\n", "\n").partition("\n\n")
    first, *lines = head.split("\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    status = int(first.split()[1]) if first.startswith("HTTP/") else 0
    return Curl(done.returncode, status, headers, rest, done.stderr, float(seconds))


VERSIONS = pytest.mark.parametrize("version", ["--http1.1", "--http2-prior-knowledge"])


class Frames:
    """The frames of one HTTP/2 connection, as nghttp prints them."""

    def __init__(self, emulator, *options, requests=1):
        body = emulator.project.folder / "body.json"
        body.write_text(json.dumps(message()))
        done = subprocess.run(
            ["nghttp", "-v", "--no-dep", *options, "-m", str(requests), "-H", "authorization: Bearer owner", "-d", body,
             emulator.url + SEND], capture_output=True, timeout=DEADLINE, text=True)
        self.text = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
        self.sent = [int(n) for n in re.findall(r"send HEADERS frame <length=\d+, flags=0x\w+, stream_id=(\d+)>", self.text)]

    def reset(self):
        """Returns the streams that were reset, and their error codes."""
        found = re.findall(r"recv RST_STREAM frame <length=4, flags=0x00, stream_id=(\d+)>\s+\(error_code=(\w+)\(", self.text)
        return {int(stream): code for stream, code in found}

    def goaways(self):
        """Returns the last stream and the error code of each GOAWAY."""
        found = re.findall(r"recv GOAWAY frame <[^>]*>\s+\(last_stream_id=(\d+), error_code=(\w+)\(", self.text)
        return [(int(stream), code) for stream, code in found]

    def statuses(self):
        return {int(stream): int(status) for stream, status in re.findall(r"recv \(stream_id=(\d+)\) :status: (\d+)", self.text)}

    def pieces(self, stream):
        """Returns the lengths of a stream's DATA frames."""
        return [int(n) for n in re.findall(rf"recv DATA frame <length=(\d+), flags=0x\w+, stream_id={stream}>", self.text)]


class Connection:
    """A plain HTTP/1.1 connection."""

    def __init__(self, emulator):
        self.socket = socket.create_connection(("127.0.0.1", emulator.port), timeout=DEADLINE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, body=None):
        data = json.dumps(body or message()).encode()
        self.socket.sendall(
            f"POST {SEND} HTTP/1.1\r\nHost: fcm.googleapis.com\r\nAuthorization: Bearer owner\r\n"
            f"Content-Length: {len(data)}\r\n\r\n".encode() + data)

    def read_to_end(self):
        parts = []
        while part := self.socket.recv(65_536):
            parts.append(part)
        return b"".join(parts)

    def is_silent(self):
        """Returns whether neither data nor the end of the connection has arrived."""
        return select.select([self.socket], [], [], 0)[0] == []


# Replaced answers

# The name of an error, its status, its status name, the FcmError code, and the other details.
NAMED = [
    ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", {"QuotaFailure"}),
    ("PROJECT_QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED", None, {"ErrorInfo", "Help"}),
    ("UNAVAILABLE", 503, "UNAVAILABLE", "UNAVAILABLE", set()),
    ("INTERNAL", 500, "INTERNAL", "INTERNAL", set()),
    ("UNREGISTERED", 404, "NOT_FOUND", "UNREGISTERED", set()),
    ("INVALID_ARGUMENT", 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", {"BadRequest"}),
    ("SENDER_ID_MISMATCH", 403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", set()),
    ("THIRD_PARTY_AUTH_ERROR", 401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", {"ApnsError"}),
    ("APNS_UNREGISTERED", 400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", {"ApnsError"}),
    ("APNS_TOO_MANY_REQUESTS", 429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", {"ApnsError"}),
    ("EXPIRED_TOKEN", 401, "UNAUTHENTICATED", None, {"ErrorInfo"}),
    ("SERVICE_DISABLED", 403, "PERMISSION_DENIED", None, {"ErrorInfo", "Help"}),
]


@VERSIONS
def test_named_error_replaces_one_answer_and_delivers_nothing(emulator, version):
    for name, status, word, code, others in NAMED:
        script(emulator, {"when": {"nth": 1}, "answer": {"error": name}})
        answer = curl(emulator, version)
        error = json.loads(answer.body)["error"]
        assert (answer.status, error["code"], error["status"]) == (status, status, word), name
        details = {detail["@type"].rpartition(".")[2]: detail for detail in error["details"]}
        assert details.pop("FcmError", {}).get("errorCode") == code, name
        assert set(details) == others, name
        assert "retry-after" not in answer.headers
        assert logged(emulator)[-1] == (status, f"{status} {name}", "withheld")
        assert received(emulator) == 0
    assert curl(emulator, version).status == 200
    assert received(emulator) == 1


@VERSIONS
def test_retry_after_can_be_seconds_or_a_date(emulator, version):
    script(emulator,
           {"when": {"nth": 1}, "answer": {"error": "UNAVAILABLE", "retry_after_seconds": 17}},
           {"when": {"nth": 2}, "answer": {"error": "QUOTA_EXCEEDED", "retry_after_date_seconds": 90}})
    assert curl(emulator, version).headers["retry-after"] == "17"
    date = parsedate_to_datetime(curl(emulator, version).headers["retry-after"])
    sent = datetime.fromisoformat(emulator.project.log.requests()[-1]["time"])
    assert date == sent.replace(microsecond=0) + timedelta(seconds=90)
    assert [entry[1] for entry in logged(emulator)] == [
        "503 UNAVAILABLE, retry-after 17 s", "429 QUOTA_EXCEEDED, retry-after as a date in 90 s"]


@VERSIONS
def test_scripts_any_status_body_and_header(emulator, version):
    script(emulator, {"answer": {"status": 502, "text": "<h1>Bad Gateway</h1>", "content_type": "text/html",
                                 "headers": {"X-Front": "7"}}})
    answer = curl(emulator, version)
    assert (answer.status, answer.body, answer.headers["content-type"], answer.headers["x-front"]) == (
        502, "<h1>Bad Gateway</h1>", "text/html", "7")
    assert emulator.project.log.requests()[-1]["answer"] == "<h1>Bad Gateway</h1>"


@VERSIONS
def test_503_after_acceptance_delivers_and_logs_the_message_id(emulator, version):
    script(emulator, {"accepted": True, "answer": {"error": "UNAVAILABLE"}})
    assert curl(emulator, version).status == 503
    assert received(emulator) == 1
    entry = emulator.project.log.requests()[-1]
    assert (entry["status"], entry["fault"]["effect"]) == (503, "performed")
    inboxes = emulator.get("/emulator/v1/inboxes")["devices"]
    ids = [message["message_id"] for inbox in inboxes for message in inbox["received"]]
    assert entry["fault"]["concealed"] == {
        "status": 200, "answer": {"name": f"projects/tidewatch/messages/{ids[0]}"}}


# Answer delivery

@VERSIONS
def test_delays_an_answer(emulator, version):
    script(emulator, {"when": {"nth": 2}, "delivery": {"delay_milliseconds": 300}})
    assert curl(emulator, version).status == 200
    late = curl(emulator, version)
    assert late.status == 200 and late.seconds >= 0.3
    assert logged(emulator)[-1] == (200, "300 ms late", "performed")


def test_slow_answer_arrives_in_pieces(emulator):
    script(emulator, {"delivery": {"bytes_per_second": 200}})
    frames = Frames(emulator)
    [pieces] = [frames.pieces(stream) for stream in frames.sent]
    whole = len(json.dumps(emulator.project.log.requests()[-1]["answer"], separators=(",", ":")))
    assert sum(pieces) == whole and max(pieces) <= 10 and len(pieces) > whole // 11
    answer = curl(emulator, "--http1.1")
    assert json.loads(answer.body) == emulator.project.log.requests()[-1]["answer"]
    # At 200 bytes per second, the first piece arrives at once and the last one after all others.
    assert answer.seconds >= (whole - 10) / 200 * 0.9
    assert logged(emulator) == [(200, "200 bytes per second", "performed")] * 2


@pytest.mark.parametrize("count", [0, 5])
@pytest.mark.parametrize("text", [None, ""])
def test_truncates_an_answer(emulator, count, text):
    rule = {"delivery": {"truncate_after_bytes": count}}
    if text is not None:
        rule["answer"] = {"status": 500, "text": text}
    script(emulator, rule)
    with Connection(emulator) as connection:
        connection.send()
        head, _, body = connection.read_to_end().partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head)[1])
    assert len(body) == (count if length else 0)
    frames = Frames(emulator)
    if length:
        assert frames.reset() == {frames.sent[0]: "INTERNAL_ERROR"}
        assert sum(frames.pieces(frames.sent[0])) == count
        assert curl(emulator, "--http1.1").code == 18
    assert logged(emulator)[0][1].endswith(f"cut off after {count} bytes")


@pytest.mark.parametrize("accepted", [False, True])
def test_resets_a_connection(emulator, accepted):
    script(emulator, {"accepted": accepted, "delivery": {"reset_connection": True}})
    with Connection(emulator) as connection:
        connection.send()
        with pytest.raises(ConnectionResetError):
            connection.read_to_end()
    assert received(emulator) == accepted
    assert logged(emulator) == [(0, "connection reset", "performed" if accepted else "withheld")]
    # Over HTTP/2 the reset ends all streams, and requests after it are not read.
    frames = Frames(emulator, requests=3)
    assert frames.statuses() == {}
    assert len(logged(emulator)) == 2


@pytest.mark.parametrize("code", ["REFUSED_STREAM", "CANCEL", "INTERNAL_ERROR", "ENHANCE_YOUR_CALM"])
def test_reset_stream_does_not_affect_other_streams(emulator, code):
    script(emulator, {"when": {"nth": 2}, "delivery": {"reset_stream": code}})
    frames = Frames(emulator, requests=3)
    first, second, third = frames.sent
    assert frames.reset() == {second: code}
    assert frames.statuses() == {first: 200, third: 200}
    assert logged(emulator)[1] == (0, f"RST_STREAM {code}", "withheld")
    assert received(emulator) == 2
    script(emulator, {"delivery": {"reset_stream": code}})
    with Connection(emulator) as connection:
        connection.send()
        with pytest.raises(ConnectionResetError):
            connection.read_to_end()


def test_go_away_after_this_stream(emulator):
    script(emulator, {"when": {"nth": 2}, "delivery": {"go_away": {}}})
    frames = Frames(emulator, requests=3)
    first, second, _ = frames.sent
    assert frames.goaways()[0] == (second, "NO_ERROR")
    assert frames.statuses() == {first: 200, second: 200}
    assert logged(emulator) == [(200,), (200, "GOAWAY NO_ERROR after this stream", "performed")]
    script(emulator, {"delivery": {"go_away": {}}})
    with Connection(emulator) as connection:
        connection.send()
        answer = connection.read_to_end()
    assert answer.startswith(b"HTTP/1.1 200") and b"\r\nconnection: close\r\n" in answer


@pytest.mark.parametrize("accepted", [False, True])
def test_go_away_before_this_stream(emulator, accepted):
    go_away = {"go_away": {"last_stream": "BEFORE_THIS", "error_code": "ENHANCE_YOUR_CALM"}}
    script(emulator, {"when": {"nth": 2}, "accepted": accepted, "delivery": go_away})
    frames = Frames(emulator, requests=3)
    first, second, _ = frames.sent
    assert frames.goaways()[0] == (second - 2, "ENHANCE_YOUR_CALM")
    assert frames.statuses() == {first: 200}
    effect = "performed" if accepted else "withheld"
    assert logged(emulator) == [(200,), (0, "GOAWAY ENHANCE_YOUR_CALM before this stream", effect)]
    assert received(emulator) == 1 + accepted
    script(emulator, {"accepted": accepted, "delivery": go_away})
    with Connection(emulator) as connection:
        connection.send()
        assert connection.read_to_end() == b""


def test_unanswered_request_does_not_block_others(emulator):
    script(emulator, {"when": {"nth": 1}, "delivery": {"never": True}})
    with Connection(emulator) as connection:
        connection.send()
        emulator.project.log.wait_for(1)
        for _ in range(20):
            assert curl(emulator).status == 200
        assert connection.is_silent()
    assert logged(emulator)[0] == (0, "no answer", "withheld")
    assert len(logged(emulator)) == 21
    assert received(emulator) == 20
    # Over HTTP/2 the stream stays open next to the connection's other streams.
    script(emulator, {"when": {"nth": 2}, "accepted": True, "delivery": {"never": True}})
    frames = Frames(emulator, "-t", "1", requests=3)
    first, _, third = frames.sent
    assert frames.statuses() == {first: 200, third: 200}
    assert frames.reset() == {} and frames.goaways() == []
    assert received(emulator) == 23


@VERSIONS
def test_client_times_out_without_an_answer(emulator, version):
    for delivery in ("never", "half_open"):
        script(emulator, {"delivery": {delivery: True}})
        assert curl(emulator, version, "--max-time", PATIENCE).code == 28
        assert received(emulator) == 0


def test_half_open_connection_never_answers_again(emulator):
    script(emulator, {"when": {"nth": 1}, "accepted": True, "delivery": {"half_open": True}})
    with Connection(emulator) as connection:
        connection.send()
        emulator.project.log.wait_for(1)
        connection.send()
        for _ in range(20):
            assert curl(emulator).status == 200
        assert connection.is_silent()
    assert logged(emulator) == [(0, "no more answers on this connection", "performed"), *[(200,)] * 20]
    assert received(emulator) == 21
    # Over HTTP/2, earlier requests are answered and later ones are not even read.
    script(emulator, {"when": {"nth": 2}, "delivery": {"half_open": True}})
    frames = Frames(emulator, "-t", "1", requests=4)
    assert len(frames.sent) == 4 and set(frames.statuses()) <= {frames.sent[0]}
    assert len(logged(emulator)) == 21 + 2


# Targets and times

def test_same_share_of_registrations_fails_every_time(emulator):
    tokens = [token(n, "share") for n in range(200)]
    emulator.install(tokens)
    script(emulator, {"match": {"registration_share": 0.2}, "answer": {"error": "UNREGISTERED"}}, seed=11)

    def dead():
        return {text for text in tokens if ask(emulator, "POST", SEND, {"message": {"token": text}})[0] == 404}

    first = dead()
    assert 10 < len(first) < 80
    assert dead() == first
    results = emulator.post("/iid/v1:batchAdd", {"to": "/topics/tides", "registration_tokens": tokens})["results"]
    assert {text for text, result in zip(tokens, results) if result == {"error": "NOT_FOUND"}} == first
    assert sum(result == {} for result in results) == len(tokens) - len(first)
    ask(emulator, "DELETE", "/emulator/v1/faults")
    assert {text for text in tokens if "tides" not in emulator.topics(text)} == first


def test_fault_can_match_one_platform(emulator):
    emulator.install([token(n, "platform") for n in range(3)])
    script(emulator, {"match": {"platform": "APPLE"}, "answer": {"error": "APNS_UNREGISTERED"}})
    statuses = [ask(emulator, "POST", SEND, {"message": {"token": token(n, "platform")}})[0] for n in range(3)]
    assert statuses == [200, 400, 200]


def test_rejects_an_expired_token_once(emulator):
    script(emulator, {"match": {"service": "SEND"}, "when": {"nth": 2}, "answer": {"error": "EXPIRED_TOKEN"}})
    answers = [curl(emulator) for _ in range(3)]
    assert [answer.status for answer in answers] == [200, 401, 200]
    assert "invalid_token" in answers[1].headers["www-authenticate"]


def test_enforces_a_quota_per_minute(emulator):
    script(emulator, {"match": {"service": "SEND"}, "when": {"over_quota": {"limit": 7, "per": "MINUTE"}}})
    answers = [curl(emulator) for _ in range(10)]
    assert [answer.status for answer in answers] == [200] * 7 + [429] * 3
    assert all(1 <= int(answer.headers["retry-after"]) <= 60 for answer in answers[7:])
    details = json.loads(answers[9].body)["error"]["details"]
    assert details[0]["metadata"]["quota_metric"] == "fcm.googleapis.com/send_requests"
    assert received(emulator) == 7 and fired(emulator) == [3]


def test_quota_and_time_span_follow_the_emulators_clock(emulator):
    ask(emulator, "PUT", "/emulator/v1/clock", {"mode": "frozen", "at": "2040-01-01T00:00:00Z"})
    script(emulator,
           {"when": {"over_quota": {"limit": 3, "per": "SECOND"}}},
           {"when": {"from_seconds": 2, "until_seconds": 3}, "answer": {"error": "INTERNAL"}},
           {"when": {"from_time": "2040-01-01T00:00:04Z"}, "answer": {"error": "QUOTA_EXCEEDED", "retry_after_date_seconds": 90}})
    seen = []
    for _ in range(5):
        answers = [curl(emulator) for _ in range(4)]
        seen.append([(answer.status, answer.headers.get("retry-after")) for answer in answers])
        ask(emulator, "PUT", "/emulator/v1/clock", {"advance": "1s"})
    limited = (429, "1")
    assert seen == [
        [(200, None)] * 3 + [limited], [(200, None)] * 3 + [limited], [(500, None)] * 3 + [limited],
        [(200, None)] * 3 + [limited], [(429, "Sun, 01 Jan 2040 00:01:34 GMT")] * 3 + [limited]]


def test_membership_quota_counts_registrations(emulator):
    script(emulator, {"match": {"service": "MEMBERSHIP"}, "when": {"over_quota": {"limit": 5, "per": "MINUTE"}}})
    body = {"to": "/topics/tides", "registration_tokens": PHONES}
    statuses = [curl(emulator, body=body, path="/iid/v1:batchAdd").status for _ in range(2)]
    assert statuses == [200, 429]
    answer = curl(emulator, body={**body, "registration_tokens": PHONES[:2]}, path="/iid/v1:batchAdd")
    assert answer.status == 200


def test_duplicate_delivers_twice_if_two_topics_match(emulator):
    for topic, phones in (("a", PHONES[:2]), ("b", PHONES[1:])):
        emulator.post("/iid/v1:batchAdd", {"to": f"/topics/{topic}", "registration_tokens": phones})
    script(emulator, {"match": {"service": "SEND"}, "duplicate": True})
    either = {"message": {"condition": "'a' in topics || 'b' in topics", "notification": {"title": "x"}}}
    assert curl(emulator, body=either).status == 200
    assert [received(emulator, phone) for phone in range(3)] == [1, 2, 1]
    assert logged(emulator)[-1] == (200, "delivered twice", "performed twice")


# Replays

def faults_of(emulator):
    return [(entry["seq"], entry["fault"]["rule"], entry["fault"]["what"])
            for entry in emulator.project.log.requests() if "fault" in entry]


def test_same_script_seed_and_order_produce_the_same_faults(project, tmp_path):
    project.devices(PHONES)
    path = tmp_path / "faults.json"
    path.write_text(json.dumps({"rules": [
        {"id": "lost", "when": {"share": 0.2}, "accepted": True, "answer": {"error": "UNAVAILABLE"}},
        {"id": "dead", "match": {"registration_share": 0.5}, "when": {"share": 0.5}, "answer": {"error": "UNREGISTERED"}}]}))
    seen = []
    for seed in (1, 1, 2):
        with Emulator(project, arguments=["--faults", path, "--seed", seed]) as emulator:
            for n in range(60):
                ask(emulator, "POST", SEND, message(n % 3))
            seen.append(faults_of(emulator))
        project.log.path.unlink()
    assert len(seen[0]) > 10
    assert seen[0] == seen[1] != seen[2]


def test_killed_emulator_keeps_concealed_deliveries(project):
    project.devices(PHONES)
    with Emulator(project) as emulator:
        script(emulator,
               {"when": {"every": 2}, "accepted": True, "delivery": {"reset_connection": True}},
               {"when": {"every": 3}, "answer": {"error": "UNAVAILABLE"}})
        codes = [curl(emulator, "--http1.1").status for _ in range(6)]
        assert codes == [200, 0, 503, 0, 200, 0]
        before = emulator.get("/emulator/v1/inboxes")
        assert received(emulator) == 5
        emulator.kill()
    with Emulator(project) as emulator:
        assert emulator.get("/emulator/v1/inboxes") == before
        # A new process starts without faults and logs that.
        assert ask(emulator, "GET", "/emulator/v1/faults")[1] == {"seed": 0, "rules": []}
        assert curl(emulator).status == 200
        lines = [json.loads(line) for line in project.log.bytes().splitlines()]
        assert [line["body"] for line in lines if line["path"] == "/emulator/v1/faults"][1:] == [{"seed": 0}]


def test_log_counts_the_failed_share_of_a_load(emulator):
    emulator.put("/emulator/v1/delivery-options", {"device_limits": False})
    script(emulator, {"when": {"every": 4}, "answer": {"error": "UNAVAILABLE"}},
           {"when": {"every": 100}, "delivery": {"reset_stream": "REFUSED_STREAM"}})
    body = emulator.project.folder / "body.json"
    body.write_text(json.dumps(message()))
    done = subprocess.run(
        ["h2load", "-n", "1000", "-c", "4", "-m", "10", "-H", "authorization: Bearer owner", "-d", body,
         emulator.url + SEND], capture_output=True, timeout=DEADLINE, text=True)
    assert re.search(r"status codes: 750 2xx, 0 3xx, 0 4xx, 250 5xx", done.stdout), done.stdout
    entries = logged(emulator)
    assert (entries.count((200,)), entries.count((503, "503 UNAVAILABLE", "withheld"))) == (750, 250)
    assert received(emulator) == 750 and fired(emulator) == [250, 0]


# Invalid scripts

def test_reports_the_location_of_script_mistakes(project, tmp_path):
    path = tmp_path / "faults.json"
    path.write_text(json.dumps({"rules": [
        {"when": {"nth": 0}, "answer": {"error": "UNAVAILABLE"}}, {"when": {"share": 2}, "duplicate": True}]}))
    run("emulator", "--port", "0", "--faults", path, "-C", project.folder).expect(
        65, "rules[0].when.nth: It must be a whole number of at least 1.", "rules[1].when.share: A share must be from 0 to 1.")
    path.write_text(json.dumps({"rules": [{"awnser": {"error": "UNAVAILABLE"}}]}))
    run("emulator", "--port", "0", "--faults", path, "-C", project.folder).expect(65, "rules[0]: ", '"awnser"')
    path.write_text("{")
    run("emulator", "--port", "0", "--faults", path, "-C", project.folder).expect(65, "is not JSON")
    run("emulator", "--port", "0", "--faults", tmp_path / "none", "-C", project.folder).expect(65, "cannot be read")
    run("emulator", "--port", "0", "--seed=-1", "-C", project.folder).expect(64)
