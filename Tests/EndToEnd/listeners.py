"""A running `herald listen`, and what it stored in the inbox of a state in a file."""

import hashlib
import hmac
import json
import re
import sqlite3
import time
import urllib.error
import urllib.request

from herald import DEADLINE, Project, eventually
from xmpp_servers import KEY, SENDER

INTAKE_KEY = "the key of signed messages"
PATH = "/v1/upstream/messages"


def listening_project(folder, more=""):
    """A project whose environment `local` receives messages."""
    upstream = f'upstream: {{ sender_id: "{SENDER}", server_key: "env:UPSTREAM_SERVER_KEY" }}'
    return Project(folder, f"timezone: UTC\nenvironments: {{ local: {{ emulator: {{}}, {upstream}{more} }} }}\n", ["tides"])


class Listener:
    """`herald listen` with health and metrics."""

    def __init__(self, project, *arguments, env=None, status=True):
        self.project = project
        keys = {"UPSTREAM_SERVER_KEY": KEY, "INTAKE_KEY": INTAKE_KEY} | (env or {})
        served = ("--status", "127.0.0.1:0") if status else ()
        self.running = project.start("listen", *served, *arguments, env=keys)

    def __enter__(self):
        self.running.__enter__()
        return self

    def __exit__(self, *details):
        self.running.__exit__(*details)

    @property
    def log(self):
        """The log on one line, because lines are folded."""
        return " ".join(self.running.texts()[1].split())

    def wait_for(self, words, deadline=DEADLINE):
        def found():
            text = self.log
            assert words in text or self.running.process.poll() is None, text
            return words in text
        eventually(found, f"{words!r} in the log\n{self.log}", deadline)
        return self

    def _address(self, words):
        self.wait_for(words)
        return eventually(lambda: re.search(re.escape(words) + r" (\S+\d(?:/\S*\w)?)\.(?: |$)", self.log), words)[1]

    @property
    def messages_url(self):
        return self._address("Receiving messages at")

    @property
    def status_url(self):
        return self._address("Serving health and metrics at")

    def get(self, path):
        try:
            with urllib.request.urlopen(self.status_url + path, timeout=DEADLINE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def metric(self, name, **labels):
        """The value of a metric with these labels; 0 if it is missing."""
        for line in self.get("/metrics")[1].splitlines():
            if line.startswith(name + "{") and all(f'{key}="{value}"' in line for key, value in labels.items()):
                return float(line.rsplit(" ", 1)[1])
        return 0

    def stop(self):
        self.running.process.terminate()
        return self.running.finish()


def inbox(project, environment="local"):
    """The stored messages, in the order in which they were stored."""
    path = project.folder / f".herald/{environment}.inbox.sqlite"
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        rows = connection.execute("SELECT CAST(message AS TEXT) FROM inbox ORDER BY number").fetchall()
    return [json.loads(row[0]) for row in rows]


def signed(body, key=INTAKE_KEY, seconds=None):
    """The headers that prove the origin of a body."""
    body = body if isinstance(body, bytes) else body.encode()
    seconds = int(time.time()) if seconds is None else seconds
    code = hmac.new(key.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    return {"Herald-Timestamp": str(seconds), "Herald-Signature": f"v1={code}"}


def post(url, body, headers=None, method="POST", context=None):
    """Returns the status, the headers and the JSON of the answer."""
    data = body if isinstance(body, bytes) else body.encode()
    request = urllib.request.Request(url, data=data, headers=headers or {}, method=method)
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE, context=context) as answer:
            return answer.status, answer.headers, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        text = error.read()
        return error.code, error.headers, json.loads(text) if text else None
