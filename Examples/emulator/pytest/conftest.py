"""Fixtures for tests against `herald emulator`. Copy this file into your own tests."""

import json
import os
import subprocess
import urllib.request

import pytest


class Emulator:
    """An FCM emulator on this machine."""

    def __init__(self, url):
        self.url = url

    def ask(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=15) as answer:
            return json.load(answer)

    def phone(self, name, registration, platform="android", **more):
        """Adds a phone for a registration."""
        self.ask("POST", "/emulator/v1/devices",
                 [{"name": name, "registration": registration, "platform": platform, **more}])
        return registration

    def change(self, name, **condition):
        """Changes a phone's conditions: online, foreground, installed."""
        self.ask("PATCH", f"/emulator/v1/devices/{name}", condition)

    def received(self, name):
        """Returns the messages that the phone has received."""
        inboxes = self.ask("GET", "/emulator/v1/inboxes")["devices"]
        return next(inbox["received"] for inbox in inboxes if inbox["name"] == name)

    def sends(self):
        """Returns every send request with its response, from the log."""
        requests = self.ask("GET", "/emulator/v1/requests")["requests"]
        return [one for one in requests if one["path"].endswith("/messages:send")]

    def fail(self, *rules):
        """Sets the rules of a fault script. Without rules, removes all faults."""
        self.ask("PUT", "/emulator/v1/faults", {"rules": list(rules)})


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    """Starts one emulator for all tests, on a free port."""
    folder = tmp_path_factory.mktemp("emulator")
    herald = os.environ.get("HERALD", "herald")
    process = subprocess.Popen([herald, "emulator", "--port", "0", "-C", str(folder)], stdout=subprocess.PIPE, text=True)
    process.stdout.readline()  # Printed when the emulator listens. Then running.json exists, too.
    try:
        yield Emulator(json.loads((folder / ".herald/emulator/running.json").read_text())["url"])
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.fixture
def emulator(running, monkeypatch):
    """The emulator without faults and with empty inboxes, as the sender's FCM address."""
    running.ask("POST", "/emulator/v1/reset")
    running.fail()
    monkeypatch.setattr("sender.FCM", running.url)
    return running
