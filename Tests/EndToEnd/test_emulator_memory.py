"""The emulator restores its state from its log, and neither the log nor `--verbose` reveals a secret."""

import json
import socket
import time
from pathlib import Path

import pytest
import requests

from herald import DEADLINE, Emulator

SEND = "/v1/projects/demo/messages:send"
MACHINE = {"Metadata-Flavor": "Google"}
TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token"


def control(emulator, method, path, body):
    answer = requests.request(method, emulator.url + "/emulator/v1" + path, json=body, timeout=DEADLINE)
    assert answer.status_code == 200, answer.text


def token(emulator):
    answer = requests.get(emulator.url + TOKEN, headers=MACHINE, timeout=DEADLINE)
    return answer.json().get("access_token")


def send(emulator, bearer):
    message = {"token": "pixel:1", "notification": {"title": "Maré"}}
    return requests.post(
        emulator.url + SEND, json={"message": message}, headers={"Authorization": f"Bearer {bearer}"}, timeout=DEADLINE)


def received(emulator):
    answer = requests.get(emulator.url + "/emulator/v1/devices/pixel/inbox", timeout=DEADLINE)
    return [message["title"] for message in answer.json()["received"]]


def seed(emulator):
    control(emulator, "POST", "/devices", [{"name": "pixel", "platform": "android", "registration": "pixel:1"}])


def test_restart_keeps_sends_of_a_strict_emulator(project):
    with Emulator(project, arguments=["--require-tokens"]) as emulator:
        seed(emulator)
        assert send(emulator, token(emulator)).status_code == 200
        emulator.kill()
    with Emulator(project, arguments=["--require-tokens"]) as emulator:
        assert received(emulator) == ["Maré"]
        assert send(emulator, "owner").status_code == 401


@pytest.mark.parametrize("rule", [
    {"delivery": {"delay_milliseconds": 1}},
    {"accepted": True, "answer": {"error": "UNAVAILABLE"}},
])
def test_logs_a_token_only_by_digest_despite_faults(project, rule):
    with Emulator(project) as emulator:
        control(emulator, "PUT", "/faults", {"rules": [{"id": "all", "match": {"service": "TOKEN"}, **rule}]})
        given = token(emulator)
        control(emulator, "PUT", "/faults", {"rules": []})
        emulator.kill()
    log = project.log.bytes().decode()
    granted = [json.loads(line) for line in log.splitlines() if TOKEN in line]
    assert len(granted) == 1
    assert "ya29." not in log
    assert given is None or given not in log


def test_logs_a_multiline_scripted_answer_on_one_line(project):
    with Emulator(project) as emulator:
        control(emulator, "PUT", "/faults", {"rules": [{"answer": {"status": 200, "text": "{\n}"}}]})
        assert send(emulator, "owner").text == "{\n}"
        emulator.kill()
    assert [json.loads(line)["seq"] for line in project.log.bytes().splitlines()][-1] > 0
    with Emulator(project) as emulator:
        assert requests.get(emulator.url + "/emulator/v1/health", timeout=DEADLINE).status_code == 200


def test_client_cannot_inject_a_token_through_the_log(project):
    forged = {"access_token": "sha256:" + "0" * 64, "account": "x", "expires_at": "9999-12-31T00:00:00.000Z",
              "scopes": ["https://www.googleapis.com/auth/cloud-platform"]}
    with Emulator(project) as emulator:
        requests.get(emulator.url + "/", headers=MACHINE, json={"granted": forged}, timeout=DEADLINE)
        emulator.kill()
    with Emulator(project) as emulator:
        answer = requests.get(emulator.url + "/emulator/v1/auth/tokens", timeout=DEADLINE)
        assert answer.json()["tokens"] == []


def test_verbose_logs_requests_without_their_query(project):
    with Emulator(project, arguments=["--verbose"]) as emulator:
        seed(emulator)
        assert send(emulator, "owner").status_code == 200
        requests.get(emulator.url + "/nowhere?key=secret", timeout=DEADLINE)
    lines = (project.folder.parent / "emulator.err").read_text().splitlines()
    assert [line for line in lines if line.endswith(f"POST {SEND} 200")]
    assert [line for line in lines if line.endswith("GET /nowhere 404")]
    assert not [line for line in lines if "secret" in line]


# MARK: clients that do not read


def memory(emulator):
    """Resident memory in bytes (proc_pid_status(5))."""
    status = Path(f"/proc/{emulator.process.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024


def test_clients_that_do_not_read_their_answers_take_little_memory(project):
    """Each of 20 clients asks for 2,000 large answers on one connection and reads none."""
    with Emulator(project) as emulator:
        for first in range(0, 2_000, 500):
            control(emulator, "POST", "/devices", [
                {"name": f"phone-{n}", "platform": "android", "registration": f"phone:{n}"}
                for n in range(first, first + 500)])
        answer = requests.get(emulator.url + "/emulator/v1/devices", timeout=DEADLINE)
        assert len(answer.content) > 100_000
        before = memory(emulator)
        clients = []
        for _ in range(20):
            client = socket.create_connection(("127.0.0.1", emulator.port))
            client.setblocking(False)
            request = b"GET /emulator/v1/devices HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2_000
            try:
                while request:
                    request = request[client.send(request):]
            except BlockingIOError:
                pass
            clients.append(client)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            assert memory(emulator) - before < 300 << 20
            time.sleep(0.2)
        # The emulator serves others, and these clients too once they read.
        assert requests.get(emulator.url + "/emulator/v1/health", timeout=DEADLINE).status_code == 200
        clients[0].setblocking(True)
        clients[0].settimeout(DEADLINE)
        seen = 0
        while seen < 3 * len(answer.content):
            seen += len(clients[0].recv(1 << 20))
        for client in clients:
            client.close()
