"""Fixtures for tests against `herald emulator`: copy this file into your own tests."""

import json
import os
import subprocess
import urllib.request

import pytest


class Emulator:
    """FCM on this machine."""

    def __init__(self, url):
        self.url = url

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=15) as answer:
            return json.load(answer)

    def phone(self, name, registration, platform="android", **more):
        """Gives a registration a phone."""
        self.ask("POST", "/emulator/v1/devices",
                 [{"name": name, "registration": registration, "platform": platform, **more}])
        return registration

    def change(self, name, **condition):
        """What becomes of a phone: online, foreground, installed."""
        self.ask("PATCH", f"/emulator/v1/devices/{name}", condition)

    def received(self, name):
        """What the phone has received."""
        inboxes = self.ask("GET", "/emulator/v1/inboxes")["devices"]
        return next(inbox["received"] for inbox in inboxes if inbox["name"] == name)

    def sends(self):
        """Every send that was asked for, with its answer, from the log."""
        requests = self.ask("GET", "/emulator/v1/requests")["requests"]
        return [one for one in requests if one["path"].endswith("/messages:send")]

    def fail(self, *rules):
        """Scripts faults, by the rules of a fault script; none without rules."""
        self.ask("PUT", "/emulator/v1/faults", {"rules": list(rules)})


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """One emulator for all tests; port 0 is whichever is free."""
    folder = tmp_path_factory.mktemp("emulator")
    herald = os.environ.get("HERALD", "herald")
    process = subprocess.Popen([herald, "emulator", "--port", "0", "-C", str(folder)], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()  # It is written once the emulator listens; running.json is there then too.
    try:
        yield Emulator(json.loads((folder / ".herald/emulator/running.json").read_text())["url"])
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.fixture
def emulator(running, monkeypatch):
    """The emulator without faults and with empty inboxes, where the sender will look for FCM."""
    running.ask("POST", "/emulator/v1/reset")
    running.fail()
    monkeypatch.setattr("sender.FCM", running.url)
    return running
