"""A run with faults can be replayed from its log, and produces the same log line by line."""

import http.client
import json

from herald import DEADLINE, Emulator, token

SEND = "/v1/projects/tidewatch/messages:send"
PHONES = [token(n) for n in range(5)]
RULES = [
    {"id": "lost", "match": {"service": "SEND"}, "when": {"share": 0.1}, "accepted": True, "answer": {"error": "UNAVAILABLE"}},
    {"id": "dead", "match": {"registration_share": 0.3}, "when": {"share": 0.5}, "answer": {"error": "UNREGISTERED"}},
    {"id": "quota", "match": {"service": "SEND"}, "when": {"over_quota": {"limit": 6, "per": "SECOND"}}},
    {"id": "cut", "when": {"share": 0.1}, "delivery": {"truncate_after_bytes": 9}},
    {"id": "reset", "when": {"share": 0.1}, "accepted": True, "delivery": {"reset_connection": True}},
    {"id": "twice", "when": {"every": 11}, "duplicate": True},
    {"id": "late", "when": {"from_seconds": 5}, "answer": {"error": "INTERNAL", "retry_after_date_seconds": 30}},
]


def request(emulator, method, path, body):
    """Sends a request and ignores the answer: many of these fail on purpose."""
    connection = http.client.HTTPConnection("127.0.0.1", emulator.port, timeout=DEADLINE)
    try:
        connection.request(method, path, body, {"Authorization": "Bearer owner"})
        connection.getresponse().read()
    except (http.client.HTTPException, ConnectionError):
        pass
    finally:
        connection.close()


def test_replays_a_run_from_its_seed_and_log(project, tmp_path):
    project.devices(PHONES)
    script = tmp_path / "faults.json"
    script.write_text(json.dumps({"rules": RULES}))
    clock = ["--clock", "virtual", "--at", "2037-03-20T07:30:00Z"]
    with Emulator(project, arguments=[*clock, "--faults", script, "--seed", 1848]) as emulator:
        for n in range(90):
            body = {"message": {"token": PHONES[n % 5], "data": {"n": str(n)}}}
            if n % 10 == 9:
                body = {"message": {"topic": "tides", "data": {"n": str(n)}}}
                request(emulator, "POST", "/iid/v1:batchAdd", json.dumps({
                    "to": "/topics/tides", "registration_tokens": PHONES}))
                request(emulator, "PUT", "/emulator/v1/clock", '{"advance":"1s"}')
            request(emulator, "POST", SEND, json.dumps(body))
        inboxes = emulator.get("/emulator/v1/inboxes")
    log = project.log.bytes()
    lines = [json.loads(line) for line in log.splitlines()]
    fired = {line["fault"]["rule"] for line in lines if "fault" in line}
    assert fired == {rule["id"] for rule in RULES}

    # The log contains script and seed. The next start records the other startup lines again.
    [first] = [line for line in lines if line["path"] == "/emulator/v1/faults"]
    assert first["body"]["seed"] == 1848
    script.write_text(json.dumps(first["body"]))
    project.log.path.unlink()
    with Emulator(project, arguments=[*clock, "--faults", script]) as emulator:
        begin = len(project.log.bytes().splitlines())
        assert lines[begin - 1] == first
        for line in lines[begin:]:
            request(emulator, line["method"], line["path"], json.dumps(line["body"]))
        again = [json.loads(line) for line in project.log.bytes().splitlines()]
        assert again == lines
        assert emulator.get("/emulator/v1/inboxes") == inboxes
