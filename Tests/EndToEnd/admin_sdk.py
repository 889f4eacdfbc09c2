"""Runs the official Python Admin SDKs, each release in a separate virtual environment."""

import json
import os
import subprocess
from collections import Counter

from herald import DEADLINE, ROOT

# The current release, and a release that still manages topics through Instance ID.
CURRENT, INSTANCE_ID = RELEASES = "7.7.0", "7.5.0"
NOTE = {"title": "Spring tide", "body": "Currents up to 4 knots"}


class AdminSDK:
    """A release of firebase-admin that sends to an emulator."""

    def __init__(self, release, emulator, credential="owner", project="e2e"):
        self.release, self.emulator = release, emulator
        self.credential, self.project = credential, project

    def calls(self, *calls, **more):
        """Calls functions of firebase_admin.messaging in one process and returns their results."""
        order = {"project": self.project, "address": self.emulator.url, "credential": self.credential,
                 "calls": calls} | more
        return driven(self.release, "driver.py", order)["answers"]

    def call(self, function, **arguments):
        return self.calls([function, arguments])[0]


def service_account(emulator, **more):
    """Registers a new service account with the emulator and returns its key file."""
    account = {"client_email": "sender@e2e.iam.gserviceaccount.com", "project_id": "e2e"}
    return emulator.post("/emulator/v1/auth/service-accounts", account | more)


def received(emulator):
    """Counts the deliveries of each message to each registration."""
    return Counter(
        (device["registration"], message["message_id"])
        for device in emulator.get("/emulator/v1/inboxes")["devices"] for message in device["received"])


def driven(release, script, order=None, env=None):
    """Runs a script of admin-sdk/ with a release of the SDK. Fails if the release is not installed."""
    python = ROOT / ".venv-admin-sdk" / release / "bin/python"
    # The SDK queries Google's metadata server if it detects Google Cloud.
    own = {"PATH": os.environ["PATH"], "NO_GCE_CHECK": "true"}
    done = subprocess.run(
        [python, ROOT / "Tests/EndToEnd/admin-sdk" / script], input=json.dumps(order), env=own | (env or {}),
        capture_output=True, text=True, timeout=DEADLINE * 2)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
