"""An emulator that other machines reach: its control API and its page require a token."""

import http.client
import json
import os
import re
import stat
import subprocess

import pytest

from herald import DEADLINE, binary, eventually, variables

TOKEN = "a-token-of-the-team-0001"


class Reachable:
    """An emulator on 127.0.0.2, which counts as beyond loopback."""

    def __init__(self, project, **env):
        self.running = project.start("emulator", "--host", "127.0.0.2", "--port", "0", env=env)

    def __enter__(self):
        self.running.__enter__()
        self.out = eventually(self.complete, "the emulator's start")
        self.port = int(re.search(r"http://127\.0\.0\.2:(\d+)", self.out)[1])
        self.token = re.search(r"token of the control API:  (\S+)", self.out)[1]
        return self

    def complete(self):
        out = self.running.texts()[0]
        return "token of the control API" in out and out.endswith("\n") and out

    def __exit__(self, *details):
        self.running.__exit__(*details)

    def ask(self, path, method="GET", body=None, **headers):
        """Returns the status, the header fields and the body."""
        connection = http.client.HTTPConnection("127.0.0.2", self.port, timeout=DEADLINE)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()


@pytest.fixture
def emulator(project):
    with Reachable(project) as emulator:
        yield emulator


def test_start_warns_and_prints_the_token(emulator):
    assert "warning: other machines can connect" in emulator.running.texts()[1]
    assert f"/?token={emulator.token}" in emulator.out and len(emulator.token) == 32


@pytest.mark.parametrize("path", ["/emulator/v1/devices", "/emulator/v1/changes", "/", "/emulator/page.js", "/%65mulator/v1/devices"])
def test_control_api_and_page_refuse_requests_without_the_token(emulator, path):
    for headers in ({}, {"Authorization": "Bearer owner"}, {"Cookie": "herald_emulator=owner"}):
        status, _, body = emulator.ask(path, **headers)
        assert status == 401 and "require the token" in body


def test_bearer_token_admits_the_control_api(emulator):
    status, _, _ = emulator.ask("/emulator/v1/devices", Authorization=f"Bearer {emulator.token}")
    assert status == 200


def test_page_keeps_the_token_in_a_cookie(emulator):
    assert emulator.ask("/?token=wrong")[0] == 401
    status, fields, _ = emulator.ask(f"/?token={emulator.token}&project=a")
    assert (status, fields["Location"]) == (303, "/?project=a")
    cookie = fields["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    for path in ("/", "/emulator/page.js", "/emulator/v1/changes"):
        assert emulator.ask(path, Cookie=cookie.split(";")[0])[0] == 200


def test_google_routes_and_health_need_no_control_token(emulator):
    assert emulator.ask("/emulator/v1/health")[0] == 200
    body = json.dumps({"message": {"topic": "tides", "data": {"a": "1"}}})
    path = "/v1/projects/demo/messages:send"
    assert emulator.ask(path, "POST", body, Authorization="Bearer owner")[0] == 200


def test_commands_of_the_project_use_the_token(emulator, project):
    project.herald("emulator", "assert", "--count", "0").expect(0)
    file = project.folder / ".herald/emulator/control-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and file.read_text().strip() == emulator.token


def test_token_stays_and_can_be_given(project):
    with Reachable(project) as first:
        pass
    with Reachable(project) as second:
        assert second.token == first.token
    with Reachable(project, HERALD_EMULATOR_TOKEN=TOKEN) as third:
        assert third.token == TOKEN
        url = f"http://127.0.0.2:{third.port}"
        command = [binary(), "emulator", "assert", "--url", url, "--count", "0"]
        codes = [subprocess.run(command, env=variables(**env), capture_output=True).returncode
                 for env in ({}, {"HERALD_EMULATOR_TOKEN": TOKEN})]
        assert codes == [1, 0]


def test_a_short_token_is_refused(project):
    project.herald("emulator", "--host", "127.0.0.2", "--port", "0", env={"HERALD_EMULATOR_TOKEN": "short"}).expect(
        64, "less than 16 bytes", "openssl rand")


def test_loopback_needs_no_token(project):
    with project.start("emulator", "--port", "0") as running:
        out = eventually(lambda: running.texts()[0], "the emulator's start")
        assert "token" not in out
    assert not os.path.exists(project.folder / ".herald/emulator/control-token")
